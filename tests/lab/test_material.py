"""Populations with known truth: what is drawn from them has the truth they promise."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made import made_statistics, rated
from scipy import stats

from lab.fitted import fit
from mtsig import measure, read
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference._dependence import dependence
from mtsig.inference._targets import Scores, pairs_of
from mtsig.lab import run
from mtsig.lab._material import Population, broad, consecutive, of_units
from mtsig.lab._worlds import NEWS, SegmentModel, binomial_quantile
from mtsig.metrics import Statistics
from mtsig.resampling import Bootstrap

SETS = 1000


def mean_scores(population: Population, size: int = 100) -> np.ndarray:
    """Mean ratings of each system over many drawn test sets."""
    return np.mean([population.draw(size, number).scores for number in range(SETS)], axis=0)


def test_broad_sets_take_every_hundredth_unit_and_share_none() -> None:
    sets = broad(30_000, 300)
    assert sets.shape == (100, 300)
    assert sets[7, :3].tolist() == [7, 107, 207]
    assert np.array_equal(np.sort(sets.ravel()), np.arange(30_000))


def test_consecutive_sets_are_neighbours_and_leave_the_rest() -> None:
    assert consecutive(10, 4).tolist() == [[0, 1, 2, 3], [4, 5, 6, 7]]
    with pytest.raises(NotApplicable, match="cannot be taken"):
        consecutive(10, 11)


def test_the_truth_of_a_rating_is_its_mean_and_effects_shrink_differences_in_proportion() -> None:
    # Means 6 and 3: at effect e each label is the system's own with probability (1 + e)/2, so the difference is 3e.
    statistics = rated(np.tile([[5.0, 6, 7], [2, 3, 4]], 4))
    for effect, first, second in ((1, 6, 3), (0.5, 5.25, 3.75), (0, 4.5, 4.5)):
        population = Population(statistics, effect)
        assert population.truth.tolist() == pytest.approx([first, second])
        assert population.true_difference("B", "A") == pytest.approx(second - first)


@pytest.mark.parametrize("units", [1, 9])
def test_a_handful_of_units_is_no_population(units: int) -> None:
    with pytest.raises(NotApplicable, match="too few to draw test sets from: at least 10"):
        Population(rated(np.arange(2.0 * units).reshape(2, units)))
    with pytest.raises(NotApplicable, match="A single segment has no variance"):
        run("draws", rated([[1.0], [2.0]]))


@pytest.mark.parametrize("effect", [0.0, 0.4, 1.0])
def test_drawn_sets_scatter_about_the_truth(effect: float) -> None:
    rng = np.random.default_rng(3)
    population = Population(rated(rng.normal(50, 10, (3, 400)) + np.array([[0.0], [5], [10]])), effect)
    found = mean_scores(population)
    error = population.statistics.segment_scores.std() * 1.3 / np.sqrt(100 * SETS)
    assert np.all(np.abs(found - population.truth) < 4 * error)


def test_on_a_true_null_every_order_of_the_labels_is_as_frequent() -> None:
    # Three systems whose ratings name them: the labels of a unit can be read off.
    population = Population(rated([[1.0] * 50, [2.0] * 50, [4.0] * 50]), 0.0)
    drawn = np.concatenate([population.draw(50, number).segment_scores for number in range(60)], axis=1)
    orders, counts = np.unique(drawn.T, axis=0, return_counts=True)
    assert len(orders) == 6
    assert stats.chisquare(counts).pvalue > 1e-4


def test_labels_stay_together_within_drawn_documents() -> None:
    documents = np.repeat(np.arange(8), 5)
    population = Population(rated([[1.0] * 40, [2.0] * 40], documents=documents), 0.0)
    exchanged = set()
    for number in range(20):
        drawn = population.draw_documents(12, number)
        assert drawn.n_documents == 12
        first = drawn.segment_scores[0].reshape(12, 5)
        assert np.all(first == first[:, :1])
        exchanged |= set(first[:, 0].tolist())
    assert exchanged == {1.0, 2.0}


def test_documents_that_are_unknown_cannot_be_drawn() -> None:
    with pytest.raises(NotApplicable, match="document"):
        Population(made_statistics()).draw_documents(3, 0)


def test_a_test_set_is_not_drawn_by_the_words_that_redraw_it() -> None:
    statistics = made_statistics(n=300)
    drawn = Population(statistics).draw(300, 0, seed=12345)
    weights = next(iter(Bootstrap(10, 12345, "segment").blocks(300)))[0]
    redrawn = of_units(statistics, np.repeat(np.arange(300), weights.astype(int)))
    assert drawn.scores.tolist() != redrawn.scores.tolist()
    again = Population(statistics).draw(300, 0, seed=12345)
    assert np.array_equal(drawn.values, again.values)
    assert not np.array_equal(drawn.values, Population(statistics).draw(300, 1, seed=12345).values)


@pytest.mark.parametrize("effect", [-0.1, 1.5])
def test_effects_out_of_range_are_refused(effect: float) -> None:
    with pytest.raises(InvalidOption):
        Population(made_statistics(), effect)


def test_binomial_quantiles_are_scipys() -> None:
    rng = np.random.default_rng(0)
    chance, trials, rate = rng.random(2000), rng.integers(0, 60, 2000), rng.uniform(0.01, 0.99, 2000)
    expected = stats.binom.ppf(chance, trials, rate)
    assert np.array_equal(binomial_quantile(chance, trials.astype(float), rate), np.maximum(expected, 0))


def simulated(model: SegmentModel = NEWS, **options: int) -> Statistics:
    return model.simulate((30.0, 29.5, 20.0), 2000, **options).statistics


def test_simulated_systems_have_the_scores_that_were_asked_for() -> None:
    population = NEWS.simulate({"good": 30.0, "bad": 20.0}, 4000)
    assert population.systems == ("good", "bad")
    assert population.truth == pytest.approx([30.0, 20.0], abs=0.02)
    assert population.true_difference("good", "bad") == pytest.approx(10.0, abs=0.04)


def test_simulated_counts_are_possible_counts() -> None:
    values = simulated().values.astype(int)
    length, matches, totals = values[0], values[2:6], values[6:]
    assert np.all(length >= 1)
    assert np.all(matches <= totals)
    assert np.all(np.diff(matches, axis=0) <= 0)
    assert np.array_equal(totals, np.maximum(length - np.arange(4)[:, None, None], 0))


@pytest.mark.slow
def test_the_same_seed_simulates_the_same_segments() -> None:
    assert np.array_equal(simulated(seed=5).values, simulated(seed=5).values)
    assert not np.array_equal(simulated(seed=5).values, simulated(seed=6).values)


def test_stronger_documents_in_the_model_depend_more() -> None:
    weak, strong = (
        dependence(replace(NEWS, within=within).simulate((30.0,), 9000).statistics, "S1").icc for within in (0.05, 0.5)
    )
    assert weak + 0.05 < strong


def test_scores_out_of_reach_are_refused() -> None:
    with pytest.raises(InvalidOption, match="can simulate"):
        NEWS.simulate((99.0,), 1000)


@pytest.mark.slow
def test_the_model_fitted_to_real_systems_behaves_like_them(shared: Path) -> None:
    # Rates, standard error and dependence are not put in as such: what comes out must be near what went in.
    corpus = read(shared / "data" / "wmt21-ru-en").select(["Online-A", "Online-Y"], ["refA"])
    real = measure(corpus, "bleu")
    assert fit(real, "Online-A", "Online-Y") == NEWS
    made = NEWS.simulate(tuple(real.scores), 6_000).statistics
    for order in range(4):
        rates = [one.sums[2 + order, 0] / one.sums[6 + order, 0] for one in (real, made)]
        assert rates[1] == pytest.approx(rates[0], rel=0.03)
    targets = [pairs_of(Scores(one, Bootstrap(unit="segment")), "all") for one in (real, made)]
    spread = [one.standard_error[0] * np.sqrt(one.statistics.n) for one in targets]
    assert spread[1] == pytest.approx(spread[0], rel=0.25)
    assert dependence(made, "S1").icc == pytest.approx(dependence(real, "Online-A").icc, abs=0.03)
