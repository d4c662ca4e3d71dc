"""Lab: choose a question about the methods, run it on these data or on simulated ones, read the verdict."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from math import isfinite
from typing import Any

import streamlit as st

from mtsig import Corpus, MtsigError, read_sample
from mtsig._writing import visible
from mtsig.corpus._notes import capital_first
from mtsig.figures import Picture
from mtsig.inference import CORRECTIONS, INTERVALS, TESTS
from mtsig.lab import EXPERIMENTS, NEWS, Experiment, Material, of_experiment, run
from mtsig.lab._blind_spots import SentenceVariants
from mtsig.lab._material import LabResult
from mtsig.lab._test_sets import Separation
from mtsig.lab._words import experiment_bundle, in_words, law_text, rows_in_words
from mtsig.lab._worlds import KOEHN_SCORES, NULLS
from mtsig.metrics import METRICS
from mtsig.report import Table
from mtsig.report._table import records_table
from mtsig_dashboard import compute, session
from mtsig_dashboard.memory import answered, asked, asked_here
from mtsig_dashboard.parts import forms, frame, pictures, show
from mtsig_dashboard.parts.forms import Named, form, one_of, some_of
from mtsig_dashboard.parts.show import plain

# What experiments call columns of shares.
_SHARES = ("share",)

# Numbers of one kind that an experiment goes through; and letters of a title of two lines.
_MOST_NUMBERS, _TITLE = 100, 120

_NEEDS_TEXT = "This experiment needs data with texts: the outputs of systems and a reference."
_NEEDS_METRICS = "This experiment needs data: it compares several metrics on the same systems."

DATA, SIMULATED = "These data", "Simulated segments with known truth"
_WORDS = {
    "sizes": "Sizes", "sets": "Test sets of each size", "tests": "Tests",
    "effects": "Shares of the observed difference", "shares": "Shares of the words to keep", "nulls": "Null hypotheses",
}  # fmt: skip
_NAMES: dict[str, dict[str, str]] = {
    "tests": {name: capital_first(test.label) for name, test in TESTS.items()},
    "nulls": {name: capital_first(words) for name, words in NULLS.items()},
}
_CHOICES: Named = {
    "interval": {name: capital_first(method.label) for name, method in INTERVALS.items()},
    "correction": {name: capital_first(method.label) for name, method in CORRECTIONS.items()},
    "null": _NAMES["nulls"],
    "drawn": {"auto": "Documents where known", "segments": "Segments", "documents": "Documents"},
    "unit": {"auto": "Recommended", "segment": "Segments", "block": "Blocks of segments", "document": "Documents"},
    "sampling": {
        "auto": "Spread over all the data if there are enough segments",
        "broad": "Broad: no neighbours",
        "random": "At random",
    },
}
# Columns that records call by signs.
_TITLES = {"z": "difference, measured in standard errors", "median_z": "median, measured in standard errors"}
# Options that are shares, as percentages on the page.
_PERCENTS = ("level", "alpha", "power")


def page() -> None:
    """Draw the page."""
    head, data = frame.current(), session.current().data
    with head.chosen:
        labels = {name: known.label for name, known in EXPERIMENTS.items()}
        chosen = EXPERIMENTS[one_of("Experiment", "experiment", labels, in_bar=True)]
    head.say(chosen.label)
    corpus = show.loaded() if data.scorable else None
    if corpus is None and data.corpus is not None:
        with show.state("No reference", "", "no-reference"):
            show.onward(session.DATA, "Add a reference on the Data page")
    if corpus is None and not _can_simulate(chosen):
        head.say(chosen.label, chosen.about)
        if data.corpus is None:
            st.write(_NEEDS_TEXT if chosen.needs_text else _NEEDS_METRICS)
            show.missing()
        return
    # Not in the closed box, where nobody would see how far the work is.
    found = st.container(key="lab-found")
    with head.more, st.popover("Options of the experiment"):
        material, given = _material(corpus, chosen, found)
        experiment = _options(chosen, material)
    with found:
        result = _result(experiment, material)
        if result is not None:
            _found(experiment, result, given)
    asks = "" if result is None else f"{chosen.about} "
    st.caption(plain(f"{asks}{f'{given} ' if material.corpus is None else ''}From {chosen.paper}."))
    if data.corpus is None:
        st.write("Without data, this experiment runs on simulated segments whose true scores are known.")
        show.missing(needed=False)
    # Before the experiment was run, that is what to do next.
    place = show.steps() if result is None else head.step
    tables: dict[str, Mapping[str, Any]] = {"interval": INTERVALS, "correction": CORRECTIONS}
    methods = {name: own for name, known in tables.items() if (own := getattr(experiment, name, None)) in known}
    if methods and data.corpus is not None:
        if place.button(_BY_THESE, on_click=_choose, args=(methods,), key="by-these-methods"):
            session.current().open_page(session.RESULTS)
    else:
        show.onward(session.RESULTS, _BY_THESE, place=place)


_BY_THESE = "See the results of your systems"


def _choose(methods: Mapping[str, str]) -> None:
    """Let the bar of all pages have the methods of an experiment; for callbacks."""
    for name, method in methods.items():
        session.choose(name, method)


def _result(experiment: Experiment[Any], material: Material) -> LabResult | None:
    """Run the experiment when that is wanted, and keep in mind which one has begun until it ends."""
    view, place = session.current().view, st.empty()
    result: LabResult | None = None if experiment.at_once else answered(run, experiment, material)
    if result is None and not experiment.at_once:
        begun = "" if view.experiment is None else f"{view.experiment} {_STOPPED}"
        why = f"{begun}Press Run. If these choices have been run before, the result is shown at once."
        with place.container(), show.state(experiment.about, why):
            if not st.button("Run", type="primary"):
                return None
        view.experiment = experiment.label
    try:
        result = result or asked(f"{experiment.label} …", run, experiment, material)
    except Exception:  # it failed; a stop is no Exception, and leaves the name of what was stopped
        view.experiment = None
        raise
    view.experiment = None
    place.empty()
    return result


_STOPPED = "was stopped before it ended. Changing an option or leaving the page stops it. "


def _can_simulate(chosen: Experiment[Any]) -> bool:
    """Return whether simulated segments, which have no words and one metric, are enough for an experiment."""
    return not chosen.needs_text and len(chosen.suggested) == 1


def _material(corpus: Corpus | None, chosen: Experiment[Any], work: Any) -> tuple[Material, str]:
    """Return what the experiment runs on, and what that is in words; work: the place that shows how far that is."""
    where: str | None = DATA
    if corpus is not None and _can_simulate(chosen):
        where = st.segmented_control(
            "On", [DATA, SIMULATED], default=DATA, required=True, label_visibility="collapsed", **forms.bound("on")
        )
    if corpus is None or where == SIMULATED:
        with work:
            population = asked("Simulating …", NEWS.simulate, KOEHN_SCORES)
        return Material.of(population), f"{population.origin}; six systems with the scores of Koehn (2004)."
    if chosen.of_references and session.current().data.is_sample:
        corpus = asked_here(read_sample, every_reference=True)
    choices = session.current().selection.choices
    metrics = [*choices.metrics]
    if len(chosen.suggested) > 1 and len(metrics) == 1:
        metrics += [METRICS[name] for name in chosen.suggested if METRICS[name] not in metrics]
    elif chosen.only is not None:
        own = [measured for measured in metrics if isinstance(measured, chosen.only)]
        metrics = own or [METRICS[name] for name in chosen.suggested]
    elif len(chosen.suggested) == 1:
        metrics = [forms.shown_metric(choices)]
    with work:
        statistics = tuple(compute.measured(corpus, measured) for measured in metrics)
    names = ", ".join(counted.metric.name for counted in statistics)
    return Material(statistics, corpus), f"{len(corpus)} segments: {names}"


def _options(chosen: Experiment[Any], material: Material) -> Experiment[Any]:
    """Draw the options and return the experiment with them."""
    prefix = f"{chosen.name}."
    try:
        values = form(chosen, prefix, _CHOICES, percents=_PERCENTS) | _named(chosen, material, prefix)
        with st.expander("More"):
            values |= form(chosen, prefix, _CHOICES, advanced=True, percents=_PERCENTS)
        return replace(chosen, **values)
    except MtsigError as error:
        st.error(plain(f"{error} The defaults are used instead."))
        return chosen


def _named(chosen: Experiment[Any], material: Material, prefix: str) -> dict[str, Any]:
    """Draw the fields that are no options: systems, and lists of numbers or names."""
    values: dict[str, Any] = {}
    names = {field.name for field in fields(chosen) if "label" not in field.metadata}
    systems = material.first.best_first if material.statistics else ()
    if "system" in names and systems:
        values["system"] = st.selectbox("System", systems, format_func=visible, **forms.bound(f"{prefix}system"))
    # Of this one a picture of all pairs says more.
    one_pair = not isinstance(chosen, Separation) or st.toggle("One pair", **forms.bound(f"{prefix}one"))
    if "pair" in names and one_pair and len(systems) > 1:
        left, right = st.columns(2)
        first = left.selectbox("First system", systems, index=0, format_func=visible, **forms.bound(f"{prefix}first"))
        second = right.selectbox(
            "Second system", systems, index=1, format_func=visible, **forms.bound(f"{prefix}second")
        )
        values["pair"] = (first, second)
    for name in (name for name in _WORDS if name in names):
        plain_values: Sequence[Any] = getattr(chosen, name)
        if name in _NAMES:
            values[name] = some_of(_WORDS[name], prefix + name, _NAMES[name], plain_values)
            continue
        text = st.text_input(
            _WORDS[name], " ".join(f"{plain_value:g}" for plain_value in plain_values), **forms.bound(prefix + name)
        )
        values[name] = _numbers(text, type(plain_values[0]), plain_values)
    return values


def _numbers(text: str, kind: type, default: Sequence[Any]) -> tuple[Any, ...]:
    try:
        numbers = tuple(kind(piece) for piece in text.replace(",", " ").split()[: _MOST_NUMBERS + 1])
        are_numbers = len(numbers) <= _MOST_NUMBERS and all(map(isfinite, numbers))
    except (ValueError, OverflowError):  # an integer of 400 digits is larger than any float
        are_numbers = False
    if not are_numbers:
        expected = f"Expected at most {_MOST_NUMBERS} numbers with spaces between them"
        st.warning(plain(f"{expected}; found {text[:200]!r}."))
        return tuple(default)
    return numbers or tuple(default)


def _found(experiment: Experiment[Any], result: LabResult, given: str) -> None:
    """Say what was found, and show it: figures, tables, files."""
    law = law_text(result)
    first, _, rest = law.partition(". ")
    # A finding that is longer than a title stands below the name of the experiment.
    title, lede = (first, rest) if len(first) <= _TITLE else (experiment.label, law)
    frame.current().say(title.removesuffix("."), lede)
    if isinstance(result, SentenceVariants):
        _sentence(result)
    drawn = of_experiment(result)
    for title, picture in drawn.items():
        st.header(title)
        alt = f"{experiment.label}: {title}"
        pictures.figure(picture, key=f"{experiment.name}-{title}", alt=alt, how_to_read=f"experiment-{_stem(title)}")
    for title, rows in result.summaries().items():
        st.header(title)
        pictures.table(_titled(records_table(in_words(rows), shares=_SHARES, decimals=result.decimals)), alt=title)
    show.fold("All numbers", "lab-numbers", _all_numbers, experiment, result)
    show.quiet(result.notes, "About this experiment")
    frame.current().downloads(_files, experiment, result, drawn, given)


def _files(experiment: Experiment[Any], result: LabResult, drawn: Mapping[str, Picture], given: str) -> None:
    """Offer numbers and figures as files, written only when they are asked for."""

    def bundle() -> str:
        return json.dumps(experiment_bundle(experiment, result, law_text(result), given), indent=1, ensure_ascii=False)

    numbers = records_table(result.rows(), given=result.given_names, shares=_SHARES)
    with st.container(horizontal=True):
        pictures.csv("CSV", lambda: numbers, f"{experiment.name}.csv")
        st.download_button("JSON", bundle, f"{experiment.name}.json", "application/json", on_click="ignore")
    if drawn:
        _for_paper(drawn)


def _all_numbers(experiment: Experiment[Any], result: LabResult) -> None:
    said = records_table(rows_in_words(result), "", result.given_names, _SHARES, result.decimals)
    pictures.table(_titled(said), alt=f"{experiment.label}: all numbers")


def _stem(title: str) -> str:
    """Return the stem of the files of a figure with this title."""
    return title.lower().replace(" ", "-")


def _titled(numbers: Table) -> Table:
    """Return a table with words for those of its columns that have signs."""
    return numbers.seen({name: _TITLES.get(name, "") for name in numbers.names})


def _for_paper(drawn: Mapping[str, Picture]) -> None:
    """Offer the figures for papers: how wide, and each by its title in every format."""
    from mtsig.figures._paper import glyph_notes  # which loads what draws on paper

    show.quiet(note for picture in drawn.values() for note in glyph_notes(picture))
    paper = pictures.paper_width()
    for title, picture in drawn.items():
        pictures.for_paper(picture, _stem(title), title, paper)


def _sentence(sentence: SentenceVariants) -> None:
    """Show the translation and its references; bold is what matches, by at least two words together."""
    st.markdown("**Translation** " + _marked(sentence.matched.words, sentence.matched.reach()))
    for number, words in enumerate(sentence.references, 1):
        st.markdown(f"**Reference {number}** " + _marked(words, sentence.reference_reach(number - 1)))
    st.caption("Bold words are in a matched n-gram of two words or more. Words in italics match only as single words.")
    st.header("Strings with the same score")
    strings = [
        {
            "what": variant.kind,
            "text": " ".join(variant.words),
            "matches": "/".join(map(str, variant.counts)),
            "sentence BLEU": variant.bleu,
        }
        for variant in sentence.variants()
    ]
    pictures.table(records_table(strings), alt="The translation, other orders of its phrases, and other words")


def _marked(words: Sequence[str], reach: Sequence[int]) -> str:
    marks = {0: "", 1: "*"}
    return " ".join(
        f"{marks.get(n, '**')}{plain(word)}{marks.get(n, '**')}" for word, n in zip(words, reach, strict=True)
    )


show.guarded(page)
