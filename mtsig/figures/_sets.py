"""Several test sets: systems by sets, and mean ranks."""

import math
from dataclasses import dataclass
from typing import NamedTuple

from mtsig._probability import points_text
from mtsig.collection import FamilyOverSets, ScoresOverSets
from mtsig.collection._beyond import SetRanks
from mtsig.figures._look import INK, SLATE, legible_on, name_lines, shorts
from mtsig.figures._marks import Axis, Cells, Line, Mark, Picture, Plane, Points, Room, Scene
from mtsig.inference import groups

_NAMES = 0.45
"""At most so much of the paper's width is for names."""

_NEAR, _FAR = (232, 237, 244), (73, 88, 112)
"""Colours of the set's best and of the system that is farthest behind in any set."""

_INNER = 0.40
"""Half of the side of a cell's frame."""

_INKS = ("#000000", "#ffffff")
"""Colours of frames: what can be seen on the cell."""

_ROOMY = 14
"""Up to so many sets a cell has room for a score on the screen."""

_FRAMED = "framed: not significantly different from its set's best"
_CELL_NAMES = 0.36
"""The same where cells need the room."""


class HeatCell(NamedTuple):
    """One system in one set: its score, how far it is behind the set's best, and whether the two are together."""

    row: int
    column: int
    score: float
    behind: float
    with_best: bool


