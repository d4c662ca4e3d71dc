"""The lessons as notebooks, for Jupyter: cells that count on the data again; nothing but code holds numbers.

What comes with the data (names, texts) is printed by the code and never stands in a cell: a notebook's Markdown would
fetch a picture that a name asks for.
"""

import json
from collections.abc import Sequence
from typing import NamedTuple

from mtsig.lessons.classroom import Classroom
from mtsig.lessons.kit.origin import Source
from mtsig.lessons.kit.worksheet import GLIMPSE, Worksheet
from mtsig.lessons.lesson import Lesson


class Cell(NamedTuple):
    """A cell: text in Markdown, or code."""

    is_code: bool
    source: str


def ipynb(room: Classroom, sheets: Sequence[Worksheet], source: Source) -> bytes:
    """Return a Jupyter notebook (nbformat 4.5)."""
    cells = [Cell(True, "\n".join([*_IMPORTS, *_setup(room, source)])), *_cells(sheets)]
    notebook = {
        "cells": [_jupyter(number, cell) for number, cell in enumerate(cells)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return (json.dumps(notebook, ensure_ascii=False, indent=1) + "\n").encode()


def _jupyter(number: int, cell: Cell) -> dict[str, object]:
    common = {"id": f"cell-{number}", "metadata": {}, "source": cell.source.splitlines(keepends=True)}
    if cell.is_code:
        return {"cell_type": "code", "execution_count": None, "outputs": [], **common}
    return {"cell_type": "markdown", **common}


_IMPORTS = (
    "import mtsig",
    "from mtsig.lessons import GAMES, LESSONS, Classroom",
    "from mtsig.lessons.figures import Still",
)


def _setup(room: Classroom, source: Source) -> list[str]:
    """Return the lines that read the data and open the classroom."""
    read = "mtsig.read_sample()" if source.data is None else f"mtsig.read({source.data!r})"
    return [
        "",
        f"corpus = {read}",
        f"room = Classroom.of(corpus, {source.metric!r}, {room.pair!r}, seed={room.seed})",
        "lessons = {lesson.name: lesson for lesson in (*LESSONS, *GAMES)}",
    ]


def _cells(sheets: Sequence[Worksheet]) -> list[Cell]:
    cells = [Cell(False, "# Is the difference real? Lessons on significance")]
    for sheet in sheets:
        cells += _of_lesson(sheet)
    return cells


def _of_lesson(sheet: Worksheet) -> list[Cell]:
    lesson = sheet.lesson
    title = Cell(False, f"## {lesson.label}\n\n*{lesson.misconception}* ({lesson.sections})\n\n{lesson.question}")
    if sheet.refused:
        return [title, Cell(True, f"print({f'Not on these data: {sheet.refused}'!r})")]
    quiz = lesson.quiz
    here = f"lessons[{lesson.name!r}]"
    choices = "\n".join(f"{number}. {answer}" for number, answer in enumerate(quiz.answers, 1))
    glimpse = "Still.of_round(_stage.rounds[0])" if lesson.points else f"Still.of(_stage, min({GLIMPSE}, _stage.steps))"
    cells = [
        title,
        Cell(True, f"_stage = {here}.stage(room)\nprint(_stage.ask.question, *_stage.ask.options, sep='\\n')"),
        Cell(False, "Write down what you expect before you go on."),
        Cell(True, f"_stage = {here}.stage(room)\n{glimpse}"),
        Cell(False, "Change how many steps are shown, and look again."),
        Cell(False, f"**Try.** {lesson.exercise}\n\n**Quiz.** {quiz.question}\n\n{choices}"),
    ]
    if sheet.answers:
        cells += [
            Cell(True, f"_stage = {here}.stage(room)\n{_end(lesson)}"),
            Cell(True, f"print({here}.solution(room))"),
            Cell(False, f"**Say it.** {lesson.take_home}\n\n**Quiz.** {quiz.answers[quiz.right]}. {quiz.why}"),
        ]
    return cells


def _end(lesson: Lesson) -> str:
    if lesson.points:
        return "print(*(played.after for played in _stage.rounds), sep='\\n')"
    return "print(_stage.reveal)\nStill.of(_stage)"
