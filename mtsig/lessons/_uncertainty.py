"""Lessons on what moves a score: why resamples tell, one resample, coverage, and the law of size."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from mtsig._memory import remembered
from mtsig._probability import points_text
from mtsig._records import Floats
from mtsig.corpus._notes import number_of
from mtsig.errors import NotApplicable
from mtsig.lab import NEWS, Coverage, Separation, run
from mtsig.lab._material import Population, of_units
from mtsig.lab._sampling import CoverageRates, Redrawn, trace
from mtsig.lessons import _drawn as drawn
from mtsig.lessons import _stage
from mtsig.lessons._stage import Ask, Classroom, Lesson, Line, Stage, View, marks, pair_of, points, rounded
from mtsig.resampling import Bootstrap
from mtsig.segments import Ablation, SizeCurves
from mtsig.segments._ablation import size_curve

OWN, MADE, COPIES = 200, 20_000, 10
"""Segments of a test set of lesson 0, and of the set that all are drawn from; how often each is in one of copies."""

TESTED = ("A", "B")


@remembered()
def large_set() -> Population:
    """Return two systems on simulated segments, which are the whole truth of lesson 0."""
    return NEWS.simulate({"A": 26.0, "B": 25.0}, size=MADE)


@remembered(8)
def new_sets(seed: int, size: int = OWN) -> Floats:
    """Return the difference of the two systems on truly new test sets, one after the other; shape (steps,)."""
    population = large_set()
    # The first test sets of a seed are the ones that are redrawn.
    scores = np.array([population.draw(size, number, seed).scores for number in range(4, drawn.STEPS + 4)])
    return np.asarray(scores[:, 0] - scores[:, 1])


@remembered(8)
def own_sets(seed: int) -> list[tuple[Classroom, Redrawn]]:
    """Return three test sets of the large one as classrooms, each with its resamples; and one of copies.

    First the one whose difference is farthest from both zero and the truth: there all three places are seen apart.
    """
    few = large_set().draw(OWN // COPIES, 3, seed)
    sets = [*(large_set().draw(OWN, number, seed) for number in range(3)),
            of_units(few, np.repeat(np.arange(few.n), COPIES))]  # fmt: skip
    rooms = [Classroom(replace(statistics, document_of=None), TESTED, seed) for statistics in sets]
    *made, copies = [(room, trace(room.statistics, Bootstrap(drawn.STEPS, seed, "segment"), TESTED)) for room in rooms]
    truth = large_set().true_difference(*TESTED)
    made.sort(key=lambda one: min(abs(one[1].observed), abs(one[1].observed - truth)), reverse=True)
    return [*made, copies]


def _stage_of_why(room: Classroom) -> Stage:
    *sets, copies = own_sets(room.seed)
    new, few = new_sets(room.seed), new_sets(room.seed, OWN // COPIES)
    ends = drawn.span(new, *(made.values for _, made in sets), 0.0)
    views = {f"Test set {number}": _view_of_why(*one, new, ends) for number, one in enumerate(sets, 1)}
    views["Copies"] = _view_of_why(*copies, few, drawn.span(few, copies[1].values, 0.0), of_copies=True)
    return Stage(
        ask=Ask(
            f"The first pile shows the difference of A and B on resamples of your {OWN} segments, the second one on "
            f"new test sets of {OWN} segments. How wide will the first pile be?",
            "choice",
            options=("Less than half as wide as the second one", "About as wide as the second one",
                     "More than twice as wide as the second one"),
        ),
        steps=drawn.STEPS, views=views, reveal=views["Test set 1"].reveal,
        noun="draw", switch="Yours",
        setting=f"A and B are two simulated systems that have translated {MADE:,} segments. Your test set is {OWN} of "
        "these segments, drawn at random: at every draw, all segments were equally likely. A resample is "
        f"{OWN} draws from your test set. Every segment is put back before the next draw, so a segment may be drawn "
        "twice, or not at all.",
        replies=(
            "On the three test sets that were drawn at random, the first pile is about as wide as the second one. "
            "Every resample omits some segments and repeats others, and this changes the score about as much as new "
            "segments would.",
            "Correct for the three test sets that were drawn at random. A resample has as many segments as a new test "
            "set, and it omits some segments and repeats others.",
            "On the three test sets that were drawn at random, the first pile is about as wide as the second one. A "
            "resample has as many segments as a new test set, from texts of the same kind.",
        ),
    )  # fmt: skip


def _view_of_why(
    room: Classroom, made: Redrawn, new: Floats, ends: tuple[float, float], of_copies: bool = False
) -> View:
    metric, truth = room.statistics.metric, large_set().true_difference(*TESTED)
    known = replace(made, observed=truth)
    here = f"{OWN // COPIES} segments, {COPIES} times each" if of_copies else f"{OWN} segments"
    says = [
        f"On all {MADE:,} segments, A is better by {points(metric, truth)} BLEU. In practice, this difference is "
        f"unknown. On your {here}, the difference is {points(metric, made.observed)}."
    ]
    says += [
        f"In draw {step:,}, a resample of your test set gives {points(metric, own)}, a new test set "
        f"{points(metric, other)}."
        for step, (own, other) in enumerate(zip(made.values.tolist(), new.tolist(), strict=True), 1)
    ]
    own, truly = float(made.values.std(ddof=1)), float(new.std(ddof=1))
    why = (
        "A new test set contains all copies of a segment or none, but a resample draws the copies one by one. So the "
        "pile of resamples is too narrow. Segments that were sampled together must be drawn together (lesson 11). And "
        "if you had chosen easy segments, resamples would only show how scores vary on easy segments."
        if of_copies
        else f"Why this works: your {OWN} segments were drawn at random. So A leads by much, by little, or not at all "
        f"on about the same shares of them as of all {MADE:,}. Therefore, draws from yours vary about as much as "
        "draws from all, but around your own difference. Switch to Copies to see when this does not work: there, your "
        f"test set and every new one have {OWN // COPIES} segments, and {COPIES} copies of each."
    )
    reveal = (
        f"The standard deviation of {drawn.STEPS:,} resamples is {points_text(own, 3)} BLEU, and that of "
        f"{drawn.STEPS:,} new test sets is {points_text(truly, 3)}: the ratio is {points_text(own / truly)}. The "
        f"resamples are around the difference on your test set ({points(metric, made.observed)}). The new test sets "
        f"are around the true difference, the one on all {MADE:,} segments ({points(metric, truth)}). {why}"
    )
    return View(
        (
            drawn.pile(room, made, f"Your {here}, resampled", ends),
            replace(drawn.pile(room, known, f"New test sets of {here}", ends, values=new),
                    marks=(_stage.Mark(truth, f"truth {points(metric, truth)}"), _stage.Mark(0.0, "no difference"))),
        ),
        tuple(says), reveal, (float((own >= truly / 2) + (own > 2 * truly)),),
    )  # fmt: skip


def _solution_of_why(room: Classroom) -> str:
    *sets, (_, copies) = own_sets(room.seed)
    new, few = (float(new_sets(room.seed, size).std(ddof=1)) for size in (OWN, OWN // COPIES))
    places, widths = ([made.observed for _, made in sets], [made.values.std(ddof=1) for _, made in sets])
    moved, changed = (points_text(float(np.ptp(values))) for values in (places, widths))
    shown = "; ".join(
        f"test set {number} around {points(own.statistics.metric, made.observed)}, standard deviation "
        f"{points_text(float(made.values.std(ddof=1)))}"
        for number, (own, made) in enumerate(sets, 1)
    )
    return (
        f"{shown}; new test sets {points_text(new)}. Between the test sets, the pile moves by up to {moved} BLEU, but "
        f"its standard deviation changes only by up to {changed}. So resamples can estimate the width. With copies, "
        f"the standard deviation is {points_text(float(copies.values.std(ddof=1)))} instead of {points_text(few)}: "
        f"{OWN} segments in groups of {COPIES} copies are worth {OWN // COPIES}, but resamples treat them as {OWN}."
    )


WHY_IT_WORKS = Lesson.of(
    "why-it-works",
    draw=_stage_of_why,
    solve=_solution_of_why,
    on=_stage.SIMULATED,
    code="""large = NEWS.simulate({"A": 26.0, "B": 25.0}, size=20_000).statistics
