"""What the figures on the screen share: an empty plotly figure, axes of names, text that stays text."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from mtsig.arrays import Floats
from mtsig.figures.look import INK, PALETTE, wrapped

PAGE_INK = "#000037"
"""Text on a page: Streamlit's theme puts the page's own colour of text for it, which a figure cannot know; elsewhere
it is nearly black. Without it names would have the theme's grey, which is too faint on white (3.7 : 1).
"""

AXIS = {"automargin": True, "tickfont": {"color": PAGE_INK}, "title": {"font": {"color": PAGE_INK}}}


def escaped(text: str) -> str:
    """Return text that plotly shows as it is, its markup and the fields of its templates escaped."""
    for sign, code in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("$", "&#36;"), ("%{", "%&#123;")):
        text = text.replace(sign, code)
    return text


_WIDEST = 48
"""Columns of an axis title that have room on a phone."""


def title_lines(text: str) -> list[str]:
    """Return the title of an axis below a figure in lines that fit a phone, their markup escaped."""
    return [escaped(line) for line in wrapped(text, _WIDEST)]


def faded(colour: str, opacity: float) -> str:
    """Return a #RRGGBB colour with an opacity."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"


_PIXELS = 1000
"""Steps into which an axis is cut: no screen shows more of it."""


def seen_points(
    x: Sequence[float] | Floats,
    y: Sequence[float] | Floats,
    log_x: bool = False,
    log_y: bool = False,
    pixels: int = _PIXELS,
) -> list[int]:
    """Return the positions of the points that can be seen: the first in each pixel; pixels: of each axis."""
    columns, rows = _pixels(x, log_x, pixels), _pixels(y, log_y, pixels)
    return sorted(np.unique(columns * (pixels + 2) + rows, return_index=True)[1].tolist())


def seen_curve(x: Sequence[float], y: Sequence[float], log_x: bool = False) -> list[int]:
    """Return the positions on a curve that can be seen: of each column of pixels the first, last, lowest, highest."""
    if len(x) <= 4 * _PIXELS:
        return list(range(len(x)))
    columns, heights = _pixels(x, log_x), np.asarray(y, dtype=float)
    starts = np.flatnonzero(np.diff(columns, prepend=columns[0] - 1))
    kept: set[int] = set()
    for start, stop in zip(starts.tolist(), [*starts[1:].tolist(), len(x)], strict=True):
        part = heights[start:stop]
        kept |= {start, stop - 1, start + int(np.argmin(part)), start + int(np.argmax(part))}
    return sorted(kept)


def _pixels(values: Sequence[float] | Floats, log: bool, pixels: int = _PIXELS) -> NDArray[np.int64]:
    """Return in which step of its axis each value falls; what no axis shows, beyond all of them."""
    numbers = np.asarray(values, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        numbers = np.log10(numbers) if log else numbers
    shown = np.isfinite(numbers)
    low, high = (numbers[shown].min(), numbers[shown].max()) if shown.any() else (0.0, 0.0)
    return np.where(
        shown, np.nan_to_num((numbers - low) / ((high - low) or 1.0), posinf=0, neginf=0) * pixels, -1
    ).astype(int)


def figure(**layout: Any) -> go.Figure:
    """Return an empty figure with the house's margins, colours and no backgrounds."""
    return go.Figure(
        layout={
            "colorway": PALETTE,
            "margin": {"l": 10, "r": 10, "t": 30, "b": 10},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
            "font": {"color": PAGE_INK},
            "hoverlabel": {"font": {"color": PAGE_INK}},
            "xaxis": AXIS,
            "yaxis": AXIS,
            **layout,
        }
    )


LEGEND_BELOW = {"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom", "itemclick": False}
"""A legend at the bottom of the figure: below the cells, it would be left behind where a page makes these lower."""


def name_axis(names: Sequence[str]) -> dict[str, Any]:
    """Return an axis at positions 0…len−1 with the names as tick texts: names that look alike stay apart."""
    return {
        "tickmode": "array",
        "tickvals": list(range(len(names))),
        "ticktext": [escaped(name) for name in names],
        "automargin": True,
        "zeroline": False,
    }


REFERENCE = {"color": INK, "width": 1.5, "dash": "dash"}
"""The line of no difference, and whatever else is looked at against: neutral, for a colour is a verdict's."""


def add_band(
    shown: go.Figure,
    x: Sequence[float],
    low: Sequence[float],
    high: Sequence[float],
    colour: str,
    shape: str = "linear",
    **trace: Any,
) -> None:
    """Draw the band between two curves; its edges have the full colour, for its ground alone is too pale to be seen."""
    line = {"width": 1, "color": colour, "shape": shape}
    edge = {"x": list(x), "mode": "lines", "line": line, "hoverinfo": "skip", "showlegend": False, **trace}
    shown.add_scatter(y=list(high), **edge)
    shown.add_scatter(y=list(low), **edge, fill="tonexty", fillcolor=faded(colour, 0.18))


def add_upright(shown: go.Figure, x: float, x1: float | None = None, **style: Any) -> None:
    """Draw a line from the bottom to the top, or a band up to `x1`, over the only axes of a figure.

    plotly's own add_vline and add_vrect look for every axis of the figure, in six times the time.
    """
    kind = {"type": "line", "x1": x} if x1 is None else {"type": "rect", "x1": x1}
    shown.add_shape(x0=x, y0=0, y1=1, xref="x", yref="y domain", **kind, **style)
