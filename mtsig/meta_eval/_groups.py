"""Statistics of segments' scores within groups, and the threshold below which a metric's difference is a tie.

See docs/statistics/meta-eval.md, section 5.

Groups answer different questions. none: can the metric score; item: can it choose among translations of one source;
system: can it find the bad segments of one system. When a pair becomes a tie of the metric, a tie of people is won and
a concordant pair is lost; nothing else changes. So pairs sorted by the metric's difference, and the running sum of what
each wins or loses, give the best threshold.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from mtsig._options import option
from mtsig._records import FloatArray, Floats, Index, Mask
from mtsig.citations import Citations
from mtsig.errors import NotApplicable
from mtsig.meta_eval import _rated_data, _statistic
from mtsig.meta_eval._rated_data import once

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
    pairs, weights = _weighed(human, metric)
    if not weights.any():
        return float("nan"), 0.0
    if pairs <= MOST_SORTED:
        sizes, gains, right, _ = _all_gains(human, metric, weights)
        best, epsilon = _best_of(sizes, gains)
        return float(right.sum() + best), epsilon
    return _by_bins(human, metric, weights)


def thresholds_without(human: Floats, metric: Floats, fold_of: Index) -> list[float]:
    """Return the best threshold on all groups but those of each fold: scores (u, g), folds (g,).

    The pairs are sorted once for all folds.
    """
    (pairs, weights), folds = _weighed(human, metric), range(int(fold_of.max()) + 1)
    if pairs > MOST_SORTED:
        return [calibrated(human[:, fold_of != fold], metric[:, fold_of != fold])[1] for fold in folds]
    sizes, gains, _, groups = _all_gains(human, metric, weights)
    order, found = _ascending(sizes), []
    sizes, gains, fold_of_pair = sizes[order], gains[order], fold_of[groups[order]]
    for fold in folds:
        others, left = fold_of_pair != fold, int(np.count_nonzero(weights[fold_of != fold]))
        scale = int(np.count_nonzero(weights)) / max(1, left)
        found.append(_best_of(sizes[others], scale * gains[others], ordered=True)[1])
    return found


def _weighed(human: Floats, metric: Floats) -> tuple[float, Floats]:
    """Return how many pairs there are, and the weight of a pair of each group."""
    counts = np.count_nonzero(~np.isnan(human) & ~np.isnan(metric), axis=0).astype(np.float64)
    pairs = counts * (counts - 1) / 2
    size = pairs * np.count_nonzero(pairs)
    return float(pairs.sum()), np.divide(1.0, size, out=np.zeros_like(pairs), where=pairs > 0)


def _all_gains(human: Floats, metric: Floats, weights: Floats) -> tuple[Floats, Floats, Floats, Index]:
    sizes, gains, right, groups = zip(*_gains(human, metric, weights), strict=True)
    return np.concatenate(sizes), np.concatenate(gains), np.concatenate(right), np.concatenate(groups)


def _gains(human: Floats, metric: Floats, weights: Floats) -> Iterator[tuple[Floats, Floats, Floats, Index]]:
    """Yield pairs in blocks: the size of the metric's difference, what a tie of it would win, what is right without.

    And the group of each.
    """
    if len(human) <= MOST_TOGETHER:
        first, second = np.triu_indices(len(human), 1)
        step = max(1, _BLOCK // max(1, len(first)))
        for start in range(0, human.shape[1], step):
            h, m = (scores[:, start : start + step] for scores in (human, metric))
            known = ~np.isnan(h) & ~np.isnan(m)
            pairs, groups = np.nonzero(known[first] & known[second])
            here, there = (first[pairs], groups), (second[pairs], groups)
            yield *_of_pairs(h[here], h[there], m[here], m[there], weights[start + groups]), start + groups
        return
    for column, weight in enumerate(weights):
        known = ~np.isnan(human[:, column]) & ~np.isnan(metric[:, column])
        h, m = human[known, column], metric[known, column]
        for left, other in pair_blocks(len(h)):
            yield *_of_pairs(h[left], h[other], m[left], m[other], weight), np.full(len(left), column)


def _of_pairs(h: Floats, other_h: Floats, m: Floats, other_m: Floats, weight: Floats) -> tuple[Floats, Floats, Floats]:
    tie_h, tie_m = _rated_data.equal(h, other_h), _rated_data.equal(m, other_m)
    sizes = np.where(tie_m, 0.0, np.abs(m - other_m))
    agree = ~tie_h & ~tie_m & ((h > other_h) == (m > other_m))
    gains = np.where(tie_m, 0.0, weight * (tie_h.astype(np.float64) - agree))
    return sizes, gains, weight * (agree | (tie_h & tie_m)).astype(np.float64)


def _best_of(sizes: Floats, gains: Floats, before: float = 0.0, ordered: bool = False) -> tuple[float, float]:
    """Return the largest running sum of gains in the order of sizes, at least 0, and the first size that attains it."""
    order = slice(None) if ordered else _ascending(sizes)
    ascending, running = sizes[order], before + np.cumsum(gains[order])
    # Pairs of one size become ties together: a sum counts where the size changes (`equal`, of ascending sizes).
    changes = np.diff(ascending) > 1e-9 * np.maximum(1.0, ascending[1:])
    last = np.flatnonzero(np.append(changes, True)[: len(ascending)])
    sums = np.concatenate([[0.0], running[last]])
    at = int(np.flatnonzero(sums >= sums.max() - PLATEAU)[0])
    return float(sums.max()), float(np.concatenate([[0.0], ascending[last]])[at])


def _ascending(sizes: Floats) -> Index:
    """Return the order of numbers from 0 on, equal ones as they come: by 16 bits at a time, which is twice as fast."""
    bits, order = sizes.view(np.uint64), np.arange(len(sizes))
    for shift in range(0, 64, 16):
        digits = (bits >> np.uint64(shift)).astype(np.uint16)[order]
        order = order[np.argsort(digits, kind="stable")]
    return order


def _by_bins(human: Floats, metric: Floats, weights: Floats) -> tuple[float, float]:
    edges = _edges(metric)
    total, wins, right = np.zeros(len(edges) + 1), np.zeros(len(edges) + 1), 0.0
    for sizes, gains, correct, _ in _gains(human, metric, weights):
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
    for sizes, gains, *_ in _gains(human, metric, weights):
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


By: TypeAlias = Literal["item", "system", "none"]
"""Item: within each segment over systems. System: within each system over segments. None: all in one."""

Undefined: TypeAlias = Literal["drop", "zero"]


ItemsOf: TypeAlias = Callable[[Floats], Floats]
"""How often each member counts, (b, u), goes in; the statistic of every item, (b, n), comes out."""

ItemsMean: TypeAlias = Callable[[Floats], Floats]
"""How often each member counts, (b, u), goes in; the mean over items, (b,), comes out."""

T = TypeVar("T", bound=np.generic)


def grouped(scores: NDArray[T], by: By) -> NDArray[T]:
    """Return scores of cells (s, n) with the members of groups first and the groups last: (u, g)."""
    if by == "item":
        return scores
    return scores.T if by == "system" else scores.reshape(-1, 1)


@dataclass(frozen=True)
class OfGroups(_statistic.Statistic, _statistic.Terms):
    """A statistic of segments' scores, within groups: the mean of the groups that have a value."""

    by: By = option("item", "Groups", "Which scores are compared: translations of one segment, or of one system.")
    undefined_as: Undefined = option(
        "drop",
        "Groups without a value",
        "drop: leave these groups out of the mean; zero: count them as 0, which penalizes ties in the human ratings.",
        advanced=True,
    )
    weighed: Literal["macro", "micro"] = option(
        "macro",
        "Weights of groups",
        "macro: every group has the same weight; micro: each is weighted by its number of pairs.",
        advanced=True,
    )

    level = "segment"

    def of(self, human: Floats, metric: Floats) -> Floats:
        """Return the statistic of every group, shape (g,), of human and metric scores (u, g), NaN where none are."""
        if not self.pairwise or len(human) <= MOST_TOGETHER:
            return self.ratio(self.terms(human, metric).sum(axis=1))
        return np.array([self.ratio(self._sums(h, m)) for h, m in zip(human.T, metric.T, strict=True)])

    def _sums(self, human: Floats, metric: Floats) -> Floats:
        """Return the sums over all pairs of one large group, block by block."""
        known = ~np.isnan(human) & ~np.isnan(metric)
        total: Floats = np.zeros(len(self.terms(np.zeros((2, 1)), np.zeros((2, 1)))))
        for here, there in pair_blocks(int(known.sum())):
            h, m = (np.stack([scores[known][here], scores[known][there]]) for scores in (human, metric))
            total += self.terms(h, m).sum(axis=(1, 2))
        return total

    def of_groups(self, rated: _rated_data.RatedData, metric: str) -> Floats:
        """Return the statistic of every group, NaN where it has none; shape (g,)."""
        human, scores = (grouped(cells, self.by) for cells in (rated.ratings, rated.cells(metric)))
        return self.fitted(rated, metric).of(human, scores)

    def value(self, rated: _rated_data.RatedData, metric: str) -> float:
        """Return the mean over the groups; NaN where none has a value."""
        if not np.ptp(rated.ratings[rated.mask]):
            return float("nan")
        return float(self.mean(self.of_groups(rated, metric), self.counted(rated)[None])[0])

    def counted(self, rated: _rated_data.RatedData) -> Floats:
        """Return how much each group counts: none without two rated members; shape (g,)."""
        members = np.count_nonzero(grouped(rated.mask, self.by), axis=0).astype(np.float64)
        return np.asarray(members * (members - 1) / 2 if self.weighed == "micro" else members >= 2, dtype=np.float64)

    def mean(self, values: Floats, weights: Floats) -> Floats:
        """Return the means of values of groups (g,) or (b, g) with weights (b, g); shape (b,)."""
        defined = ~np.isnan(values)
        if defined.all():
            return _statistic.share((weights * values).sum(axis=-1), weights.sum(axis=-1))
        sums = (weights * np.where(defined, values, 0.0)).sum(axis=-1)
        # Where no group has a value there is no mean, whatever stands for the others.
        among = defined * weights
        whole = weights.sum(axis=-1) * among.any(axis=-1) if self.undefined_as == "zero" else among.sum(axis=-1)
        return _statistic.share(sums, whole)

    def redrawn(self, rated: _rated_data.RatedData, metric: str, redraw: _statistic.Redraw) -> Floats:
        """Return the statistic of every resample; shape (b,).

        NaN by none and by system where sums run over pairs of segments: resampled, these are too many to add again.
        """
        counted = self.counted(rated)
        if self.by == "item":
            return self.mean(self._of_items(rated, metric, redraw.systems), redraw.segments * counted)
        if self.pairwise or self.ranked:
            return np.full(redraw.size, np.nan)
        terms = self.terms(*(grouped(x, self.by) for x in (rated.ratings, rated.cells(metric))))
        terms = terms if self.by == "system" else terms[..., 0].reshape(len(terms), *rated.mask.shape).swapaxes(1, 2)
        sums = np.einsum("tns,bn->tbs", terms, redraw.segments, optimize=True)
        counts = redraw.counts(len(rated.systems))
        if self.by == "none":
            return self.ratio(np.einsum("tbs,bs->tb", sums, counts))
        return self.mean(self.ratio(sums), counts * counted)

    ranked: ClassVar[bool] = False
    """Whether what is summed changes with who else was drawn."""

    def _of_items(self, rated: _rated_data.RatedData, metric: str, systems: Floats | None) -> Floats:
        """Return the statistic of every item: (n,), or (b, n) for systems drawn so often each."""
        if systems is None:
            return self.of_groups(rated, metric)
        return self.fitted(rated, metric).weighted_items(rated.ratings, rated.cells(metric))(systems)

    def weighted_items(self, human: Floats, metric: Floats) -> ItemsOf:
        """Return what gives the statistic of every item, (b, n), when members count so often: (b, u).

        human, metric: scores, shape (u, n).
        """
        terms = self.terms(human, metric)

        def of(counts: Floats) -> Floats:
            return self.ratio((_statistic.pair_counts(counts) if self.pairwise else counts) @ terms)

        return of

    def items_mean(self, human: Floats, metric: Floats, counted: Floats) -> ItemsMean:
        """Return what gives the mean over items, (b,), when members count so often: (b, u).

        human, metric: scores, shape (u, n). counted: the weights of the items, shape (1, n).
        """
        of = self.weighted_items(human, metric)
        return lambda counts: self.mean(of(counts), counted)

    def undefined(self, rated: _rated_data.RatedData, metric: str) -> str:
        """Return why there is no value, in a sentence; empty where there is nothing to say."""
        if not np.ptp(rated.ratings[rated.mask]):
            return "All ratings are equal, so agreement is undefined."
        return "" if not np.isnan(self.of_groups(rated, metric)).all() else "The statistic is undefined in every group."


