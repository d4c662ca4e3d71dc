"""Draws: how many redraws an interval needs, measured and by theory (ZV04 section 4.3, tables 5 and 6)."""

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from mtsig.arrays import Floats
from mtsig.errors import InvalidOption
from mtsig.inference.intervals import check_level
from mtsig.lab.material import Experiment, LabResult, Material
from mtsig.lab.sources import ZHANG_VOGEL
from mtsig.metrics import Statistics, Unit
from mtsig.options import option
from mtsig.resampling import Bootstrap, resample


@dataclass(frozen=True, eq=False)
class DrawCurves(LabResult):
    """Percentile intervals by number of draws B; arrays have shape (z, s), z numbers of draws.

    low, high: the interval by the first B draws (table 5). spread_low, spread_high: standard deviation of either end
    over independent bootstraps of B draws (table 6). theory: sqrt(a(1 − a)/B)/f(q_a) for scores that are normal with
    the width found. repeats: shape (z,), how many bootstraps each standard deviation comes from.
    """

    metric: str
    systems: tuple[str, ...]
    scores: Floats
    draws: NDArray[np.int64]
    repeats: NDArray[np.int64]
    low: Floats
    high: Floats
    spread_low: Floats
    spread_high: Floats
    theory: Floats
    level: float
    unit: str

    @property
    def spread(self) -> Floats:
        """Standard deviation of an end, both taken together; shape (z, s)."""
        return np.sqrt((np.square(self.spread_low) + np.square(self.spread_high)) / 2)

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per number of draws and system."""
        return [
            {
                "metric": self.metric,
                "system": name,
                "draws": int(self.draws[z]),
                "score": float(self.scores[s]),
                "low": float(self.low[z, s]),
                "high": float(self.high[z, s]),
                "repeats": int(self.repeats[z]),
                "spread_low": float(self.spread_low[z, s]),
                "spread_high": float(self.spread_high[z, s]),
                "theory": float(self.theory[z, s]),
            }
            for z in range(len(self.draws))
            for s, name in enumerate(self.systems)
        ]


def end_spread(half_width: Floats | float, draws: Floats | int, level: float = 0.95) -> Floats:
    """Return the standard deviation that B draws leave in an end of a percentile interval of this half width.

    sd = sqrt(a(1 − a)/B)/f(q_a), with f the density of a normal distribution that has such an interval: half width
    divided by z is its standard deviation (docs/statistics/index.md, section 3).

    >>> float(end_spread(0.0438, 1000).round(4))
    0.0019
    """
    tail = (1 - level) / 2
    z = scipy.stats.norm.isf(tail)
    return np.asarray(
        np.sqrt(tail * (1 - tail) / np.asarray(draws)) / scipy.stats.norm.pdf(z) * np.asarray(half_width) / z
    )


@dataclass(frozen=True)
class Draws(Experiment[DrawCurves]):
    """Percentile intervals from more and more draws, and how much they would differ from another seed's."""

    total: int = option(
        100_000, "Draws in all", "Cut into bootstraps of every size.", low=2000, high=10_000_000, advanced=True
    )
    level: float = option(0.95, "Confidence", "Coverage of the intervals.", low=0.5, high=0.9999)
    seed: int = option(12345, "Seed", "The same seed gives the same draws.", low=0, high=2**53 - 1, advanced=True)
    unit: Unit = option("auto", "Unit", "What is drawn as a whole.", advanced=True)
    sizes: tuple[int, ...] = (100, 500, 1000, 2000, 10_000)

    name = "draws"
    label = "Number of draws"
    about = "How many bootstrap draws until the ends of an interval stay where they are?"
    paper = f"{ZHANG_VOGEL}, section 4.3, tables 5 and 6"

    def run(self, material: Material, executor: Executor | None = None) -> DrawCurves:
        """Draw once, and cut the draws into bootstraps of every size: draws are independent of each other.

        Raises:
            InvalidOption: a size does not fit twice into the draws in all.
        """
        del executor  # one pass of the kernel
        check_level(self.level)
        if any(not 10 <= size <= self.total // 2 for size in self.sizes) or not self.sizes:
            raise InvalidOption(f"Numbers of draws lie between 10 and {self.total // 2}; found {list(self.sizes)}.")
        statistics = material.complete.at(self.unit)
        draws = np.empty((len(statistics.systems), self.total))
        totals_of = statistics.weighted()
        at = 0
        for weights in Bootstrap(self.total, self.seed, "segment").blocks(statistics.n):
            draws[:, at : at + len(weights)] = statistics.metric.score(totals_of(weights))
            at += len(weights)
        tails = [(1 - self.level) / 2, (1 + self.level) / 2]
        ends, spreads, repeats = [], [], []
        for size in self.sizes:
            cut = draws[:, : self.total // size * size].reshape(len(draws), -1, size)
            each = np.quantile(cut, tails, axis=-1)
            ends.append(each[:, :, 0])
            spreads.append(each.std(axis=-1, ddof=1))
            repeats.append(cut.shape[1])
        low, high = np.array(ends).transpose(1, 0, 2)
        spread_low, spread_high = np.array(spreads).transpose(1, 0, 2)
        whole = np.quantile(draws, tails, axis=-1)
        sizes = np.array(self.sizes)
        return DrawCurves(
            statistics.metric.name,
            statistics.systems,
            statistics.scores,
            sizes,
            np.array(repeats),
            low,
            high,
            spread_low,
            spread_high,
            end_spread((whole[1] - whole[0])[None] / 2, sizes[:, None], self.level),
            self.level,
            statistics.unit,
        )


@dataclass(frozen=True, eq=False)
class Redraws(LabResult):
    """One system's scores on redrawn test sets, shape (b,), with its score and percentile interval (ZV04 figure 1)."""

    metric: str
    system: str
    score: float
    draws: Floats
    low: float
    high: float
    level: float

    @property
    def relative(self) -> tuple[float, float]:
        """The interval as ZV04 print it: how far its ends are from the median, in % of the median."""
        median = float(np.median(self.draws))
        return 100 * (self.low - median) / median, 100 * (self.high - median) / median

    def rows(self) -> list[dict[str, Any]]:
        """Return one record."""
        down, up = self.relative
        return [
            {
                "metric": self.metric,
                "system": self.system,
                "score": self.score,
                "median": float(np.median(self.draws)),
                "low": self.low,
                "high": self.high,
                "relative_low": down,
                "relative_high": up,
                "draws": len(self.draws),
            }
        ]


def redraws(statistics: Statistics, system: str, scheme: Bootstrap, level: float = 0.95) -> Redraws:
    """Return one system's redrawn scores and the middle of them.

    >>> import mtsig
    >>> from mtsig.lab import redraws
    >>> from mtsig.resampling import Bootstrap
    >>> redrawn = redraws(mtsig.measure(mtsig.read_sample(), "chrf"), "direct", Bootstrap(500))
    >>> redrawn.draws.shape, [round(end, 1) for end in (redrawn.low, redrawn.score, redrawn.high)]
    ((500,), [45.6, 47.4, 49.4])

    Raises:
        UnknownName: no such system.
    """
    draws = resample(statistics.select([system]), scheme).draws[0]
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    score = float(statistics.scores[statistics.row(system)])
    return Redraws(statistics.metric.name, system, score, draws, float(low), float(high), level)
