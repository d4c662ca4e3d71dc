"""Lesson 13: with enough segments any difference is significant; whether it matters is another question."""

from dataclasses import dataclass

import numpy as np

from mtsig.errors import NotApplicable
from mtsig.inference import p_text, points_text, simulated_power
from mtsig.inference.distributions import t_quantile
from mtsig.inference.margins import t_equivalence
from mtsig.inference.significance.jackknife import jackknife_p
from mtsig.lessons.classroom import Classroom
from mtsig.lessons.drawn import share_text
from mtsig.lessons.ground import around, pair_of, points
from mtsig.lessons.lesson import Lesson, Quiz
from mtsig.lessons.made import read
from mtsig.lessons.stage import Ask, Curves, Facts, Line, Mark, Panel, Stage, View
from mtsig.metrics import Bleu, Statistics
from mtsig.resampling import Purpose, Words

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


def _stage(room: Classroom) -> Stage:
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
    rows = tuple((str(texts.numbers[i]), _short(first[i]), _short(second[i])) for i in sorted(unlike))
    return Facts(f"{len(rows)} segments that your pair translates differently", ("segment", *pair), rows)


def _short(line: str | None) -> str:
    text = line or ""
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def _solution(room: Classroom) -> str:
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
    _stage,
    _solution,
)