d = lambda units: np.subtract(*large.metric.score(large.values[..., units].sum(axis=-1, dtype=float)))
own = rng.integers(20_000, size=200)
resamples, new = ([d(rng.choice(bag, 200)) for _ in range(1000)] for bag in (own, np.arange(20_000)))
np.std(resamples, ddof=1), np.std(new, ddof=1)""",
)


def _stage_of_redraw(room: Classroom) -> Stage:
    many = [drawn.redrawn(replace(room, seed=seed)) for seed in drawn.seeds(room)]
    made, metric = many[0], room.statistics.metric
    unit, n = made.statistics.unit, made.statistics.n
    ends = drawn.axis(np.concatenate([one.values for one in many]), made.observed)
    start = f"A resample picks {n:,} {unit}s from the bag, one by one. Each is put back before the next is picked."
    views = {}
    for seed, one in zip(drawn.seeds(room), many, strict=True):
        bag = (drawn.bag(f"The test set, a bag of {n:,} {unit}s", room, one), _read(room, one)) if one is made else ()
        pile = drawn.pile(room, one, "All resamples so far", ends, ends=drawn.running_ends(one))
        said = (drawn.running_text(room, one, draws) for draws in range(1, drawn.STEPS + 1))
        reveal = (
            f"The middle 95% of {drawn.STEPS:,} resamples lie between "
            f"{drawn.between(room, one.intervals[drawn.STEPS])} {metric.name}. This range is the 95% percentile "
            f"interval of the bootstrap. The difference {drawn.points(room, made.observed)} is exact for these {n:,} "
            f"{unit}s only."
        )
        views[f"seed {seed}"] = View((*bag, pile), (start, *said), reveal, one.intervals[drawn.STEPS])
    return Stage(
        ask=drawn.ask_points(
            room, f"On these {n:,} {unit}s, {drawn.observed_text(room, made)}. Between which two differences will the "
            f"middle 95% of {drawn.STEPS:,} resamples fall?", "range", *ends,
        ),
        steps=drawn.STEPS, views=views, reveal=views[f"seed {room.seed}"].reveal,
        switch="Once more", missing=drawn.left_out(made, "resample"),
        setting=f"{drawn.data_text(room)} All lessons but 11 use single segments, as if each had been sampled by "
        f"itself. {_together(room)}",
    )  # fmt: skip


def _together(room: Classroom) -> str:
    """Return what is left out of account in all lessons but 11."""
    documents = room.statistics.document_of
    if documents is None or len(np.unique(documents)) == len(documents):
        return "If several were taken from each document, whole documents must be drawn: see lesson 11."
    count = number_of(len(np.unique(documents)), "document", ",")
    return f"In fact, they are from {count}; lesson 11 shows what this changes."


def _read(room: Classroom, made: Redrawn) -> _stage.Reading:
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
            (f"{none:,} left out", f"{single:,} drawn once", f"{double:,} drawn twice", f"{more:,} drawn more often")
        )
    return _stage.Reading("This resample", heads, tuple(lines))


def _solution_of_redraw(room: Classroom) -> str:
    ends = [
        f"{drawn.between(room, drawn.redrawn(replace(room, seed=seed)).intervals[drawn.STEPS])} with seed {seed}"
        for seed in drawn.seeds(room)
    ]
    return (
        f"After {drawn.STEPS:,} draws the middle 95% lie between {'; '.join(ends)} ({room.statistics.metric.name}). "
        "The test set is the same, but the ends differ a little, because the draws are random."
    )


ONE_REDRAW = Lesson.of(
    "one-redraw",
    draw=_stage_of_redraw,
    solve=_solution_of_redraw,
    own=drawn.turn(2),
    settings=(("test", "bootstrap-ci"), ("interval", "percentile"), ("unit", "segment")),
    code="""draws = []
