r"""Cells of tables that a spreadsheet may open: rows go in, CSV in which nothing is computed comes out.

A spreadsheet takes a cell that begins with = + - @ for a formula. Such a text is written with an apostrophe before that
sign; so is what stands after a comma, a semicolon, a tab or a line's end inside a text, where a spreadsheet of another
country, or one that is told so, begins a new cell. What is a number, and no text, is written as it is.

>>> print(csv_text(("system", "score"), [("=1+1", -2.5), ("base", None)]), end="")
system,score
'=1+1,-2.5
base,
>>> from_cell(in_cell("=1+1"))
'=1+1'
"""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

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
