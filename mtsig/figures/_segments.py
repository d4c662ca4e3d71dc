"""What a difference consists of: contributions of its units, their scores side by side, and what is left without some.

The two systems are told apart by side and by the verdict's colours: what speaks for the first is blue, for the second
ochre.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtsig._probability import corrected_level_text
from mtsig._records import Index, Mask
from mtsig._writing import shorts
from mtsig.corpus._notes import number_of
from mtsig.figures import _marks
from mtsig.figures._look import GREY, INK, escaped, spread, verdict_colour
from mtsig.segments import Contributions, Leverage

_BINS = 40

_TAIL = 0.005
"""The share of units at either end that falls into the outermost bars: one unit alone must not flatten all others."""

_SHARE = 0.3
"""Of the way to the strongest colour."""

_NOT_LOOKED_AT = 0.25
"""How much is left of the colour of units that are not looked at."""

_POINT, _SOLID = "#5f7f9f", 0.85
"""Points on the screen: 3.2 : 1 on white and 3.6 : 1 on the dark theme, and where many lie they still add up."""

_PIXELS = 400
"""Steps into which an axis of scores is cut: a page gives it no more room than that."""

_ROOM = 5
"""Texts of two lines that have room above each other beside a curve."""

_FOR_FIRST, _FOR_SECOND = verdict_colour("better", _SHARE), verdict_colour("worse", _SHARE)


def _looked(contributions: Contributions, looked_at: Index | None) -> Mask:
    looked = np.full(len(contributions.values), looked_at is None)
    if looked_at is not None:
        looked[looked_at] = True
    return looked


@dataclass(frozen=True)
class ContributionBars(_marks.Picture):
    """A histogram of the units' contributions to a difference.

    edges: the edges of the bars in points, including 0. counts: the number of units in each bar. none: the number of
    units that contribute nothing, which no bar includes. shown: the number of selected units in each bar. ends: the
    least and the greatest contribution in each bar; `None` for an empty bar.
    """

    how_to_read = "pushes"

    metric: str
    first: str
    second: str
    unit: str
    edges: tuple[float, ...]
    counts: tuple[int, ...]
    none: int
    shown: tuple[int, ...]
    ends: tuple[tuple[float, float] | None, ...]

    @classmethod
    def of(cls, contributions: Contributions, looked_at: Index | None = None) -> "ContributionBars":
        """Return the histogram, with selected units (`looked_at`) highlighted."""
        values = contributions.values
        first, second = shorts([contributions.first, contributions.second or ""])
        pushing = values[values != 0]
        if contributions.second is None and len(pushing):
            lowest, highest = np.quantile(pushing, (_TAIL, 1 - _TAIL))
            edges = np.linspace(lowest, highest, _BINS + 1)
        else:
            reach = float(np.quantile(np.abs(pushing), 1 - _TAIL)) if len(pushing) else 1.0
            edges = np.linspace(-reach, reach, _BINS + 1)
            edges[_BINS // 2] = 0.0
        # A contribution of exactly 0 is none; every other one is on its side.
        places = np.clip(np.searchsorted(edges, pushing, side="right") - 1, 0, _BINS - 1)
        counts = np.bincount(places, minlength=_BINS)
        looked = np.bincount(places[_looked(contributions, looked_at)[values != 0]], minlength=_BINS)
        within = [pushing[places == place] for place in range(_BINS)]
        return cls(
            contributions.metric.name,
            first,
            second,
            contributions.unit,
            tuple(edges.tolist()),
            tuple(counts.tolist()),
            int((values == 0).sum()),
            tuple(looked.tolist()),
            tuple((float(part.min()), float(part.max())) if len(part) else None for part in within),
        )

    @property
    def caption(self) -> str:
        """The caption of the figure."""
        if not self.second:
            contribution = f"Contribution of each {self.unit} to the {self.metric} of {self.first}."
            return f"{contribution} The outermost bars include all values beyond them."
        return (
            f"Contribution of each {self.unit} to the difference in {self.metric}. Right of zero, it favours "
            f"{self.first}; left of zero, {self.second}. The outermost bars include all values beyond them. "
            f"{number_of(self.none, self.unit, ',')} "
            f"{'contributes nothing and is' if self.none == 1 else 'contribute nothing and are'} not shown."
        )

    @property
    def axis(self) -> str:
        """The label of the horizontal axis."""
        return f"contribution in {self.metric}"

    def scene(self, room: _marks.Room) -> _marks.Scene:
        """Return the bars; unselected units are paler and on top."""
        edges = np.array(self.edges)
        middles, widths = ((edges[:-1] + edges[1:]) / 2).tolist(), (0.95 * np.diff(edges)).tolist()
        colours = [_FOR_FIRST if left >= 0 else _FOR_SECOND for left in self.edges[:-1]]
        rest = [count - looked for count, looked in zip(self.counts, self.shown, strict=True)]
        said = f"%{{customdata}} {self.unit}s contribute about %{{x:.2g}}<extra></extra>"
        marks: list[_marks.Mark] = [
            _marks.Bars(
                x=middles, y=counts, base=base, width=widths, colours=colours, opacity=opacity, keys=self.counts,
                hover=said,
            )
            for counts, base, opacity in ((self.shown, None, 1.0), (rest, self.shown, _NOT_LOOKED_AT))
        ]  # fmt: skip
        marks.append(_marks.Rule(at=0, upright=True))
        x = _marks.Axis(title=room.title(self.axis), most=None if room.on_paper else 5)
        y = _marks.Axis(title=f"{self.unit}s", most=None if room.on_paper else 4, grid=True)
        plane = _marks.Plane(marks, x, y)
        return _marks.Scene([plane], min(2.2, 0.55 * room.width) if room.on_paper else 190, brush="across")


@dataclass(frozen=True)
class ScoresApart(_marks.Picture):
    """The units' own scores by both systems, one point for each unit.

    x: the second system's scores. y: the first system's scores; of several points at one pixel, only the first is kept.
    shown: whether each unit is selected. numbers: the number that identifies each unit. units: the number of units.
    """

    how_to_read = "scores-apart"

    metric: str
    first: str
    second: str
    unit: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    shown: tuple[bool, ...]
    numbers: tuple[int, ...]
    units: int

    @classmethod
    def of(
        cls, contributions: Contributions, looked_at: Index | None = None, names: Sequence[int] | None = None
    ) -> "ScoresApart":
        """Return the picture of the unit scores of two systems.

        looked_at: the positions of selected units; `None` selects all. names: the numbers that readers know the units
        by; `None` counts from 1.
        """
        first, second = shorts([contributions.first, contributions.second or ""])
        y, x = contributions.scores[0], contributions.scores[1]
        looked = _looked(contributions, looked_at)
        # What is looked at lies on top, and no other unit hides it.
        parts = [np.flatnonzero(~looked), np.flatnonzero(looked)]
        seen = np.concatenate([part[_marks.seen_points(x[part], y[part], pixels=_PIXELS)] for part in parts])
        return cls(
            contributions.metric.name,
            first,
            second,
            contributions.unit,
            tuple(x[seen].tolist()),
            tuple(y[seen].tolist()),
            tuple(looked[seen].tolist()),
            tuple(i + 1 if names is None else names[i] for i in contributions.numbers[seen].tolist()),
            len(x),
        )

    @property
    def caption(self) -> str:
        """The caption of the figure."""
        return (
            f"{self.metric} of each {self.unit} alone: {self.first} on the vertical axis, {self.second} on the "
            "horizontal axis. On the dashed line both score the same."
        )

    @property
    def _ends(self) -> tuple[float, float]:
        drawn = [value for value in (*self.x, *self.y) if np.isfinite(value)] or [0.0]
        room = 0.03 * (max(drawn) - min(drawn)) or 1.0
        return min(drawn) - room, max(drawn) + room

    def scene(self, room: _marks.Room) -> _marks.Scene:
        """Return the points, with selected points on top, and the diagonal."""
        (low, high), most = self._ends, None if room.on_paper else 5
        # Arrays, because thousands of single numbers take longer to write than all of a page of cards.
        x, y, looked = np.array(self.x, np.float32), np.array(self.y, np.float32), np.array(self.shown, bool)
        numbers = np.array(self.numbers, np.int32)
        hover = f"#%{{customdata}}: {escaped(self.first)} %{{y:.1f}}, {escaped(self.second)} %{{x:.1f}}<extra></extra>"
        marks: list[_marks.Mark] = [
            _marks.Points(
                x=x[part], y=y[part], size=5, colour=_POINT, opacity=opacity, many=True, keys=numbers[part], hover=hover
            )
            for part, opacity in ((~looked, _SOLID * _NOT_LOOKED_AT), (looked, _SOLID))
        ]
        marks.append(_marks.Line(x=(low, high), y=(low, high), width=1, dash="dash", colour=GREY, hover=""))
        second, first = (f"{name}, {self.metric}" if room.on_paper else name for name in (self.second, self.first))
        plane = _marks.Plane(
            marks,
            _marks.Axis(title=room.title(second), range=(low, high), most=most),
            _marks.Axis(title=room.side_title(first, 0.8 * min(3.0, room.width)), range=(low, high), most=most),
        )
        return _marks.Scene([plane], min(3.0, room.width) if room.on_paper else 290, brush="box")


@dataclass(frozen=True)
class LeverageCurve(_marks.Picture):
    """A difference without the units that contribute most, or random units."""

    how_to_read = "leverage"

    metric: str
    unit: str
    level: float
    share: tuple[float, ...]
    difference: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    random: tuple[float, ...]
    random_low: tuple[float, ...]
    random_high: tuple[float, ...]
    until: tuple[int, float] | None
    says: str
    decimals: int = 2

    @classmethod
    def of(cls, leverage: Leverage) -> "LeverageCurve":
        """Return the picture of a leverage analysis."""
        held = leverage.holds_until
        return cls(
            leverage.metric.name,
            leverage.unit,
            leverage.level,
            tuple((100 * leverage.k / leverage.n).tolist()),
            tuple(leverage.difference.tolist()),
            tuple(leverage.ci_low.tolist()),
            tuple(leverage.ci_high.tolist()),
            tuple(leverage.random.tolist()),
            tuple(leverage.random_low.tolist()),
            tuple(leverage.random_high.tolist()),
            None if held is None else (held.units, 100 * held.share),
            f"{leverage.sentence} {leverage.caution}",
            leverage.metric.decimals,
        )

    @property
    def caption(self) -> str:
        """The caption of the figure."""
        return (
            f"Difference in {self.metric}, with its {corrected_level_text(self.level)} CI, after removing the "
            f"{self.unit}s that contribute most. Dashed grey: after removing the same number at random; the band is "
            f"the middle 90% of these random choices. {self.says}"
        )

    def _labels(self, lines: float) -> list[tuple[str, str, float, float]]:
        """Return what stands at the ends of the lines: text, colour, the line's height, and the text's.

        lines: for how many texts above each other there is room.
        """
        ends = [
            ("largest\ncontributions", self._colour, self.difference[-1]),
            (f"random\n{self.unit}s", GREY, self.random[-1]),
            ("no\ndifference", INK, 0.0),
        ]
        drawn = [value for row in (self.low, self.high, self.random_low, self.random_high) for value in row]
        drawn = [value for value in (*drawn, 0.0) if np.isfinite(value)]
        places = spread([y for *_, y in ends], (max(drawn) - min(drawn)) / lines)
        return [(*end, place) for end, place in zip(ends, places, strict=True)]

    @property
    def _colour(self) -> str:
        return _FOR_SECOND if self.difference[0] < 0 else _FOR_FIRST

    def scene(self, room: _marks.Room) -> _marks.Scene:
        """Return both curves with their bands, labelled at the line ends."""
        places, last, most = f".{self.decimals}f", self.share[-1], None if room.on_paper else 5
        ends = [list(pair) for pair in zip(self.low, self.high, strict=True)]
        said = f"%{{y:{places}}} (%{{customdata[0]:{places}}} to %{{customdata[1]:{places}}})"
        texts, colours, y, place = zip(*self._labels(_ROOM), strict=True)
        marks: list[_marks.Mark] = [
            _marks.Band(x=self.share, low=self.random_low, high=self.random_high, colour=GREY),
            _marks.Band(x=self.share, low=self.low, high=self.high, colour=self._colour),
            _marks.Line(
                x=self.share, y=self.random, dash="dash", colour=GREY, name="random ones", hover=f"%{{y:{places}}}"
            ),
            _marks.Line(
                x=self.share,
                y=self.difference,
                colour=self._colour,
                name="largest contributions",
                keys=ends,
                hover=said,
            ),
            _marks.Rule(at=0, until=last),
            _marks.Labels(x=last, y=y, place=place, texts=texts, colours=colours),
        ]
        if self.until is not None:
            units, at = self.until
            marks.append(_marks.Rule(at=at, upright=True, width=1, dash="solid", text=f"{units:,}"))
        high = min(2.4, 0.62 * room.width) if room.on_paper else 250
        x = _marks.Axis(title=f"% of {self.unit}s left out", range=(0, max(1.04 * last, 1e-9)), most=most)
        y_axis = _marks.Axis(title=room.side_title(f"difference in {self.metric}", 0.8 * high), most=most)
        return _marks.Scene([_marks.Plane(marks, x, y_axis)], high, margins=(10, 78, 30), together=True)
