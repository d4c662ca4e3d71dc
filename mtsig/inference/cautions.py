"""Cautions: what to know of units that are few or unequal before an interval or a verdict over them is read."""

from collections.abc import Iterator
from math import ceil, isnan, nan
from typing import Any, Protocol

from mtsig.corpus import MIN_DOCUMENTS, Note
from mtsig.inference.comparison import FEWEST_DIFFERING, too_few_differ
from mtsig.inference.degrees import FEWEST_DF
from mtsig.inference.reasons import Doubt
from mtsig.inference.targets import Pairs, Scores
from mtsig.metrics import ALIKE, FEW_SEGMENTS, UNLIKE, Statistics


def ungrounded(unit: str, units: int, doubt: str, whom: str = "both") -> str:
    """Return why a pair carries no inference, whatever its numbers and the test; "" where it does.

    Verdicts, margins and detectable differences all ask here: what refuses one of them refuses all.
    """
    if unit == "document" and units < MIN_DOCUMENTS:
        known = "1 document is known" if units == 1 else f"{units} documents are known"
        return f"only {known} for {whom}, too few for document-level inference"
    return doubt


def spread_unknown(unit: str, units: int, differing: int, error: float) -> str:
    """Return why a pair's standard error says nothing of how far its difference may be off; "" where it does.

    Tests that enumerate or exchange need none; t tests, margins, power and detectable differences do.
    """
    if isnan(error):
        return "the score has no derivative here: some n-gram order has no match, or none without some unit"
    if too_few_differ(differing, units):
        least = min(FEWEST_DIFFERING, ceil(units / 2))
        return f"they differ on only {differing:,} of {units:,} {unit}s; to know how much {unit}s vary takes {least}"
    if not error > 0:
        return f"the two do not vary against each other: no spread between {unit}s to test against"
    return ""


def too_unequal(targets: Scores | Pairs) -> tuple[str, ...]:
    """Return for each target why its documents or blocks carry no verdict; "" for those that do.

    Below 4 degrees of freedom Satterthwaite's t is not to be trusted (Tipton 2015, Psychological Methods 20): it finds
    hardly anything, and errs in less than it says.
    """
    unit = targets.statistics.unit
    if not targets.statistics.clustered:
        return ("",) * len(targets.labels)
    spreads = zip(targets.units, targets.df, targets.span, targets.segments, strict=True)
    return tuple(
        f"{units} {unit}s of {shortest} to {longest} segments judge their own spread like {_equal(df)} equal ones; "
        f"no verdict on fewer than {FEWEST_DF + 1}. The longest holds {longest / segments:.0%}"
        if df < FEWEST_DF
        else ""
        for units, df, (shortest, longest), segments in spreads
    )


def doubts(targets: Scores | Pairs) -> tuple[Doubt, ...]:
    """Return for each target why it carries no verdict, whatever the test; empty for those that do."""
    # What the counts themselves leave open comes before what their spread does.
    counted = doubt_of_counts(targets.statistics)
    if counted.said:
        return (counted,) * len(targets.labels)
    unequal = f"unequal {targets.statistics.unit}s"
    return tuple(Doubt(few, unequal) if few else Doubt() for few in too_unequal(targets))


def doubt_of_counts(statistics: Statistics) -> Doubt:
    """Return why no score of these counts says which translation is better; empty where nothing speaks against it."""
    return Doubt(statistics.data_caveat.rstrip("."), "text") if statistics.data_caveat else Doubt()


def _equal(df: float) -> str:
    """Return like how many equal ones, never rounded up to as many as would do."""
    return f"{df + 1:.0f}" if round(df + 1) <= FEWEST_DF else f"{df + 1:.1f}"


def cautions(targets: Scores | Pairs) -> Iterator[Note]:
    """Yield what to know of the units: each sentence once, whatever the number of targets."""
    yield from (Note("note", text) for text in _by_order(targets.statistics))
    yield from (Note("warning", f"{text}.") for text in dict.fromkeys(too_unequal(targets)) if text)
    if targets.statistics.unit != "document":
        return
    most = int(targets.units.max())
    yield Note("note", f"A document unlike the others that is not among the {most} cannot be seen from them.")


def _by_order(statistics: Statistics) -> Iterator[str]:
    """Yield what the unit rests on where document ids are missing."""
    order = statistics.order
    if order is None or len(statistics.systems) < 2:
        return
    z = f"z = {order.z:.2f}"
    if statistics.unit == "block":
        of, df = (
            f"{statistics.n} blocks of about {order.segments / statistics.n:.0f} consecutive segments",
            statistics.n - 1,
        )
        if order.alike:
            yield (
                f"No document ids. Neighbouring segments are alike ({z}), so they are not independent: judged by {of}, "
                f"{df} degrees of freedom. Document ids, one a line, would judge better."
            )
        else:
            yield f"Judged by {of}, {df} degrees of freedom, as was asked for."
    elif statistics.neighbours is not None and order.known:
        yield (
            f"No document ids. Judged by segments; nothing in their order speaks against it ({z}). If whole documents "
            "were sampled and then shuffled, this cannot be seen."
        )


class OfUnits(Protocol):
    """What a comparison knows of the units that it was judged by."""

    @property
    def unit(self) -> str:
        """Its unit."""

    @property
    def documents(self) -> float:
        """How many documents are known."""

    @property
    def order_segments(self) -> float:
        """On how many segments the order was looked at."""

    @property
    def order_z(self) -> float:
        """How alike neighbours are."""


def order_facts(statistics: Statistics) -> dict[str, Any]:
    """Return what `unit_cautions` asks for of statistics."""
    order, documents = statistics.order, statistics.n_documents
    return {
        "documents": nan if documents is None else float(documents),
        "order_segments": nan if order is None else float(order.segments),
        "order_z": nan if order is None else order.z,
    }


def unit_cautions(judged: OfUnits) -> Iterator[str]:
    """Yield why to doubt a verdict whose units may depend on each other; nothing where document ids settle that."""
    segments = judged.unit not in ("document", "block")
    if segments and judged.documents < MIN_DOCUMENTS:
        known = (
            "1 document is known, too few"
            if judged.documents == 1
            else f"{judged.documents:.0f} documents are known, too few"
        )
        yield f"only {known} to judge by, and how far segments of one document depend on each other is not known"
    if segments and judged.order_z > ALIKE:
        yield (
            f"this test takes segments as independent, but neighbours are alike (z = {judged.order_z:.2f}); such tests "
            "found false differences in up to 45 of 100 families"
        )
    elif judged.order_segments < FEW_SEGMENTS:
        seen = (
            "dependence would hardly be seen"
            if segments
            else "on so few, blocks still found false differences in about 10 of 100 families"
        )
        yield f"fewer than {FEW_SEGMENTS} segments and no document ids; {seen}"
    if judged.order_z < UNLIKE:
        yield ("neighbouring segments are less alike than chance; are documents dealt out in turn? Give document ids")
