"""WER is jiwer's, ROUGE-L rouge-score's; PER, Lin's example and other weights by hand; long lines are refused.

GTM, whose program is not at hand: examples by hand, and laws that any matching obeys.
"""

import tracemalloc
from collections import Counter
from itertools import combinations
from math import sqrt
from types import SimpleNamespace
from typing import Any

import jiwer
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kept import worded
from made import seconds

from mtsig import Corpus, interval, measure, read_sample
from mtsig._limits import Limits, within
from mtsig._memory import closed
from mtsig.errors import NotApplicable
from mtsig.inference import compare
from mtsig.metrics import Gtm, RougeL, Wer
from mtsig.metrics._word_metrics import Per, matched_runs, placed_runs


def test_wer_of_the_sample_is_jiwers() -> None:
    sample = read_sample()
    (reference,) = ([str(line) for line in lines] for lines in sample.references.values())
    statistics = measure(sample, Wer(tokenize="none"))
    assert statistics.sums[0].sum() > 1000
    for system, score in zip(statistics.systems, statistics.scores, strict=True):
        assert score == pytest.approx(100 * jiwer.wer(reference, list(sample.lines(system))), rel=1e-12)


SENTENCES = st.lists(st.sampled_from(["a", "b", "c", "the", "cat"]), min_size=1, max_size=9).map(" ".join)


@given(st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=4))
@settings(deadline=None)
def test_wer_of_made_sentences_is_jiwers(pairs: list[tuple[str, str]]) -> None:
    outputs, references = [list(side) for side in zip(*pairs, strict=True)]
    found = measure(Corpus.of({"x": outputs}, {"r": references}), Wer(tokenize="none"))
    assert found.scores[0] == pytest.approx(100 * jiwer.wer(references, outputs))
    each = [100 * jiwer.wer(reference, output) for output, reference in pairs]
    assert found.segment_scores[0] == pytest.approx(each)


@given(st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=4))
@settings(deadline=None)
def test_per_is_never_above_wer(pairs: list[tuple[str, str]]) -> None:
    outputs, references = [list(side) for side in zip(*pairs, strict=True)]
    corpus = Corpus.of({"x": outputs}, {"r": references})
    assert (measure(corpus, "per").segment_scores <= measure(corpus, "wer").segment_scores).all()


BY_HAND: list[tuple[type[Any], list[str], list[list[str]], float]] = [
    # Order does not count: 4 words of 4 stand in the reference.
    (Per, ["d c b a"], [["a b c d"]], 0),
    # One wrong word: 4 − 3 = 1 error of 4 words.
    (Per, ["d c x a"], [["a b c d"]], 25),
    # One missing: max(3, 4) − 3 = 1 of 4.
    (Per, ["d c a"], [["a b c d"]], 25),
    # One too many: max(5, 4) − 4 = 1 of 4.
    (Per, ["d c b a e"], [["a b c d"]], 25),
    # A word counts as often as it stands in both: a 2 and 1, so one match: 3 − (1 + 1) = 1 of 2.
    (Per, ["a a b"], [["a b"]], 50),
    # Rates above 100 happen: 5 words, none right, 2 in the reference: 5 of 2.
    (Per, ["v w x y z"], [["a b"]], 250),
    # Sums, then the rate: errors 1 + 0 of 2 + 6 words, not the mean of 50% and 0%.
    (Per, ["a x", "f e d c b a"], [["a b", "a b c d e f"]], 12.5),
    # Two references: 2 errors against the first (3 words), 1 against the second (4 words): 1 of 4.
    (Per, ["a b c"], [["a y z"], ["c b a d"]], 25),
    # Equally close, 1 error each: the longer reference, 4 words, counts.
    (Per, ["a b c"], [["a b"], ["a b c d"]], 25),
    # Nothing against two words: all are missing. Two words against nothing: 100 by definition.
    (Per, [""], [["a b"]], 100),
    (Per, ["a b"], [[""]], 100),
    (Per, [""], [[""]], 0),
    # In order, d c b a and a b c d share one word at most: keep b, change d c to a, a to c d: 2 + 2 edits of 4.
    (Wer, ["d c b a"], [["a b c d"]], 100),
    # Insert y, delete d: 2 of 4.
    (Wer, ["a y b c"], [["a b c d"]], 50),
    # Two references: 2 substitutions of 3, or 1 deletion of 4: the second.
    (Wer, ["a b c"], [["a y z"], ["a b c d"]], 25),
    # Equally close: the longer one.
    (Wer, ["a b c"], [["a b"], ["a b c d"]], 25),
]


