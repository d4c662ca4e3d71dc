"""A table: columns, cells and a caption; written as text, HTML, Markdown, LaTeX, CSV or a frame."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, takewhile
from math import ceil, inf
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from mtsig._probability import ends_text, interval_text, points_text
from mtsig._results import Public
from mtsig._writing import csv_text, in_html, in_markdown, latex, short, short_names, visible
from mtsig.corpus._notes import listed
from mtsig.errors import need
from mtsig.inference import p_number

if TYPE_CHECKING:
    import pandas as pd

Kind = Literal[
    "text", "range", "count", "number", "score", "difference", "low end", "high end", "interval", "half width", "p",
    "share",
]  # fmt: skip

View = Sequence[str] | Mapping[str, str]
"""The columns that are shown, by key and in this order; a mapping says what they are called, "" leaves the title."""


class Cell(NamedTuple):
    """A table cell: a value, an interval, a word, or `None` (empty).

    said: a word after the value. mark: a superscript after the value. beside: small text next to the value.
    """

    value: Any
    bold: bool = False
    said: str = ""
    mark: str = ""
    beside: str = ""


@dataclass(frozen=True)
class Column(Public):
    """A table column with its title and kind.

    decimals: the decimals of scores and differences. signed: whether an interval is of a difference. key: the column's
    name in views; the default is the title. of: the source of values: a function of the row, an attribute's name, or
    two names for an interval's limits. The default is the attribute with the column's name.
    """

    title: str
    kind: Kind = "text"
    decimals: int = 2
    signed: bool = False
    key: str = ""
    of: str | Callable[[Any], Any] = field(default="", compare=False)

    @property
    def name(self) -> str:
        """The column's name in views."""
        return self.key or self.title

    @property
    def numeric(self) -> bool:
        """Whether the column is right-aligned."""
        return self.kind != "text"

    def value(self, row: Any) -> Any:
        """Return the column's value for a row; `None` if it is undefined."""
        if callable(self.of):
            value = self.of(row)
        elif self.kind == "interval":
            value = tuple(getattr(row, end) for end in (self.of or "ci_low ci_high").split())
        else:
            value = getattr(row, self.of or self.name.replace(" ", "_"))
        first = value[0] if isinstance(value, tuple) else value
        return None if first == "" or (first != first and self.kind != "p") else value

    def text(self, value: Any) -> str:
        """Return a value as printed, with a true minus sign; undefined numbers are empty.

        Examples
        --------
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
class Table(Public):
    """A table with its name, its title and its caption."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    name: str = ""
    title: str = ""

    @classmethod
    def of(cls, caption: str, *parts: Part, view: View | None = None, name: str = "", title: str = "") -> "Table":
        """Return a table of the view's columns that have a value."""
        names = {column.name for column, _ in parts} if view is None else set(view)
        kept = [(column, _cells(values)) for column, values in parts if values is not None and column.name in names]
        kept = [(column, cells) for column, cells in kept if any(cell.value is not None for cell in cells) or not cells]
        rows = zip(*(cells for _, cells in kept), strict=True)
        # What took the values is done; functions could not be sent to another process.
        columns = tuple(replace(column, of="") if callable(column.of) else column for column, _ in kept)
        table = cls(caption, columns, tuple(rows), name, title)
        return table if view is None else table.seen(view)

    @classmethod
    def of_rows(
        cls, caption: str, rows: Iterable[Any], *columns: "Column | Part", view: View | None = None,
        name: str = "", title: str = "",
    ) -> "Table":  # fmt: skip
        """Return a table of rows, with columns computed or given."""
        every = list(rows)
        parts = ((it, map(it.value, every)) if isinstance(it, Column) else it for it in columns)
        return cls.of(caption, *parts, view=view, name=name, title=title)

    @classmethod
    def of_text(
        cls, caption: str, header: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[str] = ()
    ) -> "Table":
        """Return a table of texts; `right` names the right-aligned columns."""
        columns = tuple(Column(title, "range" if title in right else "text") for title in header)
        return cls(caption, columns, tuple(tuple(map(Cell, row)) for row in rows))

    @property
    def header(self) -> tuple[str, ...]:
        """The titles of the columns."""
        return tuple(column.title for column in self.columns)

    @property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """The rows as texts, with the full text of each cell."""
        return tuple(
            tuple(
                " ".join(filter(None, (f"{said(column, cell)}{cell.mark}", cell.beside)))
                for column, cell in zip(self.columns, row, strict=True)
            )
            for row in self.rows
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names in views."""
        return tuple(column.name for column in self.columns)

    def first(self, most: int, where: str) -> "Table":
        """Return the table without what is beyond so many rows; its caption then says so, and where all are."""
        if len(self.rows) <= most:
            return self
        said = f"{self.caption} These are the first {most} of {len(self.rows):,} rows; {where}."
        return replace(self, caption=said, rows=self.rows[:most])

    def seen(self, view: View) -> "Table":
        """Return the table with those columns of a view that it has."""
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
    """Return a number of no scale: four digits that count, no more."""
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
    """Return a table as a DataFrame under its titles; numbers stay numbers, all else is text."""
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
    """Write a table as CSV with unrounded numbers; spreadsheet formulas are quoted.

    Examples
    --------
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
    head = _html_row("th", table.columns, map(in_html, table.header))
    body = "\n".join(_html_row("td", table.columns, map(_html_cell, table.columns, row)) for row in table.rows)
    about = f"<caption style='caption-side: bottom; text-align: left'>{in_html(table.caption)}</caption>"
    caption = about if table.caption else ""
    return f"<table>{caption}\n<thead>{head}</thead>\n<tbody>{body}</tbody>\n</table>"


def _html_row(tag: str, columns: Sequence[Column], cells: Iterable[str]) -> str:
    written = (
        f"<{tag} style='text-align: {'right' if column.numeric else 'left'}'>{cell}</{tag}>"
        for column, cell in zip(columns, cells, strict=True)
    )
    return f"<tr>{''.join(written)}</tr>"


def _html_cell(column: Column, cell: Cell) -> str:
    text = in_html(said(column, cell))
    text = f"<b>{text}</b>" if cell.bold else text
    mark = f"<sup>{in_html(cell.mark)}</sup>" if cell.mark else ""
    return f"{text}{mark} <small>{in_html(cell.beside)}</small>" if cell.beside else f"{text}{mark}"


def html_page(tables: Sequence[Table]) -> str:
    """Return tables as a standalone web page.

    Examples
    --------
    >>> from mtsig.report import Table, html_page
    >>> page = html_page([Table.of_text("One system.", ("System",), [("<b>onlineA</b>",)])])
    >>> page.splitlines()[-2]
    "<tbody><tr><td style='text-align: left'>&lt;b&gt;onlineA&lt;/b&gt;</td></tr></tbody>"
    """
    head = '<!doctype html>\n<meta charset="utf-8">\n<meta name="generator" content="mtsig">\n<title>mtsig</title>\n'
    return head + "\n".join(map(html, tables)) + "\n"


# --- names with little room ------------------------------------------------------------------------------------------

_NAMED = ("system", "first", "second", "baseline", "rater", "set")
"""Columns, by key, whose texts are names."""


def called_in(table: Table) -> dict[str, str]:
    """Return what the names in a table become where they have little room: those that become shorter."""
    columns = [at for at, column in enumerate(table.columns) if column.name in _NAMED]
    names = list(dict.fromkeys(str(row[at].value) for at in columns for row in table.rows if row[at].value))
    return {name: called for name, called in short_names(names).items() if called != name}


def _renamed(table: Table, called: Mapping[str, str]) -> Table:
    """Return a table with these names in it, in its head and in its caption."""
    whole = "|".join(map(re.escape, sorted(called, key=len, reverse=True)))

    def renamed(text: str) -> str:
        return re.sub(rf"(?<!\w)(?:{whole})(?!\w)", lambda found: called[found[0]], text)

    columns = tuple(replace(column, title=renamed(column.title), key=column.name) for column in table.columns)
    rows = tuple(
        tuple(cell._replace(value=called.get(cell.value, cell.value)) if isinstance(cell.value, str) else cell
              for cell in row)
        for row in table.rows
    )  # fmt: skip
    return replace(table, caption=renamed(table.caption), columns=columns, rows=rows)


# --- plain text, for terminals ---------------------------------------------------------------------------------------


def text_table(table: Table) -> str:
    """Return a table as aligned text, with its caption."""
    called = called_in(table)
    table = _renamed(table, called) if called else table
    rows = [tuple(map(visible, row)) for row in (table.header, *table.texts)]
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.rjust(width) if column.numeric else cell.ljust(width)
            for column, cell, width in zip(table.columns, row, widths, strict=True)
        )
        for row in rows
    )
    return "\n".join([*map(str.rstrip, lines), visible(table.caption)])


