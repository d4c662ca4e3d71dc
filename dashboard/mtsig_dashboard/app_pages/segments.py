"""Segments: what the difference of two systems consists of, to be read segment by segment."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import inf, isnan
from typing import Any, cast

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from mtsig import Corpus, Settings
from mtsig.corpus import number_of
from mtsig.figures import ContributionBars, LeverageCurve, ScoresApart
from mtsig.metrics import Metric, Rated, Statistics
from mtsig.report import Column, Table, again_text, frame_of, word_tables
from mtsig.segments import (
    BUCKETS,
    LAYOUTS,
    MODES,
    BucketShare,
    Contributions,
    Wanted,
    bucket_table,
    buckets_explained,
    chosen,
    disagreement,
    no_verdict,
    sorts_of,
    style,
)
from mtsig_dashboard import address, cards, compute, compute_segments, pairs, session, show
from mtsig_dashboard.markdown import plain

_ON_A_PAGE = 10
# Documents that a box can offer; of more, the search finds them.
_MOST_NAMES = 2000

# Keys: the place among the cards that keys act on, the page of cards, the order, and the buckets.
_AT, _PAGE, _SORT, _BUCKET = "at", "cards", "sort", "bucket"

# Keys: ranges of the contribution, and of the scores of the second system and the first, as the picture has them.
_PUSH, _SCORES = "push", ("score_second", "score_first")
_EVERYTHING = (-inf, inf)

_ALL = "all"

_ORDERS = {
    "contribution": "For the first system",
    "against": "For the second system",
    "absolute": "Strongest, either way",
    "length": "Longest",
    "number": "As in the data",
}

_ORDERS_ALONE = {
    "contribution": "Adds most",
    "against": "Adds least",
    "length": "Longest",
    "number": "As in the data",
}

_MODES = {"matches": "Matches", "diff": "Differences", "plain": "Plain"}

_SIDES = {_ALL: "All", "first": "For the first", "second": "For the second", "neither": "For neither"}

Positions = NDArray[np.int64]
Mask = NDArray[np.bool_]


def page() -> None:
    """Draw the page."""
    corpus, choices, statistics, first, second = pairs.compared("Segments")
    st.html(f"<style>{style()}</style>")
    is_alone = st.toggle(
        plain(f"Only {first}"), **address.bound("alone"), on_change=_from_the_start,
        help="What the score of this system consists of, without the other one",
    )  # fmt: skip
    contributions = compute_segments.contributed(statistics, first, None if is_alone else second)
    st.header(plain(cards.heading(contributions)), anchor=False)
    if contributions.note:
        st.caption(plain(contributions.note))
    if corpus.segments.numbers is not None:
        st.caption("All numbers below are of this part; segments keep the numbers that they have in the whole.")
    _explorer(corpus, statistics, contributions, choices.settings)
    there = {"first": first, "second": second}
    st.page_link(session.COMPARE, label="The verdict on these two", icon=":material/arrow_forward:", query_params=there)


@st.fragment
def _explorer(corpus: Corpus, statistics: Statistics, contributions: Contributions, settings: Settings) -> None:
    """Let the visitor choose segments, and show them; another choice draws nothing else anew."""
    with show.part():
        said = st.container()
        _bar(corpus, contributions.metric, contributions.second is None)
        wanted = _filters(corpus, contributions)
        # On a narrow screen what stands right comes below: the cards first.
        read, looked_at = st.columns([9, 5], gap="medium")
        with looked_at:
            pushed, buckets, pictures = st.container(), st.container(), st.container()
        # The texts are looked through for seconds: unless a bucket is asked for, the cards do not wait for it.
        asked = bool(session.choice(_BUCKET)) or _BUCKET in st.query_params
        masks = _buckets(buckets, corpus, contributions, wanted) if asked else {}
        if contributions.second is not None:
            with pushed, show.part():
                _leverage(said, corpus, statistics, settings, contributions)
        with read, show.part():
            positions = _positions(corpus, contributions, Wanted(**wanted), masks)
            segments, words = st.tabs(["Cards", "Words"], on_change="rerun", **address.bound("segments_tab"))
            if segments.open:
                with segments, show.part():
                    _shown(corpus, contributions, positions)
            if words.open:
                with words, show.part():
                    _words(corpus, contributions, settings)
            with pictures, show.part():
                _pictures(contributions, positions)
        if not asked:
            _buckets(buckets, corpus, contributions, wanted)


# --- which segments -----------------------------------------------------------------------------------------------


def _bar(corpus: Corpus, metric: Metric, is_alone: bool) -> None:
    """Ask for order, a text to look for, and marks."""
    order, text = st.columns(2, vertical_alignment="bottom")
    words = _ORDERS_ALONE if is_alone else _ORDERS
    orders = {name: words[name] for name in sorts_of(corpus) if name in words}
    orders |= {f"against {name}": f"{metric.name} against {name}" for name in _others(corpus, metric)}
    session.drop_stale(_SORT, orders)
    order.selectbox(
        "Order", list(orders), format_func=lambda name: plain(orders[name]), **address.bound(_SORT),
        on_change=_from_the_start,
    )  # fmt: skip
    text.text_input(
        "Look for", **address.bound("look_for"), type="search", on_change=_from_the_start,
        placeholder="in source, reference, outputs",
        help="In upper or lower case. Between two slashes, as in /[0-9]+/, a regular expression.",
    )  # fmt: skip
    looks = st.container(horizontal=True, vertical_alignment="bottom")
    looks.segmented_control(
        "Marks", list(MODES), format_func=lambda mode: _MODES[mode], default="matches", required=True,
        **address.bound(cards.MARKS),
    )  # fmt: skip
    if not is_alone:
        looks.segmented_control(
            "Outputs", list(LAYOUTS), format_func=lambda name: LAYOUTS[name], default="stacked", required=True,
            **address.bound(cards.LAYOUT),
        )  # fmt: skip


def _others(corpus: Corpus, metric: Metric) -> dict[str, Metric]:
    """Return the other metrics that are chosen, and the ratings, by name."""
    many = [*session.current().selection.choices.metrics, *(Rated(name).on(corpus) for name in corpus.ratings)]
    return {
        f"rating {other.name}" if isinstance(other, Rated) else other.name: other for other in many if other != metric
    }


def _filters(corpus: Corpus, contributions: Contributions) -> dict[str, Any]:
    """Ask which segments are wanted, and return it as `Wanted` takes it."""
    wanted: dict[str, Any] = {"search": session.choice("look_for") or ""}
    is_pair = contributions.second is not None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for key, label, column in (
            ("document", "Document", corpus.documents),
            ("domain", "Domain", corpus.segments.domains),
            ("origlang", "Original language", corpus.segments.original_languages),
        ):
            names = [] if column is None else list(dict.fromkeys(column))
            if 1 < len(names) <= _MOST_NAMES:
                every = _ALL if _ALL not in names else f"({_ALL})"
                session.drop_stale(key, [every, *names])
                name = st.selectbox(
                    label, [every, *names], **address.bound(key), on_change=_from_the_start, width=220,
                    format_func=plain,
                )  # fmt: skip
                wanted[key] = None if name == every else name
        if is_pair:
            side = st.selectbox(
                "Pushes", list(_SIDES), format_func=lambda name: _SIDES[name], **address.bound("side"),
                on_change=_from_the_start, width=180,
            )  # fmt: skip
            wanted["side"] = None if side == _ALL else side
        thirds = compute_segments.length_thirds_of(corpus)
        if thirds:
            name = st.selectbox(
                "Length",
                [_ALL, *thirds],
                **address.bound("length"),
                on_change=_from_the_start,
                width=160,
            )
            wanted["lengths"] = thirds.get(name)
        starred = session.current().selection.starred(corpus.digest)
        if st.toggle(
            f"Starred only ({len(starred)})",
            **address.bound("starred"),
            on_change=_from_the_start,
        ):
            wanted["only"] = frozenset(starred)
        wanted |= _ranges(contributions)
    return wanted


def _ranges(contributions: Contributions) -> dict[str, Any]:
    """Ask for ranges in words, where a brush over a picture writes them, too; return them as `Wanted` takes them."""
    systems = [contributions.first] if contributions.second is None else [contributions.second, contributions.first]
    scores = _SCORES[-len(systems) :]
    labels = {_PUSH: "Push", **{key: f"Score of {name}" for key, name in zip(scores, systems, strict=True)}}
    ends: dict[str, tuple[float, float]] = {}
    problems = []
    with st.popover("Ranges"):
        for key, label in labels.items():
            text = st.text_input(
                plain(f"{label}, from and to"), **address.bound(key), on_change=_from_the_start,
                placeholder="such as 0.1 to 2.5",
            )  # fmt: skip
            try:
                ends[key] = _ends_of(text or "")
            except ValueError:
                problems.append(f"{label}: two numbers are expected, as in 0.1 to 2.5; found {text!r}.")
    for problem in problems:
        st.error(plain(problem))
    return {"push": ends.get(_PUSH), "scores": tuple(ends.get(key, _EVERYTHING) for key in scores)}


def _ends_of(text: str) -> tuple[float, float]:
    """Return the two ends that a text names, the smaller first.

    Raises:
        ValueError: it does not name two numbers.
    """
    if not text.strip():
        return _EVERYTHING
    low, to, high = text.replace("\u2212", "-").split()
    ends = float(low), float(high)
    if to != "to" or isnan(sum(ends)):
        raise ValueError
    return min(ends), max(ends)


def _pictures(contributions: Contributions, positions: Positions) -> None:
    """Show how contributions and scores are spread, and where those lie that are looked at; a brush chooses others."""
    looked_at = None if len(positions) == len(contributions.numbers) else np.sort(positions)
    unit = contributions.unit
    st.markdown(f"**Push per {unit}**" if contributions.second else f"**What each {unit} adds**")
    bars = ContributionBars.of(contributions, looked_at)
    show.figure(
        bars, key="pushes", alt="Histogram of the segments' contributions", how_to_read="pushes",
        on_select=partial(_brush_pushes, bars.edges), selection_mode="box",
    )  # fmt: skip
    if contributions.second is not None:
        st.markdown(f"**{plain(contributions.first)} against {plain(contributions.second)}**")
        show.figure(
            ScoresApart.of(contributions, looked_at), key="scores-apart", how_to_read="scores-apart",
            alt="Scores of the segments, one system against the other",
            on_select=_brush_scores, selection_mode="box",
        )  # fmt: skip
    if any(session.choice(key) for key in (_PUSH, *_SCORES)):
        st.button("Let the ranges go", on_click=_let_go, help="Show segments whatever their push and scores")


def _brush_pushes(edges: Sequence[float]) -> None:
    """Write the range that was drawn over the histogram; its outermost bars hold all that is beyond them."""
    box = _box("figure-pushes")
    if box is not None:
        low, high = _ends(box["x"])
        ends = (low if low > edges[1] else -inf), (high if high < edges[-2] else inf)
        session.choose(_PUSH, _range_text(*ends))
        _from_the_start()


def _brush_scores() -> None:
    """Write the ranges that were drawn over the scores."""
    box = _box("figure-scores-apart")
    if box is not None:
        for name, axis in zip(_SCORES, ("x", "y"), strict=True):
            session.choose(name, _range_text(*_ends(box[axis])))
        _from_the_start()


def _range_text(low: float, high: float) -> str:
    return f"{low:.4g} to {high:.4g}"


def _let_go() -> None:
    for key in (_PUSH, *_SCORES):
        session.choose(key, "")
    _from_the_start()


def _box(key: str) -> Mapping[str, Any] | None:
    state = session.choice(key)
    boxes = state["selection"]["box"] if state else []
    return cast("Mapping[str, Any]", boxes[0]) if boxes else None


def _ends(values: Any) -> tuple[float, float]:
    return float(min(values)), float(max(values))


def _buckets(
    place: DeltaGenerator, corpus: Corpus, contributions: Contributions, wanted: dict[str, Any]
) -> Mapping[str, Mask]:
    """Ask for what may be the matter, with how much of the difference it makes; return which segments are in what."""
    pair = [name for name in (contributions.first, contributions.second) if name is not None]
    if any(len(corpus.systems[name]) != 1 for name in pair):
        return {}  # there is no text to look through, or several of one system
    with place, show.part():
        buckets = compute_segments.bucketed(corpus, contributions.first, contributions.second)
        rows = {
            row.name: row for row in bucket_table(buckets, contributions.values, contributions.numbers) if row.count
        }

        session.keep_only(_BUCKET, rows)
        chosen_ones = st.pills(
            "Buckets", list(rows), selection_mode="multi", format_func=lambda name: rows[name].title,
            **address.bound(_BUCKET), on_change=_from_the_start,
        )  # fmt: skip
        shares = _shares(list(rows.values()))
        # A table that breaks its lines: in this narrow column the last number of one that does not is out of sight.
        st.table(
            frame_of(shares)
            .set_index("Bucket")
            .style.format({column.title: column.text for column in shares.columns[1:]})
        )
        with st.popover("What these mean", type="tertiary"):
            st.markdown(buckets_explained())
            for name, why in buckets.left_out.items():
                st.text(f"{BUCKETS[name].title}: {why}")
        wanted["within"] = tuple(chosen_ones)
        return buckets
    return {}


def _shares(rows: Sequence[BucketShare]) -> Table:
    return Table.of(
        "",
        (Column("Bucket"), (row.title for row in rows)),
        (Column("Segments", "count"), (row.count for row in rows)),
        (Column("Of the gain", "share"), (row.share_of_difference for row in rows)),
    )


def _positions(corpus: Corpus, contributions: Contributions, wanted: Wanted, masks: Mapping[str, Mask]) -> Positions:
    """Return the places of the segments that are wanted, in their order."""
    sort, keys = str(session.choice(_SORT)), {}
    if sort.startswith("against "):
        other = _others(corpus, contributions.metric)[sort.removeprefix("against ")]
        rival = compute_segments.contributed(compute.measured(corpus, other), contributions.first, contributions.second)
        keys[sort] = np.nan_to_num(disagreement(contributions, rival), nan=-1.0)
    return chosen(corpus, contributions, wanted, sort, masks, keys)


def _from_the_start() -> None:
    """Go back to the first card: others are shown now."""
    session.choose(_AT, 0)
    session.choose(_PAGE, 1)
    cards.close()


# --- what they look like ------------------------------------------------------------------------------------------


def _leverage(
    said: DeltaGenerator, corpus: Corpus, statistics: Statistics, settings: Settings, contributions: Contributions
) -> None:
    """Show what is left of the difference without the units that push most."""
    first, second = contributions.first, contributions.second or ""
    family = show.family(corpus, contributions.metric, session.current().selection.choices)
    place = family.find(first, second)
    reason = "" if place is None else no_verdict(family[place])
    leverage, again, untested = compute_segments.leveraged(statistics, settings, first, second, reason)
    said.markdown(plain(leverage.sentence))
    st.markdown("**Leverage**")
    show.figure(
        LeverageCurve.of(leverage), key="leverage", how_to_read="leverage",
        alt=f"Difference without the {leverage.unit}s that push most, by how many are left out",
    )  # fmt: skip
    told = [leverage.caution, again_text(again, untested)]
    if corpus.documents is not None and leverage.unit == "document":
        names = contributions.document_names(corpus)
        told.append(f"Left out first: {', '.join(names[number] for number in leverage.numbers[:5])}.")
    st.caption(plain(" ".join(filter(None, told))))


def _words(corpus: Corpus, contributions: Contributions, settings: Settings) -> None:
    """Show on which words, lengths and n-grams the two differ."""
    first, second = contributions.first, contributions.second or ""
    word_view = compute_segments.worded(corpus, contributions.metric, settings, first, second)
    for shown in word_tables(word_view, first, second):
        st.markdown(f"**{plain(shown.title)}**")
        titles = {name: name if name in (first, second) else name.capitalize() for name in shown.names}
        show.table(shown.seen(titles), alt=shown.title)
        st.caption(plain(shown.caption))


def _shown(corpus: Corpus, contributions: Contributions, positions: Positions) -> None:
    """Show ten segments, and the way to the others."""
    count = len(positions)
    if count == 0:
        part = "" if corpus.segments.numbers is None else " in the part of the data that was chosen"
        st.info(f"No segment is like that{part}.")
        return
    pages = -(-count // _ON_A_PAGE)
    at = min(int(session.choice(_AT) or 0), count - 1)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{number_of(count, 'segment', ',')}** of {len(contributions.numbers):,}")
        _keys(corpus, contributions, positions, at)
    if pages > 1:
        if (session.choice(_PAGE) or 1) > pages:
            session.choose(_PAGE, pages)
        number = st.pagination(pages, **address.bound(_PAGE), on_change=_to_page)
    else:
        number = 1
    start = (number - 1) * _ON_A_PAGE
    for place in range(start, min(start + _ON_A_PAGE, count)):
        cards.show_card(corpus, contributions, int(positions[place]), place == at)
    cards.offer_files(corpus, contributions, positions)


def _to_page() -> None:
    session.choose(_AT, (int(session.choice(_PAGE) or 1) - 1) * _ON_A_PAGE)
    cards.close()


def _keys(corpus: Corpus, contributions: Contributions, positions: Positions, at: int) -> None:
    """Offer what a reader does with a key, as buttons that have these keys."""
    number = int(contributions.numbers[positions[at]])
    st.button("Previous", shortcut="k", on_click=_go, args=(at - 1,), disabled=at == 0)
    st.button("Next", shortcut="j", on_click=_go, args=(at + 1,), disabled=at == len(positions) - 1)
    st.button("Star", shortcut="s", on_click=cards.star, args=(corpus.digest, number))
    st.button("Other marks", shortcut="d", on_click=_other_marks)


def _go(at: int) -> None:
    session.choose(_AT, at)
    session.choose(_PAGE, at // _ON_A_PAGE + 1)


def _other_marks() -> None:
    mode = session.choice(cards.MARKS) or MODES[0]
    session.choose(cards.MARKS, MODES[(MODES.index(mode) + 1) % len(MODES)])


show.guarded(page)
