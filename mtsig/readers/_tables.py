"""Tables of texts: a file with rows and named columns goes in, in TSV, CSV, Excel or Parquet; its texts come out."""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

from mtsig._limits import within_cells
from mtsig.corpus import Note
from mtsig.corpus._notes import listed, quoted
from mtsig.errors import ReadError
from mtsig.readers._files import File, lines_of, text_of
from mtsig.readers._frames import is_number
from mtsig.readers._json import parts_of_records
from mtsig.readers._names import OUTPUTS, SYSTEMS, language_in, pair_column, plain_name, role_of_column
from mtsig.readers._parquet import rows_of
from mtsig.readers._parts import Part, or_problem
from mtsig.readers._records import Record, of_asked_pair, texts_of_records, turned
from mtsig.readers._sheet import below_header, csv_rows, refuse_separators
from mtsig.readers._workbook import MOST_TITLES, Book, Failed, Row, below_title, of_book

_TABLE = "table"

Rows = Sequence[tuple[int, list[Any]]]
"""Line number and cells; a cell is None where nothing is known."""


@or_problem(_TABLE)
def table_parts(file: File) -> list[Part]:
    """Return the texts of one table."""
    rows, notes = _rows_of(file)
    mark = "Is a comma without quotation marks" if file.path.suffix.lower() == ".csv" else "Is a tab"
    names, records, said = named_rows(file.label, rows, "line", f"{mark} inside a segment, or is a cell missing?")
    return texts_of_records(file, _TABLE, names, records, (*notes, *said))


def _rows_of(file: File) -> tuple[Rows, tuple[Note, ...]]:
    """Return the rows of a file, the header among them.

    A .tsv file is split on tabs and nothing else: quotation marks are text there, unless a program clearly put them
    around cells. A .csv file follows RFC 4180.
    """
    if file.path.suffix.lower() == ".csv":
        return _csv_rows(file)
    text, notes = text_of(file)
    if '"' in text and (cells := _unquoted(text)) is not None:
        rows = _counted(file, lambda: enumerate(cells, 1))
        said = f"{file.label}: quotation marks around cells, as written by pandas and spreadsheets, were removed."
        return rows, (*notes, Note("note", said))
    lines, notes = lines_of(file)
    rows = _counted(file, lambda: ((number, line.split("\t")) for number, line in enumerate(lines, 1)))
    while len(rows) > 1 and len(rows[0][1]) > 1 and rows[-1][1] == [""]:
        rows.pop()  # blank lines at the end hold no row, unless a column alone has an empty text there
    return rows, notes + _quoted_columns(file, rows)


def _counted(file: File, rows: Callable[[], Iterable[tuple[int, list[str]]]]) -> list[tuple[int, list[str]]]:
    """Return rows within the limit of cells; of other language pairs than the one that is asked for one each."""
    names = next((cells for _, cells in islice(rows(), 1)), [])
    column = pair_column(names)
    at = -1 if column is None else names.index(column)

    def pair_of(row: tuple[int, list[str]]) -> str | None:  # none of the names themselves
        return row[1][at].strip() or None if 0 <= at < len(row[1]) and row[1] != names else None

    return list(within_cells(file.label, of_asked_pair(rows, pair_of)))


def _unquoted(text: str) -> list[list[str]] | None:
    """Return the rows of a table between tabs whose cells a program has quoted, and None where its quotes are text.

    A program quotes all cells, or those with a quotation mark or separator: written again, they are the same.
    """
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter="\t", strict=True))
    except csv.Error:
        return None
    whole = text.replace("\r\n", "\n").rstrip("\n")
    for signs in ('"\t\n', '"\t\n,', None):
        lines = ("\t".join(
            '"' + cell.replace('"', '""') + '"' if signs is None or any(sign in cell for sign in signs) else cell
            for cell in row
        ) for row in rows)  # fmt: skip
        if "\n".join(lines).rstrip("\n") == whole:
            return rows
    return None


