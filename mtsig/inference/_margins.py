"""Margins: test whether the difference of each pair is within a margin, or say why the data do not allow it."""

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta

from mtsig._probability import Alternative, t_above, t_below, t_critical, t_quantile
from mtsig._records import Count, Decimals, Estimates, MetricRecord, Probability, Record, about, flag, number, text
from mtsig._results import Public
from mtsig.corpus import Note
from mtsig.corpus._notes import MIN_DOCUMENTS, number_of
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference import _corrections, _family, _fields, _targets, _verdict
from mtsig.inference._verdict import spread_unknown, ungrounded
from mtsig.metrics import Statistics
from mtsig.metrics._statistics import Unit
from mtsig.resampling import Bootstrap


def kin_doubt(statistics: Statistics, first: str, second: str) -> str:
    """Return why no margin is tested if one of two systems overlaps a reference; "" if neither does."""
    kinship = next((kinship for kinship in statistics.kinships if kinship.concerns(first, second)), None)
    return "" if kinship is None else f"{kinship.kin.fact}; test the margin against the other references only"


def pilot_of(statistics: Statistics, first: str, second: str, unit: Unit) -> _targets.Pairs:
    """Return a pair of systems as targets, on the units that both systems have."""
    shared = statistics.at(unit).shared_by([first, second]) if first != second else statistics.at(unit)
    if shared.unit == "document" and shared.n < MIN_DOCUMENTS and statistics.unit != "document":
        raise NotApplicable(
            f"Only {shared.n} documents are known for both {first} and {second}: too few for document-level inference, "
            f"which needs at least {MIN_DOCUMENTS}. Use the segment as the unit."
        )
    return _targets.pairs_of(_targets.Scores(shared, Bootstrap(unit=unit)), [(first, second)])


def pair_cautions(statistics: Statistics, first: str, second: str, unit: Unit) -> tuple[Note, ...]:
    """Return cautions on conclusions from the units of a pair."""
    return tuple(_targets.cautions(pilot_of(statistics, first, second, unit)))


def spread_of(pairs: _targets.Pairs) -> tuple[float, float]:
    """Return the standard error of the pair's difference, and its degrees of freedom."""
    why = unspread(pairs) or _targets.too_unequal(pairs)[0]
    if why:
        raise NotApplicable(
            f"{' and '.join(pairs.labels[0])}: {why}. So neither power nor the required size can be computed."
        )
    return float(pairs.standard_error[0]), float(pairs.df[0])


def unspread(pairs: _targets.Pairs) -> str:
    """Return why the pair's standard error is not valid; "" if it is."""
    unit, units, differing = pairs.statistics.unit, int(pairs.units[0]), int(pairs.n_differing[0])
    return spread_unknown(unit, units, differing, float(pairs.standard_error[0]))


@dataclass(frozen=True)
class Equivalence(Public):
    """A test that two systems differ by less than a margin fixed in advance.

    p_value: that of the larger of the two one-sided tests (TOST), or of the one test for non-inferiority. ci_low,
    ci_high: the interval at level 1 − 2 alpha that belongs to the test. withheld_reason: why the data allow no verdict;
    p_value and both ends are then NaN. It is "" if a verdict is given. uneven: whether documents of such unequal length
    let one-sided tests exceed their nominal error rate.
    """

    kind: Literal["equivalence", "non-inferiority"]
    margin: float
    difference: float
    ci_low: float
    ci_high: float
    p_value: float
    alpha: float
    withheld_reason: str = ""
    uneven: bool = False

    @property
    def established(self) -> bool | None:
        """Whether the claim is established at alpha; None if withheld."""
        return None if self.withheld_reason else self.p_value <= self.alpha


@dataclass(frozen=True, eq=False, kw_only=True)
class MarginColumns(_fields.PairEstimate):
    """Columns of a margin result: values that differ between pairs."""

    ci_low = number("Lower end of the confidence interval at level 1 − 2 alpha.", at_most="ci_high")
    ci_high = number("Upper end of the confidence interval.")
    p_value = number("Uncorrected p-value.", Probability)
    p_adjusted = number("p-value corrected by Holm's method for all pairs compared on the metric.", Probability)
    withheld_reason = text("Why the data allow no verdict; empty if they allow one.")
    adjusted_ci_low = number(
        "Lower end of the adjusted confidence interval. The interval lies within the margin exactly if the claim is "
        "established."
    )
    adjusted_ci_high = number("Its upper end.")
    adjusted_level = number(
        "Confidence level of the adjusted interval: 1 minus twice the one-sided error rate at which it was tested."
    )
    uneven = flag("Whether documents are so unequal that one-sided tests have too many false positives.")
    one_more_low = number("Lower bound with one more document (or block) like the most influential one; on request.")
    one_more_high = number("Upper bound with this additional document (or block); null for non-inferiority.")


