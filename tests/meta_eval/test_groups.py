"""Statistics of agreement against other programs' numbers, on made and on real data (oracles_trust.json).

Three keys are no test of the program. "Kocmi 2024, published curves": thresholds published for other data, with a free
numerator that gives 44% at no difference; the program fits the user's own data, and the closed form is shown here to be
another one. "nlpstats permutation_test greater" and "PermutationSigDiff at system level" are draws of other programs:
what they converge to, all exchanges, is compared, within their Monte Carlo error.
"""

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats
from agreement_oracles import BY, NAMES, SETS, array, made, oracles, real
from kept import worded
from sampled import sampled

from mtsig import Settings
from mtsig.corpus._notes import is_human
from mtsig.meta_eval import (
    EXCHANGES,
    STATISTICS,
    PairwiseAccuracy,
    RatedData,
    SoftPairwiseAccuracy,
    compare_metrics,
    delta_accuracy,
    meta_eval,
    outliers,
    underrated,
    williams,
)
from mtsig.meta_eval._exchanges import Hybrids
from mtsig.meta_eval._groups import OfGroups, calibrated, grouped
from mtsig.meta_eval._systems import OfSystems, Pearson, pair_counts_of
from mtsig.resampling import Bootstrap

HAND = ("ties", "gaps", "constant metric", "two systems")

BY_THE_TIE_RULE = {
    ("ties", "acc_eq* by none"): 17 / 22,
    ("ties", "acc_eq* by item"): 5 / 6,
    ("ties", "acc_eq* by sys"): 7 / 9,
    ("gaps", "acc_eq* by none"): 4 / 7,
}
"""Where the reference compares raw floats, and 0.3 − 0.2 is no tie of 0.2 − 0.1 to it (the oracles' status)."""


def close(found: float, expected: float | None, tolerance: float = 1e-9) -> None:
    np.testing.assert_allclose(found, np.nan if expected is None else expected, rtol=0, atol=tolerance)


@pytest.mark.parametrize("case", HAND)
def test_segments_by_hand(case: str) -> None:
    oracle = oracles()["hand"][case]
    rated = made(array(oracle["human"]["expected"]), m=array(oracle["metric"]["expected"]))
    asked = [key for key in oracle if " by " in key and not key.startswith("groups")]
    assert len(asked) == 18
    for key in asked:
        name, by = key.split(" by ")
        found = replace(STATISTICS[NAMES[name]], by=BY[by]).value(rated, "m")
        close(found, BY_THE_TIE_RULE.get((case, key), oracle[key]["expected"]))
    for by in ("item", "sys"):
        kendall = replace(STATISTICS["segment-kendall"], by=BY[by])
        defined = ~np.isnan(kendall.of_groups(rated, "m"))
        assert [defined.sum(), (~defined).sum()] == oracle[f"groups by {by}"]["expected"]


@pytest.mark.parametrize("case", HAND)
def test_pairs_by_hand(case: str) -> None:
    oracle = oracles()["hand"][case]
    rated = made(array(oracle["human"]["expected"]), m=array(oracle["metric"]["expected"]))
    whole = rated.source.rated("include", "all")
    counts = pair_counts_of(whole, "m")
    expected = oracle["pairwise right/pairs/metric ties/human ties"]["expected"]
    assert [counts.right, counts.pairs, counts.metric_ties, counts.human_ties] == expected
    # mt-metrics-eval keeps pairs that people tie, and calls a tie of both right.
    right, pairs = oracle["mt-metrics-eval Agreement"]["expected"]
    assert pairs == counts.pairs + counts.human_ties
    assert right >= counts.right


