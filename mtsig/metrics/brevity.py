"""The brevity penalty of BLEU as a result of its own: lengths in, the factor that too short outputs cost out."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import FloatArray, Note
from mtsig.metrics.of_bleu import OfBleu
from mtsig.metrics.statistics import Statistics


def penalty(length: FloatArray, reference: FloatArray) -> NDArray[np.float64]:
    """Return BLEU's brevity penalty exp(min(0, 1 − r/c)) in 0…1 (Papineni et al. 2002); 0 for an empty output."""
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = np.exp(np.minimum(1.0 - reference / length, 0.0))
    return np.asarray(np.where(length > 0, factor, np.where(reference > 0, 0.0, 1.0)))


def slopes(length: FloatArray, reference: FloatArray, score: FloatArray) -> NDArray[np.float64]:
    """Return the derivatives by both lengths of a score to which the penalty is a factor; shape (2, …).

    At equal lengths the penalty is taken as inactive: the derivative from the longer side. NaN for an empty output.
    """
    filled = np.where(length > 0, length, np.nan)
    shorter = ~(length >= reference)
    return np.stack([
        np.where(shorter, score * reference / filled**2, 0.0),
        np.where(shorter, -score / filled, 0.0),
    ])  # fmt: skip


@dataclass(frozen=True)
class BrevityPenalty(OfBleu):
    """BLEU's brevity penalty, times 100: 100 for outputs no shorter than the reference.

    Statistics: BLEU's. The penalty tells what BLEU takes off for shortness, not which translation is better, so no
    system is called better by it. It has a kink at equal lengths: there the jackknife's intervals can be off.
    """

    judges = False
    cites = ("papineni-etal-2002-bleu",)

    @property
    def name(self) -> str:
        """BLEU's paper's name for it."""
        return "brevity penalty"

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the penalty of totals (k, …), in 0…100."""
        length, reference = np.asarray(totals[:2], dtype=np.float64)
        return 100 * penalty(length, reference)

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative by each total; 0 for everything but the two lengths."""
        length, reference = np.asarray(totals[:2], dtype=np.float64)
        slope = np.zeros(np.shape(totals))
        slope[:2] = slopes(length, reference, self.score(totals))
        return slope

    def caveats(self, statistics: Statistics) -> tuple[Note, ...]:
        """Return a note for systems at the kink."""
        return self.whole.kinks(statistics)
