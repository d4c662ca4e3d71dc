"""Units over sets: documents or segments of several sets go in, the number of each over all sets comes out."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mtsig.arrays import Index
from mtsig.corpus import Corpus, Note, number_of
from mtsig.metrics import ResolvedUnit, Statistics, Unit, block_places, blocks_of
from mtsig.sets.collection import SetStatistics

_Key: TypeAlias = tuple[str | int | None, ...]
"""What a unit is known by: the same in several sets where it is the same unit."""


@dataclass(frozen=True, eq=False)
class SharedUnits:
    """Which units the sets have, each numbered once over all sets.

    of: set -> the numbers of its units, shape (units,), in the order of its statistics at the unit of inference.
    kinds: set -> segment, block or document. by_id: documents that were matched by their ids alone. blocks_of: set ->
    the number of the block of every segment, of the sets whose units are blocks.
    """

    of: Mapping[str, NDArray[np.int64]]
    kinds: Mapping[str, ResolvedUnit]
    by_id: int
    blocks_of: Mapping[str, Index] = field(default_factory=dict)

    def at(self, name: str, statistics: Statistics) -> Statistics:
        """Return the statistics of a set at its unit."""
        if name not in self.blocks_of or statistics.clustered:
            return statistics.at(self.kinds[name])
        return replace(statistics.summed_by(self.blocks_of[name], "block"), neighbours=statistics.order)

    def grouped(self, name: str, statistics: Statistics) -> Statistics:
        """Return the statistics of a set by segment, with its blocks in the place of documents where it has some."""
        blocks = self.blocks_of.get(name)
        return statistics if blocks is None else replace(statistics, document_of=blocks)

    @cached_property
    def shared(self) -> int:
        """How many units are in more than one set."""
        return int(np.count_nonzero(np.bincount(np.concatenate(list(self.of.values()))) > 1))

    def blocks(self, names: Sequence[str]) -> list[list[str]]:
        """Return the sets in blocks: those that share a unit, directly or through others, are in one."""
        return [[names[i] for i in block] for block in joined([self.of[name] for name in names])]

    @property
    def notes(self) -> tuple[Note, ...]:
        """What is one unit in several sets, and what that rests on."""
        kinds = set(self.kinds.values())
        kind = "document" if "document" in kinds else "block" if "block" in kinds else "segment"
        notes = []
        if self.shared:
            together = sum(len(block) for block in self.blocks(list(self.of)) if len(block) > 1)
            verb = "occurs" if self.shared == 1 else "occur"
            notes.append(
                f"{number_of(self.shared, kind, ',')} {verb} in several of {together} sets; each is one unit in all of "
                "them."
            )
        if self.by_id:
            verb = "is" if self.by_id == 1 else "are"
            notes.append(
                f"{number_of(self.by_id, 'document', ',')} {verb} taken for the same in several sets by the id alone, "
                "as source lines are missing."
            )
        return tuple(Note("note", text) for text in notes)


def joined(units: Sequence[NDArray[np.int64]]) -> list[list[int]]:
    """Return the numbers of the sets of units in blocks that share none, in the order of their first sets."""
    block = list(range(len(units)))
    first: dict[int, int] = {}
    # Most units of most collections are in one set, and join nothing.
    common = np.bincount(np.concatenate(units)) > 1
    for number, own in enumerate(units):
        shared = own[common[own]].tolist()
        met = {block[first[unit]] for unit in shared if unit in first} | {number}
        block = [min(met) if index in met else index for index in block]
        for unit in shared:
            first.setdefault(unit, number)
    return [[i for i, group in enumerate(block) if group == number] for number in dict.fromkeys(block)]


def units_over(statistics: SetStatistics, unit: Unit = "auto", *, by_order: bool = True) -> SharedUnits:
    """Return the units of all sets, numbered as they first appear.

    A document is the same in several sets when it has the same id and the same source lines; by the id alone where one
    of the sets that have it has no source. A segment is when the sources of the whole sets are the same, by its
    position. Sets of the same sources of which one is judged by blocks are all cut at the same places, into as many
    blocks as that of them with the fewest. by_order: as for `Statistics.at`.

    >>> import mtsig
    >>> from mtsig.sets import Sets, measure, units_over
    >>> corpus = mtsig.read_sample()
    >>> halves = Sets.of({"first": corpus.take(range(100)), "second": corpus.take(range(100, 200))})
    >>> units_over(measure(halves, "chrf")).kinds
    {'first': 'document', 'second': 'document'}

    Raises:
        NotApplicable: documents are asked for, and a set has none.
    """
    kinds: dict[str, ResolvedUnit] = {
        name: statistics_of.at(unit, by_order=by_order).unit for name, statistics_of in statistics.of.items()
    }
    blocks = _blocks(statistics, kinds)
    kinds |= dict.fromkeys(blocks, "block")
    keys: dict[str, list[_Key]] = {
        name: _documents(statistics.sets[name], part)
        if kinds[name] == "document"
        else _segments(statistics, name, blocks.get(name))
        for name, part in statistics.of.items()
    }
    by_id: Counter[str | int | None] = Counter()
    if statistics.sharing == "separate":
        keys = {name: [(name, *own) for own in many] for name, many in keys.items()}
    else:
        # An id that a set without source has cannot be told apart by source lines in the others.
        bare = {key[1] for many in keys.values() for key in many if key[0] == "document" and key[2] is None}
        for name, many in keys.items():
            keys[name] = [key[:2] if key[0] == "document" and key[1] in bare else key for key in many]
            by_id.update(key[1] for key in keys[name] if key[0] == "document" and len(key) == 2)
    numbers: dict[_Key, int] = {}
    units = {
        name: np.array([numbers.setdefault(key, len(numbers)) for key in many], dtype=np.int64)
        for name, many in keys.items()
    }
    # What is not counted may empty a block: in their set they are numbered from 0 on, as documents are.
    numbered = {name: np.unique(places, return_inverse=True)[1] for name, places in blocks.items()}
    return SharedUnits(units, kinds, sum(count > 1 for count in by_id.values()), numbered)


def _blocks(statistics: SetStatistics, kinds: Mapping[str, ResolvedUnit]) -> dict[str, Index]:
    """Return the number of the block of every segment, of the sets whose units are blocks."""
    by_source: dict[str, list[str]] = {}
    for name in statistics.of:
        by_source.setdefault(_source(statistics, name), []).append(name)
    found: dict[str, Index] = {}
    for names in by_source.values():
        parts = {name: statistics.of[name] for name in names}
        own = {name: blocks_of(part) for name, part in parts.items() if kinds[name] == "block" and not part.clustered}
        if not own or len(names) == 1 or any(kinds[name] == "document" or parts[name].clustered for name in names):
            found |= own
            continue
        fewest = min(int(places.max()) + 1 for places in own.values())
        for name in names:
            places = block_places(len(statistics.sets[name]), fewest)
            numbers = statistics.of[name].numbers
            found[name] = places if numbers is None else places[numbers]
    return found


def _source(statistics: SetStatistics, name: str) -> str:
    """Return what sets of the same sources have in common; where sets are separate, or have none, their name."""
    sources = statistics.sets[name].segments.sources
    return f"set {name}" if sources is None or statistics.sharing == "separate" else _digest(sources)


def with_few_documents(statistics: SetStatistics, units: SharedUnits) -> list[str]:
    """Return the sets whose segments are units though they have documents, beside sets whose documents are units."""
    few = [name for name, kind in units.kinds.items() if kind == "segment" and statistics.sets[name].documents]
    return few if "document" in units.kinds.values() else []


def _documents(corpus: Corpus, statistics: Statistics) -> list[_Key]:
    """Return ("document", id, digest of its source lines or None) of every document that is counted."""
    names, sources = corpus.documents or (), corpus.segments.sources
    lines: dict[str, list[str]] = {}
    for i, name in enumerate(names):
        lines.setdefault(name, []).append("" if sources is None else sources[i])
    counted = range(len(corpus)) if statistics.numbers is None else statistics.numbers.tolist()
    return [
        ("document", name, None if sources is None else _digest(lines[name]))
        for name in dict.fromkeys(names[i] for i in counted)
    ]


def _segments(statistics: SetStatistics, name: str, blocks: Index | None) -> list[_Key]:
    """Return ("segment", the set's source digest or its name, position) of every segment, or block, that is counted."""
    corpus, part, where = statistics.sets[name], statistics.of[name], _source(statistics, name)
    if part.clustered:
        return [("block", where, part.n, i) for i in range(part.n)]
    counted = range(len(corpus)) if part.numbers is None else part.numbers.tolist()
    if blocks is None:
        return [("segment", where, i) for i in counted]
    return [("block", where, int(blocks.max()) + 1, i) for i in np.unique(blocks).tolist()]


def _digest(lines: Sequence[str]) -> str:
    digest = hashlib.sha256(str(list(map(len, lines))).encode())
    digest.update("".join(lines).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