for _ in range(1000):
    units = rng.integers(n, size=n)
    draws.append(np.subtract(*score(values[..., units].sum(axis=-1))))
np.quantile(draws, [0.025, 0.975])""",
)


SETS = 100
LEVEL = 0.95
USUAL = 1, 9
"""Misses of a hundred, from and to, in 97 of 100 cases."""

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")  # fmt: skip
"""Each has a hundred test sets of its own, so that a class can pool what it found."""


@remembered(64, lambda room, *which: (room.statistics, room.pair, room.seed, which))
def covered(room: Classroom, month: int = 0, difference: bool = False) -> CoverageRates:
    """Return the intervals of a month's test sets drawn from the data: of the first system, or of the difference."""
    first, second = room.pair
    statistics = pair_of(room)
    covering = Coverage(
        size=min(300, statistics.n), sets=SETS, interval="jackknife", level=LEVEL, sampling="random",
        seed=room.seed + month, system=first, against=second if difference else None,
    )  # fmt: skip
    coverage: CoverageRates = run(covering, statistics)
    return coverage


def _stage_of_coverage(room: Classroom) -> Stage:
    hundreds = [covered(room, number) for number in range(len(MONTHS))]
    misses = [hundred.misses for hundred in hundreds]
    rate = sum(misses) / len(MONTHS)
    mean = f"On average over the twelve months, {rate:.1f} of {SETS} intervals of one score missed"
    every = (
        f"Single months have {min(misses)} to {max(misses)} misses. All use the same method, so these vary only by "
        "chance. "
    )
    if rate > 5 + 2 * (4.75 / len(MONTHS)) ** 0.5:
        every += "More than 5% miss here, because intervals from so few segments are slightly too narrow. "
    views = {
        month: _view_of_coverage(room, hundred, f"{mean}; in {month}, {hundred.misses}. {every}")
        for month, hundred in zip(MONTHS, hundreds, strict=True)
    }
    other = covered(room, 0, True)
    said = (
        f"{mean}. Of the intervals of a difference, on the test sets of {MONTHS[0]}, {other.misses} of {SETS} missed. "
    )
    return Stage(
        Ask(
            f"Each month has {SETS} different test sets, each with a {LEVEL:.0%} interval of {room.pair[0]}'s score. "
            "How many intervals of a month miss the true score, on average over all twelve months? Choose the month in "
            "which you were born, and draw its test sets.",
            "number", 0, 30, 1, 1,
        ),
        SETS, views | {"a difference": _view_of_coverage(room, other, said)}, views[MONTHS[0]].reveal,
        buttons=(1, 10, SETS), noun="test set", switch="Born in", found=(rate,), near=1,
        setting=f"Each test set is {other.size} draws from the {pair_of(room).n:,} segments of the data; every segment "
        "is put back before the next draw. Scores on all these segments count as the true values.",
    )  # fmt: skip