@pytest.mark.parametrize(("kind", "output", "references", "expected"), BY_HAND)
def test_rates_by_hand(kind: type[Any], output: list[str], references: list[list[str]], expected: float) -> None:
    columns = {f"r{i}": tuple(lines) for i, lines in enumerate(references)}
    assert measure(Corpus.of({"x": output}, columns), kind(tokenize="none")).scores[0] == pytest.approx(expected)


def test_case_and_tokens_are_options() -> None:
    corpus = Corpus.of({"x": ["The cat."]}, {"r": ["the cat"]})
    # 13a: "The", "cat", "." against "the", "cat": one wrong, one too many.
    assert measure(corpus, "wer").scores.tolist() == [100]
    assert measure(corpus, "wer:lowercase=true").scores.tolist() == [50]
    # In characters: t→T and a full stop, of 6.
    assert measure(corpus, "wer:tokenize=char").scores[0] == pytest.approx(100 * 2 / 6)


def test_a_missing_reference_is_no_empty_one() -> None:
    corpus = Corpus.of({"x": ["a b"]}, {"r": ["a c"], "s": [""]})
    np.testing.assert_array_equal(measure(corpus, "wer").sums[:, 0], [1, 2])


def printed(references: list[str], output: str) -> float:
    from rouge_score.rouge_scorer import RougeScorer  # with NLTK a quarter of a second, not for all that collect

    program = RougeScorer(["rougeL"], tokenizer=SimpleNamespace(tokenize=str.split))
    return 100 * float(program.score_multi(references, output)["rougeL"].fmeasure)


SENTENCE = st.lists(st.sampled_from("abcde"), min_size=1, max_size=9).map(" ".join)


@given(st.lists(st.tuples(SENTENCE, SENTENCE, SENTENCE), min_size=1, max_size=4))
@settings(deadline=None, max_examples=50)
def test_rouge_l_is_rouge_scores(lines: list[tuple[str, str, str]]) -> None:
    output, first, second = (list(column) for column in zip(*lines, strict=True))
    found = measure(Corpus.of({"x": output}, {"r": first, "s": second}), RougeL(tokenize="none"))
    expected = [printed(references, line) for line, *references in lines]
    assert found.segment_scores[0] == pytest.approx(expected, abs=2.0**-20)
    assert found.scores[0] == pytest.approx(np.mean(expected), abs=2.0**-20)


def test_the_sample_has_rouge_scores_numbers() -> None:
    sample = read_sample()
    (reference,) = ([str(line) for line in lines] for lines in sample.references.values())
    statistics = measure(sample, RougeL(tokenize="none"))
    for system, score in zip(statistics.systems, statistics.scores, strict=True):
        each = [printed([wanted], line) for wanted, line in zip(reference, sample.lines(system), strict=True)]
        assert score == pytest.approx(np.mean(each), abs=1e-5)


SUBSEQUENCES = [
    # Lin (2004), section 3: common subsequences of 3 words (police the gunman) and of 2 (the gunman), of 4 and 4.
    ({}, "police kill the gunman", ["police killed the gunman"], 75),
    ({}, "the gunman kill police", ["police killed the gunman"], 50),
    # 2 in common, P = 2/2, R = 2/4: F = 2·.5/1.5.
    ({}, "a b", ["a x b y"], 66.666667),
    # β = 2: F = 5·PR/(R + 4P) = 5·.5/4.5.
    ({"beta": 2.0}, "a b", ["a x b y"], 55.555556),
    # β = 0: P alone.
    ({"beta": 0.0}, "a b", ["a x b y"], 100),
    # The best of two references, not their union: 2·1/(2 + 2) and 2·2/(2 + 3).
    ({}, "a b", ["b a", "a c b"], 80),
    ({}, "", ["a"], 0),
    ({}, "x", ["a"], 0),
]


