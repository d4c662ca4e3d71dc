"""Choosing: which segments of a comparison are looked at, and in which order."""

import re
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import regex
from numpy.typing import NDArray

from mtsig._records import Floats
from mtsig.corpus import Corpus, slices_of
from mtsig.corpus._corpus import Lines
from mtsig.corpus._slices import lengths_of
from mtsig.errors import InvalidOption, NotApplicable, find
from mtsig.segments._contributions import Contributions

Masks = Mapping[str, NDArray[np.bool_]]

SORTS = {
    "contribution": "largest contribution in favour of the first system",
    "against": "largest contribution in favour of the second system",
    "absolute": "largest contribution, either way",
    "length": "longest source, else reference",
    "number": "order of the data",
}
"""Orders of segments, in words: what comes first."""

_NUMBER = re.compile(r"#([0-9]{1,12})(?![0-9])")
_NUMBERS = re.compile(rf"\s*(?:{_NUMBER.pattern}[\s,]*)+")

# Braces with a count, as a{3}, a{3,} or a{3,5}, and whether what is repeated may be more than one sign.
_COUNT = re.compile(r"((?<=[)}\s]))?\{([0-9]+)(?:,[0-9]*)?\}")

# The flag that lets spaces and comments stand anywhere, in a count as well; (?<name>…) and the like have no such part.
_SPACED = re.compile(r"\(\?[\w-]*x")

LONGEST_SEARCH = 1_000_000
"""Characters of what is looked for: numbers of many segments are many."""

LONGEST_PATTERN = 1000
"""Characters of a regular expression."""

LONGEST_SPELLED_OUT = 100_000
"""The same with all that is repeated written as often as its counts say: so `regex` stores it, in 300 bytes for each.

What it remembers while it looks for something it bounds itself, to 1 GB.
"""

SEARCH_SECONDS = 2.0
"""How long a regular expression is looked for, in seconds of work: some never end, and a busy machine is slow.

So long in MANY lines; in more, in proportion.
"""

MANY = 50_000


@dataclass(frozen=True)
class Wanted:
    """Which segments are looked at; what is left empty asks for nothing.

    search: text in the source, a reference or one of the two outputs, in upper or lower case; between two slashes, as
    in /[0-9]+/, a regular expression; #3 #14 are the segments of these numbers in the data, from 1. document, domain,
    origlang: their names, the last of an original language. lengths: the least and the most characters of the source,
    else of the first reference. side: which system they favour, or neither. within: buckets, one of which
    they are in. only: places in the corpus, from 0. push: the ends of the contribution, in points. scores: the ends of
    the second system's score, then of the first's.
    """

    search: str = ""
    document: str | None = None
    domain: str | None = None
    origlang: str | None = None
    lengths: tuple[int, int] | None = None
    side: Literal["first", "second", "neither"] | None = None
    within: tuple[str, ...] = ()
    only: frozenset[int] | None = None
    push: tuple[float, float] | None = None
    scores: tuple[tuple[float, float], tuple[float, float]] | None = None


def chosen(
    corpus: Corpus,
    contributions: Contributions,
    wanted: Wanted | None = None,
    sort: str = "contribution",
    masks: Masks | None = None,
    keys: Mapping[str, Floats] | None = None,
) -> NDArray[np.int64]:
    """Return the positions of the wanted segments among `contributions`, in the order that is asked for.

    sort: a name in SORTS, or in `keys`: further orders, the largest value first, shape (n,) each, by position. Of equal
    ones the order of the data is kept. masks: bucket -> which segments of the corpus are in it; shape (n,) each.
    """
    wanted, keys = wanted or Wanted(), dict(keys or {})
    if sort not in keys:
        find(SORTS, sort, "order of segments")
    kept = _kept(corpus, contributions, wanted, masks or {})
    order = np.argsort(-keys[sort] if sort in keys else _key(corpus, contributions, sort), kind="stable")
    return order[kept[order]]


