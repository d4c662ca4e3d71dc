"""The parts of a lesson: its data, its steps, and its questions."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from msgspec import to_builtins

from mtsig._probability import points_text
from mtsig.corpus import Corpus
from mtsig.errors import NotApplicable
from mtsig.lab import Material
from mtsig.lab._material import Pair
from mtsig.lessons._panels import Numbers, Panel
from mtsig.metrics import Metric, Statistics, measure
from mtsig.metrics._statistics import Unit


@dataclass(frozen=True, eq=False)
class Classroom:
    """The data of a lesson: a metric's statistics, a pair of systems, and the seed.

    chosen: the pair; `None` lets each lesson choose a pair. unit: the resampling unit; lessons 0 to 10 use segments
    even if documents are known, and lesson 11 explains documents. corpus: the texts, if there are any.
    """

    statistics: Statistics
    chosen: Pair | None = None
    seed: int = 12345
    unit: Unit = "segment"
    corpus: Corpus | None = None

    @classmethod
    def of(
        cls, corpus: Corpus, metric: str | Metric = "bleu", pair: Pair | None = None, seed: int = 12345
    ) -> "Classroom":
        """Return a classroom for these data, with all statistics computed.

        Raises
        ------
        UnknownName
            The metric or a system is unknown.
        NotApplicable
            The metric cannot be computed on these data.
        """
        room = cls(measure(corpus, metric), pair, seed, corpus=corpus)
        for name in room.pair:
            room.statistics.row(name)
        return room

    @cached_property
    def pair(self) -> Pair:
        """The chosen pair, or the two best systems.

        Raises
        ------
        NotApplicable
            There is only one system.
        """
        if len(self.statistics.systems) < 2:
            raise NotApplicable("Lessons compare two systems, but only one is loaded.")
        return Material((self.statistics,)).pair(self.chosen)

    @property
    def texts(self) -> Corpus:
        """The corpus with the texts of the outputs.

        Raises
        ------
        NotApplicable
            There are no texts.
        """
        if self.corpus is None or not self.corpus.outputs:
            raise NotApplicable("This lesson needs the texts of the outputs, but only scores are loaded.")
        return self.corpus


def pair_of(room: Classroom) -> Statistics:
    """Return the pair's statistics on the segments that both systems have, without documents."""
    kept = room.statistics.at("segment").select(room.pair)
    return replace(kept.shared_by(room.pair), document_of=None)


def points(metric: Metric, value: float) -> str:
    """Return a difference with its sign."""
    return points_text(round(value, metric.decimals) + 0.0, metric.decimals, signed=True)


def share_of(count: int, total: int) -> str:
    """Return a count in words, with the total and the percentage."""
    return f"{count} of {total} ({count / total:.0%})"


@dataclass(frozen=True)
class Ask:
    """A question to answer before anything is drawn; it does not contain the answer.

    kind: the type of answer: a range, a number, or one of the options. low, high, step: the limits and the step of the
    slider. log: whether the slider is logarithmic, with the step in powers of ten. names: the names of the numbers, if
    the question has several.
    """

    question: str
    kind: Literal["range", "number", "choice"]
    low: float = 0.0
    high: float = 1.0
    step: float = 0.1
    decimals: int = 2
    options: tuple[str, ...] = ()
    log: bool = False
    names: tuple[str, ...] = ()

    @property
    def places(self) -> Numbers:
        """All numbers that the slider can be set to, or the numbers of all options."""
        if self.kind == "choice":
            return tuple(map(float, range(len(self.options))))
        low, high = np.log10([self.low, self.high]) if self.log else (self.low, self.high)
        at = low + self.step * np.arange(round((high - low) / self.step) + 1)
        return tuple(np.round(10**at, self.decimals).tolist() if self.log else at.tolist())


@dataclass(frozen=True)
class View:
    """The panels and sentences for one position of a lesson's switch.

    says: the sentences after each step, from 0 to the last step. reveal, found: as in `Stage`, if they differ for this
    position.
    """

    panels: tuple[Panel, ...]
    says: tuple[str, ...]
    reveal: str = ""
    found: Numbers = ()


@dataclass(frozen=True)
class Round:
    """A round of a game: the panels, the answer, the comment on it, and the points for each slider position."""

    panels: tuple[Panel, ...]
    answer: float
    after: str
    points: tuple[int, ...]


_LOW, _NEAR, _HIGH = (
    "Your guess, {guess}, was too low: it is {found}.",
    "Your guess, {guess}, was close: it is {found}.",
    "Your guess, {guess}, was too high: it is {found}.",
)
_HELD = "Your range contains {count} of the {of} {noun}s ({share})."


