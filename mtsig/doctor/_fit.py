"""Checks of alignment: lines that fit neighbouring lines, texts of another length, or another script or language."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from mtsig._records import Floats
from mtsig.corpus._notes import number_of, quoted
from mtsig.doctor import _view
from mtsig.readers import Part
from mtsig.text._characters import LETTER, letters_of, script_of

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

CLEAR = 0.15
"""Least likeness that a single line gains by a shift."""

BEYOND_CHANCE = 4
"""Standard deviations of a count (Poisson) by which single lines at one distance are more than at other distances."""

LEAST_TEXT = 10
"""Lines that a text has at least before it can be said to fit nowhere: of fewer, n-grams tell too little."""

ALONE = 0.2
"""Likeness that the lines of a text have at least, where there is no other text to compare it with."""

NOWHERE = 0.4
"""A text fits nowhere when its median likeness is less than this times that of the other texts' median."""


class ShiftedRun(NamedTuple):
    """Lines from `start` to before `end` that fit better if moved by `offset`; `gain`: total gain in similarity."""

    start: int
    end: int
    offset: int
    gain: float
    own: float
    moved: float


def check_shifts(view: _view.View) -> Iterator[_view.Finding]:
    """Yield a finding for every misaligned block, and for every text that does not fit its references."""
    if not view.sample.references and len(view.sample.outputs) < 2:
        return
    what = "reference" if view.sample.references else "other systems' output"
    medians = _medians(view)
    usual = float(np.median(list(medians.values()))) if len(medians) > 1 else ALONE
    nowhere = {finding.where: finding for finding in _fits_nowhere(medians, usual, what)}
    scattered: dict[str, Moved] = {}
    in_blocks = set[int]()
    for run in view.sample.outputs:
        own = view.own[run]
        # The upper quartile is what lines that are in place have, also where half of them are not.
        low = np.flatnonzero(own < LOW * max(ALONE, float(np.nanquantile(own, 0.75))))
        gains = _gains_around(view.vectors(run, low), view.guide_for(run), own, low)
        blocks = blocks_of(own, low, gains)
        moved, anywhere = (scattered_lines(low, gains, beside) for beside in (blocks, ()))
        if anywhere.both_ways and 2 * len(anywhere.lines) > sum(block.end - block.start for block in blocks):
            blocks, moved = [], anywhere
        blocks = [*blocks, *_far_away(view, run, own, blocks)]
        # In a text that fits nowhere, some lines are like some neighbour by chance; blocks explain it when they are
        # most of it, or when the other lines fit.
        if _where(run) not in nowhere or _explain(blocks, own, usual) or 2 * len(moved.lines) >= len(own):
            nowhere.pop(_where(run), None)
            yield from (_finding(view, run, block, what) for block in blocks)
            in_blocks |= {line for block in blocks for line in range(block.start, block.end)}
            scattered[run] = moved
    yield from nowhere.values()
    # Without references, a block of one system is out of place in what the others are held against.
    yield from _scattered(view, scattered, what, set() if view.sample.references else in_blocks)


def _explain(blocks: Sequence[ShiftedRun], own: Floats, usual: float) -> bool:
    """Return whether blocks are why a text seems to fit nowhere."""
    outside = np.ones(len(own), dtype=bool)
    for block in blocks:
        outside[block.start : block.end] = False
    others = own[outside]
    fits = len(others) >= LEAST_TEXT and float(np.nanmedian(others)) >= NOWHERE * usual
    return bool(blocks) and (2 * len(others) <= len(own) or fits)


def blocks_of(own: Floats, low: np.ndarray, gains: Floats) -> list[ShiftedRun]:
    """Return the blocks of lines that fit a neighbour better, best first, none of them overlapping.

    A block maximises the sum over its lines of (likeness to the neighbour − likeness to the own reference); lines that
    fit well where they are count −AGAINST. low, gains: lines that do not fit, and what each gains; see `_gains_around`.
    """
    if len(low) < LEAST_LINES:
        return []
    shifted_runs: list[ShiftedRun] = []
    for offset in [*range(1, WINDOW + 1), *range(-1, -WINDOW - 1, -1)]:
        gained = np.full(len(own), np.nan)
        gained[low] = gains[:, WINDOW + offset]
        gain = np.where(np.isnan(gained), -AGAINST, gained)
        if gain[gain > 0].sum() < LEAST_SUM:
            continue
        for start, end in best_runs(gain - NEXT_TO_NOTHING):
            inside = slice(start, end)
            whole = float(gain[inside].sum())
            if whole >= LEAST_SUM and end - start >= LEAST_LINES:
                mean = float(np.nanmean(gained[inside] + own[inside]))
                shifted_runs.append(ShiftedRun(start, end, offset, whole, float(own[inside].mean()), mean))
    kept: list[ShiftedRun] = []
    for block in sorted(shifted_runs, key=lambda shifted_run: -shifted_run.gain):
        if all(block.end <= shifted_run.start or block.start >= shifted_run.end for shifted_run in kept):
            kept.append(block)
    return kept


