"""Design: compute from a pilot how many documents and segments a future test set needs, and their cost.

All results are based on the pilot's standard error and its degrees of freedom, as needed size and power are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, inf, isfinite, nan, sqrt
from typing import Annotated, Literal

import numpy as np

from mtsig._options import expect_arguments
from mtsig._records import Count, Number, Record, about
from mtsig._results import Tabled
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference._fields import check_share, noncentral, pilot_factor, spread_range
from mtsig.inference._margins import pilot_of, spread_of
from mtsig.inference._power import check_comparisons, check_difference, smallest_units
from mtsig.inference._targets import Pairs
from mtsig.inference._verdict import Comparison
from mtsig.metrics import Statistics
from mtsig.metrics._statistics import Samples, Unit, expect_statistics

_MOST_SEGMENTS = 1e12
"""More than all text there is: an answer beyond it is none."""


@dataclass(frozen=True)
class TestSetSize:
    """Size of a test set. documents: None if they are unknown. cost: None if no price was given."""

    __test__ = False  # no test of pytest's

    documents: int | None
    segments: int
    cost: float | None


@dataclass(frozen=True)
class Way:
    """One way to a test set that detects the difference; sizes are None if no size is enough.

    by: more "documents", longer documents ("lengths"), or more "segments" if the units are segments or blocks.
    needed_low, needed_high: needed sizes at the two ends of the uncertainty range of the pilot's standard error.
    """

    by: Literal["documents", "lengths", "segments"]
    needed: TestSetSize | None
    needed_low: TestSetSize | None
    needed_high: TestSetSize | None


@dataclass(frozen=True)
class Design(Tabled):
    """Size that a future test set needs to detect the difference of one pair, estimated from a pilot.

    comparisons: how many are corrected together, by default all pairs of `systems`. unit, units, segments: those of the
    pilot. within: share of the variance of the pilot's difference that longer documents would remove; None if documents
    are not the units or have one segment each. length: number of segments in a future document.
    """

    metric: str
    first: str
    second: str
    difference: float
    power: float
    level: float
    systems: int
    comparisons: int
    unit: str
    units: int
    segments: int
    df: float
    within: float | None
    length: float | None
    ways: tuple[Way, ...]
    signature: str = ""
    decimals: int = 2


def design_test_set(
    statistics: Statistics, first: str, second: str, difference: float, *, systems: int = 2,
    comparisons: int | None = None, power: float = 0.8, level: float = 0.95, unit: Unit = "auto",
    length: float | None = None, price_segment: float | None = None, price_document: float | None = None,
) -> Design:  # fmt: skip
    """Compute which documents and segments detect a difference, and their cost.

    Parameters
    ----------
    statistics : Statistics
        Statistics of one metric on the pilot, the small test set that the design starts from.
    first, second : str
        Names of two systems in the pilot. The variance of their difference is the basis of all results.
    difference : float
        The smallest difference that matters, in points of the metric, fixed in advance.
    systems : int, default 2
        How many systems will be compared.
    comparisons : int, optional
        How many comparisons are corrected together (by Bonferroni); by default all pairs of the systems.
    power : float, default 0.8
        The probability that a future test set detects the difference.
    level : float, default 0.95
        Coverage of the intervals; 1 − level is α of the test.
    unit : {"auto", "segment", "block", "document"}
        The sampling unit; "auto" is documents where there are at least ten.
    length : float, optional
        Mean number of segments per future document; the default is the mean length in the pilot.
    price_segment, price_document : float, optional
        Prices in any currency: of one segment with its references and the ratings of all systems, and of one document
        in addition.

    Returns
    -------
    design : Design
        `ways`: several document lengths, with the size and cost that each length needs.

    Raises
    ------
    InvalidOption
        The difference is 0, the power is not between 0 and 1, or another argument is out of range.
    NotApplicable
        The variance of the difference between the two systems cannot be estimated from the pilot.

    Notes
    -----
    1. With K documents of M segments, a difference has the variance SE² = B + W. W = σ²/M is due to segments within
       documents; σ² is the mean square of their contributions within documents [1]_. B is the remaining variance.
    2. n documents that are k times as long have the variance K/n · (B + W/k): more documents reduce both components,
       while longer documents reduce only W.
    3. The needed size is the smallest size at which the test has the given power, as in `power_analysis`.
    4. The ranges show the uncertainty of SE; W is assumed to be known.

    References
    ----------
    .. [1] Searle, Casella and McCulloch (1992), section 3.6.

    Examples
    --------
    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> mtsig.design_test_set(statistics, "direct", "via-catalan", 2.0, price_segment=0.5).ways[0].needed
    TestSetSize(documents=24, segments=240, cost=120.0)
    """
    expect_statistics(statistics)
    expect_arguments(design_test_set, locals())
    check_share("Power", power)
    check_share("The level", level)
    check_difference(difference)
    if systems < 2:
        raise InvalidOption(f"A comparison needs at least 2 systems; found {systems}.")
    comparisons = systems * (systems - 1) // 2 if comparisons is None else comparisons
    check_comparisons(comparisons)
    prices = _Prices.of(price_segment, price_document)
    pairs = pilot_of(statistics, first, second, unit)
    by_document = pairs.statistics.unit == "document"
    if not by_document and (length is not None or price_document is not None):
        raise InvalidOption(
            f"Units are {pairs.statistics.unit}s here, so length and price of documents have no effect."
        )
    if length is not None and not 1 <= length < inf:
        raise InvalidOption(f"The mean length of documents must be at least 1 segment; found {length:g}.")
    error, df = spread_of(pairs)
    within = _within(statistics, pairs) if by_document else None
    if length is not None and within is None:
        raise NotApplicable("Every document has one segment here: the effect of longer ones cannot be estimated.")
    pilot = _Pilot(pairs.statistics.n, pairs.statistics.n_segments, df, within or 0.0)
    wanted = _Wanted(abs(difference), (1 - level) / 2 / comparisons, power, df)
    # The ends of the range take the standard error for known.
    asked = [(error, wanted), *((factor * error, replace(wanted, pilot_df=inf)) for factor in spread_range(df))]
    if by_document:
        ways = [_way("documents", [pilot.more_documents(*each, prices, length) for each in asked])]
        if within is not None:
            ways.append(_way("lengths", [pilot.longer_documents(*each, prices) for each in asked]))
    else:
        ways = [_way("segments", [pilot.more_segments(*each, prices) for each in asked])]
    return Design(
        statistics.metric.name,
        first,
        second,
        difference,
        power,
        level,
        systems,
        comparisons,
        pairs.statistics.unit,
        pilot.units,
        pilot.segments,
        df,
        None if within is None else min(1.0, within / error**2),
        length if length is not None or not by_document else pilot.segments / pilot.units,
        tuple(ways),
        statistics.signature,
        statistics.metric.decimals,
    )


def _way(by: Literal["documents", "lengths", "segments"], sizes: Sequence[TestSetSize | None]) -> Way:
    """Return a way with a range that holds what is needed."""

    def segments(size: TestSetSize | None) -> float:
        return inf if size is None else size.segments

    needed, low, high = sizes
    return Way(by, needed, min(needed, low, key=segments), max(needed, high, key=segments))


@dataclass(frozen=True)
class _Prices:
    segment: float | None
    document: float | None

    @classmethod
    def of(cls, segment: float | None, document: float | None) -> "_Prices":
        for name, price in (("segment", segment), ("document", document)):
            if price is not None and not (isfinite(price) and price >= 0):
                raise InvalidOption(f"The price of a {name} must be a number of at least 0; found {price:g}.")
        return cls(segment, document)

    def size(self, documents: int | None, segments: int) -> TestSetSize:
        cost = None
        if self.segment is not None or self.document is not None:
            cost = segments * (self.segment or 0.0) + (documents or 0) * (self.document or 0.0)
        return TestSetSize(documents, segments, cost)


@dataclass(frozen=True)
class _Wanted:
    """What is to be found. pilot_df: the degrees of freedom of the pilot's standard error, ∞ where it is known."""

    difference: float
    tail: float
    power: float
    pilot_df: float


