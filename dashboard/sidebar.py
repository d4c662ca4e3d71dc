"""The sidebar: which metrics, and how to analyse; every choice stands in the address bar."""

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from dashboard import session
from dashboard.forms import form
from dashboard.markdown import plain
from mtsig import CORRECTIONS, INTERVALS, METRICS, TESTS, Metric, MtsigError, Settings

_LABELS = {
    "test": {name: one.label for name, one in TESTS.items()},
    "interval": {name: one.label for name, one in INTERVALS.items()},
    "correction": {name: one.label for name, one in CORRECTIONS.items()},
}

_FIRST_METRICS = ["bleu"]


@dataclass(frozen=True)
class Choices:
    """The metrics to compute, the first being the one the pages open with, and the settings."""

    metrics: tuple[Metric, ...]
    settings: Settings


def draw() -> None:
    """Draw the sidebar and keep what was chosen for the pages.

    It belongs to the frame, not to a page: Streamlit drops what a page's own widgets wrote into the address when the
    visitor goes on to the next page.
    """
    with st.sidebar:
        names = _metrics("Metrics", "metric", [name for name, one in METRICS.items() if one.common], _FIRST_METRICS)
        with st.expander("More metrics"):
            rest = [name for name, one in METRICS.items() if not one.common]
            names = [*names, *_metrics("More metrics", "more", rest, label_visibility="collapsed")]
        if not names:
            st.info("No metric is chosen; BLEU is shown.")
        try:
            values = form(Settings(), labels=_LABELS)
            with st.expander("Advanced"):
                # One-sided tests need a direction per pair, declared beforehand: the pages show all pairs.
                values |= form(Settings(), advanced=True, without=("alternative",))
            # In the order of the table, whatever the order of clicking: it is the order of the pages.
            metrics = tuple(_metric(name) for name in METRICS if name in (names or _FIRST_METRICS))
            chosen = Choices(metrics, Settings(**values))
        except MtsigError as error:
            st.error(plain(f"{error} The defaults are used instead."))
            chosen = Choices(tuple(METRICS[name] for name in _FIRST_METRICS), Settings())
    session.keep_choices(chosen)


def choices() -> Choices:
    """Return what was chosen."""
    found: Choices = session.choices()
    return found


def _metrics(label: str, key: str, offered: list[str], chosen: list[str] | None = None, **options: Any) -> list[str]:
    """Draw metrics to choose from and return the names of those chosen."""
    return st.pills(
        label,
        offered,
        selection_mode="multi",
        default=chosen,
        format_func=lambda name: METRICS[name].name,
        key=key,
        bind="query-params",
        **options,
    )


def _metric(name: str) -> Metric:
    """Draw the options of a metric and return it with them."""
    found = METRICS[name]
    # "+" would be a space in an address.
    prefix = name.replace("+", "p") + "."
    with st.expander(f"{found.name} options"):
        st.caption(plain(found.about))
        values = form(found, prefix)
        # A popover draws its widgets while it is closed, so what a link says of them holds.
        with st.popover("More"):
            values |= form(found, prefix, advanced=True)
    return replace(found, **values)  # type: ignore[type-var]
