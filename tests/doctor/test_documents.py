"""What is said before any number where document ids are missing or few: z, its metric, and what follows."""

import numpy as np
import pytest

from mtsig import Corpus, Rating, Settings, check_data, measure, verdict
from mtsig.metrics import default_metrics


def rated(scores: np.ndarray, documents: int = 0) -> Corpus:
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
    corpus = rated(scores)
    (one,) = Settings(n_resamples=200).family(measure(corpus, default_metrics(corpus)[0]))
    said = found(corpus)
    assert f"z = {one.order_z:.2f} in esa" in said
    assert (f"judged by {one.units} blocks" in said) == (one.unit == "block")
    assert ("judged by segments" in said) == (one.unit == "segment")
    assert ("every verdict has a caution" in said) == bool(verdict(one).caution)


def test_what_cannot_be_told_is_said_without_a_number() -> None:
    assert "z =" not in found(rated(independent(20)))
    assert "which of the two is said beside the verdicts" in found(rated(independent(20)))
    text = Corpus.of({"A": ["a"] * 30, "B": ["b"] * 30})  # nothing to count by
    assert "z =" not in found(text)


def test_few_documents_are_said_and_enough_are_not() -> None:
    assert found(rated(independent(300), 5)).startswith("has 5 documents, too few to judge by")
    assert not len(check_data(rated(independent(300), 10), ["documents"]))
