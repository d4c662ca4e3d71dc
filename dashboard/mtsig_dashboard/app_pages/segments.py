"""Segments: what the difference of two systems consists of, to be read segment by segment."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any, cast

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mtsig import Corpus, Settings, verdict
from mtsig._probability import points_text, shown_decimals
from mtsig._say import say
from mtsig._writing import short_names
from mtsig.corpus._notes import capital_first, number_of
from mtsig.figures import ContributionBars, LeverageCurve, ScoresApart
from mtsig.inference import Comparison
from mtsig.metrics import Statistics
from mtsig.report import Column, Table
from mtsig.report._segments import again_text, word_tables
from mtsig.report._table import frame_of
from mtsig.segments import BUCKETS, Contributions, Leverage
from mtsig.segments import word_view as make_word_view
from mtsig.segments._buckets import BucketShare, bucket_table, buckets_explained
from mtsig.segments._cards import MODES, style
from mtsig.segments._overview import Wanted, in_favour, judged_at, no_verdict
from mtsig.segments._word_view import NgramRow
from mtsig_dashboard import compute, session
from mtsig_dashboard.memory import asked
from mtsig_dashboard.parts import cards, forms, frame, pictures, questions, show, strip
from mtsig_dashboard.parts.show import plain

_ON_A_PAGE = 10
# Segments that somebody reads who asks where a difference comes from.
_MOST_READ = 40
# Key of the tabs, and the first of them.
_TAB, _CARDS = "segments_tab", "Cards"
# Key of the list of contributions.
_LIST = "contributors"
# Keys of the folds below it.
LEVERAGE, APART, SPREAD = "leverage", "apart", "spread"

Actions = dict[str, Callable[[int, Any], None]]


def page() -> None:
    """Draw the page."""
    session.current().view.of_data |= cards.KEYS
    corpus, choices, statistics, first, second = questions.compared()
    st.html(f"<style>{style()}</style>")
    is_alone = _is_alone()
    contributions = compute.contributed(statistics, first, None if is_alone else second)
    called = short_names(list(corpus.systems))
    named = replace(contributions, first=called[first], second=None if is_alone else called[second])
    about = "" if is_alone else _half(named)
    frame.current().say(named.headline, about)
    if contributions.note:
        st.caption(plain(contributions.note))
    if corpus.segments.numbers is not None:
        st.caption("All results below are for this part; segments keep their numbers from the whole test set.")
    _explorer(corpus, statistics, contributions, choices.settings)
    if not is_alone:
        with show.part():
            pair = _compared(corpus, contributions)
            is_open = pair is not None and contributions.metric.is_quality_metric and not verdict(pair).winner
            title = named.headline_by(decided=not is_open and contributions.metric.is_quality_metric)
            brief = ""
            if pair is not None:
                seen = pair.changed(first=called[first], second=called[second])
                brief = say(seen, "brief")
                if is_open and not named.cancels:
                    about = f"{title}. {about}".strip()
                title = say(seen, "title") if is_open else title
            frame.current().say(title, about, brief)
            curve, _, _ = _leveraged(corpus, statistics, choices.settings, contributions)
            uses = "a sensitivity analysis; the verdict uses all data"
            turns = f"{curve.sentence[:-1]} ({uses})." if curve.turns else curve.sentence
            # A phone has what Compare two says of the pair.
            more = about if is_open and not curve.turns else turns
            frame.current().say(title, f"{brief} {more}".strip(), brief or turns)
    strip.source_line(corpus, statistics)
    _next(corpus, named, {"first": first, "second": second})


def _next(corpus: Corpus, contributions: Contributions, pair: Mapping[str, str]) -> None:
    """Lead on: to the segments that make half of the difference while all are shown, and from some to the verdict."""
    half, step, back = contributions.half, frame.current().step, "See the verdict on these two systems"
    if (
        not 0 < half <= _MOST_READ
        or contributions.cancels
        or contributions.unit != "segment"
        or session.choice(cards.SEARCH)
    ):
        show.onward(session.COMPARE, back, pair, step)
        return
    numbers = [corpus.numbers[int(contributions.numbers[at])] for at in contributions.strongest_first[:half]]
    label = "Show only the segment that makes half" if half == 1 else f"Show only the {half} segments that make half"
    step.button(label, type="primary", on_click=cards.take_numbers, args=(numbers,))
    with show.steps():
        show.onward(session.COMPARE, back, pair)


def _is_alone() -> bool:
    """Return whether one system is looked at without the other; the toggle itself is drawn later."""
    chosen = session.choice(cards.ALONE)
    return forms.said(cards.ALONE) == "true" if chosen is None else bool(chosen)


def _compared(corpus: Corpus, contributions: Contributions) -> Comparison | None:
    """Return the comparison of the pair; None where it is not among the comparisons."""
    family = compute.compared(corpus, contributions.metric, session.current().selection.choices)
    place = family.find(contributions.first, contributions.second or "")
    return None if place is None else family[place]


def _half(contributions: Contributions) -> str:
    """Return in how many segments half of the difference is, where the title does not say it; else what cancels out."""
    half, metric = contributions.half, contributions.metric
    is_whole = contributions.headline.startswith("The whole")
    if contributions.cancels and not is_whole:
        leader, other = contributions.ahead_first
        # Of large numbers and their small difference, fewer digits: rounded, they need not give it to the last one.
        decimals = shown_decimals(contributions.to_and_fro[1], metric.decimals - 1)
        gains, losses = (points_text(number, decimals) for number in contributions.to_and_fro)
        return f"Segments that favour {leader} add {gains} {metric.name}, those that favour {other} take away {losses}."
    said = f"{number_of(half, contributions.unit, ',')} {'makes' if half == 1 else 'make'} up half of the difference."
    return said if half and is_whole else ""


def _explorer(corpus: Corpus, statistics: Statistics, contributions: Contributions, settings: Settings) -> None:
    """Let the visitor choose segments, and show them."""
    with show.part():
        with frame.current().more:
            wanted, buckets = cards.filters(corpus, contributions)
        if any(map(session.choice, (cards.CONTRIBUTION, *cards.SCORES))):
            about = "Show segments with any contribution and any score"
            st.button("Remove the ranges", on_click=cards.let_ranges_go, help=about)
        # Side by side, or one below the other, as there is room: style.css.
        with st.container(key="explorer"), st.container(key="explorer-parts"):
            drawn, read = (st.container(key=f"explorer-{name}") for name in ("list", "cards"))
        # The texts are looked through for seconds: unless a bucket is asked for, the cards do not wait for it.
        asked = bool(session.choice(cards.BUCKET)) or cards.BUCKET in st.query_params
        masks = _buckets(buckets, corpus, contributions, wanted) if asked else {}
        actions: Actions = {}
        with read, show.part():
            with st.container(horizontal=True, vertical_alignment="center", gap="small", key="explorer-head"):
                seen = _seen(corpus)
                cards.order(corpus, contributions)
                head = st.container(horizontal=True, vertical_alignment="center", width="content")
            positions = cards.positions(corpus, contributions, Wanted(**wanted), masks)
            if seen == _CARDS:
                _shown(corpus, statistics, contributions, positions, head)
            else:
                _words(corpus, contributions, settings)
            with drawn, show.part():
                actions |= _ranked(corpus, contributions, positions)
                actions |= _closer(corpus, statistics, contributions, settings, positions)
        if not asked:
            _buckets(buckets, corpus, contributions, wanted)
        pictures.follow(actions)


def _ranked(corpus: Corpus, contributions: Contributions, positions: cards.Positions) -> Actions:
    """List the contributions, strongest first, and return what pressing a bar does: its card is read."""
    st.header(f"{cards.title(contributions)}, {plain(contributions.metric.name)}", anchor=False)
    at = min(int(session.choice(cards.AT) or 0), len(positions) - 1)
    current = int(positions[at]) if len(positions) else None
    with st.container(key=_LIST):
        st.html(cards.listed(corpus, contributions, current))

    def read(position: int, _: object) -> None:
        places = np.flatnonzero(positions == position)
        if len(places):
            _go(int(places[0]))
        elif 0 <= position < len(contributions.numbers):
            cards.take_numbers([corpus.numbers[int(contributions.numbers[position])]])

    return {_LIST: read}


def _closer(
    corpus: Corpus, statistics: Statistics, contributions: Contributions, settings: Settings, positions: cards.Positions
) -> Actions:
    """Offer what else can be seen of all segments together; a fold costs nothing until it is opened."""
    folds: dict[str, tuple[str, Callable[[], Actions]]] = {
        SPREAD: ("Distribution of the contributions", lambda: _spread(contributions, positions))
    }
    if contributions.second is not None:
        folds = {
            LEVERAGE: (
                "Difference without the most influential",
                lambda: _leverage(corpus, statistics, settings, contributions),
            ),
            APART: ("Scores of one system against the other", lambda: _apart(corpus, contributions, positions)),
            **folds,
        }
    actions: Actions = {}
    for key, (label, draw) in folds.items():
        with st.expander(label, key=key, on_change="rerun") as fold:
            if fold.open:
                with show.part():
                    actions |= draw()
    return actions


def _seen(corpus: Corpus) -> str:
    """Ask, where there are texts, whether segments are read or their words counted."""
    if not cards.has_texts(corpus):
        return _CARDS
    return st.segmented_control(
        "Show", [_CARDS, "Words"], default=_CARDS, required=True, label_visibility="collapsed", width="content",
        **forms.bound(_TAB),
    )  # fmt: skip


def _looked_at(contributions: Contributions, positions: cards.Positions) -> cards.Positions | None:
    return None if len(positions) == len(contributions.numbers) else np.sort(positions)


def _spread(contributions: Contributions, positions: cards.Positions) -> Actions:
    """Show how contributions are spread, and where those lie that are looked at; a brush chooses others."""
    bars = ContributionBars.of(contributions, _looked_at(contributions, positions))
    pictures.figure(
        bars, key="pushes", alt="Histogram of the segments' contributions",
        on_select=partial(_brush_contributions, bars.edges), selection_mode="box",
    )  # fmt: skip
    return {"figure-pushes": partial(_take_bar, bars.ends)}


def _apart(corpus: Corpus, contributions: Contributions, positions: cards.Positions) -> Actions:
    """Show the segments' scores, one system against the other; a brush chooses some of them."""
    pictures.figure(
        ScoresApart.of(contributions, _looked_at(contributions, positions), corpus.numbers), key="scores-apart",
        alt="Scores of the segments, one system against the other", on_select=_brush_scores, selection_mode="box",
    )  # fmt: skip
    return {"figure-scores-apart": _take_point}


