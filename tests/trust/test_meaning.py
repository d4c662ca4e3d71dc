"""What a difference means: the curves of other programs, brute force, and a band that holds what it should."""

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy
from trust_oracles import oracles

from mtsig.corpus import Corpus, Rating
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.resampling import Bootstrap
from mtsig.trust import Judged
from mtsig.trust.curves import isotonic, meaning, slope
from mtsig.trust.intervals import redraws

FEW = Bootstrap(200)


@pytest.fixture(scope="module")
def oracle(shared: Path) -> dict[str, Any]:
    found: dict[str, Any] = oracles(shared)["meaning"]
    return found


def judged_of(people: np.ndarray, program: np.ndarray) -> Judged:
    ratings = {"people": Rating(people, higher_is_better=True), "m": Rating(program, higher_is_better=True)}
    names = [f"s{number}" for number in range(len(people))]
    return Judged.of(Corpus.of(dict.fromkeys(names), ratings=ratings), "rating:people", ["rating:m"])


def drawn(seed: int, systems: int, segments: int, noise: float, spread: float = 1.0) -> Judged:
    random = np.random.default_rng(seed)
    quality = spread * random.normal(size=(systems, 1))
    people = quality + random.normal(size=(systems, segments))
    return judged_of(people, quality + noise * random.normal(size=(systems, 1)) + random.normal(size=people.shape))


@pytest.mark.parametrize("name", ["wmt20-en-de", "wmt21-ru-en", "wmt21-ted-zh-en"])
def test_curves_are_scikit_learns_and_statsmodels(oracle: dict[str, Any], name: str) -> None:
    for case in oracle[name].values():
        stepped = case["isotonic, at the sorted differences"]
        differences, right = np.array(stepped["differences"]), np.array(stepped["right"])
        expected = np.maximum(0.5, stepped["expected"])
        np.testing.assert_allclose(isotonic(differences, right), expected, atol=stepped["tolerance"])
        smooth = case["logistic slope without intercept"]
        assert slope(differences, right) == pytest.approx(max(0.0, smooth["expected"]), abs=smooth["tolerance"])


def test_the_isotonic_curve_is_the_best_that_does_not_fall() -> None:
    random = np.random.default_rng(1)
    for _ in range(20):
        right = random.integers(0, 2, size=6).astype(float)
        weights = random.integers(1, 4, size=6).astype(float)
        found = isotonic(np.arange(1.0, 7), right, weights)
        # All ways to cut six places into runs: the best curve is constant on runs, at their means.
        best = np.inf
        for count in range(6):
            for cuts in combinations(range(1, 6), count):
                runs = np.split(np.arange(6), cuts)
                means = [np.average(right[run], weights=weights[run]) for run in runs]
                line = np.concatenate([np.full(len(run), mean) for run, mean in zip(runs, means, strict=True)])
                loss = float((weights * (right - line) ** 2).sum())
                if (np.diff(line) >= 0).all() and loss < best:
                    best, curve = loss, line
        np.testing.assert_allclose(found, np.maximum(0.5, curve))


def test_equal_differences_have_one_value() -> None:
    found = isotonic(np.array([0.1 + 0.2, 0.3, 0.5]), np.array([1.0, 0.0, 1.0]))
    assert found.tolist() == [0.5, 0.5, 1.0]


def test_a_curve_of_pairs_written_out() -> None:
    people = np.repeat(np.array([[1.0], [2.0], [4.0], [3.0]]), 5, axis=1)
    program = np.repeat(np.array([[0.1], [0.2], [0.3], [0.7]]), 5, axis=1)
    curve = meaning(judged_of(people, program), "m", scheme=FEW)
    # Differences .1 .1 .2 .4 .5 .6; only that of .4, s2 against s3, is seen the other way round.
    np.testing.assert_allclose(curve.differences, [0.1, 0.1, 0.2, 0.4, 0.5, 0.6])
    assert curve.right.tolist() == [1, 1, 1, 0, 1, 1]
    np.testing.assert_allclose(curve.share, [0.75] * 4 + [1, 1])
    assert np.isnan(curve.low).all()
    assert "4 systems are 6 pairs of 4 things" in curve.notes[0].text
    meant = curve.at(0.45)
    assert (meant.share, meant.pairs) == (0.75, 2)
    assert meant.smooth == pytest.approx(1 / (1 + np.exp(-curve.slope * 0.45)))
    assert (curve.at(0.05).share, curve.at(0.05).pairs) == (0.5, 0)
    needed = curve.needed(0.9)
    assert needed.difference == pytest.approx(0.5)
    assert np.isnan(needed.sure)
    for wrong in (0.0, -1.0, np.inf):
        with pytest.raises(InvalidOption, match="above 0"):
            curve.at(wrong)
    with pytest.raises(InvalidOption, match="half of the pairs"):
        curve.needed(0.5)


