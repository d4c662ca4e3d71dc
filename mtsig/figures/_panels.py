"""The league on a screen: one unit of its upright axis is a pixel, so that rows, names and cells stand in line.

What stands beside the axes is written so many pixels from their ends; how wide the page is only the browser knows.
"""

import math
from collections.abc import Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any, Literal, cast

from mtsig._probability import points_text
from mtsig._writing import short
from mtsig.figures import _look
from mtsig.figures._marks import Axis, Cells, Line, Mark, Plane, Scene, Words
from mtsig.figures._matrix import LEGEND, Matrix
from mtsig.inference._verdict import CAUTION

if TYPE_CHECKING:
    from mtsig.figures._league import Column, League

LANE = 8
"""Pixels from one rail to the next."""

_STEPS = (1.0, 2.0, 2.5, 5.0)

_ROOMY: tuple[tuple[int, int], ...] = ((6, 44), (9, 34), (18, 28), (32, 20))
_LEAST_ROW = 16
"""Up to so many rows each is so many pixels high; more have the least."""

_HEAD, _FOOT, _NOT_RANKED, _REASON = 50, 26, 28, 12
"""Pixels above and below the rows, of the line "Not ranked", and by how much rows with a reason are higher."""

_PAGE, _SIDE_BY_SIDE = 1184, 1092
"""Pixels: the width of the page, and the least in which both panels stand beside each other (style.css)."""

_PHONE = 368

_NAMES = "System"
"""The head over the names."""

_SIGN, _SMALL_SIGN, _MOST_NAME, _NARROW_NAME = 7.3, 5.6, 205, 132
"""Pixels of a letter of a name and of a note, and what names take at most."""

_SCORE, _INTERVAL, _RANK, _GAP = 58, 112, 46, 22
"""Pixels of the columns of numbers, and between the panels."""

_KEY_LINE, _KEY_SIGN, _HEAD_SIGN = 21, 5.2, 7.0
"""Pixels of a line of the key, of a letter in it, and of one in the head of a panel."""

BESIDE = 20
"""Pixels from the end of an axis in which no number stands in the line of heads."""

_LEAST_ACROSS = 165
"""Pixels that the shortest key takes, and the shortest head; the cells of two or three systems take less."""

DARKER = " (darker: larger difference)"
"""What a key has where cells hold no numbers."""

_NUMBERED, _SIGNED = 24, 13
"""Pixels of a cell from which on it holds a number, and from which on a sign."""


