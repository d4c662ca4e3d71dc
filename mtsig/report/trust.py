"""Tables of how well metrics agree with people, and of which metric is better than which."""

from mtsig.inference import Comparison, Family, level_text, verdict
from mtsig.report.table import Column, Table
from mtsig.trust import ComparedMetrics, Trust


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
        (Column("without outliers", "score", 3), [_known(row.without_outliers) for row in rows]),
        (Column("tie threshold", "number"), [_known(row.epsilon) for row in rows]),
        (Column("cross-fitted", "score", 3), [_known(row.crossfit) for row in rows]),
        (Column("all ties", "score", 3), [_known(row.baseline) for row in rows]),
        (
            Column("without humans" if judged.humans == "include" else "with humans", "score", 3),
            [_known(row.with_humans) for row in rows],
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


def _verdict(row: Comparison) -> str:
    found = verdict(row)
    return f"{found.winner} better" if found.winner else found.word


def _over(found: Trust) -> str:
    return f"{found.unit}s and systems" if found.over == "both" else found.over


def _known(value: float) -> float | None:
    return None if value != value else value
