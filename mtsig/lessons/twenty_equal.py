"""Lesson 9: of twenty systems that are equally good, one is often called different from the baseline."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from mtsig.arrays import Floats
from mtsig.corpus import listed, number_of
from mtsig.inference.corrections import Holm
from mtsig.inference.probability import clopper_pearson
from mtsig.lab import independent_bound
from mtsig.lessons.classroom import Classroom
from mtsig.lessons.ground import around, marks, share_of
from mtsig.lessons.lesson import Lesson, Quiz
from mtsig.lessons.made import ALPHA, read
from mtsig.lessons.stage import Ask, Crowd, Stage, View
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


def _stage(room: Classroom) -> Stage:
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
        {name: _view(scores, claimed, _HOW[name]) for name, claimed in claims.items()},
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


def _view(scores: Floats, claimed: NDArray[np.bool_], how: str) -> View:
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


def _solution(room: Classroom) -> str:
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
    _stage,
    _solution,
)
