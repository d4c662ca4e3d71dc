"""Segments on the page: which are shown in what order, what is done with one of them, and files of several.

The list of contributions beside the cards: a bar for each segment, strongest first; of many, for groups of ranks.

It is HTML, whose bars are buttons: they follow the theme, and are reached and pressed by keyboard.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from math import ceil, floor, inf, isnan, log10
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from mtsig import Corpus
from mtsig._probability import points_text
from mtsig._records import Index
from mtsig._writing import in_html, short_names, shorts, visible
from mtsig.corpus._notes import number_of
from mtsig.metrics import Metric, Rated, Statistics
from mtsig.metrics._metric import sign_of
from mtsig.report import Column, Table, csv_table
from mtsig.segments import Contributions
from mtsig.segments._cards import LAYOUTS, MODES, Mode, card, deck, legend, page
from mtsig.segments._matches import has_matches
from mtsig.segments._overview import Wanted, chosen, disagreement, is_expression, length_thirds, sorts_of
from mtsig_dashboard import compute, session
from mtsig_dashboard.memory import asked_at_once, asked_here
from mtsig_dashboard.parts import forms
from mtsig_dashboard.parts.show import plain
from mtsig_dashboard.state import LONGEST_NOTE

# Documents that a box can offer; of more, the search finds them.
_MOST_NAMES = 2000

# Keys: the place among the cards that keys act on, the page of cards, the order, and the buckets.
AT, PAGE, SORT, BUCKET = "at", "cards", "sort", "bucket"

# Keys: ranges of the contribution, and of the scores of the second system and the first, as the picture has them.
CONTRIBUTION, SCORES = "push", ("score_second", "score_first")
_EVERYTHING = (-inf, inf)

# Keys: the text that is looked for, and what else takes segments away.
SEARCH, DOCUMENT, _SIDE, _LENGTH, _STARRED = "look_for", "document", "side", "length", "starred"
_COLUMNS = {DOCUMENT: "Document", "domain": "Domain", "origlang": "Original language"}

_ALL = "all"

_ORDERS = {
    "contribution": "Favours first most",
    "against": "Favours second most",
    "absolute": "Largest, either way",
    "length": "Longest",
    "number": "As in the data",
}

_ORDERS_ALONE = {
    "contribution": "Largest contribution",
    "against": "Smallest contribution",
    "length": "Longest",
    "number": "As in the data",
}

_MODES = {"matches": "Matches", "diff": "Differences", "plain": "Plain"}

_SIDES = {_ALL: "All", "first": "The first system", "second": "The second system", "neither": "Neither"}

ALONE = "alone"
"""The key of whether one system is looked at without the other."""

_SEARCHED = (
    "The search covers source, references and outputs, and ignores case. Text between two slashes, as in /[0-9]+/, "
    "is a regular expression; #3 finds segment number 3."
)
_SEARCHED_NUMBERS = "#3 finds segment number 3. The data have only scores, so there is no text to search."

KEYS = {AT, PAGE, SORT, BUCKET, CONTRIBUTION, *SCORES, SEARCH, *_COLUMNS, _SIDE, _LENGTH, _STARRED}
"""All keys: what was chosen goes with the data."""

Positions = NDArray[np.int64]
Mask = NDArray[np.bool_]


def has_texts(corpus: Corpus) -> bool:
    """Return whether there is any text, and not scores alone."""
    return bool(corpus.outputs or corpus.references or corpus.segments.sources)


def filters(corpus: Corpus, contributions: Contributions) -> tuple[dict[str, Any], Any]:
    """Draw what chooses segments: the text that is looked for, and all else behind a button.

    Returns which segments are wanted, as `Wanted` takes it, and the place among the filters for buckets.
    """
    is_alone, texts = contributions.second is None, has_texts(corpus)
    wanted: dict[str, Any] = {
        "search": st.text_input(
            "Look for", **forms.bound(SEARCH), type="search", on_change=from_the_start, width=116,
            placeholder="any text" if texts else "#3", label_visibility="collapsed",
        ) or ""
    }  # fmt: skip
    with st.popover("Filters"):
        st.caption(_SEARCHED if texts else _SEARCHED_NUMBERS)
        if texts:
            st.segmented_control(
                "Marks", list(MODES), format_func=lambda mode: _MODES[mode], default="matches", required=True,
                **forms.bound(MARKS),
            )  # fmt: skip
        if texts and not is_alone:
            st.segmented_control(
                "Outputs", list(LAYOUTS), format_func=lambda name: LAYOUTS[name], default="stacked", required=True,
                **forms.bound(LAYOUT),
            )  # fmt: skip
        st.toggle(
            plain(f"Only {contributions.first}"), **forms.bound(ALONE), on_change=of_others,
            help="Show how each segment contributes to the score of this system alone",
        )  # fmt: skip
        starred = session.current().selection.starred(corpus.digest)
        if st.toggle(f"Starred only ({len(starred)})", **forms.bound(_STARRED), on_change=from_the_start):
            wanted["only"] = frozenset(starred)
        _filters(wanted, corpus, is_alone)
        wanted |= _ranges(contributions)
        return wanted, st.container()


def order(corpus: Corpus, contributions: Contributions) -> None:
    """Ask for the order of the cards."""
    metric, words = contributions.metric, _ORDERS_ALONE if contributions.second is None else _ORDERS
    orders = {name: words[name] for name in sorts_of(corpus) if name in words}
    orders |= {order: f"{metric.name} against {name}" for order, (name, _) in _against(corpus, metric).items()}
    session.drop_stale(SORT, orders)
    st.selectbox(
        "Order", list(orders), format_func=lambda name: visible(orders[name]), **forms.bound(SORT),
        on_change=from_the_start, width=170, label_visibility="collapsed",
    )  # fmt: skip


def of_others() -> None:
    """Start anew with other systems; the order stays what it is, and is said again: its words are others by then."""
    from_the_start()
    if session.choice(SORT) is not None:
        session.choose(SORT, session.choice(SORT))


def _against(corpus: Corpus, metric: Metric) -> dict[str, tuple[str, Metric]]:
    """Return the orders by what another metric says otherwise, each with this one's name and itself."""
    return {f"against {name}": (name, other) for name, other in _others(corpus, metric).items()}


def _others(corpus: Corpus, metric: Metric) -> dict[str, Metric]:
    """Return the other metrics that are chosen, and the ratings, by name."""
    many = [*session.current().selection.choices.metrics, *(Rated(name).on(corpus) for name in corpus.ratings)]
    return {
        f"rating {other.name}" if isinstance(other, Rated) else other.name: other for other in many if other != metric
    }


def _filters(wanted: dict[str, Any], corpus: Corpus, is_alone: bool) -> None:
    """Ask which segments are wanted, and write it into `wanted`."""
    for key, names in _names(corpus).items():
        session.drop_stale(key, names)
        name = st.selectbox(_COLUMNS[key], names, **forms.bound(key), on_change=from_the_start, format_func=visible)
        wanted[key] = None if name == names[0] else name
    if not is_alone:
        side = st.selectbox(
            "In favour of", list(_SIDES), format_func=lambda name: _SIDES[name], **forms.bound(_SIDE),
            on_change=from_the_start,
        )  # fmt: skip
        wanted["side"] = None if side == _ALL else side
    thirds = asked_here(length_thirds, corpus)
    if thirds:
        length = st.selectbox("Length", [_ALL, *thirds], **forms.bound(_LENGTH), on_change=from_the_start)
        wanted["lengths"] = thirds.get(length)


def _names(corpus: Corpus) -> dict[str, list[str]]:
    """Return what the boxes of documents, domains and original languages offer, the first for all."""
    own = corpus.segments
    columns = zip(_COLUMNS, (corpus.documents, own.domains, own.original_languages), strict=True)
    names = {key: list(dict.fromkeys(column)) for key, column in columns if column is not None}
    return {
        key: [_ALL if _ALL not in offered else f"({_ALL})", *offered]
        for key, offered in names.items()
        if 1 < len(offered) <= _MOST_NAMES
    }


