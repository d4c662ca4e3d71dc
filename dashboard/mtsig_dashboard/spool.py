"""The spool: what a visitor dropped, kept on disk for a day under a token that nobody can guess.

A reload, the back button or a second tab finds the data again by the token in the address. Each token has a folder of
its own, readable by this user alone (modes 0700 and 0600), written beside and then renamed, so that nobody ever sees
half of it. After a day, or when the visitor forgets the data, only the names of the files stay, so that the page can
say what was there; they go after a month.
"""

import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mtsig.cache import checked_folder, claim
from mtsig.readers import File

KEPT_SECONDS = 24 * 3600
NAMES_SECONDS = 30 * 24 * 3600
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}\Z")
_INDEX, _NAMES = "index.json", ".names"
_OWN = re.compile(r"[A-Za-z0-9_-]{22}(?:\.names)?|\.[A-Za-z0-9_-]{22}-[0-9a-f]{8}|\.away-[0-9a-f]{16}")
"""What lies in a spool; what is called otherwise was put there by others."""


@dataclass(frozen=True)
class Spooled:
    """What lies under a token: the files as they were dropped, and what was chosen for them, as plain JSON."""

    files: tuple[File, ...]
    chosen: Mapping[str, Any]


@dataclass(frozen=True)
class Gone:
    """A token whose data are no longer here, with the names of the files there were."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Spool:
    """A folder of dropped files; at most `most_bytes` together, the least recently used ones going first."""

    folder: Path
    most_bytes: int = 2 * 2**30
    now: Callable[[], float] = time.time

    def put(self, files: Sequence[File], chosen: Mapping[str, Any], token: str | None = None) -> str:
        """Keep the files under a new token, or in place of what lies under `token`, and return the token.

        Raises:
            OSError: the folder cannot be written.
        """
        if token is None or not _TOKEN.match(token):
            token = secrets.token_urlsafe(16)
        claim(self.folder.parent)
        self.folder.mkdir(mode=0o700, exist_ok=True)
        beside = self.folder / f".{token}-{secrets.token_hex(4)}"
        beside.mkdir(mode=0o700)
        try:
            names = [file.label for file in files]
            for number, file in enumerate(files):
                _write(beside / f"{number:04}", _dropped(file))
            _write(beside / _INDEX, json.dumps({"names": names, "chosen": chosen}).encode())
            place = self.folder / token
            self._drop(place)
            beside.rename(place)
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise
        _write(self.folder / f"{token}{_NAMES}", json.dumps(names).encode())
        self.sweep()
        return token

    def choose(self, token: str, chosen: Mapping[str, Any]) -> None:
        """Keep what was chosen for the files under `token`; nothing happens when they are gone."""
        index = self.folder / token / _INDEX
        if not _TOKEN.match(token) or not index.is_file():
            return
        with suppress(OSError, ValueError):
            kept = json.loads(index.read_bytes())
            beside = index.with_name(f".{_INDEX}-{secrets.token_hex(4)}")
            _write(beside, json.dumps({**kept, "chosen": chosen}).encode())
            beside.replace(index)

    def get(self, token: str) -> Spooled | Gone:
        """Return what lies under the token, or the names of what lay there; whoever asks keeps it for another day."""
        if not _TOKEN.match(token):
            return Gone(())
        place = self.folder / token
        with suppress(OSError, ValueError, KeyError, TypeError):
            if self.now() - place.stat().st_mtime <= KEPT_SECONDS:
                index = json.loads((place / _INDEX).read_bytes())
                files = tuple(
                    File(str(name), (place / f"{number:04}").read_bytes()) for number, name in enumerate(index["names"])
                )
                os.utime(place, (self.now(), self.now()))
                return Spooled(files, dict(index["chosen"]))
        with suppress(OSError, ValueError, TypeError):
            return Gone(tuple(map(str, json.loads((self.folder / f"{token}{_NAMES}").read_bytes()))))
        return Gone(())

    def forget(self, token: str) -> None:
        """Remove what lies under the token, and its names."""
        if _TOKEN.match(token):
            self._drop(self.folder / token)
            with suppress(OSError):
                (self.folder / f"{token}{_NAMES}").unlink(missing_ok=True)

    def sweep(self) -> None:
        """Remove what is older than a day, half-written folders, and the least recently used beyond `most_bytes`."""
        kept, now = [], self.now()
        with suppress(OSError):
            for entry in list(os.scandir(self.folder)):
                with suppress(OSError):  # another process may have removed it just now
                    if entry.is_symlink() or not _OWN.fullmatch(entry.name):
                        continue
                    age = now - entry.stat(follow_symlinks=False).st_mtime
                    if entry.name.endswith(_NAMES):
                        if age > NAMES_SECONDS:
                            Path(entry.path).unlink()
                    elif age > KEPT_SECONDS:
                        self._drop(Path(entry.path))
                    elif _TOKEN.match(entry.name):
                        kept.append((age, Path(entry.path)))
        total = 0
        for _, place in sorted(kept):
            total += _size(place)
            # The one used last stays, however big: somebody is looking at it.
            if total > self.most_bytes and place != min(kept)[1]:
                self._drop(place)

    def _drop(self, place: Path) -> None:
        """Remove a folder: under another name first, so that nobody finds half of it."""
        away = place.with_name(f".away-{secrets.token_hex(8)}")
        if self.folder.is_symlink() or place.is_symlink():
            return
        with suppress(OSError):
            place.rename(away)
            shutil.rmtree(away, ignore_errors=True)


def users_spool() -> Spool | None:
    """Return where dropped files are kept; None where the user's cache folder is switched off.

    Raises:
        InvalidOption: that folder holds other things and is no cache.
    """
    folder = checked_folder()
    return None if folder is None else Spool(folder / "spool")


def _dropped(file: File) -> bytes:
    """Return the bytes as they were dropped, packed where they were."""
    return file.content if isinstance(file.content, bytes) else file.content.read_bytes()


def _write(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
        stream.write(data)


def _size(place: Path) -> int:
    with suppress(OSError):
        return sum(entry.stat().st_size for entry in os.scandir(place))
    return 0