def _quoted_columns(file: File, rows: Rows) -> tuple[Note, ...]:
    """Return a warning where cells of a .tsv file look quoted, as spreadsheets and pandas write them."""
    cells = [cell for _, row in rows[1:] for cell in row if cell]
    inside = [cell[1:-1] for cell in cells if len(cell) > 1 and cell[0] == cell[-1] == '"']
    doubled = sum('""' in cell and '"' not in cell.replace('""', "") for cell in inside)
    if not doubled and (len(inside) < len(rows) - 1 or len(rows) < 3):
        return ()
    text = (
        f"{file.label}: {len(inside)} cells have quotation marks, which are text in a .tsv file and were kept. "
        "If a spreadsheet put them there, save the table as .csv."
    )
    return (Note("warning", text),)


def named_rows(label: str, rows: Rows, row: str, hint: str) -> tuple[list[str], list[Record], tuple[Note, ...]]:
    """Return the names in the first row, the other rows as records, and a note where the table was turned.

    row: what messages call one. hint: what may be the cause where a row has another number of columns.
    """
    table = turned(label, [cells for _, cells in rows]) if rows else None
    rows = rows if table is None else list(enumerate(table[0], 1))
    names, below = below_header(label, rows, row, hint, lambda names: _check_header(label, names))
    records = [Record(number, dict(zip(names, cells, strict=True))) for number, cells in below]
    return names, records, () if table is None else (table[1],)


def _check_header(label: str, names: Sequence[str]) -> None:
    if len(names) == 1:
        refuse_separators(label, names[0])
    if len(names) == 1 and len(names[0].split()) > 2:
        raise ReadError(
            f"{label} has only one column, {quoted(names[0])}. If its columns are delimited by spaces, save it with "
            "commas (.csv) or tabs (.tsv)."
        )
    texts = [name for name in names if len(name.split()) > 2]
    if texts and 2 * len(texts) >= len(names):
        raise ReadError(
            f"{label}, line 1: {quoted(texts[0])} looks like text, but the names of columns are expected. Begin a "
            "table of texts with a row of names: source, ref, and the systems."
        )
    if {"Named Scores", "Grader Reason"} <= set(names):
        raise ReadError(f"{label} is a table of promptfoo: save its results as JSON (--output out.json).")
    # Systems may be called by numbers; a table without any name that is known is one without a header.
    known = any(role_of_column(name) in ("source", "reference", "documents") or language_in(name) for name in names)
    for name in names:
        if name and not known and is_number(name):
            raise ReadError(
                f"{label}, line 1: {name!r} is a number, but the names of columns are expected. Begin a table of "
                "texts with a row of names: source, ref, and the systems."
            )


def _csv_rows(file: File) -> tuple[Rows, tuple[Note, ...]]:
    text, notes = text_of(file)
    head = text.partition("\n")[:1]
    rows = _counted(file, lambda: csv_rows(file.label, io.StringIO(text, newline=""), len(text), head))
    while len(rows) > 1 and not rows[-1][1]:
        rows.pop()  # blank lines at the end hold no row
    return rows, notes


_WORKBOOK = "Excel sheet"


@or_problem(_WORKBOOK)
def workbook_parts(file: File) -> list[Part]:
    """Return the texts of one workbook."""
    rows, notes = of_book(file, _read_book)
    hint = "Is there a title above the table, or a note next to it?"
    names, records, said = named_rows(file.label, rows, "row", hint)
    return texts_of_records(file, _WORKBOOK, names, records, (*notes, *said))


def _read_book(label: str, data: bytes) -> tuple[Rows, tuple[Note, ...]]:
    chosen = _with_texts(Book(label, data))
    book = Book(label, data)
    read: tuple[str, Rows] | None = None
    others, is_titled = [], False
    for sheet in book.sheets:
        # Of those that are not taken it matters only whether there is anything.
        taken = read is None and chosen in (sheet, None)
        rows = book.rows(sheet, None if taken else 1)
        if rows and taken:
            below = below_title(rows)
            is_titled = len(below) < len(rows)
            read = sheet[0], _filled(label, below)
        elif rows:
            others.append(sheet[0])
    if read is None:
        raise ReadError(f"{label} contains no filled sheet; expected a table. Fill one, or leave the file out.")
    name, filled = read
    notes = _blank_rows(label, filled)
    if is_titled:
        said = f"{label}: the names of columns are in row {filled[0][0]}; the text above it was ignored."
        notes = (*notes, Note("note", said))
    if others:
        left = ", ".join(map(repr, others[:5])) + (f" and {len(others) - 5:,} more" if len(others) > 5 else "")
        text = f"{label}: the sheet {name!r} was read; other sheets were ignored: {left}."
        notes = (*notes, Note("warning", text))
    return filled, notes


