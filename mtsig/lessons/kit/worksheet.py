"""A worksheet: what a handout says of one lesson on one classroom, with the answers or without."""

from dataclasses import dataclass

from mtsig.errors import NotApplicable
from mtsig.lessons.classroom import Classroom
from mtsig.lessons.figures import Still
from mtsig.lessons.lesson import Lesson
from mtsig.lessons.stage import Stage

GLIMPSE = 10
"""Steps that a handout shows before anything is committed to: too few to answer the question."""


@dataclass(frozen=True)
class Answers:
    """What is given to the teacher: how it ended, the exercise worked out on the data, the quiz's right answer."""

    stills: tuple[tuple[str, Still], ...]
    reveal: str
    solution: str
    quiz: str
    why: str


@dataclass(frozen=True)
class Worksheet:
    """One lesson of a handout.

    refused: why the lesson cannot be given on these data; then nothing else but its texts is there. glimpse: the
    beginning of the drawing. answers: None on the sheet that is handed out.
    """

    lesson: Lesson
    refused: str = ""
    ask: str = ""
    options: tuple[str, ...] = ()
    glimpse: Still | None = None
    says: str = ""
    answers: Answers | None = None


def worksheet(lesson: Lesson, room: Classroom, solutions: bool = False) -> Worksheet:
    """Return the worksheet of a lesson on a classroom."""
    try:
        stage = lesson.stage(room)
        solution = lesson.solution(room) if solutions else ""
    except NotApplicable as refusal:
        return Worksheet(lesson, str(refusal))
    glimpse = _glimpse(stage)
    return Worksheet(
        lesson,
        ask=stage.ask.question,
        options=stage.ask.options,
        glimpse=glimpse,
        says=glimpse.said,
        answers=_answers(lesson, stage, solution) if solutions else None,
    )


def _glimpse(stage: Stage) -> Still:
    if stage.rounds:
        return Still.of_round(stage.rounds[0])
    return Still.of(stage, min(GLIMPSE, stage.steps, max(0, stage.reveal_at - 1)))


def _answers(lesson: Lesson, stage: Stage, solution: str) -> Answers:
    stills = tuple((view, Still.of(stage, stage.steps, view)) for view in stage.views)
    told = " ".join(f"Round {number}: {played.after}" for number, played in enumerate(stage.rounds, 1))
    quiz = lesson.quiz
    return Answers(stills, told or stage.reveal, solution, quiz.answers[quiz.right], quiz.why)
