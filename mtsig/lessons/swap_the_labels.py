"""Lesson 2: what differences there are when the two systems' names mean nothing."""

import numpy as np

from mtsig.corpus import number_of
from mtsig.lab import Exchanged
from mtsig.lessons import drawn
from mtsig.lessons.classroom import Classroom
from mtsig.lessons.lesson import Lesson, Quiz
from mtsig.lessons.stage import Labels, Pile, Reading, Stage, View
from mtsig.resampling import sign_of


def _stage(room: Classroom) -> Stage:
    made = drawn.exchanged(room)
    unit, metric, name = made.statistics.unit, room.statistics.metric.name, drawn.difference(room.pair)
    low, high = drawn.axis_around_zero(made.values, made.observed)
    observed = f"{drawn.points(room, made.observed)} {metric} ({drawn.positive(room.pair)})"
    start = (
        f"With the right names {name} is {observed}. A shuffle tosses a coin for each {unit}: at heads "
        "its two outputs change names."
    )
    said = (
        f"{number_of(draws, 'shuffle', ',')}: the last difference is {drawn.points(room, value)} {metric}, "
        f"and the mean of all is {drawn.points(room, mean)}."
        for draws, (value, mean) in enumerate(zip(made.values, _means(made), strict=True), 1)
    )
    alike = made.statistics.n - int(made.differing.sum())
    return Stage(
        ask=drawn.ask_points(
            room, "If the two names meant nothing, around which difference would the shuffles pile up?", "number", low,
            high,
        ),
        steps=drawn.STEPS,
        views={
            "": View(
                (
                    Labels(
                        f"A coin for each of {made.statistics.n:,} {unit}s; {alike:,} count the same for both",
                        room.pair,
                        drawn.outputs(room, made.statistics),
                        drawn.marks(~made.differing[: drawn.MOST_CELLS]),
                        drawn.weights(made),
                    ),
                    _reading(room, made),
                    Pile(
                        f"All shuffles of {unit}s so far",
                        f"{metric}: {name}, names shuffled",
                        low,
                        high,
                        tuple(made.values.tolist()),
                        drawn.observed_marks(room, made.observed),
                    ),
                ),
                (start, *said),
            )
        },
        reveal=f"Around zero: the mean of {drawn.ASKED:,} shuffled differences is "
        f"{drawn.points(room, _means(made)[drawn.ASKED - 1])} {metric}. With the right names the difference is "
        f"{drawn.points(room, made.observed)}.",
        reveal_at=drawn.ASKED,
        verb="Shuffle",
        noun="shuffle",
        missing=drawn.left_out(made, "shuffle"),
    )  # fmt: skip


def _means(made: Exchanged) -> list[float]:
    """Return the mean of the differences after each shuffle."""
    means: list[float] = (np.cumsum(made.values) / np.arange(1, len(made.values) + 1)).tolist()
    return means


def _reading(room: Classroom, made: Exchanged) -> Reading:
    name = drawn.difference(room.pair)
    lines = []
    for row in made.weights:
        count, moved = int(row.sum()), int(row[made.differing].sum())
        changes = "changes" if moved == 1 else "change"
        lines.append((f"exchanged: {count:,} of {made.statistics.n:,}; {moved:,} of these {changes} something",))
    return Reading(
        "This shuffle", tuple(f"{name} = {drawn.points(room, value)}" for value in made.values), tuple(lines)
    )


def alike_exchanged(made: Exchanged) -> float:
    """Return the difference when labels are exchanged on all units that count the same for both, and on no other."""
    values = np.where(made.differing, made.statistics.values, made.statistics.values[:, ::-1])
    scores = made.statistics.metric.score(values.sum(axis=-1, dtype=np.float64))
    return float(sign_of(made.statistics.metric) * (scores[0] - scores[1]))


def _solution(room: Classroom) -> str:
    made = drawn.exchanged(room)
    alike, unit = made.statistics.n - int(made.differing.sum()), made.statistics.unit
    return (
        f"{alike:,} of {made.statistics.n:,} {unit}s count the same for {room.pair[0]} and {room.pair[1]} in "
        f"{room.statistics.metric.name}. With the names exchanged on these alone, the difference is "
        f"{drawn.points(room, alike_exchanged(made))}; it was {drawn.points(room, made.observed)}. Only the "
        f"{made.statistics.n - alike:,} others decide anything."
    )


SWAP_THE_LABELS = Lesson(
    number=2,
    name="swap-the-labels",
    title="Swap the labels",
    misconception="A p-value needs a formula.",
    sections="Riezler and Maxwell (2005), section 4.1 and figure 1",
    question="If it did not matter which system made which output, which differences would there be?",
    take_home="If the names do not matter, every swap gives a result as likely as the observed one.",
    exercise="How many units count the same for both systems, and what does swapping the names on these alone change?",
    quiz=Quiz(
        "On 150 of 200 segments the two outputs are the same. What do coins for these 150 do to the difference?",
        (
            "They pull it to zero",
            "Nothing: only the other 50 segments decide",
            "They make it larger",
            "That depends on how the coins fall",
        ),
        1,
        "Exchanging two equal outputs leaves both scores as they were. Only the segments that differ carry anything "
        "about which of the two systems is better.",
    ),
    stage=_stage,
    solution=_solution,
)
