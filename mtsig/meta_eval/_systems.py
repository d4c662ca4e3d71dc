"""Statistics of systems' scores, soft pairwise accuracy among them, also over several sets, and WMT's clusters.

See docs/statistics/meta-eval.md, sections 2, 4 and 7.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtsig._options import option
from mtsig._probability import count_extreme, normal_above, normal_quantile, tolerance
from mtsig._records import Count, Floats, Index, Mask, Number, Record, about
from mtsig.citations import Citations
from mtsig.errors import InvalidOption, NotApplicable, expect
from mtsig.inference import Family, Settings
from mtsig.inference._adjust import refuse_many
from mtsig.meta_eval import _groups, _rated_data, _statistic
from mtsig.meta_eval._rated_data import RatedData, Scored, once
from mtsig.meta_eval._statistic import Redraw, Statistic, pair_counts, pooled, share, some_pairs
from mtsig.metrics import WeightedSums
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import Unit
from mtsig.resampling import BLOCK, Purpose, Words


class OfSystems(_statistic.Statistic, _statistic.Terms):
    """A statistic of systems' scores: subclasses give `terms` and `ratio`, or `of` alone.

    fewest: with fewer systems there is no value.
    """

    fewest: ClassVar[int] = _statistic.FEWEST_CORRELATED
    of_whole_systems: ClassVar[bool] = True

    def of(self, human: Floats, metric: Floats, counts: Floats) -> Floats:
        """Return the statistic of scores (s, b), each system as often as `counts` (b, s) says; shape (b,)."""
        if isinstance(self, _statistic.SignTerms):
            said = _statistic.PairSigns.of(human, metric)
            return self.ratio(_statistic.signs_added(self, said, pair_counts(counts).T))
        weights = pair_counts(counts) if self.pairwise else counts
        return self.ratio(np.einsum("tub,bu->tb", self.terms(human, metric), weights))

    def value(self, rated: _rated_data.RatedData, metric: str) -> float:
        """Return the statistic of the systems' scores; NaN of too few systems."""
        return self.without(rated, metric, np.zeros(len(rated.systems), dtype=bool))

    def without(self, rated: _rated_data.RatedData, metric: str, left_out: Mask) -> float:
        """Return the statistic without some of the systems; left_out: shape (s,)."""
        if np.count_nonzero(~left_out) < self.fewest:
            return float("nan")
        human, scores = (rated.system_scores(name)[~left_out, None] for name in (rated.human.name, metric))
        return float(self.of(human, scores, np.ones((1, len(human))))[0])

    def redrawn(self, rated: _rated_data.RatedData, metric: str, redraw: _statistic.Redraw) -> Floats:
        """Return the statistic of every resample; shape (b,)."""
        human, scores = (redraw.system_scores(rated, name) for name in (rated.human.name, metric))
        if not isinstance(self, _statistic.SignTerms):
            return self.of(human, scores, redraw.counts(len(rated.systems)))
        said = _statistic.PairSigns.of(
            human, scores, redraw.signs(rated, rated.human.name), redraw.signs(rated, metric)
        )
        return self.ratio(_statistic.signs_added(self, said, redraw.pair_counts(len(rated.systems))))

    def leave_one_out(self, rated: _rated_data.RatedData, metric: str) -> Floats:
        """Return the statistic without each system in turn; shape (s,)."""
        each = np.eye(len(rated.systems), dtype=bool)
        return np.array([self.without(rated, metric, row) for row in each])

    def undefined(self, rated: _rated_data.RatedData, metric: str) -> str:
        """Return why there is no value, in a sentence; empty where there is nothing to say."""
        if len(rated.systems) < self.fewest:
            return "With two systems, every correlation is 1 or −1."
        return super().undefined(rated, metric)


@dataclass(frozen=True)
class Pearson(_statistic.Correlated, OfSystems):
    """Pearson's correlation of the systems' scores."""

    name = "pearson"
    label = "Pearson r"


