"""Scores, comparisons, ranks, margins and joint statements go in; tables come out."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import Any, Literal, TypeAlias, get_args

from mtsig import _say, inference
from mtsig._probability import level_text, points_text, range_text
from mtsig.corpus._notes import capital_first, is_human, listed, number_of
from mtsig.inference import Comparison, Family, Ranks, Verdict, _audit, _family, _intervals, _margins, _verdict
from mtsig.inference._verdict import verdict
from mtsig.report import _families
from mtsig.report._table import Cell, Column, Table, View

CI: TypeAlias = Literal["adjusted", "pair", "together"]
"""Which interval a table of comparisons shows: what agrees with the verdict, each pair's alone, or one of all."""

_SCORES = ("system", "kind", "units", "score", "interval", "half width")
VIEWS: Mapping[Literal["terminal", "document", "sets", "averages"], Sequence[str]] = {
    "terminal": (
        "first", "second", "units", "segments", "difference", *get_args(CI), "detectable", "p", "p corrected",
        "Monte Carlo interval", "bootstrap win rate", "verdict", "by default",
    ),
    "document": ("first", "second", "units", "difference", "adjusted", "p", "p corrected", "verdict", "by default"),
    "sets": (
        "set", "segments", "first", "second", "difference", "adjusted", "p", "p corrected", "units", "verdict",
        "by default",
    ),
    "averages": (
        "first", "second", "of sets", "difference", "adjusted", "p", "p corrected", "verdict", "by default", "sets",
        "lead", "sets differ", "new set", "better in at least",
    ),
}  # fmt: skip
"""What the tables of comparisons show of `comparison_columns`, terminals and notebooks in the first; pages choose."""
_MARGINS = ("first", "second", "claim", "difference", "interval", "one more", "p", "p corrected", "shown")


def score_table(intervals: inference.Intervals, places: Ranks | None = None, view: View = _SCORES) -> Table:
    """Make a table of scores with intervals, best first, and with ranks if given.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.report import score_table
    >>> statistics = mtsig.measure(mtsig.read_sample(), "chrf")
    >>> score_table(mtsig.Settings(n_resamples=500).intervals(statistics)).texts[0]
    ('direct', '47.39', '45.40 to 49.39', '± 1.99')
    """
    decimals, scores = intervals.decimals, intervals.by_score().records
    own = [Column(f"{intervals.unit}s", "count", key="units")] if len({score.units for score in scores}) > 1 else []
    return Table.of_rows(
        f"{_families.ranking_text(intervals)} {_say.units_text(intervals.units, intervals.unit)}. "
        f"{intervals.signature}",
        scores,
        Column("system"),
        Column("kind", of=lambda score: _kind(score.system, score.unranked)),
        *own,
        Column(intervals.metric, "score", decimals, key="score"),
        Column(f"{level_text(intervals.level)} CI", "interval", decimals, key="interval", of=_ends),
        Column("low", "score", decimals, of="ci_low"),
        Column("high", "score", decimals, of="ci_high"),
        Column("half width", "half width", decimals, of=_half_width),
        *(() if places is None else _places(places)),
        view=view,
    )


def _ends(row: Any) -> tuple[float, float] | str:
    return "none" if isnan(row.ci_low) else (row.ci_low, row.ci_high)


def _half_width(score: Any) -> float | None:
    """Return what to add to a score and to subtract; None of shares, and where an interval is cut at a bound."""
    half, off = (score.ci_high - score.ci_low) / 2, abs((score.ci_low + score.ci_high) / 2 - score.score)
    cut = score.interval == _intervals.Jackknife.name and off > 1e-6 * half
    return None if cut or score.interval in _intervals.OF_SHARES else half


def _kind(system: str, unranked: str = "") -> str | None:
    """Return what is no system like others among the systems; a table has no such column where all are."""
    return unranked or ("human translation" if is_human(system) else None)


_OF_RESAMPLES = " “Ranked first” describes the resamples; it is not a verdict."


def ranks_table(ranks: Ranks, view: View = ("system", "kind", "score", "ranks", "cluster", "ranked first")) -> Table:
    """Return rank sets, clusters and the share of redraws in which a system scores best."""
    return Table.of_rows(
        f"{_families.ranks_text(ranks)} Rank range: the best possible rank is one more than the number of "
        "significantly better systems. A new cluster begins at a position where every system above is significantly "
        f"better than every system below.{_OF_RESAMPLES if not all(map(isnan, ranks.bootstrap_best_rate)) else ''}",
        ranks,
        Column("system"),
        Column("kind", of=lambda place: _kind(place.system)),
        Column(ranks.metric, "score", ranks.decimals, key="score"),
        *_places(ranks),
        view=view,
    )


