"""Reference overlap: find systems that share more text with a reference than independent translations do.

A reference that was made by editing a system's output, or that the system learnt from, gives points that no other
system can have. Two kinds of traces tell: whole lines that are the reference's, and, where an editor changed a word in
every line, long stretches of words that are. Ordinary systems have such lines and stretches, too, the more the easier a
text is and the better they are; so a system is held against the others.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import compress
from statistics import median
from typing import NamedTuple

from mtsig._memory import remembered
from mtsig.corpus import Corpus
from mtsig.corpus._annotations import ORIGINS
from mtsig.corpus._notes import is_human, listed, runs_by_name
from mtsig.text._characters import UNSPACED

MANY_OTHERS = 6
"""From this many other systems on, their median and the next of them are what ordinary systems have."""

TWICE = 2
"""How many times as much as the next system a kin has at least."""

FEW_WORDS = 2
"""Lines of so few words are equal by chance: greetings, headings, names."""

ITSELF = 0.8
"""From this share of equal lines on, an output is the reference itself, or nearly: none to hold others against."""

PART = 0.1
"""From this share of its lines on, a reference is one of those that a system was put together from."""

COPIED = 10
"""So many longer lines are all equal where an output is the reference itself: fewer, a good system may have."""

MOST_SAMPLED = 500
"""Lines, spread over the text, in which stretches are sought: some thousands of them tell as much as all do."""

WORDS, CHARACTERS = 8, 14
"""Length of a stretch, in words, and in characters where a text has no spaces."""

_UNIT = "lines of more than two words"
_UNSPACED = "".join(f"{chr(first)}-{chr(last)}" for first, last in UNSPACED)
_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")
_ONE_UNSPACED = re.compile(f"[{_UNSPACED}]")


@dataclass(frozen=True)
class ReferenceOverlap:
    """A system that shares far more text with a reference than others do.

    shared: number of the reference's `of` units that the system has. next_shared: the same number for the system with
    the next largest overlap. next_system: that system's name (None if no other system has any). unit: the kind of unit,
    in words. itself: whether the system is the reference or a copy of it; then it is not compared with other systems.
    copied: whether nearly all of its lines are lines of references. spliced: whether a file says that the reference was
    combined from outputs of systems, including this one.

    Examples
    --------
    >>> from mtsig.metrics import ReferenceOverlap
    >>> ReferenceOverlap("B", "refA", 60, 80, "C", 20).brief
    "'B' has text of reference 'refA'"
    """

    system: str
    reference: str
    shared: int
    of: int
    next_system: str | None
    next_shared: int
    unit: str = _UNIT
    itself: bool = False
    copied: bool = False
    spliced: bool = False

    @property
    def where(self) -> str:
        """Names of the two texts, as in findings."""
        return f"system {self.system!r} and reference {self.reference!r}"

    @property
    def brief(self) -> str:
        """The relation of the system to the reference, in a few words without numbers."""
        return f"{self.system!r} {'is' if self.itself else 'has text of'} reference {self.reference!r}"

    @property
    def amount(self) -> str:
        """The size of the overlap, for use next to the system's name."""
        return (
            "the reference itself" if self.itself else f"{self.shared:,} {self.unit.split()[0]} are the reference's own"
        )

    @property
    def fact(self) -> str:
        """The overlap of system and reference, as a part of a sentence."""
        if self.spliced:
            return f"{self.shared:,} of {self.of:,} segments of reference {self.reference!r} are {self.system!r} itself"
        if self.itself:
            equal = f"all {self.of:,} {self.unit} are equal"
            return f"{self.system!r} is reference {self.reference!r} itself ({equal})"
        return f"{self.system!r} has {self.shared:,} of the {self.of:,} {self.unit} of reference {self.reference!r}"

    @property
    def sentence(self) -> str:
        """The finding, in one sentence."""
        if self.itself or self.spliced:
            return f"{'' if self.spliced else 'System '}{self.fact}."
        following = f"the next system, {self.next_system!r}, has {self.next_shared:,}"
        return f"System {self.fact} word for word; {following if self.next_system else 'no other has any'}."


class Rule(NamedTuple):
    """When shares are too unlike for ordinary systems.

    over: by how much a kin's share is above the median of the others, MANY_OTHERS or more; step: by how much more for
    each that is missing. least: how many units it has at least.
    """

    over: float
    step: float
    least: int

    def holds(self, own: int, others: Sequence[int], of: int) -> bool:
        """Return whether a system that has `own` of `of` units stands out."""
        if own < self.least or own < TWICE * max(others):
            return False
        needed = self.over + self.step * max(0, MANY_OTHERS - len(others))
        return own - float(median(others)) >= needed * of


