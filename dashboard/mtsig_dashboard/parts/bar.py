"""The bar at the head of a page: which metrics, and by which method; every choice stands in the address."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import comb
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mtsig import Corpus, MtsigError, Settings
from mtsig._writing import visible
from mtsig.corpus._notes import MIN_DOCUMENTS, capital_first, listed
from mtsig.explain import explain
from mtsig.inference import CORRECTIONS, INTERVALS, METHODS, TESTS
from mtsig.metrics import METRICS, Metric, Rated, options
from mtsig.report._families import settings_text
from mtsig_dashboard import compute, session
from mtsig_dashboard.memory import asked_at_once
from mtsig_dashboard.parts import forms
from mtsig_dashboard.parts.forms import form, percent, refused, widget
from mtsig_dashboard.parts.frame import Frame
from mtsig_dashboard.parts.show import plain
from mtsig_dashboard.state import Choices

_TOKENIZE = {"auto": explain("tokenizer-by-text")}

_FIRST_METRICS = ["bleu"]

_RECOMMENDED = "Recommended"

_LETTERS = 25
"""How many letters a box of settings shows."""

_SEEN = 4
"""Ratings that stand in the bar; more of them are behind its button."""

_CUSTOM = "custom"
"""What the chooser of methods shows when the settings are those of none."""

_METHOD, _OPENED, _MORE = "method", "change_method", "more"
"""Keys: the chooser of methods, the fold with all settings, and the metrics that few ask for."""


def draw(frame: Frame, *, teaching: bool = False, over_sets: bool = False, room: int = 8) -> None:
    """Draw what is chosen for all pages, and keep it for them.

    teaching: whether a lesson is given: then only a place for the pair is seen, with the seed. over_sets: whether the
    page is of all test sets. room: how many metrics and ratings have room beside what the page itself asks.

    It belongs to the frame, not to a page: Streamlit drops what a page's own widgets wrote into the address when the
    visitor goes on to the next page.
    """
    corpus = session.current().data.corpus
    table = _offered(corpus)
    top, (in_vain, new) = frame.strip.container(), _refused_by_link(table)
    if teaching:
        frame.chosen = st.popover("Pair and seed", key="pair-and-seed")
        with frame.chosen:
            seed()
    with frame.asked:
        seen = st.container(horizontal=True, gap="small", width="content", key="metrics-seen")
        # Its button says enough where the bar is full: of all pages but two, and of Results with differences.
        base = session.choice(session.FROM) or forms.said(session.FROM)
        is_full = frame.page not in ("Results", "Preferences") or (corpus is not None and base in corpus.systems)
        said = st.container(key="unseen-method" if is_full else "method-said", width="content")
        offers = _offers(table, room)
        has_metrics = any(is_behind for _, key, _, is_behind in offers if key != _MORE)
        opened = st.popover("Metrics and method" if has_metrics else "Method", key=_OPENED, on_change="rerun")
        try:
            metrics = _metrics_of(corpus, table, offers, seen, opened.container())
            choices = _method(frame, corpus, metrics, teaching, _corrected_together(over_sets), said, opened)
        except MtsigError as error:
            top.error(plain(f"{error} The defaults are used instead."))
            choices = Choices(tuple(table[name] for name in _first(corpus, table)), Settings())
    with top:
        _tell_refused(in_vain, new)
    session.current().selection.choices = choices


def choose_set() -> None:
    """Let the visitor choose which of several test sets the pages of one set are of."""
    visit = session.current()
    names = visit.data.set_names
    if not names:
        return
    key = f"set{visit.view.clicks}"
    st.selectbox(
        "Test set",
        names,
        format_func=visible,
        index=names.index(visit.data.set_name or names[0]),
        key=key,
        on_change=lambda: visit.choose_set(session.choice(key)),
        label_visibility="collapsed",
        width=120,
    )


def seed() -> int:
    """Draw the seed alone, and return it."""
    drawn = next(option for option in options(Settings()) if option.name == "seed")
    return int(widget(drawn, drawn.name, {}, {}))


def _first(corpus: Corpus | None, table: Mapping[str, Metric]) -> list[str]:
    """Return the metrics that are shown when none is chosen."""
    return [next(iter(table))] if _scores_only(corpus) else _FIRST_METRICS


def _refused_by_link(table: Mapping[str, Metric]) -> tuple[dict[str, str], bool]:
    """Return what the link asks for in vain, before any widget drops it, and whether this was the first look."""
    view = session.current().view
    if view.asked_in_vain is not None:
        return view.asked_in_vain, False
    texts = refused(Settings())
    for name, metric in table.items():
        texts |= refused(metric, _prefix(name))
    labels = {metric.name: _label(name, table) for name, metric in table.items()}
    for key in ("metric", "more", "rating"):
        asked = [name for name in st.query_params.get_all(key) if name]
        # The address has names as labels have them; whoever writes a link writes them as they are.
        written = [labels.get(name, name) for name in asked]
        if written != asked:
            session.choose(key, [name for name in table if _label(name, table) in written])
            st.query_params.pop(key)
        odd = [name for name in written if name not in labels.values()]
        texts |= {key: ", ".join(odd)} if odd else {}
    view.asked_in_vain = texts
    return texts, True


def _tell_refused(in_vain: Mapping[str, str], new: bool) -> None:
    """Say in one line which values of a link are not taken, until the visitor chooses others in their place."""
    # What is not taken leaves the address; what is chosen in its place comes into it.
    left = [f"{key}={text[:40]}" for key, text in in_vain.items() if new or key not in st.query_params]
    if left:
        st.warning(plain(f"The link asks for {', '.join(left)}, which is not available, so the default is used."))


def _corrected_together(over_sets: bool) -> list[Corpus]:
    """Return the test sets whose comparisons are one family: on the page of all sets all, but where each is its own."""
    data = session.current().data
    if over_sets and session.choice(f"{session.OVER_SETS}family") != "per-set":
        return list(data.sets.values())
    return [] if data.corpus is None else [data.corpus]


def _method(
    frame: Frame,
    corpus: Corpus | None,
    metrics: tuple[Metric, ...],
    teaching: bool,
    corrected_together: Sequence[Corpus],
    said: DeltaGenerator,
    opened: Any,
) -> Choices:
    """Draw the methods by name, what the chosen one does on these data, and everything that can be changed.

    said: the place in the bar of what it does. opened: the popover of all else.
    """
    unit = _unit(corpus, metrics)
    place = said.empty()
    with opened:
        by_name = st.container()
        names, abouts = _names(unit)
        level = next(option for option in options(Settings()) if option.name == "level")
        # The test comes first: what it does not use is disabled.
        rest = ("interval", "correction", "level")
        values = form(Settings(), names=names, abouts=abouts, without=rest)
        by_order = Settings(test=values["test"]).by_order
        unused = Settings(test=values["test"]).unused(unit if by_order or unit == "document" else "segment")
        values |= form(Settings(), names=names, abouts=abouts, without=("test", "level"), unused=unused)
        values |= {"level": percent(level, "level")}
        # One-sided tests need a direction per pair, declared beforehand: the pages show all pairs.
        without = ("alternative", "seed") if teaching else ("alternative",)
        values |= form(Settings(), names=names, abouts=abouts, advanced=True, without=without, unused=unused)
        if teaching:
            values["seed"] = session.choice("seed")
        joined = st.checkbox(
            "Correct for all metrics together",
            help="Correct the comparisons of all chosen metrics together, as one family.",
            **forms.bound("joined"),
        )
    settings = Settings(**values)
    fits = next((name for name, method in METHODS.items() if method.settings == settings), _CUSTOM)
    if session.choice(_METHOD) != _CUSTOM or not opened.open:
        session.choose(_METHOD, fits)
    sentence = plain(_sentence(corrected_together, metrics, settings, joined))
    place.caption(sentence)
    frame.method = lambda: place.caption(plain(_sentence(corrected_together, metrics, settings, joined)))
    with by_name:
        st.segmented_control(
            "Method",
            [*METHODS, _CUSTOM],
            format_func=lambda name: METHODS[name].label if name in METHODS else "Custom",
            key=_METHOD,
            required=True,
            on_change=_take_method,
        )
        st.caption(sentence)
        if fits in METHODS and fits != next(iter(METHODS)):
            st.caption(plain(METHODS[fits].about))
    return Choices(metrics, settings, joined)


def _take_method() -> None:
    """Set all settings to those of the method that was chosen; Custom opens them, as they are."""
    name = session.choice(_METHOD)
    if name not in METHODS:
        session.choose(_OPENED, True)
        return
    for option in options(METHODS[name].settings):
        if option.name != "alternative":
            session.choose(option.name, 100 * option.default if option.name == "level" else option.default)


def _sentence(corpora: Sequence[Corpus], metrics: tuple[Metric, ...], settings: Settings, joined: bool) -> str:
    """Return what the settings do on these data."""
    # A single system is compared with none: what the settings would do with two.
    comparisons = [max(1, sum(comb(_scored(corpus, metric), 2) for corpus in corpora)) for metric in metrics]
    judged = [sum(comparisons)] if joined else comparisons
    if settings.unit != "auto":
        return f"{settings_text(settings, settings.unit, judged)}."
    if not settings.by_order or all(corpus.documents is not None for corpus in corpora):
        return f"{settings_text(settings, _unit(corpora[0] if corpora else None), judged)}."
    units = {(metric.name, compute.unit_in_order(corpus, metric)) for metric in metrics for corpus in corpora}
    alike = [metric.name for metric in metrics if (metric.name, "block") in units]
    by_segments, by_blocks = (f"{settings_text(settings, unit, judged)}." for unit in ("segment", "block"))
    if {unit for _, unit in units} == {"block"}:
        return f"{by_blocks} Neighbouring segments have similar scores, so the units are blocks of segments."
    if any(unit is None for _, unit in units):
        return f"{by_segments} Without document ids, the units are blocks of similar neighbouring segments."
    return (
        f"{by_segments} Neighbouring segments have similar scores in {listed(alike)}: {by_blocks}"
        if alike
        else by_segments
    )


def _scored(corpus: Corpus, metric: Metric) -> int:
    """Return how many systems a metric scores: all with text, or those that were rated."""
    if not isinstance(metric, Rated):
        return len(corpus.outputs)
    try:
        return len(compute.measured(corpus, metric).systems)
    except MtsigError:  # the pages say why
        return len(corpus.systems)


def _unit(corpus: Corpus | None, metrics: Sequence[Metric] = ()) -> str:
    """Return what is drawn as a whole by default; by the order of the text where the metrics are counted."""
    documents = None if corpus is None else corpus.n_documents
    if documents is not None:
        return "document" if documents >= MIN_DOCUMENTS else "segment"
    known = {None if corpus is None else compute.unit_in_order(corpus, metric) for metric in metrics}
    return "block" if known == {"block"} else "segment"


def _names(unit: str) -> tuple[dict[str, dict[str, str]], dict[str, dict[str, str]]]:
    """Return, by setting, the names of what can be chosen, and what each is called in full, with a sentence on it.

    A box of settings shows some 25 letters: what is recommended is called so there, and by its name below. A name
    that fits and has no sentence is not said again.
    """
    usual = Settings().resolved(unit)
    tables: dict[str, Mapping[str, Any]] = {"test": TESTS, "interval": INTERVALS, "correction": CORRECTIONS}
    names, abouts = {}, {}
    for option, table in tables.items():
        labels = {name: getattr(method, "title", capital_first(method.label)) for name, method in table.items()}
        default = getattr(usual, option)
        names[option] = {"auto": _RECOMMENDED, **labels}
        told = {name: f"{labels[name]}. {getattr(method, 'about', '')}".rstrip() for name, method in table.items()}
        abouts[option] = {"auto": told[default]} | {
            name: text for name, text in told.items() if len(labels[name]) > _LETTERS or text != f"{labels[name]}."
        }
    units = {"segment": "Segments", "block": "Blocks of segments", "document": "Documents"}
    names["unit"] = {"auto": _RECOMMENDED, **units}
    abouts["unit"] = {"auto": f"{units[unit]}."}
    # A method sets these numbers, too.
    names |= {"n_resamples": {}, "seed": {}}
    return names, abouts


def _scores_only(corpus: Corpus | None) -> bool:
    """Return whether there are ratings and no text that could be scored."""
    return corpus is not None and bool(corpus.ratings) and not (corpus.outputs and corpus.references)


def _offered(corpus: Corpus | None) -> dict[str, Metric]:
    """Return what can be chosen: the metrics, where there may be text to score, and the ratings of the corpus."""
    ratings: dict[str, Metric] = {}
    if corpus is not None:
        ratings = {f"rating:{name}": Rated(name).on(corpus) for name in corpus.ratings}
    return ratings if _scores_only(corpus) else {**METRICS, **ratings}


def _offers(table: Mapping[str, Metric], room: int) -> list[tuple[str, str, list[str], bool]]:
    """Return, of each kind of metrics: label, key, names, and whether they are behind the button of the method."""
    ratings = [name for name, metric in table.items() if isinstance(metric, Rated)]
    common = [name for name, metric in table.items() if name not in ratings and metric.common]
    rare = [name for name in table if name not in (*ratings, *common)]
    offers = [
        ("Metrics", "metric", common, len(common) > room),
        ("Ratings", "rating", ratings, len(ratings) > min(_SEEN, room - len(common))),
        ("More metrics", _MORE, rare, True),
    ]
    return [offer for offer in offers if offer[2]]


def _metrics_of(
    corpus: Corpus | None,
    table: dict[str, Metric],
    offers: Sequence[tuple[str, str, list[str], bool]],
    seen: DeltaGenerator,
    behind: DeltaGenerator,
) -> tuple[Metric, ...]:
    """Draw what is offered, in the bar or behind its button, and return what was chosen."""
    # A popover draws its widgets while it is closed, so what a link says of them holds.
    names, first = [], _first(corpus, table)
    usual = {"metric": _FIRST_METRICS, "rating": first if _scores_only(corpus) else []}
    for label, key, offered, is_behind in offers:
        if key == "rating":
            session.keep_only(key, offered, has_default=True)
        with behind.expander(label) if key == _MORE else behind if is_behind else seen:
            names += st.pills(
                label,
                offered,
                selection_mode="multi",
                default=usual.get(key),
                format_func=lambda name: _label(name, table),
                label_visibility="visible" if is_behind and key != _MORE else "collapsed",
                **forms.bound(key),
            )
    with behind:
        if not names:
            st.info(f"No metric is chosen, so {plain(table[first[0]].name)} is shown.")
        # In the order of the table, whatever the order of clicking: it is the order of the pages.
        return tuple(_with_options([name for name in table if name in (names or first)], table, corpus))


def _label(name: str, table: Mapping[str, Metric]) -> str:
    """Return what a metric is called where it is chosen: a rating as its file says, and labels read Markdown."""
    return plain(table[name].name) if isinstance(table[name], Rated) else table[name].name


def _with_options(names: list[str], table: Mapping[str, Metric], corpus: Corpus | None) -> list[Metric]:
    """Draw the options of each metric, and below what the text chooses; return the metrics with them."""
    options = []
    for name in names:
        with st.expander(f"Options of {plain(table[name].name)}"):
            options.append(_metric(name, table[name]))
    for metric in options:
        note = None if corpus is None else asked_at_once(metric.remark, corpus)
        if note is not None:
            st.caption(plain(note.text))
    return options


def _metric(name: str, metric: Metric) -> Metric:
    """Draw the options of a metric and return it with them."""
    st.caption(plain(metric.about))
    prefix = _prefix(name)
    tokenizers = next((option.choices for option in options(metric) if option.name == "tokenize"), None) or ()
    names = {
        "tokenize": {
            tokenizer: "By the text (recommended)" if tokenizer == "auto" else tokenizer for tokenizer in tokenizers
        },
        "smooth_method": {"exp": "Exponential", "floor": "Floor", "add-k": "Add k", "none": "None"},
    }
    abouts = {"tokenize": _TOKENIZE}
    values = form(metric, prefix, names, abouts) | form(metric, prefix, names, abouts, advanced=True)
    chosen: Metric = replace(metric, **values)  # type: ignore[type-var]
    return chosen


def _prefix(name: str) -> str:
    """Return what stands before the options of a metric in the address, where "+" would be a space."""
    return name.replace("+", "p") + "."
