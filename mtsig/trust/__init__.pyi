"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from .clusters import clusters_of, wmt_clusters
from .exchange import Exchange, compare_metrics, item_statistics, pairs_p
from .judged import Judged, Scored
from .statistic import Redraw, Statistic
from .systems import outliers
from .table import STATISTICS
from .trusted import Calibrated, Trust, Trusted, calibrate_ties, trust
from .williams import Williams, williams

__all__ = [
    "STATISTICS",
    "Calibrated",
    "Exchange",
    "Judged",
    "Redraw",
    "Scored",
    "Statistic",
    "Trust",
    "Trusted",
    "Williams",
    "calibrate_ties",
    "clusters_of",
    "compare_metrics",
    "item_statistics",
    "outliers",
    "pairs_p",
    "trust",
    "williams",
    "wmt_clusters",
]
