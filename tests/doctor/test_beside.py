"""What is said of documents whose ids are missing or few, and of ratings joined wrongly or turned."""

import gc
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from kept import Kept, lacking

from mtsig import Corpus, Rating, Settings, check_data, measure, read_sample, verdict
from mtsig.metrics import Bleu, default_metrics

SAMPLE = read_sample()


def rated(change: Callable[[np.ndarray], np.ndarray], higher_is_better: bool = True) -> Corpus:
    """The sample with a rating that goes with sentence chrF, counted apart from the doctor's likeness."""
    scores = measure(SAMPLE, "sentchrf").segment_scores
    noise = np.random.default_rng(5).normal(0, scores.std(), scores.shape)
    return replace(SAMPLE, ratings={"da": Rating(change(scores + noise), higher_is_better)})


def by_documents(values: np.ndarray) -> np.ndarray:
    """Column k is what belongs to the k-th segment after sorting documents by id: a trap of real data."""
    documents = list(SAMPLE.documents or ())
    order = sorted(range(len(documents)), key=lambda i: documents[i])
    assert order != list(range(len(documents)))
    return values[:, order]


WRONG_ORDERS = {
    "documents sorted by their id": by_documents,
    "shifted by one segment back": lambda values: np.roll(values, 1, axis=1),
    "shifted by one segment forward": lambda values: np.roll(values, -1, axis=1),
    "in reverse order": lambda values: values[:, ::-1],
}


@pytest.mark.parametrize("how", WRONG_ORDERS)
def test_a_rating_joined_in_the_wrong_order_is_found_with_the_right_one(how: str) -> None:
    (found,) = check_data(rated(WRONG_ORDERS[how]), ["rating order"])
    assert found.level == "warning"
    assert how in found.found


def test_a_rating_with_its_sign_turned_is_found() -> None:
    for corpus in (rated(lambda values: -values), rated(lambda values: values, higher_is_better=False)):
        (found,) = check_data(corpus, ["rating sign", "rating order"])
        assert (found.check, found.level) == ("rating sign", "warning")


def test_percentages_among_fractions_are_found_and_few_errors_are_no_fractions() -> None:
    rng = np.random.default_rng(1)
    share = rng.uniform(0.6, 0.9, (3, 40))
    for values, is_mixed in (
        (share * np.array([[1], [100], [1]]), True),
        (share, False),
        (100 * share, False),
        # Weighted errors: a translation by people has hardly any.
        (np.stack([rng.poisson(0.05, 40) > 0, rng.poisson(3, 40), rng.poisson(5, 40)]) * 1.0, False),
    ):
        corpus = Corpus.of(dict.fromkeys("ABC"), ratings={"esa": Rating(values, True)})
        found = list(check_data(corpus, ["rating scale"]))
        assert [(one.level, one.headline) for one in found] == [("warning", "esa is on two scales")] * is_mixed
        assert not [one for one in found if lacking(one.found, "A and C", "percentages for B")]


def test_a_part_of_a_set_is_looked_at_by_its_own_segments() -> None:
    last = np.arange(60, len(SAMPLE))
    (found,) = check_data(rated(lambda values: -values).take(last), ["rating sign", "rating order"])
    assert found.check == "rating sign"
    assert len(check_data(rated(lambda values: values).take(last), ["rating sign", "rating order"])) == 0


def test_nothing_is_said_of_a_rating_that_is_joined_as_it_should_be() -> None:
    assert len(check_data(rated(lambda values: values))) == 0
    assert len(check_data(rated(lambda values: -values, higher_is_better=False))) == 0


@pytest.mark.slow
def test_nothing_is_said_of_a_rating_that_is_all_noise() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        values = rng.normal(size=(len(SAMPLE.systems), len(SAMPLE)))
        corpus = replace(SAMPLE, ratings={"noise": Rating(values, higher_is_better=True)})
        assert len(check_data(corpus, ["rating order", "rating sign"])) == 0


def judged(scores: np.ndarray, documents: int = 0) -> Corpus:
    n = scores.shape[1]
    names = [f"d{i * documents // n}" for i in range(n)] if documents else None
    return Corpus.of(dict.fromkeys("AB"), ratings={"esa": Rating(scores, True)}, documents=names)


def found(corpus: Corpus) -> str:
    (finding,) = check_data(corpus, ["documents"])
    return finding.found


def independent(n: int) -> np.ndarray:
    return np.random.default_rng(11).normal(size=(2, n))


def alike(n: int) -> np.ndarray:
    rng = np.random.default_rng(4)
    return rng.normal(size=(2, n)) + np.repeat(rng.normal(size=(2, n // 20)), 20, axis=1)


@pytest.mark.parametrize("scores", [independent(300), alike(400), independent(120), alike(120)])
def test_z_and_the_unit_are_those_of_the_comparison_that_follows(scores: np.ndarray) -> None:
    corpus = judged(scores)
    (one,) = Settings(n_resamples=200).family(measure(corpus, default_metrics(corpus)[0]))
    said = found(corpus)
    assert f"z = {one.order_z:.2f} in esa" in said
    assert (f"by {one.units} blocks" in said) == (one.unit == "block")
    assert ("by segments" in said) == (one.unit == "segment")
    assert ("a caution" in said) == bool(verdict(one).caution)


def test_what_cannot_be_told_is_said_without_a_number(kept: Kept) -> None:
    assert "z =" not in found(judged(independent(20)))
    kept("check", found(judged(independent(20))))
    text = Corpus.of({"A": ["a"] * 30, "B": ["b"] * 30})  # nothing to count by
    assert "z =" not in found(text)


def test_few_documents_are_said_and_enough_are_not(kept: Kept) -> None:
    assert "5 documents" in found(judged(independent(300), 5))
    kept("check", found(judged(independent(300), 5)))
    assert not len(check_data(judged(independent(300), 10), ["documents"]))


def test_what_somebody_holds_is_not_counted_again_for_a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = replace(SAMPLE, segments=replace(SAMPLE.segments, documents=None))
    monkeypatch.setenv("MTSIG_CACHE", "off")
    found = check_data(corpus, ["documents"])
    held = measure(corpus, "bleu")

    def count(*_: object) -> None:
        raise AssertionError("counted twice")

    monkeypatch.setattr(Bleu, "count", count)
    assert check_data(corpus, ["documents"]) == found
    del held
    gc.collect()
    with pytest.raises(AssertionError, match="counted twice"):
        check_data(corpus, ["documents"])
