"""The claims that no lesson makes: what lessons say, all but what they are to end."""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import factorial
from pathlib import Path
from typing import Any

import given
import numpy as np
import pytest
from claims import CLAIMS, DENIED, claim_in
from made import ROOT
from sacrebleu.metrics import BLEU
from sampled import sampled
from scipy import stats

from mtsig.inference._targets import Scores, pairs_of
from mtsig.lab import NEWS
from mtsig.lab._material import of_units
from mtsig.lessons import GAMES, LESSONS
from mtsig.lessons._course import course_pages
from mtsig.lessons._drawn import THREE_ANSWERS, difference
from mtsig.lessons._p_values import contrary
from mtsig.lessons._stage import Lesson, Pile, Quiz, Stage
from mtsig.resampling import Bootstrap

COURSE = (*LESSONS, *GAMES)
QUIZZES = {"quiz": [lesson.quiz for lesson in COURSE], "exam": [lesson.exam for lesson in COURSE]}
"""The questions with which lessons end, and those before and after the course."""

both_quizzes = pytest.mark.parametrize("quizzes", QUIZZES.values(), ids=QUIZZES)


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
def taught(number: int) -> str:
    """Return all that a lesson says, but for its misconception and the quiz."""
    lesson = COURSE[number]
    stage = given.own_stage(lesson.name)
    texts = [lesson.title, lesson.question, lesson.take_home, lesson.exercise, given.own_solution(lesson.name)]
    texts += stage.replies
    texts += [stage.ask.question, stage.reveal, *stage.missing, *(each.after for each in stage.rounds)]
    drawn = [panel for view in stage.views.values() for panel in view.panels]
    drawn += [panel for each in stage.rounds for panel in each.panels]
    # What stands in cells and columns is data, and says nothing.
    data = {"cells", "weights", "texts", "tiles", "flips", "same", "groups", "beyond", "missed", "claimed", "kind"}
    texts += [text for panel in drawn for name, value in vars(panel).items() if name not in data
              for text in strings(value)]  # fmt: skip
    texts += [text for view in stage.views.values() for text in (*view.says, view.reveal)]
    return "\n".join(dict.fromkeys(texts))


@sampled("number", range(len(COURSE)), most=5, ids=lambda number: COURSE[number].name)
def test_no_lesson_makes_a_claim_that_must_never_be_made(number: int) -> None:
    text = taught(number)
    assert len(text) > 1_000
    quizzes = [
        text for quiz in (COURSE[number].quiz, COURSE[number].exam) for text in (quiz.question, quiz.right, quiz.why)
    ]
    assert claim_in("\n".join([text, *quizzes])) is None


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
    python += [f"mtsig/lessons/_{name}.py" for name in ("course", "sheets")]
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
        for text in (lesson.misconception, *lesson.exam.wrong):
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
def test_a_lesson_has_all_its_beats_and_two_questions_with_one_right_answer(lesson: Lesson) -> None:
    assert "?" in lesson.question
    for text in (lesson.misconception, lesson.take_home, lesson.quiz.why, lesson.exam.why):
        assert text.endswith((".", "?", "!"))
    assert re.search(r"\b\d{4}\b", lesson.sections)
    for quiz in (lesson.quiz, lesson.exam):
        answers = quiz.answers(lesson.number)
        assert len(set(answers)) == 4
        assert answers[quiz.place(lesson.number)] == quiz.right
        # No answer is known by its length: the longest has at most 15% more letters, and the right one is none longer.
        assert max(map(len, answers)) <= 1.15 * min(map(len, answers)), answers
        assert len(quiz.right) <= max(map(len, quiz.wrong))


