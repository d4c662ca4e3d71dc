"""Calibration: type-I error, power and coverage of tests and intervals on the user's own data.

Two real systems are taken as a population. Exchanging their labels at random in every drawn unit makes a true null,
under which randomization is exact by construction; populations in which the systems keep their outputs and score the
same (see `equal_scores`) make another, under which any test can fail. Exchanging, shifting or tilting less makes a true
effect of known size, up to the whole real difference. Test sets are drawn with replacement and handed to the tests like
any others.

Many tests: error rates by the number of comparisons, and by the number of looks.
"""

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import ceil
from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from mtsig._options import option, same_option
from mtsig._probability import clopper_pearson
from mtsig._records import Floats
from mtsig.corpus import Note
from mtsig.errors import InvalidOption, NotApplicable, find
from mtsig.inference import CORRECTIONS, INTERVALS, TESTS, Correction, Outcome, Settings
from mtsig.inference._adjust import win_rates
from mtsig.inference._corrections import CorrectedTogether
from mtsig.inference._intervals import ends_of
from mtsig.inference._significance import ApproximateRandomization
from mtsig.inference._targets import Pairs, Scores, pairs_of
from mtsig.inference._tests import KoehnWins, jackknife_p
from mtsig.lab import _material
from mtsig.lab._material import Experiment, LabResult, Material, Pair, Population, records, several, upright
from mtsig.lab._worlds import LITTLE_SHARE, NULLS, Drawn, Made, Null, World, draws_documents, units_of, world_of
from mtsig.metrics import Statistics
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import Unit
from mtsig.progress import batches, done_in_order
from mtsig.resampling import Bootstrap, Swap

Counts = NDArray[np.int64]

DEFAULT_TESTS = ("ar", "jackknife-t", "bootstrap-shift")


