"""Several sets: how they are taken together is chosen on Test sets, and the Paper page writes the study of all."""

import pytest
from kept import parts, worded
from mtsig_dashboard import compute
from pages import address, at_page, figures, marks, texts
from streamlit.testing.v1 import AppTest

from dashboard.test_paper import downloads, said, upload
from dashboard.test_test_sets import NAMES, corpus_of, dropped, opened, sets_zip
from mtsig import Settings, metric
from mtsig.collection import Averaging, FamilyOverSets, Sets, compare, measure
from mtsig.report import Naming
from mtsig.report._over_sets import over_sets_texts
from mtsig.study import Request, Study, conduct
from mtsig.study._request import plan_text

SETTINGS = Settings(n_resamples=200)
WEIGHTS = {"en-cs": 5.0, "en-de": 1.0, "en-fr": 1.0, "en-it": 1.0, "en-ru": 0.0}
GIVEN = " ".join(f"{name}={weight:g}" for name, weight in WEIGHTS.items())


@pytest.fixture(scope="module")
def sets() -> Sets:
    return Sets.of({name: corpus_of(seed) for seed, name in enumerate(NAMES)})


def study_of(sets: Sets, **over: object) -> Study:
    asked = Averaging(**over) if over else None  # type: ignore[arg-type]
    return conduct(sets, Request((metric("bleu"),), SETTINGS, sets=asked))


def average_of_page(at: AppTest, found: FamilyOverSets) -> str:
    """Return what the library says of the average of the pair that the page shows."""
    pair = {at.selectbox(key="over_first").value, at.selectbox(key="over_second").value}
    assert found.averages is not None
    number = next(i for i, row in enumerate(found.averages) if {row.first, row.second} == pair)
    return over_sets_texts(found, number)[0]


def test_weights_units_and_family_are_chosen_and_stand_in_the_address(sets: Sets) -> None:
    at = opened(sets_zip())
    usual = compare(measure(sets, "bleu"), SETTINGS)
    assert average_of_page(at, usual) in texts(at)
    at.selectbox(key="over_weights").set_value("given").run()
    at.text_input(key="over_given").set_value(GIVEN).run()
    at.selectbox(key="over_units").set_value("separate").run()
    at.selectbox(key="over_family").set_value("per-set").run()
    assert not at.error, [one.value for one in at.error]
    ours = compare(
        measure(sets, "bleu", sharing="separate"), SETTINGS, averaging=Averaging(weights=WEIGHTS, family="per-set")
    )
    assert average_of_page(at, ours) in texts(at)
    assert average_of_page(at, ours) != average_of_page(at, usual)
    worded(parts(texts(at), "family of its"))
    expected = {"over_weights": "given", "over_given": GIVEN, "over_units": "separate", "over_family": "per-set"}
    assert {key: address(at)[key] for key in expected} == expected
    # The Paper page writes the same question.
    assert "weights given by name" in said(at_page(at, "paper")) or "en-cs 0.625" in said(at)
    at = opened(sets_zip(), **expected)
    assert average_of_page(at, ours) in texts(at)


@pytest.mark.slow
def test_a_choice_that_these_sets_refuse_is_told_and_takes_nothing_else_away() -> None:
    at = opened(sets_zip())
    at.selectbox(key="over_separate").set_value("wilcoxon-holm").run()
    worded(parts(texts(at), "among 3 pairs"), "5 sets")
    assert not at.error
    assert {"Set by set in numbers and words", "Every average"} <= {one.label for one in at.expander}
    at.selectbox(key="over_separate").set_value("nemenyi").run()
    assert "among 3 pairs" not in texts(at)
    at.selectbox(key="over_weights").set_value("given").run()
    at.text_input(key="over_given").set_value("en-cs=x").run()
    assert [one.value for one in at.error if "Weights must be equal, segments" in one.value]


def test_the_paper_page_writes_the_study_of_all_sets_under_its_names(sets: Sets) -> None:
    at = dropped(sets_zip())
    at.session_state["session"].selection.naming = Naming({"sys0": "ours"})
    at = at_page(at, "paper")
    assert not at.error, [one.value for one in at.error]
    text = said(at)
    worded(parts(text, "5 test sets"), "15 comparisons", "BLEU")
    assert "ours" in text
    assert {"PDF", "LaTeX", "Report", "Study"} <= set(downloads(at))
    for title in ("Systems × sets", "Ranks over sets"):
        at.selectbox(key="paper_figure").set_value(title).run()
        assert not at.error
    # And that of one set, as before.
    next(one for one in at.get("button_group") if one.key == "paper_of").set_value("en-cs").run()
    assert "of 3 comparisons" in said(at)


