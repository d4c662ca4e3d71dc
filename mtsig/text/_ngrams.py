"""Sequences of symbols go in, how many of their n-grams the references have comes out; no loop over n-grams."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, count, repeat

import numpy as np
from numpy.typing import NDArray

from mtsig._records import distinct
from mtsig.text._tokens import Chunk, Column, Integers, Words

MOST_CELLS = 2**22
"""A table of n-grams larger than this is searched instead of looked up in; only a segment of many pages needs one."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Sequences of symbols laid end to end, each with a 0 behind it.

    symbols: 0 stands for what no reference has, every other number for one word or one character.
    lengths: shape (rows,), without the 0 at the end. segments: shape (rows,), the segment of each row.
    """

    symbols: Integers
    lengths: Integers
    segments: Integers

    def take(self, rows: Integers) -> "Rows":
        """Return some of the rows, which are in order."""
        kept = np.zeros(len(self.lengths), dtype=bool)
        kept[rows] = True
        return Rows(self.symbols[np.repeat(kept, self.lengths + 1)], self.lengths[rows], self.segments[rows])

    def ngrams(self, order: int) -> Integers:
        """Return how many n-grams of orders 1 to `order` each row has; shape (order, rows)."""
        integers: Integers = np.maximum(self.lengths - np.arange(order)[:, None], 0)
        return integers


@dataclass(eq=False)
class _Walk:
    """The n-grams of some rows that the references have, on the way from one order to the next.

    numbers: the number of each n-gram, from 1. ends: the position behind it. rows: the row it stands in.
    """

    symbols: Integers
    ends: Integers
    rows: Integers
    numbers: Integers

    def keys(self, starts: Integers) -> Integers:
        """Return the cells of the n-grams made longer by one symbol."""
        return starts.take(self.numbers) + self.symbols.take(self.ends)

    def step(self, numbers: Integers) -> None:
        """Go on with the longer n-grams that have a number."""
        kept = np.flatnonzero(numbers > 0)
        self.numbers, self.ends, self.rows = numbers.take(kept), self.ends.take(kept) + 1, self.rows.take(kept)


def matches(
    hypotheses: Rows, references: Sequence[Rows], n_segments: int, order: int, *, together: bool = False
) -> Integers:
    """Return how many n-grams of each hypothesis its references have; shape (order, streams, rows).

    Each of `references` is a stream: one row per segment, or none where the segment has no such reference. An n-gram
    matches at most as often as it stands in the reference. With `together` the streams count as one: an n-gram
    matches at most as often as it stands in the reference that has it most often (Papineni et al. 2002, section 2.1).

    Every n-gram of a segment's references has a number, found in a table by the number of its first n − 1 symbols and
    by its last symbol: exact, nothing is hashed. Those of a hypothesis are looked up in the same tables, and each is
    dropped at the first order that the references do not have.
    """
    alphabet = 1 + max(int(rows.symbols.max(initial=0)) for rows in (hypotheses, *references))
    local, width = _local_symbols(references, n_segments, alphabet)
    hypothesis, *streams = [_walk(rows, local) for rows in (hypotheses, *references)]
    matches = np.zeros((order, 1 if together else len(streams), len(hypotheses.lengths)), dtype=np.intp)
    sizes = np.ones(n_segments, dtype=np.intp)  # a segment has one n-gram of order 0, the empty one
    for level in matches:
        # The n-gram with number i owns the cells from starts[i] to starts[i + 1], one per symbol of its segment.
        starts = _sums(np.repeat(width, sizes), zeros=2)
        keys = [walk.keys(starts) for walk in streams]
        number_of, known = _numbering(keys, starts)
        sizes = np.diff(np.searchsorted(known, starts[1 + _sums(sizes)]))
        hypothesis.step(number_of(hypothesis.keys(starts)))
        for walk, key in zip(streams, keys, strict=True):
            walk.step(number_of(key))
        have = np.array([np.bincount(walk.numbers, minlength=len(known) + 1) for walk in streams])
        level[:] = _clipped(hypothesis, hypotheses, have.max(axis=0, keepdims=True) if together else have, sizes)
    return matches


def _sums(counts: Integers, zeros: int = 1) -> Integers:
    """Return where groups of these sizes begin and where the last one ends; further zeros may come before."""
    starts = np.zeros(len(counts) + zeros, dtype=np.intp)
    np.cumsum(counts, out=starts[zeros:])
    return starts


def _local_symbols(references: Sequence[Rows], n_segments: int, alphabet: int) -> tuple[NDArray[np.int32], Integers]:
    """Return a table (segment, symbol) -> number within the segment, and how many such numbers the segment has.

    Number 0 is what the segment's references do not have.
    """
    present = np.zeros((n_segments, alphabet), dtype=bool)
    for rows in references:
        present[np.repeat(rows.segments, rows.lengths + 1), rows.symbols] = True
    present[:, 0] = False
    numbers = np.cumsum(present, axis=1, dtype=np.int32)
    width = numbers[:, -1].astype(np.intp) + 1
    numbers *= present
    return numbers, width


def _walk(rows: Rows, local: NDArray[np.int32]) -> _Walk:
    """Return the empty n-gram before every symbol of the rows."""
    row = np.repeat(np.arange(len(rows.lengths)), rows.lengths)
    segment = rows.segments.take(row)
    at = np.arange(len(row)) + row
    symbols = np.zeros(len(rows.symbols), dtype=np.intp)
    symbols[at] = local.ravel().take(segment * local.shape[1] + rows.symbols.take(at))
    return _Walk(symbols, at, row, segment + 1)


def _numbering(keys: Sequence[Integers], starts: Integers) -> tuple[Callable[[Integers], Integers], Integers]:
    """Return a function key -> number from 1, or 0 when no reference has it; and the keys that one has, in order."""
    cells = int(starts[-1])
    if cells > MOST_CELLS:
        # Among the first cells of the rows, those of symbol 0, are the references' ends: no n-grams.
        known = distinct(np.concatenate(keys))
        known = known[starts[np.searchsorted(starts[:-1], known)] != known]
        padded = np.append(known, -1)

        def search(wanted: Integers) -> Integers:
            place = np.searchsorted(known, wanted)
            return np.where(padded[place] == wanted, place + 1, 0)

        return search, known
    table = np.zeros(cells, dtype=np.intp)
    for some in keys:
        table[some] = 1
    table[starts[1:-1]] = 0
    known = np.flatnonzero(table > 0)
    table[known] = np.arange(1, len(known) + 1)
    return table.take, known


def _clipped(hypothesis: _Walk, rows: Rows, have: Integers, sizes: Integers) -> Integers:
    """Return each row's matches with each stream, of which `have` says how often it has each n-gram."""
    # A row counts in slots of its own, one for each n-gram of its segment's references.
    slots = sizes[rows.segments]
    starts = _sums(slots)
    shift = starts[:-1] - 1 - _sums(sizes)[rows.segments]
    counts = np.bincount(hypothesis.numbers + shift.take(hypothesis.rows), minlength=starts[-1])
    numbers = np.arange(starts[-1]) - np.repeat(shift, slots)
    return np.array([np.diff(_sums(np.minimum(counts, stream.take(numbers)))[starts]) for stream in have])


def word_rows(chunk: Chunk, cut: Callable[[Sequence[str]], Words]) -> list[Rows]:
    """Return the words of the hypotheses and of each stream as symbols: one for each word of the references."""
    given = [cut(column.lines) for column in chunk.references]
    known = dict.fromkeys(chain.from_iterable(words.words for words in given))
    symbols = dict(zip(known, count(1), strict=False))
    columns = [(cut(chunk.hypotheses.lines), chunk.hypotheses), *zip(given, chunk.references, strict=True)]
    return [_rows(words, column, symbols) for words, column in columns]


def _rows(words: Words, column: Column, symbols: dict[str, int]) -> Rows:
    symbols_of = np.fromiter(map(symbols.get, words.words, repeat(0)), dtype=np.intp, count=len(words.words))
    return Rows(np.insert(symbols_of, np.cumsum(words.lengths), 0), words.lengths, column.segments)
