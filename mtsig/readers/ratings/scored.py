"""Scored: what a file says of one rating, before it is known which corpus it belongs to."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import ErrorSpan, Note
from mtsig.errors import ReadError
from mtsig.limits import refuse_above, refuse_sparse
from mtsig.readers.ratings.sheet import Direction, Sheet


@dataclass(frozen=True)
class Place:
    """Where a score belongs, in one or several of the ways that files say it, and the line that says so.

    number: the segment, from 1. document, index: a document, and the segment's number in it, from 1. by_documents: the
    segment's number when documents are sorted by their ids (WMT's direct assessment). row: the segment from 0, give or
    take a first line that is no segment (ESA). item: the id that a benchmark gave it.
    """

    line: int
    number: int | None = None
    document: str | None = None
    index: int | None = None
    by_documents: int | None = None
    row: int | None = None
    item: str | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """What makes two places the same, whatever lines name them."""
        return self.number, self.document, self.index, self.by_documents, self.row, self.item

    @property
    def text(self) -> str:
        """The place in words."""
        if self.document is not None and self.index is not None:
            return f"segment {self.index} of document {self.document}"
        if self.item is not None:
            return f"item {self.item}"
        numbers = (self.number, self.by_documents, self.row)
        return f"segment {next(index for index in numbers if index is not None)}"


class Marked(NamedTuple):
    """An error that was marked in an output: of a system, at the place of this key; see `mtsig.corpus.Marking`."""

    system: str
    key: tuple[object, ...]
    error: ErrorSpan
    text: str | None = None
    first: int | None = None
    last: int | None = None


@dataclass(frozen=True, eq=False)
class Scored:
    """One rating in a file: `values` of shape (s, p), s systems at p places, NaN where there is no score.

    label: the file. column: what names this rating in it, None when it is the only one. declared: the direction that
    the file's own name declares. in_order: whether no column says which segment a row is, so that the rows are all the
    segments, in order. marked: errors that were marked in the outputs; what they are called is not yet known.
    repeats: (system, place), by position -> the scores of an output that was rated more than once, of which `values`
    has the mean.
    """

    name: str
    systems: tuple[str, ...]
    places: tuple[Place, ...]
    values: NDArray[np.float64]
    label: str
    column: str | None = None
    judge: str | None = None
    declared: Direction | None = None
    notes: tuple[Note, ...] = ()
    in_order: bool = False
    marked: tuple[Marked, ...] = ()
    repeats: Mapping[tuple[int, int], tuple[float, ...]] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The rating, with the judge who gave it."""
        return self.name if self.judge is None else f"{self.name}@{self.judge}"

    @property
    def segments(self) -> int:
        """At how many places some system has a score."""
        return int((~np.isnan(self.values)).any(axis=0).sum())


class Cells:
    """Scores of one rating as they are read, row by row."""

    def __init__(self, sheet: Sheet, several: Literal["refused", "averaged"] = "refused") -> None:
        self._sheet, self._several = sheet, several
        self._places: dict[tuple[object, ...], Place] = {}
        self._scores: dict[str, dict[tuple[object, ...], tuple[float, int]]] = {}
        self._more: dict[tuple[str, tuple[object, ...]], list[float]] = {}

    def add(self, system: str, place: Place, score: float, line: int | None = None) -> None:
        """Take one score in; `line` says where it stands when that is not where the place was first named.

        Raises:
            ReadError: there is no name of a system, or one score too many for this place.
        """
        own, key, line = self._scores.get(system), place.key, place.line if line is None else line
        if own is None:
            own = self._new(system, line)
        if key not in self._places:
            self._places[key] = place
        if key in own:
            self._again(system, place, score, line)
            return
        own[key] = score, line

    def _new(self, system: str, line: int) -> dict[tuple[object, ...], tuple[float, int]]:
        name = system.strip()
        if not name:
            raise ReadError(f"{self._sheet.at(line)}: the name of the system is empty.")
        return self._scores.setdefault(name, {})

    def _again(self, system: str, place: Place, score: float, line: int) -> None:
        first = self._scores[system.strip()][place.key]
        if self._several == "refused":
            raise ReadError(
                f"{self._sheet.at(line)}: {system.strip()} has a second score for {place.text}; the first is on line "
                f"{first[1]}. If several people rated, say who in a column called judge."
            )
        self._more.setdefault((system.strip(), place.key), [first[0]]).append(score)

    def __bool__(self) -> bool:
        """Return whether anything was taken in."""
        return bool(self._places)

    def scored(
        self,
        name: str,
        column: str | None = None,
        judge: str | None = None,
        declared: Direction | None = None,
        notes: Iterable[Note] = (),
    ) -> Scored:
        """Return what was taken in; several scores of one place are averaged."""
        refuse_above("max_systems", len(self._scores), self._sheet.label)
        filled = sum(map(len, self._scores.values()))
        refuse_sparse(len(self._scores) * len(self._places), filled, self._sheet.label)
        order = {key: position for position, key in enumerate(self._places)}
        values = np.full((len(self._scores), len(order)), np.nan)
        for row, own in enumerate(self._scores.values()):
            values[row, [order[key] for key in own]] = [score for score, _ in own.values()]
        rows = {system: row for row, system in enumerate(self._scores)}
        repeats: dict[tuple[int, int], tuple[float, ...]] = {}
        for (system, key), scores in self._more.items():
            known = tuple(score for score in scores if not np.isnan(score))
            values[rows[system], order[key]] = sum(known) / len(known) if known else np.nan
            repeats[rows[system], order[key]] = known
        places = tuple(self._places.values())
        label, found_notes = self._sheet.label, (*self._sheet.notes, *notes)
        about = (label, column, judge, declared, found_notes)
        return Scored(name, tuple(self._scores), places, values, *about, repeats=repeats)


def of_judges(
    cells: dict[str | None, Cells], name: str, column: str | None, declared: Direction | None, notes: Sequence[Note]
) -> list[Scored]:
    """Return one Scored for each judge, or the one there is without judges."""
    return [
        sheet.scored(name, column, judge, declared, notes if position == 0 else ())
        for position, (judge, sheet) in enumerate(cells.items())
    ]
