"""Calibration: type-I error, power and coverage of tests and intervals on the user's own data.

Two real systems are taken as a population. Exchanging their labels at random in every drawn unit makes a true null;
exchanging them less often makes a true effect of known size, up to the whole real difference. Test sets are drawn with
replacement and handed to the tests like any others.
"""

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from mtsig.corpus import MIN_DOCUMENTS
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.experiments.jobs import batches, done_in_order
from mtsig.experiments.material import Experiment, Material, Pair, Result
from mtsig.experiments.populations import Population
from mtsig.inference import INTERVALS, TESTS, Settings
from mtsig.inference.compare import win_rates
from mtsig.inference.intervals import ends_of
from mtsig.inference.probability import clopper_pearson
from mtsig.inference.targets import Pairs, Scores, pairs_of
from mtsig.metrics import Statistics, Unit
from mtsig.options import option
from mtsig.registry import find
from mtsig.resampling import Bootstrap, sign_of
from mtsig.steps import Steps

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

Drawn = Literal["auto", "segments", "documents"]


@dataclass(frozen=True, eq=False)
class Calibration(Result):
    """How often tests reject, and intervals cover, when the truth is known.

    effects: shape (e,), shares of the real difference; truth: shape (e,), the true differences. sizes: shape (z,),
    units in a test set. rejected: shape (tests, z, e), how many of `simulations` test sets were significant at alpha.
    covered: shape (z, e), how many intervals held the true difference. predicted: shape (z, e), the power of a test on
    the difference's own standard error, by normal theory.
    drawn: whether segments or documents were drawn; unit: what the tests took for a unit.
    """

    metric: str
    pair: Pair
    tests: tuple[str, ...]
    interval: str
    level: float
    simulations: int
    drawn: str
    unit: str
    effects: Floats
    truth: Floats
    sizes: NDArray[np.int64]
    rejected: Counts
    covered: Counts
    predicted: Floats

    @property
    def alpha(self) -> float:
        """The error rate that is asked for."""
        return 1 - self.level

    @property
    def rate(self) -> Floats:
        """Share of significant test sets: type-I error where the effect is 0, else power; shape (tests, z, e)."""
        return self.rejected / self.simulations

    @property
    def coverage(self) -> Floats:
        """Share of intervals that hold the truth; shape (z, e)."""
        return self.covered / self.simulations

    def ends(self, counts: Counts) -> tuple[Floats, Floats]:
        """Return the 95% binomial interval of rates."""
        return clopper_pearson(counts.astype(float), self.simulations)

    def honest(self, test: int, size: int) -> bool | None:
        """Return whether a test's error on the true null fits alpha (binomial 95%); None without a null."""
        null = np.flatnonzero(self.effects == 0)
        if not len(null):
            return None
        low, high = self.ends(self.rejected[test, size, null])
        return bool(low[0] <= self.alpha <= high[0])

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per test, size and effect, and for the interval as if it were a test."""
        rows = []
        kinds = [("rejects", name, self.rejected[row]) for row, name in enumerate(self.tests)]
        for what, name, counts in [*kinds, ("covers", self.interval, self.covered)]:
            low, high = self.ends(counts)
            rows += [
                {
                    "metric": self.metric,
                    "first": self.pair[0],
                    "second": self.pair[1],
                    "method": name,
                    "what": what,
                    "size": int(self.sizes[z]),
                    "effect": float(self.effects[e]),
                    "true_difference": float(self.truth[e]),
                    "share": float(counts[z, e] / self.simulations),
                    "low": float(low[z, e]),
                    "high": float(high[z, e]),
                    "predicted_power": float(self.predicted[z, e]) if what == "rejects" else None,
                }
                for z in range(len(self.sizes))
                for e in range(len(self.effects))
            ]
        return rows


@dataclass(frozen=True)
class Calibrating(Experiment[Calibration]):
    """Simulated test sets with known truth under any tests and one kind of interval."""

    simulations: int = option(400, "Simulations", "Test sets for every size and effect.", low=50, high=1_000_000)
    draws: int = option(499, "Draws", "Shuffles or redraws in every test.", low=99, high=1_000_000)
    interval: str = option("ij", "Interval", "Whose coverage is looked at.", choices=tuple(INTERVALS))
    level: float = option(
        0.95, "Level", "Coverage asked for; 1 − level is the error rate of tests.", low=0.5, high=0.9999
    )
    drawn: Drawn = option("auto", "Drawn", "Draw segments, or whole documents; auto takes documents where known.")
    unit: Unit = option("auto", "Unit", "What the tests take for a unit.")
    seed: int = option(12345, "Seed", "The same seed gives the same test sets.", low=0, high=2**53 - 1, advanced=True)
    tests: tuple[str, ...] = ("ar", "ij-t", "bootstrap-shift")
    sizes: tuple[int, ...] = (100, 300)
    effects: tuple[float, ...] = (0.0, 0.5, 1.0)
    pair: Pair | None = None

    name = "calibrate"
    label = "Calibration of tests"
    about = "On data like these, how often does a test claim a difference that is not there, or find one that is?"
    paper = "RM05, section 4.3"

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            UnknownName: no such test.
            InvalidOption: there is no size, no effect, or one is out of range.
        """
        super().__post_init__()
        for name in self.tests:
            find(TESTS, name, "test")
        if not self.sizes or not self.effects or min(self.sizes) < 10 or not all(0 <= e <= 1 for e in self.effects):
            raise InvalidOption(
                "Calibration needs sizes of at least 10 segments and effects from 0 (a true null) to 1 (the real "
                f"difference); found sizes {list(self.sizes)} and effects {list(self.effects)}."
            )

    def steps(self, material: Material, executor: Executor | None = None) -> Steps[Calibration]:
        """Simulate, some test sets a job.

        Raises:
            NotApplicable: documents are to be drawn and a size holds too few of them.
        """
        pair = material.pair(self.pair)
        alone = material.truth_of(pair).statistics.at("segment")
        by_document = self._by_document(alone)
        counts = [self._count(size, alone, by_document) for size in self.sizes]
        worlds = [Population(alone, effect) for effect in self.effects]
        jobs = [
            _Job(world, self, count, by_document, part)
            for count in counts
            for world in worlds
            for part in batches(self.simulations, 25)
        ]
        parts = yield from done_in_order(_judged, jobs, executor)
        shape = (len(counts), len(worlds), -1, len(self.tests) + 1)
        totals = np.array(parts).reshape(shape).sum(axis=2)
        truth = np.array([world.true_difference(*pair) for world in worlds])
        spread = np.array([_spread(world, by_document) for world in worlds])
        error = spread[None] / np.sqrt(np.array(counts))[:, None]
        z = stats.norm.ppf((1 + self.level) / 2)
        return Calibration(
            alone.metric.name,
            pair,
            self.tests,
            self.interval,
            self.level,
            self.simulations,
            "documents" if by_document else "segments",
            _unit_of(alone, by_document, self.unit),
            np.array(self.effects),
            truth,
            np.array(counts),
            np.moveaxis(totals[..., :-1], -1, 0),
            totals[..., -1],
            _power(truth, error, z),
        )

    def _by_document(self, alone: Statistics) -> bool:
        documents = alone.n_documents
        if self.drawn == "documents" and documents is None:
            raise NotApplicable("Documents cannot be drawn: no document ids were given (--docs, or docids.txt).")
        return self.drawn == "documents" or (
            self.drawn == "auto" and documents is not None and documents >= MIN_DOCUMENTS and self.unit != "segment"
        )

    def _count(self, size: int, alone: Statistics, by_document: bool) -> int:
        """Return how many units make a test set of about `size` segments."""
        if not by_document:
            return size
        count = round(size * (alone.n_documents or 1) / alone.n)
        if count < MIN_DOCUMENTS:
            raise NotApplicable(
                f"{size} segments are about {count} documents here, and inference by document needs {MIN_DOCUMENTS}. "
                "Take larger sizes, or draw segments (--drawn segments)."
            )
        return count


