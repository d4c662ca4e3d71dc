"""Results in words: a sentence says the difference, its interval and its p-value, and never more than they do."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mtsig.ablation import SizeCurves
from mtsig.corpus import contenders, listed
from mtsig.corpus import number_of as number_of
from mtsig.inference import (
    CLASSICALLY,
    CORRECTIONS,
    Audit,
    Audited,
    Comparison,
    Dependence,
    Equivalence,
    Family,
    Ranks,
    RunComparison,
    Settings,
    known_test,
    least_attainable,
    level_text,
    p_text,
    smallest_detectable,
    verdict,
)
from mtsig.inference import points_text as points_text  # one of the words that reports show, too


def interval_text(low: float, high: float, signed: bool = False, decimals: int = 2) -> str:
    """Return "12.34 to 14.56", with signs for differences; "none" where there is no interval (NaN)."""
    if np.isnan(low):
        return "none"
    return f"{points_text(low, decimals, signed)} to {points_text(high, decimals, signed)}"


def half_width_text(low: float, high: float, decimals: int = 2) -> str:
    """Return "± 1.23"; nothing where there is no interval (NaN)."""
    return "" if np.isnan(low) else f"± {points_text((high - low) / 2, decimals)}"


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


def verdict_text(one: Comparison, planned: Planned = None) -> str:
    """Return the verdict on a comparison as one or two plain sentences with difference, interval and p-value."""
    decided = verdict(one)
    evidence = evidence_text(one, planned)
    if decided.word == "better":
        loser = one.second if decided.winner == one.first else one.first
        return f"{decided.winner} is better than {loser} by {_points(one)} {evidence}."
    ahead = one.first if one.difference >= 0 else one.second
    if decided.word == "not separated":
        if one.n_differing == 0:
            return f"Not separated: {one.first} and {one.second} have the same {one.metric} statistics everywhere."
        return (
            f"Not separated: these data do not tell {one.first} and {one.second} apart. {ahead} is ahead by "
            f"{_points(one)} {evidence}. This is no evidence that they are equal."
            f"{_detectable(one)}"
        )
    return (
        f"Undecided: {decided.reason}. {ahead} is ahead of {one.second if ahead == one.first else one.first} by "
        f"{_points(one)} {evidence}."
    )


def _points(one: Comparison) -> str:
    """Return the size of the difference: "0.47 BLEU"."""
    return f"{points_text(abs(one.difference), one.decimals)} {one.metric}"


def evidence_text(one: Comparison, planned: Planned = None) -> str:
    """Return interval and p-value in brackets, seen from the system that is ahead."""
    low, high = (one.low, one.high) if one.difference >= 0 else (-one.high, -one.low)
    parts = [f"{level_text(one.level)} interval {interval_text(low, high, True, one.decimals)}"]
    if not one.has_p:
        wins = one.win_rate if one.difference >= 0 else 1 - one.win_rate - one.tie_rate
        parts.append(f"ahead on {wins:.1%} of resamples")
    elif one.family_size > 1 and one.correction != "none":
        parts.append(f"corrected {p_text(one.p_adjusted)} of {one.family_size} comparisons{_side(one, planned)}")
    elif one.family_size > 1:
        parts.append(f"{p_text(one.p_value)}{_side(one, planned)}, not corrected for {one.family_size} comparisons")
    else:
        parts.append(p_text(one.p_adjusted) + _side(one, planned))
    return f"({', '.join(parts)})"


def _side(one: Comparison, planned: Planned) -> str:
    return "" if one.alternative == "two-sided" else f", one-sided in a direction {_DECLARED[planned]}"


def _detectable(one: Comparison) -> str:
    """Return a sentence on what this test set could have shown; nothing when it cannot be told."""
    found = smallest_detectable(one)
    if found is None:
        return ""
    about, low, high = (points_text(value, one.decimals) for value in (found.difference, found.low, found.high))
    return f" A true difference of about {about} ({low} to {high}) would have been found with 80% power."


def attainable_text(one: Comparison) -> str | None:
    """Return what p-values exchanging labels can give at all when few units differ; None when there are enough.

    None also for other tests: their p-values do not come from exchanges.
    """
    if not known_test(one.test).exchanges or not 0 < one.n_differing <= 20:
        return None
    floor = least_attainable(one)
    never = " No difference can be significant here." if floor > one.alpha else ""
    return f"{one.n_differing} of {one.units} {one.unit}s differ; the smallest attainable p is {floor:.2g}.{never}"


def beside_text(one: Comparison) -> str | None:
    """Return what the comparison is with segments as units; None when that is no other result."""
    other = one.by_segment
    if other is None:
        return None
    corrected = "corrected " if other.family_size > 1 and other.correction != "none" else ""
    p = "no p" if not other.has_p else f"{corrected}{p_text(other.p_adjusted)}"
    return (
        f"With segments as units, as if sentences of one document were independent: {level_text(other.level)} interval "
        f"{interval_text(other.low, other.high, True, other.decimals)}, {p}."
    )


def family_text(family: Family, planned: Planned = None) -> str:
    """Return one sentence on the whole family: how many comparisons have which verdict, and how they were corrected."""
    words: Counter[str] = Counter(verdict(one).word for one in family)
    m = len(family)
    parts = [f"{words[word]} {text}" for word, text in _COUNTED if words[word]]
    joined = f" (judged together with others, {family.family_size} in all)" if family.family_size > m else ""
    said = (
        f"Of {number_of(m, 'comparison')} in {family.metric}{joined}: {', '.join(parts)} "
        f"({method_text(family, planned)})."
    )
    return f"{said} {beside_family_text(family)}".strip()


def beside_family_text(family: Family) -> str:
    """Return a sentence on what the verdicts would be with segments as units; nothing where these are the units."""
    if family.by_segment is None:
        return ""
    words: Counter[str] = Counter(verdict(one).word for one in family.by_segment)
    parts = [f"{words[word]} {text}" for word, text in _COUNTED if words[word]]
    return f"With segments as units: {', '.join(parts)}."


_COUNTED = (("better", "separated"), ("not separated", "not separated"), ("undecided", "undecided"))


_CONTROLS = {
    "any false claim": "nominal chance of any false claim α = {alpha}",
    "share of false claims": "nominal expected share of false claims α = {alpha}: for screening",
}


def method_text(family: Family, planned: Planned = None, sliced: bool = False) -> str:
    """Return test, unit, draws, seed, correction and alpha in a few words.

    `sliced`: comparisons are in slices, whose sizes differ though no system lacks anything.
    """
    test, scheme = family.test, family.scheme
    how = [test.label if f"{family.unit}s" in test.label else f"{test.label} over {family.unit}s"]
    if len(set(family.units.tolist())) > 1 and not sliced:
        how.append(f"every pair on the {units_text(family.units, family.unit)} that both systems have")
    if family.complete:
        how += ["all arrangements enumerated", f"{scheme.n_draws:,} draws for the resamples won", f"seed {scheme.seed}"]
    else:
        exact = all(one.exact for one in family)
        drawn = any(one.adjusted_low < one.adjusted_high or one.p_low < one.p_high for one in family)
        how += ["exact p-values"] if exact else []
        # Where no p was drawn, only the redraws that are counted and shown were.
        how += [f"{scheme.n_draws:,} draws{'' if drawn else ' for the resamples won'}", f"seed {scheme.seed}"]
    if test.alternative != "two-sided":
        better = "better" if test.alternative == "greater" else "worse"
        how.append(f"one-sided (the first system is {better}), a direction {_DECLARED[planned]}")
    known = CORRECTIONS.get(family.correction)
    how.append(_corrected(family, known.label if known else family.correction))
    controlled = has_own_p(family) and family.correction != "none" and family.test.controls_type1
    nominal = _CONTROLS.get(known.controls) if known and controlled else None
    return f"{', '.join(how)}, {(nominal or 'α = {alpha}').format(alpha=f'{family.alpha:.3g}')}"


def settings_text(settings: Settings, unit: str, comparisons: int) -> str:
    """Return what settings do where the units are segments, or documents, and so many comparisons are judged together.

    >>> import mtsig
    >>> mtsig.report.settings_text(mtsig.Settings(), "segment", 120)
    'Paired randomization over segments, 10,000 draws, corrected for 120 comparisons, 95%'
    """
    test, correction = settings.chosen_test(unit), settings.resolved(unit).correction
    unit = "segment" if test.segment_only else unit
    label = test.label.removesuffix(", as printed")
    said = [label if f"{unit}s" in label else f"{label} over {unit}s"]
    # Tests of segment scores and those by the jackknife draw nothing; the redraws beside them decide nothing.
    computed = test.by_jackknife or (test.segment_only and not test.printed_only)
    said += [] if computed else [f"{test.scheme.n_draws:,} draws"]
    corrected = "uncorrected" if correction == "none" else f"corrected for {number_of(comparisons, 'comparison')}"
    said += ["one comparison" if comparisons == 1 else corrected, level_text(settings.level)]
    text = ", ".join(said)
    return text if text.startswith("sacreBLEU") else text[0].upper() + text[1:]


def has_own_p(family: Family) -> bool:
    """Return whether the p-values that decide differ from the test's own: corrected ones, or those of another test."""
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
    if family.family_size == 1:
        return "one comparison"
    if family.correction == "none":
        return "uncorrected"
    said = (
        "" if family.test.controls_type1 else " (without keeping any error rate: the test itself is anti-conservative)"
    )
    return f"corrected by {label}{said}"