def test_ties_are_left_out_and_counted() -> None:
    people = np.repeat(np.array([[1.0], [1.0], [2.0], [3.0]]), 5, axis=1)
    program = np.repeat(np.array([[0.1], [0.4], [0.3], [0.3]]), 5, axis=1)
    curve = meaning(judged_of(people, program), "m", scheme=FEW)
    assert (len(curve.right), curve.human_ties, curve.metric_ties) == (4, 1, 1)
    with pytest.raises(NotApplicable, match="told apart"):
        meaning(judged_of(people, np.ones_like(program)), "m", scheme=FEW)


def test_where_every_pair_is_right_there_is_no_smooth_curve() -> None:
    people = np.repeat(np.arange(4.0)[:, None], 5, axis=1)
    curve = meaning(judged_of(people, people), "m", scheme=FEW)
    assert curve.slope == np.inf
    assert np.isnan(curve.at(1.0).smooth)
    assert curve.needed(1.0).difference == 1.0


def test_the_band_is_of_redrawn_systems_and_segments_written_out() -> None:
    judged = drawn(3, 9, 30, 0.5)
    curve = meaning(judged, "m", scheme=FEW)
    lines = []
    for redraw in redraws(judged, "both", 200, 12345):
        for weights, counts in zip(redraw.segments, redraw.counts(9), strict=True):
            picked = np.repeat(np.arange(9), counts.astype(int))
            means = [cells @ weights / weights.sum() for cells in (judged.cells("m"), judged.ratings)]
            pairs = [(x, y) for x, y in combinations(picked, 2) if x != y]
            apart = np.array([abs(means[0][x] - means[0][y]) for x, y in pairs])
            right = np.array([(means[0][x] > means[0][y]) == (means[1][x] > means[1][y]) for x, y in pairs], float)
            order = np.argsort(apart, kind="stable")
            line = isotonic(apart[order], right[order])
            place = np.searchsorted(apart[order], curve.differences, side="right")
            lines.append(np.concatenate([[0.5], line])[place])
    low, high = np.quantile(lines, [0.025, 0.975], axis=0)
    np.testing.assert_allclose(curve.low, low, atol=1e-9)
    np.testing.assert_allclose(curve.high, high, atol=1e-9)


def test_several_test_sets_are_looked_at_together() -> None:
    sets = [drawn(4, 5, 20, 0.5), drawn(5, 6, 20, 0.5)]
    curve = meaning(sets, "m", scheme=FEW)
    assert len(curve.right) == 10 + 15
    assert not np.isnan(curve.low).any()
    each = [meaning(one, "m", scheme=FEW) for one in sets]
    np.testing.assert_allclose(curve.differences, np.sort(np.concatenate([one.differences for one in each])))


def test_the_band_holds_the_share_of_such_systems() -> None:
    """The truth at one difference is known: metric and people both see quality through normal noise of systems."""
    noise, segments, sets, holds, place = 0.6, 40, 60, 0, 1.0
    # People's mean errs by 1/√n; given the metric's difference d, true quality differs by normal chance.
    metric = 1 + noise**2 + 1 / segments
    mean, spread = place / metric, np.sqrt(2 * (1 - 1 / metric) + 2 / segments)
    truth = float(scipy.stats.norm.cdf(mean / spread))
    for seed in range(sets):
        meant = meaning(drawn(100 + seed, 12, segments, noise), "m", scheme=Bootstrap(200)).at(place)
        holds += meant.low <= truth <= meant.high
    # At least .85: fewer only once in a thousand times.
    assert scipy.stats.binom.cdf(holds, sets, 0.85) > 1e-3