def _far_away(view: _view.View, run: str, own: Floats, known: Sequence[ShiftedRun]) -> Iterator[ShiftedRun]:
    """Yield stretches of lines that fit nothing near, and the lines at one greater distance: parts in another order."""
    n, upper = len(own), max(ALONE, float(np.nanquantile(own, 0.75)))
    for start, end in best_runs(NOWHERE * upper - np.nan_to_num(own)):
        taken = any(start < block.end and block.start < end for block in known)
        if end - start < 2 * LEAST_TEXT or taken:
            continue
        low = np.unique(np.linspace(start, end - 1, 4 * LEAST_TEXT, dtype=int))
        gains = _gains_around(view.vectors(run, low), view.guide_for(run), own, low, n)
        best = np.argmax(np.nan_to_num(gains, nan=-1.0), axis=1)
        clear = np.flatnonzero(gains[np.arange(len(low)), best] >= CLEAR)
        # Lines of one part all belong at one distance.
        for at in np.unique(best[clear]).tolist():
            held = clear[best[clear] == at]
            if len(held) >= LEAST_TEXT:
                first, last = int(low[held[0]]), int(low[held[-1]]) + 1
                gained, mean = float(np.mean(gains[held, at])), float(np.mean(own[low[held]]))
                yield ShiftedRun(first, last, at - n, gained * (last - first), mean, gained + mean)


def _gains_around(lines: _view.Lines, guide: _view.Lines, own: Floats, low: np.ndarray, window: int = WINDOW) -> Floats:
    """Return what lines gain in likeness by each move, shape (m, 2 · window + 1); NaN beyond the ends."""
    text, other = lines.vectors, guide.vectors
    n, places = other.shape
    row_of = np.repeat(np.arange(n), np.diff(other.indptr))
    around, line = np.full((len(low), 2 * window + 1), np.nan), np.zeros(places)
    for likeness, i, (start, end) in zip(around, low.tolist(), pairwise(text.indptr.tolist()), strict=True):
        line[text.indices[start:end]] = text.data[start:end]
        first, last = max(0, i - window), min(n, i + window + 1)
        near = slice(other.indptr[first], other.indptr[last])
        products = other.data[near] * line[other.indices[near]]
        likeness[first - i + window : last - i + window] = np.bincount(row_of[near] - first, products, last - first)
        line[text.indices[start:end]] = 0
    return np.asarray(around - own[low, None])


class Moved(NamedTuple):
    """Single lines, from 0, that fit a line at the distance `by`, and the direction of each."""

    by: int
    lines: tuple[int, ...]
    offsets: tuple[int, ...]

    @property
    def both_ways(self) -> bool:
        """Whether lines that belong further down and further up take turns, as those do that were swapped."""
        turns = sum(before != after for before, after in pairwise(self.offsets))
        return 4 * turns >= max(1, len(self.lines))


def scattered_lines(low: np.ndarray, gains: Floats, blocks: Sequence[ShiftedRun]) -> Moved:
    """Return the lines outside of blocks that fit a neighbour's reference far better, at the distance of most of them.

    Single lines say little, so each has to gain CLEAR, and more lines have to do so at this distance than chance
    explains: lines of a weak system fit some neighbour at any distance. low, gains: as for `blocks_of`.
    """
    inside = np.array([any(block.start <= line < block.end for block in blocks) for line in low.tolist()], dtype=bool)
    if (~inside).sum() < LEAST_LINES:
        return Moved(0, (), ())
    down, up = gains[:, WINDOW + 1 :], gains[:, WINDOW - 1 :: -1]
    fits = ~inside[:, None] & (np.fmax(down, up) >= CLEAR)
    counts = fits.sum(axis=0)
    best = int(np.argmax(counts))
    by_chance = float(np.delete(counts, best).mean())
    if counts[best] <= by_chance + BEYOND_CHANCE * max(by_chance, 0.5) ** 0.5:
        return Moved(0, (), ())
    hits, by = np.flatnonzero(fits[:, best]), best + 1
    further = np.nan_to_num(down[hits, best], nan=-1.0) >= np.nan_to_num(up[hits, best], nan=-1.0)
    return Moved(by, tuple(low[hits].tolist()), tuple(np.where(further, by, -by).tolist()))


