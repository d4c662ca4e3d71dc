"""MQM averages as Google publishes them: `SYSTEM<TAB>-5.000000 1` below `system mqm_avg_score seg_id`."""

import re

from mtsig.errors import ReadError
from mtsig.readers.ratings.scored import Cells, Place, Scored
from mtsig.readers.ratings.sheet import Sheet, number_at, score_at

_HEADER = ["system", "mqm_avg_score", "seg_id"]
_ROW = re.compile(r"(?P<system>.*\S)\s+(?P<score>\S+)\s+(?P<segment>\S+)\s*")


def recognises(sheet: Sheet) -> bool:
    """Return whether the header is Google's."""
    return bool(sheet.lines) and sheet.lines[0].lower().split() == _HEADER


def read(sheet: Sheet) -> list[Scored]:
    """Return the averages; segments count from 1.

    Raises:
        ReadError: a line is not a system, a score and a segment.
    """
    cells = Cells(sheet)
    for line, text in enumerate(sheet.lines[1:], 2):
        if not text.strip():
            continue
        match = _ROW.fullmatch(text)
        if match is None:
            raise ReadError(f"{sheet.at(line)}: expected a system, a score and a segment; found {text!r}.")
        place = Place(line, number=number_at(sheet, line, match["segment"], "seg_id"))
        cells.add(match["system"], place, score_at(sheet, line, match["score"], "mqm_avg_score"))
    if not cells:
        raise ReadError(f"{sheet.label} has no rows below its header.")
    return [cells.scored("mqm")]
