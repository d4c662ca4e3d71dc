"""Coverage (K04 figure 6): every test set's interval, and the score of all the data as a line."""

import numpy as np
from numpy.typing import NDArray

from mtsig.figures.plot import Line, Plot, Series, numbers
from mtsig.lab import CoverageRates


def intervals_of_sets(result: CoverageRates) -> Plot:
    """Return the intervals, those that miss the truth in another colour and shape."""
    places = np.arange(1, result.sets + 1)

    def series(name: str, kept: NDArray[np.bool_], colour: int) -> Series:
        low, high = numbers(result.low[kept]), numbers(result.high[kept])
        return Series(name, numbers(places[kept]), numbers(result.estimate[kept]), "points", low, high, colour)

    return Plot(
        f"test set of {result.size} segments",
        f"{result.target} with interval",
        (series("holds it", result.covered, 0), series("misses it", ~result.covered, 3)),
        (Line(result.truth, "score of all the data"),),
    )
