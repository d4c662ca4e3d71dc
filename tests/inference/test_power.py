"""Power, needed size and equivalence, against the noncentral t and against theory."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from kept import worded
from made import made_corpus, made_ratings, made_statistics, rated
from sampled import crossed
from scipy import special, stats

from mtsig import Settings, measure, power_analysis, read_sample
from mtsig._probability import satterthwaite_df
from mtsig._say import say
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference import (
    Family,
    compare,
    detectable_difference,
    equivalence,
    non_inferiority,
    simulated_power,
    smallest_detectable,
)
from mtsig.inference._fields import noncentral, own_factor, pilot_factor, spread_range
from mtsig.inference._margins import pilot_of
from mtsig.inference._power import _redrawn, needed_units, power_of_t, smallest_units
from mtsig.metrics import Statistics
from mtsig.report._tables import detectable_number


def mean_power(shift: float, df: float, pilot_df: float, tail: float) -> float:
    """Return the power for so many standard errors of the pilot, averaged over what its spread may be."""
    q = 2 * pilot_df / 3
    spread = np.sqrt(stats.chi2.ppf((np.arange(400) + 0.5) / 400, q) / q)
    return float(np.mean(stats.nct.sf(stats.t.isf(tail, df), df, np.minimum(shift * spread, 37))))


def pair(n: int = 1500, gap: float = 0.0) -> Statistics:
    """Return two systems whose difference per segment is normal with SD 1."""
    noise = stats.norm.ppf((np.random.default_rng(3).permutation(n) + 0.5) / n)
    return rated([noise / noise.std() + gap, np.zeros(n)])


@pytest.mark.parametrize(("difference", "units"), [(0.1, 200), (0.2, 200), (0.3, 50), (-0.2, 300)])
def test_simulated_power_is_that_of_the_noncentral_t(difference: float, units: int) -> None:
    simulations, shift = 5000, abs(difference) * np.sqrt(units)
    bound = stats.t.ppf(0.975, units - 1)
    wrong = stats.nct.cdf(-bound, units - 1, shift)
    power = stats.nct.sf(bound, units - 1, shift) + wrong
    found = simulated_power(pair(), "A", "B", difference, units=units, simulations=simulations)
    assert found.power == pytest.approx(power, abs=4 * np.sqrt(power * (1 - power) / simulations))
    assert (found.units, found.difference) == (units, difference)


def test_wrong_signs_and_exaggeration_follow_theory_when_power_is_low() -> None:
    # A true difference of .5 standard errors: significant results are some four times too large, often wrong in sign.
    units, shift, simulations = 400, 0.5, 20_000
    found = simulated_power(pair(), "A", "B", shift / np.sqrt(units), units=units, simulations=simulations)
    z = stats.norm.ppf(0.975)
    above, below = stats.norm.sf(z - shift), stats.norm.cdf(-z - shift)
    power = above + below
    size = (shift * above + stats.norm.pdf(z - shift) - shift * below + stats.norm.pdf(-z - shift)) / power / shift
    assert found.power == pytest.approx(power, abs=0.008)
    assert found.wrong_sign == pytest.approx(below / power, abs=4 * np.sqrt(0.1 / (power * simulations)))
    assert found.exaggeration == pytest.approx(size, rel=0.05)


def test_with_full_power_nothing_is_exaggerated() -> None:
    found = simulated_power(pair(), "A", "B", 1.0, units=200, simulations=1000)
    assert (found.power, found.wrong_sign) == (1.0, 0.0)
    assert found.exaggeration == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("comparisons", [3, 45])
def test_one_of_several_comparisons_is_found_at_bonferronis_critical_value(comparisons: int) -> None:
    # By the noncentral t: alpha/m on both sides; needed is the smallest n that reaches the power.
    units, simulations, alpha = 200, 5000, 0.05 / comparisons
    error = compare(pair(n=units)).standard_error[0]
    bound, shift = stats.t.isf(alpha / 2, units - 1), 0.2 / error
    power = stats.nct.sf(bound, units - 1, shift) + stats.nct.cdf(-bound, units - 1, shift)
    found = power_analysis(pair(n=units), "A", "B", 0.2, comparisons=comparisons)
    assert found.power is not None
    simulated = simulated_power(pair(n=units), "A", "B", 0.2, comparisons=comparisons, simulations=simulations)
    assert simulated.power == pytest.approx(power, abs=4 * np.sqrt(power * (1 - power) / simulations))
    assert found.power.power == pytest.approx(power, abs=1e-3)
    assert found.needed is not None
    reached = [
        mean_power(0.2 / error * np.sqrt(n / units), (units - 1) * n / units, units - 1, alpha / 2) >= 0.8
        for n in (found.needed - 1, found.needed)
    ]
    assert reached == [False, True]
    assert found.needed_low is not None
    assert found.needed_high is not None
    assert found.needed_low < found.needed < found.needed_high
    with pytest.raises(InvalidOption, match="At least 1 comparison"):
        power_analysis(pair(n=units), "A", "B", 0.2, comparisons=0)


@pytest.mark.parametrize(
    ("df", "shift", "tail"), [(4.4, 1.0, 0.025), (9, 0.3, 0.01), (19, 2.954, 0.025), (1e7, 2.8, 0.025)]
)
def test_power_and_its_errors_are_those_of_normal_differences(df: float, shift: float, tail: float) -> None:
    error, simulations = 0.7, 100_000
    found = power_of_t(error, df, -shift * error, tail)
    bound = stats.t.isf(tail, df)
    assert found[0] == pytest.approx(stats.nct.sf(bound, df, shift) + stats.nct.cdf(-bound, df, shift), abs=2e-5)
    rng = np.random.default_rng(6)
    estimates = error * (rng.normal(size=simulations) - shift)
    significant = np.abs(estimates) > bound * error * np.sqrt(rng.chisquare(df, simulations) / df)
    among, kept = significant.sum(), estimates[significant]
    assert found[1] == pytest.approx((kept > 0).mean(), abs=4 * np.sqrt(found[1] / among) + 1e-3)
    sizes = np.abs(kept) / (shift * error)
    assert found[2] == pytest.approx(sizes.mean(), abs=4 * sizes.std() / np.sqrt(among))


@pytest.mark.parametrize(
    ("df", "comparisons", "shift"),
    [
        (1.5, 1e6, 0.5),
        (4, 1e9, 1.0),
        (9, 190, 2.0),
        (1e7, 1128, 3.0),
        *(pytest.param(*more, marks=pytest.mark.slow) for more in ((9, 190, 1.0), (9, 1128, 1.0), (19, 1128, 1.0))),
    ],
)
def test_power_and_its_errors_hold_with_many_comparisons(df: float, comparisons: float, shift: float) -> None:
    """By Gauss's quadrature over ln(χ²/ν), piece by piece."""
    tail = 0.025 / comparisons
    bound = stats.t.isf(tail, df)
    scale = np.sqrt(2 / df)
    pieces = np.concatenate([np.linspace(-60, -12, 30), np.linspace(-11, 11, 23)]) * min(scale, 1)

    nodes, weights = np.polynomial.legendre.leggauss(60)
    half = np.diff(pieces) / 2
    logarithm = (pieces[:-1] + half)[:, None] + half[:, None] * nodes
    chi2 = df * np.exp(logarithm)
    density = half[:, None] * weights * chi2 * stats.chi2.pdf(chi2, df)

    def mean(value: Callable[[np.ndarray], np.ndarray]) -> float:
        return float((density * value(bound * np.exp(logarithm / 2))).sum())

    wrong = mean(lambda least: special.ndtr(-least - shift))
    power = mean(lambda least: special.ndtr(shift - least)) + wrong
    sizes = mean(lambda least: shift * (special.ndtr(shift - least) - special.ndtr(-least - shift)))
    sizes += mean(lambda least: sum(np.exp(-((least + way * shift) ** 2) / 2) for way in (-1, 1)) / np.sqrt(2 * np.pi))
    found = power_of_t(0.7, df, 0.7 * shift, tail)
    assert found == pytest.approx((power, wrong / power, sizes / power / shift), rel=1e-6, abs=1e-20)


