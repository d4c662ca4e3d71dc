"""Draw a lesson after a number of steps, with its pictures side by side and its texts as tables."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from math import ceil, log10, sqrt
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from mtsig.errors import InvalidOption
from mtsig.figures import _marks, on_paper
from mtsig.figures._look import DASHES, FIRST, GREY, PALETTE, SECOND, SLATE, VERMILLION, folded
from mtsig.figures._marks import Axis, Bars, Line, Mark, Plane, Points, Rule, Text, Write, write_lines
from mtsig.figures._matplotlib import _handle, draw_plane
from mtsig.lessons import _stage
from mtsig.lessons._stage import Panel, Round, Stage
from mtsig.report import Table
from mtsig.report._table import html

_ROW, _LINEUP = 2.2, 3.6
"""Inches of a row of pictures, and of a line-up."""

_BINS = 45
_LAST = 100
"""Intervals and threads that are drawn: the last ones."""

_TIMES = ("#e4e8ee", "#b9d3ea", "#7fb0d9", "#3f82bd", "#14548c")
"""Grounds of a cell that was drawn no time, once …, and four times or more."""


@dataclass(frozen=True)
class Still(_marks.Drawing):
    """The panels of a lesson after `steps` steps."""

    panels: tuple[Panel, ...]
    steps: int
    said: str = ""

    @classmethod
    def of(cls, stage: Stage, steps: int | None = None, view: str | None = None) -> "Still":
        """Return a lesson after `steps` steps (default: all), in this view.

        Raises
        ------
        InvalidOption
            The stage has fewer steps, or no such view, or is a game's.
        """
        if not stage.views:
            raise InvalidOption("A game has rounds: take Still.of_round(stage.rounds[0]).")
        name = next(iter(stage.views)) if view is None else view
        if name not in stage.views:
            raise InvalidOption(f"There is no view {name!r}. Known: {', '.join(stage.views)}.")
        last = stage.steps if steps is None else steps
        if not 0 <= last <= stage.steps:
            raise InvalidOption(f"The stage has {stage.steps:,} steps; found {last:,}.")
        return cls(stage.views[name].panels, last, stage.views[name].says[last])

    @classmethod
    def of_round(cls, played: Round, told: bool = False, name: str = "") -> "Still":
        """Return the panels of a game's round; told: hatch the values that count. name: what the first is called."""
        shown = [replace(one, beyond="") if isinstance(one, _stage.Pile) and not told else one for one in played.panels]
        shown[0] = replace(shown[0], title=name + shown[0].title)
        return cls(tuple(shown), max((len(getattr(panel, "values", ())) for panel in played.panels), default=0))

    @property
    def _shown(self) -> list[tuple[Panel, Plane | Table]]:
        return [(panel, _on_paper(panel, self.steps)) for panel in self.panels]

    @property
    def pictures(self) -> list[tuple[str, Plane]]:
        """The panels with pictures, each with its title."""
        return [(panel.title, one) for panel, one in self._shown if isinstance(one, Plane)]

    @property
    def tables(self) -> list[Table]:
        """The panels with texts, as tables."""
        return [one for _, one in self._shown if isinstance(one, Table) and one.rows]

    @property
    def new_tables(self) -> list[Table]:
        """The panels with texts that were absent at the beginning."""
        before = replace(self, steps=0).tables
        return [table for table in self.tables if table not in before]

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts in the pictures that come from the data."""
        planes = [plane for _, plane in self.pictures]
        marks = [mark for plane in planes for mark in plane.marks]
        axes = [text for plane in planes for text in (plane.x.title, plane.y.title, *plane.y.names)]
        return (*(title for title, _ in self.pictures), *axes, *(getattr(mark, "text", mark.name) for mark in marks))

    def height(self, width: float) -> float:
        """Return the height of the pictures on paper, in inches."""
        del width
        is_lineup = any(isinstance(panel, _stage.Lineup) for panel in self.panels)
        return _LINEUP if is_lineup else _ROW * ceil(len(self.pictures) / 2)

    def draw(self, paper: Figure, write: Write) -> None:
        """Draw the pictures on paper, two per row; if their number is odd, the first has its own row."""
        pictures, across = self.pictures, float(paper.get_size_inches()[0])
        rows = [pictures[max(0, start) : start + 2] for start in range(-(len(pictures) % 2), len(pictures), 2)]
        for place, row in zip(paper.subfigures(len(rows), 1, squeeze=False)[:, 0], rows, strict=True):
            for axes, (title, plane) in zip(place.subplots(1, len(row), squeeze=False)[0], row, strict=True):
                wide, high = replace(plane.x, title=folded(plane.x.title, 2.8)), folded(plane.y.title, 1.8)
                draw_plane(axes, replace(plane, x=wide, y=replace(plane.y, title=high)), write)
                named = [mark for mark in plane.marks if mark.name]
                fits = sum(len(mark.name) + 6 for mark in named) < 20 * across / len(row)
                above = 6 + (11 if fits else 11 * len(named)) * bool(named)
                words = write_lines(write, folded(title, 0.9 * across / len(row)))
                axes.set_title(words, fontsize=9, loc="left", pad=above)
                if named:
                    axes.legend([_handle(mark) for mark in named], [write(mark.name) for mark in named], fontsize=7,
                                loc="lower left", bbox_to_anchor=(0, 1), ncols=len(named) if fits else 1)  # fmt: skip

    def _repr_html_(self) -> str:
        """Show it in a notebook."""
        picture = on_paper(self, "svg", "acl-full").data.decode() if self.pictures else ""
        return picture[picture.find("<svg") :] + "\n".join(map(html, self.tables))


@singledispatch
def _on_paper(panel: Panel, steps: int) -> Plane | Table:
    """Return the marks of a panel that is a picture, and what others say in words."""
    raise NotImplementedError(type(panel).__name__, steps)


@_on_paper.register
def _(panel: _stage.Reading, steps: int) -> Table:
    here = 0 < steps <= len(panel.heads)
    lines = (panel.heads[steps - 1], *(panel.lines[steps - 1] if steps <= len(panel.lines) else ())) if here else ()
    return Table.of_text("", (panel.title,), [(line,) for line in lines])


@_on_paper.register
def _(panel: _stage.Facts, steps: int) -> Table:
    return Table.of_text(panel.title, panel.columns, panel.rows if panel.since <= steps else ())


@_on_paper.register
def _(panel: _stage.Tiles, steps: int) -> Table:
    order = panel.orders[steps - 1] if steps else range(len(panel.tiles))
    meter = panel.meters[steps - 1] if steps else ""
    row = (" | ".join(panel.tiles[place] for place in order), meter)
    return Table.of_text(panel.title, ("phrases, in this order", "score"), [row])


def _x_axis(panel: Any) -> Axis:
    return Axis(title=panel.axis, range=(panel.low, panel.high))


def _named(panel: Any, top: float, *marks: _stage.Mark) -> list[Mark]:
    """Return lines upright at places on a panel's axis, with their words below each other at the head, inside of it."""
    words: list[Mark] = []
    for place, mark in enumerate(marks):
        share = (mark.at - panel.low) / (panel.high - panel.low)
        # Away from the other one's line, where there is room for words.
        outwards = 0.25 if mark.at < max(one.at for one in marks) else 0.75 if len(marks) > 1 else 0.5
        side, across = ("left", -2) if share > outwards else ("right", 2)
        look: dict[str, Any] = {"side": side, "level": "top", "across": across, "size": 7}
        words.append(Text(x=mark.at, y=top, text=mark.text, up=-2 - 8 * place, **look))
    return [*(Rule(at=mark.at, upright=True, colour=GREY) for mark in marks), *words]


