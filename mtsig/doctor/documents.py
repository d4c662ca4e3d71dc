"""Documents: a test set without document ids comes out as what will be taken for independent instead."""

from collections.abc import Iterator

from mtsig.corpus import MIN_DOCUMENTS, Corpus, number_of
from mtsig.doctor.finding import Finding
from mtsig.doctor.view import View
from mtsig.errors import MtsigError
from mtsig.metrics import FEW_SEGMENTS, Neighbours, Statistics, default_metrics, measure

_NO_IDS = (
    "Give document ids, one a line: they judge better. If whole documents were shuffled, nothing else shows that "
    "segments go together."
)


def check(view: View) -> Iterator[Finding]:
    """Yield a finding where several systems are to be compared and nothing says which segments go together."""
    corpus = view.corpus
    if len(corpus.systems) < 2:
        return
    if corpus.documents is None:
        yield _found(_by_order(corpus), _NO_IDS)
    elif (known := len(set(corpus.documents))) < MIN_DOCUMENTS:
        yield _found(
            f"has {number_of(known, 'document')}, too few to judge by: systems are judged by segments, "
            "and every verdict has a caution, as segments of one document may depend on each other.",
            f"Add documents, {MIN_DOCUMENTS} at least: verdicts rest on them.",
        )


def _found(found: str, advice: str) -> Finding:
    return Finding("documents", "note", "sure", "the test set", found, advice)


def _by_order(corpus: Corpus) -> str:
    """Return what systems will be judged by, and why: by the metric that is used where none is asked for."""
    try:
        at = measure(corpus, default_metrics(corpus)[0]).at("auto")
        order = at.order
    except MtsigError:  # what cannot be counted is said by whoever asks for numbers
        order = None
    if order is None or not order.known:
        said = (
            "has no document ids. Systems are judged by segments, or by blocks of consecutive segments where "
            "neighbouring segments are alike in what systems score; which of the two is said beside the verdicts."
        )
    else:
        said = _told(at, order)
    few = len(corpus) if order is None else order.segments
    if few < FEW_SEGMENTS:
        said += f" On fewer than {FEW_SEGMENTS} segments dependence is hardly seen: every verdict has a caution."
    return said


def _told(at: Statistics, order: Neighbours) -> str:
    z = f"z = {order.z:.2f} in {at.metric.name}"
    if order.alike:
        return (
            f"has no document ids, and neighbouring segments are alike ({z}), so they are not independent: systems are "
            f"judged by {at.n} blocks of about {order.segments / at.n:.0f} consecutive segments."
        )
    if order.unlike:
        return (
            f"has no document ids, and neighbouring segments are less alike than chance ({z}): are documents dealt out "
            "in turn? Systems are judged by segments, and every verdict has a caution."
        )
    return (
        f"has no document ids. Systems are judged by segments; nothing in their order speaks against it ({z}). Other "
        "metrics have a z of their own."
    )
