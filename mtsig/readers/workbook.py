"""Excel workbooks: the first sheet that holds anything is a table like any other."""

from collections.abc import Sequence

from mtsig.corpus import Note
from mtsig.errors import ReadError, said_by
from mtsig.readers.archives import check_sizes, is_zip
from mtsig.readers.files import File
from mtsig.readers.names import name_of
from mtsig.readers.part import Part
from mtsig.readers.reader import Placed, Reader, by_suffix, when_alone
from mtsig.readers.records import texts_of_records
from mtsig.readers.table import Rows, named_rows
from mtsig.readers.workbook_xml import Book, Failed, Row

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
    check_sizes(file.label, data)
    try:
        return _read(file.label, data)
    except ReadError:
        raise
    # Of the errors of zipfile there is no list: what is damaged raises nearly anything.
    except Exception as error:
        said = said_by(error, "its parts do not fit together")
        raise ReadError(f"{file.label}: a damaged Excel workbook ({said}). Save it again, or as .csv.") from None


def _read(label: str, data: bytes) -> tuple[Rows, tuple[Note, ...]]:
    book = Book(label, data)
    read: tuple[str, Rows] | None = None
    others = []
    for sheet in book.sheets:
        # Of those behind the first filled one it matters only whether there is anything.
        rows = book.rows(sheet, None if read is None else 1)
        if rows and read is None:
            read = sheet[0], _filled(label, rows)
        elif rows:
            others.append(sheet[0])
    if read is None:
        raise ReadError(f"{label} holds no filled sheet.")
    name, filled = read
    notes = _blank_rows(label, filled)
    if others:
        left = ", ".join(map(repr, others[:5])) + (f" and {len(others) - 5:,} more" if len(others) > 5 else "")
        text = f"{label}: the sheet {name!r} was read; other sheets were left alone: {left}."
        notes = (*notes, Note("warning", text))
    return filled, notes


def _blank_rows(label: str, rows: Rows) -> tuple[Note, ...]:
    """Return a note where blank rows stand between filled ones: they hold no segment."""
    filled = {number for number, _ in rows}
    blank = [number for number in range(rows[0][0], rows[-1][0]) if number not in filled]
    if not blank:
        return ()
    shown = ", ".join(map(str, blank[:5])) + (", …" if len(blank) > 5 else "")
    return (Note("note", f"{label}: blank rows hold no segment and were passed over: {shown}."),)


def _filled(label: str, rows: Sequence[Row]) -> Rows:
    """Return rows whose cells are texts, none narrower than the first; an empty cell is an empty text, as elsewhere."""
    first = max(rows[0][1]) + 1
    filled = []
    for number, cells in rows:
        texts = [""] * max(first, max(cells) + 1)
        for column, cell in cells.items():
            texts[column] = _text(label, number, cell)
        filled.append((number, texts))
    return filled


_ERRORS = {"#NAME?", "#REF!", "#VALUE!", "#DIV/0!", "#N/A", "#NUM!", "#NULL!"}
"""What Excel shows of a formula that fails: a segment that begins with = or - is taken for one."""


def _text(label: str, row: int, cell: object) -> str:
    shown = cell.shown if isinstance(cell, Failed) else cell
    if isinstance(cell, Failed) or shown in _ERRORS:
        raise ReadError(
            f"{label}, row {row}: Excel holds the error {shown}, not a text: it took a segment that begins with = or - "
            "for a formula. Format the column as text before filling it."
        )
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        kind = "truth value" if isinstance(cell, bool) else "date"
        raise ReadError(
            f"{label}, row {row}: Excel holds {cell!s} as a {kind}, not as text. Format the column as "
            "text before filling it: Excel changes what looks like a date or a truth value."
        )
    return repr(int(cell)) if float(cell).is_integer() else repr(cell)


WORKBOOK = Reader("an .xlsx workbook: its first filled sheet as a table", when_alone(by_suffix(".xlsx")), parts)
