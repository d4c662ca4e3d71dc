"""Ranks: what the corrected tests let one say about places, against brute force."""

import json
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from kept import worded
from made import made_ratings, made_statistics, rated
from made_means import means
from sampled import slow
from scipy import stats

from mtsig import Settings, ranks
from mtsig.cli import main
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.figures import ParallelIntervals
from mtsig.inference import Family, compare, joint_statements
from mtsig.inference._family import Drawn
from mtsig.inference._ranks import rankable
from mtsig.metrics import Statistics
from mtsig.metrics._metric import SegmentMean


def family_of(seed: int = 1, systems: int = 6, **changes: object) -> Family:
    statistics = made_statistics(n=250, systems=systems, seed=seed)
    return Settings(n_resamples=999, **changes).family(statistics)


def beats(family: Family) -> set[tuple[str, str]]:
    """Return who is significantly better than whom, where drawing has settled it."""
    found = set()
    for one in family:
        if one.p_adjusted <= 0.05 and not one.p_adjusted_mc_low <= 0.05 < one.p_adjusted_mc_high:
            found.add((one.first, one.second) if one.difference > 0 else (one.second, one.first))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_rank_sets_follow_from_who_is_significantly_better(seed: int) -> None:
    family = family_of(seed, systems=12)
    better, found = beats(family), ranks(family)
    assert better
    for name, low, high in zip(found.systems, found.rank_low, found.rank_high, strict=True):
        assert low == 1 + sum(loser == name for _, loser in better)
        assert high == 12 - sum(winner == name for winner, _ in better)
    assert found.best == tuple(name for name in found.systems if all(name != loser for _, loser in better))


@pytest.mark.parametrize("seed", range(5))
def test_every_place_a_system_has_on_some_order_that_fits_is_in_its_rank_set(seed: int) -> None:
    family = family_of(seed)
    better, found = beats(family), ranks(family)
    place = {name: i + 1 for i, name in enumerate(found.systems)}  # the order of the scores fits the signs
    assert all(place[winner] < place[loser] for winner, loser in better)
    for name, low, high in zip(found.systems, found.rank_low, found.rank_high, strict=True):
        assert low <= place[name] <= high


@pytest.mark.parametrize("seed", range(8))
def test_clusters_are_cut_where_all_above_beat_all_below(seed: int) -> None:
    family = Settings(n_resamples=999).family(clustered(seed))
    better, found = beats(family), ranks(family)
    cluster = 1
    for i, name in enumerate(found.systems):
        above, below = found.systems[:i], found.systems[i:]
        if i and all((x, y) in better for x in above for y in below):
            cluster += 1
        assert found.cluster[i] == cluster, name
    assert found.cluster.max() > 1


def clustered(seed: int) -> Statistics:
    rng = np.random.default_rng(seed)
    level = np.array([0, 0.05, 0.1, 2, 2.05, 4])[:, None]
    return rated(rng.normal(size=(6, 80)) + level + rng.normal(size=80))


def test_significance_is_not_transitive_and_clusters_say_less_than_pairs() -> None:
    # A beats C, but B is separated from neither: no cut anywhere.
    family = family_of(systems=3)
    p = np.array([0.5, 0.01, 0.5])
    family = family.changed(p_adjusted=p, difference=np.array([0.1, 0.3, 0.2]))
    found = ranks(family)
    low = dict(zip(found.systems, found.rank_low.tolist(), strict=True))
    high = dict(zip(found.systems, found.rank_high.tolist(), strict=True))
    assert (low, high) == ({"sys0": 1, "sys1": 1, "sys2": 2}, {"sys0": 2, "sys1": 3, "sys2": 3})
    assert set(found.cluster) == {1}
    assert set(found.best) == {"sys0", "sys1"}


