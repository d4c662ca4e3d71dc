"""Paper: a scene is drawn on a matplotlib figure; the one module that draws marks with matplotlib."""

from collections.abc import Iterator
from functools import singledispatch
from typing import Any, Literal, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.legend_handler import HandlerTuple
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.path import Path
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FixedLocator, MaxNLocator, NullFormatter
from matplotlib.transforms import Affine2D, ScaledTranslation, Transform, blended_transform_factory

from mtsig.figures import _marks
from mtsig.figures._look import INK, PAGE_INK, folded, legible_on

Paper: TypeAlias = Figure

_LINES = {"solid": "-", "dash": "--", "dashdot": "-.", "dot": ":"}

_MARKERS = {
    "circle": "o", "diamond": "D", "square": "s", "triangle-up": "^", "triangle-down": "v", "triangle-left": "<",
    "triangle-right": ">", "x": "x", "cross": "P", "star": "*", "x-thin": "x", "cross-thin": "+",
}  # fmt: skip

_NOTE = 7.5
"""Size of names and notes inside the axes, in points."""

_LINE, _PALE, _STROKE = "#333333", "#f2f2f2", 0.6
"""Lines and signs in cells; the ground of hatch and dots, and how wide those are, in points."""

_SMALLEST, _LARGEST = 5.5, 8.0
"""Sizes of texts in cells, in points."""

_SIGN_WIDTH, _LINE_HEIGHT = 0.5, 1.25
"""Of a serif font's size: the mean width of digits and signs, and the height of a line."""

_AROUND = ((-1, -1), (1, -1), (1, 1), (-1, 1))
_STROKES = [((max(-1, c - 1), min(1, c + 1)), (min(1, c + 1), max(-1, c - 1))) for c in (-1.2, -0.4, 0.4, 1.2)]
_SPOTS = [(x, y) for x in (-0.65, 0, 0.65) for y in (-0.65, 0, 0.65)]
"""Hatch and dots of a cell, in halves of its sides: in PGF, matplotlib's own hatches take TeX minutes."""

_POST: Literal["post"] = "post"

_HATCHES = {"": "", "/": "/////", ".": "...", "x": "xx"}