@dataclass(frozen=True)
class SegmentPearson(_statistic.Correlated, OfGroups):
    """Pearson's correlation of segments' scores."""

    name = "segment-pearson"
    label = "Pearson r of segments"


@dataclass(frozen=True)
class SegmentSpearman(_statistic.Correlated, OfGroups):
    """Spearman's correlation of segments' scores."""

    name = "segment-spearman"
    label = "Spearman ρ of segments"
    ranked = True

    def of(self, human: Floats, metric: Floats) -> Floats:
        """Return the correlation of midranks in every group."""
        known = ~np.isnan(human) & ~np.isnan(metric)
        return super().of(*(_ranks(scores, known) for scores in (human, metric)))

    def weighted_items(self, human: Floats, metric: Floats) -> ItemsOf:
        """Return what ranks the members that count before it correlates them."""
        known = ~np.isnan(human[:, None]) & ~np.isnan(metric[:, None])

        def of(counts: Floats) -> Floats:
            weights = np.where(known, counts.T[..., None], 0.0)
            ranks = [np.where(known, _statistic.midranks(x[:, None], weights), np.nan) for x in (human, metric)]
            return self.ratio(np.einsum("tsbn,bs->tbn", self.terms(*ranks), counts))

        return of


def _ranks(scores: Floats, known: Mask) -> Floats:
    """Return the midranks within each group, numbers equal but for rounding tied; NaN where nothing is known."""
    placed = np.full(scores.shape, np.nan)
    for column in range(scores.shape[1]):
        here = np.flatnonzero(known[:, column])
        order = here[np.argsort(scores[here, column], kind="stable")]
        ascending = scores[order, column]
        starts = np.flatnonzero(
            np.concatenate([[True], ~_rated_data.equal(ascending[1:], ascending[:-1])])[: len(order)]
        )
        sizes = np.diff(np.append(starts, len(order)))
        placed[order, column] = np.repeat(starts + (sizes + 1) / 2, sizes)
    return placed


