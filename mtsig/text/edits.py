"""Two segments go in, the edits of TER between them come out (Snover et al. 2006), equal to sacreBLEU's.

sacreBLEU follows Tercom: blocks of the hypothesis are shifted, one after the other and each time the one that lowers
the edit distance most, until none does; the shifts and the distance that is left are added. Distances are found within
a beam of 25 around the diagonal of the table, candidates come from one alignment whose ties are broken in a fixed
order, and after 1000 candidates it stops. All of that decides the number, and is kept. Saved is what cannot change it:

Beam. Let d be the edit distance between n and m words, and t = j − i the diagonal of a cell (i, j) on a path of
length d. Then |t| + |t − (m − n)| ≤ d: the path needs |t| edits at least to get there, and the others to get on from
there. The centre of the beam in row i is ⌊i·m/n⌋, on a diagonal q between 0 and m − n, so |t − q| is at most the larger
of |t| and |t − (m − n)|, which is at most (d + |m − n|)/2. The beam reaches from the centre − 25 to the centre + 24,
and rounding may put the centre one too low. So if d + |m − n| ≤ 46 every shortest path lies in the beam: the distance
is d, elsewhere a lower bound, and the alignment is what a table without a beam gives. With m ≤ 24 all is in it.

Floor. A shift keeps the words, so no shift brings the distance below max(n, m) − (words in common). A shift costs one
edit: if the distance is at most one above the floor, shifts can at best break even.

Candidates. Those that do not lower the distance are never performed. Bit-parallel distances (rapidfuzz) say which
could be the best; only outside the limit of the beam above are these then checked with sacreBLEU's own distance.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz.distance import LCSseq, Levenshtein
from rapidfuzz.process import cdist
from sacrebleu.metrics import lib_ter

_tercom: Any = lib_ter  # its functions take texts as well as the lists of words that their signatures speak of

_BEAM_HOLDS = 2 * (lib_ter._BEAM_WIDTH - 2)


def fewest_edits(hypothesis: str, references: Sequence[str]) -> int:
    """Return the edits to the reference that needs the fewest; a character stands for a word."""
    floors = [_floor(hypothesis, reference) for reference in references]
    best: int | None = None
    for floor, reference in sorted(zip(floors, references, strict=True)):
        # Edits are never fewer than the floor, and the floors only rise from here.
        if best is not None and floor >= best:
            break
        edits = count_edits(hypothesis, reference)
        best = edits if best is None else min(best, edits)
    return best or 0


def count_edits(hypothesis: str, reference: str) -> int:
    """Return the edits that sacreBLEU's `translation_edit_rate` counts; a character stands for a word."""
    if not hypothesis or not reference:
        return len(hypothesis) + len(reference)
    reference_side = _Reference(reference, len(hypothesis))
    floor = _floor(hypothesis, reference)
    distance = reference_side.distance(hypothesis)
    shifts = checked = 0
    while distance - floor > 1:
        candidates = _candidates(hypothesis, reference, reference_side.alignment(hypothesis, distance), checked)
        checked += len(candidates)
        best = None if checked >= lib_ter._MAX_SHIFT_CANDIDATES else reference_side.best(candidates, distance)
        if best is None:
            break
        hypothesis, distance, shifts = best.shifted, distance - best.gain, shifts + 1
    return shifts + distance


def _floor(hypothesis: str, reference: str) -> int:
    """Return what no order of the hypothesis's words can bring the edit distance below."""
    # The longest common subsequence of sorted words is what the two have in common as bags.
    in_common = LCSseq.similarity("".join(sorted(hypothesis)), "".join(sorted(reference)))
    return int(max(len(hypothesis), len(reference)) - in_common)


class Alignment(NamedTuple):
    """Where words stand, from one shortest list of edits.

    places: for each word of the reference that of the hypothesis it belongs to, or behind which it is missing (−1:
    before the first). wrong, wanted: 1 for each word of the hypothesis, of the reference, that is not matched.
    """

    places: list[int]
    wrong: list[int]
    wanted: list[int]


class Shift(NamedTuple):
    """A shift as Tercom ranks them: the largest is the best. The start and the target stand with a minus."""

    gain: int
    length: int
    start: int
    target: int
    shifted: str


