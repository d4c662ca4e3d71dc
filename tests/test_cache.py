"""What is kept between runs: found again, bounded, and never in the way."""

import io
import os
from pathlib import Path

import numpy as np
import pytest

from mtsig.cache import Cache, _mark, closed, users_cache


def test_what_was_put_is_found_again(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "deep" / "cache")
    assert cache.get("key") is None
    scores = np.array([0.1, 2 / 3, -1.5])
    cache.put("key", scores)
    found = cache.get("key")
    assert found is not None
    assert found.tolist() == scores.tolist()
    assert cache.get("other") is None
    assert [one.suffix for one in cache.folder.iterdir()] == [".npy"]


def test_the_least_recently_used_goes_first(tmp_path: Path) -> None:
    scores = np.zeros(100)  # 944 bytes as a file
    cache = Cache(tmp_path, most_bytes=3100)
    for at, key in enumerate("abc"):
        cache.put(key, scores)
        os.utime(tmp_path / f"{key}.npy", (1000 + at, 1000 + at))
    assert cache.get("a") is not None  # used just now
    cache.put("d", scores)
    assert {one.stem for one in tmp_path.iterdir()} == {"a", "c", "d"}
    assert sum(one.stat().st_size for one in tmp_path.iterdir()) <= 3100


def test_a_room_is_never_too_full_though_it_is_looked_through_seldom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked, scan = [], os.scandir
    monkeypatch.setattr(os, "scandir", lambda folder: looked.append(folder) or scan(folder))
    cache = Cache(tmp_path, most_bytes=100_000)
    held = []
    for key in range(300):
        cache.put(str(key), np.zeros(100))  # 944 bytes as a file
        held.append(len(os.listdir(tmp_path)) * 944)  # noqa: PTH208
    assert 100_000 * 15 / 16 - 944 < max(held) <= 100_000
    assert held[-1] > 90_000
    # Of a room that stands long, a sixteenth is written before it is looked through once more.
    assert 1 + 300 * 944 * 16 // 100_000 >= len(looked) > 30


def test_a_broken_file_is_as_good_as_none(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("key", np.zeros(3))
    for content in (b"", b"\x93NUMPY", b"text", (tmp_path / "key.npy").read_bytes()[:-5]):
        (tmp_path / "key.npy").write_bytes(content)
        assert cache.get("key") is None


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = Cache(tmp_path / "file")
    cache.put("key", np.zeros(3))
    assert cache.get("key") is None


def test_a_folder_that_may_only_be_read_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path)
    cache.put("key", np.ones(3))

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "utime", refuse)
    found = cache.get("key")
    assert found is not None
    assert found.tolist() == [1, 1, 1]


def test_a_changed_number_is_noticed(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("key", np.arange(50.0))
    content = bytearray((tmp_path / "key.npy").read_bytes())
    content[300] ^= 1
    (tmp_path / "key.npy").write_bytes(bytes(content))
    assert cache.get("key") is None
    cache.put("key", np.arange(50.0))
    assert cache.get("key") is not None


def test_a_file_does_not_pass_for_another(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put_all({"a": np.zeros(3), "b": np.ones(3)})
    (tmp_path / "a.npy").write_bytes((tmp_path / "b.npy").read_bytes())
    assert cache.get("a") is None
    assert cache.get("b") is not None


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none_are_neither_kept_nor_given(tmp_path: Path, number: float) -> None:
    cache = Cache(tmp_path)
    numbers = np.array([1.0, number])
    cache.put("key", numbers)
    assert list(tmp_path.iterdir()) == []
    body = io.BytesIO()
    np.save(body, numbers)
    (tmp_path / "key.npy").write_bytes(body.getvalue() + _mark("key", body.getvalue()))
    assert cache.get("key") is None


def test_a_file_that_promises_more_than_there_is_is_as_good_as_none(tmp_path: Path) -> None:
    body = io.BytesIO()
    np.lib.format.write_array_header_1_0(body, {"descr": "<f8", "fortran_order": False, "shape": (2**45,)})
    (tmp_path / "key.npy").write_bytes(body.getvalue() + _mark("key", body.getvalue()))
    assert Cache(tmp_path).get("key") is None


def test_objects_are_never_loaded(tmp_path: Path) -> None:
    body = io.BytesIO()
    np.save(body, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    (tmp_path / "key.npy").write_bytes(body.getvalue() + _mark("key", body.getvalue()))
    assert Cache(tmp_path).get("key") is None


def test_its_size_is_told_and_it_can_be_cleared(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    assert cache.size() == (0, 0)
    cache.put_all({"a": np.zeros(100), "b": np.zeros(100)})
    files, size = cache.size()
    assert files == 2
    assert 1600 < size < 2100
    cache.clear()
    assert cache.size() == (0, 0)


def folder_of(room: str) -> Path:
    cache = users_cache(room)
    assert cache is not None
    return cache.folder


def test_the_users_folder_can_be_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path))
    assert folder_of("neural") == tmp_path / "neural"
    assert folder_of("counts") == tmp_path / "counts"
    monkeypatch.delenv("MTSIG_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setattr("sys.platform", "linux")
    assert folder_of("neural") == tmp_path / "xdg" / "mtsig" / "neural"


def test_it_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    with closed():
        assert users_cache("counts") is None
    assert users_cache("counts") is not None
    monkeypatch.setenv("MTSIG_CACHE", "off")
    assert users_cache("counts") is None


def test_the_tests_keep_away_from_the_users_folder() -> None:
    assert not folder_of("counts").is_relative_to(Path.home() / ".cache")
