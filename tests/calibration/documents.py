"""Test sets of documents whose truth is known, and how often the program errs on them.

Worlds: real documents, whole, redrawn with replacement from a set that is taken as the truth; and made documents
without end. Nulls: `centred` (systems score the same, and keep their ways), and `exchanged` (labels permuted in every
document).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from made import Rated
from numpy.typing import NDArray
from scipy import stats

from mtsig import verdict
from mtsig.inference import Settings, compare
from mtsig.inference._fields import spread_range
from mtsig.inference._intervals import interval
from mtsig.inference._tests import JackknifeT
from mtsig.lab._material import Population
from mtsig.metrics import Statistics
from mtsig.resampling import Bootstrap

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Statistics]


@dataclass(frozen=True)
class World:
    """A population of documents: `draw` gives a test set of so many, `truth` has the systems' true scores."""

    name: str
    systems: tuple[str, ...]
    truth: Floats
    draw: Draw

    def sets(self, documents: int, count: int, seed: int) -> Iterator[Statistics]:
        """Yield `count` test sets."""
        rng = np.random.default_rng([seed, documents])
        for _ in range(count):
            yield self.draw(rng, documents)


def taken(whole: Statistics, places: NDArray[np.int64]) -> Statistics:
    """Return the documents at these places of statistics by document."""
    assert whole.sizes is not None
    return replace(whole, values=np.ascontiguousarray(whole.values[..., places]), sizes=whole.sizes[places])


def redrawn(name: str, statistics: Statistics) -> World:
    """Return the world of a set's documents, drawn with replacement."""
    whole = statistics.by_document()

    def draw(rng: np.random.Generator, documents: int) -> Statistics:
        return taken(whole, rng.integers(0, whole.n, documents))

    return World(name, whole.systems, whole.scores, draw)


def centred(statistics: Statistics) -> Statistics:
    """Return means of segment scores, shifted so that all systems have the same: nothing else is changed."""
    values = statistics.values.astype(np.float64)
    values[0] -= (values[0].mean(axis=1) - values[0].mean())[:, None] * values[1]
    return replace(statistics, values=values)


def exchanged(world: World) -> World:
    """Return the world in which the systems' labels are permuted in every drawn document."""

    def draw(rng: np.random.Generator, documents: int) -> Statistics:
        drawn = world.draw(rng, documents)
        labels = rng.permuted(np.tile(np.arange(len(world.systems))[:, None], documents), axis=0)
        return replace(drawn, values=np.ascontiguousarray(drawn.values[:, labels, np.arange(documents)]))

    return World(f"{world.name}, exchanged", world.systems, np.full(len(world.systems), np.nan), draw)


def tilted(name: str, population: Population) -> World:
    """Return the world of a population whose documents are drawn with chances that make both systems score the same."""

    def draw(rng: np.random.Generator, documents: int) -> Statistics:
        return population.draw_documents(documents, int(rng.integers(2**40))).by_document()

    return World(name, population.systems, population.truth, draw)


def made(spread: float, systems: int = 6, effects: float = 0.4) -> World:
    """Return a world of made documents without end: lognormal lengths, document effects that differ by system.

    The effect of a document is its own for every system, with more spread for some systems than for others: documents
    cannot be exchanged, and all systems score 0.
    """
    own = effects * np.linspace(0.5, 1.5, systems)[:, None]

    def draw(rng: np.random.Generator, documents: int) -> Statistics:
        sizes = np.maximum(1, np.rint(12 * rng.lognormal(0, spread, documents))).astype(np.int64)
        effect = own * rng.normal(0, 1, (systems, documents))
        sums = sizes * effect + np.sqrt(sizes) * rng.normal(0, 1, (systems, documents))
        values = np.array([sums, np.tile(sizes, (systems, 1)).astype(float)])
        return Statistics(Rated(), tuple("ABCDEFGHIJ"[:systems]), values, unit="document", sizes=sizes)

    name = "equal lengths" if spread == 0 else f"lognormal lengths (σ {spread:g})"
    return World(name, tuple("ABCDEFGHIJ"[:systems]), np.zeros(systems), draw)


def with_effect(world: World, difference: float) -> World:
    """Return the world in which the first system is better by `difference`."""

    def draw(rng: np.random.Generator, documents: int) -> Statistics:
        drawn = world.draw(rng, documents)
        values = drawn.values.astype(np.float64)
        values[0, 0] += difference * values[1, 0]
        return replace(drawn, values=values)

    return World(world.name, world.systems, world.truth + difference * (np.arange(len(world.truth)) == 0), draw)


