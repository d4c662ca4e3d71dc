"""How figures look: colours, names and their places; the same on screen and paper."""

import math
import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, TypeAlias

from mtsig._writing import visible

PALETTE = ("#3f8f2f", "#8e5cc9", "#d4477a", "#868414", "#0f8b84", "#8d6e55", "#7577c0", "#a8509a")
"""Colours of systems, or of whatever else is drawn beside each other: each stands out (3 : 1) on a page of any theme.

Lines and marks differ too, and names stand beside them: colour alone never tells.
"""

DASHES: tuple[Literal["solid", "dash", "dashdot", "dot"], ...] = ("solid", "dash", "dashdot", "dot")
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "x", "cross", "star")
"""Curves and points differ in line and mark too, on the screen and on paper: a grey copy tells them apart."""

VERMILLION = "#D55E00"
"""Lines across a figure."""

GREY = "#7f7f7f"

PAGE_INK = "#000037"
"""Text on a page: Streamlit's theme puts the page's own colour of text for it, which a figure cannot know; elsewhere
it is nearly black, and on paper black. Without it names would have the theme's grey, which is too faint on white
(3.7 : 1).
"""

Verdict = Literal["better", "worse", "not_significant", "withheld"]
"""What a cell or a row says of its system: better than the other, worse, not significant, or withheld."""

BLUES, OCHRES = ("#2b9fd0", "#2f58cc"), ("#cc8400", "#b03a10")
"""The row's system is better, is worse: by the least, by the most. All of it stands out (3 : 1) on a page of any theme.

They belong to verdicts alone; no system has one of them.
"""

PALE, INK = "#808080", "#7a7a7a"
"""What is not significant or withheld: of its ground a tenth, in full for hatches, dots and lines."""

SLATE = "#6b7b94"
"""Estimates with their intervals, of whatever system: no verdict and no system has it."""

FIRST, SECOND = "#2d74ce", "#bb580a"
"""Bars, curves and marks of a pair's first and second, or of the row and the column: `verdict_colour(…, 0.6)`."""

Themed: TypeAlias = tuple[str, str]
"""A text's colour on a light page and on a dark one: a figure has the light one, which style.css replaces."""

FIRST_TEXT: Themed = ("#1d5cae", "#8fbdf5")
SECOND_TEXT: Themed = ("#9a4404", "#f0ab66")
INK_2: Themed = ("#565d68", "#b7bdc8")
"""Notes and ticks."""

WARN: Themed = SECOND_TEXT
"""▲ and its words alone."""

GRID, BAND = 0.2, 0.16
"""Of PALE: grid and rows; the ground of a margin."""

MARKS: dict[Verdict, str] = {"better": "", "worse": "−", "not_significant": "≈", "withheld": "?"}
"""The mark of a verdict where there is no room for more."""

MOST_NAMES = 15
"""Pairs that an axis names; more run into each other."""

MOST_CURVES = len(PALETTE)
"""Curves that have a colour of their own; of more, a figure on all systems shows the first and the last."""


def text_columns(text: str) -> int:
    """Return how many columns a text takes, where Chinese signs take two."""
    return sum(map(_columns, text))


_NOT_FIRST = ("Po", "Pe", "Pf", "Zs")
"""Kinds of signs that no line begins with: closing punctuation and spaces."""


def _columns(sign: str) -> int:
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def wrapped(text: str, columns: int) -> list[str]:
    """Return a text in lines of so many columns: between words, between Chinese signs, in words only where it must."""
    lines = [""]
    for word in re.findall(r"(?:[−–] +)?[^ ]+ *", text):
        for part in _apart(word):
            if text_columns((lines[-1] + part).rstrip()) <= columns:
                lines[-1] += part
            else:
                lines += _cut(part, columns)
    return [line.rstrip() for line in lines if line.strip()]


def _apart(word: str) -> list[str]:
    """Return a word in the parts that a line may end between: before and after wide signs, not before punctuation."""
    parts = [word[0]]
    for before, sign in pairwise(word):
        if max(_columns(before), _columns(sign)) == 2 and unicodedata.category(sign) not in _NOT_FIRST:
            parts.append(sign)
        else:
            parts[-1] += sign
    return parts


