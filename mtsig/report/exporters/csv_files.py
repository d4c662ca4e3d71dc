"""CSV: the numbers in full, one file per kind of row."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mtsig.report.exporters.base import Document, Exported, Exporter

_FILES = {"systems": "scores.csv", "comparisons": "comparisons.csv", "ranks": "ranks.csv", "margins": "margins.csv"}


@dataclass(frozen=True)
class Csv(Exporter):
    """scores.csv, comparisons.csv, and ranks.csv and margins.csv where there are some."""

    label = "CSV"
    about = "All numbers in full, one file per kind; UTF-8, commas, one header line."

    def __call__(self, document: Document) -> Exported:
        """Return the files."""
        record = document.study.record
        return Exported({name: _written(record[key]) for key, name in _FILES.items() if record[key]})


def _written(rows: Sequence[Mapping[str, Any]]) -> bytes:
    text = io.StringIO()
    # A row of an earlier or later program may have keys that others lack.
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(text, fieldnames=names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()
