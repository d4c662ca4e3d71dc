"""Lessons on what may be claimed: half a p, and importance."""

from dataclasses import dataclass

import numpy as np

from mtsig._memory import remembered
from mtsig._probability import monte_carlo_p, points_text, t_quantile, tolerance
from mtsig._records import Floats
from mtsig.corpus._inspection import MIN_DOCUMENTS
from mtsig.corpus._notes import number_of
from mtsig.errors import NotApplicable
from mtsig.inference import compare, p_text, simulated_power
from mtsig.inference._audit import as_sacrebleu
from mtsig.inference._margins import t_equivalence
from mtsig.inference._significance._base import ApproximateRandomization, SacrebleuBootstrap, redrawn_as_sacrebleu
from mtsig.inference._significance._jackknife import jackknife_p
from mtsig.lab._every_pair import figure_two_size
from mtsig.lessons._drawn import share_text
from mtsig.lessons._made import DOCUMENTS, THREE_ANSWERS, read, three_answers
from mtsig.lessons._stage import (
    Ask,
    Classroom,
    Curves,
    Facts,
    Lesson,
    Line,
    Mark,
    Panel,
    Pile,
    Quiz,
    Stage,
    View,
    around,
    marks,
    pair_of,
    points,
)
from mtsig.metrics import Bleu, Statistics
from mtsig.metrics._metric import sign_of
from mtsig.resampling import Purpose, Swap, Words

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


@remembered()
def _example() -> Shown:
    """Return the example, which is the same for every room."""
    return _shown(three_answers())


def _stage_of_half(room: Classroom) -> Stage:
    example = _example()
    views, missing = {EXAMPLE: example.view}, []
    if tuple(room.pair) != THREE_ANSWERS or room.statistics.digest != three_answers().digest:
        try:
            views["your pair"] = _own(room).view
        except NotApplicable as error:
            missing.append(f"Your own pair is not shown here. {error}")
    p = [_short_half(value) for value in example.answers.values()]
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
        f"{_short_half(signed)}. A test at .05 by that rule errs in {size:.0%} of cases without any difference.",
        SacrebleuBootstrap().scheme.n_draws,
        switch="Data",
        missing=tuple(missing),
    )


