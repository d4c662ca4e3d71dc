"""NIST (Doddington 2002) as mteval-v13a computes it (docs/statistics/metrics.md, section 2)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import log
from operator import or_

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import Corpus, FloatArray, Note
from mtsig.metrics.base import Metric, reference_count
from mtsig.metrics.statistics import Statistics
from mtsig.options import option
from mtsig.text.information import Information, ngram_counts
from mtsig.text.mteval_words import mteval_words
from mtsig.text.segments import count_segments
from mtsig.version import VERSION

_STEEPNESS = log(2) / log(1.5) ** 2
"""Makes the penalty one half for an output of two thirds of the reference's length."""

_FIXED = (
    "NIST's information weights are those of the whole test set in every resample, as in the Moses script: the "
    "uncertainty of the weights themselves is left out, so intervals are a little too narrow."
)
_GROWS = "NIST grows with the size of the test set: compare NIST scores on the same segments only."


@dataclass(frozen=True)
class Nist(Metric):
    """Information in bits that the matched n-grams carry, per hypothesis n-gram, with mteval's brevity penalty.

    Statistics: for n = 1…N the information of the matched n-grams, for n = 1…N the hypothesis n-grams, and the mean
    reference length. The information of an n-gram is counted over all references of the whole test set, and stays
    fixed when the test set is resampled.
    """

    tokenize: str = option(
        "13a", "Tokenizer", "mteval's default (13a) or its international one.", choices=("13a", "intl")
    )
    lowercase: bool = option(False, "Lowercase", "Ignore case, as mteval does without -c.")
    max_ngram_order: int = option(5, "Longest n-gram", "N; mteval prints the score of 5.", low=1, high=9, advanced=True)

    decimals = 3
    cites = ("doddington-2002-automatic",)

    @property
    def name(self) -> str:
        """The name mteval prints."""
        return "NIST"

    @property
    def expects_plain_text(self) -> bool:
        """Yes: the tokenizer is part of the metric."""
        return True

    @property
    def needs_spaces(self) -> bool:
        """Yes: neither of mteval's tokenizers cuts text without spaces."""
        return True

    def _words(self, line: str) -> list[str]:
        """Return the words of a line."""
        return mteval_words(line, self.tokenize == "intl", self.lowercase)

    def count(self, corpus: Corpus) -> FloatArray:
        """Weigh the n-grams of all references first, then count every output against the references of its segment."""
        streams = corpus.references.values()
        references = [[self._words(line) for line in lines if line is not None] for lines in zip(*streams, strict=True)]
        ngrams = [[ngram_counts(words, self.max_ngram_order) for words in segment] for segment in references]
        information = Information(counts for segment in ngrams for counts in segment)
        # An n-gram may match as often as in the one reference that has it most often.
        known = [reduce(or_, segment, Counter[tuple[str, ...]]()) for segment in ngrams]
        del ngrams
        lengths = [sum(map(len, segment)) / len(segment) for segment in references]

        def count(segment: int, line: str) -> Sequence[float]:
            words = self._words(line)
            matched = [0.0] * self.max_ngram_order
            for gram, times in (ngram_counts(words, self.max_ngram_order) & known[segment]).items():
                matched[len(gram) - 1] += times * information.of(gram)
            ngrams = [max(0, len(words) - order) for order in range(self.max_ngram_order)]
            return [*matched, *ngrams, lengths[segment]]

        return count_segments([corpus.lines(system) for system in corpus.systems], count)

    def counting_options(self, corpus: Corpus) -> Mapping[str, object] | None:
        """Return how words are cut and how long n-grams get; the weights come from the references."""
        del corpus
        return {"nist": {"tokenize": self.tokenize, "lowercase": self.lowercase, "order": self.max_ngram_order}}

    def signature(self, corpus: Corpus) -> str:
        """Return the choices in sacreBLEU's style; the tokenizer is mteval's own."""
        tokens = "mteval-v13a" if self.tokenize == "13a" else "mteval-v13a-intl"
        case = "lc" if self.lowercase else "mixed"
        order = f"max_ngram_order:{self.max_ngram_order}"
        return f"nrefs:{reference_count(corpus)}|case:{case}|tok:{tokens}|{order}|info:fixed|mtsig:{VERSION}"

    def _parts(self, totals: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return information (N, …), hypothesis n-grams (N, …), at least 1, and the logarithm of the length ratio.

        The last is the mean reference length. No length ratio above 1 is rewarded, so its logarithm is at most 0.
        """
        order = self.max_ngram_order
        totals = np.asarray(totals, dtype=np.float64)
        information, ngrams, reference = totals[:order], totals[order : 2 * order], totals[2 * order]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(reference > 0, np.log(ngrams[0] / reference), 0.0)
        return information, np.maximum(ngrams, 1.0), np.minimum(ratio, 0.0), reference

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return NIST of totals (k, …), in bits."""
        information, ngrams, ratio, _ = self._parts(totals)
        return np.asarray(np.exp(-_STEEPNESS * ratio**2) * reduce(np.add, information / ngrams))

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative by each total; NaN for an empty output. The penalty has no kink at equal lengths."""
        information, ngrams, ratio, reference = self._parts(totals)
        order = self.max_ngram_order
        penalty = np.exp(-_STEEPNESS * ratio**2)
        score = penalty * reduce(np.add, information / ngrams)
        slope = np.zeros(np.shape(totals))
        slope[:order] = penalty / ngrams
        slope[order : 2 * order] = -penalty * information / ngrams**2
        with np.errstate(divide="ignore", invalid="ignore"):
            slope[order] -= 2 * _STEEPNESS * ratio * score / ngrams[0]
            slope[2 * order] = np.where(ratio < 0, 2 * _STEEPNESS * ratio * score / reference, 0.0)
        return np.where(np.isfinite(ratio), slope, np.nan)

    @property
    def matches(self) -> tuple[str, ...]:
        """Words."""
        return ("word",)

    def matched(self, totals: FloatArray) -> NDArray[np.bool_]:
        """Return whether anything matches."""
        return np.asarray(np.asarray(totals)[:1] > 0)

    def caveats(self, statistics: Statistics) -> tuple[Note, ...]:
        """Return what fixed weights leave out, and what NIST must not be compared across."""
        del statistics
        return (Note("note", _FIXED), Note("note", _GROWS))
