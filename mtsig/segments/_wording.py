"""Buckets by wording and by numbers: words of the other or the source, repetition, and what is said in digits.

Numbers: what a text says in digits, whatever their script and separators, and however large numbers are shortened.

A number is its value: 1,000, 1.000, 1 000 and 1'000 are one, and so are 2.5 and 2,5, ٣ and 3, 5 million, 500万 and
5,000,000. Three digits behind a single separator are thousands, unless a 0 stands before it (0.125); of numbers with
several separators that make no thousands (dates, times, versions) every part counts. A billion is read alike in all
languages. A number that is said twice counts once. Digits in URLs and e-mail addresses, behind a capital letter and, up
to three of them, behind a hyphen (COVID-19: see the bucket "entity") are no numbers.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import count
from typing import NamedTuple

import numpy as np
import regex

from mtsig._limits import normalized
from mtsig._memory import remembered
from mtsig._records import Index, Mask, distinct
from mtsig.corpus._corpus import Lines
from mtsig.segments import _detector
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
    alone = "The output equals a reference if capital letters, punctuation and spaces are ignored."
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
        composed = normalized("NFKC", chr(code))
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
    plain = normalized("NFKC", kept).casefold()
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
        f"At least {COPIED:.0%} of the words of one output also occur in the source. This share is at least "
        f"{100 * MORE_THAN_REFERENCE:.0f} points higher than that of every reference. Without a reference, the limit "
        f"is {WITHOUT_REFERENCE:.0%}."
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
        f"In one of the outputs, a sequence of {WORDS} words (in text without spaces, {CHARACTERS} characters) occurs "
        f"far more often than any sequence in the source or a reference: at least {MORE} times more. Or a piece of a "
        f"word occurs {RUN} times in a row."
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


LARGEST_IN_WORDS = 12
"""Numbers up to this one may be written out, so that a text without their digits need not lack them."""

LONGEST = 40
"""Digits up to which a number is read as a value; longer ones are compared as they stand."""

_SCALES = {
    "thousand": 3, "tausend": 3, "mille": 3, "mila": 3, "mil": 3, "duizend": 3, "тысяч": 3, "тыс": 3, "тисяч": 3,
    "тис": 3, "tisíc": 3, "tysi": 3, "million": 6, "millión": 6, "millón": 6, "millones": 6, "milion": 6,
    "milhão": 6, "milhões": 6, "miljoen": 6, "mio": 6, "миллион": 6, "млн": 6, "мільйон": 6, "billion": 9, "bn": 9,
    "milliard": 9, "miliard": 9, "miljard": 9, "bilhão": 9, "bilhões": 9, "mrd": 9, "миллиард": 9, "млрд": 9,
    "мільярд": 9, "trillion": 12,
}  # fmt: skip
"""Words behind a number, by how they begin; short ones as a whole."""

_SHORT = 4
_STEMS = "|".join(word if len(word) < _SHORT else rf"{word}\w*" for word in sorted(_SCALES, key=len, reverse=True))
_OF_HAN = {"十": 1, "百": 2, "千": 3, "万": 4, "萬": 4, "亿": 8, "億": 8, "兆": 12}
_DIGITS_OF_HAN = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}

_SPACE = r"[ \u00a0\u202f\u2009]"
_SIGN = r"[%％٪‰$＄€£￡¥￥₽₹₴₩₺₫฿]"
_NUMBER = re.compile(
    r"(?<![A-ZÀ-ÖØ-ÞА-Я\d])(?:(?<![^\W\d_][-‑−])|(?=\d{4}(?!\d)))"
    rf"(?:(?P<before>{_SIGN}){_SPACE}?)?"
    r"(?:(?P<thousands>(?!0)\d{1,3}(?P<group>[.,，٬'’ \u00a0\u202f\u2009])\d{3}(?:(?P=group)\d{3})*(?!\d))"
    r"(?:[.,٫](?P<decimals>\d+)(?![.,٫]?\d))?|(?P<plain>\d+(?:[.,٫]\d+)*))"
    rf"(?:[多余餘几幾 ]?(?P<han>[十百千万萬亿億兆]+)|[{_SPACE[1:-1]}-]?(?i:(?P<word>{_STEMS}))\b\.?)?"
    rf"(?:{_SPACE}?(?P<behind>{_SIGN}))?"
)
_SEPARATOR = re.compile(r"[.,٫]")
_NUMERAL = re.compile(r"[〇零一二三四五六七八九两兩十百千万萬亿億]{2,16}")
_DECIMAL = re.compile(r"\d")
_BEGIN = re.compile(rf"{_SIGN[:-1]}\d]")
_SAME_SIGN = str.maketrans("％٪＄￡￥", "%%$£¥")

Value = Decimal | str


@dataclass(frozen=True)
class Numbers:
    """The numbers of a text.

    short: those that may be written out, small ones and those such as 10 million. signs: the signs (%, $ …) that stand
    beside numbers. spelled: numbers in Chinese words.
    """

    values: frozenset[Value] = frozenset()
    short: frozenset[Value] = frozenset()
    signs: frozenset[tuple[Value, str]] = frozenset()
    spelled: frozenset[Value] = frozenset()

    def lacks(self, other: "Numbers") -> frozenset[Value]:
        """Return the other's numbers that are not here, in digits or in Chinese words."""
        return other.values - self.values - self.spelled

    def signs_of(self, value: Value) -> set[str]:
        return {sign for known, sign in self.signs if known == value}