@dataclass(frozen=True)
class _Pilot:
    """What a pilot knows: K units of M segments, ν, and W, the variance from within documents."""

    units: int
    segments: int
    df: float
    within: float

    def more_segments(self, error: float, wanted: _Wanted, prices: _Prices) -> TestSetSize:
        """Return how many segments would do, from the standard error of those at hand."""
        # Blocks, where they are the units, are as long as those at hand.
        units = self._units(error, wanted, by_document=self.units < self.segments)
        return prices.size(None, ceil(units * self.segments / self.units - 1e-9))

    def more_documents(self, error: float, wanted: _Wanted, prices: _Prices, length: float | None) -> TestSetSize:
        """Return how many documents would do, of the same mean length or of another one."""
        usual = self.segments / self.units
        if length is not None:
            between, within = self._parts(error)
            error = float(np.sqrt(between + within * usual / length))
        documents = self._units(error, wanted, by_document=True)
        return prices.size(documents, ceil(documents * (length or usual) - 1e-9))

    def longer_documents(self, error: float, wanted: _Wanted, prices: _Prices) -> TestSetSize | None:
        """Return of what length as many documents would do: W/k is what the difference leaves beside B."""
        between, within = self._parts(error)
        factor = pilot_factor(self.df, wanted.pilot_df, wanted.tail, wanted.power)
        left = (wanted.difference / factor / noncentral(self.df, wanted.tail, wanted.power)) ** 2 - between
        needed = self.segments * within / left if left > 0 else inf
        # No document is shorter than one segment.
        return None if needed > _MOST_SEGMENTS else prices.size(self.units, max(self.units, ceil(needed - 1e-9)))

    def _units(self, error: float, wanted: _Wanted, *, by_document: bool) -> int:
        return smallest_units(
            error, self.df, self.units, wanted.difference, wanted.tail, wanted.power, by_document, wanted.pilot_df
        )

    def _parts(self, error: float) -> tuple[float, float]:
        """Return B and W of a standard error."""
        within = min(self.within, error**2)
        return error**2 - within, within


