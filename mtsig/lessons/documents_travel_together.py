"""Lesson 11: sentences of one document are not so many separate facts."""

import numpy as np

from mtsig.arrays import Floats, Index
from mtsig.corpus import MIN_DOCUMENTS, number_of
from mtsig.errors import NotApplicable
from mtsig.inference import dependence, points_text
from mtsig.lab import Redrawn
from mtsig.lessons import drawn
from mtsig.lessons.classroom import Classroom
from mtsig.lessons.lesson import Lesson, Quiz
from mtsig.lessons.stage import Ask, Bag, Pile, Stage, View

_MARKS = 450_000
"""Cells of both bags that are kept, over all redraws."""

_PICKS = 10_000
"""Picks of either bag that are kept, over the first redraws."""


def _stage(room: Classroom) -> Stage:
    by_segment, document_of = drawn.redrawn(room, unit="segment"), _documents(room)
    by_document = drawn.redrawn(room, unit="document")
    spreads = [_spreads(made.values) for made in (by_segment, by_document)]
    # Both bags have rows of documents, so that one sees what a redraw of rows does.
    order = np.argsort(document_of, kind="stable")
    kept = min(len(by_segment.weights), len(by_document.weights), max(1, _MARKS // (2 * len(order))))
    ends = drawn.axis(np.concatenate([by_segment.values, by_document.values]), by_segment.observed)
    views = {
        name: _view(room, made, _bag(room, made, document_of, order, kept), ends, *spreads)
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


def _view(
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


def _solution(room: Classroom) -> str:
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
    stage=_stage,
    solution=_solution,
)
