"""Wide tables: a row per segment, a column per system."""

from dataclasses import replace

from mtsig.readers.names import DOCUMENTS, DOMAINS, IN_DOCUMENT, JUDGES, LANGUAGE_PAIRS, SEGMENTS, SENTENCE
from mtsig.readers.ratings.addresses import Addresses
from mtsig.readers.ratings.scored import Cells, Place, Scored
from mtsig.readers.ratings.sheet import Sheet, columns_called, is_meant_as_score, name_and_direction, score_at, score_of

_BESIDE = (
    SEGMENTS | {SENTENCE} | IN_DOCUMENT | DOCUMENTS | DOMAINS | LANGUAGE_PAIRS | {"", "id", "index", "item", "testset"}
)
"""Columns beside the systems: they hold no scores."""


def recognises(sheet: Sheet) -> bool:
    """Return whether every column but those that name the segment holds scores; nobody's text is all numbers."""
    columns = _systems(sheet)
    if not columns or set(sheet.header) & JUDGES or len(sheet.top) < 2:
        return False
    if any(score_of(sheet.top[0][1][place]) is not None for place in columns):
        return False
    cells = [row[place] for _, row in sheet.top[1:] for place in columns if place < len(row)]
    return all(map(is_meant_as_score, cells)) and any(cell.strip() for cell in cells)


def stray(sheet: Sheet) -> tuple[int, str, str] | None:
    """Return line, column and text of the first cell that is no score, where most beside it are; None without one."""
    if not sheet.top:
        return None
    names = sheet.top[0][1]
    cells = [(line, names[at], row[at]) for line, row in sheet.top[1:] for at in _systems(sheet) if at < len(row)]
    wrong = [cell for cell in cells if not is_meant_as_score(cell[2])]
    return wrong[0] if 0 < 2 * len(wrong) < len(cells) else None


def _systems(sheet: Sheet) -> list[int]:
    return [place for place, name in enumerate(sheet.header) if name not in _BESIDE]


def read(sheet: Sheet) -> list[Scored]:
    """Return the one rating of the table.

    Raises:
        ReadError: the table is broken, or a cell holds no score.
    """
    names, rows = sheet.table()
    addresses = Addresses.of(sheet.header)
    documents = columns_called(sheet.header, DOCUMENTS)
    cells, systems = Cells(sheet), _systems(sheet)
    for count, (line, row) in enumerate(rows, 1):
        # Without numbers the rows are the segments, in order.
        place = addresses.place(sheet, line, row) if addresses else Place(line, number=count)
        if not addresses and documents:
            place = Place(line, number=count, document=row[documents[0]].strip())
        for column in systems:
            cells.add(names[column], place, score_at(sheet, line, row[column], f"the score of {names[column]!r}"))
    name, declared = name_and_direction(sheet.file.path.name)
    return [replace(cells.scored(name, declared=declared), in_order=not addresses)]
