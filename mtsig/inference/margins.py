"""Margins: are two systems closer than a margin fixed in advance, or one at most so much worse?

DOCUMENTS.md, section 5.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference.degrees import FEWEST_DF
from mtsig.inference.family import FEWEST_DIFFERING, Comparison, too_few_differ
from mtsig.inference.pilot import check_differing, check_equal, pilot_of
from mtsig.metrics import Statistics, Unit


@dataclass(frozen=True)
class Equivalence:
    """A test that two systems differ by less than a margin fixed in advance.

    p_value: of the larger of the two one-sided tests (TOST), or of the one test for non-inferiority. low, high: the
    interval at level 1 − 2 alpha that belongs to it. shown: p ≤ alpha.
    """

    kind: str
    margin: float
    difference: float
    low: float
    high: float
    p_value: float
    alpha: float

    @property
    def shown(self) -> bool:
        """Whether it is shown at alpha."""
        return self.p_value <= self.alpha


def equivalence(
    statistics: Statistics, first: str, second: str, margin: float, *, level: float = 0.95, unit: Unit = "auto"
) -> Equivalence:
    """Return two one-sided t tests: is the difference inside ±margin? The margin must be fixed before looking.

    Raises:
        InvalidOption: the margin is not positive.
    """
    return _one_sided(statistics, first, second, margin, level, unit, both=True)


def non_inferiority(
    statistics: Statistics, first: str, second: str, margin: float, *, level: float = 0.95, unit: Unit = "auto"
) -> Equivalence:
    """Return the one-sided t test: is the first system at most `margin` worse than the second?

    Raises:
        InvalidOption: the margin is not positive.
    """
    return _one_sided(statistics, first, second, margin, level, unit, both=False)


def _one_sided(
    statistics: Statistics, first: str, second: str, margin: float, level: float, unit: Unit, *, both: bool
) -> Equivalence:
    if not 0 < margin < np.inf:
        raise InvalidOption(f"The margin is a positive number of points; found {margin:g}.")
    pairs = pilot_of(statistics, first, second, unit)
    difference, error, df = float(pairs.estimate[0]), float(pairs.standard_error[0]), float(pairs.df[0])
    if np.isnan(error):
        raise NotApplicable("The score has no derivative here: some n-gram order has no match.")
    check_differing(pairs)
    if error == 0:
        raise NotApplicable("No unit differs from the others in what it says of the two: no spread to test against.")
    check_equal(pairs)
    low, high, p = t_equivalence(difference, error, df, margin, level, both=both)
    kind = "equivalence" if both else "non-inferiority"
    return Equivalence(kind, margin, difference, low, high, p, 1 - level)


def within(one: Comparison, margin: float, *, both: bool) -> Equivalence:
    """Return equivalence (`both`) or non-inferiority of a comparison by its own standard error.

    Raises:
        InvalidOption: the margin is not positive.
        NotApplicable: the score has no derivative there.
    """
    if not 0 < margin < np.inf:
        raise InvalidOption(f"The margin is a positive number of points; found {margin:g}.")
    if np.isnan(one.error):
        raise NotApplicable(
            f"{one.first} – {one.second}: no margin can be tested; some n-gram order has no match, so {one.metric} has "
            "no derivative there."
        )
    if too_few_differ(one.differing, one.units):
        raise NotApplicable(
            f"{one.first} and {one.second} differ on only {one.differing} of {one.units} {one.unit}s: too few to judge "
            f"a margin by. At least {FEWEST_DIFFERING} are needed."
        )
    if one.unit == "document" and one.df < FEWEST_DF:
        raise NotApplicable(f"{one.first} – {one.second}: {one.doubt}. So no margin can be judged.")
    low, high, p = t_equivalence(one.difference, one.error, one.df, margin, one.level, both=both)
    return Equivalence("equivalence" if both else "non-inferiority", margin, one.difference, low, high, p, one.alpha)


def t_equivalence(
    difference: float, error: float, df: float, margin: float, level: float, *, both: bool
) -> tuple[float, float, float]:
    """Return the ends of the 1 − 2 alpha interval and the p-value of the one-sided t tests against ±margin."""
    half = float(stats.t.ppf(level, df)) * error
    with np.errstate(divide="ignore", invalid="ignore"):
        above = float(stats.t.sf(np.float64(difference + margin) / error, df))
        below = float(stats.t.cdf(np.float64(difference - margin) / error, df))
    return difference - half, difference + half, max(above, below) if both else above
