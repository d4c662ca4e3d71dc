"""Tables: a TSV or CSV file goes in, its named columns of text come out."""

import csv
import io
from collections import Counter
from collections.abc import Sequence

from mtsig.corpus import Note, quoted
from mtsig.errors import ReadError
from mtsig.limits import refuse_above, within_cells
from mtsig.readers.files import File, lines_of, text_of
from mtsig.readers.names import TABLE_SUFFIXES, name_of
from mtsig.readers.part import Part
from mtsig.readers.reader import Placed, Reader, when_alone
from mtsig.readers.records import Record, texts_of_records

FORM = "table"

Rows = Sequence[tuple[int, Sequence[str | None]]]
"""Line number and cells; a cell is None where nothing is known."""


def parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the texts of every table; one that cannot be understood is a part with a problem."""
    return [table_parts(placed.file) for placed in files]


def table_parts(file: File) -> list[Part]:
    """Return the texts of one table."""
    try:
        rows, notes = _rows_of(file)
        mark = "A comma without quotation marks" if file.path.suffix.lower() == ".csv" else "A tab"
        names, records = named_rows(file.label, rows, "line", f"{mark} inside a segment, or a missing cell?")
        return texts_of_records(file, FORM, names, records, notes)
    except ReadError as error:
        return [Part(file.label, "system", name_of(file.path.name), problem=str(error), file=file, form=FORM)]


def _rows_of(file: File) -> tuple[Rows, tuple[Note, ...]]:
    """Return the rows of a file, the header among them.

    A .tsv file is split on tabs and nothing else (quotation marks are text there); a .csv file follows RFC 4180.

    Raises:
        ReadError: the file cannot be read as text, or as CSV.
    """
    if file.path.suffix.lower() == ".csv":
        return _csv_rows(file)
    lines, notes = lines_of(file)
    rows = list(within_cells(file.label, ((number, line.split("\t")) for number, line in enumerate(lines, 1))))
    while len(rows) > 1 and len(rows[0][1]) > 1 and rows[-1][1] == [""]:
        rows.pop()  # blank lines at the end hold no row, unless a column alone has an empty text there
    return rows, notes + _quoted_columns(file, rows)


def _quoted_columns(file: File, rows: Rows) -> tuple[Note, ...]:
    """Return a warning where cells of a .tsv file look quoted, as spreadsheets and pandas write them."""
    cells = [cell for _, row in rows[1:] for cell in row if cell]
    inside = [cell[1:-1] for cell in cells if len(cell) > 1 and cell[0] == cell[-1] == '"']
    doubled = sum('""' in cell and '"' not in cell.replace('""', "") for cell in inside)
    if not doubled and (len(inside) < len(rows) - 1 or len(rows) < 3):
        return ()
    text = (
        f"{file.label}: {len(inside)} cells stand in quotation marks, which were kept as text, as ever in a .tsv file. "
        "If a spreadsheet put them there, save the table as .csv."
    )
    return (Note("warning", text),)


def named_rows(label: str, rows: Rows, row: str, hint: str) -> tuple[list[str], list[Record]]:
    """Return the names in the first row, and the other rows as records.

    Args:
        label: what messages call the file.
        rows: its rows.
        row: what messages call one.
        hint: what may be the cause where a row has another number of columns.

    Raises:
        ReadError: no rows, a name twice or no names at all, or a row with another number of columns (it names the
            line).
    """
    first, header = rows[0]
    refuse_above("max_columns", len(header), f"{label}, {row} {first}")
    names = [(name or "").strip() for name in header]
    _check_header(label, names)
    if len(rows) < 2:
        raise ReadError(f"{label} has no rows below its header {quoted(', '.join(names))}.")
    for number, cells in rows:
        if not any(cells) and len(cells) < len(names):
            raise ReadError(
                f"{label}, {row} {number} is blank. A table has one row per segment: remove it, or fill it in."
            )
        if len(cells) != len(names):
            raise ReadError(
                f"{label}, {row} {number}: found {len(cells)} columns, but the header on {row} {first} has "
                f"{len(names)}. {hint}"
            )
    return names, [Record(number, dict(zip(names, cells, strict=True))) for number, cells in rows[1:]]


def _check_header(label: str, names: Sequence[str]) -> None:
    if len(names) == 1 and ";" in names[0]:
        raise ReadError(f"{label} looks separated by semicolons; save it with commas (.csv) or tabs (.tsv).")
    if len(names) == 1 and len(names[0].split()) > 2:
        raise ReadError(
            f"{label} has one column, called {quoted(names[0])}. If spaces separate its columns, save it with commas "
            "(.csv) or tabs (.tsv)."
        )
    texts = [name for name in names if len(name.split()) > 2]
    if texts and 2 * len(texts) >= len(names):
        raise ReadError(
            f"{label}, line 1: {quoted(texts[0])} looks like text, where the names of columns are expected. A table of "
            "texts begins with a row of names: source, ref, and the systems."
        )
    counts = Counter(names)
    for name in names:
        if name and _is_number(name):
            raise ReadError(
                f"{label}, line 1: {name!r} is a number, where the names of columns are expected. A table of texts "
                "begins with a row of names: source, ref, and the systems."
            )
        if counts[name] > 1:
            raise ReadError(f"{label}, line 1: the column name {name!r} stands there twice; names must differ.")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _csv_rows(file: File) -> tuple[Rows, tuple[Note, ...]]:
    text, notes = text_of(file)
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        rows = list(within_cells(file.label, ((reader.line_num, cells) for cells in reader)))
        while len(rows) > 1 and not rows[-1][1]:
            rows.pop()  # blank lines at the end hold no row
    except csv.Error as error:
        raise ReadError(f"{file.label}, line {reader.line_num}: not a valid CSV row ({error}).") from None
    return rows, notes


def claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return the tables at the top."""
    del alone
    return [
        placed
        for placed in files
        if placed.suffix in TABLE_SUFFIXES and not placed.folder and not placed.is_about_the_data
    ]


TABLE = Reader("a .tsv or .csv table: a column per text, or a row per output", when_alone(claims), parts)