@both_quizzes
def test_right_answers_stand_in_every_place_as_often_and_in_no_order(quizzes: list[Quiz]) -> None:
    places = [quiz.place(number) for number, quiz in enumerate(quizzes)]
    assert Counter(places) == dict.fromkeys(range(4), 4)
    # Who takes the same letter again, or goes on by the same step, is right about as often as by guessing.
    steps = Counter((after - before) % 4 for before, after in pairwise(places))
    assert max(steps.values()) <= 6
    # Nor is the right one known as the shortest, where lengths differ at all.
    lengths = [(len(quiz.right), [len(text) for text in quiz.wrong]) for quiz in quizzes]
    assert sum(right < min(wrong) for right, wrong in lengths) <= 4
    # The answer that the misconception gives stands in every place, too, and is as long as the others.
    beliefs = [quiz.answers(number).index(quiz.wrong[0]) for number, quiz in enumerate(quizzes)]
    assert min(Counter(beliefs)[place] for place in range(4)) >= 2
    assert sum(len(quiz.wrong[0]) > len(quiz.right) for quiz in quizzes) in range(4, 13)


def test_no_question_of_the_course_has_its_answer_where_the_lesson_had_it() -> None:
    same = [lesson.name for lesson in COURSE if lesson.exam.place(lesson.number) == lesson.quiz.place(lesson.number)]
    assert len(same) <= 5


@both_quizzes
def test_no_rank_among_numbers_is_often_the_right_one(quizzes: list[Quiz]) -> None:
    ranks: Counter[int] = Counter()
    for number, quiz in enumerate(quizzes):
        values = {text: numbers(text)[:1] for text in quiz.answers(number)}
        if all(re.match(r"(About )?±?[\d.,]+( of them|:|%| points| readings| viewers|$)", text) for text in values):
            ranks[sorted(values, key=values.__getitem__).index(quiz.right)] += 1
    # Who takes the second largest of the numbers, say, is right in few more questions than by guessing.
    assert sum(ranks.values()) >= 7
    assert max(ranks.values()) <= 3


ABSOLUTE = re.compile(r"\b(always|never|only|all|none|every|exactly|must|cannot|certainly|impossible|proves?)\b", re.I)


def grams(text: str) -> set[tuple[str, ...]]:
    """Return what four words follow each other in a text; numbers are none of them."""
    words = re.findall(r"[a-z']+", text.lower())
    return {tuple(words[place : place + 4]) for place in range(len(words) - 3)}


def neighbours(text: str) -> set[tuple[str, ...]]:
    """Return what two words of four letters or more stand side by side in a text."""
    words = re.findall(r"[a-z']+", text.lower())
    return {pair for pair in pairwise(words) if min(map(len, pair)) > 3}


@cache
def grams_of(number: int) -> set[tuple[str, ...]]:
    """Return what four words follow each other in what a lesson says, or in the belief that it is against."""
    return grams(taught(number) + COURSE[number].misconception)


@sampled("lesson", COURSE, most=5, ids=lambda lesson: lesson.name)
def test_a_question_is_about_something_else_than_the_lessons(lesson: Lesson) -> None:
    for quiz in (lesson.quiz, lesson.exam):
        asked = set().union(*map(grams, (quiz.question, *quiz.answers(lesson.number))))
        for number, other in enumerate(COURSE):
            assert asked & grams_of(number) == set(), other.name
        assert not re.search(r"\b(BLEU|segments?|test sets?|systems?|translat\w*)\b", quiz.question)
        # No right answer is known by words of the lesson.
        assert neighbours(quiz.right) & neighbours(taught(lesson.number)) == set()
        # Nor by a word that is seldom right.
        assert [text for text in quiz.answers(lesson.number) if ABSOLUTE.search(text)] == []


@pytest.mark.parametrize("lesson", COURSE, ids=lambda lesson: lesson.name)
def test_no_question_of_the_course_was_answered_where_a_lesson_ended(lesson: Lesson) -> None:
    exam = lesson.exam
    asked = set().union(*map(grams, (exam.question, *exam.answers(lesson.number))))
    for other in COURSE:
        ended = (other.quiz.question, other.quiz.right, *other.quiz.wrong, other.quiz.why)
        assert asked & set().union(*map(grams, ended)) == set(), other.name
    # Nor has it the numbers of the lesson's question, but for usual ones such as 95 and .05.
    told = {value for text in (lesson.quiz.question, lesson.quiz.why) for value in numbers(text)}
    assert set(numbers(exam.question)) & told <= {5, 95, 100, 0.05}
    assert exam.right not in lesson.quiz.answers(lesson.number)


