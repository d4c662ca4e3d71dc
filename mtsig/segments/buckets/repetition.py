"""Repetition: outputs that turn in a loop."""

import re
from collections import Counter, defaultdict
from itertools import count

import numpy as np

from mtsig.arrays import Index, Mask
from mtsig.corpus import Lines
from mtsig.segments.buckets.detector import IN_UNSPACED, Column, Fault, Texts
from mtsig.text import spaces

WORDS, CHARACTERS = 4, 8
"""Words in a row that come again, and characters where most words have no spaces between them."""

MORE = 2
"""How many times more often than in the source or a reference."""

RUN = 10
"""How many times in a row a piece of 1 to 8 characters comes in a loop without spaces."""

# A word in Katakana is mostly one foreign word, and a long one.
_TOKEN = re.compile(rf"[\u30a1-\u30fa\u30fc]+|[{IN_UNSPACED}]|[^\s{IN_UNSPACED}]+")
_CHARACTER = re.compile(f"[{IN_UNSPACED}]")
_PIECE = r"([^\s.\-–—_=*·…、。!?~]\S{0,7}?)\1"
_LOOP = re.compile(f"{_PIECE}{{{RUN - 1},}}")
_LOOP_BESIDE = re.compile(f"{_PIECE}{{{RUN // 2 - 1},}}")


class Repetition(Fault):
    """Segments in which one of the systems, or the one, repeats itself."""

    name = "repetition"
    title = "repeats itself"
    about = (
        f"In one of the outputs some {WORDS} words in a row ({CHARACTERS} characters, where words have no spaces) come "
        f"at least {MORE} times more often than any do in the source and the references, or a piece of a word comes "
        f"{RUN} times in a row."
    )
    alone = about.replace("one of the outputs", "the output")

    def faulty(self, lines: Lines, texts: Texts) -> Mask:
        """Return which lines loop."""
        column = texts.column(lines)
        lower: defaultdict[str, int] = defaultdict(count().__next__)
        again = _thrice(column.each(lambda word: lower[word.lower()]), column.line, len(lines))
        again |= _characters_thrice(lines, column)
        run = column.any(_is_loop)
        marks = np.zeros(len(lines), dtype=bool)
        for i in np.flatnonzero(again | run).tolist():
            marks[i] = _loops(lines[i], bool(run[i]), texts, i)
        return marks


def _thrice(tokens: Index, line: Index, n: int) -> Mask:
    """Return which of n lines may have some WORDS tokens in a row three times; shape (n,).

    tokens, line: numbers of the tokens, and of their lines, ascending; shape (m,).
    """
    marks = np.zeros(n, dtype=bool)
    if len(tokens) < WORDS:
        return marks
    numbers = tokens.astype(np.uint64)
    stretch = numbers[WORDS - 1 :]
    for back in range(1, WORDS):
        stretch = stretch * _MIX + numbers[WORDS - 1 - back : -back]
    # The upper bits say which line it is, the lower ones which tokens, mixed; that some look alike does no harm.
    whole = line[WORDS - 1 :] == line[: -WORDS + 1]
    keys = (line[WORDS - 1 :].astype(np.uint64) << _LOWER) | ((stretch * _MIX) >> (np.uint64(64) - _LOWER))
    keys = np.sort(keys[whole])
    marks[(keys[2:][keys[2:] == keys[:-2]] >> _LOWER).astype(np.int64)] = True
    return marks


_MIX = np.uint64(0x9E3779B97F4A7C15)
"""An odd number without a pattern, to mix others."""

_LOWER = np.uint64(40)


def _characters_thrice(lines: Lines, column: Column) -> Mask:
    """Return which lines in scripts without spaces may have some tokens in a row three times; shape (n,).

    As every token has a character, they have as many characters in a row three times.
    """
    marks = np.zeros(len(lines), dtype=bool)
    places = np.flatnonzero(column.is_unspaced)
    lower = Column([lines[i].lower() for i in places.tolist()], defaultdict(int))
    seen = ~spaces()[lower.codes]
    line = np.repeat(np.arange(len(places)), lower.count(seen))
    marks[places] = _thrice(lower.codes[seen].astype(np.int64), line, len(places))
    return marks


def _loops(line: str, run: bool, texts: Texts, segment: int) -> bool:
    """Return whether a line loops; run: whether a piece of a word comes many times in a row."""
    most = most_repeated(line)
    if most <= MORE and not run:
        return False
    beside = texts.given(segment) + ([] if texts.sources is None else [texts.sources[segment]])
    if most >= MORE + max(map(most_repeated, beside), default=1):
        return True
    # Who writes GGGREAT means it, however many letters a translation has.
    return run and not any(_LOOP_BESIDE.search(other) for other in beside)


def _is_loop(word: str) -> bool:
    """Return whether a piece of a word comes many times in a row."""
    # Words of many different letters, nearly all there are, hold no such run.
    return len(word) >= RUN and 2 * len(set(word)) <= len(word) and _LOOP.search(word) is not None


def _tokens(line: str) -> list[str]:
    return line.lower().split() if line.isascii() else _TOKEN.findall(line.lower())


def most_repeated(line: str) -> int:
    """Return how often the most frequent stretch of words or characters stands in a line, at least 1.

    >>> most_repeated("the cat the cat the cat the cat"), most_repeated("the cat sat on the mat")
    (3, 1)
    """
    tokens = _tokens(line)
    if len(set(tokens)) >= len(tokens) - 1:
        return 1
    unspaced = 0 if line.isascii() else len(_CHARACTER.findall(line))
    order = CHARACTERS if 2 * unspaced > len(tokens) else WORDS
    stretches = zip(*(tokens[i:] for i in range(order)), strict=False)
    return max(Counter(stretches).values(), default=1)
