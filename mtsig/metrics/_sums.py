"""Sums over units: weighted sums, sums without each unit, and sums over the units that systems share.

The counts are prepared once; each block of weights then costs one matrix product.

All sums are exact, so the order of summation and the number of threads do not change the result.

>>> import numpy as np
>>> from mtsig.metrics import WeightedSums
>>> sums = WeightedSums(np.array([[[1, 2, 3]]], dtype=np.float32))
>>> sums(np.array([[1, 1, 1], [0, 3, 0]], dtype=np.float32)).tolist()
[[[6.0, 6.0]]]
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mtsig._records import Index, Mask
from mtsig.corpus import FloatArray
from mtsig.errors import NotApplicable

if TYPE_CHECKING:
    from mtsig.metrics._statistics import Statistics

EXACT_BELOW = 2.0**24
"""float32 holds every integer below this; sums of counts that stay below it are exact in any order of adding."""

UNITS_ADDED = 2**17
"""Units that are added in one product: changes nothing but memory, and how long float32 stays exact."""

_BEGUN = 64
"""Units by which most rows are told apart, without a look at all."""

_MANY = 2**16
"""Values from which on a look for steps is worth its time; changes no digit."""

_STEADY, _EXCEPTED = 0.75, 1 / 8
"""How many of the first units must go the same step, and the most units of all that may go another; changes no digit.

Steps save a row of the product and cost one, in double precision, of the units that go another.
"""


class WeightedSums:
    """The sums of whole counts or scores over weighted units.

    values: shape (…, n), as `as_values` makes them; the first axis is for statistics, the others for systems.

    Redundant rows are left out of the product: rows that several systems share, such as lengths of references, and
    statistics that follow from an earlier one by a step that is nearly constant over units. For example, a sentence of
    w words has w − 1 bigrams and w − 2 trigrams, unless it is shorter.
    """

    def __init__(self, values: FloatArray) -> None:
        self._values = values.reshape(len(values), -1, values.shape[-1]) if values.ndim > 2 else values[None]
        self._shape = values.shape[:-1]
        # Of many units the rows are put together anew for every block: a second copy would take more than it gives.
        self._kept = _Rows(self._values) if values.shape[-1] <= UNITS_ADDED else None

    def __call__(self, weights: FloatArray) -> NDArray[np.float64]:
        """Return the sums under weights (b, n), whole numbers from 0; shape (…, b)."""
        if self._kept is not None:
            sums = self._kept.sums(weights)
        else:
            sums = np.zeros((*self._values.shape[:-1], len(weights)))
            for start in range(0, self._values.shape[-1], UNITS_ADDED):
                part = slice(start, start + UNITS_ADDED)
                sums += _Rows(self._values[..., part]).sums(weights[:, part])
        return sums.reshape(*self._shape, len(weights))


class _Step(NamedTuple):
    """The statistic `row` is the statistic `base` and `by` more, but for some units."""

    row: int
    base: int
    by: float


class _Rows:
    """The rows of values (k, s, n) that have to be added, and how all others follow from them."""

    def __init__(self, values: FloatArray) -> None:
        self._shape = values.shape[:-1]
        self._steps: list[_Step] = []
        excepted = np.zeros(values.shape[-1], dtype=bool)
        for step in _steps(values):
            others = np.any(values[step.row] - values[step.base] != step.by, axis=0)
            if others.mean() <= _EXCEPTED:
                self._steps.append(step)
                excepted |= others
        self._excepted = np.flatnonzero(excepted)
        # Beyond the step; shape (steps · s, excepted units).
        self._beyond = np.concatenate(
            [np.zeros((0, len(self._excepted)))]
            + [(values[row] - values[base] - by)[:, excepted].astype(np.float64) for row, base, by in self._steps]
        )
        followed = {step.row for step in self._steps}
        self._whole = [row for row in range(len(values)) if row not in followed]
        rows = (values[self._whole] if followed else values).reshape(-1, values.shape[-1])
        anew = _anew(rows)
        self._distinct = rows if anew.all() else rows[anew]
        if self._steps:
            self._distinct = np.concatenate([self._distinct, np.ones_like(rows[:1])])  # counts the units
        self._place: Index = np.cumsum(anew) - 1

    def sums(self, weights: FloatArray) -> NDArray[np.float64]:
        """Return the sums (k, s, b)."""
        k, s = self._shape
        added = _product(self._distinct, weights)
        sums = np.empty((k, s, len(weights)))
        sums[self._whole] = added[self._place].reshape(-1, s, len(weights))
        if self._steps:
            units = added[-1].astype(np.float64)
            beyond = (self._beyond @ weights[:, self._excepted].T.astype(np.float64)).reshape(-1, s, len(weights))
            for (row, base, by), more in zip(self._steps, beyond, strict=True):
                np.add(sums[base], by * units, out=sums[row])
                sums[row] += more
        return sums


def _steps(values: FloatArray) -> Iterator[_Step]:
    """Yield the steps that the first units of the first system suggest; only whole counts go such steps."""
    begun = values[:, 0, :_BEGUN]
    if values.dtype != np.float32 or values.size < _MANY or begun.shape[-1] < _BEGUN:
        return
    gaps = begun[:, None] - begun
    steady = np.mean(gaps[..., 1:] == gaps[..., :-1], axis=-1)
    for row in range(1, len(values)):
        base = int(steady[row, :row].argmax())
        if steady[row, base] >= _STEADY:
            yield _Step(row, base, float(np.median(gaps[row, base])))


def _anew(rows: FloatArray) -> Mask:
    """Return which rows are others than the one before."""
    anew = np.ones(len(rows), dtype=bool)
    anew[1:] = np.any(rows[1:, :_BEGUN] != rows[:-1, :_BEGUN], axis=1)
    for row in np.flatnonzero(~anew):
        anew[row] = not np.array_equal(rows[row], rows[row - 1])
    return anew


def _product(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return values (rows, n) times weights (b, n), in single precision where that is exact; shape (rows, b)."""
    if values.dtype == np.float32:
        # In this order, as there are more draws than rows: the other one takes up to twice the time.
        sums = (np.asarray(weights, dtype=np.float32) @ values.T).T
        # Counts and weights are not negative: a sum that was ever rounded stands at or above the bound.
        if sums.size == 0 or sums.max() < EXACT_BELOW:
            return np.asarray(sums)
    return np.asarray((np.asarray(weights, dtype=np.float64) @ values.astype(np.float64).T).T)


