"""In how many sets: one-sided p-values of sets go in; in how many a system is better at least comes out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
import scipy

from mtsig.arrays import Floats
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.records import Count, Probability, Record, SystemName, about, at_most

Combination = Literal["bonferroni", "fisher"]


@dataclass(frozen=True)
class Replicability(Record):
    """In how many of the sets that have both systems the first is better."""

    first: Annotated[SystemName, about("The system that is better, if any is.")]
    second: Annotated[SystemName, about("The other one.")]
    sets: Annotated[Count, about("How many sets have both.")]
    least: Annotated[Count, about("The first is better in at least so many of them."), at_most("sets")]
    alpha: Annotated[Probability, about("The level of this pair and direction: its share of alpha over all of them.")]
    combination: Annotated[str, about("bonferroni: under any dependence; fisher: independent sets only.")]
    p_values: Annotated[tuple[float, ...], about("p of “better in fewer than u sets”, u = 1, 2 …")]
    better_in: Annotated[tuple[str, ...], about("In which sets it is better by the joint family of all sets.")]
    pairs: Annotated[Count, about("How many pairs share alpha.")] = 1
    withheld: Annotated[Count, about("Sets without a verdict: they count as if their p were 1.")] = 0


def partial_conjunction(p: Floats, combination: Combination = "bonferroni") -> Floats:
    """Return p of the hypotheses "fewer than u of the J sets have an effect", u = 1 … J; shape (J,).

    With p_(1) ≤ … ≤ p_(J): by Bonferroni (J − u + 1) p_(u), whatever the dependence; by Fisher the tail of χ² with
    2(J − u + 1) degrees of freedom beyond −2 Σ_{i ≥ u} ln p_(i), for independent sets. Running maximum over u
    (Benjamini and Heller 2008; Dror et al. 2017). A p-value that is missing counts as 1.

    >>> import numpy as np
    >>> from mtsig.sets import partial_conjunction
    >>> partial_conjunction(np.array([0.001, 0.01, 0.4])).tolist()
    [0.003, 0.02, 0.4]

    Raises:
        InvalidOption: there is no such combination.
    """
    ascending = np.sort(np.nan_to_num(np.asarray(p, dtype=np.float64), nan=1.0))
    left = np.arange(len(ascending), 0, -1)
    if combination == "bonferroni":
        result = np.minimum(1.0, left * ascending)
    elif combination == "fisher":
        with np.errstate(divide="ignore"):
            statistic = -2 * np.cumsum(np.log(ascending)[::-1])[::-1]
        result = scipy.special.gammaincc(left, statistic / 2)
    else:
        raise InvalidOption(f"p-values of sets are combined by bonferroni or fisher; found {combination!r}.")
    return np.maximum.accumulate(result)


def least_number(p: Floats, alpha: float) -> int:
    """Return the largest u whose p of `partial_conjunction` is at most alpha; 0 where none is."""
    return int(np.count_nonzero(np.asarray(p) <= alpha + 1e-12))


def one_sided(difference: Floats, p: Floats) -> Floats:
    """Return the p-values of "the first is better" from two-sided ones of laws that are symmetric about 0."""
    return np.where(difference > 0, p / 2, np.where(difference < 0, 1 - p / 2, np.where(np.isnan(p), p, 0.5)))


def replicability(
    pair: tuple[str, str],
    sets: int,
    p: Floats,
    alpha: float,
    combination: Combination = "bonferroni",
    *,
    shared: bool = False,
    better_in: Sequence[str] = (),
    pairs: int = 1,
) -> Replicability:
    """Return in how many sets the first of a pair is better, from one-sided p-values; shape (J,), NaN where withheld.

    alpha: of this pair and direction. Where alpha over all chains of hypotheses is α, P pairs in both directions have
    α/(2P) each: then no number is overstated with probability 1 − α, whatever the dependence, since within a chain
    only the first true hypothesis counts. shared: whether sets share units. better_in: the sets that show it by
    themselves. pairs: P.

    Raises:
        NotApplicable: Fisher's combination of sets that share units.
    """
    if combination == "fisher" and shared:
        raise NotApplicable(
            "Fisher's combination is for independent sets, and these share units. Choose bonferroni, which holds "
            "under any dependence."
        )
    each = partial_conjunction(p, combination)
    return Replicability(
        *pair,
        sets,
        least_number(each, alpha),
        alpha,
        combination,
        tuple(each.tolist()),
        tuple(better_in),
        pairs=pairs,
        withheld=int(np.isnan(p).sum()),
    )