def _cells(grounds: Sequence[str], rows: Sequence[int], title: str) -> Plane:
    """Return cells of these colours in rows, or as a rectangle where none are given."""
    columns = ceil(sqrt(1.6 * len(grounds)))
    lengths = rows or [min(columns, len(grounds) - start) for start in range(0, len(grounds), columns)]
    places = [(x, y) for y, length in enumerate(lengths) for x in range(length)]
    bars = Bars(
        x=[x for x, _ in places], y=[0.9] * len(places), base=[float(y) for _, y in places], width=0.9, colours=grounds
    )
    return Plane([bars], Axis(title=title, shown=False), Axis(range=(float(len(lengths)), 0.0), shown=False))


def _which(shown: int, steps: int) -> str:
    """Return which draw is shown where it is not the last one: of many segments those of the first draws are kept."""
    return "" if shown == steps else f"draw {shown:,}; "


@_on_paper.register
def _bag(panel: _stage.Bag, steps: int) -> Plane:
    shown = min(steps, len(panel.weights))
    drawn = panel.weights[shown - 1] if shown else "0" * len(panel.cells)
    grounds = [_TIMES[min(4, int(sign, 36))] for sign in drawn]
    return _cells(grounds, panel.rows, f"{_which(shown, steps)}darker: drawn more often" if shown else "not drawn yet")


@_on_paper.register
def _labels(panel: _stage.Labels, steps: int) -> Plane:
    shown = min(steps, len(panel.flips))
    flips = panel.flips[shown - 1] if shown else "0" * len(panel.same)
    looks = {"1": "#f4f4f4", "00": "#c4c4c4", "01": "#333333"}
    grounds = [looks["1" if same == "1" else f"0{flip}"] for same, flip in zip(panel.same, flips, strict=True)]
    return _cells(grounds, (), f"{_which(shown, steps)}dark: swapped; grey: kept; pale: equal outputs")


