"""The course: every lesson and game in order, the pages about it, and the files of the kit."""

import copyreg
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from mtsig.corpus import Note
from mtsig.errors import find
from mtsig.lessons import _comparing, _games, _many_looks, _p_values, _uncertainty, _what_scores_hide
from mtsig.lessons._stage import Classroom, Lesson
from mtsig.progress import each
from mtsig.report import Table
from mtsig.report._table import markdown_table

_ORDER = (
    _uncertainty.WHY_IT_WORKS,
    _uncertainty.ONE_REDRAW,
    _p_values.SWAP_THE_NAMES,
    _p_values.WHERE_P_COMES_FROM,
    _uncertainty.COVERAGE_DANCE,
    _uncertainty.SIZE_LAW,
    _comparing.OVERLAPPING_BARS,
    _comparing.WIN_RATE,
    _p_values.HALF_P,
    _many_looks.TWENTY_EQUAL,
    _many_looks.PEEKING,
    _what_scores_hide.DOCUMENTS_TRAVEL_TOGETHER,
    _what_scores_hide.SAME_BLEU,
    _what_scores_hide.SIGNIFICANT_OR_IMPORTANT,
    _games.LINEUP,
    _games.GUESS_THE_P,
)
COURSE = tuple(replace(lesson, number=number) for number, lesson in enumerate(_ORDER))
LESSONS: tuple[Lesson, ...] = tuple(lesson for lesson in COURSE if not lesson.is_game)
"""The lessons, in order of their numbers."""

GAMES: tuple[Lesson, ...] = tuple(lesson for lesson in COURSE if lesson.is_game)
"""The games."""

MINUTES = 10
"""That each of them takes in class."""

_BY_NAME = {lesson.name: lesson for lesson in COURSE}


def _called(name: str) -> Lesson:
    return _BY_NAME[name]


# To a process that draws it a lesson goes by its name: what draws it is there, and is made of functions without one.
copyreg.pickle(Lesson, lambda lesson: (_called, (lesson.name,)))


class Source(NamedTuple):
    """The data and the metric that a notebook reads; None for the sample."""

    data: str | None = None
    metric: str = "bleu"


Plan = tuple[tuple[str | Lesson, int], ...]
"""Parts of a class, each with its minutes: a lesson, or what else is done."""


def _plan(names: str, *others: tuple[str, int]) -> Plan:
    first, *last = others
    return (first, *((_BY_NAME[name], MINUTES) for name in names.split()), *last)


SHORT: Plan = _plan(
    "why-it-works one-redraw swap-the-names where-p-comes-from overlapping-bars twenty-equal peeking lineup",
    ("Opening: which difference of two pairs is more certain?", 5), ("Closing: the opening again, and the quiz", 5),
)  # fmt: skip
"""90 minutes."""

LONG: tuple[tuple[str, Plan], ...] = (
    ("What moves a score", _plan("why-it-works one-redraw coverage-dance size-law", ("Opening, and the quiz", 5))),
    ("What a p-value is", _plan("swap-the-names where-p-comes-from lineup guess-the-p", ("What do you remember?", 5))),
    ("Comparing", _plan("overlapping-bars win-rate half-p documents-travel-together", ("What do you remember?", 5))),
    (
        "Many looks, and what it means",
        _plan("twenty-equal peeking same-bleu significant-or-important", ("The quiz again", 5)),
    ),
)
"""Titles of four times 45 minutes, each with its parts."""

TEACHING = (
    "Open with two pairs of the sample data on the page Compare two: direct against direct-us, and via-catalan against "
    "via-galician. The second difference is the larger one, and the first is the significant one. Ask why before "
    "anything is explained; the course answers this question.",
    "Projector, at the top of a lesson, shows only the drawing, in large type. The keys 1, 2, 3, 4 press the four "
    "buttons, R starts again, → goes to the next lesson; the answer is shown when you ask for it.",
    "In lesson 4 every student takes the hundred test sets of the month of his or her birth; then add up the misses "
    "of the class. Download my "
    "answers saves a file; below you can combine the files of a class.",
    "Every lesson ends with one question of the quiz. `mtsig lessons --to course --out FOLDER` writes all of them, for "
    "use before and after the course, and their answers in another file.",
)
"""What a teacher needs to know."""


