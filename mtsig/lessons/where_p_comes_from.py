"""Lesson 3: p is counted on the pile of shuffled differences."""

from itertools import combinations

import numpy as np

from mtsig.corpus import number_of
from mtsig.inference import ApproximateRandomization, compare, p_text
from mtsig.inference.probability import p_number
from mtsig.inference.targets import Scores, pairs_of
from mtsig.lab import Exchanged, Pair
from mtsig.lessons import drawn
from mtsig.lessons.classroom import Classroom
from mtsig.lessons.lesson import Lesson, Quiz
from mtsig.lessons.stage import Ask, Curves, Line, Pile, Stage, View
from mtsig.resampling import Bootstrap, Swap


def _stage(room: Classroom) -> Stage:
    other = contrary(room)
    pairs = (room.pair,) if other is None else (room.pair, other)
    traces = [drawn.exchanged(room, pair) for pair in pairs]
    observed = [drawn.points(room, made.observed) for made in traces]
    also = "" if other is None else f", and how many as {observed[1]}, the difference of {' and '.join(other)}"
    reveal = " ".join(_revealed(room, pair, made) for pair, made in zip(pairs, traces, strict=True))
    return Stage(
        ask=Ask(
            f"How many of {drawn.ASKED:,} shuffles will be at least as far from zero as {observed[0]} "
            f"{room.statistics.metric.name}{also}?",
            "number",
            0.0,
            float(drawn.ASKED),
            1.0,
            0,
            names=() if other is None else tuple(observed),
        ),
        steps=drawn.STEPS,
        views={
            drawn.difference(pair) if other else "": _view(room, pair, made)
            for pair, made in zip(pairs, traces, strict=True)
        },
        reveal=reveal,
        reveal_at=drawn.ASKED,
        verb="Shuffle",
        noun="shuffle",
        switch="Difference" if other else "",
    )


def _view(room: Classroom, pair: Pair, made: Exchanged) -> View:
    metric, name, observed = room.statistics.metric.name, drawn.difference(pair), drawn.points(room, made.observed)
    low, high = drawn.axis_around_zero(made.values, made.observed)
    outcomes, steps = made.outcomes, tuple(float(draws) for draws in range(1, drawn.STEPS + 1))
    lows, highs = tuple(outcomes.p_low.tolist()), tuple(outcomes.p_high.tolist())
    counts = np.cumsum(made.beyond).tolist()
    said = (
        f"{count:,} of {draws:,} at least as far out as {observed}: p = ({count:,} + 1)/({draws:,} + 1) "
        f"= {p_number(p)}; endless shuffling would give {_between(p_low, p_high)}."
        for draws, (count, p, p_low, p_high) in enumerate(
            zip(counts, outcomes.p_value.tolist(), lows, highs, strict=True), 1
        )
    )
    start = (
        f"{name} is {observed} {metric} ({drawn.positive(pair)}). Shuffles at least as far from zero, on either side, "
        "will be hatched; p is their share, the observed difference counted among them."
    )
    return View(
        (
            Pile(
                "All shuffles so far",
                f"{metric}: {name}, names shuffled in each {made.statistics.unit}",
                low,
                high,
                tuple(made.values.tolist()),
                drawn.observed_marks(room, made.observed),
                beyond=drawn.marks(made.beyond),
            ),
            Curves(
                "The share that is hatched",
                "shuffles",
                "p, with its 95% Monte Carlo interval",
                (
                    Line("95% Monte Carlo interval", steps, lows, "band", highs),
                    Line("p", steps, tuple(outcomes.p_value.tolist())),
                ),
                1.0,
                float(drawn.STEPS),
                0.0,
                1.0,
                log_x=True,
                grows=True,
            ),
        ),
        (start, *said),
    )


def _between(low: float, high: float) -> str:
    return f"between {p_number(low)} and {p_number(high)}" if low > 0 else f"at most {p_number(high)}"


