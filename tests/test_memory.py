"""What is kept in the process and between runs: worked out once, found again, bounded, and never in the way."""

import io
import os
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import numpy as np
import pytest
from limited import limited
from made import ROOT

from mtsig._memory import _BEGIN, TAG, Cache, _mark, closed, remembered, users_cache
from mtsig.cli import main
from mtsig.errors import InvalidOption

SAMPLE = ROOT / "sample_data" / "es-en"


def test_what_was_put_is_found_again(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "deep" / "cache")
    assert cache.get("key") is None
    scores = np.array([0.1, 2 / 3, -1.5])
    cache.put("key", scores)
    found = cache.get("key")
    assert found is not None
    assert found.tolist() == scores.tolist()
    assert cache.get("other") is None
    assert sorted(one.name for one in cache.folder.iterdir()) == [TAG, "key.npy"]


def test_the_least_recently_used_goes_first(tmp_path: Path) -> None:
    scores = np.zeros(100)  # 958 bytes as a file
    cache = Cache(tmp_path, most_bytes=3100)
    for at, key in enumerate("abc"):
        cache.put(key, scores)
        os.utime(tmp_path / f"{key}.npy", (1000 + at, 1000 + at))
    assert cache.get("a") is not None  # used just now
    cache.put("d", scores)
    assert {one.stem for one in tmp_path.glob("*.npy")} == {"a", "c", "d"}
    assert sum(one.stat().st_size for one in tmp_path.glob("*.npy")) <= 3100


def test_a_room_is_never_too_full_though_it_is_looked_through_seldom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked, scan = [], os.scandir
    monkeypatch.setattr(os, "scandir", lambda folder: looked.append(folder) or scan(folder))
    cache = Cache(tmp_path, most_bytes=100_000)
    held = []
    for key in range(300):
        cache.put(str(key), np.zeros(100))  # 958 bytes as a file
        held.append(sum(name.endswith(".npy") for name in os.listdir(tmp_path)) * 958)  # noqa: PTH208
    assert 100_000 * 15 / 16 - 958 < max(held) <= 100_000
    assert held[-1] > 90_000
    # Of a room that stands long, a sixteenth is written before it is looked through once more.
    assert 1 + 300 * 958 * 16 // 100_000 >= len(looked) > 30


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
    assert list(tmp_path.glob("*.npy")) == []
    body = io.BytesIO()
    np.save(body, numbers)
    (tmp_path / "key.npy").write_bytes(_BEGIN + body.getvalue() + _mark("key", body.getvalue()))
    assert cache.get("key") is None


def test_a_file_that_promises_more_than_there_is_is_as_good_as_none(tmp_path: Path) -> None:
    body = io.BytesIO()
    np.lib.format.write_array_header_1_0(body, {"descr": "<f8", "fortran_order": False, "shape": (2**45,)})
    (tmp_path / "key.npy").write_bytes(_BEGIN + body.getvalue() + _mark("key", body.getvalue()))
    assert Cache(tmp_path).get("key") is None


