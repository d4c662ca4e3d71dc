"""How several test sets are taken together: boxes go in, what the visitor chose comes out, as a study asks for it.

What was chosen is kept in the boxes alone, and on every page in the address, so that the page Paper asks the same
whether its boxes were drawn before or not.
"""

import re
from collections.abc import Sequence
from typing import Any

import streamlit as st

from mtsig.collection import weights_from
from mtsig.metrics import Option
from mtsig.study import HOW_OVER_SETS, OverSetsRequest
from mtsig_dashboard import address, forms, session

PREFIX = session.OVER_SETS

WEIGHTS = Option(
    "weights", str, False, "equal", "Weights of the sets",
    "What each set counts for in the average. It is part of the question: fix it before looking.",
    ("equal", "segments", "given"),
)  # fmt: skip

NAMES: forms.Named = {
    "weights": {"equal": "every set alike", "segments": "by its segments", "given": "given by set"},
    "units": {"shared": "one unit in all of them", "separate": "different units"},
    "family": {"joint": "all sets and pairs together", "per-set": "every set by itself"},
    "combine": {"bonferroni": "Bonferroni, any dependence", "fisher": "Fisher, independent sets only"},
    "separate": {"nemenyi": "Nemenyi", "wilcoxon-holm": "Wilcoxon with Holm"},
}


_BOXES = (WEIGHTS, *HOW_OVER_SETS)
_GIVEN = f"{PREFIX}given"


def keep() -> None:
    """Let boxes that were not drawn yet say what the address says, and the address what they say, on any page."""
    for option in _BOXES:
        forms.begin(option, PREFIX + option.name)
        address.say(PREFIX + option.name, _said(option), option.default)
    if session.choice(_GIVEN) is None and address.said(_GIVEN):
        session.choose(_GIVEN, address.said(_GIVEN))
    address.say(_GIVEN, session.choice(_GIVEN) or "" if _said(WEIGHTS) == "given" else "", "")


def chosen() -> OverSetsRequest:
    """Return what the boxes say, drawn or not; of whatever sets there are, because the visitor fixes none.

    Raises:
        InvalidOption: weights that are none.
    """
    weights = [_said(WEIGHTS)]
    if weights == ["given"]:
        weights = _weighed()
    return OverSetsRequest((), weights_from(weights), **{option.name: _said(option) for option in HOW_OVER_SETS})


def draw(sets: Sequence[str]) -> None:
    """Draw the boxes, in the words of the command line in the address."""
    changed = any(_said(option) != option.default for option in _BOXES)
    with st.expander("How the sets are taken together", expanded=changed):
        places = st.columns(2)
        with places[0]:
            if forms.widget(WEIGHTS, f"{PREFIX}weights", NAMES["weights"], {}) == "given":
                _given(sets)
        for number, option in enumerate(HOW_OVER_SETS, 1):
            with places[number % 2]:
                forms.widget(option, PREFIX + option.name, NAMES[option.name], {})


def _said(option: Option) -> Any:
    """Return what a box says, or the default where it says nothing yet."""
    said = session.choice(PREFIX + option.name)
    return option.default if said is None else said


def _weighed() -> list[str]:
    """Return the weights that were written, each with its set, whose name may have spaces in it."""
    text, weighed, begins = session.choice(_GIVEN) or "", [], None
    words = list(re.finditer(r"\S+", text))
    for number, word in enumerate(words):
        begins = number if begins is None else begins
        if "=" in word[0][(number == begins) : -1]:
            weighed.append(text[words[begins].start() : word.end()])
            begins = None
    return [*weighed, *(word[0] for word in words[len(words) if begins is None else begins :])]


def _given(sets: Sequence[str]) -> None:
    """Draw a line for the weight of each set; one that was emptied says again that they are alike."""
    if not session.choice(_GIVEN):
        session.choose(_GIVEN, " ".join(f"{name}=1" for name in sets))
    st.text_input(
        "Weight of each set",
        help="SET=NUMBER for each set, with spaces between them; only their relation counts.",
        key=_GIVEN,
        persist_state="session",
    )
    address.say(_GIVEN, session.choice(_GIVEN), "")
    if {pair.rpartition("=")[0] for pair in _weighed()} != set(sets):
        st.warning("These weights are not of the sets that are here: each set takes one.")
        st.button("Weigh every set alike again", on_click=session.choose, args=(_GIVEN, ""))
