"""Many tests: error rates by the number of comparisons, and by the number of looks."""

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mtsig._probability import clopper_pearson
from mtsig._records import Floats
from mtsig.inference import CORRECTIONS, Correction, Outcome
from mtsig.inference._corrections import CorrectedTogether
from mtsig.inference._significance._base import ApproximateRandomization
from mtsig.inference._significance._jackknife import jackknife_p
from mtsig.inference._targets import Scores, pairs_of
from mtsig.lab import _material
from mtsig.lab._material import Experiment, LabResult, Material, Pair, Population, records, several, upright
from mtsig.lab._worlds import Drawn, Null, draws_documents, units_of, world_of
from mtsig.metrics import Statistics
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import Unit
from mtsig.options import option
from mtsig.progress import batches, done_in_order
from mtsig.resampling import Bootstrap, Swap

COMPARED = ("none", "bonferroni", "minp")


def independent_bound(alpha: float, comparisons: Floats | int) -> Floats:
    """Compute 1 − (1 − α)^k, the error of k independent comparisons (Riezler and Maxwell 2005, section 4.4)."""
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
        return records(
            metric=self.metric, null=self.null, correction=upright(self.corrections), systems=self.systems,
            comparisons=self.comparisons, error=self.rate, low=low, high=high, bound=self.bound,
        )  # fmt: skip


@dataclass(frozen=True)
class Multiplicity(Experiment[MultiplicityRates]):
    """Test all pairs of systems that do not differ."""

    size: int = option(300, "Size", "Number of segments in a test set.", low=10, high=100_000)
    simulations: int = option(400, "Simulations", "Number of simulated test sets.", low=50, high=100_000)
    most_systems: int = option(6, "Systems, at most", "Only the first systems are used.", low=2, high=50)
    n_resamples: int = option(
        499, "Resamples", "Random swaps for each test; corrections may need more.", low=99, high=100_000, advanced=True
    )
    null: Null = option(
        "exchangeable", "Null", "Exchangeable systems, or equal scores with unchanged outputs (means only)."
    )
    drawn: Drawn = option("segments", "Drawn", "Draw and test segments or whole documents; auto: documents if known.")
    alpha: float = option(0.05, "Error rate", "The significance level α.", low=0.001, high=0.5)
    seed: int = option(12345, "Seed", "The same seed gives the same test sets.", low=0, high=2**53 - 1, advanced=True)

    name = "multiplicity"
    label = "Many comparisons"
    about = "If no system is better, how often is some pair significant, with and without correction?"
    paper = f"{_material.RIEZLER_MAXWELL}, section 4.4"

    def run(self, material: Material, executor: Executor | None = None) -> MultiplicityRates:
        """Run the simulation, with several test sets per job.

        Raises
        ------
        NotApplicable
            There is only one system, the unit is the document and there are too few, or the scores of these systems
            cannot be made equal.
        """
        world = self._world(material)
        parts = done_in_order(partial(self._any_claim, world), batches(self.simulations, 10), executor)
        systems = np.array(self._sizes(world))
        comparisons = systems * (systems - 1) // 2
        bound = independent_bound(self.alpha, comparisons)
        return MultiplicityRates(
            world.null.statistics.metric.name, self.null, "documents" if world.by_document else "segments", world.size,
            self.alpha, self.simulations, systems, comparisons, COMPARED, np.sum(parts, axis=0), bound,
        )  # fmt: skip

    def _world(self, material: Material) -> "_NullWorld":
        statistics = several(material.truth.statistics.at("segment"))
        alone = Population(statistics.select(statistics.systems[: self.most_systems])).statistics
        by_document = draws_documents(alone, self.drawn, "auto")
        null = world_of(alone, self.null, 0.0, by_document).population
        return _NullWorld(null, units_of(self.size, alone, by_document), by_document)

    def _sizes(self, world: "_NullWorld") -> tuple[int, ...]:
        most = len(world.null.systems)
        return (*(number for number in (2, 3, 4, 6, 8, 10, 12, 15, 20) if number < most), most)

    def _any_claim(self, world: "_NullWorld", numbers: range) -> NDArray[np.int64]:
        """Return how many of the test sets of these numbers led to any false claim; shape (corrections, z)."""
        sizes = self._sizes(world)
        counts = np.zeros((len(COMPARED), len(sizes)), dtype=np.int64)
        pairs = np.array(list(combinations(range(len(world.null.systems)), 2)))
        for number in numbers:
            drawn, scheme = self._drawn(world, number)
            targets = pairs_of(Scores(drawn, Bootstrap(10, self.seed, scheme.unit)), "all")
            outcome = ApproximateRandomization(scheme)(targets)
            for z, count in enumerate(sizes):
                together = _together(outcome, targets.estimate, np.flatnonzero(pairs.max(axis=1) < count))
                for row, name in enumerate(COMPARED):
                    correction: Correction = CORRECTIONS[name]
                    counts[row, z] += bool(np.any(correction(together)[0] <= self.alpha + 1e-12))
        return counts

    def _drawn(self, world: "_NullWorld", number: int) -> tuple[Statistics, Swap]:
        """Return one test set at the unit of inference, and how labels are exchanged in it.

        As many shuffles as asked for, and at least twice those with which Bonferroni can reject at all.
        """
        drawn = (world.null.draw_documents if world.by_document else world.null.draw)(world.size, number, self.seed)
        comparisons = len(drawn.systems) * (len(drawn.systems) - 1) // 2
        draws = max(self.n_resamples, ceil(2 * comparisons / self.alpha))
        # Draws of their own for every test set: shared ones would make the simulations depend on each other.
        unit: Unit = "document" if world.by_document else "segment"
        return drawn.at(unit), Swap(draws, self.seed + number + 1, unit)


