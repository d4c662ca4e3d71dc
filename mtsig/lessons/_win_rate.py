"""Lesson 7: how many redraws a system wins, and what that is worth."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from mtsig._probability import clopper_pearson, count_extreme, monte_carlo_p, p_number, p_text, tolerance
from mtsig._records import Floats
from mtsig.corpus._notes import number_of
from mtsig.inference._significance._base import ShiftBootstrap
from mtsig.inference._targets import Scores, pairs_of
from mtsig.lab import Conclusions, Material
from mtsig.lab._draws import Redrawn
from mtsig.lab._material import Population
from mtsig.lessons import _drawn as drawn
from mtsig.lessons._p_values import p_of
from mtsig.lessons._stage import Ask, Classroom, Curves, Facts, Lesson, Line, Mark, Pile, Quiz, Stage, View
from mtsig.metrics import Statistics
from mtsig.resampling import Bootstrap

CLAIMED = 0.95
"""Share of redraws won that K04 section 6 calls a conclusion."""

_SIZE, _SYSTEMS, _POINTS = 100, 5, 41
_DRAWS = 500
"""Redraws of each test set: there are more than a thousand of them."""


@dataclass(frozen=True, eq=False)
class KnownTruth:
    """Winners on test sets of `size` segments from a population whose better system is known; arrays of shape (steps,).

    won: the winner's share of redraws. groups: whether the winner was the better one (0), the worse one (1), or neither
    won (2). bins: by redraws won, how many of all test sets there are, and how many name the better one (K04 table 4).
    """

    won: Floats
    groups: NDArray[np.int64]
    size: int
    bins: tuple[tuple[float, int, int], ...]


def _stage(room: Classroom) -> Stage:
    made = drawn.redrawn(room)
    alarms = false_alarms(room)
    # First the one that was asked about.
    views = {"No difference": _no_difference(room, alarms), "Your redraws": _redraws(room, made)}
    known = known_truth(room)
    if known is not None:
        views["Known truth"] = _known_truth(known)
    return Stage(
        ask=Ask(
            f"On test sets where neither system is better, in how many of 100 will one of the two win "
            f"{drawn.share_text(CLAIMED)} of the redraws or more?",
            "number",
            0.0,
            50.0,
            0.5,
            1,
        ),
        steps=drawn.STEPS,
        views=views,
        reveal=f"{_alarm_text(alarms >= CLAIMED - 1e-12, drawn.ASKED)} A rule that erred in 5 of 100 would ask for "
        "97.5% of the redraws, or for the direction before the scores are known.",
        reveal_at=drawn.ASKED,
        noun="draw",
        switch="Look at",
        missing=() if known is not None else ("The systems all score the same, so none is truly better.",),
    )


def _redraws(room: Classroom, made: Redrawn) -> View:
    metric, name = room.statistics.metric.name, drawn.difference(room.pair)
    low, high = drawn.axis(made.values, made.observed)
    slack = float(tolerance(np.array(made.observed)))
    # 0: the first is ahead; 1: the second; 2: neither.
    groups = np.where(made.values > slack, 0, np.where(made.values < -slack, 1, 2))
    counts = np.stack([np.cumsum(groups == group) for group in range(3)], axis=1).tolist()
    start = (
        f"{name} is {drawn.points(room, made.observed)} {metric} ({drawn.positive(room.pair)}). Each redraw will be "
        "coloured by its winner."
    )
    return View(
        (
            Pile(
                f"Redraws of {made.statistics.unit}s, by winner",
                f"{metric}: {name}",
                low,
                high,
                tuple(made.values.tolist()),
                drawn.observed_marks(room, made.observed),
                groups=drawn.marks(groups),
                group_names=(f"{room.pair[0]} ahead", f"{room.pair[1]} ahead", "level"),
            ),
            slid(room, made),
        ),
        (start, *(_wins_text(room, draws, row) for draws, row in enumerate(counts, 1))),
    )


def _wins_text(room: Classroom, draws: int, counts: list[int]) -> str:
    first, second, level = counts
    leader = 0 if first >= second else 1
    rest = draws - counts[leader]
    return (
        f"{number_of(draws, 'redraw', ',')}: {room.pair[0]} ahead in {first:,}, {room.pair[1]} in "
        f"{second:,}, level in {level:,}. W = {drawn.share_text(counts[leader] / draws)} for {room.pair[leader]}; the "
        f"share it did not win, doubled: p about {doubled(rest, draws)}."
    )


def doubled(rest: int, draws: int) -> str:
    """Return the two-sided p that goes with so many redraws not won, as it is printed: twice (rest + 1)/(R + 1)."""
    return p_number(min(1.0, 2 * float(monte_carlo_p(np.array(rest), draws))))


def slid(room: Classroom, made: Redrawn) -> Curves:
    """Return the win rate and a two-sided p if the difference were any other, and redraws spread as they do."""
    pairs = pairs_of(Scores(made.statistics, Bootstrap(drawn.ASKED, room.seed, made.statistics.unit)), [room.pair])
    draws = pairs.draws[0]
    spread = float(draws.std()) or 1.0
    x = np.unique([*np.linspace(-3.5 * spread, 3.5 * spread, _POINTS), made.observed])
    wins = np.array([np.mean(draws - made.observed + d > float(tolerance(np.array(d)))) for d in x])
    null = pairs.draws - draws.mean()
    extreme = np.array([count_extreme(null, np.array([d]))[0] for d in x])
    at, shares, p = tuple(x.tolist()), tuple(wins.tolist()), tuple(monte_carlo_p(extreme, len(draws)).tolist())
    return Curves(
        "Had the difference been another",
        f"{room.statistics.metric.name}: {drawn.difference(room.pair)}, if it were so large",
        "share of redraws won, and p",
        (
            Line(f"W: redraws won by {room.pair[0]}", at, shares),
            Line(f"two-sided p ({ShiftBootstrap.label})", at, p),
        ),
        at[0],
        at[-1],
        0.0,
        1.0,
        marks=(Mark(CLAIMED, "W = 95%"), Mark(1 - CLAIMED, "p = .05")),
        tells=tuple(
            f"Were the difference {drawn.points(room, d)}, {room.pair[0]} would win {drawn.share_text(share)} of the "
            f"redraws, and the two-sided p would be {p_number(value)}."
            for d, share, value in zip(at, shares, p, strict=True)
        ),
    )


def _size(statistics: Statistics) -> int:
    return min(_SIZE, statistics.n)


def _population(room: Classroom, systems: tuple[str, ...], effect: float = 1.0) -> Population:
    return Population(room.statistics.at("segment").select(systems), effect=effect)


def false_alarms(room: Classroom) -> Floats:
    """Return the winner's share of redraws on test sets of a population in which neither system is better; (steps,).

    Drawn from the pair's segments, with the labels exchanged at random in each.
    """
    population = _population(room, room.pair, effect=0.0)
    bootstraps = Conclusions(
        n_resamples=_DRAWS, seed=room.seed, sizes=(_size(population.statistics),), sets=(drawn.STEPS,),
        pairs=(room.pair,), sampling="random",
    ).run(Material.of(population))  # fmt: skip
    return np.asarray(np.maximum(bootstraps.wins[0][0], bootstraps.losses[0][0]))


def known_truth(room: Classroom) -> KnownTruth | None:
    """Return who wins on test sets drawn from the classroom's own, which is taken as the whole truth.

    Every pair that differs of at most the five best systems; None where there is none.
    """
    names = tuple(room.statistics.best_first[:_SYSTEMS])
    population = _population(room, names)
    truly = [pair for pair in combinations(names, 2) if abs(population.true_difference(*pair)) > 1e-9]
    if not truly:
        return None
    size = _size(population.statistics)
    bootstraps = Conclusions(
        n_resamples=_DRAWS, seed=room.seed, sizes=(size,), sets=(-(-drawn.STEPS // len(truly)),), pairs=tuple(truly),
        sampling="random",
    ).run(Material.of(population))  # fmt: skip
    # Pair after pair on each test set, so that the first steps hold every pair.
    wins, losses = (part[0].T.ravel()[: drawn.STEPS] for part in (bootstraps.wins, bootstraps.losses))
    groups = np.where(wins > losses, 0, np.where(wins < losses, 1, 2))
    return KnownTruth(np.maximum(wins, losses), groups, size, bootstraps.by_win_rate())


def _shares(title: str, values: Floats, groups: NDArray[np.integer], group_names: tuple[str, ...]) -> Pile:
    low = min(0.48, float(values.min()) - 0.02)
    return Pile(
        title,
        "share of redraws won by the winner",
        low,
        1.02,
        tuple(values.tolist()),
        (Mark(CLAIMED, "95% won"),),
        groups=drawn.marks(groups),
        group_names=group_names,
    )


def _no_difference(room: Classroom, values: Floats) -> View:
    claimed = values >= CLAIMED - 1e-12
    size = _size(_population(room, room.pair).statistics)
    pile = _shares(
        f"Test sets of {size} segments on which neither is better",
        values,
        claimed.astype(np.int64),
        ("nothing claimed", "false alarm"),
    )
    start = (
        f"Test sets of {size} of your segments, the two names exchanged at random in each: neither system is better. "
        f"Each is redrawn {_DRAWS:,} times."
    )
    return View((pile,), (start, *(_alarm_text(claimed, sets) for sets in range(1, drawn.STEPS + 1))))


def _alarm_text(claimed: NDArray[np.bool_], sets: int) -> str:
    count = int(claimed[:sets].sum())
    low, high = clopper_pearson(np.array([float(count)]), sets)
    return (
        f"{number_of(sets, 'test set', ',')} without any difference: in {count:,} one of the two won 95% or "
        f"more, {drawn.share_text(count / sets)} (95% interval {drawn.share_text(float(low[0]))} to "
        f"{drawn.share_text(float(high[0]))})."
    )


def _known_truth(judged: KnownTruth) -> View:
    claimed = judged.won >= CLAIMED - 1e-12
    concluded, right = np.cumsum(claimed).tolist(), np.cumsum(claimed & (judged.groups == 0)).tolist()
    start = (
        f"Your test set, taken as the whole truth: test sets of {judged.size} segments are drawn from it, and each "
        "pair of systems meets on them."
    )
    said = (
        f"{number_of(sets, 'test set', ',')}: in {all_claims:,} a system won 95% or more, in {true_claims:,} "
        "of these the truly better one."
        for sets, (all_claims, true_claims) in enumerate(zip(concluded, right, strict=True), 1)
    )
    names = ("the truly better one won", "the worse one won", "neither won")
    rows = tuple(
        (f"from {drawn.share_text(bound)}", f"{count:,}", drawn.share_text(right_ones / count))
        for bound, count, right_ones in judged.bins
        if count
    )
    bins = Facts("All of these test sets", ("redraws won", "test sets", "won by the truly better one"), rows)
    return View((_shares("Winners, right and wrong", judged.won, judged.groups, names), bins), (start, *said))


def _solution(room: Classroom) -> str:
    made = drawn.redrawn(room, drawn.ASKED)
    slack = float(tolerance(np.array(made.observed)))
    won, lost = (int(np.count_nonzero(side > slack)) for side in (made.values, -made.values))
    p, _ = p_of(room, room.pair, 10_000)
    rest = doubled(drawn.ASKED - max(won, lost), drawn.ASKED)
    return (
        f"{room.pair[0]} wins {drawn.share_text(won / drawn.ASKED)} of {drawn.ASKED:,} redraws. What the system ahead "
        f"more often does not win, doubled, gives a p of about {rest}; paired randomization gives {p_text(p)}, this "
        "pair alone, two-sided. A two-sided p of .05 takes about 97.5% of the redraws."
    )


WIN_RATE = Lesson(
    number=7,
    name="win-rate",
    title="Win rate",
    misconception="It wins 73% of the redraws, so it is better with a probability of 73%.",
    sections="Koehn (2004), sections 6 and 7 and table 4",
    question="A system wins 95% of the redraws. How sure can we be of it?",
    take_home="A win rate W is about 1 minus a one-sided p; what 95% is worth depends on who competes.",
    exercise="Which share of redraws does your first system win? Double the rest, and hold it against the p of paired "
    "randomization.",
    quiz=Quiz(
        "A paper calls a system better when it wins at least 95% of the redraws, whichever system that is. With equal "
        "systems, how often does it call one better?",
        ("Never", "In about 5 of 100 test sets", "In about 10 of 100 or more", "In 95 of 100"),
        2,
        "Each side has its own 5%, and either side may win: together about 10, and more on small test sets.",
    ),
    stage=_stage,
    solution=_solution,
)
