"""Tables of scores of whatever program: blocks of lines, a row per system and segment, or a column per system."""

from collections.abc import Callable, Sequence
from itertools import groupby

from mtsig.cells import from_cell
from mtsig.corpus import Note
from mtsig.errors import ReadError
from mtsig.readers._scored import Taken
from mtsig.readers._sheet import (
    Address,
    Place,
    Sheet,
    columns_called,
    is_meant_as_score,
    score_at,
    score_of,
)
from mtsig.readers.names import (
    COUNTERS,
    DOCUMENTS,
    DOMAINS,
    IN_DOCUMENT,
    JUDGES,
    LANGUAGE_PAIRS,
    METADATA,
    MODEL,
    OUTPUTS,
    SEGMENTS,
    SENTENCE,
    SOURCES,
    SYSTEMS,
    TARGETS,
)


def all_rows(are: Callable[[list[str]], bool], least: int = 1) -> Callable[[Sheet], bool]:
    """Return whether the first rows of a file, of which there are so many, are so."""
    return lambda sheet: len(sheet.top) >= least and all(are(row) for _, row in sheet.top)


def take_blocks(sheet: Sheet, taken: Taken) -> None:
    """Take in a block of lines per system; the k-th line of a block is the k-th segment."""
    lengths: dict[str, tuple[int, int]] = {}
    for system, block in groupby(sheet.rows, key=lambda row: row[1][0].strip()):
        rows = list(block)
        if system in lengths:
            raise ReadError(
                f"{sheet.at(rows[0][0])}: {system} begins again, after a first block on line {lengths[system][0]}; "
                "expected one block of lines per system."
            )
        lengths[system] = rows[0][0], len(rows)
        for number, (line, pair) in enumerate(rows, 1):
            if len(pair) != 2:
                raise ReadError(f"{sheet.at(line)}: found {len(pair)} columns; expected a system, a tab, and a score.")
            score = score_at(sheet, line, pair[1], f"the score of {system!r}")
            taken.of().add(system, Place(line, number=number), score)
    if {count for _, count in lengths.values()} == {1}:
        raise ReadError(
            f"{sheet.label} has one score per system. Scores of whole systems say nothing about how sure a difference "
            "is; a rating needs one score per segment."
        )
    (first, (_, n)), *others = lengths.items()
    for other, (line, count) in others:
        if count != n:
            raise ReadError(
                f"{sheet.at(line)}: {other} has {count} lines, but {first} has {n}; every system needs one line per "
                "segment, with None where there is no score."
            )


are_blocks = all_rows(lambda row: len(row) == 2 and score_of(row[1]) is not None and score_of(row[0]) is None, least=2)


# Tables of other programs, by their header: a row per system and segment, or a column per system.
_NO_SCORE = COUNTERS | DOMAINS | SOURCES | OUTPUTS | TARGETS | METADATA | {
    "n", "n_ratings", "ratings", "count", "orig_sid", "reference", "ref", "text", "comments", "category", "severity",
    "test_set", "refset", "time", "start", "end", "start_time", "end_time", "duration", "hit", "hitid", "hit_id",
    "item_id", "type",
}  # fmt: skip
GENERIC = frozenset({"score", "scores", "rating", "value", "mean", "average", "avg", "raw", "z", "seg_score"})
"""Column names that say nothing without the file's."""


def is_long(sheet: Sheet) -> bool:
    """Return whether a column names the system, others the segment, and another holds scores."""
    system = system_column(sheet.header)
    if system is None or not Address.of(sheet.header):
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
    taken = {*Address.of(header).columns, *columns_called(header, SYSTEMS), *columns_called(header, JUDGES)}
    columns = []
    for place, name in enumerate(header):
        if place in taken or name in _NO_SCORE or not name:
            continue
        cells = [cells[place] for _, cells in sheet.top[1:] if len(cells) > place]
        if cells and sum(map(is_meant_as_score, cells[:50])) > min(len(cells), 50) / 2:
            columns.append(place)
    return columns


def take_long(sheet: Sheet, taken: Taken) -> None:
    """Take in every column of scores; names that were quoted for spreadsheets are read as they were."""
    names, rows = sheet.table()
    for column in columns_called(sheet.header, LANGUAGE_PAIRS):
        pairs = list(dict.fromkeys(row[column].strip() for _, row in rows))
        if len(pairs) > 1:
            raise ReadError(
                f"{sheet.label} holds scores of {len(pairs)} language pairs ({', '.join(pairs[:5])}"
                f"{', …' if len(pairs) > 5 else ''}). Give the rows of one in a file of their own."
            )
    address, system = Address.of(sheet.header), system_column(sheet.header) or 0
    judge = next(iter(columns_called(sheet.header, JUDGES)), None)
    columns = score_columns(sheet)
    used = {system, judge, *address.columns, *columns}
    if rest := [name for place, name in enumerate(names) if place not in used]:
        taken.notes.append(Note("note", f"{sheet.label}: columns left alone: {', '.join(rest)}."))
    find = address.finder(sheet)
    places = [find(line, row) for line, row in rows]
    for column in columns:
        for (line, row), place in zip(rows, places, strict=True):
            who = None if judge is None else row[judge].strip()
            if who == "":
                raise ReadError(f"{sheet.at(line)}: the name of the judge is empty.")
            score = score_at(sheet, line, row[column], f"the column {names[column]!r}")
            taken.of((names[column],), who).add(from_cell(row[system]), place, score, line)


def rating_name(column: str, stem: str, alone: bool) -> str:
    """Return what a column of scores is called: by itself, or with the file's name where it says nothing.

    >>> rating_name("mqm", "ende", True), rating_name("score", "comet", True), rating_name("z", "da", False)
    ('mqm', 'comet', 'da-z')
    """
    if column.strip().lower() not in GENERIC:
        return column.strip()
    return stem if alone and column.strip().lower() not in {"raw", "z"} else f"{stem}-{column.strip()}"


_BESIDE = (
    SEGMENTS | {SENTENCE} | IN_DOCUMENT | DOCUMENTS | DOMAINS | LANGUAGE_PAIRS | {"", "id", "index", "item", "testset"}
)
"""Columns beside the systems: they hold no scores."""


def is_wide(sheet: Sheet) -> bool:
    """Return whether every column but those that name the segment holds scores; nobody's text is all numbers."""
    columns = _wide_systems(sheet)
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
    cells = [(line, names[at], row[at]) for line, row in sheet.top[1:] for at in _wide_systems(sheet) if at < len(row)]
    wrong = [cell for cell in cells if not is_meant_as_score(cell[2])]
    return wrong[0] if 0 < 2 * len(wrong) < len(cells) else None


def _wide_systems(sheet: Sheet) -> list[int]:
    return [place for place, name in enumerate(sheet.header) if name not in _BESIDE]


def take_wide(sheet: Sheet, taken: Taken) -> None:
    """Take in a column of scores per system."""
    names, rows = sheet.table()
    address = Address.of(sheet.header)
    find, documents, systems = address.finder(sheet), columns_called(sheet.header, DOCUMENTS), _wide_systems(sheet)
    # Without numbers the rows are the segments, in order.
    taken.in_order = not address
    for count, (line, row) in enumerate(rows, 1):
        document = row[documents[0]].strip() if documents else None
        place = find(line, row) if address else Place(line, number=count, document=document)
        for column in systems:
            score = score_at(sheet, line, row[column], f"the score of {names[column]!r}")
            taken.of().add(names[column], place, score, line)
