"""A table: columns, cells and a caption; written as text, HTML, Markdown, LaTeX, CSV or a frame."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from mtsig._probability import ends_text, points_text
from mtsig._writing import csv_text, in_markdown, latex
from mtsig._writing import in_html as in_html
from mtsig._writing import one_line as one_line
from mtsig.errors import need
from mtsig.inference import p_number
from mtsig.report._say import interval_text

if TYPE_CHECKING:
    import pandas as pd

Kind = Literal[
    "text",
    "range",
    "count",
    "number",
    "score",
    "difference",
    "low end",
    "high end",
    "interval",
    "half width",
    "p",
    "share",
]

View = Sequence[str] | Mapping[str, str]
"""The columns that are shown, by key and in this order; a mapping says what they are called, "" leaves the title."""


class Cell(NamedTuple):
    """One cell: a value, a pair of ends in a column of intervals, or a word instead; None is nothing.

    said: a word after the value. mark: stands raised after it. beside: stands small next to it.
    """

    value: Any
    bold: bool = False
    said: str = ""
    mark: str = ""
    beside: str = ""


def known(value: float) -> float | None:
    """Return a number, or nothing where it is none: an empty cell."""
    return None if value != value else value


def known_ends(low: float, high: float) -> tuple[float, float] | None:
    """Return the ends of an interval, or nothing where there is none: an empty cell."""
    return None if low != low else (low, high)


@dataclass(frozen=True)
class Column:
    """What a column is called and what it holds: formats follow the kind, never the title, which data may choose.

    decimals: of scores and differences. signed: whether an interval is one of differences. key: what views call the
    column; its title, if nothing else is said.
    """

    title: str
    kind: Kind = "text"
    decimals: int = 2
    signed: bool = False
    key: str = ""

    @property
    def name(self) -> str:
        """What views call the column."""
        return self.key or self.title

    @property
    def numeric(self) -> bool:
        """Whether the column is set flush right."""
        return self.kind != "text"

    def text(self, value: Any) -> str:
        """Return a value as it is printed: with a minus sign that is one, and nothing for a number that does not exist.

        >>> Column("Δ", "difference").text(-0.456), Column("p", "p").text(0.0312), Column("p", "p").text("2% won")
        ('−0.46', '.0312', '2% won')
        >>> Column("low", "low end").text(0.0004), Column("high", "high end").text(3e-13)
        ('+0.0004', '0.00 (included)')
        """
        if value is None or isinstance(value, str):
            return value or ""
        if self.kind == "interval":
            low, high = value
            return interval_text(low, high, self.signed, self.decimals)
        if self.kind == "p":
            return p_number(value)
        if value != value:
            return ""
        if self.kind in ("score", "difference"):
            return points_text(value, self.decimals, self.kind == "difference")
        if self.kind == "low end":
            return ends_text(value, inf, self.decimals, signed=True)[0]
        if self.kind == "high end":
            return ends_text(-inf, value, self.decimals, signed=True)[1]
        if self.kind == "half width":
            return f"± {points_text(value, self.decimals)}"
        if self.kind == "share":
            return f"{points_text(100 * value, 1)}%"
        return str(value) if self.kind == "count" else number_text(value)


Part = tuple[Column, Iterable[Any] | None]
"""A column with its values, which are asked for only where the column is shown."""


@dataclass(frozen=True)
class Table:
    """A table with its caption; `name` is a word for files and labels, `title` stands above it."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    name: str = ""
    title: str = ""

    @classmethod
    def of(cls, caption: str, *parts: Part, view: View | None = None, name: str = "", title: str = "") -> "Table":
        """Return a table of columns; those that the view does not name are left out, and those without any value."""
        names = {column.name for column, _ in parts} if view is None else set(view)
        kept = [(column, _cells(values)) for column, values in parts if values is not None and column.name in names]
        kept = [(column, cells) for column, cells in kept if any(cell.value is not None for cell in cells) or not cells]
        rows = zip(*(cells for _, cells in kept), strict=True)
        table = cls(caption, tuple(column for column, _ in kept), tuple(rows), name, title)
        return table if view is None else table.seen(view)

    @classmethod
    def of_text(
        cls, caption: str, header: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[str] = ()
    ) -> "Table":
        """Return a table of words; `right` names the columns that are set flush right."""
        columns = tuple(Column(title, "range" if title in right else "text") for title in header)
        return cls(caption, columns, tuple(tuple(map(Cell, row)) for row in rows))

    @property
    def header(self) -> tuple[str, ...]:
        """What the columns are called."""
        return tuple(column.title for column in self.columns)

    @property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """The rows in words, with all that stands in a cell."""
        return tuple(
            tuple(
                " ".join(filter(None, (f"{said(column, cell)}{cell.mark}", cell.beside)))
                for column, cell in zip(self.columns, row, strict=True)
            )
            for row in self.rows
        )

    @property
    def names(self) -> tuple[str, ...]:
        """What views call the columns."""
        return tuple(column.name for column in self.columns)

    def seen(self, view: View) -> "Table":
        """Return the table with the columns of a view; what the view names and the table lacks is left out."""
        titles = view if isinstance(view, Mapping) else dict.fromkeys(view, "")
        taken = [(self.names.index(name), title) for name, title in titles.items() if name in self.names]
        columns = tuple(
            replace(self.columns[i], title=title or self.columns[i].title, key=self.names[i]) for i, title in taken
        )
        return replace(self, columns=columns, rows=tuple(tuple(row[i] for i, _ in taken) for row in self.rows))


