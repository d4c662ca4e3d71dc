"""The way out: results go in; tables, JSON or CSV reach stdout, notes and progress stderr, documents a folder.

What a terminal would act upon is shown and does nothing else. Every verb loads this module, and none waits for what its
own output does not need: libraries are loaded where they draw.
"""

import io
import json
import os
import re
import select
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, pairwise, takewhile, zip_longest
from pathlib import Path
from shutil import get_terminal_size
from threading import Timer
from typing import TYPE_CHECKING, Any, NoReturn, TextIO
from unicodedata import category, east_asian_width

from mtsig._memory import held
from mtsig._writing import (
    ACTING,
    WRITTEN,
    csv_text,
    flat_row,
    in_markdown,
    refuse_inputs,
    rows_csv,
    visible,
    write_file,
)
from mtsig.errors import InvalidOption
from mtsig.progress import watching

if TYPE_CHECKING:
    from argparse import Namespace

    from rich.progress import Progress

    from mtsig.corpus import Note
    from mtsig.figures import Picture
    from mtsig.report import Table


_quiet: ContextVar[bool] = ContextVar("quiet", default=False)
_shown: ContextVar[bool] = ContextVar("shown", default=False)


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


GIVEN: ContextVar[Sequence[str]] = ContextVar("GIVEN", default=())
"""What the command was given."""

SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable in which GitHub names the file of a step's summary."""


def refuse(*messages: str) -> int:
    """Say why there is no result, and return the exit code; of the gate on GitHub, also where its outcome would be."""
    tell(*(f"mtsig: {message}" for message in messages))
    given = GIVEN.get()
    verb = next((word for word in given if not word.startswith("-")), "")
    words = [part for word in given for part in (word.split("=", 1) if word.startswith("--format=") else [word])]
    if verb != "gate" or [chosen for word, chosen in pairwise(words) if word == "--format"][-1:] != ["github"]:
        return 2
    from mtsig.report._gate import refusal_annotation  # here, as only the gate needs it

    root, summary = Path(os.environ.get("GITHUB_WORKSPACE") or "."), Path(os.environ.get(SUMMARY, ""))
    with suppress(OSError):
        places = [place for word in given if (place := Path(word.rpartition("=")[2])).exists()]
        for message in messages:
            sys.stdout.write(refusal_annotation(message, places, root))
        sys.stdout.flush()
        own = summary.resolve()
        is_own = {own, *own.parents}.isdisjoint(place.resolve() for place in places)
        if is_own and (summary.is_file() or not summary.exists()):  # a pipe might wait for a reader
            said = "".join(f"    mtsig: {visible(message)}\n" for message in messages)
            with summary.open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(f"### mtsig gate: no outcome\n\n{said}")
    return 2


def inform(*lines: str) -> None:
    """Print lines on stderr that nothing depends on, unless they are not wanted."""
    if not _quiet.get():
        tell(*lines)


def in_order(*of: "Iterable[Note]") -> "tuple[Note, ...]":
    """Return what the user should know, notes of one kind as one, warnings first; of: the notes of each."""
    from mtsig.corpus._notes import merged  # here, as the help needs no data

    return tuple(sorted(merged(chain(*of)), key=lambda note: note.level != "warning"))


def tell_notes(*of: "Iterable[Note]") -> None:
    """Print what the user should know on stderr; of: the notes of each."""
    sys.stdout.flush()  # in a pipe that takes both they come in the order of a terminal
    tell(*(f"{note.level}: {note.text}" for note in in_order(*of) if note.level == "warning" or not _quiet.get()))


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


def is_unread(stream: TextIO) -> bool:
    """Return whether nobody reads a stream any more; where the system cannot tell, after a pipe broke, nobody does."""
    if not hasattr(select, "poll"):
        return True
    with suppress(OSError, ValueError):
        waiting = select.poll()
        waiting.register(stream.fileno(), 0)
        return bool(waiting.poll(0))
    return False


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


DELAY = 1.0
"""Seconds until a bar appears: what is done by then needs none."""


def quietly(quiet: bool) -> AbstractContextManager[None]:
    """Print neither notes nor progress for as long as the context lasts, if so asked."""
    return held(_quiet, quiet)


