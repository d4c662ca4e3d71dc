"""Showing: tables, JSON or CSV on stdout; notes and progress on stderr.

What rich draws stands in `terminal`, which is loaded when something is drawn.
"""

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from mtsig.corpus import Corpus, Note, inspect
from mtsig.metrics import Metric, Statistics, measuring
from mtsig.report import Table
from mtsig.steps import Steps, finish, watching

T = TypeVar("T")


def with_progress(work: str, steps: Steps[T]) -> T:
    """Run the steps to the end under a bar."""
    from mtsig.cli.terminal import bar

    with bar(work) as update:
        return finish(steps, update)


@contextmanager
def watched(work: str) -> Iterator[None]:
    """Show a bar for the kernel's passes while the context lasts; it starts afresh with every pass."""
    from mtsig.cli.terminal import bar

    with bar(work) as update, watching(update):
        yield


def measured(corpus: Corpus, metrics: Sequence[Metric]) -> list[Statistics]:
    """Return the statistics of every metric, counted under a progress bar."""
    return [with_progress(f"Counting {one.name}", measuring(corpus, one)) for one in metrics]


def show_notes(corpus: Corpus, notes: Iterable[Note] = ()) -> None:
    """Print what the user should know, once each, on stderr."""
    for note in dict.fromkeys([*inspect(corpus), *notes]):
        sys.stderr.write(f"{note.level}: {note.text}\n")


def show(
    style: str, bundle: Mapping[str, Any], rows: str | Sequence[Mapping[str, Any]], tables: Sequence[Table]
) -> None:
    """Print a result: the bundle as JSON, its list called `rows` (or these rows) as CSV, or the tables."""
    if style == "json":
        json.dump(bundle, sys.stdout, indent=1, ensure_ascii=False)
        sys.stdout.write("\n")
    elif style == "csv":
        flat = [_flat(row) for row in (bundle[rows] if isinstance(rows, str) else rows)]
        if not flat:
            return
        writer = csv.DictWriter(sys.stdout, fieldnames=list(flat[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(flat)
    else:
        from mtsig.cli.terminal import print_tables

        print_tables(tables)


def _flat(row: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return a record with what is nested in it as columns of its own: power.units …."""
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{before}{key}.")
        else:
            flat[before + key] = ",".join(map(str, value)) if isinstance(value, list) else value
    return flat
