"""Overview: the segments of a comparison, each with what it adds to the difference; sorted, filtered and summed up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from mtsig._records import Count, Index, Mask, Number, Record, Result, about
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import number_of
from mtsig.corpus._slices import lengths_of
from mtsig.errors import InvalidOption, NotApplicable, find
from mtsig.inference import Comparison, Settings, verdict
from mtsig.metrics import Statistics
from mtsig.segments._buckets import Buckets, BucketShare, bucket_table
from mtsig.segments._choosing import SORTS, Wanted, chosen, in_favour, lines_of
from mtsig.segments._contributions import Contributions, contributions
from mtsig.segments._leverage import MOST_ASKED, Leverage, leverage, without


@dataclass(frozen=True)
class SegmentRow(Record):
    """One segment of a comparison."""

    segment: Annotated[Count, about("Number of the segment in the whole data, counted from 1.")]
    document: Annotated[str | None, about("Its document; null where documents are unknown.")]
    contribution: Annotated[
        Number, about("Its contribution to the difference, in points; positive favours the first system.")
    ]
    first_score: Annotated[Number, about("The first system's score on this segment alone.")]
    second_score: Annotated[Number, about("The second system's.")]
    length: Annotated[Count | None, about("Characters in the source, else in the first reference, else null.")]
    first_length: Annotated[Count | None, about("Characters in the first system's output; null if missing.")]
    second_length: Annotated[Count | None, about("Characters in the second system's output.")]
    buckets: Annotated[tuple[str, ...], about("The buckets that contain the segment.")]


@dataclass(frozen=True)
class DocumentRow(Record):
    """One document of a comparison."""

    document: Annotated[str, about("Its name.")]
    segments: Annotated[Count, about("Number of its segments.")]
    contribution: Annotated[Number, about("Contribution of these segments to the difference, in points.")]
    share: Annotated[Number, about("Their share of the whole difference; null if the difference is 0.")]


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
    >>> from mtsig.segments import overview
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
    """Return the level of a comparison's adjusted interval, of how many corrected together; `level` without any."""
    if comparison is None or np.isnan(comparison.adjusted_level) or not comparison.corrected:
        return level, 1
    return comparison.adjusted_level, comparison.family_size


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
