"""Lesson 10: who looks at p again and again, and stops at the first small one, errs far more often than p says."""

from dataclasses import replace

import numpy as np

from mtsig.arrays import Floats
from mtsig.corpus import number_of
from mtsig.errors import NotApplicable
from mtsig.inference import p_text
from mtsig.lab import NEWS, Peeking, PeekingRates, run
from mtsig.lessons.classroom import Classroom
from mtsig.lessons.ground import marks, pair_of, share_of
from mtsig.lessons.lesson import Lesson, Quiz
from mtsig.lessons.made import read
from mtsig.lessons.stage import Ask, Curves, Line, Mark, Stage, View

WORLDS = 100
LOOKS = 10
ALPHA = 0.05
FEWEST = 50
"""Segments: fewer are too few to draw ever new test sets from."""


def peeks(room: Classroom) -> tuple[PeekingRates, str]:
    """Return the worlds, and what they are made of."""
    looking = Peeking(looks=LOOKS, simulations=WORLDS, seed=room.seed)
    try:
        own = pair_of(room)
        watched = run(replace(looking, pair=room.pair), own)
        if own.n >= FEWEST and np.isfinite(watched.p).all():
            return watched, f"the outputs of {room.pair[0]} and {room.pair[1]}"
    except NotApplicable:
        pass
    made = NEWS.simulate({"one": 25.0, "other": 25.0}, size=2000)
    return run(looking, replace(made.statistics, document_of=None)), "simulated segments, as your data are too few"


def _stage(room: Classroom) -> Stage:
    watched, source = peeks(room)
    made = read("ten-looks")
    worlds = len(made["any"])
    ever, end = int(watched.stopped[:, -1].sum()), int(watched.claimed[:, -1].sum())
    return Stage(
        Ask(
            f"No system is better. p is looked at {LOOKS} times while the test set grows, and someone cheers at the "
            f"first p ≤ .05. In how many of {WORLDS} worlds?",
            "number", 0, WORLDS, 1, 0,
        ),
        WORLDS * LOOKS,
        {"": _view(watched, source)},
        f"In {ever} of {WORLDS} at some look, and in {end} at the last look alone. {worlds:,} such worlds made of the "
        f"sample's {' and '.join(made['pair'])} gave {made['any'].count('1') / worlds:.1%} and "
        f"{made['end'].count('1') / worlds:.1%}.",
        WORLDS * LOOKS,
        buttons=(1, LOOKS, 10 * LOOKS, WORLDS * LOOKS),
        verb="Look",
        noun="look",
    )  # fmt: skip


def _view(watched: PeekingRates, source: str) -> View:
    total = WORLDS * LOOKS
    looks = tuple(float(look) for look in range(1, total + 1))
    complete = np.arange(1, WORLDS + 1)
    ever, end = np.cumsum(watched.stopped[:, -1]), np.cumsum(watched.claimed[:, -1])
    # Shares are of worlds that are complete, so they change with every tenth look.
    shares = [np.concatenate([np.zeros(LOOKS - 1), np.repeat(part / complete, LOOKS)])[:total] for part in (ever, end)]
    firsts = watched.claimed & (np.cumsum(watched.claimed, axis=1) == 1)
    lines = [
        Line(name, looks, tuple(float(value) for value in share))
        for name, share in zip(("at any look", "at the last look"), shares, strict=True)
    ]
    panels = (
        Curves(
            "p in one world, look after look; the first p ≤ .05 is ringed", "segments", "p",
            (Line("p", tuple(map(float, np.tile(watched.units, WORLDS))), _plain(watched.p.ravel())),),
            0, float(1.03 * watched.units[-1]), 0, 1, grows=True, run=LOOKS, flags=marks(firsts.ravel()),
            marks=(Mark(ALPHA, ".05"),),
        ),
        Curves(
            "Worlds in which someone cheered", f"looks, {LOOKS} to a world", "share of complete worlds", tuple(lines),
            0, total, 0, float(max(0.5, *(share.max() for share in shares))), grows=True, marks=(Mark(ALPHA, ".05"),),
        ),
    )  # fmt: skip
    says = [
        f"Worlds are made of {source}: labels are exchanged at random, so no system is better. Each grows to "
        f"{watched.units[-1]} segments, and p is looked at every {watched.units[0]}."
    ]
    for world in range(WORLDS):
        first = int(firsts[world].argmax()) if firsts[world].any() else -1
        for look in range(LOOKS):
            flag = "."
            if first >= 0 and look >= first:
                flag = ": here someone cheers." if look == first else f"; someone cheered at look {first + 1}."
            done = world + (look == LOOKS - 1)
            count = int(ever[done - 1]) if done else 0
            tally = f" {count} of {number_of(done, 'complete world')} cheered." if done else ""
            says.append(
                f"World {world + 1}, {watched.units[look]} segments: "
                f"{p_text(float(watched.p[world, look]))}{flag}{tally}"
            )
    return View(panels, tuple(says))


def _plain(values: Floats) -> tuple[float, ...]:
    return tuple(round(float(value), 4) for value in values)


def _solution(room: Classroom) -> str:
    watched, _ = peeks(room)
    first = int(watched.claimed[:, 0].sum())
    second = int(watched.stopped[:, 1].sum())
    ever = int(watched.stopped[:, -1].sum())
    return (
        f"After one look {share_of(first, WORLDS)} worlds have cheered, after two {second}, after {LOOKS} {ever}. A "
        "size fixed beforehand has one look; who wants more must plan them, and divide .05 among them."
    )


PEEKING = Lesson(
    10,
    "peeking",
    "Peeking",
    "I add segments until p is below .05.",
    "Riezler and Maxwell (2005), section 4.4, on many tests; Armitage, McPherson and Rowe (1969) on repeated ones",
    "A test errs in 5% of cases. How often does it err when it is run again after every batch of segments?",
    "Fix the number of segments and of draws first, and look once.",
    "How does the number of worlds in which someone cheers grow from one look to two, and to ten?",
    Quiz(
        "p was .08 on 500 segments. You add 500 more, and p is .04 on all 1,000. What is true?",
        (
            "Had the first p been below .05 you would have stopped: the error rate of the two looks is above 5%",
            "The error rate is 5%, as only the last p is reported",
            "The error rate is 5%, as the larger test set contains the smaller one",
            "The error rate is below 5%, as there are more segments",
        ),
        0,
        "What counts is every p that could have ended the search. Two looks give chance two occasions, and ten looks "
        "about one false alarm in five.",
    ),
    _stage,
    _solution,
)
