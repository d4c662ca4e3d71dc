"""Sums over units: weighted sums, sums without each unit, and sums over the units that systems share.

The counts are prepared once; each block of weights then costs one matrix product.

All sums are exact, so the order of summation and the number of threads do not change the result.

>>> import numpy as np
>>> from mtsig.metrics import WeightedSums
>>> sums = WeightedSums(np.array([[[1, 2, 3]]], dtype=np.float32))
>>> sums(np.array([[1, 1, 1], [0, 3, 0]], dtype=np.float32)).tolist()
[[[6.0, 6.0]]]

Neighbours: statistics without document ids go in; how alike neighbouring segments are comes out, and blocks of them.

The order of the file is taken for the order of the text. See docs/statistics/neighbours.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mtsig._records import FloatArray, Index, Mask
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


FEWEST_NEIGHBOURS = 21
"""On fewer segments nothing is said of neighbours."""

FEW_SEGMENTS = 250
"""On fewer segments without document ids dependence is hardly seen."""

WIDTH = 10
"""Segments this far apart are no neighbours any more."""

ALIKE, UNLIKE = 0.5, -2.0
"""Above the one z, neighbours are alike enough for blocks to be the units; below the other, documents may be dealt."""

_CLEARLY = 2.0
"""A z that independent segments exceed in one test set of 44; they exceed .5 in one of three."""

FEWEST_BLOCKS, MOST_BLOCKS, _LENGTH, _GROWTH = 5, 20, 50, 1.10
"""Blocks are 5 to 20, of 50 segments where that gives so many; halved while that makes SE² grow by more than 10%."""

"""Numbers held at a time beside the influences; changes nothing but the memory used."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Neighbours:
    """How alike neighbouring segments are, over all pairs of systems.

    z: the neighbour statistic in standard deviations of a random order; NaN where it is not known. segments: those that
    all systems have, on which it stands.
    """

    z: float
    segments: int

    @property
    def alike(self) -> bool:
        """Whether neighbours are alike, so that segments cannot be taken as independent."""
        return self.z > ALIKE

    @property
    def unlike(self) -> bool:
        """Whether neighbours are less alike than chance, as where documents are dealt out in turn."""
        return self.z < UNLIKE

    @property
    def known(self) -> bool:
        """Whether anything can be said of neighbours."""
        return not isnan(self.z)


def seem_correlated(z: float) -> str:
    """Return what is said of neighbours with a z above `ALIKE`: below 2, chance may explain it."""
    return "are correlated" if z >= _CLEARLY else "seem correlated"


def neighbours_of(statistics: "Statistics") -> Neighbours:
    """Return how correlated neighbours are over all pairs, on segments that all systems have."""
    shared = shared_by_all(statistics)
    if shared is None or len(shared.systems) < 2 or shared.n < FEWEST_NEIGHBOURS:
        return Neighbours(nan, 0 if shared is None else shared.n)
    return Neighbours(neighbour_z(shared.moved), shared.n)


def shared_by_all(statistics: "Statistics") -> "Statistics | None":
    """Return the statistics on the segments that all systems have; None where there is none."""
    if statistics.available is None:
        return statistics
    return statistics.shared_by(statistics.systems) if statistics.available.all(axis=0).any() else None


def neighbour_z(influence: Floats) -> float:
    """Return z = (Z − E)/√Var of influences, shape (s, n); NaN where no pair of systems varies.

    For every pair v = l_x − l_y, centred and divided by the root of its sum of squares, is y_p, and

        Z = Σ_{k<width} 2(1 − k/width) Σ_i Σ_p y_pi · y_p,i+k.

    E and Var are the exact mean and variance of Z over all n! orders of the segments (Mantel 1967, Cancer Research 27).
    Systems with NaN are left out, and so are pairs that do not vary against each other.
    """
    influence = influence[np.isfinite(influence).all(axis=1)]
    if len(influence) < 2 or influence.shape[1] <= 3:
        return nan
    size = np.linalg.norm(influence - influence.mean(axis=1, keepdims=True), axis=1)
    # Differences are the same without the mean of all systems, and keep their digits where systems are nearly copies.
    centred = influence - influence.mean(axis=0)
    centred -= centred.mean(axis=1, keepdims=True)
    z_sum, expected, variance = moments(centred, _laplacian(centred, size), WIDTH)
    return (z_sum - expected) / float(np.sqrt(variance)) if variance > 0 else nan


def moments(rows: Floats, weights: Floats, width: int) -> tuple[float, float, float]:
    """Return Z, its mean and its variance over all orders, where Σ_p y_pi·y_pj is c_iᵀ·W·c_j, W a Laplacian."""
    s, n = rows.shape
    products, near, own = np.zeros((s, s)), np.zeros((s, s)), 0.0
    for part, after in _slices(rows, width):
        # einsum's plain loop adds in one order whatever the number of threads.
        products += np.einsum("xn,yn->xy", part, part)
        near += np.einsum("xn,yn->xy", part, after)
        own += float(np.square((part * np.einsum("xy,yn->xn", weights, part)).sum(axis=0)).sum())
    weighted = np.einsum("xy,yz->xz", weights, products)
    a1 = -float(np.trace(weighted))
    a2 = float((weighted * weighted.T).sum()) - own
    return float((weights * near).sum()), *_over_orders(a1, a2, own, n, width)


def _laplacian(centred: Floats, size: Floats) -> Floats:
    """Return L: off the diagonal −1/r² of every pair that varies, with rows that sum to 0."""
    weights = np.zeros((len(centred), len(centred)))
    for x in range(len(centred) - 1):
        squares = _sums_of_squares(centred, x)
        varies = np.sqrt(squares) > NOISE * (size[x] + size[x + 1 :])
        weights[x, x + 1 :] = np.divide(1.0, squares, out=np.zeros_like(squares), where=varies)
    weights += weights.T
    return np.diag(weights.sum(axis=1)) - weights


