"""Fields of a comparison of two systems: its columns and the header of its family, each defined once.

Files, tables and DataFrames take their columns from here (see `mtsig._records`); what follows from the numbers, such as
the verdict, is in `ComparisonConclusions`.

Detectable differences: what a test could detect, from a standard error and its degrees of freedom.

Both are estimated from the units in the data, so every result has an uncertainty range
(docs/statistics/power.md, section 1).
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import nan
from typing import Annotated, Any, Literal

import numpy as np

from mtsig import _probability, _records
from mtsig._memory import remembered
from mtsig._probability import chi2_quantile, noncentral_t_above, normal_quantile, root, secant, t_critical
from mtsig._results import made
from mtsig.errors import InvalidOption


def check_share(name: str, value: float) -> None:
    """Refuse a number that is not between 0 and 1."""
    if not 0 < value < 1:
        raise InvalidOption(f"{name} must be a share between 0 and 1; found {value:g}.")


_MANY = 1e6
"""From so many degrees of freedom on, t is normal."""

_FARTHEST = 1e12
"""No difference is so many standard errors away."""

_SOLVED = 1e-13
"""So far from the power asked for rounding alone leads."""

_PAIRS = 2**15
"""Pairs of systems whose results are kept: of 250 systems all."""


@remembered(most=_PAIRS)
def noncentral(df: float, tail: float, power: float) -> float:
    """Return λ with P(t'_ν(λ) > t_{1−tail,ν}) = power, t' the noncentral t; NaN where no number is λ."""
    if df > _MANY:
        return float(_probability.normal_critical(tail) + normal_quantile(power))
    critical = float(t_critical(tail, df))

    def missing(centre: float) -> float:
        return float(noncentral_t_above(critical, df, centre)) - power

    # Half of the estimates fall beyond λ, more or less: power .5 is reached near the critical value.
    if df >= _probability.FEWEST_DF and power >= 0.5:
        guess = critical + float(normal_quantile(power))
        found = secant(missing, guess, guess + 0.1)
        if abs(missing(found)) < _SOLVED:
            return found
    high = critical + 1
    while missing(high) < 0:
        high *= 2
        if not high < _FARTHEST:
            return np.nan
    low = min(0.0, float(normal_quantile(power))) - 1
    return root(missing, low, high)


_POINTS = 400
"""Quantiles of the pilot's spread over which power is averaged."""

_CERTAIN = 37.0
"""Beyond this noncentrality a difference is always found."""

_HEAVIER = 2 / 3
"""A pilot's spread has this share of its degrees of freedom: contributions have heavier tails than the normal."""


@remembered(most=4096)
def pilot_factor(df: float, pilot_df: float, tail: float, power: float) -> float:
    """Return c: a true difference of c·λ(ν)·SE is found with this power on average over pilots.

    SE is itself an estimate, so at λ(ν)·SE power is less than asked for. c solves (1/400) Σ_k P(t'_ν(c·λ·x_k) >
    t_{1−tail,ν}) = power, x_k = √(χ²_q((k − ½)/400)/q), q = 2ν_p/3 with ν_p the pilot's degrees of freedom. See
    docs/statistics/power.md, section 1.
    """
    if pilot_df > _MANY:
        return 1.0
    found, q = _on_average(df, pilot_df, tail, power), _HEAVIER * pilot_df
    # Second order in the spread of x, whose variance is 1/2q and whose mean is 1 − 1/4q.
    guess = 1 + (1 + max(0.0, noncentral(df, tail, power)) * max(0.0, float(normal_quantile(power)))) / (4 * q)
    return secant(lambda factor: found(factor) - power, 1.0, min(guess, 1.5))


def is_found(factor: float, df: float, pilot_df: float, tail: float, power: float) -> bool:
    """Return whether `factor` is at least c, which needs not be known for it."""
    # What does not do without the pilot's spread does not do with it.
    return factor >= 1 and (pilot_df > _MANY or _on_average(df, pilot_df, tail, power)(factor) >= power)


def _on_average(df: float, pilot_df: float, tail: float, power: float) -> Callable[[float], float]:
    """Return with which power a true difference of so many λ(ν)·SE is found, on average over pilots."""
    q = _HEAVIER * pilot_df
    critical = float(t_critical(tail, df))
    spread = np.sqrt(chi2_quantile((np.arange(_POINTS) + 0.5) / _POINTS, q) / q) * noncentral(df, tail, power)

    def found(factor: float) -> float:
        shifts = factor * spread
        shares = np.ones(_POINTS)
        unsure = shifts <= _CERTAIN
        shares[unsure] = (
            _probability.normal_above(critical - shifts[unsure])
            if df > _MANY
            else noncentral_t_above(critical, df, shifts[unsure])
        )
        return float(shares.mean())

    return found


_STEP, _NODES = 1.25, 4
"""Where pairs have many different ν, c is worked out at some of them, each so many times the one before."""

_STEADY = 10.0
"""From so many degrees of freedom on c is smooth in 1/ν."""


@remembered(most=_PAIRS)
def own_factor(df: float, tail: float, power: float) -> float:
    """Return c where the pilot itself is the test set, in steps of ν between which it is interpolated (to 10⁻⁶)."""
    if not _STEADY <= df <= _MANY:
        return pilot_factor(df, df, tail, power)
    first = int(np.floor(np.log(df) / np.log(_STEP))) - 1
    nodes = _STEP ** np.arange(first, first + _NODES, dtype=np.float64)
    factors = [pilot_factor(node, node, tail, power) for node in nodes.tolist()]
    # Lagrange's polynomial in 1/ν.
    shares = [np.prod([(1 / df - 1 / b) / (1 / a - 1 / b) for b in nodes if b != a]) for a in nodes]
    return float(np.dot(shares, factors))


def detectable_difference(
    error: float, level: float = 0.95, power: float = 0.8, comparisons: int = 1, df: float = np.inf, sides: int = 2
) -> float:
    """Compute the true difference that a t test detects with this power.

    The definition is in docs/statistics/power.md, section 1.

    With several comparisons, the critical value is that of Bonferroni's correction.

    Examples
    --------
    >>> round(detectable_difference(0.3), 3), round(detectable_difference(1.0, df=19), 3)
    (0.84, 3.159)
    """
    check_share("Power", power)
    tail = (1 - level) / sides / comparisons
    return own_factor(float(df), tail, power) * noncentral(float(df), tail, power) * error


def spread_range(df: float) -> tuple[float, float]:
    """Return by what to multiply a standard error with ν degrees of freedom to get the ends of its own 95% range.

    √(ν'/χ²_{.975,ν'}) and √(ν'/χ²_{.025,ν'}) with ν' = ν/2: contributions have heavier tails than the normal, for which
    ν' would be ν (measured: .94 to .998 of true spreads lie inside, with ν' = ν .82 to .98).
    """
    half = df / 2
    if half > _MANY:
        return 1.0, 1.0
    below, above = np.sqrt(half / chi2_quantile([0.975, 0.025], half))
    return float(below), float(above)


Word = Literal["better", "not_significant", "withheld"]
"""The verdict on a pair."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PairEstimate(_records.Columns):
    """Columns of every estimate for a pair of systems."""

    first = _records.text("The first system.", _records.SystemName)
    second = _records.text("The second system.", _records.SystemName)
    difference = _records.number(
        "First system's score minus the second's, reversed if lower scores are better: positive if the first is better."
    )
    ci_low = _records.number(
        "Lower end of the difference's confidence interval. Not adjusted, unless simultaneous.", at_most="ci_high"
    )
    ci_high = _records.number("Its upper end.")


@dataclass(frozen=True, eq=False, kw_only=True)
class PairSpread(_records.Columns):
    """Columns for the uncertainty of a difference."""

    interval = _records.text("Method of the confidence interval; percentile if the requested method is undefined.")
    standard_error = _records.number(
        "Standard error of the difference by the jackknife; null if the jackknife is undefined.", _records.Spread
    )
    df = _records.number("Degrees of freedom of standard_error; units − 1 if all units are equal.", _records.Freedom)


@dataclass(frozen=True, eq=False, kw_only=True)
class PairP(_records.Columns):
    """Columns for the p-value of a difference, uncorrected and corrected."""

    p_value = _records.number("Uncorrected p-value; null if the method has none.", _records.Probability)
    p_mc_low = _records.number(
        "Lower limit of the 95% Monte Carlo interval of p_value.", _records.Probability, at_most="p_mc_high"
    )
    p_mc_high = _records.number("Upper limit of the 95% Monte Carlo interval of p_value.", _records.Probability)
    p_adjusted = _records.number("Corrected p-value, on which the verdict is based.", _records.Probability)
    p_adjusted_mc_low = _records.number(
        "Lower limit of the 95% Monte Carlo interval of p_adjusted.", _records.Probability, at_most="p_adjusted_mc_high"
    )
    p_adjusted_mc_high = _records.number("Upper limit of the interval of p_adjusted.", _records.Probability)


@dataclass(frozen=True, eq=False, kw_only=True)
class PairColumns(PairP, PairSpread, PairEstimate):
    """Columns of a family: values that differ between pairs."""

    exact = _records.flag("Whether the p-value is exact (all swaps were enumerated).")
    units = _records.whole("Number of sampling units that both systems have and on which they are compared.")
    segments = _records.whole("Number of segments that both systems have.")
    n_differing = _records.whole("Number of units on which the two systems differ.", at_most="units")
    bootstrap_win_rate = _records.number(
        "Share of resamples in which the first system is better. It is not a p-value.", _records.Probability
    )
    tie_rate = _records.number("Share of resamples in which the two scores are equal.", _records.Probability)
    p_jackknife = _records.number(
        "p-value of the jackknife t test, corrected by Holm's method. It is given for tests that swap documents, and "
        "if the jackknife is undefined; else null. If it is above alpha, the default test gives no verdict, and a test "
        "that the user chose gives its verdict with a caution.",
        _records.Probability,
        nan,
    )
    unmatched = _records.text(
        "Kind of match that one or both systems lack, so the jackknife is undefined; usually empty.", default=""
    )
    smoothed_difference = _records.number(
        "The smoothed difference (BLEU: 1 added), if the jackknife is undefined without smoothing.", default=nan
    )
    smoothed_error = _records.number("Jackknife standard error of the smoothed difference.", _records.Spread, nan)
    data_caveat = _records.text("The reason why the data allow no verdict, at any p; empty if they do.", default="")
    data_caveat_id = _records.text("Identifier of this reason in the program; empty if there is none.", default="")
    documents = _records.number("Number of known documents; null without document ids.", default=nan)
    order_segments = _records.number(
        "Number of segments that all systems have, if there are no document ids. The correlation of neighbouring "
        "segments is measured on these. For an average, the number of the smallest set. Null with document ids.",
        default=nan,
    )
    order_z = _records.number(
        "Correlation of neighbouring segments, if there are no document ids. It is a z-score relative to random orders "
        "of the segments; null if not measured.",
        default=nan,
    )
    adjusted_ci_low = _records.number(
        "Lower end of the adjusted confidence interval, which excludes 0 exactly if p_adjusted is at most alpha. Null "
        "in three cases: no p-value, an interval without a bound on this side, or too few resamples for the level.",
        default=nan,
        at_most="adjusted_ci_high",
    )
    adjusted_ci_high = _records.number("Its upper end.", default=nan)
    adjusted_level = _records.number(
        "Confidence level of the adjusted interval: 1 minus the error rate at which this comparison was tested.",
        _records.Probability,
        nan,
    )
    default_verdict = _records.Column[tuple[Word | None, ...], Word | None](
        Word | None,
        "Verdict of the default test on the same pair. Null if this test is the default, or if there is no default.",
        None,
    )
    default_winner = _records.Column[tuple[str | None, ...], str | None](
        _records.SystemName | None, "System that is better by the default test; null if there is none.", None
    )
    heaviest_share = _records.number(
        "Largest share of one document in the variance of the difference; null if units are segments.",
        _records.Probability,
        nan,
    )
    heaviest = _records.text(
        "Id of this document, or its number (such as number 5) if it has no id; empty if units are segments.",
        default="",
    )
    without_heaviest = _records.number("The difference without this document.", default=nan)


@dataclass(frozen=True, kw_only=True)
class Decided(_records.MetricRecord):
    """A comparison on which there is a verdict: what `mtsig.verdict` says of it, in brief."""

    @property
    def verdict(self) -> Word:
        """The verdict: "better", "not_significant" or "withheld"."""
        word: Word = self._decided.word
        return word

    @property
    def winner(self) -> str | None:
        """The significantly better system; `None` unless the verdict is "better"."""
        winner: str | None = self._decided.winner
        return winner

    @property
    def withheld_reason(self) -> str | None:
        """Why the verdict is withheld; `None` if it is not."""
        withheld_reason: str | None = self._decided.withheld_reason
        return withheld_reason

    @property
    def caution(self) -> str:
        """Reason to read the verdict with caution; empty if there is none."""
        return str(self._decided.caution)

    @property
    def _decided(self) -> Any:
        return made("verdict", self)


@dataclass(frozen=True, kw_only=True)
class HowCompared(_records.Record):
    """How the comparisons of a family were tested."""

    level: Annotated[_records.Level, _records.about("Nominal coverage of the confidence interval; alpha is 1 − level.")]
    test: Annotated[str, _records.about("Name of the significance test in the program.")]
    correction: Annotated[str, _records.about("Name of the correction for the number of comparisons.")]
    family_size: Annotated[_records.Ordinal, _records.about("Number of comparisons corrected together.")]
    unit: Annotated[str, _records.about("Sampling unit: segment, block (of consecutive segments) or document.")]
    alternative: Annotated[
        Literal["two-sided", "greater", "less"],
        _records.about("Alternative: two-sided, greater (the first is better) or less."),
    ] = "two-sided"
    estimand: Annotated[str, _records.about("Question that the test answers.")] = ""
    is_quality_metric: Annotated[
        bool, _records.about("Whether the metric measures quality, so that one direction is better.")
    ] = True
    controls_type1: Annotated[bool, _records.about("Whether the test controls its type I error rate.")] = True
    decimals: Annotated[_records.Decimals, _records.about("Number of decimals in displayed scores.")] = 2
    widest: Annotated[
        _records.Number,
        _records.about(
            "Largest possible difference: 1 for ratings that are right or wrong, 100 for BLEU; null if unknown."
        ),
    ] = nan
    status: Annotated[
        Literal["planned", "exploratory"], _records.about("planned if an analysis plan asks for it, else exploratory.")
    ] = "exploratory"


@dataclass(frozen=True, kw_only=True)
class FamilyHeader(HowCompared, _records.MetricRecord):
    """Header of a family: values that all comparisons share."""

    higher_is_better: Annotated[bool, _records.about("Whether higher scores are better.")] = True
    rated: Annotated[bool, _records.about("Whether the metric is a human rating: then only rated segments count.")] = (
        False
    )
    complete: Annotated[bool, _records.about("Whether all swaps were enumerated.")] = False
    order: Annotated[tuple[_records.SystemName, ...], _records.about("The compared systems, best score first.")] = ()


@dataclass(frozen=True, kw_only=True)
class FamilyHeading(FamilyHeader):
    """Header of a family in a file, with the number of resamples and the seed."""

    n_resamples: Annotated[_records.Count, _records.about("Number of resamples.")]
    seed: Annotated[_records.Count, _records.about("Random seed of the resamples.")]
