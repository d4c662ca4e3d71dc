"""Shifted blocks: stretches of lines that fit the references of neighbouring segments better than their own."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from mtsig.arrays import Floats
from mtsig.corpus import number_of
from mtsig.doctor.finding import Finding, Sureness, at_lines, first_lines
from mtsig.doctor.likeness import Lines
from mtsig.doctor.view import View

WINDOW = 20
"""Neighbours looked at to either side: a document's length or two, so that documents that changed places are found."""

LOW = 0.5
"""A line is looked at when it is less than this times as like its reference as the better lines of the text are."""

AGAINST = 0.2
"""What a line that is not out of place says against a block: about the likeness that it would lose by a shift."""

NEXT_TO_NOTHING = 0.1
"""A line that gains no more by a shift does not lengthen a block."""

LEAST_SUM = 0.8
"""Least likeness that a block gains in all: of 65 outputs in seven real test sets, in order, none gains 0.6."""

LEAST_LINES = 3

LEAST_TEXT = 10
"""Lines that a text has at least before it can be said to fit nowhere: of fewer, n-grams tell too little."""

ALONE = 0.2
"""Likeness that the lines of a text have at least, where there is no other text to compare it with."""

NOWHERE = 0.4
"""A text fits nowhere when its median likeness is less than this times that of the other texts' median."""


class ShiftedRun(NamedTuple):
    """Lines from `start` to before `end` that fit better moved by `offset`; `gain` is the likeness gained in all."""

    start: int
    end: int
    offset: int
    gain: float
    own: float
    moved: float


def check(view: View) -> Iterator[Finding]:
    """Yield a finding for every block, and for every text that fits its references nowhere."""
    if not view.has_guides:
        return
    what = "reference" if view.sample.references else "other systems' output"
    medians = _medians(view)
    usual = float(np.median(list(medians.values()))) if len(medians) > 1 else ALONE
    nowhere = {finding.where: finding for finding in _fits_nowhere(medians, usual, what)}
    for run in view.sample.outputs:
        own = view.own[run]
        blocks = blocks_of(view.vectors(run), view.guide_for(run), own)
        # In a text that fits nowhere, some lines are like some neighbour by chance; blocks explain it when they are
        # most of it, or when the other lines fit.
        if _where(run) not in nowhere or _explain(blocks, own, usual):
            nowhere.pop(_where(run), None)
            yield from (_finding(view, run, block, what) for block in blocks)
    yield from nowhere.values()


def _explain(blocks: Sequence[ShiftedRun], own: Floats, usual: float) -> bool:
    """Return whether blocks are why a text seems to fit nowhere."""
    outside = np.ones(len(own), dtype=bool)
    for block in blocks:
        outside[block.start : block.end] = False
    others = own[outside]
    fits = len(others) >= LEAST_TEXT and float(np.nanmedian(others)) >= NOWHERE * usual
    return bool(blocks) and (2 * len(others) <= len(own) or fits)


def blocks_of(lines: Lines, guide: Lines, own: Floats) -> list[ShiftedRun]:
    """Return the blocks of lines that fit a neighbour better, best first, none of them overlapping.

    A block maximises the sum over its lines of (likeness to the neighbour − likeness to the own reference); lines that
    fit well where they are count −AGAINST.
    """
    # The upper quartile is what lines that are in place have, also where half of them are not.
    low = np.flatnonzero(own < LOW * max(ALONE, float(np.nanquantile(own, 0.75))))
    if len(low) < LEAST_LINES:
        return []
    shifted_runs: list[ShiftedRun] = []
    for offset in [*range(1, WINDOW + 1), *range(-1, -WINDOW - 1, -1)]:
        gains, moved = _gains(lines, guide, own, low, offset)
        for start, end in best_runs(gains - NEXT_TO_NOTHING):
            inside = slice(start, end)
            whole = float(gains[inside].sum())
            if whole >= LEAST_SUM and end - start >= LEAST_LINES:
                mean = float(np.nanmean(moved[inside]))
                shifted_runs.append(ShiftedRun(start, end, offset, whole, float(own[inside].mean()), mean))
    kept: list[ShiftedRun] = []
    for block in sorted(shifted_runs, key=lambda shifted_run: -shifted_run.gain):
        if all(block.end <= shifted_run.start or block.start >= shifted_run.end for shifted_run in kept):
            kept.append(block)
    return kept