def test_all_ratings_equal_leave_nothing_to_agree_with() -> None:
    oracle = oracles()["hand"]["constant human"]
    rated = made(array(oracle["human"]["expected"]), m=array(oracle["metric"]["expected"]))
    for statistic in STATISTICS.values():
        assert np.isnan(statistic.value(rated, "m")), statistic.name
        worded(statistic.undefined(rated, "m"))
    # The reference goes on where we stop: its numbers are the means of groups that the statistics themselves give.
    for key in (key for key in oracle if " by " in key and not key.startswith("groups")):
        name, by = key.split(" by ")
        statistic, expected = replace(STATISTICS[NAMES[name]], by=BY[by]), oracle[key]["expected"]
        assert isinstance(statistic, OfGroups)
        close(float(statistic.mean(statistic.of_groups(rated, "m"), statistic.counted(rated)[None])[0]), expected)
    for by in ("item", "sys"):
        kendall = replace(STATISTICS["segment-kendall"], by=BY[by])
        defined = ~np.isnan(kendall.of_groups(rated, "m"))
        assert [defined.sum(), (~defined).sum()] == oracle[f"groups by {by}"]["expected"]
    counts = pair_counts_of(rated, "m")
    expected = oracle["pairwise right/pairs/metric ties/human ties"]["expected"]
    assert [counts.right, counts.pairs, counts.metric_ties, counts.human_ties] == expected
    right, pairs = oracle["mt-metrics-eval Agreement"]["expected"]
    close(PairwiseAccuracy(ties="mtme").value(rated, "m"), right / pairs)


def test_soft_accuracy_with_identical_systems() -> None:
    oracle = oracles()["hand"]["SPA with identical systems"]
    human, metric = (np.array(oracle[name]["expected"]) for name in ("human", "metric"))
    spa = SoftPairwiseAccuracy("mid")
    close(spa.value(made(human, m=metric), "m"), oracle["SPA mid"]["expected"])
    np.testing.assert_allclose(spa.p_values(made(human, m=metric), "people"), oracle["p human mid"]["expected"])
    turned = made(human[::-1], m=metric[::-1])
    close(spa.value(turned, "m"), oracle["SPA mid, systems in reverse order"]["expected"])
    # 1000 draws of mt-metrics-eval stay near all 256 arrangements, and depend on the order of systems.
    mtme = SoftPairwiseAccuracy("mtme")
    close(mtme.value(made(human, m=metric), "m"), oracle["SPA mtme"]["expected"], 0.02)
    drawn = mtme.p_values(made(human, m=metric), "people")
    # Four standard errors of 1000 draws.
    np.testing.assert_allclose(drawn, oracle["p human mtme"]["expected"], atol=0.055)
    close(mtme.value(turned, "m"), oracle["SPA mtme, systems in reverse order"]["expected"], 0.02)


@sampled("name", SETS, most=1)
def test_systems_of_real_data(shared: Path, name: str) -> None:
    oracle, (rated, names) = oracles()["real"][name], real(shared, name)
    assert list(rated.systems) == oracle["systems"]["expected"]
    scores = dict(zip(rated.systems, rated.system_scores(rated.human.name), strict=True))
    assert scores == pytest.approx(oracle["human score"]["expected"], abs=1e-9)
    flagged = outliers(rated)
    assert flagged.astype(float).tolist() == oracle["outliers"]["expected"]
    for metric, ours in names.items():
        expected = oracle["system level"][metric]
        for what, left_out in (("all", np.zeros_like(flagged)), ("without outliers", flagged)):
            for key, short in (("pearson", "pearson"), ("spearman", "spearman"), ("tau_b", "kendall")):
                statistic = STATISTICS[short]
                assert isinstance(statistic, OfSystems)
                if what in expected:
                    close(statistic.without(rated, ours, left_out), expected[what]["expected"][key], 1e-6)
        statistic = STATISTICS["pearson"]
        assert isinstance(statistic, OfSystems)
        range_of = statistic.leave_one_out(rated, ours)
        without = expected["leave-one-out pearson, lowest and highest"]
        np.testing.assert_allclose([range_of.min(), range_of.max()], without["expected"], atol=1e-6)
        assert rated.systems[int(range_of.argmin())] == without["dropped_lowest"]
        assert rated.systems[int(range_of.argmax())] == without["dropped_highest"]
        counts = pair_counts_of(rated, ours)
        assert [counts.right, counts.pairs] == oracle["pairwise accuracy"][metric]["expected"]
        whole = rated.source.rated("include", "all")
        on_all = oracle["system level on all segments of the metric"][metric]["expected"]
        close(statistic.value(whole, ours), on_all, 1e-6)


