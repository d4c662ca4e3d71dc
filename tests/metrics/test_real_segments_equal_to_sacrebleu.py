"""Counts are sacreBLEU's on every segment of three real sets: into English, German and Chinese, with all options.

sacreBLEU takes minutes to hours for all systems and options of these sets. The short tests look at every fourth segment
(chrF's options and TER at fewer), and only in one system's words each: a patchwork of the systems. The slow ones look
at all of it.
"""

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from sacrebleus_counts import agree

from mtsig import Corpus, read
from mtsig.metrics import Bleu, Chrf, Ter

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


@pytest.fixture(scope="module", params=REAL_SETS)
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


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
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


@pytest.mark.parametrize("options", CHARACTERS[4::7], ids=str)
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
