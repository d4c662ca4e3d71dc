"""Lessons on p-values: swapped names, where p comes from, and the p that is half."""

from collections.abc import Sequence
from functools import partial
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from mtsig._memory import remembered
from mtsig._probability import clopper_pearson, count_extreme, monte_carlo_p, p_number, points_text, tolerance
from mtsig._records import Floats
from mtsig.corpus._notes import number_of
from mtsig.errors import NotApplicable
from mtsig.inference import compare, p_text
from mtsig.inference._audit import as_sacrebleu
from mtsig.inference._significance import ApproximateRandomization, SacrebleuBootstrap, redrawn_as_sacrebleu
from mtsig.lab._compared import figure_two_size
from mtsig.lab._material import FEWEST, Pair, Population
from mtsig.lab._sampling import Exchanged, trace
from mtsig.lessons import _drawn as drawn
from mtsig.lessons import _stage
from mtsig.lessons._drawn import ALPHA, SHUFFLES, THREE_ANSWERS, read, three_answers
from mtsig.lessons._stage import Ask, Classroom, Lesson, Line, Mark, Stage, View, marks, pair_of, points, rounded
from mtsig.metrics import Statistics
from mtsig.metrics._metric import sign_of
from mtsig.resampling import Swap, shuffle

_SMALL, _MORE = 1.5 / (drawn.STEPS + 1), 10_000
"""Where the usual swaps give the smallest p that they can, more are tried: so many."""

EVERY, APART, FEW, MOST = 10, 2.8, 99, 200
"""Of many pairs one in so many differs, by so many standard errors; swaps, and segments at most, of each."""

MANY = "Many pairs"


half = partial(p_number, decimals=3)
"""p without its name, with the digits that are said in class."""


NOUN = "random swap"
"""What one draw of swapped names is called, here and on the pages."""


def _stage_of_swap(room: Classroom) -> Stage:
    made = drawn.exchanged(room)
    unit, n, metric = made.statistics.unit, made.statistics.n, room.statistics.metric.name
    ends = drawn.axis_around_zero(made.values, made.observed)
    means: list[float] = (np.cumsum(made.values) / np.arange(1, len(made.values) + 1)).tolist()
    alike, beyond = n - int(made.differing.sum()), int(made.beyond.sum())
    start = (
        f"With the true names {drawn.observed_text(room, made)}. One random swap is a coin toss "
        f"for every {unit}: with heads, its two outputs swap names."
    )
    said = (
        f"{number_of(draws, NOUN, ',')}: the last difference is {drawn.points(room, value)} {metric}, and the "
        f"mean of all is {drawn.points(room, mean)}."
        for draws, (value, mean) in enumerate(zip(made.values.tolist(), means, strict=True), 1)
    )
    coins = _stage.Labels(
        f"A coin for each of {n:,} {unit}s; on {alike:,} a swap changes nothing, as both outputs have the same counts",
        room.pair, drawn.outputs(room, made.statistics),
        marks(~made.differing[: drawn.MOST_CELLS]), drawn.weights(made),
    )  # fmt: skip
    pile = drawn.pile(room, made, f"All random swaps of {unit}s so far", ends, axis=", names swapped")
    return Stage(
        ask=drawn.ask_points(
            room, "If the two names meant nothing, around which value would the differences after random swaps lie?",
            "number", *ends,
        ),
        steps=drawn.STEPS, views={"": View((coins, _read(room, made), pile), (start, *said))},
        reveal=f"Around zero: the mean of the differences after {drawn.STEPS:,} random swaps is "
        f"{drawn.points(room, means[-1])} {metric}. With the true names, the difference is "
        f"{drawn.points(room, made.observed)}; {number_of(beyond, NOUN, ',')} {'is' if beyond == 1 else 'are'} "
        "at least as far from zero. If few swaps are so far from zero, the names seem to matter. Lesson 3 expresses "
        "this as a number.",
        verb="Swap", noun=NOUN,
        found=(round(means[-1], room.statistics.metric.decimals),), near=(ends[1] - ends[0]) / 20,
        missing=drawn.left_out(made, NOUN),
    )  # fmt: skip


def _read(room: Classroom, made: Exchanged) -> _stage.Reading:
    name, lines = drawn.difference(room.pair), []
    for row in made.weights:
        count, moved = int(row.sum()), int(row[made.differing].sum())
        changes = "changes" if moved == 1 else "change"
        lines.append((f"swapped: {count:,} of {made.statistics.n:,}; {moved:,} of these {changes} the scores",))
    heads = tuple(f"{name} = {drawn.points(room, value)}" for value in made.values)
    return _stage.Reading("This random swap", heads, tuple(lines))


