"""Power, needed size and equivalence (STATISTICS.md, section 7): what a test could find, and what it could rule out."""

from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
from scipy import stats

from mtsig.corpus import MIN_DOCUMENTS
from mtsig.errors import InvalidOption, NotApplicable
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


def _error(pairs: Pairs) -> float:
    _check_differing(pairs)
    error = float(pairs.standard_error[0])
    if np.isnan(error):
        raise NotApplicable(
            "The score has no derivative here (an n-gram order has no match): no power can be computed."
        )
    if not error > 0:
        raise NotApplicable("The two systems do not vary against each other here, so power cannot be computed.")
    return error


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


def detectable_difference(
    error: float,
    level: float = 0.95,
    power: float = 0.8,
    comparisons: int = 1,
    df: float = np.inf,
    sides: int = 2,
) -> float:
    """Return the smallest true difference that a test finds with this power: (z_{1−a/2} + z_power) · SE.

    With several comparisons the critical value is Bonferroni's. With few units their quantiles of t take the place of
    z: the standard error is itself estimated from them.

    >>> round(detectable_difference(0.3), 3)
    0.84
    """
    _check("Power", power, 0, 1)
    tail = (1 - level) / sides / comparisons
    return float((stats.t.isf(tail, df) + stats.t.ppf(power, df)) * error)


_FEW = 200


def _t_power(effect: float, n: int, level: float, comparisons: int) -> float:
    """Return the power of a two-sided paired t test for a standardised effect, by the noncentral t."""
    critical = float(stats.t.isf((1 - level) / 2 / comparisons, n - 1))
    centre = effect * np.sqrt(n)
    return float(stats.nct.sf(critical, n - 1, centre) + stats.nct.cdf(-critical, n - 1, centre))


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

    n = ((z_{1−a/2} + z_power) σ / δ)², σ = SE · sqrt(n) by the infinitesimal jackknife; where that gives fewer than
    200, the power of the t test itself decides, because so few units have to estimate σ as well.

    Raises:
        InvalidOption: the difference is 0, or power is no share.
        NotApplicable: the two systems do not vary against each other.
    """
    _check_difference(difference)
    _check_comparisons(comparisons)
    pairs = _pair(statistics, first, second, unit)
    smallest = detectable_difference(_error(pairs), level, power, comparisons)
    needed = max(2, ceil(pairs.statistics.n * (smallest / abs(difference)) ** 2))
    spread = _error(pairs) * np.sqrt(pairs.statistics.n)
    while needed < _FEW and _t_power(abs(difference) / spread, needed, level, comparisons) < power:
        needed += 1
    # Fewer documents carry no document-level inference, however large the difference.
    return max(needed, MIN_DOCUMENTS) if pairs.statistics.unit == "document" else needed


@dataclass(frozen=True)
class Power:
    """What simulated tests found when the true difference was `difference` on `units` units.

    power: share of significant tests. wrong_sign: share of the significant ones with the wrong sign (type S).
    exaggeration: mean of |estimate|/|difference| among the significant ones (type M).
    """

    difference: float
    units: int
    power: float
    wrong_sign: float
    exaggeration: float
    simulations: int


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

    The observed contributions are centred and a true difference is added (a location alternative); each redraw is
    tested by t, with Bonferroni's critical value where it is one of several comparisons. `units` is the size of the
    future test set; this one's when None. Not to be fed with the difference that was just observed: that would say
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
    _error(pairs)
    n = pairs.statistics.n
    size = n if units is None else units
    influence = pairs.statistics.influence
    # On the scale of one unit's own difference: their mean is the difference of the corpus scores.
    own = sign_of(statistics.metric) * n * (influence[pairs.first[0]] - influence[pairs.second[0]])
    factor = stats.t.isf((1 - level) / 2 / comparisons, size - 1)
    drawn = np.random.Generator(np.random.PCG64(seed))
    estimates, errors = np.empty(simulations), np.empty(simulations)
    for i in range(simulations):
        sample = own[drawn.integers(0, n, size)]
        estimates[i] = difference + sample.mean()
        errors[i] = sample.std(ddof=1) / np.sqrt(size)
    # A redraw of units that all say the same has no spread, and with it no test.
    varied = errors > NOISE * np.abs(own).max()
    found = varied & (np.abs(estimates) > factor * errors)
    count = int(found.sum())
    return Power(
        difference,
        size,
        count / simulations,
        float(np.mean(np.sign(estimates[found]) != np.sign(difference))) if count else float("nan"),
        float(np.mean(np.abs(estimates[found])) / abs(difference)) if count else float("nan"),
        simulations,
    )


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
    difference, error, df = float(pairs.estimate[0]), float(pairs.standard_error[0]), pairs.statistics.n - 1
    if np.isnan(error):
        raise NotApplicable("The score has no derivative here: some n-gram order has no match.")
    _check_differing(pairs)
    if error == 0:
        raise NotApplicable("No unit differs from the others in what it says of the two: no spread to test against.")
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
    low, high, p = t_equivalence(one.difference, one.error, one.units - 1, margin, one.level, both=both)
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


def smallest_detectable(one: Comparison, power: float = 0.8) -> float | None:
    """Return the true difference that this comparison would have found with this power; None when it cannot be told.

    From the infinitesimal jackknife's standard error; all comparisons of a corrected family count. Where so few units
    differ that no arrangement of them is significant, the test finds nothing, whatever the difference; and a test that
    errs too often finds what is not there.
    """
    if not (one.has_p and one.keeps_level and one.error > 0) or too_few_differ(one.differing, one.units):
        return None
    if least_attainable(one) > one.alpha:
        return None
    comparisons = 1 if one.correction == "none" else one.of
    sides = 2 if one.alternative == "two-sided" else 1
    return detectable_difference(one.error, one.level, power, comparisons, max(1, one.units - 1), sides)


@dataclass(frozen=True)
class Outlook(Shown):
    """What one pair's variation says of future test sets; parts not asked for are None.

    comparisons: how many are judged together, so that needed size and power hold after Bonferroni's correction.
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
    at = _pair(statistics, first, second, unit).statistics
    needed = found = same = worse = None
    if difference is not None:
        common: dict[str, Any] = {"level": level, "comparisons": comparisons, "unit": unit}
        needed = needed_units(statistics, first, second, difference, power=power, **common)
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
        needed,
        found,
        same,
        worse,
        comparisons,
        statistics.signature,
        statistics.metric.decimals,
    )
