"""The screen: a scene goes in, a plotly figure comes out; the one module that draws with plotly."""

import re
from collections.abc import Iterator, Sequence
from functools import singledispatch
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio

from mtsig.figures import _marks
from mtsig.figures._look import GRID, INK, INK_2, PAGE_INK, PALE, PALETTE, escaped, legible_on

Screen: TypeAlias = go.Figure

_AXIS: dict[str, Any] = {"automargin": True, "separatethousands": True, "tickfont": {"color": PAGE_INK}}

_ABOVE = {"orientation": "h", "yanchor": "bottom", "y": 1.02, "x": 0}
_BELOW = {"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom"}
"""A key at the bottom of the figure: below the axes, it would be left behind where a page makes these lower."""

_PATTERNS = {"/": "/", ".": ".", "x": "x"}

_BRUSHES = {"across": {"dragmode": "select", "selectdirection": "h"}, "box": {"dragmode": "select"}}
"""What makes a figure one of which a part can be chosen."""

_SMALL_BAR = {"remove": ["zoom", "pan", "zoomIn", "zoomOut", "autoScale", "resetScale"]}
"""A bar of tools that does not lie over a figure in a narrow column, and takes no choice away."""

_DASHES = {"solid": "solid", "dash": "9px,9px", "dot": "3px,4px", "dashdot": "9px,4px,3px,4px"}
"""Dashes of lines that stand over bars, in pixels: plotly's names leave them to the width of a line."""

_LEANING = -45


_USUAL = {"showarrow": False, "borderpad": 0, "xref": "x domain", "yref": "y"}
"""What texts have that stand beside rows, of which a league has hundreds."""


class _Sheet:
    """A figure in the making, as plain lists: plotly looks at them once, when all of it is there."""

    def __init__(self) -> None:
        self.data: list[dict[str, Any]] = []
        self.shapes: list[dict[str, Any]] = []
        self.annotations: list[dict[str, Any]] = []
        self.layout: dict[str, Any] = {}

    def add(self, kind: str, **trace: Any) -> None:
        self.data.append({"type": kind, **trace})

    def add_shape(self, **shape: Any) -> None:
        self.shapes.append(shape)

    def add_annotation(self, text: str, **annotation: Any) -> None:
        """Write a text without an arrow, of which is said what is not usual."""
        told = {key: value for key, value in annotation.items() if _USUAL.get(key) != value}
        self.annotations.append({"text": text, **told})

    def figure(self) -> Screen:
        """Return the figure; tests look at whether plotly knows all that is in it, which takes most of its time."""
        template = pio.templates[pio.templates.default].to_plotly_json() if pio.templates.default else {}
        template["layout"] = {**template.get("layout", {}), "annotationdefaults": _USUAL}
        layout = {**self.layout, "shapes": self.shapes, "annotations": self.annotations, "template": template}
        return go.Figure({"data": self.data, "layout": layout}, _validate=False)


def drawn(scene: _marks.Scene) -> Screen:
    shown = _Sheet()
    shown.layout = {
        "colorway": PALETTE,
        "margin": {"l": scene.margins[0], "r": scene.margins[1], "t": scene.margins[2], "b": 10},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "legend": _BELOW if scene.key == "below" else _ABOVE,
        "showlegend": bool(scene.key),
        "font": {"color": PAGE_INK},
        "hoverlabel": {"font": {"color": PAGE_INK}},
        "hovermode": "x unified" if scene.together else "closest",
        "height": round(scene.height),
    }
    if scene.brush:
        shown.layout |= {**_BRUSHES[scene.brush], "modebar": _SMALL_BAR}
    marks = [mark for plane in scene.planes for mark in plane.marks]
    series = {mark.name for mark in marks if mark.name and mark.hover != "" and not isinstance(mark, _marks.Rule)}
    # A click on the key hides a series, a double click all others; where it explains signs, there is nothing to hide.
    clicks = ("toggle", "toggleothers") if len(series) > 1 else (False, False)
    shown.layout["legend"] = {**shown.layout["legend"], "itemclick": clicks[0], "itemdoubleclick": clicks[1]}
    if any(isinstance(mark, _marks.Bars | _marks.Cells) for mark in marks):
        # Numbers in cells are smaller where these are narrow; such that nobody could read are left out.
        shown.layout |= {"bargap": 0, "barmode": "overlay", "uniformtext": {"minsize": 9, "mode": "hide"}}
    if any(isinstance(mark, _marks.Targets) for mark in marks):
        shown.layout |= {"clickmode": "event+select", "dragmode": False, "hoverdistance": -1}
    for number, plane in enumerate(scene.planes):
        _plane(shown, plane, number, len(scene.planes))
    for mark in scene.samples:
        _sample(mark, shown)
    # What has the name and the look of something before it needs no place of its own in the key.
    seen = set()
    for trace in shown.data:
        line = str(trace.get("line", {}).get("color")) if trace["type"] == "scatter" else ""
        look = (trace.get("name"), trace["type"], str(trace.get("marker", {}).get("color")), line)
        if trace.get("name") and look in seen:
            trace["showlegend"] = False
        seen.add(look)
    return shown.figure()


