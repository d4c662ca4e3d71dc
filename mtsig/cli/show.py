"""Showing: tables, JSON or CSV on stdout; notes and progress on stderr.

What rich draws stands in `terminal`, which is loaded when something is drawn.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from mtsig.cells import csv_text
from mtsig.cli.say import say_data, say_json, tell
from mtsig.corpus import Corpus, Note, inspect
from mtsig.metrics import Metric, Statistics, measure
from mtsig.progress import watching
from mtsig.report import Table


@contextmanager
def progress(work: str) -> Iterator[None]:
    """Show a bar while the context lasts; it starts afresh with every pass."""
    from mtsig.cli.terminal import bar

    with bar(work) as update, watching(update):
        yield


def measured(corpus: Corpus, metrics: Sequence[Metric]) -> list[Statistics]:
    """Return the statistics of every metric, counted under a progress bar."""
    counted = []
    for metric in metrics:
        with progress(f"Counting {metric.name}"):
            counted.append(measure(corpus, metric))
    return counted


def show_notes(corpus: Corpus, notes: Iterable[Note] = ()) -> None:
    """Print what the user should know, once each, on stderr."""
    for note in dict.fromkeys([*inspect(corpus), *notes]):
        tell(f"{note.level}: {note.text}")


Rows = str | Sequence[Mapping[str, Any]]
"""The rows of a CSV: the name of the bundle's list of them, or the rows themselves."""


def show(style: str, bundle: Mapping[str, Any], rows: Rows, tables: Sequence[Table]) -> None:
    """Print a result: the bundle as JSON, its list called `rows` (or these rows) as CSV, or the tables."""
    if style == "json":
        say_json(data_text(style, bundle, rows))
    elif style == "csv":
        say_data(data_text(style, bundle, rows))
    else:
        from mtsig.cli.terminal import print_tables

        print_tables(tables)


def data_text(style: str, bundle: Mapping[str, Any], rows: Rows) -> str:
    """Return a result as JSON or CSV; no rows are an empty file."""
    if style == "json":
        return json.dumps(bundle, indent=1, ensure_ascii=False) + "\n"
    flat = [_flat(row) for row in (bundle[rows] if isinstance(rows, str) else rows)]
    return csv_text(flat[0], ([row[name] for name in flat[0]] for row in flat)) if flat else ""


def _flat(row: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return a record with what is nested in it as columns of its own: power.units …."""
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{before}{key}.")
        else:
            flat[before + key] = ",".join(map(str, value)) if isinstance(value, list) else value
    return flat