def _power(truth: Floats, error: Floats, z: float) -> Floats:
    """Return Φ(d/SE − z) + Φ(−d/SE − z); where nothing varies, 0 without a difference and 1 with one."""
    apart = np.divide(np.abs(truth), error, out=np.where(truth == 0, -np.inf, np.inf) + error, where=error > 0)
    found = stats.norm.cdf(apart - z) + np.where(np.isfinite(apart), stats.norm.cdf(-apart - z), 0.0)
    return np.asarray(found)


def _unit_of(alone: Statistics, by_document: bool, unit: Unit) -> str:
    known = alone if by_document else replace(alone, document_of=None)
    return known.at(unit).unit


def _spread(world: Population, by_document: bool) -> float:
    """Return the standard deviation of one drawn unit's share in the difference, on the scale of the difference.

    Both orders of the labels count with their probability; shares are g_X·x − g_Y·y with gradients at the true sums.
    """
    statistics = world.statistics.by_document() if by_document else world.statistics
    values = statistics.values.astype(np.float64)
    sums = world.effect * statistics.sums + (1 - world.effect) * statistics.sums.mean(axis=1, keepdims=True)
    slopes = statistics.metric.gradient(sums) * statistics.n
    straight = np.einsum("k,kn->n", slopes[:, 0], values[:, 0]) - np.einsum("k,kn->n", slopes[:, 1], values[:, 1])
    crossed = np.einsum("k,kn->n", slopes[:, 0], values[:, 1]) - np.einsum("k,kn->n", slopes[:, 1], values[:, 0])
    keep = (1 + world.effect) / 2
    mean = keep * straight.mean() + (1 - keep) * crossed.mean()
    variance = keep * np.square(straight - mean).mean() + (1 - keep) * np.square(crossed - mean).mean()
    return float(np.sqrt(variance))


