"""M-BLEU (ZV04, Eq. 4): BLEU with the arithmetic instead of the geometric mean of the n-gram precisions."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import FloatArray, Note
from mtsig.metrics.bleu import Bleu
from mtsig.metrics.brevity import penalty, slopes
from mtsig.metrics.of_bleu import OfBleu
from mtsig.metrics.statistics import Statistics
from mtsig.options import same_option


@dataclass(frozen=True)
class MBleu(OfBleu):
    """Brevity penalty times the arithmetic mean of n-gram precisions, times 100.

    Statistics: BLEU's. The weights are 1/N. An order without matches counts as 0, so nothing is smoothed; without
    smoothing it is never below BLEU on the same counts (arithmetic against geometric mean).
    """

    max_ngram_order: int = same_option(Bleu, "max_ngram_order")

    by_sacrebleu = False
    cites = ("zhang-vogel-2004-measuring",)

    @property
    def name(self) -> str:
        """The paper's name."""
        return "M-BLEU"

    @property
    def orders(self) -> int:
        """The longest n-gram."""
        return self.max_ngram_order

    def _parts(self, totals: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return hypothesis length, reference length, matches (N, …) and hypothesis n-grams (N, …)."""
        totals = np.asarray(totals, dtype=np.float64)
        return totals[0], totals[1], totals[2 : 2 + self.orders], totals[2 + self.orders :]

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return M-BLEU of totals (k, …), in 0…100; an order the text is too short for counts as 0."""
        length, reference, matches, ngrams = self._parts(totals)
        precisions = matches / np.where(ngrams > 0, ngrams, 1.0)
        # Added order by order: numpy's own sum may take another order for another shape, and so other last bits.
        mean = sum(precisions[1:], start=precisions[0]) / self.orders
        return np.asarray(100 * penalty(length, reference) * mean)

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative by each total; NaN where the text has no n-gram of some order."""
        length, reference, matches, ngrams = self._parts(totals)
        score = self.score(totals)
        factor = 100 * penalty(length, reference) / self.orders
        ngrams = np.where(ngrams > 0, ngrams, np.nan)
        slope = np.empty(np.shape(totals))
        slope[:2] = slopes(length, reference, score)
        slope[2 : 2 + self.orders] = factor / ngrams
        slope[2 + self.orders :] = -factor * matches / ngrams**2
        return slope

    @property
    def matches(self) -> tuple[str, ...]:
        """N-grams of every order."""
        return self.whole.matches

    def matched(self, totals: FloatArray) -> NDArray[np.bool_]:
        """Return which orders have a match."""
        return self.whole.matched(totals)

    def caveats(self, statistics: Statistics) -> tuple[Note, ...]:
        """Return a note for systems at the kink of the brevity penalty."""
        return self.whole.kinks(statistics)
