"""One pair of systems: what figures say of its comparison, its difference against zero, and its draws."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mtsig._probability import ends_text, judged_level_text, level_text, points_text
from mtsig._records import Floats
from mtsig.corpus._notes import is_human, listed
from mtsig.figures._look import GREY, PAGE_INK, SLATE, Verdict, folded, short, shorts, verdict_colour
from mtsig.figures._marks import Axis, Bars, Dash, Line, Mark, Picture, Plane, Points, Room, Rule, Scene, Shade
from mtsig.inference import Comparison, Interval, p_text, verdict
from mtsig.inference._verdict import CAUTION

LEGEND: dict[Verdict, str] = {
    "better": "better",
    "worse": "worse",
    "not_significant": "≈ not significant (not: equal)",
    "withheld": "? withheld",
}
"""What legends call the verdicts, in their order."""


def word_of(comparison: Comparison, system: str) -> Verdict:
    """Return what the verdict says of one of its systems."""
    decided = verdict(comparison)
    if decided.word == "better":
        return "better" if decided.winner == system else "worse"
    return decided.word


def ahead(system: str, other: str, higher_is_better: bool, minus: str = "minus", by: str = "by") -> str:
    """Return what a difference is of, as labels say it: it is positive where the system is better, either way.

    Where lower is better that is no subtraction in the order of the names, and none is named.

    >>> from mtsig.figures._pair import ahead
    >>> ahead("A", "B", True, "−"), ahead("A", "B", False)
    ('A − B', 'by how much A is better than B')
    """
    if higher_is_better:
        return f"{system} {minus} {other}"
    return f"{by} how much {system} is better than {other}"


_MOST_LISTED = 5
"""Systems that a caption lists; of more it says how many."""


def without_text(begun: str, systems: Sequence[str]) -> str:
    """Return the sentence of a caption on systems that a panel leaves empty; nothing where there are none.

    >>> from mtsig.figures._pair import without_text
    >>> without_text("mqm has no score of", ["A", "B"])
    'mqm has no score of A and B.'
    """
    if not systems:
        return ""
    return f"{begun} {listed(shorts(systems)) if len(systems) <= _MOST_LISTED else f'{len(systems)} systems'}."


def people_text(names: Sequence[str]) -> str:
    """Return the sentence of a caption on human translations among systems; nothing where there are none, or no others.

    >>> from mtsig.figures._pair import people_text
    >>> people_text(["A", "refA"]), people_text(["A", "B"])
    (' Human translation: refA.', '')
    """
    people = [name for name in names if is_human(name)]
    if not 0 < len(people) < len(names):
        return ""
    return f" Human translation{'s' if len(people) > 1 else ''}: {listed(people)}."


def ends_of(comparison: Comparison, system: str) -> tuple[float, float, float]:
    """Return the difference, positive where the system is better than the other, and the ends of its interval."""
    if system == comparison.first:
        return comparison.difference, comparison.ci_low, comparison.ci_high
    return -comparison.difference, -comparison.ci_high, -comparison.ci_low


def adjusted_ends_of(comparison: Comparison, system: str) -> tuple[float, float]:
    """Return the ends of the interval that agrees with the verdict, seen as `ends_of`; NaN where there is none.

    A one-sided bound ends at the difference on its other side.
    """
    seen = comparison if system == comparison.first else comparison.turned
    low, high = seen.adjusted_ci_low, seen.adjusted_ci_high
    if math.isnan(low) and math.isnan(high):
        return low, high
    return (seen.difference if math.isnan(low) else low), (seen.difference if math.isnan(high) else high)


def lines_of(
    comparison: Comparison, system: str, higher_is_better: bool = True, metric: str | None = None
) -> tuple[str, ...]:
    """Return in lines what is known of the comparison.

    higher_is_better: the direction of the metric. metric: what the figure calls it; None: as the comparison does.
    """
    other = comparison.second if system == comparison.first else comparison.first
    names = shorts([system, other])
    gap, *ends = ends_of(comparison, system)
    difference = points_text(gap, comparison.decimals, signed=True)
    low, high = ends_text(ends[0], ends[1], comparison.decimals, signed=True)
    word = word_of(comparison, system)
    if word == "not_significant":
        said = "≈ not significant, which does not mean equal"
    else:
        said = f"? withheld: {verdict(comparison).withheld_reason}" if word == "withheld" else f"{names[0]} is {word}"
    seen = comparison if system == comparison.first else comparison.turned
    adjusted = comparison.family_size > 1 and comparison.corrected and not math.isnan(comparison.adjusted_level)
    caution = verdict(comparison).caution
    return (
        f"{ahead(names[0], names[1], higher_is_better)}: {difference} {metric or comparison.metric}",
        *((_adjusted(seen),) if adjusted else ()),
        f"{level_text(comparison.level)} {'CI of this pair alone' if adjusted else 'interval'} {low} to {high}",
        _p_of(comparison),
        said,
        *([f"{CAUTION} caution: {caution}"] if caution else []),
    )


def _adjusted(seen: Comparison) -> str:
    low, high = ends_text(seen.adjusted_ci_low, seen.adjusted_ci_high, seen.decimals, signed=True)
    if math.isnan(seen.adjusted_ci_low) and math.isnan(seen.adjusted_ci_high):
        return "adjusted CI not bounded by so few draws"
    if math.isnan(seen.adjusted_ci_high):
        return f"adjusted CI at least {low}"
    if math.isnan(seen.adjusted_ci_low):
        return f"adjusted CI at most {high}"
    return f"adjusted CI {low} to {high} ({judged_level_text(seen.adjusted_level)})"


def _p_of(comparison: Comparison) -> str:
    if comparison.by_wins:
        return f"{comparison.wins:.1%} of resamples won, Koehn's criterion: {level_text(comparison.level)}"
    if math.isnan(comparison.p_adjusted):
        return "no p"
    count = comparison.family_size
    if not comparison.corrected:
        return f"{p_text(comparison.p_value)}, not corrected for {count:,} comparisons"
    return (
        f"{p_text(comparison.p_adjusted)} corrected for {count:,} comparisons, uncorrected {p_text(comparison.p_value)}"
    )


_SHARE = 0.3
"""Of the way to the strongest colour: light enough to stand out on the shade in a dark theme."""


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
            comparison.ci_low,
            comparison.ci_high,
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

    def scene(self, room: Room) -> Scene:
        """Return the difference with its interval; on a screen each name above its own side of zero."""
        colour = verdict_colour(self.towards, _SHARE)
        shown = [(self.difference, self.difference), *([self.thin] if self.thin else []), (self.low, self.high)]
        told, *intervals = [[points_text(end, self.decimals, signed=True) for end in ends] for ends in shown]
        said = [" to ".join(ends) for ends in intervals]
        adjusted = f"<br>adjusted CI {said[0]}" if self.thin is not None else ""
        marks: list[Mark] = []
        if self.worth is not None:
            marks.append(Shade(low=-self.worth, high=self.worth, colour=GREY, opacity=0.18))
            marks += [Rule(at=side, upright=True, colour=GREY, dash="dot") for side in (-self.worth, self.worth)]
        marks.append(Rule(at=0, upright=True))
        if self.thin is not None:
            marks.append(Line(x=self.thin, y=(0, 0), width=1.5, colour=colour, hover=""))
        marks.append(Points(
            x=[self.difference], y=[0], low=[self.low], high=[self.high], size=13, colour=colour,
            thickness=5 if self.thin else 3, caps=self.thin is None,
            hover=f"{told[0]}{adjusted}<br>{level_text(self.level)} {said[-1]}<extra></extra>",
        ))  # fmt: skip
        title = room.title(self.axis, 0.9)
        x, y = Axis(title=title, range=self.reach), Axis(range=(-1, 1), shown=False)
        if room.on_paper:
            return Scene([Plane(marks, x, y)], 0.85 + 0.12 * title.count("\n"))
        corners = f"◂ {self.second} ahead", f"{self.first} ahead ▸"
        plane = Plane(marks, x, y, corners=corners)
        return Scene([plane], 150 + 16 * (plane.stacked + title.count("\n")), margins=(10, 10, 34 + 16 * plane.stacked))


_BINS = 60
_BEYOND = "at least as far from zero as observed"


@dataclass(frozen=True)
class DrawnLine:
    """A full-height line: where, solid, dash or dot, and what it is."""

    x: float
    dash: Dash
    name: str
    decimals: int = 2
    signed: bool = False

    @property
    def label(self) -> str:
        """What the legend says."""
        return f"{self.name} {points_text(self.x, self.decimals, signed=self.signed)}"


@dataclass(frozen=True)
class Histogram(Picture):
    """Counts of draws between `edges`; `beyond` of them, hatched, are at least as far from zero as observed.

    inside: the other counts. band: the ends of an interval, with what it is.
    """

    edges: tuple[float, ...]
    inside: tuple[int, ...]
    beyond: tuple[int, ...] | None
    name: str
    axis: str
    lines: tuple[DrawnLine, ...]
    band: tuple[float, float, str] | None
    names: tuple[str, ...]
    says: str
    how_to_read: str = ""

    @classmethod
    def of_resampled(cls, draws: Floats, comparison: Comparison, higher_is_better: bool = True) -> "Histogram":
        """Return the bootstrap differences with the estimate, its interval and the zero line.

        higher_is_better: the direction of the comparison's metric.
        """
        names = shorts([comparison.first, comparison.second])
        edges, counts, _ = _counted(draws, None)
        return cls(
            edges,
            counts,
            None,
            f"difference in {comparison.metric} on redrawn test sets",
            f"{comparison.metric}: {ahead(names[0], names[1], higher_is_better)}",
            (
                DrawnLine(comparison.difference, "solid", "estimate", comparison.decimals, signed=True),
                DrawnLine(0.0, "dash", "no difference"),
            ),
            (comparison.ci_low, comparison.ci_high, f"{level_text(comparison.level)} interval"),
            (*names, comparison.metric),
            f"Differences in {comparison.metric} between {names[0]} and {names[1]} on {len(draws):,} redrawn test "
            "sets; shaded: the interval of the difference. The share of redraws on one side of zero is no p-value.",
            "resampled-differences",
        )

    @classmethod
    def of_shuffled(cls, null: Floats, comparison: Comparison, higher_is_better: bool = True) -> "Histogram":
        """Return the differences under the null with the observed one; draws at least as extreme are hatched.

        higher_is_better: the direction of the comparison's metric.
        """
        names = shorts([comparison.first, comparison.second])
        observed = abs(comparison.difference)
        edges, inside, beyond = _counted(null, observed)
        lines = [DrawnLine(comparison.difference, "solid", "observed", comparison.decimals, signed=True)]
        if observed > 0:
            lines.append(
                DrawnLine(-comparison.difference, "dot", "as far the other way", comparison.decimals, signed=True)
            )
        return cls(
            edges,
            inside,
            beyond,
            f"difference in {comparison.metric} when labels are exchanged",
            f"{comparison.metric}: {ahead(names[0], names[1], higher_is_better)}, labels exchanged at random",
            tuple(lines),
            None,
            (*names, comparison.metric),
            f"Differences in {comparison.metric} between {names[0]} and {names[1]} in {len(null):,} random exchanges "
            "of their outputs; hatched: at least as far from zero as the observed difference.",
            "exchanged-labels",
        )

    @classmethod
    def of_scores(cls, draws: Floats, interval: Interval, system: str, metric: str) -> "Histogram":
        """Return one system's bootstrap scores with the estimate and its interval (ZV04 figures 1 and 2)."""
        edges, counts, _ = _counted(draws, None)
        return cls(
            edges,
            counts,
            None,
            f"{metric} on redrawn test sets",
            f"{metric} of {short(system)}",
            (DrawnLine(interval.estimate, "solid", "score", interval.decimals),),
            (interval.ci_low, interval.ci_high, f"{level_text(interval.level)} interval"),
            (short(system), metric),
            f"{metric} of {short(system)} on {len(draws):,} redrawn test sets; shaded: the interval of the score.",
        )

    @property
    def caption(self) -> str:
        """What the figure shows."""
        return self.says

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data."""
        return self.names

    @property
    def middles(self) -> list[float]:
        """The middles of the bars."""
        return [(low + high) / 2 for low, high in zip(self.edges, self.edges[1:], strict=False)]

    @property
    def width(self) -> float:
        """The width of a bar."""
        return self.edges[1] - self.edges[0]

    @property
    def top(self) -> float:
        """How high the interval stands: above all bars."""
        beyond = self.beyond or (0,) * len(self.inside)
        return 1.06 * max(low + high for low, high in zip(self.inside, beyond, strict=True))

    @property
    def interval(self) -> str:
        """What the legend says of the interval."""
        low, high, name = self.band or (0.0, 0.0, "")
        low_text, high_text = (
            points_text(end, self.lines[0].decimals, signed=self.lines[0].signed) for end in (low, high)
        )
        return f"{name} {low_text} to {high_text}"

    def scene(self, room: Room) -> Scene:
        """Return the bars, the interval behind and above them, and lines over them."""
        bars: dict[str, Any] = {"x": self.middles, "width": self.width}
        marks: list[Mark] = [Bars(**bars, y=self.inside, colour=GREY, name=self.name)]
        if self.beyond is not None:
            marks.append(Bars(**bars, y=self.beyond, base=self.inside, colour=GREY, hatch="/", name=_BEYOND))
        if self.band is not None:
            low, high, _ = self.band
            marks.append(Shade(low=low, high=high, colour=SLATE, opacity=0.16))
            above = [self.top] * 2
            marks.append(Line(
                x=(low, high), y=above, width=3, ends=True, colour=SLATE, name=self.interval, hover=""
            ))  # fmt: skip
        # The page's own ink stands out on the page and on bars, in any theme.
        marks += [
            Rule(at=line.x, upright=True, colour=PAGE_INK, width=2, dash=line.dash, name=line.label, halo=True)
            for line in self.lines
        ]
        title = room.title(self.axis, 0.85)
        entries = sum(1 + folded(mark.name, 0.85 * room.width).count("\n") for mark in marks if mark.name)
        high = min(2.4, 0.55 * room.width) + 0.15 * (entries + title.count("\n")) if room.on_paper else 320
        y = Axis(title="draws", from_zero=True)
        return Scene([Plane(marks, Axis(title=title), y)], high, "above", together=True)


def _counted(draws: Floats, beyond: float | None) -> tuple[tuple[float, ...], tuple[int, ...], tuple[int, ...] | None]:
    """Return the edges of the bars, the counts, and those of them at least `beyond` from 0, taken off the others."""
    # Draws that differ by rounding only are one bar; numpy cannot cut so narrow a range.
    spread = np.ptp(draws) > 1e-9 * max(1.0, float(np.abs(draws).max()))
    counts, edges = np.histogram(draws, bins=_BINS if spread else 1)
    ends = tuple(float(edge) for edge in edges)
    if beyond is None:
        return ends, tuple(int(count) for count in counts), None
    far = np.histogram(draws[np.abs(draws) >= beyond - 1e-9 * max(1.0, beyond)], bins=edges)[0]
    return ends, tuple(int(count) for count in counts - far), tuple(int(count) for count in far)
