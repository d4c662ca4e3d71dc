"""One-sided tests, families judged together, and simultaneous intervals."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from made import Rated, made_corpus, made_statistics, rated
from quick import compare_without_win_rates
from scipy import stats

from mtsig import Settings, adjust, interval, measure, verdict
from mtsig.corpus import Note
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference import CORRECTIONS, TESTS, Family, SignificanceTest, compare
from mtsig.inference._adjust import adjust_together, hold_together
from mtsig.inference._corrections import JudgedTogether
from mtsig.inference._significance._base import ApproximateRandomization, Directed, ShiftBootstrap
from mtsig.metrics import Statistics
from mtsig.resampling import Bootstrap, Swap, resample

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
    statistics, draws = two_systems(0.12), 20_000

    def p_of(direction: str) -> float:
        return float(looking(statistics, name, draws, direction).p_value[0])

    two, greater, less = (p_of(direction) for direction in ("two-sided", "greater", "less"))
    assert greater < 0.5 < less
    # The sign test's law has atoms, and so a doubled side; the others are drawn or continuous.
    slack = 0.03 if name == "sign" else 5 * np.sqrt(0.05 * 0.95 / draws) + 0.004
    assert greater == pytest.approx(two / 2, abs=slack)
    assert less == pytest.approx(1 - greater, abs=slack + (0.03 if name == "sign" else 0))


@pytest.mark.parametrize("name", ["ar", "ij-t", "bootstrap-shift"])
@pytest.mark.parametrize("p", [0.01, 0.05, 0.3])
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
    with pytest.raises(InvalidOption, match="direction for every ordered pair, declared before looking"):
        compare(two_systems(), replace(TESTS[name], direction="greater"))


@pytest.mark.parametrize("name", sorted(set(TESTS) - set(DIRECTED)))
def test_tests_without_sides_refuse_one(name: str) -> None:
    with pytest.raises(InvalidOption, match="This test takes no direction"):
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


# --- families judged together -------------------------------------------------------------------------------


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
    judged = JudgedTogether(p, p, p, none.astype(bool), p, None, False, "two-sided", None, None, none, none)
    found = np.concatenate([one.p_adjusted for one in adjust_together(families, correction)])
    assert found == pytest.approx(CORRECTIONS[correction](judged)[0])


def test_min_p_of_joined_families_uses_the_draws_they_share() -> None:
    # The second metric is the first once more: judged together they cost nothing under min-P, and double under Holm.
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
    assert all(any("Holm is used instead" in note.text for note in one.notes) for one in found)


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
        assert any("in a family of 6: at least 119 are needed" in text for text in notes)
    notes = [note.text for note in adjust(compare(two_metrics()[0], ShiftBootstrap(Bootstrap(30))), "holm").notes]
    assert any("30 draws cannot reach significance in a family of 3: at least 59 are needed" in text for text in notes)


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