@contextmanager
def progress(work: str) -> Iterator[None]:
    """Show a bar on a terminal while the context lasts, once that is long; it starts afresh with every pass."""
    if _quiet.get() or _shown.get() or not sys.stderr.isatty():
        yield
        return
    bars: list[Progress] = []

    def begin() -> None:
        from rich.console import Console  # here and below, because most work is done before
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True, no_color="NO_COLOR" in os.environ)
        columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeRemainingColumn())
        bars.append(Progress(*columns, console=console, transient=True))
        bars[0].add_task(f"{visible(work)} …", total=None)
        bars[0].start()

    def move(share: float) -> None:
        for bar in bars:
            bar.update(bar.task_ids[0], total=1.0, completed=share)

    timer, token = Timer(DELAY, begin), _shown.set(True)
    timer.daemon = True
    timer.start()
    try:
        with watching(move):
            yield
    finally:
        _shown.reset(token)
        timer.cancel()
        timer.join()
        for bar in bars:
            bar.stop()


# --- tables ---------------------------------------------------------------------------------------------------------

_GAP = "  "
"""What is between two columns of a table."""

_PIPED = 200
"""A pipe has no width of its own: tables get room there."""


def _say_paragraphs(*texts: str) -> None:
    """Print texts; on a terminal each sentence begins a line, and no word is cut."""
    if sys.stdout.isatty():
        sentences = (sentence for text in texts for sentence in re.split(r"(?<=[.;]) (?=[A-Z“])", visible(text)))
        texts = tuple(line for sentence in sentences for line in _broken(sentence, get_terminal_size().columns))
    say(*texts)


def print_tables(tables: "Sequence[Table]") -> None:
    """Print tables with their captions; what is wider than a terminal goes on below, and no number is cut."""
    on_terminal = sys.stdout.isatty()
    width = get_terminal_size().columns if on_terminal else _PIPED
    bold = on_terminal and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    for table in tables:
        columns = [
            _Printed(visible(column.title), [visible(row[place]) for row in table.texts], column.numeric)
            for place, column in enumerate(table.columns)
        ]
        for number, sheet in enumerate(_sheets(columns, width)):
            say(*[""] * (number > 0))
            heads, *rows = _lines(sheet, width)
            for line in heads:
                sys.stdout.write(f"\x1b[1m{line}\x1b[0m\n" if bold else f"{line}\n")
            sys.stdout.write("".join(f"{line}\n" for row in rows for line in row))
        _say_paragraphs(table.caption, "")


@dataclass(frozen=True)
class _Printed:
    """A column as it is printed: words go on in the next line, numbers do not."""

    head: str
    cells: Sequence[str]
    numeric: bool

    @property
    def least(self) -> int:
        """How narrow it can be."""
        cells = self.cells if self.numeric else [word for cell in self.cells for word in cell.split()]
        return max(map(_cells_of, (*cells, *self.head.split())), default=0)

    @property
    def whole(self) -> int:
        """How wide it is where no line is broken."""
        return max(map(_cells_of, (self.head, *self.cells)))


