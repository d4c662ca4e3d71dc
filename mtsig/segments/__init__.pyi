"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from .buckets import BUCKETS, Buckets, BucketShare, Detector, bucket_table, buckets_explained, buckets_of
from .words import ClassRow, NgramRow, WordView, word_view

__all__ = [
    "BUCKETS",
    "BucketShare",
    "Buckets",
    "ClassRow",
    "Detector",
    "NgramRow",
    "WordView",
    "bucket_table",
    "buckets_explained",
    "buckets_of",
    "word_view",
]
