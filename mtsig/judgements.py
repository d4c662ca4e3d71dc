"""Judgements: who gave which value to which output; a rating is their mean, cell by cell."""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from mtsig.arrays import Index

UNNAMED = "?"
"""What a judge is called whom nobody named."""


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
        again: dict[str | None, list[tuple[float, float, float]]] = defaultdict(list)
        once = {who: np.array(scores, dtype=np.float64) for who, scores in values.items()}
        for (who, row, column), several in (repeats or {}).items():
            once[who][row, column] = np.nan
            again[who] += [(row, column, value) for value in several if value == value]
        columns: list[tuple[NDArray[Any], ...]] = []
        for number, (who, scores) in enumerate(once.items()):
            rows, places = np.nonzero(~np.isnan(scores))
            more = np.array(again[who], dtype=np.float64).reshape(-1, 3)
            system, segment = np.append(rows, more[:, 0]), np.append(places, more[:, 1])
            value = np.append(scores[rows, places], more[:, 2])
            order = np.lexsort((segment, system))
            columns.append((np.full(len(order), number), system[order], segment[order], value[order]))
        judge, system, segment, value = (np.concatenate(block) for block in zip(*columns, strict=True))
        named = tuple(UNNAMED if who is None else who for who in values)
        return cls(named, judge.astype(np.int32), system.astype(np.int32), segment.astype(np.int32), value)

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
