"""A reload, the back button and a second tab find the data that were dropped, and nobody else does."""

import os
from pathlib import Path

import pytest
from mtsig_dashboard.spool import KEPT_SECONDS
from pages import address, app, at_page, group, lines, texts, uploaded, with_sample
from streamlit.testing.v1 import AppTest

from mtsig.cache import users_folder

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
    assert "1 reference · 2 systems · 3 segments" in texts(first)
    again = app(data=token_of(first))
    assert not again.exception
    assert "1 reference · 2 systems · 3 segments" in texts(again)
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
    assert "The data of this link are no longer here: drop the files again: ref.txt, A.txt, B.txt." in said


def test_starting_over_removes_them_from_the_disk() -> None:
    at = uploaded(FILES)
    token = token_of(at)
    assert token in spooled()
    next(button for button in at.button if button.label == "Forget my data").click().run()
    assert spooled() == set()
    assert "data" not in at.query_params
    assert "The data of this link are no longer here: drop the files again." in texts(app(data=token))


def test_a_switched_off_folder_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTSIG_CACHE", "off")
    at = uploaded(FILES)
    assert "1 reference · 2 systems · 3 segments" in texts(at)
    assert "data" not in at.query_params


def test_every_page_says_that_the_data_of_its_link_are_gone() -> None:
    for page in ("results", "compare", "planning", "paper"):
        assert "The data of this link are no longer here" in texts(app(page, data="x" * 22))


def test_what_widgets_say_in_the_address_stays_on_the_way_to_another_page():
    at = with_sample("results", metric="chrF2", draws="200", full_square="true")
    next(one for one in at.button if one.label == "Read the segments that decide it").click().run()
    assert at.title[0].value == "Segments"
    said = address(at)
    assert (said["metric"], said["draws"], said["data"]) == ("chrF2", "200", "sample")


def test_a_link_without_data_keeps_its_settings_until_the_data_are_dropped():
    at = app("results", metric="chrF2", correction="bonferroni", level="0.9", first="B", second="A")
    assert "There are no data yet." in texts(at)
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
