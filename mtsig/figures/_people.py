"""People and metrics: what a difference means, whose verdicts separate a pair, how far raters agree, ranks by rules."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from mtsig._probability import level_text, points_text, t_quantile
from mtsig._writing import short, short_names, shorts
from mtsig.campaign._quality import Gaps, PlaceEffect
from mtsig.campaign._rules import RULES, Beside
from mtsig.corpus._notes import number_of
from mtsig.errors import NotApplicable
from mtsig.figures._dots import Dots, Panel
from mtsig.figures._look import BLUES, GREY, OCHRES, PALETTE, VERMILLION
from mtsig.figures._marks import Axis, Band, Line, Mark, Picture, Plane, Points, Room, Rule, Scene
from mtsig.meta_eval import STATISTICS, MetaEval
from mtsig.meta_eval._delta_accuracy import Curve, VerdictTable
from mtsig.meta_eval._leniency import Leniency
from mtsig.meta_eval._metric_agreement import Guarded
from mtsig.meta_eval._rater_agreement import Agreement

_LINE = PALETTE[4]
_RIGHT, _WRONG, _SMOOTH = "concordant pairs", "discordant pairs", "smooth curve"

_SMOOTH_POINTS = 60


@dataclass(frozen=True)
class MeaningCurve(Picture):
    """The curve of delta accuracy, with its confidence band and its pairs.

    differences, right, share, low, high: the values of the pairs by ascending difference; low and high are NaN without
    a band. slope: the slope of the smooth curve; infinite if there is no smooth curve.
    """

    how_to_read = "meaning"

    metric: str
    differences: tuple[float, ...]
    right: tuple[float, ...]
    share: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    slope: float
    level: float
    asked: float | None = None

    @classmethod
    def of(cls, curve: Curve, asked: float | None = None) -> "MeaningCurve":
        """Return the picture of a curve; asked: the difference to mark."""
        return cls(
            short(curve.metric),
            tuple(curve.differences.tolist()),
            tuple(curve.right.tolist()),
            tuple(curve.share.tolist()),
            tuple(curve.ci_low.tolist()),
            tuple(curve.ci_high.tolist()),
            curve.slope,
            curve.level,
            asked,
        )

    @property
    def caption(self) -> str:
        """The caption of the figure."""
        band = f" Shaded: {level_text(self.level)} band over resampled systems and segments." if self.banded else ""
        smooth = " Dashed: a logistic curve that starts at one half." if math.isfinite(self.slope) else ""
        return (
            f"Share of pairs of systems that the human ratings and {self.metric} order the same way, by the difference "
            f"in {self.metric}. Marks: the {len(self.differences)} pairs, concordant ones at the top.{band}{smooth}"
        )

    @property
    def banded(self) -> bool:
        """Whether the curve has a band."""
        return not all(map(math.isnan, self.low))

    @property
    def end(self) -> float:
        """The right end of the horizontal axis."""
        return 1.05 * max(self.differences[-1], self.asked or 0.0)

    @property
    def steps(self) -> tuple[list[float], list[float]]:
        """The curve from 0 on; one half below the smallest difference."""
        return [0.0, *self.differences, self.end], [0.5, *self.share, self.share[-1]]

    @property
    def band(self) -> tuple[list[float], list[float], list[float]]:
        """The band from the smallest difference to the end of the axis."""
        return [*self.differences, self.end], [*self.low, self.low[-1]], [*self.high, self.high[-1]]

    @property
    def smooth(self) -> tuple[list[float], list[float]]:
        """The points of the smooth curve."""
        x = np.linspace(0, self.end, _SMOOTH_POINTS)
        return x.tolist(), (1 / (1 + np.exp(-self.slope * x))).tolist()

    def pairs(self, right: bool) -> list[float]:
        """Return the differences of concordant pairs, or of the other pairs."""
        return [x for x, agrees in zip(self.differences, self.right, strict=True) if (agrees == 1) == right]

    def scene(self, room: Room) -> Scene:
        """Return the curve, its band and its smooth form, and a mark for every pair."""
        marks: list[Mark] = []
        if self.banded:
            x, low, high = self.band
            marks.append(Band(x=x, low=low, high=high, colour=_LINE, step=True))
        if math.isfinite(self.slope):
            x, y = self.smooth
            marks.append(Line(x=x, y=y, dash="dash", colour=GREY, name=_SMOOTH, hover=""))
        x, y = self.steps
        hover = "from %{x:.4g} on: %{y:.0%}<extra></extra>"
        marks.append(Line(x=x, y=y, width=3, step=True, colour=_LINE, name="human ratings agree", hover=hover))
        for right, at, name, symbol, colour in (
            (True, 1.04, _RIGHT, "triangle-up", BLUES[0]),
            (False, -0.04, _WRONG, "triangle-down", OCHRES[0]),
        ):
            apart, said = self.pairs(right), "%{x:.4g}<extra></extra>"
            level = [at] * len(apart)
            marks.append(Points(x=apart, y=level, symbol=symbol, size=6, colour=colour, name=name, hover=said))
        if self.asked is not None:
            marks.append(Rule(at=self.asked, upright=True, width=2, dash="dot"))
        x_axis = Axis(title=room.title(f"difference in {self.metric}"), range=(0, self.end))
        plane = Plane(marks, x_axis, Axis(title="human ratings agree", range=(-0.08, 1.08), percent=True))
        if room.on_paper:
            return Scene([plane], 0.7 * min(room.width, 3.5) + 0.14 * x_axis.title.count("\n"))
        return Scene([plane], 380, "below")


# What is said of a pair: its words, colour and mark.
_LOOK: dict[str, tuple[str, str, str]] = {
    "contradiction": ("contradiction", VERMILLION, "x"),
    "same": ("same direction", BLUES[1], "circle"),
    "human_only": ("human ratings only", OCHRES[0], "triangle-up"),
    "metric_only": ("metric only", BLUES[0], "triangle-right"),
    "neither": ("neither", GREY, "circle-open"),
    "withheld": ("withheld", GREY, "cross-thin-open"),
}


@dataclass(frozen=True)
class PairMark:
    """One pair, turned so that the metric's difference is not negative.

    The intervals' ends are NaN where there are none.
    """

    first: str
    second: str
    said: str
    metric: tuple[float, float, float]
    human: tuple[float, float, float]


@dataclass(frozen=True)
class VerdictMarks(Picture):
    """All pairs by their difference in the metric and in the human ratings.

    decimals: the number of decimals of the metric's differences and of the ratings' differences.
    """

    how_to_read = "verdicts"

    human: str
    metric: str
    pairs: tuple[PairMark, ...]
    decimals: tuple[int, int]

    @classmethod
    def of(cls, verdict_table: VerdictTable) -> "VerdictMarks":
        """Return the picture of a table of verdicts."""
        marks = []
        called = short_names([name for pair in verdict_table.pairs for name in (pair.first, pair.second)])
        for pair in verdict_table.pairs:
            first, second = called[pair.first], called[pair.second]
            metric = pair.metric_difference, pair.metric_low, pair.metric_high
            human = pair.human_difference, pair.human_low, pair.human_high
            if metric[0] < 0:
                marks.append(PairMark(second, first, pair.said, _turned(*metric), _turned(*human)))
            else:
                marks.append(PairMark(first, second, pair.said, metric, human))
        decimals = verdict_table.metric_decimals, verdict_table.human_decimals
        return cls(short(verdict_table.human), short(verdict_table.metric), tuple(marks), decimals)

    @property
    def caption(self) -> str:
        """The caption of the figure."""
        return (
            f"Each mark is a pair of systems, placed by its difference in {self.metric} and in {self.human}. The first "
            f"system of a pair is the one with the better {self.metric}. Below the dashed line, raters prefer the "
            "second. Lines: confidence intervals of the human differences, adjusted as their verdicts are. The mark "
            f"shows whether {self.metric}, the human ratings, both or neither have a significant difference after "
            "correction."
        )

    @property
    def kinds(self) -> list[str]:
        """The ways in which the verdicts on pairs agree or differ, contradictions first."""
        return [said for said in _LOOK if any(pair.said == said for pair in self.pairs)]

    def of_kind(self, said: str) -> list[PairMark]:
        """Return the pairs whose verdicts agree or differ in this way."""
        return [pair for pair in self.pairs if pair.said == said]

    def scene(self, room: Room) -> Scene:
        """Return a mark for every pair, with the interval of its rating difference."""
        marks: list[Mark] = [Rule(at=0)]
        for said in self.kinds:
            (words, colour, symbol), pairs = _LOOK[said], self.of_kind(said)
            middle, low, high = zip(*(_ends(pair_mark.human) for pair_mark in pairs), strict=True)
            marks.append(Points(
                x=[pair_mark.metric[0] for pair_mark in pairs], y=middle, low=low, high=high, upright=True, thickness=1,
                symbol=symbol, size=10, colour=colour, name=f"{words} ({len(pairs)})",
                hover=list(map(self._said, pairs)),
            ))  # fmt: skip
        x = Axis(title=room.title(f"difference in {self.metric}"), from_zero=True, grid=True)
        y = Axis(title=room.side_title(f"difference in {self.human}", 2.0), grid=True)
        height = 0.75 * min(room.width, 3.5) + 0.16 * len(self.kinds) if room.on_paper else 420
        return Scene([Plane(marks, x, y)], height, "below" if room.on_paper else "above")

    def _said(self, pair_mark: PairMark) -> str:
        """Return in lines what is known of a pair."""
        differences = pair_mark.metric[0], pair_mark.human[0]
        metric, human = map(partial(points_text, signed=True), differences, self.decimals)
        pair = f"{pair_mark.first} minus {pair_mark.second}"
        return "\n".join((pair, f"{self.metric} {metric}", f"{self.human} {human}", _LOOK[pair_mark.said][0]))


def _turned(difference: float, low: float, high: float) -> tuple[float, float, float]:
    return -difference, -high, -low


def _ends(ends: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return an estimate with its interval; it ends at the estimate where it has no end."""
    middle, *outer = ends
    low, high = (middle if math.isnan(end) else end for end in outer)
    return middle, low, high


