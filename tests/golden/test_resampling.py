"""The bootstrap against its exact law: all n^n test sets of tiny data, and 400,000 draws by another program."""

from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
import pytest
from numpy.typing import NDArray
from sacrebleu.metrics.bleu import BLEU

from golden.oracles import bleu_statistics, mean_statistics, oracle, rows_of
from mtsig import interval
from mtsig.inference import compare
from mtsig.inference._significance import ShiftBootstrap
from mtsig.resampling import Bootstrap, resample

DRAWS = 200_000
ONE, TWO = np.array([0]), np.array([1])

Floats = NDArray[np.float64]


def scheme(draws: int = DRAWS) -> Bootstrap:
    return Bootstrap(draws, unit="segment")


def score(row: NDArray[np.float64]) -> float:
    length, reference, *counts = row.astype(int).tolist()
    return float(BLEU.compute_bleu(counts[:4], counts[4:], length, reference, smooth_method="exp").score)


def exact_law(name: str) -> tuple[Floats, Floats, Floats]:
    """Return BLEU of X, the difference to Y, and the probability of every different resample of tiny data."""
    first, second = rows_of(name)
    n = len(first)
    scores, probability = [], []
    for drawn in combinations_with_replacement(range(n), n):
        index = list(drawn)
        scores.append((score(first[index].sum(axis=0)), score(second[index].sum(axis=0))))
        times = np.bincount(index, minlength=n)
        probability.append(factorial(n) / prod(factorial(t) for t in times) / n**n)
    x, y = np.array(scores).T
    return x, x - y, np.array(probability)


def within(share: float, exact: float, draws: int = DRAWS) -> bool:
    return abs(share - exact) <= 4 * np.sqrt(exact * (1 - exact) / draws) + 1 / (draws + 1)


@pytest.mark.parametrize("name", ["tiny5", "tiny6"])
def test_every_resample_comes_up_as_often_as_it_should(name: str) -> None:
    x, _, probability = exact_law(name)
    draws = resample(bleu_statistics(name), scheme()).draws[0]
    values, where = np.unique(np.round(x, 9), return_inverse=True)
    exact = np.bincount(where, probability)
    place = np.searchsorted(values, draws - 1e-8)
    assert np.abs(draws - values[place]).max() < 1e-8  # no value that the law does not have
    observed = np.bincount(place, minlength=len(values))
    statistic = np.sum((observed - DRAWS * exact) ** 2 / (DRAWS * exact))
    freedom = len(values) - 1
    assert abs(statistic - freedom) < 4 * np.sqrt(2 * freedom)


@pytest.mark.parametrize("name", ["tiny5", "tiny6"])
def test_moments_of_the_draws(name: str) -> None:
    known = oracle("exact_bootstrap_bleu")[name]
    found = resample(bleu_statistics(name), scheme())
    for key, values in (("X", found.draws[0]), ("d", found.differences(ONE, TWO)[0])):
        deviation = known[f"sd_{key}"]
        assert values.mean() == pytest.approx(known[f"mean_{key}"], abs=4 * deviation / np.sqrt(DRAWS))
        # The variance of a sample's SD is about SD² (kurtosis − 1) / 4B; 3 bounds (kurtosis − 1) of these laws.
        assert values.std() == pytest.approx(deviation, abs=4 * deviation * np.sqrt(3 / (4 * DRAWS)))
    assert np.median(found.draws[0]) == pytest.approx(known["median_X"], abs=1e-9)


def quantile(values: Floats, probability: Floats, share: float) -> float:
    """Return inf{t: F(t) >= share} of a discrete law."""
    order = np.argsort(values)
    place = np.searchsorted(np.cumsum(probability[order]), share - 1e-12)
    return float(values[order][place])


@pytest.mark.parametrize("name", ["tiny5", "tiny6"])
def test_percentile_ends_are_the_quantiles_of_the_law(name: str) -> None:
    known = oracle("exact_bootstrap_bleu")[name]
    x, d, probability = exact_law(name)
    statistics = bleu_statistics(name)
    one = interval(statistics, "percentile", scheme=scheme())["X"]
    pair = compare(statistics, ShiftBootstrap(scheme()), interval="percentile")[0]
    slack = 4 * np.sqrt(0.025 * 0.975 / DRAWS)  # of the share of draws below the quantile
    for law, ends, found in ((x, known["ends_X"], one), (d, known["ends_d"], pair)):
        for share, exact, end in zip((0.025, 0.975), ends, (found.ci_low, found.ci_high), strict=True):
            assert quantile(law, probability, share) == pytest.approx(exact, abs=1e-9)
            least, most = (quantile(law, probability, share + off) for off in (-slack, slack))
            assert least - 1e-9 <= end <= most + 1e-9


@pytest.mark.parametrize("name", ["tiny5", "tiny6"])
def test_win_and_tie_rates(name: str) -> None:
    known = oracle("exact_bootstrap_bleu")[name]
    one = compare(bleu_statistics(name), ShiftBootstrap(scheme()))[0]
    assert within(one.bootstrap_win_rate, known["win"])
    assert one.tie_rate == known["tie"]


