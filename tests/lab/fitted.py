"""The model of simulated segments fitted to a pair of real systems: how the numbers of `NEWS` were found."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import scipy

from mtsig._records import Floats
from mtsig.inference._dependence import dependence
from mtsig.lab._worlds import ORDERS, SegmentModel
from mtsig.metrics import Statistics

_NODES, _MASSES = np.polynomial.hermite_e.hermegauss(25)
_MASSES = _MASSES / _MASSES.sum()


def fit(statistics: Statistics, first: str, second: str) -> SegmentModel:
    """Return the model fitted to a pair of real systems: rates to the first, likeness to both.

    Rates and slopes are maximum likelihood; likeness and the share of the document are set so that simulated systems
    correlate, and depend within documents, as the two do.
    """
    pair = statistics.select([first, second])
    length, reference, *counts = pair.values[:, 0].astype(np.float64)
    ratio = length.sum() / reference.sum()
    base, slope = _rates(length, np.array(counts[:ORDERS]))
    documents = pair.n_documents
    model = SegmentModel(
        lengths=tuple(float(q) for q in np.rint(np.quantile(reference, np.linspace(0, 1, 41)))),
        ratio=round(float(ratio), 4),
        spread=round(float(np.sqrt(np.mean(np.square(length - ratio * reference) / np.maximum(reference, 1)))), 4),
        base=base,
        slope=slope,
        likeness=0.5,
        within=0.0,
        document=10 if documents is None else max(2, round(pair.n / documents)),
    )
    scores = tuple(float(score) for score in pair.scores)
    likeness = _solved(lambda x: _correlation(_made(replace(model, likeness=x), scores)), _correlation(pair))
    model = replace(model, likeness=likeness)
    if documents is None:
        return model
    alike = dependence(pair, first).icc
    return replace(model, within=_solved(lambda x: _icc(replace(model, within=x), scores), alike))


def _rates(length: Floats, matches: Floats) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return base and slope of each order by maximum likelihood, the ease being integrated out."""
    left = np.empty_like(matches)
    for order in range(ORDERS):
        before = length if order == 0 else matches[order - 1]
        left[order] = np.maximum(np.minimum(before, length - order), matches[order])

    def loss(parameters: Floats) -> float:
        odds = parameters[:ORDERS, None] + parameters[ORDERS:, None] * _NODES
        hit, miss = scipy.special.log_expit(odds), scipy.special.log_expit(-odds)
        by_node = np.einsum("on,oq->nq", matches, hit) + np.einsum("on,oq->nq", left - matches, miss)
        return -float(scipy.special.logsumexp(by_node, b=_MASSES, axis=1).sum())

    rate = matches.sum(axis=1) / left.sum(axis=1)
    start = np.concatenate([scipy.special.logit(rate), np.full(ORDERS, 0.7)])
    result = scipy.optimize.minimize(loss, start, method="L-BFGS-B").x
    return tuple(round(float(x), 4) for x in result[:ORDERS]), tuple(round(float(x), 4) for x in result[ORDERS:])


def _made(model: SegmentModel, scores: tuple[float, ...]) -> Statistics:
    return model.simulate(scores, 20_000).statistics


def _correlation(pair: Statistics) -> float:
    return float(np.corrcoef(*pair.influence).item(1))


def _icc(model: SegmentModel, scores: tuple[float, ...]) -> float:
    made = _made(model, scores[:1])
    return dependence(made, made.systems[0]).icc


def _solved(function: Callable[[float], float], target: float) -> float:
    """Return where an increasing function on (0, 1) reaches the target, to two digits; an end when it does not."""
    low, high = 0.0, 0.99
    for _ in range(8):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < target else (low, middle)
    return round((low + high) / 2, 2)
