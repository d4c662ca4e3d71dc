"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._course import GAMES, LESSONS, Source, kit_files
from ._stage import Classroom
from ._still import Still

__all__ = [
    "GAMES",
    "LESSONS",
    "Classroom",
    "Source",
    "Still",
    "kit_files",
]