@dataclass(frozen=True, eq=False)
class CalibrationRates(LabResult):
    """How often tests reject, and intervals cover, when the truth is known, in w worlds.

    nulls, made: shape (w,), towards which null of NULLS a world was changed, and how: labels exchanged, scores centred,
    or the population tilted. effects: shape (w,), shares of the observed difference that are left; truth: shape (w,),
    the true differences. share: shape (w,), the effective share of the population's units, 1 unless it was tilted.
    sizes: shape (z,), units in a test set. rejected: shape (tests, z, w), how many of `simulations` test sets were
    significant at alpha. covered: shape (z, w), how many intervals held the true difference. predicted: shape (z, w),
    the power of a test on the difference's own standard error, by normal theory.
    drawn: whether segments or documents were drawn; unit: what the tests took for a unit. left_out: nulls that were
    asked for and cannot be made of these systems; notes say why.
    """

    metric: str
    pair: Pair
    tests: tuple[str, ...]
    interval: str
    level: float
    simulations: int
    drawn: str
    unit: str
    nulls: tuple[Null, ...]
    made: tuple[Made, ...]
    effects: Floats
    truth: Floats
    share: Floats
    sizes: NDArray[np.int64]
    rejected: Counts
    covered: Counts
    predicted: Floats
    left_out: tuple[Null, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def alpha(self) -> float:
        """The error rate that is asked for."""
        return 1 - self.level

    @property
    def rate(self) -> Floats:
        """Share of significant test sets: type-I error where the effect is 0, else power; shape (tests, z, w)."""
        return self.rejected / self.simulations

    @property
    def coverage(self) -> Floats:
        """Share of intervals that hold the truth; shape (z, w)."""
        return self.covered / self.simulations

    def ends(self, counts: Counts) -> tuple[Floats, Floats]:
        """Return the 95% binomial interval of rates."""
        return clopper_pearson(counts.astype(float), self.simulations)

    @property
    def no_effect(self) -> list[int]:
        """The worlds in which there is no difference, by number: one for each null that was made."""
        return [int(world) for world in np.flatnonzero(self.effects == 0)]

    @property
    def of_first_null(self) -> list[int]:
        """The worlds of the first null, by number: those with effects among them."""
        return [world for world, null in enumerate(self.nulls) if null == self.nulls[0]]

    def compared(self, test: int, size: int, world: int) -> int:
        """Return whether a test's share fits alpha (0), lies above (1) or below (−1): by its binomial 95% interval."""
        low, high = self.ends(self.rejected[test, size, [world]])
        return int(low[0] > self.alpha) - int(high[0] < self.alpha)

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per test, size and world, and for the interval as if it were a test."""
        counts = np.concatenate([self.rejected, self.covered[None]])
        predicted = np.array([self.predicted] * len(self.tests) + [np.full(self.covered.shape, None)], dtype=object)
        low, high = self.ends(counts)
        return records(
            metric=self.metric, first=self.pair[0], second=self.pair[1],
            method=upright(upright((*self.tests, self.interval))),
            what=upright(upright([*["rejects"] * len(self.tests), "covers"])), size=upright(self.sizes),
            null=self.nulls, made=self.made, effective_share=self.share, effect=self.effects,
            true_difference=self.truth, share=counts / self.simulations, low=low, high=high,
            predicted_power=predicted,
        )  # fmt: skip


@dataclass(frozen=True)
class Calibrate(Experiment[CalibrationRates]):
    """Measure error rates, power and coverage on simulated test sets.

    nulls: the ways to simulate no difference; the first way is also used for effects other than 0.
    """

    simulations: int = option(
        400, "Simulations", "Simulated test sets for each size and effect.", low=50, high=1_000_000
    )
    n_resamples: int = option(499, "Resamples", "Random swaps or resamples in each test.", low=99, high=1_000_000)
    interval: str = option("jackknife", "Interval", "The method whose coverage is measured.", choices=lambda: INTERVALS)
    level: float = same_option(Settings, "level")
    drawn: Drawn = option("auto", "Drawn", "Sample segments or whole documents. auto: documents if ids are known.")
    unit: Unit = option("auto", "Unit", "The sampling unit of the tests.")
    seed: int = same_option(Settings, "seed")
    tests: tuple[str, ...] = DEFAULT_TESTS
    sizes: tuple[int, ...] = (100, 300)
    effects: tuple[float, ...] = (0.0, 0.5, 1.0)
    nulls: tuple[Null, ...] = ("exchangeable", "equal-scores")
    pair: Pair | None = None

    name = "calibrate"
    label = "Calibration of tests"
    about = "On data like these, how often does a test find a difference that does not exist, or detect one that does?"
    paper = f"{_material.RIEZLER_MAXWELL}, section 4.3"

    def __post_init__(self) -> None:
        """Check the options.

        Raises
        ------
        UnknownName
            No such test or null.
        InvalidOption
            There is no size, no effect, no null, or one is out of range.
        """
        super().__post_init__()
        for name in self.tests:
            find(TESTS, name, "test")
        for null in self.nulls:
            find(NULLS, null, "null")
        if not self.nulls or len(set(self.nulls)) < len(self.nulls):
            raise InvalidOption(f"Calibration needs at least one null hypothesis, each named once: {', '.join(NULLS)}.")
        if not self.sizes or not self.effects or min(self.sizes) < 10 or not all(0 <= e <= 1 for e in self.effects):
            raise InvalidOption(
                "Calibration needs sizes of at least 10 segments and effects from 0 (a true null) to 1 (the observed "
                f"difference); found sizes {list(self.sizes)} and effects {list(self.effects)}."
            )

    def run(self, material: Material, executor: Executor | None = None) -> CalibrationRates:
        """Run the simulation, with several test sets per job.

        Raises
        ------
        NotApplicable
            The unit is the document and a size has too few documents, or the first null cannot be simulated.
        """
        pair = material.pair(self.pair)
        alone = material.truth_of(pair).statistics.at("segment")
        by_document = draws_documents(alone, self.drawn, self.unit)
        counts = [units_of(size, alone, by_document) for size in self.sizes]
        worlds, notes = self._worlds(alone, by_document)
        jobs = [(world, count, part) for count in counts for world in worlds for part in batches(self.simulations, 25)]
        parts = done_in_order(partial(_judged, self, by_document), jobs, executor)
        totals = np.array(parts).reshape(len(counts), len(worlds), -1, len(self.tests) + 1).sum(axis=2)
        truth = np.array([world.truth for world in worlds])
        spread = np.array([_spread(world.population, by_document) for world in worlds])
        error = spread[None] / np.sqrt(np.array(counts))[:, None]
        known = alone if by_document else replace(alone, document_of=None)
        return CalibrationRates(
            alone.metric.name, pair, self.tests, self.interval, self.level, self.simulations,
            "documents" if by_document else "segments", known.at(self.unit).unit,
            tuple(world.null for world in worlds), tuple(world.made for world in worlds),
            np.array([world.effect for world in worlds]), truth,
            np.array([world.share(by_document) for world in worlds]), np.array(counts),
            np.moveaxis(totals[..., :-1], -1, 0), totals[..., -1],
            _power(truth, error, scipy.stats.norm.ppf((1 + self.level) / 2)),
            tuple(null for null in self.nulls if 0 in self.effects and null not in {world.null for world in worlds}),
            notes,
        )  # fmt: skip

    def _worlds(self, alone: Statistics, by_document: bool) -> tuple[list[World], tuple[Note, ...]]:
        """Return every effect in the way of the first null, no effect in that of the others, and what cannot be had.

        Raises
        ------
        NotApplicable
            The first null cannot be made.
        """
        first, *others = self.nulls
        worlds = [world_of(alone, first, effect, by_document) for effect in self.effects]
        notes = []
        for null in others if 0 in self.effects else []:
            try:
                worlds.append(world_of(alone, null, 0.0, by_document))
            except NotApplicable as error:
                notes.append(Note("warning", f"No result for {NULLS[null]}. {error}"))
        notes += [
            Note("warning", _unlike(world, by_document)) for world in worlds if world.share(by_document) < LITTLE_SHARE
        ]
        return worlds, tuple(notes)


def _unlike(world: World, by_document: bool) -> str:
    units = "documents" if by_document else "segments"
    effect = f"{world.effect:g} of the observed difference" if world.effect else "equal scores"
    return (
        f"For {effect}, {units} are sampled with very unequal probabilities. So the effective number is only "
        f"{world.share(by_document):.0%} of the total: this population is unlike these data."
    )


def _power(truth: Floats, error: Floats, z: float) -> Floats:
    """Return Φ(d/SE − z) + Φ(−d/SE − z); where nothing varies, 0 without a difference and 1 with one."""
    apart = np.divide(np.abs(truth), error, out=np.where(truth == 0, -np.inf, np.inf) + error, where=error > 0)
    at_least = scipy.stats.norm.cdf(apart - z) + np.where(np.isfinite(apart), scipy.stats.norm.cdf(-apart - z), 0.0)
    return np.asarray(at_least)


def _spread(world: Population, by_document: bool) -> float:
    """Return the standard deviation of one drawn unit's share in the difference, on the scale of the difference.

    Both orders of the labels count with their probability; shares are g_X·x − g_Y·y with gradients at the true sums.
    """
    statistics = world.statistics.by_document() if by_document else world.statistics
    values, chances = statistics.values.astype(np.float64), world.chances(by_document)
    sums = statistics.n * np.einsum("ksn,n->ks", values, chances)
    sums = world.effect * sums + (1 - world.effect) * sums.mean(axis=1, keepdims=True)
    slopes = statistics.metric.gradient(sums) * statistics.n
    straight = np.einsum("k,kn->n", slopes[:, 0], values[:, 0]) - np.einsum("k,kn->n", slopes[:, 1], values[:, 1])
    crossed = np.einsum("k,kn->n", slopes[:, 0], values[:, 1]) - np.einsum("k,kn->n", slopes[:, 1], values[:, 0])
    keep = (1 + world.effect) / 2
    mean = chances @ (keep * straight + (1 - keep) * crossed)
    variance = chances @ (keep * np.square(straight - mean) + (1 - keep) * np.square(crossed - mean))
    return float(np.sqrt(variance))


def _judged(experiment: Calibrate, by_document: bool, job: tuple[World, int, range]) -> Counts:
    """Return how many of the job's test sets each test found significant, and how many intervals held the truth."""
    world, count, numbers = job
    population, counts = world.population, np.zeros(len(experiment.tests) + 1, dtype=np.int64)
    for number in numbers:
        drawn = (population.draw_documents if by_document else population.draw)(count, number, experiment.seed)
        if not by_document:
            drawn = replace(drawn, document_of=None)
        # Draws of their own for every test set: shared ones would make the simulations depend on each other.
        seed = experiment.seed + number + 1
        scores = Scores(drawn.at(experiment.unit), Bootstrap(experiment.n_resamples, seed))
        targets = pairs_of(scores, [drawn.systems[:2]])  # type: ignore[list-item]
        for row, name in enumerate(experiment.tests):
            counts[row] += _significant(name, targets, drawn, experiment, seed)
        (low, high), _ = ends_of(targets, experiment.interval, experiment.level)
        counts[-1] += bool(low[0] <= world.truth <= high[0])
    return counts


def _significant(name: str, targets: Pairs, drawn: Statistics, experiment: Calibrate, seed: int) -> bool:
    settings = Settings(
        test=name, n_resamples=experiment.n_resamples, seed=seed, unit=targets.statistics.unit, level=experiment.level
    )
    test = settings.chosen_test(targets.statistics.unit)
    if test.segment_only and targets.statistics.unit != "segment":
        targets = pairs_of(Scores(drawn, Bootstrap(experiment.n_resamples, seed, "segment")), [targets.labels[0]])
    p = test(targets).p_value[0]
    if isinstance(test, KoehnWins):
        # A method without p-values, read the way its users do: so many redraws won, by either system.
        wins, ties = win_rates(targets)
        return bool(max(wins[0], 1 - wins[0] - ties[0]) >= experiment.level - 1e-12)
    # A test that has no p for this test set (no derivative, for one) claims nothing.
    return bool(p <= 1 - experiment.level + 1e-12)


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
    most_systems: int = option(6, "Systems, at most", "How many systems are used, from the first on.", low=2, high=50)
    n_resamples: int = option(
        499, "Resamples", "Random swaps in each test; corrections may need more.", low=99, high=100_000, advanced=True
    )
    null: Null = option(
        "exchangeable",
        "Null",
        "Make systems equal by swapping their outputs at random, or by shifting their scores to equal means. The "
        "second is only for means of segment scores.",
    )
    drawn: Drawn = option("segments", "Drawn", "Draw and test segments or whole documents; auto: documents if known.")
    alpha: float = option(0.05, "Error rate", "The significance level α.", low=0.001, high=0.5)
    seed: int = same_option(Settings, "seed")

    name = "multiplicity"
    label = "Many comparisons"
    about = "If no system is better, how often is at least one pair significant, with and without correction?"
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
    seed: int = same_option(Settings, "seed")
    pair: Pair | None = None

    name = "peeking"
    at_once = True
    label = "Looking while the test set grows"
    about = "Without any difference, how often is p significant if it is checked while segments are added?"
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