LINES = Rule(0.10, 0.02, 30)
STRETCHES = Rule(0.25, 0.01, 500)
"""How often they err was counted on the ordinary systems of 19 sets, and on parts of them (docs/checks.md)."""


class Shares(NamedTuple):
    """How many of a reference's `of` units each system has."""

    counts: Mapping[str, int]
    of: int


# The data checks ask, and every metric.
@remembered(most=64, by=lambda corpus, digest: (digest, len(corpus), *corpus.systems))
def kin_and_copies(corpus: Corpus, digest: str) -> tuple[ReferenceOverlap, ...]:
    """Return the systems that overlap a reference, then its copies; found once for each digest."""
    del digest  # by it they are known
    return (*kin_of(corpus), *references_among(corpus))


def kin_of(corpus: Corpus) -> tuple[ReferenceOverlap, ...]:
    """Return the systems that are kin to a reference, by reference: mostly one for each, and their runs.

    Systems without text are left out; of several runs the one that has most counts. Systems that are runs of one by
    their names (X.run1, X.run2) are not held against each other, and each of them that stands out is kin. References
    among the systems, known by their name or their lines, are neither kin nor what a kin is held against. Systems that
    stand beside the corpus are, but what they are kin to is not told. Nothing is found without references, or with
    fewer than two systems besides. Systems with nearly all lines of a reference, or of several in turn, come last.
    """
    if not corpus.references:
        return ()
    told = _spliced(corpus)
    kept, corpus = corpus.systems, corpus.with_those_beside()
    corpus = replace(corpus, references={name: text for name, text in corpus.references.items() if name not in told})
    if not corpus.references:
        return tuple(kin for kins in told.values() for kin in kins)
    lines = {name: equal_lines(corpus, reference) for name, reference in corpus.references.items()}
    systems = [
        name
        for name, runs in corpus.systems.items()
        if runs
        and not is_human(name)
        and all(shares.counts[name] < ITSELF * shares.of for shares in lines.values() if shares.of)
    ]
    together = _equal_to_any(corpus) if len(lines) > 1 else next(iter(lines.values()))
    systems = [name for name in systems if not together.of or together.counts[name] < ITSELF * together.of]
    groups = list(runs_by_name(systems).values())
    kins = _by_traces(corpus, lines, groups) if len(groups) > 1 else []
    known = {kin.system for kin in kins}
    kins += _near_copies(corpus, lines, together, [name for name in systems if name not in known])
    return (*(kin for own in told.values() for kin in own), *(kin for kin in kins if kin.system in kept))


def spliced_text(kins: Sequence[ReferenceOverlap]) -> str:
    """Return from which outputs the segments of one reference were taken."""
    shares, first = listed([f"{kin.system!r} ({kin.shared:,})" for kin in kins]), kins[0]
    return (
        f"Segments of reference {first.reference!r} were taken from outputs: {shares}, of {first.of:,}. Scores against "
        "it are inflated."
    )


def _spliced(corpus: Corpus) -> dict[str, list[ReferenceOverlap]]:
    """Return the systems that references were put together from, as a file says, by reference."""
    found = {}
    for name, origins in corpus.annotations.get(ORIGINS, {}).items():
        counts, of = Counter(map(str, filter(None, origins))), len(origins)
        found[name] = [
            ReferenceOverlap(system, name, counts[system], of, None, 0, "segments", spliced=True)
            for system in corpus.systems
            if counts[system]
        ]
    return {name: kins for name, kins in found.items() if name in corpus.references}


def _by_traces(corpus: Corpus, lines: Mapping[str, Shares], groups: Sequence[Sequence[str]]) -> list[ReferenceOverlap]:
    """Return the systems that stand out by lines or stretches, of groups of runs."""
    size, unit = size_of_stretches(corpus)
    stretches = equal_stretches(corpus.select([name for group in groups for name in group]), size)
    kins: list[ReferenceOverlap] = []
    for name in corpus.references:
        by_lines = _kin(LINES, name, lines[name], groups, _UNIT)
        by_stretches = _kin(STRETCHES, name, stretches[name], groups, f"stretches of {size} {unit}")
        # Mostly the two are one system: it is told once.
        told = {kin.system for kin in by_lines}
        kins += [*by_lines, *(kin for kin in by_stretches if kin.system not in told)]
    return kins


