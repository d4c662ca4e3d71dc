"""What a difference means, by size against other programs' curves, and by verdicts against independence."""

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy
from agreement_oracles import oracles
from kept import worded

import mtsig
from mtsig import Corpus, Rating, Settings, measure
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.figures._people import VerdictMarks
from mtsig.inference._verdict import verdict
from mtsig.meta_eval import RatedData, delta_accuracy, side_by_side, verdict_table
from mtsig.meta_eval._delta_accuracy import SAID, PairVerdict, VerdictTable, isotonic, slope
from mtsig.meta_eval._statistic import redraws
from mtsig.report._meta_eval import verdict_pairs_table
from mtsig.resampling import Bootstrap

FEW = Bootstrap(200)


@pytest.fixture(scope="module")
def oracle() -> dict[str, Any]:
    found: dict[str, Any] = oracles()["meaning"]
    return found


def rated_of(people: np.ndarray, program: np.ndarray) -> RatedData:
    ratings = {"people": Rating(people, higher_is_better=True), "m": Rating(program, higher_is_better=True)}
    names = [f"s{number}" for number in range(len(people))]
    return RatedData.of(Corpus.of(dict.fromkeys(names), ratings=ratings), "rating:people", ["rating:m"])


def drawn(seed: int, systems: int, segments: int, noise: float, spread: float = 1.0) -> RatedData:
    random = np.random.default_rng(seed)
    quality = spread * random.normal(size=(systems, 1))
    people = quality + random.normal(size=(systems, segments))
    return rated_of(people, quality + noise * random.normal(size=(systems, 1)) + random.normal(size=people.shape))


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
    curve = delta_accuracy(rated_of(people, program), "m", scheme=FEW)
    # Differences .1 .1 .2 .4 .5 .6; only that of .4, s2 against s3, is seen the other way round.
    np.testing.assert_allclose(curve.differences, [0.1, 0.1, 0.2, 0.4, 0.5, 0.6])
    assert curve.right.tolist() == [1, 1, 1, 0, 1, 1]
    np.testing.assert_allclose(curve.share, [0.75] * 4 + [1, 1])
    assert np.isnan(curve.ci_low).all()
    worded(curve.notes[0].text, "4 systems", "6 pairs")
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
    with pytest.raises(InvalidOption, match=r"must be above 0\.5"):
        curve.needed(0.5)


def test_ties_are_left_out_and_counted() -> None:
    people = np.repeat(np.array([[1.0], [1.0], [2.0], [3.0]]), 5, axis=1)
    program = np.repeat(np.array([[0.1], [0.4], [0.3], [0.3]]), 5, axis=1)
    curve = delta_accuracy(rated_of(people, program), "m", scheme=FEW)
    assert (len(curve.right), curve.human_ties, curve.metric_ties) == (4, 1, 1)
    with pytest.raises(NotApplicable, match="cannot be interpreted"):
        delta_accuracy(rated_of(people, np.ones_like(program)), "m", scheme=FEW)


def test_where_every_pair_is_right_there_is_no_smooth_curve() -> None:
    people = np.repeat(np.arange(4.0)[:, None], 5, axis=1)
    curve = delta_accuracy(rated_of(people, people), "m", scheme=FEW)
    assert curve.slope == np.inf
    assert np.isnan(curve.at(1.0).smooth)
    assert curve.needed(1.0).difference == 1.0


def test_the_band_is_of_redrawn_systems_and_segments_written_out() -> None:
    rated = drawn(3, 9, 30, 0.5)
    curve = delta_accuracy(rated, "m", scheme=FEW)
    lines = []
    for redraw in redraws(rated, "both", 200, 12345):
        for weights, counts in zip(redraw.segments, redraw.counts(9), strict=True):
            picked = np.repeat(np.arange(9), counts.astype(int))
            means = [cells @ weights / weights.sum() for cells in (rated.cells("m"), rated.ratings)]
            pairs = [(x, y) for x, y in combinations(picked, 2) if x != y]
            apart = np.array([abs(means[0][x] - means[0][y]) for x, y in pairs])
            right = np.array([(means[0][x] > means[0][y]) == (means[1][x] > means[1][y]) for x, y in pairs], float)
            order = np.argsort(apart, kind="stable")
            line = isotonic(apart[order], right[order])
            place = np.searchsorted(apart[order], curve.differences, side="right")
            lines.append(np.concatenate([[0.5], line])[place])
    low, high = np.quantile(lines, [0.025, 0.975], axis=0)
    np.testing.assert_allclose(curve.ci_low, low, atol=1e-9)
    np.testing.assert_allclose(curve.ci_high, high, atol=1e-9)


