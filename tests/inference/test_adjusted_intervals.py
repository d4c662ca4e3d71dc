"""Adjusted intervals leave out 0 exactly where the corrected p is at most alpha, whatever made p and corrected it."""

from dataclasses import replace

import numpy as np
import pytest
from made import made_statistics, rated
from sampled import crossed
from scipy import stats

import mtsig
from mtsig import Corpus, Rating
from mtsig._probability import Tails, t_above, t_critical
from mtsig.inference import CORRECTIONS, TESTS, Settings, compare
from mtsig.inference._adjust import adjust, adjust_together
from mtsig.inference._corrections import OfPValues, adjusted_ends
from mtsig.inference._margins import against_margin
from mtsig.inference._runs import compare_runs, correct_runs

ALPHA = 0.05


def test_holm_levels_and_intervals_are_those_of_plain_loops():
    d, df = np.array([2.1, -1.4, 1.27, 0.9, 0.5, -0.1]), 19.0
    error = np.array([0.42, 0.4, 0.44, 0.39, 0.41, 0.38])
    p = 2 * t_above(np.abs(d) / error, df)
    holm = CORRECTIONS["holm"]
    adjusted = holm.adjusted(p)
    level = holm.levels(p, adjusted, ALPHA)
    np.testing.assert_allclose(level, [0.008333333333, 0.01, 0.0125, 0.01666666667, 0.01666666667, 0.01666666667])
    ends = adjusted_ends(d, t_critical(level / 2, df) * error, adjusted <= ALPHA, level)
    expected = [
        (0.8635640355, 3.336435964),
        (-2.544373843, -0.2556261574),
        (0.05622220442, 2.483777796),
        (-0.1237913062, 1.923791306),
        (-0.5762934244, 1.576293424),
        (-1.097540247, 0.897540247),
    ]
    np.testing.assert_allclose(np.transpose([ends.low, ends.high]), expected, rtol=1e-9)


def test_levels_of_another_correction_are_those_of_plain_loops():
    p = np.array([0.0005, 0.004, 0.0125, 0.03, 0.4])
    adjusted = np.array([0.002, 0.013, 0.034, 0.06, 0.4])
    level = CORRECTIONS["minp"].levels(p, adjusted, ALPHA)
    np.testing.assert_allclose(level, [0.0125, 0.01538461538, 0.01838235294, 0.025, 0.025], rtol=1e-9)


def test_what_has_no_adjusted_p_was_judged_at_no_level():
    level = CORRECTIONS["scheffe"].levels(np.array([0.01, 0.3]), np.array([np.nan, 0.9]), ALPHA)
    np.testing.assert_allclose(level, [np.nan, ALPHA / 3])


def test_half_width_of_exchanges_counts_the_observed_difference_and_may_be_endless():
    drawn = [0.0, 0.1, 0.1, 0.2, 0.25, 0.3, 0.3, 0.35, 0.4, 0.45, 0.5, 0.5, 0.55, 0.6, 0.7, 0.75, 0.8, 1.0, 1.2]
    widths = []
    for level in (0.05, 0.1, 0.15, 0.2, 0.04):
        tails = Tails.of(np.array([drawn]), np.array([0.9]), "two-sided", False, level)
        widths.append(float(tails.reached_by(np.array([level]))[0]))
    assert widths == [1.2, 1.0, 0.9, 0.8, np.inf]


def test_draws_that_tie_with_one_beyond_the_level_are_left_out_with_it():
    tails = Tails.of(np.array([[1.0, 2, 2, 2, 3]]), np.array([0.5]), "two-sided", False, 0.5)
    assert [float(tails.reached_by(np.array([level]))[0]) for level in (0.5, 2 / 6, 1 / 6)] == [3.0, 3.0, 3.0]
    all_alike = Tails.of(np.full((1, 9), 2.0), np.array([2.0]), "two-sided", False, 0.5)
    assert np.isinf(all_alike.reached_by(np.array([0.5]))[0])


