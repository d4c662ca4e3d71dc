"""Family: m comparisons judged together; the result of `compare` and `adjust`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mtsig.corpus import Note
from mtsig.errors import NotApplicable
from mtsig.metrics import Statistics
from mtsig.notebook import Shown
from mtsig.resampling import Bootstrap, resample

if TYPE_CHECKING:
    from mtsig.inference.tests import SignificanceTest

Floats = NDArray[np.float64]


FEWEST_DIFFERING = 10
"""On fewer units that differ no spread can be known: only tests that enumerate or exchange say anything there."""


def too_few_differ(differing: int, units: int) -> bool:
    """Return whether so few units differ, and less than half, that their spread says nothing.

    Where none differs there is no spread at all, which is said elsewhere.
    """
    return 0 < differing < min(FEWEST_DIFFERING, units / 2)


@dataclass(frozen=True)
class Comparison(Shown):
    """One comparison of a family, as plain numbers; see `Family` for their meaning."""

    metric: str
    first: str
    second: str
    difference: float
    low: float
    high: float
    interval: str
    error: float
    df: float
    p_value: float
    p_low: float
    p_high: float
    p_adjusted: float
    adjusted_low: float
    adjusted_high: float
    p_jackknife: float | None
    exact: bool
    units: int
    segments: int
    differing: int
    wins: float
    ties: float
    level: float
    test: str
    correction: str
    of: int
    unit: str
    alternative: str = "two-sided"
    estimand: str = ""
    by_segment: "Comparison | None" = None
    judges: bool = True
    keeps_level: bool = True
    decimals: int = 2
    doubt: str = ""

    @property
    def alpha(self) -> float:
        """The error rate that belongs to the level."""
        return 1 - self.level

    @property
    def has_p(self) -> bool:
        """Whether the method gives a p-value at all."""
        return not np.isnan(self.p_adjusted)

    @property
    def settled(self) -> bool:
        """Whether the corrected p-value lies on one side of alpha, whatever further draws would bring."""
        return not self.adjusted_low <= self.alpha < self.adjusted_high

    @property
    def significant(self) -> bool | None:
        """Whether the corrected p-value is at most alpha; None without a p-value, and while drawing leaves it open."""
        return self.p_adjusted <= self.alpha + 1e-12 if self.has_p and self.settled else None


def comparison_row(one: Comparison, signature: str) -> dict[str, Any]:
    """Return a comparison as one record."""
    return {
        "metric": one.metric,
        "signature": signature,
        "first": one.first,
        "second": one.second,
        "difference": one.difference,
        "low": one.low,
        "high": one.high,
        "interval": one.interval,
        "error": one.error,
        "df": one.df,
        "p_value": one.p_value,
        "p_low": one.p_low,
        "p_high": one.p_high,
        "p_adjusted": one.p_adjusted,
        "adjusted_low": one.adjusted_low,
        "adjusted_high": one.adjusted_high,
        "p_jackknife": one.p_jackknife,
        "doubt": one.doubt,
        "alternative": one.alternative,
        "estimand": one.estimand,
        "exact": one.exact,
        "units": one.units,
        "segments": one.segments,
        "differing": one.differing,
        "win_rate": one.wins,
        "tie_rate": one.ties,
        "significant": one.significant,
        **_beside(one.by_segment),
    }


class Compared(Protocol):
    """Comparisons judged together, as sentences, tables and figures read them: a Family, or one kept in a study.

    `order`: the systems that take part, best score first. For the rest see `Family`.
    """

    @property
    def test(self) -> "SignificanceTest":
        """The test."""

    @property
    def metric(self) -> str:
        """The metric's name."""

    @property
    def signature(self) -> str:
        """The metric's signature."""

    @property
    def level(self) -> float:
        """Coverage of the intervals."""

    @property
    def alpha(self) -> float:
        """The error rate of the test."""

    @property
    def complete(self) -> bool:
        """Whether all arrangements were enumerated."""

    @property
    def plan(self) -> Bootstrap:
        """Draws, seed and unit."""

    @property
    def correction(self) -> str:
        """The name of the correction."""

    @property
    def judged(self) -> int:
        """How many comparisons were judged together."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """What to know about these comparisons."""

    @property
    def unit(self) -> str:
        """What was drawn as a whole."""

    @property
    def units(self) -> NDArray[np.int64]:
        """How many units each comparison stands on; shape (m,)."""

    @property
    def order(self) -> tuple[str, ...]:
        """The systems that take part, best score first."""

    @property
    def by_segment(self) -> "Compared | None":
        """The same with segments as units, beside one whose units are documents."""

    def __len__(self) -> int:
        """Return the number of comparisons."""

    def __iter__(self) -> Iterator[Comparison]:
        """Go through the comparisons."""

    def __getitem__(self, i: int) -> Comparison:
        """Return comparison number `i`."""

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per comparison."""


