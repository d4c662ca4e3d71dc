"""What stands next to a value: sentinels, separated pairs, theory, weights, ties, sets, systems left out, p."""

import json
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from agreement_oracles import array, made, oracles, real
from kept import worded
from sampled import crossed
from scipy import stats

from mtsig import Settings, verdict
from mtsig._probability import t_above
from mtsig.cli import main
from mtsig.errors import NotApplicable, UnknownName
from mtsig.meta_eval import (
    STATISTICS,
    MetaEval,
    PairwiseAccuracy,
    RatedData,
    accuracy_over_sets,
    compare_metrics,
    meta_eval,
    sentinels,
)
from mtsig.meta_eval._groups import By
from mtsig.meta_eval._metric_agreement import with_separated
from mtsig.meta_eval._systems import fisher_interval, no_association, pair_counts_of
from mtsig.report._meta_eval import sentinels_text, sentinels_title, trust_table, undecided, without_text

FEW = Settings(n_resamples=200)


def drawn(seed: int, systems: int = 8, n: int = 60, noise: float = 0.5) -> RatedData:
    rng = np.random.default_rng(seed)
    human = rng.normal(size=(systems, n)) + np.linspace(0, 1, systems)[:, None]
    return made(human, near=human + noise * rng.normal(size=human.shape), nothing=rng.normal(size=human.shape))


@pytest.mark.parametrize("case", ["ties", "gaps", "constant metric", "two systems"])
def test_ties_as_mt_metrics_eval_counts_them(case: str) -> None:
    oracle = oracles()["hand"][case]
    rated = made(array(oracle["human"]["expected"]), m=array(oracle["metric"]["expected"]))
    whole = rated.source.rated("include", "all")
    right, pairs = oracle["mt-metrics-eval Agreement"]["expected"]
    assert PairwiseAccuracy(ties="mtme").value(whole, "m") == pytest.approx(right / pairs, abs=1e-12)


def test_a_tie_of_both_is_right_for_mt_metrics_eval_alone() -> None:
    human, metric = np.array([[1.0], [1.0], [2.0]]), np.array([[5.0], [5.0], [4.0]])
    rated = made(human, m=metric)
    assert PairwiseAccuracy().value(rated, "m") == 0.0
    assert PairwiseAccuracy(ties="mtme").value(rated, "m") == pytest.approx(1 / 3)
    (row,) = meta_eval(rated, [PairwiseAccuracy(ties="mtme")], settings=FEW)
    assert (row.groups, row.undefined) == (3, 0)


@pytest.mark.parametrize("key", ["R2 0.14, n 7", "R2 0.87, n 6", "R2 0.002, n 7", "R2 0.742, n 6"])
def test_intervals_by_theory_of_published_correlations(key: str) -> None:
    r, low, high, p = oracles()["CB06"][key]["expected"]
    n = int(key.split()[-1])
    assert r == pytest.approx(float(key.split()[1].rstrip(",")) ** 0.5)
    assert fisher_interval(r, n) == pytest.approx((low, high), abs=1e-9)
    assert 2 * float(t_above(np.float64(r * np.sqrt((n - 2) / (1 - r * r))), n - 2)) == pytest.approx(p, abs=1e-9)


def test_the_table_has_what_a_value_must_not_stand_without() -> None:
    rated = drawn(2, systems=7)
    rows = list(found := meta_eval(rated, ["spa", "accuracy", "pearson", "acc_eq"], settings=FEW))
    table = trust_table(found)
    shown = [dict(zip(table.header, row, strict=True)) for row in table.texts]
    for row, cells in zip(rows, shown, strict=True):
        if row.statistic == "pearson":
            each = STATISTICS["pearson"].leave_one_out(rated, row.metric)
            names = [rated.systems[int(at)] for at in (each.argmin(), each.argmax())]
            assert cells["lowest, highest without"] == ", ".join(names)
        assert bool(cells["open pairs"]) == (row.statistic == "spa")
        assert bool(cells["tied by the metric"]) == (row.statistic == "accuracy")
        assert cells["without threshold"] == (f"{row.at_zero:.3f}" if row.statistic == "acc_eq" else "")
    p = STATISTICS["spa"].p_values(rated, "people")
    assert found.of("near", "spa").open_pairs == np.mean((p > 0.05) & (p < 0.95))
    worded(found.notes, "1/21")


