"""Lessons as pages of a browser: what the one component is given, and a folder of pages that need nothing else."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mtsig.errors import NotApplicable
from mtsig.lessons._sheets import about
from mtsig.lessons._stage import Classroom, Lesson, Stage
from mtsig.report._table import in_html

WEB = Path(__file__).parent / "web"

_WORDS = """
0 | segment | One line of a test set, with its translations.
0 | resample, resampled | As many segments as the test set has, drawn one by one; each is put back before the next.
0 | standard deviation | How far values typically lie from their mean.
1 | percentile interval, middle 95%, 95% interval, confidence interval | The range that contains 95 of 100 resamples.
1 | document | A text of several segments, which were sampled together.
1 | bootstrap | Drawing resamples of a test set, to see how far its score could have moved.
2 | random swap, swap, swapped | The two systems' names change places: in a random swap a coin decides on each segment.
3 | p-value, p | The share of random swaps at least as far from zero as the observed difference, which is included.
3 | two-sided | Differences in favour of either system count.
3 | Monte Carlo interval | The range in which p would probably be after infinitely many random swaps.
3 | significant, significantly | A difference is significant if its p is at most .05.
3 | false-positive rate, false alarm, false positive, false claim | A difference is claimed where there is none.
5 | half width, 1/√n | Half of an interval's length shrinks with the square root of the number of segments.
6 | pairing, paired, unpaired | Both systems are scored on the same segments of every resample.
7 | win rate, one-sided | The share of resamples on which a system scores higher: it counts one side only.
8 | centred | Moved so that the mean is zero, as if there were no difference.
9 | baseline | The system that all others are compared with.
9 | correction, corrected, uncorrected | A change of p that keeps the probability of any false claim at 5%.
9 | Holm, Holm's | A correction: the smallest p is multiplied by the number of comparisons, the next by one less, etc.
9 | min-P | A correction by random swaps: the smallest p of all is compared with the smallest of each swap.
11 | design effect | The factor by which documents change the variance of a score or a difference.
12 | n-gram, 4-gram, 1- to 4-gram | A sequence of n words that follow each other.
"""


class Term(NamedTuple):
    """A word, other words for it, the lesson that explains it, and what it means."""

    lesson: int
    words: tuple[str, ...]
    says: str


GLOSSARY = tuple(
    Term(int(lesson), tuple(words.split(", ")), says)
    for lesson, words, says in (line.split(" | ") for line in _WORDS.strip().split("\n"))
)
"""The words, in the order in which the course explains them."""


def part(name: str) -> str:
    """Return a file of the component: lessons.js, lessons.css or page.html."""
    return (WEB / name).read_text(encoding="utf-8")


def id_of(lesson: Lesson, room: Classroom) -> str:
    """Return what a lesson on these data is called where answers are kept."""
    metric, seated = room.statistics.metric.name, lesson.room(room)
    text = json.dumps([lesson.name, room.statistics.digest, metric, seated.pair, room.seed, room.unit])
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
    seated, quiz, digest = lesson.room(room), lesson.quiz, room.statistics.digest
    facts = {
        "lesson": lesson.number, "title": lesson.title, "data": digest,
        "metric": room.statistics.metric.name, "pair": list(seated.pair), "seed": room.seed,
    }  # fmt: skip
    return {
        "id": id_of(lesson, room), "title": f"{lesson.number} · {lesson.title}", "heading": heading,
        "against": lesson.misconception, "from": lesson.sections, "question": lesson.question,
        "take_home": lesson.take_home, "exercise": lesson.exercise, "solution": solution, "facts": facts,
        "quiz": {
            "question": quiz.question, "answers": list(quiz.answers(lesson.number)),
            "right": quiz.place(lesson.number), "why": quiz.why,
        },
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
    for kind in ("lessons", "games"):
        course["course"][kind] = [card for card in course["course"][kind] if card["number"] in files]
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
