"""Error and power of `compare_runs` at a nominal .05, with runs that vary alike or not: a table row per case.

Run with -s to see the rows; the long version (-m slow) has 3,000 sets of each. Beside it stands the t test with
Satterthwaite's degrees of freedom, which the program had before.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from made import rated
from scipy import stats

from calibration.nulls import plausible
from mtsig import compare_runs
from mtsig.inference import RunComparison

pytestmark = pytest.mark.calibration

LONG = pytest.mark.slow
ALPHA = 0.05


@dataclass(frozen=True)
class World:
    """500 segments; a system's own difficulty of a segment (SD `own`), and luck of run × segment (SD `luck`).

    With documents there are so many of one length, and a system's own difficulty of a document has the SD `shared`.
    """

    own: float
    luck: float
    documents: int = 0
    shared: float = 0.0
    n: int = 500

    def error(self, runs: tuple[int, int], spread: tuple[float, float]) -> float:
        """Return the true standard error of the difference."""
        by_runs = sum((sd**2 + self.luck**2 / self.n) / r for sd, r in zip(spread, runs, strict=True))
        return float(np.sqrt(2 * self.own**2 / self.n + by_runs))

    def drawn(self, rng: np.random.Generator, runs: tuple[int, int], spread: tuple[float, float],
              gap: float) -> RunComparison:  # fmt: skip
        """Return the comparison of two systems that truly differ by `gap`."""
        segment = rng.normal(50, 10, self.n)
        of = np.repeat(np.arange(self.documents), self.n // self.documents) if self.documents else None
        scores, names = [], []
        for name, r, sd, ahead in zip("XY", runs, spread, (gap, 0.0), strict=True):
            own = rng.normal(0, self.own, self.n)
            if of is not None:
                own += rng.normal(0, self.shared, self.documents)[of]
            scores.append(segment + own + ahead + sd * rng.normal(size=(r, 1)) + rng.normal(0, self.luck, (r, self.n)))
            names += [f"{name}.run{i}" for i in range(r)]
        return compare_runs(rated(np.concatenate(scores), names, of), "X", "Y")


# Fitted to what an independent simulation measured of single runs and of segment tests with three runs …
SEGMENTS = World(8.5, 6.0)
# … and to what another measured of Satterthwaite's df: there the runs make nearly all of the variance.
RUNS = World(2.83, 2.0)
WORLDS = {"segments": SEGMENTS, "runs": RUNS}


def rates(world: World, runs: tuple[int, int], spread: tuple[float, float], sets: int, gap: float = 0.0) -> list[int]:
    """Return how often there was a verdict, by the draws and by Satterthwaite's t."""
    # A stream per case: no case hangs on how many others there are.
    by = (world.documents,) if world.documents else ()
    key = [round(100 * value) for value in (world.own, world.luck, *runs, *spread, gap, *by)]
    rng, counts = np.random.default_rng(key), np.zeros(2, dtype=int)
    for _ in range(sets):
        found = world.drawn(rng, runs, spread, gap)
        classical = 2 * stats.t.sf(abs(found.difference) / np.sqrt(found.variance), found.df)
        counts += (found.p_value <= ALPHA, classical <= ALPHA)
    return [int(count) for count in counts]


# What the drawn p may err at most. Where it has no cell of its own, .05.
SIZES = [
    ((2, 2), (0.0, 0.8), 0.009), ((3, 3), (0.0, 0.8), 0.039), ((5, 2), (0.0, 0.8), 0.035),
    ((2, 2), (0.0, 0.0), 0.023), ((2, 2), (0.8, 0.8), 0.023), ((3, 3), (0.0, 0.0), 0.023),
    ((3, 3), (0.8, 0.8), 0.023), ((5, 2), (0.8, 0.8), 0.023), ((5, 5), (0.8, 0.8), 0.05), ((5, 5), (0.0, 0.8), 0.05),
]  # fmt: skip


def row(world: str, runs: tuple[int, int], spread: tuple[float, float], counts: list[int], sets: int) -> str:
    drawn, classical = (f"{count / sets:.3f}" for count in counts)
    return f"\n{world}: runs {runs}, SD {spread}: drawn {drawn}, Satterthwaite {classical} ({sets} sets)"


@pytest.mark.parametrize(("runs", "spread", "cell"), SIZES[:3:2])
def test_few_runs_keep_the_level(runs: tuple[int, int], spread: tuple[float, float], cell: float) -> None:
    sets = 200
    counts = rates(SEGMENTS, runs, spread, sets)
    print(row("segments", runs, spread, counts, sets))
    assert plausible(counts[0], sets, 0.0, cell)


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize(("runs", "spread", "cell"), SIZES)
def test_the_table_of_sizes(world: str, runs: tuple[int, int], spread: tuple[float, float], cell: float) -> None:
    sets = 3000
    counts = rates(WORLDS[world], runs, spread, sets)
    print(row(world, runs, spread, counts, sets))
    assert counts[0] <= sets * cell + 2 * np.sqrt(sets * cell * (1 - cell))


@pytest.mark.slow
@pytest.mark.parametrize("documents", [10, 20, 50])
@pytest.mark.parametrize(("runs", "spread"), [((2, 2), (0.0, 0.8)), ((3, 3), (0.0, 0.8)), ((5, 5), (0.5, 0.5))])
def test_the_table_of_sizes_by_documents(documents: int, runs: tuple[int, int], spread: tuple[float, float]) -> None:
    sets = 1500
    counts = rates(World(8.5, 6.0, documents, 3.0), runs, spread, sets)
    print(row(f"{documents} documents", runs, spread, counts, sets))
    assert plausible(counts[0], sets, 0.0, ALPHA)


# The difference, in true standard errors, is the one that Satterthwaite's t finds in .91, .87 and .86.
POWERS = [((2, 2), 5.1, 0.19, 0.91), ((3, 3), 3.33, 0.58, 0.87), ((5, 5), 3.09, 0.78, 0.86)]


@pytest.mark.parametrize(
    ("runs", "far", "drawn", "classical", "sets"),
    [(*POWERS[1], 150), *(pytest.param(*one, 3000, marks=LONG) for one in POWERS)],
)
def test_the_table_of_power(runs: tuple[int, int], far: float, drawn: float, classical: float, sets: int) -> None:
    spread = (0.5, 0.5)
    counts = rates(SEGMENTS, runs, spread, sets, far * SEGMENTS.error(runs, spread))
    print(row(f"segments, {far} SE", runs, spread, counts, sets))
    # No run SD is known for these powers: .02 on either side for that, and for its own error.
    assert plausible(counts[0], sets, drawn - 0.02, drawn + 0.02)
    assert plausible(counts[1], sets, classical - 0.02, classical + 0.02)


@pytest.mark.slow
def test_more_runs_find_more_of_the_same_difference() -> None:
    sets, found = 1000, []
    for r in (2, 3, 4, 5, 8, 10):
        counts = rates(SEGMENTS, (r, r), (0.5, 0.5), sets, 2.5)
        print(row("segments, 2.5 points", (r, r), (0.5, 0.5), counts, sets))
        found.append(counts[0])
    # From eight runs on nearly all are found, and which number finds more is luck.
    assert found[:5] == sorted(found[:5])
