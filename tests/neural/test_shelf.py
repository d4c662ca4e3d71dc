"""What is kept between runs: found again, bounded, and never in the way."""

import os
from pathlib import Path

import numpy as np
import pytest

from mtsig.neural import Shelf, users_shelf


def test_what_was_put_is_found_again(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "deep" / "shelf")
    assert shelf.get("key") is None
    scores = np.array([0.1, 2 / 3, -1.5])
    shelf.put("key", scores)
    found = shelf.get("key")
    assert found is not None
    assert found.tolist() == scores.tolist()
    assert shelf.get("other") is None
    assert [one.suffix for one in shelf.folder.iterdir()] == [".npy"]


def test_the_least_recently_used_goes_first(tmp_path: Path) -> None:
    scores = np.zeros(100)  # 928 bytes as a file
    shelf = Shelf(tmp_path, most_bytes=3000)
    for at, key in enumerate("abc"):
        shelf.put(key, scores)
        os.utime(tmp_path / f"{key}.npy", (1000 + at, 1000 + at))
    assert shelf.get("a") is not None  # used just now
    shelf.put("d", scores)
    assert {one.stem for one in tmp_path.iterdir()} == {"a", "c", "d"}
    assert sum(one.stat().st_size for one in tmp_path.iterdir()) <= 3000


def test_a_broken_file_is_as_good_as_none(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.put("key", np.zeros(3))
    for content in (b"", b"\x93NUMPY", b"text", (tmp_path / "key.npy").read_bytes()[:-5]):
        (tmp_path / "key.npy").write_bytes(content)
        assert shelf.get("key") is None


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    shelf = Shelf(tmp_path / "file")
    shelf.put("key", np.zeros(3))
    assert shelf.get("key") is None


def test_the_users_folder_can_be_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path))
    assert users_shelf().folder == tmp_path / "neural"
    monkeypatch.delenv("MTSIG_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setattr("sys.platform", "linux")
    assert users_shelf().folder == tmp_path / "xdg" / "mtsig" / "neural"
