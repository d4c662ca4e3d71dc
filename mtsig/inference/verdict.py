"""The verdict on one comparison: three words, decided here and nowhere else."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from mtsig.inference.family import Comparison

Word = Literal["better", "not separated", "undecided"]


@dataclass(frozen=True)
class Verdict:
    """better: the winner is ahead, corrected p ≤ alpha. not separated: these data do not tell the two apart.

    undecided: interval and test disagree, or the number of draws leaves p on both sides of alpha, or there is no test.
    `reason` names the cause of an "undecided".
    """

    word: Word
    winner: str | None = None
    reason: str | None = None


def verdict(comparison: Comparison) -> Verdict:
    """Return the verdict on a comparison.

    The interval is held against the uncorrected p-value, which speaks of the same single comparison; the corrected
    p-value then decides.
    """
    alpha = comparison.alpha
    significant = comparison.significant
    if significant is None:
        return Verdict("undecided", reason=f"{comparison.test} gives no p-value; choose a test")
    if not comparison.exact and comparison.adjusted_low <= alpha < comparison.adjusted_high:
        return Verdict("undecided", reason="the corrected p is too near alpha for this number of draws; draw more")
    outside = comparison.low > 0 or comparison.high < 0
    if not np.isnan(comparison.low) and outside != (comparison.p_value <= alpha + 1e-12):
        return Verdict("undecided", reason="interval and test disagree")
    if not significant:
        return Verdict("not separated")
    return Verdict("better", winner=comparison.first if comparison.difference > 0 else comparison.second)
