"""An interval holds what it is of, whichever way redraws move the statistic."""

import numpy as np
import pytest

from mtsig import Corpus, Rating, Settings
from mtsig.trust import Judged, compare_metrics, trust
from mtsig.trust.redraws import percentiles


def judged(seed: int) -> Judged:
    """Return five to eight systems rated by people and two metrics, on few segments."""
    rng = np.random.default_rng(seed)
    systems, n = int(rng.integers(5, 9)), int(rng.integers(8, 30))
    people = rng.normal(0, 0.3, (systems, 1)) + rng.normal(size=(systems, n))
    scores = {"esa": people, "near": people + rng.normal(0, 0.3, (systems, n)), "far": rng.normal(size=(systems, n))}
    ratings = {name: Rating(values, higher_is_better=True) for name, values in scores.items()}
    corpus = Corpus.of(dict.fromkeys("ABCDEFGH"[:systems]), ratings=ratings)
    return Judged.of(corpus, "rating:esa", ["rating:near", "rating:far"])


@pytest.mark.parametrize("over", ["segments", "systems", "both"])
def test_intervals_of_agreement_hold_their_values(over: str) -> None:
    held = 0
    for seed in range(12):
        found = trust(judged(seed), ["spa", "accuracy", "pearson", "kendall"], settings=Settings(draws=100), over=over)  # type: ignore[arg-type]
        for row in found:
            if not np.isnan(row.low):
                held += 1
                assert row.low <= row.value <= row.high
    assert held > 50


def test_intervals_of_differences_between_metrics_hold_them() -> None:
    for seed in range(12):
        for one in compare_metrics(judged(seed), settings=Settings(draws=100)):
            assert np.isnan(one.low) or one.low <= one.difference <= one.high


def test_only_the_nearer_end_moves() -> None:
    draws = np.linspace(0.0, 0.8, 1001)
    low, high, undefined = percentiles(draws, 0.9, 0.95)
    assert (round(low, 3), high, undefined) == (0.04, 0.95, 0)
    assert percentiles(draws, 0.9, 0.5) == percentiles(draws, 0.9)
    assert percentiles(draws, 0.9)[:2] == pytest.approx((0.04, 0.76))