def _cells(values: Iterable[Any]) -> list[Cell]:
    plain = values.tolist() if isinstance(values, np.ndarray) else values
    return [value if isinstance(value, Cell) else Cell(value) for value in plain]


def said(column: Column, cell: Cell) -> str:
    """Return the value of a cell in words, with the word after it."""
    return f"{column.text(cell.value)} {cell.said}".strip()


def number_text(value: Any) -> str:
    """Return a number of no scale: four digits that count, no more.

    >>> [number_text(value) for value in (0.123456, 12345.6, 3, None, float("inf"), True)]
    ['0.1235', '12,346', '3', '', '∞', 'yes']
    """
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        if np.isinf(value):
            return "∞"
        text = f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.4g}"
        return text.replace("-", "−")
    return str(value)


def records_table(
    records: Sequence[Mapping[str, Any]],
    caption: str = "",
    given: Collection[str] = (),
    shares: Collection[str] = (),
    decimals: int | None = None,
) -> Table:
    """Return records as a table; the columns are those of the first record, with words instead of the program's names.

    given: columns that keep their names, because data chose them. shares: columns that hold shares. decimals: of all
    other numbers that are not whole; None: four digits that count.

    >>> from mtsig.report._table import records_table
    >>> rows = [{"system": "A", "bootstrap_win_rate": 0.975}, {"system": "B", "bootstrap_win_rate": 0.025}]
    >>> table = records_table(rows, shares=["bootstrap_win_rate"])
    >>> table.header, table.texts
    (('system', 'bootstrap win rate'), (('A', '97.5%'), ('B', '2.5%')))
    """
    columns = []
    for name in records[0] if records else ():
        kinds = {type(record[name]) for record in records}
        scored = decimals is not None and float in kinds
        share = name in shares and name not in given
        kind: Kind = "text" if str in kinds else "share" if share else "score" if scored else "number"
        columns.append(Column(name if name in given else name.replace("_", " "), kind, decimals or 2, key=name))
    rows = (tuple(Cell(record[column.key]) for column in columns) for record in records)
    return Table(caption, tuple(columns), tuple(rows))


# --- a DataFrame ---------------------------------------------------------------------------------------------------


def frame_of(table: Table) -> "pd.DataFrame":
    """Return a table as a DataFrame under its titles; numbers stay numbers, all else is text.

    >>> from mtsig.report import Table
    >>> from mtsig.report._table import frame_of
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

    >>> from mtsig.report import Table
    >>> from mtsig.report._table import markdown_table
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
