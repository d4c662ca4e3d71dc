"""Dots with intervals in rows, of scores and of differences, in panels side by side."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from mtsig._probability import level_text
from mtsig.corpus._notes import number_of
from mtsig.errors import UnknownName
from mtsig.figures._look import SLATE, Verdict, folded, name_lines, short, shorts, text_columns, verdict_colour
from mtsig.figures._marks import PAGE_HEIGHT, Axis, Line, Mark, Picture, Plane, Points, Room, Rule, Scene
from mtsig.figures._pair import LEGEND, adjusted_ends_of, ahead, ends_of, lines_of, people_text, without_text, word_of
from mtsig.inference import Comparison, Family, Interval, Intervals, JointStatements, verdict

_NAMES = 0.45
"""At most so much of the paper's width is for names."""

_LEAST_PANEL = 0.95
"""Inches of paper that a panel needs; where not all have room side by side, they stand below each other."""

_CLOSE_PANEL = 0.75
"""Inches that are enough where all panels then stand in one row."""

_NARROW_PANEL = 0.5
"""Inches that are enough where panels below each other would not fit a page."""

_TICK, _TITLE = 0.26, 0.9
"""Inches that a tick of an axis takes; and the share of a panel that its title may take."""

_SIGN = 0.062
"""Inches that a sign of a name takes."""

_PHONE = 2.9
"""Inches of paper that have room for as many signs as a phone."""

_SYMBOLS: dict[Verdict, str] = {
    "better": "triangle-right", "worse": "triangle-left", "not_significant": "circle-open", "withheld": "x-thin-open",
}  # fmt: skip
_NO_DIFFERENCE = "no difference"


@dataclass(frozen=True)
class Panel:
    """One axis: an estimate with both ends of its interval for every row, NaN where a row has none.

    verdicts: of differences, None where a row has none; empty of scores.
    hover: what is known of each row, in lines. adjusted: the ends of each row's thin line, NaN where it has none: of
    differences, the interval by which 0 is judged; then the other one is thick.
    """

    title: str
    estimate: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    decimals: int
    verdicts: tuple[Verdict | None, ...] = ()
    hover: tuple[str, ...] = ()
    adjusted: tuple[tuple[float, float], ...] = ()

    def rows_of(self, word: Verdict | None) -> list[int]:
        """Return the rows with this verdict; of scores, all with None."""
        known = [row for row, value in enumerate(self.estimate) if not math.isnan(value)]
        return [row for row in known if word == (self.verdicts[row] if self.verdicts else None)]

    @property
    def range(self) -> tuple[float, float]:
        """The ends of the axis: everything that is drawn has room, zero too where differences are."""
        ends = (end for both in self.adjusted for end in both)
        drawn = [value for value in (*self.low, *self.high, *self.estimate, *ends) if math.isfinite(value)]
        if self.verdicts:
            drawn.append(0.0)
        room = 0.04 * (max(drawn) - min(drawn)) or 1.0
        return min(drawn) - room, max(drawn) + room

    def thin(self, rows: list[int]) -> list[tuple[int, float, float]]:
        """Return the rows that have a thin line, with its ends."""
        return [(row, *self.adjusted[row]) for row in rows if self.adjusted and not math.isnan(self.adjusted[row][0])]


