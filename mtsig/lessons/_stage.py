"""The parts of a lesson: its data, its steps, and its questions.

Panels: the pictures of a lesson as plain values; the browser draws them, and paper does (see `_still`).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from msgspec import to_builtins
from numpy.typing import ArrayLike

from mtsig._memory import remembered
from mtsig._probability import points_text
from mtsig.corpus import Corpus
from mtsig.errors import NotApplicable
from mtsig.lab import Material
from mtsig.lab._material import Pair
from mtsig.metrics import Metric, Statistics, measure
from mtsig.metrics._statistics import Unit
from mtsig.readers._read import read_sample, sample_for_lessons

Numbers = tuple[float, ...]
Marks = str
"""One character per cell or step: 0 and 1 for no and yes; counts in base 36, z for 35 and more."""

_DIGITS = np.frombuffer(b"0123456789abcdefghijklmnopqrstuvwxyz", dtype=np.uint8)


def marks(counts: ArrayLike) -> Marks:
    """Return a character for each count; of yes and no, 1 and 0."""
    return _DIGITS[np.minimum(np.asarray(counts, dtype=np.int64), 35)].tobytes().decode()


def rounded(values: ArrayLike, places: int = 6) -> Numbers:
    """Return values as plain numbers with so many decimals."""
    return tuple(np.asarray(values).round(places).tolist())


@dataclass(frozen=True)
class Mark:
    """A place on an axis, with its words. since: the step from which it is seen, where it would tell what was asked."""

    at: float
    text: str
    since: int = 0


@dataclass(frozen=True)
class Ends:
    """The ends of an interval as they stand after so many steps."""

    after: int
    low: float
    high: float


@dataclass(frozen=True)
class Panel:
    """One of the pictures that stand side by side; the fields of subclasses say what is in it."""

    title: str


@dataclass(frozen=True)
class Bag(Panel):
    """The test set as a bag: a cell per segment, and how often a draw holds it.

    cells: what is said of each segment when it is pointed at. rows: how many cells stand in each row where rows mean
    something (documents); empty: as a rectangle. weights: of each step, how often each cell was drawn. picks: of the
    first steps, the cells in the order in which they were drawn.
    """

    cells: tuple[str, ...]
    weights: tuple[Marks, ...]
    picks: tuple[tuple[int, ...], ...] = ()
    rows: tuple[int, ...] = ()


@dataclass(frozen=True)
class Labels(Panel):
    """Two columns of outputs whose names a coin per unit swaps.

    texts: the two outputs of each unit, shortened. same: which units count the same for both. flips: of each step,
    which units were swapped.
    """

    names: Pair
    texts: tuple[tuple[str, str], ...]
    same: Marks
    flips: tuple[Marks, ...]


@dataclass(frozen=True)
class Reading(Panel):
    """A draw in words: a headline and lines for each step."""

    heads: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Pile(Panel):
    """Values that fall onto a pile, one at each step.

    low, high: the axis, fixed beforehand. beyond: the steps whose value is at least as far out as what was observed, to
    be hatched. groups: a digit for each step, where piles are coloured by group; group_names: what the digits mean.
    before: where each value stood before it came to its place, where that is to be seen. decimals: of the ends, when
    they are said. sides: whether a cut-off that is dragged counts what is beyond it on one side, or on both. apart:
    whether its draws are others than those of the bag beside it.
    """

    axis: str
    low: float
    high: float
    values: Numbers
    marks: tuple[Mark, ...] = ()
    ends: tuple[Ends, ...] = ()
    beyond: Marks = ""
    groups: Marks = ""
    group_names: tuple[str, ...] = ()
    before: Numbers = ()
    decimals: int = 2
    sides: Literal[1, 2] = 1
    apart: bool = False


@dataclass(frozen=True)
class Rows(Panel):
    """Intervals below each other, one at each step, and the truth as a line; misses are marked."""

    axis: str
    low: float
    high: float
    lows: Numbers
    highs: Numbers
    missed: Marks
    truth: float
    truth_text: str


@dataclass(frozen=True)
class Threads(Panel):
    """Two scores of the same step, one above the other on one axis, joined by a thread.

    bars: an interval of each score by itself, seen from the beginning.
    """

    axis: str
    low: float
    high: float
    names: Pair
    values: tuple[tuple[float, float], ...]
    bars: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Line:
    """A line of a picture of curves. style: drawn, as a ghost (theory), as points, or as a band up to `upper`."""

    name: str
    x: Numbers
    y: Numbers
    style: Literal["line", "ghost", "points", "band"] = "line"
    upper: Numbers = ()


@dataclass(frozen=True)
class Curves(Panel):
    """Curves over an axis. grows: at step k only the first k points are seen, else all of them.

    at: where each step stands on the axis, when it is marked; what grows is seen up to there. run: how many steps make
    one path, of which only that of step k is seen; 0: all are one path. flags: of each step, whether its point is
    flagged. marks: lines across, at heights. tells: what is said at each x of the first line when it is pointed at.
    """

    x_axis: str
    y_axis: str
    lines: tuple[Line, ...]
    x_low: float
    x_high: float
    y_low: float
    y_high: float
    log_x: bool = False
    grows: bool = False
    at: Numbers = ()
    run: int = 0
    flags: Marks = ""
    marks: tuple[Mark, ...] = ()
    tells: tuple[str, ...] = ()

    def seen(self, line: Line, step: int) -> slice:
        """Return which points of a line are seen at a step."""
        if not self.grows:
            return slice(None)
        if self.at:
            return slice(sum(x <= self.at[step - 1] for x in line.x) if step else 0)
        return slice((step - 1) // self.run * self.run if self.run and step else 0, step)


@dataclass(frozen=True)
class Crowd(Panel):
    """One value for each of several systems at each step, the best crowned, claims of significance marked.

    values: shape (steps, systems). claimed: of each step, which systems are claimed to differ.
    """

    axis: str
    low: float
    high: float
    names: tuple[str, ...]
    values: tuple[Numbers, ...]
    claimed: tuple[Marks, ...]
    crowned: tuple[int, ...]


@dataclass(frozen=True)
class Worlds(Panel):
    """A small picture of every world, all of them at once: each has come after `run` more steps.

    values: shape (worlds, x), as dots, or joined to a line. flagged: of each world, which values are marked; one that
    has any is coloured. mark: a line across. names: of worlds that are not coloured, and of those that are.
    """

    low: float
    high: float
    values: tuple[Numbers, ...]
    flagged: tuple[Marks, ...]
    names: tuple[str, str]
    run: int = 1
    joined: bool = False
    mark: float | None = None


@dataclass(frozen=True)
class Tiles(Panel):
    """Phrases of one sentence that can be put in any order, by hand or by the next step; the meter says the score.

    orders: the order of the tiles at each step. meters: the score's text at each step. any_order: what the meter says
    of whatever order a hand makes; empty: tiles cannot be moved.
    """

    tiles: tuple[str, ...]
    orders: tuple[tuple[int, ...], ...]
    meters: tuple[str, ...]
    any_order: str = ""


@dataclass(frozen=True)
class Lineup(Panel):
    """Small matrices of differences of which one is real; which, only the answer to a pick says.

    matrices: shape (pictures, s, s). high: the largest absolute value of all, for the colours.
    """

    matrices: tuple[tuple[Numbers, ...], ...]
    high: float


@dataclass(frozen=True)
class Facts(Panel):
    """A small table of texts. since: the step from which it is seen, when it says what was asked."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    since: int = 0


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