@dataclass(frozen=True)
class Spearman(_statistic.Correlated, OfSystems):
    """Spearman's correlation: Pearson's of the systems' midranks."""

    name = "spearman"
    label = "Spearman ρ"

    def of(self, human: Floats, metric: Floats, counts: Floats) -> Floats:
        """Return the correlation of midranks among the systems that were drawn."""
        known = ~np.isnan(human) & ~np.isnan(metric)
        weights = np.where(known, counts.T, 0.0)
        first, second = (np.where(known, _statistic.midranks(scores, weights), np.nan) for scores in (human, metric))
        return super().of(first, second, counts)


@dataclass(frozen=True)
class Kendall(_statistic.TauB, OfSystems):
    """Kendall's τ_b of the systems' scores."""

    name = "kendall"
    label = "Kendall τ_b"


@dataclass(frozen=True)
class PairwiseAccuracy(_statistic.Right, OfSystems):
    """The share of pairs of systems that the metric orders as the human ratings do.

    Pairs with tied ratings are left out; a pair with tied metric scores counts as wrong (Kocmi et al. 2021).
    """

    ties: Literal["wrong", "mtme"] = option(
        "wrong",
        "Ties",
        "wrong: pairs tied in the human ratings are left out, and ties of the metric count as wrong; mtme: all pairs "
        "count, and a tie in both is right.",
        advanced=True,
    )

    name = "accuracy"
    label = "pairwise accuracy"
    cites: ClassVar[Citations] = ("kocmi-2021",)
    fewest = 2

    def of_signs(self, said: _statistic.PairSigns) -> NDArray[Any]:
        """Return which pairs agree (human, metric), which count; shape (2, pairs, b)."""
        if self.ties == "wrong":
            return super().of_signs(said)
        return np.stack([said.both & (said.human == said.metric), said.both])


FEWEST_BY_THEORY = 10
"""Normal theory is taken for correlations of so many systems, and where no system lies far from the others."""


def fisher_interval(r: float, systems: int, level: float = 0.95) -> tuple[float, float]:
    """Return the interval of a Pearson correlation by normal theory: tanh(atanh r ± z/√(s − 3)) (Fisher 1921).

    NaN for fewer than 4 systems, and where they lie on a line.
    """
    if systems < 4 or not abs(r) < 1:
        return float("nan"), float("nan")
    reach = float(normal_quantile((1 + level) / 2)) / np.sqrt(systems - 3)
    return float(np.tanh(np.arctanh(r) - reach)), float(np.tanh(np.arctanh(r) + reach))


FEW_ORDERS = 8
"""Of so many systems all orders are gone through: 40,320."""


def no_association(
    rated: _rated_data.RatedData, metric: str, statistic: OfSystems, *, draws: int = 10_000, seed: int = 12345
) -> float:
    """Return the two-sided p of no association between the systems' scores by people and by a metric.

    The share of the orders of people's scores, all of them up to eight systems and else drawn, whose statistic lies as
    far from 0 (from ½ for a share of pairs) as the one observed; drawn, (c + 1)/(R + 1). NaN without a value.

    draws, seed: of the orders.
    """
    observed = statistic.value(rated, metric)
    if np.isnan(observed):
        return float("nan")
    human, scores = (rated.system_scores(name) for name in (rated.human.name, metric))
    middle = 0.5 if isinstance(statistic, _statistic.Right) else 0.0
    away = abs(observed - middle) - 1e-9
    s = len(scores)
    extreme, total = 0, 0
    for order in _orders(s, draws, seed):
        columns = np.repeat(scores[:, None], len(order), axis=1)
        values = statistic.of(human[order].T, columns, np.ones((len(order), s)))
        extreme += int(np.count_nonzero(np.abs(values - middle) >= away))
        total += len(order)
    return extreme / total if s <= FEW_ORDERS else (extreme + 1) / (total + 1)


