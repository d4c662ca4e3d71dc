"""Counting segment by segment: a function of one translation goes in, the counts of all systems come out."""

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from mtsig.progress import report

T = TypeVar("T", bound=Hashable)

CHUNK = 200
"""Segments counted between two reports of progress."""


def count_segments(outputs: Sequence[Sequence[T]], count: Callable[[int, T], Sequence[float]]) -> NDArray[np.float64]:
    """Return `count(segment, translation)` for every system and segment; shape (k, s, n).

    A translation that several systems share is counted once: real systems agree often.
    """
    n = len(outputs[0])
    known: list[dict[T, Sequence[float]]] = [{} for _ in range(n)]
    for position, output in enumerate(outputs):
        for i, translation in enumerate(output):
            if translation not in known[i]:
                known[i][translation] = count(i, translation)
            if (i + 1) % CHUNK == 0 or i + 1 == n:
                report((position * n + i + 1) / (len(outputs) * n))
    rows = [[known[i][translation] for i, translation in enumerate(output)] for output in outputs]
    return np.moveaxis(np.array(rows, dtype=np.float64), 2, 0)