def numbers(text: str) -> list[float]:
    return [float(found.replace(",", "")) for found in re.findall(r"(?<!\w)[\d,]*\.?\d+", text)]


def texts(number: int, kind: str = "quiz") -> list[str]:
    quiz = QUIZZES[kind][number]
    return [quiz.question, quiz.right, *quiz.wrong, quiz.why]


def test_numbers_before_and_after_the_course_are_true() -> None:
    rng, asked, why = np.random.default_rng(1), {}, {}
    answers = {}
    for number in range(len(COURSE)):
        first, *middle, last = (numbers(text) for text in texts(number, "exam"))
        asked[number], answers[number], why[number] = first, middle, last
    # 0: medians of 30 lamps, and single lamps.
    lamps = rng.normal(size=(50_000, 30))
    low, high = why[0][-2:]
    assert low < lamps[:, 0].std() / np.median(lamps, axis=1).std() < high
    # 1: results of 400 listeners around the truth.
    first, ends = (stats.norm(share, (share * (1 - share) / 400) ** 0.5).interval(0.95) for share in (0.3, 0.33))
    assert asked[1][3:5] == [pytest.approx(100 * end, abs=0.06) for end in first]
    assert why[1][5:8] == [33, *(pytest.approx(100 * end, abs=0.06) for end in ends)]
    assert why[1][4] == pytest.approx(50 * (ends[1] - ends[0]), abs=0.06)
    likely = {text: stats.binom(400, 0.33).pmf(round(4 * numbers(text)[0])) for text in texts(1, "exam")[1:5]}
    assert min(likely, key=likely.__getitem__) == COURSE[1].exam.right
    assert [not ends[0] < value / 100 < ends[1] for (value,) in answers[1]] == [True, False, False, False]
    assert first[0] < answers[1][0][0] / 100 < first[1]
    # 3: of fair coins so many series are so far from half.
    p = stats.binomtest(61, 100).pvalue
    assert asked[3][:2] == [100, 61]
    assert asked[3][-1] == answers[3][1][0] == pytest.approx(p, abs=0.0005)
    assert answers[3] == [[], [0.035], [pytest.approx(1 - p, abs=0.0005), 1], [0.5]]
    assert why[3][1] == pytest.approx(1000 * p, abs=0.5)
    # 4: a thousand scholars with a correct method: of the highest of their intervals, next to none holds the truth.
    centres = np.random.default_rng(2).normal(size=(5_000, 1_000))
    assert np.mean(np.abs(centres.max(axis=1)) <= stats.norm.ppf(0.975)) < 0.001
    held, low, high = (1_000 * share for share in (0.95, 0.025, 0.025))
    assert why[4] == [95, 1_000, held, low, high, 95, 95]
    assert asked[4] == [95, 999]
    assert [values[0] for values in answers[4]] == [0, 95, 50, 99.9]
    # 5: as many readings as make it a third.
    assert asked[5] == [50, 0.6, 0.2]
    assert answers[5] == [[50 * 3**2], [50 * 3], [pytest.approx(50 * 3**1.5, abs=1)], [50 * 3**3]]
    assert why[5][-1] == pytest.approx(0.6 * (50 / 150) ** 0.5, abs=0.005)
    # 6: of gains by t, and of two groups of different pupils.
    t = stats.t(11).ppf(0.975)
    half, apart = t * 0.6 / 12**0.5, (20**2 + 20**2) ** 0.5
    ends_of = [(6 - half, 6 + half), (6 - apart, 6 + apart), (6 - 20, 6 + 20), (6 - t * 0.6, 6 + t * 0.6)]
    for text, ends in zip(texts(6, "exam")[1:5], ends_of, strict=True):
        found = [float(end.replace("−", "-")) for end in re.findall(r"[−\d.]+", text)]
        assert found == [pytest.approx(end, abs=0.5 if abs(end) > 10 else 0.05) for end in ends]
    of_mean, factor = pytest.approx(0.6 / 12**0.5, abs=0.005), pytest.approx(t, abs=0.05)
    assert asked[6][-6:] == [0.6, of_mean, pytest.approx(20 / t, abs=0.5), 95, factor, 95]
    assert why[6][:5] == [of_mean, 0.6, 12, factor, of_mean]
    assert why[6][5] == pytest.approx(half, abs=0.05)
    # 7: of two equal glasses one is ahead in so many of the draws, on either side or on one; the finer ones always are.
    won = (np.abs(rng.normal(size=1_000_000)) >= stats.norm.ppf(0.95)).mean()
    every, equal, finer = asked[7][0], *asked[7][-2:]
    assert every == equal + finer
    expected = (finer / (finer + equal * won), 0.95, finer / (finer + equal * won / 2), finer / every)
    assert answers[7] == [[pytest.approx(100 * share, abs=0.6)] for share in expected]
    alarms = pytest.approx(equal * won, abs=3)
    assert why[7] == [pytest.approx(50 * won, abs=0.3), 100, alarms, equal, finer, finer + why[7][2], 95]
    # 8: so many cats of twenty, and both paws.
    one = stats.binom(20, 0.5).sf(13)
    assert asked[8] == [20, 14, 14, 20, pytest.approx(one, abs=0.0005)]
    expected = (2 * one, one, one / 2, 1 - one)
    assert answers[8] == [[pytest.approx(value, abs=0.0006)] for value in expected]
    # 9: the smallest of twenty p-values of charms without effect.
    smallest = (rng.random((100_000, 20)).min(axis=1) <= 0.05).mean()
    assert asked[9] == [20, 0.05, 100]
    assert answers[9] == [[pytest.approx(100 * smallest, abs=0.6)], [100 * 0.05], [20], [95]]
    none = pytest.approx(1 - smallest, abs=0.006)
    assert why[9] == [0.05, 0.95, 20, 0.95, 0.95, none, answers[9][0][0], 100]
    # 10: one test, two, and thirty; and one on the day of the widest gap.
    gaps = np.abs(np.cumsum(rng.normal(size=(50_000, 30)), axis=1)) / np.arange(1, 31)
    z = gaps * np.sqrt(np.arange(1, 31)) >= 1.96
    found = [100 * z[:, days].any(axis=1).mean() for days in ([29], [14, 29], range(30))]
    found.append(100 * z[np.arange(len(z)), gaps.argmax(axis=1)].mean())
    assert [why[10][place] for place in (0, 3, 5, 7)] == [pytest.approx(count, abs=0.7) for count in found]
    # 11: ten tables of eight, whose marks are alike by so much that the mean varies twice as much.
    tables = rng.normal(0, 3**0.5, (50_000, 10)) + rng.normal(0, 2 / 8**0.5, (50_000, 10))
    single, spread = 3 + 2**2, tables.mean(axis=1).std()
    assert spread == pytest.approx(2 * (single / 80) ** 0.5, rel=0.02)
    assert asked[11] == [80, 0.3, 0.6, 80]
    assert answers[11] == [[pytest.approx(single / spread**2, rel=0.04)], [80], [10], [40]]
    assert why[11] == [0.6, 0.3, 80, 80, 2, 20, 80, 10]
    assert why[12][1] == pytest.approx(factorial(16), rel=0.005)
    # 13: the interval and p are of one estimate.
    kilogram, many, small, low, high, _, few, large, minus, most = asked[13]
    assert (many, few) == (800, 60)
    assert 2 * stats.norm.sf((low + high) / 2 / ((high - low) / 2 / 1.96)) < small == 0.001
    assert high < kilogram
    assert -minus < 0 < kilogram < most
    of_b = stats.t(few - 1)
    assert 2 * of_b.sf((most - minus) / (most + minus) * of_b.ppf(0.975)) == pytest.approx(large, abs=0.005)
    assert why[13] == [low, high, kilogram, kilogram, 0]
    assert why[14][-3:] == [1, 20, 1 / 20]
    large, small, one, times, _, p = why[15]
    assert (times, large, small) == (asked[15][1], asked[15][2], asked[15][4])
    assert p == pytest.approx((large + small + one) / (times + one), abs=0.0005)
    # One direction alone, and the deals alone.
    counts = large + small + one, large + one, large + small
    told = [values for values in answers[15] if values]
    assert told == [[count, times + one, pytest.approx(count / (times + one), abs=0.0005)] for count in counts]


