"""Metrics that stand on unlike units, documents here and segments there, are told and judged each by its own."""

import numpy as np
import pytest

from mtsig import Corpus, Rating, Settings, measure
from mtsig.inference._significance._jackknife import jackknife_p
from mtsig.metrics import metric
from mtsig.report import comparison_table, score_table
from mtsig.study import Request, conduct, study_of


@pytest.fixture
def corpus() -> Corpus:
    """Return two ratings: one of all 20 documents, the other of 8, which are too few to be units."""
    random = np.random.default_rng(5)
    values = random.normal(70, 9, (3, 160)) + np.array([[0.8], [0.3], [0.0]])
    part = np.where(np.arange(160) < 64, random.normal(70, 9, (3, 160)) + np.array([[4.0], [1.0], [0.0]]), np.nan)
    ratings = {"whole": Rating(values, higher_is_better=True), "part": Rating(part, higher_is_better=True)}
    documents = tuple(f"d{number // 8}" for number in range(160))
    return Corpus.of(dict.fromkeys("ABC"), documents=documents, ratings=ratings)


@pytest.mark.parametrize("joined", [False, True])
@pytest.mark.parametrize("test", ["auto", "ar"])
def test_a_study_of_both_is_told_and_read_again(corpus: Corpus, test: str, joined: bool) -> None:
    metrics = (metric("rating:whole", corpus.ratings), metric("rating:part", corpus.ratings))
    study = conduct(corpus, Request(metrics, Settings(test=test, n_resamples=400), joined=joined))
    again = study_of(study.text())
    assert [one.compared.unit for one in again.results] == ["document", "segment"]
    for one in again.results:
        assert len(score_table(one.scored).rows) == 3
        assert len(comparison_table(one.compared).rows) == 3


def test_what_seconds_an_exchange_of_documents_is_corrected_beside_segments_too(corpus: Corpus) -> None:
    many = [measure(corpus, name) for name in ("rating:whole", "rating:part")]
    by_document, by_segment = Settings(test="ar", n_resamples=400).families(many, joined=True)
    raw = jackknife_p(by_document.difference, by_document.standard_error, by_document.df, "two-sided")
    # Holm by hand, over the three and the segments' own three: the k-th smallest times 7 − k, never falling.
    p = np.concatenate([raw, by_segment.p_value])
    order = np.argsort(p)
    expected = np.empty(6)
    expected[order] = np.minimum(1, np.maximum.accumulate(p[order] * np.arange(6, 0, -1)))
    np.testing.assert_allclose(by_document.p_jackknife, expected[:3], rtol=1e-12)
    assert np.isnan(by_segment.p_jackknife).all()
