"""sacreBLEU's paired tests to the digit, labelled with what they really compute.

See docs/statistics/tests.md, section 6.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtsig._records import Floats
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference.significance.base import (
    EXCHANGEABLE,
    HALF_OF_P,
    POPULATION,
    Outcome,
    SignificanceTest,
    counted,
)
from mtsig.inference.targets import Pairs
from mtsig.metrics import Statistics
from mtsig.progress import report
from mtsig.resampling import Bootstrap, Swap


def _resampled(scorer: Any, rows: NDArray[np.float32], drawn: NDArray[np.int64]) -> NDArray[Any]:
    """Return sacreBLEU's own score of every redrawn set, in its own arithmetic: float32 sums row by row."""
    scores = []
    for done, units in enumerate(drawn, 1):
        scores.append(scorer._compute_score_from_stats(rows[units].sum(0)).score)
        report(done / len(drawn))
    return np.array(scores)


_MOST_REFERENCES = 20

_NEAR = 1e-6
"""Our scores are sacreBLEU's to twelve digits: so near to the observed difference its own arithmetic decides."""


def _rows(statistics: Statistics, system: int) -> NDArray[np.float64]:
    """Return the statistics of each segment, mean reference lengths being the quotients that sacreBLEU adds."""
    values = np.asarray(statistics.values[:, system].T, dtype=np.float64)
    for references in range(1, _MOST_REFERENCES):
        whole = np.rint(values * references)
        if np.all(np.abs(values * references - whole) < 1e-6):
            return np.asarray(whole / references)
    return values


def _generator(seed: int) -> np.random.Generator:
    if seed == 0:
        raise InvalidOption(
            "sacreBLEU leaves its paired tests unseeded with seed 0: no digits to print. Choose another."
        )
    return np.random.default_rng(seed)


def _scorer(statistics: Statistics) -> Any:
    made = getattr(statistics.metric, "scorer", None)
    if made is None or statistics.metric.is_segment_mean:
        raise NotApplicable(f"sacreBLEU does not compute {statistics.metric.name}; there is nothing of its to print.")
    if statistics.unit != "segment":
        raise NotApplicable(
            f"sacreBLEU knows no {statistics.unit}s: choose the segment as the unit to see what it prints."
        )
    return made()


def _observed(scorer: Any, rows: NDArray[np.float64]) -> float:
    whole = rows.sum(axis=0)
    counts = np.rint(whole).astype(np.int64) if np.all(whole == np.rint(whole)) else whole
    return float(scorer._compute_score_from_stats(counts.tolist()).score)


def mean_and_half_width(scores: NDArray[Any]) -> tuple[float, float]:
    """Return sacreBLEU's "mean ± half width" of redrawn scores: centred on the biased mean of the redraws."""
    ordered = np.sort(scores)
    cut = len(ordered) // 40
    return float(ordered.mean()), float(0.5 * (ordered[len(ordered) - cut - 1] - ordered[cut]))


def resample_as_sacrebleu(statistics: Statistics, draws: int, seed: int) -> list[tuple[float, float]]:
    """Return sacreBLEU's mean and half width of every system, as `--paired-bs` prints them.

    Raises:
        NotApplicable: the metric is not one of sacreBLEU's, or units are documents.
    """
    scorer = _scorer(statistics)
    drawn = np.random.default_rng(seed).choice(statistics.n, size=(draws, statistics.n), replace=True)
    rows = [_rows(statistics, s).astype(np.float32) for s in range(len(statistics.systems))]
    return [mean_and_half_width(_resampled(scorer, row, drawn)) for row in rows]


def redrawn_as_sacrebleu(statistics: Statistics, systems: Sequence[int], scheme: Bootstrap) -> list[NDArray[Any]]:
    """Return the scores that `--paired-bs` gives the systems at these positions on its redraws, in their order.

    Raises:
        NotApplicable: the metric is not one of sacreBLEU's, or units are documents.
        InvalidOption: the seed is 0, with which sacreBLEU draws differently every time.
    """
    scorer = _scorer(statistics)
    size = (scheme.n_draws, statistics.n)
    drawn = _generator(scheme.seed).choice(statistics.n, size=size, replace=True)
    return [_resampled(scorer, _rows(statistics, s).astype(np.float32), drawn) for s in systems]


