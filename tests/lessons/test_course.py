"""The claims of STATISTICS.md section 9, which no lesson makes: what lessons say, all but what they are to end."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import given
import pytest
from claims import CLAIMS, DENIED, claim_in
from made import ROOT

from mtsig.lessons import GAMES, LESSONS
from mtsig.lessons._course import course_page
from mtsig.lessons._stage import Lesson

COURSE = (*LESSONS, *GAMES)


def strings(thing: Any) -> Iterator[str]:
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, dict):
        for value in thing.values():
            yield from strings(value)
    elif isinstance(thing, list | tuple):
        for value in thing:
            yield from strings(value)


@cache
def said(number: int) -> str:
    """Return all that a lesson says, but for its misconception and the quiz's wrong answers."""
    lesson = COURSE[number]
    stage = given.stage(lesson.name)
    texts = [lesson.title, lesson.question, lesson.take_home, lesson.exercise, given.solution(lesson.name)]
    texts += [lesson.quiz.question, lesson.quiz.answers[lesson.quiz.right], lesson.quiz.why]
    texts += [stage.ask.question, stage.reveal, *stage.missing, *(each.after for each in stage.rounds)]
    drawn = [panel for view in stage.views.values() for panel in view.panels]
    drawn += [panel for each in stage.rounds for panel in each.panels]
    # What stands in cells and columns is data, and says nothing.
    data = {"cells", "weights", "texts", "tiles", "flips", "same", "groups", "beyond", "missed", "claimed", "kind"}
    texts += [text for panel in drawn for name, value in vars(panel).items() if name not in data
              for text in strings(value)]  # fmt: skip
    texts += [text for view in stage.views.values() for text in view.says]
    return "\n".join(dict.fromkeys(texts))


@pytest.mark.parametrize("number", range(len(COURSE)), ids=lambda number: COURSE[number].name)
def test_no_lesson_makes_a_claim_that_must_never_be_made(number: int) -> None:
    text = said(number)
    assert len(text) > 1_000
    assert claim_in(text) is None


def fixed_words(file: Path) -> list[str]:
    """Return the texts that a program writes whatever the data: its strings, but for docstrings."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    whole, parts = [], set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts |= set(node.values)
            whole.append("".join(str(each.value) if isinstance(each, ast.Constant) else "X" for each in node.values))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            parts.add(node.value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in parts:
            whole.append(node.value)
    # Letters set in another type are no stars of significance, and code is no sentence.
    return [re.sub(r"(\*+)([^*]+)\1", r"\2", text) for text in whole if " " in text and "print(" not in text]


def test_the_page_and_the_kit_make_no_such_claim_in_their_own_words() -> None:
    python = ["dashboard/mtsig_dashboard/app_pages/learn.py", "dashboard/mtsig_dashboard/parts/stages.py"]
    python += ["mtsig/lessons/_course.py", "mtsig/lessons/_sheets.py"]
    words = {file: fixed_words(ROOT / file) for file in python}
    script = (ROOT / "dashboard/mtsig_dashboard/lessons.js").read_text(encoding="utf-8")
    words["dashboard/mtsig_dashboard/lessons.js"] = [text for text in re.findall(r'"([^"\n]*)"', script) if " " in text]
    handout = (ROOT / "mtsig/lessons/templates/handout.html.j2").read_text(encoding="utf-8")
    words["handout"] = re.sub(r"<style>.*?</style>|<[^>]+>|\{[{%].*?[%}]\}", "", handout, flags=re.DOTALL).split("\n")
    for file, texts in words.items():
        for text in texts:
            assert claim_in(text) is None, file
    # What is looked for is there to be found.
    assert any("Your answers stay on this computer" in text for text in words[python[0]])
    assert any("Commit to a guess" in text for text in words["dashboard/mtsig_dashboard/lessons.js"])
    assert any("Write down what you expect" in text for text in words["mtsig/lessons/_sheets.py"])
    assert "Say it" in " ".join(words["handout"])


def test_the_course_page_makes_such_claims_only_where_it_names_them_as_wrong() -> None:
    page = course_page()
    assert claim_in(page) is not None
    for lesson in COURSE:
        wrong = [answer for place, answer in enumerate(lesson.quiz.answers) if place != lesson.quiz.right]
        for text in (lesson.misconception, *wrong):
            page = page.replace(text, "")
    assert claim_in(re.sub(r"(\*+)([^*]+)\1", r"\2", page)) is None


def test_every_claim_would_be_found() -> None:
    assert list(CLAIMS) == list(range(1, 21))
    for pattern, sentence in CLAIMS.values():
        assert re.search(pattern, DENIED.sub("", sentence), re.IGNORECASE), sentence
    # The misconceptions themselves are such claims, in their own words.
    wrong = {lesson.name: lesson.misconception for lesson in COURSE}
    for name, claim in (("where-p-comes-from", 5), ("win-rate", 7), ("overlapping-bars", 3)):
        assert re.search(CLAIMS[claim][0], wrong[name], re.IGNORECASE)


@pytest.mark.parametrize("lesson", COURSE, ids=lambda lesson: lesson.name)
def test_a_lesson_has_all_its_beats_and_a_quiz_with_one_right_answer(lesson: Lesson) -> None:
    assert "?" in lesson.question
    for text in (lesson.misconception, lesson.take_home, lesson.quiz.why):
        assert text.endswith((".", "?", "!"))
    assert 3 <= len(set(lesson.quiz.answers)) == len(lesson.quiz.answers) <= 4
    assert 0 <= lesson.quiz.right < len(lesson.quiz.answers)
    assert re.search(r"\b\d{4}\b", lesson.sections)


def test_lessons_stand_in_order_and_have_addresses_of_their_own() -> None:
    numbers, names = [lesson.number for lesson in LESSONS], [lesson.name for lesson in COURSE]
    assert numbers == sorted(set(numbers))
    assert len(set(names)) == len({lesson.number for lesson in COURSE}) == len(COURSE)
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in names)
    assert [lesson.points is None for lesson in LESSONS] == [True] * len(LESSONS)