@dataclass(frozen=True, eq=False)
class Family(Shown):
    """m comparisons of pairs of systems under one metric; arrays have shape (m,).

    difference: positive when the first system is better, also for metrics where lower is better.
    error: the jackknife's standard error of the difference, NaN where the score has no derivative; df: its degrees of
    freedom, units − 1 for units of equal size.
    low, high: confidence interval of the difference at `level`, uncorrected; interval: the method of each.
    p_value: two-sided; NaN for a method that has none. p_low, p_high: what the p-value could be if drawing never ended.
    p_adjusted with adjusted_low, adjusted_high: the same after `correction` over all m comparisons.
    p_jackknife: beside a test that exchanges documents, p of the jackknife t test, corrected by Holm: it must agree
    before a system is called better; NaN beside other tests.
    doubt: why no verdict can be given whatever the p-value; "" where one can.
    without: the same comparisons without a reference that a system is kin to, by its name (see `mtsig.kinship`).
    exact: whether the p-value was found by enumeration. units, segments: how many units, and segments, both systems
    have and are compared on. differing: units among these on which they differ.
    wins, ties: shares of bootstrap resamples where the first system is better, or equal: a description, no p-value.
    judged: how many comparisons were judged together; more than m when several metrics are joined.
    by_segment: the same family with segments as units, beside one whose units are documents.
    farthest: shape (b,), how many standard errors the farthest of the comparisons moved in each redraw: what
    simultaneous intervals are made of; None for others.
    null: shape (m, b), differences under the null from shared draws; complete: whether these are all there are.
    """

    test: "SignificanceTest"
    metric: str
    signature: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    difference: Floats
    low: Floats
    high: Floats
    interval: tuple[str, ...]
    error: Floats
    df: Floats
    level: float
    p_value: Floats
    p_low: Floats
    p_high: Floats
    p_adjusted: Floats
    adjusted_low: Floats
    adjusted_high: Floats
    exact: NDArray[np.bool_]
    units: NDArray[np.int64]
    segments: NDArray[np.int64]
    differing: NDArray[np.int64]
    wins: Floats
    ties: Floats
    null: Floats | None
    complete: bool
    statistics: Statistics
    plan: Bootstrap
    correction: str = "none"
    judged: int = 0
    by_segment: "Family | None" = None
    p_jackknife: Floats = field(default_factory=lambda: np.empty(0))
    doubt: tuple[str, ...] = ()
    without: "Mapping[str, Family]" = field(default_factory=dict)
    farthest: Floats | None = None
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        """Return what was compared, in one line."""
        found = f"{len(self)} comparison{'' if len(self) == 1 else 's'} by {self.test.name}"
        return f"<Family in {self.metric}: {found}, correction {self.correction}>"

    def __len__(self) -> int:
        """Return the number of comparisons."""
        return len(self.first)

    def __iter__(self) -> Iterator[Comparison]:
        """Go through the comparisons."""
        return (self[i] for i in range(len(self)))

    def __getitem__(self, i: int) -> Comparison:
        """Return comparison number `i`."""
        return Comparison(
            metric=self.metric,
            first=self.first[i],
            second=self.second[i],
            difference=float(self.difference[i]),
            low=float(self.low[i]),
            high=float(self.high[i]),
            interval=self.interval[i],
            error=float(self.error[i]),
            df=float(self.df[i]),
            p_value=float(self.p_value[i]),
            p_low=float(self.p_low[i]),
            p_high=float(self.p_high[i]),
            p_adjusted=float(self.p_adjusted[i]),
            adjusted_low=float(self.adjusted_low[i]),
            adjusted_high=float(self.adjusted_high[i]),
            p_jackknife=None if np.isnan(self.p_jackknife[i]) else float(self.p_jackknife[i]),
            exact=bool(self.exact[i]),
            units=int(self.units[i]),
            segments=int(self.segments[i]),
            differing=int(self.differing[i]),
            wins=float(self.wins[i]),
            ties=float(self.ties[i]),
            level=self.level,
            test=self.test.name,
            correction=self.correction,
            of=self.judged or len(self),
            unit=self.statistics.unit,
            alternative=self.test.alternative,
            estimand=self.test.estimand,
            by_segment=None if self.by_segment is None else self.by_segment[i],
            judges=self.statistics.metric.judges,
            keeps_level=self.test.keeps_level,
            decimals=self.statistics.metric.decimals,
            doubt=self.doubt[i],
        )

    @property
    def alpha(self) -> float:
        """The error rate that belongs to the level."""
        return 1 - self.level

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that take part, in the order of the corpus."""
        taking_part = {*self.first, *self.second}
        return tuple(name for name in self.statistics.systems if name in taking_part)

    @property
    def unit(self) -> str:
        """What was drawn as a whole: segment or document."""
        return self.statistics.unit

    @property
    def order(self) -> tuple[str, ...]:
        """The systems that take part, best score first; equal scores keep the order of the corpus."""
        best_first = -1 if self.statistics.metric.higher_is_better else 1
        scores = self.statistics.scores
        return tuple(sorted(self.systems, key=lambda name: best_first * scores[self.statistics.row(name)]))

    def find(self, first: str, second: str) -> int | None:
        """Return the number of the comparison of these two, in either order; None when there is none."""
        for i, pair in enumerate(zip(self.first, self.second, strict=True)):
            if pair in ((first, second), (second, first)):
                return i
        return None

    def turned(self, i: int) -> "Family":
        """Return the family with comparison `i` seen from the other side: signs change, p-values do not.

        Raises:
            NotApplicable: the test is one-sided: its direction was declared, and there is no other side.
        """
        if self.test.alternative != "two-sided":
            raise NotApplicable(
                f"The test of {self.first[i]} against {self.second[i]} is one-sided: its direction was declared "
                "beforehand and cannot be turned."
            )
        sign = np.where(np.arange(len(self)) == i, -1.0, 1.0)
        turn = sign < 0
        first = tuple(self.second[j] if j == i else name for j, name in enumerate(self.first))
        second = tuple(self.first[j] if j == i else name for j, name in enumerate(self.second))
        return replace(
            self,
            first=first,
            second=second,
            difference=sign * self.difference,
            low=np.where(turn, -self.high, self.low),
            high=np.where(turn, -self.low, self.high),
            wins=np.where(turn, 1 - self.wins - self.ties, self.wins),
            null=None if self.null is None else sign[:, None] * self.null,
            by_segment=None if self.by_segment is None else self.by_segment.turned(i),
        )

    def resampled(self, i: int) -> Floats:
        """Return the bootstrap differences of comparison `i`, from the family's own draws; shape (b,)."""
        pair = self.statistics.shared_by([self.first[i], self.second[i]])
        one, zero = np.array([0]), np.array([1])
        return np.asarray(resample(pair, self.plan).differences(one, zero)[0])

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per comparison."""
        return [comparison_row(one, self.signature) for one in self]

    def to_frame(self) -> pd.DataFrame:
        """Return the records as a table."""
        return pd.DataFrame(self.rows())


def _beside(one: Comparison | None) -> dict[str, Any]:
    """Return the columns of the segment-level result; None in all of them when it is not beside the main one."""
    names = ("low", "high", "p_value", "p_adjusted", "significant")
    return {f"{name}_by_segment": None if one is None else getattr(one, name) for name in names}
