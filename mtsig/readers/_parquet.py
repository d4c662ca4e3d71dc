"""Parquet: a file goes in, the rows of its table come out; what its pages unpack to is known before they are unpacked.

The directory at the end of a file may say less than its pages do, and it is the pages that the library believes. Each
has a head before it. Both are in Thrift's compact protocol (parquet-format: FileMetaData, PageHeader), and read here as
the library reads them: a field that stands there as another type, or a number too large for its type, is none. The
library's own view of the directory ends the process where that is damaged.
"""

import io
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, BinaryIO

from mtsig._limits import refuse_above
from mtsig.errors import ProgramError, ReadError, need, said_by
from mtsig.readers._files import LEAST_CELL, File, refuse_bomb, to_look_into

_BYTES = {3: 1, 4: 2, 5: 4, 6: 8}
"""Bytes of whole numbers, by their kinds."""

_INT32, _INT64, _TEXT, _LIST, _STRUCT = 5, 6, 8, 9, 12
"""Kinds of fields; a field is known by its number and its kind."""

_UNPACKED, _PACKED = (2, _INT32), (3, _INT32)
_COUNTED = {(5, _STRUCT): (2, _INT32), (7, _STRUCT): (2, _INT32), (8, _STRUCT): (4, _INT32)}
"""Fields of a head: bytes unpacked and packed; and the kinds of pages, each with where its encoding is written."""

_VALUES = (1, _INT32)
_BY_DIFFERENCES = 7
"""The number of values of a page, and the encoding of texts by how each begins as the one before (DELTA_BYTE_ARRAY)."""

_GROUPS, _COLUMNS, _ABOUT = (4, _LIST), (1, _LIST), (3, _STRUCT)
_LENGTH, _PAGES, _DICTIONARY, _STATISTICS = (7, _INT64), (9, _INT64), (11, _INT64), (12, _STRUCT)
_ALL, _MISSING, _GREATEST, _LEAST = (5, _INT64), (3, _INT64), (5, _TEXT), (6, _TEXT)
"""Fields of the directory: what a column takes, where it begins, and what is said of its values."""

_DEPTH = 12

_MARK, _END = b"PAR1", 8

_MOST_SAID, _MOST_OF_HEAD = 3_000_000, 1_000
"""Values in the directory, and in the head of a page."""


@dataclass(frozen=True)
class Page:
    """What a page says of itself: bytes, values with the places of those that are missing, and how they are written."""

    unpacked: int
    values: int
    by_differences: bool