def _revealed(room: Classroom, pair: Pair, made: Exchanged) -> str:
    count, p = int(made.beyond[: drawn.ASKED].sum()), float(made.outcomes.p_value[drawn.ASKED - 1])
    said = (
        f"{drawn.difference(pair)} = {drawn.points(room, made.observed)}: {count:,} of {drawn.ASKED:,} shuffles are "
        f"at least as far out, {p_text(p)}"
    )
    tested = p_of(room, pair, drawn.ASKED)
    if not tested[1]:
        return f"{said}."
    differing = int(made.differing.sum())
    return (
        f"{said}. The two differ on {number_of(differing, made.statistics.unit)} only, so all "
        f"exchanges can be tried: {p_text(tested[0])} exactly."
    )


def p_of(room: Classroom, pair: Pair, draws: int) -> tuple[float, bool]:
    """Return p by paired randomization with so many shuffles, uncorrected, and whether it is exact."""
    test = ApproximateRandomization(Swap(draws, room.seed, room.unit))
    (comparison,) = compare(room.statistics, test, [pair])
    return comparison.p_value, comparison.exact


def contrary(room: Classroom) -> Pair | None:
    """Return the pair that most contradicts "the larger difference is the surer one" beside the classroom's.

    Its difference is larger and fewer standard errors from zero, or smaller and more of them; None where there is none.
    """
    statistics = room.statistics.at(room.unit)
    pairs = [pair for pair in combinations(statistics.systems, 2) if set(pair) != set(room.pair)]
    pairs = [pair for pair in pairs if statistics.units_of(pair) > 1]
    targets = pairs_of(Scores(statistics, Bootstrap(unit=room.unit)), [room.pair, *pairs])
    sizes, errors = np.abs(targets.estimate), targets.standard_error
    known = (errors > 0) & (sizes > 0)
    if not known[0] or not known[1:].any():
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        larger, surer = np.log(sizes / sizes[0]), np.log(sizes / errors / (sizes[0] / errors[0]))
    contrast = np.where(known & (larger * surer < 0), np.abs(surer), 0.0)
    best = int(np.argmax(contrast))
    if contrast[best] == 0:
        return None
    first, second = pairs[best - 1]
    return (first, second) if targets.estimate[best] > 0 else (second, first)


def _solution(room: Classroom) -> str:
    p, exact = p_of(room, room.pair, 10_000)
    how = "by trying every exchange, which is exact" if exact else "by 10,000 shuffles"
    return (
        f"With R shuffles p is at least 1/(R + 1), since the observed difference counts as one of them: "
        f"{p_text(1 / 1_001)} with 1,000 and {p_text(1 / 10_001)} with 10,000. For {drawn.difference(room.pair)} the "
        f"library finds {p_text(p)} {how}; that is this pair alone, not corrected for other comparisons."
    )


WHERE_P_COMES_FROM = Lesson(
    number=3,
    name="where-p-comes-from",
    title="Where p comes from",
    misconception="p is the probability that there is no difference.",
    sections="Riezler and Maxwell (2005), section 4.1 and figure 1",
    question="How many worlds in which the names mean nothing have a difference as large as this one?",
    take_home="p is a share of shuffled worlds, not of hypotheses.",
    exercise="What is the smallest p that 1,000 shuffles can give? And 10,000? What does the library find for your "
    "pair with 10,000?",
    quiz=Quiz(
        "Of 1,000 shuffles, 30 are at least as far from zero as the observed difference. What does p = .031 say?",
        (
            "The two systems are equal with a probability of 3.1%",
            "If the names meant nothing, about 3 of 100 differences would be at least this large",
            "The better system wins on 96.9% of test sets",
            "The difference is large enough for a reader to notice",
        ),
        1,
        "Every shuffle was made in a world where the names mean nothing. So p speaks of differences in that world; how "
        "many of all worlds are like that, no shuffle knows.",
    ),
    stage=_stage,
    solution=_solution,
)
