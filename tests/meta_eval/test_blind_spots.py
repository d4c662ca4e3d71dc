"""Whom a metric underrates, and what it cannot tell apart: other programs' numbers, planted cases, brute force."""

from pathlib import Path

import numpy as np
import pytest
import scipy
from agreement_oracles import oracles
from kept import worded
from sampled import sampled

import mtsig
from mtsig.corpus import Corpus, Rating
from mtsig.errors import NotApplicable
from mtsig.inference import Settings
from mtsig.inference._verdict import verdict
from mtsig.meta_eval import RatedData, underrated
from mtsig.meta_eval._blind_spots import same_outputs, same_score, theil_sen
from mtsig.metrics import measure
from mtsig.report._meta_eval import same_outputs_table
from mtsig.resampling import Bootstrap

FEW = Bootstrap(300)
FILES = {
    "BLEURT": "bleurt-combi-newstestM2020",
    "YiSi": "Yisi-combi-newstest2020",
    "chrF": "chrF-newstest2020",
    "negTER": "TER-newstest2020",
}


def rated_of(people: np.ndarray, program: np.ndarray) -> RatedData:
    return RatedData.of(corpus_of(people, program), "rating:people", ["rating:m"])


def corpus_of(people: np.ndarray, program: np.ndarray) -> Corpus:
    ratings = {"people": Rating(people, higher_is_better=True), "m": Rating(program, higher_is_better=True)}
    return Corpus.of({f"s{number}": None for number in range(len(people))}, ratings=ratings)


@pytest.fixture(scope="module")
def wmt20(shared: Path) -> RatedData:
    corpus = mtsig.read(shared / "data/wmt20-en-de-scores")
    return RatedData.of(corpus, "rating:mqm", [f"rating:{name}" for name in FILES.values()], humans="include")


@sampled("metric", list(FILES), most=2)
def test_residuals_of_a_real_set_are_those_of_scipy_and_statsmodels(wmt20: RatedData, metric: str) -> None:
    case = oracles()["real"]["wmt20-en-de"]["underrated"][metric]
    found = underrated(wmt20, FILES[metric], scheme=FEW)
    assert found.slope == pytest.approx(case["Theil-Sen slope"]["expected"], abs=1e-6)
    mads = case["residual / MAD about the Theil-Sen line"]["expected"]
    studentized = case["externally studentised residual"]["expected"]
    for one in found.residuals:
        assert one.mads == pytest.approx(mads[one.system], abs=1e-6)
        assert one.studentized == pytest.approx(studentized[one.system], abs=1e-6)
    if metric == "chrF":
        flagged = {one.system: one.flag for one in found.residuals if one.flag}
        assert flagged["Human-B.0"] == flagged["Human-P.0"] == "underrated"
        # Least squares lets the two hide each other.
        hidden = {one.system: one.studentized_p for one in found.residuals}
        assert hidden["Human-P.0"] > 0.05


def test_slopes_are_scipys_with_ties_and_redraws() -> None:
    random = np.random.default_rng(1)
    scores, human = np.round(random.normal(size=(9, 4)), 1), random.normal(size=(9, 4))
    slopes, residuals = theil_sen(scores, human)
    for draw in range(4):
        expected = scipy.stats.theilslopes(human[:, draw], scores[:, draw])
        assert slopes[draw] == pytest.approx(expected.slope)
        left = human[:, draw] - slopes[draw] * scores[:, draw]
        np.testing.assert_allclose(residuals[:, draw], left - np.median(left))
    assert np.isnan(theil_sen(np.ones((3, 1)), human[:3, :1])[0]).all()


def _planted(seed: int, lift: float) -> RatedData:
    random = np.random.default_rng(seed)
    quality = np.linspace(0, 3, 10)[:, None] + 0.1 * random.normal(size=(10, 1))
    people = 2 * quality + random.normal(size=(10, 200))
    people[4] += lift
    return rated_of(people, quality + random.normal(size=(10, 200)))


def test_a_planted_system_is_underrated_and_its_mirror_overrated() -> None:
    for lift, word in ((4.0, "underrated"), (-4.0, "overrated")):
        found = underrated(_planted(2, lift), "m", scheme=FEW)
        assert [one.system for one in found.residuals if one.flag == word] == ["s4"]
        planted = found.residuals[4]
        assert planted.residual == pytest.approx(lift, abs=0.6)
        assert planted.ci_low <= planted.residual <= planted.ci_high
        assert 0 not in (np.sign(planted.ci_low), np.sign(planted.ci_high))


