"""People's verdicts beside a metric's, and what a metric does not see: headline and tables."""

from collections.abc import Sequence

from mtsig.corpus import listed, number_of
from mtsig.errors import NotApplicable
from mtsig.inference import Family, level_text, verdict
from mtsig.report.table import Column, Table
from mtsig.report.trust import known
from mtsig.trust import STATISTICS, SameOutputs, SameScore, Trust, Trusted, Underrated, VerdictTable

_WORDS = {
    "both, contrary": "Both, contrary: people say one, the metric the other",
    "both, same": "Both, the same system",
    "humans only": "People only: the metric does not",
    "metric only": "Metric only: people do not, on these ratings",
    "neither": "Neither",
    "undecided": "Undecided by people or metric",
}
"""What a page calls the six outcomes."""


def trust_headline(found: Trust, family: Family | None, statistic: str) -> str:
    """Return in one sentence which metric no other is shown better than, and on how many pairs people agree with it.

    Args:
        found: the pairwise accuracy and the statistic of every metric.
        family: the comparisons of the metrics by the statistic; None where there are none.
        statistic: its name.
    """
    systems = f"On these {number_of(len(found.judged.systems), 'system')}"
    if family is None:
        metric = _leading(found, statistic)
        return f"{systems} {_agree(found.of(metric, 'accuracy'))}."
    best = family.order[0]
    winners = [verdict(one).winner for one in family if best in (one.first, one.second)]
    above = [name for name in winners if name is not None and name != best]
    below = [one.first if one.second == best else one.second for one in family if verdict(one).winner == best]
    label = STATISTICS[statistic].label
    said = f"{listed(above) if above else 'no metric'} is shown better than {best}"
    worse = f", and {best} is shown better than {listed(below)}" if below else ""
    return f"{systems} {said}{worse} ({label}); {_agree(found.of(best, 'accuracy'))}."


def _leading(found: Trust, statistic: str) -> str:
    """Return the metric with the largest value; the first where none has one."""
    rows = [row for row in found if row.statistic == statistic] or [row for row in found if row.statistic == "accuracy"]
    return max(rows, key=lambda row: float("-inf") if row.value != row.value else row.value).metric


def _agree(row: Trusted) -> str:
    interval = ""
    if row.low == row.low:
        interval = f", {level_text(row.level)} interval {row.low:.0%} to {row.high:.0%}"
    share = "" if row.value != row.value else f" ({row.value:.0%}{interval})"
    return f"{row.metric} and people agree in sign on {row.right:.0f} of {number_of(row.groups, 'pair')}{share}"


def other_humans_text(found: Trust, statistic: str) -> str:
    """Return what comes out with human translations among the systems, or without; empty where none is there."""
    judged = found.judged
    rows = [row for row in found if row.statistic == statistic and row.with_humans == row.with_humans]
    try:
        other = judged.under("include" if judged.humans == "exclude" else "exclude")
    except NotApplicable:
        return ""
    if not rows:
        return ""
    how = "With" if other.humans == "include" else "Without"
    each = listed([f"{row.metric} {row.with_humans:.3f} (here {row.value:.3f})" for row in rows])
    return f"{how} human translations ({number_of(len(other.systems), 'system')}): {each}."


def verdict_counts_table(found: VerdictTable) -> Table:
    """Return how many pairs there are of every kind, contradictions first, beside what chance would give."""
    return Table.of(
        f"{number_of(len(found.pairs), 'pair')} of systems by {found.human} and by {found.metric}, each corrected for "
        "its own family. By chance: were the two verdicts independent.",
        (Column("who separates them"), [_WORDS[one.said] for one in found.counts]),
        (Column("pairs", "count"), [one.pairs for one in found.counts]),
        (Column("share", "share"), [one.share for one in found.counts]),
        (Column("by chance", "score", 1), [known(one.by_chance) for one in found.counts]),
        name="verdicts",
    )


