"""Game A, the lineup (Buja and others 2009): one picture is real, the others are worlds of chance."""

from itertools import combinations

import numpy as np

from mtsig.arrays import Floats
from mtsig.errors import NotApplicable
from mtsig.inference import points_text
from mtsig.lab import FEWEST, relabel
from mtsig.lessons.classroom import Classroom
from mtsig.lessons.lesson import Lesson, Quiz
from mtsig.lessons.stage import Ask, Lineup, Round, Stage
from mtsig.metrics import Statistics
from mtsig.resampling import Purpose, Words, differing_units, sign_of

PICTURES = 20
ROUNDS = 6
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


def _stage(room: Classroom) -> Stage:
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
        rounds=tuple(_round(statistics, seed) for statistics, seed in _lined_up(room)),
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
    return [group for group in groups if _apart(whole.select(group))][:ROUNDS]


def _apart(statistics: Statistics) -> bool:
    """Return whether every two of the systems differ on units enough that worlds are not the real one again."""
    if statistics.units_of(statistics.systems) < FEWEST:
        return False
    shared = statistics.shared_by(statistics.systems)
    return all(
        differing_units(shared, np.array([x]), np.array([y])).sum() >= FEWEST
        for x, y in combinations(range(len(shared.systems)), 2)
    )


def _round(statistics: Statistics, seed: int) -> Round:
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


def points(answer: float, guess: float) -> int:
    """Return what a pick is worth: all for the real picture, nothing for another.

    >>> points(3.0, 3.0), points(3.0, 4.0)
    (10, 0)
    """
    return WORTH if round(answer) == round(guess) else 0


def _solution(room: Classroom) -> str:
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
    _stage,
    _solution,
    points=points,
)
