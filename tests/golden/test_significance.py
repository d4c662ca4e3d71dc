"""sacreBLEU 2.6.0 on real data: its randomization and bootstrap to the digit, and the scores and p it printed."""

from pathlib import Path

import numpy as np
import pytest
from quick import compare_without_win_rates

from golden.sacrebleu_runs import check_scores, expected, in_short_and_whole, name_of, of_these, parsed, statistics_for
from mtsig import interval
from mtsig.inference import compare
from mtsig.inference._significance import ApproximateRandomization
from mtsig.resampling import Swap

RUNS = range(11)  # BLEU and chrF2; TER has a file of its own
# Chinese; two references. Shuffles know nothing of words: the other kinds' counts are held to the digit by their
# scores, and four references by the paired bootstrap, too.
KINDS = (1, 4)


@pytest.mark.parametrize(("number", "most"), in_short_and_whole(RUNS, KINDS, 2))
def test_the_paired_randomization_prints_the_same_digits(shared: Path, number: int, most: int | None) -> None:
    run = expected("paired_ar")[number]
    baseline = name_of(parsed(run["command"]).systems[0])
    for statistics in statistics_for(shared, run["command"], most):
        family = compare_without_win_rates(statistics, "sacrebleu-ar", baseline)
        theirs = {
            system: values[statistics.metric.name] for system, values in of_these(run["p_values"], statistics).items()
        }
        assert dict(zip(family.first, family.p_value.tolist(), strict=True)) == theirs


SCORE_RUNS, TEST_RUNS = range(17), range(11)
DRAWS = 10_000
# Two references and one in Chinese, four, two and one in languages with spaces, words to be cut and words cut before;
# of tests, which know nothing of words, one, two and four references.
SCORE_KINDS, TEST_KINDS = (0, 1, 3, 8, 9, 14, 15, 16), (1, 2, 4)


def test_every_run_with_bleu_is_tested() -> None:
    with_bleu = [number for number, run in enumerate(expected("scores")) if "-m bleu chrf " in run["command"]]
    assert with_bleu == list(SCORE_RUNS)
    assert all("-m bleu chrf " in run["command"] for run in expected("paired_ar")[: len(TEST_RUNS)])


@pytest.mark.parametrize(("number", "most"), in_short_and_whole(SCORE_RUNS, SCORE_KINDS))
def test_bleu_and_chrf_equal_the_printed_digits(shared: Path, number: int, most: int | None) -> None:
    check_scores(shared, number, most)


@pytest.mark.parametrize(("number", "most"), in_short_and_whole(TEST_RUNS, TEST_KINDS))
def test_randomization_agrees_within_monte_carlo_error(shared: Path, number: int, most: int | None) -> None:
    # Two estimates of one p-value from independent shuffles; sacreBLEU compares the first system with every other.
    run = expected("paired_ar")[number]
    baseline = name_of(parsed(run["command"]).systems[0])
    test = ApproximateRandomization(Swap(DRAWS, unit="segment"))
    for statistics in statistics_for(shared, run["command"], most):
        family = compare_without_win_rates(statistics, test, baseline)
        theirs = np.array([run["p_values"][system][statistics.metric.name] for system in family.first])
        p = (family.p_value + theirs) / 2
        allowed = 4 * np.sqrt(2 * p * (1 - p) / DRAWS) + 2 / (DRAWS + 1)
        assert set(family.first) == set(of_these(run["p_values"], statistics))
        assert np.all(np.abs(family.p_value - theirs) <= allowed)


# Four references and two; Chinese. Redraws know nothing of words: what was cut before is held to the digit by its
# scores.
REDRAWN = (3, 5, 10)


def test_every_run_is_tested() -> None:
    with_bleu = [n for n, run in enumerate(expected("paired_bs")) if "-m bleu chrf --paired-bs" in run["command"]]
    assert with_bleu == list(RUNS)


@pytest.mark.parametrize(("number", "most"), in_short_and_whole(RUNS, REDRAWN[:1], 2))
def test_the_paired_bootstrap_prints_the_same_digits(shared: Path, number: int, most: int | None) -> None:
    run = expected("paired_bs")[number]
    baseline = name_of(parsed(run["command"]).systems[0])
    for statistics in statistics_for(shared, run["command"], most):
        metric = statistics.metric.name
        family = compare(statistics, "sacrebleu-bs", baseline, interval="normal")
        printed = {system: values[metric] for system, values in of_these(run["printed"], statistics).items()}
        found = dict(zip(family.first, family.p_value.tolist(), strict=True))
        assert found == {system: one["p"] for system, one in printed.items() if system != baseline}
        intervals = interval(statistics, "sacrebleu")
        for system, one in printed.items():
            low, high = intervals[system].ci_low, intervals[system].ci_high
            assert (low + high) / 2 == pytest.approx(one["mean"], rel=1e-14)
            assert (high - low) / 2 == pytest.approx(one["half"], rel=1e-12)