def draw(scene: _marks.Scene, paper: Paper, write: _marks.Write) -> None:
    count = len(scene.planes)
    columns = scene.columns or count
    alike = count > 1 and all(plane.x.names for plane in scene.planes)
    grid = paper.subplots(-(-count // columns), columns, squeeze=False, sharey=True, sharex=alike)
    for axes in grid.flat[count:]:
        axes.set_axis_off()
    placed = list(zip(grid.flat, scene.planes, strict=False))
    for axes, plane in placed:
        draw_plane(axes, plane, write)
    every = {(mark.name, type(mark), mark.colour): mark for plane in scene.planes for mark in plane.marks if mark.name}
    named = list(every.values())
    legend = None
    if scene.key and (named or scene.samples):
        shown = [*named, *scene.samples]
        width = 0.85 * float(paper.get_size_inches()[0]) / scene.key_columns
        labels = [_marks.write_lines(write, folded(mark.name, width)) for mark in shown]
        cells = any(isinstance(mark, _marks.Cells) for mark in named)
        legend = paper.legend(
            [_handle(mark) for mark in shown], labels, loc=_KEYS[scene.key],
            ncols=scene.key_columns, handler_map={tuple: HandlerTuple(ndivide=1)}, numpoints=3 if cells else 1,
        )  # fmt: skip
    full = _write_cells(placed, paper, write)
    if legend is not None and not full:
        for text, mark in zip(legend.get_texts(), shown, strict=True):
            if isinstance(mark, _marks.Cells) and mark.name_of_signs:
                text.set_text(_marks.write_lines(write, folded(mark.name_of_signs, width)))


_KEYS: dict[str, Any] = {"above": "outside upper left", "below": "outside lower left"}


def draw_plane(axes: Axes, plane: _marks.Plane, write: _marks.Write) -> None:
    for axis, kind in ((plane.x, "x"), (plane.y, "y")):
        axes.set(**{f"{kind}scale": "log" if axis.log else "linear"})
    for mark in plane.marks:
        _draw(mark, axes, write)
    if plane.title:
        axes.set_title(write(plane.title), fontsize=8)
    places: tuple[tuple[Literal["left", "right"], str], ...] = (("left", plane.corners[0]), ("right", plane.corners[1]))
    for side, text in places:
        if text:
            axes.set_title(write(text), fontsize=_NOTE, loc=side, pad=2)
    if plane.note:
        axes.text(1, 1, write(plane.note), fontsize=_NOTE, ha="right", va="top", transform=axes.transAxes)
    _axis(axes, plane.x, "x", write)
    _axis(axes, plane.y, "y", write)


def _axis(axes: Axes, axis: _marks.Axis, kind: Literal["x", "y"], write: _marks.Write) -> None:
    """Set title, ticks and limits of an axis."""
    drawn = axes.xaxis if kind == "x" else axes.yaxis
    limits = axes.set_xlim if kind == "x" else axes.set_ylim
    if axis.range is not None:
        limits(*axis.range)
    elif axis.from_zero and not axis.log:
        limits(0)
    if axis.percent:
        drawn.set_major_formatter(lambda value, _: write(f"{100 * value:.6g}%"))
    if axis.log and axis.ticks is not None:
        # matplotlib writes powers of ten as mathematics, which the house's texts are not.
        texts = dict(axis.ticks)
        drawn.set_major_locator(FixedLocator(list(texts)))
        drawn.set_major_formatter(lambda value, _: write(texts.get(value, "")))
        drawn.set_minor_formatter(NullFormatter())
    elif axis.names or axis.ticks is not None:
        named = list(enumerate(axis.names)) if axis.ticks is None else axis.ticks
        texts_of = [_marks.write_lines(write, text) for _, text in named]
        look: dict[str, Any] = {"fontsize": axis.size} if axis.size else {}
        drawn.set_ticks([at for at, _ in named], texts_of, linespacing=1.0, **look)
    elif axis.most or axis.whole:
        drawn.set_major_locator(MaxNLocator(axis.most or "auto", integer=axis.whole))
    if axis.slant == 45:
        axes.tick_params(axis="x", labelrotation=45)
        for tick in axes.get_xticklabels():
            tick.set(horizontalalignment="right", rotation_mode="anchor")
    elif axis.slant:
        axes.tick_params(axis="x", labelrotation=axis.slant)
    near, far = ("bottom", "top") if kind == "x" else ("left", "right")
    if axis.top:
        axes.xaxis.tick_top()
        axes.xaxis.set_label_position("top")
        near, far = far, near
    axes.spines[far].set_visible(False)
    axes.spines[near].set_visible(axis.shown and not axis.bare)
    if axis.bare:
        axes.tick_params(axis=kind, length=0, **({"pad": 1.5} if axis.top else {}))
    if not axis.shown:
        drawn.set_ticks([])
    drawn.set_label_text(_marks.write_lines(write, axis.title), linespacing=1.0)
    if axis.grid:
        axes.grid(axis=kind)


def _ink(colour: str) -> str:
    return "black" if colour == PAGE_INK else colour


def _places(places: Any) -> Any:
    """Return places with NaN for gaps."""
    return np.array([np.nan if place is None else place for place in places], dtype=float)


def _line_look(mark: _marks.Line) -> dict[str, Any]:
    look: dict[str, Any] = {"color": _ink(mark.colour), "linestyle": _LINES[mark.dash], "linewidth": mark.width / 2}
    look |= {"solid_capstyle": "butt"} if mark.width > 5 else {}
    if mark.ends:
        return look | {"marker": "|", "markersize": 5}
    return look | ({"marker": _MARKERS[mark.symbol], "markersize": 0.4 * mark.size} if mark.symbol else {})


def _point_look(mark: _marks.Points) -> dict[str, Any]:
    if mark.many:
        return {"marker": ".", "color": mark.colour, "markersize": mark.size / 2, "linestyle": ""}
    shape = _MARKERS[mark.symbol.removesuffix("-open")]
    look = {"marker": shape, "color": _ink(mark.colour), "markersize": 0.4 * mark.size}
    hollow = mark.symbol.endswith("-open") and "thin" not in mark.symbol
    return look | {"linestyle": ""} | ({"markerfacecolor": "white"} if hollow else {})


def _bar_look(mark: _marks.Bars) -> dict[str, Any]:
    if not mark.hatch:
        return {"color": list(mark.colours) or mark.colour, "alpha": mark.opacity, "linewidth": 0}
    ground = "white" if not mark.colours else mark.colours[0]
    return {
        "facecolor": ground,
        "alpha": mark.opacity,
        "hatch": _HATCHES[mark.hatch],
        "edgecolor": _LINE,
        "linewidth": 0,
    }


def _rule_look(mark: _marks.Rule) -> dict[str, Any]:
    return {"color": _ink(mark.colour), "linestyle": _LINES[mark.dash], "linewidth": mark.width / 2}


def _handle(mark: _marks.Mark) -> Any:
    """Return what stands for a mark in the key."""
    if isinstance(mark, _marks.Line):
        return Line2D([], [], **_line_look(mark))
    if isinstance(mark, _marks.Points):
        return Line2D([], [], **_point_look(mark), alpha=mark.opacity)
    if isinstance(mark, _marks.Rule):
        return Line2D([], [], **_rule_look(mark))
    if isinstance(mark, _marks.Bars):
        look = _bar_look(mark)
        return Patch(**(look if mark.hatch else {**look, "color": mark.colour}))
    if isinstance(mark, _marks.Cells) and mark.hatch:
        sign: dict[str, Any] = {"marker": "o", "markersize": 1.4 * _STROKE}
        if mark.hatch == "/":
            sign = {"marker": Path([(-1, -1), (1, 1)]), "markersize": 6, "markeredgewidth": _STROKE}
        return Patch(linewidth=0, facecolor=_PALE), Line2D([], [], linestyle="", color=INK, **sign)
    return Patch(linewidth=0, facecolor=_ink(mark.colour))


@singledispatch
def _draw(mark: _marks.Mark, axes: Axes, write: _marks.Write) -> None:
    raise NotImplementedError(type(mark).__name__)


@_draw.register
def _line(mark: _marks.Line, axes: Axes, write: _marks.Write) -> None:
    del write
    style: Any = "steps-post" if mark.step else "default"
    look = {"alpha": mark.opacity, "drawstyle": style, **_line_look(mark)}
    if mark.pinned is not None:
        look |= {"transform": _pinned(axes, mark.pinned), "clip_on": False}
    axes.plot(_places(mark.x), _places(mark.y), **look)


_PIXEL = 0.6 / 72
"""Inches of paper for a pixel of a screen, where such are counted from an edge."""


def _pinned(axes: Axes, share: float) -> Transform:
    """Return where things lie that are so many pixels from a share of the plane's width; y is that of the data."""
    edge: Any = ScaledTranslation(share, 0, axes.transAxes)  # type: ignore[arg-type]
    paper: Any = axes.figure
    across = Affine2D().scale(_PIXEL) + paper.dpi_scale_trans + edge
    return blended_transform_factory(across, axes.transData)


@_draw.register
def _points(mark: _marks.Points, axes: Axes, write: _marks.Write) -> None:
    del write
    look = _point_look(mark)
    if mark.low is None or mark.high is None:
        axes.plot(mark.x, mark.y, alpha=mark.opacity, rasterized=mark.many, **look)
        return
    ends = _marks.reach(mark.y if mark.upright else mark.x, mark.low, mark.high)
    colour = _ink(mark.spread or mark.colour)
    look |= {"yerr" if mark.upright else "xerr": ends, "elinewidth": mark.thickness / 2, "ecolor": colour}
    axes.errorbar(mark.x, mark.y, capsize=2 if mark.caps else 0, **look)


@_draw.register
def _band(mark: _marks.Band, axes: Axes, write: _marks.Write) -> None:
    del write
    ground, step = (mark.colour, 0.15), _POST if mark.step else None
    axes.fill_between(
        mark.x, mark.low, mark.high, step=step, facecolor=ground, edgecolor=mark.colour, linewidth=0.4 * mark.edged
    )


@_draw.register
def _shape(mark: _marks.Shape, axes: Axes, write: _marks.Write) -> None:
    del write
    axes.fill(mark.x, mark.y, color=mark.colour, linewidth=0.5)


@_draw.register
def _bars(mark: _marks.Bars, axes: Axes, write: _marks.Write) -> None:
    del write
    axes.bar(mark.x, mark.y, mark.width, bottom=mark.base, **_bar_look(mark))


@_draw.register
def _cells(mark: _marks.Cells, axes: Axes, write: _marks.Write) -> None:
    """Draw cells without their texts, which are written when it is known what room they have."""
    del write
    wide, high = mark.halves
    squares, strokes = ([
        [[(column + wide * x, row + high * y) for x, y in corners] for corners in shapes]
        for column, row in zip(mark.x, mark.y, strict=True)
    ] for shapes in ([_AROUND], _STROKES))  # fmt: skip
    faces = _PALE if mark.hatch else list(mark.colours)
    every = [square for cell in squares for square in cell]
    axes.add_collection(PolyCollection(every, linewidth=0, facecolor=faces), autolim=False)
    if mark.hatch == "/":
        lines = [stroke for cell in strokes for stroke in cell]
        axes.add_collection(LineCollection(lines, colors=INK, linewidths=_STROKE), autolim=False)
    elif mark.hatch:
        x, y = zip(*(
            (column + wide * x, row + high * y)
            for column, row in zip(mark.x, mark.y, strict=True) for x, y in _SPOTS
        ), strict=True)  # fmt: skip
        axes.plot(x, y, linestyle="", marker="o", markersize=1.4 * _STROKE, color=INK)


@_draw.register
def _rule(mark: _marks.Rule, axes: Axes, write: _marks.Write) -> None:
    edge: dict[str, Any] = {"path_effects": [withStroke(linewidth=2.8, foreground="white")]} if mark.halo else {}
    (axes.axvline if mark.upright else axes.axhline)(mark.at, **_rule_look(mark), **edge)
    if mark.text:
        axes.annotate(
            write(mark.text), (mark.at, 1), (2, -2), xycoords=("data", "axes fraction"), textcoords="offset points",
            va="top", fontsize=_NOTE,
        )  # fmt: skip


@_draw.register
def _shade(mark: _marks.Shade, axes: Axes, write: _marks.Write) -> None:
    del write
    axes.axvspan(mark.low, mark.high, color=mark.colour, alpha=mark.opacity, linewidth=0, zorder=0)


@_draw.register
def _words(mark: _marks.Words, axes: Axes, write: _marks.Write) -> None:
    look: dict[str, Any] = {"fontsize": mark.size, "linespacing": 1.0, "va": "center"}
    look |= {"ha": {"left": "right", "middle": "center", "right": "left"}[mark.side]}
    look |= {"color": _ink(mark.colour)} | ({"weight": 700} if mark.bold else {})
    look |= {} if mark.pinned is None else {"transform": _pinned(axes, mark.pinned)}
    for x, y, text in zip(mark.x, mark.y, mark.texts, strict=True):
        axes.text(x, y, _marks.write_lines(write, text), **look)


@_draw.register
def _text(mark: _marks.Text, axes: Axes, write: _marks.Write) -> None:
    side = {"left": "right", "middle": "center", "right": "left"}[mark.side]
    level = {"middle": "center"}.get(mark.level, mark.level)
    text = axes.annotate(
        _marks.write_lines(write, mark.text), (mark.x, mark.y), (mark.across, mark.up), textcoords="offset points",
        ha=side, va=level, multialignment=side, fontsize=mark.size, linespacing=1.1, color=_ink(mark.colour),
        weight="bold" if mark.bold else "normal", annotation_clip=False,
    )  # fmt: skip
    # The axes keep their size whatever is written in them.
    text.set_in_layout(False)


@_draw.register
def _labels(mark: _marks.Labels, axes: Axes, write: _marks.Write) -> None:
    for y, place, text, colour in zip(mark.y, mark.place, mark.texts, mark.colours, strict=True):
        axes.plot([mark.x, 1.03 * mark.x], [y, place], color=colour, linewidth=0.6, clip_on=False)
        axes.text(1.04 * mark.x, place, _marks.write_lines(write, text), fontsize=_NOTE, va="center", linespacing=1.0)


@_draw.register
def _targets(mark: _marks.Targets, axes: Axes, write: _marks.Write) -> None:
    """Draw nothing: nobody clicks on paper."""


def _write_cells(placed: list[tuple[Axes, _marks.Plane]], paper: Paper, write: _marks.Write) -> bool:
    """Write into every cell its text, or where one would not fit its sign alone; return whether texts stand."""
    cells = [(axes, plane, mark) for axes, plane in placed for mark in plane.marks if isinstance(mark, _marks.Cells)]
    layout = paper.get_layout_engine()
    if not cells or layout is None:
        return True
    layout.execute(paper)  # the cells have their size only now
    axes, _, _ = cells[0]
    box, inches = axes.get_position(), paper.get_size_inches()
    wide, high = (
        72 * inches[side] * extent / (abs(ends[1] - ends[0]) - 0.1)
        for side, extent, ends in ((0, box.width, axes.get_xlim()), (1, box.height, axes.get_ylim()))
    )
    longest = max((len(text) for *_, mark in cells for text in mark.texts), default=1)
    fitting = min(_LARGEST, 0.9 * wide / (_SIGN_WIDTH * longest), 0.9 * high / _LINE_HEIGHT)
    full = bool(fitting >= _SMALLEST)
    points = fitting if full else min(_LARGEST, 0.7 * min(wide, high))
    # Of very many cells hatch and dots are the signs: nobody could read one in them.
    for place, _, mark in cells if points >= _SMALLEST else ():
        for column, row, text, colour in _texts(mark, full):
            ground = {"boxstyle": "square,pad=0.1", "facecolor": "white", "linewidth": 0} if mark.hatch else None
            place.text(
                column, row, write(text), ha="center", va="center_baseline", bbox=ground, fontsize=points, color=colour
            )  # fmt: skip
    return full


def _texts(mark: _marks.Cells, full: bool) -> Iterator[tuple[float, float, str, str]]:
    texts = mark.texts if full else mark.signs
    colours = [_LINE] * len(mark.x) if mark.hatch else list(map(legible_on, mark.colours))
    for column, row, text, colour in zip(mark.x, mark.y, texts, colours, strict=False):
        if text:
            yield column, row, text, colour
