"""Parts: what each file, or each column of a table, is taken to be; files go in, parts with guessed roles come out."""

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from mtsig.corpus import Note
from mtsig.errors import ReadError
from mtsig.readers.conllu import Parsed, sentences_of
from mtsig.readers.files import File, lines_of
from mtsig.readers.table import TABLE_SUFFIXES, columns_of

Role = Literal["system", "reference", "source", "documents", "domains", "parses", "ignored"]
ROLES: tuple[Role, ...] = get_args(Role)

_NOT_TEXT = {
    ".md", ".json", ".jsonl", ".py", ".sh", ".xml", ".sgm", ".html", ".yaml", ".yml", ".toml", ".gz", ".zip", ".tar",
    ".pdf", ".png", ".jpg", ".svg", ".xlsx", ".log",
}  # fmt: skip
_ABOUT_THE_DATA = re.compile(r"(readme|licen[cs]e|changelog|copying|notice|makefile)", re.IGNORECASE)
_COUNTERS = {"", "id", "seg", "seg_id", "segid", "segment", "segment_id", "line", "index"}
_FOLDERS: dict[str, Role] = {"systems": "system", "refs": "reference", "references": "reference", "parses": "parses"}
_PARSED = {".conllu", ".conll"}


@dataclass(frozen=True)
class Part:
    """One text of the corpus to be: its lines, the role it plays and the name it goes by.

    `lines` is None while the part is ignored and has not been read, or when it could not be; `problem` then says why.
    Parses have `sentences` instead, and the name of the text they are of.
    """

    label: str
    role: Role
    name: str
    lines: tuple[str, ...] | None = None
    problem: str | None = None
    notes: tuple[Note, ...] = ()
    file: File | None = None
    sentences: tuple[Parsed, ...] | None = None

    def with_role(self, role: Role) -> "Part":
        """Return the part in another role, read from its file if that has not been done."""
        changed = replace(self, role=role)
        there = self.sentences if role == "parses" else self.lines
        known_problem = self.problem is not None and "parses" not in (role, self.role)
        if role == "ignored" or self.file is None or there is not None or known_problem:
            return changed
        return _loaded(replace(changed, problem=None, notes=()))


def parts_of(files: Sequence[File]) -> list[Part]:
    """Return every part of the files with a guessed role; nothing is dropped: what has no role is "ignored".

    A .conllu file holds parses of the text of the same name. Folders called systems/, refs/ and parses/ decide first.
    Then names do: ref*, src or source*, docids or documents, domains. Where there is a systems/ folder, other files
    beside it are left alone; otherwise they are systems.
    """
    folders = [str(file.path.parent).lstrip("/") or "." for file in files]
    known = [folder for folder in folders if folder.rsplit("/", 1)[-1] not in _FOLDERS]
    base = os.path.commonpath(known) if known and all(known) else ""
    places = [os.path.relpath(folder, base or ".") for folder in folders]
    sorted_out = any(_folder_role(place) == "system" for place in places)
    has_lines = any(
        file.path.suffix.lower() not in TABLE_SUFFIXES and _guess(file, place, sorted_out) == "system"
        for file, place in zip(files, places, strict=True)
    )
    parts: list[Part] = []
    for file, place in zip(files, places, strict=True):
        role = _guess(file, place, sorted_out)
        if file.path.suffix.lower() in TABLE_SUFFIXES and place == "." and not sorted_out and not has_lines:
            parts += _table_parts(file)
            continue
        part = Part(file.label, role, name_of(file.path.name), file=file)
        parts.append(part if role == "ignored" else _loaded(part))
    return parts


def name_of(file_name: str) -> str:
    """Return what a text goes by: its file's name without the last extension, unless that is the number of a run.

    >>> name_of("systems/online.txt".split("/")[-1]), name_of("hyps.base.opt0"), name_of("base.run1.txt")
    ('online', 'hyps.base.opt0', 'base.run1')
    """
    stem, dot, suffix = file_name.rpartition(".")
    return stem if dot and stem and not re.fullmatch(r"(run|opt|seed)\d+", suffix, re.IGNORECASE) else file_name


def _folder_role(place: str) -> Role | None:
    return _FOLDERS.get(place.rsplit("/", 1)[-1].lower())


def _guess(file: File, place: str, sorted_out: bool) -> Role:
    folder_role = _folder_role(place)
    if file.path.name.startswith(".") or file.path.suffix.lower() in _NOT_TEXT or _ABOUT_THE_DATA.match(file.path.name):
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


def _reading(part: Part, load: Callable[[], tuple[tuple[str, ...], tuple[Note, ...]]]) -> Part:
    try:
        lines, notes = load()
    except ReadError as error:
        return replace(part, problem=str(error))
    return replace(part, lines=lines, notes=notes)


def _loaded(part: Part) -> Part:
    file = part.file
    if file is None:
        return part
    if part.role != "parses":
        return _reading(part, lambda: lines_of(file))
    try:
        sentences, notes = sentences_of(file)
    except ReadError as error:
        return replace(part, problem=str(error))
    return replace(part, sentences=sentences, notes=notes)


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
