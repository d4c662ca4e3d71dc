"""Confidence intervals: targets and a level go in, Intervals come out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mtsig.corpus import Note
from mtsig.errors import InvalidOption, NotApplicable, UnknownName
from mtsig.inference.cautions import cautions
from mtsig.inference.defaults import AUTO, DEFAULTS
from mtsig.inference.methods import INTERVALS, Ends, IntervalMethod
from mtsig.inference.targets import FEWEST_UNITS, Pairs, Scores
from mtsig.metrics import Statistics
from mtsig.notebook import Shown
from mtsig.registry import find
from mtsig.resampling import Bootstrap, Distribution


@dataclass(frozen=True)
class Interval:
    """One estimate with its confidence interval: a procedure that covers the truth in a share `level` of test sets."""

    estimate: float
    low: float
    high: float
    level: float
    method: str
    decimals: int = 2


@dataclass(frozen=True, eq=False)
class Intervals(Shown):
    """Estimates with confidence intervals, one per system; arrays have shape (s,).

    `method` says for each which method made it: where the score has no derivative, the jackknife gives way to
    percentile.
    by_segment: the same with segments as units, beside intervals whose units are documents.
    units, segments: shape (s,), on how many units, and segments, each score stands; not the same for all where systems
    lack some.
    """

    metric: str
    signature: str
    systems: tuple[str, ...]
    estimate: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    level: float
    method: tuple[str, ...]
    unit: str
    units: NDArray[np.int64]
    segments: NDArray[np.int64]
    higher_is_better: bool
    notes: tuple[Note, ...] = ()
    by_segment: "Intervals | None" = None
    decimals: int = 2

    @property
    def n_units(self) -> int:
        """How many units the best covered system stands on: all of them, as a rule."""
        return int(self.units.max())

    def __getitem__(self, system: str) -> Interval:
        """Return the interval of one system."""
        if system not in self.systems:
            raise UnknownName(f"There is no system called {system!r}. Known: {', '.join(self.systems)}.")
        i = self.systems.index(system)
        ends = float(self.low[i]), float(self.high[i])
        return Interval(float(self.estimate[i]), *ends, self.level, self.method[i], self.decimals)

    def order(self) -> list[int]:
        """Return the positions of the systems, best first; equal scores keep the order of the systems."""
        best_first = -self.estimate if self.higher_is_better else self.estimate
        return [int(i) for i in np.argsort(best_first, kind="stable")]

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per system, in the order of the systems."""
        return [
            {
                "metric": self.metric,
                "signature": self.signature,
                "system": system,
                "score": float(self.estimate[i]),
                "low": float(self.low[i]),
                "high": float(self.high[i]),
                "interval": self.method[i],
                "low_by_segment": None if self.by_segment is None else float(self.by_segment.low[i]),
                "high_by_segment": None if self.by_segment is None else float(self.by_segment.high[i]),
                "units": int(self.units[i]),
                "segments": int(self.segments[i]),
            }
            for i, system in enumerate(self.systems)
        ]

    def to_frame(self) -> pd.DataFrame:
        """Return the records as a table."""
        return pd.DataFrame(self.rows())


def check_level(level: float) -> float:
    """Return the level.

    Raises:
        InvalidOption: it is no share between 0.5 and 0.9999.
    """
    if not 0.5 <= level <= 0.9999:
        hint = f" Write {level / 100:g} for {level:g}%." if 50 <= level < 100 else ""
        raise InvalidOption(f"The level is a share from 0.5 to 0.9999, such as 0.95; found {level:g}.{hint}")
    return level


def ends_of(targets: Scores | Pairs, method: str | IntervalMethod, level: float) -> tuple[Ends, tuple[str, ...]]:
    """Return the ends of the intervals of all targets, and for each the name of the method that made it."""
    chosen = find(INTERVALS, method, "interval")
    if targets.units.min() < FEWEST_UNITS:
        raise NotApplicable("One unit alone has no spread: at least 2 segments (or documents) are needed.")
    low, high = chosen.ends(targets, check_level(level))
    names = np.full(low.shape, chosen.name, dtype=object)
    undefined = np.isnan(low)
    if undefined.any():
        other_low, other_high = INTERVALS["percentile"].ends(targets, level)
        low, high = np.where(undefined, other_low, low), np.where(undefined, other_high, high)
        names[undefined] = "percentile"
    return (low, high), tuple(names)


def fallback_note(names: Sequence[str], methods: Sequence[str], asked: str | IntervalMethod) -> tuple[Note, ...]:
    """Return a note that names the targets whose interval is not of the method asked for."""
    wanted = find(INTERVALS, asked, "interval").name
    fallen = [name for name, method in zip(names, methods, strict=True) if method != wanted]
    if not fallen:
        return ()
    text = (
        "The score has no derivative where an n-gram order has no match, or none without some unit; percentile "
        "intervals for: "
    )
    return (Note("note", f"{text}{', '.join(fallen)}."),)


def interval(
    statistics: Statistics,
    method: str | IntervalMethod = AUTO,
    level: float = 0.95,
    plan: Bootstrap | None = None,
    drawn: Distribution | None = None,
) -> Intervals:
    """Return a confidence interval for every system's score.

    Args:
        statistics: what `measure` returned.
        method: a name in INTERVALS, a method object, or "auto" for the jackknife.
        level: coverage, such as .95.
        plan: draws and unit; 10,000 draws of documents (or of segments, without at least ten documents) when None.
        drawn: the distribution by that plan, when it was drawn together with other metrics'.

    Raises:
        UnknownName: no such method.
        InvalidOption: the level is out of range.
        NotApplicable: the statistics cannot be resampled so.
    """
    check_level(level)
    plan = plan or Bootstrap()
    scores = Scores(statistics.at(plan.unit), plan, drawn)
    method = DEFAULTS[scores.statistics.unit].interval if method == AUTO else method
    caveats = statistics.metric.caveats(scores.statistics)
    alone = int(scores.units.max()) < FEWEST_UNITS
    lacking: tuple[Note, ...] = ()
    if alone:
        # A score is a fact of the test set; only its interval needs a spread.
        find(INTERVALS, method, "interval")
        low = high = np.full(len(scores.labels), np.nan)
        methods = ("none",) * len(scores.labels)
        lacking = (Note("warning", f"One {scores.statistics.unit} alone has no spread, so no score has an interval."),)
    else:
        (low, high), methods = ends_of(scores, method, level)
        lacking = (*fallback_note(statistics.systems, methods, method), *cautions(scores))
    return Intervals(
        statistics.metric.name,
        statistics.signature,
        statistics.systems,
        scores.estimate,
        low,
        high,
        level,
        methods,
        scores.statistics.unit,
        scores.units,
        scores.segments,
        statistics.metric.higher_is_better,
        scores.statistics.notes + caveats + lacking,
        decimals=statistics.metric.decimals,
    )
