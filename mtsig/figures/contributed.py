"""What a difference consists of: contributions of its units, their scores side by side, and what is left without some.

The two systems are told apart by side and by the verdict's colours: what speaks for the first is blue, for the second
ochre.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from mtsig.arrays import Index, Mask
from mtsig.corpus import number_of
from mtsig.figures.look import GREY, INK, SLATE, shorts, spread, verdict_colour
from mtsig.figures.picture import PAPER_REFERENCE, Picture, Write, draw_band, folded, write_lines
from mtsig.figures.screen import REFERENCE, add_band, add_upright, escaped, figure, seen_points
from mtsig.inference import judged_level_text
from mtsig.segments import Contributions, Leverage

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BINS = 40

_TAIL = 0.005
"""The share of units at either end that falls into the outermost bars: one unit alone must not flatten all others."""

_SHARE = 0.3
"""Of the way to the strongest colour."""

_NOT_LOOKED_AT = 0.25
"""How much is left of the colour of units that are not looked at."""

_POINT, _SOLID = "#5f7f9f", 0.85
"""Points on the screen: 3.2 : 1 on white and 3.6 : 1 on the dark theme, and where many lie they still add up."""

_PIXELS = 400
"""Steps into which an axis of scores is cut: a page gives it no more room than that."""

_ROOM = 5
"""Texts of two lines that have room above each other beside a curve."""

_SMALL_BAR = {"remove": ["zoom", "pan", "zoomIn", "zoomOut", "autoScale", "resetScale"]}
"""A bar of tools that does not lie over a picture in a narrow column."""

_BRUSHED = {"dragmode": "select", "modebar": _SMALL_BAR}
"""What makes a picture one of which a part can be chosen; without tools that would take that away."""

_FOR_FIRST, _FOR_SECOND = verdict_colour("better", _SHARE), verdict_colour("worse", _SHARE)


def _looked(contributions: Contributions, looked_at: Index | None) -> Mask:
    looked = np.full(len(contributions.values), looked_at is None)
    if looked_at is not None:
        looked[looked_at] = True
    return looked


@dataclass(frozen=True)
class ContributionBars(Picture):
    """How many units push the difference by how much; the outermost bars hold all beyond them.

    edges: in points, with 0 among them. counts: one fewer. none: how many units push it by nothing; no bar holds them.
    shown: of each bar, how many are among the units that are looked at. ends: of each bar, the least and the greatest
    push in it; None for an empty one.
    """

    how_to_read = "pushes"

    metric: str
    first: str
    second: str
    unit: str
    edges: tuple[float, ...]
    counts: tuple[int, ...]
    none: int
    shown: tuple[int, ...]
    ends: tuple[tuple[float, float] | None, ...]

    @classmethod
    def of(cls, contributions: Contributions, looked_at: Index | None = None) -> "ContributionBars":
        """Return the picture of the contributions to a difference; looked_at: positions of some units, all if None."""
        values = contributions.values
        first, second = shorts([contributions.first, contributions.second or ""])
        pushing = values[values != 0]
        if contributions.second is None and len(pushing):
            lowest, highest = np.quantile(pushing, (_TAIL, 1 - _TAIL))
            edges = np.linspace(lowest, highest, _BINS + 1)
        else:
            reach = float(np.quantile(np.abs(pushing), 1 - _TAIL)) if len(pushing) else 1.0
            edges = np.linspace(-reach, reach, _BINS + 1)
            edges[_BINS // 2] = 0.0
        # A push of exactly 0 is none; every other one is on its side.
        places = np.clip(np.searchsorted(edges, pushing, side="right") - 1, 0, _BINS - 1)
        counts = np.bincount(places, minlength=_BINS)
        looked = np.bincount(places[_looked(contributions, looked_at)[values != 0]], minlength=_BINS)
        within = [pushing[places == place] for place in range(_BINS)]
        return cls(
            contributions.metric.name,
            first,
            second,
            contributions.unit,
            tuple(edges.tolist()),
            tuple(counts.tolist()),
            int((values == 0).sum()),
            tuple(looked.tolist()),
            tuple((float(part.min()), float(part.max())) if len(part) else None for part in within),
        )

    @property
    def caption(self) -> str:
        """What the figure shows."""
        if not self.second:
            return (
                f"What each {self.unit} adds to the {self.metric} of {self.first}; the outermost bars hold all beyond."
            )
        return (
            f"How far each {self.unit} pushes the difference in {self.metric}: right of zero towards {self.first}, "
            f"left towards {self.second}; the outermost bars hold all beyond. {number_of(self.none, self.unit, ',')} "
            f"{'pushes' if self.none == 1 else 'push'} it by nothing and {'is' if self.none == 1 else 'are'} in no bar."
        )

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data."""
        return (self.metric, self.first, self.second)

    @property
    def axis(self) -> str:
        """What the horizontal axis shows."""
        return f"push in {self.metric}" if self.second else f"part of {self.metric}"

    def _bars(self) -> list[tuple[float, float, int, str]]:
        """Return the bars: where, how wide, how high, and their colour."""
        sides = zip(self.edges[:-1], self.edges[1:], self.counts, strict=True)
        return [((a + b) / 2, b - a, count, _FOR_FIRST if a >= 0 else _FOR_SECOND) for a, b, count in sides]

    def screen(self) -> go.Figure:
        """Return the figure for the screen, of which a part can be chosen."""
        shown = figure(height=190, showlegend=False, selectdirection="h", bargap=0.05, **_BRUSHED)
        x, width, y, colour = zip(*self._bars(), strict=True)
        shown.update_layout(barmode="stack")
        rest = [count - looked for count, looked in zip(y, self.shown, strict=True)]
        for counts, opacity in ((self.shown, 1.0), (rest, _NOT_LOOKED_AT)):
            shown.add_bar(
                x=x, y=counts, width=width, marker={"color": colour, "opacity": opacity, "line": {"width": 0}},
                customdata=y, hovertemplate=f"%{{customdata}} {self.unit}s push by about %{{x:.2g}}<extra></extra>",
            )  # fmt: skip
        shown.update_xaxes(title_text=escaped(self.axis), nticks=5)
        shown.update_yaxes(title_text=f"{self.unit}s", nticks=4)
        return shown

    def height(self, width: float) -> float:
        """Return how high it is on paper, in inches."""
        return min(2.2, 0.55 * width)

    def draw(self, paper: "Figure", write: Write) -> None:
        """Draw it on paper."""
        axes = paper.subplots()
        x, width, y, colour = zip(*self._bars(), strict=True)
        axes.bar(x, y, 0.95 * np.array(width), color=colour)
        axes.axvline(0, **PAPER_REFERENCE)
        width_in = float(paper.get_size_inches()[0])
        axes.set_xlabel(write_lines(write, folded(self.axis, 0.8 * width_in)))
        axes.set_ylabel(f"{self.unit}s")
        axes.grid(axis="y")


