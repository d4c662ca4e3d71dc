"""Lesson 4: of many intervals some miss, and no single one says whether it is among them."""

import scipy

from mtsig.inference import points_text
from mtsig.lab import Coverage, CoverageRates, run
from mtsig.lessons.classroom import Classroom
from mtsig.lessons.ground import around, marks, pair_of, points
from mtsig.lessons.lesson import Lesson, Quiz
from mtsig.lessons.stage import Ask, Rows, Stage, View

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


def _stage(room: Classroom) -> Stage:
    score, difference = covered(room, False), covered(room, True)
    low, high, chance = usual()
    return Stage(
        Ask(
            f"Each of {SETS} test sets has a {LEVEL:.0%} interval. How many of your {SETS} will miss the truth?",
            "number", 0, 30, 1, 0,
        ),
        SETS,
        {"one score": _view(room, score), "a difference": _view(room, difference)},
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


def _view(room: Classroom, coverage: CoverageRates) -> View:
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


def _solution(room: Classroom) -> str:
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
    _stage,
    _solution,
)