@dataclass(frozen=True)
class TrustDots(Dots):
    """The agreement of every metric with human ratings, the largest value on top."""

    how_to_read = "trust"

    @classmethod
    def of(cls, trust: MetaEval, statistics: Sequence[str], guarded: Sequence[Guarded] = ()) -> "TrustDots":
        """Return the picture of the statistics that have a value, with rows in the order of the first of them.

        guarded: the metrics and their sentinels; hollow marks below show the sentinels of every metric.

        Raises
        ------
        NotApplicable
            No metric has a value.
        """
        by_statistic = {name: {row.metric: row for row in trust if row.statistic == name} for name in statistics}
        defined = {
            name: rows for name, rows in by_statistic.items() if not all(math.isnan(row.value) for row in rows.values())
        }
        if not defined:
            raise NotApplicable(f"The {STATISTICS[statistics[0]].label} of every metric is undefined.")
        first = next(iter(defined.values()))
        values = {name: row.value for name, row in first.items() if not math.isnan(row.value)}
        order = sorted(values, key=lambda name: -values[name])
        level = level_text(next(iter(trust)).level)
        held = [(row.sentinel, row.metric) for row in guarded]
        below = [name for name in dict(held) if all((name, metric) in held for metric in order)]
        cuts = (len(order) - 1,) if below else ()
        panels = []
        for statistic, rows in defined.items():
            known = [rows.get(name) for name in order]
            ends = [(math.nan,) * 3 if row is None else (row.value, row.ci_low, row.ci_high) for row in known]
            values_of = {row.sentinel: row.sentinel_value for row in guarded if row.statistic == statistic}
            ends += [(values_of.get(name, math.nan), math.nan, math.nan) for name in below]
            panel = Panel.of(STATISTICS[statistic].label, ends, 3)
            panels.append(replace(panel, cuts=cuts, unranked=tuple(range(len(order), len(ends)))))
        systems = len(trust.rated.systems)
        said = (
            f"Agreement with {trust.human} on {systems} systems and {trust.rated.n:,} segments. Intervals: {level}; "
            "they apply to systems and segments like these. Compare two metrics by a test, not by their intervals."
        )
        if below:
            said += " ○: what uses only length, chance or segment difficulty."
        return cls((*shorts(order), *below), tuple(panels), said)


