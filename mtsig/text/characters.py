"""Text goes in, its code points come out as one array, and tables that say what each of them is."""

import re
import sys
from collections.abc import Iterable
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Codes: TypeAlias = NDArray[np.uint32]
Mask: TypeAlias = NDArray[np.bool_]

N_CODES = sys.maxunicode + 1
_ENCODING = f"utf-32-{'le' if sys.byteorder == 'little' else 'be'}"


UNSPACED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF), (0x20000, 0x323AF),
)  # fmt: skip
"""Where the scripts lie that are written without spaces between words: Thai, Lao, Burmese, Khmer, Kana and Han."""


def codes_of(text: str) -> Codes:
    """Return the code points of a text."""
    # Lone surrogates come in with files that are no UTF-8; here they are characters like any other.
    return np.frombuffer(text.encode(_ENCODING, "surrogatepass"), dtype=np.uint32)


def text_of(codes: Codes) -> str:
    """Return the text of code points."""
    return codes.tobytes().decode(_ENCODING, "surrogatepass")


def members(pattern: "re.Pattern[str] | Any") -> Mask:
    """Return which code points a pattern for one character matches, one of `re` or of `regex`; shape (N_CODES,)."""
    found = np.zeros(N_CODES, dtype=bool)
    everything = text_of(np.arange(N_CODES, dtype=np.uint32))
    found[[match.start() for match in pattern.finditer(everything)]] = True
    return found


def within(ranges: Iterable[tuple[int, int]]) -> Mask:
    """Return which code points lie in one of the ranges, both ends included; shape (N_CODES,)."""
    found = np.zeros(N_CODES, dtype=bool)
    for first, last in ranges:
        found[first : last + 1] = True
    return found


@cache
def spaces() -> Mask:
    """Return the code points that `str.split` splits at: white space, as `re` knows it, too; shape (N_CODES,)."""
    return members(re.compile(r"\s"))


@cache
def unspaced() -> Mask:
    """Return the code points of scripts that are written without spaces between words; shape (N_CODES,)."""
    return within(UNSPACED)