def ticks_of(low: float, high: float, most: int) -> list[float]:
    """Return at most so many round numbers between two, and two of them at least."""
    least = math.floor(math.log10((high - low) / most)) - 1
    before: list[float] = []
    for size in (step * 10.0**power for power in range(least, least + 4) for step in _STEPS):
        first, last = math.ceil(low / size - 1e-9), math.floor(high / size + 1e-9)
        ticks = [number * size for number in range(first, last + 1)]
        if len(ticks) < 2:
            break
        before = ticks
        if len(ticks) <= most:
            return ticks
    # Of the coarsest there are, as many as have room, as far from each other.
    return before[:: len(before) - 1] if most == 2 else before[:: -(-len(before) // most)]


def tick_texts(ticks: Sequence[float], signed: bool) -> list[str]:
    """Return what stands at ticks, with as many decimals as their distance has."""
    gap = ticks[1] - ticks[0]
    decimals = next(
        places for places in range(9) if places == 8 or all(abs(round(at, places) - at) < 1e-3 * gap for at in ticks)
    )
    return [points_text(tick, decimals, signed=signed and abs(tick) > gap / 1e6) for tick in ticks]


class Panels:
    """Where everything of a league stands, in pixels."""

    def __init__(self, league: "League") -> None:
        self.league = league
        self.wide = league.view == "both"
        self.size = len(league.rows)
        self.ranked = sum(row.ranked for row in league.rows)
        self.pitch = next((pixels for most, pixels in _ROOMY if self.size <= most), _LEAST_ROW)
        if league.view == "matrix":
            self.pitch = max(9, min(34, (_PHONE - 12) // self.size))
        elif not self.wide:
            self.pitch = max(self.pitch, 24)
        self.reasons = 0 if league.view == "matrix" else _REASON
        self.below = max(self.pitch + self.reasons, 34 if self.reasons else 0)
        gap = (_NOT_RANKED if self.reasons else 14) * (self.ranked < self.size)
        self.places = [
            (row + 0.5) * self.pitch
            if row < self.ranked
            else self.ranked * self.pitch + gap + (row - self.ranked + 0.5) * self.below
            for row in range(self.size)
        ]
        self.height = self.places[-1] + (self.below if self.ranked < self.size else self.pitch) / 2
        self.text = 14 if self.pitch >= 24 else 13 if self.pitch >= 20 else 11.5
        self.most_name = _MOST_NAME if self.wide else _NARROW_NAME
        # A narrow page has less room for names; the whole name is said where it is pointed at.
        self.names = [_fitting(name, int(self.most_name / _SIGN)) for name in league.names]
        # The head of the names is bold, and the first number of the axis reaches to its end.
        longest = [
            _SIGN * (len(_NAMES) + 1),
            *(_SIGN * _look.text_columns(name) * self.text / 14 for name in self.names),
        ]
        longest += [_SMALL_SIGN * _look.text_columns(row.reason) for row in league.rows if row.reason]
        self.name_width = min(self.most_name, max(longest)) + 12
        lanes = 1 + max((rail.lane for rail in league.rails), default=-1)
        self.left = round(self.name_width + 30 + lanes * LANE + 6 * bool(lanes))
        self.has_intervals = self.wide and self.pitch > _LEAST_ROW and len(league.columns) == 1
        self.has_ranks = self.wide and bool(league.ranks)
        self.score = _SCORE + 18 * bool(league.base)
        self.numbers = self.score + _INTERVAL * self.has_intervals + _RANK * self.has_ranks
        self.matrix = cast(Matrix, league.matrix)  # only asked for where there is one
        self.has_matrix = league.matrix is not None and league.view != "scores"
        self.across = max(self.cell * self.size, _LEAST_ACROSS)

    # --- across ---------------------------------------------------------------------------------------------------

    @property
    def cell(self) -> float:
        """How many pixels wide a cell is, on a page as wide as it can be."""
        if not self.wide:
            return (_PHONE - 12) / self.size
        several = len(self.league.columns) > 1
        room, least = (330, 420) if several else (410, 550)
        return float(max(min(1.2 * self.pitch, room / self.size), min(18, least / self.size)))

    def domains(self) -> tuple[list[tuple[float, float]], tuple[float, float]]:
        """Return where the forests and the matrix stand, in shares of what the names leave.

        Numbers between them have as much room as they need on the narrowest page that shows all.
        """
        count = len(self.league.columns)
        if not self.wide:
            return [(number / count, (number + 1 - 0.1 * (count > 1)) / count) for number in range(count)], (0, 1)
        least, most = _SIDE_BY_SIDE - self.left - 10, _PAGE - self.left - 10
        gaps = [self.score / least] * (count - 1) + [(self.numbers + _GAP * self.has_matrix) / least]
        matrix = self.across / most if self.has_matrix else 0.0
        forest = (1 - matrix - sum(gaps)) / count
        starts = [number * forest + sum(gaps[:number]) for number in range(count)]
        return [(start, start + forest) for start in starts], (1 - matrix, 1.0)

    # --- the figure -----------------------------------------------------------------------------------------------

    def scene(self) -> Scene:
        """Return all of it."""
        forests, matrix = self.domains()
        head = _HEAD + 18 * bool(self.league.base)
        key_below = self.has_matrix and not self._key_inside()
        foot = _FOOT + (_KEY_LINE * (len(self._key()) + 0.5) if key_below else 0)
        y = Axis(range=(self.height + foot, -head), shown=False)
        planes = []
        if self.league.view != "matrix":
            for number, (column, domain) in enumerate(zip(self.league.columns, forests, strict=True)):
                planes.append(self._forest(column, number, domain, y))
        if self.has_matrix:
            x = Axis(range=(-0.5, self.across / self.cell - 0.5), shown=False)
            planes.append(Plane(list(self._matrix(key_below)), x, y, domain=matrix))
        left = 6 if self.league.view == "matrix" else self.left
        right = 10 if self.wide or self.league.view == "matrix" else self.score
        return Scene(planes, self.height + head + foot + 10, margins=(left, right, 0))

    def _forest(self, column: "Column", number: int, domain: tuple[float, float], y: Axis) -> Plane:
        league, is_last = self.league, number == len(self.league.columns) - 1
        span = league.span(column)
        across = (domain[1] - domain[0]) * (_PAGE - self.left - 10 if self.wide else _PHONE - self.left - self.score)
        ticks = ticks_of(min(span), max(span), max(2, min(6, int(across / 50))))
        texts = tick_texts(ticks, bool(league.base))
        # In the line of heads, a number beside that of the scores would be read with it; two stand there in any case.
        second, part = ticks[1 if span[0] < span[1] else -2], BESIDE / across
        if abs(span[1] - second) <= part * abs(span[1] - span[0]):
            span = span[0], (second - part * span[0]) / (1 - part) + 0.01 * (span[1] - span[0])
        marks: list[Mark] = [
            Line(x=[end for tick in ticks for end in (tick, tick, None)],
                 y=[end for _ in ticks for end in (-2.0, self.height, None)],
                 width=1, colour=_look.PALE, opacity=_look.GRID, hover=""),
            self._row_lines(span),
            *self._row_lines_beside(number, is_last),
        ]  # fmt: skip
        near = BESIDE * (max(span) - min(span)) / across
        above = sum(abs(tick - span[1]) > near for tick in ticks)
        begins = 0 if span[0] < span[1] else len(ticks) - above
        for at, some in ((-12, slice(begins, begins + above)), (self.height + 12, slice(None))):
            marks.append(Words(
                x=ticks[some], y=[at] * len(ticks[some]), texts=texts[some], size=12.5, colour=_look.INK_2[0], hover="",
            ))  # fmt: skip
        title = column.title if self.wide else column.short_title
        head = -36 - 18 * bool(league.base)
        marks.append(Words(x=[0], y=[head], texts=[title], side="right", size=13, bold=True, pinned=0.0))
        if league.base:
            sides: tuple[tuple[str, Literal["left", "right"]], ...] = (("behind ", "left"), (" ahead", "right"))
            for text, side in sides:
                marks.append(Words(
                    x=[0.0], y=[-32], texts=[text], side=side, size=12, colour=_look.INK_2[0], hover=""))  # fmt: skip
        # A dot does not hide the interval that it stands on.
        reach = [high - low for low, high in zip(column.low, column.high, strict=True) if math.isfinite(high - low)]
        typical = across * median(reach or [math.inf]) / (max(span) - min(span))
        dot = 6 if typical < 18 else 8 if self.pitch < 24 else 10
        marks += league.marks(column, span, self.places, dot=dot, inside=self.wide and across > 230)
        if number == 0:
            marks += self._names()
            marks += self._rails()
        marks += self._numbers(column, is_last)
        return Plane(marks, Axis(range=span, shown=False), y, domain=domain)

    def _edges(self) -> list[float]:
        """Return where rows end."""
        half = [self.pitch / 2 if row < self.ranked else self.below / 2 for row in range(self.size)]
        return [place + high for place, high in zip(self.places, half, strict=True)]

    def _row_lines(self, span: tuple[float, float]) -> Line:
        edges = self._edges()
        return Line(
            x=[end for _ in edges for end in (*span, None)], y=[end for edge in edges for end in (edge, edge, None)],
            width=1, colour=_look.PALE, opacity=_look.GRID, hover="",
        )  # fmt: skip

    def _row_lines_beside(self, number: int, is_last: bool) -> Iterator[Mark]:
        """Yield the same under names and numbers; of very many rows these need none."""
        if self.pitch <= _LEAST_ROW:
            return
        y = [end for edge in self._edges() for end in (edge, edge, None)]
        if number == 0:
            x = [-self.name_width - 26, 0.0, None] * self.size
            yield Line(x=x, y=y, width=1, colour=_look.PALE, opacity=_look.GRID, pinned=0.0, hover="")
        right = self.numbers if is_last else self.score
        yield Line(
            x=[0.0, right, None] * self.size, y=y, width=1, colour=_look.PALE, opacity=_look.GRID, pinned=1.0, hover=""
        )

    def _names(self) -> Iterator[Mark]:
        rows, at = self.league.rows, -self.name_width
        heads: dict[str, Any] = {"y": [-12.0], "side": "right", "size": 13, "bold": True, "pinned": 0.0}
        yield Words(x=[at], texts=[_NAMES], **heads)
        if self.ranked < self.size:
            line = self.ranked * self.pitch + _NOT_RANKED / 2 + 2
            yield Words(x=[at - 26], y=[line], texts=["Not ranked"], side="right", size=13, bold=True,
                        colour=_look.INK_2[0], pinned=0.0)  # fmt: skip
        for best in (True, False):
            some = [row for row in range(self.size) if (row == 0 and self.league.best) == best]
            if some:
                up = [self.places[row] - 7 * bool(rows[row].reason) for row in some]
                yield Words(
                    x=[at] * len(some), y=up, texts=[self.names[row] for row in some], side="right", size=self.text,
                    bold=best, pinned=0.0, keys=[rows[row].name for row in some],
                    hover=["\n".join(filter(None, (rows[row].name, rows[row].reason))) for row in some],
                )  # fmt: skip
        # On a phone it goes on below the marks of its row.
        room = int((self.name_width + (30 if self.wide else 54)) / _SMALL_SIGN)
        for human in (True, False):
            some = [row for row in range(self.size) if rows[row].reason and rows[row].human == human]
            if some:
                yield Words(
                    x=[at] * len(some), y=[self.places[row] + 9 for row in some],
                    texts=[_fitting(rows[row].reason, room) for row in some],
                    side="right", size=12, colour=(_look.INK_2 if human else _look.WARN)[0], pinned=0.0,
                )  # fmt: skip
        size = min(self.text, 13)
        yield Words(
            x=[at - 8] * self.size, y=self.places, texts=[row.number for row in rows], side="left", size=size,
            colour=_look.INK_2[0], pinned=0.0,
        )  # fmt: skip

    def _rails(self) -> Iterator[Mark]:
        """Yield a line for each group of neighbours."""
        for first, last, lane, dash in self.league.rails:
            ends = self.places[first] - self.pitch / 2 + 4, self.places[last] + self.pitch / 2 - 4
            x = [5.0 - self.left + LANE * lane] * 2
            yield Line(x=x, y=ends, width=3, dash=dash, colour=_look.SLATE, pinned=0.0, hover="")
        # A wide page says it in the line below.
        if self.league.rails and not self.wide:
            said = "too close to call" if any(rail.dash == "solid" for rail in self.league.rails) else "withheld"
            yield Words(
                x=[1.0 - self.left], y=[-36.0 - 18 * bool(self.league.base)], texts=[f"↓ {said}"], side="right",
                size=12, colour=_look.INK_2[0], pinned=0.0, hover="",
            )  # fmt: skip

    def _numbers(self, column: "Column", is_last: bool) -> Iterator[Mark]:
        """Yield score, interval and rank of every row, each column with its head."""
        known = [row for row in range(self.size) if column.estimate[row] == column.estimate[row]]
        right: dict[str, Any] = {"side": "left", "pinned": 1.0}
        head = "Difference" if self.league.base else "Score"
        yield Words(x=[self.score - 8.0], y=[-12.0], texts=[head], size=13, bold=True, **right)
        for ranked in (True, False):
            some = [row for row in known if self.league.rows[row].ranked == ranked]
            if some:
                yield Words(
                    x=[self.score - 8.0] * len(some), y=[self.places[row] for row in some],
                    texts=[column.text(row) for row in some], size=self.text, bold=ranked,
                    colour=_look.PAGE_INK if ranked else _look.INK_2[0], **right,
                )  # fmt: skip
        if not is_last:
            return
        at = float(self.score)
        if self.has_intervals:
            title = column.interval_title
            yield Words(x=[at + 4], y=[-12.0], texts=[title], side="right", size=13, bold=True, pinned=1.0)
            yield Words(
                x=[at + 4] * len(known), y=[self.places[row] for row in known],
                texts=[column.interval(row) for row in known], side="right", size=min(self.text, 14),
                colour=_look.INK_2[0], pinned=1.0,
            )  # fmt: skip
            at += _INTERVAL
        if self.has_ranks:
            yield Words(x=[at + _RANK - 6], y=[-12.0], texts=["Rank"], size=13, bold=True, **right)
            yield Words(
                x=[at + _RANK - 6] * self.size, y=self.places, texts=list(self.league.ranks), size=self.text, **right,
            )  # fmt: skip

    # --- the matrix -----------------------------------------------------------------------------------------------

    def _matrix(self, key_below: bool) -> Iterator[Mark]:
        matrix = self.matrix
        half, high = 0.5 - 1 / self.cell, self.pitch / 2 - 1
        shown = {cell.verdict for cell in matrix.cells}
        for word in (word for word in LEGEND if word in shown):
            cells = [cell for cell in matrix.cells if cell.verdict == word]
            of = matrix.cells_of(word, "", "")
            y = [self.places[cell.row] for cell in cells]
            signed = word == "not_significant" and self.cell >= _SIGNED
            size = 12 if self.cell > 36 else 11
            yield Cells(
                x=of.x, y=y, colour=of.colour, colours=of.colours, hatch=of.hatch, texts=of.texts if signed else (),
                half=half, high=high, size=size, hover="",
            )  # fmt: skip
            if not of.hatch and self.cell >= _NUMBERED:
                inks = list(map(_look.legible_on, of.colours))
                for ink in sorted(set(inks)):
                    some = [at for at, colour in enumerate(inks) if colour == ink]
                    yield Words(
                        x=[of.x[at] for at in some], y=[y[at] for at in some], texts=[of.texts[at] for at in some],
                        size=size, colour=ink, hover="",
                    )  # fmt: skip
        if self.ranked < self.size:
            x = self.ranked - 0.5
            yield Line(x=[x, x], y=[-4.0, self.height], width=1.5, colour=_look.PALE, hover="")
        size = 12 if self.cell >= 18 else 11
        step = next((step for step in (1, 2, 5, 10) if step * self.cell >= 17), 20)
        heads = [at for at in range(self.size) if at >= self.ranked or not (at + 1) % step or (at == 0 and step > 2)]
        numbers = [row.number for row in self.league.rows]
        common: dict[str, Any] = {"size": size, "colour": _look.INK_2[0], "hover": ""}
        yield Words(x=heads, y=[-12.0] * len(heads), texts=[numbers[at] for at in heads], **common)
        yield Words(x=heads, y=[self.places[at] for at in heads], texts=[numbers[at] for at in heads], **common)
        what = "Row minus column" if matrix.higher_is_better else "Row better by"
        title = f"{what}, {matrix.metric}"
        # Few systems leave no room for a long name, which the scores beside it have, too.
        title = title if _HEAD_SIGN * len(title) < self.across else what
        yield Words(x=[0], y=[-36.0], texts=[title], side="right", size=13, bold=True, pinned=0.0)
        yield from self._draw_key(key_below)
        yield matrix.targets(self.places, min(self.cell, self.pitch))

    def _key(self) -> list[tuple[_look.Verdict | Literal["caution"], str]]:
        matrix, shown = self.matrix, {cell.verdict for cell in self.matrix.cells}
        # The longest that the panel has room for; few systems leave little.
        by = f"; numbers in {matrix.metric}" if self.cell >= _NUMBERED else DARKER
        said: dict[_look.Verdict, tuple[str, ...]] = {
            "better": (f"row better{by}", "row better"),
            "worse": (f"row worse{by}", "row worse"),
            "not_significant": ("≈ too close to call (not: equal)", "≈ too close to call", "≈ close"),
            "withheld": (f"verdict withheld{matrix.why_withheld}", "verdict withheld", "withheld"),
        }
        room = self.across - 44
        key: list[tuple[_look.Verdict | Literal["caution"], str]] = [
            (word, next((text for text in texts if _SMALL_SIGN * len(text) < room), texts[-1]))
            for word, texts in said.items() if word in shown
        ]  # fmt: skip
        return [*key, ("caution", "with a caution")] if matrix.cautions else key

    def _key_places(self) -> list[float]:
        """Return where the lines of the key stand if it stands in the empty triangle."""
        count = len(self._key())
        return [self.height - 10 - _KEY_LINE * (count - 1 - line) for line in range(count)]

    def _key_inside(self) -> bool:
        matrix = self.matrix
        if matrix.full:
            return False
        edges = self._edges()
        for (_, text), place in zip(self._key(), self._key_places(), strict=True):
            row = next((row for row, edge in enumerate(edges) if edge > place - _KEY_LINE / 2), 0)
            # On the narrowest page that shows both panels, a cell is a little less wide.
            if place < _KEY_LINE or 44 + _KEY_SIGN * len(text) > 0.92 * (row + 0.5) * self.cell - 8:
                return False
        return True

    def _draw_key(self, below: bool) -> Iterator[Mark]:
        places = self._key_places()
        if below:
            places = [self.height + _FOOT / 2 + _KEY_LINE * (line + 0.5) for line in range(len(places))]
        half, left = 16 / self.cell, -0.5
        for (word, text), place in zip(self._key(), places, strict=True):
            hatch = {"not_significant": "/", "withheld": "."}.get(word, "")
            if hatch:
                yield Cells(x=[left + half], y=[place], half=half, high=6, hatch=hatch, hover="")  # type: ignore[arg-type]
            elif word == "caution":
                yield Words(x=[16], y=[place], texts=[CAUTION], size=14, bold=True, pinned=0.0)
            else:
                steps = [left + half * (2 * step + 1) / 4 for step in range(4)]
                colours = [_look.verdict_colour(word, step / 3) for step in range(4)]
                yield Cells(x=steps, y=[place] * 4, half=half / 4, high=6, colours=colours, hover="")
            yield Words(x=[40], y=[place], texts=[text], side="right", size=12.5, colour=_look.INK_2[0], pinned=0.0)


def _fitting(text: str, letters: int) -> str:
    """Return a text that has no room shortened in its middle."""
    text = short(text) if len(text) > letters else text
    return text if len(text) <= letters else f"{text[: letters - 8]}…{text[-7:]}"
