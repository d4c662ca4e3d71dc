"""Lessons on intervals: coverage, size, and bars that overlap."""

from itertools import combinations

import numpy as np
import scipy

from mtsig._probability import points_text
from mtsig.corpus._notes import listed, number_of
from mtsig.errors import NotApplicable
from mtsig.inference import Intervals, Settings, verdict
from mtsig.lab import Coverage, Separation, run
from mtsig.lab._draws import Redrawn, unpaired
from mtsig.lab._sampling import CoverageRates
from mtsig.lab._words import law_text
from mtsig.lessons import _drawn as drawn
from mtsig.lessons._stage import (
    Ask,
    Classroom,
    Curves,
    Facts,
    Lesson,
    Line,
    Pile,
    Quiz,
    Rows,
    Stage,
    Threads,
    View,
    around,
    marks,
    pair_of,
    points,
)
from mtsig.metrics import Statistics
from mtsig.report import verdict_text
from mtsig.resampling import Bootstrap
from mtsig.segments import Ablation, SizeCurves, size_curve

SETS = 100
LEVEL = 0.95
SPREAD = 4
"""How far from the expected five the misses of a class may lie before anyone should wonder."""


def covered(room: Classroom, difference: bool) -> CoverageRates:
    """Return the intervals of a hundred test sets drawn from the data: of the first system, or of the difference."""
    first, second = room.pair
    statistics = pair_of(room)
    against = second if difference else None
    covering = Coverage(
        size=min(300, statistics.n), sets=SETS, interval="jackknife", level=LEVEL, sampling="random", seed=room.seed,
        system=first, against=against,
    )  # fmt: skip
    coverage: CoverageRates = run(covering, statistics)
    return coverage


def _stage_of_coverage(room: Classroom) -> Stage:
    score, difference = covered(room, False), covered(room, True)
    low, high, chance = usual()
    return Stage(
        Ask(
            f"Each of {SETS} test sets has a {LEVEL:.0%} interval. How many of your {SETS} will miss the truth?",
            "number", 0, 30, 1, 0,
        ),
        SETS,
        {"one score": _view_of_coverage(room, score), "a difference": _view_of_coverage(room, difference)},
        f"{score.misses} of {SETS} intervals of the score missed, and {difference.misses} of the difference. Where "
        f"each misses with a chance of 5%, {low} to {high} of {SETS} miss for {chance:.0%} of seeds. Pool yours with "
        "the class: the more intervals, the closer their share comes to what the method promises.",
        SETS,
        buttons=(1, 10, SETS),
        verb="Draw",
        noun="test set",
        switch="Interval of",
    )  # fmt: skip


def usual() -> tuple[int, int, float]:
    """Return how many of the intervals usually miss, from and to, and with which probability (binomial)."""
    middle = round(SETS * (1 - LEVEL))
    low, high = middle - SPREAD, middle + SPREAD
    misses = scipy.stats.binom(SETS, 1 - LEVEL)
    return low, high, float(misses.cdf(high) - misses.cdf(low - 1))


def _view_of_coverage(room: Classroom, coverage: CoverageRates) -> View:
    missed = ~coverage.covered
    metric = room.statistics.metric
    difference = coverage.against is not None
    truth = points(metric, coverage.truth) if difference else points_text(coverage.truth, metric.decimals)
    rows = Rows(
        f"Intervals of {SETS} test sets",
        coverage.target,
        *around(coverage.low, coverage.high),
        tuple(map(float, coverage.low)),
        tuple(map(float, coverage.high)),
        marks(missed),
        coverage.truth,
        f"truth {truth}",
    )
    says = [
        f"Your data are taken as the whole truth: the {coverage.target} is {truth}. Test sets of {coverage.size} "
        "segments are drawn from them with replacement, and each has its 95% interval by the jackknife."
    ]
    for k in range(1, SETS + 1):
        count = int(missed[:k].sum())
        ends = f"{_ends(room, coverage, k - 1)} {'misses' if missed[k - 1] else 'holds'} the truth"
        says.append(f"Test set {k}: {ends}. So far {count} of {k} missed.")
    return View((rows,), tuple(says))


def _ends(room: Classroom, coverage: CoverageRates, place: int) -> str:
    metric = room.statistics.metric
    low, high = float(coverage.low[place]), float(coverage.high[place])
    if coverage.against is not None:
        return f"{points(metric, low)} to {points(metric, high)}"
    return f"{points_text(low, metric.decimals)} to {points_text(high, metric.decimals)}"


