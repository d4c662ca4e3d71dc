"""Lessons on comparing two systems: bars that overlap, and how many resamples a system wins."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mtsig._probability import count_extreme, monte_carlo_p, p_number, points_text, tolerance
from mtsig._records import Floats
from mtsig.corpus._notes import capital_first, listed, number_of
from mtsig.inference import Intervals, Settings
from mtsig.inference._significance import ShiftBootstrap
from mtsig.inference._targets import Scores, pairs_of
from mtsig.lab import Conclusions, Material
from mtsig.lab._material import Pair, Population
from mtsig.lab._sampling import ConclusionRates, Redrawn, unpaired
from mtsig.lessons import _drawn as drawn
from mtsig.lessons import _stage
from mtsig.lessons._p_values import contrasts, swaps_give
from mtsig.lessons._stage import Ask, Classroom, Lesson, Line, Mark, Stage, View, share_of
from mtsig.resampling import Bootstrap


def _stage_of_bars(room: Classroom) -> Stage:
    paired = drawn.redrawn(room)
    cut = unpaired(room.statistics, Bootstrap(drawn.STEPS, room.seed, room.unit), room.pair)
    scored = Settings(seed=room.seed, unit=paired.statistics.unit).intervals(paired.statistics)
    share = shared(scored.ci_low, scored.ci_high)
    part = f"overlap by {drawn.share_text(share)} of the shorter one" if share > 0 else "do not overlap"
    low, high = paired.intervals[drawn.STEPS]
    least, _ = _reach(scored)
    shown = 0 if share == 0 and low * high > 0 else 1 if abs(paired.observed) < least and low * high <= 0 else 2
    why = [capital_first(_WHY[shown])] * len(_WHY)
    why[shown] = f"Correct: {_WHY[shown]}"
    views = {
        "Same resamples": _view_of_bars(room, paired, cut, scored, paired),
        "Pairing cut": _view_of_bars(room, paired, cut, scored, cut),
    }
    return Stage(
        Ask(
            f"The two bars {part}. Can you tell from them whether the interval of the difference excludes zero?",
            "choice",
            options=("Yes: it excludes zero", "Yes: it includes zero", "No: the bars do not show it"),
        ),
        drawn.STEPS, views, _revealed_of_bars(room, paired, cut, scored, shown), switch="Pairing",
        found=(float(shown),), replies=tuple(why), setting=drawn.systems_text(room),
    )  # fmt: skip


_WHY = (
    "bars that do not overlap show a difference. Bars that overlap mostly do not show whether there is one.",
    "the scores differ by less than the bars do in length, so the interval of the difference includes zero.",
    "each bar is about one system, and does not show whether both scores rise and fall together.",
)
"""What the bars show of the interval of the difference: that it excludes zero, that it includes it, and neither."""


def _reach(scored: Intervals) -> tuple[float, float]:
    """Return between which lengths half of the difference's interval is, however far both scores move together."""
    halves = (scored.ci_high - scored.ci_low) / 2
    return float(np.ptp(halves)), float(halves.sum())


_CLEAR = 2.5
"""Standard errors from which on a difference is clear of zero to anyone."""


def shared(lows: Floats, highs: Floats) -> float:
    """Return how much of the shorter of two bars lies within the other, as a share."""
    low, high, shorter = lows.max(), highs.min(), (highs - lows).min()
    return float(max(0.0, high - low) / shorter) if shorter > 0 else float(high >= low)


