"""How figures look: colours, names and their places; the same on screen and paper."""

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

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

MARKS: dict[Verdict, str] = {"better": "", "worse": "−", "not_significant": "≈", "withheld": "?"}
"""The mark of a verdict where there is no room for more."""

MOST_NAMES = 15
"""Pairs that an axis names; more run into each other."""

MOST_CURVES = len(PALETTE)
"""Curves that have a colour of their own; of more, a figure on all systems shows the first and the last."""

_WIDEST = 28


def short(name: str) -> str:
    """Return a name in one line, what acts on signs around it written out, and a long one shortened in the middle.

    >>> from mtsig.figures._look import short
    >>> short("base"), len(short("base" * 100)) < 100
    ('base', True)
    """
    name = visible(name)
    return name if len(name) <= _WIDEST else f"{name[: _WIDEST - 10]}…{name[-9:]}"


def shorts(names: Sequence[str]) -> tuple[str, ...]:
    """Return names that stand together, shortened; those that would look alike are kept whole.

    >>> from mtsig.figures._look import shorts
    >>> shorts(["base", "ours"])
    ('base', 'ours')
    """
    texts = [short(name) for name in names]
    return tuple(text if texts.count(text) == 1 else visible(name) for text, name in zip(texts, names, strict=True))


def text_columns(text: str) -> int:
    """Return how many columns a text takes, where Chinese signs take two."""
    return sum(map(_columns, text))


_NOT_FIRST = ("Po", "Pe", "Pf", "Zs")
"""Kinds of signs that no line begins with: closing punctuation and spaces."""


def _columns(sign: str) -> int:
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def wrapped(text: str, columns: int) -> list[str]:
    """Return a text in lines of so many columns: between words, between Chinese signs, in words only where it must.

    >>> wrapped("chrF2: direct-from-spanish minus via-written-catalan", 34)
    ['chrF2: direct-from-spanish minus', 'via-written-catalan']
    >>> wrapped("BLEU：在线系统", 9), wrapped("via-written-catalan", 9)
    (['BLEU：在', '线系统'], ['via-', 'written-', 'catalan'])
    """
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
    """Return a title of an axis in as many lines as its length needs.

    >>> from mtsig.figures._look import folded
    >>> folded("difference in chrF2", 4.0)
    'difference in chrF2'
    """
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
    """Return each system's colour by its place among all of them; grey beyond the last colour.

    >>> system_colours(["a", "b"])["b"] == PALETTE[1]
    True
    """
    return {name: PALETTE[place] if place < len(PALETTE) else GREY for place, name in enumerate(systems)}


def spread(places: Sequence[float], gap: float) -> list[float]:
    """Return places as near to these as can be that are at least `gap` apart, in the same order.

    >>> spread([1.0, 1.2, 5.0], 1.0)
    [0.6, 1.6, 5.0]
    """
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


def tick_text(value: float) -> str:
    """Return a tick's number.

    >>> [tick_text(value) for value in (1e-05, 0.05, 20000.0)]
    ['0.00001', '0.05', '20,000']
    """
    return f"{value:,.0f}" if value >= 1 else f"{value:.6f}".rstrip("0")


def verdict_colour(verdict: Verdict, share: float) -> str:
    """Return the colour of a difference, which is `share` of the largest, in a matrix or beside others.

    >>> from mtsig.figures import verdict_colour
    >>> verdict_colour("better", 1.0), verdict_colour("better", 0.2), verdict_colour("worse", 1.0)
    ('#2f58cc', '#2c91cf', '#b03a10')
    """
    if verdict not in ("better", "worse"):
        return INK
    least, most = (_channels(colour) for colour in (BLUES if verdict == "better" else OCHRES))
    return "#" + "".join(f"{round(a + min(1.0, share) * (b - a)):02x}" for a, b in zip(least, most, strict=True))


def legible_on(colour: str) -> str:
    """Return black or white: which of them can be read on a colour.

    >>> legible_on("#0066ab"), legible_on("#d97b0a")
    ('#ffffff', '#000000')
    """
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in _channels(colour))]
    # Where black and white have the same contrast, as WCAG 2 counts it: 1.05 / (L + 0.05) = (L + 0.05) / 0.05.
    return "#ffffff" if sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True)) < 0.179 else "#000000"


def _channels(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue
