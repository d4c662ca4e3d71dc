"""Matrix: every pair at a glance; a click opens it."""

import streamlit as st

from dashboard import compute, session, show
from dashboard.markdown import plain
from mtsig.figures import Matrix
from mtsig.report import detectable_text, family_text


def page() -> None:
    """Draw the page."""
    st.title("Matrix")
    corpus = show.loaded()
    choices = session.current().selection.choices
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
        Matrix.of(family),
        key=f"matrix{session.current().view.clicks}",
        alt=f"Matrix of differences in {family.metric} between all pairs of systems, with verdicts",
        how_to_read="matrix",
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
        key=f"pairs{session.current().view.clicks}",
    )
    st.caption(f"{detectable_text(family) if 'detectable' in comparisons.names else ''}Choosing a row opens the pair.")
    if rows["selection"]["rows"]:
        one = family[rows["selection"]["rows"][0]]
        _open(one.first, one.second)
    st.caption(plain(family.signature))
    show.notes([note for note in family.notes if note not in told], "About these comparisons")


def _open(first: str, second: str) -> None:
    session.current().choose_pair(first, second)
    st.switch_page("app_pages/compare.py")


show.guarded(page)