@dataclass(frozen=True)
class Stage:
    """The content of a lesson, step by step.

    steps: the number of draws. pace: whether steps are made by buttons, by a slider, or by hand. buttons: the steps
    that each button adds. verb, noun: words such as "Draw" and "resample". views: the views by switch position; a view
    called "" has no switch. switch: the name of the switch. reveal: the answer, shown after `reveal_at` steps (0: all
    steps). found: the answer as numbers. near: how far from the answer a guess counts as close. replies: the reply to
    each option. missing: what cannot be shown, and why. setting: a description of the lesson's own data. rounds: the
    rounds of a game, which has no steps or views; `ask` comes before each round.
    """

    ask: Ask
    steps: int
    views: dict[str, View]
    reveal: str = ""
    reveal_at: int = 0
    pace: Literal["buttons", "slider", "hand"] = "buttons"
    buttons: tuple[int, ...] = (1, 10, 100, 1000)
    verb: str = "Draw"
    noun: str = "resample"
    switch: str = ""
    found: Numbers = ()
    near: float = 0.0
    replies: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    setting: str = ""
    rounds: tuple[Round, ...] = ()

    def plain(self) -> dict[str, Any]:
        """Return the stage as JSON can hold it; panels say their kind, and a guess is answered in these sentences."""
        plain: dict[str, Any] = to_builtins(self)
        shown = [*(view.panels for view in self.views.values()), *(each.panels for each in self.rounds)]
        for panels, filled in zip(shown, (*plain["views"].values(), *plain["rounds"]), strict=True):
            filled["panels"] = [{"kind": type(panel).__name__.lower(), **to_builtins(panel)} for panel in panels]
        return plain | {"says_of": [_LOW, _NEAR, _HIGH, _HELD]}


SIMULATED = "simulated segments"
"""What some lessons are given on, whatever the classroom's data."""

_PLACES = "2312212031103300"
"""Where right answers stand, lesson after lesson: in every place as often, in no order."""


@dataclass(frozen=True)
class Quiz:
    """A question on a situation that no lesson has, with one right answer and wrong ones of the same length; and why.

    wrong: first the one that follows from the lesson's misconception.
    """

    question: str
    right: str
    wrong: tuple[str, str, str]
    why: str

    def place(self, number: int) -> int:
        """Return where the right answer stands in the lesson of this number."""
        return int(_PLACES[number % len(_PLACES)])

    def answers(self, number: int) -> tuple[str, ...]:
        """Return the answers in the order in which the lesson of this number gives them."""
        place, turn = self.place(number), number % len(self.wrong)
        wrong = self.wrong[turn:] + self.wrong[:turn]
        return (*wrong[:place], self.right, *wrong[place:])


@dataclass(frozen=True)
class Lesson:
    """One lesson: question, commitment, drawing, take-home, exercise.

    number: its place in the course, and its address. misconception: what it is to end, in its own words. sections: of
    the papers and books it stands on. draw: draws it on a classroom, or refuses with the reason (NotApplicable); solve:
    the exercise's answer, worked out of what was drawn. own: the pair that shows the point best, where nobody chose
    one. on: what it is given on, where that is not a pair. settings: with which the pages show the same. code: the
    method in a few lines of numpy. is_game: whether it has rounds.
    """

    name: str
    title: str
    misconception: str
    sections: str
    question: str
    take_home: str
    exercise: str
    quiz: Quiz
    draw: Callable[[Classroom], Stage]
    solve: Callable[[Classroom], str]
    own: Callable[[Classroom], Pair] = lambda room: room.pair
    on: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    code: str = ""
    is_game: bool = False
    number: int = -1

    @cached_property
    def digest(self) -> str:
        """What tells it from all others where results are remembered (see `known_by` of the dashboard)."""
        return self.name

    @property
    def label(self) -> str:
        """What it is called in a list."""
        return f"Game: {self.title}" if self.is_game else f"Lesson {self.number}: {self.title}"

    def room(self, room: Classroom) -> Classroom:
        """Return the classroom with the lesson's own pair, where nobody chose one."""
        return room if room.chosen else replace(room, chosen=self.own(room))

    def stage(self, room: Classroom) -> Stage:
        """Return the drawing on a classroom."""
        return self.draw(self.room(room))

    def solution(self, room: Classroom) -> str:
        """Return the exercise's answer on a classroom."""
        return self.solve(self.room(room))
