"""Schemes: small frozen recipes of resampling; a scheme and a number of units go in, blocks of weights come out.

The same scheme on the same number of units gives the same weights everywhere: every system, metric and pair sees the
same resamples, which is what makes comparisons paired.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtsig.metrics import Unit
from mtsig.options import check, option
from mtsig.progress import report
from mtsig.resampling.words import Words

BLOCK = 256
"""Draws per block of random words: part of the definition, never tuned for a run."""

_CHUNK = 2**16
"""Random numbers made at a time inside a block: they then fit a processor's cache; changes no digit."""

_COUNTED = 6 * 2**10
"""Units counted at a time, of many draws when units are few; changes nothing but the time."""

_TOGETHER, _WEIGHTS = 16, 2**20
"""Blocks yielded together when units are few, and the most weights in what is yielded then.

Changes nothing but the time: many small products wait for each other's threads, sevenfold on a busy machine.
"""


_MOST = 2**25
"""Weights that are yielded at most, but for the one draw that there is at least: changes nothing but the memory used.

Test sets of 131,072 units have whole blocks of draws.
"""


@dataclass(frozen=True)
class Scheme(ABC):
    """How often to draw, from which seed, and what a unit is."""

    n_draws: int = option(10_000, "Draws", "How many times the test set is redrawn.", low=10, high=10_000_000)
    seed: int = option(12345, "Seed", "The same seed gives the same draws.", low=0, high=2**63 - 1)
    unit: Unit = option(
        "auto",
        "Unit",
        "What is drawn as a whole: documents when their ids are known and there are at least 10, else segments.",
    )

    def __post_init__(self) -> None:
        """Check the options."""
        check(self)

    def blocks(self, n: int) -> Iterator[NDArray[np.float32]]:
        """Yield weights of shape (b, n) that are `n_draws` rows in all.

        A row depends on the seed, its number and n alone: a shorter run is a prefix of a longer one. Memory is bounded
        by what is yielded: several blocks of few units, one of some, or a part of one of many.
        """
        together = BLOCK * max(1, min(_TOGETHER, _WEIGHTS // (BLOCK * n)))
        most, step = max(1, min(together, _MOST // n)), max(1, _CHUNK // n)
        # Words begin anew with every block: what is yielded is whole blocks, or lies within one.
        whole = most // BLOCK * BLOCK or BLOCK
        for first in range(0, self.n_draws, whole):
            last = min(first + whole, self.n_draws)
            for start in range(first, last, min(most, whole)):
                weights = np.empty((min(most, whole, last - start), n), dtype=np.float32)
                for top in range(0, len(weights), BLOCK):
                    if (start + top) % BLOCK == 0:
                        words = Words(self.seed, (start + top) // BLOCK)
                    block = weights[top : top + BLOCK]
                    for row in range(0, len(block), step):
                        self.fill(block[row : row + step], words)
                yield weights
                report((start + len(weights)) / self.n_draws)

    @abstractmethod
    def fill(self, weights: NDArray[np.float32], words: Words) -> None:
        """Write the next rows of `weights`, shape (b, n), row by row from the words."""


@dataclass(frozen=True)
class Bootstrap(Scheme):
    """n units drawn with replacement: a weight says how often a unit was drawn (K04 section 5, ZV04 section 3.1)."""

    def fill(self, weights: NDArray[np.float32], words: Words) -> None:
        """Count how often each unit was drawn."""
        rows, n = weights.shape
        drawn, step = _drawn(words, rows, n), max(1, _COUNTED // n)
        if step > 1:
            drawn += n * (np.arange(rows) % step)[:, None]
        for top in range(0, rows, step):
            places = drawn[top : top + step]
            counts = np.bincount(places.ravel(), minlength=places.size)
            weights[top : top + step] = counts.reshape(places.shape)

    def picks(self, n: int, draws: int) -> NDArray[np.int64]:
        """Return the units of the first draws, at most BLOCK, in the order in which they were drawn; shape (draws, n).

        Counted, they are the rows that `blocks` yields first.
        """
        return _drawn(Words(self.seed, 0), min(draws, self.n_draws, BLOCK), n)


def _drawn(words: Words, draws: int, n: int) -> NDArray[np.int64]:
    """Return n of n units for each draw: each 32-bit half h is unit (h·n) >> 32, uniform but for a bias below n/2³²."""
    units = words.halves(draws, n)
    units *= np.uint64(n)
    units >>= np.uint64(32)
    return units.view(np.int64)


@dataclass(frozen=True)
class Swap(Scheme):
    """Each unit's two outputs exchanged with probability one half: weight 1 = exchanged (RM05 section 4.1)."""

    def fill(self, weights: NDArray[np.float32], words: Words) -> None:
        """Take one random bit per unit."""
        weights[:] = words.bits(*weights.shape)


@dataclass(frozen=True)
class Subsample(Scheme):
    """`size` different units, drawn without replacement: weight 1 = in the subset (ZV04 section 4.1).

    Draw i of a smaller size is a subset of draw i of a larger one.
    """

    size: int = option(1, "Size", "How many units a subset holds.", low=1)

    def fill(self, weights: NDArray[np.float32], words: Words) -> None:
        """Take the units with the smallest random keys; the position in the low bits settles ties."""
        rows, n = weights.shape
        keys = (words.halves(rows, n) << np.uint64(32)) | np.arange(n, dtype=np.uint64)
        if self.size >= n:
            weights[:] = 1
            return
        bound = np.partition(keys, self.size - 1, axis=1)[:, self.size - 1, None]
        weights[:] = keys <= bound