@pytest.mark.slow
def test_a_saved_study_over_sets_is_shown_and_held_against_the_sets(sets: Sets) -> None:
    saved = study_of(sets).text().encode()
    at = upload(at_page(dropped({}), "paper"), "study_file", "study.json", saved)
    worded(parts(texts(at), "The documents below", "5 test sets"), "15 comparisons", "BLEU")
    at = upload(at_page(dropped(sets_zip()), "paper"), "study_file", "study.json", saved)
    assert any("Reproduced exactly" in one.value for one in at.success)
    other = sets_zip(NAMES[:4])
    at = upload(at_page(dropped(other), "paper"), "study_file", "study.json", saved)
    worded(parts(texts(at), "The set en-ru"))


def test_a_plan_that_fixes_sets_is_followed(sets: Sets) -> None:
    over = Averaging(NAMES, weights="segments")
    plan = plan_text(Request((metric("bleu"),), SETTINGS, sets=over)).encode()
    at = upload(at_page(dropped(sets_zip()), "paper"), "plan_file", "plan.toml", plan)
    assert not at.error, [one.value for one in at.error]
    worded(parts(texts(at), "Planned: these results"))
    assert figures(at) == []


TWO = ("en-cs", "en-de")


def added(at: AppTest) -> AppTest:
    """Drop a zip with a third set beside two, on the Data page."""
    at = at_page(at, "data")
    files = sets_zip((*TWO, "en-fr"))
    at.get("file_uploader")[0].set_value([(name, data, "application/zip") for name, data in files.items()]).run()
    assert at.session_state["session"].data.set_names == [*TWO, "en-fr"]
    return at


@pytest.mark.slow
def test_a_set_that_is_added_later_is_in_the_study_of_the_paper_too() -> None:
    at = at_page(added(opened(sets_zip(TWO))), "paper")
    assert not at.error, [one.value for one in at.error]
    assert "3 test sets" in said(at)


@pytest.mark.slow
def test_the_paper_asks_what_the_address_says_before_the_boxes_were_drawn() -> None:
    expected = {"over_weights": "segments", "over_family": "per-set"}
    at = at_page(dropped(sets_zip(TWO), **expected), "paper")
    assert not at.error, [one.value for one in at.error]
    worded(parts(said(at), "family of its"))
    assert "weights:segments" in said(at)
    # So a reload of this page, or of any other, finds it again.
    assert {key: address(at)[key] for key in expected} == expected
    at = at_page(at, "results")
    assert {key: address(at)[key] for key in expected} == expected
    at = at_page(at, "test_sets")
    assert at.selectbox(key="over_family").value == "per-set"
    at.selectbox(key="over_family").set_value("joint").run()
    at = at_page(at, "paper")
    assert "over_family" not in address(at)
    assert "family of its" not in said(at)


@pytest.mark.slow
def test_given_weights_reach_the_paper_by_the_address_alone() -> None:
    at = at_page(dropped(sets_zip(TWO), over_weights="given", over_given="en-cs=3 en-de=1"), "paper")
    assert not at.error, [one.value for one in at.error]
    assert "en-cs 0.75" in said(at)
    assert address(at)["over_given"] == "en-cs=3 en-de=1"


def test_the_button_tells_where_something_else_than_the_default_was_chosen() -> None:
    at = opened(sets_zip(TWO))
    assert "Averaging" in marks(at)
    at.selectbox(key="over_family").set_value("per-set").run()
    assert "Averaging (changed)" in marks(at)
    assert "Averaging" not in marks(at)


def test_sets_with_metrics_of_their_own_are_not_counted_by_the_common_one(
    sets: Sets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mtsig_dashboard.memory.remembered", lambda _key, work: work())
    monkeypatch.setattr(compute, "worked", lambda _text, work, *args: work(*args))
    monkeypatch.setattr(compute, "measured_sets", lambda *_: pytest.fail("counted, and counted again"))
    over = Averaging(own={"en-cs": ("bleu:tokenize=char",)})
    study = compute.study_over_sets(sets, Request((metric("bleu"),), SETTINGS, sets=over))
    assert study.text() == study_of(sets, own={"en-cs": ("bleu:tokenize=char",)}).text()
