"""One comparison in words: its verdict, interval, cautions, and what stands beside them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mtsig._probability import ends_text, judged_level_text, level_text, t_quantile
from mtsig._probability import points_text as points_text
from mtsig.corpus._notes import number_of as number_of
from mtsig.inference import CORRECTIONS, Comparison, Equivalence, Family, p_text, smallest_detectable, verdict
from mtsig.inference._audit import Audited
from mtsig.inference._family import least_attainable
from mtsig.inference._margins import FLAGGED, uneven
from mtsig.inference._significance import known_test


def interval_text(low: float, high: float, signed: bool = False, decimals: int = 2) -> str:
    """Return "12.34 to 14.56", with signs for differences; "none" where there is no interval (NaN).

    >>> from mtsig.report._say import interval_text
    >>> interval_text(0.217, 0.733, signed=True), interval_text(float("nan"), float("nan"))
    ('+0.22 to +0.73', 'none')
    """
    if np.isnan(low):
        return "none"
    if signed:
        return " to ".join(ends_text(low, high, decimals, signed))
    return f"{points_text(low, decimals)} to {points_text(high, decimals)}"


def range_text(low: int, high: int) -> str:
    """Return a range of whole numbers, as of places or units: one number where both ends are the same.

    >>> range_text(1, 3), range_text(2, 2)
    ('1–3', '2')
    """
    return str(low) if low == high else f"{low}–{high}"


def units_text(units: Sequence[int] | NDArray[np.int64], unit: str) -> str:
    """Return how many units something stands on: "1,000 segments", or "770 to 906 segments" where that differs.

    >>> units_text([104, 96], "document"), units_text([1], "segment")
    ('96 to 104 documents', '1 segment')
    """
    low, high = min(units), max(units)
    if low == high:
        return number_of(low, unit, ",")
    return f"{low:,} to {high:,} {unit}s"


Planned = bool | None
"""Whether an analysis plan fixed it; None where nothing is known of a plan."""

_DECLARED = {
    None: "declared by the user",
    True: "fixed in the analysis plan",
    False: "chosen without an analysis plan",
}


def verdict_text(comparison: Comparison, planned: Planned = None) -> str:
    """Return the verdict on a comparison as one or two plain sentences with difference, interval and p-value.

    >>> import mtsig
    >>> from mtsig.report import verdict_text
    >>> family = mtsig.Settings(n_resamples=500).family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> print(verdict_text(family[0]))  # doctest: +NORMALIZE_WHITESPACE
    direct is better than direct-us by 0.53 chrF2 (adjusted CI 0.26 to 0.80, adjusted p = .0001, 10 comparisons).
    """
    decided = verdict(comparison)
    evidence = evidence_text(comparison, planned)
    caution = caution_text(comparison)
    if decided.word == "better":
        loser = comparison.second if decided.winner == comparison.first else comparison.first
        if comparison.by_wins:
            return (
                f"{decided.winner} is significantly better than {loser} by this test: it wins {comparison.wins:.1%} of "
                f"resamples (Koehn's criterion: {level_text(comparison.level)}). The difference is "
                f"{_points(comparison)} {evidence}.{caution}{_of_units(comparison)}"
            )
        how = unmatched_text(comparison)
        better = f"{decided.winner} is better than {loser} by {_points(comparison)} {evidence}."
        return f"{better}{how and f' {how}'}{caution}{_of_units(comparison)}"
    ahead = comparison.first if comparison.difference >= 0 else comparison.second
    if decided.word == "not_significant":
        if comparison.n_differing == 0:
            return (
                f"Not separated: {comparison.first} and {comparison.second} have the same {comparison.metric} "
                "statistics everywhere."
            )
        return (
            f"Not separated: these data do not tell {comparison.first} and {comparison.second} apart. {ahead} is ahead "
            "by "
            f"{_points(comparison)} {evidence}. This is no evidence that they are equal."
            f"{_detectable(comparison)}{caution}{_of_units(comparison)}"
        )
    return (
        f"Withheld: {decided.why}. {ahead} is ahead of "
        f"{comparison.second if ahead == comparison.first else comparison.first} by "
        f"{_points(comparison)} {evidence}.{_of_units(comparison)}"
    )


def unmatched_text(comparison: Comparison) -> str:
    """Return how a comparison was judged whose score has no derivative; nothing for others.

    >>> import mtsig
    >>> from mtsig.report._say import unmatched_text
    >>> corpus = mtsig.read_sample().take(range(30))
    >>> broken = mtsig.Corpus.of(
    ...     {"A": corpus.lines("direct"), "B": [""] * 30}, {"ref": next(iter(corpus.references.values()))}
    ... )
    >>> family = mtsig.Settings(n_resamples=500).family(mtsig.measure(broken, "bleu"))
    >>> print(unmatched_text(family[0]))  # doctest: +NORMALIZE_WHITESPACE
    'B' has no 1-gram match, so its BLEU has no standard error: judged by exchange of segments and by the jackknife on
    BLEU with one added to every count (+16.94, 95% interval +12.36 to +21.51).
    """
    if not comparison.unmatched or not comparison.smoothed_error > 0:
        return ""
    sign = 1 if comparison.difference >= 0 else -1
    difference = sign * comparison.smoothed_difference
    half = float(t_quantile((1 + comparison.level) / 2, comparison.df)) * comparison.smoothed_error
    ends = interval_text(difference - half, difference + half, True, comparison.decimals)
    added = " with one added to every count" if comparison.smoothed_difference != comparison.difference else ""
    return (
        f"{comparison.unmatched}, so its {comparison.metric} has no standard error: judged by exchange of "
        f"{comparison.unit}s and by the jackknife on {comparison.metric}{added} "
        f"({points_text(difference, comparison.decimals, True)}, {level_text(comparison.level)} interval {ends})."
    )


def caution_text(comparison: Comparison) -> str:
    """Return why to doubt the verdict of a test that was asked for, and what the default test says; "" for the default.

    >>> import mtsig
    >>> from mtsig.report._say import caution_text
    >>> settings = mtsig.Settings(test="bootstrap-koehn", n_resamples=500)
    >>> family = settings.family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> print(caution_text(family[0]).strip())  # doctest: +NORMALIZE_WHITESPACE
    Caution: with the criterion of 95% it finds a difference in 10 to 15 of 100 cases without any difference. By the
    default test direct is better.
    """
    decided, default = verdict(comparison), comparison.default_verdict
    said = f" Caution: {decided.caution}." if decided.caution else ""
    if default is None or not (said or (default, comparison.default_winner) != (decided.word, decided.winner)):
        return said
    by_default = {
        "better": f"{comparison.default_winner} is better",
        "not_significant": "the two do not differ significantly",
        "withheld": "the verdict is withheld",
    }
    return f"{said} By the default test {by_default[default]}."


UNEVEN = "One-sided claims on documents of very unequal weight erred in up to 19 of 100 cases at a nominal 2.5."
"""What ends every one-sided claim on such documents."""


def heaviest_text(comparison: Comparison) -> str:
    """Return which document holds half of a pair's spread or more, and the difference without it; else nothing."""
    if not comparison.heaviest_share >= FLAGGED:
        return ""
    which = f"One {comparison.unit}{f' ({comparison.heaviest})' if comparison.heaviest else ''}"
    without = points_text(comparison.without_heaviest, comparison.decimals, signed=True)
    return (
        f"{which} holds {comparison.heaviest_share:.0%} of this pair's spread; without it the difference is {without}."
    )


