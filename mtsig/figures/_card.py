"""Cards to share: one finding with its picture, of a league or of a pair, as a picture of 1200 × 630 pixels.

The frame of a card has the words above and below the picture, and the pen that draws in pixels.
"""

import math
from abc import abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from mtsig._probability import level_text, points_text
from mtsig.figures._histogram import Histogram
from mtsig.figures._league import League
from mtsig.figures._look import INK_2, PALE, SLATE, Verdict, legible_on, verdict_colour
from mtsig.figures._marks import Drawing, Line, Mark, Points, Room, Scene, Write
from mtsig.figures._matrix import Matrix
from mtsig.figures._panels import DARKER, tick_texts, ticks_of

if TYPE_CHECKING:
    from mtsig.figures._matplotlib import Paper


WIDTH, HEIGHT = 1200, 630
"""Pixels of a card."""

LEFT, RIGHT = 40, 1160
_TITLE, _SMALLEST_TITLE, _LEDE, NOTE = 38, 26, (19, 18, 17, 16), 12.5
"""Sizes of texts, in pixels."""

INKED, QUIET, LINES = "#1a1c22", INK_2[0], "#e3e5e9"

_TOP, BOTTOM = 118, 560
"""Where the picture begins and ends."""


@dataclass(frozen=True)
class Said:
    """What a card says in words: title, lede with what stands beside it in grey, and how all of it was made."""

    title: str
    lede: str
    aside: str
    method: str
    version: str

    @property
    def sentence(self) -> str:
        """All of it as text, to be put into a message."""
        return " ".join(f"{text.rstrip('.')}." for text in (self.title, self.lede, self.aside, self.method) if text)


@dataclass(frozen=True)
class Card(Drawing):
    """A card: its words above and below, and between them its picture."""

    said: Said

    @property
    def texts(self) -> tuple[str, ...]:
        said = self.said
        return (said.title, said.lede, said.aside, said.method, said.version, *self.names)

    @property
    @abstractmethod
    def names(self) -> Sequence[str]:
        """The names in its picture, as they are shown."""

    def height(self, width: float) -> float:
        """Return how high it is, in the same unit."""
        return width * HEIGHT / WIDTH

    def draw(self, paper: "Paper", write: Write) -> None:
        pen = Pen(paper, write)
        said = self.said
        size = next((size for size in range(_TITLE, _SMALLEST_TITLE, -1) if pen.wide(said.title, size, True) < 1120), 0)
        top = 66.0
        if size:
            pen.text(LEFT, top, said.title, size, bold=True)
        else:
            top = pen.flow(54, [(said.title, INKED)], (_SMALLEST_TITLE,), bold=True)
        top = pen.flow(top + 32, [(said.lede, INKED), (said.aside, QUIET)], _LEDE)
        self.picture(pen, max(_TOP, top + 28))
        pen.line([LEFT, RIGHT], [585, 585], LINES)
        right = RIGHT - pen.wide(said.version, NOTE)
        pen.text(RIGHT, 609, said.version, NOTE, side="right")
        pen.text(right - 4, 609, "mtsig", NOTE, bold=True, side="right")
        room = right - 70 - LEFT
        small = next((size for size in (12.5, 12, 11.5, 11) if pen.wide(said.method, size) < room), 11)
        pen.text(LEFT, 609, pen.fitted(said.method, small, room), small, colour=QUIET)

    @abstractmethod
    def picture(self, pen: "Pen", top: float) -> None:
        """Draw the picture, from this height on."""


