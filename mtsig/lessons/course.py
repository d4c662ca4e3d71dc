"""The course: every lesson and game, in order; a new one is a file and a line here."""

from mtsig.lessons.coverage_dance import COVERAGE_DANCE
from mtsig.lessons.documents_travel_together import DOCUMENTS_TRAVEL_TOGETHER
from mtsig.lessons.guess_the_p import GUESS_THE_P
from mtsig.lessons.half_p import HALF_P
from mtsig.lessons.lesson import Lesson
from mtsig.lessons.lineup import LINEUP
from mtsig.lessons.one_redraw import ONE_REDRAW
from mtsig.lessons.overlapping_bars import OVERLAPPING_BARS
from mtsig.lessons.peeking import PEEKING
from mtsig.lessons.same_bleu import SAME_BLEU
from mtsig.lessons.significant_or_important import SIGNIFICANT_OR_IMPORTANT
from mtsig.lessons.size_law import SIZE_LAW
from mtsig.lessons.swap_the_labels import SWAP_THE_LABELS
from mtsig.lessons.twenty_equal import TWENTY_EQUAL
from mtsig.lessons.where_p_comes_from import WHERE_P_COMES_FROM
from mtsig.lessons.win_rate import WIN_RATE

LESSONS: tuple[Lesson, ...] = (
    ONE_REDRAW,
    SWAP_THE_LABELS,
    WHERE_P_COMES_FROM,
    COVERAGE_DANCE,
    SIZE_LAW,
    OVERLAPPING_BARS,
    WIN_RATE,
    HALF_P,
    TWENTY_EQUAL,
    PEEKING,
    DOCUMENTS_TRAVEL_TOGETHER,
    SAME_BLEU,
    SIGNIFICANT_OR_IMPORTANT,
)
"""The lessons, in order of their numbers."""

GAMES: tuple[Lesson, ...] = (LINEUP, GUESS_THE_P)
"""The games."""
