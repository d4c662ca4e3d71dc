"""How several test sets are taken together: boxes go in, what the visitor chose comes out, as a study asks for it."""

from collections.abc import Sequence

import streamlit as st

from mtsig.options import Option
from mtsig.sets import weights_from
from mtsig.study import HOW_OVER_SETS, OverSetsRequest
from mtsig_dashboard import forms, session

PREFIX = "over_"

WEIGHTS = Option(
    "weights", str, False, "equal", "Weights of the sets",
    "What each set counts for in the average. It is part of the question: fix it before looking.",
    ("equal", "segments", "given"),
)  # fmt: skip

NAMES: forms.Named = {
    "weights": {"equal": "every set alike", "segments": "by its segments", "given": "given by set"},
    "units": {"shared": "one unit in all of them", "separate": "different units"},
    "family": {"joint": "all sets × pairs (joint)", "per-set": "every set by itself"},
    "combine": {"bonferroni": "Bonferroni, any dependence", "fisher": "Fisher, independent sets only"},
    "separate": {"nemenyi": "Nemenyi", "wilcoxon-holm": "Wilcoxon with Holm"},
}


def chosen(sets: Sequence[str]) -> OverSetsRequest:
    """Draw the boxes, in the words of the command line in the address, and return what they say.

    Raises:
        InvalidOption: weights that are none.
    """
    changed = session.current().selection.over != OverSetsRequest()
    with st.expander("How the sets are taken together", expanded=changed):
        places = st.columns(2)
        with places[0]:
            weights = [forms.widget(WEIGHTS, f"{PREFIX}weights", NAMES["weights"], {})]
            if weights == ["given"]:
                weights = _given(sets).split()
        said = {}
        for number, option in enumerate(HOW_OVER_SETS, 1):
            with places[number % 2]:
                said[option.name] = forms.widget(option, PREFIX + option.name, NAMES[option.name], {})
    return OverSetsRequest(tuple(sets), weights_from(weights), **said)


def _given(sets: Sequence[str]) -> str:
    """Draw a line for the weight of each set, and return it."""
    usual, key = " ".join(f"{name}=1" for name in sets), f"{PREFIX}given"
    option = Option(
        "given", str, False, usual, "Weight of each set",
        "SET=NUMBER for each set, with spaces between them; only their relation counts.",
    )  # fmt: skip
    forms.begin(option, key)
    text = st.text_input(option.label, help=option.help, key=key, persist_state="session") or usual
    forms.address(key, text, usual)
    return text
