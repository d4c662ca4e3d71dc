"""Decisions: pass, regression or inconclusive, from comparisons at the error rate of one interim test."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np

from mtsig._probability import t_critical
from mtsig._records import Count, Decimals, MetricRecord, Number, about
from mtsig.inference import Comparison, detectable_difference, smallest_detectable
from mtsig.inference._corrections import SLACK, Holm, adjusted_ends
from mtsig.inference._margins import one_more_document, within
from mtsig.inference._tests import known_test
from mtsig.inference._verdict import unit_cautions, verdict

Outcome = Literal["pass", "regression", "inconclusive"]

EXIT_CODES: Mapping[Outcome, int] = {"regression": 1, "inconclusive": 3, "pass": 0}
"""What a shell is told, the worst first; 2 is bad input, which has no outcome."""


@dataclass(frozen=True)
class GateCheck(MetricRecord):
    """The gate's decision by one metric."""

    higher_is_better: Annotated[bool, about("Whether higher scores are better.")]
    outcome: Annotated[Outcome, about("pass, regression or inconclusive.")]
    withheld_reason: Annotated[str, about("Why the data allow no verdict; empty if they allow one.")]
    difference: Annotated[
        Number, about("Candidate minus baseline. Negative if the candidate is worse, even if lower is better.")
    ]
    ci_low: Annotated[
        Number,
        about("Lower end of the confidence interval at the error rate of this look. Holm-corrected without a margin."),
    ]
    ci_high: Annotated[Number, about("Upper end of the confidence interval.")]
    standard_error: Annotated[Number, about("Jackknife standard error of the difference.")]
    df: Annotated[Number, about("Degrees of freedom of this standard error.")]
    p_value: Annotated[Number, about("Two-sided p-value of the test for a difference.")]
    p_adjusted: Annotated[Number, about("p-value after Holm's correction over the metrics; null if a margin is set.")]
    family_size: Annotated[Count, about("Number of metrics in the correction; 1 if a margin is set.")]
    margin: Annotated[Number, about("How many points worse the candidate may be; null if no margin is set.")]
    status: Annotated[
        Literal["planned", "exploratory"], about("planned if the gate follows an analysis plan, else exploratory.")
    ]
    detectable: Annotated[
        Number,
        about(
            "If there is a margin: the smallest margin that equal systems would pass with 80% power on such data. "
            "Without a margin: the true difference that would be detected with 80% power. Null if unknown."
        ),
    ]
    unmatched: Annotated[
        str,
        about(
            "Type of match that one of the systems does not have at all. The jackknife is then undefined, and the "
            "interval is that of the smoothed score (BLEU: 1 added to every count). Usually empty."
        ),
    ]
    test: Annotated[str, about("Name of the significance test.")]
    unit: Annotated[str, about("Sampling unit of the test.")]
    units: Annotated[Count, about("Number of sampling units.")]
    n_differing: Annotated[Count, about("Number of sampling units on which the two systems differ.")]
    n_resamples: Annotated[Count, about("Number of resamples or random swaps of the test; 0 if it uses none.")]
    decimals: Annotated[Decimals, about("Number of decimals in displayed scores.")] = 2
    heaviest_share: Annotated[
        Number, about("Largest share of one document in the variance of the difference; null if units are segments.")
    ] = float("nan")
    one_more: Annotated[
        Number,
        about("Lower bound if there were one more document like the most influential one; null if not computed."),
    ] = float("nan")
    caution: Annotated[str, about("Reason to be careful with the outcome; empty if there is none.")] = ""
    one_more_asked: Annotated[bool, about("Whether the bound with one more document was requested.")] = False

    @property
    def has_margin(self) -> bool:
        """Whether the candidate is tested against a margin."""
        return self.margin == self.margin


@dataclass(frozen=True)
class Compared:
    """One metric, ready to be judged: the candidate (first) against the baseline, whatever the level.

    doubt: why no margin can be judged, where more is known of that than the comparison knows. draws: of its test.
    one_more: whether a margin is passed only where one more document like the most influential would leave it passed.
    """

    comparison: Comparison
    higher_is_better: bool
    n_resamples: int
    data_caveat: str = ""
    margin: float | None = None
    one_more: bool = False


