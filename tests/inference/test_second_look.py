"""What a sceptical reader tried: few segments that differ, tests that err too often, one comparison, odd documents."""

from dataclasses import replace

import numpy as np
import pytest
from made import made_corpus, made_ratings, made_statistics, rated

from mtsig import Settings, adjust, audit, compare_runs, interval, measure, power_analysis, ranks, verdict
from mtsig.errors import NotApplicable
from mtsig.inference import TESTS, compare, equivalence, simulated_power, smallest_detectable
from mtsig.metrics import Statistics
from mtsig.report import comparison_table, method_text, runs_text
from mtsig.report.tables import runs_table


def nearly_alike(differing: int, n: int = 200) -> Statistics:
    """Two systems that differ on a few of n segments, always in favour of the first; a third one far behind."""
    noise = np.random.default_rng(5).normal(size=n)
    better = noise + np.where(np.arange(n) < differing, 0.5, 0.0)
    return rated([better, noise, noise - 3 + np.random.default_rng(6).normal(size=n)], ["A", "B", "C"])


TOO_OFTEN = [name for name, test in TESTS.items() if not test.controls_type1]


@pytest.mark.parametrize("name", TOO_OFTEN)
def test_a_test_that_errs_too_often_names_no_winner_and_no_ranks(name: str) -> None:
    statistics = measure(made_corpus(n=60, systems=3, documents=0), "bleu")
    family = Settings(test=name, draws=1000).family(statistics)
    assert {verdict(one).word for one in family} == {"undecided"}
    assert all("choose paired randomization" in str(verdict(one).reason) for one in family)
    assert all(smallest_detectable(one) is None for one in family)
    assert "without keeping any error rate" in method_text(family)
    assert any("anti-conservative" in note.text for note in family.notes)
    with pytest.raises(NotApplicable, match="err as often as they say"):
        ranks(family)


def test_those_that_err_too_often_are_known() -> None:
    assert TOO_OFTEN == ["bootstrap-rm2005", "sacrebleu-bs", "sacrebleu-ar"]


@pytest.mark.parametrize(("differing", "floor"), [(1, 1.0), (4, 0.125), (5, 0.0625)])
def test_where_hardly_any_segment_differs_the_table_says_that_nothing_can_be_found(
    differing: int, floor: float
) -> None:
    family = compare(nearly_alike(differing), "ar", [("A", "B")])
    assert family[0].p_value == pytest.approx(floor)
    assert smallest_detectable(family[0]) is None
    said = comparison_table(family).caption
    assert f"So few segments differ that no difference can be significant: A – B ({differing} of 200)." in said
    assert "Detectable" not in said


@pytest.mark.parametrize("differing", [1, 5, 9])
def test_power_and_margins_are_refused_where_hardly_any_segment_differs(differing: int) -> None:
    statistics = nearly_alike(differing)
    with pytest.raises(NotApplicable, match=f"differ on only {differing} of 200 segments"):
        power_analysis(statistics, "A", "B", 0.1)
    found = equivalence(statistics, "A", "B", 0.1)
    assert found.shown is None
    assert f"differ on only {differing} of 200 segments" in found.reason
    assert power_analysis(nearly_alike(10), "A", "B", 0.1, 0.1).needed is not None


def test_redraws_without_any_spread_find_nothing() -> None:
    # 12 of 200 differ; redraws of 8 units hold none of them in (188/200)^8 = 61% of cases: these find nothing.
    found = simulated_power(nearly_alike(12), "A", "B", 0.3, units=8, simulations=4000)
    assert found.power < 0.42


def test_simulated_power_follows_the_sign_of_the_metric() -> None:
    # A skewed difference: its mirror image under a metric where lower is better has the same power.
    gaps = np.where(np.arange(100) < 8, 6.0, 0.1)
    higher = rated([gaps, 0 * gaps])
    lower = rated([gaps, 0 * gaps], higher_is_better=False)
    one = simulated_power(higher, "A", "B", 0.6, simulations=2000)
    other = simulated_power(lower, "B", "A", 0.6, simulations=2000)
    assert one.power == pytest.approx(other.power, abs=1e-9)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_one_comparison_has_nothing_to_be_corrected_for(seed: int) -> None:
    statistics = made_statistics(n=16, systems=2)
    for name in ("ar", "bootstrap-shift", "bootstrap-t"):
        (one,) = Settings(test=name, draws=400, seed=seed).family(statistics)
        assert (one.p_adjusted, one.adjusted_low, one.adjusted_high) == (one.p_value, one.p_low, one.p_high)
    assert "one comparison" in method_text(Settings(seed=seed).family(statistics))


@pytest.mark.parametrize("name", ["ar", "bootstrap-shift", "bootstrap-t", "ij-t"])
@pytest.mark.parametrize("correction", ["minp", "minp-single", "maxt", "maxt-down", "holm", "bh"])
def test_company_makes_no_p_smaller(name: str, correction: str) -> None:
    family = adjust(Settings(test=name, draws=300).family(nearly_alike(6)), correction)
    assert np.all(family.p_adjusted >= family.p_value)


def test_classical_comparisons_are_called_what_they_are() -> None:
    family = Settings(correction="tukey", unit="segment").family(made_ratings(n=60, systems=3))
    assert "a test of its own" in method_text(family)
    assert "corrected by" not in method_text(family)
    assert "where all pairs of systems vary alike" in method_text(family)
    with pytest.raises(NotApplicable, match="tukey keeps it only where"):
        ranks(family)


