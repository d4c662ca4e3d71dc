"""The statistics of agreement by the names that users type."""

from mtsig.trust.groups import (
    CalibratedTies,
    RelativeRanking,
    SegmentKendall,
    SegmentPearson,
    SegmentSpearman,
    TauEqual,
    TiesEqual,
)
from mtsig.trust.soft import SoftPairwiseAccuracy
from mtsig.trust.statistic import Statistic
from mtsig.trust.systems import Kendall, PairwiseAccuracy, Pearson, Spearman

STATISTICS: dict[str, Statistic] = {
    statistic.name: statistic
    for statistic in (
        SoftPairwiseAccuracy(),
        PairwiseAccuracy(),
        Pearson(),
        Spearman(),
        Kendall(),
        CalibratedTies(),
        TiesEqual(),
        TauEqual(),
        SegmentPearson(),
        SegmentSpearman(),
        SegmentKendall(),
        RelativeRanking(),
    )
}
"""Those of systems first, then those of segments; put your own here, or give it itself."""
