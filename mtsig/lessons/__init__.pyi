"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._course import FORMATS, GAMES, LESSONS, kit_files
from ._sheets import Worksheet
from ._stage import Classroom, Lesson

__all__ = [
    "FORMATS",
    "GAMES",
    "LESSONS",
    "Classroom",
    "Lesson",
    "Worksheet",
    "kit_files",
]
