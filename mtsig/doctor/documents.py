"""Documents: a test set without document ids comes out as what will be taken for independent instead."""

from collections.abc import Iterator

from mtsig.doctor.finding import Finding
from mtsig.doctor.view import View


def check(view: View) -> Iterator[Finding]:
    """Yield a finding where several systems are to be compared and nothing says which segments go together."""
    corpus = view.corpus
    if corpus.documents is not None or len(corpus.systems) < 2:
        return
    yield Finding(
        "documents",
        "note",
        "sure",
        "the test set",
        "has no document ids. Systems are judged by segments, or by blocks of consecutive segments where neighbouring "
        "segments are alike in what systems score; which of the two is said beside the verdicts.",
        "Give document ids, one a line: they judge better. If whole documents were shuffled, nothing "
        "else shows that segments go together.",
    )
