"""Judges in dots: how far they agree by every coefficient, and how lenient each is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mtsig.errors import NotApplicable
from mtsig.figures.dots import Dots, Panel
from mtsig.figures.look import shorts
from mtsig.inference import level_text
from mtsig.meta_eval import Agreement, Leniency


@dataclass(frozen=True)
class AgreementDots(Dots):
    """How far judges agree, a row for every coefficient."""

    how_to_read = "agreement"

    @classmethod
    def of(cls, agreements: Sequence[Agreement]) -> "AgreementDots":
        """Return the picture.

        Raises:
            NotApplicable: no coefficient has a value.
        """
        known = [agreement for agreement in agreements if not math.isnan(agreement.value)]
        if not known:
            raise NotApplicable("All ratings are equal: judges have nothing to agree about.")
        first = known[0]
        panel = Panel(
            f"agreement with {level_text(first.level)} interval",
            tuple(estimate.value for estimate in known),
            tuple(estimate.low for estimate in known),
            tuple(estimate.high for estimate in known),
            3,
        )
        said = (
            f"Agreement of {first.judges} judges on {first.outputs:,} outputs that at least two of them rated; 1 is "
            f"full agreement. Intervals: redrawn {first.unit}s."
        )
        return cls(tuple(estimate.label for estimate in known), (panel,), said)


@dataclass(frozen=True)
class LeniencyDots(Dots):
    """How lenient every judge is, the most lenient on top."""

    how_to_read = "leniency"

    @classmethod
    def of(cls, leniency: Leniency) -> "LeniencyDots":
        """Return the picture."""
        rows = sorted(leniency.levels, key=lambda level: -level.leniency)
        panel = Panel(
            "above the mean judge by",
            tuple(row.leniency for row in rows),
            tuple(row.leniency - 2 * row.standard_error for row in rows),
            tuple(row.leniency + 2 * row.standard_error for row in rows),
            2,
        )
        said = (
            "How much higher than the mean judge's each judge's values are, systems being equal; lines: two standard "
            f"errors over redrawn {leniency.unit}s."
        )
        return cls(shorts([row.rater for row in rows]), (panel,), said)
