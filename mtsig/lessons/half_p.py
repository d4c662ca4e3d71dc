"""Lesson 8: taking absolute values before centring makes p about half of what a two-sided p is."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from mtsig.arrays import Floats
from mtsig.corpus import MIN_DOCUMENTS, number_of
from mtsig.errors import NotApplicable
from mtsig.inference import ApproximateRandomization, as_sacrebleu, compare, points_text
from mtsig.inference.probability import monte_carlo_p, tolerance
from mtsig.inference.significance import SacrebleuBootstrap, redrawn_as_sacrebleu
from mtsig.lab import figure_two_size
from mtsig.lessons.classroom import Classroom
from mtsig.lessons.ground import around, marks, points
from mtsig.lessons.lesson import Lesson, Quiz
from mtsig.lessons.made import DOCUMENTS, THREE_ANSWERS, three_answers
from mtsig.lessons.stage import Ask, Facts, Mark, Pile, Stage, View
from mtsig.metrics import Statistics
from mtsig.resampling import Swap, sign_of

EXAMPLE = "the example"


def answers(pair: Statistics) -> dict[str, float]:
    """Return the p-values of two systems: as sacreBLEU prints them, and by swapping whole documents where known.

    Raises:
        NotApplicable: sacreBLEU does not compute this metric.
    """
    first, second = pair.systems
    printed = as_sacrebleu(pair, first, second)[1]
    if printed.p_bootstrap is None or printed.p_randomization is None:
        raise NotApplicable("sacreBLEU prints no p-value for this pair.")
    p_values = {"sacrebleu --paired-bs": printed.p_bootstrap, "sacrebleu --paired-ar": printed.p_randomization}
    if pair.n_documents is not None and pair.n_documents >= MIN_DOCUMENTS:
        test = ApproximateRandomization(Swap(unit="document"))
        p_values["whole documents swapped"] = float(compare(pair, test, [(first, second)]).p_value[0])
    return p_values


@dataclass(frozen=True)
class Shown:
    """A pair's p-values by test, p of the same redraws centred with their signs, and how they are drawn."""

    answers: dict[str, float]
    signed: float
    view: View


@cache
def _example() -> Shown:
    """Return the example, which is the same for every room."""
    return _shown(three_answers())


def _stage(room: Classroom) -> Stage:
    example = _example()
    views, missing = {EXAMPLE: example.view}, []
    if tuple(room.pair) != THREE_ANSWERS or room.statistics.digest != three_answers().digest:
        try:
            views["your pair"] = _own(room).view
        except NotApplicable as error:
            missing.append(f"Your own pair is not shown here. {error}")
    p = [_short(value) for value in example.answers.values()]
    size = figure_two_size(0.05)
    signed = example.signed
    return Stage(
        Ask(
            f"{' and '.join(THREE_ANSWERS)} on documents 1 to {DOCUMENTS} of the sample, one file and three p-values. "
            "Which goes into the paper?",
            "choice",
            options=tuple(f"{value}: {name}" for name, value in zip(example.answers, p, strict=True)),
        ),
        SacrebleuBootstrap().scheme.n_draws,
        views,
        f"{p[2]}, where documents are what was sampled and that was settled before looking; {p[1]} is for "
        f"segments that were chosen one by one, as these were not. {p[0]} is for no question at all: the rule behind "
        "it takes absolute values before it centres them. Centred with their signs, the same redraws give "
        f"{_short(signed)}. A test at .05 by that rule errs in {size:.0%} of cases without any difference.",
        SacrebleuBootstrap().scheme.n_draws,
        switch="Data",
        missing=tuple(missing),
    )


def _short(p: float) -> str:
    """Return p without its name, with the digits that are said in class.

    >>> [_short(p) for p in (0.00004, 0.02997, 0.22119, 1.0)]
    ['< .001', '.030', '.221', '1']
    """
    if p < 0.0005:
        return "< .001"
    digits = f"{p:.3f}"
    return "1" if digits == "1.000" else digits.removeprefix("0")


