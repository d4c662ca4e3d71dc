"""Settings: everything one chooses for an analysis, written down once; flags, forms and reports read its fields."""

from dataclasses import dataclass, replace

from mtsig.inference.compare import compare
from mtsig.inference.corrections import CORRECTIONS, adjust
from mtsig.inference.family import Family
from mtsig.inference.intervals import INTERVALS, Intervals, interval
from mtsig.inference.targets import PairChoice
from mtsig.inference.tests import TESTS, SignificanceTest
from mtsig.metrics import Statistics, Unit
from mtsig.options import check, option
from mtsig.resampling import Bootstrap, Swap


@dataclass(frozen=True)
class Settings:
    """How to analyse: test, interval, correction, level, draws, seed and unit."""

    test: str = option("ar", "Test", "How two systems are compared.", choices=tuple(TESTS))
    interval: str = option("ij", "Interval", "How confidence intervals are made.", choices=tuple(INTERVALS))
    correction: str = option(
        "minp", "Correction", "How p-values are corrected for the number of comparisons.", choices=tuple(CORRECTIONS)
    )
    level: float = option(
        0.95, "Level", "Coverage of intervals; 1 − level is the error rate of tests.", low=0.5, high=0.9999
    )
    draws: int = option(
        10_000, "Draws", "How many times the test set is redrawn.", low=10, high=10_000_000, advanced=True
    )
    seed: int = option(12345, "Seed", "The same seed gives the same digits.", low=0, high=2**53 - 1, advanced=True)
    unit: Unit = option(
        "auto",
        "Unit",
        "What is drawn as a whole; auto takes documents when there are at least 10, else segments.",
        advanced=True,
    )

    def __post_init__(self) -> None:
        """Check the options."""
        check(self)

    def bootstrap(self) -> Bootstrap:
        """Return the plan behind intervals."""
        return Bootstrap(self.draws, self.seed, self.unit)

    def chosen_test(self) -> SignificanceTest:
        """Return the test with its plan filled in."""
        test = TESTS[self.test]
        kind = Swap if isinstance(test.plan, Swap) else Bootstrap
        filled: SignificanceTest = replace(test, plan=kind(self.draws, self.seed, self.unit))  # type: ignore[type-var]
        return filled

    def intervals(self, statistics: Statistics) -> Intervals:
        """Return the interval of every system's score."""
        return interval(statistics, self.interval, self.level, self.bootstrap())

    def family(self, statistics: Statistics, pairs: PairChoice = "all") -> Family:
        """Return the corrected comparisons."""
        found = compare(statistics, self.chosen_test(), pairs, interval=self.interval, level=self.level)
        return adjust(found, self.correction)
