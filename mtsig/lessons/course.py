"""The course: every lesson and game, in order; a new one is a file and a line here."""

from mtsig.lessons.documents_travel_together import DOCUMENTS_TRAVEL_TOGETHER
from mtsig.lessons.guess_the_p import GUESS_THE_P
from mtsig.lessons.lesson import Lesson
from mtsig.lessons.one_redraw import ONE_REDRAW
from mtsig.lessons.overlapping_bars import OVERLAPPING_BARS
from mtsig.lessons.swap_the_labels import SWAP_THE_LABELS
from mtsig.lessons.where_p_comes_from import WHERE_P_COMES_FROM
from mtsig.lessons.win_rate import WIN_RATE

LESSONS: tuple[Lesson, ...] = (
    ONE_REDRAW,
    SWAP_THE_LABELS,
    WHERE_P_COMES_FROM,
    OVERLAPPING_BARS,
    WIN_RATE,
    DOCUMENTS_TRAVEL_TOGETHER,
)
"""The lessons, in order of their numbers."""

GAMES: tuple[Lesson, ...] = (GUESS_THE_P,)
"""The games."""
