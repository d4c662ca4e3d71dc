"""A picture goes in; files of it come out, one for the screen and others for paper."""

from collections.abc import Sequence
from pathlib import Path

from mtsig.corpus import Note
from mtsig.figures.paper import save
from mtsig.figures.picture import Picture
from mtsig.writing import write_file


def write_picture(
    picture: Picture, stem: Path, paper: str | float = "acl-column", formats: Sequence[str] = ("pdf",)
) -> tuple[list[Path], tuple[Note, ...]]:
    """Write `stem`.html, which needs nothing else, and a file for paper in every format.

    Returns the files, and what could not be shown in them.

    Raises:
        UnknownName: no such paper or format.
        NotApplicable: PGF is asked for, and no TeX can set it.
        ReadError: a file cannot be written.
    """
    page = stem.with_name(f"{stem.name}.html")
    # A name of its own choice would be another one every time: the same study gives the same bytes.
    write_file(page, picture.screen().to_html(include_plotlyjs=True, div_id=stem.name).encode())
    files, notes = [page], []
    for form in formats:
        file = stem.with_name(f"{stem.name}.{form}")
        notes += [Note(note.level, f"{file.name}: {note.text}") for note in save(picture, file, paper).notes]
        files.append(file)
    return files, tuple(notes)
