"""The claims of STATISTICS.md section 9, which no lesson makes: what lessons say, all but what they are to end."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import given
import numpy as np
import pytest
from claims import CLAIMS, DENIED, claim_in
from made import ROOT

from mtsig.lab import NEWS
from mtsig.lessons import GAMES, LESSONS
from mtsig.lessons._course import course_pages
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
    texts += [lesson.quiz.question, lesson.quiz.right, lesson.quiz.why, *stage.replies]
    texts += [stage.ask.question, stage.reveal, *stage.missing, *(each.after for each in stage.rounds)]
    drawn = [panel for view in stage.views.values() for panel in view.panels]
    drawn += [panel for each in stage.rounds for panel in each.panels]
    # What stands in cells and columns is data, and says nothing.
    data = {"cells", "weights", "texts", "tiles", "flips", "same", "groups", "beyond", "missed", "claimed", "kind"}
    texts += [text for panel in drawn for name, value in vars(panel).items() if name not in data
              for text in strings(value)]  # fmt: skip
    texts += [text for view in stage.views.values() for text in (*view.says, view.reveal)]
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
    python = [f"dashboard/mtsig_dashboard/{file}" for file in ("app_pages/learn.py", "parts/stages.py")]
    python += [f"mtsig/lessons/_{name}.py" for name in ("course", "sheets", "web")]
    words = {file: fixed_words(ROOT / file) for file in python}
    script = (ROOT / "mtsig/lessons/web/lessons.js").read_text(encoding="utf-8")
    words["mtsig/lessons/web/lessons.js"] = [text for text in re.findall(r'"([^"\n]*)"', script) if " " in text]
    handout = (ROOT / "mtsig/lessons/web/handout.html").read_text(encoding="utf-8")
    words["handout"] = re.sub(r"<style>.*?</style>|<[^>]+>|\{[{%].*?[%}]\}", "", handout, flags=re.DOTALL).split("\n")
    for file, texts in words.items():
        for text in texts:
            assert claim_in(text) is None, file
    # What is looked for is there to be found.
    said = "\n".join(text for texts in words.values() for text in texts)
    for text in ("sent nowhere", "Write down what you expect", "lesson asks a question, waits", "Opening: which"):
        assert text in said, text


def test_the_course_pages_make_such_claims_only_where_they_name_them_as_wrong() -> None:
    pages = "\n".join(course_pages().values())
    assert claim_in(pages) is not None
    for lesson in COURSE:
        for text in (lesson.misconception, *lesson.quiz.wrong):
            pages = pages.replace(text, "")
    assert claim_in(re.sub(r"(\*+)([^*]+)\1", r"\2", pages)) is None


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
    assert re.search(r"\b\d{4}\b", lesson.sections)
    answers = lesson.quiz.answers(lesson.number)
    assert len(set(answers)) == 4
    assert answers[lesson.quiz.place(lesson.number)] == lesson.quiz.right
    # No answer is known by its length: the longest has at most 15% more letters, and the right one is none longer.
    assert max(map(len, answers)) <= 1.15 * min(map(len, answers))
    assert len(lesson.quiz.right) <= max(map(len, lesson.quiz.wrong))


def test_right_answers_stand_in_every_place_as_often_and_in_no_order() -> None:
    places = [lesson.quiz.place(lesson.number) for lesson in COURSE]
    assert Counter(places) == dict.fromkeys(range(4), 4)
    # Who takes the same letter again, or goes on by the same step, is right about as often as by guessing.
    steps = Counter((after - before) % 4 for before, after in pairwise(places))
    assert max(steps.values()) <= 6
    # Nor is the right one known as the shortest, where lengths differ at all.
    lengths = [(len(lesson.quiz.right), [len(text) for text in lesson.quiz.wrong]) for lesson in COURSE]
    assert sum(right < min(wrong) for right, wrong in lengths) <= 4


def test_lessons_stand_in_order_and_have_addresses_of_their_own() -> None:
    numbers, names = [lesson.number for lesson in LESSONS], [lesson.name for lesson in COURSE]
    assert numbers == list(range(len(LESSONS)))
    assert len(set(names)) == len({lesson.number for lesson in COURSE}) == len(COURSE)
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in names)
    assert [lesson.is_game for lesson in COURSE] == [False] * len(LESSONS) + [True] * len(GAMES)


@pytest.mark.parametrize("lesson", COURSE, ids=lambda lesson: lesson.name)
def test_the_lines_of_numpy_run_and_are_few(lesson: Lesson) -> None:
    room = lesson.room(given.own_room())
    kept = room.statistics.at("segment").select(room.pair)
    names = {"np": np, "NEWS": NEWS, "room": room, "values": kept.values, "score": kept.metric.score, "n": kept.n,
             "rng": np.random.default_rng(room.seed)}  # fmt: skip
    *lines, last = ast.parse(lesson.code).body
    assert len(lesson.code.splitlines()) <= 10
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(lines, []), lesson.name, "exec"), names)
    found = eval(compile(ast.Expression(last.value), lesson.name, "eval"), names)
    assert np.isfinite(np.array(found, dtype=float)).all()


def test_lessons_take_pairs_of_their_own_and_the_same_one_when_one_is_chosen() -> None:
    pairs = {lesson.name: lesson.room(given.own_room()).pair for lesson in LESSONS}
    assert len(set(pairs.values())) >= 8
    assert {lesson.room(given.room()).pair for lesson in COURSE} == {given.PAIR}
