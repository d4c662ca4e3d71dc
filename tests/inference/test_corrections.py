"""What must hold between the corrections, and step-down min-P written down a second time from its definition."""

from dataclasses import replace

import numpy as np
import pytest
from kept import worded
from made import made_ratings, made_statistics, nearly_alike, rated
from made_means import means
from sampled import crossed

from mtsig import Settings, adjust, ranks
from mtsig.errors import NotApplicable
from mtsig.inference import Family, compare
from mtsig.inference._adjust import _together
from mtsig.inference._corrections import SingleStepMaxT, count_at_least
from mtsig.inference._significance import ApproximateRandomization, ShiftBootstrap
from mtsig.report import comparison_table
from mtsig.report._families import method_text
from mtsig.resampling import Bootstrap, Swap


def family_of(seed: int, draws: int = 999) -> Family:
    return compare(made_statistics(systems=5, seed=seed), ApproximateRandomization(Swap(draws)))


@pytest.mark.parametrize("correction", ["minp", "holm", "bonferroni", "none"])
@pytest.mark.parametrize("seed", range(4))
def test_corrected_p_is_never_below_the_raw_one(seed: int, correction: str) -> None:
    family = adjust(family_of(seed), correction)
    assert np.all(family.p_adjusted >= family.p_value - 1e-12)
    assert np.all(family.p_adjusted <= 1)


@pytest.mark.parametrize("seed", range(4))
def test_min_p_gives_away_least_and_bonferroni_most(seed: int) -> None:
    # Within one matrix of draws, counted as ranks, both inequalities hold exactly, not only on average.
    family = family_of(seed)
    minp, holm, bonferroni = (adjust(family, name).p_adjusted for name in ("minp", "holm", "bonferroni"))
    assert np.all(minp <= holm + 1e-12)
    assert np.all(holm <= bonferroni + 1e-12)
    assert np.any(minp < holm)
    assert bonferroni == pytest.approx(np.minimum(1, family.p_value * len(family)))


@pytest.mark.parametrize("correction", ["minp", "holm", "bonferroni"])
def test_correcting_keeps_the_order_of_p_values(correction: str) -> None:
    family = adjust(family_of(1), correction)
    order = np.argsort(family.p_value, kind="stable")
    assert np.all(np.diff(family.p_adjusted[order]) >= 0)


def test_a_family_of_one_needs_no_correction() -> None:
    family = compare(made_statistics(systems=2))
    for correction in ("minp", "holm", "bonferroni", "none"):
        assert adjust(family, correction).p_adjusted.tolist() == family.p_value.tolist()


