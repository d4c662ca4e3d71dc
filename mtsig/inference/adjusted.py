"""Adjusted intervals: corrected comparisons go in; intervals at the levels at which they were judged come out.

An adjusted interval leaves out 0 exactly where the corrected p is at most alpha (docs/statistics/intervals.md,
section 6).
"""

from collections.abc import Sequence

import numpy as np

from mtsig._records import Floats
from mtsig.inference.corrections import SLACK, Correction, adjusted_ends
from mtsig.inference.distributions import t_critical
from mtsig.inference.family import Family
from mtsig.inference.significance import Alternative


def half_widths(family: Family, level: Floats) -> Floats:
    """Return how far each interval of a family reaches at its own level; shape (m,), ∞ where nothing is bounded.

    t_ν · SE for the jackknife t test. For tests by draws the smallest |d*|, the observed one among them, that so few
    reach as the level says. For others by the law of their p: the multiple of |d| at which t_ν has the level, where it
    has p at |d|.
    """
    tails = None if family.test.by_jackknife else family.tails
    if tails is not None:
        return tails.reached_by(level)
    error = family.standard_error if family.test.by_jackknife else np.full(len(level), np.nan)
    return half_widths_by_t(family.difference, error, family.df, family.p_value, level, family.test.alternative)


def half_widths_by_t(
    difference: Floats, error: Floats, df: Floats, p: Floats, level: Floats, alternative: Alternative
) -> Floats:
    """Return t_ν · SE at these levels; where SE is NaN, of the SE with which t would have p."""
    sides = 2 if alternative == "two-sided" else 1
    away = difference * (-1.0 if alternative == "less" else 1.0)
    away = np.abs(away) if sides == 2 else away
    with np.errstate(divide="ignore", invalid="ignore"):
        asked = t_critical(level / sides, df)
        by_p = away / t_critical(p / sides, df)
    spread = np.where(np.isnan(error), np.where(by_p > 0, by_p, np.inf), error)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.nan_to_num(asked * spread, nan=np.inf, posinf=np.inf))


def together_ends(family: Family) -> tuple[Floats, Floats]:
    """Return intervals that hold for all comparisons judged together: difference ± t_{1 − α/(2m), ν} · SE."""
    half = t_critical(family.alpha / 2 / family.family_size, family.df) * family.standard_error
    return family.difference - half, family.difference + half


def with_adjusted(families: Sequence[Family], chosen: Correction) -> list[Family]:
    """Return families that were corrected as one with their adjusted intervals."""
    p, adjusted = (np.concatenate([getattr(each, name) for each in families]) for name in ("p_value", "p_adjusted"))
    levels = chosen.levels(p, adjusted, families[0].alpha)
    changed, start = [], 0
    for family in families:
        own = levels[start : start + len(family)]
        ends = adjusted_ends(
            family.difference,
            half_widths(family, own),
            family.p_adjusted <= family.alpha + SLACK,
            own,
            family.test.alternative,
        )
        changed.append(family.changed(adjusted_ci_low=ends.low, adjusted_ci_high=ends.high, adjusted_level=ends.level))
        start += len(family)
    return changed
