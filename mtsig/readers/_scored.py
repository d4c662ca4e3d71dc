"""Scored: what a file says of one rating, before it is known which corpus it belongs to; and what takes it in.

Formats of programs are rows of `_rating_formats`; tables of whatever program are read here: blocks of lines, a row per
system and segment, or a column per system.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mtsig._writing import from_cell
from mtsig.corpus import ErrorSpan, Note
from mtsig.errors import ReadError
from mtsig.limits import refuse_above, refuse_sparse
from mtsig.readers._names import (
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
from mtsig.readers._sheet import (
    Address,
    Cell,
    Direction,
    Place,
    Row,
    Sheet,
    columns_called,
    is_meant_as_score,
    name_and_direction,
    score_at,
    score_of,
)


class Marked(NamedTuple):
    """An error that was marked in an output: of a system, at the place of this key (see `Marking` of a corpus)."""

    system: str
    key: tuple[object, ...]
    error: ErrorSpan
    text: str | None = None
    first: int | None = None
    last: int | None = None


@dataclass(frozen=True, eq=False)
class Scored:
    """One rating in a file: `values` of shape (s, p), s systems at p places, NaN where there is no score.

    label: the file. column: what names this rating in it, None when it is the only one. declared: the direction that
    the file's own name declares. in_order: whether no column says which segment a row is, so that the rows are all the
    segments, in order. marked: errors that were marked in the outputs; what they are called is not yet known.
    repeats: (system, place), by position -> the scores of an output that was rated more than once, of which `values`
    has the mean.
    """

    name: str
    systems: tuple[str, ...]
    places: tuple[Place, ...]
    values: NDArray[np.float64]
    label: str
    column: str | None = None
    judge: str | None = None
    declared: Direction | None = None
    notes: tuple[Note, ...] = ()
    in_order: bool = False
    marked: tuple[Marked, ...] = ()
    repeats: Mapping[tuple[int, int], tuple[float, ...]] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The rating, with the judge who gave it."""
        return self.name if self.judge is None else f"{self.name}@{self.judge}"

    @property
    def segments(self) -> int:
        """At how many places some system has a score."""
        return int((~np.isnan(self.values)).any(axis=0).sum())


class Cells:
    """Scores of one rating as they are read, row by row."""

    def __init__(self, sheet: Sheet, averaged: bool = False) -> None:
        self._sheet, self._averaged = sheet, averaged
        self._places: dict[tuple[object, ...], Place] = {}
        self._scores: dict[str, dict[tuple[object, ...], tuple[float, int]]] = {}
        self._more: dict[tuple[str, tuple[object, ...]], list[float]] = {}

    def add(self, system: str, place: Place, score: float, line: int | None = None) -> None:
        """Take one score in; `line` says where it stands when that is not where the place was first named.

        Raises:
            ReadError: there is no name of a system, or one score too many for this place.
        """
        own, key, line = self._scores.get(system), place.key, place.line if line is None else line
        if own is None:
            own = self._new(system, line)
        if key not in self._places:
            self._places[key] = place
        if key in own:
            self._again(system, place, score, line)
            return
        own[key] = score, line

    def _new(self, system: str, line: int) -> dict[tuple[object, ...], tuple[float, int]]:
        name = system.strip()
        if not name:
            raise ReadError(f"{self._sheet.at(line)}: the name of the system is empty.")
        return self._scores.setdefault(name, {})

    def _again(self, system: str, place: Place, score: float, line: int) -> None:
        first = self._scores[system.strip()][place.key]
        if not self._averaged:
            raise ReadError(
                f"{self._sheet.at(line)}: {system.strip()} has a second score for {place.text}; the first is on line "
                f"{first[1]}. If several people rated, say who in a column called judge."
            )
        self._more.setdefault((system.strip(), place.key), [first[0]]).append(score)

    def __bool__(self) -> bool:
        """Return whether anything was taken in."""
        return bool(self._places)

    def scored(
        self,
        name: str,
        column: str | None = None,
        judge: str | None = None,
        declared: Direction | None = None,
        notes: Iterable[Note] = (),
    ) -> Scored:
        """Return what was taken in; several scores of one place are averaged."""
        refuse_above("max_systems", len(self._scores), self._sheet.label)
        filled = sum(map(len, self._scores.values()))
        refuse_sparse(len(self._scores) * len(self._places), filled, self._sheet.label)
        order = {key: position for position, key in enumerate(self._places)}
        values = np.full((len(self._scores), len(order)), np.nan)
        for row, own in enumerate(self._scores.values()):
            values[row, [order[key] for key in own]] = [score for score, _ in own.values()]
        rows = {system: row for row, system in enumerate(self._scores)}
        repeats: dict[tuple[int, int], tuple[float, ...]] = {}
        for (system, key), scores in self._more.items():
            known = tuple(score for score in scores if not np.isnan(score))
            values[rows[system], order[key]] = sum(known) / len(known) if known else np.nan
            repeats[rows[system], order[key]] = known
        places = tuple(self._places.values())
        label, found_notes = self._sheet.label, (*self._sheet.notes, *notes)
        about = (label, column, judge, declared, found_notes)
        return Scored(name, tuple(self._scores), places, values, *about, repeats=repeats)


