"""The spool gives back what was dropped, to whoever has the token and to nobody else, for a day."""

import os
import stat
from pathlib import Path

import pytest
from mtsig_dashboard.serving._spool import KEPT_SECONDS, NAMES_SECONDS, Gone, Spool, Spooled

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


MINE, OTHER = "the owner's secret", "another's secret"


def put(spool: Spool, clock: Clock, *files: File, token: str | None = None, owner: str = MINE) -> str:
    token = spool.put(files, {"roles": {"sysA.txt": "system"}}, owner, token)
    os.utime(spool.folder / token, (clock(), clock()))
    return token


def test_what_was_dropped_comes_back(spool: Spool, clock: Clock) -> None:
    token = put(spool, clock, *FILES)
    assert spool.get(token, MINE) == Spooled(FILES, {"roles": {"sysA.txt": "system"}}, own=True)
    spool.choose(token, {"roles": {}}, MINE)
    assert spool.get(token, MINE) == Spooled(FILES, {"roles": {}}, own=True)


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
    assert spool.get(token, MINE) == Gone(())
    spool.forget(token, MINE)
    spool.choose(token, {}, MINE)
    assert isinstance(spool.get(kept, MINE), Spooled)
    assert put(spool, clock, *FILES, token=token) != token


def test_after_a_day_only_the_names_are_known_and_after_a_month_nothing(spool: Spool, clock: Clock) -> None:
    token = put(spool, clock, *FILES)
    clock.at += KEPT_SECONDS - 1
    assert isinstance(spool.get(token, MINE), Spooled)
    clock.at += KEPT_SECONDS - 1  # who looked at it kept it
    assert isinstance(spool.get(token, MINE), Spooled)
    clock.at += KEPT_SECONDS + 1
    assert spool.get(token, MINE) == Gone(("sysA.txt", "../../etc/ref", "empty"))
    spool.sweep()
    assert not (spool.folder / token).exists()
    assert spool.get(token, MINE) == Gone(("sysA.txt", "../../etc/ref", "empty"))
    os.utime(spool.folder / f"{token}.names", (clock() - NAMES_SECONDS - 1,) * 2)
    spool.sweep()
    assert list(spool.folder.iterdir()) == []
    assert spool.get(token, MINE) == Gone(())


def test_what_is_forgotten_leaves_nothing(spool: Spool, clock: Clock) -> None:
    token, other = put(spool, clock, *FILES), put(spool, clock, FILES[0])
    spool.forget(token, MINE)
    assert spool.get(token, MINE) == Gone(())
    assert {path.name for path in spool.folder.iterdir()} == {other, f"{other}.names"}


def test_the_least_recently_used_go_when_it_is_full(tmp_path: Path, clock: Clock) -> None:
    spool = Spool(tmp_path / "spool", most_bytes=2500, now=clock)
    tokens = []
    for number in range(3):
        clock.at += 10
        tokens.append(put(spool, clock, File(f"f{number}", b"x" * 1000)))
        if number == 1:
            clock.at += 10
            spool.get(tokens[0], MINE)
    spool.sweep()
    assert [isinstance(spool.get(token, MINE), Spooled) for token in tokens] == [True, False, True]
    # One that is bigger than the whole spool stays while it is the one in use.
    clock.at += 10
    big = put(spool, clock, File("big", b"x" * 9000))
    spool.sweep()
    assert isinstance(spool.get(big, MINE), Spooled)
    assert isinstance(spool.get(tokens[0], MINE), Gone)


def test_many_links_take_the_place_of_whoever_made_them(tmp_path: Path, clock: Clock) -> None:
    spool = Spool(tmp_path / "spool", now=clock, most=16)
    theirs = [put(spool, clock, *FILES, owner=f"visitor {number}") for number in range(3)]
    held = []
    for _ in range(60):
        clock.at += 1
        # Another's data, changed again and again: each copy is a few names on the disk and no bytes.
        put(spool, clock, FILES[0], token=theirs[0], owner="hostile")
        held.append(sum(path.is_dir() for path in spool.folder.iterdir()))
    assert max(held) == 16
    assert all(isinstance(spool.get(token, OTHER), Spooled) for token in theirs)
    for number in range(60):
        clock.at += 1
        token = put(spool, clock, FILES[0], owner=f"hostile {number}")
        assert isinstance(spool.get(token, OTHER), Spooled)
    assert sum(path.is_dir() for path in spool.folder.iterdir()) <= 16
    assert len(list(spool.folder.iterdir())) <= 16 + 2 * 16 + 1


