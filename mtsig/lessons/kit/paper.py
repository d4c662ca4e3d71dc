"""The handout as PDF."""

import io
from collections.abc import Sequence
from datetime import UTC, datetime

from mtsig.corpus import Note
from mtsig.extras import need
from mtsig.figures import glyphs, on_paper
from mtsig.figures.paper import serif_files
from mtsig.lessons.classroom import Classroom
from mtsig.lessons.figures import Still
from mtsig.lessons.kit.origin import about
from mtsig.lessons.kit.worksheet import Worksheet
from mtsig.version import VERSION

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
