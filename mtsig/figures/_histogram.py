"""One difference against zero: its resamples as bars or dots, whom they favour, and the interval below them."""

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from mtsig._probability import ends_text, level_text, points_text, shown_decimals
from mtsig.figures import _look
from mtsig.figures._marks import SCREEN, Axis, Bars, Dash, Line, Mark, Plane, Points, Room, Scene, Text
from mtsig.figures._matrix import HUNDRED, Draws, round_steps, share_text

_SIGHT, _PHONE = 900, 360
"""Pixels of a screen that texts are placed for; where there are more, texts are only farther apart."""

_BROKEN = 0.7
"""An axis is broken where zero is farther from the resamples than this share of their range."""

_LETTER = 7.4
_NAMES, _AT_BREAK, _BEFORE_ZERO, _LOWER = 12, 5, 58, 18
"""Pixels: of a letter, between zero and a name, of a zigzag, before zero for a bound beyond one, and of a row below."""

_NO_P = ("This describes these data", "and is not a p-value.")


def _signed(value: float) -> str:
    return f"{value:+.10g}".replace("-", "−") if abs(value) > 1e-12 else "0"


@dataclass(frozen=True)
class _Ground:
    """Where things are drawn: the parts of the axis, two where it is broken, and where zero is.

    unit: points of the metric to a pixel; scale: points on paper to a pixel; bars: their height in pixels.
    """

    parts: tuple[tuple[float, float], ...]
    zero: float
    unit: float
    scale: float
    bars: float
    narrow: bool

    @property
    def low(self) -> float:
        """Where the axis begins."""
        return self.parts[0][0]

    @property
    def high(self) -> float:
        """Where the axis ends."""
        return self.parts[-1][1]

    @property
    def main(self) -> tuple[float, float]:
        """The part of the axis that has the resamples."""
        return max(self.parts, key=lambda part: part[1] - part[0])

    def text(self, x: float, y: float, text: str, across: float = 0, up: float = 0, **look: Any) -> Text:
        """Return a text so many pixels off its place."""
        look = {"size": 13 if self.narrow else 14, **look}
        look["size"] *= self.scale
        return Text(x=x, y=y, text=text, across=across * self.scale, up=up * self.scale, **look)


