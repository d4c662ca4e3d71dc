"""Difference of two systems: with its interval against zero, and what would be worth finding."""

from dataclasses import dataclass

from mtsig.figures.compared import lines_of, word_of
from mtsig.figures.dots import Dots, Panel
from mtsig.figures.forest import intervals_text
from mtsig.figures.look import shorts
from mtsig.figures.screen import escaped
from mtsig.inference import Comparison


@dataclass(frozen=True)
class DifferenceBar(Dots):
    """One comparison: the difference, first minus second, with its interval and the mark of the verdict."""

    @classmethod
    def of(cls, comparison: Comparison, worth: float | None = None) -> "DifferenceBar":
        """Return the picture of a comparison; worth: the smallest difference worth finding, in points above 0."""
        first, second = shorts([comparison.first, comparison.second])
        panel = Panel(
            f"{comparison.metric}: {first} minus {second}",
            (comparison.difference,),
            (comparison.low,),
            (comparison.high,),
            comparison.decimals,
            (word_of(comparison, comparison.first),),
            worth,
            ("<br>".join(escaped(line) for line in lines_of(comparison, comparison.first)),),
        )
        said = f"{first} minus {second} in {comparison.metric}. Dashed: no difference."
        if worth is not None:
            said += " Dotted: the smallest difference worth finding."
        return cls(("difference",), (panel,), f"{said} {intervals_text(comparison)}", first)
