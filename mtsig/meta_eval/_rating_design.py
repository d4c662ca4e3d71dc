"""Shares of variance in ratings, and the segments, raters and cost of a future evaluation that follow from them.

The error of a future difference is made of the shares that a pilot's ratings have (`VarianceShares.standard_error`),
as the error of a test set is made of what its segments vary by (`design_test_set`). Shares are estimated by the
method of moments (Henderson 1953, method 1; Searle, Casella and McCulloch 1992, chapter 5): sums of squares over the
levels of every source are set equal to what they are expected to be. Where everything is balanced, these are the
estimates of the analysis of variance.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, isfinite
from typing import Annotated, Any

import numpy as np

from mtsig._records import Count, Floats, Index, Number, Record, about
from mtsig._results import Result
from mtsig.corpus import Corpus, Note, RaterScores
from mtsig.corpus._notes import listed
from mtsig.errors import InvalidOption, NotApplicable, find
from mtsig.inference._estimated import FEWEST_RATERS
from mtsig.inference._fields import check_share, noncentral
from mtsig.inference._power import check_comparisons, check_difference, least_whole

RESIDUAL = "residual"

_SOURCES: dict[str, tuple[str, ...]] = {
    "system": ("system",),
    "segment": ("segment",),
    "rater": ("rater",),
    "system × segment": ("system", "segment"),
    "system × rater": ("system", "rater"),
    "segment × rater": ("segment", "rater"),
    "document": ("document",),
    "system × document": ("system", "document"),
}
"""In the order in which they are taken in, as long as the design tells them from those before."""

_SINGULAR = 1e-6


@dataclass(frozen=True)
class Share(Record):
    """One source of variance."""

    source: Annotated[str, about("The source of variance. × marks an interaction; residual is the unexplained rest.")]
    variance: Annotated[Number, about("Variance component of this source. An estimate below 0 is due to chance.")]
    share: Annotated[Number, about("Share of this source in the sum of all components; components below 0 count as 0.")]
    levels: Annotated[Count, about("Number of levels of this source, such as systems, segments, or pairs of them.")]


@dataclass(frozen=True, eq=False)
class VarianceShares(Result):
    """Variance components of single ratings; a segment's is within its document where documents are known.

    inseparable: sources that this design does not tell from others; what they bring is in the others, the residual
    above all.
    """

    listed = "shares"
    shares: tuple[Share, ...]
    inseparable: tuple[str, ...]
    notes: tuple[Note, ...] = ()

    def variance(self, source: str) -> float:
        """Return a source's variance, at least 0; 0 where it is no source here."""
        return next((max(0.0, share.variance) for share in self.shares if share.source == source), 0.0)

    def standard_error(
        self, segments: int, raters_per_segment: int, raters: int | None, documents: int | None = None
    ) -> float:
        """Return the standard error of a difference of two systems' means in a future evaluation.

        Both outputs of each of m segments are judged by the same j of J raters, who do equal shares: SE² = 2
        (σ²_system×document/d + σ²_system×segment/m + σ²_system×rater/J + σ²_residual/(m j)). Without J it is for these
        raters alone, and their part is left out; d is needed where documents are a source.
        """
        most = raters_per_segment if raters is None else raters
        if min(segments, raters_per_segment, most, documents or 1) < 1 or raters_per_segment > most:
            raise InvalidOption(
                "A future evaluation needs at least 1 segment, document and rater, and at most as many raters per "
                f"segment as raters; found {segments} segments, {raters_per_segment} of {most} raters."
            )
        if raters is not None and "system × rater" in self.inseparable:
            raise NotApplicable(
                "No rater rated several outputs of several systems, so results may differ for other raters."
            )
        if raters_per_segment > 1 and "system × segment" in self.inseparable:
            raise NotApplicable(
                "No output was rated by two raters, so the benefit of a second rater per output cannot be estimated."
            )
        by_document = self.variance("system × document")
        if by_document and documents is None:
            raise InvalidOption("Documents are a source of variance here, so give the planned number of documents.")
        return float(
            np.sqrt(
                2 * by_document / (documents or 1)
                + 2 * self.variance("system × segment") / segments
                + (0.0 if raters is None else 2 * self.variance("system × rater") / raters)
                + 2 * self.variance(RESIDUAL) / (segments * raters_per_segment)
            )
        )


