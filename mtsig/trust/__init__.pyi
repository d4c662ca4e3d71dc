"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from .agreements import AGREEMENTS, Agreement, agreement, repeats
from .blind_spots import SameOutputs, SameScore, Underrated, same_outputs, same_score, underrated
from .both_scales import BothScales, OnBothScales, both_scales
from .ceilings import Ceiling, ceiling
from .clusters import clusters_of, wmt_clusters
from .comparing import ComparedMetrics, compare_metrics, item_statistics
from .curves import Curve, Meant, Needed, meaning
from .exchange import Exchange
from .exchanges import EXCHANGES, pairs_p
from .judge_levels import Leniency, Standardised, design, leniency, standardised
from .judged import Judged, Scored, people_of_systems, whole_systems
from .random_judges import JudgedComparison, JudgedComparisons, compare_with_random_judges
from .rating_design import RatingDesign, RatingSize, design_ratings, design_ratings_by
from .sentinels import Guarded, sentinels, texts_of
from .several_sets import AccuracyOverSets, accuracy_over_sets
from .shares import VarianceShares, variance_shares
from .statistic import Redraw, Statistic
from .systems import Pearson, fisher_interval, outliers
from .table import STATISTICS
from .trusted import Calibrated, Trust, Trusted, calibrate_ties, trust, with_separated
from .verdicts import PairVerdict, VerdictCount, VerdictTable, side_by_side, verdict_table
from .williams import Williams, williams

__all__ = [
    "AGREEMENTS",
    "EXCHANGES",
    "STATISTICS",
    "AccuracyOverSets",
    "Agreement",
    "BothScales",
    "Calibrated",
    "Ceiling",
    "ComparedMetrics",
    "Curve",
    "Exchange",
    "Guarded",
    "Judged",
    "JudgedComparison",
    "JudgedComparisons",
    "Leniency",
    "Meant",
    "Needed",
    "OnBothScales",
    "PairVerdict",
    "Pearson",
    "RatingDesign",
    "RatingSize",
    "Redraw",
    "SameOutputs",
    "SameScore",
    "Scored",
    "Standardised",
    "Statistic",
    "Trust",
    "Trusted",
    "Underrated",
    "VarianceShares",
    "VerdictCount",
    "VerdictTable",
    "Williams",
    "accuracy_over_sets",
    "agreement",
    "both_scales",
    "calibrate_ties",
    "ceiling",
    "clusters_of",
    "compare_metrics",
    "compare_with_random_judges",
    "design",
    "design_ratings",
    "design_ratings_by",
    "fisher_interval",
    "item_statistics",
    "leniency",
    "meaning",
    "outliers",
    "pairs_p",
    "people_of_systems",
    "repeats",
    "same_outputs",
    "same_score",
    "sentinels",
    "side_by_side",
    "standardised",
    "texts_of",
    "trust",
    "underrated",
    "variance_shares",
    "verdict_table",
    "whole_systems",
    "williams",
    "with_separated",
    "wmt_clusters",
]