@pytest.mark.parametrize(("options", "output", "references", "expected"), SUBSEQUENCES)
def test_scores_by_hand(options: dict[str, float], output: str, references: list[str], expected: float) -> None:
    corpus = Corpus.of({"x": [output]}, {f"r{i}": [line] for i, line in enumerate(references)})
    assert measure(corpus, RougeL(**options)).scores[0] == pytest.approx(expected, abs=1e-5)


def test_a_mean_of_segments_has_the_tests_of_segments() -> None:
    statistics = measure(read_sample(), "rouge-l")
    assert compare(statistics, "wilcoxon")[0].p_value <= 1
    assert interval(statistics, "t").ci_low.shape == statistics.scores.shape


LONG = "a b " * 6


@pytest.mark.parametrize("metric", ["ter", "meteor", "gtm:exponent=2"])
def test_metrics_that_align_refuse_long_segments(metric: str) -> None:
    for corpus, said in (
        (Corpus.of({"x": ["a", LONG]}, {"r": ["a", "b"]}), "x, segment 2: found 12 words; at most 11 are allowed"),
        (Corpus.of({"x": ["a", "b"]}, {"r": [LONG, "b"]}), "r, segment 1: found 12 words; at most 11 are allowed"),
    ):
        with closed(), within(Limits(max_tokens=11)), pytest.raises(NotApplicable, match=said) as raised:
            measure(corpus, metric)
        assert "--max-tokens" in str(raised.value)
        with closed(), within(Limits(max_tokens=12)):
            limited = measure(corpus, metric)
        with closed():
            assert limited.scores.tolist() == measure(corpus, metric).scores.tolist()


@pytest.mark.parametrize("metric", ["wer", "rouge-l"])
def test_metrics_that_look_at_every_pair_of_words_refuse_too_many(metric: str) -> None:
    corpus = Corpus.of({"x": ["a", "a b"], "y": [LONG, "a"]}, {"r": ["a", "b"], "s": ["a b c", None]})
    with closed(), within(Limits(max_word_pairs=35)), pytest.raises(NotApplicable) as raised:
        measure(corpus, metric)
    worded(str(raised.value), "1", "36 pairs", "35")
    assert "--max-word-pairs N" in str(raised.value)
    with closed(), within(Limits(max_word_pairs=36)):
        assert len(measure(corpus, metric).scores) == 2


@pytest.mark.parametrize("metric", ["bleu", "chrf", "gtm", "per", "wer", "rouge-l", "nist"])
def test_metrics_that_count_in_one_pass_take_segments_of_any_length(metric: str) -> None:
    corpus = Corpus.of({"x": ["a b c d e", LONG]}, {"r": ["a b c d e", LONG]})
    with closed(), within(Limits(max_tokens=11)):
        assert len(measure(corpus, metric).scores) == 1


RUNS = [
    ("a b c d", "a b c d", [4]),
    ("a b c d", "c d a b", [2, 2]),
    ("a b c d", "d c b a", [1, 1, 1, 1]),
    # The longest first: b c d; then a, which cannot use the reference's second b.
    ("a b c d", "b c d b a", [3, 1]),
    # "a b a" is taken from the left; then only "a" and "b" of the rest have partners: hypothesis "b a" against "b".
    ("a b a b a", "a b a b", [4]),
    ("a b a b a", "b a a b a", [3, 2]),
    ("a a a", "a a", [2]),
    ("x y", "a b", []),
    ("", "a b", []),
    # c d e first; it cuts the run "a b c" down to "a b".
    ("a b c d e", "c d e a b c", [3, 2]),
]


