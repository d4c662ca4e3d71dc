"""A design goes in, its table comes out: what a test set needs, each number with what the pilot leaves open."""

from collections.abc import Callable, Sequence
from math import ceil, floor, inf, log10

from mtsig.corpus import number_of
from mtsig.inference import Design, TestSetSize, Way
from mtsig.meta_eval import FEWEST_JUDGES, RatingDesign
from mtsig.report.table import Column, Table, View, known
from mtsig.report.tables import about_text
from mtsig.report.words import units_text
from mtsig.segments import ReferencesDesign

_WAYS = {
    "documents": "more or fewer documents",
    "lengths": "longer or shorter documents",
    "segments": "more or fewer segments",
}


def design_table(design: Design, view: View = ("way", "documents", "segments", "cost")) -> Table:
    """Return the ways to a test set that finds the difference, each with documents, segments and cost.

    >>> import mtsig
    >>> from mtsig.report import design_table
    >>> statistics = mtsig.measure(mtsig.read_sample(), "chrf")
    >>> table = design_table(mtsig.design_test_set(statistics, "direct", "via-catalan", 1.0))
    >>> table.header, table.texts[0]  # doctest: +NORMALIZE_WHITESPACE
    (('way', 'documents', 'segments'), ('more or fewer documents', 'about 39 (18 to 104)', 'about 390 (180 to
    1,100)'))
    """
    by_document = design.unit == "document"
    return Table.of(
        design_caption(design),
        (Column("way"), (_WAYS[way.by] for way in design.ways)),
        (Column("documents"), [_documents(way) for way in design.ways] if by_document else None),
        (Column("segments"), (_segments(way) for way in design.ways)),
        (Column("cost"), [_cost(way) for way in design.ways] if _priced(design) else None),
        view=view,
    )


def references_table(
    references_designs: Sequence[ReferencesDesign],
    view: View = ("references", "way", "documents", "segments", "cost", "problem"),
) -> Table:
    """Return the ways to a test set that finds the difference, for each combination of references.

    >>> import mtsig
    >>> from mtsig.segments import design_by_references
    >>> from mtsig.report import references_table
    >>> corpus = mtsig.read_sample()
    >>> designs = design_by_references(corpus, mtsig.metric("chrf"), "direct", "via-catalan", 2.0)
    >>> references_table(designs).texts[0]
    ('ref', 'more or fewer documents', 'about 12 (10 to 28)', 'about 120 (100 to 280)')
    """
    shown = [
        (references_design, way)
        for references_design in references_designs
        for way in (references_design.design.ways if references_design.design is not None else (None,))
    ]
    ways = [way for _, way in shown]

    def column(show: Callable[[Way], str]) -> list[str] | None:
        texts = ["" if way is None else show(way) for way in ways]
        return texts if any(texts) else None

    by_document = any(
        references_design.design is not None and references_design.design.unit == "document"
        for references_design in references_designs
    )
    priced = any(
        references_design.design is not None and _priced(references_design.design)
        for references_design in references_designs
    )
    problems = [design.problem for design, _ in shown]
    return Table.of(
        "References are fixed scenarios: nothing is said of others.",
        (Column("references"), (" + ".join(design.references) for design, _ in shown)),
        (Column("way"), ("" if way is None else _WAYS[way.by] for way in ways)),
        (Column("documents"), column(_documents) if by_document else None),
        (Column("segments"), column(_segments)),
        (Column("cost"), column(_cost) if priced else None),
        (Column("problem"), problems if any(problems) else None),
        view=view,
    )


def _priced(design: Design) -> bool:
    return any(size is not None and size.cost is not None for way in design.ways for size in _sizes(way))


def _sizes(way: Way) -> tuple[TestSetSize | None, TestSetSize | None, TestSetSize | None]:
    return way.needed, way.low, way.high


def _needed(way: Way, number_of_size: Callable[[TestSetSize], float | None]) -> str:
    sizes = _sizes(way)
    if any(size is not None and number_of_size(size) is None for size in sizes):
        return ""  # nothing of the kind is asked: no documents, or no price
    needed, low, high = (None if size is None else number_of_size(size) for size in sizes)
    return rough_text(needed, low, high)


def rough_text(value: float | None, low: float | None, high: float | None) -> str:
    """Return a number that a pilot knows roughly, with its range: as many digits as mean something.

    From a thousand on they are two, or more where the range is narrow; the range is rounded to be no narrower.

    >>> rough_text(473, 306, 834), rough_text(4421, 2860, 7795)
    ('about 473 (306 to 834)', 'about 4,400 (2,800 to 7,800)')
    >>> rough_text(112617, 110836, 114441), rough_text(4432, 4432, 4432)
    ('about 113,000 (110,000 to 115,000)', '4,432')
    """
    apart = high - low if low is not None and high is not None else 0.0
    finest = 10.0 ** floor(log10(apart)) if apart > 0 else inf
    exact = value is not None and value == low == high

    def text(number: float | None, rounded: Callable[[float], float]) -> str | None:
        if number is None or exact or number < _ROUGH:
            return None if number is None else f"{number:,.0f}" if number >= 100 or number % 1 == 0 else f"{number:.2f}"
        step = min(10.0 ** (floor(log10(number)) - 1), finest)
        return f"{rounded(number / step) * step:,.0f}"

    return about_text(text(value, round), text(low, floor), text(high, ceil))


_ROUGH = 1000
"""From this size on the last digits of what a pilot says are noise."""


