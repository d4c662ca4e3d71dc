"""The course: every lesson and game, in order; a new one is a file and a line here."""

from mtsig.lessons.lesson import Lesson

LESSONS: tuple[Lesson, ...] = ()
"""The lessons, in order of their numbers."""

GAMES: tuple[Lesson, ...] = ()
"""The games."""
