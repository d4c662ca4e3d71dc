"""The t test on the infinitesimal jackknife's standard error."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from mtsig.inference.targets import Pairs
from mtsig.inference.tests.base import POPULATION, Alternative, Directed, Floats, Outcome, computed
from mtsig.resampling import Bootstrap


def t_tail(statistic: Floats, df: float | NDArray[np.int64], alternative: Alternative) -> Floats:
    """Return the p-values of t statistics."""
    if alternative == "two-sided":
        return np.asarray(2 * stats.t.sf(np.abs(statistic), df))
    return np.asarray(stats.t.sf(statistic if alternative == "greater" else -statistic, df))


@dataclass(frozen=True)
class JackknifeT(Directed):
    """T = d / SE by the infinitesimal jackknife, against t with n − 1 degrees of freedom."""

    plan: Bootstrap = field(default_factory=Bootstrap)

    name = "ij-t"
    label = "t test by infinitesimal jackknife"
    about = "How many standard errors is the difference away from zero?"
    estimand = POPULATION
    assumes = "the difference is about normal; no system at the kink of the brevity penalty"
    differs = "The same evidence as its interval; close to ar except in very small test sets."

    def __call__(self, pairs: Pairs) -> Outcome:
        """Compare T with Student's t; identical systems give 1."""
        error, difference = pairs.standard_error, pairs.estimate
        with np.errstate(divide="ignore", invalid="ignore"):
            p = t_tail(difference / error, pairs.units - 1, self.alternative)
        # Without any spread there is nothing to hold a difference against: 1 for none, and no p for one.
        p = np.where(error == 0, np.where(difference == 0, 1.0, np.nan), p)
        notes = []
        for chosen, why in (
            (np.isnan(error), "an n-gram order has no match"),
            (error == 0, "no unit differs from others"),
        ):
            lost = [
                " – ".join(pair) for pair, no, one in zip(pairs.labels, chosen, p, strict=True) if no and np.isnan(one)
            ]
            notes += [f"No p by ij-t where {why}: {', '.join(lost)}. Use bootstrap-shift or ar."] if lost else []
        return computed(p, tuple(notes))
