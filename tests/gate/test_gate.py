"""The gate's decisions, against t intervals and Holm's procedure worked out here."""

from dataclasses import replace
from math import isnan
from typing import get_args

import numpy as np
import pytest
import scipy.stats
from kept import worded
from made_gate import differing, pair, rated

import mtsig
from mtsig import Settings
from mtsig.collection import Averaging, Sets, compare, measure
from mtsig.errors import InvalidOption, NotApplicable, UnknownName
from mtsig.gate import GateCheck, GateResult, judge
from mtsig.gate._decision import EXIT_CODES, Outcome, worst
from mtsig.report._gate import gate_annotations, gate_texts
from mtsig.study._request import plan_of

T = Settings(test="jackknife-t", n_resamples=200)
SE = 1 / np.sqrt(200)


def one(mean: float, margin: float | None = None, **more: object) -> GateCheck:
    found = judge(pair(mean, **more), "old", "new", ["rating:score"], margin, settings=T)  # type: ignore[arg-type]
    assert found.exit_code == EXIT_CODES[found.outcome]
    return found.checks[0]


def test_the_interval_is_students() -> None:
    check = one(-0.1)
    half = scipy.stats.t.ppf(0.975, 199) * SE
    assert (check.ci_low, check.ci_high) == pytest.approx((-0.1 - half, -0.1 + half))
    assert check.p_value == pytest.approx(2 * scipy.stats.t.sf(0.1 / SE, 199))


HALF = float(scipy.stats.t.ppf(0.975, 199) * SE)


@pytest.mark.parametrize(
    ("mean", "outcome"),
    [
        (0.0, "pass"),
        (-0.5 + HALF + 1e-6, "pass"),
        (-0.5 + HALF - 1e-6, "inconclusive"),
        (-0.5, "inconclusive"),
        (-0.5 - HALF + 1e-6, "inconclusive"),
        (-0.5 - HALF - 1e-6, "regression"),
        (-3.0, "regression"),
        (3.0, "pass"),
    ],
)
def test_a_margin_is_held_against_both_ends_of_the_interval(mean: float, outcome: Outcome) -> None:
    assert one(mean, 0.5).outcome == outcome


@pytest.mark.parametrize(
    ("mean", "outcome"), [(-HALF - 1e-6, "regression"), (-HALF + 1e-6, "pass"), (0.0, "pass"), (HALF + 1, "pass")]
)
def test_without_a_margin_significantly_worse_is_a_regression(mean: float, outcome: Outcome) -> None:
    assert one(mean).outcome == outcome


def test_where_lower_is_better_more_is_worse() -> None:
    corpus = pair(0.5, higher_is_better=False)
    check = judge(corpus, "old", "new", ["rating:score"], settings=T).checks[0]
    assert (check.outcome, check.higher_is_better) == ("regression", False)
    assert check.difference == pytest.approx(-0.5)
    assert judge(corpus, "new", "old", ["rating:score"], 0.2, settings=T).outcome == "pass"


def test_holm_is_over_the_metrics_without_margin() -> None:
    rng = np.random.default_rng(1)
    old = rng.normal(50, 5, 200)
    gaps = {"a": -2.35, "b": -2.1, "c": -2.7}  # in standard errors
    columns = {name: old + differing(t * SE, seed=i) for i, (name, t) in enumerate(gaps.items())}
    base = rated({"old": old, "new": columns["a"]}, ratings=("a",))
    given = {name: mtsig.Rating(np.array([old, column]), higher_is_better=True) for name, column in columns.items()}
    corpus = replace(base, ratings=given)
    names = [f"rating:{name}" for name in gaps]
    p = {name: 2 * scipy.stats.t.sf(-t, 199) for name, t in gaps.items()}
    found = {check.metric: check for check in judge(corpus, "old", "new", names, settings=T).checks}
    by_hand = {"c": 3 * p["c"], "a": max(3 * p["c"], 2 * p["a"]), "b": max(3 * p["c"], 2 * p["a"], p["b"])}
    assert {name: check.p_adjusted for name, check in found.items()} == pytest.approx(by_hand)
    assert {name: check.outcome for name, check in found.items()} == {
        "a": "regression",
        "b": "regression",
        "c": "regression",
    }
    # The same p stands alone, and is judged alone, where the two others have a margin.
    alone = judge(corpus, "old", "new", names, {"rating:a": 1, "c": 1}, settings=T).checks
    assert [check.family_size for check in alone] == [1, 1, 1]
    assert alone[1].p_adjusted == pytest.approx(p["b"])
    assert isnan(alone[0].p_adjusted)
    strict = judge(corpus, "old", "new", names, settings=replace(T, level=0.97)).checks
    assert [check.outcome for check in strict] == ["pass", "pass", "regression"]


