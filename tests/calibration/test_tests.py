"""How often scores without derivative are told apart that are equal, and how often those that are not."""

from collections.abc import Callable

import numpy as np
import pytest
from sampled import slow
from scipy import stats

from mtsig import measure, read_sample, verdict
from mtsig.inference import compare
from mtsig.inference._tests import JackknifeT
from mtsig.metrics import Bleu, Statistics
from mtsig.resampling import Bootstrap

WHOLE = 0.034
"""Share of segments that "unlike" has whole."""

LEFT = np.array([0.5, 0.2, 0.0, 0.0])
"""Share of the matches of each order that its other segments have."""

KEPT = WHOLE + (1 - WHOLE) * LEFT
"""Share of the matches that "thin" has of each order: as many as "unlike", so both score the same in the long run."""

Kind = Callable[[np.ndarray, np.random.Generator], np.ndarray]


def full(matches: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    del rng
    return matches


def thin(matches: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return rng.binomial(matches, KEPT[:, None])


def unlike(matches: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    whole = rng.random(matches.shape[1]) < WHOLE
    return np.where(whole, matches, rng.binomial(matches, LEFT[:, None]))


def bare(matches: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return rng.binomial(matches, LEFT[:, None])


def verdicts(first: Kind, second: Kind, n: int, sets: int, size: int = 1) -> int:
    """Return how many of the sets have a verdict, on scores without derivative alone; documents of a size."""
    rng = np.random.default_rng(n + size)
    counts = measure(read_sample(), "bleu").values[:, 0].astype(np.int64)
    test = JackknifeT(scheme=Bootstrap(999))
    found = 0
    for _ in range(sets):
        drawn = counts[:, rng.integers(0, counts.shape[1], n * size)]
        systems = np.stack([drawn, drawn], axis=1)
        for row, kind in enumerate((first, second)):
            systems[2:6, row] = kind(drawn[2:6], rng)
        pooled = systems.reshape(*systems.shape[:2], n, size).sum(axis=-1).astype(np.float32)
        sizes = None if size == 1 else np.full(n, size)
        statistics = Statistics(Bleu(), ("x", "y"), pooled, unit="segment" if size == 1 else "document", sizes=sizes)
        one = compare(statistics, test)[0]
        found += bool(one.unmatched) and verdict(one).word == "better"
    print(f"{first.__name__} and {second.__name__}, {n} units of {size}: {found / sets:.3f} of {sets} sets")
    return found


def at_most(share: float, sets: int) -> int:
    """Return the most verdicts that one in a thousand runs of so many sets would exceed if the share were this."""
    return int(stats.binom.ppf(0.999, sets, share))


SHORT = [(20, 1), (10, 6)]
SETS = 150
LONG = [(20, 1), (50, 1), (10, 6), (20, 6)]


@pytest.mark.parametrize(("n", "size"), [*slow(SHORT[0]), SHORT[1]])
def test_equal_scores_are_hardly_ever_told_apart(n: int, size: int) -> None:
    # A share of .10 instead of .01, and one of .20 instead of .07, is noticed with a probability of .99 and .96.
    if size == 1:
        assert verdicts(thin, thin, n, SETS, size) <= at_most(0.01, SETS)
    assert verdicts(thin, unlike, n, SETS, size) <= at_most(0.07, SETS)


@pytest.mark.parametrize(("n", "size"), SHORT[:1])
def test_a_system_without_long_matches_is_beaten_by_an_ordinary_one(n: int, size: int) -> None:
    assert verdicts(bare, full, n, 12, size) >= 11


@pytest.mark.slow
@pytest.mark.parametrize(("n", "size"), LONG)
def test_equal_scores_are_hardly_ever_told_apart_in_the_long_run(n: int, size: int) -> None:
    assert verdicts(thin, thin, n, 2000, size) <= at_most(0.01, 2000)
    assert verdicts(thin, unlike, n, 2000, size) <= at_most(0.07, 2000)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "size"), LONG)
def test_a_system_without_long_matches_is_beaten_in_the_long_run(n: int, size: int) -> None:
    assert verdicts(bare, full, n, 500, size) >= 475
