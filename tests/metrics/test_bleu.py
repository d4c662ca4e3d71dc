"""BLEU, chrF and TER are sacreBLEU's: scores to 1e-9, and counts of every segment, on texts drawn and on real ones.

sacreBLEU takes minutes to hours for all systems and options of the real sets. The short tests look at every fourth
segment (chrF's options and TER at fewer), and only in one system's words each: a patchwork of the systems. The slow
ones look at all of it.

BLEU's parts equal sacreBLEU's and mteval's; M-BLEU, which no program computes, equals sums done by hand.
"""

import importlib
import json
import sys
from collections.abc import Sequence
from itertools import product
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kept import worded
from sacrebleu.metrics import BLEU, CHRF
from sacrebleus_counts import agree
from sampled import sampled, slow
from texts import bleu_options, chrf_options, corpora, ter_options

from mtsig import Corpus, measure, metric, read, read_sample, verdict
from mtsig.errors import NotApplicable
from mtsig.inference import compare
from mtsig.metrics import Bleu, Chrf, SentenceBleu, Ter
from mtsig.metrics._bleu import BrevityPenalty, LengthRatio, MBleu, Precision
from mtsig.report import verdict_text
from mtsig.text import _tokens as chunks


def streams(corpus: Corpus) -> list[list[str | None]]:
    return [list(lines) for lines in corpus.references.values()]


def references_of(corpus: Corpus, i: int) -> list[str]:
    return [lines[i] for lines in corpus.references.values() if lines[i] is not None]


def near(found: Sequence[float], expected: Sequence[float]) -> None:
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=0, atol=1e-9)


# The same examples in every run: a red build is then about the change that it tests.
# Counts alone are held against sacreBLEU's on more examples, below.
steady = settings(max_examples=22, deadline=None, derandomize=True)


@steady
@given(corpora(), bleu_options)
def test_corpus_bleu(corpus: Corpus, options: dict[str, Any]) -> None:
    sacre = BLEU(**options, force=True)
    expected = [sacre.corpus_score(list(corpus.lines(name)), streams(corpus)).score for name in corpus.systems]
    near(measure(corpus, Bleu(**options)).scores, expected)


@steady
@given(corpora(), chrf_options)
def test_corpus_chrf(corpus: Corpus, options: dict[str, Any]) -> None:
    sacre = CHRF(**options)
    expected = [sacre.corpus_score(list(corpus.lines(name)), streams(corpus)).score for name in corpus.systems]
    near(measure(corpus, Chrf(**options)).scores, expected)


@steady
@given(corpora(), bleu_options)
def test_sentence_bleu_has_effective_order(corpus: Corpus, options: dict[str, Any]) -> None:
    sacre = BLEU(**{**options, "effective_order": True}, force=True)
    found = measure(corpus, Bleu(**options)).segment_scores
    for row, name in zip(found, corpus.systems, strict=True):
        lines = corpus.lines(name)
        near(row, [sacre.sentence_score(line, references_of(corpus, i)).score for i, line in enumerate(lines)])


@steady
@given(corpora(), chrf_options)
def test_sentence_chrf(corpus: Corpus, options: dict[str, Any]) -> None:
    sacre = CHRF(**options)
    found = measure(corpus, Chrf(**options)).segment_scores
    for row, name in zip(found, corpus.systems, strict=True):
        lines = corpus.lines(name)
        near(row, [sacre.sentence_score(line, references_of(corpus, i)).score for i, line in enumerate(lines)])


@settings(max_examples=20, deadline=None, derandomize=True)
@given(corpora(), bleu_options)
def test_the_signature_of_bleu_begins_with_sacrebleus(corpus: Corpus, options: dict[str, Any]) -> None:
    sacre = BLEU(**options, force=True)
    sacre.corpus_score(list(corpus.lines(next(iter(corpus.systems)))), streams(corpus))
    assert measure(corpus, Bleu(**options)).signature.startswith(sacre.get_signature().format() + "|")


