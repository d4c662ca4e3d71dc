"""Overview: the segments of a comparison, each with what it adds to the difference; which are shown, in which order."""

import re
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
import regex
from numpy.typing import NDArray

from mtsig._records import Count, Floats, Index, Mask, Number, Record, about
from mtsig._results import Result
from mtsig.corpus import Corpus, Note, slices_of
from mtsig.corpus._corpus import Lines
from mtsig.corpus._notes import number_of
from mtsig.corpus._slices import lengths_of
from mtsig.errors import InvalidOption, NotApplicable, find
from mtsig.inference import Comparison, Settings
from mtsig.inference._verdict import verdict
from mtsig.metrics import Statistics
from mtsig.segments._buckets import Buckets, BucketShare, bucket_table
from mtsig.segments._contributions import MOST_ASKED, Contributions, Leverage, contributions, leverage, without

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
    >>> from mtsig.segments._overview import lines_of
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
        kept[kept] = _found(corpus, contributions.systems, numbers[kept].tolist(), wanted.search)
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
            f"Searching for /{pattern}/ needs more memory than is available; use a simpler expression."
        ) from None


def _compiled(pattern: str) -> "regex.Pattern[str]":
    """Return a regular expression that is ready to be looked for."""
    if len(pattern) > LONGEST_PATTERN:
        raise InvalidOption(f"A regular expression has at most {LONGEST_PATTERN:,} characters; found {len(pattern):,}.")
    if _SPACED.search(pattern):
        raise InvalidOption(f"/{pattern}/ has the flag x, which is not supported; write it without extra spaces.")
    if _spelled_out(pattern) > LONGEST_SPELLED_OUT:
        raise InvalidOption(
            f"/{pattern}/ has too many repetitions: with each repetition written out, it has more than "
            f"{LONGEST_SPELLED_OUT:,} characters. Use smaller numbers, or + for any number."
        )
    try:
        return regex.compile(pattern, regex.IGNORECASE)
    except (regex.error, ValueError, LookupError, TypeError, OverflowError, RecursionError) as error:
        # Thousands of brackets one in the other are more than can be followed; flags may exclude each other.
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


@dataclass(frozen=True)
class SegmentRow(Record):
    """One segment of a comparison."""

    segment: Annotated[Count, about("Number of the segment in the whole data, counted from 1.")]
    document: Annotated[str | None, about("Document of the segment; null if documents are unknown.")]
    contribution: Annotated[
        Number, about("Contribution of the segment, in points; positive if it favours the first system.")
    ]
    first_score: Annotated[Number, about("Score of the first system on this segment alone.")]
    second_score: Annotated[Number, about("The second system's.")]
    length: Annotated[Count | None, about("Characters in the source, else in the first reference, else null.")]
    first_length: Annotated[Count | None, about("Characters in the first system's output; null if missing.")]
    second_length: Annotated[Count | None, about("Number of characters in the second system's output.")]
    buckets: Annotated[tuple[str, ...], about("The buckets that contain the segment.")]


@dataclass(frozen=True)
class DocumentRow(Record):
    """One document of a comparison."""

    document: Annotated[str, about("Its name.")]
    segments: Annotated[Count, about("Number of its segments.")]
    contribution: Annotated[Number, about("Contribution of these segments to the difference, in points.")]
    share: Annotated[Number, about("Share of these segments in the whole difference; null if the difference is 0.")]


@dataclass(frozen=True, eq=False, repr=False)
class Overview(Result):
    """The difference of two systems by segments, documents and buckets.

    contributions: the contributions of all segments. leverage: the leverage of the sampling units. segments: the
    requested segments, in the requested order. documents: all documents, in corpus order; empty if unknown. buckets:
    all buckets. again: the comparison by the chosen test without the units that change the verdict; `None` if no units
    change it, or if the comparison was not made for the reason in `untested`. notes: notes on the counts, the test, and
    buckets that cannot be determined.
    """

    listed = "segments"
    contributions: Contributions
    leverage: Leverage
    segments: tuple[SegmentRow, ...]
    documents: tuple[DocumentRow, ...]
    buckets: tuple[BucketShare, ...]
    again: Comparison | None = None
    untested: str = ""
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        """Return what was looked at, in one line."""
        units = number_of(len(self.segments), "segment", ",")
        return f"<Overview of {' minus '.join(self.pair)} in {self.contributions.metric.name}: {units}>"

    @property
    def pair(self) -> tuple[str, str]:
        """The two systems."""
        return self.leverage.first, self.leverage.second


