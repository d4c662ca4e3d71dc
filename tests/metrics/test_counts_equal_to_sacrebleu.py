"""Counts are sacreBLEU's, statistic by statistic and segment by segment, on texts drawn at random."""

from typing import Any

import pytest
from hypothesis import given, settings
from sacrebleus_counts import agree
from texts import bleu_options, chrf_options, corpora, ter_options

from mtsig import Corpus, metric
from mtsig.metrics import Bleu, Chrf, Ter
from mtsig.text import _tokens as chunks

thorough = settings(max_examples=60, deadline=None, derandomize=True)


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
@settings(max_examples=40, deadline=None, derandomize=True)
@given(corpus=corpora())
def test_a_block_for_every_segment(name: str, corpus: Corpus) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(chunks, "MOST_CHARACTERS", 1)
        agree(metric(name), corpus)