def _plane(shown: _Sheet, plane: _marks.Plane, number: int, count: int) -> None:
    suffix = str(number + 1) if number else ""
    share, gap = 1 / count, 0.03 * (count > 1)
    right = (number + 1) * share - gap * (number + 1 < count)
    domain = list(plane.domain or (number * share + gap * (number > 0), right if count > 1 else plane.x.share))
    shown.layout[f"xaxis{suffix}"] = {**_axis(plane.x), "domain": domain, "anchor": "y"}
    if not number:
        shown.layout["yaxis"] = _axis(plane.y, upright=True)
    for mark in plane.marks:
        _draw(mark, shown, f"x{suffix}")
    if plane.title:
        place = {"x": sum(domain) / 2, "y": 1, "xref": "paper", "yref": "paper", "xanchor": "center"}
        shown.add_annotation(text=escaped(plane.title), yanchor="bottom", **place)
    # Both at the edges, long ones on lines of their own: they meet on no width.
    for line, (text, at, anchor) in enumerate(zip(plane.corners, (0, 1), ("left", "right"), strict=True)):
        if text:
            place = {"x": at, "y": 1.0, "xref": "paper", "yref": "paper", "xanchor": anchor, "yanchor": "bottom"}
            shown.add_annotation(text=escaped(text), yshift=16 * line * plane.stacked, **place)
    if plane.columns:
        for told in (told for column in plane.columns for told in _column(column, f"x{suffix}")):
            shown.add_annotation(**told)
    if plane.note:
        corner = {"xref": "paper", "yref": "paper", "x": 1, "y": 1, "xanchor": "right", "yanchor": "bottom"}
        shown.add_annotation(text=escaped(plane.note), **corner)


def _column(column: _marks.Column, axis: str) -> list[dict[str, Any]]:
    """Return the texts of a column with its title above them, as annotations."""
    at = {"xref": f"{axis} domain", "x": 0 if column.at < 0 else 1, "xshift": column.at, "xanchor": column.align}
    at |= {"align": column.align}
    colour = INK_2[0] if column.quiet else PAGE_INK
    texts = [
        {**at, "y": row, "yref": "y", "yanchor": "middle", "text": _strong(text, PAGE_INK) if row in column.bold
         else _lines(text), "font": {"size": 14, "color": colour}}
        for row, text in zip(column.rows, column.texts, strict=True)
    ]  # fmt: skip
    head = {**at, "y": 1, "yref": "paper", "yanchor": "bottom", "text": f"<b>{_lines(column.title)}</b>"}
    return [*texts, {**head, "font": {"size": 13, "color": PAGE_INK}}]


def _strong(text: str, colour: str) -> str:
    """Return the text of a tick whose first line is bold, and of a colour."""
    first, *more = text.split("\n")
    look = "" if colour == PAGE_INK else f' style="color: {colour}"'
    return "<br>".join([f"<b><span{look}>{escaped(first)}</span></b>", *map(escaped, more)])


def _lines(text: str) -> str:
    return "<br>".join(map(escaped, text.split("\n")))


