"""Worlds that lessons show: differences covered, labels permuted, single worlds of many comparisons, peeking."""

from dataclasses import replace

import numpy as np
import pytest
from made import made_statistics, rated
from scipy import stats

from mtsig import measure, read_sample
from mtsig.errors import NotApplicable
from mtsig.inference import CORRECTIONS, compare
from mtsig.inference._corrections import OfPValues
from mtsig.inference._significance import ApproximateRandomization
from mtsig.inference._tests import InfinitesimalJackknifeT
from mtsig.lab import Coverage, Material, Multiplicity, Peeking, run
from mtsig.lab._error_rates import at_looks
from mtsig.lab._material import Population, of_units, relabel
from mtsig.lab._words import law_text
from mtsig.metrics import Statistics


@pytest.fixture(scope="module")
def sample() -> Statistics:
    return measure(read_sample(), "bleu")


def without_documents(statistics: Statistics) -> Statistics:
    return replace(statistics, document_of=None)


def test_intervals_of_a_difference_are_those_that_compare_gives(sample: Statistics) -> None:
    found = run(Coverage(size=100, sets=12, interval="ij", system="via-catalan", against="via-galician"), sample)
    population = Population(sample.select(["via-catalan", "via-galician"]))
    for number in range(found.sets):
        family = compare(without_documents(population.draw(100, number)), "ij-t", interval="ij")
        assert found.estimate[number] == pytest.approx(family.difference[0])
        assert (found.low[number], found.high[number]) == pytest.approx((family.ci_low[0], family.ci_high[0]))
    assert found.truth == pytest.approx(sample.scores[2] - sample.scores[4])
    assert "via-catalan − via-galician" in law_text(found)


def test_a_lower_score_is_better_in_a_covered_difference_too() -> None:
    lower = rated(np.random.default_rng(1).normal([[1.0], [2.0]], 1, (2, 40)), higher_is_better=False)
    found = run(Coverage(size=20, sets=10, interval="ij", system="A", against="B"), lower)
    assert found.truth > 0
    assert found.estimate.mean() == pytest.approx(found.truth, abs=0.5)


@pytest.mark.slow
def test_intervals_of_differences_cover_as_promised(sample: Statistics) -> None:
    found = run(Coverage(size=200, sets=1000, interval="ij", system="direct", against="via-catalan"), sample)
    assert abs(found.rate - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 1000) + 0.01  # t at n = 200 elsewhere: .955


def test_a_system_has_no_difference_to_itself(sample: Statistics) -> None:
    with pytest.raises(NotApplicable, match="itself"):
        run(Coverage(size=100, sets=10, system="direct", against="direct"), sample)


def test_relabelling_moves_outputs_between_systems_and_nothing_else(sample: Statistics) -> None:
    null = relabel(sample, 5)
    assert null.values.sum(axis=1) == pytest.approx(sample.values.sum(axis=1))
    for unit in (0, 57, 199):
        rows = sorted(map(tuple, null.values[:, :, unit].T.tolist()))
        assert rows == sorted(map(tuple, sample.values[:, :, unit].T.tolist()))
    assert np.array_equal(relabel(sample, 5).values, null.values)
    assert not np.array_equal(relabel(sample, 6).values, null.values)


def test_relabelled_systems_differ_by_nothing_on_average(sample: Statistics) -> None:
    scores = np.array([relabel(sample, seed).scores for seed in range(400)])
    error = scores.std(axis=0) / np.sqrt(400)
    # The mean of all scores is the same in every world but for the length penalty's curve.
    assert np.abs(scores.mean(axis=0) - scores.mean()).max() < 4.5 * error.max()


def test_every_order_of_labels_is_as_frequent() -> None:
    three = rated(np.arange(3.0)[:, None] + np.zeros((3, 6000)))
    values = relabel(three, 1).values[0].T.astype(int)
    _, counts = np.unique(values, axis=0, return_counts=True)
    assert len(counts) == 6
    assert stats.chisquare(counts).pvalue > 1e-4


def test_single_worlds_are_those_that_are_counted() -> None:
    plan = Multiplicity(size=30, simulations=50, n_resamples=99, most_systems=3)
    material = Material.of(made_statistics(n=60, systems=3))
    counts = {"none": 0, "bonferroni": 0}
    for number in range(plan.simulations):
        drawn, scheme = plan._drawn(plan._world(material), number)
        p = compare(drawn, ApproximateRandomization(scheme)).p_value
        for name in counts:
            correction = CORRECTIONS[name]
            assert isinstance(correction, OfPValues)
            counts[name] += bool(np.any(correction.adjusted(p) <= plan.alpha))
    found = run(plan, material)
    for name, count in counts.items():
        assert found.errors[found.corrections.index(name), -1] == count


def test_a_look_is_the_fast_t_test_on_what_is_there(sample: Statistics) -> None:
    pair = sample.select(["via-catalan", "via-galician"])
    units = np.array([20, 77, 200])
    difference, p = at_looks(pair, units)
    for z, count in enumerate(units):
        family = compare(without_documents(of_units(pair, np.arange(count))), InfinitesimalJackknifeT())
        assert difference[z] == pytest.approx(family.difference[0], rel=1e-9)
        assert p[z] == pytest.approx(family.p_value[0], rel=1e-6)


def test_systems_that_are_the_same_so_far_are_no_claim() -> None:
    scores = np.random.default_rng(2).normal(0, 1, (1, 60)).repeat(2, axis=0)
    scores[1, 40:] += 1
    difference, p = at_looks(rated(scores), np.array([20, 40, 60]))
    assert (difference[:2].tolist(), p[:2].tolist()) == ([0, 0], [1, 1])
    assert p[2] < 0.05


def armitage(looks: int) -> float:
    """The chance that a normal walk is ever past 1.96 standard errors at equal looks, by stepping its density on."""
    grid = np.linspace(-8 * np.sqrt(looks), 8 * np.sqrt(looks), 8001)
    step = grid[1] - grid[0]
    kernel = stats.norm.pdf(np.arange(-1200, 1201) * step)
    density = stats.norm.pdf(grid)
    for look in range(1, looks + 1):
        density[np.abs(grid) > stats.norm.ppf(0.975) * np.sqrt(look)] = 0
        if look < looks:
            density = np.convolve(density, kernel, mode="same") * step
    return float(1 - density.sum() * step)


def test_ten_looks_err_as_often_as_theory_says(sample: Statistics) -> None:
    assert armitage(2) == pytest.approx(0.083, abs=0.001)  # Armitage, McPherson and Rowe (1969), table 2
    assert armitage(10) == pytest.approx(0.193, abs=0.001)
    sets = 800  # a rate of .30, or one of a single look, is noticed all but always
    found = run(Peeking(simulations=sets, pair=("via-catalan", "via-galician")), sample)
    assert abs(found.rate - armitage(10)) < 3.5 * np.sqrt(0.193 * 0.807 / sets)
    assert abs(found.rate - 0.197) < 3.5 * np.sqrt((1 / sets + 1 / 2000) * 0.193 * 0.807)  # measured independently
    assert abs(found.rate_at_end - 0.05) < 3.5 * np.sqrt(0.05 * 0.95 / sets)
    assert found.rows()[-1]["any_so_far"] == found.rate
    assert f"{found.rate:.1%}" in law_text(found)


def test_fewer_test_sets_are_the_first_of_more(sample: Statistics) -> None:
    few, many = (run(Peeking(looks=3, size=60, simulations=count), sample) for count in (50, 75))
    assert np.array_equal(few.p, many.p[:50])
    assert many.units.tolist() == [20, 40, 60]
