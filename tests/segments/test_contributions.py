"""What each segment adds to a difference: the sum, the sign, means, documents, gaps and odd data.

What is left of a difference without the units that contribute most, held against scores made from scratch.
"""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import scipy.stats
from kept import worded
from made import made_corpus, made_statistics
from sacrebleu.metrics import BLEU, CHRF, TER
from sampled import sampled

from mtsig import Corpus, measure, read_sample, verdict
from mtsig.corpus import Rating
from mtsig.errors import InvalidOption, NotApplicable, UnknownName
from mtsig.inference import Settings, compare
from mtsig.metrics import METRICS, Statistics, Ter
from mtsig.metrics._statistics import as_values
from mtsig.segments import Leverage, contributions, leverage, overview
from mtsig.segments._contributions import LeftOut, _of_one_left_out, _of_two_exchanged
from mtsig.segments._overview import judged_at, no_verdict

COUNTED = tuple(name for name in METRICS if name not in ("depf", "meteor-1.5"))
"""All but those that need a parse, or a dictionary that is not installed everywhere."""


@cache
def sample(metric: str) -> Statistics:
    return measure(read_sample(), metric)


@sampled("metric", COUNTED, most=8)
def test_contributions_add_up_to_the_difference_positive_for_the_first(metric: str) -> None:
    statistics = sample(metric)
    for first, second in (("direct", "via-catalan"), ("via-catalan", "direct"), ("direct", "via-esperanto")):
        found = contributions(statistics, first, second)
        score = dict(zip(statistics.systems, statistics.scores, strict=True))
        better = score[first] - score[second] if statistics.metric.higher_is_better else score[second] - score[first]
        assert found.difference == better
        assert abs(found.values.sum() - better) < 1e-8
        assert found.values.shape == (statistics.n,)


@pytest.mark.parametrize("metric", COUNTED)
def test_contributions_to_the_score_of_one_system_add_up_to_it(metric: str) -> None:
    found = contributions(sample(metric), "direct")
    score = sample(metric).scores[sample(metric).row("direct")]
    assert found.difference == score
    assert abs(found.values.sum() - score) < 1e-9 * max(1.0, abs(score))
    assert found.scores.shape == (1, sample(metric).n)


def test_of_a_mean_each_is_the_segments_difference_or_score_by_n() -> None:
    statistics = sample("sentchrf")
    scores = statistics.segment_scores[[statistics.row("direct"), statistics.row("via-catalan")]]
    found = contributions(statistics, "direct", "via-catalan")
    np.testing.assert_allclose(found.values, (scores[0] - scores[1]) / statistics.n, rtol=1e-13, atol=1e-15)
    np.testing.assert_array_equal(found.scores, scores)
    np.testing.assert_allclose(contributions(statistics, "direct").values, scores[0] / statistics.n, rtol=1e-12)


def test_the_path_integral_of_an_error_rate_is_the_logarithm_that_calculus_gives() -> None:
    # f = 100 e/l on the path (e, l) = (3 + 5t, 4 + 6t): ∫ 100/(4 + 6t) = 100 ln(10/4)/6, and −∫ 100 e/l² likewise.
    edits, lengths = np.array([[6.0, 2.0], [1.0, 2.0]]), np.array([[7.0, 3.0], [2.0, 2.0]])
    statistics = Statistics(Ter(), ("a", "b"), as_values(np.stack([edits, lengths])))
    start, end = Fraction(3, 4), Fraction(8, 10)
    by_edit = 100 * np.log(10 / 4) / 6
    by_length = (100 * float(end - start) - by_edit * 5) / 6
    expected = -(by_edit * (edits[0] - edits[1]) + by_length * (lengths[0] - lengths[1]))
    np.testing.assert_allclose(contributions(statistics, "a", "b").values, expected, rtol=1e-11)


