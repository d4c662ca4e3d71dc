"""Multiplicity: how often something is claimed where nothing is true, by number of comparisons (RM05 section 4.4)."""

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtsig.arrays import Floats
from mtsig.errors import NotApplicable
from mtsig.inference import CORRECTIONS, ApproximateRandomization, Correction, Family, JudgedTogether, compare
from mtsig.inference.probability import clopper_pearson
from mtsig.inference.significance import Outcome
from mtsig.inference.targets import Scores, pairs_of
from mtsig.jobs import batches, done_in_order
from mtsig.lab.material import Experiment, LabResult, Material
from mtsig.lab.populations import Population
from mtsig.lab.sources import RIEZLER_MAXWELL
from mtsig.lab.worlds import Drawn, Null, draws_documents, units_of, world_of
from mtsig.metrics import Statistics, Unit
from mtsig.options import option
from mtsig.resampling import Bootstrap, Swap

COMPARED = ("none", "bonferroni", "minp")


def independent_bound(alpha: float, comparisons: Floats | int) -> Floats:
    """Return 1 − (1 − α)^k: the error of k independent comparisons, and a bound for others (RM05 section 4.4).

    >>> round(float(independent_bound(0.05, 105)), 4)
    0.9954
    """
    return np.asarray(1 - (1 - alpha) ** np.asarray(comparisons))


@dataclass(frozen=True, eq=False)
class MultiplicityRates(LabResult):
    """Experiment-wise error on true nulls by number of systems; arrays have shape (z,) or (corrections, z).

    null: one of NULLS; drawn: whether segments or documents were drawn and tested, size: how many.
    systems, comparisons: how many. errors: counts of simulated experiments with any false claim, per correction.
    bound: 1 − (1 − α)^k.
    """

    metric: str
    null: Null
    drawn: str
    size: int
    alpha: float
    simulations: int
    systems: NDArray[np.int64]
    comparisons: NDArray[np.int64]
    corrections: tuple[str, ...]
    errors: NDArray[np.int64]
    bound: Floats

    @property
    def rate(self) -> Floats:
        """Experiment-wise error rate; shape (corrections, z)."""
        return self.errors / self.simulations

    @property
    def ends(self) -> tuple[Floats, Floats]:
        """95% binomial interval of the rates; shape (corrections, z) each."""
        return clopper_pearson(self.errors.astype(float), self.simulations)

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per correction and number of systems."""
        low, high = self.ends
        return [
            {
                "metric": self.metric,
                "null": self.null,
                "correction": name,
                "systems": int(self.systems[z]),
                "comparisons": int(self.comparisons[z]),
                "error": float(self.rate[row, z]),
                "low": float(low[row, z]),
                "high": float(high[row, z]),
                "bound": float(self.bound[z]),
            }
            for row, name in enumerate(self.corrections)
            for z in range(len(self.systems))
        ]


@dataclass(frozen=True)
class Multiplicity(Experiment[MultiplicityRates]):
    """All pairs of systems that do not differ, tested by randomization: labels permuted, or scores centred."""

    size: int = option(300, "Size", "Segments in a test set.", low=10, high=100_000)
    simulations: int = option(400, "Simulations", "Test sets drawn.", low=50, high=100_000)
    most_systems: int = option(6, "Systems, at most", "The first so many take part.", low=2, high=50)
    draws: int = option(
        499, "Draws", "Shuffles for each test; more where corrections need more.", low=99, high=100_000, advanced=True
    )
    null: Null = option(
        "exchangeable", "Null", "Systems are exchangeable, or have equal scores and their own outputs (means only)."
    )
    drawn: Drawn = option("segments", "Drawn", "Draw and test segments, or whole documents; auto: where known.")
    alpha: float = option(0.05, "Error rate", "How often a false claim is let pass.", low=0.001, high=0.5)
    seed: int = option(12345, "Seed", "The same seed gives the same test sets.", low=0, high=2**53 - 1, advanced=True)

    name = "multiplicity"
    label = "Many comparisons"
    about = "How often is some pair called different when no system is better, with and without correction?"
    paper = f"{RIEZLER_MAXWELL}, section 4.4"

    def run(self, material: Material, executor: Executor | None = None) -> MultiplicityRates:
        """Simulate, some test sets a job.

        Raises:
            NotApplicable: there is only one system, documents are to be drawn and there are too few, or the scores of
                these systems cannot be made equal.
        """
        whole = self._job(material, range(self.simulations))
        jobs = [replace(whole, numbers=part) for part in batches(self.simulations, 10)]
        parts = done_in_order(_any_claim, jobs, executor)
        systems = np.array(whole.systems)
        comparisons = systems * (systems - 1) // 2
        return MultiplicityRates(
            whole.null.statistics.metric.name,
            self.null,
            "documents" if whole.by_document else "segments",
            whole.count,
            self.alpha,
            self.simulations,
            systems,
            comparisons,
            COMPARED,
            np.sum(parts, axis=0),
            independent_bound(self.alpha, comparisons),
        )

    def world(self, material: Material, number: int) -> Family:
        """Return all comparisons in one simulated test set, uncorrected, as `run` makes and counts them.

        Raises:
            NotApplicable: as `run` does.
        """
        job = self._job(material, range(number, number + 1))
        drawn, scheme = _drawn(job, number)
        return compare(drawn, ApproximateRandomization(scheme))

    def _job(self, material: Material, numbers: range) -> "_Job":
        statistics = material.truth.statistics.at("segment")
        if len(statistics.systems) < 2:
            raise NotApplicable("This experiment compares systems; found only one.")
        chosen = statistics.systems[: self.most_systems]
        alone = Population(statistics.select(chosen)).statistics
        by_document = draws_documents(alone, self.drawn, "auto")
        count = units_of(self.size, alone, by_document)
        null = world_of(alone, self.null, 0.0, by_document).population
        return _Job(null, self, _sizes(len(chosen)), count, by_document, numbers)


def _sizes(systems: int) -> tuple[int, ...]:
    return (*(number for number in (2, 3, 4, 6, 8, 10, 12, 15, 20) if number < systems), systems)


@dataclass(frozen=True, eq=False)
class _Job:
    null: Population
    experiment: Multiplicity
    systems: tuple[int, ...]
    count: int
    by_document: bool
    numbers: range


def _any_claim(job: _Job) -> NDArray[np.int64]:
    """Return how many of the job's test sets led to any false claim; shape (corrections, z)."""
    counts = np.zeros((len(COMPARED), len(job.systems)), dtype=np.int64)
    pairs = np.array(list(combinations(range(len(job.null.systems)), 2)))
    for number in job.numbers:
        drawn, scheme = _drawn(job, number)
        targets = pairs_of(Scores(drawn, Bootstrap(10, job.experiment.seed, scheme.unit)), "all")
        outcome = ApproximateRandomization(scheme)(targets)
        for z, count in enumerate(job.systems):
            among = np.flatnonzero(pairs.max(axis=1) < count)
            judged = _judged(outcome, targets.estimate, among)
            for row, name in enumerate(COMPARED):
                correction: Correction = CORRECTIONS[name]
                counts[row, z] += bool(np.any(correction(judged)[0] <= job.experiment.alpha + 1e-12))
    return counts


