"""Repetition: outputs that turn in a loop."""

import re
from collections import Counter

from mtsig.arrays import Mask
from mtsig.corpus import Lines
from mtsig.segments.buckets.detector import IN_UNSPACED, Fault, Texts, spread_out

WORDS, CHARACTERS = 4, 8
"""Words in a row that come again, and characters where most words have no spaces between them."""

MORE = 2
"""How many times more often than in the source or a reference."""

RUN = 10
"""How many times in a row a piece of 1 to 8 characters comes in a loop without spaces."""

# A word in Katakana is mostly one foreign word, and a long one.
_TOKEN = re.compile(rf"[\u30a1-\u30fa\u30fc]+|[{IN_UNSPACED}]|[^\s{IN_UNSPACED}]+")
_CHARACTER = re.compile(f"[{IN_UNSPACED}]")
_LONG = re.compile(rf"\S{{{RUN},}}")
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
        return spread_out((_loops(line, texts, i) for i, line in enumerate(lines)), len(texts))


_SPARE = 5
"""Of words of which four in a row come three times, so many at least are repeated ones: of no no no no no no."""


def _loops(line: str, texts: Texts, segment: int) -> bool:
    run = _runs(line)
    tokens = _tokens(line)
    if not run and len(tokens) - len(set(tokens)) < _SPARE:
        return False
    most = most_repeated(line)
    if most <= MORE and not run:
        return False
    beside = texts.given(segment) + ([] if texts.sources is None else [texts.sources[segment]])
    if most >= MORE + max(map(most_repeated, beside), default=1):
        return True
    # Who writes GGGREAT means it, however many letters a translation has.
    return run and not any(_LOOP_BESIDE.search(other) for other in beside)


def _runs(line: str) -> bool:
    """Return whether a piece of a word comes many times in a row."""
    # Words of many different letters, nearly all there are, hold no such run.
    return any(2 * len(set(word)) <= len(word) and _LOOP.search(word) is not None for word in _LONG.findall(line))


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