def test_ter_favours_the_system_with_fewer_edits() -> None:
    corpus = Corpus.of(
        {"good": ["a b c d", "e f g h", "i j k l"], "poor": ["a b c d", "e f x y", "i j k l"]},
        {"ref": ["a b c d", "e f g h", "i j k x"]},
    )
    found = contributions(measure(corpus, "ter"), "good", "poor")
    assert found.difference > 0
    assert found.values[1] == pytest.approx(found.difference)
    assert contributions(measure(corpus, "ter"), "poor", "good").values[1] == pytest.approx(-found.difference)


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter", "sentbleu"])
def test_segments_with_the_same_output_have_nothing(metric: str) -> None:
    corpus = made_corpus(40)
    changed = list(corpus.outputs["sys0"])
    changed[7], changed[23] = "w1 w2 w3", "w4 w5"
    corpus = Corpus.of({"x": corpus.outputs["sys0"], "y": changed}, corpus.references)
    found = contributions(measure(corpus, metric), "x", "y")
    assert np.flatnonzero(found.values).tolist() == [7, 23]


def test_equal_systems_have_nothing_at_all() -> None:
    corpus = made_corpus(30)
    twins = Corpus.of({"x": corpus.outputs["sys0"], "y": corpus.outputs["sys0"]}, corpus.references)
    found = contributions(measure(twins, "bleu"), "x", "y")
    assert found.difference == 0
    assert not found.values.any()
    assert not np.signbit(found.values).any()


@pytest.mark.parametrize("metric", ["bleu", "chrf++", "ter", "sentbleu", "nist"])
def test_a_documents_contribution_is_the_sum_of_its_segments(metric: str) -> None:
    statistics = sample(metric)
    segments = contributions(statistics, "direct", "via-catalan")
    documents = contributions(statistics.by_document(), "direct", "via-catalan")
    numbers, sums = segments.by_document()
    np.testing.assert_array_equal(numbers, documents.numbers)
    np.testing.assert_allclose(sums, documents.values, atol=1e-10)
    np.testing.assert_array_equal(documents.by_document()[1], documents.values)
    # Also of one system, where documents of unequal length have equal parts for each of their segments.
    uneven = measure(made_corpus(50, documents=7), metric)
    one = contributions(uneven, "sys0")
    np.testing.assert_allclose(one.by_document()[1], contributions(uneven.by_document(), "sys0").values, atol=1e-10)


def test_with_gaps_numbers_are_those_of_the_corpus() -> None:
    # Documents of 4 segments; system b lacks all of document 1 and the first segment of document 2.
    ratings = np.arange(48.0).reshape(2, 24) % 7
    ratings[1, 4:9] = np.nan
    corpus = Corpus.of(
        {"a": None, "b": None},
        documents=[f"d{i // 4}" for i in range(24)],
        ratings={"judged": Rating(ratings, higher_is_better=True)},
    )
    statistics = measure(corpus, "rating:judged")
    both = [i for i in range(24) if not 4 <= i < 9]
    found = contributions(statistics, "a", "b")
    np.testing.assert_array_equal(found.numbers, both)
    np.testing.assert_allclose(found.values, (ratings[0] - ratings[1])[both] / len(both))
    numbers, sums = found.by_document()
    assert numbers.tolist() == [0, 2, 3, 4, 5]
    by_document = contributions(statistics.by_document(), "a", "b")
    assert by_document.numbers.tolist() == [0, 2, 3, 4, 5]
    np.testing.assert_allclose(by_document.values, sums, atol=1e-12)


def test_segments_without_a_reference_are_skipped_in_the_numbers() -> None:
    corpus = made_corpus(12, documents=0)
    lines = [None if i in (0, 5) else line for i, line in enumerate(corpus.references["ref0"])]
    found = contributions(measure(Corpus.of(corpus.outputs, {"ref": lines}), "chrf"), "sys0", "sys1")
    assert found.numbers.tolist() == [1, 2, 3, 4, 6, 7, 8, 9, 10, 11]