class Pen:
    """Draws in pixels from the upper left corner."""

    def __init__(self, paper: "Paper", write: Write) -> None:
        self._paper = paper
        self._axes = paper.add_axes((0, 0, 1, 1))
        self._axes.set(xlim=(0, WIDTH), ylim=(HEIGHT, 0))
        self._axes.set_axis_off()
        self._write = write
        self._widths: dict[tuple[str, float, bool], float] = {}

    def text(
        self, x: float, y: float, text: str, size: float, *,
        colour: str = INKED, bold: bool = False, side: str = "left", rest: float = 0,
    ) -> None:  # fmt: skip
        """Write a text whose letters stand on a line; rest: degrees by which it is turned."""
        self._axes.text(
            x, y, self._write(text), fontsize=0.72 * size, color=colour, ha=side, va="baseline", rotation=rest,
            fontweight="bold" if bold else "normal",
        )  # fmt: skip

    def wide(self, text: str, size: float, bold: bool = False) -> float:
        key = (text, size, bold)
        if key not in self._widths:
            drawn = self._axes.text(
                0, 0, self._write(text), fontsize=0.72 * size, fontweight="bold" if bold else "normal"
            )
            figure = self._axes.get_figure()
            pixels = float(figure.dpi) if figure is not None else 100.0
            self._widths[key] = float(drawn.get_window_extent().width) * 100 / pixels
            drawn.remove()
        return self._widths[key]

    def fitted(self, text: str, size: float, room: float, bold: bool = False) -> str:
        """Return a text, cut at its end where it has no room."""
        if self.wide(text, size, bold) <= room:
            return text
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.wide(f"{text[:middle]}…", size, bold) <= room else (low, middle - 1)
        return f"{text[:low].rstrip()}…"

    def flow(self, y: float, parts: Sequence[tuple[str, str]], sizes: Sequence[float], *, bold: bool = False) -> float:
        """Write texts, each in its colour, one after the other in two lines at most, and return where the last is.

        sizes: the largest one is taken at which all of it has room, or the last.
        """
        words = [(word, colour) for text, colour in parts for word in text.split()]
        placed, size = next(
            (found for size in sizes if (found := (self._placed(words, size, bold), size))[0][-1][1] < 2),
            (self._placed(words, sizes[-1], bold), sizes[-1]),
        )
        seen = [each for each in placed if each[1] < 2]
        for number, (x, line, word, colour) in enumerate(seen, 1):
            more = " …" if number == len(seen) < len(placed) else ""
            text = self.fitted(f"{word}{more}", size, RIGHT + 20 - x, bold)
            self.text(x, y + 1.35 * size * line, text, size, colour=colour, bold=bold)
        return y + 1.35 * size * seen[-1][1]

    def _placed(self, words: Sequence[tuple[str, str]], size: float, bold: bool) -> list[tuple[float, int, str, str]]:
        """Return where words go: x, the number of the line, the word and its colour."""
        gap = self.wide("n n", size, bold) - self.wide("nn", size, bold)
        x, line, placed = float(LEFT), 0, []
        for word, colour in words:
            width = self.wide(word, size, bold)
            if x + width > RIGHT and x > LEFT:
                x, line = float(LEFT), line + 1
            placed.append((x, line, word, colour))
            x += width + gap
        return placed

    def line(self, x: Sequence[float], y: Sequence[float], colour: str, width: float = 1, dash: str = "-") -> None:
        """Draw a line, in gaps at NaN."""
        ends = "butt" if dash == "-" else None
        self._axes.plot(x, y, color=colour, linewidth=0.72 * width, linestyle=dash, solid_capstyle=ends or "projecting")

    def fill(self, x: Sequence[float], y: Sequence[float], colour: str, edge: str = "none", width: float = 0) -> None:
        self._axes.fill(x, y, facecolor=colour, edgecolor=edge, linewidth=0.72 * width)

    def box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Fill a rectangle."""
        self.fill([x, x + width, x + width, x], [y, y, y + height, y + height], colour)

    def mark(self, x: float, y: float, sign: str, size: float, *, hollow: bool = False) -> None:
        """Draw a mark of this many pixels across."""
        face = "white" if hollow else INKED
        self._axes.plot(
            [x], [y], linestyle="", marker=sign, markersize=0.72 * size, markerfacecolor=face, markeredgecolor=INKED,
            markeredgewidth=1.1, zorder=3,
        )  # fmt: skip

    def cell(self, x: float, y: float, width: float, height: float, kind: Verdict, colour: str) -> None:
        """Draw a cell of the matrix."""
        if kind in ("better", "worse"):
            self.box(x, y, width, height, colour)
            return
        self.box(x, y, width, height, "#f2f2f2")
        if kind == "not_significant":
            xs: list[float] = []
            ys: list[float] = []
            for start in np.arange(width * 0.35, width + height, 6.5):
                # A stroke from the lower left to the upper right, as far as it is in the cell.
                low, high = max(0.0, start - height), min(width, start)
                xs += [x + low, x + high, math.nan]
                ys += [y + start - low, y + start - high, math.nan]
            self.line(xs, ys, "#bdbdbd", 0.8)
        else:
            places = [(x + a, y + b) for a in np.arange(3.5, width - 1, 5) for b in np.arange(3.5, height - 1, 5)]
            self._axes.plot(*zip(*places, strict=True), linestyle="", marker="o", markersize=0.9, color=PALE)

    def scene(self, scene: Scene, top: float, bottom: float) -> None:
        """Draw the first plane of a scene in the width of the card; one that is low is not drawn out.

        Its lines and marks are those of a screen, which are larger than those of paper.
        """
        from mtsig.figures._matplotlib import draw_plane

        (plane, *_), high = scene.planes, 100 * scene.height - 48
        middle, half = (top + bottom) / 2, min((bottom - top) / 2, 0.75 * high)
        marks = [_larger(mark) for mark in plane.marks]
        place = ((LEFT + 10) / WIDTH, 1 - (middle + half) / HEIGHT, (RIGHT - LEFT - 20) / WIDTH, 2 * half / HEIGHT)
        draw_plane(self._paper.add_axes(place), replace(plane, marks=marks), self._write)


_OF_SCREEN, _OF_MARKS = 1.44, 1.8
"""A pixel of a line, and of a mark, is so much wider on a screen than on paper."""


def _larger(mark: Mark) -> Mark:
    if isinstance(mark, Points):
        return replace(mark, size=_OF_MARKS * mark.size, thickness=_OF_SCREEN * mark.thickness)
    return replace(mark, width=_OF_SCREEN * mark.width) if isinstance(mark, Line) else mark


MOST_ROWS, _FIRST_ROWS, _MOST_UNRANKED = 18, 12, 5
"""Of more rows the first are shown, and the last; of what is not ranked, so many."""


# --- a league ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LeagueCard(Card):
    """All systems with scores and intervals, and what every pair of them says."""

    league: League

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """Which rows of the league are shown: of more than have room, the first ranked ones and the last."""
        every = self.league.rows
        ranked = [at for at, row in enumerate(every) if row.ranked]
        others = [at for at, row in enumerate(every) if not row.ranked]
        if len(every) > MOST_ROWS:
            others = others[:_MOST_UNRANKED]
            ranked = [*ranked[:_FIRST_ROWS], ranked[-1]] if len(ranked) > _FIRST_ROWS + 2 else ranked
        return (*ranked, *others)

    @property
    def left(self) -> int:
        """How many ranked rows are left out after the first ones."""
        ranked = [at for at in self.rows if self.league.rows[at].ranked]
        return ranked[-1] - len(ranked) + 1

    @property
    def names(self) -> Sequence[str]:
        return self.league.texts

    @property
    def unranked(self) -> str:
        """Why what is not ranked is not, in one line."""
        shown = [self.league.rows[at] for at in self.rows if not self.league.rows[at].ranked]
        return ", ".join(f"{row.number}: {row.reason}" for row in shown)

    def picture(self, pen: Pen, top: float) -> None:
        """Draw forest and matrix, which share rows."""
        league = self.league
        column, rows = league.columns[0], [league.rows[at] for at in self.rows]
        count, apart = len(rows), any(not row.ranked for row in rows)
        head = top + 36
        high = min(60.0, (BOTTOM - 4 - head) / (count + bool(apart) + bool(self.left)))
        size = 15.0 if high > 40 else 13.0 if high > 21 else 12.0
        base = 0.36 * size  # from the middle of a line of text to where its letters stand
        y, line = [], head
        for number, row in enumerate(rows):
            line += high if not row.ranked and number and rows[number - 1].ranked else 0
            line += high if self.left and number == _FIRST_ROWS else 0
            y.append(line + high / 2)
            line += high
        names = [league.names[at] for at in self.rows]
        left = min(320.0, 106 + max(pen.wide(name, size, bold=True) for name in names))
        right = 636.0 if league.matrix is not None else 980.0
        score = right + 52
        level = f"{level_text(league.level)} CI"
        ends = score + 16 + max(pen.wide(level, NOTE, True), *(pen.wide(column.interval(at), size) for at in self.rows))
        span = column.span([at for at, row in enumerate(league.rows) if row.ranked])
        low, high_end = span if column.higher_is_better else span[::-1]

        def scale(value: float) -> float:
            return left + (value - low) / (high_end - low) * (right - left)

        pen.text(84, head - 11, "System", NOTE, bold=True)
        pen.text(left, head - 30, column.title, NOTE, bold=True)
        pen.text(score, head - 11, "Score", NOTE, bold=True, side="right")
        pen.text(score + 16, head - 11, level, NOTE, bold=True)
        ticks = ticks_of(*span, 5)
        for value, text in zip(ticks, tick_texts(ticks, signed=False), strict=True):
            pen.line([scale(value)] * 2, [head, line], LINES)
            for place in (head - 11, line + 16):
                pen.text(scale(value), place, text, 12, colour=QUIET, side="center")
        pen.line([left, right], [line, line], "#c9ccd2")
        for number, (at, row, name, place) in enumerate(zip(self.rows, rows, names, y, strict=True)):
            pen.line([52, ends + 10], [place + high / 2] * 2, LINES)
            bold, ink = league.best and not number, INKED if row.ranked else QUIET
            pen.text(74, place + base, row.number, size, colour=QUIET, side="right")
            pen.text(84, place + base, pen.fitted(name, size, left - 94, bold), size, bold=bold, colour=ink)
            pen.text(score, place + base, column.text(at), size, bold=row.ranked, side="right", colour=ink)
            pen.text(score + 16, place + base, column.interval(at), size, colour=QUIET)
            if not math.isnan(column.estimate[at]):
                self._interval(pen, at, place, scale, (left, right))
        if self.left:
            pen.text(84, y[_FIRST_ROWS - 1] + high + base, f"… {self.left} more", size, colour=QUIET)
        if apart:
            first = next(place for row, place in zip(rows, y, strict=True) if not row.ranked)
            said = pen.fitted(f"Not ranked: {self.unranked}", 12, ends - 42, bold=True)
            pen.text(52, first - high + 4.3, said, 12, bold=True, colour=QUIET)
        self._rails(pen, y, high)
        if league.matrix is not None:
            self._matrix(pen, league.matrix, y, high, head, ends + 30)

    def _interval(
        self, pen: Pen, at: int, y: float, scale: Callable[[float], float], ends: tuple[float, float]
    ) -> None:
        column, row = self.league.columns[0], self.league.rows[at]
        place = scale(column.estimate[at])
        if not ends[0] <= place <= ends[1]:
            edge, towards = (ends[1], -1) if place > ends[1] else (ends[0], 1)
            pen.line([edge + 10 * towards, edge + 26 * towards], [y, y], SLATE, 2.5, ":")
            pen.fill([edge, edge + 10 * towards, edge + 10 * towards], [y, y - 6, y + 6], "white", INKED, 1.3)
            text = f"{column.text(at)}, off the axis"
            pen.text(edge + 33 * towards, y + 4.3, text, 12, colour=QUIET, side="right" if towards < 0 else "left")
            return
        if not math.isnan(column.low[at]):
            low, high = (min(max(scale(end), ends[0]), ends[1]) for end in (column.low[at], column.high[at]))
            pen.line([low, high], [y, y], SLATE, 2.2, "-" if row.fair else "--")
            for end in (low, high):
                pen.line([end, end], [y - 4, y + 4], SLATE, 1.6)
        pen.mark(place, y, "D" if row.human else "o", 8.5 if row.human else 10, hollow=row.human or not row.fair)

    def _rails(self, pen: Pen, y: Sequence[float], high: float) -> None:
        for first, last, lane in self.league.rails:
            inside = [y[number] for number, at in enumerate(self.rows) if first <= at <= last]
            if lane < 3 and len(inside) > 1:
                x = LEFT + 2 + 6 * lane
                pen.line([x, x], [inside[0] - 0.4 * high, inside[-1] + 0.4 * high], "#858c99", 3)

    def _matrix(self, pen: Pen, matrix: Matrix, y: Sequence[float], high: float, head: float, left: float) -> None:
        metric = matrix.metric
        rows = [self.league.rows[at] for at in self.rows]
        count, gap = len(rows), 2.0
        apart = next((number for number, row in enumerate(rows) if not row.ranked), count)
        beyond = 0.2 if apart < count else 0.0
        wide = min(1.25 * high, (RIGHT - left) / (count + beyond))
        left = RIGHT - wide * (count + beyond)
        x = [left + number * wide + (beyond * wide if number >= apart else 0) for number in range(count)]
        what = "Row minus column" if matrix.higher_is_better else "Row better by"
        left = min(left, RIGHT - pen.wide(f"{what}, {metric}", NOTE, bold=True))
        pen.text(left, head - 30, f"{what}, {metric}", NOTE, bold=True)
        small = 12 if wide > 19 else 10
        for number, row in enumerate(rows):
            if number:
                pen.text(x[number] + (wide - gap) / 2, head - 11, row.number, small, colour=QUIET, side="center")
            if number < count - 1:
                pen.text(x[number] + wide - 6, y[number] + 0.36 * small, row.number, small, colour=QUIET, side="right")
        if apart < count and apart:
            pen.line([x[apart] - 0.1 * wide - 1] * 2, [head - 4, y[-1] + high / 2], "#9aa1ad", 1)
        place = {at: number for number, at in enumerate(self.rows)}
        cells = [cell for cell in matrix.cells if cell.row in place and cell.column in place]
        texts = [points_text(cell.difference, 1 if abs(cell.difference) >= 0.95 else 2) for cell in cells]
        written = wide > 24 and max(pen.wide(text, 11) for text in texts) < wide - 5
        for cell, text in zip(cells, texts, strict=True):
            column, row_y = x[place[cell.column]], y[place[cell.row]]
            pen.cell(column, row_y - high / 2 + gap / 2, wide - gap, high - gap, cell.verdict, cell.colour)
            middle = (column + (wide - gap) / 2, row_y + 4)
            if cell.verdict == "not_significant" and wide > 14:
                pen.text(*middle, "≈", 12, side="center")
            elif cell.verdict in ("better", "worse") and written:
                pen.text(*middle, text, 11, colour=legible_on(cell.colour), side="center")
        by = "" if count < 7 else f"; numbers in {metric}" if written else DARKER
        self._key(pen, by, {cell.verdict for cell in cells}, y[-1] + high / 2, left)

    def _key(self, pen: Pen, by: str, words: Collection[Verdict], bottom: float, left: float) -> None:
        """Say what the cells are, in the empty triangle or, where this is small, below it."""
        said: dict[Verdict, str] = {
            "better": f"row better{by}",
            "worse": "row behind",
            "not_significant": "≈ too close to call (not: equal)",
            "withheld": "verdict withheld",
        }
        lines = [(word, text) for word, text in said.items() if word in words]
        bottom -= 4
        if len(self.rows) < 10:
            bottom = min(bottom + 8 + 20 * len(lines), BOTTOM)
            left = min(left, RIGHT - 40 - max(pen.wide(text, 12) for _, text in lines))
        for number, (word, text) in enumerate(lines):
            place = bottom - 20 * (len(lines) - number)
            if word in ("better", "worse"):
                for step in range(4):
                    pen.box(left + 8 * step, place, 7.5, 12, verdict_colour(word, 0.1 + 0.3 * step))
            else:
                pen.cell(left, place, 32, 12, word, "")
            pen.text(left + 40, place + 10.5, text, 12, colour=QUIET)


# --- a pair ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PairCard(Card):
    """One difference: on how many resampled test sets which side is ahead, and its interval against zero."""

    histogram: Histogram

    @property
    def names(self) -> Sequence[str]:
        return self.histogram.texts

    def picture(self, pen: Pen, top: float) -> None:
        """Draw the histogram; of two outputs that no metric tells from each other there is none."""
        if self.histogram.comparison.n_differing:
            pen.scene(self.histogram.scene(Room((RIGHT - LEFT - 20) / 100)), top + 8, 540)
