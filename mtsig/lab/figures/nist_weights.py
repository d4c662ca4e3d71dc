"""NIST of redrawn test sets, with fixed information weights and with recomputed ones."""

import numpy as np

from mtsig.figures.plot import Line, Plot, Series, numbers
from mtsig.lab import NistWeightsScores

_BINS = 40


def redrawn_nist(result: NistWeightsScores) -> Plot:
    """Return both histograms over the same bins; the line is the test set's own score."""
    edges = np.histogram_bin_edges(np.concatenate([result.fixed, result.recomputed]), _BINS)
    middles = numbers((edges[:-1] + edges[1:]) / 2)
    series = [
        Series(f"weights {kind}", middles, numbers(np.histogram(draws, edges)[0]), "bars", colour=colour)
        for kind, draws, colour in (("fixed", result.fixed, 0), ("recomputed", result.recomputed, 1))
    ]
    title = f"NIST of {result.system} on redrawn test sets"
    return Plot(title, "redraws", tuple(series), (Line(result.observed, "the test set's own", vertical=True),))
