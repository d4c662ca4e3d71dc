"""Text goes in, its code points come out as one array, and tables that say what each of them is."""

import re
import sys
from collections.abc import Iterable
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mtsig.arrays import Mask

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


@cache
def _everything() -> str:
    """Return a text of all code points, made once: a tokenizer asks for five tables before its first word."""
    return text_of(np.arange(N_CODES, dtype=np.uint32))


def within(ranges: Iterable[tuple[int, int]]) -> Mask:
    """Return which code points lie in one of the ranges, both ends included; shape (N_CODES,)."""
    inside = np.zeros(N_CODES, dtype=bool)
    for first, last in ranges:
        inside[first : last + 1] = True
    return inside


@cache
def spaces() -> Mask:
    """Return the code points that `str.split` splits at: white space, as `re` knows it, too; shape (N_CODES,)."""
    return members(re.compile(r"\s"))
