"""Figures on paper: one file for every picture."""

from dataclasses import dataclass
from typing import Literal

from mtsig.corpus import Note
from mtsig.figures import PAPERS, on_paper
from mtsig.options import option
from mtsig.report.exporters.base import Exported, Exporter, Written

_PAPERS = tuple(PAPERS)

FigureFormat = Literal["pdf", "svg", "png", "pgf"]


@dataclass(frozen=True)
class FigureFiles(Exporter):
    """A file for every picture of the document."""

    paper: str = option(
        "acl-column", "Paper", "The width: a column, or all of the page, in ACL's or NeurIPS's style.", choices=_PAPERS
    )
    format: FigureFormat = "pdf"

    @property
    def label(self) -> str:  # type: ignore[override]
        """What it is called."""
        return f"Figures, {self.format.upper()}"

    @property
    def about(self) -> str:  # type: ignore[override]
        """What comes out."""
        return f"Every figure as {self.format.upper()} at the paper's width."

    def __call__(self, document: Written) -> Exported:
        """Return the files.

        Raises:
            NotApplicable: PGF without a TeX.
        """
        files: dict[str, bytes] = {}
        notes: list[Note] = []
        for name, picture in document.pictures.items():
            sheet = on_paper(picture, self.format, self.paper)
            files[f"{name}.{self.format}"] = sheet.data
            notes += [Note(note.level, f"{name}.{self.format}: {note.text}") for note in sheet.notes]
        return Exported(files, tuple(notes))
