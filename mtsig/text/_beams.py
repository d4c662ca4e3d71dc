"""Many edit distances at once, within sacreBLEU's beam and with its alignments; bits of machine words do it.

The differences between neighbours in the table of distances are −1, 0 or 1, and a row of them is found from the one
before with a dozen operations on whole words of bits (Myers 1999, Hyyrö 2003): here on arrays of them, one for every
pair. A window of 64 columns around the beam moves with the row, in strides.

Outside the beam sacreBLEU has no distances. Here no word outside, and none that is reached from outside, counts as
matched. A way through the outside then costs one edit a step, which the way along the edge inside costs as well, so
that inside all distances are sacreBLEU's; and in tracing an alignment steps from outside are not taken.

A shift changes the rows of few words. Of long segments only those are computed for every shift: the rows before are
kept, and a mirrored table, computed from the end, tells how far it is from each cell of the rows behind to the end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics import lib_ter

from mtsig.text._tokens import Integers, Rows

Bits = NDArray[np.uint64]

STRIDE = 12
"""Windows begin at columns that are multiples of this."""

WINDOW = 64
"""Columns in a window: the bits of a machine word."""

MOST_WINDOWS = 2**22
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

    def mirrored(self) -> "Lines":
        """Return the lines with the words of each from the last to the first."""
        # From the first and the last place of a line alike: what is mirrored of a pad is another pad.
        last = self.starts + self.lengths - 1
        return replace(self, words=self.words[(self.starts + last)[self.owner] - np.arange(len(self.words))])


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

    def mirrored(self) -> "Pairs":
        """Return the pairs with all words from the last to the first."""
        return Pairs(self.hypotheses.mirrored(), self.references.mirrored())


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
        self._references = references
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

    @cached_property
    def mirrored(self) -> "Vocabulary":
        """The vocabulary of the references with the words of each from the last to the first."""
        return Vocabulary(self._references.mirrored(), len(self.counts) - 1)

    def cells(self, words: Integers) -> Integers:
        """Return the cell of every word's first window; those of the next ones follow it."""
        return self._cells[words]

    def bits(self, cells: Integers) -> Bits:
        """Return which columns of the window have the word: bit b for column 1 + b behind the window's beginning."""
        known, bits = self._windows
        if self._n_cells <= MOST_WINDOWS:
            # What is looked up for rows that are not computed may be behind all cells.
            return bits.take(cells, mode="clip")
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
        if self._n_cells <= MOST_WINDOWS:
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


WIDTH: int = lib_ter._BEAM_WIDTH

STEEPEST = 2 * WIDTH
"""Where a reference has more than so many words for each of the hypothesis, sacreBLEU's beam is a wider one."""

MOST_CELLS = 2**17
"""Rows × pairs that are computed together: their arrays then fit a processor's cache, and memory stays bounded."""

_ONE = np.uint64(1)
_ALL = ~np.uint64(0)


class Rotation(NamedTuple):
    """Two stretches of words that change places; shape (shifts,) each, as in all of `Shifts`.

    begin: where the first one begins. behind: words of the second one, which comes to stand before. before: words of
    the first one.
    """

    begin: Integers
    behind: Integers
    before: Integers


class Alignments(NamedTuple):
    """Where words stand, from one shortest list of edits each.

    wrong: for every word of the hypotheses whether it is not matched. wanted: the same of the references. places: for
    every word of the references that of the hypothesis it belongs to, or behind which it is missing (−1: before the
    first), and −1 for pads.
    """

    wrong: NDArray[np.bool_]
    wanted: NDArray[np.bool_]
    places: Integers


@dataclass(frozen=True, eq=False)
class _Beam:
    """The beam of some pairs; shape (rows, pairs) each.

    windows: the number of the window. moves: columns that it has moved by since the row before. matched, fallen: bits
    of the columns whose neighbour aslant above, above is in the beam, too.
    """

    windows: Integers
    moves: Bits
    matched: Bits
    fallen: Bits


