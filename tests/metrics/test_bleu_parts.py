"""BLEU's parts equal sacreBLEU's and mteval's; M-BLEU, which no program computes, equals sums done by hand."""

import json
from math import exp
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from mtsig import Corpus, measure, read_sample, verdict
from mtsig.errors import NotApplicable
from mtsig.inference import compare
from mtsig.metrics import Bleu
from mtsig.metrics._bleu_parts import BrevityPenalty, LengthRatio, MBleu, Precision
from mtsig.report import verdict_text

PARTS = [*(Precision(order=order) for order in (1, 2, 3, 4)), BrevityPenalty(), LengthRatio()]


@pytest.mark.parametrize("cut", [0, 40, 90])
def test_parts_are_what_sacrebleu_prints(cut: int) -> None:
    sample = read_sample()
    references = [list(lines) for lines in sample.references.values()]
    shorter = {name: [line[: len(line) - cut] for line in sample.lines(name)] for name in sample.systems}
    corpus = Corpus.of(shorter, dict(sample.references))
    found = np.array([measure(corpus, part).scores for part in PARTS])
    for row, name in enumerate(corpus.systems):
        printed = BLEU(smooth_method="none").corpus_score(shorter[name], references)
        expected = [*printed.precisions, 100 * printed.bp, 100 * printed.sys_len / printed.ref_len]
        assert found[:, row] == pytest.approx(expected, rel=1e-12)


@given(st.lists(st.integers(0, 30), min_size=10, max_size=10))
@settings(deadline=None)
def test_parts_of_any_totals_are_what_sacrebleu_makes_of_them(totals: list[int]) -> None:
    length, reference, *counts = totals
    matches = [min(matched, total) for matched, total in zip(counts[:4], counts[4:], strict=True)]
    printed = BLEU.compute_bleu(matches, counts[4:], length, reference, smooth_method="none")
    column = np.array([length, reference, *matches, *counts[4:]], dtype=float)
    assert float(BrevityPenalty().score(column)) == pytest.approx(100 * printed.bp)
    assert float(LengthRatio().score(column)) == pytest.approx(100 * printed.ratio if reference else 0.0)
    for order in range(4):
        # sacreBLEU stops at the first order without n-grams; on its own a precision is what its counts say.
        alone = 100 * matches[order] / counts[4 + order] if counts[4 + order] else 0.0
        assert float(Precision(order=order + 1).score(column)) == pytest.approx(alone)


def test_the_parts_multiplied_are_bleu() -> None:
    sample = read_sample()
    *precisions, brevity, _ = (measure(sample, part).scores for part in PARTS)
    together = brevity / 100 * np.prod(precisions, axis=0) ** 0.25
    assert together == pytest.approx(measure(sample, Bleu()).scores)


def test_m_bleu_is_never_below_unsmoothed_bleu() -> None:
    sample = read_sample()
    assert (measure(sample, MBleu()).scores >= measure(sample, Bleu(smooth_method="none")).scores).all()


EXAMPLES = [
    # p = 4/4, 3/3, 2/2, 1/1; as long as the reference.
    (["a b c d"], [["a b c d"]], 4, 100),
    # p = 3/4 (a b d), 1/3 (ab), 0/2, 0/1: (.75 + .333333 + 0 + 0) / 4 = .270833.
    (["a b x d"], [["a b c d"]], 4, 27.083333),
    # p = 3/3, 2/2, and one word too short: BP = exp(1 − 4/3) = .716531.
    (["a b c"], [["a b c d"]], 2, 71.653131),
    # Clipped: one a of four, no bigram of three: (1/4 + 0) / 2. Longer than the reference: BP = 1.
    (["a a a a"], [["a b"]], 2, 12.5),
    # Two references: a, b and c stand in one or the other, ab in the first, bc in the second: p = 3/3, 2/2. Lengths 2
    # and 4 are as close to 3: the shorter counts, BP = 1.
    (["a b c"], [["a b"], ["b c d e"]], 2, 100),
    # Two segments: p1 = (2 + 1)/4, p2 = (1 + 0)/2: (.75 + .5)/2.
    (["a b", "c d"], [["a b", "c x"]], 2, 62.5),
    # Two words have no trigram and no 4-gram: those orders count as 0: (1 + 1 + 0 + 0)/4.
    (["a b"], [["a b"]], 4, 50),
    # p = 5/5, 2/4 (ab, bc), 1/3 (abc): (1 + .5 + .333333)/3 = .611111.
    (["a b c d e"], [["a b c e d"]], 3, 61.111111),
    # Lengths are summed first: 4 words against 6, BP = exp(1 − 6/4) = .606531; p1 = 4/4.
    (["a", "d e f"], [["a b c", "d e f"]], 1, 60.653066),
    # Half as long: BP = exp(1 − 8/4) = .367879; p1 = 3/4, p2 = 2/3 (ab, bc): .367879 · (.75 + .666667)/2 = .260581.
    (["a b c x"], [["a b c d e f g h"]], 2, 26.058127),
    # Nothing at all.
    ([""], [["a"]], 4, 0),
]


