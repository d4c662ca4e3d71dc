"""Ratings: scores that people or programs gave to segments, or to whole systems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mtsig.arrays import FloatArray
from mtsig.errors import InvalidOption, expect, kind_of
from mtsig.judgements import Judgements


@dataclass(frozen=True, eq=False, repr=False)
class Rating:
    """Scores given by people or programs: `values` has shape (s, n) in the order of the systems, NaN where missing.

    judge: who gave them, when known. known_by: how the direction is known: declared, or from the table of known names.
    judgements: who gave which value, where judges are told apart; `values` are their means.

    >>> from mtsig.corpus import Corpus, Rating
    >>> esa = Rating(np.array([[80.0, 95.0], [70.0, np.nan]]), higher_is_better=True)
    >>> Corpus.of({"ours": None, "theirs": None}, ratings={"esa": esa}).ratings["esa"].values.shape
    (2, 2)
    """

    values: FloatArray
    higher_is_better: bool
    judge: str | None = None
    known_by: str = "declared"
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
        expect(self.known_by, str, "known_by says in words how the direction is known")
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
        return self.values.shape, self.higher_is_better, self.judge, self.known_by

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

    Good for what compares systems' scores alone (see `mtsig.trust`); a test of two systems needs scores of segments.
    """

    scores: Mapping[str, float]
    higher_is_better: bool
    known_by: str = "declared"
