"""What the figures on the screen share: an empty plotly figure, axes of names, text that stays text."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from mtsig.figures.look import PALETTE


def escaped(text: str) -> str:
    """Return text that plotly shows as it is, its markup escaped."""
    for sign, code in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("$", "&#36;")):
        text = text.replace(sign, code)
    return text


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
        "ticktext": [escaped(name) for name in names],
        "automargin": True,
        "zeroline": False,
    }
