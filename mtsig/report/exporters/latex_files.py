"""LaTeX: tables with booktabs, the methods paragraph, and the bibliography."""

from dataclasses import dataclass

from mtsig.corpus import Note
from mtsig.latex import latex, unprintable
from mtsig.options import option
from mtsig.report.exporters.base import Document, Exported, Exporter
from mtsig.report.methods import methods_paragraph
from mtsig.report.paper_tables import Cell, PaperTable, paper_tables

_COLUMN = 44
"""So many signs fit into one column of a page; wider tables span both."""

_ROWS = 40
"""So many rows fit on a page with their caption; what stands below the page's foot would be lost."""

_SMALL = 0.75
"""How wide a sign beside a score is, to one of the score."""


@dataclass(frozen=True)
class Latex(Exporter):
    """tables.tex, methods.tex and references.bib, to be read in with input."""

    intervals: bool = option(True, "Intervals", "Write the interval beside every score of the results table.")

    label = "LaTeX"
    about = "Tables (booktabs), the methods paragraph (natbib) and its BibTeX."

    def __call__(self, document: Document) -> Exported:
        """Return the files."""
        tables = paper_tables(document.study)
        text = methods_paragraph(document.study)
        body = "\n\n".join(latex_table(one, self.intervals) for one in tables)
        files = {"tables.tex": body, "methods.tex": text.latex + "\n"}
        lost = unprintable("".join([*(_all_text(one) for one in tables), text.text]))
        notes: tuple[Note, ...] = ()
        head = "% Needs \\usepackage{booktabs} and \\usepackage[T1]{fontenc}."
        if lost:
            shown = ", ".join(f"{sign} (U+{ord(sign):04X})" for sign in lost[:6]) + (", …" if len(lost) > 6 else "")
            said = f"pdfLaTeX has no glyph for {shown}: use XeLaTeX or LuaLaTeX with a font that has them."
            notes = (Note("warning", f"LaTeX: {said}"),)
            head += f"\n% {said}"
        files["tables.tex"] = f"{head}\n\n{body}\n"
        return Exported({**_encoded(files), "references.bib": text.bibtex.encode()}, notes)


def _encoded(files: dict[str, str]) -> dict[str, bytes]:
    return {name: text.encode() for name, text in files.items()}


def _all_text(table: PaperTable) -> str:
    cells = (piece for row in table.rows for cell in row for piece in (cell.text, cell.mark, cell.beside))
    return "".join([table.caption, *table.header, *cells])


def latex_table(table: PaperTable, intervals: bool = True) -> str:
    """Return a table as LaTeX floats: wide ones span both columns, long ones go on in further floats of one number."""
    environment = "table*" if _signs(table, intervals) > _COLUMN else "table"
    parts = [range(start, min(start + _ROWS, len(table.rows))) for start in range(0, len(table.rows), _ROWS)]
    return "\n\n".join(_float(table, part, environment, intervals) for part in parts or [range(0)])


def _float(table: PaperTable, rows: range, environment: str, intervals: bool) -> str:
    lines = [
        f"\\begin{{{environment}}}",
        "\\centering",
        # A verdict column beside eight others fits on a page of ACL's style only so.
        *(("\\footnotesize", "\\setlength{\\tabcolsep}{3pt}") if environment == "table*" else ("\\small",)),
        f"\\begin{{tabular}}{{{''.join('r' if numeric else 'l' for numeric in table.numeric)}}}",
        "\\toprule",
        f"{' & '.join(latex(name) for name in table.header)} \\\\",
        "\\midrule",
        *(f"{' & '.join(_cell(cell, intervals) for cell in table.rows[row])} \\\\" for row in rows),
        "\\bottomrule",
        "\\end{tabular}",
        *_caption(table, rows),
        f"\\end{{{environment}}}",
    ]
    return "\n".join(lines)


def _caption(table: PaperTable, rows: range) -> list[str]:
    whole = len(rows) == len(table.rows)
    place = "" if whole else f" (Rows {rows.start + 1:,} to {rows.stop:,} of {len(table.rows):,}.)"
    if not rows or rows.start == 0:
        return [f"\\caption{{{latex(table.caption + place)}}}", f"\\label{{tab:{table.name}}}"]
    return ["\\addtocounter{table}{-1}", f"\\caption{{{latex(f'{table.title}, continued.{place}')}}}"]


def _signs(table: PaperTable, intervals: bool) -> float:
    """Return how many signs the widest row would take, two between columns."""
    widths = []
    for column, name in enumerate(table.header):
        cells = [row[column] for row in table.rows]
        beside = _SMALL if intervals else 0.0
        widths.append(max([len(name), *(len(cell.text) + beside * len(cell.beside) for cell in cells)]))
    return sum(widths) + 2 * len(widths)


def _cell(cell: Cell, intervals: bool) -> str:
    text = latex(cell.text)
    # LaTeX reads a bracket after \\ as a length, and swallows a star.
    if text.startswith(("[", "*")):
        text = f"{{}}{text}"
    if cell.bold:
        text = f"\\textbf{{{text}}}"
    if cell.mark:
        text += f"\\textsuperscript{{{latex(cell.mark)}}}"
    return f"{text} {{\\scriptsize {latex(cell.beside)}}}" if cell.beside and intervals else text