def _short_half(p: float) -> str:
    """Return p without its name, with the digits that are said in class.

    >>> [_short_half(p) for p in (0.00004, 0.02997, 0.22119, 1.0)]
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
        Facts("The answers", ("test", "p"), tuple((name, _short_half(value)) for name, value in p_values.items())),
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
        f" p = ({left[-1]} + 1)/({len(drawn):,} + 1) = {_short_half((left[-1] + 1) / (len(drawn) + 1))} as printed; "
        f"signed, {_short_half(p)}."
    )
    return Shown(p_values, p, View(panels, tuple(says)))


def _plain(values: Floats) -> tuple[float, ...]:
    return tuple(round(float(value), 6) for value in values)


def _solution_of_half(room: Classroom) -> str:
    try:
        shown, where = _own(room), "your pair"
    except NotApplicable:
        shown, where = _example(), "the example"
    listed = ", ".join(f"{name} {_short_half(value)}" for name, value in shown.answers.items())
    return f"For {where}: {listed}. The same redraws, centred with their signs: {_short_half(shown.signed)}."


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
    _stage_of_half,
    _solution_of_half,
)


TRUTH = 0.2
MARGIN = 0.5
"""Points within which systems are held to be equivalent here."""

LEVEL = 0.95
PAIRS = 12
SHOWN = 160
"""Characters of an output that are shown."""


@dataclass(frozen=True)
class Seen:
    """What a test set of so many segments shows of a true difference of .2 BLEU."""

    segments: int
    difference: float
    low: float
    high: float
    t: float
    p: float
    p_equivalent: float

    @property
    def text(self) -> str:
        """The verdict, with the interval."""
        ends = f"{points(Bleu(), self.low)} to {points(Bleu(), self.high)}"
        leader = "A leads" if self.difference > 0 else "B, the worse system, leads"
        said = (
            f"{self.segments:,} segments: {leader} by {points_text(abs(self.difference))} BLEU (95% interval {ends}). "
        )
        said += f"t = {points_text(self.t, 1)}, {p_text(self.p)}: "
        said += "significant" if self.p <= 1 - LEVEL else "not significant, which does not make them equal"
        if self.p_equivalent <= 1 - LEVEL:
            said += f"; and shown to differ by less than {MARGIN} ({p_text(self.p_equivalent)})"
        return f"{said}."


def seen() -> tuple[Seen, ...]:
    """Return what growing test sets show of the two simulated systems."""
    made = read("large-sets")
    seen_sets = []
    for size, difference, error in zip(made["segments"], made["difference"], made["error"], strict=True):
        df = size - 1.0
        half = float(t_quantile((1 + LEVEL) / 2, df)) * error
        p = float(jackknife_p(np.array([difference]), np.array([error]), np.array([df]))[0])
        equivalent = t_equivalence(difference, error, df, MARGIN, LEVEL, both=True)[2]
        seen_sets.append(
            Seen(size, difference, difference - half, difference + half, difference / error, p, equivalent)
        )
    return tuple(seen_sets)


def _stage_of_important(room: Classroom) -> Stage:
    sets = seen()
    x = tuple(float(each.segments) for each in sets)
    low, high = tuple(each.low for each in sets), tuple(each.high for each in sets)
    middle = tuple(each.difference for each in sets)
    sizes = tuple(abs(each.t) for each in sets)
    ends = (0.9 * x[0], 1.1 * x[-1])
    panels: list[Panel] = [
        Curves(
            "The difference and its interval", "segments", "BLEU: A − B",
            (Line("95% interval", x, low, "band", high), Line("difference", x, middle)),
            *ends, *around(low, high), log_x=True, grows=True, at=x,
            marks=(Mark(0.0, "no difference"), Mark(TRUTH, f"truth {TRUTH}")),
        ),
        Curves(
            "The difference, counted in standard errors", "segments", "|t|", (Line("|t|", x, sizes),), *ends,
            0.0, 1.05 * max(sizes), log_x=True, grows=True, at=x, marks=(Mark(1.96, "p = .05"),),
        ),
    ]  # fmt: skip
    missing: tuple[str, ...] = ()
    try:
        panels.append(_outputs(room))
    except NotApplicable as error:
        missing = (f"No outputs stand beside it. {error}",)
    last = sets[-1]
    return Stage(
        Ask(
            f"A is truly better than B by {TRUTH} BLEU, and with enough segments p is below .0001. Would a reader "
            "notice?",
            "choice",
            options=("Yes, as p is so small", "No, as the difference is so small", "p cannot tell; readers must"),
        ),
        len(sets),
        {
            "": View(
                tuple(panels), (f"Two simulated systems; the true difference is {TRUTH} BLEU.", *(s.text for s in sets))
            )
        },
        f"p cannot tell. {last.text} p got small because segments were added; the true difference stayed what it was.",
        len(sets),
        pace="slider",
        verb="Take",
        noun="size",
        missing=missing,
    )


def _outputs(room: Classroom) -> Facts:
    """Return twelve segments as both systems of the pair put them.

    Raises:
        NotApplicable: there are no texts of both.
    """
    texts, pair = room.texts, room.pair
    if any(len(texts.systems.get(name, ())) != 1 for name in pair):
        raise NotApplicable(f"{pair[0]} and {pair[1]} do not both have one text.")
    first, second = (texts.lines(name) for name in pair)
    order = np.argsort(Words(room.seed, 2, Purpose.ORDERS).take(1, len(texts))[0], kind="stable")
    unlike = [int(i) for i in order if first[i] != second[i]][:PAIRS]
    rows = tuple(
        (str(texts.numbers[i]), _short_important(first[i]), _short_important(second[i])) for i in sorted(unlike)
    )
    return Facts(f"{len(rows)} segments that your pair translates differently", ("segment", *pair), rows)


def _short_important(line: str | None) -> str:
    text = line or ""
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def _solution_of_important(room: Classroom) -> str:
    first = next(each for each in seen() if each.p <= 1 - LEVEL)
    said = f"Of the sizes shown, p is at most .05 from {first.segments:,} segments on."
    try:
        own = pair_of(room)
        differ = int((own.values[:, 0] != own.values[:, 1]).any(axis=0).sum())
    except NotApplicable as error:
        return f"{said} Of your pair: {error}"
    said = f"{said} {_exaggerated(room, own)}".strip()
    return (
        f"{said} Your pair differs in what is counted on {differ:,} of {own.n:,} segments: read twelve of them, the "
        "names covered, and write down which you prefer before looking at p."
    )


def _exaggerated(room: Classroom, own: Statistics) -> str:
    """Return what a test set like the room's makes of a small true difference; nothing where its two do not vary."""
    small = round(TRUTH * 10.0 ** (Bleu().decimals - own.metric.decimals), own.metric.decimals + 1)
    try:
        power = simulated_power(own, *room.pair, small, unit="segment", seed=room.seed)
    except NotApplicable:
        return ""
    if not power.power:
        return ""
    return (
        f"On {own.n:,} segments like yours a true difference of {small:g} {own.metric.name} would be significant in "
        f"{share_text(power.power)} of test sets, and these would show {points_text(power.exaggeration, 1)} times as "
        "much as is true, on average."
    )


SIGNIFICANT_OR_IMPORTANT = Lesson(
    13,
    "significant-or-important",
    "Significant or important?",
    "p < .001, so it is a breakthrough.",
    "Callison-Burch, Osborne and Koehn (2006), section 6; Koehn (2004), section 7",
    "What does a very small p say of how large a difference is?",
    "p says whether, the interval says how much, and people say whether it matters.",
    "From how many segments on is p at most .05 here? Then read twelve pairs of outputs: would you notice?",
    Quiz(
        "Two papers report a gain of 0.2 BLEU: p = .4 on 2,000 segments, p < .0001 on 200,000. What do they show?",
        (
            "The second shows that there is a gain, about 0.2; neither shows that anyone would notice it",
            "The second gain is larger, as its p is smaller",
            "The first shows that there is no gain",
            "The second gain is one that readers notice",
        ),
        0,
        "The difference is the same, known more or less well. Without significance a gain is not shown, which does not "
        "show that there is none. Whether 0.2 BLEU is seen by readers, only readers can say.",
    ),
    _stage_of_important,
    _solution_of_important,
)