def most_hidden(room: Classroom) -> Pair:
    """Return the clearly different pair whose bars cover each other most, or the surest where none is clear.

    If there is one, a pair that is no longer clear when the pairing is cut, which is what the lesson contrasts, and
    none of which lesson 3 has told how sure it is.
    """
    every, told = drawn.measured(room), {frozenset(pair) for twos in contrasts(room)[:1] for pair in twos}
    known = [one for one in every if frozenset(one.pair) not in told] or every
    clear = [one for one in known if one.z > _CLEAR] or sorted(known, key=lambda one: one.z)[-1:]
    statistics = room.statistics.at(room.unit)
    scored = Settings(unit=statistics.unit).intervals(statistics)
    rows = {name: row for row, name in enumerate(scored.systems)}
    # Errors of independent scores add up as squares.
    halves = {row.system: (row.ci_high - row.ci_low) / 2 for row in scored}
    clear = [one for one in clear if one.difference < np.hypot(halves[one.pair[0]], halves[one.pair[1]])] or clear
    at = {one.pair: [rows[name] for name in one.pair] for one in clear}
    covered = {pair: shared(scored.ci_low[two], scored.ci_high[two]) for pair, two in at.items()}
    return max(covered, key=covered.__getitem__, default=room.pair)


def _view_of_bars(room: Classroom, paired: Redrawn, cut: Redrawn, scored: Intervals, made: Redrawn) -> View:
    metric = room.statistics.metric
    # One axis for both views: that the pile swells is what is to be seen.
    scores, both = np.concatenate([paired.scores, cut.scores]), np.concatenate([paired.values, cut.values])
    left, right = drawn.span(scores, scored.ci_low, scored.ci_high)
    unit = made.statistics.unit
    how = f"the same {unit}s for both" if made.paired else f"other {unit}s for each system, for teaching only"
    start = f"{drawn.observed_text(room, made)}. A line joins the two scores of each draw; {how}."
    noun = "resample" if made.paired else "unpaired resample"
    bars = tuple(
        (row.system, drawn.score_text(room, row.score),
         f"{drawn.score_text(room, row.ci_low)} to {drawn.score_text(room, row.ci_high)}")
        for row in scored
    )  # fmt: skip
    joined = np.round(made.scores.T, metric.decimals + 4).tolist()
    title = "Differences so far" if made.paired else "Differences so far, without pairing (for teaching only)"
    panels = (
        _stage.Facts("Each score separately", ("system", metric.name, "95% interval"), bars),
        _stage.Threads(
            f"Both scores of each draw: {how}", metric.name, left, right, room.pair, tuple((x, y) for x, y in joined),
            tuple(zip(scored.ci_low.tolist(), scored.ci_high.tolist(), strict=True)),
        ),
        drawn.pile(room, made, title, drawn.axis(both, paired.observed), ends=drawn.running_ends(made)),
    )  # fmt: skip
    return View(panels, (start, *(drawn.running_text(room, made, k, noun) for k in range(1, drawn.STEPS + 1))))


def _revealed_of_bars(room: Classroom, paired: Redrawn, cut: Redrawn, scored: Intervals, shown: int) -> str:
    low, high = paired.intervals[drawn.STEPS]
    least, most = (drawn.score_text(room, end) for end in _reach(scored))
    opening = (
        "The bars show a difference, because they do not overlap.",
        "The bars show that the interval of the difference includes zero.",
        "These bars cannot show whether there is a difference.",
    )[shown]
    bars = (
        f"{opening} The scores differ by {drawn.score_text(room, abs(paired.observed))}. If both scores always rise "
        f"and fall together, the interval of the difference extends to either side by about {least}, half of the "
        f"difference of the bars' lengths. If one always rises when the other falls, it extends by about {most}, half "
        "of their sum. Usually, it extends by something between the two."
    )
    widths = [high - low for low, high in (made.intervals[drawn.STEPS] for made in (paired, cut))]
    swollen = f", {points_text(widths[1] / widths[0], 1)} times as wide" if widths[0] > 0 else ""
    why = (
        " Segments that are hard for one system are mostly also hard for the other. So on the same segments, both "
        "scores rise and fall together, and this variation mostly cancels in the difference."
        if widths[0] < widths[1]
        else ""
    )
    return (
        f"{bars} The middle 95% of {drawn.STEPS:,} resamples of the difference lie between "
        f"{drawn.between(room, (low, high))} {room.statistics.metric.name}, "
        f"{'clear of' if low * high > 0 else 'on both sides of'} zero. If each system gets its own resample (switch to "
        f"Pairing cut), they lie between {drawn.between(room, cut.intervals[drawn.STEPS])}{swollen}.{why} If this "
        f"is the only comparison, and {paired.statistics.unit}s were drawn at random, one by one, {swaps_give(room)}."
    )


