"""The auditor: one pair, every test, for every unit that the data allow; nothing raises, and problems are said."""

from dataclasses import replace

import numpy as np
import pytest
from kept import worded
from made import edited_reference, made_corpus, made_ratings, made_statistics, rated

from mtsig import Settings, audit, measure, verdict
from mtsig.errors import NotApplicable, UnknownName
from mtsig.inference import TESTS, Audit, compare
from mtsig.inference._significance import must_be_named
from mtsig.metrics import Statistics
from mtsig.report._diagnostics import audit_text

QUICK = Settings(n_resamples=200)
ON_MEANS = {"t", "wilcoxon", "wmt-wilcoxon", "sign"}
SEGMENTS_ONLY = ON_MEANS | {"sacrebleu-bs", "sacrebleu-ar"}


def names(found: Audit, unit: str) -> list[str]:
    return [one.test for one in found if one.unit == unit]


@pytest.fixture(scope="module")
def with_documents() -> Statistics:
    return measure(made_corpus(n=60, documents=12), "bleu")


def test_every_test_has_a_row_for_each_unit(with_documents: Statistics) -> None:
    found = audit(with_documents, "sys0", "sys2", QUICK)
    assert names(found, "segment") == list(TESTS)
    assert names(found, "document") == [name for name in TESTS if name not in SEGMENTS_ONLY]
    assert found.audited[0].unit == "document"  # the unit of the analysis first
    turned = audit(with_documents, "sys0", "sys2", replace(QUICK, unit="segment"))
    assert turned.audited[0].unit == "segment"


@pytest.mark.parametrize("documents", [0, 9])
def test_too_few_documents_leave_segments_alone(documents: int) -> None:
    found = audit(measure(made_corpus(documents=documents), "bleu"), "sys0", "sys1", QUICK)
    # These segments are alike by chance: without document ids blocks of them stand in for documents.
    assert {one.unit for one in found} == ({"segment"} if documents else {"block", "segment"})


def test_rows_say_what_the_test_says_by_itself(with_documents: Statistics) -> None:
    found = audit(with_documents, "sys0", "sys2", QUICK)
    for one in found:
        if one.problem is not None:
            continue
        settings = replace(QUICK, test=one.test, unit=one.unit, interval=TESTS[one.test].interval, correction="none")
        alone = settings.family(with_documents, [("sys0", "sys2")])[0]
        assert one.p_value == pytest.approx(alone.p_value, nan_ok=True)
        assert (one.ci_low, one.ci_high, one.bootstrap_win_rate) == (
            alone.ci_low,
            alone.ci_high,
            alone.bootstrap_win_rate,
        )
        assert found.difference == pytest.approx(alone.difference)


def test_problems_are_said_where_a_test_is_not_for_the_metric(with_documents: Statistics) -> None:
    problems = {one.test: one.problem for one in audit(with_documents, "sys0", "sys1", QUICK) if one.problem}
    assert set(problems) == ON_MEANS
    assert all("sentBLEU" in text for text in problems.values())
    ratings = {one.test: one.problem for one in audit(made_ratings(), "sys0", "sys1", QUICK) if one.problem}
    assert set(ratings) == {"sacrebleu-bs", "sacrebleu-ar"}


def test_every_row_says_why_it_differs_and_what_it_is_about() -> None:
    for one in audit(made_statistics(), "sys0", "sys1", QUICK):
        assert one.differs.endswith(".")
        assert one.assumes
        assert one.estimand


def test_those_that_only_reproduce_what_others_print_are_marked() -> None:
    found = audit(made_statistics(), "sys0", "sys1", QUICK)
    printed = {one.test for one in found if one.printed_only}
    assert printed == {"bootstrap-rm2005", "sacrebleu-bs", "sacrebleu-ar"}


def hard_cases() -> dict[str, Statistics]:
    plain = made_statistics(n=30, systems=2)
    no_four_grams = plain.values.copy()
    no_four_grams[5, 1] = 0
    return {
        "identical": replace(plain, values=np.ascontiguousarray(plain.values[:, [0, 0]])),
        "no four-gram": replace(plain, values=no_four_grams),
        "two segments": replace(plain, values=np.ascontiguousarray(plain.values[..., :2])),
        "one amount": rated([np.arange(8.0) + 1, np.arange(8.0)], ["sys0", "sys1"]),
        "documents already": measure(made_corpus(systems=2), "bleu").by_document(),
    }


@pytest.mark.parametrize("case", list(hard_cases()))
def test_nothing_raises_on_hard_data(case: str) -> None:
    found = audit(hard_cases()[case], "sys0", "sys1", QUICK)
    assert {one.test for one in found} >= set(TESTS) - SEGMENTS_ONLY
    for one in found:
        assert np.isnan(one.p_value) or 0 < one.p_value <= 1
        open_still = one.p_mc_low <= 0.05 < one.p_mc_high
        # Koehn's criterion needs no p, and a test that has to be asked for answers with the draws that were made.
        settled = must_be_named(one.test, one.unit) or not open_still
        answers = TESTS[one.test].by_wins or (one.has_p and settled)
        assert (one.significant is None) == (not answers or one.problem is not None)


