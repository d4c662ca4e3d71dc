"""Numbers: what a text says in digits, whatever their script and separators, and however large numbers are shortened.

A number is its value: 1,000, 1.000, 1 000 and 1'000 are one, and so are 2.5 and 2,5, ٣ and 3, 5 million, 500万 and
5,000,000. Three digits behind a single separator are thousands, unless a 0 stands before it (0.125); of numbers with
several separators that make no thousands (dates, times, versions) every part counts. A billion is read alike in all
languages. A number that is said twice counts once. Digits in URLs and e-mail addresses, behind a capital letter and, up
to three of them, behind a hyphen (COVID-19: see the bucket "entity") are no numbers.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from mtsig._memory import remembered
from mtsig._records import Mask
from mtsig.segments._detector import Contrast, Stream, Texts, spread_out, without_addresses

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
_DIGIT = re.compile(r"\d")
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


class DifferentNumbers(Contrast[Numbers]):
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
        return spread_out((line is not None and _DIGIT.search(line) is not None for line in lines), len(lines))

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
    if not _DIGIT.search(line):
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