def _gains(lines: Lines, guide: Lines, own: Floats, low: np.ndarray, offset: int) -> tuple[Floats, Floats]:
    """Return what every line gains if moved, and how like its new neighbour it is; NaN where there is none."""
    n = len(own)
    moved = np.full(n, np.nan)
    inside = low[(low + offset >= 0) & (low + offset < n)]
    product = lines.vectors[inside].multiply(guide.vectors[inside + offset])
    moved[inside] = np.asarray(product.sum(axis=1)).ravel()
    gains = np.full(n, -AGAINST)
    gains[inside] = moved[inside] - own[inside]
    return gains, moved


def best_runs(gains: Floats, most: int = 5) -> Iterator[tuple[int, int]]:
    """Yield the stretches of greatest sum, best first, each taken out before the next is sought (Kadane's method)."""
    left = gains.copy()
    for _ in range(most):
        # The sum of a stretch is the difference of two running sums; the best stretch ends highest above a low.
        sums = np.concatenate([[0.0], np.cumsum(left)])
        lows = np.minimum.accumulate(sums)
        end = int(np.argmax(sums - lows))
        if sums[end] - lows[end] <= 0:
            return
        start = int(np.argmax(sums[:end] <= lows[end]))
        yield start, end
        left[start:end] = -np.inf
        left = np.where(np.isneginf(left), -1e6, left)


def _finding(view: View, run: str, block: ShiftedRun, what: str) -> Finding:
    first, last = int(view.numbers[block.start]), int(view.numbers[block.end - 1])
    count = block.end - block.start
    direction = "later" if block.offset > 0 else "earlier"
    by = abs(block.offset)
    text = (
        f"{count:,} lines fit the {what} {number_of(by, 'line')} {direction} better than their own (likeness "
        f"{block.moved:.2f} instead of {block.own:.2f})."
    )
    here, there = ("missing", "too many") if block.offset > 0 else ("too many", "missing")
    where = f"at line {last + 2}" if block.end < len(view.numbers) else "at the end"
    lines, verb = number_of(by, "line"), "is" if by == 1 else "are"
    advice = (
        f"Look at the file around line {first + 1}: probably {lines} {verb} {here} there, and {lines} {there} {where}. "
        "Scores of these lines are wrong until that is mended."
    )
    sure: Sureness = "sure" if block.gain > 4 * LEAST_SUM else "likely"
    # Of the whole, lines between those that were looked at slipped with them; a part may lack or repeat some.
    is_whole = view.corpus.segments.numbers is None
    numbers = range(first, last + 1) if is_whole else view.numbers[block.start : block.end].tolist()
    return Finding("shifts", "warning", sure, f"{_where(run)}, {at_lines(numbers)}", text, advice, first_lines(numbers))


def _fits_nowhere(medians: Mapping[str, float], usual: float, what: str) -> Iterator[Finding]:
    """Yield a finding for every text that is far less like its references than the texts there are; see `ALONE`."""
    for run, median in medians.items():
        if median < NOWHERE * usual:
            text = f"its lines are hardly like the {what} anywhere (likeness {median:.2f}; usual here {usual:.2f})."
            advice = "Is it the output for another test set, in another order, or in another language?"
            yield Finding("shifts", "warning", "likely", _where(run), text, advice)


def _medians(view: View) -> dict[str, float]:
    """Return how like its reference a line of each text is in the middle, where there is enough text to tell."""
    medians = {}
    for run, own in view.own.items():
        # Empty lines are told apart from those of another test set.
        filled = np.array([bool(line.strip()) for line in view.sample.outputs[run]])
        if filled.sum() >= LEAST_TEXT:
            medians[run] = float(np.nanmedian(own[filled]))
    return medians


def _where(run: str) -> str:
    return f"system {run!r}"
