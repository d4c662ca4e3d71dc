"""Lessons on many comparisons and many looks."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mtsig._memory import remembered
from mtsig._probability import normal_critical, p_number
from mtsig._records import Floats
from mtsig.corpus._notes import number_of
from mtsig.errors import NotApplicable
from mtsig.inference import p_text
from mtsig.inference._corrections import Holm
from mtsig.lab import NEWS, Peeking, run
from mtsig.lab._error_rates import PeekingRates, independent_bound
from mtsig.lessons import _drawn as drawn
from mtsig.lessons import _stage
from mtsig.lessons._drawn import ALPHA, read
from mtsig.lessons._stage import Ask, Classroom, Lesson, Line, Mark, Stage, View, marks, pair_of, share_of
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


def _counts(claims: Mapping[str, NDArray[np.bool_]]) -> dict[str, int]:
    """Return in how many worlds anything is claimed, by correction."""
    return {name: int(claimed.any(axis=1).sum()) for name, claimed in claims.items()}


def _mostly(worlds: int) -> list[str]:
    """Return between which counts of a hundred 95% are if the true rate is ALPHA and so many worlds are counted."""
    spread = WORLDS * float(normal_critical(0.025)) * (ALPHA * (1 - ALPHA) / worlds) ** 0.5
    return [f"{WORLDS * ALPHA + side * spread:.1f}" for side in (-1, 1)]


def _stage_of_crowd(room: Classroom) -> Stage:
    scores, claims = chosen(room.seed)
    counts = _counts(claims)
    others, ever = scores.shape[1] - 1, read("twenty-equal")["any"]
    worlds = len(ever["none"])
    rates = [round(WORLDS * flags.count("1") / worlds) for flags in ever.values()]
    low, high = _mostly(worlds)
    return Stage(
        Ask(
            f"{others} systems and a baseline are all equally good. On average, in how many of {WORLDS} simulated test "
            "sets does at least one of them differ from the baseline with p ≤ .05, if each is tested alone?",
            "number", 0, WORLDS, 1, 0,
        ),
        WORLDS,
        {name: _view_of_crowd(scores, claimed, _HOW[name]) for name, claimed in claims.items()},
        f"On average, in {rates[0]} of {WORLDS} without correction, in {rates[1]} with Holm's, and in {rates[2]} with "
        f"min-P (counted in {worlds:,} worlds; if the true rate is {WORLDS * ALPHA:.0f}, such counts are mostly "
        f"between {low} and {high}). In the hundred worlds here, the counts are {counts[UNCORRECTED]}, {counts[HOLM]} "
        f"and {counts[MIN_P]}; by chance, they can be higher or lower. The simplest correction, Bonferroni's, "
        f"multiplies every p by the number of comparisons, here {others}. {_HOW[HOLM]} {_HOW[MIN_P]} If the {others} "
        f"comparisons were independent, the probability of no claim would be .95 × .95 × … ({others} times) = "
        f"{(1 - ALPHA) ** others:.0%}. The probability of one or more claims would be "
        f"{float(independent_bound(ALPHA, others)):.0%}. But all "
        "comparisons share a baseline. If the baseline scores unusually high or low, many clones differ from it at "
        "once: the false claims are in fewer worlds.",
        buttons=(1, 10, WORLDS), verb="New world", noun="world", switch="Correction",
        found=(float(rates[0]),), near=5.0,
        setting=f"A world is a test set of 300 simulated segments, translated by all {others + 1} systems.",
    )  # fmt: skip


_HOW = {
    UNCORRECTED: "Each p is reported as if it were the only comparison.",
    HOLM: "Holm's correction multiplies the smallest p by 19, the next one by 18, and so on; from the first product "
    "above .05, nothing is significant.",
    MIN_P: "Min-P swaps names at random for all 19 comparisons at once, and computes their p from each random swap, as "
    "if it had been observed. It compares the smallest observed p with the smallest p of each random swap.",
}


def _view_of_crowd(scores: Floats, claimed: NDArray[np.bool_], how: str) -> View:
    names = ("baseline", *(f"clone {number}" for number in range(1, scores.shape[1])))
    best, any_claim = scores.argmax(axis=1), np.cumsum(claimed.any(axis=1))
    values, flags = tuple(map(tuple, scores.tolist())), tuple("0" + marks(row) for row in claimed)
    ends = drawn.span(scores)
    panels = (
        _stage.Worlds("A hundred worlds of twenty equal systems", *ends, values, flags, ("no claim", "a false claim")),
        _stage.Crowd(
            "The last world, or the one you point at", "BLEU on this world's 300 segments", *ends, names, values, flags,
            tuple(best.tolist()),
        ),
    )  # fmt: skip
    says = [f"On all simulated segments, every system has BLEU 25. {how}"]
    says += [
        f"World {k}: {names[best[k - 1]]} is best with {scores[k - 1, best[k - 1]]:.1f}; {int(claimed[k - 1].sum())} "
        f"of {claimed.shape[1]} differ significantly from the baseline. So far, {any_claim[k - 1]} of {k} worlds had a "
        "false claim."
        for k in range(1, WORLDS + 1)
    ]
    # What a class pools: every seed has a hundred worlds of its own.
    own = (float(any_claim[-1]),) if how == _HOW[UNCORRECTED] else ()
    return View(panels, tuple(says), found=own)


def _solution_of_crowd(room: Classroom) -> str:
    counts = _counts(chosen(room.seed)[1])
    told = "; ".join(f"{name}, {share_of(count, WORLDS)}" for name, count in counts.items())
    systems = chosen(room.seed)[0].shape[1]
    pairs = systems * (systems - 1) // 2
    return (
        f"Worlds with a false claim: {told}. {systems} systems form {systems} · {systems - 1}/2 = {pairs} pairs. "
        f"Without correction, about {ALPHA * pairs:g} of {pairs} comparisons of equal systems are significant by "
        f"chance. Holm's correction would multiply the smallest p by {pairs}."
    )


TWENTY_EQUAL = Lesson.of(
    "twenty-equal",
    draw=_stage_of_crowd,
    solve=_solution_of_crowd,
    on=_stage.SIMULATED,
    settings=(("correction", "holm"), ("unit", "segment")),
    code="""clones, baseline = rng.normal(size=(1000, 19)), rng.normal(size=(1000, 1))