Words: TypeAlias = tuple[str, ...]
"""What tells a rating from others of its file."""


class Taken:
    """What is taken of a file: scores by the words that tell its ratings apart, and by judge; errors; notes."""

    def __init__(self, sheet: Sheet, averaged: bool) -> None:
        self.cells: dict[Words, dict[str | None, Cells]] = {}
        self.marked: dict[tuple[Words, str | None], list[Marked]] = defaultdict(list)
        self.notes: list[Note] = []
        self.in_order = False
        self._sheet, self._averaged = sheet, averaged

    def of(self, words: Words = (), judge: str | None = None) -> Cells:
        """Return where the scores of one rating by one judge are taken in."""
        judges = self.cells.setdefault(words, {})
        if judge not in judges:
            judges[judge] = Cells(self._sheet, self._averaged)
        return judges[judge]


@dataclass(frozen=True)
class RatingReader:
    """One format of ratings.

    looks_like: what it looks like in a few words. recognises: whether a file is of it. take: takes in what the file
    says. name: what a rating is called, by the words that tell it from others of the file, those of all, and the name
    of the file. directed: whether that may declare a direction. lone_judge: whether who gave all scores is named.
    averaged: whether an output may have several scores. empty: what is said of a file without any.
    """

    looks_like: str
    recognises: Callable[[Sheet], bool]
    take: Callable[[Sheet, Taken], None]
    name: Callable[[Words, Sequence[Words], str], str]
    directed: bool = False
    lone_judge: bool = False
    averaged: bool = False
    empty: str = "has no rows below its header"

    def read(self, sheet: Sheet) -> list[Scored]:
        """Return one Scored for every rating, and every judge.

        Raises:
            ReadError: the file is broken; the message names the line.
        """
        taken = Taken(sheet, self.averaged)
        self.take(sheet, taken)
        if not taken.cells:
            raise ReadError(f"{sheet.label} {self.empty}.")
        stem, declared = name_and_direction(sheet.file.path.name)
        scored: list[Scored] = []
        for words, judges in taken.cells.items():
            name = self.name(words, list(taken.cells), stem)
            column = None if len(taken.cells) == 1 else words[0] if len(words) == 1 else name
            for judge, cells in judges.items():
                who = judge if self.lone_judge or len(judges) > 1 else None
                notes = () if scored else taken.notes
                one = cells.scored(name, column, who, declared if self.directed else None, notes)
                scored.append(replace(one, marked=tuple(taken.marked[words, judge]), in_order=taken.in_order))
        return scored


@dataclass(frozen=True)
class Columns:
    """Takes in rows of cells in fixed places.

    rows: the rows of a file, each of as many cells as it should be. system, scores: the cells that hold them, scores
    with the words that tell their rating from others. address: those that say which segment it is, or what finds it.
    words: further cells that tell ratings apart. judge: the cell that names who rated. errors: finds marked ones.
    """

    rows: Callable[[Sheet, Taken], Iterable[Row]]
    system: int
    scores: Mapping[Words, Cell]
    address: Address | Callable[[Sheet, int, Sequence[str]], Place]
    words: tuple[int, ...] = ()
    judge: int | None = None
    errors: Callable[[Sheet, int, Sequence[str], Place], list[Marked]] | None = None

    def __call__(self, sheet: Sheet, taken: Taken) -> None:
        """Take in the scores of a file, and its marked errors."""
        # Files have a million rows, and few kinds and places among them: what a row shares with others is read once.
        known: dict[tuple[str, ...], tuple[Callable[[int, Sequence[str]], Place], list[tuple[Words, Cell]]]] = {}
        telling = self.words if self.judge is None else (*self.words, self.judge)
        for line, row in self.rows(sheet, taken):
            written = tuple([row[column] for column in telling])
            if written not in known:
                words = tuple(row[column].strip() for column in self.words)
                known[written] = self._finder(sheet), [((*own, *words), cell) for own, cell in self.scores.items()]
            find, scores = known[written]
            place, judge = find(line, row), None if self.judge is None else row[self.judge].strip()
            for words, (column, said) in scores:
                score = score_at(sheet, line, row[column], said)
                taken.of(words, judge).add(row[self.system], place, score, line)
                if self.errors is not None:
                    taken.marked[words, judge] += self.errors(sheet, line, row, place)

    def _finder(self, sheet: Sheet) -> Callable[[int, Sequence[str]], Place]:
        address = self.address
        return address.finder(sheet) if isinstance(address, Address) else lambda line, row: address(sheet, line, row)


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
