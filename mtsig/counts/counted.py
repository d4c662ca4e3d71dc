"""What a file of counts holds: statistics of test sets, without any text."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

from mtsig.corpus import Corpus, Note, counted_names, listed
from mtsig.errors import UnknownName
from mtsig.metrics import Statistics
from mtsig.version import VERSION

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
