"""Power, needed size and equivalence (DOCUMENTS.md, section 5): what a test could find, and what it could rule out.

Everything here stands on the jackknife's standard error and its degrees of freedom ν. Both are estimated from the units
at hand, a pilot; so every answer comes with the range that the pilot leaves open.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.optimize import brentq

from mtsig.corpus import MIN_DOCUMENTS
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference.cautions import too_unequal
from mtsig.inference.degrees import FEWEST_DF, satterthwaite_df
from mtsig.inference.family import FEWEST_DIFFERING, Comparison, too_few_differ
from mtsig.inference.targets import NOISE, Pairs, Scores, pairs_of
from mtsig.metrics import Statistics, Unit
from mtsig.notebook import Shown
from mtsig.resampling import Bootstrap, sign_of


def _pair(statistics: Statistics, first: str, second: str, unit: Unit) -> Pairs:
    shared = statistics.at(unit).shared_by([first, second]) if first != second else statistics.at(unit)
    if shared.unit == "document" and shared.n < MIN_DOCUMENTS and statistics.unit != "document":
        raise NotApplicable(
            f"Only {shared.n} documents are known for both {first} and {second}: too few for document-level inference, "
            f"which needs at least {MIN_DOCUMENTS}. Use the segment as the unit."
        )
    return pairs_of(Scores(shared, Bootstrap(unit=unit)), [(first, second)])


def _check_differing(pairs: Pairs) -> None:
    differing, units = int(pairs.differing[0]), int(pairs.units[0])
    if too_few_differ(differing, units):
        unit, pair = pairs.statistics.unit, " and ".join(pairs.labels[0])
        raise NotApplicable(
            f"{pair} differ on only {differing} of {units} {unit}s: too few to know how much {unit}s vary, so neither "
            f"power nor a margin can be judged. At least {FEWEST_DIFFERING} are needed."
        )


def _error(pairs: Pairs) -> tuple[float, float]:
    """Return the standard error of the pair's difference, and its degrees of freedom."""
    _check_differing(pairs)
    error = float(pairs.standard_error[0])
    if np.isnan(error):
        raise NotApplicable(
            "The score has no derivative here (an n-gram order has no match, or none without some unit): no power can "
            "be computed."
        )
    if not error > 0:
        raise NotApplicable("The two systems do not vary against each other here, so power cannot be computed.")
    _check_equal(pairs)
    return error, float(pairs.df[0])


def _check_equal(pairs: Pairs) -> None:
    """Refuse documents so unequal that they carry no verdict."""
    (why,) = too_unequal(pairs)
    if why:
        raise NotApplicable(f"{why}. So neither power nor a margin can be judged.")


def _check(name: str, value: float, low: float, high: float) -> None:
    if not low < value < high:
        raise InvalidOption(f"{name} is a share between {low:g} and {high:g}; found {value:g}.")


def _check_comparisons(comparisons: int) -> None:
    if comparisons < 1:
        raise InvalidOption(f"At least 1 comparison is judged; found {comparisons}.")


def _check_difference(difference: float) -> None:
    if difference == 0:
        raise InvalidOption("A difference of 0 cannot be found by any number of segments; give its size in points.")
    if not np.isfinite(difference) or abs(difference) < _LEAST:
        raise InvalidOption(f"The difference is a number of points of at least {_LEAST:g}; found {difference:g}.")


_LEAST = 1e-6


_MANY = 1e6
"""From so many degrees of freedom on, t is normal."""


@lru_cache(maxsize=4096)
def _factor(df: float, tail: float, power: float) -> float:
    """Return λ with P(t'_ν(λ) > t_{1−tail,ν}) = power, t' the noncentral t; the other tail adds nothing to speak of."""
    if df > _MANY:
        return float(stats.norm.isf(tail) + stats.norm.ppf(power))
    critical = float(stats.t.isf(tail, df))

    def missing(centre: float) -> float:
        return float(stats.nct.sf(critical, df, centre)) - power

    # Half of the estimates fall beyond λ, more or less: power .5 is reached near the critical value.
    high = critical + 1
    while missing(high) < 0:
        high *= 2
    low = min(0.0, float(stats.norm.ppf(power))) - 1
    return float(brentq(missing, low, high, xtol=1e-12, rtol=1e-14))


def detectable_difference(
    error: float,
    level: float = 0.95,
    power: float = 0.8,
    comparisons: int = 1,
    df: float = np.inf,
    sides: int = 2,
) -> float:
    """Return the smallest true difference that a t test finds with this power: λ(ν) · SE (DOCUMENTS.md, section 5).

    With several comparisons the critical value is Bonferroni's.

    >>> round(detectable_difference(0.3), 3), round(detectable_difference(1.0, df=19), 3)
    (0.84, 2.954)
    """
    _check("Power", power, 0, 1)
    return _factor(float(df), (1 - level) / sides / comparisons, power) * error


