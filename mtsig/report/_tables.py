"""Scores, comparisons, ranks, margins and joint statements go in; tables come out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import isnan
from typing import Any, Literal, TypeAlias, get_args

from mtsig._probability import level_text, points_text
from mtsig.corpus._notes import is_human, listed, number_of
from mtsig.inference import (
    Comparison,
    Family,
    Intervals,
    JointStatements,
    Ranks,
    RunComparison,
    Verdict,
    p_number,
    smallest_detectable,
    verdict,
)
from mtsig.inference._audit import Audited
from mtsig.inference._family import least_attainable, together_ends
from mtsig.inference._intervals import Jackknife
from mtsig.inference._margins import MarginResult
from mtsig.inference._verdict import said_of
from mtsig.report._families import caution_of_family, family_text, ranking_text, ranks_text
from mtsig.report._say import (
    UNEVEN,
    Planned,
    adjusted_text,
    adjusts,
    ci_name,
    ci_text,
    has_own_p,
    range_text,
    units_text,
)
from mtsig.report._table import Cell, Column, Table, View

CI: TypeAlias = Literal["adjusted", "pair", "together"]
"""Which interval a table of comparisons shows: what agrees with the verdict, each pair's alone, or one of all."""

# Views of the terminal and of notebooks; documents and pages have their own.
_SCORES = ("system", "kind", "units", "score", "interval", "half width")
_COMPARISONS = (
    "first", "second", "units", "segments", "difference", *get_args(CI), "detectable", "p", "p corrected",
    "95% drawing error", "resamples won", "verdict", "by default",
)  # fmt: skip
_MARGINS = ("first", "second", "claim", "difference", "interval", "one more", "p", "p corrected", "shown")


def score_table(intervals: Intervals, places: Ranks | None = None, view: View = _SCORES) -> Table:
    """Return the systems, best first, with score and interval, and with their places where these are given.

    >>> import mtsig
    >>> from mtsig.report import score_table
    >>> statistics = mtsig.measure(mtsig.read_sample(), "chrf")
    >>> score_table(mtsig.Settings(n_resamples=500).intervals(statistics)).texts[0]
    ('direct', '47.39', '45.40 to 49.39', '± 1.99')
    """
    decimals, scores = intervals.decimals, intervals.by_score().records
    own = len({score.units for score in scores}) > 1
    return Table.of(
        f"{ranking_text(intervals)} {units_text(intervals.units, intervals.unit)}. {intervals.signature}",
        (Column("system"), (score.system for score in scores)),
        (Column("kind"), (_kind(score.system, score.apart) for score in scores)),
        (Column(f"{intervals.unit}s", "count", key="units"), (score.units for score in scores) if own else None),
        (Column(intervals.metric, "score", decimals, key="score"), (score.score for score in scores)),
        (Column(f"{level_text(intervals.level)} interval", "interval", decimals, key="interval"), _ends(scores)),
        (Column("low", "score", decimals), (score.ci_low for score in scores)),
        (Column("high", "score", decimals), (score.ci_high for score in scores)),
        (Column("half width", "half width", decimals), ((score.ci_high - score.ci_low) / 2 for score in scores)),
        *(() if places is None else _places(places, [score.system for score in scores])),
        view=view,
    )


def _ends(records: Iterable[Any]) -> Iterator[tuple[float, float]]:
    return ((record.ci_low, record.ci_high) for record in records)


def _kind(system: str, apart: str = "") -> str | None:
    """Return what is no system like others among the systems; a table has no such column where all are."""
    return apart or ("human translation" if is_human(system) else None)


def ranks_table(ranks: Ranks, view: View = ("system", "kind", "score", "ranks", "cluster", "best in redraws")) -> Table:
    """Return rank sets, clusters and the share of redraws in which a system scores best."""
    score = Column("score", "score", ranks.decimals)
    return Table.of(
        ranks_text(ranks),
        (Column("system"), ranks.systems),
        (Column("kind"), map(_kind, ranks.systems)),
        (score, ranks.score),
        *_places(ranks, ranks.systems),
        view=view,
    )