@dataclass(frozen=True)
class Rates:
    """How often, of `sets` test sets: each pair was significant by itself, any system was called better in the family.

    told: how many sets had at least 4 degrees of freedom, so that verdicts were given.
    """

    sets: int
    pairs: NDArray[np.int64]
    families: int
    told: int
    directed: int

    @cached_property
    def mean(self) -> float:
        """The mean rate of pairs."""
        return float(self.pairs.mean() / self.sets)

    @cached_property
    def worst(self) -> float:
        """The rate of the worst pair."""
        return float(self.pairs.max() / self.sets)

    @cached_property
    def family(self) -> float:
        """The share of families with a false "better"."""
        return self.families / self.sets


def rates(world: World, documents: int, sets: int, seed: int = 1, settings: Settings | None = None) -> Rates:
    """Return how often the configuration (the default one, when None) claims anything."""
    # The redraws behind win rates decide nothing here.
    settings = settings or Settings(n_resamples=10)
    pairs, families, told, directed = None, 0, 0, 0
    for one in world.sets(documents, sets, seed):
        family = settings.family(one)
        found = family.p_value <= 0.05 + 1e-12
        pairs = found.astype(np.int64) if pairs is None else pairs + found
        decided = [verdict(comparison) for comparison in family]
        claimed = [one.winner if not one.caution else None for one in decided]
        families += any(claimed)
        directed += sum(winner == world.systems[0] for winner in claimed)
        told += not any(family.data_caveat)
    assert pairs is not None
    return Rates(sets, pairs, families, told, directed)


@dataclass(frozen=True)
class Misses:
    """How often intervals missed the truth: of single scores (s,), of pairs (m,), and of any pair (simultaneous)."""

    sets: int
    singles: NDArray[np.int64]
    pairs: NDArray[np.int64]
    together: int


def misses(world: World, documents: int, sets: int, seed: int = 2) -> Misses:
    """Return how often the default intervals, and the simultaneous ones, miss."""
    scheme = Bootstrap(10)
    truth = world.truth
    singles, pairs, together = np.zeros(len(truth), dtype=np.int64), None, 0
    alone, joint = Settings(n_resamples=10), Settings(n_resamples=10, interval="simultaneous")
    for one in world.sets(documents, sets, seed):
        scores = interval(one, scheme=scheme)
        singles += (scores.ci_low > truth) | (truth > scores.ci_high)
        family = alone.family(one)
        x, y = ([one.row(name) for name in side] for side in (family.first, family.second))
        gaps = (truth[x] - truth[y]) * (1 if one.metric.higher_is_better else -1)
        lost = (family.ci_low > gaps) | (gaps > family.ci_high)
        pairs = lost.astype(np.int64) if pairs is None else pairs + lost
        wide = joint.family(one)
        together += bool(np.any((wide.ci_low > gaps) | (gaps > wide.ci_high)))
    assert pairs is not None
    return Misses(sets, singles, pairs, together)


def range_holds(world: World, documents: int, sets: int, seed: int = 6) -> tuple[Floats, int]:
    """Return for every pair how often λ·SE's range holds λ·σ, σ the true spread, and in how many sets it is told."""
    names = list(combinations(range(len(world.systems)), 2))
    scores = np.array([one.scores for one in world.sets(documents, sets, seed + 1)])
    true = np.array([(scores[:, x] - scores[:, y]).std() for x, y in names])
    held, known = np.zeros(len(names)), 0
    for one in world.sets(documents, sets, seed):
        family = compare(one, JackknifeT(Bootstrap(10)))
        if any(verdict(comparison).word == "withheld" for comparison in family):
            continue
        low, high = np.array([spread_range(df) for df in family.df]).T
        held += (family.standard_error * low <= true) & (true <= family.standard_error * high)
        known += 1
    return held / known, known


def at_most(rate: float, limit: float, trials: int, errors: float = 2) -> bool:
    """Return whether a rate lies at most so many binomial standard errors above the limit."""
    return rate <= limit + errors * float(np.sqrt(limit * (1 - limit) / trials)) + 1e-12


def plausibly_at_most(count: int, trials: int, limit: float) -> bool:
    """Return whether a rate of at most `limit` shows so many in all but one of 10,000 cases."""
    return bool(count <= stats.binom.ppf(0.9999, trials, limit))
