"""What leads others to a finding: a link, a card and a sentence. Nothing of it is sent anywhere."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from mtsig import Corpus
from mtsig.explain import explain
from mtsig.inference import Family, Intervals, Ranks
from mtsig.metrics import Metric
from mtsig.study._run import data_of
from mtsig_dashboard import session
from mtsig_dashboard.parts.frame import Frame

if TYPE_CHECKING:
    from mtsig.figures._frame import Card

_HERE = Path(__file__).resolve().parents[1]

_buttons = st.components.v2.component(
    "mtsig_copies",
    html='<div role="group" aria-label="Copy"></div><textarea readonly hidden rows="3" aria-label="To copy"></textarea>'
    '<span aria-live="polite"></span>',
    css=(_HERE / "copies.css").read_text(encoding="utf-8"),
    js=(_HERE / "copies.js").read_text(encoding="utf-8"),
)


@st.fragment
def draw(visit: session.Session, frame: Frame) -> None:
    """Offer the page's card, its address, with the data or without, and its finding as a sentence.

    All of it is made when this is opened.
    """
    with st.popover("Share", on_change="rerun") as box:
        buttons = st.container(horizontal=True)
        opens_data = False
        if visit.data.token is not None and not visit.data.is_sample:
            opens_data = st.checkbox("The link also opens these data", help=explain("link-with-data"))
        link = visit.link(opens_data)
        texts, make = [{"label": "Copy link", "text": link}], frame.card
        with buttons:
            if make is not None and box.open:
                st.download_button("Download card", partial(_file, make), "card.png", "image/png", on_click="ignore")
                texts.append({"label": "Copy sentence", "text": make().said.sentence})
            _buttons(data={"texts": texts}, key="copies", width="content")
        st.code(link, language=None, wrap_lines=True)
        left_out = visit.unlinked_stars
        if left_out:
            st.caption(f"The link omits your {left_out:,} stars: it can hold at most {session.MOST_LINKED_STARS}.")


def _file(make: Callable[[], "Card"]) -> bytes:
    from mtsig.figures import on_paper

    return on_paper(make(), "png").data


def of_league(
    corpus: Corpus, metric: Metric, family: Family, scored: Intervals, ranks: Ranks | None, whose: str
) -> "Card":
    """Return the card of all systems; whose: for which raters verdicts hold."""
    from mtsig.report._card import About, league_card

    return league_card(scored, family, ranks, About.of(data_of(corpus), metric), None, whose)


def of_pair(corpus: Corpus, metric: Metric, family: Family, first: str, second: str, whose: str) -> "Card":
    """Return the card of a pair, with its resampled test sets; whose: for which raters verdicts hold."""
    from mtsig.report._card import About, pair_card
    from mtsig_dashboard import compute

    position = family.find(first, second)
    draws = None if position is None else compute.resampled(family, position)
    if position is not None and draws is not None and family.first[position] != first:
        draws = -draws
    return pair_card(family, first, second, draws, About.of(data_of(corpus), metric), None, whose)
