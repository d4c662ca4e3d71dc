"""Bootstrap tests: the right ones, and the ones of the papers under their own names."""

from dataclasses import dataclass, field, replace

import numpy as np

from mtsig._probability import count_extreme
from mtsig.inference._significance._base import (
    HALF_OF_P,
    POPULATION,
    Directed,
    Outcome,
    SignificanceTest,
    counted,
    simulated,
)
from mtsig.inference._targets import Pairs
from mtsig.resampling import Bootstrap


@dataclass(frozen=True)
class StudentizedBootstrap(Directed):
    """Bootstrap-t: t* = (d* − d)/SE*, SE* by the infinitesimal jackknife in every resample."""

    scheme: Bootstrap = field(default_factory=Bootstrap)

    name = "bootstrap-t"
    proposed = "Efron & Tibshirani 1993"
    interval = "bootstrap-t"
    label = "studentized bootstrap"
    in_words = "the studentized paired bootstrap"
    cites = ("efron-tibshirani-1993",)
    about = "How often is a redrawn difference as many of its own standard errors off as the observed one?"
    estimand = POPULATION
    assumes = "the studentized difference has the same spread in redraws as in the population"
    differs = "Divides every redraw by its own standard error; errs in 8 of 100 cases on 20 segments."
    fewest_units = 60

    def __call__(self, pairs: Pairs) -> Outcome:
        """Count |t*| ≥ |T|; draws without a standard error are dropped."""
        error = pairs.infinitesimal_error
        undefined = np.isnan(error)
        # On the scale of differences, so that corrections can compare draws with the observed difference.
        null = pairs.studentized * np.where(undefined, 0.0, error)[:, None]
        kept = np.count_nonzero(~np.isnan(null), axis=-1)
        extreme = count_extreme(null, pairs.estimate, self.alternative)
        # Corrections rank the same draws for every comparison: there, a dropped draw counts as no difference.
        outcome = counted(extreme, kept, np.nan_to_num(null, nan=0.0) if pairs.together else None)
        # No draw at all: nothing varies, so that no difference is sure to be none, and an amount has no t to go by.
        without = kept == 0
        for values in (outcome.p_value, outcome.p_mc_low, outcome.p_mc_high):
            values[without] = np.where(pairs.estimate[without] == 0, 1.0, np.nan)
            values[undefined] = np.nan
        dropped = int(null.size - kept.sum())
        text = f"{dropped} draws had no standard error and were dropped."
        return replace(outcome, notes=(text,) if dropped else ())


@dataclass(frozen=True)
class RiezlerMaxwell(SignificanceTest):
    """RM05 figure 2 as printed: |d*| − mean|d*| ≥ |d|, (c + 1)/(B + 1)."""

    scheme: Bootstrap = field(default_factory=Bootstrap)

    name = "bootstrap-rm2005"
    named = "bootstrap test as printed"
    proposed = "Riezler & Maxwell 2005"
    interval = "percentile"
    short_label = "Riezler and Maxwell's Figure 2"
    label = f"{short_label}, as printed"
    in_words = "the bootstrap test as printed by Riezler and Maxwell (anti-conservative)"
    cites = ("riezler-maxwell-2005-pitfalls",)
    about = "How often is a redrawn absolute difference above its mean by as much as was observed?"
    estimand = POPULATION
    assumes = "that the mean absolute difference is 0 under the null, which it is not"
    differs = (
        "Takes absolute values before centring: anti-conservative, p about half of a two-sided p; at a nominal .05 it "
        "errs in 11% of cases."
    )
    printed_only = True
    anticonservative_reason = HALF_OF_P

    def __call__(self, pairs: Pairs) -> Outcome:
        """Centre the absolute differences, as the paper prints it."""
        size = np.abs(pairs.draws)
        null = size - size.mean(axis=-1, keepdims=True)
        return simulated(null, np.abs(pairs.estimate), "greater", keep=False)


@dataclass(frozen=True)
class BootstrapInterval(Directed):
    """Does the percentile interval of the paired difference exclude 0 (ZV04 section 3.2)?

    p is the interval turned round: the smallest alpha at which it would still exclude 0.
    """

    scheme: Bootstrap = field(default_factory=Bootstrap)

    name = "bootstrap-ci"
    proposed = "Zhang & Vogel 2004"
    interval = "percentile"
    label = "bootstrap interval of the difference"
    in_words = "the bootstrap interval of the difference"
    cites = ("zhang-vogel-2004-measuring",)
    about = "Does the middle part of the redrawn differences leave out zero?"
    estimand = POPULATION
    assumes = "percentile intervals cover at their level"
    differs = (
        "About, not exactly, a two-sided test. On 10 units it errs in 8 to 15 of 100 cases without any difference."
    )
    fewest_units = 40
    least_extreme = 2

    def __call__(self, pairs: Pairs) -> Outcome:
        """Return twice the smaller share of draws on either side of 0, at most 1; one share when one-sided."""
        zero = np.zeros(len(pairs.first))
        below = count_extreme(-pairs.draws, zero, "greater")
        above = count_extreme(pairs.draws, zero, "greater")
        sides = {"two-sided": np.minimum(below, above), "greater": below, "less": above}
        factor = 2 if self.alternative == "two-sided" else 1
        side = counted(sides[self.alternative], self.scheme.n_draws)
        p, low, high = (np.minimum(1.0, factor * values) for values in (side.p_value, side.p_mc_low, side.p_mc_high))
        return Outcome(p, low, high, side.exact)


@dataclass(frozen=True)
class KoehnWins(SignificanceTest):
    """K04 section 6: a system is better that wins at least 95% of redrawn test sets. A win rate, not a p-value.

    "95% wins" is a one-sided test at .05; with the direction chosen after the fact it errs in 10 to 15% of cases
    (docs/statistics/tests.md, section 7).
    """

    scheme: Bootstrap = field(default_factory=Bootstrap)

    name = "bootstrap-koehn"
    named = "paired bootstrap"
    proposed = "Koehn 2004"
    interval = "percentile"
    label = "Koehn's paired bootstrap"
    in_words = "the paired bootstrap, by the share of resamples in which a system scores higher"
    cites = ("koehn-2004-statistical",)
    about = "Does one system win at least 95% of redrawn test sets?"
    estimand = POPULATION
    assumes = "that the side on which a system wins was fixed before looking, which it is not"
    differs = (
        "Not a p-value: “95% wins” is a one-sided test at .05 whose direction is chosen after the fact, which finds a "
        "difference in 10 to 15 of 100 cases without any."
    )
    by_wins = True
    anticonservative_reason = (
        "with the criterion of 95% it finds a difference in 10 to 15 of 100 cases without any difference"
    )

    def __call__(self, pairs: Pairs) -> Outcome:
        """Return no p-values: the shares of wins and ties, which every family has, decide (see `Comparison`)."""
        nothing = np.full(len(pairs.first), np.nan)
        return Outcome(nothing, nothing, nothing, np.zeros(len(nothing), dtype=bool))
