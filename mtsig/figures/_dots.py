"""Dots with intervals in rows, of scores and of differences, in panels side by side."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal

from mtsig._probability import interval_text, level_text, points_text
from mtsig._say import lines_of, minus_text
from mtsig._writing import short_among, shorts
from mtsig.corpus._notes import number_of
from mtsig.errors import UnknownName
from mtsig.figures import _look, _matrix
from mtsig.figures._look import Verdict
from mtsig.figures._marks import PAGE_HEIGHT, Axis, Line, Mark, Picture, Plane, Points, Room, Rule, Scene, Words
from mtsig.inference import Comparison, Family, Intervals, JointStatements
from mtsig.inference._verdict import verdict

_NAMES = 0.45
"""At most so much of the paper's width is for names."""

_PANELS = (0.95, 0.75, 0.5)
"""Inches of paper that a panel needs, that do where all then stand in one row, and that do where else no page would."""

_TICK, _TITLE = 0.26, 0.9
"""Inches that a tick of an axis takes; and the share of a panel that its title may take."""

_SIGN, _PHONE = 0.062, 2.9
"""Inches that a sign of a name takes, and of paper that have room for as many signs as a phone."""

_SYMBOLS: dict[Verdict, str] = {
    "better": "triangle-right", "worse": "triangle-left", "not_significant": "circle-open", "withheld": "x-thin-open",
}  # fmt: skip

COLOURS: dict[Verdict | None, str] = {
    None: _look.SLATE,
    "better": _look.FIRST,
    "worse": _look.SECOND,
    "not_significant": _look.INK,
    "withheld": _look.INK,
}
"""Of estimates, and of differences by what the verdict says of the row's or the picture's system."""

_NOTHING = (math.nan, math.nan)

_OFF = 0.25
"""What lies farther out than this share of the span of the ranked systems is clipped."""

_NUMBER = 0.65
"""From the edge of an axis, the largest share of it that the number of what is off it takes."""

_NUMBERED = 1.5
"""Inches of a panel in which there is room for the number of what is off its axis."""