def _sums_of_squares(centred: Floats, x: int) -> Floats:
    """Return r² of system x against every later one."""
    others = centred[x + 1 :]
    squares = np.zeros(len(others))
    step = max(1, _HELD // len(centred))
    for start in range(0, centred.shape[1], step):
        gaps = others[:, start : start + step] - centred[x, start : start + step]
        squares += np.einsum("yn,yn->y", gaps, gaps)
    return squares


def _slices(centred: Floats, width: int) -> Iterator[tuple[Floats, Floats]]:
    """Yield slices of c and of Σ_k 2(1 − k/width)·c_{i+k}, what comes after each segment, weighted by its nearness."""
    s, n = centred.shape
    step = max(width, _HELD // s)
    for start in range(0, n, step):
        part = centred[:, start : start + step]
        after = np.zeros(part.shape)
        for k in range(1, width):
            follows = centred[:, start + k : start + k + part.shape[1]]
            after[:, : follows.shape[1]] += 2 * (1 - k / width) * follows
        yield part, after


def _over_orders(a1: float, a2: float, a3: float, n: int, width: int) -> tuple[float, float]:
    """Return the mean and the variance of Z over all n! orders."""
    steps = np.arange(1, min(width, n))
    weights = 1 - steps / width
    b1 = float((2 * (n - steps) * weights).sum())
    b2 = float((2 * (n - steps) * weights**2).sum())
    rows = np.zeros(n)
    for k, weight in zip(steps.tolist(), weights.tolist(), strict=True):
        rows[k:] += weight
        rows[:-k] += weight
    b3 = float(np.square(rows).sum())
    expected = a1 * b1 / (n * (n - 1))
    square = (
        2 * a2 * b2
        + 4 * (a3 - a2) * (b3 - b2) / (n - 2)
        + (a1**2 + 2 * a2 - 4 * a3) * (b1**2 + 2 * b2 - 4 * b3) / ((n - 2) * (n - 3))
    ) / (n * (n - 1))
    return expected, square - expected**2


def edges_of(segments: int, blocks: int) -> NDArray[np.int64]:
    """Return where blocks of consecutive segments begin, and where the last one ends: ⌊kn/G + ½⌋, shape (G + 1,)."""
    # In whole numbers: ⌊(2kn + G)/2G⌋.
    return (2 * np.arange(blocks + 1) * segments + blocks) // (2 * blocks)


def first_blocks(segments: int) -> int:
    """Return how many blocks are tried first."""
    return min(MOST_BLOCKS, max(FEWEST_BLOCKS, segments // _LENGTH))


def blocks_of(statistics: "Statistics") -> NDArray[np.int64]:
    """Return the number of the block of every segment, shape (n,).

    Blocks are cut where they are equally long in what pairs of systems have, on average over pairs, and so is their
    number chosen. They are doubled while that makes standard errors grow, on the segments that all systems have:
    documents are longer than blocks then.
    """
    systems = len(statistics.systems)
    present = None if statistics.available is None else statistics.available.sum(axis=0, dtype=np.int64)
    pairs = np.ones(statistics.n, dtype=np.int64) if present is None else present * (present - 1) // 2
    n = int(pairs.sum()) // (1 if present is None else systems * (systems - 1) // 2)
    if n < FEWEST_BLOCKS:
        raise NotApplicable(
            f"The unit is a block of consecutive segments, and a pair of systems has only {n} segments; at least "
            f"{FEWEST_BLOCKS} are needed."
        )
    blocks = first_blocks(n)
    shared = shared_by_all(statistics)
    if shared is None:
        return _places(pairs, blocks)
    common = slice(None) if present is None else present == systems
    squares = _squared_errors(shared, _places(pairs, blocks)[common])
    while blocks // 2 >= FEWEST_BLOCKS:
        longer = _squared_errors(shared, _places(pairs, blocks // 2)[common])
        known = (squares > 0) & np.isfinite(squares) & np.isfinite(longer)
        if not known.any() or (longer[known] / squares[known]).mean() <= _GROWTH:
            break
        blocks, squares = blocks // 2, longer
    return _places(pairs, blocks)


def block_places(segments: int, blocks: int) -> NDArray[np.int64]:
    """Return the number of the block of each of so many segments, shape (n,)."""
    return _places(np.ones(segments, dtype=np.int64), blocks)


def _places(weights: NDArray[np.int64], blocks: int) -> NDArray[np.int64]:
    """Return the block of each segment, shape (n,), of equal weights; as `edges_of` where all weigh the same."""
    before = np.cumsum(weights) - weights
    # In whole numbers: a segment is in the first block whose end is not before the segment's middle.
    middles = (2 * before + weights) * blocks
    return np.searchsorted(2 * weights.sum() * np.arange(1, blocks), middles, side="left").astype(np.int64)


def _squared_errors(shared: "Statistics", places: NDArray[np.int64]) -> Floats:
    """Return SE² of all pairs of systems by blocks; 0 where a pair does not vary."""
    pooled = shared.summed_by(places, "block")
    blocks = pooled.n
    first, second = np.triu_indices(len(pooled.systems), 1)
    moved, size = pooled.moved, pooled.size_of_influence
    squares = np.square(moved[first] - moved[second]).sum(axis=1) * (blocks - 1) / blocks
    return np.where(np.sqrt(squares) < NOISE * (size[first] + size[second]), 0.0, squares)
