"""TOML text goes in, what it holds comes out, or one clear ReadError.

Before anything is parsed one pass over the text bounds what parsing can cost: of a key of many dots, or of tables in
tables, the parser's time and memory grow with the square of its length.
"""

import re
import tomllib
from itertools import accumulate
from typing import Any

from mtsig.errors import ReadError, said_by

MOST_BYTES = 100_000
"""No file that a person writes by hand is longer than this."""

MOST_DEPTH = 10
"""Names in one key, or lists and tables inside of each other."""

MOST_KEYS = 5_000
"""Keys, and lists or tables, of one text."""

# An end that is missing is taken to be the end of the text: whatever is written, no place is looked at twice.
_TEXTS = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"""|\Z)'
    r"|'''.*?(?:'''|\Z)"
    r'|"(?:[^"\\\n]|\\.)*+"?'
    r"|'[^'\n]*+'?"
    r"|\#[^\n]*+",
    re.DOTALL,
)
_KEY = re.compile(r"[\w-]++(?:[ \t]*+\.[ \t]*+[\w-]++)*+")
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


def toml_of(data: bytes | str, label: str) -> tuple[str, dict[str, Any]]:
    """Return TOML as text and what it holds; bytes are UTF-8. `label` is what messages call it.

    >>> toml_of('pairs = "all"', "the plan")
    ('pairs = "all"', {'pairs': 'all'})

    Raises:
        ReadError: it is no TOML, longer than MOST_BYTES, deeper than MOST_DEPTH or has more than MOST_KEYS keys.
    """
    if len(data) > MOST_BYTES:
        raise ReadError(f"{label} has {len(data):,} bytes; a plan has a few lines (at most {MOST_BYTES:,} bytes).")
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ReadError(f"{label} is not valid UTF-8 (byte {error.start + 1}).") from None
    _refuse_costly(text, label)
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ReadError(f"{label} is not valid TOML: {error}.") from None
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits
        raise ReadError(f"{label} cannot be read as TOML: {said_by(error, 'too deep', 200)}.") from None


def _refuse_costly(text: str, label: str) -> None:
    """Refuse text that is nested deeply or has very many keys, without parsing it."""
    bare = _TEXTS.sub(lambda found: "" if found[0][0] == "#" else "_", text)
    depth = max(
        *accumulate(_STEPS.get(sign, 0) for sign in bare),
        *(1 + key[0].count(".") for key in _KEY.finditer(bare)),
        0,
        0,
    )
    if depth > MOST_DEPTH:
        raise ReadError(
            f"{label} has keys of {depth:,} names, or so many lists and tables inside of each other; at most "
            f"{MOST_DEPTH} are read."
        )
    keys = bare.count("=") + bare.count("[") + bare.count("{")
    if keys > MOST_KEYS:
        raise ReadError(f"{label} has {keys:,} keys, lists and tables; at most {MOST_KEYS:,} are read.")