@remembered(8, lambda room: (room.statistics, room.corpus))
def _further(room: Classroom) -> tuple[Statistics, Corpus] | None:
    """Return the sample with its further systems in the classroom's metric; None if the classroom has other data."""
    if room.corpus is None or room.corpus.digest != read_sample().digest:
        return None
    corpus = sample_for_lessons()
    return measure(corpus, room.statistics.metric), corpus


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
    """A round of a game: panels, answer, comment; for each guess that can be made, its points and the reply to it."""

    panels: tuple[Panel, ...]
    answer: float
    after: str
    points: tuple[int, ...]
    replies: tuple[str, ...]


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
    steps). found: the answer as numbers, by which guesses are judged even if views have their own. near: how far from
    the answer a guess counts as close. replies: the reply to each option. missing: what cannot be shown, and why.
    setting: a description of the lesson's own data. rounds: the rounds of a game, which has no steps or views; `ask`
    comes before each round, and `reveal` after all of them.
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

    @property
    def start(self) -> str:
        """What the page says before anything is drawn; empty of a game."""
        return next((view.says[0] for view in self.views.values()), "")

    def plain(self) -> dict[str, Any]:
        """Return the stage as JSON can hold it; panels say their kind, and a guess is answered in these sentences."""
        plain: dict[str, Any] = to_builtins(self)
        shown = [*(view.panels for view in self.views.values()), *(each.panels for each in self.rounds)]
        for panels, filled in zip(shown, (*plain["views"].values(), *plain["rounds"]), strict=True):
            filled["panels"] = [{"kind": type(panel).__name__.lower(), **to_builtins(panel)} for panel in panels]
        return plain | {"says_of": [_LOW, _NEAR, _HIGH, _HELD]}