def test_best_shares_sum_to_one_and_divide_ties() -> None:
    statistics = made_statistics(n=100, systems=3)
    twins = replace(statistics, values=np.ascontiguousarray(statistics.values[:, [0, 0, 2]]))
    found = ranks(Settings(n_resamples=500).family(twins))
    share = dict(zip(found.systems, found.bootstrap_best_rate, strict=True))
    assert sum(share.values()) == pytest.approx(1)
    assert share["sys0"] == share["sys1"]


def test_best_shares_are_those_of_the_resamples_that_the_family_has_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, again = family_of(), replace(family_of(), drawn=Drawn(family_of().statistics))
    assert ranks(again).bootstrap_best_rate.tolist() == ranks(drawn).bootstrap_best_rate.tolist()
    monkeypatch.delattr("mtsig.inference._ranks.resample")
    ranks(drawn)


def test_lower_scores_rank_first_where_lower_is_better() -> None:
    family = Settings(n_resamples=200).family(
        replace(made_ratings(), metric=replace(made_ratings().metric, higher_is_better=False))
    )
    found = ranks(family)
    assert found.score.tolist() == sorted(found.score.tolist())
    assert found.bootstrap_best_rate.argmax() < 2


def test_rows_say_the_same() -> None:
    found = ranks(family_of())
    rows = found.rows()
    assert [row["system"] for row in rows] == list(found.systems)
    assert [row["could_be_best"] for row in rows] == [row["rank_low"] == 1 for row in rows]
    assert found.to_frame()["bootstrap_best_rate"].sum() == pytest.approx(1)
    assert (found.family_size, found.correction, found.level) == (15, "minp", 0.95)


def test_ranks_need_all_pairs_and_p_values() -> None:
    statistics = made_statistics(n=100, systems=4)
    baseline = compare(statistics, pairs="sys0")
    wins = compare(statistics, "bootstrap-koehn")
    with pytest.raises(NotApplicable, match="all pairs"):
        ranks(baseline)
    with pytest.raises(NotApplicable, match="this test does not give one for all pairs"):
        ranks(wins)
    assert not rankable(baseline)
    assert not rankable(wins)
    assert rankable(compare(statistics, "ij-t"))


# Several metrics corrected together: better by all of them, or by which; what both forms cost in errors.


@dataclass(frozen=True)
class Named(SegmentMean):
    """The mean of segment scores, under a name of its own."""

    name: str = "mean"  # type: ignore[misc]


def families(*scores: np.ndarray, test: str = "t", draws: int = 10, level: float = 0.95) -> list[Family]:
    """Return families of systems A, B …, one for each array (s, n), by metrics m0, m1 …"""
    settings = Settings(test=test, n_resamples=draws, level=level, unit="segment", interval="jackknife")
    found = []
    for number, values in enumerate(scores):
        held = means(values)
        found.append(settings.family(Statistics(Named(name=f"m{number}"), held.systems, held.values)))
    return found


def apart(gap: float, seed: int, n: int = 100) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(2, n)) + np.array([[gap], [0.0]])


def test_better_by_all_takes_the_largest_p_and_no_correction_over_metrics() -> None:
    made = families(apart(0.6, 1), apart(1.0, 2), apart(2.0, 3))
    (statement,) = joint_statements(made).statements
    assert (statement.said, statement.winner, statement.by) == ("all", "A", ("m0", "m1", "m2"))
    assert statement.p_value == max(family.p_value[0] for family in made)
    worded(statement.sentence)
    (statement,) = joint_statements([*made, *families(apart(-0.01, 4))]).statements
    assert (statement.said, statement.winner) == ("none", None)


def test_over_several_pairs_the_largest_p_values_are_corrected_by_holm() -> None:
    rng = np.random.default_rng(5)
    scores = [rng.normal(size=(3, 200)) + np.array([[0.5], [0.25], [0.0]]) for _ in range(2)]
    made = families(*scores)
    found = joint_statements(made)
    raw = np.max([family.p_value for family in made], axis=0)
    order = np.argsort(raw)
    expected = np.empty(3)
    expected[order] = np.maximum.accumulate(np.minimum(1, raw[order] * [3, 2, 1]))
    by_pair = {(one.first, one.second): one.p_value for one in found.statements}
    for pair, p in zip(zip(made[0].first, made[0].second, strict=True), expected, strict=True):
        assert by_pair[pair] == pytest.approx(p)


