"""What one visitor has loaded and chosen; the only file that touches st.session_state."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from mtsig import Corpus, MtsigError, selected
from mtsig.corpus import runs_by_name
from mtsig.readers import Part, assemble
from mtsig.study import AnalysisPlan

_CORPUS, _PARTS, _PROBLEM, _UPLOAD, _CLICKS, _STARTED, _CHOICES, _SAMPLE, _RUN_OF, _PLAN, _PAIR, _WHOLE, _SLICES = (
    "loaded_corpus", "loaded_parts", "load_problem", "upload_digest", "clicks", "started", "choices", "is_sample",
    "run_of", "analysis_plan", "language_pair", "whole_corpus", "chosen_slices",
)  # fmt: skip
FIRST, SECOND = "first", "second"
"""Keys of the two systems chosen on the Compare page."""


def corpus() -> Corpus | None:
    """Return the loaded corpus, or the part of it that was chosen; None when there is none that fits together."""
    found: Corpus | None = st.session_state.get(_CORPUS)
    return found


def whole() -> Corpus | None:
    """Return the whole loaded corpus, whatever part of it was chosen."""
    found: Corpus | None = st.session_state.get(_WHOLE)
    return found


def slices() -> dict[str, tuple[str, ...]]:
    """Return the slices that were chosen: way to slice -> names; empty for the whole test set."""
    found: dict[str, tuple[str, ...]] = st.session_state.get(_SLICES, {})
    return found


def choose_slices(chosen: Mapping[str, Sequence[str]]) -> None:
    """Take a part of the loaded corpus.

    Raises:
        NotApplicable: no segment is in all of these slices; then nothing is changed.
    """
    corpus = whole()
    if corpus is not None:
        kept = {by: tuple(names) for by, names in chosen.items() if names}
        st.session_state[_CORPUS] = selected(corpus, list(kept.items()))
        st.session_state[_SLICES] = kept


def parts() -> list[Part]:
    """Return the files behind the corpus with their roles."""
    found: list[Part] = st.session_state.get(_PARTS, [])
    return found


def used_parts() -> list[Part]:
    """Return the files that play a role, of the language pair that is meant."""
    pair = language_pair()
    used = [part for part in parts() if part.role != "ignored"]
    return [part for part in used if pair is None or part.language_pair in {pair, None}]


def problem() -> str | None:
    """Return why the loaded files make no corpus."""
    found: str | None = st.session_state.get(_PROBLEM)
    return found


def load_parts(chosen: Sequence[Part]) -> None:
    """Make a corpus of the parts; what is wrong with them is kept as the problem."""
    st.session_state[_PARTS] = list(chosen)
    try:
        st.session_state[_CORPUS] = st.session_state[_WHOLE] = assemble(chosen, language_pair())
        st.session_state[_PROBLEM] = None
    except MtsigError as error:
        st.session_state[_CORPUS] = st.session_state[_WHOLE] = None
        st.session_state[_PROBLEM] = str(error)
    try:
        choose_slices(slices())
    except MtsigError:
        # The chosen slices are those of other data.
        st.session_state[_SLICES] = {}


def language_pairs() -> list[str]:
    """Return the language pairs of the loaded files, when these are sorted so."""
    return list(dict.fromkeys(part.language_pair for part in parts() if part.language_pair is not None))


def language_pair() -> str | None:
    """Return which of several language pairs is meant: the one that was chosen, or the first."""
    pairs = language_pairs()
    chosen: str | None = st.session_state.get(_PAIR)
    if len(pairs) < 2:
        return None
    return chosen if chosen in pairs else pairs[0]


def choose_language_pair(pair: str) -> None:
    """Take the files of this language pair."""
    st.session_state[_PAIR] = pair
    load_parts(parts())


def add_parts(new: Sequence[Part]) -> None:
    """Add dropped files to those that are there: what was renamed or given another role stays so.

    A file with the label of an earlier one replaces it, unless nothing in it changed. The sample data give way.
    """
    before = {} if st.session_state.get(_SAMPLE) else {part.label: part for part in parts()}
    st.session_state[_SAMPLE] = False
    for part in new:
        old = before.get(part.label)
        if old is None or old.lines != part.lines or (part.scored is not None and old.file != part.file):
            before[part.label] = part
    load_parts(list(before.values()))


def load_sample(sample: Sequence[Part]) -> None:
    """Take the sample data; files dropped later replace them."""
    load_parts(sample)
    st.session_state[_SAMPLE] = True


def is_sample() -> bool:
    """Return whether the loaded data are the sample."""
    return bool(st.session_state.get(_SAMPLE))


def fail(message: str) -> None:
    """Keep the reason why nothing could be loaded."""
    st.session_state[_CORPUS] = st.session_state[_WHOLE] = None
    st.session_state[_PARTS] = []
    st.session_state[_PROBLEM] = message


def forget() -> None:
    """Drop the data, and the drop zone's files with them."""
    for key in (_CORPUS, _PARTS, _PROBLEM, _UPLOAD, _RUN_OF, _PAIR, _WHOLE, _SLICES, FIRST, SECOND):
        st.session_state.pop(key, None)
    st.session_state[_CLICKS] = clicks() + 1


