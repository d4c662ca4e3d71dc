"""What stands beside a correlation when it is asked for: without systems of a kind, and p of no association."""

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from trust_oracles import made, oracles, real

from mtsig import Settings
from mtsig.cli import main
from mtsig.errors import NotApplicable, UnknownName
from mtsig.report import trust_table, without_text
from mtsig.trust import STATISTICS, Judged, trust
from mtsig.trust.systems import no_association

FEW = Settings(draws=100)


def drawn(systems: int, seed: int = 1) -> Judged:
    rng = np.random.default_rng(seed)
    human = rng.normal(size=(systems, 20)) + np.linspace(0, 1, systems)[:, None]
    return made(human, m=human + 2 * rng.normal(size=human.shape), k=rng.normal(size=human.shape))


def test_two_outliers_of_a_kind_hide_each_other_from_values_without_each(shared: Path) -> None:
    """wmt20-en-de: both human translations turn chrF around; without either the other still does."""
    judged, names = real(shared, "wmt20-en-de")
    people = [name for name in judged.systems if name.startswith("Human")]
    found = trust(judged, ["pearson"], settings=FEW, without=people, separated=False)
    for metric, expected in oracles(shared)["real"]["wmt20-en-de"]["without human translations"]["expected"].items():
        assert found.of(names[metric], "pearson").without_named == pytest.approx(expected["pearson"], abs=1e-6)
    chrf = found.of(names["chrF"], "pearson")
    assert chrf.loo_high < 0
    assert "Without Human-B.0 and Human-P.0 (7 systems): " in without_text(found, "pearson")
    assert "without named" in trust_table(found).header


def test_every_statistic_is_given_without_them_as_if_they_were_not_there() -> None:
    rng = np.random.default_rng(4)
    human, m = rng.normal(size=(2, 8, 20))
    names = [name for name, one in STATISTICS.items() if one.name != "darr"]
    left = trust(made(human, m=m), names, settings=FEW, without=["s6", "s7"])
    alone = trust(made(human[:6], m=m[:6]), names, settings=FEW)
    for name in names:
        assert left.of("m", name).without_named == pytest.approx(alone.of("m", name).value, nan_ok=True), name
    judged = left.judged.without(["s6"]).without(["s7"])
    assert judged.systems == ("s0", "s1", "s2", "s3", "s4", "s5")
    assert judged.left_out["s7"] == "it was named to be left out"


def test_a_system_named_twice_is_left_out_once() -> None:
    found = trust(drawn(9), ["pearson"], settings=FEW, without=["s0", "s0"])
    assert without_text(found, "pearson").startswith("Without s0 (8 systems)")


def test_names_that_are_not_there_and_too_few_systems_are_refused() -> None:
    with pytest.raises(UnknownName, match="no system called 'x' here"):
        trust(drawn(4), ["pearson"], settings=FEW, without=["x"])
    with pytest.raises(NotApplicable, match="needs 2 systems"):
        trust(drawn(4), ["pearson"], settings=FEW, without=["s0", "s1", "s2"])


def test_p_of_no_association_is_that_of_all_orders() -> None:
    judged = drawn(7)
    human, scores = (judged.system_scores(name) for name in ("people", "m"))
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
        assert no_association(judged, "m", STATISTICS[name]) == pytest.approx(p, abs=1e-12)
    # Of no ties τ_b is twice the accuracy less one: both have one p.
    assert no_association(judged, "m", STATISTICS["accuracy"]) == pytest.approx(expected["kendall"], abs=1e-12)


def test_of_more_systems_orders_are_drawn() -> None:
    judged = drawn(9, seed=2)
    human, scores = (judged.system_scores(name) for name in ("people", "m"))
    x, y = ((values - values.mean()) / values.std() / 3 for values in (human, scores))
    every = np.array(list(permutations(range(9))))
    exact = np.mean(np.abs(x[every] @ y) >= abs(x @ y) - 1e-12)
    found = no_association(judged, "m", STATISTICS["pearson"], draws=4000, seed=3)
    assert found == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 4000))
    assert (found * 4001) % 1 == pytest.approx(0, abs=1e-6)


def test_p_is_given_where_it_is_asked_for() -> None:
    judged = drawn(6)
    assert all(np.isnan(row.p) for row in trust(judged, ["pearson", "spa"], settings=FEW))
    asked = trust(judged, ["pearson", "spa"], settings=FEW, p_values=True)
    assert asked.of("m", "pearson").p == no_association(judged, "m", STATISTICS["pearson"])
    assert np.isnan(asked.of("m", "spa").p)


@pytest.mark.parametrize("name", ["spearman", "kendall", "pearson", "accuracy"])
@pytest.mark.parametrize("over", ["systems", "both"])
def test_intervals_of_systems_statistics_are_those_of_a_plain_loop(name: str, over: str) -> None:
    """Rows, then columns, with replacement, and scipy's statistic of what lies on both: the same spread."""
    rng = np.random.default_rng(6)
    judged = drawn(9, seed=5)
    cells = judged.ratings, judged.cells("m")
    values = []
    for _ in range(1500):
        rows = rng.integers(0, 9, 9)
        columns = rng.integers(0, 20, 20) if over == "both" else np.arange(20)
        human, scores = (x[rows][:, columns].mean(axis=1) for x in cells)
        values.append(_by_scipy(name, human, scores, rows))
    expected = np.nanquantile(values, [0.025, 0.25, 0.5, 0.75, 0.975])
    found = trust(judged, [name], over=over, settings=Settings(draws=4000)).of("m", name)
    assert (found.low, found.high) == pytest.approx((expected[0], expected[-1]), abs=0.08)


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
    asked = ["trust", "--ratings", f"{file}:higher", "--human", "esa", "--metric", "rating:good", "--resamples", "100"]
    asked += ["--statistic", "pearson"]
    assert main([*asked, "--without", "a", "b", "--p", "--no-sentinels", "--format", "json"]) == 0
    bundle = json.loads(capsys.readouterr().out)
    (row,) = bundle["trust"]
    assert row["without_named"] is not None
    assert 0 < row["p"] <= 1
    assert bundle["sentinels"] == []
    assert bundle["human"]["without"] == ["a", "b"]
    assert main([*asked, "--format", "json"]) == 0
    bundle = json.loads(capsys.readouterr().out)
    (row,) = bundle["trust"]
    assert (row["without_named"], row["p"]) == (None, None)
    assert {one["sentinel"] for one in bundle["sentinels"]} == {"a random score"}
    assert main([*asked, "--without", "z"]) == 2
    assert "There is no system called 'z' here" in capsys.readouterr().err