@dataclass(frozen=True)
class Dots(Picture):
    """Rows by name, first on top, with a dot and an interval in every panel.

    subject: the system whose differences are shown, and of whom legends speak.
    """

    names: tuple[str, ...]
    panels: tuple[Panel, ...]
    says: str
    subject: str = ""

    @property
    def caption(self) -> str:
        """What the figure shows."""
        return self.says

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data, or may hold some of it."""
        return (*self.names, *(panel.title for panel in self.panels), self.subject)

    @property
    def legend(self) -> dict[Verdict, str]:
        """What the marks of differences say."""
        words = {word for panel in self.panels for word in panel.verdicts}
        of = f"{self.subject} " if self.subject else ""
        return {
            word: of + text if word in ("better", "worse") else text for word, text in LEGEND.items() if word in words
        }

    def scene(self, room: Room) -> Scene:
        """Return a plane for every panel."""
        compared = any(panel.verdicts for panel in self.panels)
        samples: list[Mark] = [
            Points(x=(), y=(), symbol=_SYMBOLS[word], size=11, colour=verdict_colour(word, 0.5), name=text)
            for word, text in self.legend.items()
        ]
        samples += [Rule(at=0, name=_NO_DIFFERENCE)] if samples else []
        columns, names, most = 0, list(self.names), None
        inches = (_PHONE - _SIGN * max(map(text_columns, self.names))) / len(self.panels)
        if room.on_paper:
            columns = self._columns(room.width)
            across = self._panels_width(room.width) / columns
            inches, most = _TITLE * across, min(4, int(across / _TICK))
            names, _ = name_lines(self.names, _NAMES * room.width)
        titles = [folded(panel.title, inches) for panel in self.panels]
        high = 80 + 32 * len(self.names) + 45 * compared + 18 * max(title.count("\n") for title in titles)
        y = Axis(names=names, range=(len(self.names) - 0.4, -0.6), bare=True, grid=False)
        planes = [
            Plane(self.marks(panel), Axis(title=title, range=panel.range, most=most, grid=True), y)
            for panel, title in zip(self.panels, titles, strict=True)
        ]
        return Scene(
            planes,
            self._height(room.width, columns) if room.on_paper else max(140, high),
            ("below" if room.on_paper else "above") if samples else "",
            samples,
            columns,
        )

    def marks(self, panel: Panel) -> list[Mark]:
        """Return what stands in a panel: intervals, thin ones below, and dots in the marks of their verdicts."""
        marks: list[Mark] = [Rule(at=0, upright=True)] if panel.verdicts else []
        places = f":.{panel.decimals}f"
        for word in list(self.legend) if panel.verdicts else [None]:
            rows = panel.rows_of(word)
            if not rows:
                continue
            colour = SLATE if word is None else verdict_colour(word, 0.5)
            if thin := panel.thin(rows):
                x = [end for _, low, high in thin for end in (low, high, None)]
                y = [place for row, *_ in thin for place in (row, row, None)]
                marks.append(Line(x=x, y=y, width=1.5, colour=colour, hover=""))
            marks.append(Points(
                x=[panel.estimate[row] for row in rows],
                y=rows,
                low=[panel.low[row] for row in rows],
                high=[panel.high[row] for row in rows],
                symbol="circle" if word is None else _SYMBOLS[word],
                size=9 if word is None else 11,
                colour=colour,
                thickness=5 if panel.adjusted else 2,
                caps=not panel.adjusted,
                keys=[[panel.low[row], panel.high[row]] for row in rows],
                hover=[panel.hover[row] for row in rows] if panel.hover else (
                    f"%{{x{places}}}<br>%{{customdata[0]{places}}} to %{{customdata[1]{places}}}<extra></extra>"
                ),
            ))  # fmt: skip
        return marks

    def _panels_width(self, width: float) -> float:
        """Return the inches that names leave for the panels."""
        return width - min(_NAMES * width, _SIGN * max(len(name) for name in self.names))

    def _columns(self, width: float) -> int:
        """Return how many panels stand side by side: more of them, narrower ones, where else a page is too short."""
        room, count = self._panels_width(width), len(self.panels)
        wide, close, narrow = (
            max(1, min(count, int(room / least))) for least in (_LEAST_PANEL, _CLOSE_PANEL, _NARROW_PANEL)
        )
        if close == count:
            return count
        fitting = (columns for columns in range(wide, narrow + 1) if self._height(width, columns) <= PAGE_HEIGHT)
        # As many rows as that takes, and these as full as can be.
        return -(-count // -(-count // next(fitting, narrow)))

    def _entries(self, width: float) -> list[str]:
        texts = [*self.legend.values(), *([_NO_DIFFERENCE] if self.legend else [])]
        return [folded(text, 0.85 * width) for text in texts]

    def _height(self, width: float, columns: int) -> float:
        """Return the same with so many panels side by side."""
        rows = -(-len(self.panels) // columns)
        _, lines = name_lines(self.names, _NAMES * width)
        titles = [folded(panel.title, _TITLE * self._panels_width(width) / columns) for panel in self.panels]
        axis = 0.36 + 0.14 * (1 + max(title.count("\n") for title in titles))
        legend = sum(0.16 * (1 + text.count("\n")) for text in self._entries(width))
        return rows * (axis + (0.07 + 0.12 * lines) * len(self.names)) + legend


@dataclass(frozen=True)
class IntervalBars(Dots):
    """Scores as dots with their intervals, best on top; beside them, it may be, the differences from one system."""

    how_to_read = "score-intervals"

    @classmethod
    def of(
        cls, intervals: Intervals | Sequence[Intervals], family: Family | None = None, system: str | None = None
    ) -> "IntervalBars":
        """Return the picture of scores with intervals: of several metrics, a panel each, in the order of the first.

        Systems that the first does not have stand below, and the caption says which metric has no score of which.

        family: comparisons whose differences from `system` (the best, when None) stand beside the scores: intervals of
        single scores do not compare two systems, those of differences do.
        """
        metrics = [intervals] if isinstance(intervals, Intervals) else list(intervals)
        order = list(dict.fromkeys(scored.systems[i] for scored in metrics for i in scored.order()))
        panels = [_scores_panel(scored, order) for scored in metrics]
        said = (
            f"{_metrics_text(metrics)}. Intervals of single systems do not tell "
            "whether two systems differ; the comparisons of pairs do."
        )
        if not all(scored.higher_is_better for scored in metrics):
            said += " ↓: lower is better."
        said += "".join(
            without_text(f" {scored.metric} has no score of", [name for name in order if name not in scored.systems])
            for scored in metrics
        )
        said += people_text(order)
        if family is None:
            return cls(shorts(order), tuple(panels), said)
        system = order[0] if system is None else system
        panels.append(differences_panel(family, system, order))
        of_row = ahead(short(system), "the row's system", family.higher_is_better)
        said += f" Beside them: {of_row}; dashed: no difference."
        return cls(shorts(order), tuple(panels), said, short(system))


def _metrics_text(metrics: Sequence[Intervals]) -> str:
    """Return which metrics have which intervals, over how many units: once where all have as many."""
    counts = [f"{scored.n_units:,} {scored.unit}s" for scored in metrics]
    level = f"with {level_text(metrics[0].level)} intervals"
    if len(set(counts)) == 1:
        return f"{', '.join(scored.metric for scored in metrics)} {level} ({counts[0]})"
    each = (f"{scored.metric} ({count})" for scored, count in zip(metrics, counts, strict=True))
    return f"{', '.join(each)} {level}"


def _scores_panel(intervals: Intervals, order: Sequence[str]) -> Panel:
    """Return the scores of systems in an order; systems that the metric does not have are left empty."""
    missing = Interval(float("nan"), float("nan"), float("nan"), intervals.level, "")
    rows = [intervals[name] if name in intervals.systems else missing for name in order]
    return Panel(
        intervals.metric if intervals.higher_is_better else f"{intervals.metric} ↓",
        tuple(float(row.estimate) for row in rows),
        tuple(float(row.ci_low) for row in rows),
        tuple(float(row.ci_high) for row in rows),
        intervals.decimals,
    )


@dataclass(frozen=True)
class Forest(Dots):
    """Differences with intervals and the mark of their verdict, one row for each other system, best on top."""

    how_to_read = "differences-from-one"

    @classmethod
    def of(cls, families: Family | Sequence[Family], system: str) -> "Forest":
        """Return the differences of a system from all that it was compared with.

        families: of one metric, or of several, a panel each; rows are in the order of the first.

        Raises:
            UnknownName: the system was compared with none.
        """
        metrics = [families] if isinstance(families, Family) else list(families)
        compared = {name for family in metrics for name in comparisons_of(family, system)}
        if not compared:
            known = ", ".join(metrics[0].order)
            raise UnknownName(f"No comparison is about a system called {system!r}. Known: {known}.")
        order = [
            name for name in dict.fromkeys(name for family in metrics for name in family.order) if name in compared
        ]
        said = differences_text(short(system), "the row's system", metrics)
        lacking = "".join(
            without_text(
                f" {family.metric} does not compare {short(system)} with",
                [name for name in order if name not in comparisons_of(family, system)],
            )
            for family in metrics
        )
        return cls(
            shorts(order),
            tuple(differences_panel(family, system, order) for family in metrics),
            f"{said} Dashed: no difference. {intervals_of_metrics(metrics)}{lacking}{people_text([system, *order])}",
            short(system),
        )


def differences_text(system: str, other: str, families: Sequence[Family]) -> str:
    """Return a sentence on what is shown: the subtraction, and apart the metrics for which it is turned.

    system, other: what the systems are called in it.
    """
    parts: list[str] = []
    for higher in (True, False):
        metrics = ", ".join(family.metric for family in families if family.higher_is_better == higher)
        if metrics:
            parts.append(f"{ahead(system, other, higher, by='by' if parts else 'By')}, in {metrics}")
    return f"{'; '.join(parts)}."


def comparisons_of(family: Family, system: str) -> dict[str, Comparison]:
    """Return the comparisons of one system, by the name of the other."""
    return {
        second if first == system else first: comparison
        for comparison in family
        for first, second in [(comparison.first, comparison.second)]
        if system in (first, second)
    }


def intervals_text(comparison: Comparison) -> str:
    """Return one sentence on whether intervals of differences are corrected as their verdicts are."""
    level = level_text(comparison.level)
    if comparison.held_together:
        return f"Intervals: {level}, for all comparisons together."
    if not comparison.corrected or comparison.family_size == 1:
        return f"Intervals: {level}, each by itself."
    return (
        f"Intervals: thick, {level} of each pair alone; thin, adjusted for {comparison.family_size:,} comparisons, by "
        "which 0 is judged."
    )


def intervals_of_metrics(families: Sequence[Family]) -> str:
    """Return the same of every metric: in one sentence where it is the same, else a sentence for each."""
    said: dict[str, list[str]] = {}
    for family in families:
        said.setdefault(intervals_text(family[0]), []).append(family.metric)
    if len(said) == 1:
        return next(iter(said))
    return " ".join(f"{text[:-1]} ({', '.join(metrics)})." for text, metrics in said.items())


_NOWHERE = (float("nan"), float("nan"))


def differences_panel(family: Family, system: str, order: Sequence[str]) -> Panel:
    """Return the differences of a system from those of an order; empty where it was not compared."""
    compared = comparisons_of(family, system)
    rows = [compared.get(name) for name in order]
    of_row = f"{short(system)} − row" if family.higher_is_better else f"by how much {short(system)} is better"
    known = [() if row is None else lines_of(row, system, family.higher_is_better) for row in rows]
    lost = (float("nan"),) * 3
    ends = [lost if row is None else ends_of(row, system) for row in rows]
    return Panel(
        f"{family.metric}: {of_row}",
        tuple(end[0] for end in ends),
        tuple(end[1] for end in ends),
        tuple(end[2] for end in ends),
        family[0].decimals,
        tuple(None if row is None else word_of(row, system) for row in rows),
        tuple("\n".join(lines) for lines in known),
        tuple(_NOWHERE if row is None else adjusted_ends_of(row, system) for row in rows),
    )


MOST_PAIRS = 20
"""Rows of a picture; with more, nobody sees which mark stands in which row."""


@dataclass(frozen=True)
class ParallelIntervals(Dots):
    """The differences of pairs with their intervals, a row for every pair and a panel for every metric."""

    how_to_read = "together"

    @classmethod
    def of(cls, joint_statements: JointStatements, most: int = MOST_PAIRS) -> "ParallelIntervals":
        """Return the picture of joint statements: rows in their order, at most so many."""
        shown = joint_statements.statements[:most]
        turned = [(row.second, row.first) if row.winner == row.second else (row.first, row.second) for row in shown]
        names = [" – ".join(shorts(pair)) for pair in turned]
        turned_too = [family.metric for family in joint_statements.families if not family.higher_is_better]
        of = f"; where lower is better ({', '.join(turned_too)}), by how much it is better" if turned_too else ""
        said = (
            f"Each row's first system minus its second{of}. Dashed: no difference. Intervals: thick, "
            f"{level_text(joint_statements.families[0].level)} of each pair alone; thin, adjusted; marks: "
            "verdicts of all metrics and pairs as one family (Holm)."
        )
        if len(shown) > 1:
            said += (
                " Pairs that metrics separate in opposite directions come first, then those that all metrics separate, "
                f"some, none, and those withheld; alike ones by their scores in {joint_statements.metrics[0]}."
            )
            said += _withheld(joint_statements)
        if joint_statements.left_out:
            said += f" Left out: {number_of(len(joint_statements.left_out), 'pair')} that not all metrics compare."
        hidden = len(joint_statements.statements) - len(shown)
        if hidden:
            said += f" Not shown: the last {hidden} of {len(joint_statements.statements)} pairs."
        return cls(
            tuple(names), tuple(_joint_panel(family, turned) for family in joint_statements.families), said, "the first"
        )


def _withheld(joint_statements: JointStatements) -> str:
    """Return on how many pairs nothing is said, and mostly why; nothing where there are none."""
    withheld = sum(row.said == "withheld" for row in joint_statements.statements)
    reasons = Counter(
        reason for family in joint_statements.families for reason in map(_reason, family) if reason is not None
    )
    if not withheld or not reasons:
        return ""
    (reason, _), *others = reasons.most_common()
    return f" Withheld: {number_of(withheld, 'pair')}, {'mostly ' if others else ''}since {reason}."


def _reason(comparison: Comparison) -> str | None:
    return verdict(comparison).withheld_reason


def _joint_panel(family: Family, pairs: Sequence[tuple[str, str]]) -> Panel:
    # Joint statements are of pairs that every family has.
    rows = [(family[family.find(first, second) or 0], first) for first, second in pairs]
    ends = [ends_of(*row) for row in rows]
    return Panel(
        family.metric,
        tuple(end[0] for end in ends),
        tuple(end[1] for end in ends),
        tuple(end[2] for end in ends),
        family[0].decimals,
        tuple(word_of(*row) for row in rows),
        tuple("\n".join(lines_of(*row, family.higher_is_better)) for row in rows),
        tuple(adjusted_ends_of(*row) for row in rows),
    )
