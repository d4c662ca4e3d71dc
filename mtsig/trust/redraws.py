"""Redraws: judgements go in; what is drawn as a whole comes out, segments or documents, and draws of sums over it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from mtsig.arrays import Floats, Index
from mtsig.corpus import MIN_DOCUMENTS, Judgements, number_of
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.metrics import Unit
from mtsig.resampling import Bootstrap


@dataclass(frozen=True, eq=False)
class Groups:
    """What is redrawn as a whole; of: the group of every judgement, shape (m,). count: how many groups there are."""

    unit: str
    of: Index
    count: int


def groups_of(judgements: Judgements, documents: Sequence[str] | None = None, unit: Unit = "auto") -> Groups:
    """Return the documents of the judgements where there are at least ten, else their segments.

    documents: the document of each segment of the rating, shape (n,), when known.

    Raises:
        InvalidOption: the documents are of another number of segments.
        NotApplicable: documents are asked for, and unknown or too few.
    """
    if documents is not None and len(judgements) and judgements.segment.max() >= len(documents):
        raise InvalidOption(
            f"The document of every segment is needed: found {len(documents)}, and judgements of segment "
            f"{judgements.segment.max() + 1}."
        )
    _, segments = np.unique(judgements.segment, return_inverse=True)
    by_segment = Groups("segment", segments, int(segments.max(initial=-1)) + 1)
    if unit == "segment" or (unit == "auto" and documents is None):
        return by_segment
    if documents is None:
        raise NotApplicable("The unit is the document, but no document ids were given.")
    _, of_segment = np.unique(np.asarray(documents, dtype=object).astype(str), return_inverse=True)
    _, of = np.unique(of_segment[judgements.segment], return_inverse=True)
    count = int(of.max(initial=-1)) + 1
    if count >= MIN_DOCUMENTS:
        return Groups("document", of, count)
    if unit == "auto":
        return by_segment
    raise NotApplicable(f"{number_of(count, 'document')} with judgements: too few, it takes {MIN_DOCUMENTS}.")


def summed(table: Floats, of: Index, count: int) -> Floats:
    """Return the sums of a table's columns by group: (k, u) with groups of shape (u,) give (k, count)."""
    return np.array([np.bincount(of, row, minlength=count) for row in table]).reshape(len(table), count)


def redrawn(sums: Floats, scheme: Bootstrap, statistic: Callable[[Floats], Floats]) -> Floats:
    """Return a statistic of the sums over redrawn groups: (k, g) give (…, b), as the statistic takes (k, b)."""
    values = [statistic(sums @ weights.T.astype(np.float64)) for weights in scheme.blocks(sums.shape[-1])]
    return np.concatenate(values, axis=-1)


def percentiles(draws: Floats, level: float, value: float = float("nan")) -> tuple[float, float, int]:
    """Return the ends of the percentile interval of draws of shape (b,), and how many draws had no value.

    An interval holds what it is of. Statistics of few systems or items move to one side when these are redrawn: twins
    agree with themselves, and p-values draw near to 0 and 1. So all percentiles may lie on one side of the value; then
    the nearer end is the value, which loses no coverage.
    """
    known = draws[~np.isnan(draws)]
    undefined = len(draws) - len(known)
    if not len(known):
        return float("nan"), float("nan"), undefined
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return float(np.fmin(low, value)), float(np.fmax(high, value)), undefined


def undefined_text(undefined: int, draws: int) -> str:
    """Return a warning where more than 1% of the draws had no value; "" else."""
    if undefined <= 0.01 * draws:
        return ""
    return f"{undefined:,} of {draws:,} redraws had no value and were left out: the interval is uncertain"