@dataclass(frozen=True)
class SegmentKendall(_statistic.TauB, OfGroups):
    """Kendall's τ_b of segments' scores."""

    name = "segment-kendall"
    label = "Kendall τ_b of segments"


@dataclass(frozen=True)
class TiesEqual(OfGroups):
    """The share of pairs on which people and the metric say the same: better, worse, or a tie (Deutsch et al. 2023).

    epsilon: differences of the metric up to it are ties.
    """

    epsilon: float = option(0.0, "Tie threshold", "Metric differences up to this threshold count as ties.", low=0.0)

    name = "acc_eq_0"
    label = "accuracy with ties, uncalibrated"
    cites: ClassVar[Citations] = ("deutsch-2023",)
    pairwise = True
    of_decisions = True

    def terms(self, human: Floats, metric: Floats) -> Floats:
        """Return whether both say the same, and whether both have scores."""
        same, known = same_said(human, metric, self.epsilon)
        return np.stack([same, known]).astype(np.float64)

    def ratio(self, sums: Floats) -> Floats:
        """Return the share of pairs; NaN without any."""
        return _statistic.share(sums[0], sums[1])

    def redrawn(self, rated: _rated_data.RatedData, metric: str, redraw: _statistic.Redraw) -> Floats:
        """Return the statistic of every resample; shape (b,)."""
        if self.by != "item" or redraw.systems is None or not rated.mask.all():
            return super().redrawn(rated, metric, redraw)
        # All items have the same pairs, so that the mean of their shares is a share of sums.
        fitted, key = self.fitted(rated, metric), ("same", metric, self, redraw.drawn.shape[1])
        same = once(rated.known, key, lambda: redraw.pooled(fitted.terms(rated.ratings, rated.cells(metric))[:1]))
        weights = redraw.pair_counts(len(rated.systems))
        every = weights.sum(axis=0) * redraw.segments.sum(axis=1)
        return self.ratio(np.stack([_sums_redrawn(same, weights, redraw.drawn)[0], every]))

    def items_mean(self, human: Floats, metric: Floats, counted: Floats) -> ItemsMean:
        """Return what gives the mean over items, (b,), when members of (u, n) count so often: (b, u)."""
        if np.isnan(human).any() or np.isnan(metric).any():
            return super().items_mean(human, metric, counted)
        sums = self.terms(human, metric).sum(axis=2)
        return lambda counts: self.ratio(sums @ _statistic.pair_counts(counts).T)


