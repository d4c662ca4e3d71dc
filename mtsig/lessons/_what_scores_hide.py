"""Lessons on what a score hides: documents, texts of the same BLEU, and whether a difference matters."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from mtsig._memory import remembered
from mtsig._probability import points_text, t_quantile
from mtsig._records import Floats, Index
from mtsig.corpus._notes import MIN_DOCUMENTS, number_of
from mtsig.errors import NotApplicable
from mtsig.inference import p_text, simulated_power
from mtsig.inference._dependence import dependence
from mtsig.inference._tests import jackknife_p
from mtsig.lab import Material, run
from mtsig.lab._blind_spots import Sentence, SentenceVariants, Variant
from mtsig.lab._material import Pair
from mtsig.lab._sampling import Redrawn
from mtsig.lessons import _drawn as drawn
from mtsig.lessons import _stage
from mtsig.lessons._drawn import read
from mtsig.lessons._p_values import swaps_give
from mtsig.lessons._stage import Ask, Classroom, Lesson, Line, Mark, Panel, Stage, View, pair_of, points
from mtsig.metrics import Bleu, Statistics
from mtsig.resampling import Purpose, Words

_MARKS = 450_000
"""Cells of both bags that are kept, over all resamples."""

_PICKS = 10_000
"""Picks of either bag that are kept, over the first resamples."""


def _stage_of_documents(room: Classroom) -> Stage:
    document_of = _documents(room)
    single, whole = (drawn.redrawn(room, unit=unit) for unit in ("segment", "document"))
    # Both bags have rows of documents, so that one sees what a resample of rows does.
    order = np.argsort(document_of, kind="stable")
    kept = min(len(single.weights), len(whole.weights), max(1, _MARKS // (2 * len(order))))
    score, difference = room.pair[0], drawn.difference(room.pair)
    values = {score: (single.scores[0], whole.scores[0]), difference: (single.values, whole.values)}
    says = {what: _says_of(room, what, *both) for what, both in values.items()}
    wider = [_ratio(*(float(_spreads(part)[-1]) for part in both)) for both in values.values()]
    ratios, n = [points_text(ratio) for ratio in wider], len(document_of)
    worth = (
        f"The variance is about {points_text(wider[0] ** 2, 1)} times as large: for this score, these {n:,} segments "
        f"are worth about {float(f'{n / wider[0] ** 2:.2g}'):,.0f} that were drawn one by one (lesson 5). "
        if wider[0] > 1
        else ""
    )
    views = {
        name: View(
            (_bag(room, made, document_of, order, kept), *_piles_of(room, score, *values[score], other)), says[score]
        )
        for name, made, other in (("single segments", single, 1), ("whole documents", whole, 0))
    }
    views["difference"] = View(_piles_of(room, difference, *values[difference]), says[difference])
    return Stage(
        Ask(
            "Suppose that whole documents are drawn instead of single segments. How many times as wide is the pile of "
            f"{score}'s score then? 1 means the same width; below 1 means narrower.",
            "number", 0.0, 3.0, 0.05, 2,
        ),
        drawn.STEPS, views,
        f"The pile is {ratios[0]} times as wide for {score}, and {ratios[1]} times as wide for {difference}. This "
        f"compares the standard deviations of {drawn.STEPS:,} resamples each. {worth}Segments of a document have the "
        "same topic and author, so they tend to be similarly hard. The piles of other scores and pairs may get wider, "
        "or narrower: by chance, or if segments of one document differ more than segments of different ones. The "
        "intervals and p-values of other lessons are valid if segments were drawn at random, one by one: then, for "
        f"{difference}, {swaps_give(replace(room, unit='segment'))}. If names are swapped for whole documents, "
        f"{swaps_give(replace(room, unit='document'))}.",
        switch="Look at", found=(float(ratios[0]),), near=0.1, missing=drawn.left_out(single, "resample", kept),
        setting=f"{drawn.systems_text(room)} The {n:,} segments are from "
        f"{number_of(len(np.unique(document_of)), 'document', ',')}.".strip(),
    )  # fmt: skip


def _documents(room: Classroom) -> Index:
    """Return the document of each segment that both systems have."""
    shared = room.statistics.at("segment").shared_by(room.pair)
    if shared.document_of is None:
        raise NotApplicable(
            "This lesson draws whole documents, but it is unknown which segments belong to which document. Provide the "
            "document ids in docids.txt, one per line."
        )
    if len(np.unique(shared.document_of)) < MIN_DOCUMENTS:
        raise NotApplicable(
            f"This lesson draws whole documents, but {number_of(len(np.unique(shared.document_of)), 'document')} "
            f"are too few: it needs at least {MIN_DOCUMENTS}."
        )
    return np.asarray(shared.document_of)


def most_together(room: Classroom) -> Pair:
    """Return the pair for whose difference documents matter most."""
    known = [(design_effect(room, *one.pair), one.pair) for one in drawn.measured(room)]
    return max((one for one in known if not np.isnan(one[0])), default=(0.0, room.pair))[1]


def _bag(room: Classroom, made: Redrawn, document_of: Index, order: Index, kept: int) -> _stage.Bag:
    whole = made.statistics.unit == "document"
    rows, sizes = np.unique(document_of, return_counts=True)
    members = np.split(np.arange(len(order)), np.cumsum(sizes)[:-1])
    place = np.argsort(order)
    weights = made.weights[:kept, np.searchsorted(rows, document_of[order])] if whole else made.weights[:kept, order]
    picks = []
    for row in made.picks[: max(1, _PICKS // len(order))]:
        picked = np.concatenate([members[document] for document in row]) if whole else place[row]
        picks.append(tuple(picked[picked < drawn.MOST_CELLS].tolist()))
    texts = drawn.cells(room, room.statistics.at("segment").shared_by(room.pair), order)
    shown = np.minimum(np.cumsum(sizes), drawn.MOST_CELLS)
    lengths = tuple(size for size in np.diff(shown, prepend=0).tolist() if size)
    marks = tuple(_stage.marks(row[: drawn.MOST_CELLS]) for row in weights)
    return _stage.Bag("A row for each document", texts, marks, tuple(picks), lengths)


def _spreads(values: Floats) -> Floats:
    """Return the standard deviation of the first 1, 2 … values; 0 for one."""
    count = np.arange(1, len(values) + 1)
    centred = values - values[0]
    squares = np.cumsum(np.square(centred)) - np.square(np.cumsum(centred)) / count
    return np.asarray(np.sqrt(np.maximum(squares, 0.0) / np.maximum(count - 1, 1)))


def _ratio(spread: float, other: float) -> float:
    return other / spread if spread else 1.0


def _piles_of(room: Classroom, what: str, single: Floats, whole: Floats, other: int = -1) -> tuple[_stage.Pile, ...]:
    """Return the resamples of either unit on one axis; other: which pile is not of the bag beside it."""
    metric = room.statistics.metric
    at = () if what == room.pair[0] else (Mark(0.0, "no difference"),)
    ends = drawn.span(single, whole, *(mark.at for mark in at))
    return tuple(
        _stage.Pile(
            title, f"{metric.name}: {what}", *ends, _stage.rounded(values, metric.decimals + 4), at,
            decimals=metric.decimals, apart=place == other,
        )
        for place, (title, values) in enumerate((("Resamples of single segments", single),
                                                 ("Resamples of whole documents", whole)))
    )  # fmt: skip


def _says_of(room: Classroom, what: str, single: Floats, whole: Floats) -> tuple[str, ...]:
    metric, signed = room.statistics.metric, what != room.pair[0]
    start = (
        f"One pile holds resamples of {number_of(len(_documents(room)), 'segment', ',')}, the other one of "
        f"{number_of(len(np.unique(_documents(room))), 'document', ',')}, drawn one by one and with replacement."
    )
    says = [start]
    for draws, (one, other, spread, against) in enumerate(
        zip(*(part.tolist() for part in (single, whole, _spreads(single), _spreads(whole))), strict=True), 1
    ):
        last = " and ".join(points_text(value, metric.decimals, signed=signed) for value in (one, other))
        widths = " and ".join(points_text(value, metric.decimals + 1) for value in (spread, against))
        said = f"{number_of(draws, 'resample', ',')} of either kind: in the last, {what} is {last} {metric.name}"
        wider = f"the pile of documents is {points_text(_ratio(spread, against))} times as wide"
        says.append(f"{said}; the standard deviations are {widths}, so {wider}." if draws > 1 else f"{said}.")
    return tuple(says)


def design_effect(room: Classroom, system: str, other: str | None = None) -> float:
    """Return by how much documents change the variance of a score, or a difference; NaN where it cannot be told."""
    try:
        return dependence(room.statistics.at("segment"), system, other).design_effect
    except NotApplicable:
        return float("nan")


def _solution_of_documents(room: Classroom) -> str:
    documents = len(np.unique(_documents(room)))
    spreads = (float(_spreads(drawn.redrawn(room, unit=unit).values)[-1]) for unit in ("segment", "document"))
    effect = round(_ratio(*spreads) ** 2, 1)
    return (
        f"The design effect is the factor by which documents change the variance: the square of the ratio of the "
        f"widths, about {points_text(effect, 1)}. So about {documents * effect:,.0f} documents instead of "
        f"{documents:,} would give a pile as wide as that of single segments (lesson 5). With few documents, this "
        "factor is rough, and one below 1 may be chance: do not count the test set as more than its segments."
    )


DOCUMENTS_TRAVEL_TOGETHER = Lesson.of(
    "documents-travel-together",
    draw=_stage_of_documents,
    solve=_solution_of_documents,
    own=most_together,
    further=("via-catalan-us", "via-esperanto"),
    settings=(("unit", "document"),),
    code="""ids = room.statistics.at("segment").document_of
