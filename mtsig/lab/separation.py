"""Separation: about how many segments would tell two systems apart, and how uncertain that number is."""

from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import scipy

from mtsig.arrays import Floats
from mtsig.errors import NotApplicable
from mtsig.inference.intervals import check_level
from mtsig.inference.targets import Scores, pairs_of
from mtsig.lab.material import Experiment, LabResult, Material, Pair
from mtsig.lab.sources import ZHANG_VOGEL
from mtsig.metrics import Unit
from mtsig.options import option
from mtsig.resampling import Bootstrap


@dataclass(frozen=True, eq=False)
class SeparationPairs(LabResult):
    """Needed sizes of m pairs; arrays have shape (m,), sizes in segments.

    difference, low, high: the observed differences, the better system first, with their intervals. needed: segments
    with which the test would find a true difference as large as the one observed, with the wanted power. fewest, most:
    the same for the ends of the interval; most is infinite where the interval holds zero, for then no number of
    segments can be promised.
    """

    metric: str
    pairs: tuple[Pair, ...]
    difference: Floats
    error: Floats
    low: Floats
    high: Floats
    needed: Floats
    fewest: Floats
    most: Floats
    segments: int
    unit: str
    power: float
    level: float

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per pair."""
        return [
            {
                "metric": self.metric,
                "first": first,
                "second": second,
                "difference": float(self.difference[m]),
                "low": float(self.low[m]),
                "high": float(self.high[m]),
                "segments": self.segments,
                "needed": float(self.needed[m]),
                "fewest": float(self.fewest[m]),
                "most": float(self.most[m]),
            }
            for m, (first, second) in enumerate(self.pairs)
        ]


@dataclass(frozen=True)
class Separation(Experiment[SeparationPairs]):
    """Turn the interval of each difference into an interval of the test-set size that would find it."""

    power: float = option(0.8, "Power", "Share of such test sets that would separate them.", low=0.05, high=0.99)
    level: float = option(0.95, "Confidence", "What it lacks of 1 is the error rate of the test.", low=0.5, high=0.9999)
    unit: Unit = option("auto", "Unit", "What is drawn as a whole.", advanced=True)
    pair: Pair | None = None

    name = "separation"
    label = "How many segments would separate them"
    about = "About how many segments would a test set need to tell two systems apart, if they differ as observed?"
    paper = f"{ZHANG_VOGEL}, section 4.1"

    def run(self, material: Material, executor: Executor | None = None) -> SeparationPairs:
        """Compute n ((z_{1−a/2} + z_power) SE/d)² at the difference and at both ends of its interval.

        Raises:
            NotApplicable: the systems do not vary against each other.
        """
        del executor  # closed form
        check_level(self.level)
        statistics = material.first.at(self.unit)
        if len(statistics.systems) < 2:
            raise NotApplicable("This experiment compares systems; found only one.")
        chosen = [material.pair(self.pair)] if self.pair else list(combinations(statistics.best_first, 2))
        targets = pairs_of(Scores(statistics, Bootstrap(unit="segment")), chosen)
        error = targets.standard_error
        with np.errstate(invalid="ignore"):
            sign = np.where(targets.estimate < 0, -1.0, 1.0)
        difference = np.abs(targets.estimate)
        half = scipy.stats.t.ppf((1 + self.level) / 2, targets.df) * error
        pairs = tuple((x, y) if s > 0 else (y, x) for (x, y), s in zip(chosen, sign, strict=True))
        factor = (scipy.stats.norm.ppf((1 + self.level) / 2) + scipy.stats.norm.ppf(self.power)) * error

        def size(at: Floats) -> Floats:
            with np.errstate(divide="ignore", invalid="ignore"):
                wanted = statistics.n_segments * np.square(factor / np.maximum(at, 0.0))
            return np.asarray(np.where(factor == 0, np.where(at > 0, 2.0, np.inf), np.maximum(wanted, 2.0)))

        return SeparationPairs(
            statistics.metric.name,
            pairs,
            difference,
            error,
            difference - half,
            difference + half,
            size(difference),
            size(difference + half),
            size(difference - half),
            statistics.n_segments,
            statistics.unit,
            self.power,
            self.level,
        )
