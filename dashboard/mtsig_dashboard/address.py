"""What the page's address says, and that it goes on saying what was chosen."""

from collections.abc import Sequence
from math import isfinite
from typing import Literal, TypedDict

import streamlit as st
from streamlit.runtime.state import get_session_state

from mtsig_dashboard import session

MOST_CHARACTERS = 2**16
"""Characters of an address: no browser's request has room for more, but what a page sends by itself has."""


class Bound(TypedDict):
    """What makes a widget one that the address speaks of."""

    key: str
    bind: Literal["query-params"]


def said(name: str) -> str:
    """Return what the address says under a name that no widget has; empty where it says nothing."""
    return st.query_params.get(name, "")


def say(name: str, value: str, default: str = "") -> None:
    """Let the address say something under a name that no widget is bound to; nothing for the default."""
    if value == default:
        st.query_params.pop(name, None)
    elif st.query_params.get(name) != value:
        st.query_params[name] = value


def say_all(name: str, values: Sequence[str], default: Sequence[str]) -> None:
    """Let the address say several values under a name that no widget is bound to; nothing for the default."""
    if list(values) == list(default):
        st.query_params.pop(name, None)
    elif st.query_params.get_all(name) != list(values):
        st.query_params[name] = list(values)


def bound(key: str) -> Bound:
    """Return what binds the widget `key`, to be drawn next, to the address; and mend what the browser missed.

    Streamlit's page writes a choice into the address itself, but only for widgets that it has taken down; one that came
    to stand in another place, because something above it came or went, may be forgotten there, and from then on its
    choices are in the page and not in the address. Such a choice is known by this: the widget says something else than
    when it was drawn last, and the address does not. Saying it again makes the server write it.
    """
    value, text = session.choice(key), tuple(st.query_params.get_all(key))
    drawn = session.current().view.drawn
    old_value, old_text = drawn.get(key, (None, ()))
    drawn[key] = (value, text)
    if old_value is not None and value not in (None, old_value) and old_text in (None, text):
        session.choose(key, value)
        drawn[key] = (value, None)  # what is written now is not known before the next run
    return {"key": key, "bind": "query-params"}


def bound_number(key: str) -> Bound:
    """Return the same for a widget that asks for a number; what no widget can show is taken out of the address.

    Streamlit reads 1e999 and nan as numbers, and fails to make them whole.
    """
    if not all(map(_is_finite, st.query_params.get_all(key))):
        _let_go([key])
    return bound(key)


def _is_finite(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return True  # no number at all: Streamlit lets go of it


def let_go_if_endless() -> bool:
    """Let go of an address that is longer than any can be, and return whether it was: before anything reads it."""
    length = sum(len(name) + len(value) for name in st.query_params for value in st.query_params.get_all(name))
    if length <= MOST_CHARACTERS:
        return False
    _let_go(list(st.query_params))
    return True


def _let_go(keys: Sequence[str]) -> None:
    """Take keys out of the address, and out of what Streamlit keeps of it for widgets that are not yet drawn."""
    with get_session_state().query_params() as params:
        for key in keys:
            params.remove_param(key)
        params.set_initial_query_params_from_current()


def bound_or_empty(key: str) -> Bound:
    """Return the same for a widget of several choices that begins with some: an address can say that none is left.

    Streamlit leaves an empty list out of the address, as what is said at first: another name says it.
    """
    emptied, value = f"no.{key}", session.choice(key)
    if value is None and said(emptied):
        session.choose(key, [])
    elif value is not None:
        say(emptied, "" if value else "true")
    return bound(key)
