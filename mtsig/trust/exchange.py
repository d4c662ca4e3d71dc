"""Exchanges: what may be exchanged between two metrics as a whole, and what such a test says.

See docs/statistics/trust.md, section 6.

Items generalise to other segments with these systems, systems to other systems.
"""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from mtsig.citations import Citations
from mtsig.errors import NotApplicable
from mtsig.inference import Outcome, SignificanceTest
from mtsig.inference.targets import Pairs
from mtsig.resampling import Swap

Exchanged: TypeAlias = Literal["item", "systems", "both", "cells", "pairs", "williams"]
"""What is exchanged as a whole: all systems' scores of a segment, all scores of a system, one or the other, or each."""
ABOUT = {
    "item": ("could segments' scores be exchanged between the metrics? On these systems, for other segments", ""),
    "systems": (
        "could systems' scores be exchanged between the metrics? For other systems",
        "at .05 it errs in up to 8 of 100 cases with 8 systems, and in 10 where one metric is far off on a few",
    ),
    "both": ("could systems', or segments', scores be exchanged between the metrics? On these systems", ""),
    "cells": (
        "could every single score be exchanged between the metrics?",
        "each score counts as independent, as in PERM-BOTH: it speaks of no other systems and no other segments",
    ),
    "pairs": (
        "could every decision on a pair be exchanged between the metrics?",
        "pairs that share systems count as independent: at .05 it errs in about 20 of 100 cases with 10 systems",
    ),
    "williams": ("are the two correlations with people equal?", ""),
}

NOT_NORMAL = (
    "Williams's test takes systems' scores as normal: where one metric misjudges a few systems by far, at .05 it errs "
    "in 10 to 12 of 100 cases."
)
HEAVY_TAILS = (
    "Where a few scores of segments lie far off by one metric alone, Pearson's r of all of them is called different at "
    ".05 in 10 to 15 of 100 cases in which it is equal."
)
OF_DOCUMENTS = (
    "Segments count as independent: where a metric's errors are shared by the segments of a document, at .05 this errs "
    "in 11 to 14 of 100 cases."
)
"""What is known of tests between metrics that agree equally well and are unlike otherwise (docs/trust.md)."""


@dataclass(frozen=True)
class Exchange(SignificanceTest):
    """Exchange scores between two metrics; unit: what is exchanged as a whole."""

    scheme: Swap = field(default_factory=Swap)
    exchanged: Exchanged = "systems"
    interval = "percentile"

    @property
    def name(self) -> str:  # type: ignore[override]
        """The test's name: exchange, and what is exchanged."""
        return "williams" if self.exchanged == "williams" else f"exchange-{self.exchanged}"

    @property
    def cites(self) -> Citations:  # type: ignore[override]
        """What to cite for it."""
        return ("williams-1959", "graham-2014") if self.exchanged == "williams" else ("deutsch-2021",)

    @property
    def label(self) -> str:  # type: ignore[override]
        """The test, as tables print it."""
        return "Williams t test" if self.exchanged == "williams" else f"exchange of {self.exchanged}"

    @property
    def estimand(self) -> str:  # type: ignore[override]
        """What the test asks."""
        return ABOUT[self.exchanged][0]

    @property
    def too_often(self) -> str:  # type: ignore[override]
        """Why its p is no p of the difference; empty where it is."""
        return ABOUT[self.exchanged][1]

    def __call__(self, pairs: Pairs) -> Outcome:
        """Raise NotApplicable: it exchanges scores of metrics."""
        del pairs
        raise NotApplicable(f"{self.name} compares metrics: see compare_metrics().")
