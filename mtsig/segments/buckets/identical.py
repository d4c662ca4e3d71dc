"""Identical: both systems say the same."""

from mtsig.arrays import Mask
from mtsig.segments.buckets.detector import Detector, Texts, spread_out


class Identical(Detector):
    """Segments whose two outputs are the same, character by character: they add nothing to a difference."""

    name = "identical"
    title = "identical"
    about = "Both outputs are the same, character by character."
    alone = "The output is a reference, character by character."
    alone_needs = "reference"

    def marks(self, texts: Texts) -> Mask:
        """Return where the outputs are the same, or the one output is one of its references."""
        if texts.second is not None:
            return spread_out(
                (line == other for line, other in zip(texts.first, texts.second, strict=True)), len(texts)
            )
        return spread_out((line in texts.given(number) for number, line in enumerate(texts.first)), len(texts))
