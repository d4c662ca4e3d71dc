"""Cutting whole texts gives the words that sacreBLEU's tokenizers give line by line."""

import re
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_none import NoneTokenizer
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh
from texts import WORDS

from mtsig.metrics._chrf import _punctuation
from mtsig.text._characters import N_CODES, spaces
from mtsig.text._tokens import Words, kinds_of, split_at_punctuation, tokenized

FAMILY = [Tokenizer13a, TokenizerV14International, TokenizerZh]
EVERY = [*FAMILY, TokenizerChar, NoneTokenizer]

anything = st.lists(
    st.one_of(
        st.text(alphabet=st.characters(exclude_categories=[]), max_size=20),
        st.text(alphabet="ab5.,-'! \t\n\u00a0\x1c\x85\u2028中。٣§", max_size=20),
        st.lists(st.sampled_from([*WORDS, "-\n", "<skipped>", "&amp;lt;", "&am", "p;"]), max_size=6).map("".join),
    ),
    max_size=6,
)


def line_by_line(lines: list[str], tokenizer: Any) -> list[list[str]]:
    return [tokenizer(line.rstrip()).split() for line in lines]


@pytest.mark.parametrize("kind", FAMILY)
def test_the_family_is_known_by_its_expressions(kind: type) -> None:
    assert kinds_of(kind()) is not None


@pytest.mark.parametrize("longest", [4, pytest.param(5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", FAMILY)
def test_every_short_line(kind: type, longest: int) -> None:
    # One of each kind of character, two stops, and a digit that is none of 0-9: all lines of up to so many of them.
    for alphabet in ("5.,-a ", "٣.!5$\u2028", "中。.5 a"):
        lines = ["".join(line) for length in range(longest + 1) for line in product(alphabet, repeat=length)]
        found = tokenized(lines, kind()).lists()
        wrong = [line for line, words in zip(lines, found, strict=True) if words != kind()(line.rstrip()).split()]
        assert wrong == []


@pytest.mark.parametrize("kind", EVERY)
@settings(max_examples=100, deadline=None, derandomize=True)
@given(lines=anything)
def test_any_lines(kind: type, lines: list[str]) -> None:
    assert tokenized(lines, kind()).lists() == line_by_line(lines, kind())


@settings(max_examples=200, deadline=None, derandomize=True)
@given(lines=anything)
def test_words_of_chrf(lines: list[str]) -> None:
    expected = [CHRF()._remove_punctuation(line) for line in lines]
    assert split_at_punctuation(lines, _punctuation()).lists() == expected


# In short: all characters but most ideographs, syllables of Hangul and those of private use, which follow each other in
# thousands of one kind.
ALIKE = range(0x3400, 0xF900)


@pytest.mark.parametrize("step", [61, pytest.param(1, marks=pytest.mark.slow)])
def test_every_character_is_of_the_right_kind(step: int) -> None:
    # A digit on either side tells stops from what is always alone, letters on either side tell both from the rest.
    edges = [*range(0x4DB0, 0x4E10), *range(0x9FE0, 0xAC10), *range(0xD790, 0xE010)]
    codes = {*range(ALIKE.start), *ALIKE[::step], *edges, *range(ALIKE.stop, 0x10000), *range(0x10000, N_CODES, 997)}
    characters = [chr(code) for code in sorted(codes)]
    lines = [f"5{character}5 a{character}a {character}-5" for character in characters]
    for kind in FAMILY:
        assert tokenized(lines, kind()).lists() == line_by_line(lines, kind())


def test_white_space_is_what_split_splits_at() -> None:
    assert np.flatnonzero(spaces()).tolist() == [code for code in range(N_CODES) if chr(code).isspace()]


def test_a_tokenizer_that_changed_is_asked_line_by_line() -> None:
    changed = Tokenizer13a()
    changed._post_tokenizer._re = [(re.compile("(x)"), r" \1 "), *changed._post_tokenizer._re]
    assert kinds_of(changed) is None
    assert tokenized(["axb, c."], changed).words == ["a", "x", "b", ",", "c", "."]
    assert tokenized(["axb, c."], Tokenizer13a()).words == ["axb", ",", "c", "."]


def test_a_tokenizer_of_somebody_else_is_asked_line_by_line() -> None:
    assert tokenized(["a-b c", "", "d"], lambda line: line.replace("-", " ")).lists() == [["a", "b", "c"], [], ["d"]]


def test_words_are_given_back_by_line() -> None:
    assert Words.of([["a", "b"], [], ["c"]]).lists() == [["a", "b"], [], ["c"]]
    assert tokenized([], Tokenizer13a()).lists() == []
