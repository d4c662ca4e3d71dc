"""TER as sacreBLEU 2.6.0 printed it on real data: scores, both paired tests, means and half widths, to the digit."""

from pathlib import Path

import pytest
from sacrebleu_runs import check_scores, expected, name_of, parsed, statistics_for

from mtsig import compare, interval

SCORES, TESTS = range(34, 39), range(11, 13)


def test_every_run_with_ter_is_tested() -> None:
    def with_ter(kind: str) -> list[int]:
        return [number for number, run in enumerate(expected(kind)) if "-m ter " in run["command"]]

    assert with_ter("scores") == list(SCORES)
    assert with_ter("paired_ar") == with_ter("paired_bs") == list(TESTS)


@pytest.mark.parametrize("number", SCORES)
def test_ter_equals_the_printed_digits(shared: Path, number: int) -> None:
    check_scores(shared, number)


@pytest.mark.parametrize("number", TESTS)
def test_the_paired_tests_print_the_same_digits(shared: Path, number: int) -> None:
    shuffled, redrawn = expected("paired_ar")[number], expected("paired_bs")[number]
    baseline = name_of(parsed(redrawn["command"]).systems[0])
    (statistics,) = statistics_for(shared, redrawn["command"])
    found = compare(statistics, "sacrebleu-ar", baseline)
    theirs = {system: values["TER"] for system, values in shuffled["p_values"].items()}
    assert dict(zip(found.first, found.p_value.tolist(), strict=True)) == theirs

    printed = {system: values["TER"] for system, values in redrawn["printed"].items()}
    found = compare(statistics, "sacrebleu-bs", baseline)
    theirs = {system: one["p"] for system, one in printed.items() if system != baseline}
    assert dict(zip(found.first, found.p_value.tolist(), strict=True)) == theirs
    intervals = interval(statistics, "sacrebleu")
    for system, one in printed.items():
        low, high = intervals[system].low, intervals[system].high
        assert (low + high) / 2 == pytest.approx(one["mean"], rel=1e-14)
        assert (high - low) / 2 == pytest.approx(one["half"], rel=1e-12)