def test_a_kink_of_the_brevity_penalty_on_the_way_is_no_obstacle() -> None:
    statistics = made_statistics(50, 2)
    values = statistics.values.copy()
    values[0, 0] += 3  # the first output is longer than the reference, the second is shorter
    values[0, 1] = np.maximum(values[0, 1] - 3, 4)
    crossing = Statistics(statistics.metric, statistics.systems, values)
    assert crossing.sums[0, 0] > crossing.sums[1, 0] > 0
    assert crossing.sums[0, 1] < crossing.sums[1, 1]
    found = contributions(crossing, *crossing.systems)
    assert abs(found.values.sum() - found.difference) < 1e-8


def test_where_there_is_no_derivative_outputs_are_exchanged() -> None:
    # y has no bigram: what exchanging a segment changes is found here by scoring the exchanged outputs anew.
    outputs = {
        "x": ["a b c d e", "f g h", "k l m n o p", "q r"],
        "y": ["a x c y e", "f g h", "k z m y o x", "q"],
    }
    references = ["a b c d e", "f q i", "k l m n o q", "q r"]
    corpus = Corpus.of(outputs, {"ref": references})
    statistics = measure(corpus, "bleu")
    found = contributions(statistics, "x", "y")
    worded(found.note, "BLEU")
    whole = statistics.scores[0] - statistics.scores[1]
    expected = []
    for i in range(4):
        exchanged = {name: list(lines) for name, lines in outputs.items()}
        exchanged["x"][i], exchanged["y"][i] = outputs["y"][i], outputs["x"][i]
        scores = measure(Corpus.of(exchanged, {"ref": references}), "bleu").scores
        expected.append((whole - (scores[0] - scores[1])) / 2)
    assert found.difference == pytest.approx(whole)
    assert found.values[1] == 0
    np.testing.assert_allclose(found.values, np.array(expected) * whole / sum(expected), rtol=1e-9)
    assert 0.5 < whole / sum(expected) < 2
    back = contributions(statistics, "y", "x")
    np.testing.assert_allclose(back.values, -found.values, rtol=1e-12)


def test_of_one_system_without_a_derivative_segments_are_left_out() -> None:
    lines, references = ["a x c y e", "f g h", "k z m"], ["a b c d e", "f q i", "k l m"]
    statistics = measure(Corpus.of({"y": lines}, {"ref": references}), "bleu")
    found = contributions(statistics, "y")
    worded(found.note)
    whole = float(statistics.scores[0])
    left = [
        measure(
            Corpus.of({"y": lines[:i] + lines[i + 1 :]}, {"ref": references[:i] + references[i + 1 :]}), "bleu"
        ).scores[0]
        for i in range(3)
    ]
    raw = whole / 3 + 2 / 3 * (whole - np.array(left))
    np.testing.assert_allclose(found.values, raw + (whole - raw.sum()) / 3, rtol=1e-9)


@pytest.mark.parametrize("names", [("x", "y"), ("x",)])
def test_by_differences_a_mean_is_divided_as_by_the_derivative(names: tuple[str, ...]) -> None:
    statistics = measure(made_corpus(40, documents=7), "sentchrf")
    pair = tuple(f"sys{i}" for i in range(len(names)))
    for by_unit in (statistics, statistics.by_document()):
        shared = by_unit.shared_by(pair)
        divide = _of_two_exchanged if len(pair) == 2 else _of_one_left_out
        np.testing.assert_allclose(divide(shared)[0], contributions(by_unit, *pair).values, rtol=1e-9, atol=1e-12)


def test_over_a_jump_of_the_score_outputs_are_exchanged() -> None:
    # Only one output has any 6-gram of characters: chrF takes its mean over more orders all the way but at that end.
    corpus = Corpus.of({"x": ["abc", "ab"], "y": ["abcdefg", "ab"]}, {"ref": ["abcdefg", "ab"]})
    found = contributions(measure(corpus, "chrf"), "x", "y")
    worded(found.note)
    assert found.values.tolist() == [found.difference, 0.0]


