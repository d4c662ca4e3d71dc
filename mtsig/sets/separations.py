"""What separates mean ranks over sets: ranks and scores of systems in sets go in, p of every pair comes out."""

from abc import ABC, abstractmethod
from typing import ClassVar, TypeAlias

import numpy as np

from mtsig.arrays import Floats, Index
from mtsig.citations import Citations
from mtsig.errors import NotApplicable
from mtsig.inference.corrections import Holm
from mtsig.inference.distributions import range_above, range_critical
from mtsig.inference.significance.segments import signed_rank_p

Separated: TypeAlias = tuple[Floats, float]
"""p of every pair, and how far mean ranks must lie apart; NaN where no distance decides."""


class SeparationOfRanks(ABC):
    """A way to separate systems by their ranks over sets; `in_words` is how a methods paragraph says it."""

    name: ClassVar[str]
    label: ClassVar[str]
    in_words: ClassVar[str]
    cites: ClassVar[Citations]

    @abstractmethod
    def __call__(self, ranks: Floats, scores: Floats, first: Index, second: Index, alpha: float) -> Separated:
        """Return what separates the systems.

        ranks, scores: shape (J, k); lower scores are better. first, second: shape (m,), the systems of each pair.

        Raises:
            NotApplicable: it could separate no pair, whatever the scores.
        """

    def told(self, critical_difference: float) -> str:
        """Return what separates the ranks of a result, in words."""
        del critical_difference
        return self.label


class NemenyisDifference(SeparationOfRanks):
    """Mean ranks that lie q/√2·√(k(k + 1)/(6J)) apart (Demšar 2006).

    q is the studentized range's quantile of k systems with infinite degrees of freedom.
    """

    name = "nemenyi"
    label = "Nemenyi"
    in_words = "the critical difference of Nemenyi"
    cites = ("nemenyi-1963", "demsar-2006")

    def __call__(self, ranks: Floats, scores: Floats, first: Index, second: Index, alpha: float) -> Separated:
        """Return the tail of the studentized range, and the critical difference."""
        del scores
        count, k = ranks.shape
        means, unit = ranks.mean(axis=0), np.sqrt(k * (k + 1) / (12 * count))
        p = range_above(np.abs(means[first] - means[second]) / unit, k)
        return p, float(range_critical(alpha, k) * unit)

    def told(self, critical_difference: float) -> str:
        """Return the method with its critical difference."""
        return f"{self.label} (critical difference {critical_difference:.2f})"


class WilcoxonWithHolm(SeparationOfRanks):
    """Wilcoxon's signed-rank test of the scores with Holm's correction.

    Only where it can separate at all: m·2^(1 − J) ≤ alpha for m pairs.
    """

    name = "wilcoxon-holm"
    label = "Wilcoxon's signed-rank test with Holm"
    in_words = "Wilcoxon's test with Holm"
    cites = ("wilcoxon-1945", "demsar-2006")

    def __call__(self, ranks: Floats, scores: Floats, first: Index, second: Index, alpha: float) -> Separated:
        """Return the corrected p of every pair."""
        count = len(ranks)
        if len(first) * 2.0 ** (1 - count) > alpha:
            raise NotApplicable(
                f"Wilcoxon's test with Holm cannot separate any of {len(first)} pairs on {count} sets, whatever the "
                f"scores. Choose {NemenyisDifference.name}."
            )
        p = [signed_rank_p(scores[:, x] - scores[:, y]) for x, y in zip(first, second, strict=True)]
        return Holm().adjusted(np.array(p)), float("nan")


SEPARATIONS: dict[str, SeparationOfRanks] = {
    separation.name: separation for separation in (NemenyisDifference(), WilcoxonWithHolm())
}
