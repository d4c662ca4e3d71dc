"""Counts are sacreBLEU's, statistic by statistic and segment by segment: on texts drawn at random and on real ones."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from texts import bleu_options, chrf_options, corpora, ter_options

from mtsig import Bleu, Chrf, Corpus, Metric, Ter, metric, read
from mtsig.text import blocks

steady = settings(max_examples=300, deadline=None, derandomize=True)

REAL_SETS = ["wmt21-ru-en", "wmt21-en-de", "wmt22-en-zh"]


def sacrebleus(one: Any, corpus: Corpus) -> np.ndarray:
    """Return what sacreBLEU's own object counts; shape (k, s, n)."""
    scorer = one.scorer(references=[list(lines) for lines in corpus.references.values()])
    rows = [scorer._extract_corpus_statistics(list(corpus.lines(name)), None) for name in corpus.systems]
    return np.moveaxis(np.array(rows), 2, 0)


def agree(one: Metric, corpus: Corpus) -> None:
    np.testing.assert_array_equal(one.count(corpus), sacrebleus(one, corpus))


@steady
@given(corpora(), bleu_options)
def test_bleu(corpus: Corpus, options: dict[str, Any]) -> None:
    agree(Bleu(**options), corpus)


@steady
@given(corpora(), chrf_options)
def test_chrf(corpus: Corpus, options: dict[str, Any]) -> None:
    agree(Chrf(**options), corpus)


@steady
@given(corpora(), ter_options)
def test_ter(corpus: Corpus, options: dict[str, Any]) -> None:
    agree(Ter(**options), corpus)


@pytest.mark.parametrize("name", ["bleu", "chrf++", "ter"])
@settings(max_examples=60, deadline=None, derandomize=True)
@given(corpus=corpora())
def test_a_block_for_every_segment(name: str, corpus: Corpus) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(blocks, "MOST_CHARACTERS", 1)
        agree(metric(name), corpus)


@pytest.fixture(scope="module", params=REAL_SETS)
def real(request: pytest.FixtureRequest, shared: Path) -> Corpus:
    corpus = read(shared / "data" / request.param).with_text()
    # Every third segment lacks the second reference: what real sets with extra references look like.
    references = [list(lines) for lines in corpus.references.values()]
    references[1][::3] = [None] * len(references[1][::3])
    return Corpus.of(
        {name: corpus.lines(name) for name in corpus.systems}, dict(zip(corpus.references, references, strict=True))
    )


def one_reference(corpus: Corpus) -> Corpus:
    return corpus.select(references=list(corpus.references)[:1])


def some_systems(corpus: Corpus, every: int = 4) -> Corpus:
    return corpus.select(systems=list(corpus.systems)[::every])


def language(corpus: Corpus) -> str:
    return "zh" if "\u7684" in "".join(corpus.lines(next(iter(corpus.systems)))) else ""


def test_bleu_of_real_systems(real: Corpus) -> None:
    agree(Bleu(trg_lang=language(real)), one_reference(real))
    agree(Bleu(trg_lang=language(real)), some_systems(real))


@pytest.mark.parametrize("options", [{"tokenize": "intl"}, {"tokenize": "zh", "lowercase": True}, {"tokenize": "char"}],
                         ids=str)  # fmt: skip
def test_bleu_of_real_systems_with_other_words(real: Corpus, options: dict[str, Any]) -> None:
    agree(Bleu(**options), some_systems(real))


def test_chrf_of_real_systems(real: Corpus) -> None:
    agree(Chrf(), some_systems(real))
    agree(Chrf(word_order=2), some_systems(one_reference(real), every=2))
    agree(Chrf(word_order=2, lowercase=True), some_systems(real, every=8))


def test_ter_of_real_systems(real: Corpus) -> None:
    # sacreBLEU takes a minute for all of it.
    some = some_systems(real).take(range(0, len(real), 25))
    agree(Ter(), one_reference(some))
    agree(Ter(normalized=True, asian_support=True), some_systems(some.take(range(0, len(some), 3)), every=2))
