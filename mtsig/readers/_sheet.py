"""Sheet: a file of scores goes in, its rows of cells come out, each with the number of its line and its place."""

import csv
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Literal

from mtsig.corpus import Note
from mtsig.corpus._notes import quoted
from mtsig.errors import ReadError
from mtsig.limits import refuse_above, within_cells
from mtsig.readers._files import File, json_of, lines_of
from mtsig.readers._names import DOCUMENTS, IN_DOCUMENT, SEGMENTS, SENTENCE, plain_name

Row = tuple[int, list[str]]
Direction = Literal["higher", "lower"]

_TOP = 200
"""Rows that are looked at to know a format."""


@dataclass(frozen=True)
class Sheet:
    """A file of scores: its lines, and its cells when it is split at tabs, commas or spaces."""

    file: File

    @property
    def label(self) -> str:
        """What messages call it."""
        return self.file.label

    @cached_property
    def _read(self) -> tuple[tuple[str, ...], tuple[Note, ...]]:
        return lines_of(self.file)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines."""
        return self._read[0]

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was noted when the file was read."""
        return self._read[1]

    @cached_property
    def rows(self) -> list[Row]:
        """Cells split at tabs, or at commas in a .csv file; blank lines hold no row.

        Raises:
            ReadError: a quotation mark in a .csv file is not closed, or there are too many cells.
        """
        return list(within_cells(self.label, self._each()))

    @cached_property
    def top(self) -> list[Row]:
        """The first rows, by which a format is known."""
        return list(islice(self._each(), _TOP))

    def _each(self) -> Iterator[Row]:
        if stripped_path(self.file.path.name).lower().endswith(".csv"):
            return self._csv_rows()
        return ((number, line.split("\t")) for number, line in enumerate(self.lines, 1) if line.strip())

    def _csv_rows(self) -> Iterator[Row]:
        csv.field_size_limit(max(csv.field_size_limit(), sum(map(len, self.lines)) + len(self.lines)))
        reader = csv.reader((f"{line}\n" for line in self.lines), strict=True)
        try:
            for cells in reader:
                if any(cell.strip() for cell in cells):
                    yield reader.line_num, cells
        except csv.Error as error:
            raise ReadError(f"{self.label}, line {reader.line_num}: not a valid CSV row ({error}).") from None

    @cached_property
    def header(self) -> list[str]:
        """The cells of the first row, for comparison: lowercase, with underscores."""
        return [] if not self.top else [plain_name(cell) for cell in self.top[0][1]]

    @cached_property
    def content(self) -> object:
        """What the whole file holds as JSON; None where it is none."""
        try:
            return json_of("\n".join(self.lines), self.label)
        except ReadError:
            return None

    def starts_with_object(self, keys: Sequence[str]) -> bool:
        """Return whether the first line is a JSON object that has all of these keys."""
        if not self.lines or not self.lines[0].startswith("{"):
            return False
        try:
            first = json_of(self.lines[0], self.label, 1)
        except ReadError:
            return False
        return isinstance(first, dict) and all(key in first for key in keys)

    def table(self) -> tuple[list[str], list[Row]]:
        """Return the column names as written, and the rows below them.

        Raises:
            ReadError: there are no rows, a name stands twice, or a row has another number of cells.
        """
        names = [cell.strip() for cell in self.rows[0][1]]
        refuse_above("max_columns", len(names), self.at(self.rows[0][0]))
        for name, count in Counter(names).items():
            if count > 1:
                raise ReadError(
                    f"{self.label}, line 1: the column name {name!r} stands there twice; names must differ."
                )
        if len(self.rows) < 2:
            raise ReadError(f"{self.label} has no rows below its header {quoted(', '.join(names))}.")
        for number, cells in self.rows[1:]:
            if len(cells) != len(names):
                raise ReadError(
                    f"{self.label}, line {number}: found {len(cells)} columns, but the header on line 1 has "
                    f"{len(names)}."
                )
        return names, self.rows[1:]

    def at(self, line: int) -> str:
        """Return the file and the line, as messages begin."""
        return f"{self.label}, line {line}"


def stripped_path(name: str) -> str:
    """Return a file's name without the ending of an archive."""
    return name.removesuffix(".gz")


