"""The length ratio that sacreBLEU prints beside BLEU, as a result of its own."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import FloatArray, Note
from mtsig.metrics.of_bleu import OfBleu
from mtsig.metrics.statistics import Statistics

_WHICH_WAY = "The length ratio has no better side: a positive difference says that the first system's output is longer."


@dataclass(frozen=True)
class LengthRatio(OfBleu):
    """Hypothesis tokens per reference token, times 100.

    Statistics: BLEU's; with several references the closest length of each segment counts. Longer is neither better
    nor worse: a positive difference means that the first system is longer, and no system is called better.
    """

    judges = False

    @property
    def name(self) -> str:
        """What sacreBLEU prints as `ratio`."""
        return "length ratio"

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the ratio of totals (k, …) in percent; 0 where the references are empty, as sacreBLEU has it."""
        length, reference = np.asarray(totals[:2], dtype=np.float64)
        some = reference > 0
        return np.asarray(100 * np.where(some, length / np.where(some, reference, 1.0), 0.0))

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative by each total; NaN where the references are empty."""
        length, reference = np.asarray(totals[:2], dtype=np.float64)
        reference = np.where(reference > 0, reference, np.nan)
        slope = np.zeros(np.shape(totals))
        slope[:2] = 100 * np.stack([1 / reference, -length / reference**2])
        return slope

    def caveats(self, statistics: Statistics) -> tuple[Note, ...]:
        """Return what the sign of a difference means."""
        del statistics
        return (Note("note", _WHICH_WAY),)
