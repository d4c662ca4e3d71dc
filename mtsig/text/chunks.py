"""Outputs and references go in, chunks of segments come out: small enough to count at once, each translation once."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.intp]
Lines: TypeAlias = Sequence[str]
Stream: TypeAlias = Sequence[str | None]
"""One reference per segment, None where there is none."""

MOST_CHARACTERS = 2**17
"""Characters of text per chunk: its arrays then fit a processor's cache, and memory stays bounded."""


@dataclass(frozen=True, eq=False)
class Column:
    """Some lines of a chunk and the segment of each, counted from the start of the chunk, ascending."""

    lines: list[str]
    segments: Integers

    def mapped(self, change: Callable[[str], str]) -> "Column":
        """Return the column with every line changed."""
        return replace(self, lines=[change(line) for line in self.lines])


@dataclass(frozen=True, eq=False)
class Chunk:
    """The segments from `start` to before `stop`.

    hypotheses: the distinct translations. places: shape (s, stop − start), where among them every output's stands.
    references: the lines of every stream, without those that are missing.
    """

    start: int
    stop: int
    hypotheses: Column
    places: Integers
    references: list[Column]

    def __len__(self) -> int:
        """Return the number of segments."""
        return self.stop - self.start

    def mapped(self, change: Callable[[str], str]) -> "Chunk":
        """Return the chunk with every line changed."""
        references = [column.mapped(change) for column in self.references]
        return replace(self, hypotheses=self.hypotheses.mapped(change), references=references)


def chunks(outputs: Sequence[Lines], references: Sequence[Stream]) -> Iterator[Chunk]:
    """Yield the chunks of all segments in order; a translation that several outputs share stands in them once."""
    n = len(outputs[0])
    start = size = 0
    for stop, lines in enumerate(zip(*outputs, *references, strict=True), 1):
        size += sum([len(line) for line in lines if line is not None])
        if size >= MOST_CHARACTERS or stop == n:
            yield _chunk(outputs, references, start, stop)
            start, size = stop, 0


def _chunk(outputs: Sequence[Lines], references: Sequence[Stream], start: int, stop: int) -> Chunk:
    lines: list[str] = []
    counts: list[int] = []
    places: list[Sequence[int]] = []
    for translations in zip(*(output[start:stop] for output in outputs), strict=True):
        seen = dict.fromkeys(translations)
        if len(seen) == len(translations):
            places.append(range(len(lines), len(lines) + len(seen)))
        else:
            number = dict(zip(seen, count(len(lines)), strict=False))
            places.append([number[line] for line in translations])
        lines += seen
        counts.append(len(seen))
    distinct = Column(lines, np.repeat(np.arange(stop - start), counts))
    where = np.array(places, dtype=np.intp).T
    return Chunk(start, stop, distinct, where, [_given(stream[start:stop]) for stream in references])


def _given(lines: Stream) -> Column:
    given = [(i, line) for i, line in enumerate(lines) if line is not None]
    return Column([line for _, line in given], np.array([i for i, _ in given], dtype=np.intp))
