"""Heat table: systems × test sets, how far each system is behind its set's best, and whom the test leaves with it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import plotly.graph_objects as go

from mtsig.figures.look import INK, legible_on, shorts
from mtsig.figures.picture import Picture, Write, name_lines, write_lines
from mtsig.figures.screen import LEGEND_BELOW, escaped, figure, name_axis
from mtsig.inference import groups, points_text
from mtsig.sets import FamilyOverSets, ScoresOverSets

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NEAR, _FAR = (232, 237, 244), (73, 88, 112)
"""Colours of the set's best and of the system that is farthest behind in any set."""

_HALF, _INNER = 0.46, 0.40
"""Halves of a cell's side and of its frame's."""

_INKS = ("#000000", "#ffffff")
"""Colours of frames: what can be seen on the cell."""

_ROOMY = 14
"""Up to so many sets a cell has room for a score on the screen."""

_FRAMED = "framed: not separated from its set's best"
_NAMES = 0.36
"""At most so much of the paper's width is for names."""

_SMALLEST = 5.5
"""Points of the smallest number in a cell."""


class HeatCell(NamedTuple):
    """One system in one set: its score, how far it is behind the set's best, and whether the two are together."""

    row: int
    column: int
    score: float
    behind: float
    with_best: bool


@dataclass(frozen=True)
class SetHeat(Picture):
    """Systems by their mean score, sets as they were given; darker the farther behind the set's best.

    A system that a set lacks has no cell there. decimals: of the scores.
    """

    how_to_read = "heat-of-sets"

    metric: str
    systems: tuple[str, ...]
    sets: tuple[str, ...]
    cells: tuple[HeatCell, ...]
    decimals: int
    higher_is_better: bool = True

    @classmethod
    def of(cls, family_over_sets: FamilyOverSets, scored: ScoresOverSets | None = None) -> "SetHeat":
        """Return the picture of all systems and sets that were compared.

        scored: the scores, for comparisons that a study kept; else they are those of what was counted.

        Raises:
            NotApplicable: there are no scores, and the comparisons do not know what they were made from.
        """
        order = family_over_sets.averages.order if family_over_sets.averages is not None else ()
        systems = list(
            dict.fromkeys(
                [
                    *order,
                    *(name for judged_family in family_over_sets.families.values() for name in judged_family.order),
                ]
            )
        )
        sets = list(family_over_sets.families)
        cells = []
        for column, (name, family) in enumerate(family_over_sets.families.items()):
            every, higher_is_better = _scores(family_over_sets, scored, name)
            scores = {system: every[system] for system in family.order}
            known = [score for score in scores.values() if not math.isnan(score)]
            sign = 1 if higher_is_better else -1
            best = max((sign * score for score in known), default=math.nan)
            together = set(next((group for group in groups(family)), ()))
            cells += [
                HeatCell(systems.index(system), column, score, best - sign * score, system in together)
                for system, score in scores.items()
                if not math.isnan(score)
            ]
        decimals = next(iter(family_over_sets.families.values()))[0].decimals
        higher = all(family.higher_is_better for family in family_over_sets.families.values())
        return cls(family_over_sets.metric, tuple(systems), tuple(sets), tuple(cells), decimals, higher)

    @property
    def caption(self) -> str:
        """What the figure shows."""
        metric = self.metric if self.higher_is_better else f"{self.metric} (lower is better)"
        return (
            f"{metric} of every system in every test set; the darker, the farther behind the best of its set. "
            "Framed: the group that the corrected test does not separate from its set's best, which does not mean "
            "equal. Systems stand by their mean. Scores of two sets are not compared."
        )

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data."""
        return (*shorts(self.systems), *shorts(self.sets), self.metric)

    def colour(self, cell: HeatCell) -> str:
        """Return a cell's ground."""
        largest = max(item.behind for item in self.cells) or 1.0
        share = cell.behind / largest
        return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in zip(_NEAR, _FAR, strict=True))

    def text(self, cell: HeatCell) -> str:
        """Return what stands in a cell: the score, with one decimal less than in tables."""
        return points_text(cell.score, max(0, self.decimals - 1))

    def _frames(self, ink: str) -> list[list[tuple[float, float]]]:
        """Return the frames that this colour can be seen of on their cells: black or white."""
        framed = [cell for cell in self.cells if cell.with_best and legible_on(self.colour(cell)) == ink]
        return [[(cell.column + x, cell.row + y) for x, y in _corners(_INNER)] for cell in framed]

    def screen(self) -> go.Figure:
        """Return the figure for the screen."""
        numbered = len(self.sets) <= _ROOMY
        shown = figure(
            height=150 + 34 * len(self.systems),
            barmode="overlay",
            uniformtext={"minsize": 9, "mode": "hide"},
            legend=LEGEND_BELOW,
            dragmode=False,
            hovermode="closest",
        )
        colours = [self.colour(cell) for cell in self.cells]
        texts: dict[str, Any] = {}
        if numbered:
            texts = {"text": [self.text(cell) for cell in self.cells], "textposition": "inside", "textangle": 0}
            texts |= {
                "insidetextanchor": "middle",
                "insidetextfont": {"color": list(map(legible_on, colours)), "size": 13},
            }
        shown.add_bar(
            x=[cell.column for cell in self.cells],
            y=[2 * _HALF] * len(self.cells),
            base=[cell.row - _HALF for cell in self.cells],
            width=2 * _HALF,
            marker={"color": colours, "line": {"width": 0}},
            hovertext=[self._hover(cell) for cell in self.cells],
            hoverinfo="text",
            showlegend=False,
            **texts,
        )
        for ink in _INKS:
            points = [point for frame in self._frames(ink) for point in (*frame, frame[0], (None, None))]
            if points:
                x, y = zip(*points, strict=True)
                line = {"color": ink, "width": 2.5}
                shown.add_scatter(x=x, y=y, mode="lines", line=line, showlegend=False, hoverinfo="skip")
        # What frames are drawn in is made for cells; the page may be of the same colour.
        marker = {"symbol": "square-open", "size": 13, "color": INK, "line": {"width": 2.5}}
        shown.add_scatter(x=[None], y=[None], mode="markers", marker=marker, name=_FRAMED)
        shown.update_xaxes(**{**name_axis(shorts(self.sets)), "showgrid": False}, side="top", tickangle=-45)
        shown.update_xaxes(range=[-0.55, len(self.sets) - 0.45], domain=[0, min(1.0, max(0.4, len(self.sets) / 6))])
        shown.update_yaxes(**{**name_axis(shorts(self.systems)), "showgrid": False})
        return shown.update_yaxes(range=[len(self.systems) - 0.45, -0.55])

    def _hover(self, cell: HeatCell) -> str:
        behind = points_text(cell.behind, self.decimals)
        said = "best of its set" if cell.behind == 0 else f"{behind} behind the best of its set"
        together = ", not separated from it" if cell.with_best and cell.behind else ""
        names = f"{escaped(self.systems[cell.row])}, {escaped(self.sets[cell.column])}"
        return f"{names}<br>{points_text(cell.score, self.decimals)} {escaped(self.metric)}: {said}{together}"

    def height(self, width: float) -> float:
        """Return how high it is on paper, in inches."""
        _, lines = name_lines(shorts(self.systems), _NAMES * width)
        longest = max(map(len, shorts(self.sets)))
        return (0.05 + 0.14 * lines) * len(self.systems) + 0.45 + 0.055 * longest

    def draw(self, paper: "Figure", write: Write) -> None:
        """Draw it on paper."""
        from matplotlib.collections import PolyCollection
        from matplotlib.patches import Patch

        width = float(paper.get_size_inches()[0])
        axes = paper.subplots()
        squares = [[(cell.column + x, cell.row + y) for x, y in _corners(_HALF)] for cell in self.cells]
        colours = [self.colour(cell) for cell in self.cells]
        axes.add_collection(PolyCollection(squares, linewidth=0, facecolor=colours), autolim=False)
        for ink in _INKS:
            frames = PolyCollection(self._frames(ink), linewidth=0.9, facecolor="none", edgecolor=ink)
            axes.add_collection(frames, autolim=False)
        axes.set_xlim(-0.55, len(self.sets) - 0.45)
        axes.set_ylim(len(self.systems) - 0.45, -0.55)
        axes.xaxis.tick_top()
        axes.tick_params(length=0, pad=1.5)
        axes.spines[:].set_visible(False)
        names, _ = name_lines(shorts(self.systems), _NAMES * width)
        axes.set_yticks(range(len(names)), [write_lines(write, name) for name in names])
        axes.set_xticks(range(len(self.sets)), [write(name) for name in shorts(self.sets)], rotation=90)
        room = 72 * (1 - _NAMES) * width / len(self.sets)
        points = min(8.0, room / (0.5 * max(len(self.text(cell)) for cell in self.cells) + 0.6))
        for cell, colour in zip(self.cells, colours, strict=True) if points >= _SMALLEST else ():
            axes.text(
                cell.column, cell.row, self.text(cell), ha="center", va="center_baseline", fontsize=points,
                color=legible_on(colour),
            )  # fmt: skip
        handles = [Patch(facecolor="none", edgecolor="black", linewidth=0.9)]
        paper.legend(handles, [_FRAMED], loc="outside lower left")


def _corners(half: float) -> Sequence[tuple[float, float]]:
    return ((-half, -half), (half, -half), (half, half), (-half, half))


def _scores(
    family_over_sets: FamilyOverSets, scored: ScoresOverSets | None, name: str
) -> tuple[dict[str, float], bool]:
    """Return the scores of a set by system, and their direction."""
    if scored is not None:
        own = scored.intervals[name]
        return {score.system: score.score for score in own}, own.higher_is_better
    statistics = family_over_sets.statistics.of[name]
    return dict(zip(statistics.systems, statistics.scores.tolist(), strict=True)), statistics.metric.higher_is_better
