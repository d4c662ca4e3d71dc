"""What metrics share whose score is the mean of numbers per segment: statistics (number, 1)."""

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import FloatArray, Note
from mtsig.metrics.base import Metric
from mtsig.metrics.statistics import Statistics


class SegmentMean(Metric):
    """A mean over segments. Statistics: the segment's number, and 1; tests on segments are about this mean."""

    is_segment_mean = True

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the mean; NaN of nothing."""
        total, count = np.asarray(totals, dtype=np.float64)
        return np.asarray(np.divide(total, count, out=np.full(np.shape(total), np.nan), where=count > 0))

    def segment_score(self, values: FloatArray) -> NDArray[np.float64]:
        """Return the numbers of single segments, NaN where there are none."""
        return self.score(values)

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative of a mean by its sum and its count."""
        return np.stack([1.0 / totals[1], -totals[0] / np.square(totals[1])])

    def caveats(self, statistics: Statistics) -> tuple[Note, ...]:
        """Return nothing: a mean has no kink and no empty order."""
        del statistics
        return ()
