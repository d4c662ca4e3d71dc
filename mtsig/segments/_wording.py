"""Buckets of outputs whose words are the other's or the source's, or that repeat themselves."""

import re
import unicodedata
from collections import Counter, defaultdict
from itertools import count

import numpy as np
import regex

from mtsig._records import Index, Mask, distinct
from mtsig.corpus._corpus import Lines
from mtsig.segments._detector import IN_UNSPACED, Column, Detector, Fault, Stream, Texts, spread_out, without_addresses
from mtsig.text._characters import N_CODES, Codes, spaces

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
    about = "The two outputs are not identical, but differ only in capital letters, punctuation or spaces."
    alone = "The output equals a reference once capital letters, punctuation and spaces are ignored."
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
    """Return a line without casing, punctuation and spaces; wide and narrow forms of a character are one."""
    # Without a digit there is none of those marks.
    kept = _IN_NUMBER.sub(_KEPT, line) if _DIGIT.search(line) else line
    plain = unicodedata.normalize("NFKC", kept).casefold()
    return str(_SILENT.sub("", plain))


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
    different, theirs = (distinct(column.line * size + column.pieces) for column in (ours, source))
    pieces = np.bincount(different // size, minlength=len(lengths))
    shared = np.bincount(np.intersect1d(different, theirs, assume_unique=True) // size, minlength=len(lengths))
    # Where words have spaces between them, a copied one mostly stands between the same marks, too.
    return np.asarray(~other & ((12 * pieces < lengths) | (4 * shared >= pieces)))


ASCII = 128
"""Code points of ASCII."""


def _share(words: list[str], known: Counter[str]) -> float:
    if not words:
        return 0.0
    return (Counter(words) & known).total() / len(words)


def words_of(line: str) -> list[str]:
    """Return the words of a line in lower case; where words have no spaces between them, its pairs of characters."""
    words_read = _WORD.findall(without_addresses(line).lower())
    if line.isascii() or not _OF_UNSPACED.search(line):
        return words_read
    pairs = []
    for word in words_read:
        unspaced = len(word) > 1 and _OF_UNSPACED.match(word)
        pairs += [word[i : i + 2] for i in range(len(word) - 1)] if unspaced else [word]
    return pairs


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
        f"In one of the outputs, some {WORDS} words in a row ({CHARACTERS} characters, where words have no spaces) "
        f"come at least {MORE} times more often than any do in the source and the references. Or a piece of a word "
        f"comes {RUN} times in a row."
    )
    alone = about.replace("one of the outputs", "the output")

    def faulty(self, lines: Lines, texts: Texts) -> Mask:
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
        stretch = stretch * _MIXER + numbers[WORDS - 1 - back : -back]
    # The upper bits say which line it is, the lower ones which tokens, mixed; that some look alike does no harm.
    whole = line[WORDS - 1 :] == line[: -WORDS + 1]
    keys = (line[WORDS - 1 :].astype(np.uint64) << _LOWER) | ((stretch * _MIXER) >> (np.uint64(64) - _LOWER))
    keys = np.sort(keys[whole])
    marks[(keys[2:][keys[2:] == keys[:-2]] >> _LOWER).astype(np.int64)] = True
    return marks


_MIXER = np.uint64(0x9E3779B97F4A7C15)
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


def most_repeated(line: str) -> int:
    """Return how often the most frequent stretch of words or characters stands in a line, at least 1."""
    tokens = line.lower().split() if line.isascii() else _TOKEN.findall(line.lower())
    if len(set(tokens)) >= len(tokens) - 1:
        return 1
    unspaced = 0 if line.isascii() else len(_CHARACTER.findall(line))
    order = CHARACTERS if 2 * unspaced > len(tokens) else WORDS
    stretches = zip(*(tokens[i:] for i in range(order)), strict=False)
    return max(Counter(stretches).values(), default=1)
