"""Equal scores: two systems go in, a population comes out in which they score the same and yet are not exchangeable.

Exchanging labels makes systems alike in everything, and under that randomization is exact by construction: it says
nothing about systems that are equally good in different ways. Here every system keeps its own outputs in every unit,
and the population is changed until the true scores agree:

- centred, where the score is a mean of real numbers per segment: each system's numbers are shifted by a constant;
- tilted otherwise: units are drawn with unequal chances p ∝ exp(λu), u being the unit's influence on the difference,
  and λ such that the scores at the expected totals agree (exponential tilting: Efron 1981, Davison and Hinkley 1997,
  section 4.4). Counts stay possible counts, and ties ties.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from mtsig.errors import NotApplicable
from mtsig.experiments.populations import FEWEST, Population
from mtsig.metrics import Statistics
from mtsig.resampling import sign_of

Floats = NDArray[np.float64]

Null = Literal["exchangeable", "equal-scores"]

NULLS: dict[Null, str] = {
    "exchangeable": "systems that are exchangeable",
    "equal-scores": "systems of equal score that are not exchangeable",
}
"""The nulls of which test sets are drawn, and what they are in words."""

LITTLE_SHARE = 0.2
"""A tilt that leaves less of the units in effect than this makes a population unlike the data, which is to be said."""

_STEEPEST = 64.0
"""Standard deviations of influence in the exponent: far beyond this one unit holds all of the weight."""


def equal_scores(statistics: Statistics, by_document: bool, effect: float = 0.0) -> Population:
    """Return a population of two systems whose true difference is `effect` times the real one: 0, equal scores.

    Args:
        statistics: two systems by segment, with documents where whole ones are to be drawn.
        by_document: whether whole documents are to be drawn; a tilt then gives chances to documents.
        effect: the share of the real difference that is kept, from 0 to 1.

    Raises:
        NotApplicable: no tilt makes the scores equal, or only one that leaves hardly any unit in effect.
    """
    if can_be_centred(statistics):
        return Population(centred(statistics, effect), origin="the test set, centred")
    return _tilted(Population(statistics), by_document, effect)


def can_be_centred(statistics: Statistics) -> bool:
    """Return whether the score is a mean of real numbers per segment, whose scale a shift does not leave.

    Whole numbers stay whole: right and wrong shifted by .03 would be judgements that nobody can make.
    """
    values = statistics.values
    mean = statistics.metric.is_segment_mean and len(values) == 2 and bool(np.all(values[1] == 1))
    return mean and values.dtype != np.float32


def centred(statistics: Statistics, effect: float = 0.0) -> Statistics:
    """Return the statistics of a segment mean with each system's segments shifted by a constant towards a common mean.

    Differences between the systems' totals are exactly `effect` times the real ones, up to half a step of the grid
    that real scores stand on; with effect 0 they are 0. Where a shift is no whole number of steps, some segments are
    shifted by one step more, as adding must stay exact.
    """
    grid = 2 / statistics.rounding
    sums = statistics.values[0].sum(axis=-1)
    wanted = np.rint((effect * sums + (1 - effect) * sums.mean()) * grid) - np.rint(sums * grid)
    steps, more = np.divmod(wanted, statistics.n)
    shifts = steps[:, None] + (np.arange(statistics.n) < more[:, None])
    values = statistics.values.copy()
    values[0] += shifts / grid
    return replace(statistics, values=values)


def _tilted(real: Population, by_document: bool, effect: float) -> Population:
    """Return the population with the weights of the units that make the difference `effect` times what it is.

    Raises:
        NotApplicable: there are none.
    """
    pull = _pull(real.statistics, by_document)

    def tilted(steepness: float) -> Population:
        exponents = steepness * pull
        weights = np.exp(exponents - exponents.max())
        return replace(real, weights=weights / weights.mean(), origin="the test set, tilted")

    apart = _difference(real)

    def gap(steepness: float) -> float:
        return _difference(tilted(steepness)) - effect * apart

    found = tilted(_root(gap, apart))
    if not abs(_difference(found) - effect * apart) <= 1e-6 * abs(apart):
        raise _impossible("the score jumps where they would agree")
    left = found.effective(by_document)
    if left < FEWEST:
        units = "documents" if by_document else "segments"
        raise _impossible(f"only with chances so unequal that {left:.1f} {units} are left in effect")
    return found


def _pull(statistics: Statistics, by_document: bool) -> Floats:
    """Return each unit's influence on the difference in standard deviations, its document's where these are drawn.

    Raises:
        NotApplicable: the score has no derivative at the totals.
    """
    moved = statistics.influence[0] - statistics.influence[1]
    if not np.all(np.isfinite(moved)):
        raise _impossible("the score has no derivative here")
    if by_document and statistics.document_of is not None:
        moved = np.bincount(statistics.document_of, weights=moved)[statistics.document_of]
    spread = moved.std()
    return np.asarray(moved / spread if spread > 0 else moved)


def _difference(population: Population) -> float:
    first, second = population.systems
    return population.true_difference(first, second) * sign_of(population.statistics.metric)


def _root(gap: Callable[[float], float], apart: float) -> float:
    """Return where the gap is 0, looked for in the direction that lessens it, the gentle tilts first.

    Raises:
        NotApplicable: it is 0 nowhere.
    """
    start = gap(0.0)
    if start == 0:
        return 0.0
    direction, reach = -np.sign(apart), 1 / 16
    while reach <= _STEEPEST:
        end = gap(direction * reach)
        if np.sign(end) == -np.sign(start):
            return float(optimize.brentq(gap, 0.0, direction * reach, xtol=1e-15, rtol=1e-14))
        reach *= 2
    raise _impossible("the same one stays ahead")


def _impossible(why: str) -> NotApplicable:
    return NotApplicable(f"These two systems cannot be made equal in score by drawing some units more often: {why}.")
