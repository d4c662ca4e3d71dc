"""A study goes in; documents come out: report, tables, figures, spreadsheet, the study itself.

Kept apart from `mtsig.report`, because drawing loads plotly and matplotlib, which scores and comparisons do not need.
"""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence

from mtsig.corpus import Note
from mtsig.errors import InvalidOption, find_typed
from mtsig.options import configured
from mtsig.report.exporters.base import Document, Exported, Exporter, Said, Written
from mtsig.report.exporters.csv_files import Csv
from mtsig.report.exporters.figure_files import FigureFiles
from mtsig.report.exporters.latex_files import Latex
from mtsig.report.exporters.markdown_file import Markdown
from mtsig.report.exporters.several import SetsDocument, best_pair
from mtsig.report.exporters.spreadsheet import Spreadsheet
from mtsig.report.exporters.study_file import StudyFile
from mtsig.report.exporters.web_page import WebPage
from mtsig.study import Study

__all__ = [
    "EXPORTERS",
    "Csv",
    "Document",
    "Exported",
    "Exporter",
    "FigureFiles",
    "Latex",
    "Markdown",
    "Said",
    "SetsDocument",
    "Spreadsheet",
    "StudyFile",
    "WebPage",
    "Written",
    "best_pair",
    "document_of",
    "exported",
    "exporter",
    "one_download",
    "packed",
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

    >>> from mtsig.report.exporters import exporter
    >>> exporter("pdf:paper=acl-full").paper
    'acl-full'

    Raises:
        UnknownName: no such exporter or option.
        InvalidOption: the option cannot take this value.
    """
    if not isinstance(choice, str):
        return choice
    name, _, options = choice.partition(":")
    return configured(find_typed(EXPORTERS, name, "format"), options)


def document_of(study: Study) -> Written:
    """Return a study, of one set or of several, as exporters write it, with the pictures that it can be drawn as.

    >>> import mtsig
    >>> from mtsig.report.exporters import document_of
    >>> study = mtsig.compare({"A": [3, 4, 5, 5], "B": [1, 2, 2, 3]}, higher_is_better=True)
    >>> list(document_of(study).pictures)
    ['scores-score', 'matrix-score']
    """
    return SetsDocument.of(study) if study.several else Document.of(study)


def exported(document: Written, formats: Sequence[str | Exporter]) -> Exported:
    """Return the files of a document in all of these formats.

    >>> import mtsig
    >>> from mtsig.report.exporters import document_of, exported
    >>> study = mtsig.compare({"A": [3, 4, 5, 5], "B": [1, 2, 2, 3]}, higher_is_better=True)
    >>> sorted(exported(document_of(study), ["json", "markdown", "csv"]).files)
    ['comparisons.csv', 'report.md', 'scores.csv', 'study.json']

    Raises:
        UnknownName: no such exporter or option.
        InvalidOption: an option cannot take this value, two formats write different files of one name, or one names a
            file outside of the folder.
    """
    files: dict[str, bytes] = {}
    notes: list[Note] = []
    for export in [exporter(choice) for choice in formats]:
        written = export(document)
        notes += written.notes
        for name, data in written.files.items():
            if {"", ".", ".."} & set(re.split(r"[\\/:]", name)):
                raise InvalidOption(
                    f"The format {export.label} names a file {name!r}, which lies in no folder of its own."
                )
            if files.setdefault(name, data) != data:
                raise InvalidOption(
                    f"Two of the formats write {name}: {', '.join(map(str, formats))}. Write them into two folders."
                )
    return Exported(files, tuple(notes))


def one_download(files: Mapping[str, bytes], name: str) -> bytes:
    """Return what is saved as `name`: that file, or all of them in an archive where there is none of that name.

    >>> from mtsig.report.exporters import one_download
    >>> one_download({"study.json": b"{}"}, "study.json"), one_download({"a.csv": b"", "b.csv": b""}, "tables.zip")[:2]
    (b'{}', b'PK')
    """
    return files[name] if name in files else packed(files)


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return the files as one zip archive; the same files give the same bytes.

    >>> import io, zipfile
    >>> from mtsig.report.exporters import packed
    >>> archive = packed({"b.txt": b"two", "a.txt": b"one"})
    >>> zipfile.ZipFile(io.BytesIO(archive)).namelist(), archive == packed({"a.txt": b"one", "b.txt": b"two"})
    (['a.txt', 'b.txt'], True)
    """
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packing:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            packing.writestr(entry, files[name])
    return archive.getvalue()
