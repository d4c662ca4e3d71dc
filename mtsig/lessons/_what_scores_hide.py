"""Lessons on what a score hides: documents that travel together, and texts of the same BLEU."""

from collections.abc import Sequence

import numpy as np

from mtsig._probability import points_text
from mtsig._records import Floats, Index
from mtsig.corpus._inspection import MIN_DOCUMENTS
from mtsig.corpus._notes import number_of
from mtsig.errors import NotApplicable
from mtsig.inference._dependence import dependence
from mtsig.lab import Material, Orderings, run
from mtsig.lab._blind_spots import OrderingCounts, Sentence, SentenceVariants, Variant
from mtsig.lab._draws import Redrawn
from mtsig.lessons import _drawn as drawn
from mtsig.lessons._stage import Ask, Bag, Classroom, Facts, Lesson, Pile, Quiz, Stage, Tiles, View
from mtsig.resampling import Purpose, Words

_MARKS = 450_000
"""Cells of both bags that are kept, over all redraws."""

_PICKS = 10_000
"""Picks of either bag that are kept, over the first redraws."""


def _stage_of_documents(room: Classroom) -> Stage:
    by_segment, document_of = drawn.redrawn(room, unit="segment"), _documents(room)
    by_document = drawn.redrawn(room, unit="document")
    spreads = [_spreads(made.values) for made in (by_segment, by_document)]
    # Both bags have rows of documents, so that one sees what a redraw of rows does.
    order = np.argsort(document_of, kind="stable")
    kept = min(len(by_segment.weights), len(by_document.weights), max(1, _MARKS // (2 * len(order))))
    ends = drawn.axis(np.concatenate([by_segment.values, by_document.values]), by_segment.observed)
    views = {
        name: _view_of_documents(room, made, _bag(room, made, document_of, order, kept), ends, *spreads)
        for name, made in (("Single segments", by_segment), ("Whole documents", by_document))
    }
    return Stage(
        ask=Ask(
            "How many times as wide will the pile be when whole documents are drawn instead of single segments? "
            "1: just as wide; below 1: narrower.",
            "number",
            0.0,
            3.0,
            0.05,
            2,
        ),
        steps=drawn.STEPS,
        views=views,
        reveal=_revealed(room, *(spread[drawn.ASKED - 1] for spread in spreads)),
        reveal_at=drawn.ASKED,
        switch="What is drawn",
        missing=_missing(len(order), kept),
    )


def _documents(room: Classroom) -> Index:
    """Return the document of each segment that both systems have.

    Raises:
        NotApplicable: documents are unknown, or too few.
    """
    shared = room.statistics.at("segment").shared_by(room.pair)
    if shared.document_of is None:
        raise NotApplicable(
            "This lesson draws whole documents, and which segments belong to one document is not known here "
            "(docids.txt, one id a line, says it)."
        )
    if len(np.unique(shared.document_of)) < MIN_DOCUMENTS:
        raise NotApplicable(
            f"This lesson draws whole documents, and {number_of(len(np.unique(shared.document_of)), 'document')} "
            f"are too few: it takes at least {MIN_DOCUMENTS}."
        )
    return np.asarray(shared.document_of)


def _bag(room: Classroom, made: Redrawn, document_of: Index, order: Index, kept: int) -> Bag:
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
    return Bag(
        "A row for each document",
        texts,
        tuple(drawn.marks(row[: drawn.MOST_CELLS]) for row in weights),
        tuple(picks),
        tuple(size for size in np.diff(shown, prepend=0).tolist() if size),
    )


def _spreads(values: Floats) -> Floats:
    """Return the standard deviation of the first 1, 2 … values; 0 for one."""
    count = np.arange(1, len(values) + 1)
    centred = values - values[0]
    squares = np.cumsum(np.square(centred)) - np.square(np.cumsum(centred)) / count
    return np.asarray(np.sqrt(np.maximum(squares, 0.0) / np.maximum(count - 1, 1)))


def _view_of_documents(
    room: Classroom, made: Redrawn, bag: Bag, ends: tuple[float, float], by_segment: Floats, by_document: Floats
) -> View:
    metric, name, unit = room.statistics.metric.name, drawn.difference(room.pair), made.statistics.unit
    start = (
        f"{name} is {drawn.points(room, made.observed)} {metric} ({drawn.positive(room.pair)}). "
        f"{number_of(made.statistics.n, unit, ',')} will be drawn, one by one and with replacement."
    )
    own, other = (by_document, by_segment) if unit == "document" else (by_segment, by_document)
    beside = "single segments" if unit == "document" else "whole documents"
    said = (
        f"{draws:,} redraws: the last difference is {drawn.points(room, value)}; their standard "
        f"deviation is {_amount(room, spread)}, that of as many redraws of {beside} {_amount(room, against)} {metric}."
        for draws, (value, spread, against) in enumerate(
            zip(made.values[1:].tolist(), own[1:].tolist(), other[1:].tolist(), strict=True), 2
        )
    )
    single = f"1 redraw: the difference is {drawn.points(room, float(made.values[0]))} {metric}."
    low, high = ends
    pile = Pile(
        f"All redraws of {unit}s so far",
        f"{metric}: {name}",
        low,
        high,
        tuple(made.values.tolist()),
        drawn.observed_marks(room, made.observed),
    )
    return View((bag, pile), (start, single, *said))


def _amount(room: Classroom, spread: float) -> str:
    return points_text(spread, room.statistics.metric.decimals + 1)


def design_effect(room: Classroom, system: str, other: str | None = None) -> float:
    """Return by how much documents change the variance of a score, or a difference; NaN where it cannot be told."""
    try:
        return dependence(room.statistics.at("segment"), system, other).design_effect
    except NotApplicable:
        return float("nan")


def _revealed(room: Classroom, by_segment: float, by_document: float) -> str:
    metric, (first, second) = room.statistics.metric.name, room.pair
    said = (
        f"The standard deviation of {drawn.ASKED:,} redraws is {_amount(room, by_document)} {metric} with whole "
        f"documents and {_amount(room, by_segment)} with single segments"
    )
    if by_segment > 0:
        said += f": {points_text(by_document / by_segment)} times as wide"
    effects = [
        f"{points_text(effect)} for {name}"
        for name, effect in (
            (drawn.difference(room.pair), design_effect(room, first, second)),
            (f"{first} alone", design_effect(room, first)),
            (f"{second} alone", design_effect(room, second)),
        )
        if not np.isnan(effect)
    ]
    if not effects:
        return f"{said}."
    listing = ", ".join(effects)
    return f"{said}. Without drawing, documents change the variance by a factor of {listing}: the design effect."


def _missing(n: int, kept: int) -> tuple[str, ...]:
    said = []
    if kept < drawn.STEPS:
        said.append(f"The bags are shown for the first {kept:,} redraws: {n:,} segments are too many to keep more.")
    if n > drawn.MOST_CELLS:
        said.append(f"Only the first {drawn.MOST_CELLS:,} of {n:,} segments have a cell; all of them are drawn.")
    return tuple(said)


def _solution_of_documents(room: Classroom) -> str:
    told = []
    for name in room.statistics.systems:
        try:
            measured = dependence(room.statistics.at("segment"), name)
        except NotApplicable:
            continue
        if not np.isnan(measured.design_effect):
            told.append(
                f"{name} {points_text(measured.design_effect)} ({measured.segments:,} segments are worth "
                f"{measured.effective_segments:,.0f})"
            )
    if not told:
        return "No system's score has a derivative here, so no design effect can be told."
    effects = "; ".join(told)
    return f"Design effect of each score by itself: {effects}. A factor below 1 does not make more segments of them."


DOCUMENTS_TRAVEL_TOGETHER = Lesson(
    number=11,
    name="documents-travel-together",
    title="Documents travel together",
    misconception="200 segments are 200 separate facts.",
    sections="Koehn (2004), section 3; Zhang and Vogel (2004), section 4.1",
    question="The segments came as documents. What changes when whole documents are drawn?",
    take_home="Count what was sampled.",
    exercise="By which factor do documents change the variance of each of your systems' scores, and how many separate "
    "segments are yours worth?",
    quiz=Quiz(
        "A test set has 20 documents of 10 segments. The segments of a document are alike in how hard they are. What "
        "is sampled, as far as a new test set is concerned?",
        (
            "200 separate segments",
            "20 documents, and each brings its segments along",
            "10 segments, 20 times each",
            "One document",
        ),
        1,
        "A new test set would have other documents. Where segments of a document go together, redraws of single "
        "segments vary too little; for a difference it can also be the other way round.",
    ),
    stage=_stage_of_documents,
    solution=_solution_of_documents,
)


SAMPLES = 20
FEWEST = 3
"""Phrases that can be moved about at all."""

MOST_WORDS = 60
EQUAL = "All of them score the same"


def taken_apart(room: Classroom) -> SentenceVariants:
    """Return one sentence of the first system with other orders, and other words.

    Raises:
        NotApplicable: there are no texts or references, or no sentence has phrases that can be moved.
    """
    texts = room.texts
    if len(texts.systems.get(room.pair[0], ())) != 1:
        raise NotApplicable(f"{room.pair[0]} stands for several outputs, or for none: choose one with a text.")
    sentences = Sentence(samples=SAMPLES, seed=room.seed, system=room.pair[0])
    sentence: SentenceVariants = run(sentences, Material((room.statistics,), texts))
    if (
        len(sentence.matched.phrases()) < FEWEST
        or len(sentence.matched.words) > MOST_WORDS
        or not max(sentence.matched.counts)
    ):
        raise NotApplicable(
            f"No output of {room.pair[0]} has the length (12 to 25 words), and matches of every order, that this "
            "lesson takes apart."
        )
    return sentence


def _stage_of_tiles(room: Classroom) -> Stage:
    sentence = taken_apart(room)
    equal = [variant for variant in sentence.permuted if variant.counts == sentence.matched.counts]
    same = (sentence.variants()[0], *equal[:2], *sentence.redrawn[:1])
    shown = [same[place] for place in np.argsort(Words(room.seed, 1, Purpose.ORDERS).take(1, len(same))[0])]
    # First those that change nothing: that is what the question was about.
    orders = sorted(sentence.permuted, key=lambda variant: variant.counts != sentence.matched.counts)
    orderings, distinct = f"{sentence.orderings:,}", f"{sentence.distinct:,}"
    tiles = Tiles(
        f"Segment {sentence.segment} of {sentence.system}, cut between words that follow each other in no reference",
        tuple(" ".join(phrase) for phrase in sentence.matched.phrases()),
        tuple(variant.order for variant in orders),
        tuple(_meter(sentence, variant) for variant in orders),
        f"at least {_bleu(sentence.bleu)} BLEU: no match is lost in any order, and one may be won by chance",
    )
    facts = Facts(
        "Other words from the references, same counts",
        ("text", "BLEU", "matched 1- to 4-grams"),
        tuple(
            (" ".join(variant.words), _bleu(variant.bleu), _counts(variant))
            for variant in (sentence.variants()[0], *sentence.redrawn[:4])
        ),
        since=1,
    )
    says = [
        f"{_bleu(sentence.bleu)} BLEU with {_counts(sentence.variants()[0])} matched 1- to 4-grams. Its "
        f"{len(sentence.matched.phrases())} phrases can stand in {orderings} orders."
    ]
    says += [f"Order {k}: {_meter(sentence, variant)}." for k, variant in enumerate(orders, 1)]
    return Stage(
        Ask(
            "Which of these scores best?",
            "choice",
            options=(*(" ".join(variant.words) for variant in shown), EQUAL),
        ),
        len(sentence.permuted),
        {"": View((tiles, facts), tuple(says))},
        f"{EQUAL}: {_bleu(sentence.bleu)}, as each has {_counts(sentence.variants()[0])} matched 1- to 4-grams. None "
        f"of the {orderings} orders of the phrases ({distinct} different strings) scores lower; one that wins a "
        "match by chance scores higher.",
        1,
        pace="hand",
        buttons=(1,),
        verb="Shuffle",
        noun="order",
    )


def _bleu(value: float) -> str:
    return points_text(value, 1)


def _counts(variant: Variant) -> str:
    return ", ".join(map(str, variant.counts))


def _meter(sentence: SentenceVariants, variant: Variant) -> str:
    """Return the score of an order, and what is different where the score is."""
    score = f"{_bleu(variant.bleu)} BLEU"
    if variant.counts == sentence.matched.counts:
        return f"{score}, the same matches"
    more = [
        f"{now - before} more of {number_of(length, 'word')}"
        for length, (before, now) in enumerate(zip(sentence.matched.counts, variant.counts, strict=True), 1)
        if now > before
    ]
    return f"{score}: neighbours now match by chance: {', '.join(more)}"


def _solution_of_tiles(room: Classroom) -> str:
    sentence = taken_apart(room)
    counted: OrderingCounts = run(Orderings(system=room.pair[0]), Material((room.statistics,), room.texts))
    place = int(np.argmax(counted.digits))
    changed = _changed([variant for variant in sentence.permuted if variant.counts != sentence.matched.counts])
    return (
        f"The phrases of segment {counted.numbers[place]} of {room.pair[0]} can stand in the most orders, about "
        f"10^{counted.digits[place]:.0f}; the median is 10^{np.median(counted.digits):.1f}. Of "
        f"{len(sentence.permuted)} orders shown of segment {sentence.segment}, {changed}."
    )


def _changed(variants: Sequence[Variant]) -> str:
    if not variants:
        return "none has another score"
    return f"{len(variants)} won a match by chance and score up to {_bleu(max(variant.bleu for variant in variants))}"


SAME_BLEU = Lesson(
    12,
    "same-bleu",
    "Same BLEU, other sentence",
    "Equal BLEU, equal translation.",
    "Callison-Burch, Osborne and Koehn (2006), sections 3.1 and 3.2, figure 1, table 2",
    "How many different sentences have exactly the BLEU of this one?",
    "BLEU counts pieces, not sentences: it cannot see what a reader sees at once.",
    "Put the tiles into the worst order you can find. What does the meter say? Which of your segments has most orders?",
    Quiz(
        "Two systems have the same BLEU on the same test set. What follows?",
        (
            "Matched pieces and lengths come to the same number; readers may find one system much better",
            "Readers will find them equally good",
            "They translate most segments with the same words",
            "Neither is significantly better in any metric",
        ),
        0,
        "The score keeps counts of matched n-grams and lengths, and nothing else. Sentences of very different quality "
        "share them. BLEU suits changes to one system and systems of one kind.",
    ),
    _stage_of_tiles,
    _solution_of_tiles,
)
