"""Preferences as people read them: direct comparisons, the place shown first, raters, and gaps."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mtsig._probability import level_text
from mtsig._say import adjusts, ci_name
from mtsig.corpus._notes import number_of
from mtsig.inference import Comparison, verdict
from mtsig.preference._strengths import BOARDS, BoardRow
from mtsig.report._raters import agreement_table
from mtsig.report._table import Column, Table

if TYPE_CHECKING:
    from mtsig.meta_eval._rater_agreement import Agreement
    from mtsig.preference import Judged
    from mtsig.preference._quality import Gaps, PlaceEffect, RaterCounts


def direct_table(judged: "Judged") -> Table | None:
    """Return a row for every pair that was compared directly, with the verdicts of both analyses; None without any.

    A win rate counts a tie as half a win; its interval is cut at 0 and 100%.
    """
    family = judged.direct
    if family is None:
        return None
    ordered = family.by_score(judged.study.results[0].compared.order)
    wins, ties, losses = zip(*(judged.counts(row.first, row.second) for row in ordered), strict=True)
    modelled = None if judged.modelled is None else judged.modelled.compared
    interval = "adjusted" if adjusts(family) else level_text(family.level)
    beside = [None if modelled is None else modelled.pair(row.first, row.second) for row in ordered]
    return Table.of_rows(
        "Direct comparisons alone: number of preferences that each system of a pair won, and the first system's win "
        f"rate (a tie is half a win) with its {interval} CI by the jackknife over {family.unit}s. p is corrected for "
        f"{number_of(len(family), 'comparison')}.",
        ordered,
        Column("first"),
        Column("second"),
        (Column("won", "count"), wins),
        (Column("ties", "count"), ties),
        (Column("lost", "count"), losses),
        Column("win rate", "share", of=lambda row: (row.difference + 100) / 200),
        Column(ci_name(family), "range", of=_win_rates),
        Column("p corrected", "p", of="p_adjusted"),
        Column("verdict", of=lambda row: verdict(row).words),
        (Column("by strengths"), [None if row is None else verdict(row).words for row in beside]),
        name="head-to-head",
    )


def _win_rates(row: Comparison) -> str | None:
    ends = (row.adjusted_ci_low, row.adjusted_ci_high)
    ends = (row.ci_low, row.ci_high) if np.isnan(ends).any() else ends
    return None if np.isnan(ends).any() else "{:.1f}% to {:.1f}%".format(*np.clip((np.array(ends) + 100) / 2, 0, 100))


def places_of_first_table(effects: Sequence["PlaceEffect"]) -> Table:
    """Return how much the place shown first is preferred, by all raters and by each."""
    return Table.of_rows(
        "How often the system shown first would win against an equally good one, if there is no tie; 50% means no "
        "effect. Log odds with standard errors by the jackknife over documents; p of raters corrected by Holm.",
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
        "Missing answers, and the first system's wins minus losses (as a share): as given, if all missing answers had "
        "gone against it, and if all had favoured it.",
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
        f"Agreement on {number_of(agreements[0].outputs, 'comparison', ',')} of an item by several raters: ordinal α "
        f"treats a tie as lying between the two systems. Intervals: percentiles over resampled {agreements[0].unit}s. "
        "Agreement does not imply correctness."
    )
    return replace(shown, caption=said)


def board_table(rows: Sequence[BoardRow]) -> Table:
    """Return the numbers of a leaderboard, with what they leave out."""
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
