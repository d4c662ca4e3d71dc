"""Results: a sentence per metric, then scores with intervals."""

from collections.abc import Sequence
from itertools import combinations

import streamlit as st

from dashboard import compute, session, show
from dashboard.markdown import plain
from dashboard.session import Choices
from mtsig import Corpus
from mtsig.corpus import Note
from mtsig.figures import IntervalBars
from mtsig.inference import judge_runs, rankable
from mtsig.metrics import Metric, Rated
from mtsig.report import family_text, ranking_text, ranks_text, runs_text, top_group_text, units_text


def page() -> None:
    """Draw the page: what each metric says, what to know of the data, then the pictures."""
    st.title("Results")
    corpus = show.loaded()
    choices = session.current().selection.choices
    _runs(corpus, choices)
    told: list[Note] = []
    for metric in choices.metrics:
        with show.part():
            told += _sentence(corpus, metric, choices)
    show.notes(compute.inspected(corpus))
    for metric in choices.metrics:
        with show.part():
            _picture(corpus, metric, choices, told)


def _sentence(corpus: Corpus, metric: Metric, choices: Choices) -> list[Note]:
    """Say what the metric says, and return the notes that stand before it."""
    statistics, settings = compute.measured(corpus, metric), choices.settings
    found = compute.intervals(statistics, settings)
    if len(statistics.systems) == 1:
        st.markdown(f"**{plain(ranking_text(found))}** One system alone cannot be compared; add a second one.")
        return []
    family = show.family(corpus, metric, choices)
    told = show.kin(statistics, family)
    st.markdown(f"**{plain(top_group_text(family, found))}** {plain(ranking_text(found))}")
    st.caption(plain(family_text(family)))
    return told


def _runs(corpus: Corpus, choices: Choices) -> None:
    """Say first what all runs of the systems say together; everything below is of single runs, and the page says so."""
    several = session.current().selection.runs(list(corpus.systems))
    pairs = list(combinations(several, 2))
    for metric in choices.metrics if pairs else ():
        with show.part():
            statistics = compute.measured(corpus, metric)
            found = [compute.runs(statistics, choices.settings, *pair, several) for pair in pairs]
            for one in judge_runs(found):
                st.markdown(f"**All runs together:** {plain(runs_text(one))}")
    show.single_runs(corpus)
    if pairs:
        st.caption("The scores, comparisons and ranks below are of single runs; runs are taken together only above.")


def _picture(corpus: Corpus, metric: Metric, choices: Choices, told: Sequence[Note]) -> None:
    found = compute.intervals(compute.measured(corpus, metric), choices.settings)
    st.subheader(found.metric)
    show.figure(
        IntervalBars.of(found),
        key=f"bars-{found.metric}{'-rating' if isinstance(metric, Rated) else ''}",
        alt=f"{found.metric} of every system with its confidence interval",
        how_to_read="score-intervals",
    )
    places = None
    if len(found.systems) > 2 and rankable(family := show.family(corpus, metric, choices)):
        places = compute.ranked(family)
        st.markdown(plain(ranks_text(places)))
    show.table(show.scores(found, places), alt=f"{found.metric} and interval of every system")
    st.caption(plain(f"{units_text(found.units.tolist(), found.unit)} · {found.signature}"))
    show.notes([note for note in found.notes if note not in told], "About this metric")


show.guarded(page)
