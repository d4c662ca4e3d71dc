"""Parquet: a file goes in, the rows of its table come out; what its pages unpack to is known before they are unpacked.

The directory at the end of a file may say less than its pages do, and it is the pages that the library believes. Each
has a head before it, in Thrift's compact protocol (parquet-format, PageHeader).
"""

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from mtsig._limits import refuse_above
from mtsig.errors import ProgramError, ReadError, need, said_by
from mtsig.readers._files import LEAST_CELL, File, refuse_bomb, to_look_into

_UNPACKED, _PACKED = 2, 3
_COUNTED = (5, 7, 8)
"""Fields of a head: bytes unpacked and packed; and what the kinds of pages have, with the number of values first."""

_DEPTH = 8


@dataclass(frozen=True)
class Page:
    """What a page says of itself: bytes, and values with the places of those that are missing."""

    unpacked: int
    values: int


def pages_of(data: bytes, column: Any) -> Iterator[Page]:
    """Yield the pages of one column in one group of rows, where the library will look for them."""
    at = column.data_page_offset
    if column.has_dictionary_page and 0 < (column.dictionary_page_offset or 0) < at:
        at = column.dictionary_page_offset
    end = at + column.total_compressed_size
    if not 0 <= at <= end <= len(data):
        raise ValueError("a column beyond the end of the file")
    while at < end:
        head, at = _struct(data, at, 0)
        kinds = [kind for field in _COUNTED if isinstance(kind := head.get(field), dict)]
        sizes = [head.get(_UNPACKED), head.get(_PACKED), *(kind.get(1, 0) for kind in kinds)]
        if not all(isinstance(size, int) and size >= 0 for size in sizes):
            raise ValueError("a page without its size")
        yield Page(sizes[0], max(sizes[2:], default=0))
        at += sizes[1]


def _struct(data: bytes, at: int, depth: int) -> tuple[dict[int, Any], int]:
    """Return the whole numbers and structures of a structure, by their fields, and where it ends."""
    if depth > _DEPTH:
        raise ValueError("the header of a page is nested too deeply")
    found: dict[int, Any] = {}
    field = 0
    while (byte := data[at]) & 0x0F:
        at += 1
        if byte >> 4:
            field += byte >> 4
        else:
            field, at = _number(data, at)
        found[field], at = _value(data, at, byte & 0x0F, depth)
    return found, at + 1


def _value(data: bytes, at: int, kind: int, depth: int) -> tuple[Any, int]:
    if kind in (1, 2):  # true and false, which stand in the kind
        return None, at
    if kind == 3:
        return None, at + 1
    if kind in (4, 5, 6):
        return _number(data, at)
    if kind == 7:
        return None, at + 8
    if kind == 8:
        length, at = _unsigned(data, at)
        return None, at + length
    if kind == 12:
        return _struct(data, at, depth + 1)
    raise ValueError("an unknown field in the header of a page")  # lists and maps


def _number(data: bytes, at: int) -> tuple[int, int]:
    value, at = _unsigned(data, at)
    return (value >> 1) ^ -(value & 1), at