def test_intervals_leave_out_zero_seldom_where_the_line_holds() -> None:
    missed = cases = 0
    for seed in range(30):
        random = np.random.default_rng(seed)
        quality = np.linspace(0, 9, 10)[:, None]
        rated = rated_of(2 * quality + random.normal(size=(10, 60)), quality + random.normal(size=(10, 60)))
        found = underrated(rated, "m", scheme=Bootstrap(150)).residuals
        cases += len(found)
        missed += sum(one.ci_low > 0 or one.ci_high < 0 for one in found)
    # The median holds one residual at 0, and the others' intervals are about nominal.
    assert missed / cases < 0.1


def test_what_says_nothing_of_blind_spots_is_refused() -> None:
    random = np.random.default_rng(3)
    with pytest.raises(NotApplicable, match="found 5"):
        underrated(rated_of(random.normal(size=(5, 9)), random.normal(size=(5, 9))), "m", scheme=FEW)
    with pytest.raises(NotApplicable, match="have the same m"):
        underrated(rated_of(random.normal(size=(7, 9)), np.ones((7, 9))), "m", scheme=FEW)
    people = np.repeat(np.arange(7.0)[:, None], 9, axis=1)
    found = underrated(rated_of(people, people), "m", scheme=FEW)
    assert not any(one.flag for one in found.residuals)
    worded(found.notes[0].text)


def test_the_same_score_and_another_verdict() -> None:
    random = np.random.default_rng(4)
    people = np.array([[0.0], [0.0], [3.0]]) + random.normal(size=(3, 300))
    program = np.array([[0.0], [2.0], [2.0]]) + random.normal(size=(3, 300))
    corpus, settings = corpus_of(people, program), Settings(n_resamples=500)
    human, metric = (settings.family(measure(corpus, name)) for name in ("rating:people", "rating:m"))
    found = same_score(human, metric)
    # Only s1 and s2 score the same, and people see s2 ahead.
    assert [(one.better, one.worse, one.why) for one in found] == [("s2", "s1", "below what could be found")]
    assert verdict(human[human.find("s1", "s2") or 0]).winner == "s2"
    assert found[0].human_difference == pytest.approx(3, abs=0.5)
    assert same_score(human, metric, margin=1.0)[0].why == "equivalent"
    assert same_score(metric, human) == ()


def test_outputs_of_equal_score_that_people_rate_farthest_apart() -> None:
    people = np.array([[1.0, 5, 2, 4], [3, 1, 2, 1], [2, 2, 9, 1]])
    program = np.array([[0.5, 0.3, 0.1, 0.7], [0.5, 0.3, 0.2, 0.7], [0.4, 0.3, 0.3, 0.7]])
    rated = rated_of(people, program)
    found = same_outputs(rated, "m")
    said = [(one.segment, one.better, one.worse, one.gap) for one in found]
    assert said == [(1, "s0", "s1", 4.0), (3, "s0", "s1", 3.0), (0, "s1", "s0", 2.0)]
    assert np.isnan(found[0].noise)
    # Of identical outputs the gap is noise, and nothing the metric failed to see.
    outputs = {"s0": ("a", "b", "c", "x"), "s1": ("d", "e", "f", "x"), "s2": ("g", "h", "i", "y")}
    found = same_outputs(rated, "m", outputs=outputs)
    assert [(one.segment, one.gap, one.noise) for one in found] == [(1, 4.0, 3.0), (3, 3.0, 3.0), (0, 2.0, 3.0)]
    assert found[1].worse == "s2"


def test_outputs_of_a_part_are_named_by_their_numbers_in_the_data() -> None:
    people = np.array([[0, 1.0, 0, 5, 0, 2, 4], [0, 3, 0, 1, 0, 2, 1]])
    program = np.array([[0, 0.5, 0, 0.3, 0, 0.1, 0.7]] * 2)
    part = corpus_of(people, program).take([1, 3, 5, 6])
    found = same_outputs(RatedData.of(part, "rating:people", ["rating:m"]), "m")
    assert [row[0].value for row in same_outputs_table(found, part).rows] == [4, 7, 2]
