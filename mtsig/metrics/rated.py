"""Ratings as metrics: scores that people or programs gave, read from files, averaged over segments."""

import math
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import Corpus, FloatArray, Rating
from mtsig.errors import NotApplicable
from mtsig.metrics.mean import SegmentMean
from mtsig.metrics.scope import Scope, rating_scope
from mtsig.metrics.statistics import as_values
from mtsig.options import option
from mtsig.registry import find
from mtsig.version import VERSION


@dataclass(frozen=True)
class Rated(SegmentMean):
    """The mean of a rating of the corpus, each system over the segments that are rated for it.

    Statistics: the segment's score, and 1; zeros where it has none. Whether higher is better, and how many decimals
    its scale has, is the corpus's to say: two that ask for the same rating are equal, whatever they were told of it.
    """

    rating: str
    shared: bool = option(
        False, "Shared segments only", "Use only segments that are rated for all systems, for every score and pair."
    )
    higher_is_better: bool = field(default=True, compare=False)
    decimals: int = field(default=2, compare=False)

    needs_references = False

    @property
    def name(self) -> str:
        """The name of the rating."""
        return self.rating

    @property
    def about(self) -> str:
        """What it is, in one line."""
        return f"Mean of the rating {self.rating}: {'higher' if self.higher_is_better else 'lower'} is better."

    def on(self, corpus: Corpus) -> Self:
        """Return the metric with the name, the direction and the scale that the corpus has for the rating.

        Raises:
            UnknownName: the corpus has no such rating.
            NotApplicable: it has scores of whole systems only.
        """
        known = {name.lower(): name for name in corpus.ratings}
        name = self.rating if self.rating in corpus.ratings else known.get(self.rating.lower(), self.rating)
        if name not in corpus.ratings and name in corpus.system_scores:
            raise NotApplicable(
                f"Of {name} there are scores of whole systems only. They say nothing about how sure a difference is; a "
                "test needs one score per segment."
            )
        rating = find(corpus.ratings, name, "rating")
        return replace(self, rating=name, higher_is_better=rating.higher_is_better, decimals=_decimals(rating.values))

    def scope(self, corpus: Corpus) -> Scope:
        """Return what is rated."""
        return rating_scope(corpus, self.rating, self.shared)

    def count(self, corpus: Corpus) -> FloatArray:
        """Return (score, 1) for every rated segment of every system, (0, 0) for the others."""
        values = self._of(corpus).values
        known = ~np.isnan(values)
        _check_scale(self.rating, values[known])
        return np.stack([np.where(known, values, 0.0), known.astype(np.float64)])

    def available(self, corpus: Corpus) -> NDArray[np.bool_]:
        """Return which segments of which systems are rated; shape (s, n)."""
        return ~np.isnan(self._of(corpus).values)

    def signature(self, corpus: Corpus) -> str:
        """Return the rating's name, judge and direction, and how many segments are rated."""
        rating = self._of(corpus)
        counts = self.available(corpus).sum(axis=1)
        n = f"{counts.min()}" if counts.min() == counts.max() else f"{counts.min()}–{counts.max()}"
        better = "higher" if rating.higher_is_better else "lower"
        segments = "shared" if self.shared else "rated"
        judge = [f"judge:{rating.judge}"] if rating.judge else []
        return "|".join(
            [f"rating:{self.rating}", *judge, f"better:{better}", f"segments:{segments}", f"n:{n}", f"mtsig:{VERSION}"]
        )

    def _of(self, corpus: Corpus) -> Rating:
        return find(corpus.ratings, self.rating, "rating")


def _check_scale(name: str, scores: FloatArray) -> None:
    """Check that the scores differ by enough to be added exactly, and by enough for their size.

    Raises:
        NotApplicable: they do not.
    """
    low, middle, high = np.quantile(scores, [0.25, 0.5, 0.75]) if len(scores) else (0.0, 0.0, 0.0)
    spread = float(high - low) or float(np.std(scores - middle)) if len(scores) else 0.0
    if spread == 0:
        return
    if float(np.abs(as_values(scores) - scores).max()) > spread / 1000:
        factor = 10 ** (2 - math.floor(math.log10(spread)))
        raise NotApplicable(
            f"The scores {name} differ by about {spread:.2g}, which is finer than sums are kept: multiply them all, "
            f"as by {factor:.0e}, or take their logarithms."
        )
    largest = float(np.abs(scores).max())
    if largest > spread * _MOST_SPREADS:
        raise NotApplicable(
            f"The scores {name} reach {largest:.2g} and differ by about {spread:.2g}: their differences are lost in "
            "rounding. Subtract from all of them what they have in common, and look at the largest."
        )


_MOST_SPREADS = 1e7
"""Scores may be so many times as large as they differ: sums of thousands of them keep nine digits more."""


def _decimals(values: FloatArray) -> int:
    """Return how many decimals show a hundredth of the spread between segments: 2 for 0 to 100, 4 for 0 to 1."""
    known = values[~np.isnan(values)]
    spread = float(known.std()) if len(known) else 0.0
    return 2 if spread == 0 else max(2, min(6, 2 - math.floor(math.log10(spread) + 0.5)))
