"""Power and needed size: what a future test set could detect, estimated from a pilot.

The definitions are in docs/statistics/power.md, section 2.

All results are based on the jackknife's standard error and its degrees of freedom ν. Both are estimated from the
pilot, so every result has an uncertainty range. Needed size and power use the same distribution, the noncentral t, so
they agree.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtsig._options import expect_arguments
from mtsig._probability import FEWEST_DF, chi2_quantile, normal_above, normal_below, satterthwaite_rows, t_critical
from mtsig._results import Tabled
from mtsig.corpus._notes import MIN_DOCUMENTS
from mtsig.errors import InvalidOption
from mtsig.inference._fields import check_share, is_found, noncentral, spread_range
from mtsig.inference._margins import Equivalence, equivalence, non_inferiority, pilot_of, spread_of
from mtsig.inference._targets import Pairs
from mtsig.metrics import Measurable, Statistics, statistics_of
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import Unit
from mtsig.metrics._sums import NOISE


def check_comparisons(comparisons: int) -> None:
    """Refuse a number of comparisons that is none."""
    if comparisons < 1:
        raise InvalidOption(f"At least 1 comparison is needed; found {comparisons}.")


def check_difference(difference: float) -> None:
    """Refuse a true difference that no test set finds."""
    if difference == 0:
        raise InvalidOption("No number of segments can detect a difference of 0. Give a difference in points, above 0.")
    if not np.isfinite(difference) or abs(difference) < _LEAST:
        raise InvalidOption(f"The difference is a number of points of at least {_LEAST:g}; found {difference:g}.")


_LEAST = 1e-6


def needed_units(
    statistics: Statistics, first: str, second: str, difference: float, power: float = 0.8, level: float = 0.95,
    comparisons: int = 1, unit: Unit = "auto",
) -> tuple[int, int, int]:  # fmt: skip
    """Return how many units (segments or documents like these) find a true difference of this size with this power.

    Beside them those at both ends of the range of the pilot's standard error, taken as known. The smallest n with
    c · λ(ν_n) · SE · √(K/n) ≤ δ, ν_n = ν n/K, from K units with SE and ν; c allows for what the pilot does not know of
    its own spread (`pilot_factor`). Documents are at least ten, with four degrees of freedom (docs/statistics/power.md,
    section 2).
    """
    check_share("Power", power)
    check_difference(difference)
    check_comparisons(comparisons)
    pairs = pilot_of(statistics, first, second, unit)
    error, df = spread_of(pairs)
    by_document = pairs.statistics.clustered

    def needed(spread: float, pilot_df: float = np.inf) -> int:
        return smallest_units(
            spread, df, pairs.statistics.n, abs(difference), (1 - level) / 2 / comparisons, power, by_document, pilot_df
        )

    low, high = spread_range(df)
    own, least, most = needed(error, df), needed(error * low), needed(error * high)
    return own, min(own, least), max(own, most)


def smallest_units(
    error: float, df: float, units: int, difference: float, tail: float, power: float, by_document: bool,
    pilot_df: float = np.inf,
) -> int:  # fmt: skip
    """Return the smallest number of units that would do, by bisection; df: of `units`, pilot_df: of `error`."""

    def enough(n: int) -> bool:
        own = df * n / units
        if not carry_verdict(own, by_document):
            return False
        reach = error * float(np.sqrt(units / n))
        known = noncentral(own, tail, power) * reach
        return known == 0 or is_found(difference / known, own, pilot_df, tail, power)

    return least_whole(enough, MIN_DOCUMENTS if by_document else 2)


def least_whole(enough: Callable[[int], bool], low: int) -> int:
    """Return the smallest whole number from `low` on that is enough, by bisection; all larger ones are enough, too."""
    high = low
    while not enough(high):
        low, high = high + 1, 2 * high
    return low + bisect_left(range(low, high), True, key=enough)


def carry_verdict(df: ArrayLike, by_document: bool) -> NDArray[np.bool_]:
    """Return whether units with so many degrees of freedom carry a verdict; whole numbers may be off by rounding."""
    return np.asarray(df) >= (FEWEST_DF if by_document else 1) - 1e-9


@dataclass(frozen=True)
class Power:
    """Power and errors of tests if the true difference is `difference` on `units` units.

    power: probability of a significant result. wrong_sign: share of significant results with the wrong sign (type S).
    exaggeration: mean of |estimate|/|difference| among significant results (type M). power_low, power_high: power at
    the two ends of the uncertainty range of the pilot's standard error.
    """

    difference: float
    units: int
    power: float
    wrong_sign: float
    exaggeration: float
    power_low: float
    power_high: float


_POINTS = 1000
"""Steps of the sum over the standard error that is found: its terms are smooth, so of equal steps all digits come."""

_LEFT_OUT = 1e-12
"""Share of the power, at most, that is left out at either end of the sum."""


def power_of_t(error: float, df: float, difference: float, tail: float) -> tuple[float, float, float]:
    """Return power, share of wrong signs (type S) and exaggeration (type M) of the two-sided t test.

    The estimate is normal about `difference` with standard error `error`; the standard error that is found is
    error · √(χ²_ν/ν), independent of it; significant is what exceeds t_{1−tail,ν} of those. So power is that of the
    noncentral t, both of its tails. See docs/statistics/power.md, section 2.

    Each is right to a millionth of itself (type S to 10⁻¹², where that is more), also with tails so small that only
    standard errors near 0 are significant. Type S and type M are NaN where the power is too small for a number: of no
    significant test nothing is to be said.
    """
    # Power is at least 2 · tail, and falls with the standard error: so much of chi-square is beyond either end.
    ends = chi2_quantile(np.array([max(_LEFT_OUT * tail, 1e-300), 1 - _LEFT_OUT]), df) / df
    low, high = np.log(ends)
    logarithms = np.linspace(low, high, _POINTS)
    weights = np.exp(df / 2 * (logarithms - np.expm1(logarithms)))  # the density of ln(χ²/ν), but for a constant
    weights /= weights.sum()
    bound = t_critical(tail, df) * error * np.exp(logarithms / 2)
    size = abs(difference)
    above, below = (bound - size) / error, (-bound - size) / error
    right, wrong = float(weights @ normal_above(above)), float(weights @ normal_below(below))
    power = min(right + wrong, 1.0)
    if power == 0:
        return 0.0, float("nan"), float("nan")
    # The mean of a normal variable beyond a bound: its own mean and density there.
    densities = np.exp(-(above**2) / 2) + np.exp(-(below**2) / 2)
    magnitude = size * (right - wrong) + error * float(weights @ densities) / np.sqrt(2 * np.pi)
    return power, wrong / power, float(magnitude / power / size)


def _power(pairs: Pairs, difference: float, tail: float, units: int | None = None) -> Power:
    """Return the power of so many units like those of the pilot; of as many as it has when None."""
    error, df = spread_of(pairs)
    smaller, larger = spread_range(df)
    size = pairs.statistics.n if units is None else units
    share = size / pairs.statistics.n
    error, df = error / float(np.sqrt(share)), df * share
    return Power(
        difference,
        size,
        *power_of_t(error, df, difference, tail),
        power_of_t(error * larger, df, difference, tail)[0],
        power_of_t(error * smaller, df, difference, tail)[0],
    )


def simulated_power(
    statistics: Statistics, first: str, second: str, difference: float, *, units: int | None = None,
    level: float = 0.95, comparisons: int = 1, simulations: int = 5000, seed: int = 12345, unit: Unit = "auto",
) -> Power:  # fmt: skip
    """Simulate power with type-S and type-M errors, by resampling the units.

    `power_analysis` assumes normal contributions; this function resamples the observed ones (Card et al. 2020). Each
    unit's contribution, centred in proportion to its segments, is resampled together with its number of segments. The
    true difference is added (a location alternative). Each resample is tested by the jackknife t test, with
    Bonferroni's critical value for several comparisons. Contributions are scaled to the pilot's standard error.
    Resamples whose documents differ too much in length count as not significant. `units` is the size of the future test
    set, by default that of this one. Do not use the observed difference: that would only restate its p-value.

    Raises
    ------
    InvalidOption
        The difference is 0, or a size is too small.
    NotApplicable
        The difference between the two systems has no variance.

    Examples
    --------
    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> from mtsig.inference import simulated_power
    >>> simulated_power(statistics, "direct", "via-catalan", 2.0, units=40).power > 0.9
    True
    """
    check_difference(difference)
    check_comparisons(comparisons)
    if simulations < 100 or (units is not None and units < 2):
        raise InvalidOption("Give at least 100 simulations and at least 2 units.")
    pairs = pilot_of(statistics, first, second, unit)
    _, df = spread_of(pairs)
    size = pairs.statistics.n if units is None else units
    noise, errors, own_df = _redrawn(pairs, size, simulations, seed)
    factor: NDArray[np.float64] = t_critical((1 - level) / 2 / comparisons, own_df)
    # A redraw of units that all say the same has no spread, and with it no test.
    testable = (errors > 0) & carry_verdict(own_df, pairs.statistics.clustered)

    def significant(stretch: float) -> NDArray[np.bool_]:
        # A spread that is larger by this factor is a true difference that is as much smaller.
        return testable & (np.abs(difference / stretch + noise) > factor * errors)

    share = significant(1.0)
    count = int(share.sum())
    estimates = difference + noise[share]
    smaller, larger = spread_range(df)
    return Power(
        difference,
        size,
        count / simulations,
        float(np.mean(np.sign(estimates) != np.sign(difference))) if count else float("nan"),
        float(np.mean(np.abs(estimates)) / abs(difference)) if count else float("nan"),
        float(significant(larger).mean()),
        float(significant(smaller).mean()),
    )


_HELD = 2**21
"""Redrawn units held at a time; changes nothing but the memory used."""


def _redrawn(
    pairs: Pairs, size: int, simulations: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the error of the difference, its standard error and ν in simulated sets of `size` resampled units."""
    statistics = pairs.statistics
    influence = statistics.influence
    sizes = np.ones(statistics.n) if statistics.sizes is None else statistics.sizes.astype(np.float64)
    own = sign_of(statistics.metric) * sizes.sum() * (influence[pairs.first[0]] - influence[pairs.second[0]])
    own -= own.sum() / sizes.sum() * sizes
    # What is centred spreads less than what it came from: √((K − 1)/K) of it where units are equal.
    if np.any(own):
        own *= pairs.standard_error[0] * sizes.sum() / np.sqrt(np.square(own).sum())
    drawn = np.random.Generator(np.random.PCG64(seed))
    noise, errors, df = np.empty(simulations), np.empty(simulations), np.full(simulations, size - 1.0)
    together = max(1, _HELD // size)
    for start in range(0, simulations, together):
        part = slice(start, min(start + together, simulations))
        units = drawn.integers(0, statistics.n, (part.stop - start, size))
        r, m = own[units], sizes[units]
        total, segments = r.sum(axis=1, keepdims=True), m.sum(axis=1, keepdims=True)
        noise[part] = (total / segments)[:, 0]
        moved = (total - r) / (segments - m) - total / segments
        errors[part] = np.sqrt((size - 1) / size * np.square(moved).sum(axis=1))
        if statistics.sizes is not None:
            df[part] = satterthwaite_rows(m)
    errors[errors < NOISE * np.abs(own / sizes).max()] = 0.0
    return noise, errors, df


@dataclass(frozen=True)
class PowerAnalysis(Tabled):
    """Power on future test sets; results not requested are None.

    comparisons: how many are corrected together; needed size and power hold after Bonferroni's correction. needed_low,
    needed_high: needed sizes at the two ends of the uncertainty range of the pilot's standard error. df: degrees of
    freedom of this standard error. curve: power of test sets of the requested sizes.
    """

    metric: str
    first: str
    second: str
    unit: str
    units: int
    difference: float | None
    wanted: float
    needed: int | None
    power: Power | None
    equivalence: Equivalence | None
    non_inferiority: Equivalence | None
    comparisons: int = 1
    signature: str = ""
    decimals: int = 2
    needed_low: int | None = None
    needed_high: int | None = None
    df: float = float("nan")
    curve: tuple[Power, ...] = ()


def power_analysis(
    statistics: Statistics | Measurable, first: str, second: str, difference: float | None = None,
    margin: float | None = None, *, power: float = 0.8, level: float = 0.95, comparisons: int = 1, unit: Unit = "auto",
    sizes: Sequence[int] = (), higher_is_better: bool | None = None, name: str = "score",
) -> PowerAnalysis:  # fmt: skip
    """Compute the power of a test set and the size that a difference needs.

    Parameters
    ----------
    statistics : Statistics, Corpus, path, or table
        The pilot: statistics of one metric, or data that `measure` takes, under its default metric: a corpus, a path,
        or a dict of lists or a DataFrame with each system's scores, shape (n,).
    first : str
        Name of the first system. The variance of the difference between the two systems is the basis of all results.
    second : str
        Name of the second system. A positive difference favours the first system.
    difference : float, optional
        The smallest difference that matters, in points of the metric, fixed in advance. Do not use the observed
        difference: its power only restates its p-value [1]_.
    margin : float, optional
        A margin for equivalence and non-inferiority, in points of the metric. Both are tested on the pilot itself.
    power : float, default 0.8
        The probability that a future test set detects the difference.
    level : float, default 0.95
        Coverage of the intervals; 1 − level is α of the test.
    comparisons : int, default 1
        How many comparisons are corrected together (by Bonferroni).
    unit : {"auto", "segment", "block", "document"}
        The sampling unit; "auto" is documents where there are at least ten.
    sizes : list of int, optional
        Other sizes, in units, for which `curve` gives the power. Sizes with too few documents for a verdict are
        omitted.
    higher_is_better : bool, optional
        The direction of the scores, needed if the metric's name is not known.
    name : str, default "score"
        Name of the scores in a table.

    Returns
    -------
    analysis : PowerAnalysis
        `needed`: the units needed; the power at the pilot's size; `curve`; and the tests against the margin.

    Raises
    ------
    InvalidOption
        Neither a difference nor a margin is given, or an argument is out of range.
    NotApplicable
        The difference has no variance, or the two systems share too few documents.
    UnknownName
        There is no system of that name.

    See Also
    --------
    design_test_set : documents, segments and costs for a new test set. size_curve : scores and interval widths on
    subsets of the test set.

    Notes
    -----
    1. The standard error of the difference and its degrees of freedom ν are computed on the pilot by the jackknife.
    2. With n instead of n₀ units, the standard error is multiplied by √(n₀/n), and ν grows in proportion to n.
    3. The power is the probability that a noncentral t variable with ν degrees of freedom exceeds the critical value of
       the test [2]_.
    4. The standard error and ν are estimated from the pilot. `needed` allows for their uncertainty, so it is a little
       larger than the size at which `curve` reaches the target power.

    References
    ----------
    .. [1] Hoenig and Heisey (2001).
    .. [2] Cohen (1988).

    Examples
    --------
    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> found = mtsig.power_analysis(statistics, "direct", "via-catalan", difference=1.0, sizes=[20, 40, 80])
    >>> found.needed, [round(at.power, 2) for at in found.curve]
    (87, [0.28, 0.52, 0.82])

    Equivalence within two points:

    >>> within = mtsig.power_analysis(statistics, "via-catalan", "via-galician", margin=2.0).equivalence
    >>> within.established, round(within.p_value, 3)
    (False, 0.062)
    """
    statistics = statistics_of(statistics, higher_is_better, name)
    expect_arguments(power_analysis, locals())
    check_share("The level", level)
    if difference is None and margin is None:
        raise InvalidOption("Give a difference that matters, a margin of equivalence, or both.")
    pair = pilot_of(statistics, first, second, unit)
    at = pair.statistics
    needed: tuple[int | None, int | None, int | None] = (None, None, None)
    result = same = worse = None
    curve: tuple[Power, ...] = ()
    if any(size < 1 for size in sizes):
        raise InvalidOption(f"Sizes must be numbers of units of at least 1; found {min(sizes)}.")
    if difference is not None:
        needed = needed_units(statistics, first, second, difference, power, level, comparisons, unit)
        tail = (1 - level) / 2 / comparisons
        result = _power(pair, difference, tail)
        curve = tuple(_power(pair, difference, tail, size) for size in sizes if _carries(pair, size))
    if margin is not None:
        same = equivalence(statistics, first, second, margin, level=level, unit=unit)
        worse = non_inferiority(statistics, first, second, margin, level=level, unit=unit)
    return PowerAnalysis(
        statistics.metric.name,
        first,
        second,
        at.unit,
        at.n,
        difference,
        power,
        needed[0],
        result,
        same,
        worse,
        comparisons,
        statistics.signature,
        statistics.metric.decimals,
        needed[1],
        needed[2],
        float(pair.df[0]),
        curve,
    )


def _carries(pair: Pairs, size: int) -> bool:
    """Return whether so many units like the pilot's carry a verdict."""
    clustered = pair.statistics.clustered
    fewest = MIN_DOCUMENTS if clustered else 2
    return size >= fewest and bool(carry_verdict(float(pair.df[0]) * size / pair.statistics.n, clustered))


FAR = 100
"""Times the pilot: a test set that is larger is out of reach."""


def is_far(analysis: PowerAnalysis) -> bool:
    """Return whether the size that is needed is out of reach."""
    return analysis.needed is None or analysis.needed > FAR * analysis.units


def is_fewest(analysis: PowerAnalysis) -> bool:
    """Return whether the size that is needed is the fewest documents that carry a verdict, whatever the power."""
    needed = analysis.needed
    if analysis.unit != "document" or needed is None:
        return False
    return needed <= MIN_DOCUMENTS or not carry_verdict(analysis.df * (needed - 1) / analysis.units, True)


def share_text(share: float) -> str:
    """Return a share in whole percent, of which neither 0 nor 100% is said where it is not so."""
    if 0 < share < 0.005:
        return "less than 1%"
    return "more than 99%" if 0.995 <= share < 1 else f"{share:.0%}"


def range_text(power: Power) -> str:
    """Return the range of a power that the pilot leaves open: "13 to 61%"; empty where both ends are written alike."""
    low, high = (share_text(share) for share in (power.power_low, power.power_high))
    if low == high:
        return ""
    return f"{low.removesuffix('%') if low.endswith('%') and low[0].isdigit() else low} to {high}"