def _near_copies(
    corpus: Corpus, lines: Mapping[str, Shares], together: Shares, others: Sequence[str]
) -> list[ReferenceOverlap]:
    """Return the systems nearly all of whose lines are a reference's, or now one's and now another's.

    others: ordinary systems. A text may be so easy that good ones are right in most lines: the others have half as many
    at most, and are no fewer. Copies of a whole reference are told by `references_among`.
    """
    whole = {name for shares in lines.values() for name in _copies(shares)}
    near = [
        name
        for name, own in together.counts.items()
        if own >= max(COPIED, ITSELF * together.of) and name not in whole and not is_human(name)
    ]
    if not others or len(runs_by_name(near)) > len(runs_by_name(others)):
        return []
    most = max(together.counts[name] for name in others)
    kins = []
    for name in near:
        if together.counts[name] < TWICE * most:
            continue
        for reference in _parts(corpus, name):
            counts = lines[reference].counts
            beside = max(others, key=counts.__getitem__)
            shared = counts[beside]
            next_system = beside if shared else None
            kins.append(
                ReferenceOverlap(name, reference, counts[name], lines[reference].of, next_system, shared, copied=True)
            )
    return kins


def _parts(corpus: Corpus, system: str) -> list[str]:
    """Return the references that a system was put together from: that with most lines first, then what others add."""
    equal: dict[str, set[int]] = {
        name: {
            number
            for run in corpus.systems[system]
            for number, (output, line) in enumerate(zip(corpus.outputs[run], lines, strict=True))
            if line is not None and _is_longer(line) and output.strip() == line.strip()
        }
        for name, lines in corpus.references.items()
    }
    least, parts, covered = PART * len(set().union(*equal.values())), [], set[int]()
    while (best := max(equal, key=lambda name: len(equal[name] - covered))) not in parts:
        if len(equal[best] - covered) < max(least, 1):
            break
        parts.append(best)
        covered |= equal[best]
    return parts


def references_among(corpus: Corpus) -> tuple[ReferenceOverlap, ...]:
    """Return the systems that are a reference themselves, or a copy of one, by reference: scored against it they win.

    Lines tell it, not names: people's translation that is no reference is not among them. All longer lines are equal,
    and no other system has half as many: where systems transcribe, or texts are easy, a good one may be right in most
    lines, or in all. `kin_of` leaves copies out.
    """
    found: list[ReferenceOverlap] = []
    for reference, text in corpus.references.items():
        shares = equal_lines(corpus, text)
        copies = _copies(shares)
        if shares.of >= TWICE * max((own for name, own in shares.counts.items() if name not in copies), default=0):
            found += [ReferenceOverlap(name, reference, shares.of, shares.of, None, 0, itself=True) for name in copies]
    return tuple(found)


def _copies(shares: Shares) -> list[str]:
    """Return the systems that have all of a reference's longer lines, where those are enough to tell."""
    return [name for name, own in shares.counts.items() if own == shares.of >= COPIED]


def _kin(
    rule: Rule, reference: str, shares: Shares, groups: Sequence[Sequence[str]], unit: str
) -> list[ReferenceOverlap]:
    """Return the system that stands out, if one does; of a group of runs each that stands out."""
    count = shares.counts
    most = [max(group, key=count.__getitem__) for group in groups]
    first, second = sorted(range(len(groups)), key=lambda number: -count[most[number]])[:2]
    others = [count[name] for number, name in enumerate(most) if number != first]
    next_system, beside = most[second], count[most[second]]
    return [
        ReferenceOverlap(name, reference, count[name], shares.of, next_system if beside else None, beside, unit)
        for name in groups[first]
        if rule.holds(count[name], others, shares.of)
    ]


def equal_lines(corpus: Corpus, reference: Sequence[str | None]) -> Shares:
    """Return how many of the reference's longer lines each system with text has."""
    # Bytes, not pairs of numbers and lines: of a large test set those would take as much room as a system.
    longer = bytes(line is not None and _is_longer(line) for line in reference)

    def count(run: str) -> int:
        pairs = zip(compress(corpus.outputs[run], longer), compress(reference, longer), strict=True)
        return sum([output.strip() == (line or "").strip() for output, line in pairs])

    return Shares(_most(corpus, count), sum(longer))


