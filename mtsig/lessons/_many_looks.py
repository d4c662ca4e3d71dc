"""Lessons on many comparisons and many looks."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mtsig._probability import clopper_pearson
from mtsig._records import Floats
from mtsig.corpus._notes import listed, number_of
from mtsig.errors import NotApplicable
from mtsig.inference import p_text
from mtsig.inference._corrections import Holm
from mtsig.lab import NEWS, Peeking, run
from mtsig.lab._many_tests import PeekingRates, independent_bound
from mtsig.lessons._made import ALPHA, read
from mtsig.lessons._stage import (
    Ask,
    Classroom,
    Crowd,
    Curves,
    Lesson,
    Line,
    Mark,
    Quiz,
    Stage,
    View,
    around,
    marks,
    pair_of,
    share_of,
)
from mtsig.resampling import Purpose, Words

WORLDS = 100
UNCORRECTED, HOLM, MIN_P = "uncorrected", "Holm", "min-P"


def chosen(seed: int) -> tuple[Floats, dict[str, NDArray[np.bool_]]]:
    """Return the worlds that belong to a seed: scores, shape (100, 20), and which systems are called different.

    The latter by correction, shape (100, 19) each, corrected within each world.
    """
    made = read("twenty-equal")
    scores, p, minp = (np.array(made[name]) for name in ("scores", "p", "minp"))
    order = np.argsort(Words(seed, 0, Purpose.ORDERS).take(1, len(scores))[0], kind="stable")[:WORLDS]
    corrected = {UNCORRECTED: p[order], HOLM: np.array([Holm().adjusted(row) for row in p[order]]), MIN_P: minp[order]}
    return scores[order], {name: values <= ALPHA + 1e-12 for name, values in corrected.items()}


def _long_run() -> str:
    """Return in how many of all worlds that were made anything is claimed."""
    ever = read("twenty-equal")["any"]
    worlds = len(ever["none"])
    counts = [ever[name].count("1") for name in ("none", "holm", "minp")]
    shares = [f"{count / worlds:.0%}" for count in counts]
    ends = [
        f"{low:.0%} to {high:.0%}" for low, high in zip(*clopper_pearson(np.array(counts, float), worlds), strict=True)
    ]
    return f"In {worlds:,} worlds: {listed(shares)} (95% intervals {listed(ends)})."


def _counts(claims: Mapping[str, NDArray[np.bool_]]) -> dict[str, int]:
    """Return in how many worlds anything is claimed, by correction."""
    return {name: int(claimed.any(axis=1).sum()) for name, claimed in claims.items()}


def _stage_of_crowd(room: Classroom) -> Stage:
    scores, claims = chosen(room.seed)
    counts = _counts(claims)
    others = scores.shape[1] - 1
    return Stage(
        Ask(
            f"{others} systems and a baseline, all equally good. In how many of {WORLDS} worlds is at least one of "
            f"them called different from the baseline at p ≤ {ALPHA:.2f}?".replace("0.05", ".05"),
            "number", 0, WORLDS, 1, 0,
        ),
        WORLDS,
        {name: _view_of_crowd(scores, claimed, _HOW[name]) for name, claimed in claims.items()},
        f"In {counts[UNCORRECTED]} of {WORLDS} without correction, in {counts[HOLM]} with Holm's, in {counts[MIN_P]} "
        f"with min-P. {others} independent comparisons would come to {float(independent_bound(ALPHA, others)):.0%}; "
        f"these share a baseline. {_long_run()}",
        WORLDS,
        buttons=(1, 10, WORLDS),
        verb="New world",
        noun="world",
        switch="Correction",
    )  # fmt: skip


_HOW = {
    UNCORRECTED: "Each p by itself, by the t test.",
    HOLM: "Holm's correction of the same p: the smallest counts 19-fold, the next 18-fold, and so on.",
    MIN_P: "Min-P: the names are shuffled for all 19 at once, and the smallest p is held against the smallest of each "
    "shuffle.",
}


def _view_of_crowd(scores: Floats, claimed: NDArray[np.bool_], how: str) -> View:
    names = ("baseline", *(f"clone {number}" for number in range(1, scores.shape[1])))
    best = scores.argmax(axis=1)
    crowd = Crowd(
        "Twenty systems of BLEU 25", "BLEU on this world's 300 segments", *around(scores.ravel()), names,
        tuple(tuple(map(float, row)) for row in scores), tuple("0" + marks(row) for row in claimed),
        tuple(map(int, best)),
    )  # fmt: skip
    says = [f"Every system has BLEU 25 in the population. A world is a test set of 300 segments drawn from it. {how}"]
    any_claim = np.cumsum(claimed.any(axis=1))
    for k in range(1, WORLDS + 1):
        winner = names[best[k - 1]]
        says.append(
            f"World {k}: {winner} is best with {scores[k - 1, best[k - 1]]:.1f}; {int(claimed[k - 1].sum())} of "
            f"{claimed.shape[1]} called different from the baseline. So far a false claim in {any_claim[k - 1]} of {k} "
            "worlds."
        )
    return View((crowd,), tuple(says))


def _solution_of_crowd(room: Classroom) -> str:
    counts = _counts(chosen(room.seed)[1])
    told = "; ".join(f"{name}, {share_of(count, WORLDS)}" for name, count in counts.items())
    systems = len(room.statistics.systems)
    pairs = systems * (systems - 1) // 2
    return (
        f"Worlds with a false claim: {told}. Your {systems} systems make {number_of(pairs, 'pair')}: "
        f"were the comparisons independent, an uncorrected .05 would err somewhere in "
        f"{float(independent_bound(ALPHA, pairs)):.0%} of test sets."
    )


TWENTY_EQUAL = Lesson(
    9,
    "twenty-equal",
    "Twenty equal systems",
    "One of them beat the baseline, so it is better.",
    "Riezler and Maxwell (2005), section 4.4",
    "Nineteen clones meet a baseline, all equally good. How often does one of them seem to beat it, or to lose to it?",
    "Search long enough and chance wins: say how many comparisons there were, and correct for them.",
    "How many pairs do your systems make, and how often would uncorrected tests claim something false among so many?",
    Quiz(
        "You tried twenty variants, and the best has p = .03 against the baseline, uncorrected. What does it show?",
        (
            "Little: of twenty equal systems the best often has such a p; correct for all that were tried",
            "The variant is better, as p is below .05",
            "The variant is better, but only the best of the twenty",
            "Nothing can be learnt from twenty systems",
        ),
        0,
        "Each test errs in 5% of cases, and twenty have twenty occasions to. A correction keeps the chance of any "
        "false claim at 5%; leaving the losers out of the paper does not.",
    ),
    _stage_of_crowd,
    _solution_of_crowd,
)


LOOKS = 10
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


def _stage_of_looks(room: Classroom) -> Stage:
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
        {"": _view_of_looks(watched, source)},
        f"In {ever} of {WORLDS} at some look, and in {end} at the last look alone. {worlds:,} such worlds made of the "
        f"sample's {' and '.join(made['pair'])} gave {made['any'].count('1') / worlds:.1%} and "
        f"{made['end'].count('1') / worlds:.1%}.",
        WORLDS * LOOKS,
        buttons=(1, LOOKS, 10 * LOOKS, WORLDS * LOOKS),
        verb="Look",
        noun="look",
    )  # fmt: skip


def _view_of_looks(watched: PeekingRates, source: str) -> View:
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


def _solution_of_looks(room: Classroom) -> str:
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
    _stage_of_looks,
    _solution_of_looks,
)
