"""Checks of documents, and of ratings that may be joined to the wrong segments or have the wrong direction."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mtsig._records import FloatArray, Floats
from mtsig.corpus import Corpus, Rating
from mtsig.corpus._notes import MIN_DOCUMENTS, listed, number_of
from mtsig.doctor._view import Finding, View
from mtsig.errors import MtsigError
from mtsig.metrics import Statistics, default_metrics, in_use, measure, metric
from mtsig.metrics._sums import FEW_SEGMENTS, Neighbours, seem_correlated

_NO_IDS = (
    "Document ids, one per line, are more reliable. If whole documents were shuffled, only document ids show which "
    "segments belong together."
)


def check_documents(view: View) -> Iterator[Finding]:
    """Yield a finding if several systems are compared and document ids are missing."""
    corpus = view.corpus
    if len(corpus.systems) < 2:
        return
    if corpus.documents is None:
        yield _found(_by_order(corpus), _NO_IDS)
    elif (known := len(set(corpus.documents))) < MIN_DOCUMENTS:
        yield _found(
            f"{number_of(known, 'document')} {'is' if known == 1 else 'are'} too few to be the sampling unit. Systems "
            "are compared by segments. Every verdict has a caution, because segments of a document may depend on each "
            "other.",
            f"Add documents: verdicts need at least {MIN_DOCUMENTS}.",
            f"Only {number_of(known, 'document')}",
        )


def _found(found: str, advice: str, headline: str = "No document ids") -> Finding:
    return Finding("documents", "note", "certain", "the test set", found, advice, (), headline, cause="documents")


def _by_order(corpus: Corpus) -> str:
    """Return what systems will be judged by, and why: by the metric that is used where none is asked for."""
    try:
        chosen = metric(default_metrics(corpus)[0], corpus.ratings).on(corpus)
        at = (in_use.get((corpus.digest, repr(chosen))) or measure(corpus, chosen)).at("auto")
        order = at.order
    except MtsigError:  # what cannot be counted is said by whoever asks for numbers
        order = None
    if order is None or not order.known:
        said = (
            "has no document ids. Systems are compared by segments. If neighbouring segments have correlated scores, "
            "blocks of consecutive segments are used instead. The results name the unit."
        )
    else:
        said = _told(at, order)
    few = len(corpus) if order is None else order.segments
    if few < FEW_SEGMENTS:
        said += f" With fewer than {FEW_SEGMENTS} segments, dependence is hard to detect: every verdict has a caution."
    return said


def _told(at: Statistics, order: Neighbours) -> str:
    z = f"z = {order.z:.2f} in {at.metric.name}"
    if order.alike:
        return (
            f"has no document ids, and the scores of neighbouring segments {seem_correlated(order.z)} ({z}), so "
            f"systems are compared by {at.n} blocks of about {order.segments / at.n:.0f} consecutive segments."
        )
    if order.unlike:
        return (
            f"has no document ids, and neighbouring segments are less similar than by chance ({z}). Are documents "
            "interleaved? Systems are compared by segments, and every verdict has a caution."
        )
    return (
        f"has no document ids. Systems are compared by segments; the order of segments shows no dependence ({z}). "
        "Other metrics may give another z."
    )


CLEAR = 5.0
"""Standard errors by which another order must fit better, or the sign be wrong: not once in a million by chance."""

LEAST = 0.05
"""Least correlation that is worth speaking of."""


class Order(NamedTuple):
    """Another order in which scores may have been joined: score k belongs to segment `order[k]`."""

    name: str
    order: NDArray[np.int64]


def check_join(view: View) -> Iterator[Finding]:
    """Yield every rating that fits the texts clearly better in another order of segments than in its own."""
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
                f"correlates {signed:.2f} with the similarity of outputs to references in its present order, but "
                f"{best:.2f} {how}."
            )
            advice = "Was it joined by line although its numbers follow another order? Join it again before you use it."
            headed = f"{name}: joined to wrong segments?"
            yield Finding("rating order", "warning", "likely", f"rating {name!r}", said, advice, (), headed)


def check_sign(view: View) -> Iterator[Finding]:
    """Yield every rating whose correlation with similarity to the reference contradicts its stated direction."""
    for name, rating, likeness in _rated(view):
        own, count = correlation(rating.values, likeness)
        signed = own if rating.higher_is_better else -own
        if count >= 100 and signed < -max(LEAST, CLEAR / np.sqrt(count)):
            direction = "higher" if rating.higher_is_better else "lower"
            said = f"is declared as {direction} = better, but correlates {signed:.2f} with similarity to references."
            advice = f"Reverse its direction if {'lower' if rating.higher_is_better else 'higher'} values are better."
            headed = f"{name}: direction reversed?"
            yield Finding("rating sign", "warning", "likely", f"rating {name!r}", said, advice, (), headed)


def correlation(values: FloatArray, likeness: FloatArray) -> tuple[float, int]:
    """Return Pearson's correlation over all (system, segment) that have both, within systems, and their number.

    Both have shape (s, n), NaN where nobody rated, or a system has no text.
    """
    both = ~np.isnan(values) & ~np.isnan(likeness)
    first, second = _within(values, both), _within(likeness, both)
    scale = np.sqrt((first**2).sum() * (second**2).sum())
    return (float((first * second).sum() / scale) if scale > 0 else 0.0), int(both.sum())


def check_scale(view: View) -> Iterator[Finding]:
    """Yield the ratings that some systems have as fractions of 1, and others in percent."""
    names = list(view.corpus.systems)
    for name, rating in view.corpus.ratings.items():
        fractions, percents = list[str](), list[str]()
        for system, row in zip(names, rating.values, strict=True):
            known = row[~np.isnan(row)]
            if len(known) >= _FEW_RATED and known.min() >= 0:
                mean = known.mean()
                # Errors of a system that makes few are no fractions: those of others are not 30 times as many.
                fractions += [system] if known.max() <= 1 and mean >= _OF_ONE else []
                percents += [system] if known.max() > 1 and known.max() <= 100 and mean >= _OF_HUNDRED else []
        if fractions and percents:
            small, large = (listed(some[:_NAMED]) for some in (fractions, percents))
            said = f"looks like fractions of 1 for {small}, but like percentages for {large}."
            advice = "Use one scale for all systems: divide or multiply by 100."
            headed, whose = f"{name} is on two scales", tuple(fractions + percents)
            yield Finding("rating scale", "warning", "likely", f"rating {name!r}", said, advice, (), headed, whose)


_FEW_RATED, _NAMED, _OF_ONE, _OF_HUNDRED = 5, 3, 0.1, 10.0
"""Scores that show a scale; systems named; the least means of fractions and of percentages."""


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
            likeness[row, view.places] = view.own[runs[0]]
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
    yield Order("shifted by one segment forward", np.arange(n) + 1)
    yield Order("in reverse order", np.arange(n)[::-1].copy())
    sources = corpus.segments.sources
    if sources is not None:
        yield Order("with segments sorted by their source", _sorted_by(lambda i: (sources[i],), n))
    documents = corpus.documents
    if documents is not None:
        yield Order("with documents sorted by their id", _sorted_by(lambda i: (documents[i],), n))
        small = [document.lower() for document in documents]
        if small != list(documents):
            yield Order("with documents sorted by their lower-cased id", _sorted_by(lambda i: (small[i],), n))


def _sorted_by(key: Callable[[int], tuple[str, ...]], n: int) -> NDArray[np.int64]:
    return np.array(sorted(range(n), key=key), dtype=np.int64)
