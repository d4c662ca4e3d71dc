"""Names for the arrays that everything is computed with, and what numpy does slowly."""

from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
FloatArray: TypeAlias = NDArray[np.floating]
Index: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]
Texts: TypeAlias = tuple[str, ...]

T = TypeVar("T", bound=np.generic)


def distinct(values: NDArray[T]) -> NDArray[T]:
    """Return the distinct ones of many whole numbers, shape (n,), in order; shape (k,).

    `np.unique` of numpy 2.3 on puts them into a hash table: of a million distinct ones it takes 17 times as long as
    sorting, and more than twice as long for twice as many. For few distinct ones it is as good.
    """
    ordered = np.sort(values)
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return np.compress(first, ordered)
