"""The games: the line-up, and guessing the p."""

from itertools import combinations

import numpy as np

from mtsig._memory import remembered
from mtsig._probability import points_text
from mtsig._records import Floats
from mtsig.errors import NotApplicable
from mtsig.inference import compare, p_text
from mtsig.inference._significance._base import ApproximateRandomization
from mtsig.lab._draws import trace
from mtsig.lab._material import FEWEST, Pair, Population, of_units, relabel
from mtsig.lessons import _drawn as drawn
from mtsig.lessons import _panels
from mtsig.lessons._p_values import half
from mtsig.lessons._panels import Mark
from mtsig.lessons._stage import Ask, Classroom, Lesson, Quiz, Round, Stage
from mtsig.metrics import Statistics
from mtsig.metrics._metric import sign_of
from mtsig.resampling import Bootstrap, Purpose, Swap, Words, differing_units

PICTURES = 20
SHEETS = 6
WORTH = 10
"""Points for a real picture that was picked."""

HIDDEN = 2
"""Rounds, at least, in which the real picture is not the most conspicuous one, wherever the data have such."""

_PARTS = (1.0, 0.5, 0.25, 0.125)
"""Shares of the segments on which a pair that stands out on all of them may not."""


def differences(statistics: Statistics) -> Floats:
    """Return every system's lead over every other, positive where the row's is better; shape (s, s)."""
    scores = sign_of(statistics.metric) * statistics.scores
    return np.asarray(scores[:, None] - scores[None, :])


def line_up(statistics: Statistics, seed: int) -> tuple[Floats, int]:
    """Return the pictures in order, shape (20, s, s), and which of them is real."""
    place = int(Words(seed, 3, Purpose.ORDERS).take(1, 1)[0, 0] % np.uint64(PICTURES))
    made = [differences(relabel(statistics, seed + number)) for number in range(1, PICTURES)]
    made.insert(place, differences(statistics.shared_by(statistics.systems)))
    return np.array(made), place


def rivals(pictures: Floats, place: int) -> int:
    """Return how many pictures are at least as conspicuous as the real one."""
    largest = np.abs(pictures).max(axis=(1, 2))
    return int(np.sum(np.delete(largest, place) >= largest[place]))


def _stage_of_lineup(room: Classroom) -> Stage:
    pick = Ask(
        f"One of {PICTURES} pictures has the true names. In the others the systems' names were swapped at random in "
        "every segment. Which is the true one?",
        "choice",
        options=tuple(str(number) for number in range(1, PICTURES + 1)),
    )
    return Stage(pick, 0, {}, rounds=tuple(_round_of_lineup(*one) for one in _lined_up(room)))


