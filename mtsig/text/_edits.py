"""Count the edits of TER (Snover et al. 2006) between pairs of segments; results are equal to sacreBLEU's.

sacreBLEU follows Tercom: blocks of the hypothesis are shifted one after the other. Each time, the shift that lowers the
edit distance most is used, until none lowers it; the result is the shifts plus the remaining distance. Distances are
computed within a beam of 25 around the diagonal of the table, candidates come from one alignment with fixed
tie-breaking, and the search stops after 1000 candidates. These rules change the result, so they are kept. All pairs
take each step together, on arrays. Steps that cannot change the result are skipped (docs/statistics/metrics.md).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics import lib_ter

from mtsig.text import _beams
from mtsig.text._beams import STEEPEST, WIDTH, WINDOW, Alignments, Pairs, Rotation, Vocabulary, distances, spans
from mtsig.text._tokens import Integers, Rows

_BEAM_HOLDS = 2 * (WIDTH - 2)

MOST_STARTS = 2**14
"""Pairs of words that blocks may begin at which are looked at together; each has 10 blocks with 11 targets at most."""


def count_edits(parts: Sequence[tuple[Rows, Rows]], groups: Integers) -> Integers:
    """Return the edits of each group of pairs to its closest reference; shape (groups,).

    parts: as in `Pairs.joined`. groups: the number of each pair's group; every group has a pair.
    """
    pairs, vocabulary = Pairs.joined(parts)
    n, m = pairs.hypotheses.lengths, pairs.references.lengths
    edits = np.maximum(n, m)
    wide, steep = (n > 0) & (m > 0), m > STEEPEST * n
    for i in np.flatnonzero(wide & steep).tolist():
        edits[i] = _sacrebleus(pairs, i)
    some = np.flatnonzero(wide & ~steep)
    held = _distances(pairs.take(some), vocabulary, edits, some)
    floors = edits.copy()
    floors[some] = _floors(pairs.take(some), vocabulary)
    most = _fewest(edits, groups)
    hopeful = (edits - floors > 1) & (floors < most[groups])
    for beam in (False, True):
        chosen = some[(held != beam) & hopeful[some]]
        if len(chosen):
            edits[chosen] = _Search(pairs.take(chosen), vocabulary, edits[chosen], floors[chosen], beam).edits()
    return _fewest(edits, groups)


def _fewest(edits: Integers, groups: Integers) -> Integers:
    least = np.full(int(groups.max(initial=-1)) + 1, np.iinfo(np.intp).max)
    np.minimum.at(least, groups, edits)
    return least


def _sacrebleus(pairs: Pairs, i: int) -> int:
    """Return the edits of one pair as sacreBLEU itself finds them."""
    pair = pairs.take(np.array([i]))
    words = [lines.words[1:-1].tolist() for lines in (pair.hypotheses, pair.references)]
    return int(lib_ter.translation_edit_rate(*words)[0])


def _distances(pairs: Pairs, vocabulary: Vocabulary, edits: Integers, places: Integers) -> NDArray[np.bool_]:
    """Write the edit distances of pairs into `edits` at these places; return for which a beam makes no difference."""
    n, m = pairs.hypotheses.lengths, pairs.references.lengths
    short = np.flatnonzero(m < WINDOW)
    edits[places[short]] = distances(pairs.take(short), vocabulary, beam=False)
    held = np.zeros(len(pairs), dtype=bool)
    held[short] = (m[short] < WIDTH) | (edits[places[short]] + np.abs(m - n)[short] <= _BEAM_HOLDS)
    other = np.flatnonzero(~held)
    edits[places[other]] = distances(pairs.take(other), vocabulary, beam=True)
    return held


def _floors(pairs: Pairs, vocabulary: Vocabulary) -> Integers:
    """Return what no order of a hypothesis's words can bring the edit distance below."""
    lines = pairs.hypotheses
    some = lines.words > 0
    keys, counts = np.unique(lines.words[some] + len(vocabulary.counts) * lines.owner[some], return_counts=True)
    owners, words = np.divmod(keys, len(vocabulary.counts))
    in_common = np.bincount(owners, np.minimum(counts, vocabulary.counts[words]), minlength=len(pairs))
    return np.maximum(lines.lengths, pairs.references.lengths) - in_common.astype(np.intp)


