"""Line files: one text a file, one segment a line; the folder or the name of a file says what it is."""

from collections.abc import Sequence
from dataclasses import replace

from mtsig.readers.names import (
    NOT_LINES,
    TABLE_SUFFIXES,
    Role,
    may_be_documents,
    name_of,
    role_of_folder,
    role_of_name,
)
from mtsig.readers.part import Part, loaded
from mtsig.readers.reader import Placed, Reader


def claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return the files that are, or may be, line files: in systems/ and refs/ everything that is not of another kind.

    Where there is a systems/ folder, files beside it whose names say nothing are left alone; otherwise they are
    systems. A file beside an archive of such a folder is a system: it was added to what the archive holds.
    """
    del alone
    sorted_out = _sorted_out(files)
    return [placed for placed in files if _role(placed, sorted_out) is not None]


def parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return one part a file."""
    sorted_out = _sorted_out(files)
    parts = [(placed, loaded(_part(placed, _role(placed, sorted_out) or "system"))) for placed in files]
    return [[_by_lines(part, "ignored" if sorted_out[_is_packed(placed)] else "system")] for placed, part in parts]


def _by_lines(part: Part, alone: Role) -> Part:
    """Return a part whose name may mean document ids, and whose lines are none, in the role that it has otherwise."""
    if part.role != "documents" or part.lines is None or not may_be_documents(part.name):
        return part
    # Lines that repeat are ids, in whatever order: no system gives every output twice.
    repeat = all(part.lines) and len(set(part.lines)) <= len(part.lines) / 2
    return part if repeat else replace(part, role=alone)


def _part(placed: Placed, role: Role) -> Part:
    return Part(placed.file.label, role, name_of(placed.name), file=placed.file, form="line file")


def _is_packed(placed: Placed) -> bool:
    return placed.file.inside is not None


def _sorted_out(files: Sequence[Placed]) -> dict[bool, bool]:
    """Return whether there is a systems/ folder for files from archives (True) and for others (False)."""
    packed = {_is_packed(placed) for placed in files if role_of_folder(placed.folder) == "system"}
    return {True: bool(packed), False: False in packed}


def _role(placed: Placed, sorted_out: dict[bool, bool]) -> Role | None:
    if placed.is_about_the_data or placed.suffix in NOT_LINES or not placed.stands_out:
        return None
    if placed.folder:
        role = role_of_folder(placed.folder)
        return role if role != "ratings" else None
    stem = placed.file.path.stem
    named: Role = "documents" if may_be_documents(stem) else role_of_name(stem)
    # What a table beside line files holds is not for its name to say.
    is_table = placed.suffix in TABLE_SUFFIXES
    return named if named != "system" or not (sorted_out[_is_packed(placed)] or is_table) else None


LINE_FILES = Reader("line files, called ref*, source, docids … or sorted into systems/ and refs/", claims, parts)