def test_of_no_power_at_all_there_is_no_wrong_sign() -> None:
    power, wrong, exaggeration = power_of_t(1.0, 1e7, 1e-3, 1e-320)
    assert power == 0
    assert np.isnan([wrong, exaggeration]).all()


def test_needed_size_and_power_do_not_contradict_each_other() -> None:
    # What is needed with the power asked for is more than what a known spread would take, and never less.
    statistics = measure(read_sample(), "chrf")
    for size in (1.5, 1.9, 2.0, 2.02, 2.03, 2.5):
        found = power_analysis(statistics, "via-catalan", "via-galician", size)
        assert found.power is not None
        assert found.needed is not None
        assert found.power.power >= 0.8 or found.needed > found.units, size


def test_redraws_have_the_standard_error_of_the_pilot() -> None:
    noise = np.random.default_rng(8).normal(size=12)
    statistics = rated([noise, 0 * noise])
    drawn = _redrawn(pilot_of(statistics, "A", "B", "auto"), 12, 20_000, 1)[0]
    assert drawn.std() == pytest.approx(stats.sem(noise), rel=0.03)


def test_the_observed_difference_does_not_enter() -> None:
    one, other = (simulated_power(pair(gap=gap), "A", "B", 0.1, simulations=500) for gap in (0.0, 3.0))
    assert one.power == pytest.approx(other.power, abs=0.005)
    assert needed_units(pair(), "A", "B", 0.1)[0] == needed_units(pair(gap=3), "A", "B", 0.1)[0]


