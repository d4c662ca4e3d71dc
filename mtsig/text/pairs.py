"""Translations and their references as arrays of numbers: what is looked up in many pairs of segments at once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mtsig.text.chunks import Integers
from mtsig.text.ngrams import Rows

Bits = NDArray[np.uint64]

STRIDE = 12
"""Windows begin at columns that are multiples of this."""

WINDOW = 64
"""Columns in a window: the bits of a machine word."""

MOST_CELLS = 2**22
"""A table of windows larger than this is searched instead of looked up in; only a line of many pages needs one."""


def spans(starts: Integers, lengths: Integers) -> Integers:
    """Return starts[0], starts[0] + 1, … (as many as lengths[0] says), starts[1], … in one array."""
    before = np.cumsum(lengths) - lengths
    indices = np.repeat(starts - before, lengths)
    indices += np.arange(len(indices))
    return indices


@dataclass(frozen=True, eq=False)
class Lines:
    """Lines of words, laid end to end, with a pad before the first one and behind every one.

    words: a number for every word. starts, lengths: shape (lines,), where each begins, and its words without the pad.
    """

    words: Integers
    starts: Integers
    lengths: Integers

    @classmethod
    def of(cls, words: Integers, lengths: Integers, pad: int) -> "Lines":
        """Return lines of these words, which have a pad behind every line, but none before the first."""
        return cls(np.append(np.intp(pad), words), 1 + np.cumsum(lengths + 1) - (lengths + 1), lengths)

    def take(self, lines: Integers) -> "Lines":
        """Return some of the lines, in this order."""
        lengths = self.lengths[lines]
        return Lines.of(self.words[spans(self.starts[lines], lengths + 1)], lengths, int(self.words[0]))

    @cached_property
    def owner(self) -> Integers:
        """The line of every word; a pad belongs to the line before it, the first one to the first line."""
        return np.append(np.intp(0), np.repeat(np.arange(len(self.lengths)), self.lengths + 1))


@dataclass(frozen=True, eq=False)
class Pairs:
    """k hypotheses, each with a reference.

    A word of a reference has a number from 1 that no other reference has; in its hypotheses 0 stands for all words that
    the reference lacks. Pads are 0 in hypotheses and −1 in references.
    """

    hypotheses: Lines
    references: Lines

    @classmethod
    def joined(cls, parts: Sequence[tuple[Rows, Rows]]) -> tuple["Pairs", "Vocabulary"]:
        """Return all rows of several blocks in pairs, and their vocabulary.

        parts: hypotheses and references of a block. Every hypothesis's segment has one row of references, in order.
        """
        words, lengths, of, lines, sizes = [], [], [], [], []
        known = rows = 0
        for hypotheses, references in parts:
            row = np.searchsorted(references.segments, hypotheses.segments)
            of.append(row + rows)
            ours, theirs, ids = _numbered(hypotheses, references, row)
            words.append(np.where(ours > 0, ours + known, 0))
            lines.append(np.where(theirs > 0, theirs + known, -1))
            lengths.append(hypotheses.lengths)
            sizes.append(references.lengths)
            known, rows = known + ids, rows + len(references.lengths)
        distinct = Lines.of(np.concatenate(lines), np.concatenate(sizes), -1)
        pairs = cls(Lines.of(np.concatenate(words), np.concatenate(lengths), 0), distinct.take(np.concatenate(of)))
        return pairs, Vocabulary(distinct, known)

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.hypotheses.lengths)

    def take(self, pairs: Integers) -> "Pairs":
        """Return some of the pairs, in this order."""
        return Pairs(self.hypotheses.take(pairs), self.references.take(pairs))

    def with_words(self, words: Integers) -> "Pairs":
        """Return the pairs with other words in the same places of the hypotheses."""
        return Pairs(replace(self.hypotheses, words=words), self.references)


def _numbered(hypotheses: Rows, references: Rows, row: Integers) -> tuple[Integers, Integers, int]:
    """Return the words of both sides numbered by reference, 0 for all others and for pads, and how many there are.

    row: which row of the references each hypothesis belongs to.
    """
    alphabet = 1 + max(int(rows.symbols.max(initial=0)) for rows in (hypotheses, references))
    keys = references.symbols + alphabet * np.repeat(np.arange(len(references.lengths)), references.lengths + 1)
    words = references.symbols > 0
    known, numbers = np.unique(keys[words], return_inverse=True)
    theirs = np.zeros(len(keys), dtype=np.intp)
    theirs[words] = numbers + 1
    wanted = hypotheses.symbols + alphabet * np.repeat(row, hypotheses.lengths + 1)
    place = np.searchsorted(known, wanted)
    ours = np.where(np.append(known, -1)[place] == wanted, place + 1, 0)
    return ours, theirs, len(known)


class Vocabulary:
    """Where the words of references stand.

    counts: shape (words + 1,), how often word 1, 2, … stands in its reference; word 0 does nowhere.
    """

    def __init__(self, references: Lines, words: int) -> None:
        """Look up all words of these references, which have numbers from 1 to `words`."""
        at = np.flatnonzero(references.words > 0)
        at = at[np.argsort(references.words[at], kind="stable")]
        owners = references.owner[at]
        self._words = references.words[at]
        self._positions = at - references.starts[owners]
        self.counts = np.bincount(self._words, minlength=words + 1)
        self._starts = np.cumsum(self.counts) - self.counts
        sizes = np.ones(words + 1, dtype=np.intp)
        sizes[self._words] = windows(references.lengths)[owners]
        sizes[0] = sizes.max()
        self._cells = np.cumsum(sizes) - sizes
        self._n_cells = int(sizes.sum())
        self._far = 1 + int(references.lengths.max(initial=0))

    def cells(self, words: Integers) -> Integers:
        """Return the cell of every word's first window; those of the next ones follow it."""
        return self._cells[words]

    def bits(self, cells: Integers) -> Bits:
        """Return which columns of the window have the word: bit b for column 1 + b behind the window's beginning."""
        known, bits = self._windows
        if self._n_cells <= MOST_CELLS:
            return bits[cells]
        place = np.searchsorted(known, cells)
        return np.where(np.append(known, -1)[place] == cells, np.append(bits, np.uint64(0))[place], np.uint64(0))

    def near(self, words: Integers, places: Integers, distance: int) -> tuple[Integers, Integers]:
        """Return for words of hypotheses at these places first and count, to be used in `at`, of where they belong.

        Only what is at most `distance` words away counts.
        """
        first, count = self._starts[words], self.counts[words]
        alone = np.abs(self._positions[first] - places) <= distance
        count = np.where(count == 1, alone, count)
        many = np.flatnonzero(count > 1)
        low = np.clip(places[many] - distance, 0, self._far - 1) + words[many] * self._far
        high = np.minimum(places[many] + distance, self._far - 1) + words[many] * self._far
        first[many] = np.searchsorted(self._keys, low)
        count[many] = np.searchsorted(self._keys, high, side="right") - first[many]
        return first, count

    def at(self, places: Integers) -> Integers:
        """Return the places in their references that words are at."""
        return self._positions[places]

    @cached_property
    def _keys(self) -> Integers:
        return self._words * self._far + self._positions

    @cached_property
    def _windows(self) -> tuple[Integers, Bits]:
        """The cells that are not empty and their bits, or all cells and their bits where these are few enough."""
        sizes = np.diff(self._cells, append=self._n_cells)[self._words]
        cells, bits = [], []
        for back in range(-(-WINDOW // STRIDE)):
            window = self._positions // STRIDE - back
            some = np.flatnonzero((window >= 0) & (window < sizes) & (self._positions - STRIDE * window < WINDOW))
            cells.append(self._cells[self._words[some]] + window[some])
            bits.append(np.uint64(1) << (self._positions[some] - STRIDE * window[some]).astype(np.uint64))
        if self._n_cells <= MOST_CELLS:
            table = np.zeros(self._n_cells, dtype=np.uint64)
            np.bitwise_or.at(table, np.concatenate(cells), np.concatenate(bits))
            return np.arange(0), table
        known, of = np.unique(np.concatenate(cells), return_inverse=True)
        hashes = np.zeros(len(known), dtype=np.uint64)
        np.bitwise_or.at(hashes, of, np.concatenate(bits))
        return known, hashes


def windows(lengths: Integers) -> Integers:
    """Return how many windows references of these lengths have."""
    return np.where(lengths < WINDOW, 1, lengths // STRIDE + 1)
