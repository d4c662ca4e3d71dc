"""Statistics of systems' scores, pairwise accuracy over several test sets, and clusters of metrics as WMT prints them.

See docs/statistics/meta-eval.md, sections 2, 4 and 7.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, permutations
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtsig._probability import count_extreme, normal_quantile
from mtsig._records import Count, Floats, Index, Mask, Number, Record, about
from mtsig.citations import Citations
from mtsig.errors import InvalidOption, NotApplicable, expect
from mtsig.inference import Family, Settings
from mtsig.meta_eval._rated_data import RatedData
from mtsig.meta_eval._statistic import (
    FEWEST_CORRELATED,
    Correlated,
    Over,
    Redraw,
    Right,
    Statistic,
    TauB,
    Terms,
    midranks,
    pair_counts,
    pair_positions,
    pair_signs,
    percentiles,
    redraws,
)
from mtsig.options import option
from mtsig.resampling import BLOCK, Purpose, Words


class OfSystems(Statistic, Terms):
    """A statistic of systems' scores: subclasses give `terms` and `ratio`, or `of` alone.

    fewest: with fewer systems there is no value.
    """

    fewest: ClassVar[int] = FEWEST_CORRELATED
    of_whole_systems: ClassVar[bool] = True

    def of(self, human: Floats, metric: Floats, counts: Floats) -> Floats:
        """Return the statistic of scores (s, b), each system as often as `counts` (b, s) says; shape (b,)."""
        weights = pair_counts(counts) if self.pairwise else counts
        return self.ratio(np.einsum("tub,bu->tb", self.terms(human, metric), weights))

    def value(self, judged: RatedData, metric: str) -> float:
        """Return the statistic of the systems' scores; NaN of too few systems."""
        return self.without(judged, metric, np.zeros(len(judged.systems), dtype=bool))

    def without(self, judged: RatedData, metric: str, left_out: Mask) -> float:
        """Return the statistic without some of the systems; left_out: shape (s,)."""
        if np.count_nonzero(~left_out) < self.fewest:
            return float("nan")
        human, scores = (judged.system_scores(name)[~left_out, None] for name in (judged.human.name, metric))
        return float(self.of(human, scores, np.ones((1, len(human))))[0])

    def redrawn(self, judged: RatedData, metric: str, redraw: Redraw) -> Floats:
        """Return the statistic of every redraw; shape (b,)."""
        human, scores = (redraw.system_scores(judged, name) for name in (judged.human.name, metric))
        return self.of(human, scores, redraw.counts(len(judged.systems)))

    def leave_one_out(self, judged: RatedData, metric: str) -> Floats:
        """Return the statistic without each system in turn; shape (s,)."""
        each = np.eye(len(judged.systems), dtype=bool)
        return np.array([self.without(judged, metric, row) for row in each])

    def undefined(self, judged: RatedData, metric: str) -> str:
        """Return why there is no value, in a sentence; empty where there is nothing to say."""
        if len(judged.systems) < self.fewest:
            return "Any two systems correlate by 1 or −1."
        return super().undefined(judged, metric)


@dataclass(frozen=True)
class Pearson(Correlated, OfSystems):
    """Pearson's correlation of the systems' scores."""

    name = "pearson"
    label = "Pearson r"


@dataclass(frozen=True)
class Spearman(Correlated, OfSystems):
    """Spearman's correlation: Pearson's of the systems' midranks."""

    name = "spearman"
    label = "Spearman ρ"

    def of(self, human: Floats, metric: Floats, counts: Floats) -> Floats:
        """Return the correlation of midranks among the systems that were drawn."""
        known = ~np.isnan(human) & ~np.isnan(metric)
        weights = np.where(known, counts.T, 0.0)
        first, second = (np.where(known, midranks(scores, weights), np.nan) for scores in (human, metric))
        return super().of(first, second, counts)


@dataclass(frozen=True)
class Kendall(TauB, OfSystems):
    """Kendall's τ_b of the systems' scores."""

    name = "kendall"
    label = "Kendall τ_b"