def overview(
    corpus: Corpus,
    statistics: Statistics,
    first: str,
    second: str,
    settings: Settings | None = None,
    *,
    buckets: Mapping[str, Mask] | None = None,
    within: Sequence[str] = (),
    search: str = "",
    sort: str | None = None,
    top: int | None = None,
) -> Overview:
    """Break the difference of two systems down by segments and buckets.

    Parameters
    ----------
    corpus
        The corpus whose outputs were scored.
    statistics
        The segment-level statistics that `measure` returns for this corpus.
    first
        A system.
    second
        The other system.
    settings
        The level, seed, unit of the leverage, and test; `None` uses the defaults.
    buckets
        A mapping from bucket names to masks of the corpus's segments; shape (n,) each.
    within
        The buckets to which the listed segments are restricted.
    search
        A text that listed segments must contain in the source, a reference or an output; case is ignored.
    sort
        The order of the segments, a name in `SORTS`; `None` puts the largest contribution in favour of the system that
        is ahead first.
    top
        The maximum number of listed segments; `None` lists all segments.

    Raises
    ------
    UnknownName
        A system, bucket or order is unknown.
    NotApplicable
        Contributions to the difference cannot be computed, or the settings' unit does not suit the data.
    InvalidOption
        The argument `top` is less than 1.

    Examples
    --------
    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> from mtsig.report import overview
    >>> shown = overview(mtsig.read_sample(), statistics, "direct", "via-catalan")
    >>> len(shown.segments), shown.pair
    (200, ('direct', 'via-catalan'))
    """
    settings = settings or Settings()
    if top is not None and top < 1:
        raise InvalidOption(f"At least one segment must be shown; found {top}.")
    find(SORTS, sort or "number", "order of segments")
    masks = {} if buckets is None else buckets
    for name in within:
        if isinstance(buckets, Buckets) and name in buckets.left_out:
            raise NotApplicable(f"Bucket {name!r}: {buckets.left_out[name]}")
        find(masks, name, "bucket")
    result = contributions(statistics.at("segment"), first, second)
    unit = settings.at(statistics)
    by_unit = result if unit.unit == "segment" else contributions(unit, first, second)
    reason, level, comparisons, notes = _judged(unit, by_unit, settings)
    pushed = leverage(by_unit, level, comparisons=comparisons, seed=settings.seed, no_verdict=reason)
    left_out = buckets.left_out if isinstance(buckets, Buckets) else {}
    unknown = [Note("note", f"Bucket {name} is left out: {why}") for name, why in left_out.items()]
    if result.note:
        notes = (Note("note", result.note), *notes)
    shown = chosen(corpus, result, Wanted(search=search, within=tuple(within)), sort or in_favour(result), masks)[:top]
    again, untested = tested_again(result, by_unit, pushed, settings)
    return Overview(
        result,
        pushed,
        _rows(corpus, result, shown, masks),
        _documents(corpus, result),
        bucket_table(masks, result.values, result.numbers),
        again,
        untested,
        tuple(dict.fromkeys([*statistics.notes, *notes, *unknown])),
    )


def _rows(
    corpus: Corpus, contributions: Contributions, shown: Index, masks: Mapping[str, Mask]
) -> tuple[SegmentRow, ...]:
    numbers = contributions.numbers[shown].tolist()
    try:
        lengths: list[int | None] = lengths_of(corpus)[0][numbers].tolist()
    except NotApplicable:
        lengths = [None] * len(numbers)
    outputs = [lines_of(corpus, name) for name in (contributions.first, contributions.second or "")]
    written = [[None if lines is None else len(lines[i]) for i in numbers] for lines in outputs]
    documents = corpus.documents
    return SegmentRow.of_columns(
        len(numbers),
        segment=[corpus.numbers[i] for i in numbers],
        document=[None if documents is None else documents[i] for i in numbers],
        contribution=contributions.values[shown],
        first_score=contributions.scores[0, shown],
        second_score=contributions.scores[1, shown],
        length=lengths,
        first_length=written[0],
        second_length=written[1],
        buckets=[tuple(name for name, mask in masks.items() if mask[i]) for i in numbers],
    )


