"""What rich draws: tables go to stdout, progress to stderr. Loaded when the first of them is drawn."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from mtsig.escaping import visible
from mtsig.report import Table


class _Piped(Console):
    """rich's console leaves with exit code 1 when nobody reads any more; `main` knows better."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


@contextmanager
def bar(work: str) -> Iterator[Callable[[float], None]]:
    """Show a bar on stderr, when somebody is there to see it; what is yielded sets the share done."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _unseen
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # here, because pipes need none

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(visible(work), total=1.0)
        yield lambda share: progress.update(task, completed=share)


def _unseen(share: float) -> None:
    del share


def print_tables(tables: Sequence[Table]) -> None:
    """Print tables with their captions."""
    # A pipe has no width of its own: give it room instead of rich's guess of 80 columns.
    console = _Piped(width=None if sys.stdout.isatty() else 200, highlight=False)
    for table in tables:
        console.print(_drawn(table))
        console.print(Text(visible(table.caption)), soft_wrap=True)
        console.print()


def _drawn(table: Table) -> RichTable:
    drawn = RichTable(box=None, pad_edge=False, header_style="bold")
    for column in table.columns:
        title, right = Text(visible(column.title)), column.numeric
        drawn.add_column(title, justify="right" if right else "left", no_wrap=right)
    for row in table.texts:
        drawn.add_row(*(Text(visible(cell)) for cell in row))
    return drawn
