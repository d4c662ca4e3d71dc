"""A plot on paper: series and lines over two axes, told apart in grey as well as in colour."""

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, MaxNLocator, NullFormatter

from mtsig.figures.look import GREY, PALETTE, VERMILLION, tick_text
from mtsig.figures.picture import Write, folded, name_lines, write_lines

if TYPE_CHECKING:
    from mtsig.figures.plot import Plot, Series

_STYLES = ("-", "--", "-.", ":")
_MARKERS = ("o", "D", "s", "^", "x", "P", "*")
_HATCHES = ("", "///", "...", "xx")

_LEVEL = 4
"""Names of more signs are slanted, so that they do not run into each other."""

_TICK = 0.058
"""Inches that a sign of a tick's name takes."""


def plot_height(plot: "Plot", width: float) -> float:
    """Return how high a plot is on paper of this width, both in inches: its axes, its legend, its slanted names."""
    columns = legend_columns(plot, width)
    entries = _entries(plot)
    _, lines = name_lines(entries, 0.85 * width / columns)
    slanted = 0.7 * _TICK * max((len(name) for name in plot.names), default=0)
    return min(2.4, 0.62 * width) + 0.16 * lines * -(-len(entries) // columns) + slanted


def _entries(plot: "Plot") -> list[str]:
    return [one.name for one in plot.series] + [line.name for line in plot.lines]


def legend_columns(plot: "Plot", width: float) -> int:
    """Return how many columns of the legend fit into the width."""
    longest = max(len(name) for name in _entries(plot))
    return max(1, int(width / max(1.1, 0.45 + 0.065 * longest)))


def draw_plot(plot: "Plot", paper: Figure, write: Write) -> None:
    """Draw a plot on paper."""
    axes = paper.subplots()
    width = float(paper.get_size_inches()[0])
    columns = legend_columns(plot, width)
    names, _ = name_lines(_entries(plot), 0.85 * width / columns)
    labels = [write_lines(write, name) for name in names]
    axes.set_xscale("log" if plot.log_x else "linear")
    axes.set_yscale("log" if plot.log_y else "linear")
    bars = [number for number, one in enumerate(plot.series) if one.kind == "bars"]
    for number, (one, label) in enumerate(zip(plot.series, labels, strict=False)):
        if one.kind == "bars":
            _bars(axes, one, bars.index(number), 1 if not plot.names else len(bars), label)
        else:
            _marks(axes, one, number, label)
    for line, label in zip(plot.lines, labels[len(plot.series) :], strict=True):
        across = axes.axvline if line.vertical else axes.axhline
        across(line.at, color=VERMILLION, linestyle="--", linewidth=0.9, label=label)
    _frame(axes, plot, width, write)
    paper.legend(loc="outside upper left", ncols=columns)


def _frame(axes: Axes, plot: "Plot", width: float, write: Write) -> None:
    """Set titles, ticks and limits."""
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


def _colour(one: "Series") -> str:
    return GREY if one.colour is None else PALETTE[one.colour % len(PALETTE)]


def _bars(axes: Axes, one: "Series", place: int, together: int, label: str) -> None:
    """Draw bars: beside those of other series where the axis has names, else over them."""
    step = float(np.min(np.diff(one.x))) if len(one.x) > 1 else 1.0
    width = 0.85 * step / together
    shift = (place - (together - 1) / 2) * width
    axes.bar(
        np.array(one.x) + shift, one.y, width, color=_colour(one), alpha=0.6, linewidth=0, label=label,
        hatch=_HATCHES[place % len(_HATCHES)], edgecolor="#333333",
    )  # fmt: skip


def _marks(axes: Axes, one: "Series", number: int, label: str) -> None:
    """Draw a curve with its band, or points with their intervals."""
    colour, marker = _colour(one), _MARKERS[number % len(_MARKERS)]
    if one.kind == "points":
        if one.low is not None and one.high is not None:
            axes.vlines(one.x, one.low, one.high, color=colour, linewidth=0.7)
        size = 3.0 if len(one.x) <= 200 else 1.5
        axes.plot(one.x, one.y, color=colour, linestyle="", marker=marker, markersize=size, label=label)
        return
    if one.low is not None and one.high is not None:
        axes.fill_between(one.x, one.low, one.high, color=colour, alpha=0.15, linewidth=0)
    if one.kind == "dash":
        axes.plot(one.x, one.y, color=colour, linestyle=(0, (3, 2)), linewidth=0.9, label=label)
        return
    style = _STYLES[number % len(_STYLES)]
    marked = marker if len(one.x) <= 60 else ""
    axes.plot(one.x, one.y, color=colour, linestyle=style, marker=marked, markersize=3, label=label)
