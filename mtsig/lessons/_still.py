"""A still of a stage: what its panels show after so many steps, side by side on paper."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import singledispatch
from math import ceil, sqrt
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter
from matplotlib.transforms import Bbox

from mtsig.errors import InvalidOption
from mtsig.figures import on_paper
from mtsig.figures._look import GREY, PALETTE, SLATE, VERMILLION, folded
from mtsig.figures._marks import Drawing, write_lines
from mtsig.lessons._stage import (
    Bag,
    Crowd,
    Curves,
    Facts,
    Labels,
    Lineup,
    Panel,
    Pile,
    Reading,
    Round,
    Rows,
    Stage,
    Threads,
    Tiles,
)

_ROW = 2.2
"""Inches of a row of panels."""

_DOTS = 120
"""Values that a pile shows as dots; of more it shows bars."""

_BINS = 45
_INTERVALS, _THREADS = 100, 100
"""Intervals and threads that are drawn, the last ones."""

Write = Callable[[str], str]

_STYLES = ("-", "--", "-.", ":")

_WIDE = (Reading, Facts, Tiles, Lineup)
"""Panels that take a whole row."""


@dataclass(frozen=True)
class Still(Drawing):
    """The panels of a stage after `steps` steps."""

    panels: tuple[Panel, ...]
    steps: int
    said: str = ""

    @classmethod
    def of(cls, stage: Stage, steps: int | None = None, view: str | None = None) -> "Still":
        """Return a stage after so many steps, all of them if None; view: a position of its switch, the first if None.

        Raises:
            InvalidOption: the stage has fewer steps, or no such view, or is a game's.
        """
        if not stage.views:
            raise InvalidOption("A game has rounds: take Still.of_round(stage.rounds[0]).")
        name = next(iter(stage.views)) if view is None else view
        if name not in stage.views:
            raise InvalidOption(f"There is no view {name!r}. Known: {', '.join(stage.views)}.")
        last = stage.steps if steps is None else steps
        if not 0 <= last <= stage.steps:
            raise InvalidOption(f"The stage has {stage.steps:,} steps; found {last:,}.")
        panels = stage.views[name].panels
        seen = tuple(panel for panel in panels if not isinstance(panel, Facts) or panel.since <= last)
        return cls(seen, last, stage.views[name].says[last])

    @classmethod
    def of_round(cls, played: Round) -> "Still":
        """Return the panels of a round of a game: all that falls has fallen."""
        return cls(
            played.panels, max((len(panel.values) for panel in played.panels if isinstance(panel, Pile)), default=0)
        )

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data."""
        return tuple(text for panel in self.panels for text in _texts(panel, self.steps))

    @property
    def rows(self) -> list[list[Panel]]:
        """The panels, row by row: pictures two by two, then what needs a row of its own."""
        pictures = [panel for panel in self.panels if not isinstance(panel, _WIDE)]
        rows = [pictures[start : start + 2] for start in range(0, len(pictures), 2)]
        rows += [[panel] for panel in self.panels if isinstance(panel, _WIDE)]
        return rows

    def height(self, width: float) -> float:
        """Return how high it is on paper, in inches."""
        del width
        return sum(self._heights())

    def _heights(self) -> list[float]:
        return [max(_height(panel, self.steps) for panel in row) for row in self.rows]

    def draw(self, paper: Figure, write: Write) -> None:
        """Draw it on paper."""
        rows = paper.subfigures(len(self.rows), 1, height_ratios=self._heights(), squeeze=False)[:, 0]
        width = float(paper.get_size_inches()[0])
        for place, panels in zip(rows, self.rows, strict=True):
            for axes, panel in zip(place.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
                axes.set_title(
                    write_lines(write, folded(panel.title, 0.9 * width / len(panels))), fontsize=9, loc="left"
                )
                _draw(panel, axes, self.steps, write)

    def _repr_svg_(self) -> str:
        """Show it in a notebook."""
        return on_paper(self, "svg", "acl-full").data.decode()


def _height(panel: Panel, steps: int) -> float:
    if isinstance(panel, Reading):
        return 0.5 + 0.17 * len(_reading(panel, steps))
    if isinstance(panel, Facts):
        return 0.6 + 0.22 * len(panel.rows)
    if isinstance(panel, Tiles):
        return 0.55 + 0.2 * len(_tile_lines(panel, steps))
    return 3.6 if isinstance(panel, Lineup) else _ROW


@singledispatch
def _texts(panel: Panel, steps: int) -> Sequence[str]:
    """Return the texts of a panel that came with the data."""
    del steps
    return (panel.title,)


@_texts.register
def _(panel: Reading, steps: int) -> Sequence[str]:
    return (panel.title, *_reading(panel, steps))


@_texts.register
def _(panel: Facts, steps: int) -> Sequence[str]:
    del steps
    return (panel.title, *panel.columns, *(cell for row in panel.rows for cell in row))


@_texts.register
def _(panel: Tiles, steps: int) -> Sequence[str]:
    return (panel.title, *_tile_lines(panel, steps))


@_texts.register(Pile)
@_texts.register(Rows)
@_texts.register(Threads)
@_texts.register(Crowd)
def _(panel: Pile | Rows | Threads | Crowd, steps: int) -> Sequence[str]:
    del steps
    marks = [mark.text for mark in panel.marks] if isinstance(panel, Pile) else []
    names = panel.group_names if isinstance(panel, Pile) else getattr(panel, "names", ())
    return (panel.title, panel.axis, *marks, *names)


@_texts.register
def _(panel: Curves, steps: int) -> Sequence[str]:
    del steps
    return (panel.title, panel.x_axis, panel.y_axis, *(line.name for line in panel.lines))


@singledispatch
def _draw(panel: Panel, axes: Axes, steps: int, write: Write) -> None:
    raise NotImplementedError(type(panel).__name__)


@_draw.register
def _bag(panel: Bag, axes: Axes, steps: int, write: Write) -> None:
    del write
    shown = min(steps, len(panel.weights))
    drawn = panel.weights[shown - 1] if shown else ""
    counts = np.array([int(sign, 36) for sign in drawn] or [0] * len(panel.cells), dtype=float)
    axes.imshow(_grid(counts, panel.rows), cmap="Blues", vmin=0, vmax=max(4.0, float(counts.max(initial=0))))
    _bare(axes)
    axes.set_xlabel(f"{_which(shown, steps)}darker: drawn more often" if shown else "nothing is drawn yet", fontsize=8)


@_draw.register
def _labels(panel: Labels, axes: Axes, steps: int, write: Write) -> None:
    del write
    shown = min(steps, len(panel.flips))
    flips = panel.flips[shown - 1] if shown else "0" * len(panel.same)
    # 0: both outputs are equal, 1: kept, 2: exchanged.
    look = [0.0 if same == "1" else 1.0 + int(flip) for same, flip in zip(panel.same, flips, strict=True)]
    axes.imshow(_grid(np.array(look), ()), cmap="Greys", vmin=0, vmax=3)
    _bare(axes)
    axes.set_xlabel(f"{_which(shown, steps)}dark: exchanged; pale: kept; white: equal outputs", fontsize=8)


def _which(shown: int, steps: int) -> str:
    """Return which draw is shown where it is not the last one: of many segments those of the first draws are kept."""
    return "" if shown == steps else f"draw {shown:,}; "


def _grid(values: Any, rows: Sequence[int]) -> Any:
    """Return values as cells: in rows of their own lengths, or as a rectangle; what is no cell is masked."""
    lengths = list(rows)
    if not lengths:
        columns = ceil(sqrt(1.6 * len(values)))
        lengths = [min(columns, len(values) - start) for start in range(0, len(values), columns)]
    cells = np.full((len(lengths), max(lengths, default=1)), np.nan)
    start = 0
    for place, length in enumerate(lengths):
        cells[place, :length] = values[start : start + length]
        start += length
    return np.ma.masked_invalid(cells)


def _bare(axes: Axes) -> None:
    axes.set_xticks([])
    axes.set_yticks([])
    for side in axes.spines.values():
        side.set_visible(False)


@_draw.register
def _reads(panel: Reading, axes: Axes, steps: int, write: Write) -> None:
    _lines(axes, _reading(panel, steps), write)


def _reading(panel: Reading, steps: int) -> list[str]:
    if not steps or steps > len(panel.heads):
        return []
    told = panel.lines[steps - 1] if steps <= len(panel.lines) else ()
    return [line for text in (panel.heads[steps - 1], *told) for line in folded(text, 5.6).split("\n")]


def _lines(axes: Axes, lines: Sequence[str], write: Write) -> None:
    _bare(axes)
    for place, line in enumerate(lines):
        axes.text(0, 1 - (place + 0.5) / max(1, len(lines)), write(line), transform=axes.transAxes, va="center")


@_draw.register
def _pile(panel: Pile, axes: Axes, steps: int, write: Write) -> None:
    values = np.array(panel.values[:steps])
    edges = np.linspace(panel.low, panel.high, _BINS + 1)
    groups = panel.groups[:steps] or "0" * len(values)
    kinds = sorted(set(groups))
    members = [np.array([sign == kind for sign in groups], dtype=bool) for kind in kinds]
    beyond = np.array([sign == "1" for sign in panel.beyond[:steps]], dtype=bool)
    if len(beyond) < len(values):
        beyond = np.zeros(len(values), dtype=bool)
    places = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, _BINS - 1)
    centres, below = (edges[:-1] + edges[1:]) / 2, np.zeros(_BINS)
    for number, inside in enumerate(members):
        colour = SLATE if len(kinds) == 1 else PALETTE[number % len(PALETTE)]
        for hatch, chosen in (("", inside & ~beyond), ("/////", inside & beyond)):
            if not chosen.any():
                continue
            counts = np.bincount(places[chosen], minlength=_BINS).astype(float)
            axes.bar(
                centres, counts, 0.92 * (edges[1] - edges[0]), bottom=below, color=colour if not hatch else "white",
                edgecolor=VERMILLION if hatch else colour, linewidth=0.4, hatch=hatch,
            )  # fmt: skip
            below += counts
    top = max(1.0, float(below.max(initial=0)))
    for place, mark in enumerate(panel.marks):
        axes.axvline(mark.at, color=GREY, linestyle="--", linewidth=0.8)
        axes.annotate(write(mark.text), (mark.at, 1), (2, -2 - 8 * place), xycoords=("data", "axes fraction"),
                      textcoords="offset points", va="top", fontsize=7)  # fmt: skip
    reached = [ends for ends in panel.ends if ends.after <= steps]
    if reached:
        axes.plot([reached[-1].low, reached[-1].high], [-0.04 * top] * 2, color="black", linewidth=3)
    axes.set_xlim(panel.low, panel.high)
    axes.set_ylim(-0.08 * top, 1.25 * top)
    axes.set_yticks([])
    axes.set_xlabel(write_lines(write, folded(panel.axis, 2.8)))