@pytest.mark.parametrize("name", [name for name, chosen in CORRECTIONS.items() if isinstance(chosen, OfPValues)])
def test_p_is_within_its_level_exactly_where_the_corrected_p_is_within_alpha(name):
    chosen, rng = CORRECTIONS[name], np.random.default_rng(7)
    for _ in range(300):
        m = int(rng.integers(1, 121))
        p = rng.random(m) ** rng.choice([1, 3, 8])
        if rng.random() < 0.5:  # ties, as draws make them
            p = np.ceil(p * 200) / 200
        adjusted = chosen.adjusted(p)
        level = chosen.levels(p, adjusted, ALPHA)
        np.testing.assert_array_equal(p <= level, adjusted <= ALPHA + 1e-12)
        assert np.all((level > 0) & (level <= np.maximum(ALPHA, p)))


def test_levels_of_holm_hold_those_of_false_coverage_control():
    # Of the intervals beside r claims at most alpha miss if each has level r·α/m, so none may be narrower.
    rng = np.random.default_rng(3)
    for m in (2, 15, 66):
        p = rng.random(m) ** 4
        adjusted = CORRECTIONS["holm"].adjusted(p)
        separated = adjusted <= ALPHA
        level = CORRECTIONS["holm"].levels(p, adjusted, ALPHA)
        assert np.all(level[separated] <= np.count_nonzero(separated) * ALPHA / m + 1e-15)


def _agrees(family):
    for comparison in family:
        if not comparison.has_p:
            assert np.isnan([comparison.adjusted_level, comparison.adjusted_ci_low, comparison.adjusted_ci_high]).all()
            continue
        outside = comparison.adjusted_ci_low > 0 or comparison.adjusted_ci_high < 0
        assert outside == (comparison.p_adjusted <= comparison.alpha + 1e-12), comparison


def _scores(kind, rng):
    systems, n = 5, 40
    gains = np.linspace(0, 0.9, systems)[:, None]
    if kind == "coarse":
        return np.round(rng.normal(gains, 1, (systems, n)))
    if kind == "few differ":
        values = np.tile(rng.normal(0, 1, n), (systems, 1))
        values[:, :9] += rng.normal(gains, 0.3, (systems, 9))
        return values
    return rng.normal(gains, 1, (systems, n))


@crossed("name, kind", TESTS, ["fine", "coarse", "few differ"])
def test_every_test_and_correction_agrees_with_its_adjusted_interval(name, kind):
    rng = np.random.default_rng(11)
    # sacreBLEU's own tests take its metrics only.
    statistics = made_statistics() if name.startswith("sacrebleu") else rated(_scores(kind, rng))
    made = compare(statistics, Settings(test=name, n_resamples=300, unit="segment").chosen_test("segment"))
    for correction in CORRECTIONS:
        if CORRECTIONS[correction].needs == "segment means" and not statistics.metric.is_segment_mean:
            continue
        _agrees(adjust(made, correction))


@crossed(
    "name, kind, unit",
    [name for name, test in TESTS.items() if not test.segment_only],
    ["fine", "coarse", "few differ"],
    ["document", "block"],
)
def test_documents_and_blocks_agree_too(name, kind, unit):
    scores = np.tile(_scores(kind, np.random.default_rng(12)), 3)  # 12 documents of 10 segments, or 5 blocks
    statistics = rated(scores, documents=np.repeat(np.arange(12), 10) if unit == "document" else None)
    family = Settings(test=name, n_resamples=300, unit=unit).family(statistics)
    assert family.unit == unit
    for correction in CORRECTIONS:
        if CORRECTIONS[correction].needs != "segment means":
            _agrees(adjust(family, correction))


