"""WER is jiwer's; PER, which no program at hand computes, equals edits counted by hand."""

from typing import Any

import jiwer
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig import Corpus, measure, read_sample
from mtsig.metrics import Per, Wer


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
