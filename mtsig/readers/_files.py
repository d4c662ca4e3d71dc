"""Files as bytes with a label: read their lines, JSON or TOML, or raise one clear ReadError.

Before TOML is parsed, one pass over the text bounds the cost of parsing: for a key of many dots or for nested tables,
the parser's time and memory grow with the square of the length. Archives are unpacked in memory, within bounds. Names
inside an archive are labels: they determine the role of a text and appear in messages, but are never paths.
"""

import codecs
import gzip
import io
import json
import os
import re
import stat
import struct
import tomllib
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, NamedTuple, TypeAlias

from mtsig._limits import refuse_above
from mtsig._writing import as_input
from mtsig.corpus import Note
from mtsig.corpus._notes import quoted
from mtsig.errors import ProgramError, ReadError, need, said_by
from mtsig.readers._names import REFUSED, as_text, folders_of, shared_depth, suffix_of

_MAGIC = {
    b"PK\x03\x04": "a zip archive or an Office document instead of plain text: save it as plain text",
    b"%PDF": REFUSED[".pdf"],
    b"version https://git-lfs.": "a Git LFS pointer, not the file itself: fetch the file with git lfs pull",
    b"{\\rtf": "rich text (RTF): save it as plain text in UTF-8",
    b"\xd0\xcf\x11\xe0": "an old Office document (.doc, .xls): save it as plain text, or a table as .xlsx or .csv",
    codecs.BOM_UTF32_LE: "UTF-32 text: save it as UTF-8",
    codecs.BOM_UTF16_LE: "damaged UTF-16 text: save it as UTF-8",
    codecs.BOM_UTF16_BE: "damaged UTF-16 text: save it as UTF-8",
    **{
        magic: f"packed with {program}: unpack it, or pack it with gzip or as .zip"
        for magic, program in {
            **{b"BZh%d1AY&SY" % level: "bzip2" for level in range(1, 10)},
            b"\xfd7zXZ": "xz", b"\x28\xb5\x2f\xfd": "zstd", b"7z\xbc\xaf": "7-Zip", b"Rar!\x1a\x07": "RAR",
            b"\x04\x22\x4d\x18": "LZ4", b"\x1f\x9d": "compress (.Z)",
        }.items()
    },
}  # fmt: skip
_BYTE_ORDER_MARK, _UTF_16 = codecs.BOM_UTF8, (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


_SAME = {**dict.fromkeys((".ndjson", ".jsonlines", ".ldjson", ".jl"), ".jsonl"), ".tab": ".tsv"}
"""Suffixes that mean the same as another."""


@dataclass(frozen=True)
class File:
    """Bytes with a label. The label appears in messages; it is never used as a path.

    inside: location of the file if its archive is unpacked in place.
    """

    label: str
    content: bytes | Path = field(repr=False)
    inside: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", as_text(self.label))

    @property
    def path(self) -> PurePosixPath:
        """Folder, name and suffix by which the file's form is recognized: without archives, and without .gz."""
        text = self.label if self.inside is None else self.inside
        path = PurePosixPath(text.replace(os.sep, "/"))  # Windows separates folders by backslashes, others by slashes
        path = path.with_suffix("") if path.suffix.lower() == ".gz" and path.stem != path.name else path
        same = _SAME.get(path.suffix.lower())
        return path if same is None else path.with_suffix(same)

    @property
    def place(self) -> Path | None:
        """Location of the file, whatever its label is; None for bytes."""
        if isinstance(self.content, bytes):
            return None
        try:
            return self.content.resolve()
        except (OSError, RuntimeError):  # links that lead round in a circle
            return self.content.absolute()

    @property
    def data(self) -> bytes:
        """The bytes of the file, unpacked if it is a gzip file.

        Raises
        ------
        ReadError
            The file is missing, a folder, not readable, too large, or a damaged archive.
        """
        of_folder = "For a whole folder, use --data."
        data = (
            self.content if isinstance(self.content, bytes) else bytes_at(self.content, "", self.label, of_folder, True)
        )
        refuse_above("max_bytes", len(data), self.label)
        return gunzipped(self.label, data) if data.startswith(b"\x1f\x8b") else data


_NO_FILES = {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}
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
        raise ReadError(f"{label} is {kind}, not a file. Save its contents as a file, and name that file.")


def to_read(path: Path, label: str, of_many: bool = False) -> BinaryIO:
    """Return the bytes of a file on disk as a stream; raise OSError where the first is still to come.

    The system's own files, such as its log, are called files, and wait for ever like a pipe.
    """
    refuse_no_file(path.stat().st_mode, label)
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        os.read(descriptor, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)
        as_input(path, of_many)
        return os.fdopen(descriptor, "rb")
    except OSError:
        os.close(descriptor)
        raise


def bytes_of(path: Path, label: str, of_many: bool = False) -> bytes:
    """Return the bytes of a file on disk; `label` is what messages call it, `of_many` as in `to_read`."""
    about = path.stat()
    refuse_above("max_bytes", about.st_size, label)
    with to_read(path, label, of_many) as opened:
        data = opened.read(about.st_size + 1)
    if len(data) > about.st_size:
        raise ReadError(f"{label} grew while it was read. Read it again when no program writes to it any more.")
    return data


def bytes_at(path: str | Path, made: str, label: str = "", of_folder: str = "", of_many: bool = False) -> bytes:
    """Return the bytes of a file on disk, or raise ReadError.

    made: how such a file is made. label: what messages call it. of_folder: what to do where it is a folder.
    """
    label = label or str(path)
    try:
        return bytes_of(Path(path), label, of_many)
    except FileNotFoundError:
        raise ReadError(f"{label}: there is no such file. {made}".strip()) from None
    except IsADirectoryError:
        raise ReadError(f"{label} is a folder, but a file is needed here. {of_folder or made}") from None
    except (OSError, ValueError) as error:
        raise ReadError(
            f"{label}: cannot be read ({getattr(error, 'strerror', None) or error}). Give "
            "another file, or make this one readable."
        ) from None


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
        raise ReadError(
            f"{file.label} is named like a zip archive, but is not one: its first bytes are {data[:4]!r}. Give it "
            "the suffix of what it is, or pack it again."
        )
    if is_workbook(data):
        raise ReadError(f"{file.label} is an Excel workbook. Rename it to .xlsx.")
    held = [(PurePosixPath(name), content) for name, content in members(file.label, data)]
    depth = shared_depth([path for path, _ in held])
    return [
        File(f"{file.label}/{path}", content, str(file.path.parent.joinpath(*folders_of(path)[depth:], path.name)))
        for path, content in held
    ]


HEAD = 2**16
"""Bytes by which a form is known before the file is read."""


class Head(NamedTuple):
    """How a file begins, unpacked, and whether that is all of it."""

    data: bytes
    whole: bool


def to_look_into(file: File) -> BinaryIO:
    """Return the file's bytes as a stream, of which no more is read than is asked for."""
    if isinstance(file.content, bytes):
        return io.BytesIO(file.content)
    return to_read(file.content, file.label, of_many=True)


def head_of(file: File) -> Head:
    """Return how a file begins; nothing where it cannot be read, which whoever reads it will say."""
    try:
        with to_look_into(file) as stream:
            data = stream.read(HEAD)
            whole = len(data) < HEAD
        if data.startswith(b"\x1f\x8b"):
            unpacking = zlib.decompressobj(31)
            data = unpacking.decompress(data, HEAD)
            whole = unpacking.eof
        # A cut may fall inside of a character.
        return Head(in_utf8(data[: len(data) // 2 * 2]) if data.startswith(_UTF_16) else data, whole)
    except (OSError, ValueError, ReadError, zlib.error):
        return Head(b"", True)


def in_utf8(data: bytes) -> bytes:
    """Return UTF-16 text that begins with its byte-order mark in UTF-8, with the mark; anything else as it is."""
    if data.startswith(_UTF_16) and not data.startswith(codecs.BOM_UTF32_LE):
        try:
            return data.decode("utf-16").encode("utf-8-sig")
        except UnicodeError:  # what is none is refused as what it says it is
            return data
    return data


def text_of(file: File) -> tuple[str, tuple[Note, ...]]:
    """Return the file's text, a byte-order mark taken off and noted."""
    data = in_utf8(file.data)
    if not data:
        raise ReadError(
            f"{file.label} is empty (0 bytes); expected one segment per line. Write it again, or leave it out."
        )
    for magic, what in _MAGIC.items():
        if data.startswith(magic):
            raise ReadError(f"{file.label} is {REFUSED.get(suffix_of(file.path), what)}.")
    zero = data.find(b"\0")
    if zero >= 0:
        raise ReadError(_binary(file.label, data, zero))
    notes: tuple[Note, ...] = ()
    if data.startswith(_BYTE_ORDER_MARK):
        data = data[len(_BYTE_ORDER_MARK) :]
        if not data:
            raise ReadError(
                f"{file.label} contains only a byte-order mark; expected one segment per line. Write it again, or "
                "leave it out."
            )
        notes = (Note("note", f"{file.label} began with a byte-order mark, which was removed."),)
    try:
        return data.decode("utf-8"), notes
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        start = data.rfind(b"\n", 0, error.start) + 1
        raise ReadError(
            f"{file.label} is not valid UTF-8: line {line}, byte {error.start - start + 1} of the line is "
            f"0x{data[error.start]:02X}. Save the file as UTF-8."
        ) from None


_CODINGS = {"utf-8": "", "utf-32-le": "UTF-32", "utf-32-be": "UTF-32", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}
_CONTROLS = re.compile(r"[\0-\x08\x0e-\x1f\ufffe\uffff]")


def _binary(label: str, data: bytes, zero: int) -> str:
    """Return what is said of a file with a zero byte, as every end of a line in UTF-16 has one."""
    head = data[:HEAD]
    few = 4 * head.count(b"\0") < len(head)
    for coding, called in _CODINGS.items():
        with suppress(UnicodeDecodeError):
            # A cut character is left out; a zero or two among plain signs are no other coding.
            text = codecs.getincrementaldecoder(coding)().decode(head if called else head.replace(b"\0", b""))
            if re.search("[\n\r]", text) and not _CONTROLS.search(text) and (called or few):
                if called:
                    return f"{label} looks like {called} text without a byte-order mark. Save it as UTF-8."
                break
    line = data.count(b"\n", 0, zero) + 1
    return (
        f"{label} looks binary: line {line} holds a zero byte (byte {zero}). Expected UTF-8 text: remove "
        "that byte, or leave the file out."
    )


def lines_of(file: File) -> tuple[tuple[str, ...], tuple[Note, ...]]:
    r"""Split the file into lines at "\n" only: U+2028 occurs inside segments.

    If every line ends in a carriage return, as in Windows files, these are removed, and a note says so.

    Raises
    ------
    ReadError
        The file cannot be read as text (see `text_of`), or carriage returns are its only line ends.

    Examples
    --------
    >>> from mtsig.readers import File, lines_of
    >>> lines_of(File("ours.txt", b"One line.\nAnother.\n"))[0]
    ('One line.', 'Another.')
    """
    text, notes = text_of(file)
    if "\n" not in text and "\r" in text[:-1]:
        raise ReadError(
            f"{file.label} has no newline, but {text.count(chr(13))} carriage returns. Are these the line ends, as on "
            "old Macs? Save it with newlines (LF)."
        )
    refuse_above("max_segments", text.count("\n"), file.label, what="lines")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if lines and all(line.endswith("\r") for line in lines):
        lines = [line[:-1] for line in lines]
        notes += (Note("note", f"{file.label} has Windows line ends; the carriage returns were removed."),)
    elif some := sum(line.endswith("\r") for line in lines) if "\r" in text else 0:
        text = f"{file.label}: {some} of {len(lines)} lines end in a carriage return, which was kept."
        notes += (Note("warning", text),)
    return tuple(lines), notes


MOST_DEPTH = 100
"""Lists and objects inside of each other: what is deeper no part of this program could go through."""

_STRING = re.compile(rb'"[^"]*+"?')
_OTHERS = bytes(set(range(256)) - set(b'"[]{}'))
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def json_of(text: str | bytes, label: str, line: int | None = None, **hooks: Any) -> Any:
    """Return what JSON text holds.

    line: the line of the file that the text is, where it is one. hooks: those of `json.loads`; a ValueError of theirs
    says what is wrong.
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
        raise ReadError(f"{label} is not valid UTF-8 (byte {error.start + 1}). Save it as UTF-8.") from None
    except json.JSONDecodeError as error:
        place = f"{label}, line {(line or 1) + error.lineno - 1}"
        raise ReadError(
            f"{place}: not valid JSON ({error.msg}, character {error.colno}). Correct it there, "
            "or write the file again."
        ) from None
    except RecursionError:
        raise _too_deep(place) from None
    except ValueError as error:
        raise ReadError(f"{place}: not valid JSON ({error}). Correct it, or write the file again.") from None


Object: TypeAlias = Mapping[str, Any]


def json_in(file: File) -> tuple[dict[str, Any] | list[tuple[int, Any]], tuple[Note, ...]]:
    """Return the object that a file of JSON is, or the values that it lists, each with its line or number; and notes.

    Many programs call lists and JSON lines .json. NaN and Infinity, which Python writes although JSON does not know
    them, are None.
    """
    text, notes = text_of(file)
    first, _, rest = text.strip().partition("\n")
    if first[:1] == "<":
        raise ReadError(f"{file.label} is a web page or XML, not JSON. Did the download fail? Download it again.")
    are_lines = first.startswith("{") and first.rstrip().endswith("}") and rest.lstrip().startswith("{")
    if file.path.suffix.lower() == ".jsonl":
        are_lines = rest.strip() != "" or not first.startswith("[")
    if not are_lines:
        content = json_of(text, file.label, object_pairs_hook=unique, parse_constant=nothing)
        if isinstance(content, dict):
            return content, notes
        if not isinstance(content, list) or not content:
            found = "an empty list" if content == [] else f"{quoted(content)}, not texts"
            raise ReadError(
                f"{file.label} contains {found}. Expected a list of objects, one per segment. Write it again."
            )
        return list(enumerate(content, 1)), notes
    lines, notes = lines_of(file)
    if lines[0].strip() in {"{", "[{"} and len(lines) > 1:
        raise ReadError(f"{file.label}, line 1: the object continues on the next line. Write each object on one line.")
    hooks = {"object_pairs_hook": unique, "parse_constant": nothing}
    objects = [(number, json_of(line, file.label, number, **hooks)) for number, line in enumerate(lines, 1)
               if line.strip()]  # fmt: skip
    if not objects:
        raise ReadError(f"{file.label} contains no object; expected one per segment. Write it again, or leave it out.")
    are_texts = all(isinstance(value, str) for _, value in objects)
    return objects if are_texts else objects_in(file.label, objects, "line"), notes


def objects_in(label: str, values: Sequence[tuple[int, Any]], what: str = "item") -> list[tuple[int, Object]]:
    """Return numbered values, which are objects."""
    for number, value in values:
        if not isinstance(value, dict):
            raise ReadError(
                f"{label}, {what} {number}: expected an object {{…}}, found {quoted(value)}. Write each segment as "
                "an object with its texts."
            )
    return list(values)


def objects_of(file: File) -> tuple[list[tuple[int, Object]], tuple[Note, ...]]:
    """Return the objects of a file, each with its line, or its number in a list, and what was noted."""
    content, notes = json_in(file)
    if isinstance(content, dict):
        raise ReadError(
            f"{file.label} contains one object, but a list of objects is expected. Give one object per segment."
        )
    return objects_in(file.label, content), notes


def nothing(_: str) -> None:
    """Return nothing for NaN and Infinity, for `json.loads`."""


def unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of these names and values, for `json.loads`; a ValueError where a name stands twice."""
    values = dict(pairs)
    if len(values) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise ValueError(f"the name {twice!r} occurs twice in one object")
    return values


def _refuse_deep(text: str, place: str) -> None:
    """Refuse text that is nested deeper than MOST_DEPTH, without parsing it; short records are not looked through."""
    if text.count("[") + text.count("{") <= MOST_DEPTH:
        return
    data = text.encode("utf-8", "surrogatepass").replace(rb"\\", b"").replace(rb"\"", b"")
    bare = _STRING.sub(b"", data.translate(None, _OTHERS))
    if max(accumulate(map(_STEPS.__getitem__, bare)), default=0) > MOST_DEPTH:
        raise _too_deep(place)


def _too_deep(place: str) -> ReadError:
    return ReadError(
        f"{place}: this JSON is nested too deeply to be read (more than {MOST_DEPTH} levels). Save its texts without "
        "what surrounds them."
    )


def _whole_number(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"a number of {len(digits.lstrip('-')):,} digits")
    return int(digits)


_MOST_DIGITS = 300
"""Python turns no longer numbers into fractions, and refuses to read those of thousands."""


MOST_BYTES = 100_000
"""No file that a person writes by hand is longer than this."""

DEEPEST = 10
"""Names in one key, or lists and tables inside of each other."""

MOST_KEYS = 5_000
"""Keys, and lists or tables, of one text."""

# An end that is missing is taken to be the end of the text: whatever is written, no place is looked at twice. Two more
# quotes at the end belong to a text of several lines, and only there may a backslash stand before the end of a line.
_TOML_TEXTS = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"{3,5}|\Z)'
    r"|'''.*?(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|\#[^\n]*+",
    re.DOTALL,
)
_KEY = re.compile(r"[\w-]++(?:[ \t]*+\.[ \t]*+[\w-]++)*+")
_TOML_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


def toml_of(data: bytes | str, label: str) -> tuple[str, dict[str, Any]]:
    """Return TOML as text and what it holds; bytes are UTF-8. `label` is what messages call it."""
    if len(data) > MOST_BYTES:
        raise ReadError(
            f"{label} has {len(data):,} bytes; a plan may have at most {MOST_BYTES:,} bytes. Shorten it, or "
            "name the plan."
        )
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ReadError(f"{label} is not valid UTF-8 (byte {error.start + 1}). Save it as UTF-8.") from None
    _refuse_costly(text, label)
    try:
        return text, tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        why = said_by(error, "it is nested too deeply, or a number has thousands of digits", 200)
        raise ReadError(f"{label} is not valid TOML: {why}. Correct it there.") from None


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
            f"{label} is nested too deeply ({depth:,} levels of keys, lists and tables; at most {DEEPEST} are "
            "allowed). Write it flatter."
        )
    keys = bare.count("=") + bare.count("[") + bare.count("{")
    if keys > MOST_KEYS:
        raise ReadError(f"{label} has {keys:,} keys, lists and tables; at most {MOST_KEYS:,} are allowed. Shorten it.")


MOST_MEMBERS = 10_000
"""Files that one archive may hold."""

LONGEST_NAME, DEEPEST_PLACE, MOST_NAMES = 1_000, 50, 2_000_000
"""Characters of a file's name in an archive, its folders, and characters of all names: each is compared with others."""

MOST_RATIO = 200
"""Unpacked over packed bytes: text packs three- to tenfold, repetitive tables sixtyfold, bombs a thousandfold."""

LEAST_CELL, LEAST_LINE = 16, 64
"""Bytes that a cell, and a line, counts for beside its own, also where it is packed into nothing.

A line may be a segment, which every metric counts.
"""

_ANY_RATIO = 16 * 2**20
"""Up to this size any ratio is harmless: a short file of equal lines packs very well."""

_MOST_SAID = 100
"""Characters of another library's message: some quote the file's bytes without end."""

_CHUNK = 2**20
_PADDING = bytes(2**10)
_COMMON_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_ZSTD = 93
_LOCAL = struct.Struct("<4s5H3L2H")
"""What stands before the content of a file in an archive, up to the lengths of its name and of what is added."""
_ENCRYPTED = 0x1


def gunzipped(label: str, data: bytes) -> bytes:
    """Return what a gzip file holds."""
    pieces: list[bytes] = []
    total = 0
    if data.endswith(_PADDING):  # which Python looks through byte by byte; the last length may end in zeros, too
        data = data.rstrip(b"\0") + _PADDING
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            while piece := packed.read(_CHUNK):
                total += len(piece)
                refuse_bomb(label, total, len(data))
                pieces.append(piece)
    except EOFError:
        raise ReadError(f"{label}: the gzip file is incomplete. Copy it again.") from None
    except (OSError, zlib.error) as error:
        raise ReadError(f"{label}: a damaged gzip file ({_short(error)}). Copy it again.") from None
    content = b"".join(pieces)
    refuse_bomb(label, total + LEAST_LINE * content.count(b"\n"), len(data))
    if content.startswith(b"\x1f\x8b"):
        raise ReadError(f"{label} is packed twice: the gzip file contains another one. Unpack it once.")
    if content[257:262] == b"ustar":
        raise ReadError(f"{label} is a tar archive. Unpack it and give the folder, or pack the folder as .zip.")
    return content


def members(label: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of every file in a zip archive, folders and the system's own files (__MACOSX/) left out."""
    archive, entries = _directory(label, data)
    for entry in entries:
        # Some programs on Windows write backslashes, which zip does not know.
        name = entry.filename if "/" in entry.filename else entry.filename.replace("\\", "/")
        yield _printable(name), _content(label, data, archive, entry)


def check_sizes(label: str, data: bytes) -> None:
    """Check what a zip archive says that it unpacks to, before anything in it is unpacked."""
    _directory(label, data)


def _directory(label: str, data: bytes) -> tuple[zipfile.ZipFile, list[zipfile.ZipInfo]]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, EOFError, struct.error) as error:
        what = "Excel workbook" if label.lower().endswith(".xlsx") else "zip archive"
        raise ReadError(f"{label}: a damaged {what} ({_short(error)}). Copy it again.") from None
    names = [(entry, entry.filename) for entry in archive.infolist()]
    entries = [entry for entry, name in names if not name.endswith("/") and not name.startswith("__MACOSX/")]
    if len(entries) > MOST_MEMBERS:
        raise ReadError(
            f"{label} contains {len(entries)} files; at most {MOST_MEMBERS:,} are allowed in "
            "an archive. Pack the files of one test set only."
        )
    if any(len(entry.filename) > LONGEST_NAME or entry.filename.count("/") > DEEPEST_PLACE for entry in entries):
        raise ReadError(
            f"{label} contains a file whose name has more than {LONGEST_NAME:,} characters or {DEEPEST_PLACE} folders. "
            "Pack the files with shorter names."
        )
    if (length := sum(len(entry.filename) for entry in entries)) > MOST_NAMES:
        raise ReadError(
            f"{label} contains names of {length:,} characters in all; at most {MOST_NAMES:,} are allowed. Pack the "
            "files with shorter names, or fewer of them."
        )
    # The sizes that the archive declares: zipfile hands out no byte more than that.
    refuse_bomb(label, sum(entry.file_size for entry in entries), len(data))
    return archive, entries


def _content(label: str, data: bytes, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    where = f"{label}/{_printable(entry.filename)}"
    if entry.flag_bits & _ENCRYPTED:
        raise ReadError(f"{where} is encrypted. Unpack the archive with its password and give the folder.")
    if entry.compress_type == _ZSTD and entry.compress_type not in _COMMON_METHODS:
        return _of_zstd(where, data, entry)
    if entry.compress_type not in _COMMON_METHODS:
        raise ReadError(f"{where} is packed by a method other than deflate. Pack the archive again as an ordinary zip.")
    try:
        content = archive.read(entry)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError, NotImplementedError) as error:
        raise ReadError(f"{where}: damaged in the archive ({_short(error)}). Copy the archive again.") from None
    refuse_bomb(where, len(content) + LEAST_LINE * content.count(b"\n"), entry.compress_size)
    if is_zip(content) and not is_workbook(content):
        raise ReadError(f"{where} is a zip archive inside a zip archive. Unpack the outer one and give the inner one.")
    return content


def _of_zstd(where: str, data: bytes, entry: zipfile.ZipInfo) -> bytes:
    """Return what is packed with zstd, as Inspect packs its logs: Python knows that method from 3.14 on."""
    try:
        need("parquet")
    except ProgramError as error:
        raise ReadError(f"{where} is packed with zstd. {error}") from None
    import pyarrow  # here, because it takes long to load

    try:
        *_, name_length, extra_length = _LOCAL.unpack_from(data, entry.header_offset)
        start = entry.header_offset + _LOCAL.size + name_length + extra_length
        content = data[start : start + entry.compress_size]
        with pyarrow.CompressedInputStream(pyarrow.BufferReader(content), "zstd") as unpacking:
            # One byte more than the directory declares shows that it does not say the truth.
            of_zstd: bytes = unpacking.read(entry.file_size + 1)
    except (OSError, ValueError, struct.error) as error:
        raise ReadError(f"{where}: damaged in the archive ({_short(error)}). Copy the archive again.") from None
    if len(of_zstd) != entry.file_size or zlib.crc32(of_zstd) != entry.CRC:
        raise ReadError(f"{where}: damaged in the archive (wrong size or checksum). Copy the archive again.")
    return of_zstd


def refuse_bomb(label: str, unpacked: int, packed: int, instead: str = "unpack it and give the folder") -> None:
    """Do nothing, unless bytes unpack to more than is taken, or to more than any text does.

    instead: what to do where it is no fault.
    """
    refuse_above("max_unpacked", unpacked, label)
    if unpacked > max(_ANY_RATIO, MOST_RATIO * packed):
        raise ReadError(
            f"{label} unpacks to more than {MOST_RATIO} times its size, which is unusual for text. If this is correct, "
            f"{instead}."
        )


def _short(error: Exception) -> str:
    return said_by(error, "its bytes are inconsistent" if str(error) else "cut off", _MOST_SAID)


def is_zip(data: bytes) -> bool:
    """Return whether these bytes begin like a zip archive."""
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def is_workbook(data: bytes) -> bool:
    """Return whether these bytes are an Excel workbook (.xlsx), which is a zip archive of XML files."""
    # The name of the main part stands in the directory at the end of the archive; before it another one may be packed.
    end = data.rfind(b"PK\x05\x06")
    start = int.from_bytes(data[end + 16 : end + 20], "little") if end >= 0 else 0
    start = max(start if start < len(data) else 0, len(data) - 2**20)
    return is_zip(data) and b"xl/workbook.xml" in data[start:]


def _printable(name: str) -> str:
    """Return a name without characters that would move the cursor of a terminal or break a message into lines."""
    return "".join(char if char.isprintable() else "�" for char in name)
