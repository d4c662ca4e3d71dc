"""Likeness: lines go in, how alike they are to others comes out, in [0, 1], without tokens, scripts or languages.

Likeness is the cosine between counts of character bigrams and trigrams, each weighted by log(n / lines that have it).
It tells which of two references a line belongs to, and is no quality score. Vectors are hashed into 2^18 places; two
n-grams that share a place make unlike lines a little more alike, never a line less like its own reference. Of a long
line only the beginning is looked at: it tells as much, and a file may be one line.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mtsig.arrays import Floats

MOST_CHARACTERS = 2_000
"""Characters of a line that are looked at."""

_PLACES = 1 << 18
_ORDERS = (2, 3)
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_LINE_END = np.uint32(10)


def counts_of(lines: Sequence[str | None]) -> sparse.csr_matrix:
    """Return how often each hashed n-gram stands in each line; shape (n, 2^18)."""
    codes, line_of = _codes(lines)
    rows, columns = [], []
    for order in _ORDERS:
        keys, where = _ngrams(codes, line_of, order)
        columns.append(keys)
        rows.append(where)
    row, column = np.concatenate(rows), np.concatenate(columns)
    whole = sparse.coo_matrix((np.ones(len(row), dtype=np.float32), (row, column)), shape=(len(lines), _PLACES))
    return whole.tocsr()


def _codes(lines: Sequence[str | None]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Return the first characters of all lines, small and with single spaces, and the line each belongs to."""
    text = "\n".join(" ".join((line or "")[:MOST_CHARACTERS].lower().split()) for line in lines) + "\n"
    codes = np.frombuffer(text.encode("utf-32-le", errors="replace"), dtype="<u4").astype(np.uint32)
    ends = codes == _LINE_END
    return codes, np.cumsum(ends) - ends


def _ngrams(
    codes: NDArray[np.uint32], line_of: NDArray[np.int64], order: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    count = len(codes) - order + 1
    if count <= 0:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    keys = np.full(count, order, dtype=np.uint64)
    inside = np.ones(count, dtype=bool)
    for offset in range(order):
        piece = codes[offset : offset + count]
        keys = (keys ^ piece.astype(np.uint64)) * _MULTIPLIER
        inside &= piece != _LINE_END
    places = (keys >> np.uint64(64 - 18)).astype(np.int64)
    return places[inside], line_of[:count][inside]


@dataclass(frozen=True, eq=False)
class Lines:
    """Lines as vectors of length 1, or 0 for an empty line; shape (n, 2^18)."""

    vectors: sparse.csr_matrix

    def __getitem__(self, chosen: NDArray[np.int64]) -> "Lines":
        """Return the chosen lines."""
        return Lines(self.vectors[chosen])

    def like(self, other: "Lines", offset: int = 0) -> Floats:
        """Return how like each line i is to line i + offset of the other; shape (n,), NaN where there is none."""
        n = self.vectors.shape[0]
        likeness = np.full(n, np.nan)
        start, end = max(0, -offset), min(n, other.vectors.shape[0] - offset)
        if start < end:
            product = self.vectors[start:end].multiply(other.vectors[start + offset : end + offset])
            likeness[start:end] = np.asarray(product.sum(axis=1)).ravel()
        return likeness


def weights_of(counts: Sequence[sparse.csr_matrix]) -> Floats:
    """Return the weight of every n-gram from the texts it is to tell apart; shape (2^18,)."""
    seen = np.zeros(_PLACES)
    n = 0
    for count in counts:
        seen += np.bincount(count.indices, minlength=_PLACES)
        n += count.shape[0]
    return np.asarray(np.log((n + 1) / (seen + 1)))


def weighted(counts: sparse.csr_matrix, weights: Floats) -> Lines:
    """Return the lines as vectors under these weights."""
    vectors = counts.copy()
    vectors.data = np.sqrt(vectors.data) * weights[vectors.indices]
    return Lines(_unit(vectors))


def mean_of(several: Sequence[Lines]) -> Lines:
    """Return the mean of several texts' lines, of length 1 again: like all of them at once."""
    if len(several) == 1:
        return several[0]
    whole = several[0].vectors
    for lines in several[1:]:
        whole = whole + lines.vectors
    return Lines(_unit(whole))


def _unit(vectors: sparse.csr_matrix) -> sparse.csr_matrix:
    lengths = np.sqrt(np.asarray(vectors.multiply(vectors).sum(axis=1)).ravel())
    shares = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    # Places stay in order, as a product of matrices would not leave them: without it, each likeness costs all of them.
    unit = vectors.copy()
    unit.data *= np.repeat(shares, np.diff(unit.indptr))
    return unit