@settings(max_examples=20, deadline=None, derandomize=True)
@given(corpora(), chrf_options)
def test_the_signature_of_chrf_begins_with_sacrebleus(corpus: Corpus, options: dict[str, Any]) -> None:
    sacre = CHRF(**options)
    score = sacre.corpus_score(list(corpus.lines(next(iter(corpus.systems)))), streams(corpus))
    statistics = measure(corpus, Chrf(**options))
    assert statistics.signature.startswith(sacre.get_signature().format() + "|")
    assert statistics.metric.name == score.name


def test_a_segment_counted_in_two_chunks_is_counted_once() -> None:
    # Counting goes in chunks, and translations that systems share are counted once; neither may show.
    n = 450
    reference = [f"word{i} is the word number {i} of all" for i in range(n)]
    first = [line.replace("the", "a") if i % 3 else line for i, line in enumerate(reference)]
    second = [line if i % 2 else line.replace("number", "no") for i, line in enumerate(first)]
    corpus = Corpus.of({"first": first, "second": second, "twin": first}, {"ref": reference})
    expected = [BLEU().corpus_score(lines, [reference]).score for lines in (first, second, first)]
    near(measure(corpus, "bleu").scores, expected)


def test_the_same_translation_on_another_segment_is_another_count() -> None:
    corpus = Corpus.of({"a": ["the cat sat here", "the cat sat here"]}, {"r": ["the cat sat here", "no dogs at all"]})
    assert measure(corpus, "bleu").segment_scores[0].tolist() == pytest.approx([100.0, 0.0])


JAPANESE = ("ja", "ja-mecab", ["私は猫が好きです。", "", "明日は雨が降るでしょう"],
            ["私は犬が好きです。", "はい。", "明日は大雨が降るでしょう。"])  # fmt: skip


KOREAN = ("ko", "ko-mecab", ["나는 고양이를 좋아합니다.", "", "내일은 비가 올 것이다"],
          ["나는 개를 좋아합니다.", "네.", "내일은 큰비가 올 것이다."])  # fmt: skip


@pytest.mark.parametrize(("language", "tokenizer", "output", "reference"), [JAPANESE, KOREAN])
def test_languages_without_spaces_are_cut_by_their_dictionaries(
    language: str, tokenizer: str, output: list[str], reference: list[str]
) -> None:
    corpus = Corpus.of({"a": output}, {"r": reference})
    expected = BLEU(tokenize=tokenizer).corpus_score(output, [reference])
    assert expected.counts[1] > 0
    for one in (Bleu(tokenize=tokenizer), Bleu(trg_lang=language)):
        found = measure(corpus, one)
        near(found.scores, [expected.score])
        assert found.values[2:, 0].sum(axis=-1).tolist() == [*expected.counts, *expected.totals]
        assert f"tok:{tokenizer}" in found.signature
    # Line by line it is another text to the tokenizer than as a whole, and must not be one.
    near(
        measure(corpus, Bleu(tokenize=tokenizer)).segment_scores[0],
        [
            BLEU(tokenize=tokenizer, effective_order=True).sentence_score(one, [other]).score
            for one, other in zip(output, reference, strict=True)
        ],
    )