MOST_SCORE = 1e12
"""No score lies farther from 0: sums of the squares of such numbers could not be held."""

_WORDS = {
    **dict.fromkeys(("", "none", "nan", "na", "n/a", "null", "-", "--", "?"), math.nan),
    **dict.fromkeys(("correct", "right", "yes", "true", "acceptable"), 1.0),
    **dict.fromkeys(("wrong", "incorrect", "no", "false", "unacceptable"), 0.0),
}
"""Scores that are words, and gaps."""


def score_of(cell: str) -> float | None:
    """Return the score that a cell holds: NaN for a gap, 1 or 0 for right or wrong; None when it holds none.

    >>> score_of("-2.5"), score_of("None"), score_of("correct"), score_of("a word")
    (-2.5, nan, 1.0, None)
    """
    try:
        number = float(cell)
    except ValueError:
        return _WORDS.get(cell.strip().lower())
    if abs(number) <= MOST_SCORE:
        return number if "_" not in cell else None
    return _WORDS.get(cell.strip().lower())  # a gap that is written as float writes it, or too much


_DECIMAL_COMMA = re.compile(r"\s*[-+]?\d+,\d+\s*")


def is_meant_as_score(cell: str) -> bool:
    """Return whether a cell holds a score, or would with its decimal comma as a point, or nearer to 0."""
    return score_of(cell) is not None or _DECIMAL_COMMA.fullmatch(cell) is not None or _bounds(cell) != ""


def score_at(sheet: Sheet, line: int, cell: str, what: str) -> float:
    """Return the score in a cell.

    Raises:
        ReadError: the cell holds something else.
    """
    score = score_of(cell)
    if score is None and _DECIMAL_COMMA.fullmatch(cell):
        raise ReadError(f"{sheet.at(line)}: {what} is {quoted(cell)}, with a decimal comma; write it with a point.")
    if score is None:
        raise ReadError(
            f"{sheet.at(line)}: {what} is {quoted(cell)}; expected a number{_bounds(cell)}, or nothing (empty, None, "
            "NaN) where there is no score."
        )
    return score


def _bounds(cell: str) -> str:
    """Return between what a score has to lie, where a cell holds a number beyond."""
    try:
        number = float(cell)
        return f" from -{MOST_SCORE:g} to {MOST_SCORE:g}" if MOST_SCORE < abs(number) < math.inf else ""
    except ValueError:
        return ""


def score_in_json(value: object, where: str) -> float:
    """Return the score that JSON has: NaN for null.

    Raises:
        ReadError: the value is no number, or lies too far from 0; `where` is how the sentence begins.
    """
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ReadError(f"{where} is {quoted(value)}; expected a number or null.")
    if not abs(value) <= MOST_SCORE:
        raise ReadError(
            f"{where} is {quoted(value)}; expected a number from -{MOST_SCORE:g} to {MOST_SCORE:g}, or null."
        )
    return float(value)


_WHOLE = re.compile(r"\d+")
_MOST_DIGITS = 15
"""Digits that the number of a segment may have."""


def number_at(sheet: Sheet, line: int, cell: str, what: str, least: int = 1) -> int:
    """Return the whole number in a cell.

    Raises:
        ReadError: the cell holds something else, or a smaller number than `least`.
    """
    text = cell.strip()
    is_whole = _WHOLE.fullmatch(text) is not None
    if is_whole and len(text) > _MOST_DIGITS:
        raise ReadError(
            f"{sheet.at(line)}: {what} is a number of {len(text):,} digits; at most {_MOST_DIGITS} are taken."
        )
    if not is_whole or int(text) < least:
        hint = " Numbers count from 1 here: add 1 to each." if text == "0" else ""
        raise ReadError(
            f"{sheet.at(line)}: {what} is {quoted(cell)}; expected a whole number of at least {least}.{hint}"
        )
    return int(text)


_ENDINGS = {"tsv", "csv", "txt", "gz", "jsonl", "seg", "score", "scores"}
_PAIR = re.compile(r"^[a-z]{2,3}-[a-z]{2,3}(?:_[A-Z]{2,4})?\.(?=.)")
_SAID = re.compile(r"\.(higher|lower)$", re.IGNORECASE)


