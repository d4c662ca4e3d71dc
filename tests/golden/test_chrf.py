"""chrF++ as sacreBLEU 2.6.0 printed it on real data; a file of its own because counting takes a core for a minute."""

from pathlib import Path

import pytest

from golden.sacrebleu_runs import check_scores, expected, in_short_and_whole

RUNS = range(17, 34)
# Two references in Chinese; four, and one, of words to be cut; words cut before.
KINDS = (17, 20, 26, 32, 33)


def test_every_run_with_words_is_tested() -> None:
    with_words = [number for number, run in enumerate(expected("scores")) if "--chrf-word-order 2" in run["command"]]
    assert with_words == list(RUNS)


@pytest.mark.parametrize(("number", "most"), in_short_and_whole(RUNS, KINDS))
def test_chrf_with_words_equals_the_printed_digits(shared: Path, number: int, most: int | None) -> None:
    check_scores(shared, number, most)