def test_numbers_of_the_quiz_are_those_of_their_questions() -> None:
    rng = np.random.default_rng(1)
    # 0: bottles and forties of them.
    bottles = rng.normal(502, 5, (20_000, 40))
    own = bottles[0][rng.integers(40, size=(20_000, 40))].mean(axis=1)
    assert own.std() == pytest.approx(bottles.mean(axis=1).std(), rel=0.25)
    assert numbers(texts(0)[-1])[-1] == pytest.approx(bottles.std() / bottles.mean(axis=1).std(), abs=0.5)
    # 1: a poll, and many others of the same voters.
    own_ends = [100 * end for end in stats.norm(0.523, (0.523 * 0.477 / 1000) ** 0.5).interval(0.95)]
    ends = (np.quantile(rng.binomial(1000, 0.501, 200_000), [0.025, 0.975]) / 10).tolist()
    about = [pytest.approx(end, abs=0.11) for end in (*ends, *own_ends)]
    assert numbers(texts(1)[0])[3:5] == about[2:]
    assert [numbers(text) for text in texts(1)[1:5]] == [about[:2], [50.1], about[2:], [about[2], about[1]]]
    # 3: of herbs that do nothing p is spread evenly.
    idle = (rng.random((20_000, 900)) <= 0.05).sum(axis=1).mean()
    assert numbers(texts(3)[0]) == [1000, 100, 0.05, 900, 1000, 100]
    assert [numbers(text) for text in texts(3)[1:5]] == [[pytest.approx(idle, abs=0.5)], [5], [90], [95]]
    assert numbers(texts(3)[-1]) == [0.05, 5, 100, 45, 900, 100, 0.05]
    # 5: of twice as many, by simulation.
    spread = [rng.binomial(size, 0.5, 200_000).std() / size for size in (600, 1200, 2400)]
    assert numbers(texts(5)[1]) == [pytest.approx(4 * spread[1] / spread[0], abs=0.06)]
    assert numbers(texts(5)[-1]) == [2, 4, 1.41, 2, 2400]
    assert spread[2] == pytest.approx(spread[0] / 2, rel=0.01)
    # 6: both ranges are as wide as is said.
    assert numbers(texts(6)[0]) == [40, 800, 95, 800 - 100, 800 + 100, 812, 812 - 100, 812 + 100, 95, 10, 14]
    reach, spread_of_rises, ends = numbers(texts(6)[-1])
    assert (reach, ends) == (100, (14 - 10) / 2)
    rises = rng.normal(12, spread_of_rises, (20_000, 40)).mean(axis=1)
    assert np.quantile(rises, [0.025, 0.975]) == pytest.approx([10, 14], abs=0.1)
    # 7: of pairs of equal pills so many get a medal by chance.
    pairs, share, luck, won, shown = numbers(texts(7)[0])
    assert luck == pytest.approx(pairs * 2 * stats.norm.sf(stats.norm.ppf(share / 100)))
    assert [numbers(text) for text in texts(7)[1:5]] == [[won], [shown], [], [100 - shown]]
    told = numbers(texts(7)[-1])
    assert told == [10, 100, pairs, luck, pairs - won, 90, 100, told[7], told[8], won, shown]
    # So many equal pairs have as many pairs without a medal as there are, and so many medals by luck.
    assert told[7:9] == [pytest.approx((pairs - won) / 0.9, abs=0.5), pytest.approx(0.1 * told[7], abs=0.5)]
    one = (33 + 1) / (999 + 1)
    assert [numbers(text) for text in texts(8)[1:5]] == [
        [pytest.approx(value, abs=0.0006)] for value in ((33 + 33 + 1) / 1000, one, one / 2, 1 - one)
    ]
    # 9: the smallest p of 25 pupils who guess blindly.
    classes = (rng.random((100_000, 25)).min(axis=1) <= 0.008).mean()
    assert numbers(texts(9)[0]) == [25, 0.008]
    assert [numbers(text) for text in texts(9)[1:5]] == [[25 * 0.008], [0.008], [0.05], [5 * 0.008]]
    assert numbers(texts(9)[-1]) == [25, 0.008, pytest.approx(100 * classes, abs=0.8), 100, 25, 0.008, 0.008]
    # 10: three looks at ever more rats.
    sums = np.cumsum(rng.normal(0, np.sqrt([100, 50, 50]), (200_000, 3)), axis=1)
    cheered = (np.abs(sums) / np.sqrt([100, 150, 200]) >= 1.96).any(axis=1).mean()
    assert [numbers(text) for text in texts(10)[1:5]] == [[pytest.approx(100 * cheered, abs=1)], [5], [14], [30]]
    # 11: thirty patients who differ by 8, eight readings of each that differ by 10.
    truth = rng.normal(0, 8, (20_000, 30)) + rng.normal(0, 10 / 8**0.5, (20_000, 30))
    alone = rng.normal(0, (8**2 + 10**2) ** 0.5, (20_000, 240))
    assert numbers(texts(11)[0])[2:4] == [
        pytest.approx(1.96 * values.mean(axis=1).std(), rel=0.05) for values in (alone, truth)
    ]
    wider = truth.mean(axis=1).std() / alone.mean(axis=1).std()
    # As wide as of thirty patients is the interval of so many who are read once.
    single = (8**2 + 10**2) / truth.mean(axis=1).var()
    assert [numbers(text) for text in texts(11)[1:5]] == [
        [pytest.approx(single, abs=0.6)],
        [240],
        [30],
        [pytest.approx(240 / wider, abs=1.5)],
    ]
    assert numbers(texts(11)[-1])[:2] == [pytest.approx(wider, abs=0.1)] * 2
    # 12: sacreBLEU counts the pairs of 41 words, of which ten are not the teacher's, before and after the cuts.
    metric, words = BLEU(max_ngram_order=2, tokenize="none"), [f"w{k}" for k in range(41)]
    pieces = [" ".join(part) for part in np.array_split(words, 11)]
    own, teacher = " ".join(pieces), " ".join(pieces[place] for place in (*range(0, 11, 2), *range(1, 11, 2)))
    mixed = [" ".join(pieces[int(k)] for k in rng.permutation(11)) for _ in range(200)]
    pairs = [metric.corpus_score([text], [[teacher]]).counts[1] for text in (own, *mixed)]
    assert numbers(texts(12)[0])[:2] == [40, pairs[0]] == [40, 30]
    assert [numbers(text) for text in texts(12)[1:5]] == [[min(pairs)], [30], [20], [3]]
    assert max(pairs) > 30
    # 13: gains that give these p, where times vary as much.
    found = [stats.norm.isf(p / 2) / size**0.5 for p, size in ((0.0001, 2_000_000), (0.04, 40))]
    assert numbers(texts(13)[-1])[-1] == pytest.approx(found[1] / found[0], abs=0.6)
    assert numbers(texts(14)[-1]) == [7, 1, 19, 1, (7 + 1) / (19 + 1)]
    assert [numbers(text) for text in texts(14)[1:5]] == [
        [pytest.approx(p, abs=0.0006), count, total]
        for p, count, total in ((8 / 20, 8, 20), (8 / 60, 8, 60), (7 / 19, 7, 19), (1 / 20, 1, 20))
    ]  # fmt: skip
    assert [numbers(text) for text in texts(15)[1:5]] == [[0.07], [0.05], [0.08], [0.06]]
    assert numbers(texts(15)[0]) == [3, 99, 4, 3, 2, 3, 93]


