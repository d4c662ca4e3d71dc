"""Ratings of segments or whole systems, and the raters' scores that they are means of: who gave which value to what."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from mtsig._records import FloatArray, Index
from mtsig._results import Public
from mtsig.errors import InvalidOption, expect, kind_of

UNNAMED = "?"
"""What a rater is called whom nobody named."""


class Sparse(NamedTuple):
    """Scores with the row and column of each in the rating; shape (m,) each."""

    system: Index
    segment: Index
    value: NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class RaterScores(Public):
    """m scores with their raters and outputs; each column has shape (m,).

    raters: names of the raters. rater: position among these names. system, segment: row and column of the rating.
    value: the score on the rating's own scale, never NaN. Rows are sorted by rater, system and segment. A rater may
    have rated the same output several times.
    """

    raters: tuple[str, ...]
    rater: NDArray[np.int32]
    system: NDArray[np.int32]
    segment: NDArray[np.int32]
    value: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        values: Mapping[str | None, NDArray[np.floating]],
        repeats: Mapping[tuple[str | None, int, int], Sequence[float]] | None = None,
    ) -> Self:
        """Return scores by rater from arrays of shape (s, n), NaN where missing.

        repeats: (rater, system, segment) -> all scores of an output that the rater rated more than once.

        Examples
        --------
        >>> RaterScores.of({"Ann": np.array([[1.0, np.nan]]), "Bo": np.array([[2.0, 3.0]])})
        <RaterScores: 3 values by 2 raters>
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
        """Return scores by rater from rated cells; `repeats` replaces scores."""
        number = {who: position for position, who in enumerate(cells)}
        again = [
            (number[who], row, column, value)
            for (who, row, column), several in (repeats or {}).items()
            for value in several
            if value == value
        ]
        system, segment, value = (np.concatenate(part) for part in zip(*cells.values(), strict=True))
        rater = np.repeat(np.arange(len(cells)), [len(part.value) for part in cells.values()])
        if repeats:
            seen = {(number[who], row, column) for who, row, column in repeats}
            codes = zip(rater.tolist(), system.tolist(), segment.tolist(), strict=True)
            once = np.fromiter((code not in seen for code in codes), dtype=bool, count=len(rater))
            more = np.array(again, dtype=np.float64).reshape(-1, 4).T
            found = (rater, system, segment, value)
            rater, system, segment, value = (np.append(part[once], new) for part, new in zip(found, more, strict=True))
        order = np.lexsort((segment, system, rater))
        named = tuple(UNNAMED if who is None else who for who in cells)
        givers, row, column = (codes[order].astype(np.int32) for codes in (rater, system, segment))
        return cls(named, givers, row, column, value[order])

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.value)

    def __eq__(self, other: object) -> bool:
        """Return whether the same raters gave the same values to the same outputs."""
        if not isinstance(other, RaterScores):
            return NotImplemented
        return self.raters == other.raters and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("rater", "system", "segment", "value")
        )

    def __hash__(self) -> int:
        """Return the same for equal ratings."""
        return hash((self.raters, len(self)))

    @cached_property
    def digest(self) -> str:
        """A fingerprint: the same if and only if raters and scores are the same."""
        digest = hashlib.sha256(repr(self.raters).encode("utf-8", "backslashreplace"))
        for column in (self.rater, self.system, self.segment, self.value):
            digest.update(np.ascontiguousarray(column).tobytes())
        return "sha256:" + digest.hexdigest()

    def __repr__(self) -> str:
        """Return how many there are, by how many."""
        raters = len(self.raters)
        return f"<RaterScores: {len(self):,} values by {raters} rater{'' if raters == 1 else 's'}>"

    def fits(self, systems: int, segments: int) -> bool:
        """Return whether all scores belong to this number of systems and segments."""
        limits = ((self.rater, len(self.raters)), (self.system, systems), (self.segment, segments))
        return all(not len(codes) or (codes.min() >= 0 and codes.max() < most) for codes, most in limits)

    def select(self, systems: Sequence[int]) -> "RaterScores":
        """Return the scores of these systems, renumbered; all raters are kept."""
        return self._chosen(self.system, systems, "system")

    def take(self, segments: Sequence[int]) -> "RaterScores":
        """Return the scores of these segments, renumbered; segments may repeat."""
        return self._chosen(self.segment, segments, "segment")

    def _chosen(self, codes: NDArray[np.int32], chosen: Sequence[int], name: str) -> "RaterScores":
        wanted = np.asarray(chosen, dtype=np.int64)
        order = np.argsort(codes, kind="stable")
        start = np.searchsorted(codes[order], wanted, side="left")
        count = np.searchsorted(codes[order], wanted, side="right") - start
        new = np.repeat(np.arange(len(wanted)), count)
        first = np.cumsum(count) - count
        rows = order[np.repeat(start - first, count) + np.arange(len(new))]
        columns = {"system": self.system[rows], "segment": self.segment[rows], name: new.astype(np.int32)}
        in_order = np.lexsort((columns["segment"], columns["system"], self.rater[rows]))
        return self._at(rows[in_order], {key: column[in_order] for key, column in columns.items()})

    def where(self, chosen: NDArray[np.bool_]) -> "RaterScores":
        """Return the chosen scores; `chosen` has shape (m,)."""
        return self._at(np.flatnonzero(chosen), {})

    @property
    def signed(self) -> "RaterScores":
        """The scores that have a rater id, or all scores if there are no ids."""
        if UNNAMED not in self.raters or len(self.raters) == 1:
            return self
        own = self.raters.index(UNNAMED)
        kept = self.where(self.rater != own)
        rater = kept.rater - (kept.rater > own).astype(np.int32)
        return replace(kept, raters=tuple(name for name in self.raters if name != UNNAMED), rater=rater)

    def _at(self, rows: Index, columns: Mapping[str, NDArray[np.int32]]) -> "RaterScores":
        there = {name: getattr(self, name)[rows] for name in ("rater", "system", "segment", "value")}
        return replace(self, **{**there, **columns})


