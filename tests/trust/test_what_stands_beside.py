"""What stands beside a value: sentinels, separated pairs, theory, weights of groups, ties, several sets."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from trust_oracles import array, made, oracles

from mtsig import Settings, verdict
from mtsig.inference.distributions import t_above
from mtsig.report import sentinels_text, trust_table
from mtsig.trust import STATISTICS, Judged, accuracy_over_sets, compare_metrics, fisher_interval, sentinels, trust
from mtsig.trust.groups import By
from mtsig.trust.systems import PairwiseAccuracy, pair_counts_of

FEW = Settings(draws=200)


def drawn(seed: int, systems: int = 8, n: int = 60, noise: float = 0.5) -> Judged:
    rng = np.random.default_rng(seed)
    human = rng.normal(size=(systems, n)) + np.linspace(0, 1, systems)[:, None]
    return made(human, near=human + noise * rng.normal(size=human.shape), nothing=rng.normal(size=human.shape))


@pytest.mark.parametrize("case", ["ties", "gaps", "constant metric", "two systems"])
def test_ties_as_mt_metrics_eval_counts_them(shared: Path, case: str) -> None:
    oracle = oracles(shared)["hand"][case]
    judged = made(array(oracle["human"]["expected"]), m=array(oracle["metric"]["expected"]))
    whole = judged.source.judged("include", "all")
    right, pairs = oracle["mt-metrics-eval Agreement"]["expected"]
    assert PairwiseAccuracy(ties="mtme").value(whole, "m") == pytest.approx(right / pairs, abs=1e-12)


def test_a_tie_of_both_is_right_for_mt_metrics_eval_alone() -> None:
    human, metric = np.array([[1.0], [1.0], [2.0]]), np.array([[5.0], [5.0], [4.0]])
    judged = made(human, m=metric)
    assert PairwiseAccuracy().value(judged, "m") == 0.0
    assert PairwiseAccuracy(ties="mtme").value(judged, "m") == pytest.approx(1 / 3)
    (row,) = trust(judged, [PairwiseAccuracy(ties="mtme")], settings=FEW)
    assert (row.groups, row.undefined) == (3, 0)


@pytest.mark.parametrize("key", ["R2 0.14, n 7", "R2 0.87, n 6", "R2 0.002, n 7", "R2 0.742, n 6"])
def test_intervals_by_theory_of_published_correlations(shared: Path, key: str) -> None:
    r, low, high, p = oracles(shared)["CB06"][key]["expected"]
    n = int(key.split()[-1])
    assert r == pytest.approx(float(key.split()[1].rstrip(",")) ** 0.5)
    assert fisher_interval(r, n) == pytest.approx((low, high), abs=1e-9)
    assert 2 * float(t_above(np.float64(r * np.sqrt((n - 2) / (1 - r * r))), n - 2)) == pytest.approx(p, abs=1e-9)


def test_the_table_has_what_a_value_must_not_stand_without() -> None:
    judged = drawn(2, systems=7)
    rows = list(found := trust(judged, ["spa", "accuracy", "pearson", "acc_eq"], settings=FEW))
    table = trust_table(found)
    shown = [dict(zip(table.header, row, strict=True)) for row in table.texts]
    for row, cells in zip(rows, shown, strict=True):
        if row.statistic == "pearson":
            each = STATISTICS["pearson"].leave_one_out(judged, row.metric)
            names = [judged.systems[int(at)] for at in (each.argmin(), each.argmax())]
            assert cells["lowest, highest without"] == ", ".join(names)
        assert bool(cells["open pairs"]) == (row.statistic == "spa")
        assert bool(cells["tied by the metric"]) == (row.statistic == "accuracy")
        assert cells["without threshold"] == (f"{row.at_zero:.3f}" if row.statistic == "acc_eq" else "")
    p = STATISTICS["spa"].p_values(judged, "people")
    assert found.of("near", "spa").open_pairs == np.mean((p > 0.05) & (p < 0.95))
    assert "moves in steps of 1/21 = .048: " in " ".join(note.text for note in found.notes)


@pytest.mark.parametrize(("by", "missing"), [("item", set()), ("system", {"segment-kendall", "segment-spearman"})])
def test_what_has_no_interval_says_why(by: By, missing: set[str]) -> None:
    asked = ["segment-kendall", "segment-spearman", "segment-pearson"]
    found = trust(drawn(3, n=20), asked, by=by, settings=FEW)
    assert {row.statistic for row in found if np.isnan(row.low)} == missing
    notes = [note.text for note in found.notes if "has no interval" in note.text]
    assert [text.split()[0] for text in notes] == sorted(missing)


@pytest.mark.parametrize(("n", "signs"), [(12, "of all signs"), (30, "of 10,000 drawn signs"), (60, "")])
def test_few_segments_take_other_p_values_and_that_is_said(n: int, signs: str) -> None:
    notes = " ".join(note.text for note in trust(drawn(1, n=n), ["spa"], settings=Settings(draws=20)).notes)
    text = f"{n} segments are too few for the normal limit: p-values in soft pairwise accuracy are {signs}; "
    assert (text in notes) == bool(signs)
    assert ("normal limit" in notes) == bool(signs)


def test_theory_stands_beside_pearson_of_ten_systems_without_outliers_alone() -> None:
    for systems, far, there in ((12, 0.0, True), (9, 0.0, False), (12, 50.0, False)):
        rng = np.random.default_rng(3)
        human = rng.normal(size=(systems, 40)) + np.linspace(0, 1, systems)[:, None]
        human[0] -= far
        judged = made(human, m=human + rng.normal(size=human.shape))
        pearson, spearman = trust(judged, ["pearson", "spearman"], settings=FEW)
        expected = fisher_interval(pearson.value, systems) if there else (np.nan, np.nan)
        np.testing.assert_array_equal([pearson.theory_low, pearson.theory_high], expected)
        assert np.isnan(spearman.theory_low)
    z = stats.norm.ppf(0.95) / np.sqrt(9)
    assert fisher_interval(0.5, 12, 0.9) == pytest.approx(tuple(np.tanh(np.arctanh(0.5) + np.array([-z, z]))))


def test_pairs_that_people_separate_stand_beside_all() -> None:
    judged, settings = drawn(1, n=150), Settings(test="t", draws=100)
    near, nothing = trust(judged, ["accuracy"], settings=settings)
    family = settings.family(judged.human.statistics.select(judged.systems))
    winners = [one for one in family if verdict(one).winner]
    assert 0 < len(winners) < 28
    scores = dict(zip(judged.systems, judged.system_scores("near"), strict=True))
    right = sum((scores[one.first] > scores[one.second]) == (one.difference > 0) for one in winners)
    assert (near.separated_pairs, near.separated_right) == (len(winners), right)
    assert nothing.separated_pairs == len(winners)
    assert near.groups == 28


def test_micro_weighs_items_by_their_pairs() -> None:
    human = np.array([[1.0, 3.0], [2.0, 1.0], [3.0, np.nan]])
    judged = made(
        human, a=np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 5.0]]), b=np.array([[1.0, 3.0], [0.0, 1.0], [2.0, 5.0]])
    )
    macro, micro = STATISTICS["acc_eq_0"], replace(STATISTICS["acc_eq_0"], weighed="micro")
    # Three pairs of the first item right, the one of the second wrong.
    assert (macro.value(judged, "a"), micro.value(judged, "a")) == (0.5, 0.75)
    rng = np.random.default_rng(2)
    human = rng.normal(size=(6, 40))
    human[0, ::3] = np.nan
    judged = made(human, a=rng.normal(size=human.shape), b=rng.normal(size=human.shape))
    for statistic in (macro, micro):
        family = compare_metrics(judged, statistic, settings=FEW)
        assert family.difference[0] == pytest.approx(
            statistic.value(judged, "a") - statistic.value(judged, "b"), abs=1e-6
        )


def test_pairs_of_several_sets_are_added_and_sets_redrawn_apart() -> None:
    sets = [drawn(seed, systems) for seed, systems in ((1, 8), (2, 6))]
    counts = [pair_counts_of(judged, "near") for judged in sets]
    found = accuracy_over_sets(sets, "near", settings=FEW)
    assert (found.sets, found.right, found.pairs) == (2, sum(one.right for one in counts), 28 + 15)
    assert found.low <= found.value == found.right / found.pairs <= found.high
    alone = accuracy_over_sets(sets[:1], "near", settings=FEW)
    row = next(iter(trust(sets[0], ["accuracy"], settings=FEW)))
    assert (alone.value, alone.low, alone.high) == (row.value, row.low, row.high)


def test_a_metric_of_length_alone_is_told_from_one_that_sees_more() -> None:
    rng = np.random.default_rng(6)
    human = rng.normal(size=(8, 80)) + np.linspace(0, 1, 8)[:, None]
    lengths = np.clip((40 + 8 * human + 4 * rng.normal(size=human.shape)).astype(int), 1, None)
    judged = made(human, seeing=human + 0.2 * rng.normal(size=human.shape), length=-1.0 * lengths + 99)
    outputs = {name: ["x" * size for size in row] for name, row in zip(judged.systems, lengths, strict=True)}
    found = {
        (one.metric, one.sentinel): one
        for one in sentinels(judged, ["segment-kendall"], outputs=outputs, sources=["x"] * 80, settings=FEW)
    }
    # By item the source says nothing, whatever its length.
    assert {sentinel for _, sentinel in found} == {"length of the output", "a random score"}
    assert found["seeing", "length of the output"].low > 0
    assert found["seeing", "length of the output"].sentence == ""
    # The sign is the one that serves the sentinel best: long outputs are good ones here, and the metric says bad.
    worse = found["length", "length of the output"]
    assert worse.sentinel_value == pytest.approx(-worse.value)
    assert worse.sentence == "Kendall τ_b of segments: no evidence that length sees more than length."


def test_a_sentinel_of_ones_own_is_no_other_metrics() -> None:
    rng = np.random.default_rng(1)
    human = np.arange(9)[:, None] + 3 * rng.normal(size=(9, 60))
    judged = made(human, near=human + rng.normal(size=(9, 60)), far=human + 9 * rng.normal(size=(9, 60)))
    told = sentinels_text(sentinels(judged, ["segment-pearson"], by="none", settings=FEW))
    for metric, other in (("near", "far"), ("far", "near")):
        mine = next(part for part in told.split(". ") if part.startswith(metric))
        assert f"{metric}'s mean" in mine
        assert other not in mine


def test_difficulty_alone_raises_correlations_by_none() -> None:
    rng = np.random.default_rng(7)
    hard = 3 * rng.normal(size=(1, 80))
    human = hard + rng.normal(size=(6, 80))
    judged = made(human, m=hard + rng.normal(size=(6, 80)))
    checks = sentinels(judged, ["segment-pearson"], by="none", sources=["x" * 9] * 80, settings=FEW)
    mean = next(one for one in checks if one.sentinel == "m's mean of the segment")
    assert mean.value > 0.7
    assert mean.sentence == "Pearson r of segments: no evidence that m sees more than difficulty."
    assert next(one for one in checks if one.sentinel == "a random score").low > 0