def test_what_differences_do_not_come_near_is_not_handed_out() -> None:
    # Any one of forty segments lifts y from no 4-gram at all: each seems to make a good part of the difference.
    right = [f"a{i} b{i} c{i} d{i}" for i in range(40)]
    corpus = Corpus.of({"x": right, "y": [line.replace("c", "x") for line in right]}, {"ref": right})
    statistics = measure(corpus, "bleu:smooth_method=none")
    with pytest.raises(NotApplicable, match="undefined for the BLEU of y"):
        contributions(statistics, "x", "y")


@pytest.mark.parametrize("n", [1, 2])
def test_one_or_two_segments_are_enough(n: int) -> None:
    corpus = Corpus.of({"x": ["a b c", "d e f"][:n], "y": ["a b x", "d e f"][:n]}, {"ref": ["a b c", "d e g"][:n]})
    found = contributions(measure(corpus, "ter"), "x", "y")
    assert found.values[0] == pytest.approx(found.difference)
    assert found.values.shape == (n,)


def test_what_cannot_be_asked() -> None:
    statistics = sample("bleu")
    with pytest.raises(NotApplicable, match="with itself"):
        contributions(statistics, "direct", "direct")
    with pytest.raises(UnknownName):
        contributions(statistics, "direct", "nobody")
    with pytest.raises(NotApplicable, match="without document ids"):
        contributions(measure(made_corpus(30, documents=0), "ter"), "sys0", "sys1").by_document()


def test_documents_keep_their_names_where_a_system_lacks_one() -> None:
    values = np.array([[1.0, 2, np.nan, np.nan, 3, 5], [0.0, 1, 2, 2, 1, 1]])
    documents = ["d1", "d1", "d2", "d2", "d3", "d3"]
    corpus = Corpus.of({"x": None, "y": None}, documents=documents, ratings={"judged": Rating(values, True)})
    statistics = measure(corpus, "rating:judged")
    by_segment = contributions(statistics, "x", "y")
    by_document = contributions(statistics.by_document(), "x", "y")
    names = by_segment.document_names(corpus)
    assert [names[number] for number in by_document.numbers.tolist()] == ["d1", "d3"]
    assert [names[number] for number in by_document.numbers[by_document.strongest_first].tolist()] == ["d3", "d1"]


SACREBLEU = {"bleu": (BLEU, 1, (0, 1, 8, 25, 40)), "chrf": (CHRF, 1, (1, 25)), "ter": (TER, -1, (40,))}
"""Class, sign, and how many segments are left out; its TER takes its time."""


@cache
def sample_of_leverage() -> Corpus:
    return read_sample()


def of(statistics: Statistics, first: str, second: str) -> Leverage:
    return leverage(contributions(statistics, first, second))


def rated(values: np.ndarray, documents: list[str] | None = None) -> Statistics:
    """Statistics of ratings, shape (2, n): systems x and y."""
    rating = Rating(values, higher_is_better=True)
    return measure(Corpus.of({"x": None, "y": None}, documents=documents, ratings={"judged": rating}), "rating:judged")


@pytest.mark.parametrize("metric", SACREBLEU)
def test_the_difference_without_k_segments_is_sacrebleus_on_the_rest(metric: str) -> None:
    found = of(measure(sample_of_leverage(), metric), "direct", "via-catalan")
    make, sign, numbers = SACREBLEU[metric]
    assert found.k.tolist() == list(range(41))
    for k in numbers:
        kept = sorted(set(range(len(sample_of_leverage()))) - set(found.numbers[:k].tolist()))
        references = [[lines[i] for i in kept] for lines in sample_of_leverage().references.values()]
        scores = [
            make().corpus_score([sample_of_leverage().lines(name)[i] for i in kept], references).score
            for name in ("direct", "via-catalan")
        ]
        assert found.difference[k] == pytest.approx(sign * (scores[0] - scores[1]), abs=1e-5)