def _within(statistics: Statistics, pairs: Pairs) -> float | None:
    """Return W, the variance of a pair's difference that comes from within documents; None where it cannot be told."""
    first, second = pairs.labels[0]
    shared = statistics.shared_by([first, second])
    if shared.document_of is None or statistics.unit == "document":
        return None
    groups, sizes = np.unique(shared.document_of, return_inverse=True, return_counts=True)[1:]
    spare = shared.n - len(sizes)
    if not spare:
        return None
    # A segment's contribution is to the score, not to a sum of M: M Σ(u − ū_d)²/(M − K) is σ_w²/M.
    moved = shared.influence[0] - shared.influence[1]
    means = np.bincount(groups, moved) / sizes
    return float(shared.n * np.square(moved - means[groups]).sum() / spare)


# --- samples or segments ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SamplingPart(Record):
    """Share of a comparison's variance that comes from sampling outputs, and the effect of more samples."""

    metric: Annotated[str, about("The metric.")]
    first: Annotated[str, about("The first system.")]
    second: Annotated[str, about("The second system.")]
    unit: Annotated[str, about("Sampling unit of the comparison.")]
    units: Annotated[Count, about("Number of sampling units in the comparison.")]
    segments: Annotated[Count, about("Number of segments in the comparison.")]
    standard_error: Annotated[Number, about("Standard error of the difference in the comparison.")]
    sampling: Annotated[Number, about("Variance from sampling, W; null if a system has only one output per segment.")]
    between: Annotated[Number, about("Variance between units: the rest of the variance, at least 0.")]
    one_sample: Annotated[Number, about("Variance that sampling would add if both systems had one output per segment.")]
    samples: Annotated[Number, about("Outputs per segment of each system that would give the variance W.")]

    @property
    def share(self) -> float:
        """Share of the variance due to sampling; 1 if the estimated variance is below W because of few units."""
        return float(np.minimum(1.0, self.sampling / self.standard_error**2))

    def error_with(self, samples: float, units: float | None = None) -> float:
        """Return the standard error for other numbers of samples per segment and of units."""
        sampling = self.standard_error**2 - self.between
        return sqrt((self.between + sampling * self.samples / samples) * self.units / (units or self.units))

    def best_samples(self, cost_ratio: float) -> float:
        """Return the most cost-effective number of samples per segment, not rounded.

        cost_ratio: cost κ of one more segment, in samples of both systems. The result is √(κ w/B).
        """
        if self.between <= 0:
            return inf
        return sqrt(cost_ratio * self.one_sample / self.between)

    @property
    def sentence(self) -> str:
        """The effect of sampling, and the best use of a budget, in one sentence."""
        if np.isnan(self.sampling):
            return (
                f"{self.first} and {self.second} do not both have several outputs of a segment, so the share of "
                "variance from sampling is unknown."
            )
        if not self.sampling:
            return f"All outputs of a segment have the same {self.metric}, so sampling adds no variance."
        more, twice = 1 - self.error_with(2 * self.samples) / self.standard_error, 1 - 1 / sqrt(2)
        return (
            f"Sampling causes {self.share:.0%} of the variance of the difference in {self.metric}. Twice as many "
            f"samples per segment would make the interval {more:.0%} narrower, twice as many {self.unit}s {twice:.0%}."
        )