@dataclass(frozen=True, eq=False)
class _Reference:
    """What is asked of a reference about hypotheses of one length; `n` is their number of words."""

    words: str
    n: int

    def distance(self, hypothesis: str) -> int:
        """Return sacreBLEU's edit distance."""
        lower = Levenshtein.distance(hypothesis, self.words)
        return lower if self._beam_holds(lower) else self._in_beam(hypothesis)[0]

    def alignment(self, hypothesis: str, distance: int) -> Alignment:
        """Return sacreBLEU's alignment of a hypothesis at this distance."""
        if self._beam_holds(distance):
            return align(hypothesis, self.words)
        trace = _tercom._flip_trace(self._in_beam(hypothesis)[1])
        places, wanted, wrong = _tercom.trace_to_alignment(trace)
        return Alignment([places[j] for j in range(len(self.words))], wrong, wanted)

    def best(self, candidates: Sequence[Shift], distance: int) -> Shift | None:
        """Return the best of the shifts that bring the distance below this one, or None if none does."""
        if not candidates:
            return None
        (lower,) = cdist([self.words], [one.shifted for one in candidates], scorer=Levenshtein.distance)
        gains = distance - lower.astype(np.int64)
        hopeful = [candidates[i]._replace(gain=int(gains[i])) for i in np.flatnonzero(gains > 0).tolist()]
        best: Shift | None = None
        for most in sorted(hopeful, reverse=True):
            if best is not None and most < best:
                break
            gain = most.gain if self._beam_holds(distance - most.gain) else distance - self._in_beam(most.shifted)[0]
            if gain > 0:
                one = most._replace(gain=gain)
                best = one if best is None else max(best, one)
        return best

    def _beam_holds(self, distance: int) -> bool:
        """Return whether the beam holds every path of this length, and so every shorter one."""
        return len(self.words) < lib_ter._BEAM_WIDTH or distance + abs(len(self.words) - self.n) <= _BEAM_HOLDS

    @cached_property
    def _in_beam(self) -> Any:
        return _tercom.BeamEditDistance(self.words)


def align(hypothesis: str, reference: str) -> Alignment:
    """Return the alignment that sacreBLEU's distance leads to without a beam.

    The table's differences are found row by row with the bits of whole numbers (Myers 1999, Hyyrö 2003). Backwards
    from its end sacreBLEU prefers a match or substitution, then a word too many, then a missing one.
    """
    steps = list(_steps(hypothesis, reference))
    wrong, wanted = [1] * len(hypothesis), [1] * len(reference)
    places = [-1] * len(reference)
    i, j = len(hypothesis), len(reference)
    while i and j:
        same, diagonal, longer = steps[i - 1]
        bit = 1 << (j - 1)
        if same & bit:
            wrong[i - 1] = wanted[j - 1] = 0
        if same & bit or not diagonal & bit:
            i, j = i - 1, j - 1
            places[j] = i
        elif longer & bit:
            i -= 1
        else:
            j -= 1
            places[j] = i - 1
    return Alignment(places, wrong, wanted)


def _steps(hypothesis: str, reference: str) -> Iterator[tuple[int, int, int]]:
    """Yield for every word of the hypothesis three sets of the reference's words, bit j − 1 for word j.

    Those that are the same word; those where the distance of the prefixes is that of both prefixes without their last
    word; those where it is one more than that without the last word of the hypothesis.
    """
    places: dict[str, int] = {}
    for j, word in enumerate(reference):
        places[word] = places.get(word, 0) | 1 << j
    mask = (1 << len(reference)) - 1
    up, down = mask, 0
    for word in hypothesis:
        same = places.get(word, 0)
        diagonal = ((((same & up) + up) ^ up) | same | down) & mask
        longer = (down | ~(diagonal | up)) & mask
        shorter = diagonal & up
        yield same, diagonal, longer
        # The distance of an empty reference grows with every word of the hypothesis: hence the 1.
        shifted = longer << 1 | 1
        up = (shorter << 1 | ~(diagonal | shifted)) & mask
        down = shifted & diagonal & mask


def _candidates(hypothesis: str, reference: str, alignment: Alignment, checked: int) -> list[Shift]:
    """Return Tercom's candidates in sacreBLEU's order, without their gains, until it would stop.

    Blocks that stand in the reference, too, contain a wrong word here and an unmatched one there, and are not aligned
    with themselves; each goes to where its words and the one before belong in the alignment.
    """
    places, wrong, wanted = alignment
    found: list[Shift] = []
    for start, first, longest in _common_blocks(hypothesis, reference):
        targets = [places[first - 1] + 1 if first else 0]
        any_wrong = any_wanted = 0
        for length in range(1, longest + 1):
            last = first + length - 1
            any_wrong |= wrong[start + length - 1]
            any_wanted |= wanted[last]
            if places[last] + 1 != targets[-1]:
                targets.append(places[last] + 1)
            if any_wrong and any_wanted and not start <= places[first] < start + length:
                block, rest = hypothesis[start : start + length], hypothesis[:start] + hypothesis[start + length :]
                for target in targets:
                    at = target - length if target > start + length else target
                    found.append(Shift(0, length, -start, -target, rest[:at] + block + rest[at:]))
                if checked + len(found) >= lib_ter._MAX_SHIFT_CANDIDATES:
                    return found
    return found


def _common_blocks(hypothesis: str, reference: str) -> Iterator[tuple[int, int, int]]:
    """Yield the longest block from every pair of starts: (start in the hypothesis, start in the reference, length)."""
    places: dict[str, list[int]] = {}
    for j, word in enumerate(reference):
        places.setdefault(word, []).append(j)
    for i, word in enumerate(hypothesis):
        for j in places.get(word, ()):
            if abs(j - i) > lib_ter._MAX_SHIFT_DIST:
                continue
            most = min(lib_ter._MAX_SHIFT_SIZE, len(hypothesis) - i, len(reference) - j)
            length = 1
            while length < most and hypothesis[i + length] == reference[j + length]:
                length += 1
            yield i, j, length
