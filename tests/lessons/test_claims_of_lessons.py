"""The claims of STATISTICS.md section 9, which no lesson makes: what lessons say, all but what they are to end."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import mtsig
from mtsig.lessons import GAMES, LESSONS, Classroom, Lesson
from mtsig.metrics import Statistics

COURSE = (*LESSONS, *GAMES)

CLAIMS: dict[int, tuple[str, str]] = {
    1: (r"95% of (the )?(re)?(draws|samples)[^.]*p (<|=|≤) ?0?\.05", "It wins 95% of redraws, so p < .05."),
    2: (r"sacreBLEU[^.]*(prints|gives) a two-sided p", "sacreBLEU gives a two-sided p."),
    3: (
        r"overlap\w*,? (so|means|shows)|(significant|difference) because (they|the bars)",
        "They overlap, so none wins.",
    ),
    4: (r"(they|systems|two) (are|is) (therefore |thus )?(the same|equal|equally good)\b", "So the two are equal."),
    5: (
        r"probability (that|of)[^.]*(H0|null|hypothes|no difference|equal|flip)|due to chance",
        "p is the probability that there is no difference.",
    ),
    6: (r"significan\w+ (means|is) (large|importan|percept)|significant, so", "It is significant, so readers notice."),
    7: (
        r"probability (of being|that|to be)[^.]*(better|best)|better with a probability"
        r"|likely (to be )?(the )?(better|best)",
        "It is likely better.",
    ),
    8: (r"\*{1,3}(?!\w)|★", "A beats B***."),
    9: (r"(draw|add) (more|segments) until (p|it)", "Draw more until p is small."),
    10: (r"1 in 20|one in twenty|of (all )?conclusions (is|are)", "One in twenty is wrong."),
    11: (r"(?<!anti-)conservative", "The method is conservative."),
    12: (r"sensitiv", "BLEU is more sensitive than NIST."),
    13: (r"whether or not (they|segments) share a document", "Segments count, whether or not they share a document."),
    14: (r"best (run|seed) (of|against)", "The best seed of A beats B."),
    15: (r"p\s*=\s*\.?0+(?![\d.])|(?<![\d.])\.0000(?!\d)", "p = .0000"),
    16: (r"(observed|achieved|post[- ]hoc) power", "The observed power was 80%."),
    17: (r"BLEU (of|on) (another|other) test sets? (is|are) (higher|lower)", "BLEU on other test sets is higher."),
    18: (r"A ≈ B and B ≈ C,? so", "A ≈ B and B ≈ C, so A ≈ C."),
    19: (r"correlat\w+ (of|with|at) ", "BLEU correlates with people at .9."),
    20: (r"(no|any|without) assumptions?\b|assumption-free", "The bootstrap needs no assumptions."),
}
"""By number: what is looked for, and a sentence that it finds."""

DENIED = re.compile(r"no evidence that they are equal|\b(not|no|never|nor)\b[^.,;:]{0,40}?probability[^.;]*", re.I)
"""What says that a claim is wrong is no claim."""


@cache
def sample() -> Statistics:
    return mtsig.measure(mtsig.read_sample(), "bleu")


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
    room = Classroom(sample(), ("via-catalan", "via-galician"), corpus=mtsig.read_sample())
    stage = lesson.stage(room)
    texts = [lesson.title, lesson.question, lesson.take_home, lesson.exercise, lesson.solution(room)]
    texts += [lesson.quiz.question, lesson.quiz.answers[lesson.quiz.right], lesson.quiz.why]
    texts += [stage.ask.question, stage.reveal, *stage.missing, *(each.after for each in stage.rounds)]
    drawn = [panel for view in stage.views.values() for panel in view.panels]
    drawn += [panel for each in stage.rounds for panel in each.panels]
    # What stands in cells and columns is data, and says nothing.
    data = {"cells", "weights", "texts", "tiles", "flips", "same", "groups", "beyond", "missed", "claimed", "kind"}
    texts += [text for panel in drawn for name, value in vars(panel).items() if name not in data
              for text in strings(value)]  # fmt: skip
    texts += [text for view in stage.views.values() for text in view.says]
    return DENIED.sub("", "\n".join(dict.fromkeys(texts)))


@pytest.mark.parametrize("number", range(len(COURSE)), ids=lambda number: COURSE[number].name)
def test_no_lesson_makes_a_claim_that_must_never_be_made(number: int) -> None:
    text = said(number)
    assert len(text) > 1_000
    for claim, (pattern, _) in CLAIMS.items():
        found = re.search(pattern, text, re.IGNORECASE)
        assert found is None, (claim, text[max(0, found.start() - 80) : found.end() + 80])


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
