"""What every segment brings to the score of a whole test set: the infinitesimal jackknife's pseudo-values."""

import numpy as np
import pytest
from scipy import stats
from trust_oracles import ratios

from mtsig import Corpus, Rating, Settings, measure
from mtsig.metrics import Bleu, Chrf, Metric
from mtsig.resampling import Bootstrap
from mtsig.trust import STATISTICS, Judged, compare_metrics
from mtsig.trust.statistic import Redraw

WORDS = ["the", "a", "cat", "dog", "sat", "stood", "on", "under", "mat", "log", "and", "then", "ran", "home", "fast"]


def texts(seed: int, systems: int = 3, n: int = 80) -> Corpus:
    rng = np.random.default_rng(seed)
    lines = [[*rng.choice(WORDS, rng.integers(6, 25))] for _ in range(n)]

    def worse(line: list[str], share: float) -> str:
        return " ".join(rng.choice(WORDS) if rng.random() < share else word for word in line)

    outputs = {f"s{row}": [worse(line, 0.15 + 0.03 * row) for line in lines] for row in range(systems)}
    people = rng.normal(size=(systems, n))
    people[rng.random(people.shape) < 0.1] = np.nan
    ratings = {"people": Rating(people, higher_is_better=True)}
    return Corpus.of(outputs, {"ref": [" ".join(line) for line in lines]}, ratings=ratings)


@pytest.fixture(scope="module")
def judged() -> Judged:
    return Judged.of(texts(1), "rating:people", ["bleu", "chrf", "ter", "sentchrf"])


@pytest.mark.parametrize("name", ["BLEU", "chrF2", "TER"])
def test_the_mean_of_a_systems_parts_is_its_score(judged: Judged, name: str) -> None:
    parts = judged.parts(name)
    assert (np.isnan(parts) == ~judged.mask).all()
    np.testing.assert_allclose(np.nanmean(parts, axis=1), judged.system_scores(name), rtol=1e-9)


@pytest.mark.parametrize("name", ["BLEU", "chrF2", "TER"])
def test_their_spread_is_that_of_redrawn_scores(judged: Judged, name: str) -> None:
    first, second = judged.parts(name)[:2]
    shared = judged.mask[0] & judged.mask[1]
    both = np.flatnonzero(shared)
    # Scores of redrawn test sets, worked out anew: what the parts' own variance stands for.
    draws = np.concatenate(list(Bootstrap(4000, 3, "segment").blocks(len(both))))
    weights = np.zeros((len(draws), judged.n), dtype=np.float32)
    weights[:, both] = draws
    scores = judged[name].of_systems(weights)
    apart = (first - second)[both]
    assert np.std(scores[0] - scores[1]) == pytest.approx(apart.std() / np.sqrt(len(both)), rel=0.06)


def test_of_a_ratio_they_are_its_linear_form() -> None:
    judged = ratios(np.random.default_rng(5), systems=3, n=40, equal=True)
    edits, length = judged["a"].values.astype(np.float64)
    rate = edits.sum(axis=1, keepdims=True) / length.sum(axis=1, keepdims=True)
    expected = -100 * (rate + 40 * (edits - rate * length) / length.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(judged.parts("a"), expected)


def test_of_scores_of_segments_they_are_those(judged: Judged) -> None:
    np.testing.assert_array_equal(judged.parts("sentchrF2"), judged.cells("sentchrF2"))


def test_a_test_of_correlations_counts_hybrids_of_parts(judged: Judged) -> None:
    """Every exchange of 8 segments, in a plain loop."""
    corpus = texts(3, systems=5, n=8)
    full = Rating(np.random.default_rng(4).normal(size=(5, 8)), higher_is_better=True)
    judged = Judged.of(
        Corpus.of(corpus.outputs, corpus.references, ratings={"people": full}), "people", ["ter", "chrf"]
    )
    a, b = (judged.parts(name) for name in judged.names)
    a, b = ((x - x.mean()) / x.std() for x in (a, b))
    people = judged.ratings.mean(axis=1)

    def apart(mask: np.ndarray) -> float:
        first, second = np.where(mask, b, a), np.where(mask, a, b)
        return float(np.corrcoef(people, first.mean(axis=1))[0, 1] - np.corrcoef(people, second.mean(axis=1))[0, 1])

    masks = (np.arange(2**8)[:, None] >> np.arange(8)) & 1 == 1
    every = np.array([apart(mask) for mask in masks])
    p = np.mean(np.abs(every) >= abs(every[0]) - 1e-12)
    family = compare_metrics(judged, "pearson", "item", Settings(draws=20_000, correction="none"))
    assert family[0].difference == pytest.approx(every[0], abs=1e-9)
    assert family[0].p_value == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 20_000) + 1e-4)


@pytest.mark.parametrize("metric", [Bleu(), Chrf()], ids=["BLEU", "chrF"])
def test_soft_accuracy_by_parts_is_that_by_exchanged_sums(metric: Metric) -> None:
    """Δ of the test stands on parts, the value itself on sums halfway between two systems: they agree closely."""
    corpus = texts(7, systems=6, n=150)
    judged = Judged.of(corpus, "rating:people", [metric, "sentchrf"])
    family = compare_metrics(judged, "spa", "item", Settings(draws=20))
    first, second = (STATISTICS["spa"].value(judged, name) for name in judged.names)
    assert family[0].difference == pytest.approx(first - second, abs=0.005)


def test_two_equally_good_metrics_of_whole_corpora_are_rarely_told_apart() -> None:
    """60 sets; a thousand, and more statistics, stand in test_error_rates_of_trust.py."""
    rng = np.random.default_rng(11)
    wrong = 0
    for number in range(60):
        judged = ratios(rng, equal=number % 2 == 0)
        family = compare_metrics(judged, "pearson", "item", Settings(draws=200, seed=number, correction="none"))
        wrong += bool(family.p_value[0] <= 0.05)
    assert stats.binom.sf(wrong - 1, 60, 0.05) > 1e-3


def test_redrawn_scores_are_no_means_of_parts(judged: Judged) -> None:
    """Intervals score every redrawn set anew."""
    weights = np.zeros((1, judged.n))
    weights[0, :20] = 4
    scores = Redraw(weights).system_scores(judged, "BLEU")[:, 0]
    linear = (np.nan_to_num(judged.parts("BLEU")) @ weights[0]) / (judged.mask @ weights[0])
    assert np.abs(scores - linear).max() > 1e-3
    assert measure(texts(1), "bleu").scores == pytest.approx(judged["BLEU"].statistics.scores)
