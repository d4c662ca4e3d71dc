"""One n-gram precision of BLEU as a result of its own (K04, Table 1)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import FloatArray
from mtsig.metrics.of_bleu import OfBleu
from mtsig.options import option


@dataclass(frozen=True)
class Precision(OfBleu):
    """Matched n-grams of one order per hypothesis n-gram, times 100, without smoothing.

    Statistics: BLEU's. A precision does not see what an output leaves out: read it beside the length ratio.
    """

    order: int = option(1, "n-gram order", "Which of BLEU's precisions: 1 for words, 4 for 4-grams.", low=1, high=10)

    cites = ("papineni-etal-2002-bleu",)

    @property
    def name(self) -> str:
        """The precision's name, such as 4-gram precision."""
        return f"{self.order}-gram precision"

    @property
    def orders(self) -> int:
        """BLEU's four, or as many as this precision needs."""
        return max(4, self.order)

    def _rows(self) -> tuple[int, int]:
        """Return the positions of the matches and of the hypothesis n-grams of this order."""
        return 1 + self.order, 1 + self.orders + self.order

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the precision of totals (k, …), in 0…100; 0 where there is no n-gram."""
        matches, ngrams = (np.asarray(totals[row], dtype=np.float64) for row in self._rows())
        return np.asarray(100 * matches / np.where(ngrams > 0, ngrams, 1.0))

    @property
    def matches(self) -> tuple[str, ...]:
        """N-grams of the one order."""
        return (f"{self.order}-gram",)

    def matched(self, totals: FloatArray) -> NDArray[np.bool_]:
        """Return whether anything matches."""
        return np.asarray(np.asarray(totals)[list(self._rows()[:1])] > 0)

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative by each total; NaN where there is no n-gram."""
        above, below = self._rows()
        ngrams = np.where(totals[below] > 0, np.asarray(totals[below], dtype=np.float64), np.nan)
        slope = np.zeros(np.shape(totals))
        slope[above], slope[below] = 100 / ngrams, -100 * totals[above] / ngrams**2
        return slope
