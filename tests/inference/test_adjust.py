"""What must hold for every comparison whatever the data: symmetry, order, identity, the range of p."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from kept import worded
from made import Rated, made_corpus, made_ratings, made_statistics, rated
from made_means import means
from quick import compare_without_win_rates
from sampled import crossed
from scipy import stats

from mtsig import Settings, adjust, interval, measure, verdict
from mtsig.corpus import Note
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference import CORRECTIONS, TESTS, Family, SignificanceTest, compare
from mtsig.inference._adjust import _together, adjust_together, hold_together
from mtsig.inference._corrections import CorrectedTogether, StepDownMinP
from mtsig.inference._significance import ApproximateRandomization, Directed, ShiftBootstrap
from mtsig.metrics import Bleu, Statistics
from mtsig.resampling import Bootstrap, Swap, resample

WITH_P = ["ar", "ij-t", "bootstrap-shift", "bootstrap-t", "bootstrap-ci", "bootstrap-rm2005"]
CLASSICAL = {"tukey", "scheffe", "nemenyi"}
FEWER = Settings(n_resamples=1000)


def named(test: str, draws: int = 1000) -> Settings:
    return Settings(test=test, n_resamples=draws)


def reordered(statistics: Statistics, seed: int = 3) -> Statistics:
    order = np.random.default_rng(seed).permutation(statistics.n)
    return replace(statistics, values=np.ascontiguousarray(statistics.values[..., order]))


def first_units(statistics: Statistics, n: int) -> Statistics:
    return replace(statistics, values=np.ascontiguousarray(statistics.values[..., :n]))


def test_order_of_segments_changes_no_score() -> None:
    statistics = made_statistics()
    assert np.array_equal(reordered(statistics).scores, statistics.scores)


def test_order_of_segments_changes_no_jackknife_interval() -> None:
    one, other = interval(made_statistics()), interval(reordered(made_statistics()))
    assert other.ci_low == pytest.approx(one.ci_low, abs=1e-9)
    assert other.ci_high == pytest.approx(one.ci_high, abs=1e-9)


def test_order_of_segments_changes_no_exact_p() -> None:
    statistics = first_units(made_statistics(), 11)
    one, other = compare(statistics), compare(reordered(statistics))
    assert one.exact.all()
    assert np.array_equal(other.p_value, one.p_value)


@pytest.mark.parametrize("test", WITH_P)
def test_order_of_segments_moves_a_drawn_p_within_its_error(test: str) -> None:
    draws = 3000
    one = named(test, draws).family(made_statistics())
    other = named(test, draws).family(reordered(made_statistics()))
    p = (one.p_value + other.p_value) / 2
    if test == "ij-t":  # nothing is drawn
        assert other.p_value == pytest.approx(one.p_value, rel=1e-9)
        return
    # bootstrap-ci doubles a one-sided share: twice the error of half the p.
    factor = 2 if test == "bootstrap-ci" else 1
    share = p / factor
    allowed = factor * (4 * np.sqrt(2 * share * (1 - share) / draws) + 2 / (draws + 1))
    assert not one.exact.any()
    assert np.all(np.abs(one.p_value - other.p_value) <= allowed)
    assert not np.array_equal(one.p_value, other.p_value)  # or nothing was reordered


@crossed("method, test", ["ij", "percentile"], WITH_P)
def test_exchanging_two_systems_mirrors_everything_but_p(test: str, method: str) -> None:
    statistics = made_statistics(systems=2)
    settings = replace(named(test), interval=method)
    one = settings.family(statistics, [("sys0", "sys1")])[0]
    other = settings.family(statistics, [("sys1", "sys0")])[0]
    assert other.difference == -one.difference
    assert [other.ci_low, other.ci_high] == pytest.approx([-one.ci_high, -one.ci_low], abs=1e-9)
    assert other.p_value == pytest.approx(one.p_value, rel=1e-9)
    assert other.p_adjusted == pytest.approx(one.p_adjusted, rel=1e-9)
    assert other.bootstrap_win_rate == pytest.approx(1 - one.bootstrap_win_rate - one.tie_rate)


@pytest.mark.parametrize("test", WITH_P)
@pytest.mark.parametrize("n", [2, 5, 40])
def test_p_is_above_zero_and_at_most_one(test: str, n: int) -> None:
    for seed in range(2):
        family = named(test, 200).family(first_units(made_statistics(seed=seed), n))
        for p in (family.p_value, family.p_adjusted):
            assert np.all((p > 0) & (p <= 1))
        assert np.all(family.p_mc_low <= family.p_value + 1 / 201)
        assert np.all(family.p_value <= family.p_mc_high + 1 / 201)


@crossed(
    "test, correction, n",
    [name for name in WITH_P if name != "bootstrap-rm2005"],
    [name for name in CORRECTIONS if name not in CLASSICAL],
    [2, 3, 200],
    most=30,
)
def test_identical_systems_give_p_one(test: str, correction: str, n: int) -> None:
    statistics = first_units(made_statistics(), n)
    twins = replace(
        statistics,
        systems=("one", "two", "three"),
        values=np.ascontiguousarray(statistics.values[:, [0, 0, 0]]),
    )
    settings = replace(named(test, 100), correction=correction)
    family = settings.family(twins)
    assert family.p_value.tolist() == family.p_adjusted.tolist() == [1.0] * 3
    assert family.difference.tolist() == [0.0] * 3
    assert family.tie_rate.tolist() == [1.0] * 3
    assert family.n_differing.tolist() == [0] * 3


def test_the_printed_figure_two_gives_identical_systems_one_too() -> None:
    # |d*| − mean|d*| ≥ |d| reads 0 ≥ 0 in every draw; only systems that differ meet its wrong null.
    twins = replace(made_statistics(systems=2), values=np.ascontiguousarray(made_statistics().values[:, [0, 0]]))
    assert named("bootstrap-rm2005").family(twins).p_value.tolist() == [1.0]


def test_an_identical_pair_among_others_gives_p_one() -> None:
    statistics = made_statistics(n=1500)
    values = np.ascontiguousarray(statistics.values[:, [0, 0, 2, 3]])
    family = FEWER.family(replace(statistics, values=values))
    assert (family[0].p_value, family[0].p_adjusted) == (1.0, 1.0)
    assert family.p_value[1] < 1


@pytest.mark.parametrize("differing", [1, 2, 3, 8, 15])
def test_one_sided_segments_reach_two_to_the_one_minus_k(differing: int) -> None:
    corpus = made_corpus(n=30, systems=1)
    reference = list(corpus.references["ref0"])
    worse = ["" if i < differing else line for i, line in enumerate(reference)]
    statistics = measure(type(corpus).of({"good": reference, "bad": worse}, corpus.references), "chrf")
    one = compare(statistics, "ar")[0]
    assert (one.n_differing, one.exact) == (differing, True)
    assert one.p_value == 2.0 ** (1 - differing)
    assert one.difference > 0


def test_few_differing_segments_are_enumerated_inside_a_large_family() -> None:
    rng = np.random.default_rng(1)
    base = rng.normal(size=1500)
    near = base + np.where(np.arange(1500) < 5, 1.0, 0.0)
    family = compare(means([base, near, rng.normal(size=1500)]), ApproximateRandomization(Swap(500)))
    assert family.exact.tolist() == [True, False, False]
    assert family.p_value[0] == 2.0**-4
    assert adjust(family, "minp").p_adjusted[0] >= 2.0**-4


def test_drawn_p_agrees_with_all_arrangements() -> None:
    # 22 differing units are too many for the program to enumerate by itself; doubling makes all 2^22 sums.
    rng = np.random.default_rng(2)
    scores = rng.integers(0, 9, (2, 22)).astype(float)
    scores[1] += scores[0] == scores[1]
    sums = np.zeros(1)
    for difference in scores[0] - scores[1]:
        sums = np.concatenate([sums + difference, sums - difference])
    exact = np.mean(np.abs(sums) >= abs((scores[0] - scores[1]).sum()) - 1e-6)
    one = compare(means(scores))[0]
    assert (one.exact, one.n_differing) == (False, 22)
    assert abs(one.p_value - exact) <= 4 * np.sqrt(exact * (1 - exact) / 10_000) + 1 / 10_001
    assert one.p_mc_low <= exact <= one.p_mc_high


def test_lower_is_better_turns_the_sign_and_nothing_else() -> None:
    scores = np.random.default_rng(7).normal([[0.0], [0.4]], 1, (2, 80))
    plain, turned = compare(means(scores)), compare(means(scores, higher_is_better=False))
    assert turned.difference.tolist() == (-plain.difference).tolist()
    assert [turned.ci_low[0], turned.ci_high[0]] == pytest.approx([-plain.ci_high[0], -plain.ci_low[0]])
    assert turned.p_value.tolist() == plain.p_value.tolist()
    assert turned.bootstrap_win_rate == pytest.approx(1 - plain.bootstrap_win_rate - plain.tie_rate)


def test_lower_is_better_orders_systems_but_leaves_scores() -> None:
    scores = np.random.default_rng(7).normal([[0.0], [0.4], [0.2]], 0.1, (3, 80))
    plain, turned = interval(means(scores)), interval(means(scores, higher_is_better=False))
    assert turned.score.tolist() == plain.score.tolist()
    assert turned.ci_low.tolist() == plain.ci_low.tolist()
    assert (plain.order(), turned.order()) == ([1, 2, 0], [0, 2, 1])


def test_wins_ties_and_losses_are_shares_of_the_draws() -> None:
    scores = np.random.default_rng(4).integers(0, 2, (2, 15)).astype(float)
    family, turned = (FEWER.family(means(scores), [pair]) for pair in (("A", "B"), ("B", "A")))
    draws = resample(means(scores), family.scheme).draws
    assert family.tie_rate[0] == turned.tie_rate[0] == np.mean(np.isclose(draws[0], draws[1]))
    assert family.bootstrap_win_rate[0] == np.mean(draws[0] > draws[1] + 1e-6)
    assert family.bootstrap_win_rate[0] + turned.bootstrap_win_rate[0] + family.tie_rate[0] == pytest.approx(1)
    assert family.tie_rate[0] > 0.01


def test_a_pair_counts_once_in_a_family() -> None:
    for twice in ([("A", "B"), ("B", "A")], [("A", "B"), ("A", "B")]):
        with pytest.raises(NotApplicable, match="twice"):
            FEWER.family(means(np.eye(2, 15)), twice)


def test_a_win_rate_is_no_p_value() -> None:
    family = named("bootstrap-koehn").family(made_statistics())
    assert np.isnan(family.p_value).all()
    assert np.isnan(family.p_adjusted).all()
    assert [one.significant for one in family] == [
        max(one.bootstrap_win_rate, 1 - one.bootstrap_win_rate - one.tie_rate) >= 0.95 for one in family
    ]
    assert (family.correction, family.null) == ("none", None)
    assert np.all((family.bootstrap_win_rate >= 0) & (family.bootstrap_win_rate <= 1))


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_bootstrap_ci_is_the_percentile_interval_turned_round(level: float) -> None:
    settings = replace(named("bootstrap-ci", 2000), interval="percentile", level=level, correction="none")
    family = settings.family(made_statistics(systems=10))
    excludes = (family.ci_low > 0) | (family.ci_high < 0)
    # Where p is within one draw of alpha, the rule between ranks may decide either way.
    clear = np.abs(family.p_value - family.alpha) > 4 / 2001
    assert np.array_equal(excludes[clear], (family.p_value <= family.alpha)[clear])
    assert clear.sum() >= 40
    assert 0 < excludes.sum() < len(family)


@pytest.mark.parametrize("test", list(TESTS))
def test_names_and_objects_say_the_same(test: str) -> None:
    means = test in {"t", "wilcoxon", "wmt-wilcoxon", "sign"}
    # Three systems are a family to correct in; sacreBLEU's tests take their time for every pair.
    statistics = (made_ratings if means else made_statistics)(n=25, systems=3)
    by_name, by_object = compare(statistics, test), compare(statistics, TESTS[test])
    assert np.array_equal(by_name.p_value, by_object.p_value, equal_nan=True)
    for correction in set(CORRECTIONS) - (set() if means else CLASSICAL):
        one, other = adjust(by_name, correction), adjust(by_object, CORRECTIONS[correction])
        assert np.array_equal(one.p_adjusted, other.p_adjusted, equal_nan=True)


def test_a_metric_by_name_and_by_object_counts_the_same() -> None:
    corpus = made_corpus()
    one, other = measure(corpus, "bleu:lowercase=true"), measure(corpus, Bleu(lowercase=True))
    assert np.array_equal(one.values, other.values)
    assert (one.signature, one.metric) == (other.signature, other.metric)


def test_settings_are_compare_and_adjust() -> None:
    statistics = made_statistics()
    family = FEWER.family(statistics)
    again = adjust(compare(statistics, ApproximateRandomization(Swap(1000))), "minp")
    assert np.array_equal(family.p_adjusted, again.p_adjusted)
    assert np.array_equal(family.ci_low, again.ci_low)


# One-sided tests, families corrected together, and simultaneous intervals.

PAIR = [("A", "B")]
DIRECTED = [name for name, test in TESTS.items() if isinstance(test, Directed)]


def two_systems(gap: float = 0.25, n: int = 400, seed: int = 3) -> Statistics:
    noise = np.random.default_rng(seed).normal(size=(2, n))
    noise -= noise.mean(axis=1, keepdims=True)
    noise /= noise.std(axis=1, keepdims=True)
    return rated([noise[0] + gap, noise[1]])


def looking(statistics: Statistics, name: str, draws: int, direction: str) -> Family:
    """Return what a test says that looks one way; its win rates, which nobody looks at, of ten redraws where it can."""
    if isinstance(TESTS[name].scheme, Swap):
        test = replace(TESTS[name], scheme=replace(TESTS[name].scheme, n_draws=draws), direction=direction)
        return compare_without_win_rates(statistics, test, PAIR)
    drawn = draws if name.startswith("bootstrap") else 10
    test = replace(TESTS[name], scheme=replace(TESTS[name].scheme, n_draws=drawn), direction=direction)
    return compare(statistics, test, PAIR)


@pytest.mark.parametrize("name", DIRECTED)
def test_a_one_sided_p_is_half_of_a_two_sided_one_where_the_law_is_symmetric(name: str) -> None:
    statistics, draws = two_systems(0.12), 5_000

    def p_of(direction: str) -> float:
        return float(looking(statistics, name, draws, direction).p_value[0])

    two, greater, less = (p_of(direction) for direction in ("two-sided", "greater", "less"))
    assert greater < 0.5 < less
    # The sign test's law has atoms, and so a doubled side; the others are drawn or continuous.
    slack = 0.03 if name == "sign" else 5 * np.sqrt(0.05 * 0.95 / draws) + 0.004
    assert greater == pytest.approx(two / 2, abs=slack)
    assert less == pytest.approx(1 - greater, abs=slack + (0.03 if name == "sign" else 0))


@crossed("name, p", ["ar", "ij-t", "bootstrap-shift"], [0.01, 0.05, 0.3])
def test_a_one_sided_p_follows_the_normal_tail(name: str, p: float) -> None:
    n = 600
    noise = stats.norm.ppf((np.random.default_rng(1).permutation(n) + 0.5) / n)
    z = stats.norm.isf(p)
    statistics = rated([noise / noise.std() + z / np.sqrt(n), np.zeros(n)])
    draws = 20_000
    found = looking(statistics, name, draws, "greater").p_value[0]
    assert found == pytest.approx(p, abs=4 * np.sqrt(p / draws) + 0.03 * p)


@pytest.mark.parametrize("name", DIRECTED)
def test_one_sided_tests_of_all_pairs_are_refused(name: str) -> None:
    with pytest.raises(InvalidOption, match="direction for every pair, fixed in advance"):
        compare(two_systems(), replace(TESTS[name], direction="greater"))


@pytest.mark.parametrize("name", sorted(set(TESTS) - set(DIRECTED)))
def test_tests_without_sides_refuse_one(name: str) -> None:
    with pytest.raises(InvalidOption, match="This test has no one-sided form"):
        Settings(test=name, alternative="greater").chosen_test("segment")


def test_the_direction_stands_on_every_result() -> None:
    family = Settings(alternative="less", n_resamples=100).family(two_systems(), "A")
    assert family[0].alternative == "less"
    assert (family.first, family.second) == (("B",), ("A",))
    assert family.p_value[0] < 0.05


def one_sided(gap: float, direction: str = "greater") -> Family:
    return Settings(alternative=direction, n_resamples=2000, test="ij-t", correction="none").family(
        two_systems(gap), PAIR
    )


def test_a_declared_direction_decides_the_verdict() -> None:
    # p is .03 one-sided, .06 two-sided: the two-sided interval holds 0, which is no contradiction.
    z = stats.t.isf(0.03, 399) * np.sqrt(2 / 400)
    (one,) = one_sided(float(z))
    assert 0.02 < one.p_value < 0.05
    assert one.ci_low < 0 < one.ci_high
    assert (verdict(one).word, verdict(one).winner) == ("better", "A")


def test_a_difference_against_the_declared_direction_is_no_finding() -> None:
    (one,) = one_sided(-0.5)
    assert one.p_value > 0.99
    assert (verdict(one).word, verdict(one).winner) == ("not_significant", None)


# --- families corrected together -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Length(Rated):
    """Another mean of segments, on other numbers."""

    name = "length"


def two_metrics(n: int = 60, seed: int = 4) -> list[Statistics]:
    rng = np.random.default_rng(seed)
    one = rated(rng.normal([[0.0], [0.2], [0.5]], 1, (3, n)))
    values = one.values.copy()
    values[0] = np.rint(values[0] * 4) + rng.integers(0, 3, (3, n))
    return [one, replace(one, metric=Length(), values=values)]


def compared(many: list[Statistics], test: str | SignificanceTest) -> list[Family]:
    return [compare(one, test) for one in many]


def test_joined_families_count_all_comparisons() -> None:
    found = adjust_together(compared(two_metrics(), ApproximateRandomization(Swap(999))), "minp")
    assert [len(one) for one in found] == [3, 3]
    assert {one.family_size for family in found for one in family} == {6}
    assert [one.metric for one in found] == ["rated", "length"]
    joined, apart = (Settings(n_resamples=999).families(two_metrics(), joined=joined) for joined in (True, False))
    assert [one.family_size for one in joined] == [6, 6]
    assert [one.family_size for one in apart] == [3, 3]
    assert joined[1].p_value.tolist() == apart[1].p_value.tolist()


@pytest.mark.parametrize("correction", ["holm", "bonferroni", "sidak", "hommel", "bh", "by"])
def test_joined_p_values_are_corrected_as_one_list(correction: str) -> None:
    families = compared(two_metrics(), ApproximateRandomization(Swap(999)))
    p = np.concatenate([one.p_value for one in families])
    none = np.zeros(6, dtype=np.int64)
    together = CorrectedTogether(p, p, p, none.astype(bool), p, None, False, "two-sided", None, None, none, none)
    found = np.concatenate([one.p_adjusted for one in adjust_together(families, correction)])
    assert found == pytest.approx(CORRECTIONS[correction](together)[0])


def test_min_p_of_joined_families_uses_the_draws_they_share() -> None:
    # The second metric is the first once more: corrected together they cost nothing under min-P, and double under Holm.
    one = two_metrics()[0]
    families = compared([one, replace(one, metric=Length())], ApproximateRandomization(Swap(1999)))
    alone = adjust(families[0], "minp")
    together = adjust_together(families, "minp")
    assert together[0].correction == "minp"
    assert together[0].p_adjusted == pytest.approx(alone.p_adjusted, abs=1e-12)
    assert np.all(adjust_together(families, "holm")[0].p_adjusted >= adjust(families[0], "holm").p_adjusted)


def test_without_shared_draws_joined_families_are_corrected_by_holm() -> None:
    families = compared(two_metrics(), "ij-t")
    found = adjust_together(families, "minp")
    assert {one.correction for one in found} == {"holm"}
    worded((note for one in found for note in one.notes), "Holm")


def test_enumerations_over_different_units_are_not_one_joint_law() -> None:
    # Both metrics differ on 9 units, but not on the same: column by column the arrangements are not the same ones.
    scores = np.random.default_rng(8).normal(size=(2, 14)).round(3)
    first, second = scores.copy(), scores.copy()
    first[1, 9:] = first[0, 9:]
    second[1, :5] = second[0, :5]
    families = compared([rated(first), replace(rated(second), metric=Length())], ApproximateRandomization(Swap(1000)))
    assert all(one.complete for one in families)
    found = adjust_together(families, "minp")
    holm = adjust_together(families, "holm")
    for one, other in zip(found, holm, strict=True):
        assert one.correction == "holm"
        assert one.p_adjusted == pytest.approx(other.p_adjusted)


def test_families_of_different_tests_are_not_judged_together() -> None:
    one = two_metrics()[0]
    with pytest.raises(NotApplicable, match="same test at the same level"):
        adjust_together([compare(one, "ij-t"), compare(one, "bootstrap-ci")])
    with pytest.raises(NotApplicable, match="same test at the same level"):
        adjust_together([compare(one, "ij-t"), compare(one, "ij-t", level=0.9)])


@pytest.mark.parametrize("name", ["tukey", "scheffe", "nemenyi"])
def test_classical_corrections_are_for_one_metric(name: str) -> None:
    with pytest.raises(NotApplicable):
        adjust_together(compared(two_metrics(), "ij-t"), name)


def test_a_joined_family_is_told_how_many_draws_it_needs() -> None:
    families = compared(two_metrics(), ApproximateRandomization(Swap(100)))
    for correction in ("minp", "holm"):
        notes = [note.text for note in adjust_together(families, correction)[0].notes]
        worded(notes, "6", "119")
    notes = [note.text for note in adjust(compare(two_metrics()[0], ShiftBootstrap(Bootstrap(30))), "holm").notes]
    worded(notes, "30 resamples", "3", "59")


@pytest.mark.parametrize("correction", ["holm", "bonferroni", "hommel", "bh", "by", "sidak"])
def test_a_comparison_without_p_stays_in_the_family(correction: str) -> None:
    family = compare(two_metrics()[0], "ij-t")
    p = np.array([0.01, np.nan, 0.02])
    found = adjust(family.changed(p_value=p, p_mc_low=p, p_mc_high=p), correction)
    known = adjust(family.changed(p_value=np.array([0.01, 1, 0.02]), p_mc_low=p, p_mc_high=p), correction).p_adjusted
    assert np.isnan(found.p_adjusted).tolist() == [False, True, False]
    assert found.p_adjusted[[0, 2]] == pytest.approx(known[[0, 2]])
    assert [one.significant is None for one in found] == [False, True, False]
    assert found[1].family_size == 3


def test_limits_of_drawn_p_values_shrink_with_the_draws() -> None:
    statistics = made_statistics(n=100, systems=2)
    few, many = (compare(statistics, ApproximateRandomization(Swap(draws)))[0] for draws in (200, 20_000))
    assert few.p_mc_low < few.p_value < few.p_mc_high
    assert few.p_mc_high - few.p_mc_low > 5 * (many.p_mc_high - many.p_mc_low) > 0


def test_max_t_orders_comparisons_by_their_standardized_difference() -> None:
    statistics = made_statistics(n=150, systems=5)
    family = adjust(compare(statistics, ApproximateRandomization(Swap(999))), "maxt")
    # SE0 by hand: the slope at the middle of the two totals, along each segment's difference.
    found = []
    for first, second in zip(family.first, family.second, strict=True):
        x, y = statistics.row(first), statistics.row(second)
        slope = statistics.metric.gradient((statistics.sums[:, x] + statistics.sums[:, y])[:, None] / 2)[:, 0]
        moved = slope @ (statistics.values[:, x].astype(float) - statistics.values[:, y])
        found.append(abs(statistics.scores[x] - statistics.scores[y]) / np.sqrt(np.sum(moved**2)))
    order = np.argsort(found)[::-1]
    assert np.all(np.diff(family.p_adjusted[order]) >= 0)
    assert np.all(family.p_adjusted >= family.p_value - 1e-12)


# --- simultaneous intervals ---------------------------------------------------------------------------------


def test_simultaneous_intervals_contain_the_single_ones() -> None:
    statistics = made_statistics(n=200, systems=5)
    family, single = compare(statistics, interval="simultaneous"), compare(statistics, interval="ij")
    assert np.all((family.ci_low < single.ci_low) & (single.ci_high < family.ci_high))
    systems, alone = interval(statistics, "simultaneous"), interval(statistics, "ij")
    assert np.all((systems.ci_low < alone.ci_low) & (alone.ci_high < systems.ci_high))


def test_one_target_has_a_simultaneous_interval_of_its_own_width() -> None:
    statistics = made_statistics(n=400, systems=2)
    together, alone = compare(statistics, interval="simultaneous")[0], compare(statistics, interval="ij")[0]
    assert (together.ci_high - together.ci_low) == pytest.approx(alone.ci_high - alone.ci_low, rel=0.06)


def test_simultaneous_intervals_of_joined_metrics_hold_for_all_their_pairs() -> None:
    corpus = made_corpus(n=200, systems=4)
    many = [measure(corpus, name) for name in ("bleu", "chrf", "ter")]
    settings = Settings(interval="simultaneous", n_resamples=2000, unit="segment")
    apart, joined = settings.families(many), settings.families(many, joined=True)
    widths = [family.ci_high - family.ci_low for family in joined]
    factors = np.concatenate([width / family.standard_error for width, family in zip(widths, joined, strict=True)]) / 2
    assert factors == pytest.approx(factors[0])
    # By hand: the farthest of all 18 differences, redraw by redraw.
    scheme = Bootstrap(2000, settings.seed, "segment")
    away = []
    for one, family in zip(many, joined, strict=True):
        drawn = resample(one, scheme).draws
        sign = 1 if one.metric.higher_is_better else -1
        for i, (first, second) in enumerate(zip(family.first, family.second, strict=True)):
            gaps = sign * (drawn[one.row(first)] - drawn[one.row(second)])
            away.append(np.abs(gaps - family.difference[i]) / family.standard_error[i])
    assert factors[0] == pytest.approx(np.quantile(np.max(away, axis=0), 0.95))
    assert all(np.all(wide > one.ci_high - one.ci_low) for wide, one in zip(widths, apart, strict=True))


def test_joined_metrics_that_share_no_redraws_split_the_level() -> None:
    corpus = made_corpus(n=200, systems=3, documents=20)
    settings = Settings(interval="simultaneous", n_resamples=2000)
    by_document, by_segment = (
        replace(settings, unit=unit).family(measure(corpus, "bleu")) for unit in ("document", "segment")
    )
    # Documents take no redraws: each of all six comparisons is given its share of alpha.
    for family, found in zip((by_document, by_segment), hold_together([by_document, by_segment]), strict=True):
        half = stats.t.ppf(1 - 0.025 / 6, family.df) * family.standard_error
        assert found.ci_high == pytest.approx(family.difference + half)
        assert found.ci_low == pytest.approx(family.difference - half)
    other = measure(made_corpus(n=150, systems=3), "bleu")
    apart = [by_segment, replace(settings, unit="segment").family(other)]
    for family, found in zip(apart, hold_together(apart), strict=True):
        split = compare(family.statistics, family.test, interval="simultaneous", level=0.975)
        assert found.ci_high == pytest.approx(split.ci_high)
        assert found.ci_low == pytest.approx(split.ci_low)
        assert np.all(found.ci_high > family.ci_high)


def test_only_what_a_correction_said_goes_when_another_is_made() -> None:
    said = Note("note", "What these 3 draws say cannot reach significance in a family of 3; Holm is used instead.")
    family = compare(made_statistics(), "ar")
    first = adjust(replace(family, notes=(said, *family.notes)), "bonferroni")
    few = adjust(replace(first, test=ApproximateRandomization(Swap(10))), "bonferroni")
    (of_bonferroni,) = [note for note in few.notes if note.about == "correction"]
    again = adjust(few, "none")
    assert said in again.notes
    assert of_bonferroni not in again.notes


def test_a_missing_direction_does_not_reach_documents_either() -> None:
    statistics = measure(made_corpus(n=120, documents=24), "chrf")
    family = Settings(alternative="greater", n_resamples=200).family(statistics, "sys2")
    assert {one.units for one in family} == {24}
    assert {one.alternative for one in family} == {"greater"}


# Comparisons on several test sets, corrected together: the draws of independent sets are joint once they are paired.

DRAWS = 1999


def made_set(digest: str, n: int, shift: float = 0.0, systems: int = 3, seed: int = 1) -> Statistics:
    """Ratings of systems that differ by `shift` each, on segments of their own."""
    scores = np.random.default_rng(seed).normal(size=(systems, n)) - shift * np.arange(systems)[:, None]
    return replace(rated(scores), digest=digest)


def families(*many: Statistics, draws: int = DRAWS, test: str = "ar") -> list[Family]:
    if test == "ar":
        return [compare_without_win_rates(one, ApproximateRandomization(Swap(draws))) for one in many]
    return [compare(one, test) for one in many]


def p_of(found: list[Family]) -> np.ndarray:
    return np.concatenate([one.p_adjusted for one in found])


def test_min_p_lies_between_raw_p_and_holm() -> None:
    made = families(made_set("one", 60, 0.3), made_set("two", 90, 0.2, seed=2))
    found, holm = adjust_together(made, "minp"), adjust_together(made, "holm")
    assert {(one.correction, one.family_size) for one in found} == {("minp", 6)}
    assert not any("Holm" in note.text for one in found for note in one.notes)
    raw = np.concatenate([one.p_value for one in made])
    error = 4 * np.sqrt(0.25 / DRAWS)
    assert np.all(p_of(found) >= raw)
    assert np.all(p_of(found) <= p_of(holm) + error)
    assert p_of(found).sum() < p_of(holm).sum()
    # More is corrected for than in either set alone.
    alone = np.concatenate([one.p_adjusted for one in (adjust(made[0], "minp"), adjust(made[1], "minp"))])
    assert np.all(p_of(found) >= alone - 1e-12)


@pytest.mark.parametrize("sizes", [(60, 61), (64, 200), (70, 70), (100, 50, 75)])
def test_one_pair_a_set_is_corrected_as_independence_wants_it(sizes: tuple[int, ...]) -> None:
    # The smallest of k independent p-values is below p with the probability 1 − (1 − p)^k (Šidák).
    draws = 20_000
    sets = [made_set(f"{i}", n, 0.2, systems=2, seed=i + 5) for i, n in enumerate(sizes)]
    made = families(*sets, draws=draws)
    raw = np.concatenate([one.p_value for one in made])
    found = p_of(adjust_together(made, "minp"))
    best = int(np.argmin(raw))
    sidak = 1 - (1 - raw[best]) ** len(sizes)
    assert found[best] == pytest.approx(sidak, abs=4.5 * np.sqrt(sidak * (1 - sidak) / draws) + 1 / draws)


@pytest.mark.parametrize("sizes", [(60, 61), (64, 200), (60, 60)])
def test_the_draws_of_different_sets_do_not_go_together(sizes: tuple[int, int]) -> None:
    made = families(*(made_set(f"{n}-{i}", n, seed=i + 3) for i, n in enumerate(sizes)), draws=10_000)
    null = _together(made, StepDownMinP()).null
    assert null is not None
    between = np.corrcoef(null)[:3, 3:]
    if sizes[0] != sizes[1]:
        assert np.abs(between).max() < 4.5 / np.sqrt(10_000)
    # Draws of one set keep to each other: with three systems, the second difference is what is left of the others.
    within = np.corrcoef(null)[3:, 3:]
    assert np.abs(within[np.triu_indices(3, 1)]).min() > 0.3


def test_every_draw_of_a_set_is_kept() -> None:
    made = families(made_set("one", 60), made_set("two", 90))
    null = _together(made, StepDownMinP()).null
    assert null is not None
    for row, expected in zip(null, [*np.asarray(made[0].null), *np.asarray(made[1].null)], strict=True):
        assert sorted(row) == sorted(expected)
    # Metrics of one set keep their order among each other, the same one for both.
    again = families(made_set("one", 60), made_set("two", 90), made_set("two", 90))
    joint = _together(again, StepDownMinP()).null
    assert joint is not None
    assert joint[3:6].tolist() == joint[6:].tolist()


def test_different_segments_of_one_test_set_give_way_to_holm_with_a_true_reason() -> None:
    one, two = made_set("one", 60), made_set("one", 40)
    for made in (families(one, two), families(replace(one, digest=""), replace(two, digest=""))):
        found = adjust_together(made, "minp")
        assert {family.correction for family in found} == {"holm"}
        (said,) = {note.text for family in found for note in family.notes if "Holm" in note.text}
        worded(said)
        assert "has no" not in said


def test_enumerated_sets_give_way_to_holm_with_a_true_reason() -> None:
    found = adjust_together(families(made_set("one", 8), made_set("two", 60)), "minp")
    assert {family.correction for family in found} == {"holm"}
    worded(found[0].notes)
    without = adjust_together(families(made_set("one", 60), made_set("two", 90), test="ij-t"), "minp")
    worded(without[0].notes)


@pytest.mark.parametrize("sizes", [(30, 47), pytest.param((40, 40), marks=pytest.mark.slow)])
@pytest.mark.slow
def test_the_family_wise_error_over_two_sets_is_alpha(sizes: tuple[int, int]) -> None:
    # Fewer draws tie at the smallest rank, which makes the error smaller still.
    simulations, alpha, draws = 200, 0.05, 999
    wrong = 0
    for i in range(simulations):
        made = families(
            *(made_set(f"{n}-{k}", n, systems=3 - k, seed=2 * i + k + 1000) for k, n in enumerate(sizes)), draws=draws
        )
        wrong += bool((p_of(adjust_together(made, "minp")) <= alpha + 1e-12).any())
    low, high = stats.binom.ppf([0.0005, 0.9995], simulations, alpha)
    assert low <= wrong <= high, wrong
