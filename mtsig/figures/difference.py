"""Difference bar: one difference with its interval against zero, and the smallest difference worth finding."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from mtsig.figures.compared import adjusted_ends_of, ahead
from mtsig.figures.look import GREY, Verdict, shorts, text_columns, verdict_colour
from mtsig.figures.picture import PAPER_REFERENCE, Picture, Write, folded, write_lines
from mtsig.figures.screen import REFERENCE, add_upright, escaped, faded, figure, title_lines
from mtsig.inference import Comparison, level_text, points_text, verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SHARE = 0.3
"""Of the way to the strongest colour: light enough to stand out on the shade in a dark theme."""


_BESIDE = 20
"""Two names of more columns together have no room beside each other on a phone."""


def _judged_apart(comparison: Comparison) -> bool:
    """Return whether 0 is judged by another interval than that of the pair alone."""
    return comparison.corrected and comparison.family_size > 1


@dataclass(frozen=True)
class DifferenceBar(Picture):
    """One difference, its interval, zero, and where there is one the smallest difference worth finding.

    thin: the ends of the interval by which 0 is judged, where that is another one. towards: "better" where the first
    system is, "worse" where the second is, else the word of the verdict.
    """

    how_to_read = "difference"

    metric: str
    first: str
    second: str
    difference: float
    low: float
    high: float
    level: float
    towards: Verdict
    worth: float | None = None
    decimals: int = 2
    higher_is_better: bool = True
    thin: tuple[float, float] | None = None

    @classmethod
    def of(cls, comparison: Comparison, worth: float | None = None, higher_is_better: bool = True) -> "DifferenceBar":
        """Return the picture of a comparison; higher_is_better: the direction of its metric."""
        decided = verdict(comparison)
        first, second = shorts([comparison.first, comparison.second])
        thin = adjusted_ends_of(comparison, comparison.first)
        return cls(
            comparison.metric,
            first,
            second,
            comparison.difference,
            comparison.low,
            comparison.high,
            comparison.level,
            "worse" if decided.winner == comparison.second else decided.word,
            None if worth is None else abs(worth),
            comparison.decimals,
            higher_is_better,
            None if math.isnan(thin[0]) or not _judged_apart(comparison) else thin,
        )

    @property
    def caption(self) -> str:
        """What the figure shows."""
        worth = "" if self.worth is None else f" Shaded: differences smaller than the {self.worth:g} worth finding."
        difference = ahead(self.first, self.second, self.higher_is_better, by="By")
        return (
            f"{difference} in {self.metric} with its {level_text(self.level)} interval{self._thin_text}; right of zero "
            f"{self.first} is ahead, left of it {self.second}.{worth}"
        )

    @property
    def _thin_text(self) -> str:
        if self.thin is None:
            return ""
        return " (thick, of this pair alone) and its adjusted interval (thin), by which 0 is judged"

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data."""
        return (self.first, self.second, self.metric)

    @property
    def axis(self) -> str:
        """What the axis shows."""
        interval = f"with {level_text(self.level)} interval"
        if not self.higher_is_better:
            return f"by how much {self.first} is better, in {self.metric}, {interval}"
        return f"{self.first} − {self.second}, {self.metric}, {interval}"

    @property
    def reach(self) -> tuple[float, float]:
        """Where the axis begins and ends: everything drawn is inside, zero too."""
        ends = [end for end in (self.low, self.high, self.difference, 0.0, *(self.thin or ())) if end == end]
        if self.worth is not None:
            ends += [-self.worth, self.worth]
        room = 0.12 * (max(ends) - min(ends)) or 1.0
        return min(ends) - room, max(ends) + room

    def screen(self) -> go.Figure:
        """Return the figure for the screen."""
        colour = verdict_colour(self.towards, _SHARE)
        told = [points_text(value, self.decimals, signed=True) for value in (self.difference, self.low, self.high)]
        shown = figure(showlegend=False, margin={"l": 10, "r": 10, "b": 10})
        if self.worth is not None:
            add_upright(shown, -self.worth, self.worth, fillcolor=faded(GREY, 0.18), line_width=0, layer="below")
            for side in (-self.worth, self.worth):
                add_upright(shown, side, line={"color": GREY, "dash": "dot", "width": 2})
        add_upright(shown, 0, line=REFERENCE)
        if self.thin is not None:
            shown.add_scatter(
                x=self.thin, y=[0, 0], mode="lines", line={"width": 1.5, "color": colour}, hoverinfo="skip"
            )
            told.append(" to ".join(points_text(value, self.decimals, signed=True) for value in self.thin))
        adjusted = f"<br>adjusted CI {told[3]}" if self.thin is not None else ""
        shown.add_scatter(
            x=[self.difference],
            y=[0],
            mode="markers",
            marker={"size": 13, "color": colour},
            error_x={
                "type": "data", "symmetric": False, "array": [self.high - self.difference],
                "arrayminus": [self.difference - self.low], "thickness": 4 if self.thin is None else 6,
                "width": 10 if self.thin is None else 0, "color": colour,
            },
            hovertemplate=f"{told[0]}{adjusted}<br>{level_text(self.level)} {told[1]} to {told[2]}<extra></extra>",
        )  # fmt: skip
        # Each name above its own side of zero, at the edges, long ones on lines of their own: they meet on no width.
        sides = ((f"◂ {self.second} ahead", 0, "left"), (f"{self.first} ahead ▸", 1, "right"))
        long = text_columns(self.first + self.second) > _BESIDE
        for line, (text, at, anchor) in enumerate(sides):
            place = {"x": at, "y": 1.0, "xref": "paper", "yref": "paper", "xanchor": anchor, "yanchor": "bottom"}
            shown.add_annotation(text=escaped(text), showarrow=False, yshift=16 * line * long, **place)
        title = title_lines(self.axis)
        shown.update_layout(height=150 + 16 * (long + len(title) - 1), margin_t=50 if long else 34)
        shown.update_yaxes(visible=False, range=[-1, 1])
        shown.update_xaxes(title_text="<br>".join(title), range=list(self.reach), zeroline=False)
        return shown

    def height(self, width: float) -> float:
        """Return how high it is on paper, in inches."""
        return 0.85 + 0.12 * folded(self.axis, 0.9 * width).count("\n")

    def draw(self, paper: "Figure", write: Write) -> None:
        """Draw it on paper."""
        axes = paper.subplots()
        if self.worth is not None:
            axes.axvspan(-self.worth, self.worth, color=GREY, alpha=0.2, linewidth=0)
        axes.axvline(0, **PAPER_REFERENCE)
        error = [[self.difference - self.low], [self.high - self.difference]]
        colour = verdict_colour(self.towards, _SHARE)
        thick = {"capsize": 3} if self.thin is None else {"capsize": 0, "elinewidth": 2.4}
        axes.errorbar([self.difference], [0], xerr=error, fmt="o", color=colour, markersize=5, **thick)
        if self.thin is not None:
            axes.hlines(0, *self.thin, color=colour, linewidth=0.8)
        axes.set_xlim(*self.reach)
        axes.set_ylim(-1, 1)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        width = 0.9 * float(paper.get_size_inches()[0])
        axes.set_xlabel(write_lines(write, folded(self.axis, width)), linespacing=1.0)