def test_objects_are_never_loaded(tmp_path: Path) -> None:
    body = io.BytesIO()
    np.save(body, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    (tmp_path / "key.npy").write_bytes(_BEGIN + body.getvalue() + _mark("key", body.getvalue()))
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
    assert folder_of("counts") == tmp_path / "counts"
    assert folder_of("counts") == tmp_path / "counts"
    monkeypatch.delenv("MTSIG_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setattr("sys.platform", "linux")
    assert folder_of("counts") == tmp_path / "xdg" / "mtsig" / "counts"


def test_it_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    with closed():
        assert users_cache("counts") is None
    assert users_cache("counts") is not None
    monkeypatch.setenv("MTSIG_CACHE", "off")
    assert users_cache("counts") is None


def test_the_tests_keep_away_from_the_users_folder() -> None:
    assert not folder_of("counts").is_relative_to(Path.home() / ".cache")


# --- what is not its own ----------------------------------------------------------------------------------------------


def foreign(folder: Path) -> dict[str, Path]:
    """Put into a folder what others may have there, some of it called as the cache calls its own."""
    places = {
        name: folder / name
        for name in ("thesis.tex", "numbers.npy", "empty.npy", ".0123456789abcdef.part", "a.npy.bak", "of others.npy")
    }
    for place in places.values():
        place.write_bytes(b"" if place.name == "empty.npy" else b"\x93NUMPY of somebody else")
    places["folder.npy"] = folder / "folder.npy"
    places["folder.npy"].mkdir()
    places["pipe.npy"] = folder / "pipe.npy"
    os.mkfifo(places["pipe.npy"])
    with socket.socket(socket.AF_UNIX) as made:
        here = os.getcwd()  # noqa: PTH109
        os.chdir(folder)  # the address of a socket is short
        made.bind("socket.npy")
        os.chdir(here)
    places["socket.npy"] = folder / "socket.npy"
    Cache(folder.parent / "elsewhere").put("linked", np.zeros(9))
    places["link.npy"] = folder / "link.npy"
    places["link.npy"].symlink_to(folder.parent / "elsewhere" / "linked.npy")
    places["aim"] = folder.parent / "elsewhere" / "linked.npy"
    return places


pipes = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


@pipes
def test_only_what_is_its_own_is_removed(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache", most_bytes=3000)
    cache.put("first", np.zeros(100))
    others = foreign(cache.folder)
    for key in range(40):
        cache.put(str(key), np.zeros(100))
    assert cache.get("39") is not None
    assert len(list(cache.folder.glob("[0-9]*.npy"))) < 4
    cache.clear()
    assert not list(cache.folder.glob("[0-9]*.npy"))
    assert [name for name, place in others.items() if not os.path.lexists(place)] == []


@pipes
@pytest.mark.parametrize("name", ["pipe", "socket", "link", "folder"])
def test_what_is_no_file_is_neither_opened_nor_written(name: str, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    cache.put("first", np.zeros(100))
    place = foreign(cache.folder)[f"{name}.npy"]
    before = place.lstat()
    assert cache.get(name) is None
    cache.put(name, np.zeros(3))
    assert cache.get(name) is None
    assert (place.lstat().st_ino, place.lstat().st_mode) == (before.st_ino, before.st_mode)


@pytest.mark.parametrize("content", [b"", b"my numbers", b"\x93NUMPY of somebody else", b"mtsig-cach", b"x" * 10**6])
def test_a_foreign_file_called_like_an_entry_is_not_replaced(content: bytes, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    cache.put("other", np.zeros(9))
    place = cache.folder / "key.npy"
    place.write_bytes(content)
    cache.put_all({"key": np.zeros(3), "new": np.zeros(3)})
    assert place.read_bytes() == content
    assert cache.get("key") is None
    assert cache.get("new") is not None


@pipes
def test_a_room_behind_a_link_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path / "cache"))
    Cache(tmp_path / "elsewhere").put("kept", np.zeros(9))
    Cache(tmp_path / "cache").put("made", np.zeros(9))
    (tmp_path / "cache" / "counts").symlink_to(tmp_path / "elsewhere")
    before = sorted((tmp_path / "elsewhere").iterdir())
    cache = users_cache("counts")
    assert cache is not None
    cache.put("new", np.zeros(9))
    cache.clear()
    assert cache.size() == (0, 0)
    assert sorted((tmp_path / "elsewhere").iterdir()) == before


@pytest.mark.parametrize(
    "tag", [None, b"", b"Signature: 8a477f597d28d172789f06886806bc55\n# This file is a cache directory tag of pip.\n"]
)
def test_a_folder_of_other_things_is_no_cache(
    tag: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path))
    (tmp_path / "counts").mkdir()
    (tmp_path / "counts" / "thesis.npy").write_bytes(b"of years")
    if tag is not None:
        (tmp_path / TAG).write_bytes(tag)
    with pytest.raises(InvalidOption, match=r"holds '(counts|CACHEDIR\.TAG)' and is not a cache of mtsig"):
        users_cache("counts")
    assert main(["cache", "--clear"]) == 2
    cache = Cache(tmp_path / "counts", root=tmp_path)
    cache.clear()
    with pytest.raises(InvalidOption):
        cache.put("key", np.zeros(3))
    assert [one.name for one in (tmp_path / "counts").iterdir()] == ["thesis.npy"]


@pipes
@pytest.mark.parametrize("is_link", [True, False])
def test_the_tag_of_another_program_is_neither_written_nor_followed(
    is_link: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path / "target"))
    tag, thesis = tmp_path / "target" / TAG, tmp_path / "thesis.tex"
    tag.parent.mkdir()
    (thesis if is_link else tag).write_bytes(b"of others")
    if is_link:
        tag.symlink_to(thesis)
    for verb in (["cache", "--clear"], ["score", "--data", str(SAMPLE), "--metric", "chrf"]):
        assert main(verb) == 2
    with pytest.raises(InvalidOption, match=r"holds 'CACHEDIR\.TAG' and is not a cache"):
        Cache(tmp_path / "target" / "counts", root=tmp_path / "target").put("key", np.zeros(3))
    assert (thesis if is_link else tag).read_bytes() == b"of others"
    assert [one.name for one in tag.parent.iterdir()] == [TAG]


@pytest.mark.parametrize("is_there", [True, False])
def test_an_empty_or_missing_folder_becomes_one(
    is_there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "deep" / "cache"
    if is_there:
        folder.mkdir(parents=True)
    monkeypatch.setenv("MTSIG_CACHE", str(folder))
    for _ in range(2):
        cache = users_cache("counts")
        assert cache is not None
        cache.put("key", np.zeros(3))
        assert cache.get("key") is not None
    assert (folder / TAG).read_bytes().startswith(b"Signature: 8a477f597d28d172789f06886806bc55\n")


@pipes
def test_a_pipe_in_the_cache_holds_no_verb_up(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    code = (
        "import os\nos.environ['MTSIG_CACHE'] = sys.argv.pop(1)\nfrom mtsig.cli import main\nraise SystemExit(main())"
    )
    Cache(folder).put("made", np.zeros(3))
    (folder / "counts").mkdir()
    os.mkfifo(folder / "counts" / "x.npy")
    done = limited(code, folder, "cache", "--clear")
    assert done.returncode == 0, done.stderr
    (folder / TAG).unlink()
    os.mkfifo(folder / TAG)
    assert limited(code, folder, "cache", "--clear").returncode == 2


@pytest.mark.parametrize("named", ["new\nline", "tab\tx", "   ", "\x1b[2J", "~nobody-is-called-this/x", "\u202ex"])
def test_a_folder_that_nobody_would_find_is_refused(
    named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MTSIG_CACHE", named)
    for verb in (["cache"], ["cache", "--clear"], ["score", "--data", str(SAMPLE), "--metric", "chrf"]):
        assert main(verb) == 2
        said = capsys.readouterr().err
        assert "MTSIG_CACHE" in said
        assert repr(named) in said
    assert list(tmp_path.iterdir()) == []


def test_a_folder_named_from_home_or_from_here_is_told_from_the_root_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    for named, place in (("~/x", tmp_path / "home" / "x"), ("deep/x", tmp_path / "deep" / "x")):
        monkeypatch.setenv("MTSIG_CACHE", named)
        assert main(["score", "--data", str(SAMPLE), "--metric", "chrf"]) == 0
        capsys.readouterr()
        assert main(["cache"]) == 0
        assert capsys.readouterr().out.splitlines()[0] == str(place)
        assert (place / TAG).is_file()


def test_who_asks_at_once_waits_for_one_who_works_it_out() -> None:
    asked: list[int] = []
    begun, go_on = Event(), Event()

    @remembered()
    def work(number: int) -> int:
        asked.append(number)
        begun.set()
        go_on.wait(180)
        return -number

    with ThreadPoolExecutor(3) as pool:
        waiting = [pool.submit(work, 1) for _ in range(3)]
        begun.wait(180)
        go_on.set()
        assert [future.result(180) for future in waiting] == [-1, -1, -1]
    assert asked == [1]


def test_two_results_are_worked_out_at_the_same_time() -> None:
    both = Barrier(2)

    @remembered()
    def work(number: int) -> int:
        both.wait(180)  # raises where nobody else comes
        return number

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(work, (1, 2))) == [1, 2]


def test_what_raises_is_asked_again_and_does_not_stop_who_waits() -> None:
    asked: list[int] = []

    @remembered()
    def work() -> int:
        asked.append(len(asked))
        if len(asked) == 1:
            raise ValueError
        return 7

    with pytest.raises(ValueError):
        work()
    assert (work(), work(), len(asked)) == (7, 7, 2)


def test_of_many_results_the_oldest_go() -> None:
    asked: list[int] = []

    @remembered(most=16)
    def work(number: int) -> int:
        asked.append(number)
        return number

    kept: dict[Any, int] = vars(work)["kept"]
    for number in range(100):
        work(number)
        assert len(kept) <= 16
    work(99)
    work(0)
    assert asked == [*range(100), 0]


def test_names_of_arguments_and_a_key_of_ones_own_tell_results_apart() -> None:
    @remembered()
    def both(first: int, second: int = 0) -> tuple[int, int]:
        return first, second

    assert (both(1, second=2), both(1, second=3), both(second=2, first=1)) == ((1, 2), (1, 3), (1, 2))

    @remembered(by=lambda things: len(things))
    def first_of(things: list[int]) -> int:
        return things[0]

    assert (first_of([1]), first_of([2]), first_of([3, 4])) == (1, 1, 3)
