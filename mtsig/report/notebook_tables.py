"""What a notebook shows of a result: a result goes in, its table as HTML comes out."""

from collections.abc import Callable, Sequence
from functools import singledispatch
from html import escape
from typing import Any

from mtsig.ablation import SizeCurves
from mtsig.inference import (
    Audit,
    Comparison,
    Family,
    Intervals,
    PowerAnalysis,
    Ranks,
    RunComparison,
    SlicedFamily,
    level_text,
    p_number,
    points_text,
)
from mtsig.report.paper_tables import paper_tables
from mtsig.report.slices import heterogeneity_table, slice_table
from mtsig.report.tables import (
    Table,
    audit_table,
    comparison_table,
    power_table,
    ranks_table,
    runs_table,
    score_table,
    size_table,
)
from mtsig.report.words import interval_text, verdict_text
from mtsig.study.record import Study


def _study(study: Study) -> Sequence[Table]:
    tables = []
    for one in paper_tables(study):
        rows = tuple(tuple(f"{cell.text}{cell.mark} {cell.beside}".strip() for cell in row) for row in one.rows)
        tables.append(Table(one.caption, one.header, rows, one.numeric))
    return tables


def _comparison(one: Comparison) -> Sequence[Table]:
    rows = (
        ("difference", f"{points_text(one.difference, one.decimals, signed=True)} {one.metric}"),
        (f"{level_text(one.level)} interval", interval_text(one.low, one.high, True, one.decimals)),
        ("p", p_number(one.p_value)),
        (f"p of {one.family_size}", p_number(one.p_adjusted)),
        (f"{one.unit}s, differing", f"{one.units:,}, {one.n_differing:,}"),
    )
    return [Table(verdict_text(one), (one.first, f"minus {one.second}"), rows, (False, True))]


@singledispatch
def tables_of(result: object) -> Sequence[Table]:
    """Return the tables that stand for a result; none for what is no result of this program."""
    del result
    return ()


_TABLES: dict[type, Callable[[Any], Sequence[Table]]] = {
    Family: lambda found: [comparison_table(found)],
    Intervals: lambda found: [score_table(found)],
    Ranks: lambda found: [ranks_table(found)],
    Audit: lambda found: [audit_table(found)],
    RunComparison: lambda found: [runs_table(found)],
    PowerAnalysis: lambda found: [power_table(found)],
    SizeCurves: lambda found: [size_table(found)],
    Study: _study,
    Comparison: _comparison,
    SlicedFamily: lambda found: [slice_table(found), heterogeneity_table(found)],
}
for _kind, _make in _TABLES.items():
    tables_of.register(_kind, _make)


def html_of(result: object) -> str | None:
    """Return a result as HTML tables, every text of it escaped; None for what is no result of this program."""
    return "\n".join(_html(table) for table in tables_of(result)) or None


def _html(table: Table) -> str:
    head = _row("th", table.header, table.numeric)
    body = "\n".join(_row("td", row, table.numeric) for row in table.rows)
    caption = f"<caption style='caption-side: bottom; text-align: left'>{escape(table.caption)}</caption>"
    return f"<table>{caption}\n<thead>{head}</thead>\n<tbody>{body}</tbody>\n</table>"


def _row(tag: str, cells: Sequence[str], numeric: Sequence[bool]) -> str:
    found = (
        f"<{tag} style='text-align: {'right' if right else 'left'}'>{escape(cell)}</{tag}>"
        for cell, right in zip(cells, numeric, strict=True)
    )
    return f"<tr>{''.join(found)}</tr>"
