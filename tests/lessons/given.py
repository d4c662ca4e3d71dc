"""The sample as a classroom, and stages and solutions on it: each is worked out once, whichever test asks first.

`own_…`: nobody chose a pair, so that each lesson takes its own.
"""

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
def room(seed: int = SEED) -> Classroom:
    statistics, corpus = _sample()
    return Classroom(statistics, PAIR, seed, corpus=corpus)


@cache
def own_room(seed: int = SEED) -> Classroom:
    statistics, corpus = _sample()
    return Classroom(statistics, seed=seed, corpus=corpus)


def _called(name: str) -> Lesson:
    (lesson,) = (lesson for lesson in (*LESSONS, *GAMES) if lesson.name == name)
    return lesson


@cache
def stage(name: str, seed: int = SEED) -> Stage:
    return _called(name).stage(room(seed))


@cache
def solution(name: str, seed: int = SEED) -> str:
    return _called(name).solution(room(seed))


@cache
def own_stage(name: str, seed: int = SEED) -> Stage:
    return _called(name).stage(own_room(seed))


@cache
def own_solution(name: str, seed: int = SEED) -> str:
    return _called(name).solution(own_room(seed))
