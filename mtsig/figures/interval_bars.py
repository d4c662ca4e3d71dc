"""Interval bars: one dot with its confidence interval per system, best on top."""

from dataclasses import dataclass

import plotly.graph_objects as go
from matplotlib.figure import Figure

from mtsig.figures.look import BLUE, shorts
from mtsig.figures.picture import Picture, Write, folded, name_lines, write_lines
from mtsig.figures.screen import escaped, figure, name_axis
from mtsig.inference import Intervals, level_text

_NAMES = 0.5
"""At most so much of the paper's width is for names."""


@dataclass(frozen=True)
class IntervalBars(Picture):
    """Scores as dots with their intervals, best on top."""

    metric: str
    names: tuple[str, ...]
    estimate: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    level: float
    units: str
    decimals: int = 2

    @classmethod
    def of(cls, intervals: Intervals) -> "IntervalBars":
        """Return the picture of scores with intervals."""
        order = intervals.order()
        return cls(
            intervals.metric,
            shorts([intervals.systems[i] for i in order]),
            tuple(float(intervals.score[i]) for i in order),
            tuple(float(intervals.low[i]) for i in order),
            tuple(float(intervals.high[i]) for i in order),
            intervals.level,
            f"{intervals.n_units} {intervals.unit}s",
            intervals.decimals,
        )

    @property
    def caption(self) -> str:
        """What the figure shows."""
        return (
            f"{self.metric} with {level_text(self.level)} intervals ({self.units}). Intervals of single systems do not "
            "tell whether two systems differ; the comparisons of pairs do."
        )

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data."""
        return (*self.names, self.metric)

    @property
    def axis(self) -> str:
        """What the axis shows."""
        return f"{self.metric} with {level_text(self.level)} interval"

    @property
    def above(self) -> list[float]:
        """How far each interval reaches above its score."""
        return [high - estimate for high, estimate in zip(self.high, self.estimate, strict=True)]

    @property
    def below(self) -> list[float]:
        """How far each interval reaches below its score."""
        return [estimate - low for low, estimate in zip(self.low, self.estimate, strict=True)]

    def screen(self) -> go.Figure:
        """Return the figure for the screen."""
        places = f":.{self.decimals}f"
        shown = figure(height=80 + 32 * len(self.names), showlegend=False)
        shown.add_scatter(
            x=list(self.estimate),
            y=list(range(len(self.names))),
            mode="markers",
            marker={"size": 9, "color": BLUE},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": self.above,
                "arrayminus": self.below,
                "thickness": 2,
                "width": 5,
                "color": BLUE,
            },
            customdata=[list(ends) for ends in zip(self.low, self.high, strict=True)],
            hovertemplate=f"%{{x{places}}}<br>%{{customdata[0]{places}}} to %{{customdata[1]{places}}}<extra></extra>",
        )
        shown.update_yaxes(**name_axis(self.names), range=[len(self.names) - 0.4, -0.6])
        shown.update_xaxes(title=escaped(self.axis), zeroline=False)
        return shown

    def height(self, width: float) -> float:
        """Return how high it is on paper, in inches."""
        _, lines = name_lines(self.names, _NAMES * width)
        return 0.5 + (0.07 + 0.12 * lines) * len(self.names)

    def draw(self, paper: Figure, write: Write) -> None:
        """Draw it on paper."""
        axes = paper.subplots()
        places = list(range(len(self.names)))
        axes.errorbar(
            self.estimate, places, xerr=[self.below, self.above], fmt="o", color=BLUE, markersize=3.5, capsize=2
        )
        width = float(paper.get_size_inches()[0])
        names, _ = name_lines(self.names, _NAMES * width)
        axes.set_yticks(places, [write_lines(write, name) for name in names])
        axes.set_ylim(len(places) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(write_lines(write, folded(self.axis, 0.5 * width)), linespacing=1.0)
        axes.grid(axis="x")


def interval_bars(intervals: Intervals) -> go.Figure:
    """Return the scores as dots with their intervals, best on top."""
    return IntervalBars.of(intervals).screen()
