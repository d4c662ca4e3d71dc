"""Characters that do not belong: byte-order marks, separators of other programs, wrong decoding, HTML entities."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mtsig.doctor.finding import Finding, by_text
from mtsig.doctor.view import View


class Kind(NamedTuple):
    """Characters of one kind, and what is known about them."""

    pattern: re.Pattern[str]
    what: str
    advice: str


KINDS = (
    Kind(re.compile("\ufeff"), "a byte-order mark inside the line", "It sticks to the word it touches. Remove U+FEFF."),
    Kind(
        re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]"),
        "a separator that other programs take for a line break",
        "mtsig splits at newlines only; a program that split here has other lines. Replace it by a space.",
    ),
    Kind(re.compile("\r"), "a carriage return", "The file has Windows line ends in part. Save it with newlines only."),
    Kind(re.compile("\t"), "a tab", "It breaks tables. Replace it by a space."),
    Kind(
        re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]"),
        "a control character",
        "Characters U+0080 to U+009F tell of text that was decoded as Latin-1. Decode it again.",
    ),
    Kind(re.compile("\ufffd"), "a replacement character", "Something here could not be decoded. Go back to the bytes."),
    Kind(
        re.compile("[ÃÂ][\x80-\xbf]|â€[\x80-\xbf™œžš¢¦“”]|Ð[\x80-\xbf]Ð"),
        "letters such as Ã© and â€™",
        "UTF-8 that was decoded as something else. Decode it again.",
    ),
    Kind(
        re.compile("[\u200b\u2060\u00ad\u202a-\u202e\u2066-\u2069]"),
        "an invisible character",
        "It makes equal words unequal. Remove it, unless the script needs it.",
    ),
)

_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#[0-9]{1,6}|#x[0-9a-fA-F]{1,5});")


def check_characters(view: View) -> Iterator[Finding]:
    """Yield a finding for every kind of character that does not belong, with the texts that have it."""
    for kind in KINDS:
        yield from _by_text("characters", view, kind.pattern, kind.what, kind.advice)


def check_entities(view: View) -> Iterator[Finding]:
    """Return a finding for HTML entities, with the texts that have them."""
    advice = (
        "sacreBLEU's 13a turns them into characters once, other tokenizers and metrics never do. Decode them, in every "
        "text alike."
    )
    return _by_text("entities", view, _ENTITY, "an HTML entity such as &amp;", advice)


def _by_text(check: str, view: View, pattern: re.Pattern[str], what: str, advice: str) -> Iterator[Finding]:
    hits = {name: view.in_whole(_having(lines, pattern)) for name, lines in view.texts.items()}
    return by_text(check, hits, len(view.corpus), f"lines with {what}", advice, "sure")


def _having(lines: Sequence[str | None], pattern: re.Pattern[str]) -> list[int]:
    # One search over the whole text decides most cases: texts without any are the rule.
    if not pattern.search("\n".join(line or "" for line in lines)):
        return []
    return [number for number, line in enumerate(lines) if line and pattern.search(line)]
