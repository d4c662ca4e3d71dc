"""Design of ratings: shares of variance go in; the segments, judges and cost of a future evaluation come out.

The error of a future difference is made of the shares that a pilot's judgements have (`VarianceShares.standard_error`),
as the error of a test set is made of what its segments vary by (`mtsig.inference.design`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, isfinite
from typing import Annotated, Any

from mtsig.corpus import Corpus
from mtsig.errors import InvalidOption, NotApplicable, find
from mtsig.inference.detectable import check_share, noncentral
from mtsig.inference.power import check_comparisons, check_difference
from mtsig.records import Count, Number, Record, about
from mtsig.results import Result
from mtsig.trust.random_judges import FEWEST_JUDGES
from mtsig.trust.shares import VarianceShares, variance_shares

MOST_PER_SEGMENT = 5
"""Judges per segment up to which designs are looked at."""

_MOST_SEGMENTS = 10**6
"""More than anybody has rated: an answer beyond it is none."""


@dataclass(frozen=True)
class RatingSize(Record):
    """What an evaluation takes with so many judges of every segment."""

    judges_per_segment: Annotated[Count, about("Judges who see all outputs of a segment.")]
    segments: Annotated[Count | None, about("Segments that find the difference for other judges; null: none do.")]
    judgements: Annotated[Count | None, about("Values that are given for them, of all systems.")]
    cost: Annotated[Number, about("What they cost; null without a price.")]
    standard_error: Annotated[Number, about("The standard error of a difference then.")]
    segments_fixed: Annotated[Count | None, about("Segments that find it for these judges alone; null: none do.")]
    cost_fixed: Annotated[Number, about("What those cost.")]


@dataclass(frozen=True, eq=False)
class RatingDesign(Result):
    """Segments, judges and cost of an evaluation by people that finds a difference.

    judges: how many judges share the work equally. length: segments of a future document; None where documents are no
    source of variance. sizes: by judges per segment.
    """

    difference: float
    power: float
    level: float
    judges: int
    systems: int
    comparisons: int
    length: float | None
    sizes: tuple[RatingSize, ...]

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per number of judges of a segment."""
        return [size.row() for size in self.sizes]

    @property
    def cheapest(self) -> RatingSize | None:
        """The size that finds the difference for other judges at the least cost, or with the fewest values."""
        known = [size for size in self.sizes if size.segments is not None]
        return min(
            known, key=lambda size: (size.cost if size.cost == size.cost else 0.0, size.judgements), default=None
        )


