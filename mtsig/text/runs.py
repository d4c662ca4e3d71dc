"""Runs of words that two sentences share: two lists of words go in, the lengths of the matched runs come out."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from heapq import heapify, heappop, heappush


def matched_runs(hypothesis: Sequence[Hashable], reference: Sequence[Hashable]) -> list[int]:
    """Return the lengths of the runs of a matching in which every word is used once, longest first.

    The longest run of free words that both sides have in the same order is taken, then the longest of what is left,
    and so on; of equally long ones the leftmost of the hypothesis, then of the reference. The words matched are as
    many as any matching has (their clipped counts); to find the runs with the greatest Σ lengthᵉ, e > 1, would mean to
    try them all, which GTM does not do either (Melamed, Green and Turian 2003; Turian, Shen and Melamed 2003).
    """
    candidates = _diagonals(hypothesis, reference)
    heapify(candidates)
    free = [True] * len(hypothesis), [True] * len(reference)
    found = []
    while candidates:
        length, i, j = heappop(candidates)
        left = _free_parts(free[0][i : i - length], free[1][j : j - length])
        if left == [(0, -length)]:
            free[0][i : i - length] = free[1][j : j - length] = [False] * -length
            found.append(-length)
            continue
        for start, size in left:
            heappush(candidates, (-size, i + start, j + start))
    return found


def _diagonals(hypothesis: Sequence[Hashable], reference: Sequence[Hashable]) -> list[tuple[int, int, int]]:
    """Return minus the length and both starts of every run that cannot be made longer at either end."""
    places: defaultdict[Hashable, list[int]] = defaultdict(list)
    for j, word in enumerate(reference):
        places[word].append(j)
    lengths: dict[tuple[int, int], int] = {}
    for i in range(len(hypothesis) - 1, -1, -1):
        for j in places.get(hypothesis[i], ()):
            lengths[i, j] = 1 + lengths.get((i + 1, j + 1), 0)
    return [(-length, i, j) for (i, j), length in lengths.items() if (i - 1, j - 1) not in lengths]


def _free_parts(first: Sequence[bool], second: Sequence[bool]) -> list[tuple[int, int]]:
    """Return start and length of each longest stretch in which both sides are free."""
    parts: list[tuple[int, int]] = []
    for place, both in enumerate(zip(first, second, strict=True)):
        if not all(both):
            continue
        if parts and sum(parts[-1]) == place:
            parts[-1] = (parts[-1][0], parts[-1][1] + 1)
        else:
            parts.append((place, 1))
    return parts
