"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._curves import Across as Across
from ._curves import Curves as Curves
from ._curves import Series as Series
from ._dots import Forest as Forest
from ._dots import IntervalBars as IntervalBars
from ._dots import ParallelIntervals as ParallelIntervals
from ._histogram import Histogram as Histogram
from ._look import verdict_colour as verdict_colour
from ._marks import FORMATS as FORMATS
from ._marks import PAPERS as PAPERS
from ._marks import Axis as Axis
from ._marks import Band as Band
from ._marks import Bars as Bars
from ._marks import Cells as Cells
from ._marks import Line as Line
from ._marks import Picture as Picture
from ._marks import Plane as Plane
from ._marks import Points as Points
from ._marks import Rule as Rule
from ._marks import Scene as Scene
from ._matrix import Matrix as Matrix
from ._paper import on_paper as on_paper
from ._paper import save as save
from ._people import AgreementDots as AgreementDots
from ._people import LeniencyDots as LeniencyDots
from ._people import MeaningCurve as MeaningCurve
from ._people import RankRanges as RankRanges
from ._people import TrustDots as TrustDots
from ._people import VerdictMarks as VerdictMarks
from ._planning import PowerCurve as PowerCurve
from ._planning import SubsetWidths as SubsetWidths
from ._segments import ContributionBars as ContributionBars
from ._segments import LeverageCurve as LeverageCurve
from ._segments import ScoresApart as ScoresApart
from ._sets import RankDiagram as RankDiagram
from ._sets import SetForest as SetForest
from ._sets import SetHeat as SetHeat

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
