"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._blind_spots import underrated
from ._comparing import ComparedMetrics, compare_metrics, sentinels
from ._delta_accuracy import delta_accuracy, side_by_side, verdict_table
from ._exchanges import EXCHANGES, williams
from ._leniency import ceiling, leniency
from ._metric_agreement import MetaEval, MetricAgreement, calibrate_ties, meta_eval
from ._rated_data import RatedData
from ._rater_agreement import AGREEMENTS, agreement
from ._rating_design import design_ratings, variance_shares
from ._statistic import Statistic
from ._systems import STATISTICS, PairwiseAccuracy, SoftPairwiseAccuracy, accuracy_over_sets, outliers, wmt_clusters

__all__ = [
    "AGREEMENTS",
    "EXCHANGES",
    "STATISTICS",
    "ComparedMetrics",
    "MetaEval",
    "MetricAgreement",
    "PairwiseAccuracy",
    "RatedData",
    "SoftPairwiseAccuracy",
    "Statistic",
    "accuracy_over_sets",
    "agreement",
    "calibrate_ties",
    "ceiling",
    "compare_metrics",
    "delta_accuracy",
    "design_ratings",
    "leniency",
    "meta_eval",
    "outliers",
    "sentinels",
    "side_by_side",
    "underrated",
    "variance_shares",
    "verdict_table",
    "williams",
    "wmt_clusters",
]
