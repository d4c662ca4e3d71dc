"""Lines go in, their words come out: cut as sacreBLEU's tokenizers cut them, but many lines at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from mtsig.arrays import Mask
from mtsig.text.characters import Codes, codes_of, spaces, text_of
from mtsig.text.chunks import Integers
from mtsig.text.mteval import all_plain, kinds_of

_LINE_FEED, _SPACE = 10, 32


@dataclass(frozen=True)
class Words:
    """The words of some lines, all in one list, and how many of them each line has."""

    words: list[str]
    lengths: Integers

    @classmethod
    def of(cls, lines: Sequence[Sequence[str]]) -> "Words":
        """Return the words of lines that are split already."""
        lengths = np.fromiter(map(len, lines), dtype=np.intp, count=len(lines))
        return cls([word for line in lines for word in line], lengths)

    def lists(self) -> list[list[str]]:
        """Return the words line by line."""
        ends = np.cumsum(self.lengths).tolist()
        return [self.words[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def tokenized(lines: Sequence[str], tokenizer: Callable[[str], str]) -> Words:
    """Return the words that a sacreBLEU tokenizer cuts the lines into; white space at the end is taken off before.

    13a, intl and zh are done on the text as a whole, every other tokenizer line by line.
    """
    lines = [line.rstrip() for line in lines]
    kinds = kinds_of(tokenizer)
    if kinds is None:
        return Words.of([tokenizer(line).split() for line in lines])
    codes = framed(all_plain(lines, tokenizer))
    return _words(codes, kinds.cuts(codes))


def split_at_spaces(lines: Sequence[str]) -> Words:
    """Return the words between white space."""
    codes = _spaced(lines)
    return _words(codes, np.zeros(len(codes), dtype=bool))


def split_at_punctuation(lines: Sequence[str], punctuation: Mask) -> Words:
    """Return the words as chrF++ cuts them: one punctuation mark off the end of a word, or else off its beginning."""
    codes = _spaced(lines)
    space = spaces().take(codes)
    first = np.flatnonzero(space[:-1] & ~space[1:]) + 1
    last = np.flatnonzero(~space[:-1] & space[1:])
    long = last > first
    behind = long & punctuation.take(codes.take(last))
    before = long & punctuation.take(codes.take(first)) & ~behind
    cuts = np.zeros(len(codes), dtype=bool)
    cuts[last[behind]] = True
    cuts[first[before] + 1] = True
    return _words(codes, cuts)


def framed(lines: Sequence[str]) -> Codes:
    """Return the code points of lines without line feeds, with a line feed before and behind every line."""
    return codes_of("\n".join(["", *lines, ""]))


def _spaced(lines: Sequence[str]) -> Codes:
    """Return the code points of lines, framed, with a space for every line feed that they hold themselves."""
    text = "\n".join(["", *lines, ""])
    return codes_of(text) if text.count("\n") == len(lines) + 1 else framed([line.replace("\n", " ") for line in lines])


def _words(codes: Codes, cuts: Mask) -> Words:
    """Return the words of framed lines, cut at white space and before every code point in `cuts`."""
    word = ~spaces().take(codes)
    joined = word[1:] & word[:-1]
    starts = word.copy()
    starts[1:] &= ~joined | cuts[1:]
    text = text_of(np.insert(codes, np.flatnonzero(joined & cuts[1:]) + 1, _SPACE))
    return Words(text.split(), np.add.reduceat(starts, np.flatnonzero(codes == _LINE_FEED), dtype=np.intp)[:-1])