def _of_units(comparison: Comparison) -> str:
    """Return what must be known of the documents behind a verdict, each sentence after a space; mostly nothing."""
    one_sided = comparison.alternative != "two-sided"
    unlike = one_sided and uneven(comparison.unit, comparison.heaviest_share, comparison.df)
    return "".join(f" {text}" for text in (heaviest_text(comparison), UNEVEN if unlike else "") if text)


def _points(comparison: Comparison) -> str:
    """Return the size of the difference: "0.47 BLEU"."""
    return f"{points_text(abs(comparison.difference), comparison.decimals)} {comparison.metric}"


def adjusts(comparison: Comparison | Family) -> bool:
    """Return whether the interval that agrees with the verdict is another than that of the pair alone.

    >>> import mtsig
    >>> from mtsig.report._say import adjusts
    >>> settings, statistics = mtsig.Settings(n_resamples=200), mtsig.measure(mtsig.read_sample(), "bleu")
    >>> adjusts(settings.family(statistics)), adjusts(settings.family(statistics, [("direct", "via-catalan")]))
    (True, False)
    """
    # Where no pair has a p there is no adjusted interval.
    known = not np.all(np.isnan(comparison.adjusted_level))
    return comparison.family_size > 1 and comparison.corrected and known


def ci_name(comparison: Comparison | Family) -> str:
    """Return what the interval that agrees with the verdict is called: "adjusted CI", or "95% CI" of one comparison.

    >>> import mtsig
    >>> from mtsig.report._say import ci_name
    >>> settings, statistics = mtsig.Settings(n_resamples=200), mtsig.measure(mtsig.read_sample(), "bleu")
    >>> ci_name(settings.family(statistics)), ci_name(settings.family(statistics, [("direct", "via-catalan")]))
    ('adjusted CI', '95% CI')
    """
    return "adjusted CI" if adjusts(comparison) else f"{level_text(comparison.level)} CI"


