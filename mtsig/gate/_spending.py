"""Spending rules: what earlier looks found goes in; the error rate that the next look may spend comes out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from mtsig._memory import remembered


@dataclass(frozen=True)
class SpendingRule:
    """How an error rate is spent over looks.

    holds: what is at most the error rate, and for which looks. cites: where the rule comes from.
    next: alpha and, for every earlier look, whether it found a regression -> what the next look may spend.
    """

    name: str
    holds: str
    cites: str
    next: Callable[[float, Sequence[bool]], float]


def spend(alpha: float, regressions: Sequence[bool]) -> float:
    """Return α·6/(π²j²) for look j: over all looks that ever come these sum to α, whatever they have in common.

    >>> round(spend(0.05, []), 4), round(spend(0.05, [False, True]), 4)
    (0.0304, 0.0034)
    """
    return float(alpha * 6 / (np.pi * (len(regressions) + 1)) ** 2)


def lord(alpha: float, regressions: Sequence[bool]) -> float:
    """Return LORD++'s level of the next look (Ramdas et al. 2017), with W₀ = α/2.

    α_t = W₀ γ_t + (α − W₀) γ_{t−τ₁} + α Σ_{k≥2} γ_{t−τ_k}, τ_k the look of the k-th regression.

    >>> round(lord(0.05, []), 5), round(lord(0.05, [True]), 5)
    (0.00137, 0.00167)
    """
    number, wealth = len(regressions) + 1, alpha / 2
    since = [gamma(number - 1 - place) for place, regression in enumerate(regressions) if regression]
    return wealth * gamma(number) + (alpha - wealth) * sum(since[:1]) + alpha * sum(since[1:])


@remembered()
def gamma(j: int) -> float:
    """Return γ_j ∝ log(max(j, 2)) / (j exp(√log j)), which sum to 1 over all j from 1."""
    return float(_shape(np.array([j], dtype=np.float64))[0] / _whole())


def _shape(j: np.ndarray[tuple[int], np.dtype[np.float64]]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.log(np.maximum(j, 2)) / (j * np.exp(np.sqrt(np.log(j))))


@remembered()
def _whole(terms: int = 10_000) -> float:
    """Return Σ_j of the shape: the first terms, and what follows by Euler and Maclaurin.

    ∫ log x / (x exp(√log x)) dx from N on is 2 Γ(4, √log N), by u = √log x. After a million terms nearly half of the
    sum would still be missing.
    """
    tail = 12 * scipy.special.gammaincc(4, np.sqrt(np.log(terms)))
    return float(_shape(np.arange(1.0, terms + 1)).sum() + tail - _shape(np.array([float(terms)]))[0] / 2)


RULES: Mapping[str, SpendingRule] = {
    rule.name: rule
    for rule in (
        SpendingRule(
            "spend",
            "over all looks, whatever they have in common, the chance of any false regression",
            "Bonferroni over α·6/(π²j²)",
            spend,
        ),
        SpendingRule(
            "lord",
            "for looks on fresh data, the expected share of false ones among all regressions",
            "LORD++, Ramdas et al. 2017",
            lord,
        ),
    )
}