def statement_table(joint_statements: JointStatements) -> Table:
    """Return what several metrics say of every pair together, contradictions first.

    >>> import mtsig
    >>> from mtsig.inference import joint_statements
    >>> from mtsig.report._tables import statement_table
    >>> corpus = mtsig.read_sample()
    >>> families = mtsig.Settings(n_resamples=500).families([mtsig.measure(corpus, name) for name in ("bleu", "chrf")])
    >>> statement_table(joint_statements(families)).texts[0]  # doctest: +NORMALIZE_WHITESPACE
    ('direct', 'direct-us', 'all', '.0051', 'direct is better than direct-us by all of BLEU and chrF2: the largest p
    = .0051, corrected for 10 pairs.')
    """
    rows = joint_statements.statements
    form = (
        "better by all of them: the largest p, corrected for the number of pairs alone"
        if joint_statements.form == "all"
        else "better by which of them: one family of all metrics and pairs, by Holm"
    )
    caption = f"What {listed(joint_statements.metrics)} say together ({form}); contradictions first."
    if joint_statements.left_out:
        caption += f" {number_of(len(joint_statements.left_out), 'pair')} that not all of them compare left out."
    return Table.of(
        caption,
        (Column("first"), [row.first for row in rows]),
        (Column("second"), [row.second for row in rows]),
        (Column("together"), [row.said for row in rows]),
        (Column("p of all", "p"), [row.p_value for row in rows] if joint_statements.form == "all" else None),
        (Column("statement"), [row.sentence for row in rows]),
        name="statements",
    )


def statements_text(joint_statements: JointStatements) -> str:
    """Return how many pairs the metrics contradict each other on, and on how many they agree.

    >>> import mtsig
    >>> from mtsig.inference import joint_statements
    >>> from mtsig.report._tables import statements_text
    >>> corpus = mtsig.read_sample()
    >>> families = mtsig.Settings(n_resamples=500).families([mtsig.measure(corpus, name) for name in ("bleu", "chrf")])
    >>> print(statements_text(joint_statements(families)))
    BLEU and chrF2 contradict each other on none of 10 pairs; one system is shown better by all of them on 9.
    """
    said = [statement.said for statement in joint_statements.statements]
    names, pairs = listed(joint_statements.metrics), number_of(len(said), "pair")
    contrary = said.count("contrary")
    apart = f"{names} contradict each other on {contrary or 'none'} of {pairs}"
    same = f"one system is shown better by all of them on {said.count('all')}"
    some = f", by some of them on {said.count('some')}" if joint_statements.form == "which" else ""
    return f"{apart}; {same}{some}."


def _places(ranks: Ranks, systems: Sequence[str]) -> tuple[tuple[Column, Iterable[Any]], ...]:
    places = {place.system: place for place in ranks}
    taken = [places[system] for system in systems]
    return (
        (Column("ranks", "range"), (range_text(place.rank_low, place.rank_high) for place in taken)),
        (Column("cluster", "count"), (place.cluster for place in taken)),
        (Column("best in redraws", "share"), (place.bootstrap_best_rate for place in taken)),
    )


def comparison_table(family: Family, planned: Planned = None, view: View | None = None, ci: CI = "adjusted") -> Table:
    """Return the comparisons by score (see `Family.by_score`): difference, interval, p-values, win rate and verdict.

    `planned`: whether an analysis plan asked for them, where that is known. ci: the interval that stands there without
    a view: "adjusted" agrees with the verdict, "pair" is that of each pair alone, and "together" holds for all. Beside
    every comparison that is not significant stands the true difference that it would have found with 80% power.

    >>> import mtsig
    >>> from mtsig.report import comparison_table
    >>> family = mtsig.Settings(n_resamples=500).family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> table = comparison_table(family, view=("first", "second", "difference", "adjusted", "verdict"))
    >>> table.header, table.texts[0]  # doctest: +NORMALIZE_WHITESPACE
    (('first', 'second', 'Δ chrF2', 'adjusted CI', 'verdict'), ('direct', 'direct-us', '+0.53', '+0.26 to +0.80',
    'direct better'))
    """
    family = family.by_score()
    table = Table.of("", *comparison_columns(family), view=view or _shown_p(family, _shown_ci(family, ci)))
    notes = f"{reasons_text(family)}{never_text(family)}"
    if {"adjusted", "adjusted low"} & set(table.names) and (said := adjusted_text(family)):
        notes += f"{said} "
    notes += detectable_text(family) if "detectable" in table.names else ""
    return replace(table, caption=f"{family_text(family, planned)} {notes}{family.signature}")