def _with_texts(book: Book) -> tuple[str, str] | None:
    """Return the first sheet whose first row names texts: notes may stand on the one before it; None without one."""
    for sheet in book.sheets[:_MOST_SHEETS]:
        rows = below_title(book.rows(sheet, MOST_TITLES + 1))
        if rows and any(map(_names_text, rows[0][1].values())):
            return sheet
    return None


_MOST_SHEETS = 20
"""Sheets of a workbook that are looked at for texts."""


def _names_text(name: object) -> bool:
    """Return whether a cell names a column of texts, or that of their systems."""
    plain = plain_name(str(name))
    return plain in SYSTEMS | OUTPUTS or role_of_column(str(name)) in ("source", "reference")


def _blank_rows(label: str, rows: Rows) -> tuple[Note, ...]:
    """Return a note where blank rows stand between filled ones: they hold no segment."""
    filled = {number for number, _ in rows}
    blank = [number for number in range(rows[0][0], rows[-1][0]) if number not in filled]
    if not blank:
        return ()
    shown = ", ".join(map(str, blank[:5])) + (", …" if len(blank) > 5 else "")
    return (Note("note", f"{label}: blank rows contain no segment and were skipped: {shown}."),)


def _filled(label: str, rows: Sequence[Row]) -> Rows:
    """Return rows whose cells are texts, none narrower than the first; an empty cell is an empty text, as elsewhere."""
    first = max(rows[0][1]) + 1
    filled = []
    for number, cells in rows:
        texts = [""] * max(first, max(cells) + 1)
        for column, cell in cells.items():
            texts[column] = _cell_text(label, number, cell)
        filled.append((number, texts))
    return filled


_ERRORS = {"#NAME?", "#REF!", "#VALUE!", "#DIV/0!", "#N/A", "#NUM!", "#NULL!"}
"""What Excel shows of a formula that fails: a segment that begins with = or - is taken for one."""


def _cell_text(label: str, row: int, cell: object) -> str:
    shown = cell.shown if isinstance(cell, Failed) else cell
    if isinstance(cell, Failed) or shown in _ERRORS:
        raise ReadError(
            f"{label}, row {row}: the cell contains Excel's error {shown} instead of text, because Excel reads = or - "
            "at the start as a formula. Format the column as text before you fill it."
        )
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        kind = "truth value" if isinstance(cell, bool) else "date"
        raise ReadError(
            f"{label}, row {row}: Excel stored {cell!s} as a {kind}, not as text. Format the column as "
            "text before you fill it, because Excel changes what looks like a date or a truth value."
        )
    return repr(int(cell)) if float(cell).is_integer() else repr(cell)


_PARQUET = "Parquet table"


@or_problem(_PARQUET)
def parquet_parts(file: File) -> list[Part]:
    """Return the texts of one table."""
    rows = rows_of(file, _kept)
    # Of nested values only those that hold texts are kept.
    empty = [name for name in rows[0] if all(row[name] is None for row in rows)]
    empty = empty if len(empty) < len(rows[0]) else []
    rows = [{name: value for name, value in row.items() if name not in empty} for row in rows] if empty else rows
    notes = [Note("note", f"{file.label}: columns without text were ignored: {listed(empty)}.")] if empty else []
    return parts_of_records(file, list(enumerate(rows, 1)), _PARQUET, notes)


_MOST_TEXTS = 1_000
"""Texts that one value of a table holds by name, or as a list."""


def _kept(value: object) -> Any:
    """Return a value as text; of what is nested the texts, where these are few, and nothing else."""
    if value is None or isinstance(value, str):
        return value
    if not isinstance(value, list | dict):
        return str(value)
    inner = value.values() if isinstance(value, dict) else value
    return value if len(value) <= _MOST_TEXTS and all(isinstance(one, str | None | dict) for one in inner) else None