def test_a_write_that_fails_leaves_what_was_there(spool: Spool, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    token = put(spool, clock, *FILES)
    written = []

    def failing(path: Path, data: bytes) -> None:
        written.append(path)
        if len(written) == 1:
            raise OSError(28, "No space left on device")
        path.write_bytes(data)

    monkeypatch.setattr("mtsig_dashboard.serving._spool._write", failing)
    with pytest.raises(OSError, match="No space"):
        spool.put((File("sysA.txt", b"new"), FILES[1]), {}, MINE, token)
    assert spool.get(token, MINE) == Spooled(FILES, {"roles": {"sysA.txt": "system"}}, own=True)
    assert [path.name for path in spool.folder.iterdir() if path.name.startswith(".")] == []


def test_a_damaged_folder_is_gone_not_an_error(spool: Spool, clock: Clock) -> None:
    token = put(spool, clock, *FILES)
    (spool.folder / token / "0001").unlink()
    assert spool.get(token, MINE) == Gone(("sysA.txt", "../../etc/ref", "empty"))


def test_who_does_not_own_it_changes_a_copy(spool: Spool, clock: Clock) -> None:
    token = put(spool, clock, *FILES)
    kept = Spooled(FILES, {"roles": {"sysA.txt": "system"}}, own=False)
    assert spool.get(token, OTHER) == kept
    chosen = spool.choose(token, {"stars": [1]}, OTHER)
    added = put(spool, clock, *FILES, File("more", b"x"), token=token, owner=OTHER)
    spool.forget(token, OTHER)
    assert len({token, chosen, added}) == 3
    assert spool.get(token, OTHER) == kept
    assert spool.get(token, MINE) == Spooled(kept.files, kept.chosen, own=True)
    assert spool.get(chosen, OTHER) == Spooled(FILES, {"stars": [1]}, own=True)
    assert spool.get(chosen, MINE) == Spooled(FILES, {"stars": [1]}, own=False)
    # What is his own by now is changed where it lies, and may go.
    assert spool.choose(chosen, {}, OTHER) == chosen
    assert put(spool, clock, FILES[0], token=added, owner=OTHER) == added
    spool.forget(chosen, OTHER)
    assert spool.get(chosen, OTHER) == Gone(())
    spool.forget(token, MINE)
    assert spool.get(added, OTHER) == Spooled(FILES[:1], {"roles": {"sysA.txt": "system"}}, own=True)


def test_a_copy_takes_no_room(tmp_path: Path, clock: Clock) -> None:
    spool = Spool(tmp_path / "spool", most_bytes=3000, now=clock)
    token = put(spool, clock, File("a", b"x" * 2000))
    clock.at += 10
    copy = put(spool, clock, File("a", b"x" * 2000), File("b", b"y"), token=token, owner=OTHER)
    assert (spool.folder / token / "0000").samefile(spool.folder / copy / "0000")
    assert all(isinstance(spool.get(each, MINE), Spooled) for each in (token, copy))


def test_another_text_under_the_same_name_is_another_file(spool: Spool, clock: Clock) -> None:
    token = put(spool, clock, File("a", b"x"))
    changed = put(spool, clock, File("a", b"z"), token=token, owner=OTHER)
    assert [spool.get(each, MINE).files[0].content for each in (token, changed)] == [b"x", b"z"]  # type: ignore[union-attr]


def test_a_disk_without_second_names_has_copies(spool: Spool, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    token = put(spool, clock, *FILES)
    monkeypatch.setattr(os, "link", refuse)
    for copy in (spool.choose(token, {}, OTHER), put(spool, clock, *FILES, token=token, owner=OTHER)):
        assert copy != token
        assert spool.get(copy, OTHER).files == FILES  # type: ignore[union-attr]


def test_no_secret_lies_on_the_disk(spool: Spool, clock: Clock) -> None:
    token = put(spool, clock, *FILES)
    assert MINE not in (spool.folder / token / "index.json").read_text()


def test_nobody_chooses_a_token(spool: Spool, clock: Clock) -> None:
    made_up = "A" * 22
    assert spool.choose(made_up, {"a": 1}, MINE) == made_up
    assert put(spool, clock, *FILES, token=made_up) != made_up
    assert spool.get(made_up, MINE) == Gone(())


def test_what_is_over_stays_its_owners(spool: Spool, clock: Clock) -> None:
    token = put(spool, clock, *FILES)
    clock.at += KEPT_SECONDS + 1
    spool.sweep()
    spool.forget(token, OTHER)
    assert spool.get(token, OTHER) != Gone(())
    assert put(spool, clock, *FILES, token=token, owner=OTHER) != token
    assert put(spool, clock, *FILES, token=token) == token
    spool.forget(token, MINE)
    assert spool.get(token, MINE) == Gone(())
