"""Every pair: the p-values of every test, and which share of pairs a metric separates."""

from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from mtsig._records import Floats
from mtsig.inference import Settings
from mtsig.inference._targets import Scores, pairs_of
from mtsig.lab import _material
from mtsig.lab._material import Experiment, LabResult, Material, Pair, common_systems, records, several, upright
from mtsig.metrics._statistics import Unit
from mtsig.options import option
from mtsig.progress import each
from mtsig.resampling import Bootstrap

BETWEEN = (0.0005, 0.5)
"""p-values of randomization between which ratios are formed: below, drawing error rules; above, p is bounded by 1."""


@dataclass(frozen=True, eq=False)
class EveryTestPs(LabResult):
    """p-values of t tests on m pairs; p has shape (t, m), the first test being randomization.

    difference: shape (m,).
    """

    metric: str
    tests: tuple[str, ...]
    pairs: tuple[Pair, ...]
    difference: Floats
    p: Floats
    unit: str

    @property
    def near(self) -> NDArray[np.int64]:
        """Positions of the pairs, the one that randomization finds hardest to separate first."""
        return np.argsort(-self.p[0], kind="stable")

    @property
    def usable(self) -> NDArray[np.bool_]:
        """The pairs of which ratios are formed."""
        return np.asarray((self.p[0] > BETWEEN[0]) & (self.p[0] < BETWEEN[1]))

    @property
    def ratio(self) -> Floats:
        """Median ratio of each test's p to randomization's over usable pairs; shape (t,), NaN without any."""
        if not self.usable.any():
            return np.full(len(self.tests), np.nan)
        return np.asarray(np.median(self.p[:, self.usable] / self.p[0, self.usable], axis=1))

    @property
    def test_names(self) -> tuple[str, ...]:
        return self.tests

    def summaries(self) -> dict[str, list[dict[str, Any]]]:
        """Return the median ratio of each test's p to randomization's."""
        ratios = records(test=self.tests, median_ratio=self.ratio, pairs=int(self.usable.sum()))
        return {"Ratio to randomization": ratios}

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per pair, hardest first, with a column for each test."""
        first, second = np.array(self.pairs, dtype=object)[self.near].T
        p_values = dict(zip(self.tests, self.p[:, self.near], strict=True))
        return records(
            metric=self.metric, first=first, second=second, difference=self.difference[self.near], **p_values
        )


@dataclass(frozen=True)
class EveryTest(Experiment[EveryTestPs]):
    """Test all pairs by several tests; bootstrap tests use the same resamples."""

    n_resamples: int = option(10_000, "Resamples", "Number of random swaps and of resamples.", low=100, high=1_000_000)
    seed: int = option(12345, "Seed", "The same seed gives the same draws.", low=0, high=2**53 - 1, advanced=True)
    unit: Unit = option("segment", "Unit", "The sampling unit; the papers use segments.", advanced=True)
    tests: tuple[str, ...] = ("bootstrap-rm2005", "bootstrap-shift", "bootstrap-ci", "ij-t")
    pairs: tuple[Pair, ...] | None = None

    name = "tests"
    label = "All tests side by side"
    about = "What is each test's p-value for the same pairs, and how does it compare with that of randomization?"
    paper = f"{_material.RIEZLER_MAXWELL}, section 4.2 and table 2"

    def run(self, material: Material, executor: Executor | None = None) -> EveryTestPs:
        """Run all tests in turn.

        Raises
        ------
        NotApplicable
            There is only one system.
        """
        del executor  # a second of work
        statistics = several(material.first.at(self.unit))
        targets = pairs_of(
            Scores(statistics, Bootstrap(self.n_resamples, self.seed, statistics.unit)),
            self.pairs or tuple(combinations(statistics.systems, 2)),
        )
        names = ("ar", *self.tests)
        results = []
        for name in each(names):
            settings = Settings(test=name, n_resamples=self.n_resamples, seed=self.seed, unit=statistics.unit)
            results.append(settings.chosen_test(statistics.unit)(targets).p_value)
        return EveryTestPs(
            statistics.metric.name, names, targets.labels, targets.estimate, np.array(results), statistics.unit
        )


def figure_two_p(two_sided: Floats | float) -> Floats:
    """Compute by normal theory what Figure 2 of Riezler and Maxwell (2005) prints for a two-sided p-value.

    With z = |d|/σ the absolute differences of redraws have mean σ·μ(z), μ(z) = sqrt(2/π) e^{−z²/2} + z(1 − 2Φ(−z)); the
    count |d*| − mean ≥ |d| then has probability Q(μ) + Q(2z + μ), Q = 1 − Φ (docs/statistics/tests.md, section 3).
    """
    z = scipy.stats.norm.isf(np.asarray(two_sided) / 2)
    mean = np.sqrt(2 / np.pi) * np.exp(-np.square(z) / 2) + z * (1 - 2 * scipy.stats.norm.sf(z))
    return np.asarray(scipy.stats.norm.sf(mean) + scipy.stats.norm.sf(2 * z + mean))


def figure_two_size(alpha: float) -> float:
    """Return how often Figure 2 rejects a true null at nominal `alpha`, by normal theory."""
    return float(scipy.optimize.brentq(lambda p: float(figure_two_p(p)) - alpha, 1e-12, 1 - 1e-12))


@dataclass(frozen=True, eq=False)
class SensitivityShares(LabResult):
    """d/SE(d) of m pairs under several metrics.

    z: shape (metrics, m), signed, positive when the first system of a pair is better. scores, half_width: shape
    (metrics, s). typical: shape (metrics,), the median of |z|. typical_low, typical_high: its range when each system in
    turn is left out: pairs share systems, so they are no independent sample of pairs.
    """

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    pairs: tuple[Pair, ...]
    z: Floats
    scores: Floats
    half_width: Floats
    typical: Floats
    typical_low: Floats
    typical_high: Floats
    level: float
    unit: str

    decimals = 2

    @property
    def limit(self) -> float:
        """How many standard errors separate a pair at the level, uncorrected."""
        return float(scipy.stats.norm.ppf((1 + self.level) / 2))

    @property
    def found(self) -> NDArray[np.int64]:
        """How many pairs each metric separates at the level, uncorrected; shape (metrics,)."""
        return np.asarray(np.sum(np.abs(self.z) >= self.limit, axis=1))

    @property
    def relative(self) -> Floats:
        """Half widths in % of the scores: what the paper prints, and no measure of sensitivity; shape (metrics, s)."""
        return 100 * self.half_width / self.scores

    def ahead(self, left: int, other: int) -> float:
        """Return the share of pairs on which metric `left` is farther from zero than `other`, in standard errors."""
        return float(np.mean(np.abs(self.z[left]) > np.abs(self.z[other])))

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per metric and pair."""
        first, second = zip(*self.pairs, strict=True)
        return records(metric=upright(self.metrics), first=first, second=second, z=self.z)

    def summaries(self) -> dict[str, list[dict[str, Any]]]:
        """Return one record per metric."""
        return {"Metrics": records(
            metric=self.metrics, median_z=self.typical, low=self.typical_low, high=self.typical_high,
            separated=self.found, pairs=len(self.pairs), relative_width=np.median(np.abs(self.relative), axis=1),
        )}  # fmt: skip


