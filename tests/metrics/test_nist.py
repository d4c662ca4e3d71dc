"""NIST by hand where mteval's own numbers (tests/golden/test_nist.py) do not reach, and under resampling."""

import numpy as np
import pytest

from mtsig import Corpus, measure, read_sample
from mtsig.inference import compare
from mtsig.metrics import Nist
from mtsig.metrics._nist import mteval_words
from mtsig.resampling import Bootstrap, resample

EXAMPLES = [
    # Of 4 words a is 2, b and c 1: 1, 2 and 2 bits; ab and ac are one of two a's: 1 bit; all else follows: 0 bits.
    # (1 + 2 + 1 + 2)/4 + (1 + 0 + 1)/3 = 1.5 + .666667.
    ("a b a c", ["a b a c"], 2.166667),
    # (1 + 2)/2 + 1/1 = 2.5, and half as long: ln .5 / ln 1.5 = −1.709511, exp(−ln 2 · 2.922428) = .131905.
    ("a b", ["a b a c"], 0.329763),
    # Longer costs nothing beyond the unmatched n-grams: (1 + 2 + 1 + 2)/5 + 2/4 = 1.2 + .5.
    ("a b a c x", ["a b a c"], 1.7),
    # Clipped: the second b is no match: (1 + 2)/3 (a, b) + 1/2 (ab, not bb) = 1.5, and 3 words of 4:
    # ln .75 / ln 1.5 = −.709511, exp(−ln 2 · .503406) = .705440.
    ("a b b", ["a b a c"], 1.058160),
    # Two references, 6 words: a 3, b 2, c 1: 1, 1.584963, 2.584963 bits; ab 2 of 3 a's: .584963; ac: 1.584963.
    # (1 + 1.584963)/2 + .584963/1, and the references have 3 words on average: two thirds, which halves it.
    ("a b", ["a b", "a b a c"], 0.938722),
    # The word 0 before a word counts as every word does: 0x is 1 of 4, 2 bits, not 1 of the two 0s.
    # (1 + 2 + 1 + 2)/4 + (2 + 0 + 2)/3 = 1.5 + 1.333333 (x0: all x's are followed by 0).
    ("0 x 0 y", ["0 x 0 y"], 2.833333),
    # Nothing matches; nothing is there.
    ("z z", ["a b a c"], 0.0),
    ("", ["a b a c"], 0.0),
]


@pytest.mark.parametrize(("output", "references", "expected"), EXAMPLES)
def test_nist_by_hand(output: str, references: list[str], expected: float) -> None:
    corpus = Corpus.of({"x": [output]}, {f"r{i}": [line] for i, line in enumerate(references)})
    assert measure(corpus, "nist").scores[0] == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize(
    ("line", "options", "words"),
    [
        ("A &quot;b&quot; &amp; c's", {}, "A & quot ; b & quot ; & amp ; c's"),
        ("ÄB 1.5, 2-3.", {"lowercase": True}, "Äb 1.5 , 2 - 3 ."),
        # Punctuation after a digit is cut off when something else than a digit follows; the end of a line is nothing.
        ("ÄB 1.5, 2-3.", {"lowercase": True, "international": True}, "äb 1.5 , 2-3."),
        ("«wie» 3€", {"international": True}, "« wie » 3 €"),
        ("«wie» 3€", {}, "«wie» 3€"),
        ("a\u00a0b\u2028c\x1cd", {}, "a b c\x1cd"),
    ],
)
def test_words_by_hand(line: str, options: dict[str, bool], words: str) -> None:
    assert mteval_words(line, **options) == words.split(" ")


def test_two_thirds_of_the_length_cost_half() -> None:
    totals = np.array([6.0, 2, 0, 0, 0, 4, 3, 2, 1, 0, 4])
    shorter = totals.copy()
    shorter[-1] = 6
    assert float(Nist().score(shorter)) == pytest.approx(float(Nist().score(totals)) / 2)


def test_there_is_no_kink_at_equal_lengths() -> None:
    totals = np.array([6.0, 2, 0, 0, 0, 4, 3, 2, 1, 0, 4])
    near = np.stack([totals, totals, totals], axis=-1)
    near[-1] += [-1e-6, 0, 1e-6]
    slopes = Nist().gradient(near)
    np.testing.assert_allclose(slopes[:, 0], slopes[:, 2], atol=1e-5)


def test_an_output_no_reference_of_some_segments_is_measured_on_the_others() -> None:
    corpus = Corpus.of({"x": ["a b", "a b"]}, {"r": ["a b", "a c"], "s": ["a b a c", ""]})
    values = measure(corpus, "nist").values
    assert values[-1, 0].tolist() == [3, 2]


def test_information_stays_that_of_the_whole_test_set() -> None:
    sample = read_sample()
    statistics = measure(sample, "nist")
    mean = resample(statistics, Bootstrap(2000, 5, "segment")).draws.mean(axis=1)
    # With weights counted anew a resample scores about .3 less: its doubled sentences look less informative.
    np.testing.assert_allclose(mean, statistics.scores, atol=0.05)
    assert measure(sample.take(range(100)), "nist").scores.max() < statistics.scores.max() - 0.2
    notes = " ".join(note.text for note in compare(statistics).notes)
    assert "too narrow" in notes
    assert "grows" in notes


def test_case_and_tokenizer_show_in_the_signature() -> None:
    sample = read_sample()
    plain, other = measure(sample, "nist"), measure(sample, "nist:lowercase=true,tokenize=intl")
    assert "case:mixed|tok:mteval-v13a|" in plain.signature
    assert "case:lc|tok:mteval-v13a-intl|" in other.signature
    assert (plain.scores != other.scores).all()
