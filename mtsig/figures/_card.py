"""Cards to share: one finding with its picture, of a league or of a pair, as a picture of 1200 × 630 pixels."""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from mtsig._probability import level_text, points_text, shown_decimals
from mtsig.figures._frame import BOTTOM, INKED, LEFT, LINES, NOTE, QUIET, RIGHT, Card, Pen
from mtsig.figures._histogram import Histogram
from mtsig.figures._league import League
from mtsig.figures._look import SLATE, Verdict, legible_on, verdict_colour
from mtsig.figures._marks import Room
from mtsig.figures._matrix import Matrix
from mtsig.figures._panels import BESIDE, DARKER, tick_texts, ticks_of

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
            # In the line of heads, a number beside that of the scores would be read with it.
            for place in (head - 11, line + 16) if right - scale(value) > BESIDE else (line + 16,):
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
        # The matrix says it pair by pair: nothing says what is dotted, so no bar means a verdict that is withheld.
        for first, last, lane, dash in self.league.rails:
            inside = [y[number] for number, at in enumerate(self.rows) if first <= at <= last]
            if dash == "solid" and lane < 3 and len(inside) > 1:
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
        texts = [points_text(cell.difference, shown_decimals(cell.difference, 2)) for cell in cells]
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
