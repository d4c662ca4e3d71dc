"""What lessons show, their solutions and their files, worked out once for all visitors."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from mtsig_dashboard.memory import asked, workers

# What no page but Learn needs is loaded with it.
if TYPE_CHECKING:
    from mtsig.lessons import Classroom, Lesson, Source, Stage


def staged(lesson: "Lesson", room: "Classroom") -> "Stage":
    """Return what a lesson shows on these data."""
    return asked("Drawing …", lesson.stage, room)


def solved(lesson: "Lesson", room: "Classroom") -> str:
    """Return the answer to a lesson's exercise on these data."""
    return asked("Solving …", lesson.solution, room)


def handout(
    lesson: "Lesson", room: "Classroom", kind: str, solutions: bool, source: "Source | None"
) -> Callable[[], bytes]:
    """Return what makes a lesson's file in one of FORMATS, as `mtsig lessons` writes it.

    It is called while no page is drawn, so there is no bar; not remembered, since the visitor has the file.
    """
    from mtsig.lessons import FORMATS, kit_files

    pool, work = workers(), partial(kit_files, room, [kind], [lesson], solutions, source)
    return lambda: pool.run(work)[0][FORMATS[kind]]