def alike_exchanged(made: Exchanged) -> float:
    """Return the difference when names are swapped on all units that count the same for both, and on no other."""
    values = np.where(made.differing, made.statistics.values, made.statistics.values[:, ::-1])
    scores = made.statistics.metric.score(values.sum(axis=-1, dtype=np.float64))
    return float(sign_of(made.statistics.metric) * (scores[0] - scores[1]))


def _solution_of_swap(room: Classroom) -> str:
    made = drawn.exchanged(room)
    alike, unit = made.statistics.n - int(made.differing.sum()), made.statistics.unit
    return (
        f"{alike:,} of {made.statistics.n:,} {unit}s have the same {room.statistics.metric.name} counts for "
        f"{room.pair[0]} and {room.pair[1]}. If names are swapped on these only, the difference is "
        f"{drawn.points(room, alike_exchanged(made))}; before, it was {drawn.points(room, made.observed)}. Only the "
        f"other {made.statistics.n - alike:,} change the difference."
    )


SWAP_THE_NAMES = Lesson.of(
    "swap-the-names",
    draw=_stage_of_swap,
    solve=_solution_of_swap,
    own=drawn.turn(8),
    settings=(("test", "ar"), ("unit", "segment")),
    code="""draws = []
for _ in range(1000):
    swapped = np.where(rng.random(n) < 0.5, values[:, ::-1], values)
    draws.append(np.subtract(*score(swapped.sum(axis=-1))))
np.mean(draws)""",
)


def _stage_of_origin(room: Classroom) -> Stage:
    other = contrary(room)
    pairs = (room.pair,) if other is None else (room.pair, other)
    traces = [drawn.exchanged(room, pair) for pair in pairs]
    observed = [drawn.points(room, made.observed) for made in traces]
    also = "" if len(pairs) < 2 else f", and how many as far as {observed[1]}, that of {' and '.join(pairs[1])}"
    said = [_revealed(room, pair, made) for pair, made in zip(pairs, traces, strict=True)]
    said.append("A p of at most .05 is called significant.")
    if len(pairs) > 1:
        said.append(_why_narrower(room, *sorted(zip(traces, pairs, strict=True), key=_spread)))
    simulated = many_pairs(room)
    if simulated:
        small, differ = simulated[0] <= ALPHA + 1e-12, simulated[1]
        said.append(
            "Of pairs that do not differ, on average at most 5 in 100 get such a p; this is the false-positive rate. "
            "Among the significant pairs, the share of equal pairs depends on how many of all pairs are equal, and on "
            f"how often the others are significant. Switch to {MANY}: there, {EVERY - 1} of {EVERY} pairs are equal. "
            f"{int((small & ~differ).sum())} of the {int((~differ).sum())} equal pairs are significant, and "
            f"{int((small & differ).sum())} of the {int(differ.sum())} others. So of the significant pairs, "
            f"{drawn.share_text((small & ~differ).sum() / max(1, small.sum()))} are equal."
        )
    # One axis for all: that one pile is narrower is what is to be seen.
    every = np.concatenate([np.append(made.values, made.observed) for made in traces])
    ends = drawn.axis_around_zero(every, 0.0)
    return Stage(
        ask=Ask(
            f"How many of {drawn.STEPS:,} random swaps will be at least as far from zero as {observed[0]} "
            f"{room.statistics.metric.name}, the difference of {' and '.join(room.pair)}{also}?",
            "number", 0.0, float(drawn.STEPS), 1.0, 0, names=tuple(observed) if len(pairs) > 1 else (),
        ),
        steps=drawn.STEPS,
        views={
            drawn.difference(pair): _view_of_origin(room, pair, made, ends)
            for pair, made in zip(pairs, traces, strict=True)
        }
        | ({MANY: _view_of_many(room, *simulated)} if simulated else {}),
        reveal=" ".join(said),
        verb="Swap", noun=NOUN, switch="Look at",
        found=tuple(float(made.beyond.sum()) for made in traces), near=0.02 * drawn.STEPS,
    )  # fmt: skip


