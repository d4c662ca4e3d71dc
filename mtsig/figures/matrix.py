"""Significance matrix: every pair of systems in one picture."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import plotly.graph_objects as go

from mtsig.corpus import listed
from mtsig.figures.compared import LEGEND, lines_of, word_of
from mtsig.figures.look import INK, MARKS, PALE, Verdict, legible_on, shorts, text_columns, verdict_colour
from mtsig.figures.picture import Picture, Write, folded, name_lines, write_lines
from mtsig.figures.screen import LEGEND_BELOW, escaped, faded, figure, name_axis
from mtsig.inference import CAUTION, Comparison, Family, groups, points_text, verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROOMY, _NUMBERED = 8, 24
"""Up to so many systems a cell has room for all decimals, and on a phone for a number; beyond so many, on no screen."""

_HALF = 0.46
"""Half of a cell's side; the rest is a gap."""

_AROUND = ((-1, -1), (1, -1), (1, 1), (-1, 1))
"""The corners of a cell, in halves of its sides from its middle."""

_SCREEN_PATTERNS: dict[Verdict, str] = {"not separated": "/", "undecided": "."}

_STROKES = [((max(-1, c - 1), min(1, c + 1)), (min(1, c + 1), max(-1, c - 1))) for c in (-1.2, -0.4, 0.4, 1.2)]
_SPOTS = [(x, y) for x in (-0.65, 0, 0.65) for y in (-0.65, 0, 0.65)]
"""Hatch and dots of a cell on paper, in halves of its sides from its middle: in PGF, matplotlib's own hatches take TeX
minutes.
"""