def plans() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the titles of the plans, each with its table."""
    for title, plan in (("90 minutes", SHORT), *((f"45 minutes: {title}", plan) for title, plan in LONG)):
        rows = [
            [part, "", str(minutes)] if isinstance(part, str) else [part.label, part.question, str(minutes)]
            for part, minutes in plan
        ]
        rows.append(["", "", str(sum(minutes for _, minutes in plan))])
        yield title, {"header": ["Part", "Question", "Minutes"], "rows": rows}


def course_pages() -> dict[str, str]:
    """Return the pages about the course in Markdown, by file: the plan, the quiz, and its answers by themselves."""
    treated = [(lesson.misconception, lesson.label, lesson.sections) for lesson in COURSE]
    tables = (
        f"## {title}\n\n{markdown_table(Table.of_text('', table['header'], table['rows'], right=('Minutes',)))}"
        for title, table in plans()
    )
    plan = [
        "# A course on significance testing",
        "[Start the course](learn/index.html): each lesson asks a question, waits for your guess, and then draws the "
        "answer. It runs in the browser and sends no data. `mtsig lessons --to web --out FOLDER` writes the same pages "
        "for your own data (`--data`), to be opened from the folder or put on any web server; `mtsig dashboard` has "
        "them on its page Learn.",
        "## For the teacher",
        *TEACHING,
        "`mtsig lessons --to html pdf ipynb --solutions --out FOLDER` writes handouts and notebooks, each without "
        "answers and, in a separate file, with answers. Here are the [quiz](course-quiz.md) and "
        "its [answers](course-answers.md). This page is written by `mtsig lessons --to course "
        "--out docs`.",
        *tables,
        "## Misconceptions",
        markdown_table(Table.of_text("", ("Misconception", "Lesson", "Where it is treated"), treated)),
    ]
    quiz = [
        "# Quiz, before and after the course",
        "Ask the same questions before and after the course. Count only the answers that change.",
        *(
            f"{number}. {lesson.quiz.question}\n\n"
            + "\n".join(
                f"    {one}) {text}  " for one, text in zip("abcd", lesson.quiz.answers(lesson.number), strict=True)
            )
            for number, lesson in enumerate(COURSE, 1)
        ),
    ]
    answers = [
        "# Answers of the quiz",
        *(
            f"{number}. **{'abcd'[lesson.quiz.place(lesson.number)]}) {lesson.quiz.right}.** {lesson.quiz.why}"
            for number, lesson in enumerate(COURSE, 1)
        ),
    ]
    pages = {"course.md": plan, "course-quiz.md": quiz, "course-answers.md": answers}
    return {file: "\n\n".join(parts) + "\n" for file, parts in pages.items()}


FORMATS: Mapping[str, str] = {
    "web": "index.html",
    "html": "handout.html",
    "pdf": "handout.pdf",
    "ipynb": "lessons.ipynb",
    "course": "course.md",
}
"""The formats, each with the file that it writes, or the first of several."""


def course_data(heading: bool = True) -> dict[str, Any]:
    """Return what the component is given of the course: its lessons, and what a teacher needs."""
    from mtsig.lessons._sheets import TITLE  # here, because matplotlib takes a while to load

    def cards(lessons: Sequence[Lesson]) -> list[dict[str, Any]]:
        return [
            {"number": one.number, "title": f"{one.number} · {one.title}", "against": one.misconception}
            for one in lessons
        ]

    intro = (
        f"Each lesson asks a question, waits for your guess, and then draws the answer. Each takes about {MINUTES} "
        "minutes."
    )
    course = {"intro": intro, "lessons": cards(LESSONS), "games": cards(GAMES), "notes": list(TEACHING)}
    return {
        "id": "course", "title": TITLE, "heading": heading, "projector": False, "glossary": [], "nav": {},
        "course": course | {"plans": [table | {"title": title} for title, table in plans()]},
    }  # fmt: skip


def kit_files(
    room: Classroom,
    formats: Sequence[str] = ("html",),
    lessons: Sequence[Lesson] = COURSE,
    solutions: bool = False,
    source: Source | None = None,
) -> tuple[dict[str, bytes], list[Note]]:
    """Return the files of lessons by name, and notes on what they cannot show.

    Parameters
    ----------
    room
        The data, the pair and the seed of the lessons.
    formats
        Names in FORMATS.
    lessons
        The lessons to write, in this order.
    solutions
        Whether to write handouts and notebooks with answers, too, into separate files.
    source
        The data that notebooks read; None for the sample data.

    Raises
    ------
    UnknownName
        There is no format of that name.
    ProgramError
        A package that a format needs is not installed.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.lessons import LESSONS, Classroom, kit_files
    >>> files, notes = kit_files(Classroom.of(mtsig.read_sample(), "chrf"), ("ipynb", "course"), LESSONS[5:6])
    >>> list(files), notes
    (['lessons.ipynb', 'course.md', 'course-quiz.md', 'course-answers.md'], [])
    """
    # Here and not above: matplotlib takes a while to load, and the list of formats needs none of it.
    from mtsig.lessons._sheets import Worksheet, html, ipynb, pdf
    from mtsig.lessons._web import pages

    sheet: dict[str, Callable[[Sequence[Worksheet]], tuple[bytes, Iterable[Note]]]] = {
        "html": lambda sheets: html(room, sheets),
        "pdf": lambda sheets: pdf(room, sheets),
        "ipynb": lambda sheets: (ipynb(room, sheets, source or Source()), ()),
    }
    for name in formats:
        find(FORMATS, name, "format")
    files: dict[str, bytes] = {}
    notes: dict[Note, None] = {}
    if "web" in formats:
        files |= pages(room, lessons, course_data())
    for solved in (False, True)[: 1 + solutions]:
        chosen = [name for name in dict.fromkeys(formats) if name in sheet]
        sheets = [Worksheet.of(lesson, room, solved) for lesson in each(lessons)] if chosen else []
        for name in chosen:
            stem, _, ending = FORMATS[name].partition(".")
            data, said = sheet[name](sheets)
            files[f"{stem}{'-solutions' if solved else ''}.{ending}"] = data
            notes |= dict.fromkeys(said)
    if "course" in formats:
        files |= {name: page.encode() for name, page in course_pages().items()}
    return files, list(notes)
