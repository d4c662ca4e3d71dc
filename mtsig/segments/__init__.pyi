"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from .buckets import BUCKETS, Buckets, BucketShare, Detector, bucket_table, buckets_explained, buckets_of
from .contributions import Contributions, contributions
from .leverage import LeftOut, Leverage, leverage
from .overview import SORTS, GroupRow, Overview, SegmentRow, overview
from .words import ClassRow, NgramRow, WordView, word_view

__all__ = [
    "BUCKETS",
    "SORTS",
    "BucketShare",
    "Buckets",
    "ClassRow",
    "Contributions",
    "Detector",
    "GroupRow",
    "LeftOut",
    "Leverage",
    "NgramRow",
    "Overview",
    "SegmentRow",
    "WordView",
    "bucket_table",
    "buckets_explained",
    "buckets_of",
    "contributions",
    "leverage",
    "overview",
    "word_view",
]
