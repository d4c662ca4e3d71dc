"""Bootstrap tests: the right ones, and the ones of the papers under their own names."""

from dataclasses import dataclass, replace

import numpy as np

from mtsig._probability import count_extreme
from mtsig.inference._significance import _base
from mtsig.inference._targets import Pairs


@dataclass(frozen=True)
class StudentizedBootstrap(_base.Directed):
    """Bootstrap-t: t* = (d* − d)/SE*, SE* by the infinitesimal jackknife in every resample."""

    name = "bootstrap-t"
    proposed = "Efron & Tibshirani 1993"
    interval = "bootstrap-t"
    label = "studentized bootstrap"
    in_words = "the studentized paired bootstrap"
    cites = ("efron-tibshirani-1993",)
    about = "How often does a resampled difference deviate by as many of its own standard errors as the observed one?"
    estimand = _base.POPULATION
    assumes = "the studentized difference varies as much over resamples as over test sets"
    differs = (
        "Divides every resample by its own standard error; the false-positive rate on 20 segments is 8% at α = .05."
    )
    fewest_units = 60

    def __call__(self, pairs: Pairs) -> _base.Outcome:
        """Count |t*| ≥ |T|; draws without a standard error are dropped."""
        error = pairs.infinitesimal_error
        undefined = np.isnan(error)
        # On the scale of differences, so that corrections can compare draws with the observed difference.
        null = pairs.studentized * np.where(undefined, 0.0, error)[:, None]
        kept = np.count_nonzero(~np.isnan(null), axis=-1)
        extreme = count_extreme(null, pairs.estimate, self.alternative)
        # Corrections rank the same draws for every comparison: there, a dropped draw counts as no difference.
        outcome = _base.counted(extreme, kept, np.nan_to_num(null, nan=0.0) if pairs.together else None)
        # No draw at all: nothing varies, so that no difference is sure to be none, and an amount has no t to go by.
        without = kept == 0
        for values in (outcome.p_value, outcome.p_mc_low, outcome.p_mc_high):
            values[without] = np.where(pairs.estimate[without] == 0, 1.0, np.nan)
            values[undefined] = np.nan
        dropped = int(null.size - kept.sum())
        text = f"{dropped} resamples had no standard error and were dropped."
        return replace(outcome, notes=(text,) if dropped else ())


@dataclass(frozen=True)
class RiezlerMaxwell(_base.SignificanceTest):
    """Riezler and Maxwell 2005, Figure 2 as printed: |d*| − mean|d*| ≥ |d|, p = (c + 1)/(B + 1)."""

    name = "bootstrap-rm2005"
    named = "bootstrap test as printed"
    proposed = "Riezler & Maxwell 2005"
    interval = "percentile"
    short_label = "Riezler and Maxwell's Figure 2"
    label = f"{short_label}, as printed"
    in_words = "the bootstrap test as printed by Riezler and Maxwell (anti-conservative)"
    cites = ("riezler-maxwell-2005-pitfalls",)
    about = "How often is a resampled absolute difference above the mean of all by the observed difference?"
    estimand = _base.POPULATION
    assumes = "the mean absolute difference is 0 under the null hypothesis, which is false"
    differs = (
        "Takes absolute values before centring: anti-conservative, p about half the two-sided one; at α = .05 the "
        "false-positive rate is 11%."
    )
    printed_only = True
    anticonservative_reason = _base.HALF_OF_P

    def __call__(self, pairs: Pairs) -> _base.Outcome:
        """Centre the absolute differences, as the paper prints it."""
        size = np.abs(pairs.draws)
        null = size - size.mean(axis=-1, keepdims=True)
        return _base.simulated(null, np.abs(pairs.estimate), "greater", keep=False)


@dataclass(frozen=True)
class BootstrapInterval(_base.Directed):
    """The percentile interval of the difference, inverted: p is the smallest alpha at which it excludes 0."""

    name = "bootstrap-ci"
    proposed = "Zhang & Vogel 2004"
    interval = "percentile"
    label = "bootstrap interval of the difference"
    in_words = "the bootstrap interval of the difference"
    cites = ("zhang-vogel-2004-measuring",)
    about = "Do the central 95% of the resampled differences exclude zero?"
    estimand = _base.POPULATION
    assumes = "percentile intervals cover at their level"
    differs = "Approximately a two-sided test. On 10 units its false-positive rate is 8–15% at α = .05."
    fewest_units = 40
    least_extreme = 2

    def __call__(self, pairs: Pairs) -> _base.Outcome:
        """Return twice the smaller share of draws on either side of 0, at most 1; one share when one-sided."""
        zero = np.zeros(len(pairs.first))
        below = count_extreme(-pairs.draws, zero, "greater")
        above = count_extreme(pairs.draws, zero, "greater")
        sides = {"two-sided": np.minimum(below, above), "greater": below, "less": above}
        factor = 2 if self.alternative == "two-sided" else 1
        side = _base.counted(sides[self.alternative], self.scheme.n_draws)
        p, low, high = (np.minimum(1.0, factor * values) for values in (side.p_value, side.p_mc_low, side.p_mc_high))
        return _base.Outcome(p, low, high, side.exact)


@dataclass(frozen=True)
class KoehnWins(_base.SignificanceTest):
    """A system is better if it wins 95% of resamples (Koehn 2004); not a p-value (docs/statistics/tests.md)."""

    name = "bootstrap-koehn"
    named = "paired bootstrap"
    proposed = "Koehn 2004"
    interval = "percentile"
    label = "Koehn's paired bootstrap"
    in_words = "the paired bootstrap, by the share of resamples in which a system scores higher"
    cites = ("koehn-2004-statistical",)
    about = "Does one system score higher in at least 95% of resampled test sets?"
    estimand = _base.POPULATION
    assumes = "the direction was fixed in advance, which is false"
    differs = (
        "Not a p-value: “95% wins” is a one-sided test at .05 whose direction is chosen from the data, so its "
        "false-positive rate is 10–15%."
    )
    by_wins = True
    anticonservative_reason = "with the criterion of 95%, it has false positives in 10 to 15 of 100 cases"

    def __call__(self, pairs: Pairs) -> _base.Outcome:
        """Return no p-values: the shares of wins and ties, which every family has, decide (see `Comparison`)."""
        nothing = np.full(len(pairs.first), np.nan)
        return _base.Outcome(nothing, nothing, nothing, np.zeros(len(nothing), dtype=bool))