def _shown_ci(family: Family, ci: CI) -> Sequence[str]:
    """Return the view with the intervals that are asked for; an interval of another method stands beside its own."""
    others = {comparison.interval for comparison in family} - {Jackknife.name, "none"}
    # Koehn's criterion has no p, and so no interval that agrees with one.
    alone = ci == "adjusted" and (others or all(map(isnan, family.adjusted_level)))
    shown = {ci} | ({"pair"} if alone else set())
    return [name for name in _COMPARISONS if name not in get_args(CI) or name in shown]


def _shown_p(family: Family, view: Sequence[str]) -> Sequence[str]:
    """Return a view without the p-values that decide, where these are the test's own."""
    return [name for name in view if name != "p corrected" or has_own_p(family)]


def comparison_columns(family: Family) -> tuple[tuple[Column, Iterable[Any] | None], ...]:
    """Return all that tables of comparisons show; each view shows a part of it, and asks for no more."""
    own, decimals, m = len(set(family.units.tolist())) > 1, family[0].decimals, family.family_size
    # By documents, or for one pair alone, the segments say on how much of the ratings a comparison stands.
    partly = len(set(family.segments.tolist())) > 1 or family.rated
    return (
        (Column("first"), family.first),
        (Column("second"), family.second),
        (Column(f"{family.unit}s", "count", key="units"), family.units if own else None),
        (Column("segments", "count"), family.segments if partly and not (own and family.unit == "segment") else None),
        (Column(f"Δ {family.metric}", "difference", decimals, key="difference"), family.difference),
        (Column(ci_name(family), "interval", decimals, True, key="adjusted"), map(ci_cell, family)),
        (Column("adjusted low", "low end", decimals), family.adjusted_ci_low),
        (Column("adjusted high", "high end", decimals), family.adjusted_ci_high),
        (Column(_pair_ci(family), "interval", decimals, True, key="pair"), _ends(family)),
        (Column(f"all {m:,} hold together", "interval", decimals, True, key="together"), _together(family)),
        (Column("low", "low end", decimals), family.ci_low),
        (Column("high", "high end", decimals), family.ci_high),
        (Column("detectable", "range"), (detectable_number(c) or None for c in family)),
        (Column("p", "p"), (Cell(c.p_value, said="exact" if c.exact else "") for c in family)),
        (Column(f"p of {m} ({family.correction})", "p", key="p corrected"), family.p_adjusted),
        (Column("95% drawing error", "range"), (drawing_error(c) or None for c in family)),
        (Column("resamples won", "share"), family.bootstrap_win_rate),
        (Column("verdict"), (verdict(comparison).marked for comparison in family)),
        (Column("by default"), by_default(family)),
    )


def ci_cell(comparison: Comparison) -> tuple[float, float] | str | None:
    """Return the ends of the interval that agrees with the verdict, or in words what there is of it."""
    low, high = comparison.adjusted_ci_low, comparison.adjusted_ci_high
    if isnan(comparison.adjusted_level):
        return None
    return ci_text(comparison, signed=True) if isnan(low) or isnan(high) else (low, high)


def _pair_ci(family: Family) -> str:
    """Return what the interval of a pair alone is called beside one that is adjusted."""
    alone = f"{level_text(family.level)} CI of this pair alone"
    return alone if adjusts(family) else f"{level_text(family.level)} interval"


def _together(family: Family) -> Iterator[tuple[float, float]]:
    return zip(*(ends.tolist() for ends in together_ends(family)), strict=True)