def in_chunks(lengths: Integers) -> Iterator[Integers]:
    """Yield the positions of all lines by falling length, as many at once as fit."""
    order = np.argsort(-lengths, kind="stable")
    start = 0
    while start < len(order):
        stop = start + max(1, MOST_CELLS // (1 + int(lengths[order[start]])))
        yield order[start:stop]
        start = stop


def distances(pairs: Pairs, vocabulary: Vocabulary, beam: bool) -> Integers:
    """Return the edit distances of all pairs; without a beam references have fewer than 64 words."""
    distances = np.empty(len(pairs), dtype=np.intp)
    cells = _looked_up(pairs, vocabulary, beam)
    for chunk in in_chunks(pairs.hypotheses.lengths):
        distances[chunk] = _Tables(pairs, vocabulary, cells, chunk, beam).distances()
    return distances


def shifted_distances(pairs: Pairs, vocabulary: Vocabulary, of: Integers, rotations: Rotation, beam: bool) -> Integers:
    """Return the edit distances of the pairs `of` after one rotation of the words of each."""
    n = pairs.hypotheses.lengths
    distances = np.empty(len(of), dtype=np.intp)
    # To compute all rows of as many tables as fit takes no longer than both tables that save most of the rows.
    if beam and int((1 + n[of]).sum()) > MOST_CELLS:
        rotated, number = np.unique(of, return_inverse=True)
        for chunk in in_chunks(n[rotated]):
            column = np.full(len(rotated), -1)
            column[chunk] = np.arange(len(chunk))
            some = np.flatnonzero(column[number] >= 0)
            rotation = Rotation(*(part[some] for part in rotations))
            distances[some] = _rejoined(pairs.take(rotated[chunk]), vocabulary, column[number[some]], rotation)
        return distances
    cells = _looked_up(pairs, vocabulary, beam)
    for chunk in in_chunks(n[of]):
        rotation = Rotation(*(part[chunk] for part in rotations))
        distances[chunk] = _Tables(pairs, vocabulary, cells, of[chunk], beam, rotation).distances()
    return distances


def _rejoined(pairs: Pairs, vocabulary: Vocabulary, of: Integers, rotations: Rotation) -> Integers:
    """Return what `shifted_distances` does within the beam, of pairs in order of falling length.

    Only the rows of words that change places are computed anew. A way through the table is one to a cell of the last
    of these rows and one on from there, which is a way through the table of the mirrored words.
    """
    n, m = pairs.hypotheses.lengths[of], pairs.references.lengths[of]
    cells = _looked_up(pairs, vocabulary, beam=True)
    before = _Tables(pairs, vocabulary, cells, np.arange(len(pairs)), beam=True).states()
    mirror, words = pairs.mirrored(), vocabulary.mirrored
    mirrored = _looked_up(mirror, words, beam=True)
    behind = _Tables(mirror, words, mirrored, np.arange(len(pairs)), beam=True, mirrored=True).states()
    distances = np.empty(len(of), dtype=np.intp)
    for chunk in in_chunks(rotations.behind + rotations.before):
        rotation = Rotation(*(part[chunk] for part in rotations))
        tables = _Tables(pairs, vocabulary, cells, of[chunk], True, rotation, part=True)
        to = tables.last(before.at(rotation.begin, of[chunk]))
        row = rotation.begin + rotation.behind + rotation.before
        on = behind.at(n[chunk] - row, of[chunk])
        distances[chunk] = _through(row, n[chunk], m[chunk], to, on)
    return distances


def _through(row: Integers, n: Integers, m: Integers, to: "_States", on: "_States") -> Integers:
    """Return the lengths of the shortest ways through a row of each table.

    to: the row, where distances are those of the ways to it. on: the same row of the mirrored table, of the ways on.
    """
    low, high = _edges(row, n, m)
    first = (low - STRIDE * _begins(low, m)).view(np.uint64)
    last = (m - low - STRIDE * _begins(m - high, m)).view(np.uint64)
    at_low = to.distance + row + on.distance + n - row
    for state, columns in ((to, first), (on, last)):
        below = (_ONE << columns) - _ONE
        at_low += _ones(state.up & below) - _ones(state.down & below)
    # From one column to the next the way to it gets longer by a bit, and the one on from it shorter.
    span = (_ONE << (high - low).view(np.uint64)) - _ONE
    change = _unpacked(to.up >> first & span, "<u8") - _unpacked(to.down >> first & span, "<u8")
    top = np.uint64(WINDOW) - last
    kept = ~(_ALL >> (high - low).view(np.uint64))
    change += _unpacked(on.down << top & kept, ">u8") - _unpacked(on.up << top & kept, ">u8")
    at_low += np.minimum(np.cumsum(change, axis=1, dtype=np.int8).min(axis=1), 0)
    return at_low


def _unpacked(bits: Bits, order: str) -> NDArray[np.int8]:
    """Return bits as numbers, shape (words, 64): from the lowest one for "<u8", from the highest one for ">u8"."""
    some = bits.astype(order).view(np.uint8).reshape(-1, WINDOW // 8)
    return np.unpackbits(some, axis=1, bitorder="little" if order == "<u8" else "big").view(np.int8)


def alignments(pairs: Pairs, vocabulary: Vocabulary, beam: bool) -> Alignments:
    """Return sacreBLEU's alignments of all pairs.

    Backwards from its end sacreBLEU prefers a match or substitution, then a word too many, then a missing one.
    """
    hypotheses, references = pairs.hypotheses, pairs.references
    wrong, wanted = np.ones(len(hypotheses.words), dtype=bool), np.ones(len(references.words), dtype=bool)
    # How many rows of the table are left at each word; those before it are the words that it stands behind.
    left = np.zeros(len(references.words), dtype=np.intp)
    cells = _looked_up(pairs, vocabulary, beam)
    for chunk in in_chunks(hypotheses.lengths):
        tables = _Tables(pairs, vocabulary, cells, chunk, beam)
        ours, theirs = hypotheses.starts[chunk] - 1, references.starts[chunk] - 1
        for row, columns, matched, below in tables.traced():
            n = len(columns)
            wrong[ours[:n] + row] = ~matched
            wanted[(theirs[:n] + columns)[matched]] = False
            left[theirs[:n] + 1 + below] += 1
    places = np.cumsum(left) - np.append(0, np.repeat(_before(hypotheses.lengths), references.lengths + 1)) - 1
    places[0] = -1
    places[references.starts + references.lengths] = -1
    return Alignments(wrong, wanted, places)


def _looked_up(pairs: Pairs, vocabulary: Vocabulary, beam: bool) -> Integers | Bits:
    """Return for every word of the hypotheses its cell, or its bits where there are no other windows."""
    cells = vocabulary.cells(pairs.hypotheses.words)
    return cells if beam else vocabulary.bits(cells)


def _before(counts: Integers) -> Integers:
    return np.cumsum(counts) - counts


class _States(NamedTuple):
    """Rows of tables: where the distance rises, where it falls, and that at the left of the window; one shape."""

    up: Bits
    down: Bits
    distance: Integers

    def at(self, rows: Integers, columns: Integers) -> "_States":
        return _States(self.up[rows, columns], self.down[rows, columns], self.distance[rows, columns])


class _Tables:
    """The tables of some pairs, computed row by row for all of them; the pairs are in order of falling rows."""

    def __init__(
        self,
        pairs: Pairs,
        vocabulary: Vocabulary,
        cells: Any,
        chosen: Integers,
        beam: bool,
        rotation: Rotation | None = None,
        *,
        part: bool = False,
        mirrored: bool = False,
    ) -> None:
        """Look up which words are the same.

        cells: the cell of every word of the hypotheses. rotation: what is to be done to their words before. part: only
        the rows of the words that it moves. mirrored: the words are; the beam is mirrored, too.
        """
        n, self._m = pairs.hypotheses.lengths[chosen], pairs.references.lengths[chosen]
        starts, first, self._n = pairs.hypotheses.starts[chosen], np.zeros_like(n), n
        if part and rotation is not None:
            first, self._n = rotation.begin, rotation.behind + rotation.before
            starts, rotation = starts + first, rotation._replace(begin=np.zeros_like(first))
        rows = int(self._n.max(initial=0))
        # So many of the pairs have a row 1, 2, …
        self._alive = np.searchsorted(-self._n, -np.arange(1, rows + 1), side="right").tolist()
        at = _places(starts, rows, rotation)
        self._beam = _beam_of(pairs, chosen, first + np.arange(rows)[:, None], mirrored) if beam else None
        # Behind the last words of all anything may be looked up: those rows are not computed.
        taken = np.take(cells, at, mode="clip")
        if self._beam is None:
            self._same = taken
        else:
            self._same = vocabulary.bits(taken + self._beam.windows) & self._beam.matched
            self._moving = set(np.flatnonzero(self._beam.moves.any(axis=1)).tolist())

    def distances(self) -> Integers:
        up, down, distance = self.last(self._start())
        if self._beam is None:
            width = self._m
        else:
            width = self._m - STRIDE * self._beam.windows[np.maximum(self._n - 1, 0), np.arange(len(self._n))]
            width = np.where(self._n > 0, width, self._m)
        columns = (_ONE << width.view(np.uint64)) - _ONE
        return distance + self._n + _ones(up & columns) - _ones(down & columns)

    def last(self, state: _States) -> _States:
        """Go on from the rows above the first ones to the last ones, in place."""
        for row, alive in enumerate(self._alive):
            self._step(row, alive, *state)
        return state

    def states(self) -> _States:
        """Return all rows, from that of an empty hypothesis; shape (rows + 1, pairs)."""
        state = self._start()
        times = len(self._alive) + 1
        all_rows = _States(
            np.repeat(state.up[None], times, axis=0),
            np.repeat(state.down[None], times, axis=0),
            np.repeat(state.distance[None], times, axis=0),
        )
        for row, alive in enumerate(self._alive):
            self._step(row, alive, *state)
            for part, kept in zip(state, all_rows, strict=True):
                kept[row + 1] = part
        return all_rows

    def traced(self) -> Iterator[tuple[int, Integers, NDArray[np.bool_], Integers]]:
        """Yield from the last row to the first: its number from 1, and for each pair that has it how the way goes.

        The column it leaves the row at, whether that is with a match, and the column it comes to in the row above.
        """
        state = self._start()
        steps = [self._step(row, alive, *state) for row, alive in enumerate(self._alive)]
        columns = self._m.copy()
        for row in reversed(range(len(steps))):
            alive, same = self._alive[row], self._same[row]
            diagonal, longer = steps[row]
            aslant, above = same[:alive] | ~diagonal, longer
            base: Integers | int = 0
            if self._beam is not None:
                aslant, above = aslant & self._beam.matched[row, :alive], above & self._beam.fallen[row, :alive]
                base = STRIDE * self._beam.windows[row, :alive]
            reach = (_ONE << (columns[:alive] - base).view(np.uint64)) - _ONE
            place = _last((aslant | above) & reach)
            # At the left edge of the table all that is left of the hypothesis is too much.
            bit = (_ONE << place.view(np.uint64)) >> _ONE
            leaves = place + base
            below = leaves - ((aslant & bit) > 0)
            yield row + 1, leaves, (same[:alive] & bit) > 0, below
            columns[:alive] = below

    def _start(self) -> _States:
        """Return the row of an empty hypothesis."""
        size = len(self._n)
        return _States(np.full(size, _ALL), np.zeros(size, dtype=np.uint64), np.zeros(size, dtype=np.intp))

    def _step(self, row: int, alive: int, up: Bits, down: Bits, distance: Integers) -> tuple[Bits, Bits]:
        """Go on to the next row, in place.

        `distance` is that at the left edge of the window, without the one per row that the edge itself costs.
        Returns two sets of columns: those where the distance is the same as one word before on both sides; those where
        it is one more than in the row above.
        """
        if self._beam is not None and row in self._moving:
            _move(self._beam.moves[row, :alive], up, down, distance)
        same, plus, minus = self._same[row, :alive], up[:alive], down[:alive]
        diagonal = ((((same & plus) + plus) ^ plus) | same) | minus
        longer = minus | ~(diagonal | plus)
        # The distance to an empty reference grows with every word of the hypothesis: hence the 1.
        shifted = longer << _ONE | _ONE
        up[:alive] = (diagonal & plus) << _ONE | ~(diagonal | shifted)
        down[:alive] = shifted & diagonal
        return diagonal, longer


def _move(moves: Bits, up: Bits, down: Bits, distance: Integers) -> None:
    """Let windows begin some columns later; in the new ones at their ends the distance rises."""
    moving = moves.nonzero()[0]
    by = moves[moving]
    lost = (_ONE << by) - _ONE
    plus, minus = up[moving], down[moving]
    distance[moving] += _ones(plus & lost) - _ones(minus & lost)
    up[moving] = plus >> by | ~(_ALL >> by)
    down[moving] = minus >> by


def _ones(bits: Bits) -> Integers:
    return np.bitwise_count(bits).astype(np.intp)


def _last(bits: Bits) -> Integers:
    """Return the number of the last bit that is set, from 1, or 0 where none is."""
    # Without the bit next to the last no rounding to a float reaches the next power of two.
    return np.frexp((bits & ~(bits >> _ONE)).astype(np.float64))[1].astype(np.intp)


def _places(starts: Integers, rows: int, rotation: Rotation | None) -> Integers:
    """Return where the word stands that comes to each place; shape (rows, hypotheses)."""
    places = np.ones((rows + 1, len(starts)), dtype=np.intp)
    places[0] = starts
    if rotation is not None:
        begin, behind, before = rotation
        column = np.arange(len(starts))
        places[begin, column] += before
        places[begin + behind, column] -= before + behind
        places[begin + behind + before, column] += behind
    return np.cumsum(places[:-1], axis=0)


def _edges(row: Integers, n: Integers, m: Integers) -> tuple[Integers, Integers]:
    """Return the first and last column of the beam around ⌊i · m/n⌋ in row i of n and m words; sacreBLEU's."""
    centre = np.floor(row * (m / np.maximum(n, 1))).astype(np.intp)
    # The row of the empty hypothesis is there as a whole.
    return np.maximum(centre - WIDTH, 0), np.where((row == 0) | (row == n), m, np.minimum(centre + WIDTH - 1, m))


def _begins(low: Integers, m: Integers) -> Integers:
    """Return the number of the window that has all columns from the first one, `low`, on."""
    return np.where(m < WINDOW, 0, np.maximum(low - 1, 0) // STRIDE)


def _beam_of(pairs: Pairs, chosen: Integers, rows: Integers, mirrored: bool) -> _Beam:
    """Return the beam of the chosen pairs, of which some may be the same, in rows of theirs from 0; like `rows`."""
    kinds, of = np.unique(chosen, return_inverse=True)
    beam = _beam(pairs.hypotheses.lengths[kinds], pairs.references.lengths[kinds], mirrored)
    at = np.minimum(rows, len(beam.windows) - 1), of
    return _Beam(windows=beam.windows[at], moves=beam.moves[at], matched=beam.matched[at], fallen=beam.fallen[at])


def _beam(n: Integers, m: Integers, mirrored: bool) -> _Beam:
    """Return the beam of pairs of n and m words in all rows but that of the empty hypothesis."""
    row = np.minimum(np.arange(int(n.max(initial=0)) + 1)[:, None], n)
    low, high = _edges(n - row if mirrored else row, n, m)
    if mirrored:
        low, high = m - high, m - low
    begins = _begins(low, m)
    base, low_above, high_above = STRIDE * begins[1:], low[:-1], high[:-1]
    low, high = low[1:], high[1:]
    return _Beam(
        windows=begins[1:],
        moves=(STRIDE * np.diff(begins, axis=0)).astype(np.uint64),
        matched=_columns(np.maximum(low, low_above + 1) - base, np.minimum(high, high_above + 1) - base),
        fallen=_columns(np.maximum(low, low_above) - base, np.minimum(high, high_above) - base),
    )


def _columns(first: Integers, last: Integers) -> Bits:
    """Return the set of columns from `first` to `last`, counted from the beginning of the window, where bit 0 is 1."""
    below, through = (np.clip(column, 0, WINDOW - 1).view(np.uint64) for column in (first - 1, last))
    return ((_ONE << through) - _ONE) & ~((_ONE << below) - _ONE)
