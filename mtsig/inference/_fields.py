"""Fields of a comparison of two systems: its columns and the header of its family, each defined once.

Files, tables and DataFrames take their columns from here (see `mtsig._records`); what follows from the numbers, such as
the verdict, is in `ComparisonConclusions`.
"""

from dataclasses import dataclass
from math import nan
from typing import Annotated, Literal

from mtsig import _records

Word = Literal["better", "not_significant", "withheld"]
"""The verdict on a pair."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PairEstimate(_records.Columns):
    """Columns of every estimate for a pair of systems."""

    first = _records.text("The first system.", _records.SystemName)
    second = _records.text("The second system.", _records.SystemName)
    difference = _records.number(
        "First system's score minus the second's; positive when the first is better, even if lower scores are better."
    )
    ci_low = _records.number(
        "Lower end of the difference's confidence interval, not adjusted unless simultaneous.", at_most="ci_high"
    )
    ci_high = _records.number("Its upper end.")


@dataclass(frozen=True, eq=False, kw_only=True)
class PairSpread(_records.Columns):
    """Columns for the uncertainty of a difference."""

    interval = _records.text("Method of the confidence interval; percentile where the requested method is undefined.")
    standard_error = _records.number(
        "Standard error of the difference by the jackknife; null where the jackknife is undefined.", _records.Spread
    )
    df = _records.number("Degrees of freedom of this error: units − 1 for units of equal size.", _records.Freedom)


@dataclass(frozen=True, eq=False, kw_only=True)
class PairP(_records.Columns):
    """Columns for the p-value of a difference, uncorrected and corrected."""

    p_value = _records.number("Uncorrected p-value; null for a method that gives none.", _records.Probability)
    p_mc_low = _records.number(
        "Lower limit of the 95% Monte Carlo interval of p_value.", _records.Probability, at_most="p_mc_high"
    )
    p_mc_high = _records.number("Upper limit of the 95% Monte Carlo interval of p_value.", _records.Probability)
    p_adjusted = _records.number("Corrected p-value, on which the verdict is based.", _records.Probability)
    p_adjusted_mc_low = _records.number(
        "Lower limit of this interval for p_adjusted.", _records.Probability, at_most="p_adjusted_mc_high"
    )
    p_adjusted_mc_high = _records.number("Upper limit of this interval for p_adjusted.", _records.Probability)


@dataclass(frozen=True, eq=False, kw_only=True)
class PairColumns(PairP, PairSpread, PairEstimate):
    """Columns of a family: values that differ between pairs."""

    exact = _records.flag("Whether the p-value is exact (all swaps were enumerated).")
    units = _records.whole("Number of sampling units that both systems have and on which they are compared.")
    segments = _records.whole("Number of segments that both systems have.")
    n_differing = _records.whole("Number of these units on which the two systems differ.", at_most="units")
    bootstrap_win_rate = _records.number(
        "Share of resamples in which the first system is better: descriptive, not a p-value.", _records.Probability
    )
    tie_rate = _records.number("Share of resamples in which the two scores are equal.", _records.Probability)
    p_jackknife = _records.number(
        "p-value of the jackknife t test, corrected by Holm's method, given next to tests that swap documents and "
        "where the jackknife is undefined; else null. Where it exceeds alpha, the default test gives no verdict, and "
        "the verdict of a test that the user chose has a caution.",
        _records.Probability,
        nan,
    )
    unmatched = _records.text(
        "Kind of match that one or both systems lack, so that the jackknife is undefined; usually empty.", default=""
    )
    smoothed_difference = _records.number(
        "In that case, the smoothed difference, for which the jackknife is defined (BLEU: 1 added).", default=nan
    )
    smoothed_error = _records.number("Jackknife standard error of the smoothed difference.", _records.Spread, nan)
    data_caveat = _records.text("Why the data allow no verdict, whatever the p-value; empty if they do.", default="")
    data_caveat_id = _records.text("Identifier of this reason in the program; empty where there is none.", default="")
    documents = _records.number("Number of known documents; null without document ids.", default=nan)
    order_segments = _records.number(
        "Without document ids: number of segments that all systems have, from which the correlation of neighbouring "
        "segments is measured; for an average, that of the smallest set. Null with document ids.",
        default=nan,
    )
    order_z = _records.number(
        "Without document ids: correlation of neighbouring segments, as a z-score relative to random orders of the "
        "segments; null where not measured.",
        default=nan,
    )
    adjusted_ci_low = _records.number(
        "Lower end of the adjusted confidence interval, which excludes 0 exactly if p_adjusted is at most alpha; null "
        "without a p-value, with too few resamples for this level, and if a one-sided test does not bound this side.",
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
        "Verdict of the default test on the same pair; null if this test is the default or there is no default.",
        None,
    )
    default_winner = _records.Column[tuple[str | None, ...], str | None](
        _records.SystemName | None, "System that is better by the default test, or null.", None
    )
    heaviest_share = _records.number(
        "Largest share of the squared standard error that comes from one document; null over segments.",
        _records.Probability,
        nan,
    )
    heaviest = _records.text(
        "Id of that document, or its number (such as number 5) if it has no id; empty over segments.",
        default="",
    )
    without_heaviest = _records.number("The difference without that document.", default=nan)


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
    decimals: Annotated[_records.Decimals, _records.about("Number of decimals with which scores are shown.")] = 2
    widest: Annotated[
        _records.Number,
        _records.about(
            "Largest difference possible: 1 for ratings of right or wrong, 100 for BLEU; null if none is known."
        ),
    ] = nan
    status: Annotated[
        Literal["planned", "exploratory"], _records.about("planned if an analysis plan requested it, else exploratory.")
    ] = "exploratory"


@dataclass(frozen=True, kw_only=True)
class FamilyHeader(HowCompared, _records.MetricRecord):
    """Header of a family: values that all comparisons share."""

    higher_is_better: Annotated[bool, _records.about("Whether higher scores are better.")] = True
    rated: Annotated[bool, _records.about("Whether the metric is a human rating; then only rated segments count.")] = (
        False
    )
    complete: Annotated[bool, _records.about("Whether all swaps were enumerated.")] = False
    order: Annotated[tuple[_records.SystemName, ...], _records.about("The compared systems, best score first.")] = ()


@dataclass(frozen=True, kw_only=True)
class FamilyHeading(FamilyHeader):
    """Header of a family in a file, with the number of resamples and the seed."""

    n_resamples: Annotated[_records.Count, _records.about("Number of resamples.")]
    seed: Annotated[_records.Count, _records.about("Random seed of the resamples.")]
