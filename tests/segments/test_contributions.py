"""What each segment adds to a difference: the sum, the sign, means, documents, gaps and odd data."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from made import made_corpus, made_statistics

from mtsig import Corpus, measure, read_sample
from mtsig.corpus import Rating
from mtsig.errors import NotApplicable, UnknownName
from mtsig.metrics import METRICS, Statistics, Ter
from mtsig.metrics._statistics import as_values
from mtsig.segments import contributions
from mtsig.segments._contributions import _of_one_left_out, _of_two_exchanged

COUNTED = tuple(name for name in METRICS if name not in ("depf", "meteor-1.5"))
"""All but those that need a parse, or a dictionary that is not installed everywhere."""


@cache
def sample(metric: str) -> Statistics:
    return measure(read_sample(), metric)


@pytest.mark.parametrize("metric", COUNTED)
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
    assert "undefined for the BLEU of y" in found.note
    assert "exchanging the segment's two outputs" in found.note
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
    assert "leaving the segment out" in found.note
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
    assert "changes in jumps between the counts of x and y" in found.note
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
