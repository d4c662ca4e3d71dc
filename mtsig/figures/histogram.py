"""Histogram of draws: a comparison's resampled or shuffled differences, or one system's resampled scores."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from mtsig.arrays import Floats
from mtsig.figures.compared import ahead
from mtsig.figures.look import GREY, PALE, SLATE, short, shorts
from mtsig.figures.picture import Picture, Write, folded, write_lines
from mtsig.figures.screen import PAGE_INK, add_upright, escaped, faded, figure, title_lines
from mtsig.inference import Comparison, Interval, level_text, points_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BINS = 60
_BEYOND = "at least as far from zero as observed"
_BARS = "#909090"
_DASHES = {"solid": "-", "dash": "--", "dot": ":"}
_PIXELS = {"solid": "solid", "dash": "9px,9px", "dot": "3px,4px"}
"""What plotly's names of dashes are in pixels, which the names leave to the width of a line."""


@dataclass(frozen=True)
class Line:
    """A full-height line: where, solid, dash or dot, and what it is."""

    x: float
    dash: str
    name: str
    decimals: int = 2
    signed: bool = False

    @property
    def label(self) -> str:
        """What the legend says."""
        return f"{self.name} {points_text(self.x, self.decimals, signed=self.signed)}"


@dataclass(frozen=True)
class Histogram(Picture):
    """Counts of draws between `edges`; `beyond` of them, hatched, are at least as far from zero as observed.

    inside: the other counts. band: the ends of an interval, with what it is.
    """

    edges: tuple[float, ...]
    inside: tuple[int, ...]
    beyond: tuple[int, ...] | None
    name: str
    axis: str
    lines: tuple[Line, ...]
    band: tuple[float, float, str] | None
    names: tuple[str, ...]
    says: str
    how_to_read: str = ""

    @classmethod
    def of_resampled(cls, draws: Floats, comparison: Comparison, higher_is_better: bool = True) -> "Histogram":
        """Return the bootstrap differences with the estimate, its interval and the zero line.

        higher_is_better: the direction of the comparison's metric.
        """
        names = shorts([comparison.first, comparison.second])
        edges, counts, _ = _counted(draws, None)
        return cls(
            edges,
            counts,
            None,
            f"difference in {comparison.metric} on redrawn test sets",
            f"{comparison.metric}: {ahead(names[0], names[1], higher_is_better)}",
            (
                Line(comparison.difference, "solid", "estimate", comparison.decimals, signed=True),
                Line(0.0, "dash", "no difference"),
            ),
            (comparison.low, comparison.high, f"{level_text(comparison.level)} interval"),
            (*names, comparison.metric),
            f"Differences in {comparison.metric} between {names[0]} and {names[1]} on {len(draws):,} redrawn test "
            "sets; shaded: the interval of the difference. The share of redraws on one side of zero is no p-value.",
            "resampled-differences",
        )

    @classmethod
    def of_shuffled(cls, null: Floats, comparison: Comparison, higher_is_better: bool = True) -> "Histogram":
        """Return the differences under the null with the observed one; draws at least as extreme are hatched.

        higher_is_better: the direction of the comparison's metric.
        """
        names = shorts([comparison.first, comparison.second])
        observed = abs(comparison.difference)
        edges, inside, beyond = _counted(null, observed)
        lines = [Line(comparison.difference, "solid", "observed", comparison.decimals, signed=True)]
        if observed > 0:
            lines.append(Line(-comparison.difference, "dot", "as far the other way", comparison.decimals, signed=True))
        return cls(
            edges,
            inside,
            beyond,
            f"difference in {comparison.metric} when labels are exchanged",
            f"{comparison.metric}: {ahead(names[0], names[1], higher_is_better)}, labels exchanged at random",
            tuple(lines),
            None,
            (*names, comparison.metric),
            f"Differences in {comparison.metric} between {names[0]} and {names[1]} in {len(null):,} random exchanges "
            "of their outputs; hatched: at least as far from zero as the observed difference.",
            "exchanged-labels",
        )

    @classmethod
    def of_scores(cls, draws: Floats, interval: Interval, system: str, metric: str) -> "Histogram":
        """Return one system's bootstrap scores with the estimate and its interval (ZV04 figures 1 and 2)."""
        edges, counts, _ = _counted(draws, None)
        return cls(
            edges,
            counts,
            None,
            f"{metric} on redrawn test sets",
            f"{metric} of {short(system)}",
            (Line(interval.estimate, "solid", "score", interval.decimals),),
            (interval.low, interval.high, f"{level_text(interval.level)} interval"),
            (short(system), metric),
            f"{metric} of {short(system)} on {len(draws):,} redrawn test sets; shaded: the interval of the score.",
        )

    @property
    def caption(self) -> str:
        """What the figure shows."""
        return self.says

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data."""
        return self.names

    @property
    def middles(self) -> list[float]:
        """The middles of the bars."""
        return [(low + high) / 2 for low, high in zip(self.edges, self.edges[1:], strict=False)]

    @property
    def width(self) -> float:
        """The width of a bar."""
        return self.edges[1] - self.edges[0]

    @property
    def top(self) -> float:
        """How high the interval stands: above all bars."""
        beyond = self.beyond or (0,) * len(self.inside)
        return 1.06 * max(low + high for low, high in zip(self.inside, beyond, strict=True))

    @property
    def interval(self) -> str:
        """What the legend says of the interval."""
        low, high, name = self.band or (0.0, 0.0, "")
        low_text, high_text = (
            points_text(end, self.lines[0].decimals, signed=self.lines[0].signed) for end in (low, high)
        )
        return f"{name} {low_text} to {high_text}"

    def screen(self) -> go.Figure:
        """Return the figure for the screen."""
        shown = figure(bargap=0, barmode="stack", hovermode="x unified", height=320)
        bars = {"x": self.middles, "width": self.width}
        shown.add_bar(
            **bars, y=list(self.inside), name=escaped(self.name), marker={"color": GREY, "line": {"width": 0}}
        )
        if self.beyond is not None:
            ground = faded(PALE, 0.1)
            pattern = {"shape": "/", "fgcolor": GREY, "bgcolor": ground, "size": 5, "solidity": 0.4}
            marker = {"color": ground, "line": {"width": 1, "color": GREY}, "pattern": pattern}
            shown.add_bar(**bars, y=list(self.beyond), name=_BEYOND, marker=marker)
        if self.band is not None:
            low, high, _ = self.band
            add_upright(shown, low, high, fillcolor=faded(SLATE, 0.15), line={"width": 0}, layer="below")
            mark = {"symbol": "line-ns-open", "size": 12, "line": {"width": 3}, "color": SLATE}
            whisker = {"color": SLATE, "width": 3}
            shown.add_scatter(
                x=[low, high], y=[self.top] * 2, mode="lines+markers", line=whisker, marker=mark, name=self.interval,
                hoverinfo="skip",
            )  # fmt: skip
        for line in self.lines:
            # The page's own ink stands out on the page and on bars, in any theme.
            add_upright(shown, line.x, line={"color": PAGE_INK, "width": 2, "dash": _PIXELS[line.dash]})
            # A shape has no place in the legend: an empty trace stands there for it.
            drawn = {"color": PAGE_INK, "width": 2, "dash": line.dash}
            shown.add_scatter(x=[None], y=[None], mode="lines", name=line.label, line=drawn)
        shown.update_yaxes(title_text="draws", rangemode="tozero")
        shown.update_xaxes(title_text="<br>".join(title_lines(self.axis)))
        return shown

    def height(self, width: float) -> float:
        """Return how high it is on paper, in inches."""
        entries = 1 + len(self.lines) + (self.beyond is not None) + (self.band is not None)
        lines = folded(self.axis, 0.85 * width).count("\n")
        return min(2.4, 0.55 * width) + 0.15 * (entries + lines)

    def draw(self, paper: "Figure", write: Write) -> None:
        """Draw it on paper."""
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch
        from matplotlib.patheffects import withStroke

        axes = paper.subplots()
        plain: dict[str, Any] = {"width": self.width, "linewidth": 0}
        axes.bar(self.middles, self.inside, color=_BARS, **plain)
        handles: list[Patch | Line2D] = [Patch(color=_BARS, label=write(self.name))]
        if self.beyond is not None:
            hatched: dict[str, Any] = {"facecolor": "white", "hatch": "/////", "edgecolor": "#333333"}
            axes.bar(self.middles, self.beyond, bottom=self.inside, **hatched, **plain)
            handles.append(Patch(label=_BEYOND, linewidth=0, **hatched))
        if self.band is not None:
            low, high, _ = self.band
            axes.axvspan(low, high, color=SLATE, alpha=0.18, linewidth=0, zorder=0)
            drawn: dict[str, Any] = {"color": SLATE, "linewidth": 1.8, "marker": "|", "markersize": 6}
            axes.plot([low, high], [self.top] * 2, **drawn)
            handles.append(Line2D([], [], label=write(self.interval), **drawn))
        edge = [withStroke(linewidth=2.8, foreground="white")]
        for line in self.lines:
            style: dict[str, Any] = {"color": "black", "linestyle": _DASHES[line.dash], "linewidth": 1.2}
            axes.axvline(line.x, path_effects=edge, **style)
            handles.append(Line2D([], [], label=write(line.label), **style))
        axes.set_xlabel(
            write_lines(write, folded(self.axis, 0.85 * float(paper.get_size_inches()[0]))), linespacing=1.0
        )
        axes.set_ylabel("draws")
        paper.legend(handles=handles, loc="outside upper left")


def _counted(draws: Floats, beyond: float | None) -> tuple[tuple[float, ...], tuple[int, ...], tuple[int, ...] | None]:
    """Return the edges of the bars, the counts, and those of them at least `beyond` from 0, taken off the others."""
    # Draws that differ by rounding only are one bar; numpy cannot cut so narrow a range.
    spread = np.ptp(draws) > 1e-9 * max(1.0, float(np.abs(draws).max()))
    counts, edges = np.histogram(draws, bins=_BINS if spread else 1)
    ends = tuple(float(edge) for edge in edges)
    if beyond is None:
        return ends, tuple(int(count) for count in counts), None
    far = np.histogram(draws[np.abs(draws) >= beyond - 1e-9 * max(1.0, beyond)], bins=edges)[0]
    return ends, tuple(int(count) for count in counts - far), tuple(int(count) for count in far)