def _solution_of_coverage(room: Classroom) -> str:
    coverage = covered(room, False)
    return (
        f"With seed {room.seed}, {coverage.misses} of {SETS} missed: the share that held the truth is "
        f"{coverage.rate:.0%}, and from these alone the method's own could be anything from {coverage.rate_low:.0%} to "
        f"{coverage.rate_high:.0%}. No row says of itself whether it is one that missed."
    )


COVERAGE_DANCE = Lesson(
    4,
    "coverage-dance",
    "Coverage dance",
    "The truth lies in this interval with a chance of 95%.",
    "Koehn (2004), section 5 and figure 6",
    "What does the 95% of a 95% interval belong to?",
    "95% belongs to the method: of its intervals 95 in 100 hold the truth, and this one does or does not.",
    "Take your birthday as the seed, draw a hundred test sets, and pool the misses of the class. Which share of all "
    "intervals held the truth?",
    Quiz(
        "You have one test set and its 95% interval, 17.1 to 21.3. What do you know?",
        (
            "It was made by a method whose intervals hold the truth in about 95 of 100 test sets",
            "The truth lies between 17.1 and 21.3 with a chance of 95%",
            "95% of all segments score between 17.1 and 21.3",
            "The next test set will score between 17.1 and 21.3 with a chance of 95%",
        ),
        0,
        "Before the test set is drawn, the method succeeds in 95 of 100 cases. Once it is drawn, interval and truth "
        "both stand still. Segments spread much wider, and the next test set's score moves as well as this one's.",
    ),
    _stage_of_coverage,
    _solution_of_coverage,
)


FEWEST = 40
"""Segments: a tenth of fewer says nothing about widths."""