def _documents(way: Way) -> str:
    if way.by == "lengths":
        # As many as there are, however long: only their segments may not do.
        return next((f"{size.documents:,}" for size in _sizes(way) if size is not None), "the same")
    return _needed(way, lambda size: size.documents)


def _segments(way: Way) -> str:
    return _needed(way, lambda size: size.segments)


def _cost(way: Way) -> str:
    return _needed(way, lambda size: size.cost)


def ratings_design_table(rating_design: RatingDesign) -> Table:
    """Return what an evaluation by people takes, by how many judges see each segment.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.report import ratings_design_table
    >>> from mtsig.meta_eval import design_ratings, variance_shares
    >>> rng = np.random.default_rng(1)
    >>> true = np.arange(3)[:, None] + rng.normal(size=(3, 40))
    >>> given = {name: true + shift + rng.normal(size=(3, 40)) for name, shift in (("Ann", 0), ("Bo", 1))}
    >>> design = design_ratings(variance_shares(Judgements.of(given)), difference=0.5, judges=6)
    >>> table = ratings_design_table(design)
    >>> table.header, table.texts[0]  # doctest: +NORMALIZE_WHITESPACE
    (('judges per segment', 'segments, for other judges', 'values', 'segments, these judges alone'), ('1', '150',
    '300', '98'))
    """
    sizes = rating_design.sizes
    priced = any(size.cost_fixed == size.cost_fixed for size in sizes)
    among = (
        f", as one of {rating_design.comparisons:,} comparisons (Bonferroni)" if rating_design.comparisons > 1 else ""
    )
    documents = "" if rating_design.length is None else f" Documents of {rating_design.length:g} segments."
    few = (
        f" {number_of(rating_design.judges, 'judge')}: {FEWEST_JUDGES} at least can stand for other judges."
        if rating_design.judges < FEWEST_JUDGES
        else ""
    )
    return Table.of(
        f"To find a true difference of {rating_design.difference:g} with {rating_design.power:.0%} power{among}, "
        f"{rating_design.judges} judges "
        f"sharing the work equally and seeing all {rating_design.systems} outputs of a segment. For other judges: what "
        "these "
        f"differ by counts as chance, which no number of segments takes away.{documents}{few}",
        (Column("judges per segment", "count"), [size.judges_per_segment for size in sizes]),
        (Column("segments, for other judges", "range"), [_found(size.segments) for size in sizes]),
        (Column("values", "count"), [size.judgements for size in sizes]),
        (Column("cost", "number"), [known(size.cost) for size in sizes] if priced else None),
        (Column("segments, these judges alone", "range"), [_found(size.segments_fixed) for size in sizes]),
        (Column("their cost", "number"), [known(size.cost_fixed) for size in sizes] if priced else None),
        name="ratings design",
    )


def ratings_design_text(rating_design: RatingDesign) -> str:
    """Return in a sentence the cheapest evaluation that finds the difference.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.report import ratings_design_text
    >>> from mtsig.meta_eval import design_ratings, variance_shares
    >>> rng = np.random.default_rng(1)
    >>> true = np.arange(3)[:, None] + rng.normal(size=(3, 40))
    >>> given = {name: true + shift + rng.normal(size=(3, 40)) for name, shift in (("Ann", 0), ("Bo", 1))}
    >>> print(ratings_design_text(design_ratings(variance_shares(Judgements.of(given)), difference=0.5, judges=6)))
    It takes 150 segments with 1 judge each, of 6, to find a true difference of 0.5 with 80% power for other judges.
    """
    best = rating_design.cheapest
    finds = f"a true difference of {rating_design.difference:g} with {rating_design.power:.0%} power"
    if best is None or best.segments is None:
        return f"With {number_of(rating_design.judges, 'judge')}, no number of segments finds {finds} for other judges."
    cost = "" if best.cost != best.cost else f", at a cost of {best.cost:,.0f}"
    return (
        f"It takes {best.segments:,} segments with {number_of(best.judges_per_segment, 'judge')} each, of "
        f"{rating_design.judges}, to find {finds} for other judges{cost}."
    )


def _found(segments: int | None) -> str:
    return "none would do" if segments is None else f"{segments:,}"


def design_caption(design: Design) -> str:
    """Return what the numbers of a design stand on.

    >>> import mtsig
    >>> from mtsig.report import design_caption
    >>> statistics = mtsig.measure(mtsig.read_sample(), "chrf")
    >>> design = mtsig.design_test_set(statistics, "direct", "via-catalan", 1.0)
    >>> print(design_caption(design).partition(". ")[0])  # doctest: +NORMALIZE_WHITESPACE
    To find a true difference of 1 chrF2 with 80% power, by the jackknife t test; ranges are what 20 documents leave
    open of their spread
    """
    length = "" if design.length is None else f" New documents have {design.length:.1f} segments in the mean."
    within = (
        f" Of the variance of the difference, {design.within:.0%} lies within documents: longer ones take away that "
        "part alone."
        if design.within is not None
        else ""
    )
    among = f", as one of {design.comparisons:,} comparisons (Bonferroni)" if design.comparisons > 1 else ""
    return (
        f"To find a true difference of {design.difference:g} {design.metric} with {design.power:.0%} power{among}, by "
        "the "
        f"jackknife t test; ranges are what {units_text([design.units], design.unit)} leave open of their "
        f"spread.{length}{within} {design.signature}"
    )
