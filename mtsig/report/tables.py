"""Tables of results: headers and rows of text, for whoever draws them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from mtsig.ablation import SizeCurves
from mtsig.inference import (
    Audit,
    Audited,
    BlockScan,
    Comparison,
    Dependence,
    Family,
    Intervals,
    KoehnWins,
    MarginResult,
    Power,
    PowerAnalysis,
    Printed,
    Ranks,
    RunComparison,
    least_attainable,
    level_text,
    p_number,
    points_text,
    smallest_detectable,
    verdict,
)
from mtsig.report.words import (
    Planned,
    audit_text,
    dependence_text,
    equivalence_text,
    family_text,
    half_width_text,
    has_own_p,
    interval_text,
    ranking_text,
    ranks_text,
    runs_text,
    units_text,
)


@dataclass(frozen=True)
class Table:
    """Text in rows and columns; `numeric` says which columns are set flush right, `caption` what the table shows."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...]


def score_table(intervals: Intervals) -> Table:
    """Return the systems, best first, with score and interval."""
    beside, own = intervals.by_segment, len(set(intervals.units.tolist())) > 1
    rows = tuple(
        (
            intervals.systems[i],
            *((str(intervals.units[i]),) if own else ()),
            points_text(intervals.score[i], intervals.decimals),
            interval_text(intervals.low[i], intervals.high[i], decimals=intervals.decimals),
            half_width_text(intervals.low[i], intervals.high[i], intervals.decimals),
            *(() if beside is None else (interval_text(beside.low[i], beside.high[i], decimals=beside.decimals),)),
        )
        for i in intervals.order()
    )
    beside_header = () if beside is None else ("by segments",)
    own_header = (f"{intervals.unit}s",) if own else ()
    level = f"{level_text(intervals.level)} interval"
    header = ("system", *own_header, intervals.metric, level, "half width", *beside_header)
    caption = f"{ranking_text(intervals)} {units_text(intervals.units, intervals.unit)}. {intervals.signature}"
    return Table(caption, header, rows, (False,) + (True,) * (len(header) - 1))


def comparison_table(family: Family, planned: Planned = None) -> Table:
    """Return the comparisons with difference, interval, p-values, win rate and verdict.

    `planned`: whether an analysis plan asked for them, where that is known. Beside every comparison that is not
    significant stands the true difference that it would have found with 80% power.
    """
    rows, own, several = [], len(set(family.units.tolist())) > 1, has_own_p(family)
    # By documents, or for one pair alone, the segments say on how much of the ratings a comparison stands.
    counts = {one.segments for one in family}
    partly = len(counts) > 1 or "|n:" in family.signature
    detectable, errors = [detectable_number(one) for one in family], [drawing_error(one) for one in family]
    for one, found, error in zip(family, detectable, errors, strict=True):
        decided = verdict(one)
        rows.append(
            (
                one.first,
                one.second,
                *((str(one.units),) if own else ()),
                *((str(one.segments),) if partly and not (own and family.unit == "segment") else ()),
                points_text(one.difference, one.decimals, signed=True),
                interval_text(one.low, one.high, True, one.decimals),
                *((found,) if any(detectable) else ()),
                p_number(one.p_value) + (" exact" if one.exact else ""),
                *((p_number(one.p_adjusted),) if several else ()),
                *((error,) if any(errors) else ()),
                *(() if one.by_segment is None else (_by_segment(one.by_segment),)),
                f"{one.win_rate:.1%}",
                f"{decided.winner} better" if decided.winner else decided.word,
            )
        )
    header = (
        "first",
        "second",
        *((f"{family.unit}s",) if own else ()),
        *(("segments",) if partly and not (own and family.unit == "segment") else ()),
        f"Δ {family.metric}",
        f"{level_text(family.level)} interval",
        *(("detectable",) if any(detectable) else ()),
        "p",
        *((f"p of {family.family_size} ({family.correction})",) if several else ()),
        *(("95% drawing error",) if any(errors) else ()),
        *(() if family.by_segment is None else ("by segments",)),
        "resamples won",
        "verdict",
    )
    notes = f"{reasons_text(family)}{never_text(family)}{detectable_text(family) if any(detectable) else ''}"
    caption = f"{family_text(family, planned)} {notes}{family.signature}"
    return Table(caption, header, tuple(rows), (False, False, *(True,) * (len(header) - 3), False))


