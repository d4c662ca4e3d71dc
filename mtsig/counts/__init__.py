"""Counts as a file: statistics go in, a Parquet table comes out, and the same come back without any text."""

from mtsig.counts._in_files import read_counts, write_counts
from mtsig.counts._table import FORMAT, KEY, Counted, CountedUnit, Counts

__all__ = ["FORMAT", "KEY", "Counted", "CountedUnit", "Counts", "read_counts", "write_counts"]
