"""What lessons about draws share: the draws themselves, cells, marks, axes, and how numbers are said."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mtsig._probability import level_text, points_text
from mtsig._records import Floats, Index
from mtsig.corpus._notes import number_of
from mtsig.lab._draws import FEWEST_DRAWS, Exchanged, Redrawn, Trace, trace
from mtsig.lessons._stage import Ask, Bag, Classroom, Ends, Mark, Marks
from mtsig.metrics import Statistics
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import Unit
from mtsig.resampling import Bootstrap, Swap

STEPS = 1_111
"""Draws of a stage: every button, 1, 10, 100 and 1,000, can be pressed once."""

ASKED = 1_000
"""Draws that are asked about."""

MOST_CELLS = 3_000
"""Cells that are drawn at most."""

_SHOWN, _SHORTER, _MANY = 40, 20, 1_000
"""Characters of a text that are shown, of one among many, and from how many units on they are many."""

_DIGITS = np.frombuffer(b"0123456789abcdefghijklmnopqrstuvwxyz", dtype=np.uint8)


def redrawn(room: Classroom, draws: int = STEPS, unit: Unit | None = None) -> Redrawn:
    """Return the redraws of the classroom's pair."""
    return trace(room.statistics, Bootstrap(draws, room.seed, unit or room.unit), room.pair)


def exchanged(room: Classroom, pair: tuple[str, str] | None = None, draws: int = STEPS) -> Exchanged:
    """Return the exchanges of the classroom's pair, or of another one."""
    return trace(room.statistics, Swap(draws, room.seed, room.unit), pair or room.pair)


def marks(counts: NDArray[np.integer] | NDArray[np.bool_]) -> Marks:
    """Return a character for each count.

    >>> marks(np.array([0, 1, 12, 99]))
    '01cz'
    """
    return _DIGITS[np.minimum(counts.astype(np.int64), 35)].tobytes().decode()


def difference(pair: Sequence[str]) -> str:
    """Return what a pair's difference is called."""
    return f"{pair[0]} − {pair[1]}"


def points(room: Classroom, value: float) -> str:
    """Return a difference as it is said, without the metric's name."""
    decimals = room.statistics.metric.decimals
    return points_text(round(value, decimals), decimals, signed=True)


def positive(pair: Sequence[str]) -> str:
    """Return what a positive difference means, whether higher is better or lower."""
    return f"positive: {pair[0]} is better"


def score_text(room: Classroom, value: float) -> str:
    """Return a score as it is said."""
    return points_text(value, room.statistics.metric.decimals)


def between(room: Classroom, ends: tuple[float, float]) -> str:
    """Return the two ends of an interval as they are said."""
    return f"{points(room, ends[0])} and {points(room, ends[1])}"


def share_text(share: float) -> str:
    """Return a share in percent, and so that only all is 100% and only none 0%.

    >>> share_text(0.9996), share_text(0.114), share_text(1.0)
    ('99.9%', '11.4%', '100%')
    """
    tenths = round(share * 1000)
    if 0 < share < 1:
        tenths = min(max(tenths, 1), 999)
    return level_text(tenths / 1000)


def axis(values: Floats, observed: float) -> tuple[float, float]:
    """Return round ends of an axis that holds all values and zero, with the observed one in its middle.

    The ends are fixed before anything is drawn.
    """
    farthest = max(float(np.abs(values - observed).max()), abs(observed))
    return _round_outwards(observed - 1.05 * farthest, observed + 1.05 * farthest)


def span(values: Floats) -> tuple[float, float]:
    """Return round ends of an axis that holds all values."""
    low, high = float(values.min()), float(values.max())
    return _round_outwards(low - 0.02 * (high - low), high + 0.02 * (high - low))


def axis_around_zero(values: Floats, observed: float) -> tuple[float, float]:
    """Return round ends of an axis with zero in its middle that holds all values and the observed one."""
    farthest = 1.05 * max(float(np.abs(values).max()), abs(observed))
    return _round_outwards(-farthest, farthest)


def _round_outwards(low: float, high: float) -> tuple[float, float]:
    if high - low < 1e-9:
        low, high = low - 1, high + 1
    step = _round_step((high - low) / 20)
    return float(step * np.floor(low / step)), float(step * np.ceil(high / step))


def _round_step(size: float) -> float:
    """Return the largest of …, .1, .2, .5, 1, 2, 5, … that is no larger."""
    power = 10.0 ** np.floor(np.log10(size))
    return float(power * max(factor for factor in (1, 2, 5) if factor * power <= size * (1 + 1e-9)))


def ask_points(room: Classroom, question: str, kind: Literal["range", "number"], low: float, high: float) -> Ask:
    """Return a question about points on an axis: two ends of a range, or one number."""
    wide = (high - low) / 2
    step = _round_step((high - low) / 50)
    ends = float(step * np.floor((low - wide) / step)), float(step * np.ceil((high + wide) / step))
    decimals = room.statistics.metric.decimals
    return Ask(question, kind, *ends, step=step, decimals=decimals)