def test_needed_units_and_detectable_difference_are_each_others_inverse() -> None:
    statistics = made_statistics(n=300, systems=2)
    n = needed_units(statistics, "sys0", "sys1", 0.5)[0]
    error = compare(statistics)
    sigma = (error.ci_high[0] - error.ci_low[0]) / 2 / stats.t.ppf(0.975, 299) * np.sqrt(300)
    reached = [mean_power(0.5 / sigma * np.sqrt(size), 299 * size / 300, 299, 0.025) for size in (n, n - 1)]
    assert reached[0] >= 0.8 >= reached[1]
    # Where the test set itself is the pilot, what is detectable takes as many units as it has.
    own = detectable_difference(sigma / np.sqrt(300), df=299)
    assert needed_units(statistics, "sys0", "sys1", own * 1.0001)[0] == 300
    assert needed_units(statistics, "sys0", "sys1", -0.5)[0] == n
    assert needed_units(statistics, "sys0", "sys1", 0.25)[0] == pytest.approx(4 * n, rel=0.001)
    assert needed_units(statistics, "sys0", "sys1", 0.5, power=0.9)[0] > n
    assert needed_units(statistics, "sys0", "sys1", 0.5, comparisons=10)[0] > n


def test_what_is_needed_suffices() -> None:
    n = needed_units(pair(), "A", "B", 0.15)[0]
    found = simulated_power(pair(), "A", "B", 0.15, units=n, simulations=5000)
    assert found.power == pytest.approx(0.8, abs=0.025)


def test_redrawn_documents_that_carry_no_verdict_find_nothing() -> None:
    # ν is 4.4: with the longest document drawn twice or more it is often below 4, where no verdict is given.
    lengths = np.array([20, 14, 12, 8, 6, 5, 5, 4, 4, 3, 3, 2])
    noise = np.random.default_rng(1).normal(0, 1, lengths.sum())
    statistics = rated([noise, np.zeros(lengths.sum())], documents=np.repeat(np.arange(12), lengths))
    drawn = np.random.default_rng(2).choice(lengths, (4000, 12))
    carried = float(np.mean([satterthwaite_df(one) >= 4 for one in drawn]))
    assert 0.5 < carried < 0.95
    # Of this size the difference is found in every redraw that is judged.
    found = simulated_power(statistics, "A", "B", 50.0, simulations=4000)
    assert found.power == pytest.approx(carried, abs=0.03)
    assert found.power_low == found.power_high == found.power


@pytest.mark.parametrize("bad", [0.0, float("nan"), float("inf"), 1e-300])
def test_differences_that_mean_nothing_are_refused(bad: float) -> None:
    with pytest.raises(InvalidOption):
        needed_units(pair(), "A", "B", bad)
    with pytest.raises(InvalidOption):
        power_analysis(pair(), "A", "B", bad)


@pytest.mark.parametrize("power", [0.0, 1.0, 80, -0.1, float("nan")])
def test_power_is_a_share(power: float) -> None:
    with pytest.raises(InvalidOption, match="Power"):
        needed_units(pair(), "A", "B", 0.1, power=power)


@pytest.mark.parametrize("margin", [0.0, -1.0, float("nan"), float("inf")])
def test_margins_are_positive_numbers(margin: float) -> None:
    for test in (equivalence, non_inferiority):
        with pytest.raises(InvalidOption, match="margin"):
            test(pair(), "A", "B", margin)


def test_systems_that_never_differ_have_no_power_to_speak_of() -> None:
    twins = rated(np.ones((2, 30)))
    with pytest.raises(NotApplicable, match="no variance to test against"):
        needed_units(twins, "A", "B", 0.1)
    assert equivalence(twins, "A", "B", 0.1).established is None