@remembered(8, lambda room: (room.statistics, room.seed))
def many_pairs(room: Classroom) -> tuple[Floats, NDArray[np.bool_], float, int] | None:
    """Return p of test sets of many pairs, which are different, by how much, and the size; None where that is unknown.

    Drawn from the segments of the pair that differs most clearly, with the names swapped at random in all of them, or
    in a part that leaves a difference of APART standard errors.
    """
    known = max(drawn.measured(room), key=lambda one: one.z, default=None)
    statistics = room.statistics.at("segment").select(known.pair if known else room.pair)
    n = statistics.units_of(statistics.systems)
    if known is None or n < FEWEST:
        return None
    size = min(n, MOST)
    left = min(1.0, APART / known.z * (n / size) ** 0.5)
    worlds = [Population(statistics, effect=effect) for effect in (0.0, left)]
    differ, p = np.arange(1, drawn.STEPS + 1) % EVERY == 0, []
    for number, world in enumerate(differ.astype(int).tolist()):
        one = worlds[world].draw(size, number, room.seed)
        null = shuffle(one, Swap(FEW, room.seed + number, "segment"), np.array([0]), np.array([1]))
        p.append(float(monte_carlo_p(count_extreme(null, np.array([one.scores[0] - one.scores[1]]))[0], FEW)))
    return np.array(p), differ, worlds[1].true_difference(*known.pair), size


def _view_of_many(room: Classroom, p: Floats, differ: NDArray[np.bool_], apart: float, size: int) -> View:
    small = p <= ALPHA + 1e-12
    every, equal = np.cumsum(small).tolist(), np.cumsum(small & ~differ).tolist()
    pile = _stage.Pile(
        f"p of {drawn.STEPS:,} pairs of systems", "p", 0.0, 1.02, rounded(p), (Mark(ALPHA, ".05"),),
        groups=marks(differ), group_names=("equal systems", "different systems"),
    )  # fmt: skip
    start = (
        f"Simulated from the data, so that the truth is known. Of {EVERY} pairs of systems, {EVERY - 1} are equal, and "
        f"one differs by {drawn.score_text(room, apart)} {room.statistics.metric.name}. Each pair has a test set of "
        f"{size} segments, and its p comes from {FEW} random swaps."
    )
    said = (
        f"{number_of(k, 'pair', ',')}: {every[k - 1]:,} significant, {equal[k - 1]:,} of them pairs of equal systems."
        for k in range(1, drawn.STEPS + 1)
    )
    share = f", {drawn.share_text(equal[-1] / every[-1])} of them" if every[-1] else ""
    return View(
        (pile,), (start, *said),
        f"{equal[-1]} of {int((~differ).sum())} pairs of equal systems are significant, "
        f"{drawn.share_text(equal[-1] / int((~differ).sum()))} of them. But of the {every[-1]} significant pairs, "
        f"{equal[-1]} are pairs of equal systems{share}. p is computed as if there were no difference. The number of "
        "equal pairs among the significant ones also depends on how many equal pairs were tested, but p does not.",
    )  # fmt: skip


def _spread(one: tuple[Exchanged, Pair]) -> float:
    return float(one[0].values.std())


def _why_narrower(room: Classroom, narrow: tuple[Exchanged, Pair], wide: tuple[Exchanged, Pair]) -> str:
    """Return why the differences of one pair with swapped names are nearer to zero than those of another."""
    (narrower, pair), (wider, other), digits = narrow, wide, room.statistics.metric.decimals
    few, many = int(narrower.differing.sum()), int(wider.differing.sum())
    unit = narrower.statistics.unit
    # One that differs spreads the pile by its square: what a single one does is known from all.
    less = "by less" if _spread(narrow) ** 2 * many < _spread(wide) ** 2 * few else "by as much"
    fewer = f"on fewer {unit}s, and {less} on each" if few < many else f"by less on their {unit}s"
    return (
        f"The random swaps of {drawn.difference(pair)} stay nearer to zero (standard deviation "
        f"{points_text(_spread(narrow), digits)}, on {few:,} {unit}s that differ) than those of "
        f"{drawn.difference(other)} ({points_text(_spread(wide), digits)}, on {many:,}). If two systems differ "
        f"{fewer}, swapping names changes less. Then a smaller difference can already be significant."
    )


