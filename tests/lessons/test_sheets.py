"""The teacher's kit: handouts, notebooks and the course page hold the lessons, and answers only when asked for."""

import io
import re
from collections.abc import Sequence
from dataclasses import replace
from html import unescape
from pathlib import Path

import given
import nbformat
import pytest
from claims import claim_in
from kept import worded
from made import ROOT
from nbclient import NotebookClient
from pypdf import PdfReader
from sampled import sampled

from mtsig import Corpus, read_sample
from mtsig._writing import in_markdown
from mtsig.cli import main
from mtsig.figures import on_paper
from mtsig.figures._paper import Sheet
from mtsig.lessons import GAMES, LESSONS, Classroom, kit_files
from mtsig.lessons import _sheets as web_page
from mtsig.lessons._course import LONG, SHORT, Source, course_pages
from mtsig.lessons._sheets import Worksheet, ipynb
from mtsig.lessons._stage import Lesson
from mtsig.lessons._still import Still

HOSTILE = "<img src=x onerror=alert(1)>![p](http://127.0.0.1:9/p.png)"


@pytest.fixture(scope="module")
def room() -> Classroom:
    return given.room()


@pytest.fixture(scope="module")
def sheets(room: Classroom) -> list[Worksheet]:
    return [Worksheet.of(given.worked_out(lesson), room, solved=True) for lesson in (*LESSONS, *GAMES)]


def chosen(*names: str) -> list[Lesson]:
    return [lesson for lesson in (*LESSONS, *GAMES) if lesson.name in names]