def size_text(curves: SizeCurves, chosen: Sequence[str] | None = None) -> str:
    """Return one sentence on how wide intervals are at the largest size and at half of it, and would be at twice."""
    rows = [t for t, name in enumerate(curves.labels) if chosen is None or name in chosen]
    known = ~np.isnan(curves.half_width[:, rows])
    total = np.where(known, curves.half_width[:, rows], 0.0).sum(axis=1)
    widths = np.divide(total, known.sum(axis=1), out=np.full(len(total), np.nan), where=known.any(axis=1))
    largest = int(np.argmax(curves.units))
    half = int(np.argmin(np.abs(curves.shares - 0.5)))
    what = f"the difference in {curves.metric}" if curves.is_difference else curves.metric
    if np.isnan(widths[[largest, half]]).any():
        return (
            f"How far {what} is known cannot be told: on subsets of these {curves.units[largest]} {curves.unit}s the "
            "score has no derivative."
        )
    average = "" if len(rows) == 1 else " on average"
    measured = (
        "" if half == largest else f"{curves.units[half]} of them give ± {points_text(widths[half], curves.decimals)}; "
    )
    now, then = (points_text(width, curves.decimals) for width in (widths[largest], widths[largest] / 2**0.5))
    return (
        f"With {curves.units[largest]} {curves.unit}s, {what} is known to ± {now}{average} "
        f"({level_text(curves.ablation.level)} interval); {measured}by the 1/√n law, twice as many would give about "
        f"± {then}."
    )


