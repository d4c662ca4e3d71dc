"""The formats that documents are written in: web page, LaTeX, Markdown, CSV, figures, spreadsheet, study."""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from mtsig._memory import remembered
from mtsig._options import configured, option
from mtsig._plugins import Rows
from mtsig._writing import PAPERS, WRITTEN, in_html, in_markdown, rows_csv, unprintable, visible
from mtsig.corpus import Note
from mtsig.errors import InvalidOption, ProgramError, find_typed, need
from mtsig.report._document import Document, Exported, Exporter
from mtsig.report._paper import status_text, texts_table
from mtsig.report._table import Table, is_long, latex_tables, markdown_table, said
from mtsig.study._record import REPORT_FORMATS

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

    from mtsig.figures import Picture


@dataclass(frozen=True)
class Csv(Exporter):
    """scores.csv, comparisons.csv, and ranks.csv and margins.csv where there are some."""

    label = "CSV"
    about = (
        "All numbers at full precision, with one CSV file per kind (UTF-8, one header line). A text that a spreadsheet "
        "would run as a formula begins with an apostrophe."
    )

    def __call__(self, document: Document) -> Exported:
        return Exported({f"{name}.csv": rows_csv(some).encode() for name, some in document.rows.items() if some})


FigureFormat = Literal["pdf", "svg", "png", "pgf"]


@dataclass(frozen=True)
class FigureFiles(Exporter):
    """A file for every picture of the document."""

    paper: str = option(
        "acl-column",
        "Paper",
        "The width: one column or the full page, in ACL's or NeurIPS's style.",
        choices=tuple(PAPERS),
    )
    format: FigureFormat = "pdf"

    @property
    def label(self) -> str:  # type: ignore[override]
        return f"Figures, {self.format.upper()}"

    @property
    def about(self) -> str:  # type: ignore[override]
        """What comes out."""
        return f"Every figure as {self.format.upper()} at the paper's width."

    def __call__(self, document: Document) -> Exported:
        from mtsig.figures import on_paper  # here and below, because formats without figures do without

        files: dict[str, bytes] = {}
        notes: list[Note] = []
        for name, picture in document.pictures.items():
            sheet = on_paper(picture, self.format, self.paper)
            files[f"{name}.{self.format}"] = sheet.data
            notes += [Note(note.level, f"{name}.{self.format}: {note.text}") for note in sheet.notes]
        return Exported(files, tuple(notes))


@dataclass(frozen=True)
class Latex(Exporter):
    r"""tables.tex, methods.tex, methods-short.tex and references.bib, to be read in with \input.

    tables.tex has the scores, the comparisons and the margins; tables-more.tex, for an appendix, has the ranks, results
    set by set, and every table that is longer than a page.
    """

    intervals: bool = option(True, "Intervals", "Write the interval next to every score of the results table.")

    label = "LaTeX"
    about = "LaTeX tables (booktabs), a long and a short methods paragraph (natbib), and their BibTeX."

    def __call__(self, document: Document) -> Exported:
        (needed, others), text = document.printed, document.methods
        # What takes pages of its own would break the text of a paper.
        others = (*(table for table in needed if is_long(table, self.intervals)), *others)
        needed = tuple(table for table in needed if table not in others)
        lost = unprintable("".join([*(_all_text(table) for table in (*needed, *others)), text.text]))
        notes: tuple[Note, ...] = ()
        more = ""
        if lost:
            shown = ", ".join(f"{sign} (U+{ord(sign):04X})" for sign in lost[:6]) + (", …" if len(lost) > 6 else "")
            said = f"pdfLaTeX has no glyph for {shown}: use XeLaTeX or LuaLaTeX with a font that has them."
            notes = (Note("warning", f"LaTeX: {said}"),)
            more = f"% {said}\n"
        further = "% Further tables are in tables-more.tex.\n" if others else ""
        files = {"tables.tex": latex_tables(needed, self.intervals, more + further)}
        if others:
            files["tables-more.tex"] = latex_tables(others, self.intervals, more)
        for name, methods in (("methods", text), ("methods-short", document.summary)):
            files[f"{name}.tex"] = f"% Needs \\usepackage{{natbib}}.\n{methods.latex}"
        seal = f"{WRITTEN}\n% {visible(document.seal.text)}" if document.seal else WRITTEN
        files = {name: f"{seal}\n{text}\n" for name, text in files.items()}
        files["references.bib"] = text.bibtex
        return Exported({name: written.encode() for name, written in files.items()}, notes)


