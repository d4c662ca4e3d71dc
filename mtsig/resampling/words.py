"""Random words that outlive numpy's versions: a seed and a block number go in, raw 64-bit words come out.

numpy promises that a bit generator's raw words stay as they are, but not what `Generator` methods make of them; so the
program maps words to draws by itself. The scheme stands in every result's settings as `RNG`.
"""

from enum import IntEnum, unique

import numpy as np
from numpy.typing import NDArray

RNG = "1"
"""Version of the scheme: PCG64 over SeedSequence children, one child per block; see `schemes` for the mappings."""


@unique
class Purpose(IntEnum):
    """What streams of words are for, besides the draws of schemes: no two uses may share their words."""

    TEST_SETS = 1
    DOCUMENTS = 2
    SEGMENTS = 3
    ORDERS = 4
    SENTENCES = 5
    JOINT_NORMAL = 6
    PAIRED_SETS = 7
    ROUNDS = 8
    RUNS = 10
    LEFT_OUT = 11
    SIGNS = 12
    DRAWN_SYSTEMS = 13
    EXCHANGED_SYSTEMS = 14
    EXCHANGED_ITEMS = 15
    EXCHANGED_CELLS = 16
    LABELS = 17
    FOLDS = 18
    REDUNDANT = 19
    SHUFFLED_SYSTEMS = 20


class Words:
    """The stream of raw words of one block.

    The child is the one that `SeedSequence(seed).spawn` gives at this position: blocks are independent of each other
    and of how many there are. `purpose` makes streams that no scheme's draws have anything to do with.
    """

    def __init__(self, seed: int, block: int, purpose: Purpose | None = None) -> None:
        self._bits = np.random.PCG64(
            np.random.SeedSequence(seed, spawn_key=(block,) if purpose is None else (block, int(purpose)))
        )

    def take(self, rows: int, columns: int) -> NDArray[np.uint64]:
        """Return the next words as an array of shape (rows, columns)."""
        words = self._bits.random_raw(rows * columns)
        return np.asarray(words, dtype="<u8").reshape(rows, columns)

    def halves(self, rows: int, columns: int) -> NDArray[np.uint64]:
        """Return 32-bit halves of the next words, shape (rows, columns); every row starts on a fresh word."""
        words = self.take(rows, -(-columns // 2))
        return words.view("<u4")[:, :columns].astype(np.uint64)

    def bits(self, rows: int, columns: int) -> NDArray[np.uint8]:
        """Return bits of the next words, shape (rows, columns) of 0 and 1; every row starts on a fresh word."""
        words = self.take(rows, -(-columns // 64))
        return np.unpackbits(words.view(np.uint8), axis=1, count=columns, bitorder="little")

    def uniform(self, rows: int, columns: int) -> NDArray[np.float64]:
        """Return numbers between 0 and 1, neither included, from 52 bits of each word; shape (rows, columns)."""
        return np.asarray(((self.take(rows, columns) >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52)
