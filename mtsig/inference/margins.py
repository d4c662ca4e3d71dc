"""Margins: are two systems closer than a margin fixed in advance, or one at most so much worse?

DOCUMENTS.md, section 5.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from mtsig.errors import InvalidOption
from mtsig.inference.cautions import doubts, spread_unknown, ungrounded
from mtsig.inference.family import Comparison
from mtsig.inference.kin import kin_doubt
from mtsig.inference.pilot import pilot_of, unspread
from mtsig.metrics import Statistics, Unit


@dataclass(frozen=True)
class Equivalence:
    """A test that two systems differ by less than a margin fixed in advance.

    p_value: of the larger of the two one-sided tests (TOST), or of the one test for non-inferiority. low, high: the
    interval at level 1 − 2 alpha that belongs to it. reason: why the data carry no judgement (p_value, low and high are
    NaN then); "" where they do.
    """

    kind: str
    margin: float
    difference: float
    low: float
    high: float
    p_value: float
    alpha: float
    reason: str = ""

    @property
    def shown(self) -> bool | None:
        """Whether it is shown at alpha; None where that is undecided."""
        return None if self.reason else self.p_value <= self.alpha


def equivalence(
    statistics: Statistics, first: str, second: str, margin: float, *, level: float = 0.95, unit: Unit = "auto"
) -> Equivalence:
    """Return two one-sided t tests: is the difference inside ±margin? The margin must be fixed before looking.

    Raises:
        InvalidOption: the margin is not positive.
        NotApplicable: documents are asked for, and too few are known for both systems.
    """
    return _one_sided(statistics, first, second, margin, level, unit, both=True)


def non_inferiority(
    statistics: Statistics, first: str, second: str, margin: float, *, level: float = 0.95, unit: Unit = "auto"
) -> Equivalence:
    """Return the one-sided t test: is the first system at most `margin` worse than the second?

    Raises:
        InvalidOption: the margin is not positive.
        NotApplicable: documents are asked for, and too few are known for both systems.
    """
    return _one_sided(statistics, first, second, margin, level, unit, both=False)


def _one_sided(
    statistics: Statistics, first: str, second: str, margin: float, level: float, unit: Unit, *, both: bool
) -> Equivalence:
    _check_margin(margin)
    pairs = pilot_of(statistics, first, second, unit)
    doubt = kin_doubt(statistics, first, second) or doubts(pairs)[0]
    reason = ungrounded(pairs.statistics.unit, int(pairs.units[0]), doubt) or unspread(pairs)
    difference, error, df = float(pairs.estimate[0]), float(pairs.standard_error[0]), float(pairs.df[0])
    return _judged(difference, error, df, margin, level, reason, both=both)


def within(one: Comparison, margin: float, *, both: bool, doubt: str = "") -> Equivalence:
    """Return equivalence (`both`) or non-inferiority of a comparison by its own standard error.

    `doubt`: why the data carry no judgement, where more is known of that than the comparison knows (`kin_doubt`).

    Raises:
        InvalidOption: the margin is not positive.
    """
    _check_margin(margin)
    reason = ungrounded(one.unit, one.units, doubt or one.doubt)
    reason = reason or spread_unknown(one.unit, one.units, one.differing, one.error)
    return _judged(one.difference, one.error, one.df, margin, one.level, reason, both=both)


def _check_margin(margin: float) -> None:
    if not 0 < margin < np.inf:
        raise InvalidOption(f"The margin is a positive number of points; found {margin:g}.")


def _judged(
    difference: float, error: float, df: float, margin: float, level: float, reason: str, *, both: bool
) -> Equivalence:
    nan = float("nan")
    low, high, p = (nan, nan, nan) if reason else t_equivalence(difference, error, df, margin, level, both=both)
    kind = "equivalence" if both else "non-inferiority"
    return Equivalence(kind, margin, difference, low, high, p, 1 - level, reason)


def t_equivalence(
    difference: float, error: float, df: float, margin: float, level: float, *, both: bool
) -> tuple[float, float, float]:
    """Return the ends of the 1 − 2 alpha interval and the p-value of the one-sided t tests against ±margin."""
    half = float(stats.t.ppf(level, df)) * error
    above = float(stats.t.sf((difference + margin) / error, df))
    below = float(stats.t.cdf((difference - margin) / error, df))
    return difference - half, difference + half, max(above, below) if both else above