def _all_text(table: Table) -> str:
    return "".join([table.caption, *table.header, *(text for row in table.texts for text in row)])


@dataclass(frozen=True)
class Markdown(Exporter):
    """report.md."""

    label = "Markdown"
    about = "Verdicts, tables and the methods paragraph in one file."

    def __call__(self, document: Document) -> Exported:
        seal = [f"*{in_markdown(document.seal.text)}*"] if document.seal else []
        parts = ["# Results", *seal, *_verdicts(document)]
        for table in document.tables:
            parts += _drawn("##", table)
        parts += ["## Segments behind the verdict"] if document.carrying else []
        for table in document.carrying:
            parts += _drawn("###", table)
        text = document.methods
        parts += ["## Methods", in_markdown(text.text), "```bibtex\n" + text.bibtex + "```"]
        warnings = [f"- {in_markdown(note.text)}" for note in document.named.all_notes]
        parts += ["## Notes on the data", "\n".join(warnings)] if warnings else []
        return Exported({"report.md": ("\n\n".join(parts) + "\n").encode()})


def _drawn(heading: str, table: Table) -> list[str]:
    return [f"{heading} {in_markdown(table.title)}", markdown_table(table), in_markdown(table.caption)]


def _verdicts(document: Document) -> list[str]:
    parts = []
    for told in document.said:
        parts.append(f"**{in_markdown(told.summary)}**")
        parts.append("\n".join(f"- {in_markdown(sentence)}" for sentence in told.sentences))
        parts += [in_markdown(told.left)] if told.left else []
    return parts


@dataclass(frozen=True)
class StudyFile(Exporter):
    """study.json, and plan.toml where there was a plan."""

    label = "Study"
    about = "The study as JSON, with all that is needed to reproduce it exactly."

    def __call__(self, document: Document) -> Exported:
        study = document.study
        plan = {} if study.plan is None else {"plan.toml": study.plan.text.encode()}
        return Exported({"study.json": study.text().encode(), **plan})


_PAPER = "acl-full"


@dataclass(frozen=True)
class WebPage(Exporter):
    """report.html."""

    label = "Report"
    about = "One HTML file with verdicts, figures, tables and methods. Co-authors can read it without mtsig."

    def __call__(self, document: Document) -> Exported:
        need("report")
        figures, notes = [], []
        pictures: Mapping[str, Picture] = {}
        try:
            from mtsig.figures import on_paper

            pictures = document.pictures
        except ProgramError as lacking:
            notes.append(Note("note", f"report.html is written without figures. {lacking}."))
        for name, picture in pictures.items():
            sheet = on_paper(picture, "svg", _PAPER)
            how = explained(picture.how_to_read) if picture.how_to_read else ""
            figures.append({"caption": picture.caption, "svg": inline(sheet.data.decode(), name), "how": how})
            notes += [Note(note.level, f"report.html, {name}: {note.text}") for note in sheet.notes]
        page = template("mtsig.report", "report.html.j2").render(figures=figures, **_content(document))
        return Exported({"report.html": (page + "\n").encode()}, tuple(notes))


