"""Metric: count returns counts that can be summed over segments, and score computes scores from the sums."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from mtsig._options import check, options
from mtsig._records import FloatArray
from mtsig._results import Public
from mtsig.citations import VERSION, Citations
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import GIVE_TEXT, left_out
from mtsig.errors import NotApplicable
from mtsig.metrics._statistics import Statistics


@dataclass(frozen=True, eq=False)
class Scope:
    """The systems and segments that are counted; numbers: shape (n,), positions of these segments, None for all."""

    corpus: Corpus
    numbers: NDArray[np.integer] | None = None
    notes: tuple[Note, ...] = ()


def text_scope(corpus: Corpus, name: str, needs_references: bool) -> Scope:
    """Return the systems that have text, and the segments that have a reference where one is needed."""
    scope, notes = _with_text(corpus, name)
    if not needs_references:
        return Scope(scope, None, notes)
    if not scope.outputs:
        raise NotApplicable(
            f"{name} needs text, but the data have none. Choose one of the ratings: {', '.join(corpus.ratings)}."
        )
    if not corpus.referenced.any():
        raise NotApplicable(
            f"{name} needs a reference, and none was given. Call its file ref.txt, or put it into refs/."
        )
    for reference, said in corpus.void_references.items():
        raise NotApplicable(f"{name} needs a reference. Reference {reference!r} has no text: {said}. {GIVE_TEXT}")
    notes += left_out(corpus)
    numbers = None if corpus.referenced.all() else np.flatnonzero(corpus.referenced)
    return Scope(scope.with_references(), numbers, notes)


def _with_text(corpus: Corpus, name: str) -> tuple[Corpus, tuple[Note, ...]]:
    textless = [system for system, runs in corpus.systems.items() if not runs]
    if not textless or len(textless) == len(corpus.systems):
        return corpus, ()
    systems = ", ".join(textless)
    text, together = f"Without text, so not scored by {name}: {systems}.", f"do not score what has no text: {systems}."
    return corpus.with_text(), (Note("note", text, names=(name,), together=together),)


class Metric(Public, ABC):
    """A metric whose corpus score is a function of sums over segments.

    Subclasses are frozen dataclasses whose fields are their options. They define `name`, `higher_is_better`, `count`
    and `score`. If `count` takes long, it should report its progress (mtsig.progress).
    """

    _uses: ClassVar[Mapping[str, str]] = {
        "corpus_score": "mtsig.measure(corpus, metric).scores",
        "sentence_score": "mtsig.measure(corpus, metric).segment_scores",
    }

    higher_is_better: bool = True
    needs_references: bool = True
    needs_parses: bool = False
    """Whether it counts dependency parses (`mtsig.corpus.Parse`) instead of text."""
    is_segment_mean: bool = False
    """Whether the score is the mean of segment scores: tests on segments are allowed only then."""
    is_quality_metric: bool = True
    """Whether a better score claims a better translation; where it does not (lengths), no system is called better."""
    decimals: int = 2
    """How many decimals of a score are worth printing."""
    widest: float = np.nan
    """The largest difference of two scores that is possible; NaN where there is no limit, or none is known."""
    by_sacrebleu: bool = False
    """Whether sacreBLEU computes it, to the same digits: then sacreBLEU is credited with it."""
    in_blocks: bool = False
    """Whether large sets can be counted in blocks of segments: `count` looks at no segment to count another one."""
    common: bool = False
    """Whether a form shows the metric at once; the others stand behind "more"."""

    def __post_init__(self) -> None:
        """Check the options."""
        check(self)

    @property
    @abstractmethod
    def name(self) -> str:
        """The name used in papers, such as BLEU or chrF2++."""

    @property
    def about(self) -> str:
        """A description of the metric in one line."""
        return (type(self).__doc__ or "").partition("\n")[0]

    @property
    def cites(self) -> Citations:
        """Works to cite for the metric: keys in mtsig.citations, or a `Work`."""
        return ()

    @property
    def expects_plain_text(self) -> bool:
        """Whether the metric tokenizes, so tokenized text needs a warning."""
        return False

    @property
    def needs_spaces(self) -> bool:
        """Whether words are split at spaces, so text without them needs a warning."""
        return False

    def cuts(self, language: str) -> bool:
        """Return whether text of this language is split into words without spaces."""
        del language
        return not self.needs_spaces

    def on(self, corpus: Corpus) -> Self:
        """Return the metric adapted to these data (direction, tokenizer)."""
        del corpus
        return self

    def remark(self, corpus: Corpus) -> Note | None:
        """Return a note on what `on` chose from these data; None if there is none."""
        del corpus
        return None

    @property
    def asked(self) -> Self:
        """The metric as the user chose it, without the choices that `on` made."""
        return self

    @property
    def counted(self) -> Self:
        """The metric with all choices that `on` made as explicit options."""
        return self

    def scope(self, corpus: Corpus) -> Scope:
        """Return the part of the corpus that is counted.

        Raises
        ------
        NotApplicable
            There is nothing to count.
        """
        return text_scope(corpus, self.name, self.needs_references)

    def available(self, corpus: Corpus) -> NDArray[np.bool_] | None:
        """Return which segments each system has, shape (s, n); None: all."""
        del corpus
        return None

    def count(self, corpus: Corpus) -> FloatArray:
        """Return every output's sufficient statistics; shape (k, s, n)."""
        del corpus
        raise TypeError(f"{type(self).__name__} must give count()")

    def counting_options(self, corpus: Corpus) -> Mapping[str, object] | None:
        """Return the options on which the counts depend; None if unknown.

        The metric's name and options that change only the score are excluded: BLEU with any smoothing, the mean of
        sentence BLEU and the parts of BLEU have the same counts. With these options, counts are stored between runs
        and shared (see `_counting.py`). A metric based on another metric's counts calls `counted(other, corpus)`. A
        subclass that overrides `count` must also define its own options, or none.
        """
        del corpus
        return None

    @abstractmethod
    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the scores of `totals`: shape (k, …) gives shape (…)."""

    def segment_score(self, values: FloatArray) -> NDArray[np.float64]:
        """Return segment scores from `values`: shape (k, …) gives shape (…)."""
        return np.asarray(self.score(values), dtype=np.float64)

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative by each of `totals`, shape (k, …); NaN if undefined.

        The default uses central differences; metrics with a closed form override this method.
        """
        totals = np.array(totals, dtype=np.float64)
        slopes: NDArray[np.float64] = np.empty(totals.shape)
        for row, column in enumerate(totals):
            step = 1e-5 * np.maximum(1.0, np.abs(column))
            above, below = totals.copy(), totals.copy()
            above[row] += step
            below[row] -= step
            slopes[row] = (self.score(above) - self.score(below)) / (2 * step)
        return slopes

    def has_gradient(self, totals: FloatArray) -> NDArray[np.bool_]:
        """Return whether the score has a derivative at `totals`, shape (k, …)."""
        if type(self).gradient is Metric.gradient:
            # Where the score is a number, its central differences are, too.
            return np.isfinite(self.score(totals))
        return np.asarray(~np.isnan(self.gradient(totals)).any(axis=0))

    @property
    def matches(self) -> tuple[str, ...]:
        """The kinds of matches that the jackknife needs, the most basic first."""
        return ()

    def matched(self, totals: FloatArray) -> NDArray[np.bool_]:
        """Return whether totals have a match of each kind; shape (kinds, …)."""
        return np.asarray(np.asarray(totals)[: len(self.matches)] > 0)

    @property
    def smoothed(self) -> "Metric":
        """The metric to use for the jackknife, which must be defined for every set of units.

        BLEU, for example, replaces a missing count of n-gram matches by an arbitrary number, which the jackknife
        cannot use; it returns a variant with other smoothing. Most metrics return themselves.
        """
        return self

    def caveats(self, statistics: "Statistics") -> tuple[Note, ...]:
        """Return remarks to consider before these statistics are resampled.

        Raises
        ------
        NotApplicable
            These statistics cannot be resampled.
        """
        del statistics
        return ()

    def signature(self, corpus: Corpus) -> str:
        """Return all choices needed to reproduce the score, as `key:value|key:value`."""
        given = [f"nrefs:{reference_count(corpus)}"] if self.needs_references else []
        chosen = [f"{option.name}:{getattr(self, option.name)}" for option in options(self)]
        return "|".join([*given, *chosen, f"mtsig:{VERSION}"])


