"""The spool: what a visitor dropped, kept on disk for a day under a token that nobody can guess.

A reload, the back button, a second tab or a link finds the data again by the token in the address. The token reads and
nothing else: what lies under it is changed and removed by its owner alone, who has a secret that is in no address. What
anybody else changes becomes his own, under a token of its own; the files that both have lie on the disk once, under two
names (hard links). Each token has a folder of its own, readable by this user alone (modes 0700 and 0600), written
beside and then renamed, so that nobody ever sees half of it. After a day, only the names of the files stay, so that the
page can say what was there; they go after a month.
"""

import hashlib
import hmac
import json
import os
import re
import secrets
import shutil
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from mtsig.cli._reading import checked_folder, claim
from mtsig.readers import File
from mtsig_dashboard.host import Gone, Spooled

KEPT_SECONDS = 24 * 3600
NAMES_SECONDS = 30 * 24 * 3600
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}\Z")
_INDEX, _NAMES = "index.json", ".names"
_OWN = re.compile(r"[A-Za-z0-9_-]{22}(?:\.names)?|\.[A-Za-z0-9_-]{22}-[0-9a-f]{8}|\.away-[0-9a-f]{16}")
"""What lies in a spool; what is called otherwise was put there by others."""


@dataclass(frozen=True)
class Spool:
    """A folder of dropped files of at most `most` tokens and `most_bytes`, the least recently used ones going first."""

    folder: Path
    most_bytes: int = 2 * 2**30
    most: int = 2_000
    now: Callable[[], float] = time.time

    def put(self, files: Sequence[File], chosen: Mapping[str, Any], owner: str, token: str | None = None) -> str:
        """Keep the files, and return the token: `token` where what lies under it is the owner's, else a new one.

        `owner` is the secret of who brings them. Files that lie under `token` already are not written again.
        """
        before = {} if token is None else self._files(token)

        def write(file: File, path: Path) -> None:
            old, dropped = before.get(file.label), _dropped(file)
            if old is None or not _holds(old, dropped) or not _linked(old, path):
                _write(path, dropped)

        names = [file.label for file in files]
        writes = [partial(write, file) for file in files]
        return self._put(names, writes, chosen, owner, token if self._is_own(token, owner) else None)

    def choose(self, token: str, chosen: Mapping[str, Any], owner: str) -> str:
        """Keep what was chosen for the files under `token`, and return the token that has it.

        That is another one, with the same files, where they are not the owner's. Nothing happens when they are gone.
        """
        place = self.folder / token / _INDEX
        if not _TOKEN.match(token) or not place.is_file():
            return token
        if not self._is_own(token, owner):
            files = self._files(token)

            def copy(file: Path, path: Path) -> None:
                if not _linked(file, path):
                    _write(path, file.read_bytes())

            return self._put(list(files), [partial(copy, file) for file in files.values()], chosen, owner, None)
        beside = place.with_name(f".{_INDEX}-{secrets.token_hex(4)}")
        _write(beside, json.dumps({**_read(place), "chosen": chosen}).encode())
        beside.replace(place)
        return token

    def get(self, token: str, owner: str) -> Spooled | Gone:
        """Return what lies under the token, or the names of what lay there; whoever asks keeps it for another day."""
        if not _TOKEN.match(token):
            return Gone(())
        place = self.folder / token
        with suppress(OSError, ValueError, KeyError, TypeError):
            if self.now() - place.stat().st_mtime <= KEPT_SECONDS:
                chosen = dict(json.loads((place / _INDEX).read_bytes())["chosen"])
                files = tuple(File(name, path.read_bytes()) for name, path in self._files(token).items())
                os.utime(place, (self.now(), self.now()))
                return Spooled(files, chosen, self._is_own(token, owner))
        return Gone(tuple(map(str, _read(self.folder / f"{token}{_NAMES}").get("names", ()))))

    def weight(self, token: str) -> int:
        """Return how many bytes lie under the token."""
        return sum(_sizes(self.folder / token).values()) if _TOKEN.match(token) else 0

    def forget(self, token: str, owner: str) -> None:
        """Remove what lies under the token, and its names, where it is the owner's."""
        if self._is_own(token, owner):
            self._drop(self.folder / token)
            with suppress(OSError):
                (self.folder / f"{token}{_NAMES}").unlink(missing_ok=True)

    def _put(
        self,
        names: Sequence[str],
        writes: Sequence[Callable[[Path], object]],
        chosen: Mapping[str, Any],
        owner: str,
        token: str | None,
    ) -> str:
        """Keep files of these names, each written by its function, in place of what lies under the token, or anew."""
        token = token or secrets.token_urlsafe(16)
        claim(self.folder.parent)
        self.folder.mkdir(mode=0o700, exist_ok=True)
        beside = self.folder / f".{token}-{secrets.token_hex(4)}"
        beside.mkdir(mode=0o700)
        try:
            for number, write in enumerate(writes):
                write(beside / f"{number:04}")
            index = {"names": names, "chosen": chosen, "owner": _digest(owner)}
            _write(beside / _INDEX, json.dumps(index).encode())
            place = self.folder / token
            self._drop(place)
            beside.rename(place)
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise
        said = {"names": names, "owner": index["owner"]}
        _write(self.folder / f"{token}{_NAMES}", json.dumps(said).encode())
        self.sweep()
        return token

    def _files(self, token: str) -> dict[str, Path]:
        """Return name -> where the file lies, of all files under a token."""
        names = _read(self.folder / token / _INDEX).get("names", ()) if _TOKEN.match(token) else ()
        return {str(name): self.folder / token / f"{number:04}" for number, name in enumerate(names)}

    def _is_own(self, token: str | None, owner: str) -> bool:
        """Return whether what lies under the token, or lay there, belongs to who has this secret."""
        if token is None or not _TOKEN.match(token):
            return False
        said = (_read(path).get("owner") for path in (self.folder / token / _INDEX, self.folder / f"{token}{_NAMES}"))
        return any(hmac.compare_digest(str(digest), _digest(owner)) for digest in said)

    def sweep(self) -> None:
        """Remove what is older than a day, half-written folders, and what is beyond `most` and `most_bytes`."""
        kept, names, now = list[tuple[float, Path]](), list[tuple[float, Path]](), self.now()
        with suppress(OSError):
            for entry in list(os.scandir(self.folder)):
                with suppress(OSError):  # another process may have removed it just now
                    if entry.is_symlink() or not _OWN.fullmatch(entry.name):
                        continue
                    age = now - entry.stat(follow_symlinks=False).st_mtime
                    if entry.name.endswith(_NAMES):
                        names.append((age, Path(entry.path)))
                    elif age > KEPT_SECONDS:
                        self._drop(Path(entry.path))
                    elif _TOKEN.match(entry.name):
                        kept.append((age, Path(entry.path)))
        for number, (age, path) in enumerate(sorted(names)):
            if age > NAMES_SECONDS or number >= 2 * self.most:
                with suppress(OSError):
                    path.unlink()
        if len(kept) > self.most:
            owned, ranked = Counter[str](), list[tuple[int, float, Path]]()
            for age, place in sorted(kept):
                owned[owner := str(_read(place / _INDEX).get("owner"))] += 1
                ranked.append((owned[owner], age, place))
            # The newest of everybody stay, then the second newest: who has most loses most. Some room is made at once.
            for *_, place in sorted(ranked)[self.most - self.most // 16 :]:
                self._drop(place)
        total, counted = 0, set[tuple[int, int]]()
        for _, place in sorted(kept):
            # What lies under several names takes room once, and goes with the last of them.
            new = _sizes(place)
            total += sum(size for file, size in new.items() if file not in counted)
            counted |= new.keys()
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
    """Return where dropped files are kept; None where the user's cache folder is switched off."""
    folder = checked_folder()
    return None if folder is None else Spool(folder / "spool")


def _dropped(file: File) -> bytes:
    """Return the bytes as they were dropped, packed where they were."""
    return file.content if isinstance(file.content, bytes) else file.content.read_bytes()


def _write(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
        stream.write(data)


def _read(path: Path) -> dict[str, Any]:
    """Return what a file of JSON says by name; nothing where it is gone or damaged."""
    with suppress(OSError, ValueError):
        said = json.loads(path.read_bytes())
        return said if isinstance(said, dict) else {}
    return {}


def _linked(old: Path, path: Path) -> bool:
    """Return whether the file has another name now; not every disk can do that."""
    with suppress(OSError):
        os.link(old, path)
        return True
    return False


def _holds(path: Path, data: bytes) -> bool:
    """Return whether a file holds these bytes."""
    with suppress(OSError):
        return path.stat().st_size == len(data) and path.read_bytes() == data
    return False


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _sizes(place: Path) -> dict[tuple[int, int], int]:
    """Return what tells each file of a folder from all others on the disk -> its bytes."""
    with suppress(OSError):
        found = [Path(entry.path).stat() for entry in os.scandir(place)]
        return {(each.st_dev, each.st_ino): each.st_size for each in found}
    return {}
