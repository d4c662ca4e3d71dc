"""Tables: a TSV or CSV file goes in, its named columns of text come out."""

import csv
import io

from mtsig.corpus import Note, quoted
from mtsig.errors import ReadError
from mtsig.readers.files import File, lines_of, text_of

TABLE_SUFFIXES = frozenset({".tsv", ".csv"})


def columns_of(file: File) -> tuple[dict[str, tuple[str, ...]], tuple[Note, ...]]:
    """Return column name -> cells, and what was noted on the way; the first row holds the names.

    A .tsv file is split on tabs and nothing else (quotation marks are text there); a .csv file follows RFC 4180.

    Raises:
        ReadError: no rows, a name twice, or a row with another number of columns (it names the line).
    """
    if file.path.suffix.lower() == ".csv":
        rows, notes = _csv_rows(file)
    else:
        lines, notes = lines_of(file)
        rows = [(number, line.split("\t")) for number, line in enumerate(lines, 1)]
    _, names = rows[0]
    names = [name.strip() for name in names]
    if len(names) == 1 and ";" in names[0]:
        raise ReadError(f"{file.label} looks separated by semicolons; save it with commas (.csv) or tabs (.tsv).")
    if len(rows) < 2:
        raise ReadError(f"{file.label} has no rows below its header {quoted(', '.join(names))}.")
    for name in names:
        if names.count(name) > 1:
            raise ReadError(f"{file.label}, line 1: the column name {name!r} stands there twice; names must differ.")
    for number, cells in rows:
        if len(cells) != len(names):
            raise ReadError(
                f"{file.label}, line {number}: found {len(cells)} columns, but the header on line 1 has {len(names)}. "
                "A tab inside a segment, or a missing cell?"
            )
    cells_by_column = zip(*(cells for _, cells in rows[1:]), strict=True)
    return dict(zip(names, map(tuple, cells_by_column), strict=True)), notes


def _csv_rows(file: File) -> tuple[list[tuple[int, list[str]]], tuple[Note, ...]]:
    text, notes = text_of(file)
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows = []
    try:
        for cells in reader:
            rows.append((reader.line_num, cells))
        while len(rows) > 1 and not rows[-1][1]:
            rows.pop()  # blank lines at the end hold no row
    except csv.Error as error:
        raise ReadError(f"{file.label}, line {reader.line_num}: not a valid CSV row ({error}).") from None
    return rows, notes
