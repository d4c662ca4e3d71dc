"""The words of mteval-v13a: a line goes in as its SGM file would hold it, words come out.

sacreBLEU's 13a and intl follow the same expressions, but treat white space and entities otherwise: here every step is
mteval's own (docs/statistics/metrics.md, section 2).
"""

import re
from collections.abc import Iterable
from functools import cache, reduce
from typing import Any

# Perl's white space; Python's would add the separators U+001C to U+001F.
_SPACES = re.compile(r"[^\S\x1c-\x1f]+")

_ESCAPES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"))
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_APOSTROPHE = ("&apos;", "'")

_CAPITALS = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}

_WESTERN = (
    (re.compile(r"([ -&(-+/:-@\[-`{-~])"), r" \1 "),  # ASCII punctuation, but not ' , - .
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


@cache
def _international() -> tuple[tuple[Any, str], ...]:
    import regex  # here, because few tokenize so

    return (
        (regex.compile(r"(\P{N})(\p{P})"), r"\1 \2 "),
        (regex.compile(r"(\p{P})(\P{N})"), r" \1 \2"),
        (regex.compile(r"(\p{S})"), r" \1 "),
        (regex.compile(r"\p{Z}+"), " "),
    )


def mteval_words(line: str, international: bool = False, lowercase: bool = False) -> list[str]:
    """Return the words of a line.

    international: tokenize by Unicode's classes of characters (mteval's `--international-tokenization`).
    lowercase: ignore case (mteval without `-c`), that of A to Z only unless international.
    """
    text = _SPACES.sub(" ", _replaced(line, _ESCAPES)).strip(" ")
    if international:
        text = _replaced(text.replace("<skipped>", ""), (*_ENTITIES, _APOSTROPHE))
        return _cut(text.lower() if lowercase else text, _international())
    text = f" {_replaced(text.replace('<skipped>', ''), _ENTITIES)} "
    return _cut(text.translate(_CAPITALS) if lowercase else text, _WESTERN)


def _replaced(text: str, pairs: Iterable[tuple[str, str]]) -> str:
    return reduce(lambda done, pair: done.replace(*pair), pairs, text)


def _cut(text: str, rules: Iterable[tuple[Any, str]]) -> list[str]:
    for pattern, by in rules:
        text = pattern.sub(by, text)
    return [word for word in _SPACES.split(text) if word]
