"""Markdown: the tables, the methods paragraph and the notes in one file."""

from dataclasses import dataclass

from mtsig.escaping import in_markdown
from mtsig.report.exporters.base import Document, Exported, Exporter
from mtsig.report.headlines import left_text, telling
from mtsig.report.methods import methods_paragraph
from mtsig.report.renderers import markdown_table
from mtsig.report.table import Table
from mtsig.report.words import family_text, verdict_text


@dataclass(frozen=True)
class Markdown(Exporter):
    """report.md."""

    label = "Markdown"
    about = "Verdicts, tables and the methods paragraph in one file."

    def __call__(self, document: Document) -> Exported:
        """Return the file."""
        study = document.named
        parts = ["# Results", *_verdicts(document)]
        for table in document.tables:
            parts += _drawn("##", table)
        parts += ["## Segments that carry the verdict"] if document.carrying else []
        for table in document.carrying:
            parts += _drawn("###", table)
        text = methods_paragraph(study)
        parts += ["## Methods", in_markdown(text.text), "```bibtex\n" + text.bibtex + "```"]
        warnings = [f"- {in_markdown(note.text)}" for note in study.all_notes]
        parts += ["## What to know about the data", "\n".join(warnings)] if warnings else []
        return Exported({"report.md": ("\n\n".join(parts) + "\n").encode()})


def _drawn(heading: str, table: Table) -> list[str]:
    return [f"{heading} {in_markdown(table.title)}", markdown_table(table), in_markdown(table.caption)]


def _verdicts(document: Document) -> list[str]:
    study = document.named
    planned = study.plan is not None
    parts = []
    for result in study.results:
        parts.append(f"**{in_markdown(family_text(result.compared, planned))}**")
        parts.append("\n".join(f"- {in_markdown(verdict_text(one, planned))}" for one in telling(result.compared)))
        left = left_text(result.compared)
        parts += [in_markdown(left)] if left else []
    return parts
