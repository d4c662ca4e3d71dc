"""Lesson 1: one redraw of the test set, and then many."""

from dataclasses import replace

import numpy as np

from mtsig.lab import Redrawn
from mtsig.lessons import drawn
from mtsig.lessons.classroom import Classroom
from mtsig.lessons.lesson import Lesson, Quiz
from mtsig.lessons.stage import Pile, Reading, Stage, View


def _stage(room: Classroom) -> Stage:
    made = drawn.redrawn(room)
    unit, metric, name = made.statistics.unit, room.statistics.metric.name, drawn.difference(room.pair)
    low, high = drawn.axis(made.values, made.observed)
    observed = f"{drawn.points(room, made.observed)} {metric} ({drawn.positive(room.pair)})"
    start = (
        f"On the test set itself {name} is {observed}. A redraw picks {made.statistics.n:,} {unit}s "
        "from the bag, one by one, and puts each back before the next."
    )
    return Stage(
        ask=drawn.ask_points(
            room,
            f"Between which two differences in {metric} will the middle 95% of {drawn.ASKED:,} redraws fall?",
            "range",
            low,
            high,
        ),
        steps=drawn.STEPS,
        views={
            "": View(
                (
                    drawn.bag(f"The test set, a bag of {made.statistics.n:,} {unit}s", room, made),
                    _reading(room, made),
                    Pile(
                        "All redraws so far",
                        f"{metric}: {name}",
                        low,
                        high,
                        tuple(made.values.tolist()),
                        drawn.observed_marks(room, made.observed),
                        drawn.running_ends(made),
                        decimals=room.statistics.metric.decimals,
                    ),
                ),
                (start, *(drawn.running_text(room, made, draws) for draws in range(1, drawn.STEPS + 1))),
            )
        },
        reveal=f"The middle 95% of {drawn.ASKED:,} redraws lie between "
        f"{drawn.between(room, made.intervals[drawn.ASKED])} {metric}. That is the percentile bootstrap interval.",
        reveal_at=drawn.ASKED,
        missing=drawn.left_out(made, "redraw"),
    )


def _reading(room: Classroom, made: Redrawn) -> Reading:
    first, second = room.pair
    heads = tuple(
        f"{first} {drawn.score_text(room, x)}, {second} {drawn.score_text(room, y)}: "
        f"difference {drawn.points(room, value)}"
        for x, y, value in zip(*made.scores.tolist(), made.values.tolist(), strict=True)
    )
    lines = []
    for row in made.weights:
        none, single, double = (int(np.count_nonzero(row == count)) for count in range(3))
        more = made.statistics.n - none - single - double
        lines.append(
            (f"{none:,} left out", f"{single:,} held once", f"{double:,} held twice", f"{more:,} held more often")
        )
    return Reading("This redraw", heads, tuple(lines))


def _solution(room: Classroom) -> str:
    ends = [
        drawn.between(room, drawn.redrawn(replace(room, seed=seed), drawn.ASKED).interval(drawn.ASKED))
        for seed in (1, 2, 3)
    ]
    return (
        f"With the seeds 1, 2 and 3 the middle 95% of {drawn.ASKED:,} redraws lie between {'; '.join(ends)} "
        f"{room.statistics.metric.name}. The ends move a little, because draws are random; the test set stays as it is."
    )


ONE_REDRAW = Lesson(
    number=1,
    name="one-redraw",
    title="One redraw",
    misconception="A score is a fact.",
    sections="Koehn (2004), section 5; Zhang and Vogel (2004), section 3.1",
    question="Other segments of the same kind would have given other scores. How far would the difference have moved?",
    take_home="Other segments like these would have moved this number about this far.",
    exercise="Draw 1,000 times with the seeds 1, 2 and 3. How far do the ends of the interval move?",
    quiz=Quiz(
        "A test set of 200 segments is redrawn. What is a redraw?",
        (
            "200 segments picked one by one, and each is put back before the next is picked",
            "A random half of the 200 segments",
            "The same 200 segments in another order",
            "200 new segments, translated again",
        ),
        0,
        "Every pick is made from the whole bag. So a segment can be held twice or not at all, and about 37% of the "
        "segments are left out. Another order alone would change no score.",
    ),
    stage=_stage,
    solution=_solution,
)
