"""Other programs' numbers on larger sets, on scores of whole systems, and of resampling (oracles_trust.json).

Three keys are no test of the program. "Kocmi 2024, published curves": thresholds published for other data, with a free
numerator that gives 44% at no difference; the program fits the user's own data, and the closed form is shown here to be
another one. "nlpstats permutation_test greater" and "PermutationSigDiff at system level" are draws of other programs:
what they converge to, all exchanges, is compared, within their drawing error.
"""

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from trust_oracles import BY, NAMES, SETS, made, oracles, real

from mtsig import Settings
from mtsig.corpus import is_human
from mtsig.resampling import Bootstrap
from mtsig.trust import EXCHANGES, STATISTICS, Judged, compare_metrics, meaning, outliers, trust, underrated, williams
from mtsig.trust.calibration import calibrated
from mtsig.trust.groups import grouped
from mtsig.trust.hybrids import Hybrids
from mtsig.trust.soft import SoftPairwiseAccuracy
from mtsig.trust.systems import OfSystems, Pearson, pair_counts_of

WMT25 = "wmt25-ja-zh(GEMBA as gold)"
RATED = ("GEMBA-ESA-GPT4.1", "CometKiwi-XL", "XCOMET-XL", "MetricX-24-Hybrid-XL", "GEMBA-ESA-CMDA")


@pytest.fixture(scope="module")
def wmt25(shared: Path) -> Judged:
    scores = {}
    for name in RATED:
        file = shared / "data/wmt25-ja-zh/metrics" / f"{name}.seg.tsv"
        header, *rows = (line.split("\t") for line in file.read_text(encoding="utf-8").splitlines())
        cells = [[np.nan if cell in {"", "None"} else float(cell) for cell in row[2:]] for row in rows]
        order = [header[2:].index(system) for system in oracles(shared)["real"][WMT25]["systems"]["expected"]]
        scores[name] = np.array(cells).T[order]
    gold = scores.pop("GEMBA-ESA-GPT4.1")
    return made(gold, **scores)


def test_forty_one_systems(wmt25: Judged, shared: Path) -> None:
    oracle: dict[str, Any] = oracles(shared)["real"][WMT25]
    names = oracle["systems"]["expected"]
    scores = dict(zip(names, wmt25.system_scores("people"), strict=True))
    assert scores == pytest.approx(oracle["human score"]["expected"], abs=1e-6)
    far = outliers(wmt25)
    assert far.astype(float).tolist() == oracle["outliers"]["expected"]
    assert [name for name, flagged in zip(names, far, strict=True) if flagged] == oracle["outliers"]["names"]
    whole = wmt25.source.judged("include", "all")
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
def test_segments_of_forty_one_systems(wmt25: Judged, shared: Path) -> None:
    for metric, cases in oracles(shared)["real"][WMT25]["segment level"].items():
        for key, case in cases.items():
            what, by = key.split(" by ")
            found = replace(STATISTICS[NAMES[what]], by=BY[by]).value(wmt25, metric)
            assert found == pytest.approx(case["expected"], abs=1e-6), key


def _system_scores(file: Path) -> dict[str, float]:
    rows = (line.split("\t") for line in file.read_text(encoding="utf-8").splitlines())
    return {name: float(score) for name, score in rows}


def test_scores_of_whole_systems(shared: Path) -> None:
    folder = shared / "data/wmt21-en-de"
    oracle = oracles(shared)["real"]["wmt21-en-de system scores"]
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
        judged = made(given, m=scored)
        for ours, theirs in (("pearson", "pearson"), ("spearman", "spearman"), ("kendall", "tau_b")):
            if theirs in case["expected"]:
                assert STATISTICS[ours].value(judged, "m") == pytest.approx(case["expected"][theirs], abs=1e-5)
        counts = pair_counts_of(judged, "m")
        assert [counts.right, counts.pairs] == case["right_of_pairs"]


@pytest.mark.parametrize("name", ["wmt21-ru-en", "wmt21-ted-zh-en"])
def test_residuals_of_other_sets_are_those_of_scipy_and_statsmodels(shared: Path, name: str) -> None:
    judged, names = real(shared, name)
    for metric, case in oracles(shared)["real"][name]["underrated"].items():
        found = underrated(judged, names[metric], scheme=Bootstrap(20))
        assert found.slope == pytest.approx(case["Theil-Sen slope"]["expected"], abs=1e-5)
        for one in found.residuals:
            expected = case["residual / MAD about the Theil-Sen line"]["expected"][one.system]
            assert one.mads == pytest.approx(expected, abs=1e-3)
            studentized = case["externally studentised residual"]["expected"][one.system]
            assert one.studentized == pytest.approx(studentized, abs=1e-3)


