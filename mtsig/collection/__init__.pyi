"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._averages import Averaging as Averaging
from ._averages import ScoresOverSets as ScoresOverSets
from ._averages import score as score
from ._beyond import Replicability as Replicability
from ._beyond import partial_conjunction as partial_conjunction
from ._beyond import rank_over_sets as rank_over_sets
from ._compare import FamilyOverSets as FamilyOverSets
from ._compare import OverSets as OverSets
from ._compare import compare as compare
from ._pairs import PairOverSets as PairOverSets
from ._sets import Sets as Sets
from ._sets import SetStatistics as SetStatistics
from ._sets import measure as measure
from ._sets import read_sets as read_sets

__all__ = [
    "Averaging",
    "FamilyOverSets",
    "OverSets",
    "PairOverSets",
    "Replicability",
    "ScoresOverSets",
    "SetStatistics",
    "Sets",
    "compare",
    "measure",
    "partial_conjunction",
    "rank_over_sets",
    "read_sets",
    "score",
]
