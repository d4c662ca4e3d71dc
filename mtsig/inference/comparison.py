"""Comparison: what is known of one pair of systems under one metric; the one place where its fields are written.

The class is the record: files, tables and DataFrames take their columns from it (see `mtsig.records`). What follows
from its numbers, the verdict above all, is in `ComparisonConclusions`.
"""

from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from mtsig.inference.methods import hold_together
from mtsig.inference.registered import corrects
from mtsig.records import Count, Decimals, Level, MetricRecord, Number, SystemName, about

FEWEST_DIFFERING = 10
"""On fewer units that differ no spread can be known: only tests that enumerate or exchange say anything there."""


def too_few_differ(differing: int, units: int) -> bool:
    """Return whether so few units differ, and less than half, that their spread says nothing.

    Where none differs there is no spread at all, which is said elsewhere.
    """
    return 0 < differing < min(FEWEST_DIFFERING, units / 2)


@dataclass(frozen=True)
class Comparison(MetricRecord):
    """One comparison of a family."""

    metric: Annotated[str, about("Name of the metric.")]
    signature: Annotated[str, about("Signature of the metric: its options and the program.")]
    first: Annotated[SystemName, about("The first system.")]
    second: Annotated[SystemName, about("The second system.")]
    difference: Annotated[
        Number,
        about(
            "First minus second, in the metric's points; positive when the first is better, also where lower is better."
        ),
    ]
    low: Annotated[
        Number, about("Lower end of the difference's confidence interval, uncorrected unless it is simultaneous.")
    ]
    high: Annotated[Number, about("Its upper end.")]
    interval: Annotated[str, about("Method of this interval: percentile where the one asked for has no value.")]
    standard_error: Annotated[
        Number, about("Standard error of the difference by the jackknife; null where the score has no derivative.")
    ]
    df: Annotated[Number, about("Its degrees of freedom: units − 1 for units of equal size.")]
    p_value: Annotated[Number, about("p of this comparison alone; null for a method that gives none.")]
    p_low: Annotated[Number, about("What p could be at least if drawing never ended (95%).")]
    p_high: Annotated[Number, about("What p could be at most if drawing never ended (95%).")]
    p_adjusted: Annotated[Number, about("p after correction; the verdict rests on it.")]
    adjusted_low: Annotated[Number, about("As p_low, for the corrected p.")]
    adjusted_high: Annotated[Number, about("As p_high, for the corrected p.")]
    exact: Annotated[bool, about("Whether p was found by enumeration.")]
    units: Annotated[Count, about("How many units both systems have, on which they are compared.")]
    segments: Annotated[Count, about("How many segments both systems have.")]
    n_differing: Annotated[Count, about("Units among these on which the two differ.")]
    win_rate: Annotated[
        Number, about("Share of bootstrap resamples in which the first is better: a description, no p-value.")
    ]
    tie_rate: Annotated[Number, about("Share of bootstrap resamples in which the two are equal.")]
    level: Annotated[Level, about("Nominal coverage of the interval; 1 − level is alpha.")]
    test: Annotated[str, about("Significance test, by its name in the program.")]
    correction: Annotated[str, about("Correction for the number of comparisons, by its name.")]
    family_size: Annotated[Count, about("How many comparisons were judged together.")]
    unit: Annotated[str, about("What was drawn as a whole: segment, block (of consecutive segments) or document.")]
    alternative: Annotated[
        Literal["two-sided", "greater", "less"], about("two-sided, greater (the first is better) or less.")
    ] = "two-sided"
    estimand: Annotated[str, about("What the test asks.")] = ""
    judges: Annotated[bool, about("Whether a better score claims a better translation.")] = True
    controls_type1: Annotated[bool, about("Whether the test errs as often as it says.")] = True
    decimals: Annotated[Decimals, about("Decimals in which scores are shown.")] = 2
    p_jackknife: Annotated[
        Number,
        about(
            "Beside a test that exchanges documents: p of the jackknife t test, corrected by Holm, "
            "which must agree before a system is called better; null beside others."
        ),
    ] = float("nan")
    doubt: Annotated[str, about("Why no verdict can be given whatever the p-value; empty where one can.")] = ""
    caution: Annotated[str, about("Why to doubt the verdict of this test; empty where nothing does.")] = ""
    order_z: Annotated[
        Number,
        about(
            "Without document ids: how alike neighbouring segments are, in standard deviations of a random order of "
            "the segments; null where it was not looked at."
        ),
    ] = float("nan")
    status: Annotated[Literal["planned", "exploratory"], about("planned: an analysis plan asked for it.")] = (
        "exploratory"
    )
    by_segment: Annotated[
        "Comparison | None", about("The same with segments as units, beside one over documents or blocks; else null.")
    ] = None

    @property
    def alpha(self) -> float:
        """The error rate that belongs to the level."""
        return 1 - self.level

    @property
    def corrected(self) -> bool:
        """Whether its correction does anything about the number of comparisons."""
        return corrects(self.correction)

    @property
    def held_together(self) -> bool:
        """Whether its interval is one of several that hold together at the level."""
        return hold_together(self.interval)

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

    @property
    def turned(self) -> "Comparison":
        """The comparison seen from the other side: signs change, p-values do not."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            difference=-self.difference,
            low=-self.high,
            high=-self.low,
            win_rate=1 - self.win_rate - self.tie_rate,
            by_segment=None if self.by_segment is None else self.by_segment.turned,
        )
