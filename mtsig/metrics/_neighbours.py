"""Neighbours: statistics without document ids go in; how alike neighbouring segments are comes out, and blocks of them.

The order of the file is taken for the order of the text. See docs/statistics/neighbours.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mtsig.errors import NotApplicable
from mtsig.metrics._sums import NOISE

if TYPE_CHECKING:
    from mtsig.metrics._statistics import Statistics

FEWEST_NEIGHBOURS = 21
"""On fewer segments nothing is said of neighbours."""

FEW_SEGMENTS = 250
"""On fewer segments without document ids dependence is hardly seen."""

WIDTH = 10
"""Segments this far apart are no neighbours any more."""

ALIKE, UNLIKE = 0.5, -2.0
"""Above the one z, neighbours are alike enough for blocks to be the units; below the other, documents may be dealt."""

FEWEST_BLOCKS, MOST_BLOCKS, _LENGTH, _GROWTH = 5, 20, 50, 1.10
"""Blocks are 5 to 20, of 50 segments where that gives so many; halved while that makes SE² grow by more than 10%."""

_HELD = 2**22
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


def neighbour_z(influence: Floats, width: int = WIDTH) -> float:
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
    z_sum, expected, variance = moments(centred, _laplacian(centred, size), width)
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
