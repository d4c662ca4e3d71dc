"""TER as sacreBLEU 2.6.0 printed it on real data: scores, both paired tests, means and half widths, to the digit."""

from pathlib import Path

import pytest

from golden.sacrebleu_runs import check_scores, expected, in_short_and_whole, name_of, of_these, parsed, statistics_for
from mtsig import interval
from mtsig.inference import compare

SCORES, TESTS = range(34, 39), range(11, 13)
# Shifts are searched one by one: two systems of a set will do, one set of each kind.
KINDS = (34, 35, 36, 37)


def test_every_run_with_ter_is_tested() -> None:
    def with_ter(kind: str) -> list[int]:
        return [number for number, run in enumerate(expected(kind)) if "-m ter " in run["command"]]

    assert with_ter("scores") == list(SCORES)
    assert with_ter("paired_ar") == with_ter("paired_bs") == list(TESTS)


@pytest.mark.parametrize(("number", "most"), in_short_and_whole(SCORES, KINDS, 2))
def test_ter_equals_the_printed_digits(shared: Path, number: int, most: int | None) -> None:
    check_scores(shared, number, most)


@pytest.mark.parametrize(("number", "most"), in_short_and_whole(TESTS, TESTS[:1], 2))
def test_the_paired_tests_print_the_same_digits(shared: Path, number: int, most: int | None) -> None:
    shuffled, redrawn = expected("paired_ar")[number], expected("paired_bs")[number]
    baseline = name_of(parsed(redrawn["command"]).systems[0])
    (statistics,) = statistics_for(shared, redrawn["command"], most)
    found = compare(statistics, "sacrebleu-ar", baseline)
    theirs = {system: values["TER"] for system, values in of_these(shuffled["p_values"], statistics).items()}
    assert dict(zip(found.first, found.p_value.tolist(), strict=True)) == theirs

    printed = {system: values["TER"] for system, values in of_these(redrawn["printed"], statistics).items()}
    found = compare(statistics, "sacrebleu-bs", baseline)
    theirs = {system: one["p"] for system, one in printed.items() if system != baseline}
    assert dict(zip(found.first, found.p_value.tolist(), strict=True)) == theirs
    intervals = interval(statistics, "sacrebleu")
    for system, one in printed.items():
        low, high = intervals[system].ci_low, intervals[system].ci_high
        assert (low + high) / 2 == pytest.approx(one["mean"], rel=1e-14)
        assert (high - low) / 2 == pytest.approx(one["half"], rel=1e-12)
