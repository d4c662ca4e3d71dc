"""What a notebook shows of a result: a result goes in, its table as HTML comes out."""

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from mtsig.experiments import SizeCurves
from mtsig.inference import Audit, Family, Intervals, Outlook, Ranks, RunComparison
from mtsig.report.paper_tables import paper_tables
from mtsig.report.recorded import RecordedFamily
from mtsig.report.study import Study
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


def _study(study: Study) -> Sequence[Table]:
    tables = []
    for one in paper_tables(study):
        rows = tuple(tuple(f"{cell.text}{cell.mark} {cell.beside}".strip() for cell in row) for row in one.rows)
        tables.append(Table(one.caption, one.header, rows, one.numeric))
    return tables


TABLES: dict[type, Callable[[Any], Sequence[Table]]] = {
    Family: lambda found: [comparison_table(found)],
    RecordedFamily: lambda found: [comparison_table(found)],
    Intervals: lambda found: [score_table(found)],
    Ranks: lambda found: [ranks_table(found)],
    Audit: lambda found: [audit_table(found)],
    RunComparison: lambda found: [runs_table(found)],
    Outlook: lambda found: [power_table(found)],
    SizeCurves: lambda found: [size_table(found)],
    Study: _study,
}
"""What stands for each kind of result."""


def html_of(result: object) -> str | None:
    """Return a result as HTML tables, every text of it escaped; None for what is no result of this program."""
    tables = TABLES.get(type(result))
    return None if tables is None else "\n".join(_html(table) for table in tables(result))


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
