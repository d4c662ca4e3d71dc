"""Step by step: what draws do one after the other, so that a lesson can show each of them (K04, RM05, ZV04).

Every number is what `resample`, `shuffle` and the inference made of them say of that many draws: a shorter run is a
prefix of a longer one, so step k is the whole result of k draws.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import NDArray

from mtsig.arrays import Floats
from mtsig.errors import NotApplicable
from mtsig.inference.methods import middle
from mtsig.inference.probability import count_extreme
from mtsig.inference.significance import Outcome
from mtsig.inference.significance.base import counted
from mtsig.lab.material import Pair
from mtsig.metrics import FEWEST_UNITS, Statistics
from mtsig.resampling import Bootstrap, Distribution, Scheme, Swap, differing_units, resample, shuffle, sign_of

FEWEST_DRAWS = 10
"""Of fewer draws no interval is made."""

_WEIGHTS, _PICKS, _DRAWS_PICKED = 300_000, 20_000, 20
"""Weights and picks that are kept; of many units, those of fewer draws."""

_FIRST, _SECOND = np.array([0]), np.array([1])


@dataclass(frozen=True, eq=False)
class Trace:
    """b draws one after the other; the difference favours the first system where it is positive.

    statistics: the two systems on the units that both have, n of them. observed: their difference. values: shape (b,),
    the difference at each draw. weights: shape (kept, n), what the first draws did with each unit: how often it was
    drawn, or whether its labels were exchanged; of many units, fewer draws are kept.
    """

    statistics: Statistics
    scheme: Scheme
    observed: float
    values: Floats
    weights: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Redrawn(Trace):
    """Test sets drawn with replacement.

    scores: shape (2, b), of either system. picks: of the first draws, the units in the order in which they were drawn,
    shape (picked, n). paired: whether both systems were scored on the same redraws.
    """

    distribution: Distribution
    picks: NDArray[np.int64]
    paired: bool = True

    @property
    def scores(self) -> Floats:
        """The scores of both systems, shape (2, b)."""
        return self.distribution.draws

    def interval(self, draws: int, level: float = 0.95) -> tuple[float, float]:
        """Return the percentile interval of the difference by the first draws."""
        low, high = middle(self.values[:draws], level)
        return float(low), float(high)

    @cached_property
    def intervals(self) -> dict[int, tuple[float, float]]:
        """The 95% percentile interval by number of draws, from the fewest that make one to all."""
        return {draws: self.interval(draws) for draws in range(FEWEST_DRAWS, len(self.values) + 1)}


@dataclass(frozen=True, eq=False)
class Exchanged(Trace):
    """Labels exchanged at random.

    differing: shape (n,), on which units the two systems count differently: exchanging the others changes nothing.
    """

    differing: NDArray[np.bool_]

    @cached_property
    def beyond(self) -> NDArray[np.bool_]:
        """Which differences are at least as far from zero as the observed one; shape (b,)."""
        return count_extreme(self.values[:, None], np.full(len(self.values), self.observed)) > 0

    @cached_property
    def outcomes(self) -> Outcome:
        """(c + 1)/(R + 1) after each of R = 1, 2 … b draws, with its Monte Carlo interval; arrays of shape (b,)."""
        return counted(np.cumsum(self.beyond), np.arange(1, len(self.values) + 1))


@overload
def trace(statistics: Statistics, scheme: Bootstrap, pair: Pair) -> Redrawn: ...
@overload
def trace(statistics: Statistics, scheme: Swap, pair: Pair) -> Exchanged: ...


def trace(statistics: Statistics, scheme: Bootstrap | Swap, pair: Pair) -> Redrawn | Exchanged:
    """Return what the scheme's draws do to the difference of a pair, draw by draw.

    Raises:
        UnknownName: a name is no system's.
        NotApplicable: the two systems share one unit or none, or documents are asked for and unknown or too few.
    """
    shared = _shared(statistics, scheme, pair)
    sign = sign_of(shared.metric)
    observed = float(sign * (shared.scores[0] - shared.scores[1]))
    weights = _weights(scheme, shared.n)
    if isinstance(scheme, Swap):
        values = shuffle(shared, scheme, _FIRST, _SECOND)[0]
        return Exchanged(shared, scheme, observed, values, weights, differing_units(shared, _FIRST, _SECOND)[0])
    drawn = resample(shared, scheme)
    picks = scheme.picks(shared.n, min(_DRAWS_PICKED, max(1, _PICKS // shared.n)))
    return Redrawn(shared, scheme, observed, drawn.differences(_FIRST, _SECOND)[0], weights, drawn, picks)


def unpaired(statistics: Statistics, scheme: Bootstrap, pair: Pair) -> Redrawn:
    """Return redraws in which the second system has test sets of its own: for teaching only.

    Systems scored on the same units go up and down together. Draws that lose this make the difference look less certain
    than it is, so nothing else in the program draws so. The weights and picks are the first system's.

    Raises:
        UnknownName: a name is no system's.
        NotApplicable: as `trace`.
    """
    paired = trace(statistics, scheme, pair)
    other = resample(paired.statistics, replace(scheme, seed=scheme.seed ^ 1))
    drawn = replace(other, draws=np.stack([paired.scores[0], other.draws[1]]))
    return replace(paired, values=drawn.differences(_FIRST, _SECOND)[0], distribution=drawn, paired=False)


def _shared(statistics: Statistics, scheme: Scheme, pair: Pair) -> Statistics:
    """Return the statistics of the pair at the unit that is drawn."""
    shared = statistics.at(scheme.unit).shared_by(pair)
    if shared.n < FEWEST_UNITS:
        raise NotApplicable(f"One {shared.unit} alone has no spread: at least {FEWEST_UNITS} are needed.")
    return shared


def _weights(scheme: Scheme, n: int) -> NDArray[np.int64]:
    """Return the weights of the first draws, as many as are kept of n units."""
    kept = min(scheme.n_draws, max(1, _WEIGHTS // n))
    blocks, total = scheme.blocks(n), 0
    rows: list[NDArray[np.int64]] = []
    while total < kept:
        rows.append(next(blocks)[: kept - total].astype(np.int64))
        total += len(rows[-1])
    return np.concatenate(rows)
