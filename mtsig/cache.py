"""Numbers kept between runs, by what they were computed from: a key goes in, an array or nothing comes out."""

import hashlib
import io
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtsig.writing import put_whole

ROOMS = {"counts": 2**30, "neural": 64 * 2**20}
"""What is kept -> bytes at most: for 2,000 segments counts of 6,000 systems under four metrics, scores of 4,000."""

OFF = "off"
"""The value of MTSIG_CACHE under which nothing is kept."""

_MARK = 16

_SPARE = 16
"""One part of so many of a room is kept free for what is put into it before somebody looks how full it is."""

_unlooked: dict[Path, int] = {}
"""A folder -> how many bytes this process put there since it looked how many there are, which takes long of many."""


class CacheWarning(UserWarning):
    """What is kept between runs was not what it should have been, and was removed."""


@dataclass(frozen=True)
class Cache:
    """A folder of arrays, one file each, least recently used ones going first.

    It is a convenience: a folder that cannot be written, a file that is not as it was written under this key, or
    numbers that are not finite, mean computing again.
    """

    folder: Path
    most_bytes: int = ROOMS["neural"]

    def get(self, key: str) -> NDArray[Any] | None:
        """Return what was put under `key`, or None."""
        file = self._file(key)
        try:
            content = file.read_bytes()
            body, mark = content[:-_MARK], content[-_MARK:]
            if mark != _mark(key, body):
                return None
            numbers: NDArray[Any] = np.load(io.BytesIO(body), allow_pickle=False)
            if not _is_finite(numbers):
                return None
        except (OSError, ValueError, EOFError, MemoryError):
            return None
        with suppress(OSError):  # of a folder that may only be read
            os.utime(file)
        return numbers

    def put(self, key: str, numbers: NDArray[Any]) -> None:
        """Keep the numbers under `key`, and drop what no longer fits."""
        self.put_all({key: numbers})

    def put_all(self, entries: Mapping[str, NDArray[Any]]) -> None:
        """Keep several arrays, each under its key, if they are finite, and drop what no longer fits."""
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            written = sum(self._write(key, numbers) for key, numbers in entries.items() if _is_finite(numbers))
            spare = self.most_bytes // _SPARE
            _unlooked[self.folder] = _unlooked.get(self.folder, spare) + written
            if _unlooked[self.folder] >= spare:
                self._trim(self.most_bytes - spare)
                _unlooked[self.folder] = 0

    def size(self) -> tuple[int, int]:
        """Return how many files there are, and how many bytes."""
        files = self._files()
        return len(files), sum(size for _, size, _ in files)

    def clear(self) -> None:
        """Remove everything that is kept here."""
        for _, _, file in self._files():
            with suppress(OSError):
                os.unlink(file)  # noqa: PTH108

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}.npy"

    def _write(self, key: str, numbers: NDArray[Any]) -> int:
        """Write a file; return how many bytes it has."""
        body = io.BytesIO()
        np.save(body, numbers, allow_pickle=False)
        content = body.getvalue() + _mark(key, body.getvalue())
        put_whole(self._file(key), content, lasting=False)
        return len(content)

    def _files(self) -> list[tuple[float, int, str]]:
        """Return when each file was last used, its size and itself, the newest first."""
        files = []
        with suppress(OSError), os.scandir(self.folder) as entries:
            for entry in entries:
                with suppress(OSError):  # another process may have removed it just now
                    about = entry.stat()
                    files.append((about.st_mtime, about.st_size, entry.path))
        return sorted(files, reverse=True)

    def _trim(self, most: int) -> None:
        total = 0
        for _, size, file in self._files():
            total += size
            if total > most:
                with suppress(FileNotFoundError):  # another process may have removed it just now
                    os.unlink(file)  # noqa: PTH108


def _mark(key: str, body: bytes) -> bytes:
    """Return what ends a file: a digest of its key, so that no file passes for another, its shape, type and numbers."""
    return hashlib.sha256(f"{len(key)} {key}\n".encode() + body).digest()[:_MARK]


def _is_finite(numbers: NDArray[Any]) -> bool:
    return numbers.dtype.kind in "iuf" and bool(np.isfinite(numbers).all())


_closed: ContextVar[bool] = ContextVar("closed", default=False)


@contextmanager
def closed() -> Iterator[None]:
    """Keep nothing and find nothing for as long as the context lasts.

    >>> from mtsig.cache import closed, users_cache
    >>> with closed():
    ...     print(users_cache("neural"))
    None
    """
    token = _closed.set(True)
    try:
        yield
    finally:
        _closed.reset(token)


def users_cache(room: str) -> Cache | None:
    """Return one of the ROOMS in the user's cache folder, or None where nothing is to be kept.

    MTSIG_CACHE names another folder, or says "off".

    >>> import os
    >>> from unittest import mock
    >>> from mtsig.cache import users_cache
    >>> with mock.patch.dict(os.environ, MTSIG_CACHE="/scratch/mtsig"):
    ...     print(users_cache("neural").folder.as_posix())
    ...     os.environ["MTSIG_CACHE"] = "off"
    ...     print(users_cache("neural"))
    /scratch/mtsig/neural
    None
    """
    folder = None if _closed.get() else users_folder()
    return None if folder is None else Cache(folder / room, ROOMS[room])


def users_folder() -> Path | None:
    """Return the user's cache folder, or None if it is switched off, or there is no home that it could be in.

    >>> import os
    >>> from unittest import mock
    >>> from mtsig.cache import users_folder
    >>> with mock.patch.dict(os.environ, MTSIG_CACHE="/scratch/mtsig"):
    ...     print(users_folder().as_posix())
    /scratch/mtsig
    """
    try:
        if named := os.environ.get("MTSIG_CACHE"):
            return None if named.strip().lower() == OFF else Path(named).expanduser()
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "mtsig" / "cache"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "mtsig"
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mtsig"
    except RuntimeError:  # pathlib's word for a user without a home
        return None
