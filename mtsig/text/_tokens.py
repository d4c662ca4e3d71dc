"""Split text into chunks that fit in memory, and into words, as sacreBLEU's tokenizers do.

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

Sequences of symbols go in, how many of their n-grams the references have comes out; no loop over n-grams.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count, repeat
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
from sacrebleu.tokenizers.tokenizer_zh import _UCODE_RANGES, TokenizerZh

from mtsig._memory import remembered
from mtsig._records import Mask, distinct
from mtsig.text._characters import N_CODES, Codes, codes_of, members, spaces, text_of, within

Integers: TypeAlias = NDArray[np.intp]
Lines: TypeAlias = Sequence[str]
Stream: TypeAlias = Sequence[str | None]
"""One reference per segment, None where there is none."""

MOST_CHARACTERS = 2**17
"""Characters of text per chunk: its arrays then fit a processor's cache, and memory stays bounded."""


@dataclass(frozen=True, eq=False)
class Column:
    """Some lines of a chunk and the segment of each, counted from the start of the chunk, ascending."""

    lines: list[str]
    segments: Integers

    def mapped(self, change: Callable[[str], str]) -> "Column":
        """Return the column with every line changed."""
        return replace(self, lines=[change(line) for line in self.lines])


@dataclass(frozen=True, eq=False)
class Chunk:
    """The segments from `start` to before `stop`.

    hypotheses: the distinct translations. places: shape (s, stop − start), where among them every output's stands.
    references: the lines of every stream, without those that are missing.
    """

    start: int
    stop: int
    hypotheses: Column
    places: Integers
    references: list[Column]

    def __len__(self) -> int:
        """Return the number of segments."""
        return self.stop - self.start

    def mapped(self, change: Callable[[str], str]) -> "Chunk":
        references = [column.mapped(change) for column in self.references]
        return replace(self, hypotheses=self.hypotheses.mapped(change), references=references)


def chunks(outputs: Sequence[Lines], references: Sequence[Stream]) -> Iterator[Chunk]:
    """Yield the chunks of all segments in order; a translation that several outputs share stands in them once."""
    n = len(outputs[0])
    start = size = 0
    for stop, lines in enumerate(zip(*outputs, *references, strict=True), 1):
        size += sum([len(line) for line in lines if line is not None])
        if size >= MOST_CHARACTERS or stop == n:
            yield _chunk(outputs, references, start, stop)
            start, size = stop, 0


def _chunk(outputs: Sequence[Lines], references: Sequence[Stream], start: int, stop: int) -> Chunk:
    lines: list[str] = []
    counts: list[int] = []
    places: list[Sequence[int]] = []
    for translations in zip(*(output[start:stop] for output in outputs), strict=True):
        seen = dict.fromkeys(translations)
        if len(seen) == len(translations):
            places.append(range(len(lines), len(lines) + len(seen)))
        else:
            number = dict(zip(seen, count(len(lines)), strict=False))
            places.append([number[line] for line in translations])
        lines += seen
        counts.append(len(seen))
    distinct = Column(lines, np.repeat(np.arange(stop - start), counts))
    where = np.array(places, dtype=np.intp).T
    return Chunk(start, stop, distinct, where, [_given(stream[start:stop]) for stream in references])


def _given(lines: Stream) -> Column:
    given = [(i, line) for i, line in enumerate(lines) if line is not None]
    return Column([line for _, line in given], np.array([i for i, _ in given], dtype=np.intp))


_ALONE = r"([\{-\~\[-\` -\&\(-\+\:-\@\/])"

_EXPECTED: dict[type, tuple[tuple[str, str], ...]] = {
    TokenizerRegexp: (
        (_ALONE, r" \1 "),
        (r"([^0-9])([\.,])", r"\1 \2 "),
        (r"([\.,])([^0-9])", r" \1 \2"),
        (r"([0-9])(-)", r"\1 \2 "),
    ),
    TokenizerV14International: ((r"(\P{N})(\p{P})", r"\1 \2 "), (r"(\p{P})(\P{N})", r" \1 \2"), (r"(\p{S})", r" \1 ")),
}
"""What sacreBLEU replaces by what (2.6.0); another version may differ, and is then asked line by line."""

_LINE_FEED, _SPACE = 10, 32


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


@remembered()
def _western() -> Kinds:
    stop, digit, dash = (members(re.compile(pattern)) for pattern in ("[.,]", "[0-9]", "-"))
    return Kinds(members(re.compile(_ALONE)) & ~spaces(), stop, digit, dash, ends_forbid=False)


