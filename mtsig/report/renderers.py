"""Tables go in; what programs and people read comes out: HTML, Markdown, LaTeX, CSV, a DataFrame.

A terminal's tables are drawn in `mtsig.cli`, sheets in `mtsig.report.exporters.workbook`: they need libraries.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mtsig._writing import csv_text, in_markdown, latex
from mtsig._writing import in_html as in_html  # shown by the face, for whoever builds pages
from mtsig._writing import one_line as one_line
from mtsig.errors import need
from mtsig.report.table import Cell, Column, Table, said

if TYPE_CHECKING:
    import pandas as pd


# --- a DataFrame ---------------------------------------------------------------------------------------------------


def frame_of(table: Table) -> "pd.DataFrame":
    """Return a table as a DataFrame under its titles; numbers stay numbers, all else is text.

    >>> from mtsig.report import Table, frame_of
    >>> table = Table.of_text("Two systems.", ("System", "Cluster"), [("onlineA", "1"), ("onlineB", "1")])
    >>> list(frame_of(table)["System"])
    ['onlineA', 'onlineB']

    Raises:
        ProgramError: pandas is not installed.
    """
    need("frames")
    import pandas as pd  # half a second that only those pay who want a DataFrame

    columns = [_values(column, cells) for column, *cells in zip(table.columns, *table.rows, strict=True)]
    frame = pd.DataFrame(dict(enumerate(columns)))
    frame.columns = pd.Index(table.header)
    return frame


def _values(column: Column, cells: Sequence[Cell]) -> list[object]:
    """Return the values of a column, or its text where a word stands among them."""
    words = column.kind in ("text", "range", "interval") or any(isinstance(cell.value, str) for cell in cells)
    return [said(column, cell) if words else cell.value for cell in cells]


def csv_table(table: Table) -> str:
    """Return a table as CSV under its titles, numbers in full; a text that a spreadsheet would compute is quoted.

    >>> from mtsig.report import Table, csv_table
    >>> print(csv_table(Table.of_text("One system.", ("System",), [("=1+1",)])), end="")
    System
    '=1+1
    """
    columns = [_values(column, cells) for column, *cells in zip(table.columns, *table.rows, strict=True)]
    return csv_text(table.header, zip(*columns, strict=True))


# --- HTML, for notebooks -------------------------------------------------------------------------------------------


def html(table: Table) -> str:
    """Return a table as HTML, every text of it escaped."""
    numeric = [column.numeric for column in table.columns]
    head = _html_row("th", table.header, numeric)
    body = "\n".join(_html_row("td", row, numeric) for row in table.texts)
    caption = f"<caption style='caption-side: bottom; text-align: left'>{in_html(table.caption)}</caption>"
    return f"<table>{caption}\n<thead>{head}</thead>\n<tbody>{body}</tbody>\n</table>"


def _html_row(tag: str, texts: Sequence[str], numeric: Sequence[bool]) -> str:
    cells = (
        f"<{tag} style='text-align: {'right' if right else 'left'}'>{in_html(text)}</{tag}>"
        for text, right in zip(texts, numeric, strict=True)
    )
    return f"<tr>{''.join(cells)}</tr>"


def html_page(tables: Sequence[Table]) -> str:
    """Return tables as a web page of their own.

    >>> from mtsig.report import Table, html_page
    >>> page = html_page([Table.of_text("One system.", ("System",), [("<b>onlineA</b>",)])])
    >>> page.splitlines()[-2]
    "<tbody><tr><td style='text-align: left'>&lt;b&gt;onlineA&lt;/b&gt;</td></tr></tbody>"
    """
    head = '<!doctype html>\n<meta charset="utf-8">\n<title>mtsig</title>\n'
    return head + "\n".join(map(html, tables)) + "\n"


# --- Markdown ------------------------------------------------------------------------------------------------------


def markdown_table(table: Table) -> str:
    """Return a table as GitHub writes it.

    >>> from mtsig.report import Table, markdown_table
    >>> table = Table.of_text("Two systems.", ("System", "Cluster"), [("onlineA", "1"), ("onlineB", "1")])
    >>> print(markdown_table(table))
    | System | Cluster |
    |---|---|
    | onlineA | 1 |
    | onlineB | 1 |
    """
    lines = [
        f"| {' | '.join(in_markdown(title) for title in table.header)} |",
        f"|{'|'.join('---:' if column.numeric else '---' for column in table.columns)}|",
        *(f"| {' | '.join(map(_markdown_cell, table.columns, row))} |" for row in table.rows),
    ]
    return "\n".join(lines)


def _markdown_cell(column: Column, cell: Cell) -> str:
    text = in_markdown(said(column, cell))
    if cell.bold:
        text = f"**{text}**"
    return f"{text}{in_markdown(cell.mark)}{f' {in_markdown(cell.beside)}' if cell.beside else ''}"


# --- LaTeX ---------------------------------------------------------------------------------------------------------

_COLUMN = 44
"""So many signs fit into one column of a page; wider tables span both."""

ROWS_OF_A_PAGE = 40
"""So many rows fit on a page with their caption; what stands below the page's foot would be lost."""

