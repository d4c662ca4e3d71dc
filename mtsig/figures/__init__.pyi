"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._curves import Across, Curves, Series
from ._dots import Forest, IntervalBars, ParallelIntervals
from ._histogram import Histogram
from ._look import verdict_colour
from ._marks import Axis, Band, Bars, Cells, Line, Picture, Plane, Points, Rule, Scene
from ._matrix import Matrix
from ._paper import FORMATS, PAPERS, on_paper, save
from ._people import AgreementDots, LeniencyDots, MeaningCurve, RankRanges, TrustDots, VerdictMarks
from ._planning import PowerCurve, SubsetWidths
from ._segments import ContributionBars, LeverageCurve, ScoresApart
from ._set_forest import SetForest
from ._sets import RankDiagram, SetHeat

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
    "Forest",
    "Histogram",
    "IntervalBars",
    "LeniencyDots",
    "LeverageCurve",
    "Line",
    "Matrix",
    "MeaningCurve",
    "ParallelIntervals",
    "Picture",
    "Plane",
    "Points",
    "PowerCurve",
    "RankDiagram",
    "RankRanges",
    "Rule",
    "Scene",
    "ScoresApart",
    "Series",
    "SetForest",
    "SetHeat",
    "SubsetWidths",
    "TrustDots",
    "VerdictMarks",
    "on_paper",
    "save",
    "verdict_colour",
]