@dataclass(frozen=True, kw_only=True)
class HowHeld(Record):
    """How the pairs of a family were tested against a margin."""

    kind: Annotated[Literal["equivalence", "non-inferiority"], about("equivalence or non-inferiority.")]
    margin: Annotated[float, Meta(gt=0), about("The margin, in points of the metric.")]
    alpha: Annotated[float, Meta(gt=0, le=0.5), about("Error rate.")]
    family_size: Annotated[Count, about("Number of comparisons corrected together.")]
    decimals: Annotated[Decimals, about("Number of decimals in displayed scores.")] = 2
    one_more_asked: Annotated[
        bool, about("Whether the claim must also hold with one more document like the most influential one against it.")
    ] = False
    status: Annotated[
        Literal["planned", "exploratory"], about("planned if an analysis plan asks for it, else exploratory.")
    ] = "exploratory"


@dataclass(frozen=True, kw_only=True)
class MarginHeader(HowHeld, MetricRecord):
    """Header of a margin result: values that all pairs share."""


@dataclass(frozen=True)
class MarginShown(Record):
    """Conclusion from a pair tested against a margin."""

    established: Annotated[bool | None, about("Whether the claim is established at alpha (corrected), or null.")]


@dataclass(frozen=True, kw_only=True)
class MarginResult(HowHeld, MarginColumns, MetricRecord):
    """One pair tested against a margin, corrected by Holm over all pairs of its metric and margin."""

    @property
    def established(self) -> bool | None:
        """Whether the claim is established at alpha, after correction; None if withheld."""
        return None if self.withheld_reason else bool(self.p_adjusted <= self.alpha) and self.holds_with_one_more

    @property
    def holds_with_one_more(self) -> bool:
        """Whether the claim still holds with one more document like the most influential, or this was not required."""
        below = self.kind == "non-inferiority" or self.one_more_high < self.margin
        return not self.one_more_asked or (self.one_more_low > -self.margin and below)

    def row(self) -> dict[str, Any]:
        """Return the fields by name, and whether the claim is established."""
        return {**super().row(), "established": self.established}


@dataclass(frozen=True, eq=False, kw_only=True)
class Margins(MarginColumns, Estimates[MarginHeader, MarginResult]):
    """m pairs of systems tested against one margin by one metric."""

    called = "margin"
    of_header = MarginHeader
    of_heading = MarginHeader
    of_rows = MarginResult
    of_derived = MarginShown

    @property
    def derived(self) -> tuple[MarginShown, ...]:
        """Whether each claim is established."""
        return tuple(MarginShown(row.established) for row in self)

    def __repr__(self) -> str:
        """Return the comparison with the margin, in one line."""
        return f"<Margins in {self.metric}: {number_of(len(self), 'pair')}, {self.header.kind}>"


def against_margin(family: _family.Family, margin: float, *, both: bool, one_more: bool = False) -> Margins:
    """Return every pair tested against a margin, corrected by Holm; an undefined p-value counts as 1."""
    doubts_of = [kin_doubt(family.statistics, comparison.first, comparison.second) for comparison in family]
    if one_more and family.unit == "segment":
        doubts_of = [doubt or _NO_DOCUMENTS for doubt in doubts_of]
    results = [
        within(comparison, margin, both=both, doubt=doubt) for comparison, doubt in zip(family, doubts_of, strict=True)
    ]
    p = np.array([result.p_value for result in results])
    adjusted = np.where(np.isnan(p), np.nan, _corrections.Holm().adjusted(np.where(np.isnan(p), 1.0, p)))
    levels = _corrections.Holm().levels(p, adjusted, family.alpha)
    half = t_critical(levels, family.df) * family.standard_error
    known = zip(family.difference, family.standard_error, family.df, family.heaviest_share, levels, strict=True)
    asked = [one_more and not result.withheld_reason for result in results]
    bounds = np.array([
        [one_more_document(*own, claim) if ask and (both or claim == "greater") else np.nan
         for claim in ("greater", "less")]
        for ask, own in zip(asked, known, strict=True)
    ])  # fmt: skip
    judged = {
        name: [getattr(result, name) for result in results]
        for name in ("ci_low", "ci_high", "withheld_reason", "uneven")
    }
    columns = Margins.columns(
        len(family),
        metric=family.metric, signature=family.signature, kind="equivalence" if both else "non-inferiority",
        margin=float(margin), alpha=family.alpha, family_size=len(family), decimals=family.header.decimals,
        one_more_asked=one_more, first=family.first, second=family.second, difference=family.difference, p_value=p,
        p_adjusted=adjusted, adjusted_ci_low=family.difference - half, adjusted_ci_high=family.difference + half,
        adjusted_level=1 - 2 * levels, one_more_low=bounds[:, 0], one_more_high=bounds[:, 1], **judged,
    )  # fmt: skip
    return Margins(**columns)


