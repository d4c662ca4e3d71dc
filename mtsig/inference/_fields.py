"""Comparison: what is known of one pair of systems under one metric; the one place where its fields are written.

The class is the record: files, tables and DataFrames take their columns from it (see `mtsig._records`). What follows
from its numbers, the verdict above all, is in `ComparisonConclusions`.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar

from mtsig._records import (
    Count,
    Decimals,
    Floats,
    Index,
    Level,
    Mask,
    MetricRecord,
    Record,
    SystemName,
    Texts,
    about,
    at_most,
)

Word = Literal["better", "not_significant", "withheld"]
"""What a test says of a pair."""

NO_NUMBER: Any = float("nan")

NO_TEXT: Any = ""

NOTHING: Any = None
"""What fields are where they are not given; columns are filled with it."""

N = TypeVar("N")  # numbers

P = TypeVar("P")  # p-values and shares

D = TypeVar("D")  # standard errors

F = TypeVar("F")  # degrees of freedom

C = TypeVar("C")  # counts

B = TypeVar("B")  # yes or no

T = TypeVar("T")  # texts

S = TypeVar("S")  # names of systems

W = TypeVar("W")  # verdicts, where there are any

M = TypeVar("M")  # names of systems, where there are any


@dataclass(frozen=True, eq=False, kw_only=True)
class PairEstimate(Generic[N, S]):
    """What every estimate of a pair of systems has."""

    first: Annotated[S, about("The first system.")]
    second: Annotated[S, about("The second system.")]
    difference: Annotated[
        N,
        about(
            "First minus second, in the metric's points; positive when the first is better, also where lower is better."
        ),
    ]
    ci_low: Annotated[
        N,
        about("Lower end of the difference's confidence interval, uncorrected unless it is simultaneous."),
        at_most("ci_high"),
    ]
    ci_high: Annotated[N, about("Its upper end.")]


@dataclass(frozen=True, eq=False, kw_only=True)
class PairSpread(Generic[T, D, F]):
    """How well a difference is known."""

    interval: Annotated[T, about("Method of this interval: percentile where the one asked for has no value.")]
    standard_error: Annotated[
        D, about("Standard error of the difference by the jackknife; null where the score has no derivative.")
    ]
    df: Annotated[F, about("Its degrees of freedom: units − 1 for units of equal size.")]


@dataclass(frozen=True, eq=False, kw_only=True)
class PairP(Generic[P]):
    """What a test says of a difference, alone and among others."""

    p_value: Annotated[P, about("p of this comparison alone; null for a method that gives none.")]
    p_mc_low: Annotated[P, about("What p could be at least if drawing never ended (95%)."), at_most("p_mc_high")]
    p_mc_high: Annotated[P, about("What p could be at most if drawing never ended (95%).")]
    p_adjusted: Annotated[P, about("p after correction; the verdict rests on it.")]
    p_adjusted_mc_low: Annotated[P, about("As p_mc_low, for the corrected p."), at_most("p_adjusted_mc_high")]
    p_adjusted_mc_high: Annotated[P, about("As p_mc_high, for the corrected p.")]


@dataclass(frozen=True, eq=False, kw_only=True)
class PairFields(PairP[P], PairSpread[T, D, F], PairEstimate[N, S], Generic[N, P, D, F, C, B, T, S, W, M]):
    """What differs from pair to pair; each type stands for one value in a row, and for an array in columns."""

    exact: Annotated[B, about("Whether p was found by enumeration.")]
    units: Annotated[C, about("How many units both systems have, on which they are compared.")]
    segments: Annotated[C, about("How many segments both systems have.")]
    n_differing: Annotated[C, about("Units among these on which the two differ."), at_most("units")]
    bootstrap_win_rate: Annotated[
        P, about("Share of bootstrap resamples in which the first is better: a description, no p-value.")
    ]
    tie_rate: Annotated[P, about("Share of bootstrap resamples in which the two are equal.")]
    p_jackknife: Annotated[
        P,
        about(
            "Beside a test that exchanges documents, or where the score has no derivative: p of the jackknife t test, "
            "corrected by Holm. Above alpha it withholds a verdict of the default test, and is a caution beside that "
            "of a test asked for by name; null beside others."
        ),
    ] = NO_NUMBER
    unmatched: Annotated[
        T, about("What one of the two lacks, or both, so that the score has no derivative; empty as a rule.")
    ] = NO_TEXT
    smoothed_difference: Annotated[
        N,
        about("The difference where that is: with smoothing that gives every score a derivative (BLEU: 1 added)."),
    ] = NO_NUMBER
    smoothed_error: Annotated[D, about("Standard error of that difference by the jackknife.")] = NO_NUMBER
    data_caveat: Annotated[T, about("Why no verdict can be given whatever the p-value; empty where one can.")] = NO_TEXT
    data_caveat_id: Annotated[T, about("The name of that reason in the program; empty where there is none.")] = NO_TEXT
    documents: Annotated[N, about("How many documents are known; null without document ids.")] = NO_NUMBER
    order_segments: Annotated[
        N,
        about(
            "Without document ids: how many segments all systems have, on which it was looked at how alike neighbours "
            "are; the fewest of its sets for an average; null where document ids are known."
        ),
    ] = NO_NUMBER
    order_z: Annotated[
        N,
        about(
            "Without document ids: how alike neighbouring segments are, in standard deviations of a random order of "
            "the segments; null where it was not looked at."
        ),
    ] = NO_NUMBER
    adjusted_ci_low: Annotated[
        N,
        about(
            "Lower end of the adjusted interval, which leaves out 0 exactly where p_adjusted is at most alpha; null "
            "where there is no p, where the draws bound nothing at that level, and beside a test of the other side."
        ),
        at_most("adjusted_ci_high"),
    ] = NO_NUMBER
    adjusted_ci_high: Annotated[N, about("Its upper end.")] = NO_NUMBER
    adjusted_level: Annotated[
        P, about("The error rate at which this comparison was judged: the adjusted interval has 1 − it.")
    ] = NO_NUMBER
    default_verdict: Annotated[
        W,
        about("What the default test says of the same pair; null where the test is the default, or has no default."),
    ] = NOTHING
    default_winner: Annotated[M, about("The better system by the default test; else null.")] = NOTHING
    heaviest_share: Annotated[
        P, about("Share of the squared standard error that one document has by itself; null over segments.")
    ] = NO_NUMBER
    heaviest: Annotated[
        T,
        about("The id of that document; where none is known its number from 1, such as number 5; empty over segments."),
    ] = NO_TEXT
    without_heaviest: Annotated[N, about("The difference without that document.")] = NO_NUMBER


@dataclass(frozen=True, kw_only=True)
class HowJudged(Record):
    """How the comparisons of a family were judged."""

    level: Annotated[Level, about("Nominal coverage of the interval; 1 − level is alpha.")]
    test: Annotated[str, about("Significance test, by its name in the program.")]
    correction: Annotated[str, about("Correction for the number of comparisons, by its name.")]
    family_size: Annotated[Count, about("How many comparisons were judged together.")]
    unit: Annotated[str, about("What was drawn as a whole: segment, block (of consecutive segments) or document.")]
    alternative: Annotated[
        Literal["two-sided", "greater", "less"], about("two-sided, greater (the first is better) or less.")
    ] = "two-sided"
    estimand: Annotated[str, about("What the test asks.")] = ""
    is_quality_metric: Annotated[bool, about("Whether a better score claims a better translation.")] = True
    controls_type1: Annotated[bool, about("Whether the test errs as often as it says.")] = True
    decimals: Annotated[Decimals, about("Decimals in which scores are shown.")] = 2
    status: Annotated[Literal["planned", "exploratory"], about("planned: an analysis plan asked for it.")] = (
        "exploratory"
    )


@dataclass(frozen=True, kw_only=True)
class FamilyHeader(HowJudged, MetricRecord):
    """What is the same for all comparisons of a family."""

    higher_is_better: Annotated[bool, about("Whether a higher score is a better one.")] = True
    rated: Annotated[bool, about("Whether the metric is a rating, which stands on the segments that have one.")] = False
    complete: Annotated[bool, about("Whether all arrangements were enumerated.")] = False
    order: Annotated[tuple[SystemName, ...], about("The systems that take part, best score first.")] = ()


@dataclass(frozen=True, kw_only=True)
class FamilyHeading(FamilyHeader):
    """The header of a family as a file holds it: with the draws, which the test has where there is no file."""

    n_resamples: Annotated[Count, about("How often was drawn.")]
    seed: Annotated[Count, about("Seed of the draws.")]


PairColumns: TypeAlias = PairFields[
    Floats, Floats, Floats, Floats, Index, Mask, Texts, Texts, tuple[Word | None, ...], tuple[str | None, ...]
]
"""The fields of many pairs, as arrays and tuples."""