def reasons_text(family: Family) -> str:
    """Return why comparisons are undecided, in one sentence; nothing when none is."""
    return _counted([verdict(one).reason for one in family])


def margin_reasons_text(found: Sequence[MarginResult]) -> str:
    """Return why margins are undecided, in one sentence; nothing when none is."""
    return _counted([one.reason for one in found])


def _counted(reasons: Sequence[str | None]) -> str:
    """Return each reason with how many have it, unless all do."""
    counts = Counter(reasons)
    said = "; ".join(reason if n == len(reasons) else f"{reason} ({n})" for reason, n in counts.items() if reason)
    return f"Undecided: {said}. " if said else ""


def never_text(family: Family) -> str:
    """Return which comparisons no difference can make significant; nothing when there is none."""
    few = [one for one in family if one.n_differing > 0 and least_attainable(one) > one.alpha]
    said = "; ".join(f"{one.first} – {one.second} ({one.n_differing} of {one.units})" for one in few)
    return f"So few {family.unit}s differ that no difference can be significant: {said}. " if said else ""


def detectable_text(family: Family) -> str:
    """Return what the detectable difference beside a comparison is."""
    corrected = family.family_size > 1 and family.correction != "none"
    critical = ", by Bonferroni's critical value" if corrected else ""
    return f"Detectable: about the true difference that would have been found with 80% power{critical}, and its range. "


def detectable_number(one: Comparison) -> str:
    """Return the smallest detectable difference of a comparison that is not significant, with its range; else nothing.

    The range is what the estimate of the spread leaves open.
    """
    found = smallest_detectable(one)
    if verdict(one).word == "better" or found is None:
        return ""
    ends = (points_text(value, one.decimals) for value in (found.low, found.high))
    return f"{points_text(found.difference, one.decimals)} ({' to '.join(ends)})"


def _by_segment(one: Comparison) -> str:
    """Return interval and corrected p with segments as units."""
    return f"{interval_text(one.low, one.high, True, one.decimals)}; {p_number(one.p_adjusted)}"


def size_table(curves: SizeCurves) -> Table:
    """Return score, spread and interval widths by test-set size."""
    rows = tuple(
        (
            f"{share:.0%}",
            str(int(curves.units[z])),
            label,
            points_text(curves.mean[z, t], curves.decimals),
            points_text(curves.spread[z, t], curves.decimals),
            interval_text(curves.low[z, t], curves.high[z, t], decimals=curves.decimals),
            f"± {points_text(curves.half_width[z, t], curves.decimals)}",
            "" if curves.is_difference else f"± {curves.relative[z, t]:.2f}%",
        )
        for z, share in enumerate(curves.shares)
        for t, label in enumerate(curves.labels)
    )
    header = ("size", f"{curves.unit}s", "system", curves.metric, "spread", "mean interval", "half width", "relative")
    caption = (
        f"Means over {int(curves.subsets.max())} random subsets of each size; spread is their standard deviation. "
        f"{curves.signature}"
    )
    return Table(caption, header, rows, (True, True, False, True, True, True, True, True))


def audited_p_text(one: Audited) -> str:
    """Return a test's p-value as it is printed, or the win rate of a method that has none."""
    if not one.has_p:
        return f"{one.win_rate:.1%} won" if one.test == KoehnWins.name else "no p"
    return p_number(one.p_value) + (" exact" if one.exact else "")


def drawing_error(one: Audited | Comparison | RunComparison) -> str:
    """Return what a simulated p-value, corrected if it is, could be if drawing never ended; nothing for others."""
    low, high = (one.p_low, one.p_high) if isinstance(one, Audited) else (one.adjusted_low, one.adjusted_high)
    return f"{p_number(low)} to {p_number(high)}" if low < high else ""


def audit_table(found: Audit) -> Table:
    """Return every test's p-value with its drawing error, the interval that goes with it, and why it differs."""
    rows = []
    for one in found:
        if one.problem is not None:
            rows.append((one.test, one.unit, "", "", "", "", one.problem))
            continue
        interval = interval_text(one.low, one.high, True, found.decimals)
        rows.append(
            (one.test, one.unit, audited_p_text(one), drawing_error(one), interval, decided_text(one), one.differs)
        )
    difference = points_text(found.difference, found.decimals, signed=True)
    level = f"{level_text(found.level)} interval"
    header = ("test", "unit", "p", "95% drawing error", level, "verdict", "why it differs")
    caption = (
        f"{found.first} minus {found.second}: {difference} {found.metric}. {audit_text(found)} "
        f"Not corrected for other comparisons. {found.signature}"
    )
    return Table(caption, header, tuple(rows), (False, False, True, True, True, False, False))