def ci_text(comparison: Comparison, signed: bool = False) -> str:
    """Return the interval that agrees with the verdict; a one-sided claim has one bound.

    Without a p it is that of the pair alone; where so few draws bound nothing at its level it says so.

    >>> import mtsig
    >>> from mtsig.report._say import ci_text
    >>> family = mtsig.Settings(n_resamples=500).family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> ci_text(family.pair("direct", "via-catalan"))
    '1.07 to 3.78'
    """
    low, high, decimals = comparison.adjusted_ci_low, comparison.adjusted_ci_high, comparison.decimals
    if np.isnan(comparison.adjusted_level):
        low, high = comparison.ci_low, comparison.ci_high
        return "none" if np.isnan(low) else " to ".join(ends_text(low, high, decimals, signed))
    if np.isnan(low) and np.isnan(high):
        return "not bounded by so few draws"
    least, most = ends_text(low, high, decimals, signed)
    if np.isnan(high):
        return f"at least {least}"
    return f"at most {most}" if np.isnan(low) else f"{least} to {most}"


def alone_text(comparison: Comparison) -> str:
    """Return why the interval of a pair alone leaves out 0 and the adjusted one does not; "" where that is not so.

    >>> import mtsig
    >>> from mtsig.report._say import alone_text
    >>> family = mtsig.Settings(n_resamples=200).family(mtsig.measure(mtsig.read_sample().take(range(100)), "bleu"))
    >>> print(alone_text(family.pair("direct-us", "direct")))  # doctest: +NORMALIZE_WHITESPACE
    The 95% interval of this pair alone (−1.10 to −0.10) excludes 0, but the pair is one of 10 comparisons, among which
    some interval would exclude 0 by luck in more than 5% of such data: the verdict follows the wider adjusted CI
    (−1.38 to +0.19), which does not.
    """
    if not adjusts(comparison) or verdict(comparison).word != "not_significant":
        return ""
    if not (comparison.ci_low > 0 or comparison.ci_high < 0):
        return ""
    alone = interval_text(comparison.ci_low, comparison.ci_high, True, comparison.decimals)
    return (
        f"The {level_text(comparison.level)} interval of this pair alone ({alone}) excludes 0, but the pair is one of "
        f"{comparison.family_size:,} comparisons, among which some interval would exclude 0 by luck in more than "
        f"{100 * (1 - comparison.level):.3g}% of such data: the verdict follows the wider adjusted CI "
        f"({ci_text(comparison, signed=True)}), which does not."
    )


