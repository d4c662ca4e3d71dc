"""LaTeX: tables with booktabs, the methods in full and in short, and the bibliography."""

from dataclasses import dataclass

from mtsig._writing import unprintable, visible
from mtsig.corpus import Note
from mtsig.options import option
from mtsig.report.exporters.base import Exported, Exporter, Written
from mtsig.report.renderers import latex_table
from mtsig.report.table import Table


@dataclass(frozen=True)
class Latex(Exporter):
    """tables.tex, methods.tex, methods-short.tex and references.bib, to be read in with input."""

    intervals: bool = option(True, "Intervals", "Write the interval beside every score of the results table.")

    label = "LaTeX"
    about = "Tables (booktabs), the methods in full and in short (natbib), and their BibTeX."

    def __call__(self, document: Written) -> Exported:
        """Return the files."""
        tables, text = document.tables, document.methods
        body = "\n\n".join(latex_table(table, self.intervals) for table in tables)
        short = document.summary
        files = {"tables.tex": body, "methods.tex": text.latex + "\n", "methods-short.tex": short.latex + "\n"}
        lost = unprintable("".join([*(_all_text(table) for table in tables), text.text]))
        notes: tuple[Note, ...] = ()
        packages = ["booktabs", *(["longtable"] if "{longtable}" in body else [])]
        uses = ", ".join(f"\\usepackage{{{name}}}" for name in packages)
        head = f"% Needs {uses} and \\usepackage[T1]{{fontenc}}."
        if lost:
            shown = ", ".join(f"{sign} (U+{ord(sign):04X})" for sign in lost[:6]) + (", …" if len(lost) > 6 else "")
            said = f"pdfLaTeX has no glyph for {shown}: use XeLaTeX or LuaLaTeX with a font that has them."
            notes = (Note("warning", f"LaTeX: {said}"),)
            head += f"\n% {said}"
        files["tables.tex"] = f"{head}\n\n{body}\n"
        if document.seal:
            seal = f"% {visible(document.seal.text)}"
            files = {name: f"{seal}\n{text}" for name, text in files.items()}
        return Exported({**_encoded(files), "references.bib": text.bibtex.encode()}, notes)


def _encoded(files: dict[str, str]) -> dict[str, bytes]:
    return {name: text.encode() for name, text in files.items()}


def _all_text(table: Table) -> str:
    return "".join([table.caption, *table.header, *(text for row in table.texts for text in row)])
