"""Unequal lengths: texts that do not run in parallel go in, where the first of them slipped comes out."""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from mtsig.corpus import number_of
from mtsig.doctor.finding import Finding
from mtsig.doctor.likeness import counts_of, weighted, weights_of
from mtsig.readers import Part

MOST_LINES = 20_000
"""Lines up to which the place is sought where a text slipped."""

_SEPARATORS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"


def check_lengths(parts: Sequence[Part]) -> Iterator[Finding]:
    """Yield a finding for every text with another number of lines than most, and where it may have slipped."""
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
        text = f"has {number_of(len(lines), 'line', ',')}, the others have {usual:,}."
        guide = next((item for item in guides if item is not part), None)
        comparable = part in texts and part.role != "source" and guide is not None
        slip = slipped(lines, guide.lines or ()) if comparable and guide is not None else None
        if _ends_blank(lines, usual):
            slip = usual
            text += f" All from line {usual + 1} on are empty."
        elif slip is not None and guide is not None:
            text += _place(lines, usual, slip, f"{guide.role} {guide.name!r}")
        yield Finding(
            "lengths",
            "warning",
            "sure",
            where,
            text,
            _advice(lines, usual, slip),
            () if slip is None else (slip + 1,),
        )


def _ends_blank(lines: Sequence[str | None], usual: int) -> bool:
    """Return whether all that a text has more than the others are blank lines at its end."""
    return len(lines) > usual and not any((line or "").strip() for line in lines[usual:])


def _place(lines: Sequence[str | None], usual: int, slip: int, guide: str) -> str:
    if slip < min(len(lines), usual):
        return f" From line {slip + 1} on, it no longer fits {guide}."
    return f" It fits {guide} up to line {min(len(lines), usual)}."


def _advice(lines: Sequence[str | None], usual: int, slip: int | None) -> str:
    split = sum(1 + sum((line or "").count(separator) for separator in _SEPARATORS) for line in lines)
    if split == usual:
        return "The others were split at separators such as U+2028 too: replace them by spaces in the original text."
    if slip is None:
        return "Every text needs one line per segment."
    if _ends_blank(lines, usual):
        return f"End the file after line {usual}."
    if slip >= min(len(lines), usual):
        missing = len(lines) < usual
        return "Its last lines are missing: was the run cut off?" if missing else "What follows belongs to no segment."
    return "Look for a line too many or too few there." if abs(len(lines) - usual) == 1 else "Look at the lines there."


def slipped(lines: Sequence[str | None], guide: Sequence[str | None]) -> int | None:
    """Return the line, from 0, after which a text fits its guide better if moved by the difference of their lengths.

    The first lines are taken as they stand and the last as moved; the line between is where the sum of likenesses is
    greatest. None where it cannot be told.
    """
    offset = len(guide) - len(lines)
    if max(len(lines), len(guide)) > MOST_LINES or not lines:
        return None
    counts = counts_of(guide)
    weights = weights_of([counts])
    own, other = weighted(counts_of(lines), weights), weighted(counts, weights)
    straight, moved = np.nan_to_num(own.like(other)), np.nan_to_num(own.like(other, offset))
    before = np.concatenate([[0.0], np.cumsum(straight)])
    after = np.concatenate([[0.0], np.cumsum(moved[::-1])])[::-1]
    sums = before + after
    best = int(np.argmax(sums))
    # A text of another test set fits neither way.
    return best if sums[best] > 0.1 * len(lines) else None
