"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._ablation import Ablation, SizeCurves, size_curve
from ._buckets import BUCKETS, Buckets, buckets_of
from ._contributions import Contributions, contributions
from ._leverage import Leverage, leverage
from ._overview import Overview, overview
from ._word_view import WordView, word_view

__all__ = [
    "BUCKETS",
    "Ablation",
    "Buckets",
    "Contributions",
    "Leverage",
    "Overview",
    "SizeCurves",
    "WordView",
    "buckets_of",
    "contributions",
    "leverage",
    "overview",
    "size_curve",
    "word_view",
]
