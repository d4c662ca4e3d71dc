"""The mean over further sets: differences with their covariance go in; mean, its spread and heterogeneity come out."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np
import scipy

from mtsig.arrays import Floats
from mtsig.inference.distributions import chi2_quantile, t_quantile
from mtsig.records import Number, Probability, Record, Spread, about, at_most

FEWEST_SETS = 5
"""Fewer sets cannot stand for others: what varies from set to set is not known from them."""


@dataclass(frozen=True)
class RandomEffects(Record):
    """The mean of a difference over sets like these, and how much sets differ."""

    mean: Annotated[Number, about("μ: the mean of true differences over sets like these.")]
    standard_error: Annotated[Spread, about("Its standard error, by Hartung and Knapp.")]
    ci_low: Annotated[
        Number, about("Lower end of its interval, by t with J − 1 degrees of freedom."), at_most("ci_high")
    ]
    ci_high: Annotated[Number, about("Its upper end.")]
    predict_low: Annotated[
        Number,
        about("Lower end of the prediction interval: the difference in one further set."),
        at_most("predict_high"),
    ]
    predict_high: Annotated[Number, about("Its upper end.")]
    tau2: Annotated[Spread, about("τ²: variance of true differences from set to set, by Paule and Mandel.")]
    truncated: Annotated[bool, about("Whether the standard error would have been smaller without its floor.")]
    q: Annotated[Number, about("Cochran's Q: how far the sets lie from their common mean.")]
    i2: Annotated[Probability, about("I²: the share of Q beyond J − 1, which chance would give.")]
    i2_low: Annotated[Probability, about("Lower end of I², by the Q-profile of τ²."), at_most("i2_high")]
    i2_high: Annotated[Probability, about("Its upper end.")]


def random_effects(differences: Floats, covariance: Floats, level: float = 0.95) -> RandomEffects | None:
    """Return the mean over sets like these; None where the covariance matrix is singular.

    τ² solves Q(τ²) = J − 1 with Q = (y − μ̂1)ᵀ(V + τ²I)⁻¹(y − μ̂1), μ̂ the mean by generalised least squares; 0 where
    Q(0) < J − 1 (Paule and Mandel 1982). Var μ̂ = s²/(1ᵀ(V + τ²I)⁻¹1) with s² = Q/(J − 1), which is 1 where τ² > 0, and
    not below 1 where τ² = 0 (Hartung and Knapp 2001); t with J − 1 degrees of freedom, for the mean and for the
    prediction μ̂ ± t √(τ² + Var μ̂). Without shared units V is diagonal, and all of this is the textbook's.

    I² = τ²/(τ² + (J − 1)/tr P) with P = V⁻¹ − V⁻¹1 1ᵀV⁻¹/(1ᵀV⁻¹1): (J − 1)/tr P is what makes it (Q − J + 1)/Q at the
    moment estimate of τ². Its ends stand on the τ² at which Q(τ²) is the χ² quantile (Viechtbauer 2007).

    >>> import numpy as np
    >>> from mtsig.sets import random_effects
    >>> effects = random_effects(np.array([0.5, 0.7, 0.9, 0.6]), np.diag([0.04, 0.05, 0.04, 0.06]))
    >>> round(effects.mean, 3)
    0.681

    Args:
        differences: shape (J,), J ≥ 2.
        covariance: shape (J, J), V.
        level: coverage of the intervals.
    """
    y, count = differences, len(differences)
    scale = np.sqrt(np.diag(covariance))
    if not np.all(scale > 0) or np.linalg.matrix_rank(covariance / np.outer(scale, scale)) < count:
        return None

    def fitted(tau2: float) -> tuple[float, float, float]:
        """Return Q, μ̂ and 1ᵀ(V + τ²I)⁻¹1."""
        total = covariance + tau2 * np.eye(count)
        by_y, by_one = np.linalg.solve(total, np.stack([y, np.ones(count)], axis=1)).T
        weight = float(by_one.sum())
        mean = float(by_one @ y) / weight
        gaps = y - mean
        return float(gaps @ (by_y - mean * by_one)), mean, weight

    def excess(bound: float, tau2: float) -> float:
        return fitted(tau2)[0] - bound

    tau2 = _root(partial(excess, count - 1.0), np.ptp(y) ** 2)
    q, mean, weight = fitted(tau2)
    share = q / (count - 1) if tau2 == 0 else 1.0
    variance = max(1.0, share) / weight
    reach = float(t_quantile((1 + level) / 2, count - 1))
    half, predicted = reach * np.sqrt(variance), reach * np.sqrt(tau2 + variance)
    q_zero = fitted(0.0)[0]
    inverse = np.linalg.inv(covariance)
    by_one = inverse.sum(axis=1)
    typical = (count - 1) / float(np.trace(inverse) - by_one @ by_one / by_one.sum())
    high_q, low_q = (float(chi2_quantile(share, count - 1)) for share in ((1 + level) / 2, (1 - level) / 2))
    ends = [_root(partial(excess, bound), np.ptp(y) ** 2) for bound in (high_q, low_q)]
    i2 = max(0.0, (q_zero - count + 1) / q_zero) if q_zero > 0 else 0.0
    i2_low, i2_high = (end / (end + typical) for end in ends)
    return RandomEffects(
        mean,
        float(np.sqrt(variance)),
        float(mean - half),
        float(mean + half),
        float(mean - predicted),
        float(mean + predicted),
        tau2,
        tau2 == 0 and share < 1,
        q_zero,
        i2,
        i2_low,
        i2_high,
    )


def _root(excess: Callable[[float], float], start: float) -> float:
    """Return where a function of τ² that falls is 0; 0 where it is not above 0 there."""
    if excess(0.0) <= 0:
        return 0.0
    high = max(start, 1e-12)
    while excess(high) > 0:
        high *= 4
    return float(scipy.optimize.brentq(excess, 0.0, high, xtol=1e-14 * high, rtol=1e-14))
