"""Surface: texts that differ in casing, punctuation and spacing alone."""

import unicodedata

import numpy as np
import regex

from mtsig.arrays import Index, Mask
from mtsig.segments.buckets.detector import Column, Detector, Stream, Texts, spread_out
from mtsig.text import N_CODES, Codes

_SILENT = regex.compile(r"[[\p{P}\p{Z}\p{Cc}\p{Cf}`´^¨]--[%‰&@#*/\\§†]]+", flags=regex.V1)
"""Marks, spaces and invisible characters, without those that are read aloud."""

_IN_NUMBER = regex.compile(r"(?<=\d)[.,٫:](?=\d)|(?<!\S)-(?=\d)")
"""Points, commas and signs that make another number."""

_DIGIT = regex.compile(r"\d")

_KEPT = "\ue000"
"""What stands in their place: a character of nobody's."""


class Surface(Detector):
    """Segments whose two outputs, or whose output and a reference, are the same words."""

    name = "surface"
    title = "casing or punctuation only"
    about = "The two outputs are not identical, but they are so without capital letters, punctuation and spaces."
    alone = "The output is no reference, but it is one without capital letters, punctuation and spaces."
    alone_needs = "reference"

    def marks(self, texts: Texts) -> Mask:
        """Return where only the surface differs."""
        if texts.second is not None:
            alike = _may_be_alike(texts, texts.first, texts.second)
            return spread_out(map(_on_surface, texts.first, texts.second, alike), len(texts))
        same, on_surface = np.zeros((2, len(texts)), dtype=bool)
        for lines in texts.references:
            beside = list(zip(texts.first, lines, _may_be_alike(texts, texts.first, lines), strict=True))
            same |= spread_out((line == other for line, other, _ in beside), len(texts))
            on_surface |= spread_out(
                (other is not None and _on_surface(line, other, may_be) for line, other, may_be in beside), len(texts)
            )
        return np.asarray(on_surface & ~same)


def _on_surface(line: str, other: str, may_be: bool) -> bool:
    return may_be and line != other and folded(line) == folded(other)


def _may_be_alike(texts: Texts, lines: Stream, others: Stream) -> list[bool]:
    """Return False where the letters of two lines tell that their words differ; one for each pair of lines.

    Folded, a character is the same ones wherever it stands, but for marks that combine with the one before. So lines
    without such marks have the same sum of their characters' numbers when they are the same words.
    """
    (ours, certain), (theirs, known) = (_sums(texts.column(stream)) for stream in (lines, others))
    return list(~(certain & known & (ours != theirs)))


def _sums(column: Column) -> tuple[Index, Mask]:
    """Return the sums of the lines' numbers, and which lines have no character that may combine; shape (n,) each."""
    codes = column.codes
    numbers, combine = _numbers(codes)
    return column.sums(numbers[codes]), column.count(combine[codes]) == 0


def _numbers(codes: Codes) -> tuple[Index, Mask]:
    """Return a number for every character that stands in a text, and whether it may combine; shape (N_CODES,) each.

    0 for what folding takes away; marks within numbers, of which some stay, count as taken away.
    """
    numbers, combine, known = _KNOWN
    new = np.zeros(N_CODES, dtype=bool)
    new[codes] = True
    for code in np.flatnonzero(new & ~known).tolist():
        kept = folded(chr(code))
        numbers[code] = sum((ord(char) * _MIX) % _MOST for char in kept if char != _KEPT)
        composed = unicodedata.normalize("NFKC", chr(code))
        combine[code] = any(unicodedata.category(char)[0] == "M" or "\u1100" <= char <= "\u11ff" for char in composed)
        known[code] = True
    return numbers, combine


_KNOWN = np.zeros(N_CODES, dtype=np.int64), np.zeros(N_CODES, dtype=bool), np.zeros(N_CODES, dtype=bool)
"""What `_numbers` says of the characters that it met, and which they are."""

_MIX, _MOST = 0x9E3779B97F4A7C15, 2**40
"""Numbers that look like none, and whose sums do not overflow."""


def folded(line: str) -> str:
    """Return a line without casing, punctuation and spaces; wide and narrow forms of a character are one.

    >>> folded("“It's OK – really!”") == folded("its ok, really"), folded("1.5 m") == folded("15 m")
    (True, False)
    """
    # Without a digit there is none of those marks.
    kept = _IN_NUMBER.sub(_KEPT, line) if _DIGIT.search(line) else line
    plain = unicodedata.normalize("NFKC", kept).casefold()
    return str(_SILENT.sub("", plain))
