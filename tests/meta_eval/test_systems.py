"""Draws of a metric are kept: another metric beside it changes none of them, and has its own drawn alone."""

from dataclasses import replace

import numpy as np
import pytest

from mtsig import Corpus, Rating, Settings
from mtsig.meta_eval import STATISTICS, RatedData, meta_eval, sentinels
from mtsig.meta_eval._statistic import _place, redrawn, redraws
from mtsig.meta_eval._systems import SoftPairwiseAccuracy


def corpus(seed: int = 1) -> Corpus:
    rng = np.random.default_rng(seed)
    people = np.arange(8)[:, None] + 3 * rng.normal(size=(8, 80))
    made = {"esa": people} | {name: people + size * rng.normal(size=(8, 80)) for name, size in (("a", 1), ("b", 9))}
    ratings = {name: Rating(values, higher_is_better=True) for name, values in made.items()}
    return Corpus.of(dict.fromkeys("ABCDEFGH"), ratings=ratings)


def test_another_metric_has_its_own_draws_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    data, settings, asked = corpus(), Settings(n_resamples=500), []
    drawn = SoftPairwiseAccuracy.redrawn

    def counted(self, rated, metric, redraw):
        asked.append(metric)
        return drawn(self, rated, metric, redraw)

    monkeypatch.setattr(SoftPairwiseAccuracy, "redrawn", counted)
    _place.kept.clear()
    alone = meta_eval(RatedData.of(data, "rating:esa", ["rating:a"]), "spa", settings=settings)
    assert set(asked) == {"a"}
    asked.clear()
    both = RatedData.of(data, "rating:esa", ["rating:a", "rating:b"])
    beside = meta_eval(both, "spa", settings=settings)
    assert set(asked) == {"b"}
    asked.clear()
    sentinels(both, ["spa"], settings=settings)
    assert set(asked) & {"a", "b"} == set()
    # What is kept is what is drawn afresh, to the last digit.
    _place.kept.clear()
    afresh = meta_eval(both, "spa", settings=settings)
    assert [(row.ci_low, row.ci_high) for row in afresh] == [(row.ci_low, row.ci_high) for row in beside]
    one, first = next(iter(alone)), next(iter(beside))
    assert (one.metric, one.ci_low, one.ci_high) == (first.metric, first.ci_low, first.ci_high)


@pytest.mark.parametrize("gaps", [False, True])
def test_segments_redrawn_with_systems_as_they_are_come_with_both(gaps: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    data = corpus()
    if gaps:
        values = data.ratings["a"].values.copy()
        values[3, :40] = np.nan
        data = replace(data, ratings={**data.ratings, "a": Rating(values, higher_is_better=True)})
    statistics, passes = [STATISTICS[name] for name in ("spa", "accuracy", "kendall")], []
    monkeypatch.setattr("mtsig.meta_eval._statistic.redraws", lambda *given: passes.append(given[1]) or redraws(*given))

    def of_segments() -> list[list[float]]:
        rated = RatedData.of(data, "rating:esa", ["rating:a", "rating:b"])
        return [values.tolist() for values in redrawn(rated, statistics, "segments", draws=300).values.values()]

    _place.kept.clear()
    afresh = of_segments()
    _place.kept.clear()
    redrawn(RatedData.of(data, "rating:esa", ["rating:b", "rating:a"]), statistics, "both", draws=300)
    assert of_segments() == afresh
    assert passes == ["segments", "both"]


def test_other_scores_other_cells_and_other_settings_are_drawn_for_themselves() -> None:
    data, settings = corpus(), Settings(n_resamples=300)
    _place.kept.clear()

    def ends(data: Corpus, settings: Settings) -> tuple[float, float]:
        (row,) = meta_eval(RatedData.of(data, "rating:esa", ["rating:a"]), "spa", settings=settings)
        return row.ci_low, row.ci_high

    first = ends(data, settings)
    holes = data.ratings["a"].values.copy()
    holes[3, :40] = np.nan
    without = replace(data, ratings={**data.ratings, "a": Rating(holes, higher_is_better=True)})
    documents = Corpus.of(
        dict.fromkeys("ABCDEFGH"), ratings=data.ratings, documents=[f"d{i // 4}" for i in range(80)]
    )  # fmt: skip
    others = [ends(corpus(2), settings), ends(without, settings), ends(data, Settings(n_resamples=400)),
              ends(data, Settings(n_resamples=300, seed=7)), ends(documents, settings)]  # fmt: skip
    assert first not in others
    assert ends(data, settings) == first
