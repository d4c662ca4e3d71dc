"""Sensitivity: which metric separates the same pairs best, by d/SE(d) (RM05 table 1 and ZV04 table 1 done right)."""

from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from mtsig.arrays import Floats
from mtsig.inference.targets import Scores, pairs_of
from mtsig.lab.material import Experiment, LabResult, Material, Pair, common_systems
from mtsig.lab.sources import RIEZLER_MAXWELL, ZHANG_VOGEL
from mtsig.metrics import Unit
from mtsig.options import option
from mtsig.progress import each
from mtsig.resampling import Bootstrap


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
        return [
            {"metric": metric, "first": first, "second": second, "z": float(self.z[row, m])}
            for row, metric in enumerate(self.metrics)
            for m, (first, second) in enumerate(self.pairs)
        ]

    def summaries(self) -> dict[str, list[dict[str, Any]]]:
        """Return one record per metric."""
        tables = [
            {
                "metric": metric,
                "median_z": float(self.typical[row]),
                "low": float(self.typical_low[row]),
                "high": float(self.typical_high[row]),
                "separated": int(self.found[row]),
                "pairs": len(self.pairs),
                "relative_width": float(np.median(np.abs(self.relative[row]))),
            }
            for row, metric in enumerate(self.metrics)
        ]
        return {"Metrics": tables}


@dataclass(frozen=True)
class Sensitivity(Experiment[SensitivityShares]):
    """The signal-to-noise ratio of every pair under every metric."""

    level: float = option(0.95, "Confidence", "Coverage of the intervals.", low=0.5, high=0.9999)
    unit: Unit = option("auto", "Unit", "What is drawn as a whole.", advanced=True)

    name = "sensitivity"
    label = "Sensitivity of metrics"
    about = "Which metric separates the same pairs of systems by more standard errors?"
    paper = f"{RIEZLER_MAXWELL}, table 1; {ZHANG_VOGEL}, table 1"
    suggested = ("bleu", "mbleu", "nist", "chrf", "ter")

    def run(self, material: Material, executor: Executor | None = None) -> SensitivityShares:
        """Compute difference and standard error of all pairs, metric by metric.

        Raises:
            NotApplicable: the metrics have no two systems in common.
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
            tuple(counted.metric.name for counted in material.statistics),
            systems,
            chosen,
            table,
            np.array(scores),
            np.array(half),
            typical,
            np.min(ranges, axis=0) if ranges else typical,
            np.max(ranges, axis=0) if ranges else typical,
            self.level,
            material.first.at(self.unit).unit,
        )
