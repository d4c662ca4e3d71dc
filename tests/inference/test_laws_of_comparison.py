"""What must hold for every comparison whatever the data: symmetry, order, identity, the range of p."""

from dataclasses import replace

import numpy as np
import pytest
from made import made_corpus, made_ratings, made_statistics
from made_means import means

from mtsig import Settings, adjust, interval, measure
from mtsig.errors import NotApplicable
from mtsig.inference import CORRECTIONS, TESTS, compare
from mtsig.inference._significance._base import ApproximateRandomization
from mtsig.metrics import Bleu, Statistics
from mtsig.resampling import Swap, resample

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


@pytest.mark.parametrize("method", ["ij", "percentile"])
@pytest.mark.parametrize("test", WITH_P)
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
    for seed in range(5):
        family = named(test, 200).family(first_units(made_statistics(seed=seed), n))
        for p in (family.p_value, family.p_adjusted):
            assert np.all((p > 0) & (p <= 1))
        assert np.all(family.p_mc_low <= family.p_value + 1 / 201)
        assert np.all(family.p_value <= family.p_mc_high + 1 / 201)


@pytest.mark.parametrize("n", [2, 3, 200])
@pytest.mark.parametrize("correction", [name for name in CORRECTIONS if name not in CLASSICAL])
@pytest.mark.parametrize("test", [name for name in WITH_P if name != "bootstrap-rm2005"])
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
