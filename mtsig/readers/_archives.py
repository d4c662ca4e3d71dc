"""Archives: packed bytes go in, what they hold comes out in memory, within bounds; nothing is written to disk.

Names inside archives are labels: they tell the role of a text and stand in messages, and are never used as paths.
"""

import gzip
import io
import struct
import zipfile
import zlib
from collections.abc import Iterator

from mtsig.errors import ProgramError, ReadError, need, said_by
from mtsig.limits import refuse_above

MOST_MEMBERS = 10_000
"""Files that one archive may hold."""

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
_COMMON_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_ZSTD = 93
_LOCAL = struct.Struct("<4s5H3L2H")
"""What stands before the content of a file in an archive, up to the lengths of its name and of what is added."""
_ENCRYPTED = 0x1


def gunzipped(label: str, data: bytes) -> bytes:
    """Return what a gzip file holds.

    Raises:
        ReadError: it is damaged or cut off, holds another archive, or unpacks to too much.
    """
    pieces: list[bytes] = []
    total = 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            while piece := packed.read(_CHUNK):
                total += len(piece)
                refuse_bomb(label, total, len(data))
                pieces.append(piece)
    except EOFError:
        raise ReadError(f"{label}: the gzip file ends in the middle; it was cut off. Copy it again.") from None
    except (OSError, zlib.error) as error:
        raise ReadError(f"{label}: a damaged gzip file ({_short(error)}).") from None
    content = b"".join(pieces)
    refuse_bomb(label, total + LEAST_LINE * content.count(b"\n"), len(data))
    if content.startswith(b"\x1f\x8b"):
        raise ReadError(f"{label} is packed twice: inside the gzip file is another. Unpack it once.")
    if content[257:262] == b"ustar":
        raise ReadError(f"{label} is a tar archive. Unpack it and give the folder, or pack the folder as .zip.")
    return content


def members(label: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of every file in a zip archive, folders and the system's own files (__MACOSX/) left out.

    Raises:
        ReadError: the archive is damaged, encrypted or too large, or holds another zip archive.
    """
    archive, entries = _directory(label, data)
    for entry in entries:
        # Some programs on Windows write backslashes, which zip does not know.
        name = entry.filename if "/" in entry.filename else entry.filename.replace("\\", "/")
        yield _printable(name), _content(label, data, archive, entry)


def check_sizes(label: str, data: bytes) -> None:
    """Check what a zip archive says that it unpacks to, before anything in it is unpacked.

    Raises:
        ReadError: the archive is damaged or too large.
    """
    _directory(label, data)


def _directory(label: str, data: bytes) -> tuple[zipfile.ZipFile, list[zipfile.ZipInfo]]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, EOFError, struct.error) as error:
        raise ReadError(f"{label}: a damaged zip archive ({_short(error)}). Copy it again.") from None
    names = [(entry, entry.filename) for entry in archive.infolist()]
    entries = [entry for entry, name in names if not name.endswith("/") and not name.startswith("__MACOSX/")]
    if len(entries) > MOST_MEMBERS:
        raise ReadError(f"{label} holds {len(entries)} files; at most {MOST_MEMBERS:,} are read from an archive.")
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
        raise ReadError(f"{where}: damaged in the archive (another size or checksum). Copy the archive again.")
    return of_zstd


def refuse_bomb(label: str, unpacked: int, packed: int, instead: str = "unpack it and give the folder") -> None:
    """Do nothing, unless bytes unpack to more than is taken, or to more than any text does.

    instead: what to do where it is no fault.

    Raises:
        ReadError: they do.
    """
    refuse_above("max_unpacked", unpacked, label)
    if unpacked > max(_ANY_RATIO, MOST_RATIO * packed):
        raise ReadError(
            f"{label} unpacks to more than {MOST_RATIO} times its size, as no text does. If it is what you think it "
            f"is, {instead}."
        )


def _short(error: Exception) -> str:
    return said_by(error, "its bytes do not fit together" if str(error) else "cut off", _MOST_SAID)


def is_zip(data: bytes) -> bool:
    """Return whether these bytes begin like a zip archive."""
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def is_workbook(data: bytes) -> bool:
    """Return whether these bytes are an Excel workbook (.xlsx), which is a zip archive of XML files."""
    # The name of the main part stands in the directory at the end of the archive.
    return is_zip(data) and b"xl/workbook.xml" in data[-(2**20) :]


def _printable(name: str) -> str:
    """Return a name without characters that would move the cursor of a terminal or break a message into lines."""
    return "".join(char if char.isprintable() else "�" for char in name)
