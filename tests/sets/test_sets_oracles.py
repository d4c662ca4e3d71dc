"""The numbers of other programs: oracles_sets.json, textbook formulas, and sums written out."""

import json
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from mtsig import Settings
from mtsig.arrays import Floats, Index
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.report._methods import _ranked
from mtsig.sets import (
    FamilyOverSets,
    SetRanks,
    average,
    compare,
    measure,
    pair_over_sets,
    partial_conjunction,
    random_effects,
    rank_over_sets,
    read_sets,
)
from mtsig.sets.ranks import cliques
from mtsig.sets.replicability import least_number, replicability
from mtsig.sets.separations import SEPARATIONS, Separated, SeparationOfRanks


@pytest.fixture(scope="module")
def oracles(shared: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "oracles_sets.json").read_text())
    return found


# --- made oracles -----------------------------------------------------------------------------------------------------


def test_the_mean_over_further_sets_is_the_textbooks(oracles: dict[str, Any]) -> None:
    meta = oracles["meta"]
    found = random_effects(np.array(meta["d"]), np.diag(np.square(meta["se"])))
    assert found is not None
    assert found.tau2 == pytest.approx(meta["tau2"], abs=1e-9)
    assert (found.mean, found.standard_error) == pytest.approx((meta["mean"], meta["se_hk"]), abs=1e-9)
    assert (found.ci_low, found.ci_high) == pytest.approx((meta["low"], meta["high"]), abs=1e-9)
    assert (found.predict_low, found.predict_high) == pytest.approx(
        (meta["predict_low"], meta["predict_high"]), abs=1e-9
    )
    assert (found.q, found.i2) == pytest.approx((meta["Q"], meta["I2"]), rel=1e-12)
    assert stats.chi2.sf(found.q, len(meta["d"]) - 1) == pytest.approx(meta["Q_p"], rel=1e-9)
    assert found.i2_low < found.i2 < found.i2_high
    assert not found.truncated


def test_sets_that_agree_better_than_chance_have_no_spread_and_no_smaller_error() -> None:
    y, v = np.array([1.0, 1.01, 0.99, 1.0, 1.02]), np.diag([0.1, 0.2, 0.1, 0.3, 0.2])
    found = random_effects(y, v)
    assert found is not None
    assert (found.tau2, found.truncated, found.i2, found.i2_low) == (0.0, True, 0.0, 0.0)
    w = 1 / np.diag(v)
    assert found.mean == pytest.approx(float(w @ y / w.sum()))
    assert found.standard_error == pytest.approx(float(w.sum() ** -0.5))
    assert found.predict_high == pytest.approx(found.ci_high)


def test_with_shared_units_the_mean_is_that_of_generalised_least_squares() -> None:
    rng = np.random.default_rng(4)
    root = rng.normal(size=(6, 9))
    v, y = root @ root.T, rng.normal(0, 6, 6)
    found = random_effects(y, v)
    assert found is not None
    inverse, one = np.linalg.inv(v + found.tau2 * np.eye(6)), np.ones(6)
    mean = one @ inverse @ y / (one @ inverse @ one)
    assert found.mean == pytest.approx(mean, rel=1e-9)
    if found.tau2 > 0:
        assert (y - mean) @ inverse @ (y - mean) == pytest.approx(5.0, rel=1e-9)
        assert found.standard_error == pytest.approx((one @ inverse @ one) ** -0.5, rel=1e-9)


def test_without_an_inverse_there_is_no_mean() -> None:
    assert random_effects(np.array([1.0, 2.0]), np.ones((2, 2))) is None
    assert random_effects(np.array([1.0, 2.0, 3.0]), np.diag([1.0, 0.0, 1.0])) is None


@pytest.mark.parametrize("combination", ["bonferroni", "fisher"])
def test_in_how_many_sets(oracles: dict[str, Any], combination: Any) -> None:
    oracle = oracles[f"partial_conjunction_{combination}"]
    found = partial_conjunction(np.array(oracle["p"]), combination)
    assert found == pytest.approx(np.array(oracle["p_u"]), abs=1e-12)
    assert least_number(found, 0.05) == oracle["k_hat"]


def test_partial_conjunction_is_what_it_says_by_hand() -> None:
    p = np.array([0.01, np.nan, 0.04, 0.02])
    assert partial_conjunction(p).tolist() == pytest.approx([0.04, 0.06, 0.08, 1.0])
    assert least_number(partial_conjunction(p), 0.05) == 1
    with pytest.raises(InvalidOption, match="bonferroni or fisher"):
        partial_conjunction(p, "stouffer")  # type: ignore[arg-type]