class Shifted(NamedTuple):
    """What the shifts of one hypothesis do.

    order: shape (words,), the words as they stand after all shifts, by their first places. moved: shape (words,),
    whether a word, by its first place, was in a block that was shifted. shifts: how many blocks were.
    """

    order: Integers
    moved: NDArray[np.bool_]
    shifts: int


def shifted(hypothesis: Sequence[str], reference: Sequence[str]) -> Shifted:
    """Return what TER's shifts do to the words of one hypothesis; what cannot pay for itself is not looked for."""
    symbols = {word: symbol for symbol, word in enumerate(dict.fromkeys(reference), 1)}
    pairs, vocabulary = Pairs.joined([(_row(hypothesis, symbols), _row(reference, symbols))])
    n, m = len(hypothesis), len(reference)
    order, moved, shifts = np.arange(n), np.zeros(n, dtype=bool), 0
    if not n or not m:
        return Shifted(order, moved, 0)
    if m > STEEPEST * n:
        return _sacrebleus_shifts(pairs)
    edits = np.zeros(1, dtype=np.intp)
    held = _distances(pairs, vocabulary, edits, np.zeros(1, dtype=np.intp))
    floor = _floors(pairs, vocabulary)
    if edits[0] - floor[0] <= 1:
        return Shifted(order, moved, 0)
    search = _Search(pairs, vocabulary, edits, floor, beam=not held[0])
    search.edits()
    for done, rotations in search.done:
        for block, rotation in zip(np.transpose(done).tolist(), np.transpose(rotations).tolist(), strict=True):
            _, length, start, _ = block
            begin, behind, before = rotation
            moved[order[start : start + length]] = True
            both = slice(begin, begin + behind + before)
            order[both] = np.roll(order[both], -before)
            shifts += 1
    return Shifted(order, moved, shifts)


def _row(words: Sequence[str], symbols: Mapping[str, int]) -> Rows:
    numbers = np.array([*(symbols.get(word, 0) for word in words), 0], dtype=np.intp)
    return Rows(numbers, np.array([len(words)]), np.zeros(1, dtype=np.intp))


class _Word(str):
    """A word that keeps its place when sacreBLEU shifts it."""

    place: int

    @classmethod
    def of(cls, word: object, place: int) -> "_Word":
        made = cls(word)
        made.place = place
        return made


def _sacrebleus_shifts(pairs: Pairs) -> Shifted:
    """Return the shifts of one pair as sacreBLEU itself does them; which of two blocks it moved is not told."""
    words: list[str] = [_Word.of(word, place) for place, word in enumerate(pairs.hypotheses.words[1:-1].tolist())]
    theirs = [str(word) for word in pairs.references.words[1:-1].tolist()]
    distances_to = lib_ter.BeamEditDistance(theirs)
    shifts = checked = 0
    while True:
        gain, after, checked = lib_ter._shift(words, theirs, distances_to, checked)
        if gain <= 0 or checked >= lib_ter._MAX_SHIFT_CANDIDATES:
            break
        words, shifts = after, shifts + 1
    order = np.array([word.place for word in words if isinstance(word, _Word)], dtype=np.intp)
    return Shifted(order, np.zeros(len(order), dtype=bool), shifts)


