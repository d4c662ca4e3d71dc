"""What word error rates share: errors against the closest reference, per word of that reference."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import FloatArray
from mtsig.metrics.words import Counter, WordMetric, Words


@dataclass(frozen=True)
class ErrorRate(WordMetric):
    """Errors per reference word, times 100; lower is better.

    Statistics: errors and length of the reference with the fewest errors, the longer one of two equally close.
    """

    higher_is_better = False

    @abstractmethod
    def errors(self, hypothesis: Words, reference: Words) -> int:
        """Return the errors of a translation against one reference."""

    def counter(self) -> Counter:
        """Return the function that counts errors and length of the closest reference."""
        return self._closest

    def _closest(self, hypothesis: Words, references: Sequence[Words]) -> Sequence[float]:
        fewest, length = min((self.errors(hypothesis, reference), -len(reference)) for reference in references)
        return fewest, -length

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the rate of totals (k, …); against empty references 100, or 0 when the output is empty too."""
        errors, length = np.asarray(totals, dtype=np.float64)
        some = length > 0
        rate = np.where(some, errors / np.where(some, length, 1.0), (errors > 0).astype(np.float64))
        return np.asarray(100 * rate)

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative by each total; NaN where the references are empty."""
        errors, length = np.asarray(totals, dtype=np.float64)
        length = np.where(length > 0, length, np.nan)
        return 100 * np.stack([1 / length, -errors / np.square(length)])