@pytest.mark.parametrize(("hypothesis", "reference", "expected"), RUNS)
def test_runs_by_hand(hypothesis: str, reference: str, expected: list[int]) -> None:
    assert matched_runs(hypothesis.split(), reference.split()) == expected


BY_HAND_of_gtm = [
    # Equal: M = 4, F = 2·4/(4 + 4).
    ({}, "a b c d", ["a b c d"], 100),
    # Order does not count with e = 1: M = 4.
    ({}, "d c b a", ["a b c d"], 100),
    # It does with e = 2: runs 1 1 1 1, M = √4 = 2: F = 2·2/8.
    ({"exponent": 2}, "d c b a", ["a b c d"], 50),
    # Runs 2 2: M = √8 = 2.828427: F = 2·2.828427/8 = .707107.
    ({"exponent": 2}, "c d a b", ["a b c d"], 70.710678),
    # One word wrong, e = 1: M = 3, F = 6/8.
    ({}, "a b x d", ["a b c d"], 75),
    # The same with e = 2: runs 2 1, M = √5 = 2.236068, F = .559017.
    ({"exponent": 2}, "a b x d", ["a b c d"], 55.901699),
    # With e = 3: M = ∛(8 + 1) = 2.080084, F = .520021.
    ({"exponent": 3}, "a b x d", ["a b c d"], 52.002096),
    # Clipped: one of three a's: M = 1, P = 1/3, R = 1/2, F = 2/5.
    ({}, "a a a", ["a b"], 40),
    ({"part": "precision"}, "a a a", ["a b"], 33.333333),
    ({"part": "recall"}, "a a a", ["a b"], 50),
    # Two references: F = 2·1/(2 + 2) against the first, 2·2/(2 + 3) against the second: the second.
    ({}, "a b", ["a x", "a y b"], 80),
    ({}, "", ["a b"], 0),
    ({}, "a", ["b"], 0),
]


@pytest.mark.parametrize(("options", "output", "references", "expected"), BY_HAND_of_gtm)
def test_scores_by_hand_of_gtm(options: dict[str, object], output: str, references: list[str], expected: float) -> None:
    corpus = Corpus.of({"x": [output]}, {f"r{i}": [line] for i, line in enumerate(references)})
    assert measure(corpus, Gtm(tokenize="none", **options)).scores[0] == pytest.approx(expected, abs=1e-4)


def test_a_test_set_has_the_f_of_its_sums() -> None:
    corpus = Corpus.of({"x": ["a b", "c d x y"]}, {"r": ["a b", "c d"]})
    # M = 2 + 2, H = 2 + 4, R = 2 + 2: F = 8/10, and not the mean of 100 and 66.7.
    assert measure(corpus, "gtm").scores.tolist() == [80]
    # Each segment's size is taken by itself: e = 2 leaves the equal segment its 2 words.
    assert measure(corpus, "gtm:exponent=2").scores.tolist() == [80]


WORDS = st.lists(st.sampled_from("abcd"), max_size=8)


@given(WORDS, WORDS)
@settings(deadline=None)
def test_as_many_words_are_matched_as_can_be(one: list[str], other: list[str]) -> None:
    runs = matched_runs(one, other)
    assert sum(runs) == (Counter(one) & Counter(other)).total()
    assert runs == sorted(runs, reverse=True)


@given(WORDS, WORDS)
@settings(deadline=None)
def test_the_first_run_is_the_longest_common_one(one: list[str], other: list[str]) -> None:
    def parts(words: list[str]) -> set[tuple[str, ...]]:
        return {tuple(words[i:j]) for i, j in combinations(range(len(words) + 1), 2)}

    assert matched_runs(one, other)[:1] == sorted(map(len, parts(one) & parts(other)))[-1:]


def best_size(one: list[str], other: list[str]) -> float:
    """Return the greatest √Σ length² of any matching, by trying all of them."""

    def sizes(i: int, used: frozenset[int], last: int, run: int) -> float:
        if i == len(one):
            return run**2
        found = run**2 + sizes(i + 1, used, -2, 0)
        for j in range(len(other)):
            if j in used or one[i] != other[j]:
                continue
            longer = run + 1 if j == last + 1 else 1
            closed = 0 if j == last + 1 else run**2
            found = max(found, closed + sizes(i + 1, used | {j}, j, longer))
        return found

    return sqrt(sizes(0, frozenset(), -2, 0))


