"""Soft pairwise accuracy: how alike the p-values of people and of a metric are, pair by pair.

See docs/statistics/meta-eval.md, section 3.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from mtsig._probability import normal_above, tolerance
from mtsig._records import Floats
from mtsig.citations import Citations
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.meta_eval._groups import (
    CalibratedTies,
    RelativeRanking,
    SegmentKendall,
    SegmentPearson,
    SegmentSpearman,
    TauEqual,
    TiesEqual,
)
from mtsig.meta_eval._rated_data import RatedData, Scored
from mtsig.meta_eval._statistic import Redraw, Statistic, pair_counts, pooled, share
from mtsig.meta_eval._systems import Kendall, PairwiseAccuracy, Pearson, Spearman
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import Unit
from mtsig.options import option
from mtsig.resampling import BLOCK, Purpose, Words

ENUMERATED = 16
"""Up to this many segments all signs are enumerated."""

FEW = 50
"""On fewer segments the normal limit of the signs' law is not relied on."""

MTME_DRAWS, MTME_SEED = 1000, 4
"""What mt-metrics-eval draws, and from which seed."""


@dataclass(frozen=True)
class SoftPairwiseAccuracy(Statistic):
    """1 − the mean over pairs of systems of the difference between people's and the metric's one-sided p-values.

    p is that of the sum of segment differences when every segment's sign is turned at random, the same for all pairs
    (Thompson et al. 2024). Metrics of whole corpora exchange sums; their p is the limit of that, from the spread that
    no exchange changes.
    """

    p: Literal["auto", "normal", "mid", "mtme"] = option(
        "auto",
        "p-values",
        "normal: the limit of random signs; mid: all signs, or draws, ties counted by half; mtme: as mt-metrics-eval. "
        "By default normal from 50 segments on.",
    )
    n_resamples: int = option(
        10_000, "Draws", "How many signs are drawn by mid.", low=10, high=10_000_000, advanced=True
    )
    seed: int = option(12345, "Seed", "The same seed gives the same signs.", low=0, high=2**53 - 1, advanced=True)
    unit: Literal["segment", "document"] = option(
        "segment",
        "Turned at random",
        "segment: every segment's difference by itself, as WMT does; document: the sum of each document's.",
        advanced=True,
    )

    name = "spa"
    label = "soft pairwise accuracy"
    cites: ClassVar[Citations] = ("thompson-2024",)

    def value(self, judged: RatedData, metric: str) -> float:
        """Return the accuracy over the pairs that share segments; NaN without any."""
        human, scored = (self.p_values(judged, name) for name in (judged.human.name, metric))
        known = ~np.isnan(human) & ~np.isnan(scored)
        if not known.any() or not np.ptp(judged.ratings[judged.mask]):
            return float("nan")
        return float(1 - np.abs(human - scored)[known].mean())

    def p_values(self, judged: RatedData, name: str) -> Floats:
        """Return for each pair of systems the one-sided p that the first is better; NaN where no two share a segment.

        Shape (pairs,).

        Raises:
            NotApplicable: there are scores of whole systems only.
        """
        scored = judged[name]
        if judged.whole(name):
            raise NotApplicable(self.refused(judged, name))
        whole = self.unit == "document"
        units = judged.units("document") if whole else None
        count = judged.n if units is None else int(units.max()) + 1
        if scored.cells is None or self.p == "normal" or (self.p == "auto" and count >= FEW):
            p_of_pairs = normal_p(judged, scored, Redraw(np.ones((1, count)), unit_of=units), whole)[:, 0]
        elif self.p == "mtme":
            if whole:
                raise InvalidOption("mt-metrics-eval turns segments at random: choose them as the unit.")
            p_of_pairs = _mtme_p(_differences(judged, scored))
        else:
            apart = _differences(judged, scored)
            apart = apart if units is None else pooled(apart, units).astype(np.float64)
            p_of_pairs = _mid_p(apart, self.n_resamples, self.seed)
        return np.where((judged.shared >= 1) & (judged.n >= 2), p_of_pairs, np.nan)

    def caution(self, judged: RatedData) -> str:
        """Return what its p-values are on few segments, where the limit is not relied on; empty elsewhere."""
        count = judged.n if self.unit == "segment" else int(judged.units("document").max()) + 1
        if self.p != "auto" or count >= FEW:
            return ""
        signs = "of all signs" if count <= ENUMERATED else f"of {self.n_resamples:,} drawn signs"
        return (
            f"{count} {self.unit}s are too few for the normal limit: p-values in soft pairwise accuracy are {signs}; "
            "those of whole corpora and of redraws are still the limit's."
        )

    def redrawn(self, judged: RatedData, metric: str, redraw: Redraw) -> Floats:
        """Return the accuracy of every redraw, by the normal limit; pairs of one system with itself are left out.

        Raises:
            InvalidOption: documents are turned as a whole, and segments are redrawn.
        """
        whole = self.unit == "document"
        if whole and redraw.unit_of is None:
            raise InvalidOption("Documents that are turned as a whole are redrawn so: choose them as the unit.")
        human, scored = (normal_p(judged, judged[name], redraw, whole) for name in (judged.human.name, metric))
        apart = np.abs(human - scored)
        known = ~np.isnan(apart)
        weights = pair_counts(redraw.counts(len(judged.systems))).T * known
        return np.asarray(1 - share((weights * np.where(known, apart, 0.0)).sum(axis=0), weights.sum(axis=0)))


