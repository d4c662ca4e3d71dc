"""Markdown: the tables, the methods paragraph and the notes in one file."""

from dataclasses import dataclass

from mtsig._writing import in_markdown
from mtsig.report.exporters.base import Exported, Exporter, Written
from mtsig.report.renderers import markdown_table
from mtsig.report.table import Table


@dataclass(frozen=True)
class Markdown(Exporter):
    """report.md."""

    label = "Markdown"
    about = "Verdicts, tables and the methods paragraph in one file."

    def __call__(self, document: Written) -> Exported:
        """Return the file."""
        seal = [f"*{in_markdown(document.seal.text)}*"] if document.seal else []
        parts = ["# Results", *seal, *_verdicts(document)]
        for table in document.tables:
            parts += _drawn("##", table)
        parts += ["## Segments that carry the verdict"] if document.carrying else []
        for table in document.carrying:
            parts += _drawn("###", table)
        text = document.methods
        parts += ["## Methods", in_markdown(text.text), "```bibtex\n" + text.bibtex + "```"]
        warnings = [f"- {in_markdown(note.text)}" for note in document.named.all_notes]
        parts += ["## What to know about the data", "\n".join(warnings)] if warnings else []
        return Exported({"report.md": ("\n\n".join(parts) + "\n").encode()})


def _drawn(heading: str, table: Table) -> list[str]:
    return [f"{heading} {in_markdown(table.title)}", markdown_table(table), in_markdown(table.caption)]


def _verdicts(document: Written) -> list[str]:
    parts = []
    for said in document.said:
        parts.append(f"**{in_markdown(said.summary)}**")
        parts.append("\n".join(f"- {in_markdown(sentence)}" for sentence in said.sentences))
        parts += [in_markdown(said.left)] if said.left else []
    return parts