def sampling_part(
    statistics: Statistics, comparison: Comparison, deterministic: Sequence[str] = ()
) -> SamplingPart | None:
    """Return how much of a comparison's variance comes from sampling; None where no system has several outputs.

    W = s̄²_x Σ 1/r_xi / n² + s̄²_y Σ 1/r_yi / n², with s̄² the variance of a segment's samples, pooled over segments by
    r − 1; of metrics that are no means of segment scores, the variance of what leaving a sample out does to the score.
    statistics: those of the comparison, by segment or summed. deterministic: systems that would say the same again.
    """
    drawn, pair = statistics.samples, (comparison.first, comparison.second)
    if drawn is None or not comparison.standard_error > 0 or max(drawn.counts[name].max() for name in pair) < 2:
        return None
    both = np.flatnonzero(np.logical_and(*(drawn.counts[name] > 0 for name in pair)))
    own = drawn.take(both)
    spreads = [(0.0, 0.0) if name in deterministic else _spread(own, name) for name in pair]
    one, had = (sum(parts) for parts in zip(*spreads, strict=True))
    return SamplingPart(
        statistics.metric.name, *pair, comparison.unit, comparison.units, comparison.segments,
        comparison.standard_error, had, float(np.maximum(0.0, comparison.standard_error**2 - had)), one,
        one / had if had > 0 else 1.0,
    )  # fmt: skip


def _spread(drawn: Samples, name: str) -> tuple[float, float]:
    """Return s̄²/n and s̄² Σ(1/r)/n²; NaN where no segment has two samples."""
    rows, count = drawn.statistics, drawn.counts[name]
    at = [rows.row(one) for one in drawn.of[name]]
    there, several, n = rows.there[at], count > 1, len(count)
    if not several.any():
        return nan, nan
    metric, values = rows.metric, rows.values[:, at].astype(np.float64)
    if metric.is_segment_mean:
        scores = np.asarray(metric.segment_score(values))
    else:
        total = (values.sum(axis=1) / count).sum(axis=-1)
        scores = np.asarray(n * (metric.score(total[:, None])[0] - metric.score(total[:, None, None] - values)))
    variance = np.nanvar(np.where(there, scores, nan)[:, several], axis=0, ddof=1)
    mean = float((variance * (count[several] - 1)).sum() / (count[several] - 1).sum())
    return mean / n, mean * float((1 / count).sum()) / n**2
