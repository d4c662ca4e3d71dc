"""Made data for inference: means of segment scores, higher or lower better, and pairs of any closeness."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtsig._records import FloatArray
from mtsig.metrics import Metric, Statistics
from mtsig.metrics._statistics import as_values


@dataclass(frozen=True)
class Mean(Metric):
    """The mean of segment scores; `higher_is_better` is what a rating or an error rate would say."""

    higher_is_better: bool = True
    name: ClassVar[str] = "mean"

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the mean."""
        return np.asarray(totals[0] / totals[1])


def means(scores: ArrayLike, higher_is_better: bool = True, systems: Sequence[str] = "ABCDEFGHIJ") -> Statistics:
    """Return statistics of systems A, B … whose segment scores are the rows of `scores`."""
    values = np.array(scores, dtype=float)
    names = tuple(systems[: len(values)])
    return Statistics(Mean(higher_is_better), names, as_values(np.array([values, np.ones_like(values)])))
