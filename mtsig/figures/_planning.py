"""Planning: the power of test sets by their size, and how wide intervals are on parts of the one at hand."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import numpy as np

from mtsig._probability import level_text, points_text
from mtsig._records import Floats
from mtsig.figures._look import FIRST, FIRST_TEXT, GREY, INK, INK_2, PAGE_INK, round_up, steps_between
from mtsig.figures._marks import Axis, Band, Line, Mark, Picture, Plane, Points, Room, Rule, Scene, Words
from mtsig.inference import PowerAnalysis
from mtsig.inference._power import is_far, range_text, share_text
from mtsig.segments import SizeCurves

_BEYOND, _SHOWN = 1.5, 10
"""The axis ends at so many times the largest size that may be needed, or of the pilot where none is within reach."""

_SIZES = 90
"""Sizes at which power is worked out: half of them evenly spaced, half by ratios, for small sizes change most."""

_HEIGHT, _PAPER_HEIGHT = 430, 2.5

_LINE = 0.055
"""Of the upright axis: from one line of text to the next."""

_TOP = 1.04
"""The end of the upright axis."""

_PIXELS, _PHONE_PIXELS, _HIGH = 620, 240, 310
"""How wide and high the plane of a picture is on a screen and a phone."""

_LETTER = 7.2
"""Pixels of a bold letter."""

_POINTS, _PAPER_HIGH = 61, 130
"""The same on paper, in points: for an inch of its width, and how high."""

_GAP = 4
"""Pixels between a text and a line."""

_TOGETHER = 0.88
"""Of the upright axis: from here on curves lie too near each other for labels."""

_BASE = Rule(at=0.0, width=1, dash="solid", colour=GREY)
"""The line at 0, which plotly leaves out at the end of an axis."""

_HERE, _NEEDED = 0.1, 0.055
"""Of the horizontal axis: what the tick of the size at hand, and that of the needed one, take on either side."""


@dataclass(frozen=True)
class PowerCurve(Picture):
    """Power by test-set size, for the difference to detect and others.

    analysis: the power analysis of the difference to detect, with its curve. others: the analyses of other differences.
    segments: the number of segments in the pilot; `None` if segments are its units.
    """

    how_to_read = "power-by-size"

    analysis: PowerAnalysis
    others: tuple[PowerAnalysis, ...] = ()
    segments: int | None = None

    @classmethod
    def of(
        cls, analysis: PowerAnalysis, others: Sequence[PowerAnalysis] = (), segments: int | None = None
    ) -> "PowerCurve":
        """Return the picture of power analyses that include several sizes."""
        return cls(analysis, tuple(others), segments)

    @property
    def end(self) -> int:
        """The right end of the horizontal axis."""
        return end_of(self.analysis)

    @property
    def caption(self) -> str:
        """The caption of the figure."""
        found = self.analysis
        others = f" Grey: other differences, in {found.metric}." if self.others else ""
        return (
            f"Power to detect a true difference of {found.difference:g} {found.metric}, by the size of the test set. "
            f"Band: power at both ends of the standard error's 95% range, estimated from {found.units:,} {found.unit}s."
            f"{others} The needed size allows for this range, so there the curve is a little above the target."
        )

    @property
    def narrows(self) -> bool:
        """Whether the figure changes on narrow screens; a phone has room for fewer ticks."""
        return True

    def scene(self, room: Room) -> Scene:
        """Return the curves, with target power, present size and required size."""
        words = partial(Words, size=7.5 if room.on_paper else 13, hover="")
        line, few = _LINE * (1.6 if room.on_paper else 1), room.on_paper or room.narrow
        around = [self._level(), *self._needed(words, room, line), *self._here(words, room, line)]
        free = _Free.of(room, self.end, around)
        drawn = [self.analysis, *(other for other in self.others if other.curve)]
        for analysis in drawn:
            free.avoid(*self._curve(analysis))
        target = free.first(self._target(words, line))
        marks = [_BASE, *self._others(words, free, drawn[1:]), *self._chosen(), *around, target]
        ticks, strong = self._ticks(few)
        title = f"{self.analysis.unit}s in the test set"
        x = Axis(
            title=f"{title}; below: segments" if self.segments else title,
            range=(0, self.end),
            ticks=ticks,
            strong=strong,
            grid=False,
            slant=0,
        )
        shares = [(share / 5, f"{share / 5:.0%}") for share in range(6)]
        y = Axis(range=(0, _TOP), ticks=shares, grid=True)
        plane = Plane(marks, x, y, corners=("" if room.on_paper else "Probability of detection (power)", ""))
        return Scene([plane], _PAPER_HEIGHT if room.on_paper else _HEIGHT, margins=(10, 24, 30))

    def _curve(self, analysis: PowerAnalysis) -> tuple[list[int], list[float]]:
        return [at.units for at in analysis.curve], [at.power for at in analysis.curve]

    def _others(self, words: partial[Words], free: "_Free", others: Sequence[PowerAnalysis]) -> list[Mark]:
        """Return the grey curves, each with its difference; one on which this would meet other marks is left out."""
        marks: list[Mark] = []
        # Where few units are enough, all that is said stands where the curves rise.
        enough = self.analysis.needed is not None and self.analysis.needed <= self.analysis.units
        for number, other in enumerate(others, 1):
            said, (x, y) = f"{other.difference:g}", self._curve(other)
            place = None if enough and free.meets_text(number) else free.along(number, said)
            if place is None:
                continue
            hover = f"{said} {other.metric}: %{{y:.0%}} with %{{x:,}} {other.unit}s<extra></extra>"
            marks.append(Line(x=x, y=y, width=1.2, colour=INK, hover=hover))
            marks.append(words(x=[place[0]], y=[place[1]], texts=[said], colour=INK_2[0]))
        return marks

    def _chosen(self) -> list[Mark]:
        found, (x, y) = self.analysis, self._curve(self.analysis)
        low, high = [at.power_low for at in found.curve], [at.power_high for at in found.curve]
        hover = (
            f"{found.difference:g} {found.metric}: %{{y:.0%}} with %{{x:,}} {found.unit}s<br>"
            "%{customdata[0]:.0%} to %{customdata[1]:.0%}<extra></extra>"
        )
        ends = [list(pair) for pair in zip(low, high, strict=True)]
        return [
            Band(x=x, low=low, high=high, colour=FIRST, edged=False),
            Line(x=x, y=y, width=3, colour=FIRST, keys=ends, hover=hover),
        ]

    def _level(self) -> Line:
        return Line(x=[0, self.end], y=[self.analysis.wanted] * 2, width=1.5, dash="dash", colour=PAGE_INK, hover="")

    def _target(self, words: partial[Words], line: float) -> Iterator[Words]:
        """Yield the name of the target at either end of its line, above it and below."""
        wanted, ends = self.analysis.wanted, ((self.end, "left"), (0.01 * self.end, "right"))
        for up in (0.6 * line, -0.7 * line):
            for at, side in ends:
                yield words(x=[at], y=[wanted + up], texts=[f"target {wanted:.0%}"], side=side, bold=True)

    def _needed(self, words: partial[Words], room: Room, line: float) -> list[Mark]:
        """Return the needed size on the curve, its line to the axis, its range on the target, and its words.

        The curve takes the pilot's standard error as known, and the needed size does not, so it has a little more power
        there than the target; fewer units may have more because they would allow no verdict.
        """
        found = self.analysis
        if is_far(found) or found.needed is None or found.needed_low is None or found.needed_high is None:
            return []
        at, height = found.needed, found.wanted
        units = "" if room.narrow else f" {found.unit}s"
        said = [
            f"{at:,}{units} for {found.difference:g} {found.metric}",
            f"{found.needed_low:,} to {found.needed_high:,}",
        ]
        # What is needed is said to the right of what is at hand where it has no room before that.
        long = _LETTER * len(said[0]) / (_PHONE_PIXELS if room.narrow else _PIXELS) * self.end
        fits = not at <= found.units <= at + long + 0.03 * self.end
        place = (at if fits else found.units) + 0.015 * self.end
        side: Literal["left", "right"] = "right" if place < 0.62 * self.end else "left"
        place = place if side == "right" else place - 0.03 * self.end
        reached = next((size.power for size in found.curve if size.units == at), height)
        first, second = (height - step * line for step in (1, 2))
        return [
            Line(x=[at, at], y=[0, reached], width=1.5, colour=FIRST, hover=""),
            Line(x=[found.needed_low, found.needed_high], y=[height] * 2, width=4, colour=FIRST, hover=""),
            Points(x=[at], y=[reached], size=12, colour=FIRST, hover=["\n".join(said)]),
            words(x=[place], y=[first], texts=said[:1], side=side, bold=True, colour=FIRST_TEXT[0]),
            words(x=[place], y=[second], texts=said[1:], side=side),
        ]

    def _is_far_right(self, few: bool) -> bool:
        """Return whether there is no room at the right of the size at hand; few: on a narrow picture."""
        return few and self.analysis.units > 0.55 * self.end

    def _here(self, words: partial[Words], room: Room, line: float) -> list[Mark]:
        """Return the power of the test set at hand with its range, and what it is in words."""
        found, power = self.analysis, self.analysis.power
        if power is None:
            return []
        few = room.on_paper or room.narrow
        at, side, away = found.units, "right", (0.035 if room.narrow else 0.018) * self.end
        if self._is_far_right(few):
            side, away = "left", -away
        share, ends = share_text(power.power), range_text(power)
        whole = f"{share} ({ends})" if ends else share
        # Neither on the axis nor on the curve where that is flat, nor at the left on the dot where it begins.
        height = min(max(power.power, 1.6 * line), 0.93 if side == "right" else 0.9)
        return [
            Line(x=[at, at], y=[0, power.power], width=1, colour=PAGE_INK, hover=""),
            Points(
                x=[at], y=[power.power], low=[power.power_low], high=[power.power_high], upright=True, size=12,
                thickness=4, colour=PAGE_INK, hover=[f"{whole} with {at:,} {found.unit}s"],
            ),
            words(x=[at + away], y=[height], texts=[share], side=side, bold=True),
            # Between two marks a phone has no room for it; it is in the lede.
            words(x=[at + away], y=[height - line], texts=["" if room.narrow and side == "left" else ends], side=side),
        ]  # fmt: skip

    def _ticks(self, few: bool) -> tuple[list[tuple[float, str]], dict[float, str]]:
        """Return ticks in two rows; those next to the size at hand, and to the needed one, give way to them."""
        found, end, wide = self.analysis, self.end, 2.0 if few else 1.0
        here, needed = found.units, None if is_far(found) else found.needed
        named: dict[float, tuple[str, str]] = {here: (f"{here:,}, these data", PAGE_INK)}
        room = [(here, wide * _HERE * end)]
        if needed is not None and abs(needed - here) > wide * (_HERE + _NEEDED) * end:
            named[needed] = (f"{needed:,}", FIRST_TEXT[0])
            room.append((needed, wide * _NEEDED * end))
        free = [
            tick
            for tick in (0, *steps_between(0, end, 3 if few else 6))
            if all(abs(tick - at) > reach for at, reach in room)
        ]
        texts = {tick: f"{tick:,.0f}" for tick in free} | {at: text for at, (text, _) in named.items()}
        if self.segments is not None:
            # Three digits are enough, but for what is known.
            below = {at: float(f"{at * self.segments / found.units:.3g}") for at in texts} | {here: self.segments}
            texts = {at: f"{text}\n{below[at]:,.0f}" for at, text in texts.items()}
        return sorted(texts.items()), {at: colour for at, (_, colour) in named.items()}


@dataclass(frozen=True)
class _Free:
    """Where on a plane a text meets neither curves nor other texts; in pixels, on paper in points.

    letter: how wide a letter is, and 2.2 of them how high a line. boxes: left, bottom, right and top of what is there.
    """

    width: float
    height: float
    end: float
    letter: float
    curves: list[tuple[Floats, Floats]] = field(default_factory=list)
    boxes: list[tuple[float, float, float, float]] = field(default_factory=list)
    texts: list[tuple[float, float, float, float]] = field(default_factory=list)

    @classmethod
    def of(cls, room: Room, end: float, marks: Sequence[Mark]) -> "_Free":
        """Return the plane of a room, with straight lines, dots and texts that are there."""
        width, height, letter = (_PHONE_PIXELS if room.narrow else _PIXELS), _HIGH, 7.0
        if room.on_paper:
            width, height, letter = round(_POINTS * room.width), _PAPER_HIGH, 4.0
        free = cls(width, height, end, letter)
        free.boxes.extend(box for mark in marks for box in free._boxes(mark))
        free.texts.extend(box for mark in marks if isinstance(mark, Words) for box in free._boxes(mark))
        return free

    def _boxes(self, mark: Mark) -> Iterator[tuple[float, float, float, float]]:
        if isinstance(mark, Line | Points):
            ends = [*mark.y, *(mark.low or ()), *(mark.high or ())] if isinstance(mark, Points) else mark.y
            x, y = self._at(np.array(mark.x, float), np.array(ends, float))
            # A dot is half as high as wide again where it ends a line.
            out = mark.size / 2 if isinstance(mark, Points) else mark.width / 2
            yield x.min() - out, y.min() - out, x.max() + out, y.max() + out
        if isinstance(mark, Words) and mark.texts[0]:
            (x,), (y,) = self._at(np.array(mark.x, float), np.array(mark.y, float))
            wide = self.letter * len(mark.texts[0])
            left = x - wide * {"right": 0, "middle": 0.5, "left": 1}[mark.side]
            yield left, y - 1.1 * self.letter, left + wide, y + 1.1 * self.letter

    def _at(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        return x / self.end * self.width, y / _TOP * self.height

    def avoid(self, x: Sequence[float], y: Sequence[float]) -> None:
        """Keep later texts off a curve."""
        self.curves.append(self._at(np.array(x, float), np.array(y, float)))

    def meets_text(self, number: int) -> bool:
        """Return whether a curve would go through one of the texts that are there in any case."""
        x, y = self.curves[number]
        places = np.linspace(x[0], x[-1], 400)
        heights = np.interp(places, x, y)
        return any(
            bool(np.any((left < places) & (places < right) & (bottom < heights) & (heights < top)))
            for left, bottom, right, top in self.texts
        )

    def first(self, offered: Iterator[Words]) -> Words:
        """Return the first of several places for a text that meets nothing, or the very first."""
        every = list(offered)
        found = next((text for text in every if all(self._is_free(box) for box in self._boxes(text))), every[0])
        self.boxes.extend(self._boxes(found))
        return found

    def along(self, number: int, text: str) -> tuple[float, float] | None:
        """Return the middle of a text next to a curve, where it meets nothing, and keep later texts off it."""
        x, y = self.curves[number]
        places = np.linspace(x[0], x[-1], 200)
        heights = np.interp(places, x, y)
        slopes = np.gradient(heights, places)
        half, high = self.letter * len(text) / 2, 1.1 * self.letter
        # Two thirds up, where curves lie apart, or as high as this one comes; at the top they all lie together.
        order = np.argsort(np.abs(heights - min(0.65 * self.height, 0.9 * y[-1])), kind="stable")
        for at in order[heights[order] < _TOGETHER * self.height]:
            across, along = np.array([-slopes[at], 1]) / np.hypot(1, slopes[at])
            reach = abs(across) * half + along * high + _GAP
            for side in (1, -1):
                middle = places[at] + side * reach * across, heights[at] + side * reach * along
                box = (middle[0] - half, middle[1] - high, middle[0] + half, middle[1] + high)
                if self._is_free(box, number):
                    self.boxes.append(box)
                    return float(middle[0] / self.width * self.end), float(middle[1] / self.height * _TOP)
        return None

    def _is_free(self, box: tuple[float, float, float, float], own: int | None = None) -> bool:
        """Return whether a text meets nothing, and is nearer to its own curve than to others."""
        left, bottom, right, top = box
        if left < -1 or bottom < _GAP or right > self.width + 1 or top > self.height:
            return False
        boxes = np.array([*self.boxes, (np.inf,) * 4])
        # A name right below a text would be read as its next line.
        above = 0 if own is None else self.letter
        meets = np.all(boxes[:, :2] < (right + _GAP, top + above), axis=1)
        if np.any(meets & np.all(boxes[:, 2:] > (left - _GAP, bottom - above), axis=1)):
            return False
        for number, (x, y) in enumerate(self.curves):
            around = _GAP / 2 if number == own else 2 * _GAP
            at = np.interp(np.linspace(left - around, right + around, 24), x, y, left=np.nan, right=np.nan)
            low, high = np.minimum(at[:-1], at[1:]), np.maximum(at[:-1], at[1:])
            if np.any((low < top + around) & (high > bottom - around)):
                return False
        return True


def end_of(analysis: PowerAnalysis) -> int:
    """Return where the axis of sizes ends: where what is needed, or may be, has room."""
    if is_far(analysis) or analysis.needed_high is None:
        return int(round_up(_SHOWN * analysis.units))
    return int(round_up(_BEYOND * max(analysis.needed_high, analysis.units)))


def sizes_of(analysis: PowerAnalysis) -> tuple[int, ...]:
    """Return the sizes at which a curve of power is drawn: among them that of the pilot and the needed one."""
    end = end_of(analysis)
    even, ratios = np.linspace(1, end, _SIZES // 2), np.geomspace(2, end, _SIZES // 2)
    known = [analysis.units, *([analysis.needed] if analysis.needed is not None and not is_far(analysis) else [])]
    return tuple(sorted({*map(round, even.tolist()), *map(round, ratios.tolist()), *known}))


@dataclass(frozen=True)
class SubsetWidths(Picture):
    """Half the width of a difference's interval, by subset size.

    x: the sizes, up to the whole test set. widths: half the interval widths. difference: the observed value.
    """

    how_to_read = "widths-of-subsets"

    x: tuple[int, ...]
    widths: tuple[float, ...]
    difference: float
    subsets: int
    unit: str
    metric: str
    level: str
    decimals: int = 2

    @classmethod
    def of(cls, curves: SizeCurves) -> "SubsetWidths":
        """Return the picture of a difference."""
        known = np.flatnonzero(~np.isnan(curves.half_width[:, 0]))
        order = known[np.argsort(curves.units[known])]
        return cls(
            tuple(curves.units[order].tolist()),
            tuple(curves.half_width[order, 0].tolist()),
            abs(float(curves.mean[int(np.argmax(curves.units)), 0])),
            int(curves.subsets.max()),
            curves.unit,
            curves.metric,
            level_text(curves.ablation.level),
            curves.decimals,
        )

    @property
    def caption(self) -> str:
        """The caption of the figure."""
        return (
            f"Mean half width of the {self.level} CI of the difference in {self.metric}, over {self.subsets} random "
            "subsets of each size. Dashed: widths proportional to 1/√n, starting from the whole test set. Line: the "
            "observed difference."
        )

    def scene(self, room: Room) -> Scene:
        """Return the subsets, the square-root law and the observed difference."""
        words = partial(Words, size=7.5 if room.on_paper else 13, hover="")
        *parts, (here, width) = zip(self.x, self.widths, strict=True)
        end = 2.1 * here
        high = 1.12 * max(*self.widths, self.difference)
        law = np.linspace(0.8 * self.x[0], end, 60)
        widths, step = width * np.sqrt(here / law), 0.06 * high
        here_said = f"here ±{points_text(width, self.decimals)}"
        observed = f"observed difference {points_text(self.difference, self.decimals)}"
        hover = f"±%{{y:.{self.decimals}f}} with %{{x:,}} {self.unit}s<extra></extra>"
        # What is said of the whole test set stands a step above its own width.
        below = self.difference > 2 * step and abs(self.difference - width - 2 * step) > step
        marks: list[Mark] = [
            _BASE,
            Line(x=law.tolist(), y=widths.tolist(), width=1.5, dash="dash", colour=GREY, hover=""),
            Rule(at=self.difference, colour=FIRST, width=1.5, dash="solid"),
            words(
                x=[end], y=[self.difference + (-step if below else step)], texts=[observed], side="left",
                colour=FIRST_TEXT[0],
            ),
            Points(x=[x for x, _ in parts], y=[y for _, y in parts], colour=FIRST, size=8, hover=hover),
            Points(x=[here], y=[width], colour=PAGE_INK, size=12, hover=hover),
            words(x=[here + 0.02 * end], y=[width + step], texts=[here_said], side="right", bold=True),
        ]  # fmt: skip
        free = [(x, y) for x, y in parts[1:] if abs(y + step - self.difference) > 2 * step]
        if free:
            x, y = free[min(1, len(free) - 1)]
            marks.append(words(x=[x + 0.04 * end], y=[y + step], texts=["subsets of these data"], side="right",
                               colour=INK_2[0]))  # fmt: skip
        if abs(self.difference - width * math.sqrt(here / end)) > 2.5 * step:
            place = 0.97 * end
            marks.append(words(x=[place], y=[width * math.sqrt(here / (0.7 * end)) + 0.5 * step], texts=["1/√n law"],
                               side="left", colour=INK_2[0]))  # fmt: skip
        others = [tick for tick in (0.0, *steps_between(0, end, 4)) if abs(tick - here) > 0.12 * end]
        x_axis = Axis(
            title=f"{self.unit}s in the subset",
            range=(0, end),
            ticks=sorted([*((tick, f"{tick:,.0f}") for tick in others), (here, f"{here:,}")]),
            strong={here: PAGE_INK},
            grid=False,
            slant=0,
        )
        heights = [0.0, *steps_between(0, high, 5)]
        y_axis = Axis(range=(0, high), ticks=[(at, f"±{at:g}" if at else "0") for at in heights], grid=True)
        title = "" if room.on_paper else f"Half width of the {self.level} CI, {self.metric}"
        plane = Plane(marks, x_axis, y_axis, corners=(title, ""))
        return Scene([plane], _PAPER_HEIGHT if room.on_paper else _HEIGHT, margins=(10, 16, 30))
