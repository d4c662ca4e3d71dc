"""The sample as a classroom, and stages and solutions on it: each is worked out once, whichever test asks first.

`own_…`: nobody chose a pair, so that each lesson takes its own.
"""

from dataclasses import replace
from functools import cache

from mtsig import Corpus, measure, read_sample
from mtsig.lessons import GAMES, LESSONS, Classroom
from mtsig.lessons._stage import Lesson, Stage
from mtsig.metrics import Statistics

PAIR = ("via-catalan", "via-galician")
SEED = 12345


@cache
def _sample() -> tuple[Statistics, Corpus]:
    corpus = read_sample()
    return measure(corpus, "bleu"), corpus


@cache
def _room(pair: tuple[str, str] | None, seed: int) -> Classroom:
    statistics, corpus = _sample()
    return Classroom(statistics, pair, seed, corpus=corpus)


def room(seed: int = SEED) -> Classroom:
    return _room(PAIR, seed)


def own_room(seed: int = SEED) -> Classroom:
    return _room(None, seed)


def _called(name: str) -> Lesson:
    (lesson,) = (lesson for lesson in (*LESSONS, *GAMES) if lesson.name == name)
    return lesson


@cache
def _stage(name: str, pair: tuple[str, str], seed: int) -> Stage:
    return _called(name).stage(_room(pair, seed))


@cache
def _solution(name: str, pair: tuple[str, str], seed: int) -> str:
    return _called(name).solution(_room(pair, seed))


@cache
def _own_stage(name: str, seed: int) -> Stage:
    return _called(name).stage(own_room(seed))


@cache
def _own_solution(name: str, seed: int) -> str:
    return _called(name).solution(own_room(seed))


@cache
def _takes_pair(name: str, seed: int) -> bool:
    """Return whether a lesson takes PAIR: what is worked out for it serves both."""
    return _called(name).room(own_room(seed)).pair == PAIR


def stage(name: str, seed: int = SEED) -> Stage:
    return _stage(name, PAIR, seed)


def solution(name: str, seed: int = SEED) -> str:
    return _solution(name, PAIR, seed)


def own_stage(name: str, seed: int = SEED) -> Stage:
    return _stage(name, PAIR, seed) if _takes_pair(name, seed) else _own_stage(name, seed)


def own_solution(name: str, seed: int = SEED) -> str:
    return _solution(name, PAIR, seed) if _takes_pair(name, seed) else _own_solution(name, seed)


def worked_out(lesson: Lesson) -> Lesson:
    """Return the lesson with its stage and its solution as they are kept for all tests."""
    name = lesson.name
    return replace(lesson, draw=lambda _: stage(name), solve=lambda _: solution(name))
