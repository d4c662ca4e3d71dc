"""Experiments on samples of a population: each number is the one that the library's other verbs give."""

import numpy as np
import pytest
from made import made_statistics, rated
from scipy import stats

from mtsig import interval
from mtsig.errors import NotApplicable
from mtsig.inference import compare
from mtsig.lab import NEWS, Conclusions, Coverage, Variation, run
from mtsig.lab._material import Population, broad, of_units
from mtsig.lab._sampling import ConclusionRates
from mtsig.metrics import Statistics
from mtsig.resampling import Bootstrap, resample


@pytest.fixture(scope="module")
def population() -> Population:
    return NEWS.simulate((30.0, 29.0, 24.0), 9000)


def test_sets_are_scored_as_if_they_were_test_sets() -> None:
    statistics = made_statistics(n=100, systems=2)
    found = run(Variation(size=20, orders=20, pair=("sys0", "sys1")), statistics)
    assert found.sets == 5
    assert found.consecutive[:, 2] == pytest.approx(of_units(statistics, np.arange(40, 60)).scores)
    assert found.broad[:, 2] == pytest.approx(of_units(statistics, np.arange(2, 100, 5)).scores)
    assert found.difference("broad")[0] == pytest.approx(found.broad[0, 0] - found.broad[1, 0])


def test_neighbours_vary_more_only_where_documents_go_together(population: Population) -> None:
    together = run(Variation(size=90, orders=100), population)
    assert np.all(together.ratio > together.by_chance)
    # The same segments in random order: no more documents, no more difference.
    order = np.random.default_rng(2).permutation(population.size)
    shuffled = run(Variation(size=90, orders=100), of_units(population.statistics, order))
    assert np.all(np.abs(shuffled.ratio - 1) < 0.35)
    assert shuffled.spread_consecutive / shuffled.predicted == pytest.approx(1, abs=0.25)


def test_too_few_sets_are_refused() -> None:
    with pytest.raises(NotApplicable, match="smaller size"):
        run(Variation(size=50), made_statistics(n=200))


def test_the_better_of_a_pair_is_judged_by_the_metric_not_by_the_larger_number() -> None:
    scores = np.random.default_rng(1).normal(50, 5, (2, 60)) + np.array([[0], [3]])
    lower_is_better = rated(scores, higher_is_better=False)
    found = run(Variation(size=10, orders=20), lower_is_better)
    assert found.pair == ("A", "B")
    assert found.difference("consecutive").mean() > 0


@pytest.mark.parametrize("method", ["percentile", "koehn", "ij"])
def test_every_interval_is_the_one_of_its_test_set(population: Population, method: str) -> None:
    plan = Coverage(size=90, sets=20, interval=method, n_resamples=200, system="S2")
    found = run(plan, population)
    assert (found.sets, found.sampling) == (20, "broad")
    alone = of_units(population.statistics.select(["S2"]), broad(9000, 90)[7])
    one = interval(alone, method, 0.95, Bootstrap(200, plan.seed, "segment"))["S2"]
    assert (found.estimate[7], found.low[7], found.high[7]) == pytest.approx((one.score, one.ci_low, one.ci_high))
    assert found.truth == population.truth[1]


def test_misses_are_counted_and_weighed(population: Population) -> None:
    found = run(Coverage(size=90, sets=60, interval="ij", sampling="random"), population)
    outside = (found.low > found.truth) | (found.high < found.truth)
    assert found.misses == outside.sum()
    assert found.rate_low <= found.rate <= found.rate_high
    # Not so many misses that intervals promising 95% could not have them.
    assert found.p_value > 1e-4


def test_more_sets_than_the_population_has_are_drawn_at_random(population: Population) -> None:
    assert run(Coverage(size=300, sets=40, interval="ij"), population).sampling == "random"
    assert run(Coverage(size=300, sets=40, interval="ij", sampling="broad"), population).sets == 30


def conclusions(population: Population, **options: object) -> ConclusionRates:
    chosen: dict[str, object] = {"sizes": (60, 300), "sets": (50, 20), "n_resamples": 500} | options
    found: ConclusionRates = run(Conclusions(**chosen), population)  # type: ignore[arg-type]
    return found


def test_win_rates_are_those_of_a_paired_bootstrap_on_the_set(population: Population) -> None:
    found = conclusions(population)
    assert found.pairs == (("S1", "S2"), ("S1", "S3"), ("S2", "S3"))
    for set_number in (0, 13):
        drawn: Statistics = of_units(population.statistics, broad(9000, 60)[set_number])
        family = compare(drawn, "bootstrap-koehn", pairs=found.pairs)
        # The same test set, other draws in number: the verb draws 10,000.
        assert np.all(np.abs(found.wins[0][:, set_number] - family.bootstrap_win_rate) < 0.1)
    same = run(Conclusions(sizes=(60,), sets=(3,), n_resamples=500, seed=7), population)
    resampled = Bootstrap(500, 7, "segment")
    drawn = of_units(population.statistics, broad(9000, 60)[2])
    differences = resample(drawn, resampled).differences(np.array([0, 0, 1]), np.array([1, 2, 2]))
    assert same.wins[0][:, 2] == pytest.approx(np.mean(differences > 1e-9, axis=1))
    assert same.losses[0][:, 2] == pytest.approx(np.mean(differences < -1e-9, axis=1))


def test_the_papers_sets_make_4140_conclusions() -> None:
    plan = Conclusions()
    assert sum(plan.sets) * 9 == 4140


def test_bins_hold_every_conclusion_once_and_count_the_right_ones() -> None:
    wins = np.array([[1.0, 0.995, 0.96, 0.5, 0.3, 0.02]])
    losses = np.array([[0.0, 0.005, 0.04, 0.5, 0.6, 0.98]])
    found = ConclusionRates(
        "BLEU", (("A", "B"),), (100,), np.ones(1), np.ones((1, 1)), (wins,), (losses,), 0.95, "broad"
    )
    bins = {bound: (count, right) for bound, count, right in found.by_win_rate()}
    assert bins[1.0] == (1, 1)
    assert bins[0.99] == (1, 1)
    assert bins[0.98] == (1, 0)
    assert bins[0.95] == (1, 1)
    assert bins[0.6] == (1, 0)
    # Half against half is no conclusion.
    assert sum(count for count, _ in bins.values()) == 5
    assert (found.right[0, 0], found.wrong[0, 0]) == (pytest.approx(3 / 6), pytest.approx(1 / 6))


def test_conclusions_come_as_often_as_normal_theory_says(population: Population) -> None:
    found = conclusions(population, sampling="random", sizes=(100, 400), sets=(150, 150))
    for z in range(2):
        for m in range(len(found.pairs)):
            count = round(found.right[m, z] * 150)
            low, high = (stats.binom.ppf(q, 150, found.predicted[m, z]) for q in (1e-4, 1 - 1e-4))
            # The theory leaves out the skew of small samples.
            assert low - 8 <= count <= high + 8


def test_pairs_name_the_truly_better_system_first(population: Population) -> None:
    found = conclusions(population, pairs=(("S3", "S1"),))
    assert found.pairs == (("S1", "S3"),)
    assert found.difference[0] == pytest.approx(6.0, abs=0.05)
    assert found.rows()[0]["better"] == "S1"


def test_a_difference_of_one_system_is_refused() -> None:
    with pytest.raises(NotApplicable, match="only one"):
        run(Conclusions(), made_statistics(systems=1))
