"""Ratings of real systems, held to what scipy says of the same segment scores."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made import ROOT
from sampled import slow
from scipy import stats

from mtsig import Corpus, measure, read
from mtsig.inference import Family, compare
from mtsig.inference._significance import ApproximateRandomization, segment_differences
from mtsig.inference._targets import Pairs, Scores, pairs_of
from mtsig.inference._tests import BootstrapInterval, signed_rank_p
from mtsig.metrics import Statistics
from mtsig.resampling import Bootstrap, Swap

GOLDEN: dict[str, Any] = json.loads((ROOT / "tests" / "golden" / "scipy-1.17.1.json").read_text(encoding="utf-8"))
RUNS: list[dict[str, Any]] = GOLDEN["runs"]
DRAWS = 9999


@cache
def corpus(shared: Path, folder: str) -> Corpus:
    return read(shared / "data" / folder)


@cache
def rated(shared: Path, folder: str, rating: str) -> Statistics:
    return measure(corpus(shared, folder), f"rating:{rating}")


def statistics_of(shared: Path, run: dict[str, Any]) -> Statistics:
    return rated(shared, run["folder"], run["rating"])


def column(run: dict[str, Any], name: str) -> list[Any]:
    place = GOLDEN["columns"].index(name)
    return [row[place] for row in run["rows"]]


def pairs(run: dict[str, Any]) -> list[tuple[str, str]]:
    return [(system, run["baseline"]) for system in column(run, "system")]


def targets(shared: Path, run: dict[str, Any]) -> Pairs:
    return pairs_of(Scores(statistics_of(shared, run), Bootstrap(DRAWS, 1, "segment")), pairs(run))


@pytest.fixture(params=[*RUNS[::4], *slow(*RUNS)], ids=lambda run: f"{run['folder']}-{run['rating']}")
def run(request: pytest.FixtureRequest) -> dict[str, Any]:
    found: dict[str, Any] = request.param
    return found


def family_of(shared: Path, run: dict[str, Any], test: Any) -> Family:
    return compare(statistics_of(shared, run), test, pairs(run))


def test_pairs_stand_on_the_same_segments_and_differ_by_the_same_mean(shared: Path, run: dict[str, Any]) -> None:
    family = family_of(shared, run, "t")
    assert family.units.tolist() == column(run, "n")
    np.testing.assert_allclose(family.difference, column(run, "difference"), atol=1e-8)
    np.testing.assert_allclose(family.standard_error * np.sqrt(family.units), column(run, "sd"), rtol=1e-6)


def test_the_t_test_is_scipys(shared: Path, run: dict[str, Any]) -> None:
    family = family_of(shared, run, "t")
    np.testing.assert_allclose(family.p_value, column(run, "p_t"), rtol=1e-4)
    # The jackknife's t test of a mean is the same test.
    jackknife = (
        compare(statistics_of(shared, run), "ij-t", pairs(run)) if family.statistics.document_of is None else None
    )
    if jackknife is not None:
        np.testing.assert_allclose(jackknife.p_value, family.p_value, rtol=1e-9)


def test_the_signed_ranks_without_zeros_are_scipys(shared: Path, run: dict[str, Any]) -> None:
    names = list(corpus(shared, run["folder"]).systems)
    values = corpus(shared, run["folder"]).ratings[run["rating"]].values
    found = []
    for first, second in pairs(run):
        gaps = values[names.index(first)] - values[names.index(second)]
        found.append(signed_rank_p(gaps[~np.isnan(gaps)], zeros="drop"))
    np.testing.assert_allclose(found, column(run, "p_wilcoxon"), rtol=1e-9)


def test_ties_of_decimal_scores_are_ties(shared: Path, run: dict[str, Any]) -> None:
    """scipy ranks −1.1 − (−.1) apart from −2 − (−1), because the two differ in the sixteenth digit; that moves p."""
    differences = segment_differences(targets(shared, run))
    found = compare(statistics_of(shared, run), "wilcoxon", pairs(run)).p_value
    on_paper = [np.round(one, 8) for one in differences]
    expected = [stats.wilcoxon(one, zero_method="pratt", method="approx").pvalue for one in on_paper]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    slack = statistics_of(shared, run).rounding
    dropped = [signed_rank_p(one, zeros="drop", slack=slack) for one in differences]
    np.testing.assert_allclose(dropped, [stats.wilcoxon(one, method="approx").pvalue for one in on_paper], rtol=1e-6)


def test_randomization_agrees_with_scipys_permutations(shared: Path, run: dict[str, Any]) -> None:
    family = family_of(shared, run, ApproximateRandomization(Swap(DRAWS, 1, "segment")))
    expected = np.array(column(run, "p_permutation"))
    p = np.maximum(expected, family.p_value)
    # scipy doubles the smaller tail and adds one on either side: an even number of 10,000ths, at least two.
    slack = 4.5 * np.sqrt(2 * p * (1 - p) / DRAWS) * np.sqrt(2) + 3 / DRAWS
    assert np.all(np.abs(family.p_value - expected) <= slack)


def test_percentile_intervals_agree_with_scipys(shared: Path, run: dict[str, Any]) -> None:
    family = compare(
        statistics_of(shared, run),
        BootstrapInterval(Bootstrap(DRAWS, 1, "segment")),
        pairs(run),
        interval="percentile",
    )
    # The standard error of a 2.5% quantile of so many draws, about 2.67 SE / sqrt(B), of two independent drawings.
    slack = 4.5 * 2.67 * family.standard_error / np.sqrt(DRAWS) * np.sqrt(2)
    assert np.all(np.abs(family.ci_low - column(run, "low")) <= slack)
    assert np.all(np.abs(family.ci_high - column(run, "high")) <= slack)


def test_a_systems_own_score_stands_on_its_own_segments(shared: Path) -> None:
    run = next(one for one in RUNS if one["rating"] == "da-z")
    statistics = statistics_of(shared, run)
    assert statistics.available is not None
    counts = dict(zip(statistics.systems, statistics.available.sum(axis=1).tolist(), strict=True))
    # Rows of the file per system, counted by cut and uniq.
    assert counts["AFRL"] == 858
    assert counts["Online-W"] == 969
    # The organisers' own system score (ad-sys-ranking-ru-en-z: 0.137 on 857 segments).
    assert statistics.scores[statistics.row("NVIDIA-NeMo")] == pytest.approx(0.137, abs=0.0006)
    assert counts["NVIDIA-NeMo"] == 857
