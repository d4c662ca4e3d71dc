"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._course import GAMES as GAMES
from ._course import LESSONS as LESSONS
from ._course import Source as Source
from ._course import kit_files as kit_files
from ._stage import Classroom as Classroom
from ._still import Still as Still

__all__ = ["GAMES", "LESSONS", "Classroom", "Source", "Still", "kit_files"]