z = np.abs(clones - baseline).max(axis=1) / np.sqrt(2)
np.mean(z > 1.96), np.mean(z > 3.01)  # p <= .05, and p <= .05 / 19""",
)


LOOKS = 10
STRICT = 0.01
"""The limit at each of them by which a twentieth of all worlds, about, are ever called different (Pocock 1977)."""

FEWEST = 50
"""Segments: fewer are too few to draw ever new test sets from."""

COUNTED = 2_000
"""Worlds from which the rates come; the first WORLDS of them are drawn."""


@remembered(16, lambda room: (room.statistics, room.pair, room.seed))
def peeks(room: Classroom) -> tuple[PeekingRates, str]:
    """Return the worlds, and what they are made of."""
    looking = Peeking(looks=LOOKS, simulations=COUNTED, seed=room.seed)
    try:
        own = pair_of(room)
        watched = run(replace(looking, pair=room.pair), own)
        if own.n >= FEWEST and np.isfinite(watched.p).all():
            return watched, f"the outputs of {room.pair[0]} and {room.pair[1]}"
    except NotApplicable:
        pass
    made = NEWS.simulate({"one": 25.0, "other": 25.0}, size=2000)
    return run(looking, replace(made.statistics, document_of=None)), "simulated segments, because you have too few"


def _stage_of_looks(room: Classroom) -> Stage:
    watched, source = peeks(room)
    ever, end = watched.stopped[:, -1], watched.claimed[:, -1]
    rate, at_two, at_end = (WORLDS * float(flags.mean()) for flags in (ever, watched.stopped[:, 1], end))
    low, high = _mostly(COUNTED)
    return Stage(
        Ask(
            f"No system is better. p is checked {LOOKS} times while the test set grows, and a researcher cheers at the "
            f"first p ≤ .05. On average, in how many of {WORLDS} worlds does the researcher cheer?",
            "number", 0, WORLDS, 1, 0,
        ),
        WORLDS * LOOKS,
        {"": _view_of_looks(watched)},
        f"With {LOOKS} looks, the researcher cheers in {rate:.1f} of {WORLDS} worlds on average; with "
        f"the first two looks, in {at_two:.1f}; with only the last look, in {at_end:.1f} (counted in {COUNTED:,} "
        f"worlds; if the true rate is {WORLDS * ALPHA:.0f}, such counts are mostly between {low} and {high}). In the "
        f"hundred worlds here, the counts are {ever[:WORLDS].sum()} and {end[:WORLDS].sum()} (ten looks, and only the "
        f"last); by chance, they can be higher or lower. {LOOKS} tests of different segments would give "
        f"{WORLDS * float(independent_bound(ALPHA, LOOKS)):.0f} of {WORLDS}. Here the rate is lower, because every "
        "look includes the segments of the looks before.",
        buttons=(1, LOOKS, 10 * LOOKS, WORLDS * LOOKS), verb="Look", noun="look", found=(float(round(rate)),),
        near=4.0,
        setting=f"A world is a test set that grows from {watched.units[0]} segments to {watched.units[-1]}. They are "
        f"drawn, with replacement, from {source}. In each segment, the two names are swapped at random, so no "
        "system is better.",
    )  # fmt: skip


