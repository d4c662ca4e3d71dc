"""Test sets drawn from a population: how often intervals cover, and conclusions are right.

Draws: how many an interval takes, and the steps by which a resample or an exchange is made.
"""

from bisect import insort
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from typing import Any, Literal, overload

import numpy as np
import scipy
from numpy.typing import NDArray

from mtsig._options import option, same_option
from mtsig._probability import check_level, clopper_pearson, count_extreme, tolerance
from mtsig._records import Floats
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference import INTERVALS, Outcome, Settings
from mtsig.inference._intervals import ends_of
from mtsig.inference._significance import counted
from mtsig.inference._targets import Scores, jackknife_error, pairs_of
from mtsig.lab import _material
from mtsig.lab._material import (
    ZHANG_VOGEL,
    Experiment,
    LabResult,
    Material,
    Pair,
    Population,
    records,
    several,
    upright,
)
from mtsig.metrics import Statistics, WeightedSums
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import Unit
from mtsig.metrics._sums import FEWEST_UNITS
from mtsig.progress import batches, done_in_order
from mtsig.resampling import Bootstrap, Distribution, Scheme, Swap, differing_units, resample, shuffle


@dataclass(frozen=True, eq=False)
class DrawCurves(LabResult):
    """Percentile intervals by number of draws B; arrays have shape (z, s), z numbers of draws.

    low, high: the interval by the first B draws (table 5). spread_low, spread_high: standard deviation of either end
    over independent bootstraps of B draws (table 6). theory: sqrt(a(1 − a)/B)/f(q_a) for scores that are normal with
    the width found. repeats: shape (z,), how many bootstraps each standard deviation comes from.
    """

    metric: str
    systems: tuple[str, ...]
    scores: Floats
    draws: NDArray[np.int64]
    repeats: NDArray[np.int64]
    low: Floats
    high: Floats
    spread_low: Floats
    spread_high: Floats
    theory: Floats
    level: float
    unit: str

    @property
    def spread(self) -> Floats:
        """Standard deviation of an end, both taken together; shape (z, s)."""
        return np.sqrt((np.square(self.spread_low) + np.square(self.spread_high)) / 2)

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per number of draws and system."""
        return records(
            metric=self.metric, system=self.systems, draws=upright(self.draws), score=self.scores, low=self.low,
            high=self.high, repeats=upright(self.repeats), spread_low=self.spread_low, spread_high=self.spread_high,
            theory=self.theory,
        )  # fmt: skip


def end_spread(half_width: Floats | float, draws: Floats | int, level: float = 0.95) -> Floats:
    """Return the standard deviation that B draws leave in an end of a percentile interval of this half width.

    sd = sqrt(a(1 − a)/B)/f(q_a), with f the density of a normal distribution that has such an interval: half width
    divided by z is its standard deviation (docs/statistics/index.md, section 3).
    """
    tail = (1 - level) / 2
    z = scipy.stats.norm.isf(tail)
    return np.asarray(
        np.sqrt(tail * (1 - tail) / np.asarray(draws)) / scipy.stats.norm.pdf(z) * np.asarray(half_width) / z
    )


@dataclass(frozen=True)
class Draws(Experiment[DrawCurves]):
    """Measure how much percentile intervals vary between seeds."""

    total: int = option(
        100_000, "Resamples in all", "Split into bootstraps of each size.", low=2000, high=10_000_000, advanced=True
    )
    level: float = option(0.95, "Confidence", "Nominal coverage of the intervals.", low=0.5, high=0.9999)
    seed: int = same_option(Settings, "seed")
    unit: Unit = option("auto", "Unit", "The sampling unit.", advanced=True)
    sizes: tuple[int, ...] = (100, 500, 1000, 2000, 10_000)

    name = "draws"
    label = "Number of resamples"
    about = "How many resamples does an interval need until its ends hardly change?"
    paper = f"{ZHANG_VOGEL}, section 4.3, tables 5 and 6"

    def run(self, material: Material, executor: Executor | None = None) -> DrawCurves:
        """Resample once, and split the resamples into bootstraps of every size.

        Raises
        ------
        InvalidOption
            A size is more than half of the total number of resamples.
        """
        del executor  # one pass of the kernel
        check_level(self.level)
        if any(not 10 <= size <= self.total // 2 for size in self.sizes) or not self.sizes:
            raise InvalidOption(f"Numbers of resamples must be 10 to {self.total // 2}; found {list(self.sizes)}.")
        statistics = material.complete.at(self.unit)
        draws = np.empty((len(statistics.systems), self.total))
        totals_of = statistics.weighted()
        at = 0
        for weights in Bootstrap(self.total, self.seed, "segment").blocks(statistics.n):
            draws[:, at : at + len(weights)] = statistics.metric.score(totals_of(weights))
            at += len(weights)
        tails, sizes = [(1 - self.level) / 2, (1 + self.level) / 2], np.array(self.sizes)
        cuts = [draws[:, : self.total // size * size].reshape(len(draws), -1, size) for size in self.sizes]
        ends = [np.quantile(cut, tails, axis=-1) for cut in cuts]
        low, high = np.array([each[:, :, 0] for each in ends]).transpose(1, 0, 2)
        spread_low, spread_high = np.array([each.std(axis=-1, ddof=1) for each in ends]).transpose(1, 0, 2)
        whole = np.quantile(draws, tails, axis=-1)
        theory = end_spread((whole[1] - whole[0])[None] / 2, sizes[:, None], self.level)
        return DrawCurves(
            statistics.metric.name, statistics.systems, statistics.scores, sizes, np.array([c.shape[1] for c in cuts]),
            low, high, spread_low, spread_high, theory, self.level, statistics.unit,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Redraws(LabResult):
    """A system's scores on resamples, shape (b,), and its percentile interval (Zhang and Vogel 2004, figure 1)."""

    metric: str
    system: str
    score: float
    draws: Floats
    low: float
    high: float
    level: float

    @property
    def relative(self) -> tuple[float, float]:
        """The interval as Zhang and Vogel 2004 print it: how far its ends are from the median, in % of the median."""
        median = float(np.median(self.draws))
        return 100 * (self.low - median) / median, 100 * (self.high - median) / median

    def rows(self) -> list[dict[str, Any]]:
        (down, up), median = self.relative, float(np.median(self.draws))
        return records(
            metric=self.metric, system=self.system, score=self.score, median=median, low=self.low, high=self.high,
            relative_low=down, relative_high=up, draws=len(self.draws),
        )  # fmt: skip