def _solution_of_bars(room: Classroom) -> str:
    paired = drawn.redrawn(room)
    scored = Settings(seed=room.seed, unit=paired.statistics.unit).intervals(paired.statistics)
    moved = -min(paired.intervals[drawn.STEPS], key=abs)
    step = np.array([moved, 0.0])
    before, after = (drawn.share_text(shared(scored.ci_low + by, scored.ci_high + by)) for by in (0 * step, step))
    return (
        f"By {drawn.points(room, moved)}, to {drawn.points(room, paired.observed + moved)}. If the bar of "
        f"{room.pair[0]} moves by as much, the bars overlap by {after} of the shorter one; now it is {before}. "
        "Nothing on the bars marks this point: where it is depends on how far the two scores rise and fall together."
    )


OVERLAPPING_BARS = Lesson.of(
    "overlapping-bars",
    draw=_stage_of_bars,
    solve=_solution_of_bars,
    own=most_hidden,
    # Their difference is clear of zero, and without pairing far from it.
    further=("via-galician", "via-portuguese"),
    settings=(("test", "bootstrap-ci"), ("interval", "percentile"), ("unit", "segment")),
    code="""draws = []
for _ in range(1000):
    one, other = (score(values[..., chosen].sum(axis=-1)) for chosen in rng.integers(n, size=(2, n)))
    draws.append((one[0] - other[1], one[0] - one[1]))
np.divide(*np.ptp(np.quantile(draws, [0.025, 0.975], axis=0), axis=0))""",
)


CLAIMED = 0.95
"""The share of resamples won that Koehn (2004), section 6, calls a conclusion."""

_SIZE, _POINTS = 100, 41
_DRAWS = 500
"""Resamples of each test set: there are a thousand of them."""

_CLOSE, _DISTANT = 0.15, 2.5
"""Standard errors that the true differences of two close systems, and of two distant ones, have on all of the data."""

_BANDS = (0.5, 0.7, 0.9, 0.95)
"""Shares of resamples won from which on winners are counted together."""


@dataclass(frozen=True, eq=False)
class KnownTruth:
    """Winners on test sets of `size` segments from a world in which the pair's first system is truly better.

    difference: by how much. won: the winner's share of resamples, shape (steps,). groups: whether the winner was the
    better one (0), the worse one (1), or neither won (2).
    """

    pair: Pair
    difference: float
    won: Floats
    groups: NDArray[np.int64]
    size: int

    def right(self, low: float, high: float) -> str:
        """Return how many winners of so many resamples, `high` excluded, are the truly better system."""
        winners = self.groups[(self.won > low - 1e-12) & (self.won < high - 1e-12) & (self.groups < 2)]
        return share_of(int((winners == 0).sum()), len(winners)) if len(winners) else "none"


def _claimed(values: Floats) -> NDArray[np.bool_]:
    return np.asarray(values >= CLAIMED - 1e-12)


