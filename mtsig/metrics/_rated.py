"""Ratings as metrics: scores from raters or programs, as means over segments or for whole systems.

Means of sentence-level scores, with names of their own: they differ from the corpus-level score.
"""

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from mtsig._options import option, same_option
from mtsig._records import FloatArray
from mtsig.citations import VERSION
from mtsig.corpus import Corpus, Note, Rating
from mtsig.corpus._notes import listed, number_of
from mtsig.errors import NotApplicable, find
from mtsig.metrics import _bleu, _chrf, _counting, _metric, _word_metrics
from mtsig.metrics._metric import Scope, SegmentMean
from mtsig.metrics._statistics import Statistics, as_values
from mtsig.readers._names import given_by


def rating_scope(corpus: Corpus, name: str, shared: bool) -> Scope:
    """Return the systems and segments that are rated; if `shared`, only segments rated for all of these systems."""
    known = ~np.isnan(corpus.ratings[name].values)
    rated = np.asarray(known.any(axis=1))
    if not rated.any():
        raise NotApplicable(f"The rating {name!r} has no score for any of these systems.")
    systems = [system for row, system in enumerate(corpus.systems) if rated[row]]
    segments = np.asarray(known[rated].all(axis=0) if shared else known[rated].any(axis=0))
    if not segments.any():
        raise NotApplicable(f"No segment has a rating {name!r} for all {len(systems)} systems; leave out shared=true.")
    numbers = np.flatnonzero(segments)
    scope = corpus if rated.all() else corpus.select(systems)
    scope = scope if segments.all() else scope.take(numbers)
    notes = _unrated(corpus, name, systems) + _covered(known[rated][:, segments], name, len(corpus), shared, systems)
    scope, same = _same_texts(scope, name)
    return Scope(scope, None if segments.all() else numbers, notes + same)


def _same_texts(corpus: Corpus, name: str) -> tuple[Corpus, tuple[Note, ...]]:
    """Return the corpus with one score for the same text of several systems, if a program gave the rating.

    Programs score one text twice with a little noise, of the order of rounding; so many equal signs would be taken for
    a difference. People's ratings stay as they are, and those of whom nobody knows who gave them, and means over
    samples, of which texts are of the first alone.
    """
    rating = corpus.ratings[name]
    giver = "people" if rating.rater_scores is not None else given_by(name)
    single = [len(runs) == 1 and system not in corpus.samples for system, runs in corpus.systems.items()]
    rows = np.flatnonzero(single).tolist()
    if giver == "people" or len(rows) < 2:
        return corpus, ()
    columns = [corpus.outputs[runs[0]] for runs, own in zip(corpus.systems.values(), single, strict=True) if own]
    values, concerned, apart = rating.values.astype(np.float64), 0, 0.0
    for segment, lines in enumerate(zip(*columns, strict=True)):
        if len(set(lines)) == len(lines):
            continue
        groups: dict[str | None, list[int]] = {}
        for row, line in zip(rows, lines, strict=True):
            if line is not None and not np.isnan(values[row, segment]):
                groups.setdefault(line, []).append(row)
        gaps = [_tie(values[:, segment], group) for group in groups.values() if len(group) > 1]
        concerned += any(gaps)
        apart = max([apart, *gaps])
    if not concerned:
        return corpus, ()
    of = number_of(len(corpus), "segment", ",")
    said = f"{name} gives the same text of several systems different scores in {concerned:,} of {of} (by {apart:.2g})"
    if not giver:
        text = f"{said}; its name does not show whether raters or a program gave the scores, so they are kept."
        return corpus, (Note("note", text),)
    tied = replace(corpus, ratings={**corpus.ratings, name: replace(rating, values=values)})
    # So far apart they may be scores of other texts.
    level: Literal["note", "warning"] = "warning" if apart > _NOISE * float(np.nanstd(rating.values)) else "note"
    return tied, (Note(level, f"{said}. Each such text now has the mean of its scores, for all systems."),)


_NOISE = 0.1
"""Of the spread of all scores: noise of one text's scores that a program may have."""