NONE = Numbers()


class DifferentNumbers(_detector.Contrast[Numbers]):
    """Segments in which the two outputs do not have the same numbers; one output, none of whose references has them."""

    name = "number"
    title = "number differs"
    about = (
        "The two outputs differ in numbers written in digits, or in a symbol such as %, $ or €. A number up to "
        f"{LARGEST_IN_WORDS} (10, 10 million) may be written in words in one of the outputs."
    )
    alone = "The numbers written in digits differ from those of each reference (without a reference: of the source)."
    alone_needs = "source or reference"

    def guides(self, texts: Texts) -> tuple[Stream, ...]:
        """Return the references, or else the source: digits need no translation."""
        return texts.guides

    def has(self, lines: Stream, texts: Texts) -> Mask:
        del texts
        return spread_out((line is not None and _DECIMAL.search(line) is not None for line in lines), len(lines))

    def reader(self, texts: Texts) -> Callable[[str], Numbers]:
        """Return what reads the numbers of a line."""
        del texts
        return numbers_of

    def differ(self, numbers: Numbers, other: Numbers) -> bool:
        """Return whether numbers, or the signs beside one of them, differ."""
        if numbers is other:
            return False
        ours, theirs = other.lacks(numbers), numbers.lacks(other)
        if ours and theirs:
            return True
        if ours - numbers.short or theirs - other.short:
            return True
        both = numbers.values & other.values
        return any(
            (mine := numbers.signs_of(value)) and (yours := other.signs_of(value)) and not mine & yours
            for value in both
        )


def numbers_of(line: str) -> Numbers:
    if not _DECIMAL.search(line):
        spelled = _spelled(line)
        return Numbers(spelled=spelled) if spelled else NONE
    values: set[Value] = set()
    short: set[Value] = set()
    signs: set[tuple[Value, str]] = set()
    for numbers, read in _joined(_matches(without_addresses(line))):
        values.update(numbers)
        small = read.small if numbers is read.values else tuple(filter(_is_small, numbers))
        short.update(small or (numbers if read.is_shortened else ()))
        for sign in read.signs:
            signs.update((value, sign) for value in numbers)
    return Numbers(frozenset(values), frozenset(short), frozenset(signs), _spelled(line))


def _matches(line: str) -> Iterator[re.Match[str]]:
    """Yield what _NUMBER finds, which begins with a digit or a sign: tried there alone, it is found much sooner."""
    at = 0
    while (begin := _BEGIN.search(line, at)) is not None:
        match = _NUMBER.match(line, begin.start())
        if match is not None:
            yield match
        at = begin.end() if match is None else match.end()


