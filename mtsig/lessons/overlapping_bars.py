"""Lesson 6: two bars may overlap and the difference be clear, for both systems met the same segments."""

from itertools import combinations

import numpy as np

from mtsig.corpus import listed, number_of
from mtsig.inference import Intervals, Settings, points_text, verdict
from mtsig.lab import Redrawn, unpaired
from mtsig.lessons import drawn
from mtsig.lessons.classroom import Classroom
from mtsig.lessons.lesson import Lesson, Quiz
from mtsig.lessons.stage import Ask, Facts, Pile, Stage, Threads, View
from mtsig.metrics import Statistics
from mtsig.report import verdict_text
from mtsig.resampling import Bootstrap

_MOST = 8
"""Systems that are looked through for pairs whose bars overlap."""


def _stage(room: Classroom) -> Stage:
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
            "Same redraws": _view(room, paired, cut, scored, paired),
            "Pairing cut": _view(room, paired, cut, scored, cut),
        },
        reveal=_revealed(room, paired, cut, share),
        reveal_at=drawn.ASKED,
        switch="Pairing",
    )


def _settings(room: Classroom, statistics: Statistics) -> Settings:
    return Settings(seed=room.seed, unit=statistics.unit)


def shared(scored: Intervals, left: int, other: int) -> float:
    """Return how much of the shorter of two bars lies within the other, as a share."""
    low, high = np.maximum(scored.low[left], scored.low[other]), np.minimum(scored.high[left], scored.high[other])
    shorter = min(scored.high[left] - scored.low[left], scored.high[other] - scored.low[other])
    if not shorter > 0:
        return float(high >= low)
    return float(max(0.0, high - low) / shorter)


def _view(room: Classroom, paired: Redrawn, cut: Redrawn, scored: Intervals, made: Redrawn) -> View:
    metric, name = room.statistics.metric.name, drawn.difference(room.pair)
    # One axis for both views: that the pile swells is what is to be seen.
    scores, both = np.concatenate([paired.scores, cut.scores]), np.concatenate([paired.values, cut.values])
    low, high = drawn.axis(both, paired.observed)
    left, right = drawn.span(np.concatenate([scores.ravel(), scored.low, scored.high]))
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
                tuple(zip(scored.low.tolist(), scored.high.tolist(), strict=True)),
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
            f"{drawn.score_text(room, scored[name].low)} to {drawn.score_text(room, scored[name].high)}",
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


def _solution(room: Classroom) -> str:
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
    stage=_stage,
    solution=_solution,
)