def _take_bar(ends: Sequence[tuple[float, float] | None], bar: int, _: object) -> None:
    """Take the segments of a bar that was clicked."""
    inside = ends[bar] if 0 <= bar < len(ends) else None
    if inside is not None:
        cards.take(cards.CONTRIBUTION, "{!r} to {!r}".format(*inside))


def _take_point(_: int, number: object) -> None:
    """Take the segment that was clicked, by its number in the data."""
    if isinstance(number, int):
        cards.take_numbers([number])


def _brush_contributions(edges: Sequence[float]) -> None:
    """Write the range that was drawn over the histogram; its outermost bars hold all that is beyond them."""
    box = _box("figure-pushes")
    if box is not None:
        low, high = _ends(box["x"])
        ends = (low if low > edges[1] else -inf), (high if high < edges[-2] else inf)
        cards.take_drawn({cards.CONTRIBUTION: ends})


def _brush_scores() -> None:
    """Write the ranges that were drawn over the scores."""
    box = _box("figure-scores-apart")
    if box is not None:
        cards.take_drawn({key: _ends(box[axis]) for key, axis in zip(cards.SCORES, "xy", strict=True)})


def _box(key: str) -> Mapping[str, Any] | None:
    state = session.choice(key)
    boxes = state["selection"]["box"] if state else []
    return cast("Mapping[str, Any]", boxes[0]) if boxes else None


