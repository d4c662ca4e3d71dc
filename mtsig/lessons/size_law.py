"""Lesson 5: intervals narrow with the square root of the test set's size."""

import numpy as np

from mtsig.ablation import Ablation, SizeCurves, ablate
from mtsig.errors import NotApplicable
from mtsig.inference import points_text
from mtsig.lab import Separation, law_text, run
from mtsig.lessons.classroom import Classroom
from mtsig.lessons.ground import around, pair_of
from mtsig.lessons.lesson import Lesson, Quiz
from mtsig.lessons.stage import Ask, Curves, Line, Stage, View

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
    sized = ablate(chosen, Ablation(SIZES, seed=room.seed, unit="segment"), pair)
    if not np.isfinite(sized.half_width[[SIZES.index(QUARTER), -1], 0]).all():
        raise NotApplicable(
            f"Small parts of these data have no {sized.metric} interval by the jackknife: an n-gram order has no match."
        )
    return sized


def _stage(room: Classroom) -> Stage:
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
        {"one score": _view(score, digits), "a difference": _view(difference, digits)},
        f"About {4 * n:,}, four times as many. It shows backwards: on a quarter of the segments, "
        f"{int(score.units[SIZES.index(QUARTER)]):,}, the interval is ±{quarter}, {times:.2f} times as wide as "
        f"±{whole}.",
        len(SIZES),
        pace="slider",
        verb="Take",
        noun="size",
        switch="Interval of",
    )  # fmt: skip


def _view(sized: SizeCurves, digits: int) -> View:
    known = np.isfinite(sized.half_width[:, 0])
    units = sized.units.astype(float)
    x = tuple(map(float, units[known]))
    low, mean, high, width = (
        tuple(map(float, values[known, 0])) for values in (sized.low, sized.mean, sized.high, sized.half_width)
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


def _solution(room: Classroom) -> str:
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
    _stage,
    _solution,
)