_NO_DOCUMENTS = "adding one more document like the most influential needs documents as units, but these are segments"


def equivalence(
    statistics: Statistics, first: str, second: str, margin: float, *, level: float = 0.95, unit: Unit = "auto"
) -> Equivalence:
    """Test whether the difference is within ±margin, by two one-sided t tests.

    Raises
    ------
    InvalidOption
        The margin is not positive.
    NotApplicable
        The unit is documents, and both systems have too few known documents in common.

    Examples
    --------
    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> from mtsig.inference import equivalence
    >>> equivalence(statistics, "direct", "direct-us", 3.0).established
    True
    """
    return _one_sided(statistics, first, second, margin, level, unit, both=True)


def non_inferiority(
    statistics: Statistics, first: str, second: str, margin: float, *, level: float = 0.95, unit: Unit = "auto"
) -> Equivalence:
    """Test whether the first system is worse by less than a margin (one-sided t).

    Raises
    ------
    InvalidOption
        The margin is not positive.
    NotApplicable
        The unit is documents, and both systems have too few known documents in common.

    Examples
    --------
    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> from mtsig.inference import non_inferiority
    >>> non_inferiority(statistics, "direct-us", "direct", 3.0).established
    True
    """
    return _one_sided(statistics, first, second, margin, level, unit, both=False)


def _one_sided(
    statistics: Statistics, first: str, second: str, margin: float, level: float, unit: Unit, *, both: bool
) -> Equivalence:
    _check_margin(margin)
    pairs = pilot_of(statistics, first, second, unit)
    doubt = kin_doubt(statistics, first, second) or _targets.doubts(pairs)[0].said
    reason = ungrounded(pairs.statistics.unit, int(pairs.units[0]), doubt) or unspread(pairs)
    difference, error, df = float(pairs.estimate[0]), float(pairs.standard_error[0]), float(pairs.df[0])
    unlike = uneven(pairs.statistics.unit, float(pairs.heaviest[0, 0]), df)
    return replace(_judged(difference, error, df, margin, level, reason, both=both), uneven=unlike)


def within(comparison: _verdict.Comparison, margin: float, *, both: bool, doubt: str = "") -> Equivalence:
    """Return equivalence (`both`) or non-inferiority of a comparison by its own standard error."""
    _check_margin(margin)
    reason = ungrounded(comparison.unit, comparison.units, doubt or comparison.data_caveat)
    reason = reason or spread_unknown(
        comparison.unit, comparison.units, comparison.n_differing, comparison.standard_error
    )
    judged = _judged(
        comparison.difference, comparison.standard_error, comparison.df, margin, comparison.level, reason, both=both
    )
    return replace(judged, uneven=uneven(comparison.unit, comparison.heaviest_share, comparison.df))


FLAGGED = 0.5
"""From this share of a pair's spread on one document is named beside the verdict: as information, never as a bar."""

UNEQUAL, FEW = 0.2, 20
"""One-sided claims on documents erred most where one has more than this share, or ν is below 20."""


def uneven(unit: str, share: float, df: float) -> bool:
    """Return whether a one-sided claim on such documents is unsafe (docs/statistics/documents.md, section 4)."""
    return unit != "segment" and (share > UNEQUAL or df < FEW)


def one_more_document(
    difference: float, error: float, df: float, share: float, tail: float, claim: Alternative = "greater"
) -> float:
    """Return the bound d − max|c| − t_{1−tail,ν}·√(SE² + max c²), max c² = share·SE²; mirrored for "less"."""
    bound = float(error * (np.sqrt(share) + t_critical(tail, df) * np.sqrt(1 + share)))
    return difference + bound if claim == "less" else difference - bound


def _check_margin(margin: float) -> None:
    if not 0 < margin < np.inf:
        raise InvalidOption(f"The margin must be a positive number of points; found {margin:g}.")


def _judged(
    difference: float, error: float, df: float, margin: float, level: float, reason: str, *, both: bool
) -> Equivalence:
    nan = float("nan")
    low, high, p = (nan, nan, nan) if reason else t_equivalence(difference, error, df, margin, level, both=both)
    kind: Literal["equivalence", "non-inferiority"] = "equivalence" if both else "non-inferiority"
    return Equivalence(kind, margin, difference, low, high, p, 1 - level, reason)


def t_equivalence(
    difference: float, error: float, df: float, margin: float, level: float, *, both: bool
) -> tuple[float, float, float]:
    """Return the ends of the 1 − 2 alpha interval and the p-value of the one-sided t tests against ±margin."""
    half = float(t_quantile(level, df)) * error
    above = float(t_above((difference + margin) / error, df))
    below = float(t_below((difference - margin) / error, df))
    return difference - half, difference + half, max(above, below) if both else above
