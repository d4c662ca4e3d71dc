"""Tests on segment scores: about the mean, the middle or the sign of segment differences, not about corpus scores."""

from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal, TypeAlias

import numpy as np
import scipy

from mtsig._records import Floats
from mtsig.citations import Citations
from mtsig.inference.distributions import normal_above
from mtsig.inference.significance.base import Alternative, Directed, Outcome, computed, segment_differences
from mtsig.inference.significance.jackknife import t_tail
from mtsig.inference.targets import Pairs
from mtsig.resampling import Bootstrap

_NOISE = 1e-7
"""A spread below this share of the mean difference is what the grid of scores left of equal differences."""

EXACT_SIGNS = 25
"""Up to this many non-zero differences the signed ranks are enumerated (docs/statistics/tests.md, section 5)."""


Zeros: TypeAlias = Literal["pratt", "drop"]
"""Whether segments that do not differ are ranked and then dropped, or dropped before anything is ranked."""


@dataclass(frozen=True)
class PairedT(Directed):
    """Student's t test on the differences of segment scores."""

    scheme: Bootstrap = field(default_factory=Bootstrap)

    name = "t"
    proposed = "Student 1908"
    label = "paired t test on segments"
    names_unit = True
    in_words = "a paired t test on segment scores"
    cites = ("student-1908",)
    about = "Is the mean difference of segment scores zero?"
    estimand = "mean difference of segment scores"
    assumes = "independent segments; means about normal"
    differs = "Speaks of means of segment scores; by t instead of exchanging labels."
    segment_only = True

    def __call__(self, pairs: Pairs) -> Outcome:
        """Return p by t with n − 1 degrees of freedom; NaN where all differences are equal and not zero."""
        values, lost = [], []
        for differences, pair in zip(segment_differences(pairs), pairs.labels, strict=True):
            n, spread, mean = len(differences), differences.std(ddof=1), differences.mean()
            if spread <= _NOISE * abs(mean):
                values.append(1.0 if mean == 0 else np.nan)
                lost += [" – ".join(pair)] if mean != 0 else []
                continue
            values.append(float(t_tail(mean / (spread / np.sqrt(n)), n - 1, self.alternative)))
        text = f"No t test where every segment differs by the same amount: {', '.join(lost)}."
        return computed(np.array(values), (text,) if lost else ())


@dataclass(frozen=True)
class SignedRank(Directed):
    """Wilcoxon's signed-rank test; zeros are ranked and then dropped (Pratt 1959).

    Up to 25 non-zero differences the exact law of the signs over the midranks, else normal with tie correction.
    """

    scheme: Bootstrap = field(default_factory=Bootstrap)

    name = "wilcoxon"
    named = "signed-rank test on segments"
    proposed = "Wilcoxon 1945"
    label = "Wilcoxon signed-rank test on segments"
    names_unit = True
    in_words = "Wilcoxon's signed-rank test on segment scores"
    cites: ClassVar[Citations] = ("wilcoxon-1945", "pratt-1959")
    about = "Are the differences of segment scores centred on zero?"
    estimand = "pseudo-median of the differences of segment scores"
    assumes = "independent segments; differences symmetric about their centre"
    differs = "Speaks of ranks of segment differences: many small gains can outweigh a few large losses."
    segment_only = True
    zeros: ClassVar[Zeros] = "pratt"

    def __call__(self, pairs: Pairs) -> Outcome:
        """Return the p-value of every pair; 1 where nothing differs."""
        differences, slack = segment_differences(pairs), pairs.statistics.rounding
        outcome = computed(
            np.array([signed_rank_p(difference, self.alternative, self.zeros, slack) for difference in differences])
        )
        return replace(
            outcome, exact=np.array([np.count_nonzero(difference) <= EXACT_SIGNS for difference in differences])
        )


def signed_rank_p(
    differences: Floats, alternative: Alternative = "two-sided", zeros: Zeros = "pratt", slack: float = 0.0
) -> float:
    """Return the p-value of the signed-rank test.

    Sizes that lie within `slack` of each other are ties: on paper −1.1 − (−.1) and −2 − (−1) are the same difference.
    """
    kept = differences if zeros == "pratt" else differences[differences != 0]
    ranks = scipy.stats.rankdata(_tied(np.abs(kept), slack))[kept != 0]
    signs = np.sign(kept[kept != 0])
    if not len(ranks):
        return 1.0
    positive = float(ranks[signs > 0].sum())
    if len(ranks) <= EXACT_SIGNS:
        return _exact_signs(ranks, positive, alternative)
    centre, spread = ranks.sum() / 2, np.sqrt(np.square(ranks).sum() / 4)
    z = (positive - centre) / spread
    if alternative == "two-sided":
        return float(2 * normal_above(abs(z)))
    return float(normal_above(z if alternative == "greater" else -z))


def _tied(sizes: Floats, slack: float) -> Floats:
    """Return the sizes with those that lie within `slack` of their neighbour made equal."""
    order = np.argsort(sizes, kind="stable")
    ascending = sizes[order]
    starts = np.maximum.accumulate(np.where(np.diff(ascending, prepend=-np.inf) > slack, np.arange(len(sizes)), 0))
    counts = np.empty(len(sizes))
    counts[order] = ascending[starts]
    return counts


def _exact_signs(ranks: Floats, positive: float, alternative: Alternative) -> float:
    """Return the exact tail of the sum of positive midranks, by convolution on doubled (so whole) ranks."""
    doubled = np.rint(2 * ranks).astype(np.int64)
    ways = np.zeros(doubled.sum() + 1)
    ways[0] = 1.0
    for rank in doubled:
        ways[rank:] = ways[rank:] + ways[: len(ways) - rank]
    ways /= ways.sum()
    at = round(2 * positive)
    above, below = float(ways[at:].sum()), float(ways[: at + 1].sum())
    if alternative == "two-sided":
        return min(1.0, 2 * min(above, below))
    return above if alternative == "greater" else below


@dataclass(frozen=True)
class WmtSignedRank(SignedRank):
    """The signed-rank test of WMT's general task (2024, 2025): scipy's default, which drops zeros."""

    name = "wmt-wilcoxon"
    named = "signed-rank test as WMT computes it"
    label = "WMT's signed-rank test on segments"
    in_words = "Wilcoxon's signed-rank test on segment scores, without the segments that do not differ"
    cites = ("wilcoxon-1945",)
    about = "What do WMT's rankings by human scores rest on?"
    differs = "Speaks of ranks of segment differences, and leaves out segments on which the two do not differ."
    zeros = "drop"


@dataclass(frozen=True)
class SignTest(Directed):
    """The sign test: a binomial on the segments that differ."""

    scheme: Bootstrap = field(default_factory=Bootstrap)

    name = "sign"
    proposed = "Dixon & Mood 1946"
    label = "sign test on segments"
    names_unit = True
    in_words = "the sign test on segment scores"
    cites = ("dixon-mood-1946",)
    about = "Is the first system better on half of the segments that differ?"
    estimand = "share of differing segments on which the first system is better"
    assumes = "independent segments"
    differs = "Counts wins of segments and ignores their size."
    segment_only = True

    def __call__(self, pairs: Pairs) -> Outcome:
        """Return the binomial p-value of every pair; 1 where nothing differs."""
        p_values = []
        for differences in segment_differences(pairs):
            wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
            trials = wins + losses
            p_values.append(
                float(scipy.stats.binomtest(wins, trials, alternative=self.alternative).pvalue) if trials else 1.0
            )
        return computed(np.array(p_values), exact=True)