def by_default(family: Family) -> list[str] | None:
    """Return the verdicts of the default test beside another one's; nothing where there are none."""
    said = [said_of(each.default_verdict or "", each.default_winner) for each in family]
    return said if any(said) else None


def reasons_text(family: Family) -> str:
    """Return why comparisons are withheld, how those without standard error were judged, and why to doubt verdicts."""
    return f"{withheld_text(family)}{_judged_without_error(family)}{caution_of_family(family)} ".lstrip()


def withheld_text(family: Family, most: int | None = None) -> str:
    """Return why comparisons are withheld and what leads on, the commonest reasons first, or `most` of them.

    >>> import mtsig
    >>> from mtsig.report._tables import withheld_text
    >>> outputs = {"good": ["the cat sat on the mat"] * 12, "empty": [""] * 12, "odd": ["xyz"] * 12}
    >>> corpus = mtsig.Corpus.of(outputs, {"ref": ["the cat sat on the mat now"] * 12})
    >>> settings = mtsig.Settings(n_resamples=500, correction="none")
    >>> family = settings.family(mtsig.measure(corpus, "bleu"), [("empty", "odd")])
    >>> print(withheld_text(family))  # doctest: +NORMALIZE_WHITESPACE
    Withheld: both scores rest on smoothing ('empty' and 'odd' have no 1-gram match); compare by a mean of sentence
    scores, such as sentchrf.
    """
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


def _judged_without_error(family: Family) -> str:
    """Return how verdicts were found on comparisons whose score has no derivative; nothing where there are none."""
    lacking = [c for c in family if c.unmatched and verdict(c).word != "withheld"]
    if not lacking:
        return ""
    said = "; ".join(dict.fromkeys(c.unmatched for c in lacking))
    added = any(c.smoothed_difference != c.difference for c in lacking)
    how = f"by the jackknife on {family.metric}{' with one added to every count' if added else ''}"
    return (
        f"No standard error: {said}. {number_of(len(lacking), 'comparison')} with it judged by exchange of "
        f"{family.unit}s and {how}. "
    )


def margin_reasons_text(margins: Sequence[MarginResult]) -> str:
    """Return why margins are withheld, in one sentence; nothing when none is."""
    return _counted([margin.withheld_reason for margin in margins], len(margins))


def _counted(reasons: Sequence[str | None], size: int, most: int | None = None) -> str:
    """Return each reason with how many have it, unless all do; of more than `most` the commonest, and how many more."""
    counts = Counter(filter(None, reasons))
    told = [reason if n == size else f"{reason} ({n})" for reason, n in counts.most_common(most)]
    left = counts.total() - sum(n for _, n in counts.most_common(most))
    told += [f"{number_of(left, 'more')} for other reasons, on the page of each pair"] if left else []
    return f"Withheld: {'; '.join(told)}. " if told else ""


def never_text(family: Family) -> str:
    """Return which comparisons no difference can make significant; nothing when there is none."""
    few = [c for c in family if c.n_differing > 0 and least_attainable(c) > c.alpha]
    said = "; ".join(f"{c.first} – {c.second} ({c.n_differing} of {c.units})" for c in few)
    return f"So few {family.unit}s differ that no difference can be significant: {said}. " if said else ""


def detectable_text(family: Family) -> str:
    """Return what the detectable difference beside a comparison is.

    >>> import mtsig
    >>> from mtsig.report._tables import detectable_text
    >>> study = mtsig.compare({"A": [3, 4, 5, 5], "B": [3, 4, 4, 6]}, higher_is_better=True)
    >>> print(detectable_text(study.results[0].compared).strip())  # doctest: +NORMALIZE_WHITESPACE
    Detectable: about the true difference that would be detected with 80% power, on average over test sets like this
    one, and its range.
    """
    corrected = family.family_size > 1 and family.corrected
    critical = ", by Bonferroni's critical value" if corrected else ""
    return (
        "Detectable: about the true difference that would be detected with 80% power, on average over test sets like "
        f"this one{critical}, and its range. "
    )


