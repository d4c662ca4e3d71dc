"""Overview: a sentence per metric, then scores with intervals."""

import streamlit as st

from dashboard import compute, show, sidebar
from mtsig import Corpus, Metric, Settings, inspect
from mtsig.figures import interval_bars
from mtsig.report import family_text, ranking_text, top_group_text

HOW_TO_READ = """
Each dot is a system's score on this test set; the bar is its confidence interval. The interval speaks of a procedure:
over many test sets, such bars hold the true score in the stated share of cases.

**Do not compare two systems by whether their bars overlap.** Both are scored on the same segments, so their difference
is known far better than either score. Use *Compare two* or *Matrix* for that.
"""


def page() -> None:
    """Draw the page: what each metric says, what to know of the data, then the pictures."""
    st.title("Overview")
    corpus = show.loaded()
    choices = sidebar.choices()
    for metric in choices.metrics:
        _sentence(corpus, metric, choices.settings)
    show.notes(inspect(corpus))
    for metric in choices.metrics:
        _picture(corpus, metric, choices.settings)


def _sentence(corpus: Corpus, metric: Metric, settings: Settings) -> None:
    statistics = compute.measured(corpus, metric)
    found = compute.intervals(statistics, settings)
    if len(corpus.systems) == 1:
        st.markdown(f"**{show.plain(ranking_text(found))}** One system alone cannot be compared; add a second one.")
        return
    family = compute.family(statistics, settings)
    st.markdown(f"**{show.plain(top_group_text(family, found))}** {show.plain(ranking_text(found))}")
    st.caption(show.plain(family_text(family)))


def _picture(corpus: Corpus, metric: Metric, settings: Settings) -> None:
    found = compute.intervals(compute.measured(corpus, metric), settings)
    st.subheader(found.metric)
    show.figure(
        interval_bars(found),
        key=f"bars-{found.metric}",
        alt=f"{found.metric} of every system with its confidence interval",
        how_to_read=HOW_TO_READ,
    )
    frame = show.score_frame(found)
    show.table(frame, alt=f"{found.metric} and interval of every system", column_config=show.columns(frame))
    st.caption(show.plain(f"{found.n_units} {found.unit}s · {found.signature}"))
    show.notes(found.notes, "About this metric")


show.guarded(page)