@dataclass(frozen=True)
class Panel:
    """One axis: an estimate with both ends of its interval for every row, NaN where a row has none.

    verdicts: of differences, None where a row has none; empty of scores. hover: what is known of each row, in lines.
    adjusted: the ends of each row's thin line, NaN where it has none: of differences, the interval by which 0 is
    judged; then the other one is thick. whole: whether only whole numbers have ticks. cuts: rows below which a line
    stands. unranked: rows of systems whose score is not a fair one, drawn hollow. none_at: the value that a line shows
    as no effect; 0 of differences. ranked: the rows of ranked systems, for whose
    intervals the axis is made, so that what is far from them is off it; where there are none it holds every row.
    """

    title: str
    estimate: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    decimals: int
    verdicts: tuple[Verdict | None, ...] = ()
    hover: tuple[str, ...] = ()
    adjusted: tuple[tuple[float, float], ...] = ()
    whole: bool = False
    cuts: tuple[int, ...] = ()
    unranked: tuple[int, ...] = ()
    none_at: float | None = None
    ranked: tuple[int, ...] = ()

    @classmethod
    def of(
        cls, title: str, ends: Sequence[Sequence[float]], decimals: int, verdicts: Sequence[Verdict | None] = (),
        hover: Sequence[str] = (), adjusted: Sequence[tuple[float, float]] = (),
    ) -> "Panel":  # fmt: skip
        """Return it of rows, each with its estimate and both ends."""
        estimate, low, high = (tuple(map(float, column)) for column in zip(*ends, strict=True))
        said = hover or [f"{points_text(x, decimals)}\n{interval_text(a, b, decimals=decimals)}" for x, a, b in ends]
        return cls(title, estimate, low, high, decimals, tuple(verdicts), tuple(said), tuple(adjusted))

    @classmethod
    def of_scores(cls, scored: Intervals, order: Sequence[str]) -> "Panel":
        """Return the scores of systems in an order; systems that the metric does not have are left empty."""
        ends = list(zip(*(column.tolist() for column in scored.in_order(order)), strict=True))
        hover = []
        for name, (estimate, low, high) in zip(order, ends, strict=True):
            interval = f"{level_text(scored.level)} CI {interval_text(low, high, decimals=scored.decimals)}"
            said = f"{name}\n{points_text(estimate, scored.decimals)} {scored.metric}"
            hover.append(said if math.isnan(low) else f"{said}\n{interval}")
        title = scored.metric if scored.higher_is_better else f"{scored.metric} ↓"
        return cls.of(title, ends, scored.decimals, hover=hover)

    @classmethod
    def of_pairs(cls, title: str, family: Family, rows: Sequence[tuple[Comparison | None, str]]) -> "Panel":
        """Return differences, each seen from a system; empty where a row has no comparison."""
        return cls.of(
            title,
            [(math.nan,) * 3 if row is None else _matrix.ends_of(row, name) for row, name in rows],
            family[0].decimals,
            [None if row is None else _matrix.word_of(row, name) for row, name in rows],
            ["" if row is None else "\n".join(lines_of(row, name, family.higher_is_better)) for row, name in rows],
            [_NOTHING if row is None else _matrix.adjusted_ends_of(row, name) for row, name in rows],
        )

    @classmethod
    def of_differences(cls, family: Family, system: str, order: Sequence[str]) -> "Panel":
        """Return the differences of a system from those of an order; empty where it was not compared."""
        compared, name = comparisons_of(family, system), short_among(system, order)
        of_row = f"{name} − row" if family.higher_is_better else f"by how much {name} is better"
        return cls.of_pairs(f"{family.metric}: {of_row}", family, [(compared.get(other), system) for other in order])

    def rows_of(self, word: Verdict | None) -> list[int]:
        """Return the rows with this verdict; of scores, all with None."""
        known = [row for row, value in enumerate(self.estimate) if not math.isnan(value)]
        return [row for row in known if word == (self.verdicts[row] if self.verdicts else None)]

    @property
    def ruled(self) -> list[float]:
        """The value of no effect, where there is one."""
        return [0.0] if self.verdicts else [] if self.none_at is None else [self.none_at]

    @property
    def range(self) -> tuple[float, float]:
        """The ends of the axis: everything that is drawn has room, no effect, too, and zero where nothing is."""
        if self.ranked and any(map(math.isfinite, self.estimate)):
            return self.span(self.ranked)
        ends = (end for both in self.adjusted for end in both)
        drawn = [value for value in (*self.low, *self.high, *self.estimate, *ends) if math.isfinite(value)]
        drawn += self.ruled or ([] if drawn else [0.0])
        room = 0.04 * (max(drawn) - min(drawn)) or 1.0
        return min(drawn) - room, max(drawn) + room

    def thin(self, rows: list[int]) -> list[tuple[int, float, float]]:
        """Return the rows that have a thin line, with its ends."""
        return [(row, *self.adjusted[row]) for row in rows if self.adjusted and not math.isnan(self.adjusted[row][0])]

    @property
    def off(self) -> tuple[int, ...]:
        """The rows whose estimate is outside of the axis."""
        low, high = self.range
        return tuple(row for row, value in enumerate(self.estimate) if value < low or value > high)

    def span(self, ranked: Sequence[int]) -> tuple[float, float]:
        """Return from where to where the axis goes: the ranked rows' intervals, and what is not far outside of them.

        One of them is left out only where that leaves less than half of the axis.
        """
        ends = sorted(self._ends(row) for row in ranked if not math.isnan(self.estimate[row]))
        if not ends:
            ends = sorted(self._ends(row) for row, value in enumerate(self.estimate) if not math.isnan(value))
        while len(ends) > 3:
            whole = _length(ends)
            shorter = next((rest for rest in _without_one(ends) if _length(rest) < whole / 2), None)
            if shorter is None:
                break
            ends = shorter
        low, high = min(end for end, _ in ends), max(end for _, end in ends)
        if self.adjusted:
            low, high = min(low, 0.0), max(high, 0.0)
        room = _OFF * (high - low)
        near = [self._ends(row) for row, value in enumerate(self.estimate) if not math.isnan(value)]
        near = [(one, other) for one, other in near if one >= low - room and other <= high + room]
        low, high = min([low, *(end for end, _ in near)]), max([high, *(end for _, end in near)])
        more = 0.03 * (high - low) or 1.0
        return low - more, high + more

    def _ends(self, row: int) -> tuple[float, float]:
        thin = self.adjusted[row] if self.adjusted else (math.nan, math.nan)
        known = [end for end in (self.low[row], self.estimate[row], self.high[row], *thin) if math.isfinite(end)]
        return min(known), max(known)

    def text(self, row: int) -> str:
        """Return the estimate as it is printed beside its mark; a system's difference from itself is 0."""
        if self.adjusted and math.isnan(self.low[row]) and not self.estimate[row]:
            return "0"
        return points_text(self.estimate[row], self.places, signed=bool(self.adjusted))

    def interval(self, row: int) -> str:
        """Return the interval in numbers: of differences the one that agrees with the verdict, where there are such."""
        decided = any(not math.isnan(low) for low, _ in self.adjusted)
        low, high = self.adjusted[row] if decided else (self.low[row], self.high[row])
        return "" if math.isnan(low) else interval_text(low, high, bool(self.adjusted), self.places)

    @cached_property
    def places(self) -> int:
        """Decimals in the picture: one of scores of 100 points, three of those of 1; of small differences two."""
        known = [abs(value) for value in self.estimate if math.isfinite(value)]
        if max(known, default=0.0) <= 1.0 and not self.adjusted:
            return min(3, self.decimals + 1)
        small = self.adjusted and min((value for value in known if value), default=1.0) < 1
        return min(2, self.decimals) if small else min(1, self.decimals)


