"""Several test sets: systems by sets, mean ranks, and one pair in each set with its average."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple

from mtsig._probability import ends_text, level_text, p_number, points_text
from mtsig._say import adjusts, ci_name, lines_of, minus_text
from mtsig._writing import short, shorts
from mtsig.collection import FamilyOverSets, ScoresOverSets
from mtsig.collection._beyond import SetRanks
from mtsig.corpus._notes import number_of
from mtsig.errors import UnknownName
from mtsig.figures import _look, _marks
from mtsig.figures._dots import Dots, Panel, intervals_text
from mtsig.figures._look import INK, SLATE, legible_on, name_lines
from mtsig.figures._marks import Axis, Column, Line, Mark, Picture, Plane, Points, Room, Rule, Scene, Shape, Text, Words
from mtsig.figures._matrix import adjusted_ends_of, ends_of, word_of
from mtsig.inference import Comparison, groups

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
                [*order, *(name for each_family in family_over_sets.families.values() for name in each_family.order)]
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
            f"{metric} of every system in every test set. The darker a cell, the farther the system is behind the best "
            "of its set. Framed: systems that do not differ significantly from the best of their set (corrected); this "
            "does not mean equal. Systems are ordered by their mean. Scores of different sets are not comparable."
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
        marks: list[Mark] = [_marks.Cells(
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
            f"Mean ranks over {self.sets} test sets. Bars join systems that do not differ significantly{how}. The "
            "method treats the scores of each set as exact, and the sets as a random sample."
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


Order = Literal["difference", "name"]

_HALF = 0.28
"""Half of a diamond's height, in rows."""

_EXPECTED = "Expected in one more set"

_Ends = tuple[float, float, float]
_NONE: _Ends = (math.nan,) * 3

_NUMBERS, _BOUNDS, _P = 84, 98, 336
"""Pixels at which the columns beside a forest are aligned, from its right end."""

_SETS_AT, _UNITS_AT = -248, -24
"""The same from its left end."""


class Told(NamedTuple):
    """What is said of a row in numbers: units, difference, the ends of its interval, corrected p."""

    units: str = ""
    difference: str = ""
    ends: str = ""
    p: str = ""