FEWEST_UNITS = 2
"""One unit alone shows no variation."""

NOISE = 1e-8
"""A spread below this share of what it is the spread of is rounding: segments that all say the same have none."""

_HELD = 2**22
"""Totals held at a time while units are left out; changes nothing but the memory used."""


def leave_one_out(statistics: "Statistics") -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return scores without each unit, shape (s, n), and which systems' scores have a derivative throughout, (s,)."""
    metric, sums, n = statistics.metric, statistics.sums, statistics.n
    if n < FEWEST_UNITS:
        raise NotApplicable("One unit alone shows no variation: at least 2 segments (or documents) are needed.")
    moved = np.empty((len(statistics.systems), n))
    known = metric.has_gradient(sums)
    together = max(1, _HELD // sums.size)
    for start in range(0, n, together):
        without = sums[..., None] - statistics.values[..., start : start + together]
        moved[:, start : start + together] = metric.score(without)
        known &= metric.has_gradient(without).all(axis=-1)
    return moved, known


class Group(NamedTuple):
    """Targets that stand on the same units.

    targets: shape (t,), their numbers. statistics: complete. members: shape (t, g), the positions in it of each
    target's systems.
    """

    targets: Index
    statistics: "Statistics"
    members: Index


def by_shared_units(statistics: "Statistics", members: Index) -> list[Group]:
    """Return the targets grouped by the units that all their members, shape (m, g), have."""
    if statistics.available is None:
        return [Group(np.arange(len(members)), statistics, members)]
    parts = []
    for targets in _grouped(statistics.available, members):
        rows, places = np.unique(members[targets], return_inverse=True)
        shared = statistics.shared_by([statistics.systems[row] for row in rows])
        parts.append(Group(targets, shared, places.reshape(len(targets), -1)))
    return parts


def side_by_side(statistics: "Statistics", first: Index, second: Index) -> "tuple[Statistics, Index, Index]":
    """Return complete statistics on ALL units, and where in them the two systems of each pair stand; shape (m,).

    A system has one row for every set of units on which it is compared, with zeros on the others; so have those it is
    compared with. Documents are summed after the zeros were put in.

    >>> import numpy as np
    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "chrf")
    >>> side, first, second = side_by_side(statistics, np.array([0]), np.array([2]))
    >>> side is not None, first.shape, second.shape
    (True, (1,), (1,))
    """
    if statistics.available is None:
        return statistics, first, second
    names: list[str] = []
    values = []
    at = np.empty((2, len(first)), dtype=np.int64)
    pairs = np.stack([first, second], axis=1)
    for number, targets in enumerate(_grouped(statistics.available, pairs)):
        rows, places = np.unique(pairs[targets], return_inverse=True)
        common = statistics.available[pairs[targets[0]]].all(axis=0)
        at[:, targets] = len(names) + places.reshape(-1, 2).T
        names += [f"{statistics.systems[row]} (units {number})" for row in rows]
        values.append(np.where(common, statistics.values[:, rows], 0).astype(statistics.values.dtype))
    whole = replace(
        statistics, systems=tuple(names), values=np.concatenate(values, axis=1), available=None, unit="segment"
    )
    return whole.again_by(statistics.unit), at[0], at[1]


def _grouped(available: NDArray[np.bool_], members: Index) -> list[Index]:
    """Return the numbers of the targets in groups with the same shared units."""
    shared = available[members].all(axis=1)
    _, group = np.unique(np.packbits(shared, axis=1), axis=0, return_inverse=True)
    group = group.reshape(-1)
    return [np.flatnonzero(group == label) for label in range(int(group.max(initial=-1)) + 1)]
