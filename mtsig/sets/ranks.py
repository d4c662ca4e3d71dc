"""Ranks over sets: scores of systems in sets go in; mean ranks, Friedman's test and who is separated come out."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Literal

import numpy as np
import scipy

from mtsig.arrays import Floats
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.records import Count, Number, Probability, Record, SystemName, about
from mtsig.sets.meta import FEWEST_SETS
from mtsig.sets.separations import SEPARATIONS

Separation = Literal["nemenyi", "wilcoxon-holm"]


@dataclass(frozen=True)
class SetRanks(Record):
    """Mean ranks of systems over sets, best first: each set's score taken as exact, the sets as a sample."""

    systems: Annotated[tuple[SystemName, ...], about("The systems, best mean rank first.")]
    mean_ranks: Annotated[tuple[float, ...], about("Their mean ranks; ties share their ranks.")]
    sets: Annotated[Count, about("How many sets.")]
    statistic: Annotated[Number, about("Friedman's χ², corrected for ties.")]
    df: Annotated[Count, about("Its degrees of freedom.")]
    p_value: Annotated[Probability, about("Its p: do mean ranks differ at all?")]
    separation: Annotated[str, about("What separates pairs: nemenyi, or wilcoxon-holm.")]
    critical_difference: Annotated[Number, about("Nemenyi's: how far mean ranks must lie apart; null for others.")]
    pair_p: Annotated[
        tuple[tuple[float, ...], ...], about("p of every pair, in the order of the systems; 1 to itself.")
    ]
    cliques: Annotated[
        tuple[tuple[SystemName, ...], ...],
        about("Neighbours that do not differ significantly: as many systems as possible in each."),
    ]


def rank_over_sets(
    scores: Floats,
    systems: Sequence[str],
    alpha: float = 0.05,
    separation: Separation = "nemenyi",
    higher_is_better: bool = True,
) -> SetRanks:
    """Return the systems' mean ranks with Friedman's test and what separates them.

    What separates them is in `mtsig.sets.separations`.

    >>> import numpy as np
    >>> from mtsig.sets import rank_over_sets
    >>> scores = np.array([[30, 28, 25], [31, 30, 24], [29, 27, 26], [33, 31, 27], [30, 29, 25], [32, 30, 26]], float)
    >>> rank_over_sets(scores, ["A", "B", "C"]).mean_ranks
    (1.0, 2.0, 3.0)

    Args:
        scores: shape (J, k).
        systems: k names.
        alpha: the error rate.
        separation: what separates two systems.
        higher_is_better: the direction of the scores.

    Raises:
        NotApplicable: there are fewer than 5 sets or 2 systems, a score is missing, or the sets are too few for
            Wilcoxon's test.
        InvalidOption: there is no such way to separate.
    """
    count, k = scores.shape
    if count < FEWEST_SETS or k < 2:
        raise NotApplicable(f"Ranks over sets need {FEWEST_SETS} sets and 2 systems; found {count} and {k}.")
    if np.isnan(scores).any():
        raise NotApplicable("Ranks over sets need a score of every system in every set.")
    turned = -scores if higher_is_better else scores
    # Those that tie share the mean of their places.
    better, ties = (count_of(turned[:, None], turned[:, :, None]).sum(axis=2) for count_of in (np.less, np.equal))
    ranks = better + (ties + 1) / 2
    order = np.lexsort((np.arange(k), ranks.mean(axis=0)))
    ranks, turned = ranks[:, order], turned[:, order]
    names, means = [systems[i] for i in order], ranks.mean(axis=0)
    spread = np.square(ranks - (k + 1) / 2).sum() / (k - 1)
    statistic = float(np.square(ranks.sum(axis=0) - count * (k + 1) / 2).sum() / spread) if spread > 0 else 0.0
    first, second = np.array(list(combinations(range(k), 2))).T
    if separation not in SEPARATIONS:
        raise InvalidOption(f"Ranks are separated by {' or '.join(SEPARATIONS)}; found {separation!r}.")
    p, critical = SEPARATIONS[separation](ranks, turned, first, second, alpha)
    table = np.eye(k)
    table[first, second] = table[second, first] = p
    return SetRanks(
        tuple(names),
        tuple(means.tolist()),
        count,
        statistic,
        k - 1,
        float(scipy.special.chdtrc(k - 1, statistic)),
        separation,
        critical,
        tuple(map(tuple, table.tolist())),
        cliques(names, table <= alpha),
    )


def cliques(
    names: Sequence[str], separated: np.ndarray[tuple[int, int], np.dtype[np.bool_]]
) -> tuple[tuple[str, ...], ...]:
    """Return the maximal runs of neighbours, of two or more, of which no two are separated; shape (k, k)."""
    cliques: list[tuple[str, ...]] = []
    reached = 0
    for begin in range(len(names)):
        end = begin + 1
        while end < len(names) and not separated[begin:end, end].any():
            end += 1
        if end > reached and end - begin > 1:
            cliques.append(tuple(names[begin:end]))
        reached = max(reached, end)
    return tuple(cliques)
