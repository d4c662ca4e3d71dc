"""Line files: one text a file, one segment a line; the folder or the name of a file says what it is."""

from collections.abc import Sequence

from mtsig.readers.names import NOT_LINES, TABLE_SUFFIXES, Role, name_of, role_of_folder, role_of_name
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
    return [[loaded(_part(placed, _role(placed, sorted_out) or "system"))] for placed in files]


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
    named = role_of_name(placed.file.path.stem)
    # What a table beside line files holds is not for its name to say.
    is_table = placed.suffix in TABLE_SUFFIXES
    return named if named != "system" or not (sorted_out[_is_packed(placed)] or is_table) else None


LINE_FILES = Reader("line files, called ref*, source, docids … or sorted into systems/ and refs/", claims, parts)