@dataclass(frozen=True)
class SetForest(Dots):
    """A forest plot with test sets, their average and a prediction.

    sets: the names of the sets. mean: the average and the limits of its unadjusted interval; NaN without an interval.
    adjusted_mean: the limits of its adjusted interval, which agrees with the verdict in `word`. further: the limits of
    the prediction interval for a new test set; NaN for the reason in `not_further`. told: every row in numbers.
    """

    how_to_read = "forest-of-sets"

    symbols: ClassVar[Mapping[_look.Verdict, str]] = {
        "better": "square", "worse": "square", "not_significant": "circle-open", "withheld": "x-thin-open",
    }  # fmt: skip

    sets: tuple[str, ...] = ()
    mean: _Ends = _NONE
    adjusted_mean: tuple[float, float] = _NONE[:2]
    word: _look.Verdict = "withheld"
    further: tuple[float, float] = _NONE[:2]
    not_further: str = ""
    told: tuple[Told, ...] = ()
    other: str = ""
    unit: str = ""
    level: str = ""
    metric: str = ""
    interval_title: str = ""

    @classmethod
    def of(cls, family_over_sets: FamilyOverSets, first: str, second: str, by: Order = "difference") -> "SetForest":
        """Return the picture of a pair's differences on the sets with both.

        by: whether to sort rows by difference, the largest on top, or by the names of the sets.

        Raises
        ------
        UnknownName
            These two systems are not compared on any set.
        """
        compared = compared_in(family_over_sets, first, second)
        if not compared:
            raise UnknownName(f"No test set contains both {first!r} and {second!r}.")
        order = sorted(compared, key=lambda name: -ends_of(compared[name], first)[0] if by == "difference" else name)
        rows = [compared[name] for name in order]
        average = None if family_over_sets.averages is None else family_over_sets.averages.pair(first, second)
        mean, adjusted = (_NONE, _NONE[:2]) if average is None else (
            ends_of(average, first), adjusted_ends_of(average, first)
        )  # fmt: skip
        further, not_further = _further(family_over_sets, first, second)
        names, ends = list(shorts(order)), [ends_of(row, first) for row in rows]
        told, decimals = [_told(row, first) for row in rows], rows[0].decimals
        if average is not None:
            # No dot: what stands in these rows is drawn by itself, and the axis has room for it.
            names += [f"Average of these {len(rows)}", _EXPECTED]
            ends += [(math.nan, *mean[1:]), (math.nan, *further)]
            expected = "" if math.isnan(further[0]) else " to ".join(ends_text(*further, decimals, signed=True))
            told += [_told(average, first)._replace(units=""), Told(ends=expected)]
        more = len(names) - len(order)
        higher = all(family.higher_is_better for family in family_over_sets.families.values())
        hover = [(name, *lines_of(compared[name], first, higher)) for name in order]
        outer = [adjusted_ends_of(row, first) for row in rows] + [adjusted, _NONE[:2]][:more]
        panel = Panel(
            f"{rows[0].metric}: {minus_text(short(first), short(second), higher, '−')}",
            tuple(end[0] for end in ends),
            tuple(end[1] for end in ends),
            tuple(end[2] for end in ends),
            decimals,
            (*(word_of(row, first) for row in rows), *(None for _ in range(more))),
            (*("\n".join(lines) for lines in hover), *("" for _ in range(more))),
            tuple(outer),
        )
        difference = minus_text(short(first), short(second), higher, by="By")
        said = [f"{difference} in {rows[0].metric}, in each of {number_of(len(rows), 'test set')}."]
        said += ["■ significant after correction, ○ not significant, which does not mean equal."]
        wide = "its interval" if math.isnan(adjusted[0]) else "its interval alone, the line its adjusted one"
        said += [] if average is None else [f"Diamond: the average over these sets; its width is {wide}."]
        said += [] if math.isnan(further[0]) else ["Dotted: prediction interval for the difference in a new set."]
        said += [intervals_text(rows[0])]
        return cls(
            tuple(names), (panel,), " ".join(said), short(first), tuple(order), mean, adjusted,
            "withheld" if average is None else word_of(average, first), further, not_further, tuple(told),
            short(second), rows[0].unit, level_text(rows[0].level), rows[0].metric, ci_name(rows[0]),
        )  # fmt: skip

    @property
    def narrows(self) -> bool:
        """Whether the figure changes on narrow screens."""
        return True

    def scene(self, room: Room) -> Scene:
        """Return the rows, with the average and the prediction below.

        On screen, labels are next to the marks, so the figure has no key.
        """
        scene = super().scene(room)
        (plane,), (panel,), count = scene.planes, self.panels, len(self.sets)
        # Whoever hovers or clicks meets the squares that know their set.
        marks: list[Mark] = [replace(mark, hover="") for mark in plane.marks]
        if len(self.names) > count:
            marks += [*self._average(room), *self._prediction(room)]
        keys, hover = [[name] for name in self.sets], panel.hover[:count]
        marks.append(_marks.Targets(x=panel.estimate[:count], y=list(range(count)), keys=keys, hover=hover))
        if room.on_paper:
            marks += [Rule(at=count - 0.5, width=1, dash="solid")] if len(self.names) > count else []
            return replace(scene, planes=(replace(plane, marks=marks),))
        marks[0] = Rule(at=0, upright=True, colour=_look.PAGE_INK, width=2, dash="solid")
        marks = [*self._row_lines(room), *marks, *self._sides(room)]
        low, high = panel.range
        ticks = _look.steps_between(low, high, 4 if room.narrow else 8)
        digits = max(0, -min(0, math.floor(math.log10(ticks[1] - ticks[0] + 1e-12)))) if len(ticks) > 1 else 1
        x = Axis(
            range=panel.range,
            ticks=[(tick, points_text(tick, digits, signed=bool(tick)) if tick else "0") for tick in ticks],
            grid=True,
        )
        rows = (len(self.names) - 0.4, -1.3)
        if room.narrow:
            names = ["\n".join(_look.wrapped(name, _PHONE_NAME)) for name in self.names]
            y = replace(plane.y, range=rows, names=names)
            columns = [self._column("", [told.difference for told in self.told], 52, bold=list(range(len(self.names))))]
            margins = (10, 60, 16)
        else:
            y = replace(plane.y, range=rows, names=(), ticks=())
            columns, margins = self._numbers(), (-_SETS_AT, _P, 32)
        shown = replace(plane, marks=marks, x=x, y=y, columns=columns, corners=("", ""))
        return replace(scene, planes=(shown,), key="", samples=(), height=80 + 36 * len(self.names), margins=margins)

    def _row_lines(self, room: Room) -> list[Mark]:
        """Return thin lines between the rows, on a wide screen also under their numbers, and one above the average."""
        above_average = len(self.sets) - 0.5
        edges = [row + 0.5 for row in range(len(self.names))]
        across: list[tuple[float | None, tuple[float, float]]] = [(None, self.panels[0].range)]
        across += [] if room.narrow else [(0.0, (_SETS_AT, 0)), (1.0, (0, _P))]
        return [
            Line(
                x=[*ends, None] * len(some), y=[end for edge in some for end in (edge, edge, None)], width=1,
                colour=colour, opacity=opacity, pinned=pinned, hover="",
            )
            for some, colour, opacity in (
                ([edge for edge in edges if edge != above_average], _look.PALE, _look.GRID),
                ([edge for edge in edges[:-1] if edge == above_average], INK, 1.0),
            )
            for pinned, ends in across
            if some
        ]  # fmt: skip

    def _sides(self, room: Room) -> list[Mark]:
        """Return who is ahead on either side of 0, next to it: above the rows there is nothing else beside the axis."""
        word = "" if room.narrow else " ahead"
        sides: tuple[tuple[str, int, Literal["left", "right"], str], ...] = (
            (f"{self.subject}{word} →", 1, "right", _look.FIRST_TEXT[0]),
            (f"← {self.other}{word}", -1, "left", _look.SECOND_TEXT[0]),
        )
        return [
            Text(x=0, y=-0.85, text=text, across=6 * sign, side=side, size=13, bold=True, colour=colour)
            for text, sign, side, colour in sides
        ]

    def _average(self, room: Room) -> list[Mark]:
        """Return the diamond, as wide as the average's own interval, and behind it the line of the adjusted one."""
        row, (middle, low, high), colour = len(self.sets), self.mean, _look.verdict_colour(self.word, 0.6)
        marks: list[Mark] = []
        if not math.isnan(self.adjusted_mean[0]):
            marks.append(Line(x=self.adjusted_mean, y=[row] * 2, width=1.5, colour=colour, hover=""))
        if not math.isnan(low):
            marks.append(Shape(
                x=(low, middle, high, middle), y=(row, row - _HALF, row, row + _HALF), colour=colour, hover="",
                name="" if room.on_paper else "average",
            ))  # fmt: skip
        return marks

    def _prediction(self, room: Room) -> list[Mark]:
        """Return the dotted line of one more set, or in words why nothing is said of one."""
        row = len(self.sets) + 1
        if math.isnan(self.further[0]):
            why = self.not_further.partition(";")[0]
            text = "\n".join(_look.wrapped(why, _PHONE_TEXT)) if room.narrow or room.on_paper else why
            low, high = self.panels[0].range
            size = 7.5 if room.on_paper else 13
            return [Words(x=[(low + high) / 2], y=[row], texts=[text], size=size, colour=_look.INK_2[0], hover="")]
        return [Line(
            x=self.further, y=[row] * 2, width=3, dash="dot", ends=True, colour=_look.FIRST, hover="",
            name="" if room.on_paper else _EXPECTED,
        )]  # fmt: skip

    def _column(self, title: str, texts: Sequence[str], at: int, **look: Any) -> Column:
        return Column(title=title, rows=list(range(len(self.names))), texts=texts, at=at, **look)

    def _numbers(self) -> list[Column]:
        """Return what stands beside the rows of a wide screen."""
        units, differences, ends, ps = zip(*self.told, strict=True)
        decided = [row for row, word in enumerate((*self.panels[0].verdicts[: len(self.sets)], self.word))
                   if word in ("better", "worse")]  # fmt: skip
        every = list(range(len(self.names)))
        names = [f"{name}\n{self.level} prediction interval" if name == _EXPECTED and not math.isnan(self.further[0])
                 else name for name in self.names]  # fmt: skip
        return [
            self._column("Test set", names, _SETS_AT, align="left", bold=[*decided, *every[len(self.sets) :]]),
            self._column(f"{self.unit.capitalize()}s", units, _UNITS_AT, quiet=True),
            # Both titles are read as one.
            self._column("Difference", differences, _NUMBERS, bold=every),
            self._column(f"in {self.metric}, {self.interval_title}", ends, _BOUNDS, align="left", quiet=True),
            self._column("Adjusted p", ps, _P, quiet=True),
        ]


