"""Which reference a metric chose: it is asked to count the output, with all references and with each by itself."""

from collections.abc import Mapping

import numpy as np

from mtsig.corpus import Corpus, Segments
from mtsig.metrics import Metric


def chosen_reference(metric: Metric, line: str, references: Mapping[str, str], rows: slice = slice(None)) -> str:
    """Return the first reference that alone gives what all of them give, in these rows of the metric's counts."""
    first, *others = references
    if not others:
        return first
    # As segments of one corpus, which are counted at once: the output with all of them, then with one after the other.
    n = 1 + len(references)
    streams = {
        name: (text, *(text if place == own else None for place in range(1, n)))
        for own, (name, text) in enumerate(references.items(), 1)
    }
    counts = metric.count(Corpus(Segments(n), {"": (line,) * n}, {"": ("",)}, streams))[rows, 0]
    alone = (counts[:, 1:] == counts[:, :1]).all(axis=0)
    return list(references)[int(np.argmax(alone))]
