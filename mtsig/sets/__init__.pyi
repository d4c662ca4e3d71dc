"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from .averages import weights_from
from .collection import Sets, SetStatistics, measure, metric_of_set
from .compare import compare
from .meta import FEWEST_SETS, RandomEffects, random_effects
from .pairs import PairOverSets, average, heterogeneity, pair_over_sets
from .ranks import SetRanks, rank_over_sets
from .reading import parts_of_files, parts_of_sets, read_sets
from .replicability import Replicability, partial_conjunction
from .results import FamilyOverSets, OverSets
from .scores import ScoresOverSets, score
from .turned import by_score, seen_from
from .units import SharedUnits, units_over

__all__ = [
    "FEWEST_SETS",
    "FamilyOverSets",
    "OverSets",
    "PairOverSets",
    "RandomEffects",
    "Replicability",
    "ScoresOverSets",
    "SetRanks",
    "SetStatistics",
    "Sets",
    "SharedUnits",
    "average",
    "by_score",
    "compare",
    "heterogeneity",
    "measure",
    "metric_of_set",
    "pair_over_sets",
    "partial_conjunction",
    "parts_of_files",
    "parts_of_sets",
    "random_effects",
    "rank_over_sets",
    "read_sets",
    "score",
    "seen_from",
    "units_over",
    "weights_from",
]
