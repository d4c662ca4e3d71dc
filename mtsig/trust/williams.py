"""Williams's test: are two metrics' correlations with people equal, over the same systems?.

See docs/statistics/trust.md, section 6.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtsig.arrays import Floats
from mtsig.errors import NotApplicable
from mtsig.inference.distributions import t_above
from mtsig.trust.judged import Judged

FEWEST = 4

SAME = 1e-12
"""Metrics that correlate by no less than 1 − this, or −1 + this, are the same but for rounding."""


@dataclass(frozen=True)
class Williams:
    """t with s − 3 degrees of freedom, positive when the first metric correlates better, and its p."""

    t: float
    df: int
    p_value: float


def williams(first: float, second: float, between: float, systems: int, alternative: str = "two-sided") -> Williams:
    """Return the test of two dependent correlations that share the people's scores (Williams 1959; Graham 2014).

    first, second: the metrics' correlations with people, with their signs; between: with each other. p is 1 where one
    metric is a straight line of the other: the two are the same here.

    >>> from mtsig.trust import williams
    >>> round(williams(0.9, 0.6, 0.7, 12).p_value, 3)
    0.029

    Raises:
        NotApplicable: there are fewer than 4 systems.
    """
    if systems < FEWEST:
        raise NotApplicable(f"Williams's test takes at least {FEWEST} systems; found {systems}.")
    if any(map(math.isnan, (first, second, between))):
        return Williams(math.nan, systems - 3, math.nan)
    if 1 - abs(between) <= SAME:
        return Williams(0.0, systems - 3, 1.0)
    k = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    spread = 2 * max(k, 0.0) * (systems - 1) / (systems - 3) + ((first + second) / 2) ** 2 * (1 - between) ** 3
    t = (first - second) * math.sqrt((systems - 1) * (1 + between)) / math.sqrt(spread) if spread > 0 else math.nan
    tails = {"greater": t, "less": -t, "two-sided": abs(t)}
    p = float(t_above(np.float64(tails[alternative]), systems - 3))
    return Williams(t, systems - 3, min(1.0, 2 * p) if alternative == "two-sided" else p)


def _correlations(judged: Judged, names: Sequence[str]) -> Floats:
    """Return the correlations of systems' scores by each of these; NaN with one that gives all systems the same."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.corrcoef(np.stack([judged.system_scores(name) for name in names])))


def one_line(judged: Judged, first: str, second: str) -> bool:
    """Return whether two metrics' scores of systems lie on one line, so that they correlate alike with anything."""
    return bool(1 - abs(_correlations(judged, (first, second))[0, 1]) <= SAME)


def williams_p(judged: Judged, first: str, second: str, alternative: str = "two-sided") -> float:
    """Return the p of Williams's test of two metrics' correlations with people over systems."""
    r = _correlations(judged, (judged.human.name, first, second))
    return williams(float(r[0, 1]), float(r[0, 2]), float(r[1, 2]), len(judged.systems), alternative).p_value
