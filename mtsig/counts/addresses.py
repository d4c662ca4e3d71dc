"""Addresses: a path, or an address that fsspec knows, goes in, an opened file comes out."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Literal

from mtsig.errors import ReadError, said_by
from mtsig.writing import whole_file


@contextmanager
def opened(address: str | Path, mode: Literal["rb", "wb"]) -> Iterator[IO[bytes]]:
    """Yield the file at a path, or wherever fsspec finds it; at a path it is there when it is whole.

    Raises:
        ReadError: it cannot be opened, read or written.
    """
    what = "read" if mode == "rb" else "written"
    try:
        with _file(address, mode, what) as file:
            yield file
    except FileNotFoundError:
        raise ReadError(f"{address}: there is no such file.") from None
    except OSError as error:
        raise ReadError(f"{address}: cannot be {what} ({error.strerror or said(error)}).") from None


def _file(address: str | Path, mode: Literal["rb", "wb"], what: str) -> AbstractContextManager[IO[bytes]]:
    if "://" not in str(address):
        path = Path(address).expanduser()
        if mode == "rb":
            return path.open("rb")
        path.parent.mkdir(parents=True, exist_ok=True)
        return whole_file(path.resolve())
    try:
        import fsspec  # here, because only addresses need it

        opened: AbstractContextManager[IO[bytes]] = fsspec.open(str(address), mode)
    except (ImportError, ValueError) as error:  # its words for an address that it cannot serve
        raise ReadError(f"{address}: cannot be {what} here ({said(error)}).") from None
    return opened


def said(error: Exception) -> str:
    """Return the first line of an error's own words."""
    return said_by(error, "the library for such addresses gives no reason", 200)
