"""Files as bytes under a label; bytes go in, the lines, JSON or TOML that they hold come out, or one clear ReadError.

Before TOML is parsed one pass over the text bounds what parsing can cost: of a key of many dots, or of tables in
tables, the parser's time and memory grow with the square of its length.
"""

import json
import os
import re
import stat
import tomllib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path, PurePosixPath
from typing import Any

from mtsig.corpus import Note
from mtsig.errors import ReadError, said_by
from mtsig.limits import refuse_above
from mtsig.readers._archives import gunzipped, is_workbook, is_zip, members
from mtsig.readers._names import as_text, folders_of, shared_depth

_MAGIC = {
    b"PK\x03\x04": "a zip archive or an Office document, where plain text is needed: save it as plain text",
    b"%PDF": "a PDF: save its text as UTF-8, one segment per line",
    b"{\\rtf": "rich text (RTF): save it as plain text in UTF-8",
    b"\xd0\xcf\x11\xe0": "an old Office document (.doc, .xls): save it as plain text, or a table as .xlsx or .csv",
    b"\xff\xfe": "UTF-16 text: save it as UTF-8",
    b"\xfe\xff": "UTF-16 text: save it as UTF-8",
    **{
        magic: f"packed with {program}: unpack it, or pack it with gzip or as .zip"
        for magic, program in {
            **{b"BZh%d1AY&SY" % level: "bzip2" for level in range(1, 10)},
            b"\xfd7zXZ": "xz", b"\x28\xb5\x2f\xfd": "zstd", b"7z\xbc\xaf": "7-Zip", b"Rar!\x1a\x07": "RAR",
        }.items()
    },
}  # fmt: skip
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class File:
    """Bytes with a label. The label is what messages show; it is never used as a path.

    inside: where the file lies when the archive that it came from is unpacked in place.
    """

    label: str
    content: bytes | Path = field(repr=False)
    inside: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", as_text(self.label))

    @property
    def path(self) -> PurePosixPath:
        """Folder, name and suffix as they count for what the file is: without archives, and without .gz."""
        text = self.label if self.inside is None else self.inside
        path = PurePosixPath(text.replace(os.sep, "/"))  # Windows separates folders by backslashes, others by slashes
        return path.with_suffix("") if path.suffix.lower() == ".gz" and path.stem != path.name else path

    @property
    def place(self) -> Path | None:
        """Where it lies, whatever it is called; None for bytes."""
        if isinstance(self.content, bytes):
            return None
        try:
            return self.content.resolve()
        except (OSError, RuntimeError):  # links that lead round in a circle
            return self.content.absolute()

    @property
    def data(self) -> bytes:
        """The bytes, unpacked where they are a gzip file.

        Raises:
            ReadError: the file is missing, is a folder, may not be read, is too large, or is a damaged archive.
        """
        data = self.content if isinstance(self.content, bytes) else self._from_disk(self.content)
        refuse_above("max_bytes", len(data), self.label)
        return gunzipped(self.label, data) if data.startswith(b"\x1f\x8b") else data

    def _from_disk(self, path: Path) -> bytes:
        try:
            return bytes_of(path, self.label)
        except FileNotFoundError:
            raise ReadError(f"{self.label}: there is no such file.") from None
        except IsADirectoryError:
            raise ReadError(
                f"{self.label} is a folder; a file is needed here. For a whole folder use --data."
            ) from None
        except (OSError, ValueError) as error:
            raise ReadError(f"{self.label}: cannot be read ({getattr(error, 'strerror', None) or error}).") from None


_NO_FILES = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
"""What no file is, and may give bytes without end, or wait for ever for the first."""


