"""Messages between the server and its workers: pickled, each with its length before it.

The server draws everybody's pages meanwhile, and pickle holds the interpreter from a message's beginning to its end:
for texts of a million lines everybody would wait for seconds. So a message is read and written in pieces, and texts go
as a few long strings. Of texts that the other side has already, or that stand in a message twice, only the number goes.
"""

import pickle
import struct
from io import BytesIO
from time import sleep
from types import NoneType
from typing import IO, Any

HEAD = struct.Struct("<Q")
"""The length of what follows."""

Lines = tuple[str | None, ...]

_FEW_LINES = 64
"""Shorter texts go as they are."""

_AT_ONCE = 4096
"""Lines that one string has: less than a millisecond's work."""

_BETWEEN = "\0"


class Texts:
    """The texts that both sides of one piece of work have, by number."""

    def __init__(self) -> None:
        self.rows: list[Lines] = []
        self.numbers: dict[Lines, int] = {}

    def add(self, lines: Lines) -> Lines:
        """Give a text its number, where it has none yet."""
        self.numbers.setdefault(lines, len(self.rows))
        self.rows.append(lines)
        return lines

    def clear(self) -> None:
        """Let go of all of them: the work is done."""
        self.rows.clear()
        self.numbers.clear()


def put(stream: IO[bytes], message: object, texts: Texts) -> None:
    """Write one message."""
    body = _Pieces()
    _Pickler(body, texts).dump(message)
    stream.write(HEAD.pack(body.tell()))
    stream.write(body.getbuffer())
    stream.flush()


def get(stream: IO[bytes], texts: Texts) -> Any:
    """Read one message."""
    head = stream.read(HEAD.size)
    if len(head) < HEAD.size:
        raise EOFError
    (length,) = HEAD.unpack(head)
    body = stream.read(length)
    if len(body) < length:
        raise EOFError
    return _Unpickler(_Pieces(body), texts).load()


class _Pieces(BytesIO):
    """A body that pickle asks this class for, piece by piece; each time another thread may have its turn."""

    def read(self, size: int | None = -1) -> bytes:
        """Read a piece."""
        return super().read(size)

    def readline(self, size: int | None = -1) -> bytes:
        """Read a line."""
        return super().readline(size)

    def write(self, piece: Any) -> int:
        """Write a piece."""
        return super().write(piece)


class _Pickler(pickle.Pickler):
    def __init__(self, body: IO[bytes], texts: Texts) -> None:
        super().__init__(body, protocol=pickle.HIGHEST_PROTOCOL)
        self._texts = texts

    def persistent_id(self, thing: Any) -> Any:
        """Return what stands for a text; None for anything else."""
        if type(thing) is not tuple or len(thing) < _FEW_LINES or not set(map(type, thing)) <= {str, NoneType}:
            return None
        if thing in self._texts.numbers:
            return self._texts.numbers[thing]
        self._texts.add(thing)
        pieces = []
        for start in range(0, len(thing), _AT_ONCE):
            pieces.append(_joined(thing[start : start + _AT_ONCE]))
            sleep(0)  # whoever waits for a turn has it
        return pieces


class _Unpickler(pickle.Unpickler):
    def __init__(self, body: IO[bytes], texts: Texts) -> None:
        super().__init__(body)
        self._texts = texts

    def persistent_load(self, pid: Any) -> Lines:
        """Return the text that this stands for."""
        if isinstance(pid, int):
            return self._texts.rows[pid]
        lines: list[str | None] = []
        for piece in pid:
            lines.extend(piece.split(_BETWEEN) if isinstance(piece, str) else piece)
            sleep(0)
        return self._texts.add(tuple(lines))


def _joined(lines: Lines) -> str | list[str | None]:
    """Return lines as one string, or as they are where that could not be split into them again."""
    if None in lines:
        return list(lines)
    joined = _BETWEEN.join(lines)  # type: ignore[arg-type]
    return joined if joined.count(_BETWEEN) == len(lines) - 1 else list(lines)
