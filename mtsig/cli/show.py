"""Showing: tables, JSON or CSV on stdout; notes and progress on stderr.

What rich draws stands in `terminal`, which is loaded when something is drawn.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from mtsig.cli.say import say, say_data, say_json, tell
from mtsig.corpus import Corpus, Note, inspect
from mtsig.escaping import csv_text, flat_row, in_markdown
from mtsig.metrics import Metric, Statistics, measure
from mtsig.progress import watching
from mtsig.report import Table


@contextmanager
def progress(work: str) -> Iterator[None]:
    """Show a bar while the context lasts; it starts afresh with every pass."""
    from mtsig.cli.terminal import bar

    with bar(work) as update, watching(update):
        yield


def measured(corpus: Corpus, metrics: Sequence[Metric], executor: Executor | None = None) -> list[Statistics]:
    """Return the statistics of every metric, counted under a progress bar, by the executor where there is one."""
    counted = []
    for metric in metrics:
        with progress(f"Counting {metric.name}"):
            counted.append(measure(corpus, metric, executor))
    return counted


def show_notes(corpus: Corpus | None, notes: Iterable[Note] = ()) -> None:
    """Print what the user should know, once each, on stderr."""
    for note in dict.fromkeys([*(() if corpus is None else inspect(corpus)), *notes]):
        tell(f"{note.level}: {note.text}")


Rows = str | Sequence[Mapping[str, Any]]
"""The rows of a CSV: the name of the bundle's list of them, or the rows themselves."""


def show(
    style: str,
    bundle: Mapping[str, Any],
    rows: Rows,
    tables: Sequence[Table],
    columns: Sequence[str] = (),
    sentences: Sequence[str] = (),
) -> None:
    """Print a result: the bundle as JSON, its list called `rows` (or these rows) as CSV, or the tables.

    columns: the header of a CSV without rows. sentences: what is said below the tables.
    """
    if style == "json":
        say_json(data_text(style, bundle, rows))
    elif style == "csv":
        say_data(data_text(style, bundle, rows, columns))
    elif style == "markdown":
        say_data(markdown_text(tables, sentences))
    else:
        from mtsig.cli.terminal import print_tables

        print_tables(tables)
        say(*sentences)


def markdown_text(tables: Sequence[Table], sentences: Sequence[str] = ()) -> str:
    """Return tables with their captions as Markdown, and the sentences as a list below them."""
    from mtsig.report import markdown_table  # here, because most of what is printed is not Markdown

    parts = [part for table in tables for part in (markdown_table(table), in_markdown(table.caption)) if part]
    parts += ["\n".join(f"- {in_markdown(sentence)}" for sentence in sentences)] if sentences else []
    return "\n\n".join(parts) + "\n"


def data_text(style: str, bundle: Mapping[str, Any], rows: Rows, columns: Sequence[str] = ()) -> str:
    """Return a result as JSON or CSV; without rows that has the header `columns`, or nothing where none is given."""
    if style == "json":
        return json.dumps(bundle, indent=1, ensure_ascii=False) + "\n"
    flat = [flat_row(row) for row in (bundle[rows] if isinstance(rows, str) else rows)]
    header = list(flat[0]) if flat else columns
    return csv_text(header, ([row[name] for name in header] for row in flat)) if header else ""
