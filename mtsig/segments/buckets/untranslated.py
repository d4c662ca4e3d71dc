"""Untranslated: outputs that hand back the words of the source."""

import re
from collections import Counter

from mtsig.arrays import Mask
from mtsig.corpus import Lines
from mtsig.segments.buckets.detector import IN_UNSPACED, Fault, Texts, spread_out, without_addresses

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
        f"At least {COPIED:.0%} of the words of one of the outputs are the source's, and "
        f"{100 * MORE_THAN_REFERENCE:.0f} points more than of any reference's; {WITHOUT_REFERENCE:.0%} where there is "
        "none."
    )
    alone = about.replace("one of the outputs", "the output")
    needs = "source"

    def faulty(self, lines: Lines, texts: Texts) -> Mask:
        """Return which lines are copied."""
        sources = texts.sources or ()
        return spread_out((_copied(line, sources[i], texts, i) for i, line in enumerate(lines)), len(texts))


def _copied(line: str, source: str, texts: Texts, segment: int) -> bool:
    if not _may_be_copied(line, source):
        return False
    words, known = words_of(line), Counter(words_of(source))
    if len(words) < FEWEST_WORDS:
        return False
    share = _share(words, known)
    if share < COPIED:
        return False
    usual = [_share(words_of(reference), known) for reference in texts.given(segment)]
    return share >= (max(usual) + MORE_THAN_REFERENCE if usual else WITHOUT_REFERENCE)


def _may_be_copied(line: str, source: str) -> bool:
    """Return False where a quick look shows that most of a line cannot be the source's."""
    if source.isascii() and 2 * len(line.encode("ascii", "ignore")) < len(line):
        return False
    pieces = set(line.split())
    # Where words have spaces between them, a copied one mostly stands between the same marks, too.
    return 12 * len(pieces) < len(line) or 4 * len(pieces & set(source.split())) >= len(pieces)


def _share(words: list[str], known: Counter[str]) -> float:
    if not words:
        return 0.0
    return (Counter(words) & known).total() / len(words)


def words_of(line: str) -> list[str]:
    """Return the words of a line in lower case; where words have no spaces between them, its pairs of characters.

    >>> words_of("Das Haus, 3 m hoch"), words_of("我爱你 IBM")
    (['das', 'haus', 'm', 'hoch'], ['我爱', '爱你', 'ibm'])
    """
    words_read = _WORD.findall(without_addresses(line).lower())
    if line.isascii() or not _OF_UNSPACED.search(line):
        return words_read
    pairs = []
    for word in words_read:
        unspaced = len(word) > 1 and _OF_UNSPACED.match(word)
        pairs += [word[i : i + 2] for i in range(len(word) - 1)] if unspaced else [word]
    return pairs
