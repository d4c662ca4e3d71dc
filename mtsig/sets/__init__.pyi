"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from .collection import Sets, SetStatistics, measure
from .compare import FamilyOverSets, OverSets, compare
from .meta import RandomEffects, random_effects
from .pairs import PairOverSets, average, heterogeneity, pair_over_sets
from .ranks import SetRanks, rank_over_sets
from .reading import read_sets
from .replicability import Replicability, partial_conjunction
from .units import SharedUnits, units_over

__all__ = [
    "FamilyOverSets",
    "OverSets",
    "PairOverSets",
    "RandomEffects",
    "Replicability",
    "SetRanks",
    "SetStatistics",
    "Sets",
    "SharedUnits",
    "average",
    "compare",
    "heterogeneity",
    "measure",
    "pair_over_sets",
    "partial_conjunction",
    "random_effects",
    "rank_over_sets",
    "read_sets",
    "units_over",
]
