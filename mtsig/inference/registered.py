"""The corrections: a name, as comparisons and settings hold it, goes in; what is known of the method comes out."""

from mtsig.inference.corrections import (
    BenjaminiHochberg,
    BenjaminiYekutieli,
    Bonferroni,
    Correction,
    Holm,
    Hommel,
    Sidak,
    SingleStepMaxT,
    SingleStepMinP,
    StepDownMaxT,
    StepDownMinP,
    Uncorrected,
)
from mtsig.inference.randomized_blocks import Nemenyi, Scheffe, Tukey

CORRECTIONS: dict[str, Correction] = {
    correction.name: correction
    for correction in (
        StepDownMinP(),
        Holm(),
        Bonferroni(),
        Uncorrected(),
        Sidak(),
        Hommel(),
        SingleStepMinP(),
        SingleStepMaxT(),
        StepDownMaxT(),
        BenjaminiHochberg(),
        BenjaminiYekutieli(),
        Tukey(),
        Scheffe(),
        Nemenyi(),
    )
}


def corrects(name: str) -> bool:
    """Return whether the correction of this name does anything; one that this program does not know is taken to."""
    known = CORRECTIONS.get(name)
    return known is None or known.corrects


def correction_label(name: str) -> str:
    """Return what the correction of this name is called in sentences; one that this program does not know: its name.

    >>> from mtsig.inference.registered import correction_label
    >>> correction_label("bonferroni"), correction_label("of another program")
    ('Bonferroni', 'of another program')
    """
    known = CORRECTIONS.get(name)
    return name if known is None else known.label
