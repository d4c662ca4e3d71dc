"""Markdown: the tables, the methods paragraph and the notes in one file."""

import re
from dataclasses import dataclass

from mtsig.report.exporters.base import Document, Exported, Exporter
from mtsig.report.methods import methods_paragraph
from mtsig.report.paper_tables import Cell, PaperTable, paper_tables
from mtsig.report.words import family_text, verdict_text

_SIGNS = re.compile(r"([\\`*_\[\]<>|~$&#^]|!(?=\[)|:(?=//)|(?<=www)\.|^[+\-=](?=\s)|(?<=\d)[.)](?=\s))")
"""Signs that mark something up wherever they stand, or at the beginning of a line, or in an address."""


def markdown(text: str) -> str:
    """Return Markdown that shows `text` as it is, on one line."""
    return _SIGNS.sub(r"\\\1", " ".join(re.split(r"[\r\n\t]+", text)))


@dataclass(frozen=True)
class Markdown(Exporter):
    """report.md."""

    label = "Markdown"
    about = "Verdicts, tables and the methods paragraph in one file."

    def __call__(self, document: Document) -> Exported:
        """Return the file."""
        study = document.study
        parts = ["# Results", *_verdicts(document)]
        for table in paper_tables(study):
            parts += [f"## {markdown(table.title)}", markdown_table(table), markdown(table.caption)]
        text = methods_paragraph(study)
        parts += ["## Methods", markdown(text.text), "```bibtex\n" + text.bibtex + "```"]
        warnings = [f"- {markdown(note.text)}" for note in study.all_notes]
        parts += ["## What to know about the data", "\n".join(warnings)] if warnings else []
        return Exported({"report.md": ("\n\n".join(parts) + "\n").encode()})


def _verdicts(document: Document) -> list[str]:
    study = document.study
    planned = study.plan is not None
    parts = []
    for result in study.results:
        parts.append(f"**{markdown(family_text(result.compared, planned))}**")
        parts.append("\n".join(f"- {markdown(verdict_text(one, planned))}" for one in result.compared))
    return parts


def markdown_table(table: PaperTable) -> str:
    """Return a table as GitHub writes it."""
    lines = [
        f"| {' | '.join(markdown(name) for name in table.header)} |",
        f"|{'|'.join('---:' if numeric else '---' for numeric in table.numeric)}|",
        *(f"| {' | '.join(_cell(cell) for cell in row)} |" for row in table.rows),
    ]
    return "\n".join(lines)


def _cell(cell: Cell) -> str:
    text = markdown(cell.text)
    if cell.bold:
        text = f"**{text}**"
    return f"{text}{markdown(cell.mark)}{f' {markdown(cell.beside)}' if cell.beside else ''}"