def cells(room: Classroom, kept: Statistics, order: Index | None = None) -> tuple[str, ...]:
    """Return each unit's number and text, or its number alone where there are no texts.

    order: which units, when they do not stand in the order of the test set.
    """
    if kept.unit == "document":
        return tuple(f"Document {number + 1}" for number in range(min(kept.n, MOST_CELLS)))
    lines = _lines(room)
    numbers = _numbers(kept) if order is None else _numbers(kept)[order]
    width = _SHOWN if kept.n <= _MANY else _SHORTER
    # Of a part of the data, segments keep the numbers of the whole.
    called = range(1, kept.n + 1) if room.corpus is None else room.corpus.numbers
    return tuple(
        f"Segment {called[place]}" if lines is None else f"Segment {called[place]}: {_short(lines[place], width)}"
        for place in numbers[:MOST_CELLS].tolist()
    )


def outputs(room: Classroom, kept: Statistics) -> tuple[tuple[str, str], ...]:
    """Return both systems' outputs of each unit, or the unit's number twice where there are no texts."""
    corpus = room.corpus
    texts = corpus is not None and all(len(corpus.systems.get(name, ())) == 1 for name in room.pair)
    if corpus is None or not texts or kept.unit == "document":
        return tuple((name, name) for name in cells(room, kept))
    first, second = (corpus.lines(name) for name in room.pair)
    width = _SHOWN if kept.n <= _MANY else _SHORTER
    numbers = _numbers(kept)[:MOST_CELLS].tolist()
    return tuple(_where_they_differ(first[number], second[number], width) for number in numbers)


def _where_they_differ(first: str | None, second: str | None, width: int) -> tuple[str, str]:
    """Return two texts shortened so that the place where they part is seen."""
    words = [(line or "").split() for line in (first, second)]
    parted = (place for place, (word, other) in enumerate(zip(*words, strict=False)) if word != other)
    kept = max(next(parted, 0) - (2 if width == _SHOWN else 0), 0)
    begins = "… " if kept else ""
    return _short(begins + " ".join(words[0][kept:]), width), _short(begins + " ".join(words[1][kept:]), width)


def _numbers(kept: Statistics) -> Index:
    """Return which segments of the corpus these are."""
    return np.arange(kept.n) if kept.numbers is None else np.asarray(kept.numbers)


def _lines(room: Classroom) -> Sequence[str | None] | None:
    """Return the lines that say what a segment is: the first reference's, or an output's."""
    corpus = room.corpus
    if corpus is None:
        return None
    return next(iter((*corpus.references.values(), *corpus.outputs.values())), None)


def _short(line: str | None, width: int) -> str:
    text = " ".join((line or "").split())
    return text if len(text) <= width else f"{text[: width - 1]}…"


def bag(title: str, room: Classroom, made: Redrawn) -> Bag:
    """Return the test set as a bag of which these redraws are drawn."""
    picks = tuple(tuple(int(unit) for unit in row if unit < MOST_CELLS) for row in made.picks)
    return Bag(title, told(room, made.statistics), weights(made), picks)


def told(room: Classroom, kept: Statistics, order: Index | None = None) -> tuple[str, ...]:
    """Return what is said of each unit: its number and text, and how far a second copy of it moves the difference.

    order: as of `cells`. Nothing is said of a score without a derivative.
    """
    first, second = sign_of(kept.metric) * kept.influence
    moved = (first - second)[:MOST_CELLS] if order is None else (first - second)[order[:MOST_CELLS]]
    decimals = kept.metric.decimals + 1
    return tuple(
        cell
        if np.isnan(value)
        else f"{cell} · one copy more moves the difference by about "
        f"{points_text(round(value, decimals), decimals, signed=True)} {kept.metric.name}"
        for cell, value in zip(cells(room, kept, order), moved.tolist(), strict=True)
    )


def weights(made: Trace) -> tuple[Marks, ...]:
    """Return what the draws that are kept did with the cells."""
    return tuple(marks(row[:MOST_CELLS]) for row in made.weights)


def running_ends(made: Redrawn) -> tuple[Ends, ...]:
    """Return the 95% percentile interval after each number of redraws that makes one."""
    return tuple(Ends(draws, low, high) for draws, (low, high) in made.intervals.items())


def running_text(room: Classroom, made: Redrawn, draws: int, noun: str = "redraw") -> str:
    """Return what is said after so many redraws: the last difference, and the interval once there is one."""
    count = f"{number_of(draws, noun, ',')}"
    said = f"{count}: the last difference is {points(room, float(made.values[draws - 1]))}"
    if draws < FEWEST_DRAWS:
        return f"{said} {room.statistics.metric.name}."
    return (
        f"{said}, and the middle 95% lie between {between(room, made.intervals[draws])} {room.statistics.metric.name}."
    )


def observed_marks(room: Classroom, observed: float) -> tuple[Mark, ...]:
    """Return the marks of a pile: the observed difference, and zero."""
    return (Mark(observed, f"observed {points(room, observed)}"), Mark(0.0, "no difference"))


def left_out(made: Trace, noun: str) -> tuple[str, ...]:
    """Return what of these draws cannot be shown, and why."""
    kept, n, unit = len(made.weights), made.statistics.n, made.statistics.unit
    said: list[str] = []
    if kept < len(made.values):
        text = f"What happened to each {unit} is shown for the first {kept:,} {noun}s"
        said.append(f"{text}: {n:,} {unit}s are too many to keep more.")
    if n > MOST_CELLS:
        said.append(f"Only the first {MOST_CELLS:,} of {n:,} {unit}s have a cell; all of them are drawn.")
    return tuple(said)