def test_a_power_analysis_needs_a_difference_or_a_margin() -> None:
    with pytest.raises(InvalidOption, match="margin"):
        power_analysis(pair(), "A", "B")
    only = power_analysis(pair(), "A", "B", margin=0.1)
    assert (only.needed, only.power) == (None, None)
    assert only.equivalence is not None
    assert only.non_inferiority is not None
    both = power_analysis(pair(), "A", "B", 0.1, 0.2)
    assert both.needed is not None
    assert both.power is not None


def test_not_separated_is_not_equal_and_equal_may_be_separated() -> None:
    # A tiny difference, known precisely: significant, and yet equivalent within half a point.
    statistics = pair(n=1500, gap=0.1)
    assert compare(statistics, "ij-t").p_value[0] < 0.001
    assert equivalence(statistics, "A", "B", 0.5).established
    # Little data: neither separated nor shown to be equivalent.
    small = pair(n=12, gap=0.3)
    assert compare(small, "ij-t").p_value[0] > 0.05
    assert not equivalence(small, "A", "B", 0.5).established


def test_non_inferiority_looks_at_one_side() -> None:
    better = pair(n=200, gap=2.0)
    assert non_inferiority(better, "A", "B", 0.5).established
    assert not non_inferiority(better, "B", "A", 0.5).established
    assert not equivalence(better, "A", "B", 0.5).established


def test_equivalence_errs_at_most_at_its_rate_on_the_edge() -> None:
    rng, shown, sets = np.random.default_rng(5), 0, 800
    for _ in range(sets):
        statistics = rated([rng.normal(0.5, 1, 100), np.zeros(100)])
        shown += equivalence(statistics, "A", "B", 0.5).established
    assert stats.binom.ppf(0.0005, sets, 0.045) <= shown <= stats.binom.ppf(0.9995, sets, 0.055)


def family(**changes: object) -> Family:
    return Settings(n_resamples=500, **changes).family(made_statistics(n=200, systems=4))


@pytest.mark.parametrize("interval", ["ij", "percentile", "normal", "simultaneous"])
def test_the_detectable_difference_does_not_hang_on_the_interval_shown(interval: str) -> None:
    assert [smallest_detectable(one) for one in family(interval=interval)] == [
        smallest_detectable(one) for one in family(interval="jackknife")
    ]


def test_corrected_families_detect_less() -> None:
    df = family()[0].units - 1
    alone, corrected = (smallest_detectable(family(correction=name)[0]) for name in ("none", "holm"))
    assert alone is not None
    assert corrected is not None
    assert corrected.difference / alone.difference == pytest.approx(
        (stats.norm.isf(0.025 / 6) + stats.norm.ppf(0.8)) / (stats.norm.isf(0.025) + stats.norm.ppf(0.8)), rel=0.01
    )
    for one in (alone, corrected):
        assert one.low < one.difference < one.high
    shift = alone.difference / family(correction="none")[0].standard_error
    assert mean_power(shift, df, df, 0.025) == pytest.approx(0.8, abs=1e-7)


def test_identical_systems_have_no_detectable_difference() -> None:
    assert smallest_detectable(compare(rated(np.ones((2, 30))))[0]) is None


def test_documents_that_are_needed_are_as_many_as_inference_needs() -> None:
    ratings = replace(made_ratings(n=120, systems=2), document_of=np.repeat(np.arange(12), 10))
    found = power_analysis(ratings, "sys0", "sys1", 50.0)
    assert (found.unit, found.needed) == ("document", 10)


def test_simulated_power_follows_the_sign_of_the_metric() -> None:
    # A skewed difference: its mirror image under a metric where lower is better has the same power.
    gaps = np.where(np.arange(100) < 8, 6.0, 0.1)
    higher = rated([gaps, 0 * gaps])
    lower = rated([gaps, 0 * gaps], higher_is_better=False)
    one = simulated_power(higher, "A", "B", 0.6, simulations=2000)
    other = simulated_power(lower, "B", "A", 0.6, simulations=2000)
    assert one.power == pytest.approx(other.power, abs=1e-9)