def run_of(outputs: Sequence[str]) -> dict[str, str]:
    """Return for every output the system it is a run of: as the visitor said, else as its name says."""
    said: dict[str, str] = st.session_state.get(_RUN_OF, {})
    named = {run: system for system, found in runs_by_name(outputs).items() for run in found}
    return {output: said.get(output, named[output]) for output in outputs}


def keep_run_of(chosen: Mapping[str, str]) -> None:
    """Keep which output is a run of which system."""
    st.session_state[_RUN_OF] = dict(chosen)


def grouped(outputs: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return system -> its runs."""
    found: dict[str, list[str]] = {}
    for output, system in run_of(outputs).items():
        found.setdefault(system, []).append(output)
    return {system: tuple(several) for system, several in found.items()}


def runs(outputs: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return system -> its runs, for the systems that have several."""
    return {system: several for system, several in grouped(outputs).items() if len(several) > 1}


def is_new_upload(digest: str) -> bool:
    """Return whether these uploaded files are others than the last ones, and remember them."""
    new = bool(st.session_state.get(_UPLOAD) != digest)
    st.session_state[_UPLOAD] = digest
    return new


def first_visit() -> bool:
    """Return True once per visit."""
    new = _STARTED not in st.session_state
    st.session_state[_STARTED] = True
    return new


def choose_pair(first: str, second: str) -> None:
    """Choose the systems that the Compare page opens with."""
    st.session_state[FIRST] = first
    st.session_state[SECOND] = second
    st.session_state[_CLICKS] = clicks() + 1


def pair(ranked: Sequence[str]) -> tuple[str, str]:
    """Return the two systems chosen on the Compare page, or the two best where none of these were."""
    chosen = st.session_state.get(FIRST), st.session_state.get(SECOND)
    if chosen[0] in ranked and chosen[1] in ranked and chosen[0] != chosen[1]:
        return str(chosen[0]), str(chosen[1])
    return ranked[0], ranked[1]


def plan() -> AnalysisPlan | None:
    """Return the analysis plan that was given; it outlives a change of page, which drops uploaded files."""
    found: AnalysisPlan | None = st.session_state.get(_PLAN)
    return found


def keep_plan(chosen: AnalysisPlan | None) -> None:
    """Keep the plan, or forget it."""
    st.session_state[_PLAN] = chosen


def drop_stale(key: str, options: Sequence[Any]) -> None:
    """Forget the choice of widget `key` when it is none of the options: it belongs to other data."""
    if key in st.session_state and st.session_state[key] not in options:
        del st.session_state[key]


def keep_only(key: str, options: Sequence[Any]) -> None:
    """Forget those choices of widget `key` that are none of the options: they belong to other data."""
    if key in st.session_state:
        st.session_state[key] = [one for one in st.session_state[key] or [] if one in options]


def keep_choices(chosen: Any) -> None:
    """Keep what the sidebar says, for the page that is drawn next."""
    st.session_state[_CHOICES] = chosen


def choices() -> Any:
    """Return what the sidebar says."""
    return st.session_state[_CHOICES]


def clicks() -> int:
    """Return a number that grows with every choice by click: part of widget keys whose selection must not linger."""
    return int(st.session_state.get(_CLICKS, 0))
