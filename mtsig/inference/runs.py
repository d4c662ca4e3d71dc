"""Several runs per system (STATISTICS.md, section 5): is the difference larger than the luck of a run?"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from mtsig.errors import NotApplicable, UnknownName
from mtsig.inference.corrections import Holm
from mtsig.inference.intervals import check_level
from mtsig.metrics import Statistics, Unit
from mtsig.notebook import Shown
from mtsig.resampling import sign_of

Floats = NDArray[np.float64]

_RUN = re.compile(r"(?P<system>.+)[._-](?:run|opt|seed)[._-]?\d+", re.IGNORECASE)


def runs_by_name(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return system -> its runs, from names such as X.run1, X.opt0 or X.seed3; a name of another form is one run.

    >>> runs_by_name(["A.opt0", "A.opt1", "B"])
    {'A': ('A.opt0', 'A.opt1'), 'B': ('B',)}
    """
    found: dict[str, list[str]] = {}
    for name in names:
        match = _RUN.fullmatch(name)
        found.setdefault(match["system"] if match else name, []).append(name)
    return {system: tuple(runs) for system, runs in found.items()}


@dataclass(frozen=True)
class RunComparison(Shown):
    """The difference of two systems' mean scores over runs, with two sources of variance.

    difference: positive when the first system is better. segments: variance from the units; runs: from the runs;
    overlap: what is counted in both and taken off once. df: Satterthwaite's. p_adjusted: Holm's, where `of`
    comparisons are judged together.
    """

    metric: str
    first: str
    second: str
    first_runs: int
    second_runs: int
    difference: float
    low: float
    high: float
    p_value: float
    df: float
    segments: float
    runs: float
    overlap: float
    level: float
    units: int
    unit: str
    p_adjusted: float = float("nan")
    of: int = 1
    decimals: int = 2

    @property
    def significant(self) -> bool:
        """Whether the corrected p-value is at most 1 − level; False where there is none."""
        return self.p_adjusted <= 1 - self.level + 1e-12

    @property
    def variance(self) -> float:
        """The variance of the difference: segments + runs − overlap, at least the larger of the two."""
        return max(self.segments + self.runs - self.overlap, self.segments, self.runs)

    @property
    def run_share(self) -> float:
        """How much of the variance the runs make."""
        return self.runs / self.variance if self.variance > 0 else float("nan")

    def row(self) -> dict[str, Any]:
        """Return the comparison as one record."""
        return {
            "metric": self.metric, "first": self.first, "second": self.second, "first_runs": self.first_runs,
            "second_runs": self.second_runs, "difference": self.difference, "low": self.low, "high": self.high,
            "p_value": self.p_value, "p_adjusted": self.p_adjusted, "of": self.of, "df": self.df,
            "variance_segments": self.segments, "variance_runs": self.runs,
            "variance_overlap": self.overlap, "run_share": self.run_share, "units": self.units, "unit": self.unit,
        }  # fmt: skip


def compare_runs(
    statistics: Statistics,
    first: str,
    second: str,
    runs: Mapping[str, Sequence[str]] | None = None,
    *,
    level: float = 0.95,
    unit: Unit = "auto",
) -> RunComparison:
    """Return the two-component interval and test of the expected difference of two systems over segments and runs.

    Args:
        statistics: of all runs, each measured as a system of its own.
        first: the name of a system in `runs`.
        second: the name of another.
        runs: system -> its runs; guessed from the names of the runs when None.
        level: coverage.
        unit: what the units are.

    Raises:
        UnknownName: no such system or run.
        NotApplicable: a system has one run only: the spread between runs cannot be told from one.
    """
    check_level(level)
    statistics = statistics.at(unit)
    mapping = {name: tuple(names) for name, names in (runs or runs_by_name(statistics.systems)).items()}
    for name in (first, second):
        if name not in mapping:
            raise UnknownName(f"There is no system with runs called {name!r}. Known: {', '.join(mapping)}.")
        if len(mapping[name]) < 2:
            raise NotApplicable(
                f"System {name!r} has one run only, so the spread between its runs is unknown. Give at least two runs, "
                "named X.run1, X.run2 …, or compare single runs and say that the result speaks of these runs alone."
            )
    if first == second:
        raise NotApplicable(f"System {first!r} cannot be compared with itself.")
    used = (*mapping[first], *mapping[second])
    if len(set(used)) < len(used):
        twice = next(name for name in used if used.count(name) > 1)
        raise NotApplicable(f"The run {twice!r} is counted twice; every run belongs to one system, once.")
    statistics = statistics.shared_by(used)
    sides = [_pseudo_values(statistics, mapping[name]) for name in (first, second)]
    sign, n = sign_of(statistics.metric), statistics.n
    means = [side.mean(axis=1) for side in sides]
    gaps = sides[0].mean(axis=0) - sides[1].mean(axis=0)
    segments = float(gaps.var(ddof=1) / n)
    by_runs = [float(mean.var(ddof=1) / len(mean)) for mean in means]
    overlap = sum(_residual(side) / (n * len(side)) for side in sides)
    total = max(segments + sum(by_runs) - overlap, segments, sum(by_runs))
    difference = sign * float(means[0].mean() - means[1].mean())
    below = segments**2 / (n - 1) + sum(v**2 / (len(m) - 1) for v, m in zip(by_runs, means, strict=True))
    df = total**2 / below if below > 0 else float("inf")
    error = float(np.sqrt(total))
    half = float(stats.t.ppf((1 + level) / 2, df)) * error
    p = float(2 * stats.t.sf(abs(difference) / error, df)) if error > 0 else (1.0 if difference == 0 else float("nan"))
    return RunComparison(
        statistics.metric.name, first, second, len(means[0]), len(means[1]), difference, difference - half,
        difference + half, p, df, segments, sum(by_runs), overlap, level, n, statistics.unit, p,
        decimals=statistics.metric.decimals,
    )  # fmt: skip


def judge_runs(found: Sequence[RunComparison]) -> list[RunComparison]:
    """Return the comparisons with p-values corrected by Holm for all of them: several metrics, or several pairs.

    A comparison without a p-value (NaN) stays in the family, as if it were 1.
    """
    p = np.array([one.p_value for one in found])
    lost = np.isnan(p)
    adjusted = np.where(lost, np.nan, Holm().adjusted(np.where(lost, 1.0, p)))
    return [replace(one, p_adjusted=float(a), of=len(found)) for one, a in zip(found, adjusted, strict=True)]


def _pseudo_values(statistics: Statistics, runs: Sequence[str]) -> Floats:
    """Return y_ri = f_r + n·u_ri, shape (r, n): a number per run and unit; a run's mean is its score."""
    rows = [statistics.row(run) for run in runs]
    influence = statistics.influence[rows]
    if np.isnan(influence).any():
        raise NotApplicable("The score has no derivative here: some n-gram order has no match.")
    return statistics.scores[rows][:, None] + statistics.n * influence


def _residual(values: Floats) -> float:
    """Return the mean square of run × unit, values (r, n) less their row and column means."""
    r, n = values.shape
    rest = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    return float(np.square(rest).sum() / ((r - 1) * (n - 1)))
