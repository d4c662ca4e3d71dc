"""Results in words: a sentence says the difference, its interval and its p-value, and never more than they do."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mtsig._probability import t_quantile
from mtsig.cautions import Seen, cautions
from mtsig.corpus import capital_first, listed, ranked_systems
from mtsig.corpus import number_of as number_of
from mtsig.inference import (
    CAUTION,
    CLASSICALLY,
    CORRECTIONS,
    FLAGGED,
    Audit,
    Audited,
    Comparison,
    Dependence,
    Equivalence,
    Family,
    Ranks,
    RunComparison,
    Settings,
    SignificanceTest,
    correction_label,
    ends_text,
    judged_level_text,
    known_test,
    least_attainable,
    level_text,
    p_text,
    smallest_detectable,
    uneven,
    verdict,
)
from mtsig.inference import points_text as points_text  # one of the words that reports show, too
from mtsig.segments import SizeCurves


def interval_text(low: float, high: float, signed: bool = False, decimals: int = 2) -> str:
    """Return "12.34 to 14.56", with signs for differences; "none" where there is no interval (NaN).

    >>> from mtsig.report import interval_text
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
    >>> from mtsig.report import unmatched_text
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
    >>> from mtsig.report.words import caution_text
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
    >>> from mtsig.report import adjusts
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
    >>> from mtsig.report import ci_name
    >>> settings, statistics = mtsig.Settings(n_resamples=200), mtsig.measure(mtsig.read_sample(), "bleu")
    >>> ci_name(settings.family(statistics)), ci_name(settings.family(statistics, [("direct", "via-catalan")]))
    ('adjusted CI', '95% CI')
    """
    return "adjusted CI" if adjusts(comparison) else f"{level_text(comparison.level)} CI"


def ci_text(comparison: Comparison, signed: bool = False) -> str:
    """Return the interval that agrees with the verdict; a one-sided claim has one bound.

    Without a p it is that of the pair alone; where so few draws bound nothing at its level it says so.

    >>> import mtsig
    >>> from mtsig.report import ci_text
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
    >>> from mtsig.report import alone_text
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
    >>> from mtsig.report import adjusted_text
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
    >>> from mtsig.report import attainable_text
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
    >>> from mtsig.report import by_segments_text
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


def family_text(family: Family, planned: Planned = None) -> str:
    """Return one sentence on the whole family: how many comparisons have which verdict, and how they were corrected.

    >>> import mtsig
    >>> from mtsig.report import family_text
    >>> family = mtsig.Settings(n_resamples=500).family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> print(family_text(family).partition(" (")[0])
    Of 10 comparisons in chrF2: 9 separated, 1 not significant
    """
    m = len(family)
    joined = f" (judged together with others, {family.family_size} in all)" if family.family_size > m else ""
    counted = f"Of {number_of(m, 'comparison')}" if m > 1 or joined else "One comparison"
    return f"{counted} in {family.metric}{joined}: {_verdicts_text(family)} ({method_text(family, planned)})."


def caution_of_family(family: Family) -> str:
    """Return why to doubt the verdicts of a test that was asked for, and what the default test says of the same pairs.

    >>> import mtsig
    >>> from mtsig.report import caution_of_family
    >>> settings = mtsig.Settings(test="bootstrap-koehn", n_resamples=500)
    >>> family = settings.family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> print(caution_of_family(family))  # doctest: +NORMALIZE_WHITESPACE
    Caution (!): with the criterion of 95% it finds a difference in 10 to 15 of 100 cases without any difference (9 of
    10 verdicts in chrF2). 10 of 10 verdicts match those of the default test.
    """
    decided = [verdict(comparison) for comparison in family]
    said = [
        f"{each.sentence} ({len(each.pairs)} of {number_of(len(family), 'verdict')} in {family.metric})"
        if len(family) > 1
        else each.sentence
        for each in cautions(Seen(families=(family,)))
        if each.pairs and each.strength == "warning"
    ]
    cautioned = f"Caution ({CAUTION}): {'; '.join(said)}." if said else ""
    beside = [
        (each.word, each.winner) == (comparison.default_verdict, comparison.default_winner)
        for each, comparison in zip(decided, family, strict=True)
        if comparison.default_verdict is not None
    ]
    if not beside:
        return cautioned
    if len(family) == 1:
        return caution_text(family[0]).strip()
    verdicts = number_of(len(beside), "verdict")
    return f"{cautioned} {sum(beside)} of {verdicts} match those of the default test.".strip()