@sampled("name", SETS, most=1)
def test_soft_accuracy_of_real_data(shared: Path, name: str) -> None:
    oracle, (rated, names) = oracles()["real"][name], real(shared, name)
    for metric, ours in names.items():
        close(SoftPairwiseAccuracy("normal").value(rated, ours), oracle["SPA normal limit"][metric]["expected"], 1e-7)
        drawn = oracle.get("SPA, mid p, 20,000 signs", {}).get(metric)
        if drawn:
            found = SoftPairwiseAccuracy("mid", n_resamples=2000).value(rated, ours)
            close(found, drawn["expected"], 0.003)
        printed = oracle.get("SPA mt-metrics-eval (1000 signs, seed 4, float32)", {}).get(metric)
        if printed:
            close(SoftPairwiseAccuracy("mtme").value(rated, ours), printed["expected"], printed["tolerance"])


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "wmt21-ted-zh-en" else pytest.mark.slow) for name in SETS]
)
def test_segments_of_real_data(shared: Path, name: str) -> None:
    oracle, (rated, names) = oracles()["real"][name], real(shared, name)
    for number, (metric, ours) in enumerate(names.items()):
        for key, expected in oracle["segment level"][metric].items():
            what, by = key.split(" by ")
            if by == "none" and what != "pearson":
                continue  # up to a hundred million pairs each: see the two tests below
            if by == "sys" and STATISTICS[NAMES[what]].pairwise and number and name == "wmt20-en-de":
                continue  # nine million pairs each: one metric shows it
            # Scores of text were stored with fewer digits, so that some of their ties are other ones.
            tolerance = 1e-7 if name == "wmt20-en-de" else 1e-4
            close(replace(STATISTICS[NAMES[what]], by=BY[by]).value(rated, ours), expected["expected"], tolerance)
    tied = oracle["share of human ties by item = acc_eq of a constant metric"]["expected"]
    constant = calibrated(rated.ratings, np.where(rated.mask, 0.0, np.nan))
    # Standardised ratings that differ in the last digit are ties here, and none to a comparison of raw floats.
    close(constant[0], tied, 1e-4 if name == "wmt21-ru-en" else 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "metric"), [(name, metric) for name in SETS for metric in SETS[name][2]])
def test_all_pairs_of_cells_of_real_data(shared: Path, name: str, metric: str) -> None:
    rated, names = real(shared, name)
    for key, expected in oracles()["real"][name]["segment level"][metric].items():
        what, by = key.split(" by ")
        if by != "item" and what != "pearson":
            found = replace(STATISTICS[NAMES[what]], by=BY[by]).value(rated, names[metric])
            close(found, expected["expected"], 1e-7 if name == "wmt20-en-de" else 1e-4)


def test_pairs_of_many_cells_are_added_block_by_block() -> None:
    rng = np.random.default_rng(4)
    human, metric = rng.integers(0, 30, size=(2, 6, 90)).astype(float)
    metric += human
    human[0, :20] = np.nan
    rated = made(human, m=metric)
    known = ~np.isnan(human)
    tau = scipy.stats.kendalltau(human[known], metric[known]).statistic
    close(replace(STATISTICS["segment-kendall"], by="none").value(rated, "m"), tau)
    h, m = (np.sign(x[:, None] - x[None]) for x in (human[known], metric[known]))
    upper = np.triu_indices(len(h), 1)
    close(replace(STATISTICS["acc_eq_0"], by="none").value(rated, "m"), np.mean(h[upper] == m[upper]))


@pytest.mark.parametrize("name", SETS)
def test_calibrated_ties_of_real_data(shared: Path, name: str) -> None:
    oracle, (rated, names) = oracles()["real"][name], real(shared, name)
    few = next(key for key in oracle if key.startswith("acc_eq* by none"))
    kept = int(few.split()[-2])
    for metric, ours in names.items():
        expected = oracle["acc_eq* by item"][metric]
        accuracy, epsilon = calibrated(rated.ratings, rated.cells(ours))
        close(accuracy, expected["expected"], 1e-7 if name == "wmt20-en-de" else 1e-4)
        close(epsilon, expected["epsilon"], 1e-6)
        expected = oracle[few][metric]
        cells = (grouped(x[:, :kept], "none") for x in (rated.ratings, rated.cells(ours)))
        accuracy, epsilon = calibrated(*cells)
        close(accuracy, expected["expected"], 1e-7 if name == "wmt20-en-de" else 1e-4)


