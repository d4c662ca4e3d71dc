"""ROUGE-L (Lin 2004; Lin and Och 2004): F of the longest common subsequence of words."""

from collections.abc import Sequence
from dataclasses import dataclass

from mtsig.metrics.mean import SegmentMean
from mtsig.metrics.words import Counter, WordMetric, Words
from mtsig.options import option


@dataclass(frozen=True)
class RougeL(SegmentMean, WordMetric):
    """Mean over segments of the F-score of the longest common subsequence of words, times 100.

    Statistics: the segment's score, and 1. A subsequence may leave words out on both sides, but keeps their order.
    With several references the best score of the segment counts: a maximum, which sums over segments do not give, so
    that the score of a test set is the mean of its segments' scores, as in the ROUGE programs.
    """

    beta: float = option(
        1.0, "β", "How many times recall counts as much as precision; 0 is precision alone.", low=0, high=100,
        advanced=True,
    )  # fmt: skip

    cites = ("lin-2004-rouge",)

    @property
    def name(self) -> str:
        """The name of the variant of ROUGE."""
        return "ROUGE-L"

    @property
    def looks_at_pairs(self) -> bool:
        """Yes, at 64 of them at once."""
        return True

    def counter(self) -> Counter:
        """Return the function that gives the best score against any reference, and 1."""
        from rapidfuzz.distance import LCSseq  # here, because only metrics of edits and subsequences need it

        def best(hypothesis: Words, references: Sequence[Words]) -> Sequence[float]:
            return max(self.f(hypothesis, words, LCSseq.similarity(hypothesis, words)) for words in references), 1.0

        return best

    def f(self, hypothesis: Words, reference: Words, common: int) -> float:
        """Return the score of so many words in common.

        F = (1 + β²)PR/(R + β²P) is (1 + β²)·common over β²·reference length + hypothesis length.
        """
        below = self.beta**2 * len(reference) + len(hypothesis)
        return 100 * (1 + self.beta**2) * common / below if common else 0.0
