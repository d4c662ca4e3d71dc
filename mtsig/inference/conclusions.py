"""Conclusions: a comparison goes in, what follows from its numbers comes out, for readers without this program."""

from dataclasses import dataclass
from typing import Annotated, Literal

from mtsig._records import Number, Record, SystemName, about, at_most, once
from mtsig.inference.comparison import Comparison
from mtsig.inference.detectable import smallest_detectable
from mtsig.inference.verdict import verdict

_NONE = float("nan")


@dataclass(frozen=True)
class ComparisonConclusions(Record):
    """What follows from the numbers of a comparison."""

    significant: Annotated[
        bool | None,
        about(
            "Whether p_adjusted is at most 1 − level, or by Koehn's criterion wins are at least the level; null "
            "without either, or while drawing leaves it open."
        ),
    ] = None
    verdict: Annotated[Literal["better", "not_significant", "withheld"], about("What the test says.")] = "withheld"
    winner: Annotated[SystemName | None, about("The better system, when the verdict is better.")] = None
    withheld_reason: Annotated[str | None, about("Why the verdict is withheld, when it is.")] = None
    next_step: Annotated[str, about("What leads on where the verdict is withheld; else empty.")] = ""
    caution: Annotated[str, about("Why to doubt a verdict that stands all the same; empty where nothing does.")] = ""
    detectable: Annotated[
        Number, about("True difference that 80% of such test sets would find; null where it cannot be told.")
    ] = _NONE
    detectable_low: Annotated[
        Number, about("Lower end of the range that the data leave open for it."), at_most("detectable_high")
    ] = _NONE
    detectable_high: Annotated[Number, about("Upper end of that range.")] = _NONE


@once
def conclusions(comparison: Comparison) -> ComparisonConclusions:
    """Return the verdict, and the true difference that 80% of such test sets would find.

    >>> import mtsig
    >>> from mtsig.inference import conclusions
    >>> family = mtsig.Settings().family(mtsig.measure(mtsig.read_sample(), "bleu"))
    >>> conclusion = conclusions(family[0])
    >>> conclusion.verdict, conclusion.winner
    ('better', 'direct')
    """
    decided, detectable = verdict(comparison), smallest_detectable(comparison)
    ends = (_NONE, _NONE, _NONE) if detectable is None else (detectable.difference, detectable.low, detectable.high)
    next_step = f"{decided.step} ({decided.flags})" if decided.step else ""
    return ComparisonConclusions(
        comparison.significant, decided.word, decided.winner, decided.withheld_reason, next_step, decided.caution, *ends
    )