def _apart(coverage: CoverageRates, said: Callable[[float], str]) -> str:
    """Return two intervals without a common value: that one of them misses needs no knowledge of the truth."""
    low, high = int(coverage.high.argmin()), int(coverage.low.argmax())
    if coverage.high[low] >= coverage.low[high]:
        return ""
    first, second = (
        f"{place + 1}: {said(float(coverage.low[place]))} to {said(float(coverage.high[place]))}"
        for place in (low, high)
    )
    misses = "the first does" if coverage.covered[high] else "the second does" if coverage.covered[low] else "both do"
    return (
        f"An interval alone does not show whether it misses the true {coverage.target}. Test set {first}; test set "
        f"{second}. Both are 95% intervals, but they have no value in common, so at least one misses (here, {misses}). "
        "If each contained the true value with a probability of 95%, the two probabilities would add up to 190%; but "
        "at most one of the two intervals contains it, so they cannot exceed 100%. "
    )


def _view_of_coverage(room: Classroom, coverage: CoverageRates, told: str) -> View:
    missed, metric = ~coverage.covered, room.statistics.metric

    def said(value: float) -> str:
        return points_text(value, metric.decimals, signed=coverage.against is not None)

    places = metric.decimals + 4
    rows = _stage.Rows(
        f"Intervals of {SETS} test sets", coverage.target, *drawn.span(coverage.low, coverage.high),
        rounded(coverage.low, places), rounded(coverage.high, places), marks(missed),
        coverage.truth, f"truth {said(coverage.truth)}",
    )  # fmt: skip
    says = [
        f"On all segments of the data, which count as the population, the true {coverage.target} is "
        f"{said(coverage.truth)}."
    ]
    ends = zip(coverage.low.tolist(), coverage.high.tolist(), missed.tolist(), np.cumsum(missed).tolist(), strict=True)
    says += [
        f"Test set {k}: {said(low)} to {said(high)} {'misses' if is_missed else 'contains'} the true value. So far "
        f"{count} of {k} missed."
        for k, (low, high, is_missed, count) in enumerate(ends, 1)
    ]
    return View((rows,), tuple(says), f"{told}{_apart(coverage, said)}".strip(), (float(coverage.misses),))


