"""Curves by test-set size (ZV04 figures 4 to 7): scores with bands, and widths beside the square-root law."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from mtsig.ablation import SizeCurves
from mtsig.figures.look import GREY, PALETTE, VERMILLION, shorts
from mtsig.figures.picture import Picture, Write, folded, name_lines, write_lines
from mtsig.figures.screen import escaped, faded, figure
from mtsig.inference import level_text

_LAW = "1/√n law"
_STYLES = ("-", "--", "-.", ":")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
"""On paper curves differ in line and marker too: a grey copy tells them apart."""


@dataclass(frozen=True)
class Curve:
    """One curve: what it is called, and its values; `low` and `high` are its band, `law` the dashed curve beside it."""

    key: str
    name: str
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

    @classmethod
    def of_scores(cls, found: SizeCurves, chosen: Sequence[str] | None = None) -> "Curves":
        """Return the mean score (or difference) by size, each with the band of its mean interval."""
        names = shorts(found.labels)
        curves = tuple(
            Curve(
                found.labels[t],
                names[t],
                tuple(found.mean[:, t].tolist()),
                tuple(found.low[:, t].tolist()),
                tuple(found.high[:, t].tolist()),
            )
            for t in _rows(found, chosen)
        )
        level = level_text(found.ablation.level)
        return cls(
            tuple(found.units.tolist()),
            curves,
            found.unit,
            f"{found.metric}, mean of subsets, with mean {level} interval",
            found.is_difference,
            False,
            found.metric,
            f"{found.metric} on random parts of the test set, means over {int(found.subsets.max())} parts of each "
            f"size; bands: the mean ends of their {level} intervals.",
            found.decimals,
        )

    @classmethod
    def of_widths(cls, found: SizeCurves, chosen: Sequence[str] | None = None, relative: bool = False) -> "Curves":
        """Return the half width of intervals by size, absolute or in % of the score, with the square-root law."""
        relative = relative and not found.is_difference
        widths = found.relative if relative else found.half_width
        law = found.square_root_law(widths)
        names = shorts(found.labels)
        curves = tuple(
            Curve(found.labels[t], names[t], tuple(widths[:, t].tolist()), law=tuple(law[:, t].tolist()))
            for t in _rows(found, chosen)
        )
        return cls(
            tuple(found.units.tolist()),
            curves,
            found.unit,
            f"half width in % of {found.metric}" if relative else f"half width in {found.metric}",
            False,
            relative,
            found.metric,
            f"Half width of {level_text(found.ablation.level)} intervals by test-set size; dashed grey: the 1/√n law "
            "through the largest size. Relative widths do not tell which of two metrics is more sensitive.",
            found.decimals,
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

    def screen(self) -> go.Figure:
        """Return the figure for the screen."""
        banded = any(curve.low is not None for curve in self.curves)
        places = ".2f" if self.percent else f".{self.decimals}f"
        shown = figure(height=380 if banded else 320, hovermode="x unified")
        for position, curve in enumerate(self.curves):
            colour = PALETTE[position % len(PALETTE)]
            self._screen_beside(shown, curve, colour, first=position == 0)
            drawn = {
                "x": list(self.x), "y": list(curve.y), "mode": "lines+markers", "name": escaped(curve.name),
                "line": {"color": colour, "width": 2},
            }  # fmt: skip
            if curve.low is not None and curve.high is not None:
                ends = [list(pair) for pair in zip(curve.low, curve.high, strict=True)]
                hover = f"%{{y:{places}}} (%{{customdata[0]:{places}}} to %{{customdata[1]:{places}}})"
                shown.add_scatter(**drawn, legendgroup=curve.key, customdata=ends, hovertemplate=hover)
            else:
                shown.add_scatter(**drawn, hovertemplate=f"± %{{y:{places}}}" + (" %" if self.percent else ""))
        if self.zero:
            shown.add_hline(y=0, line={"color": VERMILLION, "dash": "dash", "width": 2})
        shown.update_xaxes(title=self.x_axis, rangemode="tozero")
        shown.update_yaxes(title=escaped(self.axis), **({} if banded else {"rangemode": "tozero"}))
        return shown

    def _screen_beside(self, shown: go.Figure, curve: Curve, colour: str, *, first: bool) -> None:
        """Draw what stands beside a curve: its band, or the law."""
        x = list(self.x)
        if curve.low is not None and curve.high is not None:
            band = {"x": x, "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
            shown.add_scatter(y=list(curve.high), **band, legendgroup=curve.key)
            fill = {"fill": "tonexty", "fillcolor": faded(colour, 0.18)}
            shown.add_scatter(y=list(curve.low), **band, legendgroup=curve.key, **fill)
        if curve.law is not None:
            grey = {"color": GREY, "dash": "dash", "width": 1}
            shown.add_scatter(
                x=x, y=list(curve.law), mode="lines", line=grey, name=_LAW, showlegend=first, hoverinfo="skip"
            )

    def height(self, width: float) -> float:
        """Return how high it is on paper, in inches."""
        columns = self._legend_columns(width)
        _, lines = name_lines([curve.name for curve in self.curves], 0.85 * width / columns)
        entries = len(self.curves) + any(curve.law for curve in self.curves)
        return min(2.6, 0.62 * width) + 0.16 * lines * -(-entries // columns)

    def _legend_columns(self, width: float) -> int:
        longest = max(len(curve.name) for curve in self.curves)
        return max(1, int(width / max(1.1, 0.45 + 0.065 * longest)))

    def draw(self, paper: Figure, write: Write) -> None:
        """Draw it on paper."""
        axes = paper.subplots()
        columns = self._legend_columns(_width(paper))
        names, _ = name_lines([curve.name for curve in self.curves], 0.85 * _width(paper) / columns)
        for position, curve in enumerate(self.curves):
            colour = PALETTE[position % len(PALETTE)]
            if curve.low is not None and curve.high is not None:
                axes.fill_between(self.x, curve.low, curve.high, color=colour, alpha=0.15, linewidth=0)
            if curve.law is not None:
                law = write(_LAW) if position == 0 else None
                axes.plot(self.x, curve.law, color=GREY, linestyle=(0, (3, 2)), linewidth=0.7, label=law)
            line, marker = _STYLES[position % len(_STYLES)], _MARKERS[position % len(_MARKERS)]
            label = write_lines(write, names[position])
            axes.plot(self.x, curve.y, color=colour, linestyle=line, marker=marker, markersize=3, label=label)
        if self.zero:
            axes.axhline(0, color=VERMILLION, linestyle="--", linewidth=1)
        axes.set_xlim(left=0)
        if not any(curve.low for curve in self.curves):
            axes.set_ylim(bottom=0)
        axes.set_xlabel(self.x_axis)
        axes.set_ylabel(write_lines(write, folded(self.axis, 0.8 * min(2.6, 0.62 * _width(paper)))), linespacing=1.0)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(axis="y")
        paper.legend(loc="outside upper left", ncols=columns)


def _width(paper: Figure) -> float:
    return float(paper.get_size_inches()[0])


def _rows(curves: SizeCurves, chosen: Sequence[str] | None) -> list[int]:
    return [t for t, name in enumerate(curves.labels) if chosen is None or name in chosen]


def score_curves(curves: SizeCurves, chosen: Sequence[str] | None = None) -> go.Figure:
    """Return the mean score (or difference) by size, each with the band of its mean interval."""
    return Curves.of_scores(curves, chosen).screen()


def width_curves(curves: SizeCurves, chosen: Sequence[str] | None = None, relative: bool = False) -> go.Figure:
    """Return the half width of intervals by size, absolute or in % of the score, with the square-root law dashed."""
    return Curves.of_widths(curves, chosen, relative).screen()