def _tie(scores: FloatArray, group: list[int]) -> float:
    """Give these systems the mean of their scores, in place, and return how far apart they were."""
    own = scores[group]
    apart = float(own.max() - own.min())
    if apart:
        scores[group] = own.mean()
    return apart


def _unrated(corpus: Corpus, name: str, rated: Sequence[str]) -> tuple[Note, ...]:
    missing = [system for system in corpus.systems if system not in rated]
    return (unscored(name, missing),) if missing else ()


def unscored(name: str, missing: Sequence[str]) -> Note:
    """Return the note on systems that a rating does not score."""
    to = f"for: {', '.join(missing)}."
    return Note("note", f"No scores of {name} {to}", names=(name,), together=f"have no scores {to}")


def _covered(known: NDArray[np.bool_], name: str, total: int, shared: bool, systems: Sequence[str]) -> tuple[Note, ...]:
    """Say how many segments stand behind the scores, where these are not all of the corpus."""
    counts, n = known.sum(axis=1), known.shape[1]
    if counts.min() == n == total:
        return ()
    if shared and n < total:
        common = f"the {n} of {total} segments with scores for all {len(known)} systems."
        said, together = f"uses {common}", f"use {common}"
    elif counts.min() == n:
        said, together = f"{n} of {total} segments have scores.", f"have scores of {n} of {total} segments."
    else:
        most = f"{counts.min()}" if counts.min() == counts.max() else f"{counts.min()} to {counts.max()}"
        some = f"scores for {most} of {total} segments"
        rest = "Each score uses all segments of that system; each pair is compared on the segments both have."
        said, together = f"systems have {some}. {rest}", f"have {some}, by system. {rest}"
    return (Note("note", f"{name}: {said}", names=(name,), together=together), *_numbered_apart(known, name, systems))


def _numbered_apart(known: NDArray[np.bool_], name: str, systems: Sequence[str]) -> tuple[Note, ...]:
    """Warn where one system lacks only the last segment, and another only the first: one may be numbered from 0."""
    lacking = [tuple(np.flatnonzero(~row)) for row in known]
    early, late = (
        [system for system, own in zip(systems, lacking, strict=True) if own == (segment,)]
        for segment in (known.shape[1] - 1, 0)
    )
    if not early or not late:
        return ()
    text = (
        f"{name}: {listed(early)} lacks only the last segment, and {listed(late)} only the first. If one is numbered "
        "from 0 and the other from 1, other segments are compared than belong together. Number both alike."
    )
    return (Note("warning", text, systems=(*early, *late)),)


@dataclass(frozen=True)
class Rated(SegmentMean):
    """The mean of a rating, over the segments rated for each system.

    Statistics: the segment's score, and 1; both are 0 where the segment has no score. The corpus defines the direction
    and the number of decimals: two metrics of one rating are equal even if they declare different ones.
    """

    rating: str
    shared: bool = option(
        False, "Shared segments only", "For every score and pair, use only segments that are rated for all systems."
    )
    higher_is_better: bool = field(default=True, compare=False)
    decimals: int = field(default=2, compare=False)

    needs_references = False

    @property
    def name(self) -> str:
        """The name of the rating."""
        return self.rating

    @property
    def about(self) -> str:
        """A description of the rating in one line."""
        return f"Mean of the rating {self.rating}: {'higher' if self.higher_is_better else 'lower'} is better."

    def on(self, corpus: Corpus) -> Self:
        """Return the metric with the rating's name, direction and scale from the corpus.

        Raises
        ------
        UnknownName
            The corpus has no rating of that name.
        NotApplicable
            The rating has only scores of whole systems.
        """
        known = {name.lower(): name for name in corpus.ratings}
        name = self.rating if self.rating in corpus.ratings else known.get(self.rating.lower(), self.rating)
        if name not in corpus.ratings and name in corpus.system_scores:
            raise NotApplicable(
                f"{name} has only scores of whole systems, which do not show how certain a difference is. A test needs "
                "one score per segment."
            )
        rating = find(corpus.ratings, name, "rating")
        return replace(self, rating=name, higher_is_better=rating.higher_is_better, decimals=_decimals(rating.values))

    def scope(self, corpus: Corpus) -> Scope:
        """Return the systems and segments that are rated."""
        return rating_scope(corpus, self.rating, self.shared)

    def count(self, corpus: Corpus) -> FloatArray:
        """Return (score, 1) for every rated output, (0, 0) for the others."""
        values = self._of(corpus).values
        known = ~np.isnan(values)
        _check_scale(self.rating, values[known])
        return np.stack([np.where(known, values, 0.0), known.astype(np.float64)])

    def available(self, corpus: Corpus) -> NDArray[np.bool_]:
        """Return which segments of which systems are rated; shape (s, n)."""
        return ~np.isnan(self._of(corpus).values)

    def signature(self, corpus: Corpus) -> str:
        """Return the rating's name, rater and direction, and how many segments are rated."""
        rating = self._of(corpus)
        counts = self.available(corpus).sum(axis=1)
        n = f"{counts.min()}" if counts.min() == counts.max() else f"{counts.min()}–{counts.max()}"
        better = "higher" if rating.higher_is_better else "lower"
        segments = "shared" if self.shared else "rated"
        rater = [f"rater:{rating.rater}"] if rating.rater else []
        return "|".join(
            [f"rating:{self.rating}", *rater, f"better:{better}", f"segments:{segments}", f"n:{n}", f"mtsig:{VERSION}"]
        )

    def _of(self, corpus: Corpus) -> Rating:
        return find(corpus.ratings, self.rating, "rating")