@remembered()
def template(package: str, name: str) -> "Template":
    """Return a template of a package, in which every text is escaped that is not marked as safe."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # here, because other formats need none

    # Names come from files, and may hold anything.
    environment = Environment(
        autoescape=True,
        finalize=_escaped,
        loader=PackageLoader(package),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)


def _escaped(value: object) -> object:
    from markupsafe import Markup  # comes with jinja2

    return Markup(in_html(value)) if isinstance(value, str) and not isinstance(value, Markup) else value


def _content(document: Document) -> dict[str, Any]:
    study, text = document.named, document.methods
    title, subtitle = document.title
    return {
        "version": study.mtsig,
        "title": title,
        "subtitle": subtitle,
        "status": study.status,
        "status_text": status_text(study),
        "warnings": [note.text for note in document.notes if note.level == "warning"],
        "notes": [note.text for note in document.notes if note.level == "note"],
        "families": document.said,
        "tables": document.tables,
        "carrying": document.carrying,
        "said": said,
        "methods": text.text,
        "bibtex": text.bibtex,
        "data": document.data,
        "texts": texts_table(document.texts),
        "made_with": "Made with " + ", ".join(f"{name} {version}" for name, version in study.made_with.items()) + ".",
    }


def explained(name: str) -> "Markup":
    """Return a text that explains a figure as HTML: its paragraphs, with what is bold and slanted in them."""
    from markupsafe import Markup  # comes with jinja2

    from mtsig.explain import explain  # here, because other formats explain no figure

    paragraphs = "".join(f"<p>{in_html(paragraph)}</p>\n" for paragraph in explain(name).split("\n\n"))
    # The texts are the program's own: nothing of the data stands in them.
    return Markup(_SLANTED.sub(r"<i>\1</i>", _BOLD.sub(r"<b>\1</b>", paragraphs)))


_BOLD, _SLANTED = re.compile(r"\*\*(.+?)\*\*", re.DOTALL), re.compile(r"\*(.+?)\*", re.DOTALL)
_PROLOG = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_NAMED = re.compile(r'(\bid="|url\(#|href="#)')


def inline(svg: str, name: str) -> "Markup":
    """Return an SVG to stand inside a page, its ids made its own: figures of one page share their names."""
    from markupsafe import Markup  # comes with jinja2

    # The drawing comes from matplotlib, which escapes the texts it writes.
    return Markup(_NAMED.sub(lambda found: f"{found[1]}{name}-", _PROLOG.sub("", svg, count=1)))


@dataclass(frozen=True)
class Spreadsheet(Exporter):
    """tables.xlsx."""

    label = "Spreadsheet"
    about = "The tables as an .xlsx file, with numbers as numbers."

    def __call__(self, document: Document) -> Exported:
        need("excel")
        from mtsig.report._workbook import workbook_of  # here, because it loads openpyxl

        return Exported({"tables.xlsx": workbook_of(document)})


EXPORTERS = Rows[Exporter](
    "mtsig.exporters",
    Exporter,
    {
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
    },
)


def exporter(choice: str | Exporter) -> Exporter:
    """Find the exporter for `choice`, such as "html" or "pdf:paper=acl-full".

    Raises
    ------
    UnknownName
        The format or the option is unknown.
    InvalidOption
        The value of the option is invalid.

    Examples
    --------
    >>> from mtsig.report import exporter
    >>> exporter("pdf:paper=acl-full").paper
    'acl-full'
    """
    if not isinstance(choice, str):
        return choice
    name, _, options = choice.partition(":")
    return configured(find_typed(EXPORTERS, name, "format"), options)


def exported(document: Document, formats: Sequence[str | Exporter] = ()) -> Exported:
    """Return the files of a document in all of these formats.

    Without formats they are `REPORT_FORMATS`, of which those whose libraries are not installed are left out, with a
    note on how to get them.

    Raises
    ------
    UnknownName
        The format or the option is unknown.
    InvalidOption
        The value of an option is invalid, two formats write different files of the same name, or a file is outside the
        folder.
    ProgramError
        A library that one of the given formats needs is not installed.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.report import Document, exported
    >>> study = mtsig.compare({"A": [3, 4, 5, 5], "B": [1, 2, 2, 3]}, higher_is_better=True)
    >>> sorted(exported(Document(study), ["json", "markdown", "csv"]).files)
    ['comparisons.csv', 'report.md', 'scores.csv', 'study.json']
    """
    files: dict[str, bytes] = {}
    notes: list[Note] = []
    for export in [exporter(choice) for choice in formats or REPORT_FORMATS]:
        try:
            written = export(document)
        except ProgramError as lacking:
            if formats:
                raise
            notes.append(Note("note", f"Left out the format {export.label}. {lacking}."))
            continue
        notes += written.notes
        for name, data in written.files.items():
            if {"", ".", ".."} & set(re.split(r"[\\/:]", name)):
                raise InvalidOption(f"The format {export.label} writes a file {name!r}, whose path is not allowed.")
            if files.setdefault(name, data) != data:
                raise InvalidOption(
                    f"Two of the formats write {name}: {', '.join(map(str, formats))}. Use two folders."
                )
    return Exported(files, tuple(notes))


def one_download(files: Mapping[str, bytes], name: str) -> bytes:
    """Return what is saved as `name`: that file, or all of them in an archive where there is none of that name."""
    return files[name] if name in files else packed(files)


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return the files as one zip archive; the same files give the same bytes."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packing:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            packing.writestr(entry, files[name])
    return archive.getvalue()
