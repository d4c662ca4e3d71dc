"""Options become widgets: the fields of an options dataclass go in, the values the visitor chose come out.

A widget that shows what stands in the address is bound to it by Streamlit. One that shows other words (a method by its
name, a share in percent) is not: what it means is put into the address here, as the command line writes it.
"""

from collections.abc import Collection, Mapping
from typing import Any, TypeVar, cast

import streamlit as st

from dashboard import session
from mtsig.errors import InvalidOption
from mtsig.options import Option, options

T = TypeVar("T")

_UNSET = "automatic"
MOST = {"draws": 200_000, "simulations": 5_000, "sets": 2_000, "total": 1_000_000, "orders": 1_000}
"""More than this would hold up other visitors; the command line takes any number."""

Named = Mapping[str, Mapping[str, str]]
"""By option and by choice: the words for it."""


def form(
    thing: T,
    prefix: str = "",
    names: Named | None = None,
    abouts: Named | None = None,
    advanced: bool = False,
    without: Collection[str] = (),
) -> dict[str, Any]:
    """Draw the options of `thing`, the advanced ones or the others, and return their values.

    Keys are the options' names behind `prefix`, and values their own names: both stand in the address bar, so a link
    reproduces the view, in the words of the command line. names: for options with choices, what the page calls these;
    options that stand there are not bound to the address by Streamlit, so that a page can set them. abouts: what to say
    below the one chosen.
    """
    names, abouts = names or {}, abouts or {}
    chosen = [one for one in options(thing) if one.advanced == advanced and one.name not in without]
    return {one.name: widget(one, prefix + one.name, names.get(one.name), abouts.get(one.name, {})) for one in chosen}


def widget(one: Option, key: str, names: Mapping[str, str] | None, about: Mapping[str, str]) -> Any:
    """Draw the widget of one option and return its value."""
    if names is not None and one.choices is not None:
        return _named(one, key, names, about)
    if one.choices is not None:
        return _choice(one, key, about)
    if one.type is bool:
        return st.checkbox(one.label, value=bool(one.default), help=one.help, key=key, bind="query-params")
    if one.type in (int, float):
        return _number(one, key) if names is None else _number_by_hand(one, key)
    return st.text_input(one.label, value=one.default or "", help=one.help, key=key, bind="query-params")


def _named(one: Option, key: str, names: Mapping[str, str], about: Mapping[str, str]) -> str:
    """Draw choices by their names on the page; the address has them by those of the command line."""
    begin(one, key)
    found: str = st.selectbox(
        one.label,
        list(one.choices or ()),
        format_func=lambda choice: names.get(choice, choice),
        help=one.help,
        key=key,
        persist_state="session",
    )
    address(key, found, one.default)
    if found in about:
        st.caption(about[found])
    return found


def percent(one: Option, key: str) -> float:
    """Draw a share as a percentage, and return the share; the address has the share."""
    begin(one, key, 100)
    low, high = (100 * end for end in (one.low or 0.0, one.high or 1.0))
    found = st.number_input(
        f"{one.label} (%)", low, high, step=1.0, format="%.4g", help=one.help, key=key, persist_state="session"
    )
    share = round(found / 100, 12)
    address(key, f"{share:.12g}", f"{one.default:.12g}")
    return share


def begin(one: Option, key: str, times: int = 1) -> None:
    """Let a widget that is drawn for the first time say what the address says, so many times that for a number."""
    if session.choice(key) is not None:
        return
    text = st.query_params.get(key)
    value = one.default if text is None or not allowed(one, text) else one.parse(text)
    session.choose(key, value if times == 1 else times * value)


def address(key: str, text: str, default: str) -> None:
    """Put into the address what a widget means, and nothing for the default."""
    if text == default:
        if key in st.query_params:
            del st.query_params[key]
    elif st.query_params.get(key) != text:
        st.query_params[key] = text


def allowed(one: Option, text: str) -> bool:
    """Return whether a page takes the value that stands in an address."""
    try:
        value = one.parse(text)
        one.check(value)
    except InvalidOption:
        return text == _UNSET
    return one.name not in MOST or value is None or value <= MOST[one.name]


def refused(thing: object, prefix: str = "") -> dict[str, str]:
    """Return, by key, what the address says of the options of `thing` and the page does not take."""
    said = {prefix + one.name: (one, st.query_params.get(prefix + one.name)) for one in options(thing)}
    return {key: text for key, (one, text) in said.items() if text is not None and not allowed(one, text)}


def _choice(one: Option, key: str, about: Mapping[str, str]) -> str | None:
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
    if found in about:
        st.caption(about[found])
    return None if found == _UNSET else found


def _number_by_hand(one: Option, key: str) -> Any:
    begin(one, key)
    found = st.number_input(**_said(one), key=key, persist_state="session")
    address(key, f"{found}", f"{one.default}")
    return found


def _number(one: Option, key: str) -> Any:
    return st.number_input(**_said(one), value=one.default, key=key, bind="query-params")


def _said(one: Option) -> dict[str, Any]:
    """Return what a widget says of a number: label, help, ends and steps."""
    kind = cast("type[int] | type[float]", one.type)
    low, high = one.low, one.high
    if one.name in MOST and high is not None:
        high = min(high, MOST[one.name])
    return {
        "label": one.label,
        "min_value": None if low is None else kind(low),
        "max_value": None if high is None else kind(high),
        "step": 1 if kind is int else 0.01,
        "format": None if kind is int else "%.4g",
        "help": one.help,
    }
