"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from .agreement import AgreementDots, LeniencyDots
from .contributed import ContributionBars, LeverageCurve, ScoresApart
from .difference import DifferenceBar
from .forest import Forest
from .forest_of_sets import SetForest, compared_in
from .heat_of_sets import SetHeat
from .histogram import Histogram
from .interval_bars import IntervalBars
from .joint import ParallelIntervals
from .look import MOST_CURVES, legible_on, verdict_colour
from .matrix import Matrix
from .meaning import MeaningCurve
from .paper import FORMATS, PAPERS, Sheet, glyph_notes, glyphs, on_paper, pgf_problem, save
from .picture import Drawing, Picture
from .rank_diagram import RankDiagram
from .size_curves import Curves
from .trust import TrustDots
from .verdicts import VerdictMarks

__all__ = [
    "FORMATS",
    "MOST_CURVES",
    "PAPERS",
    "AgreementDots",
    "ContributionBars",
    "Curves",
    "DifferenceBar",
    "Drawing",
    "Forest",
    "Histogram",
    "IntervalBars",
    "LeniencyDots",
    "LeverageCurve",
    "Matrix",
    "MeaningCurve",
    "ParallelIntervals",
    "Picture",
    "RankDiagram",
    "ScoresApart",
    "SetForest",
    "SetHeat",
    "Sheet",
    "TrustDots",
    "VerdictMarks",
    "compared_in",
    "glyph_notes",
    "glyphs",
    "legible_on",
    "on_paper",
    "pgf_problem",
    "save",
    "verdict_colour",
]