@_on_paper.register
def _pile(panel: _stage.Pile, steps: int) -> Plane:
    edges, below = np.linspace(panel.low, panel.high, _BINS + 1), np.zeros(_BINS)
    places = np.clip(np.searchsorted(edges, panel.values[:steps], side="right") - 1, 0, _BINS - 1)
    centres, width = ((edges[:-1] + edges[1:]) / 2).tolist(), 0.92 * (edges[1] - edges[0])
    kinds = np.array(list(zip(panel.groups[:steps] or "0" * steps, panel.beyond[:steps] or "0" * steps, strict=True)))
    marks: list[Mark] = []
    for group, beyond in sorted(set(map(tuple, kinds))):
        counts = np.bincount(places[(kinds == (group, beyond)).all(axis=1)], minlength=_BINS).astype(float)
        colour = PALETTE[int(group)] if panel.groups else SLATE
        name = panel.group_names[int(group)] if panel.group_names else "at least as far out" if beyond == "1" else ""
        hatch: _marks.Hatch = "/" if beyond == "1" else ""
        marks.append(Bars(x=centres, y=counts, base=below.tolist(), width=width, colour=colour, hatch=hatch, name=name))
        below = below + counts
    top = (1.2 + 0.1 * len(panel.marks)) * max(1.0, float(below.max()))
    reached = [ends for ends in panel.ends if ends.after <= steps][-1:]
    marks += [Line(x=[ends.low, ends.high], y=[-0.03 * top] * 2, width=6) for ends in reached]
    named = _named(panel, top, *panel.marks)
    return Plane([*marks, *named], _x_axis(panel), Axis(range=(-0.06 * top, top), shown=False))


@_on_paper.register
def _intervals(panel: _stage.Rows, steps: int) -> Plane:
    marks: list[Mark] = []
    for flag, name, colour, width in (("0", "holds the truth", SLATE, 1.4), ("1", "misses it", VERMILLION, 3)):
        places = [place for place in range(max(0, steps - _LAST), steps) if panel.missed[place] == flag]
        x = [end for place in places for end in (panel.lows[place], panel.highs[place], None)]
        y = [end for place in places for end in (place + 1, place + 1, None)]
        marks += [Line(x=x, y=y, colour=colour, width=width, name=name)] if places else []
    top = 1.12 * max(steps, 1) + 1
    marks += _named(panel, top, _stage.Mark(panel.truth, panel.truth_text))
    return Plane(marks, _x_axis(panel), Axis(range=(max(0, steps - _LAST), top), shown=False))


@_on_paper.register
def _threads(panel: _stage.Threads, steps: int) -> Plane:
    joined = panel.values[max(0, steps - _LAST) : steps]
    x = [end for upper, lower in joined for end in (upper, lower, None)]
    threads = Line(x=x, y=[1.0, 0.0, None] * len(joined), colour=SLATE, width=1, opacity=0.6)
    bars = [Line(x=ends, y=[at] * 2, width=5) for ends, at in zip(panel.bars, (1.12, -0.12), strict=False)]
    ticks = [(1.0, panel.names[0]), (0.0, panel.names[1])]
    return Plane([threads, *bars], _x_axis(panel), Axis(range=(-0.2, 1.2), ticks=ticks))


