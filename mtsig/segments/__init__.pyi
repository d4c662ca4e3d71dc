"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from .buckets import BUCKETS, Buckets, BucketShare, Detector, bucket_table, buckets_explained, buckets_of

__all__ = [
    "BUCKETS",
    "BucketShare",
    "Buckets",
    "Detector",
    "bucket_table",
    "buckets_explained",
    "buckets_of",
]