def _stage_of_wins(room: Classroom) -> Stage:
    alarms, truths = false_alarms(room), known_truths(room)
    # First the one that was asked about.
    views = {"No difference": _no_difference(room, alarms)}
    if truths:
        views["Known truth"] = _known_truth(room, truths)
    views["One pair"] = _resamples(room, drawn.redrawn(room))
    return Stage(
        Ask(
            "In each segment, a coin decides whether the two names are swapped, so neither system is better. On how "
            "many of 100 test sets will one of the two systems win at least "
            f"{drawn.share_text(CLAIMED)} of the resamples?",
            "number", 0.0, 50.0, 1.0, 0,
        ),
        drawn.STEPS, views,
        f"{_alarm_text(_claimed(alarms), drawn.STEPS)} In theory, if neither system is better, each of them wins 95% "
        "or more by chance on 5% of test sets, so one of the two does so on 10%. If test sets are small, or few "
        f"segments carry much of the difference, it is mostly more.{_worth(room, truths)}",
        noun="draw", switch="Look at", found=(float(round(100 * _claimed(alarms).mean())),), near=2.0,
        setting=drawn.systems_text(room),
        missing=() if truths else ("The systems all score the same, so none is truly better.",),
    )  # fmt: skip


def _worth(room: Classroom, truths: tuple[KnownTruth, ...]) -> str:
    """Return how many winners of so many resamples are truly better, in either world."""
    if not truths:
        return ""
    won, less = (listed([f"on {one.right(*ends)}" for one in truths]) for ends in ((CLAIMED, 2.0), _BANDS[1:3]))
    by = listed([drawn.score_text(room, one.difference) for one in truths])
    return (
        " If names are swapped in only a part of the segments, some of the difference remains, and it is known which "
        f"system is truly better. This was done for true differences of {by}, with {drawn.STEPS:,} test sets each. "
        f"Where a system won 95% or more, it was truly better {won}. Where a system won "
        f"{' to '.join(map(drawn.share_text, _BANDS[1:3]))}, it was truly better {less}. The win rate itself does not "
        "show how large the true difference is."
    )


def _resamples(room: Classroom, made: Redrawn) -> View:
    slack = float(tolerance(np.array(made.observed)))
    # 0: the first is ahead; 1: the second; 2: neither.
    groups = np.where(made.values > slack, 0, np.where(made.values < -slack, 1, 2))
    counts = np.stack([np.cumsum(groups == group) for group in range(3)], axis=1).tolist()
    start = (
        f"{drawn.observed_text(room, made)}. The colour of each resample shows which system wins it. The win rate W is "
        "the share of resamples that are won by the system with more wins."
    )
    names = (*(f"{name} ahead" for name in room.pair), "level")
    pile = drawn.pile(
        room, made, f"Resamples of {made.statistics.unit}s, by winner", drawn.axis(made.values, made.observed),
        groups=_stage.marks(groups), group_names=names,
    )  # fmt: skip
    said = (_wins_text(room, draws, row) for draws, row in enumerate(counts, 1))
    return View((pile, slid(room, made)), (start, *said))


def _wins_text(room: Classroom, draws: int, counts: list[int]) -> str:
    first, second, level = counts
    leader = 0 if first >= second else 1
    return (
        f"{number_of(draws, 'resample', ',')}: {room.pair[0]} is ahead in {first:,}, {room.pair[1]} in {second:,}, "
        f"neither in {level:,}. W = {drawn.share_text(counts[leader] / draws)} for {room.pair[leader]}; twice "
        f"the remaining share, with + 1 as in lesson 3, gives p = {doubled(draws - counts[leader], draws)}."
    )


def doubled(rest: int, draws: int) -> str:
    """Return the two-sided p that goes with so many resamples not won, as it is printed: twice (rest + 1)/(R + 1)."""
    return p_number(min(1.0, 2 * float(monte_carlo_p(np.array(rest), draws))))


