"""Which reference a metric chose: it is asked to count the segment, with all references and with each by itself."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import Corpus, Segments
from mtsig.metrics import Metric


def chosen_reference(metric: Metric, line: str, references: Mapping[str, str], rows: slice = slice(None)) -> str:
    """Return the first reference that alone gives what all of them give, in these rows of the metric's counts."""
    if len(references) > 1:
        counts = _counted(metric, line, references)[rows]
        for name, text in references.items():
            if np.array_equal(_counted(metric, line, {name: text})[rows], counts):
                return name
    return next(iter(references))


def _counted(metric: Metric, line: str, references: Mapping[str, str]) -> NDArray[np.float64]:
    """Return the metric's counts of one output, shape (k,)."""
    corpus = Corpus(Segments(1), {"": (line,)}, {"": ("",)}, {name: (text,) for name, text in references.items()})
    return np.asarray(metric.count(corpus)[:, 0, 0], dtype=np.float64)
