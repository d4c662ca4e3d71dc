"""Beyond these sets: further ones, ranks and in how many, by the numbers of other programs and sums written out."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from golden.oracles import known_answers
from kept import worded
from made_sets import made_sets
from scipy import stats

from mtsig import Settings
from mtsig._records import Floats, Index
from mtsig.collection import Averaging, compare, partial_conjunction, rank_over_sets
from mtsig.collection._beyond import (
    SEPARATIONS,
    Separated,
    SeparationOfRanks,
    SetRanks,
    cliques,
    least_number,
    random_effects,
    replicability,
)
from mtsig.collection._pairs import pair_over_sets, units_over
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.report._methods import _ranked
from mtsig.report._over_sets import over_sets_texts

QUICK = Settings(n_resamples=500)


def test_fisher_is_refused_where_units_are_shared() -> None:
    rng = np.random.default_rng(1)
    sizes = [[2] * 15] * 3
    with pytest.raises(NotApplicable, match="Fisher's combination is for independent sets"):
        compare(made_sets(rng, sizes, shared=True), QUICK, averaging=Averaging(combine="fisher"))
    assert compare(made_sets(rng, sizes, shared=False), QUICK, averaging=Averaging(combine="fisher")).replicated


def test_fewer_than_five_sets_stand_for_no_others() -> None:
    rng = np.random.default_rng(1)
    four = compare(made_sets(rng, [[2] * 15] * 4, shared=False), QUICK)
    worded(four.described[0].not_further, "5 sets", "4")
    worded(over_sets_texts(four, 0), "5 sets")
    five = compare(made_sets(rng, [[2] * 15] * 5, shared=False), QUICK)
    assert five.described[0].not_further == ""
    worded(over_sets_texts(five, 0))


def test_sets_that_share_few_documents_stand_for_no_others() -> None:
    # V of five sets is estimated from 15 documents: 14 degrees of freedom.
    rng = np.random.default_rng(3)
    shared = made_sets(rng, [[2] * 15] * 5, shared=True)
    pair = pair_over_sets(shared, units_over(shared), ("A", "B"), list(shared.of))
    assert pair.inflation == pytest.approx(14 / 10 * 13 / 9)
    said = compare(shared, QUICK)
    worded(said.described[0].not_further)
    worded(over_sets_texts(said, 0))
    alone = made_sets(rng, [[2] * 15] * 5, shared=False)
    assert compare(alone, QUICK).described[0].not_further == ""


@pytest.fixture(scope="module")
def oracles() -> dict[str, Any]:
    found: dict[str, Any] = known_answers("sets")
    return found


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
    with pytest.raises(NotApplicable, match="cannot find a significant difference among 10 pairs on 7 sets"):
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
    worded(_ranked(found)[2])


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
