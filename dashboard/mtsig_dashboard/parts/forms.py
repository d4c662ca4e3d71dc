"""Options become widgets, and choices an address: what a link says, and that it goes on saying what was chosen.

A widget that shows what stands in the address is bound to it by Streamlit. One that shows other words (a method by its
name, a share in percent) is not: what it means is put into the address here, as the command line writes it.
"""

from collections.abc import Collection, Mapping, Sequence
from math import isfinite
from typing import Any, Literal, TypedDict, TypeVar, cast

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import get_session_state
from streamlit.runtime.state.common import is_element_id

from mtsig import InvalidOption
from mtsig.corpus._notes import capital_first
from mtsig.metrics import Metric, Option, Rated, options
from mtsig_dashboard import session
from mtsig_dashboard.parts.show import plain
from mtsig_dashboard.state import Choices

MOST_CHARACTERS = 2**16
"""Characters of an address: no browser's request has room for more, but what a page sends by itself has."""


class Bound(TypedDict):
    """What makes a widget one that the address speaks of."""

    key: str
    bind: Literal["query-params"]


def said(name: str) -> str:
    """Return what the address says under a name that no widget has; empty where it says nothing."""
    return st.query_params.get(name, "")


def expected(key: str) -> str:
    """Return what a widget that comes later in this run will say, by the address where it was not drawn yet."""
    value = session.choice(key)
    return said(key) if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def say(name: str, value: str | Sequence[str], default: str | Sequence[str] = "") -> None:
    """Let the address say one thing or several under a name that no widget is bound to; nothing for the default."""
    values, usual = ([said] if isinstance(said, str) else list(said) for said in (value, default))
    if values == usual:
        st.query_params.pop(name, None)
    elif st.query_params.get_all(name) != values:
        st.query_params[name] = values


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


def note_defaults() -> None:
    """Take down, at the end of a run, what widgets say that were drawn for the first time: what comes next is a choice.

    Streamlit's page may forget them from the start, where it was slow.
    """
    drawn = session.current().view.drawn
    drawn |= {key: (session.choice(key), text) for key, (value, text) in drawn.items() if value is None}


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
    """Let go of an address that is longer than any can be, and return whether it was: before anything reads it.

    Of one that is not, let go of keys that Streamlit refuses to look for.
    """
    length = sum(len(name) + len(value) for name in st.query_params for value in st.query_params.get_all(name))
    if length <= MOST_CHARACTERS:
        _let_go([name for name in st.query_params if not name or is_element_id(name)])
        return False
    _let_go(list(st.query_params))
    return True


def take_up_again() -> None:
    """Take the whole address where the visitor has gone back or forward in the browser: it is that page's as it was.

    Streamlit drops what widgets of the page that is left have names for; those of the page that is shown have the same.
    """
    context = get_script_run_ctx()
    if context is None or not context.is_history_navigation:
        return
    with get_session_state().query_params() as params:
        params.populate_from_query_string(context.query_string)
        params.set_initial_query_params_from_current()
    st.query_params.update({})  # the browser was told what was left


def _let_go(keys: Sequence[str]) -> None:
    """Take keys out of the address, and out of what Streamlit keeps of it for widgets that are not yet drawn."""
    with get_session_state().query_params() as params:
        for key in keys:
            params.remove_param(key)
        params.set_initial_query_params_from_current()


def bound_or_empty(key: str, default: Sequence[str]) -> dict[str, Any]:
    """Return the same for a widget of several choices that begins with some: an address can say that none is left.

    Streamlit leaves an empty list out of the address, as what is said at first: another name says it.
    """
    emptied, value = f"no.{key}", session.choice(key)
    begins: Sequence[str] | None = default
    if value is None and said(emptied):
        session.choose(key, [])
        begins = None  # Streamlit logs a default beside what was written
    elif value is not None:
        say(emptied, "" if value else "true")
    return {**bound(key), "default": begins}


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
        return st.checkbox(option.label, value=bool(option.default), help=option.help, **bound(key))
    if option.type in (int, float):
        return _number(option, key) if names is None else _number_by_hand(option, key, unused)
    return st.text_input(option.label, value=option.default or "", help=option.help, **bound(key))


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
    say(key, name, option.default)
    said = capital_first(f"{unused}.") if unused else about.get(name)
    if said:
        st.caption(plain(said))
    return name


def one_of(label: str, key: str, names: Mapping[str, str], *, in_bar: bool = False) -> str:
    """Draw choices that are no option's by their names on the page, the first one chosen; the address has their codes.

    names: code -> name. in_bar: whether it stands in the bar, where its choice says what it is.
    """
    if session.choice(key) not in names:
        code = said(key)
        session.choose(key, code if code in names else next(iter(names)))
    width = min(340, 70 + 7 * max(map(len, names.values())))
    options: dict[str, Any] = {"label_visibility": "collapsed", "width": width} if in_bar else {}
    code = st.selectbox(label, list(names), format_func=names.__getitem__, key=key, persist_state="session", **options)
    say(key, str(code), next(iter(names)))
    return str(code)


def some_of(label: str, key: str, names: Mapping[str, str], default: Sequence[str]) -> tuple[str, ...]:
    """Draw several choices by their names on the page; the address has their codes, and says when none is left.

    names: code -> name. default: the codes that are chosen at first.
    """
    if session.choice(key) is None:
        told = [code for code in st.query_params.get_all(key) if code in names]
        session.choose(key, told or ([] if said(f"no.{key}") else list(default)))
    codes = st.multiselect(label, list(names), format_func=names.__getitem__, key=key, persist_state="session")
    say(key, codes, default)
    say(f"no.{key}", "" if codes else "true")
    return tuple(codes)


def percent(option: Option, key: str) -> float:
    """Draw a share as a percentage, and return the share; the address has the share."""
    begin(option, key, 100)
    low, high = (100 * end for end in (option.low or 0.0, option.high or 1.0))
    number = st.number_input(
        f"{option.label} (%)", low, high, step=1.0, format="%.4g", help=option.help, key=key, persist_state="session"
    )
    share = round(number / 100, 12)
    say(key, f"{share:.12g}", f"{option.default:.12g}")
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
    value = st.selectbox(option.label, choices, index=choices.index(default), help=option.help, **bound(key))
    if value in about:
        st.caption(about[value])
    return None if value == _UNSET else value


def _number_by_hand(option: Option, key: str, unused: str = "") -> Any:
    begin(option, key)
    number = st.number_input(**_said(option), key=key, persist_state="session", disabled=bool(unused))
    say(key, f"{number}", f"{option.default}")
    if unused:
        st.caption(plain(capital_first(f"{unused}.")))
    return number


def _number(option: Option, key: str) -> Any:
    return st.number_input(**_said(option), value=option.default, **bound_number(key))


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


def shown_metric(choices: Choices, label: str = "") -> Metric:
    """Return the metric that a page speaks of: the only one, or the one chosen at its top.

    label: what stands above the choice, where it is not all of the page that speaks of that metric.
    """
    if len(choices.metrics) == 1:
        return choices.metrics[0]
    names = [f"{metric.name} (rating)" if isinstance(metric, Rated) else metric.name for metric in choices.metrics]
    session.drop_stale("shown", names)
    name = st.segmented_control(
        label or "Metric",
        names,
        default=names[0],
        format_func=plain,
        **bound("shown"),
        required=True,
        label_visibility="visible" if label else "collapsed",
    )
    return choices.metrics[names.index(name or names[0])]