@dataclass(frozen=True)
class Sensitivity(Experiment[SensitivityShares]):
    """Compute the signal-to-noise ratio of every pair for every metric."""

    level: float = option(0.95, "Confidence", "Coverage of the intervals.", low=0.5, high=0.9999)
    unit: Unit = option("auto", "Unit", "The sampling unit.", advanced=True)

    name = "sensitivity"
    label = "Sensitivity of metrics"
    about = "With which metric is the difference between the same systems larger, measured in standard errors?"
    paper = f"{_material.RIEZLER_MAXWELL}, table 1; {_material.ZHANG_VOGEL}, table 1"
    suggested = ("bleu", "mbleu", "nist", "chrf", "ter")

    def run(self, material: Material, executor: Executor | None = None) -> SensitivityShares:
        """Compute the difference and the standard error of all pairs for every metric.

        Raises
        ------
        NotApplicable
            The metrics have no two systems in common.
        """
        del executor  # closed form
        common = common_systems(material.statistics)
        systems = tuple(name for name in material.first.systems if name in common)
        chosen = tuple(combinations(systems, 2))
        z, scores, half = [], [], []
        for counted in each(material.statistics):
            statistics = counted.select(systems).at(self.unit)
            targets = Scores(statistics, Bootstrap(unit="segment"))
            pairs = pairs_of(targets, chosen)
            with np.errstate(divide="ignore", invalid="ignore"):
                z.append(np.where(pairs.estimate == 0, 0.0, pairs.estimate / pairs.standard_error))
            scores.append(targets.estimate)
            half.append(scipy.stats.t.ppf((1 + self.level) / 2, targets.df) * targets.standard_error)
        table = np.array(z)
        without = [[m for m, pair in enumerate(chosen) if name not in pair] for name in systems]
        ranges = [np.median(np.abs(table[:, kept]), axis=1) for kept in without if kept]
        typical = np.median(np.abs(table), axis=1)
        return SensitivityShares(
            tuple(counted.metric.name for counted in material.statistics), systems, chosen, table, np.array(scores),
            np.array(half), typical, np.min(ranges, axis=0) if ranges else typical,
            np.max(ranges, axis=0) if ranges else typical, self.level, material.first.at(self.unit).unit,
        )  # fmt: skip
