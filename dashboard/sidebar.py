"""The sidebar: which metrics, and how to analyse; every choice stands in the address bar."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from dashboard import compute, session
from dashboard.forms import form
from dashboard.markdown import plain
from dashboard.session import Choices
from mtsig import Corpus, MtsigError, Settings
from mtsig.inference import CORRECTIONS, INTERVALS, TESTS
from mtsig.metrics import METRICS, Metric, Rated

_METHODS: dict[str, tuple[str, Mapping[str, Any]]] = {
    "test": ("jackknife t test over documents, approximate randomization over segments", TESTS),
    "interval": ("jackknife (t interval)", INTERVALS),
    "correction": ("Holm over documents, step-down min-P over segments", CORRECTIONS),
}
"""By option: what "auto" stands for, and the methods with their labels."""

_OF_METRICS = {
    "tokenize": {
        "auto": "By the references' script: zh for Chinese; ja-mecab for Japanese and ko-mecab for Korean where "
        "installed, else char; char for other text without spaces; 13a for all other text."
    }
}

_FIRST_METRICS = ["bleu"]


def draw() -> None:
    """Draw the sidebar and keep what was chosen for the pages.

    It belongs to the frame, not to a page: Streamlit drops what a page's own widgets wrote into the address when the
    visitor goes on to the next page.
    """
    with st.sidebar:
        corpus = session.current().data.corpus
        table = _offered(corpus)
        names = _chosen(table)
        first = [next(iter(table))] if _scores_only(corpus) else _FIRST_METRICS
        if not names:
            st.info(f"No metric is chosen; {plain(table[first[0]].name)} is shown.")
        try:
            values = form(Settings(), labels=_labels())
            with st.expander("Advanced"):
                # One-sided tests need a direction per pair, declared beforehand: the pages show all pairs.
                values |= form(Settings(), advanced=True, without=("alternative",))
                joined = st.checkbox(
                    "Judge all metrics together",
                    help="Correct for the comparisons of all chosen metrics as one family, not for each metric alone.",
                    key="joined",
                    bind="query-params",
                )
            # In the order of the table, whatever the order of clicking: it is the order of the pages.
            metrics = tuple(_metric(name, one, corpus) for name, one in table.items() if name in (names or first))
            chosen = Choices(metrics, Settings(**values), joined)
        except MtsigError as error:
            st.error(plain(f"{error} The defaults are used instead."))
            chosen = Choices(tuple(table[name] for name in first), Settings())
    session.current().selection.choices = chosen


def _labels() -> dict[str, dict[str, str]]:
    """Return what stands below each method that can be chosen."""
    return {
        option: {"auto": auto, **{name: method.label for name, method in methods.items()}}
        for option, (auto, methods) in _METHODS.items()
    }


def _scores_only(corpus: Corpus | None) -> bool:
    """Return whether there are ratings and no text that could be scored."""
    return corpus is not None and bool(corpus.ratings) and not (corpus.outputs and corpus.references)


def _offered(corpus: Corpus | None) -> dict[str, Metric]:
    """Return what can be chosen: the metrics, where there may be text to score, and the ratings of the corpus."""
    ratings: dict[str, Metric] = {}
    if corpus is not None:
        ratings = {f"rating:{name}": Rated(name).on(corpus) for name in corpus.ratings}
    return ratings if _scores_only(corpus) else {**METRICS, **ratings}


def _chosen(table: dict[str, Metric]) -> list[str]:
    """Draw what is offered, in groups, and return the names of what was chosen."""
    ratings = [name for name in table if name.startswith("rating:")]
    texts = [name for name in table if name not in ratings]
    names = []
    if texts:
        names += _metrics("Metrics", "metric", table, [name for name in texts if table[name].common], _FIRST_METRICS)
    if ratings:
        session.keep_only("rating", ratings)
        names += _metrics("Ratings", "rating", table, ratings, [] if texts else ratings[:1])
    if texts:
        with st.expander("More metrics"):
            rest = [name for name in texts if not table[name].common]
            names += _metrics("More metrics", "more", table, rest, label_visibility="collapsed")
    return names


def _metrics(
    label: str, key: str, table: dict[str, Metric], offered: list[str], chosen: list[str] | None = None, **options: Any
) -> list[str]:
    """Draw metrics to choose from and return the names of those chosen."""
    return st.pills(
        label,
        offered,
        selection_mode="multi",
        default=chosen,
        # A rating is called as its file says, and labels read Markdown.
        format_func=lambda name: plain(table[name].name) if name.startswith("rating:") else table[name].name,
        key=key,
        bind="query-params",
        **options,
    )


def _metric(name: str, found: Metric, corpus: Corpus | None) -> Metric:
    """Draw the options of a metric, say what the text chooses where that is left to it, and return it with them."""
    # "+" would be a space in an address.
    prefix = name.replace("+", "p") + "."
    with st.expander(f"{plain(found.name)} options"):
        st.caption(plain(found.about))
        values = form(found, prefix, labels=_OF_METRICS)
        # A popover draws its widgets while it is closed, so what a link says of them holds.
        with st.popover("More"):
            values |= form(found, prefix, advanced=True)
    chosen: Metric = replace(found, **values)  # type: ignore[type-var]
    note = None if corpus is None else compute.remark(corpus, chosen, name)
    if note is not None:
        st.caption(plain(note.text))
    return chosen
