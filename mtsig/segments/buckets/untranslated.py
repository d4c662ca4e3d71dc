"""Untranslated: outputs that hand back the words of the source."""

import re
from collections import Counter

import numpy as np

from mtsig.arrays import Index, Mask
from mtsig.corpus import Lines
from mtsig.segments.buckets.detector import IN_UNSPACED, Column, Fault, Texts, without_addresses

COPIED = 0.5
"""An output is copied when at least this share of its words stands in the source …"""

MORE_THAN_REFERENCE = 0.3
"""… and so much more than of the words of its references, each of which may keep names and terms."""

WITHOUT_REFERENCE = 0.8
"""The share, where there is no reference."""

FEWEST_WORDS = 3
"""Shorter outputs are names and headings, which may stay as they are."""

_WORD = re.compile(rf"[^\W\d_{IN_UNSPACED}]+|[{IN_UNSPACED}]+")
_OF_UNSPACED = re.compile(f"[{IN_UNSPACED}]")


class Untranslated(Fault):
    """Segments that one of the systems, or the one, did not translate."""

    name = "untranslated"
    title = "untranslated"
    about = (
        f"At least {COPIED:.0%} of the words of one of the outputs are the source's, and "
        f"{100 * MORE_THAN_REFERENCE:.0f} points more than of any reference's; {WITHOUT_REFERENCE:.0%} where there is "
        "none."
    )
    alone = about.replace("one of the outputs", "the output")
    needs = "source"

    def faulty(self, lines: Lines, texts: Texts) -> Mask:
        """Return which lines are copied."""
        marks, sources = np.zeros(len(lines), dtype=bool), texts.sources or ()
        for i in np.flatnonzero(_may_be_copied(texts.column(lines), texts.column(sources))).tolist():
            marks[i] = _copied(lines[i], sources[i], texts, i)
        return marks


def _copied(line: str, source: str, texts: Texts, segment: int) -> bool:
    words, known = words_of(line), Counter(words_of(source))
    if len(words) < FEWEST_WORDS:
        return False
    share = _share(words, known)
    if share < COPIED:
        return False
    usual = [_share(words_of(reference), known) for reference in texts.given(segment)]
    return share >= (max(usual) + MORE_THAN_REFERENCE if usual else WITHOUT_REFERENCE)


def _may_be_copied(ours: Column, source: Column) -> Mask:
    """Return False where what stands between spaces shows that most of a line cannot be the source's; shape (n,)."""
    lengths = ours.lengths
    # A line mostly in another script than the source's.
    other = (2 * ours.count(ours.codes >= ASCII) > lengths) & (source.count(source.codes >= ASCII) == 0)
    size = 1 + max((int(column.pieces.max(initial=0)) for column in (ours, source)), default=0)
    different, theirs = (_different(column.line * size + column.pieces) for column in (ours, source))
    pieces = np.bincount(different // size, minlength=len(lengths))
    shared = np.bincount(np.intersect1d(different, theirs, assume_unique=True) // size, minlength=len(lengths))
    # Where words have spaces between them, a copied one mostly stands between the same marks, too.
    return np.asarray(~other & ((12 * pieces < lengths) | (4 * shared >= pieces)))


def _different(keys: Index) -> Index:
    """Return the different ones in order; np.unique takes ten times as long for so many."""
    in_order = np.sort(keys)
    return np.asarray(in_order[np.append(True, in_order[1:] != in_order[:-1])[: len(keys)]])


ASCII = 128
"""Code points of ASCII."""


def _share(words: list[str], known: Counter[str]) -> float:
    if not words:
        return 0.0
    return (Counter(words) & known).total() / len(words)


def words_of(line: str) -> list[str]:
    """Return the words of a line in lower case; where words have no spaces between them, its pairs of characters.

    >>> words_of("Das Haus, 3 m hoch"), words_of("我爱你 IBM")
    (['das', 'haus', 'm', 'hoch'], ['我爱', '爱你', 'ibm'])
    """
    words_read = _WORD.findall(without_addresses(line).lower())
    if line.isascii() or not _OF_UNSPACED.search(line):
        return words_read
    pairs = []
    for word in words_read:
        unspaced = len(word) > 1 and _OF_UNSPACED.match(word)
        pairs += [word[i : i + 2] for i in range(len(word) - 1)] if unspaced else [word]
    return pairs