def _length(ends: Sequence[tuple[float, float]]) -> float:
    return max(end for _, end in ends) - min(end for end, _ in ends)


def _without_one(ends: list[tuple[float, float]]) -> Iterator[list[tuple[float, float]]]:
    """Yield what is left without the row that reaches out least far up, or least far down."""
    yield ends[1:]
    farthest = max(range(len(ends)), key=lambda at: ends[at][1])
    yield [*ends[:farthest], *ends[farthest + 1 :]]


OFF_AXIS = 7.5
"""Points of the number on paper that says what is off the axis."""


def off_axis(panel: Panel, row: int, span: tuple[float, float], place: float, size: float = 0) -> Iterator[Mark]:
    """Yield a triangle at the edge of the axis, a dotted stub, and the number that is there.

    size: of the number; 0 where it has no room. Of differences none is where it would reach beyond 0.
    """
    at_end = abs(panel.estimate[row] - span[1]) < abs(panel.estimate[row] - span[0])
    edge, towards = (span[1], span[0]) if at_end else (span[0], span[1])
    length = towards - edge
    edge += (0.03 if size else 0.09) * length
    yield Line(x=[edge, edge + 0.08 * length], y=[place] * 2, width=2, dash="dot", colour=_look.SLATE, hover="")
    symbol = "triangle-right-open" if at_end else "triangle-left-open"
    yield Points(x=[edge], y=[place], symbol=symbol, size=11, hover=[panel.hover[row]])
    if size and not (panel.adjusted and 0 <= -edge / length < _NUMBER):
        text = f"{panel.text(row)}, off the axis"
        side: Literal["left", "right"] = "left" if at_end else "right"
        at = edge + 0.1 * length
        yield Words(x=[at], y=[place], texts=[text], side=side, size=size, colour=_look.INK_2[0], hover="")


