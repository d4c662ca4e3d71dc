"""Outputs and references go in, TER's counts per segment come out (Snover et al. 2006), equal to sacreBLEU's."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mtsig.progress import report
from mtsig.text.chunks import Chunk, Integers, Lines, Stream, chunks
from mtsig.text.edits import count_edits
from mtsig.text.ngrams import Rows
from mtsig.text.tokens import split_at_spaces
from mtsig.text.words import word_rows

MOST_WORDS = 2**18
"""Words of hypotheses that are counted together: enough pairs that few of them wait for the last ones' many shifts."""


@dataclass(frozen=True, eq=False)
class _Cut:
    """A chunk whose lines are cut into words: hypotheses, and the references of each stream."""

    chunk: Chunk
    hypotheses: Rows
    streams: list[Rows]

    @property
    def size(self) -> int:
        """The number of words that are compared."""
        return len(self.hypotheses.symbols) * len(self.streams)

    def pairs(self) -> Iterator[tuple[Rows, Rows, Integers]]:
        """Yield for each stream the hypotheses that have a reference in it, the references, and which ones they are."""
        for stream in self.streams:
            chosen = np.flatnonzero(np.isin(self.hypotheses.segments, stream.segments))
            if len(chosen):
                yield self.hypotheses.take(chosen), stream, chosen

    def lengths(self) -> NDArray[np.float64]:
        """Return the mean length of each hypothesis's references; shape (hypotheses,)."""
        n = len(self.chunk)
        total = sum(np.bincount(stream.segments, stream.lengths, minlength=n) for stream in self.streams)
        count = sum(np.bincount(stream.segments, minlength=n) for stream in self.streams)
        return np.asarray(np.asarray(total / count)[self.hypotheses.segments])


def count_ter(
    outputs: Sequence[Lines], references: Sequence[Stream], tokenizer: Callable[[str], str]
) -> NDArray[np.float64]:
    """Count edits and words, and return shape (2, s, n).

    Rows: edits to the reference that needs the fewest, mean number of words of the references.
    """
    n = len(outputs[0])
    counts = np.empty((2, len(outputs), n))
    waiting: list[_Cut] = []
    for chunk in chunks(outputs, references):
        waiting.append(_cut(chunk, tokenizer))
        if sum(some_pairs.size for some_pairs in waiting) >= MOST_WORDS or chunk.stop == n:
            for pairs, edits in zip(waiting, _edits(waiting), strict=True):
                totals = np.array([edits, pairs.lengths()])
                counts[:, :, pairs.chunk.start : pairs.chunk.stop] = totals[:, pairs.chunk.places]
            waiting = []
        report(chunk.stop / n)
    return counts


def _cut(chunk: Chunk, tokenizer: Callable[[str], str]) -> _Cut:
    def cut(line: str) -> str:
        return tokenizer(line.rstrip())

    # sacreBLEU cuts references twice: "he's," gives the word he's the first time, and 's the second.
    twice = [column.mapped(cut).mapped(cut) for column in chunk.references]
    hypotheses, *streams = word_rows(
        Chunk(chunk.start, chunk.stop, chunk.hypotheses.mapped(cut), chunk.places, twice), split_at_spaces
    )
    return _Cut(chunk, hypotheses, streams)


def _edits(cuts: Sequence[_Cut]) -> Iterator[Integers]:
    """Yield the edits of each chunk's hypotheses."""
    parts, groups, first = [], [], [0]
    for cut in cuts:
        for hypotheses, references, chosen in cut.pairs():
            parts.append((hypotheses, references))
            groups.append(chosen + first[-1])
        first.append(first[-1] + len(cut.hypotheses.lengths))
    integers = count_edits(parts, np.concatenate(groups))
    for start, stop in pairwise(first):
        yield integers[start:stop]
