"""Equal scores: two systems go in, a population comes out in which they score the same and yet are not exchangeable.

Exchanging labels makes systems alike in everything, and under that randomization is exact by construction: it says
nothing about systems that are equally good in different ways. Here every system keeps its own outputs in every unit,
and the population is changed until the true scores agree:

- centred, where the score is a mean of real numbers per segment: each system's numbers are shifted by a constant;
- tilted otherwise: units are drawn with unequal chances p ∝ exp(λu), u being the unit's influence on the difference,
  and λ such that the scores at the expected totals agree (exponential tilting: Efron 1981, Davison and Hinkley 1997,
  section 4.4). Counts stay possible counts, and ties stay ties. Of all chances that do it, these are nearest to equal
  ones (in p log p) if influences are those at the tilted totals. At the real ones they say how far a document is below
  the real difference, not below none: a long one that is a little below would be drawn before those that turn it round.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import scipy

from mtsig.arrays import Floats
from mtsig.errors import NotApplicable
from mtsig.lab.populations import FEWEST, Population
from mtsig.metrics import Metric, Statistics

_STEEPEST = 64.0
"""Standard deviations of influence in the exponent: far beyond this one unit holds all of the weight."""

_STEPS, _MOST_STEPS = 8, 50
"""In how many steps the difference is taken away, and how many more may settle the influences."""


def equal_scores(statistics: Statistics, by_document: bool, effect: float = 0.0) -> Population:
    """Return a population in which true differences are `effect` times the real ones: with 0, equal scores.

    Args:
        statistics: systems by segment, with documents where whole ones are to be drawn; more than two only where the
            score is a mean of real numbers.
        by_document: whether whole documents are to be drawn; a tilt then gives chances to documents.
        effect: the share of the real difference that is kept, from 0 to 1.

    Raises:
        NotApplicable: no tilt makes the scores equal, or only one that leaves hardly any unit in effect; or there are
            more than two systems to be tilted.
    """
    if can_be_centred(statistics):
        return Population(centred(statistics, effect), origin="the test set, centred")
    if len(statistics.systems) > 2:
        raise NotApplicable(
            f"More than two systems are made equal in score where it is a mean of real numbers per segment, and "
            f"{statistics.metric.name} is none: take such a metric (sentchrf), or two systems."
        )
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
    tilt = _Tilt.of(real.statistics.by_document() if by_document else real.statistics)
    weights = tilt.weights(effect)
    document_of = real.statistics.document_of
    if by_document and document_of is not None:
        weights = weights[np.unique(document_of, return_inverse=True)[1]]
    variant = replace(real, weights=weights, origin="the test set, tilted")
    left = variant.effective(by_document)
    if left < FEWEST:
        units = "documents" if by_document else "segments"
        raise _impossible(f"only with chances so unequal that {left:.1f} {units} are left in effect")
    return variant


@dataclass(frozen=True, eq=False)
class _Tilt:
    """The difference of two systems as a function of the weights of n units; values: shape (k, 2, n)."""

    metric: Metric
    values: Floats

    @classmethod
    def of(cls, statistics: Statistics) -> "_Tilt":
        """Return the tilt of two systems on these units."""
        return cls(statistics.metric, statistics.values.astype(np.float64))

    def weights(self, effect: float) -> Floats:
        """Return weights of mean 1 under which the difference is `effect` times the real one; shape (n,).

        Gently, step after step: each takes the influences where the one before arrived. At the end steps stay where
        they are until nothing moves.

        Raises:
            NotApplicable: there are none.
        """
        weights = np.ones(self.values.shape[-1])
        real = self.difference(weights)
        if effect == 1 or real == 0:
            return weights
        for share in np.linspace(1, effect, _STEPS + 1)[1:]:
            weights = self._next(weights, share * real, real)
        for _ in range(_MOST_STEPS):
            before, weights = weights, self._next(weights, effect * real, real)
            if np.allclose(before, weights, rtol=1e-9):
                break
        if not abs(self.difference(weights) - effect * real) <= 1e-6 * abs(real):
            raise _impossible("the score jumps where they would agree")
        return weights

    def difference(self, weights: Floats) -> float:
        """Return the difference of the scores at the weighted totals."""
        first, second = self.metric.score(self._totals(weights))
        return float(first - second)

    def _totals(self, weights: Floats) -> Floats:
        # einsum's plain loop adds in one order whatever the number of threads.
        return np.asarray(np.einsum("ksn,n->ks", self.values, weights))

    def _influence(self, weights: Floats) -> Floats:
        """Return each unit's influence on the difference at the weighted totals, in standard deviations.

        Raises:
            NotApplicable: the score has no derivative there.
        """
        slopes = self.metric.gradient(self._totals(weights)) * np.array([1.0, -1.0])
        moved = np.einsum("ks,ksn->n", slopes, self.values)
        if not np.all(np.isfinite(moved)):
            raise _impossible("the score has no derivative where they would agree")
        spread = moved.std()
        return np.asarray(moved / spread if spread > 0 else moved)

    def _next(self, weights: Floats, wanted: float, real: float) -> Floats:
        """Return the tilt by the influences at these weights that makes the difference what is wanted."""
        pull = self._influence(weights)

        def tilted(steepness: float) -> Floats:
            exponents = steepness * pull
            weights = np.exp(exponents - exponents.max())
            return np.asarray(weights / weights.mean())

        return tilted(_root(lambda steepness: self.difference(tilted(steepness)) - wanted, -np.sign(real)))


def _root(gap: Callable[[float], float], direction: float) -> float:
    """Return where the gap is 0, looked for in one direction, the gentle tilts first.

    Raises:
        NotApplicable: it is 0 nowhere.
    """
    start, reach = gap(0.0), 1 / 16
    if start == 0:
        return 0.0
    while reach <= _STEEPEST:
        if np.sign(gap(direction * reach)) == -np.sign(start):
            return float(scipy.optimize.brentq(gap, 0.0, direction * reach, xtol=1e-15, rtol=1e-14))
        reach *= 2
    raise _impossible("the same one stays ahead")


def _impossible(why: str) -> NotApplicable:
    return NotApplicable(f"These two systems cannot be made equal in score by drawing some units more often: {why}.")
