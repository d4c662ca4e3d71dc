"""Ranks: what the corrected tests let one say about places, against brute force."""

from dataclasses import replace

import numpy as np
import pytest
from made import made_ratings, made_statistics, rated

from mtsig import Settings, ranks
from mtsig.errors import NotApplicable
from mtsig.inference import Family, compare
from mtsig.inference._ranks import rankable
from mtsig.metrics import Statistics


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
    with pytest.raises(NotApplicable, match="this test does not give them all"):
        ranks(wins)
    assert not rankable(baseline)
    assert not rankable(wins)
    assert rankable(compare(statistics, "ij-t"))