def spread_range(df: float) -> tuple[float, float]:
    """Return by what to multiply a standard error with ν degrees of freedom to get the ends of its own 95% range.

    √(ν'/χ²_{.975,ν'}) and √(ν'/χ²_{.025,ν'}) with ν' = ν/2: contributions have heavier tails than the normal, for which
    ν' would be ν (measured: .94 to .998 of true spreads lie inside, with ν' = ν .82 to .98).
    """
    half = df / 2
    if half > _MANY:
        return 1.0, 1.0
    below, above = np.sqrt(half / stats.chi2.ppf([0.975, 0.025], half))
    return float(below), float(above)


def needed_units(
    statistics: Statistics,
    first: str,
    second: str,
    difference: float,
    *,
    power: float = 0.8,
    level: float = 0.95,
    comparisons: int = 1,
    unit: Unit = "auto",
) -> int:
    """Return how many units (segments or documents like these) find a true difference of this size with this power.

    The smallest n with λ(ν_n) · SE · √(K/n) ≤ δ, ν_n = (ν + 1) n/K − 1, from K units with SE and ν; documents are at
    least ten, and worth at least five of equal length.

    Raises:
        InvalidOption: the difference is 0, or power is no share.
        NotApplicable: the two systems do not vary against each other.
    """
    return _needed(statistics, first, second, difference, power, level, comparisons, unit)[0]


def _needed(
    statistics: Statistics,
    first: str,
    second: str,
    difference: float,
    power: float,
    level: float,
    comparisons: int,
    unit: Unit,
) -> tuple[int, int, int]:
    """Return the needed units, and what they would be at both ends of the range of the pilot's standard error."""
    _check("Power", power, 0, 1)
    _check_difference(difference)
    _check_comparisons(comparisons)
    pairs = _pair(statistics, first, second, unit)
    error, df = _error(pairs)
    by_document = pairs.statistics.unit == "document"

    def needed(spread: float) -> int:
        return _smallest(
            spread, df, pairs.statistics.n, abs(difference), (1 - level) / 2 / comparisons, power, by_document
        )

    low, high = spread_range(df)
    return needed(error), needed(error * low), needed(error * high)


def _smallest(
    error: float, df: float, units: int, difference: float, tail: float, power: float, by_document: bool
) -> int:
    """Return the smallest number of units that would do, by bisection: more units find more."""
    worth = (df + 1) / units

    def enough(n: int) -> bool:
        own = worth * n - 1
        fewest = FEWEST_DF if by_document else 1
        return own >= fewest - 1e-9 and _factor(own, tail, power) * error * np.sqrt(units / n) <= difference

    low = MIN_DOCUMENTS if by_document else 2
    if enough(low):
        return low
    high = 2 * low
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


@dataclass(frozen=True)
class Power:
    """What simulated tests found when the true difference was `difference` on `units` units.

    power: share of significant tests. wrong_sign: share of the significant ones with the wrong sign (type S).
    exaggeration: mean of |estimate|/|difference| among the significant ones (type M). low, high: power at the ends of
    the range in which the pilot leaves the standard error.
    """

    difference: float
    units: int
    power: float
    wrong_sign: float
    exaggeration: float
    simulations: int
    low: float = float("nan")
    high: float = float("nan")


def simulated_power(
    statistics: Statistics,
    first: str,
    second: str,
    difference: float,
    *,
    units: int | None = None,
    level: float = 0.95,
    comparisons: int = 1,
    simulations: int = 5000,
    seed: int = 12345,
    unit: Unit = "auto",
) -> Power:
    """Return power with type-S and type-M errors, by redrawing the units' contributions to the difference.

    A unit is its contribution to the difference, centred in proportion to its segments, and its number of segments:
    both are redrawn together, the true difference is added (a location alternative), and each redraw is tested by the
    jackknife t test, with Bonferroni's critical value where it is one of several comparisons. `units` is the size of
    the future test set; this one's when None. Not to be fed with the difference that was just observed: that would say
    nothing that its p-value does not.

    Raises:
        InvalidOption: the difference is 0, or sizes are too small.
        NotApplicable: the two systems do not vary against each other.
    """
    _check_difference(difference)
    _check_comparisons(comparisons)
    if simulations < 100 or (units is not None and units < 2):
        raise InvalidOption("Give at least 100 simulations and at least 2 units.")
    pairs = _pair(statistics, first, second, unit)
    _, df = _error(pairs)
    size = pairs.statistics.n if units is None else units
    noise, errors, own_df = _redrawn(pairs, size, simulations, seed)
    factor = stats.t.isf((1 - level) / 2 / comparisons, own_df)
    # A redraw of units that all say the same has no spread, and with it no test.
    varied = errors > 0

    def significant(stretch: float) -> NDArray[np.bool_]:
        # A spread that is larger by this factor is a true difference that is as much smaller.
        return varied & (np.abs(difference / stretch + noise) > factor * errors)

    found = significant(1.0)
    count = int(found.sum())
    estimates = difference + noise[found]
    smaller, larger = spread_range(df)
    return Power(
        difference,
        size,
        count / simulations,
        float(np.mean(np.sign(estimates) != np.sign(difference))) if count else float("nan"),
        float(np.mean(np.abs(estimates)) / abs(difference)) if count else float("nan"),
        simulations,
        float(significant(larger).mean()),
        float(significant(smaller).mean()),
    )