def _equal_to_any(corpus: Corpus) -> Shares:
    """Return how many segments there are with a longer line in some reference, and in how many each system has it."""
    longer = [
        {line.strip() for line in lines if line is not None and _is_longer(line)}
        for lines in zip(*corpus.references.values(), strict=True)
    ]

    def count(run: str) -> int:
        return sum([output.strip() in lines for output, lines in zip(corpus.outputs[run], longer, strict=True)])

    return Shares(_most(corpus, count), sum(map(bool, longer)))


def _most(corpus: Corpus, count: Callable[[str], int]) -> dict[str, int]:
    """Return the count of every system with text: of its runs, that which has most."""
    return {name: max(count(run) for run in runs) for name, runs in corpus.systems.items() if runs}


def _is_longer(line: str) -> bool:
    """Return whether a line has more than FEW_WORDS; where there are no spaces, two characters are taken for a word."""
    words = line.split(maxsplit=2 * FEW_WORDS + 1)
    # A line of many pieces has more words than that, whatever they are made of.
    if len(words) > 2 * FEW_WORDS:
        return True
    return sum(0.5 if _ONE_UNSPACED.match(token) else 1.0 for token in _TOKEN.findall(line)) > FEW_WORDS


def size_of_stretches(corpus: Corpus) -> tuple[int, str]:
    """Return how long stretches are to be, and of what: of characters where most tokens are such without spaces."""
    lines = [line for reference in corpus.references.values() for line in list(reference)[:MOST_SAMPLED] if line]
    tokens = [token for line in lines for token in _TOKEN.findall(line)]
    unspaced = sum(_ONE_UNSPACED.match(token) is not None for token in tokens)
    return (CHARACTERS, "characters") if 2 * unspaced > len(tokens) else (WORDS, "words")


def equal_stretches(corpus: Corpus, size: int) -> dict[str, Shares]:
    """Return how many stretches of each reference's sampled lines stand in the same line of each system."""
    if not corpus.references:
        return {}
    count = min(len(corpus), MOST_SAMPLED)
    numbers = [number * len(corpus) // count for number in range(count)]
    references = {
        name: [_stretches(lines[number] or "", size) for number in numbers] for name, lines in corpus.references.items()
    }
    counts: dict[str, dict[str, int]] = {name: {} for name in references}
    for run, lines in corpus.outputs.items():
        own = [_told_apart(_tokens(lines[number] or "")) for number in numbers]
        for name, stretches in references.items():
            counts[name][run] = sum(_standing(some, line, size) for line, some in zip(own, stretches, strict=True))
    return {
        name: Shares(_most(corpus, counts[name].__getitem__), sum(map(len, stretches)))
        for name, stretches in references.items()
    }


_LONG_LINE = 1_000
"""Characters from which on the stretches of a line are looked up, each, in those of another: no search of the line."""


def _standing(stretches: Set[str], line: str, size: int) -> int:
    """Return how many stretches stand in a line that is told apart."""
    if len(line) > _LONG_LINE:
        return len(stretches & _stretches_of(line[1:-1].split(" "), size))
    return sum(map(line.__contains__, stretches))


def _stretches(line: str, size: int) -> set[str]:
    """Return the n-grams of `size` tokens of a line, as they stand in a line that is told apart."""
    return _stretches_of(_tokens(line), size)


def _stretches_of(tokens: Sequence[str], size: int) -> set[str]:
    return {_told_apart(tokens[start : start + size]) for start in range(len(tokens) - size + 1)}


def _tokens(line: str) -> list[str]:
    # Splitting at spaces takes a fifth of the time, and gives the same where every word has them.
    return _TOKEN.findall(line) if _ONE_UNSPACED.search(line) else line.split()


def _told_apart(tokens: Sequence[str]) -> str:
    """Return tokens as text with a space around each: one such text stands in another where its tokens do."""
    return f" {' '.join(tokens)} "


UNTRANSLATED = 0.9
"""From this share of its lines on, an output that repeats the source, or has nothing, is no translation."""


def untranslated(corpus: Corpus) -> dict[str, str]:
    """Return the systems whose lines are nearly all those of the source, or empty, each with that in words."""
    sources, found = corpus.segments.sources, {}
    for name, lines in corpus.outputs.items():
        known = [(line.strip(), number) for number, line in enumerate(lines) if line is not None]
        needed = UNTRANSLATED * len(known)
        if known and sum(not line for line, _ in known) >= needed:
            found[name] = f"{name!r} is empty"
        elif known and sources is not None and sum(line == sources[at].strip() for line, at in known) >= needed:
            found[name] = f"{name!r} is the source, not translated"
    return found
