"""The table that counts stand in: what is written and read, the columns and the metadata, and where it lies."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import IO, Any, Literal, Self, TypeAlias

import msgspec
import numpy as np

from mtsig.corpus import About, Corpus, Note, counted_names, listed
from mtsig.errors import ReadError, UnknownName, said_by
from mtsig.metrics import ReferenceOverlap, Statistics
from mtsig.version import VERSION
from mtsig.writing import whole_file

CountedUnit: TypeAlias = Literal["segment", "document"]


@dataclass(frozen=True, eq=False, repr=False)
class Counted:
    """Counts of one test set.

    statistics: of every metric. corpus: the set without its text: systems, documents, and digests in place of source
    lines, which tell what is the same in several sets. notes: what to know of its text.
    """

    statistics: tuple[Statistics, ...]
    corpus: Corpus
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Counts:
    """Counts of test sets by their names, as a file holds them.

    mtsig: the version of the program that counted.
    """

    of: Mapping[str, Counted]
    unit: CountedUnit
    mtsig: str = VERSION

    def __repr__(self) -> str:
        """Return the metrics and the sets, in one line."""
        metrics = listed([part.metric.name for part in next(iter(self.of.values())).statistics])
        return f"<Counts of {metrics} by {self.unit}: {counted_names('set', self.of)}>"

    def __getitem__(self, name: str) -> Counted:
        """Return the counts of a set.

        Raises:
            UnknownName: there is no such set.
        """
        if name not in self.of:
            raise UnknownName(f"There is no test set called {name!r}. Known: {', '.join(self.of)}.")
        return self.of[name]

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """What to know of the sets, each named where there are several."""
        alone = len(self.of) == 1
        return tuple(
            note if alone else replace(note, text=f"{name}: {note.text}")
            for name, part in self.of.items()
            for note in part.notes
        )


@contextmanager
def opened(address: str | Path, mode: Literal["rb", "wb"]) -> Iterator[IO[bytes]]:
    """Yield the file at a path, or wherever fsspec finds it; at a path it is there when it is whole.

    Raises:
        ReadError: it cannot be opened, read or written.
    """
    what = "read" if mode == "rb" else "written"
    try:
        with _file(address, mode, what) as file:
            yield file
    except FileNotFoundError:
        raise ReadError(f"{address}: there is no such file.") from None
    except OSError as error:
        raise ReadError(f"{address}: cannot be {what} ({error.strerror or said(error)}).") from None


def _file(address: str | Path, mode: Literal["rb", "wb"], what: str) -> AbstractContextManager[IO[bytes]]:
    if "://" not in str(address):
        path = Path(address).expanduser()
        if mode == "rb":
            return path.open("rb")
        path.parent.mkdir(parents=True, exist_ok=True)
        return whole_file(path.resolve())
    try:
        import fsspec  # here, because only addresses need it

        opened: AbstractContextManager[IO[bytes]] = fsspec.open(str(address), mode)
    except (ImportError, ValueError) as error:  # its words for an address that it cannot serve
        raise ReadError(f"{address}: cannot be {what} here ({said(error)}).") from None
    return opened


def said(error: Exception) -> str:
    """Return the first line of an error's own words."""
    return said_by(error, "the library for such addresses gives no reason", 200)


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

    metric_spec: str
    counted: str
    name: str
    k: int
    whole: bool
    systems: tuple[str, ...]
    signature: str
    data_caveat: str
    notes: tuple[KeptNote, ...]
    kinships: tuple[tuple[ReferenceOverlap, int, bool], ...]
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