def _lined_up(room: Classroom) -> list[tuple[Statistics, int]]:
    """Return the systems and the seed of each round: some stand out, others do not, at places that the seed decides."""
    whole = room.statistics.at("segment")
    if len(whole.systems) < 2:
        raise NotApplicable("This game compares systems, but only one is loaded.")
    names = whole.systems[: drawn.MOST_SYSTEMS]
    order = Words(room.seed, 4, Purpose.ORDERS).take(2, max(len(names) * (len(names) - 1) // 2, SHEETS))
    pairs = list(combinations(names, 2))
    groups = [names] * (len(names) > 2) + [pairs[int(k)] for k in np.argsort(order[0, : len(pairs)], kind="stable")]
    rounds: dict[bool, list[tuple[Statistics, int]]] = {True: [], False: []}
    for number, group in enumerate(groups):
        for share in _PARTS:
            statistics, seed = _part(whole.select(group), share), room.seed + 1000 * number
            if not _apart(statistics):
                break
            hidden = rivals(*line_up(statistics, seed)) > 0
            if hidden or share == 1:
                rounds[hidden].append((statistics, seed))
            # A clear pair is shown on fewer segments, too, while there are not enough rounds that hide.
            if hidden or len(rounds[True]) >= HIDDEN:
                break
    if not rounds[True] and not rounds[False]:
        raise NotApplicable(
            f"No two systems differ on {FEWEST} segments or more: after swapping names the picture would often be "
            "the same."
        )
    hiding = rounds[True][: max(HIDDEN, SHEETS - len(rounds[False]))]
    chosen = [*hiding, *rounds[False][: SHEETS - len(hiding)]]
    return [chosen[int(k)] for k in np.argsort(order[1, : len(chosen)], kind="stable")]


def _part(statistics: Statistics, share: float) -> Statistics:
    if share == 1:
        return statistics
    shared = statistics.shared_by(statistics.systems)
    return of_units(shared, np.arange(round(share * shared.n)))


def _apart(statistics: Statistics) -> bool:
    """Return whether every two of the systems differ on units enough that worlds are not the real one again."""
    if statistics.units_of(statistics.systems) < FEWEST:
        return False
    shared = statistics.shared_by(statistics.systems)
    pairs = np.array(list(combinations(range(len(shared.systems)), 2)))
    return bool((differing_units(shared, *pairs.T).sum(axis=-1) >= FEWEST).all())


def _round_of_lineup(statistics: Statistics, seed: int) -> Round:
    pictures, place = line_up(statistics, seed)
    panel = _panels.Lineup(
        f"Differences in {statistics.metric.name} on {statistics.units_of(statistics.systems):,} segments. Rows from "
        f"the top and columns from the left: {', '.join(statistics.systems)}",
        tuple(tuple(map(tuple, picture)) for picture in np.round(pictures, 6).tolist()),
        round(float(np.abs(pictures).max()), 6),
    )
    after = f"{_told(statistics, pictures, place)} Someone who guesses blindly hits it in 1 of {PICTURES} rounds."
    return Round((panel,), float(place), after, tuple(WORTH * (number == place) for number in range(PICTURES)))


def _told(statistics: Statistics, pictures: Floats, place: int) -> str:
    """Return which picture is real, and how it stands among the others."""
    largest, above = np.abs(pictures).max(axis=(1, 2)), rivals(pictures, place)
    digits, name = statistics.metric.decimals, statistics.metric.name
    stands = "it is the largest" if not above else f"{above} of them have one as large, so it is not conspicuous"
    p = half((above + 1) / PICTURES)
    return (
        f"Picture {place + 1} is real. Its largest difference is {points_text(float(largest[place]), digits)} {name}, "
        f"that of the {PICTURES - 1} others at most {points_text(float(np.delete(largest, place).max()), digits)}: "
        f"{stands}. p = ({above} + 1)/({PICTURES - 1} + 1) = {p}."
    )


def _solution_of_lineup(room: Classroom) -> str:
    above = [rivals(*line_up(statistics, seed)) for statistics, seed in _lined_up(room)]
    told = "; ".join(f"{number}: {count or 'none'}" for number, count in enumerate(above, 1))
    return (
        f"This is how many of the {PICTURES - 1} pictures with swapped names have as large a difference as the real "
        f"one, round by round: {told}. Where none has, the real one is conspicuous."
    )


LINEUP = Lesson(
    name="lineup",
    title="Lineup",
    misconception="I see a pattern, so there is one.",
    sections="Riezler and Maxwell (2005), section 4.1; Buja and others (2009), Statistical inference for exploratory "
    "data analysis",
    question="Can you find the picture with the true names among pictures with swapped names?",
    take_home="A result that looks like those with swapped names does not show a difference. Someone who guesses "
    "blindly hits the real one in 1 of 20 rounds.",
    exercise="In which rounds is the picture with the true names conspicuous, and in which do pictures with swapped "
    "names have differences as large?",
    quiz=Quiz(
        "A town's map shows 60 burglaries, 8 of them near one school. A program throws 60 pins onto the map blindly, "
        "19 times: on 7 of the maps some spot has 8 pins or more. Which p goes with “something draws thieves”?",
        f"{half((7 + 1) / (19 + 1))}: 8 of 20 maps",
        (f"{half(8 / 60)}: 8 of 60 pins", f"{half(7 / 19)}: 7 of 19 maps", f"{half(1 / 20)}: 1 of 20 maps"),
        f"The town's map looks like those without any reason behind them, and counts as one of them: p = (7 + 1)/(19 + "
        f"1) = {half((7 + 1) / (19 + 1))}. That does not show that thieves ignore the school.",
    ),
    draw=_stage_of_lineup,
    solve=_solution_of_lineup,
    on="all systems, and pairs of them",
    settings=(("test", "ar"), ("unit", "segment")),
    code="""place = rng.integers(20)
lineup = []
for number in range(20):
    named = values if number == place else np.where(rng.random(n) < 0.5, values[:, ::-1], values)
    lineup.append(abs(np.subtract(*score(named.sum(axis=-1)))))
np.argmax(lineup) == place""",
    is_game=True,
)


ROUNDS = 10
_DRAWS = 999
"""So that p is at least 1 in 1,000."""

_FEWEST, _MOST = 20, 400
_MOST_POINTS = 10
_P = Ask(
    "How large is p? From .001 to .01 the slider goes as far as from .01 to .1, and from .1 to 1.",
    "number", 1 / (_DRAWS + 1), 1.0, 0.02, 3, log=True,
)  # fmt: skip


def _stage_of_guess(room: Classroom) -> Stage:
    rounds = tuple(_round_of_guess(room, number) for number in range(ROUNDS))
    return Stage(_P, 0, {}, pace="hand", noun="round", rounds=rounds)


@remembered(64, lambda room, number: (room.statistics, room.chosen, room.seed, number))
def _round_of_guess(room: Classroom, number: int) -> Round:
    """Return a round: some of the segments drawn again, on which more or less of the real difference is left."""
    pair, size, effect = _chosen(room, number)
    room.statistics.row(pair[0])
    population = Population(room.statistics.at("segment").select(pair), effect=effect)
    statistics = population.draw(min(size, population.size), number, room.seed)
    redrawn = trace(statistics, Bootstrap(_DRAWS, room.seed, "segment"), pair)
    swapped = trace(statistics, Swap(_DRAWS, room.seed, "segment"), pair)
    (comparison,) = compare(statistics, ApproximateRandomization(Swap(_DRAWS, room.seed, "segment")), [pair])
    ends = drawn.axis_around_zero(np.concatenate([redrawn.values, swapped.values]), redrawn.observed)
    far, observed = int(swapped.beyond.sum()), drawn.points(room, redrawn.observed)
    how = "by trying every swap" if comparison.exact else f"({far} + 1)/({_DRAWS} + 1)"
    return Round(
        (
            drawn.pile(room, redrawn, f"{statistics.n} segments, resampled", ends, pair,
                       marks=(Mark(0.0, "no difference"),)),
            drawn.pile(room, swapped, "The same segments, names swapped at random", ends, pair, ", names swapped",
                       marks=(Mark(redrawn.observed, f"observed {observed}"),), beyond=_panels.marks(swapped.beyond),
                       sides=2),
        ),
        comparison.p_value,
        f"{p_text(comparison.p_value)}{',' if comparison.exact else ' ='} {how}. Hatched are the {far} of {_DRAWS} "
        f"random swaps that are at least as far from zero as {observed}, on either side.",
        tuple(points_of_p(comparison.p_value, guess) for guess in _P.places),
    )  # fmt: skip


def _chosen(room: Classroom, number: int) -> tuple[Pair, int, float]:
    """Return a round's pair, the number of its segments, and how much of the real difference is left."""
    room.pair  # noqa: B018 – refuses where there is none
    pairs = list(combinations(room.statistics.best_first[: drawn.MOST_SYSTEMS], 2))
    which, how_many, effect = Words(room.seed, number, Purpose.ROUNDS).uniform(1, 3)[0]
    most = min(_MOST, room.statistics.at("segment").n)
    fewest = min(_FEWEST, most)
    return pairs[int(which * len(pairs))], round(fewest * (most / fewest) ** how_many), float(effect)


def points_of_p(answer: float, guess: float) -> int:
    """Return what a guess is worth: 10 points less 10 for each power of ten that it is off; never below 0.

    Exact values below what can be guessed count as the least that can.
    """
    least = 1 / (_DRAWS + 1)
    off = abs(np.log10(max(answer, least)) - np.log10(max(guess, least)))
    return max(0, round(_MOST_POINTS * (1 - float(off))))


def _solution_of_guess(room: Classroom) -> str:
    answers = [_round_of_guess(room, number).answer for number in range(ROUNDS)]
    said = "; ".join(f"{number}: {p_text(answer)}" for number, answer in enumerate(answers, 1))
    return f"The rounds of seed {room.seed}: {said}."


GUESS_THE_P = Lesson(
    name="guess-the-p",
    title="Guess the p",
    misconception="You can see at a glance whether a difference is significant.",
    sections="Riezler and Maxwell (2005), section 4.1; Koehn (2004), section 5",
    question="Each of ten rounds takes some of the segments, and leaves more or less of the two systems' difference. "
    "The first picture shows differences on resamples, the second differences after random swaps, and the observed "
    "one. How large is p?",
    take_home="p is the share of arrangements of the names at least as far from zero as the observed one, which is one "
    "of them and counts itself: (count + 1)/(swaps + 1).",
    exercise="In which rounds was p at most .05, and what did the first picture look like in them?",
    quiz=Quiz(
        "Cats sleep 3.0 hours longer than dogs. A program shuffles the names “cat” and “dog” 99 times: in 4 shuffles "
        "the gap is above 3.0, in 2 below −3.0, in 93 in between. What is p?",
        half((2 + 4 + 1) / (99 + 1)),
        (half((4 + 1) / 100), half((4 + 4) / 100), half((2 + 4) / 100)),
        "Either animal could have slept longer, so both tails count, and so does what was observed: (2 + "
        "4 + 1)/(99 + 1).",
    ),
    draw=_stage_of_guess,
    solve=_solution_of_guess,
    on="pairs of all systems",
    settings=(("test", "ar"), ("unit", "segment")),
    code="""observed = np.subtract(*score(values.sum(axis=-1)))
draws = [np.subtract(*score(np.where(rng.random(n) < 0.5, values[:, ::-1], values).sum(axis=-1))) for _ in range(999)]
right, left = np.sum(draws >= abs(observed)), np.sum(draws <= -abs(observed))
(right + left + 1) / (999 + 1)""",
    is_game=True,
)
