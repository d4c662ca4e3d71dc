"""Ties of a metric: how small a difference may be to be none, fitted to people's ties.

See docs/statistics/trust.md, section 5.

When a pair becomes a tie of the metric, a tie of people is won and a concordant pair is lost; nothing else changes. So
pairs sorted by the metric's difference, and the running sum of what each wins or loses, give the best threshold.
"""

from collections.abc import Iterator

import numpy as np

from mtsig.arrays import Floats, Index
from mtsig.trust.judged import equal

BINS = 2**16
"""Bins of differences, where pairs are too many to be sorted at once."""

MOST_SORTED = 2**23
"""Pairs that are sorted at once."""

PLATEAU = 1e-12
"""Sums of gains that differ by less attain the same maximum: the smallest threshold is taken."""

MOST_TOGETHER = 128
"""Members of a group whose pairs are held in memory at once."""

_BLOCK = 2**21


def pair_blocks(members: int) -> Iterator[tuple[Index, Index]]:
    """Yield the positions of all pairs of members, each once, in blocks."""
    step = max(1, _BLOCK // max(1, members))
    columns = np.arange(members)
    for start in range(0, members, step):
        rows = np.arange(start, min(start + step, members))
        here, there = np.nonzero(columns[None] > rows[:, None])
        yield rows[here], columns[there]


def calibrated(human: Floats, metric: Floats) -> tuple[float, float]:
    """Return the best accuracy with ties, and the smallest threshold that attains it: scores (u, g) of g groups.

    Every group with a pair weighs the same. Pairs are sorted at once, or, where they are too many, put into bins by
    size: prefix sums bound what a bin can hold, and only those are sorted that could hold the maximum. The result is
    exact either way. NaN without any pair.
    """
    counts = np.count_nonzero(~np.isnan(human) & ~np.isnan(metric), axis=0).astype(np.float64)
    pairs = counts * (counts - 1) / 2
    groups = np.count_nonzero(pairs)
    if not groups:
        return float("nan"), 0.0
    weights = np.divide(1.0, pairs * groups, out=np.zeros_like(pairs), where=pairs > 0)
    if pairs.sum() <= MOST_SORTED:
        gained = list(_gains(human, metric, weights))
        sizes, gains, right = (np.concatenate(parts) for parts in zip(*gained, strict=True))
        best, epsilon = _best_of(sizes, gains)
        return float(right.sum() + best), epsilon
    return _by_bins(human, metric, weights)


def _gains(human: Floats, metric: Floats, weights: Floats) -> Iterator[tuple[Floats, Floats, Floats]]:
    """Yield pairs in blocks: the size of the metric's difference, what a tie of it would win, what is right without."""
    if len(human) <= MOST_TOGETHER:
        first, second = np.triu_indices(len(human), 1)
        step = max(1, _BLOCK // max(1, len(first)))
        for start in range(0, human.shape[1], step):
            h, m = (scores[:, start : start + step] for scores in (human, metric))
            known = ~np.isnan(h) & ~np.isnan(m)
            pairs, groups = np.nonzero(known[first] & known[second])
            here, there = (first[pairs], groups), (second[pairs], groups)
            yield _of_pairs(h[here], h[there], m[here], m[there], weights[start + groups])
        return
    for column, weight in enumerate(weights):
        known = ~np.isnan(human[:, column]) & ~np.isnan(metric[:, column])
        h, m = human[known, column], metric[known, column]
        for left, other in pair_blocks(len(h)):
            yield _of_pairs(h[left], h[other], m[left], m[other], weight)


def _of_pairs(h: Floats, other_h: Floats, m: Floats, other_m: Floats, weight: Floats) -> tuple[Floats, Floats, Floats]:
    tie_h, tie_m = equal(h, other_h), equal(m, other_m)
    sizes = np.where(tie_m, 0.0, np.abs(m - other_m))
    agree = ~tie_h & ~tie_m & ((h > other_h) == (m > other_m))
    gains = np.where(tie_m, 0.0, weight * (tie_h.astype(np.float64) - agree))
    return sizes, gains, weight * (agree | (tie_h & tie_m)).astype(np.float64)


def _best_of(sizes: Floats, gains: Floats, before: float = 0.0) -> tuple[float, float]:
    """Return the largest running sum of gains in the order of sizes, at least 0, and the first size that attains it."""
    order = np.argsort(sizes, kind="stable")
    ascending, running = sizes[order], before + np.cumsum(gains[order])
    # Pairs of one size become ties together: a sum counts where the size changes.
    last = np.flatnonzero(np.append(~equal(ascending[1:], ascending[:-1]), True)) if len(order) else order
    sums = np.concatenate([[0.0], running[last]])
    at = int(np.flatnonzero(sums >= sums.max() - PLATEAU)[0])
    return float(sums.max()), float(np.concatenate([[0.0], ascending[last]])[at])


def _by_bins(human: Floats, metric: Floats, weights: Floats) -> tuple[float, float]:
    edges = _edges(metric)
    total, wins, right = np.zeros(len(edges) + 1), np.zeros(len(edges) + 1), 0.0
    for sizes, gains, correct in _gains(human, metric, weights):
        bins = np.searchsorted(edges, sizes, side="left")
        total += np.bincount(bins, weights=gains, minlength=len(total))
        wins += np.bincount(bins, weights=np.maximum(gains, 0.0), minlength=len(total))
        right += float(correct.sum())
    # A bin holds no larger sum than that before it and all that it wins, and at least the sum at its end.
    before = np.concatenate([[0.0], np.cumsum(total)[:-1]])
    reached = max(0.0, float((before + total).max()))
    open_bins = np.flatnonzero(before + wins >= reached - 2 * PLATEAU)
    held: dict[int, list[tuple[Floats, Floats]]] = {int(number): [] for number in open_bins}
    wanted = np.zeros(len(total), dtype=bool)
    wanted[open_bins] = True
    for sizes, gains, _ in _gains(human, metric, weights):
        bins = np.searchsorted(edges, sizes, side="left")
        keep = wanted[bins]
        for number in np.unique(bins[keep]):
            inside = bins == number
            held[int(number)].append((sizes[inside], gains[inside]))
    sums, at = [0.0], [0.0]
    for number, parts in held.items():
        if parts:
            sizes, gains = (np.concatenate(columns) for columns in zip(*parts, strict=True))
            best, epsilon = _best_of(sizes, gains, float(before[number]))
            sums.append(best)
            at.append(epsilon)
    best = max(sums)
    return right + best, min(epsilon for total, epsilon in zip(sums, at, strict=True) if total >= best - PLATEAU)


def _edges(metric: Floats) -> Floats:
    """Return the upper ends of bins of differences that hold about as many pairs each."""
    scores = metric[~np.isnan(metric)]
    some = scores[:: max(1, len(scores) // 4096)]
    here, there = np.triu_indices(len(some), 1)
    sizes = np.sort(np.abs(some[here] - some[there]))
    # Ends lie between values, so that no rounding puts equal sizes into two bins.
    ends = np.unique(sizes[:: max(1, len(sizes) // BINS)])
    return ends[:-1][np.diff(ends) > 1e-6] + np.diff(ends)[np.diff(ends) > 1e-6] / 2 if len(ends) > 1 else ends