@dataclass(frozen=True)
class PairwiseAccuracy(Right, OfSystems):
    """The share of pairs of systems that the metric orders as people do.

    Pairs that people tie are left out; a tie of the metric is wrong (Kocmi et al. 2021).
    """

    ties: Literal["wrong", "mtme"] = option(
        "wrong",
        "Ties",
        "wrong: people's ties are left out, the metric's are wrong; mtme: all pairs count, a tie of both is right.",
        advanced=True,
    )

    name = "accuracy"
    label = "pairwise accuracy"
    cites: ClassVar[Citations] = ("kocmi-2021",)
    fewest = 2

    def terms(self, human: Floats, metric: Floats) -> Floats:
        """Return whether the signs of human and metric scores (s, b) agree, and who counts: shape (2, pairs, b)."""
        if self.ties == "wrong":
            return super().terms(human, metric)
        h, m = pair_signs(human, metric)
        first, second = pair_positions(len(human))
        known = ~np.isnan(human) & ~np.isnan(metric)
        both = known[first] & known[second]
        return np.stack([both & (h == m), both]).astype(np.float64)


FEWEST_BY_THEORY = 10
"""Normal theory is taken for correlations of so many systems, and where no system lies far from the others."""


def fisher_interval(r: float, systems: int, level: float = 0.95) -> tuple[float, float]:
    """Return the interval of a Pearson correlation by normal theory: tanh(atanh r ± z/√(s − 3)) (Fisher 1921).

    NaN for fewer than 4 systems, and where they lie on a line.

    >>> from mtsig.meta_eval._systems import fisher_interval
    >>> tuple(round(end, 2) for end in fisher_interval(0.9, 10))
    (0.62, 0.98)
    """
    if systems < 4 or not abs(r) < 1:
        return float("nan"), float("nan")
    reach = float(normal_quantile((1 + level) / 2)) / np.sqrt(systems - 3)
    return float(np.tanh(np.arctanh(r) - reach)), float(np.tanh(np.arctanh(r) + reach))


FEW_ORDERS = 8
"""Of so many systems all orders are gone through: 40,320."""


def no_association(
    judged: RatedData, metric: str, statistic: OfSystems, *, draws: int = 10_000, seed: int = 12345
) -> float:
    """Return the two-sided p of no association between the systems' scores by people and by a metric.

    The share of the orders of people's scores, all of them up to eight systems and else drawn, whose statistic lies as
    far from 0 (from ½ for a share of pairs) as the one observed; drawn, (c + 1)/(R + 1). NaN without a value.

    draws, seed: of the orders.
    """
    observed = statistic.value(judged, metric)
    if np.isnan(observed):
        return float("nan")
    human, scores = (judged.system_scores(name) for name in (judged.human.name, metric))
    middle = 0.5 if isinstance(statistic, Right) else 0.0
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


def outliers(judged: RatedData) -> Mask:
    """Return which systems' human scores lie far from the others'; shape (s,).

    |h − median| / (1.4826 · median |h − median|) > 2.5, in one pass, on both sides (Mathur et al. 2020). None where
    the middle half of the systems is equal, and none of fewer than five.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.meta_eval import RatedData, outliers
    >>> rng = np.random.default_rng(1)
    >>> people = np.arange(9)[:, None] + 3 * rng.normal(size=(9, 60))
    >>> made = {"esa": people, "near": people + rng.normal(size=(9, 60)), "far": people + 9 * rng.normal(size=(9, 60))}
    >>> ratings = {name: mtsig.Rating(values, higher_is_better=True) for name, values in made.items()}
    >>> corpus = mtsig.Corpus.of(dict.fromkeys("ABCDEFGHI"), ratings=ratings)
    >>> judged = RatedData.of(corpus, "rating:esa", ["rating:near", "rating:far"])
    >>> outliers(judged).tolist()
    [False, False, False, False, False, False, False, False, False]
    """
    scores = judged.system_scores(judged.human.name)
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


def pair_counts_of(judged: RatedData, metric: str) -> PairCounts:
    """Return how many pairs of systems the metric orders as people do."""
    human, scores = pair_signs(judged.system_scores(judged.human.name), judged.system_scores(metric))
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
    sets: Annotated[Count, about("How many test sets.")]
    right: Annotated[Count, about("Pairs that the metric orders as people do.")]
    pairs: Annotated[Count, about("Pairs that people tell apart.")]
    value: Annotated[Number, about("Right pairs of all pairs.")]
    ci_low: Annotated[Number, about("Lower end of the percentile interval; each set is redrawn by itself.")]
    ci_high: Annotated[Number, about("Its upper end.")]