def test_in_how_many_sets_all_pairs_share_alpha_and_a_withheld_set_counts_as_one() -> None:
    level = 0.05 / (2 * 3)
    p = np.array([[5e-05, 9e-05, 0.0002, 0.004], [0.0004, 0.03, 0.2, 0.5], [0.002, 0.004, 0.01, 0.02]])
    found = [replicability(("A", "B"), 4, row, level, pairs=3) for row in p]
    assert [one.least for one in found] == [4, 1, 1]
    assert np.array([one.p_values for one in found]) == pytest.approx(
        np.array([[0.0002, 0.00027, 0.0004, 0.004], [0.0016, 0.09, 0.4, 0.5], [0.008, 0.012, 0.02, 0.02]])
    )
    # Alone, at α/2, the third pair would be told in all four sets.
    assert replicability(("A", "B"), 4, p[2], 0.025).least == 4
    withheld = replicability(("A", "B"), 4, np.array([np.nan, *p[0, 1:]]), level, pairs=3)
    assert (withheld.least, withheld.withheld, withheld.sets) == (3, 1, 4)
    assert replicability(("A", "B"), 4, np.full(4, np.nan), level).least == 0


def ranked(oracles: dict[str, Any], **more: Any) -> SetRanks:
    return rank_over_sets(np.array(oracles["friedman"]["scores"]), oracles["friedman"]["systems"], **more)


def test_friedman_and_nemenyi(oracles: dict[str, Any]) -> None:
    oracle, found = oracles["friedman"], ranked(oracles)
    at = [oracle["systems"].index(name) for name in found.systems]
    assert found.mean_ranks == pytest.approx([oracle["mean_ranks"][i] for i in at])
    assert (found.statistic, found.p_value) == pytest.approx((oracle["chi2"], oracle["p"]), rel=1e-9)
    assert found.critical_difference == pytest.approx(oracle["critical_difference"], abs=1e-6)
    assert np.array(found.pair_p) == pytest.approx(np.array(oracle["nemenyi_p"])[np.ix_(at, at)], abs=1e-6)
    assert found.systems == ("Online-B", "Lan-Bridge", "Online-A", "Online-Y", "Online-G")
    assert found.cliques == (("Online-B", "Lan-Bridge"), ("Lan-Bridge", "Online-A", "Online-Y", "Online-G"))


def test_friedman_with_ties_is_scipys() -> None:
    scores = np.random.default_rng(2).integers(0, 4, (9, 4)).astype(float)
    found = rank_over_sets(scores, "abcd")
    expected = stats.friedmanchisquare(*scores.T)
    assert (found.statistic, found.p_value) == pytest.approx((expected.statistic, expected.pvalue))


def test_lower_is_better_turns_the_ranks() -> None:
    scores = np.random.default_rng(3).normal(size=(6, 3))
    up, down = rank_over_sets(scores, "abc"), rank_over_sets(-scores, "abc", higher_is_better=False)
    assert up == down


def test_wilcoxon_is_refused_where_it_can_separate_nothing(oracles: dict[str, Any]) -> None:
    with pytest.raises(NotApplicable, match="cannot separate any of 10 pairs on 7 sets"):
        ranked(oracles, separation="wilcoxon-holm")
    scores = np.random.default_rng(5).normal(size=(9, 3)) + np.array([3, 1.5, 0])
    found = rank_over_sets(scores, "abc", separation="wilcoxon-holm")
    raw = {
        pair: stats.wilcoxon(scores[:, pair[0]], scores[:, pair[1]], method="exact").pvalue
        for pair in combinations(range(3), 2)
    }
    assert found.pair_p[0][2] == pytest.approx(3 * min(raw.values()))
    assert np.isnan(found.critical_difference)


def test_a_separation_from_outside_brings_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    class EveryPair(SeparationOfRanks):
        name, label, in_words, cites = "every", "chance", "no test at all", ("demsar-2006",)

        def __call__(self, ranks: Floats, scores: Floats, first: Index, second: Index, alpha: float) -> Separated:
            del ranks, scores, second
            return np.full(len(first), alpha / 2), float("nan")

    monkeypatch.setitem(SEPARATIONS, "every", EveryPair())
    found = rank_over_sets(np.random.default_rng(3).normal(size=(6, 3)), "abc", separation="every")  # type: ignore[arg-type]
    assert found.cliques == ()
    assert _ranked(found)[2] == " and no test at all"