def test_lessons_stand_in_order_and_have_addresses_of_their_own() -> None:
    numbers, names = [lesson.number for lesson in LESSONS], [lesson.name for lesson in COURSE]
    assert numbers == list(range(len(LESSONS)))
    assert len(set(names)) == len({lesson.number for lesson in COURSE}) == len(COURSE)
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in names)
    assert [lesson.is_game for lesson in COURSE] == [False] * len(LESSONS) + [True] * len(GAMES)


@sampled("lesson", COURSE, most=5, ids=lambda lesson: lesson.name)
def test_the_lines_of_numpy_run_and_are_few(lesson: Lesson) -> None:
    room = lesson.room(given.own_room())
    kept = room.statistics.at("segment").select(room.pair)
    names = {"np": np, "NEWS": NEWS, "room": room, "values": kept.values, "score": kept.metric.score, "n": kept.n,
             "rng": np.random.default_rng(room.seed)}  # fmt: skip
    *lines, last = ast.parse(lesson.code).body
    assert len(lesson.code.splitlines()) <= 5
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(lines, []), lesson.name, "exec"), names)
    found = np.array(eval(compile(ast.Expression(last.value), lesson.name, "eval"), names), dtype=float)
    assert np.isfinite(found).all()
    # By hand comes out what the lesson shows, as far as other dice allow.
    if lesson.name in BY_HAND:
        assert found == BY_HAND[lesson.name](given.own_stage(lesson.name))


