"""Entities: names, codes, URLs and e-mail addresses that a translation keeps as they are."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

from mtsig.arrays import Mask
from mtsig.segments.buckets.detector import IN_UNSPACED, Detector, Texts, addresses, may_have_address, without_addresses
from mtsig.segments.buckets.languages import LANGUAGES

SHORTEST_NAME = 3
"""Letters from which on a word with a capital letter is taken for a name."""

_TOKEN = re.compile(rf"[@#]?[^\W_{IN_UNSPACED}](?:[^\W{IN_UNSPACED}]|[&+]|[-./'’](?=[^\W_{IN_UNSPACED}]))*")
_CODE = re.compile(r"[@#].|(?=.*[^\W\d_])[^\W\d_].*\d|[A-ZÀ-ÞА-Я][A-ZÀ-ÞА-Я&.-]+$|[^\W\d_]*[a-zа-я][A-ZА-Я]|\d+[A-Z]")
_MARKS = re.compile(r"[\W_]+")
_WIDE = re.compile("[\uff01-\uff5e]")
_UNSPACED = re.compile(f"[{IN_UNSPACED}]")
_NO_NAMES = frozenset(word for language in LANGUAGES.values() for word in language.words)
"""Frequent words, which have a capital letter where a sentence or a title begins."""


class Entity(Detector):
    """Segments in which one output keeps a name, code or address that the other has lost."""

    name = "entity"
    title = "entity or URL differs"
    about = (
        "The two outputs have other URLs or e-mail addresses, or one lacks what the other has: a code (COVID-19, B2B) "
        "or a word with a capital letter that a reference keeps as the source has it (into Chinese, Japanese or Thai, "
        "codes alone). Without a source, a reference's codes; without a reference, the source's."
    )
    alone = (
        "The output lacks URLs or e-mail addresses of each reference (else of the source), or a code (COVID-19, B2B) "
        "or a word with a capital letter that each reference keeps as the source has it (into Chinese, Japanese or "
        "Thai, codes alone). Without a source, the codes that all references have; without a reference, the source's."
    )
    needs = "source or reference"

    def marks(self, texts: Texts) -> Mask:
        """Return where something is lost."""
        marks = np.zeros(len(texts), dtype=bool)
        expected = _expected(texts)
        if texts.second is None:
            for number, line in enumerate(texts.first):
                marks[number] = _lacks_address(line, texts, number) or any(
                    not _has(line, entity) and all(kept) for entity, kept in expected(number)
                )
            return marks
        for number, left, other in texts.differing:
            marks[number] = sorted(addresses(left)) != sorted(addresses(other)) or any(
                _has(left, entity) != _has(other, entity) and any(kept) for entity, kept in expected(number)
            )
        return marks


def _lacks_address(line: str, texts: Texts, segment: int) -> bool:
    beside = texts.given(segment) or ([texts.sources[segment]] if texts.sources and not texts.references else [])
    needed = [set(addresses(text)) for text in beside]
    return bool(needed) and not any(words <= set(addresses(line)) for words in needed)


def _has(line: str, entity: str) -> bool:
    """Return whether a line has an entity, be it with other marks, spaces (S / PDIF), widths or, of codes, case."""
    if _within(entity, line) or (_CODE.match(entity) is not None and _within(entity.lower(), line.lower())):
        return True
    bare = _MARKS.sub("", entity)
    if bare != entity and len(bare) > 1 and _spread(bare).search(line):
        return True
    # Japanese and Chinese may write Latin letters as wide as their own.
    return _WIDE.search(line) is not None and _has(unicodedata.normalize("NFKC", line), entity)


def _within(entity: str, line: str) -> bool:
    """Return whether a line has an entity as it stands, though not where its number goes on (A4 in A44)."""
    place = line.find(entity)
    while place >= 0 and entity[-1].isdecimal() and line[place + len(entity) : place + len(entity) + 1].isdecimal():
        place = line.find(entity, place + 1)
    return place >= 0


@lru_cache(maxsize=2**12)
def _spread(bare: str) -> re.Pattern[str]:
    """Return what finds characters with marks or spaces between them; behind a digit at the end no other follows."""
    return re.compile(r"[\W_]*".join(bare) + (r"(?!\d)" if bare[-1].isdecimal() else ""))


def _expected(texts: Texts) -> Callable[[int], Iterator[tuple[str, Iterator[bool]]]]:
    """Return what yields the entities of a segment that a translation may be expected to keep.

    With each comes whether each of the references has it. Without a source they are the references' own; without a
    reference every one of the source counts as kept.
    """
    sources = texts.sources
    if sources is None:

        def theirs(segment: int) -> Iterator[tuple[str, Iterator[bool]]]:
            given = texts.given(segment)
            for entity in {entity for line in given for entity in entities_of(line, names=False)}:
                yield entity, (_has(line, entity) for line in given)

        return theirs
    column = texts.column(sources)
    telling = column.each(lambda word: bool(_entities_within(word))) > 0
    pieces: defaultdict[int, list[str]] = defaultdict(list)
    for line, number in zip(column.line[telling].tolist(), column.pieces[telling].tolist(), strict=True):
        pieces[line].append(column.vocabulary[number])

    def ours(segment: int) -> Iterator[tuple[str, Iterator[bool]]]:
        given = texts.given(segment)
        if segment not in pieces or (texts.references and not given):
            return
        # Where words have no spaces, one writes a foreign name in signs of its own, another as it is, and both are
        # right.
        names = bool(texts.references) and not any(_UNSPACED.search(line) for line in given)
        # Within an address there is no name.
        line = sources[segment] if may_have_address(sources[segment]) else " ".join(pieces[segment])
        for entity in entities_of(line, names):
            yield entity, (_has(line, entity) for line in given) if texts.references else iter([True])

    return ours


def entities_of(line: str, names: bool = True) -> list[str]:
    """Return the codes of a line, and with `names` its words with a capital letter.

    Codes are words of letters and digits that begin with a letter, words in capital letters or with one inside, and
    what begins with @ or #.

    >>> entities_of("In 2020 COVID-19 hit Madrid; an iPhone @home.")
    ['COVID-19', 'Madrid', 'iPhone', '@home']
    >>> entities_of("我们在IBM工作", names=False)
    ['IBM']
    """
    pieces = without_addresses(line).split()
    return [entity for piece in pieces for is_code, entity in _entities_within(piece) if is_code or names]


def _is_name(token: str) -> bool:
    return len(token) >= SHORTEST_NAME and token[0].isupper() and token.lower() not in _NO_NAMES


@lru_cache(maxsize=2**16)
def _entities_within(piece: str) -> tuple[tuple[bool, str], ...]:
    """Return the codes and names of what stands between two spaces, and which of both each is: no token has a space."""
    if piece.islower() and piece.isalpha():
        return ()
    tokens = [(_CODE.match(token) is not None, token) for token in _TOKEN.findall(piece)]
    return tuple((is_code, token) for is_code, token in tokens if is_code or _is_name(token))
