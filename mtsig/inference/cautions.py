"""Cautions: what to know of units that are few or unequal before an interval or a verdict over them is read."""

from collections.abc import Iterator

from mtsig.corpus import Note
from mtsig.inference.degrees import FEWEST_DF
from mtsig.inference.targets import Pairs, Scores


def too_unequal(targets: Scores | Pairs) -> tuple[str, ...]:
    """Return for each target why its documents carry no verdict; "" for those that do.

    Below 4 degrees of freedom Satterthwaite's t is not to be trusted (Tipton 2015, Psychological Methods 20): it finds
    hardly anything, and errs in less than it says.
    """
    if targets.statistics.unit != "document":
        return ("",) * len(targets.labels)
    found = zip(targets.units, targets.df, targets.span, targets.segments, strict=True)
    return tuple(
        f"{units} documents of {shortest} to {longest} segments judge their own spread like {_equal(df)} equal ones; "
        f"no verdict on fewer than {FEWEST_DF + 1}. The longest holds {longest / segments:.0%}"
        if df < FEWEST_DF
        else ""
        for units, df, (shortest, longest), segments in found
    )


def doubts(targets: Scores | Pairs) -> tuple[str, ...]:
    """Return for each target why it carries no verdict, whatever the test; "" for those that do."""
    # What the counts themselves leave open comes before what their spread does.
    counted = targets.statistics.doubt.rstrip(".")
    return tuple(counted or one for one in too_unequal(targets))


def _equal(df: float) -> str:
    """Return like how many equal ones, never rounded up to as many as would do."""
    return f"{df + 1:.0f}" if round(df + 1) <= FEWEST_DF else f"{df + 1:.1f}"


def cautions(targets: Scores | Pairs) -> Iterator[Note]:
    """Yield what to know of the units: each sentence once, whatever the number of targets."""
    if targets.statistics.unit != "document":
        return
    yield from (Note("warning", f"{text}.") for text in dict.fromkeys(too_unequal(targets)) if text)
    most = int(targets.units.max())
    yield Note("note", f"A document unlike the others that is not among the {most} cannot be seen from them.")