@dataclass(frozen=True)
class SetHeat(Picture):
    """A heat map of systems and test sets, by distance from the set's best.

    A system that a set lacks has no cell there. decimals: the number of decimals of the scores.
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
        """Return the picture of all compared systems and sets.

        scored: the scores, needed for comparisons from a study; otherwise scores are computed from the statistics.

        Raises
        ------
        NotApplicable
            No scores are given, and the comparisons come from a study, which keeps no statistics.
        """
        order = family_over_sets.averages.order if family_over_sets.averages is not None else ()
        systems = list(
            dict.fromkeys(
                [
                    *order,
                    *(name for each_family in family_over_sets.families.values() for name in each_family.order),
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
        """The caption of the figure."""
        metric = self.metric if self.higher_is_better else f"{self.metric} (lower is better)"
        return (
            f"{metric} of every system in every test set; darker means farther behind the best of its set. "
            "Framed: systems not significantly different from the best of their set (corrected), which does not mean "
            "equal. Systems are ordered by their mean. Scores of different sets are not comparable."
        )

    def colour(self, cell: HeatCell) -> str:
        """Return the background colour of a cell."""
        largest = max(item.behind for item in self.cells) or 1.0
        share = cell.behind / largest
        return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in zip(_NEAR, _FAR, strict=True))

    def text(self, cell: HeatCell) -> str:
        """Return the text of a cell: the score, with one decimal less than in tables."""
        return points_text(cell.score, max(0, self.decimals - 1))

    def scene(self, room: Room) -> Scene:
        """Return the cells with their scores and frames, in black or white for contrast."""
        colours = [self.colour(cell) for cell in self.cells]
        marks: list[Mark] = [Cells(
            x=[cell.column for cell in self.cells], y=[cell.row for cell in self.cells], colours=colours,
            texts=[self.text(cell) for cell in self.cells], written=len(self.sets) <= _ROOMY,
            hover=[self._said(cell) for cell in self.cells],
        )]  # fmt: skip
        for ink in _INKS:
            framed = [cell for cell in self.cells if cell.with_best and legible_on(self.colour(cell)) == ink]
            points = [point for cell in framed for point in (*_frame(cell), (None, None))]
            if points:
                x, y = zip(*points, strict=True)
                marks.append(Line(x=x, y=y, width=2, colour=ink, hover=""))
        names, lines = list(shorts(self.systems)), 1
        sets, wide = shorts(self.sets), len(self.sets)
        if room.on_paper:
            names, lines = name_lines(names, _CELL_NAMES * room.width)
        x_axis = Axis(
            names=sets, range=(-0.55, wide - 0.45), top=True, bare=True, grid=False,
            slant=90 if room.on_paper else 45, share=min(1.0, max(0.4, wide / 6)),
        )  # fmt: skip
        y_axis = Axis(names=names, range=(len(self.systems) - 0.45, -0.55), bare=True, grid=False)
        high = (0.05 + 0.14 * lines) * len(self.systems) + 0.45 + 0.055 * max(map(len, sets))
        # What frames are drawn in is made for cells; the page may be of the same colour.
        sample = Points(x=(), y=(), symbol="square-open", size=13, colour=room.line, name=_FRAMED)
        plane = Plane(marks, x_axis, y_axis)
        return Scene([plane], high if room.on_paper else 150 + 34 * len(self.systems), "below", [sample])

    def _said(self, cell: HeatCell) -> str:
        behind = points_text(cell.behind, self.decimals)
        said = "best of its set" if cell.behind == 0 else f"{behind} behind the best of its set"
        together = ", not significantly different from it" if cell.with_best and cell.behind else ""
        names = f"{self.systems[cell.row]}, {self.sets[cell.column]}"
        return f"{names}\n{points_text(cell.score, self.decimals)} {self.metric}: {said}{together}"


def _frame(cell: HeatCell) -> list[tuple[float, float]]:
    sides = ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))
    return [(cell.column + _INNER * x, cell.row + _INNER * y) for x, y in sides]


def _scores(
    family_over_sets: FamilyOverSets, scored: ScoresOverSets | None, name: str
) -> tuple[dict[str, float], bool]:
    """Return the scores of a set by system, and their direction."""
    if scored is not None:
        own = scored.intervals[name]
        return {score.system: score.score for score in own}, own.higher_is_better
    statistics = family_over_sets.statistics.of[name]
    return dict(zip(statistics.systems, statistics.scores.tolist(), strict=True)), statistics.metric.higher_is_better


_LANE = 0.55
"""Rows from one bar to the next, and from the last to the first system."""

_TITLE = "mean rank, 1 is best"
_JOINED = "not significantly different from each other"


@dataclass(frozen=True)
class RankDiagram(Picture):
    """Mean ranks; bars join neighbours that do not differ significantly.

    cliques: the first and the last position of each group without significant differences. critical: the critical
    difference of mean ranks; NaN if pairs are tested by another method.
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
        """The caption of the figure."""
        how = f", by Nemenyi; the critical difference is {self.critical:.2f}" if not math.isnan(self.critical) else ""
        return (
            f"Mean ranks over {self.sets} test sets. Bars join systems that do not differ significantly{how}. Each "
            "set's score is treated as exact, and the sets as a sample of sets."
        )

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

    def scene(self, room: Room) -> Scene:
        """Return the ranks, the lines from ranks to bars, and the critical difference."""
        rows, (low, _) = len(self.systems), self._range
        stems = [point for row, rank in enumerate(self.ranks)
                 for point in ((low, row), (rank, row), (rank, self._top), (None, None))]  # fmt: skip
        x, y = zip(*stems, strict=True)
        marks: list[Mark] = [
            Line(x=x, y=y, width=1, colour=INK, opacity=0.6, hover=""),
            Points(x=self.ranks, y=list(range(rows)), size=10, colour=SLATE, hover="mean rank %{x:.2f}<extra></extra>"),
        ]
        for number in range(len(self.cliques)):
            ends, height = self._bar(number)
            marks.append(Line(x=ends, y=[height] * 2, width=6, colour=room.line, name=_JOINED, hover="", group=_JOINED))
        if not math.isnan(self.critical):
            critical, named = (1, 1 + self.critical), f"critical difference {self.critical:.2f}"
            level = [self._lane(-1)] * 2
            marks.append(Line(x=critical, y=level, ends=True, colour=SLATE, name=named, hover=""))
        names, lines = list(shorts(self.systems)), 1
        if room.on_paper:
            names, lines = name_lines(names, _NAMES * room.width)
        most = 6 if room.on_paper else None
        x_axis = Axis(
            title=room.title(_TITLE), range=self._range, top=True, whole=True, most=most, grid=None if most else True
        )
        y_axis = Axis(names=names, range=(rows - 0.4, self._top), bare=True, grid=False)
        height = 0.85 + (0.06 + 0.12 * lines) * (rows - self._top) if room.on_paper else 90 + 30 * (rows - self._top)
        return Scene([Plane(marks, x_axis, y_axis)], height, "below")
