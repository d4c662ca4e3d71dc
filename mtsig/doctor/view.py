"""View: a corpus as the checks see it, with what several of them need worked out once."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mtsig.arrays import Floats
from mtsig.corpus import Corpus
from mtsig.doctor.finding import Named
from mtsig.doctor.likeness import Lines, counts_of, mean_of, weighted, weights_of
from mtsig.metrics import ReferenceOverlap, kin_and_copies

MOST_SEGMENTS = 5_000
"""Segments that checks of likeness look at; of more, stretches spread over the set."""

STRETCHES = 10

MOST_KEPT = 20_000_000
"""Counts remembered between checks, 8 bytes each."""


class View:
    """A corpus, its texts by what they are called in messages, and vectors of their lines.

    corpus: all segments. sample: those that checks of likeness look at; numbers: shape (n,), which these are in the
    whole of the data, from 0.
    """

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        places = sampled(len(corpus))
        self.sample = corpus if len(places) == len(corpus) else corpus.take(places)
        self.numbers = np.array(self.sample.numbers, dtype=np.int64) - 1
        self._counts: dict[int, tuple[Sequence[str | None], sparse.csr_matrix]] = {}
        self._kept = 0

    def counts(self, lines: Sequence[str | None]) -> sparse.csr_matrix:
        """Return the counts of n-grams of sampled lines, remembered as long as there is room."""
        if id(lines) in self._counts:
            return self._counts[id(lines)][1]
        counts = counts_of(lines)
        if self._kept + counts.nnz <= MOST_KEPT:
            self._kept += counts.nnz
            # The lines are kept with their counts, so that no other lines can have their id.
            self._counts[id(lines)] = (lines, counts)
        return counts

    def in_whole(self, segments: Iterable[int]) -> list[int]:
        """Return the numbers, from 0, that segments of the corpus have in the whole of the data."""
        return [self.corpus.numbers[segment] - 1 for segment in segments]

    @cached_property
    def texts(self) -> dict[Named, Sequence[str | None]]:
        """All texts: source, references and systems."""
        columns: dict[Named, Sequence[str | None]] = {}
        if self.corpus.segments.sources is not None:
            columns[Named("source")] = self.corpus.segments.sources
        columns |= {Named("reference", name): lines for name, lines in self.corpus.references.items()}
        return columns | {Named("system", name): lines for name, lines in self.corpus.outputs.items()}

    @cached_property
    def guides(self) -> Mapping[str, Sequence[str | None]]:
        """What the sampled lines are held against: the references, or without any the outputs of other systems."""
        return self.sample.references or dict(list(self.sample.outputs.items())[:3])

    @property
    def has_guides(self) -> bool:
        """Whether there is anything to hold a system's lines against."""
        return bool(self.sample.references) or len(self.sample.outputs) > 1

    @cached_property
    def weights(self) -> Floats:
        """The weight of every n-gram, from the guides."""
        return weights_of([self.counts(lines) for lines in self.guides.values()])

    @cached_property
    def guide_lines(self) -> dict[str, Lines]:
        """The guides as vectors."""
        return {name: weighted(self.counts(lines), self.weights) for name, lines in self.guides.items()}

    @cached_property
    def guide(self) -> Lines:
        """The mean of the guides: one vector per segment."""
        return mean_of(list(self.guide_lines.values()))

    def guide_for(self, run: str) -> Lines:
        """Return what a run is held against: never itself."""
        if self.sample.references or run not in self.guide_lines:
            return self.guide
        others = [lines for name, lines in self.guide_lines.items() if name != run]
        return mean_of(others)

    def vectors(self, run: str) -> Lines:
        """Return the sampled lines of a run as vectors."""
        return weighted(self.counts(self.sample.outputs[run]), self.weights)

    @cached_property
    def kin(self) -> tuple[ReferenceOverlap, ...]:
        """The systems that are kin to a reference."""
        return tuple(kin for kin in kin_and_copies(self.corpus, self.corpus.digest) if not kin.itself)

    @cached_property
    def own(self) -> dict[str, Floats]:
        """How like its guide every sampled line of every run is; shape (n,) each."""
        return {run: self.vectors(run).like(self.guide_for(run)) for run in self.sample.outputs}


def sampled(n: int) -> NDArray[np.int64]:
    """Return the numbers of the segments that checks of likeness look at: all, or stretches from start to end."""
    if n <= MOST_SEGMENTS:
        return np.arange(n)
    length = MOST_SEGMENTS // STRETCHES
    starts = np.linspace(0, n - length, STRETCHES).astype(np.int64)
    return np.unique((starts[:, None] + np.arange(length)).ravel())
