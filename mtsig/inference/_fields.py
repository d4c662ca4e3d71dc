"""What a comparison of two systems has: its columns and the header of its family, each field written once.

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
    """What every estimate of a pair of systems has."""

    first = _records.text("The first system.", _records.SystemName)
    second = _records.text("The second system.", _records.SystemName)
    difference = _records.number(
        "First minus second, in the metric's points; positive when the first is better, also where lower is better."
    )
    ci_low = _records.number(
        "Lower end of the difference's confidence interval, uncorrected unless it is simultaneous.", at_most="ci_high"
    )
    ci_high = _records.number("Its upper end.")


@dataclass(frozen=True, eq=False, kw_only=True)
class PairSpread(_records.Columns):
    """How well a difference is known."""

    interval = _records.text("Method of this interval: percentile where the one asked for has no value.")
    standard_error = _records.number(
        "Standard error of the difference by the jackknife; null where the jackknife is undefined.", _records.Spread
    )
    df = _records.number("Its degrees of freedom: units − 1 for units of equal size.", _records.Freedom)


@dataclass(frozen=True, eq=False, kw_only=True)
class PairP(_records.Columns):
    """What a test says of a difference, alone and among others."""

    p_value = _records.number("p of this comparison alone; null for a method that gives none.", _records.Probability)
    p_mc_low = _records.number(
        "Lower limit of the 95% Monte Carlo interval of p_value.", _records.Probability, at_most="p_mc_high"
    )
    p_mc_high = _records.number("Upper limit of the 95% Monte Carlo interval of p_value.", _records.Probability)
    p_adjusted = _records.number("p after correction; the verdict rests on it.", _records.Probability)
    p_adjusted_mc_low = _records.number(
        "As p_mc_low, for the corrected p.", _records.Probability, at_most="p_adjusted_mc_high"
    )
    p_adjusted_mc_high = _records.number("As p_mc_high, for the corrected p.", _records.Probability)


@dataclass(frozen=True, eq=False, kw_only=True)
class PairColumns(PairP, PairSpread, PairEstimate):
    """What differs from pair to pair."""

    exact = _records.flag("Whether p was found by enumeration.")
    units = _records.whole("How many units both systems have, on which they are compared.")
    segments = _records.whole("How many segments both systems have.")
    n_differing = _records.whole("Units among these on which the two differ.", at_most="units")
    bootstrap_win_rate = _records.number(
        "Share of bootstrap resamples in which the first is better: descriptive, not a p-value.", _records.Probability
    )
    tie_rate = _records.number("Share of bootstrap resamples in which the two are equal.", _records.Probability)
    p_jackknife = _records.number(
        "For a test that swaps documents, or where the jackknife is undefined: p of the jackknife t test, corrected by "
        "Holm. Where it is above alpha, the default test gives no verdict, and a test that was named carries a "
        "caution; null for other tests.",
        _records.Probability,
        nan,
    )
    unmatched = _records.text(
        "The matches that one of the two lacks, or both, so that the jackknife is undefined; usually empty.", default=""
    )
    smoothed_difference = _records.number(
        "The difference in that case: with smoothing, so that the jackknife is defined (BLEU: 1 added).", default=nan
    )
    smoothed_error = _records.number("Standard error of that difference by the jackknife.", _records.Spread, nan)
    data_caveat = _records.text("Why the data allow no verdict, whatever the p-value; empty if they do.", default="")
    data_caveat_id = _records.text("The name of that reason in the program; empty where there is none.", default="")
    documents = _records.number("How many documents are known; null without document ids.", default=nan)
    order_segments = _records.number(
        "Without document ids: number of segments that all systems have, used to measure how correlated neighbours "
        "are; the smallest of its sets for an average; null where document ids are known.",
        default=nan,
    )
    order_z = _records.number(
        "Without document ids: how correlated neighbouring segments are, in standard deviations of a random order of "
        "the segments; null where not measured.",
        default=nan,
    )
    adjusted_ci_low = _records.number(
        "Lower end of the adjusted interval, which leaves out 0 exactly where p_adjusted is at most alpha; null where "
        "there is no p, where the resamples are too few for that level, and for a test of the other side.",
        default=nan,
        at_most="adjusted_ci_high",
    )
    adjusted_ci_high = _records.number("Its upper end.", default=nan)
    adjusted_level = _records.number(
        "The error rate at which this comparison was tested: the level of the adjusted interval is 1 minus it.",
        _records.Probability,
        nan,
    )
    default_verdict = _records.Column[tuple[Word | None, ...], Word | None](
        Word | None,
        "Verdict of the default test on the same pair; null where the test is the default, or has no default.",
        None,
    )
    default_winner = _records.Column[tuple[str | None, ...], str | None](
        _records.SystemName | None, "The better system by the default test; else null.", None
    )
    heaviest_share = _records.number(
        "Share of the squared standard error that one document has by itself; null over segments.",
        _records.Probability,
        nan,
    )
    heaviest = _records.text(
        "The id of that document; where none is known its number from 1, such as number 5; empty over segments.",
        default="",
    )
    without_heaviest = _records.number("The difference without that document.", default=nan)


@dataclass(frozen=True, kw_only=True)
class HowCompared(_records.Record):
    """How the comparisons of a family were judged."""

    level: Annotated[_records.Level, _records.about("Nominal coverage of the interval; 1 − level is alpha.")]
    test: Annotated[str, _records.about("Significance test, by its name in the program.")]
    correction: Annotated[str, _records.about("Correction for the number of comparisons, by its name.")]
    family_size: Annotated[_records.Count, _records.about("Number of comparisons corrected together.")]
    unit: Annotated[str, _records.about("Sampling unit: segment, block (of consecutive segments) or document.")]
    alternative: Annotated[
        Literal["two-sided", "greater", "less"], _records.about("two-sided, greater (the first is better) or less.")
    ] = "two-sided"
    estimand: Annotated[str, _records.about("What the test asks.")] = ""
    is_quality_metric: Annotated[
        bool, _records.about("Whether one direction of the metric is better, as quality is.")
    ] = True
    controls_type1: Annotated[bool, _records.about("Whether the test controls its type I error rate.")] = True
    decimals: Annotated[_records.Decimals, _records.about("Decimals in which scores are shown.")] = 2
    status: Annotated[Literal["planned", "exploratory"], _records.about("planned: an analysis plan asked for it.")] = (
        "exploratory"
    )


@dataclass(frozen=True, kw_only=True)
class FamilyHeader(HowCompared, _records.MetricRecord):
    """What is the same for all comparisons of a family."""

    higher_is_better: Annotated[bool, _records.about("Whether a higher score is a better one.")] = True
    rated: Annotated[
        bool, _records.about("Whether the metric is a human rating, based on the segments that have one.")
    ] = False
    complete: Annotated[bool, _records.about("Whether all swaps were enumerated.")] = False
    order: Annotated[
        tuple[_records.SystemName, ...], _records.about("The systems that take part, best score first.")
    ] = ()


@dataclass(frozen=True, kw_only=True)
class FamilyHeading(FamilyHeader):
    """The header of a family as a file holds it: with the draws, which the test has where there is no file."""

    n_resamples: Annotated[_records.Count, _records.about("How often was drawn.")]
    seed: Annotated[_records.Count, _records.about("Seed of the draws.")]
