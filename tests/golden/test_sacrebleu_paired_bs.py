"""sacreBLEU 2.6.0's paired bootstrap on real data: every p, mean and half width of BLEU and chrF2, to the digit."""

from pathlib import Path

import pytest

from golden.sacrebleu_runs import expected, in_short_and_whole, name_of, of_these, parsed, statistics_for
from mtsig import interval
from mtsig.inference import compare

RUNS = range(11)  # BLEU and chrF2; TER has a file of its own
# Four references and two; Chinese. Redraws know nothing of words: what was cut before is held to the digit by its
# scores.
KINDS = (3, 5, 10)


def test_every_run_is_tested() -> None:
    with_bleu = [n for n, run in enumerate(expected("paired_bs")) if "-m bleu chrf --paired-bs" in run["command"]]
    assert with_bleu == list(RUNS)


@pytest.mark.parametrize(("number", "most"), in_short_and_whole(RUNS, KINDS[:1], 2))
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