def _drawn(job: _Job, number: int) -> tuple[Statistics, Swap]:
    """Return one test set at the unit of inference, and how labels are exchanged in it."""
    drawn = (job.null.draw_documents if job.by_document else job.null.draw)(job.count, number, job.experiment.seed)
    # Draws of their own for every test set: shared ones would make the simulations depend on each other.
    unit: Unit = "document" if job.by_document else "segment"
    return drawn.at(unit), Swap(_enough(job), job.experiment.seed + number + 1, unit)


def _enough(job: _Job) -> int:
    """Return the draws: as many as asked for, and at least twice those with which Bonferroni can reject at all."""
    comparisons = len(job.null.systems) * (len(job.null.systems) - 1) // 2
    return max(job.experiment.draws, ceil(2 * comparisons / job.experiment.alpha))


def _judged(outcome: Outcome, difference: Floats, among: NDArray[np.int64]) -> JudgedTogether:
    null = None if outcome.null is None else outcome.null[among]
    nobody = np.zeros(len(among), dtype=np.int64)
    return JudgedTogether(
        p_value=outcome.p_value[among],
        p_low=outcome.p_low[among],
        p_high=outcome.p_high[among],
        exact=outcome.exact[among],
        difference=difference[among],
        null=null,
        complete=outcome.complete,
        alternative="two-sided",
        scale=None,
        statistics=None,
        first=nobody,
        second=nobody,
    )
