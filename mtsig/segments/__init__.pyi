"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._ablation import Ablation as Ablation
from ._ablation import SizeCurves as SizeCurves
from ._buckets import BUCKETS as BUCKETS
from ._buckets import Buckets as Buckets
from ._buckets import buckets_of as buckets_of
from ._contributions import Contributions as Contributions
from ._contributions import Leverage as Leverage
from ._contributions import contributions as contributions
from ._contributions import leverage as leverage
from ._overview import Overview as Overview
from ._overview import overview as overview
from ._word_view import WordView as WordView
from ._word_view import word_view as word_view

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
    "word_view",
]
