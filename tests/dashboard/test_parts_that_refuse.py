"""A part of a page that refuses says so in its place, and what comes after it is there: warnings above all."""

from itertools import permutations

import pytest
from kept import parts, worded
from made import DASHBOARD
from pages import at_page, at_tab, comparisons, group, lines, made_files, texts, uploaded, with_sample
from sampled import sampled

from mtsig.errors import NotApplicable


def few(count: int) -> dict[str, bytes]:
    return {name: b"".join(data.splitlines(keepends=True)[:count]) for name, data in made_files().items()}


def documents(names: list[str]) -> dict[str, bytes]:
    return made_files() | {"docids.txt": lines(names)}


def underivable() -> dict[str, bytes]:
    made = made_files()
    strange = list(permutations(("quail", "rook", "stork", "tern", "wren"), 4))
    return made | {"sys1.txt": lines(" ".join(strange[i]) for i in range(40))}


CASES = {
    "fewer than 20 segments": (few(12), "too few for a block scan", "Only 12 segments"),
    "one document": (documents(["d"] * 40), "1 document cannot show", "Only 1 document"),
    "every segment a document": (
        documents([f"d{i}" for i in range(40)]),
        "without document ids, blocks of neighbouring segments",
        "40",
    ),
    "no derivative": (underivable(), "jackknife is undefined here", "Only 40 segments"),
}


@sampled("case", CASES, most=1)
def test_later_parts_and_warnings_are_there(case: str):
    files, refusal, warning = CASES[case]
    at = at_tab(uploaded(files, None), "Documents")
    said = texts(at)
    assert refusal in said
    assert warning in said
    assert "Estimated: " in said
    assert any(one.proto.label.startswith(("How many ", "Plan the next")) for one in at.get("page_link"))
    said = texts(uploaded(files, "segments"))
    assert " comes from " in said or "is undefined" in said or "no segment has a share" in said
    assert "no variance to test against" not in said


@pytest.mark.parametrize("page", ["compare", "lab", "paper", "planning", "results", "segments"])
def test_a_page_that_fails_leads_on(page: str, monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object, **__: object) -> None:
        raise NotApplicable("Not with these data.")

    monkeypatch.setattr("mtsig_dashboard.parts.show.loaded", refuse)
    at = with_sample(page)
    worded(parts(texts(at), "Not with these"))
    assert at.main.get("page_link")


def test_links_that_lead_on_have_one_arrow_whatever_page_draws_them():
    drawing = [file.name for file in DASHBOARD.rglob("*.py") if ".page_link(" in file.read_text()]
    assert drawing == ["show.py"]


def test_the_planner_says_that_the_score_has_no_derivative():
    at = uploaded(underivable(), "planning")
    assert [one.value for one in at.error if "jackknife is undefined" in one.value and "neither power" in one.value]


def test_sacrebleu_does_not_print_sentence_means():
    at = with_sample(more="sentBLEU", as_sacrebleu="true")
    group(at, "metric").set_value([]).run()
    said = texts(at_tab(at, "Every test"))
    worded(parts(said, "its result cannot", "picking the smallest"))


def test_the_headline_of_the_audit_counts_what_is_shown():
    said = texts(at_tab(with_sample(None, first="direct", second="via-catalan"), "Every test"))
    rows = [row.split("</summary>")[0] for row in said.split("<details>")[1:]]
    own = [row for row in rows if "mtsig-dot" in row and "print" not in row]
    separate = sum(" better</span>" in row for row in own)
    assert separate > 0
    assert f"{separate} of {len(own)} tests find" in said or f"All of {len(own)} tests find" in said


def test_few_documents_are_refused_and_not_reported():
    said = texts(at_tab(uploaded(documents([f"d{i // 8}" for i in range(40)]), None), "Documents"))
    worded(parts(said, "5 documents cannot"))
    assert "show no dependence" not in said


def test_all_metrics_can_be_judged_together():
    at = with_sample(metric=["BLEU", "chrF2"], joined="true", unit="segment")
    assert at.checkbox(key="joined").value
    said = texts(at_page(at, "results"))
    worded(parts(said, "corrected together"), "20")
    assert "20 comparisons" in texts(at_page(at, "results"))
    at.checkbox(key="joined").uncheck().run()
    assert "corrected together" not in texts(at_page(at, "results"))
    assert "10 comparisons" in texts(at_page(at, "results"))


def test_the_matrix_says_what_could_have_been_found():
    at = with_sample("results")
    frame = comparisons(at)
    for verdict, detectable in zip(frame["Verdict"], frame["Detectable"], strict=True):
        assert (detectable == "") == verdict.endswith("better")
    worded(parts(texts(at), "would be detected"), "80% power")
