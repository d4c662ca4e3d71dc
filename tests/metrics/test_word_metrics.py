"""WER is jiwer's, ROUGE-L rouge-score's; PER, Lin's example and other weights by hand; long lines are refused."""

from types import SimpleNamespace
from typing import Any

import jiwer
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from mtsig import Corpus, interval, measure, read_sample
from mtsig._cache import closed
from mtsig.errors import NotApplicable
from mtsig.inference import compare
from mtsig.limits import Limits, within
from mtsig.metrics import RougeL, Wer
from mtsig.metrics._word_metrics import Per


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


PROGRAM = RougeScorer(["rougeL"], tokenizer=SimpleNamespace(tokenize=str.split))


def printed(references: list[str], output: str) -> float:
    return 100 * float(PROGRAM.score_multi(references, output)["rougeL"].fmeasure)


SENTENCE = st.lists(st.sampled_from("abcde"), min_size=1, max_size=9).map(" ".join)


@given(st.lists(st.tuples(SENTENCE, SENTENCE, SENTENCE), min_size=1, max_size=4))
@settings(deadline=None, max_examples=100)
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
        (Corpus.of({"x": ["a", LONG]}, {"r": ["a", "b"]}), "x, segment 2: found 12 words; at most 11 are taken"),
        (Corpus.of({"x": ["a", "b"]}, {"r": [LONG, "b"]}), "r, segment 1: found 12 words; at most 11 are taken"),
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
    assert "y, segment 1: found 36 pairs of words; at most 35 are taken" in str(raised.value)
    assert "--max-word-pairs N" in str(raised.value)
    with closed(), within(Limits(max_word_pairs=36)):
        assert len(measure(corpus, metric).scores) == 2


@pytest.mark.parametrize("metric", ["bleu", "chrf", "gtm", "per", "wer", "rouge-l", "nist"])
def test_metrics_that_count_in_one_pass_take_segments_of_any_length(metric: str) -> None:
    corpus = Corpus.of({"x": ["a b c d e", LONG]}, {"r": ["a b c d e", LONG]})
    with closed(), within(Limits(max_tokens=11)):
        assert len(measure(corpus, metric).scores) == 1