def test_the_handout_asks_and_the_solutions_answer(
    room: Classroom, sheets: list[Worksheet], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Another test draws the pictures.
    monkeypatch.setattr(web_page, "on_paper", lambda *_: Sheet(b"<svg></svg>", 1, 1))
    handed_out, solved = (
        unescape(web_page.html(room, some)[0].decode())
        for some in ([replace(sheet, solved=False) for sheet in sheets], sheets)
    )
    for sheet in sheets:
        lesson, stage = sheet.lesson, sheet.stage
        assert stage is not None
        for text in (lesson.misconception, lesson.question, lesson.exercise, stage.ask.question, lesson.quiz.question):
            assert text in handed_out
        rounds = [f"Round {number}: {played.after}" for number, played in enumerate(stage.rounds, 1)]
        for text in (lesson.take_home, sheet.solution, stage.reveal, *rounds, lesson.quiz.why):
            assert text in solved
            assert text not in handed_out
        # Nothing that was drawn is told: no sentence of a step, and no number that was asked for.
        assert not any(text in handed_out for view in stage.views.values() for text in view.says[1:])
    # The table that answers lesson 12 is for the solutions.
    other = "other sequences"
    assert other in solved
    assert other not in handed_out
    # Of a game all rounds are played on paper: each has its pictures.
    for lesson in GAMES:
        text, rounds = (
            handed_out.partition(f">{lesson.label}<")[2].partition("<h3>Say it")[0],
            given.stage(lesson.name).rounds,
        )
        assert text.count("<figure>") == len(rounds) == text.count("<p>Round ")
    assert f"seed {room.seed} · data {room.statistics.digest}" in handed_out
    assert "<script" not in solved
    # What is handed out makes none of the claims that must never be made, but where it names them as wrong.
    assert claim_in(re.sub(r"<[^>]+>", "\n", without_wrong(solved, [sheet.lesson for sheet in sheets]))) is None


def without_wrong(text: str, lessons: Sequence[Lesson]) -> str:
    """Return a text without what it names as wrong: misconceptions, and wrong answers of the quiz."""
    for lesson in lessons:
        for words in (lesson.misconception, *(answer for answer in lesson.quiz.wrong if " " in answer)):
            text = text.replace(words, "")
    return text


def without_stars(text: str) -> str:
    """Return a text without the signs of another type: they are no stars of significance."""
    return re.sub(r"(\*+)([^*]*)\1", r"\2", text)


@sampled("lesson", [*LESSONS, *GAMES], ids=lambda lesson: lesson.name, most=3)
def test_every_lesson_can_be_drawn_on_paper(lesson: Lesson) -> None:
    stage = given.stage(lesson.name)
    stills = [Still.of(stage, view=name) for name in list(stage.views)[-1:]] or [Still.of_round(stage.rounds[0])]
    for still in stills:
        tables = {table.caption or table.header[0] for table in still.tables}
        assert {panel.title for panel in still.panels} == tables | {title for title, _ in still.pictures}
        if not still.pictures:
            continue
        sheet = on_paper(still, "svg", "acl-full")
        svg = sheet.data.decode()
        assert sheet.notes == ()
        assert "<image" not in svg  # no page has to allow pictures from anywhere
        for title, _ in still.pictures:
            assert all(word in svg for word in title.split())


@pytest.mark.slow
def test_the_pdf_says_what_the_page_says(room: Classroom) -> None:
    file = kit_files(room, ["pdf"], _PLAYED, solutions=True)[0]["handout-solutions.pdf"]
    text = " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(file)).pages).split())
    for lesson in _PLAYED:
        for said in (lesson.question, lesson.exercise, lesson.take_home, lesson.quiz.why):
            assert said in text


@pytest.mark.slow
def test_rows_of_a_table_on_paper_are_told_apart(room: Classroom) -> None:
    file = kit_files(room, ["pdf"], chosen("significant-or-important"), solutions=True)[0]["handout-solutions.pdf"]
    drawn = [page.get_contents() for page in PdfReader(io.BytesIO(file)).pages]
    lines = sum(one.get_data().count(b" l S") for one in drawn if one is not None)
    assert lines >= 3 * 12  # a line under each of three cells of twelve pairs of outputs


def test_the_same_data_and_seed_give_the_same_bytes(room: Classroom) -> None:
    again = Classroom.of(read_sample(), "bleu", room.pair, room.seed)
    formats, few = ["html", "pdf", "ipynb"], chosen("size-law")
    assert kit_files(room, formats, few)[0] == kit_files(again, formats, few)[0]


def test_names_stay_text() -> None:
    sample = read_sample()
    corpus = Corpus.of({HOSTILE: sample.lines("direct"), "other": sample.lines("via-catalan")}, sample.references)
    files, notes = kit_files(Classroom.of(corpus, "chrf"), ["html", "ipynb"], chosen("one-redraw"), True)
    assert "<img" not in files["handout.html"].decode()
    notebook = nbformat.reads(files["lessons-solutions.ipynb"].decode(), 4)
    texts = "".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert "127.0.0.1" not in texts
    assert notes == []


def test_what_a_font_lacks_is_told(room: Classroom) -> None:
    sample = read_sample()
    corpus = Corpus.of({"机器": sample.lines("direct"), "b": sample.lines("via-catalan")}, sample.references)
    _, notes = kit_files(Classroom.of(corpus, pair=("机器", "b")), ["pdf"], chosen("one-redraw"))
    worded(notes, "U+673A")


def test_a_lesson_that_cannot_be_given_says_why_in_every_file() -> None:
    scores = Corpus.of({"a": ["x y z"] * 30, "b": ["x z y"] * 30}, {"ref": ["x y z"] * 30})
    alone = Classroom.of(scores, "chrf")
    files, _ = kit_files(alone, ["html", "ipynb"], chosen("documents-travel-together"), True)
    for file in files.values():
        assert b"Not available for these data:" in file


@pytest.fixture(scope="module")
def notebooks(room: Classroom, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notebooks")
    source = Source(str(ROOT / "sample_data" / "es-en"))
    files, _ = kit_files(room, ["ipynb"], _PLAYED, True, source)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


_PLAYED = chosen("size-law", "lineup")


def expected(lessons: Sequence[Lesson] = _PLAYED) -> list[str]:
    reveals = [given.stage(lesson.name).reveal for lesson in lessons]
    return [*(text for text in reveals if text), *(given.solution(lesson.name) for lesson in lessons)]


@pytest.mark.slow
def test_the_notebook_runs_and_prints_the_library_s_numbers(notebooks: Path) -> None:
    notebook = nbformat.read(notebooks / "lessons-solutions.ipynb", 4)
    nbformat.validate(notebook)
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    printed = "".join(output.text for output in outputs if output.output_type == "stream")
    for text in expected():
        assert text in printed
    # Its own words and what it prints make none of the claims that must never be made, but where they are named wrong.
    text = "\n".join([printed, *(cell.source for cell in notebook.cells if cell.cell_type == "markdown")])
    assert claim_in(without_stars(without_wrong(text, _PLAYED))) is None
    drawn = [output for output in outputs if "<svg" in output.get("data", {}).get("text/html", "")]
    assert len(drawn) == sum(len(given.stage(lesson.name).rounds) or 1 for lesson in _PLAYED)


def test_no_notebook_makes_a_claim_that_must_never_be_made(room: Classroom, sheets: list[Worksheet]) -> None:
    lessons = [sheet.lesson for sheet in sheets]
    notebook = nbformat.reads(ipynb(room, sheets, Source()).decode(), 4)
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert all(lesson.take_home in text for lesson in lessons)
    assert claim_in(without_stars(without_wrong(text, lessons))) is None


@pytest.mark.slow
def test_the_notebook_of_every_lesson_runs(room: Classroom, tmp_path: Path) -> None:
    lessons = [*LESSONS, *GAMES]
    files, _ = kit_files(room, ["ipynb"], lessons, True, Source(str(ROOT / "sample_data" / "es-en")))
    notebook = nbformat.reads(files["lessons-solutions.ipynb"].decode(), 4)
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    printed = "".join(output.text for output in outputs if output.output_type == "stream")
    for text in expected(lessons):
        assert text in printed


def test_the_course_pages_are_made_of_the_lessons_and_hold_answers_apart() -> None:
    pages = course_pages()
    for file, page in pages.items():
        assert (ROOT / "docs" / file).read_text(encoding="utf-8") == page, "mtsig lessons --to course --out docs"
    for lesson in (*LESSONS, *GAMES):
        assert in_markdown(lesson.misconception) in pages["course.md"]
        assert lesson.exam.question in pages["course-quiz.md"]
        assert lesson.exam.why in pages["course-answers.md"]
        assert lesson.exam.why not in pages["course-quiz.md"]
        assert not any(lesson.quiz.question in page for page in pages.values())


def test_plans_add_up_and_every_lesson_has_its_place() -> None:
    assert sum(minutes for _, minutes in SHORT) == 90
    assert [sum(minutes for _, minutes in plan) for _, plan in LONG] == [45] * 4
    whole = [part for _, plan in LONG for part in plan]
    given = [part.name for part, _ in whole if isinstance(part, Lesson)]
    assert sorted(given) == sorted(lesson.name for lesson in (*LESSONS, *GAMES))
    # The quiz is asked before all lessons and after all of them, at home: it takes a minute for each question.
    for plan in (SHORT, whole):
        asked = [place for place, (part, _) in enumerate(plan) if isinstance(part, str) and "home" in part]
        assert asked == [0, len(plan) - 1]
        assert [minutes for _, minutes in plan if not minutes] == [0, 0]
        assert not any("quiz" in part for part, _ in plan[1:-1] if isinstance(part, str))
    # Of a part of the course the questions of its lessons.
    told = [int(text) - 1 for text in re.findall(r"\d+", str(SHORT[0][0]))]
    assert told == [part.number for part, _ in SHORT if isinstance(part, Lesson)]


def test_the_verb_writes_the_files_and_refuses_what_cannot_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = str(ROOT / "sample_data" / "es-en")
    asked = ["lessons", "--data", data, "--lesson", "5", "--seed", "7", "--out", str(tmp_path)]
    assert main([*asked, "--to", "html", "ipynb", "--solutions"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "handout-solutions.html", "handout.html", "lessons-solutions.ipynb", "lessons.ipynb",
    ]  # fmt: skip
    assert data in (tmp_path / "lessons.ipynb").read_text()
    capsys.readouterr()
    assert main([*asked[:-4], "--out", str(tmp_path), "--to", "ipynb", "--systems", "direct", "via-catalan"]) == 2
    worded(capsys.readouterr().err, "--data")
    assert main([*asked, "--lesson", "99"]) == 2
    worded(capsys.readouterr().err, "99")
