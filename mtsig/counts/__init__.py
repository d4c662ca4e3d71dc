"""Counts as a file: statistics go in, a Parquet table comes out, and the same come back without any text."""

from mtsig.counts.counted import Counted, CountedUnit, Counts
from mtsig.counts.form import FORMAT, KEY
from mtsig.counts.read import read_counts
from mtsig.counts.write import write_counts

__all__ = ["FORMAT", "KEY", "Counted", "CountedUnit", "Counts", "read_counts", "write_counts"]