@pytest.mark.parametrize("unit", ["document", "block", "segment"])
@pytest.mark.parametrize("correction", ["minp", "minp-single"])
def test_one_pair_with_gaps_agrees_by_joint_draws(correction, unit):
    rng = np.random.default_rng(1)
    available = rng.random((2, 100)) > 0.2
    documents = np.repeat(np.arange(20), 5) if unit == "document" else None
    whole = rated(np.where(available, rng.normal(0, 1, (2, 100)), 0), documents=documents)
    statistics = replace(whole, available=available)
    family = Settings(test="jackknife-t", correction=correction, unit=unit, n_resamples=199).family(statistics)
    _agrees(family)
    assert family[0].p_adjusted == pytest.approx(family[0].p_value, abs=0.1)


@pytest.mark.parametrize("correction", ["none", "holm", "minp", "bh"])
def test_joined_metrics_and_documents_agree(correction):
    rng = np.random.default_rng(5)
    documents = np.repeat(np.arange(12), 5)
    several = [rated(rng.normal(np.linspace(0, 0.6, 4)[:, None], 1, (4, 60)), documents=documents) for _ in range(3)]
    families = Settings(correction=correction, n_resamples=500).families(several, joined=True)
    for family in families:
        _agrees(family)
    assert len({c.adjusted_level for family in families for c in family if c.p_adjusted > ALPHA}) <= 1


@pytest.mark.parametrize("alternative", ["greater", "less"])
@pytest.mark.parametrize("test", ["ar", "jackknife-t", "bootstrap-shift", "t"])
def test_a_one_sided_claim_has_one_bound(test, alternative):
    statistics = rated(_scores("fine", np.random.default_rng(2)))
    family = Settings(test=test, alternative=alternative, n_resamples=400, unit="segment").family(statistics, "A")
    _agrees(family)
    ends = np.array([[c.adjusted_ci_low, c.adjusted_ci_high] for c in family])
    assert np.isnan(ends[:, 1 if alternative == "greater" else 0]).all()
    assert np.isfinite(ends[:, 0 if alternative == "greater" else 1]).all()


def test_one_comparison_has_its_own_interval():
    family = Settings(test="jackknife-t").family(made_statistics(systems=2))
    assert family.adjusted_level[0] == pytest.approx(1 - ALPHA)
    np.testing.assert_allclose(
        [family.adjusted_ci_low[0], family.adjusted_ci_high[0]], [family.ci_low[0], family.ci_high[0]], rtol=1e-9
    )


def test_uncorrected_families_keep_alpha():
    family = Settings(test="jackknife-t", correction="none").family(made_statistics(systems=5))
    np.testing.assert_allclose(family.adjusted_level, 1 - ALPHA)
    np.testing.assert_allclose(family.adjusted_ci_low, family.ci_low, rtol=1e-9)


def test_draws_too_few_bound_nothing_for_those_that_are_not_separated():
    statistics = rated(np.random.default_rng(1).normal(0, 1, (6, 80)))
    family = Settings(test="ar", correction="holm", n_resamples=30, unit="segment").family(statistics)
    assert np.isfinite(family.adjusted_level).all()
    assert np.isnan(family.adjusted_ci_low).all()


def test_the_other_side_of_a_comparison_has_the_ends_turned():
    comparison = Settings().family(made_statistics())[0]
    turned = comparison.turned
    assert (turned.adjusted_ci_low, turned.adjusted_ci_high) == (
        -comparison.adjusted_ci_high,
        -comparison.adjusted_ci_low,
    )


def test_correcting_anew_makes_the_intervals_anew():
    family = Settings(test="jackknife-t", correction="none").family(made_statistics(systems=4))
    (again,) = adjust_together([family], "holm")
    assert (again.adjusted_ci_high - again.adjusted_ci_low >= family.adjusted_ci_high - family.adjusted_ci_low).all()
    assert again.adjusted_level.min() >= 1 - ALPHA - 1e-12


