"""Detectable differences: a standard error with its degrees of freedom goes in; what a test could have found comes out.

Both are estimated from the units at hand, so every answer comes with the range that they leave open
(docs/statistics/power.md, section 1).
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mtsig.errors import InvalidOption
from mtsig.inference.cautions import spread_unknown, ungrounded
from mtsig.inference.comparison import Comparison
from mtsig.inference.distributions import (
    chi2_quantile,
    noncentral_t_above,
    normal_critical,
    normal_quantile,
    root,
    t_critical,
)
from mtsig.inference.significance import known_test


def check_share(name: str, value: float, low: float, high: float) -> None:
    """Refuse a number that is no such share."""
    if not low < value < high:
        raise InvalidOption(f"{name} is a share between {low:g} and {high:g}; found {value:g}.")


_MANY = 1e6
"""From so many degrees of freedom on, t is normal."""


@lru_cache(maxsize=4096)
def noncentral(df: float, tail: float, power: float) -> float:
    """Return λ with P(t'_ν(λ) > t_{1−tail,ν}) = power, t' the noncentral t; the other tail adds nothing to speak of."""
    if df > _MANY:
        return float(normal_critical(tail) + normal_quantile(power))
    critical = float(t_critical(tail, df))

    def missing(centre: float) -> float:
        return noncentral_t_above(critical, df, centre) - power

    # Half of the estimates fall beyond λ, more or less: power .5 is reached near the critical value.
    high = critical + 1
    while missing(high) < 0:
        high *= 2
    low = min(0.0, float(normal_quantile(power))) - 1
    return root(missing, low, high)


def detectable_difference(
    error: float,
    level: float = 0.95,
    power: float = 0.8,
    comparisons: int = 1,
    df: float = np.inf,
    sides: int = 2,
) -> float:
    """Return the smallest true difference that a t test finds with this power: λ(ν) · SE.

    See docs/statistics/power.md, section 1.

    With several comparisons the critical value is Bonferroni's.

    >>> round(detectable_difference(0.3), 3), round(detectable_difference(1.0, df=19), 3)
    (0.84, 2.954)
    """
    check_share("Power", power, 0, 1)
    return noncentral(float(df), (1 - level) / sides / comparisons, power) * error


def spread_range(df: float) -> tuple[float, float]:
    """Return by what to multiply a standard error with ν degrees of freedom to get the ends of its own 95% range.

    √(ν'/χ²_{.975,ν'}) and √(ν'/χ²_{.025,ν'}) with ν' = ν/2: contributions have heavier tails than the normal, for which
    ν' would be ν (measured: .94 to .998 of true spreads lie inside, with ν' = ν .82 to .98).
    """
    half = df / 2
    if half > _MANY:
        return 1.0, 1.0
    below, above = np.sqrt(half / chi2_quantile([0.975, 0.025], half))
    return float(below), float(above)


def least_attainable(comparison: Comparison) -> float:
    """Return the smallest p that exchanging labels can give on the units that differ; 0 for other tests.

    Exchanging all labels turns the sign alone: of 2^m arrangements two are as extreme, or one on one side.

    >>> import mtsig
    >>> from mtsig.inference import compare, least_attainable
    >>> statistics = mtsig.measure(mtsig.Corpus.of({"A": ["a b"] * 5, "B": ["a c"] * 5}, {"ref": ["a b"] * 5}), "chrf")
    >>> least_attainable(compare(statistics, "ar")[0])
    0.0625
    """
    if not known_test(comparison.test).exchanges:
        return 0.0
    return float(2.0 ** ((1 if comparison.alternative == "two-sided" else 0) - min(comparison.n_differing, 1000)))


@dataclass(frozen=True)
class Detectable:
    """The true difference that a comparison would have found; low, high: what the pilot leaves open."""

    difference: float
    low: float
    high: float


def smallest_detectable(comparison: Comparison, power: float = 0.8) -> Detectable | None:
    """Return the true difference that this comparison would have found with this power; None when it cannot be told.

    λ(ν) · SE by the jackknife; all comparisons of a corrected family count. It is told of tests by the jackknife, and
    over segments of the others that keep their level: not of tests that exchange documents, which ask another question.
    Where so few units differ that no arrangement of them is significant, or documents carry no verdict, nothing can be
    found, whatever the difference.

    >>> import mtsig
    >>> from mtsig.inference import smallest_detectable
    >>> family = mtsig.Settings().family(mtsig.measure(mtsig.read_sample(), "bleu"))
    >>> round(smallest_detectable(family[7]).difference, 2)
    4.21
    """
    if not (comparison.has_p and comparison.controls_type1) or ungrounded(
        comparison.unit, comparison.units, comparison.doubt
    ):
        return None
    if (
        spread_unknown(comparison.unit, comparison.units, comparison.n_differing, comparison.standard_error)
        or least_attainable(comparison) > comparison.alpha
    ):
        return None
    if comparison.unit != "segment" and not known_test(comparison.test).by_jackknife:
        return None
    comparisons = comparison.family_size if comparison.corrected else 1
    sides = 2 if comparison.alternative == "two-sided" else 1
    difference = detectable_difference(
        comparison.standard_error, comparison.level, power, comparisons, comparison.df, sides
    )
    low, high = spread_range(comparison.df)
    return Detectable(difference, low * difference, high * difference)
