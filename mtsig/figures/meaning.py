"""What a difference means: how often people see the same order, by how far apart a metric's scores are."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from mtsig.figures.look import BLUES, GREY, INK, OCHRES, PALETTE, short
from mtsig.figures.picture import Picture, Write, draw_band, folded, write_lines
from mtsig.figures.screen import add_band, add_upright, escaped, figure
from mtsig.inference import level_text
from mtsig.meta_eval import Curve

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LINE = PALETTE[4]
_RIGHT, _WRONG, _SMOOTH = "pairs that people order the same", "the other way round", "smooth curve"

_SMOOTH_POINTS = 60


@dataclass(frozen=True)
class MeaningCurve(Picture):
    """The curve with its band over the pairs it is made of; a dotted line at the difference that is asked about.

    differences, right, share, low, high: of the pairs, by ascending difference; low and high are NaN without a band.
    slope: of the smooth curve, infinite where there is none.
    """

    how_to_read = "meaning"

    metric: str
    differences: tuple[float, ...]
    right: tuple[float, ...]
    share: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    slope: float
    level: float
    asked: float | None = None

    @classmethod
    def of(cls, curve: Curve, asked: float | None = None) -> "MeaningCurve":
        """Return the picture of a curve; asked: a difference that is marked."""
        return cls(
            short(curve.metric),
            tuple(curve.differences.tolist()),
            tuple(curve.right.tolist()),
            tuple(curve.share.tolist()),
            tuple(curve.low.tolist()),
            tuple(curve.high.tolist()),
            curve.slope,
            curve.level,
            asked,
        )

    @property
    def caption(self) -> str:
        """What the figure shows."""
        band = f" Shaded: {level_text(self.level)} band over redrawn systems and segments." if self.banded else ""
        smooth = " Dashed: logistic curve through one half." if math.isfinite(self.slope) else ""
        return (
            f"Share of pairs of systems that people order as {self.metric} does, by the difference in {self.metric}; "
            f"marks: the {len(self.differences)} pairs, on top those ordered the same.{band}{smooth}"
        )

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data."""
        return (self.metric,)

    @property
    def banded(self) -> bool:
        """Whether there is a band."""
        return not all(map(math.isnan, self.low))

    @property
    def end(self) -> float:
        """Where the horizontal axis ends."""
        return 1.05 * max(self.differences[-1], self.asked or 0.0)

    @property
    def steps(self) -> tuple[list[float], list[float]]:
        """The curve from 0 to the end: one half below the smallest difference."""
        return [0.0, *self.differences, self.end], [0.5, *self.share, self.share[-1]]

    @property
    def band(self) -> tuple[list[float], list[float], list[float]]:
        """The band from the smallest difference to the end."""
        return [*self.differences, self.end], [*self.low, self.low[-1]], [*self.high, self.high[-1]]

    @property
    def smooth(self) -> tuple[list[float], list[float]]:
        """Points of the smooth curve."""
        x = np.linspace(0, self.end, _SMOOTH_POINTS)
        return x.tolist(), (1 / (1 + np.exp(-self.slope * x))).tolist()

    def pairs(self, right: bool) -> list[float]:
        """Return the differences of the pairs that people order the same way, or the other."""
        return [x for x, agrees in zip(self.differences, self.right, strict=True) if (agrees == 1) == right]

    @property
    def x_axis(self) -> str:
        """What the horizontal axis shows."""
        return f"difference in {self.metric}"

    def screen(self) -> go.Figure:
        """Return the figure for the screen."""
        shown = figure(height=380, legend={"orientation": "h", "yanchor": "top", "y": -0.2, "x": 0})
        if self.banded:
            x, low, high = self.band
            add_band(shown, x, low, high, _LINE, "hv")
        if math.isfinite(self.slope):
            x, y = self.smooth
            line = {"color": GREY, "width": 2, "dash": "dash"}
            shown.add_scatter(x=x, y=y, mode="lines", line=line, name=_SMOOTH, hoverinfo="skip")
        x, y = self.steps
        line = {"color": _LINE, "width": 3, "shape": "hv"}
        hover = "from %{x:.4g} on: %{y:.0%}<extra></extra>"
        shown.add_scatter(x=x, y=y, mode="lines", line=line, name="people agree", hovertemplate=hover)
        for right, at, name, symbol, colour in (
            (True, 1.04, _RIGHT, "triangle-up", BLUES[0]),
            (False, -0.04, _WRONG, "triangle-down", OCHRES[0]),
        ):
            apart = self.pairs(right)
            shown.add_scatter(
                x=apart, y=[at] * len(apart), mode="markers", name=name, marker={"symbol": symbol, "color": colour},
                hovertemplate="%{x:.4g}<extra></extra>",
            )  # fmt: skip
        if self.asked is not None:
            add_upright(shown, self.asked, line={"color": INK, "width": 2, "dash": "dot"})
        shown.update_xaxes(title_text=escaped(self.x_axis), range=[0, self.end], zeroline=False)
        shown.update_yaxes(title_text="people agree", range=[-0.08, 1.08], tickformat=".0%", zeroline=False)
        return shown

    def height(self, width: float) -> float:
        """Return how high it is on paper, in inches."""
        return 0.7 * min(width, 3.5) + 0.14 * folded(self.x_axis, 0.8 * width).count("\n")

    def draw(self, paper: "Figure", write: Write) -> None:
        """Draw it on paper."""
        from matplotlib.ticker import PercentFormatter

        axes = paper.subplots()
        if self.banded:
            x, low, high = self.band
            draw_band(axes, x, low, high, _LINE, "post")
        if math.isfinite(self.slope):
            axes.plot(*self.smooth, color=GREY, linewidth=0.8, linestyle="--")
        axes.step(*self.steps, where="post", color=_LINE, linewidth=1.2)
        for right, at, marker, colour in ((True, 1.05, "^", BLUES[0]), (False, -0.05, "v", OCHRES[0])):
            apart = self.pairs(right)
            axes.plot(apart, [at] * len(apart), linestyle="", marker=marker, markersize=2.5, color=colour)
        if self.asked is not None:
            axes.axvline(self.asked, color=INK, linewidth=0.8, linestyle=":")
        axes.set_xlim(0, self.end)
        axes.set_ylim(-0.1, 1.1)
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=write("%")))
        axes.set_ylabel("people agree")
        width = 0.8 * float(paper.get_size_inches()[0])
        axes.set_xlabel(write_lines(write, folded(self.x_axis, width)), linespacing=1.0)
