"""Critical-difference diagram: mean ranks of systems over test sets, joined where nothing separates them."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from mtsig.figures.look import INK, SLATE, shorts
from mtsig.figures.picture import Picture, Write, folded, name_lines, write_lines
from mtsig.figures.screen import AXIS, faded, figure, name_axis
from mtsig.sets import SetRanks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LANE = 0.55
"""Rows from one bar to the next, and from the last to the first system."""

_TITLE = "mean rank, 1 is best"
_JOINED = "not separated from each other"

_NAMES = 0.45
"""At most so much of the paper's width is for names."""


@dataclass(frozen=True)
class RankDiagram(Picture):
    """Mean ranks, best on top and at the left; bars above join the neighbours that are not separated.

    cliques: the first and the last place of each group of neighbours that nothing separates. critical: how far mean
    ranks must lie apart; NaN where pairs are tested otherwise.
    """

    how_to_read = "rank-diagram"

    systems: tuple[str, ...]
    ranks: tuple[float, ...]
    cliques: tuple[tuple[int, int], ...]
    critical: float
    sets: int

    @classmethod
    def of(cls, set_ranks: SetRanks) -> "RankDiagram":
        """Return the picture."""
        place = {name: number for number, name in enumerate(set_ranks.systems)}
        joined = tuple((place[clique[0]], place[clique[-1]]) for clique in set_ranks.cliques)
        return cls(set_ranks.systems, set_ranks.mean_ranks, joined, set_ranks.critical_difference, set_ranks.sets)

    @property
    def caption(self) -> str:
        """What the figure shows."""
        how = f", by Nemenyi; the critical difference is {self.critical:.2f}" if not math.isnan(self.critical) else ""
        return (
            f"Mean ranks over {self.sets} test sets. Bars join systems that are not separated{how}. Each set's score "
            "is taken as exact, and the sets as a sample of sets."
        )

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data."""
        return shorts(self.systems)

    def _lane(self, number: int) -> float:
        """Return the height of a bar in rows: groups stand above the systems, the critical difference on top."""
        return -0.6 - _LANE * (len(self.cliques) - number)

    @property
    def _top(self) -> float:
        return self._lane(-1 if math.isnan(self.critical) else -2)

    def _bar(self, number: int) -> tuple[tuple[float, float], float]:
        """Return from where to where a group's bar goes, and its height; ends reach a little beyond the systems."""
        first, last = self.cliques[number]
        reach = 0.012 * len(self.systems)
        return (self.ranks[first] - reach, self.ranks[last] + reach), self._lane(number)

    @property
    def _range(self) -> tuple[float, float]:
        # Ranks are among all systems, of which some may not be shown.
        return 0.8, max(len(self.systems), *self.ranks, 1 + (0 if math.isnan(self.critical) else self.critical)) + 0.2

    def screen(self) -> go.Figure:
        """Return the figure for the screen."""
        rows = len(self.systems)
        shown = figure(
            height=round(90 + 30 * (rows - self._top)),
            legend={"orientation": "h", "x": 0, "y": -0.02, "yanchor": "top", "itemclick": False},
        )
        stems = [(rank, row) for row, rank in enumerate(self.ranks)]
        low, _ = self._range
        x = [value for rank, _ in stems for value in (low, rank, rank, None)]
        y = [value for _, row in stems for value in (row, row, self._top, None)]
        shown.add_scatter(
            x=x, y=y, mode="lines", line={"color": faded(INK, 0.6), "width": 1}, showlegend=False, hoverinfo="skip"
        )
        shown.add_scatter(
            x=self.ranks,
            y=list(range(rows)),
            mode="markers",
            marker={"size": 10, "color": SLATE},
            showlegend=False,
            hovertemplate="mean rank %{x:.2f}<extra></extra>",
        )
        for number in range(len(self.cliques)):
            ends, height = self._bar(number)
            line = {"color": INK, "width": 6}
            shown.add_scatter(
                x=ends, y=[height] * 2, mode="lines", line=line, name=_JOINED, showlegend=number == 0, hoverinfo="skip"
            )
        if not math.isnan(self.critical):
            shown.add_scatter(
                x=[1, 1 + self.critical],
                y=[self._lane(-1)] * 2,
                mode="lines+markers",
                line={"color": SLATE, "width": 2},
                marker={"symbol": "line-ns-open", "size": 11, "color": SLATE, "line": {"width": 2}},
                name=self._critical_text,
                hoverinfo="skip",
            )
        shown.update_xaxes(**{**AXIS, "zeroline": False, "side": "top", "range": list(self._range)})
        shown.update_xaxes(gridcolor=faded(INK, 0.2), title_text=_TITLE)
        return shown.update_yaxes(**name_axis(shorts(self.systems)), range=[rows - 0.4, self._top], showgrid=False)

    @property
    def _critical_text(self) -> str:
        return f"critical difference {self.critical:.2f}"

    def height(self, width: float) -> float:
        """Return how high it is on paper, in inches."""
        _, lines = name_lines(shorts(self.systems), _NAMES * width)
        row = 0.06 + 0.12 * lines
        return 0.85 + row * (len(self.systems) - self._top)

    def draw(self, paper: "Figure", write: Write) -> None:
        """Draw it on paper."""
        from matplotlib.ticker import MaxNLocator

        width = float(paper.get_size_inches()[0])
        axes = paper.subplots()
        low, high = self._range
        for row, rank in enumerate(self.ranks):
            axes.plot([low, rank, rank], [row, row, self._top], color=INK, linewidth=0.5)
        axes.plot(self.ranks, range(len(self.ranks)), linestyle="", marker="o", markersize=3.5, color=SLATE)
        for number in range(len(self.cliques)):
            ends, height = self._bar(number)
            label = _JOINED if number == 0 else None
            axes.plot(ends, [height] * 2, color="black", linewidth=2.5, solid_capstyle="butt", label=label)
        if not math.isnan(self.critical):
            axes.plot(
                [1, 1 + self.critical],
                [self._lane(-1)] * 2,
                color=SLATE,
                linewidth=1,
                marker="|",
                label=self._critical_text,
            )
        axes.set_xlim(low, high)
        axes.set_ylim(len(self.ranks) - 0.4, self._top)
        names, _ = name_lines(shorts(self.systems), _NAMES * width)
        axes.set_yticks(range(len(names)), [write_lines(write, name) for name in names])
        axes.tick_params(axis="y", length=0)
        axes.xaxis.tick_top()
        axes.xaxis.set_label_position("top")
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        axes.set_xlabel(write(folded(_TITLE, width)))
        axes.spines[["left", "bottom"]].set_visible(False)
        axes.spines["top"].set_visible(True)
        if self.cliques or not math.isnan(self.critical):
            paper.legend(*axes.get_legend_handles_labels(), loc="outside lower left")
