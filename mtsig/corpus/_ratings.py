"""Ratings of segments or whole systems, and the judgements that they are means of: who gave which value to what."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from mtsig._records import FloatArray, Index
from mtsig.errors import InvalidOption, expect, kind_of

UNNAMED = "?"
"""What a judge is called whom nobody named."""


class Sparse(NamedTuple):
    """Scores and the row and column of the rating that each belongs to; shape (m,) each."""

    system: Index
    segment: Index
    value: NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Judgements:
    """m values with who gave them, and to what; the four columns have shape (m,).

    judges: their names; judge: position among them. system, segment: row and column of the rating. value: on the
    rating's own scale, no NaN. Rows stand by judge, then by system and segment. The same judge may have judged an
    output several times.
    """

    judges: tuple[str, ...]
    judge: NDArray[np.int32]
    system: NDArray[np.int32]
    segment: NDArray[np.int32]
    value: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        values: Mapping[str | None, NDArray[np.floating]],
        repeats: Mapping[tuple[str | None, int, int], Sequence[float]] | None = None,
    ) -> Self:
        """Return the judgements of judges with scores of shape (s, n), NaN where there is none.

        repeats: (judge, system, segment) -> the values of an output that the judge saw more than once.

        >>> Judgements.of({"Ann": np.array([[1.0, np.nan]]), "Bo": np.array([[2.0, 3.0]])})
        <Judgements: 3 values by 2 judges>
        """
        cells = {}
        for who, scores in values.items():
            rows, places = np.nonzero(~np.isnan(scores))
            cells[who] = Sparse(rows, places, np.array(scores[rows, places], dtype=np.float64))
        return cls.of_sparse(cells, repeats)

    @classmethod
    def of_sparse(
        cls,
        cells: Mapping[str | None, Sparse],
        repeats: Mapping[tuple[str | None, int, int], Sequence[float]] | None = None,
    ) -> Self:
        """Return the judgements of judges with a score at some cells each, no NaN; repeats stand in for those."""
        number = {who: position for position, who in enumerate(cells)}
        again = [
            (number[who], row, column, value)
            for (who, row, column), several in (repeats or {}).items()
            for value in several
            if value == value
        ]
        system, segment, value = (np.concatenate(part) for part in zip(*cells.values(), strict=True))
        judge = np.repeat(np.arange(len(cells)), [len(part.value) for part in cells.values()])
        if repeats:
            seen = {(number[who], row, column) for who, row, column in repeats}
            codes = zip(judge.tolist(), system.tolist(), segment.tolist(), strict=True)
            once = np.fromiter((code not in seen for code in codes), dtype=bool, count=len(judge))
            more = np.array(again, dtype=np.float64).reshape(-1, 4).T
            found = (judge, system, segment, value)
            judge, system, segment, value = (np.append(part[once], new) for part, new in zip(found, more, strict=True))
        order = np.lexsort((segment, system, judge))
        named = tuple(UNNAMED if who is None else who for who in cells)
        rater, row, column = (codes[order].astype(np.int32) for codes in (judge, system, segment))
        return cls(named, rater, row, column, value[order])

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.value)

    def __eq__(self, other: object) -> bool:
        """Return whether the same judges gave the same values to the same outputs."""
        if not isinstance(other, Judgements):
            return NotImplemented
        return self.judges == other.judges and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("judge", "system", "segment", "value")
        )

    def __hash__(self) -> int:
        """Return the same for equal judgements."""
        return hash((self.judges, len(self)))

    @cached_property
    def digest(self) -> str:
        """A fingerprint: the same for the same judges who gave the same values, and for nothing else."""
        digest = hashlib.sha256(repr(self.judges).encode("utf-8", "backslashreplace"))
        for column in (self.judge, self.system, self.segment, self.value):
            digest.update(np.ascontiguousarray(column).tobytes())
        return "sha256:" + digest.hexdigest()

    def __repr__(self) -> str:
        """Return how many there are, by how many."""
        judges = len(self.judges)
        return f"<Judgements: {len(self):,} values by {judges} judge{'' if judges == 1 else 's'}>"

    def fits(self, systems: int, segments: int) -> bool:
        """Return whether every judgement is of one of so many systems and segments."""
        limits = ((self.judge, len(self.judges)), (self.system, systems), (self.segment, segments))
        return all(not len(codes) or (codes.min() >= 0 and codes.max() < most) for codes, most in limits)

    def select(self, systems: Sequence[int]) -> "Judgements":
        """Return the judgements of these systems, which become 0, 1, …; judges stay, be it without any."""
        return self._chosen(self.system, systems, "system")

    def take(self, segments: Sequence[int]) -> "Judgements":
        """Return the judgements of these segments, which become 0, 1, …; one that is named twice is there twice."""
        return self._chosen(self.segment, segments, "segment")

    def _chosen(self, codes: NDArray[np.int32], chosen: Sequence[int], name: str) -> "Judgements":
        wanted = np.asarray(chosen, dtype=np.int64)
        order = np.argsort(codes, kind="stable")
        start = np.searchsorted(codes[order], wanted, side="left")
        count = np.searchsorted(codes[order], wanted, side="right") - start
        new = np.repeat(np.arange(len(wanted)), count)
        first = np.cumsum(count) - count
        rows = order[np.repeat(start - first, count) + np.arange(len(new))]
        columns = {"system": self.system[rows], "segment": self.segment[rows], name: new.astype(np.int32)}
        in_order = np.lexsort((columns["segment"], columns["system"], self.judge[rows]))
        return self._at(rows[in_order], {key: column[in_order] for key, column in columns.items()})

    def where(self, chosen: NDArray[np.bool_]) -> "Judgements":
        """Return the judgements that are chosen; shape (m,)."""
        return self._at(np.flatnonzero(chosen), {})

    @property
    def signed(self) -> "Judgements":
        """Those of named judges, beside whom values that nobody signed are means; all, where nobody is named."""
        if UNNAMED not in self.judges or len(self.judges) == 1:
            return self
        own = self.judges.index(UNNAMED)
        kept = self.where(self.judge != own)
        judge = kept.judge - (kept.judge > own).astype(np.int32)
        return replace(kept, judges=tuple(name for name in self.judges if name != UNNAMED), judge=judge)

    def _at(self, rows: Index, columns: Mapping[str, NDArray[np.int32]]) -> "Judgements":
        there = {name: getattr(self, name)[rows] for name in ("judge", "system", "segment", "value")}
        return replace(self, **{**there, **columns})


@dataclass(frozen=True, eq=False, repr=False)
class Rating:
    """Scores given by people or programs: `values` has shape (s, n) in the order of the systems, NaN where missing.

    judge: who gave them, when known. direction_source: how the direction is known: declared, or from the table of
    known names.
    judgements: who gave which value, where judges are told apart; `values` are their means.

    >>> from mtsig.corpus import Corpus, Rating
    >>> esa = Rating(np.array([[80.0, 95.0], [70.0, np.nan]]), higher_is_better=True)
    >>> Corpus.of({"ours": None, "theirs": None}, ratings={"esa": esa}).ratings["esa"].values.shape
    (2, 2)
    """

    values: FloatArray
    higher_is_better: bool
    judge: str | None = None
    direction_source: str = "declared"
    judgements: Judgements | None = None

    def __post_init__(self) -> None:
        """Check what was given.

        Raises:
            InvalidOption: the values are no array of numbers by system and segment, or the direction is no truth value.
        """
        expect(self.values, np.ndarray, "The values of a rating are an array of shape (systems, segments)")
        if self.values.ndim != 2 or self.values.dtype.kind not in "fiub":
            what = f"{kind_of(self.values)} and {self.values.dtype}"
            raise InvalidOption(
                f"The values of a rating are numbers in an array of shape (systems, segments); found {what}."
            )
        expect(self.higher_is_better, bool | np.bool_, "higher_is_better is True or False")
        expect(self.judge, str | None, "The judge of a rating is a name")
        expect(self.direction_source, str, "direction_source says in words how the direction is known")
        expect(self.judgements, Judgements | None, "judgements are Judgements")

    def __eq__(self, other: object) -> bool:
        """Return whether scores, direction, judges and what the direction is known by are the same, gaps included."""
        if not isinstance(other, Rating):
            return NotImplemented
        same = self._about == other._about and np.array_equal(self.values, other.values, equal_nan=True)
        return same and self.judgements == other.judgements

    def __hash__(self) -> int:
        """Return the same for equal ratings."""
        return hash(self._about)

    def __repr__(self) -> str:
        """Return how much is rated, by whom, and which direction is better."""
        systems, n = self.values.shape
        known = int(np.count_nonzero(~np.isnan(self.values)))
        judge = f" by {self.judge}" if self.judge else ""
        better = "higher" if self.higher_is_better else "lower"
        return f"<Rating{judge}: {known:,} scores of {systems} × {n:,}, {better} is better>"

    @property
    def _about(self) -> tuple[tuple[int, ...], bool, str | None, str]:
        return self.values.shape, self.higher_is_better, self.judge, self.direction_source

    def take(self, segments: Sequence[int]) -> "Rating":
        """Return the rating of these segments, in this order."""
        judged = None if self.judgements is None else self.judgements.take(segments)
        return replace(self, values=self.values[:, segments], judgements=judged)

    def select(self, systems: Sequence[int]) -> "Rating":
        """Return the rating of these systems, in this order."""
        judged = None if self.judgements is None else self.judgements.select(systems)
        return replace(self, values=self.values[systems], judgements=judged)


@dataclass(frozen=True)
class SystemScores:
    """What a file says of whole systems: one score for each, without those of segments that no file gives.

    Good for what compares systems' scores alone (see `mtsig.meta_eval`); tests of two systems need those of segments.
    """

    scores: Mapping[str, float]
    higher_is_better: bool
    direction_source: str = "declared"
