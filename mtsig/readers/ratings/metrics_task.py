"""WMT metrics task: eight columns, `METRIC LP TESTSET REFSET SYSTEM DOC SEG SCORE`, without a header, often packed."""

from mtsig.errors import ReadError
from mtsig.readers.ratings.scored import Cells, Place, Scored
from mtsig.readers.ratings.sheet import Sheet, number_at, score_at, score_of

_COLUMNS = 8


def recognises(sheet: Sheet) -> bool:
    """Return whether the first rows have eight columns, a number and a score last."""
    rows = sheet.top
    return bool(rows) and all(
        len(row) == _COLUMNS and row[6].strip().isdigit() and score_of(row[7]) is not None for _, row in rows
    )


def read(sheet: Sheet) -> list[Scored]:
    """Return one Scored per metric, and per language pair, test set and reference set where these differ in the file.

    Raises:
        ReadError: a row has another number of columns, or a number is none.
    """
    sheets: dict[tuple[str, ...], Cells] = {}
    # Files have a million rows, and few kinds and places among them: what a row shares with others is read once.
    known: dict[tuple[str, ...], tuple[Cells, dict[tuple[str, str], Place]]] = {}
    for line, row in sheet.rows:
        if len(row) != _COLUMNS:
            raise ReadError(f"{sheet.at(line)}: found {len(row)} columns; expected {_COLUMNS}, METRIC LP … SCORE.")
        *kind, system, document, number, score = row
        written = tuple(kind)
        if written not in known:
            known[written] = sheets.setdefault(tuple(cell.strip() for cell in kind), Cells(sheet)), {}
        cells, places = known[written]
        place = places.get((document, number))
        if place is None:
            # SEG counts within the document, or over the whole test set: the corpus's documents tell.
            place = Place(line, number=number_at(sheet, line, number, "SEG"), document=document.strip())
            places[document, number] = place
        cells.add(system, place, score_at(sheet, line, score, "SCORE"), line)
    telling = [place for place in range(4) if place == 0 or len({kind[place] for kind in sheets}) > 1]
    return [
        cells.scored(name := "-".join(kind[place] for place in telling), name if len(sheets) > 1 else None)
        for kind, cells in sheets.items()
    ]