_SMALL = 0.75
"""How wide a sign beside a score is, to one of the score."""


def latex_table(table: Table, intervals: bool = True) -> str:
    r"""Return a table as a LaTeX float, a wide one across both columns; one longer than a page as a longtable.

    intervals: whether to write what stands beside a score.

    >>> from mtsig.report import Table, latex_table
    >>> table = Table.of_text("Two systems.", ("System", "Cluster"), [("online_A", "1"), ("onlineB", "1")])
    >>> print("\n".join(latex_table(table).splitlines()[4:9]))
    \toprule
    System & Cluster \\
    \midrule
    online\_A & 1 \\
    onlineB & 1 \\
    """
    wide = _signs(table, intervals) > _COLUMN
    columns = "".join("r" if column.numeric else "l" for column in table.columns)
    head = f"{' & '.join(_at_start(latex(title)) for title in table.header)} \\\\"
    rows = [_latex_row(table.columns, row, intervals) for row in table.rows]
    caption = f"\\caption{{{latex(table.caption)}}}"
    label = f"\\label{{tab:{table.name}}}"
    # A verdict column beside eight others fits on a page of ACL's style only so.
    size = ("\\footnotesize", "\\setlength{\\tabcolsep}{3pt}") if wide else ("\\small",)
    if len(rows) > ROWS_OF_A_PAGE:
        return "\n".join(_long(columns, head, rows, [caption, label], size))
    environment = "table*" if wide else "table"
    body = (f"\\begin{{tabular}}{{{columns}}}", "\\toprule", head, "\\midrule", *rows, "\\bottomrule", "\\end{tabular}")
    return "\n".join(
        [f"\\begin{{{environment}}}", "\\centering", *size, *body, caption, label, f"\\end{{{environment}}}"]
    )


def _long(columns: str, head: str, rows: Sequence[str], caption: Sequence[str], size: Sequence[str]) -> list[str]:
    """Return a longtable: it knows pages of one column only, so that a paper of two gives it pages of its own."""
    last = f"\\multicolumn{{{len(columns)}}}{{r}}{{goes on}} \\\\"
    return [
        "\\makeatletter",
        "\\if@twocolumn\\onecolumn\\let\\mtsigback\\twocolumn\\else\\let\\mtsigback\\relax\\fi",
        "\\makeatother",
        "\\begingroup",
        *size,
        "\\setlength{\\LTcapwidth}{\\textwidth}",
        f"\\begin{{longtable}}{{{columns}}}",
        *("\\toprule", head, "\\midrule", "\\endhead"),
        *("\\midrule", last, "\\endfoot"),
        *("\\bottomrule", f"{''.join(caption)} \\\\", "\\endlastfoot"),
        *rows,
        "\\end{longtable}",
        "\\endgroup",
        "\\mtsigback",
    ]


def _signs(table: Table, intervals: bool) -> float:
    """Return how many signs the widest row would take, two between columns."""
    beside = _SMALL if intervals else 0.0
    widths = [
        max([len(column.title), *(len(said(column, cell)) + beside * len(cell.beside) for cell in cells)])
        for column, *cells in zip(table.columns, *table.rows, strict=True)
    ]
    return sum(widths) + 2 * len(widths)


def _latex_row(columns: Sequence[Column], row: Sequence[Cell], intervals: bool) -> str:
    return f"{' & '.join(_latex_cell(*cell, intervals) for cell in zip(columns, row, strict=True))} \\\\"


def _latex_cell(column: Column, cell: Cell, intervals: bool) -> str:
    text = _at_start(latex(said(column, cell)))
    if cell.bold:
        text = f"\\textbf{{{text}}}"
    if cell.mark:
        text += f"\\textsuperscript{{{latex(cell.mark)}}}"
    return f"{text} {{\\scriptsize {latex(cell.beside)}}}" if cell.beside and intervals else text


def _at_start(text: str) -> str:
    """Return LaTeX that may begin a row: a bracket after the end of another is read as a length, a star swallowed."""
    return f"{{}}{text}" if text.startswith(("[", "*")) else text