def decide(compared: Sequence[Compared], alpha: float, planned: bool) -> tuple[GateCheck, ...]:
    """Return what the gate says of every metric at this error rate.

    With a margin δ: regression ⇔ the interval's upper end < −δ, pass ⇔ its lower end > −δ, else inconclusive. Without:
    regression ⇔ significantly worse after Holm over the metrics without margin, else pass. If the data allow no
    verdict, the outcome is inconclusive, with the reason.
    """
    records = _by_holm([_at(item.comparison, alpha) for item in compared], [item.margin is None for item in compared])
    return tuple(_check(item, record, alpha, planned) for item, record in zip(compared, records, strict=True))


def _at(comparison: Comparison, alpha: float) -> Comparison:
    """Return the comparison with the jackknife's interval at this error rate: settings know no level above .9999."""
    middle, error = comparison.difference, comparison.standard_error
    if comparison.unmatched:
        middle, error = comparison.smoothed_difference, comparison.smoothed_error
    half = float(t_critical(alpha / 2, comparison.df)) * error
    return comparison.changed(ci_low=middle - half, ci_high=middle + half, interval="jackknife", level=1 - alpha)


def _by_holm(records: Sequence[Comparison], free: Sequence[bool]) -> list[Comparison]:
    """Return the comparisons with p by Holm over those that are free of a margin; the others have none."""
    nan, size = float("nan"), sum(free)
    columns: dict[str, Iterator[float]] = {}
    for name, into in (
        ("p_value", "p_adjusted"),
        ("p_mc_low", "p_adjusted_mc_low"),
        ("p_mc_high", "p_adjusted_mc_high"),
    ):
        p = np.array([getattr(row, name) for row, own in zip(records, free, strict=True) if own])
        # A metric without p stays in the family, as if its p were 1.
        columns[into] = iter(np.where(np.isnan(p), nan, Holm().adjusted(np.nan_to_num(p, nan=1.0))).tolist())
    # The jackknife that seconds an exchange is corrected together with the tests that nothing has to second.
    asked = [comparison for comparison, own in zip(records, free, strict=True) if own]
    second = [c.p_value if np.isnan(c.p_jackknife) else c.p_jackknife for c in asked]
    seconded = iter(Holm().adjusted(np.nan_to_num(np.array(second), nan=1.0)).tolist())
    by_holm = []
    for comparison, own in zip(records, free, strict=True):
        change: dict[str, Any] = {into: next(column) if own else nan for into, column in columns.items()}
        if own:
            p_second = next(seconded)
            change["p_jackknife"] = nan if np.isnan(comparison.p_jackknife) else p_second
        by_holm.append(
            comparison.changed(**change, correction="holm" if own else "none", family_size=size if own else 1)
        )
    return _at_levels(by_holm, free) if size > 1 else by_holm


def _at_levels(records: Sequence[Comparison], free: Sequence[bool]) -> list[Comparison]:
    """Return the comparisons, those by Holm with the interval at the level at which each was judged."""
    own = [record for record, judged in zip(records, free, strict=True) if judged]
    p, adjusted, difference, error, df = (
        np.array([getattr(record, name) for record in own])
        for name in ("p_value", "p_adjusted", "difference", "standard_error", "df")
    )
    level = Holm().levels(p, adjusted, own[0].alpha)
    half = t_critical(level / 2, df) * error
    ends = adjusted_ends(difference, half, adjusted <= own[0].alpha + SLACK, level)
    judged = iter(zip(ends.low.tolist(), ends.high.tolist(), strict=True))
    changed = []
    for record, by_holm in zip(records, free, strict=True):
        low, high = next(judged) if by_holm else (record.ci_low, record.ci_high)
        changed.append(record.changed(ci_low=low, ci_high=high) if record.has_p else record)
    return changed