def design_ratings(
    shares: VarianceShares,
    difference: float,
    judges: int,
    *,
    systems: int = 2,
    comparisons: int | None = None,
    power: float = 0.8,
    level: float = 0.95,
    length: float | None = None,
    price_segment: float | None = None,
    price_judgement: float | None = None,
) -> RatingDesign:
    """Return how many segments find a true difference of two systems, by how many judges see each segment.

    The least m with λ(ν) SE(m, j, J) ≤ δ, ν = min(J, m) − 1, documents in place of segments where they are a source.
    For other judges, of whom these are a sample, SE has the judges' part 2 σ²_system×judge/J, which no number of
    segments takes away; for these judges alone it has not, and ν = m − 1.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.trust import design_ratings, variance_shares
    >>> rng = np.random.default_rng(1)
    >>> true = np.arange(3)[:, None] + rng.normal(size=(3, 40))
    >>> given = {name: true + shift + rng.normal(size=(3, 40)) for name, shift in (("Ann", 0), ("Bo", 1))}
    >>> judgements = Judgements.of(given)
    >>> [size.judges_per_segment for size in design_ratings(variance_shares(judgements), 0.5, 2).sizes]
    [1, 2]

    Args:
        shares: of a pilot's judgements, as `variance_shares` returns them.
        difference: the true difference worth finding, in points of the rating.
        judges: how many judges will share the work.
        systems: how many systems each judge of a segment sees; all their pairs are compared.
        comparisons: how many are judged together, as by Bonferroni; all pairs of the systems when None.
        power: the chance to find it.
        level: 1 − the error rate.
        length: segments of a document; needed where documents are a source of variance.
        price_segment: what a segment costs before anybody judges it.
        price_judgement: what one value costs.

    Raises:
        InvalidOption: a number is out of range, or the length of documents is missing.
        NotApplicable: the pilot does not tell what judges bring.
    """
    check_share("Power", power, 0, 1)
    check_share("The level", level, 0, 1)
    check_difference(difference)
    if systems < 2 or judges < 1:
        raise InvalidOption(f"An evaluation has 2 systems and a judge at least; found {systems} and {judges}.")
    comparisons = systems * (systems - 1) // 2 if comparisons is None else comparisons
    check_comparisons(comparisons)
    for what, price in (("segment", price_segment), ("judgement", price_judgement)):
        if price is not None and not (isfinite(price) and price >= 0):
            raise InvalidOption(f"The price of a {what} is a number of at least 0; found {price:g}.")
    by_document = shares.variance("system × document") > 0
    if by_document and not (length is not None and length >= 1):
        raise InvalidOption("Documents are a source of variance here: say how many segments one will have.")
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
        if segments is None or (price_segment is None and price_judgement is None):
            return float("nan")
        return segments * (price_segment or 0.0) + segments * each * systems * (price_judgement or 0.0)

    sizes = []
    for each in range(1, min(MOST_PER_SEGMENT, judges) + 1):
        try:
            fixed = _least(lambda segments, each=each: finds(segments, each, None))  # type: ignore[misc]
            needed = (
                _least(lambda segments, each=each: finds(segments, each, judges))  # type: ignore[misc]
                if judges >= FEWEST_JUDGES
                else None
            )
        except NotApplicable:
            if each == 1:
                raise
            break  # the pilot does not tell what a second judge of an output is worth
        sizes.append(
            RatingSize(
                each,
                needed,
                None if needed is None else needed * each * systems,
                cost(needed, each),
                float("nan") if needed is None else error(needed, each, judges),
                fixed,
                cost(fixed, each),
            )
        )
    return RatingDesign(difference, power, level, judges, systems, comparisons, length, tuple(sizes))


def design_ratings_by(
    corpus: Corpus, rating: str, difference: float, judges: int | None = None, **wanted: Any
) -> RatingDesign:
    """Return `design_ratings` with a rating of a corpus as the pilot; `wanted` are its own options.

    judges: as many as the pilot has, when None. Documents are as long as those at hand.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.trust import design_ratings_by
    >>> rng = np.random.default_rng(1)
    >>> true = np.arange(3)[:, None] + rng.normal(size=(3, 40))
    >>> given = {name: true + shift + rng.normal(size=(3, 40)) for name, shift in (("Ann", 0), ("Bo", 1))}
    >>> rating = mtsig.Rating(np.mean(list(given.values()), axis=0), True, judgements=Judgements.of(given))
    >>> corpus = mtsig.Corpus.of(dict.fromkeys("ABC"), ratings={"esa": rating})
    >>> design_ratings_by(corpus, "esa", difference=0.5, judges=6).cheapest.segments
    150

    Raises:
        UnknownName: the corpus has no such rating.
        NotApplicable: it is not known who gave which value, or there are too few systems, segments or judges.
    """
    given = find(corpus.ratings, rating, "rating").judgements
    if given is None:
        raise NotApplicable(f"{rating}: it is not known who gave which value, so it cannot be said what judges bring.")
    shares = variance_shares(given.signed, corpus.documents)
    length = None if corpus.n_documents is None else len(corpus) / corpus.n_documents
    judges = len(given.signed.judges) if judges is None else judges
    return design_ratings(shares, difference, judges, length=length, **wanted)


def _least(enough: Callable[[int], bool]) -> int | None:
    """Return the smallest number of segments that would do, by bisection; None where not even very many would."""
    low, high = 1, 2
    while not enough(high):
        low, high = high, 2 * high
        if high > _MOST_SEGMENTS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