def _solution_of_coverage(room: Classroom) -> str:
    misses = [covered(room, number).misses for number in range(len(MONTHS))]
    told = ", ".join(f"{month} {count}" for month, count in zip(MONTHS, misses, strict=True))
    usual = sum(USUAL[0] <= count <= USUAL[1] for count in misses)
    return (
        f"{told}. If 5 of 100 intervals miss in the long run, 97 of 100 such months have {USUAL[0]} to {USUAL[1]} "
        f"misses; here, {usual} of {len(MONTHS)} months have. With the line covered, "
        "you can only suspect intervals that are far from most others. With real data, you have a single interval."
    )


COVERAGE_DANCE = Lesson.of(
    "coverage-dance",
    draw=_stage_of_coverage,
    solve=_solution_of_coverage,
    own=drawn.turn(5),
    settings=(("interval", "jackknife"), ("unit", "segment")),
    code="""d = lambda part: np.subtract(*score(part.sum(axis=-1)))
ends = lambda own: np.quantile([d(own[..., rng.integers(n, size=n)]) for _ in range(200)], [0.025, 0.975])
intervals = [ends(values[..., rng.integers(n, size=n)]) for _ in range(100)]
sum(not low <= d(values) <= high for low, high in intervals)""",
)


FEWEST = 40
"""Segments: a tenth of fewer says nothing about widths."""

QUARTER, HALF = 0.25, 0.5
SIZES = (0.1, 0.2, QUARTER, 0.3, 0.4, HALF, 0.6, 0.7, 0.8, 0.9, 1.0)


def curves(room: Classroom, difference: bool) -> SizeCurves:
    """Return scores and widths by size: of the first system, or of the difference."""
    statistics = pair_of(room)
    if statistics.n < FEWEST:
        raise NotApplicable(f"{statistics.n} segments are too few to take parts of them: this lesson needs {FEWEST}.")
    chosen = statistics if difference else statistics.select(room.pair[:1])
    plan = Ablation(SIZES, seed=room.seed, unit="segment")
    sized = size_curve(chosen, plan, room.pair if difference else None)
    if not np.isfinite(sized.half_width[[SIZES.index(QUARTER), -1], 0]).all():
        raise NotApplicable(
            f"Small parts of these data have no {sized.metric} interval: an n-gram order has no match in them."
        )
    return sized


