"""Plot: curves, points and bars over two axes of numbers, as plain values; one description for every experiment."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

from mtsig.figures.look import GREY, PALETTE, VERMILLION, short, tick_text
from mtsig.figures.picture import Picture, Write
from mtsig.figures.plot_paper import draw_plot, plot_height
from mtsig.figures.screen import escaped, faded, figure

Kind = Literal["line", "dash", "points", "bars"]
Numbers = tuple[float, ...]

_FEW_DECADES = 3
"""Up to so many powers of ten a logarithmic axis has three ticks for each."""

SYMBOLS = ("circle", "diamond", "square", "triangle-up", "x", "cross", "star")
"""Series of points differ in shape too, for those who cannot tell the colours."""


@dataclass(frozen=True)
class Series:
    """One curve, one set of points, or bars; low and high are a band round a line, or intervals at points.

    colour: its place in the palette; None is grey. texts: one per point, for whoever hovers there.
    """

    name: str
    x: Numbers
    y: Numbers
    kind: Kind = "line"
    low: Numbers | None = None
    high: Numbers | None = None
    colour: int | None = 0
    texts: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Line:
    """A line across the whole figure: at which height, and what it is."""

    at: float
    name: str
    vertical: bool = False


@dataclass(frozen=True)
class Plot(Picture):
    """Series over two axes.

    whole_x: the x axis counts things, so that it has no fractions. names: texts for the places 0, 1 … on the x axis,
    where it is no number.
    """

    x_title: str
    y_title: str
    series: tuple[Series, ...]
    lines: tuple[Line, ...] = ()
    log_x: bool = False
    log_y: bool = False
    percent_y: bool = False
    from_zero: bool = False
    whole_x: bool = False
    names: tuple[str, ...] = ()

    def log_ticks(self, axis: Literal["x", "y"]) -> Numbers:
        """Return where a logarithmic axis has its ticks: at 1, 2 and 5 of every decade, at 1 alone of many decades."""
        rows = [one.x if axis == "x" else (*one.y, *(one.low or ()), *(one.high or ())) for one in self.series]
        rows.append(tuple(line.at for line in self.lines if line.vertical == (axis == "x")))
        known = [value for row in rows for value in row if 0 < value < np.inf]
        if not known:
            return ()
        first, last = int(np.floor(np.log10(min(known)))), int(np.ceil(np.log10(max(known))))
        steps = (1, 2, 5) if last - first <= _FEW_DECADES else (1,)
        ticks = [step * 10.0**power for power in range(first, last + 1) for step in steps]
        return tuple(tick for tick in ticks if min(known) / 2 <= tick <= 2 * max(known))

    @property
    def caption(self) -> str:
        """What the figure shows."""
        listed = ", ".join(one.name for one in self.series)
        across = "".join(f" Dashed: {line.name}." for line in self.lines)
        title = self.y_title[:1].upper() + self.y_title[1:]
        return f"{title}{f', by {self.x_title}' if self.x_title else ''}: {listed}.{across}"

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data, or may hold some of it."""
        titles = (self.x_title, self.y_title)
        return (*titles, *(one.name for one in self.series), *(line.name for line in self.lines), *self.names)

    def height(self, width: float) -> float:
        """Return how high it is on paper, in inches."""
        return plot_height(self, width)

    def draw(self, paper: Figure, write: Write) -> None:
        """Draw it on paper."""
        draw_plot(self, paper, write)

    def screen(self) -> go.Figure:
        """Return the figure for the screen."""
        shown = figure(height=360, hovermode="closest", bargap=0.15)
        for number, one in enumerate(self.series):
            _draw(shown, one, number)
        for line in self.lines:
            _across(shown, line)
        shown.update_xaxes(title=label_whole(self.x_title), type="log" if self.log_x else None, zeroline=False)
        shown.update_yaxes(
            title=label_whole(self.y_title),
            type="log" if self.log_y else None,
            tickformat=".0%" if self.percent_y else None,
            rangemode="tozero" if self.from_zero else None,
            zeroline=False,
        )
        axes: tuple[tuple[Literal["x", "y"], bool], ...] = (("x", self.log_x), ("y", self.log_y))
        for axis, logarithmic in axes:
            if logarithmic:
                # plotly's own are "2" and "5" for 200 and 500, and "100µ" for a p-value.
                ticks = self.log_ticks(axis)
                words = [tick_text(tick) for tick in ticks]
                shown.update_layout({f"{axis}axis": {"tickmode": "array", "tickvals": list(ticks), "ticktext": words}})
        if self.whole_x:
            shown.update_xaxes(dtick=1)
        if self.names:
            places = list(range(len(self.names)))
            shown.update_xaxes(
                tickmode="array", tickvals=places, ticktext=[escaped(short(name)) for name in self.names]
            )
        return shown


def numbers(values: Iterable[float]) -> Numbers:
    """Return numbers as plain floats."""
    return tuple(float(value) for value in values)


def label_whole(text: str) -> str:
    """Return a text of any length that plotly shows as it is."""
    return "".join(escaped(short(piece)) if piece.strip() else piece for piece in _pieces(text))


def _pieces(text: str) -> list[str]:
    words = text.split(" ")
    return [piece for word in words[:-1] for piece in (word, " ")] + words[-1:]


def _draw(shown: go.Figure, one: Series, number: int) -> None:
    colour = GREY if one.colour is None else PALETTE[one.colour % len(PALETTE)]
    common = {"x": list(one.x), "y": list(one.y), "name": label_whole(one.name), "legendgroup": str(number)}
    common |= {"hovertext": [label_whole(text) for text in one.texts]} if one.texts else {}
    if one.kind == "bars":
        shown.add_bar(**common, marker={"color": faded(colour, 0.75), "line": {"width": 0}})
        return
    if one.low is not None and one.high is not None and one.kind == "line":
        edge = {"x": list(one.x), "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
        edge |= {"legendgroup": str(number)}
        shown.add_scatter(y=list(one.high), **edge)
        shown.add_scatter(y=list(one.low), **edge, fill="tonexty", fillcolor=faded(colour, 0.18))
    if one.kind in ("line", "dash"):
        marks = len(one.x) <= 60 and one.kind == "line"
        dash = "dash" if one.kind == "dash" else "solid"
        shown.add_scatter(
            **common,
            mode="lines+markers" if marks else "lines",
            line={"color": colour, "width": 2 if one.kind == "line" else 1.5, "dash": dash},
            marker={"symbol": SYMBOLS[number % len(SYMBOLS)], "size": 7},
        )
        return
    error = None
    if one.low is not None and one.high is not None:
        above, below = np.subtract(one.high, one.y), np.subtract(one.y, one.low)
        error = {"type": "data", "symmetric": False, "array": above.tolist(), "arrayminus": below.tolist()}
        error |= {"thickness": 1, "width": 0, "color": colour}
    marker = {"color": colour, "size": 6, "symbol": SYMBOLS[number % len(SYMBOLS)]}
    shown.add_scatter(**common, mode="markers", marker=marker, error_y=error)


def _across(shown: go.Figure, line: Line) -> None:
    style = {"color": VERMILLION, "width": 1.5, "dash": "dash"}
    if line.vertical:
        shown.add_vline(x=line.at, line=style)
    else:
        shown.add_hline(y=line.at, line=style)
    shown.add_scatter(x=[None], y=[None], mode="lines", name=label_whole(line.name), line=style)