@_draw.register
def _intervals(panel: Rows, axes: Axes, steps: int, write: Write) -> None:
    first = max(0, steps - _INTERVALS)
    for place in range(first, steps):
        is_missed = panel.missed[place] == "1"
        axes.plot(
            [panel.lows[place], panel.highs[place]], [place + 1] * 2, color=VERMILLION if is_missed else SLATE,
            linewidth=1.6 if is_missed else 0.7,
        )  # fmt: skip
    axes.axvline(panel.truth, color="black", linewidth=0.8)
    axes.annotate(write(panel.truth_text), (panel.truth, 1), (2, -2), xycoords=("data", "axes fraction"),
                  textcoords="offset points", va="top", fontsize=7)  # fmt: skip
    axes.set_xlim(panel.low, panel.high)
    axes.set_yticks([])
    axes.set_xlabel(write_lines(write, folded(panel.axis, 2.8)))


@_draw.register
def _threads(panel: Threads, axes: Axes, steps: int, write: Write) -> None:
    for upper, lower in panel.values[max(0, steps - _THREADS) : steps]:
        axes.plot([upper, lower], [1, 0], color=SLATE, linewidth=0.5, alpha=0.6)
    axes.set_xlim(panel.low, panel.high)
    axes.set_ylim(-0.1, 1.1)
    axes.set_yticks([1, 0], [write(name) for name in panel.names])
    axes.set_xlabel(write_lines(write, folded(panel.axis, 2.8)))


