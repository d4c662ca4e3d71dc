"""Unmatched: scores without derivative go in; what a pair lacks, and whether it can be judged all the same, comes out.

A score has no derivative where a kind of match is missing: BLEU without any 4-gram match. Its jackknife says nothing
there. See docs/statistics/tests.md, section 8.
"""

from dataclasses import dataclass

import numpy as np

from mtsig._records import Floats
from mtsig.corpus import number_of
from mtsig.metrics import Statistics

FEWEST_MATCHING = 10
"""In so many units the better system must have the match that the other one lacks: with 5, .12 of verdicts erred."""


@dataclass(frozen=True)
class Unmatched:
    """What one pair lacks, whose score has no derivative at all units or without one of them.

    said: which system lacks what. doubt: why there is no verdict; empty where there can be one. difference: where the
    metric is smoothed (`Metric.smoothed`), positive when the first system is better. moved: what leaving out each unit
    does to it, shape (n,).
    """

    said: str
    data_caveat: str
    difference: float
    moved: Floats

    @property
    def error(self) -> float:
        """The standard error of that difference by the jackknife."""
        n = len(self.moved)
        return float(np.sqrt(np.square(self.moved).sum() * (n - 1) / n))


def what_is_lacking(statistics: Statistics, pair: tuple[int, int], bare: tuple[bool, bool]) -> tuple[str, str]:
    """Return what a pair lacks, in words, and why that allows no verdict; "" where it allows one.

    pair: the systems' rows; bare: which of them have a score without derivative, at all units or without one.
    """
    metric, unit = statistics.metric, statistics.unit
    names = [repr(statistics.systems[row]) for row in pair]
    lost = [_lost(statistics, row) if without else [] for row, without in zip(pair, bare, strict=True)]
    if not any(bare) or any(without and not kinds for kinds, without in zip(lost, bare, strict=True)):
        concerned = [name for name, without in zip(names, bare, strict=True) if without] or names
        said = f"the {metric.name} of {' and '.join(concerned)} has no derivative"
        return said, f"{said}, so how far it may be off cannot be told"
    if all(bare):
        kind = max(kinds[0] for kinds in lost)
        said = f"{names[0]} and {names[1]} have "
        some = any(_total(statistics, row, kind) for row in pair)
        said += f"{metric.matches[kind]} matches in one {unit} at most" if some else f"no {metric.matches[kind]} match"
        rest = "both scores rest on smoothing" if metric.smoothed != metric else "neither score has a derivative"
        return said, f"{rest} ({said})"
    (poor, rich), kind = ((0, 1) if bare[0] else (1, 0)), max(lost)[0]
    some, name = _total(statistics, pair[poor], kind), metric.matches[kind]
    said = f"{names[poor]} has " + (f"{name} matches in one {unit} only" if some else f"no {name} match")
    ahead = statistics.scores[pair[rich]] - statistics.scores[pair[poor]]
    if (ahead if metric.higher_is_better else -ahead) <= 0:
        return said, f"{said}, and {names[rich]} does not score better"
    units = int(metric.matched(statistics.values[:, pair[rich]])[kind].sum())
    if units < FEWEST_MATCHING:
        return said, f"{said}, and {names[rich]} has them in {number_of(units, unit)} only"
    return said, ""


def _lost(statistics: Statistics, row: int) -> list[int]:
    """Return which kinds of matches a system has not at all, or not without some unit."""
    own = statistics.values[:, row].astype(np.float64)
    without = statistics.sums[:, row, None] - own
    return np.flatnonzero(~statistics.metric.matched(without).all(axis=-1)).tolist()


def _total(statistics: Statistics, row: int, kind: int) -> bool:
    """Return whether a system has any match of a kind."""
    return bool(statistics.metric.matched(statistics.sums[:, row])[kind])