def same_said(human: Floats, metric: Floats, epsilon: float) -> tuple[Mask, Mask]:
    """Return on which pairs people and the metric say the same, and which pairs have scores; (pairs, …) each."""
    first, second = _statistic.pair_positions(len(human))
    known = ~np.isnan(human) & ~np.isnan(metric)
    both = known[first] & known[second]
    h, m = (np.where(both, x[first], 0.0) - np.where(both, x[second], 0.0) for x in (human, metric))
    with np.errstate(invalid="ignore"):
        tie_h = _rated_data.equal(human[first], human[second])
        tie_m = _rated_data.equal(metric[first], metric[second]) | (np.abs(m) <= epsilon + 1e-9 * max(1.0, epsilon))
    return both & np.where(tie_h | tie_m, tie_h & tie_m, np.sign(h) == np.sign(m)), both


@dataclass(frozen=True)
class CalibratedTies(TiesEqual):
    """The share of pairs on which people and the metric say the same, with the metric's best threshold for ties.

    The threshold is fitted on the data that it is judged on (Deutsch et al. 2023), and kept when they are resampled.
    """

    name = "acc_eq"
    label = "accuracy with ties, calibrated"

    def fitted(self, rated: _rated_data.RatedData, metric: str) -> Self:
        """Return the statistic with the threshold that fits the metric best."""
        return replace(self, epsilon=calibration(rated, metric, self.by)[1])


