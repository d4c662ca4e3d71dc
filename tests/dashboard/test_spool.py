"""The spool gives back what was dropped, to whoever has the token and to nobody else, for a day."""

import os
import stat
from pathlib import Path

import pytest
from mtsig_dashboard.spool import KEPT_SECONDS, NAMES_SECONDS, Gone, Spool, Spooled

from mtsig.readers import File

FILES = (File("sysA.txt", b"one\ntwo\n"), File("../../etc/ref", "drei\n".encode("utf-16")), File("empty", b""))


class Clock:
    """A clock that goes on when told."""

    def __init__(self) -> None:
        self.at = 1_000_000_000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def spool(tmp_path: Path, clock: Clock) -> Spool:
    return Spool(tmp_path / "spool", now=clock)


def put(spool: Spool, clock: Clock, *files: File, token: str | None = None) -> str:
    token = spool.put(files, {"roles": {"sysA.txt": "system"}}, token)
    os.utime(spool.folder / token, (clock(), clock()))
    return token


def test_what_was_dropped_comes_back(spool: Spool, clock: Clock) -> None:
    token = put(spool, clock, *FILES)
    assert spool.get(token) == Spooled(FILES, {"roles": {"sysA.txt": "system"}})
    spool.choose(token, {"roles": {}})
    assert spool.get(token) == Spooled(FILES, {"roles": {}})


def test_only_this_user_may_read_it(spool: Spool, clock: Clock) -> None:
    token = put(spool, clock, *FILES)
    for path in [spool.folder, *spool.folder.rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    # No name of a visitor's file is a name on this disk.
    assert {path.name for path in (spool.folder / token).iterdir()} == {"0000", "0001", "0002", "index.json"}


def test_tokens_are_new_each_time_and_long(spool: Spool, clock: Clock) -> None:
    tokens = {put(spool, clock, *FILES) for _ in range(50)}
    assert len(tokens) == 50
    assert all(len(token) == 22 for token in tokens)


@pytest.mark.parametrize("token", ["", ".", "..", "../x", "a" * 21, "a" * 23, "/etc/passwd", "a" * 21 + "\n", "é" * 22])
def test_what_is_no_token_finds_and_removes_nothing(spool: Spool, clock: Clock, token: str) -> None:
    kept = put(spool, clock, *FILES)
    assert spool.get(token) == Gone(())
    spool.forget(token)
    spool.choose(token, {})
    assert isinstance(spool.get(kept), Spooled)
    assert put(spool, clock, *FILES, token=token) != token


def test_after_a_day_only_the_names_are_known_and_after_a_month_nothing(spool: Spool, clock: Clock) -> None:
    token = put(spool, clock, *FILES)
    clock.at += KEPT_SECONDS - 1
    assert isinstance(spool.get(token), Spooled)
    clock.at += KEPT_SECONDS - 1  # who looked at it kept it
    assert isinstance(spool.get(token), Spooled)
    clock.at += KEPT_SECONDS + 1
    assert spool.get(token) == Gone(("sysA.txt", "../../etc/ref", "empty"))
    spool.sweep()
    assert not (spool.folder / token).exists()
    assert spool.get(token) == Gone(("sysA.txt", "../../etc/ref", "empty"))
    os.utime(spool.folder / f"{token}.names", (clock() - NAMES_SECONDS - 1,) * 2)
    spool.sweep()
    assert list(spool.folder.iterdir()) == []
    assert spool.get(token) == Gone(())


def test_what_is_forgotten_leaves_nothing(spool: Spool, clock: Clock) -> None:
    token, other = put(spool, clock, *FILES), put(spool, clock, FILES[0])
    spool.forget(token)
    assert spool.get(token) == Gone(())
    assert {path.name for path in spool.folder.iterdir()} == {other, f"{other}.names"}


def test_the_least_recently_used_go_when_it_is_full(tmp_path: Path, clock: Clock) -> None:
    spool = Spool(tmp_path / "spool", most_bytes=2500, now=clock)
    tokens = []
    for number in range(3):
        clock.at += 10
        tokens.append(put(spool, clock, File(f"f{number}", b"x" * 1000)))
        if number == 1:
            clock.at += 10
            spool.get(tokens[0])
    spool.sweep()
    assert [isinstance(spool.get(token), Spooled) for token in tokens] == [True, False, True]
    # One that is bigger than the whole spool stays while it is the one in use.
    clock.at += 10
    big = put(spool, clock, File("big", b"x" * 9000))
    spool.sweep()
    assert isinstance(spool.get(big), Spooled)
    assert isinstance(spool.get(tokens[0]), Gone)


def test_a_write_that_fails_leaves_what_was_there(spool: Spool, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    token = put(spool, clock, *FILES)
    written = []

    def failing(path: Path, data: bytes) -> None:
        written.append(path)
        if len(written) == 2:
            raise OSError(28, "No space left on device")
        path.write_bytes(data)

    monkeypatch.setattr("mtsig_dashboard.spool._write", failing)
    with pytest.raises(OSError, match="No space"):
        spool.put(FILES[:2], {}, token)
    assert spool.get(token) == Spooled(FILES, {"roles": {"sysA.txt": "system"}})
    assert [path.name for path in spool.folder.iterdir() if path.name.startswith(".")] == []


def test_a_damaged_folder_is_gone_not_an_error(spool: Spool, clock: Clock) -> None:
    token = put(spool, clock, *FILES)
    (spool.folder / token / "0001").unlink()
    assert spool.get(token) == Gone(("sysA.txt", "../../etc/ref", "empty"))
