"""The course: every lesson and game in order, the page about it, and the files of the kit."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from mtsig.corpus import Note
from mtsig.errors import MtsigError, find
from mtsig.lessons._claims import HALF_P, SIGNIFICANT_OR_IMPORTANT
from mtsig.lessons._games import GUESS_THE_P, LINEUP
from mtsig.lessons._many_looks import PEEKING, TWENTY_EQUAL
from mtsig.lessons._p_values import ONE_REDRAW, SWAP_THE_LABELS, WHERE_P_COMES_FROM
from mtsig.lessons._stage import Classroom, Lesson
from mtsig.lessons._uncertainty import COVERAGE_DANCE, OVERLAPPING_BARS, SIZE_LAW
from mtsig.lessons._what_scores_hide import DOCUMENTS_TRAVEL_TOGETHER, SAME_BLEU
from mtsig.lessons._win_rate import WIN_RATE
from mtsig.progress import each
from mtsig.report import Table
from mtsig.report._table import markdown_table

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


class Source(NamedTuple):
    """What a notebook reads again: the folder or file of the data, None for the sample; the metric as it is typed."""

    data: str | None = None
    metric: str = "bleu"


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


FORMATS: Mapping[str, str] = {
    "html": "handout.html",
    "pdf": "handout.pdf",
    "ipynb": "lessons.ipynb",
    "course": "course.md",
}
"""The formats, each with the file that it writes."""


def kit_files(
    room: Classroom,
    formats: Sequence[str] = ("html",),
    lessons: Sequence[Lesson] = (*LESSONS, *GAMES),
    solutions: bool = False,
    source: Source | None = None,
) -> tuple[dict[str, bytes], list[Note]]:
    """Return the files by name, and what could not be shown in them.

    >>> import mtsig
    >>> from mtsig.lessons import LESSONS, Classroom
    >>> from mtsig.lessons import kit_files
    >>> files, notes = kit_files(Classroom.of(mtsig.read_sample(), "chrf"), ("ipynb", "course"), LESSONS[:1])
    >>> list(files), notes
    (['lessons.ipynb', 'course.md'], [])

    Args:
        room: the data, the pair and the seed that the lessons are given on.
        formats: of FORMATS.
        lessons: which, in their order.
        solutions: whether the answers are in them.
        source: where notebooks find the data of the classroom; the sample's when None.

    Raises:
        UnknownName: no such format.
        ProgramError: what a format needs is not installed.
    """
    # Here and not above: matplotlib takes a while to load, and the list of formats needs none of it.
    from mtsig.lessons._sheets import html, ipynb, pdf, worksheet

    for name in formats:
        find(FORMATS, name, "format")
    about_course = set(formats) == {"course"}
    sheets = [] if about_course else [worksheet(lesson, room, solutions) for lesson in each(lessons)]
    source = source or Source()
    makers: dict[str, Callable[[], tuple[bytes, Sequence[Note]]]] = {
        "html": lambda: html(room, sheets),
        "pdf": lambda: pdf(room, sheets),
        "ipynb": lambda: (ipynb(room, sheets, source), ()),
        "course": lambda: (course_page().encode(), ()),
    }
    made = {FORMATS[name]: makers[name]() for name in dict.fromkeys(formats)}
    notes = [note for _, said in made.values() for note in said]
    return {name: file for name, (file, _) in made.items()}, list(dict.fromkeys(notes))