def _documents(corpus: Corpus, contributions: Contributions) -> tuple[DocumentRow, ...]:
    if corpus.documents is None:
        return ()
    by_name: dict[str, list[float]] = {}
    for number, value in zip(contributions.numbers.tolist(), contributions.values.tolist(), strict=True):
        by_name.setdefault(corpus.documents[number], []).append(value)
    whole = contributions.difference or float("nan")
    return tuple(DocumentRow(name, len(values), sum(values), sum(values) / whole) for name, values in by_name.items())


def no_verdict(comparison: Comparison) -> str:
    """Return why a comparison gives no verdict that could turn, in words; "" where it gives one."""
    decided = verdict(comparison)
    if decided.word == "better":
        return ""
    return (
        "the two do not differ significantly"
        if decided.word == "not_significant"
        else str(decided.withheld_reason or "it is withheld")
    )


def judged_at(comparison: Comparison | None, level: float) -> tuple[float, int]:
    """Return the level of a comparison's adjusted interval, of how many corrected together; `level` without any.

    A correction by resampling may leave a pair a level of 1 to the last digit, whose interval has no end. Bonferroni's
    is as simultaneous, and the lower one is taken.
    """
    if comparison is None or np.isnan(comparison.adjusted_level) or not comparison.corrected:
        return level, 1
    return min(comparison.adjusted_level, 1 - comparison.alpha / comparison.family_size), comparison.family_size


def _judged(
    statistics: Statistics, contributions: Contributions, settings: Settings
) -> tuple[str, float, int, tuple[Note, ...]]:
    """Return why the pair has no verdict among all pairs of the data, at what level it was judged, and what to know.

    Where the draws of all pairs take long the jackknife's p with Holm stands for them.
    """
    if contributions.second is None:
        return "", settings.level, 1, ()
    pairs = len(statistics.systems) * (len(statistics.systems) - 1) // 2
    settings = replace(settings, unit=contributions.unit)
    if statistics.n * settings.n_resamples * pairs > TESTED:
        settings = replace(settings, test="jackknife-t", correction="holm")
    try:
        family = settings.family(statistics)
    except NotApplicable as error:
        return str(error).rstrip("."), settings.level, 1, ()
    comparison = family.pair(contributions.first, contributions.second)
    if comparison is None:
        return "", settings.level, 1, family.notes
    return no_verdict(comparison), *judged_at(comparison, settings.level), family.notes


TESTED = 30_000_000
"""Units × draws up to which the test is made again: about a second."""


def tested_again(
    contributions: Contributions, by_unit: Contributions, pushed: Leverage, settings: Settings
) -> tuple[Comparison | None, str]:
    """Return the comparison without the units that turn the verdict, or why it was not made."""
    if pushed.holds_until is None or contributions.second is None:
        return None, ""
    if by_unit.statistics.n * settings.n_resamples > TESTED:
        many = number_of(by_unit.statistics.n, by_unit.unit, ",")
        return None, f"The test itself was not run again: {settings.n_resamples:,} resamples of {many} take long."
    gone = pushed.numbers[: pushed.holds_until.units]
    # Documents are left out by segments, so that too few of them are refused as everywhere.
    parts, places = by_unit, by_unit.numbers
    if by_unit.unit == "document":
        parts, places = contributions, np.asarray(contributions.document_of)
    rest = without(parts.statistics, np.flatnonzero(np.isin(places, gone)))
    try:
        # Summed by document where those are the units: of segments, too, nothing is asked here.
        tested = replace(settings, unit=by_unit.unit, level=min(pushed.level, MOST_ASKED)).family(
            rest.at(by_unit.unit), [(contributions.first, contributions.second)]
        )
        return tested[0], ""
    except NotApplicable as error:
        return None, f"The test itself could not be run again: {error}"