def test_relative_rankings_of_real_data(shared: Path) -> None:
    from mtsig import read
    from mtsig.meta_eval import RatedData

    oracle: dict[str, Any] = oracles()["real"]["wmt21-ru-en"]
    corpus = read(shared / "data" / "wmt21-ru-en").select(oracle["systems"]["expected"], ["refA"])
    rated = RatedData.of(corpus, "rating:da-raw", ["sentbleu", "sentchrf"])
    for metric, ours in zip(("BLEU", "chrF"), rated.names, strict=True):
        expected, pairs = oracle["Kendall-like 25 (daRR), raw DA"][metric]["expected"]
        close(STATISTICS["darr"].value(rated, ours), expected, 2 / pairs)


WMT25 = "wmt25-ja-zh(GEMBA as gold)"
RATED = ("GEMBA-ESA-GPT4.1", "CometKiwi-XL", "XCOMET-XL", "MetricX-24-Hybrid-XL", "GEMBA-ESA-CMDA")


@pytest.fixture(scope="module")
def wmt25(shared: Path) -> RatedData:
    scores = {}
    for name in RATED:
        file = shared / "data/wmt25-ja-zh/metrics" / f"{name}.seg.tsv"
        header, *rows = (line.split("\t") for line in file.read_text(encoding="utf-8").splitlines())
        cells = [[np.nan if cell in {"", "None"} else float(cell) for cell in row[2:]] for row in rows]
        order = [header[2:].index(system) for system in oracles()["real"][WMT25]["systems"]["expected"]]
        scores[name] = np.array(cells).T[order]
    gold = scores.pop("GEMBA-ESA-GPT4.1")
    return made(gold, **scores)


def test_forty_one_systems(wmt25: RatedData) -> None:
    oracle: dict[str, Any] = oracles()["real"][WMT25]
    names = oracle["systems"]["expected"]
    scores = dict(zip(names, wmt25.system_scores("people"), strict=True))
    assert scores == pytest.approx(oracle["human score"]["expected"], abs=1e-6)
    far = outliers(wmt25)
    assert far.astype(float).tolist() == oracle["outliers"]["expected"]
    assert [name for name, flagged in zip(names, far, strict=True) if flagged] == oracle["outliers"]["names"]
    whole = wmt25.source.rated("include", "all")
    for metric, levels in oracle["system level"].items():
        for ours, theirs in (("pearson", "pearson"), ("spearman", "spearman"), ("kendall", "tau_b")):
            statistic = STATISTICS[ours]
            assert isinstance(statistic, OfSystems)
            for key, left_out in (("all", np.zeros_like(far)), ("without outliers", far)):
                expected = levels[key]["expected"][theirs]
                assert statistic.without(wmt25, metric, left_out) == pytest.approx(expected, abs=1e-6)
        each, case = Pearson().leave_one_out(wmt25, metric), levels["leave-one-out pearson, lowest and highest"]
        assert [each.min(), each.max()] == pytest.approx(case["expected"], abs=1e-6)
        dropped = [names[int(each.argmin())], names[int(each.argmax())]]
        assert dropped == [case["dropped_lowest"], case["dropped_highest"]]
        on_all = oracle["system level on all segments of the metric"][metric]["expected"]
        assert Pearson().value(whole, metric) == pytest.approx(on_all, abs=1e-6)
        counts = pair_counts_of(wmt25, metric)
        assert [counts.right, counts.pairs] == oracle["pairwise accuracy"][metric]["expected"]
    for metric, expected in oracle["SPA normal limit"].items():
        assert SoftPairwiseAccuracy("normal").value(wmt25, metric) == pytest.approx(expected["expected"], abs=1e-6)
    for metric, expected in oracle["SPA mt-metrics-eval (1000 signs, seed 4, float32)"].items():
        assert SoftPairwiseAccuracy("mtme").value(wmt25, metric) == pytest.approx(expected["expected"], abs=1e-3)
    for metric, expected in oracle["acc_eq* by item"].items():
        accuracy, epsilon = calibrated(wmt25.ratings, wmt25.cells(metric))
        assert (accuracy, epsilon) == pytest.approx((expected["expected"], expected["epsilon"]), abs=1e-6)
    for metric, expected in oracle["acc_eq* by none, first 6 segments"].items():
        some = (grouped(cells[:, :6], "none") for cells in (wmt25.ratings, wmt25.cells(metric)))
        assert calibrated(*some)[0] == pytest.approx(expected["expected"], abs=1e-6)
    for case in oracle["Williams"].values():
        found = williams(*case["r"], case["n"])
        assert found.t == pytest.approx(case["t"], rel=1e-5)
        assert found.p_value == pytest.approx(case["expected"]["p two-sided"], rel=1e-4)