def large_sets() -> list[Any]:
    """Return the differences of lesson 13's systems on ever more segments, and their standard errors."""
    large = NEWS.simulate({"A": 25.2, "B": 25.0}, size=20_000).statistics
    parts = [replace(of_units(large, np.arange(size)), document_of=None) for size in (200, 2000, 20_000)]
    known = [pairs_of(Scores(part, Bootstrap(unit="segment")), [("A", "B")]) for part in parts]
    return [[value.item() for value in values] for values in
            ([one.estimate for one in known], [one.standard_error for one in known])]  # fmt: skip


def drawn_values(stage: Stage) -> list[Any]:
    view = next(iter(stage.views.values()))
    return [np.array(panel.values) for panel in view.panels if isinstance(panel, Pile)]


BY_HAND: dict[str, Callable[[Stage], Any]] = {
    "why-it-works": lambda stage: pytest.approx([values.std() for values in drawn_values(stage)], rel=0.2),
    "one-redraw": lambda stage: pytest.approx(np.quantile(drawn_values(stage)[0], [0.025, 0.975]), abs=0.3),
    "swap-the-names": lambda _: pytest.approx(0, abs=0.2),
    "coverage-dance": lambda stage: pytest.approx(stage.found[0], abs=8),
    "size-law": lambda _: pytest.approx(2, abs=0.2),
    "peeking": lambda stage: pytest.approx(stage.found[0], abs=12),
    "documents-travel-together": lambda stage: pytest.approx(stage.found[0], abs=0.15),
    "same-bleu": lambda stage: factorial(len(stage.views[""].panels[0].tiles)),  # type: ignore[attr-defined]
    "significant-or-important": lambda _: pytest.approx(np.array(large_sets()), rel=0.03),
}


