"""Margins: are two systems closer than a margin fixed in advance, or one at most so much worse?

See docs/statistics/power.md, section 3.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from mtsig.errors import InvalidOption
from mtsig.inference.cautions import doubts, spread_unknown, ungrounded
from mtsig.inference.comparison import Comparison
from mtsig.inference.corrections import Holm
from mtsig.inference.distributions import t_above, t_below, t_quantile
from mtsig.inference.family import Family
from mtsig.inference.kin import kin_doubt
from mtsig.inference.pilot import pilot_of, unspread
from mtsig.metrics import Statistics, Unit
from mtsig.records import Count, Decimals, Number, Probability, Record, SystemName, about, at_most


@dataclass(frozen=True)
class Equivalence:
    """A test that two systems differ by less than a margin fixed in advance.

    p_value: of the larger of the two one-sided tests (TOST), or of the one test for non-inferiority. low, high: the
    interval at level 1 − 2 alpha that belongs to it. reason: why the data carry no judgement (p_value, low and high are
    NaN then); "" where they do.
    """

    kind: Literal["equivalence", "non-inferiority"]
    margin: float
    difference: float
    low: float
    high: float
    p_value: float
    alpha: float
    reason: str = ""

    @property
    def shown(self) -> bool | None:
        """Whether it is shown at alpha; None where that is undecided."""
        return None if self.reason else self.p_value <= self.alpha


@dataclass(frozen=True)
class MarginResult(Record):
    """A pair against a margin, corrected by Holm for the pairs of its metric and margin."""

    metric: Annotated[str, about("Name of the metric.")]
    signature: Annotated[str, about("The metric's signature, in sacreBLEU's style.")]
    first: Annotated[SystemName, about("Name of the first system.")]
    second: Annotated[SystemName, about("Name of the second system.")]
    kind: Annotated[Literal["equivalence", "non-inferiority"], about("equivalence or non-inferiority.")]
    margin: Annotated[float, Meta(gt=0), about("The margin, in points of the metric.")]
    difference: Annotated[Number, about("First minus second, positive when the first is better.")]
    low: Annotated[Number, about("Lower end of the interval at 1 − 2 alpha."), at_most("high")]
    high: Annotated[Number, about("Upper end of the interval.")]
    p_value: Annotated[Probability, about("Uncorrected p-value.")]
    alpha: Annotated[float, Meta(gt=0, le=0.5), about("Error rate.")]
    p_adjusted: Annotated[Probability, about("Corrected by Holm for the pairs of the metric.")]
    family_size: Annotated[Count, about("How many comparisons were judged together.")]
    shown: Annotated[bool | None, about("Whether it is shown at alpha, after correction; null where undecided.")]
    decimals: Annotated[Decimals, about("Decimals in which scores are shown.")] = 2
    reason: Annotated[str, about("Why the data carry no judgement; empty where they do.")] = ""
    status: Annotated[Literal["planned", "exploratory"], about("planned: an analysis plan asked for it.")] = (
        "exploratory"
    )

    @property
    def follows(self) -> bool | None:
        """What `shown` has to be by the numbers."""
        return None if self.reason else self.p_adjusted <= self.alpha


def against_margin(family: Family, margin: float, *, both: bool) -> tuple[MarginResult, ...]:
    """Return every pair against a margin, corrected by Holm: these tests have no joint draws.

    A pair that cannot be judged stays in the family, as if its p were 1.

    >>> import mtsig
    >>> from mtsig.inference import against_margin
    >>> family = mtsig.Settings().family(mtsig.measure(mtsig.read_sample(), "bleu"))
    >>> against_margin(family, 3.0, both=True)[0].shown
    True

    Raises:
        InvalidOption: the margin is not positive.
    """
    doubts_of = (kin_doubt(family.statistics, comparison.first, comparison.second) for comparison in family)
    results = [
        within(comparison, margin, both=both, doubt=doubt) for comparison, doubt in zip(family, doubts_of, strict=True)
    ]
    p = np.array([result.p_value for result in results])
    adjusted = np.where(np.isnan(p), np.nan, Holm().adjusted(np.where(np.isnan(p), 1.0, p)))
    return tuple(
        MarginResult(
            metric=family.metric,
            signature=family.signature,
            first=comparison.first,
            second=comparison.second,
            **vars(result),
            p_adjusted=float(corrected),
            family_size=len(family),
            shown=None if result.reason else float(corrected) <= result.alpha,
            decimals=comparison.decimals,
        )
        for comparison, result, corrected in zip(family, results, adjusted, strict=True)
    )


def equivalence(
    statistics: Statistics, first: str, second: str, margin: float, *, level: float = 0.95, unit: Unit = "auto"
) -> Equivalence:
    """Return two one-sided t tests: is the difference inside ±margin? The margin must be fixed before looking.

    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> from mtsig.inference import equivalence
    >>> equivalence(statistics, "direct", "direct-us", 3.0).shown
    True

    Raises:
        InvalidOption: the margin is not positive.
        NotApplicable: documents are asked for, and too few are known for both systems.
    """
    return _one_sided(statistics, first, second, margin, level, unit, both=True)


def non_inferiority(
    statistics: Statistics, first: str, second: str, margin: float, *, level: float = 0.95, unit: Unit = "auto"
) -> Equivalence:
    """Return the one-sided t test: is the first system at most `margin` worse than the second?

    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> from mtsig.inference import non_inferiority
    >>> non_inferiority(statistics, "direct-us", "direct", 3.0).shown
    True

    Raises:
        InvalidOption: the margin is not positive.
        NotApplicable: documents are asked for, and too few are known for both systems.
    """
    return _one_sided(statistics, first, second, margin, level, unit, both=False)


def _one_sided(
    statistics: Statistics, first: str, second: str, margin: float, level: float, unit: Unit, *, both: bool
) -> Equivalence:
    _check_margin(margin)
    pairs = pilot_of(statistics, first, second, unit)
    doubt = kin_doubt(statistics, first, second) or doubts(pairs)[0]
    reason = ungrounded(pairs.statistics.unit, int(pairs.units[0]), doubt) or unspread(pairs)
    difference, error, df = float(pairs.estimate[0]), float(pairs.standard_error[0]), float(pairs.df[0])
    return _judged(difference, error, df, margin, level, reason, both=both)


def within(comparison: Comparison, margin: float, *, both: bool, doubt: str = "") -> Equivalence:
    """Return equivalence (`both`) or non-inferiority of a comparison by its own standard error.

    `doubt`: why the data carry no judgement, where more is known of that than the comparison knows (`kin_doubt`).

    >>> import mtsig
    >>> from mtsig.inference import within
    >>> family = mtsig.Settings().family(mtsig.measure(mtsig.read_sample(), "bleu"))
    >>> within(family[7], 3.0, both=True).shown
    False

    Raises:
        InvalidOption: the margin is not positive.
    """
    _check_margin(margin)
    reason = ungrounded(comparison.unit, comparison.units, doubt or comparison.doubt)
    reason = reason or spread_unknown(
        comparison.unit, comparison.units, comparison.n_differing, comparison.standard_error
    )
    return _judged(
        comparison.difference, comparison.standard_error, comparison.df, margin, comparison.level, reason, both=both
    )


def _check_margin(margin: float) -> None:
    if not 0 < margin < np.inf:
        raise InvalidOption(f"The margin is a positive number of points; found {margin:g}.")


def _judged(
    difference: float, error: float, df: float, margin: float, level: float, reason: str, *, both: bool
) -> Equivalence:
    nan = float("nan")
    low, high, p = (nan, nan, nan) if reason else t_equivalence(difference, error, df, margin, level, both=both)
    kind: Literal["equivalence", "non-inferiority"] = "equivalence" if both else "non-inferiority"
    return Equivalence(kind, margin, difference, low, high, p, 1 - level, reason)


def t_equivalence(
    difference: float, error: float, df: float, margin: float, level: float, *, both: bool
) -> tuple[float, float, float]:
    """Return the ends of the 1 − 2 alpha interval and the p-value of the one-sided t tests against ±margin."""
    half = float(t_quantile(level, df)) * error
    above = float(t_above((difference + margin) / error, df))
    below = float(t_below((difference - margin) / error, df))
    return difference - half, difference + half, max(above, below) if both else above