def verdict_pairs_table(found: VerdictTable) -> Table:
    """Return every pair with what people and the metric say of it, contradictions first."""
    pairs = found.pairs
    return Table.of(
        "Differences: first minus second, positive where the first is better. Detectable: the difference that people's "
        "ratings would have shown with 80% power.",
        (Column("first"), [one.first for one in pairs]),
        (Column("second"), [one.second for one in pairs]),
        (Column("who separates them"), [one.said for one in pairs]),
        (Column(f"Δ {found.human}", "difference", 3), [one.human_difference for one in pairs]),
        (
            Column(f"interval, {found.human}", "interval", 3, signed=True),
            [_ends(one.human_low, one.human_high) for one in pairs],
        ),
        (Column(f"corrected p, {found.human}", "p"), [one.human_p for one in pairs]),
        (Column("detectable", "score", 3), [known(one.human_detectable) for one in pairs]),
        (Column(f"Δ {found.metric}", "difference", 3), [one.metric_difference for one in pairs]),
        (
            Column(f"interval, {found.metric}", "interval", 3, signed=True),
            [_ends(one.metric_low, one.metric_high) for one in pairs],
        ),
        (Column(f"corrected p, {found.metric}", "p"), [one.metric_p for one in pairs]),
        name="verdicts",
    )


def underrated_text(found: Underrated) -> str:
    """Return in a sentence whom the metric under- or overrates, on these systems."""
    flagged = sorted((one for one in found.residuals if one.flag), key=lambda one: -abs(one.mads))
    if not flagged:
        return f"No system is shown to be under- or overrated by {found.metric}, beside these others."
    return " ".join(
        f"{found.metric} {one.flag[:-1]}s {one.system}: people are {abs(one.mads):.1f} MADs "
        f"{'above' if one.residual > 0 else 'below'} what its score suggests."
        for one in flagged
    )


def underrated_table(found: Underrated) -> Table:
    """Return every system's distance from what the metric suggests, the largest first."""
    rows = sorted(found.residuals, key=lambda one: -abs(one.residual))
    return Table.of(
        f"People's score less what {found.metric} suggests (Theil–Sen line), in their points. Flagged: more than 2.5 "
        "MADs, and an interval without 0. The studentised residual of least squares hides two outliers of a kind.",
        (Column("system"), [one.system for one in rows]),
        (Column("residual", "difference", 3), [one.residual for one in rows]),
        (Column("interval", "interval", 3, signed=True), [_ends(one.low, one.high) for one in rows]),
        (Column("MADs", "difference", 1), [known(one.mads) for one in rows]),
        (Column("flagged"), [one.flag or None for one in rows]),
        (Column("studentised", "difference", 2), [known(one.studentized) for one in rows]),
        name="underrated",
    )


def same_score_table(found: Sequence[SameScore]) -> Table:
    """Return the pairs that people tell apart although the metric does not."""
    return Table.of(
        "People separate these pairs; the metric does not, and its difference is smaller than it could have found.",
        (Column("people prefer"), [one.better for one in found]),
        (Column("to"), [one.worse for one in found]),
        (Column("people's difference", "difference", 3), [one.human_difference for one in found]),
        (Column("metric's difference", "difference", 3), [one.metric_difference for one in found]),
        (Column("why"), [one.why for one in found]),
        name="same score",
    )


def same_outputs_table(found: Sequence[SameOutputs]) -> Table:
    """Return pairs of outputs with one score that people rate far apart; segments are counted from 1."""
    return Table.of(
        "Different outputs of one segment with the same score by the metric. Noise: by how much people rate identical "
        "outputs apart, in the mean.",
        (Column("segment", "count"), [one.segment + 1 for one in found]),
        (Column("people prefer"), [one.better for one in found]),
        (Column("to"), [one.worse for one in found]),
        (Column("metric's score of both", "number"), [one.score for one in found]),
        (Column("people's gap", "number"), [one.gap for one in found]),
        (Column("noise", "number"), [known(one.noise) for one in found]),
        name="same outputs",
    )


def _ends(low: float, high: float) -> tuple[float, float] | None:
    return None if low != low else (low, high)
