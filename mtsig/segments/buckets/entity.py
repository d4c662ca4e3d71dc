"""Entities: names, codes, URLs and e-mail addresses that a translation keeps as they are."""

import re
from collections import Counter
from collections.abc import Callable, Iterable

import numpy as np

from mtsig.arrays import Mask
from mtsig.segments.buckets.detector import IN_UNSPACED, Detector, Texts, addresses, without_addresses

SHORTEST_NAME = 3
"""Letters from which on a word with a capital letter is taken for a name."""

_TOKEN = re.compile(rf"[@#]?[^\W_{IN_UNSPACED}](?:[^\W{IN_UNSPACED}]|[&+]|[-./'’](?=[^\W_{IN_UNSPACED}]))*")
_CODE = re.compile(r"[@#].|(?=.*[^\W\d_])[^\W\d_].*\d|[A-ZÀ-ÞА-Я][A-ZÀ-ÞА-Я&.-]+$|[^\W\d_]*[a-zа-я][A-ZА-Я]|\d+[A-Z]")


class Entity(Detector):
    """Segments in which one output keeps a name, code or address that the other has lost."""

    name = "entity"
    title = "entity or URL differs"
    about = (
        "The two outputs have other URLs or e-mail addresses, or one lacks what the other has: a code (COVID-19, "
        "B2B) or "
        "a word with a capital letter that a reference keeps as the source has it. Without a source, a reference's "
        "codes; without a reference, the source's."
    )
    alone = (
        "The output lacks URLs or e-mail addresses of each reference (else of the source), or a code (COVID-19, "
        "B2B) or a "
        "word with a capital letter that each reference keeps as the source has it. Without a source, the codes that "
        "all references have; without a reference, the source's."
    )
    needs = "source or reference"

    def marks(self, texts: Texts) -> Mask:
        """Return where something is lost."""
        found = np.zeros(len(texts), dtype=bool)
        if texts.second is None:
            for number, line in enumerate(texts.first):
                found[number] = _lost(line, texts, number)
            return found
        for number, one, other in texts.differing:
            found[number] = Counter(addresses(one)) != Counter(addresses(other)) or any(
                _has(one, entity) != _has(other, entity) for entity in expected(texts, number, any)
            )
        return found


def _lost(line: str, texts: Texts, segment: int) -> bool:
    beside = texts.given(segment) or ([texts.sources[segment]] if texts.sources and not texts.references else [])
    needed = [set(addresses(text)) for text in beside]
    if needed and not any(one <= set(addresses(line)) for one in needed):
        return True
    return any(not _has(line, entity) for entity in expected(texts, segment, all))


def _has(line: str, entity: str) -> bool:
    """Return whether a line has an entity; the case of codes does not matter (Covid-19)."""
    return entity in line or (_CODE.match(entity) is not None and entity.lower() in line.lower())


def expected(texts: Texts, segment: int, kept: Callable[[Iterable[bool]], bool]) -> list[str]:
    """Return the entities that a translation is expected to keep; `kept`: by any reference or by all of them."""
    given = texts.given(segment)
    if texts.sources is None:
        known = {entity for line in given for entity in entities_of(line, names=False)}
        return [entity for entity in known if kept(_has(line, entity) for line in given)]
    source = texts.sources[segment]
    if not texts.references:
        return entities_of(source, names=False)
    return [entity for entity in entities_of(source) if given and kept(_has(line, entity) for line in given)]


def entities_of(line: str, names: bool = True) -> list[str]:
    """Return the codes of a line, and with `names` its words with a capital letter.

    Codes are words of letters and digits that begin with a letter, words in capital letters or with one inside, and
    what begins with @ or #.

    >>> entities_of("In 2020 COVID-19 hit Madrid; an iPhone @home.")
    ['COVID-19', 'Madrid', 'iPhone', '@home']
    >>> entities_of("我们在IBM工作", names=False)
    ['IBM']
    """
    return [
        token
        for token in _TOKEN.findall(without_addresses(line))
        if _CODE.match(token) or (names and len(token) >= SHORTEST_NAME and token[0].isupper())
    ]