totals = np.stack([values[..., ids == one].sum(axis=-1) for one in np.unique(ids)], axis=-1)
draw = lambda parts: parts[..., rng.integers(parts.shape[-1], size=parts.shape[-1])].sum(axis=-1)
spread = lambda parts: np.std([score(draw(parts))[0] for _ in range(1000)])
spread(totals) / spread(values)""",
)


SAMPLES = 20
FEWEST = 3
"""Phrases that can be moved about at all."""

MOST_WORDS = 60
EQUAL = "All of them score the same"

_KINDS = {
    "translation": "This is the unchanged output; a reader may prefer it",
    "order": "This is the output with its phrases in another order; a reader may find it meaningless",
    "other words": "This is the output with some words replaced by others of the reference, and its phrases shuffled; "
    "a reader may find it meaningless",
}
"""What a reader may say of a string, by the kind of its variant."""


@remembered(16, lambda room: (room.statistics, room.pair[0], room.seed))
def taken_apart(room: Classroom) -> SentenceVariants:
    """Return one sentence of the first system with other orders, and other words."""
    texts = room.texts
    if len(texts.systems.get(room.pair[0], ())) != 1:
        raise NotApplicable(f"{room.pair[0]} has several outputs, or none. Choose a system with exactly one output.")
    sentences = Sentence(samples=SAMPLES, seed=room.seed, system=room.pair[0])
    sentence: SentenceVariants = run(sentences, Material((room.statistics,), texts))
    matched = sentence.matched
    if len(matched.phrases()) < FEWEST or len(matched.words) > MOST_WORDS or not max(matched.counts):
        raise NotApplicable(
            "This lesson needs an output of 12 to 25 words that shares n-grams of every length with the reference; "
            f"{room.pair[0]} has none."
        )
    return sentence


def _stage_of_tiles(room: Classroom) -> Stage:
    sentence = taken_apart(room)
    equal = [variant for variant in sentence.permuted if variant.counts == sentence.matched.counts]
    same = (sentence.variants()[0], *equal[:1], *sentence.redrawn[:1])
    shown = [same[place] for place in np.argsort(Words(room.seed, 1, Purpose.ORDERS).take(1, len(same))[0])]
    # First those that change nothing: that is what the question was about.
    orders = sorted(sentence.permuted, key=lambda variant: variant.counts != sentence.matched.counts)
    orderings, distinct = f"{sentence.orderings:,}", f"{sentence.distinct:,}"
    bleu, counts = points_text(sentence.bleu, 1), _counts(sentence.variants()[0])
    shares = ", ".join(f"{sum(flags)} of {len(flags)}" for flags in sentence.matched.flags)
    references = [" ".join(words) for words in sentence.references]
    title = "The reference" if len(references) == 1 else "The references"
    cased = ", with the same capital letters" if any(word != word.lower() for word in sentence.matched.words) else ""
    tiles = _stage.Tiles(
        f"Segment {sentence.segment} of {sentence.system}, split between words that are not adjacent in "
        f"{title.lower()}",
        tuple(" ".join(phrase) for phrase in sentence.matched.phrases()),
        tuple(variant.order for variant in orders),
        tuple(_meter(sentence, variant) for variant in orders),
        f"at least {bleu} BLEU: every order keeps all matches, and a new match may be added by chance",
    )
    rows = tuple(
        (" ".join(variant.words), points_text(variant.bleu, 1), _counts(variant))
        for variant in (sentence.variants()[0], *sentence.redrawn[:4])
    )
    columns = ("text", "BLEU", "matched 1- to 4-grams")
    facts = _stage.Facts("The output, and other sequences of words with the same counts", columns, rows, since=1)
    says = [
        f"{bleu} BLEU with {counts} matched 1- to 4-grams. Its {len(sentence.matched.phrases())} phrases have "
        f"{orderings} possible orders, which form {distinct} different strings."
    ]
    says += [f"Order {k}: {_meter(sentence, variant)}." for k, variant in enumerate(orders, 1)]
    return Stage(
        Ask("Which of these scores best?", "choice", options=(*(" ".join(variant.words) for variant in shown), EQUAL)),
        len(sentence.permuted), {"": View((tiles, facts), tuple(says))},
        f"{EQUAL}: {bleu}, because each has {shares} matched 1- to 4-grams. BLEU is the geometric mean of these "
        "shares, lowered if a text is shorter than its reference. A word counts at most as often as a "
        f"reference has it{cased}. None of the {orderings} orders of the phrases ({distinct} different strings) loses "
        "a match; some gain one by chance, and score higher.", 1,
        pace="hand", buttons=(1,), verb="Shuffle", noun="order", found=(float(len(shown)),),
        setting=f"{title} of segment {sentence.segment}: {'; '.join(f'“{text}”' for text in references)}",
        replies=(
            *(f"{_KINDS[variant.kind]}. BLEU does not detect it: the other texts score the same." for variant in shown),
            "Correct, whatever readers prefer.",
        ),
    )  # fmt: skip


def _counts(variant: Variant) -> str:
    return ", ".join(map(str, variant.counts))


def _meter(sentence: SentenceVariants, variant: Variant) -> str:
    """Return the score of an order, and what is different where the score is."""
    score = f"{points_text(variant.bleu, 1)} BLEU"
    if variant.counts == sentence.matched.counts:
        return f"{score}, the same matches"
    more = [
        f"{now - before} more of {number_of(length, 'word')}"
        for length, (before, now) in enumerate(zip(sentence.matched.counts, variant.counts, strict=True), 1)
        if now > before
    ]
    return f"{score}; new neighbours match by chance: {', '.join(more)}"


def _solution_of_tiles(room: Classroom) -> str:
    sentence = taken_apart(room)
    phrases = len(sentence.matched.phrases())
    others = [variant.bleu for variant in sentence.permuted if variant.counts != sentence.matched.counts]
    won = f"{len(others)} have another match by chance and score up to {points_text(max(others), 1)}" if others else ""
    return (
        f"No order scores below {points_text(sentence.bleu, 1)}. If two tiles are stuck together, {phrases - 1} pieces "
        f"have {sentence.orderings // phrases:,} orders, one for every {phrases} before. Among "
        f"{len(sentence.permuted)} orders shown of segment {sentence.segment}, {won or 'none has another score'}."
    )


SAME_BLEU = Lesson.of(
    "same-bleu",
    draw=_stage_of_tiles,
    solve=_solution_of_tiles,
    on="a segment of the first system",
    code="""words = room.texts.lines(room.pair[0])[0].split()