@dataclass(frozen=True)
class AgreementDots(Dots):
    """The inter-rater agreement, with a row for every coefficient."""

    how_to_read = "agreement"

    @classmethod
    def of(cls, agreements: Sequence[Agreement]) -> "AgreementDots":
        """Return the picture.

        Raises
        ------
        NotApplicable
            No coefficient has a value.
        """
        known = [agreement for agreement in agreements if not math.isnan(agreement.value)]
        if not known:
            raise NotApplicable("All ratings are equal, so agreement is undefined.")
        first = known[0]
        ends = [(one.value, one.ci_low, one.ci_high) for one in known]
        panel = Panel.of(f"agreement with {level_text(first.level)} CI", ends, 3)
        said = (
            f"Agreement of {first.raters} raters on the {first.outputs:,} outputs that at least two of them rated. 1 "
            f"means full agreement. Intervals: resampled {first.unit}s."
        )
        return cls(tuple(estimate.label for estimate in known), (panel,), said)


@dataclass(frozen=True)
class LeniencyDots(Dots):
    """The leniency of every rater, the most lenient rater on top."""

    how_to_read = "leniency"

    @classmethod
    def of(cls, leniency: Leniency) -> "LeniencyDots":
        """Return the picture."""
        rows = sorted(leniency.levels, key=lambda level: -level.leniency)
        far = [(row.leniency, 2 * row.standard_error) for row in rows]
        panel = Panel.of("difference from the mean rater", [(at, at - reach, at + reach) for at, reach in far], 2)
        said = (
            "How much higher each rater's values are than the average rater's, adjusted for the systems that the rater "
            f"saw. Lines: two standard errors to either side, over resampled {leniency.unit}s."
        )
        return cls(shorts([row.rater for row in rows]), (panel,), said)


