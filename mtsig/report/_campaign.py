"""Campaigns and preferences in tables.

Of campaigns: ranks by the rules of others, few ratings with a metric, samples to rate, error spans. Of preferences:
direct comparisons, the place shown first, raters, and gaps.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import bdtr

from mtsig._probability import interval_text, level_text, range_text
from mtsig._say import adjusts, ci_name
from mtsig.campaign._few import FewRatings, NeededRatings, SamplePlan
from mtsig.campaign._rules import RULES, Beside, rules_text
from mtsig.campaign._spans import SpanAgreement, spans_text
from mtsig.corpus._notes import listed, number_of
from mtsig.inference import Comparison
from mtsig.inference._verdict import verdict
from mtsig.report import _table
from mtsig.report._raters import agreement_table
from mtsig.report._table import Column, Table
from mtsig.report._tables import comparison_table

if TYPE_CHECKING:
    from mtsig.campaign import Judged
    from mtsig.campaign._quality import Gaps, PlaceEffect, RaterCounts
    from mtsig.campaign._strengths import BoardRow
    from mtsig.meta_eval._rater_agreement import Agreement


def official_table(sides: Sequence[Beside]) -> _table.Table:
    """Return the systems by a rule next to the rank sets of the corrected comparisons; of two, without some raters."""
    first = sides[0].official
    whose, systems = RULES[first.rule].whose, [row.system for row in first.records]
    columns = []
    for side in sides:
        ends = {row.system: (row.rank_low, row.rank_high) for row in side.official.records}
        valid = {row.system: (row.rank_low, row.rank_high) for row in side.places or ()}
        left = f", {number_of(len(side.left_out), 'rater')} left out" if side.left_out else ""
        columns += [
            (
                _table.Column(f"{title}{left}", "range"),
                [range_text(*of[name]) if name in of else None for name in systems],
            )
            for title, of in ((f"{whose}'s ranks", ends), ("valid ranks", valid))
        ]
    return _table.Table.of(
        f"{beside_text(sides)} Only the ranks of the corrected comparisons are valid.",
        (_table.Column("cluster", "count"), [row.cluster for row in first.records]),
        (_table.Column("system"), systems),
        (_table.Column(first.rating, "score"), [row.score for row in first.records]),
        *columns,
        name=f"{first.rule} {first.rating}",
        title=f"{whose}'s rule: {first.rule}",
    )


def beside_text(sides: Sequence[Beside]) -> str:
    """Return what a rule and the valid analysis call different, what the rule errs, and what a filter changes."""
    official, family = sides[0].official, sides[0].family
    valid = sides[0].counts[1]
    how = f"{family.test.label} over {family.unit}s"
    pairs = number_of(len(family), "pair")
    said = f"{rules_text(official)} The corrected comparisons ({how}) find {valid} of {pairs} significant."
    if len(sides) == 1:
        return said
    by_rule, without = sides[1].counts
    return (
        f"{said} Without ratings by {listed(sides[1].left_out)}, the rule calls {by_rule} pairs different, and "
        f"{without} are significant. Report both results."
    )


def few_ratings_tables(few: FewRatings) -> list[_table.Table]:
    """Return the comparisons that the verdict rests on, what the metric explains, and the other comparisons."""
    with_metric, alone = f"ratings and {few.metric}", "ratings alone"
    own, other = (with_metric, alone) if few.verdict == "metric" else (alone, with_metric)
    beside = few.alone if few.verdict == "metric" else few.assisted
    columns = ("first", "second", "difference", "adjusted", "p corrected")
    rows = few.records
    return [
        _table.Table.of(
            few.sentence,
            (_table.Column("first"), [row.first for row in rows]),
            (_table.Column("second"), [row.second for row in rows]),
            (it := _table.Column("adjusted R²", "score", of="r2_adjusted"), map(it.value, rows)),
            (_table.Column("λ", "number"), [row.weight for row in rows]),
            (_table.Column(f"rated {few.family.unit}s", "count"), [row.rated_documents for row in rows]),
            (
                _table.Column("rated segments", "count"),
                None if few.family.unit == "segment" else [row.rated_segments for row in rows],
            ),
            name="explained",
            title=f"What {few.metric} explains",
        ),
        _titled(comparison_table(few.family), f"The verdict: {own}"),
        _titled(comparison_table(beside, view=columns), f"For comparison, without a verdict: {other}"),
    ]


def _titled(table: _table.Table, title: str) -> _table.Table:
    return _table.Table(f"{title}. {table.caption}", table.columns, table.rows, table.name, title)


def needed_ratings_table(few: FewRatings, difference: float, power: float, price: float | None) -> _table.Table:
    """Return how many ratings find a true difference, without the metric and with it."""
    rows: tuple[NeededRatings, ...] = few.needed(difference, power=power, price=price)
    return _table.Table.of(
        f"Ratings of two systems needed to detect a true difference of {difference:g} in {few.human} with {power:.0%} "
        f"power, for the pair with the largest standard error; {few.metric} scores every segment in both designs.",
        (_table.Column("with"), [few.metric if row.with_metric else "ratings alone" for row in rows]),
        (_table.Column(f"{few.family.unit}s", "count"), [row.documents for row in rows]),
        (_table.Column("segments", "count"), None if few.family.unit == "segment" else [row.segments for row in rows]),
        (_table.Column("ratings", "count"), [row.ratings for row in rows]),
        (_table.Column("cost", "number"), None if price is None else [row.cost for row in rows]),
        name="needed ratings",
    )


def sample_table(plan: SamplePlan) -> _table.Table:
    """Return the segments that are to be rated, with the probability of each."""
    rows = [row for row in plan.records if row.chosen]
    return _table.Table.of(
        f"{plan.sentence} Use these probabilities in the analysis of the ratings; otherwise the results are biased.",
        (_table.Column("segment", "count"), [row.segment for row in rows]),
        (_table.Column("document"), [row.document for row in rows]),
        (_table.Column("inclusion probability", "number"), [row.inclusion for row in rows]),
        name="sample",
    )


def spans_tables(agreement: SpanAgreement) -> list[_table.Table]:
    """Return how far detectors, baselines and annotators agree with annotators, and how detectors differ."""
    rows = agreement.records
    tables = [
        _table.Table.of(
            spans_text(agreement),
            (_table.Column("who", key="name"), [row.name for row in rows]),
            (_table.Column("role"), [row.role for row in rows]),
            (_table.Column("precision", "score"), [row.precision for row in rows]),
            (_table.Column("recall", "score"), [row.recall for row in rows]),
            (f := _table.Column("F", "score", of="f"), map(f.value, rows)),
            (it := _table.Column(f"{level_text(agreement.level)} CI", "interval"), map(it.value, rows)),
            (_table.Column("marked", "number"), [row.predicted for row in rows]),
            (_table.Column("outputs", "count"), [row.outputs for row in rows]),
            name="spans",
        )
    ]
    tables += [comparison_table(agreement.family)] if agreement.family is not None else []
    return tables + ([comparison_table(agreement.below)] if agreement.below is not None else [])


def direct_table(judged: "Judged") -> Table | None:
    """Return a row for every pair that was compared directly, with the verdicts of both analyses; None without any.

    A win rate counts a tie as half a win. With margins it is their mean instead.
    """
    family = judged.head_to_head
    if family is None:
        return None
    ordered = family.by_score(judged.study.results[0].compared.order)
    wins, ties, losses = zip(*(judged.counts(row.first, row.second) for row in ordered), strict=True)
    modelled = judged.compared if judged.by_strengths else None if judged.modelled is None else judged.modelled.compared
    interval = "adjusted" if adjusts(family) else level_text(family.level)
    beside = [None if modelled is None else modelled.pair(row.first, row.second) for row in ordered]
    decided = np.add(wins, losses)
    sign = np.minimum(1.0, 2 * bdtr(np.minimum(wins, losses), decided, 0.5))
    by_margin = judged.asked.grades == "margin"
    rate, measured = (
        (Column("mean margin", "difference", 2, of="difference"), "the mean margin by which the first system wins")
        if by_margin
        else (Column("win rate", "share", of=_win_rate), "the first system's win rate (a tie is half a win)")
    )
    how = f"by the jackknife over {family.unit}s"
    how = how if by_margin else f"(Wilson's, with an effective number of judgements {how})"
    return Table.of_rows(
        "Direct comparisons only. For each pair: number of preferences that each system won, and "
        f"{measured} with its {interval} CI {how}. p is corrected for "
        f"{number_of(len(family), 'comparison')}. The classical sign test is given for comparison only: it treats all "
        "judgements without ties as independent, and is not corrected.",
        ordered,
        Column("first"),
        Column("second"),
        (Column("won", "count"), wins),
        (Column("ties", "count"), ties),
        (Column("lost", "count"), losses),
        rate,
        Column(ci_name(family), "range", of=_margins if by_margin else _win_rates),
        Column("p corrected", "p", of="p_adjusted"),
        Column("verdict", of=lambda row: verdict(row).words),
        (Column("by strengths"), [None if row is None else verdict(row).words for row in beside]),
        (Column("p (sign test)", "p"), np.where(decided > 0, sign, np.nan).tolist()),
        name="head-to-head",
    )


def pair_table(judged: "Judged", first: str, second: str) -> Table:
    """Return how often each of two systems won, by which was shown first, and by document."""
    rows = [(name, *(f"{count:,}" for count in counts)) for name, *counts in judged.split(first, second)]
    caption = f"Judgements of {first} and {second}, by the order shown and by document."
    return Table.of_text(caption, ("", f"{first} won", "ties", f"{second} won"), rows)


def _win_rate(row: Comparison) -> float:
    return (row.difference + 100) / 200


def _shown_ends(row: Comparison) -> tuple[float, float] | None:
    ends = (row.adjusted_ci_low, row.adjusted_ci_high)
    ends = (row.ci_low, row.ci_high) if np.isnan(ends).any() else ends
    return None if np.isnan(ends).any() else ends


def _win_rates(row: Comparison) -> str | None:
    ends = _shown_ends(row)
    return None if ends is None else "{:.1f}% to {:.1f}%".format(*(np.array(ends) + 100) / 2)


def _margins(row: Comparison) -> str | None:
    ends = _shown_ends(row)
    return None if ends is None else interval_text(*ends, True, 2)


def places_of_first_table(effects: Sequence["PlaceEffect"]) -> Table:
    """Return how much the place shown first is preferred, by all raters and by each."""
    return Table.of_rows(
        "How often the system shown first would win against an equal system, without ties; 50%: no effect. Log odds "
        "have standard errors by the jackknife over documents. The p-values of raters are corrected by Holm's method.",
        effects,
        Column("rater", key="who", of=lambda effect: effect.rater or "all"),
        Column("judgements", "count"),
        Column("first wins", "share"),
        Column("log odds", "difference", of="advantage"),
        Column("standard error", "score"),
        Column("p", "p", of="p_adjusted"),
        name="places",
    )


def rater_counts_table(counts: Sequence["RaterCounts"]) -> Table:
    return Table.of_rows(
        "Judgements of each rater; gaps are invalid or missing answers.",
        counts,
        Column("rater", key="who", of="rater"),
        Column("judgements", "count"),
        Column("gaps", "count"),
        Column("ties", "share"),
        Column("first wins", "share", of="first"),
        name="raters",
    )


def gaps_table(gaps: Sequence["Gaps"]) -> Table:
    """Return what the gaps of every pair could change."""
    return Table.of_rows(
        "Number of missing answers, and the first system's share of wins minus its share of losses. The three values "
        "are for the given answers only, with all missing answers against this system, and with all in its favour.",
        gaps,
        Column("first"),
        Column("second"),
        Column("gaps", "count"),
        Column("read", "count"),
        Column("net", "difference"),
        Column("at worst", "difference", of="worst"),
        Column("at best", "difference", of="best"),
        Column("verdict", of=lambda gap: {True: "would turn", False: "stays", None: "not computed"}[gap.turns]),
        name="gaps",
    )


def judged_alike_table(agreements: "Sequence[Agreement]") -> Table:
    """Return how far raters agree on the items and pairs that several judged."""
    shown = agreement_table(agreements)
    said = (
        f"Agreement on {number_of(agreements[0].outputs, 'comparison', ',')} of an item by several raters. Ordinal α "
        f"treats a tie as lying between the two systems. Intervals: percentiles over resampled {agreements[0].unit}s. "
        "Raters who agree need not be right."
    )
    return replace(shown, caption=said)


def board_table(rows: "Sequence[BoardRow]") -> Table:
    """Return the numbers of a leaderboard, with what they leave out."""
    from mtsig.campaign._strengths import BOARDS  # here, because campaigns need none of it

    rule = rows[0].board
    score = "Elo" if rule == "arena" else "win rate, %"
    return Table.of_rows(
        f"This is not the test behind the verdicts, but {BOARDS[rule]}",
        rows,
        Column("system"),
        Column(score, "score", 0 if rule == "arena" else 1, key="score"),
        Column("board's interval", "interval", 0, of="ci_low ci_high"),
        Column("judgements", "count"),
        name="board",
    )


def preference_tables(judged: "Judged") -> list[Table]:
    """Return every table there is of the direct comparisons and the judging."""
    direct = direct_table(judged)
    return [
        *([] if direct is None else [direct]),
        *([places_of_first_table(judged.places)] if judged.places else []),
        *([gaps_table(judged.gaps)] if judged.gaps else []),
        *([judged_alike_table(judged.agreement)] if judged.agreement else []),
        rater_counts_table(judged.raters),
    ]
