"""A folder goes in; a result lies in it: numbers, tables for papers and pages, and pictures."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mtsig.cli.say import tell
from mtsig.cli.show import Rows, data_text, markdown_text
from mtsig.report import Table, html_page, latex_table
from mtsig.writing import write_file

if TYPE_CHECKING:
    from mtsig.figures import Picture


def add_out(parser: Any, what: str = "the result") -> None:
    """Add --out to a parser or a group of arguments."""
    kinds = "JSON, CSV, tables in LaTeX, Markdown and HTML, pictures as web pages and PDF"
    parser.add_argument("--out", metavar="FOLDER", help=f"also write {what} there: {kinds}")


def write_out(
    folder: str | None,
    name: str,
    bundle: Mapping[str, Any],
    rows: Rows,
    tables: Sequence[Table],
    pictures: Callable[[], Mapping[str, "Picture"]],
) -> None:
    """Write a result into a folder, in files that begin with its name; without a folder, nothing.

    pictures: makes them, by the names of their files.

    Raises:
        ReadError: a file cannot be written.
    """
    if folder is None:
        return
    # Here and not above: plotly and matplotlib take a while to load, and nothing else needs them.
    from mtsig.figures import write_picture

    texts = {
        "json": data_text("json", bundle, rows),
        "csv": data_text("csv", bundle, rows),
        "tex": "\n\n".join(map(latex_table, tables)) + "\n",
        "md": markdown_text(tables),
        "html": html_page(tables),
    }
    written = []
    for ending, text in texts.items():
        written.append(Path(folder) / f"{name}.{ending}")
        write_file(written[-1], text.encode())
    for stem, picture in pictures().items():
        files, notes = write_picture(picture, Path(folder) / f"{name}-{stem}")
        written += files
        for note in notes:
            tell(f"{note.level}: {note.text}")
    tell(*map(str, written))
