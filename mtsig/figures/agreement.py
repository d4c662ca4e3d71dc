"""Judges in dots: how far they agree by every coefficient, and how lenient each is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mtsig.errors import NotApplicable
from mtsig.figures.dots import Dots, Panel
from mtsig.figures.look import shorts
from mtsig.inference import level_text
from mtsig.trust import Agreement, Leniency


@dataclass(frozen=True)
class AgreementDots(Dots):
    """How far judges agree, a row for every coefficient."""

    @classmethod
    def of(cls, agreements: Sequence[Agreement]) -> "AgreementDots":
        """Return the picture.

        Raises:
            NotApplicable: no coefficient has a value.
        """
        known = [one for one in agreements if not math.isnan(one.value)]
        if not known:
            raise NotApplicable("All ratings are equal: judges have nothing to agree about.")
        first = known[0]
        panel = Panel(
            f"agreement with {level_text(first.level)} interval",
            tuple(one.value for one in known),
            tuple(one.low for one in known),
            tuple(one.high for one in known),
            3,
        )
        said = (
            f"Agreement of {first.judges} judges on {first.outputs:,} outputs that at least two of them rated; 1 is "
            f"full agreement. Intervals: redrawn {first.unit}s."
        )
        return cls(tuple(one.label for one in known), (panel,), said)


@dataclass(frozen=True)
class LeniencyDots(Dots):
    """How lenient every judge is, the most lenient on top."""

    @classmethod
    def of(cls, found: Leniency) -> "LeniencyDots":
        """Return the picture."""
        rows = sorted(found.levels, key=lambda one: -one.leniency)
        panel = Panel(
            "higher than the mean judge by, ± 2 standard errors",
            tuple(one.leniency for one in rows),
            tuple(one.leniency - 2 * one.standard_error for one in rows),
            tuple(one.leniency + 2 * one.standard_error for one in rows),
            2,
        )
        said = (
            "How much higher than the mean judge's each judge's values are, systems being equal; lines: two standard "
            f"errors over redrawn {found.unit}s."
        )
        return cls(shorts([one.judge for one in rows]), (panel,), said)