@pytest.mark.parametrize("unit", ["segment", "document"])
@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_the_interval_is_the_one_of_a_comparison_without_them(metric: str, unit: str) -> None:
    corpus = made_corpus(90, systems=2, documents=13)
    statistics = measure(corpus, metric)
    found = of(statistics if unit == "segment" else statistics.by_document(), "sys0", "sys1")
    assert (found.unit, found.interval) == (unit, "jackknife")
    documents = list(dict.fromkeys(corpus.documents or ()))
    for k in (0, 1, 2):
        out = set(found.numbers[:k].tolist())
        kept = [
            i
            for i in range(90)
            if (i if unit == "segment" else documents.index((corpus.documents or ())[i])) not in out
        ]
        settings = Settings(test="ij-t", interval="jackknife", unit="segment" if unit == "segment" else "document")
        (again,) = settings.family(measure(corpus.take(np.array(kept)), metric))
        assert again.unit == unit
        ends = (again.difference, again.ci_low, again.ci_high)
        assert (found.difference[k], found.ci_low[k], found.ci_high[k]) == pytest.approx(ends, rel=1e-9)


@pytest.mark.slow
def test_of_many_segments_the_interval_is_the_fast_one() -> None:
    statistics = made_statistics(2400, 2)
    first, second = statistics.systems
    found = of(statistics, first, second)
    assert found.interval == "ij"
    assert len(found.k) <= 202
    assert found.k[-1] == 480
    for at in (0, 1, 40, len(found.k) - 1):
        kept = np.setdiff1d(np.arange(2400), found.numbers[: found.k[at]])
        rest = Statistics(statistics.metric, statistics.systems, statistics.values[..., kept])
        (again,) = compare(rest, "ij-t", interval="ij")
        ends = (again.difference, again.ci_low, again.ci_high)
        assert (found.difference[at], found.ci_low[at], found.ci_high[at]) == pytest.approx(ends, rel=1e-9)


