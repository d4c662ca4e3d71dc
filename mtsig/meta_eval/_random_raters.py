"""Judges as a source of chance: judgements of two systems go in; a verdict that holds for other judges comes out.

The difference of two means is judged by multiway cluster variance: by document or segment, by judge, minus by both
(Cameron, Gelbach and Miller 2011). It stands beside the tests of `mtsig.inference` and is none of them: these see sums
over segments, in which judges are averaged already.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Any

import numpy as np

from mtsig._probability import FEWEST_DF, check_level, satterthwaite_df, t_above, t_quantile
from mtsig._records import Count, Floats, Index, Level, Number, Record, Result, about
from mtsig.corpus import Judgements, Note
from mtsig.corpus._notes import number_of
from mtsig.errors import NotApplicable
from mtsig.inference._corrections import Holm
from mtsig.meta_eval._statistic import groups_of
from mtsig.metrics._statistics import Unit

FEWEST_JUDGES = FEWEST_DF + 1
"""Of equal load: fewer cannot stand for other judges."""


@dataclass(frozen=True)
class JudgedComparison(Record):
    """Two systems' means by people, with judges drawn by chance and, beside it, with these judges only."""

    first: Annotated[str, about("The first system.")]
    second: Annotated[str, about("The second system.")]
    difference: Annotated[
        Number, about("Mean of the first minus mean of the second; positive when the first is better.")
    ]
    ci_low: Annotated[Number, about("Lower end of its confidence interval, over other judges and other units.")]
    ci_high: Annotated[Number, about("Its upper end.")]
    standard_error: Annotated[Number, about("Its standard error, over other judges and other units.")]
    df: Annotated[Number, about("Degrees of freedom: those of judges or units, whichever are fewer.")]
    p_value: Annotated[Number, about("p of this comparison alone; null where the judges are too few.")]
    p_adjusted: Annotated[Number, about("p after Holm's correction for all comparisons made.")]
    fixed_low: Annotated[Number, about("With these judges only: lower end of the interval.")]
    fixed_high: Annotated[Number, about("With these judges only: its upper end.")]
    fixed_error: Annotated[Number, about("With these judges only: the standard error.")]
    fixed_df: Annotated[Number, about("With these judges only: degrees of freedom, of the units.")]
    fixed_p: Annotated[Number, about("With these judges only: p of this comparison alone.")]
    fixed_adjusted: Annotated[Number, about("With these judges only: p after Holm's correction.")]
    judges: Annotated[Count, about("Judges of these outputs.")]
    like_judges: Annotated[Number, about("Like how many judges of equal load they are.")]
    unit: Annotated[str, about("What units are: segment or document.")]
    units: Annotated[Count, about("How many units were judged for both systems.")]
    segments: Annotated[Count, about("How many segments were judged for both systems.")]
    level: Annotated[Level, about("Nominal coverage of the intervals.")]
    reason: Annotated[str, about("Why nothing can be said of other judges; empty where it can.")] = ""

    @property
    def winner(self) -> str | None:
        """The system that is better for other judges, too, by the corrected p; None where none is shown to be."""
        if not self.p_adjusted <= 1 - self.level + 1e-12:
            return None
        return self.first if self.difference > 0 else self.second