def _axis(axis: _marks.Axis, upright: bool = False) -> dict[str, Any]:
    look: dict[str, Any] = {**_AXIS, "zeroline": False}
    look["title"] = {"font": {"color": PAGE_INK}, "text": _lines(axis.title)}
    look |= {"range": list(axis.range)} if axis.range else {}
    look |= {"visible": False, "fixedrange": True} if not axis.shown else {}
    look |= {"nticks": axis.most} if axis.most else {}
    look |= {"type": "log"} if axis.log else {}
    look |= {"tickformat": ".0%"} if axis.percent else {}
    look |= {"rangemode": "tozero"} if axis.from_zero else {}
    look |= {"dtick": 1} if axis.whole and not axis.range else {}
    look |= {"side": "top"} if axis.top else {}
    look |= {"tickangle": -axis.slant} if axis.slant is not None else {}
    look |= {"tickfont": {"color": PAGE_INK, "size": axis.size}} if axis.size else {}
    if axis.lined:
        line = faded(PALE, 2 * GRID)
        look |= {"showline": True, "linecolor": line, "ticks": "outside", "tickcolor": line, "ticklen": 5}
        look |= {"tickfont": {"color": INK_2[0], "size": axis.size or 12.5}}
    if axis.grid is not None:
        # Streamlit's theme draws no upright lines by itself.
        look |= {"showgrid": True, "gridcolor": faded(PALE, 0.25)} if axis.grid else {"showgrid": False}
    named = list(enumerate(axis.names)) if axis.ticks is None else axis.ticks
    if axis.names or axis.ticks is not None:
        look |= {"tickmode": "array", "tickvals": [at for at, _ in named]}
        strong = axis.strong
        look |= {"ticktext": [_strong(text, strong[at]) if at in strong else _lines(text) for at, text in named]}
    if axis.names and not upright and axis.slant is None:
        # A name that leans the other way leaves the figure at its right end, and is then not shown at all.
        look |= {"autotickangles": [0, _LEANING, -90], "ticklabeloverflow": "allow"}
    return look


def faded(colour: str, opacity: float) -> str:
    """Return a #RRGGBB colour with an opacity; itself where it is in full."""
    if opacity == 1:
        return colour
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"


def _common(mark: _marks.Mark, axis: str) -> dict[str, Any]:
    """Return what every trace says of itself: its axis, its name, and what stands beside a pointer on it."""
    common: dict[str, Any] = {"xaxis": axis, "showlegend": bool(mark.name)}
    common |= {"name": escaped(mark.name)} if mark.name else {}
    common |= {"legendgroup": mark.group} if mark.group else {}
    common |= {"customdata": mark.keys} if mark.keys is not None else {}
    if isinstance(mark.hover, str):
        return common | ({"hovertemplate": mark.hover} if mark.hover else {"hoverinfo": "skip"})
    if mark.hover is not None:
        return common | {"hovertext": [_lines(text) for text in mark.hover], "hoverinfo": "text"}
    return common


_LONG = 200
"""Of more places, single precision is enough for a screen, and takes a third of the bytes."""


def _listed(places: Any) -> Any:
    """Return places as plotly takes them: arrays as they are, and what is long and without gaps as one."""
    if isinstance(places, np.ndarray):
        return places
    return np.array(places, np.float32) if len(places) > _LONG and None not in places else list(places)


@singledispatch
def _draw(mark: _marks.Mark, shown: _Sheet, axis: str) -> None:
    raise NotImplementedError(type(mark).__name__)


@_draw.register
def _line(mark: _marks.Line, shown: _Sheet, axis: str) -> None:
    line: dict[str, Any] = {"width": mark.width, "color": faded(mark.colour, mark.opacity), "dash": mark.dash}
    if mark.pinned is not None:
        # What lies beside the axes is a shape, of however many lines: each by itself takes ten times the bytes.
        ends = pairwise(zip(mark.x, mark.y, strict=True))
        lines = [(x0, y0, x1, y1) for (x0, y0), (x1, y1) in ends if x0 is not None and x1 is not None]
        path = "".join(f"M{x0:.6g} {y0:.6g}L{x1:.6g} {y1:.6g}" for x0, y0, x1, y1 in lines)
        place = {"xref": f"{axis} domain", "yref": "y", "xsizemode": "pixel", "xanchor": mark.pinned}
        shown.add_shape(type="path", path=path, line=line, **place)
        return
    line |= {"shape": "hv"} if mark.step else {}
    marker: dict[str, Any] = {"symbol": mark.symbol, "size": mark.size}
    if mark.ends:
        marker = {"symbol": "line-ns-open", "size": 11, "color": mark.colour, "line": {"width": 2}}
    mode = "lines+markers" if mark.symbol or mark.ends else "lines"
    marked = {"marker": marker} if mode != "lines" else {}
    shown.add("scatter", x=_listed(mark.x), y=_listed(mark.y), mode=mode, line=line, **marked, **_common(mark, axis))


