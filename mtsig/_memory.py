"""Memory: what was computed, given again: results of a function while the process lives, numbers on disk between runs.

And what holds for as long as a context lasts. On disk nothing is removed that is not the cache's own: its folder
carries a tag (bford.info/cachedir), its files begin with a mark, and what is a link, a pipe or a device is neither
opened nor followed.
"""

import hashlib
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from mtsig._writing import whole_file
from mtsig.errors import InvalidOption

if TYPE_CHECKING:
    from numpy.typing import NDArray

P = ParamSpec("P")
R = TypeVar("R")
V = TypeVar("V")

_LOCKS: dict[Hashable, Any] = {}
"""One for each result that is being worked out."""

if hasattr(os, "register_at_fork"):
    # In a process that was forked nobody goes on with what other threads had begun.
    os.register_at_fork(after_in_child=_LOCKS.clear)


def remembered(
    most: int = 2**12, by: Callable[..., Hashable] | None = None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep what a function returns by its arguments, `most` results at a time, of which the oldest go first.

    by: what results are known by, made of the arguments, where these themselves do not say it.

    Whoever asks for a result that another thread is working out waits for it, and for no other. What raises is not
    kept. The results are in the function's `kept`, a dict that may be cleared.
    """

    def keeping(function: Callable[P, R]) -> Callable[P, R]:
        kept: dict[Hashable, R] = {}

        @wraps(function)
        def asked(*args: P.args, **named: P.kwargs) -> R:
            key = by(*args, **named) if by else (*args, *sorted(named.items())) if named else args
            try:
                return kept[key]
            except KeyError:
                pass
            place = (function, key)
            with _LOCKS.setdefault(place, RLock()):
                try:
                    if key not in kept:
                        result = function(*args, **named)
                        if len(kept) >= most:
                            for old in list(kept)[: most // 8 + 1]:
                                kept.pop(old, None)
                        kept[key] = result
                        return result
                    return kept[key]
                finally:
                    _LOCKS.pop(place, None)

        vars(asked)["kept"] = kept
        return asked

    return keeping


@contextmanager
def held(variable: ContextVar[V], value: V) -> Iterator[None]:
    """Let a variable have a value for as long as the context lasts."""
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


ROOMS = {"counts": 2**30}
"""What is kept -> bytes at most: for 2,000 segments counts of 6,000 systems under four metrics."""

OFF = "off"
"""The value of MTSIG_CACHE under which nothing is kept."""

TAG = "CACHEDIR.TAG"
"""The file that says of a folder that it is a cache, which programs that make backups leave out."""

_TAGGED = b"""Signature: 8a477f597d28d172789f06886806bc55
# This file is a cache directory tag created by mtsig: what lies here may be removed, and is computed again.
"""

_BEGIN, _MARK = b"mtsig-cache/2\n", 16

_OWN = re.compile(r".+\.npy|\.[0-9a-f]{16}\.part")
"""Names of the files that are kept, and of those that are being written."""

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
    numbers that are not finite, mean computing again. root: the folder that carries the tag, where it is another one.
    """

    folder: Path
    most_bytes: int = ROOMS["counts"]
    root: Path | None = None

    def get(self, key: str) -> "NDArray[Any] | None":
        """Return what was put under `key`, or None."""
        file = self._file(key)
        try:
            content = _content(file, self.most_bytes)
            begin, body, mark = content[: len(_BEGIN)], content[len(_BEGIN) : -_MARK], content[-_MARK:]
            if begin != _BEGIN or mark != _mark(key, body):
                return None
            import numpy

            numbers: NDArray[Any] = numpy.load(io.BytesIO(body), allow_pickle=False)
            if not _is_finite(numbers):
                return None
        except (OSError, ValueError, EOFError, MemoryError):
            return None
        with suppress(OSError):  # of a folder that may only be read
            os.utime(file)
        return numbers

    def put(self, key: str, numbers: "NDArray[Any]") -> None:
        """Keep the numbers under `key`, and drop what no longer fits."""
        self.put_all({key: numbers})

    def put_all(self, entries: "Mapping[str, NDArray[Any]]") -> None:
        """Keep several arrays, each under its key, if they are finite, and drop what no longer fits."""
        with suppress(OSError):
            claim(self.root or self.folder)
            self.folder.mkdir(exist_ok=True)
            if self.folder.is_symlink():
                return
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
            _remove(file)

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}.npy"

    def _write(self, key: str, numbers: "NDArray[Any]") -> int:
        """Write a file; return how many bytes it has."""
        body = io.BytesIO()
        import numpy

        numpy.save(body, numbers, allow_pickle=False)
        content = _BEGIN + body.getvalue() + _mark(key, body.getvalue())
        file = self._file(key)
        if os.path.lexists(file) and not _is_own(file):
            return 0
        with whole_file(file, lasting=False) as put:
            put.write(content)
        return len(content)

    def _files(self) -> list[tuple[float, int, str]]:
        """Return when each file was last used, its size and itself, the newest first."""
        files: list[tuple[float, int, str]] = []
        if self.folder.is_symlink() or not is_cache(self.root or self.folder):
            return files
        with suppress(OSError), os.scandir(self.folder) as entries:
            for entry in entries:
                with suppress(OSError):  # another process may have removed it just now
                    about = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(about.st_mode) and _OWN.fullmatch(entry.name):
                        files.append((about.st_mtime, about.st_size, entry.path))
        return sorted(files, reverse=True)

    def _trim(self, most: int) -> None:
        total = 0
        for _, size, file in self._files():
            total += size
            if total > most:
                _remove(file)


