"""Intervals of statistics of agreement: segments, systems or both are redrawn, for all metrics at once.

Deutsch et al. (2021): rows with replacement, then columns with replacement, and what lies on both. One plan serves all
metrics and statistics, so that their redraws are paired (docs/statistics/trust.md, section 4).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from mtsig.arrays import Floats
from mtsig.corpus import Note
from mtsig.metrics import Unit
from mtsig.resampling import BLOCK, Bootstrap, Purpose, Words
from mtsig.trust.judged import Judged
from mtsig.trust.redraws import percentiles
from mtsig.trust.statistic import Redraw, Statistic

Over: TypeAlias = Literal["segments", "systems", "both"]
"""What is redrawn: other segments, other systems, or both."""

FEWEST_SYSTEMS = 5
"""Fewer systems cannot stand for other systems."""

MOST_DROPPED = 0.01
"""From this share of undefined draws on, an interval deserves a warning."""


def redraws(judged: Judged, over: Over, draws: int, seed: int, unit: Unit = "auto") -> Iterator[Redraw]:
    """Yield blocks of redraws: the same for every metric and statistic.

    Documents are drawn whole where they are the units.
    """
    units, systems = judged.units(unit), len(judged.systems)
    count = int(units.max()) + 1
    unit_of = None if count == judged.n else units
    scheme = Bootstrap(draws, seed, "segment")
    # Blocks of as many rows, whatever yields them: rows of systems go by their number, too.
    segments = _rows(scheme.blocks(count)) if over != "systems" else None
    for start in range(0, draws, BLOCK):
        size = min(BLOCK, draws - start)
        drawn = np.ones((1, count)) if segments is None else next(segments).astype(np.float64)
        yield Redraw(drawn, None if over == "segments" else _systems(seed, start // BLOCK, size, systems), unit_of)


def _rows(blocks: Iterator[np.ndarray]) -> Iterator[np.ndarray]:
    part: list[np.ndarray] = []
    for block in blocks:
        if len(block) < BLOCK:  # of many units a part of a block comes at a time
            part.append(block)
            if sum(map(len, part)) < BLOCK:
                continue
            block, part = np.concatenate(part), []
        yield from (block[start : start + BLOCK] for start in range(0, len(block), BLOCK))
    if part:
        yield np.concatenate(part)


def _systems(seed: int, block: int, rows: int, systems: int) -> Floats:
    """Return how often each system is drawn; shape (rows, systems)."""
    halves = Words(seed, block, Purpose.DRAWN_SYSTEMS).halves(rows, systems)
    drawn = ((halves * np.uint64(systems)) >> np.uint64(32)).astype(np.int64)
    return np.stack([np.bincount(row, minlength=systems) for row in drawn]).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Drawn:
    """The values of statistics and metrics in b redraws.

    values: by statistic and metric, shape (b,) each, NaN where undefined.
    """

    values: dict[tuple[str, str], Floats]
    over: Over

    def ends(self, statistic: str, metric: str, level: float, value: float = float("nan")) -> tuple[float, float]:
        """Return the percentile interval, which holds the value, of the draws in which there is one; NaN without."""
        kept = self._kept(statistic, metric)
        return percentiles(kept, level, value)[:2] if len(kept) > 1 else (float("nan"), float("nan"))

    def dropped(self, statistic: str, metric: str) -> int:
        """Return in how many redraws the statistic has no value."""
        return len(self.values[statistic, metric]) - len(self._kept(statistic, metric))

    def _kept(self, statistic: str, metric: str) -> Floats:
        values = self.values[statistic, metric]
        return values[~np.isnan(values)]


def redrawn(
    judged: Judged,
    statistics: Sequence[Statistic],
    over: Over = "both",
    *,
    draws: int = 10_000,
    seed: int = 12345,
    unit: Unit = "auto",
) -> Drawn:
    """Return the values of the statistics of all metrics that have them, in redraws that all of them share.

    What a statistic takes from the data, such as a threshold for ties, is fitted once, on all of them. Of a metric with
    scores of whole systems only, systems are redrawn alone, with people's ratings as they are; and of all metrics where
    people scored whole systems only. No value where segments are redrawn alone.
    """
    asked = [
        (statistic.name, metric.name, statistic.fitted(judged, metric.name))
        for statistic in statistics
        for metric in judged.metrics
        if not statistic.refused(judged, metric.name)
    ]
    values = {(name, metric): np.full(draws, np.nan) for name, metric, _ in asked}
    if over == "segments" or len(judged.systems) >= FEWEST_SYSTEMS:
        start = 0
        for redraw in redraws(judged, over, draws, seed, unit):
            stop = start + len(redraw.segments)
            for name, metric, statistic in asked:
                known = redraw.known_of(judged, metric)
                if known is redraw or redraw.systems is not None:
                    values[name, metric][start:stop] = statistic.redrawn(judged, metric, known)
            start = stop
    return Drawn(values, over)


def interval_notes(judged: Judged, drawn: Drawn) -> tuple[Note, ...]:
    """Return what to know of the intervals: that systems are too few, or that many redraws have no value."""
    systems = len(judged.systems)
    if drawn.over != "segments" and systems < FEWEST_SYSTEMS:
        return (Note("warning", f"{systems} systems cannot stand for other systems: no interval over systems."),)
    notes = []
    for whole in filter(None, dict.fromkeys(map(judged.whole, judged.names))):
        if drawn.over != "systems":
            said = "its intervals redraw systems" if whole in judged.names else "all intervals redraw systems"
            said = "there is no interval over segments" if drawn.over == "segments" else said
            notes.append(Note("note", f"Of {whole} there are scores of whole systems only: {said} alone."))
    if drawn.over != "segments":
        notes.append(Note("note", f"Intervals over systems are for systems like these {systems}."))
    for (statistic, metric), values in drawn.values.items():
        if drawn.over == "segments" and judged.whole(metric):
            continue
        lost = np.count_nonzero(np.isnan(values))
        if len(values) > lost > MOST_DROPPED * len(values):
            text = f"{statistic} of {metric} has no value in {lost} of {len(values)} redraws, which are left out."
            notes.append(Note("warning", text))
    return tuple(notes)
