"""Kept texts: a changed word fails, a fact fails by itself, and what is written anew is what tests say now."""

from collections.abc import Callable
from pathlib import Path

import kept
import pytest

from mtsig.corpus import Note

TEST = "tests/study/test_run.py::test_one"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of kept texts."""
    monkeypatch.setattr(kept, "SNAPSHOTS", tmp_path)
    return tmp_path


def holding(test: str = TEST, *, renew: bool = False) -> Callable[..., None]:
    """Return what a test holds its texts by, once it runs."""
    kept.kept(test, Path("/nowhere"), renew)
    return kept.worded


def test_a_text_fails_when_its_wording_changes_and_when_nothing_is_kept_of_it() -> None:
    with pytest.raises(AssertionError, match="--renew tests/study"):
        holding()("Only 9 documents are known.")
    holding(renew=True)("Only 9 documents are known.")
    holding()("Only 9 documents are known.")
    with pytest.raises(AssertionError, match="--renew tests/study"):
        holding()("Just 9 documents are known.")


def test_a_fact_is_asked_for_even_while_texts_are_written_anew(folder: Path) -> None:
    for said, fact in (("Only 19 documents.", 9), ("Only 9 documents.", "'A'"), (None, ""), ([], "")):
        with pytest.raises(AssertionError):
            holding(renew=True)(said, fact)
    assert not [*folder.iterdir()]


def test_texts_of_notes_of_several_and_of_sets_are_one_section_and_repeated_ones_no_second(folder: Path) -> None:
    hold = holding(renew=True)
    hold([Note("note", "Few."), "Fewer."])
    hold({"b", "a"})
    hold({"a", "b"})
    assert (folder / "study.txt").read_text() == f"=== {TEST}\nFew.\nFewer.\n=== {TEST} (2)\na\nb\n"


def test_only_the_tests_that_run_are_written_anew_and_calls_that_are_gone_leave_nothing(folder: Path) -> None:
    for test in (TEST, f"{TEST}_slow"):
        hold = holding(test, renew=True)
        hold("one")
        hold("two")
    holding(renew=True)("other")
    assert kept.sections("study") == {TEST: "other\n", f"{TEST}_slow": "one\n", f"{TEST}_slow (2)": "two\n"}


def test_parts_of_a_page_are_its_sentences_lines_and_cells() -> None:
    page = "<p>Only 9 documents. It is p < .01 here.</p><td>9 of 10</td>\nThe end"
    assert kept.parts(page, "9") == ["Only 9 documents.", "9 of 10"]
    assert kept.parts([page, "A note"], "p <", "note") == ["It is p < .01 here.", "A note"]