def accuracy_over_sets(
    sets: Sequence[RatedData], metric: str, *, over: Over = "both", settings: Settings | None = None
) -> AccuracyOverSets:
    """Return the pairwise accuracy over several test sets: Σ right / Σ pairs, never of two systems of two sets.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.meta_eval import RatedData, accuracy_over_sets
    >>> rng = np.random.default_rng(1)
    >>> people = np.arange(9)[:, None] + 3 * rng.normal(size=(9, 60))
    >>> made = {"esa": people, "near": people + rng.normal(size=(9, 60)), "far": people + 9 * rng.normal(size=(9, 60))}
    >>> ratings = {name: mtsig.Rating(values, higher_is_better=True) for name, values in made.items()}
    >>> corpus = mtsig.Corpus.of(dict.fromkeys("ABCDEFGHI"), ratings=ratings)
    >>> judged = RatedData.of(corpus, "rating:esa", ["rating:near", "rating:far"])
    >>> accuracy_over_sets([judged], "near", settings=mtsig.Settings(n_resamples=100)).value
    1.0

    Args:
        sets: what people and metrics say of each test set.
        metric: its name in all of them.
        over: what is redrawn inside each set.
        settings: level, draws, seed and unit.

    Raises:
        InvalidOption: there is no set.
        NotApplicable: segments are redrawn, and there are scores of whole systems only.
    """
    if not sets:
        raise InvalidOption("Give at least one test set.")
    whole = next(filter(None, (judged.whole(metric) for judged in sets)), "")
    if over == "segments" and whole:
        raise NotApplicable(f"Of {whole} there are scores of whole systems only: redraw systems, not segments.")
    settings = Settings() if settings is None else settings
    counts = [pair_counts_of(judged, metric) for judged in sets]
    right, pairs = sum(count.right for count in counts), sum(count.pairs for count in counts)
    sums = np.zeros((2, settings.n_resamples))
    statistic = PairwiseAccuracy()
    for number, judged in enumerate(sets):
        done = 0
        # Sets are independent: each has a seed of its own.
        for redraw in redraws(judged, over, settings.n_resamples, settings.seed + number, settings.unit):
            redraw = redraw.known_of(judged, metric)
            human, scores = (redraw.system_scores(judged, name) for name in (judged.human.name, metric))
            weights = pair_counts(redraw.counts(len(judged.systems)))
            block = np.einsum("tub,bu->tb", statistic.terms(human, scores), weights)
            sums[:, done : done + block.shape[1]] += block
            done += block.shape[1]
    value = right / pairs if pairs else float("nan")
    low, high, _ = percentiles(statistic.ratio(sums), settings.level, value)
    return AccuracyOverSets(metric, len(sets), right, pairs, value, low, high)


ALPHA = 0.05


def clusters_of(p: ArrayLike, alpha: float = ALPHA) -> NDArray[np.int64]:
    """Return the clusters of sorted metrics, best first, from 1, shape (m,).

    p: shape (m, m); p[i, j], i < j, is the p that i is better than j.

    A cluster begins where some metric of the one before is better at p ≤ alpha (mt-metrics-eval's AssignRanks). That
    metrics of one cluster do not differ significantly does not follow: one of an earlier cluster may be better than
    one alone.

    >>> import numpy as np
    >>> from mtsig.meta_eval._systems import clusters_of
    >>> clusters_of(np.array([[1, 0.2, 0.01], [1, 1, 0.02], [1, 1, 1]]))
    array([1, 1, 2])
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
    """Return the cluster of every metric as WMT prints them, best metric first: uncorrected, one-sided p-values.

    p is the share of the exchanges that favour the better metric as much as was observed; half of a two-sided p where
    nothing was exchanged. Ranks from corrected, two-sided tests are `ranks(family)`.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.meta_eval import RatedData, compare_metrics, wmt_clusters
    >>> rng = np.random.default_rng(1)
    >>> people = np.arange(9)[:, None] + 3 * rng.normal(size=(9, 60))
    >>> made = {"esa": people, "near": people + rng.normal(size=(9, 60)), "far": people + 9 * rng.normal(size=(9, 60))}
    >>> ratings = {name: mtsig.Rating(values, higher_is_better=True) for name, values in made.items()}
    >>> corpus = mtsig.Corpus.of(dict.fromkeys("ABCDEFGHI"), ratings=ratings)
    >>> judged = RatedData.of(corpus, "rating:esa", ["rating:near", "rating:far"])
    >>> wmt_clusters(compare_metrics(judged, "spa", settings=mtsig.Settings(n_resamples=200)))
    {'near': 1, 'far': 2}

    Raises:
        NotApplicable: the family does not hold all pairs.
    """
    expect(family, Family, "Give comparisons of all pairs of metrics, as compare_metrics(judged) makes them")
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