@pytest.mark.parametrize("name", ["wmt20-en-de", "wmt21-ted-zh-en"])
def test_redraws_are_those_of_nlpstats(shared: Path, name: str) -> None:
    judged, names = real(shared, name)
    for metric, cases in oracles(shared)["real"][name]["bootstrap of system-level pearson"].items():
        for theirs, over in (("systems", "systems"), ("inputs", "segments"), ("both", "both")):
            settings = Settings(draws=1000, unit="segment")
            rows = {one.metric: one for one in trust(judged, ["pearson"], over=over, settings=settings)}
            found, case = rows[names[metric]], cases[theirs]
            assert (found.low, found.high) == pytest.approx(case["expected"], abs=case["tolerance"])


@pytest.mark.parametrize("name", SETS)
def test_exchanges_of_systems_are_what_mt_metrics_eval_draws(shared: Path, name: str) -> None:
    judged, names = real(shared, name)
    for pair, case in oracles(shared)["real"][name]["PermutationSigDiff at system level"].items():
        metrics = [names[metric] for metric in pair.split(" over ")]
        family = compare_metrics(judged, "pearson", "systems", Settings(draws=100), metrics=metrics)
        extreme = np.mean(family.null[0] >= family.difference[0] - 1e-9)
        expected = case["expected"]
        assert min(extreme, 1 - extreme) == pytest.approx(min(expected, 1 - expected), abs=case["tolerance"])


def test_exchanges_are_those_of_nlpstats(shared: Path) -> None:
    hand = oracles(shared)["hand"]
    human, a, b = (np.array(hand["three meanings of PERM-BOTH"][name]) for name in ("human", "first", "second"))
    judged = made(human, a=a, b=b)
    # Three systems are too few for a verdict, but all eight exchanges of them can be counted.
    systems = Hybrids(judged, STATISTICS["pearson"], judged.names, EXCHANGES["systems"], Settings())
    null, observed = systems.null()
    case = hand["nlpstats permutation_test greater"]["systems"]
    assert np.mean(null[0] >= observed[0] - 1e-9) == pytest.approx(case["expected"], abs=case["tolerance"])
    for theirs, unit in (("inputs", "item"), ("both", "both")):
        case = hand["nlpstats permutation_test greater"][theirs]
        family = compare_metrics(judged, "pearson", unit, Settings(draws=4000, alternative="greater"))
        assert family.p_value[0] == pytest.approx(case["expected"], abs=case["tolerance"])


def test_right_decisions_are_counted_pair_by_pair(shared: Path) -> None:
    """The entries list what the test was given, the first metric and the second; their names say second over first."""
    real_sets = oracles(shared)["real"]
    for name in SETS:
        judged, names = real(shared, name)
        case = real_sets[name]["PairwisePermutationSigDiff acc_eq* by item, first 150 segments"]
        ((pair, expected),) = case.items()
        second, first = pair.split(" over ")
        for metric, epsilon in zip((first, second), expected["epsilons"], strict=True):
            assert epsilon == pytest.approx(real_sets[name]["acc_eq* by item"][metric]["epsilon"], abs=1e-12)
        right = []
        for metric, epsilon in zip((first, second), expected["epsilons"], strict=True):
            said = []
            for item in range(150):
                h, m = judged.ratings[:, item], judged.cells(names[metric])[:, item]
                for x, y in combinations(range(len(h)), 2):
                    tie_h, tie_m = abs(h[x] - h[y]) <= 1e-9, abs(m[x] - m[y]) <= epsilon + 1e-9
                    said.append(tie_h == tie_m if tie_h or tie_m else (h[x] > h[y]) == (m[x] > m[y]))
            right.append(np.array(said))
        assert int((right[0] & ~right[1]).sum()) == expected["only_first_right"]
        assert int((right[1] & ~right[0]).sum()) == expected["only_second_right"]
        # A positive difference favours the second, as the entry's name says; items with gaps have fewer pairs.
        rated = np.count_nonzero(judged.mask[:, :150], axis=0)
        pairs = rated * (rated - 1) // 2
        apart = (right[1].astype(int) - right[0]).reshape(150, -1).sum(axis=1)
        delta = np.mean(apart[pairs > 0] / pairs[pairs > 0])
        assert delta == pytest.approx(expected["expected"]["delta"], abs=1e-9)


def test_curves_of_other_data_are_other_curves(shared: Path) -> None:
    published = oracles(shared)["meaning"]["Kocmi 2024, published curves"]
    human = np.linspace(0, 3, 10)[:, None] + np.zeros((10, 4))
    curve = meaning(made(human, m=human * 2), "m", scheme=Bootstrap(50))
    for case in published.values():
        assert curve.at(1.0).share == 1.0 != case["expected"] / 100