@dataclass(frozen=True)
class RankRanges(Dots):
    """Rank ranges by a rule of WMT or Pearmut, and by corrected comparisons."""

    how_to_read = "rules"

    @classmethod
    def of(cls, side: Beside) -> "RankRanges":
        """Return the picture, with systems in the order of the rule.

        Raises
        ------
        NotApplicable
            The comparisons have no ranks: there are only two systems, or the test does not give ranks.
        """
        if side.places is None:
            raise NotApplicable("Ranks need two-sided, corrected comparisons of all pairs of at least three systems.")
        official, rule = side.official, RULES[side.official.rule]
        order = [row.system for row in official.records]
        left = f", without {number_of(len(side.left_out), 'rater')}" if side.left_out else ""
        panels = []
        for who, found, pairs, ranked in (
            (f"rank by {rule.title}", side.counts[0], official.pairs, official.rows()),
            ("valid rank", side.counts[1], len(side.family), side.places.rows()),
        ):
            title = f"{who}: {found} of {number_of(pairs, 'pair')} differ{left}"
            of = {row["system"]: (place, row["rank_low"], row["rank_high"]) for place, row in enumerate(ranked, 1)}
            ends = [of.get(name, (math.nan,) * 3) for name in order]
            hover = [
                f"{name}\n{title}\nrank {low:g} to {high:g}" for name, (_, low, high) in zip(order, ends, strict=True)
            ]
            panels.append(replace(Panel.of(title, ends, 0, hover=hover), whole=True))
        cuts = tuple(place for place, row in enumerate(official.records[:-1]) if row.cut)
        said = (
            f"Ranks that each system may have in {official.rating}, by {rule.title} and by the corrected "
            f"comparisons{left}. Dots: order of the means. Dashed: where the rule begins a new cluster. {rule.title} "
            f"treats items as independent and does not correct for the number of comparisons: {rule.errs}."
        )
        return cls(shorts(order), (replace(panels[0], cuts=cuts), panels[1]), said)


@dataclass(frozen=True)
class Places(Dots):
    """How often the system shown first wins between equals, by all raters and by each."""

    @classmethod
    def of(cls, effects: Sequence[PlaceEffect], level: float = 0.95) -> "Places":
        """Return it of effects, the one of all raters first."""
        ends = []
        for effect in effects:
            half = float(t_quantile((1 + level) / 2, effect.df)) * effect.standard_error
            odds = (effect.advantage, effect.advantage - half, effect.advantage + half)
            ends.append([100 / (1 + math.exp(-value)) for value in odds])
        names = [effect.rater or "all raters" for effect in effects]
        said = (
            "How often the system shown first would win against an equally good system, without ties. Intervals: "
            f"{level_text(level)} CIs by the jackknife over documents. 50% means that the order has no effect."
        )
        return cls(shorts(names), (replace(Panel.of("first shown wins, %", ends, 0), none_at=50.0),), said)


@dataclass(frozen=True)
class GapBounds(Dots):
    """What unread verdicts could change: wins less losses as read, and at worst and best."""

    @classmethod
    def of(cls, gaps: Sequence[Gaps], most: int = 12) -> "GapBounds":
        """Return it of pairs, those first that have most gaps, at most so many."""
        shown = sorted(gaps, key=lambda gap: -gap.gaps)[:most]
        known = list(dict.fromkeys(name for gap in shown for name in (gap.first, gap.second)))
        cut = [name if len(name) < 16 else f"{name[:14]}…" for name in shorts(known)]  # two stand in a line
        short = dict(zip(known, cut if len({*cut}) == len(cut) else shorts(known), strict=True))
        names = [f"{short[gap.first]} – {short[gap.second]}{' *' if gap.turns else ''}" for gap in shown]
        ends = [[100 * value for value in (gap.net, gap.worst, gap.best)] for gap in shown]
        said = (
            "Dot: wins minus losses of the first system. Ends: the same if all missing answers were against the first "
            "system, or all in its favour. The ends are bounds, not confidence intervals."
        )
        said += " *: the missing answers could change the verdict." if any(gap.turns for gap in shown) else ""
        said += f" Shown: of {len(gaps)} pairs, the {most} with the most missing answers." if len(gaps) > most else ""
        return cls(tuple(names), (replace(Panel.of("net wins, %", ends, 0), none_at=0.0),), said)
