"""Ratings against the text they are said to be of: joined in the wrong order, or with their sign turned.

A rating that means anything goes with the likeness of an output to its reference, weakly but over all segments. Joined
by the wrong order it does not, and with the sign turned it goes against it. Direct assessments of WMT are the known
trap: their segment numbers count segments after sorting documents by id.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mtsig.arrays import Floats
from mtsig.corpus import Corpus, FloatArray, Rating
from mtsig.doctor.finding import Finding
from mtsig.doctor.view import View

CLEAR = 5.0
"""Standard errors by which another order must fit better, or the sign be wrong: not once in a million by chance."""

LEAST = 0.05
"""Least correlation that is worth speaking of."""


class Order(NamedTuple):
    """Another way in which scores may have been joined: score k belongs to segment `order[k]`."""

    name: str
    order: NDArray[np.int64]


def check_join(view: View) -> Iterator[Finding]:
    """Yield every rating that fits the texts in another order of segments clearly better than in its own."""
    orders = list(_orders(view.corpus))
    for name, rating, likeness in _rated(view):
        own, count = correlation(rating.values, likeness)
        signed = own if rating.higher_is_better else -own
        agreements = [(correlation(_joined(rating.values, order.order), likeness)[0], order.name) for order in orders]
        if not agreements or count < 100:
            continue
        turned = 1 if rating.higher_is_better else -1
        best, how = max((turned * agreement, words) for agreement, words in agreements)
        if best - signed > CLEAR / np.sqrt(count) and best > LEAST and best > 2 * abs(signed):
            said = (
                f"correlates {signed:.2f} with the likeness of outputs to references as it is joined, but {best:.2f} "
                f"{how}."
            )
            advice = "Was it joined by line where its numbers follow another order? Join it again before using it."
            yield Finding("rating order", "warning", "likely", f"rating {name!r}", said, advice)


def check_sign(view: View) -> Iterator[Finding]:
    """Yield every rating that goes against likeness to the reference, given the direction it is said to have."""
    for name, rating, likeness in _rated(view):
        own, count = correlation(rating.values, likeness)
        signed = own if rating.higher_is_better else -own
        if count >= 100 and signed < -max(LEAST, CLEAR / np.sqrt(count)):
            direction = "higher" if rating.higher_is_better else "lower"
            said = (
                f"is said to be better when {direction}, but correlates {signed:.2f} with likeness to the references."
            )
            advice = f"Turn its direction round: {'lower' if rating.higher_is_better else 'higher'} is better?"
            yield Finding("rating sign", "warning", "likely", f"rating {name!r}", said, advice)


def correlation(values: FloatArray, likeness: FloatArray) -> tuple[float, int]:
    """Return Pearson's correlation over all (system, segment) that have both, within systems, and their number.

    Args:
        values: the ratings, shape (s, n), NaN where nobody rated.
        likeness: shape (s, n), NaN where a system has no text.
    """
    both = ~np.isnan(values) & ~np.isnan(likeness)
    first, second = _within(values, both), _within(likeness, both)
    scale = np.sqrt((first**2).sum() * (second**2).sum())
    return (float((first * second).sum() / scale) if scale > 0 else 0.0), int(both.sum())


def _within(values: FloatArray, known: NDArray[np.bool_]) -> Floats:
    """Return the deviations from each system's mean, 0 where not known: that systems differ must not decide."""
    filled = np.where(known, values, 0.0)
    means = filled.sum(axis=1, keepdims=True) / np.maximum(known.sum(axis=1, keepdims=True), 1)
    return np.where(known, filled - means, 0.0)


def _rated(view: View) -> Iterator[tuple[str, Rating, Floats]]:
    if not view.corpus.ratings or not view.corpus.references:
        return
    likeness = np.full((len(view.corpus.systems), len(view.corpus)), np.nan)
    for row, runs in enumerate(view.corpus.systems.values()):
        if len(runs) == 1:
            likeness[row, view.numbers] = view.own[runs[0]]
    for name, rating in view.corpus.ratings.items():
        yield name, rating, likeness


def _joined(values: FloatArray, order: NDArray[np.int64]) -> Floats:
    """Return the scores as they are when score k belongs to segment order[k]; NaN where that is outside."""
    result = np.full(values.shape, np.nan)
    inside = (order >= 0) & (order < values.shape[1])
    result[:, order[inside]] = values[:, inside]
    return result


def _orders(corpus: Corpus) -> Iterator[Order]:
    n = len(corpus)
    yield Order("shifted by one segment back", np.arange(n) - 1)
    yield Order("shifted by one segment on", np.arange(n) + 1)
    yield Order("in reverse order", np.arange(n)[::-1].copy())
    sources = corpus.segments.sources
    if sources is not None:
        yield Order("with segments sorted by their source", _sorted_by(lambda i: (sources[i],), n))
    documents = corpus.documents
    if documents is not None:
        yield Order("with documents sorted by their id", _sorted_by(lambda i: (documents[i],), n))
        small = [document.lower() for document in documents]
        if small != list(documents):
            yield Order("with documents sorted by their id in small letters", _sorted_by(lambda i: (small[i],), n))


def _sorted_by(key: Callable[[int], tuple[str, ...]], n: int) -> NDArray[np.int64]:
    return np.array(sorted(range(n), key=key), dtype=np.int64)
