"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._changes import Change as Change
from ._changes import Reproduction as Reproduction
from ._counts import Counts as Counts
from ._counts import read_counts as read_counts
from ._counts import write_counts as write_counts
from ._reading import study_of as study_of
from ._record import FamilyOverSets as FamilyOverSets
from ._record import OverSets as OverSets
from ._record import PairOverSets as PairOverSets
from ._record import Replicability as Replicability
from ._record import ScoresOverSets as ScoresOverSets
from ._record import Star as Star
from ._record import Study as Study
from ._record import study_schema as study_schema
from ._request import AnalysisPlan as AnalysisPlan
from ._request import Averaging as Averaging
from ._request import Margin as Margin
from ._request import Request as Request
from ._request import Sets as Sets
from ._request import measure as measure
from ._request import partial_conjunction as partial_conjunction
from ._request import rank_over_sets as rank_over_sets
from ._request import read_plan as read_plan
from ._request import read_sets as read_sets
from ._run import CAUTIONS as CAUTIONS
from ._run import CHECKS as CHECKS
from ._run import Check as Check
from ._run import Finding as Finding
from ._run import SetStatistics as SetStatistics
from ._run import compare as compare
from ._run import conduct as conduct
from ._run import score as score

__all__ = [
    "CAUTIONS",
    "CHECKS",
    "AnalysisPlan",
    "Averaging",
    "Change",
    "Check",
    "Counts",
    "FamilyOverSets",
    "Finding",
    "Margin",
    "OverSets",
    "PairOverSets",
    "Replicability",
    "Reproduction",
    "Request",
    "ScoresOverSets",
    "SetStatistics",
    "Sets",
    "Star",
    "Study",
    "compare",
    "conduct",
    "measure",
    "partial_conjunction",
    "rank_over_sets",
    "read_counts",
    "read_plan",
    "read_sets",
    "score",
    "study_of",
    "study_schema",
    "write_counts",
]
