"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._course import FORMATS, GAMES, LESSONS, Source, kit_files
from ._sheets import Worksheet
from ._stage import Classroom, Lesson, Quiz, Stage
from ._still import Still

__all__ = [
    "FORMATS",
    "GAMES",
    "LESSONS",
    "Classroom",
    "Lesson",
    "Quiz",
    "Source",
    "Stage",
    "Still",
    "Worksheet",
    "kit_files",
]
