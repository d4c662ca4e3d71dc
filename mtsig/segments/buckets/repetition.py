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

_TOKEN = re.compile(rf"[{IN_UNSPACED}]|[^\s{IN_UNSPACED}]+")
_CHARACTER = re.compile(f"[{IN_UNSPACED}]")
_LOOP = re.compile(rf"([^\s.\-–—_=*·…、。!?~]\S{{0,7}}?)\1{{{RUN - 1},}}")


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


def _loops(line: str, texts: Texts, segment: int) -> bool:
    most = most_repeated(line)
    run = _runs(line)
    if most <= MORE and not run:
        return False
    beside = texts.given(segment) + ([] if texts.sources is None else [texts.sources[segment]])
    if most >= MORE + max(map(most_repeated, beside), default=1):
        return True
    return run and not any(map(_runs, beside))


def _runs(line: str) -> bool:
    """Return whether a piece of a word comes many times in a row."""
    # Words of many different letters, nearly all there are, hold no such run.
    return any(
        2 * len(set(word)) <= len(word) and _LOOP.search(word) is not None for word in line.split() if len(word) >= RUN
    )


def most_repeated(line: str) -> int:
    """Return how often the most frequent stretch of words or characters stands in a line, at least 1.

    >>> most_repeated("the cat the cat the cat the cat"), most_repeated("the cat sat on the mat")
    (3, 1)
    """
    tokens = line.lower().split() if line.isascii() else _TOKEN.findall(line.lower())
    if len(set(tokens)) >= len(tokens) - 1:
        return 1
    unspaced = 0 if line.isascii() else len(_CHARACTER.findall(line))
    order = CHARACTERS if 2 * unspaced > len(tokens) else WORDS
    stretches = zip(*(tokens[i:] for i in range(order)), strict=False)
    return max(Counter(stretches).values(), default=1)