def test_no_pair_is_shown_by_two_lessons_but_the_one_that_is_chosen_by_all() -> None:
    room = given.own_room()
    pairs = {each.number: each.room(room).pair for each in LESSONS if not each.on or each.name == "half-p"}
    assert list(pairs) == [*range(1, 9), 10, 11, 13]
    beside = contrary(LESSONS[3].room(room))
    assert beside is not None
    # So none asks of a pair what another one has told of it.
    shown = [frozenset(pair) for pair in (*pairs.values(), beside, THREE_ANSWERS)]
    assert len(set(shown)) == len(shown)
    for number, pair in pairs.items():
        names = difference(pair), difference(pair[::-1])
        assert {other for other in range(len(LESSONS)) if any(name in taught(other) for name in names)} <= {number}
    assert {lesson.room(given.room()).pair for lesson in COURSE} == {given.PAIR}


def test_further_systems_of_the_sample_are_explained_where_they_are_shown() -> None:
    room = given.own_room()
    for lesson in COURSE:
        seated, setting = lesson.room(room), given.own_stage(lesson.name).setting
        further = {*seated.statistics.systems} - {*room.statistics.systems}
        assert bool(further) == bool(lesson.further), lesson.name
        assert ("in lessons only" in setting) == bool(lesson.further)
        if further:
            assert {*seated.pair} <= {*seated.texts.outputs}
            assert all(f"{name} " in setting for name in seated.pair)
            # What both have is the same: the text, its documents and its reference.
            assert seated.texts.references == room.texts.references
            assert seated.texts.documents == room.texts.documents
        # Of other data it takes a pair of them.
        other = replace(room, corpus=None)
        assert {*lesson.room(other).pair} <= {*room.statistics.systems}
        assert lesson.room(other).statistics is room.statistics