_HELD = 2**21
"""Redrawn units held at a time; changes nothing but the memory used."""


def _redrawn(
    pairs: Pairs, size: int, simulations: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the error of the difference, its standard error and ν in simulated sets of `size` redrawn units.

    With r_d a unit's centred contribution and m_d its segments, the difference is off by Σr/Σm, and without unit d by
    (Σr − r_d)/(Σm − m_d).
    """
    statistics = pairs.statistics
    influence = statistics.influence
    sizes = np.ones(statistics.n) if statistics.sizes is None else statistics.sizes.astype(np.float64)
    own = sign_of(statistics.metric) * sizes.sum() * (influence[pairs.first[0]] - influence[pairs.second[0]])
    own -= own.sum() / sizes.sum() * sizes
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
            df[part] = [satterthwaite_df(one) for one in m]
    errors[errors < NOISE * np.abs(own / sizes).max()] = 0.0
    return noise, errors, df


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
    pairs = _pair(statistics, first, second, unit)
    difference, error, df = float(pairs.estimate[0]), float(pairs.standard_error[0]), float(pairs.df[0])
    if np.isnan(error):
        raise NotApplicable("The score has no derivative here: some n-gram order has no match.")
    _check_differing(pairs)
    if error == 0:
        raise NotApplicable("No unit differs from the others in what it says of the two: no spread to test against.")
    _check_equal(pairs)
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


def least_attainable(one: Comparison) -> float:
    """Return the smallest p that exchanging labels can give on the units that differ; 0 for other tests.

    Exchanging all labels turns the sign alone: of 2^m arrangements two are as extreme, or one on one side.
    """
    if one.test != "ar":
        return 0.0
    return float(2.0 ** ((1 if one.alternative == "two-sided" else 0) - min(one.differing, 1000)))


@dataclass(frozen=True)
class Detectable:
    """The true difference that a comparison would have found; low, high: what the pilot leaves open."""

    difference: float
    low: float
    high: float


def smallest_detectable(one: Comparison, power: float = 0.8) -> Detectable | None:
    """Return the true difference that this comparison would have found with this power; None when it cannot be told.

    λ(ν) · SE by the jackknife; all comparisons of a corrected family count. It is told of the jackknife t test, and
    over segments of the others that keep their level: not of tests that exchange documents, which ask another question.
    Where so few units differ that no arrangement of them is significant, or documents carry no verdict, nothing can be
    found, whatever the difference.
    """
    if not (one.has_p and one.keeps_level and one.error > 0) or too_few_differ(one.differing, one.units):
        return None
    if least_attainable(one) > one.alpha or one.doubt or (one.unit == "document" and one.test != "jackknife-t"):
        return None
    comparisons = 1 if one.correction == "none" else one.of
    sides = 2 if one.alternative == "two-sided" else 1
    found = detectable_difference(one.error, one.level, power, comparisons, one.df, sides)
    low, high = spread_range(one.df)
    return Detectable(found, low * found, high * found)


@dataclass(frozen=True)
class Outlook(Shown):
    """What one pair's variation says of future test sets; parts not asked for are None.

    comparisons: how many are judged together, so that needed size and power hold after Bonferroni's correction.
    needed_low, needed_high: needed size at the ends of the range in which the pilot leaves the standard error. df: the
    degrees of freedom of the pilot's standard error.
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


def outlook(
    statistics: Statistics,
    first: str,
    second: str,
    difference: float | None = None,
    margin: float | None = None,
    *,
    power: float = 0.8,
    level: float = 0.95,
    comparisons: int = 1,
    seed: int = 12345,
    unit: Unit = "auto",
) -> Outlook:
    """Return needed size and power for a true difference, and equivalence within a margin.

    Needed size and power are those of one of `comparisons` judged together; the margin is tested by itself.

    Raises:
        InvalidOption: neither a difference nor a margin is given, or one is out of range.
    """
    if difference is None and margin is None:
        raise InvalidOption("Give a difference worth finding, a margin of equivalence, or both.")
    pair = _pair(statistics, first, second, unit)
    at = pair.statistics
    needed: tuple[int | None, int | None, int | None] = (None, None, None)
    found = same = worse = None
    if difference is not None:
        common: dict[str, Any] = {"level": level, "comparisons": comparisons, "unit": unit}
        needed = _needed(statistics, first, second, difference, power, level, comparisons, unit)
        found = simulated_power(statistics, first, second, difference, seed=seed, **common)
    if margin is not None:
        same = equivalence(statistics, first, second, margin, level=level, unit=unit)
        worse = non_inferiority(statistics, first, second, margin, level=level, unit=unit)
    return Outlook(
        statistics.metric.name,
        first,
        second,
        at.unit,
        at.n,
        difference,
        power,
        needed[0],
        found,
        same,
        worse,
        comparisons,
        statistics.signature,
        statistics.metric.decimals,
        needed[1],
        needed[2],
        float(pair.df[0]),
    )
