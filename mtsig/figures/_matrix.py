"""Pairs of systems: what figures say of one comparison, its draws counted, and all pairs in one matrix."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from mtsig._probability import level_text, points_text, shown_decimals
from mtsig._records import Floats
from mtsig._say import lines_of, minus_text
from mtsig._writing import shorts
from mtsig.corpus._notes import is_human, listed
from mtsig.figures._look import MARKS, Verdict, folded, name_lines, text_columns, verdict_colour
from mtsig.figures._marks import Axis, Cells, Hatch, Line, Mark, Picture, Plane, Points, Room, Scene, Targets, Words
from mtsig.inference import Comparison, Family, groups
from mtsig.inference._verdict import CAUTION, verdict

LEGEND: dict[Verdict, str] = {
    "better": "better",
    "worse": "worse",
    "not_significant": "≈ not significant (not: equal)",
    "withheld": "? withheld",
}
"""What legends call the verdicts, in their order."""


def word_of(comparison: Comparison, system: str) -> Verdict:
    decided = verdict(comparison)
    if decided.word == "better":
        return "better" if decided.winner == system else "worse"
    return decided.word


_MOST_LISTED = 5
"""Systems that a caption lists; of more it says how many."""


def without_text(begun: str, systems: Sequence[str]) -> str:
    """Return the sentence of a caption on systems that a panel leaves empty; nothing where there are none."""
    if not systems:
        return ""
    return f"{begun} {listed(shorts(systems)) if len(systems) <= _MOST_LISTED else f'{len(systems)} systems'}."


def people_text(names: Sequence[str]) -> str:
    """Say in a caption which of the systems are human translations; "" where none are, or all."""
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


_STEPS = (1.0, 2.0, 2.5, 5.0)
_WIDE, _NARROW = 45, 21
"""Bins aimed at: from 35 to 60, and from 18 to 25, as far as round widths have it."""

HUNDRED = 100


def share_text(count: int, total: int) -> str:
    """Return a share as pictures say it: "6.3%", but counts where a percentage would round to all or to none."""
    if count in (0, total):
        return f"{'All' if count else 'None of'} {total:,}"
    percent = f"{count / total:.1%}"
    return f"{count:,} of {total:,}" if count < 0.001 * total or percent == "100.0%" else percent


def round_steps(span: float, wanted: int) -> list[float]:
    """Return the round steps that cut a span into about so many parts, the shortest first."""
    power = math.floor(math.log10(span / wanted))
    return [step * 10.0**exponent for exponent in (power - 1, power, power + 1) for step in _STEPS]


def bin_width(span: float, wanted: int) -> float:
    """Return the round width that cuts a span into the number of bins nearest to the one wanted."""
    return min(round_steps(span, wanted), key=lambda width: abs(math.log(span / width / wanted)))


@dataclass(frozen=True, eq=False)
class Draws(Picture):
    """The resamples of a difference, or what exchanging labels leaves of it, and how they are counted.

    draws: differences, positive where the first is better; none where the interval alone is known. margin: differences
    smaller than it do not matter. exchanged: whether labels were exchanged. dots: whether a hundred dots stand for the
    resamples. at_work: whether others are being drawn, and these are an outline.
    """

    comparison: Comparison
    draws: Floats
    higher_is_better: bool = True
    margin: float | None = None
    exchanged: bool = False
    dots: bool = False
    at_work: bool = False

    @classmethod
    def of_resampled(
        cls,
        draws: Floats,
        comparison: Comparison,
        higher_is_better: bool = True,
        margin: float | None = None,
        dots: bool = False,
    ) -> Self:
        """Return the bootstrap differences, or a hundred of them, with the estimate and its interval.

        higher_is_better: the direction of the comparison's metric.
        """
        drawn = np.asarray(draws, dtype=float)
        return cls(comparison, drawn[np.isfinite(drawn)], higher_is_better, margin and abs(margin), dots=dots)

    @classmethod
    def of_shuffled(cls, null: Floats, comparison: Comparison, higher_is_better: bool = True) -> Self:
        """Return the differences under the null, those at least as far from zero as the observed one marked.

        higher_is_better: the direction of the comparison's metric.
        """
        return cls(comparison, np.asarray(null, dtype=float), higher_is_better, exchanged=True)

    @property
    def how_to_read(self) -> str:
        """The name of the text that says how to read it."""
        return "swapped-names" if self.exchanged else "resampled-differences"

    @property
    def narrows(self) -> bool:
        """Whether it is another figure where a screen is narrow."""
        return True

    @property
    def names(self) -> tuple[str, str]:
        """What the two systems are called."""
        first, second = shorts([self.comparison.first, self.comparison.second])
        return first, second

    @property
    def favouring(self) -> tuple[int, int, int]:
        """How many draws favour the first, how many the second, and how many are ties."""
        first, second = int((self.draws > 0).sum()), int((self.draws < 0).sum())
        return first, second, len(self.draws) - first - second

    @cached_property
    def far(self) -> Floats:
        """The draws at least as far from zero as the observed difference."""
        observed = abs(self.comparison.difference)
        return self.draws[np.abs(self.draws) >= observed - 1e-9 * max(1.0, observed)]

    @property
    def within_margin(self) -> str:
        """What share of the draws is within the margin; nothing without one."""
        if self.margin is None or not len(self.draws):
            return ""
        share = share_text(int((np.abs(self.draws) <= self.margin).sum()), len(self.draws))
        return f"within ±{self.margin:g}, the margin: {share[0].lower()}{share[1:]}"

    @property
    def axis(self) -> str:
        """What the axis shows."""
        return f"Difference in {self.comparison.metric}, {minus_text(*self.names, self.higher_is_better)}"

    @property
    def caption(self) -> str:
        """The caption of the figure."""
        first, second = self.names
        total, metric = len(self.draws), self.comparison.metric
        if self.exchanged:
            return (
                f"Differences in {metric} between {first} and {second} after {total:,} random swaps of their names. "
                f"Coloured: the {len(self.far):,} swaps with a difference at least as far from 0 as the observed one."
            )
        level = level_text(self.comparison.level)
        adjusted = " (thick line, this pair alone) and its adjusted CI (thin line)" if self.thin else ""
        interval = f"{level} CI of the difference in {metric} between {first} and {second}{adjusted}."
        within = f" Grey: {self.within_margin}." if self.within_margin else ""
        if not total:
            return interval
        for_first, for_second, tied = (
            share_text(count, total).replace("All", "all").replace("None", "none") for count in self.favouring
        )
        ties = f" Ties: {tied}." if self.favouring[2] else ""
        return (
            f"Differences on {total:,} resampled test sets. Right of 0 (blue), {first} is {self.word}: {for_first}. "
            f"Left of 0 (ochre), {second} is {self.word}: {for_second}.{ties} These shares describe the data and are "
            f"not p-values. Below the bars: {interval}{within}"
        )

    @property
    def rows(self) -> list[tuple[float, float, int]]:
        """The bars as a table: where each begins and ends, and how many draws it has."""
        width = self.width()
        return [(number * width, (number + 1) * width, count) for number, count in self.bins().items()]

    @property
    def word(self) -> str:
        """What is said of the system with the higher score; a metric that describes makes none better."""
        return "ahead" if self.comparison.is_quality_metric else "higher"

    @property
    def thin(self) -> tuple[float, float] | None:
        """The ends of the interval by which 0 is judged, where it is another one than that of the pair alone."""
        ends = adjusted_ends_of(self.comparison, self.comparison.first)
        apart = self.comparison.corrected and self.comparison.family_size > 1
        return ends if apart and not math.isnan(ends[0]) else None

    def width(self, narrow: bool = False) -> float:
        """Return how wide a bin is; a narrow figure has fewer."""
        span = float(np.ptp(self.draws)) if len(self.draws) else 0.0
        return bin_width(span if span > 1e-9 else abs(self.comparison.difference) or 1.0, _NARROW if narrow else _WIDE)

    def bins(self, narrow: bool = False) -> dict[int, int]:
        """Return how many draws each bin has, by its number: bin 0 begins at 0 and none crosses it; ties have none."""
        return self.counted(self.draws if self.exchanged else self.draws[self.draws != 0], narrow)

    def counted(self, draws: Floats, narrow: bool) -> dict[int, int]:
        """Return how many of these draws each bin has."""
        numbers, counts = np.unique(np.floor(draws / self.width(narrow)).astype(int), return_counts=True)
        return dict(zip(numbers.tolist(), counts.tolist(), strict=True))

    def most(self, narrow: bool) -> int:
        """Return how many draws the highest bar has."""
        return max([*self.bins(narrow).values(), 0 if self.exchanged else self.favouring[2], 1])

    def tallest(self, narrow: bool, low: float, high: float) -> float:
        """Return how high the highest bar is between two places, where the highest of all has 1."""
        width, most = self.width(narrow), self.most(narrow)
        here = (n for number, n in self.bins(narrow).items() if number * width <= high and (number + 1) * width > low)
        return max(here, default=0) / most

    @cached_property
    def hundred(self) -> Floats:
        """A hundred of the draws, one for each percent of them."""
        return np.quantile(self.draws, (np.arange(HUNDRED) + 0.5) / HUNDRED, method="inverted_cdf")


_ROOMY, _NUMBERED = 8, 24
"""Up to so many systems a cell has room for all decimals, and on a phone for a number; beyond so many, on no screen."""

_CROWDED = 32
"""Of more systems, cells say what their verdict rests on alone, and those below the diagonal are only seen."""

_PATTERNS: dict[Verdict, Hatch] = {"not_significant": "/", "withheld": "."}

_GROUPS = "no significant difference within"

_CAUTIONED = f"{CAUTION} with a caution"
"""What the legend says of the mark of a verdict that stands with a caution beside it."""

_SLANTED, _NAMED = 14, 10
"""Longer names over columns, or names over more columns, would run into each other on a narrow page: rows and columns
are numbered then.
"""

_PHONE, _LEAST = 340, 100
"""Pixels across a phone for the names of rows and all cells; so many are the cells' at least."""

