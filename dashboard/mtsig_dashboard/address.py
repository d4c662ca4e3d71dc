"""What the page's address says, and that it goes on saying what was chosen."""

from collections.abc import Sequence
from typing import Literal, TypedDict

import streamlit as st

from mtsig_dashboard import session


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