def _unsigned(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
        if shift > 63:
            raise ValueError("an endless number")


def rows_of(file: File, kept: Callable[[Any], Any] = lambda value: value, flat: bool = False) -> list[dict[str, Any]]:
    """Return the rows of a table, each a value for every column: as Python has them, nested ones as lists and dicts.

    kept: makes of a value what is kept of it, before the next rows are unpacked. flat: whether lists and dicts are left
    in the file, and stand as None.
    """
    data = file.data
    if data[:4] != b"PAR1":
        raise ReadError(
            f"{file.label} is not a Parquet table, despite its name: its first bytes are {data[:4]!r}. Write it "
            "again, or give it the suffix of what it is."
        )
    try:
        need("parquet")
    except ProgramError as error:
        raise ReadError(f"{file.label}: {error}") from None  # a fault of one file: what lies beside it is still read
    try:
        rows = _rows(file.label, data, kept, flat)
    except (ReadError, MemoryError):
        raise
    # A damaged table makes the library raise nearly anything.
    except Exception as error:
        said = said_by(error, "its parts do not fit together")
        raise ReadError(f"{file.label}: a damaged Parquet table ({said}). Copy it again.") from None
    if not rows:
        raise ReadError(f"{file.label} has no rows; expected one per segment. Write it again, or leave it out.")
    return rows


_MOST_PIECES = 20_000
"""Columns of all groups of rows together: each takes the library half a millisecond, however little it holds."""

_MOST_ROWS, _AT_ONCE = 10_000, 2**26
"""Rows that are taken at a time; fewer where so many bytes are made of less."""

_FEWEST = 100_000
"""Entries of one list in the directory: columns, nested ones too, and groups of rows."""

_LONGEST = 2**24
"""Bytes of one text in the directory: what other programs note of the table."""

_NAME = 10_000
"""Letters of the name of a column, with those that it lies in."""


def _rows(label: str, data: bytes, kept: Callable[[Any], Any], flat: bool) -> list[dict[str, Any]]:
    from pyarrow import parquet  # all here, because it takes long to load
    from pyarrow.types import is_nested

    few = {"thrift_container_size_limit": _FEWEST, "thrift_string_size_limit": _LONGEST}
    about = parquet.ParquetFile(io.BytesIO(data), **few).metadata
    refuse_above("max_columns", about.num_columns, label)
    longest = max((len(about.schema.column(column).path) for column in range(about.num_columns)), default=0)
    if longest > _NAME:
        raise ReadError(
            f"{label} has a column whose name has {longest:,} characters; at most {_NAME:,} are allowed. Rename it."
        )
    refuse_above("max_segments", about.num_rows, label, what="rows")
    refuse_above("max_cells", about.num_rows * about.num_columns, label)
    pieces = about.num_row_groups * about.num_columns
    if pieces > _MOST_PIECES:
        raise ReadError(
            f"{label} has {about.num_row_groups:,} groups of rows, with {pieces:,} columns in all; at most "
            f"{_MOST_PIECES:,} are allowed. Write it again with more rows in a group."
        )
    largest = _refuse_pages(label, data, about)
    # What is written once and used often is kept so until its size is known.
    often = {
        column.path_in_schema
        for column in _columns(about)
        if column.has_dictionary_page and column.physical_type == "BYTE_ARRAY"
    }
    opened = parquet.ParquetFile(io.BytesIO(data), metadata=about, read_dictionary=sorted(often), **few)
    fields = opened.schema_arrow
    own = [field.name for field in fields if not (flat and is_nested(field.type))]
    rows: list[dict[str, Any]] = []
    unpacked = 0
    most = max(1, min(_MOST_ROWS, _AT_ONCE // largest))
    # Group by group: over several, whose dictionaries differ, the library does not read nested columns in this way.
    groups = range(about.num_row_groups)
    for batch in chain.from_iterable(opened.iter_batches(most, row_groups=[g], columns=own) for g in groups):
        size = sum(_size(column) for column in batch.columns)
        unpacked += size
        refuse_bomb(label, unpacked, len(data), _INSTEAD)
        step = max(1, batch.num_rows * _AT_ONCE // max(size, _AT_ONCE))
        for begin in range(0, batch.num_rows, step):
            columns = [column.slice(begin, step) for column in batch.columns]
            whole = [column.dictionary_decode() if hasattr(column, "dictionary") else column for column in columns]
            for row in type(batch).from_arrays(whole, batch.schema.names).to_pylist():
                rows.append({name: kept(row.get(name)) for name in fields.names})
    return rows


_INSTEAD = "save it as .csv"


def _columns(about: Any) -> Iterator[Any]:
    for group in range(about.num_row_groups):
        of_group = about.row_group(group)
        yield from (of_group.column(column) for column in range(of_group.num_columns))


def _refuse_pages(label: str, data: bytes, about: Any) -> int:
    """Refuse a table whose pages say that they unpack to too much; return how many bytes to reckon with for one row.

    On average, or at most where a value says only by how much it differs from the one before, or has a fixed width.
    """
    widths = [about.schema.column(column).length for column in range(about.num_columns)]
    unpacked = cells = 0
    most = dict.fromkeys(range(about.num_columns), 1)
    for number, column in enumerate(_columns(about)):
        place = number % about.num_columns
        width = max(0, widths[place] or 0)
        for page in pages_of(data, column):
            unpacked += page.unpacked + page.values * max(width, LEAST_CELL)
            cells += page.values
            refuse_above("max_cells", cells, label)
            refuse_bomb(label, unpacked, len(data), _INSTEAD)
            if "DELTA_BYTE_ARRAY" in column.encodings:
                most[place] = max(most[place], page.unpacked)
        most[place] = max(most[place], width)
    return int(max(sum(most.values()), unpacked // max(about.num_rows, 1)))


def _size(array: Any) -> int:
    """Return the bytes that the values of a column come to, each one counted as often as it is used."""
    from pyarrow import compute, types

    size: int = len(array) * LEAST_CELL
    if types.is_dictionary(array.type) and not types.is_primitive(array.type.value_type):
        lengths = compute.binary_length(array.dictionary)
        return size + int(compute.sum(lengths.take(array.indices)).as_py() or 0)
    if types.is_struct(array.type):
        return size + sum(map(_size, array.flatten()))
    if types.is_map(array.type):
        return size + _size(array.keys) + _size(array.items)
    if types.is_nested(array.type):
        return size + _size(array.flatten())
    return size + int(array.nbytes)


def top_of(file: File) -> list[tuple[int, list[str]]]:
    """Return the names of a table's columns, and the least and the greatest value of each, as its directory has them.

    Where it says nothing of the values, their type stands for them.
    """
    try:
        need("parquet")
        from pyarrow import parquet, types

        with to_look_into(file) as stream:
            about = parquet.ParquetFile(
                stream, thrift_container_size_limit=_FEWEST, thrift_string_size_limit=_LONGEST
            ).metadata
            group = about.row_group(0)
            found = [group.column(at) for at in range(group.num_columns)]
            columns = {one.path_in_schema: one.statistics for one in found}
            names, least, most = [], [], []
            for one in about.schema.to_arrow_schema():
                said = columns.get(one.name)
                is_number = types.is_integer(one.type) or types.is_floating(one.type)
                values = ["0", "1"] if is_number else ["text", "text"]
                if types.is_nested(one.type) or (said is not None and said.null_count == group.num_rows):
                    values = ["", ""]
                elif said is not None and said.has_min_max:
                    values = [" ".join(str(value).split()) for value in (said.min, said.max)]
                names.append(one.name)
                least.append(values[0])
                most.append(values[1])
    except ProgramError as error:
        raise ReadError(f"{file.label}: {error}") from None
    except Exception as error:  # a damaged table makes the library raise nearly anything
        raise ReadError(
            f"{file.label}: a damaged Parquet table ({said_by(error, 'no directory')}). Copy it again."
        ) from None
    return [(1, names), (2, least), (3, most)]
