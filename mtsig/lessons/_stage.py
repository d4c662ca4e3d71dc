"""A lesson: the classroom it is given in, what it shows step by step, and what it asks."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from msgspec import to_builtins

from mtsig._probability import points_text
from mtsig.corpus import Corpus
from mtsig.errors import NotApplicable
from mtsig.lab import Material
from mtsig.metrics import Metric, Statistics, measure
from mtsig.metrics._statistics import Unit


@dataclass(frozen=True, eq=False)
class Classroom:
    """One metric's statistics, the pair that is looked at, and the seed.

    chosen: the pair, None for the two best. unit: what is drawn; lessons 1 to 10 take segments whatever the data know
    of documents, until lesson 11 says what documents change. corpus: the texts, where there are any.
    """

    statistics: Statistics
    chosen: tuple[str, str] | None = None
    seed: int = 12345
    unit: Unit = "segment"
    corpus: Corpus | None = None

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        metric: str | Metric = "bleu",
        pair: tuple[str, str] | None = None,
        seed: int = 12345,
    ) -> "Classroom":
        """Return the classroom on these data: everything that is counted there is counted now.

        Raises:
            UnknownName: no such metric or system.
            NotApplicable: the metric cannot be counted on these data.
        """
        room = cls(measure(corpus, metric), pair, seed, corpus=corpus)
        for name in room.pair:
            room.statistics.row(name)
        return room

    @cached_property
    def pair(self) -> tuple[str, str]:
        """The pair: the one chosen, or the two best.

        Raises:
            NotApplicable: there is one system.
        """
        if len(self.statistics.systems) < 2:
            raise NotApplicable("Lessons compare two systems, and here is only one.")
        return Material((self.statistics,)).pair(self.chosen)

    @property
    def texts(self) -> Corpus:
        """The texts.

        Raises:
            NotApplicable: there are none.
        """
        if self.corpus is None or not self.corpus.outputs:
            raise NotApplicable("This lesson is about words: it needs the outputs' texts, and only scores are loaded.")
        return self.corpus


def pair_of(room: Classroom) -> Statistics:
    """Return the statistics of the pair on the segments that both systems have, documents forgotten."""
    kept = room.statistics.at("segment").select(room.pair)
    return replace(kept.shared_by(room.pair), document_of=None)


def around(*parts: Iterable[float]) -> tuple[float, float]:
    """Return the ends of an axis that holds all these values, with a little room."""
    values = np.array([value for part in parts for value in part])
    low, high = float(values.min()), float(values.max())
    room = 0.04 * (high - low) or 1.0
    return round(low - room, 6), round(high + room, 6)


def marks(flags: Iterable[bool]) -> str:
    """Return yes and no as 1 and 0."""
    return "".join("1" if flag else "0" for flag in flags)


def points(metric: Metric, value: float) -> str:
    """Return a difference with its sign."""
    return points_text(value, metric.decimals, signed=True)


def share_of(count: int, total: int) -> str:
    """Return a count in words: of how many, and in percent."""
    return f"{count} of {total} ({count / total:.0%})"


Numbers = tuple[float, ...]
Marks = str
"""One character per cell or step: 0 and 1 for no and yes; counts in base 36, z for 35 and more."""


@dataclass(frozen=True)
class Ask:
    """What is committed to before anything is drawn; it never holds the answer.

    kind: two ends of a range, one number, or one of the options. low, high, step: of the numbers. log: their slider is
    logarithmic, and the step is that of its ends' powers of ten. names: what the numbers are called, where several are
    asked for.
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


@dataclass(frozen=True)
class Mark:
    """A place on an axis, with its words."""

    at: float
    text: str


@dataclass(frozen=True)
class Ends:
    """The ends of an interval as they stand after so many steps."""

    after: int
    low: float
    high: float


