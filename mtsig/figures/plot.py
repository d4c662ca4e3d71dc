"""Plot: curves, points and bars over two axes of numbers, as plain values; one description for every experiment."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
import plotly.graph_objects as go

from mtsig.corpus import capital_first
from mtsig.figures.look import GREY, MARKERS, PALETTE, STYLES, SYMBOLS, short, tick_text
from mtsig.figures.picture import PAPER_REFERENCE, Picture, Write, draw_band, folded, name_lines, write_lines
from mtsig.figures.screen import REFERENCE, add_band, add_upright, escaped, faded, figure, seen_curve, seen_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Kind = Literal["line", "dash", "points", "bars"]
Numbers = tuple[float, ...]

_FEW_DECADES = 3
"""Up to so many powers of ten a logarithmic axis has three ticks for each."""

_HATCHES = ("", "///", "...", "xx")

_LEVEL = 4
"""Names of more signs are slanted, so that they do not run into each other."""

_SLANTED = 4
"""Pixels that a sign of a slanted name adds to the height on a screen."""

_TICK = 0.058
"""Inches that a sign of a tick's name takes."""


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
        rows = [line.x if axis == "x" else (*line.y, *(line.low or ()), *(line.high or ())) for line in self.series]
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
        listed = ", ".join(line.name for line in self.series)
        across = "".join(f" Dashed: {line.name}." for line in self.lines)
        return f"{capital_first(self.y_title)}{f', by {self.x_title}' if self.x_title else ''}: {listed}.{across}"

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data, or may hold some of it."""
        titles = (self.x_title, self.y_title)
        return (*titles, *(line.name for line in self.series), *(line.name for line in self.lines), *self.names)

    def height(self, width: float) -> float:
        """Return how high it is on paper, in inches."""
        columns = self._legend_columns(width)
        entries = self._entries
        _, lines = name_lines(entries, 0.85 * width / columns)
        slanted = 0.7 * _TICK * max((len(name) for name in self.names), default=0)
        return min(2.4, 0.62 * width) + 0.16 * lines * -(-len(entries) // columns) + slanted

    @property
    def _entries(self) -> list[str]:
        return [line.name for line in self.series] + [line.name for line in self.lines]

    def _legend_columns(self, width: float) -> int:
        """Return how many columns of the legend fit into the width."""
        longest = max(len(name) for name in self._entries)
        return max(1, int(width / max(1.1, 0.45 + 0.065 * longest)))

    def draw(self, paper: "Figure", write: Write) -> None:
        """Draw it on paper."""
        axes = paper.subplots()
        width = float(paper.get_size_inches()[0])
        columns = self._legend_columns(width)
        names, _ = name_lines(self._entries, 0.85 * width / columns)
        labels = [write_lines(write, name) for name in names]
        axes.set_xscale("log" if self.log_x else "linear")
        axes.set_yscale("log" if self.log_y else "linear")
        bars = [number for number, line in enumerate(self.series) if line.kind == "bars"]
        for number, (series, label) in enumerate(zip(self.series, labels, strict=False)):
            if series.kind == "bars":
                _bars(axes, series, bars.index(number), 1 if not self.names else len(bars), label)
            else:
                _marks(axes, series, number, label)
        for line, label in zip(self.lines, labels[len(self.series) :], strict=True):
            across = axes.axvline if line.vertical else axes.axhline
            across(line.at, **PAPER_REFERENCE, label=label)
        _frame(axes, self, width, write)
        paper.legend(loc="outside upper left", ncols=columns)

    def screen(self) -> go.Figure:
        """Return the figure for the screen."""
        shown = figure(height=360 + _SLANTED * max(map(len, self.names), default=0), hovermode="closest", bargap=0.15)
        for number, series in enumerate(self.series):
            _draw(shown, self._seen(series), number)
        for line in self.lines:
            _across(shown, line)
        shown.update_xaxes(title_text=label_whole(self.x_title), type="log" if self.log_x else None, zeroline=False)
        shown.update_yaxes(
            title_text=label_whole(self.y_title),
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
                tickmode="array", tickvals=places, ticktext=[escaped(short(name)) for name in self.names],
                # A name that leans the other way leaves the figure at its right end, and is then not shown at all.
                autotickangles=[0, -45, -90], ticklabeloverflow="allow",
            )  # fmt: skip
        return shown

    def _seen(self, series: Series) -> Series:
        """Return a series without what no screen could show."""
        if series.kind == "points" and series.low is None:
            kept = seen_points(series.x, series.y, self.log_x, self.log_y)
        elif series.kind in ("line", "dash") and series.low is None:
            kept = seen_curve(series.x, series.y, self.log_x)
        else:
            return series
        texts = series.texts and tuple(series.texts[i] for i in kept)
        return replace(series, x=tuple(series.x[i] for i in kept), y=tuple(series.y[i] for i in kept), texts=texts)


def numbers(values: Iterable[float]) -> Numbers:
    """Return numbers as plain floats."""
    return tuple(float(value) for value in values)


def label_whole(text: str) -> str:
    """Return a text of any length that plotly shows as it is."""
    return "".join(escaped(short(piece)) if piece.strip() else piece for piece in _pieces(text))


def _pieces(text: str) -> list[str]:
    words = text.split(" ")
    return [piece for word in words[:-1] for piece in (word, " ")] + words[-1:]


def _draw(shown: go.Figure, series: Series, number: int) -> None:
    colour = _colour(series)
    common = {"x": list(series.x), "y": list(series.y), "name": label_whole(series.name), "legendgroup": str(number)}
    common |= {"hovertext": [label_whole(text) for text in series.texts]} if series.texts else {}
    if series.kind == "bars":
        shown.add_bar(**common, marker={"color": faded(colour, 0.75), "line": {"width": 0}})
        return
    if series.low is not None and series.high is not None and series.kind == "line":
        add_band(shown, series.x, series.low, series.high, colour, legendgroup=str(number))
    if series.kind in ("line", "dash"):
        marks = len(series.x) <= 60 and series.kind == "line"
        dash = "dash" if series.kind == "dash" else "solid"
        shown.add_scatter(
            **common,
            mode="lines+markers" if marks else "lines",
            line={"color": colour, "width": 2 if series.kind == "line" else 1.5, "dash": dash},
            marker={"symbol": SYMBOLS[number % len(SYMBOLS)], "size": 7},
        )
        return
    error = None
    if series.low is not None and series.high is not None:
        above, below = np.subtract(series.high, series.y), np.subtract(series.y, series.low)
        error = {"type": "data", "symmetric": False, "array": above.tolist(), "arrayminus": below.tolist()}
        error |= {"thickness": 1, "width": 0, "color": colour}
    marker = {"color": colour, "size": 6, "symbol": SYMBOLS[number % len(SYMBOLS)]}
    shown.add_scatter(**common, mode="markers", marker=marker, error_y=error)


def _across(shown: go.Figure, line: Line) -> None:
    if line.vertical:
        add_upright(shown, line.at, line=REFERENCE)
    else:
        shown.add_hline(y=line.at, line=REFERENCE)
    shown.add_scatter(x=[None], y=[None], mode="lines", name=label_whole(line.name), line=REFERENCE)


def _frame(axes: "Axes", plot: Plot, width: float, write: Write) -> None:
    """Set titles, ticks and limits."""
    from matplotlib.ticker import FixedLocator, MaxNLocator, NullFormatter

    if plot.from_zero and not plot.log_y:
        axes.set_ylim(bottom=0)
    if plot.percent_y:
        axes.yaxis.set_major_formatter(lambda value, _: write(f"{100 * value:.6g}%"))
    # matplotlib writes powers of ten as mathematics, which the house's texts are not.
    for axis, ticks in (
        (axes.xaxis, plot.log_x and plot.log_ticks("x")),
        (axes.yaxis, plot.log_y and plot.log_ticks("y")),
    ):
        if ticks:
            axis.set_major_locator(FixedLocator(ticks))
            axis.set_major_formatter(lambda value, _: write(tick_text(value)))
            axis.set_minor_formatter(NullFormatter())
    if plot.whole_x:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if plot.names:
        axes.set_xticks(range(len(plot.names)), [write(name) for name in plot.names])
        if max(map(len, plot.names)) > _LEVEL:
            axes.tick_params(axis="x", labelrotation=45)
            for tick in axes.get_xticklabels():
                tick.set(horizontalalignment="right", rotation_mode="anchor")
    axes.set_xlabel(write_lines(write, folded(plot.x_title, 0.8 * width)), linespacing=1.0)
    axes.set_ylabel(write_lines(write, folded(plot.y_title, 0.8 * min(2.4, 0.62 * width))), linespacing=1.0)
    axes.grid(axis="y")


def _colour(series: Series) -> str:
    return GREY if series.colour is None else PALETTE[series.colour % len(PALETTE)]


def _bars(axes: "Axes", series: Series, place: int, together: int, label: str) -> None:
    """Draw bars: beside those of other series where the axis has names, else over them."""
    step = float(np.min(np.diff(series.x))) if len(series.x) > 1 else 1.0
    width = 0.85 * step / together
    shift = (place - (together - 1) / 2) * width
    axes.bar(
        np.array(series.x) + shift, series.y, width, color=_colour(series), alpha=0.6, linewidth=0, label=label,
        hatch=_HATCHES[place % len(_HATCHES)], edgecolor="#333333",
    )  # fmt: skip


def _marks(axes: "Axes", series: Series, number: int, label: str) -> None:
    """Draw a curve with its band, or points with their intervals."""
    colour, marker = _colour(series), MARKERS[number % len(MARKERS)]
    if series.kind == "points":
        if series.low is not None and series.high is not None:
            axes.vlines(series.x, series.low, series.high, color=colour, linewidth=0.7)
        size = 3.0 if len(series.x) <= 200 else 1.5
        axes.plot(series.x, series.y, color=colour, linestyle="", marker=marker, markersize=size, label=label)
        return
    if series.low is not None and series.high is not None:
        draw_band(axes, series.x, series.low, series.high, colour)
    if series.kind == "dash":
        axes.plot(series.x, series.y, color=colour, linestyle=(0, (3, 2)), linewidth=0.9, label=label)
        return
    style = STYLES[number % len(STYLES)]
    marked = marker if len(series.x) <= 60 else ""
    axes.plot(series.x, series.y, color=colour, linestyle=style, marker=marked, markersize=3, label=label)