def test_statements_that_say_the_same_are_in_the_order_of_the_scores() -> None:
    rng = np.random.default_rng(6)
    levels = np.array([[0.0], [2.0], [1.0], [2.02]])
    found = joint_statements(families(*(rng.normal(size=(4, 400)) + levels for _ in range(2))), "which")
    said = [(one.first, one.second, one.said) for one in found.statements]
    alike = ("B", "D") if found.families[0].order[0] == "B" else ("D", "B")
    separated = [(alike[0], "C"), (alike[0], "A"), (alike[1], "C"), (alike[1], "A"), ("C", "A")]
    assert said == [*((*pair, "all") for pair in separated), (*alike, "none")]


def test_which_of_them_is_one_family_by_holm() -> None:
    made = families(apart(1.5, 1), apart(0.0, 7), apart(0.8, 3))
    (statement,) = joint_statements(made, "which").statements
    assert (statement.said, statement.winner, statement.by) == ("some", "A", ("m0", "m2"))
    worded(statement.sentence)
    p = np.array([family.p_value[0] for family in made])
    by_hand = np.empty(3)
    by_hand[np.argsort(p)] = np.maximum.accumulate(np.minimum(1, np.sort(p) * [3, 2, 1]))
    assert [family.p_adjusted[0] for family in joint_statements(made, "which").families] == pytest.approx(by_hand)


def test_contradictions_stand_first_in_both_forms() -> None:
    rng = np.random.default_rng(8)
    first = rng.normal(size=(3, 100)) + np.array([[4.0], [2.0], [0.0]])
    second = rng.normal(size=(3, 100)) + np.array([[4.0], [0.0], [2.0]])
    for form in ("all", "which"):
        found = joint_statements(families(first, second), form).statements
        assert [one.said for one in found] == ["contradiction", "all", "all"]
        assert (found[0].first, found[0].second, found[0].by, found[0].against) == ("B", "C", ("m0",), ("m1",))
        assert found[0].winner is None
        worded(found[0].sentence)
        assert found[0].p_value == 1.0


def test_no_arrangement_makes_better_by_all_err_more_often_than_it_says() -> None:
    # All 2^6 exchanges of one metric's outputs are equally likely when it tells nothing; the other's effect is huge.
    rng = np.random.default_rng(11)
    gaps, huge = rng.normal(size=6), np.stack([np.full(6, 9.0) + rng.normal(size=6), np.zeros(6)])
    p = []
    for turned in product((1, -1), repeat=6):
        nothing = np.stack([gaps * turned, np.zeros(6)])
        p.append(joint_statements(families(nothing, huge, test="ar", draws=200)).statements[0].p_value)
    for alpha in np.unique(p):
        assert np.mean(np.array(p) <= alpha) <= alpha + 1e-12
    # Only one direction can be claimed, so that half of a two-sided level is spent.
    assert min(p) == pytest.approx(2 / 2**6)
    assert p.count(min(p)) == 1


SETS = 200