def is_there(path: Path) -> bool:
    """Return whether there is such a file or folder; of one that may not be looked for, there is none to be read."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def refuse_no_file(mode: int, label: str) -> None:
    """Raise ReadError where the mode of a path is that of a pipe, a socket or a device."""
    kind = _NO_FILES.get(stat.S_IFMT(mode))
    if kind is not None:
        raise ReadError(f"{label} is {kind}, not a file. Save what it gives as a file, and name that.")


def bytes_of(path: Path, label: str) -> bytes:
    """Return the bytes of a file on disk; `label` is what messages call it.

    Raises:
        ReadError: it is no ordinary file, is too large, or grows while it is read.
        OSError: it is missing, is a folder, or may not be read.
    """
    about = path.stat()
    refuse_no_file(about.st_mode, label)
    refuse_above("max_bytes", about.st_size, label)
    with path.open("rb") as opened:
        data = opened.read(about.st_size + 1)
    if len(data) > about.st_size:
        raise ReadError(f"{label} grew while it was read. Read it again when nothing writes to it.")
    return data


@dataclass(frozen=True)
class Closed:
    """An archive that could not be opened, and why."""

    file: File
    problem: str


def opened(files: Sequence[File]) -> list[File | Closed]:
    """Return the files with every zip archive replaced by what it holds; one that cannot be opened is Closed.

    A file in an archive counts as lying beside the archive: systems.zip/a.txt is a.txt, and so is what lies in the one
    folder that was packed.
    """
    result: list[File | Closed] = []
    for file in files:
        if file.path.suffix.lower() != ".zip":
            result.append(file)
            continue
        try:
            result += _inside(file)
        except ReadError as error:
            result.append(Closed(file, str(error)))
    return result


def _inside(file: File) -> list[File]:
    data = file.data
    if not is_zip(data):
        raise ReadError(f"{file.label} is called a zip archive, but is none: its first bytes are {data[:4]!r}.")
    if is_workbook(data):
        raise ReadError(f"{file.label} is an Excel workbook: call it .xlsx.")
    held = [(PurePosixPath(name), content) for name, content in members(file.label, data)]
    depth = shared_depth([path for path, _ in held])
    return [
        File(f"{file.label}/{path}", content, str(file.path.parent.joinpath(*folders_of(path)[depth:], path.name)))
        for path, content in held
    ]


_HEAD = 2**20
"""Bytes by which a form is known before the file is read."""


def head_of(file: File) -> bytes:
    """Return how a file begins, unpacked; nothing where it cannot be read, which whoever reads it will say."""
    try:
        if isinstance(file.content, bytes):
            data = file.content[:_HEAD]
        else:
            refuse_no_file(file.content.stat().st_mode, file.label)
            with file.content.open("rb") as opened_file:
                data = opened_file.read(_HEAD)
        return zlib.decompressobj(31).decompress(data, _HEAD) if data.startswith(b"\x1f\x8b") else data
    except (OSError, ValueError, ReadError, zlib.error):
        return b""


def text_of(file: File) -> tuple[str, tuple[Note, ...]]:
    """Return the file's text, a byte-order mark taken off and noted.

    Raises:
        ReadError: the file is empty, binary, or not UTF-8 (it names the byte and the line).
    """
    data = file.data
    if not data:
        raise ReadError(f"{file.label} is empty (0 bytes); expected one segment per line.")
    for magic, what in _MAGIC.items():
        if data.startswith(magic):
            raise ReadError(f"{file.label} is {what}.")
    zero = data.find(b"\0")
    if zero >= 0:
        raise ReadError(_binary(file.label, data, zero))
    notes: tuple[Note, ...] = ()
    if data.startswith(_BYTE_ORDER_MARK):
        data = data[len(_BYTE_ORDER_MARK) :]
        if not data:
            raise ReadError(f"{file.label} is empty but for a byte-order mark; expected one segment per line.")
        notes = (Note("note", f"{file.label} began with a byte-order mark; it was taken off."),)
    try:
        return data.decode("utf-8"), notes
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        start = data.rfind(b"\n", 0, error.start) + 1
        raise ReadError(
            f"{file.label} is not valid UTF-8: line {line}, byte {error.start - start + 1} of the line is "
            f"0x{data[error.start]:02X}. Save the file as UTF-8."
        ) from None


def _binary(label: str, data: bytes, zero: int) -> str:
    """Return what is said of a file with a zero byte: every second byte of Latin letters in UTF-16 is one."""
    head = data[:1000]
    if len(head) >= 8 and 0.4 <= head.count(b"\0") / len(head) <= 0.6:
        return f"{label} looks like UTF-16 text without its mark: every other byte is zero. Save it as UTF-8."
    line = data.count(b"\n", 0, zero) + 1
    return (
        f"{label} looks binary: line {line} holds a zero byte (byte {zero}). Expected UTF-8 text: remove "
        "that byte, or leave the file out."
    )


def lines_of(file: File) -> tuple[tuple[str, ...], tuple[Note, ...]]:
    r"""Return the file's lines, split on "\n" only (U+2028 and its kin stand inside real segments).

    When every line ends in a carriage return, the file is a Windows one: they are taken off and noted.

    >>> from mtsig.readers import File, lines_of
    >>> lines_of(File("ours.txt", b"One line.\nAnother.\n"))[0]
    ('One line.', 'Another.')

    Raises:
        ReadError: as in `text_of`; or carriage returns are the only line ends.
    """
    text, notes = text_of(file)
    if "\n" not in text and "\r" in text[:-1]:
        raise ReadError(
            f"{file.label} has no newline, but {text.count(chr(13))} carriage returns: are these its line ends, as old "
            "Macs wrote them? Save it with newlines (LF)."
        )
    refuse_above("max_segments", text.count("\n"), file.label, what="lines")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if lines and all(line.endswith("\r") for line in lines):
        lines = [line[:-1] for line in lines]
        notes += (Note("note", f"{file.label} has Windows line ends; the carriage returns were taken off."),)
    elif some := sum(line.endswith("\r") for line in lines):
        text = f"{file.label}: {some} of {len(lines)} lines end in a carriage return, which was left as it is."
        notes += (Note("warning", text),)
    return tuple(lines), notes


MOST_DEPTH = 100
"""Lists and objects inside of each other: what is deeper no part of this program could go through."""

_STRING = re.compile(rb'"[^"]*+"?')
_OTHERS = bytes(set(range(256)) - set(b'"[]{}'))
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def json_of(text: str | bytes, label: str, line: int | None = None, **hooks: Any) -> Any:
    """Return what JSON text holds.

    Args:
        text: the text; as bytes in UTF-8.
        label: what messages call the file.
        line: the line of the file that the text is, where it is one.
        **hooks: those of `json.loads`; a ValueError of theirs says what is wrong.

    Raises:
        ReadError: it is no JSON, is nested too deeply, or holds a number that is too long.
    """
    if line is None and ("\n" if isinstance(text, str) else b"\n") not in text:  # type: ignore[operator]
        line = 1
    place = label if line is None else f"{label}, line {line}"
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig", "surrogatepass")
        _refuse_deep(text, place)
        return json.loads(text, parse_int=_whole_number, **hooks)
    except UnicodeDecodeError as error:
        raise ReadError(f"{label} is not valid UTF-8 (byte {error.start + 1}).") from None
    except json.JSONDecodeError as error:
        place = f"{label}, line {(line or 1) + error.lineno - 1}"
        raise ReadError(f"{place}: not valid JSON ({error.msg}, character {error.colno}).") from None
    except RecursionError:
        raise _too_deep(place) from None
    except ValueError as error:
        raise ReadError(f"{place}: not valid JSON ({error}).") from None


def _refuse_deep(text: str, place: str) -> None:
    """Refuse text that is nested deeper than MOST_DEPTH, without parsing it; short records are not looked through."""
    if text.count("[") + text.count("{") <= MOST_DEPTH:
        return
    data = text.encode("utf-8", "surrogatepass").replace(rb"\\", b"").replace(rb"\"", b"")
    bare = _STRING.sub(b"", data.translate(None, _OTHERS))
    if max(accumulate(map(_STEPS.__getitem__, bare)), default=0) > MOST_DEPTH:
        raise _too_deep(place)


def _too_deep(place: str) -> ReadError:
    return ReadError(f"{place}: JSON nested so deeply that nothing here reads it.")


def _whole_number(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:  # Python refuses to read so many
        raise ValueError(f"a number of {len(digits.lstrip('-')):,} digits") from None


MOST_BYTES = 100_000
"""No file that a person writes by hand is longer than this."""

DEEPEST = 10
"""Names in one key, or lists and tables inside of each other."""

MOST_KEYS = 5_000
"""Keys, and lists or tables, of one text."""

# An end that is missing is taken to be the end of the text: whatever is written, no place is looked at twice.
_TOML_TEXTS = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"""|\Z)'
    r"|'''.*?(?:'''|\Z)"
    r'|"(?:[^"\\\n]|\\.)*+"?'
    r"|'[^'\n]*+'?"
    r"|\#[^\n]*+",
    re.DOTALL,
)
_KEY = re.compile(r"[\w-]++(?:[ \t]*+\.[ \t]*+[\w-]++)*+")
_TOML_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