def slid(room: Classroom, made: Redrawn) -> _stage.Curves:
    """Return the win rate and a two-sided p if the difference were any other, and resamples spread as they do."""
    pairs = pairs_of(Scores(made.statistics, Bootstrap(drawn.STEPS, room.seed, made.statistics.unit)), [room.pair])
    draws = pairs.draws[0]
    spread = float(draws.std()) or 1.0
    x = np.unique([*np.linspace(-3.5 * spread, 3.5 * spread, _POINTS), made.observed])
    wins = np.array([np.mean(draws - made.observed + d > float(tolerance(np.array(d)))) for d in x])
    null = pairs.draws - draws.mean()
    extreme = np.array([count_extreme(null, np.array([d]))[0] for d in x])
    at, shares, p = map(_stage.rounded, (x, wins, monte_carlo_p(extreme, len(draws))))
    tells = tuple(
        f"Suppose that the difference were {drawn.points(room, d)}. Then {room.pair[0]} would win "
        f"{drawn.share_text(share)} of the resamples, and the two-sided p would be {p_number(value)}."
        for d, share, value in zip(at, shares, p, strict=True)
    )
    lines = (
        Line(f"W: resamples in favour of {room.pair[0]}", at, shares),
        Line(f"two-sided p ({ShiftBootstrap.label})", at, p),
    )
    return _stage.Curves(
        "If the difference were different",
        f"{room.statistics.metric.name}: {drawn.difference(room.pair)}, if it had this value",
        "share of resamples, and p", lines, at[0], at[-1], 0.0, 1.0,
        marks=(Mark(CLAIMED, "W = 95%"), Mark(1 - CLAIMED, "p = .05")), tells=tells,
    )  # fmt: skip


def _drawn_from(population: Population, pairs: tuple[Pair, ...], sets: int, seed: int) -> ConclusionRates:
    size = min(_SIZE, population.size)
    plan = Conclusions(n_resamples=_DRAWS, seed=seed, sizes=(size,), sets=(sets,), pairs=pairs, sampling="random")
    return plan.run(Material.of(population))


def false_alarms(room: Classroom) -> Floats:
    """Return the winner's share of resamples on test sets of a population in which neither system is better; (steps,).

    Drawn from the pair's segments, with the names swapped at random in each.
    """
    population = Population(room.statistics.at("segment").select(room.pair), effect=0.0)
    found = _drawn_from(population, (room.pair,), drawn.STEPS, room.seed)
    return np.asarray(np.maximum(found.wins[0][0], found.losses[0][0]))


def known_truths(room: Classroom) -> tuple[KnownTruth, ...]:
    """Return who wins in two worlds made of the classroom's data, one of two close systems and one of distant ones.

    They are made of the least and the most clearly different pair. Names are swapped in a part of the segments, which
    leaves so much of the difference that it is about _CLOSE or _DISTANT standard errors. None where no systems differ.
    """
    every = sorted(drawn.measured(room), key=lambda one: one.z)
    known = [one for one in every if one.z >= _CLOSE] or every
    truths = []
    for one, z in zip((*known[:1], *known[-1:]), (_CLOSE, _DISTANT), strict=False):
        population = Population(room.statistics.at("segment").select(one.pair), effect=min(1.0, z / one.z))
        found = _drawn_from(population, (one.pair,), drawn.STEPS, room.seed)
        wins, losses = found.wins[0][0], found.losses[0][0]
        groups = np.where(wins > losses, 0, np.where(wins < losses, 1, 2))
        difference = population.true_difference(*one.pair)
        truths.append(KnownTruth(one.pair, difference, np.maximum(wins, losses), groups, found.sizes[0]))
    return tuple(truths)


def _shares(title: str, values: Floats, groups: NDArray[np.integer], group_names: tuple[str, ...]) -> _stage.Pile:
    low = min(0.48, float(values.min()) - 0.02)
    return _stage.Pile(
        title, "share of resamples in favour of the winner", low, 1.02, tuple(values.tolist()),
        (Mark(CLAIMED, "95% won"),), groups=_stage.marks(groups), group_names=group_names,
    )  # fmt: skip


def _no_difference(room: Classroom, values: Floats) -> View:
    claimed, size = _claimed(values), min(_SIZE, room.statistics.at("segment").units_of(room.pair))
    title, names = f"Test sets of {size} segments on which neither is better", ("nothing claimed", "false alarm")
    start = (
        f"Each test set has {size} of the segments, with their names swapped by coins. Each set is resampled "
        f"{_DRAWS:,} times."
    )
    said = (_alarm_text(claimed, sets) for sets in range(1, drawn.STEPS + 1))
    return View((_shares(title, values, claimed.astype(np.int64), names),), (start, *said))


