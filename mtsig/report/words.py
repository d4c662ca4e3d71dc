"""Results in words: a sentence says the difference, its interval and its p-value, and never more than they do."""

from collections import Counter
from collections.abc import Iterable

import numpy as np

from mtsig.experiments import SizeCurves
from mtsig.inference import CORRECTIONS, Comparison, Family, Intervals, p_text, verdict


def interval_text(low: float, high: float, signed: bool = False) -> str:
    """Return "12.3 to 14.5", with signs for differences."""
    return f"{low:+.2f} to {high:+.2f}" if signed else f"{low:.2f} to {high:.2f}"


def verdict_text(one: Comparison) -> str:
    """Return the verdict on a comparison as one or two plain sentences with difference, interval and p-value."""
    decided = verdict(one)
    evidence = _evidence(one)
    if decided.word == "better":
        loser = one.second if decided.winner == one.first else one.first
        return f"{decided.winner} is better than {loser} by {abs(one.difference):.2f} {one.metric} {evidence}."
    ahead = one.first if one.difference >= 0 else one.second
    if decided.word == "not separated":
        if one.differing == 0:
            return f"Not separated: {one.first} and {one.second} have the same {one.metric} statistics everywhere."
        return (
            f"Not separated: these data do not tell {one.first} and {one.second} apart. {ahead} is ahead by "
            f"{abs(one.difference):.2f} {one.metric} {evidence}. This is no evidence that they are equal."
        )
    return (
        f"Undecided: {decided.reason}. {ahead} is ahead of {one.second if ahead == one.first else one.first} by "
        f"{abs(one.difference):.2f} {one.metric} {evidence}."
    )


def _evidence(one: Comparison) -> str:
    """Return interval and p-value in brackets, seen from the system that is ahead."""
    low, high = (one.low, one.high) if one.difference >= 0 else (-one.high, -one.low)
    parts = [f"{one.level:.0%} interval {interval_text(low, high, signed=True)}"]
    if one.significant is None:
        wins = one.wins if one.difference >= 0 else 1 - one.wins - one.ties
        parts.append(f"ahead on {wins:.1%} of resamples")
    elif one.of > 1 and one.correction != "none":
        parts.append(f"corrected {p_text(one.p_adjusted)} of {one.of} comparisons")
    elif one.of > 1:
        parts.append(f"{p_text(one.p_value)}, not corrected for {one.of} comparisons")
    else:
        parts.append(p_text(one.p_value))
    return f"({', '.join(parts)})"


def attainable_text(one: Comparison) -> str | None:
    """Return what p-values are possible at all when few units differ; None when there are enough."""
    if not 0 < one.differing <= 20:
        return None
    floor = 2.0 ** (1 - one.differing)
    return f"{one.differing} of {one.units} {one.unit}s differ; the smallest attainable p is {floor:.2g}."


def family_text(family: Family) -> str:
    """Return one sentence on the whole family: how many comparisons have which verdict, and how they were corrected."""
    words: Counter[str] = Counter(verdict(one).word for one in family)
    m = len(family)
    parts = [f"{words[word]} {text}" for word, text in _COUNTED if words[word]]
    return f"Of {m} comparison{'s' if m != 1 else ''} in {family.metric}: {', '.join(parts)} ({method_text(family)})."


_COUNTED = (("better", "separated"), ("not separated", "not separated"), ("undecided", "undecided"))


def method_text(family: Family) -> str:
    """Return test, unit, draws, seed, correction and alpha in a few words."""
    test, plan = family.test, family.plan
    how = [f"{test.label} over {family.statistics.unit}s"]
    if family.complete:
        how.append("all arrangements enumerated")
    else:
        how += ["exact p-values"] if family.exact.all() else []
        how += [f"{plan.n_draws:,} draws", f"seed {plan.seed}"]
    known = CORRECTIONS.get(family.correction)
    label = known.label if known else family.correction
    how.append("uncorrected" if family.correction == "none" else f"corrected by {label}")
    return f"{', '.join(how)}, α = {family.alpha:.3g}"


def ranking_text(intervals: Intervals) -> str:
    """Return one sentence on the best score; it claims nothing about differences."""
    best = intervals.order()[0]
    return (
        f"Highest {intervals.metric}: {intervals.systems[best]} with {intervals.estimate[best]:.2f} "
        f"({intervals.level:.0%} interval {interval_text(intervals.low[best], intervals.high[best])})."
        if intervals.higher_is_better
        else f"Lowest {intervals.metric}: {intervals.systems[best]} with {intervals.estimate[best]:.2f} "
        f"({intervals.level:.0%} interval {interval_text(intervals.low[best], intervals.high[best])})."
    )


def top_group_text(family: Family, intervals: Intervals) -> str:
    """Return one sentence on which systems the best-scoring one is not separated from."""
    best = intervals.systems[intervals.order()[0]]
    close = []
    for one in family:
        if best in (one.first, one.second) and verdict(one).word != "better":
            close.append(one.second if one.first == best else one.first)
    if not close:
        return f"{family.metric}: {best} is separated from every other system."
    return f"{family.metric}: {best} is not clearly separated from {_listed(close)}."


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def size_text(curves: SizeCurves) -> str:
    """Return one sentence on how wide the intervals are at the largest size and at half of it, by 1/√n."""
    largest = int(np.argmax(curves.units))
    width = float(np.nanmean(curves.half_width[largest]))
    what = f"the difference in {curves.metric}" if curves.is_difference else curves.metric
    average = "" if len(curves.labels) == 1 else " on average"
    return (
        f"With {curves.units[largest]} {curves.unit}s, {what} is known to ± {width:.2f}{average} "
        f"({curves.plan.level:.0%} interval). Widths follow 1/√n: half the test set gives ± {width * 2**0.5:.2f}, "
        f"twice the test set ± {width / 2**0.5:.2f}."
    )