@_on_paper.register
def _curves(panel: _stage.Curves, steps: int) -> Plane:
    marks: list[Mark] = []
    for number, line in enumerate(panel.lines):
        drawn, colour = panel.seen(line, steps), PALETTE[number % len(PALETTE)]
        x, y = line.x[drawn], line.y[drawn]
        if line.style == "band":
            marks.append(_marks.Band(x=x, low=y, high=line.upper[drawn], colour=colour, name=line.name))
        elif line.style == "points":
            marks.append(Points(x=x, y=y, size=7, colour=colour, name=line.name))
        else:
            dash: _marks.Dash = "dot" if line.style == "ghost" else DASHES[number % len(DASHES)]
            marks.append(Line(x=x, y=y, dash=dash, colour=GREY if dash == "dot" else colour, name=line.name))
    line = panel.lines[0]
    seen = range(*panel.seen(line, steps).indices(len(panel.flags)))
    ringed = [place for place in seen if panel.flags[place] == "1"]
    rings = Points(x=[line.x[i] for i in ringed], y=[line.y[i] for i in ringed], symbol="circle-open", size=16,
                   colour=VERMILLION)  # fmt: skip
    marks += [rings] if ringed else []
    marks += [Rule(at=panel.at[steps - 1], upright=True, colour=VERMILLION)] if 0 < steps <= len(panel.at) else []
    for mark in (mark for mark in panel.marks if mark.since <= steps):
        # Words stand above their line, or below it where others are close above: then farther to the right than theirs.
        above = sum(0 < other.at - mark.at < 0.15 * (panel.y_high - panel.y_low) for other in panel.marks)
        where: dict[str, Any] = {"level": "top", "up": -1} if above else {"level": "bottom", "up": 1}
        words = Text(x=panel.x_low, y=mark.at, text=mark.text, across=2 + 50 * above, size=7, **where)
        marks += [Rule(at=mark.at, colour=GREY), words]
    decades = range(ceil(log10(panel.x_low)), int(log10(panel.x_high)) + 1) if panel.log_x else ()
    ticks = [(10.0**power, f"{10**power:,}") for power in decades] or None
    x_axis = Axis(title=panel.x_axis, range=(panel.x_low, panel.x_high), log=panel.log_x, ticks=ticks)
    y_axis = Axis(title=panel.y_axis, range=(panel.y_low, panel.y_high))
    return Plane(marks, x_axis, y_axis)


@_on_paper.register
def _crowd(panel: _stage.Crowd, steps: int) -> Plane:
    marks: list[Mark] = []
    if steps:
        values, claimed, best = panel.values[steps - 1], panel.claimed[steps - 1], panel.crowned[steps - 1]
        for flag, colour, symbol in (("0", SLATE, "circle"), ("1", VERMILLION, "diamond")):
            of_kind = [place for place in range(len(values)) if claimed[place] == flag]
            marks.append(Points(x=[values[i] for i in of_kind], y=of_kind, colour=colour, symbol=symbol, size=8))
        marks.append(Text(x=values[best], y=best, text=f"{panel.names[best]}, the best", across=4, up=2, size=7))
    return Plane(marks, _x_axis(panel), Axis(range=(-1.0, float(len(panel.names))), shown=False))


@_on_paper.register
def _worlds(panel: _stage.Worlds, steps: int) -> Plane:
    shown, columns = steps // panel.run, ceil(sqrt(1.6 * len(panel.values)))
    marks: list[Mark] = []
    for number, colour in enumerate((SLATE, VERMILLION)):
        x: list[float | None] = []
        y: list[float | None] = []
        for place, (values, flags) in enumerate(zip(panel.values[:shown], panel.flagged, strict=False)):
            if ("1" in flags) == bool(number):
                across = place % columns + np.linspace(0.1, 0.9, len(values))
                up = 0.1 + 0.8 * (np.array(values) - panel.low) / (panel.high - panel.low) - place // columns - 1
                x += [*across.tolist(), None]
                y += [*up.tolist(), None]
        look: dict[str, Any] = {"width": 1} if panel.joined else {"width": 0, "symbol": "circle", "size": 2.5}
        marks += [Line(x=x, y=y, colour=colour, name=panel.names[number], **look)] if x else []
    rows = ceil(len(panel.values) / columns)
    ends = (0.0, float(columns)), (-float(rows), 0.0)
    return Plane(marks, Axis(range=ends[0], shown=False), Axis(range=ends[1], shown=False))


@_on_paper.register
def _lineup(panel: _stage.Lineup, steps: int) -> Plane:
    del steps
    columns, size = 5, len(panel.matrices[0])
    step, rows = size + 1.6, ceil(len(panel.matrices) / columns)
    marks: list[Mark] = []
    cells: list[tuple[float, float, str]] = []
    for place, matrix in enumerate(panel.matrices):
        left, top = (place % columns) * step, (rows - place // columns) * step - 1.2
        cells += [
            (left + c + 0.5, top - r - 1, _blended(FIRST if value > 0 else SECOND, abs(value) / panel.high))
            for r, row in enumerate(matrix)
            for c, value in enumerate(row)
        ]
        frame = Line(x=[left, left + size, left + size, left, left], y=[top, top, top - size, top - size, top], width=1)
        marks += [frame, Text(x=left, y=top, text=str(place + 1), level="bottom", up=1, size=7)]
    x, base, colours = zip(*cells, strict=True)
    shades = Bars(x=x, y=[1.0] * len(x), base=base, width=1.0, colours=colours)
    ends = (-0.3, columns * step), (0.0, rows * step)
    return Plane([shades, *marks], Axis(range=ends[0], shown=False), Axis(range=ends[1], shown=False))


def _blended(colour: str, share: float) -> str:
    """Return a colour of which this share is left on white."""
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(255 + share * (part - 255)):02x}" for part in parts)
