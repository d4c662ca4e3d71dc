"""People's verdicts beside a metric's: a mark for every pair, people's difference over the metric's."""

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from mtsig.figures.look import BLUES, GREY, OCHRES, PALE, VERMILLION, short
from mtsig.figures.picture import PAPER_REFERENCE, Picture, Write, folded, write_lines
from mtsig.figures.screen import REFERENCE, escaped, faded, figure
from mtsig.inference import points_text
from mtsig.meta_eval import VerdictTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# What is said of a pair: its words, colour, and mark on the screen and on paper.
_LOOK: dict[str, tuple[str, str, str, str]] = {
    "both, contrary": ("both, contrary", VERMILLION, "x", "x"),
    "both, same": ("both, the same", BLUES[1], "circle", "o"),
    "people only": ("people only", OCHRES[0], "triangle-up", "^"),
    "metric only": ("metric only", BLUES[0], "triangle-right", ">"),
    "neither": ("neither", GREY, "circle-open", "o"),
    "undecided": ("undecided", GREY, "cross-thin-open", "+"),
}


@dataclass(frozen=True)
class PairMark:
    """One pair, turned so that the metric's difference is not negative.

    The intervals' ends are NaN where there are none.
    """

    first: str
    second: str
    said: str
    metric: tuple[float, float, float]
    human: tuple[float, float, float]


@dataclass(frozen=True)
class VerdictMarks(Picture):
    """Every pair by both differences: below the line people see the other order.

    decimals: of the metric's differences, and of people's.
    """

    how_to_read = "verdicts"

    human: str
    metric: str
    pairs: tuple[PairMark, ...]
    decimals: tuple[int, int]

    @classmethod
    def of(cls, verdict_table: VerdictTable) -> "VerdictMarks":
        """Return the picture of a table of verdicts."""
        marks = []
        for pair in verdict_table.pairs:
            metric = pair.metric_difference, pair.metric_low, pair.metric_high
            human = pair.human_difference, pair.human_low, pair.human_high
            if metric[0] < 0:
                marks.append(PairMark(pair.second, pair.first, pair.said, _turned(*metric), _turned(*human)))
            else:
                marks.append(PairMark(pair.first, pair.second, pair.said, metric, human))
        decimals = verdict_table.metric_decimals, verdict_table.human_decimals
        return cls(short(verdict_table.human), short(verdict_table.metric), tuple(marks), decimals)

    @property
    def caption(self) -> str:
        """What the figure shows."""
        return (
            f"Every pair of systems by its difference in {self.metric} and in {self.human}, the system that "
            f"{self.metric} prefers first; below the dashed line people prefer the other one. Lines: intervals of "
            "people's differences. Marks: whose corrected verdict separates the pair."
        )

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data."""
        return self.human, self.metric

    @property
    def kinds(self) -> list[str]:
        """What is said of some pair, contradictions first."""
        return [said for said in _LOOK if any(pair.said == said for pair in self.pairs)]

    def of_kind(self, said: str) -> list[PairMark]:
        """Return the pairs of which this is said."""
        return [pair for pair in self.pairs if pair.said == said]

    def screen(self) -> go.Figure:
        """Return the figure for the screen."""
        shown = figure(height=420, legend={"orientation": "h", "yanchor": "bottom", "y": 1.02, "x": 0})
        for said in self.kinds:
            words, colour, symbol, _ = _LOOK[said]
            marks = self.of_kind(said)
            below, above = zip(*(_reach(pair_mark.human) for pair_mark in marks), strict=True)
            shown.add_scatter(
                x=[pair_mark.metric[0] for pair_mark in marks],
                y=[pair_mark.human[0] for pair_mark in marks],
                mode="markers",
                name=f"{words} ({len(marks)})",
                marker={"symbol": symbol, "size": 10, "color": colour, "line": {"width": 2, "color": colour}},
                error_y={
                    "type": "data", "symmetric": False, "array": above, "arrayminus": below, "thickness": 1, "width": 0,
                    "color": colour,
                },
                hovertext=["<br>".join(self._lines(pair_mark)) for pair_mark in marks],
                hoverinfo="text",
            )  # fmt: skip
        shown.add_hline(y=0, line=REFERENCE)
        grid = {"gridcolor": faded(PALE, 0.25), "zeroline": False}
        shown.update_xaxes(title_text=escaped(f"difference in {self.metric}"), rangemode="tozero", **grid)
        shown.update_yaxes(title_text=escaped(f"difference in {self.human}"), **grid)
        return shown

    def _lines(self, pair_mark: PairMark) -> list[str]:
        """Return in lines what is known of a pair."""
        said = _LOOK[pair_mark.said][0]
        first, second = escaped(short(pair_mark.first)), escaped(short(pair_mark.second))
        differences = pair_mark.metric[0], pair_mark.human[0]
        metric, human = map(partial(points_text, signed=True), differences, self.decimals)
        return [f"{first} minus {second}", f"{escaped(self.metric)} {metric}", f"{escaped(self.human)} {human}", said]

    def height(self, width: float) -> float:
        """Return how high it is on paper, in inches."""
        return 0.75 * min(width, 3.5) + 0.16 * len(self.kinds)

    def draw(self, paper: "Figure", write: Write) -> None:
        """Draw it on paper."""
        from matplotlib.lines import Line2D

        axes = paper.subplots()
        axes.axhline(0, **PAPER_REFERENCE)
        handles = []
        for said in self.kinds:
            words, colour, _, marker = _LOOK[said]
            marks = self.of_kind(said)
            style: dict[str, Any] = {"marker": marker, "color": colour, "markersize": 4, "linestyle": ""}
            style |= {"markerfacecolor": "white"} if said == "neither" else {}
            reach = list(zip(*(_reach(pair_mark.human) for pair_mark in marks), strict=True))
            x, y = (
                [ends[0] for ends in (getattr(pair_mark, side) for pair_mark in marks)] for side in ("metric", "human")
            )
            axes.errorbar(x, y, yerr=reach, ecolor=colour, elinewidth=0.4, **style)
            handles.append(Line2D([], [], label=write(f"{words} ({len(marks)})"), **style))
        axes.set_xlim(left=0)
        width = 0.8 * float(paper.get_size_inches()[0])
        axes.set_xlabel(write_lines(write, folded(f"difference in {self.metric}", width)), linespacing=1.0)
        axes.set_ylabel(write_lines(write, folded(f"difference in {self.human}", 2.0)), linespacing=1.0)
        paper.legend(handles=handles, loc="outside lower left")


def _turned(difference: float, low: float, high: float) -> tuple[float, float, float]:
    return -difference, -high, -low


def _reach(ends: tuple[float, float, float]) -> tuple[float, float]:
    """Return how far an interval reaches below and above its estimate; 0 where there is none."""
    estimate, low, high = ends
    return (0.0, 0.0) if math.isnan(low) else (max(0.0, estimate - low), max(0.0, high - estimate))
