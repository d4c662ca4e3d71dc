"""Comparisons for tests that look at p-values alone."""

from mtsig.inference import TESTS, Family, SignificanceTest
from mtsig.inference._adjust import family_of, prepared, tested
from mtsig.inference._targets import PairChoice
from mtsig.metrics import Statistics
from mtsig.resampling import Bootstrap, Swap, resample


def compare_without_win_rates(
    statistics: Statistics, test: str | SignificanceTest, pairs: PairChoice = "all"
) -> Family:
    """Return what `compare` returns, but for the win rates: they stand on ten redraws instead of as many as the test's.

    The redraws cost as much as the test. For tests that exchange labels, and complete statistics.
    """
    chosen = TESTS[test] if isinstance(test, str) else test
    assert isinstance(chosen.scheme, Swap)
    unit = "segment" if chosen.segment_only else chosen.scheme.unit
    at_unit = statistics.at(unit)
    return family_of(tested(*prepared(statistics, chosen, pairs, resample(at_unit, Bootstrap(10, 1, at_unit.unit)))))