_COUNTED = (("better", "separated"), ("not_significant", "not significant"), ("withheld", "withheld"))


def _verdicts_text(family: Family) -> str:
    """Return how many comparisons have which verdict; of one comparison its verdict."""
    words: Counter[str] = Counter(verdict(comparison).word for comparison in family)
    return ", ".join(f"{words[word]} {text}" if len(family) > 1 else text for word, text in _COUNTED if words[word])


_CONTROLS = {
    "any false claim": "nominal chance of any false claim α = {alpha}",
    "share of false claims": "nominal expected share of false claims α = {alpha}: for screening",
}


def method_text(family: Family, planned: Planned = None, sliced: bool = False) -> str:
    """Return test, unit, draws, seed, correction and alpha in a few words.

    `sliced`: comparisons are in slices, whose sizes differ though no system lacks anything.

    >>> import mtsig
    >>> from mtsig.report import method_text
    >>> family = mtsig.Settings(n_resamples=500).family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> print(method_text(family))  # doctest: +NORMALIZE_WHITESPACE
    jackknife t test over documents, 500 draws for the resamples won, seed 12345, corrected by Holm, nominal chance
    of any false claim α = 0.05
    """
    test, scheme = family.test, family.scheme
    how = [_over_units(test, test.label, family.unit)]
    if len(set(family.units.tolist())) > 1 and not sliced:
        how.append(f"every pair on the {units_text(family.units, family.unit)} that both systems have")
    if family.complete:
        how += ["all arrangements enumerated", f"{scheme.n_draws:,} draws for the resamples won", f"seed {scheme.seed}"]
    else:
        exact = all(comparison.exact for comparison in family)
        drawn = any(
            comparison.p_adjusted_mc_low < comparison.p_adjusted_mc_high or comparison.p_mc_low < comparison.p_mc_high
            for comparison in family
        )
        how += ["exact p-values"] if exact else []
        # Where no p was drawn, only the redraws that are counted and shown were.
        how += [f"{scheme.n_draws:,} draws{'' if drawn else ' for the resamples won'}", f"seed {scheme.seed}"]
    if test.alternative != "two-sided":
        better = "better" if test.alternative == "greater" else "worse"
        how.append(f"one-sided (the first system is {better}), a direction {_DECLARED[planned]}")
    known = CORRECTIONS.get(family.correction)
    how.append(_corrected(family, correction_label(family.correction)))
    controlled = has_own_p(family) and family.corrected and family.test.controls_type1
    nominal = _CONTROLS.get(known.controls) if known and controlled else None
    return f"{', '.join(how)}, {(nominal or 'α = {alpha}').replace('{alpha}', f'{family.alpha:.3g}')}"


def _over_units(test: SignificanceTest, label: str, unit: str) -> str:
    """Return a label of a test with the units that it is over, where the label does not name them."""
    return label if test.names_unit else f"{label} over {unit}s"


def settings_text(settings: Settings, unit: str, comparisons: Sequence[int]) -> str:
    """Return what settings do where the units are segments, or documents.

    comparisons: how many are judged together, in each family.

    >>> import mtsig
    >>> mtsig.report.settings_text(mtsig.Settings(), "segment", [120])
    'Paired randomization over segments, 10,000 draws, corrected for 120 comparisons, 95%'
    """
    test = settings.chosen_test(unit)
    unit = "segment" if test.segment_only else unit
    said = [_over_units(test, test.short_label or test.label, unit)]
    # Tests of segment scores and those by the jackknife draw nothing; the redraws beside them decide nothing.
    computed = test.by_jackknife or (test.segment_only and not test.printed_only)
    said += [] if computed else [f"{test.scheme.n_draws:,} draws"]
    corrects = settings.corrected and not test.by_wins
    corrected = f"corrected for {units_text(comparisons, 'comparison')}" if corrects else "uncorrected"
    said += ["one comparison" if max(comparisons) == 1 else corrected, level_text(settings.level)]
    return capital_first(", ".join(said))


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


