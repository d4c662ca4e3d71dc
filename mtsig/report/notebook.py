"""What a notebook shows of a result: a result goes in, its table as HTML comes out."""

from collections.abc import Callable, Sequence
from functools import singledispatch
from typing import Any

from mtsig.ablation import SizeCurves
from mtsig.inference import (
    Audit,
    Comparison,
    Design,
    Family,
    Intervals,
    JointStatements,
    PowerAnalysis,
    Ranks,
    RunComparison,
    SlicedFamily,
    level_text,
    p_number,
    points_text,
)
from mtsig.report.designs import design_table
from mtsig.report.renderers import html
from mtsig.report.segments import leverage_table, segments_table
from mtsig.report.sets import sets_tables
from mtsig.report.slices import heterogeneity_table, slice_table
from mtsig.report.study_tables import paper_tables
from mtsig.report.table import Table
from mtsig.report.tables import (
    audit_table,
    comparison_table,
    power_table,
    ranks_table,
    runs_table,
    score_table,
    size_table,
    statement_table,
)
from mtsig.report.trust import trust_table
from mtsig.report.words import interval_text, verdict_text
from mtsig.segments import Leverage, Overview
from mtsig.sets import FamilyOverSets
from mtsig.study.record import Study
from mtsig.trust import Trust


def _comparison(comparison: Comparison) -> Sequence[Table]:
    ends = interval_text(comparison.low, comparison.high, True, comparison.decimals)
    rows = (
        ("difference", f"{points_text(comparison.difference, comparison.decimals, signed=True)} {comparison.metric}"),
        (f"{level_text(comparison.level)} interval", ends),
        ("p", p_number(comparison.p_value)),
        (f"p of {comparison.family_size}", p_number(comparison.p_adjusted)),
        (f"{comparison.unit}s, differing", f"{comparison.units:,}, {comparison.n_differing:,}"),
    )
    second = f"minus {comparison.second}"
    return [Table.of_text(verdict_text(comparison), (comparison.first, second), rows, right=(second,))]


@singledispatch
def tables_of(result: object) -> Sequence[Table]:
    """Return the tables that stand for a result; none for what is no result of this program."""
    del result
    return ()


_TABLES: dict[type, Callable[[Any], Sequence[Table]]] = {
    Family: lambda found: [comparison_table(found)],
    Intervals: lambda found: [score_table(found)],
    Ranks: lambda found: [ranks_table(found)],
    JointStatements: lambda found: [statement_table(found)],
    Trust: lambda found: [trust_table(found)],
    Audit: lambda found: [audit_table(found)],
    RunComparison: lambda found: [runs_table(found)],
    Design: lambda found: [design_table(found)],
    PowerAnalysis: lambda found: [power_table(found)],
    SizeCurves: lambda found: [size_table(found)],
    Study: paper_tables,
    Comparison: _comparison,
    Overview: lambda found: [leverage_table(found.leverage), segments_table(found)],
    Leverage: lambda found: [leverage_table(found)],
    SlicedFamily: lambda found: [slice_table(found), heterogeneity_table(found)],
    FamilyOverSets: sets_tables,
}
for _kind, _make in _TABLES.items():
    tables_of.register(_kind, _make)


def html_of(result: object) -> str | None:
    """Return a result as HTML tables, every text of it escaped; None for what is no result of this program."""
    return "\n".join(map(html, tables_of(result))) or None
