"""The worlds of lessons 8, 9 and 13, which take too long to make in class: python docs/lesson_numbers.py.

Each recipe writes a file of mtsig/lessons/data anew; a test makes some of each again and compares.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from mtsig import adjust
from mtsig.inference import compare
from mtsig.inference._significance import ApproximateRandomization, ShiftBootstrap
from mtsig.inference._targets import Scores, pairs_of
from mtsig.inference._tests import RiezlerMaxwell
from mtsig.lab import NEWS
from mtsig.lab._material import Population, of_units
from mtsig.lessons._drawn import ALPHA, FOLDER, SHUFFLES, THREE_ANSWERS, three_answers
from mtsig.lessons._stage import marks
from mtsig.metrics import Statistics
from mtsig.resampling import Bootstrap, Swap

KEPT = 300
"""Worlds of twenty systems from which classes draw theirs; of more it is counted in how many anything is claimed."""


@cache
def equal_systems() -> Statistics:
    """Return BLEU counts of twenty systems that all have BLEU 25 on these 2,000 simulated segments."""
    return NEWS.simulate((25.0,) * 20, size=2000).statistics


def twenty_equal(worlds: int = 1000) -> dict[str, Any]:
    """Return test sets of twenty systems that all have BLEU 25 in the population they are drawn from.

    Of the first KEPT worlds: scores, shape (kept, 20), the first system being the baseline; p: shape (kept, 19), of the
    jackknife t test of it against every other system, uncorrected; minp: shape (kept, 19), of paired randomization of
    the same systems, whose shuffles are joint, corrected by step-down min-P. Of all: any, by correction, a 1 for each
    world in which anything is claimed at ALPHA.
    """
    population = Population(equal_systems())
    scores, p, minp, claimed = [], [], [], []
    for number in range(worlds):
        drawn = replace(population.draw(300, number), document_of=None)
        baseline = drawn.systems[0]
        family = compare(drawn, "jackknife-t", baseline)
        # Draws of their own for every world: shared ones would make the worlds depend on each other.
        shuffled = adjust(compare(drawn, ApproximateRandomization(Swap(SHUFFLES, number, "segment")), baseline), "minp")
        scores.append([round(float(score), 4) for score in drawn.scores])
        p.append([round(float(value), 6) for value in family.p_value])
        minp.append([round(float(value), 6) for value in shuffled.p_adjusted])
        smallest = family.p_value.min(), adjust(family, "holm").p_adjusted.min(), shuffled.p_adjusted.min()
        claimed.append([value <= ALPHA + 1e-12 for value in smallest])
    ever = {
        name: marks(column) for name, column in zip(("none", "holm", "minp"), zip(*claimed, strict=True), strict=True)
    }
    return {"scores": scores[:KEPT], "p": p[:KEPT], "minp": minp[:KEPT], "any": ever}


def large_sets() -> dict[str, Any]:
    """Return what is seen of a true difference of .2 BLEU on the first so many of 200,000 simulated segments.

    All of shape (z,): segments, the difference, and its standard error by the infinitesimal jackknife.
    """
    population = NEWS.simulate({"A": 25.2, "B": 25.0}, size=200_000).statistics
    sizes = (200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000)
    seen = []
    for size in sizes:
        first = replace(of_units(population, np.arange(size)), document_of=None)
        shift = first.influence[0] - first.influence[1]
        error = float(np.sqrt(size / (size - 1) * np.square(shift).sum()))
        seen.append((float(first.scores[0] - first.scores[1]), error))
    return {
        "segments": list(sizes),
        "difference": [round(difference, 6) for difference, _ in seen],
        "error": [round(error, 6) for _, error in seen],
    }


def no_difference(sets: int = 1000) -> dict[str, Any]:
    """Return p by two rules for resamples on test sets made of the three answers' pair, with the names swapped.

    one, both: shape (sets,): by figure 2 of Riezler and Maxwell (2005), and with signs kept.
    """
    population, size = Population(three_answers(), effect=0.0), three_answers().n
    scores = (Scores(population.draw(size, number), Bootstrap(SHUFFLES, number, "segment")) for number in range(sets))
    rules = {"one": RiezlerMaxwell(), "both": ShiftBootstrap()}
    made: dict[str, Any] = {name: [] for name in rules}
    for pairs in (pairs_of(one, [THREE_ANSWERS]) for one in scores):
        for name, rule in rules.items():
            made[name].append(round(float(rule(pairs).p_value[0]), 3))
    return made


RECIPES: dict[str, Callable[[], dict[str, Any]]] = {
    "twenty-equal": twenty_equal,
    "large-sets": large_sets,
    "no-difference": no_difference,
}


def digest_of(made: dict[str, Any]) -> str:
    """Return the SHA-256 digest of what was made, written without spaces."""
    return hashlib.sha256(json.dumps(made, separators=(",", ":")).encode()).hexdigest()


def content_of(name: str, made: dict[str, Any]) -> str:
    """Return a file with what a recipe made, the recipe, and the digest."""
    recipe = f"docs/lesson_numbers.py: {RECIPES[name].__name__}()"
    return json.dumps({"recipe": recipe, "digest": digest_of(made), "made": made}, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    for _name, _recipe in RECIPES.items():
        (FOLDER / f"{_name}.json").write_text(content_of(_name, _recipe()), encoding="utf-8", newline="\n")
