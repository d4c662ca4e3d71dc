"""Calibration: type-I error, power and coverage of tests and intervals on the user's own data.

Two real systems are taken as a population. Exchanging their labels at random in every drawn unit makes a true null,
under which randomization is exact by construction; populations in which the systems keep their outputs and score the
same (see `equal_scores`) make another, under which any test can fail. Exchanging, shifting or tilting less makes a true
effect of known size, up to the whole real difference. Test sets are drawn with replacement and handed to the tests like
any others.
"""

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from mtsig._probability import clopper_pearson
from mtsig._records import Floats
from mtsig.corpus import Note
from mtsig.errors import InvalidOption, NotApplicable, find
from mtsig.inference import INTERVALS, TESTS, Settings
from mtsig.inference._adjust import win_rates
from mtsig.inference._intervals import ends_of
from mtsig.inference._significance._bootstrap import KoehnWins
from mtsig.inference._targets import Pairs, Scores, pairs_of
from mtsig.lab._material import RIEZLER_MAXWELL, Experiment, LabResult, Material, Pair, Population, records, upright
from mtsig.lab._worlds import LITTLE_SHARE, NULLS, Drawn, Made, Null, World, draws_documents, units_of, world_of
from mtsig.metrics import Statistics
from mtsig.metrics._statistics import Unit
from mtsig.options import option
from mtsig.progress import batches, done_in_order
from mtsig.resampling import Bootstrap

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

    simulations: int = option(400, "Simulations", "Test sets for each size and effect.", low=50, high=1_000_000)
    n_resamples: int = option(499, "Resamples", "Swaps or resamples in each test.", low=99, high=1_000_000)
    interval: str = option("jackknife", "Interval", "The method whose coverage is measured.", choices=lambda: INTERVALS)
    level: float = option(0.95, "Confidence", "Confidence level; tests use α = 1 − level.", low=0.5, high=0.9999)
    drawn: Drawn = option("auto", "Drawn", "Draw segments or whole documents; auto: documents if ids are known.")
    unit: Unit = option("auto", "Unit", "The sampling unit of the tests.")
    seed: int = option(12345, "Seed", "The same seed gives the same test sets.", low=0, high=2**53 - 1, advanced=True)
    tests: tuple[str, ...] = DEFAULT_TESTS
    sizes: tuple[int, ...] = (100, 300)
    effects: tuple[float, ...] = (0.0, 0.5, 1.0)
    nulls: tuple[Null, ...] = ("exchangeable", "equal-scores")
    pair: Pair | None = None

    name = "calibrate"
    label = "Calibration of tests"
    about = "On data like these, how often does a test find a difference that does not exist, or detect one that does?"
    paper = f"{RIEZLER_MAXWELL}, section 4.3"

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
        f"For {effect}, {units} are drawn with very unequal probabilities, so the effective number is only "
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
