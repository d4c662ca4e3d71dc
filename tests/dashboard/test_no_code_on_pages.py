"""Codes are for command lines, links and signatures: no page shows one, in whatever it shows."""

import re
from collections.abc import Callable, Iterator, Mapping

import pytest
from pages import app, at_page, with_sample
from shown import pieces
from streamlit.testing.v1 import AppTest

from dashboard.test_lab import answer, run, set_up
from dashboard.test_test_sets import sets_zip
from dashboard.test_trust import RATED
from mtsig.inference import CORRECTIONS, INTERVALS, TESTS
from mtsig.lab import EXPERIMENTS
from mtsig.meta_eval import STATISTICS
from mtsig.metrics import METRICS

WORDS = {
    "accuracy", "basic", "by", "jackknife", "none", "normal", "per", "percentile", "precision", "ratio", "sacrebleu",
    "sign", "simultaneous", "t",
}  # fmt: skip
"""Codes that are words too: they may stand in a sentence."""

CODES = {name for table in (TESTS, INTERVALS, CORRECTIONS, METRICS, STATISTICS) for name in table}

CODE = re.compile(
    r"(?<![\w/.=:-])("
    + "|".join(sorted(map(re.escape, CODES - WORDS), key=len, reverse=True))
    + r"|[a-z]+_[a-z_]+)(?![\w:=/+-]|\.\w)"
)
"""A code in a text, or a name as programs have them."""

ONE_SET = ("data", "results", "compare", "segments", "trust", "planning", "paper", "learn")

RUN = {
    "calibrate": {"simulations": 50, "n_resamples": 99},
    "multiplicity": {"simulations": 50, "n_resamples": 99, "size": 20},
    "rerank": {"n_resamples": 100},
    "tests": {"n_resamples": 100},
    "relations": {"n_resamples": 100},
    "sensitivity": {"level": 90.0},
}
"""Experiments whose results name tests, intervals or corrections, with numbers that make them quick."""


def codes(at: AppTest) -> Iterator[str]:
    """Yield the codes that a page shows, each with what stands around it."""
    for box in (*at.selectbox, *at.multiselect):
        # Alone it is no word of a sentence; that there is no tokenizer is one.
        yield from (CODES - {"none"}) & {*box.options}
    for piece in pieces(at):
        # A signature is one word with bars in it.
        said = " ".join(word for word in piece.split() if "|" not in word)
        for found in CODE.finditer(said):
            yield f"{found[0]}: …{said[max(0, found.start() - 60) : found.end() + 60]}…"


def uploaded(files: Mapping[str, bytes], page: str) -> AppTest:
    at = app(n_resamples="200")
    at.get("file_uploader")[0].set_value([(name, data, "text/plain") for name, data in files.items()]).run()
    return at_page(at, page)


def key_of(identity: str) -> str:
    return re.sub(r"^\$\$ID-[0-9a-f]+-", "", identity)


def opened(at: AppTest) -> Iterator[AppTest]:
    """Yield a page as it comes, then with every section open, then with every tab in its turn."""
    yield at
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
    "a test of segments on BLEU": (lambda page: with_sample(page, test="t"), ("results", "compare", "planning")),
    "scores alone": (lambda page: uploaded(RATED, page), ("data", "results", "compare", "segments", "trust", "paper")),
    "two sets": (lambda page: uploaded(sets_zip(("en-cs", "en-de")), page), ("test_sets", "paper")),
}
PLACES = [(name, page) for name, (_, pages) in DATA.items() for page in pages]


@pytest.mark.parametrize(("name", "page"), PLACES, ids=[f"{page} of {name}" for name, page in PLACES])
def test_no_page_shows_a_code(name: str, page: str) -> None:
    make, _ = DATA[name]
    assert not [found for at in opened(make(page)) for found in codes(at)]


def test_no_experiment_asks_for_a_code() -> None:
    at = with_sample("lab")
    for name in EXPERIMENTS:
        assert not [*codes(set_up(at, name))], name


@pytest.mark.parametrize("name", RUN)
def test_no_result_of_an_experiment_shows_a_code(name: str) -> None:
    at = run(set_up(with_sample("lab"), name, **RUN[name]))
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
