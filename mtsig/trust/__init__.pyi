"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from .judged import Judged, Scored
from .statistic import Redraw, Statistic
from .systems import outliers
from .table import STATISTICS
from .trusted import Calibrated, Trust, Trusted, calibrate_ties, trust

__all__ = [
    "STATISTICS",
    "Calibrated",
    "Judged",
    "Redraw",
    "Scored",
    "Statistic",
    "Trust",
    "Trusted",
    "calibrate_ties",
    "outliers",
    "trust",
]