def in_favour(contributions: Contributions) -> str:
    """Return the order that begins with what favours the system that is ahead: these segments make the difference."""
    return "contribution" if contributions.difference >= 0 else "against"


def disagreement(contributions: Contributions, other: Contributions) -> Floats:
    """Return how differently two metrics, or a metric and a rating, see each segment of the first; shape (n,).

    |c/s − c′/s′|, contributions divided by their standard deviations; NaN where the other has no such segment.
    """
    by_number = np.full(1 + max(int(contributions.numbers.max()), int(other.numbers.max())), np.nan)
    by_number[other.numbers] = other.values / (other.values.std() or 1.0)
    return np.asarray(
        np.abs(contributions.values / (contributions.values.std() or 1.0) - by_number[contributions.numbers])
    )


def lines_of(corpus: Corpus, system: str) -> Lines | None:
    """Return the output of a system; None where it has no text, or several runs of it.

    >>> import mtsig
    >>> from mtsig.segments._choosing import lines_of
    >>> len(lines_of(mtsig.read_sample(), "direct"))
    200
    """
    runs = corpus.systems[system]
    return corpus.outputs[runs[0]] if len(runs) == 1 else None


def _key(corpus: Corpus, contributions: Contributions, sort: str) -> Floats:
    """Return numbers of which the smallest comes first."""
    if sort == "contribution":
        return -contributions.values
    if sort == "against":
        return contributions.values
    if sort == "absolute":
        return -np.abs(contributions.values)
    if sort == "length":
        return -lengths_of(corpus)[0][contributions.numbers].astype(np.float64)
    return contributions.numbers.astype(np.float64)


def _kept(corpus: Corpus, contributions: Contributions, wanted: Wanted, masks: Masks) -> NDArray[np.bool_]:
    """Return which of the n segments are wanted; shape (n,)."""
    numbers, values = contributions.numbers, contributions.values
    kept = np.ones(len(numbers), dtype=bool)
    if wanted.within:
        for name in wanted.within:
            find(masks, name, "bucket")
        kept &= np.any([masks[name][numbers] for name in wanted.within], axis=0)
    if wanted.side is not None:
        kept &= {"first": values > 0, "second": values < 0, "neither": values == 0}[wanted.side]
    if wanted.push is not None:
        kept &= (values >= wanted.push[0]) & (values <= wanted.push[1])
    if wanted.scores is not None:
        for scores, (low, high) in zip(contributions.scores[::-1], wanted.scores, strict=True):
            kept &= (scores >= low) & (scores <= high)
    if wanted.only is not None:
        kept &= np.isin(numbers, sorted(wanted.only))
    if wanted.lengths is not None:
        lengths = lengths_of(corpus)[0][numbers]
        kept &= (lengths >= wanted.lengths[0]) & (lengths <= wanted.lengths[1])
    for place, column in (
        (wanted.document, corpus.documents),
        (wanted.domain, corpus.segments.domains),
        (wanted.origlang, corpus.segments.original_languages),
    ):
        if place is not None:
            kept &= np.array([column is not None and column[number] == place for number in numbers], dtype=bool)
    if wanted.search:
        names = [name for name in (contributions.first, contributions.second) if name is not None]
        kept[kept] = _found(corpus, names, numbers[kept].tolist(), wanted.search)
    return kept


def is_expression(search: str) -> bool:
    """Return whether what is looked for is a regular expression."""
    return len(search) > 2 and search.startswith("/") and search.endswith("/")


def searched(corpus: Corpus, systems: Sequence[str], search: str) -> NDArray[np.bool_]:
    """Return which segments of the corpus have what is looked for, as `Wanted.search`; shape (n,).

    systems: those whose outputs are looked through, beside sources and references.
    """
    return np.array(_found(corpus, systems, range(len(corpus)), search), dtype=bool)