@pytest.mark.parametrize(("by", "missing"), [("item", set()), ("system", {"segment-kendall", "segment-spearman"})])
def test_what_has_no_interval_says_why(by: By, missing: set[str]) -> None:
    asked = ["segment-kendall", "segment-spearman", "segment-pearson"]
    found = meta_eval(drawn(3, n=20), asked, by=by, settings=FEW)
    assert {row.statistic for row in found if np.isnan(row.ci_low)} == missing
    notes = [note.text for note in found.notes if "has no interval" in note.text]
    assert [text.split()[0] for text in notes] == sorted(missing)


@pytest.mark.parametrize(("n", "signs"), [(12, "from all sign flips"), (30, "from 10,000 random sign flips"), (60, "")])
def test_few_segments_take_other_p_values_and_that_is_said(n: int, signs: str) -> None:
    notes = " ".join(note.text for note in meta_eval(drawn(1, n=n), ["spa"], settings=Settings(n_resamples=20)).notes)
    text = f"{n} segments are too few for the normal approximation. p-values in soft pairwise accuracy are {signs}; "
    assert (text in notes) == bool(signs)
    assert ("normal approximation" in notes) == bool(signs)


def test_theory_stands_beside_pearson_of_ten_systems_without_outliers_alone() -> None:
    for systems, far, there in ((12, 0.0, True), (9, 0.0, False), (12, 50.0, False)):
        rng = np.random.default_rng(3)
        human = rng.normal(size=(systems, 40)) + np.linspace(0, 1, systems)[:, None]
        human[0] -= far
        rated = made(human, m=human + rng.normal(size=human.shape))
        pearson, spearman = meta_eval(rated, ["pearson", "spearman"], settings=FEW)
        expected = fisher_interval(pearson.value, systems) if there else (np.nan, np.nan)
        np.testing.assert_array_equal([pearson.theory_low, pearson.theory_high], expected)
        assert np.isnan(spearman.theory_low)
    z = stats.norm.ppf(0.95) / np.sqrt(9)
    assert fisher_interval(0.5, 12, 0.9) == pytest.approx(tuple(np.tanh(np.arctanh(0.5) + np.array([-z, z]))))


def test_pairs_that_people_separate_stand_beside_all() -> None:
    rated, settings = drawn(1, n=150), Settings(test="t", n_resamples=100)
    near, nothing = meta_eval(rated, ["accuracy"], settings=settings)
    family = settings.family(rated.human.statistics.select(rated.systems))
    winners = [one for one in family if verdict(one).winner]
    assert 0 < len(winners) < 28
    scores = dict(zip(rated.systems, rated.system_scores("near"), strict=True))
    right = sum((scores[one.first] > scores[one.second]) == (one.difference > 0) for one in winners)
    assert (near.separated_pairs, near.separated_right) == (len(winners), right)
    assert nothing.separated_pairs == len(winners)
    assert near.groups == 28


def test_micro_weighs_items_by_their_pairs() -> None:
    human = np.array([[1.0, 3.0], [2.0, 1.0], [3.0, np.nan]])
    rated = made(
        human, a=np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 5.0]]), b=np.array([[1.0, 3.0], [0.0, 1.0], [2.0, 5.0]])
    )
    macro, micro = STATISTICS["acc_eq_0"], replace(STATISTICS["acc_eq_0"], weighed="micro")
    # Three pairs of the first item right, the one of the second wrong.
    assert (macro.value(rated, "a"), micro.value(rated, "a")) == (0.5, 0.75)
    rng = np.random.default_rng(2)
    human = rng.normal(size=(6, 40))
    human[0, ::3] = np.nan
    rated = made(human, a=rng.normal(size=human.shape), b=rng.normal(size=human.shape))
    for statistic in (macro, micro):
        family = compare_metrics(rated, statistic, settings=FEW)
        assert family.difference[0] == pytest.approx(
            statistic.value(rated, "a") - statistic.value(rated, "b"), abs=1e-6
        )