def test_one_sided_settings_do_not_stop_the_audit() -> None:
    # Tests that have no sides are told apart, not fatal.
    found = audit(made_statistics(n=40, systems=2), "sys0", "sys1", replace(QUICK, alternative="greater"))
    assert {one.test for one in found} == set(TESTS)


def test_a_system_is_not_audited_against_itself() -> None:
    with pytest.raises(NotApplicable, match="itself"):
        audit(made_statistics(), "sys0", "sys0", QUICK)


def test_unknown_systems_are_answered_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match="sys0, sys1"):
        audit(made_statistics(), "sys0", "nobody", QUICK)


def test_frames_have_a_row_per_test() -> None:
    found = audit(made_statistics(), "sys0", "sys1", QUICK)
    frame = found.to_frame(all_columns=True)
    assert frame["test"].tolist() == list(TESTS)
    assert set(frame["first"]) == {"sys0"}
    assert frame["p_value"].notna().sum() == 9


def test_the_auditor_does_not_hang_on_company() -> None:
    many = made_statistics(n=50, systems=4)
    one, other = (audit(s, "sys0", "sys2", QUICK) for s in (many, many.select(["sys0", "sys2"])))
    assert [r.p_value for r in one] == pytest.approx([r.p_value for r in other], nan_ok=True)
    assert one.difference == other.difference == pytest.approx(compare(many, pairs=[("sys0", "sys2")])[0].difference)


def apart(sizes: list[int]) -> Statistics:
    """Return two systems far apart in documents of these sizes."""
    rng = np.random.default_rng(4)
    base = rng.normal(70, 10, sum(sizes))
    return rated([base + rng.normal(4, 3, len(base)), base], documents=np.repeat(np.arange(len(sizes)), sizes))


@pytest.mark.parametrize("sizes", [[100, *[5] * 12], [10] * 12, [4] * 50])
def test_every_test_has_the_verdict_that_compare_gives_by_it(sizes: list[int]) -> None:
    statistics = apart(sizes)
    for one in audit(statistics, "A", "B", QUICK):
        if one.problem is None:
            settings = replace(QUICK, test=one.test, unit=one.unit, interval=TESTS[one.test].interval)
            alone = verdict(settings.family(statistics, [("A", "B")])[0])
            told = (one.verdict, one.winner, one.withheld_reason, one.caution)
            assert told == (alone.word, alone.winner, alone.withheld_reason, alone.caution)


def test_over_documents_that_carry_no_verdict_every_other_test_answers_with_a_caution() -> None:
    found = audit(apart([100, *[5] * 12]), "A", "B", QUICK)
    for one in found:
        if one.unit == "document" and one.test == "jackknife-t":
            assert (one.verdict, one.caution) == ("withheld", "")
        elif one.unit == "document" and one.problem is None:
            assert one.verdict == "better"
            assert one.caution
    said = audit_text(found, "document")
    worded(said, "5 of 6", "A and B", "2")
    texts = [note.text for note in found.notes]
    worded(texts, "13 documents", "5 to 100")


def test_the_fall_back_to_segments_is_said() -> None:
    whole = apart([10] * 15)
    coverage = np.ones((2, 150), dtype=bool)
    coverage[1, 80:] = False
    found = audit(replace(whole, values=np.where(coverage, whole.values, 0), available=coverage), "A", "B", QUICK)
    assert {one.unit for one in found} == {"segment"}
    (told,) = [note for note in found.notes if note.text.startswith("Only 8 documents are known for both A and B")]
    assert told.level == "warning"
    worded(told.text)
    assert not any("known for both" in note.text for note in audit(whole, "A", "B", QUICK).notes)


def test_what_a_kin_wins_by_its_reference_separates_nothing() -> None:
    corpus = edited_reference()
    statistics = measure(corpus, "bleu")
    other = next(name for name in corpus.systems if name != "kin")
    found = audit(statistics, "kin", other, QUICK)
    said = [one.verdict for one in found if one.problem is None]
    assert set(said) <= {"withheld", "not_significant"}
    assert "withheld" in said
    worded(found.audited[0].withheld_reason)
    worded(found.notes, "'B'")
    with pytest.raises(NotApplicable, match="9,000,000 resamples with 72 scores each are too many"):
        audit(statistics, "kin", other, n_resamples=9_000_000)
    bare = audit(replace(statistics, kinships=()), "kin", other, QUICK)
    worded(audit_text(bare))


def test_one_unit_alone_says_what_it_says_beside_the_other(with_documents: Statistics) -> None:
    both = audit(with_documents, "sys0", "sys2", QUICK)
    alone = audit(with_documents, "sys0", "sys2", QUICK, every_unit=False)
    assert alone.units == both.units == ("document", "segment")
    assert repr(alone.rows()) == repr([row for row in both.rows() if row["unit"] == "document"])
    turned = audit(with_documents, "sys0", "sys2", replace(QUICK, unit="segment"), every_unit=False)
    assert repr(turned.rows()) == repr([row for row in both.rows() if row["unit"] == "segment"])
