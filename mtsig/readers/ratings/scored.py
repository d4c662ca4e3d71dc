"""Scored: what a file says of one rating, before it is known which corpus it belongs to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import Note
from mtsig.errors import ReadError
from mtsig.readers.ratings.sheet import Direction, Sheet


@dataclass(frozen=True)
class Place:
    """Where a score belongs, in one or several of the ways that files say it, and the line that says so.

    number: the segment, from 1. document, index: a document, and the segment's number in it, from 1. by_documents: the
    segment's number when documents are sorted by their ids (WMT's direct assessment). row: the segment from 0, give or
    take a first line that is no segment (ESA).
    """

    line: int
    number: int | None = None
    document: str | None = None
    index: int | None = None
    by_documents: int | None = None
    row: int | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """What makes two places the same, whatever lines name them."""
        return self.number, self.document, self.index, self.by_documents, self.row

    @property
    def text(self) -> str:
        """The place in words."""
        if self.document is not None and self.index is not None:
            return f"segment {self.index} of document {self.document}"
        numbers = (self.number, self.by_documents, self.row)
        return f"segment {next(one for one in numbers if one is not None)}"


@dataclass(frozen=True, eq=False)
class Scored:
    """One rating in a file: `values` of shape (s, p), s systems at p places, NaN where there is no score.

    label: the file. column: what names this rating in it, None when it is the only one. declared: the direction that
    the file's own name declares.
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
        self._scores: dict[str, dict[tuple[object, ...], list[float]]] = {}
        self._lines: dict[tuple[str, tuple[object, ...]], int] = {}

    def add(self, system: str, place: Place, score: float) -> None:
        """Take one score in.

        Raises:
            ReadError: there is no name of a system, or one score too many for this place.
        """
        system = system.strip()
        if not system:
            raise ReadError(f"{self._sheet.at(place.line)}: the name of the system is empty.")
        self._places.setdefault(place.key, place)
        found = self._scores.setdefault(system, {}).setdefault(place.key, [])
        first = self._lines.setdefault((system, place.key), place.line)
        if found and self._several == "refused":
            raise ReadError(
                f"{self._sheet.at(place.line)}: {system} has a second score for {place.text}; the first is on line "
                f"{first}. If several people rated, say who in a column called judge."
            )
        found.append(score)

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
        order = {key: position for position, key in enumerate(self._places)}
        values = np.full((len(self._scores), len(order)), np.nan)
        for row, scores in enumerate(self._scores.values()):
            for key, found in scores.items():
                known = [score for score in found if not np.isnan(score)]
                if known:
                    values[row, order[key]] = sum(known) / len(known)
        places = tuple(self._places.values())
        label, found_notes = self._sheet.label, (*self._sheet.notes, *notes)
        return Scored(name, tuple(self._scores), places, values, label, column, judge, declared, found_notes)


def of_judges(
    cells: dict[str | None, Cells], name: str, column: str | None, declared: Direction | None, notes: Sequence[Note]
) -> list[Scored]:
    """Return one Scored for each judge, or the one there is without judges."""
    return [
        one.scored(name, column, judge, declared, notes if position == 0 else ())
        for position, (judge, one) in enumerate(cells.items())
    ]