@dataclass(frozen=True)
class SacrebleuBootstrap(SignificanceTest):
    """sacreBLEU's `--paired-bs`: |d*| − mean|d*| > |d|, (c + 1)/(B + 1), its draws and its arithmetic."""

    scheme: Bootstrap = field(default_factory=lambda: Bootstrap(1000, 12345, "segment"))

    name = "sacrebleu-bs"
    named = "paired bootstrap as sacreBLEU prints it"
    proposed = "Post 2018"
    interval = "percentile"
    short_label = "sacreBLEU's paired bootstrap"
    label = f"{short_label}, as printed"
    in_words = "sacreBLEU's paired bootstrap (whose p is about half of a two-sided p)"
    cites = ("post-2018-call",)
    about = "What does sacrebleu --paired-bs print?"
    estimand = POPULATION
    assumes = "that the mean absolute difference is 0 under the null, which it is not"
    differs = "Riezler and Maxwell's Figure 2: a one-sided p used two-sidedly, about half of a two-sided p."
    segment_only = True
    printed_only = True
    anticonservative_reason = HALF_OF_P

    def __call__(self, pairs: Pairs) -> Outcome:
        """Redraw with numpy's `default_rng(seed).choice`, afresh for every pair, as sacreBLEU does."""
        statistics, scorer = pairs.statistics, _scorer(pairs.statistics)
        systems = sorted({*pairs.first.tolist(), *pairs.second.tolist()})
        redrawn = dict(zip(systems, redrawn_as_sacrebleu(statistics, systems, self.scheme), strict=True))
        observed = {s: _observed(scorer, _rows(statistics, s)) for s in systems}
        extreme = []
        for x, y in zip(pairs.first.tolist(), pairs.second.tolist(), strict=True):
            gap = np.abs(redrawn[x] - redrawn[y])
            # Strictly larger, and centred after taking absolute values: sacreBLEU's choices, kept.
            extreme.append(int(np.sum(gap - gap.mean() > abs(observed[x] - observed[y]))))
        return _printed(extreme, self.scheme.n_draws)


@dataclass(frozen=True)
class SacrebleuRandomization(SignificanceTest):
    """sacreBLEU's `--paired-ar`: |d*| > |d|, (c + 1)/(R + 1), its draws and its arithmetic."""

    scheme: Swap = field(default_factory=lambda: Swap(10_000, 12345, "segment"))

    name = "sacrebleu-ar"
    named = "approximate randomization as sacreBLEU prints it"
    proposed = "Post 2018"
    short_label = "sacreBLEU's approximate randomization"
    label = f"{short_label}, as printed"
    in_words = "sacreBLEU's approximate randomization"
    cites = ("post-2018-call",)
    about = "What does sacrebleu --paired-ar print?"
    estimand = EXCHANGEABLE
    assumes = "that equal differences are rare"
    differs = "Counts > instead of ≥: two identical systems get p = 1/(R + 1); segments only."
    segment_only = True
    printed_only = True
    anticonservative_reason = (
        "it counts > instead of ≥, so where few segments differ its p is too small: at .05 it errs in up to 14 of 100 "
        "cases without any difference"
    )

    def __call__(self, pairs: Pairs) -> Outcome:
        """Exchange with numpy's `default_rng(seed).integers`, afresh for every pair, as sacreBLEU does."""
        statistics, scorer = pairs.statistics, _scorer(pairs.statistics)
        size = (self.scheme.n_draws, statistics.n)
        kept = _generator(self.scheme.seed).integers(2, size=size, dtype=bool).astype(np.float64)
        extreme = []
        for done, (x, y) in enumerate(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)):
            report(done / len(pairs.first))
            system, base = _rows(statistics, x), _rows(statistics, y)
            first, second = _exchanged(kept, base, system)
            observed = abs(_observed(scorer, base) - _observed(scorer, system))
            gaps = np.abs(statistics.metric.score(first.T) - statistics.metric.score(second.T))
            near = np.abs(gaps - observed) < _NEAR
            gaps[near] = np.abs(_scored(scorer, first[near]) - _scored(scorer, second[near]))
            extreme.append(int(np.sum(gaps > observed)))
        return _printed(extreme, self.scheme.n_draws)


def _exchanged(kept: Floats, base: Floats, system: Floats) -> tuple[Floats, Floats]:
    """Return the totals of both sides of every exchange; sums of whole numbers are the same in any order."""
    if np.all(base == np.rint(base)) and np.all(system == np.rint(system)):
        first = kept @ (base - system) + system.sum(axis=0)
        return first, base.sum(axis=0) + system.sum(axis=0) - first
    return kept @ base + (1 - kept) @ system, (1 - kept) @ base + kept @ system


def _scored(scorer: Any, totals: NDArray[np.float64]) -> Floats:
    whole = np.all(totals == np.rint(totals))
    rows = (np.rint(totals).astype(np.int64) if whole else totals).tolist()
    return np.array([scorer._compute_score_from_stats(row).score for row in rows])


def _printed(extreme: list[int], draws: int) -> Outcome:
    return counted(np.array(extreme, dtype=np.int64), draws)