@_draw.register
def _points(mark: _marks.Points, shown: _Sheet, axis: str) -> None:
    marker: dict[str, Any] = {"size": mark.size, "color": mark.colour, "symbol": mark.symbol}
    marker |= {"opacity": mark.opacity} if mark.opacity != 1 else {}
    # Open ones and strokes are all line.
    marker |= {"line": {"width": 2, "color": mark.colour}} if not mark.many else {}
    errors: dict[str, Any] = {}
    if mark.low is not None and mark.high is not None:
        below, above = _marks.reach(mark.y if mark.upright else mark.x, mark.low, mark.high)
        errors = {"type": "data", "symmetric": False, "array": _listed(above), "arrayminus": _listed(below)}
        errors |= {"thickness": mark.thickness, "width": 5 if mark.caps else 0}
        errors |= {"color": mark.spread or mark.colour}
        errors = {"error_y" if mark.upright else "error_x": errors}
    kind = "scattergl" if mark.many else "scatter"
    shown.add(
        kind, x=_listed(mark.x), y=_listed(mark.y), mode="markers", marker=marker, **errors, **_common(mark, axis)
    )


@_draw.register
def _band(mark: _marks.Band, shown: _Sheet, axis: str) -> None:
    line = {"width": int(mark.edged), "color": mark.colour, "shape": "hv" if mark.step else "linear"}
    edge: dict[str, Any] = {"x": _listed(mark.x), "mode": "lines", "line": line, "hoverinfo": "skip", "xaxis": axis}
    edge |= {"showlegend": False} | ({"legendgroup": mark.group} if mark.group else {})
    shown.add("scatter", y=_listed(mark.high), **edge)
    shown.add("scatter", y=_listed(mark.low), **edge, fill="tonexty", fillcolor=faded(mark.colour, 0.18))


@_draw.register
def _shape(mark: _marks.Shape, shown: _Sheet, axis: str) -> None:
    x, y = ([*places, places[0]] for places in (mark.x, mark.y))
    line = {"color": mark.colour, "width": 1.5}
    shown.add("scatter",
        x=x, y=y, mode="lines", fill="toself", fillcolor=mark.colour, line=line, **_common(mark, axis)
    )  # fmt: skip


@_draw.register
def _bars(mark: _marks.Bars, shown: _Sheet, axis: str) -> None:
    marker: dict[str, Any] = {"color": list(mark.colours) or faded(mark.colour, mark.opacity), "line": {"width": 0}}
    marker |= {"opacity": mark.opacity} if mark.colours and mark.opacity != 1 else {}
    if mark.hatch:
        ground = faded(PALE, 0.1)
        pattern = {"shape": _PATTERNS[mark.hatch], "fgcolor": mark.colour, "bgcolor": ground, "size": 5}
        marker = {"color": ground, "line": {"width": 1, "color": mark.colour}, "pattern": {**pattern, "solidity": 0.4}}
    base = {"base": _listed(mark.base)} if mark.base is not None else {}
    width = mark.width if isinstance(mark.width, float | int) else _listed(mark.width)
    shown.add(
        "bar",
        x=_listed(mark.x), y=_listed(mark.y), width=width, marker=marker, **base, **_common(mark, axis)
    )  # fmt: skip


_AROUND = ((-1, -1), (1, -1), (1, 1), (-1, 1))
"""The corners of a cell, in halves of its sides from its middle."""


def _near(place: float) -> float:
    """Return the place of a corner to a hundredth of a cell, and a whole one without decimals."""
    near = round(place, 2)
    return int(near) if near == int(near) else near