def by_definition(null: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """Return step-down min-P by its definition: comparing every row with every other."""
    rows = np.abs(np.vstack([observed, null.T]))  # row 0: no swap
    ranked = np.mean(rows[None, :, :] >= rows[:, None, :] - 1e-9, axis=1)
    raw = ranked[0]
    order = np.argsort(raw, kind="stable")
    found = np.empty(len(raw))
    for place, pair in enumerate(order):
        smallest = ranked[:, order[place:]].min(axis=1)
        found[pair] = max(np.mean(smallest <= raw[pair]), found[order[place - 1]] if place else 0.0)
    return found


@pytest.mark.parametrize("seed", range(3))
def test_min_p_follows_its_definition(seed: int) -> None:
    family = family_of(seed, draws=300)
    assert family.null is not None
    assert adjust(family, "minp").p_adjusted == pytest.approx(by_definition(family.null, family.difference), abs=1e-12)


@pytest.mark.parametrize("apart", [0.0, 1e-11, 0.9e-9, 1.1e-9, 3e-9, 1e-3])
def test_ranks_of_draws_count_ties_and_leave_out_only_what_is_nearer(apart: float) -> None:
    # Many steps of a size about that of the tolerance: chains of ties, also over where sorting could end.
    for observed in (7 * apart, 20 * apart, -39 * apart, 0.1):
        null = apart * np.random.default_rng(4).integers(-40, 40, 120)
        size = np.abs([observed, *null])
        ranks = []
        for value in size:
            reached = value
            while (chained := [other for other in size if reached - 1e-9 <= other < reached]) != []:
                reached = min(chained)
            ranks.append(np.count_nonzero(size >= reached))
        assert count_at_least(null, observed, False, "two-sided", only_farther=False).tolist() == ranks
        for known, rank in zip(count_at_least(null, observed, False, "two-sided"), ranks, strict=True):
            assert known == rank or (rank > ranks[0] and known == len(size))


def test_min_p_serves_every_test_with_joint_draws() -> None:
    family = compare(made_statistics(systems=4), ShiftBootstrap(Bootstrap(300)))
    assert family.null is not None
    assert adjust(family, "minp").p_adjusted == pytest.approx(by_definition(family.null, family.difference), abs=1e-12)


def test_duplicated_comparisons_cost_nothing_under_min_p() -> None:
    # Systems B and C are one and the same: three comparisons, of which one is trivial and two are one.
    rng = np.random.default_rng(6)
    first, second = rng.normal([[0.25], [0.0]], 1, (2, 100))
    family = compare(means([first, second, second]), "ar")
    adjusted = adjust(family, "minp").p_adjusted
    assert adjusted[0] == adjusted[1] == family.p_value[0]
    assert adjust(family, "holm").p_adjusted[0] > family.p_value[0]


def test_correcting_twice_is_correcting_once() -> None:
    family = family_of(2)
    assert np.array_equal(adjust(adjust(family, "holm"), "minp").p_adjusted, adjust(family, "minp").p_adjusted)


def test_monte_carlo_limits_enclose_the_corrected_p() -> None:
    for correction in ("minp", "holm", "bonferroni"):
        family = adjust(family_of(0), correction)
        assert np.all(family.p_adjusted_mc_low <= family.p_adjusted)
        assert np.all(family.p_adjusted <= family.p_adjusted_mc_high + 10 / 1000)
        below_one = family.p_adjusted < 1
        assert np.all((family.p_adjusted_mc_low < family.p_adjusted_mc_high)[below_one])
        assert below_one.any()


def test_complete_families_have_no_monte_carlo_error() -> None:
    statistics = made_statistics(n=10, systems=4)
    family = adjust(compare(statistics), "minp")
    assert family.complete
    assert np.array_equal(family.p_adjusted_mc_low, family.p_adjusted_mc_high)
    assert np.array_equal(family.p_adjusted, family.p_adjusted_mc_low)


SCALED = SingleStepMaxT()


def test_exchanges_leave_the_scale_of_max_t_alone() -> None:
    # With an observed standard error instead, exchanging labels would change the yardstick.
    statistics = made_statistics(n=120, systems=2)
    swap = np.random.default_rng(3).random(120) < 0.5
    values = statistics.values.copy()
    values[:, :, swap] = values[:, ::-1, swap]
    exchanged = replace(statistics, values=values)
    observed, after = (_together([compare(one)], SCALED).scale for one in (statistics, exchanged))
    assert observed is not None
    assert after == pytest.approx(observed, rel=1e-9)
    # Halfway between the two, and by hand for a mean: the root of the sum of squared gaps over n².
    means = made_ratings(n=40, systems=2)
    gaps = means.values[0, 0] - means.values[0, 1]
    assert _together([compare(means)], SCALED).scale == pytest.approx(np.sqrt(np.square(gaps).sum()) / 40, rel=1e-6)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_one_comparison_has_nothing_to_be_corrected_for(seed: int) -> None:
    statistics = made_statistics(n=16, systems=2)
    for name in ("ar", "bootstrap-shift", "bootstrap-t"):
        (one,) = Settings(test=name, n_resamples=400, seed=seed).family(statistics)
        assert (one.p_adjusted, one.p_adjusted_mc_low, one.p_adjusted_mc_high) == (
            one.p_value,
            one.p_mc_low,
            one.p_mc_high,
        )
    assert "one comparison" in method_text(Settings(seed=seed).family(statistics))


@crossed(
    "name, correction",
    ["ar", "bootstrap-shift", "bootstrap-t", "ij-t"],
    ["minp", "minp-single", "maxt", "maxt-down", "holm", "bh"],
)
def test_company_makes_no_p_smaller(name: str, correction: str) -> None:
    family = adjust(Settings(test=name, n_resamples=300).family(nearly_alike(6)), correction)
    assert np.all(family.p_adjusted >= family.p_value)


def test_classical_comparisons_are_called_what_they_are() -> None:
    family = Settings(correction="tukey", unit="segment").family(made_ratings(n=60, systems=3))
    assert "its own test" in method_text(family)
    assert "corrected by" not in method_text(family)
    worded(method_text(family))
    with pytest.raises(NotApplicable, match="tukey controls it only where"):
        ranks(family)


def test_one_comparison_is_tested_as_it_was_asked_to_be() -> None:
    statistics = made_ratings(n=60, systems=3)
    settings = Settings(correction="tukey", unit="segment", n_resamples=500)
    family = settings.family(statistics, [("sys0", "sys1")])
    # Of two systems Tukey's p is that of the paired t test, whatever the test beside it.
    by_t = compare(statistics.select(["sys0", "sys1"]), "t")[0].p_value
    assert family[0].p_adjusted == pytest.approx(by_t, abs=1e-6)
    worded(method_text(family), "Tukey", "HSD")
    worded(comparison_table(family).header, "1")
    table = comparison_table(Settings(n_resamples=500).family(statistics, [("sys0", "sys1")]))
    assert not any(name.startswith("p of") for name in table.header)
    assert "Bonferroni" not in table.caption
    worded(comparison_table(Settings(n_resamples=500).family(statistics)).header, "3")


def test_p_values_that_tie_at_their_floor_are_corrected_alike() -> None:
    # Two pairs of nine segments each, which all favour the first system: 2^-8 each, and either of the two 2^-7.
    noise = np.random.default_rng(3).normal(size=60)
    one, two = noise.copy(), noise.copy()
    one[:9] += np.linspace(0.5, 1.5, 9)
    two[20:29] += np.linspace(2.5, 0.5, 9)
    statistics = rated([noise, one, two], ["base", "one", "two"])
    family = Settings(n_resamples=10_000).family(statistics, [("one", "base"), ("two", "base")])
    assert family.complete
    assert family.p_value.tolist() == [2.0**-8] * 2
    # Either of two independent signs of nine: 1 − (1 − 2^-8)^2.
    assert family.p_adjusted == pytest.approx([1 - (1 - 2.0**-8) ** 2] * 2)
