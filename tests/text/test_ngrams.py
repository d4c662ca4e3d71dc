"""Matches of n-grams against counting them one by one."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig._records import distinct
from mtsig.text import _ngrams as ngrams
from mtsig.text import _tokens as chunks_of_text
from mtsig.text._ngrams import Rows, matches
from mtsig.text._tokens import chunks

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
@settings(max_examples=60, deadline=None, derandomize=True)
@given(problem=problems())
def test_matches(most_cells: int, together: bool, problem: tuple[Sequences, list[Sequences], int]) -> None:
    hypotheses, streams, n_segments = problem
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ngrams, "MOST_CELLS", most_cells)
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
