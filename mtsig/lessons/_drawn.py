"""What lessons share: pairs that show a point, the draws themselves, cells, marks, axes, and how numbers are said."""

import json
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mtsig._memory import remembered
from mtsig._probability import level_text, points_text
from mtsig._records import Floats, Index
from mtsig.corpus._notes import listed, number_of
from mtsig.inference._targets import Scores, pairs_of
from mtsig.lab._material import Pair, of_units
from mtsig.lab._sampling import FEWEST_DRAWS, Exchanged, Redrawn, Trace, trace
from mtsig.lessons import _stage
from mtsig.lessons._stage import Ask, Classroom, Mark, Marks, marks, rounded
from mtsig.lessons._stage import points as metric_points
from mtsig.metrics import Statistics, measure
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import Unit
from mtsig.readers._read import read_sample, sample_for_lessons
from mtsig.resampling import Bootstrap, Swap

STEPS = 1_000
"""Draws of a stage: so many are asked about, and no more are drawn."""

MOST_CELLS = 3_000
"""Cells that are drawn at most."""

MOST_SYSTEMS = 8
"""Systems that are looked through for a pair that shows a point: the best ones."""

_SHOWN, _SHORTER, _MANY = 40, 20, 1_000
"""Characters of a text that are shown, of one among many, and from how many units on they are many."""


class Measured(NamedTuple):
    """A pair, the better system first, its difference, and how many standard errors that is."""

    pair: Pair
    difference: float
    z: float


def measured(room: Classroom) -> list[Measured]:
    """Return every pair of the best systems that differ, and whose difference has a standard error."""
    room.pair  # noqa: B018 - refuses where there is none
    statistics = room.statistics.at(room.unit)
    names = [name for name in statistics.contenders_first if name in statistics.systems][:MOST_SYSTEMS]
    pairs = [pair for pair in combinations(names, 2) if statistics.units_of(pair) > 1]
    if not pairs:
        return []
    targets = pairs_of(Scores(statistics, Bootstrap(unit=room.unit)), pairs)
    found = zip(pairs, targets.estimate.tolist(), targets.standard_error.tolist(), strict=True)
    return [
        Measured(pair if d > 0 else pair[::-1], abs(d), abs(d) / error) for pair, d, error in found if d and error > 0
    ]


def turn(
    number: int, by: Callable[[Measured], float] = lambda one: one.z, among: Callable[[Measured], bool] | None = None
) -> Callable[[Classroom], Pair]:
    """Return what chooses a pair by its place in an order, the least sure first: so that lessons do not share one.

    among: which pairs are looked at, where there are any such; else the least sure one is chosen.
    """

    def own(room: Classroom) -> Pair:
        known = sorted(measured(room), key=lambda one: one.z)
        meant = sorted(filter(among, known), key=by) or known[:1]
        return meant[number % len(meant)].pair if meant else room.pair

    return own


def seeds(room: Classroom) -> tuple[int, int, int]:
    """Return the seed of the classroom and two others, for who wants to see the same once more."""
    return room.seed, room.seed + 1, room.seed + 2


@remembered(16, lambda room, *how, **more: (room.statistics, room.pair, room.seed, room.unit, how, *more.items()))
def redrawn(room: Classroom, draws: int = STEPS, unit: Unit | None = None) -> Redrawn:
    """Return the resamples of the classroom's pair."""
    return trace(room.statistics, Bootstrap(draws, room.seed, unit or room.unit), room.pair)


def exchanged(room: Classroom, pair: Pair | None = None, draws: int = STEPS) -> Exchanged:
    """Return the random swaps of the classroom's pair, or of another one."""
    return trace(room.statistics, Swap(draws, room.seed, room.unit), pair or room.pair)


def pile(
    room: Classroom, made: Trace, title: str, span: tuple[float, float], pair: Pair | None = None, axis: str = "",
    values: Floats | None = None, **more: object,
) -> _stage.Pile:  # fmt: skip
    """Return the pile of the draws' differences; axis: what is said of them after the pair's name."""
    shown = rounded(made.values if values is None else values, room.statistics.metric.decimals + 4)
    name = f"{room.statistics.metric.name}: {difference(pair or room.pair)}{axis}"
    marked = Mark(made.observed, f"observed {points(room, made.observed)}"), Mark(0.0, "no difference")
    more = {"marks": marked, "decimals": room.statistics.metric.decimals} | more
    return _stage.Pile(title, name, *span, shown, **more)  # type: ignore[arg-type]


def data_text(room: Classroom) -> str:
    """Return what systems are compared, and on how many segments."""
    names, n = room.statistics.systems, room.statistics.at("segment").n
    if room.corpus is not None and room.corpus.digest == read_sample().digest:
        return (
            f"The sample data: five variants of one rule-based system translated the same {n} Spanish segments into "
            "English. direct translated directly; direct-us did the same, with American spelling and words. Each other "
            "variant translated via the language in its name."
        )
    return f"The data: {n:,} segments, each translated by {listed(names, most=MOST_SYSTEMS)}."


_WAYS = {
    "via-aragonese": "via Aragonese and Catalan", "via-catalan": "via Catalan",
    "via-catalan-us": "via Catalan, with American spelling and words", "via-esperanto": "via Esperanto",
    "via-galician": "via Galician", "via-portuguese": "via Portuguese and Galician",
}  # fmt: skip


