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
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path
from typing import IO, Any

from mtsig.errors import ReadError

ACTING = re.compile(
    r"[\x00-\x1f\x7f-\x9f"  # controls: an escape sequence begins with one
    r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # what turns the direction of the text around it
    r"\u2028\u2029"  # ends of lines
    r"\ufff9-\ufffb\U000e0000-\U000e007f"  # annotations and tags, which are never seen
    r"\ud800-\udfff]"  # bytes of a file's name that are no text
)


def visible(text: str, keep: str = "") -> str:
    r"""Return the text with every character that acts on what stands around it, but for those to keep, written out.

    >>> print(visible("base\x1b[2Jline\n"))
    base\x1b[2Jline\n
    """
    return ACTING.sub(lambda sign: sign[0] if sign[0] in keep else sign[0].encode("unicode_escape").decode(), text)


def in_html(text: str) -> str:
    """Return HTML that shows `text` as it is, between tags and in an attribute's quotation marks.

    >>> from mtsig._writing import in_html
    >>> print(in_html('<b> & "quotes"'))
    &lt;b&gt; &amp; &quot;quotes&quot;
    """
    return escape(visible(text, keep="\n\t"))


_SIGNS = re.compile(r"([\\`*_\[\]<>|~$&#^]|!(?=\[)|:(?=//)|^=|^[+-](?=[\s-]|$))")
"""Signs that mark something up wherever they stand, or at the beginning of a line, or in an address."""

_NUMBERED = re.compile(r"(?<!\S)(\d{1,9})([.)])(?=\s|$)")
"""What numbers an item of a list, where a line begins with it."""


def in_markdown(text: str) -> str:
    r"""Return Markdown that shows `text` as it is, on one line, wherever a line of it may begin.

    >>> from mtsig._writing import in_markdown
    >>> print(in_markdown("a_b | *c*"), in_markdown("1. one"))
    a\_b \| \*c\* 1\. one
    """
    return _NUMBERED.sub(r"\1\\\2", _SIGNS.sub(r"\\\1", one_line(text)))


_LINKED = re.compile(r"(?<=\w://)(?=\S)|(?<=\S@)(?=\S)|(?<=www)(?=\.)|(?<=:)(?=[\w+-]+:)", re.IGNORECASE)
_JOINER = "\u2060"


def one_line(text: str) -> str:
    r"""Return text as one visible line in which no address is a link, and no :name: an emoji.

    Programs that show Markdown look for both in what is left when backslashes have done their work: there a word
    joiner, which is not seen, keeps the pieces apart.

    >>> from mtsig._writing import one_line
    >>> one_line("two\nlines"), one_line("https://example.org")
    ('two lines', 'https://\u2060example.org')
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
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≈": r"$\approx$",
    "α": r"$\alpha$",
    "Δ": r"$\Delta$",
    "τ": r"$\tau$",
    "χ": r"$\chi$",
    "↓": r"$\downarrow$",
    "↑": r"$\uparrow$",
    "▲": r"$\bigtriangleup$",
    "▼": r"$\bigtriangledown$",
    "†": r"$\dagger$",
    "‡": r"$\ddagger$",
    "…": r"\ldots{}",
    "\u00a0": "~",
}


def latex(text: str) -> str:
    """Return LaTeX that prints `text`; only base LaTeX is needed, unless `unprintable` names signs.

    Line breaks become spaces; other controls, and what turns the direction of text, are named: [U+0007].
    """
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
    """Return a record with what is nested in it as columns of its own (power.units …), and lists as one text.

    >>> flat_row({"p": 0.2, "power": {"units": 3}, "sets": ("a", "b")})
    {'p': 0.2, 'power.units': 3, 'sets': 'a,b'}
    """
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, Mapping):
            flat |= flat_row(value, f"{before}{key}.")
        else:
            flat[before + key] = ",".join(map(str, value)) if isinstance(value, list | tuple) else value
    return flat


def write_file(path: Path, data: bytes) -> None:
    """Write a file, making its folder.

    Raises:
        ReadError: it cannot be written; what was there before still is.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():  # a pipe or a device takes what is written to it
            path.write_bytes(data)
        else:
            put_whole(path.resolve(), data)  # where a link stands, what it names is written
    except OSError as error:
        raise ReadError(f"{path}: cannot be written ({error.strerror or error}).") from None


def put_whole(path: Path, data: bytes, lasting: bool = True) -> None:
    """Put a file in its place when it is whole: whoever reads meanwhile sees the old one or the new one.

    lasting: whether to wait until the disk has it, so that it is whole even after the power fails.

    Raises:
        OSError: it cannot be written.
    """
    with whole_file(path, lasting) as file:
        file.write(data)


@contextmanager
def whole_file(path: Path, lasting: bool = True) -> Iterator[IO[bytes]]:
    """Yield a file to write to; it is put in its place, as by `put_whole`, when the context ends without an error.

    Raises:
        OSError: it cannot be written.
    """
    part = path.with_name(f".{secrets.token_hex(8)}.part")
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