def ranks_text(found: Ranks) -> str:
    """Return one sentence on which systems could be the best."""
    best = found.could_be_best
    # Rank sets need family-wise control with the direction of each difference, which stepping down gives, too.
    how = f"{level_text(found.level)}, of {found.family_size} comparisons"
    if found.shared < found.units:
        how += f"; best in redraws: of the {found.shared} of {found.units} units that all systems have"
    if found.correction == "none":
        how += ", not corrected: some of these places may be luck"
    if len(contenders(found.systems)) < len(found.systems):
        how += "; human translations have the place that they would have among the systems"
    if len(best) == 1:
        return f"Only {best[0]} can be the best: every other system is significantly worse than some system ({how})."
    return f"Any of {listed(best)} could be the best: no system is significantly better than these ({how})."


def dependence_text(found: Dependence) -> str:
    """Return one or two sentences on what dependence within documents costs."""
    evidence = (
        f"design effect {found.design_effect:.2f}, intraclass correlation {found.icc:.3f}, {p_text(found.p_value)}"
    )
    if found.design_effect <= 1:
        return (
            f"{found.target}: {found.segments} segments in {found.documents} documents show no dependence within "
            f"documents ({evidence}). That is no proof that there is none."
        )
    return (
        f"{found.target}: {found.segments} segments in {found.documents} documents are worth about "
        f"{found.effective_segments:.0f} independent ones ({evidence})."
    )