def _own(room: Classroom) -> Shown:
    """Return what is shown of the room's pair.

    Raises:
        NotApplicable: sacreBLEU does not compute this metric, or not of these units.
    """
    return _shown(room.statistics.shared_by(room.pair).select(room.pair))


def _shown(pair: Statistics) -> Shown:
    p_values, metric = answers(pair), pair.metric
    first, second = redrawn_as_sacrebleu(pair, (0, 1), SacrebleuBootstrap().scheme)
    drawn: Floats = np.asarray(sign_of(metric) * (first - second), dtype=np.float64)
    d = abs(float(pair.scores[0] - pair.scores[1]))
    sizes = np.abs(drawn)
    printed, signed = sizes - sizes.mean(), drawn - drawn.mean()
    # The printed rule counts >, without any slack; the correct one counts ties.
    outside, beyond = printed > d, np.abs(signed) >= d - tolerance(np.array(d))
    p = float(monte_carlo_p(np.array(beyond.sum()), len(drawn)))
    low, high = around(printed, signed, drawn, sizes, (-d, d))
    name = " − ".join(pair.systems)
    panels = (
        Pile(
            "Absolute values first, then centred", f"{metric.name}: |{name}| − mean", low, high,
            _plain(printed), (Mark(d, f"observed {points_text(d, metric.decimals)}"),), beyond=marks(outside),
            before=_plain(sizes),
        ),
        Pile(
            "Signed, then centred", f"{metric.name}: {name} − mean", low, high, _plain(signed),
            (Mark(d, points(metric, d)), Mark(-d, points(metric, -d))), beyond=marks(beyond), before=_plain(drawn),
        ),
        Facts("The answers", ("test", "p"), tuple((name, _short(value)) for name, value in p_values.items())),
    )  # fmt: skip
    left, right = np.cumsum(outside), np.cumsum(beyond)
    says = [
        f"The observed difference is {points_text(d, metric.decimals)} {metric.name}. Both pictures will show the same "
        "redraws, the left one by the rule of sacrebleu --paired-bs: those beyond it are hatched."
    ]
    says += [
        f"{number_of(k, 'redraw', ',')}: {left[k - 1]} hatched in the first picture, {right[k - 1]} in the second."
        for k in range(1, len(drawn) + 1)
    ]
    says[-1] += (
        f" p = ({left[-1]} + 1)/({len(drawn):,} + 1) = {_short((left[-1] + 1) / (len(drawn) + 1))} as printed; signed, "
        f"{_short(p)}."
    )
    return Shown(p_values, p, View(panels, tuple(says)))


def _plain(values: Floats) -> tuple[float, ...]:
    return tuple(round(float(value), 6) for value in values)


def _solution(room: Classroom) -> str:
    try:
        shown, where = _own(room), "your pair"
    except NotApplicable:
        shown, where = _example(), "the example"
    listed = ", ".join(f"{name} {_short(value)}" for name, value in shown.answers.items())
    return f"For {where}: {listed}. The same redraws, centred with their signs: {_short(shown.signed)}."


HALF_P = Lesson(
    8,
    "half-p",
    "The p that is half",
    "The tool printed .03, so it is significant.",
    "Riezler and Maxwell (2005), sections 4.1 to 4.3, figures 1 and 2, table 2",
    "One file, one difference: why are there three p-values?",
    "Read the rule behind a p. The rule of figure 2 in Riezler and Maxwell (2005), which a common tool prints, errs "
    "about twice as often as it says.",
    "What do the same tools print for your own pair, and what is left of it when the redraws keep their signs?",
    Quiz(
        "A p from absolute differences that are centred afterwards is about half of a two-sided p. Why?",
        (
            "Centring absolute values leaves one tail, but the sign was not chosen beforehand",
            "The bootstrap draws too few test sets",
            "Absolute values are always smaller than signed ones",
            "Documents were swapped instead of segments",
        ),
        0,
        "After centring, a redraw counts only when it goes farther in the direction that was observed: one tail. Who "
        "would have been glad of either direction needs both.",
    ),
    _stage,
    _solution,
)
