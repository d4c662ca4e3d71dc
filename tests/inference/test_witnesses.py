"""Witnesses: what statsmodels, scipy, scikit-posthocs and arch say of the same data."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made import made_binary, made_ratings, made_statistics, rated
from sampled import crossed
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import ttost_paired

from mtsig import adjust, interval
from mtsig.inference import CORRECTIONS, compare, equivalence, non_inferiority
from mtsig.inference._corrections import CorrectedTogether
from mtsig.inference._significance import ApproximateRandomization
from mtsig.inference._tests import PairedT, SignedRank, SignTest
from mtsig.metrics import Statistics
from mtsig.resampling import Bootstrap, Swap

THEIR_NAMES = {
    "bonferroni": "bonferroni", "sidak": "sidak", "holm": "holm", "hommel": "hommel", "bh": "fdr_bh", "by": "fdr_by",
}  # fmt: skip


def judged(p: np.ndarray) -> CorrectedTogether:
    none = np.zeros(len(p), dtype=np.int64)
    return CorrectedTogether(p, p, p, np.zeros(len(p), dtype=bool), p, None, False, "two-sided", None, None, none, none)


# Counts of draws make ties, and tiny values come from enumeration.
P_VALUES = st.lists(
    st.one_of(st.integers(1, 201).map(lambda c: c / 201), st.floats(1e-9, 1), st.sampled_from([0.05, 0.05 / 3, 1.0])),
    min_size=1,
    max_size=15,
)


@pytest.mark.parametrize("name", list(THEIR_NAMES))
@settings(max_examples=30, deadline=None, derandomize=True)
@given(p_values=P_VALUES)
def test_corrections_are_those_of_statsmodels(name: str, p_values: list[float]) -> None:
    p = np.array(p_values)
    found, low, high = CORRECTIONS[name](judged(p))
    with np.errstate(divide="ignore"):  # statsmodels takes the logarithm of 1 − p
        theirs = multipletests(p, method=THEIR_NAMES[name])[1]
    assert found == pytest.approx(theirs, rel=1e-9, abs=1e-12)
    assert np.array_equal(low, found)
    assert np.array_equal(high, found)


def pair(seed: int, n: int, whole: bool = False) -> tuple[Statistics, np.ndarray, np.ndarray]:
    """Return two rated systems and their ratings as the program holds them; whole ratings make ties and zeros."""
    scores = np.random.default_rng(seed).normal([[70.0], [70.8]], 4, (2, n))
    statistics = rated(np.rint(scores / 2) if whole else scores)
    return statistics, *statistics.segment_scores


@pytest.mark.parametrize("direction", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("seed", range(4))
def test_paired_t_is_scipys(seed: int, direction: str) -> None:
    statistics, x, y = pair(seed, 40)
    test = PairedT(direction=direction)
    expected = stats.ttest_rel(x, y, alternative=direction).pvalue
    assert compare(statistics, test, [("A", "B")])[0].p_value == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("direction", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("seed", range(4))
def test_the_signed_rank_test_is_scipys_where_both_are_exact(seed: int, direction: str) -> None:
    statistics, x, y = pair(seed, 20)
    one = compare(statistics, SignedRank(direction=direction), [("A", "B")])[0]
    assert one.p_value == pytest.approx(stats.wilcoxon(x, y, alternative=direction, mode="exact").pvalue, rel=1e-9)


@crossed("direction, seed", ["two-sided", "greater", "less"], range(4))
def test_the_signed_rank_test_is_scipys_on_large_sets_with_ties(seed: int, direction: str) -> None:
    statistics, x, y = pair(seed, 300, whole=True)
    assert 0 < np.sum(x == y) < 200
    one = compare(statistics, SignedRank(direction=direction), [("A", "B")])[0]
    expected = stats.wilcoxon(x, y, zero_method="pratt", alternative=direction, mode="approx").pvalue
    assert one.p_value == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_the_signed_rank_test_with_ties_is_a_permutation_test(seed: int) -> None:
    statistics, x, y = pair(seed, 12, whole=True)
    d = x - y
    ranks = stats.rankdata(np.abs(d)) * (d != 0)

    def positive(signs: np.ndarray, axis: int) -> np.ndarray:
        return np.sum(np.where(signs > 0, ranks, 0), axis=axis)

    expected = stats.permutation_test(
        (np.sign(d) + 0.5 * (d == 0),), positive, permutation_type="samples", n_resamples=np.inf, vectorized=True
    ).pvalue
    assert compare(statistics, SignedRank())[0].p_value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("direction", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("seed", range(4))
def test_the_sign_test_is_scipys_binomial_test(seed: int, direction: str) -> None:
    statistics, x, y = pair(seed, 60, whole=True)
    wins, losses = int(np.sum(x > y)), int(np.sum(x < y))
    one = compare(statistics, SignTest(direction=direction), [("A", "B")])[0]
    expected = stats.binomtest(wins, wins + losses, alternative=direction).pvalue
    assert one.p_value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("direction", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("seed", range(3))
def test_enumerated_exchanges_are_scipys_permutation_test(seed: int, direction: str) -> None:
    statistics, x, y = pair(seed, 10, whole=seed == 1)

    def gap(one: np.ndarray, other: np.ndarray, axis: int) -> np.ndarray:
        return np.mean(one, axis=axis) - np.mean(other, axis=axis)

    found = compare(statistics, ApproximateRandomization(direction=direction), [("A", "B")])[0]
    if direction == "two-sided":  # scipy doubles the smaller side, which for a symmetric law is the same
        expected = min(1.0, stats.permutation_test(
            (x, y), lambda a, b, axis: np.abs(gap(a, b, axis)), permutation_type="samples", alternative="greater",
            n_resamples=np.inf,
        ).pvalue)  # fmt: skip
    else:
        expected = stats.permutation_test(
            (x, y), gap, permutation_type="samples", alternative=direction, n_resamples=np.inf
        ).pvalue
    assert found.exact
    assert found.p_value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("direction", ["greater", "less"])
def test_one_sided_draws_agree_with_all_arrangements(direction: str) -> None:
    scores = np.random.default_rng(9).integers(0, 9, (2, 22)).astype(float)
    scores[1] += scores[0] == scores[1]
    sums = np.zeros(1)
    for d in scores[0] - scores[1]:
        sums = np.concatenate([sums + d, sums - d])
    total = (scores[0] - scores[1]).sum()
    exact = np.mean(sums >= total - 1e-6) if direction == "greater" else np.mean(sums <= total + 1e-6)
    one = compare(rated(scores), ApproximateRandomization(direction=direction), [("A", "B")])[0]
    assert not one.exact
    assert abs(one.p_value - exact) <= 4 * np.sqrt(exact * (1 - exact) / 10_000) + 1 / 10_001
    assert one.p_mc_low < one.p_value < one.p_mc_high


def test_nemenyi_is_that_of_scikit_posthocs() -> None:
    posthocs = pytest.importorskip("scikit_posthocs")
    statistics = made_ratings(n=30, systems=5)
    theirs = posthocs.posthoc_nemenyi_friedman(statistics.segment_scores.T).to_numpy()
    found = adjust(compare(statistics, ApproximateRandomization(Swap(100))), "nemenyi")
    assert found.p_adjusted == pytest.approx(theirs[np.triu_indices(5, 1)], abs=1e-4)


@pytest.mark.parametrize("name", ["tukey", "scheffe"])
def test_two_systems_in_blocks_are_the_paired_t_test(name: str) -> None:
    statistics, x, y = pair(3, 50)
    found = adjust(compare(statistics, ApproximateRandomization(Swap(100))), name).p_adjusted[0]
    assert found == pytest.approx(stats.ttest_rel(x, y).pvalue, rel=1e-6)


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_bootstrap_intervals_of_means_are_those_of_arch(method: str) -> None:
    bootstrap = pytest.importorskip("arch.bootstrap")
    scores, draws = np.random.default_rng(12).exponential(10, 60), 5_000
    theirs = bootstrap.IIDBootstrap(scores, seed=1).conf_int(np.mean, draws, method=method).ravel()
    found = interval(rated([scores]), method, scheme=Bootstrap(draws))["A"]
    slack = 5 * 2.67 * stats.sem(scores) * np.sqrt(2 / draws)  # sd(q_a) = 2.67 SE/sqrt(B), for theirs and ours
    assert [found.ci_low, found.ci_high] == pytest.approx(theirs, abs=slack)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_wilson_is_that_of_statsmodels(level: float) -> None:
    statistics = made_binary(n=75, systems=3)
    found = interval(statistics, "wilson", level)
    for system, right in zip(statistics.systems, statistics.segment_scores.sum(axis=1), strict=True):
        expected = proportion_confint(right, 75, 1 - level, method="wilson")
        assert (found[system].ci_low, found[system].ci_high) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("margin", [0.5, 1.5, 3.0])
def test_equivalence_is_that_of_statsmodels(margin: float) -> None:
    statistics, x, y = pair(4, 80)
    p, above, below = ttost_paired(x, y, -margin, margin)
    found = equivalence(statistics, "A", "B", margin)
    assert found.p_value == pytest.approx(p, rel=1e-6)
    assert found.p_value == pytest.approx(max(above[1], below[1]), rel=1e-6)
    assert non_inferiority(statistics, "A", "B", margin).p_value == pytest.approx(above[1], rel=1e-6)
    # Equivalence is shown exactly when the 90% interval lies inside the margin.
    inside = -margin < found.ci_low and found.ci_high < margin
    assert found.established == inside


def test_the_jackknife_interval_of_a_mean_is_scipys() -> None:
    statistics, x, y = pair(5, 33)
    one = compare(statistics, "ij-t", interval="ij", level=0.9)[0]
    theirs = stats.ttest_rel(x, y).confidence_interval(0.9)
    assert [one.ci_low, one.ci_high] == pytest.approx([theirs.low, theirs.high], rel=1e-9)
    assert one.p_value == pytest.approx(stats.ttest_rel(x, y).pvalue, rel=1e-9)


def test_the_jackknife_of_bleu_is_near_the_bootstrap() -> None:
    statistics = made_statistics(n=400, systems=3)
    one, other = (compare(statistics, interval=method) for method in ("ij", "normal"))
    assert (one.ci_high - one.ci_low) == pytest.approx(other.ci_high - other.ci_low, rel=0.05)