def _check_scale(name: str, scores: FloatArray) -> None:
    """Check that the scores differ by enough to be added exactly, and by enough for their size."""
    low, middle, high = np.quantile(scores, [0.25, 0.5, 0.75]) if len(scores) else (0.0, 0.0, 0.0)
    spread = float(high - low) or float(np.std(scores - middle)) if len(scores) else 0.0
    if spread == 0:
        return
    if float(np.abs(as_values(scores) - scores).max()) > spread / 1000:
        digits = 2 - math.floor(math.log10(spread))
        raise NotApplicable(
            f"The scores {name} differ by about {spread:.2g}, which is too small for exact sums. Multiply all of them, "
            f"for example by 1e{digits:+03d}, or take their logarithms."
        )
    largest = float(np.abs(scores).max())
    if largest > spread * _MOST_SPREADS:
        raise NotApplicable(
            f"The scores {name} reach {largest:.2g} and differ by about {spread:.2g}, so rounding hides their "
            "differences. Subtract a common value from all of them, and check the largest."
        )


_MOST_SPREADS = 1e7
"""Scores may be so many times as large as they differ: sums of thousands of them keep nine digits more."""


def _decimals(values: FloatArray) -> int:
    """Return how many decimals show a hundredth of the spread between segments: 2 for 0 to 100, 4 for 0 to 1."""
    known = values[~np.isnan(values)]
    spread = float(known.std()) if len(known) else 0.0
    return 2 if spread == 0 else max(2, min(6, 2 - math.floor(math.log10(spread) + 0.5)))


