"""Coverage: do confidence intervals of small test sets cover the population's score (K04 section 5, figure 6)?"""

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from mtsig.arrays import Floats
from mtsig.inference import INTERVALS
from mtsig.inference.intervals import check_level, ends_of
from mtsig.inference.probability import clopper_pearson
from mtsig.inference.targets import Scores, pairs_of
from mtsig.jobs import batches, done_in_order
from mtsig.lab.material import Experiment, LabResult, Material
from mtsig.lab.populations import Population, broad, of_units
from mtsig.lab.sources import KOEHN
from mtsig.metrics import Statistics
from mtsig.options import option
from mtsig.resampling import Bootstrap

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
        return float(clopper_pearson(np.array([self.sets - self.misses], dtype=float), self.sets)[0][0])

    @property
    def rate_high(self) -> float:
        """Upper end of the 95% interval of the coverage."""
        return float(clopper_pearson(np.array([self.sets - self.misses], dtype=float), self.sets)[1][0])

    @property
    def p_value(self) -> float:
        """Whether this many misses fit the level."""
        return float(scipy.stats.binomtest(self.misses, self.sets, 1 - self.level).pvalue)

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per test set."""
        return [
            {
                "metric": self.metric,
                "system": self.system,
                "against": self.against,
                "size": self.size,
                "set": number + 1,
                "score": float(self.estimate[number]),
                "low": float(self.low[number]),
                "high": float(self.high[number]),
                "truth": self.truth,
                "covered": bool(self.covered[number]),
            }
            for number in range(self.sets)
        ]


@dataclass(frozen=True)
class Coverage(Experiment[CoverageRates]):
    """Test sets of a population, each with its interval, beside the population's own score.

    against: a second system; intervals are then of the difference, positive where `system` is better.
    """

    size: int = option(300, "Size", "Segments in a test set.", low=2, high=1_000_000)
    sets: int = option(100, "Test sets", "How many, at most.", low=10, high=100_000)
    interval: str = option("percentile", "Interval", "How intervals are made.", choices=lambda: INTERVALS)
    level: float = option(0.95, "Confidence", "Coverage that the intervals promise.", low=0.5, high=0.9999)
    draws: int = option(1000, "Draws", "Bootstrap draws for an interval.", low=10, high=1_000_000, advanced=True)
    sampling: Sampling = option("auto", "Sampling", "How test sets are taken from the population.", advanced=True)
    seed: int = option(12345, "Seed", "The same seed gives the same test sets.", low=0, high=2**53 - 1, advanced=True)
    system: str | None = None
    against: str | None = None

    name = "coverage"
    label = "Coverage of intervals"
    about = "Of many small test sets, how many have an interval that holds the score of all the data?"
    paper = f"{KOEHN}, section 5, figure 6"

    def run(self, material: Material, executor: Executor | None = None) -> CoverageRates:
        """Make the intervals, some test sets a job.

        Raises:
            NotApplicable: a system is held against itself, or there are too few segments.
        """
        check_level(self.level)
        system = self.system or next(name for name in material.first.best_first if name != self.against)
        systems = [system] if self.against is None else list(material.pair((system, self.against)))
        alone = Population(material.truth_of(systems).statistics.at("segment"))
        sampling = sampling_of(self.sampling, alone.size, self.size, self.sets)
        available = min(self.sets, alone.size // self.size) if sampling == "broad" else self.sets
        jobs = [_Job(alone, self, sampling, numbers) for numbers in batches(available, 20)]
        parts = done_in_order(_intervals, jobs, executor)
        estimate, low, high = np.concatenate(parts, axis=1)
        return CoverageRates(
            alone.statistics.metric.name,
            system,
            self.interval,
            self.level,
            self.size,
            float(alone.truth[0]) if self.against is None else alone.true_difference(*systems),
            estimate,
            low,
            high,
            sampling,
            self.against,
        )


def sampling_of(chosen: Sampling, n: int, size: int, sets: int) -> Literal["broad", "random"]:
    """Return how test sets are taken: broad ones when asked for, or when the population has that many of them."""
    if chosen == "auto":
        return "broad" if n >= size * sets else "random"
    return chosen


def taken(population: Population, sampling: str, size: int, number: int, seed: int) -> Statistics:
    """Return one test set of a population."""
    if sampling == "broad":
        return of_units(population.statistics, broad(population.size, size)[number])
    return population.draw(size, number, seed)


@dataclass(frozen=True, eq=False)
class _Job:
    population: Population
    experiment: Coverage
    sampling: str
    numbers: range


def _intervals(job: _Job) -> Floats:
    """Return estimate, low and high of the job's test sets; shape (3, t)."""
    intervals = []
    for number in job.numbers:
        drawn = taken(job.population, job.sampling, job.experiment.size, number, job.experiment.seed)
        scores = Scores(drawn, Bootstrap(job.experiment.draws, job.experiment.seed, "segment"))
        targets = scores if job.experiment.against is None else pairs_of(scores, [(drawn.systems[0], drawn.systems[1])])
        (low, high), _ = ends_of(targets, job.experiment.interval, job.experiment.level)
        intervals.append([targets.estimate[0], low[0], high[0]])
    return np.array(intervals).T
