"""Planning: how scores, differences and their intervals depend on the amount of data."""

import streamlit as st

from dashboard import compute, session, show
from dashboard.markdown import plain
from mtsig import Settings
from mtsig.ablation import Ablation, usable_sizes
from mtsig.figures import Curves
from mtsig.metrics import Statistics
from mtsig.report import records_table, size_text

SCORES, DIFFERENCE = "Scores", "Difference of two systems"


def page() -> None:
    """Draw the page."""
    st.title("Planning")
    corpus = show.loaded()
    choices = session.current().selection.choices
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
        Curves.of_scores(curves, chosen),
        key="scores",
        alt=f"{curves.metric} by test-set size with intervals",
        how_to_read="scores-by-size",
    )
    relative = pair is None and st.toggle("Width in % of the score", key="relative", bind="query-params")
    show.figure(
        Curves.of_widths(curves, chosen, relative),
        key="widths",
        alt=f"Interval width of {curves.metric} by test-set size",
        how_to_read="widths-by-size",
    )
    with st.expander("The numbers"):
        rows = [{name: row[name] for name in row if name not in ("metric", "signature")} for row in curves.rows()]
        show.table(
            records_table(rows, given=rows[0], decimals=curves.decimals), alt="Scores and widths by test-set size"
        )
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