reference = next(iter(room.texts.references.values()))[0].split()
pairs = set(zip(reference, reference[1:]))
phrases = 1 + sum(pair not in pairs for pair in zip(words, words[1:]))
np.prod(np.arange(1.0, phrases + 1))  # orders of the first sentence, whose words are split at spaces only""",
)


TRUTH = 0.2
MARGIN = 0.5
"""Points below which a difference is called small here."""

LEVEL = 0.95
PAIRS = 12
SHOWN = 160
"""Characters of an output that are shown."""


class Seen(NamedTuple):
    """What a test set of so many segments shows of a true difference of .2 BLEU."""

    segments: int
    difference: float
    low: float
    high: float
    p: float

    @property
    def text(self) -> str:
        """The verdict, with the interval."""
        ends = f"{points(Bleu(), self.low)} to {points(Bleu(), self.high)}"
        leader = "A leads" if self.difference > 0 else "B, the worse system, leads"
        said = (
            f"{self.segments:,} segments: {leader} by {points_text(abs(self.difference))} BLEU (95% interval {ends}). "
        )
        sure = self.p <= 1 - LEVEL
        said += f"{p_text(self.p)}: {'clearly not zero' if sure else 'it may be zero, or not'}"
        return f"{said}{f', and clearly below {MARGIN}' if self.low > -MARGIN and self.high < MARGIN else ''}."