def errors(kind: str, sets: int = SETS) -> dict[str, int]:
    """Return in how many sets each form says something false at .05, of three metrics whose paired t tests depend."""
    rng = np.random.default_rng(len(kind))
    template = families(apart(1, 1), apart(1, 2), apart(1, 3))
    wrong = {"all": 0, "which": 0}
    for _ in range(sets):
        shared, own = rng.normal(size=60), rng.normal(size=(3, 60))
        if kind == "others huge":
            gaps, false = own + np.array([[0.0], [3.0], [3.0]]), {"m0"}
        elif kind == "correlated":
            gaps, false = 0.95 * shared + 0.3 * own, {"m0", "m1", "m2"}
        else:
            # Two are copies of each other but for noise, and the third decides by itself.
            gaps, false = np.stack([shared, shared + 0.01 * own[0], own[2] + 3.0]), {"m0", "m1"}
        error, center = gaps.std(axis=1, ddof=1) / np.sqrt(60), gaps.mean(axis=1)
        p, reach = 2 * stats.t.sf(np.abs(center / error), 59), stats.t.ppf(0.975, 59) * error
        made = [
            family.changed(difference=d, ci_low=d - w, ci_high=d + w, p_value=p, p_mc_low=p, p_mc_high=p)
            for family, d, w, p in zip(template, center, reach, p, strict=True)
        ]
        for form in wrong:
            (statement,) = joint_statements(made, form).statements
            wrong[form] += bool(false & {*statement.by, *statement.against})
    return wrong


KINDS = pytest.mark.parametrize("kind", ["others huge", *slow("correlated", "copies")])


@KINDS
def test_both_forms_hold_their_level(kind: str) -> None:
    wrong = errors(kind)
    for form in wrong:
        assert stats.binom.sf(wrong[form] - 1, SETS, 0.05) > 1e-4, form
    if kind == "others huge":
        # The level is used: with all other hypotheses rejected the last is tested at .05 alone.
        assert stats.binom.cdf(wrong["which"], SETS, 0.05) > 1e-4
        assert stats.binom.cdf(wrong["all"], SETS, 0.025) > 1e-4


@pytest.mark.slow
@KINDS
def test_both_forms_hold_their_level_in_more_sets(kind: str) -> None:
    assert all(stats.binom.sf(wrong - 1, 20_000, 0.05) > 1e-4 for wrong in errors(kind, 20_000).values())


def test_what_makes_no_statement_is_refused() -> None:
    made = families(apart(1, 1), apart(1, 2))
    with pytest.raises(InvalidOption, match="needs two metrics; found 1 metric"):
        joint_statements(made[:1])
    with pytest.raises(InvalidOption, match="has the form all or which; found 'some'"):
        joint_statements(made, "some")
    with pytest.raises(NotApplicable, match="same test at the same level"):
        joint_statements([made[0], *families(apart(1, 2), test="ar", draws=50)])


def test_the_shell_says_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(4)
    rows = ["system\tsegment\tesa\tother"]
    for system, ahead in (("a", 2.0), ("b", 0.0)):
        rows += [f"{system}\t{i}\t{ahead + rng.normal():.2f}\t{rng.normal() - ahead:.2f}" for i in range(1, 61)]
    table = tmp_path / "scores.tsv"
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    asked = ["compare", "--ratings", f"{table}:higher", "--metric", "rating:esa", "rating:other", "--resamples", "200"]
    assert main([*asked, "--statement", "which", "--format", "json"]) == 0
    (statement,) = json.loads(capsys.readouterr().out)["statements"]
    assert (statement["said"], statement["by"], statement["against"]) == ("contradiction", ["esa"], ["other"])
    assert main([*asked, "--statement", "all"]) == 0
    worded(line for line in capsys.readouterr().out.splitlines() if "Contradiction" in line)
    assert main([*asked[:-3], "--resamples", "200", "--statement", "all"]) == 2
    assert "needs two metrics" in capsys.readouterr().err


def test_a_picture_says_how_many_pairs_are_undecided_and_why() -> None:
    """Ten draws are too few for Holm over a hundred comparisons: the clearest pairs are withheld."""
    scores = [np.random.default_rng(seed).normal(size=(5, 200)) + np.arange(5)[:, None] for seed in (1, 2)]
    picture = ParallelIntervals.of(joint_statements(families(*scores, test="ar", draws=100), "which"))
    worded(picture.caption, "10 pairs")
