"""Word alignments of METEOR: two sentences go in, which words match in which stage and in how many chunks comes out.

Every word takes part in one match at most, and a stage matches only words that no stage before it has matched. A stage
makes as many matches as it can; of all the ways to do so it takes one with the fewest chunks, a chunk being a run of
matches that is contiguous and in the same order on both sides. To find the fewest chunks for certain is a hard problem
(minimum common string partition is one case of it; Goldstein, Kolman and Zheng 2004), so a beam looks for them: exact
where few words occur more than once, and a good answer where many do. (On 2,000 real segments a beam 16 times as wide
saves 3 of 11,598 chunks.) For hypotheses of more than `LONG` words it is narrower, so that each of their words costs no
more than those of shorter ones.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice, pairwise
from operator import or_
from typing import Any, NamedTuple, TypeAlias

BEAM = 64
"""Ways to align the words so far that are kept from one word to the next; METEOR's own program keeps 40."""

LONG = 1_000
"""Words of a hypothesis above which fewer ways are kept: as many less as it is longer."""

NONE = 1 << 30
"""The link of a word without a match: above every position, so that of equally good alignments the leftmost is less."""

Stage: TypeAlias = Callable[[str], Iterable[Hashable]]
"""What stands for a word in a stage: two words match when they have something of it in common."""


class _Places:
    """The reference words that some hypothesis words may match, from left to right, and as bits.

    Words that may match the same ones share one object, which is told from others by being itself: what is done for it
    need not be done for every word, and no list is compared with another.
    """

    def __init__(self, positions: tuple[int, ...]) -> None:
        """Take the positions in their order."""
        self.positions = positions
        self.bits = sum(1 << j for j in positions)


_NOWHERE = _Places(())


@dataclass(frozen=True)
class Alignment:
    """links: the reference position of each hypothesis word, or NONE. matches: number of matches of each stage."""

    links: tuple[int, ...]
    matches: tuple[int, ...]

    @property
    def chunks(self) -> int:
        """Number of chunks: runs of matches that are contiguous on both sides."""
        before = (NONE, *self.links)
        return sum(link not in (NONE, last + 1) for last, link in zip(before, self.links, strict=False))


def align(hypothesis: Sequence[str], reference: Sequence[str], stages: Sequence[Stage]) -> Alignment:
    """Return the alignment after all stages, one after the other."""
    links: tuple[int, ...] = (NONE,) * len(hypothesis)
    matches = []
    for stage in stages:
        extended = _extended(links, _candidates(hypothesis, reference, links, stage))
        matches.append(links.count(NONE) - extended.count(NONE))
        links = extended
    return Alignment(links, tuple(matches))


def _candidates(
    hypothesis: Sequence[str], reference: Sequence[str], links: Sequence[int], stage: Stage
) -> list[_Places]:
    """Return, for every free hypothesis word, the free reference words that match it."""
    places: defaultdict[Hashable, list[int]] = defaultdict(list)
    taken = set(links)
    for j, word in enumerate(reference):
        if j not in taken:
            for key in stage(word):
                places[key].append(j)
    of_word: dict[str, _Places] = {}
    same: dict[tuple[int, ...], _Places] = {(): _NOWHERE}
    for word in set(hypothesis):
        places_of = tuple(sorted({j for key in stage(word) for j in places.get(key, ())}))
        of_word[word] = same.get(places_of) or same.setdefault(places_of, _Places(places_of))
    return [of_word[word] if link == NONE else _NOWHERE for word, link in zip(hypothesis, links, strict=True)]


@dataclass(frozen=True)
class _Group:
    """Words that compete for partners: hypothesis positions, reference positions as bits, words that get no partner."""

    hypothesis: tuple[int, ...]
    reference: int
    spare: int

    @property
    def certain(self) -> bool:
        """Whether one word has one possible partner."""
        return len(self.hypothesis) == self.reference.bit_count() == 1


def _extended(links: tuple[int, ...], candidates: Sequence[_Places]) -> tuple[int, ...]:
    """Return the links with as many candidates added as can be, in as few chunks as the beam finds."""
    groups = _groups(candidates)
    certain = {group.hypothesis[0]: candidates[group.hypothesis[0]].positions[0] for group in groups if group.certain}
    links = tuple(certain.get(i, link) for i, link in enumerate(links))
    competing = [group for group in groups if not group.certain]
    if not competing:
        return links
    searched, lost = _searched(links, candidates, competing)
    # Where words may match what others of their group may not, the beam can fill up with ways that cannot match as many
    # words as can be, and have fewer chunks. Shared out, what one word takes is never what another one needs.
    return _extended(links, _shared_out(candidates, competing)) if lost else searched


