"""Tables of judges: how far they agree, how lenient they are, and where the variance of their values comes from."""

from collections.abc import Sequence

from mtsig.inference import level_text
from mtsig.report.table import Column, Table
from mtsig.report.trust import known
from mtsig.trust import Agreement, Leniency, VarianceShares


def agreement_table(found: Sequence[Agreement]) -> Table:
    """Return a row for every coefficient of agreement."""
    first = found[0]
    return Table.of(
        f"Agreement on outputs that several judges rated. Intervals: percentiles over redrawn {first.unit}s, with all "
        "their systems and judges. That judges agree does not make them right.",
        (Column("coefficient"), [one.label for one in found]),
        (Column("value", "score", 3), [one.value for one in found]),
        (
            Column(f"{level_text(first.level)} interval", "interval", 3),
            [None if one.low != one.low else (one.low, one.high) for one in found],
        ),
        (
            Column("by F theory", "interval", 3),
            [None if one.theory_low != one.theory_low else (one.theory_low, one.theory_high) for one in found],
        ),
        (Column("outputs", "count"), [one.outputs for one in found]),
        (Column("judges", "count"), [one.judges for one in found]),
        (Column("caution"), [one.warning or None for one in found]),
        name="agreement",
    )


def leniency_table(found: Leniency) -> Table:
    """Return a row for every judge, the most lenient first."""
    rows = sorted(found.levels, key=lambda one: -one.leniency)
    levels = ", segments' own levels taken out" if found.by_segment else ""
    return Table.of(
        "By how much each judge's values are higher than the mean judge's, systems being equal (least squares"
        f"{levels}); standard errors over redrawn {found.unit}s.",
        (Column("judge"), [one.judge for one in rows]),
        (Column("leniency", "difference", 3), [one.leniency for one in rows]),
        (Column("standard error", "score", 3), [known(one.standard_error) for one in rows]),
        (Column("ratings", "count"), [one.ratings for one in rows]),
        name="leniency",
    )


def shares_table(found: VarianceShares) -> Table:
    """Return a row for every source of variance."""
    told = ""
    if found.inseparable:
        told = f" This design does not tell these from others: {', '.join(found.inseparable)}."
    return Table.of(
        f"Where the variance of single values comes from (method of moments).{told}",
        (Column("source"), [one.source for one in found.shares]),
        (Column("variance", "number"), [one.variance for one in found.shares]),
        (Column("share", "share"), [known(one.share) for one in found.shares]),
        (Column("levels", "count"), [one.levels for one in found.shares]),
        name="shares",
    )
