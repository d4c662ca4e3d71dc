"""Agreement with people: a dot with its interval for every metric, a panel for each statistic."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mtsig.errors import NotApplicable
from mtsig.figures.dots import Dots, Panel
from mtsig.figures.look import shorts
from mtsig.inference import level_text
from mtsig.meta_eval import STATISTICS, MetaEval


@dataclass(frozen=True)
class TrustDots(Dots):
    """How well every metric agrees with people, the one with the largest value on top."""

    how_to_read = "trust"

    @classmethod
    def of(cls, trust: MetaEval, statistics: Sequence[str]) -> "TrustDots":
        """Return the picture; rows are in the order of the first statistic, metrics without a value are left out.

        Raises:
            NotApplicable: no metric has a value.
        """
        by_statistic = [{row.metric: row for row in trust if row.statistic == name} for name in statistics]
        values = {name: row.value for name, row in by_statistic[0].items() if not math.isnan(row.value)}
        if not values:
            raise NotApplicable(f"No metric has a value of {STATISTICS[statistics[0]].label}.")
        order = sorted(values, key=lambda name: -values[name])
        level = level_text(next(iter(trust)).level)
        panels = []
        for statistic, rows in zip(statistics, by_statistic, strict=True):
            known = [rows.get(name) for name in order]
            ends = [(math.nan,) * 3 if row is None else (row.value, row.low, row.high) for row in known]
            estimate, low, high = zip(*ends, strict=True)
            panels.append(Panel(STATISTICS[statistic].label, estimate, low, high, 3))
        systems = len(trust.judged.systems)
        said = (
            f"Agreement with {trust.human} on {systems} systems and {trust.judged.n:,} segments. Intervals: {level}, "
            "for systems and segments like these; two metrics are compared by a test, not by their intervals."
        )
        return cls(shorts(order), tuple(panels), said)