def test_the_worst_outcome_wins() -> None:
    made = one(0.0)
    outcomes: tuple[Outcome, ...] = get_args(Outcome)
    ranks = {"regression": 2, "inconclusive": 1, "pass": 0}
    for first in outcomes:
        for second in outcomes:
            found = worst([replace(made, outcome=first), replace(made, outcome=second)])
            assert ranks[found] == max(ranks[first], ranks[second])
    assert EXIT_CODES == {"pass": 0, "regression": 1, "inconclusive": 3}


def test_what_could_have_been_shown_has_the_power_it_says() -> None:
    """Simulated: of equal systems four in five intervals lie above minus the margin that is told."""
    margin = one(-0.5, 0.5).detectable
    rng = np.random.default_rng(7)
    data = rng.normal(0, 1, (20_000, 200))
    low = data.mean(axis=1) - scipy.stats.t.ppf(0.975, 199) * data.std(axis=1, ddof=1) / np.sqrt(200)
    assert np.mean(low > -margin) == pytest.approx(0.8, abs=0.012)
    worse = data.mean(axis=1) - one(0.01).detectable
    t = worse / (data.std(axis=1, ddof=1) / np.sqrt(200))
    assert np.mean(t < -scipy.stats.t.ppf(0.975, 199)) == pytest.approx(0.8, abs=0.012)


def test_the_same_outputs_pass_and_a_constant_gap_is_not_judged() -> None:
    old = np.random.default_rng(2).normal(50, 5, 100)
    same = rated({"old": old, "new": old})
    for margin in (None, 0.1):
        check = judge(same, "old", "new", ["rating:score"], margin).checks[0]
        assert (check.outcome, check.n_differing, check.ci_low, check.ci_high) == ("pass", 0, 0.0, 0.0)
    shifted = rated({"old": old, "new": old - 1})
    check = judge(shifted, "old", "new", ["rating:score"], 0.1, settings=T).checks[0]
    assert check.outcome == "inconclusive"
    worded(check.withheld_reason)


def test_data_that_carry_no_verdict_do_not_pass() -> None:
    documents = [f"d{i // 50}" for i in range(200)]
    settings = replace(T, unit="document")
    corpus = pair(0.0, documents=documents)
    with pytest.raises(NotApplicable):  # four documents are no units that one may ask for
        judge(corpus, "old", "new", ["rating:score"], settings=settings)
    unequal = [f"d{0 if i < 190 else i}" for i in range(200)]
    for margin in (None, 5.0):
        found = judge(pair(0.0, documents=unequal), "old", "new", ["rating:score"], margin, settings=settings)
        assert found.outcome == "inconclusive"
        assert found.exit_code == 3
        worded(found.checks[0].withheld_reason)


def test_a_set_alone_is_what_compare_says_of_it() -> None:
    corpus = mtsig.read_sample()
    family = Settings().family(mtsig.measure(corpus.select(["via-catalan", "direct"]), "bleu"))
    check = judge(corpus, "direct", "via-catalan", ["bleu"]).checks[0]
    assert check.difference == family.difference[0]
    assert (check.ci_low, check.ci_high) == pytest.approx((family.ci_low[0], family.ci_high[0]), rel=1e-12)
    assert check.p_value == family.p_value[0]


def test_over_several_sets_the_average_is_judged() -> None:
    sets = Sets.of({"a": pair(-0.4, documents=[f"d{i // 10}" for i in range(200)]), "b": pair(0.1, n=150)})
    found = judge(sets, "old", "new", ["rating:score"], weights={"a": 3, "b": 1}, sharing="separate")
    counted = measure(sets, "rating:score", sharing="separate")
    averages = compare(counted, T, [("new", "old")], Averaging(weights={"a": 3, "b": 1})).averages
    assert averages is not None
    check = found.checks[0]
    assert check.difference == pytest.approx(0.75 * -0.4 + 0.25 * 0.1)
    assert (check.standard_error, check.p_value) == (averages[0].standard_error, averages[0].p_value)
    assert found.sets == ("a", "b")