_PHONE_NAME, _PHONE_TEXT = 12, 24
"""Columns of a name beside a forest on a phone, and of a text in it."""


def _told(comparison: Comparison, system: str) -> Told:
    difference, low, high = ends_of(comparison, system)
    if adjusts(comparison):
        low, high = adjusted_ends_of(comparison, system)
    decimals = comparison.decimals
    return Told(
        f"{comparison.units:,}",
        points_text(difference, decimals, signed=True),
        "" if math.isnan(low) else " to ".join(ends_text(low, high, decimals, signed=True)),
        p_number(comparison.p_adjusted) if comparison.has_p else "",
    )


def compared_in(family_over_sets: FamilyOverSets, first: str, second: str) -> Mapping[str, Comparison]:
    """Return set -> the comparison of two systems, for the sets that have both."""
    pairs = {name: family.pair(first, second) for name, family in family_over_sets.families.items()}
    return {name: pair for name, pair in pairs.items() if pair is not None}


def _further(family_over_sets: FamilyOverSets, first: str, second: str) -> tuple[tuple[float, float], str]:
    """Return the ends of the prediction interval of one more set, and where there is none why."""
    for described in family_over_sets.described:
        if {described.first, described.second} != {first, second}:
            continue
        if described.further is None or described.not_further:
            return _NONE[:2], described.not_further
        low, high = described.further.predict_low, described.further.predict_high
        return ((low, high) if described.first == first else (-high, -low)), ""
    return _NONE[:2], ""