@pytest.mark.parametrize("gap", [0.0, 0.25, 0.6])
def test_comparisons_over_runs_agree_too(gap):
    rng = np.random.default_rng(8)
    made = []
    for number in range(4):
        rows = [rng.normal(gap * (number % 3) * (side == 0), 1, 80) for side in range(2) for _ in range(5)]
        names = [f"{name}.run{run}" for name in "AB" for run in range(5)]
        statistics = rated(rows, names)
        made.append(compare_runs(statistics, "A", "B", {name: names[i : i + 5] for name, i in (("A", 0), ("B", 5))}))
    for judged in ([correct_runs([one])[0] for one in made], correct_runs(made)):
        for one in judged:
            outside = one.adjusted_ci_low > 0 or one.adjusted_ci_high < 0
            assert outside == (one.p_adjusted <= ALPHA + 1e-12)
    for one in made:
        assert (one.adjusted_ci_low, one.adjusted_ci_high) == pytest.approx((one.ci_low, one.ci_high), rel=0.01)


@pytest.mark.parametrize("both", [True, False])
def test_a_margin_is_passed_by_the_interval_exactly_where_it_is_shown(both):
    rng = np.random.default_rng(6)
    family = Settings(test="jackknife-t").family(rated(rng.normal(0, 1, (6, 60))))
    for margin in (0.3, 0.5, 0.7):
        for row in against_margin(family, margin, both=both):
            inside = row.adjusted_ci_low > -margin and (not both or row.adjusted_ci_high < margin)
            assert inside == row.established


@pytest.mark.parametrize("seed", range(20))
def test_one_pair_by_swaps_has_one_interval(seed: int) -> None:
    rng = np.random.default_rng(seed)
    statistics = rated(rng.normal(size=(2, 60)) + np.array([[0.35], [0.0]]))
    swaps = Settings(test="ar", unit="segment", n_resamples=499, seed=seed)
    [pair] = swaps.family(statistics)
    assert (pair.ci_low, pair.ci_high) == (pair.adjusted_ci_low, pair.adjusted_ci_high)
    assert (pair.ci_low > 0 or pair.ci_high < 0) == (pair.p_adjusted <= pair.alpha)
    # Of several, and where a method is named, the interval of the pair alone is that method's.
    [named] = replace(swaps, interval="jackknife").family(statistics)
    assert named.interval == "jackknife"
    assert named.ci_high != named.adjusted_ci_high


def test_two_that_are_right_everywhere_have_adjusted_intervals_of_a_width() -> None:
    right, half = np.ones(300), np.arange(300) % 2.0
    documents = [f"d{place // 10}" for place in range(300)]
    texts = Corpus.of(
        dict.fromkeys("abc"), ratings={"acc": Rating(np.array([right, right, half]), True)}, documents=documents
    )
    for corpus in (texts, Corpus.of(dict.fromkeys("ab"), ratings={"acc": Rating(np.array([right, right]), True)})):
        family = mtsig.compare(mtsig.measure(corpus, "acc"), test="jackknife-t").results[0].compared
        row = family[family.find("a", "b")]
        # Tango's interval where no answer differs: T² = nδ/(1 − δ) at its end.
        end = stats.norm.ppf(0.975) ** 2 / (row.units + stats.norm.ppf(0.975) ** 2)
        assert (row.ci_low, row.ci_high) == pytest.approx((-end, end), abs=1e-6)
        assert row.adjusted_ci_low <= row.ci_low + 1e-9
        assert row.adjusted_ci_high >= row.ci_high - 1e-9
        level = row.adjusted_level
        z = stats.norm.ppf((1 + level) / 2)
        assert row.adjusted_ci_high == pytest.approx(z**2 / (row.units + z**2))
        chosen = {"test": "jackknife-t", "alternative": "greater", "pairs": [("a", "b")]}
        family = mtsig.compare(mtsig.measure(corpus, "acc"), **chosen).results[0].compared
        row = family[family.find("a", "b")]
        z = stats.norm.ppf(row.adjusted_level)
        assert row.adjusted_ci_low == pytest.approx(-(z**2) / (row.units + z**2))