@pytest.mark.parametrize(
    ("tokenizer", "module", "message"),
    [
        ("ja-mecab", "tokenizer_ja_mecab", "install mtsig with its extra ja"),
        ("ko-mecab", "tokenizer_ko_mecab", "install mtsig with its extra ko"),
    ],
)
def test_a_tokenizer_that_is_not_installed_says_what_to_do(
    tokenizer: str, module: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if the package were not installed: that is how sacreBLEU remembers it.
    monkeypatch.setattr(importlib.import_module(f"sacrebleu.tokenizers.{module}"), "MeCab", None)
    with pytest.raises(NotApplicable) as caught:
        measure(Corpus.of({"a": ["猫が好き"]}, {"r": ["猫が好き"]}), Bleu(tokenize=tokenizer))
    assert tokenizer in str(caught.value)
    assert message in str(caught.value)
    assert "chrF" in str(caught.value)  # a metric that needs none
    assert "\n" not in str(caught.value)


def test_a_tokenizer_whose_library_is_missing_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencepiece", None)  # importing it now fails
    with pytest.raises(NotApplicable, match="sentencepiece"):
        measure(Corpus.of({"a": ["x"]}, {"r": ["x"]}), Bleu(tokenize="flores101"))


def test_the_target_language_chooses_the_tokenizer() -> None:
    corpus = Corpus.of({"a": ["我喜欢猫和狗"]}, {"r": ["我喜欢猫和鸟"]})
    signature = measure(corpus, "bleu:trg_lang=zh").signature
    assert "tok:zh" in signature
    assert measure(corpus, Bleu(tokenize=None)).signature.split("|")[3] == "tok:13a"  # as sacreBLEU's own default


def test_the_tokenizer_called_none_can_be_asked_for_by_name() -> None:
    corpus = Corpus.of({"a": ["a cat, here"]}, {"r": ["a cat , here"]})
    assert "tok:none" in measure(corpus, "bleu:tokenize=none").signature


MISSING = Corpus.of(
    {"a": ["the cat sat on the mat", "a dog barked at night", "rain fell all day"]},
    {"r1": ["the cat sat on a mat", "", ""], "r2": ["a cat sat on the mat", "the dog barked all night", ""]},
)


@pytest.mark.parametrize("name", ["bleu", "chrf", "chrf++"])
def test_segments_without_any_reference_are_left_out_and_counted(name: str) -> None:
    found = measure(MISSING, name)
    without = measure(MISSING.take([0, 1]), name)
    assert found.n == 2
    assert found.scores.tolist() == without.scores.tolist()
    worded((note.text for note in found.notes if note.level == "warning"), "1 of 3")


def test_the_digest_of_the_statistics_is_that_of_the_whole_corpus() -> None:
    assert measure(MISSING, "bleu").digest == MISSING.digest


def test_documents_follow_the_segments_that_are_left() -> None:
    corpus = Corpus.of(
        {"a": ["x", "y", "z", "w"]},
        {"r1": ["x", "", "z", "w"], "r2": ["x", "", "", "w"]},
        documents=["d1", "d2", "d3", "d1"],
    )
    statistics = measure(corpus, "chrf")
    assert statistics.document_of is not None
    assert statistics.document_of.tolist() == [0, 1, 0]
    assert statistics.n_documents == 2


def test_a_missing_reference_changes_the_number_in_the_signature() -> None:
    assert "nrefs:var" in measure(MISSING, "bleu").signature
    assert "nrefs:2" in measure(MISSING.take([0]), "bleu").signature


def test_an_empty_line_of_the_only_reference_is_an_empty_reference() -> None:
    corpus = Corpus.of({"a": ["the cat sat", "dogs"]}, {"r": ["the cat sat", ""]})
    statistics = measure(corpus, "bleu:effective_order=true")
    assert statistics.n == 2
    assert statistics.sums[1].tolist() == [3.0]
    near(
        statistics.scores,
        [BLEU(effective_order=True).corpus_score(["the cat sat", "dogs"], [["the cat sat", ""]]).score],
    )


@pytest.mark.parametrize("name", ["bleu", "chrf"])
def test_without_references_the_message_says_how_to_give_one(name: str) -> None:
    with pytest.raises(NotApplicable, match=r"needs a reference.*ref\.txt"):
        measure(Corpus.of({"a": ["x"]}), name)


def test_text_that_looks_tokenized_is_warned_of_and_can_be_meant() -> None:
    lines = [f"sentence number {i} ends here ." for i in range(120)]
    reference = [f"so {line}" for line in lines]
    corpus = Corpus.of({"tokenized": lines, "plain": [line.replace(" .", ".") for line in lines]}, {"ref": reference})
    (note,) = measure(corpus, "bleu").notes
    assert note.level == "warning"
    assert "tokenized (120 lines)" in note.text
    assert "plain" not in note.text.partition(":")[2].partition("BLEU")[0]
    assert measure(corpus, "bleu:force=true").notes == ()
    assert measure(corpus, "chrf").notes == ()


ZH = Corpus.of({"a": ["我喜欢猫和狗。"], "b": ["我喜欢"]}, {"r": ["我喜欢猫和鸟。"]})


@pytest.mark.parametrize(("effective", "said"), [(True, "|eff:yes|"), (False, "|eff:no|")])
@pytest.mark.filterwarnings("ignore:It is recommended")
def test_sentence_bleu_does_what_its_signature_says(effective: bool, said: str) -> None:
    statistics = measure(ZH, SentenceBleu(tokenize="zh", effective_order=effective))
    assert said in statistics.signature
    expected = [BLEU(tokenize="zh", effective_order=effective).sentence_score(line, ["我喜欢猫和鸟。"]).score
                for (line,) in ZH.outputs.values()]  # fmt: skip
    near(statistics.scores, expected)


thorough = settings(max_examples=30, deadline=None, derandomize=True)


@thorough
@given(corpora(), bleu_options)
def test_bleu(corpus: Corpus, options: dict[str, Any]) -> None:
    agree(Bleu(**options), corpus)


@thorough
@given(corpora(), chrf_options)
def test_chrf(corpus: Corpus, options: dict[str, Any]) -> None:
    agree(Chrf(**options), corpus)


@thorough
@given(corpora(), ter_options)
def test_ter(corpus: Corpus, options: dict[str, Any]) -> None:
    agree(Ter(**options), corpus)


@pytest.mark.parametrize("name", ["bleu:tokenize=13a", "chrf++", "ter"])
@settings(max_examples=20, deadline=None, derandomize=True)
@given(corpus=corpora())
def test_a_block_for_every_segment(name: str, corpus: Corpus) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(chunks, "MOST_CHARACTERS", 1)
        agree(metric(name), corpus)


REAL_SETS = ["wmt21-ru-en", "wmt21-en-de", "wmt22-en-zh"]


TOKENIZERS = ["13a", "intl", "zh", "char", "none"]


WORDS = [{"tokenize": tokenizer, "lowercase": lowercase} for tokenizer, lowercase in product(TOKENIZERS, [False, True])]


CHARACTERS = [
    dict(zip(("char_order", "word_order", "lowercase", "whitespace", "eps_smoothing"), values, strict=True))
    for values in product([1, 6], [0, 2], [False, True], [False, True], [False, True])
]


EDITS = [
    dict(zip(("normalized", "no_punct", "asian_support", "case_sensitive"), values, strict=True))
    for values in product([False, True], repeat=4)
]


@pytest.fixture(scope="module", params=[*REAL_SETS[1:], *slow(REAL_SETS[0])])
def real(request: pytest.FixtureRequest, shared: Path) -> Corpus:
    corpus = read(shared / "data" / request.param).with_text()
    # Every third segment lacks the second reference: what real sets with extra references look like.
    references = [list(lines) for lines in corpus.references.values()][:2]
    references[1][::3] = [None] * len(references[1][::3])
    return Corpus.of(
        {name: corpus.lines(name) for name in corpus.systems}, dict(zip(corpus.references, references, strict=False))
    )


def one_reference(corpus: Corpus) -> Corpus:
    return corpus.select(references=list(corpus.references)[:1])


def patchwork(corpus: Corpus) -> Corpus:
    """Return all segments, each in the words of another system than its neighbours'."""
    lines = [corpus.lines(name) for name in corpus.systems]
    return Corpus.of({"patchwork": [lines[i % len(lines)][i] for i in range(len(corpus))]}, dict(corpus.references))


def some(corpus: Corpus, step: int) -> Corpus:
    """Return so few segments of the patchwork that sacreBLEU counts them in tenths of a second.

    A step that is no multiple of three leaves segments with both references and with one.
    """
    return patchwork(corpus).take(range(0, len(corpus), step))


def language(corpus: Corpus) -> str:
    return "zh" if "\u7684" in "".join(corpus.lines(next(iter(corpus.systems)))) else ""


@sampled("tokenizer", TOKENIZERS, most=3)
def test_bleu_with_other_words(real: Corpus, tokenizer: str) -> None:
    # Small letters in every other place of this table of sets and tokenizers.
    lowercase = (len(real) + TOKENIZERS.index(tokenizer)) % 2 == 0
    agree(Bleu(tokenize=tokenizer, lowercase=lowercase), some(real, 4))


@pytest.mark.parametrize("order", [4, 10])
def test_bleu_by_language(real: Corpus, order: int) -> None:
    agree(Bleu(trg_lang=language(real), max_ngram_order=order), one_reference(some(real, 4)))


def test_chrf_with_words(real: Corpus) -> None:
    # The characters of chrF and the words that chrF++ has besides.
    agree(Chrf(word_order=2), one_reference(some(real, 4)))


@sampled("options", CHARACTERS[4::7], most=6, ids=str)
def test_chrf_with_other_options(real: Corpus, options: dict[str, Any]) -> None:
    agree(Chrf(**options), some(real, 8))


def test_ter_by_language(real: Corpus) -> None:
    # sacreBLEU takes five seconds for all segments of one system: some of them, and all in the slow version.
    agree(Ter(), one_reference(some(real, 16)))


def test_ter_with_other_words(real: Corpus) -> None:
    # sacreBLEU takes most of a minute for all segments of the Chinese set in characters.
    few = some(real, 47)
    agree(Ter(normalized=True, asian_support=True), one_reference(few))
    agree(Ter(no_punct=True, case_sensitive=True), few)


@pytest.mark.slow
def test_bleu_of_all_systems(real: Corpus) -> None:
    agree(Bleu(trg_lang=language(real)), one_reference(real))


@pytest.mark.slow
@pytest.mark.parametrize("order", [1, 2, 6, 10])
def test_bleu_with_other_orders(real: Corpus, order: int) -> None:
    agree(Bleu(trg_lang=language(real), max_ngram_order=order), patchwork(real))


@pytest.mark.slow
def test_chrf_with_words_of_all_systems(real: Corpus) -> None:
    agree(Chrf(word_order=2), one_reference(real))


@pytest.mark.slow
def test_bleu_of_all_systems_with_all_references(real: Corpus) -> None:
    for options in WORDS:
        agree(Bleu(**options), real)


@pytest.mark.slow
@pytest.mark.parametrize("options", CHARACTERS, ids=str)
def test_chrf_with_all_options(real: Corpus, options: dict[str, Any]) -> None:
    agree(Chrf(**options), patchwork(real))
    agree(Chrf(**options, beta=3), one_reference(patchwork(real)))


@pytest.mark.slow
@pytest.mark.parametrize("options", EDITS, ids=str)
def test_ter_with_all_options(real: Corpus, options: dict[str, Any]) -> None:
    agree(Ter(**options), patchwork(real))


@pytest.mark.slow
def test_ter_of_all_systems(real: Corpus) -> None:
    agree(Ter(), one_reference(real))


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
        name: any("slope of the brevity penalty changes" in note.text for note in compare(measure(sample, name)).notes)
        for name in ("bleu", "mbleu", "bp", "ratio", "precision")
    }
    assert warned == {"bleu": True, "mbleu": True, "bp": True, "ratio": False, "precision": False}
