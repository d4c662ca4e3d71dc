"""Peeking: how often does a test that is looked at while the test set grows claim a difference that is not there?"""

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtsig.arrays import Floats
from mtsig.inference.probability import clopper_pearson
from mtsig.inference.significance.jackknife import jackknife_p
from mtsig.jobs import batches, done_in_order
from mtsig.lab.material import Experiment, LabResult, Material, Pair
from mtsig.lab.populations import Population
from mtsig.lab.sources import ARMITAGE
from mtsig.metrics import Statistics
from mtsig.options import option
from mtsig.resampling import sign_of

FEWEST = 10
"""Segments at the first look: a t test on fewer tells of little but its own roughness."""


@dataclass(frozen=True, eq=False)
class PeekingRates(LabResult):
    """p-values of t growing test sets without any difference, at each of z looks.

    units: shape (z,), segments at each look. p: shape (t, z); NaN where the score has no derivative, which is no claim.
    difference: shape (t, z), positive where the first system leads.
    """

    metric: str
    pair: Pair
    units: NDArray[np.int64]
    p: Floats
    difference: Floats
    alpha: float

    @property
    def simulations(self) -> int:
        """How many test sets grew."""
        return len(self.p)

    @property
    def claimed(self) -> NDArray[np.bool_]:
        """Whether a look by itself claims a difference; shape (t, z)."""
        return np.asarray(self.p <= self.alpha + 1e-12)

    @property
    def stopped(self) -> NDArray[np.bool_]:
        """Whether this look or one before it claimed a difference; shape (t, z)."""
        return np.logical_or.accumulate(self.claimed, axis=1)

    @property
    def rate(self) -> float:
        """The share of test sets that were ever called different."""
        return float(self.stopped[:, -1].mean())

    @property
    def rate_at_end(self) -> float:
        """The share that the last look by itself calls different."""
        return float(self.claimed[:, -1].mean())

    def ends(self, marks: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Return the 95% binomial interval of the share of marked test sets at each look; shape (z,) each."""
        return clopper_pearson(marks.sum(axis=0).astype(float), self.simulations)

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per look."""
        alone, ever = self.ends(self.claimed), self.ends(self.stopped)
        return [
            {
                "metric": self.metric,
                "first": self.pair[0],
                "second": self.pair[1],
                "look": z + 1,
                "segments": int(self.units[z]),
                "this_look": float(self.claimed[:, z].mean()),
                "this_look_low": float(alone[0][z]),
                "this_look_high": float(alone[1][z]),
                "any_so_far": float(self.stopped[:, z].mean()),
                "any_so_far_low": float(ever[0][z]),
                "any_so_far_high": float(ever[1][z]),
            }
            for z in range(len(self.units))
        ]


@dataclass(frozen=True)
class Peeking(Experiment[PeekingRates]):
    """Two systems whose labels are exchanged at random, tested again and again while segments are added."""

    looks: int = option(10, "Looks", "How often p is looked at, at equal steps.", low=1, high=100)
    size: int = option(500, "Size", "Segments at the last look.", low=10, high=100_000)
    simulations: int = option(400, "Simulations", "Test sets that grow.", low=50, high=100_000)
    alpha: float = option(0.05, "Error rate", "How often a false claim is let pass.", low=0.001, high=0.5)
    seed: int = option(12345, "Seed", "The same seed gives the same test sets.", low=0, high=2**53 - 1, advanced=True)
    pair: Pair | None = None

    name = "peeking"
    label = "Looking while the test set grows"
    about = "How often is a difference claimed that is not there, when p is looked at while segments are added?"
    paper = ARMITAGE

    def run(self, material: Material, executor: Executor | None = None) -> PeekingRates:
        """Grow the test sets, some a job.

        Raises:
            NotApplicable: there is only one system, or there are too few segments.
        """
        pair = material.pair(self.pair)
        null = replace(material.truth_of(pair), effect=0.0)
        null = replace(null, statistics=replace(null.statistics.at("segment"), document_of=None))
        units = self.units()
        parts = done_in_order(
            _looked, [_Job(null, self, units, part) for part in batches(self.simulations, 25)], executor
        )
        difference, p = np.concatenate(parts, axis=1)
        return PeekingRates(null.statistics.metric.name, pair, units, p, difference, self.alpha)

    def units(self) -> NDArray[np.int64]:
        """Return the segments at each look, at least FEWEST; looks that would be at the same size are one."""
        steps = np.rint(self.size * np.arange(1, self.looks + 1) / self.looks).astype(np.int64)
        return np.unique(np.maximum(steps, min(FEWEST, self.size)))


@dataclass(frozen=True, eq=False)
class _Job:
    null: Population
    experiment: Peeking
    units: NDArray[np.int64]
    numbers: range


def _looked(job: _Job) -> Floats:
    """Return difference and p of the job's test sets at every look; shape (2, t, z)."""
    looked = [
        at_looks(job.null.draw(int(job.units[-1]), number, job.experiment.seed), job.units) for number in job.numbers
    ]
    return np.moveaxis(np.array(looked), 1, 0)


def at_looks(pair: Statistics, units: NDArray[np.int64]) -> Floats:
    """Return difference and p of two systems on the first so many units, by the fast t test; shape (2, z).

    The same as InfinitesimalJackknifeT on each part by itself, for all parts at once.
    """
    values, sign = pair.values.astype(np.float64), sign_of(pair.metric)
    sums = np.cumsum(values, axis=-1)[..., units - 1]
    scores, slopes = pair.metric.score(sums), pair.metric.gradient(sums)
    moved = np.einsum("kz,kn->zn", slopes[:, 0], values[:, 0]) - np.einsum("kz,kn->zn", slopes[:, 1], values[:, 1])
    inside = np.arange(pair.n) < units[:, None]
    mean = np.where(inside, moved, 0.0).sum(axis=1) / units
    squares = np.square(np.where(inside, moved - mean[:, None], 0.0)).sum(axis=1)
    # Systems that are the same so far differ by rounding at most, which is no difference.
    apart = np.logical_or.accumulate((pair.values[:, 0] != pair.values[:, 1]).any(axis=0))[units - 1]
    difference = np.where(apart, sign * (scores[0] - scores[1]), 0.0)
    error = np.where(apart, np.sqrt(units / (units - 1) * squares), 0.0)
    df: Floats = units - np.float64(1)
    return np.array([difference, jackknife_p(difference, error, df)])