@pytest.mark.parametrize("name", ["tiny5", "tiny6"])
def test_shift_p_centres_on_the_mean_of_the_draws(name: str) -> None:
    known = oracle("exact_bootstrap_bleu")[name]
    _, d, probability = exact_law(name)
    # The law is discrete: the estimated mean, off by up to 4 of its SDs, moves atoms across the bound.
    centres = known["mean_d"] + np.linspace(-4, 4, 401) * known["sd_d"] / np.sqrt(DRAWS)
    possible = [probability[np.abs(d - centre) >= known_difference(name)].sum() for centre in centres]
    assert min(possible) <= known["p_shift"] + 1e-9 <= max(possible) + 2e-9
    one = compare(bleu_statistics(name), ShiftBootstrap(scheme()))[0]
    slack = 4 * np.sqrt(known["p_shift"] * (1 - known["p_shift"]) / DRAWS)
    assert min(possible) - slack <= one.p_value <= max(possible) + slack
    assert not one.exact


def known_difference(name: str) -> float:
    data = oracle("datasets")[name]
    return float(data["bleuX"] - data["bleuY"]) - 1e-9


def test_ends_and_spread_of_mid100() -> None:
    known, draws = oracle("highprec_mid100"), 2000
    statistics = bleu_statistics("mid100")
    one = interval(statistics, "percentile", scheme=scheme(draws))["X"]
    pair = compare(statistics, ShiftBootstrap(scheme(draws)), interval="percentile")[0]
    assert [one.ci_low, one.ci_high] == pytest.approx(known["ends_X"], abs=known["tolerance_X_2000"])
    assert [pair.ci_low, pair.ci_high] == pytest.approx(known["ends_d"], abs=known["tolerance_d_2000"])
    found = resample(statistics, scheme())
    assert found.draws[0].std() == pytest.approx(known["sd_X"], rel=0.01)
    assert found.differences(ONE, TWO)[0].std() == pytest.approx(known["sd_d"], rel=0.01)
    assert (pair.bootstrap_win_rate, pair.p_value) == (known["win"], 1 / (draws + 1))


def test_many_draws_bring_the_ends_of_mid100_close() -> None:
    # sd(q_a) = 2.67 SE / sqrt(B), for our draws and for theirs.
    known = oracle("highprec_mid100")
    one = interval(bleu_statistics("mid100"), "percentile", scheme=scheme())["X"]
    slack = 4 * 2.67 * known["sd_X"] * np.sqrt(1 / DRAWS + 1 / known["draws"])
    assert [one.ci_low, one.ci_high] == pytest.approx(known["ends_X"], abs=slack)


def test_two_close_systems() -> None:
    known, draws = oracle("highprec_mid100_close"), 100_000
    statistics = bleu_statistics("mid100_close")
    shift = compare(statistics, ShiftBootstrap(scheme(draws)), interval="percentile")[0]
    assert shift.difference == pytest.approx(known["d0"], abs=1e-9)
    spread = np.sqrt(1 / draws + 1 / known["draws"])
    slack = 4 * 2.67 * 0.48 * spread  # .48 is this pair's bootstrap SD
    assert [shift.ci_low, shift.ci_high] == pytest.approx(known["ends_d"], abs=slack)
    for found, exact in ((shift.p_value, known["p_shift"]), (shift.bootstrap_win_rate, known["win"])):
        assert abs(found - exact) <= 4 * np.sqrt(exact * (1 - exact)) * spread + 1 / draws


def test_two_close_systems_by_randomization() -> None:
    known, one = oracle("highprec_mid100_close"), compare(bleu_statistics("mid100_close"))[0]
    exact = known["p_ar"]
    assert abs(one.p_value - exact) <= 4 * np.sqrt(exact * (1 - exact) / 10_000) + 1 / 10_001
    assert one.p_mc_low <= exact <= one.p_mc_high
    assert one.n_differing <= 30


def test_mean_of_six() -> None:
    known = oracle("exact_boot_mean6")
    statistics = mean_statistics([known["x"], known["x"]])
    found = resample(statistics, scheme()).draws[0]
    assert found.std() == pytest.approx(known["sd"], rel=0.01)
    one = interval(statistics, "percentile", scheme=scheme())["0"]
    assert [one.ci_low, one.ci_high] == pytest.approx(known["ends"], abs=1e-9)


def test_documents_are_redrawn_whole() -> None:
    known = oracle("cluster_small12")
    statistics = bleu_statistics("small12", documents=known["docs"]).by_document()
    draws = resample(statistics, Bootstrap(DRAWS))
    pair = compare(statistics, ShiftBootstrap(Bootstrap(DRAWS)), interval="percentile")[0]
    assert draws.draws[0].std() == pytest.approx(known["sd_X"], rel=0.01)
    assert pair.ci_low == pytest.approx(known["ends_d"][0], abs=1e-9)
    assert pair.ci_high == pytest.approx(known["ends_d"][1], abs=1e-9)
    assert pair.bootstrap_win_rate == known["win"]
