"""What one visitor has loaded and chosen; the only file that touches st.session_state."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from mtsig import Corpus, MtsigError, Part, assemble

_CORPUS, _PARTS, _PROBLEM, _UPLOAD, _CLICKS, _STARTED, _CHOICES = (
    "loaded_corpus", "loaded_parts", "load_problem", "upload_digest", "clicks", "started", "choices",
)  # fmt: skip
FIRST, SECOND = "first", "second"
"""Keys of the two systems chosen on the Compare page."""


def corpus() -> Corpus | None:
    """Return the loaded corpus; None when there is none, or when its files do not fit together."""
    found: Corpus | None = st.session_state.get(_CORPUS)
    return found


def parts() -> list[Part]:
    """Return the files behind the corpus with their roles."""
    found: list[Part] = st.session_state.get(_PARTS, [])
    return found


def problem() -> str | None:
    """Return why the loaded files make no corpus."""
    found: str | None = st.session_state.get(_PROBLEM)
    return found


def load_parts(chosen: Sequence[Part]) -> None:
    """Make a corpus of the parts; what is wrong with them is kept as the problem."""
    st.session_state[_PARTS] = list(chosen)
    try:
        st.session_state[_CORPUS] = assemble(chosen)
        st.session_state[_PROBLEM] = None
    except MtsigError as error:
        st.session_state[_CORPUS] = None
        st.session_state[_PROBLEM] = str(error)


def load_corpus(read: Corpus) -> None:
    """Take a corpus that was read elsewhere."""
    st.session_state[_CORPUS] = read
    st.session_state[_PARTS] = []
    st.session_state[_PROBLEM] = None


def fail(message: str) -> None:
    """Keep the reason why nothing could be loaded."""
    st.session_state[_CORPUS] = None
    st.session_state[_PARTS] = []
    st.session_state[_PROBLEM] = message


def forget() -> None:
    """Drop the data, and the drop zone's files with them."""
    for key in (_CORPUS, _PARTS, _PROBLEM, _UPLOAD, FIRST, SECOND):
        st.session_state.pop(key, None)
    st.session_state[_CLICKS] = clicks() + 1


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


def keep_choice(key: str, options: Sequence[Any], default: Any) -> None:
    """Make sure that the widget `key` holds one of the options: old choices may belong to other data."""
    if st.session_state.get(key) not in options:
        st.session_state[key] = default


def keep_choices(chosen: Any) -> None:
    """Keep what the sidebar says, for the page that is drawn next."""
    st.session_state[_CHOICES] = chosen


def choices() -> Any:
    """Return what the sidebar says."""
    return st.session_state[_CHOICES]


def clicks() -> int:
    """Return a number that grows with every choice by click: part of widget keys whose selection must not linger."""
    return int(st.session_state.get(_CLICKS, 0))