def _ranges(contributions: Contributions) -> dict[str, Any]:
    """Ask for ranges in words, where a brush over a picture writes them, too; return them as `Wanted` takes them."""
    systems = [contributions.first] if contributions.second is None else [contributions.second, contributions.first]
    scores = SCORES[-len(systems) :]
    labels = {
        CONTRIBUTION: "Contribution",
        **{key: f"Score of {name}" for key, name in zip(scores, systems, strict=True)},
    }
    ends: dict[str, tuple[float, float]] = {}
    problems = []
    for key, label in labels.items():
        text = st.text_input(
            plain(f"{label}: lowest and highest"), **forms.bound(key), on_change=from_the_start,
            placeholder="such as 0.1 to 2.5",
        )  # fmt: skip
        try:
            ends[key] = _ends_of(text or "")
        except ValueError:
            problems.append(f"{label}: expected two numbers, as in 0.1 to 2.5; found {(text or '')[:200]!r}.")
    for problem in problems:
        st.error(plain(problem))
    return {"push": ends.get(CONTRIBUTION), "scores": tuple(ends.get(key, _EVERYTHING) for key in scores)}


def _ends_of(text: str) -> tuple[float, float]:
    """Return the two ends that a text names, the smaller first."""
    if not text.strip():
        return _EVERYTHING
    low, to, high = text.replace("\u2212", "-").split()
    ends = float(low), float(high)
    if to != "to" or isnan(sum(ends)):
        raise ValueError
    return min(ends), max(ends)


def positions(corpus: Corpus, contributions: Contributions, wanted: Wanted, masks: Mapping[str, Mask]) -> Positions:
    """Return the places of the segments that are wanted, in their order."""
    sort, keys = str(session.choice(SORT)), {}
    against = _against(corpus, contributions.metric)
    if sort in against:
        _, other = against[sort]
        rival = compute.contributed(compute.measured(corpus, other), contributions.first, contributions.second)
        keys[sort] = np.nan_to_num(disagreement(contributions, rival), nan=-1.0)
    if is_expression(wanted.search):
        found = compute.described(corpus, contributions.first, contributions.second, wanted.search)
        wanted = replace(wanted, search="", only=found if wanted.only is None else found & wanted.only)
    return chosen(corpus, contributions, wanted, sort, masks, keys)


def take(key: str, value: object) -> None:
    """Take the segments that a key's value asks for, or their order; a contribution's ends have all their digits."""
    session.choose(key, value)
    from_the_start()


def take_drawn(ranges: Mapping[str, tuple[float, float]]) -> None:
    """Take the segments in ranges that were drawn over a picture."""
    for key, ends in ranges.items():
        take(key, "{:.4g} to {:.4g}".format(*ends))


def take_numbers(numbers: Iterable[int]) -> None:
    """Take the segments of these numbers in the data."""
    take(SEARCH, " ".join(f"#{number}" for number in numbers))


def let_ranges_go() -> None:
    """Let the ranges go."""
    for key in (CONTRIBUTION, *SCORES):
        take(key, "")


def let_all_go(corpus: Corpus) -> None:
    """Let every filter go but the text that is looked for."""
    for key, names in _names(corpus).items():
        session.choose(key, names[0])
    for key, nothing in ((_SIDE, _ALL), (_LENGTH, _ALL), (_STARRED, False), (BUCKET, [])):
        session.choose(key, nothing)
    let_ranges_go()


def from_the_start() -> None:
    """Go back to the first card: others are shown now."""
    session.choose(AT, 0)
    session.choose(PAGE, 1)
    close()


MARKS, LAYOUT = "marks", "layout"
"""Keys: what is marked in the texts, and how two outputs stand."""

_OPENED = "opened"
"""The name in the address of the card below which more is shown, as in 12.neighbours."""

_NEIGHBOURING, _SYSTEMS = "neighbours", "systems"
"""What may be shown there."""

_MOST_IN_A_FILE = 200
_NEIGHBOURS = 2


def _note(digest: str, number: int, key: str) -> None:
    session.current().note(digest, number, str(session.choice(key) or ""))