def _places(ranks: Ranks) -> Iterator[Column]:
    """Yield the columns of ranks, for rows that are of a system each."""
    places = {place.system: place for place in ranks}
    ranges = {name: range_text(place.rank_low, place.rank_high) for name, place in places.items()}
    yield Column("ranks", "range", of=lambda row: ranges[row.system])
    yield Column("cluster", "count", of=lambda row: places[row.system].cluster)
    yield Column("ranked first", "share", of=lambda row: places[row.system].bootstrap_best_rate)


def statement_table(joint_statements: inference.JointStatements) -> Table:
    """Return what several metrics say of every pair together, contradictions first."""
    form = (
        "better on all of them: the largest p, corrected only for the number of pairs"
        if joint_statements.form == "all"
        else "better on which of them: one family of all metrics and pairs, Holm"
    )
    caption = f"Joint results of {listed(joint_statements.metrics)} ({form}); contradictions first."
    if joint_statements.left_out:
        caption += f" {number_of(len(joint_statements.left_out), 'pair')} not compared on all metrics are left out."
    return Table.of_rows(
        caption,
        joint_statements.statements,
        Column("first"),
        Column("second"),
        Column("together", of="said"),
        Column("p of all", "p", of=lambda row: row.p_value if joint_statements.form == "all" else None),
        Column("statement", of="sentence"),
        name="statements",
    )


def statements_text(joint_statements: inference.JointStatements) -> str:
    """Return how many pairs the metrics contradict each other on, and on how many they agree."""
    said = [statement.said for statement in joint_statements.statements]
    names, pairs = listed(joint_statements.metrics), number_of(len(said), "pair")
    contrary = said.count("contradiction")
    apart = f"{names} give contradictory verdicts for {contrary or 'none'} of {pairs}"
    same = f"one system is significantly better on all of them for {said.count('all')}"
    some = f", on some of them for {said.count('some')}" if joint_statements.form == "which" else ""
    return f"{apart}; {same}{some}."


def comparison_table(
    family: Family, planned: _say.Planned = None, view: View | None = None, ci: CI = "adjusted", end: str | None = None
) -> Table:
    """Make a table of comparisons, sorted by score (see `Family.by_score`).

    `planned`: whether an analysis plan fixed the comparisons, if known. ci: the interval shown by default: "adjusted"
    agrees with the verdict, "pair" is unadjusted, and "together" covers all differences jointly. For every comparison
    that is not significant, the table shows the difference detectable with 80% power. end: the end of the caption; the
    default is the signature.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.report import comparison_table
    >>> family = mtsig.Settings(n_resamples=500).family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> table = comparison_table(family, view=("first", "second", "difference", "adjusted", "verdict"))
    >>> table.header, table.texts[0]  # doctest: +NORMALIZE_WHITESPACE
    (('first', 'second', 'Δ chrF2', 'adjusted CI', 'verdict'), ('direct', 'direct-us', '+0.53', '+0.26 to +0.80',
    'direct better'))
    """
    family = family.by_score()
    table = Table.of_rows("", family, *comparison_columns(family), view=view or _shown_p(family, _shown_ci(family, ci)))
    said = caption_parts(family, planned, table.names)
    return replace(table, caption=" ".join(filter(None, (*said, family.signature if end is None else end))))


def caption_parts(family: Family, planned: _say.Planned, shown: Collection[str]) -> tuple[str, ...]:
    """Return what the caption of a table of comparisons with these columns says, "" where there is nothing to say."""
    parts = (
        _families.counted_text(family),
        f"{capital_first(_families.method_text(family, planned, shown=shown))}.",
        f"Differences: {_sides(family)}.",
        reasons_text(family),
        never_text(family),
        _say.adjusted_text(family) if {"adjusted", "adjusted low"} & set(shown) else "",
        detectable_text(family) if "detectable" in shown else "",
        "“Not significant” does not mean equal.",
    )
    return tuple(map(str.strip, parts))


def _sides(family: Family) -> str:
    if not any(comparison.is_quality_metric for comparison in family):
        return "first minus second"
    if family.higher_is_better:
        return "first minus second, positive when the first is better"
    return "second minus first, so positive when the first is better (lower)"


def _shown_ci(family: Family, ci: CI) -> Sequence[str]:
    """Return the view with the intervals that are asked for; an interval of another method stands beside its own."""
    others = {comparison.interval for comparison in family} - _intervals.LIKE_ADJUSTED
    # Koehn's criterion has no p, and so no interval that agrees with one.
    alone = ci == "adjusted" and (others or all(map(isnan, family.adjusted_level)))
    shown = {ci} | ({"pair"} if alone else set())
    return [name for name in VIEWS["terminal"] if name not in get_args(CI) or name in shown]


def _shown_p(family: Family, view: Sequence[str]) -> Sequence[str]:
    """Return a view without the p-values that decide, where these are the test's own."""
    return [name for name in view if name != "p corrected" or _say.has_own_p(family)]


