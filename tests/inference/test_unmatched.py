"""Pairs whose score has no derivative: BLEU without any match of some order."""

from dataclasses import replace

import numpy as np
import pytest
from kept import worded
from sampled import crossed, sampled

from mtsig import Corpus, Settings, measure, ranks, read_sample, verdict
from mtsig.collection import Sets
from mtsig.collection import compare as over_sets
from mtsig.collection import measure as measure_sets
from mtsig.gate import judge
from mtsig.inference import compare
from mtsig.inference._adjust import adjust
from mtsig.metrics import Bleu, Statistics
from mtsig.report import comparison_table, verdict_text
from mtsig.report._families import headline_text
from mtsig.report._over_sets import averages_table, averages_text

POOR = [
    (10, 11, 5, 2, 1), (12, 11, 6, 2, 0), (9, 9, 4, 1, 0), (14, 15, 8, 3, 1), (11, 12, 5, 1, 0), (8, 8, 4, 2, 1),
    (13, 12, 6, 2, 0), (10, 10, 4, 1, 0), (15, 14, 7, 2, 1), (9, 10, 5, 2, 0), (12, 12, 6, 2, 0), (11, 11, 5, 1, 0),
]  # fmt: skip
RICH = [
    (11, 11, 8, 5, 3, 2), (11, 11, 7, 4, 2, 1), (9, 9, 7, 5, 3, 2), (15, 15, 11, 8, 5, 3), (12, 12, 8, 5, 3, 1),
    (8, 8, 6, 4, 2, 1), (12, 12, 9, 6, 4, 2), (10, 10, 7, 4, 2, 1), (14, 14, 10, 7, 4, 3), (10, 10, 7, 5, 3, 1),
    (12, 12, 9, 6, 3, 2), (11, 11, 7, 4, 1, 0),
]  # fmt: skip
"""Lengths of hypothesis and reference, and matches of orders 1 to 3, and 4."""


def rows(counts: list[tuple[int, ...]]) -> np.ndarray:
    """Return BLEU's counts of segments, (10, n)."""
    return np.array([[*row, *[0] * (6 - len(row)), *range(row[0], row[0] - 4, -1)] for row in counts]).T


def pair(x: np.ndarray, y: np.ndarray, unit: str = "segment") -> Statistics:
    values = np.stack([x, y], axis=1).astype(np.float32)
    sizes = np.full(values.shape[-1], 3) if unit == "document" else None
    return Statistics(Bleu(), ("x", "y"), values, unit=unit, sizes=sizes)  # type: ignore[arg-type]


@pytest.mark.parametrize("unit", ["segment", "document"])
def test_the_larger_of_two_p_counts(unit: str) -> None:
    one = compare(pair(rows(POOR), rows(RICH), unit), "jackknife-t")[0]
    assert one.difference == pytest.approx(-32.30389549)
    assert one.p_value == pytest.approx(0.00048828125)  # by exchange of all 12 units
    assert one.smoothed_difference == pytest.approx(-31.32484098)
    assert one.smoothed_error == pytest.approx(2.180038389)
    worded(one.unmatched, "'x'", "4-gram match")
    assert (one.p_mc_low, one.p_mc_high) == (one.p_value, one.p_value)
    assert verdict(one).winner == "y"
    said = verdict_text(one)
    assert "95% percentile CI" in said
    worded(said, f"{unit}s", "BLEU", "+31.32")


def test_beside_exchanges_of_segments_the_jackknife_of_the_smoothed_score_has_to_agree() -> None:
    one = compare(pair(rows(POOR), rows(RICH)), "ar")
    one = adjust(one, "none")[0]
    assert one.p_jackknife == pytest.approx(1.790176754e-08)
    assert verdict(one).winner == "y"
    assert verdict(replace(one, p_jackknife=0.2)).word == "withheld"


def test_two_scores_that_rest_on_smoothing_are_undecided() -> None:
    other = rows(POOR)
    other[2] += 1
    one = compare(pair(rows(POOR), other), "jackknife-t")[0]
    assert np.isnan(one.p_value)
    worded(verdict(one).withheld_reason, "'x' and 'y'", "4-gram match")


def test_the_match_that_one_lacks_must_stand_in_ten_units_of_the_other() -> None:
    rich = rows(RICH)
    rich[5, 9:] = 0
    said = verdict(compare(pair(rows(POOR), rich), "jackknife-t")[0])
    worded(said.withheld_reason, "'x'", "4-gram match", "'y'", "9 segments")
    rich[5, 9] = 1
    assert verdict(compare(pair(rows(POOR), rich), "jackknife-t")[0]).winner == "y"


def test_a_match_in_one_unit_is_one_that_can_be_missing() -> None:
    poor = rows(POOR)
    poor[5, 3] = 1
    one = compare(pair(poor, rows(RICH)), "jackknife-t")[0]
    worded(one.unmatched, "'x'", "4-gram matches")
    assert verdict(one).winner == "y"
    poor[5, 4] = 1
    assert compare(pair(poor, rows(RICH)), "jackknife-t")[0].unmatched == ""


def test_the_better_system_must_be_the_one_with_matches() -> None:
    poor, rich = rows(POOR), rows(RICH)
    poor[2:5] = [[8], [7], [6]]
    rich[2:6] = [[2], [1], [1], [1]]
    one = compare(pair(poor, rich), "jackknife-t")[0]
    assert one.difference > 0
    worded(verdict(one).withheld_reason, "'x'", "4-gram match", "'y'")


