"""A picture goes in; files of it come out, one for the screen and one for paper."""

from pathlib import Path

from mtsig.figures.paper import save
from mtsig.figures.picture import Picture


def write_picture(picture: Picture, stem: Path, paper: str | float = "acl-column") -> list[Path]:
    """Write `stem`.html, which needs nothing else, and `stem`.pdf for a paper's column; return the two.

    Raises:
        UnknownName: no such paper.
    """
    page, sheet = stem.with_name(f"{stem.name}.html"), stem.with_name(f"{stem.name}.pdf")
    picture.screen().write_html(page, include_plotlyjs=True)
    save(picture, sheet, paper)
    return [page, sheet]