@dataclass(frozen=True, eq=False)
class _Job:
    world: Population
    plan: Calibrating
    count: int
    by_document: bool
    numbers: range


def _judged(job: _Job) -> Counts:
    """Return how many of the job's test sets each test found significant, and how many intervals held the truth."""
    plan, world = job.plan, job.world
    truth = sign_of(world.statistics.metric) * float(world.truth[0] - world.truth[1])
    found = np.zeros(len(plan.tests) + 1, dtype=np.int64)
    for number in job.numbers:
        drawn = (world.draw_documents if job.by_document else world.draw)(job.count, number, plan.seed)
        if not job.by_document:
            drawn = replace(drawn, document_of=None)
        # Draws of their own for every test set: shared ones would make the simulations depend on each other.
        seed = plan.seed + number + 1
        scores = Scores(drawn.at(plan.unit), Bootstrap(plan.draws, seed))
        targets = pairs_of(scores, [drawn.systems[:2]])  # type: ignore[list-item]
        for row, name in enumerate(plan.tests):
            found[row] += _significant(name, targets, drawn, plan, seed)
        (low, high), _ = ends_of(targets, plan.interval, plan.level)
        found[-1] += bool(low[0] <= truth <= high[0])
    return found


def _significant(name: str, targets: Pairs, drawn: Statistics, plan: Calibrating, seed: int) -> bool:
    settings = Settings(test=name, draws=plan.draws, seed=seed, unit=targets.statistics.unit, level=plan.level)
    test = settings.chosen_test()
    if test.segment_only and targets.statistics.unit != "segment":
        targets = pairs_of(Scores(drawn, Bootstrap(plan.draws, seed, "segment")), [targets.labels[0]])
    p = test(targets).p_value[0]
    if np.isnan(p):
        # A method without p-values, read the way its users do: so many redraws won, by either system.
        wins, ties = win_rates(targets)
        return bool(max(wins[0], 1 - wins[0] - ties[0]) >= plan.level - 1e-12)
    return bool(p <= 1 - plan.level + 1e-12)