def _stage_of_size(room: Classroom) -> Stage:
    score, difference = curves(room, False), curves(room, True)
    n, digits = int(score.units[-1]), room.statistics.metric.decimals
    views = {"one score": _view_of_size(score, digits), "a difference": _view_of_size(difference, digits)}
    return Stage(
        Ask(
            f"On {n:,} segments, the 95% interval of {room.pair[0]} is "
            f"±{points_text(float(score.half_width[-1, 0]), digits)} {score.metric}. How many segments "
            "would halve its width?",
            "number", n, 10 * n, max(1, n // 10), 0,
        ),
        len(SIZES), views, views["one score"].reveal, pace="slider", buttons=(len(SIZES),), verb="Take", noun="size",
        switch="Interval of", found=(4.0 * n,), near=0.4 * n,
    )  # fmt: skip


def _view_of_size(sized: SizeCurves, digits: int) -> View:
    known = np.isfinite(sized.half_width[:, 0])
    units = sized.units.astype(float)
    x = tuple(units[known].tolist())
    low, mean, high, width = (
        tuple(values[known, 0].tolist()) for values in (sized.ci_low, sized.mean, sized.ci_high, sized.half_width)
    )
    ghost, at = tuple(sized.square_root_law(sized.half_width)[:, 0].tolist()), tuple(units.tolist())
    ends, label = (0.0, float(1.03 * units.max())), f"{sized.metric} of {sized.labels[0]}"
    bands = (Line("95% interval", x, low, "band", high), Line("mean over random parts", x, mean))
    widths = (Line("1/√n", at, ghost, "ghost"), Line("measured", x, width, "points"))
    top = 1.05 * max(*ghost, *width)
    places = ("on a quarter", QUARTER), ("on half", HALF), ("on all", 1.0)
    marked = tuple(
        _stage.Mark(float(sized.half_width[SIZES.index(share), 0]), name, SIZES.index(share) + 1)
        for name, share in places
    )
    panels = (
        _stage.Curves("The interval", "segments", label, bands, *ends, *drawn.span(low, high), grows=True, at=at),
        _stage.Curves(
            "Its half width", "segments", f"± {sized.metric}", widths, *ends, 0.0, top, grows=True, at=at, marks=marked
        ),
    )
    says = [f"Random parts of the test set, from {sized.units[0]:,} segments to all {sized.units[-1]:,}."]
    for z, count in enumerate(sized.units):
        if not known[z]:
            says.append(f"{count:,} segments: an n-gram order has no match, so there is no interval.")
            continue
        said = points_text(float(sized.half_width[z, 0]), digits)
        law = f"the law of 1/√n gives ±{points_text(ghost[z], digits)}"
        said = (
            f"±{said}; from here the law of 1/√n is drawn"
            if z == len(sized.units) - 1
            else f"±{said} on average; {law}"
        )
        says.append(f"{count:,} segments: {said}.")
    quarter, half, whole = (mark.at for mark in marked)
    few, some, every = (int(sized.units[SIZES.index(share)]) for _, share in places)
    reveal = (
        f"Half the width needs about {4 * every:,} segments, four times as many: the law of 1/√n, continued beyond the "
        f"data. Doubling has a smaller effect. From {some:,} to {every:,} segments, ±{points_text(half, digits)} "
        f"becomes ±{points_text(whole, digits)} for {sized.labels[0]}. This is {points_text(whole / half)} times the "
        f"width; by the law of 1/√n, it is {points_text(0.5**0.5)}. From {few:,} to {every:,}, four times as many, "
        f"±{points_text(quarter, digits)} becomes {points_text(whole / quarter)} times as wide."
    )
    return View(panels, tuple(says), reveal)


def _solution_of_size(room: Classroom) -> str:
    separation = run(Separation(unit="segment", pair=room.pair), pair_of(room))
    if not np.isfinite(separation.needed[0]):
        return "The two systems score the same here, so no number of segments would show a difference."
    sized, digits = curves(room, True), room.statistics.metric.decimals
    width, observed, n = float(sized.half_width[-1, 0]), float(separation.difference[0]), int(sized.units[-1])
    return (
        f"{drawn.difference(room.pair)} is {drawn.points(room, observed)} ± {points_text(width, digits)} on {n:,} "
        f"segments, so by the law the half width is {points_text(abs(observed), digits)} on about "
        f"{n * (width / observed) ** 2:,.0f}. If the observed difference is the true one, the interval excludes zero "
        f"in about half of all test sets of that size, and in {separation.power:.0%} of those of about "
        f"{separation.needed[0]:,.0f} segments."
    )


SIZE_LAW = Lesson.of(
    "size-law",
    draw=_stage_of_size,
    solve=_solution_of_size,
    own=drawn.turn(6),
    settings=(("unit", "segment"),),
    code="""d = lambda part: np.subtract(*score(part.sum(axis=-1)))
draws = lambda part: [d(part[..., rng.integers(part.shape[-1], size=part.shape[-1])]) for _ in range(200)]
width = lambda part: np.ptp(np.quantile(draws(part), [0.025, 0.975])) / 2
parts = [values[..., rng.choice(n, n // 4, replace=False)] for _ in range(20)]
np.mean([width(part) for part in parts]) / np.mean([width(values) for _ in parts])""",
)