def is_cache(folder: Path) -> bool:
    """Return whether a folder carries this program's tag of caches."""
    try:
        return _content(folder / TAG, 2**16).startswith(_TAGGED)
    except OSError:
        return False


def claim(folder: Path) -> None:
    """Make a folder a cache: one that is missing or empty gets the tag."""
    if is_cache(folder):
        return
    _refuse_foreign(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with whole_file(folder / TAG, lasting=False) as tag:
        tag.write(_TAGGED)


def _refuse_foreign(folder: Path) -> None:
    """Raise InvalidOption where a folder that was named holds what is not this program's."""
    if not os.environ.get("MTSIG_CACHE"):  # the usual place is this program's by its name
        return
    try:
        with os.scandir(folder) as entries:
            other = next((entry.name for entry in entries if not _OWN_BEGUN.fullmatch(entry.name)), None)
    except OSError:  # there is none, or it cannot be read: nothing is kept in it
        return
    if other is not None and not is_cache(folder):
        raise InvalidOption(
            f"MTSIG_CACHE: {folder} holds {other!r} and is not a cache of mtsig, so no file is stored or removed "
            "there. Give a new or empty folder, or set MTSIG_CACHE=off."
        )


_OWN_BEGUN = re.compile(r"\.[0-9a-f]{16}\.part")


def _content(file: Path | str, most: int, first: int = -1) -> bytes:
    """Return what a regular file of at most so many bytes holds, or the first of it."""
    # Opened so that a pipe is not waited for; where the system has no such flags (Windows) it has no such files either.
    flags = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY", "O_CLOEXEC"))
    if not stat.S_ISREG(os.lstat(file).st_mode):  # some devices act when they are opened
        raise OSError("no regular file")
    with os.fdopen(os.open(file, os.O_RDONLY | flags), "rb") as opened:
        about = os.fstat(opened.fileno())
        if not stat.S_ISREG(about.st_mode) or about.st_size > most:
            raise OSError("no regular file of this size")
        return opened.read(first)


def _is_own(file: Path | str) -> bool:
    """Return whether a file begins as those that are kept here do; one that is being written may not have begun."""
    try:
        begin = _content(file, sys.maxsize, len(_BEGIN))
    except OSError:  # another process may have removed it just now
        return False
    return begin == _BEGIN or (begin == b"" and str(file).endswith(".part"))


def _remove(file: str) -> None:
    """Remove a file of the cache's own."""
    if _is_own(file):
        with suppress(OSError):
            os.unlink(file)  # noqa: PTH108


def _mark(key: str, body: bytes) -> bytes:
    """Return what ends a file: a digest of its key, so that no file passes for another, its shape, type and numbers."""
    return hashlib.sha256(f"{len(key)} {key}\n".encode() + body).digest()[:_MARK]


def _is_finite(numbers: "NDArray[Any]") -> bool:
    import numpy

    return numbers.dtype.kind in "iuf" and bool(numpy.isfinite(numbers).all())


_closed: ContextVar[bool] = ContextVar("closed", default=False)


def closed() -> AbstractContextManager[None]:
    """Keep nothing and find nothing for as long as the context lasts."""
    return held(_closed, True)


def users_cache(room: str) -> Cache | None:
    """Return one of the ROOMS in the user's cache folder, or None: MTSIG_CACHE names a folder, or says "off"."""
    folder = None if _closed.get() else checked_folder()
    return None if folder is None else Cache(folder / room, ROOMS[room], folder)


def checked_folder() -> Path | None:
    """Return the user's cache folder, as `users_folder` does, if it is a cache or can become one."""
    folder = users_folder()
    if folder is not None and not is_cache(folder):
        _refuse_foreign(folder)
    return folder


def _named_folder(named: str) -> Path:
    """Return the folder that MTSIG_CACHE names, from the root on: what is written says where it lies."""
    try:
        folder = Path(named).expanduser()
    except RuntimeError:
        raise InvalidOption(f"MTSIG_CACHE: {named!r} begins with a user who has no home folder here.") from None
    if not named.strip() or not named.isprintable():
        raise InvalidOption(
            f"MTSIG_CACHE must be a folder or off; found {named!r}, which is blank or contains a control character, "
            "such as a line end."
        )
    return folder.absolute()


def users_folder() -> Path | None:
    """Return the user's cache folder, or None if it is switched off, or there is no home that it could be in."""
    try:
        if named := os.environ.get("MTSIG_CACHE"):
            return None if named.strip().lower() == OFF else _named_folder(named)
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "mtsig" / "cache"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "mtsig"
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mtsig"
    except RuntimeError:  # pathlib's word for a user without a home
        return None
