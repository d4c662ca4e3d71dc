"""A study goes in; documents come out: report, tables, figures, spreadsheet, the study itself.

Kept apart from `mtsig.report`, because drawing loads plotly and matplotlib, which scores and comparisons do not need.
"""

import io
import zipfile
from collections.abc import Mapping

from mtsig.options import configured
from mtsig.registry import find
from mtsig.report.exporters.base import Document, Exported, Exporter, pictures_of
from mtsig.report.exporters.csv_files import Csv
from mtsig.report.exporters.figure_files import FigureFiles
from mtsig.report.exporters.latex_files import Latex
from mtsig.report.exporters.markdown_file import Markdown
from mtsig.report.exporters.spreadsheet import Spreadsheet
from mtsig.report.exporters.study_file import StudyFile
from mtsig.report.exporters.web_page import WebPage

__all__ = [
    "EXPORTERS",
    "Csv",
    "Document",
    "Exported",
    "Exporter",
    "FigureFiles",
    "Latex",
    "Markdown",
    "Spreadsheet",
    "StudyFile",
    "WebPage",
    "exporter",
    "packed",
    "pictures_of",
]

EXPORTERS: dict[str, Exporter] = {
    "html": WebPage(),
    "latex": Latex(),
    "pdf": FigureFiles(format="pdf"),
    "svg": FigureFiles(format="svg"),
    "png": FigureFiles(format="png"),
    "pgf": FigureFiles(format="pgf"),
    "markdown": Markdown(),
    "csv": Csv(),
    "xlsx": Spreadsheet(),
    "json": StudyFile(),
}


def exporter(choice: str | Exporter) -> Exporter:
    """Return the exporter that `choice` writes, such as "html" or "pdf:paper=acl-full", or `choice` itself.

    Raises:
        UnknownName: no such exporter or option.
        InvalidOption: the option cannot take this value.
    """
    if not isinstance(choice, str):
        return choice
    name, _, options = choice.partition(":")
    return configured(find(EXPORTERS, name.strip().lower(), "format"), options)


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return the files as one zip archive; the same files give the same bytes."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packing:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            packing.writestr(entry, files[name])
    return archive.getvalue()
