"""Files as bytes under a label; bytes go in, the lines they hold come out, or one clear ReadError."""

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from mtsig.corpus import Note
from mtsig.errors import ReadError

_MAGIC = {
    b"\x1f\x8b": "a gzip archive: unpack it first",
    b"PK\x03\x04": "a zip archive (or an Office document): unpack it, or save it as plain text",
    b"%PDF": "a PDF: save its text as UTF-8, one segment per line",
    b"\xff\xfe": "UTF-16 text: save it as UTF-8",
    b"\xfe\xff": "UTF-16 text: save it as UTF-8",
}
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class File:
    """Bytes with a label. The label is what messages show; it is never used as a path."""

    label: str
    content: bytes | Path

    @property
    def path(self) -> PurePosixPath:
        """The label, read as a path: for its folder and suffix only."""
        return PurePosixPath(self.label)

    @property
    def place(self) -> Path | None:
        """Where it lies, whatever it is called; None for bytes."""
        return None if isinstance(self.content, bytes) else self.content.resolve()

    @property
    def data(self) -> bytes:
        """The bytes.

        Raises:
            ReadError: the file is missing, is a folder, or may not be read.
        """
        if isinstance(self.content, bytes):
            return self.content
        try:
            return self.content.read_bytes()
        except FileNotFoundError:
            raise ReadError(f"{self.label}: there is no such file.") from None
        except IsADirectoryError:
            raise ReadError(
                f"{self.label} is a folder; a file is needed here. For a whole folder use --data."
            ) from None
        except OSError as error:
            raise ReadError(f"{self.label}: cannot be read ({error.strerror or error}).") from None


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
        line = data.count(b"\n", 0, zero) + 1
        raise ReadError(f"{file.label} looks binary: line {line} holds a zero byte (byte {zero}). Expected UTF-8 text.")
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


def lines_of(file: File) -> tuple[tuple[str, ...], tuple[Note, ...]]:
    r"""Return the file's lines, split on "\n" only (U+2028 and its kin stand inside real segments).

    When every line ends in a carriage return, the file is a Windows one: they are taken off and noted.

    Raises:
        ReadError: as in `text_of`.
    """
    text, notes = text_of(file)
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
