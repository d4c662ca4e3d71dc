"""The kit as files: names of formats go in, the bytes of each file come out, the same for the same data and seed."""

from collections.abc import Callable, Mapping, Sequence

from mtsig.corpus import Note
from mtsig.lessons.classroom import Classroom
from mtsig.lessons.course import GAMES, LESSONS
from mtsig.lessons.kit.course_page import course_page
from mtsig.lessons.kit.origin import Source
from mtsig.lessons.lesson import Lesson
from mtsig.progress import each
from mtsig.registry import find

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
    >>> from mtsig.lessons.kit import kit_files
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
    from mtsig.lessons.kit.notebooks import ipynb
    from mtsig.lessons.kit.paper import pdf
    from mtsig.lessons.kit.web_page import html
    from mtsig.lessons.kit.worksheet import worksheet

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
