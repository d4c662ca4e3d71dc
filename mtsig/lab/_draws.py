"""Draws: how many an interval takes, and the steps by which a resample or an exchange is made."""

from bisect import insort
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, overload

import numpy as np
import scipy
from numpy.typing import NDArray

from mtsig._probability import check_level, count_extreme
from mtsig._records import Floats
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference import Outcome
from mtsig.inference._significance import counted
from mtsig.lab._material import ZHANG_VOGEL, Experiment, LabResult, Material, Pair, records, upright
from mtsig.metrics import Statistics
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import Unit
from mtsig.metrics._sums import FEWEST_UNITS
from mtsig.options import option
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
    level: float = option(0.95, "Confidence", "Coverage of the intervals.", low=0.5, high=0.9999)
    seed: int = option(12345, "Seed", "The same seed gives the same draws.", low=0, high=2**53 - 1, advanced=True)
    unit: Unit = option("auto", "Unit", "The sampling unit.", advanced=True)
    sizes: tuple[int, ...] = (100, 500, 1000, 2000, 10_000)

    name = "draws"
    label = "Number of resamples"
    about = "How many resamples does an interval need before its ends stop moving?"
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
