"""How figures look: colours, labels, marks; shared by all of them."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

# Okabe and Ito's palette, told apart with any colour vision; black is left out, for dark backgrounds.
BLUE, ORANGE, GREEN, VERMILLION, SKY, PURPLE, YELLOW = (
    "#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#F0E442",
)  # fmt: skip
PALETTE = (BLUE, ORANGE, GREEN, VERMILLION, SKY, PURPLE, YELLOW)
GREY = "#888888"

MARKS = {"better": "▲", "worse": "▼", "not separated": "≈", "undecided": "?"}
"""The mark of a cell: the row's system is better, is worse, is not separated from the column's, or undecided."""

_WIDEST = 28


def label(name: str) -> str:
    """Return a name that plotly shows as text: its markup escaped, long ones shortened in the middle."""
    return _escaped(name if len(name) <= _WIDEST else f"{name[: _WIDEST - 10]}…{name[-9:]}")


def labels(names: Sequence[str]) -> list[str]:
    """Return the labels of names that stand together; those that would look alike are shown whole."""
    short = [label(name) for name in names]
    return [text if short.count(text) == 1 else _escaped(name) for text, name in zip(short, names, strict=True)]


def _escaped(short: str) -> str:
    for sign, escaped in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("$", "&#36;")):
        short = short.replace(sign, escaped)
    return short


def faded(colour: str, opacity: float) -> str:
    """Return a #RRGGBB colour with an opacity."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"


def figure(**layout: Any) -> go.Figure:
    """Return an empty figure with the house's margins, colours and no backgrounds."""
    return go.Figure(
        layout={
            "colorway": PALETTE,
            "margin": {"l": 10, "r": 10, "t": 30, "b": 10},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
            "xaxis": {"automargin": True},
            "yaxis": {"automargin": True},
            **layout,
        }
    )


def name_axis(names: Sequence[str]) -> dict[str, Any]:
    """Return an axis at positions 0…len−1 with the names as tick texts: names that look alike stay apart."""
    return {
        "tickmode": "array",
        "tickvals": list(range(len(names))),
        "ticktext": labels(names),
        "automargin": True,
        "zeroline": False,
    }