def toml_of(data: bytes | str, label: str) -> tuple[str, dict[str, Any]]:
    """Return TOML as text and what it holds; bytes are UTF-8. `label` is what messages call it.

    >>> toml_of('pairs = "all"', "the plan")
    ('pairs = "all"', {'pairs': 'all'})

    Raises:
        ReadError: it is no TOML, longer than MOST_BYTES, deeper than DEEPEST or has more than MOST_KEYS keys.
    """
    if len(data) > MOST_BYTES:
        raise ReadError(f"{label} has {len(data):,} bytes; a plan has a few lines (at most {MOST_BYTES:,} bytes).")
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ReadError(f"{label} is not valid UTF-8 (byte {error.start + 1}).") from None
    _refuse_costly(text, label)
    try:
        return text, tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        why = said_by(error, "it is nested too deeply, or a number has thousands of digits", 200)
        raise ReadError(f"{label} is not valid TOML: {why}.") from None


def _refuse_costly(text: str, label: str) -> None:
    """Refuse text that is nested deeply or has very many keys, without parsing it."""
    bare = _TOML_TEXTS.sub(lambda found: "" if found[0][0] == "#" else "_", text)
    depth = max(
        *accumulate(_TOML_STEPS.get(sign, 0) for sign in bare),
        *(1 + key[0].count(".") for key in _KEY.finditer(bare)),
        0,
        0,
    )
    if depth > DEEPEST:
        raise ReadError(
            f"{label} has keys of {depth:,} names, or so many lists and tables inside of each other; at most "
            f"{DEEPEST} are read."
        )
    keys = bare.count("=") + bare.count("[") + bare.count("{")
    if keys > MOST_KEYS:
        raise ReadError(f"{label} has {keys:,} keys, lists and tables; at most {MOST_KEYS:,} are read.")
