"""Segments in words: an overview of a comparison goes in, tables and sentences come out."""

import numpy as np

from mtsig.corpus import Corpus, number_of
from mtsig.escaping import one_line
from mtsig.inference import level_text, p_text, points_text
from mtsig.report.table import Column, Part, Table
from mtsig.segments import Leverage, Overview
from mtsig.segments.overview import lines_of

_SHARES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2)
"""Shares of the units that a table of leverage shows, beside the one that turns the verdict."""

_EXCERPT = 60
"""Characters of an output that a table shows."""


def leverage_text(found: Leverage) -> str:
    """Return what hangs on a few units, and what that is worth, in two sentences."""
    return f"{found.sentence} {found.caution}"


def again_text(found: Overview) -> str:
    """Return what the test says without the units that turn the verdict, in a sentence; "" where none do."""
    one = found.again
    if one is None:
        return found.untested
    p = p_text(one.p_value)
    return f"Without them {one.test} over {number_of(one.units, one.unit, ',')} gives {p}, not corrected."


def leverage_table(found: Leverage) -> Table:
    """Return the difference and its interval without some shares of the units that push most, and of random ones."""
    until = found.k[0] if found.holds_until is None else found.holds_until.units
    at = np.unique(
        [*np.abs(found.k - found.n * np.array(_SHARES)[:, None]).argmin(axis=1), *np.flatnonzero(found.k == until)]
    )
    decimals = found.metric.decimals
    return Table.of(
        leverage_text(found),
        (Column(f"{found.unit}s left out", "count"), found.k[at]),
        (Column("share", "share"), found.k[at] / found.n),
        (Column("Δ", "difference", decimals), found.difference[at]),
        (
            Column(f"{level_text(found.level)} interval", "interval", decimals, True, key="interval"),
            zip(found.low[at], found.high[at], strict=True),
        ),
        (Column("Δ without random ones", "difference", decimals), found.random[at]),
        (
            Column("90% of random choices", "interval", decimals, True),
            zip(found.random_low[at], found.random_high[at], strict=True),
        ),
        name="leverage",
        title="Segments that carry the verdict",
    )


def segments_table(found: Overview, corpus: Corpus | None = None) -> Table:
    """Return the segments that were asked for; with the corpus, also the beginnings of both outputs."""
    rows, decimals = found.segments, found.contributions.metric.decimals
    outputs: list[Part] = []
    for name in found.pair if corpus is not None else ():
        lines = None if corpus is None else lines_of(corpus, name)
        if lines is not None:
            said = [_excerpt(lines[row.segment - 1]) for row in rows]
            outputs.append((Column(f"{name}: output"), said))
    first, second = found.pair
    return Table.of(
        segments_text(found),
        (Column("segment", "count"), (row.segment for row in rows)),
        (Column("document"), (row.document for row in rows)),
        (Column("adds", "difference", decimals + 2), (row.contribution for row in rows)),
        (Column(first, "score", decimals), (row.first_score for row in rows)),
        (Column(second, "score", decimals), (row.second_score for row in rows)),
        (Column("length", "count"), (row.length for row in rows)),
        (Column("buckets"), (", ".join(row.buckets) or None for row in rows)),
        *outputs,
        name="segments",
        title="Segments",
    )


def segments_text(found: Overview) -> str:
    """Return what the segments are of, and what those shown add up to."""
    whole, decimals = found.contributions, found.contributions.metric.decimals
    together = sum(row.contribution for row in found.segments)
    shown, of = len(found.segments), len(whole.numbers)
    part = "All" if shown == of else f"{shown:,} of"
    return (
        f"{whole.first} minus {whole.second}: {points_text(whole.difference, decimals, signed=True)} "
        f"{whole.metric.name}. {part} {number_of(of, 'segment', ',')}, which add "
        f"{points_text(together, decimals, signed=True)}. {whole.statistics.signature}"
    )


def buckets_table(found: Overview) -> Table:
    """Return how many segments each bucket holds, and what they add to the difference."""
    rows, decimals = found.buckets, found.contributions.metric.decimals
    return Table.of(
        "A segment may be in several buckets, or in none: their parts need not sum to the difference.",
        (Column("bucket"), (row.name for row in rows)),
        (Column("segments", "count"), (row.segments for row in rows)),
        (Column("adds", "difference", decimals), (row.contribution for row in rows)),
        (Column("of the difference", "share"), (row.share for row in rows)),
        name="buckets",
        title="Buckets",
    )


def _excerpt(line: str) -> str:
    text = one_line(line)
    return text if len(text) <= _EXCERPT else f"{text[: _EXCERPT - 1]}…"