def _check(compared: Compared, record: Comparison, alpha: float, planned: bool) -> GateCheck:
    margin, detectable, one_more = compared.margin, float("nan"), float("nan")
    outcome: Outcome
    if record.n_differing == 0:
        outcome, reason = "pass", ""
    elif margin is None:
        outcome, reason = _significantly_worse(record)
        result = smallest_detectable(record)
        detectable = detectable if result is None else result.difference
    else:
        outcome, reason = _against_margin(record, margin, compared.data_caveat)
        if compared.one_more:
            one_more = one_more_document(
                record.difference, record.standard_error, record.df, record.heaviest_share, alpha / 2
            )
            outcome = "inconclusive" if outcome == "pass" and not one_more > -margin else outcome
        if not reason:
            detectable = detectable_difference(record.standard_error, level=1 - alpha, df=record.df)
            detectable = float("nan") if detectable > record.widest else detectable
    return GateCheck(
        outcome=outcome,
        withheld_reason=reason,
        higher_is_better=compared.higher_is_better,
        margin=float("nan") if margin is None else margin,
        status="planned" if planned else "exploratory",
        detectable=detectable,
        n_resamples=compared.n_resamples,
        caution="" if reason or record.n_differing == 0 else "; ".join(unit_cautions(record)),
        one_more=one_more,
        one_more_asked=compared.one_more and margin is not None,
        **{name: getattr(record, name) for name in _TAKEN},
    )


_TAKEN = (
    "metric", "signature", "difference", "ci_low", "ci_high", "standard_error", "df", "p_value", "p_adjusted",
    "family_size",
    "unmatched", "test", "unit", "units", "n_differing", "decimals", "heaviest_share",
)  # fmt: skip


def _significantly_worse(comparison: Comparison) -> tuple[Outcome, str]:
    decided = verdict(comparison)
    if decided.word == "withheld":
        return "inconclusive", comparison.data_caveat or decided.withheld_reason or ""
    if decided.winner is None and (never := _nothing_to_find(comparison)):
        return "inconclusive", never
    return ("regression" if decided.winner == comparison.second else "pass"), ""


def _nothing_to_find(comparison: Comparison) -> str:
    """Return why no candidate could fail on so few units, however bad; "" where one could.

    Where few of many units differ the two are nearly the same, and that none is found is no wonder.
    """
    if not known_test(comparison.test).exchanges:
        return ""
    least = 2.0 ** (1 - comparison.units)
    if least <= comparison.alpha:
        return ""
    return (
        f"with {comparison.units} {comparison.unit}s, p is at least {least:.2g} for any candidate, so no difference "
        "can be significant"
    )


def _against_margin(comparison: Comparison, margin: float, doubt: str) -> tuple[Outcome, str]:
    if comparison.unmatched and not doubt:
        return _unmatched_against_margin(comparison, margin)
    if reason := within(comparison, margin, both=False, doubt=doubt).withheld_reason:
        return "inconclusive", reason
    if comparison.ci_high < -margin:
        return "regression", ""
    return ("pass" if comparison.ci_low > -margin else "inconclusive"), ""


def _unmatched_against_margin(comparison: Comparison, margin: float) -> tuple[Outcome, str]:
    """Judge a pair whose score has no derivative: by verdict, difference, and the interval of the smoothed score."""
    alone = comparison.changed(
        p_adjusted=comparison.p_value, p_adjusted_mc_low=comparison.p_mc_low, p_adjusted_mc_high=comparison.p_mc_high
    )
    decided = verdict(alone)
    if decided.word == "withheld":
        return "inconclusive", decided.withheld_reason or ""
    if decided.winner == comparison.second and max(comparison.difference, comparison.ci_high) < -margin:
        return "regression", ""
    better = decided.winner == comparison.first and comparison.ci_low > -margin
    return ("pass" if better else "inconclusive"), ""


def worst(checks: Sequence[GateCheck]) -> Outcome:
    """Return the outcome of all metrics together: the worst of them."""
    outcomes = {gate_check.outcome for gate_check in checks}
    return next(outcome for outcome in EXIT_CODES if outcome in outcomes)