def _ends(values: Any) -> tuple[float, float]:
    return float(min(values)), float(max(values))


def _buckets(
    place: DeltaGenerator, corpus: Corpus, contributions: Contributions, wanted: dict[str, Any]
) -> Mapping[str, cards.Mask]:
    """Ask for what may be the matter, with how much of the difference it makes; return which segments are in what."""
    pair = contributions.systems
    if any(len(corpus.systems[name]) != 1 for name in pair):
        return {}  # there is no text to look through, or several of one system
    with place, show.part():
        buckets = compute.bucketed(corpus, contributions.first, contributions.second)
        rows = {
            row.name: row for row in bucket_table(buckets, contributions.values, contributions.numbers) if row.count
        }

        session.keep_only(cards.BUCKET, rows)
        chosen_ones = st.pills(
            "Buckets", list(rows), selection_mode="multi", format_func=lambda name: rows[name].title,
            **forms.bound(cards.BUCKET), on_change=cards.from_the_start,
        )  # fmt: skip
        shares = _shares(list(rows.values()), "score" if contributions.second is None else "gain")
        # A table that breaks its lines: here the last number of one that does not is out of sight.
        st.table(
            frame_of(shares)
            .set_index("Bucket")
            .style.format({column.title: column.text for column in shares.columns[1:]})
        )
        with st.expander("What these mean"):
            st.markdown(buckets_explained())
            for name, why in buckets.left_out.items():
                st.text(f"{BUCKETS[name].title}: {why}")
        wanted["within"] = tuple(chosen_ones)
        return buckets
    return {}