def _differences(judged: RatedData, scored: Scored) -> Floats:
    """Return the pairs' differences of segment scores, 0 where one has none; shape (pairs, n)."""
    first, second = judged.pairs
    cells = np.asarray(scored.cells)
    return np.asarray(np.nan_to_num(cells[first] - cells[second], nan=0.0))


def in_units(statistic: Statistic, unit: Unit) -> Statistic:
    """Return a statistic that turns documents as a whole where they are asked for by name; any other as it is.

    Otherwise segments are turned, as in WMT's tables, so that values can be held against those.
    """
    if isinstance(statistic, SoftPairwiseAccuracy) and unit == "document" and statistic.p != "mtme":
        return replace(statistic, unit="document")
    return statistic


def normal_p(judged: RatedData, scored: Scored, redraw: Redraw, whole: bool = False) -> Floats:
    """Return 1 − Φ(d/√q), d the sum of differences and q that of their squares, of every redraw; shape (pairs, b).

    It is the law of random signs in the limit, with their exact variance; ½ where nothing differs, NaN where no
    segment of the pair was drawn. One column where the segments stay as they are.

    whole: whether the differences of each of the redraw's units are added before they are squared.
    """
    key = ("p", scored.name, whole)
    if key not in redraw.known:
        units = _pairs_of_units(judged, scored, redraw, whole)
        total = (
            _differences_of_scores(judged, scored, redraw)
            if scored.cells is None
            else units.differences @ redraw.drawn.T
        )
        p = normal_of_sums(total, units.squares @ redraw.drawn.T)
        redraw.known[key] = np.where(units.shared @ redraw.drawn.T > 0, p, np.nan)
    normal_p: Floats = redraw.known[key]
    return normal_p


@dataclass(frozen=True, eq=False)
class _PairsOfUnits:
    """Sums over the segments of each unit that a pair of systems shares; shapes (pairs, u).

    differences: 0 for metrics of whole corpora. squares: of differences, or of what a segment's exchange does.
    """

    differences: Floats
    squares: Floats
    shared: Floats


def _pairs_of_units(judged: RatedData, scored: Scored, redraw: Redraw, whole: bool) -> _PairsOfUnits:
    key = ("pairs of units", scored.name, redraw.drawn.shape[1], whole)
    if key not in judged.known:
        apart = _differences(judged, scored) if scored.cells is not None else _exchanged(judged, scored)
        first, second = judged.pairs
        both = (judged.mask[first] & judged.mask[second]).astype(np.float64)
        differences, shared = (redraw.pooled(x).astype(np.float64) for x in (apart, both))
        squares = np.square(differences) if whole else redraw.pooled(np.square(apart)).astype(np.float64)
        judged.known[key] = _PairsOfUnits(differences, squares, shared)
    pairs_of_units: _PairsOfUnits = judged.known[key]
    return pairs_of_units


def normal_of_sums(total: Floats, squares: Floats) -> Floats:
    """Return 1 − Φ(d/√q); ½ where nothing differs."""
    none = squares <= 1e-18
    return np.where(none, 0.5, normal_above(total / np.sqrt(np.where(none, 1.0, squares))))


def _exchanged(judged: RatedData, scored: Scored) -> Floats:
    """Return for a metric of whole corpora what each segment's exchange between two systems does; shape (pairs, n).

    A segment's part is grad f(M)·(s_X − s_Y), M halfway between the totals: to first order what its exchange does,
    halved on both sides. Totals of a redraw are about as large as those of the data: the slopes are taken there.
    """
    first, second = judged.pairs
    metric = scored.statistics.metric
    moved = np.zeros((len(first), judged.n))
    for pair, (x, y) in enumerate(zip(first, second, strict=True)):
        shared = scored.values[:, [x, y]].astype(np.float64) * (judged.mask[x] & judged.mask[y])
        halfway = shared.sum(axis=-1).mean(axis=1)
        moved[pair] = metric.gradient(halfway[:, None])[:, 0] @ (shared[:, 0] - shared[:, 1])
    return np.nan_to_num(moved)