def _view_of_origin(room: Classroom, pair: Pair, made: Exchanged, ends: tuple[float, float]) -> View:
    observed, outcomes = drawn.points(room, made.observed), made.outcomes
    steps = tuple(float(draws) for draws in range(1, drawn.STEPS + 1))
    p, lows, highs = map(rounded, (outcomes.p_value, outcomes.p_mc_low, outcomes.p_mc_high))
    said = (
        f"{count:,} of {draws:,} are at least as far from zero as {observed}, so p = ({count:,} + 1)/({draws:,} + 1) = "
        f"{p_number(value)}. Other random swaps would give another p; the p of all possible swaps has the 95% Monte "
        f"Carlo interval {p_number(low) if low > 0 else 0} to {p_number(high)}."
        for draws, (count, value, low, high) in enumerate(
            zip(np.cumsum(made.beyond).tolist(), outcomes.p_value.tolist(), lows, highs, strict=True), 1
        )
    )
    start = (
        f"{drawn.observed_text(room, made, pair)}. Hatched: random swaps at least as far from zero, on either side. "
        "The p-value is the share of these swaps. The + 1 counts the true names: if names mean "
        "nothing, they are one more possible way to assign them. The p-value is two-sided, because both sides count."
    )
    pile = drawn.pile(
        room, made, "All random swaps so far", ends, pair, f", names swapped in each {made.statistics.unit}",
        beyond=marks(made.beyond), sides=2,
    )  # fmt: skip
    share = _stage.Curves(
        "The share that is hatched", "random swaps", "p, with its 95% Monte Carlo interval",
        (Line("95% Monte Carlo interval", steps, lows, "band", highs), Line("p", steps, p)), 1.0, float(drawn.STEPS),
        0.0, 1.0, log_x=True, grows=True,
    )  # fmt: skip
    return View((pile, share), (start, *said))


def _revealed(room: Classroom, pair: Pair, made: Exchanged) -> str:
    count, p = int(made.beyond.sum()), float(made.outcomes.p_value[-1])
    said = (
        f"{drawn.difference(pair)} = {drawn.points(room, made.observed)}: {count:,} of {drawn.STEPS:,} random "
        f"swaps are at least as far from zero, {p_text(p)}"
    )
    exact, is_exact = p_of(room, pair)
    if not is_exact:
        return f"{said}."
    differing = number_of(int(made.differing.sum()), made.statistics.unit)
    return f"{said}. The two differ on {differing} only, so all swaps can be tried: {p_text(exact)} exactly."


def p_of(room: Classroom, pair: Pair, swaps: int = drawn.STEPS) -> tuple[float, bool]:
    """Return p by paired randomization, uncorrected, and whether it is exact."""
    test = ApproximateRandomization(Swap(swaps, room.seed, room.unit))
    (comparison,) = compare(room.statistics, test, [pair])
    return comparison.p_value, comparison.exact


def swaps_give(room: Classroom) -> str:
    """Return what random swaps say of the classroom's pair: all of them, where so few units differ."""
    swaps = drawn.STEPS
    p, exact = p_of(room, room.pair)
    if not exact and p < _SMALL:
        swaps = _MORE
        p, exact = p_of(room, room.pair, swaps)
    least = ", the smallest p that they can give" if not exact and p * (swaps + 1) < 1.5 else ""
    return f"{'all possible' if exact else f'{swaps:,} random'} swaps give {p_text(p)}{' exactly' * exact}{least}"


def contrary(room: Classroom) -> Pair | None:
    """Return the pair that most contradicts "the larger difference is the surer one" next to the classroom's.

    Its difference is larger and fewer standard errors from zero, or smaller and more of them; None where there is none.
    """
    return next((other for pair, other in contrasts(room) if set(pair) == set(room.pair)), None)


def contrasts(room: Classroom) -> list[tuple[Pair, Pair]]:
    """Return pairs with others of a smaller difference that is surer, or of a larger less sure one; by how much."""
    twos = [
        (abs(np.log(other.z) - np.log(one.z)), one.difference, one.pair, other.pair)
        for one, other in permutations(drawn.measured(room), 2)
        if (other.difference - one.difference) * (other.z - one.z) < 0
    ]
    return [(one, other) for *_, one, other in sorted(twos, reverse=True)]


def _solution_of_origin(room: Classroom) -> str:
    made = drawn.exchanged(room)
    farthest = np.sort(np.abs(made.values))[::-1]
    # (c + 1)/(R + 1) is at most .05 for so many beyond.
    most = int(ALPHA * (drawn.STEPS + 1)) - 1
    return (
        f"p is at least 1/{drawn.STEPS + 1:,}, {p_text(1 / (drawn.STEPS + 1))}, because the observed difference is "
        f"included. {most} of {drawn.STEPS:,} random swaps are at least "
        f"{drawn.points(room, float(farthest[most - 1]))} {room.statistics.metric.name} from zero. If the observed one "
        f"is as large, p is at most .05. {drawn.difference(room.pair)} is {drawn.points(room, made.observed)}."
    )