@_draw.register
def _cells(mark: _marks.Cells, shown: _Sheet, axis: str) -> None:
    """Draw cells as bars, which keep their texts inside, or as one area, which has a pattern."""
    wide, high = mark.halves
    common = _common(mark, axis)
    common |= {"name": escaped(mark.name_of_signs)} if mark.name_of_signs and not mark.written else {}
    written = mark.texts if mark.written else mark.signs
    if mark.hatch:
        pattern = {"shape": _PATTERNS[mark.hatch], "bgcolor": faded(PALE, 0.1), "fgcolor": INK}
        shown.add(
            "scatter",
            x=[x for column in mark.x for x in (*(_near(column + wide * side) for side, _ in _AROUND), None)],
            y=[y for row in mark.y for y in (*(_near(row + high * side) for _, side in _AROUND), None)],
            mode="lines",
            line={"width": 0},
            fill="toself",
            fillpattern={**pattern, "size": 7, "solidity": 0.15},
            **{**common, "hoverinfo": "skip", "hovertext": None},
        )
        if mark.written and mark.texts:
            size = 1.25 * mark.size
            _draw(
                _marks.Words(x=mark.x, y=mark.y, texts=mark.texts, size=size, bold=True, hover=mark.hover), shown, axis
            )
        return
    texts: dict[str, Any] = {}
    if any(written):
        texts = {
            "text": list(map(_lines, written)),
            "textangle": 0,
            "textposition": "inside",
            "insidetextanchor": "middle",
        }
        texts |= {"insidetextfont": {"color": list(map(legible_on, mark.colours)), "size": mark.size}}
    shown.add(
        "bar",
        x=list(mark.x),
        y=[_near(2 * high)] * len(mark.x),
        base=[_near(row - high) for row in mark.y],
        width=2 * wide,
        marker={"color": list(mark.colours), "line": {"width": 0}},
        unselected={"marker": {"opacity": 1}},
        **texts,
        **common,
    )


@_draw.register
def _rule(mark: _marks.Rule, shown: _Sheet, axis: str) -> None:
    """Draw a line; plotly's own add_vline and add_hline look for every axis of the figure, in six times the time."""
    dash = _DASHES[mark.dash] if mark.halo else mark.dash
    line = {"color": mark.colour, "width": mark.width, "dash": dash}
    if mark.upright:
        shown.add_shape(type="line", x0=mark.at, x1=mark.at, y0=0, y1=1, xref=axis, yref="y domain", line=line)
    elif mark.until is None:
        shown.add_shape(type="line", x0=0, x1=1, xref=f"{axis} domain", y0=mark.at, y1=mark.at, yref="y", line=line)
    else:
        # Not beyond the curves, where names stand.
        shown.add_shape(type="line", x0=0, x1=mark.until, y0=mark.at, y1=mark.at, line=line)
    if mark.text:
        at = {"x": mark.at, "y": 1, "xref": axis, "yref": "paper", "xanchor": "left", "yanchor": "top"}
        shown.add_annotation(text=escaped(mark.text), **at)
    if mark.name:
        # A shape has no place in the legend: an empty trace stands there for it.
        _sample(mark, shown)


@_draw.register
def _shade(mark: _marks.Shade, shown: _Sheet, axis: str) -> None:
    where = {"x0": mark.low, "x1": mark.high, "y0": 0, "y1": 1, "xref": axis, "yref": "y domain"}
    shown.add_shape(
        type="rect", **where, fillcolor=faded(mark.colour, mark.opacity), line={"width": 0}, layer="below"
    )  # fmt: skip


@_draw.register
def _words(mark: _marks.Words, shown: _Sheet, axis: str) -> None:
    font: dict[str, Any] = {"size": mark.size} | ({"weight": 700} if mark.bold else {})
    # Without a colour of its own a text has that of the page's texts.
    font |= {"color": mark.colour} if mark.colour != PAGE_INK else {}
    if mark.pinned is not None:
        _beside(mark, shown, axis, font)
        return
    side = {"left": "middle left", "middle": "middle center", "right": "middle right"}[mark.side]
    shown.add("scatter",
        x=_listed(mark.x), y=_listed(mark.y), mode="text", text=list(map(_lines, mark.texts)), textposition=side,
        textfont=font, cliponaxis=False, **_common(mark, axis),
    )  # fmt: skip


