"""Comparisons over sets: order and side change nothing but signs, and notes name the sets that they are of."""

import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
import scipy
from kept import lacking, worded
from made import made_corpus
from made_sets import documents_of, made_sets, of, rated_corpus, segment_sets

from mtsig import Corpus, Settings, verdict
from mtsig import measure as measure_corpus
from mtsig.collection import Sets, compare, measure
from mtsig.collection._compare import seen_from
from mtsig.errors import NotApplicable, UnknownName
from mtsig.figures._sets import compared_in
from mtsig.report._over_sets import over_sets_texts, sets_tables


def test_a_pair_seen_from_the_other_side_changes_its_signs_and_nothing_else() -> None:
    corpora = {f"set{i}": made_corpus(60, 3, 20, seed=i) for i in range(5)}
    found = compare(measure(Sets.of(corpora), "chrf"))
    turned = seen_from(found, "sys1", "sys0")
    assert found.averages is not None
    assert turned.averages is not None
    one, other = (each[each.find("sys0", "sys1")] for each in (found.averages, turned.averages))
    assert (other.first, other.difference, other.ci_low, other.p_adjusted) == (
        "sys1", -one.difference, -one.ci_high, one.p_adjusted,
    )  # fmt: skip
    (beside,) = [each for each in found.described if {each.first, each.second} == {"sys0", "sys1"}]
    (back,) = [each for each in turned.described if {each.first, each.second} == {"sys0", "sys1"}]
    assert back.differences == tuple(-value for value in beside.differences)
    assert (back.first_leads, back.second_leads) == (beside.second_leads, beside.first_leads)
    assert beside.further is not None
    assert back.further is not None
    assert (back.further.mean, back.further.predict_low) == (-beside.further.mean, -beside.further.predict_high)
    for name, comparison in compared_in(turned, "sys1", "sys0").items():
        assert comparison.first == "sys1"
        assert comparison.difference == -compared_in(found, "sys0", "sys1")[name].difference
    assert seen_from(turned, "sys0", "sys1").described == found.described


QUICK = Settings(n_resamples=500)


@pytest.mark.parametrize("documents", [0, 12])
def test_one_set_is_the_comparison_of_that_set_to_the_digit(documents: int) -> None:
    corpus = made_corpus(60, 3, documents)
    sets = measure(Sets.of({"only": corpus}), "chrf")
    found = compare(sets, QUICK)
    assert found.averages is None
    assert found.replicated == ()
    assert found.families["only"].records == QUICK.family(measure_corpus(corpus, "chrf")).records


def test_the_order_of_sets_changes_nothing() -> None:
    rng = np.random.default_rng(3)
    sizes = [rng.integers(1, 9, 20), rng.integers(1, 9, 20), rng.integers(1, 5, 14)]
    sets = made_sets(rng, sizes, shared=True)
    turned = replace(sets, of=dict(reversed(list(sets.of.items()))))
    one, other = compare(sets, QUICK), compare(turned, QUICK)
    assert one.averages is not None
    assert other.averages is not None
    for name in ("difference", "standard_error", "df", "p_value"):
        assert getattr(one.averages, name) == pytest.approx(getattr(other.averages, name), rel=1e-9)
    for name, family in one.families.items():
        assert family.p_adjusted == pytest.approx(other.families[name].p_adjusted, rel=1e-12)


def test_a_pair_is_judged_on_the_sets_that_have_both_and_the_others_are_named() -> None:
    rng = np.random.default_rng(6)
    corpora = {name: rated_corpus(rng.normal(size=(3, 40)), documents_of([2] * 20)) for name in ("a", "b")}
    corpora["c"] = rated_corpus(rng.normal(size=(2, 40)), documents_of([2] * 20, "other"))
    found = compare(of(corpora), QUICK)
    assert {(one.first, one.second): one.sets for one in found.described} == {
        ("A", "B"): ("a", "b", "c"),
        ("A", "C"): ("a", "b"),
        ("B", "C"): ("a", "b"),
    }
    worded(found.notes, "B – C")
    assert [len(family) for family in found.families.values()] == [3, 3, 1]


def test_sentences_name_what_they_speak_of_and_put_contrary_sets_first() -> None:
    rng = np.random.default_rng(12)
    found = compare(made_sets(rng, [[2] * 40] * 5, shared=False, shift=[3, 3, 3, 3, -3], effect=0.1), QUICK)
    average_said, spread, further, replicated = over_sets_texts(found, 0)
    worded(average_said, "1 of 5", "5 test")
    worded(spread, "4", "1")
    worded(further)
    worded(replicated, "4 of the 5", "5%", "1 of the 5")