def test_holm_counts_a_pair_without_p() -> None:
    values = np.stack([rows(POOR), rows(RICH), rows(POOR)[:, ::-1]], axis=1).astype(np.float32)
    family = adjust(compare(Statistics(Bleu(), ("x", "y", "z"), values), "jackknife-t"), "holm")
    lost = family.pair("x", "z")
    assert lost is not None
    assert np.isnan(lost.p_adjusted)
    assert np.nanmin(family.p_adjusted) == pytest.approx(3 * np.nanmin(family.p_value))
    # Of ranks a pair without verdict takes nothing away.
    assert ranks(family).best == ("y",)


SAMPLE = read_sample()
BREAK = {
    "empty": lambda lines: [""] * len(lines),
    "garbage": lambda lines: ["xx qq zz vv"] * len(lines),
    "untranslated": lambda lines: list(SAMPLE.segments.sources or ())[: len(lines)],
    "looping": lambda lines: [" ".join(line.split()[:1] * 60) for line in lines],
    "upper-cased": lambda lines: [line.upper() for line in lines],
    "subwords": lambda lines: ["@@ ".join(line) for line in lines],
}


def broken(kind: str) -> Corpus:
    live = list(SAMPLE.lines("direct"))
    systems = {"live": live, "other": SAMPLE.lines("via-catalan"), "broken": BREAK[kind](live)}
    return Corpus.of(systems, SAMPLE.references, sources=SAMPLE.segments.sources, documents=SAMPLE.documents)


@crossed("unit, metric, kind", ["auto", "segment"], ["bleu", "chrf"], BREAK)
def test_a_broken_system_is_beaten(kind: str, metric: str, unit: str) -> None:
    statistics = measure(broken(kind), metric)
    family = Settings(n_resamples=500, unit=unit).family(statistics)  # type: ignore[arg-type]
    for name in ("live", "other"):
        beaten = family.pair(name, "broken")
        assert beaten is not None
        assert verdict(beaten).winner == name
    assert "withheld" not in str(comparison_table(family).texts)
    # What is empty is no system that could be the best.
    beaten = "other" if "broken" in family.unranked else "every other system"
    assert f"better than {beaten} on" in headline_text([family])
    assert ranks(family).systems[-1] == "broken"
    assert ranks(family).rank_low[-1] == 3


@sampled("kind", BREAK, most=3)
def test_a_broken_system_is_beaten_over_several_sets(kind: str) -> None:
    corpus = broken(kind)
    halves = Sets.of({"first": corpus.take(range(100)), "second": corpus.take(range(100, 200))})
    for unit in ("document", "segment"):
        found = over_sets(measure_sets(halves, "bleu"), Settings(n_resamples=500, unit=unit))  # type: ignore[arg-type]
        for family in (*found.families.values(), found.averages):
            assert family is not None
            beaten = family.pair("live", "broken")
            assert beaten is not None
            assert verdict(beaten).winner == "live"
        assert "nan" not in f"{averages_text(found)} {averages_table(found).texts}"


NAMED = {
    "empty": "empty lines",
    "garbage": "",
    "untranslated": "the untranslated source",
    "looping": "over and over",
    "upper-cased": "it has only capitals",
    "subwords": "subword marks",
}


@crossed("kind, data, margin", BREAK, ["whole", "few", "halves"], [None, 1.0])
def test_a_broken_candidate_is_a_regression_and_what_is_broken_is_named(
    kind: str, data: str, margin: float | None
) -> None:
    corpus = broken(kind)
    if data == "halves":
        judged: Corpus | Sets = Sets.of({"first": corpus.take(range(100)), "second": corpus.take(range(100, 200))})
    else:
        judged = corpus if data == "whole" else corpus.take(range(40))
    found = judge(judged, "live", "broken", ["bleu", "chrf"], margin, settings=Settings(n_resamples=500))
    assert [check.outcome for check in found.checks] == ["regression", "regression"]
    assert found.exit_code == 1
    assert data != "whole" or any(NAMED[kind] in note.text for note in found.notes)


@pytest.mark.parametrize("documents", [0, 12])
def test_jackknife_t_with_step_down_minp_judges_pairs_without_derivative(documents: int) -> None:
    part = read_sample().take(range(60))
    outputs = {name: list(part.lines(name)) for name in ("direct", "via-catalan", "via-esperanto")}
    outputs |= {"empty": [""] * 60, "loop": ["the the the the"] * 60}
    names = [f"d{i * documents // 60}" for i in range(60)] if documents else None
    corpus = Corpus.of(outputs, {"ref": list(next(iter(part.references.values())))}, documents=names)
    family = Settings(test="jackknife-t", correction="minp", n_resamples=500).family(measure(corpus, "bleu"))
    assert (family.correction, family.test.name) == ("minp", "jackknife-t")
    for one in family:
        broken = {one.first, one.second} & {"empty", "loop"}
        decided = verdict(one)
        if len(broken) == 2:
            assert (decided.word, decided.withheld) == ("withheld", "no match")
            assert np.isnan(one.p_adjusted)
            continue
        assert one.p_value <= one.p_adjusted <= 0.05
        assert decided.winner == one.first  # which is the better by construction, and no broken one
        assert decided.winner not in broken
        assert bool(one.unmatched) == bool(broken)
        assert one.adjusted_ci_low > 0
