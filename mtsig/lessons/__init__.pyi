"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from .classroom import Classroom
from .course import GAMES, LESSONS
from .lesson import Lesson, Quiz
from .stage import Stage

__all__ = ["GAMES", "LESSONS", "Classroom", "Lesson", "Quiz", "Stage"]
