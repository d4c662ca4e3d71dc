"""CSV: the numbers in full, one file per kind of row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mtsig._writing import csv_text
from mtsig.report.exporters.base import Exported, Exporter, Written


@dataclass(frozen=True)
class Csv(Exporter):
    """scores.csv, comparisons.csv, and ranks.csv and margins.csv where there are some."""

    label = "CSV"
    about = (
        "All numbers in full, one file per kind; UTF-8, commas, one header line. Texts that a spreadsheet would "
        "compute have an apostrophe before them."
    )

    def __call__(self, document: Written) -> Exported:
        """Return the files."""
        return Exported({f"{name}.csv": _written(some) for name, some in document.rows.items() if some})


def _written(rows: Sequence[Mapping[str, Any]]) -> bytes:
    # A row of a later program may have keys that others lack.
    names = list(dict.fromkeys(name for row in rows for name in row))
    return csv_text(names, ([row.get(name) for name in names] for row in rows)).encode()
