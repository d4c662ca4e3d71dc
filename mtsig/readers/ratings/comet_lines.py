"""What comet-score prints: `FILE<TAB>Segment N<TAB>score: X`, numbered from 0, and a mean of each file at the end."""

import re

from mtsig.errors import ReadError
from mtsig.readers.names import name_of
from mtsig.readers.ratings.scored import Cells, Place, Scored
from mtsig.readers.ratings.sheet import Sheet, name_and_direction, number_at, score_at

_SEGMENT, _SCORE = re.compile(r"Segment (.*)"), re.compile(r"score: (.*)")


def recognises(sheet: Sheet) -> bool:
    """Return whether a line among the first names a segment and its score; libraries may have printed others."""
    return any(_is_segment(cells) for _, cells in sheet.top)


def read(sheet: Sheet) -> list[Scored]:
    """Return the one rating of the file, called like it; systems are called like their files.

    Raises:
        ReadError: a line of a segment holds no number or no score, or a row is of another kind.
    """
    cells = Cells(sheet)
    for line, row in sheet.rows:
        score = _SCORE.fullmatch(row[2] if _is_segment(row) else row[-1])
        if len(row) == 1 or (len(row) == 2 and score):
            continue  # what a library printed, or the mean of a file
        segment = _SEGMENT.fullmatch(row[1])
        if segment is None or score is None:
            raise ReadError(f"{sheet.at(line)}: expected FILE, Segment N and score: X, with tabs between them.")
        number = number_at(sheet, line, segment[1], "the number of the segment", least=0)
        cells.add(_system(row[0]), Place(line, number=number + 1), score_at(sheet, line, score[1], "the score"))
    name, declared = name_and_direction(sheet.file.path.name)
    return [cells.scored(name, declared=declared)]


def _is_segment(cells: list[str]) -> bool:
    return len(cells) >= 3 and _SEGMENT.fullmatch(cells[1]) is not None and cells[2].startswith("score: ")


def _system(path: str) -> str:
    return name_of(re.split(r"[/\\]", path)[-1])