def _searched(
    links: tuple[int, ...], candidates: Sequence[_Places], groups: Sequence[_Group]
) -> tuple[tuple[int, ...], int]:
    """Return the links with those of words that compete for partners added, and how many fewer than could be."""
    # The group of each word, and how many words of it stand before.
    place_of = {i: (group, before) for group in groups for before, i in enumerate(group.hypothesis)}
    beam = BEAM if len(links) <= LONG else max(1, BEAM * LONG // len(links))
    # Only the words from the first that competes to the one behind the last can change the number of chunks.
    start, stop = min(place_of), min(max(place_of) + 2, len(links))
    ends = {group.hypothesis[-1]: group.reference for group in groups}
    ways = [_Way(0, 0, 0, 0, links[start - 1] if start else NONE, None)]
    still_open = _union(ends.values())
    for i in range(start, stop):
        # No two groups have a word in common.
        still_open &= ~ends.get(i, 0)
        if i in place_of:
            group, before = place_of[i]
            steps = [step for way in ways for step in _steps(way, candidates[i].bits, group, before, beam)]
        else:
            steps = [_as_before(way, links[i]) for way in ways]
        ways = _best(steps, still_open, i in place_of, beam)
    alignments = []
    trail = ways[0].trail
    while trail is not None:
        trail, link = trail
        alignments.append(link)
    return links[:start] + tuple(reversed(alignments)) + links[stop:], ways[0].lost


class _Way(NamedTuple):
    """One way to link the words so far.

    order: its place when all ways are sorted by their links. used: the reference words, as bits, that it has used of
    groups that are still open. trail: what it goes on from, and its last link; copies of all links would cost as much
    as all words before, at every word.
    """

    lost: int
    chunks: int
    order: int
    used: int
    last: int
    trail: Any


class _Step(NamedTuple):
    """How a way goes on at the next word, at the same price: the links that the word may take, in their order."""

    lost: int
    chunks: int
    order: int
    used: int
    trail: Any
    choices: Iterable[int]


def _as_before(way: _Way, link: int) -> _Step:
    """Return the step over a word that is linked already, or has no candidate."""
    chunks = way.chunks + (link not in (NONE, way.last + 1))
    return _Step(way.lost, chunks, way.order, way.used, way.trail, (link,))


def _steps(way: _Way, candidates: int, group: _Group, before: int, beam: int) -> Iterator[_Step]:
    """Yield the steps that a word of a group may take: those that make no new chunk, and those that do.

    candidates: its partners as bits. before: how many words of the group stand before it. beam: ways that are kept.
    """
    lost, chunks, order, used, last, trail = way
    free = candidates & ~used
    without = before - (used & group.reference).bit_count()
    spare = (NONE,) if without < group.spare else ()
    if not free and not spare:
        yield _Step(lost + 1, chunks, order, used, trail, (NONE,))
        return
    follows = (last + 1,) if last != NONE and free >> last + 1 & 1 else ()
    if follows or spare:
        yield _Step(lost, chunks, order, used, trail, follows + spare)
    others = free & ~(1 << last + 1) if follows else free
    if others:
        # Those that a way does not reach in so many steps have as many better ones before them.
        yield _Step(lost, chunks + 1, order, used, trail, islice(_positions(others), beam))


def _best(steps: Sequence[_Step], still_open: int, linking: bool, beam: int) -> list[_Way]:
    """Return the best ways that the steps lead to, best first.

    Of ways that used the same words of the groups that are still open, and end alike, only the best is kept: they have
    the same future. linking: whether the word is linked here, so that it uses a word of the reference. beam: ways
    that are kept.
    """
    best: dict[tuple[int, int], tuple[_Step, int]] = {}
    for step in sorted(steps):
        for choice in step.choices:
            used = step.used | 1 << choice if linking and choice != NONE else step.used
            best.setdefault((used & still_open, choice), (step, choice))
            if len(best) == beam:
                break
        if len(best) == beam:
            break
    sorted_links = sorted((step.order, choice) for step, choice in best.values())
    order = {key: place for place, key in enumerate(sorted_links)}
    return [
        _Way(step.lost, step.chunks, order[step.order, choice], used, choice, (step.trail, choice))
        for (used, choice), (step, _) in best.items()
    ]


def _positions(bits: int) -> Iterator[int]:
    """Yield the positions of the bits that are set, the lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _union(sets: Iterable[int]) -> int:
    return reduce(or_, sets, 0)


def _groups(candidates: Sequence[_Places]) -> list[_Group]:
    """Return the groups of words that candidates connect."""
    words_of: defaultdict[_Places, list[int]] = defaultdict(list)
    for i, places in enumerate(candidates):
        if places is not _NOWHERE:
            words_of[places].append(i)
    alike: defaultdict[int, list[_Places]] = defaultdict(list)
    for places in words_of:
        for j in places.positions:
            alike[j].append(places)
    seen: set[_Places] = set()
    reached: set[int] = set()
    groups = []
    for start in words_of:
        if start in seen:
            continue
        seen.add(start)
        members = [start]
        for places in members:  # it grows
            new = [j for j in places.positions if j not in reached]
            reached.update(new)
            for j in new:
                members += [other for other in alike[j] if other not in seen]
                seen.update(alike[j])
        hypothesis = tuple(sorted(i for places in members for i in words_of[places]))
        spare = len(hypothesis) - sum(_most_matches({places: len(words_of[places]) for places in members}).values())
        groups.append(_Group(hypothesis, _union(places.bits for places in members), spare))
    return groups


def _shared_out(candidates: Sequence[_Places], groups: Sequence[_Group]) -> list[_Places]:
    """Return candidates of which no two words have some, but not all, in common, and that allow as many matches."""
    shared = list(candidates)
    for group in groups:
        words_of: defaultdict[_Places, list[int]] = defaultdict(list)
        for i in group.hypothesis:
            words_of[candidates[i]].append(i)
        matches = _most_matches({places: len(words) for places, words in words_of.items()})
        places_of = _by_words(words_of)
        for number, words in enumerate(words_of.values()):
            mine: list[int] = []
            for numbers, places in places_of.items():
                count = matches[number, numbers]
                # Of what nobody behind needs, these words may choose.
                others = any(matches[other, numbers] for other in numbers if other > number)
                taken = len(places) if count and not others else count
                mine += places[:taken]
                places_of[numbers] = places[taken:]
            part = _Places(tuple(sorted(mine))) if mine else _NOWHERE
            for i in words:
                shared[i] = part
    return shared


def _by_words(words: Iterable[_Places]) -> dict[tuple[int, ...], list[int]]:
    """Return the reference positions by the words, as numbers, that they are candidates of."""
    of_place: defaultdict[int, list[int]] = defaultdict(list)
    for number, places in enumerate(words):
        for j in places.positions:
            of_place[j].append(number)
    places_of: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for j, numbers in sorted(of_place.items()):
        places_of[tuple(numbers)].append(j)
    return dict(places_of)


def _most_matches(words: Mapping[_Places, int]) -> Counter[tuple[int, tuple[int, ...]]]:
    """Return a maximum matching: how many words of a number match reference words that those numbers may match.

    words: how many words have these candidates. Words with the same candidates, and candidates of the same words, are
    taken together: a maximum flow between such classes (Edmonds and Karp 1972), of which there are few, however often
    a word is repeated.
    """
    if len(words) == 1:
        ((places, count),) = words.items()
        return Counter({(0, (0,)): min(count, len(places.positions))})
    room = Counter({numbers: len(places) for numbers, places in _by_words(words).items()})
    classes: list[list[tuple[int, ...]]] = [[] for _ in words]
    for numbers in room:
        for number in numbers:
            classes[number].append(numbers)
    flow: Counter[tuple[int, tuple[int, ...]]] = Counter()
    for number, count in enumerate(words.values()):
        while count and (path := _augmenting(number, classes, flow, room)):
            back = [(later, numbers) for (_, numbers), (later, _) in pairwise(path)]
            by = min(count, room[path[-1][1]], *(flow[edge] for edge in back))
            flow.update(dict.fromkeys(path, by))
            flow.subtract(dict.fromkeys(back, by))
            room[path[-1][1]] -= by
            count -= by
    return flow


def _augmenting(
    start: int,
    classes: Sequence[Sequence[tuple[int, ...]]],
    flow: Counter[tuple[int, tuple[int, ...]]],
    room: Counter[tuple[int, ...]],
) -> list[tuple[int, tuple[int, ...]]]:
    """Return the shortest way from a class of words to a class of candidates with room, as pairs of both; or nothing.

    From one pair to the next, words that have a candidate of the former's class take one of the latter's.
    """
    came: dict[int, tuple[int, tuple[int, ...]] | None] = {start: None}
    for words in (waiting := [start]):  # it grows
        for numbers in classes[words]:
            if room[numbers]:
                path = [(words, numbers)]
                while (before := came[path[-1][0]]) is not None:
                    path.append(before)
                return path[::-1]
            for other in numbers:
                if other not in came and flow[other, numbers]:
                    came[other] = (words, numbers)
                    waiting.append(other)
    return []
