"""A reload, the back button and a second tab find the data that were dropped, and nobody else does."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from kept import parts, worded
from mtsig_dashboard.serving._spool import KEPT_SECONDS, Spooled, users_spool
from mtsig_dashboard.session import Session
from mtsig_dashboard.state import short_digest
from pages import PAGES, address, app, at_page, group, lines, texts, uploaded, with_sample
from sampled import sampled
from streamlit.testing.v1 import AppTest

from mtsig._memory import users_folder
from mtsig.report import Naming
from mtsig.study import Star

FILES = {
    "ref.txt": lines(["the cat sat", "a dog ran", "it rained"]),
    "A.txt": lines(["the cat sat", "a dog run", "it rains"]),
    "B.txt": lines(["cats sit", "the dog ran", "it rained"]),
}


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path / "cache"))


def token_of(at: AppTest) -> str:
    token = at.query_params["data"]
    return token if isinstance(token, str) else str(token[0])


def spooled() -> set[str]:
    folder = users_folder()
    assert folder is not None
    return {path.name for path in (folder / "spool").iterdir()}


def test_a_reload_finds_the_dropped_files_again() -> None:
    first = uploaded(FILES)
    worded(parts(texts(first), "1 reference"), "2 systems", "3 segments")
    again = app(data=token_of(first))
    assert not again.exception
    worded(parts(texts(again), "1 reference"), "2 systems", "3 segments")
    assert token_of(again) == token_of(first)


def test_what_was_renamed_and_left_out_stays_so() -> None:
    first = uploaded(FILES)
    session = first.session_state["session"]
    parts = [part.with_role("ignored") if part.name == "B" else part for part in session.data.parts]
    session.load_parts(parts)
    again = app(data=token_of(first)).session_state["session"]
    assert [(part.name, part.role) for part in again.data.parts] == [(part.name, part.role) for part in parts]
    assert "ignored" in {part.role for part in again.data.parts}


def test_without_the_token_nothing_is_found() -> None:
    uploaded(FILES)
    assert "reference ·" not in texts(app())
    for guess in ("x" * 22, "../spool", ""):
        at = app(data=guess)
        assert not at.exception
        assert at.session_state["session"].data.parts == []


def test_data_that_are_gone_are_said_to_be_by_name() -> None:
    token = token_of(uploaded(FILES))
    place = users_folder() / "spool" / token  # type: ignore[operator]
    old = place.stat().st_mtime - KEPT_SECONDS - 60
    os.utime(place, (old, old))
    said = texts(app(data=token))
    assert "ref.txt, A.txt, B.txt" in said.replace("\\", "")
    worded(parts(said, "The data"))


def test_starting_over_removes_them_from_the_disk() -> None:
    at = uploaded(FILES)
    token = token_of(at)
    assert token in spooled()
    next(button for button in at.button if button.label == "Forget my data").click().run()
    assert spooled() == set()
    assert "data" not in at.query_params
    worded(parts(texts(app(data=token)), "The data"))


def test_a_switched_off_folder_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTSIG_CACHE", "off")
    at = uploaded(FILES)
    worded(parts(texts(at), "1 reference"), "2 systems", "3 segments")
    assert "data" not in at.query_params


def test_every_page_says_that_the_data_of_its_link_are_gone() -> None:
    for page in ("results", "compare", "planning", "paper", "trust", "test_sets", "preferences"):
        said = texts(app(page, data="x" * 22))
        assert "The data were deleted, or the address is wrong" in said.replace("\\", ""), page
        assert "No human ratings" not in said


def test_what_widgets_say_in_the_address_stays_on_the_way_to_another_page():
    at = with_sample("results", metric="chrF2", n_resamples="200", full_square="true")
    next(one for one in at.button if one.label == "Read the most influential segments").click().run()
    assert at.button(key="swap")  # a page of two systems
    said = address(at)
    assert (said["metric"], said["n_resamples"], said["data"]) == ("chrF2", "200", "sample")


def test_a_link_without_data_keeps_its_settings_until_the_data_are_dropped():
    at = app("results", metric="chrF2", correction="bonferroni", level="0.9", first="B", second="A")
    assert "No data yet" in texts(at)
    at.query_params.clear()  # as a browser's does on the way to another page
    at_page(at, "data")
    at.get("file_uploader")[0].set_value([(name, data, "text/plain") for name, data in FILES.items()]).run()
    said = address(at_page(at, "results"))
    assert (said["metric"], said["correction"], said["level"]) == ("chrF2", "bonferroni", "0.9")
    assert group(at, "metric").value == ["chrf"]
    assert at.selectbox(key="correction").value == "bonferroni"


def test_what_a_link_said_is_the_widgets_own_where_there_are_data():
    at = with_sample("results", metric="chrF2", full_square="true")
    assert at.session_state["session"].view.linked == {}


SHARED, OWN = "shared with you by a link", "your own data"


def kept_under(token: str) -> Spooled:
    spool = users_spool()
    assert spool is not None
    kept = spool.get(token, "nobody's secret")
    assert isinstance(kept, Spooled)
    return kept


def more(at: AppTest, **files: bytes) -> AppTest:
    """Add files, after a change of page, which takes the chips of the others away and leaves these."""
    at_page(at_page(at, "results"), "data")
    at.get("file_uploader")[0].set_value([(f"{name}.txt", data, "text/plain") for name, data in files.items()]).run()
    return at


def press(at: AppTest, label: str) -> AppTest:
    next(button for button in at.button if button.label == label).click().run()
    return at


def by_link(at: AppTest) -> tuple[AppTest, str, Spooled]:
    """Open a visitor's data as somebody else who has the link; return his page, the token and what lies under it."""
    token = token_of(at)
    other = app(data=token)
    assert SHARED in texts(other)
    assert token_of(other) == token
    return other, token, kept_under(token)


