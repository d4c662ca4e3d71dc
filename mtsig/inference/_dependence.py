"""Dependence within documents, and between neighbouring segments."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtsig._probability import f_above
from mtsig._records import Floats
from mtsig.corpus._notes import MIN_DOCUMENTS, number_of
from mtsig.errors import NotApplicable
from mtsig.inference._targets import jackknife_error
from mtsig.metrics import Statistics
from mtsig.metrics._metric import sign_of


@dataclass(frozen=True)
class Dependence:
    """Dependence within documents of one system's score, or of one difference.

    icc: intraclass correlation of the segments' influences. f_statistic, p_value: one-way ANOVA of these influences.
    error_segments, error_documents: standard errors with segments and with documents as units. design_effect: the
    square of the ratio of these errors. effective_segments: segments / design effect, at most all.
    """

    target: str
    segments: int
    documents: int
    icc: float
    f_statistic: float
    p_value: float
    error_segments: float
    error_documents: float

    @property
    def design_effect(self) -> float:
        """(SE by documents / SE by segments)²."""
        return (self.error_documents / self.error_segments) ** 2 if self.error_segments > 0 else float("nan")

    @property
    def effective_segments(self) -> float:
        """Effective number of independent segments; a design effect below 1 is taken as 1."""
        return self.segments / np.fmax(1.0, self.design_effect) if self.error_segments > 0 else float("nan")


def intraclass_correlation(values: Floats, groups: NDArray[np.integer]) -> tuple[float, float, float]:
    """Return ICC, F and its p-value of values (n,) in groups (n,), by one-way ANOVA with unequal group sizes."""
    sizes = np.bincount(groups)
    k, n = len(sizes), len(values)
    if k < 2 or n <= k:
        raise NotApplicable(f"An intraclass correlation needs two documents with several segments; found {k} and {n}.")
    means = np.bincount(groups, values) / sizes
    between = float((sizes * np.square(means - values.mean())).sum() / (k - 1))
    within = float(np.square(values - means[groups]).sum() / (n - k))
    typical = (n - np.square(sizes).sum() / n) / (k - 1)
    if within == 0:
        return (1.0 if between > 0 else float("nan")), float("inf") if between > 0 else float("nan"), float("nan")
    f = between / within
    return (between - within) / (between + (typical - 1) * within), f, float(f_above(f, k - 1, n - k))


def dependence(statistics: Statistics, system: str, other: str | None = None) -> Dependence:
    """Return the dependence within documents of a system's score, or of its difference from another score."""
    statistics = _complete(statistics, system, other)
    if statistics.document_of is None:
        raise NotApplicable("Dependence within documents cannot be measured without document ids; see block_scan.")
    documents = len(np.unique(statistics.document_of))
    if documents < MIN_DOCUMENTS:
        raise NotApplicable(
            f"{number_of(documents, 'document')} cannot show whether segments of one document are correlated; at least "
            f"{MIN_DOCUMENTS} are needed."
        )
    influence, target = _influence(statistics, system, other)
    icc, f, p = intraclass_correlation(influence, statistics.document_of)
    pooled = np.bincount(statistics.document_of, influence).astype(np.float64)
    return Dependence(target, statistics.n, len(pooled), icc, f, p, jackknife_error(influence), jackknife_error(pooled))


def _complete(statistics: Statistics, system: str, other: str | None) -> Statistics:
    """Return the statistics of the one or two systems on the segments that they have."""
    return statistics.shared_by([system] if other in (None, system) else [system, str(other)])


def _influence(statistics: Statistics, system: str, other: str | None) -> tuple[Floats, str]:
    influence: Floats = statistics.influence[statistics.row(system)]
    target = system
    if other is not None:
        influence = sign_of(statistics.metric) * (influence - statistics.influence[statistics.row(other)])
        target = f"{system} − {other}"
    if np.isnan(influence).any():
        raise NotApplicable("The jackknife is undefined here: some n-gram order has no match.")
    return influence, target


@dataclass(frozen=True, eq=False)
class BlockScan:
    """Standard error if blocks of consecutive segments are the units; arrays have shape (l,).

    lengths: segments in a block. error: standard error by blocks. ratio: this error divided by that of single segments;
    a ratio that grows with the length indicates correlated neighbours. limit: in 95% of random orders of the segments,
    the ratio is below this limit.
    """

    target: str
    lengths: NDArray[np.int64]
    error: Floats
    ratio: Floats
    limit: Floats


def block_scan(
    statistics: Statistics,
    system: str,
    other: str | None = None,
    lengths: Sequence[int] = (2, 5, 10, 20, 50),
    seed: int = 12345,
) -> BlockScan:
    """Compute how the standard error grows with blocks of segments as units.

    Only lengths that leave at least ten blocks are used. The limit comes from 200 random orders of the segments.

    Raises
    ------
    NotApplicable
        The test set is too short for blocks, or the jackknife is undefined.

    Examples
    --------
    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> from mtsig.inference import block_scan
    >>> block_scan(statistics, "direct", "via-catalan").ratio.round(2).tolist()
    [1.06, 1.12, 1.08, 1.06]
    """
    influence, target = _influence(_complete(statistics, system, other), system, other)
    n = len(influence)
    usable = [length for length in lengths if n // length >= 10]
    if not usable:
        raise NotApplicable(
            f"{n} segment{' is' if n == 1 else 's are'} too few for a block scan, which needs ten blocks of two."
        )
    single = jackknife_error(influence)
    if single == 0:
        raise NotApplicable(f"{target}: all segments contribute equally, so dependence cannot be measured.")
    orders = np.random.Generator(np.random.PCG64(seed))
    shuffled = [influence[orders.permutation(n)] for _ in range(200)]
    errors = np.array([_by_blocks(influence, length) for length in usable])
    limit = [float(np.quantile([_by_blocks(order, length) for order in shuffled], 0.95)) / single for length in usable]
    return BlockScan(target, np.array(usable), errors, errors / single, np.array(limit))


def _by_blocks(influence: Floats, length: int) -> float:
    sums = np.bincount(np.arange(len(influence)) // length, influence)
    return jackknife_error(sums - sums.mean())