@dataclass(frozen=True, eq=False)
class JudgedComparisons(Result):
    """All pairs, corrected together by Holm."""

    comparisons: tuple[JudgedComparison, ...]
    notes: tuple[Note, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per pair."""
        return [comparison.row() | {"winner": comparison.winner} for comparison in self.comparisons]


def compare_with_random_judges(
    judgements: Judgements,
    names: Sequence[str],
    pairs: Sequence[tuple[str, str]] | None = None,
    *,
    higher_is_better: bool = True,
    documents: Sequence[str] | None = None,
    unit: Unit = "auto",
    level: float = 0.95,
) -> JudgedComparisons:
    """Return comparisons of systems' means by people, in which judges are drawn by chance as units are.

    The difference is that of the rating: the mean over the segments judged for both, an output's mean over its judges
    counting once. With ψ_i what judgement i adds to it, centred, V(g) = G/(G − 1) Σ (Σ_{i in g} ψ_i)² over G clusters,
    the variance is V(units) + V(judges) − V(units × judges), and never less than V(units): chance in judges cannot make
    a result more certain. Degrees of freedom are G − 1 of judges or of units, the fewer, less where loads are unequal
    (`satterthwaite_df`). Below four, five judges of equal load, nothing is said of other judges.

    Measured at .05 without any difference (5 and 8 judges, 1, 2 or 5 an output, equal and unequal loads, 500 sets each
    of 33 designs): 0 to .062; least where judges add nothing to chance.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.meta_eval._random_raters import compare_with_random_judges
    >>> rng = np.random.default_rng(1)
    >>> true = np.arange(3)[:, None] + rng.normal(size=(3, 40))
    >>> given = {name: true + shift + rng.normal(size=(3, 40)) for name, shift in (("Ann", 0), ("Bo", 1))}
    >>> judgements = Judgements.of(given)
    >>> compared = compare_with_random_judges(judgements, ["A", "B", "C"])
    >>> len(compared.comparisons)
    3

    Args:
        judgements: who gave which value; `Rating.judgements`.
        names: the systems, in the order of the rating's rows.
        pairs: (first, second) by name; all pairs of the systems that were judged when None.
        higher_is_better: the direction of the rating.
        documents: the document of each segment; units where at least ten have judgements.
        unit: "auto", "segment" or "document".
        level: coverage of the intervals.

    Raises:
        NotApplicable: no pair was judged on two common units.
    """
    check_level(level)
    if pairs is None:
        there = np.unique(judgements.system).tolist()
        pairs = [(names[x], names[y]) for x, y in combinations(there, 2)]
    rows, left_out = [], []
    for first, second in pairs:
        contrast = _Contrast.of(judgements, list(names).index(first), list(names).index(second), documents, unit)
        if contrast is None:
            left_out.append(f"{first} – {second}")
            continue
        rows.append(_row(contrast, first, second, 1 if higher_is_better else -1, level))
    if not rows:
        raise NotApplicable("No two systems were judged on two common segments: people's means cannot be compared.")
    for name, corrected in (("p_value", "p_adjusted"), ("fixed_p", "fixed_adjusted")):
        p = np.array([row[name] for row in rows])
        known = ~np.isnan(p)
        adjusted = np.full(len(p), np.nan)
        adjusted[known] = Holm().adjusted(p[known])
        for row, value in zip(rows, adjusted.tolist(), strict=True):
            row[corrected] = value
    text = f"Not compared, because hardly any segment was judged for both: {', '.join(left_out)}."
    notes = (Note("warning", text),) if left_out else ()
    return JudgedComparisons(tuple(JudgedComparison(**row) for row in rows), notes)


@dataclass(frozen=True, eq=False)
class _Contrast:
    """One pair's judgements: what each adds to the difference, its unit, its judge and its weight."""

    difference: float
    moved: Floats
    weight: Floats
    unit: str
    group: Index
    judge: Index
    segments: int

    @classmethod
    def of(
        cls, judgements: Judgements, first: int, second: int, documents: Sequence[str] | None, unit: Unit
    ) -> "_Contrast | None":
        shared = np.intersect1d(
            judgements.segment[judgements.system == first], judgements.segment[judgements.system == second]
        )
        of_both = np.isin(judgements.system, [first, second]) & np.isin(judgements.segment, shared)
        own = judgements.where(of_both)
        if len(shared) < 2:
            return None
        groups = groups_of(own, documents, unit)
        if groups.count < 2:
            return None
        is_first = own.system == first
        # An output's judges count alike, and so do the values of a judge who saw it more than once.
        cell = own.segment.astype(np.int64) * 2 + is_first
        _, cell = np.unique(cell, return_inverse=True)
        _, seen = np.unique(cell * len(own.judges) + own.judge, return_inverse=True)
        values_of_judge = np.bincount(seen)[seen]
        judges_of_cell = np.bincount(cell, 1 / values_of_judge)[cell]
        weight = 1 / (values_of_judge * judges_of_cell * len(shared))
        means = np.bincount(is_first.astype(np.int64), weight * own.value, minlength=2)
        moved = weight * (own.value - means[is_first.astype(np.int64)]) * np.where(is_first, 1, -1)
        _, judge = np.unique(own.judge, return_inverse=True)
        return cls(float(means[1] - means[0]), moved, weight, groups.unit, groups.of, judge, len(shared))

    def variance(self, clusters: Index) -> float:
        """Return G/(G − 1) times the sum over G clusters of the square of what they add."""
        count = int(clusters.max()) + 1
        return count / (count - 1) * float(np.square(np.bincount(clusters, self.moved)).sum())


def _row(contrast: _Contrast, first: str, second: str, sign: int, level: float) -> dict[str, Any]:
    units, judges = int(contrast.group.max()) + 1, int(contrast.judge.max()) + 1
    fixed_df = satterthwaite_df(np.bincount(contrast.group, contrast.weight))
    fixed = float(np.sqrt(contrast.variance(contrast.group)))
    judges_df = satterthwaite_df(np.bincount(contrast.judge, contrast.weight)) if judges > 1 else 0.0
    difference, error, reason = sign * contrast.difference, float("nan"), ""
    # What rounding leaves of equal loads is no fraction of a judge.
    if round(judges_df, 6) < FEWEST_DF:
        loads = "" if judges < FEWEST_JUDGES else f", like {judges_df + 1:.1f} of equal load"
        reason = f"{number_of(judges, 'judge')}{loads}: {FEWEST_JUDGES} at least can stand for other judges"
    else:
        _, both = np.unique(contrast.group * judges + contrast.judge, return_inverse=True)
        variance = contrast.variance(contrast.judge) - contrast.variance(both)
        error = float(np.sqrt(fixed**2 + max(0.0, variance)))
    df = min(fixed_df, judges_df)
    low, high, p = _judged(difference, error, df, level)
    fixed_low, fixed_high, fixed_p = _judged(difference, fixed, fixed_df, level)
    return {
        "first": first, "second": second, "difference": difference, "ci_low": low, "ci_high": high, "standard_error":
        error,
        "df": df, "p_value": p, "fixed_low": fixed_low, "fixed_high": fixed_high, "fixed_error": fixed,
        "fixed_df": fixed_df, "fixed_p": fixed_p, "judges": judges, "like_judges": judges_df + 1,
        "unit": contrast.unit, "units": units, "segments": contrast.segments, "level": level, "reason": reason,
    }  # fmt: skip


def _judged(difference: float, error: float, df: float, level: float) -> tuple[float, float, float]:
    """Return the ends of the t interval, and p; NaN where the error is not known or 0."""
    if not error > 1e-12 * abs(difference):
        return float("nan"), float("nan"), float("nan")
    half = float(t_quantile((1 + level) / 2, df)) * error
    return difference - half, difference + half, 2 * float(t_above(abs(difference) / error, df))
