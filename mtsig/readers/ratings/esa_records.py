"""ESA as WMT24 gives it away: JSON lines, each with a score, its error spans, and the text that was seen."""

from collections import defaultdict
from dataclasses import replace
from typing import Any

from mtsig.corpus import quoted
from mtsig.errors import ReadError
from mtsig.readers.json_text import json_of
from mtsig.readers.ratings.esa import marked_errors
from mtsig.readers.ratings.scored import Cells, Marked, Place, Scored
from mtsig.readers.ratings.sheet import Sheet, score_in_json

_KEYS = ("system", "line_id", "doc_id", "esa_score", "esa_spans")


def recognises(sheet: Sheet) -> bool:
    """Return whether the first line is such an object."""
    return sheet.starts_with_object(_KEYS)


def read(sheet: Sheet) -> list[Scored]:
    """Return one Scored per language pair; several scores of one output are averaged, and their errors go along.

    Raises:
        ReadError: a line is no such object, or a score or a span is none.
    """
    cells: dict[str, Cells] = {}
    marked: dict[str, list[Marked]] = defaultdict(list)
    for line, text in enumerate(sheet.lines, 1):
        if not text.strip():
            continue
        record = _record(sheet, line, text)
        pair, system = str(record.get("langs", "")), str(record["system"]).strip()
        place = Place(line, row=record["line_id"], document=str(record["doc_id"]))
        score = score_in_json(record["esa_score"], f"{sheet.at(line)}: esa_score")
        cells.setdefault(pair, Cells(sheet, "averaged")).add(system, place, score, line)
        rater = str(record.get("annotator") or "")
        marked[pair] += marked_errors(sheet, line, system, rater, place, record["esa_spans"])
    rows = []
    for pair, cell in cells.items():
        name = "esa" if len(cells) == 1 else f"esa-{pair}"
        scored = cell.scored(name, name if len(cells) > 1 else None)
        rows.append(replace(scored, marked=tuple(marked[pair])))
    return rows


def _record(sheet: Sheet, line: int, text: str) -> dict[str, Any]:
    try:
        record = json_of(text, sheet.label, line)
    except ReadError:
        record = None
    if not isinstance(record, dict) or not all(key in record for key in _KEYS):
        raise ReadError(f"{sheet.at(line)}: expected a JSON object with {', '.join(_KEYS)}.")
    if type(record["line_id"]) is not int or record["line_id"] < 0:
        raise ReadError(
            f"{sheet.at(line)}: line_id is {quoted(record['line_id'])}; expected a whole number of at least 0."
        )
    return record
