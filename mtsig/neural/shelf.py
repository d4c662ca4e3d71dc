"""Scores kept between runs, by what they were computed from: a key goes in, an array or nothing comes out."""

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mtsig.corpus import FloatArray

MOST_BYTES = 64 * 2**20
"""What is kept at most: some four thousand systems of two thousand segments."""


@dataclass(frozen=True)
class Shelf:
    """A folder of arrays, one file each, least recently used ones going first.

    It is a convenience: a folder that cannot be written, or a file that cannot be read, means computing again.
    """

    folder: Path
    most_bytes: int = MOST_BYTES

    def get(self, key: str) -> FloatArray | None:
        """Return what was put under `key`, or None."""
        file = self._file(key)
        try:
            found: FloatArray = np.load(file, allow_pickle=False)
            os.utime(file)
        except (OSError, ValueError, EOFError):
            return None
        return found

    def put(self, key: str, scores: FloatArray) -> None:
        """Keep the scores under `key`, and drop what no longer fits."""
        file = self._file(key)
        part = file.with_suffix(f".{os.getpid()}.part")
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            with part.open("wb") as stream:
                np.save(stream, scores, allow_pickle=False)
            # Whoever reads meanwhile sees the old file or the new one, never half of one.
            part.replace(file)
            self._trim()

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}.npy"

    def _trim(self) -> None:
        kept = sorted(
            ((one.stat().st_mtime, one.stat().st_size, one) for one in self.folder.glob("*.npy")), reverse=True
        )
        total = 0
        for _, size, one in kept:
            total += size
            if total > self.most_bytes:
                one.unlink(missing_ok=True)


def users_shelf() -> Shelf:
    """Return the shelf in the user's cache folder; MTSIG_CACHE names another one."""
    return Shelf(_cache_folder() / "neural")


def _cache_folder() -> Path:
    if named := os.environ.get("MTSIG_CACHE"):
        return Path(named).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "mtsig" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "mtsig"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mtsig"
