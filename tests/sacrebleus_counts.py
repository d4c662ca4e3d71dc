"""What sacreBLEU's own objects count, as a witness."""

from typing import Any

import numpy as np

from mtsig import Corpus
from mtsig.metrics import Metric


def sacrebleus(one: Any, corpus: Corpus) -> np.ndarray:
    """Return what sacreBLEU's own object counts; shape (k, s, n)."""
    scorer = one.scorer(references=[list(lines) for lines in corpus.references.values()])
    rows = [scorer._extract_corpus_statistics(list(corpus.lines(name)), None) for name in corpus.systems]
    return np.moveaxis(np.array(rows), 2, 0)


def agree(one: Metric, corpus: Corpus) -> None:
    """Check that every statistic of every segment is sacreBLEU's."""
    np.testing.assert_array_equal(one.count(corpus), sacrebleus(one, corpus))
