"""Families so large that the default's draws could not let any p pass."""

from pathlib import Path

import numpy as np
import pytest
from kept import worded
from made_means import means

import mtsig
from mtsig import Corpus, Rating, Settings, measure, read_study, verdict
from mtsig.inference import Family
from mtsig.inference._adjust import adjust_together
from mtsig.inference._tests import jackknife_p
from mtsig.metrics import Statistics, metric
from mtsig.report import comparison_table, score_table
from mtsig.study import Request, conduct, study_of


def systems(count: int, better: int, n: int = 60) -> Statistics:
    """Return so many systems of which the first are clearly better, each by the same, and all others are equal."""
    rng = np.random.default_rng(count)
    scores = rng.normal(0, 1, (count, n)) + np.where(np.arange(count) < better, 4.0, 0.0)[:, None]
    return means(scores, systems=[f"s{number:02}" for number in range(count)])


def words(family: Family) -> dict[str, int]:
    found = [verdict(one).word for one in family]
    return {word: found.count(word) for word in set(found)}


def test_fifty_systems_are_told_apart() -> None:
    family = Settings().family(systems(50, 25))
    assert len(family) == 1225
    assert (family.test.name, family.correction) == ("jackknife-t", "holm")
    assert words(family).get("better", 0) >= 600
    worded(family.notes, "1,225 comparisons", "49,000 joint")


def test_more_draws_are_made_where_they_are_cheap() -> None:
    family = Settings().family(systems(26, 13))
    assert (family.test.name, family.correction) == ("ar", "minp")
    assert family.test.scheme.n_draws == 2 * 325 * 20
    assert words(family).get("better", 0) >= 160
    worded(family.notes, "13,000 resamples", "10,000")
    again = Settings().family(systems(26, 13))
    assert (again.p_adjusted == family.p_adjusted).all()


@pytest.mark.parametrize("settings", [Settings(), Settings(test="ar", n_resamples=100), Settings(n_resamples=100)])
def test_small_families_and_named_tests_are_left_as_they_are(settings: Settings) -> None:
    family = settings.family(systems(22, 11))
    assert family.test.scheme.n_draws == settings.n_resamples
    assert not any("instead of" in note.text for note in family.notes)


@pytest.mark.parametrize("correction", ["minp", "holm", "bonferroni"])
def test_a_p_at_its_floor_is_never_not_significant(correction: str) -> None:
    family = Settings(test="ar", n_resamples=200, correction=correction).family(systems(22, 11))
    at_floor = [one for one in family if one.p_mc_low == 0]
    assert len(at_floor) > 100
    assert {verdict(one).word for one in at_floor} <= {"better", "withheld"}
    assert all(one.significant is not False for one in at_floor)


def test_joined_families_count_together() -> None:
    family = systems(14, 7)
    first, second = Settings(unit="segment").families([family, family], joined=True)
    assert first.family_size == 182
    assert first.test.scheme.n_draws == 10_000
    many = Settings(unit="segment").families([systems(18, 9), systems(18, 9)], joined=True)
    assert {one.test.scheme.n_draws for one in many} == {2 * 2 * 153 * 20}
    assert len(adjust_together(many)[0]) == 153
    assert second.family_size == 182


def test_the_draws_that_were_made_are_in_the_study(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    scores = {f"s{i:02}": rng.normal(i // 12, 1, 40).round(3).tolist() for i in range(24)}
    study = mtsig.compare(scores, higher_is_better=True)
    assert study.settings.n_resamples == 2 * 276 * 20
    assert study.request.settings.n_resamples == 10_000
    study.save(tmp_path / "study.json")
    read = read_study(tmp_path / "study.json")
    assert read == study
    assert read.results[0].compared.test.scheme.n_draws == 11_040


# Metrics that stand on unlike units, documents here and segments there, are told and judged each by its own.


@pytest.fixture
def corpus() -> Corpus:
    """Return two ratings: one of all 20 documents, the other of 8, which are too few as sampling units."""
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
