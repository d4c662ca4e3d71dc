"""Long tables: a row per system and segment, a column per rating, perhaps a column that says who rated.

Names that were quoted for spreadsheets, as in the tables that this program writes, are read as they were.
"""

from collections.abc import Sequence

from mtsig.corpus import Note
from mtsig.errors import ReadError
from mtsig.escaping import from_cell
from mtsig.readers.names import (
    COUNTERS,
    DOMAINS,
    JUDGES,
    LANGUAGE_PAIRS,
    METADATA,
    MODEL,
    OUTPUTS,
    SOURCES,
    SYSTEMS,
    TARGETS,
)
from mtsig.readers.ratings.addresses import Addresses
from mtsig.readers.ratings.scored import Cells, Scored, of_judges
from mtsig.readers.ratings.sheet import (
    Row,
    Sheet,
    columns_called,
    is_meant_as_score,
    name_and_direction,
    score_at,
    score_of,
)

_NO_SCORE = COUNTERS | DOMAINS | SOURCES | OUTPUTS | TARGETS | METADATA | {
    "n", "n_ratings", "ratings", "count", "orig_sid", "reference", "ref", "text", "comments", "category", "severity",
    "test_set", "refset", "time", "start", "end", "start_time", "end_time", "duration", "hit", "hitid", "hit_id",
    "item_id", "type",
}  # fmt: skip
GENERIC = frozenset({"score", "scores", "rating", "value", "mean", "average", "avg", "raw", "z", "seg_score"})
"""Column names that say nothing without the file's."""


def recognises(sheet: Sheet) -> bool:
    """Return whether a column names the system, others the segment, and another holds scores."""
    system = system_column(sheet.header)
    if system is None or not Addresses.of(sheet.header):
        return False
    # In a wide table a system may be called "system": its column then holds scores.
    names = [cells[system] for _, cells in sheet.top[1:] if len(cells) > system]
    return any(score_of(name) is None for name in names) and bool(score_columns(sheet))


def system_column(header: Sequence[str]) -> int | None:
    """Return the position of the column that names the systems: `model` only where no other does."""
    return next(iter(columns_called(header, SYSTEMS - {MODEL}) or columns_called(header, {MODEL})), None)


def score_columns(sheet: Sheet) -> list[int]:
    """Return the columns whose first cells hold scores."""
    header = sheet.header
    taken = Addresses.of(header).columns | set(columns_called(header, SYSTEMS)) | set(columns_called(header, JUDGES))
    columns = []
    for place, name in enumerate(header):
        if place in taken or name in _NO_SCORE or not name:
            continue
        cells = [cells[place] for _, cells in sheet.top[1:] if len(cells) > place]
        if cells and sum(map(is_meant_as_score, cells[:50])) > min(len(cells), 50) / 2:
            columns.append(place)
    return columns


def read(sheet: Sheet) -> list[Scored]:
    """Return one Scored for every column of scores, and for every judge where a column names them.

    Raises:
        ReadError: the table is broken, or a cell among scores holds something else.
    """
    names, rows = sheet.table()
    _check_one_pair(sheet, rows)
    addresses, system = Addresses.of(sheet.header), system_column(sheet.header) or 0
    judge = next(iter(columns_called(sheet.header, JUDGES)), None)
    columns = score_columns(sheet)
    notes = _left_alone(sheet, names, columns, {system, *addresses.columns, *(() if judge is None else (judge,))})
    stem, declared = name_and_direction(sheet.file.path.name)
    places = addresses.places(sheet, rows)
    scored: list[Scored] = []
    for column in columns:
        cells: dict[str | None, Cells] = {}
        for (line, row), place in zip(rows, places, strict=True):
            who = None if judge is None else row[judge].strip()
            if who == "":
                raise ReadError(f"{sheet.at(line)}: the name of the judge is empty.")
            score = score_at(sheet, line, row[column], f"the column {names[column]!r}")
            if who not in cells:
                cells[who] = Cells(sheet)
            cells[who].add(from_cell(row[system]), place, score, line)
        name = rating_name(from_cell(names[column]), stem, alone=len(columns) == 1)
        scored += of_judges(
            cells, name, names[column] if len(columns) > 1 else None, declared, notes if not scored else ()
        )
    return scored


def _check_one_pair(sheet: Sheet, rows: Sequence[Row]) -> None:
    for column in columns_called(sheet.header, LANGUAGE_PAIRS):
        pairs = list(dict.fromkeys(row[column].strip() for _, row in rows))
        if len(pairs) > 1:
            raise ReadError(
                f"{sheet.label} holds scores of {len(pairs)} language pairs ({', '.join(pairs[:5])}"
                f"{', …' if len(pairs) > 5 else ''}). Give the rows of one in a file of their own."
            )


def rating_name(column: str, stem: str, alone: bool) -> str:
    """Return what a column of scores is called: by itself, or with the file's name where it says nothing.

    >>> rating_name("mqm", "ende", True), rating_name("score", "comet", True), rating_name("z", "da", False)
    ('mqm', 'comet', 'da-z')
    """
    if column.strip().lower() not in GENERIC:
        return column.strip()
    return stem if alone and column.strip().lower() not in {"raw", "z"} else f"{stem}-{column.strip()}"


def _left_alone(sheet: Sheet, names: Sequence[str], scores: Sequence[int], taken: set[int]) -> list[Note]:
    rest = [name for place, name in enumerate(names) if place not in taken and place not in scores]
    return [Note("note", f"{sheet.label}: columns left alone: {', '.join(rest)}.")] if rest else []