def test_sets_without_both_are_named() -> None:
    some = rated({"old": np.arange(50.0)})
    found = judge(Sets.of({"a": pair(0.0), "b": some}), "old", "new", ["rating:score"], settings=T)
    assert found.sets == ("a",)
    assert any("Only in a" in note.text for note in found.notes)
    said = "Pass: new against old, without b, where one of the two systems is missing."
    assert gate_texts(found)[0] == said
    assert "::warning title=mtsig gate%3A new against old::" + said in gate_annotations(found)


def test_an_average_without_a_standard_error_is_not_judged() -> None:
    """One word a line: no n-gram of two words, so that BLEU has no derivative there."""
    words = [f"w{i}" for i in range(60)]
    lost = mtsig.Corpus.of({"old": words, "new": words[::-1]}, {"ref": words})
    fine = mtsig.read_sample().select(["direct", "via-catalan"])
    fine = replace(fine, systems={"old": fine.systems["direct"], "new": fine.systems["via-catalan"]})
    for margin in (None, 1.0):
        found = judge(Sets.of({"a": fine, "b": lost}), "old", "new", ["bleu"], margin, settings=T)
        assert found.exit_code == 3
        worded(found.checks[0].withheld_reason)
        assert found.checks[0].difference < 0


def plan(*lines: str) -> mtsig.study.AnalysisPlan:
    return plan_of("\n".join(lines))


def test_a_plan_fixes_metrics_settings_and_margins() -> None:
    fixed = plan(
        'metrics = ["rating:score"]', 'pairs = "old"', 'test = "jackknife-t"', "level = 0.9", "n_resamples = 200",
        "[non_inferiority]", '"rating:score" = 0.5',
    )  # fmt: skip
    found = judge(pair(-0.1), "old", "new", plan=fixed)
    assert found.checks[0].status == "planned"
    assert found.checks[0].margin == 0.5
    assert found.checks[0].ci_high - found.checks[0].ci_low == pytest.approx(2 * scipy.stats.t.ppf(0.95, 199) * SE)
    assert found.plan == fixed.digest
    assert one(-0.1, 0.5).status == "exploratory"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('pairs = "new"', "does not compare new with old"),
        ('pairs = [["old", "new"]]', "does not compare new with old"),
        ('correction = "bh"', "a different correction"),
        ('interval = "bca"', "a different interval"),
        ('alternative = "greater"\npairs = "old"', "two-sided"),
    ],
)
def test_a_plan_that_a_gate_cannot_follow_is_refused(line: str, said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        judge(pair(0.0), "old", "new", plan=plan('metrics = ["rating:score"]', line))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"margin": 0}, "positive"),
        ({"margin": float("nan")}, "positive"),
        ({"margin": {"bleu": 1}}, "not among the metrics"),
        ({"settings": Settings(test="wilcoxon")}, "jackknife-t or ar"),
        ({"settings": Settings(alternative="greater")}, "two-sided"),
        ({"rule": "lord"}, "ledger"),
    ],
)
def test_what_a_gate_does_not_do_is_refused(more: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        judge(pair(0.0), "old", "new", ["rating:score"], **more)  # type: ignore[arg-type]


def test_wrong_names_are_refused() -> None:
    with pytest.raises(UnknownName, match=r"no system called 'newer'\. Did you mean 'new'\? Known: old, new"):
        judge(pair(0.0), "old", "newer", ["rating:score"])
    with pytest.raises(InvalidOption, match="same system"):
        judge(pair(0.0), "old", "old", ["rating:score"])
    with pytest.raises(NotApplicable, match="A gate needs a quality metric"):
        judge(mtsig.read_sample(), "direct", "via-catalan", ["ratio"])
    with pytest.raises(InvalidOption, match="named twice"):
        judge(mtsig.read_sample(), "direct", "via-catalan", ["chrf", "chrf"])


def test_a_result_is_a_table() -> None:
    found = judge(pair(-1.0), "old", "new", ["rating:score"], settings=T)
    assert repr(found) == "<GateResult: regression of new against old>"
    assert list(found.to_frame()["outcome"]) == ["regression"]
    assert isinstance(found, GateResult)
    html = found._repr_html_()
    assert html is not None
    assert "Regression: new against" in html