_HIGH = 440
"""Pixels for the height of many rows: their cells are no slivers where columns are narrow."""

_NAMES = 0.45
"""At most so much of the paper's width is for names."""


_SMALL_NAME = 6.0
"""Points of names on paper where there are many."""


class Cell(NamedTuple):
    """One cell: positions of the row's and the column's system, and what it shows of the row's, in which colour."""

    row: int
    column: int
    difference: float
    verdict: Verdict
    colour: str
    comparison: Comparison
    caution: str = ""


@dataclass(frozen=True)
class Matrix(Picture):
    """A matrix of pairs of systems, coloured by verdict and difference.

    cells: one cell per comparison above the diagonal, row by row; with `full`, also the mirrored cell below it. groups:
    the first and last rank of each group without significant differences. unranked: systems with no rank.
    """

    metric: str
    order: tuple[str, ...]
    cells: tuple[Cell, ...] = field(repr=False)
    groups: tuple[tuple[int, int], ...] = ()
    full: bool = False
    compared: str = "system"
    higher_is_better: bool = True
    unranked: tuple[str, ...] = ()

    @property
    def how_to_read(self) -> str:
        """The name of the text on how to read the figure."""
        return "metrics-against-people" if self.compared == "metric" else "matrix"

    @classmethod
    def of(cls, family: Family, full: bool = False, compared: str = "system", order: Sequence[str] = ()) -> "Matrix":
        """Return the matrix of a family; `full` shows both directions of a pair.

        compared: a word for what is compared. order: the order of rows and columns, if not that of the family.
        """
        order = tuple(order) or family.order
        place = {name: position for position, name in enumerate(order)}
        # What is not ranked may be as far off as can be, and would leave the others one colour.
        ranked = set(family.ranked_systems)
        among = [pair for pair in family if {pair.first, pair.second} <= ranked] or family
        largest = max(abs(comparison.difference) for comparison in among) or 1.0
        cells = []
        for comparison in family:
            first, second = comparison.first, comparison.second
            for row, column, sign in ((first, second, 1), (second, first, -1)):
                if full or place[row] < place[column]:
                    word = word_of(comparison, row)
                    colour = verdict_colour(word, abs(comparison.difference) / largest)
                    gap = sign * comparison.difference
                    caution = verdict(comparison).caution
                    cells.append(Cell(place[row], place[column], gap, word, colour, comparison, caution))
        ends = tuple((place[group[0]], place[group[-1]]) for group in groups(family))
        row_by_row = sorted(cells, key=lambda cell: (cell.row, cell.column))
        unranked = tuple(family.unranked)
        return cls(family.metric, order, tuple(row_by_row), ends, full, compared, family.higher_is_better, unranked)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the systems as shown, best first."""
        return shorts(self.order)

    @property
    def corners(self) -> tuple[tuple[tuple[float, float], ...], ...]:
        """The outlines of groups of several systems, as (column, row) corners."""
        corners: list[tuple[tuple[float, float], ...]] = []
        for first, last in self.groups:
            low, high = first - 0.5, last + 0.5
            if first < last and self.full:
                corners.append(((low, low), (high, low), (high, high), (low, high), (low, low)))
            elif first < last:
                corners.append(((low + 1, low), (high, low), (high, high - 1)))
        return tuple(corners)

    @property
    def caption(self) -> str:
        """The caption of the figure."""
        comparison = self.cells[0].comparison
        how = "corrected" if comparison.corrected else "not corrected"
        count = len(self.cells) // (2 if self.full else 1)
        said = [
            f"{count} of {comparison.family_size} comparisons on {self.metric} corrected together (α = "
            f"{comparison.alpha:.3g}, {how})."
            if comparison.family_size > 1
            else f"One comparison on {self.metric} (α = {comparison.alpha:.3g})."
        ]
        for word, name in (("better", "Blue"), ("worse", "Orange")):
            if self._with(word):
                said.append(f"{name}: the row's {self.compared} is {word} than the column's (darker: by more).")
        if self._with("not_significant"):
            said.append("Hatched (≈): not significant, which does not mean equal.")
        if self._with("withheld"):
            said.append(f"Dotted (?): withheld{self.why_withheld}.")
        if self.cautions:
            said.append(f"{CAUTION}: with a caution: {'; '.join(self.cautions)}.")
        if self.corners:
            said.append(f"Outlined: {self.compared}s with no significant difference within the group.")
        if self.unranked:
            said.append(f"Last, not ranked: {listed(shorts(self.unranked))}.")
        return " ".join(said)

    def legend(self, numbers: bool, sure: bool = True) -> dict[Verdict, str]:
        """Return the legend; numbers: cells show differences, sure: all of them do."""
        written, what = "numbers" if sure else "numbers, where they fit", f"difference in {self.metric}"
        by = f"; {written}: {what}" if numbers else f" (darker: larger {what})"
        said = {word: f"row {text}{by}" if word in ("better", "worse") else text for word, text in LEGEND.items()}
        shown = {word: text for word, text in said.items() if self._with(word)}
        # Where nothing is better, no number names the metric.
        named = any(word in shown for word in ("better", "worse"))
        return shown if named else {word: f"{text}, in {self.metric}" for word, text in shown.items()}

    def _with(self, word: str) -> list[Cell]:
        return [cell for cell in self.cells if cell.verdict == word]

    @cached_property
    def why_withheld(self) -> str:
        """The most frequent reason for withheld verdicts; may be empty."""
        reasons = Counter(verdict(cell.comparison).withheld_reason for cell in self._with("withheld"))
        return "".join(f", {'mostly ' * (len(reasons) > 1)}since {reason}" for reason, _ in reasons.most_common(1))

    @cached_property
    def cautions(self) -> tuple[str, ...]:
        """The cautions that are shown next to verdicts."""
        return tuple(dict.fromkeys(cell.caution for cell in self.cells if cell.caution))

    def text(self, cell: Cell) -> str:
        """Return the text of a cell: the row's score minus the column's, or a mark if that is not significant."""
        if cell.verdict in _PATTERNS:
            return self.mark(cell)
        decimals = cell.comparison.decimals
        digits = self.digits if len(self.order) > _ROOMY else shown_decimals(cell.difference, decimals)
        return f"{points_text(cell.difference, digits)}{CAUTION if cell.caution else ''}"

    def mark(self, cell: Cell) -> str:
        """Return the mark of a cell that is too small for text."""
        return f"{MARKS[cell.verdict]}{CAUTION if cell.caution else ''}"

    @cached_property
    def digits(self) -> int:
        """The number of decimals in all cells where there are many: as many as fit, and at most the metric's."""
        shown = [abs(cell.difference) for cell in self.cells if cell.verdict not in _PATTERNS]
        decimals, largest = self.cells[0].comparison.decimals, max(shown, default=0.0)
        room = 2 if largest < 1 else 1
        # A difference that is there is not shown as 0.
        seen = (digits for digits in range(max(0, room), decimals) if all(round(gap, digits) for gap in shown))
        return next(seen, decimals)

    def scene(self, room: Room) -> Scene:
        """Return the cells by verdict, the group outlines and the names."""
        size = len(self.order)
        # How wide cells are, and with it whether their numbers are hidden, is known on the screen alone: only of few
        # systems are words about numbers true on every one. On paper it is known before it is drawn.
        sure = size <= _ROOMY or room.on_paper
        signs = self.legend(False)
        marks: list[Mark] = [
            self.cells_of(word, name if sure else signs[word], signs[word])
            for word, name in self.legend(True, room.on_paper).items()
        ]
        if self.corners:
            x, y = zip(*(point for corners in self.corners for point in (*corners, (None, None))), strict=True)
            marks.append(Line(x=x, y=y, colour=room.line, name=_GROUPS, hover=""))
        pixels = max(15, min(40, _HIGH // size))
        marks.append(self.targets(range(size), pixels - 2))
        # Nothing is drawn: the entry of the legend alone is wanted.
        samples = [Points(x=(), y=(), opacity=0, name=_CAUTIONED)] if self.cautions else []
        height = self._height(room.width) if room.on_paper else 170 + pixels * size
        x_axis, y_axis, names, margins = self._named(room)
        marks += [names] if not self.full else []
        return Scene([Plane(marks, x_axis, y_axis)], height, "below", samples, margins=margins)

    def targets(self, rows: Sequence[float], size: float) -> Targets:
        """Return the clickable cells at these row heights, with hover texts."""
        x, y, keys, hover = self._clicked
        return Targets(x=x, y=[rows[row] for row in y], size=size, keys=keys, hover=hover)

    @cached_property
    def _clicked(self) -> tuple[list[int], list[int], list[tuple[str, str]], list[str]]:
        """The columns and rows of cells that can be clicked, their systems (of many as shown), and what they say."""
        crowded = len(self.order) > _CROWDED
        cells = [cell for cell in self.cells if not crowded or cell.row < cell.column]
        names = self.names if crowded else self.order
        said = [
            "\n".join(
                lines_of(cell.comparison, self.order[cell.row], self.higher_is_better, self.metric, brief=crowded)
            )
            for cell in cells
        ]
        keys = [(names[cell.row], names[cell.column]) for cell in cells]
        return [cell.column for cell in cells], [cell.row for cell in cells], keys, said

    def cells_of(self, word: Verdict, name: str, name_of_signs: str) -> Cells:
        """Return the cells with a verdict, and their name in the legend."""
        cells = self._with(word)
        return Cells(
            x=[cell.column for cell in cells], y=[cell.row for cell in cells], colour=verdict_colour(word, 0.5),
            colours=[] if word in _PATTERNS else [cell.colour for cell in cells], hatch=_PATTERNS.get(word, ""),
            texts=list(map(self.text, cells)), signs=list(map(self.mark, cells)), written=len(self.order) <= _NUMBERED,
            name=name, name_of_signs=name_of_signs, hover="",
        )  # fmt: skip

    def _named(self, room: Room) -> tuple[Axis, Axis, Words, tuple[int, int, int]]:
        """Name rows and columns: above the diagonal, rows beside their first cell, where nothing else stands."""
        size, longest = len(self.order), max(map(text_columns, self.names))
        by_number = room.on_paper or self.full or longest > _SLANTED or size > _NAMED
        names = list(self.names)
        if room.on_paper:
            names, _ = name_lines(self.names, _NAMES * room.width)
            points = _SMALL_NAME if size > _NUMBERED else 8.0
            # Numbers of many columns would run into each other.
            pitch, least = 72 * (1 - _NAMES) * room.width / size, 1.3 * _SMALL_NAME
        else:
            points = 12 if size <= _NAMED else 10
            pitch, least = max(_LEAST, _PHONE - 0.6 * points * longest) / size, 1.5 * points
        if by_number:
            names = [f"{name}  {place}" for place, name in enumerate(names, 1)]
        step = next((step for step in (1, 2, 5) if step * pitch > least), 10)
        first = 1 if room.on_paper and not self.full else 0
        heads = [(at, str(at + 1)) for at in range(first, size) if (at + 1) % step == 0]
        # Few systems in the upper triangle have no cells as wide as the page.
        x_axis = Axis(
            names=self.names, ticks=heads if by_number else None, size=points, slant=0 if by_number else 45, top=True,
            range=(-0.55 if self.full else 0.4, size - 0.45), bare=True, grid=False,
            share=1.0 if self.full else min(1.0, max(0.7, size / 12)),
        )  # fmt: skip
        high = (size - 0.45, -0.55)
        y_axis = Axis(names=names, size=points, range=high, bare=True, grid=False, shown=self.full)
        # A row has one narrow cell's room more than the one above it; slanted names reach beyond the last column.
        left = max(0.6 * points * text_columns(name) - 20 * place for place, name in enumerate(names))
        margins = (10 if self.full else round(10 + min(360, max(0, left))), 10 if by_number else 50, 30)
        places = [place + 0.41 for place in range(size)]
        return (
            x_axis,
            y_axis,
            Words(x=places, y=list(range(size)), texts=names, side="left", size=points, hover=""),
            margins,
        )

    def _height(self, width: float) -> float:
        entries = [*self.legend(True).values(), *([_GROUPS] if self.corners else [])]
        entries += [_CAUTIONED] if self.cautions else []
        lines = sum(1 + folded(entry, 0.85 * width).count("\n") for entry in entries)
        _, high = name_lines(self.names, _NAMES * width)
        least = (0.04 + 0.12 * high) if len(self.order) <= _NUMBERED else 0.095 * high
        return 0.3 + 0.15 * lines + max(least, min(0.3, 0.7 * width / len(self.order))) * len(self.order)
