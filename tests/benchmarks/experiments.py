"""Experiments against one plain all-pairs bootstrap of the same data, in CPU seconds of one run.

Run as `python tests/benchmarks/experiments.py`. The yardstick redraws all systems of one test set once and counts the
wins of all pairs, as K04 section 6 does. K04's tables 3 and 4 do it on 460 test sets of four sizes; ZV04's table 2
looks at 10 sizes × 100 random subsets.
"""

import time
from collections.abc import Callable
from itertools import combinations

import numpy as np
from rich.console import Console
from rich.table import Table
from threadpoolctl import threadpool_limits

from mtsig import size_curve
from mtsig.lab import NEWS, Conclusions, run
from mtsig.lab._koehn2004 import nine_pairs
from mtsig.lab._material import Population
from mtsig.lab._worlds import KOEHN_SCORES
from mtsig.metrics import Statistics
from mtsig.resampling import Bootstrap, resample
from mtsig.segments._ablation import Ablation

DRAWS = 1000
REPEATS = 3
"""Runs of which the fastest counts."""


def seconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Return the fewest CPU seconds that a run took."""
    found = []
    for _ in range(repeats):
        began = time.process_time()
        work()
        found.append(time.process_time() - began)
    return min(found)


def all_pairs(statistics: Statistics, draws: int = DRAWS) -> np.ndarray:
    """Return the win rates of all pairs on redraws of one test set."""
    first, second = np.array(list(combinations(range(len(statistics.systems)), 2))).T
    return np.mean(resample(statistics, Bootstrap(draws, 1, "segment")).differences(first, second) > 0, axis=1)


def koehn() -> tuple[float, float]:
    """Return the seconds of K04's tables 3 and 4 on 30,000 segments, and of the yardstick there."""
    population: Population = NEWS.simulate(KOEHN_SCORES)
    plan = Conclusions(pairs=nine_pairs(population), n_resamples=DRAWS)
    return seconds(lambda: run(plan, population)), seconds(lambda: all_pairs(population.statistics))


def zhang() -> tuple[float, float, float]:
    """Return the seconds of ZV04's table 2 for 15 systems by jackknife, by bootstrap, and of the yardstick."""
    scores = tuple(30.0 - 0.3 * system for system in range(15))
    statistics = NEWS.simulate(scores, 2000).statistics
    at_once = Ablation(unit="segment")
    requested = Ablation(unit="segment", interval="percentile", n_resamples=DRAWS)
    return (
        seconds(lambda: size_curve(statistics, at_once)),
        seconds(lambda: size_curve(statistics, requested), 1),
        seconds(lambda: all_pairs(statistics)),
    )


def main() -> None:
    """Measure and print."""
    table = Table("workload", "CPU s", "yardstick, CPU s", "ratio", box=None)
    with threadpool_limits(1):
        tables, yardstick = koehn()
        table.add_row("K04 tables 3 and 4: 30,000 segments, 9 pairs, 460 test sets, B = 1000", *row(tables, yardstick))
        jackknife, bootstrap, yardstick = zhang()
        table.add_row("ZV04 table 2: 15 systems, 10 sizes × 100 subsets, ij", *row(jackknife, yardstick))
        table.add_row("the same with a bootstrap of 1000 in every subset", *row(bootstrap, yardstick))
    Console().print(table)


def row(ours: float, yardstick: float) -> tuple[str, str, str]:
    """Return seconds and their ratio as text."""
    return f"{ours:.2f}", f"{yardstick:.3f}", f"{ours / yardstick:.1f}"


if __name__ == "__main__":
    main()