@_draw.register
def _curves(panel: Curves, axes: Axes, steps: int, write: Write) -> None:
    for number, line in enumerate(panel.lines):
        seen = panel.seen(line, steps)
        x, y, name = line.x[seen], line.y[seen], write(line.name)
        colour, style = PALETTE[number % len(PALETTE)], _STYLES[number % len(_STYLES)]
        if line.style == "band":
            axes.fill_between(x, y, line.upper[seen], color=colour, alpha=0.2, linewidth=0, label=name)
        elif line.style == "points":
            axes.plot(x, y, "o", markersize=3, color=colour, label=name)
        elif line.style == "ghost":
            axes.plot(x, y, ":", color=GREY, label=name)
        else:
            axes.plot(x, y, style, color=colour, label=name)
    for place, flag in enumerate(panel.flags[:steps][panel.seen(panel.lines[0], steps)]):
        if flag == "1":
            line, first = panel.lines[0], panel.seen(panel.lines[0], steps).start or 0
            axes.plot(line.x[first + place], line.y[first + place], "o", mfc="none", color=VERMILLION)
    if panel.at and 0 < steps <= len(panel.at):
        axes.axvline(panel.at[steps - 1], color=VERMILLION, linewidth=0.8)
    for mark in panel.marks:
        axes.axhline(mark.at, color=GREY, linestyle="--", linewidth=0.8)
        axes.annotate(write(mark.text), (0, mark.at), (2, 2), xycoords=("axes fraction", "data"),
                      textcoords="offset points", fontsize=7)  # fmt: skip
    if panel.log_x:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
        axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlim(panel.x_low, panel.x_high)
    axes.set_ylim(panel.y_low, panel.y_high)
    axes.set_xlabel(write_lines(write, folded(panel.x_axis, 2.8)))
    axes.set_ylabel(write_lines(write, folded(panel.y_axis, 1.8)))
    if len(panel.lines) > 1:
        axes.legend(fontsize=7)


