"""Left out: complete statistics go in; the scores without each unit in turn come out, and what that moves."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mtsig.errors import NotApplicable

if TYPE_CHECKING:
    from mtsig.metrics.statistics import Statistics

FEWEST_UNITS = 2
"""One unit alone has no spread."""

NOISE = 1e-8
"""A spread below this share of what it is the spread of is rounding: segments that all say the same have none."""

_HELD = 2**22
"""Totals held at a time while units are left out; changes nothing but the memory used."""


def leave_one_out(statistics: "Statistics") -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the scores without each unit in turn, shape (s, n), and which systems' scores have a derivative there.

    The latter has shape (s,), and is true where there is one at the totals and at all totals without a unit.

    Raises:
        NotApplicable: a single unit has no spread.
    """
    metric, sums, n = statistics.metric, statistics.sums, statistics.n
    if n < FEWEST_UNITS:
        raise NotApplicable("One unit alone has no spread: at least 2 segments (or documents) are needed.")
    moved = np.empty((len(statistics.systems), n))
    known = metric.has_gradient(sums)
    together = max(1, _HELD // sums.size)
    for start in range(0, n, together):
        without = sums[..., None] - statistics.values[..., start : start + together]
        moved[:, start : start + together] = metric.score(without)
        known &= metric.has_gradient(without).all(axis=-1)
    return moved, known