def _scattered(view: _view.View, moved: Mapping[str, Moved], what: str, known: set[int]) -> Iterator[_view.Finding]:
    """Yield a finding for every text with single lines out of place, and one for those that most texts have there.

    known: lines that other findings explain.
    """
    counts = Counter(line for own in moved.values() for line in own.lines)
    common = {line for line, count in counts.items() if len(moved) > 2 and 2 * count > len(moved)}
    texts: list[tuple[str, str, tuple[str, ...], set[int]]] = [
        (f"the {what}", "The reference", (), common - known),
        *((_where(run), run, (run,), set(own.lines) - common - known) for run, own in moved.items()),
    ]
    for where, name, of, lines in texts:
        if len(lines) < LEAST_LINES:
            continue
        numbers = sorted(int(view.numbers[line]) for line in lines)
        at = min(lines)
        text, own = next((view.sample.outputs[run], moved[run]) for run in of or moved if at in moved[run].lines)
        belongs = int(view.numbers[at + own.offsets[own.lines.index(at)]]) + 1
        said = (
            f"{_view.counted(numbers, len(view.corpus))} fit the {what} {number_of(own.by, 'line')} away far better "
            f"than their own: line {numbers[0] + 1}, {quoted(text[at])}, fits line {belongs}."
        )
        why = "Were these lines swapped" if own.both_ways else "Were these lines copied from other segments"
        level: _view.Level = "warning" if _view.is_loud(len(lines), len(view.sample)) else "note"
        headed = f"{name} has scattered misaligned lines"
        yield _view.Finding(
            "shifts", level, "likely", where, said, f"{why}? Correct them.", _view.first_lines(numbers), headed, of
        )


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


def _finding(view: _view.View, run: str, block: ShiftedRun, what: str) -> _view.Finding:
    first, last = int(view.numbers[block.start]), int(view.numbers[block.end - 1])
    count = block.end - block.start
    direction = "later" if block.offset > 0 else "earlier"
    by = abs(block.offset)
    text = (
        f"{count:,} lines fit the {what} {number_of(by, 'line')} {direction} better than their own (similarity "
        f"{block.moved:.2f} instead of {block.own:.2f})."
    )
    here, there = ("missing", "too many") if block.offset > 0 else ("too many", "missing")
    where = f"at line {last + 2}" if block.end < len(view.numbers) else "at the end"
    lines, verb = number_of(by, "line"), "is" if by == 1 else "are"
    advice = (
        f"Look at the file around line {first + 1}: probably {lines} {verb} {here} there, and {lines} {verb} {there} "
        f"{where}. Scores of these lines are meaningless until this is fixed."
    )
    if by > WINDOW:
        advice = (
            "Were parts of the output put together in another order, or one of them twice? Join them in the order of "
            "the reference. Scores of these lines are meaningless until this is fixed."
        )
    confidence: _view.Confidence = "certain" if block.gain > 4 * LEAST_SUM else "likely"
    # Of the whole, lines between those that were looked at slipped with them; a part may lack or repeat some.
    is_whole = view.corpus.segments.numbers is None
    if is_whole and view.sample is view.corpus:
        text += _glue_around(view, run, block)
    numbers = range(first, last + 1) if is_whole else view.numbers[block.start : block.end].tolist()
    where = f"{_where(run)}, {_view.at_lines(numbers)}"
    headed, of = f"{run} has misaligned lines", (run,)
    listed, span = _view.first_lines(numbers), (first + 1, last + 1)
    return _view.Finding("shifts", "warning", confidence, where, text, advice, listed, headed, of, span=span)


