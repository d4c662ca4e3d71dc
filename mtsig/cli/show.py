"""Showing: tables, JSON or CSV on stdout; notes and progress on stderr."""

import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as RichTable
from rich.text import Text

from mtsig.corpus import Corpus, Note, inspect
from mtsig.errors import ReadError
from mtsig.metrics import Metric, Statistics, measuring
from mtsig.report import Table
from mtsig.steps import Steps, finish, watching

T = TypeVar("T")


@contextmanager
def _bar(work: str) -> Iterator[Callable[[float], None]]:
    """Show a bar on stderr, when somebody is there to see it; what is yielded sets the share done."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(work, total=1.0)
        yield lambda share: progress.update(task, completed=share)


def with_progress(work: str, steps: Steps[T]) -> T:
    """Run the steps to the end under a bar."""
    with _bar(work) as update:
        return finish(steps, update)


@contextmanager
def watched(work: str) -> Iterator[None]:
    """Show a bar for the kernel's passes while the context lasts; it starts afresh with every pass."""
    with _bar(work) as update, watching(update):
        yield


def measured(corpus: Corpus, metrics: Sequence[Metric]) -> list[Statistics]:
    """Return the statistics of every metric, counted under a progress bar."""
    return [with_progress(f"Counting {one.name}", measuring(corpus, one)) for one in metrics]


def show_notes(corpus: Corpus, notes: Iterable[Note] = ()) -> None:
    """Print what the user should know, once each, on stderr."""
    for note in dict.fromkeys([*inspect(corpus), *notes]):
        sys.stderr.write(f"{note.level}: {note.text}\n")


class _Piped(Console):
    """rich's console leaves with exit code 1 when nobody reads any more; `main` knows better."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def show(style: str, bundle: Mapping[str, Any], rows: str, tables: Sequence[Table]) -> None:
    """Print a result: the bundle as JSON, its list called `rows` as CSV, or the tables."""
    if style == "json":
        json.dump(bundle, sys.stdout, indent=1, ensure_ascii=False)
        sys.stdout.write("\n")
    elif style == "csv":
        flat = [_flat(row) for row in bundle[rows]]
        if not flat:
            return
        writer = csv.DictWriter(sys.stdout, fieldnames=list(flat[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(flat)
    else:
        # A pipe has no width of its own: give it room instead of rich's guess of 80 columns.
        console = _Piped(width=None if sys.stdout.isatty() else 200, highlight=False)
        for table in tables:
            console.print(_drawn(table))
            console.print(Text(table.caption), soft_wrap=True)
            console.print()


def write_file(path: Path, data: bytes) -> None:
    """Write a file, making its folder.

    Raises:
        ReadError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise ReadError(f"{path}: cannot be written ({error.strerror or error}).") from None


def _flat(row: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return a record with what is nested in it as columns of its own: power.units …."""
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{before}{key}.")
        else:
            flat[before + key] = ",".join(map(str, value)) if isinstance(value, list) else value
    return flat


def _drawn(table: Table) -> RichTable:
    drawn = RichTable(box=None, pad_edge=False, header_style="bold")
    for name, numeric in zip(table.header, table.numeric, strict=True):
        drawn.add_column(Text(name), justify="right" if numeric else "left", no_wrap=numeric)
    for row in table.rows:
        drawn.add_row(*(Text(cell) for cell in row))
    return drawn