def test_pairs_of_several_sets_are_added_and_sets_redrawn_apart() -> None:
    sets = [drawn(seed, systems) for seed, systems in ((1, 8), (2, 6))]
    counts = [pair_counts_of(rated, "near") for rated in sets]
    found = accuracy_over_sets(sets, "near", settings=FEW)
    assert (found.sets, found.right, found.pairs) == (2, sum(one.right for one in counts), 28 + 15)
    assert found.ci_low <= found.value == found.right / found.pairs <= found.ci_high
    alone = accuracy_over_sets(sets[:1], "near", settings=FEW)
    row = next(iter(meta_eval(sets[0], ["accuracy"], settings=FEW)))
    assert (alone.value, alone.ci_low, alone.ci_high) == (row.value, row.ci_low, row.ci_high)


def test_a_metric_of_length_alone_is_told_from_one_that_sees_more() -> None:
    rng = np.random.default_rng(6)
    human = rng.normal(size=(8, 80)) + np.linspace(0, 1, 8)[:, None]
    lengths = np.clip((40 + 8 * human + 4 * rng.normal(size=human.shape)).astype(int), 1, None)
    rated = made(human, seeing=human + 0.2 * rng.normal(size=human.shape), length=-1.0 * lengths + 99)
    outputs = {name: ["x" * size for size in row] for name, row in zip(rated.systems, lengths, strict=True)}
    found = {
        (one.metric, one.sentinel): one
        for one in sentinels(rated, ["segment-kendall"], outputs=outputs, sources=["x"] * 80, settings=FEW)
    }
    # By item the source says nothing, whatever its length.
    worded({sentinel for _, sentinel in found})
    assert found["seeing", "length of the output"].ci_low > 0
    assert found["seeing", "length of the output"].sentence == ""
    # The sign is the one that serves the sentinel best: long outputs are good ones here, and the metric says bad.
    worse = found["length", "length of the output"]
    assert worse.sentinel_value == pytest.approx(-worse.value)
    worded(worse.sentence)


def titled(step: float, systems: int = 8) -> tuple[MetaEval, str]:
    """A metric of pure chance by the ratings of systems that differ so much: its agreement, and the page's title."""
    rng = np.random.default_rng(5)
    human, chance = rng.normal(size=(2, systems, 40))
    rated = made(human + step * np.arange(systems)[:, None], metric=chance)
    trust = with_separated(meta_eval(rated, ["accuracy"], settings=FEW), FEW.family(rated.human.statistics))
    return trust, sentinels_title(trust, sentinels(rated, ["accuracy"], settings=FEW))


def test_a_metric_is_not_blamed_for_ratings_that_decide_no_pair() -> None:
    (nothing, too_few), (everything, enough) = titled(0.0), titled(3.0)
    assert [row.separated_pairs for row in (*nothing, *everything)] == [0, 28]
    worded([too_few, undecided(nothing), enough])
    assert "No evidence" not in too_few
    assert "No evidence" in enough
    assert undecided(everything) == ""


@pytest.mark.parametrize(
    ("systems", "decided", "is_enough"),
    [(8, 1, False), (8, 2, False), (8, 3, True), (12, 4, False), (12, 5, True)],
)
def test_ratings_are_not_enough_if_they_decide_almost_no_pair(systems: int, decided: int, is_enough: bool) -> None:
    trust, _ = titled(0.0, systems)
    rows = tuple(replace(row, separated_pairs=float(decided)) for row in trust)
    said = undecided(replace(trust, records=rows))
    assert (said == "") == is_enough
    assert is_enough or f"only {decided} of {systems * (systems - 1) // 2} pairs" in said
    # A coin that is right on all of so few would not be found out.
    assert is_enough or stats.binomtest(decided, decided, alternative="greater").pvalue > 0.05


def test_a_sentinel_of_ones_own_is_no_other_metrics() -> None:
    rng = np.random.default_rng(1)
    human = np.arange(9)[:, None] + 3 * rng.normal(size=(9, 60))
    rated = made(human, near=human + rng.normal(size=(9, 60)), far=human + 9 * rng.normal(size=(9, 60)))
    told = sentinels_text(sentinels(rated, ["segment-pearson"], by="none", settings=FEW))
    for metric, other in (("near", "far"), ("far", "near")):
        mine = next(part for part in told.split(". ") if part.startswith(metric))
        assert f"{metric}'s mean" in mine
        assert other not in mine


