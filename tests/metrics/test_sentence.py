"""Means of sentence scores are means of what sacreBLEU gives each sentence."""

import numpy as np
import pytest
from sacrebleu.metrics import TER

from mtsig import measure, read_sample
from mtsig.inference import compare


def test_sentence_ter_is_the_mean_of_sacrebleus_sentences() -> None:
    sample = read_sample().take(range(40))
    (reference,) = ([str(line) for line in lines] for lines in sample.references.values())
    statistics = measure(sample, "sentter")
    assert not statistics.metric.higher_is_better
    program = TER()
    for system, found in zip(statistics.systems, statistics.segment_scores, strict=True):
        lines = zip(sample.lines(system), reference, strict=True)
        each = [program.sentence_score(line, [wanted]).score for line, wanted in lines]
        assert found == pytest.approx(each, abs=2.0**-20)
    np.testing.assert_allclose(statistics.scores, statistics.segment_scores.mean(axis=1), atol=1e-6)
    assert compare(statistics, "t")[0].p_value <= 1
