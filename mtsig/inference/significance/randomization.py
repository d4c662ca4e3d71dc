"""Approximate randomization: labels exchanged within units."""

from dataclasses import dataclass, field

import numpy as np

from mtsig._records import Floats
from mtsig.inference.probability import count_extreme
from mtsig.inference.significance.base import BY_EXCHANGE, EXCHANGEABLE, Directed, Outcome, simulated
from mtsig.inference.targets import Pairs
from mtsig.progress import report
from mtsig.resampling import Swap, differing_units, shuffle, shuffle_completely

ENUMERATED_UNITS = 20
"""Up to this many differing units a pair's p-value is found by enumeration (2^19 arrangements)."""

MOST_TOGETHER, _MOST_NUMBERS = 2**17, 2**21
"""Up to so many exchanges, and numbers, a whole family is enumerated whatever the draws.

So p-values that tie at their floor do so in the joint law, too; drawing would tell them apart by chance.
"""


@dataclass(frozen=True)
class ApproximateRandomization(Directed):
    """Exchange the labels of whole units with probability one half (RM05 section 4.1); p = (c + 1)/(R + 1).

    With at most 20 differing units all exchanges are enumerated, and p = c/2^m is exact. Identical systems give 1.
    """

    scheme: Swap = field(default_factory=Swap)

    name = "ar"
    named = "approximate randomization"
    proposed = "Riezler & Maxwell 2005"
    label = BY_EXCHANGE
    in_words = "paired approximate randomization"
    cites = ("noreen-1989-computer", "riezler-maxwell-2005-pitfalls")
    about = "How often does exchanging the two systems' outputs at random give a difference this large?"
    estimand = EXCHANGEABLE
    assumes = "units are independent; nothing about distributions"
    differs = (
        "The default over segments. Over documents it tests whether the two systems' documents could be exchanged; "
        "exact for that (.04–.06 measured). It does not test that two systems score the same: with equal scores but "
        "documents of very unequal length or behaviour it erred in up to 11 of 100 pairs and 25 of 100 families of 6."
    )
    exchanges = True

    def __call__(self, pairs: Pairs) -> Outcome:
        """Shuffle all pairs with the same exchanges; enumerate where that is cheaper, or the pair is small enough."""
        statistics, first, second = pairs.statistics, pairs.first, pairs.second
        union = int(differing_units(statistics, first, second).any(axis=0).sum())
        # All exchanges for the whole family when they are no more than the draws asked for, or soon done.
        every = 2 ** max(union - 1, 0)
        if every <= self.scheme.n_draws or (every <= MOST_TOGETHER and len(first) * every <= _MOST_NUMBERS):
            null = self._mirrored(shuffle_completely(statistics, first, second))
            p = count_extreme(null, pairs.estimate, self.alternative) / null.shape[1]
            return Outcome(p, p, p, np.ones(len(p), dtype=bool), null, complete=True)
        outcome = simulated(shuffle(statistics, self.scheme, first, second), pairs.estimate, self.alternative)
        small = np.flatnonzero(pairs.n_differing <= ENUMERATED_UNITS)
        for done, i in enumerate(small, 1):
            report(done / len(small))
            every = self._mirrored(shuffle_completely(statistics, first[i : i + 1], second[i : i + 1]))
            extreme = count_extreme(every, pairs.estimate[i : i + 1], self.alternative)
            for values in (outcome.p_value, outcome.p_mc_low, outcome.p_mc_high):
                values[i] = extreme[0] / every.shape[1]
            outcome.exact[i] = True
        return outcome

    def _mirrored(self, half: Floats) -> Floats:
        """Return all arrangements from the half in which one unit stays: the other half has the signs turned."""
        return half if self.alternative == "two-sided" else np.concatenate([half, -half], axis=1)