@given(st.lists(st.sampled_from("abc"), max_size=5), st.lists(st.sampled_from("abc"), max_size=5))
@settings(deadline=None, max_examples=50)
def test_greedy_runs_are_near_the_best(one: list[str], other: list[str]) -> None:
    greedy, best = sqrt(sum(run**2 for run in matched_runs(one, other))), best_size(one, other)
    assert 0.8 * best <= greedy <= best + 1e-12


def test_a_large_exponent_counts_the_longest_run_alone() -> None:
    corpus = Corpus.of({"x": ["a b c x d e"]}, {"r": ["a b c d e"]})
    assert measure(corpus, Gtm(exponent=100)).scores[0] == pytest.approx(200 * 3 / 11, abs=1e-4)


def test_longer_runs_never_raise_the_score_of_the_sample() -> None:
    sample = read_sample()
    scores = np.array([measure(sample, Gtm(exponent=e)).scores for e in (1.0, 1.5, 2.0)])
    assert (np.diff(scores, axis=0) < 0).all()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from("abcd"), max_size=14), st.lists(st.sampled_from("abcd"), max_size=14))
def test_runs_stand_where_they_say_and_use_every_word_once(one: list[str], other: list[str]) -> None:
    runs = placed_runs(one, other)
    for run in runs:
        assert one[run.start : run.start + run.length] == other[run.place : run.place + run.length]
    for places in ([(run.start, run.length) for run in runs], [(run.place, run.length) for run in runs]):
        used = [start + offset for start, length in places for offset in range(length)]
        assert len(set(used)) == len(used)


FEW_WORDS = st.lists(st.sampled_from(["the", "cat", "sat"]), max_size=25)


def one_by_one(hypothesis: list[str], reference: list[str]) -> list[int]:
    """Return the lengths of matched runs by looking through all pairs of places for the longest free run, each time."""
    ours, theirs = list[str | None](hypothesis), list[str | None](reference)
    found = []
    while True:
        runs = []
        for i in range(len(ours)):
            for j in range(len(theirs)):
                length = 0
                for own, other in zip(ours[i:], theirs[j:], strict=False):
                    if own is None or own != other:
                        break
                    length += 1
                if length:
                    runs.append((-length, i, j))
        if not runs:
            return found
        length, i, j = min(runs)
        found.append(-length)
        ours[i : i - length] = theirs[j : j - length] = [None] * -length


@given(FEW_WORDS, FEW_WORDS)
@settings(deadline=None, max_examples=50)
def test_runs_are_those_that_are_found_one_by_one(hypothesis: list[str], reference: list[str]) -> None:
    assert matched_runs(hypothesis, reference) == one_by_one(hypothesis, reference)


@pytest.mark.parametrize("other", ["the", "cat"])
def test_runs_hold_pairs_as_bits(other: str) -> None:
    hypothesis, reference = ["the", other] * 1_000, [other, "the"] * 1_000
    tracemalloc.start()
    assert sum(matched_runs(hypothesis, reference)) == 2_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # There are 2,000,000 pairs of equal words or more, each of some 150 bytes if it were an object.
    assert peak < 2**24


def test_runs_of_every_length_are_found_in_the_time_of_few() -> None:
    # Of all texts of so many words, one whose runs have the most different lengths takes the most passes.
    blocks = [["a"] * length + [f"end {length}"] for length in range(1, 60)]
    reference = [word for block in reversed(blocks) for word in [*block[:-1], f"no {block[-1]}"]]
    hypothesis = [word for block in blocks for word in block]
    assert matched_runs(hypothesis, reference) == list(range(59, 0, -1))
    assert seconds(lambda: matched_runs(hypothesis, reference)) < 1.5