def _beside(mark: _marks.Words, shown: _Sheet, axis: str, font: dict[str, Any]) -> None:
    """Write texts beside the axes: a text that has more to say, or can be clicked, takes the pointer."""
    side = {"left": "right", "middle": "center", "right": "left"}[mark.side]
    place = {"x": mark.pinned, "xref": f"{axis} domain", "yref": "y", "xanchor": side}
    more = list(mark.hover or [""] * len(mark.texts))
    names = [""] * len(mark.texts) if mark.keys is None else list(mark.keys)
    for x, y, text, hover, name in zip(mark.x, mark.y, mark.texts, more, names, strict=True):
        said = {"hovertext": _lines(hover), "captureevents": True} if hover else {}
        said |= {"name": name} if name else {}
        shown.add_annotation(text=_lines(text), xshift=round(x, 1), y=y, font=font, **place, **said)


@_draw.register
def _text(mark: _marks.Text, shown: _Sheet, axis: str) -> None:
    font: dict[str, Any] = {"size": mark.size} | ({"weight": 700} if mark.bold else {})
    font |= {"color": mark.colour} if mark.colour != PAGE_INK else {}
    anchor = {"left": "right", "middle": "center", "right": "left"}[mark.side]
    shown.add_annotation(
        text=_lines(mark.text), x=mark.x, y=mark.y, xref=axis, yref="y", xshift=mark.across, yshift=mark.up,
        xanchor=anchor, yanchor=mark.level, align=anchor, font=font,
    )  # fmt: skip


@_draw.register
def _labels(mark: _marks.Labels, shown: _Sheet, axis: str) -> None:
    for y, place, text, colour in zip(mark.y, mark.place, mark.texts, mark.colours, strict=True):
        # The space keeps the line off the first letter; SVG leaves out ordinary ones at the beginning.
        told = "<br>".join(f"\u00a0{escaped(line)}" for line in text.split("\n"))
        shown.add("scatter",
            x=[mark.x, 1.03 * mark.x], y=[y, place], mode="lines+text", text=["", told], textposition="middle right",
            line={"color": colour, "width": 1}, cliponaxis=False, hoverinfo="skip", showlegend=False, xaxis=axis,
        )  # fmt: skip


@_draw.register
def _targets(mark: _marks.Targets, shown: _Sheet, axis: str) -> None:
    """Draw squares that are not seen, those that say the same but for some words as one trace, which has it once."""
    unseen = {"marker": {"opacity": 0}}
    look = {"marker": {"symbol": "square", "size": mark.size, "opacity": 0}, "selected": unseen, "unselected": unseen}
    for some, template, told in _alike(list(map(_lines, mark.hover)), mark.keys):
        shown.add("scatter",
            x=[mark.x[at] for at in some], y=[_near(mark.y[at]) for at in some], mode="markers", xaxis=axis,
            showlegend=False, customdata=told, hovertemplate=f"{template}<extra></extra>", **look,
        )  # fmt: skip


_BETWEEN_WORDS = re.compile("([ :(]|<br>)")


def _alike(
    texts: Sequence[str], keys: Sequence[Sequence[str]]
) -> Iterator[tuple[list[int], str, list[tuple[str, ...]]]]:
    """Yield the positions of texts of as many words, their template, and what each puts into it: its keys and words."""
    words = list(map(_BETWEEN_WORDS.split, texts))
    for count in dict.fromkeys(map(len, words)):
        some = [at for at, found in enumerate(words) if len(found) == count]
        columns, template = list(zip(*(keys[at] for at in some), strict=True)), ""
        for column in zip(*(words[at] for at in some), strict=True):
            if len(set(column)) == 1:
                template += column[0]
                continue
            columns += [] if column in columns else [column]
            template += f"%{{customdata[{columns.index(column)}]}}"
        yield some, template, list(zip(*columns, strict=True))


def _sample(mark: _marks.Mark, shown: _Sheet) -> None:
    """Show a mark in the key: an empty trace stands there for it."""
    name = {"x": [None], "y": [None], "name": escaped(mark.name), "hoverinfo": "skip"}
    if isinstance(mark, _marks.Points):
        marker = {"size": mark.size, "symbol": mark.symbol, "color": mark.colour, "opacity": mark.opacity}
        shown.add("scatter", **name, mode="markers", marker={**marker, "line": {"width": 2, "color": mark.colour}})
    elif isinstance(mark, _marks.Rule | _marks.Line):
        shown.add("scatter", **name, mode="lines", line={"color": mark.colour, "width": mark.width, "dash": mark.dash})