def test_difficulty_alone_raises_correlations_by_none() -> None:
    rng = np.random.default_rng(7)
    hard = 3 * rng.normal(size=(1, 80))
    human = hard + rng.normal(size=(6, 80))
    rated = made(human, m=hard + rng.normal(size=(6, 80)))
    checks = sentinels(rated, ["segment-pearson"], by="none", sources=["x" * 9] * 80, settings=FEW)
    mean = next(one for one in checks if one.sentinel == "m's mean of the segment")
    assert mean.value > 0.7
    worded(mean.sentence)
    assert next(one for one in checks if one.sentinel == "a random score").ci_low > 0


FEWER = Settings(n_resamples=100)


def with_two_of_a_kind(systems: int, seed: int = 1) -> RatedData:
    rng = np.random.default_rng(seed)
    human = rng.normal(size=(systems, 20)) + np.linspace(0, 1, systems)[:, None]
    return made(human, m=human + 2 * rng.normal(size=human.shape), k=rng.normal(size=human.shape))


def test_two_outliers_of_a_kind_hide_each_other_from_values_without_each(shared: Path) -> None:
    """wmt20-en-de: both human translations turn chrF around; without either the other still does."""
    rated, names = real(shared, "wmt20-en-de")
    people = [name for name in rated.systems if name.startswith("Human")]
    found = meta_eval(rated, ["pearson"], settings=FEWER, without=people, separated=False)
    for metric, expected in oracles()["real"]["wmt20-en-de"]["without human translations"]["expected"].items():
        assert found.of(names[metric], "pearson").without_named == pytest.approx(expected["pearson"], abs=1e-6)
    chrf = found.of(names["chrF"], "pearson")
    assert chrf.loo_high < 0
    worded(without_text(found, "pearson"), "Human-B", "Human-P", "7 systems")
    assert "without named" in trust_table(found).header


def test_every_statistic_is_given_without_them_as_if_they_were_not_there() -> None:
    rng = np.random.default_rng(4)
    human, m = rng.normal(size=(2, 8, 20))
    names = [name for name, one in STATISTICS.items() if one.name != "darr"]
    left = meta_eval(made(human, m=m), names, settings=FEWER, without=["s6", "s7"])
    alone = meta_eval(made(human[:6], m=m[:6]), names, settings=FEWER)
    for name in names:
        assert left.of("m", name).without_named == pytest.approx(alone.of("m", name).value, nan_ok=True), name
    rated = left.rated.without(["s6"]).without(["s7"])
    assert rated.systems == ("s0", "s1", "s2", "s3", "s4", "s5")
    worded(rated.left_out["s7"])


def test_a_system_named_twice_is_left_out_once() -> None:
    found = meta_eval(with_two_of_a_kind(9), ["pearson"], settings=FEWER, without=["s0", "s0"])
    worded(without_text(found, "pearson"), "8 systems")


def test_names_that_are_not_there_and_too_few_systems_are_refused() -> None:
    with pytest.raises(UnknownName, match="no system called 'x'"):
        meta_eval(with_two_of_a_kind(4), ["pearson"], settings=FEWER, without=["x"])
    with pytest.raises(NotApplicable, match="at least 2 systems"):
        meta_eval(with_two_of_a_kind(4), ["pearson"], settings=FEWER, without=["s0", "s1", "s2"])


def test_p_of_no_association_is_that_of_all_orders() -> None:
    rated = with_two_of_a_kind(7)
    human, scores = (rated.system_scores(name) for name in ("people", "m"))
    every = np.array(list(permutations(range(7))))

    def of_all_orders(x: np.ndarray, y: np.ndarray) -> float:
        x, y = ((values - values.mean()) / values.std() for values in (x, y))
        return float(np.mean(np.abs(x[every] @ y) >= abs(x @ y) - 1e-9))

    expected = {
        "kendall": stats.kendalltau(human, scores, method="exact").pvalue,
        "pearson": of_all_orders(human, scores),
        "spearman": of_all_orders(stats.rankdata(human), stats.rankdata(scores)),
    }
    for name, p in expected.items():
        assert no_association(rated, "m", STATISTICS[name]) == pytest.approx(p, abs=1e-12)
    # Of no ties τ_b is twice the accuracy less one: both have one p.
    assert no_association(rated, "m", STATISTICS["accuracy"]) == pytest.approx(expected["kendall"], abs=1e-12)


