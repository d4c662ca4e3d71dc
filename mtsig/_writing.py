r"""What is written: text that does nothing but be shown, for each way out; and files that are whole, or none.

A spreadsheet takes a cell that begins with = + - @ for a formula. Such a text is written with an apostrophe before that
sign; so is what stands after a comma, a semicolon, a tab or a line's end inside a text, where a spreadsheet of another
country, or one that is told so, begins a new cell. What is a number, and no text, is written as it is.

>>> in_html("<b>\x1b & c"), in_markdown("*a* [b](c)")
('&lt;b&gt;\\x1b &amp; c', '\\*a\\* \\[b\\](c)')
>>> latex("R&D_50% <new> \\ ± 2")
'R\\&D\\_50\\% \\textless{}new\\textgreater{} \\textbackslash{} $\\pm$ 2'
>>> print(csv_text(("system", "score"), [("=1+1", -2.5), ("base", None)]), end="")
system,score
'=1+1,-2.5
base,
>>> from_cell(in_cell("=1+1"))
'=1+1'
"""

import math
import os
import re
import shutil
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from errno import ENXIO
from itertools import takewhile
from pathlib import Path
from typing import IO, Any

from mtsig.errors import InvalidOption, ReadError, expect

ACTING = re.compile(
    r"[\x00-\x1f\x7f-\x9f"  # controls: an escape sequence begins with one
    r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # what turns the direction of the text around it
    r"\u2028\u2029"  # ends of lines
    r"\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"  # byte-order marks, annotations and tags, which are never seen
    r"\ud800-\udfff]"  # bytes of a file's name that are no text
)


CENTIMETRE = 1 / 2.54

PAPERS: dict[str, float] = {
    "acl-column": 7.7 * CENTIMETRE,
    "acl-full": 16.0 * CENTIMETRE,
    "neurips-half": 2.65,
    "neurips-full": 5.5,
}
"""Widths in inches: of ACL's column and of both, of NeurIPS's page and of half of it less a gap of .2 in."""

WRITTEN = "% Written by mtsig"
"""How LaTeX begins that mtsig writes, by which readers of data know it."""


def visible(text: str, keep: str = "") -> str:
    r"""Return the text with every character that acts on what stands around it, but for those to keep, written out."""
    return ACTING.sub(lambda sign: sign[0] if sign[0] in keep else sign[0].encode("unicode_escape").decode(), text)


def out_of_html(text: str) -> str:
    """Return what a text with HTML's references to signs shows."""
    from html import unescape  # here and below, because a verb that prints no HTML does without

    return unescape(text)


def in_html(text: str) -> str:
    """Return HTML that shows `text` as it is, between tags and in an attribute's quotation marks."""
    from html import escape

    return escape(visible(text, keep="\n\t"))


_SIGNS = re.compile(r"([\\`*_\[\]<>|~$&#^]|!(?=\[)|:(?=//)|^=|^[+-](?=[\s-]|$))")
"""Signs that mark something up wherever they stand, or at the beginning of a line, or in an address."""

_NUMBERED = re.compile(r"(?<!\S)(\d{1,9})([.)])(?=\s|$)")
"""What numbers an item of a list, where a line begins with it."""


def in_markdown(text: str) -> str:
    r"""Return Markdown that shows `text` as it is, on one line, wherever a line of it may begin."""
    return _NUMBERED.sub(r"\1\\\2", _SIGNS.sub(r"\\\1", one_line(text)))


_LINKED = re.compile(r"(?<=\w://)(?=\S)|(?<=\S@)(?=\S)|(?<=www)(?=\.)|(?<=:)(?=[\w+-]+:)", re.IGNORECASE)
_JOINER = "\u2060"


def one_line(text: str) -> str:
    r"""Return text as one visible line in which no address is a link, and no :name: an emoji.

    Programs that show Markdown look for both in what is left when backslashes have done their work: there a word
    joiner, which is not seen, keeps the pieces apart.
    """
    return _LINKED.sub(_JOINER, visible(re.sub(r"[ \r\n\t]+", " ", text)).strip())


