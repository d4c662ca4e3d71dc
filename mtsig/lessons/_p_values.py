"""Lessons on draws: one resample, exchanged labels, and where p comes from."""

from dataclasses import replace
from itertools import combinations

import numpy as np

from mtsig._probability import p_number
from mtsig.corpus._notes import number_of
from mtsig.inference import compare, p_text
from mtsig.inference._significance._base import ApproximateRandomization
from mtsig.inference._targets import Scores, pairs_of
from mtsig.lab._draws import Exchanged, Redrawn
from mtsig.lab._material import Pair
from mtsig.lessons import _drawn as drawn
from mtsig.lessons._stage import Ask, Classroom, Curves, Labels, Lesson, Line, Pile, Quiz, Reading, Stage, View
from mtsig.metrics._metric import sign_of
from mtsig.resampling import Bootstrap, Swap


def _stage_of_redraw(room: Classroom) -> Stage:
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
                    _reading_redraw(room, made),
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


def _reading_redraw(room: Classroom, made: Redrawn) -> Reading:
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


def _solution_of_redraw(room: Classroom) -> str:
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
    stage=_stage_of_redraw,
    solution=_solution_of_redraw,
)


def _stage_of_swap(room: Classroom) -> Stage:
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
                    _reading_swap(room, made),
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


def _reading_swap(room: Classroom, made: Exchanged) -> Reading:
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


def _solution_of_swap(room: Classroom) -> str:
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
    stage=_stage_of_swap,
    solution=_solution_of_swap,
)


def _stage_of_origin(room: Classroom) -> Stage:
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
            drawn.difference(pair) if other else "": _view_of_origin(room, pair, made)
            for pair, made in zip(pairs, traces, strict=True)
        },
        reveal=reveal,
        reveal_at=drawn.ASKED,
        verb="Shuffle",
        noun="shuffle",
        switch="Difference" if other else "",
    )


def _view_of_origin(room: Classroom, pair: Pair, made: Exchanged) -> View:
    metric, name, observed = room.statistics.metric.name, drawn.difference(pair), drawn.points(room, made.observed)
    low, high = drawn.axis_around_zero(made.values, made.observed)
    outcomes, steps = made.outcomes, tuple(float(draws) for draws in range(1, drawn.STEPS + 1))
    lows, highs = tuple(outcomes.p_mc_low.tolist()), tuple(outcomes.p_mc_high.tolist())
    counts = np.cumsum(made.beyond).tolist()
    said = (
        f"{count:,} of {draws:,} at least as far out as {observed}: p = ({count:,} + 1)/({draws:,} + 1) "
        f"= {p_number(p)}; endless shuffling would give {_between(p_mc_low, p_mc_high)}."
        for draws, (count, p, p_mc_low, p_mc_high) in enumerate(
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


def _solution_of_origin(room: Classroom) -> str:
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
    stage=_stage_of_origin,
    solution=_solution_of_origin,
)
