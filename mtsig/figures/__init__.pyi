"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._curves import Across, Curves, Series
from ._dots import Forest, IntervalBars, ParallelIntervals
from ._look import verdict_colour
from ._marks import Axis, Band, Bars, Cells, Labels, Line, Picture, Plane, Points, Rule, Scene
from ._matrix import Matrix
from ._pair import DifferenceBar, Histogram
from ._paper import FORMATS, PAPERS, on_paper, save
from ._people import AgreementDots, LeniencyDots, MeaningCurve, TrustDots, VerdictMarks
from ._segments import ContributionBars, LeverageCurve, ScoresApart
from ._sets import RankDiagram, SetForest, SetHeat

__all__ = [
    "FORMATS",
    "PAPERS",
    "Across",
    "AgreementDots",
    "Axis",
    "Band",
    "Bars",
    "Cells",
    "ContributionBars",
    "Curves",
    "DifferenceBar",
    "Forest",
    "Histogram",
    "IntervalBars",
    "Labels",
    "LeniencyDots",
    "LeverageCurve",
    "Line",
    "Matrix",
    "MeaningCurve",
    "ParallelIntervals",
    "Picture",
    "Plane",
    "Points",
    "RankDiagram",
    "Rule",
    "Scene",
    "ScoresApart",
    "Series",
    "SetForest",
    "SetHeat",
    "TrustDots",
    "VerdictMarks",
    "on_paper",
    "save",
    "verdict_colour",
]