class _Read(NamedTuple):
    """What a number in a text says.

    small: those of its values that may stand in words. signs: beside it. is_shortened: whether it is a small number and
    a word such as million. is_han: whether a character such as 万 ends it, and more may follow.
    """

    values: tuple[Value, ...]
    small: tuple[Value, ...]
    signs: tuple[str, ...]
    is_shortened: bool
    is_han: bool


def _joined(matches: Iterable[re.Match[str]]) -> Iterator[tuple[tuple[Value, ...], _Read]]:
    """Yield the values of matches; what follows at once behind 万 or 億 is added to it (17万5000, 17 万 5000)."""
    before: tuple[Decimal, _Read, int] | None = None
    for match in matches:
        read = _read(*match.groups())
        values = read.values
        if before is not None and match.start() - before[2] <= 1 and isinstance(values[0], Decimal):
            values = (before[0] + values[0],)
        elif before is not None:
            yield (before[0],), before[1]
        before = None
        if read.is_han and isinstance(values[0], Decimal):
            before = (values[0], read, match.end())
        else:
            yield values, read
    if before is not None:
        yield (before[0],), before[1]


@remembered(most=2**16)
def _read(
    before: str | None, thousands: str | None, group: str | None, decimals: str | None, plain: str | None,
    han: str | None, word: str | None, behind: str | None,
) -> _Read:  # fmt: skip
    """Return what the groups of a match say; most numbers of a text come again."""
    values = _values(thousands, group, decimals, plain, han, word)
    signs = tuple(sign.translate(_SAME_SIGN) for sign in (before, behind) if sign)
    is_shortened = word is not None and plain is not None and plain.isdecimal() and _is_small(_value(plain, ""))
    return _Read(values, tuple(filter(_is_small, values)), signs, is_shortened, han is not None)


def _values(
    thousands: str | None, group: str | None, decimals: str | None, plain: str | None, han: str | None, word: str | None
) -> tuple[Value, ...]:
    if plain is None:
        whole = (thousands or "").replace(group or "", "")
    else:
        whole, *parts = _SEPARATOR.split(plain)
        if len(parts) > 1:
            return tuple(_value(part, "") for part in (whole, *parts))
        decimals = parts[0] if parts else None
    value = _value(whole, decimals or "")
    scale = sum(_OF_HAN[char] for char in han or "") + _scale(word or "")
    return (value.scaleb(scale) if scale and isinstance(value, Decimal) else value,)


@remembered(most=2**10)
def _scale(word: str) -> int:
    """Return how many zeros a word such as "million" stands for; 0 for none."""
    begins = [known for known in _SCALES if word.lower().startswith(known)]
    return _SCALES[max(begins, key=len)] if begins else 0


def _value(whole: str, decimals: str) -> Value:
    if len(whole) + len(decimals) > LONGEST:
        return f"{whole}.{decimals}"
    return Decimal(f"{whole}.{decimals}" if decimals else whole)


def _is_small(value: Value) -> bool:
    return isinstance(value, Decimal) and value <= LARGEST_IN_WORDS and value == int(value)


def _spelled(line: str) -> frozenset[Value]:
    """Return the numbers that stand in Chinese numerals."""
    if line.isascii():
        return frozenset()
    return frozenset(map(_numeral, _NUMERAL.findall(line)))


@remembered(most=2**14)
def _numeral(text: str) -> Value:
    """Return the value of a Chinese numeral, in words (二十五) or digit by digit (二〇二五)."""
    if all(char in _DIGITS_OF_HAN for char in text):
        return Decimal("".join(str(_DIGITS_OF_HAN[char]) for char in text))
    total = section = digit = 0
    for char in text:
        power = _OF_HAN.get(char)
        if power is None:
            digit = _DIGITS_OF_HAN[char]
        elif power < 4:
            section += (digit or 1) * 10**power
            digit = 0
        else:
            total = (total + section + digit or 1) * 10**power
            section = digit = 0
    return Decimal(total + section + digit)