@dataclass(frozen=True)
class Dots(Picture):
    """Rows by name, first on top, with a dot and an interval in every panel.

    subject: the system whose differences are shown.
    """

    symbols: ClassVar[Mapping[Verdict, str]] = _SYMBOLS
    """The marks of verdicts."""

    names: tuple[str, ...]
    panels: tuple[Panel, ...]
    says: str
    subject: str = ""

    def scene(self, room: Room) -> Scene:
        """Return a plane for every panel; marks are labelled where they are, and the caption says the rest."""
        columns, names, most = 0, list(self.names), None
        inches = (_PHONE - _SIGN * max(map(_look.text_columns, self.names))) / len(self.panels)
        if room.on_paper:
            columns = self._columns(room.width)
            across = self._panels_width(room.width) / columns
            inches, most = _TITLE * across, min(4, int(across / _TICK))
            names, _ = _look.name_lines(self.names, _NAMES * room.width)
        size = 0 if inches < _NUMBERED else OFF_AXIS if room.on_paper else 12
        titles = [_look.folded(panel.title, inches) for panel in self.panels]
        compared = any(panel.verdicts for panel in self.panels)
        high = 80 + 32 * len(self.names) + 18 * (compared + max(title.count("\n") for title in titles))
        y = Axis(names=names, range=(len(self.names) - 0.4, -0.6), bare=True, grid=False)
        planes = [
            Plane(
                self.marks(panel, size),
                Axis(title=title, range=panel.range, most=most, whole=panel.whole, grid=True),
                y,
                corners=("", "better →" if panel.verdicts else ""),
            )
            for panel, title in zip(self.panels, titles, strict=True)
        ]  # fmt: skip
        return Scene(planes, self._height(room.width, columns) if room.on_paper else max(140, high), columns=columns)

    def marks(self, panel: Panel, size: float = 0) -> list[Mark]:
        """Return what stands in a panel: intervals, thin ones below, and dots in the marks of their verdicts.

        size: of the number at a triangle, which is off the axis; 0 where it has no room.
        """
        low, high = panel.range if panel.ranked else (-math.inf, math.inf)
        marks: list[Mark] = [Rule(at=at, upright=True) for at in panel.ruled]
        marks += [Rule(at=row + 0.5) for row in panel.cuts]
        words: list[tuple[Verdict | None, bool]] = [(word, False) for word in self.symbols if panel.verdicts]
        for word, unfair in words or [(None, False), (None, True)]:
            rows = [row for row in panel.rows_of(word) if (row in panel.unranked) == unfair and row not in panel.off]
            if not rows:
                continue
            if thin := panel.thin(rows):
                x = [end for _, low, high in thin for end in (low, high, None)]
                y = [place for row, *_ in thin for place in (row, row, None)]
                marks.append(Line(x=x, y=y, width=1.5, colour=COLOURS[word], hover=""))
            alone = all(math.isnan(panel.low[row]) for row in rows)
            marks.append(Points(
                x=[panel.estimate[row] for row in rows],
                y=rows,
                low=None if alone else [max(panel.low[row], low) for row in rows],
                high=None if alone else [min(panel.high[row], high) for row in rows],
                symbol="circle-open" if unfair else "circle" if word is None else self.symbols[word],
                size=9 if word is None else 11,
                colour=COLOURS[word],
                thickness=5 if panel.adjusted else 2,
                caps=not panel.adjusted,
                hover=[panel.hover[row] for row in rows],
            ))  # fmt: skip
        return [*marks, *(mark for row in panel.off for mark in off_axis(panel, row, panel.range, row, size))]

    def _panels_width(self, width: float) -> float:
        """Return the inches that names leave for the panels."""
        return width - min(_NAMES * width, _SIGN * max(len(name) for name in self.names))

    def _columns(self, width: float) -> int:
        """Return how many panels stand side by side: more of them, narrower ones, where else a page is too short."""
        room, count = self._panels_width(width), len(self.panels)
        wide, close, narrow = (max(1, min(count, int(room / least))) for least in _PANELS)
        if close == count:
            return count
        fitting = (columns for columns in range(wide, narrow + 1) if self._height(width, columns) <= PAGE_HEIGHT)
        # As many rows as that takes, and these as full as can be.
        return -(-count // -(-count // next(fitting, narrow)))

    def _height(self, width: float, columns: int) -> float:
        """Return the same with so many panels side by side."""
        rows = -(-len(self.panels) // columns)
        _, lines = _look.name_lines(self.names, _NAMES * width)
        titles = [_look.folded(panel.title, _TITLE * self._panels_width(width) / columns) for panel in self.panels]
        axis = 0.36 + 0.14 * (1 + max(title.count("\n") for title in titles))
        axis += 0.14 * any(panel.verdicts for panel in self.panels)
        return rows * (axis + (0.07 + 0.12 * lines) * len(self.names))


MARKED = "Filled marks: significant after correction; ○ not significant, which does not mean equal; × withheld."
"""What the marks of differences say."""


@dataclass(frozen=True)
class IntervalBars(Dots):
    """Scores with intervals, and optionally differences from one system."""

    how_to_read = "score-intervals"

    @classmethod
    def of(
        cls, intervals: Intervals | Sequence[Intervals], family: Family | None = None, system: str | None = None
    ) -> "IntervalBars":
        """Return the picture of scores with intervals, one panel for each metric.

        Systems without a score of the first metric are at the bottom, and the caption lists missing scores.

        family: comparisons whose differences from `system` (`None`: the best system) are shown next to the scores. Only
        the intervals of differences compare two systems.
        """
        metrics = [intervals] if isinstance(intervals, Intervals) else list(intervals)
        order = list(dict.fromkeys(scored.systems[i] for scored in metrics for i in scored.order()))
        unranked = {record.system for scored in metrics for record in scored if record.unranked}
        last = tuple(row for row, name in enumerate(order) if name in unranked)
        cuts = tuple(row - 1 for row in last[:1] if row)
        ranked = {name for scored in metrics for name in scored.ranked_systems}
        rows = tuple(row for row, name in enumerate(order) if name in ranked)
        panels = [replace(Panel.of_scores(scored, order), unranked=last, cuts=cuts, ranked=rows) for scored in metrics]
        said = (
            f"{_metrics_text(metrics)}. Intervals of single systems do not show whether two systems differ. "
            "Comparisons of pairs show this."
        )
        if not all(scored.higher_is_better for scored in metrics):
            said += " ↓: lower is better."
        said += "".join(
            _matrix.without_text(
                f" {scored.metric} has no score of", [name for name in order if name not in scored.systems]
            )
            for scored in metrics
        )
        off = any(panel.off for panel in panels)
        said += " A triangle is a score outside of the axis." if off else ""
        said += _matrix.people_text(order)
        hollow = any({*last} - {*panel.off} for panel in panels)
        said += _matrix.without_text(f"{' ○' * hollow} Last, not ranked:", [name for name in order if name in unranked])
        if family is None:
            return cls(shorts(order), tuple(panels), said)
        system = order[0] if system is None else system
        panels.append(Panel.of_differences(family, system, order))
        of_row = minus_text(short_among(system, order), "the row's system", family.higher_is_better)
        said += f" Next to them: {of_row}; the dashed line is at no difference. {MARKED}"
        return cls(shorts(order), tuple(panels), said, short_among(system, order))


def _metrics_text(metrics: Sequence[Intervals]) -> str:
    """Return which metrics have which intervals, over how many units: once where all have as many."""
    counts = [f"{scored.n_units:,} {scored.unit}s" for scored in metrics]
    level = f"with {level_text(metrics[0].level)} CIs"
    if len(set(counts)) == 1:
        return f"{', '.join(scored.metric for scored in metrics)} {level} ({counts[0]})"
    each = (f"{scored.metric} ({count})" for scored, count in zip(metrics, counts, strict=True))
    return f"{', '.join(each)} {level}"


@dataclass(frozen=True)
class Forest(Dots):
    """Differences from one system, with intervals and a mark for the verdict."""

    how_to_read = "differences-from-one"

    @classmethod
    def of(cls, families: Family | Sequence[Family], system: str) -> "Forest":
        """Return the picture of a system's differences from the others.

        families: the comparisons of one or several metrics, with one panel for each; the first metric orders the rows.

        Raises
        ------
        UnknownName
            The system was not compared with any system.
        """
        metrics = [families] if isinstance(families, Family) else list(families)
        compared = {name for family in metrics for name in comparisons_of(family, system)}
        if not compared:
            known = ", ".join(metrics[0].order)
            raise UnknownName(f"No comparison includes a system {system!r}. Known: {known}.")
        order = [
            name for name in dict.fromkeys(name for family in metrics for name in family.order) if name in compared
        ]
        name = short_among(system, order)
        said = differences_text(name, "the row's system", metrics)
        lacking = "".join(
            _matrix.without_text(
                f" {family.metric} does not compare {name} with",
                [other for other in order if other not in comparisons_of(family, system)],
            )
            for family in metrics
        )
        people = _matrix.people_text([system, *order])
        said = f"{said} Dashed: no difference. {MARKED} {intervals_of_metrics(metrics)}{lacking}{people}"
        return cls(shorts(order), tuple(Panel.of_differences(family, system, order) for family in metrics), said, name)


def differences_text(system: str, other: str, families: Sequence[Family]) -> str:
    """Return a sentence on what is shown: the subtraction, and apart the metrics for which it is turned.

    system, other: what the systems are called in it.
    """
    parts: list[str] = []
    for higher in (True, False):
        metrics = ", ".join(family.metric for family in families if family.higher_is_better == higher)
        if metrics:
            parts.append(f"{minus_text(system, other, higher, by='by' if parts else 'By')}, in {metrics}")
    return f"{'; '.join(parts)}."


def comparisons_of(family: Family, system: str) -> dict[str, Comparison]:
    """Return the comparisons of one system, by the name of the other."""
    return {
        comparison.second if comparison.first == system else comparison.first: comparison
        for comparison in family
        if system in (comparison.first, comparison.second)
    }


def intervals_text(comparison: Comparison) -> str:
    """Return one sentence on whether intervals of differences are corrected as their verdicts are."""
    level = level_text(comparison.level)
    if comparison.held_together:
        return f"Intervals: {level}, for all comparisons together."
    if not comparison.corrected or comparison.family_size == 1:
        return f"Intervals: {level}, for each pair alone."
    return (
        f"Intervals: thick, {level} for each pair alone; thin, adjusted for {comparison.family_size:,} comparisons, in "
        "agreement with the verdict."
    )


def intervals_of_metrics(families: Sequence[Family]) -> str:
    """Return the same of every metric: in one sentence where it is the same, else a sentence for each."""
    said: dict[str, list[str]] = {}
    for family in families:
        said.setdefault(intervals_text(family[0]), []).append(family.metric)
    if len(said) == 1:
        return next(iter(said))
    return " ".join(f"{text[:-1]} ({', '.join(metrics)})." for text, metrics in said.items())


_MOST_PAIRS, _COLUMN, _ROOM = 20, 3.0, 7.2
"""Rows of a picture: with more, nobody sees which mark stands in which row; inches of a narrow column, and for rows."""


@dataclass(frozen=True)
class ParallelIntervals(Dots):
    """Differences of pairs, with a row for each pair, a panel for each metric."""

    how_to_read = "together"

    @classmethod
    def of(cls, joint_statements: JointStatements, most: int | None = None) -> "ParallelIntervals":
        """Return the picture of joint statements, with at most so many rows."""
        families, statements = joint_statements.families, joint_statements.statements
        turned = [
            (row.second, row.first) if row.winner == row.second else (row.first, row.second) for row in statements
        ]
        names = [" – ".join(shorts(pair)) for pair in turned[:_MOST_PAIRS]]
        _, lines = _look.name_lines(names, _NAMES * _COLUMN)
        most = min(_MOST_PAIRS, int(_ROOM / (0.07 + 0.12 * lines))) if most is None else most
        names = [" – ".join(shorts(pair)) for pair in turned[:most]]
        lower = [family.metric for family in families if not family.higher_is_better]
        of = f" ({', '.join(lower)}: second minus first, because lower is better)" if lower else ""
        said = (
            f"First system of each row minus the second{of}. Dashed: no difference. {MARKED} Intervals: thick, "
            f"{level_text(families[0].level)} for each pair alone; thin, adjusted. All metrics and pairs are corrected "
            "as one family (Holm)."
        )
        if len(names) > 1:
            said += (
                " Order of the pairs: significant in opposite directions; significant in all metrics, in some, in "
                f"none; withheld. Within each group, pairs are sorted by their {joint_statements.metrics[0]} scores."
            )
            said += _withheld(joint_statements)
        if joint_statements.left_out:
            said += f" Left out: {number_of(len(joint_statements.left_out), 'pair')} not compared on all metrics."
        hidden = len(statements) - len(names)
        if hidden:
            said += f" Not shown: the last {hidden} of {len(statements)} pairs."
        # Joint statements are of pairs that every family has.
        rows = [[(family.pair(*pair), pair[0]) for pair in turned[:most]] for family in families]
        panels = map(Panel.of_pairs, (family.metric for family in families), families, rows)
        return cls(tuple(names), tuple(panels), said, "the first")


def _withheld(joint_statements: JointStatements) -> str:
    """Return on how many pairs nothing is said, and mostly why; nothing where there are none."""
    withheld = sum(row.said == "withheld" for row in joint_statements.statements)
    reasons = Counter(
        reason for family in joint_statements.families for row in family if (reason := verdict(row).withheld_reason)
    )
    if not withheld or not reasons:
        return ""
    (reason, _), *others = reasons.most_common()
    return f" Withheld: {number_of(withheld, 'pair')}, {'mostly ' if others else ''}since {reason}."
