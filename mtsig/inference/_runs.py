"""Several runs per system: whether a difference exceeds the variation between runs.

The variance components are defined in docs/statistics/runs.md, section 1; p-value and interval in section 2. With two
or three runs, the variance between runs is poorly estimated. A t test with Satterthwaite's degrees of freedom treats it
as nearly known; its false-positive rate is up to .14 at .05 if only one system's runs vary. Therefore the variances are
drawn at random.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import nan
from typing import Any

import numpy as np
import scipy

from mtsig._memory import remembered
from mtsig._options import expect_arguments
from mtsig._probability import Tails, check_level, clopper_pearson, count_extreme, monte_carlo_p
from mtsig._records import Floats
from mtsig._results import Tabled
from mtsig.corpus import Note
from mtsig.corpus._notes import runs_by_name
from mtsig.errors import NotApplicable, UnknownName
from mtsig.inference._corrections import SLACK, Holm, adjusted_ends
from mtsig.inference._fields import Decided, PairEstimate, PairP
from mtsig.inference._targets import Doubt, Scores, cautions, df_of, doubts, order_facts
from mtsig.metrics import Statistics
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import Unit, expect_statistics
from mtsig.metrics._sums import FEWEST_UNITS
from mtsig.resampling import Bootstrap, Purpose, Words

FEW_RUNS = 3
"""Up to so many runs of a system a comparison carries a warning."""

SAMPLED = "Samples are not runs, and runs with several samples each are not supported. Use mtsig compare for samples."
"""What is said of systems with several outputs per segment."""

_BLOCK = 2**16
"""Draws that are made at a time; each block has a stream of its own, so this is part of the definition."""


_ROW = (
    "metric", "signature", "first", "second", "first_runs", "second_runs", "difference", "ci_low", "ci_high",
    "p_value", "p_mc_low", "p_mc_high", "p_adjusted", "p_adjusted_mc_low", "p_adjusted_mc_high", "adjusted_ci_low",
    "adjusted_ci_high", "adjusted_level", "family_size", "significant", "df", "first_run_variance",
    "second_run_variance", "variance_segments", "variance_runs", "variance_overlap", "run_share", "units", "units_df",
    "unit", "data_caveat", "data_caveat_id", "documents", "order_segments", "order_z", "level", "n_resamples", "seed",
    "first_outputs", "second_outputs", "verdict", "winner", "withheld_reason", "caution",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class RunComparison(PairP, PairEstimate, Decided, Tabled):
    """The difference of two systems' mean scores over several runs.

    difference: positive if the first system is better. first_outputs, second_outputs: the runs of each system.
    first_run_variance, second_run_variance: variance of a system's scores over runs, s² with r − 1 degrees of freedom.
    variance_segments: variance of the difference due to units, with `units_df` degrees of freedom. variance_runs:
    variance due to runs. variance_overlap: variance counted in both, subtracted once. df: Satterthwaite's degrees of
    freedom, not used for p. p_value: fiducial, from `n_resamples` draws with this `seed`. p_mc_low, p_mc_high: its 95%
    Monte Carlo interval. p_adjusted, p_adjusted_mc_low, p_adjusted_mc_high: the same after Holm, for `family_size`
    comparisons. adjusted_ci_low, adjusted_ci_high: the interval at adjusted_level; it excludes 0 exactly if the
    corrected p is at most alpha. farthest: the draws behind this interval. data_caveat: why the data allow no verdict;
    "" if they allow one. documents, order_segments, order_z: as in `Comparison`. of_data: remarks on the counts and the
    units.
    """

    first_outputs: tuple[str, ...]
    second_outputs: tuple[str, ...]
    df: float
    variance_segments: float
    first_run_variance: float
    second_run_variance: float
    variance_overlap: float
    level: float
    n_resamples: int
    seed: int
    units: int
    units_df: float
    unit: str
    family_size: int = 1
    adjusted_ci_low: float = nan
    adjusted_ci_high: float = nan
    adjusted_level: float = nan
    farthest: Tails | None = field(default=None, repr=False, compare=False)
    is_quality_metric: bool = True
    decimals: int = 2
    data_caveat: str = ""
    data_caveat_id: str = ""
    documents: float = nan
    order_segments: float = nan
    order_z: float = nan
    of_data: tuple[Note, ...] = ()

    @property
    def first_runs(self) -> int:
        """Number of runs of the first system."""
        return len(self.first_outputs)

    @property
    def second_runs(self) -> int:
        """Number of runs of the second system."""
        return len(self.second_outputs)

    @property
    def alpha(self) -> float:
        """The error rate α = 1 − level."""
        return 1 - self.level

    @property
    def settled(self) -> bool:
        """Whether corrected p and alpha differ by more than the Monte Carlo error."""
        return not self.p_adjusted_mc_low <= self.alpha < self.p_adjusted_mc_high

    @property
    def significant(self) -> bool | None:
        """Whether corrected p is at most alpha; None if p does not decide it."""
        if np.isnan(self.p_adjusted) or not self.settled:
            return None
        return self.p_adjusted <= self.alpha + SLACK

    @property
    def variance_runs(self) -> float:
        """Variance of the difference due to runs."""
        return self.first_run_variance / self.first_runs + self.second_run_variance / self.second_runs

    @property
    def variance(self) -> float:
        """Variance: segments + runs − overlap, at least the larger of the two.

        It is NaN if there is only one unit.
        """
        return _total(self.variance_segments, self.variance_runs, self.variance_overlap)

    @property
    def run_share(self) -> float:
        """Share of the variance that is due to runs."""
        return self.variance_runs / self.variance if self.variance > 0 else float("nan")

    @property
    def notes(self) -> tuple[Note, ...]:
        """Remarks on the data, and on a small number of runs."""
        return (*self.of_data, *self.few_runs)

    @property
    def few_runs(self) -> tuple[Note, ...]:
        """The warning that is given if a system has only two or three runs."""
        counts = {self.first: self.first_runs, self.second: self.second_runs}
        few = " and ".join(f"{name} has {n} runs" for name, n in counts.items() if n <= FEW_RUNS)
        if not few:
            return ()
        if min(counts.values()) == 2:
            said = "two runs can show only very large differences; use at least 3 runs, or better 5."
        else:
            said = "three runs miss many differences that five runs would show; use 5 runs."
        return (Note("warning", f"{few}: {said}"),)

    def row(self) -> dict[str, Any]:
        """Return the comparison as one record, with all that is needed to reproduce it."""
        return {name: getattr(self, name) for name in _ROW}


def compare_runs(
    statistics: Statistics, first: str, second: str, runs: Mapping[str, Sequence[str]] | None = None, *,
    level: float = 0.95, unit: Unit = "auto", n_resamples: int = 10_000, seed: int = 12345,
) -> RunComparison:  # fmt: skip
    """Compare two systems over several training runs each, and over segments.

    Parameters
    ----------
    statistics : Statistics
        Statistics of all runs, with each run measured as a system.
    first, second : str
        Two keys of `runs`, or two names found from run names.
    runs : dict of list of str, optional
        Names of each system's runs; by default they are found from names such as "A.run1".
    level : float, default 0.95
        Coverage of the interval.
    unit : {"auto", "segment", "block", "document"}
        The sampling unit, as in `Settings`.
    n_resamples : int, default 10,000
        Number of draws of the variances and the difference.
    seed : int, default 12345
        The same seed gives the same numbers.

    Returns
    -------
    comparison : RunComparison
        The difference of expected scores with its interval, p-value and both variance components. Pass it to `verdict`.

    Raises
    ------
    UnknownName
        There is no system or run of that name.
    InvalidOption
        The level, n_resamples or seed is out of range.
    NotApplicable
        A system has only one run, so the variance between runs is unknown.

    Notes
    -----
    1. The variance of the difference has one component for segments and one for the runs of each system. Each component
       is estimated with its own degrees of freedom.
    2. The p-value is fiducial: the share of draws in which |z|·√V* is at least the observed |difference|. Here z is
       standard normal, and in V* each variance component is its estimate times df/χ²_df. With two components, this is
       the Behrens–Fisher solution (docs/statistics/runs.md, section 2).
    3. The interval excludes 0 exactly if p ≤ 1 − level. It is NaN if there are too few draws for such a small p.

    Examples
    --------
    >>> import mtsig
    >>> rng = np.random.default_rng(1)
    >>> runs = {f"{name}.run{i}": rng.normal(mean, 1, 200) for name, mean in (("A", 0.5), ("B", 0)) for i in range(4)}
    >>> statistics = mtsig.measure(runs, name="comet")
    >>> mtsig.verdict(mtsig.compare_runs(statistics, "A", "B")).winner
    'A'
    """
    expect_statistics(statistics)
    expect_arguments(compare_runs, locals())
    check_level(level)
    scheme = Bootstrap(n_resamples, seed, unit)
    if statistics.samples is not None:
        raise NotApplicable(SAMPLED)
    statistics = statistics.at(unit)
    used = _runs_of(statistics, first, second, runs)
    statistics = statistics.shared_by((*used[0], *used[1]))
    sides = [_pseudo_values(statistics, names) for names in used]
    sign, n = sign_of(statistics.metric), statistics.n
    means = [side.mean(axis=1) for side in sides]
    difference = sign * float(means[0].mean() - means[1].mean())
    gaps = sides[0].mean(axis=0) - sides[1].mean(axis=0)
    first_variance, second_variance = (float(mean.var(ddof=1)) for mean in means)
    parts = _Parts(
        (float(gaps.var(ddof=1)) if len(gaps) >= FEWEST_UNITS else float("nan")) / n,
        df_of(statistics),
        (first_variance / len(used[0]), second_variance / len(used[1])),
        (len(used[0]) - 1, len(used[1]) - 1),
        sum(_residual(side) / (n * len(side)) for side in sides),
    )
    p, p_mc_low, p_mc_high, half, farthest = _judged(parts, difference, level, n_resamples, seed)
    doubt = _doubt(statistics, used, scheme)
    made: dict[str, Any] = {
        "metric": statistics.metric.name, "signature": statistics.signature, "first": first, "second": second,
        "first_outputs": used[0], "second_outputs": used[1], "difference": difference,
        "ci_low": difference - half, "ci_high": difference + half,
        "p_value": p, "p_mc_low": p_mc_low, "p_mc_high": p_mc_high,
        "p_adjusted": p, "p_adjusted_mc_low": p_mc_low, "p_adjusted_mc_high": p_mc_high,
        "df": parts.satterthwaite, "variance_segments": parts.segments, "variance_overlap": parts.overlap,
        "first_run_variance": first_variance, "second_run_variance": second_variance,
        "level": level, "n_resamples": n_resamples, "seed": seed,
        "units": n, "units_df": parts.units_df, "unit": statistics.unit,
        "is_quality_metric": statistics.metric.is_quality_metric, "decimals": statistics.metric.decimals,
        "data_caveat": doubt.said, "data_caveat_id": doubt.of,
        "of_data": (*statistics.notes, *(cautions(Scores(statistics, scheme)) if n >= FEWEST_UNITS else ())),
        "farthest": farthest, **order_facts(statistics),
    }  # fmt: skip
    return correct_runs([RunComparison(**made)])[0]


def _doubt(statistics: Statistics, used: tuple[tuple[str, ...], tuple[str, ...]], scheme: Bootstrap) -> Doubt:
    """Return why no verdict can be given on these runs, whatever the p-value; empty where one can."""
    if statistics.n < FEWEST_UNITS:
        return Doubt(f"one {statistics.unit} alone shows no variation", "one unit")
    for runs in used:
        for first, second in combinations(runs, 2):
            # A copy is the same draw of luck once more: the spread between runs would be taken for too small.
            if np.array_equal(
                statistics.values[:, statistics.row(first)], statistics.values[:, statistics.row(second)]
            ):
                said = (
                    f"{first} and {second} are the same in every {statistics.unit}; copies of one output are not runs"
                )
                return Doubt(said, "copies")
    kin = next((kinship.kin for kinship in statistics.kinships if kinship.kin.system in (*used[0], *used[1])), None)
    (counted, *_) = doubts(Scores(statistics, scheme))
    if kin and not counted.said:
        return Doubt(f"{kin.fact}, and runs are not tested without that reference", "reference")
    return counted


def correct_runs(comparisons: Sequence[RunComparison]) -> list[RunComparison]:
    """Return the comparisons corrected together by Holm; an undefined p-value counts as 1."""
    raw, low, high = (
        np.array([getattr(one, f"p_{end}") for one in comparisons]) for end in ("value", "mc_low", "mc_high")
    )
    p = _holm(raw)
    alpha = comparisons[0].alpha if comparisons else 0.0
    levels = Holm().levels(raw, p, alpha)
    half = [
        one.ci_high - one.difference if one.farthest is None else one.farthest.reached_by(np.array([level]))[0]
        for one, level in zip(comparisons, levels, strict=True)
    ]
    difference = np.array([one.difference for one in comparisons])
    ends = adjusted_ends(difference, np.array(half), p <= alpha + SLACK, levels)
    columns = {
        "p_adjusted": p, "p_adjusted_mc_low": _holm(low), "p_adjusted_mc_high": _holm(high),
        "adjusted_ci_low": ends.low, "adjusted_ci_high": ends.high, "adjusted_level": ends.level,
    }  # fmt: skip
    return [
        one.changed(**{name: float(column[i]) for name, column in columns.items()}, family_size=len(comparisons))
        for i, one in enumerate(comparisons)
    ]


def _holm(p: Floats) -> Floats:
    lost = np.isnan(p)
    return np.where(lost, np.nan, Holm().adjusted(np.where(lost, 1.0, p)))


@dataclass(frozen=True)
class _Parts:
    """The parts of the variance of a difference, each with its degrees of freedom; `runs` has one for each system."""

    segments: float
    units_df: float
    runs: tuple[float, float]
    runs_df: tuple[int, int]
    overlap: float

    @property
    def varies(self) -> bool:
        return max(self.segments, sum(self.runs)) > 0

    @property
    def known(self) -> bool:
        """Whether there are units enough to know their spread at all."""
        return not np.isnan(self.segments)

    @property
    def satterthwaite(self) -> float:
        """The degrees of freedom of the sum; infinite where nothing varies, NaN on one unit alone."""
        if not self.known:
            return float("nan")
        total = _total(self.segments, sum(self.runs), self.overlap)
        below = self.segments**2 / self.units_df + sum(v**2 / df for v, df in zip(self.runs, self.runs_df, strict=True))
        return total**2 / below if below > 0 else float("inf")

    def drawn(self, draws: int, seed: int) -> Floats:
        """Return |z|·√V* of every draw, shape (draws,)."""
        # In a fixed order of the two systems: turning a pair round turns its numbers round, to the digit.
        (a_df, a), (b_df, b) = sorted(zip(self.runs_df, self.runs, strict=True))
        far = []
        for block in range(-(-draws // _BLOCK)):
            rows = min(_BLOCK, draws - block * _BLOCK)
            z, units, first, second = _luck(seed, block, rows, self.units_df, a_df, b_df)
            segments, runs = self.segments * units, a * first + b * second
            far.append(z * np.sqrt(np.maximum(np.maximum(segments + runs - self.overlap, segments), runs)))
        return np.concatenate(far)


def _judged(
    parts: _Parts, difference: float, level: float, draws: int, seed: int
) -> tuple[float, float, float, float, Tails | None]:
    """Return the p-value, the ends of what drawing leaves open, half of the interval, and the farthest draws."""
    if not (parts.known and parts.varies):
        # The same everywhere is no difference; a difference without any spread has nothing to be held against.
        p, half = (1.0, 0.0) if parts.known and difference == 0 else (float("nan"), float("nan"))
        return p, p, p, half, None
    far = parts.drawn(draws, seed)
    extreme = count_extreme(far[None], np.array([difference]))
    low, high = clopper_pearson(extreme.astype(np.float64), draws)
    # (c + 1)/(R + 1) ≤ α holds while the k-th largest draw, k = ⌊α(R + 1)⌋, falls short of the difference.
    k = int((1 - level) * (draws + 1) + 1e-9)
    half = float(np.partition(far, draws - k)[draws - k]) if k else float("nan")
    farthest = Tails.of(far[None], np.array([difference]), "two-sided", False, 1 - level)
    return float(monte_carlo_p(extreme, draws)[0]), float(low[0]), float(high[0]), half, farthest


@remembered(most=8)
def _luck(seed: int, block: int, rows: int, units_df: float, first_df: int, second_df: int) -> tuple[Floats, ...]:
    """Return |z|, and df/χ²_df for the units and the runs of each system, shape (rows,) each.

    A draw is a row of four words, and fewer draws are a prefix of more. Chi-squares by inversion: other degrees of
    freedom map the same words, so neighbouring cases do not differ by luck.
    """
    chance = Words(seed, block, Purpose.RUNS).uniform(rows, 4).T
    result = (np.abs(scipy.special.ndtri(chance[0])), *map(_inverse, (units_df, first_df, second_df), chance[1:]))
    for values in result:
        values.setflags(write=False)  # they are shared
    return result


def _inverse(df: float, chance: Floats) -> Floats:
    return np.asarray(df / (2 * scipy.special.gammaincinv(df / 2, chance)), dtype=np.float64)


def _runs_of(
    statistics: Statistics, first: str, second: str, runs: Mapping[str, Sequence[str]] | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the runs of both systems."""
    mapping = {name: tuple(names) for name, names in (runs or runs_by_name(statistics.systems)).items()}
    for name in (first, second):
        if name not in mapping:
            raise UnknownName(f"There is no system with runs called {name!r}. Known: {', '.join(mapping)}.")
        if len(mapping[name]) < 2:
            raise NotApplicable(
                f"System {name!r} has only one run, so the variation between its runs is unknown. Give at least two "
                "runs (X.run1, X.run2 …). Or compare single runs, and state that the result applies to these runs only."
            )
    if first == second:
        raise NotApplicable(f"System {first!r} cannot be compared with itself.")
    used = (*mapping[first], *mapping[second])
    if len(set(used)) < len(used):
        twice = next(name for name in used if used.count(name) > 1)
        raise NotApplicable(f"The run {twice!r} is given twice; every run belongs to exactly one system.")
    return mapping[first], mapping[second]


def _pseudo_values(statistics: Statistics, runs: Sequence[str]) -> Floats:
    """Return y_ri = f_r + n·u_ri, shape (r, n): a number per run and unit; a run's mean is its score."""
    rows = [statistics.row(run) for run in runs]
    influence = statistics.influence[rows]
    if np.isnan(influence).any():
        raise NotApplicable("The jackknife is undefined here: some n-gram order has no match.")
    return statistics.scores[rows][:, None] + statistics.n * influence


def _total(segments: float, runs: float, overlap: float) -> float:
    """Return the variance that parts make together; NaN where that of the segments is not known."""
    return float("nan") if np.isnan(segments) else max(segments + runs - overlap, segments, runs)


def _residual(values: Floats) -> float:
    """Return the mean square of run × unit, values (r, n) less their row and column means."""
    r, n = values.shape
    if n < FEWEST_UNITS:
        return float("nan")
    rest = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    return float(np.square(rest).sum() / ((r - 1) * (n - 1)))
