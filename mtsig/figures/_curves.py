"""Curves over two axes of numbers; scores and widths by test-set size (Zhang and Vogel 2004, figures 4 to 7)."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from mtsig._probability import level_text
from mtsig._writing import short, shorts, visible
from mtsig.corpus._notes import capital_first
from mtsig.figures import _look, _marks
from mtsig.segments import SizeCurves
from mtsig.segments._ablation import difference_label

Kind = Literal["line", "dash", "points", "bars"]
Numbers = tuple[float, ...]

_FEW_DECADES = 3
"""Up to so many powers of ten a logarithmic axis has three ticks for each."""

_HATCHES: tuple[_marks.Hatch, ...] = ("", "/", ".", "x")

_LEVEL = 4
"""Names of more signs are slanted, so that they do not run into each other."""

_SLANTED = 4
"""Pixels that a sign of a slanted name adds to the height on a screen."""

_TICK = 0.058
"""Inches that a sign of a tick's name takes."""

_ROW, _ABOVE = 26.0, -0.8
"""Pixels of a row, and where a line across rows has its label, in rows."""


@dataclass(frozen=True)
class Series:
    """A curve, points or bars, with the limits of a band or of intervals.

    colour: the position in the palette; `None` is grey. texts: one text per point, shown on hover.
    """

    name: str
    x: Numbers
    y: Numbers
    kind: Kind = "line"
    low: Numbers | None = None
    high: Numbers | None = None
    colour: int | None = 0
    texts: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Across:
    """A horizontal line across the whole figure, with its height and its label."""

    at: float
    name: str
    vertical: bool = False


