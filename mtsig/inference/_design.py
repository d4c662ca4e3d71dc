"""Design: a pilot's pair goes in; what a future test set has to hold comes out: documents, segments, cost.

Everything stands on the pilot's standard error and its degrees of freedom, as needed size and power do.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, inf, isfinite
from typing import Literal

import numpy as np

from mtsig._arguments import expect_arguments
from mtsig._records import Shown
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference._detectable import check_share, noncentral, pilot_factor, spread_range
from mtsig.inference._margins import pilot_of, spread_of
from mtsig.inference._power import check_comparisons, check_difference, smallest_units
from mtsig.inference._targets import Pairs
from mtsig.metrics import Statistics
from mtsig.metrics._statistics import Unit, expect_statistics

_MOST_SEGMENTS = 1e12
"""More than all text there is: an answer beyond it is none."""


@dataclass(frozen=True)
class TestSetSize:
    """Size of a test set. documents: None where they are unknown. cost: None where no price was given."""

    __test__ = False  # no test of pytest's

    documents: int | None
    segments: int
    cost: float | None


@dataclass(frozen=True)
class Way:
    """One way to a test set that finds the difference; None for a size stands where no size would do.

    by: more "documents", more segments in as many documents ("lengths"), or more "segments" where units are segments or
    blocks of them.
    low, high: what would be needed at the ends of the range in which the pilot leaves its standard error.
    """

    by: Literal["documents", "lengths", "segments"]
    needed: TestSetSize | None
    low: TestSetSize | None
    high: TestSetSize | None


@dataclass(frozen=True)
class Design(Shown):
    """What a future test set has to hold so that one pair's difference is found, judged by a pilot.

    comparisons: how many are judged together, all pairs of `systems` unless said otherwise. unit, units, segments: what
    the pilot has. within: share of the variance of the pilot's difference that longer documents take away; None where
    documents are no units, or have one segment each. length: segments of a future document.
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
    statistics: Statistics,
    first: str,
    second: str,
    difference: float,
    *,
    systems: int = 2,
    comparisons: int | None = None,
    power: float = 0.8,
    level: float = 0.95,
    unit: Unit = "auto",
    length: float | None = None,
    price_segment: float | None = None,
    price_document: float | None = None,
) -> Design:
    """Return the documents and segments that find a true difference with this power, and what they cost.

    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> mtsig.design_test_set(statistics, "direct", "via-catalan", 2.0, price_segment=0.5).ways[0].needed
    TestSetSize(documents=24, segments=240, cost=120.0)

    With K documents of M segments, documents as units, a difference has the variance SE² = B + W. W = σ_w²/M comes from
    segments that differ within their documents, σ_w² being the mean square within documents of their contributions
    (one-way analysis of variance; Searle, Casella and McCulloch 1992, Variance Components, section 3.6); B is the rest.
    n documents that are k times as long have the variance K/n · (B + W/k): more documents take away both parts, longer
    ones W alone. What is needed is the least that makes c·λ(ν) times its root at most the difference (`needed_units`).
    The ranges are those of SE, in which W is as it is, and all of SE² at most.

    Args:
        statistics: the pilot's, of one metric.
        first: one of the two systems whose variation against each other is the pilot.
        second: the other one.
        difference: the true difference worth finding, in points of the metric.
        systems: how many will be compared.
        comparisons: judged together and corrected as by Bonferroni; all pairs of the systems when None.
        power: the share of such test sets that find it.
        level: 1 − α, two-sided.
        unit: segment, block, document or auto (documents where they are known and at least ten; see `Statistics.at`).
        length: segments of a future document in the mean; as many as those at hand when None.
        price_segment: in any currency, with all that a segment takes (references, ratings of all systems).
        price_document: the same for a document, besides its segments.

    Raises:
        InvalidOption: the difference is 0, power is no share, or a count, a length or a price is out of range.
        NotApplicable: the pilot does not tell how the two vary against each other.
    """
    expect_statistics(statistics)
    expect_arguments(design_test_set, locals())
    check_share("Power", power, 0, 1)
    check_share("The level", level, 0, 1)
    check_difference(difference)
    if systems < 2:
        raise InvalidOption(f"At least 2 systems are compared; found {systems}.")
    comparisons = systems * (systems - 1) // 2 if comparisons is None else comparisons
    check_comparisons(comparisons)
    prices = _Prices.of(price_segment, price_document)
    pairs = pilot_of(statistics, first, second, unit)
    by_document = pairs.statistics.unit == "document"
    if not by_document and (length is not None or price_document is not None):
        raise InvalidOption(
            f"Units are {pairs.statistics.unit}s here: neither a length nor a price of documents says anything."
        )
    if length is not None and not 1 <= length < inf:
        raise InvalidOption(f"Documents have a mean length of at least 1 segment; found {length:g}.")
    error, df = spread_of(pairs)
    within = _within(statistics, pairs) if by_document else None
    if length is not None and within is None:
        raise NotApplicable("Every document has one segment here: what longer ones would do cannot be told.")
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
        """Check prices."""
        for name, price in (("segment", segment), ("document", document)):
            if price is not None and not (isfinite(price) and price >= 0):
                raise InvalidOption(f"The price of a {name} is a number of at least 0; found {price:g}.")
        return cls(segment, document)

    def size(self, documents: int | None, segments: int) -> TestSetSize:
        """Return a size with its cost."""
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
