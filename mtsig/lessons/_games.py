"""The games: the line-up, and guessing the p."""

from itertools import combinations

import numpy as np

from mtsig._probability import points_text
from mtsig._records import Floats
from mtsig.errors import NotApplicable
from mtsig.inference import compare, p_text
from mtsig.inference._significance._base import ApproximateRandomization
from mtsig.lab._draws import trace
from mtsig.lab._material import FEWEST, Pair, Population, relabel
from mtsig.lessons import _drawn as drawn
from mtsig.lessons._stage import Ask, Classroom, Lesson, Lineup, Mark, Pile, Quiz, Round, Stage
from mtsig.metrics import Statistics
from mtsig.metrics._metric import sign_of
from mtsig.resampling import Bootstrap, Purpose, Swap, Words, differing_units

PICTURES = 20
SHEETS = 6
WORTH = 10
"""Points for a real picture that was picked."""

MOST_SYSTEMS = 8


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


def _stage_of_lineup(room: Classroom) -> Stage:
    return Stage(
        Ask(
            f"One of {PICTURES} pictures is real. In the others the systems' names were mixed in every segment. Which?",
            "choice",
            options=tuple(str(number) for number in range(1, PICTURES + 1)),
        ),
        0,
        {},
        "",
        0,
        rounds=tuple(_round_of_lineup(statistics, seed) for statistics, seed in _lined_up(room)),
    )


def _lined_up(room: Classroom) -> list[tuple[Statistics, int]]:
    """Return the systems and the seed of each round."""
    whole = room.statistics.at("segment")
    if len(whole.systems) < 2:
        raise NotApplicable("This game compares systems, and here is only one.")
    groups = _groups(whole, room)
    if not groups:
        raise NotApplicable(
            f"No two systems differ on {FEWEST} segments or more: worlds with their labels exchanged would often be "
            "the real one again."
        )
    return [(whole.select(group), room.seed + 1000 * k) for k, group in enumerate(groups)]


def _groups(whole: Statistics, room: Classroom) -> list[tuple[str, ...]]:
    """Return who is lined up in each round: all systems, the room's pair, and other pairs in random order."""
    names = whole.systems[:MOST_SYSTEMS]
    pairs = [pair for pair in combinations(names, 2) if set(pair) != set(room.pair)]
    order = np.argsort(Words(room.seed, 4, Purpose.ORDERS).take(1, max(len(pairs), 1))[0], kind="stable")
    groups: list[tuple[str, ...]] = [names] if len(names) > 2 else []
    groups += [room.pair, *(pairs[int(place)] for place in order[: len(pairs)])]
    return [group for group in groups if _apart(whole.select(group))][:SHEETS]


def _apart(statistics: Statistics) -> bool:
    """Return whether every two of the systems differ on units enough that worlds are not the real one again."""
    if statistics.units_of(statistics.systems) < FEWEST:
        return False
    shared = statistics.shared_by(statistics.systems)
    return all(
        differing_units(shared, np.array([x]), np.array([y])).sum() >= FEWEST
        for x, y in combinations(range(len(shared.systems)), 2)
    )


def _round_of_lineup(statistics: Statistics, seed: int) -> Round:
    pictures, place = line_up(statistics, seed)
    who = " and ".join(statistics.systems) if len(statistics.systems) == 2 else f"{len(statistics.systems)} systems"
    panel = Lineup(
        f"Differences in {statistics.metric.name}: {who}",
        tuple(tuple(tuple(round(float(cell), 6) for cell in row) for row in picture) for picture in pictures),
        round(float(np.abs(pictures).max()), 6),
    )
    after = f"{_told(statistics, pictures, place)} Who knows nothing picks the real one with p = 1/{PICTURES}."
    return Round((panel,), float(place), after)


def _told(statistics: Statistics, pictures: Floats, place: int) -> str:
    """Return which picture is real, and how it stands among the others."""
    largest = np.abs(pictures).max(axis=(1, 2))
    others = np.delete(largest, place)
    digits, name = statistics.metric.decimals, statistics.metric.name
    above = int(np.sum(others >= largest[place]))
    verdict = (
        "it stands out from all of them" if not above else f"{above} of them differ as much or more: it is lost there"
    )
    return (
        f"Picture {place + 1} is real. Its largest difference is {points_text(float(largest[place]), digits)} {name}, "
        f"that of the {PICTURES - 1} others at most {points_text(float(others.max()), digits)}: {verdict}."
    )


def points_of_pick(answer: float, guess: float) -> int:
    """Return what a pick is worth: all for the real picture, nothing for another.

    >>> points_of_pick(3.0, 3.0), points_of_pick(3.0, 4.0)
    (10, 0)
    """
    return WORTH if round(answer) == round(guess) else 0


def _solution_of_lineup(room: Classroom) -> str:
    sentences = (_told(statistics, *line_up(statistics, seed)) for statistics, seed in _lined_up(room))
    return " ".join(f"Round {number}: {told}" for number, told in enumerate(sentences, 1))


LINEUP = Lesson(
    14,
    "lineup",
    "Lineup",
    "I see a pattern, so there is one.",
    "Riezler and Maxwell (2005), section 4.1; Buja and others (2009), Statistical inference for exploratory data "
    "analysis",
    "Can you tell the real differences from those of worlds in which names mean nothing?",
    "What cannot be picked out among nulls is no finding; picking the real one by chance has p = 1/20.",
    "In which rounds does the real picture stand out, and in which do relabelled worlds differ as much?",
    Quiz(
        "In a lineup of 20 you pick the real picture at first sight. What have you done?",
        (
            "A test: without any difference you would have picked it in 1 of 20 cases",
            "Nothing that counts, as no p was computed",
            "You have shown that the systems differ in quality for readers",
            "A test at the level of 1%",
        ),
        0,
        "All twenty pictures are alike if names mean nothing, so the real one is picked with p = 1/20. The eye is the "
        "test statistic.",
    ),
    _stage_of_lineup,
    _solution_of_lineup,
    points=points_of_pick,
)


ROUNDS = 10
_DRAWS = 999
"""So that p is at least 1 in 1,000."""

_FEWEST, _MOST, _SYSTEMS = 20, 400, 8
_MOST_POINTS = 10


def _stage_of_guess(room: Classroom) -> Stage:
    return Stage(
        ask=Ask("How large is p?", "number", 1 / (_DRAWS + 1), 1.0, 0.02, 3, log=True),
        steps=0,
        views={},
        reveal="",
        reveal_at=0,
        pace="hand",
        noun="round",
        rounds=tuple(_round_of_guess(room, number) for number in range(ROUNDS)),
    )


def _round_of_guess(room: Classroom, number: int) -> Round:
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


def points_of_p(answer: float, guess: float) -> int:
    """Return what a guess is worth: 10 points less 10 for each power of ten that it is off; never below 0.

    Exact values below what can be guessed count as the least that can.

    >>> points_of_p(0.05, 0.05), points_of_p(0.05, 0.025), points_of_p(0.5, 0.001)
    (10, 7, 0)
    """
    least = 1 / (_DRAWS + 1)
    off = abs(np.log10(max(answer, least)) - np.log10(max(guess, least)))
    return max(0, round(_MOST_POINTS * (1 - float(off))))


def _solution_of_guess(room: Classroom) -> str:
    answers = [_round_of_guess(room, number).answer for number in range(ROUNDS)]
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
    stage=_stage_of_guess,
    solution=_solution_of_guess,
    minutes=10,
    points=points_of_p,
)