def decided_text(one: Audited) -> str:
    """Return the verdict by one test of an audit, with the reason where it is undecided."""
    if one.winner:
        return f"{one.winner} better"
    return f"{one.verdict}: {one.reason}" if one.reason else one.verdict


def dependence_table(found: Dependence, metric: str) -> Table:
    """Return what dependence within documents costs a difference, or a score."""
    rows = (
        ("intraclass correlation", f"{found.icc:.3f}".replace("-", "−")),
        ("design effect", f"{found.design_effect:.2f}"),
        ("segments", f"{found.segments:,} in {found.documents:,} documents"),
        ("effective segments", f"{found.effective_segments:,.0f}"),
    )
    return Table(dependence_text(found), (f"{found.target}, {metric}", ""), rows, (False, True))


def block_table(found: BlockScan, metric: str) -> Table:
    """Return the standard error by block length, which stands in where document ids are missing."""
    rows = tuple(
        (str(length), f"{ratio:.3f}", f"{limit:.3f}")
        for length, ratio, limit in zip(found.lengths, found.ratio, found.limit, strict=True)
    )
    header = ("neighbours taken together", "standard error, relative", "by chance")
    caption = (
        f"{found.target}, {metric}: without document ids, blocks of neighbouring segments stand in for documents. "
        "Ratios above the last column (95% of random orders stay below it) say that neighbours go together and "
        "intervals are too narrow; one of several above it may still be chance."
    )
    return Table(caption, header, rows, (True, True, True))


def printed_table(found: Sequence[Printed], metric: str) -> Table:
    """Return a baseline and a system as sacreBLEU prints them."""
    rows = tuple(
        (
            f"Baseline: {one.system}" if one.p_bootstrap is None else one.system,
            f"{one.score:.4f}",
            f"{one.mean:.4f} ± {one.half_width:.4f}",
            "" if one.p_bootstrap is None else f"{one.p_bootstrap:.4f}",
            "" if one.p_randomization is None else f"{one.p_randomization:.4f}",
        )
        for one in found
    )
    header = ("as sacreBLEU prints it", metric, "mean ± half width", "p, --paired-bs", "p, --paired-ar")
    return Table(PRINTED, header, rows, (False, True, True, True, True))


PRINTED = (
    "To the digit of sacreBLEU, segments as units. Its bootstrap p is about half of a two-sided p, and its interval is "
    "centred on the mean of the redraws."
)


def said_table(subject: str, said: str) -> Table:
    """Return a table of one line that says why there is none."""
    return Table(said, (subject,), (), (False,))


def ranks_table(found: Ranks) -> Table:
    """Return rank sets, clusters and the share of redraws in which a system scores best."""
    rows = tuple(
        (
            name,
            points_text(found.score[i], found.decimals),
            _places(found, i),
            str(found.cluster[i]),
            "" if np.isnan(found.best_share[i]) else f"{found.best_share[i]:.1%}",
        )
        for i, name in enumerate(found.systems)
    )
    header = ("system", "score", "ranks", "cluster", "best in redraws")
    return Table(ranks_text(found), header, rows, (False, True, True, True, True))


def _places(found: Ranks, i: int) -> str:
    low, high = found.rank_low[i], found.rank_high[i]
    return f"{low}" if low == high else f"{low}–{high}"