def test_copies_given_as_runs_are_told() -> None:
    same = np.random.default_rng(2).normal(size=50)
    found = compare_runs(rated([same] * 4, ["X.run1", "X.run2", "Y.run1", "Y.run2"]), "X", "Y")
    said = runs_text(found) + " ".join(" ".join(row) for row in runs_table(found).texts)
    assert "nan" not in said
    assert "inf" not in said
    assert verdict(found).word == "undecided"
    assert "copies are no runs" in runs_text(found)
    assert "copies of one output" in runs_text(found)


def test_documents_of_very_unequal_length_are_warned_of() -> None:
    lengths = [191, *[1] * 9]
    documents = np.repeat(np.arange(10), lengths)
    statistics = replace(made_ratings(n=200, systems=2), document_of=documents)
    said = "10 documents of 1 to 191 segments judge their own spread like 2 equal ones; no verdict on fewer than 5."
    for notes in (compare(statistics).notes, interval(statistics).notes):
        assert any(note.text == f"{said} The longest holds 96%." for note in notes)
    assert {verdict(one).word for one in compare(statistics)} == {"undecided"}
    even = replace(statistics, document_of=np.repeat(np.arange(20), 10))
    assert not any("judge their own spread" in note.text for note in compare(even).notes)


@pytest.mark.parametrize("name", [name for name, test in TESTS.items() if test.controls_type1])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_few_differing_segments_name_a_winner_only_where_arrangements_are_counted(name: str, alternative: str) -> None:
    if name == "bootstrap-koehn" and alternative == "greater":
        return
    settings = Settings(test=name, unit="segment", alternative=alternative, draws=500)  # type: ignore[arg-type]
    (few,) = settings.family(nearly_alike(9), [("A", "B")])
    if few.exact or name == "ar":
        assert verdict(few).winner == "A"
    else:
        assert verdict(few).word == "undecided"
    (more,) = settings.family(nearly_alike(30), [("A", "B")])
    assert verdict(more).winner == (None if name == "bootstrap-koehn" else "A")


def test_enumerated_signed_ranks_are_called_exact() -> None:
    assert [compare(nearly_alike(k), "wilcoxon", [("A", "B")])[0].exact for k in (5, 25, 26)] == [True, True, False]


def test_one_comparison_is_tested_as_it_was_asked_to_be() -> None:
    statistics = made_ratings(n=60, systems=3)
    settings = Settings(correction="tukey", unit="segment", draws=500)
    family = settings.family(statistics, [("sys0", "sys1")])
    # Of two systems Tukey's p is that of the paired t test, whatever the test beside it.
    by_t = compare(statistics.select(["sys0", "sys1"]), "t")[0].p_value
    assert family[0].p_adjusted == pytest.approx(by_t, abs=1e-6)
    assert "p by Tukey HSD (classical), a test of its own" in method_text(family)
    assert "p of 1 (tukey)" in comparison_table(family).header
    table = comparison_table(Settings(draws=500).family(statistics, [("sys0", "sys1")]))
    assert not any(name.startswith("p of") for name in table.header)
    assert "Bonferroni" not in table.caption
    assert "p of 3 (minp)" in comparison_table(Settings(draws=500).family(statistics)).header


def test_a_win_rate_detects_nothing() -> None:
    family = compare(made_ratings(n=60, systems=2), "bootstrap-koehn")
    assert smallest_detectable(family[0]) is None
    assert "Detectable" not in comparison_table(family).caption


def test_too_few_shared_documents_carry_no_verdict() -> None:
    # Twelve documents, of which the second system has nine: the pair stands on nine.
    scores = np.random.default_rng(1).normal(size=(3, 120)) + np.array([[2.0], [0.0], [1.0]])
    documents = np.repeat(np.arange(12), 10)
    coverage = np.ones((3, 120), dtype=bool)
    coverage[1] = documents < 9
    statistics = replace(rated(scores), document_of=documents, available=coverage)
    family = compare(statistics)
    found = {(one.first, one.second): verdict(one) for one in family}
    assert "only 9 documents are known for both" in str(found["A", "B"].reason)
    assert found["A", "C"].winner == "A"
    with pytest.raises(NotApplicable, match="Only 9 documents are known for both A and B"):
        power_analysis(statistics, "A", "B", 0.5)
    assert {one.unit for one in audit(statistics, "A", "B", Settings(draws=100))} == {"segment"}
    assert {one.unit for one in audit(statistics, "A", "C", Settings(draws=100))} == {"document", "segment"}


def test_p_values_that_tie_at_their_floor_are_corrected_alike() -> None:
    # Two pairs of nine segments each, which all favour the first system: 2^-8 each, and either of the two 2^-7.
    noise = np.random.default_rng(3).normal(size=60)
    one, two = noise.copy(), noise.copy()
    one[:9] += np.linspace(0.5, 1.5, 9)
    two[20:29] += np.linspace(2.5, 0.5, 9)
    statistics = rated([noise, one, two], ["base", "one", "two"])
    family = Settings(draws=10_000).family(statistics, [("one", "base"), ("two", "base")])
    assert family.complete
    assert family.p_value.tolist() == [2.0**-8] * 2
    # Either of two independent signs of nine: 1 − (1 − 2^-8)^2.
    assert family.p_adjusted == pytest.approx([1 - (1 - 2.0**-8) ** 2] * 2)
