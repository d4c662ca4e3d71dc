"""The league: all systems in rows, their scores as a forest, and beside it all pairs in a matrix with the same rows."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from mtsig._probability import level_text, range_text
from mtsig._say import ci_name
from mtsig._writing import shorts
from mtsig.corpus._notes import is_human, number_of
from mtsig.figures._dots import OFF_AXIS, Panel, off_axis
from mtsig.figures._look import PAGE_INK, SLATE, folded
from mtsig.figures._marks import Axis, Dash, Line, Mark, Picture, Plane, Points, Room, Scene
from mtsig.figures._matrix import Matrix
from mtsig.figures._panels import LANE, Panels
from mtsig.inference import Family, Intervals, Ranks, groups
from mtsig.inference._verdict import verdict

View: TypeAlias = Literal["both", "scores", "matrix"]


@dataclass(frozen=True)
class Row:
    """A system: its name, what stands before it, whether it is ranked, and if not, why not.

    fair: whether its score says anything of it as a system.
    """

    name: str
    number: str
    ranked: bool = True
    reason: str = ""
    fair: bool = True
    human: bool = False


class Rail(NamedTuple):
    """What joins neighbours, no two of which differ significantly: dotted where a pair's verdict is withheld."""

    first: int
    last: int
    lane: int
    dash: Dash = "solid"


@dataclass(frozen=True)
class Column(Panel):
    """One axis: an estimate with the ends of its interval for every row, NaN where a row has none."""

    metric: str = ""
    higher_is_better: bool = True
    short_title: str = ""
    interval_title: str = ""