def test_sets_without_a_verdict_count_as_not_shown_and_where_all_are_nothing_is_said() -> None:
    # Documents of which one holds nearly all the text: ν is below 4, and the verdict of such a set withheld.
    rng = np.random.default_rng(4)
    unequal, equal = [60, *[1] * 14], [3] * 20
    found = compare(made_sets(rng, [unequal, equal, equal], shared=False, shift=[3, 3, 3]), QUICK)
    claim = next(one for one in found.replicated if one.first == "A")
    assert (claim.sets, claim.withheld, claim.least, claim.better_in) == (3, 1, 2, ("set1", "set2"))
    assert not lacking(over_sets_texts(found, 0)[-1], "1 set gives", "set1 and set2")
    lost = compare(made_sets(rng, [unequal] * 3, shared=False, shift=[3, 3, 3]), QUICK)
    assert {one.least for one in lost.replicated} == {0}
    assert not any("in at least" in text for text in over_sets_texts(lost, 0))


def test_sets_of_one_source_in_which_one_segment_differs_move_together() -> None:
    corpora = {}
    for seed in (36, 37, 38):
        good = made_corpus(21, 1, 12, seed=seed)
        lacking = ["", *good.lines("sys0")[1:]]
        outputs = {**good.outputs, "lacking": lacking}
        corpora[str(seed)] = Corpus.of(outputs, good.references, documents=good.documents)
    found = compare(measure(Sets.of(corpora), "sentter"), QUICK)
    worded(found.described[0].method)


def test_a_set_whose_reference_is_a_systems_own_output_counts_as_not_shown() -> None:
    good = made_corpus(60, 3, 0)
    kin = replace(good, references={**good.references, "refB": tuple(good.lines("sys2"))})
    found = compare(measure(Sets.of({"good": good, "kin": kin}), "bleu"), QUICK)
    row = next(one for one in found.families["kin"] if (one.first, one.second) == ("sys0", "sys2"))
    assert row.p_value < 0.001
    assert verdict(row).withheld == "reference"
    for one in found.replicated:
        assert one.withheld == ("sys2" in (one.first, one.second))
        assert "sys2" not in (one.first, one.second) or (one.least, one.p_values[-1]) == (0, 1.0)


def test_the_p_beside_an_f_is_that_of_the_f_and_corrected_ones_say_so() -> None:
    rng = np.random.default_rng(2)
    corpora = {f"set{j}": rated_corpus(rng.normal(size=(3, 60)), documents_of([3] * 20)) for j in range(2)}
    found = compare(of(corpora), QUICK)
    for number in range(3):
        average_said, spread = over_sets_texts(found, number)[:2]
        said = re.search(r"F\((\d+), (\d+)\) = ([\d.]+), p = ([\d.]+)(, p = [\d.]+ corrected for all pairs)?", spread)
        assert said is not None, spread
        df1, df2, f, p = map(float, said.groups()[:4])
        low, high = (scipy.stats.f.sf(f + off, df1, df2) for off in (0.006, -0.006))
        assert low - 1e-4 < p < high + 1e-4
        assert said[5] or p == 1 or p == found.described[number].p_adjusted
        assert re.search(r"adjusted p [=<] \S+, 3 averages", average_said)


def test_results_are_rows_and_tables() -> None:
    rng = np.random.default_rng(12)
    found = compare(made_sets(rng, [[2] * 15] * 5, shared=True), QUICK)
    rows = found.rows()
    assert [row["set"] for row in rows] == [*(f"set{j}" for j in range(5)), None]
    assert len(found.replicated) == 2
    assert [table.name for table in sets_tables(found)] == ["sets", "averages"]


def test_systems_that_meet_in_no_set_cannot_be_compared() -> None:
    scores = np.random.default_rng(1).normal(size=(1, 30))
    sets = of({"a": rated_corpus(scores), "b": rated_corpus(scores, systems="B")})
    with pytest.raises(NotApplicable, match="No test set contains two"):
        compare(sets)
    with pytest.raises(UnknownName, match="no system called 'Z'"):
        compare(sets, pairs="Z")


def test_pairs_are_chosen_as_ever() -> None:
    sets = segment_sets(False, (40, 30))
    everything = compare(sets, QUICK)  # type: ignore[arg-type]
    assert [(one.first, one.second) for one in everything.described] == list(combinations("ABC", 2))
    against = compare(sets, QUICK, "B")  # type: ignore[arg-type]
    assert [(one.first, one.second) for one in against.described] == [("A", "B"), ("C", "B")]