def comparison_columns(family: Family) -> tuple[Column, ...]:
    """Return all that tables of comparisons show; each view shows a part of it, and asks for no more."""
    own, decimals, m = len(set(family.units.tolist())) > 1, family[0].decimals, family.family_size
    # By documents, or for one pair alone, the segments say on how much of the ratings a comparison stands.
    partly = (len(set(family.segments.tolist())) > 1 or family.rated) and not (own and family.unit == "segment")
    return (
        Column("first"),
        Column("second"),
        Column(f"{family.unit}s", "count", key="units", of=lambda row: row.units if own else None),
        Column(
            f"{_say.counted_in(family.signature)}s",
            "count",
            key="segments",
            of=lambda row: row.segments if partly else None,
        ),
        Column(f"Δ {family.metric}", "difference", decimals, key="difference"),
        Column(_say.ci_name(family), "interval", decimals, True, key="adjusted", of=ci_cell),
        Column("adjusted low", "low end", decimals, of="adjusted_ci_low"),
        Column("adjusted high", "high end", decimals, of="adjusted_ci_high"),
        Column(_pair_ci(family), "interval", decimals, True, key="pair", of=_ends),
        Column(f"simultaneous for all {m:,}", "interval", decimals, True, key="together", of=_family.together_ends),
        Column("low", "low end", decimals, of="ci_low"),
        Column("high", "high end", decimals, of="ci_high"),
        Column("detectable", "range", of=detectable_number),
        Column("p", "p", of=lambda row: Cell(row.p_value, said="exact" if row.exact else "")),
        Column(f"p of {m} ({family.correction})", "p", key="p corrected", of="p_adjusted"),
        Column("Monte Carlo interval", "range", of=drawing_error),
        Column("bootstrap win rate", "share"),
        Column("verdict", of=lambda row: verdict(row).marked),
        Column("by default", of=by_default),
    )


def ci_cell(comparison: Comparison) -> tuple[float, float] | str | None:
    """Return the ends of the interval that agrees with the verdict, or in words what there is of it."""
    low, high = comparison.adjusted_ci_low, comparison.adjusted_ci_high
    if isnan(comparison.adjusted_level):
        return None
    return _say.ci_text(comparison, signed=True) if isnan(low) or isnan(high) else (low, high)


def _pair_ci(family: Family) -> str:
    """Return what the interval of a pair alone is called beside one that is adjusted, or by another method."""
    methods = {comparison.interval for comparison in family} - _intervals.LIKE_ADJUSTED
    if _say.adjusts(family) or len(methods) != 1:
        return f"{level_text(family.level)} CI{' of this pair alone' if _say.adjusts(family) else ''}"
    method = methods.pop()
    known = _intervals.INTERVALS.get(method)
    return f"{level_text(family.level)} CI ({method if known is None else known.of_differences})"


def by_default(comparison: Comparison) -> str:
    """Return the verdict of the default test beside another one's; nothing where there is none."""
    return _verdict.said_of(comparison.default_verdict or "", comparison.default_winner)


def reasons_text(family: Family) -> str:
    """Return why comparisons are withheld, how those without standard error were judged, and why to doubt verdicts."""
    return f"{withheld_text(family)}{_without_error(family)}{_families.caution_of_family(family)} ".lstrip()


def withheld_text(family: Family, most: int | None = None) -> str:
    """Return why comparisons are withheld and what leads on, the commonest reasons first, or `most` of them."""
    kinds: dict[tuple[str | None, str], list[Verdict]] = {}
    for decided in map(verdict, family):
        if decided.why:
            kinds.setdefault((decided.withheld, decided.step), []).append(decided)
    return _counted([said for alike in kinds.values() for said in len(alike) * [_why(alike)]], len(family), most)


def _why(alike: Sequence[Verdict]) -> str | None:
    """Return why these are withheld for one kind of reason, as it is for the first of them."""
    others = sum(decided.withheld_reason != alike[0].withheld_reason for decided in alike)
    if not others:
        return alike[0].why
    return f"{alike[0].withheld_reason}, likewise {number_of(others, 'other')}; {alike[0].step}"


def _without_error(family: Family) -> str:
    """Return how verdicts were found on comparisons whose score has no derivative; nothing where there are none."""
    lacking = [c for c in family if c.unmatched and verdict(c).word != "withheld"]
    if not lacking:
        return ""
    said = "; ".join(dict.fromkeys(c.unmatched for c in lacking))
    added = any(c.smoothed_difference != c.difference for c in lacking)
    how = f"by the jackknife on {family.metric}{' with one added to every count' if added else ''}"
    return (
        f"No standard error: {said}. {number_of(len(lacking), 'such comparison')} tested by random swaps of "
        f"{family.unit}s and {how}. "
    )