@dataclass(frozen=True)
class WholeSystems(SegmentMean):
    """Scores that a file gives whole systems. Statistics: on every segment the system's score, and 1.

    given: (system, score) of every system that has one.
    """

    given_name: str
    given: tuple[tuple[str, float], ...]
    higher_is_better: bool = True

    is_segment_mean = False
    needs_references = False
    decimals = 4

    @classmethod
    def of(cls, corpus: Corpus, name: str) -> Self:
        """Return the scores of this name in the corpus; ref-B is refB where no other system is."""
        scores = corpus.system_scores[name]
        letters = [_letters(system) for system in corpus.systems]
        called = {_letters(system): system for system in corpus.systems if letters.count(_letters(system)) == 1}
        known = {system: score for system, score in scores.scores.items() if system in corpus.systems}
        for system, score in scores.scores.items():
            known.setdefault(called.get(_letters(system), system), score)
        given = tuple((system, score) for system, score in known.items() if system in corpus.systems)
        return cls(name, given, scores.higher_is_better)

    @property
    def name(self) -> str:
        """The name of the scores: that of their file."""
        return self.given_name

    @property
    def about(self) -> str:
        """What it is, in one line."""
        return f"{self.name} of whole systems: {'higher' if self.higher_is_better else 'lower'} is better."

    def scope(self, corpus: Corpus) -> Scope:
        known = [system for system, _ in self.given if system in corpus.systems]
        if not known:
            raise NotApplicable(f"The system-level scores {self.name!r} belong to none of these systems.")
        missing = [system for system in corpus.systems if system not in known]
        if not missing:
            return Scope(corpus)
        kept = [system for system in corpus.systems if system in known]
        return Scope(corpus.select(kept), None, (unscored(self.name, missing),))

    def count(self, corpus: Corpus) -> FloatArray:
        """Return (score, 1) of the system for every segment: whatever is drawn of them, the score stays."""
        scores = dict(self.given)
        column = np.array([scores[system] for system in corpus.systems])[:, None]
        return np.stack([np.repeat(column, len(corpus), axis=1), np.ones((len(column), len(corpus)))])

    def caveats(self, statistics: Statistics) -> NoReturn:
        """Raise NotApplicable: nothing can be drawn of whole systems."""
        del statistics
        raise NotApplicable(
            f"{self.name} has only scores of whole systems, which do not show how certain a difference is. A test "
            "needs one score per segment."
        )

    def signature(self, corpus: Corpus) -> str:
        """Return the name, the direction, and how many systems have a score."""
        better = "higher" if self.higher_is_better else "lower"
        return f"scores of systems:{self.name}|better:{better}|systems:{len(corpus.systems)}|mtsig:{VERSION}"


def _letters(system: str) -> str:
    return "".join(filter(str.isalnum, system.lower()))


class SentenceMean(_metric.SegmentMean):
    """A base class that turns a metric into the mean over segments of its sentence scores, with the same options."""

    common = False
    in_blocks = False  # the metric's counts are

    about = _metric.Metric.about  # what is averaged

    @property
    @abstractmethod
    def whole(self) -> _metric.Metric:
        """The corpus-level metric with the same options."""

    @property
    def name(self) -> str:
        """The metric's name after "sent": sentBLEU, sentchrF2."""
        return f"sent{self.whole.name}"

    def count(self, corpus: Corpus) -> FloatArray:
        """Count the metric, and score every segment separately."""
        counts = _counting.counted(self.whole, corpus)
        count: NDArray[np.float64] = np.ones((2, *counts.shape[1:]))
        for start in range(0, len(corpus), _counting.BLOCK):
            part = counts[..., start : start + _counting.BLOCK].astype(np.float64)
            count[0, :, start : start + _counting.BLOCK] = self.whole.score(part)
        return count

    def counting_options(self, corpus: Corpus) -> None:
        """Return None, since the counts of the metric itself are stored."""
        del corpus

    def signature(self, corpus: Corpus) -> str:
        """Return the metric's signature, marked as a mean of sentences."""
        return f"mean:sentences|{self.whole.signature(corpus)}"


@dataclass(frozen=True)
class SentenceBleu(SentenceMean, _bleu.Bleu):  # type: ignore[override]
    """Mean of sentence BLEU."""

    # Sentences shorter than the longest n-gram would all be smoothed or 0: sacreBLEU advises this.
    effective_order: bool = same_option(_bleu.Bleu, "effective_order", default=True)

    @property
    def whole(self) -> _bleu.Bleu:
        """BLEU with the same options."""
        return _bleu.Bleu(**vars(self))


@dataclass(frozen=True)
class SentenceChrf(SentenceMean, _chrf.Chrf):
    """Mean of sentence chrF."""

    @property
    def whole(self) -> _chrf.Chrf:
        """The chrF with the same options."""
        return _chrf.Chrf(**vars(self))


@dataclass(frozen=True)
class SentenceTer(SentenceMean, _word_metrics.Ter):  # type: ignore[override]
    """Mean of sentence TER; lower is better."""

    @property
    def whole(self) -> _word_metrics.Ter:
        """TER with the same options."""
        return _word_metrics.Ter(**vars(self))
