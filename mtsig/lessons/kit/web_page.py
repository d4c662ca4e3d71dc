"""The handout as one HTML file that opens anywhere and prints well."""

from collections.abc import Sequence
from typing import Any

from mtsig.corpus import Note
from mtsig.extras import need
from mtsig.figures import on_paper
from mtsig.lessons.classroom import Classroom
from mtsig.lessons.figures import Still
from mtsig.lessons.kit.origin import about
from mtsig.lessons.kit.worksheet import Worksheet
from mtsig.report.exporters.web_page import inline, template

_WIDTH = "acl-full"


def html(room: Classroom, sheets: Sequence[Worksheet]) -> tuple[bytes, Sequence[Note]]:
    """Return the file, and what could not be shown.

    Raises:
        ProgramError: jinja2 is not installed.
    """
    need("report")
    notes: list[Note] = []

    def drawn(still: Still, name: str) -> Any:
        sheet = on_paper(still, "svg", _WIDTH)
        notes.extend(sheet.notes)
        return inline(sheet.data.decode(), name)

    page = template("mtsig.lessons.kit", "handout.html.j2").render(sheets=sheets, about=about(room), drawn=drawn)
    return (page + "\n").encode(), notes
