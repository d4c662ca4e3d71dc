"""chrF++ as sacreBLEU 2.6.0 printed it on real data; a file of its own because counting takes a core for a minute."""

from pathlib import Path

import pytest
from sacrebleu_runs import check_scores, expected

RUNS = range(17, 34)


def test_every_run_with_words_is_tested() -> None:
    with_words = [number for number, run in enumerate(expected("scores")) if "--chrf-word-order 2" in run["command"]]
    assert with_words == list(RUNS)


@pytest.mark.parametrize("number", RUNS)
def test_chrf_with_words_equals_the_printed_digits(shared: Path, number: int) -> None:
    check_scores(shared, number)