def seen() -> tuple[Seen, ...]:
    """Return what growing test sets show of the two simulated systems."""
    sizes, found, errors = (np.array(read("large-sets")[name]) for name in ("segments", "difference", "error"))
    half, p = t_quantile((1 + LEVEL) / 2, sizes - 1.0) * errors, jackknife_p(found, errors, sizes - 1.0)
    columns = (sizes, found, found - half, found + half, p)
    return tuple(Seen(*row) for row in zip(*(column.tolist() for column in columns), strict=True))


def _stage_of_important(room: Classroom) -> Stage:
    sets = seen()
    x = tuple(float(each.segments) for each in sets)
    low, high, middle = (tuple(part) for part in zip(*((s.low, s.high, s.difference) for s in sets), strict=True))
    ends = (0.9 * x[0], 1.1 * x[-1])
    panels: list[Panel] = [
        _stage.Curves(
            "The difference and its interval", "segments", "BLEU: A − B",
            (Line("95% interval", x, low, "band", high), Line("difference", x, middle)), *ends, *drawn.span(low, high),
            log_x=True, grows=True, at=x,
            marks=(Mark(0.0, "no difference"), Mark(TRUTH, f"truth {TRUTH}"), Mark(MARGIN, f"chosen: {MARGIN}")),
        ),
    ]  # fmt: skip
    missing: tuple[str, ...] = ()
    try:
        panels.append(_outputs(room))
    except NotApplicable as error:
        missing = (f"There are no outputs to show. {error}",)
    last = sets[-1]
    start = (
        f"Two simulated systems; the true difference is {TRUTH} BLEU. If the interval excludes zero, the difference is "
        f"clearly not zero. It also shows whether the difference is clearly below {MARGIN}, a limit that we chose."
    )
    return Stage(
        Ask(
            f"Of two simulated systems, A is truly better than B by {TRUTH} BLEU. With enough segments, p is below "
            ".0001. Would a reader notice?",
            "choice",
            options=("Yes, because p is small", "No, 0.2 BLEU is never noticed", "p cannot show it; ask readers"),
        ),
        len(sets), {"": View(tuple(panels), (start, *(s.text for s in sets)))},
        f"p cannot show it. {last.text} We chose this limit of {MARGIN}; you may choose another one. p got "
        "small because segments were added; the true difference stayed the same.",
        pace="slider", buttons=(len(sets),), verb="Take", noun="size", found=(2.0,),
        replies=(
            "A small p is evidence of a difference, but does not show how large it is.",
            "This is possible, but neither p nor BLEU measures what readers notice.",
            "Correct: neither p nor BLEU measures what readers notice.",
        ),
        missing=missing, setting=drawn.systems_text(room, "The pair in the table"),
    )  # fmt: skip