@pytest.mark.slow
def test_segments_of_forty_one_systems(wmt25: RatedData) -> None:
    for metric, cases in oracles()["real"][WMT25]["segment level"].items():
        for key, case in cases.items():
            what, by = key.split(" by ")
            found = replace(STATISTICS[NAMES[what]], by=BY[by]).value(wmt25, metric)
            assert found == pytest.approx(case["expected"], abs=1e-6), key


def _system_scores(file: Path) -> dict[str, float]:
    rows = (line.split("\t") for line in file.read_text(encoding="utf-8").splitlines())
    return {name: float(score) for name, score in rows}


def test_scores_of_whole_systems(shared: Path) -> None:
    folder = shared / "data/wmt21-en-de"
    oracle = oracles()["real"]["wmt21-en-de system scores"]
    rated: dict[str, list[float]] = {}
    for line in (folder / "human/mqm.seg.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        system, _, score = line.split("\t")
        if score not in {"", "None"}:
            rated.setdefault(system, []).append(float(score))
    people = {system: float(np.mean(scores)) for system, scores in rated.items()}
    # The two files call three references and one system otherwise.
    called = {"Nemo": "NVIDIA-NeMo", "ref-B": "refB", "ref-C": "refC", "ref-D": "refD"}
    comet = _system_scores(folder / "metrics/COMET-refA.sys.tsv")
    by_metric = {"COMET": {called.get(system, system): score for system, score in comet.items()}}
    official = folder / "metrics/official-automatic-scores.sys.tsv"
    rows = [line.split("\t") for line in official.read_text(encoding="utf-8").splitlines()]
    for name, key in (("BLEU", "bleu-A"), ("chrF", "chrf-A")):
        by_metric[name] = {row[1]: float(row[5]) for row in rows if row[4] == key}
    for key, case in oracle.items():
        scores = by_metric[key.split(" ")[0]]
        systems = [system for system in people if system in scores]
        if "without human translations" in key:
            systems = [system for system in systems if not is_human(system)]
        assert len(systems) == case["expected"]["n"]
        given, scored = (np.array([[of[system]] for system in systems]) for of in (people, scores))
        rated = made(given, m=scored)
        for ours, theirs in (("pearson", "pearson"), ("spearman", "spearman"), ("kendall", "tau_b")):
            if theirs in case["expected"]:
                assert STATISTICS[ours].value(rated, "m") == pytest.approx(case["expected"][theirs], abs=1e-5)
        counts = pair_counts_of(rated, "m")
        assert [counts.right, counts.pairs] == case["right_of_pairs"]


@pytest.mark.parametrize("name", ["wmt21-ru-en", "wmt21-ted-zh-en"])
def test_residuals_of_other_sets_are_those_of_scipy_and_statsmodels(shared: Path, name: str) -> None:
    rated, names = real(shared, name)
    for metric, case in oracles()["real"][name]["underrated"].items():
        found = underrated(rated, names[metric], scheme=Bootstrap(20))
        assert found.slope == pytest.approx(case["Theil-Sen slope"]["expected"], abs=1e-5)
        for one in found.residuals:
            expected = case["residual / MAD about the Theil-Sen line"]["expected"][one.system]
            assert one.mads == pytest.approx(expected, abs=1e-3)
            studentized = case["externally studentised residual"]["expected"][one.system]
            assert one.studentized == pytest.approx(studentized, abs=1e-3)


@pytest.mark.parametrize("name", ["wmt20-en-de", "wmt21-ted-zh-en"])
def test_redraws_are_those_of_nlpstats(shared: Path, name: str) -> None:
    rated, names = real(shared, name)
    for metric, cases in oracles()["real"][name]["bootstrap of system-level pearson"].items():
        for theirs, over in (("systems", "systems"), ("inputs", "segments"), ("both", "both")):
            settings = Settings(n_resamples=1000, unit="segment")
            rows = {one.metric: one for one in meta_eval(rated, ["pearson"], over=over, settings=settings)}
            found, case = rows[names[metric]], cases[theirs]
            assert (found.ci_low, found.ci_high) == pytest.approx(case["expected"], abs=case["tolerance"])


@pytest.mark.parametrize("name", SETS)
def test_exchanges_of_systems_are_what_mt_metrics_eval_draws(shared: Path, name: str) -> None:
    rated, names = real(shared, name)
    for pair, case in oracles()["real"][name]["PermutationSigDiff at system level"].items():
        metrics = [names[metric] for metric in pair.split(" over ")]
        family = compare_metrics(rated, "pearson", "systems", Settings(n_resamples=100), metrics=metrics)
        extreme = np.mean(family.null[0] >= family.difference[0] - 1e-9)
        expected = case["expected"]
        assert min(extreme, 1 - extreme) == pytest.approx(min(expected, 1 - expected), abs=case["tolerance"])


def test_exchanges_are_those_of_nlpstats() -> None:
    hand = oracles()["hand"]
    human, a, b = (np.array(hand["three meanings of PERM-BOTH"][name]) for name in ("human", "first", "second"))
    rated = made(human, a=a, b=b)
    # Three systems are too few for a verdict, but all eight exchanges of them can be counted.
    systems = Hybrids(rated, STATISTICS["pearson"], rated.names, EXCHANGES["systems"], Settings())
    null, observed = systems.null()
    case = hand["nlpstats permutation_test greater"]["systems"]
    assert np.mean(null[0] >= observed[0] - 1e-9) == pytest.approx(case["expected"], abs=case["tolerance"])
    for theirs, unit in (("inputs", "item"), ("both", "both")):
        case = hand["nlpstats permutation_test greater"][theirs]
        family = compare_metrics(rated, "pearson", unit, Settings(n_resamples=4000, alternative="greater"))
        assert family.p_value[0] == pytest.approx(case["expected"], abs=case["tolerance"])


def test_right_decisions_are_counted_pair_by_pair(shared: Path) -> None:
    """The entries list what the test was given, the first metric and the second; their names say second over first."""
    real_sets = oracles()["real"]
    for name in SETS:
        rated, names = real(shared, name)
        case = real_sets[name]["PairwisePermutationSigDiff acc_eq* by item, first 150 segments"]
        ((pair, expected),) = case.items()
        second, first = pair.split(" over ")
        for metric, epsilon in zip((first, second), expected["epsilons"], strict=True):
            assert epsilon == pytest.approx(real_sets[name]["acc_eq* by item"][metric]["epsilon"], abs=1e-12)
        right = []
        for metric, epsilon in zip((first, second), expected["epsilons"], strict=True):
            said = []
            for item in range(150):
                h, m = rated.ratings[:, item], rated.cells(names[metric])[:, item]
                for x, y in combinations(range(len(h)), 2):
                    tie_h, tie_m = abs(h[x] - h[y]) <= 1e-9, abs(m[x] - m[y]) <= epsilon + 1e-9
                    said.append(tie_h == tie_m if tie_h or tie_m else (h[x] > h[y]) == (m[x] > m[y]))
            right.append(np.array(said))
        assert int((right[0] & ~right[1]).sum()) == expected["only_first_right"]
        assert int((right[1] & ~right[0]).sum()) == expected["only_second_right"]
        # A positive difference favours the second, as the entry's name says; items with gaps have fewer pairs.
        known = np.count_nonzero(rated.mask[:, :150], axis=0)
        pairs = known * (known - 1) // 2
        apart = (right[1].astype(int) - right[0]).reshape(150, -1).sum(axis=1)
        delta = np.mean(apart[pairs > 0] / pairs[pairs > 0])
        assert delta == pytest.approx(expected["expected"]["delta"], abs=1e-9)


def test_curves_of_other_data_are_other_curves() -> None:
    published = oracles()["meaning"]["Kocmi 2024, published curves"]
    human = np.linspace(0, 3, 10)[:, None] + np.zeros((10, 4))
    curve = delta_accuracy(made(human, m=human * 2), "m", scheme=Bootstrap(50))
    for case in published.values():
        assert curve.at(1.0).share == 1.0 != case["expected"] / 100
