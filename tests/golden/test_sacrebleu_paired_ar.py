"""sacreBLEU 2.6.0's approximate randomization on real data: every p-value of BLEU and chrF2, to the digit."""

from pathlib import Path

import pytest
from quick import compare_without_win_rates
from sacrebleu_runs import expected, in_short_and_whole, name_of, of_these, parsed, statistics_for

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
