"""Addresses: the columns of a table that say which segment a row speaks of."""

from collections.abc import Sequence, Set
from dataclasses import dataclass

from mtsig.errors import ReadError
from mtsig.readers.names import DOCUMENTS, IN_DOCUMENT, SEGMENTS, SENTENCE
from mtsig.readers.ratings.scored import Place
from mtsig.readers.ratings.sheet import Row, Sheet, columns_called, number_at


@dataclass(frozen=True)
class Addresses:
    """The positions of the columns that name a segment; None for those that a table does not have."""

    segment: int | None
    document: int | None
    index: int | None

    @classmethod
    def of(cls, header: Sequence[str]) -> "Addresses":
        """Return the columns that a header names; the first one where several do."""

        def first(names: Set[str]) -> int | None:
            return next(iter(columns_called(header, names)), None)

        return cls(first(SEGMENTS | {SENTENCE}), first(DOCUMENTS), first(IN_DOCUMENT))

    @property
    def columns(self) -> set[int]:
        """The positions that are taken."""
        return {key for key in (self.segment, self.document, self.index) if key is not None}

    def __bool__(self) -> bool:
        """Return whether a row can be placed."""
        return self.segment is not None or (self.document is not None and self.index is not None)

    def places(self, sheet: Sheet, rows: Sequence[Row]) -> list[Place]:
        """Return where every row belongs; rows that say the same share the place of the first of them.

        Raises:
            ReadError: as in `place`.
        """
        columns, known, places = sorted(self.columns), dict[tuple[str, ...], Place](), []
        for line, cells in rows:
            said = tuple([cells[column] for column in columns])
            place = known.get(said)
            if place is None:
                place = known[said] = self.place(sheet, line, cells)
            places.append(place)
        return places

    def place(self, sheet: Sheet, line: int, cells: Sequence[str]) -> Place:
        """Return where a row belongs.

        Raises:
            ReadError: a number is none, or the document's name is empty.
        """
        document = None if self.document is None else cells[self.document].strip()
        if document == "":
            raise ReadError(f"{sheet.at(line)}: the name of the document is empty.")
        return Place(
            line,
            number=None if self.segment is None else number_at(sheet, line, cells[self.segment], "the segment"),
            document=document,
            index=None if self.index is None else number_at(sheet, line, cells[self.index], "the segment's number"),
        )
