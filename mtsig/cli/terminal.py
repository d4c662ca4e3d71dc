"""What rich draws: tables go to stdout, progress to stderr. Loaded when the first of them is drawn."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from textwrap import wrap

from rich.cells import cell_len
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
        for places in _sheets(table, console.width):
            console.print(_drawn(table, places, console.width))
        console.print(Text(visible(table.caption)), soft_wrap=True)
        console.print()


_GAP = 2
"""Columns of the console between two of a table."""


def _sheets(table: Table, width: int) -> list[list[int]]:
    """Return which columns stand beside each other: all, or below each other so many that no number is cut.

    What names the rows, the words in front, stands on every sheet.
    """
    needed = [_least(table, place) for place in range(len(table.columns))]
    names = list(takewhile(lambda place: not table.columns[place].numeric, range(len(needed))))
    sheets = [names.copy()]
    for place in range(len(names), len(needed)):
        taken = sum(needed[other] + _GAP for other in sheets[-1])
        if sheets[-1] != names and taken + needed[place] > width:
            sheets.append(names.copy())
        sheets[-1].append(place)
    return sheets


def _least(table: Table, place: int) -> int:
    """Return the columns of the console that one of a table needs: words wrap, numbers do not."""
    cells = [visible(row[place]) for row in table.texts]
    if not table.columns[place].numeric:
        cells = [word for cell in cells for word in cell.split()]
    return max(map(cell_len, (*cells, *visible(table.columns[place].title).split())), default=0)


def _drawn(table: Table, places: Sequence[int], width: int) -> RichTable:
    """Return these columns of a table; where it is wider than the console, heads of numbers wrap as words do."""
    drawn = RichTable(box=None, pad_edge=False, header_style="bold")
    cells = [[visible(row[place]) for row in table.texts] for place in places]
    heads = [visible(table.columns[place].title) for place in places]
    whole = sum(max(map(cell_len, (head, *column))) + _GAP for head, column in zip(heads, cells, strict=True)) - _GAP
    for place, head in zip(places, heads, strict=True):
        right = table.columns[place].numeric
        if right and whole > width:
            head = "\n".join(wrap(head, _least(table, place), break_long_words=False, break_on_hyphens=False))
        drawn.add_column(Text(head), justify="right" if right else "left", no_wrap=right)
    for row in zip(*cells, strict=True):
        drawn.add_row(*map(Text, row))
    return drawn
