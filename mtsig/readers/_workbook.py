"""What an Excel workbook is made of: bytes go in, the filled cells of its sheets come out, row by row.

A workbook is a zip archive of XML files, each read in one pass, and only those that cells need. Nothing grows that
nobody asked for: openpyxl makes an object of every style and name, and readers that make a whole grid of a sheet end
the process where a cell lies far out.
"""

import io
import posixpath
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import IO, BinaryIO, NoReturn, TypeVar, cast
from xml.parsers import expat

from mtsig._limits import limits, refuse_above
from mtsig.errors import ReadError, said_by
from mtsig.readers._files import HEAD, LEAST_CELL, MOST_MEMBERS, File, check_sizes, is_zip, refuse_bomb, to_look_into

Row = tuple[int, dict[int, object]]
"""Its number, from 1, and the filled cells by the number of their column, from 0."""


@dataclass(frozen=True)
class Failed:
    """What Excel shows of a formula that fails."""

    shown: str


class Damaged(Exception):
    """What is read is no workbook; the message says why, in a few words."""


class _Enough(Exception):
    """What was asked for is there."""


@dataclass
class Book:
    """A workbook that is open, and what was unpacked of it so far.

    sheets: the names and files of its sheets, in order.
    """

    label: str
    data: bytes | IO[bytes]
    sheets: Sequence[tuple[str, str]] = ()
    unpacked: int = 0
    cells: int = 0
    _strings: str | None = None
    _styles: str | None = None
    _from: datetime = datetime(1899, 12, 30)
    _archive: zipfile.ZipFile = field(init=False)
    _texts: list[str] | None = None
    _dates: Sequence[bool] = ()

    def __post_init__(self) -> None:
        self._archive = zipfile.ZipFile(io.BytesIO(self.data) if isinstance(self.data, bytes) else self.data)
        (book, _), *_ = [
            *(of for of in self._related("").values() if of[1] == "officeDocument"), ("xl/workbook.xml", "")
        ]  # fmt: skip
        related = self._related(book)
        for name, kind in related.values():
            self._strings = name if kind == "sharedStrings" else self._strings
            self._styles = name if kind == "styles" else self._styles
        named: list[tuple[str, str]] = []

        def opens(tag: str, given: Mapping[str, str]) -> None:
            if tag == "sheet":
                reference = next((value for name, value in given.items() if name.endswith(":id")), "")
                file, kind = related.get(reference, ("", ""))
                if kind == "worksheet":
                    named.append((given.get("name", ""), file))
                if len(named) > MOST_MEMBERS:
                    raise Damaged(f"it names more than {MOST_MEMBERS:,} sheets")
            elif tag == "workbookPr" and given.get("date1904") in ("1", "true"):
                self._from = datetime(1904, 1, 1)

        self._parse(book, opens)
        self.sheets = named

    def rows(self, sheet: tuple[str, str], most: int | None = None) -> list[Row]:
        """Return the filled rows of a sheet, or the first so many."""
        if self._texts is None:
            self._texts, self._dates = self._read_texts(), self._read_dates()
        reading = _Sheet(self, sheet[0], self._texts, self._dates, self._from, most)
        self._parse(sheet[1], reading.opens, reading.closes, reading.holds)
        return reading.rows

    def top(self, sheet: tuple[str, str], most: int) -> list[Row]:
        """Return the first filled rows of a sheet as far as they can be read; dates may stand as numbers."""
        if self._texts is None:
            self._texts = []
            with suppress(Exception):
                self._read_texts(self._texts)
        reading = _Sheet(self, sheet[0], self._texts, (), self._from, most)
        with suppress(Exception):
            self._parse(sheet[1], reading.opens, reading.closes, reading.holds)
        return reading.rows

    def count(self, unpacked: int) -> None:
        """Count bytes that were unpacked, or that texts come to where they are used."""
        self.unpacked += unpacked
        if isinstance(self.data, bytes):  # of a look into a file no more is unpacked than is looked at
            refuse_bomb(self.label, self.unpacked, len(self.data), "save it as .csv")

    def _related(self, part: str) -> dict[str, tuple[str, str]]:
        """Return id -> file and kind of what a part of the workbook names."""
        folder, name = posixpath.split(part)
        related: dict[str, tuple[str, str]] = {}

        def opens(tag: str, given: Mapping[str, str]) -> None:
            if tag == "Relationship" and given.get("TargetMode") != "External":
                target = posixpath.normpath(posixpath.join("/", folder, given.get("Target", "")))
                related[given.get("Id", "")] = target.lstrip("/"), given.get("Type", "").rpartition("/")[2]

        self._parse(posixpath.join(folder, "_rels", f"{name}.rels"), opens)
        return related

    def _read_texts(self, texts: list[str] | None = None) -> list[str]:
        """Return the texts that cells name by number; `texts`: where they are put as they are read."""
        texts = [] if texts is None else texts
        if self._strings is not None:
            item, most = _Item(), limits().max_cells

            def closes(tag: str) -> None:
                if tag == "si":
                    texts.append(item.taken())
                    if len(texts) >= _FIRST_TEXTS and not isinstance(self.data, bytes):
                        raise _Enough
                    if len(texts) > most:
                        refuse_above("max_cells", len(texts), f"{self.label}/{self._strings}", what="texts of cells")
                else:
                    item.closes(tag)

            self._parse(self._strings, item.opens, closes, item.holds)
        return texts

    def _read_dates(self) -> list[bool]:
        """Return whether each format of cells shows numbers as dates."""
        formats: list[str] = []
        own: dict[str, bool] = {}
        inside = False

        def opens(tag: str, given: Mapping[str, str]) -> None:
            nonlocal inside
            if tag == "cellXfs":
                inside = True
            elif tag == "xf" and inside:
                formats.append(given.get("numFmtId", "0"))
            elif tag == "numFmt":
                own[given.get("numFmtId", "")] = _is_date(given.get("formatCode", ""))

        def closes(tag: str) -> None:
            if tag == "cellXfs":
                raise _Enough

        if self._styles is not None:
            self._parse(self._styles, opens, closes)
        return [own.get(of, of in _DATES) for of in formats]

    def _parse(
        self,
        name: str,
        opens: Callable[[str, Mapping[str, str]], None],
        closes: Callable[[str], None] | None = None,
        holds: Callable[[str], None] | None = None,
    ) -> None:
        """Go through a file of the workbook; tags come without the prefixes of their namespaces."""
        # Expat would write a namespace into every tag of it, however long it is.
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = _refuse_declarations
        bare, beside, given_out = _Bare(), 0, 0
        parser.StartElementHandler = lambda tag, given: opens(bare[tag], given)
        if closes is not None:
            parser.EndElementHandler = lambda tag: closes(bare[tag])
        parser.CharacterDataHandler = holds
        try:
            with suppress(_Enough), self._archive.open(name) as file:
                while piece := file.read(_PIECE if isinstance(self.data, bytes) else _SMALL_PIECE):
                    self.count(len(piece))
                    beside += len(piece) if holds is None else 0
                    if beside > _MOST_BESIDE:
                        raise Damaged(f"{name} is too large")
                    parser.Parse(piece)
                    given_out += len(piece)
                    if given_out - parser.CurrentByteIndex > _LONGEST_TAG:
                        raise Damaged(f"{name} has a tag of more than {_LONGEST_TAG:,} bytes")
                parser.Parse(b"", True)
        except KeyError:
            raise Damaged(f"{name} is missing") from None
        except expat.ExpatError as error:
            raise Damaged(f"{name}, line {error.lineno}: {expat.ErrorString(error.code)}") from None