_PRINTED = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\`{}",
    '"': '"{}',  # babel's German reads it together with what follows
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "√": r"$\surd$",
    "∞": r"$\infty$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≈": r"$\approx$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "γ": r"$\gamma$",
    "Δ": r"$\Delta$",
    "τ": r"$\tau$",
    "χ": r"$\chi$",
    "←": r"$\leftarrow$",
    "→": r"$\rightarrow$",
    "↓": r"$\downarrow$",
    "↑": r"$\uparrow$",
    "▲": r"$\bigtriangleup$",
    "▼": r"$\bigtriangledown$",
    "■": r"\rule{1ex}{1ex}",
    "○": r"$\circ$",
    "†": r"$\dagger$",
    "‡": r"$\ddagger$",
    "…": r"\ldots{}",
    "\u00a0": "~",
}


def latex(text: str) -> str:
    """Return LaTeX that prints `text`, with base LaTeX only unless `unprintable` names signs; controls are named."""
    return _JOINED.sub("{}", "".join(_PRINTED.get(sign) or _as_it_is(sign) for sign in text))


_JOINED = re.compile(r"(?<=[-–])(?=-)|(?<=')(?=')|(?<=,)(?=,)")
"""Between signs of which TeX's fonts make one: two hyphens would be printed as a dash, commas as a quotation mark."""


def _as_it_is(sign: str) -> str:
    if sign in "\n\r\t":
        return " "
    return f"[U+{ord(sign):04X}]" if ACTING.match(sign) else sign


def unprintable(text: str) -> list[str]:
    r"""Return the signs that pdfLaTeX has no glyph for without further packages, each once.

    With \usepackage[T1]{fontenc} it prints the Latin letters of Western and Central Europe; other scripts need XeLaTeX
    or LuaLaTeX with a font that has them, or a package such as CJKutf8.
    """
    return list(dict.fromkeys(sign for sign in ACTING.sub("", text) if sign not in _PRINTED and not _is_latin(sign)))


_NOT_IN_T1 = "ĦħĸĿŀŉŦŧſ"
"""Latin letters for which LaTeX's own encodings have no glyph."""


def _is_latin(sign: str) -> bool:
    return (ord(sign) < 0x180 and sign not in _NOT_IN_T1) or sign in "–—‘’“”‚„‹›•"


_BEFORE = r"""(?<!['"\s,;])(['"\s,;]*+)"""
"""All that stands before a sign and does not keep a spreadsheet from taking it for the first of a cell."""

_FORMULA = re.compile(_BEFORE + "(?=[=+@＝＋－＠-])")
"""Japanese spreadsheets take the wide signs, too."""

_FIRST = re.compile(r"[,;\t\r\n]")


def in_cell(text: str) -> str:
    """Return text as it is written into a cell, where a spreadsheet would compute it."""
    return _FORMULA.sub(lambda place: f"{place[1]}'" if _is_first(place) else place[1], text)


def from_cell(cell: str) -> str:
    """Return the text that `in_cell` wrote into a cell."""
    return _FORMULA.sub(lambda place: place[1].removesuffix("'") if _is_first(place) else place[1], cell)


def _is_first(place: re.Match[str]) -> bool:
    return place.start() == 0 or _FIRST.search(place[1]) is not None


def csv_text(names: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return CSV of a header and rows in which texts are quoted; what is None or no number (NaN) is an empty cell."""
    # A line that is empty would be no row.
    return "".join(f"{','.join(map(_cell, cells)) or _BLANK}\n" for cells in (names, *rows))


def rows_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return records as CSV, with every column that one of them has."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return csv_text(names, ([row.get(name) for name in names] for row in rows))


_BLANK = '""'


def _cell(value: Any) -> str:
    if value is None or value != value:
        return ""
    if isinstance(value, int | float) and abs(value) != math.inf:
        return str(value)
    text = in_cell(str(value))
    # A carriage return alone, which Python's csv module would leave as it is, ends a row for its readers.
    return '"{}"'.format(text.replace('"', '""')) if re.search(r'[,"\r\n]', text) else text


def flat_row(row: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return a record with what is nested in it as columns of its own (power.units …), and lists as one text."""
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, Mapping):
            flat |= flat_row(value, f"{before}{key}.")
        else:
            flat[before + key] = ",".join(map(str, value)) if isinstance(value, list | tuple) else value
    return flat


def refuse_unwritable(path: Path) -> None:
    """Raise ReadError where neither a file nor a folder can be written at a path; nothing is left behind."""
    there = next(place for place in (path, *path.absolute().parents) if os.path.lexists(place))
    if there == path and not there.is_dir():
        if not there.is_file():
            return  # a pipe or a device, which is opened as it is
        there = Path(os.path.realpath(path)).parent
    probe = there / f".{os.urandom(8).hex()}.part"
    try:
        probe.open("xb").close()
        probe.unlink()
    except NotADirectoryError:
        why = f"a part of its path is a file, not a folder: {there}"
        raise ReadError(f"{path}: cannot be written ({why}). Choose another folder.") from None
    except OSError as error:
        why = f"no file can be made in the folder {there}: {error.strerror or error}"
        raise ReadError(f"{path}: cannot be written ({why}). Choose another folder.") from None


INPUTS: ContextVar[dict[Hashable, bool] | None] = ContextVar("inputs", default=None)
"""What was read so far, where a result must not replace it, and whether as one of many files that may be left alone.

None where a result may replace what was read, as in Python code.
"""


def _known_by(path: Path) -> set[Hashable]:
    """Return what a file is known by: its path without links and, where it is there, its number on the disk."""
    known: set[Hashable] = {os.path.realpath(path)}
    with suppress(OSError, ValueError):
        about = path.stat()
        known.add((about.st_dev, about.st_ino))
    return known


def as_input(path: Path, of_many: bool = False) -> None:
    """Keep a file from being replaced by a result; of_many: unless it is left alone in the end."""
    inputs = INPUTS.get()
    if inputs is not None:
        for known in _known_by(path):
            inputs[known] = inputs.get(known, True) and of_many


def left_alone(paths: Iterable[Path]) -> None:
    """Let those of many files be replaced that were only looked at."""
    inputs = INPUTS.get()
    if inputs is not None:
        for known in set().union(*map(_known_by, paths)):
            if inputs.get(known):
                del inputs[known]


def refuse_inputs(files: Mapping[Path, bytes]) -> None:
    """Raise InvalidOption if one of these files, by whatever name, was read; nothing is lost by the same bytes."""
    for path, data in files.items():
        if not _known_by(path).isdisjoint(INPUTS.get() or ()):
            with suppress(OSError):
                if path.read_bytes() == data:
                    continue
            raise InvalidOption(
                f"{path} is an input of this command, and the result would replace it. Name another file or folder for "
                "the result; nothing was written."
            )


def write_file(path: Path, data: bytes) -> None:
    """Write a file, making its folder."""
    refuse_inputs({path: data})
    with file_at(path, checked=True) as file:
        file.write(data)


def text_or_file(text: str, path: str | Path | None) -> str | None:
    """Return a text or, where a path is given, write it to this file; a file's last line ends."""
    if path is None:
        return text
    expect(path, str | os.PathLike, 'Give the name of the file to write, such as "table.csv"')
    write_file(Path(path), (text if text.endswith("\n") else f"{text}\n").encode())
    return None


@contextmanager
def file_at(path: Path, append: bool = False, checked: bool = False) -> Iterator[IO[bytes]]:
    """Yield a file to write or `append` to, making its folder; what is no file, as a pipe, takes what is written.

    checked: whether it is known that it is no input.
    """
    if not checked:
        refuse_inputs({path: b""})
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            with open(path, "wb", opener=_at_once) as file:
                yield file
            return
        # Where a link stands, what it names is written.
        with path.open("ab") if append else whole_file(Path(os.path.realpath(path))) as file:
            yield file
    except OSError as error:
        no_folder = isinstance(error, FileExistsError | NotADirectoryError)
        why = "a part of its path is a file, not a folder" if no_folder else error.strerror or error
        if error.errno == ENXIO:
            why = "it is a pipe that no program reads; give a file, or start its reader first"
        raise ReadError(f"{path}: cannot be written ({why}).") from None


def _at_once(path: str, flags: int) -> int:
    """Open a path, a pipe too, without waiting until somebody reads it."""
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    with suppress(AttributeError):  # Windows has no such pipes
        os.set_blocking(descriptor, True)
    return descriptor


@contextmanager
def whole_file(path: Path, lasting: bool = True) -> Iterator[IO[bytes]]:
    """Yield a file to write to, put in its place if the context ends without an error; lasting: wait for the disk."""
    part = path.with_name(f".{os.urandom(8).hex()}.part")
    try:
        with part.open("xb") as file:
            yield file
            file.flush()
            if lasting:
                os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            shutil.copymode(path, part)
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


# --- names of systems that have little room -----------------------------------------------------------------------

_WIDEST = 28
"""Letters of a name that is short."""


def short(name: str) -> str:
    """Return a name in one line, what acts on signs around it written out, and a long one shortened in the middle."""
    return _cut_out(visible(name))


def shorts(names: Sequence[str]) -> tuple[str, ...]:
    """Return names that stand together without what they share, long ones shortened; no two become alike.

    A part is shared between dots (of newstest2017.online-B.0.en-de stays online-B), and at a dash or an underscore
    if it is a year, a test set, a pair of languages or a word for any output: online-A and online-B stay what they are.
    """
    whole = list(dict.fromkeys(map(visible, names)))
    cores = _without_shared(whole)
    texts = [_cut_out(core) for core in cores]
    for text in [text for text, count in Counter(texts).items() if count > 1]:
        # What tells them apart is in the middle, or there is more of it than has room.
        alike = [at for at, other in enumerate(texts) if other == text]
        same = sum(
            1 for _ in takewhile(lambda signs: len({*signs}) == 1, zip(*(cores[at] for at in alike), strict=False))
        )
        cut = [_cut_out(cores[at], same) for at in alike]
        for count, (at, now) in enumerate(zip(alike, cut, strict=True), 1):
            texts[at] = now if cut.count(now) == 1 else f"{now} ({count})"
    known = dict(zip(whole, texts, strict=True))
    return tuple(known[visible(name)] for name in names)


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Return what each name becomes among all of them, by the name itself."""
    return dict(zip(names, shorts(names), strict=True))


def short_among(name: str, others: Sequence[str]) -> str:
    """Return what a name becomes among others, whether it is one of them or not."""
    return shorts([name, *others])[0]


def _cut_out(name: str, seen: int = 0) -> str:
    """Return a name without its middle where it is long; seen: which of its letters is to stay."""
    if len(name) <= _WIDEST:
        return name
    if seen < _WIDEST - 10:
        return f"{name[: _WIDEST - 10]}…{name[-9:]}"
    end = name[seen - 4 :]
    return f"{name[:8]}…{end if len(end) <= _WIDEST - 9 else f'{end[: _WIDEST - 10]}…'}"


_ROOMY = 12
"""Names that are no longer than this have room everywhere."""

_DOT = r"(?:(?<!\d)\.|\.(?!\d))"
"""A dot between parts of a name, not in a number."""

_SET = r"(?:[A-Za-z]*(?:19|20)\d\d|wmt\d\d|[a-z]{2,3}[-_][a-z]{2,3}"
_SET += r"|submissions?|primary|hyp(?:s|othes[ie]s)?|outputs?|translations?)"
"""A year, with or without the name of a test set, a pair of languages, or a word for any output."""

_SHARED = tuple(map(re.compile, (
    rf"^.+?{_DOT}(?=.)", rf"(?<=.){_DOT}(?:(?!{_DOT}).)+$", rf"^{_SET}[-_](?=.)", rf"(?<=.)[-_]{_SET}$",
)))  # fmt: skip
"""What can be shared at the start of names and at their end."""


def _without_shared(names: Sequence[str]) -> list[str]:
    """Return names without what they share at their ends; each keeps a letter, and none become equal."""
    cores = list(names)
    if max(map(len, names), default=0) <= _ROOMY:
        return cores
    looked_at = list(_SHARED)
    while looked_at:
        pattern = looked_at[0]
        edges = [found[0] if (found := pattern.search(name)) else "" for name in cores]
        left = [pattern.sub("", name) for name in cores]
        if len({*edges} - {""}) == 1 and len(names) < 2 * len(list(filter(None, edges))) > 2 and _stay_apart(left):
            cores, looked_at = left, list(_SHARED)
        else:
            del looked_at[0]
    if cores != list(names):
        # The number of a submission.
        left = [re.sub(r"(?<=[^\d.])\.\d+$", "", name) for name in cores]
        free = [new for new, count in Counter(left).items() if count == 1 and new not in cores]
        cores = [new if new in free else name for name, new in zip(cores, left, strict=True)]
    return cores


def _stay_apart(names: Sequence[str]) -> bool:
    return len(set(names)) == len(names) and all(re.search(r"[^\W\d_]", name) for name in names)
