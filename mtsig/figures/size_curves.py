"""Curves by test-set size (ZV04 figures 4 to 7): scores with bands, and widths beside the square-root law."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from mtsig.figures.look import (
    DASHES,
    GREY,
    INK,
    MARKERS,
    MOST_CURVES,
    PALETTE,
    STYLES,
    SYMBOLS,
    shorts,
    spread,
    system_colours,
    text_columns,
    wrapped,
)
from mtsig.figures.picture import PAPER_REFERENCE, Picture, Write, draw_band, folded, name_lines, write_lines
from mtsig.figures.screen import REFERENCE, add_band, escaped, figure
from mtsig.inference import level_text
from mtsig.segments import SizeCurves, difference_label

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LAW, _ZERO = "1/√n law", "no difference"

_NAMES = 0.4
"""At most so much of the paper's width is for names."""

_END = 14
"""Signs of a line of a name beside its curve on the screen: on a phone, names leave the curves most of the width."""

_SIGN = 7
"""Pixels that a sign of an axis title takes at most, on average."""

_NOTE = 7.5
"""Size of names and notes inside the axes on paper, in points."""


@dataclass(frozen=True)
class Curve:
    """One curve: what it is called, its colour and values; `low` and `high` are its band, `law` is dashed beside it."""

    name: str
    colour: str
    y: tuple[float, ...]
    low: tuple[float, ...] | None = None
    high: tuple[float, ...] | None = None
    law: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Curves(Picture):
    """Curves over the number of units in the test set; `zero` draws the line of no difference."""

    x: tuple[int, ...]
    curves: tuple[Curve, ...]
    unit: str
    axis: str
    zero: bool
    percent: bool
    metric: str
    says: str
    decimals: int = 2
    how_to_read: str = ""

    @classmethod
    def of_scores(cls, size_curves: SizeCurves, chosen: Sequence[str] | None = None) -> "Curves":
        """Return the mean score (or difference) by size, each with the band of its mean interval."""
        names, rows = _names(size_curves), _rows(size_curves, chosen)
        colours = _colours(size_curves.labels, rows)
        curves = tuple(
            Curve(
                names[t],
                colours[t],
                tuple(size_curves.mean[:, t].tolist()),
                tuple(size_curves.low[:, t].tolist()),
                tuple(size_curves.high[:, t].tolist()),
            )
            for t in rows
        )
        level = level_text(size_curves.ablation.level)
        is_turned = size_curves.is_difference and not size_curves.higher_is_better
        turned = " Lower is better: above zero the first system is ahead." if is_turned else ""
        arrow = "" if size_curves.is_difference or size_curves.higher_is_better else " ↓"
        turned = " ↓: lower is better." if arrow else turned
        return cls(
            tuple(size_curves.units.tolist()),
            curves,
            size_curves.unit,
            f"{_what(size_curves)}{arrow}, mean of subsets, with mean {level} interval",
            size_curves.is_difference,
            False,
            size_curves.metric,
            f"{_what(size_curves, 'Difference')} on random parts of the test set, means over "
            f"{int(size_curves.subsets.max())} parts of each size; bands: the mean ends of their {level} intervals."
            f"{turned}{_left_out(size_curves, chosen)}",
            size_curves.decimals,
            "scores-by-size",
        )

    @classmethod
    def of_widths(
        cls, size_curves: SizeCurves, chosen: Sequence[str] | None = None, relative: bool = False
    ) -> "Curves":
        """Return the half width of intervals by size, absolute or in % of the score, with the square-root law."""
        relative = relative and not size_curves.is_difference
        widths = size_curves.relative if relative else size_curves.half_width
        law = size_curves.square_root_law(widths)
        names, rows = _names(size_curves), _rows(size_curves, chosen)
        colours = _colours(size_curves.labels, rows)
        curves = tuple(
            Curve(names[t], colours[t], tuple(widths[:, t].tolist()), law=tuple(law[:, t].tolist())) for t in rows
        )
        measured = f" in % of {size_curves.metric}" if relative else f" in {size_curves.metric}"
        warned = " They do not tell which of two metrics is more sensitive." if relative else ""
        return cls(
            tuple(size_curves.units.tolist()),
            curves,
            size_curves.unit,
            f"half width{measured}",
            False,
            relative,
            size_curves.metric,
            f"Half width of {level_text(size_curves.ablation.level)} intervals{measured} by test-set size; dashed: "
            f"the 1/√n law through the largest size.{warned}{_left_out(size_curves, chosen)}",
            size_curves.decimals,
            "widths-by-size",
        )

    @property
    def caption(self) -> str:
        """What the figure shows."""
        return self.says

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data."""
        return (*(curve.name for curve in self.curves), self.metric)

    @property
    def x_axis(self) -> str:
        """What the horizontal axis shows."""
        return f"{self.unit}s in the test set"

    @property
    def range(self) -> tuple[float, float]:
        """The ends of the vertical axis; it begins at zero where widths are drawn."""
        drawn = [
            value for curve in self.curves for row in (curve.y, curve.low, curve.high, curve.law) for value in row or ()
        ]
        drawn = [value for value in drawn if math.isfinite(value)] + [0.0] * (self.zero or not self.banded)
        room = 0.05 * (max(drawn) - min(drawn)) or 1.0
        return min(drawn) - (room if self.banded else 0), max(drawn) + room

    @property
    def banded(self) -> bool:
        """Whether curves have bands."""
        return any(curve.low is not None for curve in self.curves)

    def _style(self, position: int) -> int:
        """Return which style a curve's line has: where dashes are the law's, none but that one is dashed."""
        return 0 if self.note is not None else position % len(DASHES)

    def labels(self, lines: float) -> list[tuple[str, str, float, float]]:
        """Return what stands at the ends of the lines: text, colour, the line's height, and the text's.

        lines: for how many lines of text the axis has room.
        """
        low, high = self.range
        ends = [(curve.name, curve.colour, curve.y[-1]) for curve in self.curves]
        ends += [(_ZERO, INK, 0.0)] if self.zero else []
        places = spread([y for _, _, y in ends], (high - low) / lines)
        return [(*end, place) for end, place in zip(ends, places, strict=True)]

    @property
    def note(self) -> str | None:
        """What the dashed lines are, beside widths."""
        return f"dashed: {LAW}" if any(curve.law is not None for curve in self.curves) else None

    def screen(self) -> go.Figure:
        """Return the figure for the screen: names stand at the ends of their curves."""
        places = ".2f" if self.percent else f".{self.decimals}f"
        lines = {name: wrapped(name, _END) or [name] for name in (*(curve.name for curve in self.curves), _ZERO)}
        most = max(len(lines[curve.name]) for curve in self.curves)
        height = max(380 if self.banded else 320, 90 + 18 * most * len(self.curves))
        shown = figure(height=height, hovermode="x unified", showlegend=False)
        for position, curve in enumerate(self.curves):
            self._screen_beside(shown, curve)
            drawn = {
                "x": list(self.x), "y": list(curve.y), "mode": "lines+markers", "name": escaped(curve.name),
                "line": {"color": curve.colour, "width": 2, "dash": DASHES[self._style(position)]},
                "marker": {"symbol": SYMBOLS[position % len(SYMBOLS)], "size": 7},
            }  # fmt: skip
            if curve.low is not None and curve.high is not None:
                ends = [list(pair) for pair in zip(curve.low, curve.high, strict=True)]
                hover = f"%{{y:{places}}} (%{{customdata[0]:{places}}} to %{{customdata[1]:{places}}})"
                shown.add_scatter(**drawn, customdata=ends, hovertemplate=hover)
            else:
                shown.add_scatter(**drawn, hovertemplate=f"± %{{y:{places}}}" + (" %" if self.percent else ""))
        last = self.x[-1]
        for name, colour, y, place in self.labels((height - 80) / (16 * most)):
            # The space keeps the line off the first letter; SVG leaves out ordinary ones at the beginning.
            text = "<br>".join(f"\u00a0{escaped(line)}" for line in lines[name])
            shown.add_scatter(
                x=[last, 1.03 * last], y=[y, place], mode="lines+text", text=["", text],
                textposition="middle right", line={"color": colour, "width": 1}, cliponaxis=False, hoverinfo="skip",
            )  # fmt: skip
        if self.zero:
            # Not beyond the curves, where its name stands.
            shown.add_shape(type="line", x0=0, x1=last, y0=0, y1=0, line=REFERENCE)
        if self.note is not None:
            corner = {"xref": "paper", "yref": "paper", "x": 1, "y": 1, "xanchor": "right", "yanchor": "bottom"}
            shown.add_annotation(text=self.note, showarrow=False, **corner)
        shown.update_xaxes(title_text=self.x_axis, range=[0, 1.04 * last])
        title = wrapped(self.axis, int((height - 90) / _SIGN))
        shown.update_yaxes(title_text="<br>".join(map(escaped, title)), range=list(self.range))
        longest = max(text_columns(line) for name, *_ in self.labels(1) for line in lines[name])
        shown.update_layout(margin_r=24 + 7 * longest)
        return shown

    def _screen_beside(self, shown: go.Figure, curve: Curve) -> None:
        """Draw what stands beside a curve: its band, or the law."""
        x = list(self.x)
        if curve.low is not None and curve.high is not None:
            add_band(shown, x, curve.low, curve.high, curve.colour)
        if curve.law is not None:
            grey = {"color": GREY, "dash": "dash", "width": 1}
            shown.add_scatter(x=x, y=list(curve.law), mode="lines", line=grey, name=LAW, hoverinfo="skip")

    def height(self, width: float) -> float:
        """Return how high it is on paper, in inches."""
        return max(min(2.6, 0.62 * width), 0.6 + 0.13 * self._name_lines(width) * (len(self.curves) + self.zero))

    def _name_lines(self, width: float) -> int:
        return name_lines([curve.name for curve in self.curves], _NAMES * width)[1]

    def draw(self, paper: "Figure", write: Write) -> None:
        """Draw it on paper: names stand at the ends of their curves."""
        from matplotlib.ticker import MaxNLocator

        axes = paper.subplots()
        width, last = _width(paper), self.x[-1]
        for position, curve in enumerate(self.curves):
            if curve.low is not None and curve.high is not None:
                draw_band(axes, self.x, curve.low, curve.high, curve.colour)
            if curve.law is not None:
                axes.plot(self.x, curve.law, color=GREY, linestyle=(0, (3, 2)), linewidth=0.7)
            line, marker = STYLES[self._style(position)], MARKERS[position % len(MARKERS)]
            axes.plot(self.x, curve.y, color=curve.colour, linestyle=line, marker=marker, markersize=3)
        room = (self.height(width) - 0.55) / (0.12 * self._name_lines(width))
        for name, colour, y, place in self.labels(room):
            text = write_lines(write, folded(name, _NAMES * width))
            axes.plot([last, 1.03 * last], [y, place], color=colour, linewidth=0.6, clip_on=False)
            axes.text(1.04 * last, place, text, fontsize=_NOTE, va="center", linespacing=1.0)
        if self.zero:
            axes.axhline(0, **PAPER_REFERENCE)
        if self.note is not None:
            axes.text(1, 1, write(self.note), fontsize=_NOTE, ha="right", va="top", transform=axes.transAxes)
        axes.set_xlim(0, 1.03 * last)
        axes.set_ylim(self.range)
        axes.set_xlabel(self.x_axis)
        axes.set_ylabel(write_lines(write, folded(self.axis, 0.8 * min(2.6, 0.62 * _width(paper)))), linespacing=1.0)
        axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
        axes.grid(axis="y")


def _width(paper: "Figure") -> float:
    return float(paper.get_size_inches()[0])


def _names(curves: SizeCurves) -> tuple[str, ...]:
    """Return what the curves are called: of a difference each name is shortened by itself, not what joins them."""
    if curves.pair is None:
        return shorts(curves.labels)
    first, second = shorts(curves.pair)
    return (difference_label(first, second, curves.higher_is_better),)


def _rows(curves: SizeCurves, chosen: Sequence[str] | None) -> list[int]:
    """Return which curves are drawn: those chosen; of more than have a colour, without a choice, the two farthest."""
    if chosen is None and len(curves.labels) > MOST_CURVES:
        last = curves.mean[-1]
        return sorted({int(last.argmax()), int(last.argmin())})
    return [t for t, name in enumerate(curves.labels) if chosen is None or name in chosen]


def _left_out(curves: SizeCurves, chosen: Sequence[str] | None) -> str:
    shown, count = len(_rows(curves, chosen)), len(curves.labels)
    if shown == count:
        return ""
    return f" Shown: {shown if chosen is not None else 'the highest and the lowest'} of {count} systems."


def _colours(labels: Sequence[str], rows: Sequence[int]) -> dict[int, str]:
    """Return the colours of the curves that are drawn; those beyond the last colour take what the others leave."""
    own = [system_colours(labels)[labels[t]] for t in rows]
    free = iter([colour for colour in PALETTE if colour not in own])
    return {t: next(free, colour) if colour == GREY else colour for t, colour in zip(rows, own, strict=True)}


def _what(curves: SizeCurves, difference: str = "difference") -> str:
    """Return what the curves are of; difference: the word for one, which may begin a sentence."""
    return f"{difference} in {curves.metric}" if curves.is_difference else curves.metric