class Shifts(NamedTuple):
    """Blocks to be shifted; shape (shifts,) each.

    pair: whose block it is. length, start: of the block. target: the place that it is to stand before.
    """

    pair: Integers
    length: Integers
    start: Integers
    target: Integers

    def take(self, some: Integers | NDArray[np.bool_]) -> "Shifts":
        return Shifts(*(part[some] for part in self))

    def rotations(self, n: Integers) -> Rotation:
        """Return what changes places in hypotheses of n words, shape (pairs,), if the shifts are done."""
        # sacreBLEU counts a target behind the block with the block's words, one within it without them.
        behind = self.target > self.start + self.length
        at = np.minimum(np.where(behind, self.target - self.length, self.target), n[self.pair] - self.length)
        over = np.abs(at - self.start)
        forward = at > self.start
        return Rotation(
            np.minimum(at, self.start), np.where(forward, over, self.length), np.where(forward, self.length, over)
        )


class _Search:
    """The search for shifts of many pairs, a shift of each at a time.

    done: the shifts of each time, and what they make change places.
    """

    def __init__(self, pairs: Pairs, vocabulary: Vocabulary, distance: Integers, floor: Integers, beam: bool) -> None:
        """Begin with pairs at this distance, of which no shift can bring them below the floor."""
        self._pairs, self._vocabulary, self._beam = pairs, vocabulary, beam
        self._distance, self._floor = distance, floor
        self._checked = np.zeros(len(pairs), dtype=np.intp)
        self.done: list[tuple[Shifts, Rotation]] = []

    def edits(self) -> Integers:
        """Return shifts and the distance that is left, added."""
        distance = self._distance.copy()
        place = np.arange(len(distance))
        shifts = 0
        while len(place):
            gain = self._shift()
            distance[place] -= np.maximum(gain - 1, 0)
            shifts += 1
            going = np.flatnonzero((gain > 0) & (self._distance - self._floor > 1))
            place = place[going]
            self._pairs = self._pairs.take(going)
            self._distance, self._floor = self._distance[going], self._floor[going]
            self._checked = self._checked[going]
        return distance

    def _shift(self) -> Integers:
        """Do the best shift of every pair; return by how much it lowers the distance, 0 where none does."""
        aligned = _beams.alignments(self._pairs, self._vocabulary, self._beam)
        shifts = _candidates(self._pairs, self._vocabulary, aligned, self._checked)
        shifts = shifts.take(self._checked[shifts.pair] < lib_ter._MAX_SHIFT_CANDIDATES)
        n = self._pairs.hypotheses.lengths
        rotations = shifts.rotations(n)
        # What the same shift leaves where it is does not lower the distance.
        moving = np.flatnonzero((rotations.behind > 0) & (rotations.before > 0))
        shifts, rotations = shifts.take(moving), Rotation(*(part[moving] for part in rotations))
        lower = _beams.shifted_distances(self._pairs, self._vocabulary, shifts.pair, rotations, self._beam)
        gains = self._distance[shifts.pair] - lower
        best = _best(shifts, gains, 1 + int(n.max(initial=0)))
        gain = np.zeros(len(n), dtype=np.intp)
        gain[shifts.pair[best]] = gains[best]
        self._distance = self._distance - gain
        done = shifts.take(best), Rotation(*(part[best] for part in rotations))
        self.done.append(done)
        self._pairs = _shifted(self._pairs, done[0].pair, done[1])
        return gain


def _best(shifts: Shifts, gains: Integers, most: int) -> Integers:
    """Return the positions of the shifts that Tercom ranks first, one for each pair that has one with a gain.

    The larger gain, then the longer block, the earlier start, the earlier target. Places are below `most`.
    """
    top = np.ones(int(shifts.pair.max(initial=-1)) + 1, dtype=np.intp)
    np.maximum.at(top, shifts.pair, gains)
    some = np.flatnonzero(gains == top[shifts.pair])
    pair, length, start, target = shifts.take(some)
    key = (length * most + (most - 1 - start)) * most + (most - 1 - target)
    order = np.lexsort((key, pair))
    return some[order[np.flatnonzero(np.diff(pair[order], append=-1))]]