def redraws(statistics: Statistics, system: str, scheme: Bootstrap, level: float = 0.95) -> Redraws:
    """Compute a system's scores on resamples, and their percentile interval.

    Raises
    ------
    UnknownName
        The system is unknown.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.lab import redraws
    >>> from mtsig.resampling import Bootstrap
    >>> redrawn = redraws(mtsig.measure(mtsig.read_sample(), "chrf"), "direct", Bootstrap(500))
    >>> redrawn.draws.shape, [round(end, 1) for end in (redrawn.low, redrawn.score, redrawn.high)]
    ((500,), [45.6, 47.4, 49.4])
    """
    draws = resample(statistics.select([system]), scheme).draws[0]
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    score = float(statistics.scores[statistics.row(system)])
    return Redraws(statistics.metric.name, system, score, draws, float(low), float(high), level)


FEWEST_DRAWS = 10
"""Of fewer draws no interval is made."""

_WEIGHTS, _PICKS, _DRAWS_PICKED = 300_000, 20_000, 20
"""Weights and picks that are kept; of many units, those of fewer draws."""

_FIRST, _SECOND = np.array([0]), np.array([1])


@dataclass(frozen=True, eq=False)
class Trace:
    """b draws one after the other; the difference favours the first system where it is positive.

    statistics: the two systems on the units that both have, n of them. observed: their difference. values: shape (b,),
    the difference at each draw. weights: shape (kept, n), what the first draws did with each unit: how often it was
    drawn, or whether its labels were exchanged; of many units, fewer draws are kept.
    """

    statistics: Statistics
    scheme: Scheme
    observed: float
    values: Floats
    weights: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Redrawn(Trace):
    """Test sets that are resampled with replacement.

    scores: shape (2, b), the scores of both systems. picks: shape (picked, n), the units of the first resamples in the
    order in which they were drawn. paired: whether both systems were scored on the same resamples.
    """

    distribution: Distribution
    picks: NDArray[np.int64]
    paired: bool = True

    @property
    def scores(self) -> Floats:
        """The scores of both systems, shape (2, b)."""
        return self.distribution.draws

    @cached_property
    def intervals(self) -> dict[int, tuple[float, float]]:
        """The 95% percentile interval by number of resamples."""
        ranked: list[float] = []
        ends = {}
        for draws, value in enumerate(self.values.tolist(), 1):
            insort(ranked, value)
            if draws >= FEWEST_DRAWS:
                ends[draws] = _quantile(ranked, (1 - 0.95) / 2), _quantile(ranked, (1 + 0.95) / 2)
        return ends


