"""WER, word error rate: Levenshtein's distance in words."""

from dataclasses import dataclass

from mtsig.metrics.error_rate import ErrorRate
from mtsig.metrics.words import Words


@dataclass(frozen=True)
class Wer(ErrorRate):
    """Insertions, deletions and substitutions of words per reference word, times 100; lower is better.

    Statistics: edits and length of the reference that needs the fewest edits, the longer one of two equally close
    (the multi-reference WER of Nießen et al. 2000). With tokenize=char it is an error rate of characters.
    """

    cites = ("niessen-etal-2000-evaluation",)

    @property
    def name(self) -> str:
        """The field's name."""
        return "WER"

    @property
    def looks_at_pairs(self) -> bool:
        """Yes, at 64 of them at once."""
        return True

    def errors(self, hypothesis: Words, reference: Words) -> int:
        """Return Levenshtein's distance."""
        from rapidfuzz.distance import Levenshtein  # here, because only metrics of edits need it

        return Levenshtein.distance(hypothesis, reference)
