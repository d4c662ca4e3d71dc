"""WMT metrics task: eight columns, `METRIC LP TESTSET REFSET SYSTEM DOC SEG SCORE`, without a header, often packed."""

from mtsig.errors import ReadError
from mtsig.readers.ratings.scored import Cells, Place, Scored
from mtsig.readers.ratings.sheet import Row, Sheet, number_at, score_at, score_of

_COLUMNS = 8


def recognises(sheet: Sheet) -> bool:
    """Return whether the first rows have eight columns, a number and a score last."""
    rows = sheet.top
    return bool(rows) and all(
        len(row) == _COLUMNS and row[6].strip().isdigit() and score_of(row[7]) is not None for _, row in rows
    )


def _kind(row: Row) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in row[1][:4])


def read(sheet: Sheet) -> list[Scored]:
    """Return one Scored per metric, and per language pair, test set and reference set where these differ in the file.

    Raises:
        ReadError: a row has another number of columns, or a number is none.
    """
    for line, row in sheet.rows:
        if len(row) != _COLUMNS:
            raise ReadError(f"{sheet.at(line)}: found {len(row)} columns; expected {_COLUMNS}, METRIC LP … SCORE.")
    kinds = list(dict.fromkeys(_kind(row) for row in sheet.rows))
    telling = [place for place in range(4) if place == 0 or len({kind[place] for kind in kinds}) > 1]
    sheets = {kind: Cells(sheet) for kind in kinds}
    for line, row in sheet.rows:
        # SEG counts within the document, or over the whole test set: the corpus's documents tell.
        place = Place(line, number=number_at(sheet, line, row[6], "SEG"), document=row[5].strip())
        sheets[_kind((line, row))].add(row[4], place, score_at(sheet, line, row[7], "SCORE"))
    return [
        cells.scored(name := "-".join(kind[place] for place in telling), name if len(sheets) > 1 else None)
        for kind, cells in sheets.items()
    ]
