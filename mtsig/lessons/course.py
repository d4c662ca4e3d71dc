"""The course: every lesson and game, in order; a new one is a file and a line here."""

from mtsig.lessons.lesson import Lesson
from mtsig.lessons.one_redraw import ONE_REDRAW
from mtsig.lessons.swap_the_labels import SWAP_THE_LABELS
from mtsig.lessons.where_p_comes_from import WHERE_P_COMES_FROM

LESSONS: tuple[Lesson, ...] = (ONE_REDRAW, SWAP_THE_LABELS, WHERE_P_COMES_FROM)
"""The lessons, in order of their numbers."""

GAMES: tuple[Lesson, ...] = ()
"""The games."""