def name_and_direction(file_name: str) -> tuple[str, Direction | None]:
    """Return what the scores of a file are called, and the direction that its name declares.

    >>> name_and_direction("en-de.mqm.seg.score"), name_and_direction("effort.lower.tsv")
    (('mqm', None), ('effort', 'lower'))
    """
    name = file_name
    while (pieces := name.rpartition("."))[0] and pieces[2].lower() in _ENDINGS:
        name = pieces[0]
    name = _PAIR.sub("", name)
    said = _SAID.search(name)
    if said is None or not said.start():
        return name, None
    return name[: said.start()], "higher" if said[1].lower() == "higher" else "lower"


def columns_called(header: Sequence[str], names: Set[str]) -> list[int]:
    """Return the positions of the columns that are called by one of the names."""
    return [place for place, name in enumerate(header) if name in names]


@dataclass(frozen=True)
class Place:
    """Where a score belongs, in one or several of the ways that files say it, and the line that says so.

    number: the segment, from 1. document, index: a document, and the segment's number in it, from 1. by_documents: the
    segment's number when documents are sorted by their ids (WMT's direct assessment). row: the segment from 0, give or
    take a first line that is no segment (ESA). item: the id that a benchmark gave it.
    """

    line: int
    number: int | None = None
    document: str | None = None
    index: int | None = None
    by_documents: int | None = None
    row: int | None = None
    item: str | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """What makes two places the same, whatever lines name them."""
        return self.number, self.document, self.index, self.by_documents, self.row, self.item

    @property
    def text(self) -> str:
        """The place in words."""
        if self.document is not None and self.index is not None:
            return f"segment {self.index} of document {self.document}"
        if self.item is not None:
            return f"item {self.item}"
        numbers = (self.number, self.by_documents, self.row)
        return f"segment {next(index for index in numbers if index is not None)}"


Cell = tuple[int, str]
"""A cell by its place in the row, from 0, and what messages call it."""


@dataclass(frozen=True)
class Address:
    """The cells that say which segment a row is of, None for those that a format does not have; see Place.

    named: whether a document without a name is refused.
    """

    number: Cell | None = None
    document: int | None = None
    index: Cell | None = None
    row: Cell | None = None
    named: bool = False

    @classmethod
    def of(cls, header: Sequence[str]) -> "Address":
        """Return the columns that a header names; the first one where several do."""

        def first(names: Set[str]) -> int | None:
            return next(iter(columns_called(header, names)), None)

        number, index = first(SEGMENTS | {SENTENCE}), first(IN_DOCUMENT)
        return cls(
            None if number is None else (number, "the segment"),
            first(DOCUMENTS),
            None if index is None else (index, "the segment's number"),
            named=True,
        )

    @property
    def columns(self) -> list[int]:
        """The places that are taken."""
        found = {cell[0] for cell in (self.number, self.index, self.row) if cell is not None}
        return sorted(found if self.document is None else {*found, self.document})

    def __bool__(self) -> bool:
        """Return whether a row can be placed."""
        return self.number is not None or (self.document is not None and self.index is not None)

    def finder(self, sheet: Sheet) -> Callable[[int, Sequence[str]], Place]:
        """Return what finds the place of a row; rows that say the same share the place of the first of them.

        Raises:
            ReadError: when it is called: a number is none, or the document's name is empty.
        """
        columns, known = self.columns, dict[tuple[str, ...], Place]()

        def find(line: int, cells: Sequence[str]) -> Place:
            said = tuple([cells[column] for column in columns])
            place = known.get(said)
            if place is None:
                place = known[said] = self._place(sheet, line, cells)
            return place

        return find

    def _place(self, sheet: Sheet, line: int, cells: Sequence[str]) -> Place:
        def number(cell: Cell | None, least: int = 1) -> int | None:
            return None if cell is None else number_at(sheet, line, cells[cell[0]], cell[1], least)

        document = None if self.document is None else cells[self.document].strip()
        if self.named and document == "":
            raise ReadError(f"{sheet.at(line)}: the name of the document is empty.")
        return Place(line, number(self.number), document, number(self.index), row=number(self.row, 0))
