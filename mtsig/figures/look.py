"""How figures look: colours, marks, names; shared by screen and paper."""

from collections.abc import Sequence

# Okabe and Ito's palette, told apart with any colour vision; black is left out, for dark backgrounds.
BLUE, ORANGE, GREEN, VERMILLION, SKY, PURPLE, YELLOW = (
    "#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#F0E442",
)  # fmt: skip
PALETTE = (BLUE, ORANGE, GREEN, VERMILLION, SKY, PURPLE, YELLOW)
GREY = "#888888"

LIGHT_CIVIDIS = ((0.0, "#fee838"), (0.25, "#e1cc55"), (0.5, "#c3b369"), (0.75, "#a59c74"), (1.0, "#8a8678"))
"""The light half of cividis, reversed: black text has a contrast of at least 5 : 1 on all of it."""

MARKS = {"better": "▲", "worse": "▼", "not separated": "≈", "undecided": "?"}
"""The mark of a cell: the row's system is better, is worse, is not separated from the column's, or undecided."""

MOST_NAMES = 15
"""Pairs that an axis names; more run into each other."""

MOST_CURVES = 7
"""Curves that have a colour of their own; of more, a figure on all systems shows the first and the last."""

_WIDEST = 28


def short(name: str) -> str:
    """Return a name, a long one shortened in the middle."""
    return name if len(name) <= _WIDEST else f"{name[: _WIDEST - 10]}…{name[-9:]}"


def shorts(names: Sequence[str]) -> tuple[str, ...]:
    """Return names that stand together, shortened; those that would look alike are kept whole."""
    found = [short(name) for name in names]
    return tuple(text if found.count(text) == 1 else name for text, name in zip(found, names, strict=True))


def tick_text(value: float) -> str:
    """Return a tick's number.

    >>> [tick_text(one) for one in (1e-05, 0.05, 20000.0)]
    ['0.00001', '0.05', '20,000']
    """
    return f"{value:,.0f}" if value >= 1 else f"{value:.6f}".rstrip("0")