def variance_shares(rater_scores: RaterScores, documents: Sequence[str] | None = None) -> VarianceShares:
    """Estimate variance components of ratings: systems, segments, raters (random).

    Parameters
    ----------
    rater_scores
        The scores that each rater gave.
    documents
        The document of each segment, if documents are known.

    Raises
    ------
    NotApplicable
        There are fewer than two systems, segments or raters, or all values are equal.

    Examples
    --------
    >>> from mtsig.meta_eval import variance_shares
    >>> [round(share.share, 2) for share in variance_shares(rater_scores).shares]
    [0.32, 0.0, 0.16, 0.26, 0.0, 0.04, 0.22]
    """
    basic: dict[str, Index] = {
        "system": rater_scores.system.astype(np.int64),
        "segment": rater_scores.segment.astype(np.int64),
        "rater": rater_scores.rater.astype(np.int64),
    }
    if documents is not None:
        basic["document"] = np.unique(np.asarray(documents).astype(str), return_inverse=True)[1][rater_scores.segment]
    for name in ("system", "segment", "rater"):
        if len(np.unique(basic[name])) < 2:
            raise NotApplicable(f"Variance components need at least 2 {name}s; found {len(np.unique(basic[name]))}.")
    value = rater_scores.value - rater_scores.value.mean()
    if not np.square(value).sum() > 1e-18 * len(value) * np.square(rater_scores.value).max():
        raise NotApplicable("All ratings are equal, so there is no variance to decompose.")
    levels = {
        name: _crossed([basic[part] for part in parts])
        for name, parts in _SOURCES.items()
        if all(part in basic for part in parts)
    }
    sources: list[str] = []
    for name in levels:
        if _determined([levels[source] for source in (*sources, name)], len(value)):
            sources.append(name)
    used = [levels[name] for name in sources]
    matrix, right = (
        _expectations(used, len(value)),
        np.array(
            [float((np.bincount(source, value) ** 2 / np.bincount(source)).sum()) for source in (*_ends(value), *used)]
        ),
    )
    solve = np.linalg.solve(matrix, right)[1:]
    names = (*sources, RESIDUAL)
    kept = np.maximum(solve, 0.0)
    shares = Share.of_columns(
        len(names),
        source=names,
        variance=solve,
        share=kept / kept.sum(),
        levels=[*(int(source.max()) + 1 for source in used), len(value)],
    )
    below = [name for name, share in zip(names, solve, strict=True) if share < 0]
    lost = tuple(name for name in levels if name not in sources)
    said = []
    if below:
        said.append(f"Estimates below 0 that were set to 0: {listed(below)}.")
    if lost:
        said.append(f"In this design, these variance components are confounded with others: {listed(lost)}.")
    return VarianceShares(shares, lost, tuple(Note("note", text) for text in said))


def _crossed(columns: Sequence[Index]) -> Index:
    """Return the number of every combination that occurs; shape (m,)."""
    labels = np.unique(columns[0], return_inverse=True)[1]
    for column in columns[1:]:
        labels = np.unique(labels * (int(column.max()) + 1) + column, return_inverse=True)[1]
    return np.asarray(labels, dtype=np.int64)


def _ends(value: Floats) -> tuple[Index, Index]:
    """Return the coarsest levels, all in one, and the finest, each by itself."""
    return np.zeros(len(value), dtype=np.int64), np.arange(len(value))