@dataclass(frozen=True)
class Plot(_marks.Picture):
    """Series over two axes.

    whole_x: the x axis counts things, so that it has no fractions. names: texts for the places 0, 1 … on the x axis,
    where it is no number.
    """

    x_title: str
    y_title: str
    series: tuple[Series, ...]
    lines: tuple[Across, ...] = ()
    log_x: bool = False
    log_y: bool = False
    percent_y: bool = False
    from_zero: bool = False
    whole_x: bool = False
    names: tuple[str, ...] = ()

    def log_ticks(self, axis: Literal["x", "y"]) -> Numbers:
        """Return where a logarithmic axis has its ticks: at 1, 2 and 5 of every decade, at 1 alone of many decades."""
        rows = [line.x if axis == "x" else (*line.y, *(line.low or ()), *(line.high or ())) for line in self.series]
        rows.append(tuple(line.at for line in self.lines if line.vertical == (axis == "x")))
        known = [value for row in rows for value in row if 0 < value < np.inf]
        if not known:
            return ()
        first, last = int(np.floor(np.log10(min(known)))), int(np.ceil(np.log10(max(known))))
        steps = (1, 2, 5) if last - first <= _FEW_DECADES else (1,)
        ticks = [step * 10.0**power for power in range(first, last + 1) for step in steps]
        return tuple(tick for tick in ticks if min(known) / 2 <= tick <= 2 * max(known))

    @property
    def in_rows(self) -> bool:
        """Whether names stand in rows: those of points, which are not the values of anything."""
        return bool(self.names) and not self.x_title and all(series.kind == "points" for series in self.series)

    @property
    def caption(self) -> str:
        """The caption of the figure."""
        listed = ", ".join(line.name for line in self.series)
        across = "".join(f" Dashed: {line.name}." for line in self.lines)
        return f"{capital_first(self.y_title)}{f', by {self.x_title}' if self.x_title else ''}: {listed}.{across}"

    @property
    def _entries(self) -> list[str]:
        return [line.name for line in self.series] + [line.name for line in self.lines]

    def scene(self, room: _marks.Room) -> _marks.Scene:
        """Return the marks: every series, and the lines across."""
        bars = [number for number, series in enumerate(self.series) if series.kind == "bars"]
        marks: list[_marks.Mark] = []
        for number, series in enumerate(self.series):
            if series.kind == "bars":
                beside = (bars.index(number), len(bars)) if self.names else (0, 1)
                marks.append(_bars(series, *beside, _HATCHES[bars.index(number) % 4] if room.on_paper else ""))
            else:
                marks += _of_series(series if room.on_paper else self._seen(series), number, in_rows=self.in_rows)
        # In one row their labels would meet each other where a window is narrow.
        above = [_ABOVE - 0.8 * number for number in range(len(self.lines))]
        for line in self.lines:
            marks.append(_marks.Rule(at=line.at, upright=line.vertical or self.in_rows, name=_whole(line.name)))
        y_title, alone = self.y_title, self.series[0] if len(self.series) == 1 and not room.on_paper else None
        if self.lines and alone is not None and alone.x and not any(line.vertical for line in self.lines):
            # The axis says what it is, and lines are labelled above them: of two lines of text, the first stands there.
            y_title, marks = f"{y_title} ({alone.name})", [replace(mark, colour=_look.SLATE, name="") for mark in marks]
            at = [line.at for line in self.lines]
            across, up = (at, above) if self.in_rows else ([min(alone.x)] * len(at), at)
            texts = [f" {_whole(line.name)} " if self.in_rows else f"{_whole(line.name)}\n " for line in self.lines]
            # Of several, the last one to the right has its label at its left, or that would be cut.
            last = max(at) if self.in_rows and len(at) > 1 else None
            marks += [
                _marks.Words(x=[x], y=[y], texts=[text], side="left" if x == last else "right", hover="")
                for x, y, text in zip(across, up, texts, strict=True)
            ]
        count, longest = len(self.names), max(map(len, self.names), default=0)
        width, entry = room.width, 0.45 + 0.065 * max(map(len, self._entries))
        columns = max(1, int(width / max(1.1, entry)))
        high = 90.0 + _ROW * count if self.in_rows else 360.0 + _SLANTED * longest
        if room.on_paper:
            _, lines = _look.name_lines(self._entries, 0.85 * width / columns)
            high = 0.5 + 0.2 * count if self.in_rows else min(2.4, 0.62 * width) + 0.7 * _TICK * longest
            high += 0.16 * lines * -(-len(self._entries) // columns)
        names = [visible(name) if room.on_paper else short(name) for name in self.names]
        y = _marks.Axis(
            title=_title(room, y_title, 0.8 * (width if self.in_rows else min(2.4, 0.62 * width))), log=self.log_y,
            percent=self.percent_y, from_zero=self.from_zero, ticks=self._ticks("y") if self.log_y else None, grid=True,
        )  # fmt: skip
        if self.in_rows:
            rows = _marks.Axis(
                names=names, range=(count - 0.4, min(above, default=_ABOVE) - 0.3), bare=True, grid=False
            )
            return _marks.Scene([_marks.Plane(marks, y, rows)], high, "above", key_columns=columns)
        x = _marks.Axis(
            title=_title(room, self.x_title, 0.8 * width), log=self.log_x, whole=self.whole_x, names=names,
            ticks=self._ticks("x") if self.log_x else None, slant=45 if room.on_paper and longest > _LEVEL else None,
        )  # fmt: skip
        return _marks.Scene([_marks.Plane(marks, x, y)], high, "above", key_columns=columns)

    def _ticks(self, axis: Literal["x", "y"]) -> list[tuple[float, str]]:
        # plotly's own are "2" and "5" for 200 and 500, and "100µ" for a p-value.
        ticks = self.log_ticks(axis)
        return [(tick, f"{tick:,.0f}" if tick >= 1 else f"{tick:.6f}".rstrip("0")) for tick in ticks]

    def _seen(self, series: Series) -> Series:
        """Return a series without what no screen could show."""
        if series.kind == "points" and series.low is None:
            kept = _marks.seen_points(series.x, series.y, self.log_x, self.log_y)
        elif series.kind in ("line", "dash") and series.low is None:
            kept = _marks.seen_curve(series.x, series.y, self.log_x)
        else:
            return series
        texts = series.texts and tuple(series.texts[i] for i in kept)
        return replace(series, x=tuple(series.x[i] for i in kept), y=tuple(series.y[i] for i in kept), texts=texts)


_ACROSS = 42
"""Columns of an axis title that a phone has room for beside the ticks of the other axis."""


def numbers(values: Iterable[float]) -> Numbers:
    """Return numbers as plain floats."""
    return tuple(float(value) for value in values)


def _title(room: _marks.Room, text: str, inches: float) -> str:
    return _look.folded(text, inches) if room.on_paper else "\n".join(_look.wrapped(_whole(text), _ACROSS))


def _whole(text: str) -> str:
    """Return a text of which every long word is shortened."""
    return " ".join(map(short, text.split(" ")))


def _colour(series: Series) -> str:
    return _look.GREY if series.colour is None else _look.PALETTE[series.colour % len(_look.PALETTE)]


def _bars(series: Series, place: int, together: int, hatch: _marks.Hatch) -> _marks.Bars:
    """Return bars: beside those of other series where the axis has names, else over them."""
    step = float(np.min(np.diff(series.x))) if len(series.x) > 1 else 1.0
    width = 0.85 * step / together
    x = (np.array(series.x) + (place - (together - 1) / 2) * width).tolist()
    colours = [_colour(series)] if hatch else []
    return _marks.Bars(
        x=x, y=series.y, width=width, colour=_colour(series), colours=colours, opacity=0.7, hatch=hatch,
        name=_whole(series.name), hover=series.texts,
    )  # fmt: skip


def _of_series(series: Series, number: int, *, in_rows: bool) -> list[_marks.Mark]:
    """Return a curve with its band, or points with their intervals, also in rows from above."""
    colour, name = _colour(series), _whole(series.name)
    symbol, few = _look.SYMBOLS[number % len(_look.SYMBOLS)], len(series.x) <= 60
    if series.kind == "points":
        return [_marks.Points(
            x=series.y if in_rows else series.x, y=series.x if in_rows else series.y, symbol=symbol,
            size=8 if in_rows else 6 if len(series.x) <= 200 else 4, colour=colour, name=name,
            low=series.low, high=series.high, upright=not in_rows, thickness=1.4, hover=series.texts,
        )]  # fmt: skip
    if series.kind == "dash":
        return [
            _marks.Line(x=series.x, y=series.y, width=1.5, dash="dash", colour=colour, name=name, hover=series.texts)
        ]
    dash = _look.DASHES[number % len(_look.DASHES)]
    curve = _marks.Line(
        x=series.x, y=series.y, colour=colour, dash=dash, symbol=symbol if few else "", name=name, group=str(number),
        hover=series.texts,
    )  # fmt: skip
    if series.low is None or series.high is None:
        return [curve]
    return [_marks.Band(x=series.x, low=series.low, high=series.high, colour=colour, group=str(number)), curve]


LAW, _ZERO = "1/√n law", "no difference"

_NAMES = 0.4
"""At most so much of the paper's width is for names."""

_END = 14
"""Signs of a line of a name beside its curve on the screen: on a phone, names leave the curves most of the width."""

_SIGN = 7
"""Pixels that a sign of an axis title takes at most, on average."""


@dataclass(frozen=True)
class Curve:
    """One curve: what it is called, its colour and values; `low` and `high` are its band, `law` is dashed beside it."""

    name: str
    colour: str
    y: tuple[float, ...]
    low: tuple[float, ...] | None = None
    high: tuple[float, ...] | None = None
    law: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Curves(_marks.Picture):
    """Curves by test-set size; `zero` adds a line at a difference of 0."""

    x: tuple[int, ...]
    curves: tuple[Curve, ...]
    unit: str
    axis: str
    zero: bool
    percent: bool
    metric: str
    says: str
    decimals: int = 2
    how_to_read: str = ""

    @classmethod
    def of_scores(cls, size_curves: SizeCurves, chosen: Sequence[str] | None = None) -> "Curves":
        """Return curves of the mean score or difference, with its mean interval."""
        names, rows = _names(size_curves), _rows(size_curves, chosen)
        colours = _colours(size_curves.labels, rows)
        drawn = (size_curves.mean, size_curves.ci_low, size_curves.ci_high)
        curves = tuple(Curve(names[t], colours[t], *(tuple(of[:, t].tolist()) for of in drawn)) for t in rows)
        level = level_text(size_curves.ablation.level)
        is_turned = size_curves.is_difference and not size_curves.higher_is_better
        turned = " Lower is better: above zero the first system is ahead." if is_turned else ""
        arrow = "" if size_curves.is_difference or size_curves.higher_is_better else " ↓"
        turned = " ↓: lower is better." if arrow else turned
        return cls(
            tuple(size_curves.units.tolist()),
            curves,
            size_curves.unit,
            f"{_what(size_curves)}{arrow}, mean over subsets, with mean {level} CI",
            size_curves.is_difference,
            False,
            size_curves.metric,
            f"{_what(size_curves, 'Difference')} on random subsets of the test set: means over "
            f"{int(size_curves.subsets.max())} subsets of each size. Bands: means of the lower and upper ends of the "
            f"{level} CIs.{turned}{_left_out(size_curves, chosen)}",
            size_curves.decimals,
            "scores-by-size",
        )

    @classmethod
    def of_widths(
        cls, size_curves: SizeCurves, chosen: Sequence[str] | None = None, relative: bool = False
    ) -> "Curves":
        """Return curves of half the interval width, with the square-root law."""
        relative = relative and not size_curves.is_difference
        widths = size_curves.relative if relative else size_curves.half_width
        law = size_curves.square_root_law(widths)
        names, rows = _names(size_curves), _rows(size_curves, chosen)
        colours = _colours(size_curves.labels, rows)
        curves = tuple(
            Curve(names[t], colours[t], tuple(widths[:, t].tolist()), law=tuple(law[:, t].tolist())) for t in rows
        )
        measured = f" in % of {size_curves.metric}" if relative else f" in {size_curves.metric}"
        warned = " Widths do not show which of two metrics is more sensitive." if relative else ""
        return cls(
            tuple(size_curves.units.tolist()),
            curves,
            size_curves.unit,
            f"half width{measured}",
            False,
            relative,
            size_curves.metric,
            f"Half width of {level_text(size_curves.ablation.level)} CIs{measured} by test-set size. Dashed: widths "
            f"proportional to 1/√n, starting from the largest size.{warned}{_left_out(size_curves, chosen)}",
            size_curves.decimals,
            "widths-by-size",
        )

    @property
    def range(self) -> tuple[float, float]:
        """The limits of the vertical axis; the axis of widths begins at 0."""
        drawn = [
            value for curve in self.curves for row in (curve.y, curve.low, curve.high, curve.law) for value in row or ()
        ]
        drawn = [value for value in drawn if math.isfinite(value)] + [0.0] * (self.zero or not self.banded)
        room = 0.05 * (max(drawn) - min(drawn)) or 1.0
        return min(drawn) - (room if self.banded else 0), max(drawn) + room

    @property
    def banded(self) -> bool:
        """Whether the curves have bands."""
        return any(curve.low is not None for curve in self.curves)

    def labels(self, lines: float) -> list[tuple[str, str, float, float]]:
        """Return labels for the line ends: text, colour, and both heights.

        lines: the number of text lines that fit along the axis.
        """
        low, high = self.range
        ends = [(curve.name, curve.colour, curve.y[-1]) for curve in self.curves]
        ends += [(_ZERO, _look.INK, 0.0)] if self.zero else []
        places = _look.spread([y for _, _, y in ends], (high - low) / lines)
        return [(*end, place) for end, place in zip(ends, places, strict=True)]

    @property
    def note(self) -> str | None:
        """The legend of the dashed lines in figures of widths."""
        return f"dashed: {LAW}" if any(curve.law is not None for curve in self.curves) else None

    def scene(self, room: _marks.Room) -> _marks.Scene:
        """Return the picture: all curves, each with its label at its right end."""
        names = {
            name: _look.folded(name, _NAMES * room.width) if room.on_paper else "\n".join(_look.wrapped(name, _END))
            for name in (*(curve.name for curve in self.curves), _ZERO)
        }
        most = 1 + max(names[curve.name].count("\n") for curve in self.curves)
        if room.on_paper:
            high = max(min(2.6, 0.62 * room.width), 0.6 + 0.13 * most * (len(self.curves) + self.zero))
            lines, side = (high - 0.55) / (0.12 * most), 0.8 * min(2.6, 0.62 * room.width)
            title, right = _look.folded(self.axis, side), 0
        else:
            high = max(380 if self.banded else 320, 90 + 18 * most * len(self.curves))
            lines = (high - 80) / (16 * most)
            title = "\n".join(_look.wrapped(self.axis, int((high - 90) / _SIGN)))
            longest = max(_look.text_columns(line) for name, *_ in self.labels(1) for line in names[name].split("\n"))
            right = 24 + 7 * longest
        marks = [mark for position, curve in enumerate(self.curves) for mark in self._of_curve(position, curve)]
        texts, colours, y, place = zip(*self.labels(lines), strict=True)
        marks.append(
            _marks.Labels(x=self.x[-1], y=y, place=place, texts=[names[text] for text in texts], colours=colours)
        )
        marks += [_marks.Rule(at=0, until=self.x[-1])] if self.zero else []
        x = _marks.Axis(
            title=f"{self.unit}s in the test set", range=(0, 1.04 * self.x[-1]), whole=room.on_paper,
            most=4 if room.on_paper else None,
        )  # fmt: skip
        plane = _marks.Plane(marks, x, _marks.Axis(title=title, range=self.range, grid=True), note=self.note or "")
        return _marks.Scene([plane], high, margins=(10, right, 30), together=True)

    def _of_curve(self, position: int, curve: Curve) -> list[_marks.Mark]:
        marks: list[_marks.Mark] = []
        places = ".2f" if self.percent else f".{self.decimals}f"
        ends, hover = None, f"± %{{y:{places}}}" + (" %" if self.percent else "")
        if curve.low is not None and curve.high is not None:
            marks.append(_marks.Band(x=self.x, low=curve.low, high=curve.high, colour=curve.colour))
            ends = [list(pair) for pair in zip(curve.low, curve.high, strict=True)]
            hover = f"%{{y:{places}}} (%{{customdata[0]:{places}}} to %{{customdata[1]:{places}}})"
        if curve.law is not None:
            marks.append(
                _marks.Line(x=self.x, y=curve.law, width=1, dash="dash", colour=_look.GREY, name=LAW, hover="")
            )
        # Where dashes are the law's, none but that one is dashed.
        dash = "solid" if self.note is not None else _look.DASHES[position % len(_look.DASHES)]
        symbol = _look.SYMBOLS[position % len(_look.SYMBOLS)]
        marks.append(_marks.Line(
            x=self.x, y=curve.y, colour=curve.colour, dash=dash, symbol=symbol, name=curve.name, keys=ends, hover=hover
        ))  # fmt: skip
        return marks


def _names(curves: SizeCurves) -> tuple[str, ...]:
    """Return what the curves are called: of a difference each name is shortened by itself, not what joins them."""
    if curves.pair is None:
        return shorts(curves.labels)
    first, second = shorts(curves.pair)
    return (difference_label(first, second, curves.higher_is_better),)


def _rows(curves: SizeCurves, chosen: Sequence[str] | None) -> list[int]:
    """Return which curves are drawn: those chosen; of more than have a colour, without a choice, the two farthest."""
    if chosen is None and len(curves.labels) > _look.MOST_CURVES:
        last = curves.mean[-1]
        return sorted({int(last.argmax()), int(last.argmin())})
    return [t for t, name in enumerate(curves.labels) if chosen is None or name in chosen]


def _left_out(curves: SizeCurves, chosen: Sequence[str] | None) -> str:
    shown, count = len(_rows(curves, chosen)), len(curves.labels)
    if shown == count:
        return ""
    return f" Shown: {shown if chosen is not None else 'the highest and the lowest'} of {count} systems."


def _colours(labels: Sequence[str], rows: Sequence[int]) -> dict[int, str]:
    """Return the colours of the curves that are drawn; those beyond the last colour take what the others leave."""
    if len(labels) == 1:
        return dict.fromkeys(rows, _look.SLATE)  # a single system's intervals have it everywhere
    own = [_look.system_colours(labels)[labels[t]] for t in rows]
    free = iter([colour for colour in _look.PALETTE if colour not in own])
    return {t: next(free, colour) if colour == _look.GREY else colour for t, colour in zip(rows, own, strict=True)}


def _what(curves: SizeCurves, difference: str = "difference") -> str:
    """Return what the curves are of; difference: the word for one, which may begin a sentence."""
    return f"{difference} in {curves.metric}" if curves.is_difference else curves.metric
