"""Parts: what each file, or each column of a table, is taken to be; files go in, parts with guessed roles come out."""

import os
import re
from collections.abc import Sequence

from mtsig.errors import ReadError
from mtsig.readers import mtme
from mtsig.readers.files import File
from mtsig.readers.part import Part, Role, loaded, rating_parts
from mtsig.readers.ratings import is_rating
from mtsig.readers.table import TABLE_SUFFIXES, columns_of

_NOT_TEXT = {
    ".md", ".json", ".jsonl", ".py", ".sh", ".xml", ".sgm", ".html", ".yaml", ".yml", ".toml", ".gz", ".zip", ".tar",
    ".pdf", ".png", ".jpg", ".svg", ".xlsx", ".log",
}  # fmt: skip
_ABOUT_THE_DATA = re.compile(r"(readme|licen[cs]e|changelog|copying|notice|makefile)", re.IGNORECASE)
_COUNTERS = {
    "", "id", "seg", "seg_id", "segid", "segment", "segment_id", "line", "index", "seg_in_doc", "par_id",
}  # fmt: skip
FOLDERS: dict[str, Role] = {
    "systems": "system", "refs": "reference", "references": "reference", "ratings": "ratings", "human": "ratings",
    "metrics": "ratings", "parses": "parses",
}  # fmt: skip
"""Folders whose name says what is in them."""

_PARSED = {".conllu", ".conll"}
_SCORES = {".tsv", ".csv", ".score", ".jsonl", ".gz"}
"""Endings of files that may hold scores; what they hold decides."""
_OF_WHOLE_SYSTEMS = re.compile(r"\.(sys|domain)\.")
"""In the names of files that hold one score per system, or per system and domain."""


def parts_of(files: Sequence[File]) -> list[Part]:
    """Return every part of the files with a guessed role; nothing is dropped: what has no role is "ignored".

    A .conllu file holds parses of the text of the same name. Folders called systems/, refs/, parses/, and ratings/,
    human/ or metrics/ decide first. Then names do: ref*, src or source*, docids or documents, domains. Where there is a
    systems/ folder, other files beside it are left alone; otherwise they are systems. Tables of scores are ratings
    beside the texts, too. A folder of mt-metrics-eval is taken as what it is.
    """
    if mtme.recognises(files):
        return mtme.parts(files)
    folders = [str(file.path.parent).lstrip("/") or "." for file in files]
    known = [folder for folder in folders if folder.rsplit("/", 1)[-1] not in FOLDERS]
    base = os.path.commonpath(known) if known and all(known) else ""
    places = [os.path.relpath(folder, base or ".") for folder in folders]
    sorted_out = any(_folder_role(place) == "system" for place in places)
    roles = [_guess(file, place, sorted_out) for file, place in zip(files, places, strict=True)]
    has_lines = any(
        role == "system" and file.path.suffix.lower() not in TABLE_SUFFIXES
        for file, role in zip(files, roles, strict=True)
    )
    parts: list[Part] = []
    for file, place, role in zip(files, places, roles, strict=True):
        if role == "ratings":
            parts += rating_parts(file)
            continue
        if file.path.suffix.lower() in TABLE_SUFFIXES and place == "." and not sorted_out and not has_lines:
            parts += _table_parts(file)
            continue
        part = Part(file.label, role, name_of(file.path.name), file=file)
        parts.append(part if role == "ignored" else loaded(part))
    return parts


def name_of(file_name: str) -> str:
    """Return what a text goes by: its file's name without the last extension, unless that is the number of a run.

    >>> name_of("systems/online.txt".split("/")[-1]), name_of("hyps.base.opt0"), name_of("base.run1.txt")
    ('online', 'hyps.base.opt0', 'base.run1')
    """
    stem, dot, suffix = file_name.rpartition(".")
    return stem if dot and stem and not re.fullmatch(r"(run|opt|seed)\d+", suffix, re.IGNORECASE) else file_name


def _folder_role(place: str) -> Role | None:
    return FOLDERS.get(place.rsplit("/", 1)[-1].lower())


def _guess(file: File, place: str, sorted_out: bool) -> Role:
    folder_role, suffix = _folder_role(place), file.path.suffix.lower()
    if file.path.name.startswith(".") or _ABOUT_THE_DATA.match(file.path.name):
        return "ignored"
    if folder_role == "ratings":
        unread = suffix in _NOT_TEXT and suffix not in _SCORES
        if unread or _OF_WHOLE_SYSTEMS.search(file.path.name):
            return "ignored"
        return "ratings" if is_rating(file, unreadable=True) else "ignored"
    if place == "." and suffix in _SCORES and is_rating(file):
        return "ratings"
    if suffix in _NOT_TEXT:
        return "ignored"
    if file.path.suffix.lower() in _PARSED:
        return "parses"
    if folder_role is not None:
        return folder_role
    if place != ".":
        return "ignored"
    role = role_of_name(file.path.stem)
    return (
        role if role != "system" or (not sorted_out and file.path.suffix.lower() not in TABLE_SUFFIXES) else "ignored"
    )


def role_of_name(name: str) -> Role:
    """Return the role that a file's or column's name suggests; a name that suggests none is a system's."""
    low = name.lower()
    if low.startswith("ref"):
        return "reference"
    if low == "src" or low.startswith("source"):
        return "source"
    if low in {"docids", "documents"}:
        return "documents"
    return "domains" if low == "domains" else "system"


def _role_of_column(name: str) -> Role:
    low = name.lower()
    if low in _COUNTERS:
        return "ignored"
    if low in {"doc", "docid", "doc_id", "document", "document_id"}:
        return "documents"
    return "domains" if low == "domain" else role_of_name(name)


def _table_parts(file: File) -> list[Part]:
    try:
        columns, notes = columns_of(file)
    except ReadError as error:
        return [Part(file.label, "system", file.path.stem, problem=str(error), file=file)]
    parts = []
    for position, (name, lines) in enumerate(columns.items()):
        role = _role_of_column(name)
        parts.append(Part(f"{file.label}, column {name!r}", role, name, lines, notes=notes if position == 0 else ()))
    return parts