@pytest.mark.parametrize(("output", "references", "longest", "expected"), EXAMPLES)
def test_m_bleu_by_hand(output: list[str], references: list[list[str]], longest: int, expected: float) -> None:
    corpus = Corpus.of({"x": output}, {f"r{i}": lines for i, lines in enumerate(references)})
    found = measure(corpus, MBleu(tokenize="none", max_ngram_order=longest))
    assert found.scores[0] == pytest.approx(expected, abs=1e-6)


def test_case_counts_unless_told_otherwise() -> None:
    corpus = Corpus.of({"x": ["A b"]}, {"r": ["a b"]})
    # p1 = 1/2, p2 = 0/1 with case; 2/2 and 1/1 without.
    assert measure(corpus, MBleu(tokenize="none", max_ngram_order=2)).scores[0] == 25
    assert measure(corpus, MBleu(tokenize="none", max_ngram_order=2, lowercase=True)).scores[0] == 100


CASED, LOWERCASED = (14, 9, 5, 3), (15, 10, 5, 3)
"""CB06, Table 1: matches of the orders 1 to 4, of 18, 17, 16 and 15 n-grams (oracles.json, `callison_burch`)."""


@pytest.mark.parametrize(("lowercase", "matches", "bleu"), [(False, CASED, 40.052745), (True, LOWERCASED, 41.837186)])
def test_the_example_of_callison_burch(shared: Path, lowercase: bool, matches: tuple[int, ...], bleu: float) -> None:
    text = json.loads((shared / "oracles.json").read_text(encoding="utf-8"))["callison_burch"]["text"]
    references = {f"r{i}": [line] for i, line in enumerate(text["references"])}
    corpus = Corpus.of({"x": [text["hypothesis"]]}, references)
    options = {"tokenize": "none", "lowercase": lowercase}
    expected = [100 * matched / total for matched, total in zip(matches, (18, 17, 16, 15), strict=True)]
    found = [measure(corpus, Precision(order=order, **options)).scores[0] for order in (1, 2, 3, 4)]
    assert found == pytest.approx(expected)
    assert measure(corpus, BrevityPenalty(**options)).scores[0] == 100
    assert measure(corpus, LengthRatio(**options)).scores[0] == 100
    assert measure(corpus, Bleu(**options)).scores[0] == pytest.approx(bleu, abs=1e-6)
    assert measure(corpus, MBleu(**options)).scores[0] == pytest.approx(sum(expected) / 4)


def test_a_paper_that_draws_items_of_its_references_loses_the_penalty() -> None:
    # CB06 section 3.2, the printed example: 17 words against 18, BP = exp(1 − 18/17) = .942873.
    totals = np.array([17, 18, 15, 10, 5, 3, 17, 16, 15, 14], dtype=float)
    assert float(BrevityPenalty().score(totals)) == pytest.approx(100 * exp(-1 / 17))
    assert float(Bleu().score(totals)) == pytest.approx(42.005083, abs=1e-6)


@pytest.mark.parametrize("name", ["mbleu", "precision", "bp", "ratio"])
def test_nothing_of_sacrebleus_is_printed_under_the_name_of_a_part(name: str) -> None:
    with pytest.raises(NotApplicable, match="sacreBLEU does not compute"):
        compare(measure(read_sample(), name), "sacrebleu-bs")


def test_a_longer_output_is_not_called_better() -> None:
    lines = ["a b c d e f"] * 40
    corpus = Corpus.of({"long": [f"{line} g h" for line in lines], "short": lines}, {"r": lines})
    (one,) = compare(measure(corpus, "ratio"))
    assert one.difference == pytest.approx(100 * 2 / 6)
    assert one.p_value < 0.001
    assert verdict(one).word == "withheld"
    assert "significantly better than" not in verdict_text(one)


def test_a_note_says_what_the_sign_of_a_length_difference_means() -> None:
    notes = [note.text for note in compare(measure(read_sample(), "ratio")).notes]
    assert any("longer" in note for note in notes)


def test_the_kink_of_the_penalty_is_named_for_every_metric_that_has_it() -> None:
    sample = read_sample()
    warned = {
        name: any("changes slope" in note.text for note in compare(measure(sample, name)).notes)
        for name in ("bleu", "mbleu", "bp", "ratio", "precision")
    }
    assert warned == {"bleu": True, "mbleu": True, "bp": True, "ratio": False, "precision": False}
