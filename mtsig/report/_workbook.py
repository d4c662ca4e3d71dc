"""A document goes in, a workbook comes out as bytes: a sheet for every table, numbers as numbers, and the methods."""

import io
import re
import zipfile
from datetime import datetime
from math import isnan

from openpyxl import Workbook
from openpyxl.cell.cell import Cell as SheetCell
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from mtsig.report._document import Document
from mtsig.report._table import Cell, Column, Table, said

_NO_DATE = datetime(2000, 1, 1)
"""Stands where the format wants a date: a real one would make every run another file."""

_P = '[<0.0001]"< .0001";0.0000'
"""A p-value is never shown as zero."""


def workbook_of(document: Document) -> bytes:
    book = Workbook()
    book.remove(book.worksheets[0])
    for table in document.tables:
        _write(book.create_sheet(_sheet_name(table.title, book.sheetnames)), table)
    sheet = book.create_sheet("Methods")
    lines = [document.methods.text, "", *(note.text for note in document.notes)]
    for row, line in enumerate(lines, 1):
        _put(sheet, row, 1, line).alignment = Alignment(wrap_text=True, vertical="top")
    sheet.column_dimensions["A"].width = 120
    return _without_dates(book)


def _sheet_name(title: str, taken: list[str]) -> str:
    """Return a name that the format allows: up to 31 signs, no brackets, slashes, colons or wildcards, each once."""
    name = re.sub(r"[\[\]:*?/\\]", "-", printable(title))[:31].strip("'") or "Table"
    number = 2
    short = name
    while name.lower() in {other.lower() for other in taken}:
        name = f"{short[:27]} {number}"
        number += 1
    return name


def _write(sheet: Worksheet, table: Table) -> None:
    split = any(cell.beside for row in table.rows for cell in row)
    column = 1
    for position, name in enumerate(table.header):
        _put(sheet, 1, column, name).font = Font(bold=True)
        for row, cells in enumerate(table.rows, 2):
            _fill(sheet, row, column, cells[position], table.columns[position])
        column += 1
        if split and position:
            # A sheet can be sorted by score only where intervals and marks stand in columns of their own.
            _put(sheet, 1, column, f"{name}: interval").font = Font(bold=True)
            _put(sheet, 1, column + 1, f"{name}: mark").font = Font(bold=True)
            for row, cells in enumerate(table.rows, 2):
                _put(sheet, row, column, cells[position].beside)
                _put(sheet, row, column + 1, cells[position].mark)
            column += 2
    for number in range(1, column):
        sheet.column_dimensions[get_column_letter(number)].width = 22
    sheet.freeze_panes = "B2"
    _put(sheet, len(table.rows) + 3, 1, table.caption)


def _fill(sheet: Worksheet, row: int, column: int, cell: Cell, described: Column) -> None:
    # A number that does not exist is the word that stands for it.
    if isinstance(cell.value, int | float) and not isnan(cell.value):
        written = sheet.cell(row, column, cell.value)
        written.number_format = _number_format(described)
    else:
        written = _put(sheet, row, column, said(described, cell))
    if cell.bold:
        written.font = Font(bold=True)


def _number_format(column: Column) -> str:
    """Return how numbers are shown: with as many decimals as in the other documents."""
    if column.kind in ("score", "difference", "low end", "high end"):
        return f"0.{'0' * column.decimals}" if column.decimals else "0"
    return {"p": _P, "share": "0.0%"}.get(column.kind, "0")


def _put(sheet: Worksheet, row: int, column: int, text: str) -> SheetCell:
    """Write text as text: a name that begins with "=" is no formula."""
    cell = sheet.cell(row, column)
    cell.value = printable(text)
    cell.data_type = "s"
    return cell


_ILLEGAL = r"[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]"
_UNWRITTEN = re.compile(rf"{_ILLEGAL}|_(?=x[0-9A-Fa-f]{{4}}(?:_|{_ILLEGAL}))")
"""What XML cannot hold, or reads as something else; and what looks like the format's own escape, or will."""


def printable(text: str) -> str:
    """Return text with what the format cannot hold named in its own escape, _x0007_."""
    return _UNWRITTEN.sub(lambda match: f"_x{ord(match[0]):04X}_", text)


def _without_dates(book: Workbook) -> bytes:
    """Return the file with fixed dates inside: openpyxl writes the time of saving, whatever it is told."""
    book.properties.created = _NO_DATE
    saved, fixed = io.BytesIO(), io.BytesIO()
    book.save(saved)
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(fixed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in sorted(old.namelist()):
            data = old.read(name)
            if name == "docProps/core.xml":
                data = re.sub(rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>2000-01-01T00:00:00Z", data)
            entry = zipfile.ZipInfo(name, _NO_DATE.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(entry, data)
    return fixed.getvalue()