def adjusted_text(family: Family) -> str:
    """Return the footnote of adjusted intervals, with the levels at which pairs were judged; nothing without any.

    >>> import mtsig
    >>> from mtsig.report._say import adjusted_text
    >>> family = mtsig.Settings(n_resamples=500).family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> print(adjusted_text(family))  # doctest: +NORMALIZE_WHITESPACE
    Adjusted CIs have the level at which each pair was judged (here 95% to 99.5%), so a CI excludes 0 exactly when the
    difference is significant.
    """
    levels = family.adjusted_level[~np.isnan(family.adjusted_level)]
    if not adjusts(family) or not len(levels):
        return ""
    said = dict.fromkeys(judged_level_text(float(end)) for end in (levels.max(), levels.min()))
    return (
        f"Adjusted CIs have the level at which each pair was judged (here {' to '.join(said)}), so a CI excludes 0 "
        "exactly when the difference is significant."
    )


def evidence_text(comparison: Comparison, planned: Planned = None) -> str:
    """Return interval and p-value in brackets, seen from the system that is ahead."""
    shown = comparison if comparison.difference >= 0 else comparison.turned
    if comparison.unmatched:
        ends = interval_text(shown.ci_low, shown.ci_high, True, comparison.decimals)
        parts = [f"{level_text(comparison.level)} percentile interval {ends}"]
    else:
        parts = [f"{ci_name(comparison)} {ci_text(shown)}"]
    if not comparison.has_p:
        wins = (
            comparison.bootstrap_win_rate
            if comparison.difference >= 0
            else 1 - comparison.bootstrap_win_rate - comparison.tie_rate
        )
        criterion = f"; Koehn's criterion: {level_text(comparison.level)}" if comparison.by_wins else ""
        parts.append(f"ahead on {wins:.1%} of resamples{criterion}")
    elif comparison.family_size > 1 and comparison.corrected:
        parts.append(f"adjusted {p_text(comparison.p_adjusted)}{_side(comparison, planned)}")
        parts.append(f"{comparison.family_size:,} comparisons")
    elif comparison.family_size > 1:
        parts.append(
            f"{p_text(comparison.p_value)}{_side(comparison, planned)}, not corrected for {comparison.family_size:,} "
            "comparisons"
        )
    else:
        parts.append(p_text(comparison.p_adjusted) + _side(comparison, planned))
    return f"({', '.join(parts)})"


def _side(comparison: Comparison, planned: Planned) -> str:
    return "" if comparison.alternative == "two-sided" else f", one-sided in a direction {_DECLARED[planned]}"


def _detectable(comparison: Comparison) -> str:
    """Return a sentence on what this test set could have shown; nothing when it cannot be told."""
    detectable = smallest_detectable(comparison)
    if detectable is None:
        return ""
    about, low, high = (
        points_text(value, comparison.decimals) for value in (detectable.difference, detectable.low, detectable.high)
    )
    points = f"{about} {comparison.metric} ({low} to {high})"
    return (
        f" On average over test sets like this one, a true difference of about {points} would be detected with 80% "
        "power."
    )


def attainable_text(comparison: Comparison) -> str | None:
    """Return what p-values exchanging labels can give at all when few units differ; None when there are enough.

    None also for other tests: their p-values do not come from exchanges.

    >>> import mtsig
    >>> from mtsig.report._say import attainable_text
    >>> study = mtsig.compare({"A": [3, 4, 5, 5], "B": [1, 2, 2, 3]}, higher_is_better=True)
    >>> print(attainable_text(study.results[0].compared[0]))
    4 of 4 segments differ; the smallest attainable p is 0.12. No difference can be significant here.
    """
    if not known_test(comparison.test).exchanges or not 0 < comparison.n_differing <= 20:
        return None
    floor = least_attainable(comparison)
    never = " No difference can be significant here." if floor > comparison.alpha else ""
    return (
        f"{comparison.n_differing:,} of {comparison.units:,} {comparison.unit}s differ; the smallest attainable p is "
        f"{floor:.2g}.{never}"
    )