def runs_table(found: RunComparison) -> Table:
    """Return the comparison of two systems over several runs, with the parts of its variance and who varied."""
    known, varies = not isnan(found.variance), found.variance > 0
    spread = found.first_run_variance**0.5, found.second_run_variance**0.5
    rows = (
        ("difference", f"{points_text(found.difference, found.decimals, signed=True)} {found.metric}"),
        (f"{level_text(found.level)} interval", interval_text(found.low, found.high, True, found.decimals)),
        ("p", p_number(found.p_value)),
        *(((f"p of {found.family_size} (Holm)", p_number(found.p_adjusted)),) if found.family_size > 1 else ()),
        *((("its 95% drawing error", drawing_error(found)),) if varies else ()),
        ("standard error", points_text(found.variance**0.5, found.decimals + 1) if known else "none"),
        *((("of it by segments alone", points_text(found.segments**0.5, found.decimals + 1)),) if known else ()),
        ("of it by runs alone", points_text(found.runs**0.5, found.decimals + 1)),
        *((("share of variance from runs", f"{found.run_share:.0%}"),) if varies else ()),
        (f"standard deviation of the runs of {found.first}", points_text(spread[0], found.decimals + 1)),
        (f"standard deviation of the runs of {found.second}", points_text(spread[1], found.decimals + 1)),
        *((("degrees of freedom (Satterthwaite)", f"{found.df:.1f}"),) if varies else ()),
        ("draws and seed", f"{found.draws:,} and {found.seed}"),
    )
    caption = f"{runs_text(found)} Do not pick the best run of each system: the best of several is better by luck."
    return Table(caption, (f"{found.first} minus {found.second}", ""), rows, (False, False))


def margin_table(found: Sequence[MarginResult]) -> Table:
    """Return every pair of a metric against its margins."""
    rows = tuple(
        (
            one.first,
            one.second,
            claim_text(one),
            points_text(one.difference, one.decimals, signed=True),
            "" if isnan(one.low) else interval_text(one.low, one.high, True, one.decimals),
            p_number(one.p_value),
            p_number(one.p_adjusted),
            shown_text(one),
        )
        for one in found
    )
    first = found[0]
    level = level_text(1 - 2 * first.alpha)
    header = (
        "first",
        "second",
        "claim",
        f"Δ {first.metric}",
        f"{level} interval",
        "p",
        f"p of {first.family_size} (holm)",
        "",
    )
    caption = (
        f"Margins in points of {first.metric}, by one-sided t tests with the jackknife's standard error. "
        f"{margin_reasons_text(found)}Not shown does not mean refuted."
    )
    return Table(caption, header, rows, (False, False, False, True, True, True, True, False))


def claim_text(one: MarginResult) -> str:
    """Return what was to be shown of a pair."""
    return f"within ±{one.margin:g}" if one.kind == "equivalence" else f"at most {one.margin:g} worse"


def shown_text(one: MarginResult) -> str:
    """Return whether it was shown, in a word or two."""
    return "undecided" if one.shown is None else "shown" if one.shown else "not shown"


def needed_text(found: PowerAnalysis) -> str:
    """Return how many units are needed, with the range that the pilot leaves open: "about 640 (430 to 1,010)"."""
    if found.needed_low is None or found.needed_low == found.needed_high:
        return f"{found.needed:,}"
    return f"about {found.needed:,} ({found.needed_low:,} to {found.needed_high:,})"


def power_text(found: Power) -> str:
    """Return the power with the range that the pilot leaves open: "about 64% (41% to 86%)"."""
    if not found.low < found.high:
        return f"{found.power:.1%}"
    return f"about {found.power:.0%} ({found.low:.0%} to {found.high:.0%})"


def power_table(found: PowerAnalysis) -> Table:
    """Return what a future test set needs, and what this one rules out."""
    rows = []
    if found.difference is not None and found.needed is not None and found.power is not None:
        rows += [
            (f"{found.unit}s needed to find {found.difference:g} with {found.wanted:.0%} power", needed_text(found)),
            (f"power of {found.units:,} {found.unit}s for {found.difference:g}", power_text(found.power)),
            ("significant results with the wrong sign (type S)", f"{found.power.wrong_sign:.1%}"),
            ("exaggeration of significant results (type M)", f"× {found.power.exaggeration:.2f}"),
        ]
    for one in (found.equivalence, found.non_inferiority):
        if one is not None:
            said = equivalence_text(one, found.first, found.second, found.metric, found.decimals)
            rows.append((f"{one.kind} within {one.margin:g}", said))
    caption = (
        f"By the jackknife t test; ranges are what {units_text([found.units], found.unit)} leave open of their spread. "
        "Power is for a difference chosen beforehand; power for the observed difference would only repeat its p."
    )
    if found.comparisons > 1:
        caption += f" Size and power hold for each of {found.comparisons} comparisons after Bonferroni's correction."
    caption = f"{caption} {found.signature}"
    return Table(caption, (f"{found.first} minus {found.second}, {found.metric}", ""), tuple(rows), (False, False))
