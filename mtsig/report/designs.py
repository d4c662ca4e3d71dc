"""A design goes in, its table comes out: what a test set needs, each number with what the pilot leaves open."""

from collections.abc import Callable, Sequence

from mtsig.inference import Design, ReferencesDesign, TestSetSize, Way
from mtsig.report.table import Column, Table, View
from mtsig.report.tables import about_text
from mtsig.report.words import units_text

_WAYS = {
    "documents": "another number of documents",
    "lengths": "another length of documents",
    "segments": "another number of segments",
}


def design_table(found: Design, view: View = ("way", "documents", "segments", "cost")) -> Table:
    """Return the ways to a test set that finds the difference, each with documents, segments and cost."""
    by_document = found.unit == "document"
    return Table.of(
        design_caption(found),
        (Column("way"), (_WAYS[way.by] for way in found.ways)),
        (Column("documents"), [_documents(way) for way in found.ways] if by_document else None),
        (Column("segments"), (_segments(way) for way in found.ways)),
        (Column("cost"), [_cost(way) for way in found.ways] if _priced(found) else None),
        view=view,
    )


def references_table(
    found: Sequence[ReferencesDesign], view: View = ("references", "way", "documents", "segments", "cost", "problem")
) -> Table:
    """Return the ways to a test set that finds the difference, for each combination of references."""
    shown = [(one, way) for one in found for way in (one.design.ways if one.design is not None else (None,))]
    ways = [way for _, way in shown]

    def column(show: Callable[[Way], str]) -> list[str] | None:
        texts = ["" if way is None else show(way) for way in ways]
        return texts if any(texts) else None

    by_document = any(one.design is not None and one.design.unit == "document" for one in found)
    priced = any(one.design is not None and _priced(one.design) for one in found)
    problems = [one.problem for one, _ in shown]
    return Table.of(
        "References are fixed scenarios: nothing is said of others.",
        (Column("references"), (" + ".join(one.references) for one, _ in shown)),
        (Column("way"), ("" if way is None else _WAYS[way.by] for way in ways)),
        (Column("documents"), column(_documents) if by_document else None),
        (Column("segments"), column(_segments)),
        (Column("cost"), column(_cost) if priced else None),
        (Column("problem"), problems if any(problems) else None),
        view=view,
    )


def _priced(found: Design) -> bool:
    return any(size is not None and size.cost is not None for way in found.ways for size in _sizes(way))


def _sizes(way: Way) -> tuple[TestSetSize | None, TestSetSize | None, TestSetSize | None]:
    return way.needed, way.low, way.high


def _needed(way: Way, show: Callable[[TestSetSize], str]) -> str:
    texts = [None if size is None else show(size) for size in _sizes(way)]
    return about_text(*texts)


def _documents(way: Way) -> str:
    if way.by == "lengths":
        # As many as there are, however long: only their segments may not do.
        return next((f"{size.documents:,}" for size in _sizes(way) if size is not None), "as many")
    return _needed(way, lambda size: f"{size.documents:,}")


def _segments(way: Way) -> str:
    return _needed(way, lambda size: f"{size.segments:,}")


def _cost(way: Way) -> str:
    return _needed(way, lambda size: "" if size.cost is None else f"{size.cost:,.{0 if size.cost >= 100 else 2}f}")


def design_caption(found: Design) -> str:
    """Return what the numbers of a design stand on."""
    length = "" if found.length is None else f" New documents have {found.length:.1f} segments in the mean."
    within = (
        f" Of the variance of the difference, {found.within:.0%} lies within documents: longer ones take away that "
        "part alone."
        if found.within is not None
        else ""
    )
    among = f", as one of {found.comparisons:,} comparisons (Bonferroni)" if found.comparisons > 1 else ""
    return (
        f"To find a true difference of {found.difference:g} {found.metric} with {found.power:.0%} power{among}, by the "
        f"jackknife t test; ranges are what {units_text([found.units], found.unit)} leave open of their "
        f"spread.{length}{within} {found.signature}"
    )
