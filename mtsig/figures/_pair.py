"""One pair of systems: what figures say of its comparison, and its draws, counted."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from mtsig._probability import level_text
from mtsig._records import Floats
from mtsig._say import minus_text
from mtsig.corpus._notes import is_human, listed
from mtsig.figures._look import Verdict, shorts
from mtsig.figures._marks import Picture
from mtsig.inference import Comparison, verdict

LEGEND: dict[Verdict, str] = {
    "better": "better",
    "worse": "worse",
    "not_significant": "≈ not significant (not: equal)",
    "withheld": "? withheld",
}
"""What legends call the verdicts, in their order."""


def word_of(comparison: Comparison, system: str) -> Verdict:
    decided = verdict(comparison)
    if decided.word == "better":
        return "better" if decided.winner == system else "worse"
    return decided.word


_MOST_LISTED = 5
"""Systems that a caption lists; of more it says how many."""


def without_text(begun: str, systems: Sequence[str]) -> str:
    """Return the sentence of a caption on systems that a panel leaves empty; nothing where there are none."""
    if not systems:
        return ""
    return f"{begun} {listed(shorts(systems)) if len(systems) <= _MOST_LISTED else f'{len(systems)} systems'}."


def people_text(names: Sequence[str]) -> str:
    """Say in a caption which of the systems are human translations; "" where none are, or all."""
    people = [name for name in names if is_human(name)]
    if not 0 < len(people) < len(names):
        return ""
    return f" Human translation{'s' if len(people) > 1 else ''}: {listed(people)}."


def ends_of(comparison: Comparison, system: str) -> tuple[float, float, float]:
    """Return the difference, positive where the system is better than the other, and the ends of its interval."""
    if system == comparison.first:
        return comparison.difference, comparison.ci_low, comparison.ci_high
    return -comparison.difference, -comparison.ci_high, -comparison.ci_low


def adjusted_ends_of(comparison: Comparison, system: str) -> tuple[float, float]:
    """Return the ends of the interval that agrees with the verdict, seen as `ends_of`; NaN where there is none.

    A one-sided bound ends at the difference on its other side.
    """
    seen = comparison if system == comparison.first else comparison.turned
    low, high = seen.adjusted_ci_low, seen.adjusted_ci_high
    if math.isnan(low) and math.isnan(high):
        return low, high
    return (seen.difference if math.isnan(low) else low), (seen.difference if math.isnan(high) else high)


_STEPS = (1.0, 2.0, 2.5, 5.0)
_WIDE, _NARROW = 45, 21
"""Bins aimed at: from 35 to 60, and from 18 to 25, as far as round widths have it."""

HUNDRED = 100


def share_text(count: int, total: int) -> str:
    """Return a share as pictures say it: "6.3%", but counts where a percentage would round to all or to none."""
    if count in (0, total):
        return f"{'All' if count else 'None of'} {total:,}"
    percent = f"{count / total:.1%}"
    return f"{count:,} of {total:,}" if count < 0.001 * total or percent == "100.0%" else percent


def round_steps(span: float, wanted: int) -> list[float]:
    """Return the round steps that cut a span into about so many parts, the shortest first."""
    power = math.floor(math.log10(span / wanted))
    return [step * 10.0**exponent for exponent in (power - 1, power, power + 1) for step in _STEPS]


def bin_width(span: float, wanted: int) -> float:
    """Return the round width that cuts a span into the number of bins nearest to the one wanted."""
    return min(round_steps(span, wanted), key=lambda width: abs(math.log(span / width / wanted)))


@dataclass(frozen=True, eq=False)
class Draws(Picture):
    """The resamples of a difference, or what exchanging labels leaves of it, and how they are counted.

    draws: differences, positive where the first is better; none where the interval alone is known. margin: differences
    smaller than it do not matter. exchanged: whether labels were exchanged. dots: whether a hundred dots stand for the
    resamples. at_work: whether others are being drawn, and these are an outline.
    """

    comparison: Comparison
    draws: Floats
    higher_is_better: bool = True
    margin: float | None = None
    exchanged: bool = False
    dots: bool = False
    at_work: bool = False

    @classmethod
    def of_resampled(
        cls,
        draws: Floats,
        comparison: Comparison,
        higher_is_better: bool = True,
        margin: float | None = None,
        dots: bool = False,
    ) -> Self:
        """Return the bootstrap differences, or a hundred of them, with the estimate and its interval.

        higher_is_better: the direction of the comparison's metric.
        """
        drawn = np.asarray(draws, dtype=float)
        return cls(comparison, drawn[np.isfinite(drawn)], higher_is_better, margin and abs(margin), dots=dots)

    @classmethod
    def of_shuffled(cls, null: Floats, comparison: Comparison, higher_is_better: bool = True) -> Self:
        """Return the differences under the null, those at least as far from zero as the observed one marked.

        higher_is_better: the direction of the comparison's metric.
        """
        return cls(comparison, np.asarray(null, dtype=float), higher_is_better, exchanged=True)

    @property
    def how_to_read(self) -> str:
        """The name of the text that says how to read it."""
        return "swapped-names" if self.exchanged else "resampled-differences"

    @property
    def narrows(self) -> bool:
        """Whether it is another figure where a screen is narrow."""
        return True

    @property
    def names(self) -> tuple[str, str]:
        """What the two systems are called."""
        first, second = shorts([self.comparison.first, self.comparison.second])
        return first, second

    @property
    def favouring(self) -> tuple[int, int, int]:
        """How many draws favour the first, how many the second, and how many are ties."""
        first, second = int((self.draws > 0).sum()), int((self.draws < 0).sum())
        return first, second, len(self.draws) - first - second

    @cached_property
    def far(self) -> Floats:
        """The draws at least as far from zero as the observed difference."""
        observed = abs(self.comparison.difference)
        return self.draws[np.abs(self.draws) >= observed - 1e-9 * max(1.0, observed)]

    @property
    def within_margin(self) -> str:
        """What share of the draws is within the margin; nothing without one."""
        if self.margin is None or not len(self.draws):
            return ""
        share = share_text(int((np.abs(self.draws) <= self.margin).sum()), len(self.draws))
        return f"within ±{self.margin:g}, the margin: {share[0].lower()}{share[1:]}"

    @property
    def axis(self) -> str:
        """What the axis shows."""
        return f"Difference in {self.comparison.metric}, {minus_text(*self.names, self.higher_is_better)}"

    @property
    def caption(self) -> str:
        """The caption of the figure."""
        first, second = self.names
        total, metric = len(self.draws), self.comparison.metric
        if self.exchanged:
            return (
                f"Differences in {metric} between {first} and {second} after {total:,} random swaps of their "
                f"names. Coloured: the {len(self.far):,} at least as far from 0 as the observed difference."
            )
        adjusted = " (thick line, this pair alone) and its adjusted CI (thin line)" if self.thin else ""
        level = level_text(self.comparison.level)
        interval = f"{level} CI of the difference in {metric} between {first} and {second}{adjusted}."
        within = f" Grey: {self.within_margin}." if self.within_margin else ""
        if not total:
            return interval
        for_first, for_second, tied = (
            share_text(count, total).replace("All", "all").replace("None", "none") for count in self.favouring
        )
        ties = f" Ties: {tied}." if self.favouring[2] else ""
        return (
            f"{total:,} resampled test sets. Right of 0, blue: {first} is {self.word} ({for_first}); left of 0, ochre: "
            f"{second} is {self.word} ({for_second}).{ties} These shares describe the data and are not p-values. "
            f"Below the bars: {interval}{within}"
        )

    @property
    def rows(self) -> list[tuple[float, float, int]]:
        """The bars as a table: where each begins and ends, and how many draws it has."""
        width = self.width()
        return [(number * width, (number + 1) * width, count) for number, count in self.bins().items()]

    @property
    def word(self) -> str:
        """What is said of the system with the higher score; a metric that describes makes none better."""
        return "ahead" if self.comparison.is_quality_metric else "higher"

    @property
    def thin(self) -> tuple[float, float] | None:
        """The ends of the interval by which 0 is judged, where it is another one than that of the pair alone."""
        ends = adjusted_ends_of(self.comparison, self.comparison.first)
        apart = self.comparison.corrected and self.comparison.family_size > 1
        return ends if apart and not math.isnan(ends[0]) else None

    def width(self, narrow: bool = False) -> float:
        """Return how wide a bin is; a narrow figure has fewer."""
        span = float(np.ptp(self.draws)) if len(self.draws) else 0.0
        return bin_width(span if span > 1e-9 else abs(self.comparison.difference) or 1.0, _NARROW if narrow else _WIDE)

    def bins(self, narrow: bool = False) -> dict[int, int]:
        """Return how many draws each bin has, by its number: bin 0 begins at 0 and none crosses it; ties have none."""
        return self.counted(self.draws if self.exchanged else self.draws[self.draws != 0], narrow)

    def counted(self, draws: Floats, narrow: bool) -> dict[int, int]:
        """Return how many of these draws each bin has."""
        numbers, counts = np.unique(np.floor(draws / self.width(narrow)).astype(int), return_counts=True)
        return dict(zip(numbers.tolist(), counts.tolist(), strict=True))

    def most(self, narrow: bool) -> int:
        """Return how many draws the highest bar has."""
        return max([*self.bins(narrow).values(), 0 if self.exchanged else self.favouring[2], 1])

    def tallest(self, narrow: bool, low: float, high: float) -> float:
        """Return how high the highest bar is between two places, where the highest of all has 1."""
        width, most = self.width(narrow), self.most(narrow)
        here = (n for number, n in self.bins(narrow).items() if number * width <= high and (number + 1) * width > low)
        return max(here, default=0) / most

    @cached_property
    def hundred(self) -> Floats:
        """A hundred of the draws, one for each percent of them."""
        return np.quantile(self.draws, (np.arange(HUNDRED) + 0.5) / HUNDRED, method="inverted_cdf")
