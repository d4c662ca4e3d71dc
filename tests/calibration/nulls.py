"""Worlds in which the truth is known: labels exchanged at random, and samples from a population."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
from scipy import stats

from mtsig.metrics import Statistics


def swapped(statistics: Statistics, simulations: int, seed: int, n: int | None = None) -> Iterator[Statistics]:
    """Yield the statistics of n drawn segments with the systems' labels permuted within each: no system is better."""
    rng = np.random.default_rng(seed)
    systems, units = len(statistics.systems), n or statistics.n
    for _ in range(simulations):
        # From fewer segments than asked for, some are taken more than once.
        taken = rng.permutation(statistics.n)[:units] if units <= statistics.n else rng.integers(0, statistics.n, units)
        labels = rng.permuted(np.tile(np.arange(systems)[:, None], units), axis=0)
        yield replace(statistics, values=np.ascontiguousarray(statistics.values[:, labels, taken]))


def sampled(population: Statistics, simulations: int, seed: int, n: int) -> Iterator[Statistics]:
    """Yield the statistics of n segments drawn with replacement from a population whose scores are known."""
    rng = np.random.default_rng(seed)
    for _ in range(simulations):
        yield replace(population, values=np.ascontiguousarray(population.values[..., rng.integers(0, population.n, n)]))


Names = list[tuple[str, str]]


def side_by_side(simulated: Iterable[Statistics], together: int = 25) -> Iterator[tuple[Statistics, Names]]:
    """Yield so many simulated test sets as one of many systems, and the first two systems of each set as its pairs.

    Nothing but time is saved: what is drawn is drawn once for all sets of a group, and given the draws the sets are as
    independent of each other as they were.
    """
    rest = iter(simulated)
    while ones := list(islice(rest, together)):
        systems = range(len(ones[0].systems))
        names = [[f"set{k} sys{s}" for s in systems] for k in range(len(ones))]
        values = np.ascontiguousarray(np.concatenate([one.values for one in ones], axis=1))
        one = replace(ones[0], systems=tuple(name for of_one in names for name in of_one), values=values)
        yield one, [(of_one[0], of_one[1]) for of_one in names if len(of_one) > 1]


def plausible(count: int, trials: int, low: float, high: float | None = None) -> bool:
    """Return whether a rate between low and high would show `count` in so many trials but once in 10,000 times."""
    least = stats.binom.ppf(0.00005, trials, low)
    most = stats.binom.ppf(0.99995, trials, low if high is None else high)
    return bool(least <= count <= most)
