"""The tokenizers of the mteval family as sets of characters: code points go in, the places to cut at come out.

sacreBLEU's 13a, intl and zh put spaces around characters with regular expressions, one after the other. What all of
them do together can be said of each character at once. Call a character *alone* if it always gets its spaces (ASCII
punctuation but ' , - . for 13a and zh, symbols for intl, Chinese characters for zh), *stop* if digits can forbid them
(`.` and `,` for 13a and zh, punctuation for intl), and take a run of m stops, the longest possible, with L before it
and R behind it (a space or something alone is no digit). Then

- "no digit, then a stop" → a space before and behind the stop. A match takes two characters and the next begins
  behind it. If L is no digit the matches are (L, 1), (2, 3), (4, 5) …, else (1, 2), (3, 4) …. So there is a space
  between any two stops of the run, one before the first unless L is a digit, and one behind the last if a match ends
  there: if m is odd and L no digit, or m even and L a digit.
- "a stop, then no digit" → the same. Within the run every stop but the last has a space behind it by now, so it
  matches: that gives the first stop its space if m > 1. The last matches if R is no digit, or if a space was put
  behind it.

Together: a space on both sides of every stop, but none behind the last if R is a digit and (m is odd) = (L is a digit),
and none before the first if, on top of that, m = 1 and L is a digit. Where the ends of a line are no characters, there
is nothing to match: they forbid as digits do. At last "a digit, then a dash" sets the dash apart; neither is alone or a
stop, so that nothing has come between them.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
from sacrebleu.tokenizers.tokenizer_zh import _UCODE_RANGES, TokenizerZh

from mtsig.arrays import Mask
from mtsig.text.characters import N_CODES, Codes, members, spaces, within

_ALONE = r"([\{-\~\[-\` -\&\(-\+\:-\@\/])"

_EXPECTED: dict[type, tuple[tuple[str, str], ...]] = {
    TokenizerRegexp: (
        (_ALONE, r" \1 "),
        (r"([^0-9])([\.,])", r"\1 \2 "),
        (r"([\.,])([^0-9])", r" \1 \2"),
        (r"([0-9])(-)", r"\1 \2 "),
    ),
    TokenizerV14International: (
        (r"(\P{N})(\p{P})", r"\1 \2 "),
        (r"(\p{P})(\P{N})", r" \1 \2"),
        (r"(\p{S})", r" \1 "),
    ),
}
"""What sacreBLEU replaces by what (2.6.0); another version may differ, and is then asked line by line."""

_LINE_FEED = 10


@dataclass(frozen=True, eq=False)
class Kinds:
    """The kinds of characters; each table has shape (N_CODES,). `ends_forbid`: the ends of a line are as digits."""

    alone: Mask
    stop: Mask
    digit: Mask
    dash: Mask
    ends_forbid: bool

    def cuts(self, codes: Codes) -> Mask:
        """Return where a space comes before a code point; lines have line feeds before and behind, and none inside."""
        alone, digit = self.alone.take(codes), self.digit.take(codes)
        cuts = alone.copy()
        cuts[1:] |= alone[:-1]
        dash = np.flatnonzero(self.dash.take(codes))
        dash = dash[digit[dash - 1]]
        cuts[dash] = cuts[dash + 1] = True
        if self.ends_forbid:
            digit[codes == _LINE_FEED] = True
        self._cut_stops(np.flatnonzero(self.stop.take(codes)), digit, cuts)
        return cuts

    def _cut_stops(self, stops: "np.ndarray[tuple[int], np.dtype[np.intp]]", digit: Mask, cuts: Mask) -> None:
        cuts[stops] = cuts[stops + 1] = True
        first = stops[np.diff(stops, prepend=-1) > 1]
        last = stops[np.diff(stops, append=len(digit) + 1) > 1]
        left = digit[first - 1]
        odd = (last - first) % 2 == 0
        joined = digit[last + 1] & (odd == left)
        cuts[last[joined] + 1] = False
        cuts[first[joined & (first == last)]] = False


def kinds_of(tokenizer: Callable[[str], str]) -> Kinds | None:
    """Return the kinds of a sacreBLEU tokenizer, or None for one that is not of the family, or not as expected."""
    inner = getattr(tokenizer, "_post_tokenizer", tokenizer)
    kinds = tuple((pattern.pattern, by) for pattern, by in getattr(inner, "_re", ()))
    known = type(tokenizer) in _KINDS and kinds == _EXPECTED.get(type(inner))
    return _KINDS[type(tokenizer)]() if known else None


def all_plain(lines: Sequence[str], tokenizer: Callable[[str], str]) -> Sequence[str]:
    """Return `plain` of every line; 13a changes few, which are known by what the text as a whole has in it."""
    if type(tokenizer) is Tokenizer13a:
        text = "".join(lines)
        if not any(sign in text for sign in ("&", "<skipped>", "\n")):
            return lines
    return [plain(line, tokenizer) for line in lines]


def plain(line: str, tokenizer: Callable[[str], str]) -> str:
    """Return the line as the tokenizer has it before its first regular expression, without line feeds."""
    if type(tokenizer) is Tokenizer13a:
        line = line.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
        if "&" in line:
            line = line.replace("&quot;", '"').replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
        return line
    # A line feed is white space like any other to the rest of the family; zh strips both ends.
    return (line.strip() if type(tokenizer) is TokenizerZh else line).replace("\n", " ")


@cache
def _western() -> Kinds:
    stop, digit, dash = (members(re.compile(pattern)) for pattern in ("[.,]", "[0-9]", "-"))
    return Kinds(members(re.compile(_ALONE)) & ~spaces(), stop, digit, dash, ends_forbid=False)


@cache
def _chinese() -> Kinds:
    western = _western()
    # sacreBLEU compares strings, and some of its bounds have two characters: a lower one of "ab" lets only what is
    # above "a" in, an upper one of "ab" lets "a" itself in.
    chinese = within((ord(low[0]) + (len(low) > 1), ord(high[0])) for low, high in _UCODE_RANGES)
    return Kinds(western.alone | chinese, western.stop, western.digit, western.dash, ends_forbid=True)


@cache
def _international() -> Kinds:
    import regex  # here, because few tokenize so

    symbol, stop, digit = (members(regex.compile(pattern)) for pattern in (r"\p{S}", r"\p{P}", r"\p{N}"))
    return Kinds(symbol, stop, digit, np.zeros(N_CODES, dtype=bool), ends_forbid=True)


_KINDS: dict[type, Callable[[], Kinds]] = {
    Tokenizer13a: _western,
    TokenizerZh: _chinese,
    TokenizerV14International: _international,
}
