"""Histogram of one system's redrawn scores with its interval (ZV04 figures 1 and 2)."""

import numpy as np

from mtsig.figures.plot import Line, Plot, Series, numbers
from mtsig.lab import Redraws

_BINS = 60


def redrawn_scores(result: Redraws) -> Plot:
    """Return the histogram; the lines are the ends of the interval and the score of the test set."""
    counts, edges = np.histogram(result.draws, _BINS)
    bars = Series("redrawn test sets", numbers((edges[:-1] + edges[1:]) / 2), numbers(counts), "bars", colour=None)
    ends = (
        Line(result.low, f"{result.low:.4g}", vertical=True),
        Line(result.high, f"{result.high:.4g}", vertical=True),
    )
    lines = (*ends, Line(result.score, f"score {result.score:.4g}", vertical=True))
    return Plot(f"{result.metric} of {result.system}", "redraws", (bars,), lines)