def runs_text(found: RunComparison) -> str:
    """Return a comparison of several runs in words: the verdict, what the runs do to it, and what too few runs mean."""
    ahead, behind = (found.first, found.second) if found.difference >= 0 else (found.second, found.first)
    low, high = (found.low, found.high) if found.difference >= 0 else (-found.high, -found.low)
    ends = interval_text(low, high, True, found.decimals)
    evidence = (
        f"{behind} by {points_text(abs(found.difference), found.decimals)} {found.metric} over {found.first_runs} and "
        f"{found.second_runs} runs ({level_text(found.level)} interval {ends}, {_run_p(found)})"
    )
    beside = " ".join([spreads_text(found), *(note.text for note in found.few_runs)])
    decided = verdict(found)
    if decided.word == "better":
        return f"{ahead} is better than {evidence}. {beside}"
    same = f"{found.first} and {found.second} have the same mean {found.metric}" if found.difference == 0 else ""
    if decided.word == "undecided":
        return f"Undecided: {decided.reason}. {same or f'{ahead} is ahead of {evidence}'}. {beside}"
    if same:
        return f"Not separated: {same}. {beside}"
    return f"Not separated: {ahead} is ahead of {evidence}. This is no evidence that they are equal. {beside}"


def spreads_text(found: RunComparison) -> str:
    """Return whose runs vary and by how much, what that makes of the variance, and its degrees of freedom."""
    if found.variance == 0:
        return f"Nothing varies here, neither between runs nor between {found.unit}s: are these copies of one output?"
    by = [
        points_text(variance**0.5, found.decimals) for variance in (found.first_run_variance, found.second_run_variance)
    ]
    runs = f"Runs of {found.first} vary by {by[0]}, of {found.second} by {by[1]} (standard deviation)"
    if np.isnan(found.variance):
        return f"{runs}; how {found.unit}s vary cannot be known from one."
    share = f"Differences between runs make {found.run_share:.0%} of the variance."
    return f"{share} {runs}; {found.df:.1f} degrees of freedom."


def _run_p(found: RunComparison) -> str:
    if found.family_size == 1:
        return p_text(found.p_value)
    return f"corrected {p_text(found.p_adjusted)} of {found.family_size} comparisons (Holm)"


def equivalence_text(found: Equivalence, first: str, second: str, metric: str, decimals: int = 2) -> str:
    """Return one sentence on equivalence or non-inferiority within a margin."""
    if found.kind == "equivalence":
        claim = f"{first} and {second} differ by less than {found.margin:g} {metric}"
    else:
        claim = f"{first} is at most {found.margin:g} {metric} worse than {second}"
    if found.reason:
        return f"Undecided whether {claim}: {found.reason}."
    ends = interval_text(found.low, found.high, True, decimals)
    interval = f"{level_text(1 - 2 * found.alpha)} interval {ends}"
    evidence = f"({interval}, {p_text(found.p_value)}; exploratory: no analysis plan fixed this margin in advance)"
    return f"{'Shown' if found.shown else 'Not shown'}: {claim} {evidence}."


def audit_text(found: Audit, unit: str | None = None) -> str:
    """Return how far the tests agree, a sentence for each unit; those that only reproduce others are left out.

    With a unit, only the tests over such units are counted.
    """
    units = list(dict.fromkeys(one.unit for one in found)) if unit is None else [unit]
    if len(units) > 1:
        return " ".join(f"Over {one}s: {_lower(audit_text(found, one))}" for one in units)
    here = [one for one in found if one.unit in units]
    own = [one for one in here if one.has_p and not one.printed_only]
    if not own:
        problems = list(dict.fromkeys(one.problem for one in here if one.problem))
        return (
            f"No test of {found.first} and {found.second} is possible here. {problems[0] if problems else ''}".strip()
        )
    yes, open_still = (sum(one.verdict == word for one in own) for word in ("better", "undecided"))
    at = f"{found.first} and {found.second} at α = {1 - found.level:.3g}, taken as one comparison."
    if not open_still and yes in (0, len(own)):
        return f"All {len(own)} tests {'separate' if yes else 'do not separate'} {at}"
    left = f" {_undecided(own, open_still)}" if open_still else ""
    if open_still == len(own):
        return f"None of {len(own)} tests separates {at}{left}"
    return f"{yes} of {len(own)} tests separate {at}{left} They ask different questions; choose one before looking."


def _undecided(own: Sequence[Audited], count: int) -> str:
    """Return how many tests are undecided, and why, where that is the same for all of them."""
    reasons = {one.reason for one in own if one.verdict == "undecided"}
    why = f": {reasons.pop()}" if len(reasons) == 1 else ""
    return f"{'All' if count == len(own) else count} {'is' if count == 1 else 'are'} undecided{why}."


def _lower(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]
