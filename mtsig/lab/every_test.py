"""Every test on the same pairs: p-values side by side, and their ratio to randomization's (RM05 table 2)."""

from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from mtsig.arrays import Floats
from mtsig.errors import NotApplicable
from mtsig.inference import Settings
from mtsig.inference.targets import Scores, pairs_of
from mtsig.lab.material import Experiment, LabResult, Material, Pair
from mtsig.lab.sources import RIEZLER_MAXWELL
from mtsig.metrics import Unit
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
        """The tests."""
        return self.tests

    def summaries(self) -> dict[str, list[dict[str, Any]]]:
        """Return the median ratio of each test's p to randomization's."""
        ratios = zip(self.tests, self.ratio, strict=True)
        pairs = int(self.usable.sum())
        return {"Ratio to randomization": [{"test": t, "median_ratio": float(r), "pairs": pairs} for t, r in ratios]}

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per pair, hardest first, with a column for each test."""
        return [
            {
                "metric": self.metric,
                "first": self.pairs[m][0],
                "second": self.pairs[m][1],
                "difference": float(self.difference[m]),
                **{test: float(self.p[row, m]) for row, test in enumerate(self.tests)},
            }
            for m in self.near
        ]


@dataclass(frozen=True)
class EveryTest(Experiment[EveryTestPs]):
    """All pairs under several tests, the bootstrap ones on the same redraws."""

    draws: int = option(10_000, "Draws", "Shuffles and redraws.", low=100, high=1_000_000)
    seed: int = option(12345, "Seed", "The same seed gives the same draws.", low=0, high=2**53 - 1, advanced=True)
    unit: Unit = option("segment", "Unit", "What is drawn as a whole; the papers draw segments.", advanced=True)
    tests: tuple[str, ...] = ("bootstrap-rm2005", "bootstrap-shift", "bootstrap-ci", "ij-t")
    pairs: tuple[Pair, ...] | None = None

    name = "tests"
    label = "All tests side by side"
    about = "What does each test say of the same pairs, and how does its p relate to randomization's?"
    paper = f"{RIEZLER_MAXWELL}, section 4.2 and table 2"

    def run(self, material: Material, executor: Executor | None = None) -> EveryTestPs:
        """Run the tests one after the other.

        Raises:
            NotApplicable: there is only one system.
        """
        del executor  # a second of work
        statistics = material.first.at(self.unit)
        if len(statistics.systems) < 2:
            raise NotApplicable("This experiment compares systems; found only one.")
        targets = pairs_of(
            Scores(statistics, Bootstrap(self.draws, self.seed, statistics.unit)),
            self.pairs or tuple(combinations(statistics.systems, 2)),
        )
        names = ("ar", *self.tests)
        results = []
        for name in each(names):
            settings = Settings(test=name, draws=self.draws, seed=self.seed, unit=statistics.unit)
            results.append(settings.chosen_test(statistics.unit)(targets).p_value)
        return EveryTestPs(
            statistics.metric.name, names, targets.labels, targets.estimate, np.array(results), statistics.unit
        )


def figure_two_p(two_sided: Floats | float) -> Floats:
    """Return what normal theory says RM05's Figure 2 prints where a correct two-sided p-value is `two_sided`.

    With z = |d|/σ the absolute differences of redraws have mean σ·μ(z), μ(z) = sqrt(2/π) e^{−z²/2} + z(1 − 2Φ(−z)); the
    count |d*| − mean ≥ |d| then has probability Q(μ) + Q(2z + μ), Q = 1 − Φ (docs/statistics/tests.md, section 3).

    >>> round(float(figure_two_p(0.03)), 4)
    0.0146
    """
    z = scipy.stats.norm.isf(np.asarray(two_sided) / 2)
    mean = np.sqrt(2 / np.pi) * np.exp(-np.square(z) / 2) + z * (1 - 2 * scipy.stats.norm.sf(z))
    return np.asarray(scipy.stats.norm.sf(mean) + scipy.stats.norm.sf(2 * z + mean))


def figure_two_size(alpha: float) -> float:
    """Return how often Figure 2 rejects a true null at nominal `alpha`, by normal theory.

    >>> round(figure_two_size(0.05), 3)
    0.11
    """
    return float(scipy.optimize.brentq(lambda p: float(figure_two_p(p)) - alpha, 1e-12, 1 - 1e-12))