def detectable_number(comparison: Comparison) -> str:
    """Return the smallest detectable difference of a comparison that is not significant, with its range; else nothing.

    The range is what the estimate of the spread leaves open.
    """
    smallest = smallest_detectable(comparison)
    if verdict(comparison).word == "better" or smallest is None:
        return ""
    ends = (points_text(value, comparison.decimals) for value in (smallest.low, smallest.high))
    return f"{points_text(smallest.difference, comparison.decimals)} ({' to '.join(ends)})"


def drawing_error(result: Audited | Comparison | RunComparison) -> str:
    """Return what a simulated p-value, corrected if it is, could be if drawing never ended; nothing for others."""
    if isinstance(result, Audited):
        low, high = result.p_mc_low, result.p_mc_high
    else:
        low, high = result.p_adjusted_mc_low, result.p_adjusted_mc_high
    return f"{p_number(low)} to {p_number(high)}" if low < high else ""


def margin_table(margins: Sequence[MarginResult], view: View = _MARGINS) -> Table:
    """Return every pair of a metric against its margins."""
    first = margins[0]
    return Table.of(
        f"Margins in points of {first.metric}, by one-sided t tests with the jackknife's standard error. "
        f"{margin_reasons_text(margins)}{one_more_text(margins)}Not shown does not mean refuted."
        f"{f' {UNEVEN}' if any(margin.uneven for margin in margins) else ''}",
        (Column("first"), (margin.first for margin in margins)),
        (Column("second"), (margin.second for margin in margins)),
        (Column("claim"), map(claim_text, margins)),
        (
            Column(f"Δ {first.metric}", "difference", first.decimals, key="difference"),
            (margin.difference for margin in margins),
        ),
        (
            Column(_margin_ci(first), "interval", first.decimals, True, key="interval"),
            ("" if isnan(low) else (low, high) for low, high in map(_margin_ends, margins)),
        ),
        (Column("with one more document", key="one more"), map(_one_more_ends, margins)),
        (Column("p", "p"), (margin.p_value for margin in margins)),
        (Column(f"p of {first.family_size} (holm)", "p", key="p corrected"), (margin.p_adjusted for margin in margins)),
        (Column("", key="shown"), map(shown_text, margins)),
        view=view,
    )


def _margin_ci(margin: MarginResult) -> str:
    """Return what the intervals beside margins are called."""
    adjusted = margin.family_size > 1 and not isnan(margin.adjusted_level)
    return "adjusted CI" if adjusted else f"{level_text(1 - 2 * margin.alpha)} interval"


def _margin_ends(margin: MarginResult) -> tuple[float, float]:
    """Return the interval that agrees with what was shown; of one pair, or without a p, that at 1 − 2 alpha."""
    if margin.family_size == 1 or isnan(margin.ci_low) or isnan(margin.adjusted_level):
        return margin.ci_low, margin.ci_high
    return margin.adjusted_ci_low, margin.adjusted_ci_high


def one_more_text(margins: Sequence[MarginResult]) -> str:
    """Return what margins had to hold with besides, in one sentence; nothing where that was not asked."""
    if not any(margin.one_more_asked for margin in margins):
        return ""
    return (
        "Shown: this holds even with one more document (or block) like the heaviest, against the claim. That halves "
        "the worst error rates and does not bring them to the nominal level. "
    )


def _one_more_ends(margin: MarginResult) -> str | None:
    """Return the bounds with one more document like the heaviest; None where they were not asked or have no value."""
    if isnan(margin.one_more_low):
        return None
    low, high = (points_text(end, margin.decimals, True) for end in (margin.one_more_low, margin.one_more_high))
    return f"above {low}" if margin.kind == "non-inferiority" else f"{low} to {high}"


def claim_text(margin: MarginResult) -> str:
    """Return what was to be shown of a pair."""
    return f"within ±{margin.margin:g}" if margin.kind == "equivalence" else f"at most {margin.margin:g} worse"


def shown_text(margin: MarginResult) -> str:
    """Return whether it was shown, in a word or two."""
    return "withheld" if margin.established is None else "shown" if margin.established else "not shown"
