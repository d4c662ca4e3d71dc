"""Panels: the pictures of a lesson as plain values; the browser draws them, and paper does (see `_still`)."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from mtsig.lab._material import Pair

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