def _differences_of_scores(judged: RatedData, scored: Scored, redraw: Redraw) -> Floats:
    """Return the pairs' differences of scores of whole corpora, on the segments that both have; shape (pairs, b)."""
    first, second = judged.pairs
    metric, sign = scored.statistics.metric, sign_of(scored.statistics.metric)
    if judged.mask.all():
        scores = redraw.system_scores(judged, scored.name)[:, : len(redraw.drawn)]
        return np.asarray(scores[first] - scores[second])
    total = np.empty((len(first), len(redraw.drawn)))
    for pair, sums in enumerate(_shared_values(judged, scored, redraw)):
        drawn = sums @ redraw.drawn.T
        total[pair] = sign * (metric.score(drawn[:, 0]) - metric.score(drawn[:, 1]))
    return total


_MOST_KEPT = 2**22
"""Numbers of a metric's pairs that are kept from block to block; of more, they are added anew."""


def _shared_values(judged: RatedData, scored: Scored, redraw: Redraw) -> Iterable[Floats]:
    """Return each pair's values on the segments that both systems have, by unit; shape (k, 2, u) each."""

    def of_pair(x: int, y: int) -> Floats:
        shared = scored.values[:, [x, y]].astype(np.float64) * (judged.mask[x] & judged.mask[y])
        return np.asarray(redraw.pooled(shared), dtype=np.float64)

    pairs = list(zip(*(side.tolist() for side in judged.pairs), strict=True))
    if len(pairs) * len(scored.values) * 2 * redraw.drawn.shape[1] > _MOST_KEPT:
        return (of_pair(x, y) for x, y in pairs)
    key = ("shared values", scored.name, redraw.drawn.shape[1])
    if key not in judged.known:
        judged.known[key] = [of_pair(x, y) for x, y in pairs]
    by_pair: list[Floats] = judged.known[key]
    return by_pair


def sign_blocks(n: int, draws: int, seed: int) -> Iterator[Floats]:
    """Yield rows of random signs ±1 for n segments, shape (b, n): all 2^n of them where n is small."""
    if n <= ENUMERATED:
        for start in range(0, 2**n, 2**12):
            numbers = np.arange(start, min(start + 2**12, 2**n))[:, None]
            yield np.asarray(1.0 - 2.0 * ((numbers >> np.arange(n)) & 1), dtype=np.float64)
        return
    for start in range(0, draws, BLOCK):
        words = Words(seed, start // BLOCK, Purpose.SIGNS)
        yield 1.0 - 2.0 * words.bits(min(BLOCK, draws - start), n).astype(np.float64)


def _mid_p(apart: Floats, draws: int, seed: int) -> Floats:
    """Return the share of signs that give more, and half of those that give as much; shape (pairs,)."""
    observed = apart.sum(axis=1)
    slack = tolerance(observed)[:, None]
    more = np.zeros(len(apart))
    total = 0
    for turned in sign_blocks(apart.shape[1], draws, seed):
        null = apart @ turned.T - observed[:, None]
        more += np.count_nonzero(null > slack, axis=1) + 0.5 * np.count_nonzero(np.abs(null) <= slack, axis=1)
        total += len(turned)
    # What was observed is one of all arrangements, and counts as one more where they are drawn.
    return more / total if apart.shape[1] <= ENUMERATED else (more + 0.5) / (total + 1)


def _mtme_p(apart: Floats) -> Floats:
    """Return p as mt-metrics-eval does: 1000 rows of signs from seed 4, in single precision, ties count whole."""
    n = apart.shape[1]
    drawn = np.random.default_rng(MTME_SEED).random((MTME_DRAWS, n), dtype=np.float32)
    turned = np.rint(drawn) * np.float32(2) - np.float32(1)
    single = apart.astype(np.float32)
    return np.asarray((single @ turned.T >= single.sum(axis=1)[:, None]).mean(axis=1))


STATISTICS: dict[str, Statistic] = {
    statistic.name: statistic
    for statistic in (
        SoftPairwiseAccuracy(),
        PairwiseAccuracy(),
        Pearson(),
        Spearman(),
        Kendall(),
        CalibratedTies(),
        TiesEqual(),
        TauEqual(),
        SegmentPearson(),
        SegmentSpearman(),
        SegmentKendall(),
        RelativeRanking(),
    )
}
"""Those of systems first, then those of segments; put your own here, or give it itself."""
