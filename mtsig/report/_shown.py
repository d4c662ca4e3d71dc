"""Any result goes in; its tables come out, as notebooks and terminals show them."""

from collections.abc import Callable, Sequence
from functools import singledispatch
from typing import Any

from mtsig._probability import level_text, points_text
from mtsig.collection import FamilyOverSets, ScoresOverSets
from mtsig.gate import GateResult
from mtsig.inference import (
    Audit,
    Comparison,
    Family,
    Intervals,
    JointStatements,
    PowerAnalysis,
    Ranks,
    RunComparison,
    SlicedFamily,
    p_number,
)
from mtsig.inference._design import Design
from mtsig.meta_eval import MetaEval
from mtsig.report._diagnostics import audit_table, power_table, runs_table, size_table
from mtsig.report._gate import gate_table
from mtsig.report._meta_eval import trust_table
from mtsig.report._over_sets import heterogeneity_table, sets_tables, slice_table
from mtsig.report._paper import paper_tables, scores_over_sets_table
from mtsig.report._raters import design_table
from mtsig.report._say import adjusts, ci_name, ci_text, interval_text, verdict_text
from mtsig.report._segments import leverage_table, segments_table
from mtsig.report._table import Table, html
from mtsig.report._tables import comparison_table, ranks_table, score_table, statement_table
from mtsig.segments import Leverage, Overview, SizeCurves
from mtsig.study import Study


def _comparison(comparison: Comparison) -> Sequence[Table]:
    alone = interval_text(comparison.ci_low, comparison.ci_high, True, comparison.decimals)
    rows = (
        ("difference", f"{points_text(comparison.difference, comparison.decimals, signed=True)} {comparison.metric}"),
        (ci_name(comparison), ci_text(comparison, signed=True)),
        *(((f"{level_text(comparison.level)} CI of this pair alone", alone),) if adjusts(comparison) else ()),
        ("p", p_number(comparison.p_value)),
        (f"p of {comparison.family_size}", p_number(comparison.p_adjusted)),
        (f"{comparison.unit}s, differing", f"{comparison.units:,}, {comparison.n_differing:,}"),
    )
    second = f"minus {comparison.second}"
    return [Table.of_text(verdict_text(comparison), (comparison.first, second), rows, right=(second,))]


@singledispatch
def tables_of(result: object) -> Sequence[Table]:
    """Return the tables that stand for a result; none for what is no result of this program.

    >>> import mtsig
    >>> from mtsig.report._shown import tables_of
    >>> family = mtsig.Settings(n_resamples=500).family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> [len(table.rows) for table in tables_of(family)], tables_of("no result")
    ([10], ())
    """
    del result
    return ()


_TABLES: dict[type, Callable[[Any], Sequence[Table]]] = {
    Family: lambda result: [comparison_table(result)],
    Intervals: lambda result: [score_table(result)],
    Ranks: lambda result: [ranks_table(result)],
    JointStatements: lambda result: [statement_table(result)],
    MetaEval: lambda result: [trust_table(result)],
    Audit: lambda result: [audit_table(result)],
    RunComparison: lambda result: [runs_table(result)],
    Design: lambda result: [design_table(result)],
    PowerAnalysis: lambda result: [power_table(result)],
    SizeCurves: lambda result: [size_table(result)],
    Study: paper_tables,
    Comparison: _comparison,
    Overview: lambda result: [leverage_table(result.leverage), segments_table(result)],
    Leverage: lambda result: [leverage_table(result)],
    SlicedFamily: lambda result: [slice_table(result), heterogeneity_table(result)],
    FamilyOverSets: sets_tables,
    ScoresOverSets: lambda result: [scores_over_sets_table(result)],
    GateResult: lambda result: [gate_table(result)],
}
for _kind, _make in _TABLES.items():
    tables_of.register(_kind, _make)


def html_of(result: object) -> str | None:
    """Return a result as HTML tables, every text of it escaped; None for what is no result of this program."""
    return "\n".join(map(html, tables_of(result))) or None