def _corrected(family: Family, label: str) -> str:
    """Return what was done about several comparisons."""
    if _classical(family.correction):
        number = f"p of {family.family_size}" if family.family_size > 1 else "p"
        return (
            f"{number} by {label}, a test of its own in the randomized-block layout (the chance of any "
            f"false claim stays at α only {CLASSICALLY})"
        )
    if family.test.by_wins:
        return "no correction, as Koehn's criterion has no p-value to correct"
    if family.family_size == 1:
        return "one comparison"
    if not family.corrected:
        return "uncorrected"
    said = "" if family.test.controls_type1 else " (which keeps no error rate, as the test itself does not)"
    return f"corrected by {label}{said}"


def size_text(curves: SizeCurves, chosen: Sequence[str] | None = None) -> str:
    """Return one sentence on how wide intervals are at the largest size and at half of it, and would be at twice.

    >>> import mtsig
    >>> from mtsig.segments import Ablation
    >>> from mtsig.report import size_text
    >>> statistics = mtsig.measure(mtsig.read_sample(), "chrf")
    >>> curves = mtsig.size_curve(statistics, Ablation(sizes=(0.5, 1.0), repeats=10))
    >>> print(size_text(curves))  # doctest: +NORMALIZE_WHITESPACE
    With 20 documents, chrF2 is known to ± 1.94 on average (95% interval); 10 of them give ± 2.82; by the 1/√n law,
    twice as many would give about ± 1.37.
    """
    rows = [t for t, name in enumerate(curves.labels) if chosen is None or name in chosen]
    known = ~np.isnan(curves.half_width[:, rows])
    total = np.where(known, curves.half_width[:, rows], 0.0).sum(axis=1)
    widths = np.divide(total, known.sum(axis=1), out=np.full(len(total), np.nan), where=known.any(axis=1))
    largest = int(np.argmax(curves.units))
    half = int(np.argmin(np.abs(curves.shares - 0.5)))
    what = f"the difference in {curves.metric}" if curves.is_difference else curves.metric
    if np.isnan(widths[[largest, half]]).any():
        return (
            f"How far {what} is known cannot be told: on subsets of these {curves.units[largest]:,} {curves.unit}s the "
            "score has no derivative."
        )
    average = "" if len(rows) == 1 else " on average"
    measured = (
        ""
        if half == largest
        else f"{curves.units[half]:,} of them give ± {points_text(widths[half], curves.decimals)}; "
    )
    now, then = (points_text(width, curves.decimals) for width in (widths[largest], widths[largest] / 2**0.5))
    return (
        f"With {curves.units[largest]:,} {curves.unit}s, {what} is known to ± {now}{average} "
        f"({level_text(curves.ablation.level)} interval); {measured}by the 1/√n law, twice as many would give about "
        f"± {then}."
    )


def ranks_text(ranks: Ranks) -> str:
    """Return one sentence on which systems could be the best.

    >>> import mtsig
    >>> from mtsig.report import ranks_text
    >>> family = mtsig.Settings(n_resamples=500).family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> print(ranks_text(mtsig.ranks(family)))  # doctest: +NORMALIZE_WHITESPACE
    Only direct can be the best: every other system is significantly worse than some system (95%, of 10
    comparisons).
    """
    best = ranks.best
    # Rank sets need family-wise control with the direction of each difference, which stepping down gives, too.
    how = f"{level_text(ranks.level)}, of {ranks.family_size} comparisons"
    if ranks.shared < ranks.units:
        how += f"; best in redraws: of the {ranks.shared} of {ranks.units} units that all systems have"
    if not ranks.corrected:
        how += ", not corrected: some of these places may be luck"
    if len(ranked_systems(ranks.systems)) < len(ranks.systems):
        how += "; human translations have the place that they would have among the systems"
    if len(best) == 1:
        return f"Only {best[0]} can be the best: every other system is significantly worse than some system ({how})."
    return f"Any of {listed(best)} could be the best: no system is significantly better than these ({how})."