# --- Markdown ------------------------------------------------------------------------------------------------------


def markdown_table(table: Table) -> str:
    """Return a table as GitHub writes it."""
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

_COLUMN, _PAGE = 21.0, 46.0
"""Widths of a column in small letters and of a page in smaller ones, of the narrowest style that papers have, in em."""

_SHRUNK = 1.12
"""How much wider a table may be before its cells go on in the next line: TeX makes it smaller."""

_BETWEEN = 0.8
"""Em between two columns, and at both ends of a table."""

ROWS_OF_A_PAGE = 40
"""So many rows fit on a page with their caption; what stands below the page's foot would be lost."""

_LEAST_WIDE = 5.0
"""Em that a column of words has at least where it goes on in the next line."""

_LEAST_HEAD = 5.0
"""Em that a title has at least where it goes on in the next line."""

_SMALL = 0.75
"""How wide a sign beside a score is, to one of the score."""

_SIGNS = (("ijlt.,:;'|!()[]/ ", 0.3), ("frs-", 0.38), ("mwMW%", 0.8), ("+−±=<>≈", 0.6))
"""Widths of signs in a serif font, in em; capitals have .7, and all others the width of a digit."""


def latex_table(table: Table, intervals: bool = True) -> str:
    r"""Write a table as a LaTeX float, or as a wide float or a longtable if needed.

    intervals: whether to write the intervals of scores.

    Examples
    --------
    >>> from mtsig.report import Table, latex_table
    >>> table = Table.of_text("Two systems.", ("System", "Cluster"), [("online_A", "1"), ("onlineB", "1")])
    >>> print("\n".join(latex_table(table).splitlines()[4:9]))
    \toprule
    System & Cluster \\
    \midrule
    online\_A & 1 \\
    onlineB & 1 \\
    """
    whole = [f"% {visible(short)} is {visible(name)}" for name, short in called_in(table).items()]
    table = in_print(table)
    widths, heads = _widths(table, intervals)
    wide = _across(widths) > _COLUMN
    folds = _folds(table.columns, widths)
    sides = "".join("r" if column.numeric else "l" for column in table.columns)
    head = f"{' & '.join(map(_latex_head, table.columns, map(min, heads, folds)))} \\\\"
    rows = [_latex_row(table.columns, row, intervals, folds) for row in table.rows]
    metrics = [row[0].value for row in table.rows] if table.names[0] == "metric" else []
    if len(set(metrics)) < len(metrics):  # a line between metrics
        rows = [row if one == before else f"\\midrule\n{row}"
                for row, one, before in zip(rows, metrics, [*metrics[:1], *metrics], strict=False)]  # fmt: skip
    caption = f"\\caption{{{breaking_latex(table.caption)}}}"
    label = f"\\label{{tab:{table.name}}}" if table.name else ""
    left = _across(list(map(min, widths, folds)))
    lines = sum(1 + row.count(_NEXT) for row in rows) + len(table.caption) / (100 if wide else 45)
    if lines > ROWS_OF_A_PAGE + 4:
        return "\n".join([*whole, *_long(sides, head, rows, [caption, label], left)])
    body = [f"\\begin{{tabular}}{{{sides}}}", "\\toprule", head, "\\midrule", *rows, "\\bottomrule", "\\end{tabular}"]
    if left > 0.85 * (_PAGE if wide else _COLUMN):
        # TeX alone knows how wide it is: what has no room is made smaller, and nothing else.
        body = ["\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%", *body, "}"]
    environment, size = ("table*", _SIZES[0]) if wide else ("table", "\\small")
    floats = [f"\\begin{{{environment}}}", "\\centering", size, *body, caption, label, f"\\end{{{environment}}}"]
    return "\n".join([*whole, *filter(None, floats)])