WHERE_P_COMES_FROM = Lesson.of(
    "where-p-comes-from",
    draw=_stage_of_origin,
    solve=_solution_of_origin,
    # The pair whose larger difference is less sure than a smaller one, by the most.
    own=lambda room: next((pair for pair, _ in contrasts(room)), room.pair),
    settings=(("test", "ar"), ("unit", "segment")),
    code="""observed = np.subtract(*score(values.sum(axis=-1)))
swapped = (np.where(rng.random(n) < 0.5, values[:, ::-1], values) for _ in range(1000))
draws = [np.subtract(*score(one.sum(axis=-1))) for one in swapped]
(np.sum(np.abs(draws) >= abs(observed) - 1e-9) + 1) / (1000 + 1)""",
)


TOOL = "sacreBLEU 2.6.0"
"""The tool of the lesson, in the version whose numbers `as_sacrebleu` gives."""


class HalfP:
    """One pair's resamples as sacreBLEU draws them, by its rule and with their signs kept.

    p_printed, p_signed: by either rule. p_randomization: as sacreBLEU prints it. table: all p-values of the pair.
    """

    def __init__(self, pair: Statistics) -> None:
        """Draw, and centre both ways."""
        printed = as_sacrebleu(pair, *pair.systems)[1]
        if printed.p_bootstrap is None or printed.p_randomization is None:
            raise NotApplicable("sacreBLEU prints no p-value for this pair.")
        self.p_printed, self.p_randomization = printed.p_bootstrap, printed.p_randomization
        first, second = redrawn_as_sacrebleu(pair, (0, 1), SacrebleuBootstrap().scheme)
        self.pair, self.metric = pair, pair.metric
        self.drawn: Floats = np.asarray(sign_of(pair.metric) * (first - second), dtype=np.float64)
        self.observed = abs(float(pair.scores[0] - pair.scores[1]))
        self.sizes = np.abs(self.drawn)
        self.printed, self.signed = self.sizes - self.sizes.mean(), self.drawn - self.drawn.mean()
        # The printed rule counts >, without any slack; the correct one counts ties.
        self.outside = self.printed > self.observed
        slack = tolerance(np.array(self.observed))
        self.beyond = np.abs(self.signed) >= self.observed - slack
        # Of random swaps the side on which the observed difference lies, and both.
        made = trace(pair, Swap(drawn.STEPS, unit="segment"), (pair.systems[0], pair.systems[1]))
        self.leads = pair.systems[0 if made.observed >= 0 else 1]
        self.swapped = made.values if made.observed >= 0 else -made.values
        self.right, self.both = self.swapped >= self.observed - slack, made.beyond
        self.p_right, self.p_both = (
            float(monte_carlo_p(np.array(each.sum()), drawn.STEPS)) for each in (self.right, self.both)
        )
        self.p_signed = float(monte_carlo_p(np.array(self.beyond.sum()), len(self.drawn)))
        self.ends_signed = [float(end) for end in clopper_pearson(np.array(self.beyond.sum()), len(self.drawn))]

    @property
    def table(self) -> _stage.Facts:
        """The p-values by each method, once all is drawn."""
        rows = (
            ("random swaps, as here", half(self.p_right), half(self.p_both)),
            (
                f"resamples of {TOOL} (--paired-bs)",
                f"{half(self.p_printed)}, printed",
                f"{half(self.p_signed)}, with signs",
            ),
            (f"random swaps of {TOOL} (--paired-ar)", "not printed", f"{half(self.p_randomization)}, printed"),
        )
        return _stage.Facts("p-values of this pair", ("draws", "one tail", "both tails"), rows, drawn.STEPS)

    @property
    def swaps(self) -> View:
        """One pile of random swaps, of which one tail counts or both."""
        d, metric, values = self.observed, self.metric, rounded(self.swapped)
        ends, axis = drawn.axis_around_zero(self.swapped, d), f"{metric.name}: lead of {self.leads}, names swapped"
        at, other = Mark(d, f"observed {points(metric, d)}"), Mark(-d, points(metric, -d))
        piles = (
            _stage.Pile("One tail counts", axis, *ends, values, (at,), beyond=marks(self.right)),
            _stage.Pile("Both tails count", axis, *ends, values, (at, other), beyond=marks(self.both), sides=2),
        )
        start = (
            f"{self.leads} leads by {points_text(d, metric.decimals)} {metric.name}. Both pictures show the same "
            f"random swaps. Hatched in the first picture: swaps in which {self.leads} leads by at least as much. "
            "Hatched in the second picture: swaps in which either system leads by at least as much."
        )
        return View((*piles, self.table), _hatched(piles, start, NOUN, self.p_right, self.p_both))

    @property
    def tool(self) -> View:
        """Both rules next to each other, and what they come to."""
        d, metric, name = self.observed, self.metric, drawn.difference(self.pair.systems)
        ends = drawn.span(self.printed, self.signed, self.drawn, self.sizes, (-d, d))
        at, other = Mark(d, points(metric, d)), Mark(-d, points(metric, -d))
        piles = (
            _stage.Pile(
                "The tool's rule: size of each, then centred; one tail counts",
                f"{metric.name}: size of {name}, minus the mean", *ends, rounded(self.printed), (at,),
                beyond=marks(self.outside), before=rounded(self.sizes),
            ),
            _stage.Pile(
                "Signs kept, then centred; both tails count", f"{metric.name}: {name}, minus the mean", *ends,
                rounded(self.signed), (at, other), beyond=marks(self.beyond), before=rounded(self.drawn), sides=2,
            ),
        )  # fmt: skip
        start = (
            f"The observed difference is {points_text(d, metric.decimals)} {metric.name}. Both pictures use the same "
            "resamples. Each pile is centred: it is moved so that its mean is zero, as if there were no difference. "
            f"The first picture follows the rule of {TOOL}: remove minus signs, so that −1 becomes 1, then centre, and "
            "count only the right tail. In the second picture, signs are kept and both tails count."
        )
        return View((*piles, self.table), _hatched(piles, start, "resample", self.p_printed, self.p_signed))


