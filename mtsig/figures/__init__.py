"""Finished results go in, plotly figures come out; nothing statistical is computed here."""

from mtsig.figures.experiments import of_experiment
from mtsig.figures.histogram import resampled_differences, resampled_scores, shuffled_differences
from mtsig.figures.interval_bars import interval_bars
from mtsig.figures.matrix import matrix
from mtsig.figures.size_curves import score_curves, width_curves

__all__ = [
    "interval_bars",
    "matrix",
    "of_experiment",
    "resampled_differences",
    "resampled_scores",
    "score_curves",
    "shuffled_differences",
    "width_curves",
]
