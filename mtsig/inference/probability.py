"""p-values from draws, with the error that drawing leaves in them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtsig._arguments import expect_arguments
from mtsig.inference.distributions import beta_quantile

MONTE_CARLO_LEVEL = 0.95
"""Level of the interval that a simulated p-value carries."""


def tolerance(observed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the slack within which a drawn difference counts as equal to the observed one.

    It absorbs rounding between values that are equal on paper, so that ties count as ties.
    """
    return 1e-9 * np.maximum(1.0, np.abs(observed))


def sided(values: NDArray[np.float64], alternative: str) -> NDArray[np.float64]:
    """Return how far out values lie: by size when two-sided, by value when greater, by minus value when less."""
    if alternative == "two-sided":
        return np.abs(values)
    return values if alternative == "greater" else -values


def count_extreme(
    null: NDArray[np.float64], observed: NDArray[np.float64], alternative: str = "two-sided"
) -> NDArray[np.int64]:
    """Return how many draws lie at least as far out as the observed value: null (m, b), observed (m,) give (m,)."""
    # ≥, not >: with discrete metrics the strict sign rejects too often, and calls identical systems different.
    bound = sided(observed, alternative) - tolerance(observed)
    counts = [np.count_nonzero(sided(row, alternative) >= limit) for row, limit in zip(null, bound, strict=True)]
    return np.array(counts, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Tails:
    """The farthest draws under the null of m comparisons, the observed values among them, from the farthest on.

    farthest: shape (m, k), the k farthest of `total`. slack: shape (m,), what counts as equal.
    """

    farthest: NDArray[np.float64]
    total: int
    slack: NDArray[np.float64]

    @classmethod
    def of(
        cls, null: NDArray[np.float64], observed: NDArray[np.float64], alternative: str, complete: bool, level: float
    ) -> "Tails":
        """Return as many draws as a level asks for; null (m, b) holds the observed value first where it is complete."""
        total = null.shape[1] + (not complete)
        kept = min(total, _within(level, total) + 1)
        farthest = np.empty((len(null), kept))
        for row, values, value in zip(farthest, null, observed, strict=True):
            out = sided(values if complete else np.append(values, value), alternative)
            row[:] = np.sort(np.partition(out, total - kept)[total - kept :])[::-1]
        return cls(farthest, total, tolerance(observed))

    def reached_by(self, level: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the smallest draw that at most this share of all reaches, shape (m,); ∞ where there is none."""
        smallest = np.full(len(self.farthest), np.inf)
        for i, (row, share, slack) in enumerate(zip(self.farthest, level, self.slack, strict=True)):
            count = 0 if np.isnan(share) else min(_within(share, self.total), len(row))
            # Draws that tie with the first one left out are left out with it.
            while 0 < count < len(row) and row[count - 1] - row[count] <= slack:
                count -= 1
            if count:
                smallest[i] = row[count - 1]
        return smallest


def _within(level: float, total: int) -> int:
    """Return how many of so many are at most this share of them."""
    return int(level * total + 1e-9)


def monte_carlo_p(extreme: NDArray[np.int64], draws: int | NDArray[np.int64]) -> NDArray[np.float64]:
    """Return (c + 1)/(R + 1): the observed value is itself one draw under the null, so p is never 0 (RM05 figure 1)."""
    return (extreme + 1) / (draws + 1)


def clopper_pearson(
    extreme: NDArray[np.float64], draws: int | NDArray[np.int64], level: float = MONTE_CARLO_LEVEL
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the exact binomial interval for the p-value that infinitely many draws would give."""
    tail = (1 - level) / 2
    low = np.where(extreme > 0, beta_quantile(tail, np.maximum(extreme, 1), draws - extreme + 1), 0.0)
    high = np.where(extreme < draws, beta_quantile(1 - tail, extreme + 1, np.maximum(draws - extreme, 1)), 1.0)
    return np.asarray(low), np.asarray(high)


def needed_draws(comparisons: int, alpha: float) -> int:
    """Return how many joint draws a family needs so that its smallest p can pass: ⌈2m/α⌉.

    >>> needed_draws(1800, 0.05)
    72000
    """
    return int(np.ceil(2 * comparisons / alpha - 1e-9))


def p_text(p: float) -> str:
    """Return a p-value as it is printed: four decimals, never 0; nothing where a method has none.

    >>> p_text(0.0312), p_text(0.00002), p_text(1.0), p_text(float("nan"))
    ('p = .0312', 'p < .0001', 'p = 1', 'no p')

    Raises:
        InvalidOption: it is no number.
    """
    expect_arguments(p_text, locals())
    return "no p" if np.isnan(p) else "p {} {}".format(*_printed(p))


def p_number(p: float) -> str:
    """Return a p-value as it is printed, without its letter: for tables that have the letter in their head.

    >>> p_number(0.0312), p_number(0.00002)
    ('.0312', '< .0001')
    """
    if np.isnan(p):
        return "no p"
    relation, digits = _printed(p)
    return digits if relation == "=" else f"{relation} {digits}"


def _printed(p: float) -> tuple[str, str]:
    """Return how p stands to what is printed, and what is printed."""
    if p < 0.00005:
        return "<", ".0001"
    digits = f"{p:.4f}"
    return "=", "1" if digits == "1.0000" else digits.removeprefix("0")


def points_text(value: float, decimals: int = 2, signed: bool = False) -> str:
    """Return a score or a difference as it is printed, with a minus sign that is one.

    >>> points_text(-0.4567), points_text(0.4567, 4, signed=True)
    ('−0.46', '+0.4567')
    >>> points_text(-0.004), points_text(-0.004, signed=True)
    ('0.00', '−0.00')
    """
    text = f"{value + 0.0:{'+' if signed else ''}.{decimals}f}"
    # A score that rounds to nothing has no side; of a difference, or an end of its interval, the side is the point.
    return text.replace("-", "−" if signed or text.strip("-0.") else "")


_MORE_DECIMALS = 4
"""An end of an interval has so many decimals more where it would be printed as 0; below them it is called 0."""


def ends_text(low: float, high: float, decimals: int = 2, signed: bool = False) -> tuple[str, str]:
    """Return both ends of a difference's interval as they are printed: none as a 0 that hides on which side it lies.

    An end that rounds to 0 has as many decimals more as show its side. One that is 0 but for rounding, as where an
    exchange of labels reaches the difference itself, says whether the interval leaves 0 out.

    >>> ends_text(0.0004, 0.75, signed=True), ends_text(-0.004, 0.75)
    (('+0.0004', '+0.75'), ('−0.004', '0.75'))
    >>> ends_text(3e-13, 0.75), ends_text(-0.75, 3e-13), ends_text(0.0, 0.0)
    (('0.00 (excluded)', '0.75'), ('−0.75', '0.00 (included)'), ('0.00', '0.00'))
    """
    outside = "excluded" if low > 0 or high < 0 else "included"
    return _end_text(low, decimals, signed, outside), _end_text(high, decimals, signed, outside)


def _end_text(value: float, decimals: int, signed: bool, zero: str) -> str:
    if value == 0 or round(value, decimals) != 0:
        return points_text(value, decimals, signed)
    shown = (more for more in range(decimals + 1, decimals + _MORE_DECIMALS + 1) if round(value, more) != 0)
    more = next(shown, None)
    return f"{points_text(0.0, decimals)} ({zero})" if more is None else points_text(value, more, signed)


def level_text(level: float) -> str:
    """Return a level as it is printed, never rounded up.

    >>> level_text(0.95), level_text(0.975), level_text(0.9999)
    ('95%', '97.5%', '99.99%')
    """
    return f"{100 * level:.10g}%"


def judged_level_text(alpha: float) -> str:
    """Return the level of an interval at an error rate that a correction left, with two digits of what it lacks of 1.

    >>> judged_level_text(0.05), judged_level_text(0.0125), judged_level_text(0.05 / 6), judged_level_text(0.05 / 1225)
    ('95%', '98.8%', '99.17%', '99.9959%')
    """
    missing = 100 * alpha
    digits = max(0, 1 - int(np.floor(np.log10(missing) + 1e-9))) if missing > 0 else 4
    return f"{float(f'{100 - missing:.{digits}f}'):.12g}%"