_GROUPS = "a group that nothing separates"

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
    """Pairs of systems, best first: colour is the verdict and its direction, darker the larger the difference.

    cells: row by row, above the diagonal one for each comparison; with `full`, below it the same from the other side.
    groups: the first and the last place of each group that nothing separates. apart: systems that are set apart, which
    stand last.
    """

    metric: str
    order: tuple[str, ...]
    cells: tuple[Cell, ...] = field(repr=False)
    groups: tuple[tuple[int, int], ...] = ()
    full: bool = False
    compared: str = "system"
    higher_is_better: bool = True
    apart: tuple[str, ...] = ()

    @property
    def how_to_read(self) -> str:
        """The text that says how to read it."""
        return "metrics-against-people" if self.compared == "metric" else "matrix"

    @classmethod
    def of(cls, family: Family, full: bool = False, compared: str = "system") -> "Matrix":
        """Return the picture of a family; `full` draws every comparison from both sides.

        compared: what is compared, in one word.
        """
        place = {name: position for position, name in enumerate(family.order)}
        largest = max(abs(comparison.difference) for comparison in family) or 1.0
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
        apart = tuple(family.apart)
        return cls(family.metric, family.order, tuple(row_by_row), ends, full, compared, family.higher_is_better, apart)

    @property
    def names(self) -> tuple[str, ...]:
        """The systems as they are shown, best first."""
        return shorts(self.order)

    @property
    def corners(self) -> tuple[tuple[tuple[float, float], ...], ...]:
        """The lines round the groups of several systems, as (column, row) from corner to corner."""
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
        """What the figure shows."""
        comparison = self.cells[0].comparison
        how = "corrected" if comparison.corrected else "not corrected"
        count = len(self.cells) // (2 if self.full else 1)
        said = [
            f"{count} of {comparison.family_size} comparisons in {self.metric} judged together (α = "
            f"{comparison.alpha:.3g}, {how})."
            if comparison.family_size > 1
            else f"One comparison in {self.metric} (α = {comparison.alpha:.3g})."
        ]
        for word, name in (("better", "Blue"), ("worse", "Orange")):
            if self._with(word):
                said.append(f"{name}: the row's {self.compared} is {word} than the column's; the darker, the more.")
        if self._with("not separated"):
            said.append("Hatched (≈): not separated, which does not mean equal.")
        if self._with("undecided"):
            said.append("Dotted (?): undecided.")
        if self.cautions:
            said.append(f"{CAUTION}: with a caution: {'; '.join(self.cautions)}.")
        if self.corners:
            said.append(f"Lines: a group of {self.compared}s that nothing separates.")
        if self.apart:
            said.append(f"Last, as they have text of a reference: {listed(shorts(self.apart))}.")
        return " ".join(said)

    def legend(self, numbers: bool, sure: bool = True) -> dict[Verdict, str]:
        """Return in words what the cells say; `numbers`: whether differences stand in them, `sure`: in all of them."""
        by = f", by so many {self.metric}" if numbers else f" (darker: by more {self.metric})"
        by += "" if sure or not numbers else " where numbers fit"
        said = {word: f"row {text}{by}" if word in ("better", "worse") else text for word, text in LEGEND.items()}
        shown = {word: text for word, text in said.items() if self._with(word)}
        # Where nothing is better, no number names the metric.
        named = any(word in shown for word in ("better", "worse"))
        return shown if named else {word: f"{text}, in {self.metric}" for word, text in shown.items()}

    def _with(self, word: str) -> list[Cell]:
        return [cell for cell in self.cells if cell.verdict == word]

    @cached_property
    def cautions(self) -> tuple[str, ...]:
        """Why to doubt verdicts that stand all the same; none where nothing does."""
        return tuple(dict.fromkeys(cell.caution for cell in self.cells if cell.caution))

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data."""
        return (*self.names, self.metric)

    def text(self, cell: Cell) -> str:
        """Return what stands in a cell: by how much the row's system is better or worse, or the mark of the others."""
        if cell.verdict in _SCREEN_PATTERNS:
            return self.mark(cell)
        return f"{points_text(cell.difference, self.digits)}{CAUTION if cell.caution else ''}"

    def mark(self, cell: Cell) -> str:
        """Return the mark of a cell where there is no room for more."""
        return f"{MARKS[cell.verdict]}{CAUTION if cell.caution else ''}"

    @cached_property
    def digits(self) -> int:
        """The decimals of every number, the same in all cells: as many as have room, and as the metric has."""
        shown = [abs(cell.difference) for cell in self.cells if cell.verdict not in _SCREEN_PATTERNS]
        decimals, largest = self.cells[0].comparison.decimals, max(shown, default=0.0)
        # Ten points and more have a digit more before the point, and a cell no more room.
        room = (2 if largest < 1 else 1) if len(self.order) > _ROOMY else decimals - (largest >= 10)
        # A difference that is there is not shown as 0.
        seen = (digits for digits in range(max(0, room), decimals) if all(round(gap, digits) for gap in shown))
        return next(seen, decimals)

    def screen(self) -> go.Figure:
        """Return the figure for the screen.

        Invisible square markers carry the pair as `customdata`: what is clicked is one of them.
        """
        size = len(self.order)
        pixels = max(15, min(40, _HIGH // size))
        numbered = size <= _NUMBERED
        shown = figure(
            height=170 + pixels * size,
            barmode="overlay",
            # plotly makes numbers smaller where cells are narrow; such that nobody could read are left out.
            uniformtext={"minsize": 9, "mode": "hide"},
            legend=LEGEND_BELOW,
            clickmode="event+select",
            dragmode=False,
            hovermode="closest",
            hoverdistance=-1,
        )
        # How wide cells are, and with it whether their numbers are hidden, is known on the screen alone: only of few
        # systems are words about numbers true on every one.
        for word, name in self.legend(size <= _ROOMY, sure=False).items():
            self._screen_cells(shown, word, name, numbered)
        if self.corners:
            x, y = zip(*(point for corners in self.corners for point in (*corners, (None, None))), strict=True)
            line = {"color": INK, "width": 2}
            shown.add_scatter(x=x, y=y, mode="lines", line=line, name=_GROUPS, hoverinfo="skip")
        if self.cautions:
            # Nothing is drawn: the entry of the legend alone is wanted.
            unseen = {"opacity": 0, "color": INK}
            shown.add_scatter(x=[None], y=[None], mode="markers", marker=unseen, name=_CAUTIONED, hoverinfo="skip")
        shown.add_scatter(
            x=[cell.column for cell in self.cells],
            y=[cell.row for cell in self.cells],
            mode="markers",
            marker={"symbol": "square", "size": pixels - 2, "opacity": 0},
            customdata=[[self.order[cell.row], self.order[cell.column]] for cell in self.cells],
            hovertext=[
                "<br>".join(
                    map(escaped, lines_of(cell.comparison, self.order[cell.row], self.higher_is_better, self.metric))
                )
                for cell in self.cells
            ],
            hoverinfo="text",
            selected={"marker": {"opacity": 0}},
            unselected={"marker": {"opacity": 0}},
            showlegend=False,
        )
        self._screen_axes(shown, numbered)
        return shown

    def _screen_cells(self, shown: go.Figure, word: Verdict, name: str, numbered: bool) -> None:
        """Draw the cells of a verdict: as bars, which keep their texts inside, or as one area, which has a pattern."""
        cells = self._with(word)
        if word in _SCREEN_PATTERNS:
            pattern = {"shape": _SCREEN_PATTERNS[word], "bgcolor": faded(PALE, 0.1), "fgcolor": INK}
            shown.add_scatter(
                x=[x for cell in cells for x in (*(cell.column + _HALF * side for side, _ in _AROUND), None)],
                y=[y for cell in cells for y in (*(cell.row + _HALF * side for _, side in _AROUND), None)],
                mode="lines",
                line={"width": 0},
                fill="toself",
                fillpattern={**pattern, "size": 7, "solidity": 0.15},
                name=escaped(name),
                hoverinfo="skip",
            )
            return
        texts: dict[str, Any] = {}
        if numbered or any(map(self.mark, cells)):
            inside = [legible_on(cell.colour) for cell in cells]
            texts = {"text": [self.text(cell) if numbered else self.mark(cell) for cell in cells], "textangle": 0}
            texts |= {"textposition": "inside", "insidetextanchor": "middle"}
            texts |= {"insidetextfont": {"color": inside, "size": 12}}
        shown.add_bar(
            x=[cell.column for cell in cells],
            y=[2 * _HALF] * len(cells),
            base=[cell.row - _HALF for cell in cells],
            width=2 * _HALF,
            marker={"color": [cell.colour for cell in cells], "line": {"width": 0}},
            name=escaped(name),
            hoverinfo="skip",
            unselected={"marker": {"opacity": 1}},
            **texts,
        )

    def _screen_axes(self, shown: go.Figure, numbered: bool) -> None:
        """Name rows and columns: above the diagonal, rows beside their first cell, where nothing else stands."""
        size = len(self.order)
        name_size = 12 if size <= _NAMED else 10
        longest = max(map(text_columns, self.names))
        by_number = self.full or longest > _SLANTED or size > _NAMED
        names = [f"{name}  {place}" for place, name in enumerate(self.names, 1)] if by_number else list(self.names)
        look = {"showgrid": False, "tickfont": {"size": name_size}}
        first = -0.55 if self.full else 0.4
        # Few systems in the upper triangle have no cells as wide as the page.
        domain = [0, 1.0 if self.full else min(1.0, max(0.7, size / 12))]
        shown.update_xaxes(**name_axis(self.names), **look, side="top", range=[first, size - 0.45], domain=domain)
        if by_number:
            pitch = max(_LEAST, _PHONE - 0.6 * name_size * longest) / size
            step = next((step for step in (1, 2, 5) if step * pitch > 1.5 * name_size), 10)
            at = [place for place in range(size) if (place + 1) % step == 0]
            shown.update_xaxes(tickvals=at, ticktext=[str(place + 1) for place in at], tickangle=0)
        else:
            shown.update_xaxes(tickangle=-45)
        shown.update_yaxes(**name_axis(names), **look, range=[size - 0.45, -0.55], showticklabels=self.full)
        # Slanted names reach beyond the last column.
        shown.update_layout(margin_r=10 if by_number else 50)
        marked = [cell for cell in self.cells if cell.verdict in _SCREEN_PATTERNS and numbered]
        # Without a colour of its own the mark has that of the page's texts.
        shown.add_scatter(
            x=[cell.column for cell in marked],
            y=[cell.row for cell in marked],
            mode="text",
            text=[self.mark(cell) for cell in marked],
            textfont={"size": 15, "weight": 700},
            hoverinfo="skip",
            showlegend=False,
        )
        if self.full:
            return
        shown.add_scatter(
            x=[place + 0.41 for place in range(size)],
            y=list(range(size)),
            mode="text",
            text=[escaped(name) for name in names],
            textposition="middle left",
            textfont={"size": name_size},
            cliponaxis=False,
            hoverinfo="skip",
            showlegend=False,
        )
        # A row has one narrow cell's room more than the one above it.
        left = max(0.6 * name_size * text_columns(name) - 20 * place for place, name in enumerate(names))
        shown.update_layout(margin_l=10 + min(360, max(0, left)))

    def height(self, width: float) -> float:
        """Return how high it is on paper, in inches."""
        entries = [*self.legend(True).values(), *([_GROUPS] if self.corners else [])]
        entries += [_CAUTIONED] if self.cautions else []
        lines = sum(1 + folded(entry, 0.85 * width).count("\n") for entry in entries)
        return 0.3 + 0.15 * lines + self._cell_height(width) * len(self.order)

    def _cell_height(self, width: float) -> float:
        _, lines = name_lines(self.names, _NAMES * width)
        least = (0.04 + 0.12 * lines) if len(self.order) <= _NUMBERED else 0.095 * lines
        return max(least, min(0.3, 0.7 * width / len(self.order)))

    def draw(self, paper: "Figure", write: Write) -> None:
        """Draw it on paper: rows with name and number, columns with numbers; names would need the room."""
        from matplotlib.collections import LineCollection, PolyCollection
        from matplotlib.legend_handler import HandlerTuple

        axes = paper.subplots()
        size = len(self.order)
        for word in self.legend(True):
            cells = self._with(word)
            squares = [[(cell.column + _HALF * x, cell.row + _HALF * y) for x, y in _AROUND] for cell in cells]
            faces = _PAPER_PALE if word in _SCREEN_PATTERNS else [cell.colour for cell in cells]
            axes.add_collection(PolyCollection(squares, linewidth=0, facecolor=faces), autolim=False)
        strokes = [
            [(cell.column + _HALF * x, cell.row + _HALF * y) for x, y in stroke]
            for cell in self._with("not separated")
            for stroke in _STROKES
        ]
        axes.add_collection(LineCollection(strokes, colors=INK, linewidths=_STROKE), autolim=False)
        spots = [(cell.column + _HALF * x, cell.row + _HALF * y) for cell in self._with("undecided") for x, y in _SPOTS]
        if spots:
            axes.plot(*zip(*spots, strict=True), linestyle="", marker="o", markersize=1.4 * _STROKE, color=INK)
        for corners in self.corners:
            axes.plot(*zip(*corners, strict=True), color=_LINE, linewidth=0.8, solid_joinstyle="miter")
        axes.set_xlim(-0.55 if self.full else 0.5, size - 0.45)
        axes.set_ylim(size - 0.45, -0.55)
        axes.xaxis.tick_top()
        axes.tick_params(length=0, pad=1.5)
        axes.spines[:].set_visible(False)
        self._paper_names(axes, float(paper.get_size_inches()[0]), write)
        width = 0.85 * float(paper.get_size_inches()[0])
        labels, handles = zip(*self._handles(write, width), strict=True)
        both = {tuple: HandlerTuple(ndivide=1)}
        legend = paper.legend(handles, labels, loc="outside lower left", numpoints=3, handler_map=both)
        layout = paper.get_layout_engine()
        if layout is not None:
            layout.execute(paper)  # the cells have their size only now
        if not self._write_cells(axes, paper, write):
            for text, entry in zip(legend.get_texts(), self.legend(False).values(), strict=False):
                text.set_text(write_lines(write, folded(entry, width)))

    def _handles(self, write: Write, width: float) -> Iterator[tuple[str, Any]]:
        """Yield what the legend shows: each text with its picture."""
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch
        from matplotlib.path import Path

        for word, entry in self.legend(True).items():
            label = write_lines(write, folded(entry, width))
            if word not in _SCREEN_PATTERNS:
                yield label, Patch(linewidth=0, facecolor=verdict_colour(word, 0.5))
                continue
            mark: dict[str, Any] = {"marker": Path([(-1, -1), (1, 1)]), "markersize": 6, "markeredgewidth": _STROKE}
            mark = mark if word == "not separated" else {"marker": "o", "markersize": 1.4 * _STROKE}
            yield label, (Patch(linewidth=0, facecolor=_PAPER_PALE), Line2D([], [], linestyle="", color=INK, **mark))
        if self.corners:
            yield write_lines(write, folded(_GROUPS, width)), Line2D([], [], color=_LINE, linewidth=0.8)
        if self.cautions:
            yield write_lines(write, folded(_CAUTIONED, width)), Line2D([], [], linestyle="")

    def _paper_names(self, axes: "Axes", width: float, write: Write) -> None:
        """Name rows, above the diagonal beside their first cell, and number them and the columns."""
        size = len(self.order)
        points = _SMALL_NAME if size > _NUMBERED else None
        names, _ = name_lines(self.names, _NAMES * width)
        labels = [write_lines(write, f"{name}  {place}") for place, name in enumerate(names, 1)]
        # Numbers of many columns would run into each other.
        room = 72 * (1 - _NAMES) * width / size
        step = next((step for step in (1, 2, 5) if step * room > 1.3 * _SMALL_NAME), 10)
        shown = [place for place in range(size) if (place + 1) % step == 0 and (place or self.full)]
        axes.set_xticks(shown, [str(place + 1) for place in shown], fontsize=points)
        axes.set_yticks(range(size) if self.full else [], labels if self.full else [], fontsize=points, linespacing=1)
        for place, label in enumerate(labels if not self.full else []):
            size_of = points or axes.yaxis.get_tick_params().get("labelsize", 8)
            axes.text(place + 0.4, place, label, ha="right", va="center", fontsize=size_of, linespacing=1.0)

    def _write_cells(self, axes: "Axes", paper: "Figure", write: Write) -> bool:
        """Write into every cell its number, or where one would not fit the mark alone; return whether numbers stand."""
        box, inches = axes.get_position(), paper.get_size_inches()
        columns = len(self.order) - (not self.full)
        wide = 72 * inches[0] * box.width / columns
        high = 72 * inches[1] * box.height / len(self.order)
        longest = max(len(self.text(cell)) for cell in self.cells)
        fitting = min(_LARGEST, 0.9 * wide / (_SIGN_WIDTH * longest), 0.9 * high / _LINE_HEIGHT)
        numbers = bool(fitting >= _SMALLEST)
        points = fitting if numbers else min(_LARGEST, 0.7 * min(wide, high))
        # Of very many cells hatch and dots are the marks: nobody could read a sign in them.
        for cell in self.cells if points >= _SMALLEST_MARK else ():
            text = self.text(cell) if numbers else self.mark(cell)
            decided = cell.verdict not in _SCREEN_PATTERNS
            ground = None if decided else {"boxstyle": "square,pad=0.1", "facecolor": "white", "linewidth": 0}
            if text:
                axes.text(
                    cell.column, cell.row, write(text), ha="center", va="center_baseline", bbox=ground,
                    fontsize=points, color=legible_on(cell.colour) if decided else _LINE,
                )  # fmt: skip
        return numbers


_LINE, _PAPER_PALE, _STROKE = "#333333", "#f2f2f2", 0.6
"""Lines and marks on paper; the ground of hatch and dots, and how wide those are, in points."""

_SMALLEST, _LARGEST, _SMALLEST_MARK, _SMALL_NAME = 5.5, 8.0, 5.5, 6.0
"""Sizes of numbers in cells, of marks, and of names where there are many, in points."""

_SIGN_WIDTH, _LINE_HEIGHT = 0.5, 1.25
"""Of a serif font's size: the mean width of digits and signs, and the height of a line."""
