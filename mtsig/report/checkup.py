"""What the doctor found: a checkup goes in, a table and a bundle come out."""

from typing import Any

from mtsig.citations import VERSION
from mtsig.corpus import Corpus, number_of
from mtsig.doctor import Checkup
from mtsig.report.table import Table
from mtsig.study import SCHEMA


def checkup_table(checkup: Checkup) -> Table:
    """Return the findings, warnings first, with where, how sure and what to do.

    >>> import mtsig
    >>> from mtsig.report import checkup_table
    >>> corpus = mtsig.Corpus.of({"A": ["It slept.", "", "It sat."]}, {"ref": ["A cat slept.", "A dog.", "It sat."]})
    >>> checkup_table(mtsig.check_data(corpus)).texts[0]  # doctest: +NORMALIZE_WHITESPACE
    ('note', 'empty', 'sure', "system 'A'", 'empty lines: 1 of 3 (line 2).', 'They are scored as such. Was the run
    cut off, or did post-processing drop them?')
    """
    header = ("level", "check", "sure", "where", "found", "what to do")
    rows = (
        (finding.level, finding.check, finding.sure, finding.where, finding.found, finding.advice)
        for finding in checkup
    )
    return Table.of_text(checkup_text(checkup), header, rows)


def checkup_text(checkup: Checkup) -> str:
    """Return how many findings there are, and what was looked at.

    >>> import mtsig
    >>> from mtsig.report import checkup_text
    >>> corpus = mtsig.Corpus.of({"A": ["It slept.", "", "It sat."]}, {"ref": ["A cat slept.", "A dog.", "It sat."]})
    >>> print(checkup_text(mtsig.check_data(corpus)))
    0 warnings and 1 note by 17 checks. Nothing was changed.
    """
    warnings, notes = len(checkup.warnings), len(checkup) - len(checkup.warnings)
    counts = f"{number_of(warnings, 'warning')} and {number_of(notes, 'note')}" if len(checkup) else "Nothing was found"
    said = f"{counts} by {number_of(len(checkup.checked), 'check')}. Nothing was changed."
    looked = f" Checks of likeness looked at {checkup.segments} of {checkup.of} segments."
    return said if checkup.segments == checkup.of else said + looked


def checkup_bundle(checkup: Checkup, corpus: Corpus | None) -> dict[str, Any]:
    """Return the same as one JSON object."""
    return {
        "schema": SCHEMA,
        "mtsig": VERSION,
        "checked": list(checkup.checked),
        "segments": {"checked": checkup.segments, "of": checkup.of},
        "digest": None if corpus is None else corpus.digest,
        "findings": checkup.rows(),
    }
