"""Sentences and legends call tests and corrections as people do; rows keep the names that users type."""

from kept import lacking

import mtsig
from mtsig.inference import TESTS
from mtsig.lab import EveryTest, Multiplicity, of_experiment, run
from mtsig.lab._every_pair import EveryTestPs
from mtsig.lab._reranking import label_of_test
from mtsig.lab._words import law_text


def test_tests_have_their_labels_in_the_sentence_and_the_legend() -> None:
    result = run(EveryTest(n_resamples=200), mtsig.measure(mtsig.read_sample(), "chrf"))
    assert isinstance(result, EveryTestPs)
    names = [trace.name for picture in of_experiment(result).values() for trace in picture.screen().data]
    for name in result.tests[1:]:
        assert f"{TESTS[name].label} " in law_text(result)
        assert TESTS[name].label in names
        assert f"{name} " not in law_text(result)
        assert name not in names
        assert name in result.rows()[0]


def test_corrections_have_their_labels_in_the_sentence_and_the_legend() -> None:
    plan = Multiplicity(size=30, simulations=50, n_resamples=99)
    result = run(plan, mtsig.measure(mtsig.read_sample(), "sentchrf"))
    names = {trace.name for picture in of_experiment(result).values() for trace in picture.screen().data}
    for label in ("uncorrected", "Bonferroni", "step-down min-P (Westfall–Young)"):
        assert f"{label} " in law_text(result)
        assert label in names
    assert {row["correction"] for row in result.rows()} == {"none", "bonferroni", "minp"}


def test_a_test_that_reranking_runs_by_another_unit_has_its_label_too() -> None:
    assert not lacking(label_of_test("jackknife-t by document"), "jackknife t", "by document")
    assert label_of_test("ar") == "paired randomization"
