"""A log-linear model of the choice among candidates, with an ℓ1 penalty and features selected by their gradient.

Features join where the gradient of the likelihood exceeds the penalty (Perkins, Lacker and Theiler 2003, Grafting).
Weights and digits do not depend on the number of threads: sums are einsum's plain loops.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from mtsig.arrays import Floats, Index, Mask
from mtsig.errors import NotApplicable

_SLACK = 1e-6
"""How far the gradient may lie from what an optimum asks for, as a share of the largest slope at zero."""

_ROUNDS = 10_000
_MEMORY = 30
_STARTS = 20

_NEAR = 1e-3
"""Parts of weights below this may be 0 but for where the search ended."""


@dataclass(frozen=True, eq=False)
class Choices:
    """N candidates of n segments, one segment's behind the other's.

    features: shape (N, d). starts: shape (n,), where each segment's candidates begin; the first is 0. target: shape
    (N,), the share that each candidate has of being its segment's right one; 1 in sum over a segment.
    """

    features: Floats
    starts: Index
    target: Floats

    @property
    def segment_of(self) -> Index:
        """The number of each candidate's segment; shape (N,)."""
        return np.repeat(np.arange(len(self.starts)), np.diff(self.starts, append=len(self.features)))

    def of(self, segments: Mask) -> "Choices":
        """Return the choices of these segments, given as a mask of shape (n,)."""
        kept = segments[self.segment_of]
        counts = np.diff(self.starts, append=len(self.features))[segments]
        return Choices(self.features[kept], np.cumsum(counts) - counts, self.target[kept])

    def log_chances(self, weights: Floats) -> Floats:
        """Return the log-probability of every candidate among its segment's; weights (d,) give (N,)."""
        scores = np.einsum("nd,d->n", self.features, weights)
        within = self.segment_of
        scores -= np.maximum.reduceat(scores, self.starts)[within]
        return np.asarray(scores - np.log(np.add.reduceat(np.exp(scores), self.starts))[within])

    def loss(self, weights: Floats) -> tuple[float, Floats]:
        """Return minus the mean log-likelihood of a segment, and its gradient by the weights, shape (d,)."""
        logs = self.log_chances(weights)
        slope = np.einsum("nd,n->d", self.features, np.exp(logs) - self.target)
        return -float(np.einsum("n,n->", self.target, logs)) / len(self.starts), slope / len(self.starts)

    @property
    def largest_slope(self) -> float:
        """The largest absolute slope at zero: with this penalty or a larger one no feature is selected."""
        return float(np.abs(self.loss(np.zeros(self.features.shape[1]))[1]).max(initial=0.0))

    def best(self, weights: Floats) -> Index:
        """Return the candidate with the highest score of every segment, the first of several; shape (n,)."""
        scores = np.einsum("nd,d->n", self.features, weights)
        top = np.flatnonzero(scores == np.maximum.reduceat(scores, self.starts)[self.segment_of])
        return top[np.searchsorted(top, self.starts)]


def standardized(features: Floats, starts: Index, trained_on: Mask) -> Floats:
    """Return features (N, d) minus their means in the segment, in units of their standard deviation.

    What is the same for all candidates of a segment chooses none of them. trained_on: shape (N,), the candidates whose
    standard deviation it is. A feature that does not vary there is 0.
    """
    counts = np.diff(starts, append=len(features))
    centred = features - np.repeat(np.add.reduceat(features, starts) / counts[:, None], counts, axis=0)
    spread = np.sqrt(np.square(centred[trained_on]).mean(axis=0))
    # What rounding leaves of no spread at all is not blown up to a feature.
    spread[spread <= 1e-12 * np.abs(features).max(axis=0, initial=0.0)] = np.inf
    return np.asarray(centred / spread)


@dataclass(frozen=True, eq=False)
class Fitted:
    """A model: weights, shape (d,), and the features in the order in which they were selected."""

    weights: Floats
    selected: tuple[int, ...]


def fit(choices: Choices, penalty: float, most: int | None = None) -> Fitted:
    """Return the weights that minimize the loss plus `penalty` times the sum of their absolute values.

    In every round all features join whose slope exceeds the penalty, and the weights of those selected are fitted anew.
    At most `most` features join, when given: then one a round, the one with the steepest slope.

    Raises:
        NotApplicable: the optimizer does not reach the optimum.
    """
    weights = np.zeros(choices.features.shape[1])
    slack = _SLACK * max(choices.largest_slope, np.finfo(float).tiny)
    selected: list[int] = []
    while True:
        slopes = np.abs(choices.loss(weights)[1])
        slopes[selected] = 0.0
        joining = [int(k) for k in np.argsort(-slopes, kind="stable") if slopes[k] > penalty + slack]
        if most is not None:
            joining = joining[: min(1, most - len(selected))]
        if not joining:
            return Fitted(weights, tuple(k for k in selected if weights[k]))
        selected += joining
        weights[selected] = _penalized(choices, selected, weights[selected], penalty, slack)


def _penalized(choices: Choices, selected: list[int], start: Floats, penalty: float, slack: float) -> Floats:
    """Return the best weights of the selected features: positive and negative parts, each bounded by 0."""
    part = Choices(np.ascontiguousarray(choices.features[:, selected]), choices.starts, choices.target)
    d = len(selected)

    def loss(both: Floats) -> tuple[float, Floats]:
        value, slope = part.loss(both[:d] - both[d:])
        return value + penalty * float(both.sum()), np.concatenate([slope, -slope]) + penalty

    both = np.concatenate([np.maximum(start, 0), np.maximum(-start, 0)])
    for _ in range(_STARTS):
        both = scipy.optimize.minimize(
            loss, both, jac=True, method="L-BFGS-B", bounds=[(0, None)] * (2 * d),
            options={"maxiter": _ROUNDS, "maxfun": 2 * _ROUNDS, "maxcor": _MEMORY, "ftol": 0.0, "gtol": slack / 10},
        ).x  # fmt: skip
        # Whatever its slope, a part near its bound ends the search: it is put there, and may leave in the next one.
        both = np.where((both < _NEAR) & (loss(both)[1] > slack), 0.0, both)
        weights = np.asarray(both[:d] - both[d:])
        off = float(off_optimum(part, weights, penalty).max())
        if off <= slack:
            return weights
    raise NotApplicable(
        f"The log-linear model did not converge: its slopes are {off:.2g} off the optimum, {slack:.2g} are allowed. A "
        "larger penalty helps, or fewer features that say the same."
    )


def off_optimum(choices: Choices, weights: Floats, penalty: float) -> Floats:
    """Return how far each slope lies from what Karush, Kuhn and Tucker's conditions ask for; shape (d,), 0 at best.

    Where a weight is not 0, the slope is the penalty with the other sign; where it is 0, the slope is at most that.
    """
    slope = choices.loss(weights)[1]
    return np.where(weights == 0, np.maximum(np.abs(slope) - penalty, 0), np.abs(slope + penalty * np.sign(weights)))
