"""Options become widgets: the fields of an options dataclass go in, the values the visitor chose come out."""

from collections.abc import Collection, Mapping
from typing import Any, TypeVar, cast

import streamlit as st

from mtsig.options import Option, options

T = TypeVar("T")

_UNSET = "automatic"
_MOST = {"draws": 200_000, "simulations": 5_000, "sets": 2_000, "total": 1_000_000, "orders": 1_000}
"""More than this would hold up other visitors; the command line takes any number."""


def form(
    thing: T,
    prefix: str = "",
    labels: Mapping[str, Mapping[str, str]] | None = None,
    advanced: bool = False,
    without: Collection[str] = (),
) -> dict[str, Any]:
    """Draw the options of `thing`, the advanced ones or the others, and return their values.

    Keys are the options' names behind `prefix`, and values their own names: both stand in the address bar, so a link
    reproduces the view, in the words of the command line. `labels` gives, for an option with choices, what to say
    below the one chosen.
    """
    chosen = [one for one in options(thing) if one.advanced == advanced and one.name not in without]
    return {one.name: widget(one, prefix + one.name, (labels or {}).get(one.name, {})) for one in chosen}


def widget(one: Option, key: str, words: Mapping[str, str]) -> Any:
    """Draw the widget of one option and return its value."""
    if one.choices is not None:
        return _choice(one, key, words)
    if one.type is bool:
        return st.checkbox(one.label, value=bool(one.default), help=one.help, key=key, bind="query-params")
    if one.type in (int, float):
        return _number(one, key)
    return st.text_input(one.label, value=one.default or "", help=one.help, key=key, bind="query-params")


def _choice(one: Option, key: str, words: Mapping[str, str]) -> str | None:
    choices = [*([_UNSET] if one.optional else []), *(one.choices or ())]
    default = _UNSET if one.default is None else one.default
    found = st.selectbox(
        one.label,
        choices,
        index=choices.index(default),
        help=one.help,
        key=key,
        bind="query-params",
    )
    if found in words:
        st.caption(words[found])
    return None if found == _UNSET else found


def _number(one: Option, key: str) -> Any:
    kind = cast("type[int] | type[float]", one.type)
    low, high = one.low, one.high
    if one.name in _MOST and high is not None:
        high = min(high, _MOST[one.name])
    return st.number_input(
        one.label,
        value=one.default,
        min_value=None if low is None else kind(low),
        max_value=None if high is None else kind(high),
        step=1 if kind is int else 0.01,
        format=None if kind is int else "%.4g",
        help=one.help,
        key=key,
        bind="query-params",
    )