def by_segments_text(other: Comparison, unit: str) -> str:
    """Return what a comparison over documents or blocks (`unit`) would be with segments as units: `other`.

    >>> import mtsig
    >>> from mtsig.report._say import by_segments_text
    >>> statistics = mtsig.measure(mtsig.read_sample(), "chrf")
    >>> print(by_segments_text(mtsig.Settings(n_resamples=500, unit="segment").family(statistics)[0], "document"))
    ... # doctest: +NORMALIZE_WHITESPACE
    With segments as units, as if sentences of one document were independent: 95% interval −0.72 to −0.34, corrected
    p = .0040.
    """
    alike = "neighbours" if unit == "block" else "sentences of one document"
    corrected = "corrected " if other.family_size > 1 and other.corrected else ""
    p = "no p" if not other.has_p else f"{corrected}{p_text(other.p_adjusted)}"
    return (
        f"With segments as units, as if {alike} were independent: {level_text(other.level)} interval "
        f"{interval_text(other.ci_low, other.ci_high, True, other.decimals)}, {p}."
    )


def has_own_p(family: Family) -> bool:
    """Return whether the p-values that decide differ from the test's own: corrected ones, or those of another test.

    >>> import mtsig
    >>> settings, statistics = mtsig.Settings(n_resamples=200), mtsig.measure(mtsig.read_sample(), "bleu")
    >>> has_own_p(settings.family(statistics)), has_own_p(settings.family(statistics, [("direct", "via-catalan")]))
    (True, False)
    """
    return family.family_size > 1 or _classical(family.correction)


def _classical(correction: str) -> bool:
    known = CORRECTIONS.get(correction)
    return known is not None and known.controls == "any false claim, classically"


def equivalence_text(equivalence: Equivalence, first: str, second: str, metric: str, decimals: int = 2) -> str:
    """Return one sentence on equivalence or non-inferiority within a margin.

    >>> import mtsig
    >>> from mtsig.inference import equivalence
    >>> from mtsig.report._say import equivalence_text
    >>> statistics = mtsig.measure(mtsig.read_sample(), "chrf")
    >>> tested = equivalence(statistics, "direct", "direct-us", 3.0)
    >>> print(equivalence_text(tested, "direct", "direct-us", "chrF2"))  # doctest: +NORMALIZE_WHITESPACE
    Shown: direct and direct-us differ by less than 3 chrF2 (90% interval +0.38 to +0.68, p < .0001; exploratory: no
    analysis plan fixed this margin in advance).
    """
    if equivalence.kind == "equivalence":
        claim = f"{first} and {second} differ by less than {equivalence.margin:g} {metric}"
    else:
        claim = f"{first} is at most {equivalence.margin:g} {metric} worse than {second}"
    if equivalence.withheld_reason:
        return f"Withheld whether {claim}: {equivalence.withheld_reason}."
    ends = interval_text(equivalence.ci_low, equivalence.ci_high, True, decimals)
    interval = f"{level_text(1 - 2 * equivalence.alpha)} interval {ends}"
    evidence = (
        f"({interval}, {p_text(equivalence.p_value)}; exploratory: no analysis plan fixed this margin in advance)"
    )
    unlike = f" {UNEVEN}" if equivalence.uneven and equivalence.kind == "non-inferiority" else ""
    return f"{'Shown' if equivalence.established else 'Not shown'}: {claim} {evidence}.{unlike}"


def _withheld(own: Sequence[Audited], count: int) -> str:
    """Return how many tests are withheld, and why, where that is the same for all of them."""
    reasons = {audited.withheld_reason for audited in own if audited.verdict == "withheld"}
    why = f": {reasons.pop()}" if len(reasons) == 1 else ""
    return f"{'All' if count == len(own) else count} {'is' if count == 1 else 'are'} withheld{why}."


def _lower(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]
