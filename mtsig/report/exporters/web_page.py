"""The report: one HTML file with verdicts, figures and tables, that asks nothing from outside and prints well."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mtsig._memory import remembered
from mtsig._writing import in_html
from mtsig.corpus import Note
from mtsig.errors import need
from mtsig.explain import explain
from mtsig.figures import on_paper
from mtsig.report.exporters.base import Exported, Exporter, Written
from mtsig.report.study_tables import status_text, texts_table
from mtsig.report.table import said

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

_PAPER = "acl-full"


@dataclass(frozen=True)
class WebPage(Exporter):
    """report.html."""

    label = "Report"
    about = "One HTML file for co-authors: verdicts, figures, tables, methods; readable without the program."

    def __call__(self, document: Written) -> Exported:
        """Return the file.

        Raises:
            ProgramError: jinja2 is not installed.
        """
        need("report")
        figures, notes = [], []
        for name, picture in document.pictures.items():
            sheet = on_paper(picture, "svg", _PAPER)
            how = explained(picture.how_to_read) if picture.how_to_read else ""
            figures.append({"caption": picture.caption, "svg": inline(sheet.data.decode(), name), "how": how})
            notes += [Note(note.level, f"report.html, {name}: {note.text}") for note in sheet.notes]
        page = template("mtsig.report.exporters", "report.html.j2").render(figures=figures, **_content(document))
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


def _content(document: Written) -> dict[str, Any]:
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