_PIECE, _SMALL_PIECE = 2**16, 2**12
"""Bytes that are unpacked at a time; of a look into a file fewer."""

_FIRST_TEXTS = 2_000
"""Texts of cells that are taken of a look into a file."""

_MOST_BESIDE = 2**25
"""Bytes of a file that holds no cells: names, formats. Some hundred thousand are a few MB."""

_LONGEST_TAG = 2**20
"""Bytes of a tag or a comment: with each piece of a longer one expat begins it anew. A name has some thousand."""


class _Bare(dict[str, str]):
    """A tag with its prefix -> the tag."""

    def __missing__(self, tag: str) -> str:
        bare = self[tag] = tag.rpartition(":")[2]
        return bare


_DATES = {str(number) for number in (*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59))}
"""Formats of Excel's own that show dates and times, those of East Asia among them."""

_NO_DATE = re.compile(r'"[^"]*("|$)|\\.|_.|\[(?!h+\]|m+\]|s+\])[^\]]*(\]|$)', re.IGNORECASE)


def _is_date(code: str) -> bool:
    """Return whether a format shows a date or a time: colours, conditions and quoted words say nothing of that."""
    return re.search("[dmhys]", _NO_DATE.sub("", code.split(";")[0]), re.IGNORECASE) is not None


def _refuse_declarations(*_: object) -> NoReturn:
    raise Damaged("it declares a document type, which workbooks never do")