def _expectations(sources: Sequence[Index], m: int) -> Floats:
    """Return what the squares of all in one, each by itself, and every source expect of each unknown.

    The unknowns are m μ², the sources' variances and the residual's.
    """
    rows = (np.zeros(m, dtype=np.int64), np.arange(m), *sources)
    columns = (*sources, np.arange(m))
    coefficients = np.ones((len(rows), len(columns) + 1))
    for i, row in enumerate(rows):
        size = np.bincount(row)
        for j, column in enumerate(columns):
            cells, count = np.unique(row * (int(column.max()) + 1) + column, return_counts=True)
            coefficients[i, j + 1] = (count**2 / size[cells // (int(column.max()) + 1)]).sum()
    return coefficients


def _determined(sources: Sequence[Index], m: int) -> bool:
    matrix = _expectations(sources, m)
    scaled = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    scaled = scaled / np.linalg.norm(scaled, axis=0)
    return bool(np.linalg.svd(scaled, compute_uv=False)[-1] > _SINGULAR)


MOST_PER_SEGMENT = 5
"""Raters per segment up to which designs are looked at."""

_MOST_SEGMENTS = 2**19
"""More than anybody has rated: an answer beyond it is none."""


@dataclass(frozen=True)
class RatingSize(Record):
    """What an evaluation takes with so many raters of every segment."""

    raters_per_segment: Annotated[Count, about("Number of raters who rate all outputs of a segment.")]
    segments: Annotated[Count | None, about("Segments needed to detect it for other raters; null if no number does.")]
    ratings: Annotated[Count | None, about("Number of ratings of these segments, over all systems.")]
    cost: Annotated[Number, about("Cost of these ratings; null without a price.")]
    standard_error: Annotated[Number, about("Standard error of a difference with these ratings.")]
    segments_fixed: Annotated[Count | None, about("Segments needed to detect it for these raters only; null if none.")]
    cost_fixed: Annotated[Number, about("Cost of these ratings.")]


@dataclass(frozen=True, eq=False)
class RatingDesign(Result):
    """Segments, raters and cost of an evaluation by people that finds a difference.

    raters: how many raters share the work equally. length: segments of a future document; None where documents are no
    source of variance. sizes: by raters per segment.
    """

    listed = "sizes"
    difference: float
    power: float
    level: float
    raters: int
    systems: int
    comparisons: int
    length: float | None
    sizes: tuple[RatingSize, ...]

    @property
    def cheapest(self) -> RatingSize | None:
        """The size that finds the difference for other raters at the least cost, or with the fewest values."""
        known = [size for size in self.sizes if size.segments is not None]
        return min(known, key=lambda size: (size.cost if size.cost == size.cost else 0.0, size.ratings), default=None)


def design_ratings(
    shares: VarianceShares,
    difference: float,
    raters: int,
    *,
    systems: int = 2,
    comparisons: int | None = None,
    power: float = 0.8,
    level: float = 0.95,
    length: float | None = None,
    price_segment: float | None = None,
    price_rating: float | None = None,
) -> RatingDesign:
    """Compute the number of segments needed, by the number of raters per segment.

    The result is the smallest m with λ(ν) SE(m, j, J) ≤ δ and ν = min(J, m) − 1. Documents replace segments if they are
    a source of variance. To generalise to other raters, SE includes 2 σ²_system×rater/J, which more segments do not
    reduce. For these raters only, SE omits this term, and ν = m − 1.

    Parameters
    ----------
    shares
        The variance components of a pilot's ratings, as `variance_shares` returns them.
    difference
        The true difference to detect, in points of the rating.
    raters
        The total number of raters.
    systems
        The number of systems that each rater of a segment rates; all pairs of systems are compared.
    comparisons
        The number of comparisons in the Bonferroni correction; `None` counts all pairs of systems.
    power
        The probability of detecting the difference.
    level
        The confidence level: 1 minus the error rate.
    length
        The number of segments per document; needed if documents are a source of variance.
    price_segment
        The cost of a segment before it is rated.
    price_rating
        The cost of one rating.

    Raises
    ------
    InvalidOption
        A number is out of range, or the length of documents is missing.
    NotApplicable
        The rater variance cannot be estimated from the pilot.

    Examples
    --------
    >>> from mtsig.meta_eval import design_ratings, variance_shares
    >>> [size.raters_per_segment for size in design_ratings(variance_shares(rater_scores), 0.5, 2).sizes]
    [1, 2]
    """
    check_share("Power", power)
    check_share("The level", level)
    check_difference(difference)
    if systems < 2 or raters < 1:
        raise InvalidOption(f"An evaluation needs at least 2 systems and 1 rater; found {systems} and {raters}.")
    comparisons = systems * (systems - 1) // 2 if comparisons is None else comparisons
    check_comparisons(comparisons)
    for what, price in (("segment", price_segment), ("rating", price_rating)):
        if price is not None and not (isfinite(price) and price >= 0):
            raise InvalidOption(f"The price of a {what} must be a number of at least 0; found {price:g}.")
    by_document = shares.variance("system × document") > 0
    if by_document and not (length is not None and length >= 1):
        raise InvalidOption("Documents are a source of variance here, so give their planned number of segments.")
    length = length if by_document else None
    tail = (1 - level) / 2 / comparisons

    def documents(segments: int) -> int | None:
        return None if length is None else ceil(segments / length)

    def error(segments: int, each: int, among: int | None) -> float:
        return shares.standard_error(segments, each, among, documents(segments))

    def finds(segments: int, each: int, among: int | None) -> bool:
        units = documents(segments) or segments
        df = min(units, units if among is None else among) - 1
        return df >= 1 and noncentral(df, tail, power) * error(segments, each, among) <= abs(difference)

    def cost(segments: int | None, each: int) -> float:
        if segments is None or (price_segment is None and price_rating is None):
            return float("nan")
        return segments * (price_segment or 0.0) + segments * each * systems * (price_rating or 0.0)

    sizes = []
    for each in range(1, min(MOST_PER_SEGMENT, raters) + 1):
        try:
            fixed = _least(lambda segments, each=each: finds(segments, each, None))  # type: ignore[misc]
            needed = (
                _least(lambda segments, each=each: finds(segments, each, raters))  # type: ignore[misc]
                if raters >= FEWEST_RATERS
                else None
            )
        except NotApplicable:
            if each == 1:
                raise
            break  # the pilot does not tell what a second rater of an output is worth
        sizes.append(
            RatingSize(
                each,
                needed,
                None if needed is None else needed * each * systems,
                cost(needed, each),
                float("nan") if needed is None else error(needed, each, raters),
                fixed,
                cost(fixed, each),
            )
        )
    return RatingDesign(difference, power, level, raters, systems, comparisons, length, tuple(sizes))


def design_ratings_by(
    corpus: Corpus, rating: str, difference: float, raters: int | None = None, **wanted: Any
) -> RatingDesign:
    """Return `design_ratings` with a rating of a corpus as the pilot; `wanted` are its own options.

    raters: as many as the pilot has, when None. Documents are as long as those at hand.
    """
    given = find(corpus.ratings, rating, "rating").rater_scores
    if given is None:
        raise NotApplicable(f"{rating}: there are no rater ids, so raters cannot be analysed.")
    shares = variance_shares(given.signed, corpus.documents)
    length = None if corpus.n_documents is None else len(corpus) / corpus.n_documents
    raters = len(given.signed.raters) if raters is None else raters
    return design_ratings(shares, difference, raters, length=length, **wanted)


def _least(enough: Callable[[int], bool]) -> int | None:
    """Return the smallest number of segments that would do, by bisection; None where not even very many would."""
    found = least_whole(lambda segments: segments > _MOST_SEGMENTS or enough(segments), 2)
    return found if found <= _MOST_SEGMENTS else None