@dataclass(frozen=True)
class ScoresApart(Picture):
    """The units' own scores, one system against the other; above the diagonal the first is ahead, or below by errors.

    x: the second system's scores, y: the first's; where several fall on one pixel, the first of them. shown: whether
    each is among the units that are looked at. numbers: what each is called. units: how many there are.
    """

    how_to_read = "scores-apart"

    metric: str
    first: str
    second: str
    unit: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    shown: tuple[bool, ...]
    numbers: tuple[int, ...]
    units: int

    @classmethod
    def of(
        cls, contributions: Contributions, looked_at: Index | None = None, names: Sequence[int] | None = None
    ) -> "ScoresApart":
        """Return the picture of the scores behind a difference.

        looked_at: positions of some units; all if None. names: the numbers by which a reader knows the corpus's units;
        from 1 on if None.
        """
        first, second = shorts([contributions.first, contributions.second or ""])
        y, x = contributions.scores[0], contributions.scores[1]
        looked = _looked(contributions, looked_at)
        # What is looked at lies on top, and no other unit hides it.
        parts = [np.flatnonzero(~looked), np.flatnonzero(looked)]
        seen = np.concatenate([part[seen_points(x[part], y[part], pixels=_PIXELS)] for part in parts])
        return cls(
            contributions.metric.name,
            first,
            second,
            contributions.unit,
            tuple(x[seen].tolist()),
            tuple(y[seen].tolist()),
            tuple(looked[seen].tolist()),
            tuple(i + 1 if names is None else names[i] for i in contributions.numbers[seen].tolist()),
            len(x),
        )

    @property
    def caption(self) -> str:
        """What the figure shows."""
        return (
            f"{self.metric} of each {self.unit} by itself: {self.first} upwards, {self.second} to the right. On the "
            "dashed line both score the same."
        )

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data."""
        return (self.metric, self.first, self.second)

    @property
    def _ends(self) -> tuple[float, float]:
        drawn = [value for value in (*self.x, *self.y) if np.isfinite(value)] or [0.0]
        room = 0.03 * (max(drawn) - min(drawn)) or 1.0
        return min(drawn) - room, max(drawn) + room

    def screen(self) -> go.Figure:
        """Return the figure for the screen, of which a part can be chosen."""
        shown = figure(height=290, showlegend=False, **_BRUSHED)
        low, high = self._ends
        # Arrays, because thousands of single numbers take longer to write than all of a page of cards.
        x, y, looked = np.array(self.x, np.float32), np.array(self.y, np.float32), np.array(self.shown, bool)
        numbers = np.array(self.numbers, np.int32)
        for part, opacity in ((~looked, _SOLID * _NOT_LOOKED_AT), (looked, _SOLID)):
            shown.add_scattergl(
                x=x[part], y=y[part], mode="markers", marker={"size": 5, "color": _POINT, "opacity": opacity},
                customdata=numbers[part], hovertemplate=f"#%{{customdata}}: {escaped(self.first)} %{{y:.1f}}, "
                f"{escaped(self.second)} %{{x:.1f}}<extra></extra>",
            )  # fmt: skip
        shown.add_shape(type="line", x0=low, y0=low, x1=high, y1=high, line={"color": GREY, "dash": "dash", "width": 1})
        shown.update_xaxes(title_text=escaped(self.second), range=[low, high], nticks=5)
        shown.update_yaxes(title_text=escaped(self.first), range=[low, high], nticks=5)
        return shown

    def height(self, width: float) -> float:
        """Return how high it is on paper, in inches."""
        return min(3.0, width)

    def draw(self, paper: "Figure", write: Write) -> None:
        """Draw it on paper."""
        axes = paper.subplots()
        low, high = self._ends
        axes.plot([low, high], [low, high], color=GREY, linestyle="--", linewidth=0.8)
        axes.plot(self.x, self.y, linestyle="", marker=".", markersize=2.5, color=SLATE, alpha=0.6, rasterized=True)
        axes.set_xlim(low, high)
        axes.set_ylim(low, high)
        width = float(paper.get_size_inches()[0])
        axes.set_xlabel(write_lines(write, folded(f"{self.second}, {self.metric}", 0.8 * width)))
        axes.set_ylabel(write_lines(write, folded(f"{self.first}, {self.metric}", 0.8 * min(3.0, width))))


@dataclass(frozen=True)
class LeverageCurve(Picture):
    """What is left of a difference without the units that push most, with its interval; and without random ones."""

    how_to_read = "leverage"

    metric: str
    unit: str
    level: float
    share: tuple[float, ...]
    difference: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    random: tuple[float, ...]
    random_low: tuple[float, ...]
    random_high: tuple[float, ...]
    until: tuple[int, float] | None
    says: str
    decimals: int = 2

    @classmethod
    def of(cls, leverage: Leverage) -> "LeverageCurve":
        """Return the picture of a leverage."""
        held = leverage.holds_until
        return cls(
            leverage.metric.name,
            leverage.unit,
            leverage.level,
            tuple((100 * leverage.k / leverage.n).tolist()),
            tuple(leverage.difference.tolist()),
            tuple(leverage.low.tolist()),
            tuple(leverage.high.tolist()),
            tuple(leverage.random.tolist()),
            tuple(leverage.random_low.tolist()),
            tuple(leverage.random_high.tolist()),
            None if held is None else (held.units, 100 * held.share),
            f"{leverage.sentence} {leverage.caution}",
            leverage.metric.decimals,
        )

    @property
    def caption(self) -> str:
        """What the figure shows."""
        return (
            f"Difference in {self.metric} with its {judged_level_text(1 - self.level)} interval without the "
            f"{self.unit}s that push most; dashed grey: without as many random ones, with 90% of the random choices. "
            f"{self.says}"
        )

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data."""
        return (self.metric,)

    @property
    def axis(self) -> str:
        """What the horizontal axis shows."""
        return f"% of {self.unit}s left out"

    def _labels(self, lines: float) -> list[tuple[str, str, float, float]]:
        """Return what stands at the ends of the lines: text, colour, the line's height, and the text's.

        lines: for how many texts above each other there is room.
        """
        ends = [
            (f"{self.unit}s that\npush most", self._colour, self.difference[-1]),
            (f"random\n{self.unit}s", GREY, self.random[-1]),
            ("no\ndifference", INK, 0.0),
        ]
        drawn = [value for row in (self.low, self.high, self.random_low, self.random_high) for value in row]
        drawn = [value for value in (*drawn, 0.0) if np.isfinite(value)]
        places = spread([y for *_, y in ends], (max(drawn) - min(drawn)) / lines)
        return [(*end, place) for end, place in zip(ends, places, strict=True)]

    @property
    def _colour(self) -> str:
        return _FOR_SECOND if self.difference[0] < 0 else _FOR_FIRST

    def screen(self) -> go.Figure:
        """Return the figure for the screen."""
        shown = figure(height=250, showlegend=False, hovermode="x unified", modebar=_SMALL_BAR)
        places = f".{self.decimals}f"
        for low, high, colour in (
            (self.random_low, self.random_high, GREY),
            (self.low, self.high, self._colour),
        ):
            add_band(shown, self.share, low, high, colour)
        shown.add_scatter(
            x=self.share, y=self.random, mode="lines", line={"color": GREY, "dash": "dash"}, name="random ones",
            hovertemplate=f"%{{y:{places}}}",
        )  # fmt: skip
        ends = [list(pair) for pair in zip(self.low, self.high, strict=True)]
        shown.add_scatter(
            x=self.share, y=self.difference, mode="lines", line={"color": self._colour, "width": 2}, customdata=ends,
            name="those that push most",
            hovertemplate=f"%{{y:{places}}} (%{{customdata[0]:{places}}} to %{{customdata[1]:{places}}})",
        )  # fmt: skip
        last = self.share[-1]
        shown.add_shape(type="line", x0=0, x1=last, y0=0, y1=0, line=REFERENCE)
        for text, colour, y, place in self._labels(_ROOM):
            shown.add_scatter(
                x=[last, 1.03 * last], y=[y, place], mode="lines+text", text=["", escaped(text).replace("\n", "<br>")],
                textposition="middle right", textfont={"size": 11}, line={"color": colour, "width": 1},
                cliponaxis=False, hoverinfo="skip", showlegend=False,
            )  # fmt: skip
        if self.until is not None:
            add_upright(shown, self.until[1], line={"color": INK, "width": 1})
            shown.add_annotation(
                x=self.until[1], y=1, yref="paper", text=f"{self.until[0]:,}", showarrow=False, xanchor="left",
                yanchor="top",
            )  # fmt: skip
        shown.update_xaxes(title_text=self.axis, range=[0, 1.04 * last], nticks=5)
        shown.update_yaxes(title_text=escaped(f"difference in {self.metric}"), nticks=5, zeroline=False)
        shown.update_layout(margin_r=78)
        return shown

    def height(self, width: float) -> float:
        """Return how high it is on paper, in inches."""
        return min(2.4, 0.62 * width)

    def draw(self, paper: "Figure", write: Write) -> None:
        """Draw it on paper."""
        axes = paper.subplots()
        draw_band(axes, self.share, self.random_low, self.random_high, GREY)
        draw_band(axes, self.share, self.low, self.high, self._colour)
        axes.plot(self.share, self.random, color=GREY, linestyle="--", linewidth=0.8)
        axes.plot(self.share, self.difference, color=self._colour)
        axes.axhline(0, **PAPER_REFERENCE)
        last = self.share[-1]
        for text, colour, y, place in self._labels(_ROOM):
            axes.plot([last, 1.03 * last], [y, place], color=colour, linewidth=0.6, clip_on=False)
            axes.text(1.05 * last, place, write_lines(write, text), fontsize=7.5, va="center", linespacing=1.0)
        if self.until is not None:
            axes.axvline(self.until[1], color=INK, linewidth=0.8)
            axes.annotate(
                f"{self.until[0]:,}", (self.until[1], 1), (2, -2), xycoords=("data", "axes fraction"),
                textcoords="offset points", va="top", fontsize=7.5,
            )  # fmt: skip
        axes.set_xlim(0, max(self.share[-1], 1e-9))
        axes.set_xlabel(write(self.axis))
        width = float(paper.get_size_inches()[0])
        axes.set_ylabel(write_lines(write, folded(f"difference in {self.metric}", 0.8 * min(2.4, 0.62 * width))))
