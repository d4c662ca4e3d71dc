"""Tables of how well metrics agree with people, and of which metric is better than which."""

from collections.abc import Sequence

from mtsig.inference import Comparison, Family, level_text, verdict
from mtsig.report.table import Column, Table
from mtsig.trust import ComparedMetrics, Guarded, Trust


def trust_table(found: Trust) -> Table:
    """Return a row for every metric and statistic; what belongs to one kind of statistic stands empty for others."""
    rows = list(found)
    judged = found.judged
    people = "with human translations" if judged.humans == "include" else "without human translations"
    caption = (
        f"Held against {found.human} on {len(judged.systems)} systems, {people}, and {judged.n:,} segments. Intervals: "
        f"percentiles of {found.draws:,} redraws of {_over(found)}, the same for all metrics, seed {found.seed}. "
        "Nothing is said of other systems than these, or systems like them."
    )
    return Table.of(
        caption,
        (Column("metric"), [row.metric for row in rows]),
        (Column("statistic"), [row.statistic for row in rows]),
        (Column("value", "score", 3), [row.value for row in rows]),
        (
            Column(f"{level_text(found.level[0])} interval", "interval", 3),
            [None if row.low != row.low else (row.low, row.high) for row in rows],
        ),
        (Column("by"), [row.by for row in rows]),
        (Column("groups", "count"), [row.groups for row in rows]),
        (Column("undefined", "count"), [row.undefined for row in rows]),
        (
            Column("without one system", "interval", 3, key="leave one out"),
            [None if row.loo_low != row.loo_low else (row.loo_low, row.loo_high) for row in rows],
        ),
        (Column("without outliers", "score", 3), [known(row.without_outliers) for row in rows]),
        (
            Column("right, of separated", "range"),
            [
                None
                if row.separated_pairs != row.separated_pairs
                else f"{row.separated_right:.0f} of {row.separated_pairs:.0f}"
                for row in rows
            ],
        ),
        (
            Column("by theory", "interval", 3),
            [None if row.theory_low != row.theory_low else (row.theory_low, row.theory_high) for row in rows],
        ),
        (Column("tie threshold", "number"), [known(row.epsilon) for row in rows]),
        (Column("cross-fitted", "score", 3), [known(row.crossfit) for row in rows]),
        (Column("all ties", "score", 3), [known(row.baseline) for row in rows]),
        (
            Column("without humans" if judged.humans == "include" else "with humans", "score", 3),
            [known(row.with_humans) for row in rows],
        ),
        name="trust",
    )


def metrics_table(family: Family) -> Table:
    """Return the comparisons of metrics: difference, interval, corrected p-value, verdict."""
    rows = list(family)
    others = family.others if isinstance(family, ComparedMetrics) else None
    caption = f"{family.metric}; {family.test.label}; {family.signature}; correction {family.correction}."
    if others is not None:
        caption += f" {family.other_systems}"
    return Table.of(
        caption,
        (Column("first"), [row.first for row in rows]),
        (Column("second"), [row.second for row in rows]),
        (Column("Δ", "difference", 4), [row.difference for row in rows]),
        (
            Column(f"{level_text(family.level)} interval", "interval", 4, signed=True),
            [None if row.low != row.low else (row.low, row.high) for row in rows],
        ),
        (Column("p", "p"), [row.p_value for row in rows]),
        (Column("corrected p", "p"), [row.p_adjusted for row in rows]),
        (Column("verdict"), [_verdict(row) for row in rows]),
        (Column("p, systems exchanged", "p"), None if others is None else others.p_adjusted.tolist()),
        name="metrics",
    )


def sentinels_table(guarded: Sequence[Guarded]) -> Table:
    """Return metrics beside what sees no more than a length, chance, or how hard a segment is."""
    return Table.of(
        "Metrics beside sentinels: differences with intervals from the redraws that both share.",
        (Column("metric"), [one.metric for one in guarded]),
        (Column("statistic"), [one.statistic for one in guarded]),
        (Column("sentinel"), [one.sentinel for one in guarded]),
        (Column("value", "score", 3), [known(one.value) for one in guarded]),
        (Column("of the sentinel", "score", 3), [known(one.sentinel_value) for one in guarded]),
        (
            Column("Δ interval", "interval", 3, signed=True),
            [None if one.low != one.low else (one.low, one.high) for one in guarded],
        ),
        (Column("so"), [one.sentence for one in guarded]),
        name="sentinels",
    )


def _verdict(row: Comparison) -> str:
    found = verdict(row)
    return f"{found.winner} better" if found.winner else found.word


def _over(found: Trust) -> str:
    return f"{found.unit}s and systems" if found.over == "both" else found.over


def known(value: float) -> float | None:
    """Return a number, or nothing where it is none: an empty cell."""
    return None if value != value else value
