"""Detectable differences: what a test could detect, from a standard error and its degrees of freedom.

Both are estimated from the units in the data, so every result has an uncertainty range
(docs/statistics/power.md, section 1).
"""

from collections.abc import Callable

import numpy as np

from mtsig._memory import remembered
from mtsig._probability import (
    chi2_quantile,
    noncentral_t_above,
    normal_above,
    normal_critical,
    normal_quantile,
    root,
    secant,
    t_critical,
)
from mtsig.errors import InvalidOption


def check_share(name: str, value: float, low: float, high: float) -> None:
    """Refuse a number that is no such share."""
    if not low < value < high:
        raise InvalidOption(f"{name} must be a share between {low:g} and {high:g}; found {value:g}.")


_MANY = 1e6
"""From so many degrees of freedom on, t is normal."""

_FARTHEST = 1e12
"""No difference is so many standard errors away."""


@remembered(most=4096)
def noncentral(df: float, tail: float, power: float) -> float:
    """Return λ with P(t'_ν(λ) > t_{1−tail,ν}) = power, t' the noncentral t; NaN where no number is λ."""
    if df > _MANY:
        return float(normal_critical(tail) + normal_quantile(power))
    critical = float(t_critical(tail, df))

    def missing(centre: float) -> float:
        return float(noncentral_t_above(critical, df, centre)) - power

    # Half of the estimates fall beyond λ, more or less: power .5 is reached near the critical value.
    high = critical + 1
    while missing(high) < 0:
        high *= 2
        if not high < _FARTHEST:
            return np.nan
    low = min(0.0, float(normal_quantile(power))) - 1
    return root(missing, low, high)


_POINTS = 400
"""Quantiles of the pilot's spread over which power is averaged."""

_CERTAIN = 37.0
"""Beyond this noncentrality a difference is always found."""

_HEAVIER = 2 / 3
"""A pilot's spread has this share of its degrees of freedom: contributions have heavier tails than the normal."""


@remembered(most=4096)
def pilot_factor(df: float, pilot_df: float, tail: float, power: float) -> float:
    """Return c: a true difference of c·λ(ν)·SE is found with this power on average over pilots.

    SE is itself an estimate, so at λ(ν)·SE power is less than asked for. c solves (1/400) Σ_k P(t'_ν(c·λ·x_k) >
    t_{1−tail,ν}) = power, x_k = √(χ²_q((k − ½)/400)/q), q = 2ν_p/3 with ν_p the pilot's degrees of freedom. See
    docs/statistics/power.md, section 1.
    """
    if pilot_df > _MANY:
        return 1.0
    found, q = _on_average(df, pilot_df, tail, power), _HEAVIER * pilot_df
    # Second order in the spread of x, whose variance is 1/2q and whose mean is 1 − 1/4q.
    guess = 1 + (1 + max(0.0, noncentral(df, tail, power)) * max(0.0, float(normal_quantile(power)))) / (4 * q)
    return secant(lambda factor: found(factor) - power, 1.0, min(guess, 1.5))


def is_found(factor: float, df: float, pilot_df: float, tail: float, power: float) -> bool:
    """Return whether `factor` is at least c, which needs not be known for it."""
    # What does not do without the pilot's spread does not do with it.
    return factor >= 1 and (pilot_df > _MANY or _on_average(df, pilot_df, tail, power)(factor) >= power)


def _on_average(df: float, pilot_df: float, tail: float, power: float) -> Callable[[float], float]:
    """Return with which power a true difference of so many λ(ν)·SE is found, on average over pilots."""
    q = _HEAVIER * pilot_df
    critical = float(t_critical(tail, df))
    spread = np.sqrt(chi2_quantile((np.arange(_POINTS) + 0.5) / _POINTS, q) / q) * noncentral(df, tail, power)

    def found(factor: float) -> float:
        shifts = factor * spread
        shares = np.ones(_POINTS)
        unsure = shifts <= _CERTAIN
        shares[unsure] = (
            normal_above(critical - shifts[unsure]) if df > _MANY else noncentral_t_above(critical, df, shifts[unsure])
        )
        return float(shares.mean())

    return found


_STEP, _NODES = 1.25, 4
"""Where pairs have many different ν, c is worked out at some of them, each so many times the one before."""

_STEADY = 10.0
"""From so many degrees of freedom on c is smooth in 1/ν."""


@remembered(most=4096)
def own_factor(df: float, tail: float, power: float) -> float:
    """Return c where the pilot itself is the test set, in steps of ν between which it is interpolated (to 10⁻⁶)."""
    if not _STEADY <= df <= _MANY:
        return pilot_factor(df, df, tail, power)
    first = int(np.floor(np.log(df) / np.log(_STEP))) - 1
    nodes = _STEP ** np.arange(first, first + _NODES, dtype=np.float64)
    factors = [pilot_factor(node, node, tail, power) for node in nodes.tolist()]
    # Lagrange's polynomial in 1/ν.
    shares = [np.prod([(1 / df - 1 / b) / (1 / a - 1 / b) for b in nodes if b != a]) for a in nodes]
    return float(np.dot(shares, factors))


def detectable_difference(
    error: float, level: float = 0.95, power: float = 0.8, comparisons: int = 1, df: float = np.inf, sides: int = 2
) -> float:
    """Compute the true difference that a t test detects with this power.

    The definition is in docs/statistics/power.md, section 1.

    With several comparisons, the critical value is that of Bonferroni's correction.

    Examples
    --------
    >>> round(detectable_difference(0.3), 3), round(detectable_difference(1.0, df=19), 3)
    (0.84, 3.159)
    """
    check_share("Power", power, 0, 1)
    tail = (1 - level) / sides / comparisons
    return own_factor(float(df), tail, power) * noncentral(float(df), tail, power) * error


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