def dependence_text(dependence: Dependence) -> str:
    """Return one or two sentences on what dependence within documents costs.

    >>> import mtsig
    >>> from mtsig.inference import dependence
    >>> from mtsig.report import dependence_text
    >>> statistics = mtsig.measure(mtsig.read_sample(), "chrf")
    >>> print(dependence_text(dependence(statistics, "direct", "via-catalan")))  # doctest: +NORMALIZE_WHITESPACE
    direct − via-catalan: 200 segments in 20 documents are worth about 188 independent ones (design effect 1.06,
    intraclass correlation 0.007, p = .3839).
    """
    evidence = (
        f"design effect {dependence.design_effect:.2f}, intraclass correlation {points_text(dependence.icc, 3)}, "
        f"{p_text(dependence.p_value)}"
    )
    if dependence.design_effect <= 1:
        return (
            f"{dependence.target}: {dependence.segments:,} segments in {dependence.documents:,} documents show no "
            "dependence within "
            f"documents ({evidence}). That is no proof that there is none."
        )
    return (
        f"{dependence.target}: {dependence.segments:,} segments in {dependence.documents:,} documents are worth about "
        f"{dependence.effective_segments:.0f} independent ones ({evidence})."
    )


def runs_text(run_comparison: RunComparison) -> str:
    """Return a comparison of several runs in words: the verdict, what the runs do to it, and what too few runs mean.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.report import runs_text
    >>> rng = np.random.default_rng(1)
    >>> runs = {f"{name}.run{i}": rng.normal(mean, 1, 200) for name, mean in (("A", 0.5), ("B", 0)) for i in range(4)}
    >>> rating = mtsig.Rating(np.array(list(runs.values())), higher_is_better=True)
    >>> statistics = mtsig.measure(mtsig.Corpus.of(dict.fromkeys(runs), ratings={"comet": rating}), "rating:comet")
    >>> print(runs_text(mtsig.compare_runs(statistics, "A", "B")).partition(". ")[0])
    A is better than B by 0.43 comet over 4 and 4 runs (95% interval +0.29 to +0.57, p = .0020)
    """
    ahead, behind = (
        (run_comparison.first, run_comparison.second)
        if run_comparison.difference >= 0
        else (run_comparison.second, run_comparison.first)
    )
    several = run_comparison.family_size > 1
    low, high = (
        (run_comparison.adjusted_ci_low, run_comparison.adjusted_ci_high)
        if several
        else (run_comparison.ci_low, run_comparison.ci_high)
    )
    low, high = (low, high) if run_comparison.difference >= 0 else (-high, -low)
    ends = interval_text(low, high, True, run_comparison.decimals)
    called = "adjusted CI" if several else f"{level_text(run_comparison.level)} interval"
    evidence = (
        f"{behind} by {points_text(abs(run_comparison.difference), run_comparison.decimals)} {run_comparison.metric} "
        f"over {run_comparison.first_runs} and "
        f"{run_comparison.second_runs} runs ({called} {ends}, "
        f"{_run_p(run_comparison)})"
    )
    decided = verdict(run_comparison)
    caution = [f"Caution: {decided.caution}."] if decided.caution else []
    beside = " ".join([*caution, spreads_text(run_comparison), *(note.text for note in run_comparison.few_runs)])
    if decided.word == "better":
        return f"{ahead} is better than {evidence}. {beside}"
    same = (
        f"{run_comparison.first} and {run_comparison.second} have the same mean {run_comparison.metric}"
        if run_comparison.difference == 0
        else ""
    )
    if decided.word == "withheld":
        return f"Withheld: {decided.why}. {same or f'{ahead} is ahead of {evidence}'}. {beside}"
    if same:
        return f"Not separated: {same}. {beside}"
    return f"Not separated: {ahead} is ahead of {evidence}. This is no evidence that they are equal. {beside}"