def _glue_around(view: _view.View, run: str, block: ShiftedRun) -> str:
    """Return what is said of a line at either end of a block that holds several others, or that was split."""
    lines = view.sample.outputs[run]
    guide, of = next((own, name) for name, own in view.guides.items() if name != run or view.sample.references)
    by = abs(block.offset)
    # Behind a line that holds two, lines belong further down; so they do up to one that was split.
    first, last = ([i for i in range(at - 2, at + 2) if i >= 0] for at in (block.start, block.end))
    glued, split = (first, [i + by for i in last]) if block.offset > 0 else ([i + by for i in last], first)
    back = (0, by) if block.offset > 0 else (by, 0)
    held = [
        glued_at(own, others, [
            Glued(i, i - less, by + 1) for i in at if i < len(own) and 0 <= i - less < len(others) - by
        ])
        for own, others, at, less in ((lines, guide, glued, back[0]), (guide, lines, split, back[1]))
    ]  # fmt: skip
    return _said_of_glue(held[0][:1], held[1][:1], f"{'reference' if view.sample.references else 'system'} {of!r}")


def _fits_nowhere(medians: Mapping[str, float], usual: float, what: str) -> Iterator[_view.Finding]:
    """Yield a finding for every text that is far less like its references than the texts there are; see `ALONE`."""
    for run, median in medians.items():
        if median < NOWHERE * usual:
            text = f"none of its lines resembles the {what} (similarity {median:.2f}; usual here {usual:.2f})."
            advice = "Does the file belong to another test set, or is it in another order or language?"
            headed, of = f"{run} does not fit the reference", (run,)
            yield _view.Finding("shifts", "warning", "likely", _where(run), text, advice, (), headed, of)


def _medians(view: _view.View) -> dict[str, float]:
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


MOST_LINES = 20_000
"""Lines up to which the place is sought where a text slipped."""

_SEPARATORS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"


def check_lengths(parts: Sequence[Part]) -> Iterator[_view.Finding]:
    """Yield a finding for every text with an unusual number of lines, and where its lines may be misaligned."""
    texts = [part for part in parts if part.role in {"system", "reference", "source"} and part.lines]
    columns = [part for part in parts if part.role in {"documents", "domains", "original languages"} and part.lines]
    if not texts:
        return
    usual = Counter(len(part.lines or ()) for part in [*texts, *columns]).most_common(1)[0][0]
    guides = [part for part in texts if part.role == "reference" and len(part.lines or ()) == usual]
    guides += [part for part in texts if part.role == "system" and len(part.lines or ()) == usual]
    for part in [*texts, *columns]:
        lines = part.lines or ()
        if len(lines) == usual:
            continue
        where = f"{part.role} {part.name!r} ({part.label})"
        counted, of = number_of(len(lines), "line", ","), (part.name,) if part.role == "system" else ()
        text, headed = f"has {counted}, but the other files have {usual:,}.", f"{part.label} has {counted}"
        guide = next((item for item in guides if item is not part), None)
        comparable = part in texts and part.role != "source" and guide is not None
        in_one = len(lines) == 1 and len(lines[0] or "") > _OF_ONE * usual
        slip = slipped(lines, guide.lines or ()) if comparable and guide is not None and not in_one else None
        strays = strays_of(lines, guide.lines or ()) if comparable and guide is not None else Strays((), ())
        is_apart = strays.apart and not in_one and guide is not None and not _ends_blank(lines, usual)
        called = f"{guide.role} {guide.name!r}" if guide is not None else ""
        glued, split = _glued(lines, guide.lines or (), strays) if comparable and guide is not None else ([], [])
        left = strays.without(glued, split)
        if is_apart:
            text += left.said(called)
        elif _ends_blank(lines, usual):
            slip = usual
            text += f" All lines from {usual + 1} on are empty."
        elif slip is not None:
            text += _place(lines, usual, slip, called)
        at = left.lines if is_apart else () if glued or split or slip is None else (slip + 1,)
        advice = "At each of them, look for an extra or a missing line, and for a line break that was added or lost."
        advice = advice if is_apart else _advice(lines, usual, slip)
        if (glued or split) and not _by_separators(lines, usual):
            text += _said_of_glue(glued, split, called)
            at = _view.first_lines(sorted({*(n - 1 for n in at), *(o.line for o in glued), *(o.first for o in split)}))
            advice = "Put each segment on a line of its own." + f" {advice}" * bool(
                is_apart and left.extra + left.missing
            )
        yield _view.Finding("lengths", "warning", "certain", where, text, advice, at, headed, of)


_OF_ONE = 10
"""Characters for each segment from which on a lone line holds several of them."""


def _ends_blank(lines: Sequence[str | None], usual: int) -> bool:
    """Return whether all that a text has more than the others are blank lines at its end."""
    return len(lines) > usual and not any((line or "").strip() for line in lines[usual:])