def _quantile(ranked: Sequence[float], share: float) -> float:
    """Return a quantile of sorted values as numpy interpolates it: sorting them anew at each draw takes long."""
    below, part = divmod(share * (len(ranked) - 1), 1)
    low, high = ranked[int(below)], ranked[min(int(below) + 1, len(ranked) - 1)]
    return low + part * (high - low) if part < 0.5 else high - (1 - part) * (high - low)


@dataclass(frozen=True, eq=False)
class Exchanged(Trace):
    """Labels exchanged at random.

    differing: shape (n,), on which units the two systems count differently: exchanging the others changes nothing.
    """

    differing: NDArray[np.bool_]

    @cached_property
    def beyond(self) -> NDArray[np.bool_]:
        """Which differences are at least as far from zero as the observed one; shape (b,)."""
        return count_extreme(self.values[:, None], np.full(len(self.values), self.observed)) > 0

    @cached_property
    def outcomes(self) -> Outcome:
        """(c + 1)/(R + 1) after each of R = 1, 2 … b draws, with its Monte Carlo interval; arrays of shape (b,)."""
        return counted(np.cumsum(self.beyond), np.arange(1, len(self.values) + 1))


@overload
def trace(statistics: Statistics, scheme: Bootstrap, pair: Pair) -> Redrawn: ...
@overload
def trace(statistics: Statistics, scheme: Swap, pair: Pair) -> Exchanged: ...


