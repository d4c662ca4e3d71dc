"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._blind_spots import underrated as underrated
from ._comparing import ComparedMetrics as ComparedMetrics
from ._comparing import compare_metrics as compare_metrics
from ._delta_accuracy import delta_accuracy as delta_accuracy
from ._delta_accuracy import side_by_side as side_by_side
from ._delta_accuracy import verdict_table as verdict_table
from ._exchanges import EXCHANGES as EXCHANGES
from ._exchanges import williams as williams
from ._leniency import ceiling as ceiling
from ._leniency import leniency as leniency
from ._metric_agreement import MetaEval as MetaEval
from ._metric_agreement import MetricAgreement as MetricAgreement
from ._metric_agreement import calibrate_ties as calibrate_ties
from ._metric_agreement import meta_eval as meta_eval
from ._metric_agreement import sentinels as sentinels
from ._rated_data import RatedData as RatedData
from ._rater_agreement import AGREEMENTS as AGREEMENTS
from ._rater_agreement import agreement as agreement
from ._rating_design import design_ratings as design_ratings
from ._rating_design import variance_shares as variance_shares
from ._statistic import Statistic as Statistic
from ._systems import STATISTICS as STATISTICS
from ._systems import PairwiseAccuracy as PairwiseAccuracy
from ._systems import SoftPairwiseAccuracy as SoftPairwiseAccuracy
from ._systems import accuracy_over_sets as accuracy_over_sets
from ._systems import outliers as outliers
from ._systems import wmt_clusters as wmt_clusters

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
