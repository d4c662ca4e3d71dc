"""Code points of text as an array, tables of their properties, and the scripts to which they belong."""

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mtsig._memory import remembered
from mtsig._records import Mask

Codes: TypeAlias = NDArray[np.uint32]

N_CODES = sys.maxunicode + 1
_ENCODING = f"utf-32-{'le' if sys.byteorder == 'little' else 'be'}"


def codes_of(text: str) -> Codes:
    """Return the code points of a text."""
    # Lone surrogates come in with files that are no UTF-8; here they are characters like any other.
    return np.frombuffer(text.encode(_ENCODING, "surrogatepass"), dtype=np.uint32)


def text_of(codes: Codes) -> str:
    """Return the text of code points."""
    return codes.tobytes().decode(_ENCODING, "surrogatepass")


def members(pattern: "re.Pattern[str] | Any") -> Mask:
    """Return which code points a pattern for one character matches, one of `re` or of `regex`; shape (N_CODES,)."""
    mask = np.zeros(N_CODES, dtype=bool)
    mask[[match.start() for match in pattern.finditer(_everything())]] = True
    return mask


@remembered()
def _everything() -> str:
    """Return a text of all code points, made once: a tokenizer asks for five tables before its first word."""
    return text_of(np.arange(N_CODES, dtype=np.uint32))


def within(ranges: Iterable[tuple[int, int]]) -> Mask:
    """Return which code points lie in one of the ranges, both ends included; shape (N_CODES,)."""
    inside = np.zeros(N_CODES, dtype=bool)
    for first, last in ranges:
        inside[first : last + 1] = True
    return inside


@remembered()
def spaces() -> Mask:
    """Return the code points that `str.split` splits at: white space, as `re` knows it, too; shape (N_CODES,)."""
    return members(re.compile(r"\s"))


LETTER = re.compile(r"[^\W\d_]")

SHARE = 0.3
"""A text is in a language of its own script when more than this share of its letters is.

Names and terms in Latin letters take many letters each; a few lines of another language make up less.
"""

KANA = 0.1
"""Text in Chinese characters is Japanese when more than this share of it is kana: about half of Japanese is, and in
Chinese only what is quoted."""

HAN = ("Chinese", "Japanese")
"""The languages written in Chinese characters."""

MOST_LINES = 2**14
"""Lines that are looked at together: changes nothing but the memory used."""

_LANGUAGES = {
    "CJK": "Chinese", "IDEOGRAPHIC": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean",
    "THAI": "Thai", "LAO": "Lao", "KHMER": "Khmer", "MYANMAR": "Burmese", "TIBETAN": "Tibetan",
}  # fmt: skip

_LONGEST_WORD = {"Chinese": 3, "Japanese": 3}
_LONGEST_ELSEWHERE = 8
"""Above this mean length, in characters, what stands between two spaces is no word: words have about 2 characters in
Chinese and Japanese, and 4 to 6, with vowel signs, in Thai, Lao, Khmer and Burmese; clauses have 10 and more."""


UNSPACED = (
    (0x0E00, 0x0FFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3005, 0x3007), (0x3040, 0x30FF), (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F), (0xF900, 0xFAFF), (0x20000, 0x323AF),
)  # fmt: skip
"""Where the scripts lie that are written without spaces: Thai, Lao, Tibetan, Burmese, Khmer, kana and Han."""


@dataclass(frozen=True)
class Writing:
    """A language with a script of its own, and whether it puts spaces between words."""

    language: str
    spaced: bool


def writing_of(lines: Iterable[str | None]) -> Writing | None:
    """Return the writing of a text in Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese or Tibetan.

    It is None for every other language; these have spaces between words. The writing is found by the script, so a
    language that shares one of these scripts gets the same name.
    """
    letters: Counter[str] = Counter()
    characters = pieces = 0
    given = (line for line in lines if line is not None)
    while some := list(islice(given, MOST_LINES)):
        codes = codes_of("\n".join(some))
        letters.update(_letters(codes))
        ours = unspaced()[codes]
        if ours.any():
            # No word goes on in the next line, so that pieces can be counted line by line.
            of = np.cumsum(spaces()[codes])[ours]
            characters, pieces = characters + len(of), pieces + 1 + int(np.count_nonzero(np.diff(of)))
    counts: Counter[str] = Counter()
    for letter, count in sorted(letters.items()):
        counts[_LANGUAGES.get(_first_word(letter), "")] += count
    total, kana = counts.total(), counts["Japanese"]
    counts["Chinese"] += kana
    del counts["Japanese"], counts[""]
    language, count = max(counts.items(), key=lambda item: item[1], default=("", 0))
    if count <= SHARE * total:
        return None
    if language == "Chinese" and kana > KANA * count:
        language = "Japanese"
    # Is what stands between two spaces short enough to be a word?
    longest = _LONGEST_WORD.get(language, _LONGEST_ELSEWHERE)
    return Writing(language, language == "Korean" or characters <= longest * pieces)


@remembered()
def unspaced() -> Mask:
    """Return the code points of scripts that are written without spaces between words; shape (N_CODES,)."""
    return within(UNSPACED)


def letters_of(lines: Iterable[str | None]) -> dict[str, int]:
    """Return the letters of some lines, and how often each stands there."""
    return _letters(codes_of("".join(line for line in lines if line is not None)))


def _letters(codes: Codes) -> dict[str, int]:
    counts = np.bincount(codes)
    letters = {chr(code): int(counts[code]) for code in np.flatnonzero(counts)}
    return {char: count for char, count in letters.items() if LETTER.fullmatch(char)}


@lru_cache(maxsize=2**16)  # it is asked of every letter of every line
def script_of(letter: str) -> str:
    """Return the script of a letter, by the first word of its Unicode name; Japanese's scripts are one."""
    first = _first_word(letter)
    return "HAN OR KANA" if _LANGUAGES.get(first) in HAN else first


@lru_cache(maxsize=2**16)
def _first_word(letter: str) -> str:
    return unicodedata.name(letter, "UNKNOWN").partition(" ")[0].partition("-")[0]
