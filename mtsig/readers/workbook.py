"""Excel workbooks: the first sheet that holds anything is a table like any other."""

import io
import warnings
from collections.abc import Sequence
from typing import Any

from mtsig.corpus import Note
from mtsig.errors import ProgramError, ReadError
from mtsig.extras import need
from mtsig.limits import refuse_above
from mtsig.readers.archives import check_sizes, is_zip
from mtsig.readers.files import File
from mtsig.readers.names import name_of
from mtsig.readers.part import Part
from mtsig.readers.reader import Placed, Reader, by_suffix, when_alone
from mtsig.readers.records import texts_of_records
from mtsig.readers.table import Rows, named_rows

FORM = "Excel sheet"


def parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the texts of every workbook; one that cannot be understood is a part with a problem."""
    return [workbook_parts(placed.file) for placed in files]


def workbook_parts(file: File) -> list[Part]:
    """Return the texts of one workbook."""
    try:
        rows, notes = _rows_of(file)
        names, records = named_rows(file.label, rows, "row", "A title above the table, or a note beside it?")
        return texts_of_records(file, FORM, names, records, notes)
    except ReadError as error:
        return [Part(file.label, "system", name_of(file.path.name), problem=str(error), file=file, form=FORM)]


def _rows_of(file: File) -> tuple[Rows, tuple[Note, ...]]:
    data = file.data
    if not is_zip(data):
        raise ReadError(f"{file.label} is called an Excel workbook, but is none. Save it as .xlsx, .csv or .tsv.")
    try:
        need("excel")
    except ProgramError as error:
        raise ReadError(f"{file.label}: {error}") from None  # a fault of one file: what lies beside it is still read
    check_sizes(file.label, data)
    try:
        with warnings.catch_warnings():
            # openpyxl warns of what it leaves out (styles, images, rules for cells): none of it is text.
            warnings.simplefilter("ignore")
            return _read(file.label, data)
    except ReadError:
        raise
    # A damaged workbook makes openpyxl raise nearly anything: KeyError, TypeError, an error of the XML parser …
    except Exception as error:
        said = f"{type(error).__name__}: {str(error)[:100]}"
        raise ReadError(f"{file.label}: a damaged Excel workbook ({said}). Save it again, or as .csv.") from None


def _read(label: str, data: bytes) -> tuple[Rows, tuple[Note, ...]]:
    import openpyxl  # here, because it takes long to load and few corpora come in a workbook

    # Formulas are read as the values they had when the file was saved.
    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    sheets: dict[str, Rows] = {}
    cells = 0
    for sheet in book.worksheets:
        rows, cells = _sheet(label, sheet, cells)
        if rows:
            sheets[sheet.title] = rows
    if not sheets:
        raise ReadError(f"{label} holds no filled sheet.")
    (name, rows), *others = sheets.items()
    notes = _blank_rows(label, rows)
    if others:
        left = ", ".join(repr(title) for title, _ in others)
        text = f"{label}: the sheet {name!r} was read; other sheets were left alone: {left}."
        notes = (*notes, Note("warning", text))
    return rows, notes


def _blank_rows(label: str, rows: Rows) -> tuple[Note, ...]:
    """Return a note where blank rows stand between filled ones: they hold no segment."""
    filled = {number for number, _ in rows}
    blank = [number for number in range(rows[0][0], rows[-1][0]) if number not in filled]
    if not blank:
        return ()
    shown = ", ".join(map(str, blank[:5])) + (", …" if len(blank) > 5 else "")
    return (Note("note", f"{label}: blank rows hold no segment and were passed over: {shown}."),)


def _sheet(label: str, sheet: Any, seen: int) -> tuple[Rows, int]:
    """Return the filled rows of a sheet, cut to the width of the first, and how many cells were looked at so far.

    A file of a few bytes can claim 17 thousand million empty ones.
    """
    # What the sheet says about its own size is not to be believed.
    sheet.reset_dimensions()
    rows: list[tuple[int, list[str | None]]] = []
    for number, cells in enumerate(sheet.iter_rows(values_only=True), 1):
        seen += max(1, len(cells))
        refuse_above("max_cells", seen, f"{label}, row {number} of sheet {sheet.title!r}")
        values = [_text(label, number, cell) for cell in cells]
        while values and values[-1] is None:
            values.pop()
        if not values:
            continue
        width = len(rows[0][1]) if rows else len(values)
        # An empty cell is an empty text, as it is in a table of another form.
        filled: list[str | None] = [value or "" for value in values]
        rows.append((number, filled + [""] * (width - len(filled))))
    return rows, seen


_ERRORS = {"#NAME?", "#REF!", "#VALUE!", "#DIV/0!", "#N/A", "#NUM!", "#NULL!"}
"""What Excel shows of a formula that fails: a segment that begins with = or - is taken for one."""


def _text(label: str, row: int, cell: object) -> str | None:
    if cell in _ERRORS:
        raise ReadError(
            f"{label}, row {row}: Excel holds the error {cell}, not a text: it took a segment that begins with = or - "
            "for a formula. Format the column as text before filling it."
        )
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        raise ReadError(
            f"{label}, row {row}: Excel holds {cell!s} as a {type(cell).__name__}, not as text. Format the column as "
            "text before filling it: Excel changes what looks like a date or a truth value."
        )
    return repr(int(cell)) if float(cell).is_integer() else repr(cell)


WORKBOOK = Reader("an .xlsx workbook: its first filled sheet as a table", when_alone(by_suffix(".xlsx")), parts)
