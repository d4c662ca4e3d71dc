"""Worlds in which the truth is known: labels exchanged at random, and samples from a population."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy import stats

from mtsig import Statistics


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


def plausible(count: int, trials: int, low: float, high: float | None = None) -> bool:
    """Return whether a rate between low and high would show `count` in so many trials but once in 10,000 times."""
    least = stats.binom.ppf(0.00005, trials, low)
    most = stats.binom.ppf(0.99995, trials, low if high is None else high)
    return bool(least <= count <= most)
