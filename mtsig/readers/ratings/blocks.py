"""Blocks: `SYSTEM<TAB>score` without a header, a block of n lines per system (mt-metrics-eval's *.seg.score)."""

from itertools import groupby

from mtsig.errors import ReadError
from mtsig.readers.ratings.scored import Cells, Place, Scored
from mtsig.readers.ratings.sheet import Sheet, name_and_direction, score_at, score_of


def recognises(sheet: Sheet) -> bool:
    """Return whether every line looks like a system and a score, and systems come in blocks."""
    rows = sheet.top
    return len(rows) > 1 and all(
        len(cells) == 2 and score_of(cells[1]) is not None and score_of(cells[0]) is None for _, cells in rows
    )


def read(sheet: Sheet) -> list[Scored]:
    """Return the one rating of the file; the k-th line of a block is the k-th segment.

    Raises:
        ReadError: blocks differ in length, a system has two of them, or there is one line per system.
    """
    cells = Cells(sheet)
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
            cells.add(system, Place(line, number=number), score_at(sheet, line, pair[1], f"the score of {system!r}"))
    _check(sheet, lengths)
    name, declared = name_and_direction(sheet.file.path.name)
    return [cells.scored(name, declared=declared)]


def of_whole_systems(sheet: Sheet) -> bool:
    """Return whether there is one line per system: scores of systems, not of segments."""
    systems = [cells[0] for _, cells in sheet.top]
    return recognises(sheet) and len(set(systems)) == len(systems)


def _check(sheet: Sheet, lengths: dict[str, tuple[int, int]]) -> None:
    counts = {count for _, count in lengths.values()}
    if counts == {1}:
        raise ReadError(
            f"{sheet.label} has one score per system. Scores of whole systems say nothing about how sure a difference "
            "is; a rating needs one score per segment."
        )
    if len(counts) > 1:
        (first, (_, n)), (other, (line, m)) = _unequal(lengths)
        raise ReadError(
            f"{sheet.at(line)}: {other} has {m} lines, but {first} has {n}; every system needs one line per segment, "
            "with None where there is no score."
        )


def _unequal(lengths: dict[str, tuple[int, int]]) -> tuple[tuple[str, tuple[int, int]], tuple[str, tuple[int, int]]]:
    blocks = list(lengths.items())
    other = next(block for block in blocks if block[1][1] != blocks[0][1][1])
    return blocks[0], other