def latex_tables(tables: Iterable[Table], intervals: bool = True, more: str = "") -> str:
    """Write tables as LaTeX, with the packages that they need in comments above; more: lines of other comments."""
    body = "\n\n".join(latex_table(table, intervals) for table in tables)
    used = {"{booktabs}": "toprule", "{longtable}": "{longtable}", "{graphicx}": "\\resizebox", "[T1]{fontenc}": ""}
    packages = [f"\\usepackage{name}" for name, sign in used.items() if sign in body]
    return f"% Needs {listed(packages)}.\n{more}\n{body}"


def in_print(table: Table) -> Table:
    """Return a table with the texts that it has in a paper: names as they are there, words that fit in a line."""
    called = called_in(table)
    table = _renamed(table, called) if called else table
    columns = tuple(replace(column, title=_cut(column.title), key=column.name) for column in table.columns)
    cells = tuple(tuple(cell._replace(value=_cut(cell.value)) for cell in row) for row in table.rows)
    return replace(table, caption=_cut(table.caption), columns=columns, rows=cells)


def is_wide(table: Table) -> bool:
    """Return whether a table takes both columns of a page."""
    return _across(_widths(table, intervals=True)[0]) > _COLUMN


def is_long(table: Table, intervals: bool = True) -> bool:
    """Return whether a table takes pages of its own."""
    return "\\begin{longtable}" in latex_table(table, intervals)