def reference_count(corpus: Corpus) -> str:
    """Return the number of references per segment, or "var" if it varies, as in sacreBLEU's signature."""
    given = np.array([[line is not None for line in lines] for lines in corpus.references.values()], dtype=bool)
    numbers = set(given.sum(axis=0).tolist())
    return str(numbers.pop()) if len(numbers) == 1 else "var"


class SegmentMean(Metric):
    """A mean over segments, whose statistics are the score and 1."""

    is_segment_mean = True

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the mean; NaN if there are no values."""
        total, count = np.asarray(totals, dtype=np.float64)
        return np.asarray(np.divide(total, count, out=np.full(np.shape(total), np.nan), where=count > 0))

    def segment_score(self, values: FloatArray) -> NDArray[np.float64]:
        """Return the scores of single segments, NaN if undefined."""
        return self.score(values)

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative of a mean by its sum and its count."""
        return np.stack([1.0 / totals[1], -totals[0] / np.square(totals[1])])

    def caveats(self, statistics: Statistics) -> tuple[Note, ...]:
        """Return no remark, since the jackknife of a mean is always defined."""
        del statistics
        return ()


class Rate(Metric):
    """Errors per word of the references, times 100; lower is better. Statistics: errors, length."""

    higher_is_better = False

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the rate of totals (k, …); with empty references it is 100, or 0 if there are no errors."""
        errors, length = np.asarray(totals, dtype=np.float64)
        some = length > 0
        return np.asarray(100 * np.where(some, errors / np.where(some, length, 1.0), (errors > 0).astype(np.float64)))

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative with respect to each total; NaN if the references are empty."""
        errors, length = np.asarray(totals, dtype=np.float64)
        length = np.where(length > 0, length, np.nan)
        return 100 * np.stack([1 / length, -errors / np.square(length)])


def sign_of(metric: Metric) -> int:
    """Return 1, or −1 for metrics where lower is better."""
    return 1 if metric.higher_is_better else -1
