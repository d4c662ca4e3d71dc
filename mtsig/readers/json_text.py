"""JSON text goes in, what it holds comes out, or one clear ReadError."""

import json
import re
from itertools import accumulate
from typing import Any

from mtsig.errors import ReadError

MOST_DEPTH = 100
"""Lists and objects inside of each other: what is deeper no part of this program could go through."""

_STRING = re.compile(rb'"[^"]*+"?')
_OTHERS = bytes(set(range(256)) - set(b'"[]{}'))
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def json_of(text: str | bytes, label: str, line: int | None = None, **hooks: Any) -> Any:
    """Return what JSON text holds.

    Args:
        text: the text; as bytes in UTF-8.
        label: what messages call the file.
        line: the line of the file that the text is, where it is one.
        **hooks: those of `json.loads`; a ValueError of theirs says what is wrong.

    Raises:
        ReadError: it is no JSON, is nested too deeply, or holds a number that is too long.
    """
    if line is None and ("\n" if isinstance(text, str) else b"\n") not in text:  # type: ignore[operator]
        line = 1
    place = label if line is None else f"{label}, line {line}"
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig", "surrogatepass")
        _refuse_deep(text, place)
        return json.loads(text, parse_int=_whole_number, **hooks)
    except UnicodeDecodeError as error:
        raise ReadError(f"{label} is not valid UTF-8 (byte {error.start + 1}).") from None
    except json.JSONDecodeError as error:
        place = f"{label}, line {(line or 1) + error.lineno - 1}"
        raise ReadError(f"{place}: not valid JSON ({error.msg}, character {error.colno}).") from None
    except RecursionError:
        raise _too_deep(place) from None
    except ValueError as error:
        raise ReadError(f"{place}: not valid JSON ({error}).") from None


def _refuse_deep(text: str, place: str) -> None:
    """Refuse text that is nested deeper than MOST_DEPTH, without parsing it; short records are not looked through."""
    if text.count("[") + text.count("{") <= MOST_DEPTH:
        return
    data = text.encode("utf-8", "surrogatepass").replace(rb"\\", b"").replace(rb"\"", b"")
    bare = _STRING.sub(b"", data.translate(None, _OTHERS))
    if max(accumulate(map(_STEPS.__getitem__, bare)), default=0) > MOST_DEPTH:
        raise _too_deep(place)


def _too_deep(place: str) -> ReadError:
    return ReadError(f"{place}: JSON nested so deeply that nothing here reads it.")


def _whole_number(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:  # Python refuses to read so many
        raise ValueError(f"a number of {len(digits.lstrip('-')):,} digits") from None
