"""ESA as Appraise exports it: CSV without a header, `user,system,item,type,src,tgt,score,document,…`."""

from collections import Counter, defaultdict
from dataclasses import replace
from typing import Any

from mtsig.corpus import ErrorSpan, Note, quoted
from mtsig.errors import ReadError
from mtsig.readers.json_text import json_of
from mtsig.readers.ratings.scored import Cells, Marked, Place, Scored
from mtsig.readers.ratings.sheet import Sheet, number_at, score_at, score_of

_TYPES = {"TGT", "BAD", "REF", "CHK"}
_COLUMNS = 8


def recognises(sheet: Sheet) -> bool:
    """Return whether the first rows are Appraise's: the item's type in the fourth column, a score in the seventh."""
    rows = sheet.top
    return bool(rows) and all(
        len(row) >= _COLUMNS and row[3] in _TYPES and row[2].strip().isdigit() and score_of(row[6]) is not None
        for _, row in rows
    )


def read(sheet: Sheet) -> list[Scored]:
    """Return one Scored per annotator, and per language pair when the file holds several; marked errors go along.

    Left out, as by the organisers, and counted: items that are no translation of a system (BAD, and others than TGT),
    tutorials, and documents marked #bad, #dup or #incomplete.

    Raises:
        ReadError: a row is too short, or a number is none.
    """
    left_out: Counter[str] = Counter()
    cells: dict[tuple[str, str], dict[str, Cells]] = defaultdict(dict)
    marked: dict[tuple[tuple[str, str], str], list[Marked]] = defaultdict(list)
    for line, row in sheet.rows:
        if len(row) < _COLUMNS:
            raise ReadError(
                f"{sheet.at(line)}: found {len(row)} columns; expected user,system,item,type,src,tgt,score,…"
            )
        reason = _reason(row)
        if reason is not None:
            left_out[reason] += 1
            continue
        place = Place(line, row=number_at(sheet, line, row[2], "the item", least=0), document=row[7].strip())
        pair = row[4].strip(), row[5].strip()
        # The same annotator may see a segment of a system twice; both scores count.
        user = row[0].strip()
        own = cells[pair].setdefault(user, Cells(sheet, "averaged"))
        own.add(row[1], place, score_at(sheet, line, row[6], "the score"))
        written = next((cell for cell in row[_COLUMNS:] if cell.lstrip().startswith("[")), "[]")
        marked[pair, user] += marked_errors(sheet, line, row[1].strip(), user, place, written)
    if not cells:
        raise ReadError(f"{sheet.label} holds no score of a translation; left out: {_listed(left_out)}.")
    notes = [Note("note", f"{sheet.label}: left out: {_listed(left_out)}.")] if left_out else []
    result: list[Scored] = []
    for pair, users in cells.items():
        name = "esa" if len(cells) == 1 else f"esa-{pair[0]}-{pair[1]}"
        for user, rows in users.items():
            judge = user if len(users) > 1 else None
            scored = rows.scored(name, name if len(cells) > 1 else None, judge, notes=() if result else notes)
            result.append(replace(scored, marked=tuple(marked[pair, user])))
    return result


def marked_errors(
    sheet: Sheet, line: int, system: str, rater: str, place: Place, written: str | list[object]
) -> list[Marked]:
    """Return the errors of a row: a list of objects, or its JSON, with start_i, end_i and severity.

    As Appraise has it, end_i is the last character of the span, and both are "missing" where something is left out.

    Raises:
        ReadError: the list is broken, or a place or a severity is none.
    """
    try:
        spans = json_of(written, sheet.label, line) if isinstance(written, str) else written
        return [Marked(system, place.key, *_error(span, rater)) for span in spans]
    except (ReadError, ValueError, TypeError, KeyError, AttributeError):
        raise ReadError(
            f"{sheet.at(line)}: the error spans are {quoted(written)}; expected JSON such as "
            '[{"start_i": 0, "end_i": 4, "severity": "minor"}], with "missing" for both where something is left out.'
        ) from None


def _error(span: Any, rater: str) -> tuple[ErrorSpan, None, int | None, int | None]:
    kinds = span.get("error_type") or ()
    category = kinds if isinstance(kinds, str) else "/".join(map(str, kinds))
    first, last = span["start_i"], span["end_i"]
    error = ErrorSpan("", rater, category, str(span["severity"]))
    if first == last == "missing":
        return error._replace(side="missing"), None, None, None
    if type(first) is not int or type(last) is not int or not 0 <= first <= last:
        raise ValueError
    return error, None, first, last + 1


def _reason(row: list[str]) -> str | None:
    if row[3] != "TGT":
        return row[3]
    document = row[7]
    if "tutorial" in document or "tutorial" in row[1]:
        return "tutorial"
    mark = document.rpartition("#")
    return f"#{mark[2]}" if mark[1] and mark[2] in {"bad", "dup", "incomplete"} else None


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in counts.items()) or "nothing"