def _cut(word: str, columns: int) -> list[str]:
    """Return a word in parts that fit a line: after hyphens and their kin where it has some, else anywhere."""
    parts = []
    while text_columns(word.rstrip()) > columns:
        fits = next(end for end in range(len(word), 0, -1) if end == 1 or text_columns(word[:end]) <= columns)
        end = max(word.rfind(sign, 0, fits) for sign in "-_./") + 1 or fits
        parts.append(word[:end])
        word = word[end:]
    return [*parts, word]


_SIGN = 4.4 / 72
"""Inches that a letter of an axis title takes on average, half of a Chinese sign."""


def folded(text: str, inches: float) -> str:
    """Return a title of an axis in as many lines as its length needs."""
    return "\n".join(wrapped(text, max(12, int(inches / _SIGN)))) or text


def name_lines(names: Sequence[str], inches: float) -> tuple[list[str], int]:
    """Return names folded to a width, and how many lines the longest one takes."""
    lines = [folded(name, inches) for name in names]
    return lines, 1 + max(name.count("\n") for name in lines)


def escaped(text: str) -> str:
    """Return text that a screen shows as it is, its markup and the fields of its templates escaped."""
    text = visible(text, keep="\n\t")
    for sign, code in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("$", "&#36;"), ("%{", "%&#123;")):
        text = text.replace(sign, code)
    return text


def system_colours(systems: Sequence[str]) -> dict[str, str]:
    """Return each system's colour by its place among all of them; grey beyond the last colour."""
    return {name: PALETTE[place] if place < len(PALETTE) else GREY for place, name in enumerate(systems)}


def spread(places: Sequence[float], gap: float) -> list[float]:
    """Return places as near to these as can be that are at least `gap` apart, in the same order."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    # Less the room of those below them, places may not fall; where they would, neighbours share their mean.
    blocks: list[tuple[float, int]] = []
    for rank, i in enumerate(order):
        total, count = places[i] - rank * gap, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / count:
            above = blocks.pop()
            total, count = total + above[0], count + above[1]
        blocks.append((total, count))
    level = [total / count for total, count in blocks for _ in range(count)]
    spread_out = dict(zip(order, (round(place + rank * gap, 9) for rank, place in enumerate(level)), strict=True))
    return [spread_out[i] for i in range(len(places))]


def steps_between(low: float, high: float, most: int) -> list[float]:
    """Return at most so many places above `low` up to `high`, at multiples of 1, 2 or 5 times a power of ten."""
    least = (high - low) / most
    power = 10.0 ** math.floor(math.log10(least))
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= least * (1 - 1e-9))
    first, last = math.floor(low / step) + 1, math.floor(high / step * (1 + 1e-12))
    return [round(number * step, 12) for number in range(first, last + 1)]


def round_up(value: float) -> float:
    """Return the next number of one digit, or of 1.2, 1.5 or 2.5 times a power of ten, that is no smaller.

    >>> from mtsig.figures._look import round_up
    >>> round_up(564), round_up(107), round_up(1210)
    (600.0, 120.0, 1500.0)
    """
    power = 10.0 ** math.floor(math.log10(value))
    return next(times * power for times in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9, 10) if times * power >= value)


def verdict_colour(verdict: Verdict, share: float) -> str:
    """Choose the colour of a difference from its share of the largest difference.

    Examples
    --------
    >>> from mtsig.figures import verdict_colour
    >>> verdict_colour("better", 1.0), verdict_colour("better", 0.2), verdict_colour("worse", 1.0)
    ('#2f58cc', '#2c91cf', '#b03a10')
    """
    if verdict not in ("better", "worse"):
        return INK
    least, most = (_channels(colour) for colour in (BLUES if verdict == "better" else OCHRES))
    return "#" + "".join(f"{round(a + min(1.0, share) * (b - a)):02x}" for a, b in zip(least, most, strict=True))


def legible_on(colour: str) -> str:
    """Return black or white: which of them can be read on a colour."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in _channels(colour))]
    # Where black and white have the same contrast, as WCAG 2 counts it: 1.05 / (L + 0.05) = (L + 0.05) / 0.05.
    return "#ffffff" if sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True)) < 0.179 else "#000000"


def _channels(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue
