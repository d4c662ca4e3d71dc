"""Runs of words that two sentences share: two lists of words go in, the matched runs come out."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import NamedTuple, TypeAlias

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
    """Take the runs of one length from left to right, and return the places of the reference that they use, as bits.

    The words that they use of the hypothesis are free no more.
    """
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