def _shares(rows: Sequence[BucketShare], whole: str) -> Table:
    """Return how many segments are in each bucket, and what share of the whole they make."""
    return Table.of(
        "",
        (Column("Bucket"), (row.title for row in rows)),
        (Column("Segments", "count"), (row.count for row in rows)),
        (Column(f"Of the {whole}", "share"), (row.share_of_difference for row in rows)),
    )


# --- what they look like ------------------------------------------------------------------------------------------


def _leveraged(
    corpus: Corpus, statistics: Statistics, settings: Settings, contributions: Contributions
) -> tuple[Leverage, Comparison | None, str]:
    """Return what is left of the difference without the units that contribute most, and the test made again."""
    first, second = contributions.first, contributions.second or ""
    comparison = _compared(corpus, contributions)
    reason = "" if comparison is None else no_verdict(comparison)
    return compute.leveraged(statistics, settings, first, second, reason, judged_at(comparison, settings.level))


def _leverage(corpus: Corpus, statistics: Statistics, settings: Settings, contributions: Contributions) -> Actions:
    """Show what is left of the difference without the units that contribute most; return what a click does."""
    leverage, again, untested = _leveraged(corpus, statistics, settings, contributions)
    pictures.figure(
        LeverageCurve.of(leverage), key="leverage",
        alt=f"Difference without the {leverage.unit}s that contribute most, by how many are left out",
    )  # fmt: skip
    told = [leverage.caution, again_text(again, untested)]
    if corpus.documents is not None and leverage.unit == "document":
        names = contributions.document_names(corpus)
        told.append(f"Left out first: {', '.join(names[number] for number in leverage.numbers[:5])}.")
    take = partial(_take_left_out, corpus, contributions, leverage)
    held = leverage.holds_until
    if held is not None and leverage.unit != "block":
        st.button(
            f"Read {'this' if held.units == 1 else 'these'} {number_of(held.units, leverage.unit, ',')}"
            if leverage.unit == "segment" else "Read the document that changes the verdict",
            on_click=take, args=(held.units,),
        )  # fmt: skip
    st.caption(plain(" ".join(filter(None, told))))
    return {"figure-leverage": lambda point, _: take(int(leverage.k[point]) if 0 <= point < len(leverage.k) else 0)}


def _take_left_out(corpus: Corpus, contributions: Contributions, leverage: Leverage, units: int) -> None:
    """Take the segments that are left out when so many units are, or the last one of so many documents."""
    if not 0 < units <= len(leverage.numbers) or leverage.unit == "block":
        return
    if leverage.unit == "document":
        cards.take(cards.DOCUMENT, contributions.document_names(corpus)[int(leverage.numbers[units - 1])])
        return
    gone = contributions.values[np.isin(contributions.numbers, leverage.numbers[:units])]
    cards.take(cards.SORT, in_favour(contributions))
    ends = f"{float(gone.min())!r} to inf" if contributions.difference >= 0 else f"-inf to {float(gone.max())!r}"
    cards.take(cards.CONTRIBUTION, ends)