def _place(lines: Sequence[str | None], usual: int, slip: int, guide: str) -> str:
    if slip < min(len(lines), usual):
        return f" From line {slip + 1} on, it no longer fits {guide}."
    return f" It fits {guide} up to line {min(len(lines), usual)}."


def _by_separators(lines: Sequence[str | None], usual: int) -> bool:
    """Return whether a text would have as many lines as the others if it were split at other separators, too."""
    return sum(1 + sum((line or "").count(separator) for separator in _SEPARATORS) for line in lines) == usual


def _advice(lines: Sequence[str | None], usual: int, slip: int | None) -> str:
    if len(lines) == 1 and len(lines[0] or "") > _OF_ONE * usual:
        return "Were its line breaks lost, or written as U+2028 or U+0085? Put each segment on a line of its own."
    if _by_separators(lines, usual):
        return "The other files were also split at separators such as U+2028. Replace these by spaces in the text."
    if slip is None:
        return "Every text needs one line per segment."
    if _ends_blank(lines, usual):
        return f"End the file after line {usual}."
    if slip >= min(len(lines), usual):
        missing = len(lines) < usual
        return "Its last lines are missing: was the run cut off?" if missing else "Its last lines belong to no segment."
    return "Look for an extra or a missing line there." if abs(len(lines) - usual) == 1 else "Look at the lines there."


def slipped(lines: Sequence[str | None], guide: Sequence[str | None]) -> int | None:
    """Return the line, from 0, after which a text fits its guide better if moved by the difference of their lengths.

    The first lines are taken as they stand and the last as moved; the line between is where the sum of likenesses is
    greatest. None where it cannot be told.
    """
    offset = len(guide) - len(lines)
    if max(len(lines), len(guide)) > MOST_LINES or not lines:
        return None
    counts = _view.counts_of(guide)
    weights = _view.weights_of([counts])
    own, other = _view.weighted(_view.counts_of(lines), weights), _view.weighted(counts, weights)
    straight, moved = np.nan_to_num(own.like(other)), np.nan_to_num(own.like(other, offset))
    before = np.concatenate([[0.0], np.cumsum(straight)])
    after = np.concatenate([[0.0], np.cumsum(moved[::-1])])[::-1]
    sums = before + after
    best = int(np.argmax(sums))
    # A text of another test set fits neither way.
    return best if sums[best] > 0.1 * len(lines) else None


MOST_STRAYS = 40
"""Strays that are named; of the longest texts that are aligned as many are sought, of shorter ones more."""

ROOM = 6
"""Further lines by which an alignment may go astray on the way."""

STRAY = 0.02
"""What a line that fits nothing costs: less than the likeness of any two lines that say the same."""


class Strays(NamedTuple):
    """Lines of a text that fit no line of its guide, and lines of the guide that none fits; numbered from 0."""

    extra: tuple[int, ...]
    missing: tuple[int, ...]

    @property
    def apart(self) -> bool:
        """Whether they stand in several places: one place is told by where the text slips."""
        runs = sum(number - 1 not in numbers for numbers in (set(self.extra), set(self.missing)) for number in numbers)
        return runs > 1

    def without(self, glued: Sequence["Glued"], split: Sequence["Glued"]) -> "Strays":
        """Return them without lines that are glued to another, or pieces of one that was split."""
        told = ({own.first + i for own in several for i in range(own.lines)} for several in (split, glued))
        return Strays(*(tuple(n for n in numbers if n not in own) for numbers, own in zip(self, told, strict=True)))

    @property
    def lines(self) -> tuple[int, ...]:
        """The first of the text's own lines, from 1; or where there is none, those that are missing."""
        return _view.first_lines(self.extra or self.missing)

    def said(self, guide: str) -> str:
        """Return what is said of them."""
        said = ""
        if self.extra:
            said += f" {number_of(len(self.extra), 'line')} too many: {_all_lines(self.extra)}."
        if self.missing:
            said += f" Missing here: {_all_lines(self.missing)} of {guide}."
        return said


def _all_lines(numbers: Sequence[int]) -> str:
    shown = ", ".join(str(number + 1) for number in numbers[:MOST_STRAYS]) + ", …" * (len(numbers) > MOST_STRAYS)
    return f"{'line' if len(numbers) == 1 else 'lines'} {shown}"