def _orders(systems: int, draws: int, seed: int) -> Iterator[Index]:
    """Yield orders of systems, shape (b, s): all of them where there are few."""
    if systems <= FEW_ORDERS:
        every = permutations(range(systems))
        while block := list(islice(every, BLOCK)):
            yield np.array(block, dtype=np.int64)
        return
    for start in range(0, draws, BLOCK):
        words = Words(seed, start // BLOCK, Purpose.SHUFFLED_SYSTEMS)
        yield np.argsort(words.take(min(BLOCK, draws - start), systems), axis=1)


OUTLYING = 2.5
"""Robust standard deviations from the median (Mathur et al. 2020)."""

FEWEST_FOR_OUTLIERS = 5


def outliers(rated: _rated_data.RatedData) -> Mask:
    """Find systems whose human scores are outliers; shape (s,).

    A system is an outlier if |h − median| / (1.4826 · median |h − median|) > 2.5 (Mathur et al. 2020). There are no
    outliers if the middle half of the scores is equal, or if there are fewer than five systems.

    Examples
    --------
    >>> from mtsig.meta_eval import outliers
    >>> outliers(rated).tolist()
    [False, False, False, False, False, False, False, False, False]
    """
    scores = rated.system_scores(rated.human.name)
    away = np.abs(scores - np.median(scores))
    spread = 1.4826 * float(np.median(away))
    if len(scores) < FEWEST_FOR_OUTLIERS or spread <= 1e-9 * max(1.0, float(np.abs(scores).max())):
        return np.zeros(len(scores), dtype=bool)
    return np.asarray(away / spread > OUTLYING)


@dataclass(frozen=True)
class PairCounts:
    """Pairs of systems by what people and a metric say of them: ties of people are no pairs to be right on."""

    right: int
    pairs: int
    metric_ties: int
    human_ties: int


def pair_counts_of(rated: _rated_data.RatedData, metric: str) -> PairCounts:
    """Return how many pairs of systems the metric orders as people do."""
    human, scores, _ = _statistic.PairSigns.of(rated.system_scores(rated.human.name), rated.system_scores(metric))
    told = human != 0
    return PairCounts(
        int(np.count_nonzero(human * scores > 0)),
        int(np.count_nonzero(told)),
        int(np.count_nonzero(told & (scores == 0))),
        int(np.count_nonzero(~told)),
    )


@dataclass(frozen=True)
class AccuracyOverSets(Record):
    """On how many pairs of systems, each of one test set, a metric and people agree."""

    metric: Annotated[str, about("The metric.")]
    sets: Annotated[Count, about("Number of test sets.")]
    right: Annotated[Count, about("Number of pairs that metric and human ratings order the same way.")]
    pairs: Annotated[Count, about("Number of pairs that differ in the human ratings.")]
    value: Annotated[Number, about("Share of concordant pairs among these pairs.")]
    ci_low: Annotated[Number, about("Lower end of the percentile interval; each set is resampled separately.")]
    ci_high: Annotated[Number, about("Its upper end.")]


def accuracy_over_sets(
    sets: Sequence[_rated_data.RatedData],
    metric: str,
    *,
    over: _statistic.Over = "both",
    settings: Settings | None = None,
) -> AccuracyOverSets:
    """Compute pairwise accuracy over several test sets, Σ concordant / Σ pairs.

    Parameters
    ----------
    sets
        Human ratings and metric scores of each test set.
    metric
        The metric's name, the same in all test sets.
    over
        The units that are resampled within each test set.
    settings
        The level, number of resamples, seed and unit.

    Raises
    ------
    InvalidOption
        No test set is given.
    NotApplicable
        Segments are to be resampled, but there are system-level scores only.

    Examples
    --------
    >>> from mtsig.meta_eval import accuracy_over_sets
    >>> accuracy_over_sets([rated], "near", settings=mtsig.Settings(n_resamples=100)).value
    1.0
    """
    if not sets:
        raise InvalidOption("Give at least one test set.")
    whole = next(filter(None, (rated.whole(metric) for rated in sets)), "")
    if over == "segments" and whole:
        raise NotApplicable(f"There are only system-level scores of {whole}, so resample systems, not segments.")
    settings = Settings() if settings is None else settings
    for rated in sets:
        refuse_many(len(rated.systems))
    counts = [pair_counts_of(rated, metric) for rated in sets]
    right, pairs = sum(count.right for count in counts), sum(count.pairs for count in counts)
    sums = np.zeros((2, settings.n_resamples))
    statistic = PairwiseAccuracy()
    for number, rated in enumerate(sets):
        done = 0
        # Sets are independent: each has a seed of its own.
        for redraw in _statistic.redraws(rated, over, settings.n_resamples, settings.seed + number, settings.unit):
            redraw = redraw.known_of(rated, metric)
            human, scores = (redraw.system_scores(rated, name) for name in (rated.human.name, metric))
            said = _statistic.PairSigns.of(human, scores)
            block = _statistic.signs_added(statistic, said, redraw.pair_counts(len(rated.systems)))
            sums[:, done : done + block.shape[1]] += block
            done += block.shape[1]
    value = right / pairs if pairs else float("nan")
    low, high, _ = _statistic.percentiles(statistic.ratio(sums), settings.level, value)
    return AccuracyOverSets(metric, len(sets), right, pairs, value, low, high)


ALPHA = 0.05


def clusters_of(p: ArrayLike, alpha: float = ALPHA) -> NDArray[np.int64]:
    """Return the clusters of sorted metrics, best first, from 1, shape (m,).

    p: shape (m, m); p[i, j], i < j, is the p that i is better than j.

    A cluster begins where some metric of the one before is better at p ≤ alpha (mt-metrics-eval's AssignRanks). That
    metrics of one cluster do not differ significantly does not follow: one of an earlier cluster may be better than
    one alone.
    """
    matrix: NDArray[Any] = np.asarray(p)
    clusters = np.ones(len(matrix), dtype=np.int64)
    start = 0
    for metric in range(1, len(matrix)):
        new = bool(np.any(matrix[start:metric, metric] <= alpha))
        clusters[metric] = clusters[metric - 1] + new
        if new:
            start = metric
    return clusters


def wmt_clusters(family: Family, alpha: float = ALPHA) -> dict[str, int]:
    """Cluster metrics as WMT does, by uncorrected one-sided p-values.

    The p-value is the share of random swaps that favour the better metric at least as much as observed. For tests
    without swaps, it is half the two-sided p-value. `ranks(family)` uses corrected, two-sided tests.

    Raises
    ------
    NotApplicable
        The family lacks some pairs.

    Examples
    --------
    >>> from mtsig.meta_eval import compare_metrics, wmt_clusters
    >>> wmt_clusters(compare_metrics(rated, "spa", settings=mtsig.Settings(n_resamples=200)))
    {'near': 1, 'far': 2}
    """
    expect(family, Family, "Give comparisons of all pairs of metrics, as compare_metrics returns them")
    statistics = family.statistics
    order = np.lexsort((np.array(statistics.systems), -statistics.scores))
    names = [statistics.systems[row] for row in order]
    p = np.zeros((len(names), len(names)))
    one_sided = _one_sided(family)
    for i, first in enumerate(names):
        for j in range(i + 1, len(names)):
            at = family.find(first, names[j])
            if at is None:
                raise NotApplicable("Clusters need the comparisons of all pairs of metrics.")
            p[i, j] = one_sided[at]
    return dict(zip(names, clusters_of(p, alpha).tolist(), strict=True))


def _one_sided(family: Family) -> Floats:
    if family.null is None:
        return np.asarray(family.p_value / 2)
    sign = np.where(family.difference < 0, -1.0, 1.0)
    null, observed = sign[:, None] * family.null, sign * family.difference
    extreme = count_extreme(null, observed, "greater")
    return np.asarray(extreme / null.shape[1])


ENUMERATED = 16
"""Up to this many segments all signs are enumerated."""

FEW = 50
"""On fewer segments the normal limit of the signs' law is not relied on."""

MTME_DRAWS, MTME_SEED = 1000, 4
"""What mt-metrics-eval draws, and from which seed."""


@dataclass(frozen=True)
class SoftPairwiseAccuracy(Statistic):
    """1 − the mean difference of the rating's and the metric's p-values.

    The p-value tests the sum of segment differences by random sign flips, the same flips for all pairs (Thompson et al.
    2024). For corpus-level metrics, segments' counts are swapped, and p is the normal limit of that test.
    """

    p: Literal["auto", "normal", "mid", "mtme"] = option(
        "auto",
        "p-values",
        "normal: normal approximation; mid: mid-p over all or over random sign flips; mtme: as in mt-metrics-eval. The "
        "default is normal for 50 segments or more.",
    )
    n_resamples: int = option(
        10_000, "Draws", "Number of random sign flips, if `mid` samples them.", low=10, high=10_000_000, advanced=True
    )
    seed: int = option(12345, "Seed", "The same seed gives the same sign flips.", low=0, high=2**53 - 1, advanced=True)
    unit: Literal["segment", "document"] = option(
        "segment",
        "Turned at random",
        "segment: flip the sign of each segment's difference, as WMT does; document: of each document's sum.",
        advanced=True,
    )

    name = "spa"
    label = "soft pairwise accuracy"
    cites: ClassVar[Citations] = ("thompson-2024",)

    def value(self, rated: RatedData, metric: str) -> float:
        """Return the accuracy over the pairs that share segments; NaN if no pair does."""
        human, scored = (self.p_values(rated, name) for name in (rated.human.name, metric))
        known = ~np.isnan(human) & ~np.isnan(scored)
        if not known.any() or not np.ptp(rated.ratings[rated.mask]):
            return float("nan")
        return float(1 - np.abs(human - scored)[known].mean())

    def p_values(self, rated: RatedData, name: str) -> Floats:
        """Return p-values that the first is better; NaN without shared segments.

        Shape (pairs,).

        Raises
        ------
        NotApplicable
            There are system-level scores only.
        """
        scored = rated[name]
        if rated.whole(name):
            raise NotApplicable(self.refused(rated, name))
        whole = self.unit == "document"
        units = rated.units("document") if whole else None
        count = rated.n if units is None else int(units.max()) + 1
        if scored.cells is None or self.p == "normal" or (self.p == "auto" and count >= FEW):
            p_of_pairs = normal_p(rated, scored, Redraw(np.ones((1, count)), unit_of=units), whole)[:, 0]
        elif self.p == "mtme":
            if whole:
                raise InvalidOption("mt-metrics-eval swaps segments at random, so choose segments as units.")
            p_of_pairs = _mtme_p(_differences(rated, scored))
        else:
            apart = _differences(rated, scored)
            apart = apart if units is None else pooled(apart, units).astype(np.float64)
            p_of_pairs = _mid_p(apart, self.n_resamples, self.seed)
        return np.where((rated.shared >= 1) & (rated.n >= 2), p_of_pairs, np.nan)

    def caution(self, rated: RatedData) -> str:
        """Return how p-values are computed if segments are few; else empty."""
        count = rated.n if self.unit == "segment" else int(rated.units("document").max()) + 1
        if self.p != "auto" or count >= FEW:
            return ""
        signs = "from all sign flips" if count <= ENUMERATED else f"from {self.n_resamples:,} random sign flips"
        return (
            f"{count} {self.unit}s are too few for the normal approximation. p-values in soft pairwise accuracy are "
            f"{signs}; those of corpus-level metrics and of resamples still use the approximation."
        )

    def redrawn(self, rated: RatedData, metric: str, redraw: Redraw) -> Floats:
        """Return the accuracy of every resample, by the normal limit.

        Raises
        ------
        InvalidOption
            The signs of whole documents are flipped, but segments are resampled.
        """
        whole = self.unit == "document"
        if whole and redraw.unit_of is None:
            raise InvalidOption(
                "Documents that are swapped as a whole must also be resampled as a whole: choose documents as units."
            )
        human, scored = (normal_p(rated, rated[name], redraw, whole) for name in (rated.human.name, metric))
        weights, complete = redraw.pair_counts(len(rated.systems)), bool(rated.mask.all())
        lost, total = np.zeros(redraw.size), np.zeros(redraw.size)
        for some in some_pairs(len(human), redraw.size):
            apart, often = np.abs(human[some] - scored[some]), weights[some]
            if not complete:
                known = ~np.isnan(apart)
                apart, often = np.where(known, apart, 0.0), often * known
            # One pair after the other, so that the last digit does not depend on the parts.
            lost = np.concatenate([lost[None], np.broadcast_to(often * apart, (len(apart), len(lost)))]).sum(axis=0)
            total += often.sum(axis=0)
        return np.asarray(1 - share(lost, total))


def _differences(rated: RatedData, scored: Scored) -> Floats:
    """Return the pairs' differences of segment scores, 0 where one has none; shape (pairs, n)."""
    first, second = rated.pairs
    cells = np.asarray(scored.cells)
    return np.asarray(np.nan_to_num(cells[first] - cells[second], nan=0.0))


def in_units(statistic: Statistic, unit: Unit) -> Statistic:
    """Return a statistic that turns documents as a whole where they are asked for by name; any other as it is.

    Otherwise segments are turned, as in WMT's tables, so that values can be held against those.
    """
    if isinstance(statistic, SoftPairwiseAccuracy) and unit == "document" and statistic.p != "mtme":
        return replace(statistic, unit="document")
    return statistic


def normal_p(rated: RatedData, scored: Scored, redraw: Redraw, whole: bool = False) -> Floats:
    """Return 1 − Φ(d/√q), d the sum of differences and q that of their squares, of every resample; shape (pairs, b).

    It is the law of random signs in the limit, with their exact variance; ½ where nothing differs, NaN where no
    segment of the pair was drawn. One column where the segments stay as they are.

    whole: whether the differences of each of the resample's units are added before they are squared.
    """

    def work() -> Floats:
        units = _pairs_of_units(rated, scored, redraw, whole)
        drawn = redraw.drawn.T
        p = _differences_of_scores(rated, scored, redraw) if scored.cells is None else units.differences @ drawn
        squares = units.squares @ drawn
        for some in some_pairs(*p.shape):
            p[some] = normal_of_sums(p[some], squares[some])
        if rated.mask.all():  # every draw has segments of every pair
            return p
        return np.where(once(redraw.known, ("shared",), lambda: units.shared @ drawn > 0), p, np.nan)

    return once(redraw.known, ("p", scored.name, whole), work)


@dataclass(frozen=True, eq=False)
class _PairsOfUnits:
    """Sums over the segments of each unit that a pair of systems shares; shapes (pairs, u).

    differences: 0 for metrics of whole corpora. squares: of differences, or of what a segment's exchange does.
    """

    differences: Floats
    squares: Floats
    shared: Floats


def _pairs_of_units(rated: RatedData, scored: Scored, redraw: Redraw, whole: bool) -> _PairsOfUnits:
    def work() -> _PairsOfUnits:
        apart = _differences(rated, scored) if scored.cells is not None else _exchanged(rated, scored)
        first, second = rated.pairs
        both = (rated.mask[first] & rated.mask[second]).astype(np.float64)
        differences, shared = (redraw.pooled(x).astype(np.float64) for x in (apart, both))
        squares = np.square(differences) if whole else redraw.pooled(np.square(apart)).astype(np.float64)
        return _PairsOfUnits(differences, squares, shared)

    return once(rated.known, ("pairs of units", scored.name, redraw.drawn.shape[1], whole), work)


def normal_of_sums(total: Floats, squares: Floats) -> Floats:
    """Return 1 − Φ(d/√q); ½ where nothing differs."""
    none = squares <= 1e-18
    return np.where(none, 0.5, normal_above(total / np.sqrt(np.where(none, 1.0, squares))))


def _exchanged(rated: RatedData, scored: Scored) -> Floats:
    """Return for a metric of whole corpora what each segment's exchange between two systems does; shape (pairs, n).

    A segment's part is grad f(M)·(s_X − s_Y), M halfway between the totals: to first order what its exchange does,
    halved on both sides. Totals of a resample are about as large as those of the data: the slopes are taken there.
    """
    first, second = rated.pairs
    metric = scored.statistics.metric
    moved = np.zeros((len(first), rated.n))
    for pair, (x, y) in enumerate(zip(first, second, strict=True)):
        shared = scored.values[:, [x, y]].astype(np.float64) * (rated.mask[x] & rated.mask[y])
        halfway = shared.sum(axis=-1).mean(axis=1)
        moved[pair] = metric.gradient(halfway[:, None])[:, 0] @ (shared[:, 0] - shared[:, 1])
    return np.nan_to_num(moved)


def _differences_of_scores(rated: RatedData, scored: Scored, redraw: Redraw) -> Floats:
    """Return the pairs' differences of scores of whole corpora, on the segments that both have; shape (pairs, b)."""
    first, second = rated.pairs
    metric, sign = scored.statistics.metric, sign_of(scored.statistics.metric)
    if rated.mask.all():
        scores = redraw.system_scores(rated, scored.name)[:, : len(redraw.drawn)]
        return np.asarray(scores[first] - scores[second])
    total = np.zeros((len(first), len(redraw.drawn)))
    # How often a unit was drawn single precision holds, and units are chosen much sooner as rows than as columns.
    drawn = once(redraw.known, ("drawn",), lambda: np.ascontiguousarray(redraw.drawn.T, dtype=np.float32))
    for pair, at, sums in _shared_sums(rated, scored, redraw):
        one, other = metric.score(sums(drawn[at].T))
        total[pair] = sign * (one - other)
    return total


_MOST_KEPT = 2**24
"""Numbers of a metric's pairs that are kept from block to block; of more, they are put together anew."""


def _shared_sums(rated: RatedData, scored: Scored, redraw: Redraw) -> Iterable[tuple[int, Index, WeightedSums]]:
    """Return the pairs that share segments: their number, the units with these, and what adds the values, (k, 2, u)."""

    def of_pair(pair: int) -> tuple[int, Index, WeightedSums]:
        x, y = (side[pair] for side in rated.pairs)
        both, units = rated.mask[x] & rated.mask[y], redraw.unit_of
        values = scored.values[:, [x, y]][..., both]
        if units is None:
            return pair, np.flatnonzero(both), WeightedSums(values)
        at, of = np.unique(units[both], return_inverse=True)
        return pair, at, WeightedSums(pooled(values, of))

    pairs = np.flatnonzero(rated.shared).tolist()
    if int(rated.shared.sum()) * len(scored.values) * 2 > _MOST_KEPT:
        return map(of_pair, pairs)
    return once(rated.known, ("shared sums", scored.name, redraw.drawn.shape[1]), lambda: [*map(of_pair, pairs)])


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
        _groups.CalibratedTies(),
        _groups.TiesEqual(),
        _groups.TauEqual(),
        _groups.SegmentPearson(),
        _groups.SegmentSpearman(),
        _groups.SegmentKendall(),
        _groups.RelativeRanking(),
    )
}
"""Those of systems first, then those of segments; put your own here, or give it itself."""