def calibration(rated: _rated_data.RatedData, metric: str, by: By) -> tuple[float, float]:
    """Return the best accuracy with ties and the threshold that attains it; worked out once for the same data."""
    cells = rated.ratings, rated.cells(metric)
    return once(rated.known, ("ties", metric, by), lambda: calibrated(*(grouped(one, by) for one in cells)))


@dataclass(frozen=True)
class TauEqual(TiesEqual):
    """Kendall's τ with ties: twice the accuracy with ties, less 1 ("23" in mt-metrics-eval)."""

    name = "tau_eq"
    label = "Kendall τ_eq of segments"
    of_decisions = False

    def ratio(self, sums: Floats) -> Floats:
        """Return 2 acc_eq − 1."""
        return 2 * super().ratio(sums) - 1


@dataclass(frozen=True)
class RelativeRanking(OfGroups):
    """WMT's Kendall-like τ of relative rankings (daRR): pairs that people rate 25 points apart; the metric's ties lose.

    Pooled over all items.
    """

    gap: float = option(25.0, "Gap", "Pairs whose ratings differ by less than this are left out.", low=0.0)

    name = "darr"
    label = "daRR τ (WMT20)"
    pairwise = True

    def terms(self, human: Floats, metric: Floats) -> Floats:
        """Return concordant less other pairs, and all that count."""
        first, second = _statistic.pair_positions(len(human))
        h, m, _ = _statistic.PairSigns.of(human, metric)
        with np.errstate(invalid="ignore"):
            apart = np.abs(human[first] - human[second])
            counts = (h != 0) & ((apart >= self.gap) | _rated_data.equal(apart, np.full_like(apart, self.gap)))
        return np.stack([np.where(h * m > 0, 1.0, -1.0) * counts, counts.astype(np.float64)])

    def ratio(self, sums: Floats) -> Floats:
        """Return (C − D)/(C + D)."""
        return _statistic.share(sums[0], sums[1])

    def value(self, rated: _rated_data.RatedData, metric: str) -> float:
        """Return the statistic of all items' pairs together."""
        return float(self.redrawn(rated, metric, _statistic.Redraw(np.ones((1, rated.n))))[0])

    def redrawn(self, rated: _rated_data.RatedData, metric: str, redraw: _statistic.Redraw) -> Floats:
        """Return the statistic of every resample; shape (b,)."""
        if self.by != "item":
            raise NotApplicable("Relative rankings compare translations of one segment, so compare them by item.")
        key = ("relative", metric, self, redraw.drawn.shape[1])
        terms = once(rated.known, key, lambda: redraw.pooled(self.terms(rated.ratings, rated.cells(metric))))
        weights = redraw.pair_counts(len(rated.systems))
        return self.ratio(_sums_redrawn(terms, weights, redraw.drawn))


def _sums_redrawn(terms: FloatArray, weights: Floats, drawn: FloatArray) -> Floats:
    """Return sums of whole numbers (t, pairs, u): pairs count as weights (pairs, b), units as drawn (b, u); (t, b)."""
    total: Floats = np.zeros(())
    if len(drawn) > 1 and np.abs(terms).max(initial=0) * drawn.sum(axis=1).max() < 2**24:  # exact in single precision
        terms, drawn = terms.astype(np.float32), drawn.astype(np.float32)
    for some in _statistic.some_pairs(len(weights), max(len(drawn), weights.shape[1]), 32):
        total = total + (weights[some] * (terms[:, some] @ drawn.T)).sum(axis=1)
    return total
