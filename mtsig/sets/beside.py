"""Beside the average: whether the sets disagree, what holds for further ones, in how many sets, and ranks over them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from mtsig.arrays import Floats
from mtsig.corpus import Note, listed, number_of
from mtsig.errors import NotApplicable
from mtsig.inference.comparison import Comparison
from mtsig.inference.corrections import Holm
from mtsig.inference.family import Family
from mtsig.inference.settings import Settings
from mtsig.inference.sliced import Heterogeneity
from mtsig.inference.verdict import verdict
from mtsig.sets.collection import SetStatistics, names_with
from mtsig.sets.meta import FEWEST_SETS, random_effects
from mtsig.sets.pairs import PairOverSets, heterogeneity, independent_error
from mtsig.sets.ranks import Separation, SetRanks, rank_over_sets
from mtsig.sets.replicability import Combination, Replicability, one_sided, replicability
from mtsig.sets.results import OverSets, Pair

MOST_INFLATION = 1.25
"""Of 11 sets that share 24 documents it is above 3, and intervals of nominal 95% missed the mean in 32 of 200 cases."""

FEWEST_RANKED = 3
"""Two systems have no ranks beyond their one comparison."""


def described_of(
    statistics: SetStatistics, over: Sequence[PairOverSets], weights: Sequence[Floats], settings: Settings
) -> tuple[OverSets, ...]:
    """Return what stands beside every average, the tests of whether sets disagree corrected by Holm."""
    tests = [heterogeneity(pair_over_sets) for pair_over_sets in over]
    p = np.array([test.p_value for test in tests])
    corrected = np.where(np.isnan(p), np.nan, Holm().adjusted(np.nan_to_num(p, nan=1.0)))
    return tuple(
        _beside(statistics, pair_over_sets, w, test, float(adjusted), settings.level)
        for pair_over_sets, w, test, adjusted in zip(over, weights, tests, corrected, strict=True)
    )


def _beside(
    statistics: SetStatistics, pair: PairOverSets, weights: Floats, test: Heterogeneity, adjusted: float, level: float
) -> OverSets:
    count = len(pair.names)
    known = count > 1 and not np.isnan(pair.errors).any()
    further = random_effects(pair.differences, pair.covariance, level) if known else None
    why = ""
    if count < FEWEST_SETS:
        why = f"{number_of(count, 'set')} cannot stand for others; it takes {FEWEST_SETS}"
    elif pair.inflation > MOST_INFLATION:
        why = "the sets share too few units to tell how they move together"
    elif further is None:
        why = "the sets' differences have no covariance matrix that can be inverted"
    return OverSets(
        statistics.metric,
        statistics.signature,
        pair.first,
        pair.second,
        pair.names,
        tuple(weights.tolist()),
        tuple(pair.differences.tolist()),
        tuple(pair.errors.tolist()),
        int(np.count_nonzero(pair.differences > 0)),
        int(np.count_nonzero(pair.differences < 0)),
        independent_error(pair, weights),
        test.method,
        test.statistic,
        test.df1,
        test.df2,
        test.p_value,
        adjusted,
        further,
        why,
    )


def replicated_of(
    families: Mapping[str, Family],
    over: Sequence[PairOverSets],
    settings: Settings,
    combination: Combination,
    joint: bool = True,
) -> tuple[Replicability, ...]:
    """Return for every pair in how many sets each of the two is better; all pairs and directions share alpha.

    joint: whether the families of all sets were corrected as one, so that sets may be named.
    """
    if len(families) == 1 or not all(family.test.controls_type1 for family in families.values()):
        return ()
    alpha = (1 - settings.level) / len(over)
    replicated = []
    for pair in over:
        rows = [families[name][families[name].find(pair.first, pair.second) or 0] for name in pair.names]
        # Draws that leave a set's corrected p open withhold nothing here, where its own p is read.
        decided = [
            verdict(replace(row, p_adjusted_mc_low=row.p_adjusted, p_adjusted_mc_high=row.p_adjusted)) for row in rows
        ]
        given = np.array([one.word != "withheld" for one in decided])
        p = np.where(given, [row.p_value for row in rows], np.nan)
        d = np.array([row.difference for row in rows])
        names, sides = (pair.first, pair.second), settings.alternative

        def said(
            whose: Pair, p: Floats, alpha: float, pair: PairOverSets = pair, rows: Sequence[Comparison] = rows
        ) -> Replicability:
            winners = [name for name, row in zip(pair.names, rows, strict=True) if verdict(row).winner == whose[0]]
            return replicability(
                whose,
                len(pair.names),
                p,
                alpha,
                combination,
                shared=pair.shares_units,
                better_in=winners if joint else (),
                pairs=len(over),
            )

        if sides == "two-sided":
            replicated += [said(names, one_sided(d, p), alpha / 2), said(names[::-1], one_sided(-d, p), alpha / 2)]
        else:
            replicated.append(said(names if sides == "greater" else names[::-1], p, alpha))
    return tuple(replicated)


def ranks_of(
    statistics: SetStatistics, asked: Sequence[Pair], separation: Separation, settings: Settings
) -> tuple[SetRanks | None, tuple[Note, ...]]:
    """Return the ranks of the systems that are in every set, where all their pairs are asked for."""
    systems = tuple(dict.fromkeys(name for pair in asked for name in pair))
    everywhere = [name for name in systems if len(names_with(statistics, [name])) == len(statistics.of)]
    known = {frozenset(pair) for pair in asked}
    whole = all(frozenset(pair) in known for pair in combinations(everywhere, 2))
    if len(statistics.of) < FEWEST_SETS or len(everywhere) < FEWEST_RANKED or not whole:
        return None, ()
    scores = np.array([part.scores[[part.row(name) for name in everywhere]] for part in statistics.of.values()])
    if np.isnan(scores).any():
        return None, ()
    metric = next(iter(statistics.of.values())).metric
    try:
        set_ranks = rank_over_sets(scores, everywhere, 1 - settings.level, separation, metric.higher_is_better)
    except NotApplicable as error:  # too few sets to separate any pair: all else that the sets say stands
        return None, (Note("warning", f"Ranks over sets are left out. {error}"),)
    absent = [name for name in systems if name not in everywhere]
    if not absent:
        return set_ranks, ()
    return set_ranks, (Note("note", f"Ranks over sets are those of systems in every set: without {listed(absent)}."),)
