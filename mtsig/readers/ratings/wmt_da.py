"""WMT's direct assessment per segment: `SYS SID RAW.SCR Z.SCR N`, separated by spaces."""

import re

from mtsig.errors import ReadError
from mtsig.readers.ratings.scored import Cells, Place, Scored
from mtsig.readers.ratings.sheet import Sheet, number_at, score_at

_HEADER = ["SYS", "SID", "RAW.SCR", "Z.SCR", "N"]
_IN_DOCUMENT = re.compile(r"(?P<document>.+)_(?P<index>\d+)")


def recognises(sheet: Sheet) -> bool:
    """Return whether the header is the organisers'."""
    return bool(sheet.lines) and sheet.lines[0].split() == _HEADER


def read(sheet: Sheet) -> list[Scored]:
    """Return the raw and the standardized assessments.

    SID is no line number: it counts segments after the documents are sorted by their ids (inferred from the
    scores). In 2020 it is the document's name and the segment's number in it, from 0.

    Raises:
        ReadError: a line has not five fields, or one of them is no number.
    """
    raw, standardized = Cells(sheet), Cells(sheet)
    for line, text in enumerate(sheet.lines[1:], 2):
        fields = text.split()
        if not fields:
            continue
        if len(fields) != len(_HEADER):
            raise ReadError(f"{sheet.at(line)}: found {len(fields)} fields; expected {' '.join(_HEADER)}.")
        place = _place(sheet, line, fields[1])
        raw.add(fields[0], place, score_at(sheet, line, fields[2], "RAW.SCR"))
        standardized.add(fields[0], place, score_at(sheet, line, fields[3], "Z.SCR"))
    if not raw:
        raise ReadError(f"{sheet.label} has no rows below its header.")
    return [raw.scored("da-raw", "raw"), standardized.scored("da-z", "z")]


def _place(sheet: Sheet, line: int, sid: str) -> Place:
    if sid.isdigit():
        return Place(line, by_documents=number_at(sheet, line, sid, "SID"))
    match = _IN_DOCUMENT.fullmatch(sid)
    if match is None:
        raise ReadError(
            f"{sheet.at(line)}: SID is {sid!r}; expected a number, or a document and a number, as in doc_3."
        )
    index = number_at(sheet, line, match["index"], "the number in SID", least=0)
    return Place(line, document=match["document"], index=index + 1)
