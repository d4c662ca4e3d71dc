"""The way out: results go in; tables, JSON or CSV reach stdout, notes and progress stderr, documents a folder.

What a terminal would act upon is shown and does nothing else. Every verb loads this module, and none waits for what its
own output does not need: libraries are loaded where they draw.
"""

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from mtsig._writing import ACTING, csv_text, flat_row, in_markdown, visible
from mtsig.progress import watching

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

    from mtsig.corpus import Note
    from mtsig.figures import Picture
    from mtsig.report import Table


def say(*lines: str) -> None:
    """Print lines of text on stdout."""
    sys.stdout.write("".join(f"{visible(line)}\n" for line in lines))


def tell(*lines: str) -> None:
    """Print lines on stderr; where nobody can be told, the work goes on."""
    try:
        sys.stderr.write("".join(f"{visible(line)}\n" for line in lines))
        sys.stderr.flush()
    except OSError:
        give_up(sys.stderr)


def tell_notes(notes: "Iterable[Note]") -> None:
    """Print what the user should know on stderr, once each."""
    tell(*(f"{note.level}: {note.text}" for note in dict.fromkeys(notes)))


def say_data(text: str) -> None:
    """Print what another program reads on stdout: as it is, unless it is a terminal that reads."""
    sys.stdout.write(visible(text, keep="\n\t") if sys.stdout.isatty() else text)


def say_json(text: str) -> None:
    r"""Print JSON on stdout; what a terminal would act upon, or the encoding does not have, stands there as \u…."""
    is_unicode = (sys.stdout.encoding or "utf-8").lower().replace("-", "").startswith("utf")
    text = ACTING.sub(lambda sign: sign[0] if sign[0] == "\n" else _in_json(sign[0]), text)
    sys.stdout.write(text if is_unicode else re.sub(r"[^\x00-\x7f]", lambda sign: _in_json(sign[0]), text))


def _in_json(character: str) -> str:
    return r"\u007f" if character == "\x7f" else json.dumps(character)[1:-1]


def prepare() -> None:
    """Make stdout and stderr such that no text fails for their encoding, and none for their being closed."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:  # closed: the next file that is opened would take its place, and be written over
            os.open(os.devnull, os.O_RDWR)
    # None: they were closed when Python started.
    sys.stdout = _Closed() if sys.stdout is None else sys.stdout
    sys.stderr = io.StringIO() if sys.stderr is None else sys.stderr
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def give_up(stream: TextIO) -> None:
    """Let what a stream still holds go nowhere, so that Python does not try again, and complain, when it ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class Held(io.StringIO):
    """Holds back what is printed, made as for the stream that it will go to."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream

    def isatty(self) -> bool:
        """Return whether a terminal will read it."""
        return self._stream.isatty()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The encoding that it will be written in."""
        return self._stream.encoding or "utf-8"


class _Closed(io.TextIOBase):
    """A stdout that was closed: nothing is lost silently."""

    def write(self, text: str, /) -> NoReturn:
        del text
        raise OSError("stdout is closed")


@contextmanager
def progress(work: str) -> Iterator[None]:
    """Show a bar on stderr while the context lasts; it starts afresh with every pass."""
    from rich.console import Console  # here and below, because the help of the command draws nothing

    console = Console(stderr=True)
    if not console.is_terminal:
        with watching(lambda _: None):
            yield
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # here, because pipes need none

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(visible(work), total=1.0)
        with watching(lambda share: bar.update(task, completed=share)):
            yield


def _console() -> "Console":
    """Return rich's console of stdout; rich's own leaves with exit code 1 when nobody reads any more."""
    from rich.console import Console

    class Piped(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    # A pipe has no width of its own: give it room instead of rich's guess of 80 columns.
    return Piped(width=None if sys.stdout.isatty() else 200, highlight=False)


def print_tables(tables: "Sequence[Table]") -> None:
    """Print tables with their captions."""
    from rich.text import Text

    console = _console()
    for table in tables:
        for places in _sheets(table, console.width):
            console.print(_drawn(table, places, console.width))
        console.print(Text(visible(table.caption)), soft_wrap=True)
        console.print()


_GAP = 2
"""Columns of the console between two of a table."""


def _sheets(table: "Table", width: int) -> list[list[int]]:
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


def _least(table: "Table", place: int) -> int:
    """Return the columns of the console that one of a table needs: words wrap, numbers do not."""
    from rich.cells import cell_len

    cells = [visible(row[place]) for row in table.texts]
    if not table.columns[place].numeric:
        cells = [word for cell in cells for word in cell.split()]
    return max(map(cell_len, (*cells, *visible(table.columns[place].title).split())), default=0)


def _drawn(table: "Table", places: Sequence[int], width: int) -> "RichTable":
    """Return these columns of a table; where it is wider than the console, heads of numbers wrap as words do."""
    from rich.cells import cell_len
    from rich.table import Table as RichTable
    from rich.text import Text

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


Rows = str | Sequence[Mapping[str, Any]]
"""The rows of a CSV: the name of the bundle's list of them, or the rows themselves."""


def show(
    style: str,
    bundle: Mapping[str, Any],
    rows: Rows,
    tables: "Sequence[Table]",
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
        print_tables(tables)
        say(*sentences)


def markdown_text(tables: "Sequence[Table]", sentences: Sequence[str] = ()) -> str:
    """Return tables with their captions as Markdown, and the sentences as a list below them."""
    from mtsig.report._table import markdown_table  # here, because most of what is printed is not Markdown

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


def add_out(parser: Any, what: str = "the result") -> None:
    """Add --out to a parser or a group of arguments."""
    kinds = "JSON, CSV, tables in LaTeX, Markdown and HTML, pictures as web pages and PDF"
    parser.add_argument("--out", metavar="FOLDER", help=f"also write {what} there: {kinds}")


def write_out(
    folder: str | None,
    name: str,
    bundle: Mapping[str, Any],
    rows: Rows,
    tables: "Sequence[Table]",
    pictures: Callable[[], Mapping[str, "Picture"]],
) -> None:
    """Write a result into a folder, in files that begin with its name; without a folder, nothing.

    pictures: makes them, by the names of their files.

    Raises:
        ReadError: a file cannot be written.
    """
    if folder is None:
        return
    # Here and not above: plotly and matplotlib take a while to load, and nothing else needs them.
    from mtsig._writing import write_file
    from mtsig.figures._paper import write_picture
    from mtsig.report import html_page, latex_table

    texts = {
        "json": data_text("json", bundle, rows),
        "csv": data_text("csv", bundle, rows),
        "tex": "\n\n".join(map(latex_table, tables)) + "\n",
        "md": markdown_text(tables),
        "html": html_page(tables),
    }
    written = []
    for ending, text in texts.items():
        written.append(Path(folder) / f"{name}.{ending}")
        write_file(written[-1], text.encode())
    for stem, picture in pictures().items():
        files, notes = write_picture(picture, Path(folder) / f"{name}-{stem}")
        written += files
        tell_notes(notes)
    tell(*map(str, written))