def _view_of_looks(watched: PeekingRates) -> View:
    p, claimed = np.round(watched.p[:WORLDS], 6), watched.claimed[:WORLDS]
    ever = np.cumsum(watched.stopped[:WORLDS, -1])
    firsts = claimed & (np.cumsum(claimed, axis=1) == 1)
    panels = (
        _stage.Curves(
            "p in one world, look after look; the first p ≤ .05 is ringed", "segments", "p",
            (Line("p", tuple(np.tile(watched.units.astype(float), WORLDS).tolist()), tuple(p.ravel().tolist())),),
            0, float(1.03 * watched.units[-1]), 0, 1, grows=True, run=LOOKS, flags=marks(firsts.ravel()),
            marks=(Mark(ALPHA, ".05"),),
        ),
        _stage.Worlds(
            "A hundred worlds, each with its line of p", 0.0, 1.0, tuple(map(tuple, p.tolist())),
            tuple(marks(row) for row in firsts), ("no one cheered", "someone cheered"), LOOKS, True, ALPHA,
        ),
    )  # fmt: skip
    says = [f"In each world, p is computed after every {watched.units[0]} segments."]
    for world in range(WORLDS):
        first = int(firsts[world].argmax()) if firsts[world].any() else -1
        for look in range(LOOKS):
            flag = "."
            if first >= 0 and look >= first:
                flag = ": here someone cheers." if look == first else f"; the researcher cheered at look {first + 1}."
            done = world + (look == LOOKS - 1)
            count = int(ever[done - 1]) if done else 0
            tally = f" {count} of {number_of(done, 'complete world')} cheered." if done else ""
            says.append(
                f"World {world + 1}, {watched.units[look]} segments: "
                f"{p_text(float(watched.p[world, look]))}{flag}{tally}"
            )
    return View(panels, tuple(says), found=(float(ever[-1]),))


def _solution_of_looks(room: Classroom) -> str:
    watched, _ = peeks(room)
    first, second, ever = (int(watched.stopped[:WORLDS, look].sum()) for look in (0, 1, -1))
    strict = WORLDS * float((watched.p <= STRICT + 1e-12).any(axis=1).mean())
    return (
        f"The researcher has cheered in {share_of(first, WORLDS)} worlds after one look, in {second} after two, and in "
        f"{ever} after {LOOKS}. With a size fixed first, you look once. With several looks, each needs a stricter "
        f"limit: with {p_number(STRICT, 2)} instead of {p_number(ALPHA, 2)} at each of the {LOOKS} looks, the "
        f"researcher cheers in {strict:.1f} of {WORLDS} worlds on average ({COUNTED:,} worlds)."
    )


PEEKING = Lesson.of(
    "peeking",
    draw=_stage_of_looks,
    solve=_solution_of_looks,
    own=drawn.turn(7),
    settings=(("unit", "segment"),),
    code="""swapped = lambda units: np.where(rng.random(500) < 0.5, values[:, ::-1][..., units], values[..., units])
worlds = [swapped(rng.integers(n, size=500)) for _ in range(100)]
d = lambda sums: np.subtract(*score(sums))
t = lambda x: d(x.sum(axis=-1)) / (d(x.sum(axis=-1, keepdims=True) - x).std() * np.sqrt(x.shape[-1] - 1) + 1e-9)
np.sum([max(abs(t(one[..., :k])) for k in range(50, 501, 50)) > 1.96 for one in worlds])""",
)
