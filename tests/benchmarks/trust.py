"""Metrics against people: draws × pairs of metrics per CPU second, and how much faster than a plain loop.

Run: python tests/benchmarks/trust.py. The loop is what one would write for one pair and one draw with numpy and scipy,
timed in the same run on few draws and scaled by their number.
"""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import scipy.stats

from mtsig import Settings
from mtsig.corpus import Corpus, Rating
from mtsig.trust import STATISTICS, Judged
from mtsig.trust.calibration import calibrated
from mtsig.trust.exchange import _Made
from mtsig.trust.intervals import redrawn

SYSTEMS, SEGMENTS, METRICS = 15, 2000, 30


def data() -> Judged:
    """Return made scores of the size of a large metrics task."""
    rng = np.random.default_rng(1)
    quality = rng.normal(size=(SYSTEMS, 1))
    scores = [quality + rng.normal(size=(SYSTEMS, SEGMENTS)) for _ in range(METRICS + 1)]
    scores[0] = np.round(scores[0])
    ratings = {f"m{number}": Rating(one, higher_is_better=True) for number, one in enumerate(scores)}
    corpus = Corpus.of({f"s{row}": None for row in range(SYSTEMS)}, ratings=ratings)
    return Judged.of(corpus, "rating:m0", [f"rating:m{number}" for number in range(1, METRICS + 1)])


def cpu(work: Callable[[], object]) -> float:
    """Return the CPU seconds that work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def exchanged(judged: Judged, statistic: str, unit: str, draws: int, by: str = "") -> Callable[[], object]:
    """Return the work of a test of all pairs of metrics."""
    chosen = replace(STATISTICS[statistic], by=by) if by else STATISTICS[statistic]
    return lambda: _Made(judged, chosen, judged.names, unit, Settings(draws=draws))._null()  # type: ignore[arg-type]


def loop(judged: Judged, unit: str, draws: int) -> Callable[[], object]:
    """Return a plain loop over draws for one pair of metrics."""
    human, a, b = judged.ratings, judged.cells("m1"), judged.cells("m2")
    rng = np.random.default_rng(1)

    def work() -> None:
        for _ in range(draws):
            if unit == "systems":
                mask = rng.random(SYSTEMS) < 0.5
                h, x, y = human.mean(axis=1), a.mean(axis=1), b.mean(axis=1)
            else:
                mask = rng.random(human.shape) < 0.5
                h, x, y = human, a, b
            first, second = np.where(mask, y, x), np.where(mask, x, y)
            for one in (first, second):
                scipy.stats.pearsonr(h.ravel(), one.ravel())

    return work


def show(what: str, seconds: float, done: float, plain: float) -> None:
    """Print one row: work per CPU second, and the ratio to the loop."""
    print(
        f"{what:<66}{seconds:8.2f} s{done / seconds:14,.0f} draws × pairs/s{plain / seconds:12,.0f} times a plain loop"
    )


def main() -> None:
    """Print the rows."""
    judged, pairs = data(), METRICS * (METRICS - 1) // 2
    rows = (
        ("systems exchanged, Pearson of systems, all 2^15", "pearson", "systems", 2**15, ""),
        ("cells exchanged, Pearson by none", "segment-pearson", "cells", 512, "none"),
        ("segments exchanged, Pearson by none", "segment-pearson", "item", 2048, "none"),
    )
    for what, statistic, unit, draws, by in rows:
        few = 200 if unit == "systems" else 20
        plain = cpu(loop(judged, unit, few)) / few * draws * pairs
        show(what, cpu(exchanged(judged, statistic, unit, draws, by)), draws * pairs, plain)
    spa = STATISTICS["spa"]
    seconds = cpu(lambda: [replace(spa, p="normal").value(judged, name) for name in judged.names])
    print(f"{'soft accuracy of 30 metrics, normal limit':<66}{seconds:8.2f} s")
    seconds = cpu(lambda: [calibrated(judged.ratings, judged.cells(name)) for name in judged.names])
    print(f"{'tie-calibrated accuracy of 30 metrics, by item':<66}{seconds:8.2f} s")
    few = [STATISTICS[name] for name in ("accuracy", "pearson", "acc_eq_0")]
    seconds = cpu(lambda: redrawn(judged, few, draws=1024))
    print(f"{'three statistics of 30 metrics in 1,024 redraws of both':<66}{seconds:8.2f} s")


if __name__ == "__main__":
    main()
