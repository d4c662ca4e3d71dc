"""What the doctor found: a checkup goes in, a table and a bundle come out."""

from typing import Any

from mtsig.corpus import Corpus, number_of
from mtsig.doctor import Checkup
from mtsig.report.table import Table
from mtsig.study import SCHEMA
from mtsig.version import VERSION


def checkup_table(found: Checkup) -> Table:
    """Return the findings, warnings first, with where, how sure and what to do."""
    header = ("level", "check", "sure", "where", "found", "what to do")
    rows = ((one.level, one.check, one.sure, one.where, one.found, one.advice) for one in found)
    return Table.of_text(checkup_text(found), header, rows)


def checkup_text(found: Checkup) -> str:
    """Return how many findings there are, and what was looked at."""
    warnings, notes = len(found.warnings), len(found) - len(found.warnings)
    counts = f"{number_of(warnings, 'warning')} and {number_of(notes, 'note')}" if len(found) else "Nothing was found"
    said = f"{counts} by {number_of(len(found.checked), 'check')}. Nothing was changed."
    looked = f" Checks of likeness looked at {found.segments} of {found.of} segments."
    return said if found.segments == found.of else said + looked


def checkup_bundle(found: Checkup, corpus: Corpus | None) -> dict[str, Any]:
    """Return the same as one JSON object."""
    return {
        "schema": SCHEMA,
        "mtsig": VERSION,
        "checked": list(found.checked),
        "segments": {"checked": found.segments, "of": found.of},
        "digest": None if corpus is None else corpus.digest,
        "findings": found.rows(),
    }