@_draw.register
def _crowd(panel: Crowd, axes: Axes, steps: int, write: Write) -> None:
    if steps:
        values, claimed = panel.values[steps - 1], panel.claimed[steps - 1]
        for place, value in enumerate(values):
            is_claimed = claimed[place] == "1"
            axes.plot(value, place, "D" if is_claimed else "o", ms=4 if is_claimed else 3,
                      color=VERMILLION if is_claimed else SLATE)  # fmt: skip
        best = panel.crowned[steps - 1]
        axes.annotate(write(f"{panel.names[best]}, the best"), (values[best], best), (4, 2),
                      textcoords="offset points", fontsize=7)  # fmt: skip
    axes.axvline(0, color=GREY, linestyle="--", linewidth=0.8)
    axes.set_xlim(panel.low, panel.high)
    axes.set_ylim(-1, len(panel.names))
    axes.set_yticks([])
    axes.set_xlabel(write_lines(write, folded(panel.axis, 2.8)))


@_draw.register
def _tiles(panel: Tiles, axes: Axes, steps: int, write: Write) -> None:
    _lines(axes, _tile_lines(panel, steps), write)


def _tile_lines(panel: Tiles, steps: int) -> list[str]:
    order = panel.orders[min(steps, len(panel.orders) - 1)]
    text = " | ".join(panel.tiles[place] for place in order)
    return [*folded(text, 5.6).split("\n"), panel.meters[min(steps, len(panel.meters) - 1)]]


@_draw.register
def _lineup(panel: Lineup, axes: Axes, steps: int, write: Write) -> None:
    del steps
    columns, size = 5, len(panel.matrices[0])
    step = size + 1.6
    _bare(axes)
    for place, matrix in enumerate(panel.matrices):
        left, top = (place % columns) * step, -(place // columns) * step
        axes.imshow(
            np.array(matrix), cmap="PuOr", vmin=-panel.high, vmax=panel.high,
            extent=(left, left + size, top - size, top),
        )  # fmt: skip
        axes.text(left, top + 0.1, write(str(place + 1)), fontsize=7, va="bottom")
    axes.set_xlim(0, columns * step)
    axes.set_ylim(-ceil(len(panel.matrices) / columns) * step, 1.2)


@_draw.register
def _facts(panel: Facts, axes: Axes, steps: int, write: Write) -> None:
    del steps
    _bare(axes)
    table = axes.table(
        cellText=[[write(cell) for cell in row] for row in panel.rows],
        colLabels=[write(column) for column in panel.columns],
        cellLoc="left", colLoc="left", edges="horizontal", bbox=Bbox.unit(),
    )  # fmt: skip
    table.auto_set_font_size(False)
    table.set_fontsize(8)
