"""Pages of a Parquet file: bytes go in, what they say that they unpack to comes out, before anything is unpacked.

The directory at the end of a file may say less than its pages do, and it is the pages that the library believes. Each
has a head before it, in Thrift's compact protocol (parquet-format, PageHeader).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

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
    """Yield the pages of one column in one group of rows, where the library will look for them.

    Raises:
        ValueError: what is there is no page.
    """
    at = column.data_page_offset
    if column.has_dictionary_page and 0 < (column.dictionary_page_offset or 0) < at:
        at = column.dictionary_page_offset
    end = at + column.total_compressed_size
    if not 0 <= at <= end <= len(data):
        raise ValueError("a column outside the file")
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
        raise ValueError("the head of a page is too deep")
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
    raise ValueError("the head of a page holds what none has")  # lists and maps


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
            raise ValueError("a number without end")
