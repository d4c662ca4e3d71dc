"""Two lines go in; the words that only one of them has, in their order, come out."""

from typing import TypeAlias

import regex

from mtsig.text import UNSPACED

Span: TypeAlias = tuple[int, int]

MOST_WORDS, MOST_CHARACTERS = 10_000, 100_000
"""Longer lines are not compared: the table of all pairs of words is kept to find the way through it."""

_CUT = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in UNSPACED)
_WORD = regex.compile(rf"[{_CUT}]\p{{M}}*|(?:[^\W{_CUT}]|\p{{M}})+|[^\w\s]\p{{M}}*")


def differing(first: str, second: str) -> tuple[list[Span], list[Span]] | None:
    """Return the places of words in each line that are not in a longest common subsequence of words.

    Words are what stands between spaces and punctuation; punctuation marks are words, and so are the characters of
    scripts without spaces. None where a line has more than MOST_WORDS, or MOST_CHARACTERS.
    """
    from rapidfuzz.distance import LCSseq  # here, because only this mode of the cards needs it

    if max(len(first), len(second)) > MOST_CHARACTERS:
        return None
    words = [[(word[0], word.span()) for word in _WORD.finditer(line)] for line in (first, second)]
    if max(map(len, words)) > MOST_WORDS:
        return None
    ours, theirs = ([word for word, _ in line] for line in words)
    spans: tuple[list[Span], list[Span]] = [], []
    for step in LCSseq.editops(ours, theirs):
        side = 0 if step.tag == "delete" else 1
        spans[side].append(words[side][step.src_pos if side == 0 else step.dest_pos][1])
    return spans