_TEXT = "t"
"""The element that holds a text, or a run of one."""


class _Item:
    """The text of one item, in one run or several; how it is pronounced (rPh) is no part of it."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._is_text, self._aside = False, 0

    def opens(self, tag: str, given: Mapping[str, str]) -> None:
        """Begin an element."""
        del given
        if tag == "rPh":
            self._aside += 1
        self._is_text = tag == _TEXT and not self._aside

    def holds(self, text: str) -> None:
        """Take in text."""
        if self._is_text:
            self._pieces.append(text)

    def closes(self, tag: str) -> None:
        """End an element."""
        if tag == "rPh":
            self._aside -= 1
        self._is_text = False

    def taken(self) -> str:
        """Return the text, and begin another."""
        text = "".join(self._pieces)
        self._pieces, self._is_text, self._aside = [], False, 0
        # Excel writes so what would else be read as the code of a character.
        return text.replace("_x005F_", "_")


class _Sheet:
    """What a pass over a sheet collects."""

    def __init__(
        self, book: Book, name: str, texts: Sequence[str], dates: Sequence[bool], start: datetime, most: int | None
    ) -> None:
        self.rows: list[Row] = []
        self._book, self._name = book, name
        self._texts, self._dates, self._from, self._most = texts, dates, start, most
        self._row = self._column = self._before = 0
        self._cells: dict[int, object] = {}
        self._kind, self._style = "n", 0
        self._inside = ""
        self._value: list[str] = []
        self._item = _Item()
        self._most_cells = limits().max_cells

    def opens(self, tag: str, given: Mapping[str, str]) -> None:
        """Begin an element."""
        if tag == "c":
            place = given.get("r")
            self._column = self._column + 1 if place is None else _column_of(place)
            self._kind, self._style = given.get("t", "n"), _whole(given.get("s", "0"))
            self._value = []
            self._book.cells += 1
            if self._book.cells > self._most_cells:
                self._refuse_cells()
        elif tag == "row":
            number = _whole(given["r"]) if "r" in given else self._row + 1
            if not 0 < number <= _ROWS:
                raise Damaged(f"row {number} of a sheet")
            # A row that is left out is one that is empty.
            self._book.cells += max(0, number - self._row - 1)
            self._row, self._column, self._cells = number, -1, {}
            self._before = self._book.cells
        elif tag == "is" or self._inside == "is":
            self._inside = "is"
            self._item.opens(tag, given)
        elif tag == "v":
            self._inside = "v"

    def holds(self, text: str) -> None:
        """Take in text."""
        if self._inside == "v":
            self._value.append(text)
        elif self._inside == "is":
            self._item.holds(text)

    def closes(self, tag: str) -> None:
        """End an element."""
        if tag == "v":
            self._inside = ""
        elif tag == "is":
            self._inside, self._value = "", [self._item.taken()]
        elif self._inside == "is":
            self._item.closes(tag)
        elif tag == "c":
            if self._value and (value := self._meant("".join(self._value))) is not None:
                self._cells[self._column] = value
        elif tag == "row":
            self._end_row()
        elif tag == "sheetData":
            raise _Enough

    def _end_row(self) -> None:
        # Cells before a filled one are cells too, whether the file has them or not.
        self._book.cells = max(self._book.cells, self._before + max(self._cells, default=0) + 1)
        self._refuse_cells()
        if self._cells:
            width = max(self._cells) + 1
            self._book.count(LEAST_CELL * width + sum(len(v) for v in self._cells.values() if isinstance(v, str)))
            self.rows.append((self._row, self._cells))
            self._cells = {}
            if self._most is not None and len(self.rows) >= self._most:
                raise _Enough

    def _refuse_cells(self) -> None:
        refuse_above("max_cells", self._book.cells, f"{self._book.label}, row {self._row} of sheet {self._name!r}")

    def _meant(self, text: str) -> object:
        """Return what a cell holds: a text, a number, a truth value, a date, or an error; None where it is empty."""
        if self._kind == "s":
            number = _whole(text)
            if not 0 <= number < len(self._texts):
                raise Damaged(f"text {number} of {len(self._texts)}")
            return self._texts[number]
        if self._kind in ("str", "inlineStr"):
            return text
        if self._kind == "e":
            return Failed(text)
        if self._kind == "b":
            return text.strip() in ("1", "true")
        if self._kind == "d":
            return datetime.fromisoformat(text)
        return self._number(text)

    def _number(self, text: str) -> object:
        if not text.strip():
            return None
        number = float(text) if any(sign in text for sign in ".eE") else _whole(text)
        if 0 <= self._style < len(self._dates) and self._dates[self._style] and 0 <= number < _DAYS:
            return self._from + timedelta(days=number)
        return number


_ROWS, _COLUMNS = 2**20, 2**14
"""What a sheet of Excel's has."""

