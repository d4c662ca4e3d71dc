"""JSON text goes in, what it holds comes out, or one clear ReadError."""

import json
from typing import Any

from mtsig.errors import ReadError


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
        return json.loads(text, parse_int=_whole_number, **hooks)
    except UnicodeDecodeError as error:
        raise ReadError(f"{label} is not valid UTF-8 (byte {error.start + 1}).") from None
    except json.JSONDecodeError as error:
        place = f"{label}, line {(line or 1) + error.lineno - 1}"
        raise ReadError(f"{place}: not valid JSON ({error.msg}, character {error.colno}).") from None
    except RecursionError:
        raise ReadError(f"{place}: JSON nested so deeply that nothing here reads it.") from None
    except ValueError as error:
        raise ReadError(f"{place}: not valid JSON ({error}).") from None


def _whole_number(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:  # Python refuses to read so many
        raise ValueError(f"a number of {len(digits.lstrip('-')):,} digits") from None
