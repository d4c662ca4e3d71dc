"""Tests between metrics: absolute work, and the ratio to a plain loop in the same run.

    OMP_NUM_THREADS=1 PYTHONPATH=. python tests/benchmarks/trust.py

15 systems, 2,000 segments, 30 metrics: 435 pairs. Seconds are of the processor. A plain loop does what other programs
do: one draw, or one metric, after the other, in numpy and scipy; it does a part of the work, which is scaled up.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import scipy.stats

from mtsig import Settings
from mtsig._records import Floats
from mtsig.corpus import Corpus, Rating
from mtsig.meta_eval import EXCHANGES, STATISTICS, RatedData, compare_metrics
from mtsig.meta_eval._comparing import item_statistics
from mtsig.meta_eval._exchanges import Hybrids, pairs_p
from mtsig.meta_eval._groups import calibrated
from mtsig.meta_eval._statistic import redrawn

SYSTEMS, SEGMENTS, METRICS = 15, 2000, 30
PAIRS = METRICS * (METRICS - 1) // 2


def data(gaps: bool = False) -> RatedData:
    """Return made scores of the size of a large metrics task; with gaps, one output of ten is not rated."""
    rng = np.random.default_rng(1)
    quality = rng.normal(size=(SYSTEMS, 1))
    scores = [quality + rng.normal(size=(SYSTEMS, SEGMENTS)) for _ in range(METRICS + 1)]
    scores[0] = np.round(scores[0])
    if gaps:
        scores[0][rng.random(scores[0].shape) < 0.1] = np.nan
    ratings = {f"m{number}": Rating(values, higher_is_better=True) for number, values in enumerate(scores)}
    corpus = Corpus.of({f"s{row}": None for row in range(SYSTEMS)}, ratings=ratings)
    return RatedData.of(corpus, "rating:m0", [f"rating:m{number}" for number in range(1, METRICS + 1)])


def cpu(work: Callable[[], object]) -> float:
    """Return the CPU seconds that work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


# --- what the program does -----------------------------------------------------------------------------------------


def exchanged(rated: RatedData, statistic: str, unit: str, draws: int, by: str = "") -> Callable[[], object]:
    """Return the work of a test of all pairs of metrics."""
    chosen = replace(STATISTICS[statistic], by=by) if by else STATISTICS[statistic]
    return lambda: Hybrids(rated, chosen, rated.names, EXCHANGES[unit], Settings(n_resamples=draws)).null()


def soft(rated: RatedData, p: str, draws: int = 1000) -> Callable[[], object]:
    """Return the work of every metric's soft accuracy."""
    chosen = replace(STATISTICS["spa"], p=p, n_resamples=draws)
    return lambda: [chosen.value(rated, name) for name in rated.names]


def decided(rated: RatedData) -> Callable[[], object]:
    """Return the work of the test that exchanges decisions on pairs, of all pairs of metrics."""

    def work() -> None:
        right = np.stack([_right(rated, name) for name in rated.names]).astype(np.float32)
        only = right @ (1 - right).T
        for i in range(METRICS):
            for j in range(i + 1, METRICS):
                pairs_p(int(only[i, j]), int(only[j, i]))

    return work


def _right(rated: RatedData, name: str) -> Floats:
    statistic = STATISTICS["acc_eq"].fitted(rated, name)
    return np.asarray(statistic.terms(rated.ratings, rated.cells(name))[0]).ravel()  # type: ignore[attr-defined]


# --- plain loops: seconds of one draw of one pair, or of one metric -------------------------------------------------


def correlations(rated: RatedData, unit: str, draws: int) -> float:
    """Return the seconds of one exchange between two metrics, followed by two correlations."""
    cells = rated.ratings, rated.cells("m1"), rated.cells("m2")
    human, a, b = (x.mean(axis=1) for x in cells) if unit == "systems" else cells
    shape = {"systems": human.shape, "cells": human.shape, "item": (1, SEGMENTS)}[unit]
    rng = np.random.default_rng(1)

    def work() -> None:
        for _ in range(draws):
            mask = rng.random(shape) < 0.5
            for hybrid in (np.where(mask, b, a), np.where(mask, a, b)):
                scipy.stats.pearsonr(human.ravel(), hybrid.ravel())

    return cpu(work) / draws


def soft_loop(rated: RatedData, draws: int) -> float:
    """Return the seconds of one metric's soft accuracy: pair after pair of systems, by random signs."""
    rng = np.random.default_rng(1)
    cells = rated.cells("m1")

    def work() -> None:
        turned = rng.integers(0, 2, size=(draws, SEGMENTS)) * 2.0 - 1
        for first, second in zip(*(x.tolist() for x in rated.pairs), strict=True):
            apart = cells[first] - cells[second]
            np.mean(turned @ apart >= apart.sum())

    return cpu(work)


