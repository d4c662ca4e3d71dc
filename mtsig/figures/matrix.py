"""Significance matrix: every pair of systems in one picture."""

import math
from typing import NamedTuple

import plotly.graph_objects as go

from mtsig.figures.look import MARKS, figure, label, labels, name_axis
from mtsig.inference import Comparison, Family, level_text, p_number, p_text, verdict

_ROOMY, _CROWDED = 8, 16
"""Up to so many systems a cell is roomy; beyond so many it has no room for a p-value below the difference."""


LIGHT_CIVIDIS = ((0.0, "#fee838"), (0.25, "#e1cc55"), (0.5, "#c3b369"), (0.75, "#a59c74"), (1.0, "#8a8678"))
"""The light half of cividis, reversed: black text has a contrast of at least 5 : 1 on all of it."""


class Cell(NamedTuple):
    """One cell: positions of the row's and the column's system, and what it shows."""

    row: int
    column: int
    difference: float
    mark: str
    comparison: Comparison


def cells_of(family: Family, order: list[str]) -> list[Cell]:
    """Return two cells per comparison: a cell's difference is the row's system minus the column's."""
    place = {name: position for position, name in enumerate(order)}
    cells = []
    for one in family:
        decided = verdict(one)
        for row, column, sign in ((one.first, one.second, 1), (one.second, one.first, -1)):
            mark = MARKS[decided.word]
            if decided.word == "better":
                mark = MARKS["better" if decided.winner == row else "worse"]
            cells.append(Cell(place[row], place[column], sign * one.difference, mark, one))
    return cells


def order_of(family: Family) -> list[str]:
    """Return the systems of the family, best first."""
    statistics = family.statistics
    best_first = -1 if statistics.metric.higher_is_better else 1
    return sorted(family.systems, key=lambda name: best_first * statistics.scores[statistics.row(name)])


def matrix(family: Family) -> go.Figure:
    """Return the matrix of differences (row minus column) with the mark of the verdict in every cell.

    Colour is the size of the difference, the mark is the verdict; both directions of a pair are shown. Invisible square
    markers carry the pair as `customdata`, because clicks on a heatmap itself are not reported.
    """
    order = order_of(family)
    size = len(order)
    cells = cells_of(family, order)
    colour: list[list[float | None]] = [[None] * size for _ in order]
    for cell in cells:
        colour[cell.row][cell.column] = abs(cell.difference)
    text = [[""] * size for _ in order]
    for cell in cells:
        text[cell.row][cell.column] = _text(cell, size)
    pixels = max(26, min(64, 640 // size))
    shown = figure(
        height=200 + pixels * size, clickmode="event+select", dragmode=False, hovermode="closest", hoverdistance=-1
    )
    shown.add_heatmap(
        z=colour,
        text=text,
        # plotly fits the text to the cells, and leaves it out where they are too small: hover and table still have it.
        texttemplate="%{text}",
        textfont={"color": "#000"},
        colorscale=list(LIGHT_CIVIDIS),
        zmin=0,
        zmax=max((abs(cell.difference) for cell in cells), default=0.0) or 1.0,
        colorbar={
            "title": {"text": f"size of the difference in {label(family.metric)}", "side": "bottom"},
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
        x=[cell.column for cell in cells],
        y=[cell.row for cell in cells],
        mode="markers",
        marker={"symbol": "square", "size": pixels - 4, "opacity": 0},
        customdata=[[order[cell.row], order[cell.column]] for cell in cells],
        hovertext=[_hover(cell, order) for cell in cells],
        hoverinfo="text",
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        showlegend=False,
    )
    shown.update_xaxes(**name_axis(order), side="top", tickangle=-45, range=[-0.5, size - 0.5], showgrid=False)
    shown.update_yaxes(**name_axis(order), range=[size - 0.5, -0.5], showgrid=False)
    shown.update_layout(margin_r=50)  # slanted names reach beyond the last column
    return shown


def _text(cell: Cell, size: int) -> str:
    digits = 2 if size <= _ROOMY else 1
    number = f"{cell.mark} {cell.difference:+.{digits}f}".replace("-", "−")
    p = cell.comparison.p_adjusted
    if size > _CROWDED or math.isnan(p):
        return number
    return f"{number}<br>{p_text(p) if size <= _ROOMY else p_number(p)}"


def _hover(cell: Cell, order: list[str]) -> str:
    one = cell.comparison
    low, high = (one.low, one.high) if order[cell.row] == one.first else (-one.high, -one.low)
    names = labels([order[cell.row], order[cell.column]])
    return (
        f"{names[0]} minus {names[1]}: {cell.difference:+.2f} {one.metric}"
        f"<br>{level_text(one.level)} interval {low:+.2f} to {high:+.2f}"
        f"<br>{_p_of(one)}"
    )


def _p_of(one: Comparison) -> str:
    if one.correction == "none":
        return f"{p_text(one.p_value)}, not corrected for {one.of} comparisons"
    return f"corrected {p_text(one.p_adjusted)} (of {one.of} comparisons), uncorrected {p_text(one.p_value)}"
