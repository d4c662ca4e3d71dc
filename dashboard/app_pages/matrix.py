"""Matrix: every pair at a glance; a click opens it."""

import streamlit as st

from dashboard import compute, session, show, sidebar
from dashboard.markdown import plain
from mtsig.figures import matrix
from mtsig.report import detectable_text, family_text

HOW_TO_READ = """
A cell says by how much the row's system is better than the column's (worse, with a minus). Colour is the size of the
difference; the mark is the verdict: ▲ the row's system is better, ▼ it is worse, ≈ not separated, ? undecided.

≈ does not mean equal, and it does not carry over: A ≈ B and B ≈ C leave A and C open. Click a cell to see its evidence.
"""


def page() -> None:
    """Draw the page."""
    st.title("Matrix")
    corpus = show.loaded()
    choices = sidebar.choices()
    metric = show.shown_metric(choices)
    show.single_runs(corpus)
    family = show.family(corpus, metric, choices)
    told = show.kin(compute.measured(corpus, metric), family)
    st.markdown(f"**{plain(family_text(family))}**")
    if family.correction == "none" and len(family) > 1:
        st.warning(
            f"Not corrected: each of the {len(family)} comparisons errs by itself, so the more systems there are, the "
            "likelier it is that some mark is wrong. Choose minp or holm in the sidebar."
        )
    picked = show.figure(
        matrix(family),
        key=f"matrix{session.clicks()}",
        alt=f"Matrix of differences in {family.metric} between all pairs of systems, with verdicts",
        how_to_read=HOW_TO_READ,
        on_select="rerun",
        selection_mode="points",
    )
    points = picked["selection"]["points"] if picked else []
    if points:
        _open(*points[0]["customdata"][:2])
    st.subheader("The same as a table")
    comparisons = show.comparisons(family)
    rows = show.table(
        comparisons,
        alt="All comparisons; choosing a row opens the pair",
        on_select="rerun",
        selection_mode="single-row",
        key=f"pairs{session.clicks()}",
    )
    st.caption(f"{detectable_text(family) if 'detectable' in comparisons.names else ''}Choosing a row opens the pair.")
    if rows["selection"]["rows"]:
        one = family[rows["selection"]["rows"][0]]
        _open(one.first, one.second)
    st.caption(plain(family.signature))
    show.notes([note for note in family.notes if note not in told], "About these comparisons")


def _open(first: str, second: str) -> None:
    session.choose_pair(first, second)
    st.switch_page("app_pages/compare.py")


show.guarded(page)
