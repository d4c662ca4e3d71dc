"""Cards of segments on the page: what is done with one of them, and the files that several go out in."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from mtsig import Corpus
from mtsig.inference import points_text
from mtsig.metrics import Statistics
from mtsig.report import Column, Table, csv_table
from mtsig.segments import Contributions, Mode, card, deck, page
from mtsig_dashboard import address, compute_segments, session
from mtsig_dashboard.selection import LONGEST_NOTE

MARKS, LAYOUT = "marks", "layout"
"""Keys: what is marked in the texts, and how two outputs stand."""

_OPENED = "opened"
"""The name in the address of the card below which more is shown, as in 12.neighbours."""

_NEIGHBOURING, _SYSTEMS = "neighbours", "systems"
"""What may be shown there."""

_MOST_IN_A_FILE = 200
_NEIGHBOURS = 2

Positions = NDArray[np.int64]


def star(digest: str, number: int) -> None:
    """Star a segment, or take its star away."""
    session.current().star(digest, number)


def _note(digest: str, number: int, key: str) -> None:
    session.current().note(digest, number, str(session.choice(key) or ""))


def heading(contributions: Contributions) -> str:
    """Return what the segments are parts of, in words."""
    metric, decimals = contributions.metric.name, contributions.metric.decimals
    if contributions.second is None:
        return f"What the score of {contributions.first} consists of: {contributions.difference:.{decimals}f} {metric}"
    gained = points_text(contributions.difference, decimals, signed=True)
    return f"What {contributions.first} gains on {contributions.second}: {gained} {metric}"


def show_card(
    corpus: Corpus, statistics: Statistics, contributions: Contributions, position: int, is_current: bool
) -> None:
    """Show one segment, with what can be done with it."""
    number = int(contributions.numbers[position])
    selection = session.current().selection
    starred = selection.starred(corpus.digest)
    opened = address.said(_OPENED)
    with st.container(gap="xsmall", key=f"card-{number}{'-current' if is_current else ''}"):
        st.html(_deck([compute_segments.carded(corpus, contributions, position, _mode(), _layout())]))
        with st.container(horizontal=True, vertical_alignment="center"):
            has_star = number in starred
            st.button(
                "★ Starred" if has_star else "☆ Star", key=f"star-{number}", on_click=star, type="tertiary",
                args=(corpus.digest, number),
            )  # fmt: skip
            for kind, label in ((_NEIGHBOURING, "Neighbours"), (_SYSTEMS, "All outputs")):
                st.button(
                    label, key=f"{kind}-{number}", type="tertiary", on_click=_open,
                    args=(_named(corpus, number, kind),),
                    help=None if kind == _SYSTEMS else "The segments before and after, of the same document",
                )  # fmt: skip
        if has_star:
            key = f"note-{corpus.digest}-{number}"
            st.text_input(
                "Note", starred[number], key=key, placeholder="What is it about?", on_change=_note,
                args=(corpus.digest, number, key), max_chars=LONGEST_NOTE,
            )  # fmt: skip
        if opened == _named(corpus, number, _NEIGHBOURING):
            _neighbours(corpus, contributions, position)
        elif opened == _named(corpus, number, _SYSTEMS):
            st.html(_deck([_every_output(corpus, statistics, contributions, number)]))


def _every_output(corpus: Corpus, statistics: Statistics, contributions: Contributions, number: int) -> str:
    """Return all outputs of a segment: those compared in their colours, then the others by their score."""
    pair = [name for name in (contributions.first, contributions.second) if name is not None]
    scores = compute_segments.scored_at(statistics, number)
    systems = list(dict.fromkeys([*pair, *scores, *corpus.systems]))
    of_each = [scores.get(name, float("nan")) for name in systems]
    return card(
        corpus, number, systems, metric=contributions.metric, scores=of_each, compared=len(pair), outputs_only=True
    )


def _deck(cards: Sequence[str]) -> str:
    """Return cards in the visitor's theme."""
    theme = st.context.theme.type
    return deck(cards, theme if theme in ("light", "dark") else "auto")


def _named(corpus: Corpus, number: int, kind: str) -> str:
    """Return how the address says that a card is open."""
    return f"{corpus.numbers[number]}.{kind}"


def _open(what: str) -> None:
    """Open a card, or close it when it is open."""
    address.say(_OPENED, "" if address.said(_OPENED) == what else what)


def close() -> None:
    """Close the card that is open."""
    address.say(_OPENED, "")


def _neighbours(corpus: Corpus, contributions: Contributions, position: int) -> None:
    """Show the segments around one, of the same document."""
    number, documents = int(contributions.numbers[position]), corpus.documents
    pair = [name for name in (contributions.first, contributions.second) if name is not None]
    around = range(max(0, number - _NEIGHBOURS), min(len(corpus), number + _NEIGHBOURS + 1))
    near = [other for other in around if documents is None or documents[other] == documents[number]]
    st.html(
        _deck(
            [card(corpus, other, pair, metric=contributions.metric, mode="plain") for other in near if other != number]
        )
    )
    if len(near) == 1:
        st.caption("The document has no other segment near it.")


def offer_files(corpus: Corpus, contributions: Contributions, positions: Positions) -> None:
    """Offer the segments as files: for a colleague, and what was starred."""
    with st.container(horizontal=True):
        st.download_button(
            "These segments (.html)",
            partial(_file, corpus, contributions, positions[:_MOST_IN_A_FILE], _mode(), _layout()), "segments.html",
            "text/html", on_click="ignore",
            help=f"The first {_MOST_IN_A_FILE}, in a file that opens anywhere.",
        )  # fmt: skip
        starred = session.current().selection.starred(corpus.digest)
        if starred:
            st.download_button(
                "Stars and notes (.csv)", partial(stars_csv, corpus, contributions, starred), "stars.csv", "text/csv",
                on_click="ignore",
            )  # fmt: skip


def _file(corpus: Corpus, contributions: Contributions, positions: Positions, mode: Mode, layout: str) -> str:
    cards = [compute_segments.carded(corpus, contributions, position, mode, layout) for position in positions.tolist()]
    about = f"{len(positions):,} of {len(contributions.numbers):,} segments."
    return page(cards, heading(contributions), [about], mode=mode)


def _mode() -> Mode:
    """Return what is marked in the texts."""
    mode: Mode = session.choice(MARKS) or "matches"
    return mode


def _layout() -> str:
    """Return how two outputs stand."""
    return str(session.choice(LAYOUT) or "stacked")


def stars_csv(corpus: Corpus, contributions: Contributions, starred: Mapping[int, str]) -> str:
    """Return the starred segments with their notes as CSV."""
    pushes = dict(zip(contributions.numbers.tolist(), contributions.values.tolist(), strict=True))
    numbers = sorted(starred)
    return csv_table(
        Table.of(
            "",
            (Column("segment", "count"), [corpus.numbers[number] for number in numbers]),
            *([(Column("document"), [corpus.documents[number] for number in numbers])] if corpus.documents else []),
            (Column("contribution", "difference", 6), [pushes.get(number, float("nan")) for number in numbers]),
            (Column("note"), [starred[number] for number in numbers]),
        )
    )
