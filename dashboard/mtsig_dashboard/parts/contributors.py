"""The list of contributions beside the cards: a bar for each segment, strongest first; of many, for groups of ranks.

It is HTML, whose bars are buttons: they follow the theme, and are reached and pressed by keyboard.
"""

from math import ceil, floor, log10

import numpy as np

from mtsig import Corpus
from mtsig._probability import points_text
from mtsig._records import Index
from mtsig.corpus._notes import number_of
from mtsig.report._table import in_html
from mtsig.segments import Contributions

_ROWS = 36
"""Bars that stand beside a card in a window of 900 pixels."""

_FULL = 5
"""Bars in full colour, whose share is said."""

_NAMED = 8
"""Bars whose segments are named; of the others, the one that is read."""

_TICKS = 5
"""Steps of the axis, at most."""


def listed(corpus: Corpus, contributions: Contributions, current: int | None) -> str:
    """Return the list as HTML; current: the position among the contributions of the segment that is read.

    Each bar has the position of its segment, or of the first of its group, as its data.
    """
    values, order = contributions.values, contributions.strongest_first
    order = order[values[order] != 0]
    if not len(order):
        return f"<p>No {contributions.unit} contributes anything.</p>"
    rows = np.array_split(order, ceil(len(order) / ceil(len(order) / _ROWS)))
    means = [float(values[row].mean()) for row in rows]
    low, high = min(0.0, *means), max(0.0, *means)
    bars = [
        _bar(corpus, contributions, row, rank, (mean - low) / (high - low), -low / (high - low), current)
        for row, mean, rank in zip(rows, means, np.cumsum([0, *map(len, rows)]).tolist(), strict=False)
    ]
    return (
        f'<div class="contributors">{_axis(low, high)}<ol>{"".join(bars)}</ol></div>'
        f"<p>{in_html(_told(contributions, order))}</p>"
    )


def title(contributions: Contributions) -> str:
    """Return what the bars are: of many segments, each is the mean of a group."""
    if np.count_nonzero(contributions.values) > _ROWS:
        return f"Contributions of {contributions.unit}s, grouped by rank"
    return f"Contribution of each {contributions.unit}"


def _bar(
    corpus: Corpus, contributions: Contributions, row: Index, rank: int, end: float, zero: float, current: int | None
) -> str:
    """Return one bar; rank: of its first segment, from 0; end, zero: shares of the width."""
    first, count = int(row[0]), len(row)
    name = f"#{corpus.numbers[int(contributions.numbers[first])]:,}" if count == 1 else f"{rank + 1:,}–{rank + count:,}"
    unit, places = contributions.metric.name, contributions.metric.decimals + 2
    mean = points_text(float(contributions.values[row].mean()), places, signed=True)
    told = f"{name}: {mean} {unit}" if count == 1 else f"Ranks {name}: {mean} {unit} on average"
    is_current = current is not None and current in row
    is_full = rank + count <= max(_FULL, contributions.half if count > 1 else 0)
    looks = [look for look, holds in (("full", is_full), ("second", end < zero)) if holds]
    left, width = min(end, zero), abs(end - zero)
    shown = name if is_current or (count == 1 and rank < _NAMED) or (count > 1 and rank == 0) else ""
    return (
        f'<li><button type="button" data-number="{first}" title="{in_html(told)}" aria-label="{in_html(told)}"'
        f"{' aria-current=true' if is_current else ''}><span>{shown}</span>"
        f'<span class="track"><i class="{" ".join(looks)}" style="left:{100 * left:.2f}%;width:{100 * width:.2f}%"></i>'
        "</span></button></li>"
    )


def _axis(low: float, high: float) -> str:
    """Return ticks above the bars, with lines down through them; that at 0 is the heaviest."""
    step = 10 ** floor(log10((high - low) / _TICKS))
    step *= next(times for times in (1, 2, 5, 10) if (high - low) / (times * step) <= _TICKS)
    places = max(0, -floor(log10(step) + 1e-9))
    ticks = [step * number for number in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]
    marks = [
        f'<span{"" if round(tick / step) else " class=zero"} style="left:{100 * (tick - low) / (high - low):.2f}%">'
        f"{points_text(tick, places, signed=True) if round(tick / step) else 0}</span>"
        for tick in ticks
    ]
    return f'<div class="axis" aria-hidden="true"><span></span><div>{"".join(marks)}</div></div>'


def _told(contributions: Contributions, order: Index) -> str:
    """Return what the strongest make of the whole, and how many contribute anything."""
    n, unit = len(contributions.values), contributions.unit
    whole = "score" if contributions.second is None else "difference"
    rest = n - len(order)
    told = f"{number_of(len(order), unit, ',')} of {n:,} contribute{'s' if len(order) == 1 else ''} to it."
    told = told if rest else f"All {number_of(n, unit, ',')} contribute."
    if not contributions.difference or len(order) <= _FULL:
        return told
    if len(order) > _ROWS:
        half = contributions.half
        return f"The first {half:,} make half of the {whole}. {told}" if half > 1 else told
    share = contributions.values[order[:_FULL]].sum() / contributions.difference
    return f"The first {_FULL} make {share:.0%} of the {whole}. {told}"