def show_card(
    corpus: Corpus, statistics: Statistics, contributions: Contributions, position: int, is_current: bool
) -> None:
    """Show one segment, with what can be done with it."""
    number = int(contributions.numbers[position])
    selection = session.current().selection
    starred = selection.starred(corpus.digest)
    opened = forms.said(_OPENED)
    with st.container(gap="xsmall", key=f"card-{number}{'-current' if is_current else ''}"):
        shown = _carded(corpus, contributions, position, _mode(), _layout())
        called = short_names(list(corpus.systems))
        pair = called[contributions.first], contributions.second and called[contributions.second]
        has_marks = _mode() != "matches" or has_matches(contributions.metric)
        meanings = legend(_mode(), *pair) if is_current and has_marks else ""
        st.html(deck([shown, meanings]))
        with st.container(horizontal=True, vertical_alignment="center"):
            has_star = number in starred
            st.button(
                "★ Starred" if has_star else "☆ Star", key=f"star-{number}", on_click=session.current().star,
                args=(corpus.digest, number), type="tertiary",
            )  # fmt: skip
            for kind, label in ((_NEIGHBOURING, "Neighbours"), (_SYSTEMS, "All outputs")):
                st.button(
                    label, key=f"{kind}-{number}", type="tertiary", on_click=_open,
                    args=(_named(corpus, number, kind),),
                    help=None if kind == _SYSTEMS else "Show the segments before and after it in the same document",
                )  # fmt: skip
        if has_star:
            key = f"note-{corpus.digest}-{number}"
            st.text_input(
                "Note", starred[number], key=key, placeholder="Your note on this segment", on_change=_note,
                args=(corpus.digest, number, key), max_chars=LONGEST_NOTE,
            )  # fmt: skip
        if opened == _named(corpus, number, _NEIGHBOURING):
            _neighbours(corpus, contributions, position)
        elif opened == _named(corpus, number, _SYSTEMS):
            st.html(deck([_every_output(corpus, statistics, contributions, number)]))


def _every_output(corpus: Corpus, statistics: Statistics, contributions: Contributions, number: int) -> str:
    """Return all outputs of a segment: those compared in their colours, then the others by their score."""
    pair = contributions.systems
    scores = _scored_at(statistics, number)
    systems = list(dict.fromkeys([*pair, *scores, *corpus.systems]))
    of_each = [scores.get(name, float("nan")) for name in systems]
    return card(
        corpus, number, systems, metric=contributions.metric, scores=of_each, compared=len(pair), outputs_only=True
    )


def _named(corpus: Corpus, number: int, kind: str) -> str:
    """Return how the address says that a card is open."""
    return f"{corpus.numbers[number]}.{kind}"


def _open(what: str) -> None:
    """Open a card, or close it when it is open."""
    forms.say(_OPENED, "" if forms.said(_OPENED) == what else what)


def close() -> None:
    """Close the card that is open."""
    forms.say(_OPENED, "")


def _neighbours(corpus: Corpus, contributions: Contributions, position: int) -> None:
    """Show the segments around one, of the same document."""
    number, documents = int(contributions.numbers[position]), corpus.documents
    pair = contributions.systems
    around = range(max(0, number - _NEIGHBOURS), min(len(corpus), number + _NEIGHBOURS + 1))
    near = [other for other in around if documents is None or documents[other] == documents[number]]
    st.html(
        deck(
            [card(corpus, other, pair, metric=contributions.metric, mode="plain") for other in near if other != number]
        )
    )
    if len(near) == 1:
        st.caption("The document has no other segment nearby.")


def offer_files(corpus: Corpus, contributions: Contributions, positions: Positions) -> None:
    """Offer the segments as files: for a colleague, and what was starred."""
    with st.container(horizontal=True):
        st.download_button(
            "These segments (.html)",
            partial(_file, corpus, contributions, positions[:_MOST_IN_A_FILE], _mode(), _layout()), "segments.html",
            "text/html", on_click="ignore",
            help=f"The first {_MOST_IN_A_FILE} segments, in a file that any browser opens.",
        )  # fmt: skip
        starred = session.current().selection.starred(corpus.digest)
        if starred:
            st.download_button(
                "Stars and notes (.csv)", partial(stars_csv, corpus, contributions, starred), "stars.csv", "text/csv",
                on_click="ignore",
            )  # fmt: skip