def _found(corpus: Corpus, systems: Sequence[str], numbers: Collection[int], search: str) -> list[bool]:
    """Return which of these segments have the text, or what the regular expression describes, in any line."""
    if len(search) > LONGEST_SEARCH:
        raise InvalidOption(f"A search text can have at most {LONGEST_SEARCH:,} characters; found {len(search):,}.")
    if _NUMBERS.fullmatch(search):
        asked = {int(number) for number in _NUMBER.findall(search)}
        return [corpus.numbers[number] in asked for number in numbers]
    columns: list[Sequence[str | None] | None] = [corpus.segments.sources, *corpus.references.values()]
    columns += [lines_of(corpus, name) for name in systems]
    texts = [column for column in columns if column is not None]
    if is_expression(search):
        return _described(texts, numbers, search[1:-1])
    wanted = search.casefold()
    return [any(wanted in (text[number] or "").casefold() for text in texts) for number in numbers]


def _described(texts: Sequence[Sequence[str | None]], numbers: Collection[int], pattern: str) -> list[bool]:
    compiled = _compiled(pattern)
    seconds = SEARCH_SECONDS * max(1.0, len(texts) * len(numbers) / MANY)
    until = time.thread_time() + seconds

    def has(line: str | None) -> bool:
        left = until - time.thread_time()
        if left <= 0:
            raise TimeoutError
        return line is not None and compiled.search(line, timeout=left) is not None

    try:
        return [any(has(text[number]) for text in texts) for number in numbers]
    except TimeoutError:
        raise NotApplicable(
            f"Searching for /{pattern}/ takes more than {seconds:.2g} seconds; use a simpler expression."
        ) from None
    except MemoryError:
        raise NotApplicable(
            f"Looking for /{pattern}/ needs more memory than is available; use a simpler expression."
        ) from None


def _compiled(pattern: str) -> "regex.Pattern[str]":
    """Return a regular expression that is ready to be looked for."""
    if len(pattern) > LONGEST_PATTERN:
        raise InvalidOption(f"A regular expression has at most {LONGEST_PATTERN:,} characters; found {len(pattern):,}.")
    if _SPACED.search(pattern):
        raise InvalidOption(f"/{pattern}/ has the flag x, which is not supported; write it without extra spaces.")
    if _spelled_out(pattern) > LONGEST_SPELLED_OUT:
        raise InvalidOption(
            f"/{pattern}/ repeats too much: written out, with each part repeated as often as the braces say, it has "
            f"more than {LONGEST_SPELLED_OUT:,} characters. Use smaller numbers, or + for any number."
        )
    try:
        return regex.compile(pattern, regex.IGNORECASE)
    except (regex.error, OverflowError, RecursionError) as error:
        # Thousands of brackets one in the other are more than can be followed.
        why = "too deep" if isinstance(error, RecursionError) else str(error)
        raise InvalidOption(f"/{pattern}/ is not a regular expression: {why}.") from None


def _spelled_out(pattern: str) -> int:
    """Return how long a pattern is at most when all that it repeats is written as often as the least counts say."""
    length, times = len(pattern), 1
    for match in _COUNT.finditer(pattern):
        if match[1] is None:
            length += int(match[2])
        else:  # of a group; one may stand in another
            times *= max(1, int(match[2]))
    return length * times


def sorts_of(corpus: Corpus) -> dict[str, str]:
    """Return the orders that a corpus has what it takes for."""
    has_lengths = corpus.segments.sources is not None or corpus.references
    return {name: text for name, text in SORTS.items() if name != "length" or has_lengths}


def length_thirds(corpus: Corpus) -> dict[str, tuple[int, int]]:
    """Return the least and the most characters of the short, the medium and the long segments.

    They are the slices by length, under what is typed for them; none without texts, or where all are as long.
    """
    try:
        slices = slices_of(corpus, "length")
    except NotApplicable:
        return {}
    lengths = lengths_of(corpus)[0]
    inside = {part.asked_by: lengths[part.inside] for part in slices}
    return {name: (int(own.min()), int(own.max())) for name, own in inside.items()}