@dataclass(frozen=True, eq=False, repr=False)
class Rating(Public):
    """Scores from raters or programs; `values` (s, n) is NaN where missing.

    rater: the name of the rater, if known. direction_source: how the direction is known: declared, or from the table of
    known names. rater_scores: each rater's scores, if rater ids are known; `values` are their means. samples: shape (r,
    s, n), scores of up to r samples of each output, NaN where missing; `values` are their means. It is None if no
    system has several samples.

    Examples
    --------
    >>> from mtsig.corpus import Corpus, Rating
    >>> esa = Rating(np.array([[80.0, 95.0], [70.0, np.nan]]), higher_is_better=True)
    >>> Corpus.of({"ours": None, "theirs": None}, ratings={"esa": esa}).ratings["esa"].values.shape
    (2, 2)
    """

    values: FloatArray
    higher_is_better: bool
    rater: str | None = None
    direction_source: str = "declared"
    rater_scores: RaterScores | None = None
    samples: FloatArray | None = None

    def __post_init__(self) -> None:
        """Check what was given."""
        expect(self.values, np.ndarray, "The values of a rating must be an array of shape (systems, segments)")
        if self.values.ndim != 2 or self.values.dtype.kind not in "fiub":
            what = f"{kind_of(self.values)} and {self.values.dtype}"
            raise InvalidOption(
                f"The values of a rating must be numbers in an array of shape (systems, segments); found {what}."
            )
        expect(self.higher_is_better, bool | np.bool_, "higher_is_better must be True or False")
        expect(self.rater, str | None, "The rater of a rating must be a name")
        expect(self.direction_source, str, "direction_source must be a text on how the direction is known")
        expect(self.rater_scores, RaterScores | None, "ratings are RaterScores")
        expect(self.samples, np.ndarray | None, "samples must be an array of shape (samples, systems, segments)")
        if self.samples is not None and self.samples.shape[1:] != self.values.shape:
            raise InvalidOption(f"Samples need shape (r, *{self.values.shape}); found {self.samples.shape}.")

    def __eq__(self, other: object) -> bool:
        """Return whether scores, direction, raters and what the direction is known by are the same, gaps included."""
        if not isinstance(other, Rating):
            return NotImplemented
        same = self._about == other._about and np.array_equal(self.values, other.values, equal_nan=True)
        return same and self.rater_scores == other.rater_scores and _equal(self.samples, other.samples)

    def __hash__(self) -> int:
        """Return the same for equal ratings."""
        return hash(self._about)

    def __repr__(self) -> str:
        """Return how much is rated, by whom, and which direction is better."""
        systems, n = self.values.shape
        known = int(np.count_nonzero(~np.isnan(self.values)))
        rater = f" by {self.rater}" if self.rater else ""
        better = "higher" if self.higher_is_better else "lower"
        return f"<Rating{rater}: {known:,} scores of {systems} × {n:,}, {better} is better>"

    @property
    def _about(self) -> tuple[tuple[int, ...], bool, str | None, str]:
        return self.values.shape, self.higher_is_better, self.rater, self.direction_source

    def take(self, segments: Sequence[int]) -> "Rating":
        """Return the rating of these segments, in this order."""
        judged = None if self.rater_scores is None else self.rater_scores.take(segments)
        drawn = None if self.samples is None else self.samples[:, :, segments]
        return replace(self, values=self.values[:, segments], rater_scores=judged, samples=drawn)

    def select(self, systems: Sequence[int]) -> "Rating":
        """Return the rating of these systems, in this order."""
        judged = None if self.rater_scores is None else self.rater_scores.select(systems)
        drawn = None if self.samples is None else self.samples[:, systems]
        return replace(self, values=self.values[systems], rater_scores=judged, samples=drawn)

    def pooled(self, rows: Sequence[Sequence[int]]) -> "Rating":
        """Return the rating of systems that are means over these rows."""
        drawn = self.values[None] if self.samples is None else self.samples
        samples = np.full((max(len(drawn), *map(len, rows)), len(rows), self.values.shape[1]), np.nan)
        for row, own in enumerate(rows):
            several = drawn[:, own[0]] if len(own) == 1 else self.values[own]
            samples[: len(several), row] = several
        known = ~np.isnan(samples)
        count = known.sum(axis=0)
        values = np.where(count > 0, np.where(known, samples, 0.0).sum(axis=0) / np.maximum(count, 1), np.nan)
        # Raters are told apart by outputs, and one output stands for several here.
        return replace(self, values=values, rater_scores=None, samples=samples if len(samples) > 1 else None)

    def one_by_one(self, places: Sequence[tuple[int, int]]) -> "Rating":
        """Return the rating of single samples, given by number and system's row."""
        samples = self.values[None] if self.samples is None else self.samples
        rows = [samples[at, row] if at < len(samples) else np.full(samples.shape[-1], np.nan) for at, row in places]
        return replace(self, values=np.array(rows), rater_scores=None, samples=None)


def _equal(one: FloatArray | None, other: FloatArray | None) -> bool:
    return one is other if one is None or other is None else np.array_equal(one, other, equal_nan=True)


@dataclass(frozen=True)
class SystemScores:
    """System-level scores from a file that has no segment-level scores.

    They suffice to compare systems' scores (see `mtsig.meta_eval`); tests of two systems need segment-level scores.
    """

    scores: Mapping[str, float]
    higher_is_better: bool
    direction_source: str = "declared"
