"""The form of a file of counts: its columns, and what stands in its metadata under the key `mtsig`.

A row is one system on one segment, or one document, of one set: columns hold its number and what metrics counted. What
is needed beside the numbers (metrics, signatures, digests, notes) is in the metadata.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, Self

import msgspec
import numpy as np

from mtsig.corpus import Note
from mtsig.corpus.notes import About
from mtsig.counts.counted import CountedUnit
from mtsig.metrics import Kin

FORMAT = 1
"""Version of the form; a file of another one is refused."""

KEY = b"mtsig"


NAMES = ("set", "system", "document")


class KeptNote(msgspec.Struct, omit_defaults=True):
    """A note in a file: what it is about is written only where it is about something."""

    level: Literal["note", "warning"]
    text: str
    about: About = ""

    @classmethod
    def of(cls, notes: Iterable[Note]) -> tuple[Self, ...]:
        """Return notes as they are kept."""
        return tuple(cls(note.level, note.text, note.about) for note in notes)


def notes_of(kept: Iterable[KeptNote]) -> tuple[Note, ...]:
    """Return notes as they were."""
    return tuple(Note(note.level, note.text, note.about) for note in kept)


class OfMetric(msgspec.Struct):
    """What one metric counted on one set, but for the numbers: `name` stands before the columns of its k statistics.

    choice: the metric as it was asked for; counted: with what the data decided. kinships: the kin, how many others
    there are, and whether there are other references.
    """

    choice: str
    counted: str
    name: str
    k: int
    whole: bool
    systems: tuple[str, ...]
    signature: str
    doubt: str
    notes: tuple[KeptNote, ...]
    kinships: tuple[tuple[Kin, int, bool], ...]
    higher_is_better: bool
    decimals: int


class OfSet(msgspec.Struct):
    """One set: its rows for each system, its digest, which columns its text has, what to know of it, its metrics."""

    name: str
    units: int
    systems: tuple[str, ...]
    digest: str
    has_documents: bool
    has_sources: bool
    notes: tuple[KeptNote, ...]
    metrics: tuple[OfMetric, ...]


class Head(msgspec.Struct):
    """What stands in the metadata. counting: the version of how the program counts."""

    format: int
    mtsig: str
    counting: int
    unit: CountedUnit
    sets: tuple[OfSet, ...]


def columns_of(sets: Sequence[OfSet]) -> dict[str, np.dtype[Any]]:
    """Return the columns of the statistics, each with the type that holds them in all sets."""
    kinds: dict[str, np.dtype[Any]] = {}
    for of in sets:
        for head in of.metrics:
            kind = np.dtype(np.float32 if head.whole else np.float64)
            for column in statistics_columns(head):
                kinds[column] = np.promote_types(kinds.get(column, kind), kind)
            kinds[size_column(head)] = np.dtype(np.int64)
    return kinds


def statistics_columns(head: OfMetric) -> list[str]:
    """Return the columns of a metric's statistics."""
    return [f"{head.name} {number}" for number in range(1, head.k + 1)]


def size_column(head: OfMetric) -> str:
    """Return the column of how many segments a metric counted of a document."""
    return f"{head.name} segments"
