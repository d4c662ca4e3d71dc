"""The course: every lesson and game, in order; a new one is a file and a line here."""

from mtsig.lessons.coverage_dance import COVERAGE_DANCE
from mtsig.lessons.half_p import HALF_P
from mtsig.lessons.lesson import Lesson
from mtsig.lessons.lineup import LINEUP
from mtsig.lessons.peeking import PEEKING
from mtsig.lessons.same_bleu import SAME_BLEU
from mtsig.lessons.significant_or_important import SIGNIFICANT_OR_IMPORTANT
from mtsig.lessons.size_law import SIZE_LAW
from mtsig.lessons.twenty_equal import TWENTY_EQUAL

LESSONS: tuple[Lesson, ...] = (
    COVERAGE_DANCE,
    SIZE_LAW,
    HALF_P,
    TWENTY_EQUAL,
    PEEKING,
    SAME_BLEU,
    SIGNIFICANT_OR_IMPORTANT,
)
"""The lessons, in order of their numbers."""

GAMES: tuple[Lesson, ...] = (LINEUP,)
"""The games."""
