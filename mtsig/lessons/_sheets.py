"""Lessons as files: worksheets in HTML, which are set as PDF, notebooks, and pages that need nothing but a browser."""

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mtsig._writing import in_html, out_of_html
from mtsig.citations import VERSION
from mtsig.corpus import Note
from mtsig.errors import NotApplicable, need
from mtsig.figures import on_paper
from mtsig.figures._paper import glyphs, serif_files
from mtsig.lessons._stage import SIMULATED, WORDS, Classroom, Lesson, Stage
from mtsig.lessons._still import Still
from mtsig.report import Table
from mtsig.report._exporters import inline

if TYPE_CHECKING:
    from mtsig.lessons._course import Source


TITLE = "Is the difference significant? Lessons on significance tests"

_PAGE, _LINE, _NEW_PAGE = "acl-full", "<br><br><hr>", ' style="break-before: page"'

_SHORT = 9
"""Rows of a table that has to be read over the end of a page."""


@dataclass(frozen=True)
class Worksheet:
    """One lesson on paper. solved: with how it ended, and the answers; refused: why it cannot be given on these data.

    parts: HTML, and stills where they stand.
    """

    lesson: Lesson
    stage: Stage | None
    solution: str = ""
    solved: bool = False
    refused: str = ""

    @classmethod
    def of(cls, lesson: Lesson, room: Classroom, solved: bool = False) -> "Worksheet":
        """Return the worksheet of a lesson on a classroom."""
        try:
            return cls(lesson, lesson.stage(room), lesson.solution(room) if solved else "", solved)
        except NotApplicable as refusal:
            return cls(lesson, None, "", solved, str(refusal))

    @property
    def parts(self) -> "Iterator[str | Still]":
        """The worksheet from top to bottom."""
        lesson, stage, quiz = self.lesson, self.stage, self.lesson.quiz
        yield f"<h2{_NEW_PAGE}>{in_html(lesson.label)}</h2>"
        yield _small(f"A common mistake: “{lesson.misconception}” See {lesson.sections}.")
        yield _text(lesson.question) + (_text(stage.setting) + _text(stage.start) if stage else "")
        if stage is None:
            yield _small(f"Not available for these data: {self.refused}")
        else:
            yield f"<h3>Commit before you draw</h3>{_text(stage.ask.question)}"
            # A picture is chosen by its number.
            yield "" if stage.rounds else _choices(stage.ask.options)
            for number, played in enumerate(stage.rounds, 1):
                yield Still.of_round(played, self.solved, f"Round {number}: ")
                yield _answer(f"Round {number}: {played.after}") if self.solved else _text(f"Round {number}:") + _LINE
            # Nothing that is drawn, so nothing that answers: what is there to be read before.
            if not stage.rounds:
                yield "" if self.solved else _LINE
                yield from map(_table, Still.of(stage, 0).tables)
        if self.solved and stage is not None:
            shown = ""
            for name, view in stage.views.items():
                yield Still.of(stage, stage.steps, name)
                # Under the picture, from which no end of a page parts it; first what it shows, unless that was said.
                said = view.says[-1] if view.says[0] == shown else f"{view.says[0]} {view.says[-1]}"
                yield _small(f"{name}: {said}" if name else said)
                shown = view.says[0]
            yield _answer(stage.reveal)
        for head, asked, answer in (
            ("Say it", "", lesson.take_home),
            ("Try", _text(lesson.exercise), self.solution),
            ("Quiz", _text(quiz.question) + _choices(quiz.answers(lesson.number)), f"{quiz.right}. {quiz.why}"),
        ):
            yield f"<h3>{head}</h3>{asked}{_answer(answer) if self.solved else _LINE}"


def _text(text: str) -> str:
    return f"<p>{in_html(text)}</p>" if text else ""


def _small(text: str) -> str:
    return f"<p><small>{in_html(text)}</small></p>"


def _answer(text: str) -> str:
    return f"<blockquote>{in_html(text)}</blockquote>" if text else ""