def _alarm_text(claimed: NDArray[np.bool_], sets: int) -> str:
    count = int(claimed[:sets].sum())
    return (
        f"{number_of(sets, 'test set', ',')} without any difference: on {count:,} of them "
        f"({drawn.share_text(count / sets)}) one of the two systems won 95% or more."
    )


def _known_truth(room: Classroom, truths: tuple[KnownTruth, ...]) -> View:
    names = ("the truly better system won", "the worse system won", "neither")
    apart = [f"{drawn.score_text(room, truth.difference)} {room.statistics.metric.name}" for truth in truths]
    piles = (
        _shares(f"A truly leads by {by}", truth.won, truth.groups, names)
        for truth, by in zip(truths, apart, strict=True)
    )
    bounds = [drawn.share_text(low) for low in _BANDS]
    rows = tuple(
        (f"{low} to {high}" if high else f"{low} or more", *(truth.right(*ends) for truth in truths))
        for low, high, ends in zip(bounds, (*bounds[1:], ""), pairwise((*_BANDS, 2.0)), strict=True)
    )
    columns = ("bootstrap win rate", *(f"by {by}" for by in apart))
    facts = _stage.Facts("How many of the winners are truly better", columns, rows, drawn.STEPS)
    start = (
        "Two simulations from the data, in which it is known that A is better than B. In one, A and B are close, with "
        f"a true difference of {apart[0]}; in the other, they are distant, with {apart[1]}. Each test set has "
        f"{truths[0].size} segments."
    )
    claims = [(_claimed(truth.won), _claimed(truth.won) & (truth.groups == 0)) for truth in truths]
    close, distant = ([np.cumsum(part).tolist() for part in parts] for parts in claims)
    said = (
        f"{number_of(sets, 'test set', ',')} of each kind. Of the close systems, one won 95% or more on "
        f"{close[0][k]:,} sets. On {close[1][k]:,} of these, it was the truly better system. Of the distant systems, "
        f"one did so on {distant[0][k]:,} sets. On {distant[1][k]:,} of these, it was the truly better system."
        for k, sets in enumerate(range(1, drawn.STEPS + 1))
    )
    return View((*piles, facts), (start, *said))


def _solution_of_wins(room: Classroom) -> str:
    made = drawn.redrawn(room)
    slack = float(tolerance(np.array(made.observed)))
    won, lost = (int(np.count_nonzero(side > slack)) for side in (made.values, -made.values))
    shown = slid(room, made)
    p = shown.lines[1].y[int(np.argmin(np.abs(np.subtract(shown.lines[1].x, made.observed))))]
    return (
        f"{room.pair[0]} wins {drawn.share_text(won / drawn.STEPS)} of {drawn.STEPS:,} resamples. Twice the share of "
        f"the others, with + 1, gives p = {doubled(drawn.STEPS - max(won, lost), drawn.STEPS)}. At "
        f"{drawn.points(room, made.observed)}, the other picture shows p = {p_number(p)} (two-sided, for this pair "
        "alone)."
    )


WIN_RATE = Lesson.of(
    "win-rate",
    draw=_stage_of_wins,
    solve=_solution_of_wins,
    own=drawn.turn(0, lambda one: abs(np.log(one.z / 0.6))),
    further=("via-esperanto", "via-aragonese"),
    settings=(("test", "bootstrap-koehn"), ("unit", "segment")),
    code="""draws = [np.subtract(*score(values[..., rng.integers(n, size=n)].sum(axis=-1))) for _ in range(1000)]
won = np.mean(np.array(draws) > 0)
won, 2 * min(won, 1 - won)""",
)
