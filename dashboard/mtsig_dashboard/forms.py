"""Options become widgets: the fields of an options dataclass go in, the values the visitor chose come out.

A widget that shows what stands in the address is bound to it by Streamlit. One that shows other words (a method by its
name, a share in percent) is not: what it means is put into the address here, as the command line writes it.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar, cast

import streamlit as st

from mtsig import InvalidOption
from mtsig.corpus import capital_first
from mtsig.metrics import Option, options
from mtsig_dashboard import address, session
from mtsig_dashboard.markdown import plain

T = TypeVar("T")

_UNSET = "automatic"
MOST = {"n_resamples": 200_000, "simulations": 5_000, "sets": 2_000, "total": 1_000_000, "orders": 1_000}
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
    percents: Collection[str] = (),
    unused: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Draw the options of `thing`, the advanced ones or the others, and return their values.

    Keys are the options' names behind `prefix`, and values their own names: both stand in the address bar, so a link
    reproduces the view, in the words of the command line. names: for options with choices, what the page calls these;
    options that stand there are not bound to the address by Streamlit, so that a page can set them. abouts: what to say
    below the one chosen. percents: options that are shares and are asked for in percent. unused: options that have no
    effect, with what holds instead; their widgets are disabled.
    """
    names, abouts, unused = names or {}, abouts or {}, unused or {}
    chosen = [option for option in options(thing) if option.advanced == advanced and option.name not in without]
    return {
        field.name: percent(field, prefix + field.name)
        if field.name in percents
        else widget(
            field, prefix + field.name, names.get(field.name), abouts.get(field.name, {}), unused.get(field.name, "")
        )
        for field in chosen
    }


def widget(
    option: Option, key: str, names: Mapping[str, str] | None, about: Mapping[str, str], unused: str = ""
) -> Any:
    """Draw the widget of one option and return its value; one that is `unused` is disabled, and says so."""
    if names is not None and option.choices is not None:
        return _named(option, key, names, about, unused)
    if option.choices is not None:
        return _choice(option, key, about)
    if option.type is bool:
        return st.checkbox(option.label, value=bool(option.default), help=option.help, **address.bound(key))
    if option.type in (int, float):
        return _number(option, key) if names is None else _number_by_hand(option, key, unused)
    return st.text_input(option.label, value=option.default or "", help=option.help, **address.bound(key))


def _named(option: Option, key: str, names: Mapping[str, str], about: Mapping[str, str], unused: str = "") -> str:
    """Draw choices by their names on the page; the address has them by those of the command line."""
    begin(option, key)
    name: str = st.selectbox(
        option.label,
        list(option.choices or ()),
        format_func=lambda choice: names.get(choice, choice),
        help=option.help,
        key=key,
        persist_state="session",
        disabled=bool(unused),
    )
    address.say(key, name, option.default)
    said = capital_first(f"{unused}.") if unused else about.get(name)
    if said:
        st.caption(plain(said))
    return name


def one_of(label: str, key: str, names: Mapping[str, str]) -> str:
    """Draw choices that are no option's by their names on the page, the first one chosen; the address has their codes.

    names: code -> name.
    """
    if session.choice(key) not in names:
        said = address.said(key)
        session.choose(key, said if said in names else next(iter(names)))
    code: str = st.selectbox(label, list(names), format_func=names.__getitem__, key=key, persist_state="session")
    address.say(key, code, next(iter(names)))
    return code


def some_of(label: str, key: str, names: Mapping[str, str], default: Sequence[str]) -> tuple[str, ...]:
    """Draw several choices by their names on the page; the address has their codes, and says when none is left.

    names: code -> name. default: the codes that are chosen at first.
    """
    if session.choice(key) is None:
        said = [code for code in st.query_params.get_all(key) if code in names]
        session.choose(key, said or ([] if address.said(f"no.{key}") else list(default)))
    codes = st.multiselect(label, list(names), format_func=names.__getitem__, key=key, persist_state="session")
    address.say_all(key, codes, default)
    address.say(f"no.{key}", "" if codes else "true")
    return tuple(codes)


def percent(option: Option, key: str) -> float:
    """Draw a share as a percentage, and return the share; the address has the share."""
    begin(option, key, 100)
    low, high = (100 * end for end in (option.low or 0.0, option.high or 1.0))
    number = st.number_input(
        f"{option.label} (%)", low, high, step=1.0, format="%.4g", help=option.help, key=key, persist_state="session"
    )
    share = round(number / 100, 12)
    address.say(key, f"{share:.12g}", f"{option.default:.12g}")
    return share


def begin(option: Option, key: str, times: int = 1) -> None:
    """Let a widget that is drawn for the first time say what the address says, so many times that for a number."""
    if session.choice(key) is not None:
        return
    text = st.query_params.get(key)
    value = option.default if text is None or not allowed(option, text) else option.parse(text)
    session.choose(key, value if times == 1 else times * value)


def allowed(option: Option, text: str) -> bool:
    """Return whether a page takes the value that stands in an address."""
    try:
        value = option.parse(text)
        option.check(value)
    except InvalidOption:
        return text == _UNSET
    return option.name not in MOST or value is None or value <= MOST[option.name]


def refused(thing: object, prefix: str = "") -> dict[str, str]:
    """Return, by key, what the address says of the options of `thing` and the page does not take."""
    said = {prefix + option.name: (option, st.query_params.get(prefix + option.name)) for option in options(thing)}
    return {key: text for key, (field, text) in said.items() if text is not None and not allowed(field, text)}


def _choice(option: Option, key: str, about: Mapping[str, str]) -> str | None:
    choices = [*([_UNSET] if option.optional else []), *(option.choices or ())]
    default = _UNSET if option.default is None else option.default
    value = st.selectbox(
        option.label,
        choices,
        index=choices.index(default),
        help=option.help,
        **address.bound(key),
    )
    if value in about:
        st.caption(about[value])
    return None if value == _UNSET else value


def _number_by_hand(option: Option, key: str, unused: str = "") -> Any:
    begin(option, key)
    number = st.number_input(**_said(option), key=key, persist_state="session", disabled=bool(unused))
    address.say(key, f"{number}", f"{option.default}")
    if unused:
        st.caption(plain(capital_first(f"{unused}.")))
    return number


def _number(option: Option, key: str) -> Any:
    return st.number_input(**_said(option), value=option.default, **address.bound_number(key))


def _said(option: Option) -> dict[str, Any]:
    """Return what a widget says of a number: label, help, ends and steps."""
    kind = cast("type[int] | type[float]", option.type)
    low, high = option.low, option.high
    if option.name in MOST and high is not None:
        high = min(high, MOST[option.name])
    return {
        "label": option.label,
        "min_value": None if low is None else kind(low),
        "max_value": None if high is None else kind(high),
        "step": 1 if kind is int else 0.01,
        "format": None if kind is int else "%.4g",
        "help": option.help,
    }