SIMULATED = "simulated segments"
"""What some lessons are given on, whatever the classroom's data."""

_PLACES = ("2312212031103300", "1303320121002123")
"""Where right answers stand, lesson after lesson, of both questions: in every place as often, in no order."""


@dataclass(frozen=True)
class Quiz:
    """A question on a situation that no lesson has, with one right answer and wrong ones of the same length; and why.

    wrong: first the one that follows from the lesson's misconception. places: where the right one stands, by lesson.
    """

    question: str
    right: str
    wrong: tuple[str, ...]
    why: str
    places: str = _PLACES[0]

    def place(self, number: int) -> int:
        """Return where the right answer stands in the lesson of this number."""
        return int(self.places[number % len(self.places)])

    def answers(self, number: int) -> tuple[str, ...]:
        """Return the answers in the order in which the lesson of this number gives them."""
        place, turn = self.place(number), number % len(self.wrong)
        wrong = self.wrong[turn:] + self.wrong[:turn]
        return (*wrong[:place], self.right, *wrong[place:])

    def plain(self, number: int) -> dict[str, Any]:
        """Return the question, the answers and the place of the right one, as the browser is given them."""
        return {"question": self.question, "answers": list(self.answers(number)), "right": self.place(number)}


def _read_words() -> dict[str, dict[str, list[str]]]:
    """Return what lessons.md has of each lesson, and of the words that lessons explain, by kind."""
    parts = (Path(__file__).parent / "lessons.md").read_text(encoding="utf-8").split("\n## ")[1:]
    found: dict[str, dict[str, list[str]]] = {}
    for name, *lines in (part.strip().split("\n- ") for part in parts):
        words = found[name.strip()] = {}
        for kind, _, text in (line.partition(": ") for line in lines):
            words.setdefault(kind, []).append(text)
    return found


WORDS = _read_words()


@dataclass(frozen=True)
class Lesson:
    """One lesson: question, commitment, drawing, take-home, exercise.

    number: its place in the course, and its address. misconception: what it is to end, in its own words. sections: of
    the papers and books it stands on. draw: draws it on a classroom, or refuses with the reason (NotApplicable); solve:
    the exercise's answer, worked out of what was drawn. own: the pair that shows the point best, where nobody chose
    one; further: on the sample, such a pair with a system that only lessons use. on: what it is given on, where that is
    not a pair. settings: with which the pages show the same. code: the method in a few lines of numpy. is_game: whether
    it has rounds. quiz: how it ends, with the reason; exam: the same idea in another situation, asked before and after
    the course and explained on no page of it.
    """

    name: str
    title: str
    misconception: str
    sections: str
    question: str
    take_home: str
    exercise: str
    quiz: Quiz
    exam: Quiz
    draw: Callable[[Classroom], Stage]
    solve: Callable[[Classroom], str]
    own: Callable[[Classroom], Pair] = lambda room: room.pair
    further: Pair | None = None
    on: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    code: str = ""
    is_game: bool = False
    number: int = -1

    @classmethod
    def of(cls, name: str, **how: Any) -> "Lesson":
        """Return a lesson with its words from lessons.md; how: what it draws, and on what."""
        words = WORDS[name]
        half = len(words["wrong"]) // 2
        wrong = (tuple(words["wrong"][:half]), tuple(words["wrong"][half:]))
        quiz, exam = map(Quiz, words["quiz"], words["right"], wrong, words["why"], _PLACES)
        kinds = ("title", "misconception", "sections", "question", "take_home", "exercise")
        return cls(name=name, quiz=quiz, exam=exam, **(how | {kind: words[kind][0] for kind in kinds}))

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
        if room.chosen:
            return room
        found = _further(room) if self.further else None
        if found is None:
            return replace(room, chosen=self.own(room))
        return replace(room, statistics=found[0], corpus=found[1], chosen=self.further)

    def stage(self, room: Classroom) -> Stage:
        """Return the drawing on a classroom."""
        return self.draw(self.room(room))

    def solution(self, room: Classroom) -> str:
        """Return the exercise's answer on a classroom."""
        return self.solve(self.room(room))