def test_ranks_need_five_sets_and_every_score() -> None:
    with pytest.raises(NotApplicable, match="need 5 sets"):
        rank_over_sets(np.ones((4, 3)), "abc")
    with pytest.raises(NotApplicable, match="every system in every set"):
        rank_over_sets(np.full((5, 3), np.nan), "abc")


def test_cliques_are_as_large_as_they_can_be() -> None:
    separated = np.zeros((4, 4), dtype=bool)
    separated[0, 2] = separated[0, 3] = separated[1, 3] = True
    assert cliques("abcd", separated | separated.T) == (("a", "b"), ("b", "c"), ("c", "d"))
    assert cliques("abcd", ~np.eye(4, dtype=bool)) == ()
    assert cliques("abcd", np.zeros((4, 4), dtype=bool)) == (("a", "b", "c", "d"),)


# --- real data ------------------------------------------------------------------------------------------------------


@cache
def on_wmt22(folder: Path) -> FamilyOverSets:
    systems = ["Lan-Bridge", "Online-A", "Online-B", "Online-G", "Online-Y"]
    return compare(measure(read_sets(folder), "chrf"), pairs=list(combinations(systems, 2)))


def test_every_set_and_the_averages_are_the_oracles(oracles: dict[str, Any], shared: Path) -> None:
    real, found = oracles["real"], on_wmt22(shared / "data" / "wmt22-several")
    assert found.averages is not None
    assert list(found.families) == real["sets"]
    for oracle, one, beside in zip(real["pairs"], found.averages, found.described, strict=True):
        assert (one.first, one.second) == (oracle["first"], oracle["second"])
        assert beside.differences == pytest.approx(oracle["differences"], abs=1e-9)
        assert beside.standard_errors == pytest.approx(oracle["se"], abs=1e-9)
        assert (one.difference, one.standard_error) == pytest.approx((oracle["mean"], oracle["se_mean"]), abs=1e-9)
        assert one.df == pytest.approx(oracle["df"], rel=1e-9)
        assert (one.ci_low, one.ci_high) == pytest.approx((oracle["low"], oracle["high"]), abs=1e-9)
        assert one.p_value == pytest.approx(oracle["p"], rel=1e-6)
        assert one.p_adjusted == pytest.approx(oracle["p_holm_of_10_averages"], rel=1e-6)
        assert beside.error_if_independent == pytest.approx(oracle["se_as_if_independent"], abs=1e-9)
    for name, family in found.families.items():
        assert family.df == pytest.approx(np.full(10, real["nu"][name]), rel=1e-9)
        assert set(family.units.tolist()) == {real["documents"][name]}
        assert family.correction == "holm"
        assert family.family_size == 70


def test_scores_and_degrees_of_freedom_are_the_oracles(oracles: dict[str, Any], shared: Path) -> None:
    real, found = oracles["real"], on_wmt22(shared / "data" / "wmt22-several")
    for name, scores in real["scores"].items():
        one = found.statistics.of[name]
        assert {system: one.scores[one.row(system)] for system in scores} == pytest.approx(scores, abs=1e-9)
    for names, nu in real["nu_of_blocks"].items():
        block = names.split("+")
        pair = pair_over_sets(found.statistics, found.units, "Online-A", "Online-B", block)
        assert average(pair, np.full(len(block), 1 / len(block)))[2] == pytest.approx(nu, rel=1e-9)


def test_what_real_sets_share_is_found(shared: Path) -> None:
    found = on_wmt22(shared / "data" / "wmt22-several")
    blocks = found.units.blocks(list(found.families))
    assert sorted(map(len, blocks)) == [1, 6]
    assert ["en-hr"] in blocks
    assert found.units.shared == 181
    assert found.ranks is not None
    assert found.ranks.systems[0] == "Online-B"


def test_ignoring_shared_documents_would_be_a_wrong_error(shared: Path) -> None:
    # SETS.md, section 2: up to 1.26 times the error as if sets were independent.
    found = on_wmt22(shared / "data" / "wmt22-several")
    ratios = [
        one.standard_error / beside.error_if_independent
        for one, beside in zip(found.averages or (), found.described, strict=True)
    ]
    assert max(ratios) == pytest.approx(1.26, abs=0.01)
    separate = compare(
        measure(found.statistics.sets, "chrf", sharing="separate"), Settings(), [("Lan-Bridge", "Online-A")]
    )
    assert separate.averages is not None
    assert separate.averages[0].standard_error == pytest.approx(separate.described[0].error_if_independent, rel=1e-12)
    assert separate.described[0].method == "Welch"
    assert found.described[0].method == "Hotelling"