def test_several_test_sets_are_looked_at_together() -> None:
    sets = [drawn(4, 5, 20, 0.5), drawn(5, 6, 20, 0.5)]
    curve = delta_accuracy(sets, "m", scheme=FEW)
    assert len(curve.right) == 10 + 15
    assert not np.isnan(curve.ci_low).any()
    each = [delta_accuracy(one, "m", scheme=FEW) for one in sets]
    np.testing.assert_allclose(curve.differences, np.sort(np.concatenate([one.differences for one in each])))


@pytest.mark.slow
def test_the_band_holds_the_share_of_such_systems() -> None:
    """The truth at one difference is known: metric and people both see quality through normal noise of systems."""
    noise, segments, sets, holds, place = 0.6, 40, 60, 0, 1.0
    # People's mean errs by 1/√n; given the metric's difference d, true quality differs by normal chance.
    metric = 1 + noise**2 + 1 / segments
    mean, spread = place / metric, np.sqrt(2 * (1 - 1 / metric) + 2 / segments)
    truth = float(scipy.stats.norm.cdf(mean / spread))
    for seed in range(sets):
        meant = delta_accuracy(drawn(100 + seed, 12, segments, noise), "m", scheme=Bootstrap(200)).at(place)
        holds += meant.ci_low <= truth <= meant.ci_high
    # At least .85: fewer only once in a thousand times.
    assert scipy.stats.binom.cdf(holds, sets, 0.85) > 1e-3


FEW_RESAMPLES = Settings(n_resamples=500)


def _corpus(people: list[float], program: list[float], segments: int = 200) -> Corpus:
    random = np.random.default_rng(1)
    ratings = {
        name: Rating(np.array(means)[:, None] + random.normal(size=(len(means), segments)), higher_is_better=True)
        for name, means in (("people", people), ("m", program))
    }
    return Corpus.of({f"s{number}": None for number in range(len(people))}, ratings=ratings)


def test_every_kind_of_pair_is_told() -> None:
    corpus = _corpus([0, 0, 3, 6], [0, 3, 0, 9])
    rated = RatedData.of(corpus, "rating:people", ["rating:m"])
    table = verdict_table(rated, "m", FEW_RESAMPLES)
    said = {(one.first, one.second): one.said for one in table.pairs}
    equal = next(pair for pair in said if set(pair) == {"s0", "s1"})
    assert said == {
        ("s2", "s1"): "contradiction",
        ("s3", "s0"): "same",
        ("s3", "s1"): "same",
        ("s3", "s2"): "same",
        ("s2", "s0"): "human_only",
        equal: "metric_only",
    }
    # Of each kind the pairs of the best by people come first, each with the better first.
    assert list(said)[1] == ("s3", "s2")
    assert all(pair.human_difference > 0 for pair in table.pairs)
    assert [one.said for one in table.pairs] == sorted((one.said for one in table.pairs), key=SAID.index)
    first = table.pairs[0]
    assert first.metric_difference < 0 < first.human_difference
    missed = next(one for one in table.pairs if one.said == "metric_only")
    # People's ratings would have shown a difference of about 2.8 standard errors, more for the correction.
    assert 0.2 < missed.human_detectable < 0.6


def test_verdicts_are_the_librarys_own_however_pairs_are_turned() -> None:
    corpus = _corpus([0, 1, 3, 3.1], [1, 0, 3, 2])
    human, metric = (FEW_RESAMPLES.family(measure(corpus, name)) for name in ("rating:people", "rating:m"))
    turned = metric.turned(0).turned(3)
    plain, other = side_by_side(human, metric), side_by_side(human, turned)
    assert plain.rows() == other.rows()
    for one in plain.pairs:
        winners = [verdict(family[family.find(one.first, one.second) or 0]).winner for family in (human, metric)]
        assert (one.said == "contradiction") == (None not in winners and winners[0] != winners[1])
        assert (one.said in {"same", "human_only", "contradiction"}) == (winners[0] is not None)
        # An interval leaves 0 out exactly where its difference is significant.
        assert (one.human_low * one.human_high > 0) == (winners[0] is not None)
        assert (one.metric_low * one.metric_high > 0) == (winners[1] is not None)


