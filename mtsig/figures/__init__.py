"""Finished results go in, pictures come out: for the screen (plotly) and for paper; nothing statistical is computed."""

from mtsig.figures.experiments import of_experiment
from mtsig.figures.files import write_picture
from mtsig.figures.histogram import Histogram, resampled_differences, resampled_scores, shuffled_differences
from mtsig.figures.interval_bars import IntervalBars, interval_bars
from mtsig.figures.matrix import Matrix, matrix
from mtsig.figures.paper import FORMATS, PAPERS, Sheet, glyph_notes, has_tex, on_paper, pgf_problem, save
from mtsig.figures.picture import Picture
from mtsig.figures.size_curves import Curves, score_curves, width_curves

__all__ = [
    "FORMATS",
    "PAPERS",
    "Curves",
    "Histogram",
    "IntervalBars",
    "Matrix",
    "Picture",
    "Sheet",
    "glyph_notes",
    "has_tex",
    "interval_bars",
    "matrix",
    "of_experiment",
    "on_paper",
    "pgf_problem",
    "resampled_differences",
    "resampled_scores",
    "save",
    "score_curves",
    "shuffled_differences",
    "width_curves",
    "write_picture",
]