def strays_of(lines: Sequence[str | None], guide: Sequence[str | None]) -> Strays:
    """Return what an alignment of the whole text with its guide leaves over (Needleman and Wunsch 1970, in a band)."""
    more = len(lines) - len(guide)
    longest = max(len(lines), len(guide))
    if longest > MOST_LINES or abs(more) * longest > MOST_STRAYS * MOST_LINES:
        return Strays((), ())
    # Line i lies beside line i + offset of the guide: from none astray to all of them, with room on both sides.
    offsets = range(min(0, -more) - ROOM, max(0, -more) + ROOM + 1)
    counts = _view.counts_of(guide)
    weights = _view.weights_of([counts])
    own, other = _view.weighted(_view.counts_of(lines), weights), _view.weighted(counts, weights)
    gain = np.full((len(lines), len(offsets)), -np.inf)
    for column, offset in enumerate(offsets):
        likeness = own.like(other, offset)
        gain[:, column] = np.where(np.isnan(likeness), -np.inf, likeness)
    return _traced(gain, offsets, len(guide))


def _traced(gain: Floats, offsets: range, guide: int) -> Strays:
    """Return what is left over by the alignment of greatest gain; gain: of line i at each offset, shape (m, offsets).

    Stepping to the next offset passes over a line of the guide, stepping back over one of the text.
    """
    m, width = gain.shape
    start = -offsets[0]
    best = np.full((m + 1, width), -np.inf)
    best[0, start:] = -STRAY * np.arange(width - start)
    for i in range(m):
        match = best[i] + gain[i]
        extra = np.append(best[i, 1:] - STRAY, -np.inf)
        # What is missing is passed over at once: the best so far, each further offset a little less.
        reach = np.maximum(match, extra) + STRAY * np.arange(width)
        best[i + 1] = np.maximum.accumulate(reach) - STRAY * np.arange(width)
    i, column = m, guide - m - offsets[0]
    if best[i, column] < 0.1 * m:
        return Strays((), ())  # a text of another test set
    extra_lines: list[int] = []
    missing_lines: list[int] = []
    while i > 0 or column > start:
        if i and np.isclose(best[i, column], best[i - 1, column] + gain[i - 1, column], atol=1e-9):
            i -= 1
        elif i and column + 1 < width and np.isclose(best[i, column], best[i - 1, column + 1] - STRAY, atol=1e-9):
            i, column = i - 1, column + 1
            extra_lines.append(i)
        else:
            column -= 1
            missing_lines.append(i + offsets[column])
            if column < 0:
                return Strays((), ())
    return Strays(tuple(reversed(extra_lines)), tuple(reversed(missing_lines)))


class Glued(NamedTuple):
    """A line of one text, from 0, that holds so many lines of another, from `first` on."""

    line: int
    first: int
    lines: int


MORE_LIKE = 0.05
"""By so much a line is at least more like lines that it holds than like those around these."""


def _glued(lines: Sequence[str | None], guide: Sequence[str | None], strays: Strays) -> tuple[list[Glued], list[Glued]]:
    """Return the lines of a text that hold several of its guide, and the lines of the guide that hold several of it."""
    return _holding(lines, guide, strays.extra, strays.missing), _holding(guide, lines, strays.missing, strays.extra)


def _holding(
    lines: Sequence[str | None], others: Sequence[str | None], extra: Sequence[int], missing: Sequence[int]
) -> list[Glued]:
    """Return the lines that hold others next to the missing ones; extra: lines that stand beside no other."""
    left_over, lacking = set(extra), set(missing)
    own = [i for i in range(len(lines)) if i not in left_over]
    places = []
    for first in (m for m in missing if m - 1 not in lacking):
        count = next(i for i in range(len(others) + 1) if first + i not in lacking)
        beside = first - sum(m < first for m in missing)
        before, after = own[beside - 1 : beside] if beside else [], own[beside : beside + 1]
        places += [Glued(i, first - 1, count + 1) for i in before] + [Glued(i, first, count + 1) for i in after]
    return glued_at(lines, others, [one for one in places if one.first + one.lines <= len(others)])


