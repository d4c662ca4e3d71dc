"""PER, position-independent error rate: WER for translations whose order does not count."""

from collections import Counter
from dataclasses import dataclass

from mtsig.metrics.error_rate import ErrorRate
from mtsig.metrics.words import Words


@dataclass(frozen=True)
class Per(ErrorRate):
    """Missing, superfluous and wrong words in whatever order, per reference word, times 100; lower is better.

    Statistics: errors max(hypothesis length, reference length) − matched words, and the length of the reference that
    has the fewest errors, the longer one of two equally close (Tillmann et al. 1997; Leusch et al. 2003).
    """

    cites = ("tillmann-etal-1997-accelerated",)

    @property
    def name(self) -> str:
        """The field's name."""
        return "PER"

    def errors(self, hypothesis: Words, reference: Words) -> int:
        """Return the edits that are left when words may change places freely."""
        matched = (Counter(hypothesis) & Counter(reference)).total()
        return max(len(hypothesis), len(reference)) - matched