def _table(table: Table) -> str:
    """Return a table whose columns are as wide as their texts, up to a line."""
    longest = [min(50, 9 + max(map(len, column))) for column in zip(table.header, *table.texts, strict=True)]
    widths = [f' width="{100 * length // sum(longest)}%"' for length in longest]
    head = "".join(f"<th align=left{width}>{in_html(x)}</th>" for width, x in zip(widths, table.header, strict=True))
    rows = (f"<tr>{''.join(f'<td align=left>{in_html(text)}</td>' for text in row)}</tr>" for row in table.texts)
    body = f'<table width="100%"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    return f"{_text(table.caption)}{body}"


def _choices(texts: Sequence[str]) -> str:
    return f'<ol type="a">{"".join(f"<li>{in_html(text)}</li>" for text in texts)}</ol>' if texts else ""


def about(room: Classroom, on: str = "") -> str:
    """Return what is shown, in one line: what makes it again. on: what it is of, where that is not the room's pair."""
    statistics = room.statistics
    if on == SIMULATED:
        return f"mtsig {VERSION} · {on} · seed {room.seed}"
    what = on or (" and ".join(room.chosen) if room.chosen else "each lesson its own pair")
    return (
        f"mtsig {VERSION} · {what} · {statistics.metric.name} · seed {room.seed} · data {statistics.digest}, "
        f"{statistics.n:,} {statistics.unit}s"
    )


def _body(room: Classroom, sheets: Sequence[Worksheet], form: str) -> tuple[list[str], list[Note]]:
    """Return the parts of all worksheets as HTML, with pictures as svg or png, and what could not be shown."""
    need("report")
    notes: list[Note] = []
    parts = [f"<h1>{TITLE}</h1>{_small(about(room))}"]
    for place, part in enumerate(part for sheet in sheets for part in sheet.parts):
        if isinstance(part, str):
            parts.append(part)
            continue
        if part.pictures:
            paper = on_paper(part, form, _PAGE)
            notes += paper.notes
            source = f"data:image/png;base64,{b64encode(paper.data).decode()}"
            image = f'<img src="{source}" width="453">' if form == "png" else inline(paper.data.decode(), f"s{place}")
            parts.append(f"<figure>{image}</figure>")
        parts += map(_table, part.new_tables)
    parts[1] = parts[1].replace(_NEW_PAGE, "")
    last = max(sheet.lesson.number for sheet in sheets)
    words = (
        f"<li><b>{in_html(', '.join(one.words))}</b>: {in_html(one.says)}</li>"
        for one in GLOSSARY
        if one.lesson <= last
    )
    parts.append(
        f"<h2{_NEW_PAGE}>Words</h2><ul>{''.join(words)}</ul>{_small('Numbers are computed before they are rounded.')}"
    )
    return parts, notes


def html(room: Classroom, sheets: Sequence[Worksheet]) -> tuple[bytes, Sequence[Note]]:
    """Return the file, and what could not be shown."""
    parts, notes = _body(room, sheets, "svg")
    page = (Path(__file__).parent / "web" / "handout.html").read_text(encoding="utf-8")
    return page.replace("{title}", TITLE).replace("{body}", "\n".join(parts)).encode(), notes


def pdf(room: Classroom, sheets: Sequence[Worksheet]) -> tuple[bytes, Sequence[Note]]:
    """Return the file, and what could not be shown."""
    parts, notes = _body(room, sheets, "png")
    from fpdf import FPDF, TextStyle  # here, because no other format needs it

    document = FPDF(format="A4")
    # Without it the file would be another one every time.
    document.creation_date = datetime(2000, 1, 1, tzinfo=UTC)
    document.set_producer(f"mtsig {VERSION}")
    document.set_title(TITLE)
    document.set_margin(25)
    document.set_auto_page_break(True, 20)
    for style, file in zip(("", "B"), serif_files(), strict=True):
        document.add_font("serif", style, file)
    document.set_font("serif", "", 10)
    document.add_page()
    known = glyphs(serif_files()[0])
    text = out_of_html("".join(parts))
    lost = list(dict.fromkeys(sign for sign in text if ord(sign) not in known and sign != "\n"))
    looks = {"h1": (16, 0), "h2": (14, 4), "h3": (11, 4), "blockquote": (10, 1), "li": (10, 0)}
    styles = {tag: TextStyle(color="#000000", font_size_pt=size, t_margin=t) for tag, (size, t) in looks.items()}

    def write(paper: Any, part: str) -> None:
        paper.write_html(
            part, font_family="serif", tag_styles=styles, li_prefix_color="#000000", table_line_separators=True
        )

    for part in parts:
        shown = part.translate(dict.fromkeys(map(ord, lost), "□"))
        # What belongs together is not parted by the end of a page: a question and its answers, a table that is short.
        if part.startswith("<h3") or 1 < part.count("<tr") < _SHORT:
            with document.offset_rendering() as tried:
                write(tried, shown)
            if tried.page_break_triggered:
                document.add_page()
        write(document, shown)
    if lost:
        signs = ", ".join(f"U+{ord(sign):04X}" for sign in lost[:6]) + (", …" if len(lost) > 6 else "")
        said = f"handout.pdf: its font has no {signs}, so □ is shown instead. The HTML handout shows these characters."
        notes.append(Note("warning", said))
    return bytes(document.output()), notes