@pytest.mark.parametrize(
    ("df", "comparisons", "known", "factor"),
    [
        (4.0, 1, 3.761060261, 1.399078745), (4.0, 15, 7.839119043, 1.449893609), (4.0, 120, 13.32792713, 1.46194234),
        (9.0, 1, 3.149635678, 1.155548238), (9.0, 15, 4.984120247, 1.185919269), (9.0, 120, 6.627548252, 1.199420623),
        (18.0, 1, 2.962675797, 1.073733632), (18.0, 15, 4.297012197, 1.090048557),
        (18.0, 120, 5.28811517, 1.098739524), (40.0, 1, 2.871131825, 1.03220776),
        (40.0, 15, 3.993254503, 1.039761131), (40.0, 120, 4.741394037, 1.044116189),
        (99.0, 1, 2.829129784, 1.012823204), (99.0, 15, 3.861065638, 1.015906713),
        (99.0, 120, 4.513155212, 1.017746223),
    ],
)  # fmt: skip
def test_the_factor_of_a_pilot_is_that_of_plain_loops(df: float, comparisons: int, known: float, factor: float) -> None:
    tail = 0.025 / comparisons
    assert noncentral(df, tail, 0.8) == pytest.approx(known, rel=1e-8)
    assert pilot_factor(df, df, tail, 0.8) == pytest.approx(factor, rel=1e-8)
    assert own_factor(df, tail, 0.8) == pytest.approx(factor, rel=1e-6)


def test_the_detectable_difference_is_that_of_plain_loops() -> None:
    assert detectable_difference(0.42, comparisons=15, df=18.0) == pytest.approx(1.967259816, rel=1e-7)


@pytest.mark.parametrize(
    ("error", "df", "units", "difference", "comparisons", "needed", "known"),
    [(0.5, 12, 30, 1.0, 1, 78, 64), (0.5, 12, 30, 1.0, 15, 150, 118), (0.3, 40, 60, 0.5, 1, 184, 173)],
)
def test_needed_documents_are_those_of_plain_loops(
    error: float, df: float, units: int, difference: float, comparisons: int, needed: int, known: int
) -> None:
    asked = (error, df, units, difference, 0.025 / comparisons, 0.8, True)
    assert (smallest_units(*asked, df), smallest_units(*asked)) == (needed, known)


def test_a_spread_that_is_known_needs_no_factor() -> None:
    assert pilot_factor(12.0, np.inf, 0.025, 0.8) == 1.0
    assert pilot_factor(1e5, 1e5, 0.025, 0.8) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("comparisons", [1, 45, 1225])
def test_the_range_always_holds_what_is_detectable(comparisons: int) -> None:
    for df in np.geomspace(4, 5000, 9).tolist():
        low, high = spread_range(df)
        assert low < own_factor(df, 0.025 / comparisons, 0.8) < high


def test_many_degrees_of_freedom_take_a_few_factors() -> None:
    # 1,225 pairs that each have units of their own: their factors lie between few that are worked out.
    pilot_factor.kept.clear()
    for df in np.linspace(50.1, 180.2, 1225).tolist():
        own_factor(df, 0.025 / 1225, 0.8)
    assert len(pilot_factor.kept) < 15


@crossed("documents, heavy", [12, 30], [False, True])
def test_what_is_printed_as_detectable_is_found_in_four_of_five_sets_on_average(documents: int, heavy: bool) -> None:
    # Pilots of one population, each with its own printed difference, whose true power the population says: documents
    # of unequal length whose effects have tails as long as those of real ones.
    rng = np.random.default_rng(documents + heavy)
    power = []
    for _ in range(250):
        lengths = rng.integers(2, 12, documents) if heavy else np.full(documents, 6)
        effects = (rng.standard_t(5, documents) / np.sqrt(5 / 3)) if heavy else rng.normal(size=documents)
        df = satterthwaite_df(lengths) if heavy else documents - 1.0
        weights = lengths / lengths.sum()
        theta = weights @ effects
        left_out = (theta - weights * effects) / (1 - weights) - theta
        error = np.sqrt((documents - 1) / documents * np.square(left_out).sum())
        true_error = np.sqrt(np.square(weights).sum())
        shift = detectable_difference(error, df=df) / true_error
        power.append(float(special.nctdtr(df, -min(shift, 37), -stats.t.isf(0.025, df))))
    assert 0.76 <= np.nanmean(power) <= 0.86


def test_what_exceeds_all_that_a_metric_allows_is_said_in_words() -> None:
    found = Settings(test="jackknife-t", unit="segment").family(measure(made_corpus(60, 2, documents=0), "chrf"))[0]
    wild = found.changed(standard_error=40.0, difference=1.0, p_value=0.9, p_adjusted=0.9)
    assert smallest_detectable(wild) is None
    worded(say(wild), "100")
    assert detectable_number(wild) == "none possible"
    assert "cannot show" not in say(found)