def trace(statistics: Statistics, scheme: Bootstrap | Swap, pair: Pair) -> Redrawn | Exchanged:
    """Return what the scheme's draws do to the difference of a pair, draw by draw."""
    shared = _shared(statistics, scheme, pair)
    sign = sign_of(shared.metric)
    observed = float(sign * (shared.scores[0] - shared.scores[1]))
    weights = _weights(scheme, shared.n)
    if isinstance(scheme, Swap):
        values = shuffle(shared, scheme, _FIRST, _SECOND)[0]
        return Exchanged(shared, scheme, observed, values, weights, differing_units(shared, _FIRST, _SECOND)[0])
    drawn = resample(shared, scheme)
    picks = scheme.picks(shared.n, min(_DRAWS_PICKED, max(1, _PICKS // shared.n)))
    return Redrawn(shared, scheme, observed, drawn.differences(_FIRST, _SECOND)[0], weights, drawn, picks)


def unpaired(statistics: Statistics, scheme: Bootstrap, pair: Pair) -> Redrawn:
    """Return redraws in which the second system has test sets of its own: for teaching only.

    Systems scored on the same units go up and down together. Draws that lose this make the difference look less certain
    than it is, so nothing else in the program draws so. The weights and picks are the first system's.
    """
    paired = trace(statistics, scheme, pair)
    other = resample(paired.statistics, replace(scheme, seed=scheme.seed ^ 1))
    drawn = replace(other, draws=np.stack([paired.scores[0], other.draws[1]]))
    return replace(paired, values=drawn.differences(_FIRST, _SECOND)[0], distribution=drawn, paired=False)


def _shared(statistics: Statistics, scheme: Scheme, pair: Pair) -> Statistics:
    """Return the statistics of the pair at the unit that is drawn."""
    shared = statistics.at(scheme.unit).shared_by(pair)
    if shared.n < FEWEST_UNITS:
        raise NotApplicable(f"A single {shared.unit} has no variance: at least {FEWEST_UNITS} are needed.")
    return shared


def _weights(scheme: Scheme, n: int) -> NDArray[np.int64]:
    """Return the weights of the first draws, as many as are kept of n units."""
    kept = min(scheme.n_draws, max(1, _WEIGHTS // n))
    blocks, total = scheme.blocks(n), 0
    rows: list[NDArray[np.int64]] = []
    while total < kept:
        rows.append(next(blocks)[: kept - total].astype(np.int64))
        total += len(rows[-1])
    return np.concatenate(rows)


Sampling = Literal["auto", "broad", "random"]
"""How test sets are taken: disjoint broad ones, or drawn with replacement; auto: broad ones if there are enough."""


@dataclass(frozen=True, eq=False)
class CoverageRates(LabResult):
    """Intervals of one system's score, or of a difference, on t test sets; arrays have shape (t,).

    against: the other system, where the intervals are of the difference of two. truth: the population's. rate_low,
    rate_high: 95% binomial interval of the coverage. p_value: how often at least as few sets, or as many, would miss if
    intervals missed just as often as they promise (binomial, two-sided).
    """

    metric: str
    system: str
    method: str
    level: float
    size: int
    truth: float
    estimate: Floats
    low: Floats
    high: Floats
    sampling: str
    against: str | None = None

    @property
    def target(self) -> str:
        """What the intervals are of, in words."""
        of = self.system if self.against is None else f"{self.system} − {self.against}"
        return f"{self.metric} of {of}"

    @property
    def covered(self) -> NDArray[np.bool_]:
        """Which intervals hold the truth."""
        return np.asarray((self.low <= self.truth) & (self.truth <= self.high))

    @property
    def sets(self) -> int:
        """How many test sets."""
        return len(self.estimate)

    @property
    def misses(self) -> int:
        """How many intervals do not hold the truth."""
        return int((~self.covered).sum())

    @property
    def rate(self) -> float:
        """The share of intervals that hold the truth."""
        return 1 - self.misses / self.sets

    @property
    def rate_low(self) -> float:
        """Lower end of the 95% interval of the coverage."""
        return self._rate_ends[0]

    @property
    def rate_high(self) -> float:
        """Upper end of the 95% interval of the coverage."""
        return self._rate_ends[1]

    @property
    def _rate_ends(self) -> tuple[float, float]:
        low, high = clopper_pearson(np.array([float(self.sets - self.misses)]), self.sets)
        return float(low[0]), float(high[0])

    @property
    def p_value(self) -> float:
        """Whether this many misses fit the level."""
        return float(scipy.stats.binomtest(self.misses, self.sets, 1 - self.level).pvalue)

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per test set."""
        return records(
            metric=self.metric, system=self.system, against=self.against, size=self.size,
            set=np.arange(1, self.sets + 1), score=self.estimate, low=self.low, high=self.high, truth=self.truth,
            covered=self.covered,
        )  # fmt: skip


@dataclass(frozen=True)
class Coverage(Experiment[CoverageRates]):
    """Measure the coverage of intervals on test sets from a population.

    against: a second system, for intervals of the difference, which is positive if `system` is better.
    """

    size: int = option(300, "Size", "Number of segments in a test set.", low=2, high=1_000_000)
    sets: int = option(100, "Test sets", "Maximum number of test sets.", low=10, high=100_000)
    interval: str = option("percentile", "Interval", "Method for the intervals.", choices=lambda: INTERVALS)
    level: float = option(0.95, "Confidence", "Nominal coverage of the intervals.", low=0.5, high=0.9999)
    n_resamples: int = option(1000, "Resamples", "Resamples for each interval.", low=10, high=1_000_000, advanced=True)
    sampling: Sampling = option("auto", "Sampling", "How test sets are taken from the population.", advanced=True)
    seed: int = same_option(Settings, "seed")
    system: str | None = None
    against: str | None = None

    name = "coverage"
    label = "Coverage of intervals"
    about = "How many small test sets have an interval that contains the score of all the data?"
    paper = f"{_material.KOEHN}, section 5, figure 6"

    def run(self, material: Material, executor: Executor | None = None) -> CoverageRates:
        """Compute the intervals, with several test sets per job.

        Raises
        ------
        NotApplicable
            A system is compared with itself, or there are too few segments.
        """
        check_level(self.level)
        system = self.system or next(name for name in material.first.best_first if name != self.against)
        systems = [system] if self.against is None else list(material.pair((system, self.against)))
        alone = Population(material.truth_of(systems).statistics.at("segment"))
        sampling = sampling_of(self.sampling, alone.size, self.size, self.sets)
        available = min(self.sets, alone.size // self.size) if sampling == "broad" else self.sets
        work = partial(self._intervals, alone, sampling)
        estimate, low, high = np.concatenate(done_in_order(work, batches(available, 20), executor), axis=1)
        truth = float(alone.truth[0]) if self.against is None else alone.true_difference(*systems)
        return CoverageRates(
            alone.statistics.metric.name, system, self.interval, self.level, self.size, truth, estimate, low, high,
            sampling, self.against,
        )  # fmt: skip

    def _intervals(self, population: Population, sampling: str, numbers: range) -> Floats:
        """Return estimate, low and high of the test sets of these numbers; shape (3, t)."""
        intervals = []
        for number in numbers:
            drawn = taken(population, sampling, self.size, number, self.seed)
            scores = Scores(drawn, Bootstrap(self.n_resamples, self.seed, "segment"))
            targets = scores if self.against is None else pairs_of(scores, [(drawn.systems[0], drawn.systems[1])])
            (low, high), _ = ends_of(targets, self.interval, self.level)
            intervals.append([targets.estimate[0], low[0], high[0]])
        return np.array(intervals).T


def sampling_of(chosen: Sampling, n: int, size: int, sets: int) -> Literal["broad", "random"]:
    """Return how test sets are taken: broad ones when asked for, or when the population has that many of them."""
    if chosen == "auto":
        return "broad" if n >= size * sets else "random"
    return chosen


def taken(population: Population, sampling: str, size: int, number: int, seed: int) -> Statistics:
    """Return one test set of a population."""
    if sampling == "broad":
        return _material.of_units(population.statistics, _material.broad(population.size, size)[number])
    return population.draw(size, number, seed)


BINS = (1.0, 0.99, 0.98, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5)


def binned(won: Floats, right: NDArray[np.bool_]) -> tuple[tuple[float, int, int], ...]:
    """Return for each bin its lower bound, and how many winners' shares fall into it and how many of them are right."""
    # With ties the winner can be ahead on less than half of the redraws: the last bin takes those too.
    place = np.searchsorted(-np.array(BINS[:-1]), -(won + 1e-12), side="left")
    return tuple(
        (bound, int(np.sum(place == number)), int(right[place == number].sum())) for number, bound in enumerate(BINS)
    )


"""Lower bounds of the win-rate bins of Koehn 2004, table 4."""

_NUMBERS = 2**23
"""Totals held at a time while test sets are redrawn together."""


@dataclass(frozen=True, eq=False)
class ConclusionRates(LabResult):
    """Win rates of m pairs on the test sets of z sizes.

    wins: for each size an array (m, t), the share of redraws on which the truly better system is ahead; ties are what
    is left beside losses. losses: likewise. difference: shape (m,), the true differences, positive: pairs name the
    truly better system first. error: shape (m, z), the standard error of a difference on sets of each size, from the
    infinitesimal jackknife on the whole population.
    level: a winner on this share of redraws or more is "concluded" to be better.
    """

    metric: str
    pairs: tuple[Pair, ...]
    sizes: tuple[int, ...]
    difference: Floats
    error: Floats
    wins: tuple[Floats, ...]
    losses: tuple[Floats, ...]
    level: float
    sampling: str

    @property
    def total(self) -> int:
        """How many pairs of systems on test sets were judged (Koehn 2004: 4140)."""
        return sum(wins.size for wins in self.wins)

    @property
    def right(self) -> Floats:
        """Share of test sets with a right conclusion at the level; shape (m, z)."""
        return np.array([np.mean(wins >= self.level - 1e-12, axis=1) for wins in self.wins]).T

    @property
    def wrong(self) -> Floats:
        """Share of test sets with a wrong one; shape (m, z)."""
        return np.array([np.mean(losses >= self.level - 1e-12, axis=1) for losses in self.losses]).T

    @property
    def predicted(self) -> Floats:
        """What normal theory says of `right`: Φ(d/SE − z_level); shape (m, z)."""
        return self._beyond(self.difference)

    @property
    def predicted_wrong(self) -> Floats:
        """What normal theory says of `wrong`: Φ(−d/SE − z_level); shape (m, z)."""
        return self._beyond(-self.difference)

    def _beyond(self, difference: Floats) -> Floats:
        """Return Φ(d/SE − z_level): 0 or 1 where nothing varies."""
        there = np.where(difference > 0, np.inf, -np.inf)[:, None] + np.zeros_like(self.error)
        apart = np.divide(difference[:, None], self.error, out=there, where=self.error > 0)
        return np.asarray(scipy.stats.norm.cdf(apart - scipy.stats.norm.ppf(self.level)))

    def by_win_rate(self) -> tuple[tuple[float, int, int], ...]:
        """Return for each bin of table 4 its lower bound, how many conclusions fall into it and how many are right.

        A test set on which no system is ahead on more redraws than the other concludes nothing and is in no bin.
        """
        wins = np.concatenate([win.ravel() for win in self.wins])
        losses = np.concatenate([loss.ravel() for loss in self.losses])
        return binned(np.maximum(wins, losses)[wins != losses], (wins > losses)[wins != losses])

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per pair and size."""
        better, worse = zip(*self.pairs, strict=True)
        return records(
            metric=self.metric, better=upright(better), worse=upright(worse),
            true_difference=upright(self.difference), size=self.sizes, sets=[wins.shape[1] for wins in self.wins],
            right=self.right, wrong=self.wrong, right_predicted=self.predicted, wrong_predicted=self.predicted_wrong,
        )  # fmt: skip

    def summaries(self) -> dict[str, list[dict[str, Any]]]:
        """Return the bins of table 4."""
        bins = [
            {"win_rate_from": bound, "conclusions": count, "right": right, "share": right / count if count else None}
            for bound, count, right in self.by_win_rate()
        ]
        return {"Conclusions by win rate": bins}


@dataclass(frozen=True)
class Conclusions(Experiment[ConclusionRates]):
    """Count correct and wrong conclusions of bootstraps on small test sets."""

    n_resamples: int = option(1000, "Resamples", "Number of resamples of each test set.", low=10, high=1_000_000)
    level: float = option(0.95, "Win rate", "Lowest win rate that counts as a conclusion.", low=0.5, high=0.9999)
    sampling: Sampling = option("auto", "Sampling", "How test sets are taken from the population.", advanced=True)
    seed: int = same_option(Settings, "seed")
    sizes: tuple[int, ...] = (100, 300, 600, 3000)
    sets: tuple[int, ...] = (300, 100, 50, 10)
    pairs: tuple[Pair, ...] | None = None

    name = "conclusions"
    label = "Conclusions from small test sets"
    about = "How often does a paired bootstrap on a small test set conclude correctly, wrongly, or not at all?"
    paper = f"{_material.KOEHN}, sections 6 and 7, figures 7 and 8, tables 3 and 4"

    def run(self, material: Material, executor: Executor | None = None) -> ConclusionRates:
        """Resample all test sets of a size with the same weights, with one size per job.

        Raises
        ------
        NotApplicable
            The population is too small for the requested number of broad test sets.
        """
        if len(self.sizes) != len(self.sets) or not self.sizes:
            raise InvalidOption(
                f"Each size needs a number of test sets; found {len(self.sizes)} sizes and {len(self.sets)} numbers."
            )
        if min(self.sizes) < 2 or min(self.sets) < 1:
            raise InvalidOption(
                "Test sets need at least 2 segments, and each size at least one test set; found sizes "
                f"{list(self.sizes)} and {list(self.sets)} sets."
            )
        population = material.truth
        statistics = population.statistics.at("segment")
        pairs = self._pairs(population)
        samplings = [
            sampling_of(self.sampling, statistics.n, *sizing) for sizing in zip(self.sizes, self.sets, strict=True)
        ]
        jobs = list(zip(self.sizes, self.sets, samplings, strict=True))
        wins, losses = zip(*done_in_order(partial(self._win_rates, population, pairs), jobs, executor), strict=True)
        influence = statistics.influence
        whole = np.array([
            jackknife_error(influence[statistics.row(x)] - influence[statistics.row(y)]) for x, y in pairs
        ])  # fmt: skip
        difference = np.array([population.true_difference(*pair) for pair in pairs])
        error = whole[:, None] * np.sqrt(statistics.n / np.array(self.sizes))
        how, metric = samplings[0] if len(set(samplings)) == 1 else "mixed", statistics.metric.name
        return ConclusionRates(metric, pairs, self.sizes, difference, error, wins, losses, self.level, how)

    def _pairs(self, population: Population) -> tuple[Pair, ...]:
        """Return the pairs, the truly better system first; all pairs when none are chosen."""
        chosen = self.pairs or tuple(combinations(several(population.statistics).best_first, 2))
        return tuple((x, y) if population.true_difference(x, y) >= 0 else (y, x) for x, y in chosen)

    def _win_rates(self, population: Population, pairs: Sequence[Pair], job: tuple[int, int, str]) -> Floats:
        """Return wins and losses of the pairs on so many test sets of a size, given as a job; shape (2, m, t)."""
        (size, sets, sampling), statistics = job, population.statistics
        first, second = np.array([[statistics.row(name) for name in pair] for pair in pairs]).T
        counts = np.zeros((2, len(pairs), sets))
        weights = list(Bootstrap(self.n_resamples, self.seed, "segment").blocks(size))
        # As many test sets at a time as fit in memory.
        step = max(1, _NUMBERS // (statistics.values[..., 0].size * max(256, size)))
        for start in range(0, sets, step):
            numbers = range(start, min(sets, start + step))
            values = np.stack([taken(population, sampling, size, n, self.seed).values for n in numbers], axis=2)
            observed = statistics.metric.score(values.sum(axis=-1, dtype=np.float64))
            slack = tolerance(observed[first] - observed[second])[..., None]
            totals_of = WeightedSums(values)
            for block in weights:
                scores = statistics.metric.score(totals_of(block))
                differences = sign_of(statistics.metric) * (scores[first] - scores[second])
                for row, ahead in enumerate((differences > slack, differences < -slack)):
                    counts[row, :, start : numbers.stop] += np.count_nonzero(ahead, axis=-1)
        return counts / self.n_resamples