def test_who_dropped_them_is_told_that_they_are_his_own() -> None:
    said = texts(uploaded(FILES))
    assert OWN in said
    assert SHARED not in said
    assert OWN not in texts(with_sample())


def test_what_who_has_the_link_adds_is_his_own() -> None:
    first = uploaded(FILES)
    other, token, before = by_link(first)
    more(other, C=lines(["the cat sits", "a dog ran", "rain"]))
    worded(parts(texts(other), "1 reference"), "3 systems", "3 segments")
    assert OWN in texts(other)
    assert token_of(other) != token
    assert kept_under(token) == before
    worded(parts(texts(app(data=token)), "1 reference"), "2 systems", "3 segments")
    worded(parts(texts(app(data=token_of(other))), "1 reference"), "3 systems", "3 segments")
    # Another file of his goes where the first went, and the sender's next to the sender's.
    mine = token_of(other)
    more(other, D=lines(["the cat sits", "dog ran", "rain"]))
    assert token_of(other) == mine
    more(first, E=lines(["a cat", "a dog", "rain"]))
    assert token_of(first) == token
    assert [file.label for file in kept_under(token).files] == [*FILES, "E.txt"]


def test_what_who_has_the_link_removes_and_forgets_stays_the_senders() -> None:
    other, token, before = by_link(uploaded(FILES))
    next(box for box in other.multiselect if box.label == "Remove files").select("B.txt").run()
    press(other, "Remove")
    mine = token_of(other)
    assert mine != token
    assert [file.label for file in kept_under(mine).files] == ["ref.txt", "A.txt"]
    press(other, "Forget my data")
    assert spooled() == {token, f"{token}.names"}
    press(by_link(app(data=token))[0], "Forget my data")
    assert kept_under(token) == before


CHANGES: dict[str, Callable[[Session, str], object]] = {
    "a star": lambda session, digest: session.star(digest, 0),
    "runs of one system": lambda session, _: session.choose_runs({"A": "both", "B": "both"}),
    "names for the paper": lambda session, _: session.name_systems(Naming({"A": "Ours"})),
    "another role": lambda session, _: session.load_parts([part.with_role("ignored") for part in session.data.parts]),
    "the stars of a study": lambda session, _: session.take_stars(session.data.corpus, [Star(1, "a note")]),
}


@sampled("change", CHANGES, most=2)
def test_what_who_has_the_link_chooses_is_his_own(change: str) -> None:
    other, token, before = by_link(uploaded(FILES))
    session = other.session_state["session"]
    CHANGES[change](session, session.data.corpus.digest)
    other.run()
    assert token_of(other) != token
    assert OWN in texts(other)
    assert kept_under(token) == before
    after = kept_under(token_of(other))
    assert after.files == before.files
    assert after.chosen != before.chosen


@pytest.mark.slow
def test_looking_at_data_of_a_link_makes_no_copy() -> None:
    _, token, _ = by_link(uploaded(FILES))
    other = app("results", data=token, stars="000000000000.1")
    assert SHARED in texts(other)
    other.session_state["session"].choose_set("de-en")
    at_page(other, "compare")
    assert spooled() == {token, f"{token}.names"}


def test_no_page_makes_a_copy_of_what_it_shows() -> None:
    first = uploaded({**FILES, " \u00a0C\u00a0 .txt": FILES["A.txt"]})
    session = first.session_state["session"]
    session.star(session.data.corpus.digest, 1)
    session.choose_runs({"A": "both", "B": "both"})
    session.name_systems(Naming({"A": "Ours", "C": "Theirs"}, ("B",)))  # of outputs that are runs: no names of systems
    other, token, before = by_link(first.run())
    for page in (*PAGES, "paper", "learn"):
        at_page(other, page)
        assert spooled() == {token, f"{token}.names"}, page
        assert kept_under(token) == before, page


def test_a_link_of_somebody_else_adds_no_stars_to_what_its_owner_keeps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig_dashboard.session.secret_of", lambda _: "s" * 43)
    token = token_of(first := uploaded(FILES))
    before, digest = kept_under(token), first.session_state["session"].data.corpus.digest
    again = app("segments", data=token, stars=f"{short_digest(digest)}.1.2")
    assert OWN in texts(at_page(again, "data"))
    assert set(again.session_state["session"].selection.starred(digest)) == {0, 1}
    assert kept_under(token) == before


def test_a_browser_that_is_known_finds_its_data_its_own_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig_dashboard.session.secret_of", lambda _: "s" * 43)
    token = token_of(uploaded(FILES))
    again = more(app(data=token), C=lines(["the cat sits", "a dog ran", "rain"]))
    assert OWN in texts(again)
    assert token_of(again) == token
    assert len(kept_under(token).files) == 4
    monkeypatch.setattr("mtsig_dashboard.session.secret_of", lambda _: "t" * 43)
    assert SHARED in texts(app(data=token))
    monkeypatch.setattr("mtsig_dashboard.session.secret_of", lambda _: "s" * 43)
    press(app(data=token), "Forget my data")
    assert spooled() == set()


def test_data_put_aside_come_back_as_whose_they_were() -> None:
    first = uploaded(FILES)
    other, token, _ = by_link(first)
    for at, whose in ((first, OWN), (other, SHARED)):
        at.session_state["session"].put_aside()
        at.run()
        assert whose in texts(at)
        assert token_of(at) == token


def test_a_sample_that_was_put_aside_is_taken_up_once() -> None:
    at = with_sample("data")
    at.session_state["session"].put_aside()
    data = at.run().session_state["session"].data
    assert (bool(data.parts), data.aside) == (True, False)
    assert at.run().session_state["session"].data is data
