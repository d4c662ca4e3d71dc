"""Exact p-values and corrections on tiny data, known before this program was written."""

import numpy as np
import pytest

from golden.oracles import bleu_statistics, mean_statistics, oracle, rows_of
from mtsig import adjust
from mtsig._probability import monte_carlo_p
from mtsig.errors import NotApplicable
from mtsig.inference import CORRECTIONS, Family, compare
from mtsig.inference._significance import ApproximateRandomization
from mtsig.resampling import Swap


@pytest.mark.parametrize("name", ["tiny5", "tiny6", "small12"])
def test_randomization_of_few_units_is_exact(name: str) -> None:
    known, one = oracle("exact_AR_bleu")[name], compare(bleu_statistics(name), "ar")[0]
    first, second = rows_of(name)
    assert one.difference == pytest.approx(known["diff"], abs=1e-9)
    assert one.p_value == known["p"]
    assert one.exact
    assert one.n_differing == sum(not np.array_equal(x, y) for x, y in zip(first, second, strict=True))


def test_enumeration_does_not_depend_on_the_number_of_draws() -> None:
    # 2^11 arrangements are more than 100 draws, and still few enough to be enumerated for a single pair.
    one = compare(bleu_statistics("small12"), ApproximateRandomization(Swap(100)))[0]
    assert (one.p_value, one.exact) == (oracle("exact_AR_bleu")["small12"]["p"], True)


def test_scores_of_the_tiny_systems_are_those_of_sacrebleu() -> None:
    for name in ("tiny5", "tiny6", "small12", "mid100"):
        data = oracle("datasets")[name]
        assert bleu_statistics(name).scores == pytest.approx([data["bleuX"], data["bleuY"]], abs=1e-9)


def test_randomization_of_a_mean_from_outside_is_exact() -> None:
    known = oracle("segment_mean12")
    one = compare(mean_statistics([known["a"], known["b"]]))[0]
    assert one.difference == pytest.approx(known["mean_diff"], abs=1e-6)
    assert (one.p_value, one.exact) == (known["p"], True)


def test_jackknife_interval_of_a_mean_is_student_t() -> None:
    known = oracle("segment_mean12")
    one = compare(mean_statistics([known["a"], known["b"]]), interval="ij")[0]
    assert [one.ci_low, one.ci_high] == pytest.approx(known["t_ci95"], abs=1e-5)  # scores stand on a grid of 2^-20


def test_ties_count_against_the_null() -> None:
    known = oracle("ties12")
    one = compare(mean_statistics([known["d"], np.zeros(12)]))[0]
    assert one.p_value == known["p"]
    assert one.p_value != known["p_strict"]
    assert one.n_differing == np.count_nonzero(known["d"])


def test_documents_are_exchanged_whole() -> None:
    known = oracle("cluster_small12")
    statistics = bleu_statistics("small12", documents=known["docs"])
    one = compare(statistics.by_document(), "ar")[0]
    assert (one.p_value, one.exact, one.units, one.unit) == (known["p_ar"], True, 4, "document")
    with pytest.raises(NotApplicable):
        compare(statistics, ApproximateRandomization(Swap(unit="document")))


@pytest.mark.parametrize("differing", range(1, 6))
def test_one_sided_differences_reach_the_floor_and_no_further(differing: int) -> None:
    better = np.arange(30) < differing
    one = compare(mean_statistics([better, np.zeros(30)]), "ar")[0]
    assert one.p_value == oracle("degenerate")["one_sided_p"][differing - 1]


def family_with(p_values: list[float]) -> Family:
    """Return a family of five or ten comparisons with the given p-values, as if a test had found them."""
    systems = {10: 5, 5: 6}[len(p_values)]
    statistics = mean_statistics(np.arange(systems * 12.0).reshape(systems, 12) ** 1.5)
    family = compare(statistics, "bootstrap-ci", "all" if systems == 5 else "0")
    p = np.array(p_values)
    return family.changed(p_value=p, p_mc_low=p, p_mc_high=p)


@pytest.mark.parametrize("correction", ["bonferroni", "holm"])
@pytest.mark.parametrize("block", ["multipletests", "multipletests_RM_table2_AR", "multipletests_RM_table2_boot"])
def test_corrections_equal_statsmodels(block: str, correction: str) -> None:
    known = oracle("multipletests")[block]
    family = adjust(family_with(known["p"]), correction)
    assert family.p_adjusted == pytest.approx(known[correction], abs=1e-12)
    assert family.correction == correction


def test_holm_replaces_min_p_where_there_are_no_joint_draws() -> None:
    known = oracle("multipletests")["multipletests"]
    family = adjust(family_with(known["p"]), "minp")
    assert family.p_adjusted == pytest.approx(known["holm"], abs=1e-12)
    assert family.correction == "holm"
    assert "Holm" in family.notes[-1].text


def test_min_p_is_exact_by_complete_enumeration() -> None:
    known = oracle("westfall_young_exact")
    family = adjust(compare(mean_statistics(known["scores"])), "minp")
    assert family.complete
    assert family.difference == pytest.approx(known["mean_diff"], abs=1e-5)
    assert family.p_value.tolist() == known["raw_p_exact"]
    assert family.p_adjusted.tolist() == known["minP_step_down"]
    assert adjust(family, "holm").p_adjusted == pytest.approx(known["holm_of_raw"], abs=1e-12)


def test_min_p_from_draws_comes_near_the_exact_one(monkeypatch: pytest.MonkeyPatch) -> None:
    # 10 units have 512 arrangements: with fewer draws asked for, and enumeration forbidden, the family is simulated.
    monkeypatch.setattr("mtsig.inference._significance.MOST_TOGETHER", 0)
    known = oracle("westfall_young_exact")
    draws = 500
    family = adjust(compare(mean_statistics(known["scores"]), ApproximateRandomization(Swap(draws))), "minp")
    exact = np.array(known["minP_step_down"])
    assert not family.complete
    assert np.all(np.abs(family.p_adjusted - exact) <= 4 * np.sqrt(exact * (1 - exact) / draws) + 1 / (draws + 1))
    assert np.all(family.p_adjusted >= family.p_value)


def test_smallest_p_of_a_thousand_draws() -> None:
    found = monte_carlo_p(np.array([0]), 1000)
    assert found[0] == pytest.approx(oracle("monte_carlo")["min_p_1000"], abs=1e-15)


@pytest.mark.parametrize("spare", [0, -1])
def test_a_family_of_105_is_told_how_many_draws_it_needs(spare: int) -> None:
    needed = oracle("monte_carlo")["min_draws_105_at_05"]
    scores = np.random.default_rng(5).normal(size=(15, 40))
    family = adjust(compare(mean_statistics(scores), ApproximateRandomization(Swap(needed + spare))))
    told = [note.text for note in family.notes if "may not reach significance" in note.text]
    assert (len(family), bool(told)) == (105, spare < 0)
    assert spare == 0 or str(needed) in told[0]


def test_corrections_never_pass_one() -> None:
    for one in ("bonferroni", "holm"):
        assert adjust(family_with([0.9] * 10), CORRECTIONS[one]).p_adjusted.tolist() == [1.0] * 10