def _hatched(piles: Sequence[_stage.Pile], start: str, noun: str, p_one: float, p_both: float) -> tuple[str, ...]:
    """Return what is said while two pictures fill, and which p their hatched parts come to."""
    one, both = (np.cumsum([int(mark) for mark in pile.beyond]).tolist() for pile in piles)
    draws = len(one)
    says = [
        f"{number_of(k, noun, ',')}: {one[k - 1]} hatched in the first picture, {both[k - 1]} in the second."
        for k in range(1, draws + 1)
    ]
    says[-1] += (
        f" p = ({one[-1]} + 1)/({draws:,} + 1) = {half(p_one)} for one tail, ({both[-1]} + 1)/({draws:,} + 1) = "
        f"{half(p_both)} for both."
    )
    return (start, *says)


OTHER = "the other pair"

_SURE = 2.7
"""Standard errors beyond which few of a thousand resamples are left to count."""


@remembered(8, lambda room: (room.statistics, room.pair))
def _shown(room: Classroom) -> tuple[HalfP, HalfP | None, tuple[str, ...]]:
    """Return the example, and the classroom's pair if there is another one; and why there is none."""
    example = HalfP(three_answers())
    if set(room.pair) == set(THREE_ANSWERS) and room.statistics.digest == three_answers().digest:
        return example, None, ()
    try:
        return example, HalfP(pair_of(room)), ()
    except NotApplicable as error:
        return example, None, (f"The other pair is not shown here. {error}",)


def _false_positives() -> tuple[View, tuple[int, int]]:
    """Return p by either rule where neither system is better, and how many of them are significant."""
    made = read("no-difference")
    rules = {"The tool's rule": np.array(made["one"]), "Signs kept, both tails": np.array(made["both"])}
    small = [p <= ALPHA + 1e-12 for p in rules.values()]
    piles = tuple(
        _stage.Pile(
            f"{title}: p of {len(p):,} test sets", "p", 0.0, 1.02, rounded(p), (Mark(ALPHA, ".05"),),
            groups=marks(found), group_names=("not significant", "false positive"),
        )
        for (title, p), found in zip(rules.items(), small, strict=True)
    )  # fmt: skip
    one, both = (np.cumsum(found).tolist() for found in small)
    start = (
        f"Each test set has {three_answers().n} segments of the example, drawn with replacement. For each segment, "
        "a coin decides whether the two names are swapped, so neither system is better. "
        f"Each set is resampled {SHUFFLES:,} times."
    )
    said = (
        f"On {number_of(k, 'test set', ',')}, p is at most .05 on {one[k - 1]:,} by the tool's rule "
        f"({drawn.share_text(one[k - 1] / k)}), and on {both[k - 1]:,} with both tails "
        f"({drawn.share_text(both[k - 1] / k)})."
        for k in range(1, len(one) + 1)
    )
    return View(piles, (start, *said)), (one[-1], both[-1])


