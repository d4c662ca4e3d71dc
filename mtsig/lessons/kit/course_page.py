"""The course page: plans for 90 minutes and for four lessons, misconceptions with their sections, the quiz."""

from collections.abc import Iterable, Sequence

from mtsig.errors import MtsigError
from mtsig.lessons.course import GAMES, LESSONS
from mtsig.lessons.lesson import Lesson
from mtsig.report import Table, markdown_table

SHORT: tuple[str, ...] = (
    "one-redraw", "swap-the-labels", "where-p-comes-from", "overlapping-bars", "twenty-equal", "peeking",
    "lineup",
)  # fmt: skip
"""Lessons and the game of 90 minutes."""

LONG: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("What moves a score", ("one-redraw", "coverage-dance", "size-law")),
    ("What a p-value is", ("swap-the-labels", "where-p-comes-from", "lineup", "guess-the-p")),
    ("Comparing", ("overlapping-bars", "win-rate", "half-p", "documents-travel-together")),
    ("Many looks, and what it means", ("twenty-equal", "peeking", "same-bleu", "significant-or-important")),
)
"""Titles of four times 45 minutes, each with its lessons."""


def course_page() -> str:
    """Return the page in Markdown."""
    lessons = (*LESSONS, *GAMES)
    treated = [(lesson.misconception, lesson.label, lesson.sections) for lesson in lessons]
    parts = [
        "# A course on significance testing",
        "The lessons run in the dashboard (`mtsig dashboard`, page Learn), on the sample data or on your own: each "
        "asks a question, waits for a commitment, and then draws. Nothing is sent anywhere; answers stay on the "
        "machine and can be saved as a file. This page is written by `mtsig lessons --to course --out FOLDER`; "
        "handouts and notebooks for your own data by `mtsig lessons --data FOLDER --to html pdf ipynb --seed 7 --out "
        "FOLDER`, with `--solutions` for yourself.",
        "## Opening",
        "Show two pairs of the sample data on the page Compare two: direct against direct-us, and via-catalan against "
        "via-galician. The second gap is the larger one, and the first is the significant one. Ask why before anything "
        "is explained; the course answers it.",
        "## 90 minutes",
        _plan(_named(SHORT)),
        "## Four times 45 minutes",
        *(f"**{number}. {title}**\n\n{_plan(_named(names))}" for number, (title, names) in enumerate(LONG, 1)),
        "## On a projector",
        "Open a lesson with `&projector=true` in its address (the switch on the page writes it): large type, no frame "
        "around it. Keys: 1, 2, 3, 4 press the four buttons, R starts again, → goes to the next lesson. A link holds "
        "lesson, seed, pair and the number of draws; of your own data it holds a digest, and says so when it meets "
        "others. `mtsig dashboard --data FOLDER --lesson 6` opens a lesson on your data.",
        "## Answers",
        "Download my answers, on the page, saves the answers of a visit as a file (JSON): a list of lessons, each with "
        "the data, pair and seed, what was asked and guessed, and how the quiz was answered. Nobody collects them; "
        "whoever teaches asks for the files and pools the folder.",
        "## Misconceptions",
        markdown_table(Table.of_text("", ("Misconception", "Lesson", "Where it is treated"), treated)),
        "## Quiz, before and after",
        "The same questions before the course and after it. Count only what changes.",
        *(
            f"{number}. {lesson.quiz.question}\n\n" + "\n".join(f"    - {answer}" for answer in lesson.quiz.answers)
            for number, lesson in enumerate(lessons, 1)
        ),
        "## Answers",
        *(
            f"{number}. {lesson.quiz.answers[lesson.quiz.right]}. {lesson.quiz.why}"
            for number, lesson in enumerate(lessons, 1)
        ),
    ]
    return "\n\n".join(parts) + "\n"


def _named(names: Iterable[str]) -> list[Lesson]:
    by_name = {lesson.name: lesson for lesson in (*LESSONS, *GAMES)}
    missing = [name for name in names if name not in by_name]
    if missing:
        raise MtsigError(f"The plan of the course names lessons that there are not: {', '.join(missing)}.")
    return [by_name[name] for name in names]


def _plan(lessons: Sequence[Lesson]) -> str:
    rows = [(lesson.label, lesson.question, str(lesson.minutes)) for lesson in lessons]
    rows.append(("", "", str(sum(each.minutes for each in lessons))))
    return markdown_table(Table.of_text("", ("Lesson", "Question", "Minutes"), rows, right=("Minutes",)))
