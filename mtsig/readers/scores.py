"""Files of scores beside texts: which files hold ratings of segments, and the parts that they make."""

import re
from collections.abc import Sequence
from dataclasses import replace

from mtsig.corpus import Note
from mtsig.readers.names import NOT_LINES, role_of_folder
from mtsig.readers.part import Part, ignored, rating_parts, whole_systems
from mtsig.readers.reader import Placed, Reader

_SUFFIXES = {".tsv", ".csv", ".score", ".jsonl", ".parquet"}
"""Endings of files that may hold scores; what they hold decides."""

_IN_FOLDERS = {".json"}
"""Further ones among ratings; elsewhere such a file holds texts, perhaps with scores beside them."""

_OF_WHOLE_SYSTEMS = re.compile(r"\.(sys|domain)\.")
_BY_DOMAIN = "scores by domain, which nothing here takes"
"""In the names of files that hold one score per system, or per system and domain."""


def claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return what lies in ratings/, human/ and metrics/, and tables of scores at the top."""
    del alone
    return [placed for placed in files if not placed.is_about_the_data and (_in_folder(placed) or _at_top(placed))]


def _in_folder(placed: Placed) -> bool:
    return placed.stands_out and role_of_folder(placed.folder) == "ratings"


def _at_top(placed: Placed) -> bool:
    return (
        not placed.folder and placed.suffix in _SUFFIXES and (_is_of_whole_systems(placed) or placed.rating.is_rating())
    )


def parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the ratings of every file; what lies in their folders and is none is ignored."""
    return [_parts(placed) for placed in files]


def _parts(placed: Placed) -> list[Part]:
    if _is_of_whole_systems(placed):
        return [whole_systems(placed.file) if ".sys." in placed.name else ignored(placed.file, _BY_DOMAIN)]
    known = _SUFFIXES | _IN_FOLDERS
    unread = placed.suffix in NOT_LINES and placed.suffix not in known
    # At the top it was claimed for what it holds; what lies in a folder of ratings and cannot be read is a broken one.
    taken = not placed.folder or (not unread and placed.rating.is_rating(unreadable=True))
    if taken:
        return rating_parts(placed.rating)
    return [_left_alone(placed)] if placed.suffix in known else [ignored(placed.file)]


def _left_alone(placed: Placed) -> Part:
    """Return a table that lies where ratings do and is none, with a warning: it was put there to be read."""
    text = (
        f"{placed.file.label} lies among ratings, but is no table of scores per segment that is known here; it was "
        "left "
        "alone. Give it the columns system, segment and score, or one column per system."
    )
    return replace(ignored(placed.file), notes=(Note("warning", text),))


def _is_of_whole_systems(placed: Placed) -> bool:
    return _OF_WHOLE_SYSTEMS.search(placed.name) is not None


RATINGS = Reader(
    "scores of segments by people or metrics, in ratings/, human/ or metrics/ or beside the texts", claims, parts
)