@remembered()
def _chinese() -> Kinds:
    western = _western()
    # sacreBLEU compares strings, and some of its bounds have two characters: a lower one of "ab" lets only what is
    # above "a" in, an upper one of "ab" lets "a" itself in.
    chinese = within((ord(low[0]) + (len(low) > 1), ord(high[0])) for low, high in _UCODE_RANGES)
    return Kinds(western.alone | chinese, western.stop, western.digit, western.dash, ends_forbid=True)


@remembered()
def _international() -> Kinds:
    import regex  # here, because few tokenize so

    symbol, stop, digit = (members(regex.compile(pattern)) for pattern in (r"\p{S}", r"\p{P}", r"\p{N}"))
    return Kinds(symbol, stop, digit, np.zeros(N_CODES, dtype=bool), ends_forbid=True)


_KINDS: dict[type, Callable[[], Kinds]] = {
    Tokenizer13a: _western,
    TokenizerZh: _chinese,
    TokenizerV14International: _international,
}


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
        ends = np.cumsum(self.lengths).tolist()
        return [self.words[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def tokenized(lines: Sequence[str], tokenizer: Callable[[str], str]) -> Words:
    """Return the words that a sacreBLEU tokenizer makes of lines; trailing white space is removed first.

    13a, intl and zh process the whole text at once, every other tokenizer processes it line by line.
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


MOST_CELLS = 2**22
"""A table of n-grams larger than this is searched instead of looked up in; only a segment of many pages needs one."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Sequences of symbols laid end to end, each with a 0 behind it.

    symbols: 0 stands for what no reference has, every other number for one word or one character.
    lengths: shape (rows,), without the 0 at the end. segments: shape (rows,), the segment of each row.
    """

    symbols: Integers
    lengths: Integers
    segments: Integers

    def take(self, rows: Integers) -> "Rows":
        """Return some of the rows, which are in order."""
        kept = np.zeros(len(self.lengths), dtype=bool)
        kept[rows] = True
        return Rows(self.symbols[np.repeat(kept, self.lengths + 1)], self.lengths[rows], self.segments[rows])

    def ngrams(self, order: int) -> Integers:
        """Return how many n-grams of orders 1 to `order` each row has; shape (order, rows)."""
        integers: Integers = np.maximum(self.lengths - np.arange(order)[:, None], 0)
        return integers


@dataclass(eq=False)
class _Walk:
    """The n-grams of some rows that the references have, on the way from one order to the next.

    numbers: the number of each n-gram, from 1. ends: the position behind it. rows: the row it stands in.
    """

    symbols: Integers
    ends: Integers
    rows: Integers
    numbers: Integers

    def keys(self, starts: Integers) -> Integers:
        """Return the cells of the n-grams made longer by one symbol."""
        return starts.take(self.numbers) + self.symbols.take(self.ends)

    def step(self, numbers: Integers) -> None:
        """Go on with the longer n-grams that have a number."""
        kept = np.flatnonzero(numbers > 0)
        self.numbers, self.ends, self.rows = numbers.take(kept), self.ends.take(kept) + 1, self.rows.take(kept)


def matches(
    hypotheses: Rows, references: Sequence[Rows], n_segments: int, order: int, *, together: bool = False
) -> Integers:
    """Return how many n-grams of each hypothesis its references have; shape (order, streams, rows).

    Each of `references` is a stream: one row per segment, or none where the segment has no such reference. An n-gram
    matches at most as often as it stands in the reference. With `together` the streams count as one: an n-gram
    matches at most as often as it stands in the reference that has it most often (Papineni et al. 2002, section 2.1).

    Every n-gram of a segment's references has a number, found in a table by the number of its first n − 1 symbols and
    by its last symbol: exact, nothing is hashed. Those of a hypothesis are looked up in the same tables, and each is
    dropped at the first order that the references do not have.
    """
    alphabet = 1 + max(int(rows.symbols.max(initial=0)) for rows in (hypotheses, *references))
    local, width = _local_symbols(references, n_segments, alphabet)
    hypothesis, *streams = [_walk(rows, local) for rows in (hypotheses, *references)]
    matches = np.zeros((order, 1 if together else len(streams), len(hypotheses.lengths)), dtype=np.intp)
    sizes = np.ones(n_segments, dtype=np.intp)  # a segment has one n-gram of order 0, the empty one
    for level in matches:
        # The n-gram with number i owns the cells from starts[i] to starts[i + 1], one per symbol of its segment.
        starts = _sums(np.repeat(width, sizes), zeros=2)
        keys = [walk.keys(starts) for walk in streams]
        number_of, known = _numbering(keys, starts)
        sizes = np.diff(np.searchsorted(known, starts[1 + _sums(sizes)]))
        hypothesis.step(number_of(hypothesis.keys(starts)))
        for walk, key in zip(streams, keys, strict=True):
            walk.step(number_of(key))
        have = np.array([np.bincount(walk.numbers, minlength=len(known) + 1) for walk in streams])
        level[:] = _clipped(hypothesis, hypotheses, have.max(axis=0, keepdims=True) if together else have, sizes)
    return matches


def _sums(counts: Integers, zeros: int = 1) -> Integers:
    """Return where groups of these sizes begin and where the last one ends; further zeros may come before."""
    starts = np.zeros(len(counts) + zeros, dtype=np.intp)
    np.cumsum(counts, out=starts[zeros:])
    return starts


def _local_symbols(references: Sequence[Rows], n_segments: int, alphabet: int) -> tuple[NDArray[np.int32], Integers]:
    """Return a table (segment, symbol) -> number within the segment, and how many such numbers the segment has.

    Number 0 is what the segment's references do not have.
    """
    present = np.zeros((n_segments, alphabet), dtype=bool)
    for rows in references:
        present[np.repeat(rows.segments, rows.lengths + 1), rows.symbols] = True
    present[:, 0] = False
    numbers = np.cumsum(present, axis=1, dtype=np.int32)
    width = numbers[:, -1].astype(np.intp) + 1
    numbers *= present
    return numbers, width


def _walk(rows: Rows, local: NDArray[np.int32]) -> _Walk:
    """Return the empty n-gram before every symbol of the rows."""
    row = np.repeat(np.arange(len(rows.lengths)), rows.lengths)
    segment = rows.segments.take(row)
    at = np.arange(len(row)) + row
    symbols = np.zeros(len(rows.symbols), dtype=np.intp)
    symbols[at] = local.ravel().take(segment * local.shape[1] + rows.symbols.take(at))
    return _Walk(symbols, at, row, segment + 1)


def _numbering(keys: Sequence[Integers], starts: Integers) -> tuple[Callable[[Integers], Integers], Integers]:
    """Return a function key -> number from 1, or 0 when no reference has it; and the keys that one has, in order."""
    cells = int(starts[-1])
    if cells > MOST_CELLS:
        # Among the first cells of the rows, those of symbol 0, are the references' ends: no n-grams.
        known = distinct(np.concatenate(keys))
        known = known[starts[np.searchsorted(starts[:-1], known)] != known]
        padded = np.append(known, -1)

        def search(wanted: Integers) -> Integers:
            place = np.searchsorted(known, wanted)
            return np.where(padded[place] == wanted, place + 1, 0)

        return search, known
    table = np.zeros(cells, dtype=np.intp)
    for some in keys:
        table[some] = 1
    table[starts[1:-1]] = 0
    known = np.flatnonzero(table > 0)
    table[known] = np.arange(1, len(known) + 1)
    return table.take, known


def _clipped(hypothesis: _Walk, rows: Rows, have: Integers, sizes: Integers) -> Integers:
    """Return each row's matches with each stream, of which `have` says how often it has each n-gram."""
    # A row counts in slots of its own, one for each n-gram of its segment's references.
    slots = sizes[rows.segments]
    starts = _sums(slots)
    shift = starts[:-1] - 1 - _sums(sizes)[rows.segments]
    counts = np.bincount(hypothesis.numbers + shift.take(hypothesis.rows), minlength=starts[-1])
    numbers = np.arange(starts[-1]) - np.repeat(shift, slots)
    return np.array([np.diff(_sums(np.minimum(counts, stream.take(numbers)))[starts]) for stream in have])


def word_rows(chunk: Chunk, cut: Callable[[Sequence[str]], Words]) -> list[Rows]:
    """Return the words of the hypotheses and of each stream as symbols: one for each word of the references."""
    given = [cut(column.lines) for column in chunk.references]
    known = dict.fromkeys(chain.from_iterable(words.words for words in given))
    symbols = dict(zip(known, count(1), strict=False))
    columns = [(cut(chunk.hypotheses.lines), chunk.hypotheses), *zip(given, chunk.references, strict=True)]
    return [_rows(words, column, symbols) for words, column in columns]


def _rows(words: Words, column: Column, symbols: dict[str, int]) -> Rows:
    symbols_of = np.fromiter(map(symbols.get, words.words, repeat(0)), dtype=np.intp, count=len(words.words))
    return Rows(np.insert(symbols_of, np.cumsum(words.lengths), 0), words.lengths, column.segments)
