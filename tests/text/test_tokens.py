"""Cutting whole texts gives the words that sacreBLEU's tokenizers give line by line.

Matches of n-grams against counting them one by one.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, product
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

from mtsig._records import distinct
from mtsig.metrics._chrf import _punctuation
from mtsig.text import _tokens as chunks_of_text
from mtsig.text._characters import N_CODES, spaces
from mtsig.text._tokens import Rows, Words, chunks, kinds_of, matches, split_at_punctuation, tokenized

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
@settings(max_examples=50, deadline=None, derandomize=True)
@given(lines=anything)
def test_any_lines(kind: type, lines: list[str]) -> None:
    assert tokenized(lines, kind()).lists() == line_by_line(lines, kind())


@settings(max_examples=100, deadline=None, derandomize=True)
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


Sequences = Sequence[tuple[int, Sequence[int]]]
"""(segment, symbols) of each row."""


def rows(sequences: Sequences) -> Rows:
    symbols = [symbol for _, sequence in sequences for symbol in (*sequence, 0)]
    lengths = [len(sequence) for _, sequence in sequences]
    segments = [segment for segment, _ in sequences]
    return Rows(*(np.array(column, dtype=np.intp) for column in (symbols, lengths, segments)))


def counted(sequence: Sequence[int], n: int) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sequence[i : i + n]) for i in range(len(sequence) - n + 1))


def one_by_one(hypotheses: Sequences, streams: Sequence[Sequences], order: int, together: bool) -> np.ndarray:
    given_ = [dict(stream) for stream in streams]
    found = np.zeros((order, len(streams), len(hypotheses)), dtype=int)
    union = np.zeros((order, 1, len(hypotheses)), dtype=int)
    for row, (segment, sequence) in enumerate(hypotheses):
        for n in range(1, order + 1):
            ours = counted(sequence, n)
            theirs = [counted(stream.get(segment, []), n) for stream in given_]
            found[n - 1, :, row] = [(ours & their).total() for their in theirs]
            most: Counter[tuple[int, ...]] = Counter()
            for their in theirs:
                most |= their
            union[n - 1, 0, row] = (ours & most).total()
    return union if together else found


@st.composite
def problems(draw: st.DrawFn) -> tuple[Sequences, list[Sequences], int]:
    """Draw hypotheses and streams of references over a few segments; symbols 4 and 5 stand in no reference."""
    n_segments = draw(st.integers(1, 4))
    segments = st.integers(0, n_segments - 1)
    drawn = st.lists(st.tuples(segments, st.lists(st.sampled_from([0, 1, 1, 2, 3]), max_size=9)), max_size=8)
    hypotheses = sorted(draw(drawn), key=lambda row: row[0])
    streams = []
    for _ in range(draw(st.integers(1, 3))):
        having = sorted(draw(st.sets(segments)))
        streams.append([(segment, draw(st.lists(st.integers(1, 3), max_size=9))) for segment in having])
    return hypotheses, streams, n_segments


@pytest.mark.parametrize("most_cells", [2**22, 0], ids=["looked up", "searched"])
@pytest.mark.parametrize("together", [False, True])
@settings(max_examples=30, deadline=None, derandomize=True)
@given(problem=problems())
def test_matches(most_cells: int, together: bool, problem: tuple[Sequences, list[Sequences], int]) -> None:
    hypotheses, streams, n_segments = problem
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(chunks_of_text, "MOST_CELLS", most_cells)
        found = matches(rows(hypotheses), [rows(one) for one in streams], n_segments, 5, together=together)
    assert found.tolist() == one_by_one(hypotheses, streams, 5, together).tolist()


def test_the_clipping_of_papineni() -> None:
    # Papineni et al. 2002, example 2: "the" seven times; twice in one reference, once in the other: 2 of 7.
    the, cat, is_, on, mat, there, a = range(1, 8)
    streams = [[(0, [the, cat, is_, on, the, mat])], [(0, [there, is_, a, cat, on, the, mat])]]
    hypothesis = rows([(0, [the] * 7)])
    assert matches(hypothesis, [rows(one) for one in streams], 1, 1, together=True).tolist() == [[[2]]]
    assert matches(hypothesis, [rows(one) for one in streams], 1, 1).tolist() == [[[2], [1]]]


def test_ngrams_of_each_row() -> None:
    assert rows([(0, [1, 2, 3]), (0, []), (1, [1])]).ngrams(4).tolist() == [[3, 0, 1], [2, 0, 0], [1, 0, 0], [0, 0, 0]]


def test_chunks_cover_everything_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks_of_text, "MOST_CHARACTERS", 30)
    outputs = [[f"a{i} b" for i in range(20)], [f"a{i} b" if i % 3 else "c" for i in range(20)]]
    references = [[None if i % 4 == 0 else "r" * i for i in range(20)]]
    found = list(chunks(outputs, references))
    assert len(found) > 3
    assert [found[0].start, found[-1].stop] == [0, 20]
    assert all(one.stop == next_.start for one, next_ in pairwise(found))
    for block in found:
        for output, places in zip(outputs, block.places, strict=True):
            assert [block.hypotheses.lines[place] for place in places] == output[block.start : block.stop]
            assert block.hypotheses.segments[places].tolist() == list(range(len(block)))
        (column,) = block.references
        kept = [(i, line) for i, line in enumerate(references[0][block.start : block.stop]) if line is not None]
        assert list(zip(column.segments.tolist(), column.lines, strict=True)) == kept
        assert len(set(zip(block.hypotheses.lines, block.hypotheses.segments.tolist(), strict=True))) == len(
            block.hypotheses.lines
        )


@given(st.lists(st.integers(-(2**62), 2**62)) | st.lists(st.integers(0, 5)))
def test_distinct_numbers_are_those_of_a_set_in_order(numbers: list[int]) -> None:
    assert distinct(np.array(numbers, dtype=np.int64)).tolist() == sorted(set(numbers))
