"""Game B: two piles, and p is to be guessed from how they lie."""

from itertools import combinations

import numpy as np

from mtsig.inference import compare, p_text
from mtsig.inference.significance import ApproximateRandomization
from mtsig.lab import Pair, Population, trace
from mtsig.lessons import drawn
from mtsig.lessons.classroom import Classroom
from mtsig.lessons.lesson import Lesson, Quiz
from mtsig.lessons.stage import Ask, Mark, Pile, Round, Stage
from mtsig.resampling import Bootstrap, Purpose, Swap, Words

ROUNDS = 10
_DRAWS = 999
"""So that p is at least 1 in 1,000."""

_FEWEST, _MOST, _SYSTEMS = 20, 400, 8
_MOST_POINTS = 10


def _stage(room: Classroom) -> Stage:
    return Stage(
        ask=Ask("How large is p?", "number", 1 / (_DRAWS + 1), 1.0, 0.02, 3, log=True),
        steps=0,
        views={},
        reveal="",
        reveal_at=0,
        pace="hand",
        noun="round",
        rounds=tuple(_round(room, number) for number in range(ROUNDS)),
    )


def _round(room: Classroom, number: int) -> Round:
    """Return a round: some of the segments drawn anew, on which more or less of the real difference is left."""
    pair, size, effect = _chosen(room, number)
    room.statistics.row(pair[0])
    population = Population(room.statistics.at("segment").select(pair), effect=effect)
    statistics = population.draw(min(size, population.size), number, room.seed)
    redrawn = trace(statistics, Bootstrap(_DRAWS, room.seed, "segment"), pair)
    shuffled = trace(statistics, Swap(_DRAWS, room.seed, "segment"), pair)
    (comparison,) = compare(statistics, ApproximateRandomization(Swap(_DRAWS, room.seed, "segment")), [pair])
    axis, far = f"{room.statistics.metric.name}: {drawn.difference(pair)}", int(shuffled.beyond.sum())
    ends = drawn.axis_around_zero(np.concatenate([redrawn.values, shuffled.values]), redrawn.observed)
    places = room.statistics.metric.decimals + 2
    counted = f"{far} of {_DRAWS} shuffles are at least as far from zero as {drawn.points(room, redrawn.observed)}"
    return Round(
        (
            Pile(
                f"{statistics.n} segments, redrawn",
                axis,
                *ends,
                tuple(np.round(redrawn.values, places).tolist()),
                (Mark(0.0, "no difference"),),
            ),
            Pile(
                "The same, names shuffled",
                f"{axis}, names shuffled",
                *ends,
                tuple(np.round(shuffled.values, places).tolist()),
                (Mark(redrawn.observed, f"observed {drawn.points(room, redrawn.observed)}"),),
            ),
        ),
        comparison.p_value,
        f"{p_text(comparison.p_value)}{', by trying every exchange' if comparison.exact else f': {counted}'}.",
    )


def _chosen(room: Classroom, number: int) -> tuple[Pair, int, float]:
    """Return a round's pair, the number of its segments, and how much of the real difference is left."""
    room.pair  # noqa: B018 – refuses where there is none
    pairs = list(combinations(room.statistics.best_first[:_SYSTEMS], 2))
    which, how_many, effect = Words(room.seed, number, Purpose.ROUNDS).uniform(1, 3)[0]
    most = min(_MOST, room.statistics.at("segment").n)
    fewest = min(_FEWEST, most)
    return pairs[int(which * len(pairs))], round(fewest * (most / fewest) ** how_many), float(effect)


def points(answer: float, guess: float) -> int:
    """Return what a guess is worth: 10 points less 10 for each power of ten that it is off; never below 0.

    Exact values below what can be guessed count as the least that can.

    >>> points(0.05, 0.05), points(0.05, 0.025), points(0.5, 0.001)
    (10, 7, 0)
    """
    least = 1 / (_DRAWS + 1)
    off = abs(np.log10(max(answer, least)) - np.log10(max(guess, least)))
    return max(0, round(_MOST_POINTS * (1 - float(off))))


def _solution(room: Classroom) -> str:
    answers = [_round(room, number).answer for number in range(ROUNDS)]
    said = "; ".join(f"{number}: {p_text(answer)}" for number, answer in enumerate(answers, 1))
    return f"The rounds of seed {room.seed}: {said}."


GUESS_THE_P = Lesson(
    number=15,
    name="guess-the-p",
    title="Guess the p",
    misconception="One sees at a glance whether a difference is significant.",
    sections="Riezler and Maxwell (2005), section 4.1; Koehn (2004), section 5",
    question="In each of ten rounds some of your segments are drawn anew, and the names exchanged on a part of them. "
    "First picture: differences on redraws. Second: differences with the names shuffled, and the one observed. How "
    "large is p?",
    take_home="p is the share of shuffles at least as far out as what was observed, on both sides.",
    exercise="Play the ten rounds with another seed, and hold your guesses against the library's p.",
    quiz=Quiz(
        "The observed difference lies where 25 of 1,000 shuffles are larger. About how large is the two-sided p?",
        (".0125", ".025", ".05", ".25"),
        2,
        "Two-sided, a difference as far out on the other side counts as well: about twice 25 of 1,000.",
    ),
    stage=_stage,
    solution=_solution,
    minutes=10,
    points=points,
)
