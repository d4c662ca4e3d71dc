"""Planning: how many judgements a difference needs."""

from dataclasses import dataclass
from math import ceil, log, nan
from typing import Annotated

import numpy as np

from mtsig._probability import check_level, normal_quantile
from mtsig._records import Count, Number, Record, about
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference._power import smallest_units
from mtsig.preference._judged import Judged
from mtsig.preference._strengths import ELO, analysed

_TOO_SMALL = 1.1
"""The design effect of a round robin is 5 to 10% too small where judgements of a document are alike."""


@dataclass(frozen=True)
class PreferencePlan(Record):
    """How many judgements show a difference with this power."""

    win_rate: Annotated[Number, about("Share of judgements that the better system wins, with a tie as half.")]
    ties: Annotated[Number, about("Share of ties.")]
    icc: Annotated[Number, about("Correlation between two judgements of the same document.")]
    per_document: Annotated[Count, about("Number of judgements per document.")]
    systems: Annotated[Count, about("Number of systems; all pairs are compared equally often.")]
    level: Annotated[Number, about("1 minus the error rate.")]
    power: Annotated[Number, about("Probability that such a campaign detects the difference.")]
    judgements: Annotated[Number, about("Number of judgements needed, over all pairs.")]
    pilot: Annotated[Count, about("Number of documents in the pilot; 0 without a pilot.")] = 0

    @property
    def documents(self) -> int:
        """Documents that are needed."""
        return ceil(self.judgements / self.per_document)

    @property
    def sentence(self) -> str:
        """What is needed, in one sentence."""
        pairs = self.systems * (self.systems - 1) // 2
        of = "" if pairs == 1 else f" between two of {self.systems} systems, after correction for {pairs} comparisons"
        return (
            f"About {self.judgements:,.0f} judgements ({self.documents:,} documents with {self.per_document} each) are "
            f"needed to detect {self.win_rate:.0%} against {1 - self.win_rate:.0%} with {self.ties:.0%} ties{of}, with "
            f"{self.power:.0%} power{f', estimated from {self.pilot:,} pilot documents' if self.pilot else ''}."
        )


def plan_preferences(
    win_rate: float = 0.55,
    ties: float = 0.3,
    icc: float = 0.1,
    per_document: int = 5,
    systems: int = 2,
    *,
    level: float = 0.95,
    power: float = 0.8,
) -> PreferencePlan:
    """Compute how many judgements are needed to detect a difference.

    For one pair, N = (z_{1−α/2} + z_power)² · ((1 − t) − (2w − 1)²)/(2w − 1)² · (1 + (m − 1) ICC), with win rate w (a
    tie is half a win), share of ties t, and m judgements per document. For a round robin of s systems with log odds δ
    of a win without ties, N = (z + z)² · 4(s − 1)/((1 − t) δ²) · (1 + (m/(s − 1) − 1) ICC), with z corrected for all
    pairs (Bonferroni). If judgements are correlated, N is a tenth larger, as found by simulation.

    Raises
    ------
    InvalidOption
        A share is out of range, or the difference to detect is zero.

    Examples
    --------
    >>> from mtsig.preference import plan_preferences
    >>> print(plan_preferences(0.55).sentence)
    About 758 judgements (152 documents with 5 each) are needed to detect 55% against 45% with 30% ties, with 80% power.
    """
    check_level(level)
    check_level(power)
    if not 0.5 < win_rate < 1 or not 0 <= ties < 1 or not 0 <= icc <= 1 or per_document < 1 or systems < 2:
        raise InvalidOption(
            "A plan needs a win rate between .5 and 1, a share of ties from 0 to below 1, an ICC from 0 to 1, at least "
            f"1 judgement per document and 2 systems; found {win_rate}, {ties}, {icc}, {per_document} and {systems}."
        )
    pairs = systems * (systems - 1) / 2
    alpha = (1 - level) / pairs
    both = (normal_quantile(1 - alpha / 2) + normal_quantile(power)) ** 2
    net, odds = 2 * win_rate - 1, _odds(win_rate, ties)
    if systems == 2:
        needed = both * ((1 - ties) - net**2) / net**2 * (1 + (per_document - 1) * icc)
    else:
        effect = max(1.0, 1 + (per_document / (systems - 1) - 1) * icc)
        needed = both * 4 * (systems - 1) / ((1 - ties) * odds**2) * effect * (_TOO_SMALL if icc > 0 else 1)
    return PreferencePlan(win_rate, ties, icc, per_document, systems, level, power, float(needed))


def plan_like(judged: Judged, win_rate: float = 0.55, *, power: float = 0.8) -> PreferencePlan:
    """Return how many judgements like these a difference needs: by the standard error of the median pair.

    Raises
    ------
    InvalidOption
        The win rate or the power is out of range.
    """
    check_level(power)
    data, level = analysed(judged.preferences), judged.settings.level
    ties, documents = float((data.outcome == 0).mean()), len(data.documents)
    if not 0.5 < win_rate < 1:
        raise InvalidOption(f"A plan needs a win rate between .5 and 1; found {win_rate}.")
    difference = ELO * _odds(win_rate, ties) if judged.by_strengths else 100 * (2 * win_rate - 1)
    family = judged.study.results[0].compared
    known = np.flatnonzero(family.standard_error > 0)
    if not len(known):
        raise NotApplicable("A plan needs the standard error of a pair, and no pair has one.")
    at = known[np.argsort(family.standard_error[known])[len(known) // 2]]
    pilot, df = int(family.units[at]), float(family.df[at])
    tail = (1 - level) / 2 / len(family)
    needed = smallest_units(float(family.standard_error[at]), df, pilot, difference, tail, power, True, df)
    each = max(1, round(len(data) / documents))
    # A pair may be in few of the documents.
    whole = needed * documents / pilot * each
    systems = len(data.systems)
    return PreferencePlan(win_rate, ties, nan, each, systems, level, power, float(whole), documents)


def _odds(win_rate: float, ties: float) -> float:
    """Return the log odds of decided judgements, of which the better system wins (w − t/2)/(1 − t)."""
    decided = (win_rate - ties / 2) / (1 - ties) if ties < 1 else 1.0
    if decided >= 1:
        raise InvalidOption(f"With {ties:.0%} ties counted as half, a system cannot win {win_rate:.0%}.")
    return log(decided / (1 - decided))