def _words(corpus: Corpus, contributions: Contributions, settings: Settings) -> None:
    """Show on which words, lengths and n-grams the two differ."""
    first, second = contributions.first, contributions.second or ""
    word_view = asked(
        "Comparing the words …", make_word_view, corpus, contributions.metric, first, second, settings.unit,
        settings.level,
    )  # fmt: skip
    *classes, gained, lost = word_tables(word_view, first, second)
    st.caption("The counts use all segments that both systems have. Search and filters affect only the cards.")
    for shown in classes:
        _word_table(shown, (first, second))
    for key, shown, rows in (("gained", gained, word_view.gained), ("lost", lost, word_view.lost)):
        _word_table(shown, (first, second))
        if rows:
            titles = [plain(row.ngram) for row in rows]
            st.pills(
                "Read segments with this difference", range(len(rows)), key=key, format_func=titles.__getitem__,
                on_change=_take_ngram, args=(key, corpus, rows), help="Opens the cards of the first ten such segments.",
            )  # fmt: skip


def _word_table(shown: Table, pair: tuple[str, str]) -> None:
    """Show a table of words; the systems' names stay as they are."""
    st.markdown(f"**{plain(shown.title)}**")
    titles = {
        name: name if name in pair else capital_first(title)
        for name, title in zip(shown.names, shown.header, strict=True)
    }
    pictures.table(shown.seen(titles), alt=shown.title)
    st.caption(plain(shown.caption))


def _take_ngram(key: str, corpus: Corpus, rows: Sequence[NgramRow]) -> None:
    """Take the segments of the n-gram that was chosen."""
    row = session.choice(key)
    if row is not None:
        cards.take_numbers(corpus.numbers[segment] for segment in rows[row].segments)
        session.choose(_TAB, _CARDS)


def _shown(
    corpus: Corpus, statistics: Statistics, contributions: Contributions, positions: cards.Positions, head: Any
) -> None:
    """Show ten segments, and the way to the others; head: the place for how many there are, and for keys."""
    count = len(positions)
    if count == 0:
        part = "" if corpus.segments.numbers is None else " in the chosen part of the data"
        st.info(f"No segment fits the filters{part}.")
        if session.choice(cards.SEARCH):
            st.button("Search all segments instead", on_click=cards.let_all_go, args=(corpus,))
        return
    pages = -(-count // _ON_A_PAGE)
    at = min(int(session.choice(cards.AT) or 0), count - 1)
    with head:
        every = len(contributions.numbers)
        some = f"**{number_of(count, 'segment', ',')}** of {every:,}"
        st.markdown(some if count < every else f"**All {every:,}** segments", width="content")
        _keys(corpus, contributions, positions, at)
    if pages > 1 and (session.choice(cards.PAGE) or 1) > pages:
        session.choose(cards.PAGE, pages)
    shown = st.container()
    number = st.pagination(pages, **forms.bound(cards.PAGE), on_change=_to_page) if pages > 1 else 1
    start = (number - 1) * _ON_A_PAGE
    with shown:
        for place in range(start, min(start + _ON_A_PAGE, count)):
            cards.show_card(corpus, statistics, contributions, int(positions[place]), place == at)
    cards.offer_files(corpus, contributions, positions)


def _to_page() -> None:
    session.choose(cards.AT, (int(session.choice(cards.PAGE) or 1) - 1) * _ON_A_PAGE)
    cards.close()


def _keys(corpus: Corpus, contributions: Contributions, positions: cards.Positions, at: int) -> None:
    """Offer what a reader does with a key, as buttons that have these keys."""
    number = int(contributions.numbers[positions[at]])
    st.button("Previous", shortcut="k", key="key-previous", on_click=_go, args=(at - 1,), disabled=at == 0)
    st.button("Next", shortcut="j", key="key-next", on_click=_go, args=(at + 1,), disabled=at == len(positions) - 1)
    st.button("Star", shortcut="s", key="key-star", on_click=session.current().star, args=(corpus.digest, number))
    if cards.has_texts(corpus):
        st.button("Marks", shortcut="d", key="key-marks", on_click=_other_marks)


def _go(at: int) -> None:
    session.choose(cards.AT, at)
    session.choose(cards.PAGE, at // _ON_A_PAGE + 1)


def _other_marks() -> None:
    mode = session.choice(cards.MARKS) or MODES[0]
    session.choose(cards.MARKS, MODES[(MODES.index(mode) + 1) % len(MODES)])


show.guarded(page)
