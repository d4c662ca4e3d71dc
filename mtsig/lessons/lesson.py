"""Lessons as data: page, handout, notebook and course page are made of the same ones."""

from collections.abc import Callable
from dataclasses import dataclass

from mtsig.lessons.classroom import Classroom
from mtsig.lessons.stage import Stage


@dataclass(frozen=True)
class Quiz:
    """A question about the lesson with one right answer, and why."""

    question: str
    answers: tuple[str, ...]
    right: int
    why: str


@dataclass(frozen=True)
class Lesson:
    """One lesson: question, commitment, drawing, take-home, exercise.

    number: its place in the course, and its address. misconception: what it is to end, in its own words. sections: of
    the papers and books it stands on. stage: draws it on a classroom, or refuses with the reason (NotApplicable).
    solution: the exercise's answer, worked out on those data. minutes: how long it takes in class. points: of a game,
    what a guess in a round is worth, given the answer and the guess; a lesson has none.
    """

    number: int
    name: str
    title: str
    misconception: str
    sections: str
    question: str
    take_home: str
    exercise: str
    quiz: Quiz
    stage: Callable[[Classroom], Stage]
    solution: Callable[[Classroom], str]
    minutes: int = 10
    points: Callable[[float, float], int] | None = None

    @property
    def label(self) -> str:
        """What it is called in a list."""
        return f"Game: {self.title}" if self.points else f"Lesson {self.number}: {self.title}"