def test_undecided_is_neither_of_the_others() -> None:
    corpus = _corpus([0, 3, 6], [0, 3, 6])
    human = (
        Settings(n_resamples=500).family(measure(corpus, "rating:people")).changed(data_caveat="nobody knows who rated")
    )
    metric = FEW_RESAMPLES.family(measure(corpus, "rating:m"))
    table = side_by_side(human, metric)
    assert {one.said for one in table.pairs} == {"withheld"}
    counts = {one.said: one for one in table.counts}
    assert counts["withheld"].pairs == 3
    assert all(np.isnan(one.by_chance) for one in table.counts)


def test_the_chance_line_is_that_of_independent_verdicts() -> None:
    nothing = (0.0,) * 9
    kinds = ["same"] * 9 + ["contradiction"] * 13 + ["human_only"] * 6 + ["metric_only"] * 2
    kinds += ["neither"] * 4 + ["withheld"] * 2
    table = VerdictTable("mqm", "chrF", tuple(PairVerdict("a", "b", kind, *nothing) for kind in kinds))  # type: ignore[arg-type]
    counts = {one.said: one for one in table.counts}
    # 34 decided pairs, 28 separated by people and 24 by the metric.
    assert counts["same"].by_chance == counts["contradiction"].by_chance == pytest.approx(28 * 24 / 34 / 2)
    assert counts["human_only"].by_chance == pytest.approx(28 * 10 / 34)
    assert counts["metric_only"].by_chance == pytest.approx(6 * 24 / 34)
    assert counts["neither"].by_chance == pytest.approx(6 * 10 / 34)
    decided = [one for one in table.counts if one.said != "withheld"]
    assert sum(one.by_chance for one in decided) == pytest.approx(34)
    assert sum(one.pairs for one in table.counts) == 36
    # The verdicts shuffled against each other give these numbers in the mean.
    random = np.random.default_rng(2)
    people = np.array([1] * 28 + [0] * 6)
    program = np.array([1] * 24 + [0] * 10)
    both = [int((people * random.permutation(program)).sum()) for _ in range(4000)]
    assert np.mean(both) == pytest.approx(28 * 24 / 34, abs=0.1)


def test_pairs_of_one_family_alone_are_left_out_by_name() -> None:
    corpus = _corpus([0, 1, 3], [1, 0, 3])
    human = FEW_RESAMPLES.family(measure(corpus, "rating:people"))
    metric = FEW_RESAMPLES.family(measure(corpus, "rating:m"), [("s0", "s1")])
    table = side_by_side(human, metric)
    assert len(table.pairs) == 1
    assert table.left_out == (("s2", "s1"), ("s2", "s0"))
    other = FEW_RESAMPLES.family(measure(corpus, "rating:m"), [("s0", "s2")])
    with pytest.raises(NotApplicable, match="No pair of systems"):
        side_by_side(FEW_RESAMPLES.family(measure(corpus, "rating:people"), [("s0", "s1")]), other)


def test_a_real_metric_contradicts_people_on_human_translations(shared: Path) -> None:
    corpus = mtsig.read(shared / "data/wmt20-en-de-scores")
    rated = RatedData.of(corpus, "rating:mqm", ["rating:chrF-newstest2020"], humans="include")
    table = verdict_table(rated, "chrF-newstest2020", Settings(n_resamples=300))
    counts = {one.said: one.pairs for one in table.counts}
    assert sum(counts.values()) == 36
    contrary = [one for one in table.pairs if one.said == "contradiction"]
    assert contrary
    assert all("Human" in one.first + one.second or "Online-A" in one.first + one.second for one in contrary)


def test_differences_have_the_decimals_of_the_scores_that_they_are_of() -> None:
    rng = np.random.default_rng(1)
    people = 10 * (np.arange(4)[:, None] + rng.normal(size=(4, 40)))
    ratings = {"esa": Rating(people, True), "near": Rating((people + rng.normal(size=(4, 40))) / 1000, True)}
    rated = RatedData.of(Corpus.of(dict.fromkeys("ABCD"), ratings=ratings), "rating:esa", ["rating:near"])
    found = verdict_table(rated, "near", Settings(n_resamples=200))
    assert (found.human_decimals, found.metric_decimals) == (2, 4)
    decimals = {column.title: column.decimals for column in verdict_pairs_table(found).columns}
    assert (decimals["Δ esa"], decimals["Δ near"]) == (2, 4)
    (line, *_) = [item for trace in VerdictMarks.of(found).screen().data for item in trace.hovertext or ()]
    assert [len(part.partition(".")[2]) for part in line.split("<br>")[1:3]] == [4, 2]