def systems_text(room: Classroom, what: str = "The pair") -> str:
    """Return how the pair's systems translated, where the sample has one of them for lessons only; else nothing."""
    if room.corpus is None or room.corpus.digest != sample_for_lessons().digest:
        return ""
    first, second = room.pair
    further = [name for name in room.pair if name not in read_sample().systems]
    occur = f"{listed(further)} {'occurs' if len(further) == 1 else 'occur'}"
    return (
        f"{what}: two variants of the sample's rule-based system, on the same segments. {first} translated "
        f"{_WAYS[first]}, and {second} {_WAYS[second]}. {occur} in lessons only, not in the sample data."
    )


def difference(pair: Sequence[str]) -> str:
    """Return what a pair's difference is called."""
    return f"{pair[0]} − {pair[1]}"


def points(room: Classroom, value: float) -> str:
    """Return a difference as it is said, without the metric's name."""
    return metric_points(room.statistics.metric, value)


def score_text(room: Classroom, value: float) -> str:
    """Return a score as it is said."""
    return points_text(value, room.statistics.metric.decimals)


def between(room: Classroom, ends: tuple[float, float]) -> str:
    """Return the two ends of an interval as they are said."""
    return f"{points(room, ends[0])} and {points(room, ends[1])}"


def share_text(share: float) -> str:
    """Return a share in percent, and so that only all is 100% and only none 0%."""
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


def span(*parts: ArrayLike) -> tuple[float, float]:
    """Return round ends of an axis that holds all these values."""
    values = np.concatenate([np.ravel(part) for part in parts])
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
        f"Segment {called[place]}" if lines is None else f"Segment {called[place]}: {short(lines[place], width)}"
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
    return short(begins + " ".join(words[0][kept:]), width), short(begins + " ".join(words[1][kept:]), width)


def _numbers(kept: Statistics) -> Index:
    """Return which segments of the corpus these are."""
    return np.arange(kept.n) if kept.numbers is None else np.asarray(kept.numbers)


def _lines(room: Classroom) -> Sequence[str | None] | None:
    """Return the lines that say what a segment is: the first reference's, or an output's."""
    corpus = room.corpus
    if corpus is None:
        return None
    return next(iter((*corpus.references.values(), *corpus.outputs.values())), None)


def short(line: str | None, width: int) -> str:
    """Return a line with single spaces, cut where it is longer."""
    text = " ".join((line or "").split())
    return text if len(text) <= width else f"{text[: width - 1]}…"


def bag(title: str, room: Classroom, made: Redrawn) -> _stage.Bag:
    """Return the test set as a bag of which these resamples are drawn."""
    picks = tuple(tuple(int(unit) for unit in row if unit < MOST_CELLS) for row in made.picks)
    return _stage.Bag(title, told(room, made.statistics), weights(made), picks)


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
        else f"{cell} · one more copy changes the difference by about "
        f"{points_text(round(value, decimals), decimals, signed=True)} {kept.metric.name}"
        for cell, value in zip(cells(room, kept, order), moved.tolist(), strict=True)
    )


def weights(made: Trace) -> tuple[Marks, ...]:
    """Return what the draws that are kept did with the cells."""
    return tuple(marks(row[:MOST_CELLS]) for row in made.weights)


def running_ends(made: Redrawn) -> tuple[_stage.Ends, ...]:
    """Return the 95% percentile interval after each number of resamples that makes one."""
    places = made.statistics.metric.decimals + 4
    return tuple(
        _stage.Ends(draws, round(low, places), round(high, places)) for draws, (low, high) in made.intervals.items()
    )


def running_text(room: Classroom, made: Redrawn, draws: int, noun: str = "resample") -> str:
    """Return what is said after so many resamples: the last difference, and the interval once there is one."""
    count = f"{number_of(draws, noun, ',')}"
    said = f"{count}: the last difference is {points(room, float(made.values[draws - 1]))}"
    if draws < FEWEST_DRAWS:
        return f"{said} {room.statistics.metric.name}."
    return (
        f"{said}, and the middle 95% lie between {between(room, made.intervals[draws])} {room.statistics.metric.name}."
    )


def observed_text(room: Classroom, made: Trace, pair: Pair | None = None) -> str:
    """Return what the difference is with nothing drawn, and which system it favours."""
    name, metric = difference(pair or room.pair), room.statistics.metric.name
    return f"{name} is {points(room, made.observed)} {metric} (positive: {(pair or room.pair)[0]} is better)"


def left_out(made: Trace, noun: str, kept: int | None = None) -> tuple[str, ...]:
    """Return what of these draws cannot be shown, and why."""
    n, unit = made.statistics.n, made.statistics.unit
    kept = len(made.weights) if kept is None else kept
    said: list[str] = []
    if kept < len(made.values):
        text = f"What happened to each {unit} is shown for the first {kept:,} {noun}s"
        said.append(f"{text}: {n:,} {unit}s are too many to keep more.")
    if n > MOST_CELLS:
        said.append(f"Only the first {MOST_CELLS:,} of {n:,} {unit}s have a cell; all of them are drawn.")
    return tuple(said)


FOLDER = Path(__file__).parent / "data"

DOCUMENTS = 12
"""Documents of the sample from which three tests give three answers."""

ALPHA = 0.05

SHUFFLES = 999
"""Of each world of twenty systems, so that p is at least 1 in 1,000."""

THREE_ANSWERS = ("via-catalan", "via-esperanto")


@remembered()
def three_answers() -> Statistics:
    """Return BLEU counts of the sample's first twelve documents, of which three tests give three p-values."""
    sample = measure(read_sample(), "bleu")
    if sample.document_of is None:
        raise ValueError("The sample has documents.")
    return of_units(sample.select(THREE_ANSWERS), np.flatnonzero(sample.document_of < DOCUMENTS))


@remembered()
def read(name: str) -> dict[str, Any]:
    """Return worlds that take too long to make in class, as docs/lesson_numbers.py made them."""
    content: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["made"]
    return content
