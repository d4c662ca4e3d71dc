"""ROUGE-L is rouge-score's on the same words; Lin's own example and other weights of recall are done by hand."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from mtsig import Corpus, interval, measure, read_sample
from mtsig.inference import compare
from mtsig.metrics import RougeL

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
    assert interval(statistics, "t").low.shape == statistics.scores.shape