def test_of_more_systems_orders_are_drawn() -> None:
    rated = with_two_of_a_kind(9, seed=2)
    human, scores = (rated.system_scores(name) for name in ("people", "m"))
    x, y = ((values - values.mean()) / values.std() / 3 for values in (human, scores))
    every = np.array(list(permutations(range(9))))
    exact = np.mean(np.abs(x[every] @ y) >= abs(x @ y) - 1e-12)
    found = no_association(rated, "m", STATISTICS["pearson"], draws=4000, seed=3)
    assert found == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 4000))
    assert (found * 4001) % 1 == pytest.approx(0, abs=1e-6)


def test_p_is_given_where_it_is_asked_for() -> None:
    rated = with_two_of_a_kind(6)
    assert all(np.isnan(row.p) for row in meta_eval(rated, ["pearson", "spa"], settings=FEWER))
    asked = meta_eval(rated, ["pearson", "spa"], settings=FEWER, p_values=True)
    assert asked.of("m", "pearson").p == no_association(rated, "m", STATISTICS["pearson"])
    assert np.isnan(asked.of("m", "spa").p)


@crossed("over, name", ["systems", "both"], ["spearman", "kendall", "pearson", "accuracy"])
def test_intervals_of_systems_statistics_are_those_of_a_plain_loop(name: str, over: str) -> None:
    """Rows, then columns, with replacement, and scipy's statistic of what lies on both: the same spread."""
    rng = np.random.default_rng(6)
    rated = with_two_of_a_kind(9, seed=5)
    cells = rated.ratings, rated.cells("m")
    values = []
    for _ in range(1500):
        rows = rng.integers(0, 9, 9)
        columns = rng.integers(0, 20, 20) if over == "both" else np.arange(20)
        human, scores = (x[rows][:, columns].mean(axis=1) for x in cells)
        values.append(_by_scipy(name, human, scores, rows))
    expected = np.nanquantile(values, [0.025, 0.25, 0.5, 0.75, 0.975])
    found = meta_eval(rated, [name], over=over, settings=Settings(n_resamples=4000)).of("m", name)
    assert (found.ci_low, found.ci_high) == pytest.approx((expected[0], expected[-1]), abs=0.08)


def _by_scipy(name: str, human: np.ndarray, scores: np.ndarray, rows: np.ndarray) -> float:
    if name == "accuracy":
        first, second = np.triu_indices(len(rows), 1)
        apart = rows[first] != rows[second]
        h, m = (np.sign(x[first] - x[second])[apart] for x in (human, scores))
        return float(np.mean(h == m))
    by = {"spearman": stats.spearmanr, "kendall": stats.kendalltau, "pearson": stats.pearsonr}[name]
    return float(by(human, scores).statistic)


def test_the_command_line_asks_for_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(2)
    rows = ["system\tsegment\tesa\tgood"]
    for s, name in enumerate("abcdef"):
        rows += [f"{name}\t{i}\t{s + rng.normal():.2f}\t{s + rng.normal():.3f}" for i in range(1, 9)]
    file = tmp_path / "scores.tsv"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    asked = [
        "meta-eval",
        "--ratings",
        f"{file}:higher",
        "--human",
        "esa",
        "--metric",
        "rating:good",
        "--resamples",
        "100",
    ]
    asked += ["--statistic", "pearson"]
    assert main([*asked, "--without", "a", "b", "--zero-correlation", "--no-sentinels", "--format", "json"]) == 0
    bundle = json.loads(capsys.readouterr().out)
    (row,) = bundle["meta_eval"]
    assert row["without_named"] is not None
    assert 0 < row["p"] <= 1
    assert bundle["sentinels"] == []
    assert bundle["human"]["without"] == ["a", "b"]
    assert main([*asked, "--format", "json"]) == 0
    bundle = json.loads(capsys.readouterr().out)
    (row,) = bundle["meta_eval"]
    assert (row["without_named"], row["p"]) == (None, None)
    assert {one["sentinel"] for one in bundle["sentinels"]} == {"a random score"}
    assert main([*asked, "--without", "z"]) == 2
    worded(capsys.readouterr().err, "'z'")