def brute_force(x: np.ndarray, y: np.ndarray) -> int | None:
    """The smallest k, up to 20%, without which Student's t interval of the mean difference holds 0."""
    ahead = np.sort(x - y if x.sum() > y.sum() else y - x)[::-1]
    for k in range(len(ahead) // 5 + 1):
        rest = ahead[k:]
        if not scipy.stats.t.interval(0.95, len(rest) - 1, rest.mean(), scipy.stats.sem(rest))[0] > 0:
            return k or None
    return None


def test_the_smallest_number_that_turns_the_verdict_is_found() -> None:
    seen = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        x, y = rng.normal(0.1 * (seed % 9), 1, 60), rng.normal(0, 1, 60)
        expected = brute_force(x, y)
        found = of(rated(np.stack([x, y])), "x", "y")
        assert found.holds_until == (None if expected is None else LeftOut(expected, expected / 60))
        turned = of(rated(np.stack([y, x])), "x", "y")
        assert turned.holds_until == found.holds_until
        np.testing.assert_allclose(turned.difference, -found.difference)
        np.testing.assert_allclose(turned.ci_low, -found.ci_high)
        seen.append(expected)
    assert None in seen
    assert len(set(seen)) > 4


def test_the_smallest_is_found_between_the_points_that_are_shown() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.normal(0.07, 1, 6000), rng.normal(0, 1, 6000)
    expected = brute_force(x, y)
    found = of(rated(np.stack([x, y])), "x", "y")
    assert found.holds_until is not None
    assert found.holds_until.units == expected
    steps = np.linspace(0, 1200, 201).round()
    assert expected not in steps
    assert expected in found.k
    worded(found.sentence, f"{expected} segments", f"{expected / 60:.1f}%")


def test_whole_documents_are_left_out() -> None:
    rng = np.random.default_rng(3)
    sizes = rng.integers(1, 9, 40)
    documents = [f"d{number}" for number, size in enumerate(sizes) for _ in range(size)]
    values = rng.normal(0, 1, (2, len(documents)))
    values[0] += 0.5
    found = of(rated(values, documents).by_document(), "x", "y")
    assert (found.unit, found.n, found.k[-1]) == ("document", 40, 8)
    names = np.array([int(name[1:]) for name in documents])
    for at, k in enumerate(found.k):
        rest = ~np.isin(names, found.numbers[:k])
        assert found.difference[at] == pytest.approx((values[0] - values[1])[rest].mean())
    sums = np.bincount(names, weights=values[0] - values[1])
    np.testing.assert_array_equal(found.numbers, np.argsort(-sums)[:8])


def test_random_units_take_nothing_away_on_average() -> None:
    rng = np.random.default_rng(8)
    x, y = rng.normal(0.2, 1, 500), rng.normal(0, 1, 500)
    found = leverage(contributions(rated(np.stack([x, y])), "x", "y"), n_resamples=400)
    ends = (found.random[0], found.random_low[0], found.random_high[0])
    assert ends == pytest.approx([found.difference[0]] * 3, rel=1e-14)
    # Without k of n units drawn at random, the mean of the rest has this standard deviation.
    rest = 500 - found.k[1:]
    deviation = (x - y).std(ddof=1) * np.sqrt(found.k[1:] / 500 / rest)
    assert np.all(np.abs(found.random[1:] - found.difference[0]) < 4.5 * deviation / np.sqrt(400))
    widths = (found.random_high - found.random_low)[1:] / (2 * scipy.stats.norm.ppf(0.95) * deviation)
    assert np.all((widths > 0.75) & (widths < 1.3))
    again = leverage(contributions(rated(np.stack([x, y])), "x", "y"), n_resamples=400)
    np.testing.assert_array_equal(found.random, again.random)
    other = leverage(contributions(rated(np.stack([x, y])), "x", "y"), n_resamples=400, seed=2)
    assert not np.array_equal(found.random_low, other.random_low)


def test_the_sentences() -> None:
    rng = np.random.default_rng(1)
    noise, clear = rng.normal(0, 1, (2, 50)), np.stack([np.linspace(0.9, 1.1, 50), np.zeros(50)])
    worded(of(rated(noise), "x", "y").sentence, "95% interval", "0")
    found = of(rated(clear), "x", "y")
    assert found.turns
    assert found.holds_until is None
    worded(found.sentence, "10 segments", "20.0%")
    worded(found.caution, "95% interval")
    few = of(rated(clear[:, :4]), "x", "y")
    assert few.k.tolist() == [0]
    worded(few.sentence, "4 segments")
    describes = of(measure(sample_of_leverage(), "ratio"), "direct", "via-esperanto")
    assert describes.holds_until is None
    worded(describes.sentence)


def test_equal_systems_have_no_verdict_to_turn() -> None:
    corpus = made_corpus(40)
    twins = Corpus.of({"x": corpus.outputs["sys0"], "y": corpus.outputs["sys0"]}, corpus.references)
    found = of(measure(twins, "bleu"), "x", "y")
    assert not found.difference.any()
    assert found.holds_until is None
    worded(found.sentence)


@pytest.mark.parametrize("n", [1, 2])
def test_one_or_two_segments_have_no_verdict_to_turn(n: int) -> None:
    found = of(rated(np.array([[1.0, 3.0], [0.0, 0.5]])[:, :n]), "x", "y")
    assert found.k.tolist() == [0]
    assert found.holds_until is None
    assert np.isnan(found.ci_low[0]) == (n == 1)
    assert ("it is unknown when the verdict would change" if n == 1 else "includes 0") in found.sentence


def test_where_the_last_match_is_left_out_there_is_no_interval_and_no_verdict() -> None:
    # One segment alone has the 4-grams of system y: without it y's BLEU has no derivative.
    good = ["a b c d e f g h"] * 30
    poor = ["a b c d x f g h"] + ["a b c x e f g x"] * 29
    corpus = Corpus.of({"x": good, "y": poor}, {"ref": good})
    found = of(measure(corpus, "bleu"), "x", "y")
    assert np.isnan(found.ci_low[0])
    worded(found.sentence)


def test_what_cannot_be_asked_of_leverage() -> None:
    statistics = measure(sample_of_leverage(), "ter")
    with pytest.raises(NotApplicable, match="give two systems"):
        leverage(contributions(statistics, "direct"))
    pair = contributions(statistics, "direct", "via-catalan")
    with pytest.raises(InvalidOption, match="level"):
        leverage(pair, 95)
    with pytest.raises(InvalidOption, match="At least one random choice"):
        leverage(pair, n_resamples=0)
    rows = leverage(pair).rows()
    assert list(rows[0]) == ["k", "difference", "ci_low", "ci_high", "random", "random_low", "random_high"]
    assert [row["k"] for row in rows] == list(range(41))


def test_where_no_interval_is_left_nothing_is_said_to_have_turned() -> None:
    # Two units alone have what makes a four-gram; without them the score has no derivative.
    corpus = Corpus.of(
        {"a": ["the old man sat by the sea"] * 2 + ["x y"] * 38, "b": ["the old man sat by a sea"] * 2 + ["x z"] * 38},
        {"ref": ["the old man sat by the sea"] * 2 + ["x y"] * 38},
    )
    found = leverage(contributions(measure(corpus, "bleu:max_ngram_order=4,smooth_method=none"), "a", "b"))
    assert np.isnan(found.ci_low[found.k == found.lost_at]).all()
    assert found.lost_at is not None
    assert found.holds_until is None or found.holds_until.units < found.lost_at
    if found.turns and found.holds_until is None:
        worded(found.sentence)


def test_what_the_test_does_not_separate_has_no_verdict_to_turn() -> None:
    values = np.array([[1.0, 2.0, 1.5, 1.7, 1.2], [0.5, 1.1, 0.9, 0.8, 0.4]])
    found = contributions(rated(values), "x", "y")
    assert leverage(found).turns
    plain = leverage(found, no_verdict="the two do not differ significantly")
    assert plain.holds_until is None
    worded(plain.sentence)
    assert "followed" not in plain.caution


def test_a_significant_pair_is_never_said_not_to_be_where_its_adjusted_interval_has_no_end() -> None:
    # min-P leaves a pair a level of 1 to the last digit where all its segments speak for one system.
    statistics = sample("bleu").at("segment")
    family = Settings(unit="segment").family(statistics)
    one = family[family.find("direct", "via-esperanto") or 0].changed(adjusted_level=1.0)
    assert verdict(one).winner == "direct"
    level, comparisons = judged_at(one, 0.95)
    assert (level, comparisons) == (pytest.approx(1 - 0.05 / 10), 10)
    pair = contributions(statistics, "direct", "via-esperanto")
    found = leverage(pair, level, comparisons=comparisons, no_verdict=no_verdict(one))
    assert found.turns
    assert np.isfinite(found.ci_low[0])


def test_a_pair_that_its_family_does_not_separate_has_no_verdict_to_turn() -> None:
    # Alone the two are apart; judged with the other pairs they are not, and nothing is followed.
    rng = np.random.default_rng(2)
    scores = rng.normal(0, 1, (6, 60))
    gap = rng.normal(0, 1, 60)
    scores[1] = scores[0] - 2.4 / np.sqrt(60) + (gap - gap.mean()) / gap.std(ddof=1)
    names = [f"s{i}" for i in range(6)]
    corpus = Corpus.of(dict.fromkeys(names), ratings={"r": Rating(scores, True)})
    statistics = measure(corpus, "rating:r")
    settings = Settings(n_resamples=2000, unit="segment", test="jackknife-t", correction="holm")
    family = settings.family(statistics)
    comparison = family.pair("s0", "s1")
    assert comparison is not None
    assert comparison.p_value <= 0.05 < comparison.p_adjusted
    shown = overview(corpus, statistics, "s0", "s1", settings).leverage
    assert shown.holds_until is None
    assert shown.level == pytest.approx(comparison.adjusted_level)
    assert (shown.ci_low[0], shown.ci_high[0]) == pytest.approx(
        (comparison.adjusted_ci_low, comparison.adjusted_ci_high)
    )
    worded(shown.sentence, "15 comparisons", "0")


@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_the_headline_names_who_leads_whatever_the_order_and_the_direction(metric: str) -> None:
    counted = measure(read_sample(), metric)
    for pair in ("direct", "via-esperanto"), ("via-esperanto", "direct"):
        worded(contributions(counted, *pair).headline_by(decided=True))