def spreads_text(run_comparison: RunComparison) -> str:
    """Return whose runs vary and by how much, what that makes of the variance, and its degrees of freedom."""
    if run_comparison.variance == 0:
        return (
            f"Nothing varies here, neither between runs nor between {run_comparison.unit}s: are these copies of one "
            "output?"
        )
    by = [
        points_text(variance**0.5, run_comparison.decimals)
        for variance in (run_comparison.first_run_variance, run_comparison.second_run_variance)
    ]
    runs = f"Runs of {run_comparison.first} vary by {by[0]}, of {run_comparison.second} by {by[1]} (standard deviation)"
    if np.isnan(run_comparison.variance):
        return f"{runs}; how {run_comparison.unit}s vary cannot be known from one."
    share = f"Differences between runs make {run_comparison.run_share:.0%} of the variance."
    return f"{share} {runs}; {run_comparison.df:.1f} degrees of freedom."


def _run_p(run_comparison: RunComparison) -> str:
    if run_comparison.family_size == 1:
        return p_text(run_comparison.p_value)
    return f"{p_text(run_comparison.p_adjusted)} corrected for {run_comparison.family_size:,} comparisons (Holm)"


def equivalence_text(equivalence: Equivalence, first: str, second: str, metric: str, decimals: int = 2) -> str:
    """Return one sentence on equivalence or non-inferiority within a margin.

    >>> import mtsig
    >>> from mtsig.inference import equivalence
    >>> from mtsig.report import equivalence_text
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


def audit_text(audit: Audit, unit: str | None = None) -> str:
    """Return how far the tests agree, a sentence for each unit; those that only reproduce others are left out.

    With a unit, only the tests over such units are counted.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.report import audit_text
    >>> rating = mtsig.Rating(np.array([[3.0, 4, 5, 5, 4, 6], [1, 2, 2, 3, 4, 4]]), higher_is_better=True)
    >>> statistics = mtsig.measure(mtsig.Corpus.of(dict.fromkeys("AB"), ratings={"esa": rating}), "rating:esa")
    >>> audit = mtsig.audit(statistics, "A", "B", mtsig.Settings(n_resamples=200))
    >>> print(audit_text(audit))  # doctest: +NORMALIZE_WHITESPACE
    6 of 10 tests separate A and B at α = 0.05, taken as one comparison. They ask different questions; choose one
    before looking.
    """
    units = list(dict.fromkeys(row.unit for row in audit)) if unit is None else [unit]
    if len(units) > 1:
        return " ".join(f"Over {item}s: {_lower(audit_text(audit, item))}" for item in units)
    here = [row for row in audit if row.unit in units]
    own = [row for row in here if row.counts]
    if not own:
        problems = list(dict.fromkeys(row.problem for row in here if row.problem))
        return (
            f"No test of {audit.first} and {audit.second} is possible here. {problems[0] if problems else ''}".strip()
        )
    yes, open_still = (sum(row.verdict == word for row in own) for word in ("better", "withheld"))
    at = f"{audit.first} and {audit.second} at α = {1 - audit.level:.3g}, taken as one comparison."
    if not open_still and yes in (0, len(own)):
        return f"All {len(own)} tests {'separate' if yes else 'do not separate'} {at}"
    left = f" {_withheld(own, open_still)}" if open_still else ""
    if open_still == len(own):
        return f"None of {len(own)} tests separates {at}{left}"
    return f"{yes} of {len(own)} tests separate {at}{left} They ask different questions; choose one before looking."


def _withheld(own: Sequence[Audited], count: int) -> str:
    """Return how many tests are withheld, and why, where that is the same for all of them."""
    reasons = {audited.withheld_reason for audited in own if audited.verdict == "withheld"}
    why = f": {reasons.pop()}" if len(reasons) == 1 else ""
    return f"{'All' if count == len(own) else count} {'is' if count == 1 else 'are'} withheld{why}."


def _lower(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]
