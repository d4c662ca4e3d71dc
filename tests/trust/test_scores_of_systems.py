"""Metrics with scores of whole systems only: they enter what compares systems' scores, and nothing else."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from mtsig import Corpus, Rating, Settings, read
from mtsig.corpus import SystemScores, is_human
from mtsig.errors import NotApplicable
from mtsig.resampling import Bootstrap
from mtsig.trust import (
    STATISTICS,
    Judged,
    accuracy_over_sets,
    compare_metrics,
    meaning,
    sentinels,
    trust,
    underrated,
    verdict_table,
)

SYSTEMS = [f"s{row}" for row in range(8)]
SCORES = np.array([0.1, 0.5, 0.2, 0.9, 0.3, 0.8, 0.4, 0.75])
OF_SYSTEMS = ("pearson", "spearman", "kendall", "accuracy")
FEW = Settings(draws=300)


def corpus(higher: bool = True) -> Corpus:
    rng = np.random.default_rng(1)
    quality = np.linspace(0, 1, 8)[:, None]
    ratings = {
        "esa": Rating(quality + rng.normal(size=(8, 30)), higher_is_better=True),
        "b": Rating(quality + rng.normal(size=(8, 30)), higher_is_better=True),
        # The same scores on every segment: what a plain mean makes of them is known.
        "flat": Rating(np.repeat(SCORES[:, None], 30, axis=1), higher_is_better=True),
    }
    given = dict(zip(SYSTEMS, (SCORES if higher else -SCORES).tolist(), strict=True))
    whole = {"whole": SystemScores(given, higher)}
    return replace(Corpus.of(dict.fromkeys(SYSTEMS), ratings=ratings), system_scores=whole)


@pytest.fixture(scope="module", params=[True, False], ids=["higher is better", "lower is better"])
def judged(request: pytest.FixtureRequest) -> Judged:
    return Judged.of(corpus(request.param), "rating:esa", ["rating:whole", "rating:flat", "rating:b"])


def test_they_stand_beside_metrics_with_scores_of_segments(judged: Judged) -> None:
    np.testing.assert_allclose(judged.system_scores("whole"), SCORES, atol=1e-9)
    found = trust(judged, OF_SYSTEMS, over="systems", settings=FEW)
    for name in OF_SYSTEMS:
        whole, flat = found.of("whole", name), found.of("flat", name)
        for field in ("value", "low", "high", "loo_low", "loo_high", "loo_low_without", "without_outliers", "right"):
            assert getattr(whole, field) == pytest.approx(getattr(flat, field), nan_ok=True)


def test_exchanged_systems_and_williams_compare_them(judged: Judged) -> None:
    for unit in ("systems", "williams"):
        family = compare_metrics(judged, "pearson", unit, FEW)
        p = dict(zip(zip(family.first, family.second, strict=True), family.p_value, strict=True))
        assert p["whole", "b"] == pytest.approx(p["flat", "b"])


def test_nothing_of_segments_is_said_of_them(judged: Judged) -> None:
    found = trust(judged, ["spa", "acc_eq", "pearson"], over="segments", settings=FEW)
    assert {row.statistic for row in found if row.metric == "whole"} == {"pearson"}
    assert np.isnan([found.of("whole", "pearson").low, found.of("whole", "pearson").high]).all()
    said = " ".join(note.text for note in found.notes)
    assert "Of whole there are scores of whole systems only: it has no soft pairwise accuracy." in said
    assert "no accuracy with ties, calibrated" in said
    assert "there is no interval over segments" in said
    refusals = (
        lambda: STATISTICS["spa"].value(judged, "whole"),
        lambda: STATISTICS["acc_eq"].value(judged, "whole"),
        lambda: verdict_table(judged, "whole", FEW),
        lambda: underrated(judged, "whole"),
        lambda: accuracy_over_sets([judged], "whole", over="segments", settings=FEW),
        lambda: compare_metrics(judged, "pearson", "item", FEW, metrics=["whole", "b"]),
    )
    for refused in refusals:
        with pytest.raises(NotApplicable, match="scores of whole systems only"):
            refused()


def test_redraws_of_both_redraw_systems_alone(judged: Judged) -> None:
    both, systems = (trust(judged, ["pearson"], over=over, settings=FEW) for over in ("both", "systems"))
    ends = [(found.of("whole", "pearson").low, found.of("whole", "pearson").high) for found in (both, systems)]
    assert ends[0] == ends[1]
    assert both.of("b", "pearson").low != systems.of("b", "pearson").low
    assert any("its intervals redraw systems alone" in note.text for note in both.notes)


def test_what_a_difference_means_is_known_of_them(judged: Judged) -> None:
    curve = meaning(judged, "whole", scheme=Bootstrap(200))
    expected = meaning(judged, "flat", scheme=Bootstrap(200))
    np.testing.assert_allclose(curve.share, expected.share)
    assert not np.isnan(curve.low).all()
    assert "the band redraws systems alone" in curve.notes[0].text
    over_sets = accuracy_over_sets([judged, judged], "whole", over="systems", settings=FEW)
    assert (over_sets.right, over_sets.pairs) == (2 * found_right(judged), 56)


def found_right(judged: Judged) -> int:
    people = judged.system_scores("esa")
    return sum((people[i] - people[j]) * (SCORES[i] - SCORES[j]) > 0 for i in range(8) for j in range(i))


def test_they_stand_beside_sentinels(judged: Judged) -> None:
    assert {row.metric for row in sentinels(judged, ["pearson"], settings=FEW)} == {"whole", "flat", "b"}
    assert {row.metric for row in sentinels(judged, ["spa"], settings=FEW)} == {"flat", "b"}


def test_scores_of_published_systems(shared: Path) -> None:
    """COMET of wmt21-en-de: files of one set write refB and ref-B, and both are one human translation."""
    data = read(shared / "data/wmt21-en-de")
    judged = Judged.of(data, "rating:mqm", ["rating:COMET-refA"], humans="include")
    given = data.system_scores["COMET-refA"].scores
    assert {"refB", "refC", "refD"} <= set(judged.systems)
    assert judged.left_out["refA"].startswith(("refA is the reference", "not scored"))
    for system, score in zip(judged.systems, judged.system_scores("COMET-refA"), strict=True):
        assert score == pytest.approx(given.get(system, given.get(system.replace("ref", "ref-"))), abs=1e-9)
    assert not any(is_human(system) for system in judged.under("exclude").systems)


@pytest.fixture(scope="module")
def by_people() -> Judged:
    """People scored whole systems only; two metrics have scores of segments."""
    return Judged.of(corpus(), "rating:whole", ["rating:b", "rating:esa"])


def test_people_who_scored_whole_systems_are_agreed_with_as_by_the_numbers(by_people: Judged) -> None:
    """Values and ranges without one system against numpy and scipy; intervals against the same scores by segment."""
    found = trust(by_people, OF_SYSTEMS, settings=FEW)
    scores = by_people.system_scores("b")
    each = [np.corrcoef(np.delete(scores, row), np.delete(SCORES, row))[0, 1] for row in range(8)]
    pearson = found.of("b", "pearson")
    assert pearson.value == pytest.approx(np.corrcoef(scores, SCORES)[0, 1])
    assert (pearson.loo_low, pearson.loo_high) == pytest.approx((min(each), max(each)))
    assert found.of("b", "kendall").value == pytest.approx(scipy.stats.kendalltau(scores, SCORES)[0])
    assert found.over == "systems"
    same = Judged.of(corpus(), "rating:flat", ["rating:b", "rating:esa"])
    of_segments = trust(same, OF_SYSTEMS, over="systems", settings=FEW)
    for name in OF_SYSTEMS:
        ends, expected = ((one.of("b", name).low, one.of("b", name).high) for one in (found, of_segments))
        assert ends == pytest.approx(expected)
    for unit in ("systems", "williams"):
        p = compare_metrics(by_people, "pearson", unit, FEW).p_value
        assert p == pytest.approx(compare_metrics(same, "pearson", unit, FEW).p_value)


def test_what_takes_people_s_segments_is_refused_with_the_reason(by_people: Judged) -> None:
    found = trust(by_people, settings=FEW)
    assert {row.statistic for row in found} == {"accuracy", "pearson"}
    assert np.isnan([row.separated_pairs for row in found]).all()
    said = " ".join(note.text for note in found.notes)
    assert "Of whole there are scores of whole systems only: there is no soft pairwise accuracy." in said
    assert "Of whole there are scores of whole systems only: all intervals redraw systems alone." in said
    refusals = (
        lambda: by_people.ratings,
        lambda: STATISTICS["spa"].value(by_people, "b"),
        lambda: STATISTICS["acc_eq"].value(by_people, "b"),
        lambda: verdict_table(by_people, "b", FEW),
        lambda: underrated(by_people, "b"),
        lambda: accuracy_over_sets([by_people], "b", over="segments", settings=FEW),
        lambda: compare_metrics(by_people, "pearson", "item", FEW),
    )
    for refused in refusals:
        with pytest.raises(NotApplicable, match="Of whole there are scores of whole systems only"):
            refused()
    assert {row.statistic for row in sentinels(by_people, ["pearson", "spa"], settings=FEW)} == {"pearson"}
    assert "Of whole" in meaning(by_people, "b", scheme=Bootstrap(100)).notes[0].text


def test_the_reference_of_a_metric_is_told_by_the_letter_that_organisers_write() -> None:
    data = corpus()
    systems = [*SYSTEMS, "refA"]
    given = dict(zip(systems, [*SCORES.tolist(), 0.1], strict=True))
    whole = {name: SystemScores(given, higher_is_better=True) for name in ("bleu-A", "bleu-B")}
    more = {"esa": Rating(np.vstack([data.ratings["esa"].values, np.ones(30)]), higher_is_better=True)}
    data = replace(
        Corpus.of({name: ["x"] * 30 for name in systems}, {"refA": ["y"] * 30, "refB": ["z"] * 30}, ratings=more),
        system_scores=whole,
    )
    left_out = {name: Judged.of(data, "rating:esa", [f"rating:{name}"], humans="include").left_out for name in whole}
    assert left_out == {
        "bleu-A": {"refA": "refA is the reference of bleu-A: its own score is no judgement of the metric"},
        "bleu-B": {},
    }
