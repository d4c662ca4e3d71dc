"""The league table: systems × metrics as HTML, a small interval in every cell, rails where nothing separates systems.

Streamlit's tables draw no intervals. Whatever came with the data is escaped, and classes have fixed names.
"""

import re
from collections.abc import Sequence

import numpy as np

from mtsig.corpus import is_human
from mtsig.inference import Intervals, Ranks, Score, level_text, points_text
from mtsig.report import in_html

_ROOMY = 3
"""Metrics that have room beside each other; of more, intervals stand below the scores."""

_LANE = 7
"""Pixels from one rail to the next."""


def league(
    scored: Sequence[Intervals], by: int, groups: Sequence[Sequence[str]], places: Ranks | None, caption: str
) -> str:
    """Return the table: systems in the order of metric number `by`, which the groups and the places are of."""
    order = ordered(scored, by)
    lanes = _lanes(groups, order)
    width = (1 + max(lanes)) * _LANE + 6 if lanes else 0
    ranges = _ranges(places)
    # A table that has no room makes what is only drawn as narrow as nothing: the room is said as padding.
    room = f"padding: 0 0 0 {width}px"
    head = [f'<th scope="col" style="{room}"><span class="aloud">Group</span></th>'] if lanes else []
    head.append('<th scope="col">System</th>')
    for number, intervals in enumerate(scored):
        direction = "descending" if intervals.higher_is_better else "ascending"
        sort = f' aria-sort="{direction}"' if number == by else ""
        arrow = "" if intervals.higher_is_better else " ↓"
        told = f"{in_html(intervals.metric)}{arrow}, {level_text(intervals.level)} interval"
        head.append(f'<th scope="col"{sort}>{told}</th>')
    if ranges:
        of_metric = f" by {in_html(scored[by].metric)}" if len(scored) > 1 else ""
        head.append(f'<th scope="col">Places{of_metric}</th>')
    cells = [_metric_cells(item) for item in scored]
    apart = {score.system: score.apart for item in scored for score in item if score.apart}
    rows = []
    for name in order:
        row = [_rails(name, groups, lanes)] if lanes else []
        # A long name goes on in the next line where it has a joint, not within a number.
        name_html = re.sub("[-_./]", r"\g<0><wbr>", in_html(name))
        row.append(f'<th scope="row">{name_html}{_mark(name, apart.get(name, ""))}</th>')
        row += [cell.get(name, '<td><span class="aloud">not scored</span></td>') for cell in cells]
        if ranges:
            row.append(f"<td>{ranges.get(name, '')}</td>")
        rows.append(f"<tr>{''.join(row)}</tr>")
    kind = "league many" if len(scored) > _ROOMY else "league"
    return (
        f'<div class="{kind}" role="region" aria-label="Scores of all systems" tabindex="0"><table>'
        f"<thead><tr>{''.join(head)}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        f"{f'<p>{in_html(caption)}</p>' if caption else ''}"
    )


def ordered(scored: Sequence[Intervals], by: int) -> list[str]:
    """Return the systems by one metric, then those that it does not score, by the others."""
    several = [scored[by], *(intervals for number, intervals in enumerate(scored) if number != by)]
    return list(dict.fromkeys(result.systems[i] for result in several for i in result.order()))


def _mark(name: str, apart: str) -> str:
    if is_human(name):
        return ' <span class="human">human</span>'
    return f' <span class="human" title="{in_html(apart)}">set apart</span>' if apart else ""


def _ranges(places: Ranks | None) -> dict[str, str]:
    if places is None:
        return {}
    return {
        place.system: str(place.rank_low)
        if place.rank_low == place.rank_high
        else f"{place.rank_low}–{place.rank_high}"
        for place in places
    }


def _lanes(groups: Sequence[Sequence[str]], order: Sequence[str]) -> list[int]:
    """Return for each group how far to the right its rail stands: no two rails of one lane touch."""
    ends: list[int] = []
    lanes = []
    for group in groups:
        first, last = order.index(group[0]), order.index(group[-1])
        lane = next((number for number, end in enumerate(ends) if end < first), len(ends))
        ends[lane:] = [last, *ends[lane + 1 :]]
        lanes.append(lane)
    return lanes


def _rails(name: str, groups: Sequence[Sequence[str]], lanes: Sequence[int]) -> str:
    rails, numbers = [], []
    for number, (group, lane) in enumerate(zip(groups, lanes, strict=True), 1):
        if name in group:
            ends = f"{' begins' if name == group[0] else ''}{' ends' if name == group[-1] else ''}"
            rails.append(f'<span class="rail{ends}" style="left: {lane * _LANE}px"></span>')
            numbers.append(str(number))
    return f'<td class="rails"><span class="aloud">{", ".join(numbers)}</span>{"".join(rails)}</td>'


def _metric_cells(scored: Intervals) -> dict[str, str]:
    """Return the cell of every system, the pictures of one metric on one scale."""
    low, high = float(np.nanmin([*scored.ci_low, *scored.score])), float(np.nanmax([*scored.ci_high, *scored.score]))
    return {score.system: _cell(score, scored, low, (high - low) or 1.0) for score in scored}


def _cell(score: Score, scored: Intervals, least: float, range_of_all: float) -> str:
    text = points_text(score.score, scored.decimals)
    if np.isnan(score.ci_low):
        return f'<td><span class="score">{text}</span></td>'
    ends = f"{points_text(score.ci_low, scored.decimals)} to {points_text(score.ci_high, scored.decimals)}"
    low, at, high = (
        round(100 * (value - least) / range_of_all, 1) for value in (score.ci_low, score.score, score.ci_high)
    )
    return (
        f'<td title="{ends}"><span class="score">{text}</span>'
        f'<span class="interval" aria-hidden="true"><span class="reach" style="left: {low}%; right: {100 - high:.1f}%">'
        f'</span><span class="estimate" style="left: {at}%"></span></span>'
        f'<span class="aloud"> ({ends})</span></td>'
    )
