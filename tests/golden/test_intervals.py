"""Intervals and tests of two systems against answers known before this program: scipy, arch, exact laws."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made import rated
from sampled import sampled
from scipy import stats

from golden.oracles import bleu_statistics, mean_statistics, oracle
from golden.test_resampling import exact_law, quantile, scheme
from mtsig import Corpus, interval, measure
from mtsig._probability import clopper_pearson
from mtsig.inference import CORRECTIONS, TESTS, compare, detectable_difference, equivalence, simulated_power
from mtsig.inference import _tests as segments
from mtsig.inference._corrections import CorrectedTogether
from mtsig.inference._intervals import BiasCorrectedAccelerated
from mtsig.inference._power import needed_units
from mtsig.inference._targets import Pairs, Scores
from mtsig.inference._tests import InfinitesimalJackknifeT, RiezlerMaxwell
from mtsig.resampling import Bootstrap

DRAWS = 200_000
ONE, TWO = np.array([0]), np.array([1])


def near(shares: float, exact: float, draws: int, others: int = 400_000) -> bool:
    return abs(shares - exact) <= 4 * np.sqrt(exact * (1 - exact) * (1 / draws + 1 / others)) + 1 / draws


# --- the exact law of tiny data -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tiny5", "tiny6"])
def test_the_printed_figure_two_on_tiny_data(name: str) -> None:
    known = oracle("exact_bootstrap_more")[name]
    p = compare(bleu_statistics(name), RiezlerMaxwell(scheme()))[0].p_value
    low, high = known["p_rm_range"]  # the law is discrete: the estimated mean moves the bound across atoms
    slack = 4 * np.sqrt(known["p_rm"] * (1 - known["p_rm"]) / DRAWS)
    assert low - slack <= p <= high + slack
    assert p < oracle("exact_bootstrap_bleu")[name]["p_shift"] / 2


@pytest.mark.parametrize("name", ["tiny5", "tiny6"])
def test_leaving_out_one_segment(name: str) -> None:
    scores = Scores(bleu_statistics(name), scheme(100))
    assert scores.left_out[0] == pytest.approx(oracle("exact_bootstrap_more")[name]["left_out_X"], abs=1e-9)
    pairs = Pairs(scores, ONE, TWO)
    assert pairs.left_out[0] == pytest.approx(scores.left_out[0] - scores.left_out[1], abs=1e-12)


@pytest.mark.parametrize("name", ["tiny5", "tiny6"])
def test_bca_ends_are_quantiles_of_the_law_at_the_known_shares(name: str) -> None:
    known = oracle("exact_bootstrap_more")[name]
    x, _, probability = exact_law(name)
    found = interval(bleu_statistics(name), "bca", scheme=scheme())["X"]
    for share, end, exact in zip(known["alphas"], (found.ci_low, found.ci_high), known["bca_X"], strict=True):
        assert quantile(x, probability, share) == pytest.approx(exact, abs=1e-6)
        # z0 carries the drawing error of a share near one half; with the error of the end that is at most this.
        slack = 6 * np.sqrt(share * (1 - share) / DRAWS)
        least, most = (quantile(x, probability, share + off) for off in (-slack, slack))
        assert least - 1e-9 <= end <= most + 1e-9


# --- 400,000 draws by another program -----------------------------------------------------------------------


def shares_of(targets: Scores | Pairs) -> tuple[float, float]:
    """Return the shares of draws below either end of the BCa interval: what was corrected, seen from outside."""
    low, high = BiasCorrectedAccelerated().ends(targets, 0.95)
    return float(np.mean(targets.draws[0] <= low[0])), float(np.mean(targets.draws[0] <= high[0]))


def test_intervals_of_one_system_of_mid100() -> None:
    known, statistics = oracle("highprec_mid100_more"), bleu_statistics("mid100")
    spread = oracle("highprec_mid100")["sd_X"]
    slack = 4 * 2.67 * spread * np.sqrt(1 / DRAWS + 1 / 400_000)
    for method, ends in (("basic", known["basic_X"]), ("bca", known["bca_X"])):
        found = interval(statistics, method, scheme=scheme())["X"]
        assert [found.ci_low, found.ci_high] == pytest.approx(ends, abs=slack), method
    found = interval(statistics, "bootstrap-t", scheme=scheme(40_000))["X"]
    slack = 6 * 2.67 * spread * np.sqrt(1 / 40_000 + 1 / 400_000)  # t* has the heavier tails
    assert [found.ci_low, found.ci_high] == pytest.approx(known["bootstrap_t_X"], abs=slack)


def test_bias_and_acceleration_of_mid100() -> None:
    known, scores = oracle("highprec_mid100_more"), Scores(bleu_statistics("mid100"), scheme())
    pairs = Pairs(scores, ONE, TWO)
    for targets, key in ((scores, "X"), (pairs, "d")):
        bias = stats.norm.ppf(np.mean(targets.draws[0] < targets.estimate[0]))
        assert bias == pytest.approx(known[f"z0_{key}"], abs=4 * 1.26 * np.sqrt(1 / DRAWS + 1 / 400_000))
        gaps = targets.left_out[0].mean() - targets.left_out[0]
        assert stats.skew(gaps) / 6 / np.sqrt(len(gaps)) == pytest.approx(known[f"a_{key}"], rel=1e-6)
    assert shares_of(scores) == pytest.approx(known["alphas_X"], abs=0.002)
    low, high = BiasCorrectedAccelerated().ends(pairs, 0.95)
    slack = 5 * 2.67 * oracle("highprec_mid100")["sd_d"] * np.sqrt(1 / DRAWS + 1 / 400_000)
    assert [low[0], high[0]] == pytest.approx(known["bca_d"], abs=slack)


@pytest.mark.parametrize("method", ["percentile", "basic", "bca", "bootstrap-t"])
def test_arch_and_scipy_make_about_the_same_intervals(method: str) -> None:
    known, statistics = oracle("arch_mid100"), bleu_statistics("mid100")
    key = "studentized" if method == "bootstrap-t" else method
    one = interval(statistics, method, scheme=scheme(10_000))["X"]
    assert [one.ci_low, one.ci_high] == pytest.approx(known[f"{key}_X"], abs=known["tolerance"])
    if method != "bootstrap-t":
        pair = compare(statistics, TESTS["ar"], interval=method)[0]
        assert [pair.ci_low, pair.ci_high] == pytest.approx(known[f"{key}_diff"], abs=known["tolerance"])


def test_scipys_bca_and_standard_error() -> None:
    known, statistics = oracle("scipy_mid100"), bleu_statistics("mid100")
    one = interval(statistics, "bca", scheme=scheme(10_000))["X"]
    assert [one.ci_low, one.ci_high] == pytest.approx(known["bca_X"], abs=oracle("arch_mid100")["tolerance"])
    normal = interval(statistics, "normal", scheme=scheme(10_000))["X"]
    assert (normal.ci_high - normal.ci_low) / 2 / stats.norm.ppf(0.975) == pytest.approx(known["se_X"], rel=0.08)


def test_two_close_systems_by_jackknife_and_by_figure_two() -> None:
    known, statistics, draws = oracle("highprec_close_more"), bleu_statistics("mid100_close"), 100_000
    assert compare(statistics, InfinitesimalJackknifeT())[0].p_value == pytest.approx(known["p_ij_t"], rel=1e-6)
    assert near(compare(statistics, RiezlerMaxwell(scheme(draws)))[0].p_value, known["p_rm"], draws)


# --- segments ----------------------------------------------------------------------------------------------


def test_segment_tests_on_twelve_segments() -> None:
    data, known = oracle("segment_mean12"), oracle("segment_tests12")
    statistics = rated([data["a"], data["b"]])
    # Scores stand on a grid of 2^-20, which moves the fifth digit of a t statistic at most.
    assert compare(statistics, "t")[0].p_value == pytest.approx(known["t_p"], rel=1e-4)
    assert compare(statistics, "wilcoxon")[0].p_value == pytest.approx(known["wilcoxon"], abs=1e-12)
    assert compare(statistics, "sign")[0].p_value == pytest.approx(known["sign"], abs=1e-12)
    one = compare(statistics, interval="t")[0]
    assert [one.ci_low, one.ci_high] == pytest.approx(known["t_ci95"], abs=1e-5)


def test_one_sided_randomization_of_twelve_segments() -> None:
    data, known = oracle("segment_mean12"), oracle("segment_tests12")
    test = TESTS["ar"]
    greater, less = (type(test)(test.scheme, direction=side) for side in ("greater", "less"))
    statistics = rated([data["a"], data["b"]])
    assert compare(statistics, greater, "B")[0].p_value == known["perm_greater"]
    assert compare(statistics, less, "A")[0].p_value == known["perm_greater"]
    assert compare(statistics, less, "B")[0].p_value > 0.99


@pytest.mark.parametrize("name", ["tiny5", "tiny6", "small12"])
def test_one_sided_randomization_of_bleu(name: str) -> None:
    known = oracle("exact_ar_sides")[name]
    for direction in ("greater", "less"):
        test = type(TESTS["ar"])(direction=direction)
        one = compare(bleu_statistics(name), test, [("X", "Y")])[0]
        assert (one.p_value, one.exact) == (known[direction], True)


def test_segment_tests_with_ties(monkeypatch: pytest.MonkeyPatch) -> None:
    d, known = np.array(oracle("ties12")["d"]), oracle("ties12_more")
    statistics = rated([d, np.zeros(12)])
    assert compare(statistics, "wilcoxon")[0].p_value == pytest.approx(known["wilcoxon_pratt"], abs=1e-12)
    assert segments.signed_rank_p(d, zeros="drop") == pytest.approx(known["wilcoxon_drop"], abs=1e-12)
    assert compare(statistics, "sign")[0].p_value == pytest.approx(known["sign"], abs=1e-12)
    assert compare(statistics, "t")[0].p_value == pytest.approx(known["t_p"], rel=1e-9)
    monkeypatch.setattr(segments, "EXACT_SIGNS", 0)  # what is used above 25 differences
    assert segments.signed_rank_p(d) == pytest.approx(known["wilcoxon_pratt_normal"], abs=1e-9)
    assert segments.signed_rank_p(d, zeros="drop") == pytest.approx(known["wilcoxon_drop_normal"], abs=1e-9)


def test_segments_that_all_differ_alike_have_no_t() -> None:
    family = compare(rated([np.arange(8.0) + 1, np.arange(8.0)]), "t", interval="percentile")
    assert np.isnan(family.p_value[0])
    assert any("There is no t test if every segment differs by the same amount: A – B" in n.text for n in family.notes)


def test_equivalence_of_twelve_segments() -> None:
    data, known = oracle("segment_mean12"), oracle("tost")
    found = equivalence(rated([data["a"], data["b"]]), "A", "B", known["margin"])
    assert found.p_value == pytest.approx(known["p"], rel=1e-4)
    assert [found.ci_low, found.ci_high] == pytest.approx(known["ci90"], abs=1e-5)
    assert found.established


# --- ratings ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["0.99", "0.95", "0.9"])
def test_koehns_table_two_with_the_right_degrees_of_freedom(level: str) -> None:
    known = oracle("koehn")
    for n, factor in zip(known["sizes"], known["t_df_n_minus_1"][level], strict=True):
        scores = np.random.default_rng(n).normal(50, 20, n)
        one = interval(rated([scores]), "t", float(level))["A"]
        assert (one.ci_high - one.ci_low) / 2 == pytest.approx(factor * stats.sem(scores), rel=1e-4)


def test_thirty_right_of_a_hundred() -> None:
    known, statistics = oracle("koehn"), rated([np.arange(100) < 30])
    wilson, t = interval(statistics, "wilson")["A"], interval(statistics, "t")["A"]
    assert [wilson.ci_low, wilson.ci_high] == pytest.approx(known["wilson_30_of_100"], abs=1e-9)
    assert (t.ci_high - t.ci_low) / 2 == pytest.approx(known["half_width_30_of_100"], abs=1e-9)


# --- Riezler and Maxwell ------------------------------------------------------------------------------------


def p_of_figure_two(two_sided: float) -> float:
    """Return what the printed figure 2 gives for normal draws."""
    z = stats.norm.isf(two_sided / 2)
    centre = np.sqrt(2 / np.pi) * np.exp(-(z**2) / 2) + z * (1 - 2 * stats.norm.cdf(-z))
    return float(stats.norm.sf(centre) + stats.norm.sf(2 * z + centre))


def test_normal_theory_of_figure_two() -> None:
    known = oracle("riezler_maxwell")
    for p, expected in known["p_rm_of_two_sided_p"].items():
        assert p_of_figure_two(float(p)) == pytest.approx(expected, abs=1e-9)
    assert p_of_figure_two(1.0) == pytest.approx(known["p_of_no_difference"], abs=1e-9)
    for nominal, size in known["size_at_nominal"].items():
        assert p_of_figure_two(size) == pytest.approx(float(nominal), abs=1e-9)


def test_table_two_follows_from_its_own_randomization_column() -> None:
    # RM05's bootstrap column is what the misplaced centring makes of the p-values in the column beside it.
    known = oracle("riezler_maxwell")
    made = [p_of_figure_two(p) for p in known["table2_ar"]]
    assert made == pytest.approx(known["table2_boot"], abs=0.005)
    assert max(abs(np.array(known["table2_ar"]) - known["table2_boot"])) > 0.005


@sampled("two_sided", [0.5, 0.158, 0.05, 0.01, 1.0], most=2)
def test_the_code_of_figure_two_follows_normal_theory(two_sided: float) -> None:
    n, draws = 800, 40_000
    noise = stats.norm.ppf((np.random.default_rng(5).permutation(n) + 0.5) / n)
    noise /= noise.std()
    statistics = rated([noise + stats.norm.isf(two_sided / 2) / np.sqrt(n), np.zeros(n)])
    found = compare(statistics, RiezlerMaxwell(Bootstrap(draws)))[0].p_value
    exact = p_of_figure_two(two_sided)
    # The mean of |d*| is drawn too: its error moves the bound by .6/sqrt(draws) standard errors.
    error = np.sqrt(exact * (1 - exact) / draws) + 0.4 * 0.6 / np.sqrt(draws)
    assert found == pytest.approx(exact, abs=4 * error + 0.01 * exact)


# --- corrections --------------------------------------------------------------------------------------------


def together(p_values: list[float]) -> CorrectedTogether:
    p = np.array(p_values)
    nobody = np.zeros(len(p), dtype=np.int64)
    return CorrectedTogether(
        p, p, p, np.zeros(len(p), dtype=bool), p, None, False, "two-sided", None, None, nobody, nobody
    )


@pytest.mark.parametrize("block", ["multipletests", "multipletests_RM_table2_AR", "multipletests_RM_table2_boot"])
def test_corrections_of_p_values_equal_statsmodels(block: str) -> None:
    known, p = oracle("multipletests_more")[block], oracle("multipletests")[block]["p"]
    assert set(known) >= {"hommel", "bh"}
    for name, expected in known.items():
        for found in CORRECTIONS[name](together(p)):
            assert found == pytest.approx(expected, abs=1e-12), name


@pytest.mark.parametrize(
    ("correction", "key"),
    [("maxt", "maxT_single_step"), ("maxt-down", "maxT_step_down"), ("minp-single", "minP_single_step")],
)
def test_joint_corrections_are_exact_by_complete_enumeration(correction: str, key: str) -> None:
    family = compare(mean_statistics(oracle("westfall_young_exact")["scores"]))
    assert family.complete
    # The oracle's max-T is of |d| itself: every scale is 1.
    one = CorrectedTogether(
        family.p_value, family.p_mc_low, family.p_mc_high, family.exact, family.difference, family.null, True,
        "two-sided",
        np.ones(6), None, np.zeros(6, dtype=np.int64), np.zeros(6, dtype=np.int64),
    )  # fmt: skip
    found, low, high = CORRECTIONS[correction](one)
    assert found.tolist() == oracle("westfall_young_more")[key]
    assert low.tolist() == high.tolist() == found.tolist()


# --- sizes, and drawing error -------------------------------------------------------------------------------


def test_the_example_of_needed_size() -> None:
    known = oracle("power")
    assert detectable_difference(known["error"]) == pytest.approx(known["detectable"], abs=1e-9)
    noise = np.random.default_rng(8).normal(size=known["units"])
    noise *= known["error"] / stats.sem(noise)
    # The oracle has normal quantiles and a known spread; the noncentral t asks for two more, the pilot's own doubt for
    # a thousandth of them.
    found = needed_units(rated([noise, 0 * noise]), "A", "B", known["difference"])[0]
    assert known["needed"] <= found <= 1.002 * known["needed"]


def test_simulated_power_at_the_size_that_statsmodels_names() -> None:
    known, simulations = oracle("power"), 5000
    noise = stats.norm.ppf((np.arange(2000) + 0.5) / 2000)
    statistics = rated([noise / noise.std(), 0 * noise])
    found = simulated_power(statistics, "A", "B", 0.2, units=round(known["paired_t_n"]), simulations=simulations)
    assert found.power == pytest.approx(0.8, abs=4 * np.sqrt(0.16 / simulations))


def test_drawing_error_is_that_of_a_share() -> None:
    known = oracle("monte_carlo")
    for draws, error in ((1000, known["se_1000_at_05"]), (10_000, known["se_10000_at_05"])):
        low, high = clopper_pearson(np.array([0.05 * draws]), draws)
        assert (high - low)[0] / (2 * stats.norm.ppf(0.975)) == pytest.approx(error, rel=0.05)


# --- sacreBLEU's tests --------------------------------------------------------------------------------------


def compat() -> tuple[dict[str, Any], Corpus]:
    block = json.loads(Path(__file__).with_name("sacrebleu_compat.json").read_text(encoding="utf-8"))
    base, system, reference = (
        [" ".join(f"w{number}" for number in line.split()) for line in block[name]] for name in ("base", "sys", "refs")
    )
    return block, Corpus.of({"base": base, "sys": system}, {"ref": reference})


@pytest.mark.parametrize("metric", ["bleu", "chrf"])
def test_sacrebleus_numbers_on_made_text(metric: str) -> None:
    block, corpus = compat()
    statistics = measure(corpus, metric)
    name = statistics.metric.name
    for test, key in (("sacrebleu-ar", "ar"), ("sacrebleu-bs", "bs")):
        printed = block[key][name]
        one = compare(statistics, test, [("sys", "base")])[0]
        assert one.p_value == printed["p"], test
        assert statistics.scores.tolist() == pytest.approx([printed["base"], printed["sys"]], abs=1e-12)
    found = interval(statistics, "sacrebleu")["sys"]
    assert (found.ci_low + found.ci_high) / 2 == pytest.approx(printed["mean"], abs=1e-12)
    assert (found.ci_high - found.ci_low) / 2 == pytest.approx(printed["ci_half"], abs=1e-12)


@pytest.mark.parametrize("differing", [1, 2, 3, 4, 5])
def test_sacrebleus_randomization_on_nearly_alike_systems(differing: int) -> None:
    # oracles.json, sacrebleu_degenerate_probe, sacreBLEU 2.6.0: 1/(R + 1) for 1 to 5 improved segments, where exact
    # enumeration gives 1, .5, .25, .125 and .0625.
    _, corpus = compat()
    base, reference = list(corpus.lines("base")), list(corpus.references["ref"])
    worse = [i for i, (line, right) in enumerate(zip(base, reference, strict=True)) if line != right][:differing]
    improved = [str(reference[i]) if i in worse else line for i, line in enumerate(base)]
    statistics = measure(Corpus.of({"base": base, "improved": improved}, corpus.references), "bleu")
    assert compare(statistics, "sacrebleu-ar")[0].p_value == 9.999000099990002e-05
    assert compare(statistics, "ar")[0].p_value == 2.0 ** (1 - differing)


def test_sacrebleus_numbers_of_identical_systems() -> None:
    _, corpus = compat()
    twice = {"one": corpus.lines("base"), "two": corpus.lines("base")}
    statistics = measure(Corpus.of(twice, corpus.references), "bleu")
    assert compare(statistics, "sacrebleu-ar")[0].p_value == 9.999000099990002e-05
    assert compare(statistics, "sacrebleu-bs")[0].p_value == 0.000999000999000999
    assert compare(statistics, "ar")[0].p_value == 1
