"""Files of scores beside texts: which files hold ratings of segments, and the parts that they make."""

import re
from collections.abc import Sequence
from dataclasses import replace

from mtsig.corpus import Note
from mtsig.readers.names import NOT_LINES, role_of_folder
from mtsig.readers.part import Part, ignored, rating_parts
from mtsig.readers.ratings import is_rating
from mtsig.readers.reader import Placed, Reader

_SUFFIXES = {".tsv", ".csv", ".score", ".jsonl"}
"""Endings of files that may hold scores; what they hold decides."""

_IN_FOLDERS = {".json"}
"""Further ones among ratings; elsewhere such a file holds texts, perhaps with scores beside them."""

_OF_WHOLE_SYSTEMS = re.compile(r"\.(sys|domain)\.")
"""In the names of files that hold one score per system, or per system and domain."""


def claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return what lies in ratings/, human/ and metrics/, and tables of scores at the top."""
    del alone
    return [one for one in files if not one.is_about_the_data and (_in_folder(one) or _at_top(one))]


def _in_folder(one: Placed) -> bool:
    return one.stands_out and role_of_folder(one.folder) == "ratings"


def _at_top(one: Placed) -> bool:
    return not one.folder and one.suffix in _SUFFIXES and (_is_of_whole_systems(one) or is_rating(one.file))


def parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the ratings of every file; what lies in their folders and is none is ignored."""
    return [_parts(one) for one in files]


def _parts(one: Placed) -> list[Part]:
    if _is_of_whole_systems(one):
        return [ignored(one.file, "scores of whole systems, which no test can use")]
    known = _SUFFIXES | _IN_FOLDERS
    unread = one.suffix in NOT_LINES and one.suffix not in known
    # What lies in such a folder and cannot be read is a broken rating, and said to be; at the top it is anything.
    taken = not unread and is_rating(one.file, unreadable=bool(one.folder))
    if taken:
        return rating_parts(one.file)
    return [_left_alone(one)] if one.suffix in known else [ignored(one.file)]


def _left_alone(one: Placed) -> Part:
    """Return a table that lies where ratings do and is none, with a warning: it was put there to be read."""
    text = (
        f"{one.file.label} lies among ratings, but is no table of scores per segment that is known here; it was left "
        "alone. Give it the columns system, segment and score, or one column per system."
    )
    return replace(ignored(one.file), notes=(Note("warning", text),))


def _is_of_whole_systems(one: Placed) -> bool:
    return _OF_WHOLE_SYSTEMS.search(one.name) is not None


RATINGS = Reader(
    "scores of segments by people or metrics, in ratings/, human/ or metrics/ or beside the texts", claims, parts
)