class Compact:
    """Structures in Thrift's compact protocol, read from a place on."""

    def __init__(self, data: bytes, at: int, most: int) -> None:
        self.data, self.at, self.left = data, at, most

    def struct(self, depth: int = 0) -> dict[tuple[int, int], Any]:
        """Return the fields of a structure, by their number and kind: numbers, texts, structures and lists of these."""
        if depth > _DEPTH:
            raise ValueError("its directory is nested too deeply")
        found: dict[tuple[int, int], Any] = {}
        field = 0
        while (byte := self._byte()) & 0x0F:
            field = field + (byte >> 4) if byte >> 4 else self._number(4)
            if not 0 <= field < 2**15:
                raise ValueError("a field without a number")
            found[field, byte & 0x0F] = self._value(byte & 0x0F, depth)
        return found

    def _value(self, kind: int, depth: int) -> Any:
        self.left -= 1
        if self.left < 0:
            raise ValueError("its directory has too many parts")
        if kind in _BYTES:
            return self._byte() if kind == 3 else self._number(kind)
        if kind in (1, 2):  # true and false, which stand in the kind
            return None
        if kind == 7:
            return self._text(8)
        if kind == _TEXT:
            return self._text(self._unsigned())
        if kind == _STRUCT:
            return self.struct(depth + 1)
        if kind in (_LIST, 10):
            byte = self._byte()
            size = byte >> 4 if byte >> 4 < 15 else self._unsigned()
            inner = byte & 0x0F
            return [self._value(3 if inner in (1, 2) else inner, depth + 1) for _ in range(size)]
        raise ValueError("an unknown field in its directory")  # maps, which Parquet has none of

    def _byte(self) -> int:
        byte = self.data[self.at]
        self.at += 1
        return byte

    def _text(self, length: int) -> bytes:
        self.at += length
        if self.at > len(self.data):
            raise ValueError("a text beyond the end of its directory")
        return self.data[self.at - length : self.at]

    def _number(self, kind: int) -> int:
        value = self._unsigned()
        if value >> 8 * _BYTES[kind]:
            raise ValueError("a number too large for its place")
        return (value >> 1) ^ -(value & 1)

    def _unsigned(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
            if shift > 63:
                raise ValueError("an endless number")


def directory_of(stream: BinaryIO) -> bytes:
    """Return the end of a file: its directory, with the length and the mark behind it."""
    stream.seek(-_END, io.SEEK_END)
    length = int.from_bytes(stream.read(4), "little")
    stream.seek(-_END - length, io.SEEK_END)
    return stream.read(length + _END)


def columns_of(directory: bytes, columns: int) -> list[list[dict[tuple[int, int], Any]]]:
    """Return what the directory of a file says of every column, in each group of rows."""
    groups = Compact(directory[:-_END], 0, _MOST_SAID).struct().get(_GROUPS, [])
    found = [[column[_ABOUT] for column in group[_COLUMNS]] for group in groups]
    if any(len(group) != columns for group in found):
        raise ValueError("a group of rows without all columns")
    return found


def pages_of(data: bytes, column: dict[tuple[int, int], Any]) -> Iterator[Page]:
    """Yield the pages of one column in one group of rows, where the library will look for them."""
    at = column[_PAGES]
    if 0 < column.get(_DICTIONARY, 0) < at:
        at = column[_DICTIONARY]
    end = at + column[_LENGTH]
    if not 0 <= at <= end <= len(data):
        raise ValueError("a column beyond the end of the file")
    while at < end:
        read = Compact(data, at, _MOST_OF_HEAD)
        head = read.struct()
        kinds = [(head[field], encoding) for field, encoding in _COUNTED.items() if field in head]
        sizes = [head[_UNPACKED], head[_PACKED], *(kind[_VALUES] for kind, _ in kinds)]
        if min(sizes) < 0:
            raise ValueError("a page without its size")
        differs = any(kind.get(encoding) == _BY_DIFFERENCES for kind, encoding in kinds)
        yield Page(sizes[0], max(sizes[2:], default=0), differs)
        at = read.at + sizes[1]


def rows_of(file: File, kept: Callable[[Any], Any] = lambda value: value, flat: bool = False) -> list[dict[str, Any]]:
    """Return the rows of a table, each a value for every column: as Python has them, nested ones as lists and dicts.

    kept: makes of a value what is kept of it, before the next rows are unpacked. flat: whether lists and dicts are left
    in the file, and stand as None.
    """
    data = file.data
    if data[:4] != _MARK:
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
    columns = columns_of(directory_of(io.BytesIO(data)), about.num_columns)
    largest = _refuse_pages(label, data, about, columns)
    # What is written once and used often is kept so until its size is known.
    often = {
        known.path
        for group in columns
        for known, column in zip(map(about.schema.column, range(about.num_columns)), group, strict=True)
        if _DICTIONARY in column and known.physical_type == "BYTE_ARRAY"
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
            parts = [column.slice(begin, step) for column in batch.columns]
            whole = [part.dictionary_decode() if hasattr(part, "dictionary") else part for part in parts]
            for row in type(batch).from_arrays(whole, batch.schema.names).to_pylist():
                rows.append({name: kept(row.get(name)) for name in fields.names})
    return rows


_INSTEAD = "save it as .csv"


def _refuse_pages(label: str, data: bytes, about: Any, columns: list[list[dict[tuple[int, int], Any]]]) -> int:
    """Refuse a table whose pages say that they unpack to too much; return how many bytes to reckon with for one row.

    On average, or at most where a value says only by how much it differs from the one before, or has a fixed width.
    """
    widths = [max(0, about.schema.column(column).length or 0) for column in range(about.num_columns)]
    unpacked = cells = 0
    most = [max(1, width) for width in widths]
    for group in columns:
        for place, column in enumerate(group):
            for page in pages_of(data, column):
                unpacked += page.unpacked + page.values * max(widths[place], LEAST_CELL)
                cells += page.values
                refuse_above("max_cells", cells, label)
                refuse_bomb(label, unpacked, len(data), _INSTEAD)
                if page.by_differences:
                    most[place] = max(most[place], page.unpacked)
    return int(max(sum(most), unpacked // max(about.num_rows, 1)))


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
            end = directory_of(stream)
            about = parquet.ParquetFile(
                io.BytesIO(_MARK + end), thrift_container_size_limit=_FEWEST, thrift_string_size_limit=_LONGEST
            ).metadata
            columns = zip(
                map(about.schema.column, range(about.num_columns)), columns_of(end, about.num_columns)[0], strict=True
            )
            said = {known.path: (known.physical_type, own) for known, own in columns}
            names, least, most = [], [], []
            for one in about.schema.to_arrow_schema():
                kind, own = said.get(one.name, ("", {}))
                values = own.get(_STATISTICS, {})
                is_number = types.is_integer(one.type) or types.is_floating(one.type)
                shown = ["0", "1"] if is_number else ["text", "text"]
                if types.is_nested(one.type) or (_MISSING in values and values[_MISSING] == own.get(_ALL)):
                    shown = ["", ""]
                elif _LEAST in values and _GREATEST in values and (is_number or kind == "BYTE_ARRAY"):
                    shown = [_shown(values[field], kind) for field in (_LEAST, _GREATEST)]
                names.append(one.name)
                least.append(shown[0])
                most.append(shown[1])
    except ProgramError as error:
        raise ReadError(f"{file.label}: {error}") from None
    except Exception as error:  # a damaged table makes the library raise nearly anything
        raise ReadError(
            f"{file.label}: a damaged Parquet table ({said_by(error, 'no directory')}). Copy it again."
        ) from None
    return [(1, names), (2, least), (3, most)]


_FORMS = {"INT32": "<i", "INT64": "<q", "FLOAT": "<f", "DOUBLE": "<d"}


def _shown(value: bytes, kind: str) -> str:
    """Return a value of the directory as text on one line."""
    if kind in _FORMS:
        return str(struct.unpack(_FORMS[kind], value)[0])
    return " ".join(value.decode("utf-8", "replace").split())
