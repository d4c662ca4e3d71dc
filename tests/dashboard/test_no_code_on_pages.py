"""Codes are for command lines, links and signatures: no page shows one, in whatever it shows."""

import re
from collections.abc import Callable, Iterator

from pages import uploaded, with_sample
from sampled import sampled
from shown import codes
from streamlit.testing.v1 import AppTest

from dashboard.test_lab import answer, run, set_up
from dashboard.test_test_sets import sets_zip
from dashboard.test_trust import RATED

ONE_SET = ("data", "results", "compare", "segments", "trust", "planning", "paper", "learn")

RUN = {
    "calibrate": {"simulations": 50, "n_resamples": 99},
    "multiplicity": {"simulations": 50, "n_resamples": 99, "size": 20, "most_systems": 3},
    "rerank": {"n_resamples": 100},
    "tests": {"n_resamples": 100},
    "relations": {"n_resamples": 100},
    "sensitivity": {"level": 90.0},
}
"""Experiments whose results name tests, intervals or corrections, with numbers that make them quick."""


def key_of(identity: str) -> str:
    return re.sub(r"^\$\$ID-[0-9a-f]+-", "", identity)


def opened(at: AppTest) -> Iterator[AppTest]:
    """Yield a page with every section open, then with every tab in its turn."""
    for one in at.expander:
        if getattr(one.proto, "id", ""):
            at.session_state[key_of(one.proto.id)] = True
    yield at.run()
    for block in [one for one in at.get("tab_container") if one.proto.tab_container.id]:
        for tab in block.children.values():
            at.session_state[key_of(block.proto.tab_container.id)] = tab.label
            yield at.run()


DATA: dict[str, tuple[Callable[[str], AppTest], tuple[str, ...]]] = {
    "the sample": (lambda page: with_sample(page, n_resamples="200"), ONE_SET),
    "a test of segments on BLEU": (lambda page: with_sample(page, test="t"), ("results", "compare")),
    "scores alone": (lambda page: uploaded(RATED, page, n_resamples="200"), ("data", "results", "segments", "trust")),
    "two sets": (lambda page: uploaded(sets_zip(("en-cs", "en-de")), page, n_resamples="200"), ("test_sets", "paper")),
}
PLACES = [(name, page) for name, (_, pages) in DATA.items() for page in pages]


@sampled("name, page", PLACES)
def test_no_page_shows_a_code(name: str, page: str) -> None:
    make, _ = DATA[name]
    assert not [found for at in opened(make(page)) for found in codes(at)]


@sampled("name", RUN, most=2)
def test_no_result_of_an_experiment_shows_a_code(name: str) -> None:
    at = run(set_up(with_sample("lab", experiment=name), name, **RUN[name]))
    assert answer(at)
    assert not [*codes(at)]


def test_what_is_no_word_is_found() -> None:
    at = AppTest.from_string(
        """
        import pandas as pd
        import streamlit as st
        st.markdown("It agrees with ar.")
        st.checkbox("Yes", help="that is half_width")
        st.selectbox("Test", ["jackknife-t", "other"])
        st.dataframe(pd.DataFrame({"minp": ["spa"]}))
        st.caption("BLEU|nrefs:1|test:ar|minp and the paired t test, by accuracy")
        st.tabs(["sentbleu"])
        st.multiselect("Interval", ["percentile"])
        """
    ).run()
    assert {found.partition(":")[0] for found in codes(at)} == {
        "ar", "half_width", "jackknife-t", "minp", "percentile", "sentbleu", "spa",
    }  # fmt: skip
