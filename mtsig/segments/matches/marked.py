"""Marked: what a metric matched in one line of text, with the places where it stands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mtsig.metrics import Metric

Piece: TypeAlias = tuple[str, ...] | str
"""An n-gram as it was counted: words, or a text of n characters."""


Unit: TypeAlias = Literal["word", "character"]


class Token(NamedTuple):
    """A word or a character as the metric counted it.

    start, end: where it stands in the line as it was given, in code points; None where that cannot be told for certain.
    """

    text: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, eq=False)
class Marked:
    """A line, the tokens that it was cut into, and what of them matched.

    matched: what matched -> the numbers of the tokens that its counted occurrences begin with, ascending; of n tokens
    for an n-gram. orders: shape (tokens,), how many tokens the longest match has that covers each; 0 for none.
    longest: the longest n-gram that the metric counts; 0 where it links
    words, however many in a row.
    kinds: for each token how it matched if not as it stands (stem, synonym, shifted), or what it is if it did not
    (substituted, extra, missing), else ""; empty where the metric knows no kinds.
    """

    line: str
    tokens: tuple[Token, ...]
    unit: Unit
    matched: Mapping[Piece, Sequence[int]]
    orders: NDArray[np.intp]
    longest: int
    kinds: tuple[str, ...] = ()

    @property
    def unplaced(self) -> int:
        """How many matched tokens cannot be shown, as nobody can tell for certain where they stand."""
        return sum(token.start is None for token, order in zip(self.tokens, self.orders, strict=True) if order)

    def beyond(self, others: Sequence["Marked"]) -> NDArray[np.bool_]:
        """Return which tokens are covered by a match that none of the others has, or has as often; shape (tokens,).

        Of several occurrences of the same the first ones count as those that the others have, too.
        """
        mask = np.zeros(len(self.tokens), dtype=bool)
        for piece, starts in self.matched.items():
            shared = max((len(other.matched.get(piece, ())) for other in others), default=0)
            for start in starts[shared:]:
                mask[start : start + len(piece)] = True
        return mask


@dataclass(frozen=True, eq=False)
class Matches:
    """What a metric matched in one segment of one system.

    metric: whose counts these are; BLEU for a mean of sentence BLEU. counts: shape (k,), its statistics of the segment,
    added up from what is marked here. output: the output, and for chrF++ once more in words. references: name -> the
    reference, marked in the same way, for each that the metric counted against; those that it did not choose are not
    there. told: the counts in words.
    """

    metric: Metric
    counts: NDArray[np.float64]
    output: tuple[Marked, ...]
    references: Mapping[str, tuple[Marked, ...]]
    told: str
