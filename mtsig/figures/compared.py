"""What figures say of one comparison, seen from one of its two systems: the word of the verdict, and all of it."""

import math
from collections.abc import Sequence

from mtsig.corpus import is_human, listed
from mtsig.figures.look import Verdict, shorts
from mtsig.inference import CAUTION, Comparison, ends_text, judged_level_text, level_text, p_text, points_text, verdict

LEGEND: dict[Verdict, str] = {
    "better": "better",
    "worse": "worse",
    "not separated": "≈ not separated (not: equal)",
    "undecided": "? undecided",
}
"""What legends call the verdicts, in their order."""


def word_of(comparison: Comparison, system: str) -> Verdict:
    """Return what the verdict says of one of its systems."""
    decided = verdict(comparison)
    if decided.word == "better":
        return "better" if decided.winner == system else "worse"
    return decided.word


def ahead(system: str, other: str, higher_is_better: bool, minus: str = "minus", by: str = "by") -> str:
    """Return what a difference is of, as labels say it: it is positive where the system is better, either way.

    Where lower is better that is no subtraction in the order of the names, and none is named.

    >>> from mtsig.figures.compared import ahead
    >>> ahead("A", "B", True, "−"), ahead("A", "B", False)
    ('A − B', 'by how much A is better than B')
    """
    if higher_is_better:
        return f"{system} {minus} {other}"
    return f"{by} how much {system} is better than {other}"


_MOST_LISTED = 5
"""Systems that a caption lists; of more it says how many."""


def without_text(begun: str, systems: Sequence[str]) -> str:
    """Return the sentence of a caption on systems that a panel leaves empty; nothing where there are none.

    >>> from mtsig.figures.compared import without_text
    >>> without_text("mqm has no score of", ["A", "B"])
    'mqm has no score of A and B.'
    """
    if not systems:
        return ""
    return f"{begun} {listed(shorts(systems)) if len(systems) <= _MOST_LISTED else f'{len(systems)} systems'}."


def people_text(names: Sequence[str]) -> str:
    """Return the sentence of a caption on human translations among systems; nothing where there are none, or no others.

    >>> from mtsig.figures.compared import people_text
    >>> people_text(["A", "refA"]), people_text(["A", "B"])
    (' Human translation: refA.', '')
    """
    people = [name for name in names if is_human(name)]
    if not 0 < len(people) < len(names):
        return ""
    return f" Human translation{'s' if len(people) > 1 else ''}: {listed(people)}."


def ends_of(comparison: Comparison, system: str) -> tuple[float, float, float]:
    """Return the difference, positive where the system is better than the other, and the ends of its interval."""
    if system == comparison.first:
        return comparison.difference, comparison.low, comparison.high
    return -comparison.difference, -comparison.high, -comparison.low


def adjusted_ends_of(comparison: Comparison, system: str) -> tuple[float, float]:
    """Return the ends of the interval that agrees with the verdict, seen as `ends_of`; NaN where there is none.

    A one-sided bound ends at the difference on its other side.
    """
    seen = comparison if system == comparison.first else comparison.turned
    low, high = seen.adjusted_ci_low, seen.adjusted_ci_high
    if math.isnan(low) and math.isnan(high):
        return low, high
    return (seen.difference if math.isnan(low) else low), (seen.difference if math.isnan(high) else high)


def lines_of(
    comparison: Comparison, system: str, higher_is_better: bool = True, metric: str | None = None
) -> tuple[str, ...]:
    """Return in lines what is known of the comparison.

    higher_is_better: the direction of the metric. metric: what the figure calls it; None: as the comparison does.
    """
    other = comparison.second if system == comparison.first else comparison.first
    names = shorts([system, other])
    gap, *ends = ends_of(comparison, system)
    difference = points_text(gap, comparison.decimals, signed=True)
    low, high = ends_text(ends[0], ends[1], comparison.decimals, signed=True)
    word = word_of(comparison, system)
    if word == "not separated":
        said = "≈ not separated, which does not mean equal"
    else:
        said = f"? undecided: {verdict(comparison).reason}" if word == "undecided" else f"{names[0]} is {word}"
    seen = comparison if system == comparison.first else comparison.turned
    adjusted = comparison.family_size > 1 and comparison.corrected and not math.isnan(comparison.adjusted_level)
    caution = verdict(comparison).caution
    return (
        f"{ahead(names[0], names[1], higher_is_better)}: {difference} {metric or comparison.metric}",
        *((_adjusted(seen),) if adjusted else ()),
        f"{level_text(comparison.level)} {'CI of this pair alone' if adjusted else 'interval'} {low} to {high}",
        _p_of(comparison),
        said,
        *([f"{CAUTION} caution: {caution}"] if caution else []),
    )


def _adjusted(seen: Comparison) -> str:
    low, high = ends_text(seen.adjusted_ci_low, seen.adjusted_ci_high, seen.decimals, signed=True)
    if math.isnan(seen.adjusted_ci_low) and math.isnan(seen.adjusted_ci_high):
        return "adjusted CI not bounded by so few draws"
    if math.isnan(seen.adjusted_ci_high):
        return f"adjusted CI at least {low}"
    if math.isnan(seen.adjusted_ci_low):
        return f"adjusted CI at most {high}"
    return f"adjusted CI {low} to {high} ({judged_level_text(seen.adjusted_level)})"


def _p_of(comparison: Comparison) -> str:
    if comparison.by_wins:
        return f"{comparison.wins:.1%} of resamples won, Koehn's criterion: {level_text(comparison.level)}"
    if math.isnan(comparison.p_adjusted):
        return "no p"
    count = comparison.family_size
    if not comparison.corrected:
        return f"{p_text(comparison.p_value)}, not corrected for {count:,} comparisons"
    return (
        f"{p_text(comparison.p_adjusted)} corrected for {count:,} comparisons, uncorrected {p_text(comparison.p_value)}"
    )
