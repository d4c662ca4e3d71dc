"""The screen: a scene goes in, a plotly figure comes out; the one module that draws with plotly."""

from functools import singledispatch
from typing import Any, TypeAlias

import numpy as np
import plotly.graph_objects as go

from mtsig.figures._look import INK, PAGE_INK, PALE, PALETTE, escaped, legible_on
from mtsig.figures._marks import (
    Axis,
    Band,
    Bars,
    Cells,
    Labels,
    Line,
    Mark,
    Plane,
    Points,
    Rule,
    Scene,
    Shade,
    Shape,
    Targets,
    Words,
    reach,
)

Screen: TypeAlias = go.Figure

_AXIS: dict[str, Any] = {"automargin": True, "tickfont": {"color": PAGE_INK}, "title": {"font": {"color": PAGE_INK}}}

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


def drawn(scene: Scene) -> Screen:
    """Return the figure of a scene."""
    shown = go.Figure(
        layout={
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
    )
    if scene.brush:
        shown.update_layout(**_BRUSHES[scene.brush], modebar=_SMALL_BAR)
    marks = [mark for plane in scene.planes for mark in plane.marks]
    series = {mark.name for mark in marks if mark.name and mark.hover != "" and not isinstance(mark, Rule)}
    # A click on the key hides a series, a double click all others; where it explains signs, there is nothing to hide.
    clicks = ("toggle", "toggleothers") if len(series) > 1 else (False, False)
    shown.update_layout(legend_itemclick=clicks[0], legend_itemdoubleclick=clicks[1])
    if any(isinstance(mark, Bars | Cells) for mark in marks):
        # Numbers in cells are smaller where these are narrow; such that nobody could read are left out.
        shown.update_layout(bargap=0, barmode="overlay", uniformtext={"minsize": 9, "mode": "hide"})
    if any(isinstance(mark, Targets) for mark in marks):
        shown.update_layout(clickmode="event+select", dragmode=False, hoverdistance=-1)
    for number, plane in enumerate(scene.planes):
        _plane(shown, plane, number, len(scene.planes))
    for mark in scene.samples:
        _sample(mark, shown)
    # What has the name and the look of something before it needs no place of its own in the key.
    seen = set()
    for trace in shown.data:
        look = (trace.name, trace.type, str(trace.marker.color), trace.line.color if trace.type == "scatter" else "")
        if trace.name and look in seen:
            trace.showlegend = False
        seen.add(look)
    return shown


def _plane(shown: Screen, plane: Plane, number: int, count: int) -> None:
    suffix = str(number + 1) if number else ""
    share, gap = 1 / count, 0.03 * (count > 1)
    right = (number + 1) * share - gap * (number + 1 < count)
    domain = [number * share + gap * (number > 0), right if count > 1 else plane.x.share]
    shown.update_layout({f"xaxis{suffix}": {**_axis(plane.x), "domain": domain, "anchor": "y"}})
    if not number:
        shown.update_layout(yaxis=_axis(plane.y, upright=True))
    for mark in plane.marks:
        _draw(mark, shown, f"x{suffix}")
    if plane.title:
        place = {"x": sum(domain) / 2, "y": 1, "xref": "paper", "yref": "paper", "xanchor": "center"}
        shown.add_annotation(text=escaped(plane.title), showarrow=False, yanchor="bottom", **place)
    # Both at the edges, long ones on lines of their own: they meet on no width.
    for line, (text, at, anchor) in enumerate(zip(plane.corners, (0, 1), ("left", "right"), strict=True)):
        if text:
            place = {"x": at, "y": 1.0, "xref": "paper", "yref": "paper", "xanchor": anchor, "yanchor": "bottom"}
            shown.add_annotation(text=escaped(text), showarrow=False, yshift=16 * line * plane.stacked, **place)
    if plane.note:
        corner = {"xref": "paper", "yref": "paper", "x": 1, "y": 1, "xanchor": "right", "yanchor": "bottom"}
        shown.add_annotation(text=escaped(plane.note), showarrow=False, **corner)


def _lines(text: str) -> str:
    return "<br>".join(map(escaped, text.split("\n")))


def _axis(axis: Axis, upright: bool = False) -> dict[str, Any]:
    look: dict[str, Any] = {**_AXIS, "zeroline": False, "title": {**_AXIS["title"], "text": _lines(axis.title)}}
    look |= {"range": list(axis.range)} if axis.range else {}
    look |= {"visible": False} if not axis.shown else {}
    look |= {"nticks": axis.most} if axis.most else {}
    look |= {"type": "log"} if axis.log else {}
    look |= {"tickformat": ".0%"} if axis.percent else {}
    look |= {"rangemode": "tozero"} if axis.from_zero else {}
    look |= {"dtick": 1} if axis.whole and not axis.range else {}
    look |= {"side": "top"} if axis.top else {}
    look |= {"tickangle": -axis.slant} if axis.slant is not None else {}
    look |= {"tickfont": {"color": PAGE_INK, "size": axis.size}} if axis.size else {}
    if axis.grid is not None:
        look |= {"gridcolor": faded(PALE, 0.25)} if axis.grid else {"showgrid": False}
    named = list(enumerate(axis.names)) if axis.ticks is None else axis.ticks
    if axis.names or axis.ticks is not None:
        look |= {"tickmode": "array", "tickvals": [at for at, _ in named]}
        look |= {"ticktext": [_lines(text) for _, text in named]}
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


def _common(mark: Mark, axis: str) -> dict[str, Any]:
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


def _listed(places: Any) -> Any:
    """Return places as plotly takes them: arrays, and tuples, as they are."""
    return places if isinstance(places, np.ndarray) else list(places)


@singledispatch
def _draw(mark: Mark, shown: Screen, axis: str) -> None:
    raise NotImplementedError(type(mark).__name__)


@_draw.register
def _line(mark: Line, shown: Screen, axis: str) -> None:
    line: dict[str, Any] = {"width": mark.width, "color": faded(mark.colour, mark.opacity), "dash": mark.dash}
    line |= {"shape": "hv"} if mark.step else {}
    marker: dict[str, Any] = {"symbol": mark.symbol, "size": mark.size}
    if mark.ends:
        marker = {"symbol": "line-ns-open", "size": 11, "color": mark.colour, "line": {"width": 2}}
    mode = "lines+markers" if mark.symbol or mark.ends else "lines"
    marked = {"marker": marker} if mode != "lines" else {}
    shown.add_scatter(x=_listed(mark.x), y=_listed(mark.y), mode=mode, line=line, **marked, **_common(mark, axis))


@_draw.register
def _points(mark: Points, shown: Screen, axis: str) -> None:
    marker: dict[str, Any] = {"size": mark.size, "color": mark.colour, "symbol": mark.symbol}
    marker |= {"opacity": mark.opacity} if mark.opacity != 1 else {}
    # Open ones and strokes are all line.
    marker |= {"line": {"width": 2, "color": mark.colour}} if not mark.many else {}
    errors: dict[str, Any] = {}
    if mark.low is not None and mark.high is not None:
        below, above = reach(mark.y if mark.upright else mark.x, mark.low, mark.high)
        errors = {"type": "data", "symmetric": False, "array": above, "arrayminus": below}
        errors |= {"thickness": mark.thickness, "width": 5 if mark.caps else 0, "color": mark.colour}
        errors = {"error_y" if mark.upright else "error_x": errors}
    add = shown.add_scattergl if mark.many else shown.add_scatter
    add(x=_listed(mark.x), y=_listed(mark.y), mode="markers", marker=marker, **errors, **_common(mark, axis))


@_draw.register
def _band(mark: Band, shown: Screen, axis: str) -> None:
    line = {"width": 1, "color": mark.colour, "shape": "hv" if mark.step else "linear"}
    edge: dict[str, Any] = {"x": _listed(mark.x), "mode": "lines", "line": line, "hoverinfo": "skip", "xaxis": axis}
    edge |= {"showlegend": False} | ({"legendgroup": mark.group} if mark.group else {})
    shown.add_scatter(y=_listed(mark.high), **edge)
    shown.add_scatter(y=_listed(mark.low), **edge, fill="tonexty", fillcolor=faded(mark.colour, 0.18))


@_draw.register
def _shape(mark: Shape, shown: Screen, axis: str) -> None:
    x, y = ([*places, places[0]] for places in (mark.x, mark.y))
    line = {"color": mark.colour, "width": 1.5}
    shown.add_scatter(
        x=x, y=y, mode="lines", fill="toself", fillcolor=mark.colour, line=line, **_common(mark, axis)
    )  # fmt: skip


@_draw.register
def _bars(mark: Bars, shown: Screen, axis: str) -> None:
    marker: dict[str, Any] = {"color": list(mark.colours) or faded(mark.colour, mark.opacity), "line": {"width": 0}}
    marker |= {"opacity": mark.opacity} if mark.colours and mark.opacity != 1 else {}
    if mark.hatch:
        ground = faded(PALE, 0.1)
        pattern = {"shape": _PATTERNS[mark.hatch], "fgcolor": mark.colour, "bgcolor": ground, "size": 5}
        marker = {"color": ground, "line": {"width": 1, "color": mark.colour}, "pattern": {**pattern, "solidity": 0.4}}
    base = {"base": _listed(mark.base)} if mark.base is not None else {}
    width = mark.width if isinstance(mark.width, float | int) else _listed(mark.width)
    shown.add_bar(
        x=_listed(mark.x), y=_listed(mark.y), width=width, marker=marker, **base, **_common(mark, axis)
    )  # fmt: skip


_AROUND = ((-1, -1), (1, -1), (1, 1), (-1, 1))
"""The corners of a cell, in halves of its sides from its middle."""


@_draw.register
def _cells(mark: Cells, shown: Screen, axis: str) -> None:
    """Draw cells as bars, which keep their texts inside, or as one area, which has a pattern."""
    common = _common(mark, axis)
    common |= {"name": escaped(mark.name_of_signs)} if mark.name_of_signs and not mark.written else {}
    written = mark.texts if mark.written else mark.signs
    if mark.hatch:
        pattern = {"shape": _PATTERNS[mark.hatch], "bgcolor": faded(PALE, 0.1), "fgcolor": INK}
        shown.add_scatter(
            x=[x for column in mark.x for x in (*(column + mark.half * side for side, _ in _AROUND), None)],
            y=[y for row in mark.y for y in (*(row + mark.half * side for _, side in _AROUND), None)],
            mode="lines",
            line={"width": 0},
            fill="toself",
            fillpattern={**pattern, "size": 7, "solidity": 0.15},
            **{**common, "hoverinfo": "skip", "hovertext": None},
        )
        if mark.written and mark.texts:
            _draw(Words(x=mark.x, y=mark.y, texts=mark.texts, size=15, bold=True, hover=mark.hover), shown, axis)
        return
    texts: dict[str, Any] = {}
    if any(written):
        texts = {
            "text": list(map(_lines, written)),
            "textangle": 0,
            "textposition": "inside",
            "insidetextanchor": "middle",
        }
        texts |= {"insidetextfont": {"color": list(map(legible_on, mark.colours)), "size": 12}}
    shown.add_bar(
        x=list(mark.x),
        y=[2 * mark.half] * len(mark.x),
        base=[row - mark.half for row in mark.y],
        width=2 * mark.half,
        marker={"color": list(mark.colours), "line": {"width": 0}},
        unselected={"marker": {"opacity": 1}},
        **texts,
        **common,
    )


@_draw.register
def _rule(mark: Rule, shown: Screen, axis: str) -> None:
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
        at = {"x": mark.at, "y": 1, "yref": "paper", "xanchor": "left", "yanchor": "top"}
        shown.add_annotation(text=escaped(mark.text), showarrow=False, **at)
    if mark.name:
        # A shape has no place in the legend: an empty trace stands there for it.
        _sample(mark, shown)


@_draw.register
def _shade(mark: Shade, shown: Screen, axis: str) -> None:
    where = {"x0": mark.low, "x1": mark.high, "y0": 0, "y1": 1, "xref": axis, "yref": "y domain"}
    shown.add_shape(
        type="rect", **where, fillcolor=faded(mark.colour, mark.opacity), line={"width": 0}, layer="below"
    )  # fmt: skip


@_draw.register
def _words(mark: Words, shown: Screen, axis: str) -> None:
    font: dict[str, Any] = {"size": mark.size} | ({"weight": 700} if mark.bold else {})
    # Without a colour of its own a text has that of the page's texts.
    font |= {"color": mark.colour} if mark.colour != PAGE_INK else {}
    side = {"left": "middle left", "middle": "middle center", "right": "middle right"}[mark.side]
    shown.add_scatter(
        x=_listed(mark.x), y=_listed(mark.y), mode="text", text=list(map(_lines, mark.texts)), textposition=side,
        textfont=font, cliponaxis=False, **_common(mark, axis),
    )  # fmt: skip


@_draw.register
def _labels(mark: Labels, shown: Screen, axis: str) -> None:
    for y, place, text, colour in zip(mark.y, mark.place, mark.texts, mark.colours, strict=True):
        # The space keeps the line off the first letter; SVG leaves out ordinary ones at the beginning.
        told = "<br>".join(f"\u00a0{escaped(line)}" for line in text.split("\n"))
        shown.add_scatter(
            x=[mark.x, 1.03 * mark.x], y=[y, place], mode="lines+text", text=["", told], textposition="middle right",
            line={"color": colour, "width": 1}, cliponaxis=False, hoverinfo="skip", showlegend=False, xaxis=axis,
        )  # fmt: skip


@_draw.register
def _targets(mark: Targets, shown: Screen, axis: str) -> None:
    unseen = {"marker": {"opacity": 0}}
    marker = {"symbol": "square", "size": mark.size, "opacity": 0}
    shown.add_scatter(
        x=_listed(mark.x), y=_listed(mark.y), mode="markers", marker=marker, selected=unseen, unselected=unseen,
        **_common(mark, axis),
    )  # fmt: skip


def _sample(mark: Mark, shown: Screen) -> None:
    """Show a mark in the key: an empty trace stands there for it."""
    name = {"x": [None], "y": [None], "name": escaped(mark.name), "hoverinfo": "skip"}
    if isinstance(mark, Points):
        marker = {"size": mark.size, "symbol": mark.symbol, "color": mark.colour, "opacity": mark.opacity}
        shown.add_scatter(**name, mode="markers", marker={**marker, "line": {"width": 2, "color": mark.colour}})
    elif isinstance(mark, Rule | Line):
        shown.add_scatter(**name, mode="lines", line={"color": mark.colour, "width": mark.width, "dash": mark.dash})