def _shifted(pairs: Pairs, chosen: Integers, rotations: Rotation) -> Pairs:
    """Return the pairs with the words of some of them rotated."""
    begin, behind, before = rotations
    first = pairs.hypotheses.starts[chosen] + begin
    words = pairs.hypotheses.words.copy()
    words[spans(first, behind)] = pairs.hypotheses.words[spans(first + before, behind)]
    words[spans(first + behind, before)] = pairs.hypotheses.words[spans(first, before)]
    return pairs.with_words(words)


def _candidates(pairs: Pairs, vocabulary: Vocabulary, aligned: Alignments, checked: Integers) -> Shifts:
    """Return Tercom's candidates, and add to `checked` how many each pair has.

    Blocks that stand in the reference, too, contain a wrong word here and an unmatched one there, and are not aligned
    with themselves; each goes to where its words and the one before belong in the alignment. Where there are too many
    for sacreBLEU some may be left out.
    """
    proposed = []
    for pair, ours, theirs in _starts(pairs, vocabulary, checked):
        for shifts in _blocks(pairs, aligned, pair, ours, theirs):
            checked += np.bincount(shifts.pair, minlength=len(checked))
            proposed.append(shifts)
    empty = np.zeros(0, dtype=np.intp)
    return (
        Shifts(*(np.concatenate([empty, *parts]) for parts in zip(*proposed, strict=True)))
        if proposed
        else Shifts(empty, empty, empty, empty)
    )


def _starts(pairs: Pairs, vocabulary: Vocabulary, checked: Integers) -> Iterator[tuple[Integers, Integers, Integers]]:
    """Yield pair, place in all hypotheses' words and in all references' words of the same words that are not too far.

    Pairs whose candidates are too many by then are left out.
    """
    lines = pairs.hypotheses
    ours = np.flatnonzero(lines.words > 0)
    pair = lines.owner[ours]
    first, count = vocabulary.near(lines.words[ours], ours - lines.starts[pair], lib_ter._MAX_SHIFT_DIST)
    slices = np.cumsum(count) // MOST_STARTS
    for some in np.split(np.arange(len(ours)), np.flatnonzero(np.diff(slices)) + 1):
        some = some[checked[pair[some]] < lib_ter._MAX_SHIFT_CANDIDATES]
        owner = np.repeat(pair[some], count[some])
        theirs = pairs.references.starts[owner] + vocabulary.at(spans(first[some], count[some]))
        yield owner, np.repeat(ours[some], count[some]), theirs


def _blocks(pairs: Pairs, aligned: Alignments, pair: Integers, ours: Integers, theirs: Integers) -> Iterator[Shifts]:
    """Yield candidates by their length: of 1, of 2, and so on, as long as the words behind are the same, too."""
    wrong = wanted = np.zeros(len(pair), dtype=bool)
    for length in range(1, lib_ter._MAX_SHIFT_SIZE + 1):
        wrong = wrong | aligned.wrong[ours + length - 1]
        wanted = wanted | aligned.wanted[theirs + length - 1]
        start = ours - pairs.hypotheses.starts[pair]
        place = aligned.places[theirs]
        some = np.flatnonzero(wrong & wanted & ((place < start) | (place >= start + length)))
        targets = aligned.places[theirs[some, None] + np.arange(-1, length)] + 1
        anew = np.ones(targets.shape, dtype=bool)
        anew[:, 1:] = targets[:, 1:] != targets[:, :-1]
        block, offset = np.nonzero(anew)
        yield Shifts(pair[some[block]], np.full(len(block), length), start[some[block]], targets[block, offset])
        longer = np.flatnonzero(pairs.hypotheses.words[ours + length] == pairs.references.words[theirs + length])
        if not len(longer):
            break
        pair, ours, theirs = pair[longer], ours[longer], theirs[longer]
        wrong, wanted = wrong[longer], wanted[longer]
