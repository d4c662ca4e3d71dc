"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._course import GAMES, LESSONS, Source, kit_files
from ._stage import Classroom

__all__ = [
    "GAMES",
    "LESSONS",
    "Classroom",
    "Source",
    "kit_files",
]
