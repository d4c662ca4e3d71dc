"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from .contributions import Contributions, contributions
from .leverage import LeftOut, Leverage, leverage
from .overview import SORTS, GroupRow, Overview, SegmentRow, overview

__all__ = [
    "SORTS",
    "Contributions",
    "GroupRow",
    "LeftOut",
    "Leverage",
    "Overview",
    "SegmentRow",
    "contributions",
    "leverage",
    "overview",
]