@dataclass(frozen=True)
class League(Picture):
    """Systems with scores and intervals, best first, then those that are not ranked; and all their pairs.

    ranks: what stands as the rank of each row; empty without. rails: of neighbours that the test leaves together. best:
    whether the first row is better than all others. base: from which system differences are shown, if they are. by: the
    number of the metric of order, ranks and matrix.
    """

    rows: tuple[Row, ...]
    columns: tuple[Column, ...]
    level: float
    ranks: tuple[str, ...] = ()
    rails: tuple[Rail, ...] = ()
    matrix: Matrix | None = None
    best: bool = False
    base: str = ""
    view: View = "both"
    by: int = 0

    how_to_read = "league"

    @classmethod
    def of(
        cls,
        intervals: Intervals | Sequence[Intervals],
        family: Family | None = None,
        ranks: Ranks | None = None,
        base: str = "",
        full: bool = False,
        by: int = 0,
        reasons: Mapping[str, str] | None = None,
    ) -> "League":
        """Return the picture of one metric's scores, or several's, in the order of metric number `by`.

        family: its comparisons, of which come matrix and rails; ranks: ranks by them. base: a system from which
        differences are shown instead of scores. full: every comparison from both sides. reasons: why systems are not
        ranked, where another one is to stand at their names than the comparisons have.
        """
        metrics = [intervals] if isinstance(intervals, Intervals) else list(intervals)
        rows = tuple(_rows([metrics[by], *metrics[:by], *metrics[by + 1 :]], reasons or {}))
        order = [row.name for row in rows]
        columns = tuple(_scores(scored, order) for scored in metrics)
        if base and family is not None:
            columns = (_differences(family, base, order),)
        places = {place.system: place for place in ranks} if ranks is not None else {}
        written = tuple(
            range_text(places[name].rank_low, places[name].rank_high) if ranked and name in places else "–"
            for name, ranked in ((row.name, row.ranked) for row in rows)
        )
        beaten = family is not None and _beats_all(family, order[0], [row.name for row in rows if row.ranked])
        return cls(
            rows,
            columns,
            metrics[by].level,
            written if places else (),
            () if family is None else _lanes(family, order, sum(row.ranked for row in rows)),
            None if family is None or len(order) < 3 else Matrix.of(family, full, order=order),
            beaten,
            base,
            by=by if len(columns) > 1 else 0,
        )

    def alone(self, view: View) -> "League":
        """Return one panel of it, as a narrow page shows it: of several metrics the one that orders the rows."""
        return replace(self, view=view, columns=self.columns[self.by : self.by + 1], by=0)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The systems as they are shown."""
        return shorts([row.name for row in self.rows])

    @property
    def rails_text(self) -> str:
        """What the rails say."""
        dashes = {rail.dash for rail in self.rails}
        solid = "A bar at the left joins systems all of whose pairs are too close to call." if "solid" in dashes else ""
        return f"{solid} {_DOTTED if 'dot' in dashes else ''}".strip()

    @property
    def marks_text(self) -> str:
        """What marks other than dots are, where there is no room to say it at each of them."""
        marks = self.marks(self.columns[0], self.span(self.columns[0]), range(len(self.rows)), inside=False)
        shown = {mark.symbol.removesuffix("-open").partition("-")[0] for mark in marks if isinstance(mark, Points)
                 and mark.symbol.endswith("-open")}  # fmt: skip
        said = {"circle": "○ not ranked", "diamond": "◇ human translation", "triangle": "▷ off the axis"}
        return " · ".join(text for symbol, text in said.items() if symbol in shown)

    @property
    def caption(self) -> str:
        """The caption of the figure."""
        level = level_text(self.level)
        what = ", ".join(column.metric for column in self.columns)
        said = f"{what} with {level} CIs."
        if self.base:
            (base,) = (self.names[at] for at, row in enumerate(self.rows) if row.name == self.base)
            said = f"Differences from {base} in {what}; thick: {level} CI for each pair alone, thin: adjusted."
        said += " Overlapping intervals do not show whether two systems differ."
        left = sum(not row.ranked for row in self.rows)
        said += " Bars at the side join systems without a significant difference." if self.rails else ""
        said += f" {_DOTTED}" if any(rail.dash == "dot" for rail in self.rails) else ""
        said += f" Not ranked: {number_of(left, 'output')}, below the others." if left else ""
        said += f" {self.matrix.caption}" if self.matrix is not None else ""
        return said

    def scene(self, room: Room) -> Scene:
        """Return the forest and the matrix; on paper with one axis for both."""
        if room.on_paper:
            return self._on_paper(room)
        return Panels(self).scene()

    # --- paper ----------------------------------------------------------------------------------------------------

    def _on_paper(self, room: Room) -> Scene:
        """Return the same with names at the axis; a narrow column has room for the forest alone."""
        names = [f"{row.number}  {name}" for row, name in zip(self.rows, self.names, strict=True)]
        both = self.matrix is not None and room.width > _BOTH
        across = room.width * (0.3 if both else 0.6)
        y = Axis(names=names, range=(len(names) - 0.4, -0.6), bare=True, grid=False, size=9.0 if len(names) < 20 else 7)
        places = [float(row) for row in range(len(names))]
        planes = []
        for number, column in enumerate(self.columns):
            span = self.span(column)
            title = folded(column.title, across)
            rails: list[Mark] = [
                Line(
                    x=[6 + LANE * lane] * 2, y=[first - 0.3, last + 0.3], width=4, dash=dash, colour=SLATE, pinned=1.0,
                    hover="",
                )
                for first, last, lane, dash in (self.rails if number == 0 else ())
            ]  # fmt: skip
            marks = [*self.marks(column, span, places, size=OFF_AXIS), *rails]
            planes.append(Plane(marks, Axis(title=title, range=span, most=4, grid=True), y))
        if both and self.matrix is not None:
            planes.append(self._paper_matrix(self.matrix, y))
        lines = 3 if both else 0
        return Scene(planes, 0.62 + 0.19 * len(names) + 0.17 * lines, "below" if both else "")

    def _paper_matrix(self, matrix: Matrix, y: Axis) -> Plane:
        size = len(self.rows)
        marks: list[Mark] = [
            matrix.cells_of(word, name, signs)
            for (word, name), signs in zip(matrix.legend(True).items(), matrix.legend(False).values(), strict=True)
        ]
        ranked = sum(row.ranked for row in self.rows)
        marks += [Line(x=[ranked - 0.5] * 2, y=[-0.5, size - 0.5], width=2, hover="")] if ranked < size else []
        step = 1 if size <= 20 else 5
        heads = [(at, row.number) for at, row in enumerate(self.rows) if not at % step or not row.ranked]
        return Plane(marks, Axis(ticks=heads, range=(-0.5, size - 0.5), top=True, bare=True, grid=False, size=7), y)

    # --- both -----------------------------------------------------------------------------------------------------

    def span(self, column: Column) -> tuple[float, float]:
        """Return the ends of an axis, the worse one first."""
        low, high = column.span([at for at, row in enumerate(self.rows) if row.ranked])
        return (low, high) if column.higher_is_better or self.base else (high, low)

    def marks(
        self, column: Column, span: tuple[float, float], places: Sequence[float], *, dot: int = 10, inside: bool = True,
        size: float = 12,
    ) -> list[Mark]:  # fmt: skip
        """Return intervals and dots at these heights; what is off the axis is a triangle at its edge.

        dot: how wide a dot is. inside: whether there is room for numbers beside triangles, of this size.
        """
        low, high = sorted(span)
        shown: dict[str, list[int]] = {}
        half = (places[1] - places[0]) / 2 if len(places) > 1 else 0.5
        ends = [places[0] - half, places[-1] + half]
        marks: list[Mark] = [Line(x=[0.0, 0.0], y=ends, hover="")] if self.base else []
        for row, value in enumerate(column.estimate):
            if math.isnan(value):
                continue
            if not low <= value <= high:
                marks += off_axis(column, row, span, places[row], size if inside else 0)
            else:
                of = self.rows[row]
                symbol = "diamond-open" if of.human else "circle" if of.fair or self.base else "circle-open"
                shown.setdefault(symbol, []).append(row)
        for symbol, rows in shown.items():
            if column.adjusted:
                thin = column.thin(rows)
                x = [end for _, one, other in thin for end in (max(one, low), min(other, high), None)]
                y = [at for row, *_ in thin for at in (places[row], places[row], None)]
                marks.append(Line(x=x, y=y, width=1.5, colour=SLATE, hover=""))
            dashed = symbol == "circle-open"
            if dashed:
                x = [end for row in rows for end in (column.low[row], column.high[row], None)]
                y = [at for row in rows for at in (places[row], places[row], None)]
                marks.append(Line(x=x, y=y, width=2, dash="dash", colour=SLATE, hover=""))
            marks.append(Points(
                x=[column.estimate[row] for row in rows],
                y=[places[row] for row in rows],
                low=None if dashed else [max(column.low[row], low) for row in rows],
                high=None if dashed else [min(column.high[row], high) for row in rows],
                symbol=symbol,
                size=dot + (symbol == "diamond-open"),
                colour=PAGE_INK,
                spread=SLATE,
                thickness=5 if column.adjusted else 2.5,
                caps=not column.adjusted,
                hover=[column.hover[row] for row in rows],
            ))  # fmt: skip
        return marks


_DOTTED = "A dotted bar joins systems of which a pair's verdict is withheld."

_BOTH = 5.0
"""Inches of paper that have room for both panels."""


def _rows(metrics: Sequence[Intervals], reasons: Mapping[str, str]) -> Iterator[Row]:
    """Yield the ranked systems by score in the first metric, then the others with the reason."""
    order = list(dict.fromkeys(name for scored in metrics for name in _by_score(scored)))
    unranked = {record.system: record.unranked for scored in metrics for record in scored if record.unranked}
    contending = {name for scored in metrics for name in scored.ranked_systems}
    for number, name in enumerate((name for name in order if name in contending), 1):
        yield Row(name, str(number), human=is_human(name))
    for letter, name in enumerate(name for name in order if name not in contending):
        reason = reasons.get(name) or unranked.get(name, "").removeprefix(f"{name!r} ").removeprefix("is ")
        mark = chr(ord("a") + letter % 26) * (1 + letter // 26)
        human = is_human(name) and not reason
        yield Row(name, mark, False, reason or "human translation", fair=human, human=human)


def _by_score(scored: Intervals) -> list[str]:
    sign = -1 if scored.higher_is_better else 1
    return [record.system for record in sorted(scored, key=lambda record: sign * record.score)]


def _scores(scored: Intervals, order: Sequence[str]) -> Column:
    level = f"{level_text(scored.level)} CI{'' if scored.higher_is_better else ' · better →'}"
    titles = {"title": f"{scored.metric}, with {level}", "short_title": f"{scored.metric}, {level}"}
    panel = {**vars(Panel.of_scores(scored, order)), **titles}
    title = f"{level_text(scored.level)} CI"
    return Column(**panel, metric=scored.metric, higher_is_better=scored.higher_is_better, interval_title=title)


def _differences(family: Family, base: str, order: Sequence[str]) -> Column:
    """Return by how much every system is ahead of one."""
    pairs = [(family.pair(base, name) if name != base else None, name) for name in order]
    panel = Panel.of_pairs(f"{family.metric}, difference from {shorts(order)[list(order).index(base)]}", family, pairs)
    zero = replace(
        panel,
        estimate=tuple(0.0 if name == base else value for name, value in zip(order, panel.estimate, strict=True)),
        hover=tuple(said or name for name, said in zip(order, panel.hover, strict=True)),
    )
    title = f"Difference in {family.metric}"
    return Column(**vars(zero), metric=family.metric, short_title=title, interval_title=ci_name(family))


def _beats_all(family: Family, best: str, ranked: Sequence[str]) -> bool:
    pairs = [family.pair(best, name) for name in ranked if name != best]
    return bool(pairs) and all(pair is not None and verdict(pair).winner == best for pair in pairs)


def _lanes(family: Family, order: Sequence[str], ranked: int) -> tuple[Rail, ...]:
    """Return the rail of each group of ranked neighbours, in lanes so that no two of one lane touch."""
    ends: list[int] = []
    rails = []
    withheld = [{row.first, row.second} for row in family if verdict(row).word == "withheld"]
    place = {name: at for at, name in enumerate(order[:ranked])}
    for group in groups(family):
        members = sorted(place[name] for name in group if name in place)
        if len(members) < 2 or members[-1] - members[0] != len(members) - 1:
            continue
        first, last = members[0], members[-1]
        lane = next((number for number, end in enumerate(ends) if end < first), len(ends))
        ends[lane:] = [last, *ends[lane + 1 :]]
        rails.append(Rail(first, last, lane, "dot" if any(pair <= {*group} for pair in withheld) else "solid"))
    return tuple(rails)