def _cells_of(text: str) -> int:
    """Return how many columns of a terminal a text takes: a sign of East Asia takes two, a mark on another none."""
    if text.isascii():
        return len(text)
    return sum(0 if category(sign) in _ON_OTHERS else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


_ON_OTHERS = {"Mn", "Me", "Cf"}


def _sheets(columns: "Sequence[_Printed]", width: int) -> "list[list[_Printed]]":
    """Return which columns are printed next to each other: all, or below each other so many that no number is cut.

    The words in front name the rows: they are on every sheet; other words, such as a verdict, are on the first.
    """
    if sum(column.least + len(_GAP) for column in columns) - len(_GAP) <= width:
        return [list(columns)]
    names = list(takewhile(lambda column: not column.numeric, columns))
    others = columns[len(names) :]
    sheets = [names.copy()]
    for column in sorted(others, key=lambda column: column.numeric):
        taken = sum(other.least + len(_GAP) for other in sheets[-1])
        if sheets[-1] != names and taken + column.least > width:
            sheets.append(names.copy())
        sheets[-1].append(column)
    return sheets


def _lines(columns: "Sequence[_Printed]", width: int) -> list[list[str]]:
    """Return the rows of columns next to each other, the head first, each row with its lines."""
    widths = [column.whole for column in columns]
    spare = [column.whole - column.least for column in columns]
    # Heads of numbers are broken like words.
    over = sum(widths) + len(_GAP) * (len(columns) - 1) - width
    while over > 0 and (wide := [i for i, left in enumerate(spare) if left > 0]):
        place = max(wide, key=widths.__getitem__)
        second = max((widths[i] for i in wide if i != place), default=0)
        step = min(over, spare[place], max(1, widths[place] - second))
        widths[place], spare[place], over = widths[place] - step, spare[place] - step, over - step
    rows = [[column.head for column in columns], *zip(*(column.cells for column in columns), strict=True)]
    return [_row(cells, widths, [column.numeric for column in columns]) for cells in rows]


def _row(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> list[str]:
    broken = [_broken(cell, width) for cell, width in zip(cells, widths, strict=True)]
    lines = []
    for pieces in zip_longest(*broken, fillvalue=""):
        blanks = [" " * (width - _cells_of(piece)) for piece, width in zip(pieces, widths, strict=True)]
        padded = (
            f"{blank}{piece}" if flush else f"{piece}{blank}"
            for blank, piece, flush in zip(blanks, pieces, right, strict=True)
        )
        lines.append(_GAP.join(padded).rstrip())
    return lines


def _broken(text: str, width: int) -> list[str]:
    """Return a text in lines that are no wider; words are not broken."""
    if _cells_of(text) <= width:
        return [text]
    lines = [""]
    for word in text.split():
        line = f"{lines[-1]} {word}".strip()
        if lines[-1] and _cells_of(line) > width:
            lines.append(word)
        else:
            lines[-1] = line
    return lines


# --- results --------------------------------------------------------------------------------------------------------

FILES = (".json", ".csv", ".md", ".tex", ".html")
"""Ends of the names of files that a result is written into; a folder gets one of each."""

ENDINGS = (*FILES, ".xml")
"""The same, with what the gate alone writes."""


_PAGE, _BEGINNING = 100, 15
"""Rows of a table that are printed, and how many of one that has more."""


@dataclass(frozen=True)
class Shown:
    """A result as it is shown: what makes the JSON, the rows of the CSV (a list in the JSON, or records), the tables.

    columns: the header of a CSV without rows. leads, sentences: what comes before the tables, and after them. pictures:
    makes them, by the names of their files. own: makes what is printed in a format, or written to files that end so,
    where it is not made of these. cut: whether of what is longer than a page the beginning is printed.
    """

    bundle: Callable[[], Mapping[str, Any]]
    rows: str | Sequence[Mapping[str, Any]]
    tables: "Sequence[Table]"
    columns: Sequence[str] = ()
    leads: Sequence[str] = ()
    sentences: Sequence[str] = ()
    pictures: "Callable[[], Mapping[str, Picture]]" = dict
    own: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    cut: bool = False

    @cached_property
    def plain(self) -> Mapping[str, Any]:
        """Return the JSON as an object, made when something is made of it."""
        return self.bundle()

    def text(self, ending: str) -> str:
        """Return it as a text of the kind of files whose names end so."""
        if ending == ".json":
            return json.dumps(self.plain, indent=1, ensure_ascii=False) + "\n"
        if ending == ".csv":
            rows = self.plain[self.rows] if isinstance(self.rows, str) else self.rows
            flat = list(map(flat_row, rows))
            return rows_csv(flat) if any(flat) else csv_text(self.columns, ()) if self.columns else ""
        from mtsig.report import _table  # here, because most of what is printed needs none of it

        if ending == ".tex":
            return latex_text(self.tables)
        if ending == ".html":
            return _table.html_page(self.tables)
        parts = list(map(in_markdown, self.leads))
        parts += [part for table in self.tables for part in (_table.markdown_table(table), in_markdown(table.caption))]
        parts += ["\n".join(f"- {in_markdown(sentence)}" for sentence in self.sentences)]
        return "\n\n".join(filter(None, parts)) + "\n"


def latex_text(tables: Sequence["Table"]) -> str:
    """Return tables as a LaTeX file, which its first line marks as written by mtsig."""
    from mtsig.report._table import latex_tables  # here, because most of what is printed needs none of it

    return f"{WRITTEN}\n{latex_tables(tables)}\n"


def show(chosen: "Namespace", shown: Shown, name: str = "") -> None:
    """Print a result in the format that was chosen, and write it where --out says; name: how its files begin."""
    write(chosen, chosen.out, shown, name)  # first: a reader of stdout may go before the end
    print_result(chosen.format, shown)


def print_result(style: str, shown: Shown) -> None:
    if style in shown.own:
        say_data(shown.own[style]())
    elif style == "json":
        say_json(shown.text(".json"))
    elif style == "table":
        tables = [
            replace(table, rows=table.rows[:_BEGINNING]) if shown.cut and len(table.rows) > _PAGE else table
            for table in shown.tables
        ]
        few = shown.sentences[:_BEGINNING] if shown.cut and len(shown.sentences) > _PAGE else shown.sentences
        _say_paragraphs(*shown.leads, *[""] * bool(shown.leads))
        print_tables(tables)
        _say_paragraphs(*few)
        if tables != [*shown.tables] or len(few) < len(shown.sentences):
            say(f"Tables with more than {_PAGE} rows are cut after the first {_BEGINNING}. -o FOLDER writes all rows.")
    else:
        say_data(shown.text({"csv": ".csv", "markdown": ".md"}[style]))


def write(chosen: "Namespace", places: Sequence[str], shown: Shown, name: str = "") -> None:
    """Write a result into files and folders, these with its pictures; name: how files in a folder begin."""
    stem = name or chosen.verb
    with progress("Writing"):
        write_files(files_of(places, shown, stem))
        # Here and not above: plotly and matplotlib take a while to load, and nothing else needs them.
        for place in (place for place in map(Path, places) if place.suffix not in ENDINGS):
            from mtsig.figures._paper import write_picture

            for title, picture in shown.pictures().items():
                file = place / f"{stem}-{title.lower().replace(' ', '-')}"
                formats = getattr(chosen, "to", None) or ("pdf",)
                files, notes = write_picture(picture, file, getattr(chosen, "width", None) or "acl-column", formats)
                inform(*map(str, files))
                tell_notes(notes)


def files_of(places: Sequence[str], shown: Shown, stem: str) -> dict[Path, bytes]:
    """Return the files at these places, as they will be; a folder gets one of each kind."""
    kinds = [*FILES, *(ending for ending in shown.own if ending in ENDINGS and ending not in FILES)]
    endings: dict[Path, str] = {}
    for place in map(Path, places):
        one = place.suffix in ENDINGS
        endings |= {place: place.suffix} if one else {place / f"{stem}{ending}": ending for ending in kinds}
    made = {place: shown.own[end]() if end in shown.own else shown.text(end) for place, end in endings.items()}
    return {place: text.encode("utf-8", "backslashreplace") for place, text in made.items()}


_NAMED = (*ENDINGS, ".htm", ".pdf", ".svg", ".png", ".pgf", ".xlsx", ".ipynb", ".txt", ".zip")
"""Ends of names by which a place is a file, also where several files go into a folder."""


def in_folder(place: str, files: Mapping[str, bytes]) -> dict[Path, bytes]:
    """Return files, by their names, as they go into the folder that --out names; a single one may be named itself."""
    path = Path(place)
    if path.is_dir() or not (path.exists() or path.suffix in _NAMED):
        return {path / name: content for name, content in files.items()}
    if [Path(name).suffix for name in files] == [path.suffix]:
        return {path: next(iter(files.values()))}
    listed = ", ".join(list(files)[:4]) + (", …" if len(files) > 4 else "")
    raise InvalidOption(f"--out names a folder here, for {listed}; found the file {place!r}. Name a folder.")


def write_files(files: Mapping[Path, bytes]) -> None:
    """Write files, and say which; none of them if one was read."""
    refuse_inputs(files)
    for place, content in files.items():
        write_file(place, content)
        inform(str(place))
