"""Tests of two systems: paired targets go in, p-values (or a labelled win rate) come out."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mtsig.inference.probability import clopper_pearson, count_extreme, monte_carlo_p, tolerance
from mtsig.inference.targets import Pairs
from mtsig.resampling import Bootstrap, Plan, Swap, differing_units, shuffle, shuffle_completely

Floats = NDArray[np.float64]

ENUMERATED_UNITS = 20
"""Up to this many differing units a pair's p-value is found by enumeration (2^19 arrangements)."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a test says of m pairs; arrays have shape (m,).

    p_low, p_high: binomial interval of a simulated p-value; equal to it when exact.
    null: shape (m, b), joint draws under the null, for corrections that use them; complete: they are all there are,
    the observed ones being the first column.
    """

    p_value: Floats
    p_low: Floats
    p_high: Floats
    exact: NDArray[np.bool_]
    null: Floats | None = None
    complete: bool = False


class SignificanceTest(ABC):
    """A test of two systems on the same units; `plan` says how often to draw."""

    name: str
    label: str
    about: str
    estimand: str
    plan: Plan

    @abstractmethod
    def __call__(self, pairs: Pairs) -> Outcome:
        """Return what the test says of every pair."""


def _simulated(extreme: NDArray[np.int64], draws: int, null: Floats | None) -> Outcome:
    low, high = clopper_pearson(extreme.astype(np.float64), draws)
    exact = np.zeros(len(extreme), dtype=bool)
    return Outcome(monte_carlo_p(extreme, draws), low, high, exact, null)


@dataclass(frozen=True)
class ApproximateRandomization(SignificanceTest):
    """Exchange the labels of whole units with probability one half (RM05 section 4.1); p = (c + 1)/(R + 1).

    With at most 20 differing units all exchanges are enumerated, and p = c/2^m is exact. Identical systems give 1.
    """

    plan: Swap = field(default_factory=Swap)

    name = "ar"
    label = "approximate randomization"
    about = "How often does exchanging the two systems' outputs at random give a difference this large?"
    estimand = "null: within each unit the two outputs are exchangeable"

    def __call__(self, pairs: Pairs) -> Outcome:
        """Shuffle all pairs with the same exchanges; enumerate where that is cheaper, or the pair is small enough."""
        statistics, first, second = pairs.statistics, pairs.first, pairs.second
        union = int(differing_units(statistics, first, second).any(axis=0).sum())
        # All exchanges for the whole family when they are no more than the draws asked for.
        complete = 2 ** max(union - 1, 0) <= self.plan.n_draws
        if complete:
            null = shuffle_completely(statistics, first, second)
            p = count_extreme(null, pairs.estimate) / null.shape[1]
            return Outcome(p, p, p, np.ones(len(p), dtype=bool), null, complete=True)
        null = shuffle(statistics, self.plan, first, second)
        found = _simulated(count_extreme(null, pairs.estimate), self.plan.n_draws, null)
        for i in np.flatnonzero(pairs.differing <= ENUMERATED_UNITS):
            every = shuffle_completely(statistics, first[i : i + 1], second[i : i + 1])
            p_exact = count_extreme(every, pairs.estimate[i : i + 1])[0] / every.shape[1]
            for values in (found.p_value, found.p_low, found.p_high):
                values[i] = p_exact
            found.exact[i] = True
        return found


@dataclass(frozen=True)
class ShiftBootstrap(SignificanceTest):
    """Noreen's shift method done right: centre the signed differences, then take absolute values."""

    plan: Bootstrap = field(default_factory=Bootstrap)

    name = "bootstrap-shift"
    label = "shifted paired bootstrap"
    about = "How often does a redrawn test set move the difference, from its mean, by as much as was observed?"
    estimand = "difference of corpus scores in the population the units were sampled from"

    def __call__(self, pairs: Pairs) -> Outcome:
        """Count |d* − mean(d*)| ≥ |d|."""
        null = pairs.draws - pairs.draws.mean(axis=-1, keepdims=True)
        return _simulated(count_extreme(null, pairs.estimate), self.plan.n_draws, null)


@dataclass(frozen=True)
class BootstrapInterval(SignificanceTest):
    """Does the percentile interval of the paired difference exclude 0 (ZV04 section 3.2)?

    p is the interval turned round: the smallest alpha at which it would still exclude 0.
    """

    plan: Bootstrap = field(default_factory=Bootstrap)

    name = "bootstrap-ci"
    label = "bootstrap interval of the difference"
    about = "Does the middle part of the redrawn differences leave out zero? About, not exactly, a two-sided test."
    estimand = "difference of corpus scores in the population the units were sampled from"

    def __call__(self, pairs: Pairs) -> Outcome:
        """Return twice the smaller share of draws on either side of 0, at most 1."""
        slack = tolerance(pairs.estimate)[:, None]
        below = np.count_nonzero(pairs.draws <= slack, axis=-1)
        above = np.count_nonzero(pairs.draws >= -slack, axis=-1)
        one_sided = _simulated(np.minimum(below, above), self.plan.n_draws, None)
        p, low, high = (np.minimum(1.0, 2 * p) for p in (one_sided.p_value, one_sided.p_low, one_sided.p_high))
        return Outcome(p, low, high, one_sided.exact)


@dataclass(frozen=True)
class KoehnWins(SignificanceTest):
    """K04 section 6: how often each system wins on redrawn test sets. A win rate, not a p-value.

    "95% wins" is a one-sided test at .05; with the direction chosen after the fact it errs in 10–12% of cases.
    """

    plan: Bootstrap = field(default_factory=Bootstrap)

    name = "bootstrap-koehn"
    label = "paired-bootstrap win rate"
    about = "On what share of redrawn test sets is the first system ahead? A description; it is not a p-value."
    estimand = "none: a description of the resamples"

    def __call__(self, pairs: Pairs) -> Outcome:
        """Return no p-values; wins and ties stand in every family."""
        nothing = np.full(len(pairs.first), np.nan)
        return Outcome(nothing, nothing, nothing, np.zeros(len(nothing), dtype=bool))


TESTS: dict[str, SignificanceTest] = {
    one.name: one for one in (ApproximateRandomization(), ShiftBootstrap(), BootstrapInterval(), KoehnWins())
}
