"""GTM (Melamed, Green and Turian 2003): F of the words in a maximum matching; longer runs can weigh more."""

import collections
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import Corpus, FloatArray
from mtsig.metrics._word_metrics import Counter, WordMetric, Words
from mtsig.options import option


@dataclass(frozen=True)
class Gtm(WordMetric):
    """F-score of matched words, times 100; longer runs can weigh more.

    Statistics: match size (Σ lengthᵉ)^(1/e) over the runs in the segment's matching, hypothesis length, reference
    length. With exponent 1, the match size is the number of matched words, as in Koehn 2004, Figure 1. The score is
    computed from the sums, 2M/(H + R); it is not a mean over segments. With several references, each segment uses the
    one with the best F.
    """

    exponent: float = option(1.0, "Exponent e", "Above 1, longer runs of words in the reference's order count more.",
                             low=1, high=100)  # fmt: skip
    part: str = option("f", "Part", "F, precision or recall.", choices=("f", "precision", "recall"), advanced=True)

    cites = ("turian-etal-2003-evaluation",)
    matches = ("word",)

    @property
    def name(self) -> str:
        """The name of the original program."""
        return "GTM" if self.part == "f" else f"GTM {self.part}"

    @property
    def aligns(self) -> bool:  # type: ignore[override]
        """Whether runs count; with exponent 1, words count at any position."""
        return self.exponent > 1

    def counter(self) -> Counter:
        """Return the function that counts matches by the best reference."""
        return self._best

    def counter_options(self, corpus: Corpus) -> Mapping[str, object]:
        """Return the exponent; metrics of one exponent share counts."""
        del corpus
        return {"exponent": self.exponent}

    def _best(self, hypothesis: Words, references: Sequence[Words]) -> Sequence[float]:
        counted = [(self._size(hypothesis, reference), len(hypothesis), len(reference)) for reference in references]
        return max(counted, key=lambda overlap: (overlap[0] / max(1, overlap[1] + overlap[2]), overlap))

    def _size(self, hypothesis: Words, reference: Words) -> float:
        if self.exponent == 1:
            return float((collections.Counter(hypothesis) & collections.Counter(reference)).total())
        return self.size(matched_runs(hypothesis, reference))

    def size(self, runs: Sequence[int]) -> float:
        """Return the match size of a matching with runs of these lengths."""
        if self.exponent == 1:
            return float(sum(runs))
        # Scaled by the longest run: a power of a large exponent would leave what a float can hold.
        longest = max(runs, default=0)
        powers = sum((run / longest) ** self.exponent for run in runs)
        return float(longest * powers ** (1 / self.exponent))

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the score of totals (k, …), in 0…100; 0 if there are no words to match."""
        size, below = self._fraction(totals)
        return np.asarray(100 * size / np.where(below > 0, below, 1.0))

    def _fraction(self, totals: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return match size and what it is divided by."""
        size, hypothesis, reference = np.asarray(totals, dtype=np.float64)
        return size, {"f": (hypothesis + reference) / 2, "precision": hypothesis, "recall": reference}[self.part]

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative by each total; NaN if no word can match."""
        size, below = self._fraction(totals)
        below = np.where(below > 0, below, np.nan)
        by_size, by_below = 100 / below, -100 * size / below**2
        shares = {"f": (0.5, 0.5), "precision": (1.0, 0.0), "recall": (0.0, 1.0)}[self.part]
        return np.stack([by_size, *(share * by_below for share in shares)])


_Rows: TypeAlias = list[int]
"""For each word of the hypothesis the places of the reference, as bits, at which the same run of words begins."""


class Run(NamedTuple):
    """Words that match one after the other: how many, and where they begin in the hypothesis and in the reference."""

    length: int
    start: int
    place: int


def matched_runs(hypothesis: Sequence[Hashable], reference: Sequence[Hashable]) -> list[int]:
    """Return the lengths of `placed_runs`."""
    return [run.length for run in placed_runs(hypothesis, reference)]


def placed_runs(hypothesis: Sequence[Hashable], reference: Sequence[Hashable]) -> list[Run]:
    """Return the runs of a matching in which every word is used once, longest first.

    The longest run of free words that both sides have in the same order is taken, then the longest of what is left,
    and so on; of equally long ones the leftmost of the hypothesis, then of the reference. The words matched are as
    many as any matching has (their clipped counts); to find the runs with the greatest Σ lengthᵉ, e > 1, would mean to
    try them all, which GTM does not do either (Melamed, Green and Turian 2003; Turian, Shen and Melamed 2003).

    Two sentences of n words may have n² pairs of equal words: they are bits of whole numbers, of which Python handles
    some sixty at once, and all runs of one length are taken in one pass.
    """
    places: defaultdict[Hashable, int] = defaultdict(int)
    for j, word in enumerate(reference):
        places[word] |= 1 << j
    free = [places.get(word, 0) for word in hypothesis]
    runs: list[Run] = []
    while any(free):
        length, begins = _longest(free)
        used = _take(begins, length, free, runs)
        free = [row & ~used for row in free]
    return runs


def _longest(free: _Rows) -> tuple[int, _Rows]:
    """Return the length of the longest runs, and where they begin; `free`: where runs of one word do."""
    length, runs, doubled = 1, free, [free]
    while any(longer := _joined(runs, runs, length)):
        length, runs = 2 * length, longer
        doubled.append(runs)
    for power in reversed(range(len(doubled) - 1)):
        if any(longer := _joined(runs, doubled[power], length)):
            length, runs = length + 2**power, longer
    return length, runs


def _joined(runs: _Rows, others: _Rows, length: int) -> _Rows:
    """Return the runs of this length that are followed by one of the others."""
    return [row & other >> length if row else 0 for row, other in zip(runs, others[length:], strict=False)]


def _take(begins: _Rows, length: int, free: _Rows, runs: list[Run]) -> int:
    """Take the runs of one length from left to right, and return the places that they use in the reference, as bits."""
    used = blocked = end = 0
    for i, row in enumerate(begins):
        if i >= end and (row := row & ~blocked):
            j = (row & -row).bit_length() - 1
            used |= (1 << length) - 1 << j
            # What begins less than a run before, or within, would have words of it.
            before = min(j, length - 1)
            blocked |= (1 << length + before) - 1 << j - before
            end = i + length
            free[i:end] = [0] * length
            runs.append(Run(length, i, j))
    return used
