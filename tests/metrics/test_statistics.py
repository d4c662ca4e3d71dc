"""The order of systems by their scores: the better end first, equal ones as they came, those without a score last."""

from dataclasses import dataclass

import numpy as np
import pytest

from mtsig import Corpus, Rating, measure
from mtsig._records import FloatArray
from mtsig.metrics import Metric

VALUES = np.array([[1.0, 3.0], [4.0, 6.0], [2.0, 2.0], [0.0, 0.0]])


@dataclass(frozen=True)
class OneOverLength(Metric):
    """One over the number of characters: no number where there are none."""

    name = "one over length"
    needs_references = False

    def count(self, corpus: Corpus) -> FloatArray:
        return np.array([[[len(line or "") for line in lines] for lines in corpus.outputs.values()]], float)

    def score(self, totals: FloatArray) -> FloatArray:
        return 1 / np.where(totals[0] == 0, np.nan, totals[0])


def corpus(higher: bool) -> Corpus:
    return Corpus.of(dict.fromkeys("ABCD"), ratings={"rating": Rating(VALUES, higher_is_better=higher)})


@pytest.mark.parametrize(("higher", "order"), [(True, "BACD"), (False, "DACB")])
def test_equal_scores_keep_the_order_of_the_corpus(higher: bool, order: str) -> None:
    assert measure(corpus(higher), "rating:rating").best_first == tuple(order)


def test_what_has_no_score_stands_last_wherever_it_came() -> None:
    statistics = measure(Corpus.of({"A": ["four"], "B": [""], "C": ["two"], "D": ["longest"]}), OneOverLength())
    assert np.isnan(statistics.scores).tolist() == [False, True, False, False]
    assert statistics.best_first == ("C", "A", "D", "B")
