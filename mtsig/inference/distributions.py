"""Distributions: shares and degrees of freedom go in, quantiles and tails come out.

They are scipy.special's functions, the same to the last bit as what scipy.stats calls through several layers of checks:
loading scipy.stats takes longer than scoring a small test set. Quantiles are for shares strictly between 0 and 1.
A number gives a number, an array an array.
"""

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import scipy

Numbers: TypeAlias = Any
"""A number, or an array of numbers."""


def normal_quantile(share: Numbers) -> Numbers:
    """Return what a standard normal variable stays below with this chance."""
    return scipy.special.ndtri(share)


def normal_critical(tail: Numbers) -> Numbers:
    """Return what a standard normal variable exceeds with this chance."""
    return 0.0 - scipy.special.ndtri(tail)  # not a bare minus: the middle is 0, and not −0


def normal_below(value: Numbers) -> Numbers:
    """Return the chance that a standard normal variable is at most this."""
    return scipy.special.ndtr(value)


def normal_above(value: Numbers) -> Numbers:
    """Return the chance that a standard normal variable is more than this."""
    return scipy.special.ndtr(-value)


def t_quantile(share: Numbers, df: Numbers) -> Numbers:
    """Return what t stays below with this chance."""
    return scipy.special.stdtrit(df, share)


def t_critical(tail: Numbers, df: Numbers) -> Numbers:
    """Return what t exceeds with this chance."""
    return 0.0 - scipy.special.stdtrit(df, tail)


def t_below(value: Numbers, df: Numbers) -> Numbers:
    """Return the chance that t is at most this."""
    return scipy.special.stdtr(df, value)


def t_above(value: Numbers, df: Numbers) -> Numbers:
    """Return the chance that t is more than this."""
    return scipy.special.stdtr(df, -value)


def noncentral_t_above(value: float, df: float, centre: Numbers) -> Numbers:
    """Return the chance that a noncentral t is more than this, as the mirror image's chance to be less.

    1 − the chance to be less would lose the digits of small tails. The arguments are finite numbers.
    """
    return np.nan_to_num(scipy.special.nctdtr(df, -centre, -value), nan=0.0)  # chances too small for it are NaN to it


def f_above(value: Numbers, df1: Numbers, df2: Numbers) -> Numbers:
    """Return the chance that F is more than this."""
    return scipy.special.fdtrc(df1, df2, value)


def chi2_quantile(share: Numbers, df: float) -> Numbers:
    """Return what chi-square stays below with this chance."""
    return 2 * scipy.special.gammaincinv(df / 2, share)


def beta_quantile(share: Numbers, a: Numbers, b: Numbers) -> Numbers:
    """Return what a beta variable stays below with this chance."""
    return scipy.special.betaincinv(a, b, share)


_REACH, _STEPS = 12.0, 1200
"""How far out, and in how many steps, an integral over a normal variable is summed: to the last digits of a double."""


def range_above(value: Numbers, count: int) -> Numbers:
    """Return the chance that so many standard normal variables lie more than this apart.

    That is the studentized range with infinite degrees of freedom, k ∫ φ(z) (Φ(z)^(k − 1) − (Φ(z) − Φ(z − q))^(k − 1))
    dz with z the largest: a smooth integrand, of which equal steps give all digits, also of small chances.
    """
    z, step = np.linspace(-_REACH, _REACH, _STEPS, retstep=True)
    below = scipy.special.ndtr(z)
    with np.errstate(divide="ignore"):
        share = np.log1p(-np.minimum(1.0, scipy.special.ndtr(z - np.asarray(value)[..., None]) / below))
    density = np.exp(-np.square(z) / 2) / math.sqrt(2 * math.pi)
    terms = density * below ** (count - 1) * -np.expm1((count - 1) * share)
    return np.minimum(1.0, count * step * terms.sum(axis=-1))


def range_critical(tail: float, count: int) -> float:
    """Return how far so many standard normal variables lie apart at most, but for this chance."""
    return root(lambda value: tail - float(range_above(value, count)), 0.0, 4 * _REACH)


def root(rising: Callable[[float], float], low: float, high: float) -> float:
    """Return where a rising function comes to 0 between two numbers, to the last digit, by halving.

    Loading scipy.optimize, whose finders ask for a fifth of the values, takes longer than comparing a small test set.
    """
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return high


def secant(rising: Callable[[float], float], first: float, second: float) -> float:
    """Return where a smooth rising function comes to 0 near two numbers, in the few steps that a costly one allows."""
    at_first, at_second = rising(first), rising(second)
    for _ in range(50):
        if abs(second - first) <= 1e-11 * abs(second) or at_second == at_first:
            break
        # No step takes more than double, or less than half: far away the function is flat.
        step = second - at_second * (second - first) / (at_second - at_first)
        first, at_first, second = second, at_second, min(max(step, second / 2), 2 * second)
        at_second = rising(second)
    return second
