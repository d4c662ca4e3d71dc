"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._averages import Averaging, ScoresOverSets, score
from ._beyond import Replicability, partial_conjunction, rank_over_sets
from ._compare import FamilyOverSets, OverSets, compare
from ._pairs import PairOverSets
from ._parts import compare_subsets
from ._sets import Sets, SetStatistics, measure, read_sets

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
    "compare_subsets",
    "measure",
    "partial_conjunction",
    "rank_over_sets",
    "read_sets",
    "score",
]