def _outputs(room: Classroom) -> _stage.Facts:
    """Return twelve segments as both systems of the pair put them."""
    texts, pair = room.texts, room.pair
    if any(len(texts.systems.get(name, ())) != 1 for name in pair):
        raise NotApplicable(f"{pair[0]} and {pair[1]} do not both have one text.")
    first, second = (texts.lines(name) for name in pair)
    order = np.argsort(Words(room.seed, 2, Purpose.ORDERS).take(1, len(texts))[0], kind="stable")
    unlike = [int(i) for i in order if first[i] != second[i]]
    shown = sorted(unlike[:PAIRS])
    rows = tuple((str(texts.numbers[i]), drawn.short(first[i], SHOWN), drawn.short(second[i], SHOWN)) for i in shown)
    made = drawn.redrawn(room)
    title = (
        f"{len(rows)} of {len(unlike):,} segments that differ. On all {made.statistics.n:,}, "
        f"{drawn.difference(pair)} is {drawn.points(room, made.observed)} {room.statistics.metric.name}, with the 95% "
        f"interval {' to '.join(drawn.points(room, end) for end in made.intervals[drawn.STEPS])} (single segments)"
    )
    return _stage.Facts(title, ("segment", *pair), rows)


def _solution_of_important(room: Classroom) -> str:
    first = next(each for each in seen() if each.p <= 1 - LEVEL)
    said = (
        f"Of the sizes shown, p is at most .05 from {first.segments:,} segments on. Another run may need more or fewer."
    )
    try:
        own = pair_of(room)
        differ = int((own.values[:, 0] != own.values[:, 1]).any(axis=0).sum())
    except NotApplicable as error:
        return f"{said} For this pair: {error}"
    said = f"{said} {_exaggerated(room, own)}".strip()
    return (
        f"{said} The counts of the two systems differ on {differ:,} of {own.n:,} segments. Read twelve of them with "
        f"the names hidden, and write down which output you prefer. For this pair alone, {swaps_give(room)}."
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
        f"If {drawn.difference(room.pair)} were truly {small:g} {own.metric.name}, it would be significant in "
        f"{drawn.share_text(power.power)} of test sets of {own.n:,} segments (simulated from these). On average, these "
        f"significant differences would be {points_text(power.exaggeration, 1)} times as large as the true one."
    )


SIGNIFICANT_OR_IMPORTANT = Lesson.of(
    "significant-or-important",
    draw=_stage_of_important,
    solve=_solution_of_important,
    # It is significant, and what there is to be read differs little.
    own=drawn.turn(0, lambda one: one.difference, lambda one: one.z > 1.96),
    further=("via-catalan", "via-catalan-us"),
    settings=(("unit", "segment"),),
    code="""large = NEWS.simulate({"A": 25.2, "B": 25.0}, size=20_000).statistics
d = lambda sums: np.subtract(*large.metric.score(sums))
parts = [large.values[..., :size].astype(float) for size in (200, 2000, 20_000)]
found = [d(part.sum(axis=-1)) for part in parts]
found, [d(part.sum(axis=-1, keepdims=True) - part).std() * np.sqrt(part.shape[-1] - 1) for part in parts]""",
)