_UNBROKEN = re.compile(r"[!-{}~]{60,}")
"""Words that a line of a narrow column has no room for; signatures break at their bars."""


def _cut(text: Any) -> Any:
    """Return a text whose words have room in a line."""
    return _UNBROKEN.sub(lambda found: short(found[0]), text) if isinstance(text, str) else text


_BAR = latex("|")


def breaking_latex(text: str) -> str:
    """Return LaTeX of a text in which a signature, one long word, may break after any of its parts.

    Its lines are as wide as others only if it may also stretch there.
    """
    return latex(text).replace(_BAR, rf"{_BAR}\hspace{{0pt plus 1em}}")


_SIZES = (
    "\\footnotesize\\setlength{\\tabcolsep}{3pt}", "\\scriptsize\\setlength{\\tabcolsep}{2.5pt}",
    "\\tiny\\setlength{\\tabcolsep}{2pt}",
)  # fmt: skip
"""Letters and room of wide tables; each is about a fifth smaller than the one before."""


def _long(columns: str, head: str, rows: Sequence[str], caption: Sequence[str], width: float) -> list[str]:
    """Return a longtable: it knows pages of one column only, so that a paper of two gives it pages of its own."""
    last = f"\\multicolumn{{{len(columns)}}}{{r}}{{goes on}} \\\\"
    size = _SIZES[min(len(_SIZES) - 1, max(0, ceil((width / _PAGE - 1) / 0.15)))]
    return [
        "\\makeatletter",
        "\\if@twocolumn\\onecolumn\\let\\mtsigback\\twocolumn\\else\\let\\mtsigback\\relax\\fi",
        "\\makeatother",
        "\\begingroup",
        size,
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


def _em(text: str) -> float:
    """Return about how wide a text is, in em."""
    widths = (next((wide for signs, wide in _SIGNS if sign in signs), 0.7 if sign.isupper() else 0.5) for sign in text)
    return sum(widths)


def _widths(table: Table, intervals: bool) -> tuple[list[float], list[float]]:
    """Return how wide each column is, and after how many em its title goes on in the next line, all in em."""
    beside = _SMALL if intervals else 0.0
    titles = [_em(column.title) for column in table.columns]
    cells = [
        max((_em(f"{said(column, cell)}{cell.mark}") + beside * _em(cell.beside) for cell in column_of), default=0.0)
        for column, *column_of in zip(table.columns, *table.rows, strict=True)
    ]
    widths = list(map(max, titles, cells))
    if _across(widths) <= _PAGE:
        return widths, [inf] * len(widths)
    heads = [max(_LEAST_HEAD, wide) for wide in cells]
    return [max(wide, min(title, head)) for wide, title, head in zip(cells, titles, heads, strict=True)], heads


def _across(widths: Sequence[float]) -> float:
    """Return how wide columns of these widths are with what is between them."""
    return sum(widths) + _BETWEEN * len(widths)


def _folds(columns: Sequence[Column], widths: Sequence[float]) -> list[float]:
    """Return after how many em the cells of each column go on in the next line, so that all fit a page if they can."""
    words = [width for column, width in zip(columns, widths, strict=True) if not column.numeric]
    left = _SHRUNK * _PAGE - _across(widths) + sum(words)
    steps = (most / 2 for most in range(int(2 * max(words, default=0)), int(2 * _LEAST_WIDE), -1))
    fitting = (most for most in steps if sum(min(width, most) for width in words) <= left)
    most = inf if sum(words) <= left else next(fitting, _LEAST_WIDE)
    # Where words alone do not make enough room, intervals go on, too.
    is_full = sum(min(width, most) for width in words) > left
    ends = [
        0.65 * width if is_full and column.kind in ("interval", "range") else inf
        for column, width in zip(columns, widths, strict=True)
    ]
    return [end if column.numeric else most for column, end in zip(columns, ends, strict=True)]


def _latex_row(columns: Sequence[Column], row: Sequence[Cell], intervals: bool, folds: Sequence[float]) -> str:
    cells = zip(columns, row, folds, strict=True)
    return f"{' & '.join(_latex_cell(column, cell, intervals, fold) for column, cell, fold in cells)} \\\\"


_NEXT = r"\\[-1pt] "
"""Begins the next line of a cell."""


def _latex_head(column: Column, fold: float) -> str:
    """Return a title; where a column of words goes on in the next line, all titles do that are longer."""
    return _stacked([_at_start(latex(line)) for line in _lines(column.title, fold)], "r" if column.numeric else "l")


def _stacked(lines: Sequence[str], side: str) -> str:
    body = _NEXT.join(lines)
    return body if len(lines) == 1 else f"\\begin{{tabular}}[t]{{@{{}}{side}@{{}}}}{body}\\end{{tabular}}"


def _latex_cell(column: Column, cell: Cell, intervals: bool, fold: float) -> str:
    """Return a cell; fold: after how many em it goes on in the next line."""
    lines = [_at_start(latex(line)) for line in _lines(said(column, cell), fold)]
    if cell.bold:
        lines = [f"\\textbf{{{line}}}" for line in lines]
    if cell.mark:
        lines[-1] += f"\\textsuperscript{{{latex(cell.mark)}}}"
    text = _stacked(lines, "r" if column.numeric else "l")
    return f"{text} {{\\scriptsize {latex(cell.beside)}}}" if cell.beside and intervals else text


def _lines(text: str, most: float) -> list[str]:
    """Return a text in lines of so many em: between words and after joints, in words where these alone have no room."""
    lines = [""]
    for piece in re.findall(r"[^-_./: ]+[-_./:]*|[-_./:]+| +", text):
        if _em(lines[-1] + piece.rstrip()) <= most:
            lines[-1] += piece
            continue
        rest = piece.lstrip()
        while (end := _fitting(rest, most)) < len(rest):
            lines.append(rest[:end])
            rest = rest[end:]
        lines.append(rest)
    return [line for line in lines if line] or [""]


def _fitting(text: str, most: float) -> int:
    """Return how many signs of a text fit in so many em, one at least; it looks no further than these."""
    return max(1, sum(1 for _ in takewhile(lambda width: width <= most, accumulate(map(_em, text)))))


def _at_start(text: str) -> str:
    """Return LaTeX that may begin a row: a bracket after the end of another is read as a length, a star swallowed."""
    return f"{{}}{text}" if text.startswith(("[", "*")) else text
