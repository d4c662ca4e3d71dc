"""Test-set size: how scores, differences and their intervals depend on the amount of data."""

import streamlit as st

from dashboard import compute, show, sidebar
from dashboard.markdown import plain
from mtsig import Settings
from mtsig.ablation import Ablation, usable_sizes
from mtsig.figures import score_curves, width_curves
from mtsig.metrics import Statistics
from mtsig.report import size_text

HOW_TO_READ_SCORES = """
Random parts of the test set were taken, many of each size. A line is the mean score on them, the band the mean of their
confidence intervals. Bands that narrow to the right show what more data would buy.
"""

HOW_TO_READ_WIDTHS = """
Half the width of the interval, by size. The dashed line is the 1/√n law, fixed at the full test set: twice the data
narrow an interval by 29%. Widths in % of the score help to compare sizes of one metric; they say nothing about which of
two metrics is more sensitive, because metrics have different zeros.
"""

SCORES, DIFFERENCE = "Scores", "Difference of two systems"


def page() -> None:
    """Draw the page."""
    st.title("Test-set size")
    corpus = show.loaded()
    choices = sidebar.choices()
    metric = show.shown_metric(choices)
    statistics = compute.measured(corpus, metric)
    pair, chosen = _what(statistics)
    if pair is not None and pair[0] == pair[1]:
        st.info("Choose two different systems.")
        return
    if pair is not None:
        show.single_runs(corpus, pair)
    plan = _plan(statistics, choices.settings)
    curves = compute.curves(statistics, plan, pair)
    st.markdown(f"**{plain(size_text(curves, chosen))}**")
    show.figure(
        score_curves(curves, chosen),
        key="scores",
        alt=f"{curves.metric} by test-set size with intervals",
        how_to_read=HOW_TO_READ_SCORES,
    )
    relative = pair is None and st.toggle("Width in % of the score", key="relative", bind="query-params")
    show.figure(
        width_curves(curves, chosen, relative),
        key="widths",
        alt=f"Interval width of {curves.metric} by test-set size",
        how_to_read=HOW_TO_READ_WIDTHS,
    )
    with st.expander("The numbers"):
        frame = curves.to_frame().drop(columns=["metric", "signature"])
        show.table(frame, alt="Scores and widths by test-set size", decimals=curves.decimals)
    st.caption(plain(curves.signature))
    show.notes(curves.notes, "About these curves")


def _what(statistics: Statistics) -> tuple[tuple[str, str] | None, list[str] | None]:
    """Let the visitor choose scores or a difference; return the pair, or the systems whose curves are shown."""
    systems = list(statistics.systems)
    best = -1 if statistics.metric.higher_is_better else 1
    ranked = sorted(systems, key=lambda name: best * statistics.scores[statistics.row(name)])
    what = SCORES
    if len(systems) > 1:
        kinds = [SCORES, DIFFERENCE]
        what = st.segmented_control(
            "Curves of", kinds, default=SCORES, required=True, key="curves", bind="query-params"
        )
    if what == SCORES:
        # The best and the worst, as in the paper's figures; more on request.
        ends = list(dict.fromkeys([ranked[0], ranked[-1]]))
        return None, st.multiselect("Systems", ranked, default=ends, key="size_systems", bind="query-params") or ends
    left, right = st.columns(2)
    first = left.selectbox("First system", ranked, index=0, key="size_first", bind="query-params")
    second = right.selectbox("Second system", ranked, index=1, key="size_second", bind="query-params")
    return (first, second), None


def _plan(statistics: Statistics, settings: Settings) -> Ablation:
    inside = st.toggle(
        "Run a bootstrap inside every subset (slower)",
        key="inside",
        bind="query-params",
        help="Otherwise intervals come from the jackknife, at once.",
    )
    return Ablation(
        sizes=usable_sizes(statistics.at(settings.unit).n),
        interval="percentile" if inside else "jackknife",
        level=settings.level,
        seed=settings.seed,
        unit=settings.unit,
    )


show.guarded(page)
