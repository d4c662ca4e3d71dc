"""Surface: texts that differ in casing, punctuation and spacing alone."""

import unicodedata

import regex

from mtsig.arrays import Mask
from mtsig.segments.buckets.detector import Detector, Texts, spread_out

_SILENT = regex.compile(r"[[\p{P}\p{Z}\p{Cc}\p{Cf}`´^¨]--[%‰&@#*/\\§†]]+", flags=regex.V1)
"""Marks, spaces and invisible characters, without those that are read aloud."""

_IN_NUMBER = regex.compile(r"(?<=\d)[.,٫:](?=\d)|(?<!\S)-(?=\d)")
"""Points, commas and signs that make another number."""

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
            return spread_out(map(_on_surface, texts.first, texts.second), len(texts))
        return spread_out(
            (
                line not in (given := texts.given(number)) and any(_on_surface(line, other) for other in given)
                for number, line in enumerate(texts.first)
            ),
            len(texts),
        )


def _on_surface(line: str, other: str) -> bool:
    if line == other:
        return False
    # Most outputs that differ have other letters: without looking at each, the numbers of two frequent ones tell.
    if line.isascii() and other.isascii():
        ours, theirs = line.lower(), other.lower()
        if ours.count("e") != theirs.count("e") or ours.count("t") != theirs.count("t"):
            return False
    return folded(line) == folded(other)


def folded(line: str) -> str:
    """Return a line without casing, punctuation and spaces; wide and narrow forms of a character are one.

    >>> folded("“It's OK – really!”") == folded("its ok, really"), folded("1.5 m") == folded("15 m")
    (True, False)
    """
    plain = unicodedata.normalize("NFKC", _IN_NUMBER.sub(_KEPT, line)).casefold()
    return str(_SILENT.sub("", plain))
