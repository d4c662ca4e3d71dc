"""Pilot: a pair on the data at hand goes in; what it knows of its own spread comes out, or why that is too little."""

import numpy as np

from mtsig.corpus import MIN_DOCUMENTS, Note
from mtsig.errors import NotApplicable
from mtsig.inference.cautions import cautions, too_unequal
from mtsig.inference.family import FEWEST_DIFFERING, too_few_differ
from mtsig.inference.targets import Pairs, Scores, pairs_of
from mtsig.metrics import Statistics, Unit
from mtsig.resampling import Bootstrap


def pilot_of(statistics: Statistics, first: str, second: str, unit: Unit) -> Pairs:
    """Return a pair as targets, on the units that both systems have.

    Raises:
        NotApplicable: these are too few documents.
    """
    shared = statistics.at(unit).shared_by([first, second]) if first != second else statistics.at(unit)
    if shared.unit == "document" and shared.n < MIN_DOCUMENTS and statistics.unit != "document":
        raise NotApplicable(
            f"Only {shared.n} documents are known for both {first} and {second}: too few for document-level inference, "
            f"which needs at least {MIN_DOCUMENTS}. Use the segment as the unit."
        )
    return pairs_of(Scores(shared, Bootstrap(unit=unit)), [(first, second)])


def pair_cautions(statistics: Statistics, first: str, second: str, unit: Unit) -> tuple[Note, ...]:
    """Return what to know of the units of a pair before anything is concluded from them."""
    return tuple(cautions(pilot_of(statistics, first, second, unit)))


def check_differing(pairs: Pairs) -> None:
    """Refuse pairs of which hardly any unit differs."""
    differing, units = int(pairs.differing[0]), int(pairs.units[0])
    if too_few_differ(differing, units):
        unit, pair = pairs.statistics.unit, " and ".join(pairs.labels[0])
        raise NotApplicable(
            f"{pair} differ on only {differing} of {units} {unit}s: too few to know how much {unit}s vary, so neither "
            f"power nor a margin can be judged. At least {FEWEST_DIFFERING} are needed."
        )


def spread_of(pairs: Pairs) -> tuple[float, float]:
    """Return the standard error of the pair's difference, and its degrees of freedom."""
    check_differing(pairs)
    error = float(pairs.standard_error[0])
    if np.isnan(error):
        raise NotApplicable(
            "The score has no derivative here (an n-gram order has no match, or none without some unit): no power can "
            "be computed."
        )
    if not error > 0:
        raise NotApplicable("The two systems do not vary against each other here, so power cannot be computed.")
    check_equal(pairs)
    return error, float(pairs.df[0])


def check_equal(pairs: Pairs) -> None:
    """Refuse documents so unequal that they carry no verdict."""
    (why,) = too_unequal(pairs)
    if why:
        raise NotApplicable(f"{why}. So neither power nor a margin can be judged.")
