"""Consistency: a study that was read goes in; an error comes out where a conclusion is not what its own numbers give.

A study keeps conclusions beside the numbers they follow from, for readers without this program. Tables and sentences
are made from the numbers alone, so an edited conclusion would stand unnoticed beside other words.
"""

from collections.abc import Iterator, Mapping
from math import isclose
from typing import Any

from mtsig.errors import ReadError
from mtsig.report.bundle import judged, plain
from mtsig.report.recorded import RecordedFamily
from mtsig.report.study import Finding, Study


def check_conclusions(study: Study, label: str) -> None:
    """Refuse a study whose conclusions do not follow from its numbers.

    Raises:
        ReadError: the message says where, what was found, and what the numbers give.
    """
    for finding in study.findings:
        about = (finding.scored.metric, finding.scored.signature)
        for key, expected in _expected(study, finding):
            rows = [
                (number, row)
                for number, row in enumerate(study.record[key])
                if (row["metric"], row["signature"]) == about
            ]
            for (number, row), derived in zip(rows, expected, strict=True):
                _compare(row, plain(derived), f"{label} is no valid study: at {key}[{number}]")


def _expected(study: Study, finding: Finding) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield what the numbers of a metric give, table by table."""
    yield "systems", finding.scored.rows()
    yield "comparisons", _comparisons(study, finding.compared)
    if finding.places is not None:
        yield "ranks", finding.places.rows()
    yield "margins", [{**one.row(), "status": study.status} for one in finding.margins]


def _comparisons(study: Study, found: RecordedFamily) -> list[dict[str, Any]]:
    rows = zip(found.rows(), found, strict=True)
    return [{"of": found.judged, "status": study.status, **row, **judged(one)} for row, one in rows]


def _compare(row: Mapping[str, Any], derived: Mapping[str, Any], place: str) -> None:
    for key, value in derived.items():
        # A key of a later program is not known here, and one of an earlier program may be missing.
        if key in row and not _same(row[key], value):
            raise ReadError(
                f"{place}.{key}: the file has {row[key]!r}, but its own numbers give {value!r}. It was edited, or made "
                "by a version with another rule; make the study again from its data."
            )


def _same(found: object, derived: object) -> bool:
    if isinstance(found, float) and isinstance(derived, float):
        # Quantiles may differ in their last digits from one scipy to the next.
        return isclose(found, derived, rel_tol=1e-9)
    return found == derived