def calibration_loop(rated: RatedData, segments: int) -> float:
    """Return the seconds of one metric's calibration: every threshold that occurs is tried, as by its definition."""
    human, scores = rated.ratings[:, :segments], rated.cells("m1")[:, :segments]
    first, second = np.triu_indices(SYSTEMS, 1)
    h, m = (x[first] - x[second] for x in (human, scores))

    def work() -> None:
        # Nine thresholds of a thousand: trying all grows with the square of the pairs.
        for epsilon in np.quantile(np.abs(m), np.linspace(0, 1, 9)):
            np.nanmean(np.where(np.abs(m) <= epsilon, h == 0, (h != 0) & (np.sign(h) == np.sign(m))))

    return cpu(work) / 9 * np.count_nonzero(~np.isnan(m)) * (SEGMENTS / segments) ** 2


def items_loop(rated: RatedData, draws: int) -> float:
    """Return the seconds of one exchange of segments between two metrics, and of both accuracies after it."""
    rng = np.random.default_rng(1)
    human, a, b = rated.ratings, rated.cells("m1"), rated.cells("m2")
    first, second = np.triu_indices(SYSTEMS, 1)
    h = np.sign(human[first] - human[second])

    def work() -> None:
        for _ in range(draws):
            mask = rng.random(SEGMENTS) < 0.5
            for hybrid in (np.where(mask, b, a), np.where(mask, a, b)):
                np.mean(np.sign(hybrid[first] - hybrid[second]) == h)

    return cpu(work) / draws


# --- rows ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """One line: what is done, how many units of work it has, and the seconds of a plain loop for one of them."""

    what: str
    work: Callable[[], object]
    units: int
    of: str
    plain: float

    def show(self) -> None:
        """Do the work and print it."""
        seconds = max(cpu(self.work), 1e-9)
        rate, ratio = self.units / seconds, self.units * self.plain / seconds
        print(f"{self.what:<62}{seconds:8.2f} s{rate:16,.0f} {self.of}/s{ratio:12,.0f} × a plain loop", flush=True)


def rows() -> list[Row]:
    """Return the rows of the table; tests run on fewer draws, and say what they do in a second."""
    rated, gaps = data(), data(gaps=True)
    draws = "draws × pairs"
    by_sign = soft_loop(rated, 1000)
    item = items_loop(rated, 5)
    accuracies = Settings(n_resamples=10_000, test="ar", correction="none")
    return [
        Row("systems exchanged, Pearson of systems, all 2^15", exchanged(rated, "pearson", "systems", 2**15),
            2**15 * PAIRS, draws, correlations(rated, "systems", 200)),
        Row("cells exchanged, Pearson by none", exchanged(rated, "segment-pearson", "cells", 512, "none"),
            512 * PAIRS, draws, correlations(rated, "cells", 20)),
        Row("segments exchanged, Pearson by none", exchanged(rated, "segment-pearson", "item", 10_000, "none"),
            10_000 * PAIRS, draws, correlations(rated, "item", 20)),
        Row("soft accuracy, 1,000 signs", soft(rated, "mid", 1000), METRICS, "metrics", by_sign),
        Row("soft accuracy, 10,000 signs", soft(rated, "mid", 10_000), METRICS, "metrics", 10 * by_sign),
        Row("soft accuracy, normal limit", soft(rated, "normal"), METRICS, "metrics", by_sign),
        Row("segments exchanged, soft accuracy", exchanged(rated, "spa", "item", 512),
            512 * PAIRS, draws, 2 * by_sign),
        Row("calibrated accuracy by item, with gaps",
            lambda: [calibrated(gaps.ratings, gaps.cells(name)) for name in gaps.names],
            METRICS, "metrics", calibration_loop(gaps, 200)),
        Row("calibrated accuracy by item, complete",
            lambda: [calibrated(rated.ratings, rated.cells(name)) for name in rated.names],
            METRICS, "metrics", calibration_loop(rated, 200)),
        Row("decisions on pairs exchanged, calibrated accuracy", decided(rated), 1000 * PAIRS, draws, item),
        Row("segments exchanged, calibrated accuracy by item",
            lambda: accuracies.family(item_statistics(rated, STATISTICS["acc_eq"])), 10_000 * PAIRS, draws, item),
        Row("the same, with systems exchanged beside it, 10,000 draws",
            lambda: compare_metrics(rated, "acc_eq", "item", accuracies), 2 * 10_000 * PAIRS, draws, item),
        Row("three statistics redrawn, systems and segments",
            lambda: redrawn(rated, [STATISTICS[name] for name in ("accuracy", "pearson", "acc_eq_0")], draws=1024),
            1024 * METRICS * 3, "draws × metrics", item / 2),
    ]  # fmt: skip


if __name__ == "__main__":
    for row in rows():
        row.show()
