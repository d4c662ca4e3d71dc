"""Runs of words that two sentences share: two lists of words go in, the lengths of the matched runs come out."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence


def matched_runs(hypothesis: Sequence[Hashable], reference: Sequence[Hashable]) -> list[int]:
    """Return the lengths of the runs of a matching in which every word is used once, longest first.

    The longest run of free words that both sides have in the same order is taken, then the longest of what is left,
    and so on; of equally long ones the leftmost of the hypothesis, then of the reference. The words matched are as
    many as any matching has (their clipped counts); to find the runs with the greatest Σ lengthᵉ, e > 1, would mean to
    try them all, which GTM does not do either (Melamed, Green and Turian 2003; Turian, Shen and Melamed 2003).

    All runs of one length are taken in one pass over the pairs of equal words, so that only a row of these pairs is
    held at a time: two sentences of n words may have n² of them.
    """
    ours, theirs = [True] * len(hypothesis), [True] * len(reference)
    found: list[int] = []
    while True:
        places: defaultdict[Hashable, list[int]] = defaultdict(list)
        for j, word in enumerate(reference):
            if theirs[j]:
                places[word].append(j)
        longest = max((length for _, _, length in _ends(hypothesis, ours, places)), default=0)
        if longest < 2:
            break
        end = 0
        for i, j, length in _ends(hypothesis, ours.copy(), places):
            # What is left of a run that another one has cut is shorter, and waits for its turn.
            if length == longest and i - length >= end and all(theirs[j - length : j]):
                ours[i - length : i] = theirs[j - length : j] = [False] * length
                found.append(length)
                end = i
    left = Counter(word for word, free in zip(hypothesis, ours, strict=True) if free)
    return found + [1] * (left & Counter({word: len(free) for word, free in places.items()})).total()


def _ends(
    words: Sequence[Hashable], free: Sequence[bool], places: Mapping[Hashable, Sequence[int]]
) -> Iterator[tuple[int, int, int]]:
    """Yield every pair of equal free words: the places behind them, and the length of the run that ends with them.

    places: where the free words of the other side stand.
    """
    above: dict[int, int] = {}
    for i, word in enumerate(words, 1):
        row = {j + 1: 1 + above.get(j, 0) for j in places.get(word, ())} if free[i - 1] else {}
        for j, length in row.items():
            yield i, j, length
        above = row