QUARTER = 0.25
SIZES = (0.1, 0.2, QUARTER, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def curves(room: Classroom, difference: bool) -> SizeCurves:
    """Return scores and widths by size: of the first system, or of the difference.

    Raises:
        NotApplicable: there are too few segments.
    """
    statistics = pair_of(room)
    if statistics.n < FEWEST:
        raise NotApplicable(
            f"{statistics.n} segments cannot be made smaller and still be a test set: this lesson needs {FEWEST}."
        )
    pair = room.pair if difference else None
    chosen = statistics if difference else statistics.select(room.pair[:1])
    sized = size_curve(chosen, Ablation(SIZES, seed=room.seed, unit="segment"), pair)
    if not np.isfinite(sized.half_width[[SIZES.index(QUARTER), -1], 0]).all():
        raise NotApplicable(
            f"Small parts of these data have no {sized.metric} interval by the jackknife: an n-gram order has no match."
        )
    return sized


def _stage_of_size(room: Classroom) -> Stage:
    score, difference = curves(room, False), curves(room, True)
    n = int(score.units[-1])
    digits = room.statistics.metric.decimals
    whole, quarter = (points_text(float(score.half_width[z, 0]), digits) for z in (-1, SIZES.index(QUARTER)))
    times = float(score.half_width[SIZES.index(QUARTER), 0] / score.half_width[-1, 0])
    return Stage(
        Ask(
            f"{n:,} segments give {room.pair[0]} a 95% interval of ±{whole} {score.metric}. How many would halve it?",
            "number", n, 10 * n, max(1, n // 10), 0,
        ),
        len(SIZES),
        {"one score": _view_of_size(score, digits), "a difference": _view_of_size(difference, digits)},
        f"About {4 * n:,}, four times as many. It shows backwards: on a quarter of the segments, "
        f"{int(score.units[SIZES.index(QUARTER)]):,}, the interval is ±{quarter}, {times:.2f} times as wide as "
        f"±{whole}.",
        len(SIZES),
        pace="slider",
        verb="Take",
        noun="size",
        switch="Interval of",
    )  # fmt: skip


def _view_of_size(sized: SizeCurves, digits: int) -> View:
    known = np.isfinite(sized.half_width[:, 0])
    units = sized.units.astype(float)
    x = tuple(map(float, units[known]))
    low, mean, high, width = (
        tuple(map(float, values[known, 0])) for values in (sized.ci_low, sized.mean, sized.ci_high, sized.half_width)
    )
    ghost = tuple(map(float, sized.square_root_law(sized.half_width)[:, 0]))
    x_low, x_high = 0.0, float(1.03 * units.max())
    label = f"{sized.metric} of {sized.labels[0]}"
    at = tuple(map(float, units))
    bands = (Line("95% interval", x, low, "band", high), Line("mean over random parts", x, mean))
    widths = (Line("1/√n", at, ghost, "ghost"), Line("measured", x, width, "points"))
    panels = (
        Curves("The interval", "segments", label, bands, x_low, x_high, *around(low, high), grows=True, at=at),
        Curves(
            "Its half width", "segments", f"± {sized.metric}", widths, x_low, x_high,
            0.0, 1.05 * max(*ghost, *width), grows=True, at=at,
        ),
    )  # fmt: skip
    says = [f"Random parts of the test set, from {sized.units[0]:,} segments to all {sized.units[-1]:,}."]
    for z, count in enumerate(sized.units):
        if not known[z]:
            says.append(f"{count:,} segments: some order of n-grams has no match, so there is no interval.")
            continue
        said = points_text(float(sized.half_width[z, 0]), digits)
        says.append(f"{count:,} segments: ±{said} on average; the law of 1/√n gives ±{points_text(ghost[z], digits)}.")
    return View(panels, tuple(says))


def _solution_of_size(room: Classroom) -> str:
    return law_text(run(Separation(unit="segment", pair=room.pair), pair_of(room)))


SIZE_LAW = Lesson(
    5,
    "size-law",
    "Size law",
    "Twice the data, half the error.",
    "Zhang and Vogel (2004), section 4.1 and table 2; Koehn (2004), section 7",
    "How much narrower does an interval become with more segments?",
    "Half the width costs four times the segments.",
    "About how many segments would tell your two systems apart, if they differ by as much as they do here?",
    Quiz(
        "An interval is ±2 BLEU wide on 1,000 segments like these. About how wide is it on 2,000?",
        ("±1", "±1.4", "±1.9", "±2: the width does not depend on the size"),
        1,
        "Widths go with 1/√n: 2/√2 is 1.41. Doubling the data takes 29% off, whatever the metric.",
    ),
    _stage_of_size,
    _solution_of_size,
)


_MOST = 8
"""Systems that are looked through for pairs whose bars overlap."""


def _stage_of_bars(room: Classroom) -> Stage:
    paired = drawn.redrawn(room)
    cut = unpaired(room.statistics, Bootstrap(drawn.STEPS, room.seed, room.unit), room.pair)
    scored = _settings(room, paired.statistics).intervals(paired.statistics)
    share = shared(scored, 0, 1)
    part = f"overlap by {drawn.share_text(share)} of the shorter one" if share > 0 else "lie apart"
    return Stage(
        ask=Ask(
            f"The two bars {part}. Going by the bars, is the difference clear of zero?",
            "choice",
            options=("Yes", "No", "The bars cannot tell"),
        ),
        steps=drawn.STEPS,
        views={
            "Same redraws": _view_of_bars(room, paired, cut, scored, paired),
            "Pairing cut": _view_of_bars(room, paired, cut, scored, cut),
        },
        reveal=_revealed(room, paired, cut, share),
        reveal_at=drawn.ASKED,
        switch="Pairing",
    )


def _settings(room: Classroom, statistics: Statistics) -> Settings:
    return Settings(seed=room.seed, unit=statistics.unit)


def shared(scored: Intervals, left: int, other: int) -> float:
    """Return how much of the shorter of two bars lies within the other, as a share."""
    low, high = (
        np.maximum(scored.ci_low[left], scored.ci_low[other]),
        np.minimum(scored.ci_high[left], scored.ci_high[other]),
    )
    shorter = min(scored.ci_high[left] - scored.ci_low[left], scored.ci_high[other] - scored.ci_low[other])
    if not shorter > 0:
        return float(high >= low)
    return float(max(0.0, high - low) / shorter)


def _view_of_bars(room: Classroom, paired: Redrawn, cut: Redrawn, scored: Intervals, made: Redrawn) -> View:
    metric, name = room.statistics.metric.name, drawn.difference(room.pair)
    # One axis for both views: that the pile swells is what is to be seen.
    scores, both = np.concatenate([paired.scores, cut.scores]), np.concatenate([paired.values, cut.values])
    low, high = drawn.axis(both, paired.observed)
    left, right = drawn.span(np.concatenate([scores.ravel(), scored.ci_low, scored.ci_high]))
    unit = made.statistics.unit
    how = f"the same {unit}s for both" if made.paired else f"each its own {unit}s, for teaching only"
    start = (
        f"{name} is {drawn.points(room, made.observed)} {metric} ({drawn.positive(room.pair)}). A thread will join "
        f"both scores of a draw; {how}."
    )
    noun = "redraw" if made.paired else "unpaired redraw"
    return View(
        (
            Facts("Each score by itself", ("system", metric, "95% interval"), _bars(room, scored)),
            Threads(
                f"Both scores of a draw: {how}",
                metric,
                left,
                right,
                room.pair,
                tuple((x, y) for x, y in made.scores.T.tolist()),
                tuple(zip(scored.ci_low.tolist(), scored.ci_high.tolist(), strict=True)),
            ),
            Pile(
                "Differences so far" if made.paired else "Differences so far, pairing cut (for teaching only)",
                f"{metric}: {name}",
                low,
                high,
                tuple(made.values.tolist()),
                drawn.observed_marks(room, made.observed),
                drawn.running_ends(made),
                decimals=room.statistics.metric.decimals,
            ),
        ),
        (start, *(drawn.running_text(room, made, draws, noun) for draws in range(1, drawn.STEPS + 1))),
    )


def _bars(room: Classroom, scored: Intervals) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (
            name,
            drawn.score_text(room, scored[name].estimate),
            f"{drawn.score_text(room, scored[name].ci_low)} to {drawn.score_text(room, scored[name].ci_high)}",
        )
        for name in scored.systems
    )


def _revealed(room: Classroom, paired: Redrawn, cut: Redrawn, share: float) -> str:
    metric = room.statistics.metric.name
    (comparison,) = _settings(room, paired.statistics).family(paired.statistics, [room.pair])
    widths = [high - low for low, high in (made.intervals[drawn.ASKED] for made in (paired, cut))]
    swollen = f", {points_text(widths[1] / widths[0], 1)} times as wide" if widths[0] > 0 else ""
    told = "The bars cannot tell" if share > 0 else "Bars that lie apart hint at it; only the difference tells"
    return (
        f"{told}. The middle 95% of {drawn.ASKED:,} paired "
        f"redraws of the difference lie between {drawn.between(room, paired.intervals[drawn.ASKED])} {metric}; with "
        f"the pairing cut, between {drawn.between(room, cut.intervals[drawn.ASKED])}{swollen}. The library's "
        f"own test, by {paired.statistics.unit}s and for this pair alone: {verdict_text(comparison)}"
    )


def _solution_of_bars(room: Classroom) -> str:
    statistics = room.statistics.at(room.unit)
    statistics = statistics.shared_by(statistics.best_first[:_MOST])
    settings = _settings(room, statistics)
    scored, family = settings.intervals(statistics), settings.family(statistics)
    pairs = list(combinations(range(len(statistics.systems)), 2))
    names = [{statistics.systems[x], statistics.systems[y]} for x, y in pairs if shared(scored, x, y) > 0]
    overlapping = [comparison for comparison in family if {comparison.first, comparison.second} in names]
    apart = [
        drawn.difference((comparison.first, comparison.second))
        for comparison in overlapping
        if verdict(comparison).word == "better"
    ]
    which = f": {listed(apart)}" if apart else ""
    return (
        f"Of {number_of(len(pairs), 'pair')}, the bars of {len(names)} overlap. Of these, {len(apart)} "
        f"{'is' if len(apart) == 1 else 'are'} told apart by the difference, corrected for "
        f"{number_of(len(pairs), 'comparison')}{which}."
    )


OVERLAPPING_BARS = Lesson(
    number=6,
    name="overlapping-bars",
    title="Overlapping bars",
    misconception="The confidence intervals overlap, so there is no difference.",
    sections="Koehn (2004), section 6; Zhang and Vogel (2004), section 3.2 and figure 3",
    question="Two scores with wide bars that cover each other: can their difference still be clear?",
    take_home="Compare differences, not bars.",
    exercise="Which pairs of your systems have bars that overlap, and which of these does the difference tell apart?",
    quiz=Quiz(
        "Why can the difference of two systems be known better than either score?",
        (
            "Both were scored on the same segments: what is hard for one is hard for the other, and cancels",
            "The difference has twice as many segments",
            "A difference is always smaller than a score",
            "The bars were drawn at a level that is too high",
        ),
        0,
        "A redraw with many hard segments pulls both scores down. In their difference that cancels, and what stays is "
        "on which segments the two systems do unlike each other.",
    ),
    stage=_stage_of_bars,
    solution=_solution_of_bars,
)
