"""MQM averages as Google publishes them: `SYSTEM<TAB>-5.000000 1` below `system mqm_avg_score seg_id`."""

from mtsig.corpus import quoted
from mtsig.errors import ReadError
from mtsig.readers.ratings.scored import Cells, Place, Scored
from mtsig.readers.ratings.sheet import Sheet, number_at, score_at

_HEADER = ["system", "mqm_avg_score", "seg_id"]


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
        # The system may have spaces in its name.
        pieces = text.rsplit(None, 2)
        if len(pieces) < 3:
            raise ReadError(f"{sheet.at(line)}: expected a system, a score and a segment; found {quoted(text)}.")
        system, score, segment = pieces
        place = Place(line, number=number_at(sheet, line, segment, "seg_id"))
        cells.add(system, place, score_at(sheet, line, score, "mqm_avg_score"))
    if not cells:
        raise ReadError(f"{sheet.label} has no rows below its header.")
    return [cells.scored("mqm")]