def _stage_of_half(room: Classroom) -> Stage:
    example, other, missing = _shown(room)
    null, (one, both) = _false_positives()
    views = {"swaps": example.swaps, "tool": example.tool, "no difference": null}
    return Stage(
        Ask(
            f"{' and '.join(THREE_ANSWERS)} are compared on {three_answers().n} segments of the sample. A program "
            f"counts the random swaps in which {example.leads} leads by at least as much as in reality: p = "
            f"{half(example.p_right)}. What is p if swaps in which the other system leads by as much also count?",
            "choice", options=("About half as large", "About the same", "About twice as large"),
        ),
        SacrebleuBootstrap().scheme.n_draws,
        views if other is None else views | {OTHER: other.tool},
        f"{half(example.p_both)} instead of {half(example.p_right)}: {int(example.right.sum())} random swaps are in "
        f"one tail, and {int(example.both.sum())} in both. Either system could have been better, so both tails count. "
        f"The paired bootstrap of {TOOL} (switch to tool) counts only the tail of the system that leads, a "
        "direction chosen after seeing the data. If neither system is better (switch to no difference), it finds "
        f"{one} of {len(null.says) - 1:,} test sets significant at .05, and with both tails, the same resamples find "
        f"{both}. In theory, one tail gives {2 * ALPHA:.0%} false positives instead of {ALPHA:.0%}. The tool gives "
        f"{figure_two_size(ALPHA):.0%}: it drops the signs of the resampled differences before it subtracts their mean "
        f"(centring), and this makes the mean larger. In the table, {half(example.p_signed)} is less than twice "
        f"{half(example.p_printed)} by chance. Its 95% Monte Carlo interval is "
        f"{' to '.join(map(half, example.ends_signed))} (lesson 3), so other resamples may give a p above .05, as the "
        "random swaps do.",
        noun="draw", switch="Look at", found=(2.0,), missing=missing,
        setting=drawn.systems_text(room, OTHER.capitalize()),
        replies=(
            "p is not smaller: you add the swaps in the other tail, and remove none.",
            "p is not the same: the other tail has about as many swaps.",
            "Correct: the other tail has about as many swaps.",
        ),
    )  # fmt: skip


def _solution_of_half(room: Classroom) -> str:
    example, other, _ = _shown(room)
    one = other or example
    times = f", {points_text(one.p_signed / one.p_printed, 1)} times as much" if one.p_printed > 0 else ""
    return (
        f"{drawn.difference(one.pair.systems)}: the tool's rule gives {half(one.p_printed)}, and its resamples with "
        f"both tails give {half(one.p_signed)}{times}. In theory, if resamples vary normally, the tool's p is about "
        "half of that if both are small, and less than half if they are large. Report the p of random swaps with both "
        f"tails. With the tool's swaps, it is {half(one.p_randomization)}; other random swaps give a slightly "
        "different p."
    )


HALF_P = Lesson.of(
    "half-p",
    draw=_stage_of_half,
    solve=_solution_of_half,
    # Its p is nearest to .05: of a sure pair all rules print the same.
    own=drawn.turn(0, lambda one: abs(one.z - 1.96), lambda one: one.z < _SURE),
    # By the tool's rule it is significant, with both tails it is not.
    further=("via-portuguese", "via-aragonese"),
    on=f"the example, {' and '.join(THREE_ANSWERS)} on a part of the sample, and the other pair",
    settings=(("test", "bootstrap-rm2005"), ("unit", "segment")),
    code="""observed = abs(np.subtract(*score(values.sum(axis=-1))))
draws = np.array([np.subtract(*score(values[..., rng.integers(n, size=n)].sum(axis=-1))) for _ in range(1000)])
half = np.mean(np.abs(draws) - np.abs(draws).mean() >= observed)
both = np.mean(np.abs(draws - draws.mean()) >= observed)
half, both""",
)