def glued_at(lines: Sequence[str | None], others: Sequence[str | None], places: Sequence[Glued]) -> list[Glued]:
    """Return those of the places where a line is more like several others together than like any one of them."""
    places = [one for one in places if _is_long(lines[one.line], others[one.first : one.first + one.lines])]
    if not places:
        return []
    weights = _view.weights_of([_view.counts_of(others)])

    def like(texts: Sequence[str]) -> Floats:
        held = _view.weighted(_view.counts_of(texts), weights)
        return np.nan_to_num(_view.weighted(_view.counts_of([lines[one.line] for one in places]), weights).like(held))

    def of_others(at: Sequence[int]) -> Floats:
        return like([(others[i] or "") if 0 <= i < len(others) else "" for i in at])

    whole = like([" ".join(line or "" for line in others[one.first : one.first + one.lines]) for one in places])
    most = max(one.lines for one in places)
    pieces = np.array([of_others([one.first + i if i < one.lines else -1 for one in places]) for i in range(most)])
    around = np.fmax(of_others([one.first - 1 for one in places]), of_others([one.first + one.lines for one in places]))
    best, second = np.sort(pieces, axis=0)[:-3:-1]
    fits = (whole > best) & (second >= around + MORE_LIKE)
    return [one for one, is_so in zip(places, fits.tolist(), strict=True) if is_so]


def _is_long(line: str | None, others: Sequence[str | None]) -> bool:
    """Return whether a line is rather as long as others together than as the longest of them."""
    lengths = [len(other or "") for other in others]
    return 2 * len(line or "") >= sum(lengths) + max(lengths)


def _said_of_glue(glued: Sequence[Glued], split: Sequence[Glued], guide: str) -> str:
    """Return what is said of lines that were glued together, and of lines that were split."""
    held = [f"line {one.line + 1} holds {_view.at_lines(_those(one))} of {guide}" for one in glued[:MOST_STRAYS]]
    cut = [f"{_view.at_lines(_those(one))} are line {one.line + 1} of {guide}" for one in split[:MOST_STRAYS]]
    told = (f" Lines were {what}: {'; '.join(own)}." for what, own in (("glued together", held), ("split", cut)) if own)
    return "".join(told)


def _those(one: Glued) -> range:
    return range(one.first, one.first + one.lines)


LEAST_LETTERS = 10
"""A line with fewer letters shows no script."""

OTHER_SCRIPT = 0.7
"""A line is in another script when this share of its letters is."""

LETTERS_WORTH = {"HAN OR KANA": 2}
"""How many letters of an alphabet one of a script says as much as: in a Japanese line, a Latin name is long."""

FEW = 2
"""Lines that read like the source language and may do so by chance."""

UNLIKE = 0.85
"""Below this cosine between their counts of the n-grams that are most frequent in the references, a text is in another
language. In six real sets, and in their first 50 lines, outputs have 0.88 (Chinese) to 1.00; the Spanish source of the
sample has 0.79 beside English, other scripts at most 0.6. As near as English and German (0.89) it does not tell."""

CLEARLY_UNLIKE = 0.7
"""Below this cosine it is a warning: a hundred Chinese lines go down to 0.78 by another use of punctuation."""

FREQUENT = 200
"""N-grams that are compared: the most frequent ones say more of the language than of the content."""

LEAST_CHARACTERS = 2_000
CLEARLY = 0.2
"""A line is in the source language when its n-grams are, in the geometric mean, e^CLEARLY times likelier there than in
the references. In five real sets 99% of source lines are above, and 99% of the outputs' lines below −0.06."""


def check_script(view: _view.View) -> Iterator[_view.Finding]:
    """Yield the texts that have lines in another script than most references."""
    corpus = view.sample
    guides = list(corpus.references.values()) or list(corpus.outputs.values())
    usual = _usual_script(guides)
    if usual is None:
        return
    texts = {_view.Named("reference", name): lines for name, lines in corpus.references.items()}
    texts |= {_view.Named("system", name): lines for name, lines in corpus.outputs.items()}
    hits = {
        name: [int(view.numbers[i]) for i in _with_other_letters(lines, usual) if _is_in_other(lines[i] or "", usual)]
        for name, lines in texts.items()
    }
    text = f"lines whose script differs from that of most references ({usual.capitalize()})"
    advice = "Were these lines left untranslated, or is this the output for another language?"
    shown = _view.Shown("script", text, advice, "foreign-script lines")
    yield from _view.beside_references(shown, hits, len(corpus))


def check_language(view: _view.View) -> Iterator[_view.Finding]:
    """Yield every system in another language than the references, and every system with lines in the source's."""
    yield from _whole_texts(view)
    yield from _source_language(view)