class Histogram(Draws):
    """The distribution of a difference over resamples or random swaps."""

    def scene(self, room: Room) -> Scene:
        """Return the resamples on both sides of 0, with estimate and interval."""
        ground = self._ground(room)
        below = [] if self.exchanged or self.at_work else self._interval(ground)
        lowest = min((mark.y * ground.bars for mark in below if isinstance(mark, Text)), default=0.0)
        head, strip = 62, 30 if self.exchanged else max(54, 16 - lowest)
        bottom, top = -strip / ground.bars, 1 + head / ground.bars
        marks: list[Mark] = self._margin(ground)
        marks += self._outline() if self.at_work else self._dots(ground) if self.dots else self._bars(ground, room)
        marks += [Line(x=part, y=(0, 0), width=1, colour=_look.INK, hover="") for part in ground.parts]
        marks.append(Line(x=(ground.zero,) * 2, y=(bottom, top - 4 / ground.bars), width=2.5, hover=""))
        marks += self._break(ground) if len(ground.parts) > 1 else []
        marks += self._names(ground, top)
        if not self.at_work:
            marks += self._exchanges(ground) if self.exchanged else [*below, *self._shares(ground)]
        x = Axis(
            title=self.axis if room == SCREEN else f"{room.title(self.axis, 0.85)}{self._lines_text(room)}",
            range=(ground.low, ground.high),
            ticks=self._ticks(ground), grid=False, lined=True, size=9.0 if room.on_paper and room.width >= 9 else None,
        )  # fmt: skip
        plane = Plane(marks, x, Axis(range=(bottom, top), shown=False))
        height, lines = head + ground.bars + strip, x.title.count("\n")
        if room.on_paper:
            return Scene([plane], (height * ground.scale + 34 + 10 * lines) / 72)
        return Scene([plane], height + 46 + 16 * lines, margins=(10, 10, 4))

    def _lines_text(self, room: Room) -> str:
        """Return what lines and band are, below the axis where there is no room beside them."""
        level, low = f"{level_text(self.comparison.level)} CI", self.comparison.ci_low
        if not room.narrow or self.exchanged or self.at_work:
            return ""
        lines = f"\nline: {level}" if self.thin is None else f"\nthick line: {level} alone, thin: adjusted CI"
        band = f"\ngrey: {self.within_margin}" if self.within_margin else ""
        return f"{lines if low == low else ''}{band}"

    def _ground(self, room: Room) -> _Ground:
        """Return where things are drawn: everything is in sight with its texts, zero too."""
        narrow = room.narrow or 0 < room.width < 4.5
        scale = (0.55 if room.width < 9 else 0.72) if room.on_paper else 1.0
        pixels = room.width * 72 / scale if room.on_paper else _PHONE if narrow else _SIGHT
        bars = (150.0 if narrow else 200.0) if room.on_paper else 200.0 if narrow else 270.0
        rest = (scale, bars if len(self.draws) else 40.0, narrow)
        one, width = self.comparison, self.width(narrow)
        shown = [end for number in self.bins(narrow) for end in (number * width, (number + 1) * width)]
        shown += [] if self.exchanged else [one.difference, one.ci_low, one.ci_high, *(self.thin or ())]
        shown = [place for place in shown if place == place]
        low, high = min(shown), max(shown)
        said = 44 if narrow else 124 if self.thin else 100
        own = float(np.ptp(self.draws)) if len(self.draws) else high - low
        near = max(low, -high)
        if near > max(_BROKEN * own, self.margin or 0) and not self.exchanged:
            # Everything beyond zero on one side: zero comes as near as the break allows.
            gap = 0.16 * (high - low)
            unit = (high - low + 1.3 * gap) / (pixels - said)
            if gap < _BEFORE_ZERO * unit:
                unit = (high - low) / (pixels - said - 1.3 * _BEFORE_ZERO)
                gap = _BEFORE_ZERO * unit
            parts = ((-1.3 * gap, -0.65 * gap), (-0.35 * gap, high - low + said * unit))
            if low > 0:
                return _Ground(tuple((low + a, low + b) for a, b in parts), low - gap, unit, *rest)
            return _Ground(tuple((high - b, high - a) for a, b in reversed(parts)), high + gap, unit, *rest)
        first, second, _ = self.favouring
        block, margin = (116 if narrow else 220), self.margin or 0.0
        rooms = [(place, said * (place == low), said * (place == high)) for place in shown]
        every = not len(self.draws)
        rooms += [(0.0, block if second or every else 12, block if first or every else 12)]
        rooms += [(-margin, 4, 0), (margin, 0, 4)]
        if self.exchanged:  # what the swaps are counted by stands beyond both lines
            rooms += [(abs(one.difference), 0, 112 if narrow else 180), (-abs(one.difference), 48, 0)]
        for _ in range(12):  # the room that texts take in points of the metric follows from the ends, and these from it
            unit = ((high - low) or 1) / pixels
            low = min(place - left * unit for place, left, _ in rooms)
            high = max(place + right * unit for place, _, right in rooms)
        return _Ground(((low, high),), 0.0, (high - low) / pixels, *rest)

    def _ticks(self, ground: _Ground) -> list[tuple[float, str]]:
        low, high = ground.main
        step = next(step for step in round_steps(high - low, 5) if (high - low) / step <= (6 if ground.narrow else 11))
        ticks = [(k * step, _signed(k * step)) for k in range(math.ceil(low / step), math.floor(high / step) + 1)]
        return ticks if len(ground.parts) == 1 else sorted([(ground.zero, "0"), *ticks])

    def _bars(self, ground: _Ground, room: Room) -> list[Mark]:
        """Return a bar for each bin: of the second left of zero, of the first right of it, of ties at it."""
        narrow, total = ground.narrow, len(self.draws)
        bins, width, most = self.bins(narrow), self.width(narrow), self.most(narrow)
        what, base, tied = "resamples", dict[int, int](), 0 if self.exchanged else self.favouring[2]
        sides = [
            ({number: count for number, count in bins.items() if number < 0}, _look.SECOND),
            ({number: count for number, count in bins.items() if number >= 0}, _look.FIRST),
        ]
        if self.exchanged:
            what, far = "random swaps", self.counted(self.far, narrow)
            base = {number: count - far.get(number, 0) for number, count in bins.items()}
            sides = [(base, _look.GREY), (far, _look.SECOND)]
        marks: list[Mark] = []
        for counts, colour in sides:
            hatch: Literal["/", ""] = "/" if room.on_paper and colour == _look.SECOND else ""
            if counts:
                marks.append(Bars(
                    x=[(number + 0.5) * width for number in counts], y=[count / most for count in counts.values()],
                    width=0.94 * width, colour=colour, hatch=hatch, colours=[colour] * len(counts) if hatch else (),
                    base=[base[number] / most for number in counts] if counts is not base and base else None,
                    keys=list(counts.values()), hover=[
                        f"{_signed(number * width)} to {_signed((number + 1) * width)}: {count:,} of {total:,} {what}"
                        for number, count in counts.items()
                    ],
                ))  # fmt: skip
        if tied:
            hover = [f"{tied:,} of {total:,} {what} tied"]
            marks.append(Bars(x=[0], y=[tied / most], width=0.3 * width, colour=_look.GREY, hover=hover))
        return marks

    def _outline(self) -> list[Mark]:
        """Return the tops of bars as one dashed line."""
        width, most = self.width(), self.most(narrow=False)
        bins = self.bins()
        numbers = range(min(bins), max(bins) + 1) if bins else range(0)
        heights = [bins.get(number, 0) / most for number in numbers]
        places = [(number + 0.5) * width for number in numbers]
        return [Line(x=places, y=heights, width=2, dash="dash", colour=_look.INK, hover="")]

    def _dots(self, ground: _Ground) -> list[Mark]:
        """Return a hundred draws, stacked in the bins that begin at zero."""
        width, values = self.width(ground.narrow), self.hundred
        numbers = np.floor(values / width).astype(int).tolist()
        heights = [numbers[:place].count(number) for place, number in enumerate(numbers)]
        room = min((1.0 if ground.narrow else 1.25) * width / ground.unit, ground.bars / (1 + max(heights)))
        marks: list[Mark] = []
        for colour, side in ((_look.SECOND, -1), (_look.GREY, 0), (_look.FIRST, 1)):
            here = np.flatnonzero(np.sign(values) == side).tolist()
            if here:
                marks.append(Points(
                    x=[(numbers[i] + 0.5 * abs(side)) * width for i in here],
                    y=[(heights[i] + 0.5) * room / ground.bars for i in here], size=0.84 * room, colour=colour,
                    hover="",
                ))  # fmt: skip
        return marks

    def _margin(self, ground: _Ground) -> list[Mark]:
        """Return the band of what does not matter, with its share where no bar is."""
        if self.margin is None or self.exchanged:
            return []
        own = next(part for part in ground.parts if part[0] <= ground.zero <= part[1])
        low, high = max(own[0], ground.zero - self.margin), min(own[1], ground.zero + self.margin)
        said = self.within_margin
        band: list[Mark] = [Bars(
            x=[(low + high) / 2], y=[1.04], width=[high - low], colour=_look.PALE, opacity=_look.BAND, hover=[said]
        )]  # fmt: skip
        if ground.narrow or not said or len(ground.parts) > 1:
            return band
        for at, side in ((-self.margin, 1), (self.margin, -1), (-self.margin, -1), (self.margin, 1)):
            begins, ends = sorted((at, at + 86 * side * ground.unit))
            free = ground.low < begins and ends < ground.high and not begins < 0 < ends
            if free and (self.dots or self.tallest(False, begins, ends) < 0.74):
                text = said.replace(", ", ",\n").replace(": ", ":\n")
                turned: Literal["left", "right"] = "right" if side > 0 else "left"
                look: dict[str, Any] = {"size": 13, "colour": _look.INK_2[0]}
                return [*band, ground.text(at, 1.02, text, 8 * side, side=turned, level="top", **look)]
        return band

    def _names(self, ground: _Ground, top: float) -> list[Mark]:
        """Return the names at the head of the zero line, each on its side; one without room stands at the edge."""
        first, second, _ = self.favouring
        word = "" if ground.narrow else f" {self.word}"
        every = not len(self.draws) or self.exchanged
        marks: list[Mark] = []
        for name, colour, draws, side in (
            (f"← {self.names[1]}{word}", _look.SECOND_TEXT[0], second, -1),
            (f"{self.names[0]}{word} →", _look.FIRST_TEXT[0], first, 1),
        ):
            edge = ground.high if side > 0 else ground.low
            fits = _look.text_columns(name) * _LETTER + _NAMES < abs(edge - ground.zero) / ground.unit
            place: Literal["left", "right"] = "right" if (side > 0) == fits else "left"
            if draws or every:
                marks.append(ground.text(
                    ground.zero if fits else edge, top, name, 9 * side if fits else -2 * side,
                    -4 if fits or side < 0 else -20, side=place, level="top", bold=True, colour=colour,
                ))  # fmt: skip
        return marks

    def _interval(self, ground: _Ground) -> list[Mark]:
        """Return the estimate with its interval below the bars, and the bounds at its ends."""
        one, line, below = self.comparison, -18 / ground.bars, -38 / ground.bars
        digits = shown_decimals(one.difference, one.decimals)
        estimate = points_text(one.difference, digits, signed=True)
        level, narrow, thin = f"{level_text(one.level)} CI", ground.narrow, self.thin
        marks: list[Mark] = []
        if not self.dots:
            marks += self._upright(ground, one.difference, "dot")
        if not (narrow or self.dots):
            side = -1 if one.difference < 0 else 1
            marks.append(ground.text(
                one.difference, 1.05, f"estimate {estimate}", 5 * side, 5, side="right" if side > 0 else "left",
                size=13, bold=True,
            ))  # fmt: skip

        def named(low: float, high: float, what: str) -> tuple[str, str]:
            """Return the bounds, the one that is farther from zero with what they are of, where words have room."""
            low_text, high_text = ends_text(low, high, digits, signed=True)
            if narrow:
                return low_text, high_text
            return (
                (f"{what} {low_text}".strip(), high_text) if one.difference < 0 else (low_text, f"{high_text} {what}")
            )

        # The bounds that decide are bold.
        look: dict[str, Any] = {"size": 13, "bold": True}
        if thin is not None:
            low, high = named(*thin, "adjusted CI")
            marks.append(Line(x=thin, y=(line, line), width=1.25, ends=True, hover=""))
            bounds = [
                self._bound(ground, -1, thin[0], line, low, -8, below, **look),
                self._bound(ground, 1, thin[1], line, high, 8, below, **look),
            ]
            marks += bounds
            below -= _LOWER / ground.bars * any(bound.y != line for bound in bounds)
            look = {"size": 12.5, "colour": _look.INK_2[0]}
        if one.ci_low == one.ci_low:
            low, high = named(one.ci_low, one.ci_high, f" {level}" if thin is None else f" {level} alone")
            level_of, off = (line, -10) if thin is None else (below, 12)
            marks.append(self._bound(ground, -1, one.ci_low, level_of, low, off, below, **look))
            marks.append(self._bound(ground, 1, one.ci_high, level_of, high, -off, below, **look))
        marks.append(Points(
            x=[one.difference], y=[line], low=[one.ci_low], high=[one.ci_high], size=11, thickness=3, caps=True,
            hover=[f"{estimate}, {level} {' to '.join(ends_text(one.ci_low, one.ci_high, digits, True))}"],
        ))  # fmt: skip
        return marks

    def _upright(self, ground: _Ground, x: float, dash: Dash) -> list[Mark]:
        """Return a line at a place: white inside its bar, which ink would not stand out on."""
        top = self.tallest(ground.narrow, x, x)
        inside = [Line(x=(x, x), y=(0, top), width=1.5, dash=dash, colour="#ffffff", hover="")] if top > 0 else []
        return [*inside, Line(x=(x, x), y=(top, 1.05), width=1.5, dash=dash, hover="")]

    def _bound(
        self, ground: _Ground, side: int, x: float, y: float, text: str, off: float, below: float, **look: Any
    ) -> Text:
        """Return a bound at its end of an interval; one without room before zero is below it, on its own side."""
        near, long = 5 * side * ground.unit, _look.text_columns(text) * _LETTER * ground.unit
        at = x + off * ground.unit
        if side * (x - ground.zero) < 0 < side * (at + side * long - ground.zero) + abs(near):
            at, y, side = ground.zero - near, below, -side
        elif side * (at - ground.zero) < abs(near) and side * (x - ground.zero) >= 0:
            at = ground.zero + near
        return ground.text(at, y, text, side="right" if side > 0 else "left", **look)

    def _shares(self, ground: _Ground) -> list[Mark]:
        """Return what share of the draws favours whom, where no bar is, and a line from the smaller one to its bars."""
        first, second, tied = self.favouring
        total, narrow, broken = len(self.draws), ground.narrow, len(ground.parts) > 1
        fewer = -1 if second <= first else 1
        marks: list[Mark] = []
        for count, name, colour, side in (
            (second, self.names[1], _look.SECOND_TEXT[0], -1),
            (first, self.names[0], _look.FIRST_TEXT[0], 1),
        ):
            if not count:
                continue
            number = share_text(count, total)
            if self.dots:
                number = f"{int((np.sign(self.hundred) == side).sum())} of {HUNDRED}"
            favour = "favour" if self.word == "ahead" else "higher:"
            whom = f"{favour}\n{name}" if narrow else f"{favour} {name}"
            if side == fewer or count == total:
                of = "" if number[0] == "A" or " of " in number else f"of {total:,} "
                whom = f"{of}resampled test sets\n{whom}"
                if narrow:  # a line has room for two words
                    whom = f"{'of ' * bool(of)}resampled\ntest sets {favour}\n{name}"
            if narrow and " of " in number and not self.dots:
                number, whom = number.partition(" of ")[0], f"of {total:,}\n{whom}"
            notes = [] if side == fewer and count < total else ["not a p-value"] if narrow else [*_NO_P]
            notes += [self._broken_text(ground)] if broken and not narrow else []
            # A large share is soon taken for a verdict: it is large where there is one.
            size = 20 if not self.comparison.significant else 24 if narrow else 34 if len(number) < 7 else 28
            lines, under = 1 + whom.count("\n"), -4 - size if narrow else -8 - size
            pixels = 40 + 17 * (lines + len(notes)) if narrow else 54 + 18 * lines + 17 * len(notes)
            at, turned, top = self._free(ground, side, pixels)
            place: dict[str, Any] = {"side": turned, "level": "top", "across": {"left": -6, "right": 6}[turned]}
            marks.append(ground.text(at, top, number, size=size, bold=True, colour=colour, **place))
            marks.append(ground.text(at, top, whom, up=under, **place))
            up = under - 4 - (17 if narrow else 18) * lines
            if notes:
                marks.append(ground.text(at, top, "\n".join(notes), up=up, size=12.5, colour=_look.INK_2[0], **place))
            if count < total / 8 and not narrow and not self.dots:
                marks.append(self._leader(ground, side, at, top - 52 / ground.bars, colour))
        if tied:
            ties, turned = f"{share_text(tied, total)} tied", "right" if fewer > 0 else "left"
            marks.append(ground.text(ground.zero, 1.08, ties, 8 * fewer, side=turned, size=12.5, colour=_look.INK_2[0]))
        return marks

    def _free(self, ground: _Ground, side: int, pixels: int) -> tuple[float, Literal["left", "right"], float]:
        """Return where the share of a side has room: its place, on which side of it, and how high its top is.

        Where nothing is on the other side of zero, that may be between zero and the bars. pixels: how high it is.
        """
        narrow, main = ground.narrow, ground.main
        more = 2 * self.favouring[side < 0] > len(self.draws)
        wide = (112 if narrow else 280 if more else 206) * ground.unit
        edge = main[1] if side > 0 else main[0]
        inner = edge - side * wide
        places = [(inner, "right" if side > 0 else "left", sorted((edge, inner)))]
        if narrow:
            places = [(edge, "left" if side > 0 else "right", sorted((edge, inner)))]
        if min(self.favouring[:2]) == 0:
            start = ground.zero if len(ground.parts) == 1 else main[0] if side > 0 else main[1]
            start += side * 10 * ground.unit
            places.append((start, "right" if side > 0 else "left", sorted((start, start + side * wide))))
        talls = [0.4 if self.dots else self.tallest(narrow, *reach) for _, _, reach in places]
        best = talls.index(min(talls))
        at, turned, _ = places[best]
        top = max(0.9 if narrow else 0.62, talls[best] + pixels / ground.bars)
        return at, "left" if turned == "left" else "right", min(top, 1.2 if narrow else 1.05)

    def _leader(self, ground: _Ground, side: int, begins: float, level: float, colour: str) -> Mark:
        """Return a line from a share to the bars that it counts."""
        width, most = self.width(ground.narrow), self.most(ground.narrow)
        own = {number: n for number, n in self.bins(ground.narrow).items() if (number < 0) == (side < 0)}
        number = max(own, key=lambda each: own[each])
        x, y = (number + 0.5) * width, own[number] / most + 0.03
        turns = [math.pi / 2 * step / 12 for step in range(13)]
        return Line(
            x=[begins + (x - begins) * math.sin(turn) for turn in turns],
            y=[y + (level - y) * math.cos(turn) for turn in turns],
            width=1.5, colour=colour, hover="",
        )  # fmt: skip

    def _exchanges(self, ground: _Ground) -> list[Mark]:
        """Return the observed difference, as far the other way, and how many random swaps are as far from zero."""
        one, narrow = self.comparison, ground.narrow
        marks: list[Mark] = []
        for x, name in ((one.difference, "observed "), (-one.difference, "")):
            told, side = points_text(x, shown_decimals(x, one.decimals), signed=True), 1 if x >= 0 else -1
            marks += self._upright(ground, x, "solid" if name else "dot")
            marks.append(ground.text(
                x, 1.06, f"{name}{told}", 5 * side, 4, side="right" if side > 0 else "left", size=13, bold=bool(name)
            ))  # fmt: skip
        swaps = "\nat least as\nfar from 0" if narrow else " random swaps\nat least as far from 0"
        of = f"of {len(self.draws):,}{swaps}\nas observed"
        place: dict[str, Any] = {"across": -4, "side": "left", "level": "top"}
        number = f"{len(self.far):,}"
        marks.append(ground.text(
            ground.high, 0.92, number, size=24 if narrow else 34, bold=True, colour=_look.SECOND_TEXT[0], **place
        ))  # fmt: skip
        marks.append(ground.text(ground.high, 0.92, of, up=-28 if narrow else -42, **place))
        return marks

    def _break(self, ground: _Ground) -> list[Mark]:
        """Return the zigzags of a broken axis."""
        (_, left), (right, _) = ground.parts
        zigzag = ((0, 9.0), (1, 4.5), (0, 0.0), (1, -4.5), (0, -9.0))
        step = _AT_BREAK * ground.unit
        heights = [up / ground.bars for _, up in zigzag]
        marks: list[Mark] = [
            Line(x=[place + step * out for out, _ in zigzag], y=heights, width=1.5, colour=_look.INK, hover="")
            for place in (left, right - step)
        ]
        if ground.narrow:
            side: Literal["left", "right"] = "right" if ground.zero < ground.main[0] else "left"
            said = self._broken_text(ground).replace(" between ", "\n").replace(" and ", " to ")
            at = left if side == "right" else right
            marks.append(ground.text(at, 0, said, up=16, side=side, level="bottom", size=12, colour=_look.INK_2[0]))
        return marks

    def _broken_text(self, ground: _Ground) -> str:
        """Return between which places the axis is broken."""
        (_, left), (right, _) = ground.parts
        gap, positive = (right - left) / 0.3, ground.zero < ground.main[0]
        near = ground.zero + gap if positive else ground.zero - gap
        ticks = [place for place, _ in self._ticks(ground) if place != ground.zero]
        step = ticks[1] - ticks[0] if len(ticks) > 1 else abs(near)
        last = math.floor(abs(near) / step) * step or float(f"{abs(near):.1g}")
        return f"axis broken between 0 and {last:.10g}" if positive else f"axis broken between −{last:.10g} and 0"
