"""Significance matrix: every pair of systems in one picture."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import plotly.graph_objects as go
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from mtsig.figures.look import LIGHT_CIVIDIS, MARKS, shorts
from mtsig.figures.picture import Picture, Write, folded, name_lines, write_lines
from mtsig.figures.screen import escaped, figure, name_axis
from mtsig.inference import Comparison, Family, level_text, p_number, p_text, points_text, verdict

_ROOMY, _CROWDED = 8, 16
"""Up to so many systems a cell is roomy; beyond so many it has no room for a p-value below the difference."""


_NAMES = 0.45
"""At most so much of the paper's width is for names."""


class Cell(NamedTuple):
    """One cell: positions of the row's and the column's system, and what it shows."""

    row: int
    column: int
    difference: float
    mark: str
    comparison: Comparison


@dataclass(frozen=True)
class Matrix(Picture):
    """All pairs: a cell says by how much the row's system is better than the column's, with the verdict's mark."""

    metric: str
    order: tuple[str, ...]
    cells: tuple[Cell, ...] = field(repr=False)

    @classmethod
    def of(cls, family: Family) -> "Matrix":
        """Return the picture of a family: two cells per comparison, one for each direction."""
        place = {name: position for position, name in enumerate(family.order)}
        cells = []
        for one in family:
            decided = verdict(one)
            for row, column, sign in ((one.first, one.second, 1), (one.second, one.first, -1)):
                mark = MARKS[decided.word]
                if decided.word == "better":
                    mark = MARKS["better" if decided.winner == row else "worse"]
                cells.append(Cell(place[row], place[column], sign * one.difference, mark, one))
        return cls(family.metric, family.order, tuple(cells))

    @property
    def names(self) -> tuple[str, ...]:
        """The systems as they are shown, best first."""
        return shorts(self.order)

    @property
    def largest(self) -> float:
        """The end of the colour scale."""
        return max((abs(cell.difference) for cell in self.cells), default=0.0) or 1.0

    @property
    def caption(self) -> str:
        """What the figure shows."""
        one = self.cells[0].comparison
        how = "not corrected" if one.correction == "none" else "corrected"
        marks = "▲ the row's system is better, ▼ it is worse, ≈ not separated (which does not mean equal), ? undecided"
        return (
            f"Differences in {self.metric}, positive where the row's system is better than the column's, for "
            f"{len(self.cells) // 2} of "
            f"{one.family_size} comparisons judged together (α = {one.alpha:.3g}, {how}). {marks}. "
            "Below a difference stands its p, where there is room."
        )

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data."""
        return (*self.names, self.metric)

    @property
    def scale(self) -> str:
        """What the colours mean."""
        return f"size of the difference in {self.metric}"

    def lines(self, cell: Cell) -> tuple[str, ...]:
        """Return what stands in a cell: mark and difference, and below them the p-value where there is room."""
        size = len(self.order)
        digits = cell.comparison.decimals - (size > _ROOMY)
        number = f"{cell.mark} {points_text(cell.difference, digits, signed=True)}"
        p = cell.comparison.p_adjusted
        if size > _CROWDED or math.isnan(p):
            return (number,)
        return (number, p_text(p) if size <= _ROOMY else p_number(p))

    def screen(self) -> go.Figure:
        """Return the figure for the screen.

        Invisible square markers carry the pair as `customdata`, because clicks on a heatmap itself are not reported.
        """
        size = len(self.order)
        colour: list[list[float | None]] = [[None] * size for _ in self.order]
        text = [[""] * size for _ in self.order]
        for cell in self.cells:
            colour[cell.row][cell.column] = abs(cell.difference)
            text[cell.row][cell.column] = "<br>".join(self.lines(cell))
        pixels = max(26, min(64, 640 // size))
        shown = figure(
            height=200 + pixels * size, clickmode="event+select", dragmode=False, hovermode="closest", hoverdistance=-1
        )
        shown.add_heatmap(
            z=colour,
            text=text,
            # plotly fits the text to the cells, and leaves it out where they are too small: hover and table have it.
            texttemplate="%{text}",
            textfont={"color": "#000"},
            colorscale=list(LIGHT_CIVIDIS),
            zmin=0,
            zmax=self.largest,
            colorbar={
                "title": {"text": escaped(self.scale), "side": "bottom"},
                "orientation": "h",
                "thickness": 10,
                "len": 0.6,
                "y": -0.02,
                "yanchor": "top",
            },
            xgap=2,
            ygap=2,
            hoverinfo="skip",
        )
        shown.add_scatter(
            x=[cell.column for cell in self.cells],
            y=[cell.row for cell in self.cells],
            mode="markers",
            marker={"symbol": "square", "size": pixels - 4, "opacity": 0},
            customdata=[[self.order[cell.row], self.order[cell.column]] for cell in self.cells],
            hovertext=[self._hover(cell) for cell in self.cells],
            hoverinfo="text",
            selected={"marker": {"opacity": 0}},
            unselected={"marker": {"opacity": 0}},
            showlegend=False,
        )
        shown.update_xaxes(**name_axis(self.names), side="top", tickangle=-45, range=[-0.5, size - 0.5], showgrid=False)
        shown.update_yaxes(**name_axis(self.names), range=[size - 0.5, -0.5], showgrid=False)
        shown.update_layout(margin_r=50)  # slanted names reach beyond the last column
        return shown

    def _hover(self, cell: Cell) -> str:
        one = cell.comparison
        low, high = (one.low, one.high) if self.order[cell.row] == one.first else (-one.high, -one.low)
        names = shorts([self.order[cell.row], self.order[cell.column]])
        difference, *ends = (points_text(value, one.decimals, signed=True) for value in (cell.difference, low, high))
        lines = (
            f"{names[0]} minus {names[1]}: {difference} {one.metric}",
            f"{level_text(one.level)} interval {ends[0]} to {ends[1]}",
            _p_of(one),
        )
        return "<br>".join(escaped(line) for line in lines)

    def height(self, width: float) -> float:
        """Return how high it is on paper, in inches."""
        lines = 1 + folded(self.scale, 0.62 * width).count("\n")
        return 0.7 + 0.14 * lines + self._cell_height(width) * len(self.order)

    def _cell_height(self, width: float) -> float:
        _, lines = name_lines(self.names, _NAMES * width)
        return max(0.05 + 0.12 * lines, min(0.36, 0.7 * width / len(self.order)))

    def draw(self, paper: Figure, write: Write) -> None:
        """Draw it on paper: rows with number and name, columns with numbers; slanted names would need the room."""
        axes = paper.subplots()
        size = len(self.order)
        # With more steps matplotlib would put a bitmap into the vector file.
        colours = LinearSegmentedColormap.from_list("light cividis", list(LIGHT_CIVIDIS), N=40)
        norm = Normalize(0, self.largest)
        for cell in self.cells:
            corner = (cell.column - 0.47, cell.row - 0.47)
            axes.add_patch(Rectangle(corner, 0.94, 0.94, facecolor=colours(norm(abs(cell.difference))), linewidth=0))
        axes.set_xlim(-0.5, size - 0.5)
        axes.set_ylim(size - 0.5, -0.5)
        axes.set_xticks(range(size), [str(i + 1) for i in range(size)])
        names, _ = name_lines(self.names, _NAMES * float(paper.get_size_inches()[0]))
        axes.set_yticks(range(size), [write_lines(write, f"{name}  {i + 1}") for i, name in enumerate(names)])
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        bar = paper.colorbar(ScalarMappable(norm, colours), ax=axes, location="bottom", aspect=40, shrink=0.7, pad=0.02)
        bar.outline.set_visible(False)
        if bar.solids is not None:
            bar.solids.set_edgecolor("face")  # no white lines between the steps
        bar.set_label(write_lines(write, folded(self.scale, 0.62 * float(paper.get_size_inches()[0]))), linespacing=1.0)
        layout = paper.get_layout_engine()
        if layout is not None:
            layout.execute(paper)  # the cells have their size only now
        self._write_cells(axes, paper, write)

    def _write_cells(self, axes: Axes, paper: Figure, write: Write) -> None:
        """Write into every cell what fits: two lines, one line, or the mark alone, in one size for all cells."""
        box, inches = axes.get_position(), paper.get_size_inches()
        wide = 72 * inches[0] * box.width / len(self.order)
        high = 72 * inches[1] * box.height / len(self.order)
        rows = len(self.lines(self.cells[0]))
        for kept, size in ((rows, _fitting(self, rows, wide, high)), (1, _fitting(self, 1, wide, high)), (0, 0.0)):
            if size >= _SMALLEST or kept == 0:
                break
        for cell in self.cells:
            lines = _shortened(self.lines(cell)[:kept]) or (cell.mark,)
            text = "\n".join(write(line) for line in lines)
            at = size or min(_LARGEST, 0.6 * min(wide, high))
            axes.text(cell.column, cell.row, text, ha="center", va="center", fontsize=at, linespacing=1.1)


_SMALLEST, _LARGEST = 6.0, 8.0
"""Sizes of text in cells, in points."""

_SIGN_WIDTH, _LINE_HEIGHT = 0.57, 1.25
"""Of a serif font's size: the mean width of digits, signs and marks, and the height of a line."""


def _shortened(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of a cell on paper, where "p = .012" would be the longest: "p .012"."""
    return tuple(line.replace("p = ", "p ").replace("p < ", "p <") for line in lines)


def _fitting(picture: Matrix, rows: int, wide: float, high: float) -> float:
    """Return the largest size, up to _LARGEST, at which the first `rows` lines fit into every cell."""
    longest = max(len(line) for cell in picture.cells for line in _shortened(picture.lines(cell)[:rows]))
    return min(_LARGEST, 0.94 * wide / (_SIGN_WIDTH * longest), 0.94 * high / (_LINE_HEIGHT * rows))


def _p_of(one: Comparison) -> str:
    if one.correction == "none":
        return f"{p_text(one.p_value)}, not corrected for {one.family_size} comparisons"
    return f"corrected {p_text(one.p_adjusted)} (of {one.family_size} comparisons), uncorrected {p_text(one.p_value)}"


def matrix(family: Family) -> go.Figure:
    """Return the matrix of differences (row minus column) with the mark of the verdict in every cell.

    Colour is the size of the difference, the mark is the verdict; both directions of a pair are shown.
    """
    return Matrix.of(family).screen()