_OPENING = """import numpy as np

import mtsig
from mtsig.lab import NEWS
from mtsig.lessons import GAMES, LESSONS, Classroom, Still

corpus = {read}
room = Classroom.of(corpus, {metric!r}, {pair!r}, seed={seed})
lessons = {{lesson.name: lesson for lesson in (*LESSONS, *GAMES)}}

def numbers(name):
    "Return what each segment of a lesson's pair counts, what makes scores of sums, how many there are, and dice."
    seated = lessons[name].room(room)
    kept = seated.statistics.at("segment").select(seated.pair).shared_by(seated.pair)
    return kept.values, kept.metric.score, kept.n, np.random.default_rng(room.seed)"""


def ipynb(room: Classroom, sheets: Sequence[Worksheet], source: "Source") -> bytes:
    """Return a Jupyter notebook (nbformat 4.5): it reads the data, opens the classroom, and gives the lessons."""
    read = "mtsig.read_sample()" if source.data is None else f"mtsig.read({source.data!r})"
    opening = _OPENING.format(read=read, metric=source.metric, pair=room.chosen, seed=room.seed)
    cells = [(True, opening), (False, f"# {TITLE}"), *(cell for sheet in sheets for cell in _cells(sheet))]
    notebook = {
        "cells": [_jupyter(number, *cell) for number, cell in enumerate(cells)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return (json.dumps(notebook, ensure_ascii=False, indent=1) + "\n").encode()


def _jupyter(number: int, is_code: bool, source: str) -> dict[str, Any]:
    common = {"id": f"cell-{number}", "metadata": {}, "source": source.splitlines(keepends=True)}
    code: dict[str, Any] = {"cell_type": "code", "execution_count": None, "outputs": []}
    return (code if is_code else {"cell_type": "markdown"}) | common


def _cells(sheet: Worksheet) -> Iterator[tuple[bool, str]]:
    """Yield the cells of a lesson, each with whether it is code."""
    lesson, quiz = sheet.lesson, sheet.lesson.quiz
    yield (
        False,
        f"## {lesson.label}\n\nA common mistake: *{lesson.misconception}* See {lesson.sections}.\n\n{lesson.question}",
    )
    if sheet.stage is None:
        yield True, f"print({f'Not available for these data: {sheet.refused}'!r})"
        return
    here = f"lessons[{lesson.name!r}]"
    staged = f"_stage = {here}.stage(room)\n"
    asked = "_stage.setting, _stage.start, _stage.ask.question, *_stage.ask.options"
    yield True, f"{staged}print(*filter(None, [{asked}]), sep='\\n')"
    yield False, "Write down what you expect before you go on. First by hand: the dice are others than the library's."
    yield True, f"values, score, n, rng = numbers({lesson.name!r})\n{lesson.code}"
    still = (
        "for _round in _stage.rounds:\n    display(Still.of_round(_round))" if lesson.is_game else "Still.of(_stage)"
    )
    told = "print(*(played.after for played in _stage.rounds), _stage.reveal, sep='\\n')"
    if not sheet.solved:
        yield True, f"{staged}{still}"
    choices = "\n".join(f"{number}. {answer}" for number, answer in enumerate(quiz.answers(lesson.number), 1))
    yield False, f"**Try.** {lesson.exercise}\n\n**Quiz.** {quiz.question}\n\n{choices}"
    if sheet.solved:
        yield True, f"{staged}{told}\n{still}"
        yield True, f"print({here}.solution(room))"
        yield False, f"**Say it.** {lesson.take_home}\n\n**Quiz.** {quiz.right}. {quiz.why}"


WEB = Path(__file__).parent / "web"


class Term(NamedTuple):
    """A word, other words for it, the lesson that explains it, and what it means."""

    lesson: int
    words: tuple[str, ...]
    says: str


GLOSSARY = tuple(
    Term(int(lesson), tuple(words.split(", ")), says)
    for (lesson, _, words), (says,) in ((kind.partition(" "), texts) for kind, texts in WORDS["words"].items())
)
"""The words, in the order in which the course explains them."""


def part(name: str) -> str:
    """Return a file of the component: lessons.js, lessons.css or page.html."""
    return (WEB / name).read_text(encoding="utf-8")


def id_of(lesson: Lesson, room: Classroom) -> str:
    """Return what a lesson on these data is called where answers are kept."""
    metric, seated = room.statistics.metric.name, lesson.room(room)
    text = json.dumps([lesson.name, seated.statistics.digest, metric, seated.pair, room.seed, room.unit])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def lesson_data(
    lesson: Lesson,
    room: Classroom,
    stage: Stage | None,
    nav: Mapping[str, str],
    solution: str | None = None,
    refused: str = "",
    heading: bool = True,
) -> dict[str, Any]:
    """Return what the component is given of a lesson: all of it, whatever is shown of it yet.

    nav: what leads to all lessons, the previous and the next one. solution: None where it is worked out when asked for.
    """
    seated, quiz = lesson.room(room), lesson.quiz
    digest = seated.statistics.digest
    facts = {
        "lesson": lesson.number, "title": lesson.title, "data": digest,
        "metric": room.statistics.metric.name, "pair": list(seated.pair), "seed": room.seed,
    }  # fmt: skip
    return {
        "id": id_of(lesson, room), "title": f"{lesson.number} · {lesson.title}", "heading": heading,
        "against": lesson.misconception, "from": lesson.sections, "question": lesson.question,
        "take_home": lesson.take_home, "exercise": lesson.exercise, "solution": solution, "facts": facts,
        "quiz": quiz.plain(lesson.number) | {"why": quiz.why},
        "stage": None if stage is None else stage.plain(), "refused": refused,
        "about": about(seated, lesson.on).replace(digest, digest[:19]),
        "glossary": [[list(term.words), term.says] for term in GLOSSARY], "nav": dict(nav), "projector": False,
        "start": {"shown": 0, "view": ""},
    }  # fmt: skip


def pages(room: Classroom, lessons: Sequence[Lesson], course: dict[str, Any]) -> dict[str, bytes]:
    """Return a page for each lesson and one for the course by file, each with all that it needs inside.

    course: what `course_data` returns.
    """
    files = {lesson.number: f"{lesson.number:02}-{lesson.name}.html" for lesson in lessons}
    course["nav"] = {str(number): file for number, file in files.items()}
    for kind, key in (("lessons", "number"), ("games", "number"), ("quiz", "lesson")):
        course["course"][kind] = [one for one in course["course"][kind] if one[key] in files]
    written = {"index.html": _page(course)}
    order = list(files.values())
    for place, lesson in enumerate(lessons):
        nav = {"all": "index.html"}
        nav |= {"previous": order[place - 1]} if place else {}
        nav |= {"next": order[place + 1]} if place + 1 < len(order) else {}
        try:
            data = lesson_data(lesson, room, lesson.stage(room), nav, lesson.solution(room))
        except NotApplicable as error:
            data = lesson_data(lesson, room, None, nav, "", str(error))
        written[files[lesson.number]] = _page(data)
    return written


def _page(data: Mapping[str, Any]) -> bytes:
    """Return a page with these data inside: nothing in them ends the script that they stand in."""

    def inside(value: object) -> str:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")

    filled = {
        "title": in_html(str(data["title"])), "styles": inside(part("lessons.css")), "script": part("lessons.js"),
        "data": inside(data),
    }  # fmt: skip
    return re.sub(r"\{(title|styles|script|data)\}", lambda name: filled[name[1]], part("page.html")).encode()
