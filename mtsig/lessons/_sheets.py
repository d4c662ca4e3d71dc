"""The files of a lesson: worksheet, web page, PDF and notebook."""

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from mtsig.citations import VERSION
from mtsig.corpus import Note
from mtsig.errors import NotApplicable, need
from mtsig.figures import on_paper
from mtsig.figures._paper import glyphs, serif_files
from mtsig.lessons._stage import Classroom, Lesson, Stage
from mtsig.lessons._still import Still
from mtsig.report._exporters import inline, template

if TYPE_CHECKING:
    from mtsig.lessons._course import Source


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


_PAGE = "acl-full"


def about(room: Classroom) -> str:
    """Return what a handout is made of, in one line: what makes it again."""
    statistics = room.statistics
    return (
        f"mtsig {VERSION} · {' and '.join(room.pair)} · {statistics.metric.name} on {statistics.n:,} "
        f"{statistics.unit}s · seed {room.seed} · data {statistics.digest}"
    )


def html(room: Classroom, sheets: Sequence[Worksheet]) -> tuple[bytes, Sequence[Note]]:
    """Return the file, and what could not be shown.

    Raises:
        ProgramError: jinja2 is not installed.
    """
    need("report")
    notes: list[Note] = []

    def drawn(still: Still, name: str) -> Any:
        sheet = on_paper(still, "svg", _PAGE)
        notes.extend(sheet.notes)
        return inline(sheet.data.decode(), name)

    page = template("mtsig.lessons", "handout.html.j2").render(sheets=sheets, about=about(room), drawn=drawn)
    return (page + "\n").encode(), notes


_FONT = "serif"

_WIDTH = 160.0
"""Millimetres between the margins of A4."""

_LETTERS = "abcdefgh"


def pdf(room: Classroom, sheets: Sequence[Worksheet]) -> tuple[bytes, Sequence[Note]]:
    """Return the file, and what could not be shown.

    Raises:
        ProgramError: fpdf2 is not installed.
    """
    need("report")
    page = _Page()
    page.text("Is the difference real? Lessons on significance", 16, bold=True)
    page.text(about(room), 8)
    for number, sheet in enumerate(sheets):
        if number:
            page.document.add_page()
        _lesson(page, sheet)
    return page.finished()


def _lesson(page: "_Page", sheet: Worksheet) -> None:
    lesson, answers = sheet.lesson, sheet.answers
    page.text(lesson.label, 14, bold=True, above=4)
    page.text(f"“{lesson.misconception}” {lesson.sections}", 9)
    page.text(lesson.question, above=2)
    if sheet.refused:
        page.text(f"Not on these data: {sheet.refused}")
    else:
        page.text("Commit before you draw", bold=True, above=3)
        page.text(sheet.ask)
        page.choices(sheet.options)
        page.line()
        if sheet.glimpse is not None:
            page.still(sheet.glimpse)
    if answers is not None:
        for view, still in answers.stills:
            if view:
                page.text(view, bold=True, above=2)
            page.still(still)
        page.text(answers.reveal, bold=True)
    page.text("Say it", bold=True, above=3)
    page.answer(lesson.take_home if answers else "")
    page.text("Try", bold=True, above=3)
    page.text(lesson.exercise)
    page.answer(answers.solution if answers else "")
    page.text("Quiz", bold=True, above=3)
    page.text(lesson.quiz.question)
    page.choices(lesson.quiz.answers)
    if answers is not None:
        page.answer(f"{answers.quiz}. {answers.why}")


class _Page:
    """A document that grows downwards."""

    def __init__(self) -> None:
        from fpdf import FPDF  # here, because no other format needs it

        self.document = FPDF(format="A4")
        # Without it the file would be another one every time.
        self.document.creation_date = datetime(2000, 1, 1, tzinfo=UTC)
        self.document.set_producer(f"mtsig {VERSION}")
        self.document.set_title("Is the difference real? Lessons on significance")
        self.document.set_margin(25)
        self.document.set_auto_page_break(True, 20)
        for style, file in zip(("", "B"), serif_files(), strict=True):
            self.document.add_font(_FONT, style, file)
        self._glyphs = glyphs(serif_files()[0])
        self._lost: dict[str, None] = {}
        self._notes: list[Note] = []
        self.document.add_page()

    def text(self, text: str, size: float = 10, *, bold: bool = False, above: float = 0) -> None:
        """Write a paragraph, `above` millimetres below the last."""
        if above:
            self.document.ln(above)
        self._lost |= dict.fromkeys(sign for sign in text if ord(sign) not in self._glyphs and sign != "\n")
        shown = "".join(sign if ord(sign) in self._glyphs or sign == "\n" else "□" for sign in text)
        self.document.set_font(_FONT, "B" if bold else "", size)
        self.document.multi_cell(_WIDTH, 0.5 * size, shown, align="L", new_x="LMARGIN", new_y="NEXT")

    def choices(self, texts: Sequence[str]) -> None:
        """Write what can be chosen, with letters."""
        for letter, text in zip(_LETTERS, texts, strict=False):
            self.text(f"{letter}) {text}")

    def line(self) -> None:
        """Draw a line to write on."""
        self.document.ln(8)
        y = self.document.get_y()
        self.document.line(25, y, 25 + _WIDTH, y)
        self.document.ln(3)

    def answer(self, text: str) -> None:
        """Write an answer, or a line where one is to be written."""
        if text:
            self.text(text, above=1)
        else:
            self.line()

    def still(self, still: Still) -> None:
        """Draw a still, and say below it what it shows."""
        sheet = on_paper(still, "png", "acl-full")
        self._notes += sheet.notes
        self.document.ln(2)
        self.document.image(io.BytesIO(sheet.data), w=_WIDTH)
        self.text(still.said, 8)

    def finished(self) -> tuple[bytes, Sequence[Note]]:
        """Return the bytes, and what could not be shown."""
        if self._lost:
            signs = ", ".join(f"U+{ord(sign):04X}" for sign in list(self._lost)[:6])
            more = ", …" if len(self._lost) > 6 else ""
            said = f"handout.pdf: its font has no {signs}{more}: □ stands for each. The HTML handout shows them."
            self._notes.append(Note("warning", said))
        return bytes(self.document.output()), self._notes


class Cell(NamedTuple):
    """A cell: text in Markdown, or code."""

    is_code: bool
    source: str


def ipynb(room: Classroom, sheets: Sequence[Worksheet], source: "Source") -> bytes:
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
    "from mtsig.lessons import GAMES, LESSONS, Classroom, Still",
)


def _setup(room: Classroom, source: "Source") -> list[str]:
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
