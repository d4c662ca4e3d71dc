"""Ranks: a corrected family goes in; what it lets one say about places comes out (STATISTICS.md, section 4)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mtsig.errors import NotApplicable
from mtsig.inference.adjust import CORRECTIONS
from mtsig.inference.corrections import CLASSICALLY
from mtsig.inference.family import Family
from mtsig.inference.verdict import verdict
from mtsig.metrics import Statistics
from mtsig.notebook import Shown
from mtsig.resampling import Bootstrap, resample


@dataclass(frozen=True, eq=False)
class Ranks(Shown):
    """Places of the s systems, best score first; arrays have shape (s,).

    low, high: the rank set. A system's place is at least 1 + the systems that are significantly better, and at most
    s − the systems that are significantly worse, by the corrected tests. cluster: 1, 2, …; a new one begins where
    every system above beats every system below. best_share: share of redrawn test sets in which the system scores best
    (ties divided), a description and no probability of being best; NaN without any unit that all systems have.
    units: how many there are; shared: how many of them all systems have, which are those redrawn.
    could_be_best: no system is significantly better.
    """

    metric: str
    systems: tuple[str, ...]
    scores: NDArray[np.float64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    cluster: NDArray[np.int64]
    best_share: NDArray[np.float64]
    level: float
    correction: str
    of: int
    units: int
    shared: int
    decimals: int = 2

    @property
    def could_be_best(self) -> tuple[str, ...]:
        """The confidence set of the best system: those that no other system is significantly better than."""
        return tuple(name for name, low in zip(self.systems, self.low, strict=True) if low == 1)

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per system, best score first."""
        return [
            {
                "system": name,
                "score": float(self.scores[i]),
                "rank_low": int(self.low[i]),
                "rank_high": int(self.high[i]),
                "cluster": int(self.cluster[i]),
                "best_share": float(self.best_share[i]),
                "could_be_best": bool(self.low[i] == 1),
            }
            for i, name in enumerate(self.systems)
        ]

    def to_frame(self) -> pd.DataFrame:
        """Return the records as a table."""
        return pd.DataFrame(self.rows())


def rankable(family: Family) -> bool:
    """Return whether the family holds all pairs of more than two systems, judged so that ranks can be read off it."""
    return len(family.systems) > 2 and _obstacle(family) is None


def _obstacle(family: Family) -> str | None:
    """Return why no ranks can be made of the family; None when they can."""
    size, test = len(family.systems), family.test
    if len(family) != size * (size - 1) // 2:
        return "Ranks need the comparisons of all pairs of systems."
    if np.isnan(family.p_adjusted).any():
        return f"Ranks need a p-value for every pair; {test.name} does not give them all."
    if test.alternative != "two-sided":
        return "Ranks need two-sided tests: both systems of a pair could be the better one."
    if not test.keeps_level:
        return f"Ranks need tests that err as often as they say; {test.name} does not ({test.too_often})."
    known = CORRECTIONS.get(family.correction)
    if known is not None and known.controls == "share of false claims":
        return f"Ranks need a correction that keeps the chance of any false claim; {known.name} keeps their share."
    if known is not None and known.controls == "any false claim, classically":
        return f"Ranks need the chance of any false claim to be kept; {known.name} keeps it only {CLASSICALLY}."
    return None


def ranks(family: Family) -> Ranks:
    """Return rank sets, clusters and the confidence set of the best, from a family of all pairs, corrected.

    Raises:
        NotApplicable: the family does not hold every pair of its systems, or its test has no p-values.
    """
    names = list(family.systems)
    size = len(names)
    obstacle = _obstacle(family)
    if obstacle is not None:
        raise NotApplicable(obstacle)
    beats = np.zeros((size, size), dtype=bool)
    for one in family:
        # What is undecided, for whatever reason, puts nobody above anybody.
        winner = verdict(one).winner
        if winner is not None:
            loser = one.second if winner == one.first else one.first
            beats[names.index(winner), names.index(loser)] = True
    statistics = family.statistics.select(names)
    better = -statistics.scores if statistics.metric.higher_is_better else statistics.scores
    order = np.argsort(better, kind="stable")
    low, high = 1 + beats.sum(axis=0), size - beats.sum(axis=1)
    # A cluster ends where every system above the line beats every system below it.
    cuts = [bool(beats[np.ix_(order[:i], order[i:])].all()) for i in range(1, size)]
    shared = statistics.units_of(names)
    share = _best_share(statistics.shared_by(names), family.plan) if shared else np.full(size, np.nan)
    return Ranks(
        family.metric,
        tuple(names[i] for i in order),
        statistics.scores[order],
        low[order],
        high[order],
        1 + np.concatenate([[0], np.cumsum(cuts)]).astype(np.int64),
        share[order],
        family.level,
        family.correction,
        family.judged,
        statistics.n,
        shared,
        statistics.metric.decimals,
    )


def _best_share(statistics: Statistics, plan: Bootstrap) -> NDArray[np.float64]:
    draws = resample(statistics, plan).draws
    best = draws == (draws.max(axis=0) if statistics.metric.higher_is_better else draws.min(axis=0))
    return np.asarray((best / best.sum(axis=0)).mean(axis=1))