def _whole_texts(view: _view.View) -> Iterator[_view.Finding]:
    if not view.sample.references:
        return
    whole = np.sum([_profile(view, lines) for lines in view.sample.references.values()], axis=0)
    frequent = np.argsort(-whole)[:FREQUENT]
    usual = whole[frequent]
    for run, lines in view.sample.outputs.items():
        if sum(len(line) for line in lines) < LEAST_CHARACTERS:
            continue
        own = _profile(view, lines)[frequent]
        likeness = float(own @ usual / max(1e-9, float(np.linalg.norm(own) * np.linalg.norm(usual))))
        if likeness < UNLIKE:
            text = f"its character n-grams differ from the references' (cosine {likeness:.2f}; typically above .9)."
            advice = "Is the text in another language, or of another type?"
            confidence: _view.Confidence = "likely" if likeness < CLEARLY_UNLIKE else "possible"
            level: _view.Level = "warning" if confidence == "likely" else "note"
            headed, of = f"{run} may be in another language", (run,)
            yield _view.Finding("language", level, confidence, _where(run), text, advice, (), headed, of)


def _profile(view: _view.View, lines: Sequence[str | None]) -> np.ndarray:
    return np.sqrt(np.asarray(view.counts(lines).sum(axis=0)).ravel())


def _source_language(view: _view.View) -> Iterator[_view.Finding]:
    sources, references = view.sample.segments.sources, list(view.sample.references.values())
    # Between two scripts it is the check for these that tells: a few names, in Latin letters, are most of the n-grams
    # of a Chinese or Japanese line that was translated.
    if sources is None or not references or _usual_script([sources]) != _usual_script(references):
        return
    weights = _log_ratio(view, sources, references)
    if weights is None:
        return
    # Names, titles and quotations stay as they are in references too.
    known = {number for lines in references for number in _in_source_language(view, lines, weights)}
    hits = {}
    for run, lines in view.sample.outputs.items():
        own = [number for number in _in_source_language(view, lines, weights) if number not in known]
        if len(own) > FEW:
            hits[_view.Named("system", run)] = [int(view.numbers[number]) for number in own]
    text = "lines that seem to be in the source language, although no reference does"
    shown = _view.Shown("language", text, "Were they left untranslated?", "source-language lines")
    yield from _view.by_text(shown, hits, len(view.sample))


def _log_ratio(
    view: _view.View, sources: Sequence[str], references: Sequence[Sequence[str | None]]
) -> np.ndarray | None:
    """Return log P(n-gram | source) − log P(n-gram | references), shape (2^18,); None for too little text."""
    if sum(len(line) for line in sources) < LEAST_CHARACTERS:
        return None
    of_source = np.asarray(view.counts(sources).sum(axis=0)).ravel()
    of_references = np.sum([np.asarray(view.counts(lines).sum(axis=0)).ravel() for lines in references], axis=0)
    places = len(of_source)
    smoothed = [(counts + 0.5) / (counts.sum() + 0.5 * places) for counts in (of_source, of_references)]
    return np.asarray(np.log(smoothed[0]) - np.log(smoothed[1]))


def _in_source_language(view: _view.View, lines: Sequence[str | None], weights: np.ndarray) -> list[int]:
    counts = view.counts(lines)
    totals = np.asarray(counts.sum(axis=1)).ravel()
    means = np.divide(counts @ weights, totals, out=np.zeros(len(totals)), where=totals > 0)
    likelier = np.flatnonzero(means > CLEARLY).tolist()
    return [i for i in likelier if len(LETTER.findall(lines[i] or "")) >= 2 * LEAST_LETTERS]


def _usual_script(texts: Sequence[Sequence[str | None]]) -> str | None:
    """Return the script of most letters, when it is clearly one."""
    counts: Counter[str] = Counter()
    for lines in texts:
        for letter, count in letters_of(lines[:500]).items():
            counts[script_of(letter)] += count
    if not counts:
        return None
    script = max(counts, key=lambda item: counts[item])
    return script if counts[script] >= OTHER_SCRIPT * counts.total() else None


def _with_other_letters(lines: Sequence[str | None], usual: str) -> Iterator[int]:
    """Yield the numbers of the lines with a letter of another script: of most texts there are few, or none."""
    some = [(i, line) for i, line in enumerate(lines) if line and not (usual == "LATIN" and line.isascii())]
    others = {letter for letter in letters_of(line for _, line in some) if script_of(letter) != usual}
    yield from (i for i, line in some if others and not others.isdisjoint(line))


def _is_in_other(line: str, usual: str) -> bool:
    letters = LETTER.findall(line)
    if len(letters) < LEAST_LETTERS:
        return False
    usual_ones = sum(script_of(letter) == usual for letter in letters)
    others = len(letters) - usual_ones
    return others > OTHER_SCRIPT * (others + LETTERS_WORTH.get(usual, 1) * usual_ones)