def _counted(reasons: Sequence[str | None], size: int, most: int | None = None) -> str:
    """Return each reason with how many have it, unless all do; of more than `most` the commonest, and how many more."""
    counts = Counter(filter(None, reasons))
    told = [reason if n == size else f"{reason} ({n})" for reason, n in counts.most_common(most)]
    left = counts.total() - sum(n for _, n in counts.most_common(most))
    told += [f"{number_of(left, 'more')} for other reasons (see the page of each pair)"] if left else []
    return f"Withheld: {'; '.join(told)}. " if told else ""


def never_text(family: Family) -> str:
    """Return which comparisons no difference can make significant; nothing when there is none."""
    few = [c for c in family if c.n_differing > 0 and _family.least_attainable(c) > c.alpha]
    said = "; ".join(f"{c.first} – {c.second} ({c.n_differing} of {c.units})" for c in few)
    return f"Too few {family.unit}s differ for a significant difference to be possible: {said}. " if said else ""


def detectable_text(family: Family) -> str:
    """Return what the detectable difference beside a comparison is."""
    corrected = family.family_size > 1 and family.corrected
    critical = " (Bonferroni's critical value)" if corrected else ""
    ends = f", which ends at the largest difference possible, {family.header.widest:g}" if _any_cut(family) else ""
    return (
        "Detectable: approximate true difference that would be detected with 80% power on test sets like this "
        f"one{critical}, with its range{ends}. "
    )


def _any_cut(family: Family) -> bool:
    """Return whether the range of a detectable difference was cut at the largest difference possible."""
    return any((found := inference.smallest_detectable(one)) is not None and found.cut for one in family)


def detectable_number(comparison: Comparison) -> str:
    """Return the smallest detectable difference of a comparison that is not significant, with its range; else nothing.

    The range is what the estimate of the spread leaves open.
    """
    smallest = inference.smallest_detectable(comparison)
    if verdict(comparison).word == "better" or smallest is None:
        return "none possible" if _say.shows_nothing(comparison) else ""
    ends = (points_text(value, comparison.decimals) for value in (smallest.low, smallest.high))
    return f"{points_text(smallest.difference, comparison.decimals)} ({' to '.join(ends)})"


def drawing_error(result: _audit.Audited | Comparison | inference.RunComparison) -> str:
    """Return what a simulated p-value, corrected if it is, could be if drawing never ended; nothing for others."""
    if isinstance(result, _audit.Audited):
        low, high = result.p_mc_low, result.p_mc_high
    else:
        low, high = result.p_adjusted_mc_low, result.p_adjusted_mc_high
    return f"{inference.p_number(low)} to {inference.p_number(high)}" if low < high else ""


def margin_table(
    margins: Sequence[_margins.MarginResult], view: View = _MARGINS, planned: _say.Planned = None, end: str = ""
) -> Table:
    """Return every pair of a metric against its margins; planned: whether an analysis plan fixed these.

    end: what the caption ends with.
    """
    uneven = f"{_say.UNEVEN} " if any(margin.uneven for margin in margins) else ""
    first, when = margins[0], "" if planned is None else f" {_say.DECLARED[planned]},"
    withheld = _counted([margin.withheld_reason for margin in margins], len(margins))
    return Table.of_rows(
        f"Margins in points of {first.metric},{when} by one-sided t tests with jackknife standard errors. "
        f"{withheld}{one_more_text(margins)}“Not established” does not mean that the systems "
        f"differ by more than the margin. {uneven}{end}".strip(),
        margins,
        Column("first"),
        Column("second"),
        Column("claim", of=claim_text),
        Column(f"Δ {first.metric}", "difference", first.decimals, key="difference"),
        Column(_say.margin_ci(first), "interval", first.decimals, True, key="interval", of=_say.margin_ends),
        Column("with one more document", key="one more", of=_say.one_more_ends),
        Column("p", "p", of="p_value"),
        Column(f"p of {first.family_size} (holm)", "p", key="p corrected", of="p_adjusted"),
        Column("", key="shown", of=shown_text),
        view=view,
    )


def one_more_text(margins: Sequence[_margins.MarginResult]) -> str:
    """Return what margins had to hold with besides, in one sentence; nothing where that was not asked."""
    if not any(margin.one_more_asked for margin in margins):
        return ""
    return (
        "“Established” means that the claim also holds with one more document (or block) like the most influential "
        "one, but against the claim. This halves the worst error rates, but they are still above the nominal level. "
    )


def claim_text(margin: _margins.MarginResult) -> str:
    """Return what was to be shown of a pair."""
    return f"within ±{margin.margin:g}" if margin.kind == "equivalence" else f"at most {margin.margin:g} worse"


def shown_text(margin: _margins.MarginResult) -> str:
    """Return whether it was shown, in a word or two."""
    return "withheld" if margin.established is None else "established" if margin.established else "not established"