_DAYS = 2_900_000
"""Up to the year 9999."""

_PLACE = re.compile(r"([A-Za-z]{1,3})[0-9]*")


def _column_of(place: str) -> int:
    """Return the number of a column, from 0, in a place such as B2."""
    found = _PLACE.fullmatch(place)
    column = 0
    for letter in found[1].upper() if found else "":
        column = 26 * column + ord(letter) - 64
    if not 0 < column <= _COLUMNS:
        raise Damaged(f"the place {place[:20]!r}")
    return column - 1


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise Damaged(f"{text[:20]!r} instead of a number") from None


T = TypeVar("T")


def of_book(file: File, read: Callable[[str, bytes], T]) -> T:
    """Return what is read of a workbook, or raise ReadError: it is none, is damaged or too large."""
    data = file.data
    if not is_zip(data):
        raise ReadError(f"{file.label} is not an Excel workbook, despite its name. Save it as .xlsx, .csv or .tsv.")
    check_sizes(file.label, data)
    try:
        return read(file.label, data)
    except ReadError:
        raise
    # Of the errors of zipfile there is no list: what is damaged raises nearly anything.
    except Exception as error:
        said = said_by(error, "its parts do not fit together")
        raise ReadError(f"{file.label}: a damaged Excel workbook ({said}). Save it again, or as .csv.") from None


def sheets_of_book(file: File) -> list[list[tuple[int, list[str]]]]:
    """Return the rows of every sheet as texts, all as wide as the first one; whatever a cell is, it is written."""
    return of_book(file, _read_sheets)


def _read_sheets(label: str, data: bytes) -> list[list[tuple[int, list[str]]]]:
    book = Book(label, data)
    return [_as_texts(book.rows(sheet)) for sheet in book.sheets[:_MOST_SHEETS]]


def below_title(rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows without the titles above them: lone texts that begin where a row of several names does."""
    header = next((at for at, (_, cells) in enumerate(rows[: MOST_TITLES + 1]) if len(cells) > 1), 0)
    names = rows[header][1] if rows else {}
    are_names = all(isinstance(name, str) for name in names.values())
    lone = [cells for _, cells in rows[:header]]
    return rows[header:] if are_names and all(isinstance(cells.get(min(names)), str) for cells in lone) else rows


MOST_TITLES = 5
"""Rows of titles above a table."""


def _as_texts(rows: Sequence[Row]) -> list[tuple[int, list[str]]]:
    rows = below_title(rows)
    width = max(rows[0][1]) + 1 if rows else 0
    return [(number, [_shown(cells.get(column)) for column in range(width)]) for number, cells in rows]


class _Look:
    """A stream of which so many bytes are read, and no more."""

    def __init__(self, stream: BinaryIO, most: int) -> None:
        self._stream, self._left = stream, most
        self.seek, self.tell, self.seekable = stream.seek, stream.tell, stream.seekable

    def read(self, count: int = -1) -> bytes:
        """Return the next bytes, or as many as may still be read."""
        data = self._stream.read(self._left if count < 0 else min(count, self._left))
        self._left -= len(data)
        return data


def tops_of_book(file: File) -> list[list[tuple[int, list[str]]]]:
    """Return the first rows of every sheet as texts, as far as they stand in what is looked at; none of no workbook."""
    try:
        with to_look_into(file) as stream:
            book = Book(file.label, cast("IO[bytes]", _Look(stream, HEAD)))
            return [_as_texts(book.top(sheet, _TOP)) for sheet in book.sheets[:_MOST_SHEETS]]
    except Exception:  # who reads it says what is wrong
        return []


_TOP = 50
"""Rows by which a format is known."""

_MOST_SHEETS = 20
"""Sheets of a workbook that are looked at for scores."""


def _shown(cell: object) -> str:
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return "" if cell is None else str(cell.shown if isinstance(cell, Failed) else cell)