class _NullWorld(NamedTuple):
    """A population without a difference, and how many of its units, or of its documents, make a test set."""

    null: Population
    size: int
    by_document: bool


def _together(outcome: Outcome, difference: Floats, among: NDArray[np.int64]) -> CorrectedTogether:
    nobody = np.zeros(len(among), dtype=np.int64)
    return CorrectedTogether(
        p_value=outcome.p_value[among], p_mc_low=outcome.p_mc_low[among], p_mc_high=outcome.p_mc_high[among],
        exact=outcome.exact[among], difference=difference[among],
        null=None if outcome.null is None else outcome.null[among], complete=outcome.complete,
        alternative="two-sided", scale=None, statistics=None, first=nobody, second=nobody,
    )  # fmt: skip


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
        shares = {
            f"{name}{part}": values
            for name, marks in (("this_look", self.claimed), ("any_so_far", self.stopped))
            for part, values in zip(("", "_low", "_high"), (marks.mean(axis=0), *self.ends(marks)), strict=True)
        }
        looks = np.arange(1, len(self.units) + 1)
        first, second = self.pair
        return records(metric=self.metric, first=first, second=second, look=looks, segments=self.units, **shares)


@dataclass(frozen=True)
class Peeking(Experiment[PeekingRates]):
    """Test two equal systems repeatedly while segments are added."""

    looks: int = option(10, "Looks", "How many times p is computed, at equal steps in test-set size.", low=1, high=100)
    size: int = option(500, "Size", "Number of segments at the last check.", low=10, high=100_000)
    simulations: int = option(400, "Simulations", "Number of growing test sets.", low=50, high=100_000)
    alpha: float = option(0.05, "Error rate", "The significance level α.", low=0.001, high=0.5)
    seed: int = option(12345, "Seed", "The same seed gives the same test sets.", low=0, high=2**53 - 1, advanced=True)
    pair: Pair | None = None

    name = "peeking"
    at_once = True
    label = "Looking while the test set grows"
    about = "How often is p significant without any difference, if it is checked while segments are added?"
    paper = _material.ARMITAGE

    def run(self, material: Material, executor: Executor | None = None) -> PeekingRates:
        """Grow the test sets, with several test sets per job.

        Raises
        ------
        NotApplicable
            There is only one system, or there are too few segments.
        """
        pair = material.pair(self.pair)
        null = replace(material.truth_of(pair), effect=0.0)
        null = replace(null, statistics=replace(null.statistics.at("segment"), document_of=None))
        units = self.units()
        parts = done_in_order(partial(_looked, null, units, self.seed), batches(self.simulations, 25), executor)
        difference, p = np.concatenate(parts, axis=1)
        return PeekingRates(null.statistics.metric.name, pair, units, p, difference, self.alpha)

    def units(self) -> NDArray[np.int64]:
        """Return the number of segments at each interim test."""
        steps = np.rint(self.size * np.arange(1, self.looks + 1) / self.looks).astype(np.int64)
        return np.unique(np.maximum(steps, min(FEWEST, self.size)))


def _looked(null: Population, units: NDArray[np.int64], seed: int, numbers: range) -> Floats:
    """Return difference and p of the test sets of these numbers at every look; shape (2, t, z)."""
    looked = [at_looks(null.draw(int(units[-1]), number, seed), units) for number in numbers]
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