@dataclass(frozen=True)
class Panel:
    """One of the pictures that stand side by side; the fields of subclasses say what is in it."""

    kind: ClassVar[str]
    title: str

    def __init_subclass__(cls, **options: Any) -> None:
        """Call the panel by its class."""
        super().__init_subclass__(**options)
        cls.kind = cls.__name__.lower()


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
    """Two columns of outputs whose labels a coin per unit exchanges.

    texts: the two outputs of each unit, shortened. same: which units count the same for both. flips: of each step,
    which units were exchanged.
    """

    names: tuple[str, str]
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
    they are said.
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
    names: tuple[str, str]
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


@dataclass(frozen=True)
class View:
    """What is seen under one position of the stage's switch.

    says: the sentence after each step, from 0 to the last: steps + 1 of them.
    """

    panels: tuple[Panel, ...]
    says: tuple[str, ...]


@dataclass(frozen=True)
class Round:
    """A round of a game: what is seen, and what only the judge of a guess knows: the answer, and what is said of it."""

    panels: tuple[Panel, ...]
    answer: float
    after: str


@dataclass(frozen=True)
class Stage:
    """A lesson's drawing.

    steps: how many draws there are. pace: they come by buttons, by a slider, or by hand. buttons: how many steps each
    button adds. verb, noun: "Draw", "redraw". views: by the position of the switch; one called "" has none. switch:
    what it is called. reveal: what was asked, as it came out; shown after `reveal_at` steps and never before. missing:
    what cannot be shown, and why. rounds: those of a game, which has neither steps nor views; `ask` stands before each.
    """

    ask: Ask
    steps: int
    views: dict[str, View]
    reveal: str
    reveal_at: int
    pace: Literal["buttons", "slider", "hand"] = "buttons"
    buttons: tuple[int, ...] = (1, 10, 100, 1000)
    verb: str = "Draw"
    noun: str = "redraw"
    switch: str = ""
    missing: tuple[str, ...] = ()
    rounds: tuple[Round, ...] = ()

    def __post_init__(self) -> None:
        """Check that every view says something of every step.

        Raises:
            ValueError: a view has too few or too many sentences.
        """
        for name, view in self.views.items():
            if len(view.says) != self.steps + 1:
                raise ValueError(f"View {name!r} has {len(view.says)} sentences; {self.steps + 1} are expected.")

    def plain(self) -> dict[str, Any]:
        """Return the stage as JSON can hold it; panels say their kind, and rounds keep their answers to themselves."""
        plain: dict[str, Any] = to_builtins(self)
        plain["rounds"] = [{"panels": _panels(each.panels)} for each in self.rounds]
        for name, view in self.views.items():
            plain["views"][name]["panels"] = _panels(view.panels)
        return plain


def _panels(panels: tuple[Panel, ...]) -> list[dict[str, Any]]:
    return [{"kind": panel.kind, **to_builtins(panel)} for panel in panels]


@dataclass(frozen=True)
class Quiz:
    """A question about the lesson with one right answer, and why."""

    question: str
    answers: tuple[str, ...]
    right: int
    why: str


@dataclass(frozen=True)
class Lesson:
    """One lesson: question, commitment, drawing, take-home, exercise.

    number: its place in the course, and its address. misconception: what it is to end, in its own words. sections: of
    the papers and books it stands on. stage: draws it on a classroom, or refuses with the reason (NotApplicable).
    solution: the exercise's answer, worked out on those data. minutes: how long it takes in class. points: of a game,
    what a guess in a round is worth, given the answer and the guess; a lesson has none.
    """

    number: int
    name: str
    title: str
    misconception: str
    sections: str
    question: str
    take_home: str
    exercise: str
    quiz: Quiz
    stage: Callable[[Classroom], Stage]
    solution: Callable[[Classroom], str]
    minutes: int = 10
    points: Callable[[float, float], int] | None = None

    @property
    def label(self) -> str:
        """What it is called in a list."""
        return f"Game: {self.title}" if self.points else f"Lesson {self.number}: {self.title}"
