"""What an exchange between two metrics is: what is exchanged as a whole, whom the test speaks of, and what it says.

See docs/statistics/trust.md, section 6.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import numpy as np

from mtsig.arrays import Floats
from mtsig.citations import Citations
from mtsig.corpus import Note
from mtsig.errors import NotApplicable
from mtsig.inference import Outcome, SignificanceTest
from mtsig.inference.probability import clopper_pearson, count_extreme, monte_carlo_p
from mtsig.inference.targets import Pairs
from mtsig.resampling import Purpose, Swap
from mtsig.trust.intervals import Over

if TYPE_CHECKING:
    from mtsig.trust.hybrids import Hybrids

Bits: TypeAlias = Callable[[Purpose, int], Floats]
"""Purpose and size -> so many random bits for each exchange of a block, shape (b, size)."""


@dataclass(frozen=True)
class Exchange(SignificanceTest):
    """Exchange scores between two metrics; subclasses say what is exchanged as a whole.

    `exchanged`: what that is, as users type it. `over`: to what it generalises, and what is redrawn for its intervals.
    `of_segments`: whether anything of segments is exchanged, so that scores of whole systems are not enough.
    `of_parts`: whether metrics of whole corpora are exchanged by what every segment brings to a system's score.
    `enumerable`: whether any systems may be exchanged, so that all exchanges can be gone through where there are few.
    """

    scheme: Swap = field(default_factory=Swap)

    exchanged: ClassVar[str] = ""
    over: ClassVar[Over] = "both"
    of_segments: ClassVar[bool] = True
    of_parts: ClassVar[bool] = True
    enumerable: ClassVar[bool] = False
    interval = "percentile"
    cites: ClassVar[Citations] = ("deutsch-2021",)

    def __call__(self, pairs: Pairs) -> Outcome:
        """Raise NotApplicable: it exchanges scores of metrics."""
        del pairs
        raise NotApplicable(f"{self.name} compares metrics: see compare_metrics().")

    def check(self, hybrids: "Hybrids") -> None:
        """Raise InvalidOption or NotApplicable where it does not go with the statistic, or with so few systems."""

    def mask(self, bits: Bits, hybrids: "Hybrids") -> Floats:
        """Return which are exchanged, by random `bits`: systems, shape (b, s), units (b, u), or cells (b, s, n)."""
        raise NotImplementedError

    def outcome(self, hybrids: "Hybrids", difference: Floats) -> tuple[Outcome, Floats]:
        """Return what the test says of all pairs of metrics, and the differences that it speaks of; shape (m,).

        `difference`: those of the statistic, shape (m,); scores that are exchanged are on a scale of their own.
        """
        del difference
        drawn, observed = hybrids.null()
        null, complete = np.nan_to_num(drawn, nan=0.0), hybrids.enumerated
        extreme = count_extreme(null, np.nan_to_num(observed), hybrids.settings.alternative)
        draws = null.shape[1]
        p = extreme / draws if complete else monte_carlo_p(extreme, draws)
        low, high = (p, p) if complete else clopper_pearson(extreme.astype(np.float64), draws)
        p, low, high = (np.where(np.isnan(observed), np.nan, x) for x in (p, low, high))
        return Outcome(p, low, high, np.full(len(p), complete), null, complete), observed

    def notes(self, hybrids: "Hybrids") -> list[Note]:
        """Return what to know of the test: how often it errs, of whom it speaks, and its smallest p."""
        del hybrids
        return [Note("warning", f"{self.name}: {self.too_often}.")] if self.too_often else []