def _file(corpus: Corpus, contributions: Contributions, positions: Positions, mode: Mode, layout: str) -> str:
    cards = [_carded(corpus, contributions, position, mode, layout) for position in positions.tolist()]
    about = f"{len(positions):,} of {len(contributions.numbers):,} segments."
    return page(cards, contributions.headline, [about], mode=mode)


def _mode() -> Mode:
    """Return what is marked in the texts."""
    mode: Mode = session.choice(MARKS) or "matches"
    return mode


def _layout() -> str:
    """Return how two outputs stand."""
    return str(session.choice(LAYOUT) or "stacked")


def stars_csv(corpus: Corpus, contributions: Contributions, starred: Mapping[int, str]) -> str:
    """Return the starred segments with their notes as CSV."""
    values = dict(zip(contributions.numbers.tolist(), contributions.values.tolist(), strict=True))
    numbers = sorted(starred)
    return csv_table(
        Table.of(
            "",
            (Column("segment", "count"), [corpus.numbers[number] for number in numbers]),
            *([(Column("document"), [corpus.documents[number] for number in numbers])] if corpus.documents else []),
            (Column("contribution", "difference", 6), [values.get(number, float("nan")) for number in numbers]),
            (Column("note"), [starred[number] for number in numbers]),
        )
    )


def _carded(corpus: Corpus, contributions: Contributions, position: int, mode: Mode, layout: str) -> str:
    """Return the card of a segment, by its position among the contributions; most clicks show the same ones again."""
    segment = int(contributions.numbers[position])
    pair = contributions.systems
    value, scores = float(contributions.values[position]), contributions.scores[:, position].tolist()
    told = {"contribution": value, "scores": scores, "layout": layout}
    return asked_at_once(card, corpus, segment, pair, metric=contributions.metric, mode=mode, **told)


def _scored_at(statistics: Statistics, segment: int) -> dict[str, float]:
    """Return the scores of one segment, by its number in the corpus, best first; NaN, and last, where there is none."""
    by_segment = statistics.at("segment")
    numbers = np.arange(by_segment.n) if by_segment.numbers is None else by_segment.numbers
    scores = by_segment.segment_scores[:, int(np.flatnonzero(numbers == segment)[0])]
    best_first = np.argsort(-sign_of(statistics.metric) * scores, kind="stable")
    return {by_segment.systems[i]: float(scores[i]) for i in best_first}


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
        f'{_sides(contributions, low, high)}<div class="contributors">{_axis(low, high)}<ol>{"".join(bars)}</ol></div>'
        f"<p>{in_html(_told(contributions, order))}</p>"
    )


def _sides(contributions: Contributions, low: float, high: float) -> str:
    """Return whom the bars on a side of 0 favour; low, high: the ends of the longest ones."""
    if contributions.second is None or not contributions.metric.is_quality_metric:
        return ""
    of_first, of_second = shorts([contributions.first, contributions.second])
    kinds = (("second", f"← {of_second}" if low < 0 else ""), ("first", f"{of_first} →" if high > 0 else ""))
    return f'<div class="sides">{"".join(f"<b class={kind}>{in_html(text)}</b>" for kind, text in kinds)}</div>'


def title(contributions: Contributions) -> str:
    """Return what the bars are: of many segments, each is the mean of a group."""
    if np.count_nonzero(contributions.values) > _ROWS:
        return f"Mean contribution of {contributions.unit}s, in groups by rank"
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
    told = f"{number_of(len(order), unit, ',')} of {n:,} contribute{'s' if len(order) == 1 else ''} to the {whole}"
    told = told if rest else f"All {number_of(n, unit, ',')} contribute to the {whole}"
    against = int((contributions.values * contributions.difference < 0).sum())
    told += f": {len(order) - against:,} add to it, and {against:,} reduce it." if against else "."
    if not contributions.difference or contributions.cancels or len(order) <= _FULL:
        return told
    if len(order) > _ROWS:
        half = contributions.half
        return f"The first {half:,} make half of the {whole}. {told}" if half > 1 else told
    share = contributions.values[order[:_FULL]].sum() / contributions.difference
    return f"The first {_FULL} make {share:.0%} of the {whole}. {told}"
